//! PAdES: EN 319 142-1, and the PKCS#7 signatures of ISO 32000-1 §12.8.3.3.

use super::dss::{DssEntries, MergedEntries};
use super::signature::{Purpose, unreadable};
use super::unpacked::{Unpacked, UnpackedSignature};
use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::{PrefixHashes, digest};
use crate::facts::{
    ArchiveTimestampType, CertificateOrigin, Covered, CoveredKind, Digest, DigestMatcher, Id, Irregularity,
    IrregularityKind, MatcherType, RevocationOrigin, RevocationType, Scope, ScopeType, SignedData as SignedDataFacts,
    TimestampType,
};
use crate::formats::cades::SignerInfoReader;
use crate::formats::cms::{self, SignedData, SignerInfo, oids};
use crate::formats::content::Content;
use crate::formats::digest_work::DigestWork;
use crate::formats::draft::{
    CoveredObject, Draft, EmbeddedCertificate, EmbeddedRevocation, Material, SignatureDraft, SignatureFacts,
    TimestampDraft,
};
use crate::formats::ids;
use crate::formats::level::{Family, Levels};
use crate::formats::scope::SignedScope;
use crate::formats::tsp::{Imprint, Token};
use crate::x509::Certificate;
use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

/// `/SubFilter` of a PAdES signature: EN 319 142-1 §6.2.
const ETSI: &str = "ETSI.CAdES.detached";
/// ISO 32000-1 table 252.
const PKCS7: &str = "adbe.pkcs7.detached";
/// The same: the CMS holds the SHA-1 of what is covered.
const PKCS7_SHA1: &str = "adbe.pkcs7.sha1";

/// Returns the signatures and document time-stamps of a PDF.
///
/// EU DSS leaves out what cannot be read as a signature; here it is noted. `bytes` are those that were unpacked.
pub fn draft<'s>(
    unpacked: &'s Unpacked,
    name: Option<&'s str>,
    bytes: &'s PrefixHashes<'s>,
    budget: &Budget,
    work: &'s Rc<DigestWork>,
) -> Draft<'s> {
    let limit = STORED / unpacked.signatures.len().max(1);
    let tokens: Vec<Option<Result<Token<'s>, cms::Error>>> = unpacked.signatures.iter().map(token).collect();
    let mut pdf = Pdf {
        unpacked,
        document_timestamps: document_timestamps(unpacked, &tokens),
        tokens: budget.tokens,
        name,
        bytes,
        work,
        draft: Draft { irregularities: unpacked.irregular.clone(), ..Draft::default() },
        covered: Vec::new(),
        stored_later: DssEntries::from_each_on(unpacked.dss.iter().map(|(_, store)| &store.all), limit),
        stored_before: (0, MergedEntries::default()),
        stored_timestamps: Vec::new(),
        limit,
    };
    for (place, (signature, token)) in unpacked.signatures.iter().zip(tokens).enumerate() {
        match token {
            None => pdf.signature(place, signature),
            Some(Ok(token)) => pdf.timestamp(place, signature, &token),
            Some(Err(error)) => pdf.unreadable(signature, &error.to_string()),
        }
    }
    let mut stored = MergedEntries::default();
    for store in unpacked.dss.iter().map(|(_, store)| store).chain(&unpacked.intermediate_dss) {
        stored.add(&store.all);
        store.vri.iter().for_each(|related| stored.add(&related.entries));
    }
    add_listed(&mut pdf.draft.material, unpacked, &stored.entries, usize::MAX, Origin::DSS);
    pdf.draft
}

/// Certificates, CRLs and OCSP responses of the stores that are named with signatures, all of these
/// together: every signature is named with all, which is more than a file may make of itself.
const STORED: usize = 500_000;

/// Reads the token of a document time-stamp; `None` for a signature.
fn token(signature: &UnpackedSignature) -> Option<Result<Token<'_>, cms::Error>> {
    (signature.purpose == Purpose::DocumentTimestamp).then(|| Token::parse(&signature.contents))
}

/// A document time-stamp that can be read: EN 319 142-1 §5.4.3.
struct DocumentTimestamp {
    id: Id,
    /// Its place among the signatures of the file. It covers those before it.
    place: usize,
    /// Whether validation data was stored in a revision that it covers.
    over_store: bool,
}

