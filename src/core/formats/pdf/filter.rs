//! Stream filters: ISO 32000-1 §7.4, those that structure (not images) uses.

use super::characters::decode_hexadecimal;
use super::error::PdfError;
use super::object::{Dictionary, Object};
use crate::inflate::{Broken, Inflater, Wrapping, until_broken};

/// A filter's parameters: ISO 32000-1 tables 8 and 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// `/Predictor`.
    pub predictor: i64,
    /// `/Colors`.
    pub colors: i64,
    /// `/BitsPerComponent`.
    pub bits: i64,
    /// `/Columns`.
    pub columns: i64,
    /// `/EarlyChange`.
    pub early_change: bool,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { predictor: 1, colors: 1, bits: 8, columns: 1, early_change: true }
    }
}

/// Decodes `data` by `filter` to at most `limit` bytes.
pub fn decode(filter: &[u8], data: &[u8], parameters: Parameters, limit: u64) -> Result<Vec<u8>, PdfError> {
    match filter {
        b"FlateDecode" | b"Fl" => unpredict(inflate(data, limit)?, parameters),
        b"LZWDecode" | b"LZW" => unpredict(lzw(data, parameters.early_change, limit)?, parameters),
        b"ASCIIHexDecode" | b"AHx" => {
            let end = memchr::memchr(b'>', data).unwrap_or(data.len());
            Ok(decode_hexadecimal(&data[..end]))
        }
        b"ASCII85Decode" | b"A85" => Ok(ascii85(data)),
        b"RunLengthDecode" | b"RL" => run_length(data, limit),
        // The standard handler has dealt with it: ISO 32000-1 §7.4.10.
        b"Crypt" => Ok(data.to_vec()),
        other => Err(PdfError::Filter { filter: String::from_utf8_lossy(other).into_owned() }),
    }
}

/// Returns whether every reader decodes a stream alike: uncompressed, or by `FlateDecode` with usual parameters. Rows have
/// `columns` bytes, where that is given. An array of filters has an array of parameters beside it (ISO 32000-1 table 5). The
/// names that inline images give to both are not there: some readers look for them, too.
pub(super) fn is_usually_encoded(dictionary: &Dictionary<'_>, columns: Option<i64>) -> bool {
    if [&b"F"[..], b"DP"].iter().any(|key| dictionary.get(key).is_some()) {
        return false;
    }
    let (filter, parameters) = match (dictionary.get(b"Filter"), dictionary.get(b"DecodeParms")) {
        (None, _) => return true,
        (Some(Object::Array(names)), None) if names.len() == 1 => (names.first(), None),
        (Some(Object::Array(names)), Some(Object::Array(all))) if names.len() == 1 && all.len() == 1 => {
            (names.first(), all.first())
        }
        pair => pair,
    };
    let is = |key: &[u8], expected: &[i64], otherwise: i64| match parameters {
        None | Some(Object::Null) => expected.contains(&otherwise),
        Some(Object::Dictionary(parameters)) => match parameters.get(key) {
            Some(Object::Integer(value)) => expected.contains(value),
            None => expected.contains(&otherwise),
            Some(_) => false,
        },
        Some(_) => false,
    };
    let are_rows =
        || is(b"Predictor", &[10, 11, 12, 13, 14, 15], 1) && columns.is_none_or(|all| is(b"Columns", &[all], 1));
    filter.and_then(Object::name) == Some(b"FlateDecode")
        && is(b"Colors", &[1], 1)
        && is(b"BitsPerComponent", &[8], 8)
        && (are_rows() || is(b"Predictor", &[1], 1))
}

/// Returns whether the bytes of a stream, where they are deflated, begin as RFC 1950 §2.2 says: not every reader inflates others.
pub(super) fn is_wrapped(dictionary: &Dictionary<'_>, bytes: &[u8]) -> bool {
    let begins = |&[method, flags]: &[u8; 2]| {
        method & 15 == 8 && flags & 32 == 0 && u16::from_be_bytes([method, flags]).is_multiple_of(31)
    };
    dictionary.get(b"Filter").is_none() || bytes.first_chunk().is_some_and(begins)
}

/// Decodes `FlateDecode`: ISO 32000-1 §7.4.4. The bytes inflated before an error count, as in viewers.
fn inflate(data: &[u8], limit: u64) -> Result<Vec<u8>, PdfError> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let likely = data.len().saturating_mul(3);
    // NOTE: some writers leave the zlib header away.
    for wrapping in [Wrapping::Zlib, Wrapping::None] {
        let out = Inflater::new(data, wrapping)
            .whole(likely, most)
            .unwrap_or_else(|Broken| until_broken(data, wrapping, most));
        if !out.is_empty() {
            return within(out, limit);
        }
    }
    Ok(Vec::new())
}

