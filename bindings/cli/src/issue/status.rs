//! What was revoked, as the command line states it.

use crate::error::CliError;
use lacre::{
    Time,
    issuance::{CertificateStatus, RevocationReason, Revoked},
};

/// The revoked certificates.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A revoked certificate: its serial number in hexadecimal, when, and why (RFC 5280 §5.3.1; unspecified where
    /// it is not said). Every other certificate counts as good.
    #[arg(long, value_name = "SERIAL=TIME[,REASON]")]
    revoked: Vec<String>,
}

impl Arguments {
    pub fn revoked(&self) -> Result<Vec<Revoked>, CliError> {
        self.revoked.iter().map(|text| revoked(text)).collect()
    }
}

fn revoked(text: &str) -> Result<Revoked, CliError> {
    let cli_error = || {
        let hint = "for instance 01a2b3=2026-05-01T10:00:00Z,keyCompromise";
        CliError::plain(format!("--revoked {text}: expected SERIAL=TIME[,REASON]")).hint(Some(hint))
    };
    let (serial, rest) = text.split_once('=').ok_or_else(cli_error)?;
    let (since, reason) = rest.split_once(',').unwrap_or((rest, RevocationReason::Unspecified.as_str()));
    let since: Time = since.parse().map_err(|_| cli_error())?;
    let reason: RevocationReason = reason.parse().map_err(|_| cli_error())?;
    Ok(Revoked { serial: serial_number(serial).ok_or_else(cli_error)?, since, reason })
}

/// Returns the contents of the INTEGER that the hexadecimal digits write: positive, X.690 §8.3.
fn serial_number(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.trim_start_matches("0x").replace(':', "");
    let even = if digits.len().is_multiple_of(2) { digits } else { format!("0{digits}") };
    if even.is_empty() || !even.is_ascii() {
        return None;
    }
    let bytes: Option<Vec<u8>> =
        (0..even.len()).step_by(2).map(|at| u8::from_str_radix(even.get(at..at + 2)?, 16).ok()).collect();
    let mut bytes = bytes?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count().min(bytes.len() - 1);
    bytes.drain(..zeros);
    if bytes[0] & 0x80 != 0 {
        bytes.insert(0, 0);
    }
    Some(bytes)
}

/// Returns the status of one certificate.
pub fn of(serial: &[u8], revoked: &[Revoked]) -> CertificateStatus {
    match revoked.iter().find(|revoked| revoked.serial == serial) {
        Some(Revoked { since, reason, .. }) => CertificateStatus::Revoked { since: *since, reason: *reason },
        None => CertificateStatus::Good,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serial_numbers() {
        for (situation, digits, expected) in [
            ("as printed by openssl", "01A2B3", Some(vec![0x01, 0xa2, 0xb3])),
            ("top bit set: X.690 8.3.3", "ff", Some(vec![0, 0xff])),
            ("odd number of digits", "abc", Some(vec![0x0a, 0xbc])),
            ("leading zeros", "0000ff", Some(vec![0, 0xff])),
            ("zero", "00", Some(vec![0])),
            ("with colons", "01:02", Some(vec![1, 2])),
            ("nothing", "", None),
            ("not hexadecimal", "xyz1", None),
        ] {
            assert_eq!(serial_number(digits), expected, "{situation}");
        }
    }

    #[test]
    fn what_is_revoked() {
        let row = revoked("0a=2026-05-01T10:00:00Z,keyCompromise").expect("it is well formed");
        assert_eq!((row.serial.as_slice(), row.reason), (&[10][..], RevocationReason::KeyCompromise));
        assert!(
            revoked("0a").is_err() && revoked("0a=yesterday").is_err() && revoked("0a=2026-05-01,nonsense").is_err()
        );
        assert_eq!(
            of(&[10], std::slice::from_ref(&row)),
            CertificateStatus::Revoked { since: row.since, reason: row.reason }
        );
        assert_eq!(of(&[11], &[row]), CertificateStatus::Good);
    }
}
