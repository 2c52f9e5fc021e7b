//! The parts of a signature, how many of each there are, and whose its properties are: XMLDSig §4, EN 319 132-1 §4.3.

use super::coverage::NAMED;
use crate::facts::Irregularity;
use crate::facts::IrregularityKind::FormatViolation;
use crate::formats::xml::signature::XmlSignature;
use crate::formats::xml::{DSIG, Element, ids};
use crate::uri::unescaped;

/// Returns which parts there are, and how many of each (§4.1, §4.4). Two readers of a part that is there twice may take
/// different ones.
pub(super) fn structure(signature: &XmlSignature<'_, '_>, own: Option<Element<'_, '_>>) -> Vec<Irregularity> {
    let mut found = vec![];
    let mut parts = |parent: Element<'_, '_>, single: &[&'static str], any: &[&str]| {
        for name in single {
            let count = parent.children().filter(|child| child.is(DSIG, name)).count();
            if count > 1 {
                found.push(Irregularity::about(FormatViolation, format!("{count} {name} in {}", parent.local())));
            }
        }
        let foreign = |child: &Element<'_, '_>| !single.iter().chain(any).any(|name| child.is(DSIG, name));
        for child in parent.children().filter(foreign).take(NAMED) {
            found.push(Irregularity::about(FormatViolation, format!("{} in {}", child.local(), parent.local())));
        }
    };
    parts(signature.element, &["SignedInfo", "SignatureValue", "KeyInfo"], &["Object"]);
    parts(signature.signed_info, &["CanonicalizationMethod", "SignatureMethod"], &["Reference"]);
    // §4.3: the value is text.
    signature.element.child(DSIG, "SignatureValue").into_iter().for_each(|value| parts(value, &[], &[]));
    for reference in &signature.references {
        parts(reference.element, &["Transforms", "DigestMethod", "DigestValue"], &[]);
    }
    found.extend(target(signature.element, own));
    found
}

/// Notes qualifying properties whose target is another signature than that in which they stand (EN 319 132-1 §4.3.1).
/// Readers that follow the target take them for that other signature's.
///
/// NOTE: real files have targets that nothing has for its id. Whose such properties are, only their place says.
fn target(signature: Element<'_, '_>, own: Option<Element<'_, '_>>) -> Option<Irregularity> {
    let stated = own?.attribute("Target")?.trim();
    let id = unescaped(stated.strip_prefix('#').unwrap_or(stated));
    let is_own = ids::of(signature).any(|own| own == id);
    // Of several elements readers may take any.
    let mut named = ids::find(signature.tree(), &id).take(2);
    let is_other = !is_own && named.any(|element| element.is(DSIG, "Signature"));
    let named = || format!("QualifyingProperties of {}", stated.chars().take(100).collect::<String>());
    is_other.then(|| Irregularity::about(FormatViolation, named()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn parts() {
        let with = |rest: &str| format!("<r>{}</r>", signature(&reference("", ENVELOPED, "<r></r>"), rest));
        for (clause, situation, document, expected) in [
            ("4.2", "two values", with("<SignatureValue>BBBB</SignatureValue>"), "2 SignatureValue in Signature"),
            ("4.1", "another element", with("<y xmlns=''/>"), "y in Signature"),
        ] {
            let (irregular, ..) = read(&document, &[]);
            assert_eq!(irregular, [(FormatViolation, expected.to_owned())], "XMLDSig {clause} {situation}");
        }
    }
}