fn within(out: Vec<u8>, limit: u64) -> Result<Vec<u8>, PdfError> {
    if out.len() as u64 > limit { Err(PdfError::TooMuchInflated { limit }) } else { Ok(out) }
}

/// Decodes `LZWDecode` (ISO 32000-1 §7.4.4.2): codes of 9 to 12 bits, 256 clears the table, 257 ends.
fn lzw(data: &[u8], early_change: bool, limit: u64) -> Result<Vec<u8>, PdfError> {
    let early = usize::from(early_change);
    let mut out: Vec<u8> = Vec::new();
    // Each entry is a stretch of the output: where it starts and how long it is.
    let mut table: Vec<(usize, usize)> = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let (mut buffer, mut bits, mut width) = (0u32, 0u32, 9u32);
    for &byte in data {
        buffer = buffer << 8 | u32::from(byte);
        bits += 8;
        if bits < width {
            continue;
        }
        bits -= width;
        let code = (buffer >> bits) as usize & ((1 << width) - 1);
        buffer &= (1 << bits) - 1;
        match code {
            257 => break,
            256 => {
                table.clear();
                previous = None;
                width = 9;
                continue;
            }
            _ => {}
        }
        let start = out.len();
        if code < 256 {
            out.push(code as u8);
        } else if let Some(&(from, length)) = table.get(code - 258) {
            out.extend_from_within(from..from + length);
        } else if let (Some((from, length)), true) = (previous, code - 258 == table.len()) {
            out.extend_from_within(from..from + length);
            out.push(out[start]);
        } else {
            break;
        }
        if let Some((from, length)) = previous {
            // The previous stretch and the first byte of this one follow each other in the output.
            if table.len() < 4096 - 258 {
                table.push((from, length + 1));
            }
        }
        previous = Some((start, out.len() - start));
        // This code's own entry is made with the next code; the width counts it already.
        width = match table.len() + 258 + 1 + early {
            0..=512 => 9,
            513..=1024 => 10,
            1025..=2048 => 11,
            _ => 12,
        };
        if out.len() as u64 > limit {
            return Err(PdfError::TooMuchInflated { limit });
        }
    }
    Ok(out)
}

/// Decodes `ASCII85Decode`: ISO 32000-1 §7.4.3.
fn ascii85(data: &[u8]) -> Vec<u8> {
    let data = data.strip_prefix(b"<~").unwrap_or(data);
    let mut out = Vec::with_capacity(data.len() / 5 * 4);
    let mut group = [0u8; 5];
    let mut filled = 0;
    for &byte in data {
        match byte {
            b'~' => break,
            b'z' if filled == 0 => out.extend([0; 4]),
            b'!'..=b'u' => {
                group[filled] = byte - b'!';
                filled += 1;
                if filled == 5 {
                    out.extend(base85(group));
                    filled = 0;
                }
            }
            // White space, and what should not be there.
            _ => {}
        }
    }
    if filled > 1 {
        group[filled..].fill(84);
        out.extend_from_slice(&base85(group)[..filled - 1]);
    }
    out
}

fn base85(group: [u8; 5]) -> [u8; 4] {
    group.iter().fold(0u32, |value, &digit| value.wrapping_mul(85).wrapping_add(digit.into())).to_be_bytes()
}

/// Decodes `RunLengthDecode`: ISO 32000-1 §7.4.5.
fn run_length(data: &[u8], limit: u64) -> Result<Vec<u8>, PdfError> {
    let mut out = Vec::new();
    let mut rest = data;
    while let [length, tail @ ..] = rest {
        rest = match length {
            128 => break,
            0..=127 => {
                let (run, tail) = tail.split_at(tail.len().min(usize::from(*length) + 1));
                out.extend_from_slice(run);
                tail
            }
            _ => {
                let Some((&byte, tail)) = tail.split_first() else { break };
                out.resize(out.len() + 257 - usize::from(*length), byte);
                tail
            }
        };
        if out.len() as u64 > limit {
            return Err(PdfError::TooMuchInflated { limit });
        }
    }
    Ok(out)
}

