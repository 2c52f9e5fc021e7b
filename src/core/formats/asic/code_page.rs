//! Names that are not said to be UTF-8: IBM code page 437, APPNOTE §4.4.4 (bit 11) and appendix D.

/// The characters of the bytes from 0x80 on.
const UPPER: &str = "\
     ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
     áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
     └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
     αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}\
     ";

/// Returns the name that the bytes are in the code page.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let upper: Vec<char> = UPPER.chars().collect();
    let character = |byte: &u8| byte.checked_sub(0x80).and_then(|at| upper.get(usize::from(at)).copied());
    bytes.iter().map(|byte| character(byte).unwrap_or(char::from(*byte))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        assert_eq!(UPPER.chars().count(), 128);
        assert_eq!(decoded("é.txt".as_bytes()), "├⌐.txt", "APPNOTE appendix D");
        assert_eq!(decoded(b"\x80\xe1\xff"), "Çß\u{a0}");
    }
}