/// Returns the document time-stamps of the file, which the levels of the signatures before them depend on.
fn document_timestamps(
    unpacked: &Unpacked,
    tokens: &[Option<Result<Token<'_>, cms::Error>>],
) -> Vec<DocumentTimestamp> {
    let first_store =
        unpacked.dss.iter().find(|(_, store)| store.has_validation_data(&unpacked.streams)).map(|(end, _)| *end);
    let mut over_store = false;
    let mut found = vec![];
    for (place, (signature, token)) in unpacked.signatures.iter().zip(tokens).enumerate() {
        if let Some(Ok(token)) = token {
            over_store |= first_store.is_some_and(|end| end <= signature.end);
            found.push(DocumentTimestamp { id: token.id(&discriminator(place, signature)), place, over_store });
        }
    }
    found
}

struct Pdf<'s> {
    document_timestamps: Vec<DocumentTimestamp>,
    /// Signatures that are read.
    tokens: usize,
    unpacked: &'s Unpacked,
    /// The file's name.
    name: Option<&'s str>,
    bytes: &'s PrefixHashes<'s>,
    work: &'s Rc<DigestWork>,
    draft: Draft<'s>,
    /// What a later document time-stamp covers of what was read up to here.
    covered: Vec<CoveredObject<'s>>,
    /// What each store and those after it hold.
    stored_later: Vec<DssEntries>,
    /// How many of the stores are in the revisions read up to here, and what these hold, all together.
    stored_before: (usize, MergedEntries),
    /// What a document time-stamp covers of each time-stamp in a VRI dictionary, with the end of the first revision that has
    /// it.
    stored_timestamps: Vec<(usize, Vec<CoveredObject<'s>>)>,
    /// How much of each kind is named with one signature.
    limit: usize,
}

/// Where validation data was found.
#[derive(Clone, Copy)]
struct Origin {
    certificate: CertificateOrigin,
    revocation: RevocationOrigin,
}

impl Origin {
    const DSS: Self =
        Self { certificate: CertificateOrigin::DssDictionary, revocation: RevocationOrigin::DssDictionary };
    const VRI: Self =
        Self { certificate: CertificateOrigin::VriDictionary, revocation: RevocationOrigin::VriDictionary };
}

impl<'s> Pdf<'s> {
    fn signature(&mut self, place: usize, signature: &'s UnpackedSignature) {
        let cms = match SignedData::parse(&signature.contents) {
            Ok(cms) => cms,
            Err(error) => return self.unreadable(signature, &error.to_string()),
        };
        // Exactly one is allowed (EN 319 142-1 §6.2.1 f); the facts name all, the first is judged.
        let Some(signer) = cms.signers.first() else { return self.unreadable(signature, "no signer") };
        let sub_filter = signature.facts.sub_filter.as_deref();
        let content = self.content(signature, &cms);
        let data = self.signed_data(signature, &content, signer.digest());
        let mut subject =
            SignedScope { scopes: data.iter().map(|(scope, _)| scope.clone().into()).collect(), signed_data: vec![] };
        let family = if matches!(sub_filter, Some(PKCS7 | PKCS7_SHA1)) { Family::Pkcs7 } else { Family::Pades };
        let file = self.name.unwrap_or_default();
        let discriminator = discriminator(place, signature);
        let relations = Cell::new(self.draft.relations);
        let (discriminator, signatures, relations) = (&discriminator, self.tokens, &relations);
        let reader = SignerInfoReader { file, family, discriminator, signatures, relations, work: self.work };
        // Counter-signatures have no place in PDF (EN 319 142-1 §6.3).
        let read = reader.read(&cms, signer, &content, &mut subject);
        self.draft.relations = relations.get();
        let Some(mut draft) = read.into_iter().next() else {
            return self.unreadable(signature, "no signature");
        };
        draft.timestamps.retain(|t| matches!(t.facts.kind, TimestampType::Content | TimestampType::Signature));
        // Adobe's archival of revocation data is signed, so that a signature time-stamp covers it.
        let archived: Vec<CoveredObject<'s>> = draft
            .material
            .revocations
            .iter()
            .filter(|revocation| revocation.origin == RevocationOrigin::AdbeRevocationInfoArchival)
            .map(|revocation| CoveredObject::Revocation(revocation.kind, revocation.bytes.clone()))
            .collect();
        for timestamp in draft.timestamps.iter_mut().filter(|one| one.facts.kind == TimestampType::Signature) {
            timestamp.covers.extend(archived.iter().cloned());
        }
        draft.facts.claimed_signing_time = signature.signing_time;
        if !matches!(sub_filter, Some(ETSI | PKCS7 | PKCS7_SHA1)) {
            let stated = format!("/SubFilter {}", sub_filter.unwrap_or_default());
            draft.facts.irregularities.push(Irregularity::about(IrregularityKind::MalformedHeader, stated));
        }
        draft.facts.pdf_revision = Some(signature.facts.clone());
        draft.facts.irregularities.extend(signature.irregularities.iter().cloned());
        draft.facts.hash_only = Some(false);
        draft.facts.document_hash_only = Some(false);
        for matcher in &mut draft.facts.digest_matchers {
            matcher.document_name = None;
        }
        if sub_filter == Some(PKCS7_SHA1) {
            let held = self.held_digest(signature, &cms);
            if !held.data_intact {
                // What the value is over says nothing about the document.
                draft.check.signed.clear();
                draft.facts.digest_matchers.iter_mut().for_each(|matcher| matcher.data_intact = false);
            }
            draft.facts.digest_matchers.push(held.into());
        }
        if !Self::is_over(&content, &cms, signer.digest()) {
            draft.check.signed.clear();
        }
        self.add_store(signature, &mut draft);
        let later = self.document_timestamps.iter().filter(|timestamp| timestamp.place > place);
        draft.facts.timestamps_elsewhere = later.clone().map(|timestamp| timestamp.id.clone()).collect();
        let levels = self.levels(draft.levels, signature, &draft.facts, &cms);
        draft.levels = with_document_timestamps(levels, later, self.unpacked.has_dss);
        self.cover_signature(&draft, &archived);
        self.draft.signed_data.extend(data.map(|(_, data)| data));
        self.draft.signatures.push(draft);
    }

    /// Returns what the CMS is over: the two stretches, or for `adbe.pkcs7.sha1` what the CMS itself holds.
    fn content(&self, signature: &UnpackedSignature, cms: &SignedData<'s>) -> Content<'s> {
        match cms.content_pieces() {
            Some(pieces) if signature.facts.sub_filter.as_deref() == Some(PKCS7_SHA1) => Content::pieces(pieces),
            _ => self.covered_bytes(signature),
        }
    }

    /// Returns whether the CMS is over those bytes: no content stands in it, or the same one. One of its own is what
    /// its value is over (RFC 5652 §5.4), also where it has no bytes; the document needs one that stands for itself
    /// (ISO 32000-2 §12.8.3.3.1).
    fn is_over(content: &Content<'_>, cms: &SignedData<'_>, function: Option<DigestAlgorithm>) -> bool {
        let Some(pieces) = cms.content_pieces() else { return cms.is_detached() };
        let function = function.unwrap_or(DigestAlgorithm::Sha256);
        let own = Content::pieces(pieces).digest(function);
        own.is_some() && own == content.digest(function)
    }

    /// Returns the bytes covered. Nothing where `/ByteRange` is not valid: then no digest matches.
    fn covered_bytes(&self, signature: &UnpackedSignature) -> Content<'s> {
        let [first, second] = signature.covered.clone().unwrap_or_default();
        let second = self.bytes.bytes().get(second).unwrap_or_default();
        Content::covered(self.bytes, first.end, second).within(self.work)
    }

    /// Compares the SHA-1 of what is covered with the CMS, which holds it with `adbe.pkcs7.sha1` (ISO 32000-1
    /// §12.8.3.3.1). It binds the document, so that its function is judged as that of any digest (EN 319 102-1
    /// §5.2.8.4.1).
    fn held_digest(&self, signature: &UnpackedSignature, cms: &SignedData<'_>) -> DigestMatcher {
        let sha1 = self.covered_bytes(signature).digest(DigestAlgorithm::Sha1);
        let held = cms.content_pieces().map(|pieces| pieces.concat()).unwrap_or_default();
        let data_found = signature.covered.is_some();
        DigestMatcher {
            data_found,
            data_intact: data_found && sha1.as_ref() == Some(&held),
            digest: Digest { algorithm: Some(DigestAlgorithm::Sha1), value: held.into() },
            ..DigestMatcher::missing(MatcherType::ContentDigest)
        }
    }

    /// Notes a signature that cannot be read: EN 319 102-1 §5.2.2.
    fn unreadable(&mut self, signature: &UnpackedSignature, reason: &str) {
        let names: Vec<&str> = signature.facts.fields.iter().map(|field| &*field.name).collect();
        self.draft.irregularities.push(unreadable(format!("{}: {reason}", names.join(", "))));
    }

    /// Returns the scope and what it refers to: as in EU DSS, a byte range is the whole PDF or a part of it.
    fn signed_data(
        &self,
        signature: &UnpackedSignature,
        content: &Content<'_>,
        algorithm: Option<DigestAlgorithm>,
    ) -> Option<(Scope, SignedDataFacts)> {
        let algorithm = algorithm.unwrap_or(DigestAlgorithm::Sha256);
        let value = content.digest(algorithm)?;
        let whole = signature.covered.as_ref().is_some_and(|[_, second]| second.end == self.unpacked.length);
        let (kind, name) = if whole { (ScopeType::Full, "Full PDF") } else { (ScopeType::Partial, "Partial PDF") };
        let numbers: Vec<String> = signature.facts.byte_range.iter().map(i64::to_string).collect();
        let numbers = numbers.join(", ");
        let id = ids::of_parts("D-", &[&value, name.as_bytes(), numbers.as_bytes()]);
        let digest = crate::facts::Digest { algorithm: Some(algorithm), value: value.into() };
        let data = SignedDataFacts { id: id.clone(), name: Some(name.into()), digest, parent: None };
        let scope = Scope {
            kind,
            name: Some(name.into()),
            description: format!("The document ByteRange : [{numbers}]"),
            transformations: vec![],
            signed_data: id,
        };
        Some((scope, data))
    }

    /// Adds what the document security stores hold for a signature (EN 319 142-1 §5.4.2).
    fn add_store(&mut self, signature: &'s UnpackedSignature, draft: &mut SignatureDraft<'s>) {
        let unpacked = self.unpacked;
        // Those that came after it; what was there before was put together for others.
        let first = unpacked.dss.partition_point(|(end, _)| *end <= signature.end);
        if let Some(listed) = self.stored_later.get(first) {
            add_listed(&mut draft.material, self.unpacked, listed, self.limit, Origin::DSS);
        }
        let key = digest(DigestAlgorithm::Sha1, &signature.contents).unwrap_or_default();
        let key = crate::hex::upper(&key);
        let mut related_to_it = MergedEntries::default();
        let later = unpacked.dss.iter().skip(first);
        let later = later.flat_map(|(end, store)| store.vri.iter().map(move |related| (*end, related)));
        for (end, related) in later.filter(|(_, related)| related.key == key) {
            related_to_it.add(&related.entries);
            draft.facts.vri_creation_time = related.created.or(draft.facts.vri_creation_time);
            let token = related.timestamp.and_then(|blob| Token::parse(unpacked.streams.bytes(blob)).ok());
            let timestamp = token.map(|token| vri_timestamp(&token, draft));
            let is_new = |t: &TimestampDraft<'_>| draft.timestamps.iter().all(|known| known.facts.id != t.facts.id);
            if let Some(timestamp) = timestamp.filter(is_new) {
                let mut covers = Vec::new();
                cover_timestamp(&mut covers, &timestamp);
                self.stored_timestamps.push((end, covers));
                draft.timestamps.push(timestamp);
            }
        }
        add_listed(&mut draft.material, self.unpacked, &related_to_it.entries, self.limit, Origin::VRI);
    }

    /// Adds to the levels of the CMS what PDF adds to its profiles (EN 319 142-1 §6.3).
    fn levels(
        &self,
        cms_levels: Levels,
        signature: &UnpackedSignature,
        facts: &SignatureFacts,
        cms: &SignedData<'_>,
    ) -> Levels {
        let revision = &signature.facts;
        let data = oids::DATA.to_string();
        let reason = revision.reason.as_ref().is_some_and(|reason| !reason.is_empty());
        let committed = !facts.commitments.is_empty();
        // EN 319 142-2 §5.2, §5.3 a), b), e) and j): of the dictionary and the CMS in it, without the reason. Nothing is
        // encapsulated (EN 319 142-1 §6.2.1 d)).
        let dictionary = revision.filter.is_some()
            && revision.sub_filter.as_deref() == Some(ETSI)
            && cms.signers.len() == 1
            && cms.is_detached()
            && facts.content_type.as_ref() == Some(&data);
        let self_signed = |bytes| Certificate::from_der(bytes).is_ok_and(|c| c.subject() == c.issuer());
        let all_self_signed = || cms.x509_certificates().all(self_signed);
        // What a later revision has taken out of the catalog is no part of the document any more.
        let stored = self.unpacked.has_dss;
        if cms_levels.family == Family::Pkcs7 {
            // ISO 32000-1 §12.8.3.3.1: the digest is an attribute, or with `adbe.pkcs7.sha1` the content.
            let held = cms.content_pieces().map(|pieces| pieces.iter().map(|piece| piece.len()).sum::<usize>());
            let attribute = |signer: &SignerInfo<'_>| signer.signed.value(oids::MESSAGE_DIGEST).is_some();
            let digest = match revision.sub_filter.as_deref() {
                Some(PKCS7_SHA1) => held == Some(20),
                _ => held.is_none() && cms.signers.first().is_some_and(attribute),
            };
            return Levels {
                baseline_b: digest,
                needs_embedded_signer: true,
                bes: false,
                baseline_lt: stored,
                baseline_lta: false,
                ..cms_levels
            };
        }
        // A reason stands in place of a commitment (requirements d) and m)), and never beside a policy (EN 319 142-2 §5.4).
        Levels {
            baseline_b: cms_levels.baseline_b
                && dictionary
                && signature.signing_time.is_some()
                && !(reason && (committed || facts.policy.is_some())),
            bes: cms_levels.bes && dictionary && !(reason && committed),
            epes: cms_levels.epes && !reason,
            baseline_lt: cms_levels.baseline_lt && (stored || all_self_signed()),
            baseline_lta: false,
            a: false,
            ..cms_levels
        }
    }

    fn timestamp(&mut self, place: usize, signature: &'s UnpackedSignature, token: &Token<'s>) {
        let content = self.covered_bytes(signature);
        let imprint = |algorithm| content.digest(algorithm).into_iter().collect();
        let mut draft =
            token.draft(TimestampType::Document, Imprint::Computed(&imprint), &discriminator(place, signature));
        draft.facts.pdf_revision = Some(signature.facts.clone());
        draft.facts.irregularities.extend(signature.irregularities.iter().cloned());
        if let Some((scope, data)) = self.signed_data(signature, &content, token.info.imprint.algorithm) {
            draft.covers.push(token_covered(CoveredKind::SignedData, data.id.clone()));
            draft.facts.scopes = vec![scope.into()];
            self.draft.signed_data.push(data);
        }
        // EN 319 142-1 §5.4.3: everything in the revisions before, validation data among it.
        let stored = self.stored_timestamps.extract_if(.., |(end, _)| *end <= signature.end);
        self.covered.extend(stored.flat_map(|(_, covers)| covers));
        draft.covers.extend(self.covered.iter().cloned());
        let (count, before) = &mut self.stored_before;
        for (_, store) in self.unpacked.dss[*count..].iter().take_while(|(end, _)| *end <= signature.end) {
            *count += 1;
            before.add(&store.all);
            store.vri.iter().for_each(|related| before.add(&related.entries));
        }
        let mut material = Material::default();
        add_listed(&mut material, self.unpacked, &before.entries, self.limit, Origin::DSS);
        cover_material(&mut draft.covers, &material);
        let over_store = self.document_timestamps.iter().any(|one| one.place == place && one.over_store);
        draft.facts.archive_type = over_store.then_some(ArchiveTimestampType::Pades);
        if self.draft.signatures.is_empty() {
            draft.facts.file = self.name.map(str::to_owned);
        }
        cover_timestamp(&mut self.covered, &draft);
        self.draft.timestamps.push(draft);
    }

    fn cover_signature(&mut self, draft: &SignatureDraft<'s>, archived: &[CoveredObject<'s>]) {
        let scopes = draft.facts.scopes.iter();
        self.covered.extend(scopes.map(|scope| token_covered(CoveredKind::SignedData, scope.signed_data.clone())));
        self.covered.push(token_covered(CoveredKind::Signature, draft.facts.id.clone()));
        self.covered.extend(draft.material.certificate_refs.iter().cloned().map(CoveredObject::certificate_ref));
        self.covered.extend(archived.iter().cloned());
        let own = |origin| matches!(origin, CertificateOrigin::SignedData);
        let certificates = draft.material.certificates.iter().filter(|c| own(c.origin));
        self.covered.extend(certificates.map(|c| CoveredObject::Certificate(c.bytes.clone())));
        let revocations = draft.material.revocations.iter().filter(|r| r.origin == RevocationOrigin::CmsSignedData);
        self.covered.extend(revocations.map(|r| CoveredObject::Revocation(r.kind, r.bytes.clone())));
        // Those of the store are covered once a revision that has it is.
        for timestamp in draft.timestamps.iter().filter(|timestamp| timestamp.facts.kind != TimestampType::Vri) {
            cover_timestamp(&mut self.covered, timestamp);
        }
    }
}

