//! Certificates, revocation lists and OCSP responses, with whatever in them.

use crate::der::*;
use lacre_core::{
    algorithm::DigestAlgorithm,
    crypto::{KeyKind, SigningKey, SoftwareKey, digest},
};
use signature::rand_core::{TryCryptoRng, TryRng};
use std::convert::Infallible;
use std::sync::Arc;

pub const SHA1: &str = "1.3.14.3.2.26";
pub const SHA256: &str = "2.16.840.1.101.3.4.2.1";
pub const ECDSA_SHA256: &str = "1.2.840.10045.4.3.2";
pub const OCSP_BASIC: &str = "1.3.6.1.5.5.7.48.1.1";

/// Numbers that are no secret: keys of tests are the same in every run.
pub struct Seeded(pub u64);

impl TryRng for Seeded {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|number| (number >> 32) as u32)
    }

    /// SplitMix64.
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let number = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(number ^ (number >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Seeded {}

pub fn sha1(bytes: &[u8]) -> Vec<u8> {
    digest(DigestAlgorithm::Sha1, bytes).expect("SHA-1 is there")
}

pub fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest(DigestAlgorithm::Sha256, bytes).expect("SHA-256 is there")
}

/// `ecdsa-with-SHA256`.
pub fn ecdsa() -> Vec<u8> {
    sequence(&[&oid(ECDSA_SHA256)])
}

/// A key on P-256.
#[derive(Clone)]
pub struct Key(Arc<SoftwareKey>);

impl Key {
    /// The key of that name.
    pub fn of(name: &str) -> Self {
        let seed = name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(1_000_003) ^ u64::from(byte));
        Self(Arc::new(SoftwareKey::generate(KeyKind::P256, &mut Seeded(seed)).expect("a key is made")))
    }

    pub fn spki(&self) -> &[u8] {
        self.0.public_key().spki()
    }

    /// `SEQUENCE { r, s }` over the bytes.
    pub fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        let algorithm = self.0.algorithm(DigestAlgorithm::Sha256);
        self.0.sign(&algorithm, &sha256(bytes), &mut Seeded(1)).expect("the key signs")
    }

    /// The same by SHA-1, which no key here would sign: its bytes as the integer that they are.
    pub fn sign_by_sha1(&self, bytes: &[u8]) -> Vec<u8> {
        let algorithm = self.0.algorithm(DigestAlgorithm::Sha256);
        self.0.sign(&algorithm, &[vec![0; 12], sha1(bytes)].concat(), &mut Seeded(1)).expect("the key signs")
    }

    /// r and s at full length, one after the other, as XML and JSON have them.
    pub fn sign_concatenated(&self, bytes: &[u8]) -> Vec<u8> {
        let value = self.sign(bytes);
        let halves = children(&value).into_iter().map(|number| {
            let digits: Vec<u8> = number[2..].iter().copied().skip_while(|byte| *byte == 0).collect();
            [vec![0; 32 - digits.len()], digits].concat()
        });
        halves.collect::<Vec<_>>().concat()
    }
}

/// A certificate and its key.
#[derive(Clone)]
pub struct Entity {
    pub certificate: Vec<u8>,
    pub key: Key,
}

impl Entity {
    /// A root that signs itself.
    pub fn root(name: &str, key: Key) -> Self {
        let spec = Spec { extensions: authority(), ..Spec::named(name, 1) };
        spec.signed(&subject(name), &key, key.spki(), None)
    }

    /// The fields of its TBSCertificate from the serial number on: serial, algorithm, issuer, validity, subject, key.
    fn fields(&self) -> Vec<Vec<u8>> {
        children(&children(&self.certificate)[0])[1..].to_vec()
    }

    pub fn serial(&self) -> Vec<u8> {
        self.fields()[0].clone()
    }

    pub fn issuer(&self) -> Vec<u8> {
        self.fields()[2].clone()
    }

    pub fn subject(&self) -> Vec<u8> {
        self.fields()[4].clone()
    }

