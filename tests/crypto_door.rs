//! The door for verification: keys and values that Wycheproof's vectors do not have.
//!
//! All values are over "The message." with SHA-256; `tests/data/crypto/make.sh` made them.

use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, SignatureAlgorithm},
    asn1::{Tag, Tlv, Writer},
    crypto::{KeyError, PublicKey, Signed, VerifyError, digest, verify, verify_bare},
};

macro_rules! data {
    ($name:literal) => {
        include_bytes!(concat!("data/crypto/", $name)).as_slice()
    };
}

const MESSAGE: Signed<'_> = Signed::Message(b"The message.");
const RSA: SignatureAlgorithm = with(KeyAlgorithm::Rsa, None);
const ECDSA: SignatureAlgorithm = with(KeyAlgorithm::Ecdsa, None);
const DSA: SignatureAlgorithm = with(KeyAlgorithm::Dsa, None);

const fn with(key: KeyAlgorithm, pss: Option<PssParameters>) -> SignatureAlgorithm {
    let form = lacre_core::algorithm::ValueForm::Usual;
    SignatureAlgorithm { key, digest: Some(DigestAlgorithm::Sha256), pss, form }
}

const fn pss(mask: DigestAlgorithm, salt_length: Option<u32>) -> SignatureAlgorithm {
    with(KeyAlgorithm::RsassaPss, Some(PssParameters { mask: MaskGeneration::Mgf1(mask), salt_length }))
}

fn key(spki: &[u8]) -> PublicKey {
    PublicKey::from_spki(spki).unwrap()
}

