//! Documents that rest on an algorithm that this build was made without (features `legacy-algorithms`, `ml-dsa`) are refused: what
//! cannot be computed has neither passed nor failed.

use super::Error;
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::facts::{BasicSignature, Digest, DigestMatcher, Facts, FoundCertificate, Shared};

/// Whether an algorithm was left out.
const LEFT_OUT: bool = !cfg!(all(feature = "legacy-algorithms", feature = "ml-dsa"));

/// Returns an error where the record names an algorithm that was left out.
pub(super) fn refuse(facts: &Facts) -> Result<(), Error> {
    if !LEFT_OUT {
        return Ok(());
    }
    match signed(facts).chain(digests(facts).filter_map(function)).next() {
        Some(algorithm) => Err(Error::Algorithm { algorithm }),
        None => Ok(()),
    }
}

/// Algorithms by which something was signed.
fn signed(facts: &Facts) -> impl Iterator<Item = &'static str> {
    let of = |basic: &BasicSignature| {
        let key = basic.key_algorithm.filter(|key| is_left_out(*key)).map(KeyAlgorithm::as_str);
        key.or_else(|| basic.digest_algorithm.and_then(function))
    };
    let signatures = facts.signatures.iter().map(|signature| &signature.basic);
    let timestamps = facts.timestamps.iter().map(|timestamp| &timestamp.basic);
    let certificates = facts.certificates.iter().map(|certificate| &certificate.basic);
    let revocations = facts.revocations.iter().map(|revocation| &revocation.basic);
    signatures.chain(timestamps).chain(certificates).chain(revocations).filter_map(of)
}

/// Functions whose digests were compared.
fn digests(facts: &Facts) -> impl Iterator<Item = DigestAlgorithm> {
    fn matched(matchers: &[Shared<DigestMatcher>]) -> impl Iterator<Item = Option<&Digest>> {
        matchers.iter().map(|matcher| Some(&matcher.digest))
    }
    fn referred(found: &[Shared<FoundCertificate>]) -> impl Iterator<Item = Option<&Digest>> {
        found.iter().flat_map(|found| &found.references).map(|reference| reference.digest.as_ref())
    }
    let of_signatures = facts.signatures.iter().flat_map(|signature| {
        let policy = signature.policy.iter().map(|policy| policy.digest.as_ref());
        matched(&signature.digest_matchers).chain(referred(&signature.found_certificates)).chain(policy)
    });
    let of_timestamps = facts
        .timestamps
        .iter()
        .flat_map(|timestamp| matched(&timestamp.digest_matchers).chain(referred(&timestamp.found_certificates)));
    let of_records = facts.evidence_records.iter().flat_map(|record| matched(&record.digest_matchers));
    of_signatures.chain(of_timestamps).chain(of_records).filter_map(|digest| digest?.algorithm)
}

fn is_left_out(key: KeyAlgorithm) -> bool {
    match key {
        KeyAlgorithm::Dsa => !cfg!(feature = "legacy-algorithms"),
        KeyAlgorithm::MlDsa44 | KeyAlgorithm::MlDsa65 | KeyAlgorithm::MlDsa87 => !cfg!(feature = "ml-dsa"),
        _ => false,
    }
}

fn function(algorithm: DigestAlgorithm) -> Option<&'static str> {
    use DigestAlgorithm::{Md2, Ripemd160, Whirlpool};
    let legacy = matches!(algorithm, Md2 | Ripemd160 | Whirlpool) && !cfg!(feature = "legacy-algorithms");
    legacy.then(|| algorithm.as_str())
}
