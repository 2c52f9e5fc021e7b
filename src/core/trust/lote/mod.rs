//! Lists of trusted entities: TS 119 602, as JSON (JAdES) and as XML (XAdES).
//!
//! Such a list names providers of wallets, of person identification data and of attestations, and issuers of access
//! certificates for relying parties. It is not a trusted list of TS 119 612, and no certificate is qualified because of
//! it. [`read_lote`] reads it and judges its signature. The caller decides who may sign it and what its certificates
//! are used for ([`Lote::certificates_signed_by`]).

mod json;
mod xml;

use super::signature::{SignatureDefect, signer, valid};
use super::{BYTES, ListError};
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
/// The most entities, services and certificates of one list. National lists have dozens.
const ENTRIES: usize = 20_000;

/// A list of trusted entities (TS 119 602 §6).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ListOfTrustedEntities {
    /// `LoTEVersionIdentifier`.
    pub version: Option<i64>,
    /// `LoTESequenceNumber`.
    pub sequence_number: Option<i64>,
    /// `LoTEType`, a URI.
    pub list_type: Option<String>,
    /// `SchemeOperatorName`.
    pub operator: Vec<LangText>,
    /// `SchemeName`.
    pub scheme: Vec<LangText>,
    /// `SchemeTerritory`, an ISO 3166 code.
    pub territory: Option<String>,
    /// `ListIssueDateTime`.
    pub issue_date: Option<Time>,
    /// `NextUpdate`.
    pub next_update: Option<Time>,
    /// The trusted entities.
    pub entities: Vec<TrustedEntity>,
}

/// A trusted entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TrustedEntity {
    /// `TEName`.
    pub names: Vec<LangText>,
    /// Its services.
    pub services: Vec<TrustedEntityService>,
}

/// A service of a trusted entity.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TrustedEntityService {
    /// `ServiceTypeIdentifier`, a URI.
    pub service_type: Option<String>,
    /// `ServiceName`.
    pub names: Vec<LangText>,
    /// `ServiceStatus`, a URI; absent in lists whose services are all in force.
    pub status: Option<String>,
    /// `StatusStartingTime`.
    pub start: Option<Time>,
    /// The certificates of its digital identity, in DER.
    pub certificates: Vec<Vec<u8>>,
}

/// A list of trusted entities and its signer.
#[derive(Debug, Clone)]
pub struct Lote {
    list: ListOfTrustedEntities,
    signer: Result<Certificate, SignatureDefect>,
    sha256: String,
}

impl TrustedEntityService {
    /// Returns whether the service is in force: it states no status, or `granted` or `notified`.
    pub fn is_in_force(&self) -> bool {
        let word = self.status.as_deref().map(|uri| uri.rsplit('/').next().unwrap_or_default());
        word.is_none_or(|word| ["granted", "notified"].contains(&word))
    }
}

impl Lote {
    /// Returns what the list says, whoever signed it.
    pub fn list(&self) -> &ListOfTrustedEntities {
        &self.list
    }

    /// Returns the signing certificate, or why there is no valid signature.
    pub fn signer(&self) -> Result<&Certificate, &SignatureDefect> {
        self.signer.as_ref()
    }

    /// Returns the SHA-256 of the file in lower-case hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns the certificates of the services in force, where one of `signers` signed the list; with a
    /// `service_type`, only those of that type.
    ///
    /// # Errors
    ///
    /// [`UntrustedSigner`] where none of `signers` signed the list.
    pub fn certificates_signed_by(
        &self,
        signers: &[Certificate],
        service_type: Option<&str>,
    ) -> Result<Vec<&[u8]>, UntrustedSigner> {
        let signer = self.signer.as_ref().map_err(|defect| UntrustedSigner::Signature(defect.clone()))?;
        if !signers.contains(signer) {
            let signer = signer.subject().rfc2253().to_owned();
            return Err(UntrustedSigner::Signer { signer, expected: signers.len() });
        }
        let services = self.list.entities.iter().flat_map(|entity| &entity.services);
        let wanted = services.filter(|service| {
            service.is_in_force() && service_type.is_none_or(|wanted| service.service_type.as_deref() == Some(wanted))
        });
        let mut all: Vec<&[u8]> = wanted.flat_map(|service| service.certificates.iter().map(Vec::as_slice)).collect();
        crate::order::sort(&mut all);
        all.dedup();
        Ok(all)
    }
}

/// Why the certificates of a list of trusted entities are not used.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UntrustedSigner {
    /// The list has no valid signature.
    #[error(transparent)]
    Signature(#[from] SignatureDefect),
    /// Another certificate signed the list.
    #[error("the list is signed by {signer}, expected one of the {expected} that may sign it")]
    Signer { signer: String, expected: usize },
}