/// Undoes a predictor: ISO 32000-1 §7.4.4.4.
fn unpredict(data: Vec<u8>, parameters: Parameters) -> Result<Vec<u8>, PdfError> {
    if parameters.predictor <= 1 {
        return Ok(data);
    }
    let broken = || PdfError::Filter { filter: format!("predictor {}", parameters.predictor) };
    let bits = [parameters.colors, parameters.bits, parameters.columns]
        .into_iter()
        .try_fold(1usize, |product, factor| usize::try_from(factor).ok().filter(|&f| f > 0)?.checked_mul(product))
        .ok_or_else(broken)?;
    let row = bits.div_ceil(8);
    let pixel = (usize::try_from(parameters.colors * parameters.bits).map_err(|_| broken())?).div_ceil(8).max(1);
    if parameters.predictor == 2 {
        return if parameters.bits == 8 { Ok(tiff(data, row, pixel)) } else { Err(broken()) };
    }
    if row > data.len() {
        return Ok(Vec::new());
    }
    let mut out: Vec<u8> = Vec::with_capacity(data.len());
    for line in data.chunks(row + 1) {
        let Some((&kind, line)) = line.split_first() else { break };
        let start = out.len();
        for (index, &byte) in line.iter().enumerate() {
            let left = if index >= pixel { out[start + index - pixel] } else { 0 };
            let up = if start >= row { out[start + index - row] } else { 0 };
            let corner = if index >= pixel && start >= row { out[start + index - row - pixel] } else { 0 };
            let predicted = match kind {
                1 => left,
                2 => up,
                3 => ((u16::from(left) + u16::from(up)) / 2) as u8,
                4 => paeth(left, up, corner),
                0 => 0,
                // Some readers take it for none, others end.
                _ => return Err(broken()),
            };
            out.push(byte.wrapping_add(predicted));
        }
    }
    Ok(out)
}

fn tiff(mut data: Vec<u8>, row: usize, pixel: usize) -> Vec<u8> {
    for line in data.chunks_mut(row) {
        for index in pixel..line.len() {
            line[index] = line[index].wrapping_add(line[index - pixel]);
        }
    }
    data
}

/// Returns which of three neighbours predicts a byte best (PNG specification §9.4).
fn paeth(left: u8, up: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, up, corner].map(i32::from);
    let estimate = a + b - c;
    let [to_a, to_b, to_c] = [a, b, c].map(|value| (estimate - value).abs());
    if to_a <= to_b && to_a <= to_c {
        left
    } else if to_b <= to_c {
        up
    } else {
        corner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters() {
        let plain = Parameters::default();
        type Row<'a> = (&'a str, &'a str, &'a [u8], &'a [u8], &'a [u8]);
        let rows: [Row<'_>; 7] = [
            ("7.4.2", "hexadecimal", b"ASCIIHexDecode", b"41 4>zz", b"A@"),
            ("7.4.3", "base 85", b"ASCII85Decode", b"87cURD]i,\"Ebo80~>", b"Hello World!"),
            ("7.4.3", "a group of zeros", b"A85", b"z~>", &[0; 4]),
            (
                "7.4.4.2",
                "the standard's example",
                b"LZWDecode",
                &[0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01],
                &[45, 45, 45, 45, 45, 65, 45, 45, 45, 66],
            ),
            ("7.4.5", "run and copy", b"RunLengthDecode", &[254, b'a', 1, b'b', b'c', 128, 9], b"aaabc"),
            ("7.4.5", "data that ends early", b"RL", &[5, b'b'], b"b"),
            ("7.4.10", "identity", b"Crypt", b"x", b"x"),
        ];
        for (clause, situation, filter, data, expected) in rows {
            assert_eq!(decode(filter, data, plain, 1 << 20).as_deref(), Ok(expected), "{clause}: {situation}");
        }
        assert!(decode(b"DCTDecode", b"", plain, 10).is_err(), "7.4.8: images are not read");
    }

    #[test]
    fn a_bomb_is_refused() {
        use std::io::Write;
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; 1 << 20]).expect("memory");
        let bomb = encoder.finish().expect("memory");
        let found = decode(b"FlateDecode", &bomb, Parameters::default(), 1 << 16);
        assert_eq!(found, Err(PdfError::TooMuchInflated { limit: 1 << 16 }));
    }

    #[test]
    fn predictors() {
        let parameters = Parameters { predictor: 12, columns: 3, ..Parameters::default() };
        let rows = [
            ("up", vec![2, 1, 2, 3, 2, 1, 1, 1], vec![1, 2, 3, 2, 3, 4]),
            ("sub", vec![1, 1, 1, 1], vec![1, 2, 3]),
            ("average", vec![0, 4, 4, 4, 3, 1, 1, 1], vec![4, 4, 4, 3, 4, 5]),
            ("paeth", vec![0, 4, 4, 4, 4, 1, 1, 1], vec![4, 4, 4, 5, 6, 7]),
            ("last row cut short", vec![0, 1, 2, 3, 0, 4], vec![1, 2, 3, 4]),
        ];
        for (situation, data, expected) in rows {
            assert_eq!(unpredict(data, parameters), Ok(expected), "7.4.4.4: {situation}");
        }
    }
}
