//! How a qualification came about, in the steps of TS 119 615: the lists, the trust service and its status period, the
//! qualifiers, the conclusion.

use super::{Finding, LocalizedText, Row, rows};
use crate::facts::{Certificate, Id, TrustService, TrustServiceProvider, TrustedList};
use crate::qualification::{ListedService, Moment, QualificationAt};
use crate::report::messages::{CommonId, Key, MessageId};
use crate::report::view::{SignatureView, TimestampView};
use crate::report::{Report, overdue, trust_service};
use crate::time::Time;
use crate::validation::Findings;

/// Returns the findings on the qualification of a token; none where no trusted list could have spoken.
pub(in crate::report) fn findings(report: &Report, owner: &Id, found: Option<&Findings>) -> Vec<Finding> {
    found.filter(|_| lists_could_speak(report)).map(|found| rows::findings(report, owner, found)).unwrap_or_default()
}

/// Returns whether trusted lists were loaded, or stand in imported facts.
pub(in crate::report) fn lists_could_speak(report: &Report) -> bool {
    let facts = &report.facts;
    !facts.trusted_lists.is_empty() || facts.trust_store.as_ref().is_some_and(|store| store.lists.is_some())
}

/// Returns the row on what a token is in law; where overdue lists leave that open, it names them.
pub(in crate::report) fn legally(
    report: &Report,
    label: MessageId,
    known: Option<LocalizedText>,
    found: Option<&Findings>,
) -> Option<Row> {
    let overdue = || found.into_iter().flat_map(|findings| overdue::deciding(report, findings)).map(overdue_list);
    Row::many(label, known.into_iter()).or_else(|| Row::many(label, overdue()))
}

/// Returns what to do where overdue lists leave a qualification open.
pub(in crate::report) fn advice(report: &Report, found: Option<&Findings>) -> Option<LocalizedText> {
    overdue::deciding(report, found?).next().map(|_| MessageId::UpdateLists.into())
}

fn overdue_list(list: &TrustedList) -> LocalizedText {
    let text = match list.lotl {
        true => LocalizedText::new(MessageId::OverdueListOfLists),
        false => LocalizedText::new(MessageId::OverdueList).with("country", country(list)),
    };
    text.with("time", date(list.next_update))
}

/// Returns the words for a list: whose it is.
pub(in crate::report) fn list_name(list: &TrustedList) -> LocalizedText {
    match list.lotl {
        true => CommonId::ListOfLists.into(),
        false => LocalizedText::new(CommonId::ListOfCountry).with("country", country(list)),
    }
}

fn country(list: &TrustedList) -> &str {
    list.country.as_deref().unwrap_or(&list.url)
}

fn date(time: Option<Time>) -> LocalizedText {
    time.map_or_else(|| CommonId::NotStated.into(), LocalizedText::Time)
}

/// Returns the steps to the qualification of a signature; none where no trusted list could have spoken.
pub(in crate::report) fn steps_of_signature(report: &Report, signature: SignatureView<'_>) -> Vec<Row> {
    let qualified = signature.qualified().filter(|_| lists_could_speak(report));
    let (Some(qualified), Some(signer)) = (qualified, signature.signer()) else { return vec![] };
    let certificate = signer.facts();
    let conclusion = concluded(qualified.qualification, qualified.qualification.as_str());
    let moments = qualified.certificates.iter().map(|at| moment(certificate, at));
    lists(report, certificate)
        .into_iter()
        .chain(moments)
        .chain([Row { label: MessageId::Legally, values: conclusion }])
        .collect()
}

