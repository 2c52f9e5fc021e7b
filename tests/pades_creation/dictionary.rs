//! The signature dictionary: what it says, what is signed, the gap for the value, extensions.

use crate::desk::*;
use lacre::signing::pades::{self, Extensions, Options};
use lacre::signing::{Commitment, DigestAlgorithm, Place, Prepared, SigningErrorCode as Code};
use lacre::{Budget, Document};
use lacre_testkit::lab::SIGNED;
use lacre_testkit::pdf::{self, Form, Pdf};

#[test]
fn what_the_dictionary_says() {
    let desk = Desk::new();
    let options = with(|options| {
        options.reason = Some("Für (gut) befunden".into());
        options.contact_info = Some("alice@example.org".into());
        options.signer_name = Some("Alice".into());
        options.application = Some("Some App".into());
        options.utc_offset = 60;
    });
    let mut parameters = desk.parameters();
    parameters.place = Some(Place { locality: Some("Łódź".into()), country: Some("PL".into()), ..Place::default() });
    let bytes = Pdf::usual().bytes;
    let document = Document::new(&bytes);
    let signer = desk.signer(&desk.lab.alice);
    let prepared = pades::prepare(&document, &parameters, &options, &signer, &Budget::default()).expect("prepared");
    let value = desk.lab.alice.key.sign(prepared.to_be_signed());
    let signed = prepared.finish(&document, &value).expect("signed").to_vec(&bytes);
    desk.check("all that is stated", &Document::new(&signed), 1);
    let facts = desk.facts(&Document::new(&signed));
    let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
    assert_eq!(revision.reason.as_deref(), Some("Für (gut) befunden"), "table 252");
    assert_eq!(revision.contact_info.as_deref(), Some("alice@example.org"), "table 252");
    assert_eq!(revision.signer_name.as_deref(), Some("Alice"), "table 252");
    assert_eq!(revision.location.as_deref(), Some("Łódź, PL"), "table 252");
    assert_eq!(facts.signatures[0].claimed_signing_time, SIGNED.parse().ok(), "7.9.4: with its offset");
    let find = |text: &[u8]| pdf::find(&signed, text, 0).is_some();
    assert!(find(b"/M(D:20261121130000+01'00')"), "7.9.4");
    assert!(find(b"/Prop_Build<</App<</Name/Some#20App>>>>"), "table 252");
    assert!(find(b"/SigFlags 3"), "table 219");
    assert!(find(b"/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 2>>>>"), "7.12");

    parameters.commitments = vec![Commitment::ProofOfApproval];
    let conflict = pades::prepare(&document, &parameters, &options, &signer, &Budget::default()).err();
    assert_eq!(conflict.map(|e| e.code()), Some(Code::ParametersConflict), "EN 319 142-1 6.3: a reason beside it");
}

#[test]
fn what_is_signed_cannot_be_exchanged() {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    let document = Document::new(&bytes);
    let options = new_field(|field| field.name = Some("Seller".into()));
    let prepared = desk.prepared(&document, &options, &desk.lab.alice).expect("nothing forbids it");
    let text = String::from_utf8(prepared.to_json()).expect("JSON is UTF-8");
    let (state, _) = text.rsplit_once(",\"sha256\":").expect("it states its digest");
    let (_, update) = state.split_once("\"after\":\"").expect("it holds the update");
    let (update, _) = update.split_once('"').expect("it ends");
    let shown = String::from_utf8_lossy(&BASE64_STANDARD.decode(update).expect("Base64")).into_owned();
    assert!(shown.contains("(Seller)"), "{shown}");
    let other = BASE64_STANDARD.encode(shown.replace("(Seller)", "(Robber)"));
    let state = state.replacen(update, &other, 1) + "}";
    let sha256 = lacre::signing::digest(DigestAlgorithm::Sha256, state.as_bytes()).expect("it is computed");
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let changed = format!("{},\"sha256\":\"{sha256}\"}}", &state[..state.len() - 1]);
    let changed = Prepared::from_json(changed.as_bytes()).expect("its digest is that of the rest");
    let refusal = changed.finish(&document, &desk.lab.alice.key.sign(prepared.to_be_signed())).expect_err("exchanged");
    assert_eq!(refusal.code(), Code::StateTampered, "ISO 32000-1 12.8.1: what is covered");
}

#[test]
fn the_gap() {
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    let reserve = |reserved| with(|options: &mut Options| options.reserved = Some(reserved));
    let refusal = desk.try_sign(&Document::new(&bytes), &reserve(1), &desk.lab.alice).expect_err("too small");
    assert_eq!(refusal.code(), Code::ContentsTooSmall);
    let words: Vec<usize> =
        refusal.to_string().split(' ').filter_map(|word| word.trim_matches(',').parse().ok()).collect();
    let needed = *words.last().expect("the error says how many are needed");
    desk.check("as large as it can be", &Document::new(&desk.sign(&bytes, &reserve(needed))), 1);
    assert_eq!(desk.refusal(&bytes, &reserve(needed - 1)), Some(Code::ContentsTooSmall), "one byte less");
    // A value of ECDSA is sometimes shorter than the longest, never longer.
    let document = Document::new(&bytes);
    let prepared = desk.prepared(&document, &reserve(needed), &desk.lab.alice).expect("prepared");
    let json = prepared.to_json();
    let read = Prepared::from_json(&json).expect("read again");
    assert_eq!(read, prepared, "the prepared signature travels");
    let value = desk.lab.alice.key.sign(read.to_be_signed());
    let here = prepared.finish(&document, &value).expect("signed").to_vec(&bytes);
    let there = read.finish(&document, &value).expect("signed").to_vec(&bytes);
    assert_eq!(here, there, "finished elsewhere: the same bytes");
    let mut other = bytes.clone();
    other[20] ^= 1;
    let changed = read.finish(&Document::new(&other), &value).err().map(|error| error.code());
    assert_eq!(changed, Some(Code::ContentDiffers), "the document changed between the steps");
    let wrong = desk.lab.bob.key.sign(read.to_be_signed());
    assert_eq!(read.finish(&document, &wrong).err().map(|error| error.code()), Some(Code::ValueDoesNotVerify));
}

#[test]
fn extensions() {
    let desk = Desk::new();
    let higher =
        document("/Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 5 >> >>", "", &[], Form::Table).bytes;
    let second = document("/Version /2.0", "", &[], Form::Table).bytes;
    let usual = Pdf::usual().bytes;
    let extend = |extensions| with(|options: &mut Options| options.extensions = extensions);
    for (situation, bytes, options, expected) in [
        ("ETSI's by default", &usual, Options::default(), Some("/ESIC<</BaseVersion/1.7/ExtensionLevel 2>>")),
        ("none", &usual, extend(Extensions::None), None),
        ("Adobe's", &usual, extend(Extensions::Adobe), Some("/ADBE<</BaseVersion/1.7/ExtensionLevel 8>>")),
        ("one that is there stays", &higher, Options::default(), None),
        ("PDF 2.0 has it", &second, Options::default(), None),
    ] {
        let signed = desk.check_signed(situation, bytes, &options);
        let appended = String::from_utf8_lossy(&signed[bytes.len()..]).into_owned();
        match expected {
            Some(expected) => assert!(appended.contains(expected), "7.12: {situation}: {appended}"),
            None => assert!(!appended.contains("ExtensionLevel 2") && !appended.contains("ADBE"), "7.12: {situation}"),
        }
    }
}
