//! Who may sign the list of lists, and the way from an announcement to today's list: its pivots.
//!
//! The Official Journal announces the certificates that may sign the list of lists. When they change, a *pivot* is
//! published: an issue of the list, signed under the set before, whose pointer to itself names the new set. A list of
//! lists names its pivots since the announcement, newest first, in `SchemeInformationURI`, then the announcement.

use super::list::List;
use super::signature::SignatureDefect;
use crate::x509::Certificate;

/// Certificates that may sign a list of lists, and where they were announced.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Announcement {
    /// The place of the announcement, as lists of lists name it; `None` where the caller says who may sign.
    pub url: Option<String>,
    /// The day of the announcement.
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

impl Announcement {
    /// The announcement in the Official Journal that this version of lacre was made with.
    pub fn official_journal() -> Self {
        Self {
            url: Some(OFFICIAL_JOURNAL.into()),
            date: Some(OFFICIAL_JOURNAL_DATE),
            signers: OFFICIAL_JOURNAL_SIGNERS.iter().filter_map(|digest| crate::hex::array(digest)).collect(),
        }
    }

    /// The caller's own: these certificates may sign.
    pub fn of(certificates: &[Certificate]) -> Self {
        Self { url: None, date: None, signers: certificates.iter().map(|c| *c.sha256()).collect() }
    }
}

/// A list of lists or pivot, as far as the chain needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link<'a> {
    /// Its place among the sources.
    pub place: usize,
    pub list: &'a List,
    pub signer: Result<&'a Certificate, &'a SignatureDefect>,
}

/// Where the way from the announcement to a list of lists breaks.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BrokenChain {
    /// A pivot is not there.
    #[error("the pivot {url} is missing")]
    Missing { url: String },
    /// The signature of a pivot, or of the list itself, is not valid.
    #[error("{list}: {defect}")]
    Signature { list: String, defect: SignatureDefect },
    /// It is signed by somebody whom the set before does not name.
    #[error("{list} is signed by {signer}, who is not among the {announced} signers named by {by}")]
    NotAnnounced { list: String, signer: String, announced: usize, by: String },
    /// A pivot that names nobody.
    #[error("{list} names no signers of the list of lists")]
    NamesNobody { list: String },
}

/// Pivots that are followed. The list of lists had 13 in ten years.
const PIVOTS: usize = 100;

/// The pivots that a list of lists names above `announcement`, newest first.
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

/// Follows the way from the announcement to the list of lists; the pivots that it led over.
///
/// Where several announcements are named and it is not known which one is the caller's, it is the newest from which the
/// next issue is signed by one of the caller's certificates. From there on every pivot has to be there, and signed.
pub(super) fn follow<'a>(
    lotl: Link<'a>,
    announcement: &Announcement,
    find: impl Fn(&str) -> Option<Link<'a>>,
) -> Result<Vec<usize>, BrokenChain> {
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
        let pivot = find(url).ok_or_else(|| BrokenChain::Missing { url: url.into() })?;
        if pivot.place == lotl.place {
            // The newest pivot is the list itself: it is judged below.
            continue;
        }
        check(pivot, url, &signers, &by)?;
        signers = announced(pivot.list, lotl.list);
        if signers.is_empty() {
            return Err(BrokenChain::NamesNobody { list: url.into() });
        }
        by = url.into();
        over.push(pivot.place);
    }
    check(lotl, &name(lotl.list), &signers, &by)?;
    Ok(over)
}

/// Whether one of `signers` signed it.
fn check(link: Link<'_>, name: &str, signers: &[[u8; 32]], by: &str) -> Result<(), BrokenChain> {
    let signer = link.signer.map_err(|defect| BrokenChain::Signature { list: name.into(), defect: defect.clone() })?;
    if signers.contains(signer.sha256()) {
        return Ok(());
    }
    let (list, signer) = (name.to_owned(), signer.subject().rfc2253().to_owned());
    Err(BrokenChain::NotAnnounced { list, signer, announced: signers.len(), by: by.into() })
}

/// The signers that a pivot names for the list of lists: its pointer to a list of that type and territory.
fn announced(pivot: &List, lotl: &List) -> Vec<[u8; 32]> {
    let own = pivot
        .pointers
        .iter()
        .filter(|pointer| pointer.list_type.as_deref() == Some(&lotl.list_type) && pointer.territory == lotl.territory);
    own.flat_map(|pointer| pointer.signers.iter().copied()).collect()
}

/// How messages name a list of lists.
fn name(list: &List) -> String {
    format!("list of lists {}", list.sequence_number.map_or_else(|| "without a number".into(), |n| n.to_string()))
}