/// Adds what the document time-stamps over a signature contribute to its levels, in a document that is `stored` with
/// its validation data (EN 319 142-1 §6.3, EN 319 142-2 §5.5).
fn with_document_timestamps<'t>(
    levels: Levels,
    over_it: impl Iterator<Item = &'t DocumentTimestamp>,
    stored: bool,
) -> Levels {
    over_it.fold(levels, |levels, timestamp| Levels {
        t: true,
        baseline_lta: levels.baseline_lta || timestamp.over_store,
        a: levels.a || stored && timestamp.over_store,
        ..levels
    })
}

/// Returns a time-stamp of the VRI dictionary, over the signature value like a signature time-stamp (EN 319 142-1
/// §5.4.2.3).
fn vri_timestamp<'s>(token: &Token<'s>, draft: &SignatureDraft<'s>) -> TimestampDraft<'s> {
    let value = &draft.facts.value.0;
    let imprint = |algorithm| digest(algorithm, value).into_iter().collect();
    let discriminator = [draft.facts.id.as_str().as_bytes(), b"VRI"].concat();
    let mut timestamp = token.draft(TimestampType::Vri, Imprint::Computed(&imprint), &discriminator);
    let scopes = draft.facts.scopes.iter();
    timestamp.covers.extend(scopes.map(|scope| token_covered(CoveredKind::SignedData, scope.signed_data.clone())));
    timestamp.covers.push(token_covered(CoveredKind::Signature, draft.facts.id.clone()));
    timestamp.covers.extend(draft.material.certificate_refs.iter().cloned().map(CoveredObject::certificate_ref));
    timestamp
}

