//! One algorithm held against a cryptographic suite at a time: EN 319 102-1 §5.2.8.4.1 ("cryptographic
//! constraints"), TS 119 312.

use super::blocks::AlgorithmCheck;
use super::check_id::CheckId;
use super::engine::{BlockBuilder, BlockKind, Concluded, Question};
use super::outcome::outcomes;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{BasicSignature, Id};
use crate::policy::CryptographicSuite;
use crate::time::Time;

outcomes! {
    /// The outcome of the cryptographic constraints, when nothing is known of the past: EN 319 102-1 §5.2.8.4.1.
    enum NotReliable {
        CryptoConstraintsFailureNoPoe,
    }
}

/// Checks a signature algorithm and the size of its key.
pub(super) fn check_signature(
    suite: &CryptographicSuite,
    token: &Id,
    signature: &BasicSignature,
    time: Time,
) -> AlgorithmCheck {
    let mut block = BlockBuilder::new(BlockKind::AlgorithmObsolescence, token);
    let _ = signature_algorithm(suite, &mut block, signature, time);
    let (key, digest, bits) = (signature.key_algorithm, signature.digest_algorithm, signature.key_length);
    let not_after = key.zip(digest).zip(bits).and_then(|((key, digest), bits)| {
        let long_enough = suite.key_size_sufficient(key, digest, bits);
        long_enough.then(|| suite.signature_expiry(key, digest, bits)).flatten()
    });
    AlgorithmCheck {
        token: token.clone(),
        key,
        digest,
        key_length: bits,
        concerns: None,
        not_after,
        conclusion: block.finish().conclusion,
    }
}

fn signature_algorithm(
    suite: &CryptographicSuite,
    block: &mut BlockBuilder,
    signature: &BasicSignature,
    time: Time,
) -> Result<(), Concluded> {
    let failure = NotReliable::CryptoConstraintsFailureNoPoe;
    let (key, digest, levels) = (signature.key_algorithm, signature.digest_algorithm, suite.levels);

    // 1) The suite has the algorithm.
    let reliable = suite.signature_algorithm_reliable(key, digest);
    let algorithm = || described(signature, None);
    let question = Question::from(CheckId::SignatureAlgorithmAccepted).comparing_unless(reliable, algorithm);
    block.check_at(levels.signature_algorithm, question, reliable, failure)?;

    // 2) The key's size is known, 3) and reaches the smallest accepted.
    block.check_at(levels.key_size, CheckId::KeySizeKnown, signature.key_length.is_some(), failure)?;
    let (Some((key, digest)), Some(bits)) = (key.zip(digest), signature.key_length) else { return Ok(()) };
    let sufficient = suite.key_size_sufficient(key, digest, bits);
    let question = Question::from(CheckId::KeySizeSufficient).comparing_unless(sufficient, algorithm);
    block.check_at(levels.key_size, question, sufficient, failure)?;

    // 4) It is good at that time.
    let expiry = suite.signature_expiry(key, digest, bits);
    let good = suite.signature_acceptable_at(key, digest, bits, time);
    let check = match expired(expiry, time) {
        true => CheckId::SignatureAlgorithmNotExpired,
        false => CheckId::SignatureAlgorithmReliable,
    };
    let question = Question::from(check).comparing_unless(good, || described(signature, Some((time, expiry))));
    block.check_at(suite.expiry_level(expiry), question, good, failure)
}

/// Checks a digest function that stands alone.
pub(super) fn check_digest(
    suite: &CryptographicSuite,
    token: &Id,
    digest: Option<DigestAlgorithm>,
    time: Time,
) -> AlgorithmCheck {
    let mut block = BlockBuilder::new(BlockKind::AlgorithmObsolescence, token);
    let _ = digest_function(suite, &mut block, digest, time);
    AlgorithmCheck {
        token: token.clone(),
        key: None,
        digest,
        key_length: None,
        concerns: None,
        not_after: digest.and_then(|digest| suite.digest_expiry(digest)),
        conclusion: block.finish().conclusion,
    }
}

