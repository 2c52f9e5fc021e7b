//! Microseconds of each check behind the door, with Wycheproof's vectors.
//!
//! `cargo bench --bench crypto`. The key is read anew each time, as it is for each certificate of a chain. The second
//! figure is for a digest that is handed in, which the portable arithmetic verifies on every machine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm},
    crypto::{PublicKey, Signed, digest, verify},
};
use lacre_testkit::vectors;
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
    let files: BTreeMap<String, Value> =
        vectors::wycheproof().map(|content| (content["file"].as_str().unwrap().to_owned(), content)).collect();
    for (file, key, function) in ROWS {
        let content = &files[*file];
        let algorithm = SignatureAlgorithm::new(*key, *function);
        let valid = content["testGroups"].as_array().unwrap().iter().find_map(|group| {
            let test = group["tests"].as_array()?.iter().find(|test| test["result"] == "valid")?;
            Some((unhex(group.get("publicKeyDer")?), unhex(&test["msg"]), unhex(&test["sig"])))
        });
        let Some((spki, message, value)) = valid else { continue };
        let time = median(|| {
            let key = PublicKey::from_spki(&spki).unwrap();
            verify(&key, &algorithm, Signed::Message(&message), &value).unwrap();
        });
        print!("{file:40} {:10.1} µs", time.as_secs_f64() * 1e6);
        if let Some(digest) = function.and_then(|function| digest(function, &message)) {
            let time = median(|| {
                let key = PublicKey::from_spki(&spki).unwrap();
                verify(&key, &algorithm, Signed::Digest(&digest), &value).unwrap();
            });
            print!(" {:10.1} µs", time.as_secs_f64() * 1e6);
        }
        println!();
    }
    let bytes = vec![0x5a; 16 << 20];
    for algorithm in
        [DigestAlgorithm::Sha1, DigestAlgorithm::Sha256, DigestAlgorithm::Sha512, DigestAlgorithm::Sha3_256]
    {
        let time = median(|| assert!(digest(algorithm, &bytes).is_some()));
        println!("{algorithm:40} {:10.0} MB/s", bytes.len() as f64 / 1e6 / time.as_secs_f64());
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
