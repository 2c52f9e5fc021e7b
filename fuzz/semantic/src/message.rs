//! What is changed in CMS, and in what is handed in beside it.

use crate::lab::Lab;
use crate::lab::der::{children, integer, octets, oid, sequence, sorted, tlv, utf8};
use crate::lab::pdf::{EVIL, Objects, Pdf};
use crate::lab::zip::Zip;
use crate::random::Random;
use base64::prelude::*;

/// A message in its parts.
#[derive(Clone)]
pub struct Message {
    /// version, digestAlgorithms, encapContentInfo, certificates, crls, signerInfos.
    parts: Vec<Vec<u8>>,
    armored: bool,
    before: Vec<u8>,
    behind: Vec<u8>,
    indefinite: bool,
    pub contents: Vec<(String, Vec<u8>)>,
}

impl Message {
    pub fn of(file: &[u8], contents: &[(String, Vec<u8>)]) -> Option<Self> {
        let armored = file.starts_with(b"--");
        let der = match armored {
            true => {
                let text = std::str::from_utf8(file).ok()?;
                let digits: String = text.lines().filter(|line| !line.starts_with('-')).collect();
                BASE64_STANDARD.decode(digits).ok()?
            }
            false => file.to_vec(),
        };
        let parts = children(children(children(&der).get(1)?).first()?);
        let contents = contents.to_vec();
        Some(Self { parts, armored, before: vec![], behind: vec![], indefinite: false, contents })
    }

    pub fn octets(&self) -> Vec<u8> {
        let data = match self.indefinite {
            true => [b"\x30\x80".to_vec(), self.parts.concat(), b"\0\0".to_vec()].concat(),
            false => tlv(0x30, &[&self.parts.concat()]),
        };
        let der = sequence(&[&oid(crate::lab::cms::SIGNED_DATA), &tlv(0xa0, &[&data])]);
        let body = match self.armored {
            true => {
                let digits = BASE64_STANDARD.encode(&der);
                let lines: Vec<&str> =
                    digits.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
                format!("-----BEGIN CMS-----\n{}\n-----END CMS-----\n", lines.join("\n")).into_bytes()
            }
            false => der,
        };
        [&self.before[..], &body, &self.behind].concat()
    }

    fn attached(&self) -> Option<Vec<u8>> {
        let content = children(self.parts.get(2)?).get(1)?.clone();
        let string = children(&content).first()?.clone();
        let (start, end) = crate::lab::der::read(&string, 0);
        Some(string[start..end].to_vec())
    }

    fn set_content(&mut self, content: Vec<u8>) -> Option<()> {
        let kind = children(self.parts.get(2)?).first()?.clone();
        self.parts[2] = sequence(&[&kind, &content]);
        Some(())
    }

    /// The SET of signers.
    fn signers(&self) -> Option<Vec<Vec<u8>>> {
        Some(children(self.parts.last()?))
    }

    fn set_signers(&mut self, signers: &[Vec<u8>]) -> Option<()> {
        *self.parts.last_mut()? = tlv(0x31, &[&sorted(signers)]);
        Some(())
    }

    fn add_certificate(&mut self, certificate: &[u8]) -> Option<()> {
        let at = self.parts.iter().position(|part| part[0] == 0xa0)?;
        let mut all = children(&self.parts[at]);
        all.push(certificate.to_vec());
        self.parts[at] = tlv(0xa0, &[&sorted(&all)]);
        Some(())
    }
}

/// A change of a message.
pub struct Edit {
    pub name: &'static str,
    pub harmless: bool,
    pub make: fn(&mut Message, &mut Random, &Lab) -> Option<()>,
}

macro_rules! edits {
    ($($harmless:literal $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), harmless: $harmless, make: $make },)*]
    };
}

