use super::{KeyKind, PrivateKeyError, SignError, SigningKey, SoftwareKey};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use crate::asn1::{Tag, Writer, oid};
use crate::crypto::{Signed, digest, verify};
use signature::rand_core::UnwrapErr;
use std::path::{Path, PathBuf};
use std::process::Command;

fn randomness() -> UnwrapErr<getrandom::SysRng> {
    UnwrapErr(getrandom::SysRng)
}

/// Kinds that are quick to make: finding two primes takes minutes in a build for tests.
const QUICK: [KeyKind; 10] = [
    KeyKind::P256,
    KeyKind::P384,
    KeyKind::P521,
    KeyKind::BrainpoolP256r1,
    KeyKind::BrainpoolP384r1,
    KeyKind::Ed25519,
    KeyKind::Ed448,
    KeyKind::MlDsa44,
    KeyKind::MlDsa65,
    KeyKind::MlDsa87,
];

fn keys() -> Vec<SoftwareKey> {
    let mut keys: Vec<_> =
        QUICK.iter().map(|kind| SoftwareKey::generate(*kind, &mut randomness()).expect("a key is made")).collect();
    keys.push(SoftwareKey::from_pkcs8(include_bytes!("../../../../tests/data/rsa-3072.pk8")).expect("a key"));
    keys
}

#[test]
fn what_a_key_signs_verifies() {
    use DigestAlgorithm::{Sha1, Sha256, Sha384, Sha512};
    let mut randomness = randomness();
    for key in &keys() {
        let again = SoftwareKey::from_pkcs8(&key.to_pkcs8().unwrap()).expect("RFC 5958 2: what is written is read");
        assert_eq!(again.public_key(), key.public_key());
        let (kind, bits) = (key.public_key().algorithm(), key.public_key().bits());
        let rsa = kind == KeyAlgorithm::Rsa;
        let edwards = if bits == Some(448) { DigestAlgorithm::Shake256_512 } else { Sha512 };
        for algorithm in [
            key.algorithm(Sha256),
            SignatureAlgorithm::new(kind, Some(Sha256)),
            SignatureAlgorithm::new(kind, Some(Sha384)),
            SignatureAlgorithm::new(kind, Some(Sha512)),
            SignatureAlgorithm::new(kind, Some(Sha256)).concatenated(),
            SignatureAlgorithm::new(kind, Some(Sha512)).concatenated(),
            SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(Sha384)),
            SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(Sha256)),
            SignatureAlgorithm::new(KeyAlgorithm::EdDsa, None),
            SignatureAlgorithm::new(KeyAlgorithm::MlDsa65, None),
        ] {
            let possible = match algorithm.key {
                KeyAlgorithm::EdDsa => kind == algorithm.key && algorithm.digest.is_none_or(|digest| digest == edwards),
                KeyAlgorithm::RsassaPss => rsa,
                other => other == kind,
            };
            match key.sign_message(&algorithm, b"message", &mut randomness) {
                Ok(value) => {
                    assert!(possible, "{kind} signed with {algorithm}");
                    let verified = verify(key.public_key(), &algorithm, Signed::Message(b"message"), &value);
                    assert_eq!(verified, Ok(()), "{kind} {bits:?}: {algorithm}");
                    assert!(verify(key.public_key(), &algorithm, Signed::Message(b"massage"), &value).is_err());
                    if !algorithm.needs_message() {
                        let digest = digest(algorithm.digest.unwrap(), b"message").unwrap();
                        let value = key.sign(&algorithm, &digest, &mut randomness).expect("of its digest as well");
                        assert_eq!(verify(key.public_key(), &algorithm, Signed::Digest(&digest), &value), Ok(()));
                    }
                }
                Err(error) => assert!(!possible, "{kind}: {algorithm}: {error}"),
            }
        }
        let algorithm = SignatureAlgorithm::new(kind, Some(Sha256));
        if !algorithm.needs_message() {
            let short = key.sign(&algorithm, &[0; 20], &mut randomness);
            assert_eq!(short, Err(SignError::DigestLength { found: 20, expected: 32, function: Sha256 }));
            let weak = key.sign(&SignatureAlgorithm::new(kind, Some(Sha1)), &[0; 20], &mut randomness);
            assert!(weak.is_err(), "TS 119 312: SHA-1 is not for new signatures");
        }
    }
    let p256 = SoftwareKey::generate(KeyKind::P256, &mut randomness).unwrap();
    for (clause, name, expected) in
        [("RFC 7518 3.4", "ES256", true), ("RFC 7518 3.4: a key on another curve", "ES384", false)]
    {
        let algorithm = SignatureAlgorithm::from_jose(name).unwrap();
        let value = p256.sign_message(&algorithm, b"message", &mut randomness).unwrap();
        let verified = verify(p256.public_key(), &algorithm, Signed::Message(b"message"), &value);
        assert_eq!(verified.is_ok(), expected, "{clause}");
    }
}

