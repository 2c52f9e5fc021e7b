//! Mutual recognition: the translation of a service of another country, and of its certificates, into the terms of the
//! European Union (TS 119 615 §4.3.4).
//!
//! A service is recognised where exactly one equivalence of the agreement has its type, additional information and
//! status. A QC statement is recognised where the certificate meets the criteria that the agreement sets for it;
//! otherwise it counts as not stated.

use super::list::ServiceStatusPeriod;
use super::qc_statement::QcStatement;
use super::recognition::{Agreement, ContentContext, ContentRule, Equivalence, EquivalencePeriod};
use crate::facts::{ContentEquivalence, MraCertificateMapping, QcStatements};
use crate::time::Time;
use crate::x509::Certificate;

/// The Union's words for what services are for, in the order of EN 319 412-5's types of certificates.
const PURPOSES: [(&str, &str); 3] = [
    ("http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSignatures", "0.4.0.1862.1.6.1"),
    ("http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals", "0.4.0.1862.1.6.2"),
    ("http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForWebSiteAuthentication", "0.4.0.1862.1.6.3"),
];
/// Before the Union's qualifiers.
const QUALIFIER: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt";

/// Ends of qualifiers that restrict a service. They apply also where it is not known whether their criteria are met.
pub(super) const RESTRICTING: [&str; 3] = ["/NotQualified", "/QCNoQSCD", "/QCNoSSCD"];

/// EN 319 412-5: statements that rules are about.
const COMPLIANCE: &str = "0.4.0.1862.1.1";
const SSCD: &str = "0.4.0.1862.1.4";
const TYPES: &str = "0.4.0.1862.1.6";
const LEGISLATION: &str = "0.4.0.1862.1.7";

/// A period of a service of another country in the Union's words.
#[derive(Debug, Clone)]
pub(super) struct Recognised<'a> {
    pub equivalence: &'a Equivalence,
    pub under: &'a EquivalencePeriod,
    /// What it was, with one additional information at most,
    pub original: ServiceStatusPeriod,
    /// and what it is.
    pub period: ServiceStatusPeriod,
}

impl Agreement {
    /// Returns what the agreement makes of a period of a service from `since` on: as many as there are periods of the
    /// equivalence and purposes of the service; and the period, split by purpose, where it makes nothing of it.
    pub(super) fn recognise(
        &self,
        period: &ServiceStatusPeriod,
        since: Option<Time>,
    ) -> (Vec<Recognised<'_>>, Vec<ServiceStatusPeriod>) {
        let one = |information: &[String]| ServiceStatusPeriod {
            additional_information: information.to_vec(),
            ..period.clone()
        };
        let split: Vec<ServiceStatusPeriod> = match &period.additional_information[..] {
            [] => vec![one(&[])],
            several => several.chunks(1).map(one).collect(),
        };
        let (mut recognised, mut others) = (vec![], vec![]);
        for period in split {
            let holds = |under: &&EquivalencePeriod| {
                under.end.is_none_or(|end| since.is_none_or(|since| end >= since)) && under.knows(&period)
            };
            let mut known =
                self.equivalences.iter().filter(|equivalence| equivalence.periods.iter().any(|p| holds(&p)));
            match (known.next(), known.next()) {
                (Some(equivalence), None) => {
                    recognised.extend(equivalence.periods.iter().filter(holds).filter_map(|under| {
                        let original = period.clone();
                        Some(Recognised { equivalence, under, period: under.translated(&period)?, original })
                    }))
                }
                // Several would say different things of it.
                _ => others.push(period),
            }
        }
        (recognised, others)
    }
}

impl Recognised<'_> {
    /// Returns whether the certificate is for what the service is recognised for, as far as the two say so.
    pub fn serves(&self, certificate: &Certificate) -> bool {
        let purposes = self.period.additional_information.iter().filter(|uri| is_purpose(uri));
        let mut purposes = purposes.peekable();
        purposes.peek().is_none() || purposes.any(|purpose| for_purpose(certificate, purpose))
    }

    /// Returns from when to when the service was what the agreement says, and that was in force.
    pub fn span(&self) -> Option<(Time, Option<Time>)> {
        let start = self.period.start?.max(self.under.start);
        let end = [self.period.end, self.under.end].into_iter().flatten().min();
        (self.under.enacted && end.is_none_or(|end| start <= end)).then_some((start, end))
    }
}

