//! The section on one signature: who, when, what, and why the verdict is what it is.

use super::known::{Known, name};
use super::{Check, Finding, Row, Saying, State, TimeLine, checks, rows, timeline};
use crate::facts::{
    Certificate, Facts, Id, PdfRevision, RoleCategory, Scope, ScopeType, Signature, TrustState, TrustStore,
};
use crate::qualification::SignatureQualification;
use crate::report::messages::{Advice, Phrase};
use crate::report::trust_service;
use crate::time::Time;
use crate::validation::outcome::Indication;
use crate::validation::{ProofOfExistence, SignatureVerdict};

/// What is said of one signature, or of one proof of time that stands alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name in the report.
    pub heading: Saying,
    /// Whether it is valid.
    pub state: State,
    /// That in a sentence.
    pub sentence: Saying,
    /// That in ETSI's words.
    pub code: String,
    /// Why, where it is not valid.
    pub why: Option<Saying>,
    /// What would help, where it is not valid.
    pub help: Option<Saying>,
    /// Who, when, what.
    pub rows: Vec<Row>,
    /// What the checks noticed.
    pub findings: Vec<Finding>,
    /// Its dates.
    pub timeline: TimeLine,
    /// What was asked, with the answers.
    pub checks: Vec<Check>,
}

/// The section on the signature that is `number` in the document.
pub(super) fn signature(known: &Known<'_>, number: usize, facts: &Signature, verdict: &SignatureVerdict) -> Section {
    let state = State::of(verdict.indication);
    let signer = facts.signing_certificate.as_ref().and_then(|id| known.certificate(id));
    let heading = match (signer, facts.counter_signature) {
        (Some(signer), false) => Saying::text(Phrase::SignatureBy).with("name", name(signer)),
        (Some(signer), true) => Saying::text(Phrase::CounterSignatureBy).with("name", name(signer)),
        (None, _) => Saying::text(Phrase::SignatureOf),
    };
    let sentence = match state {
        State::Valid => Phrase::ThisValid,
        State::NotValid => Phrase::ThisNotValid,
        State::Undecided | State::Nothing => Phrase::ThisUndecided,
    };
    Section {
        heading: heading.with("n", number).with("count", known.report.facts.signatures.len()),
        state,
        sentence: sentence.into(),
        code: code(verdict.indication, verdict.sub_indication.map(|sub| sub.as_str())),
        why: verdict.sub_indication.map(Saying::text),
        help: verdict.sub_indication.map(|sub| Saying::text(Advice(sub))),
        rows: who(known, facts, signer).chain(when(known, facts, verdict)).chain(what(facts)).collect(),
        findings: rows::findings(&verdict.findings),
        timeline: timeline::of_signature(known, facts, verdict),
        checks: checks::of_signature(verdict),
    }
}

/// The two words of a verdict, as ETSI writes them.
pub(in crate::report) fn code(indication: Indication, sub_indication: Option<&str>) -> String {
    sub_indication.map_or_else(|| indication.to_string(), |sub| format!("{indication} {sub}"))
}

/// Who signed, in which role, and who vouches for that.
fn who(known: &Known<'_>, facts: &Signature, signer: Option<&Certificate>) -> impl Iterator<Item = Row> {
    let named = match signer {
        None => Phrase::SignerUnknown.into(),
        Some(signer) if signer.attributes.pseudonym.is_some() => {
            Saying::text(Phrase::Pseudonym).with("name", name(signer))
        }
        Some(signer) => Saying::from(name(signer)),
    };
    let roles = facts.roles.iter().map(|role| {
        let phrase = match role.category {
            RoleCategory::Certified => Phrase::RoleCertified,
            _ => Phrase::RoleClaimed,
        };
        Saying::text(phrase).with("role", &*role.role)
    });
    let quality = known.report.signature_quality(&facts.id);
    let time =
        known.report.verdicts().signatures.iter().find(|v| v.id == facts.id).map(|v| v.best_signature_time().time);
    let service = signer.zip(time).map(|(signer, time)| listed(known.report.facts(), signer, time)).unwrap_or_default();
    let organization = signer.and_then(|s| s.attributes.organization.as_deref()).map(Saying::from);
    [
        Some(Row::one(Phrase::Signer, named)),
        Row::maybe(Phrase::For, organization),
        Row::many(Phrase::Role, roles),
        Row::maybe(Phrase::Legally, (quality != SignatureQualification::Na).then(|| Saying::text(quality))),
        issuer(known, &facts.chain),
        Some(trust(known, &facts.chain)),
        Row::many(Phrase::TrustService, service.into_iter()),
    ]
    .into_iter()
    .flatten()
}