/// The bytes with the first occurrence of `old` replaced.
fn changed(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old).expect("the bytes have it");
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[test]
fn values() {
    use DigestAlgorithm::{Sha1, Sha256, Sha384};
    let digest_of_message = digest(Sha256, b"The message.").unwrap();
    let by_digest = Signed::Digest(&digest_of_message);
    let ecdsa = data!("p256-ecdsa.value");
    let plain = SignatureAlgorithm::new(KeyAlgorithm::PlainEcdsa, Some(Sha256));
    let rows: &[(&str, &str, &[u8], SignatureAlgorithm, Signed<'_>, &[u8], bool)] = &[
        ("RFC 8017 8.2.2", "message", data!("rsa-1024.spki"), RSA, MESSAGE, data!("rsa-1024-pkcs1.value"), true),
        ("RFC 8017 8.2.2", "digest", data!("rsa-1024.spki"), RSA, by_digest, data!("rsa-1024-pkcs1.value"), true),
        ("RFC 8017 8.2.2", "1025 bits", data!("rsa-1025.spki"), RSA, MESSAGE, data!("rsa-1025-pkcs1.value"), true),
        ("RFC 8017 8.2.2", "another key", data!("rsa-1025.spki"), RSA, MESSAGE, data!("rsa-1024-pkcs1.value"), false),
        ("RFC 8017 9.2", "a bare digest", data!("rsa-1024.spki"), RSA, MESSAGE, data!("rsa-1024-bare.value"), false),
        (
            "RFC 8017 8.1.2",
            "another digest in the mask",
            data!("rsa-1024.spki"),
            pss(Sha1, Some(20)),
            MESSAGE,
            data!("rsa-1024-pss.value"),
            true,
        ),
        (
            "RFC 8017 8.1.2",
            "the salt's length left open",
            data!("rsa-1024.spki"),
            pss(Sha1, None),
            MESSAGE,
            data!("rsa-1024-pss.value"),
            true,
        ),
        (
            "RFC 8017 9.1.2",
            "another salt length",
            data!("rsa-1024.spki"),
            pss(Sha1, Some(21)),
            MESSAGE,
            data!("rsa-1024-pss.value"),
            false,
        ),
        (
            "RFC 8017 9.1.2",
            "the wrong mask",
            data!("rsa-1024.spki"),
            pss(Sha256, Some(20)),
            MESSAGE,
            data!("rsa-1024-pss.value"),
            false,
        ),
        (
            "RFC 8017 8.1.2",
            "one byte less than the modulus",
            data!("rsa-1025.spki"),
            pss(Sha256, Some(32)),
            MESSAGE,
            data!("rsa-1025-pss.value"),
            true,
        ),
        (
            "RFC 4055 3.3",
            "within the key's restriction",
            data!("rsa-pss-1024.spki"),
            pss(Sha256, Some(20)),
            MESSAGE,
            data!("rsa-pss-1024-pss.value"),
            true,
        ),
        ("SEC 1 4.1.4", "DER", data!("p256.spki"), ECDSA, MESSAGE, ecdsa, true),
        ("SEC 1 2.3.4", "compressed point", data!("p256-compressed.spki"), ECDSA, MESSAGE, ecdsa, true),
        ("SEC 1 C.2", "the curve written out", data!("p256-explicit.spki"), ECDSA, by_digest, ecdsa, true),
        ("TR-03111 5.2.2", "DER where r and s are expected", data!("p256.spki"), plain, MESSAGE, ecdsa, false),
        ("FIPS 186-4 4.7", "DSA", data!("dsa-1024.spki"), DSA, MESSAGE, data!("dsa-1024.value"), true),
        (
            "FIPS 186-4 4.7",
            "another message",
            data!("dsa-1024.spki"),
            DSA,
            Signed::Message(b"The massage."),
            data!("dsa-1024.value"),
            false,
        ),
        (
            "RFC 8032 5.1.7",
            "Ed25519",
            data!("ed25519.spki"),
            SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None),
            MESSAGE,
            data!("ed25519.value"),
            true,
        ),
    ];
    for (clause, situation, spki, algorithm, signed, value, expected) in rows {
        let found = verify(&key(spki), algorithm, *signed, value);
        assert_eq!(found.is_ok(), *expected, "{clause} {situation}: {found:?}");
    }
    let concatenated = concatenated(ecdsa);
    for algorithm in [plain, ECDSA.concatenated()] {
        assert_eq!(verify(&key(data!("p256.spki")), &algorithm, MESSAGE, &concatenated), Ok(()));
        let short = &concatenated[..63];
        assert!(verify(&key(data!("p256.spki")), &algorithm, MESSAGE, short).is_err(), "one byte missing");
    }
    let other = SignatureAlgorithm::new(KeyAlgorithm::Rsa, Some(Sha384));
    let refused = verify(&key(data!("rsa-1024.spki")), &other, by_digest, data!("rsa-1024-pkcs1.value"));
    assert_eq!(refused, Err(VerifyError::DigestLength { digest: Sha384, found: 32, expected: 48 }));
}

/// r and s at 32 bytes each.
fn concatenated(der: &[u8]) -> Vec<u8> {
    let mut reader = lacre_core::asn1::Tlv::whole(der).unwrap().children();
    let mut next = || {
        let bytes = reader.read().unwrap().content;
        let bytes = &bytes[bytes.len().saturating_sub(32)..];
        [vec![0; 32 - bytes.len()], bytes.to_vec()].concat()
    };
    [next(), next()].concat()
}

#[test]
fn bare_digests_have_their_own_door() {
    let rsa = key(data!("rsa-1024.spki"));
    let digest = digest(DigestAlgorithm::Sha256, b"The message.").unwrap();
    assert_eq!(verify_bare(&rsa, &digest, data!("rsa-1024-bare.value")), Ok(()));
    assert_eq!(verify_bare(&rsa, &digest, data!("rsa-1024-pkcs1.value")), Err(VerifyError::Invalid));
}

