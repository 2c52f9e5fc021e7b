//! Trusted lists: TS 119 612, in the order of use of TS 119 615 §4.
//!
//! Every Member State publishes a signed list of its trust service providers. The Commission publishes a signed list of
//! trusted lists (LOTL), and publishes the certificates that may sign it in the Official Journal. [`read`] reads one
//! list and judges its signature; it is a pure function, so that callers can read lists in parallel.
//! [`TrustedLists::assemble`] follows the chain from the [`LotlSigningCertificates`] over pivots to the LOTL and from
//! there to the national lists. A list may be unsigned, signed by a certificate that is not authorised, of another
//! country, or superseded: its [`ListState`] says so, and no such list makes a certificate a trust anchor.
//!
//! ```
//! use lacre::trust::{LotlSigningCertificates, TrustedLists, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let lists = std::env::temp_dir().join("lacre-trust-example");
//! # std::fs::create_dir_all(&lists)?;
//! # std::fs::write(lists.join("pt.xml"), "<TrustServiceStatusList xmlns='http://uri.etsi.org/02231/v2#'/>")?;
//! let mut sources = vec![];
//! for entry in std::fs::read_dir(lists)? {
//!     let path = entry?.path();
//!     sources.push(read(&path.to_string_lossy(), &std::fs::read(&path)?, None));
//! }
//! let lists = TrustedLists::assemble(sources, &LotlSigningCertificates::official_journal());
//! for state in lists.states() {
//!     println!("{}: {}", state.name, if state.trusted { "can be relied on" } else { "cannot be relied on" });
//! }
//! # assert_eq!((lists.states().len(), lists.trusted()), (1, 0));
//! # Ok(())
//! # }
//! ```

mod assemble;
mod content;
mod criteria;
mod describe;
mod elements;
mod equivalence;
mod index;
mod list;
mod lote;
mod lotl_signers;
mod pivot;
mod qc_statement;
mod read;
mod recognition;
mod section;
mod service;
mod signature;
mod snapshot;
mod state;

pub use assemble::cache_name;
pub use criteria::{Assert, Criteria, Criterion};
pub use list::{List, OtherTslPointer, Provider, Qualification, Service, ServiceDigitalIdentity, ServiceStatusPeriod};
pub use lote::{ListOfTrustedEntities, Lote, TrustedEntity, TrustedEntityService, UntrustedSigner, read_lote};
pub use lotl_signers::LotlSigningCertificates;
pub use pivot::PivotError;
pub use qc_statement::QcStatement;
pub use recognition::{Agreement, ContentContext, ContentRule, Equivalence, EquivalencePeriod, ServiceKind};
pub use signature::SignatureDefect;
pub use snapshot::{SignerMismatch, SnapshotError, append_signature};
pub use state::{ListState, Missing, Problem, ProblemKey, RecognisedService, Role};

use crate::facts::SnapshotSigner;
use crate::formats::xades::{Root, Unpacked};
use crate::formats::xml::{self, XmlError};
use crate::policy::Policy;
use crate::time::Time;
use crate::x509::Certificate;
use content::ListContent;
use index::Index;
use sha2::Digest as _;
use std::sync::Arc;

/// Bytes of one list. The largest has 3 MB.
const BYTES: usize = 32 << 20;

/// Why a file is not read as a trusted list or as a list of trusted entities.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// The file exceeds the size limit; both in bytes.
    #[error("the file has {found} bytes, and a list may have {limit}")]
    TooLarge { found: usize, limit: usize },
    /// The file is not well-formed XML.
    #[error("the file is not XML: {0}")]
    Xml(#[from] XmlError),
    /// The root element is not a `TrustServiceStatusList` (TS 119 612 annex C).
    #[error("the file is {found}, expected a TrustServiceStatusList of TS 119 612")]
    NotAList { found: String },
    /// The root element is not a `ListOfTrustedEntities` (TS 119 602).
    #[error("the file is {found}, expected a ListOfTrustedEntities of TS 119 602")]
    NotALote { found: String },
    /// The scheme has an extension that who does not understand it shall not rely on the list (TS 119 612 §5.3.17).
    #[error("the list has the critical extension `{found}`, of which none is known")]
    CriticalExtension { found: String },
    /// The list exceeds a bound on the number of its parts.
    #[error("the list has more than {limit} {what}")]
    TooMany { what: &'static str, limit: usize },
}

/// A file that was read by [`read`].
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    size: usize,
    sha256: [u8; 32],
    loaded: Option<Time>,
    read: Result<Signed, ListError>,
}

