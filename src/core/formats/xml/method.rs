//! What a `ds:SignatureMethod` states: XML Signature 1.1 §4.4.2, RFC 9231 §2.3.9.

use super::{DSIG, Element};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, RSA_PSS_URI, SignatureAlgorithm};

/// The namespace of the parameters.
const MORE: &str = "http://www.w3.org/2007/05/xmldsig-more#";

/// The mask generation function of RFC 8017 appendix B.2.1.
const MGF1: &str = "http://www.w3.org/2007/05/xmldsig-more#MGF1";

/// Reads the signature algorithm with its parameters. `None` where the algorithm or one of its parameters is not known.
pub(super) fn signature_algorithm(method: Element<'_, '_>) -> Option<SignatureAlgorithm> {
    let uri = method.attribute("Algorithm")?;
    if uri != RSA_PSS_URI {
        return SignatureAlgorithm::from_uri(uri);
    }
    let mut children = method.children();
    let parameters = children.next();
    if children.next().is_some() {
        return None;
    }
    let (digest, pss) = match parameters {
        Some(parameters) if parameters.is(MORE, "RSAPSSParams") => pss_parameters(parameters)?,
        Some(_) => return None,
        None => (DEFAULT_DIGEST, PssParameters::of(DEFAULT_DIGEST)),
    };
    Some(SignatureAlgorithm { pss: Some(pss), ..SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(digest)) })
}

/// What RFC 9231 §2.3.9 sets where no digest is stated; RFC 8017 itself has SHA-1.
const DEFAULT_DIGEST: DigestAlgorithm = DigestAlgorithm::Sha256;

/// Reads the parameters of RSASSA-PSS.
///
/// ```text
/// RSAPSSParams: DigestMethod?, MaskGenerationFunction?, SaltLength?, TrailerField?
/// ```
fn pss_parameters(parameters: Element<'_, '_>) -> Option<(DigestAlgorithm, PssParameters)> {
    let mut parts = parameters.children().peekable();
    let digest = match parts.next_if(|part| part.is(DSIG, "DigestMethod")) {
        Some(method) => digest_of(method)?,
        None => DEFAULT_DIGEST,
    };
    let mut pss = PssParameters::of(digest);
    if let Some(function) = parts.next_if(|part| part.is(MORE, "MaskGenerationFunction")) {
        pss.mask = mask(function, digest)?;
    }
    if let Some(length) = parts.next_if(|part| part.is(MORE, "SaltLength")) {
        pss.salt_length = Some(number(length)?);
    }
    if let Some(trailer) = parts.next_if(|part| part.is(MORE, "TrailerField"))
        && number(trailer)? != 1
    {
        return None;
    }
    parts.next().is_none().then_some((digest, pss))
}

/// Reads the mask generation function.
///
/// ```text
/// MaskGenerationFunction: DigestMethod?, attribute Algorithm = MGF1
/// ```
fn mask(function: Element<'_, '_>, digest: DigestAlgorithm) -> Option<MaskGeneration> {
    if function.attribute("Algorithm").is_some_and(|algorithm| algorithm != MGF1) {
        return None;
    }
    let mut parts = function.children();
    let stated = match parts.next() {
        Some(method) if method.is(DSIG, "DigestMethod") => digest_of(method)?,
        Some(_) => return None,
        None => digest,
    };
    parts.next().is_none().then_some(MaskGeneration::Mgf1(stated))
}

fn digest_of(method: Element<'_, '_>) -> Option<DigestAlgorithm> {
    DigestAlgorithm::from_uri(method.attribute("Algorithm")?)
}

/// Reads an `xs:int` that is not below zero.
fn number(element: Element<'_, '_>) -> Option<u32> {
    element.text().trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::xml::{Options, parse};
    use DigestAlgorithm::{Sha256, Sha384, Sha512};

    /// Returns the digest, the digest of the mask and the length of the salt that a SignatureMethod with this content
    /// states.
    fn stated(algorithm: &str, content: &str) -> Option<(DigestAlgorithm, DigestAlgorithm, u32)> {
        let text = format!(
            "<SignatureMethod xmlns='{DSIG}' xmlns:p='{MORE}' Algorithm='{algorithm}'>{content}</SignatureMethod>"
        );
        let tree = parse(&text, &Options::default()).expect("well-formed");
        let found = signature_algorithm(tree.document_element().expect("one"))?;
        let pss = found.pss.expect("RSASSA-PSS");
        let MaskGeneration::Mgf1(mask) = pss.mask else { panic!("{found:?}") };
        Some((found.digest.expect("stated"), mask, pss.salt_length.expect("stated")))
    }

    #[test]
    fn parameters_of_rsassa_pss() {
        let sha512 = "<DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha512'/>";
        let sha384 = "<DigestMethod Algorithm='http://www.w3.org/2001/04/xmldsig-more#sha384'/>";
        let parameters = |content: &str| format!("<p:RSAPSSParams>{content}</p:RSAPSSParams>");
        let rows = [
            ("2.3.9", "no parameters: SHA-256", String::new(), Some((Sha256, Sha256, 32))),
            ("2.3.9", "none of the parameters", parameters(""), Some((Sha256, Sha256, 32))),
            ("2.3.9", "a digest, its mask and salt", parameters(sha512), Some((Sha512, Sha512, 64))),
            (
                "2.3.9",
                "all stated",
                parameters(&format!(
                    "{sha512}<p:MaskGenerationFunction Algorithm='{MGF1}'>{sha384}</p:MaskGenerationFunction>\
                     <p:SaltLength> 20 </p:SaltLength><p:TrailerField>1</p:TrailerField>"
                )),
                Some((Sha512, Sha384, 20)),
            ),
            ("2.3.9", "a mask without its name", parameters("<p:MaskGenerationFunction/>"), Some((Sha256, Sha256, 32))),
            ("2.3.9", "another mask", parameters("<p:MaskGenerationFunction Algorithm='x'/>"), None),
            ("2.3.9", "another trailer", parameters("<p:TrailerField>2</p:TrailerField>"), None),
            ("2.3.9", "a salt that is no number", parameters("<p:SaltLength>-1</p:SaltLength>"), None),
            ("2.3.9", "an unknown digest", parameters("<DigestMethod Algorithm='x'/>"), None),
            ("2.3.9", "another order", parameters(&format!("<p:SaltLength>20</p:SaltLength>{sha512}")), None),
            ("2.3.9", "parameters twice", parameters("").repeat(2), None),
            ("2.3.9", "other parameters", sha512.to_owned(), None),
        ];
        for (clause, situation, content, expected) in rows {
            assert_eq!(stated(RSA_PSS_URI, &content), expected, "RFC 9231 {clause} {situation}");
        }
        let fixed = format!("{MORE}sha256-rsa-MGF1");
        assert_eq!(stated(&fixed, ""), Some((Sha256, Sha256, 32)), "RFC 9231 2.3.10");
    }
}
