//! From bytes to characters: XML 1.0 §4.3.3 and appendix F.

use super::error::XmlError;
use std::borrow::Cow;

/// Returns the characters of a document: UTF-8, UTF-16, or an encoding of one byte a character where declared.
///
/// A byte order mark is not part of the document.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, XmlError> {
    match bytes {
        // What a mark says and the declaration denies, readers read in different ways.
        [0xef, 0xbb, 0xbf, rest @ ..] => match declared(rest).to_ascii_lowercase().as_slice() {
            b"" | b"utf-8" | b"utf8" => utf8(rest).map(Cow::Borrowed),
            name => Err(unknown(name)),
        },
        // RFC 2781 §3.3: UTF-16BE and UTF-16LE have no mark.
        [0xfe, 0xff, rest @ ..] | rest @ [0, b'<', ..] => utf16(rest, u16::from_be_bytes),
        [0xff, 0xfe, rest @ ..] | rest @ [b'<', 0, ..] => utf16(rest, u16::from_le_bytes),
        _ => match declared(bytes).to_ascii_lowercase().as_slice() {
            b"" | b"utf-8" | b"utf8" => utf8(bytes).map(Cow::Borrowed),
            b"us-ascii" | b"ascii" if bytes.is_ascii() => utf8(bytes).map(Cow::Borrowed),
            b"iso-8859-1" | b"latin1" => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
            b"iso-8859-2" | b"latin2" => single_bytes(bytes, ISO_8859_2),
            b"windows-1250" | b"cp1250" => single_bytes(bytes, WINDOWS_1250),
            b"windows-1252" | b"cp1252" => single_bytes(bytes, WINDOWS_1252),
            name => Err(unknown(name)),
        },
    }
}

fn unknown(name: &[u8]) -> XmlError {
    XmlError::Encoding { found: String::from_utf8_lossy(name).chars().take(40).collect() }
}

fn utf8(bytes: &[u8]) -> Result<&str, XmlError> {
    std::str::from_utf8(bytes).map_err(|error| XmlError::NotText { offset: error.valid_up_to() })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Cow<'_, str>, XmlError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    match text {
        Ok(text) if rest.is_empty() => Ok(Cow::Owned(text)),
        _ => Err(XmlError::NotText { offset: bytes.len() }),
    }
}

/// Decodes one byte a character: ASCII, then as the table says; what it has not is no character.
fn single_bytes<'o>(bytes: &[u8], upper: &str) -> Result<Cow<'o, str>, XmlError> {
    let upper: Vec<char> = upper.chars().collect();
    let character = |(offset, byte): (usize, &u8)| match byte.checked_sub(0x80) {
        None => Ok(char::from(*byte)),
        Some(high) => match upper.get(usize::from(high)) {
            Some(c) if *c != char::REPLACEMENT_CHARACTER => Ok(*c),
            _ => Err(XmlError::NotText { offset }),
        },
    };
    bytes.iter().enumerate().map(character).collect::<Result<String, _>>().map(Cow::Owned)
}

/// What the bytes from 0x80 on are.
const ISO_8859_2: &str = "\
     \u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\
     \u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
     \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ\
     °ą˛ł´ľśˇ¸šşťź˝žż\
     ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ\
     ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
     ŕáâăäĺćçčéęëěíîď\
     đńňóôőö÷řůúűüýţ˙\
     ";
const WINDOWS_1250: &str = "\
     €\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰Š‹ŚŤŽŹ\
     \u{fffd}‘’“”•–—\u{fffd}™š›śťžź\
     \u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż\
     °±˛ł´µ¶·¸ąş»Ľ˝ľż\
     ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎ\
     ĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
     ŕáâăäĺćçčéęëěíîď\
     đńňóôőö÷řůúűüýţ˙\
     ";
const WINDOWS_1252: &str = "\
     €\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\
     \u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ\
     \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯\
     °±²³´µ¶·¸¹º»¼½¾¿\
     ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ\
     ÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
     àáâãäåæçèéêëìíîï\
     ðñòóôõö÷øùúûüýþÿ\
     ";

/// Returns the name in the XML declaration's `encoding`; empty where there is none.
fn declared(bytes: &[u8]) -> &[u8] {
    let rest = bytes.strip_prefix(b"<?xml").filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace));
    let Some(rest) = rest else { return b"" };
    let Some(end) = memchr::memmem::find(rest, b"?>") else { return b"" };
    let Some(at) = rest[..end].windows(8).position(|word| word == b"encoding") else { return b"" };
    let value = rest[at + 8..end].trim_ascii_start();
    let Some(value) = value.strip_prefix(b"=") else { return b"" };
    match value.trim_ascii_start() {
        [quote @ (b'"' | b'\''), name @ ..] => name.split(|byte| byte == quote).next().unwrap_or_default(),
        _ => b"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_whole() {
        for table in [ISO_8859_2, WINDOWS_1250, WINDOWS_1252] {
            assert_eq!(table.chars().count(), 128);
        }
        assert_eq!(ISO_8859_2.chars().nth(0xe1 - 0x80), Some('\u{e1}'));
        assert_eq!(ISO_8859_2.chars().nth(0xf5 - 0x80), Some('\u{151}'));
    }

    #[test]
    fn encodings() {
        for (clause, bytes, expected) in [
            ("appendix F: UTF-8", &b"<a/>"[..], Some("<a/>")),
            ("appendix F: UTF-8 with a mark", b"\xef\xbb\xbf<a/>", Some("<a/>")),
            ("appendix F: UTF-16, big end first", b"\xfe\xff\0<\0a\0/\0>", Some("<a/>")),
            ("appendix F: UTF-16BE without a mark", b"\0<\0a\0/\0>", Some("<a/>")),
            ("appendix F: UTF-16LE without a mark", b"<\0a\0/\0>\0", Some("<a/>")),
            ("appendix F: UTF-16, little end first", b"\xff\xfe<\0a\0/\0>\0", Some("<a/>")),
            ("appendix F: half a character", b"\xff\xfe<\0a\0/", None),
            (
                "§4.3.3: declared",
                b"<?xml version='1.0' encoding='ISO-8859-1'?><\xe9/>",
                Some("<?xml version='1.0' encoding='ISO-8859-1'?><\u{e9}/>"),
            ),
            ("§4.3.3: not what it says", b"<?xml version='1.0' encoding='UTF-8'?><\xe9/>", None),
            ("§4.3.3: unknown", b"<?xml version='1.0' encoding='EBCDIC'?><a/>", None),
            ("§4.3.3: denied by the mark", b"\xef\xbb\xbf<?xml version='1.0' encoding='ISO-8859-2'?><a/>", None),
            (
                "§2.6: an instruction declares nothing",
                "<?xml-stylesheet encoding='ISO-8859-1'?><\u{e9}/>".as_bytes(),
                Some("<?xml-stylesheet encoding='ISO-8859-1'?><\u{e9}/>"),
            ),
        ] {
            assert_eq!(decode(bytes).ok().as_deref(), expected, "XML 1.0 {clause}");
        }
    }
}
