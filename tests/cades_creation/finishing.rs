//! What is prepared here is finished elsewhere, and cannot be exchanged on its way.

use crate::desk::*;
use lacre::Document;
use lacre::signing::SigningKey as _;
use lacre::signing::cades::{self, Content, Options};
use lacre::signing::{
    DigestAlgorithm, KeyAlgorithm, KeyKind, Prepared, SignatureAlgorithm, SigningErrorCode, SoftwareKey, digest,
};
use lacre_testkit::authorities::{key, randomness};

#[test]
fn another_process_finishes() {
    let desk = Desk::new();
    let prepared = desk.prepared(&Content::Enveloped(LETTER));
    assert_eq!(desk.prepared(&Content::Enveloped(LETTER)), prepared, "the same input, the same bytes");
    let json = prepared.to_json();
    assert_eq!(desk.prepared(&Content::Enveloped(LETTER)).to_json(), json, "the same input, the same bytes");
    let again = Prepared::from_json(&json).expect("it is read again");
    assert_eq!(again, prepared);
    assert_eq!(
        (again.to_json(), again.algorithm(), again.certificate()),
        (json.clone(), &ECDSA, desk.signer.certificate())
    );
    let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
    let document = Document::new(LETTER);
    let finished = again.finish(&document, &value).expect("the value is the key's");
    assert_eq!(Ok(finished), prepared.finish(&document, &value), "the same input, the same bytes");

    let text = String::from_utf8(json.clone()).expect("JSON is UTF-8");
    let swapped = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} in {text}");
        text.replacen(from, to, 1)
    };
    use SigningErrorCode::*;
    for (situation, changed, expected) in [
        ("the document's length", swapped("\"length\":8", "\"length\":9"), StateTampered),
        ("the packaging", swapped("enveloping", "detached"), StateTampered),
        ("another version", swapped("\"version\":1", "\"version\":2"), StateOfOtherVersion),
        ("cut", text[..text.len() - 9].to_owned(), StateUnreadable),
        ("no prepared signature", "{\"version\":1}".into(), StateUnreadable),
        ("nothing", String::new(), StateUnreadable),
    ] {
        assert_eq!(refused(Prepared::from_json(changed.as_bytes())), expected, "{situation}");
    }
    for at in 0..json.len() {
        let mut damaged = json.clone();
        damaged[at] ^= 1;
        let read = Prepared::from_json(&damaged);
        assert!(read.is_err() || read.as_ref() == Ok(&prepared), "byte {at} of {text}");
    }
}

/// The JSON of a prepared signature in which one text was exchanged for another, with the digest that it then has.
fn exchanged(prepared: &Prepared, from: &str, to: &str) -> Prepared {
    let text = String::from_utf8(prepared.to_json()).expect("JSON is UTF-8");
    let (state, _) = text.rsplit_once(",\"sha256\":").expect("it states its digest");
    assert!(state.contains(from), "{from} in {state}");
    let state = state.replacen(from, to, 1) + "}";
    let sha256 = digest(SHA256, state.as_bytes()).expect("it is computed");
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = format!("{},\"sha256\":\"{sha256}\"}}", &state[..state.len() - 1]);
    Prepared::from_json(text.as_bytes()).expect("its digest is that of the rest")
}

#[test]
fn what_is_signed_cannot_be_exchanged() {
    let desk = Desk::new();
    let in_base64 = |bytes: &[u8]| base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes);
    let [of_letter, of_lettex] = [LETTER, b"a lettex"].map(|letter| in_base64(&digest(SHA256, letter).unwrap()));
    let signed = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let other = desk.signed(&Content::Enveloped(b"a lettex"), b"a lettex");
    let of_file = |file: &[u8]| in_base64(&digest(SHA256, file).unwrap());
    let document = Document::new(&signed);
    let rows = [
        (
            "enveloping",
            desk.prepared(&Content::Enveloped(LETTER)),
            of_letter.clone(),
            of_lettex.clone(),
            &b"a lettex"[..],
        ),
        ("detached", desk.prepared(&Content::Detached(LETTER)), of_letter, of_lettex, b"a lettex"),
        ("parallel", desk.prepared(&Content::Parallel(&document)), of_file(&signed), of_file(&other), &other),
    ];
    for (situation, prepared, from, to, document) in rows {
        let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
        let length = |length: usize| format!("\"length\":{length}");
        let changed = exchanged(&prepared, &from, &to);
        let changed = match situation {
            "parallel" => exchanged(&changed, &length(signed.len()), &length(other.len())),
            _ => changed,
        };
        let found = changed.finish(&Document::new(document), &value);
        assert_eq!(refused(found), SigningErrorCode::StateTampered, "RFC 5652 11.2: {situation}");
    }
}

#[test]
fn what_does_not_fit_is_not_finished() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let (document, prepared) = (Document::new(LETTER), desk.prepared(&Content::Enveloped(LETTER)));
    let sign = |digest: &[u8], key: &SoftwareKey| key.sign(&ECDSA, digest, &mut randomness()).expect("the key signs");
    let value = sign(&prepared.digest(), &desk.key);
    for (situation, document) in [("changed", &b"a lettex"[..]), ("longer", b"a letter."), ("none", b"")] {
        let found = prepared.finish(&Document::new(document), &value);
        assert_eq!(refused(found), ContentDiffers, "EN 319 102-1 4.2: {situation}");
    }
    let twice = digest(SHA256, &prepared.digest()).expect("it is computed");
    let cut = value[..value.len() - 1].to_vec();
    let rows = [
        (
            "another key",
            sign(&prepared.digest(), &key(KeyKind::P256)),
            ValueDoesNotVerify,
            "the key of the certificate",
        ),
        ("the digest of the digest", sign(&twice, &desk.key), ValueDoesNotVerify, "digest of the digest"),
        ("nothing", vec![], ValueForm, "without Base64"),
        ("cut", cut, ValueForm, "without Base64"),
        ("63 bytes", vec![1; 63], ValueForm, "without Base64"),
        ("64 bytes of zeros", vec![0; 64], ValueDoesNotVerify, "the key of the certificate"),
    ];
    for (situation, value, expected, hint) in rows {
        let error = prepared.finish(&document, &value).expect_err("nothing is written");
        assert_eq!(error.code(), expected, "{situation}: {error}");
        assert!(error.hint().is_some_and(|said| said.contains(hint)), "{situation}: {:?}", error.hint());
    }
    prepared.finish(&document, &value).expect("a value that was refused leaves it as it is");

    let rsa = rsa();
    let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(SHA256));
    let signer = signer(&desk.pki, &rsa, algorithm);
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters(), &Options::default(), &signer);
    let prepared = prepared.expect("nothing forbids it");
    let sha512 = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(DigestAlgorithm::Sha512));
    let by_sha512 = digest(DigestAlgorithm::Sha512, prepared.to_be_signed()).expect("it is computed");
    let value = rsa.sign(&sha512, &by_sha512, &mut randomness()).expect("the key signs");
    let error = prepared.finish(&document, &value).expect_err("nothing is written");
    assert_eq!(
        (error.code(), error.hint()),
        (ValueDoesNotVerify, Some("the value is one with SHA512: ask for SHA256withRSA"))
    );
}
