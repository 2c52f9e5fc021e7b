//! What is changed in CMS, and in what is handed in beside it.

use crate::random::Random;
use base64::prelude::*;
use lacre_testkit::der::{bytes, children, integer, oid, sequence, sorted, tlv, utf8};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Objects, Pdf};
use lacre_testkit::zip::Zip;

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

    pub fn bytes(&self) -> Vec<u8> {
        let data = match self.indefinite {
            true => [b"\x30\x80".to_vec(), self.parts.concat(), b"\0\0".to_vec()].concat(),
            false => tlv(0x30, &[&self.parts.concat()]),
        };
        let der = sequence(&[&oid(lacre_testkit::cms::SIGNED_DATA), &tlv(0xa0, &[&data])]);
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
        let (start, end) = lacre_testkit::der::read(&string, 0);
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
    false signer_without_attributes,
    false signer_of_other_content,
    false signers_unsorted,
    false attribute_twice,
    false timestamp_twice,
    false document_in_revocations,
    false content_kind_and_string,
    false digest_of_signer,
    false nested_message,
    true content_in_pieces,
    true certificate_added,
    true attribute_added,
    true signed_by_another,
    true armored,
    true line_end_behind,
    true indefinite_length,
};

const OTHER: &[u8] = b"I, Alice, agree to pay 900,000 euros.";

fn stranger(random: &mut Random) -> Vec<u8> {
    match random.below(3) {
        0 => format!("<html><body>{EVIL}</body></html>").into_bytes(),
        1 => Zip::of(&[("contract.txt", OTHER)]).bytes(),
        _ => Pdf::page(EVIL, Objects::new()).bytes,
    }
}

fn content_changed(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    message.attached()?;
    message.set_content(tlv(0xa0, &[&bytes(OTHER)]))
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
    message.set_content(tlv(0xa0, &[&bytes(OTHER)]))
}

fn content_twice(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let (good, evil) = (bytes(&message.attached()?), bytes(OTHER));
    let content = match random.below(4) {
        0 => [tlv(0xa0, &[&good]), tlv(0xa0, &[&evil])].concat(),
        1 => [tlv(0xa0, &[&evil]), tlv(0xa0, &[&good])].concat(),
        2 => tlv(0xa0, &[&good, &evil]),
        _ => tlv(0xa0, &[&evil, &good]),
    };
    message.set_content(content)
}

