//! The tokens of a container, each read by its own format, with what the container adds.

use super::covered::{Held, token};
use super::manifest::Manifest;
use super::name::Role;
use super::over::{Files, Over};
use super::{Error, Holds, TokenFile, Unpacked};
use crate::algorithm::DigestAlgorithm;
use crate::budget::RELATIONS;
use crate::facts::{
    ArchiveTimestampType, ContainerType, CoveredKind, DigestMatcher, EvidenceRecordOrigin, Id, Irregularity,
    IrregularityKind, MatcherType, TimestampType,
};
use crate::formats::cades::SignerInfoReader;
use crate::formats::cms::SignedData;
use crate::formats::content::Content;
use crate::formats::draft::{Draft, SignatureDraft};
use crate::formats::ers::{self, Object, Record};
use crate::formats::level::Family;
use crate::formats::scope::SignedScope;
use crate::formats::tsp::{Imprint, Token};
use crate::hashed::Set;
use std::cell::Cell;
use std::collections::HashSet;

/// Files of a container that are named where something is over none of them.
const NAMED: usize = 10;

impl<'d> Unpacked<'d> {
    /// Returns its signatures, time-stamps and evidence records.
    ///
    /// # Errors
    ///
    /// [`Error`] where a signature or time-stamp cannot be read.
    pub fn draft(&self) -> Result<Draft<'_>, Error> {
        let mut reading = Reader {
            unpacked: self,
            files: Files::new(self),
            held: Held::default(),
            tokens: self.tokens.iter().map(|file| file.name.as_str()).collect(),
            relations: Cell::default(),
            archived: false,
            draft: Draft {
                container: Some(self.facts.clone()),
                irregularities: self.irregularities.clone(),
                ..Draft::default()
            },
        };
        for file in &self.tokens {
            reading.signatures(file)?;
        }
        for file in &self.tokens {
            reading.timestamp(file)?;
        }
        for file in &self.tokens {
            reading.record(file)?;
        }
        reading.cover();
        // What many manifests list is one thing.
        let mut seen = Set::default();
        reading.draft.signed_data.retain(|data| seen.insert(data.id.clone()));
        reading.draft.relations = reading.relations.get();
        Ok(reading.draft)
    }
}

struct Reader<'u, 'd> {
    unpacked: &'u Unpacked<'d>,
    files: Files<'u, 'd>,
    held: Held<'u>,
    /// The names of the files that hold tokens.
    tokens: HashSet<&'u str>,
    /// As in the draft, so far.
    relations: Cell<usize>,
    /// Whether the draft has what is in the one file of an ASiC-S.
    archived: bool,
    draft: Draft<'u>,
}

