//! A second lower bound: what the same digests and signature checks cost OpenSSL, on this machine, in this run.
//!
//! OpenSSL measures itself (`openssl speed`): bytes a second by digest function and length, verifications a second by kind
//! of key. Each is asked once, when the first file needs it. A digest costs what its length costs between the two measured
//! lengths around it; a check costs its digest and one verification. Where OpenSSL has no figure for a key, there is none
//! for the file.

use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm};
use lacre_core::crypto::{PublicKey, meter::Log};
use std::collections::HashMap;
use std::process::Command;

/// The lengths of which digests are measured, in bytes.
const LENGTHS: [u64; 4] = [64, 1024, 16_384, 1_048_576];

/// What OpenSSL said of itself so far.
#[derive(Default)]
pub struct OpenSsl {
    /// Seconds for a digest of each of [`LENGTHS`].
    digests: HashMap<DigestAlgorithm, Option<[f64; 4]>>,
    /// Seconds for a verification, by the name in `openssl speed`.
    keys: HashMap<String, Option<f64>>,
}

impl OpenSsl {
    /// Returns the milliseconds that the logged work takes OpenSSL; `None` where it is not installed, or has no figure.
    pub fn milliseconds(&mut self, log: &Log) -> Option<f64> {
        let mut seconds = 0.0;
        for (algorithm, bytes) in log.digests() {
            seconds += self.digest(algorithm, bytes)?;
        }
        for (spki, algorithm, message) in log.verifications() {
            if let Some((length, function)) = message.zip(algorithm.digest) {
                seconds += self.digest(function, length)?;
            }
            seconds += self.verification(&PublicKey::from_spki(spki).ok()?)?;
        }
        Some(seconds * 1000.0)
    }

    fn digest(&mut self, algorithm: DigestAlgorithm, bytes: u64) -> Option<f64> {
        let measured = (*self.digests.entry(algorithm).or_insert_with(|| digest_costs(algorithm)))?;
        let above = LENGTHS.iter().position(|length| *length >= bytes).unwrap_or(LENGTHS.len() - 1).max(1);
        let [(from, cheap), (to, dear)] = [above - 1, above].map(|at| (LENGTHS[at] as f64, measured[at]));
        let slope = (dear - cheap) / (to - from);
        Some((cheap + slope * (bytes as f64 - from)).max(measured[0] / 2.0))
    }

    fn verification(&mut self, key: &PublicKey) -> Option<f64> {
        let (name, factor) = speed_name(key)?;
        let measured = (*self.keys.entry(name.clone()).or_insert_with(|| last_figure(&[&name]).map(f64::recip)))?;
        Some(measured * factor)
    }
}

/// Returns the name of a key in `openssl speed`, and by what its figure is multiplied: the cost of verifying with RSA grows
/// with the square of the length.
fn speed_name(key: &PublicKey) -> Option<(String, f64)> {
    let bits = key.bits()?;
    match key.algorithm() {
        KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss => {
            let measured = [1024, 2048, 3072, 4096].into_iter().min_by_key(|length| bits.abs_diff(*length))?;
            Some((format!("rsa{measured}"), (f64::from(bits) / f64::from(measured)).powi(2)))
        }
        KeyAlgorithm::EdDsa => Some((if bits > 256 { "ed448" } else { "ed25519" }.to_owned(), 1.0)),
        KeyAlgorithm::Ecdsa => {
            let curve = key.curve()?;
            let prefix = if curve.to_ascii_lowercase().contains("brainpool") { "ecdsabrp" } else { "ecdsap" };
            let suffix = if prefix == "ecdsabrp" { "r1" } else { "" };
            Some((format!("{prefix}{bits}{suffix}"), 1.0))
        }
        _ => None,
    }
}

fn digest_costs(algorithm: DigestAlgorithm) -> Option<[f64; 4]> {
    let name = algorithm.as_str().to_ascii_lowercase();
    let mut costs = [0.0; 4];
    for (cost, length) in costs.iter_mut().zip(LENGTHS) {
        *cost = length as f64 / last_figure(&["-bytes", &length.to_string(), "-evp", &name])?;
    }
    Some(costs)
}

/// Returns the last figure of the last line of `openssl speed -mr`: bytes, or verifications, a second.
fn last_figure(arguments: &[&str]) -> Option<f64> {
    let done = Command::new("openssl").args(["speed", "-mr", "-seconds", "1"]).args(arguments).output().ok()?;
    let said = String::from_utf8(done.stdout).ok()?;
    let line = said.lines().rfind(|line| line.starts_with("+F"))?;
    line.rsplit(':').next()?.parse().ok().filter(|figure: &f64| *figure > 0.0)
}
