//! Each algorithm and packaging, what is stated, and what cannot be signed.

use crate::desk::*;
use lacre::Document;
use lacre::issuance::Profile;
use lacre::report::SignatureLevel;
use lacre::signing::cades::{self, Content, ContentReference, Options};
use lacre::signing::{
    Commitment, CommitmentQualifier, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy, KeyAlgorithm, KeyKind,
    Place, SignatureAlgorithm, SignatureParameters, SignaturePolicy, Signer, SigningError, SigningErrorCode,
    SigningKey, digest,
};
use lacre_core::formats::cms::SignedData;
use lacre_testkit::authorities::{attribute_certificate, key, randomness, time};
use lacre_testkit::der;

#[test]
fn each_algorithm_and_packaging_passes() {
    let desk = Desk::new();
    let folder = Folder::new("algorithms", &desk.pki.root);
    let (p256, p384, rsa, ed25519) = (key(KeyKind::P256), key(KeyKind::P384), rsa(), Edwards::new());
    let [p521, brainpool, ed448] = ["P-521", "brainpoolP256r1", "Ed448"].map(|kind| OpenSsl::new(kind, &desk.pki.root));
    let sha512 = Some(DigestAlgorithm::Sha512);
    let rows: [(&str, &dyn SigningKey, SignatureAlgorithm); 9] = [
        ("RFC 5753 2.1.1", &p256, ECDSA),
        ("RFC 5753 2.1.1: the key gives both numbers side by side", &p256, ECDSA.concatenated()),
        ("RFC 5753 2.1.1", &p384, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha384))),
        ("RFC 5753 2.1.1: P-521", &p521, SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, sha512)),
        ("RFC 5753 2.1.1: brainpoolP256r1", &brainpool, ECDSA),
        ("RFC 3370 3.2", &rsa, SignatureAlgorithm::new(KeyAlgorithm::Rsa, sha512)),
        ("RFC 4056 3", &rsa, SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(SHA256))),
        ("RFC 8419 3.1: Ed25519", &ed25519, SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None)),
        ("RFC 8419 3.1: Ed448", &ed448, SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None)),
    ];
    for (clause, key, algorithm) in rows {
        let signer = signer(&desk.pki, key, algorithm);
        let by_digest = digest(signer.digest(), LETTER).expect("it is computed");
        for (packaging, content) in [
            ("enveloping", Content::Enveloped(LETTER)),
            ("detached", Content::Detached(LETTER)),
            ("by digest", Content::Digest(&by_digest)),
        ] {
            let about = format!("{clause}, {algorithm}, {packaging}");
            let edwards = algorithm.key == KeyAlgorithm::EdDsa;
            let parameters = stating(|all| all.allow_weak_algorithms = edwards);
            let prepared = cades::prepare(&content, &parameters, &Options::default(), &signer);
            let prepared = prepared.expect("nothing forbids it");
            assert_eq!(prepared.needs_message(), edwards, "{about}");
            let document = Document::new(if packaging == "by digest" { b"" } else { LETTER });
            let value = key.sign(&algorithm, &prepared.digest(), &mut randomness()).expect("it signs");
            let file = prepared.finish(&document, &value).expect("the value is the key's").to_vec(LETTER);

            let detached = packaging != "enveloping";
            let document = Document::new(&file);
            let report = desk.judged(&if detached { document.with_content("letter", LETTER) } else { document });
            // TS 119 312 does not list EdDSA.
            if !edwards {
                assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{about}: {}", report.to_text());
                assert_eq!(worries(&report), [] as [&str; 0], "{about}");
            }
            assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB)], "EN 319 122-1 6.3: {about}");
            assert!(report.facts().signatures[0].basic.valid, "{about}");
            // OpenSSL 3 does not read EdDSA in CMS.
            if !edwards {
                folder.verify(&about, &file, detached);
            }
        }
    }
}

