//! Builds the record: drafts, completed by what the pool tells of their signers and material.

use super::complete::{self, Found, SignedBy};
use super::found::ReferenceIndex;
use super::irregular;
use super::names;
use super::pool::{Index, Pool, VERIFICATION_COST};
use super::purpose;
use super::revocation::{Data, Revocations};
use super::signer::{self, Signer};
use crate::crypto::VerifyError;
use crate::executor::{self, Executor, Sequential};
use crate::facts::{
    CertificateOrigin, CertificateSource, Covered, CoveredKind, DigestMatcher, Facts, Id, Irregularity,
    IrregularityKind, MatcherType, RevocationOrigin, RevocationType, Shared, TimestampType, TsaName,
};
use crate::formats::Draft;
use crate::formats::draft::{
    CoveredObject, EvidenceRecordDraft, Material, SignatureDraft, SignatureFacts, SignerIdentifier, StatedTsa,
    TimestampDraft, ValueCheck,
};
use crate::formats::level::Levels;
use crate::hashed::Set;
use crate::time::Time;
use crate::x509::{Crl, Name, OcspResponse};

/// Number of signature values from which on their checks are shared. A thread costs about as much as one of them.
const SHARED: usize = 4;

/// A level that is decided once it is known which revocation data is about which certificate.
#[derive(Debug)]
pub(super) struct LevelTask {
    pub signature: usize,
    pub levels: Levels,
    pub own: Vec<Index>,
    pub signer: Option<Index>,
    /// Whether the signer's certificate is in the field meant for it.
    pub signer_embedded: bool,
    /// Its time-stamps.
    pub timestamps: Vec<Stamp>,
    /// Whether the signature or one of its time-stamps holds revocation data.
    pub revocations: bool,
}

/// A time-stamp of a signature, as far as the level asks for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stamp {
    pub kind: TimestampType,
    pub time: Time,
    pub signer: Option<Index>,
    /// Whether it covers another time-stamp.
    pub over_another: bool,
    /// Whether it holds revocation data.
    pub revocations: bool,
}

impl LevelTask {
    fn add(&mut self, timestamp: Stamp) {
        self.timestamps.push(timestamp);
        self.revocations |= timestamp.revocations;
    }
}

/// Completes drafts and adds them to the record.
#[derive(Debug)]
pub(super) struct RecordBuilder<'c> {
    pub pool: &'c mut Pool,
    pub revocations: &'c mut Revocations,
    pub facts: &'c mut Facts,
    pub references: ReferenceIndex,
    /// The signers of all tokens: where chains begin.
    pub roots: Vec<Index>,
    pub levels: Vec<LevelTask>,
    /// Verifies values, where they are many.
    pub executor: &'c dyn Executor,
}

/// The signer of a token, and the certificates that the token holds itself.
struct Signed {
    own: Vec<Index>,
    /// How many of these are in the field meant for the signer's: they are the first.
    in_field: usize,
    signer: Signer,
}

/// A draft of a token with a signer: its material, how it names its signer, what its value is over.
trait SignedDraft {
    fn signed(&self) -> (&Material<'_>, &SignerIdentifier<'_>, &ValueCheck<'_>);

    /// Returns whether the digests match that the value rests on.
    fn is_whole(&self) -> bool;

    /// Returns whether a certificate that the token leaves out may come from there.
    fn may_take(source: CertificateSource) -> bool;
}

impl SignedDraft for SignatureDraft<'_> {
    fn signed(&self) -> (&Material<'_>, &SignerIdentifier<'_>, &ValueCheck<'_>) {
        (&self.material, &self.signer, &self.check)
    }

    fn is_whole(&self) -> bool {
        signer::digests_match(&self.facts.digest_matchers)
    }

