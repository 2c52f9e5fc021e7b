//! Trusted lists: who vouches, and since when. TS 119 612.
//!
//! Every Member State publishes a signed list of its trust service providers; the Commission publishes a signed list of
//! those lists, and announces in the Official Journal who signs it. [`read`] reads one list and judges its signature: a
//! pure function, so that a caller with threads reads many at once. [`TrustedLists::assemble`] follows the chain, from
//! the [`Announcement`] over pivots to the list of lists, from there to the national lists, and says of each list what
//! came of it. What a list is not, unsigned, signed by a stranger, of another country, older than another one of its
//! kind, is stated in its [`ListState`]; only lists that are what they should be make anybody trusted.
//!
//! ```no_run
//! use lacre::trust::{Announcement, TrustedLists, read};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut sources = vec![];
//! for entry in std::fs::read_dir("lists")? {
//!     let path = entry?.path();
//!     sources.push(read(&path.to_string_lossy(), &std::fs::read(&path)?, None));
//! }
//! let lists = TrustedLists::assemble(sources, &Announcement::official_journal());
//! # Ok(())
//! # }
//! ```

mod announcement;
mod assemble;
mod criteria;
mod describe;
mod entities;
mod equivalence;
mod index;
mod list;
mod packer;
mod read;
mod recognition;
mod service;
mod signature;
mod snapshot;
mod state;

pub use announcement::{Announcement, BrokenChain};
pub use assemble::cache_name;
pub use criteria::{Assert, Criteria, Criterion};
pub use entities::{Entities, EntityList, EntityService, NotTheirs, TrustedEntity, read_entities};
pub use list::{Identity, List, Period, Pointer, Provider, Qualification, Service};
pub use packer::{NotPackedBy, with_signature};
pub use recognition::{
    Agreement, ContentContext, ContentRule, Equivalence, EquivalencePeriod, QcStatement, ServiceKind,
};
pub use signature::SignatureDefect;
pub use snapshot::SnapshotError;
pub use state::{ListState, Missing, Problem, ProblemKey, RecognisedService, Role};

use crate::facts::Packer;
use crate::formats::xades::{Root, Unpacked};
use crate::formats::xml::{self, XmlError};
use crate::policy::Policy;
use crate::time::Time;
use crate::x509::Certificate;
use index::{Content, Index};
use sha2::Digest as _;
use std::sync::Arc;

/// The namespace of trusted lists.
const TSL: &str = "http://uri.etsi.org/02231/v2#";
/// The namespace of additional types.
const ADDITIONAL_TYPES: &str = "http://uri.etsi.org/02231/v2/additionaltypes#";
/// The namespace of qualifications.
const QUALIFICATIONS: &str = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";

/// Octets of one list. The largest has 3 MB.
const OCTETS: usize = 32 << 20;

/// Why a file is not read as a trusted list.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// Too large.
    #[error("the file has {found} octets, and a list may have {limit}")]
    TooLarge { found: usize, limit: usize },
    /// No XML.
    #[error("the file is not XML: {0}")]
    Xml(#[from] XmlError),
    /// Other XML.
    #[error("the file is {found}, expected a TrustServiceStatusList of TS 119 612")]
    NotAList { found: String },
    /// Something else than a list of trusted entities.
    #[error("the file is {found}, expected a ListOfTrustedEntities of TS 119 602")]
    NotEntities { found: String },
    /// Past a bound.
    #[error("the list has more than {limit} {what}")]
    TooMany { what: &'static str, limit: usize },
}

/// A file that should be a list, read.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    size: usize,
    sha256: [u8; 32],
    loaded: Option<Time>,
    read: Result<Signed, ListError>,
}

impl Source {
    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the list says, whoever signed it; `None` where the file is no list.
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

/// Reads a file as a trusted list and judges its signature.
///
/// `name` is the file's name, by which pivots and lists are found; `loaded` when it was fetched, as far as that is known.
pub fn read(name: &str, octets: &[u8], loaded: Option<Time>) -> Source {
    Source {
        name: name.to_owned(),
        size: octets.len(),
        sha256: sha2::Sha256::digest(octets).into(),
        loaded,
        read: signed(octets),
    }
}

fn signed(octets: &[u8]) -> Result<Signed, ListError> {
    if octets.len() > OCTETS {
        return Err(ListError::TooLarge { found: octets.len(), limit: OCTETS });
    }
    match Unpacked::of(xml::read(octets, &xml::Options::default())?) {
        Root::Signed(unpacked) => {
            let list = read::list(unpacked.tree())?;
            let at = list.issue_date.unwrap_or_default();
            let signer = signature::signer(&unpacked, &Policy::trusted_lists(), at);
            Ok(Signed { list, signer })
        }
        Root::Other(tree) => Ok(Signed { list: read::list(&tree)?, signer: Err(SignatureDefect::Missing) }),
    }
}

/// The lists of one day, assembled: made once, shared by all documents.
#[derive(Debug, Clone)]
pub struct TrustedLists(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Where the signers of the list of lists were announced; `None` where the caller says who may sign.
    announced: Option<String>,
    states: Vec<ListState>,
    missing: Vec<Missing>,
    /// What trusted lists say, by their place among `states`.
    contents: Vec<(usize, Content)>,
    index: Index,
    /// Who signed the snapshot that the lists come from.
    packed_by: Option<Packer>,
}

impl TrustedLists {
    /// What came of each file, lists of lists first, then by country.
    pub fn states(&self) -> &[ListState] {
        &self.0.states
    }

    /// The lists that a trusted list of lists points at and that are not there.
    pub fn missing(&self) -> &[Missing] {
        &self.0.missing
    }

    /// Where the signers of the list of lists were announced; `None` where the caller named them.
    pub fn announced(&self) -> Option<&str> {
        self.0.announced.as_deref()
    }

    /// Who signed the snapshot that the lists come from, whoever that is; `None` where nobody did.
    pub fn packed_by(&self) -> Option<&Packer> {
        self.0.packed_by.as_ref()
    }

    /// When the newest of the trusted lists was issued: of what day they are.
    pub fn newest_issue(&self) -> Option<Time> {
        self.states().iter().filter(|state| state.trusted).filter_map(|state| state.issue_date).max()
    }

    /// How many lists make somebody trusted.
    pub fn trusted(&self) -> usize {
        self.states().iter().filter(|state| state.trusted && state.role == Role::TrustedList).count()
    }

    /// The state of the list that a content is of.
    fn state(&self, content: usize) -> Option<&ListState> {
        let (state, _) = self.0.contents.get(content)?;
        self.0.states.get(*state)
    }
}