#[test]
fn what_is_stated_is_read() {
    let desk = Desk::new();
    let stamp = desk.token(&digest(SHA256, LETTER).expect("it is computed"));
    let document = b"rules for signing".to_vec();
    let explicit = ExplicitPolicy {
        oid: "1.2.3.4.5".into(),
        digest_algorithm: DigestAlgorithm::Sha384,
        digest: digest(DigestAlgorithm::Sha384, &document).expect("it is computed"),
        uri: Some("http://policy.example/rules.txt".into()),
        user_notice: Some("Read the rules".into()),
        document_specification: Some("http://policy.example/syntax".into()),
        document: Some(document),
    };
    let parameters = stating(|all| {
        let text = |text: &str| Some(text.to_owned());
        let postal_address = vec!["Rua Nova 1".into(), "4000 Porto".into()];
        all.place = Some(Place { country: text("PT"), locality: text("Porto"), postal_address });
        all.claimed_roles = vec!["Procurador".into(), "Notário".into()];
        all.signed_assertions = vec!["<saml:Assertion/>".into()];
        all.commitments = vec![Commitment::ProofOfApproval, Commitment::Other("1.2.3.4".into())];
        all.policy = Some(SignaturePolicy::Explicit(explicit));
        all.content_timestamps = vec![stamp];
        all.certificate_digest = DigestAlgorithm::Sha512;
        all.embedded = EmbeddedCertificates::ChainWithRoot;
    });
    let options = about(|all| {
        all.mime_type = Some("text/plain".into());
        all.identifier = Some(b"letter-7".to_vec());
    });
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters, &options, &desk.signer).expect("it fits");
    let signed = prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness()).expect("the key signs");
    let file = signed.to_vec(LETTER);
    let report = desk.judged(&Document::new(&file));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineB)], "EN 319 122-1 6.3");
    let facts = &report.facts().signatures[0];
    assert_eq!(facts.claimed_signing_time, Some(time(NOW)), "RFC 5652 11.3");
    assert_eq!(facts.mime_type.as_deref(), Some("text/plain"), "5.2.4.2");
    assert_eq!(facts.content_identifier.as_deref(), Some("letter-7"), "RFC 2634 2.7");
    let place = facts.production_place.clone().expect("5.2.5");
    assert_eq!((place.country.as_deref(), place.city.as_deref()), (Some("PT"), Some("Porto")), "5.2.5");
    assert_eq!(place.postal_address, ["Rua Nova 1", "4000 Porto"], "5.2.5");
    let roles: Vec<_> = facts.roles.iter().map(|role| (role.role.as_str(), role.category.as_str())).collect();
    let expected = [("Procurador", "claimed"), ("Notário", "claimed"), ("<saml:Assertion/>", "signed")];
    assert_eq!(roles, expected, "5.2.6.1");
    let mut commitments: Vec<_> = facts.commitments.iter().map(|one| one.identifier.as_str()).collect();
    commitments.sort_unstable();
    assert_eq!(commitments, ["1.2.3.4", "1.2.840.113549.1.9.16.6.5"], "5.2.3");
    let policy = facts.policy.clone().expect("5.2.9");
    assert_eq!((policy.id.as_str(), policy.digest_match), ("1.2.3.4.5", Some(true)), "5.2.9, 5.2.10");
    assert_eq!(policy.url.as_deref(), Some("http://policy.example/rules.txt"), "5.2.9.2");
    assert_eq!(policy.user_notice.and_then(|n| n.explicit_text).as_deref(), Some("Read the rules"), "5.2.9.2");
    let specification = policy.document_specification.expect("5.2.9.2");
    assert_eq!(specification.id, "http://policy.example/syntax", "5.2.9.2");
    let timestamp = &report.facts().timestamps[0];
    assert_eq!(timestamp.kind.as_str(), "CONTENT_TIMESTAMP", "5.2.8");
    assert!(timestamp.digest_matchers.iter().all(|matcher| matcher.data_intact), "5.2.8: the imprint is the content's");

    let read = SignedData::parse(&file).expect("it is CMS");
    assert_eq!(read.x509_certificates().count(), 3, "6.3: signer and chain");
    let attributes: Vec<&[u8]> = read.signers[0].signed.iter().map(|attribute| attribute.raw.raw).collect();
    assert!(attributes.is_sorted(), "RFC 5652 5.4: sent in the order of DER, for readers that do not sort");

    let described = about(|all| all.description = Some("a letter to nobody".into()));
    let implied = stating(|all| all.policy = Some(SignaturePolicy::Implied));
    let prepared = cades::prepare(&Content::Enveloped(LETTER), &implied, &described, &desk.signer).expect("it fits");
    let signed = prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness()).expect("the key signs");
    let report = desk.judged(&Document::new(&signed.to_vec(LETTER)));
    let facts = &report.facts().signatures[0];
    let hints = facts.content_hints.as_deref();
    assert_eq!(hints, Some("1.2.840.113549.1.7.1 [a letter to nobody]"), "RFC 2634 2.9");
    assert_eq!(facts.mime_type, None, "5.2.4: one of the two");
    assert_eq!(facts.policy.as_ref().map(|policy| policy.id.as_str()), Some("IMPLICIT_POLICY"), "5.2.9.1");
}