    /// Returns whether the caller supplied it: a certificate is one that the signature holds, or the caller supplies
    /// (EN 319 102-1 §5.2.3.2). A certificate that is trusted, or that signed something else in the document, is not
    /// this signature's for that.
    fn may_take(source: CertificateSource) -> bool {
        matches!(source, CertificateSource::Other | CertificateSource::Aia)
    }
}

impl SignedDraft for TimestampDraft<'_> {
    fn signed(&self) -> (&Material<'_>, &SignerIdentifier<'_>, &ValueCheck<'_>) {
        (&self.material, &self.signer, &self.check)
    }

    /// Returns `true`: what was time-stamped is no part of the token.
    fn is_whole(&self) -> bool {
        true
    }

    /// Returns `true`: a requester that asks for no certificate obtains it elsewhere (RFC 3161 §2.4.1).
    fn may_take(_: CertificateSource) -> bool {
        true
    }
}

/// Puts a draft's certificates and revocation data into the pools.
pub(super) fn register(pool: &mut Pool, revocations: &mut Revocations, draft: &Draft<'_>) {
    for signature in &draft.signatures {
        register_material(pool, revocations, &signature.material, CertificateSource::Signature);
        signature.timestamps.iter().for_each(|timestamp| register_timestamp(pool, revocations, timestamp));
        signature.evidence_records.iter().for_each(|record| register_record(pool, revocations, record));
    }
    draft.timestamps.iter().for_each(|timestamp| register_timestamp(pool, revocations, timestamp));
    draft.evidence_records.iter().for_each(|record| register_record(pool, revocations, record));
    register_material(pool, revocations, &draft.material, CertificateSource::Other);
}

fn register_timestamp(pool: &mut Pool, revocations: &mut Revocations, timestamp: &TimestampDraft<'_>) {
    register_material(pool, revocations, &timestamp.material, CertificateSource::Timestamp);
}

fn register_record(pool: &mut Pool, revocations: &mut Revocations, record: &EvidenceRecordDraft<'_>) {
    register_material(pool, revocations, &record.material, CertificateSource::EvidenceRecord);
    record.timestamps.iter().for_each(|timestamp| register_timestamp(pool, revocations, timestamp));
}

fn register_material(
    pool: &mut Pool,
    revocations: &mut Revocations,
    material: &Material<'_>,
    source: CertificateSource,
) {
    let members: Vec<Index> =
        material.certificates.iter().filter_map(|embedded| pool.add_embedded(&embedded.bytes, source)).collect();
    if source == CertificateSource::Timestamp {
        pool.together(&members);
    }
    for embedded in &material.revocations {
        let (kind, bytes) = (embedded.kind, &embedded.bytes);
        if revocations.known(kind, bytes).is_none() {
            let index = match kind {
                RevocationType::Crl => add_crl(pool, revocations, bytes, RevocationOrigin::InputDocument),
                _ => add_ocsp(pool, revocations, bytes, RevocationOrigin::InputDocument),
            };
            revocations.remember(kind, bytes, index);
        }
    }
}

/// Adds a CRL; `None` where it cannot be read.
pub(super) fn add_crl(
    pool: &Pool,
    revocations: &mut Revocations,
    bytes: &[u8],
    origin: RevocationOrigin,
) -> Option<usize> {
    let crl = pool.cache.as_ref().map_or_else(|| Crl::from_der(bytes).ok(), |cache| cache.crl(bytes))?;
    let room = has_room(pool, revocations);
    room.then(|| revocations.add(Data::Crl(crl), origin, Vec::new()))
}

/// Adds an OCSP response and the certificates in it; `None` where it cannot be read.
pub(super) fn add_ocsp(
    pool: &mut Pool,
    revocations: &mut Revocations,
    bytes: &[u8],
    origin: RevocationOrigin,
) -> Option<usize> {
    let ocsp = pool.cache.as_ref().map_or_else(|| OcspResponse::from_der(bytes).ok(), |cache| cache.ocsp(bytes))?;
    if !has_room(pool, revocations) {
        return None;
    }
    let certificates: Vec<Index> =
        ocsp.certificates().filter_map(|bytes| pool.add_bytes(bytes, CertificateSource::OcspResponse)).collect();
    pool.together(&certificates);
    Some(revocations.add(Data::Ocsp(ocsp), origin, certificates))
}

