//! The section on one signature: who, when, what, and why the verdict is what it is.

use super::{
    Check, Finding, LocalizedText, Row, State, TimeLine, checks, day, existence, qualification, revocation, rows,
    timeline,
};
use crate::facts::{PdfRevision, RoleCategory, Scope, ScopeType, Signature, TrustState, TrustStore};
use crate::qualification::SignatureQualification;
use crate::report::Report;
use crate::report::messages::{Advice, CommonId, MessageId};
use crate::report::name;
use crate::report::trust_service::TrustService;
use crate::report::view::{CertificateView, SignatureView, TimestampView};
use crate::time::Time;
use crate::validation::ProofOfExistence;
use crate::validation::outcome::{Indication, SubIndication};

/// The section on one signature, or on one proof of time that stands alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: LocalizedText,
    /// The verdict as a reader sees it.
    pub state: State,
    /// The verdict in a sentence.
    pub sentence: LocalizedText,
    /// The verdict in ETSI's words.
    pub code: String,
    /// The reason, where it is not valid.
    pub why: Option<LocalizedText>,
    /// What would help, where it is not valid.
    pub help: Option<LocalizedText>,
    /// Who signed, when, and what.
    pub rows: Vec<Row>,
    /// What the checks noticed.
    pub findings: Vec<Finding>,
    /// What the checks of the qualification noticed.
    pub qualification: Vec<Finding>,
    /// The steps to the qualification.
    pub steps: Vec<Row>,
    /// Its dates.
    pub timeline: TimeLine,
    /// The building blocks and processes.
    pub checks: Vec<Check>,
}

/// Returns the section on the signature with that number in the document.
pub(super) fn signature(report: &Report, number: usize, signature: SignatureView<'_>) -> Section {
    let (facts, verdict) = (signature.facts(), signature.verdict());
    let state = State::of(verdict.indication);
    let heading = match (signature.signer(), facts.counter_signature) {
        (Some(signer), false) => LocalizedText::new(MessageId::SignatureBy).with("name", signer.name()),
        (Some(signer), true) => LocalizedText::new(MessageId::CounterSignatureBy).with("name", signer.name()),
        (None, _) => LocalizedText::new(MessageId::SignatureOf),
    };
    let sentence = match state {
        State::Valid => MessageId::ThisValid,
        State::NotValid => MessageId::ThisNotValid,
        State::Undecided | State::Nothing => MessageId::ThisUndecided,
    };
    Section {
        heading: heading.with("n", number).with("count", report.facts.signatures.len()),
        state,
        sentence: sentence.into(),
        code: code(verdict.indication, verdict.sub_indication.map(|sub| sub.as_str())),
        why: verdict.sub_indication.map(LocalizedText::new),
        help: verdict
            .sub_indication
            .map(|sub| advice(signature, sub))
            .or_else(|| qualification::advice(report, signature.qualified().map(|found| &found.findings))),
        rows: who(report, signature)
            .chain(when(report, signature))
            .chain(what(facts))
            .chain(revocation::row(signature.chain(), &verdict.blocks))
            .chain(existence::timestamps(report, signature))
            .chain(existence::evidence_records(report, signature))
            .collect(),
        findings: rows::findings(report, signature.id(), &verdict.findings),
        qualification: qualification::findings(
            report,
            signature.id(),
            signature.qualified().map(|found| &found.findings),
        ),
        steps: qualification::steps_of_signature(report, signature),
        timeline: timeline::of_signature(report, signature),
        checks: checks::of_signature(verdict),
    }
}

/// Returns what would help against a sub-indication. Where proofs of existence are there and do not count, the advice is
/// about these, not to provide one.
fn advice(signature: SignatureView<'_>, sub_indication: SubIndication) -> LocalizedText {
    use SubIndication::{
        CryptoConstraintsFailureNoPoe, NoPoe, OutOfBoundsNoPoe, OutOfBoundsNotRevoked, RevokedCaNoPoe, RevokedNoPoe,
    };
    let asks_for_proof = matches!(
        sub_indication,
        CryptoConstraintsFailureNoPoe
            | NoPoe
            | OutOfBoundsNoPoe
            | OutOfBoundsNotRevoked
            | RevokedCaNoPoe
            | RevokedNoPoe
    );
    let fails = |timestamp: TimestampView<'_>| timestamp.indication() != Indication::Passed;
    match asks_for_proof && signature.timestamps().any(fails) {
        true => MessageId::AdviceTimestampsFail.into(),
        false => LocalizedText::new(Advice(sub_indication)),
    }
}