#[test]
fn what_cannot_be_signed_is_refused() {
    use SigningErrorCode::*;
    let desk = Desk::new();
    let place = |country: &str, lines: usize| {
        let (country, postal_address) = (Some(country.to_owned()), vec!["a line".to_owned(); lines]);
        stating(|all| all.place = Some(Place { country, postal_address, ..Place::default() }))
    };
    let policy = |change: &dyn Fn(&mut ExplicitPolicy)| {
        let mut explicit = ExplicitPolicy {
            oid: "1.2.3".into(),
            digest_algorithm: SHA256,
            digest: digest(SHA256, b"rules").expect("it is computed"),
            uri: None,
            user_notice: None,
            document_specification: Some("1.2.3.4".into()),
            document: None,
        };
        change(&mut explicit);
        stating(|all| all.policy = Some(SignaturePolicy::Explicit(explicit)))
    };
    let at = |text: &str| SignatureParameters::new(time(text));
    let other_stamp = desk.token(&[1; 32]);
    let none = Options::default;
    let rows = [
        ("RFC 5280 4.1.2.5: before", at("2027-01-31T23:59:59Z"), none(), CertificateOutsideValidity),
        ("RFC 5280 4.1.2.5: after", at("2029-03-01T00:00:00Z"), none(), CertificateOutsideValidity),
        ("5.2.5: another name of a country", place("Portugal", 0), none(), ParameterInvalid),
        ("5.2.5: seven lines", place("PT", 7), none(), ParameterInvalid),
        ("5.2.5: nothing", stating(|all| all.place = Some(Place::default())), none(), ParameterInvalid),
        ("5.2.6.1", stating(|all| all.claimed_roles = vec![String::new()]), none(), ParameterInvalid),
        ("5.2.3", stating(|all| all.commitments = vec![Commitment::Other("4.1".into())]), none(), ParameterInvalid),
        ("5.2.3", stating(|all| all.commitments = vec![Commitment::Other("1.99".into())]), none(), ParameterInvalid),
        ("5.2.9.1: oid", policy(&|all| all.oid = "rules".into()), none(), ParameterInvalid),
        ("5.2.9.1: digest", policy(&|all| all.digest.truncate(20)), none(), DigestLength),
        ("5.2.9.2: IA5String", policy(&|all| all.uri = Some("http://prova.it/città".into())), none(), ParameterInvalid),
        ("RFC 5280 4.2.1.4", policy(&|all| all.user_notice = Some("a".repeat(201))), none(), ParameterInvalid),
        ("5.2.10: another document", policy(&|all| all.document = Some(vec![1])), none(), ParametersConflict),
        (
            "5.2.10: no specification",
            policy(&|all| (all.document, all.document_specification) = (Some(b"rules".to_vec()), None)),
            none(),
            ParametersConflict,
        ),
        ("5.2.8", stating(|all| all.content_timestamps = vec![vec![0x30, 0]]), none(), TsaReplyUnreadable),
        ("5.2.8: of another content", stating(|all| all.content_timestamps = vec![other_stamp]), none(), TsaImprint),
        ("5.2.2", stating(|all| all.certificate_digest = DigestAlgorithm::Sha1), none(), AlgorithmNotAllowed),
        (
            "5.2.4",
            parameters(),
            about(|all| (all.mime_type, all.description) = (Some("text/plain".into()), Some("a letter".into()))),
            ParametersConflict,
        ),
        ("5.2.4.2", parameters(), about(|all| all.mime_type = Some("text".into())), ParameterInvalid),
    ];
    for (clause, parameters, options, expected) in rows {
        let found = refused(cades::prepare(&Content::Enveloped(LETTER), &parameters, &options, &desk.signer));
        assert_eq!(found, expected, "EN 319 122-1 {clause}");
    }

    let with = |algorithm: SignatureAlgorithm, key: &dyn SigningKey| {
        let signer = Signer::new(issued(&desk.pki, Profile::NaturalPerson, key.public_key()), algorithm)?;
        cades::prepare(&Content::Digest(&[0; 32]), &parameters(), &Options::default(), &signer)
    };
    let of = |key, digest| SignatureAlgorithm::new(key, Some(digest));
    let (edwards, rsa) = (Edwards::new(), rsa());
    for (clause, algorithm, key, expected) in [
        ("RFC 5652 5.3", of(KeyAlgorithm::Rsa, SHA256), &desk.key as &dyn SigningKey, AlgorithmKeyMismatch),
        ("RFC 5652 5.3", of(KeyAlgorithm::Ecdsa, SHA256), &rsa, AlgorithmKeyMismatch),
        ("RFC 8419 2.3", of(KeyAlgorithm::EdDsa, DigestAlgorithm::Shake256_512), &edwards, AlgorithmKeyMismatch),
        ("RFC 3370 3.2: no digest", SignatureAlgorithm::new(KeyAlgorithm::Rsa, None), &rsa, AlgorithmKeyMismatch),
        ("TS 119 312 5.2", of(KeyAlgorithm::Ecdsa, DigestAlgorithm::Sha1), &desk.key, AlgorithmNotAllowed),
        ("TS 119 312 6.2", SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None), &edwards, AlgorithmNotAllowed),
        ("a digest of another length", of(KeyAlgorithm::Ecdsa, DigestAlgorithm::Sha384), &desk.key, DigestLength),
    ] {
        assert_eq!(refused(with(algorithm, key)), expected, "{clause} {algorithm}");
    }

    let authority = Signer::new(desk.pki.authority.clone(), ECDSA).expect("its key is on P-256");
    let found = refused(cades::prepare(&Content::Enveloped(LETTER), &parameters(), &Options::default(), &authority));
    assert_eq!(found, CertificateNotForSigning, "RFC 5280 4.2.1.3: keyCertSign and cRLSign");
}

