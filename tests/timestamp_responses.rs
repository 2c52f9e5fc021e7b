//! Requests for time-stamps, and which responses are taken: RFC 3161 §2.2 and §2.4, RFC 5816.

use lacre::Time;
use lacre::issuance::{Issuer, Locations, Profile, Rejection, TimestampQuery, TimestampUnit};
use lacre_core::algorithm::DigestAlgorithm;
use lacre_core::crypto::{KeyKind, digest};
use lacre_core::formats::tsp::ResponseError;
use lacre_core::signing::SigningError;
use lacre_testkit::authorities::{Pki, key, randomness, time as at};
use lacre_testkit::cms::{CONTENT_TYPE, SIGNING_CERTIFICATE, SignedData, Signer, TST_INFO, attribute};
use lacre_testkit::cms::{STAMPED, signing_certificate};
use lacre_testkit::der::*;
use lacre_testkit::lab::{Lab, SIGNED};
use lacre_testkit::pki::{CLIENT_AUTH, Entity, Key, SHA256, Spec, TIME_STAMPING, extended_key_usage};

const POLICY: &str = "1.2.3.4.1";
const NONCE: [u8; 8] = [0x51, 2, 3, 4, 5, 6, 7, 8];

fn imprint() -> Vec<u8> {
    digest(DigestAlgorithm::Sha256, b"a signature value").expect("SHA-256 is known")
}

/// What a laboratory's authority answers, each part of it to be spoilt.
struct Answer<'a> {
    authority: &'a Entity,
    status: Vec<u8>,
    version: u64,
    policy: &'a str,
    imprint: Vec<u8>,
    time: &'a str,
    nonce: Vec<u8>,
    /// After the fields of TSTInfo.
    more: Vec<u8>,
    certificates: Vec<Vec<u8>>,
    named: Vec<u8>,
    kind: &'static str,
    signers: usize,
    changed_value: bool,
    after: Vec<u8>,
}

impl<'a> Answer<'a> {
    fn of(lab: &'a Lab) -> Self {
        Self {
            authority: &lab.tsa,
            status: sequence(&[&integer(0)]),
            version: 1,
            policy: POLICY,
            imprint: imprint(),
            time: STAMPED,
            nonce: unsigned(&NONCE),
            more: vec![],
            certificates: vec![lab.root.certificate.clone(), lab.tsa.certificate.clone()],
            named: lab.tsa.certificate.clone(),
            kind: TST_INFO,
            signers: 1,
            changed_value: false,
            after: vec![],
        }
    }

    fn by(lab: &'a Lab, authority: &'a Entity) -> Self {
        let certificates = vec![authority.certificate.clone()];
        Self { authority, named: authority.certificate.clone(), certificates, ..Self::of(lab) }
    }

    fn token(&self) -> Vec<u8> {
        let info = sequence(&[
            &integer(self.version),
            &oid(self.policy),
            &sequence(&[&sequence(&[&oid(SHA256), &tlv(5, &[])]), &bytes(&self.imprint)]),
            &integer(7),
            &generalized(self.time),
            &self.nonce,
            &self.more,
        ]);
        let signer = Signer::of(self.authority, &info)
            .without(CONTENT_TYPE)
            .without(SIGNING_CERTIFICATE)
            .and(attribute(CONTENT_TYPE, &oid(self.kind)))
            .and(signing_certificate(&self.named));
        let mut signed = signer.signed(&info);
        if self.changed_value {
            *signed.last_mut().expect("it is not empty") ^= 1;
        }
        let mut data = SignedData::new(Some(&info));
        data.kind = self.kind;
        data.signers = vec![signed; self.signers];
        data.certificates.clone_from(&self.certificates);
        data.bytes()
    }

    fn response(&self) -> Vec<u8> {
        [sequence(&[&self.status, &self.token()]), self.after.clone()].concat()
    }
}

fn code(error: ResponseError) -> String {
    let error = SigningError::from(error);
    assert!(error.hint().is_some_and(|hint| !hint.is_empty()), "every refusal says what to do: {error}");
    error.code().to_string()
}