#[test]
fn a_key_says_what_it_may_verify() {
    let value = data!("rsa-pss-1024-pss.value");
    let restricted = key(data!("rsa-pss-1024.spki"));
    assert_eq!(restricted.algorithm(), KeyAlgorithm::RsassaPss);
    let by = |algorithm: SignatureAlgorithm| verify(&restricted, &algorithm, MESSAGE, value);
    let mismatch = VerifyError::KeyMismatch { key: KeyAlgorithm::RsassaPss, algorithm: KeyAlgorithm::Rsa };
    assert_eq!(by(RSA), Err(mismatch), "RFC 4055 1.2: for RSASSA-PSS only");
    assert_eq!(by(pss(DigestAlgorithm::Sha1, Some(20))), Err(VerifyError::KeyRestriction), "RFC 4055 3.3: the mask");
    assert_eq!(by(pss(DigestAlgorithm::Sha256, Some(19))), Err(VerifyError::KeyRestriction), "RFC 4055 3.3: the salt");

    let mismatch = VerifyError::KeyMismatch { key: KeyAlgorithm::Ecdsa, algorithm: KeyAlgorithm::Rsa };
    assert_eq!(verify(&key(data!("p256.spki")), &RSA, MESSAGE, value), Err(mismatch));
    let by_digest = Signed::Digest(&[0; 64]);
    let ed25519 = SignatureAlgorithm::from_oid("1.3.101.112").unwrap();
    let refused = verify(&key(data!("ed25519.spki")), &ed25519, by_digest, data!("ed25519.value"));
    assert_eq!(refused, Err(VerifyError::NeedsMessage { algorithm: KeyAlgorithm::EdDsa }));
}

/// A key verifies by the algorithms of its kind alone: RFC 4055 §1.2, RFC 8419 §2.3, RFC 9881 §3, RFC 7518 §3.4.
#[test]
fn keys_and_algorithms_that_do_not_fit() {
    use DigestAlgorithm::{Sha256, Sha512, Shake256_512};
    use KeyAlgorithm::{Dsa, EdDsa, MlDsa44, MlDsa65, MlDsa87};
    // RFC 8032 §7.4, the first vector; a curve that nobody knows.
    let ed448 = "5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180";
    let ed448: Vec<u8> = (0..57).map(|at| u8::from_str_radix(&ed448[2 * at..2 * at + 2], 16).unwrap()).collect();
    let unknown =
        [&[0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01][..], &[0x06, 0x03, 0x2a, 0x03, 0x04]].concat();
    let ml_dsa =
        |last: u8, length| wrapped(&oid(&[0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, last]), &vec![7; length]);
    let keys = [
        ("RSA", data!("rsa-1024.spki").to_vec()),
        ("PSS", data!("rsa-pss-1024.spki").to_vec()),
        ("P-256", data!("p256.spki").to_vec()),
        ("DSA", data!("dsa-1024.spki").to_vec()),
        ("Ed25519", data!("ed25519.spki").to_vec()),
        ("Ed448", wrapped(&oid(&[0x2b, 0x65, 0x71]), &ed448)),
        ("ML-DSA-44", ml_dsa(17, 1_312)),
        ("ML-DSA-87", ml_dsa(19, 2_592)),
        ("another curve", wrapped(&unknown, &[4; 65])),
    ];
    let new = SignatureAlgorithm::new;
    let algorithms = [
        (RSA, &["RSA"][..]),
        (pss(Sha256, Some(20)), &["RSA", "PSS"]),
        (ECDSA, &["P-256", "another curve"]),
        (new(Dsa, Some(Sha256)), &["DSA"]),
        (new(EdDsa, None), &["Ed25519", "Ed448"]),
        (new(EdDsa, Some(Sha512)), &["Ed25519"]),
        (new(EdDsa, Some(Shake256_512)), &["Ed448"]),
        (new(MlDsa44, None), &["ML-DSA-44"]),
        (new(MlDsa65, None), &[]),
        (new(MlDsa87, None), &["ML-DSA-87"]),
    ];
    for (algorithm, of) in &algorithms {
        for (name, spki) in &keys {
            let found = verify(&key(spki), algorithm, MESSAGE, &[1; 128]).expect_err("no value");
            let mismatch = matches!(found, VerifyError::KeyMismatch { .. });
            assert_eq!(mismatch, !of.contains(name), "{name} by {algorithm:?}: {found}");
        }
    }
    for (name, spki) in &keys {
        let found = verify_bare(&key(spki), &[0; 32], &[1; 128]).expect_err("no value");
        assert_eq!(
            matches!(found, VerifyError::KeyMismatch { .. }),
            *name != "RSA",
            "{name} over a bare digest: {found}"
        );
    }
    let concatenated = concatenated(data!("p256-ecdsa.value"));
    for (name, expected) in [("ES256", true), ("ES256K", false)] {
        let algorithm = SignatureAlgorithm::from_jose(name).unwrap();
        let found = verify(&key(data!("p256.spki")), &algorithm, MESSAGE, &concatenated);
        assert_eq!(found.is_ok(), expected, "RFC 7518 §3.4, RFC 8812 §3.2: {name} is of one curve: {found:?}");
    }
}