#[test]
fn a_time_stamp_at_once() {
    let desk = Desk::new();
    let (document, prepared) = (Document::new(LETTER), desk.prepared(&Content::Enveloped(LETTER)));
    let value = desk.key.sign(&ECDSA, &prepared.digest(), &mut randomness()).expect("the key signs");
    let imprint = prepared.timestamp_imprint(&value, SHA256).expect("the value is the key's");
    let token = desk.token(&imprint);
    let file = prepared.finish_with_timestamp(&document, &value, &token).expect("the token fits").to_vec(LETTER);
    let report = desk.judged(&Document::new(&file));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    assert_eq!(levels(&report), [Some(SignatureLevel::CadesBaselineT)], "EN 319 122-1 6.3");

    let other = prepared.finish_with_timestamp(&document, &value, &desk.token(&[1; 32]));
    assert_eq!(refused(other), SigningErrorCode::TsaImprint, "EN 319 122-1 5.3");
    let mut changed = token;
    *changed.last_mut().expect("it ends with its value") ^= 1;
    let forged = prepared.finish_with_timestamp(&document, &value, &changed);
    assert_eq!(refused(forged), SigningErrorCode::TsaCertificate, "RFC 3161 2.2: its signature is verified");
    let none = prepared.finish_with_timestamp(&document, &value, LETTER);
    assert_eq!(refused(none), SigningErrorCode::TsaReplyUnreadable, "RFC 3161 2.4.2");
    let wrong = prepared.timestamp_imprint(&[0; 64], SHA256);
    assert_eq!(refused(wrong), SigningErrorCode::ValueDoesNotVerify, "nothing is time-stamped in vain");
}