/// BER in pieces, with bytes between or behind that belong to nothing.
fn content_with_more(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let good = bytes(&message.attached()?);
    let stranger = match random.below(3) {
        0 => bytes(OTHER),
        1 => utf8("The buyer pays 1,000,000 euros."),
        _ => tlv(0x24, &[&bytes(OTHER)]),
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
    message.set_content(tlv(0xa0, &[&bytes(&bytes(&content))]))
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
    digests.push(sequence(&[&oid("1.2.3.4"), &bytes(&stranger(random))]));
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
    let value = bytes(&stranger(random));
    unsigned_attribute(message, &sequence(&[&oid("1.2.3.5"), &tlv(0x31, &[&value])]))
}

fn document_in_certificates(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    // OtherCertificateFormat, [3].
    let stranger = bytes(&stranger(random));
    message.add_certificate(&tlv(0xa3, &[&oid("1.2.3.6"), &stranger]))
}

fn message_twice(message: &mut Message, random: &mut Random, lab: &Lab) -> Option<()> {
    let other = match random.chance(2) {
        true => message.bytes(),
        false => {
            let content = Some(OTHER);
            lab.signed_data(content, b"another", &[lab.signer(&lab.alice, b"another")]).bytes()
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

/// A signer more, whose value is over the content itself: another one.
fn signer_without_attributes(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    let signer = lacre_testkit::cms::Signer { bare: true, ..lacre_testkit::cms::Signer::of(&lab.bob, OTHER) };
    let mut signers = message.signers()?;
    signers.push(signer.signed(OTHER));
    message.add_certificate(&lab.bob.certificate)?;
    message.set_signers(&signers)
}

/// A signer more, over other content.
fn signer_of_other_content(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    let mut signers = message.signers()?;
    signers.push(lab.signer(&lab.bob, OTHER).at(lacre_testkit::cms::STAMPED).signed(OTHER));
    message.add_certificate(&lab.bob.certificate)?;
    message.set_signers(&signers)?;
    message.attached()?;
    message.set_content(tlv(0xa0, &[&bytes(OTHER)]))
}

/// The same content signed by another, as RFC 5652 §5.1 foresees.
fn signed_by_another(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    let content = message.attached().or_else(|| message.contents.first().map(|(_, content)| content.clone()))?;
    let mut signers = message.signers()?;
    (signers.len() == 1).then_some(())?;
    signers.push(lab.signer(&lab.bob, &content).at(lacre_testkit::cms::STAMPED).signed(&content));
    message.add_certificate(&lab.bob.certificate)?;
    message.set_signers(&signers)
}

fn signers_unsorted(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let mut signers = message.signers()?;
    (signers.len() > 1).then(|| signers.reverse())?;
    *message.parts.last_mut()? = tlv(0x31, &[&signers.concat()]);
    Some(())
}

/// The first unsigned attribute once more.
fn attribute_twice(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let signer = children(message.signers()?.first()?);
    let attributes = signer.last().filter(|last| last[0] == 0xa1)?;
    let first = children(attributes).first()?.clone();
    unsigned_attribute(message, &first)
}

/// A time-stamp more, over something else.
fn timestamp_twice(message: &mut Message, random: &mut Random, lab: &Lab) -> Option<()> {
    let time = random.of(&["20200101000000Z", "20261121120000Z", "20261231000000Z"]);
    let token = lacre_testkit::cms::Token::over(OTHER, time).by(&lab.tsa);
    unsigned_attribute(message, &lacre_testkit::cms::attribute(lacre_testkit::cms::SIGNATURE_TIMESTAMP, &token))
}

fn document_in_revocations(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    // OtherRevocationInfoFormat, [1].
    let stranger = bytes(&stranger(random));
    let at = message.parts.iter().position(|part| part[0] == 0xa1)?;
    let mut all = children(&message.parts[at]);
    all.push(tlv(0xa1, &[&oid("1.2.3.6"), &stranger]));
    message.parts[at] = tlv(0xa1, &[&all.concat()]);
    Some(())
}

/// The content under another type, and as another string.
fn content_kind_and_string(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    let kind = random.of(&[
        "1.2.840.113549.1.7.2",
        "1.2.840.113549.1.9.16.1.4",
        "1.3.6.1.4.1.311.2.1.4",
        "1.2.840.113549.1.7.6",
    ]);
    let tag = [0x30u8, 0x04, 0x24][random.below(3)];
    message.parts[2] = sequence(&[&oid(kind), &tlv(0xa0, &[&tlv(tag, &[&content])])]);
    Some(())
}

/// Another digest function is stated for the signer.
fn digest_of_signer(message: &mut Message, random: &mut Random, _: &Lab) -> Option<()> {
    let mut signers = message.signers()?;
    let mut parts = children(signers.first()?);
    parts[2] = sequence(&[&oid(random.of(&["1.3.14.3.2.26", "2.16.840.1.101.3.4.2.3", "1.2.3.4"]))]);
    signers[0] = tlv(0x30, &[&parts.concat()]);
    message.set_signers(&signers)
}

/// The message as the content of another, which nobody can vouch for.
fn nested_message(message: &mut Message, _: &mut Random, lab: &Lab) -> Option<()> {
    let inner = message.bytes();
    let mallory = lacre_testkit::pki::Entity::root("Mallory", lacre_testkit::pki::Key::of("mallory"));
    let signer = lacre_testkit::cms::Signer { timestamp: None, ..lab.signer(&mallory, &inner) };
    let outer = lab.signed_data(Some(&inner), &inner, &[signer]).bytes();
    *message = Message::of(&outer, &message.contents)?;
    Some(())
}

fn content_in_pieces(message: &mut Message, _: &mut Random, _: &Lab) -> Option<()> {
    let content = message.attached()?;
    let (one, other) = content.split_at(content.len() / 2);
    let string = [b"\x24\x80".to_vec(), bytes(one), bytes(other), b"\0\0".to_vec()].concat();
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
