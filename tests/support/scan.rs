//! Certificates and revocation data wherever they stand in a file, told by their digests: raw, in hexadecimal,
//! in Base64, deflated, in ZIP entries. For tests that compare facts without asking the formats.

use sha2::Digest as _;
use std::collections::{HashMap, HashSet};
use std::io::Read as _;

/// The DER of the tokens named in `wanted` (upper-case SHA-256) that the file holds.
pub fn scan(file: &[u8], wanted: &HashSet<String>) -> HashMap<String, Vec<u8>> {
    let mut scan = Scan { wanted, found: HashMap::new() };
    scan.blob(file, 0);
    scan.found
}

struct Scan<'a> {
    wanted: &'a HashSet<String>,
    found: HashMap<String, Vec<u8>>,
}

impl Scan<'_> {
    fn blob(&mut self, bytes: &[u8], depth: usize) {
        if self.found.len() == self.wanted.len() || depth > 3 {
            return;
        }
        self.tokens(bytes);
        if bytes.starts_with(b"PK\x03\x04") {
            for at in positions(bytes, b"PK\x03\x04") {
                let Some(header) = bytes.get(at..at + 30) else { continue };
                let short = |i: usize| usize::from(u16::from_le_bytes([header[i], header[i + 1]]));
                let Some(data) = bytes.get(at + 30 + short(26) + short(28)..) else { continue };
                let mut entry = Vec::new();
                match short(8) {
                    8 => drop(flate2::read::DeflateDecoder::new(data).take(1 << 24).read_to_end(&mut entry)),
                    _ => {
                        let size = u32::from_le_bytes([header[18], header[19], header[20], header[21]]) as usize;
                        entry.extend_from_slice(&data[..size.min(data.len())]);
                    }
                }
                self.blob(&entry, depth + 1);
            }
            return;
        }
        if positions(&bytes[..bytes.len().min(1024)], b"%PDF-").next().is_some() {
            for run in runs(bytes, |b| b.is_ascii_hexdigit() || b.is_ascii_whitespace(), 400) {
                let digits: Vec<u8> = run.iter().filter_map(|b| char::from(*b).to_digit(16)).map(|d| d as u8).collect();
                self.tokens(&digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<_>>());
            }
            for at in positions(bytes, b"stream") {
                let data = bytes[at + 6..].strip_prefix(b"\r").unwrap_or(&bytes[at + 6..]);
                let data = data.strip_prefix(b"\n").unwrap_or(data);
                let mut inflated = Vec::new();
                drop(flate2::read::ZlibDecoder::new(data).take(1 << 24).read_to_end(&mut inflated));
                self.tokens(&inflated);
            }
            return;
        }
        let base64 = |b: u8| b.is_ascii_alphanumeric() || b"+/-_ \r\n\t&#;=".contains(&b);
        for run in runs(bytes, base64, 300) {
            let text = String::from_utf8_lossy(run).replace("&#xD;", "").replace("&#13;", "");
            for part in text.split(['=', '&', '#', ';']) {
                let digits: String = part.chars().filter(|c| !c.is_whitespace()).collect();
                for start in [Some(0), digits.find("MII")].into_iter().flatten() {
                    let decoded = decode_base64(&digits[start..]);
                    self.tokens(&decoded);
                    if decoded.len() > 1000 && decoded.first().is_some_and(|b| b"{[<\"e".contains(b)) {
                        self.blob(&decoded, depth + 1);
                    }
                }
            }
        }
    }

    fn tokens(&mut self, bytes: &[u8]) {
        for at in positions(bytes, b"\x30") {
            let (header, length) = match bytes.get(at + 1..) {
                Some([0x81, a, ..]) => (3, usize::from(*a)),
                Some([0x82, a, b, ..]) => (4, usize::from(*a) << 8 | usize::from(*b)),
                Some([0x83, a, b, c, ..]) => (5, usize::from(*a) << 16 | usize::from(*b) << 8 | usize::from(*c)),
                _ => continue,
            };
            let Some(element) = bytes.get(at..at + header + length) else { continue };
            if element.get(header) == Some(&0x30) && length > 100 {
                self.token(element);
                if let Ok(ocsp) = lacre_core::x509::OcspResponse::from_der(element) {
                    self.token(&ocsp.der());
                }
            }
        }
    }

    fn token(&mut self, element: &[u8]) {
        let digest = sha2::Sha256::digest(element).iter().map(|b| format!("{b:02X}")).collect::<String>();
        if self.wanted.contains(&digest) {
            self.found.entry(digest).or_insert_with(|| element.to_vec());
        }
    }
}

fn positions<'a>(bytes: &'a [u8], word: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    bytes.windows(word.len()).enumerate().filter(move |(_, window)| *window == word).map(|(at, _)| at)
}

fn runs(bytes: &[u8], inside: impl Fn(u8) -> bool, least: usize) -> Vec<&[u8]> {
    bytes.split(|b| !inside(*b)).filter(|run| run.len() >= least).collect()
}

fn decode_base64(digits: &str) -> Vec<u8> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in digits.bytes() {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}