/// Whose certificate stands next in the chain.
pub(in crate::report) fn issuer(known: &Known<'_>, chain: &[Id]) -> Option<Row> {
    let issuer = chain.get(1).and_then(|id| known.certificate(id))?;
    Some(Row::one(Phrase::IssuedBy, name(issuer)))
}

/// Where the chain meets somebody who is trusted.
pub(in crate::report) fn trust(known: &Known<'_>, chain: &[Id]) -> Row {
    let anchor = chain.iter().filter_map(|id| known.certificate(id)).find(|c| c.trust.trusted);
    let value: Saying = match anchor {
        None => match known.report.facts().trust_store.as_ref().map(TrustStore::state) {
            Some(TrustState::Nobody) => Phrase::TrustNobody.into(),
            Some(TrustState::NoUsableList) => Phrase::TrustNoUsableList.into(),
            _ => Phrase::TrustNone.into(),
        },
        Some(anchor) => match anchor.trust_service_providers.first() {
            None => Saying::text(Phrase::TrustGiven).with("name", name(anchor)),
            Some(provider) => match known.list(&provider.trusted_list).and_then(|list| list.country.as_deref()) {
                Some(country) => Saying::text(Phrase::TrustListed).with("name", name(anchor)).with("country", country),
                None => Saying::text(Phrase::TrustListedSomewhere).with("name", name(anchor)),
            },
        },
    };
    let listed = anchor.is_some_and(|anchor| !anchor.trust_service_providers.is_empty());
    let values = [Some(value), packer(known).filter(|_| listed)].into_iter().flatten().collect();
    Row { label: Phrase::TrustedBecause, values }
}

/// Who made the snapshot that the trusted lists come from.
fn packer(known: &Known<'_>) -> Option<Saying> {
    let lists = known.report.facts().trust_store.as_ref()?.lists.as_ref()?;
    Some(Saying::text(Phrase::TrustPacked).with("name", &*lists.snapshot_signer.as_ref()?.subject))
}

/// The entry of a trusted list under which the certificate was issued, and what its status means.
pub(in crate::report) fn listed(facts: &Facts, certificate: &Certificate, time: Time) -> Vec<Saying> {
    let Some(service) = trust_service::of(facts, certificate, time) else { return vec![] };
    let day = |time: Option<Time>| time.map_or_else(|| "?".into(), |time| time.to_string()[..10].to_owned());
    let number = service.list_number.map_or_else(|| "?".into(), |number| number.to_string());
    let saying = Saying::text(Phrase::TrustServiceIs)
        .with("service", service.service.unwrap_or("?"))
        .with("status", service.status.unwrap_or("?"))
        .with("since", &*day(service.since))
        .with("country", service.country.unwrap_or("?"))
        .with("number", &*number)
        .with("issued", &*day(service.list_issued));
    let recognised = service.mutual_recognition.filter(|recognition| recognition.enacted).map(|recognition| {
        Saying::text(Phrase::StatusRecognised)
            .with("since", &*day(recognition.since))
            .with("agreement", recognition.agreement)
            .with("status", recognition.status.unwrap_or("?"))
    });
    let meaning = match service.foreign {
        true => Some(Saying::text(Phrase::StatusForeign)),
        false => recognised.or(service.status.and_then(status_meaning).map(Saying::text)),
    };
    [saying].into_iter().chain(meaning).collect()
}

/// What a service's status means in law: TS 119 612 §5.5.4 and annex D.5.6.
fn status_meaning(status: &str) -> Option<Phrase> {
    Some(match status {
        "granted" => Phrase::StatusGranted,
        "undersupervision" | "accredited" | "supervisionincessation" => Phrase::StatusSupervised,
        "recognisedatnationallevel" | "setbynationallaw" => Phrase::StatusNational,
        "withdrawn"
        | "supervisionceased"
        | "supervisionrevoked"
        | "accreditationceased"
        | "accreditationrevoked"
        | "deprecatedatnationallevel"
        | "deprecatedbynationallaw" => Phrase::StatusEnded,
        _ => return None,
    })
}

/// When it was made, as claimed and as proven; where and why, as claimed.
fn when(known: &Known<'_>, facts: &Signature, verdict: &SignatureVerdict) -> impl Iterator<Item = Row> {
    let claimed = match facts.claimed_signing_time {
        Some(time) => Saying::text(Phrase::Claimed).with("time", time),
        None => Phrase::ClaimedNone.into(),
    };
    let revision = facts.pdf_revision.as_deref();
    let claims = |text: &str| Saying::text(Phrase::Claims).with("value", text);
    let place = facts.production_place.as_ref().map(|place| {
        let parts = [&place.street_address, &place.postal_code, &place.city, &place.state, &place.country];
        let parts = place.postal_address.iter().chain(parts.into_iter().flatten());
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    });
    let place = place.or_else(|| revision.and_then(|r| r.location.clone())).filter(|place| !place.trim().is_empty());
    let reason = revision.and_then(|r| r.reason.as_deref()).filter(|reason| !reason.trim().is_empty());
    let commitments = facts.commitments.iter().map(|c| claims(c.description.as_deref().unwrap_or(&c.identifier)));
    [
        Some(Row::one(Phrase::SignedAt, claimed)),
        Some(Row::one(Phrase::NoLaterThan, proven(known, verdict.best_signature_time()))),
        Row::maybe(Phrase::Place, place.as_deref().map(claims)),
        Row::maybe(Phrase::Reason, reason.map(claims)),
        Row::many(Phrase::Commitment, commitments),
    ]
    .into_iter()
    .flatten()
}

