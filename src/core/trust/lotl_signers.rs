//! The certificates that may sign the list of trusted lists: TS 119 615 §4.1.
//!
//! The Official Journal publishes them. lacre has the publication of its release built in; callers can name others.

use crate::x509::Certificate;

/// The LOTL-signing certificates: those that may sign a list of trusted lists (TS 119 615 §4.1).
///
/// ```
/// use lacre::trust::LotlSigningCertificates;
/// use lacre::issuance::Certificate;
///
/// let published = LotlSigningCertificates::official_journal();
/// assert!(published.url.is_some() && !published.signers.is_empty());
///
/// # std::env::set_current_dir("../..")?;
/// let root = Certificate::from_der(&std::fs::read("examples/documents/root.der")?)?;
/// let own = LotlSigningCertificates::of(std::slice::from_ref(&root));
/// assert_eq!(own.signers, [*root.sha256()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LotlSigningCertificates {
    /// The URL of their publication, as lists of trusted lists name it; `None` where the caller named them.
    pub url: Option<String>,
    /// The date of the publication, `YYYY-MM-DD`.
    pub date: Option<&'static str>,
    /// The SHA-256 of each certificate.
    pub signers: Vec<[u8; 32]>,
}

/// The announcement that is built in: Official Journal C/2026/1944.
const OFFICIAL_JOURNAL: &str = "https://eur-lex.europa.eu/eli/C/2026/1944/oj";
const OFFICIAL_JOURNAL_DATE: &str = "2026-04-15";
const OFFICIAL_JOURNAL_SIGNERS: [&str; 6] = [
    "c0641c4f7d56c431b1c924742db7fce9c1eef7d7fd212113a2768486b3abcdc5",
    "e0a620fbb6747362bb933ac44169d676a553444716cf5f31605f12a22b8396b1",
    "df7e29360c34b2b8d6d5f40325c1d4d12c9922cecd33b7407674a74b2b3ca1e5",
    "b63d416744e7098bf9ec2caa596a93bc2468e37f8284ba65ecc061711bcbaa18",
    "236103f03a8031ae8f47f9059bf8de38564cdbfebedde4a597d50f8980aa653b",
    "d2064fdd70f6982dcc516b86d9d5c56aea939417c624b2e478c0b29de54f8474",
];

impl LotlSigningCertificates {
    /// Returns the certificates published in the Official Journal of the European Union at this release.
    pub fn official_journal() -> Self {
        Self {
            url: Some(OFFICIAL_JOURNAL.into()),
            date: Some(OFFICIAL_JOURNAL_DATE),
            signers: OFFICIAL_JOURNAL_SIGNERS.iter().filter_map(|digest| crate::hex::array(digest)).collect(),
        }
    }

    /// Returns certificates of the caller's choice.
    pub fn of(certificates: &[Certificate]) -> Self {
        Self { url: None, date: None, signers: certificates.iter().map(|c| *c.sha256()).collect() }
    }
}