/// An OBJECT IDENTIFIER.
fn oid(content: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.element(Tag::OID, content);
    writer.finish()
}

/// `SubjectPublicKeyInfo`: the parts of its identifier, and the key behind a zero.
fn wrapped(identifier: &[u8], key: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new();
    writer.sequence(|info| {
        info.sequence(|parts| {
            parts.raw(identifier);
        });
        info.element(Tag::BIT_STRING, &[&[0], key].concat());
    });
    writer.finish()
}

#[test]
fn numbers_of_keys() {
    let rsa = data!("rsa-1024.spki");
    let value = data!("rsa-1024-pkcs1.value");
    assert_eq!(key(rsa).bits(), Some(1024));
    assert_eq!(key(data!("rsa-1025.spki")).bits(), Some(1025));
    assert_eq!(key(data!("dsa-1024.spki")).bits(), Some(1024));
    assert_eq!(key(data!("p256-explicit.spki")).curve(), Some("secp256r1"));

    // 02 81 81 00 …: the modulus with its sign byte; without it, all lengths around it are one less.
    let negative = changed(rsa, &[0x02, 0x81, 0x81, 0x00], &[0x02, 0x81, 0x80]);
    let negative = changed(&negative, &[0x81, 0x8d, 0x00, 0x30, 0x81, 0x89], &[0x81, 0x8c, 0x00, 0x30, 0x81, 0x88]);
    let negative = changed(&negative, &[0x30, 0x81, 0x9f], &[0x30, 0x81, 0x9e]);
    assert_eq!(key(&negative).bits(), Some(1024), "a negative modulus is read unsigned");
    assert_eq!(verify(&key(&negative), &RSA, MESSAGE, value), Ok(()));

    let even = changed(rsa, &[0x02, 0x03, 0x01, 0x00, 0x01], &[0x02, 0x03, 0x01, 0x00, 0x02]);
    assert!(matches!(verify(&key(&even), &RSA, MESSAGE, value), Err(VerifyError::Key { .. })), "even exponent");
    let one = changed(rsa, &[0x02, 0x03, 0x01, 0x00, 0x01], &[0x02, 0x03, 0x00, 0x00, 0x01]);
    assert!(matches!(verify(&key(&one), &RSA, MESSAGE, value), Err(VerifyError::Key { .. })), "exponent 1");
}