#[test]
fn attributes_that_others_certify() {
    let desk = Desk::new();
    let certificate = desk.signer.certificate();
    let directory = |name: &[u8]| der::tlv(0xa4, &[name]);
    let (issuer, subject) = (directory(certificate.issuer().der()), directory(certificate.subject().der()));
    let serial = der::tlv(0x02, &[certificate.serial()]);
    let base = der::tlv(0xa0, &[&der::sequence(&[&issuer]), &serial]);
    let named = der::tlv(0xa1, &[&subject]);
    let valid = |holder: &[u8]| attribute_certificate(holder, "20270101000000Z", "20280101000000Z");
    let made = |certificate: Vec<u8>| {
        let parameters = stating(|all| all.certified_attributes = vec![certificate]);
        let prepared = cades::prepare(&Content::Enveloped(LETTER), &parameters, &Options::default(), &desk.signer)?;
        Ok(prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness())?.to_vec(LETTER))
    };
    for (holder, holds) in
        [(&base, "by serial number"), (&named, "by name"), (&[&base[..], &named].concat(), "by both")]
    {
        let file = made(valid(holder)).unwrap_or_else(|error: SigningError| panic!("{holds}: {error}"));
        let report = desk.judged(&Document::new(&file));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{holds}: {}", report.to_text());
        let roles = &report.facts().signatures[0].roles;
        let roles: Vec<_> = roles.iter().map(|role| (role.role.as_str(), role.category.as_str())).collect();
        assert_eq!(roles, [("urn:role:notary", "certified")], "5.2.6: {holds}");
        Folder::new("certified", &desk.pki.root).verify(holds, &file, false);
    }
    let other = der::tlv(0xa0, &[&der::sequence(&[&issuer]), &der::integer(5)]);
    let stranger = der::tlv(0xa1, &[&issuer]);
    for (clause, certificate) in [
        ("RFC 5755 4.2.2: another serial number", valid(&other)),
        ("RFC 5755 4.2.2: another name", valid(&stranger)),
        ("RFC 5755 4.2.2: one of two", valid(&[&base[..], &stranger].concat())),
        ("RFC 5755 4.2.2: nobody", valid(&[])),
        ("RFC 5755 4.2.6: ended", attribute_certificate(&base, "20260101000000Z", "20270101000000Z")),
        ("RFC 5755 4.2.6: not begun", attribute_certificate(&base, "20280101000000Z", "20290101000000Z")),
        ("RFC 5755 4.2.6: no time", attribute_certificate(&base, "x", "20290101000000Z")),
        ("RFC 5755 4.1: a public-key certificate", certificate.der().to_vec()),
        ("RFC 5755 4.1: two of them", [valid(&base), valid(&base)].concat()),
        ("RFC 5755 4.1: cut", valid(&base)[..80].to_vec()),
        ("RFC 5755 4.1: nothing", vec![]),
    ] {
        assert_eq!(refused(made(certificate)), SigningErrorCode::ParameterInvalid, "{clause}");
    }
}