/// Returns whether one more may be added.
fn has_room(pool: &Pool, revocations: &Revocations) -> bool {
    let room = revocations.len() < pool.budget().tokens;
    if !room {
        pool.cut("tokens");
    }
    room
}

impl RecordBuilder<'_> {
    /// Adds a whole draft.
    pub fn draft(&mut self, draft: Draft<'_>) {
        if draft.container.is_some() {
            self.facts.container = draft.container;
        }
        self.facts.irregularities.extend(draft.irregularities);
        for data in draft.signed_data {
            if !self.facts.signed_data.iter().any(|known| known.id == data.id) {
                self.facts.signed_data.push(data);
            }
        }
        let signers = self.signers(&draft.signatures);
        for (signature, signed) in draft.signatures.into_iter().zip(signers) {
            self.signature(signature, signed);
        }
        let signers = self.signers(&draft.timestamps);
        for (timestamp, Signed { signer, .. }) in draft.timestamps.into_iter().zip(signers) {
            let id = timestamp.facts.id.clone();
            let stamp = self.timestamp(timestamp, signer);
            // A PDF's document time-stamps belong to several signatures.
            for task in &mut self.levels {
                if self.facts.signatures[task.signature].found_timestamps.contains(&id) {
                    task.add(stamp);
                }
            }
        }
        for record in draft.evidence_records {
            self.evidence_record(record);
        }
    }

    fn signature(&mut self, draft: SignatureDraft<'_>, Signed { own, in_field, signer }: Signed) {
        let mut stated = draft.facts;
        signing_input(&mut stated, signer.intact);
        stated.irregularities.extend(signer.refused.iter().map(unbelievable));
        let signed_by = self.signed_by(&signer, &draft.check, &draft.signer, &stated.digest_matchers);
        if let Some(index) = signer.certificate {
            let certificate = &self.pool.get(index).certificate;
            stated.irregularities.extend(purpose::of_signer(certificate));
            stated.irregularities.extend(names::irregularities(certificate));
        }
        stated.irregularities.extend(self.irregular(&signer, &draft.signer, &draft.material));
        let found = self.found(&draft.material);
        let timestamps = draft.timestamps.iter().map(|timestamp| timestamp.facts.id.clone()).collect();
        let records = draft.evidence_records.iter().map(|record| record.facts.id.clone()).collect();

        let signer_embedded = signer.certificate.is_some_and(|signer| own[..in_field].contains(&signer));
        let position = self.facts.signatures.len();
        self.facts.signatures.push(complete::signature(stated, signed_by, found, timestamps, records));
        let mut task = LevelTask {
            signature: position,
            levels: draft.levels,
            own,
            signer: signer.certificate,
            signer_embedded,
            timestamps: Vec::new(),
            revocations: !draft.material.revocations.is_empty(),
        };
        let signers = self.signers(&draft.timestamps);
        for (timestamp, Signed { signer, .. }) in draft.timestamps.into_iter().zip(signers) {
            task.add(self.timestamp(timestamp, signer));
        }
        draft.evidence_records.into_iter().for_each(|record| self.evidence_record(record));
        self.levels.push(task);
    }

    fn timestamp(&mut self, draft: TimestampDraft<'_>, signer: Signer) -> Stamp {
        let mut stated = draft.facts;
        let stamp = Stamp {
            kind: stated.kind,
            time: stated.production_time,
            signer: signer.certificate,
            over_another: draft.covers.iter().any(is_timestamp),
            revocations: !draft.material.revocations.is_empty(),
        };
        stated.irregularities.extend(signer.refused.iter().map(unbelievable));
        let signed_by = self.signed_by(&signer, &draft.check, &draft.signer, &stated.digest_matchers);
        stated.irregularities.extend(self.irregular(&signer, &draft.signer, &draft.material));
        stated.irregularities.extend(irregular::purpose(self.pool, &signer));
        let subject = signer.certificate.map(|index| self.pool.get(index).certificate.subject());
        let tsa_name = draft.tsa.map(|stated| tsa_name(stated, subject));
        let found = self.found(&draft.material);
        let covered = self.references.covered(self.pool, self.revocations, &draft.covers);
        if self.facts.timestamps.len() < self.pool.budget().tokens {
            self.facts.timestamps.push(complete::timestamp(stated, signed_by, tsa_name, found, covered));
        } else {
            self.pool.cut("tokens");
        }
        stamp
    }

    fn evidence_record(&mut self, draft: EvidenceRecordDraft<'_>) {
        let found = self.found(&draft.material);
        let covered = self.references.covered(self.pool, self.revocations, &draft.covers);
        let timestamps = draft.timestamps.iter().map(|timestamp| timestamp.facts.id.clone()).collect();
        let signers = self.signers(&draft.timestamps);
        for (timestamp, Signed { signer, .. }) in draft.timestamps.into_iter().zip(signers) {
            self.timestamp(timestamp, signer);
        }
        self.facts.evidence_records.push(complete::evidence_record(draft.facts, timestamps, found, covered));
    }

    fn found(&mut self, material: &Material<'_>) -> Found {
        Found {
            certificates: self.references.certificates(self.pool, material),
            revocations: self.references.revocations(self.revocations, material),
        }
    }

    /// Finds who signed each of the drafts. The values of many are verified in parallel.
    ///
    /// In parallel each draft may spend an equal part of what is left of the budget. Those that need more are verified again,
    /// one after the other, so that what is cut off does not depend on the order of threads.
    fn signers<D: SignedDraft + Sync>(&mut self, drafts: &[D]) -> Vec<Signed> {
        let executor = if drafts.len() >= SHARED { self.executor } else { &Sequential };
        let pool: &Pool = self.pool;
        let part = pool.left / drafts.len().max(1) as u64;
        let mut signed = executor::map(executor, drafts, |draft| signed_by_whom(pool, draft, part));
        for Signed { signer, .. } in &signed {
            self.pool.spend(signer.spent.cost, &signer.spent.tried);
        }
        for (draft, signed) in drafts.iter().zip(&mut signed).filter(|(_, signed)| signed.signer.spent.exceeded) {
            *signed = signed_by_whom(self.pool, draft, self.pool.left);
            self.pool.spend(signed.signer.spent.cost, &signed.signer.spent.tried);
            if signed.signer.spent.exceeded {
                self.pool.cut(VERIFICATION_COST);
            }
        }
        signed
    }

    fn irregular(
        &self,
        signer: &Signer,
        identifier: &SignerIdentifier<'_>,
        material: &Material<'_>,
    ) -> Vec<Irregularity> {
        irregular::identifiers(self.pool, signer, identifier, &material.certificate_refs)
    }

    /// Records who signed a token: the certificate with its chain, else the bare key that verifies the value.
    fn signed_by(
        &mut self,
        signer: &Signer,
        check: &ValueCheck<'_>,
        identifier: &SignerIdentifier<'_>,
        matchers: &[Shared<DigestMatcher>],
    ) -> SignedBy {
        let basic = signer::basic(check, signer, matchers);
        let Some(index) = signer.certificate else {
            let key = identifier.public_key.as_deref().filter(|_| signer.intact).map(Into::into);
            return SignedBy { basic, signing_certificate: None, signing_public_key: key, chain: Vec::new() };
        };
        let chain = self.pool.chain(index);
        if !self.pool.may_judge(&chain) {
            return SignedBy { basic, signing_certificate: None, signing_public_key: None, chain: Vec::new() };
        }
        self.roots.push(index);
        let chain = chain.into_iter().map(|index| self.pool.id(index)).collect();
        SignedBy { basic, signing_certificate: Some(self.pool.id(index)), signing_public_key: None, chain }
    }
}