#[test]
fn what_is_no_key() {
    let own = |error: &PrivateKeyError| match error {
        PrivateKeyError::Format { .. } => "format",
        PrivateKeyError::Kind { .. } => "kind",
        PrivateKeyError::Encrypted => "encrypted",
        PrivateKeyError::Password => "password",
        PrivateKeyError::Encryption { .. } => "encryption",
        PrivateKeyError::Generation => "generation",
    };
    let mut randomness = randomness();
    let key = SoftwareKey::generate(KeyKind::P256, &mut randomness).unwrap();
    let der = key.to_pkcs8().unwrap();
    let sealed = key.to_encrypted_pkcs8(b"secret", &mut randomness).unwrap();
    let of = |algorithm: &dyn Fn(&mut Writer), key: &[u8]| {
        let mut info = Writer::new();
        info.sequence(|w| {
            w.unsigned(&[0]).sequence(|w| algorithm(w)).octet_string(key);
        });
        info.finish()
    };
    let scheme = |oid: &dyn Fn(&mut Writer)| {
        let mut info = Writer::new();
        info.sequence(|w| {
            w.sequence(|w| oid(w)).octet_string(&[0; 32]);
        });
        info.finish()
    };
    // PBES2 whose PBKDF2 has a hundred million rounds, and whose scrypt fills a terabyte.
    let pbes2 = |kdf: &dyn Fn(&mut Writer)| {
        scheme(&|w| {
            w.oid(oid!("1.2.840.113549.1.5.13")).sequence(|w| {
                w.sequence(|w| kdf(w)).sequence(|w| {
                    w.oid(oid!("2.16.840.1.101.3.4.1.42")).octet_string(&[0; 16]);
                });
            });
        })
    };
    let pbkdf2 = pbes2(&|w| {
        w.oid(oid!("1.2.840.113549.1.5.12")).sequence(|w| {
            w.octet_string(&[1; 16]).unsigned(&100_000_000_u32.to_be_bytes()).sequence(|w| {
                w.oid(oid!("1.2.840.113549.2.9")).null();
            });
        });
    });
    let scrypt = pbes2(&|w| {
        w.oid(oid!("1.3.6.1.4.1.11591.4.11")).sequence(|w| {
            w.octet_string(&[1; 16]).unsigned(&(1_u64 << 30).to_be_bytes()).unsigned(&[8]).unsigned(&[1]);
        });
    });
    let dsa = of(
        &|w| {
            w.oid(oid!("1.2.840.10040.4.1")).null();
        },
        &[2, 1, 1],
    );
    let k256 = of(
        &|w| {
            w.oid(oid!("1.2.840.10045.2.1")).oid(oid!("1.3.132.0.10"));
        },
        &[0x30, 0],
    );
    let damaged = of(
        &|w| {
            w.oid(oid!("1.2.840.10045.2.1")).oid(oid!("1.2.840.10045.3.1.7"));
        },
        &[0x30, 0],
    );
    let long_seed = of(
        &|w| {
            w.oid(oid!("2.16.840.1.101.3.4.3.17"));
        },
        &crate::asn1::tlv(Tag::context(0), &[1; 33]),
    );
    let pbes1 = scheme(&|w| {
        w.oid(oid!("1.2.840.113549.1.5.3")).null();
    });
    for (situation, bytes, password, expected) in [
        ("the key", der.to_vec(), None, "read"),
        ("the key, and a password that it does not need", der.to_vec(), Some("secret"), "read"),
        ("RFC 5958 3: sealed", sealed.clone(), Some("secret"), "read"),
        ("sealed, another password", sealed.clone(), Some("Secret"), "password"),
        ("sealed, no password", sealed.clone(), None, "encrypted"),
        ("sealed and cut", sealed[..sealed.len() - 1].to_vec(), Some("secret"), "format"),
        ("nothing", vec![], None, "format"),
        ("another structure", vec![0x30, 0], None, "format"),
        ("a text", b"password".to_vec(), None, "format"),
        ("a certificate in PEM", b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END".to_vec(), None, "format"),
        ("DSA", dsa, None, "kind"),
        ("secp256k1", k256, None, "kind"),
        ("damaged", damaged, None, "format"),
        ("RFC 9881 6: a seed of 33 bytes", long_seed, None, "format"),
        ("RFC 8018 6.1: PBES1", pbes1, Some("secret"), "encryption"),
        ("RFC 8018 5.2: a hundred million rounds", pbkdf2, Some("secret"), "encryption"),
        ("RFC 7914: a terabyte", scrypt, Some("secret"), "encryption"),
        (
            "OpenSSL's own encryption",
            b"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMAA=\n-----END RSA PRIVATE KEY-----\n"
                .to_vec(),
            Some("secret"),
            "encryption",
        ),
    ] {
        let found = SoftwareKey::read(&bytes, password.map(str::as_bytes));
        assert_eq!(found.as_ref().map_or_else(own, |_| "read"), expected, "{situation}: {:?}", found.err());
    }
    for at in 0..der.len() {
        // Whatever is changed: no panic, and what is read has a public half of its own.
        let mut changed = der.to_vec();
        changed[at] ^= 0x55;
        let _ = SoftwareKey::read(&changed, None);
        assert!(SoftwareKey::from_pkcs8(&der[..at]).is_err(), "cut after {at} bytes");
    }
}

/// RFC 9881 §6: the seed with the expanded key, which has to be its own.
#[cfg(feature = "ml-dsa")]
#[test]
fn a_seed_with_its_expanded_key() {
    let seed = [7; 32];
    let key = ml_dsa::SigningKey::<ml_dsa::MlDsa44>::from_seed(&seed.into());
    #[expect(deprecated, reason = "what other writers put beside the seed")]
    let expanded = key.expanded_key().to_expanded().to_vec();
    let of = |expanded: &[u8]| {
        let mut both = Writer::new();
        both.sequence(|w| {
            w.octet_string(&seed).octet_string(expanded);
        });
        let mut info = Writer::new();
        info.sequence(|w| {
            w.unsigned(&[0]).sequence(|w| {
                w.oid(oid!("2.16.840.1.101.3.4.3.17"));
            });
            w.octet_string(&both.finish());
        });
        SoftwareKey::from_pkcs8(&info.finish())
    };
    assert!(of(&expanded).is_ok(), "RFC 9881 6: both");
    let mut other = expanded;
    other[100] ^= 1;
    assert!(of(&other).is_err(), "RFC 9881 8: an expanded key of another seed");
}

/// A folder of the test's own, where OpenSSL makes keys and reads ours.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("lacre-private-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    fn openssl(&self, arguments: &str) -> String {
        let run = Command::new("openssl").args(arguments.split(' ')).current_dir(&self.0).output();
        let run = run.expect("openssl is installed (Debian package openssl)");
        let text = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        assert!(run.status.success(), "openssl {arguments}\n{text}");
        text
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::join(&self.0, name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("the file is there")
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("the folder for temporary files can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Keys that OpenSSL made are read, sign, and OpenSSL verifies; keys that were made here, OpenSSL reads.
#[test]
fn openssl_reads_what_is_written_and_verifies_what_is_signed() {
    let folder = Folder::new("openssl");
    let mut randomness = randomness();
    folder.write("message", b"message");
    for (name, made_by) in [
        ("p256", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"),
        ("p384", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384"),
        ("p521", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-521"),
        ("bp256", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1"),
        ("bp384", "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP384r1"),
        ("ed25519", "genpkey -algorithm ED25519"),
        ("ed448", "genpkey -algorithm ED448"),
        ("rsa", "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048"),
    ] {
        folder.openssl(&format!("{made_by} -out {name}.pem"));
        folder.openssl(&format!("pkey -in {name}.pem -pubout -out {name}.pub"));
        let key = SoftwareKey::read(&folder.read(&format!("{name}.pem")), None).expect(name);
        let algorithm = key.algorithm(DigestAlgorithm::Sha256);
        let value = key.sign_message(&algorithm, b"message", &mut randomness).expect(name);
        folder.write("value", &value);
        let digest = if algorithm.needs_message() { "" } else { " -digest sha256" };
        let verified = folder
            .openssl(&format!("pkeyutl -verify -pubin -inkey {name}.pub -rawin{digest} -in message -sigfile value"));
        assert!(verified.contains("Signature Verified Successfully"), "{name}: {verified}");
        // Our own forms, as OpenSSL reads them: the same key.
        folder.write("own.der", &key.to_pkcs8().expect(name));
        folder.write("own.enc", &key.to_encrypted_pkcs8(b"secret", &mut randomness).expect(name));
        folder.openssl("pkey -inform DER -in own.der -pubout -out own.pub");
        assert_eq!(folder.read("own.pub"), folder.read(&format!("{name}.pub")), "{name}: RFC 5958 2");
        folder.openssl("pkey -inform DER -in own.enc -passin pass:secret -pubout -out own.pub");
        assert_eq!(folder.read("own.pub"), folder.read(&format!("{name}.pub")), "{name}: RFC 5958 3");
        // OpenSSL's forms, each read back.
        for (form, how) in [
            ("DER", "pkcs8 -topk8 -nocrypt -outform DER"),
            ("PBES2, AES-256, HMAC-SHA-256", "pkcs8 -topk8 -passout pass:secret"),
            ("PBES2, AES-128, HMAC-SHA-512", "pkcs8 -topk8 -v2 aes-128-cbc -v2prf hmacWithSHA512 -passout pass:secret"),
            ("PBES2, Triple DES, HMAC-SHA-1", "pkcs8 -topk8 -v2 des3 -v2prf hmacWithSHA1 -passout pass:secret"),
            ("PBES2, scrypt", "pkcs8 -topk8 -scrypt -passout pass:secret"),
            ("the older form of PEM", "pkey -traditional"),
        ] {
            if form.starts_with("the older") && name.starts_with("ed") {
                continue;
            }
            folder.openssl(&format!("{how} -in {name}.pem -out form"));
            let read = SoftwareKey::read(&folder.read("form"), Some(b"secret"));
            let read = read.unwrap_or_else(|error| panic!("{name}, {form}: {error}"));
            assert_eq!(read.public_key(), key.public_key(), "{name}, {form}");
        }
    }
    // A file with the parameters of the curve and a certificate before the key.
    folder.openssl("ecparam -name secp384r1 -genkey -out parameters.pem");
    assert!(SoftwareKey::read(&folder.read("parameters.pem"), None).is_ok(), "RFC 5915: after EC PARAMETERS");
    folder.openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out short.pem");
    let short = SoftwareKey::read(&folder.read("short.pem"), None).err();
    assert_eq!(short, Some(PrivateKeyError::Kind { found: "RSA with 1024 bits".into() }), "TS 119 312 table 4");
    for kind in QUICK.iter().filter(|kind| !kind.as_str().starts_with("ml-dsa")) {
        let key = SoftwareKey::generate(*kind, &mut randomness).expect("a key is made");
        folder.write("own.der", &key.to_pkcs8().expect("it is written"));
        folder.openssl("pkey -inform DER -in own.der -pubout -outform DER -out own.pub");
        assert_eq!(folder.read("own.pub"), key.public_key().spki(), "{kind}");
    }
}