#[test]
fn commitments_with_qualifiers_and_references_to_signatures() {
    let desk = Desk::new();
    let qualifier = |oid: &str, value: Option<Vec<u8>>| CommitmentQualifier { oid: oid.into(), value };
    let text = der::tlv(0x0c, &["until the end of the year".as_bytes()]);
    let qualified = |qualifiers| {
        stating(|all| {
            all.commitments = vec![Commitment::Qualified { oid: "1.2.840.113549.1.9.16.6.5".into(), qualifiers }]
        })
    };
    let question = about(|all| all.identifier = Some(b"question-1".to_vec()));
    let made = |parameters: &SignatureParameters, options: &Options| {
        let prepared = cades::prepare(&Content::Enveloped(LETTER), parameters, options, &desk.signer)?;
        Ok::<_, SigningError>(prepared.sign(&Document::new(LETTER), &desk.key, &mut randomness())?.to_vec(LETTER))
    };
    let both = vec![qualifier("1.2.3.4", Some(text.clone())), qualifier("1.2.3.5", None)];
    let asked = made(&qualified(both), &question).expect("nothing forbids it");
    let report = desk.judged(&Document::new(&asked));
    assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
    let signature = &report.facts().signatures[0];
    let read: Vec<_> =
        signature.commitments[0].qualifiers.iter().map(|one| (&one.identifier[..], &one.value)).collect();
    assert_eq!(read, [("1.2.3.4", &Some(text.into())), ("1.2.3.5", &None)], "5.2.3");
    let wrong: [(&str, Vec<CommitmentQualifier>); 5] = [
        ("none", vec![]),
        ("no identifier", vec![qualifier("x", None)]),
        ("no value", vec![qualifier("1.2.3", Some(vec![]))]),
        ("two values", vec![qualifier("1.2.3", Some(vec![5, 0, 5, 0]))]),
        ("no DER", vec![qualifier("1.2.3", Some(vec![4, 9, 0]))]),
    ];
    for (situation, qualifiers) in wrong {
        let found = refused(made(&qualified(qualifiers), &Options::default()));
        assert_eq!(found, SigningErrorCode::ParameterInvalid, "5.2.3: {situation}");
    }

    let id = signature.id.clone();
    for id in [None, Some(&id)] {
        let reference = ContentReference::to(&asked, id).expect("RFC 2634 2.11");
        let answer = made(&parameters(), &about(|all| all.reference = Some(reference))).expect("nothing forbids it");
        let report = desk.judged(&Document::new(&answer));
        assert_eq!(report.indication().as_str(), "TOTAL-PASSED", "{}", report.to_text());
        let read = report.facts().signatures[0].content_reference.clone().expect("RFC 2634 2.11");
        assert_eq!((&read.content_type[..], &read.identifier[..]), ("1.2.840.113549.1.7.1", "question-1"));
        assert_eq!(read.value, signature.value, "RFC 2634 2.11: the value of the other one");
    }
    let plain = desk.signed(&Content::Enveloped(LETTER), LETTER);
    for (situation, found, expected) in [
        ("no identifier", ContentReference::to(&plain, None), SigningErrorCode::ParameterInvalid),
        ("another id", ContentReference::to(&asked, Some(&lacre::Id::new("S-1"))), SigningErrorCode::SignatureNotFound),
        ("no signature", ContentReference::to(LETTER, None), SigningErrorCode::DocumentUnreadable),
    ] {
        assert_eq!(refused(found), expected, "RFC 2634 2.11: {situation}");
    }
    for reference in [
        ContentReference::new("x", vec![1], vec![1]),
        ContentReference::new("1.2.3", vec![], vec![1]),
        ContentReference::new("1.2.3", vec![1], vec![]),
    ] {
        let found = refused(made(&parameters(), &about(|all| all.reference = Some(reference))));
        assert_eq!(found, SigningErrorCode::ParameterInvalid, "RFC 2634 2.11");
    }
}

#[test]
fn the_same_signature_is_not_made_twice() {
    let desk = Desk::new();
    let file = desk.signed(&Content::Enveloped(LETTER), LETTER);
    let detached = desk.signed(&Content::Detached(LETTER), LETTER);
    let by_digest = digest(SHA256, LETTER).expect("it is computed");
    let ber = to_ber(&file);
    let (one, two, three) = (Document::new(&file), Document::new(&detached), Document::new(&ber));
    let with_content = two.clone().with_content("letter", LETTER);
    let later = SignatureParameters::new(time(LATER));
    for (situation, content) in [
        ("enveloping", Content::Parallel(&one)),
        ("in BER", Content::Parallel(&three)),
        ("detached", Content::Parallel(&with_content)),
        ("by digest", Content::ParallelDigest(&two, &by_digest)),
    ] {
        let again = |parameters: &SignatureParameters, options: &Options| {
            cades::prepare(&content, parameters, options, &desk.signer)
        };
        let found = again(&parameters(), &Options::default());
        assert_eq!(refused(found), SigningErrorCode::AlreadySigned, "X.690 11.6: {situation}");
        assert!(again(&later, &Options::default()).is_ok(), "{situation}: another time");
        let role = stating(|all| all.claimed_roles = vec!["Notário".into()]);
        assert!(again(&role, &Options::default()).is_ok(), "{situation}: another statement");
    }
    let id = desk.judged(&one).facts().signatures[0].id.clone();
    let counter = Content::Signature(&one, &id);
    let prepared = desk.prepared(&counter);
    let both = prepared.sign(&one, &desk.key, &mut randomness()).expect("the key signs").to_vec(&file);
    let both = Document::new(&both);
    let id = desk.judged(&both).facts().signatures.iter().find(|one| one.parent.is_none()).expect("it").id.clone();
    let again = |parameters: &SignatureParameters| {
        cades::prepare(&Content::Signature(&both, &id), parameters, &Options::default(), &desk.signer)
    };
    assert_eq!(refused(again(&parameters())), SigningErrorCode::AlreadySigned, "RFC 5652 11.4");
    assert!(again(&later).is_ok(), "RFC 5652 11.4: another time");
}