fn digest_function(
    suite: &CryptographicSuite,
    block: &mut BlockBuilder,
    digest: Option<DigestAlgorithm>,
    time: Time,
) -> Result<(), Concluded> {
    let failure = NotReliable::CryptoConstraintsFailureNoPoe;
    let check = if digest.is_some() { CheckId::DigestAccepted } else { CheckId::DigestKnown };
    let reliable = suite.digest_reliable(digest);
    let name = || digest.map_or_else(String::new, |digest| digest.as_str().to_owned());
    let question = Question::from(check).comparing_unless(reliable || digest.is_none(), name);
    block.check_at(suite.levels.digest, question, reliable, failure)?;

    let Some(digest) = digest else { return Ok(()) };
    let expiry = suite.digest_expiry(digest);
    let good = suite.digest_acceptable_at(digest, time);
    let check = if expired(expiry, time) { CheckId::DigestNotExpired } else { CheckId::DigestReliable };
    let question = Question::from(check).comparing_unless(good, || name() + &period(time, expiry));
    block.check_at(suite.expiry_level(expiry), question, good, failure)
}

/// Writes a signature algorithm with the size of its key, and the times that were compared, such as
/// `RSA 1024, SHA256: 2026-01-01T00:00:00Z ≤ 2010-08-01T00:00:00Z`.
fn described(signature: &BasicSignature, times: Option<(Time, Option<Time>)>) -> String {
    let key = signature.key_algorithm.map(|key| key.as_str().to_owned());
    let key = key.map(|key| signature.key_length.map_or(key.clone(), |bits| format!("{key} {bits}")));
    let digest = signature.digest_algorithm.map(|digest| digest.as_str().to_owned());
    let algorithm: Vec<String> = key.into_iter().chain(digest).collect();
    algorithm.join(", ") + &times.map_or_else(String::new, |(time, expiry)| period(time, expiry))
}

/// Writes the time in question and the end until which an algorithm was reliable.
fn period(time: Time, expiry: Option<Time>) -> String {
    match expiry {
        Some(expiry) => format!(": {time} ≤ {expiry}"),
        None => format!(": {time}"),
    }
}

