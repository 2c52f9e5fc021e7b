//! What the signer states: `--at`, `--role`, `--place`, `--commitment`, `--policy-…`.

use crate::authority::digest_function;
use crate::error::CliError;
use crate::input;
use lacre::signing::{
    Commitment, DigestAlgorithm, ExplicitPolicy, Place, SignatureParameters, SignaturePolicy, SigningErrorCode,
};
use lacre::{Time, decode_pem};
use std::path::PathBuf;

/// The policy that follows from the content or the circumstances.
const IMPLIED: &str = "implied";

/// What the signer states.
#[derive(Debug, clap::Args)]
pub struct StatementArguments {
    /// The signing time, as in 2026-11-21T10:00:00Z. Default: now. A time-stamping unit of your own stamps at this
    /// time, too.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    /// A role that the signer claims.
    #[arg(long)]
    role: Vec<String>,
    /// An attribute certificate of the signer (RFC 5755; DER or PEM).
    #[arg(long, value_name = "FILE")]
    attribute_certificate: Vec<PathBuf>,
    /// Where it is signed: country, city, lines of an address, as in PT/Porto. What is not stated is left empty.
    #[arg(long, value_name = "COUNTRY/CITY/…")]
    place: Option<String>,
    /// What the signer commits to: origin, receipt, delivery, sender, approval, creation, or an object identifier.
    #[arg(long, value_name = "TYPE", value_parser = commitment)]
    commitment: Vec<Commitment>,
    /// The signature policy: its object identifier, or `implied`.
    #[arg(long, value_name = "OID")]
    policy_id: Option<String>,
    /// The digest of the policy's document, as in SHA256:0123….
    #[arg(long, value_name = "FUNCTION:HEX", requires = "policy_id", value_parser = policy_digest)]
    policy_digest: Option<(DigestAlgorithm, Vec<u8>)>,
    /// Where the policy's document can be had.
    #[arg(long, value_name = "URL", requires = "policy_digest")]
    policy_uri: Option<String>,
    /// Sign although TS 119 312 does not allow the algorithm, or no longer.
    #[arg(long)]
    allow_weak: bool,
}

impl StatementArguments {
    /// Returns the time that was given.
    pub fn at(&self) -> Option<Time> {
        self.at
    }

    /// Returns what is stated, at this moment where no other was given.
    pub fn parameters(&self) -> Result<SignatureParameters, CliError> {
        let mut parameters = SignatureParameters::new(self.at.unwrap_or_else(input::now));
        parameters.place = self.place.as_deref().map(place);
        parameters.claimed_roles.clone_from(&self.role);
        for path in &self.attribute_certificate {
            parameters.certified_attributes.push(decode_pem(&input::open(path)?).into_owned());
        }
        parameters.commitments.clone_from(&self.commitment);
        parameters.policy = self.policy()?;
        parameters.allow_weak_algorithms = self.allow_weak;
        Ok(parameters)
    }

    fn policy(&self) -> Result<Option<SignaturePolicy>, CliError> {
        match (self.policy_id.as_deref(), &self.policy_digest) {
            (None, _) => Ok(None),
            (Some(IMPLIED), None) => Ok(Some(SignaturePolicy::Implied)),
            (Some(IMPLIED), Some(_)) => {
                let error = CliError::plain("found a digest of a policy that is implied, expected none");
                Err(error.coded(SigningErrorCode::ParametersConflict))
            }
            (Some(oid), Some((function, digest))) => Ok(Some(SignaturePolicy::Explicit(ExplicitPolicy {
                oid: oid.to_owned(),
                digest_algorithm: *function,
                digest: digest.clone(),
                uri: self.policy_uri.clone(),
                user_notice: None,
                document_specification: None,
                document: None,
            }))),
            (Some(_), None) => {
                let error = CliError::plain("found a policy without the digest of its document, expected both");
                let hint = "--policy-digest states it: SHA256 and the digest in hexadecimal";
                Err(error.coded(SigningErrorCode::ParameterInvalid).hint(Some(hint)))
            }
        }
    }
}

/// Reads a place from its parts; empty ones are not stated.
fn place(text: &str) -> Place {
    let mut parts = text.split('/').map(str::trim);
    let mut next = || parts.next().filter(|part| !part.is_empty()).map(str::to_owned);
    let (country, locality) = (next(), next());
    Place { country, locality, postal_address: parts.filter(|part| !part.is_empty()).map(str::to_owned).collect() }
}

/// Reads a commitment from its name (EN 319 122-1 §5.2.3) or object identifier.
fn commitment(word: &str) -> Result<Commitment, String> {
    Ok(match word {
        "origin" => Commitment::ProofOfOrigin,
        "receipt" => Commitment::ProofOfReceipt,
        "delivery" => Commitment::ProofOfDelivery,
        "sender" => Commitment::ProofOfSender,
        "approval" => Commitment::ProofOfApproval,
        "creation" => Commitment::ProofOfCreation,
        oid if oid.contains('.') => Commitment::Other(oid.to_owned()),
        _ => {
            return Err(
                "expected origin, receipt, delivery, sender, approval, creation, or an object identifier".into()
            );
        }
    })
}

/// Reads a digest with the name of its function.
fn policy_digest(text: &str) -> Result<(DigestAlgorithm, Vec<u8>), String> {
    let (function, digits) =
        text.split_once(':').ok_or("expected a digest function, a colon and hexadecimal digits")?;
    let function = digest_function(function)?;
    let digits: String = digits.chars().filter(|c| !c.is_whitespace() && *c != ':').collect();
    let bytes = digits.is_ascii().then(|| {
        let pairs = (0..digits.len().div_ceil(2)).map(|n| digits.get(2 * n..2 * n + 2));
        pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect::<Option<Vec<u8>>>()
    });
    let bytes = bytes.flatten().ok_or("expected hexadecimal digits, two a byte")?;
    Ok((function, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_parts() {
        let of = |country: Option<&str>, locality: Option<&str>, lines: &[&str]| Place {
            country: country.map(str::to_owned),
            locality: locality.map(str::to_owned),
            postal_address: lines.iter().map(|line| (*line).to_owned()).collect(),
        };
        for (text, expected) in [
            ("PT", of(Some("PT"), None, &[])),
            ("PT/Porto", of(Some("PT"), Some("Porto"), &[])),
            ("/Porto", of(None, Some("Porto"), &[])),
            ("PT/Porto/Rua Nova 1/4000-001", of(Some("PT"), Some("Porto"), &["Rua Nova 1", "4000-001"])),
        ] {
            assert_eq!(place(text), expected, "{text}");
        }
    }

    #[test]
    fn digests_have_a_function() {
        assert_eq!(policy_digest("SHA-256:00fF"), Ok((DigestAlgorithm::Sha256, vec![0, 255])));
        assert_eq!(policy_digest("sha512:00:01"), Ok((DigestAlgorithm::Sha512, vec![0, 1])));
        for wrong in ["00ff", "MD6:00", "SHA256:0", "SHA256:0g", "SHA256:é0"] {
            assert!(policy_digest(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn commitments_have_names() {
        assert_eq!(commitment("approval"), Ok(Commitment::ProofOfApproval));
        assert_eq!(commitment("1.2.3"), Ok(Commitment::Other("1.2.3".into())));
        assert!(commitment("love").is_err());
    }
}
