//! The documents of the rows, and what is handed in beside them.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};
use lacre::trust::{LotlSigningCertificates, TrustedLists, read};
use lacre::{Policy, Validator};
use lacre_testkit::authorities::{Pki, now, time};
use lacre_testkit::cms::{CONTENT_TYPE, STAMPED, Signer, attribute};
use lacre_testkit::der::{bits, bytes, integer, oid, sequence, sorted, tlv, unsigned};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::Pdf;
use lacre_testkit::pki::*;
use lacre_testkit::trusted_list::{self, List};

pub const TEXT: &[u8] = b"I, Alice, agree.";
pub const ALICE: u64 = 1001;
pub const TSA: u64 = 1003;

pub struct Given {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub contents: Vec<(&'static str, Vec<u8>)>,
    /// Another validator than the laboratory's.
    pub validator: Option<Validator>,
}

impl Given {
    pub fn new(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name, bytes: bytes.into(), contents: vec![], validator: None }
    }

    /// Adds a content beside it.
    pub fn with(mut self, name: &'static str, content: &[u8]) -> Self {
        self.contents.push((name, content.to_vec()));
        self
    }
}

pub fn letter(bytes: Vec<u8>) -> Given {
    Given::new("letter.p7m", bytes)
}

pub fn contract(document: Pdf) -> Given {
    Given::new("contract.pdf", document.bytes)
}

/// A message by that signer with those lists and responses, time-stamped.
pub fn by(lab: &Lab, signer: &Entity, crls: &[Vec<u8>], ocsps: &[Vec<u8>]) -> Given {
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(signer, TEXT).at(STAMPED)]);
    data.crls = crls.to_vec();
    data.ocsps = ocsps.to_vec();
    letter(data.bytes())
}

pub fn revoked(lab: &Lab, serial: u64, reason: Option<u8>) -> Vec<u8> {
    Crl { revoked: vec![(serial, "20260601000000Z", reason)], ..Crl::default() }.of(&lab.root)
}

/// A message by a signer of that name.
pub fn called(lab: &Lab, attributes: &[(&str, &str)]) -> Given {
    let spec = Spec { subject: distinguished(attributes), ..Spec::signer("", 1060) };
    by(lab, &spec.issued_by(&lab.root, Key::of("named")), std::slice::from_ref(&lab.crl), &[])
}

/// A message with that time-stamp in the place of the usual one.
pub fn stamped<'a>(lab: &'a Lab, authority: &'a Entity, time: &'a str) -> Given {
    let mut signer = Signer::of(&lab.alice, TEXT).at(STAMPED);
    signer.timestamp = Some((authority, time));
    letter(lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes())
}

pub fn crl(lab: &Lab, this_update: &'static str, next_update: &'static str) -> Vec<u8> {
    Crl { this_update, next_update, ..Crl::default() }.of(&lab.root)
}

/// The objects that put a note on the usual page, which has a signature.
pub const NOTED: &[(u32, &str)] = &[
    (
        3,
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R 20 0 R] >>",
    ),
    (20, "<< /Type /Annot /Subtype /Text /Rect [10 10 30 30] /Contents (A note) >>"),
];

/// Makes a message by Alice, her part changed.
pub fn message(lab: &Lab, change: impl Fn(Signer<'_>) -> Signer<'_>) -> Given {
    letter(lab.signed_data(Some(TEXT), TEXT, &[change(lab.signer(&lab.alice, TEXT).at(STAMPED))]).bytes())
}

/// Makes a message by a signer of that certificate, which the root issues.
pub fn issued(lab: &Lab, spec: &Spec) -> Given {
    by(lab, &spec.issued_by(&lab.root, Key::of("carol")), std::slice::from_ref(&lab.crl), &[])
}

/// Makes a message by a signer of an authority of that certificate, below the root, with that list of the root.
pub fn below(lab: &Lab, spec: &Spec, crl: &[u8]) -> Given {
    let between = spec.issued_by(&lab.root, Key::of("sub"));
    let dave = Spec::signer("Dave Below", 1012).issued_by(&between, Key::of("dave"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&dave, TEXT).at(STAMPED)]);
    data.certificates.push(between.certificate.clone());
    data.crls = vec![crl.to_vec(), Crl::default().of(&between)];
    letter(data.bytes())
}

pub fn authority_below() -> Spec {
    Spec::named("Attack Lab Sub", 1011).with(authority())
}

/// Makes a message whose value Bob signs as well, or instead of it something else.
pub fn countersigned(lab: &Lab, over: Option<&[u8]>) -> Given {
    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let attributes = sorted(&signer.attributes);
    let value = lab.alice.key.sign(&tlv(0x31, &[&attributes]));
    let over = over.unwrap_or(&value);
    let counter = Signer::of(&lab.bob, over).without(CONTENT_TYPE).at("20261122120000Z").signed(over);
    signer.unsigned = vec![attribute("1.2.840.113549.1.9.6", &counter)];
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![lab.alice.certificate.clone(), lab.bob.certificate.clone()];
    letter(data.bytes())
}