/// Reads a list of trusted entities, in JSON (JAdES) or XML (XAdES), and judges its signature.
///
/// # Errors
///
/// [`ListError`] where the file is not such a list, or exceeds a bound.
///
/// ```
/// use lacre::trust::{SignatureDefect, read_lote};
///
/// let json = br#"{"LoTE":{"ListAndSchemeInformation":{"SchemeTerritory":"EU"},"TrustedEntitiesList":[]}}"#;
/// let lote = read_lote(json)?;
/// assert_eq!(lote.list().territory.as_deref(), Some("EU"));
/// assert_eq!(lote.signer(), Err(&SignatureDefect::Missing));
/// # Ok::<(), lacre::trust::ListError>(())
/// ```
pub fn read_lote(bytes: &[u8]) -> Result<Lote, ListError> {
    if bytes.len() > BYTES {
        return Err(ListError::TooLarge { found: bytes.len(), limit: BYTES });
    }
    let (list, signer) = match bytes.trim_ascii_start().first() {
        Some(b'<') => of_xml(bytes)?,
        Some(b'{') => of_json(bytes, false)?,
        _ => of_json(bytes, true)?,
    };
    Ok(Lote { list, signer, sha256: hex::lower(&sha2::Sha256::digest(bytes)) })
}

type Read = (ListOfTrustedEntities, Result<Certificate, SignatureDefect>);

fn of_xml(bytes: &[u8]) -> Result<Read, ListError> {
    match xades::Unpacked::of(read(bytes, &Options::default())?) {
        xades::Root::Signed(unpacked) => {
            let list = xml::list(unpacked.tree())?;
            let at = list.issue_date.unwrap_or_default();
            Ok((list, signer(&unpacked, &Policy::trusted_lists(), at)))
        }
        xades::Root::Other(tree) => Ok((xml::list(&tree)?, Err(SignatureDefect::Missing))),
    }
}

fn of_json(bytes: &[u8], compact: bool) -> Result<Read, ListError> {
    let budget = Budget::default();
    let other =
        |found: &dyn std::fmt::Display| ListError::NotAList { found: format!("no JSON Web Signature: {found}") };
    let Some(unpacked) = jose::Unpacked::read(bytes, compact, &budget).map_err(|error| other(&error))? else {
        return Ok((json::list(bytes, &budget)?, Err(SignatureDefect::Missing)));
    };
    let payload = unpacked.payload().ok_or_else(|| other(&"it has no payload of its own"))?;
    let list = json::list(&payload, &budget)?;
    let at = list.issue_date.unwrap_or_default();
    let draft = unpacked.draft(&Contents::default(), &budget).ok_or_else(|| other(&"its payload is too long"))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_in_force() {
        let json = |status: &str| {
            let service = format!("{{\"ServiceInformation\":{{{status}}}}}");
            let entity = format!("{{\"TrustedEntityServices\":[{service}]}}");
            format!("{{\"LoTE\":{{\"ListAndSchemeInformation\":{{}},\"TrustedEntitiesList\":[{entity}]}}}}")
        };
        let xml = |status: &str| {
            let service = format!(
                "<TrustedEntityService><ServiceInformation>{status}</ServiceInformation></TrustedEntityService>"
            );
            let entity =
                format!("<TrustedEntity><TrustedEntityServices>{service}</TrustedEntityServices></TrustedEntity>");
            let list = format!("<TrustedEntitiesList>{entity}</TrustedEntitiesList>");
            format!("<ListOfTrustedEntities xmlns=\"{LOTE}\">{list}</ListOfTrustedEntities>")
        };
        for (situation, list, expected) in [
            ("no status", json(""), true),
            ("granted", json("\"ServiceStatus\":\"http://x/granted\""), true),
            ("withdrawn", json("\"ServiceStatus\":\"http://x/withdrawn\""), false),
            ("in another form", json("\"ServiceStatus\":{\"value\":\"http://x/withdrawn\"}"), false),
            ("empty", json("\"ServiceStatus\":\"\""), false),
            ("no status", xml(""), true),
            ("granted", xml("<ServiceStatus>http://x/granted</ServiceStatus>"), true),
            ("empty", xml("<ServiceStatus/>"), false),
        ] {
            let read = read_lote(list.as_bytes()).expect("it is a list");
            assert_eq!(read.list().entities[0].services[0].is_in_force(), expected, "TS 119 602 6: {situation}");
        }
    }
}