#[test]
fn which_responses_are_taken() {
    let lab = Lab::new();
    let other_name = |name: &str, purposes: &[&str], critical: bool| {
        let mut spec = Spec::timestamp_unit(name, 2001);
        spec.extensions.pop();
        spec.and(extended_key_usage(critical, purposes)).issued_by(&lab.root, Key::of("tsa"))
    };
    let two = other_name("Two purposes", &[TIME_STAMPING, CLIENT_AUTH], true);
    let not_critical = other_name("Not critical", &[TIME_STAMPING], false);
    let other_purpose = other_name("A client", &[CLIENT_AUTH], true);
    let without = Spec::signer("No purpose", 2002).issued_by(&lab.root, Key::of("tsa"));
    let late = Spec { from: "20261122000000Z", ..Spec::timestamp_unit("Later", 2003) };
    let late = late.issued_by(&lab.root, Key::of("tsa"));
    let digest = imprint();
    let query = TimestampQuery::new(DigestAlgorithm::Sha256, &digest).expect("32 bytes").with_nonce(NONCE.to_vec());
    let query = query.with_policy(POLICY).expect("an object identifier");
    let good = || Answer::of(&lab);
    let status = |status: u64, more: &[u8]| sequence(&[&integer(status), more]);
    let rows: Vec<(&str, Answer<'_>, &str)> = vec![
        ("RFC 3161 2.4.2: granted", good(), "taken"),
        ("2.4.2: granted with modifications", Answer { status: status(1, &[]), ..good() }, "taken"),
        ("2.4.2: granted, with words", Answer { status: status(0, &sequence(&[&utf8("done")])), ..good() }, "taken"),
        ("2.4.2: a rejection, with a token all the same", Answer { status: status(2, &[]), ..good() }, "tsa-rejected"),
        ("2.4.2: another version", Answer { version: 2, ..good() }, "tsa-reply-unreadable"),
        ("2.4.2: more than the fields", Answer { more: utf8("x"), ..good() }, "tsa-reply-unreadable"),
        ("2.4.2: another content", Answer { kind: "1.2.840.113549.1.7.1", ..good() }, "tsa-reply-unreadable"),
        ("2.4.2: two signers", Answer { signers: 2, ..good() }, "tsa-reply-unreadable"),
        ("2.4.2: no signer", Answer { signers: 0, ..good() }, "tsa-reply-unreadable"),
        ("bytes after it", Answer { after: vec![0], ..good() }, "tsa-reply-unreadable"),
        ("2.2: another imprint", Answer { imprint: vec![9; 32], ..good() }, "tsa-imprint"),
        ("2.2: one of another length", Answer { imprint: vec![9; 20], ..good() }, "tsa-imprint"),
        ("2.4.1: another policy", Answer { policy: "1.2.3.4.2", ..good() }, "tsa-policy"),
        ("2.4.2: no nonce", Answer { nonce: vec![], ..good() }, "tsa-nonce"),
        ("2.4.2: another nonce", Answer { nonce: integer(5), ..good() }, "tsa-nonce"),
        ("2.4.2: the same number with a leading zero", Answer { nonce: tlv(2, &[&[0], &NONCE]), ..good() }, "taken"),
        ("five minutes early", Answer { time: "20261121115500Z", ..good() }, "taken"),
        ("a second more", Answer { time: "20261121115459Z", ..good() }, "tsa-time"),
        ("five minutes late", Answer { time: "20261121120500Z", ..good() }, "taken"),
        ("a second more", Answer { time: "20261121120501Z", ..good() }, "tsa-time"),
        ("2.4.1: certReq, and no certificate", Answer { certificates: vec![], ..good() }, "tsa-certificate"),
        (
            "2.4.2: another's certificate alone",
            Answer { certificates: vec![lab.alice.certificate.clone()], ..good() },
            "tsa-certificate",
        ),
        (
            "RFC 5816 2.2.1: the attribute names another",
            Answer { named: lab.alice.certificate.clone(), ..good() },
            "tsa-certificate",
        ),
        ("RFC 3161 2.3: two purposes", Answer::by(&lab, &two), "tsa-certificate"),
        ("2.3: not critical", Answer::by(&lab, &not_critical), "tsa-certificate"),
        ("2.3: another purpose", Answer::by(&lab, &other_purpose), "tsa-certificate"),
        ("2.3: no purpose", Answer::by(&lab, &without), "tsa-certificate"),
        ("a certificate that begins later", Answer::by(&lab, &late), "tsa-certificate"),
        ("RFC 5652 5.6: another value", Answer { changed_value: true, ..good() }, "tsa-certificate"),
    ];
    for (situation, answer, expected) in rows {
        let response = answer.response();
        let found = match query.token(&response, at(SIGNED)) {
            Ok(token) => {
                assert_eq!(token, answer.token(), "{situation}: the token as it was sent");
                "taken".to_owned()
            }
            Err(error) => code(error),
        };
        assert_eq!(found, expected, "{situation}");
    }
    // What was not asked for may be there.
    let plain = TimestampQuery::new(DigestAlgorithm::Sha256, &digest).expect("32 bytes");
    assert!(plain.token(&good().response(), at(SIGNED)).is_ok(), "2.4.2: a nonce and a policy of its own");
    let token = good().token();
    assert_eq!(plain.token(&token, at(SIGNED)).map_err(code), Err("tsa-reply-unreadable".into()), "a bare token");
    // Whatever byte is changed: nothing panics, and no other imprint, time or nonce is taken.
    let response = good().response();
    for at_byte in 0..response.len() {
        let mut changed = response.clone();
        changed[at_byte] ^= 0x41;
        if let Ok(token) = query.token(&changed, at(SIGNED)) {
            let read = lacre_core::formats::tsp::Token::parse(token).expect("it was taken");
            assert_eq!(read.info.imprint.value.0, imprint(), "byte {at_byte}");
        }
        assert!(query.token(&response[..at_byte], at(SIGNED)).is_err(), "cut after {at_byte} bytes");
    }
}