fn is_timestamp(covered: &CoveredObject<'_>) -> bool {
    matches!(covered, CoveredObject::Token(token) if token.kind == CoveredKind::Timestamp)
}

/// Finds the signer of a draft at no more than this cost.
fn signed_by_whom<D: SignedDraft>(pool: &Pool, draft: &D, limit: u64) -> Signed {
    let (material, identifier, check) = draft.signed();
    let (own, in_field) = own(pool, material);
    let others = |index: Index| pool.get(index).sources.iter().copied().any(D::may_take);
    let references = &material.certificate_refs;
    let stated = signer::Stated { identifier, references, whole: draft.is_whole(), in_field };
    let signer = signer::identify(pool, &own, others, stated, check, limit);
    Signed { own, in_field, signer }
}

/// Makes an irregularity of a key that is not valid: it proves nothing about the signer (SP 800-89 §5.3).
fn unbelievable(error: &VerifyError) -> Irregularity {
    Irregularity::about(IrregularityKind::FormatViolation, error.to_string())
}

/// Returns whether a field is meant for the signer's certificate.
fn is_of_signer(origin: CertificateOrigin) -> bool {
    matches!(origin, CertificateOrigin::SignedData | CertificateOrigin::KeyInfo)
}

/// Returns the token's own certificates, those in the fields meant for the signer's first, and how many of these there are.
fn own(pool: &Pool, material: &Material<'_>) -> (Vec<Index>, usize) {
    let (mut own, mut seen, mut in_field) = (Vec::new(), Set::default(), 0);
    for round in [true, false] {
        for embedded in material.certificates.iter().filter(|embedded| is_of_signer(embedded.origin) == round) {
            if let Some(index) = pool.by_bytes(&embedded.bytes)
                && seen.insert(index)
            {
                own.push(index);
            }
        }
        in_field = if round { own.len() } else { in_field };
    }
    (own, in_field)
}