/// Since when something is known to exist, and by what.
fn proven(known: &Known<'_>, proof: &ProofOfExistence) -> Saying {
    let phrase = match &proof.provider {
        None => Phrase::ProvenNow,
        Some(provider) if known.timestamp(provider).is_some() => Phrase::ProvenByTimestamp,
        Some(_) => Phrase::ProvenByRecord,
    };
    Saying::text(phrase).with("time", proof.time)
}

/// What it covers, what was changed since, and how it is made.
fn what(facts: &Signature) -> impl Iterator<Item = Row> {
    let revision = facts.pdf_revision.as_deref();
    let covers = Row::many(Phrase::Covers, facts.scopes.iter().map(|scope| covered(scope, revision)));
    let field = revision.and_then(|r| r.fields.first()).map(|field| Saying::from(&*field.name));
    [
        Some(covers.unwrap_or_else(|| Row::one(Phrase::Covers, Phrase::CoversNothing))),
        revision.and_then(changes),
        Row::maybe(Phrase::Field, field),
        Row::maybe(Phrase::Format, facts.level.map(|level| Saying::code(level.as_str()))),
        Row::maybe(Phrase::Algorithm, algorithm(&facts.basic)),
    ]
    .into_iter()
    .flatten()
}

/// Key, length and digest function, where they are known.
pub(super) fn algorithm(basic: &crate::facts::BasicSignature) -> Option<Saying> {
    let (key, digest) = (basic.key_algorithm?.as_str(), basic.digest_algorithm?.as_str());
    let saying = match basic.key_length {
        Some(bits) => Saying::text(Phrase::AlgorithmOf).with("bits", bits as usize),
        None => Saying::text(Phrase::AlgorithmOfKey),
    };
    Some(saying.with("key", Saying::code(key)).with("digest", Saying::code(hyphenated(digest))))
}

/// The digest function with the hyphen of its standard: `SHA256` is SHA-256 (FIPS 180-4).
fn hyphenated(digest: &str) -> String {
    match digest.strip_prefix("SHA") {
        Some(length) if length.starts_with(|c: char| c.is_ascii_digit()) => format!("SHA-{length}"),
        _ => digest.to_owned(),
    }
}

/// A scope in plain words. A PDF is one file: what matters is whether something was added after signing.
pub(super) fn covered(scope: &Scope, revision: Option<&PdfRevision>) -> Saying {
    let phrase = match (scope.kind, revision) {
        (ScopeType::Full, Some(_)) => Phrase::CoversWholeFile,
        (ScopeType::Partial, Some(_)) => Phrase::CoversRevision,
        (ScopeType::Full, None) if scope.name.is_none() => Phrase::CoversWholeFile,
        (ScopeType::Full, None) => Phrase::CoversWhole,
        (ScopeType::Partial, None) => Phrase::CoversPart,
        (ScopeType::Digest, _) => Phrase::CoversDigest,
        (ScopeType::Archived, _) => Phrase::CoversArchived,
        _ => Phrase::CoversSignature,
    };
    Saying::text(phrase).with("name", scope.name.as_deref().unwrap_or("–"))
}

/// What later revisions of the PDF changed.
fn changes(revision: &PdfRevision) -> Option<Row> {
    let modifications = revision.modifications.as_ref()?;
    let mut values = vec![];
    if let Some(objects) = &modifications.objects {
        let kinds = [
            (Phrase::ChangedExtension, objects.extension.len()),
            (Phrase::ChangedForms, objects.signature_or_form_fill.len()),
            (Phrase::ChangedAnnotations, objects.annotation.len()),
            (Phrase::ChangedObjects, objects.undefined.len()),
        ];
        let changed = kinds.into_iter().filter(|(_, n)| *n > 0);
        values.extend(changed.map(|(phrase, n)| Saying::text(phrase).with("n", n)));
    }
    if !modifications.page_differences.is_empty() {
        values.push(Phrase::ChangedPages.into());
    }
    if !modifications.visual_differences.is_empty() {
        values.push(Phrase::ChangedLooks.into());
    }
    (!values.is_empty()).then_some(Row { label: Phrase::ChangedSince, values })
}
