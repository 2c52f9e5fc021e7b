//! Base64url without padding: RFC 7515 §2, RFC 4648 §5.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Bytes that become one run of digits without a remainder: chunks of a stream are a multiple of it.
const CHUNK: usize = 3 * 16 * 1024;

/// Returns the bytes, where the text is Base64url without padding, white space or bits to spare.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Returns the bytes by which a signature value is named, which need not be one: a last digit that makes no byte is
/// left out, and so are bits to spare.
pub(super) fn decode_truncated(text: &str) -> Vec<u8> {
    let lenient = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true);
    let digits = match text.as_bytes() {
        [whole @ .., _] if text.len() % 4 == 1 => whole,
        digits => digits,
    };
    GeneralPurpose::new(&alphabet::URL_SAFE, lenient).decode(digits).unwrap_or_default()
}

/// Returns the bytes of a value that is nobody's signing input: either alphabet, with padding or without. Digests and
/// certificates are found in all of these.
pub(super) fn decode_any(text: &str) -> Option<Vec<u8>> {
    let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let other = |byte: u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        byte => byte,
    };
    let digits: Vec<u8> = text.trim().bytes().map(other).collect();
    GeneralPurpose::new(&alphabet::STANDARD, lenient).decode(digits).ok()
}

/// Returns the text of bytes.
pub(super) fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Writes the text of bytes that come in pieces, a chunk at a time.
pub(super) struct Encoder<'w> {
    write: &'w mut dyn FnMut(&[u8]),
    /// Fewer than three bytes, which the next piece completes.
    rest: Vec<u8>,
    text: String,
}

impl<'w> Encoder<'w> {
    pub(super) fn new(write: &'w mut dyn FnMut(&[u8])) -> Self {
        Self { write, rest: vec![], text: String::new() }
    }

    pub(super) fn push(&mut self, mut piece: &[u8]) {
        while !self.rest.is_empty() && self.rest.len() < 3 {
            let Some((first, others)) = piece.split_first() else { return };
            self.rest.push(*first);
            piece = others;
        }
        (self.write)(encode(&self.rest).as_bytes());
        self.rest.clear();
        let (whole, remainder) = piece.split_at(piece.len() / 3 * 3);
        for chunk in whole.chunks(CHUNK) {
            self.text.clear();
            URL_SAFE_NO_PAD.encode_string(chunk, &mut self.text);
            (self.write)(self.text.as_bytes());
        }
        self.rest.extend_from_slice(remainder);
    }

    pub(super) fn finish(self) {
        (self.write)(encode(&self.rest).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_base64url() {
        for (clause, text, strict, any) in [
            ("RFC 7515 appendix C", "A-z_4ME", true, true),
            ("RFC 7515 §2: no padding", "MA==", false, true),
            ("RFC 7515 §2: no white space", "A-z_ 4ME", false, false),
            ("RFC 7515 §2: no line break", "A-z_4ME\n", false, true),
            ("RFC 4648 §5: the other alphabet", "A+z/4ME", false, true),
            ("RFC 4648 §3.5: bits to spare", "MB", false, false),
            ("RFC 4648 §3.3: other characters", "A*z_4ME", false, false),
            ("RFC 4648 §4: a digit alone", "A", false, false),
            ("empty", "", true, true),
        ] {
            assert_eq!((decode(text).is_some(), decode_any(text).is_some()), (strict, any), "{clause} {text:?}");
        }
    }

    #[test]
    fn pieces_make_the_text_of_the_whole() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| (n % 251) as u8).collect();
        for cuts in [&[][..], &[1], &[2, 3], &[1, 1, 2], &[5, 100_000, 100_001], &[0, 199_999]] {
            let mut pieces = vec![];
            let mut from = 0;
            for cut in cuts.iter().chain([&bytes.len()]) {
                pieces.push(&bytes[from..*cut]);
                from = *cut;
            }
            let mut text = vec![];
            let mut write = |part: &[u8]| text.extend_from_slice(part);
            let mut encoder = Encoder::new(&mut write);
            pieces.iter().for_each(|piece| encoder.push(piece));
            encoder.finish();
            assert!(text == encode(&bytes).into_bytes(), "{cuts:?}");
        }
    }
}