#[test]
fn keys_say_what_they_are() {
    // RFC 8410 §4 and RFC 9881 §4.
    let wrapped = |content: &[u8], length: usize| wrapped(&oid(content), &vec![7; length]);
    let ml_dsa = |last: u8| [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, last];
    let known = [
        (data!("p256.spki").to_vec(), Some("secp256r1"), Some(256)),
        (data!("rsa-1024.spki").to_vec(), None, Some(1_024)),
        (data!("ed25519.spki").to_vec(), Some("Ed25519"), Some(256)),
        (wrapped(&[0x2b, 0x65, 0x71], 57), Some("Ed448"), Some(448)),
        (wrapped(&ml_dsa(17), 1_312), None, Some(10_496)),
        (wrapped(&ml_dsa(18), 1_952), None, Some(15_616)),
        (wrapped(&ml_dsa(19), 2_592), None, Some(20_736)),
    ];
    for (at, (spki, curve, bits)) in known.iter().enumerate() {
        let found = key(spki);
        assert_eq!((found.curve(), found.bits(), found.spki()), (*curve, *bits, &spki[..]), "{at}");
        for (other_at, (other, ..)) in known.iter().enumerate() {
            assert_eq!(found == key(other), at == other_at, "{at} and {other_at}");
        }
    }
    for short in [wrapped(&[0x2b, 0x65, 0x71], 56), wrapped(&ml_dsa(17), 1_311), wrapped(&ml_dsa(19), 2_593)] {
        assert!(matches!(PublicKey::from_spki(&short), Err(KeyError::Content { .. })), "{} bytes", short.len());
    }
}

/// SEC 1 §2.3.3: a generator may be written with the parity of its y alone, and another parity is another point.
#[test]
fn a_curve_may_be_written_with_a_compressed_generator() {
    let long = data!("p256-explicit.spki");
    let start = long.windows(4).position(|at| at == [0x6b, 0x17, 0xd1, 0xf2]).expect("the generator") - 3;
    let point = &long[start..start + 67];
    assert_eq!(point[..3], [4, 65, 4], "an OCTET STRING of a point");
    for (clause, situation, first, curve) in [
        ("2.3.4 2.4", "the generator's own parity: y ends with f5", 3, Some("secp256r1")),
        ("2.3.4 2.4", "the other parity", 2, None),
        ("2.3.4 2.1", "no form of a point", 1, None),
        ("2.3.4 3.1", "the form of both coordinates with one of them", 4, None),
    ] {
        let short = [&[4, 33, first], &point[3..35]].concat();
        assert_eq!(key(&shortened(long, start, &short)).curve(), curve, "SEC 1 {clause} {situation}");
        let mut other = short;
        other[10] ^= 1;
        assert_eq!(key(&shortened(long, start, &other)).curve(), None, "SEC 1 {clause} {situation}, another x");
    }
}

/// The same for a curve whose generator has an even y: secp256k1, written out.
#[test]
fn a_generator_with_an_even_y() {
    let hex = |digits: &str| -> Vec<u8> {
        let pairs = digits.as_bytes().chunks(2);
        pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
    };
    let p = hex("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
    let n = hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");
    let x = hex("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798");
    for (form, curve) in [(2, Some("secp256k1")), (3, None)] {
        let generator = [&[form], &x[..]].concat();
        let mut identifier = Writer::new();
        identifier.element(Tag::OID, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]).sequence(|curve| {
            curve.unsigned(&[1]);
            curve.sequence(|field| {
                field.element(Tag::OID, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01]).unsigned(&p);
            });
            curve.sequence(|equation| {
                equation.octet_string(&[0]).octet_string(&[7]);
            });
            curve.octet_string(&generator).unsigned(&n).unsigned(&[1]);
        });
        let found = key(&wrapped(&identifier.finish(), &generator));
        assert_eq!((found.curve(), found.bits()), (curve, Some(256)), "SEC 1 §2.3.3, the form {form}");
    }
}

/// SEC 1 §2.3.4 2: as long as the field, whatever zeros stand before it.
#[test]
fn points_have_one_length() {
    let spki = data!("p256-compressed.spki");
    let parts: Vec<Tlv<'_>> = Tlv::whole(spki).unwrap().children().collect();
    let (form, x) = (parts[1].content[1], &parts[1].content[2..]);
    for (situation, point, expected) in [
        ("as it is", [&[form], x].concat(), true),
        ("a zero more", [&[form, 0], x].concat(), false),
        ("a byte less", [&[form], &x[1..]].concat(), false),
        ("nothing", vec![form], false),
    ] {
        let found = key(&wrapped(parts[0].content, &point));
        let verified = verify(&found, &ECDSA, MESSAGE, data!("p256-ecdsa.value"));
        assert_eq!((found.validate().is_ok(), verified.is_ok()), (expected, expected), "{situation}: {verified:?}");
    }
}