    /// `IssuerAndSerialNumber`.
    pub fn issuer_and_serial(&self) -> Vec<u8> {
        sequence(&[&self.issuer(), &self.serial()])
    }

    /// The content of the key's BIT STRING, hashed.
    pub fn key_identifier(&self) -> Vec<u8> {
        key_identifier(self.key.spki())
    }
}

fn key_identifier(spki: &[u8]) -> Vec<u8> {
    let bits = &children(spki)[1];
    let (start, _) = read(bits, 0);
    sha1(&bits[start + 1..])
}

/// A name: country, organisation, common name.
pub fn subject(name: &str) -> Vec<u8> {
    distinguished(&[("2.5.4.6", "PT"), ("2.5.4.10", "Attack Lab"), ("2.5.4.3", name)])
}

/// A name of those attributes.
pub fn distinguished(attributes: &[(&str, &str)]) -> Vec<u8> {
    let parts: Vec<Vec<u8>> = attributes
        .iter()
        .map(|(kind, text)| {
            let text = if *kind == "2.5.4.6" { tlv(0x13, &[text.as_bytes()]) } else { utf8(text) };
            tlv(0x31, &[&sequence(&[&oid(kind), &text])])
        })
        .collect();
    tlv(0x30, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

pub fn extension(kind: &str, critical: bool, value: &[u8]) -> Vec<u8> {
    let critical = if critical { boolean(true) } else { vec![] };
    sequence(&[&oid(kind), &critical, &bytes(value)])
}

/// Bits of `keyUsage`, the first is `digitalSignature`.
pub fn key_usage(set: &[u8]) -> Vec<u8> {
    let value = set.iter().fold(0u8, |value, bit| value | 0x80 >> bit);
    extension("2.5.29.15", true, &tlv(3, &[&[value.trailing_zeros() as u8, value]]))
}

pub fn extended_key_usage(critical: bool, purposes: &[&str]) -> Vec<u8> {
    let purposes: Vec<Vec<u8>> = purposes.iter().map(|purpose| oid(purpose)).collect();
    extension("2.5.29.37", critical, &sequence(&[&purposes.concat()]))
}

pub fn basic_constraints(authority: bool) -> Vec<u8> {
    let value = if authority { boolean(true) } else { vec![] };
    extension("2.5.29.19", authority, &sequence(&[&value]))
}

/// The extensions of an authority.
pub fn authority() -> Vec<Vec<u8>> {
    vec![basic_constraints(true), key_usage(&[5, 6])]
}

pub const TIME_STAMPING: &str = "1.3.6.1.5.5.7.3.8";
pub const CLIENT_AUTH: &str = "1.3.6.1.5.5.7.3.2";
pub const SERVER_AUTH: &str = "1.3.6.1.5.5.7.3.1";
pub const OCSP_SIGNING: &str = "1.3.6.1.5.5.7.3.9";

/// What a certificate is to say.
#[derive(Clone)]
pub struct Spec {
    pub subject: Vec<u8>,
    pub serial: u64,
    pub from: &'static str,
    pub to: &'static str,
    pub extensions: Vec<Vec<u8>>,
    /// Where CRLs and the issuer's certificate are to be had.
    pub locations: bool,
}

impl Spec {
    pub fn named(name: &str, serial: u64) -> Self {
        let (from, to) = ("20260101000000Z", "20360101000000Z");
        Self { subject: subject(name), serial, from, to, extensions: vec![], locations: true }
    }

    pub fn signer(name: &str, serial: u64) -> Self {
        Self::named(name, serial).with(vec![basic_constraints(false), key_usage(&[1])])
    }

    pub fn timestamp_unit(name: &str, serial: u64) -> Self {
        let purpose = extended_key_usage(true, &[TIME_STAMPING]);
        Self::named(name, serial).with(vec![basic_constraints(false), key_usage(&[0]), purpose])
    }

    pub fn responder(name: &str, serial: u64) -> Self {
        let purpose = extended_key_usage(false, &[OCSP_SIGNING]);
        let no_check = extension("1.3.6.1.5.5.7.48.1.5", false, &tlv(5, &[]));
        Self::named(name, serial).with(vec![basic_constraints(false), key_usage(&[0]), purpose, no_check])
    }

    pub fn with(self, extensions: Vec<Vec<u8>>) -> Self {
        Self { extensions, ..self }
    }

    /// The same with one more extension.
    pub fn and(mut self, extension: Vec<u8>) -> Self {
        self.extensions.push(extension);
        self
    }

    /// The certificate, issued.
    pub fn issued_by(&self, issuer: &Entity, key: Key) -> Entity {
        let spki = key.spki().to_vec();
        self.for_key(issuer, key, &spki)
    }

    /// The same for a public key of another kind, that `key` is not the private half of.
    pub fn for_key(&self, issuer: &Entity, key: Key, spki: &[u8]) -> Entity {
        let signed = self.signed(&issuer.subject(), &issuer.key, spki, Some(issuer));
        Entity { key, ..signed }
    }

    fn signed(&self, issuer: &[u8], issuer_key: &Key, spki: &[u8], authority: Option<&Entity>) -> Entity {
        let mut extensions = self.extensions.clone();
        extensions.push(extension("2.5.29.14", false, &bytes(&key_identifier(spki))));
        if let Some(authority) = authority {
            let identifier = tlv(0x80, &[&authority.key_identifier()]);
            extensions.push(extension("2.5.29.35", false, &sequence(&[&identifier])));
        }
        if authority.is_some() && self.locations {
            let uri = |text: &str| tlv(0x86, &[text.as_bytes()]);
            let point = sequence(&[&tlv(0xa0, &[&tlv(0xa0, &[&uri("http://crl.example.invalid/x.crl")])])]);
            extensions.push(extension("2.5.29.31", false, &sequence(&[&point])));
            let access = sequence(&[&oid("1.3.6.1.5.5.7.48.2"), &uri("http://ca.example.invalid/x.der")]);
            extensions.push(extension("1.3.6.1.5.5.7.1.1", false, &sequence(&[&access])));
        }
        let to_be_signed = sequence(&[
            &tlv(0xa0, &[&integer(2)]),
            &integer(self.serial),
            &ecdsa(),
            issuer,
            &sequence(&[&time(self.from), &time(self.to)]),
            &self.subject,
            spki,
            &tlv(0xa3, &[&sequence(&[&extensions.concat()])]),
        ]);
        let value = bits(&issuer_key.sign(&to_be_signed));
        Entity { certificate: sequence(&[&to_be_signed, &ecdsa(), &value]), key: issuer_key.clone() }
    }
}

/// What a revocation list is to say.
#[derive(Clone)]
pub struct Crl {
    pub this_update: &'static str,
    pub next_update: &'static str,
    pub number: u64,
    /// Serial numbers with the time and the reason.
    pub revoked: Vec<(u64, &'static str, Option<u8>)>,
    /// Entries after those, as [`entry`] makes them.
    pub entries: Vec<Vec<u8>>,
    pub extensions: Vec<Vec<u8>>,
    pub critical_number: bool,
    /// Whether it has the issuer's key identifier.
    pub key_identifier: bool,
}

/// In place of a reason: an extension of the entry that is critical and that nobody knows.
pub const CRITICAL: u8 = 0xff;

impl Default for Crl {
    fn default() -> Self {
        let (this_update, next_update) = ("20261125000000Z", "20360101000000Z");
        Self {
            this_update,
            next_update,
            number: 1,
            revoked: vec![],
            entries: vec![],
            extensions: vec![],
            critical_number: false,
            key_identifier: true,
        }
    }
}

impl Crl {
    pub fn of(&self, issuer: &Entity) -> Vec<u8> {
        let revoked = self.revoked.iter().map(|(serial, since, reason)| match *reason {
            None => entry(*serial, since, &[]),
            Some(CRITICAL) => entry(*serial, since, &[extension("1.2.3.4", true, &utf8("x"))]),
            Some(reason) => entry(*serial, since, &[extension("2.5.29.21", false, &tlv(0x0a, &[&[reason]]))]),
        });
        let entries: Vec<Vec<u8>> = revoked.chain(self.entries.iter().cloned()).collect();
        let entries = if entries.is_empty() { vec![] } else { sequence(&[&entries.concat()]) };
        let mut extensions = self.extensions.clone();
        if self.key_identifier {
            let identifier = tlv(0x80, &[&issuer.key_identifier()]);
            extensions.push(extension("2.5.29.35", false, &sequence(&[&identifier])));
        }
        extensions.push(extension("2.5.29.20", self.critical_number, &integer(self.number)));
        let to_be_signed = sequence(&[
            &integer(1),
            &ecdsa(),
            &issuer.subject(),
            &time(self.this_update),
            &time(self.next_update),
            &entries,
            &tlv(0xa0, &[&sequence(&[&extensions.concat()])]),
        ]);
        sequence(&[&to_be_signed, &ecdsa(), &bits(&issuer.key.sign(&to_be_signed))])
    }
}

/// An entry of a revocation list: RFC 5280 §5.1.2.6.
pub fn entry(serial: u64, since: &str, extensions: &[Vec<u8>]) -> Vec<u8> {
    let extensions = if extensions.is_empty() { vec![] } else { sequence(&[&extensions.concat()]) };
    sequence(&[&integer(serial), &time(since), &extensions])
}

/// What an OCSP response says.
#[derive(Debug, Clone, Copy)]
pub enum Status {
    Good,
    Revoked(&'static str),
}

/// An OCSP response to be made.
#[derive(Clone)]
pub struct Ocsp {
    pub serial: u64,
    pub status: Status,
    pub this_update: &'static str,
    pub produced_at: &'static str,
    /// Of the answer.
    pub extensions: Vec<Vec<u8>>,
}

impl Ocsp {
    pub fn about(serial: u64, status: Status) -> Self {
        Self { serial, status, this_update: "20261122000000Z", produced_at: "20261122000000Z", extensions: vec![] }
    }

    /// By a responder, about a certificate of `authority`.
    pub fn by(&self, responder: &Entity, authority: &Entity) -> Vec<u8> {
        Self::all_by(std::slice::from_ref(self), responder, authority)
    }

    /// One response with all these answers, produced with the last.
    pub fn all_by(all: &[Self], responder: &Entity, authority: &Entity) -> Vec<u8> {
        Self::all_with(all, responder, authority, &[])
    }

    /// The same with something behind the answers, where a response has its extensions.
    pub fn all_with(all: &[Self], responder: &Entity, authority: &Entity, behind: &[u8]) -> Vec<u8> {
        let answers: Vec<Vec<u8>> = all.iter().map(|one| one.single(authority)).collect();
        let produced = all.iter().map(|one| one.produced_at).max().expect("there is an answer");
        let (name, answers) = (tlv(0xa1, &[&responder.subject()]), sequence(&[&answers.concat()]));
        let data = sequence(&[&name, &generalized(produced), &answers, behind]);
        let value = bits(&responder.key.sign(&data));
        let certificates = tlv(0xa0, &[&sequence(&[&responder.certificate])]);
        let basic = sequence(&[&data, &ecdsa(), &value, &certificates]);
        let response = sequence(&[&oid(OCSP_BASIC), &bytes(&basic)]);
        sequence(&[&tlv(0x0a, &[&[0]]), &tlv(0xa0, &[&response])])
    }

    /// `SingleResponse`.
    fn single(&self, authority: &Entity) -> Vec<u8> {
        let identifier = sequence(&[
            &sequence(&[&oid(SHA1), &tlv(5, &[])]),
            &bytes(&sha1(&authority.subject())),
            &bytes(&authority.key_identifier()),
            &integer(self.serial),
        ]);
        let status = match self.status {
            Status::Good => tlv(0x80, &[]),
            Status::Revoked(since) => tlv(0xa1, &[&generalized(since)]),
        };
        let more = match &self.extensions[..] {
            [] => vec![],
            list => tlv(0xa1, &[&sequence(&[&list.concat()])]),
        };
        sequence(&[&identifier, &status, &generalized(self.this_update), &more])
    }
}
