//! Trusted lists whose next update was due before the time judged for: what becomes of a qualification, and where the
//! reader is told. TS 119 612 §5.3.15, TS 119 615 §4.1, §4.2.

use lacre::{
    Document, Policy, Report, Time, Validator,
    report::{CertificateQualification, Language, Severity, WantedKind},
    trust::{LotlSigningCertificates, TrustedLists, read},
};
use lacre_core::policy::{Level, PolicySection, RuleName};
use lacre_testkit::authorities::{Pki, now};
use lacre_testkit::trusted_list::{List, Signer};
use serde_json::Value;

const LOTL: &str = "https://lists.example/lotl.xml";
const NATIONAL: &str = "https://lists.example/EE.xml";

/// A seal, and who signs the lists that make its authority a qualified one.
struct Scheme {
    pki: Pki,
    sealed: Vec<u8>,
    union: Signer,
    country: Signer,
    start: Time,
}

/// When the next update of a list is due.
#[derive(Clone, Copy)]
enum Next {
    /// So many days after the start.
    Day(i64),
    Closed,
}

impl Scheme {
    fn new() -> Self {
        let pki = Pki::new("http://127.0.0.1:9");
        let sealed = pki.signed(b"a deed");
        Self { pki, sealed, union: Signer::new("LOTL"), country: Signer::new("EE"), start: now() }
    }

    fn day(&self, days: i64) -> Time {
        self.start.plus_millis(days * 86_400_000 + 1000)
    }

    fn due(&self, next: Next) -> Option<Time> {
        match next {
            Next::Day(days) => Some(self.day(days)),
            Next::Closed => None,
        }
    }

    fn lotl(&self, next: Next) -> Vec<u8> {
        let pointers =
            [(LOTL.to_owned(), "EU", true, vec![&self.union]), (NATIONAL.to_owned(), "EE", false, vec![&self.country])];
        let list =
            List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
        self.union.signed(&list.text_until(self.due(next)))
    }

    fn national(&self, next: Next) -> Vec<u8> {
        let services = [&self.pki.authority];
        let list =
            List { of_lists: false, territory: "EE", number: 62, information: &[], pointers: &[], services: &services };
        self.country.signed(&list.text_until(self.due(next)))
    }

    fn lists(&self, files: &[(&str, Vec<u8>)]) -> TrustedLists {
        let sources = files.iter().map(|(name, bytes)| read(name, bytes, Some(self.start))).collect();
        TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&self.union.certificate)))
    }

    fn validator(&self, policy: Policy, lists: &TrustedLists) -> Validator {
        Validator::new(policy).trusted_lists(lists).evidence(&self.pki.crl(false)).expect("it is a CRL")
    }

    fn report(&self, policy: Policy, lists: &TrustedLists, days: i64) -> Report {
        let validator = self.validator(policy, lists);
        validator.validate(&Document::new(&self.sealed), self.day(days)).expect("it is CMS")
    }
}

/// The findings on overdue lists: severity and territory of the list.
fn overdue(json: &Value) -> Vec<(String, String)> {
    let lists = json["trusted_lists"].as_array().expect("lists");
    let country = |token: &Value| {
        let list = lists.iter().find(|list| list["id"] == *token).expect("the finding names a list of the report");
        list["country"].as_str().expect("a territory").to_owned()
    };
    let findings = json["signatures"][0]["qualification_findings"].as_array().expect("findings").iter();
    let expired = findings.filter(|finding| finding["check"] == "QUAL_TL_EXP_ANS");
    expired.map(|f| (f["severity"].as_str().expect("a severity").to_owned(), country(&f["token"]))).collect()
}

fn at_level(level: Level) -> Policy {
    Policy::eidas().with_level(PolicySection::Eidas, RuleName::TLNotExpired, level)
}