#[test]
fn what_a_rejection_says() {
    let failure = |bits: &[u8]| tlv(3, &[bits]);
    for (clause, status, expected) in [
        (
            "RFC 3161 2.4.2: badAlg",
            sequence(&[&integer(2), &sequence(&[&utf8("no SHA-512 here")]), &failure(&[7, 0x80])]),
            "the time-stamping authority answered with status 2 (badAlg): \"no SHA-512 here\"",
        ),
        (
            "2.4.2: two causes",
            sequence(&[&integer(2), &failure(&[0, 0x20, 0x01])]),
            "the time-stamping authority answered with status 2 (badRequest, unacceptedPolicy)",
        ),
        (
            "2.4.2: systemFailure",
            sequence(&[&integer(2), &failure(&[6, 0, 0, 0, 0x40])]),
            "the time-stamping authority answered with status 2 (systemFailure)",
        ),
        (
            "2.4.2: waiting",
            sequence(&[&integer(3), &sequence(&[&utf8("later\u{7}\r\n\u{1b}[31m")])]),
            "the time-stamping authority answered with status 3 (no cause): \"later[31m\"",
        ),
    ] {
        let digest = imprint();
        let query = TimestampQuery::new(DigestAlgorithm::Sha256, &digest).expect("32 bytes");
        let error = query.token(&sequence(&[&status]), at(SIGNED)).expect_err(clause);
        assert_eq!(error.to_string(), expected, "{clause}");
        assert_eq!(code(error), "tsa-rejected", "{clause}");
    }
    let digest = imprint();
    let query = TimestampQuery::new(DigestAlgorithm::Sha256, &digest).expect("32 bytes");
    for (situation, bytes, expected) in [
        (
            "a page",
            b"<!DOCTYPE html><html>".to_vec(),
            "the response of the time-stamping authority is `<!DOCTYPE html><`",
        ),
        ("nothing", vec![], "the response of the time-stamping authority is nothing (it is empty)"),
        (
            "granted, without a token",
            sequence(&[&sequence(&[&integer(0)])]),
            "the response of the time-stamping authority is of status 0 without a token",
        ),
    ] {
        let error = query.token(&bytes, at(SIGNED)).expect_err(situation);
        assert!(error.to_string().starts_with(expected), "{situation}: {error}");
        assert_eq!(code(error), "tsa-reply-unreadable", "{situation}");
    }
    for rejection in Rejection::ALL {
        let bits = 1_u32 << (31 - rejection.bit());
        let status = sequence(&[&integer(2), &failure(&[&[0], &bits.to_be_bytes()[..]].concat())]);
        let Err(ResponseError::Rejected { causes, .. }) = query.token(&sequence(&[&status]), at(SIGNED)) else {
            panic!("RFC 3161 2.4.2: {rejection} is a rejection");
        };
        assert_eq!(causes, [*rejection], "RFC 3161 2.4.2");
    }
}

