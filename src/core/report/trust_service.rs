//! The entry of a trusted list under which a certificate was issued, as reports name it.

use super::Report;
use crate::facts::{Certificate, LangText, TrustService as Entry, TrustServiceProvider};
use crate::time::Time;
use serde::Serialize;

/// An entry of a trusted list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct TrustService<'a> {
    /// The country whose list it is.
    pub(super) country: Option<&'a str>,
    /// Where the list is published.
    pub(super) list: &'a str,
    /// The number of that issue of the list.
    pub(super) list_number: Option<i64>,
    /// The time of that issue of the list.
    pub(super) list_issued: Option<Time>,
    /// The name of the service in the list.
    pub(super) service: Option<&'a str>,
    /// The last word of the status URI: `granted`, `withdrawn`, …
    pub(super) status: Option<&'a str>,
    /// The time since which it has that status.
    pub(super) since: Option<Time>,
    /// The mutual recognition under which the service of a country outside the Union counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mutual_recognition: Option<MutualRecognition<'a>>,
    /// Whether the list is of a country outside the Union, and no mutual recognition is in force.
    #[serde(skip)]
    pub(super) foreign: bool,
}

/// The equivalence by which a service counts as one of the Union's: eIDAS article 14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct MutualRecognition<'a> {
    /// The legal identifier of the service in the agreement.
    pub(super) agreement: &'a str,
    /// Whether the equivalence is in force.
    pub(super) enacted: bool,
    /// The time since which it is in force.
    pub(super) since: Option<Time>,
    /// The time until which it is in force.
    pub(super) until: Option<Time>,
    /// The last word of the status URI in the country's own list.
    pub(super) status: Option<&'a str>,
}

/// Returns the service of a certificate that was listed at `time`; where none was, the one listed last.
///
/// A service for qualified certificates goes before others (TS 119 612 §5.5.1.1).
pub(super) fn of<'a>(report: &'a Report, certificate: &'a Certificate, time: Time) -> Option<TrustService<'a>> {
    let entries = certificate.trust_service_providers.iter().flat_map(|p| p.services.iter().map(move |s| (p, s)));
    let (provider, entry) =
        entries.reduce(|best, next| if rank(next.1, time) > rank(best.1, time) { next } else { best })?;
    Some(described(report, provider, entry))
}

fn rank(entry: &Entry, time: Time) -> (bool, bool, Option<Time>) {
    let listed = entry.start.is_some_and(|start| start <= time) && entry.end.is_none_or(|end| time <= end);
    (listed, entry.service_type.as_deref().is_some_and(|uri| uri.ends_with("/CA/QC")), entry.start)
}

fn recognition(entry: &Entry) -> Option<MutualRecognition<'_>> {
    let mapping = entry.mra.as_ref()?;
    Some(MutualRecognition {
        agreement: &mapping.legal_identifier,
        enacted: entry.enacted_mra == Some(true),
        since: mapping.equivalence_start,
        until: mapping.equivalence_end,
        status: mapping.original_status.as_deref().and_then(last_word),
    })
}

/// Returns the last word of a URI of TS 119 612.
pub(super) fn last_word(uri: &str) -> Option<&str> {
    uri.rsplit('/').next()
}

fn described<'a>(report: &'a Report, provider: &'a TrustServiceProvider, entry: &'a Entry) -> TrustService<'a> {
    let list = report.trusted_list(&provider.trusted_list);
    TrustService {
        country: list.and_then(|list| list.country.as_deref()),
        list: list.map_or(provider.trusted_list.as_str(), |list| &list.url),
        list_number: list.and_then(|list| list.sequence_number),
        list_issued: list.and_then(|list| list.issue_date),
        service: name(&entry.names),
        status: entry.status.as_deref().and_then(last_word),
        since: entry.start,
        mutual_recognition: recognition(entry),
        foreign: list.is_some_and(|list| list.mra || list.third_country) && entry.enacted_mra != Some(true),
    }
}

/// Returns the type of a service as TS 119 612 §5.5.1 abbreviates it, such as `CA/QC`.
pub(super) fn kind(entry: &Entry) -> String {
    let uri = entry.service_type.as_deref().unwrap_or("?");
    uri.split_once("/Svctype/").map_or(uri, |(_, kind)| kind).to_owned()
}

/// Returns the English name, else the first.
pub(super) fn name(names: &[LangText]) -> Option<&str> {
    let english = names.iter().find(|name| name.lang.eq_ignore_ascii_case("en"));
    english.or(names.first()).map(|name| name.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Facts;
    use crate::report::testing;

    fn entry(name: &str, service_type: &str, start: &str, end: Option<&str>) -> Entry {
        let time = |text: &str| text.parse().ok();
        Entry {
            names: vec![
                LangText { lang: "et".into(), text: "Teenus".into() },
                LangText { lang: "EN".into(), text: name.into() },
            ],
            service_type: Some(format!("http://uri.etsi.org/TrstSvc/Svctype/{service_type}")),
            status: Some("http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted".into()),
            start: time(start),
            end: end.and_then(time),
            ..Entry::default()
        }
    }

    #[test]
    fn the_service_listed_at_the_time_is_named() {
        let (early, late) = ("2017-01-01T00:00:00Z", "2020-01-01T00:00:00Z");
        let rows = [
            (
                "5.5.10: the period of the time",
                "2018-01-01T00:00:00Z",
                vec![entry("A", "CA/QC", early, Some(late)), entry("B", "CA/QC", late, None)],
                Some("A"),
            ),
            (
                "5.5.10: the period of a later time",
                "2021-01-01T00:00:00Z",
                vec![entry("A", "CA/QC", early, Some(late)), entry("B", "CA/QC", late, None)],
                Some("B"),
            ),
            (
                "5.5.1.1: qualified certificates first",
                "2021-01-01T00:00:00Z",
                vec![entry("A", "CA/QC", early, None), entry("B", "CA/PKC", late, None)],
                Some("A"),
            ),
            ("not listed yet", "2016-01-01T00:00:00Z", vec![entry("A", "CA/QC", early, None)], Some("A")),
            ("no service", early, vec![], None),
        ];
        for (situation, time, services, expected) in rows {
            let provider = TrustServiceProvider { services, ..TrustServiceProvider::default() };
            let certificate = Certificate { trust_service_providers: vec![provider], ..Certificate::default() };
            let found = of_default(&certificate, time.parse().unwrap_or_default());
            assert_eq!(found.as_deref(), expected, "TS 119 612 {situation}");
        }
    }

    fn of_default(certificate: &Certificate, time: Time) -> Option<String> {
        of(&testing::report(Facts::default()), certificate, time).and_then(|found| found.service.map(str::to_owned))
    }
}