impl EquivalencePeriod {
    fn knows(&self, period: &ServiceStatusPeriod) -> bool {
        self.kind_of(period).is_some() && self.statuses.iter().any(|(theirs, _)| *theirs == period.status)
    }

    fn kind_of(&self, period: &ServiceStatusPeriod) -> Option<&(super::ServiceKind, super::ServiceKind)> {
        self.types.iter().find(|(theirs, _)| {
            let stated = || theirs.information.iter().all(|uri| period.additional_information.contains(uri));
            theirs.service_type == period.service_type && stated()
        })
    }

    fn translated(&self, period: &ServiceStatusPeriod) -> Option<ServiceStatusPeriod> {
        let (theirs, ours) = self.kind_of(period)?;
        let (_, status) = self.statuses.iter().find(|(theirs, _)| *theirs == period.status)?;
        let mut information: Vec<String> = vec![];
        for uri in &period.additional_information {
            if theirs.information.as_ref() == Some(uri) {
                information.extend(ours.information.clone());
            } else if !is_purpose(uri) || ours.information.as_ref() == Some(uri) {
                // Another purpose than the one that is recognised is none.
                information.push(uri.clone());
            }
        }
        if period.additional_information.is_empty() {
            information.extend(ours.information.clone());
        }
        let mut period = ServiceStatusPeriod {
            service_type: ours.service_type.clone(),
            status: status.clone(),
            additional_information: information,
            ..period.clone()
        };
        for uri in period.qualifications.iter_mut().flat_map(|qualification| &mut qualification.qualifiers) {
            *uri = self.qualifier(uri);
        }
        Some(period)
    }

    /// Returns the Union's qualifier. One that takes something away does so in the words of any country.
    fn qualifier(&self, uri: &str) -> String {
        let translated = self.qualifiers.iter().find(|(theirs, _)| theirs == uri).map(|(_, ours)| ours.clone());
        let restricting = || RESTRICTING.iter().find(|end| uri.ends_with(*end));
        translated.unwrap_or_else(|| restricting().map_or_else(|| uri.to_owned(), |end| format!("{QUALIFIER}{end}")))
    }

    /// Returns whether a certificate was issued while that was in force.
    fn covers(&self, certificate: &Certificate) -> bool {
        let issued = certificate.not_before();
        self.enacted && self.start <= issued && self.end.is_none_or(|end| issued <= end)
    }
}

/// Returns whether additional information says what a service is for, in the Union's words.
fn is_purpose(uri: &str) -> bool {
    PURPOSES.iter().any(|(purpose, _)| *purpose == uri)
}

/// Returns whether a certificate is for that purpose as far as it says what it is for.
fn for_purpose(certificate: &Certificate, purpose: &str) -> bool {
    let Some(statements) = &certificate.extensions().qc_statements else { return true };
    let stated: Vec<&str> = match &statements.types[..] {
        // EN 319 412-5 §4.2.3: for signatures where nothing is said.
        [] if statements.compliance => vec![PURPOSES[0].1],
        [] => return true,
        types => types.iter().map(String::as_str).collect(),
    };
    PURPOSES.iter().any(|(uri, oid)| *uri == purpose && stated.contains(oid))
}

