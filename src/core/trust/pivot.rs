//! Pivots: the chain from the published LOTL-signing certificates to the current list of trusted lists (LOTL).
//!
//! When the LOTL-signing certificates change, a *pivot* is published: an issue of the LOTL, signed by one of the former
//! certificates, whose pointer to itself names the new ones. In `SchemeInformationURI` a LOTL names its pivots since
//! the publication in the Official Journal, newest first, and then that publication (TS 119 615 §4.1).

use super::list::List;
use super::lotl_signers::LotlSigningCertificates;
use super::signature::SignatureDefect;
use crate::x509::Certificate;

/// A list of trusted lists or pivot, with its signer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link<'a> {
    /// Its index among the sources.
    pub place: usize,
    pub list: &'a List,
    pub signer: Result<&'a Certificate, &'a SignatureDefect>,
}

/// Why the chain of pivots from the LOTL-signing certificates to a list of trusted lists is broken.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PivotError {
    /// A pivot is absent.
    #[error("the pivot {url} is missing")]
    Missing { url: String },
    /// The signature of a pivot, or of the list itself, is not valid.
    #[error("{list}: {defect}")]
    Signature { list: String, defect: SignatureDefect },
    /// The signer is not named by the preceding pivot or publication.
    #[error("{list} is signed by {signer}, who is not among the {announced} signers named by {by}")]
    NotAnnounced { list: String, signer: String, announced: usize, by: String },
    /// A pivot names no LOTL-signing certificates.
    #[error("{list} names no signers of the list of lists")]
    NamesNobody { list: String },
}

/// The most pivots that are followed. The LOTL had 13 in ten years.
const PIVOTS: usize = 100;

/// Returns the pivots that a list names before `announcement`, newest first.
fn pivots(list: &List, announcement: usize) -> impl DoubleEndedIterator<Item = &str> {
    let before = list.information.iter().take(announcement).map(String::as_str);
    before.filter(|uri| is_pivot(uri)).take(PIVOTS).collect::<Vec<_>>().into_iter()
}

fn is_pivot(uri: &str) -> bool {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("xml"))
}

fn is_announcement(uri: &str) -> bool {
    uri.strip_prefix("https://")
        .or(uri.strip_prefix("http://"))
        .is_some_and(|rest| rest.starts_with("eur-lex.europa.eu/"))
}

/// Follows the chain from the LOTL-signing certificates to the list, and returns the pivots on it.
///
/// The chain starts at the publication that the caller's certificates name. Where they name none, it starts at the
/// newest publication whose next issue is signed by one of them. Every later pivot must be present and signed.
pub(super) fn follow<'a>(
    lotl: Link<'a>,
    announcement: &LotlSigningCertificates,
    find: impl Fn(&str) -> Option<Link<'a>>,
) -> Result<Vec<usize>, PivotError> {
    let information = &lotl.list.information;
    let named = |url: &String| information.iter().position(|uri| uri == url);
    let start = match announcement.url.as_ref().and_then(named) {
        Some(place) => place,
        None => {
            let announced =
                information.iter().enumerate().filter(|(_, uri)| is_announcement(uri)).map(|(place, _)| place);
            let mut starts: Vec<usize> = std::iter::once(0).chain(announced).collect();
            let last = starts.pop().unwrap_or_default();
            let leads = |start: &usize| {
                let first = match pivots(lotl.list, *start).next_back() {
                    Some(oldest) => find(oldest),
                    None => Some(lotl),
                };
                let signer = first.and_then(|link| link.signer.ok());
                signer.is_some_and(|signer| announcement.signers.contains(signer.sha256()))
            };
            starts.into_iter().find(leads).unwrap_or(last)
        }
    };
    let mut signers = announcement.signers.clone();
    let mut by = announcement.url.clone().unwrap_or_else(|| "the caller".into());
    let mut over = vec![];
    for url in pivots(lotl.list, start).rev() {
        let pivot = find(url).ok_or_else(|| PivotError::Missing { url: url.into() })?;
        if pivot.place == lotl.place {
            // The newest pivot is the list itself: it is judged below.
            continue;
        }
        check(pivot, url, &signers, &by)?;
        signers = announced(pivot.list, lotl.list);
        if signers.is_empty() {
            return Err(PivotError::NamesNobody { list: url.into() });
        }
        by = url.into();
        over.push(pivot.place);
    }
    check(lotl, &name(lotl.list), &signers, &by)?;
    Ok(over)
}

/// Checks that one of `signers` signed the list.
fn check(link: Link<'_>, name: &str, signers: &[[u8; 32]], by: &str) -> Result<(), PivotError> {
    let signer = link.signer.map_err(|defect| PivotError::Signature { list: name.into(), defect: defect.clone() })?;
    if signers.contains(signer.sha256()) {
        return Ok(());
    }
    let (list, signer) = (name.to_owned(), signer.subject().rfc2253().to_owned());
    Err(PivotError::NotAnnounced { list, signer, announced: signers.len(), by: by.into() })
}

/// Returns the signers that a pivot names for the list: those of its pointer to a list of that type and territory.
fn announced(pivot: &List, lotl: &List) -> Vec<[u8; 32]> {
    let own = pivot
        .pointers
        .iter()
        .filter(|pointer| pointer.list_type.as_deref() == Some(&lotl.list_type) && pointer.territory == lotl.territory);
    own.flat_map(|pointer| pointer.signers.iter().copied()).collect()
}

/// Returns the name of a list of trusted lists in messages.
fn name(list: &List) -> String {
    format!("list of lists {}", list.sequence_number.map_or_else(|| "without a number".into(), |n| n.to_string()))
}
