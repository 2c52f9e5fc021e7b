//! The form of a signature: what XMLDSig's and XAdES's schemas say of the order and number of elements.
//!
//! A signature that has another form is read in one way here and in another elsewhere. It is refused.

use super::{DSIG, Element, Tree};
use crate::formats::xml::signature::signatures;

/// The elements of `ds:Signature` in their order, and whether each may be absent and stand several times: XMLDSig 1.1 §4.1.
const SIGNATURE: [Part; 4] =
    [Part::one("SignedInfo"), Part::one("SignatureValue"), Part::optional("KeyInfo"), Part::any("Object")];
/// §4.4.
const SIGNED_INFO: [Part; 3] =
    [Part::one("CanonicalizationMethod"), Part::one("SignatureMethod"), Part::some("Reference")];

/// §4.4.3.
const REFERENCE: [Part; 3] = [Part::optional("Transforms"), Part::one("DigestMethod"), Part::one("DigestValue")];

/// Elements of XAdES and of `ds:X509IssuerSerial` that stand once in their parents: EN 319 132-1 annex C.
const ONCE: [(&str, &[&str]); 14] = [
    ("QualifyingProperties", &["SignedProperties", "UnsignedProperties"]),
    ("SignedProperties", &["SignedSignatureProperties", "SignedDataObjectProperties"]),
    (
        "SignedSignatureProperties",
        &[
            "SigningTime",
            "SigningCertificate",
            "SigningCertificateV2",
            "SignaturePolicyIdentifier",
            "SignatureProductionPlace",
            "SignatureProductionPlaceV2",
            "SignerRole",
            "SignerRoleV2",
        ],
    ),
    ("UnsignedProperties", &["UnsignedSignatureProperties", "UnsignedDataObjectProperties"]),
    ("SignaturePolicyId", &["SigPolicyId", "SigPolicyHash", "SigPolicyQualifiers"]),
    ("SigPolicyId", &["Identifier"]),
    ("CommitmentTypeId", &["Identifier"]),
    ("Cert", &["CertDigest", "IssuerSerial", "IssuerSerialV2"]),
    ("CertDigest", &["DigestMethod", "DigestValue"]),
    ("DigestAlgAndValue", &["DigestMethod", "DigestValue"]),
    ("IssuerSerial", &["X509IssuerName", "X509SerialNumber"]),
    ("CRLIdentifier", &["Issuer", "IssueTime", "Number"]),
    ("OCSPIdentifier", &["ResponderID", "ProducedAt"]),
    ("CounterSignature", &["Signature"]),
];

/// How a signature differs from its form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// An element stands where the schema has another.
    #[error("{parent} has {found} where {expected} is expected (XMLDSig 1.1 §4)")]
    Order {
        /// The element that holds it.
        parent: &'static str,
        /// What stands there; `nothing` at the end.
        found: String,
        /// What the schema has there.
        expected: &'static str,
    },
    /// An element states no algorithm.
    #[error("{element} has no Algorithm, expected its URI (XMLDSig 1.1 §4.4)")]
    Algorithm {
        /// The element.
        element: &'static str,
    },
    /// An element stands several times that stands once.
    #[error("{parent} has several {child}, expected one at most (EN 319 132-1)")]
    Several {
        /// The element that holds them.
        parent: &'static str,
        /// The element that is there too often.
        child: &'static str,
    },
}

struct Part {
    name: &'static str,
    least: usize,
    most: usize,
}

impl Part {
    const fn one(name: &'static str) -> Self {
        Self { name, least: 1, most: 1 }
    }

    const fn optional(name: &'static str) -> Self {
        Self { name, least: 0, most: 1 }
    }

    const fn some(name: &'static str) -> Self {
        Self { name, least: 1, most: usize::MAX }
    }

    const fn any(name: &'static str) -> Self {
        Self { name, least: 0, most: usize::MAX }
    }
}

/// Holds every signature of a document to its form.
///
/// # Errors
///
/// The first difference.
pub fn check(tree: &Tree<'_>) -> Result<(), FormError> {
    signatures(tree).try_for_each(signature)
}

/// Returns whether a reference has its form; one without it states no digest.
pub fn is_reference(element: Element<'_, '_>) -> bool {
    sequence("Reference", element, &REFERENCE).is_ok()
}

fn signature(element: Element<'_, '_>) -> Result<(), FormError> {
    sequence("Signature", element, &SIGNATURE)?;
    let Some(info) = element.child(DSIG, "SignedInfo") else { return Ok(()) };
    sequence("SignedInfo", info, &SIGNED_INFO)?;
    for method in ["CanonicalizationMethod", "SignatureMethod"] {
        if info.child(DSIG, method).is_some_and(|method| method.attribute("Algorithm").is_none_or(str::is_empty)) {
            return Err(FormError::Algorithm { element: method });
        }
    }
    let objects = element.children().filter(|child| child.is(DSIG, "Object"));
    let properties =
        objects.flat_map(|object| object.children()).filter(|child| child.local() == "QualifyingProperties");
    properties.flat_map(|properties| element.tree().elements(properties.id())).try_for_each(once)
}