/// All of them.
pub const EDITS: &[Edit] = edits! {
    false content_changed,
    false content_dropped,
    false content_added,
    false content_twice,
    false content_with_more,
    false content_in_sequence,
    false content_nested,
    false content_kind,
    false text_behind,
    false document_behind,
    false document_before,
    false text_before,
    false armor_with_text,
    false document_in_digests,
    false document_in_attribute,
    false document_in_certificates,
    false message_twice,
    false signer_twice,
    false signer_changed,
    false signers_removed,
    false given_changed,
    false given_more,
    false given_first,
    false given_none,
    false given_renamed,
    false version_changed,
    false digests_dropped,
    false digests_more,
    true content_in_pieces,
    true certificate_added,
    true attribute_added,
    true armored,
    true line_end_behind,
    true indefinite_length,
};

const OTHER: &[u8] = b"I, Alice, agree to pay 900,000 euros.";

fn stranger(random: &mut Random) -> Vec<u8> {
    match random.below(3) {
        0 => format!("<html><body>{EVIL}</body></html>").into_bytes(),
        1 => Zip::of(&[("contract.txt", OTHER)]).octets(),
        _ => Pdf::page(EVIL, Objects::new()).octets,
    }
}

fn content_changed(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.attached()?;
    message.set_content(tlv(0xa0, &[&octets(OTHER)]))
}

fn content_dropped(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    if random.chance(2) {
        message.contents = vec![("letter.txt".into(), if random.chance(2) { OTHER.to_vec() } else { content })];
    }
    message.set_content(vec![])
}

/// A detached signature that suddenly holds something.
fn content_added(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    if message.attached().is_some() {
        return None;
    }
    message.set_content(tlv(0xa0, &[&octets(OTHER)]))
}

fn content_twice(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let (good, evil) = (octets(&message.attached()?), octets(OTHER));
    let content = match random.below(4) {
        0 => [tlv(0xa0, &[&good]), tlv(0xa0, &[&evil])].concat(),
        1 => [tlv(0xa0, &[&evil]), tlv(0xa0, &[&good])].concat(),
        2 => tlv(0xa0, &[&good, &evil]),
        _ => tlv(0xa0, &[&evil, &good]),
    };
    message.set_content(content)
}

/// BER in pieces, with octets between or behind that belong to nothing.
fn content_with_more(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let good = octets(&message.attached()?);
    let stranger = match random.below(3) {
        0 => octets(OTHER),
        1 => utf8("The buyer pays 1,000,000 euros."),
        _ => tlv(0x24, &[&octets(OTHER)]),
    };
    let string = [b"\x24\x80".to_vec(), good, b"\0\0".to_vec()].concat();
    message.set_content([b"\xa0\x80".to_vec(), string, stranger, b"\0\0".to_vec()].concat())
}

fn content_in_sequence(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    let tag = [0x30u8, 0x0c, 0x13, 0x80, 0x03][random.below(5)];
    message.set_content(tlv(0xa0, &[&tlv(tag, &[&content])]))
}

/// An OCTET STRING whose content is an OCTET STRING.
fn content_nested(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    message.set_content(tlv(0xa0, &[&octets(&octets(&content))]))
}

fn content_kind(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let content = children(message.parts.get(2)?).get(1)?.clone();
    message.parts[2] = sequence(&[&oid("1.2.840.113549.1.9.16.1.2"), &content]);
    Some(())
}

fn text_behind(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.behind = random.of(&["The buyer pays 1,000,000 euros.", "\nThe buyer pays 1,000,000 euros.\n"]).into();
    Some(())
}

fn document_behind(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.behind = [b"\n".to_vec(), stranger(random)].concat();
    Some(())
}

fn document_before(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.before = [stranger(random), b"\n".to_vec()].concat();
    Some(())
}

fn text_before(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.before = random.of(&["The buyer pays 1,000,000 euros.\n", "\n\n", "\u{feff}"]).into();
    Some(())
}

fn armor_with_text(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.armored = true;
    let text = format!("<p>{EVIL}</p>\n").into_bytes();
    match random.chance(2) {
        true => message.before = text,
        false => message.behind = text,
    }
    Some(())
}

