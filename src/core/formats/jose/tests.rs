//! Rows for the clauses: what a text states, and what is not made of it.

use super::base64url::encode;
use super::*;
use crate::algorithm::DigestAlgorithm;
use crate::crypto::digest;
use crate::document::Document;
use crate::facts::{JwsSerialization, MatcherType, SignatureLevel};
use crate::formats::draft::SignedBytes;
use crate::formats::level::LevelEvidence;

const PAYLOAD: &str = "eyJhIjoxfQ"; // {"a":1}

fn unpacked<'d>(text: &'d str) -> Result<Option<Unpacked<'d>>, JoseError> {
    Unpacked::read(text.as_bytes(), !text.starts_with('{'), &Budget::default())
}

fn compact(header: &str, payload: &str) -> String {
    format!("{}.{payload}.AQID", encode(header.as_bytes()))
}

/// Returns the draft of the only signature, with these contents beside it.
fn with_signature<T>(
    text: &str,
    contents: &[(&str, &[u8])],
    look: impl FnOnce(&crate::formats::draft::SignatureDraft<'_>) -> T,
) -> T {
    let mut document = Document::new(text.as_bytes());
    for (name, bytes) in contents {
        document = document.with_content(*name, bytes);
    }
    let unpacked = unpacked(text).expect("it can be read").expect("it is a JWS");
    let draft = unpacked.draft(&Contents::of(&document), &Budget::default()).expect("it is within the budget");
    look(draft.signatures.first().expect("there is a signature"))
}

/// Returns the SHA-256 of what the value is over.
fn signed(text: &str, contents: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    with_signature(text, contents, |draft| match draft.check.signed.first()? {
        SignedBytes::Digest(digest) => Some(digest.clone()),
        SignedBytes::Message(bytes) => digest(DigestAlgorithm::Sha256, bytes),
        SignedBytes::Pieces(pieces) => digest(DigestAlgorithm::Sha256, &pieces.concat()),
        SignedBytes::Shared(bytes) => digest(DigestAlgorithm::Sha256, bytes),
    })
}

#[test]
fn serialisations() {
    let header = encode(b"{\"alg\":\"ES256\"}");
    let entry = format!("{{\"protected\":\"{header}\",\"signature\":\"AQID\"}}");
    for (clause, text, expected) in [
        ("RFC 7515 §7.1", format!("{header}.{PAYLOAD}.AQID"), Some((1, JwsSerialization::Compact))),
        (
            "RFC 7515 §7.1: white space around",
            format!("{header}.{PAYLOAD}.AQID\r\n"),
            Some((1, JwsSerialization::Compact)),
        ),
        (
            "RFC 7515 §7.2.1",
            format!("{{\"payload\":\"{PAYLOAD}\",\"signatures\":[{entry},{entry}]}}"),
            Some((2, JwsSerialization::Json)),
        ),
        (
            "RFC 7515 §7.2.2",
            format!("{{\"payload\":\"{PAYLOAD}\",\"protected\":\"{header}\",\"signature\":\"AQID\"}}"),
            Some((1, JwsSerialization::FlattenedJson)),
        ),
        (
            "RFC 7515 §7.2.1: members that are not understood are ignored",
            format!("{{\"payload\":\"\",\"other\":1,\"signatures\":[{entry}]}}"),
            Some((1, JwsSerialization::Json)),
        ),
        (
            "RFC 7515 §7.2.2: an empty list beside it",
            format!("{{\"protected\":\"{header}\",\"signature\":\"AQID\",\"signatures\":[]}}"),
            Some((1, JwsSerialization::FlattenedJson)),
        ),
        ("RFC 7515 §7.2: no signature", "{\"payload\":\"\"}".into(), None),
        ("RFC 7515 §7.2: signatures that are no list", "{\"signatures\":{}}".into(), None),
    ] {
        let found = unpacked(&text).expect(clause);
        let found = found.map(|unpacked| (unpacked.signatures.len(), unpacked.signatures[0].serialization));
        assert_eq!(found, expected, "{clause}");
    }
}

#[test]
fn what_cannot_be_read() {
    let twice = encode(b"{\"alg\":\"ES256\",\"alg\":\"none\"}");
    for (clause, text, expected) in [
        ("RFC 7515 §7.1", "eyJh.eyJh".to_string(), "has 2 parts"),
        ("RFC 7515 §7.1: a JWE has five", "eyJh.a.b.c.d".into(), "has 5 parts"),
        ("RFC 7515 §5.2 2)", "eyJ*.e30.AQID".into(), "signature 1: the protected header is not Base64url"),
        ("RFC 7515 §5.2 2): padding", "e30=.e30.AQID".into(), "the protected header is not Base64url"),
        ("RFC 7515 §5.2 3)", compact("{\"alg\"", PAYLOAD), "the protected header cannot be read"),
        ("RFC 7515 §5.2 3)", compact("[]", PAYLOAD), "the protected header is no JSON object"),
        ("RFC 7515 §5.2 4)", format!("{twice}.{PAYLOAD}.AQID"), "the protected header cannot be read"),
        ("RFC 7515 §7.2.1", "{\"signatures\":[1]}".into(), "entry 1 of `signatures` is no object"),
        (
            "RFC 7515 §7.2.1: without end",
            format!("{{\"signatures\":[{}{{}}]}}", "{},".repeat(400_000)),
            "there are 400001 signatures, of which at most 5000 are read",
        ),
        ("RFC 8259", "{\"signatures\":{{}}}".into(), "the JSON cannot be read"),
    ] {
        let error = unpacked(&text).expect_err(clause).to_string();
        assert!(error.contains(expected), "{clause}: {error}");
    }
}

#[test]
fn signing_input() {
    let sha256 = |text: &str| digest(DigestAlgorithm::Sha256, text.as_bytes());
    let header = "{\"alg\":\"ES256\"}";
    let unencoded = "{\"alg\":\"ES256\",\"b64\":false,\"crit\":[\"b64\"]}";
    let sig_d = |mechanism: &str, rest: &str| {
        format!(
            "{{\"alg\":\"ES256\",\"sigD\":{{\"mId\":\"http://uri.etsi.org/19182/{mechanism}\",{rest}}}{}}}",
            if mechanism == "HttpHeaders" { ",\"b64\":false" } else { "" }
        )
    };
    let uris = sig_d("ObjectIdByURI", "\"pars\":[\"b\",\"a%20c\"]");
    let headers = sig_d("HttpHeaders", "\"pars\":[\"(request-target)\",\"date\"]");
    let hashes = sig_d("ObjectIdByURIHash", "\"pars\":[\"a\"],\"hashM\":\"S256\",\"hashV\":[\"AA\"]");
    let unknown = sig_d("Other", "\"pars\":[\"a\"]");
    let e = |text: &str| encode(text.as_bytes());
    let input = |header: &str, payload: &str| sha256(&format!("{}.{payload}", e(header)));
    for (clause, header, payload, contents, expected) in [
        ("RFC 7515 §5.1", header, PAYLOAD, &[][..], input(header, PAYLOAD)),
        (
            "RFC 7515 §5.1: a content beside it is not signed",
            header,
            PAYLOAD,
            &[("a", &b"x"[..])],
            input(header, PAYLOAD),
        ),
        ("RFC 7797 §3", unencoded, "plain", &[], input(unencoded, "plain")),
        ("RFC 7515 appendix F", header, "", &[("a", b"hello")], input(header, &e("hello"))),
        ("RFC 7515 appendix F, RFC 7797", unencoded, "", &[("a", b"hello")], input(unencoded, "hello")),
        ("RFC 7515 appendix F: none", header, "", &[], None),
        ("RFC 7515 appendix F: which of two", header, "", &[("a", b"x"), ("b", b"y")], None),
        (
            "TS 119 182-1 §5.2.8.3",
            &uris,
            "",
            &[("a c", b"hello"), ("b", b"world")],
            input(&uris, &(e("world") + &e("hello"))),
        ),
        ("TS 119 182-1 §5.2.8.3: one is missing", &uris, "", &[("b", b"world")], None),
        (
            "TS 119 182-1 §5.2.8.2",
            &headers,
            "",
            &[("Date", b" today "), ("(request-target)", b"get /"), ("date", b"tomorrow")],
            input(&headers, "(request-target): get /\ndate: today, tomorrow"),
        ),
        ("TS 119 182-1 §5.2.8.2: one is missing", &headers, "", &[("Date", b"today")], None),
        ("TS 119 182-1 §5.2.8.4", &hashes, "", &[], input(&hashes, "")),
        ("TS 119 182-1 §5.2.8: not known", &unknown, "", &[("a", b"x")], None),
    ] {
        assert_eq!(signed(&compact(header, payload), contents), expected, "{clause}");
    }
}

#[test]
fn what_never_counts() {
    let flattened = |header: &str, unprotected: &str| {
        let header = encode(header.as_bytes());
        format!(
            "{{\"payload\":\"{PAYLOAD}\",\"protected\":\"{header}\",\"header\":{unprotected},\"signature\":\"AQID\"}}"
        )
    };
    for (clause, text, counts) in [
        ("RFC 7515 §4.1.1", compact("{\"alg\":\"ES256\"}", PAYLOAD), true),
        ("RFC 7515 §4.1.1: no algorithm", compact("{}", PAYLOAD), false),
        ("RFC 7515 §5.2 6)", compact("{\"alg\":\"ES256\"}", "eyJhIjoxfQ="), false),
        ("RFC 7515 §5.2 6): bits to spare", compact("{\"alg\":\"ES256\"}", "AB"), false),
        ("RFC 7518 §3.6: none", compact("{\"alg\":\"none\"}", PAYLOAD), false),
        ("RFC 7515 §4.1.1: by case", compact("{\"alg\":\"es256\"}", PAYLOAD), false),
        ("RFC 7515 §4.1.1: only unprotected", flattened("{}", "{\"alg\":\"ES256\"}"), false),
        ("RFC 7515 §4: in both headers", flattened("{\"alg\":\"ES256\",\"kid\":\"1\"}", "{\"kid\":\"1\"}"), false),
        (
            "RFC 7515 §4.1.11: understood",
            compact("{\"alg\":\"ES256\",\"sigT\":\"\",\"crit\":[\"sigT\"]}", PAYLOAD),
            true,
        ),
        ("RFC 7515 §4.1.11: not understood", compact("{\"alg\":\"ES256\",\"x\":1,\"crit\":[\"x\"]}", PAYLOAD), false),
        ("RFC 7515 §4.1.11: hidden in a text", compact("{\"alg\":\"ES256\",\"x\":1,\"crit\":\"x\"}", PAYLOAD), false),
        (
            "RFC 7515 §4.1.11: hidden in a list",
            compact("{\"alg\":\"ES256\",\"x\":1,\"crit\":[[\"x\"]]}", PAYLOAD),
            false,
        ),
        ("RFC 7515 §4.1.11: not a name", compact("{\"alg\":\"ES256\",\"crit\":[1]}", PAYLOAD), false),
        ("RFC 7519 §4.1.5", compact("{\"alg\":\"ES256\",\"iat\":5,\"nbf\":5,\"crit\":[\"nbf\"]}", PAYLOAD), true),
        (
            "RFC 7519 §4.1.5: before it",
            compact("{\"alg\":\"ES256\",\"iat\":4,\"nbf\":5,\"crit\":[\"nbf\"]}", PAYLOAD),
            false,
        ),
        ("RFC 7519 §4.1.4", compact("{\"alg\":\"ES256\",\"iat\":4,\"exp\":5,\"crit\":[\"exp\"]}", PAYLOAD), true),
        (
            "RFC 7519 §4.1.4: signed when it had expired",
            compact("{\"alg\":\"ES256\",\"iat\":5,\"exp\":5,\"crit\":[\"exp\"]}", PAYLOAD),
            false,
        ),
        ("RFC 7519 §4.1.5: no time", compact("{\"alg\":\"ES256\",\"nbf\":5,\"crit\":[\"nbf\"]}", PAYLOAD), false),
    ] {
        let found =
            with_signature(&text, &[], |draft| draft.check.algorithm.is_some() && !draft.check.signed.is_empty());
        assert_eq!(found, counts, "{clause}");
    }
}

#[test]
fn references_to_detached_objects() {
    let header = |rest: &str| {
        format!("{{\"alg\":\"ES256\",\"sigD\":{{\"mId\":\"http://uri.etsi.org/19182/ObjectIdByURIHash\",{rest}}}}}")
    };
    let hash = |bytes: &[u8]| encode(&digest(DigestAlgorithm::Sha256, bytes).expect("SHA-256"));
    let encoded = hash(encode(b"hello").as_bytes());
    let one = header(&format!("\"pars\":[\"a\"],\"hashM\":\"S256\",\"hashV\":[\"{encoded}\"]"));
    let two = header(&format!("\"pars\":[\"a\",\"b\"],\"hashM\":\"S256\",\"hashV\":[\"{encoded}\",\"{encoded}\"]"));
    let method = header(&format!("\"pars\":[\"a\"],\"hashM\":\"SHA-256\",\"hashV\":[\"{encoded}\"]"));
    let fewer = header(&format!("\"pars\":[\"a\",\"b\"],\"hashM\":\"S256\",\"hashV\":[\"{encoded}\"]"));
    let plain = one.replacen("{\"alg\"", "{\"b64\":false,\"alg\"", 1).replace(&encoded, &hash(b"hello"));
    for (clause, header, contents, expected) in [
        ("TS 119 182-1 §5.2.8.4", &one, &[("a", &b"hello"[..])][..], &[(true, true)][..]),
        ("TS 119 182-1 §5.2.8.4: b64 is false", &plain, &[("a", b"hello")], &[(true, true)]),
        ("TS 119 182-1 §5.2.8.4: changed", &one, &[("a", b"other")], &[(true, false)]),
        ("TS 119 182-1 §5.2.8.4: missing", &one, &[], &[(false, false)]),
        ("TS 119 182-1 §5.2.8.4: the only one, whatever its name", &one, &[("z", b"hello")], &[(true, true)]),
        ("TS 119 182-1 §5.2.8.4: by digest", &two, &[("z", b"hello"), ("y", b"x")], &[(true, true), (true, true)]),
        ("TS 119 182-1 §5.2.8.4: by name", &two, &[("a", b"x"), ("y", b"x")], &[(true, false), (false, false)]),
        ("TS 119 182-1 §5.2.8.4: hashM is not known", &method, &[("a", b"hello")], &[(true, false)]),
        ("TS 119 182-1 §5.2.8.4: a digest is missing", &fewer, &[("a", b"hello")], &[(false, false)]),
    ] {
        let found = with_signature(&compact(header, ""), contents, |draft| {
            let entries = draft.facts.digest_matchers.iter().filter(|matcher| matcher.kind == MatcherType::SigDEntry);
            entries.map(|matcher| (matcher.data_found, matcher.data_intact)).collect::<Vec<_>>()
        });
        assert_eq!(found, expected, "{clause}");
    }
}

#[test]
fn counter_signatures() {
    let header = encode(b"{\"alg\":\"ES256\"}");
    let counter_signed = |c_sig: &str| {
        let component = encode(format!("{{\"cSig\":{c_sig}}}").as_bytes());
        format!(
            "{{\"payload\":\"{PAYLOAD}\",\"protected\":\"{header}\",\"header\":{{\"etsiU\":[\"{component}\"]}},\"signature\":\"BAUG\"}}"
        )
    };
    let input = digest(DigestAlgorithm::Sha256, format!("{header}.BAUG").as_bytes());
    for (clause, c_sig, expected) in [
        ("TS 119 182-1 §5.3.2: detached", format!("\"{header}..AQID\""), Some(true)),
        ("TS 119 182-1 §5.3.2: attached", format!("\"{header}.BAUG.AQID\""), Some(true)),
        ("TS 119 182-1 §5.3.2: of another value", format!("\"{header}.AAAA.AQID\""), Some(false)),
        ("RFC 7515 §7.2.2", format!("{{\"protected\":\"{header}\",\"signature\":\"AQID\"}}"), Some(true)),
        ("TS 119 182-1 §5.3.2: no JWS", "\"x\"".into(), None),
    ] {
        let text = counter_signed(&c_sig);
        let unpacked = unpacked(&text).expect(clause).expect(clause);
        let draft = unpacked.draft(&Contents::default(), &Budget::default()).expect(clause);
        let inner = draft.signatures.get(1);
        let intact = inner.map(|draft| draft.facts.digest_matchers.iter().all(|matcher| matcher.data_intact));
        assert_eq!(intact, expected, "{clause}");
        if let Some(inner) = inner.filter(|_| expected == Some(true)) {
            assert_eq!(inner.facts.parent.as_ref(), Some(&draft.signatures[0].facts.id), "{clause}");
            let Some(SignedBytes::Digest(found)) = inner.check.signed.first() else { panic!("{clause}: no digest") };
            assert_eq!(Some(found), input.as_ref(), "{clause}");
        }
    }
    // One in the other, deeper than is followed.
    let mut nested = format!("\"{header}..AQID\"");
    for _ in 0..20 {
        let component = encode(format!("{{\"cSig\":{nested}}}").as_bytes());
        nested =
            format!("{{\"protected\":\"{header}\",\"header\":{{\"etsiU\":[\"{component}\"]}},\"signature\":\"AQID\"}}");
    }
    let unpacked = unpacked(&nested).expect("JSON").expect("JWS");
    let draft = unpacked.draft(&Contents::default(), &Budget::default()).expect("it is within the budget");
    assert_eq!(draft.signatures.len(), 1 + jws::COUNTER_SIGNATURES);
}

#[test]
fn levels() {
    let b = "\"alg\":\"ES256\",\"x5t#S256\":\"AAAA\",\"sigT\":\"2024-01-01T00:00:00Z\"";
    let level = |header: &str| {
        let levels = with_signature(&compact(header, PAYLOAD), &[], |draft| draft.levels);
        levels.level(&LevelEvidence::default()) == SignatureLevel::JadesBaselineB
    };
    for (clause, header, expected) in [
        ("TS 119 182-1 §6.3", format!("{{{b}}}"), true),
        ("TS 119 182-1 §6.3: crit", format!("{{{b},\"crit\":[\"sigT\"]}}"), true),
        ("RFC 7515 §4.1.11: empty", format!("{{{b},\"crit\":[]}}"), false),
        ("RFC 7515 §4.1.11: a text", format!("{{{b},\"crit\":\"sigT\"}}"), false),
        ("RFC 7515 §4.1.11: twice", format!("{{{b},\"crit\":[\"sigT\",\"sigT\"]}}"), false),
        ("RFC 7515 §4.1.11: its own", format!("{{{b},\"crit\":[\"sigT\",\"alg\"]}}"), false),
        ("RFC 7515 §4.1.11: absent", format!("{{{b},\"crit\":[\"sigT\",\"iat\"]}}"), false),
        ("RFC 7797 §6: b64 is not listed", format!("{{{b},\"b64\":true}}"), false),
        ("TS 119 182-1 §6.3: no reference", "{\"alg\":\"ES256\",\"sigT\":\"2024-01-01T00:00:00Z\"}".into(), false),
        ("TS 119 182-1 §6.3: two references", format!("{{{b},\"x5t#o\":{{}}}}"), false),
        ("TS 119 182-1 §6.3: no time", "{\"alg\":\"ES256\",\"x5t#S256\":\"AAAA\"}".into(), false),
        ("TS 119 182-1 §6.3 a): both times", format!("{{{b},\"iat\":1700000000}}"), false),
        ("TS 119 182-1 §6.3 a): sigT since", format!("{{{}}}", b.replace("2024-01-01", "2025-07-15")), false),
        ("TS 119 182-1 §6.3 a): iat", "{\"alg\":\"ES256\",\"x5t#S256\":\"AAAA\",\"iat\":1800000000}".into(), true),
    ] {
        assert_eq!(level(&header), expected, "{clause}");
    }

    let header = encode(format!("{{{b}}}").as_bytes());
    for (clause, component, expected) in [
        ("TS 119 182-1 §6.3: every certificate stands elsewhere", "rVals", true),
        ("TS 119 182-1 §6.3: references", "rRefs", false),
    ] {
        let text = format!(
            "{{\"payload\":\"{PAYLOAD}\",\"protected\":\"{header}\",\"header\":{{\"etsiU\":[{{\"{component}\":{{}}}}]}},\
             \"signature\":\"AQID\"}}"
        );
        assert_eq!(with_signature(&text, &[], |draft| draft.levels.baseline_lt), expected, "{clause}");
    }
}

#[test]
fn structure() {
    let b = "\"alg\":\"ES256\",\"x5t#S256\":\"AAAA\",\"sigT\":\"2024-01-01T00:00:00Z\"";
    let flattened = |header: &str, unprotected: &str| {
        let header = encode(header.as_bytes());
        format!(
            "{{\"payload\":\"{PAYLOAD}\",\"protected\":\"{header}\",\"header\":{unprotected},\"signature\":\"AQID\"}}"
        )
    };
    for (clause, text, expected) in [
        ("TS 119 182-1 annex B", compact(&format!("{{{b}}}"), PAYLOAD), None),
        ("RFC 7515 §4.1.11", compact(&format!("{{{b},\"crit\":\"sigT\"}}"), PAYLOAD), Some("crit: expected a list")),
        ("RFC 7515 §4.1.11", compact(&format!("{{{b},\"crit\":[[]]}}"), PAYLOAD), Some("crit: expected a text")),
        (
            "TS 119 182-1 §5.2.1",
            compact(&format!("{{{}}}", b.replace("2024", "year")), PAYLOAD),
            Some("sigT: expected a date and time"),
        ),
        (
            "TS 119 182-1 §5.2.4",
            compact(&format!("{{{b},\"sigPl\":{{\"city\":\"x\"}}}}"), PAYLOAD),
            Some("sigPl: found a member `city`, which is not known"),
        ),
        (
            "TS 119 182-1 §5.2.7",
            compact(&format!("{{{b},\"sigPId\":{{}}}}"), PAYLOAD),
            Some("sigPId: expected a member `id`"),
        ),
        ("TS 119 182-1 §5.3.1", flattened(&format!("{{{b}}}"), "{\"etsiU\":\"x\"}"), Some("`etsiU` is no list")),
        (
            "TS 119 182-1 §5.3.1: mixed",
            flattened(
                &format!("{{{b}}}"),
                "{\"etsiU\":[{\"xVals\":[{\"x509Cert\":{\"val\":\"\"}}]},\"eyJ4UmVmcyI6W119\"]}",
            ),
            Some("`etsiU` is no list"),
        ),
        (
            "TS 119 182-1 §5.3.1",
            flattened(&format!("{{{b}}}"), "{\"etsiU\":[{\"xVals\":[{\"x509Cert\":{\"val\":\"\"}}]}]}"),
            None,
        ),
        (
            "TS 119 182-1 §5.3.1: others",
            flattened(&format!("{{{b}}}"), "{\"kid\":\"x\"}"),
            Some("found `kid`; expected `etsiU` only"),
        ),
    ] {
        let validation = with_signature(&text, &[], |draft| draft.facts.structural_validation.clone()).expect(clause);
        assert_eq!(validation.valid, expected.is_none(), "{clause}: {:?}", validation.messages);
        let said = expected.is_none_or(|expected| validation.messages.iter().any(|message| message.contains(expected)));
        assert!(said, "{clause}: {:?}", validation.messages);
    }
}

/// RFC 7515 §4.1.11 and §7.2, RFC 7797 §6, TS 119 182-1 §5.2.8.
#[test]
fn irregularities() {
    use crate::facts::IrregularityKind::{self, FormatViolation, JoinedContents, MalformedHeader, UnsignedObject};
    use crate::facts::ScopeType;
    let by_uri = |pars: &str| {
        format!(
            "\"crit\":[\"sigD\"],\"sigD\":{{\"mId\":\"http://uri.etsi.org/19182/ObjectIdByURI\",\"pars\":[{pars}]}}"
        )
    };
    let json = |header: &str, rest: &str| {
        format!(
            "{{\"protected\":\"{}\",\"signature\":\"AQID\"{rest}}}",
            encode(format!("{{\"alg\":\"ES256\"{header}}}").as_bytes())
        )
    };
    let payload = format!(",\"payload\":\"{PAYLOAD}\"");
    let with = |header: &str| json(header, &payload);
    let files: [(&str, &[u8]); 3] = [("a", b"1"), ("b", b"2"), ("c", b" 3\t")];
    let rows: [(&str, &str, String, &[IrregularityKind], Option<ScopeType>); 18] = [
        ("RFC 7515 4.1.11", "a list", with(",\"sigT\":\"\",\"crit\":[\"sigT\"]"), &[], Some(ScopeType::Full)),
        ("RFC 7515 4.1.11", "an empty list", with(",\"crit\":[]"), &[MalformedHeader], Some(ScopeType::Full)),
        ("RFC 7515 4.1.11", "what is absent", with(",\"crit\":[\"sigPl\"]"), &[MalformedHeader], Some(ScopeType::Full)),
        (
            "RFC 7515 4.1.11",
            "not protected",
            json("", &format!("{payload},\"header\":{{\"crit\":[\"x\"]}}")),
            &[MalformedHeader],
            Some(ScopeType::Full),
        ),
        (
            "RFC 7797 3",
            "not protected",
            json("", &format!("{payload},\"header\":{{\"b64\":false}}")),
            &[MalformedHeader],
            Some(ScopeType::Full),
        ),
        ("RFC 7797 6", "listed", with(",\"b64\":false,\"crit\":[\"b64\"]"), &[], Some(ScopeType::Full)),
        ("RFC 7797 6", "not listed", with(",\"b64\":false"), &[FormatViolation], Some(ScopeType::Full)),
        ("RFC 7797 3", "no truth value", with(",\"b64\":\"false\""), &[FormatViolation], Some(ScopeType::Full)),
        (
            "RFC 7515 7.2",
            "a member that is no JWS's",
            json("", &format!("{payload},\"pay\":900")),
            &[UnsignedObject],
            Some(ScopeType::Partial),
        ),
        ("RFC 7515 7.2", "a payload that is no text", json("", ",\"payload\":{\"pay\":900}"), &[FormatViolation], None),
        (
            "RFC 7515 7.2.1",
            "a payload within the entry",
            format!("{{\"payload\":\"{PAYLOAD}\",\"signatures\":[{}]}}", with("")),
            &[FormatViolation],
            Some(ScopeType::Full),
        ),
        ("TS 119 182-1 5.2.8.3", "one file", json(&format!(",{}", by_uri("\"a\"")), ""), &[], Some(ScopeType::Full)),
        (
            "TS 119 182-1 5.2.8.3",
            "two as one",
            json(&format!(",{}", by_uri("\"a\",\"b\"")), ""),
            &[JoinedContents],
            Some(ScopeType::Partial),
        ),
        (
            "TS 119 182-1 5.2.8.1",
            "beside a payload",
            with(&format!(",{}", by_uri("\"a\""))),
            &[FormatViolation],
            Some(ScopeType::Full),
        ),
        (
            "TS 119 182-1 5.1.9",
            "not listed",
            json(&format!(",{}", by_uri("\"a\"").replace("\"crit\":[\"sigD\"],", "")), ""),
            &[MalformedHeader],
            Some(ScopeType::Full),
        ),
        (
            "TS 119 182-1 5.2.8.2",
            "a field",
            json(&format!(",{}", by_uri("\"a\"").replace("ObjectIdByURI", "HttpHeaders")), ""),
            &[],
            Some(ScopeType::Full),
        ),
        (
            "TS 119 182-1 5.2.8.2",
            "a field with white space around it",
            json(&format!(",{}", by_uri("\"c\"").replace("ObjectIdByURI", "HttpHeaders")), ""),
            &[],
            Some(ScopeType::Partial),
        ),
        ("RFC 7515 7.1", "compact", compact("{\"alg\":\"ES256\"}", PAYLOAD), &[], Some(ScopeType::Full)),
    ];
    for (clause, situation, text, expected, scope) in rows {
        let contents = if text.contains("payload") || text.starts_with('e') { &files[..0] } else { &files[..] };
        let (kinds, scopes) = with_signature(&text, contents, |draft| {
            let kinds: Vec<IrregularityKind> = draft.facts.irregularities.iter().map(|one| one.kind).collect();
            (kinds, draft.facts.scopes.iter().map(|scope| scope.kind).collect::<Vec<_>>())
        });
        assert_eq!(kinds, expected, "{clause} {situation}");
        assert_eq!(scopes.first().copied(), scope, "{clause} {situation}");
        assert!(scopes.iter().all(|kind| Some(*kind) == scope), "{clause} {situation}");
    }
}

/// RFC 7797 §3: one payload, signed as it is and as what it stands for.
#[test]
fn two_readings_of_a_payload() {
    use crate::facts::IrregularityKind::MalformedHeader;
    let entry = |header: &str| format!("{{\"protected\":\"{}\",\"signature\":\"AQID\"}}", encode(header.as_bytes()));
    let raw = entry("{\"alg\":\"ES256\",\"b64\":false,\"crit\":[\"b64\"]}");
    let encoded = entry("{\"alg\":\"ES256\"}");
    for (situation, first, second, expected) in
        [("as it is", &raw, &raw, false), ("decoded", &encoded, &encoded, false), ("both", &raw, &encoded, true)]
    {
        let text = format!("{{\"payload\":\"cGF5\",\"signatures\":[{first},{second}]}}");
        let found = with_signature(&text, &[], |draft| {
            draft.facts.irregularities.iter().any(|one| one.kind == MalformedHeader)
        });
        assert_eq!(found, expected, "RFC 7797 3 {situation}");
    }
}

/// TS 119 182-1 §5.3.2: what stands where a counter-signature stands.
#[test]
fn counter_signatures_that_are_none() {
    use crate::facts::IrregularityKind::UnreadableSignature;
    for (situation, held, expected) in [
        ("nothing", "[]".to_owned(), false),
        ("a text", "[{\"cSig\":\"a.b\"}]".to_owned(), true),
        ("an object", "[{\"cSig\":{\"x\":1}}]".to_owned(), true),
    ] {
        let protected = encode(b"{\"alg\":\"ES256\"}");
        let text = format!(
            "{{\"payload\":\"cGF5\",\"protected\":\"{protected}\",\"signature\":\"AQID\",\"header\":{{\"etsiU\":{held}}}}}"
        );
        let found = with_signature(&text, &[], |draft| {
            draft.facts.irregularities.iter().any(|one| one.kind == UnreadableSignature)
        });
        assert_eq!(found, expected, "TS 119 182-1 5.3.2 {situation}");
    }
}