fn expired(expiry: Option<Time>, time: Time) -> bool {
    expiry.is_some_and(|expiry| expiry < time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::KeyAlgorithm;
    use crate::policy::{Context, Policy};
    use crate::validation::engine::Conclusion;
    use crate::validation::situations::policy;
    use crate::validation::testing::{at, word};

    /// Describes the conclusion, and what is said.
    fn answer(check: &AlgorithmCheck) -> String {
        let Conclusion { errors, warnings, infos, .. } = &check.conclusion;
        let keys: String = errors.iter().chain(warnings).chain(infos).map(|m| format!(" {}", m.key())).collect();
        word(&check.conclusion) + &keys
    }

    #[test]
    fn signatures() {
        use {DigestAlgorithm as Digest, KeyAlgorithm as Key};
        let policy = Policy::dss();
        let suite = policy.cryptographic(Context::Signature, None).unwrap();
        let rsa = (Some(Key::Rsa), Some(Digest::Sha256), Some(3072));
        for (clause, situation, (key_algorithm, digest_algorithm, key_length), time, expected) in [
            ("5.2.8.4.1", "a good algorithm", rsa, "2025-01-01", "PASSED"),
            (
                "5.2.8.4.1",
                "an unknown kind of key",
                (None, Some(Digest::Sha256), Some(256)),
                "2025-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_CAA_ANS",
            ),
            (
                "5.2.8.4.1",
                "a key of unknown size",
                (rsa.0, rsa.1, None),
                "2025-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_PKSK_ANS",
            ),
            (
                "5.2.8.4.1",
                "a key that never was long enough",
                (rsa.0, rsa.1, Some(512)),
                "2005-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_APKSA_ANS",
            ),
            (
                "TS 119 312",
                "SHA-1, which ended in 2012",
                (rsa.0, Some(Digest::Sha1), rsa.2),
                "2013-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_AR_ANS_AKSNR",
            ),
            ("TS 119 312", "SHA-1 before", (rsa.0, Some(Digest::Sha1), Some(2048)), "2011-01-01", "PASSED"),
            (
                "TS 119 312",
                "an end that lies after the suite's update is only warned of",
                (rsa.0, rsa.1, Some(2048)),
                "2030-01-01",
                "PASSED ASCCM_AR_ANS_AKSNR",
            ),
        ] {
            let signature = BasicSignature { key_algorithm, digest_algorithm, key_length, intact: true, valid: true };
            let check = check_signature(suite, &Id::new("S"), &signature, at(time));
            assert_eq!(answer(&check), expected, "{clause}: {situation}");
        }
    }

    #[test]
    fn lists_that_are_left_out() {
        use {DigestAlgorithm as Digest, KeyAlgorithm as Key};
        let rsa = BasicSignature {
            key_algorithm: Some(Key::Rsa),
            digest_algorithm: Some(Digest::Sha256),
            key_length: Some(3072),
            intact: true,
            valid: true,
        };
        let failing = |key: &str| format!("INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE {key}");
        let keys = "<AcceptableEncryptionAlgo><Algo>RSA</Algo></AcceptableEncryptionAlgo>";
        let digests = "<AcceptableDigestAlgo><Algo>SHA256</Algo></AcceptableDigestAlgo>";
        for (clause, situation, level, lists, expected) in [
            ("TS 119 312", "both lists", "Level='FAIL'", format!("{keys}{digests}"), "PASSED".to_owned()),
            ("TS 119 312", "no list of keys", "Level='FAIL'", digests.into(), failing("ASCCM_CAA_ANS")),
            ("TS 119 312", "no list of digests", "Level='FAIL'", keys.into(), failing("ASCCM_CAA_ANS")),
            ("TS 119 312", "no list", "Level='FAIL'", String::new(), failing("ASCCM_CAA_ANS")),
            ("TS 119 312", "nothing is asked", "", String::new(), "PASSED".into()),
            (
                "TS 119 312",
                "dates for others only",
                "",
                "<AlgoExpirationDate Level='FAIL'><Algo Date='2040-01-01'>SHA512</Algo></AlgoExpirationDate>".into(),
                failing("ASCCM_AR_ANS_AKSNR_2"),
            ),
        ] {
            let policy = policy(&format!("<Cryptographic {level}>{lists}</Cryptographic>"));
            let suite = policy.cryptographic(Context::Signature, None).unwrap();
            let check = check_signature(suite, &Id::new("S"), &rsa, at("2025-01-01"));
            assert_eq!(answer(&check), expected, "{clause}: {situation}");
        }
    }

    #[test]
    fn digests() {
        let policy = Policy::dss();
        let suite = policy.cryptographic(Context::Signature, None).unwrap();
        for (clause, situation, digest, time, expected) in [
            ("5.2.8.4.1", "a good digest", Some(DigestAlgorithm::Sha256), "2025-01-01", "PASSED"),
            (
                "5.2.8.4.1",
                "an unknown one",
                None,
                "2025-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_DAA_ANS_2",
            ),
            (
                "TS 119 312",
                "MD5 after its end",
                Some(DigestAlgorithm::Md5),
                "2004-08-01T00:00:01Z",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_AR_ANS_ANR",
            ),
            (
                "TS 119 312",
                "MD5 at the moment of its end",
                Some(DigestAlgorithm::Md5),
                "2004-08-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE ASCCM_AR_ANS_ANR_2",
            ),
            ("TS 119 312", "MD5 before its end", Some(DigestAlgorithm::Md5), "2004-07-31", "PASSED"),
        ] {
            let check = check_digest(suite, &Id::new("S"), digest, at(time));
            assert_eq!(answer(&check), expected, "{clause}: {situation}");
        }
    }
}