/// The key with another generator at this place, all lengths around it 32 less.
fn shortened(spki: &[u8], start: usize, point: &[u8]) -> Vec<u8> {
    let nested = |bytes: &[u8], parts: &[&[u8]]| {
        let mut writer = Writer::new();
        writer.element(Tlv::whole(bytes).unwrap().tag, &parts.concat());
        writer.finish()
    };
    let outer = Tlv::whole(spki).unwrap();
    let parts: Vec<Tlv<'_>> = outer.children().collect();
    let identifier: Vec<Tlv<'_>> = parts[0].children().collect();
    let fields = identifier[1].children().map(|field| {
        let is_it = field.raw.as_ptr() as usize - spki.as_ptr() as usize == start;
        if is_it { point } else { field.raw }
    });
    let fields: Vec<&[u8]> = fields.collect();
    let curve = nested(identifier[1].raw, &fields);
    let algorithm = nested(parts[0].raw, &[identifier[0].raw, &curve]);
    nested(spki, &[&algorithm, parts[1].raw])
}

#[test]
fn a_curve_with_another_generator_is_another_curve() {
    // CVE-2020-0601: the x of P-256's generator begins 6b17d1f2.
    let other = changed(data!("p256-explicit.spki"), &[0x6b, 0x17, 0xd1, 0xf2], &[0x6b, 0x17, 0xd1, 0xf3]);
    let other = key(&other);
    assert_eq!((other.curve(), other.bits()), (None, Some(256)));
    let smaller = changed(
        data!("p256-explicit.spki"),
        &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1],
        &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1],
    );
    assert_eq!((key(&smaller).curve(), key(&smaller).bits()), (None, Some(255)), "another prime");
    let found = verify(&other, &ECDSA, MESSAGE, data!("p256-ecdsa.value"));
    assert!(matches!(found, Err(VerifyError::Unsupported { .. })), "{found:?}");
}

#[test]
fn keys_that_cannot_be_read() {
    let p256 = data!("p256.spki");
    let unknown =
        changed(p256, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01], &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x02]);
    assert!(matches!(PublicKey::from_spki(&unknown), Err(KeyError::UnknownAlgorithm { .. })));
    assert!(matches!(PublicKey::from_spki(&p256[..90]), Err(KeyError::Structure(_))));
    assert!(matches!(PublicKey::from_spki(b""), Err(KeyError::Structure(_))));

    let mut beside = p256.to_vec();
    beside[90] ^= 1;
    let found = verify(&key(&beside), &ECDSA, MESSAGE, data!("p256-ecdsa.value"));
    assert!(matches!(found, Err(VerifyError::Key { .. })), "a point beside the curve: {found:?}");
}

#[test]
fn whatever_the_bytes_there_is_an_answer() {
    let keys =
        [data!("rsa-1024.spki"), data!("rsa-pss-1024.spki"), data!("p256-explicit.spki"), data!("dsa-1024.spki")];
    for spki in keys {
        for at in 0..spki.len() {
            for mask in [0x01, 0x80, 0xff] {
                let mut bytes = spki.to_vec();
                bytes[at] ^= mask;
                let Ok(key) = PublicKey::from_spki(&bytes) else { continue };
                for algorithm in [RSA, pss(DigestAlgorithm::Sha1, None), ECDSA, DSA] {
                    let value = vec![0x30; key.bits().unwrap_or(0).div_ceil(8) as usize];
                    assert!(verify(&key, &algorithm, Signed::Digest(&[7; 32]), &value).is_err());
                }
            }
        }
    }
}