impl<'u, 'd: 'u> Reader<'u, 'd> {
    fn signatures(&mut self, file: &'u TokenFile<'d>) -> Result<(), Error> {
        let (signatures, mut data) = match &file.holds {
            Holds::Xades(_) if self.relations.get() > RELATIONS => return Ok(()),
            Holds::Xades(unpacked) => {
                let mut read = unpacked.draft(&self.files.beside(&file.name));
                self.relations.set(self.relations.get() + read.relations);
                for draft in &mut read.signatures {
                    // §4.3.3.2, §4.4.3.2: in a container XAdES, whatever element is around it.
                    draft.levels.family = Family::Xades;
                    self.add_archived(draft);
                    if !draft.facts.is_counter_signature() && is_over_no_file(&draft.facts.digest_matchers) {
                        self.tell_other(&mut draft.facts.irregularities);
                    }
                }
                (read.signatures, read.signed_data)
            }
            Holds::Cades(bytes) => self.cades(&file.name, bytes)?,
            _ => return Ok(()),
        };
        signatures.iter().for_each(|draft| self.held.signature(&file.name, draft));
        self.draft.signatures.extend(signatures);
        self.draft.signed_data.append(&mut data);
        Ok(())
    }

    /// Adds what is in the one file of an ASiC-S, where that is a ZIP file: it is signed as well (§4.3.1).
    fn add_archived(&mut self, draft: &mut SignatureDraft<'u>) {
        let Some((content, subject)) = self.files.single() else { return };
        let is_over = draft.facts.scopes.iter().any(|scope| scope.name.as_deref() == content.name());
        if !is_over || self.relations.get() > RELATIONS {
            return;
        }
        draft.facts.scopes.extend(subject.scopes.iter().skip(1).cloned());
        self.relations.set(self.relations.get() + subject.scopes.len());
        // What is in it is the same for all signatures.
        if !std::mem::replace(&mut self.archived, true) {
            self.draft.signed_data.extend(subject.signed_data.iter().cloned());
        }
    }

    /// Notes that a token is over something else than the files of the container (§4.3.1, §4.4.1).
    fn tell_other(&self, irregularities: &mut Vec<Irregularity>) {
        let names = self.unpacked.facts.contents.iter().take(NAMED).map(String::as_str);
        let names = names.collect::<Vec<_>>().join(", ");
        irregularities.push(Irregularity::about(IrregularityKind::OtherSignedFile, names));
    }

    /// Notes files of which the list of the package states another media type than the signed manifest does (§4.4.3.2).
    fn other_types(&self, manifest: &Manifest) -> Vec<Irregularity> {
        let types = manifest.entries.iter().filter_map(|entry| Some((&entry.uri, entry.media_type.as_deref()?)));
        types.filter_map(|(uri, signed)| self.files.named(uri)?.other_type(signed)).collect()
    }

    /// Returns whether what a signature holds itself, without a manifest, is the one file of the container.
    fn is_single(&self, held: &Content<'_>) -> bool {
        let digest = |content: &Content<'_>| content.digest(DigestAlgorithm::Sha256);
        self.files.single().is_some_and(|(file, _)| digest(file).is_some() && digest(file) == digest(held))
    }

    /// Reads a CMS signature over a file or a manifest; what the manifest lists is signed with it (§4.3.3.2, §4.4.3.2).
    fn cades(
        &self,
        file: &'u str,
        bytes: &'u [u8],
    ) -> Result<(Vec<SignatureDraft<'u>>, Vec<crate::facts::SignedData>), Error> {
        let read = SignedData::parse(bytes);
        let signed_data = read.map_err(|source| Error::Cms { file: file.into(), what: "a CMS signature", source })?;
        let over = self.files.over(file, Role::Cades);
        let is_listed =
            |manifest: &Manifest| manifest.entries.iter().any(|entry| Role::of(&entry.uri) == Role::Content);
        let mut other = over.manifest.is_some_and(|manifest| !is_listed(manifest));
        let manifest = over.manifest;
        let Over { content, mut subject, matchers, .. } = match signed_data.content_pieces() {
            Some(pieces) => {
                let content = Content::pieces(pieces).within(&self.unpacked.work);
                other |= over.manifest.is_none() && !self.is_single(&content);
                held(content, over)
            }
            None => over,
        };
        let reader = SignerInfoReader {
            file,
            family: Family::Cades,
            discriminator: file.as_bytes(),
            signatures: self.unpacked.budget.tokens,
            relations: &self.relations,
            work: &self.unpacked.work,
        };
        let mut drafts = vec![];
        for signer in &signed_data.signers {
            let mut read = reader.read(&signed_data, signer, &content, &mut subject);
            let own = read.iter_mut().filter(|draft| !draft.facts.is_counter_signature());
            for draft in own {
                draft.facts.digest_matchers.extend(matchers.iter().cloned());
                draft.facts.irregularities.extend(manifest.into_iter().flat_map(|list| self.other_types(list)));
                if other {
                    self.tell_other(&mut draft.facts.irregularities);
                }
            }
            drafts.append(&mut read);
        }
        Ok((drafts, subject.signed_data))
    }

    /// Adds a time-stamp over a file or a manifest (§4.3.3.3, §4.4.3.3, §A.7).
    fn timestamp(&mut self, file: &'u TokenFile<'d>) -> Result<(), Error> {
        let Holds::Timestamp(bytes) = &file.holds else { return Ok(()) };
        let read = Token::parse(bytes);
        let read = read.map_err(|source| Error::Cms { file: file.name.clone(), what: "a time-stamp", source });
        let stamp = read?;
        let Over { content, manifest, subject, matchers } = self.files.over(&file.name, Role::Timestamp);
        // NOTE: EU DSS leaves out a time-stamp of an ASiC-S that does not have its one file: it is over nothing.
        if self.unpacked.kind() == Some(ContainerType::AsicS) && self.files.single().is_none() {
            return Ok(());
        }
        let imprint = |algorithm| content.digest(algorithm).into_iter().collect();
        let imprint = if content.is_found() { Imprint::Computed(&imprint) } else { Imprint::Missing };
        let mut draft = stamp.draft(TimestampType::Container, imprint, file.name.as_bytes());
        draft.facts.file = Some(file.name.clone());
        for matcher in &mut draft.facts.digest_matchers {
            matcher.document_name = manifest.and(content.name()).map(Into::into);
        }
        let intact = draft.facts.digest_matchers.iter().all(|matcher| matcher.data_intact);
        draft.facts.digest_matchers.extend(matchers);
        if intact {
            draft.covers.extend(subject.scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)));
            draft.facts.scopes = subject.scopes;
            manifest.into_iter().for_each(|manifest| self.files.tell(manifest));
            self.draft.signed_data.extend(subject.signed_data);
        }
        if manifest.is_some_and(|manifest| !self.is_over_container(&file.name, manifest)) {
            self.tell_other(&mut draft.facts.irregularities);
        }
        self.held.timestamp(&file.name, &draft);
        if let Some(manifest) = manifest {
            self.add_stamped(manifest, &draft.facts.id, intact);
            draft.facts.archive_type = Some(ArchiveTimestampType::CadesDetached);
        }
        self.draft.timestamps.push(draft);
        Ok(())
    }

    /// Returns whether a manifest lists contents of the container, or other tokens that are over them (§A.7).
    fn is_over_container(&self, file: &str, manifest: &Manifest) -> bool {
        let token = |name: &str| name != file && self.tokens.contains(name);
        manifest.entries.iter().any(|entry| Role::of(&entry.uri) == Role::Content || token(&entry.uri))
    }

    /// Adds to what a time-stamp covers the tokens in the files that its manifest lists (§A.7).
    fn cover(&mut self) {
        self.held.settle();
        for stamp in &mut self.draft.timestamps {
            if self.relations.get() > RELATIONS {
                break;
            }
            let matchers = stamp.facts.digest_matchers.iter();
            let entries = matchers.filter(|matcher| matcher.kind == MatcherType::ManifestEntry && matcher.data_intact);
            let files = entries.filter_map(|matcher| matcher.document_name.as_deref());
            let own = stamp.facts.file.as_deref().unwrap_or_default();
            stamp.covers.extend(self.held.beside_own(own, files));
            self.relations.set(self.relations.get() + stamp.covers.len());
        }
    }

    /// Adds a time-stamp to the signatures whose files its manifest lists. It raises the level of those that it is
    /// over: where its imprint is intact, and the file has the digest that is listed (§A.4).
    fn add_stamped(&mut self, manifest: &Manifest, id: &Id, intact: bool) {
        let listed = manifest.names();
        let entries = manifest.entries.iter().filter(|entry| intact && self.files.is_intact(entry));
        let over: HashSet<&str> = entries.map(|entry| &*entry.uri).collect();
        for signature in self.draft.signatures.iter_mut().filter(|draft| listed.contains(&*draft.facts.file)) {
            let is_over = over.contains(&*signature.facts.file);
            signature.facts.timestamps_elsewhere.push(id.clone());
            signature.levels.a |= is_over;
            signature.levels.baseline_lta |= is_over;
        }
    }

    /// Counts so many relations more. Returns whether there may be as many.
    fn has_room(&self, more: usize) -> bool {
        self.relations.set(self.relations.get().saturating_add(more));
        self.relations.get() <= RELATIONS
    }

    /// Adds an evidence record over the one file, or over what its manifest lists (§4.3.3.4, §4.4.3.4).
    fn record(&mut self, file: &'u TokenFile<'d>) -> Result<(), Error> {
        let simple = self.unpacked.kind() == Some(ContainerType::AsicS);
        let name = &file.name;
        // §4.3.1: an ASiC-S has time-stamps or evidence records. NOTE: where it has both, EU DSS reads the former.
        if simple && !self.draft.timestamps.is_empty() {
            if matches!(file.holds, Holds::Record(_) | Holds::XmlRecord(_)) {
                let beside = Irregularity::about(IrregularityKind::UnexpectedContainerEntry, name.as_str());
                self.draft.irregularities.push(beside);
            }
            return Ok(());
        }
        let record = match &file.holds {
            Holds::Record(bytes) => ers::parse(bytes).map_err(|source| Error::Record { file: name.clone(), source })?,
            Holds::XmlRecord(record) => {
                record.record().map_err(|source| Error::XmlRecord { file: name.clone(), source })?
            }
            _ => return Ok(()),
        };
        if !self.has_room(record.hashes()) {
            return Ok(());
        }
        let manifest = self.files.manifest(name).filter(|_| !simple);
        let mut listed: Vec<(&str, Content<'d>)> = vec![];
        // §A.4: what the manifest says of a file has to hold as well.
        let mut changed: Vec<&str> = vec![];
        for entry in manifest.into_iter().flat_map(|manifest| &manifest.entries) {
            listed.push((&entry.uri, self.files.named(&entry.uri).cloned().unwrap_or_default()));
            changed.extend(Some(&*entry.uri).filter(|_| !self.files.is_intact(entry)));
        }
        if let Some((content, _)) = self.files.single() {
            listed.push(("", content.clone()));
        }
        let mut objects = vec![];
        for (uri, content) in &listed {
            let subject = SignedScope::whole(content);
            let mut object = Object::of(content, subject.scopes, manifest.is_some());
            object.name = Some(*uri).filter(|uri| !uri.is_empty()).map(Into::into);
            object.covers.extend(self.held.in_files(std::iter::once(*uri)));
            objects.push(object);
            self.draft.signed_data.extend(subject.signed_data);
        }
        let mut draft =
            Record::verify(&record, &objects, EvidenceRecordOrigin::Container, name.as_bytes(), &self.unpacked.work);
        draft.facts.irregularities.extend(ers::left_out(listed.iter().map(|(_, content)| content)));
        draft.facts.file = Some(name.clone());
        for matcher in draft.facts.digest_matchers.iter_mut().filter(|m| m.kind == MatcherType::ErArchiveObject) {
            matcher.uri = matcher.document_name.clone();
            matcher.data_intact &= !matcher.uri.as_deref().is_some_and(|uri| changed.contains(&uri));
        }
        let id = &draft.facts.id;
        let names = manifest.map(Manifest::names).unwrap_or_default();
        for signature in self.draft.signatures.iter_mut().filter(|draft| names.contains(&*draft.facts.file)) {
            signature.facts.evidence_records_elsewhere.push(id.clone());
        }
        let stamps = self.draft.timestamps.iter_mut();
        for stamp in stamps.filter(|one| one.facts.file.as_deref().is_some_and(|file| names.contains(file))) {
            stamp.facts.evidence_records_elsewhere.push(id.clone());
        }
        if listed.is_empty() {
            self.tell_other(&mut draft.facts.irregularities);
        }
        self.held.record(name, &draft);
        self.draft.evidence_records.push(draft);
        Ok(())
    }
}