fn document_in_digests(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let mut digests = children(message.parts.get(1)?);
    digests.push(sequence(&[&oid("1.2.3.4"), &octets(&stranger(random))]));
    message.parts[1] = tlv(0x31, &[&sorted(&digests)]);
    Some(())
}

fn unsigned_attribute(message: &mut Message, attribute: &[u8]) -> Option<()> {
    let mut signers = message.signers()?;
    let mut parts = children(signers.first()?);
    match parts.last()? {
        last if last[0] == 0xa1 => {
            let mut all = children(last);
            all.push(attribute.to_vec());
            *parts.last_mut()? = tlv(0xa1, &[&sorted(&all)]);
        }
        _ => parts.push(tlv(0xa1, &[attribute])),
    }
    signers[0] = tlv(0x30, &[&parts.concat()]);
    message.set_signers(&signers)
}

fn document_in_attribute(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let value = octets(&stranger(random));
    unsigned_attribute(message, &sequence(&[&oid("1.2.3.5"), &tlv(0x31, &[&value])]))
}

fn document_in_certificates(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    // OtherCertificateFormat, [3].
    let stranger = octets(&stranger(random));
    message.add_certificate(&tlv(0xa3, &[&oid("1.2.3.6"), &stranger]))
}

fn message_twice(message: &mut Message, random: &mut Random, lab: &Lab) -> Option<()> {
    let other = match random.chance(2) {
        true => message.octets(),
        false => {
            let content = Some(OTHER);
            lab.signed_data(content, b"another", &[lab.signer(&lab.alice, b"another")]).octets()
        }
    };
    message.behind = other;
    Some(())
}

fn signer_twice(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let mut signers = message.signers()?;
    signers.push(signers.first()?.clone());
    message.set_signers(&signers)
}

fn signer_changed(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    let mut signers = message.signers()?;
    let mut parts = children(signers.first()?);
    parts[1] = lab.bob.issuer_and_serial();
    signers[0] = tlv(0x30, &[&parts.concat()]);
    message.add_certificate(&lab.bob.certificate)?;
    message.set_signers(&signers)
}

fn signers_removed(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.set_signers(&[])
}

fn given_changed(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.contents = vec![("letter.txt".into(), OTHER.to_vec())];
    Some(())
}

fn given_more(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.contents.push(("evil.txt".into(), OTHER.to_vec()));
    Some(())
}

fn given_first(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.contents.insert(0, ("evil.txt".into(), OTHER.to_vec()));
    Some(())
}

fn given_none(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    (!message.contents.is_empty()).then(|| message.contents.clear())
}

fn given_renamed(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.contents.first_mut()?.0 = "invoice.txt".into();
    Some(())
}

fn version_changed(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    message.parts[0] = integer(random.below(9) as u64);
    Some(())
}

fn digests_dropped(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.parts[1] = tlv(0x31, &[]);
    Some(())
}

fn digests_more(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let mut digests = children(message.parts.get(1)?);
    digests.push(sequence(&[&oid("1.3.14.3.2.26")]));
    message.parts[1] = tlv(0x31, &[&sorted(&digests)]);
    Some(())
}

fn content_in_pieces(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    let (one, other) = content.split_at(content.len() / 2);
    let string = [b"\x24\x80".to_vec(), octets(one), octets(other), b"\0\0".to_vec()].concat();
    message.set_content([b"\xa0\x80".to_vec(), string, b"\0\0".to_vec()].concat())
}

fn certificate_added(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    message.add_certificate(&lab.root.certificate)
}

fn attribute_added(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    unsigned_attribute(message, &sequence(&[&oid("1.2.3.5"), &tlv(0x31, &[&utf8("x")])]))
}

fn armored(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.armored = !message.armored;
    Some(())
}

fn line_end_behind(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.armored.then(|| message.behind = b"\r\n".to_vec())
}

fn indefinite_length(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.indefinite = true;
    Some(())
}