#[test]
fn an_overdue_list_makes_nobody_qualified() {
    use Next::{Closed, Day};
    let scheme = Scheme::new();
    let schema: Value = serde_json::from_str(include_str!("../docs/report.schema.json")).expect("JSON");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let eidas = Policy::eidas;
    let (error, warning) = (Severity::Error.as_str(), Severity::Warning.as_str());
    for (situation, policy, lotl, national, judged, expected, found, state) in [
        ("current", eidas(), Day(2), Day(2), 0, "QESEAL", vec![], "lists"),
        ("overdue later, current at the time judged for", eidas(), Day(2), Day(2), 1, "QESEAL", vec![], "lists"),
        ("overdue at the time judged for", eidas(), Day(5), Day(2), 3, "NA", vec![(error, "EE")], "stale-lists"),
        ("the list of lists is overdue", eidas(), Day(2), Day(5), 3, "NA", vec![(error, "EU")], "lists"),
        ("due at the time judged for", eidas(), Day(5), Day(3), 3, "NA", vec![(error, "EE")], "stale-lists"),
        (
            "overdue, and the policy warns",
            at_level(Level::Warn),
            Day(2),
            Day(2),
            3,
            "QESEAL",
            vec![(warning, "EU"), (warning, "EE")],
            "stale-lists",
        ),
        (
            "overdue, and the policy is DSS's",
            Policy::dss(),
            Day(5),
            Day(2),
            3,
            "QESEAL",
            vec![(warning, "EE")],
            "stale-lists",
        ),
        (
            "overdue, and the policy ignores it",
            at_level(Level::Ignore),
            Day(2),
            Day(2),
            3,
            "QESEAL",
            vec![],
            "stale-lists",
        ),
        ("closed: neither overdue nor current", eidas(), Day(5), Closed, 3, "QESEAL", vec![], "lists"),
    ] {
        let lists = scheme.lists(&[("lotl.xml", scheme.lotl(lotl)), ("EE.xml", scheme.national(national))]);
        let report = scheme.report(policy, &lists, judged);
        let (text, trace, xml) = (report.to_text(), report.to_trace(), report.to_etsi_xml());
        let json: Value = serde_json::from_str(&report.to_json()).expect("JSON");
        let signature = &json["signatures"][0];
        assert_eq!(signature["indication"], "TOTAL-PASSED", "{situation}: {text}");
        assert_eq!(signature["qualification"], expected, "TS 119 615 §4.2: {situation}: {text}");
        let found: Vec<(String, String)> =
            found.iter().map(|(s, l): &(&str, &str)| (s.to_string(), l.to_string())).collect();
        assert_eq!(overdue(&json), found, "TS 119 612 §5.3.15: {situation}");
        assert_eq!(json["trust"]["state"], state, "{situation}");
        assert!(
            schema.is_valid(&json),
            "{situation}: {:?}",
            schema.iter_errors(&json).map(|e| e.to_string()).collect::<Vec<_>>()
        );

        // Every form says it, names the list and the date, and what to do.
        let told = !found.is_empty();
        let wanted: Vec<_> = report.wanted().into_iter().filter(|want| want.kind == WantedKind::TrustedList).collect();
        assert_eq!(wanted.len(), found.len(), "{situation}");
        assert!(
            wanted.iter().zip(&found).all(|(want, (_, list))| want.territory.as_ref() == Some(list)),
            "{situation}"
        );
        for (form, said) in [("text", &text), ("trace", &trace), ("ETSI", &xml)] {
            assert_eq!(said.contains("QUAL_TL_EXP_ANS"), told, "{situation}: {form}");
        }
        assert_eq!(text.contains("lacre lists update"), told, "{situation}: {text}");
        let decided = found.iter().any(|(severity, _)| severity == error);
        assert_eq!(text.contains("not determined"), decided, "{situation}: {text}");
        if decided {
            let next = if found[0].1 == "EU" { lotl } else { national };
            let due = scheme.due(next).expect("a date").to_string();
            let finding = signature["qualification_findings"].as_array().expect("findings").iter();
            let mut finding = finding.filter(|finding| finding["check"] == "QUAL_TL_EXP_ANS");
            let compared = finding.next().expect("found before")["compared"].as_str().expect("values").to_owned();
            assert!(compared.contains(&format!("next update {due}, after {}", scheme.day(judged))), "{compared}");
            assert!(xml.contains(&due) && trace.contains(&due), "{situation}");
            assert!(signature["qualification_text"].as_str().expect("a text").starts_with("Not determined"));
        }

        // The steps: lists, service, status period, qualifiers, conclusion.
        assert!(trace.contains("Trusted list EE") && trace.contains("number 62"), "{situation}: {trace}");
        let spoke = expected == "QESEAL";
        assert_eq!(trace.contains("type CA/QC, status granted from"), spoke, "{situation}: {trace}");
        assert_eq!(trace.contains("at the best-signature-time"), spoke, "{situation}: {trace}");
        assert!(xml.contains("urn:lacre:qualification:step"), "{situation}");
        assert_eq!(xml.contains("CA/QC"), spoke, "{situation}: {xml}");
        let html = report.to_html();
        assert!(
            html.contains("Determination of the qualification") && html.contains("sequence number 62"),
            "{situation}"
        );
    }
}