#[test]
fn what_is_asked() {
    let digest = imprint();
    let query = TimestampQuery::new(DigestAlgorithm::Sha256, &digest).expect("32 bytes");
    let sha256 = sequence(&[&oid(SHA256)]);
    let message_imprint = sequence(&[&sha256, &bytes(&digest)]);
    let plain = sequence(&[&integer(1), &message_imprint, &boolean(true)]);
    assert_eq!(query.to_der(), plain, "RFC 3161 2.4.1: version, imprint, certReq");
    for (situation, random) in [
        ("a first byte of 0", [0, 0, 0, 0, 0, 0, 0, 0]),
        ("a negative one", [0xff; 8]),
        ("a positive one", [0x7f, 0xff, 0, 0, 0, 0, 0, 0]),
    ] {
        let query = query.clone().with_nonce(random.to_vec()).with_policy("1.2.3").expect("an object identifier");
        let der = query.to_der();
        let parts = children(&der);
        assert_eq!(parts[2], oid("1.2.3"), "RFC 3161 2.4.1: reqPolicy");
        assert_eq!(parts[3][..2], [2, 8], "{situation}: as long as it was, so without a leading zero");
        assert!((1..0x80).contains(&parts[3][2]), "{situation}: positive");
        let read = TimestampQuery::from_der(&der).expect("what is written is read");
        assert_eq!((read.nonce(), read.policy(), read.imprint()), (query.nonce(), Some("1.2.3"), &digest[..]));
        assert!(read.wants_certificate() && read.function() == DigestAlgorithm::Sha256);
        assert_eq!(read.to_der(), der, "{situation}");
    }
    assert_eq!(query.clone().with_policy("policy"), None, "no object identifier");
    assert_eq!(TimestampQuery::new(DigestAlgorithm::Sha512, &digest), None, "of another length");
    let of = |parts: &[&[u8]]| sequence(parts);
    let extensions = tlv(0xa0, &[&sequence(&[&oid("1.2.3"), &bytes(b"x")])]);
    for (clause, request, expected) in [
        ("RFC 3161 2.4.1: version 2", of(&[&integer(2), &message_imprint]), Rejection::BadRequest),
        ("2.4.1: an extension", of(&[&integer(1), &message_imprint, &extensions]), Rejection::UnacceptedExtension),
        ("2.4.1: something else", of(&[&integer(1), &message_imprint, &utf8("x")]), Rejection::BadRequest),
        (
            "2.4.1: a digest of another length",
            of(&[&integer(1), &sequence(&[&sha256, &bytes(&[1; 20])])]),
            Rejection::BadDataFormat,
        ),
        (
            "2.4.1: an unknown function",
            of(&[&integer(1), &sequence(&[&sequence(&[&oid("1.2.3")]), &bytes(&[1; 20])])]),
            Rejection::BadAlgorithm,
        ),
        ("2.4.1: an empty nonce", of(&[&integer(1), &message_imprint, &[2, 0]]), Rejection::BadRequest),
    ] {
        assert_eq!(TimestampQuery::from_der(&request), Err(expected), "{clause}");
    }
}

#[test]
fn what_our_own_unit_answers_is_taken() {
    let now = "2027-03-01T12:00:00Z";
    let pki = Pki::at("http://pki.example", at(now));
    let unit_key = key(KeyKind::P256);
    let certificate = pki.issue(Profile::TimestampUnit, &unit_key);
    let unit = TimestampUnit::new(Issuer::new(certificate, &unit_key, Locations::default()).expect("its own key"));
    let respond = |request: &[u8], time: Time| unit.respond(request, time, &mut randomness()).expect("the key signs");
    for function in [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512] {
        let digest = digest(function, b"some data").expect("a function that is known");
        let query = TimestampQuery::new(function, &digest).expect("its length").with_nonce(vec![0; 16]);
        let response = respond(&query.to_der(), at(now));
        query.token(&response, at(now)).expect("RFC 3161 2.4.2: the answer to this request");
        let again = query.clone().with_nonce(vec![9; 16]);
        assert_eq!(again.token(&response, at(now)).map_err(code), Err("tsa-nonce".into()), "an old answer");
    }
    let digest = digest(DigestAlgorithm::Sha224, b"some data").expect("a function that is known");
    let query = TimestampQuery::new(DigestAlgorithm::Sha224, &digest).expect("its length");
    let rejected = query.token(&respond(&query.to_der(), at(now)), at(now)).map(drop);
    assert!(
        matches!(&rejected, Err(ResponseError::Rejected { causes, .. }) if causes[..] == [Rejection::BadAlgorithm]),
        "TS 119 312 5: {rejected:?}"
    );
}