/// Returns the words of a verdict, as ETSI writes them.
pub(in crate::report) fn code(indication: Indication, sub_indication: Option<&str>) -> String {
    sub_indication.map_or_else(|| indication.to_string(), |sub| format!("{indication} {sub}"))
}

/// Returns the rows on the signer, the roles, and those who vouch for them.
fn who(report: &Report, signature: SignatureView<'_>) -> impl Iterator<Item = Row> {
    let signer = signature.signer();
    let named = match signer {
        None => CommonId::SignerUnknown.into(),
        Some(signer) if signer.facts().attributes.pseudonym.is_some() => {
            LocalizedText::new(MessageId::Pseudonym).with("name", signer.name())
        }
        Some(signer) => LocalizedText::from(signer.name()),
    };
    let roles = signature.facts().roles.iter().map(|role| {
        let id = match role.category {
            RoleCategory::Certified => MessageId::RoleCertified,
            _ => MessageId::RoleClaimed,
        };
        LocalizedText::new(id).with("role", &*role.role)
    });
    let code = signature.qualification();
    let known = (code != SignatureQualification::Na).then(|| LocalizedText::new(code));
    let found = signature.qualified().map(|found| &found.findings);
    let legally = qualification::legally(report, MessageId::Legally, known, found);
    let service = signature.trust_service().map(listed).unwrap_or_default();
    [
        Some(Row::one(MessageId::Signer, named)),
        signer.and_then(identifier),
        signer.and_then(organization),
        signer.filter(|_| signature.indication() != Indication::TotalPassed).map(validity),
        Row::many(MessageId::Role, roles),
        legally,
        issuer(signature.chain()),
        Some(trust(report, signature.chain())),
        Row::many(MessageId::TrustService, service.into_iter()),
    ]
    .into_iter()
    .flatten()
}

/// Returns the row on the identifier of a certificate's subject: `serialNumber` of its name (EN 319 412-1 §5.1.3).
pub(in crate::report) fn identifier(certificate: CertificateView<'_>) -> Option<Row> {
    let number = certificate.facts().attributes.serial_number.as_deref()?;
    Some(Row::one(MessageId::Identifier, name::identifier(number)))
}

/// Returns the row on the validity period of a certificate.
fn validity(certificate: CertificateView<'_>) -> Row {
    Row::one(MessageId::ValidFromTo, period(certificate))
}

/// Describes the validity period of a certificate.
pub(in crate::report) fn period(certificate: CertificateView<'_>) -> LocalizedText {
    LocalizedText::new(MessageId::FromTo).with("from", certificate.not_before()).with("to", certificate.not_after())
}

/// Returns the row on the organisation that a certificate's subject is or belongs to.
pub(in crate::report) fn organization(certificate: CertificateView<'_>) -> Option<Row> {
    let names = &certificate.facts().attributes;
    let organization = names.organization.as_deref().map(LocalizedText::from);
    let number = names.organization_identifier.as_deref().map(name::identifier);
    Row::all(MessageId::For, organization.into_iter().chain(number))
}

/// Returns the row on the issuer: the second certificate of the chain.
pub(in crate::report) fn issuer<'a>(chain: impl Iterator<Item = CertificateView<'a>>) -> Option<Row> {
    let mut chain = chain.skip(1);
    Some(Row::one(MessageId::IssuedBy, chain.next()?.name()))
}

/// Returns the row on the trust anchor at which the chain ends.
pub(in crate::report) fn trust<'a>(report: &Report, mut chain: impl Iterator<Item = CertificateView<'a>>) -> Row {
    let anchor = chain.find(CertificateView::is_trusted);
    let value: LocalizedText = match anchor {
        None => match report.facts.trust_store.as_ref().map(TrustStore::state) {
            Some(TrustState::Nobody) => MessageId::TrustNobody.into(),
            Some(TrustState::NoUsableList) => MessageId::TrustNoUsableList.into(),
            _ => MessageId::TrustNone.into(),
        },
        Some(anchor) => match anchor.facts().trust_service_providers.first() {
            None => LocalizedText::new(MessageId::TrustGiven).with("name", anchor.name()),
            Some(provider) => match report.trusted_list(&provider.trusted_list).and_then(|l| l.country.as_deref()) {
                Some(country) => {
                    LocalizedText::new(MessageId::TrustListed).with("name", anchor.name()).with("country", country)
                }
                None => LocalizedText::new(MessageId::TrustListedSomewhere).with("name", anchor.name()),
            },
        },
    };
    let listed = anchor.is_some_and(|anchor| !anchor.facts().trust_service_providers.is_empty());
    let values = [Some(value), packer(report).filter(|_| listed)].into_iter().flatten().collect();
    Row { label: MessageId::TrustedBecause, values }
}