/// Returns what tells the id of a CMS from that of the same CMS in another place of the file.
fn discriminator(place: usize, signature: &UnpackedSignature) -> Vec<u8> {
    let range: Vec<String> = signature.facts.byte_range.iter().map(i64::to_string).collect();
    format!("{place} [{}]", range.join(", ")).into_bytes()
}

fn token_covered<'s>(kind: CoveredKind, id: Id) -> CoveredObject<'s> {
    CoveredObject::Token(Covered { kind, id })
}

/// Adds a time-stamp that a later one covers, with what it holds. What it covers itself is covered already.
fn cover_timestamp<'s>(covers: &mut Vec<CoveredObject<'s>>, timestamp: &TimestampDraft<'s>) {
    let own = timestamp.facts.scopes.iter();
    covers.extend(own.map(|scope| token_covered(CoveredKind::SignedData, scope.signed_data.clone())));
    covers.push(token_covered(CoveredKind::Timestamp, timestamp.facts.id.clone()));
    covers.extend(timestamp.material.certificate_refs.iter().cloned().map(CoveredObject::certificate_ref));
    cover_material(covers, &timestamp.material);
}

fn cover_material<'s>(covers: &mut Vec<CoveredObject<'s>>, material: &Material<'s>) {
    covers.extend(material.certificates.iter().map(|c| CoveredObject::Certificate(c.bytes.clone())));
    covers.extend(material.revocations.iter().map(|r| CoveredObject::Revocation(r.kind, r.bytes.clone())));
}

/// Adds what a store lists, no more than `limit` of each kind.
fn add_listed<'s>(
    material: &mut Material<'s>,
    unpacked: &'s Unpacked,
    listed: &DssEntries,
    limit: usize,
    origin: Origin,
) {
    let bytes = |blob: &usize| Cow::Borrowed(unpacked.streams.bytes(*blob));
    let certificate = |blob| EmbeddedCertificate { origin: origin.certificate, bytes: bytes(blob) };
    material.certificates.extend(listed.certificates.iter().take(limit).map(certificate));
    for (blobs, kind) in [(&listed.crls, RevocationType::Crl), (&listed.ocsps, RevocationType::Ocsp)] {
        let revocation = |blob| EmbeddedRevocation { kind, origin: origin.revocation, bytes: bytes(blob) };
        material.revocations.extend(blobs.iter().take(limit).map(revocation));
    }
}