/// Holds the children of an element to a sequence.
fn sequence(parent: &'static str, element: Element<'_, '_>, parts: &[Part]) -> Result<(), FormError> {
    let mut children = element.children().peekable();
    for part in parts {
        let mut count = 0;
        while count < part.most && children.next_if(|child| child.is(DSIG, part.name)).is_some() {
            count += 1;
        }
        if count < part.least {
            let found = children.peek().map_or("nothing", |child| child.local()).to_owned();
            return Err(FormError::Order { parent, found, expected: part.name });
        }
    }
    match children.next() {
        Some(child) => Err(FormError::Order { parent, found: child.local().to_owned(), expected: "nothing more" }),
        None => Ok(()),
    }
}

fn once(element: Element<'_, '_>) -> Result<(), FormError> {
    let Some((parent, parts)) = ONCE.iter().find(|(parent, _)| element.is_named(parent)) else { return Ok(()) };
    for child in *parts {
        if element.children().filter(|one| one.is_named(child)).nth(1).is_some() {
            return Err(FormError::Several { parent, child });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::xml::{Options, parse};

    const INFO: &str = "<SignedInfo><CanonicalizationMethod Algorithm='c'/><SignatureMethod Algorithm='s'/><Reference/>\
        </SignedInfo>";

    fn found(children: &str) -> String {
        let source = format!("<Signature xmlns='{DSIG}'>{children}</Signature>");
        let tree = parse(&source, &Options::default()).expect("well-formed");
        check(&tree).map_or_else(|error| error.to_string(), |()| "good".to_owned())
    }

    #[test]
    fn forms() {
        let value = "<SignatureValue/>";
        let properties = |inner: &str| {
            format!(
                "{INFO}{value}<Object><QualifyingProperties xmlns='http://uri.etsi.org/01903/v1.3.2#'>{inner}\
                 </QualifyingProperties></Object>"
            )
        };
        let good = "good";
        for (clause, situation, children, expected) in [
            ("4.1", "no key, no object", format!("{INFO}{value}"), good),
            ("4.1", "all of them", format!("{INFO}{value}<KeyInfo/><Object/><Object/>"), good),
            ("4.1", "no value", INFO.to_owned(), "Signature has nothing where SignatureValue is expected"),
            (
                "4.1",
                "the key behind",
                format!("{INFO}{value}<Object/><KeyInfo/>"),
                "Signature has KeyInfo where nothing",
            ),
            ("4.1", "two keys", format!("{INFO}{value}<KeyInfo/><KeyInfo/>"), "Signature has KeyInfo where nothing"),
            ("4.1", "another signature", format!("{INFO}{value}<Signature/>"), "Signature has Signature where nothing"),
            (
                "4.4",
                "nothing signed",
                format!("<SignedInfo/>{value}"),
                "SignedInfo has nothing where CanonicalizationM",
            ),
            (
                "4.4",
                "no reference",
                format!("{}{value}", INFO.replace("<Reference/>", "")),
                "SignedInfo has nothing where Reference is expected",
            ),
            (
                "4.4.2",
                "no algorithm",
                format!("{}{value}", INFO.replace(" Algorithm='s'", "")),
                "SignatureMethod has no Algorithm",
            ),
            ("EN 319 132-1", "one serial number", properties("<IssuerSerial><X509SerialNumber/></IssuerSerial>"), good),
            (
                "EN 319 132-1",
                "two serial numbers",
                properties("<Cert><IssuerSerial><X509SerialNumber/><X509SerialNumber/></IssuerSerial></Cert>"),
                "IssuerSerial has several X509SerialNumber",
            ),
            (
                "EN 319 132-1",
                "two policies",
                properties("<SigPolicyId><Identifier>a</Identifier><Identifier>b</Identifier></SigPolicyId>"),
                "SigPolicyId has several Identifier",
            ),
            (
                "EN 319 132-1 5.2.7.2",
                "two counter-signatures in one property",
                properties(&format!(
                    "<CounterSignature><Signature xmlns='{DSIG}'>{INFO}{value}</Signature>\
                     <Signature xmlns='{DSIG}'>{INFO}{value}</Signature></CounterSignature>"
                )),
                "CounterSignature has several Signature",
            ),
        ] {
            let found = found(&children);
            assert!(found.starts_with(expected), "{clause} {situation}: {found}");
        }
    }
}