#[test]
fn the_certificate_of_an_overdue_list_is_not_determined() {
    let scheme = Scheme::new();
    let lists = scheme.lists(&[("lotl.xml", scheme.lotl(Next::Day(5))), ("EE.xml", scheme.national(Next::Day(2)))]);
    for (judged, expected, told) in
        [(1, CertificateQualification::QcertForEsealQscd, false), (3, CertificateQualification::Na, true)]
    {
        let validator = scheme.validator(Policy::eidas(), &lists);
        let report = validator.certificate(scheme.pki.signer.der(), scheme.day(judged)).expect("a certificate");
        assert_eq!(report.qualification_at_time(), expected, "TS 119 615 §4.4");
        assert_eq!(report.qualification_findings().any(|found| found.check == "QUAL_TL_EXP_ANS"), told);
        let text = report.to_text();
        assert_eq!(text.contains("not determined") && text.contains("lacre lists update"), told, "{text}");
        let json: Value = serde_json::from_str(&report.to_json()).expect("JSON");
        assert_eq!(json["wanted"][0]["territory"] == "EE" && json["wanted"][0]["urls"][0] == NATIONAL, told, "{json}");
    }
}

#[test]
fn every_language_says_what_to_do() {
    let scheme = Scheme::new();
    let lists = scheme.lists(&[("lotl.xml", scheme.lotl(Next::Day(5))), ("EE.xml", scheme.national(Next::Day(2)))]);
    let report = scheme.report(Policy::eidas(), &lists, 3);
    for language in Language::ALL {
        let text = report.clone().in_language(*language).to_text();
        assert!(text.contains("lacre lists update") && !text.contains('{'), "{language}: {text}");
    }
}

#[test]
fn a_missing_list_is_wanted_by_its_country() {
    let scheme = Scheme::new();
    let other = scheme.lists(&[("lotl.xml", scheme.lotl(Next::Day(5)))]);
    assert_eq!(other.missing().len(), 1, "the list of Estonia is not there");
    let report = scheme.report(Policy::eidas(), &other, 0);
    let json: Value = serde_json::from_str(&report.to_json()).expect("JSON");
    let wanted = json["wanted"].as_array().expect("wanted").iter().find(|want| want["kind"] == "trusted-list");
    let wanted = wanted.unwrap_or_else(|| panic!("a list is wanted: {json}"));
    assert_eq!((&wanted["territory"], &wanted["urls"][0]), (&"EE".into(), &NATIONAL.into()), "TS 119 612 §5.3.13");
    assert_eq!(json["trust"]["lists"]["missing_lists"][0]["url"], NATIONAL);
    assert!(report.to_text().contains("lacre lists update"), "{}", report.to_text());
}
