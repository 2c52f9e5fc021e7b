//! XML signatures. Everything is written as it is canonicalised, so that no canonicalisation is needed.

use crate::cms::{STAMPED, Token};
use crate::ers::{node, xml_record, xml_time_stamp};
use crate::lab::Lab;
use crate::pki::{Entity, sha256};
use base64::prelude::*;

pub const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
pub const XADES: &str = "http://uri.etsi.org/01903/v1.3.2#";
pub const XADES_141: &str = "http://uri.etsi.org/01903/v1.4.1#";
pub const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
pub const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
pub const XPATH: &str = "http://www.w3.org/TR/1999/REC-xpath-19991116";
pub const FILTER: &str = "http://www.w3.org/2002/06/xmldsig-filter2";
const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";

/// What is signed in most documents.
pub const CONTRACT: &str = "<contract><amount>100</amount><iban>PT50 1111</iban></contract>";

/// A reference to those bytes; a transform is an algorithm or a whole element.
pub fn reference(uri: Option<&str>, bytes: &[u8], transforms: &[&str]) -> String {
    typed(uri, bytes, transforms, "")
}

/// The same of a type.
pub fn typed(uri: Option<&str>, bytes: &[u8], transforms: &[&str], kind: &str) -> String {
    let kind = if kind.is_empty() { String::new() } else { format!(" Type=\"{kind}\"") };
    let uri = uri.map_or(String::new(), |uri| format!(" URI=\"{uri}\""));
    let list: String = transforms
        .iter()
        .map(|transform| match transform.starts_with('<') {
            true => (*transform).to_owned(),
            false => format!("<ds:Transform Algorithm=\"{transform}\"></ds:Transform>"),
        })
        .collect();
    let list = if list.is_empty() { list } else { format!("<ds:Transforms>{list}</ds:Transforms>") };
    let digest = BASE64_STANDARD.encode(sha256(bytes));
    format!(
        "<ds:Reference{kind}{uri}>{list}<ds:DigestMethod Algorithm=\"{SHA256}\"></ds:DigestMethod><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"
    )
}

/// An XPath transform (XMLDSig §6.6.3).
pub fn xpath(expression: &str) -> String {
    format!("<ds:Transform Algorithm=\"{XPATH}\"><ds:XPath>{expression}</ds:XPath></ds:Transform>")
}

/// A transform of XPath Filter 2.0.
pub fn filter(kind: &str, expression: &str) -> String {
    format!(
        "<ds:Transform Algorithm=\"{FILTER}\"><f:XPath xmlns:f=\"{FILTER}\" Filter=\"{kind}\">{expression}</f:XPath></ds:Transform>"
    )
}

/// A XAdES signature to be made.
#[derive(Clone)]
pub struct Signature<'a> {
    pub lab: &'a Lab,
    pub entity: &'a Entity,
    pub id: &'a str,
    pub references: Vec<String>,
    /// More of KeyInfo, more `ds:Object`s.
    pub objects: String,
    pub key_info: String,
    pub stamped: bool,
    /// What becomes of the signed properties; those of the data objects; what type the reference to them has.
    pub change: fn(String) -> String,
    pub data_properties: String,
    pub properties_type: &'a str,
    /// That reference, where it is another.
    pub own: Option<String>,
    /// The name and namespace of an archive time-stamp, and what it covers before and behind the rest: the references'
    /// bytes and other objects.
    pub archived: Option<(&'a str, &'a str, [String; 2])>,
    /// The references' bytes in the form that an evidence record in the signature is over.
    pub sealed: Option<String>,
}

impl<'a> Signature<'a> {
    pub fn over(lab: &'a Lab, references: Vec<String>) -> Self {
        let entity = &lab.alice;
        Self {
            lab,
            entity,
            id: "S",
            references,
            objects: String::new(),
            key_info: String::new(),
            stamped: true,
            change: |properties| properties,
            data_properties: String::new(),
            properties_type: "http://uri.etsi.org/01903#SignedProperties",
            own: None,
            archived: None,
            sealed: None,
        }
    }

    /// The properties, just as exclusive canonicalisation writes them: a prefix is declared where it is first used (§3).
    pub fn properties(&self) -> String {
        let certificate = &self.entity.certificate;
        let (id, digest) = (self.id, BASE64_STANDARD.encode(sha256(certificate)));
        (self.change)(format!(
            "<xades:SignedProperties xmlns:xades=\"{XADES}\" Id=\"{id}-props\"><xades:SignedSignatureProperties><xades:SigningTime>{}</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod xmlns:ds=\"{DS}\" Algorithm=\"{SHA256}\"></ds:DigestMethod><ds:DigestValue xmlns:ds=\"{DS}\">{digest}</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2></xades:SignedSignatureProperties>{}</xades:SignedProperties>",
            crate::lab::SIGNED,
            self.data_properties
        ))
    }

