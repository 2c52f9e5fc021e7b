//! Microseconds of each check behind the door, with Wycheproof's vectors.
//!
//! `cargo bench --bench crypto`. The key is read anew each time, as it is for each certificate of a chain.

use std::path::Path;
use std::time::{Duration, Instant};

use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm},
    crypto::{PublicKey, Signed, digest, verify},
};
use serde_json::Value;

const ROWS: &[(&str, KeyAlgorithm, Option<DigestAlgorithm>)] = {
    use DigestAlgorithm::*;
    use KeyAlgorithm::*;
    &[
        ("rsa_signature_2048_sha256_test", Rsa, Some(Sha256)),
        ("rsa_signature_3072_sha256_test", Rsa, Some(Sha256)),
        ("rsa_signature_4096_sha256_test", Rsa, Some(Sha256)),
        ("rsa_signature_8192_sha256_test", Rsa, Some(Sha256)),
        ("rsa_pss_2048_sha256_mgf1_32_test", RsassaPss, Some(Sha256)),
        ("ecdsa_secp256r1_sha256_test", Ecdsa, Some(Sha256)),
        ("ecdsa_secp384r1_sha384_test", Ecdsa, Some(Sha384)),
        ("ecdsa_secp521r1_sha512_test", Ecdsa, Some(Sha512)),
        ("ecdsa_secp256k1_sha256_test", Ecdsa, Some(Sha256)),
        ("ecdsa_brainpoolP256r1_sha256_test", Ecdsa, Some(Sha256)),
        ("ecdsa_brainpoolP384r1_sha384_test", Ecdsa, Some(Sha384)),
        ("ecdsa_brainpoolP512r1_sha512_test", Ecdsa, Some(Sha512)),
        ("ed25519_test", EdDsa, None),
        ("ed448_test", EdDsa, None),
        ("mldsa_65_verify_test", MlDsa65, None),
    ]
};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus/testvectors_v1");
    assert!(folder.is_dir(), "{} is missing: ../shared/corpus/unpack.sh unpacks it", folder.display());
    for (file, key, digest) in ROWS {
        let content = std::fs::read(folder.join(file).with_extension("json")).unwrap();
        let content: Value = serde_json::from_slice(&content).unwrap();
        let algorithm = SignatureAlgorithm::new(*key, *digest);
        let valid = content["testGroups"].as_array().unwrap().iter().find_map(|group| {
            let test = group["tests"].as_array()?.iter().find(|test| test["result"] == "valid")?;
            Some((unhex(group.get("publicKeyDer")?), unhex(&test["msg"]), unhex(&test["sig"])))
        });
        let Some((spki, message, value)) = valid else { continue };
        let time = median(|| {
            let key = PublicKey::from_spki(&spki).unwrap();
            verify(&key, &algorithm, Signed::Message(&message), &value).unwrap();
        });
        println!("{file:40} {:10.1} µs", time.as_secs_f64() * 1e6);
    }
    let octets = vec![0x5a; 16 << 20];
    for algorithm in
        [DigestAlgorithm::Sha1, DigestAlgorithm::Sha256, DigestAlgorithm::Sha512, DigestAlgorithm::Sha3_256]
    {
        let time = median(|| assert!(digest(algorithm, &octets).is_some()));
        println!("{algorithm:40} {:10.0} MB/s", octets.len() as f64 / 1e6 / time.as_secs_f64());
    }
}

/// The median of as many runs as fit half a second, three at least.
fn median(run: impl Fn()) -> Duration {
    run();
    let begin = Instant::now();
    let mut times = vec![];
    while times.len() < 3 || begin.elapsed() < Duration::from_millis(500) {
        let start = Instant::now();
        run();
        times.push(start.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

fn unhex(digits: &Value) -> Vec<u8> {
    let digits = digits.as_str().unwrap();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}