/// Returns who made the snapshot that the trusted lists come from.
fn packer(report: &Report) -> Option<LocalizedText> {
    let lists = report.facts.trust_store.as_ref()?.lists.as_ref()?;
    Some(
        LocalizedText::new(MessageId::TrustPacked)
            .with("name", &*name::readable(&lists.snapshot_signer.as_ref()?.subject)),
    )
}

/// Describes the entry of a trusted list under which a certificate was issued, and what its status means.
pub(in crate::report) fn listed(service: TrustService<'_>) -> Vec<LocalizedText> {
    let day = |time: Option<Time>| time.map_or_else(|| "?".into(), day);
    let number = service.list_number.map_or_else(|| "?".into(), |number| number.to_string());
    let text = LocalizedText::new(MessageId::TrustServiceIs)
        .with("service", service.service.unwrap_or("?"))
        .with("status", service.status.unwrap_or("?"))
        .with("since", &*day(service.since))
        .with("country", service.country.unwrap_or("?"))
        .with("number", &*number)
        .with("issued", &*day(service.list_issued));
    let recognised = service.mutual_recognition.filter(|recognition| recognition.enacted).map(|recognition| {
        LocalizedText::new(MessageId::StatusRecognised)
            .with("since", &*day(recognition.since))
            .with("agreement", recognition.agreement)
            .with("status", recognition.status.unwrap_or("?"))
    });
    let meaning = match service.foreign {
        true => Some(LocalizedText::new(MessageId::StatusForeign)),
        false => recognised.or(service.status.and_then(status_meaning).map(LocalizedText::new)),
    };
    [text].into_iter().chain(meaning).collect()
}

/// Returns what a service's status means in law: TS 119 612 §5.5.4 and annex D.5.6.
fn status_meaning(status: &str) -> Option<MessageId> {
    Some(match status {
        "granted" => MessageId::StatusGranted,
        "undersupervision" | "accredited" | "supervisionincessation" => MessageId::StatusSupervised,
        "recognisedatnationallevel" | "setbynationallaw" => MessageId::StatusNational,
        "withdrawn"
        | "supervisionceased"
        | "supervisionrevoked"
        | "accreditationceased"
        | "accreditationrevoked"
        | "deprecatedatnationallevel"
        | "deprecatedbynationallaw" => MessageId::StatusEnded,
        _ => return None,
    })
}

/// Returns the rows on the time, as claimed and as proven, and on place and reason, as claimed.
fn when(report: &Report, signature: SignatureView<'_>) -> impl Iterator<Item = Row> {
    let facts = signature.facts();
    let claimed = match facts.claimed_signing_time {
        Some(time) => LocalizedText::new(MessageId::Claimed).with("time", time),
        None => MessageId::ClaimedNone.into(),
    };
    let claims = |text: &str| LocalizedText::new(MessageId::Claims).with("value", text);
    let commitments = facts.commitments.iter().map(|commitment| match commitment_type(&commitment.identifier) {
        Some(kind) => LocalizedText::new(MessageId::Claims).with("value", LocalizedText::new(kind)),
        None => claims(commitment.description.as_deref().unwrap_or(&commitment.identifier)),
    });
    [
        Some(Row::one(MessageId::SignedAt, claimed)),
        Some(Row::one(MessageId::NoLaterThan, proven(report, signature.best_signature_time()))),
        Row::maybe(MessageId::Place, signature.location().as_deref().map(claims)),
        Row::maybe(MessageId::Reason, signature.reason().map(claims)),
        Row::many(MessageId::Commitment, commitments),
    ]
    .into_iter()
    .flatten()
}

/// Returns the name of a commitment type of EN 319 122-1 §5.2.3 and EN 319 132-1 §5.2.3, by its OID or URI.
fn commitment_type(identifier: &str) -> Option<MessageId> {
    let oid = identifier.strip_prefix("urn:oid:").unwrap_or(identifier).strip_prefix("1.2.840.113549.1.9.16.6.");
    let uri = identifier.strip_prefix("http://uri.etsi.org/01903/v1.2.2#");
    Some(match oid.or(uri)? {
        "1" | "ProofOfOrigin" => MessageId::CommitmentOrigin,
        "2" | "ProofOfReceipt" => MessageId::CommitmentReceipt,
        "3" | "ProofOfDelivery" => MessageId::CommitmentDelivery,
        "4" | "ProofOfSender" => MessageId::CommitmentSender,
        "5" | "ProofOfApproval" => MessageId::CommitmentApproval,
        "6" | "ProofOfCreation" => MessageId::CommitmentCreation,
        _ => return None,
    })
}