/// Returns the statements of a certificate in the Union's sense, under the services that issued it; `None` where the
/// agreement has nothing to say of them. Of what equivalences say differently, only what all of them say is stated.
pub(super) fn statements(certificate: &Certificate, services: &[Recognised<'_>]) -> Option<QcStatements> {
    if certificate.extensions().basic_constraints.is_some_and(|constraints| constraints.ca) {
        return None;
    }
    let mut found: Option<QcStatements> = None;
    for service in services.iter().filter(|service| service.under.covers(certificate)) {
        if service.under.contents.is_empty() {
            continue;
        }
        let next = translated(certificate, service);
        match &mut found {
            Some(known) => restrict(known, &next),
            None => found = Some(next),
        }
    }
    found
}

/// Leaves of the statements what the others state, too.
fn restrict(statements: &mut QcStatements, others: &QcStatements) {
    let before = statements.types.len();
    statements.types.retain(|kind| others.types.contains(kind));
    // EN 319 412-5 §4.2.3: without a type it would be for signatures, which neither says.
    let unlike = statements.types.is_empty() && (before, others.types.len()) != (0, 0);
    statements.compliance &= others.compliance && !unlike;
    statements.sscd &= others.sscd;
    // Of a third country where one of them says so.
    if let Some(countries) = &others.cc_legislation {
        let known = statements.cc_legislation.get_or_insert_default();
        let new: Vec<String> = countries.iter().filter(|country| !known.contains(country)).cloned().collect();
        known.extend(new);
    }
}

fn translated(certificate: &Certificate, service: &Recognised<'_>) -> QcStatements {
    let original = certificate.extensions().qc_statements.clone();
    let mut mapping = MraCertificateMapping {
        legal_identifier: service.equivalence.legal_identifier.clone(),
        original_compliance: original.as_ref().map(|qc| qc.compliance),
        original_sscd: original.as_ref().map(|qc| qc.sscd),
        original_types: original.as_ref().map(|qc| qc.types.clone()),
        original_cc_legislation: original.as_ref().and_then(|qc| qc.cc_legislation.clone()),
        original_qscd_legislation: original.as_ref().and_then(|qc| qc.qscd_legislation.clone()),
        original_others: original.as_ref().map(|qc| qc.others.clone()),
        ..MraCertificateMapping::default()
    };
    let mut statements = original.unwrap_or_default();
    // What a rule is about is stated where the rule says so, and not otherwise.
    for rule in &service.under.contents {
        match rule.context.parse() {
            Ok(ContentContext::Compliance) => statements.compliance = false,
            Ok(ContentContext::Device) => statements.sscd = false,
            Ok(ContentContext::Type) => {}
            // A rule about something that is not known here could be about either.
            Err(_) => (statements.compliance, statements.sscd) = (false, false),
        }
    }
    let known = service.under.contents.iter().all(|rule| rule.context.parse::<ContentContext>().is_ok());
    for rule in &service.under.contents {
        let enacted = known && rule.criteria.met_by(certificate) == Some(true);
        if enacted {
            rule.apply(&mut statements);
        }
        mapping.equivalences.push(ContentEquivalence { uri: rule.context.clone(), enacted });
    }
    statements.enacted_mra = Some(true);
    statements.mra = Some(mapping);
    statements
}

impl ContentRule {
    fn apply(&self, statements: &mut QcStatements) {
        let states = |all: &[QcStatement], id: &str| all.iter().any(|statement| statement.id == id);
        let stated = |id: &str| states(&self.stated, id) && !states(&self.not_stated, id);
        match self.context.parse() {
            Ok(ContentContext::Compliance) => {
                statements.compliance |= stated(COMPLIANCE);
                let countries = statements.cc_legislation.take();
                let of = |statement: &QcStatement| statement.legislation.clone();
                statements.cc_legislation = replaced(countries, &self.stated, &self.not_stated, LEGISLATION, of);
            }
            Ok(ContentContext::Device) => statements.sscd |= stated(SSCD),
            Ok(ContentContext::Type) => {
                let types = Some(std::mem::take(&mut statements.types));
                let of = |statement: &QcStatement| statement.qc_type.clone();
                statements.types = replaced(types, &self.stated, &self.not_stated, TYPES, of).unwrap_or_default();
            }
            Err(_) => {}
        }
    }
}

/// Returns the values of a statement: those that are stated in place of its own, without those that are not stated.
fn replaced(
    own: Option<Vec<String>>,
    stated: &[QcStatement],
    not_stated: &[QcStatement],
    id: &str,
    of: impl Fn(&QcStatement) -> Option<String>,
) -> Option<Vec<String>> {
    let values = |all: &[QcStatement]| all.iter().filter(|s| s.id == id).map(&of).collect::<Vec<_>>();
    let new: Vec<String> = values(stated).into_iter().flatten().collect();
    let mut values_left = if new.is_empty() { own? } else { new };
    for gone in values(not_stated) {
        match gone {
            Some(value) => values_left.retain(|known| *known != value),
            None => values_left.clear(),
        }
    }
    Some(values_left)
}

#[cfg(test)]
mod tests {
    use super::super::{List, LotlSigningCertificates, Signed, Source, TrustedLists, read};
    use crate::x509::Certificate;
    use crate::{Document, Policy, Validator};
    use std::path::Path;

    /// Returns a list of the corpus, as if signed by `signer`, whatever became of its own signature.
    fn source(name: &str, bytes: &[u8], signer: &Certificate, change: impl Fn(&mut List)) -> Source {
        let mut source = read(name, bytes, "2022-07-28T10:00:00Z".parse().ok());
        let signed = source.read.as_mut().expect("it is a list");
        change(&mut signed.list);
        *signed = Signed { list: std::mem::take(&mut signed.list), signer: Ok(signer.clone()) };
        source
    }

    /// The Commission's example: a list of lists, the list of a country ZZ, and a signature under it.
    #[test]
    #[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
    fn a_signature_of_another_country_is_a_qualified_one() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("target/corpus/dss");
        let of_mra =
            |name: &str| std::fs::read(corpus.join("dss-cookbook/src/test/resources/mra").join(name)).expect(name);
        let (lotl, own, document) = (of_mra("mra-lotl.xml"), of_mra("mra-zz-tl.xml"), of_mra("john-doe-lta.pdf"));
        let history = std::fs::read(corpus.join("dss-tsl-validation/src/test/resources/mra-zz-lotl-history.xml"))
            .expect("it is beside");
        let anchor = Certificate::from_der(include_bytes!("../../../examples/documents/root.der")).expect("an example");
        let judged = |lotl: &[u8], pointed: &str, at: &str| {
            let point = |list: &mut List| {
                // The pointer calls the country XX, its list ZZ: as it stands it is not followed.
                for pointer in list.pointers.iter_mut().filter(|pointer| pointer.mutual_recognition.is_some()) {
                    pointer.territory = Some(pointed.into());
                    pointer.signers = vec![*anchor.sha256()];
                }
            };
            let sources = vec![source("lotl", lotl, &anchor, point), source("zz", &own, &anchor, |_| {})];
            let lists = TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&anchor)));
            let validator = Validator::new(Policy::eidas()).trusted_lists(&lists);
            let time = at.parse().expect("a time");
            let facts = validator.facts(&Document::new(&document), time).expect("it is a PDF");
            let report = validator.validate(&Document::new(&document), time).expect("it is a PDF");
            let said: serde_json::Value = serde_json::from_str(&report.to_json()).expect("it is JSON");
            let qualification = said["signatures"][0]["qualification"].as_str().unwrap_or_default().to_owned();
            (facts, qualification.trim_start_matches("INDETERMINATE-").to_owned())
        };
        let (facts, qualification) = judged(&lotl, "ZZ", "2022-07-28T10:00:00Z");
        assert_eq!(qualification, "QESIG");
        let signer = facts.signatures[0].signing_certificate.clone();
        let signer = facts.certificates.iter().find(|c| Some(&c.id) == signer.as_ref()).expect("it is in the file");
        let service = &signer.trust_service_providers[0].services[0];
        assert_eq!(service.enacted_mra, Some(true));
        assert_eq!(service.service_type.as_deref(), Some("http://uri.etsi.org/TrstSvc/Svctype/CA/QC"));
        let mapping = service.mra.as_ref().expect("it is translated");
        assert_eq!(mapping.legal_identifier, "QCForESig");
        assert_eq!(
            mapping.original_status.as_deref(),
            Some("http://zz-trusted-list.go.zz/TrstSvc/TrustedList/Svcstatus/granted")
        );
        let statements = signer.extensions.qc_statements.as_ref().expect("they are translated");
        let rules =
            statements.mra.as_ref().map(|mapping| mapping.equivalences.iter().map(|rule| rule.enacted).collect());
        assert_eq!(rules, Some(vec![true; 3]));
        assert_eq!(statements.cc_legislation, Some(vec![]), "of the Union, not of ZZ");

        for (situation, lotl, pointed, at, expected) in [
            ("the pointer is of another country", &lotl, "XX", "2022-07-28T10:00:00Z", "NA"),
            ("the agreement is repealed later", &history, "ZZ", "2022-07-28T10:00:00Z", "QESIG"),
            ("the agreement was repealed", &history, "ZZ", "2023-10-28T00:00:00Z", "ADESIG"),
        ] {
            assert_eq!(judged(lotl, pointed, at).1, expected, "{situation}");
        }
    }
}