/// Returns whether no reference is to a content of the container. One to a content that is changed or missing is, for
/// that is what is the matter with it; but not one in a manifest of the signature, which may fail (XMLDSig §5.1).
fn is_over_no_file(matchers: &[crate::facts::Shared<DigestMatcher>]) -> bool {
    !matchers.iter().any(|matcher| {
        let counts = matcher.data_intact || matcher.kind != MatcherType::ManifestEntry;
        match &matcher.document_name {
            Some(name) => counts && Role::of(name) == Role::Content,
            None => counts && !matcher.data_found,
        }
    })
}

/// Returns what a signature is over that holds its content, as a container's should not (§4.3.3.2, §4.4.3.2): it is
/// over that. Where that is its manifest, also over what the manifest lists; where its manifest is another one, what
/// the container says of it is not what was signed.
fn held<'u, 'd>(held: Content<'d>, over: Over<'u, 'd>) -> Over<'u, 'd> {
    let Some(manifest) = over.manifest else {
        let subject = SignedScope::whole(&held);
        return Over { content: held, manifest: None, subject, matchers: vec![] };
    };
    let is_manifest = held.digest(DigestAlgorithm::Sha256) == over.content.digest(DigestAlgorithm::Sha256);
    if is_manifest {
        return Over { content: held, ..over };
    }
    let other = DigestMatcher {
        data_found: true,
        document_name: Some(manifest.file.as_str().into()),
        ..DigestMatcher::missing(MatcherType::Manifest)
    };
    let subject = SignedScope::whole(&held);
    Over { content: held, manifest: Some(manifest), subject, matchers: vec![other.into()] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_that_hold_their_content() {
        let manifest = Manifest {
            file: "META-INF/ASiCManifest.xml".into(),
            signature_file: None,
            entries: vec![],
            irregularity: None,
        };
        let changed = DigestMatcher { data_found: true, ..DigestMatcher::missing(MatcherType::ManifestEntry) };
        let states = |bytes: &'static [u8], manifest: Option<&Manifest>| {
            let content = Content::pieces(vec![b"<m/>"]);
            let over =
                Over { content, manifest, subject: SignedScope::default(), matchers: vec![changed.clone().into()] };
            let over = held(Content::pieces(vec![bytes]), over);
            over.matchers.iter().map(|matcher| (matcher.kind, matcher.data_intact)).collect::<Vec<_>>()
        };
        for (clause, situation, found, expected) in [
            ("4.3.3.2", "there is no manifest", states(b"text", None), vec![]),
            (
                "4.4.3.2",
                "the manifest: what it lists counts",
                states(b"<m/>", Some(&manifest)),
                vec![(MatcherType::ManifestEntry, false)],
            ),
            (
                "4.4.3.2",
                "another manifest than the container's",
                states(b"<n/>", Some(&manifest)),
                vec![(MatcherType::Manifest, false)],
            ),
        ] {
            assert_eq!(found, expected, "EN 319 162-1 {clause} {situation}");
        }
    }
}
