//! Lists of trusted entities: TS 119 602, as JSON (JAdES) and as XML (XAdES).
//!
//! Such a list names providers of wallets, of identification data, of attestations, and whoever issues access
//! certificates to those that rely on them. It is about something else than TS 119 612 is, and nothing in it makes a
//! certificate a qualified one. [`read_entities`] reads it and judges its signature; who may sign it, and whether its
//! certificates are trusted for anything, its reader says ([`Entities::certificates_signed_by`]).

mod json;
mod xml;

use super::signature::{SignatureDefect, signer, valid};
use super::{ListError, OCTETS};
use crate::budget::Budget;
use crate::facts::LangText;
use crate::formats::xades;
use crate::formats::xml::{Options, read};
use crate::formats::{Contents, jose};
use crate::hex;
use crate::policy::Policy;
use crate::time::Time;
use crate::x509::Certificate;
use sha2::Digest as _;

/// The namespace of lists of trusted entities.
const LOTE: &str = "http://uri.etsi.org/019602/v1#";
/// Entities, services and certificates of one list, each. National lists have dozens.
const ENTRIES: usize = 20_000;

/// A list of trusted entities: TS 119 602 §6.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EntityList {
    /// The version of the format.
    pub version: Option<i64>,
    /// The number of this issue.
    pub sequence_number: Option<i64>,
    /// Of what the list is: a URI.
    pub list_type: Option<String>,
    /// Who publishes it.
    pub operator: Vec<LangText>,
    /// How its scheme is called.
    pub scheme: Vec<LangText>,
    /// Where it holds.
    pub territory: Option<String>,
    /// When it was issued.
    pub issue_date: Option<Time>,
    /// When the next one is due at the latest.
    pub next_update: Option<Time>,
    /// Who is listed.
    pub entities: Vec<TrustedEntity>,
}

/// A trusted entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TrustedEntity {
    /// Its names.
    pub names: Vec<LangText>,
    /// What it does.
    pub services: Vec<EntityService>,
}

/// A service of a trusted entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EntityService {
    /// A URI.
    pub service_type: Option<String>,
    /// Its names.
    pub names: Vec<LangText>,
    /// A URI; lists whose entries are all in force state none.
    pub status: Option<String>,
    /// Since when.
    pub start: Option<Time>,
    /// By what it is known: DER.
    pub certificates: Vec<Vec<u8>>,
}

/// A file that is a list of trusted entities, and who signed it.
#[derive(Debug, Clone)]
pub struct Entities {
    list: EntityList,
    signer: Result<Certificate, SignatureDefect>,
    sha256: String,
}

impl EntityService {
    /// Whether it is in force: it states no status, or one that says so.
    pub fn is_in_force(&self) -> bool {
        let word = self.status.as_deref().map(|uri| uri.rsplit('/').next().unwrap_or_default());
        word.is_none_or(|word| ["granted", "notified"].contains(&word))
    }
}

impl Entities {
    /// What the list says, whoever signed it.
    pub fn list(&self) -> &EntityList {
        &self.list
    }

    /// Whose signature it has; why it has none that is valid.
    pub fn signer(&self) -> Result<&Certificate, &SignatureDefect> {
        self.signer.as_ref()
    }

    /// The SHA-256 of the file, lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// The certificates of the services in force, where one of these signed the list; of one type only where it is given.
    ///
    /// # Errors
    ///
    /// When none of these signed it.
    pub fn certificates_signed_by(
        &self,
        signers: &[Certificate],
        service_type: Option<&str>,
    ) -> Result<Vec<&[u8]>, NotTheirs> {
        let signer = self.signer.as_ref().map_err(|defect| NotTheirs::Signature(defect.clone()))?;
        if !signers.contains(signer) {
            let signer = signer.subject().rfc2253().to_owned();
            return Err(NotTheirs::Signer { signer, expected: signers.len() });
        }
        let services = self.list.entities.iter().flat_map(|entity| &entity.services);
        let wanted = services.filter(|service| {
            service.is_in_force() && service_type.is_none_or(|wanted| service.service_type.as_deref() == Some(wanted))
        });
        let mut all: Vec<&[u8]> = wanted.flat_map(|service| service.certificates.iter().map(Vec::as_slice)).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }
}

/// Why certificates of a list of trusted entities are not used.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotTheirs {
    /// It has no signature that counts.
    #[error(transparent)]
    Signature(#[from] SignatureDefect),
    /// Somebody else signed it.
    #[error("the list is signed by {signer}, expected one of the {expected} that may sign it")]
    Signer { signer: String, expected: usize },
}

/// Reads a list of trusted entities and judges its signature.
///
/// # Errors
///
/// When the file is no such list, or goes beyond a bound.
pub fn read_entities(octets: &[u8]) -> Result<Entities, ListError> {
    if octets.len() > OCTETS {
        return Err(ListError::TooLarge { found: octets.len(), limit: OCTETS });
    }
    let (list, signer) = match octets.trim_ascii_start().first() {
        Some(b'<') => of_xml(octets)?,
        Some(b'{') => of_json(octets, false)?,
        _ => of_json(octets, true)?,
    };
    Ok(Entities { list, signer, sha256: hex::lower(&sha2::Sha256::digest(octets)) })
}

type Read = (EntityList, Result<Certificate, SignatureDefect>);

fn of_xml(octets: &[u8]) -> Result<Read, ListError> {
    match xades::Unpacked::of(read(octets, &Options::default())?) {
        xades::Root::Signed(unpacked) => {
            let list = xml::list(unpacked.tree())?;
            let at = list.issue_date.unwrap_or_default();
            Ok((list, signer(&unpacked, &Policy::trusted_lists(), at)))
        }
        xades::Root::Other(tree) => Ok((xml::list(&tree)?, Err(SignatureDefect::Missing))),
    }
}

fn of_json(octets: &[u8], compact: bool) -> Result<Read, ListError> {
    let budget = Budget::default();
    let other =
        |found: &dyn std::fmt::Display| ListError::NotAList { found: format!("no JSON Web Signature: {found}") };
    let Some(unpacked) = jose::Unpacked::read(octets, compact, &budget).map_err(|error| other(&error))? else {
        return Ok((json::list(octets, &budget)?, Err(SignatureDefect::Missing)));
    };
    let payload = unpacked.payload().ok_or_else(|| other(&"it has no payload of its own"))?;
    let list = json::list(&payload, &budget)?;
    let at = list.issue_date.unwrap_or_default();
    let draft = unpacked.draft(&Contents::default());
    let signer = match draft.signatures.len() {
        1 => valid(draft, &Policy::trusted_lists(), at),
        found => Err(SignatureDefect::Several { found }),
    };
    Ok((list, signer))
}

/// What is left of the entries that a list may have.
struct Entries(usize);

impl Entries {
    fn spend(&mut self) -> Result<(), ListError> {
        self.0 = self.0.checked_sub(1).ok_or(ListError::TooMany { what: "entries", limit: ENTRIES })?;
        Ok(())
    }
}