/// Marks the input of a JWS as not intact where no key verifies the value: nothing else says what the digest of the
/// input should be (RFC 7515 §5.2). Then it is not known either what was signed.
fn signing_input(facts: &mut SignatureFacts, intact: bool) {
    let input = facts.digest_matchers.iter_mut().find(|matcher| matcher.kind == MatcherType::JwsSigningInput);
    if let Some(input) = input.filter(|_| !intact) {
        input.data_intact = false;
        facts.scopes.clear();
    }
}

/// Compares `tsa` with the subject name of the certificate, to which it corresponds (RFC 3161 §2.4.2).
fn tsa_name(stated: StatedTsa, subject: Option<&Name>) -> TsaName {
    let parts = |name: &Name| -> Vec<String> {
        let mut parts: Vec<String> = name
            .rdns()
            .flatten()
            .map(|(kind, value)| format!("{kind}={}", value.string().unwrap_or_default()))
            .collect();
        crate::order::sort(&mut parts);
        parts
    };
    let name = stated.directory_name.as_deref().and_then(|der| Name::from_der(der).ok());
    let names = name.as_ref().zip(subject);
    let order_match = names.is_some_and(|(stated, subject)| stated == subject);
    let content_match = order_match || names.is_some_and(|(stated, subject)| parts(stated) == parts(subject));
    TsaName { name: stated.name, content_match, order_match }
}

/// Corrects a covered token's kind once it is known which tokens are in no chain.
pub(super) fn orphaned(covered: &mut Covered, is_used: impl Fn(&Id) -> bool) {
    covered.kind = match covered.kind {
        CoveredKind::Certificate if !is_used(&covered.id) => CoveredKind::OrphanCertificate,
        CoveredKind::Revocation if !is_used(&covered.id) => CoveredKind::OrphanRevocation,
        kind => kind,
    };
}