/// Returns the steps to the qualification of a time-stamp; none where no trusted list could have spoken.
pub(in crate::report) fn steps_of_timestamp(report: &Report, timestamp: TimestampView<'_>) -> Vec<Row> {
    let qualified = timestamp.qualified().filter(|_| lists_could_speak(report));
    let (Some(qualified), Some(signer)) = (qualified, timestamp.signer()) else { return vec![] };
    let certificate = signer.facts();
    let conclusion = concluded(qualified.qualification, qualified.qualification.as_str());
    let labels = [MessageId::MadeAt, MessageId::NoLaterThan];
    let moments = qualified.moments.iter().zip(labels).map(|(at, label)| {
        let mut values = vec![date(Some(at.time))];
        values.extend(entry(certificate, at.service, at.time));
        Row { label, values }
    });
    lists(report, certificate)
        .into_iter()
        .chain(moments)
        .chain([Row { label: MessageId::Legally, values: conclusion }])
        .collect()
}

/// Returns the row on the lists that speak of a certificate, where there are some.
fn lists(report: &Report, certificate: &Certificate) -> Option<Row> {
    let speaks = |list: &&TrustedList| {
        let named = |p: &TrustServiceProvider| p.trusted_list == list.id || p.lotl.as_ref() == Some(&list.id);
        certificate.trust_service_providers.iter().any(named)
    };
    let all = report.facts.trusted_lists.iter().filter(speaks);
    Row::many(MessageId::TrustedLists, all.map(|list| list_step(report, list)))
}

fn list_step(report: &Report, list: &TrustedList) -> LocalizedText {
    let answer = match report.qualifications.list(&list.id).is_some_and(|analysis| analysis.is_passed()) {
        true => MessageId::ListAccepted,
        false => MessageId::ListNotAccepted,
    };
    let number =
        list.sequence_number.map_or_else(|| CommonId::NotStated.into(), |n| LocalizedText::code(n.to_string()));
    let next = list.next_update.map_or_else(|| MessageId::ListClosed.into(), LocalizedText::Time);
    LocalizedText::new(MessageId::StepList)
        .with("list", list_name(list))
        .with("number", number)
        .with("issued", date(list.issue_date))
        .with("next", next)
        .with("answer", answer)
}

/// Returns the row on what a certificate was at a moment.
fn moment(certificate: &Certificate, at: &QualificationAt) -> Row {
    let label = match at.moment {
        Moment::Issuance => MessageId::LegallyAtIssuance,
        Moment::Signing => MessageId::LegallyAtSigning,
        Moment::Validation => MessageId::LegallyAtTime,
    };
    let mut values = vec![date(Some(at.time))];
    values.extend(entry(certificate, at.service, at.time));
    values.extend(concluded(at.qualification, at.qualification.as_str()));
    Row { label, values }
}

/// Returns what a qualification means, and its code.
fn concluded(qualification: impl Into<Key>, code: &'static str) -> Vec<LocalizedText> {
    vec![LocalizedText::new(qualification), LocalizedText::code(code)]
}

/// Describes the entry that decided at a time, and the qualifiers of it that apply to the certificate.
fn entry(certificate: &Certificate, service: Option<ListedService>, time: Time) -> Vec<LocalizedText> {
    let Some((provider, period)) = service.and_then(|service| service.of(certificate)) else {
        return vec![LocalizedText::new(MessageId::StepNoService).with("time", time)];
    };
    let qualifiers: Vec<&str> = period.qualifiers.iter().filter_map(|q| trust_service::last_word(&q.uri)).collect();
    let qualifiers = match qualifiers[..] {
        [] => MessageId::StepNoQualifiers.into(),
        _ => LocalizedText::new(MessageId::StepQualifiers).with("values", &*qualifiers.join(", ")),
    };
    vec![service_step(provider, period), qualifiers]
}

fn service_step(provider: &TrustServiceProvider, period: &TrustService) -> LocalizedText {
    let word = |uri: &Option<String>| uri.as_deref().and_then(trust_service::last_word).unwrap_or("?").to_owned();
    let text = match period.end {
        Some(end) => LocalizedText::new(MessageId::StepServiceUntil).with("until", end),
        None => LocalizedText::new(MessageId::StepService),
    };
    text.with("service", trust_service::name(&period.names).unwrap_or("?"))
        .with("provider", trust_service::name(&provider.names).unwrap_or("?"))
        .with("type", &*trust_service::kind(period))
        .with("status", &*word(&period.status))
        .with("since", date(period.start))
}