/// Makes an evidence record over an object, beside the text.
pub fn recorded(lab: &Lab, object: &[u8]) -> Given {
    let validator = lab.validator().evidence(&lab.crl).expect("it is a CRL");
    let given = Given::new("record.ers", lab.evidence_record(&[object])).with("archived.txt", TEXT);
    Given { validator: Some(validator), ..given }
}

/// Modulus and private exponent of an RSA key of 1,024 bits, made by OpenSSL, which is no secret.
pub const MODULUS: &str = "c304892831960ea25653b9056f53b33a40ed36f52cfd709e0fd237820ea32954e83bcfcb96d29026f018d8e3bb14eedd\
    c67973807225ddffe970c5a98feb80b353816b23166f827cf780dc455b5aeb12835e94565773c869a18e8dee067abfb4\
    6255fc843d0d0dbc211bf39f36b9f593983a8a11073b92afb165f2f55d3c9349";
pub const EXPONENT: &str = "52f71606b479bb4612e5d15bdf8dc33cf02c3aea3936a4f789918c2dd75e50921fae7a6b898190f40fc6f25687db92f7\
    649d7ca6d3690ab5f9b111565eb4f8ee123f42aa9a7573539d5f0192436a76c7ae67258d43680db69c5d9c56282536e4\
    9a9b1d1f3e81c78f5b5ee3af21e97bde1df6ad07bf79f3a529a930ac90d40991";

/// Makes a message by that key: RFC 8017 §8.2.1.
pub fn by_short_key(lab: &Lab) -> Given {
    let number = |digits: &str| BoxedUint::from_str_radix_with_precision_vartime(digits, 16, 1024).expect("1,024 bits");
    let sha256_identifier = sequence(&[&oid(SHA256), &tlv(5, &[])]);
    let rsa = sequence(&[&oid("1.2.840.113549.1.1.1"), &tlv(5, &[])]);
    let public = sequence(&[&unsigned(&number(MODULUS).to_be_bytes()), &integer(65537)]);
    let spki = sequence(&[&rsa, &bits(&public)]);
    let short = Spec::signer("Sara Short", 1062).for_key(&lab.root, Key::of("nobody"), &spki);
    let algorithm = sequence(&[&oid("1.2.840.113549.1.1.11"), &tlv(5, &[])]);
    let signer = Signer { algorithm, ..Signer::of(&short, TEXT).at(STAMPED) };
    let attributes = sorted(&signer.attributes);
    let info = sequence(&[&sha256_identifier, &bytes(&sha256(&tlv(0x31, &[&attributes])))]);
    let padded = [vec![0, 1], vec![0xff; 125 - info.len()], vec![0], info].concat();
    let modulus = BoxedMontyParams::new_vartime(Odd::new(number(MODULUS)).into_option().expect("it is odd"));
    let padded = BoxedUint::from_be_slice(&padded, 1024).expect("it fits");
    let value = BoxedMontyForm::new(padded, &modulus).pow(&number(EXPONENT)).retrieve().to_be_bytes();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[]);
    data.signers = vec![signer.with_value(&tlv(0xa0, &[&attributes]), &value)];
    data.certificates = vec![short.certificate.clone()];
    letter(data.bytes())
}

/// Adds a place and a role to the properties of XAdES.
pub fn at_lisbon(properties: String) -> String {
    const END: &str = "</xades:SignedSignatureProperties>";
    let place = "<xades:SignatureProductionPlaceV2><xades:City>Lisbon</xades:City></xades:SignatureProductionPlaceV2>";
    let role = "<xades:ClaimedRoles><xades:ClaimedRole>Managing Director</xades:ClaimedRole></xades:ClaimedRoles>";
    properties.replace(END, &format!("{place}<xades:SignerRoleV2>{role}</xades:SignerRoleV2>{END}"))
}

/// Makes a seal of an authority on an Estonian list of that next update.
pub fn sealed(next: &str) -> Given {
    let pki = Pki::at("http://127.0.0.1:9", time("2026-12-30T00:00:00Z"));
    let (union, country) = (trusted_list::Signer::new("LOTL"), trusted_list::Signer::new("EE"));
    let pointers = [
        ("https://lists.example/lotl.xml".to_owned(), "EU", true, vec![&union]),
        ("https://lists.example/EE.xml".to_owned(), "EE", false, vec![&country]),
    ];
    let services = [&pki.authority];
    let lotl =
        List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
    let list =
        List { of_lists: false, territory: "EE", number: 62, information: &[], pointers: &[], services: &services };
    let sources = vec![
        read("lotl.xml", &union.signed(&lotl.text_until(Some(time("2036-01-01T00:00:00Z")))), Some(now())),
        read("EE.xml", &country.signed(&list.text_until(Some(time(next)))), Some(now())),
    ];
    let signing = LotlSigningCertificates::of(std::slice::from_ref(&union.certificate));
    let validator = Validator::new(Policy::eidas()).trusted_lists(&TrustedLists::assemble(sources, &signing));
    let validator = validator.evidence(&pki.crl(false)).expect("it is a CRL");
    Given { validator: Some(validator), ..letter(pki.signed(b"a deed")) }
}