impl Source {
    /// Returns the file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what the list says, whoever signed it; `None` where the file is not a list.
    pub fn list(&self) -> Option<&List> {
        Some(&self.read.as_ref().ok()?.list)
    }
}

/// A list, and who signed it.
#[derive(Debug, Clone)]
struct Signed {
    list: List,
    signer: Result<Certificate, SignatureDefect>,
}

/// Reads a file as a trusted list and judges its signature (TS 119 612 §5.7).
///
/// `name` is the file's name, by which pivots and lists are found ([`cache_name`]); `loaded` is the time at which it
/// was fetched, if known. A file that is not a list, or whose signature is not valid, is reported in its [`ListState`]
/// once the lists are assembled.
///
/// ```
/// let list = br#"<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">
///     <SchemeInformation><SchemeTerritory>PT</SchemeTerritory></SchemeInformation>
/// </TrustServiceStatusList>"#;
/// let source = lacre::trust::read("pt.xml", list, None);
/// assert_eq!(source.list().and_then(|list| list.territory.as_deref()), Some("PT"));
/// ```
pub fn read(name: &str, bytes: &[u8], loaded: Option<Time>) -> Source {
    Source {
        name: name.to_owned(),
        size: bytes.len(),
        sha256: sha2::Sha256::digest(bytes).into(),
        loaded,
        read: signed(bytes),
    }
}

fn signed(bytes: &[u8]) -> Result<Signed, ListError> {
    if bytes.len() > BYTES {
        return Err(ListError::TooLarge { found: bytes.len(), limit: BYTES });
    }
    match Unpacked::of(xml::read(bytes, &xml::Options::default())?) {
        Root::Signed(unpacked) => {
            let list = read::list(unpacked.tree())?;
            let at = list.issue_date.unwrap_or_default();
            let signer = signature::signer(&unpacked, &Policy::trusted_lists(), at);
            Ok(Signed { list, signer })
        }
        Root::Other(tree) => Ok(Signed { list: read::list(&tree)?, signer: Err(SignatureDefect::Missing) }),
    }
}

/// The trusted lists of one day: assembled once, then shared by all validations. Cheap to clone.
///
/// ```
/// use lacre::trust::{LotlSigningCertificates, ProblemKey, TrustedLists, read};
///
/// let unsigned = read("pt.xml", b"<TrustServiceStatusList xmlns='http://uri.etsi.org/02231/v2#'/>", None);
/// let lists = TrustedLists::assemble(vec![unsigned], &LotlSigningCertificates::official_journal());
/// assert_eq!(lists.trusted(), 0);
/// assert_eq!(lists.states()[0].problems[0].key, ProblemKey::Signature);
/// ```
#[derive(Debug, Clone)]
pub struct TrustedLists(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Where the signers of the list of lists were announced; `None` where the caller says who may sign.
    announced: Option<String>,
    states: Vec<ListState>,
    missing: Vec<Missing>,
    /// What trusted lists say, by their place among `states`.
    contents: Vec<(usize, ListContent)>,
    index: Index,
    /// Who signed the snapshot that the lists come from.
    snapshot_signer: Option<SnapshotSigner>,
}

impl TrustedLists {
    /// Returns the state of each file, in the order of the sources.
    pub fn states(&self) -> &[ListState] {
        &self.0.states
    }

    /// Returns the lists to which a trusted list of trusted lists points and that are absent.
    pub fn missing(&self) -> &[Missing] {
        &self.0.missing
    }

    /// Returns the URL of the publication of the LOTL-signing certificates; `None` where the caller named them.
    pub fn announced(&self) -> Option<&str> {
        self.0.announced.as_deref()
    }

    /// Returns the signer of the snapshot from which the lists come; `None` where it is not signed.
    ///
    /// That the signature is valid says nothing about whether its signer can be relied on: see
    /// [`require_snapshot_signer`](Self::require_snapshot_signer).
    pub fn snapshot_signer(&self) -> Option<&SnapshotSigner> {
        self.0.snapshot_signer.as_ref()
    }

    /// Returns the issue date of the newest list that can be relied on.
    pub fn newest_issue(&self) -> Option<Time> {
        self.states().iter().filter(|state| state.trusted).filter_map(|state| state.issue_date).max()
    }

    /// Returns the number of national lists that can be relied on.
    pub fn trusted(&self) -> usize {
        self.states().iter().filter(|state| state.trusted && state.role == Role::TrustedList).count()
    }

    /// Returns the state of the list that a content is of.
    fn state(&self, content: usize) -> Option<&ListState> {
        let (state, _) = self.0.contents.get(content)?;
        self.0.states.get(*state)
    }
}