/// Describes since when something is known to exist, and by what.
fn proven(report: &Report, proof: &ProofOfExistence) -> LocalizedText {
    let id = match &proof.provider {
        None => MessageId::ProvenNow,
        Some(provider) if report.timestamp(provider).is_some() => MessageId::ProvenByTimestamp,
        Some(_) => MessageId::ProvenByRecord,
    };
    LocalizedText::new(id).with("time", proof.time)
}

/// Returns the rows on what the signature covers, what was changed since, and how it is made.
fn what(facts: &Signature) -> impl Iterator<Item = Row> {
    let revision = facts.pdf_revision.as_deref();
    let covers = Row::many(MessageId::Covers, facts.scopes.iter().map(|scope| covered(scope, revision)));
    let field = revision.and_then(|r| r.fields.first()).map(|field| LocalizedText::from(&*field.name));
    [
        Some(covers.unwrap_or_else(|| Row::one(MessageId::Covers, MessageId::CoversNothing))),
        revision.and_then(changes),
        Row::maybe(MessageId::Field, field),
        Row::maybe(MessageId::Format, facts.level.map(|level| LocalizedText::code(level.as_str()))),
        Row::maybe(MessageId::Algorithm, algorithm(&facts.basic)),
    ]
    .into_iter()
    .flatten()
}

/// Describes key, length and digest function, where they are known.
pub(super) fn algorithm(basic: &crate::facts::BasicSignature) -> Option<LocalizedText> {
    let (key, digest) = (basic.key_algorithm?.as_str(), basic.digest_algorithm?.as_str());
    let text = match basic.key_length {
        Some(bits) => LocalizedText::new(MessageId::AlgorithmOf).with("bits", bits as usize),
        None => LocalizedText::new(MessageId::AlgorithmOfKey),
    };
    Some(text.with("key", LocalizedText::code(key)).with("digest", LocalizedText::code(hyphenated(digest))))
}

/// Writes a digest function with the hyphen of its standard: `SHA256` is SHA-256 (FIPS 180-4).
fn hyphenated(digest: &str) -> String {
    match digest.strip_prefix("SHA") {
        Some(length) if length.starts_with(|c: char| c.is_ascii_digit()) => format!("SHA-{length}"),
        _ => digest.to_owned(),
    }
}

/// Describes a scope in plain words. A PDF is one file: what matters is whether something was added after signing.
pub(super) fn covered(scope: &Scope, revision: Option<&PdfRevision>) -> LocalizedText {
    let id = match (scope.kind, revision) {
        (ScopeType::Full, Some(_)) => MessageId::CoversWholeFile,
        (ScopeType::Partial, Some(_)) => MessageId::CoversRevision,
        (ScopeType::Full, None) if scope.name.is_none() => MessageId::CoversWholeFile,
        (ScopeType::Full, None) => MessageId::CoversWhole,
        (ScopeType::Partial, None) => MessageId::CoversPart,
        (ScopeType::Digest, _) => MessageId::CoversDigest,
        (ScopeType::Archived, _) => MessageId::CoversArchived,
        _ => MessageId::CoversSignature,
    };
    LocalizedText::new(id).with("name", scope.name.as_deref().unwrap_or("–"))
}

/// Returns the row on what later revisions of the PDF changed.
fn changes(revision: &PdfRevision) -> Option<Row> {
    let modifications = revision.modifications.as_ref()?;
    let mut values = vec![];
    if let Some(objects) = &modifications.objects {
        let kinds = [
            (MessageId::ChangedExtension, objects.extension.len()),
            (MessageId::ChangedForms, objects.signature_or_form_fill.len()),
            (MessageId::ChangedAnnotations, objects.annotation.len()),
            (MessageId::ChangedObjects, objects.undefined.len()),
        ];
        let changed = kinds.into_iter().filter(|(_, n)| *n > 0);
        values.extend(changed.map(|(id, n)| LocalizedText::new(id).with("n", n)));
    }
    if !modifications.page_differences.is_empty() {
        values.push(MessageId::ChangedPages.into());
    }
    if !modifications.visual_differences.is_empty() {
        values.push(MessageId::ChangedLooks.into());
    }
    (!values.is_empty()).then_some(Row { label: MessageId::ChangedSince, values })
}