    pub fn xml(&self) -> String {
        let Self { id, lab, .. } = self;
        let properties = self.properties();
        let usual = || typed(Some(&format!("#{id}-props")), properties.as_bytes(), &[EXCLUSIVE], self.properties_type);
        let own = self.own.clone().unwrap_or_else(usual);
        let info = format!(
            "<ds:SignedInfo xmlns:ds=\"{DS}\"><ds:CanonicalizationMethod Algorithm=\"{EXCLUSIVE}\"></ds:CanonicalizationMethod><ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256\"></ds:SignatureMethod>{}{own}</ds:SignedInfo>",
            self.references.concat()
        );
        let value = BASE64_STANDARD.encode(self.entity.key.sign_concatenated(info.as_bytes()));
        let value = format!("<ds:SignatureValue xmlns:ds=\"{DS}\" Id=\"{id}-val\">{value}</ds:SignatureValue>");
        let timestamp = lab.xades_timestamp("xades:SignatureTimeStamp", XADES, "", value.as_bytes(), STAMPED);
        let timestamp = if self.stamped { timestamp } else { String::new() };
        let crl = BASE64_STANDARD.encode(&lab.crl);
        let revocation = format!(
            "<xades:RevocationValues xmlns:xades=\"{XADES}\"><xades:CRLValues><xades:EncapsulatedCRLValue>{crl}</xades:EncapsulatedCRLValue></xades:CRLValues></xades:RevocationValues>"
        );
        let certificate = BASE64_STANDARD.encode(&self.entity.certificate);
        let key_info = format!(
            "<ds:KeyInfo xmlns:ds=\"{DS}\">{}<ds:X509Data><ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>",
            self.key_info
        );
        let archive = self.archived.as_ref().map(|(element, namespace, [data, objects])| {
            let over = [data, &properties, &info, &value, &key_info, &timestamp, &revocation, objects]
                .map(String::as_str)
                .concat();
            lab.xades_timestamp(element, namespace, "", over.as_bytes(), ARCHIVED)
        });
        let sealed = self.sealed.as_ref().map(|data| {
            let parts = [data, &properties, &info, &value, &key_info, &timestamp, &revocation];
            let hashes = parts.map(|part| sha256(part.as_bytes()));
            let token = Token { crls: vec![lab.crl.clone()], ..Token::of(node(&hashes), ARCHIVED) }.by(&lab.tsa);
            let record = xml_record(&[xml_time_stamp(&token, "")]);
            format!("<p:SealingEvidenceRecords xmlns:p=\"{XADES_141}\">{record}</p:SealingEvidenceRecords>")
        });
        format!(
            "<ds:Signature xmlns:ds=\"{DS}\" Id=\"{id}\">{info}{}{}<ds:Object><xades:QualifyingProperties xmlns:xades=\"{XADES}\" Target=\"#{id}\">{properties}<xades:UnsignedProperties><xades:UnsignedSignatureProperties>{}{}{}</xades:UnsignedSignatureProperties></xades:UnsignedProperties></xades:QualifyingProperties></ds:Object>{}</ds:Signature>",
            bare(&value),
            bare(&key_info),
            bare(&timestamp),
            bare(&revocation),
            archive.or(sealed).unwrap_or_default(),
            self.objects
        )
    }
}

/// An element without the declaration of its own prefix, which stands further up.
fn bare(element: &str) -> String {
    let end = element.find('>').unwrap_or_default();
    match element[..end].find(" xmlns:") {
        Some(at) => {
            let declaration = at + element[at..].splitn(3, '"').take(2).map(|part| part.len() + 1).sum::<usize>();
            format!("{}{}", &element[..at], &element[declaration..])
        }
        None => element.to_owned(),
    }
}

/// A document element that ends in `</NAME>`, with the signature before that.
pub fn enclosed(document: &str, signature: &str) -> String {
    let at = document.rfind("</").expect("an element");
    format!("{}{signature}{}", &document[..at], &document[at..])
}

/// When archive time-stamps are made: after the revocation data that they cover.
pub const ARCHIVED: &str = "20261126120000Z";

impl Lab {
    /// A time-stamp of XAdES in that element, over those bytes; its children start with `before`. It is in the form
    /// that exclusive canonicalisation writes.
    pub fn xades_timestamp(&self, element: &str, namespace: &str, before: &str, bytes: &[u8], time: &str) -> String {
        let token = BASE64_STANDARD.encode(Token::over(bytes, time).by(&self.tsa));
        let (prefix, _) = element.split_once(':').expect("a prefix");
        let declared = if namespace == XADES { String::new() } else { format!(" xmlns:xades=\"{XADES}\"") };
        format!(
            "<{element} xmlns:{prefix}=\"{namespace}\">{before}<ds:CanonicalizationMethod xmlns:ds=\"{DS}\" Algorithm=\"{EXCLUSIVE}\"></ds:CanonicalizationMethod><xades:EncapsulatedTimeStamp{declared}>{token}</xades:EncapsulatedTimeStamp></{element}>"
        )
    }

    /// The document with an enveloped signature over it.
    pub fn enveloped(&self, document: &str) -> String {
        self.enveloped_by(document, document, &[ENVELOPED, EXCLUSIVE])
    }

    /// The same by other transforms, which leave those bytes.
    pub fn enveloped_by(&self, document: &str, bytes: &str, transforms: &[&str]) -> String {
        let signature = Signature::over(self, vec![reference(Some(""), bytes.as_bytes(), transforms)]);
        enclosed(document, &signature.xml())
    }
}
