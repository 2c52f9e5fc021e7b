//! The time-stamps of a JAdES signature, with what each is over and covers: TS 119 182-1 §5.2.6, §5.3.4, §5.3.6,
//! annex A.1.5.

use super::canonical::{JCS, canonical};
use super::etsi_u::{Component, Member};
use super::jws::Jws;
use super::material;
use super::payload::{self, Piece};
use super::signature::JadesSignature;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{ArchiveTimestampType, TimestampType};
use crate::formats::ades::bounded;
use crate::formats::digest_work::{BoundedHasher, DigestWork};
use crate::formats::draft::{CoveredObject, SignatureFacts, TimestampDraft, previous};
use crate::formats::tsp::{Imprint, Token};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

impl<'r, 'u: 'r> JadesSignature<'r, 'u> {
    /// Returns the time-stamps over the payload (§5.2.6).
    pub(super) fn read_content_timestamps(&self, facts: &SignatureFacts) -> Vec<TimestampDraft<'u>> {
        let payload = self.stamped_payload();
        let made = RefCell::new(BTreeMap::new());
        let over = |algorithm| {
            let mut made = made.borrow_mut();
            let digest =
                made.entry(algorithm).or_insert_with(|| content(payload.as_deref(), algorithm, self.contents.work()));
            digest.clone().into_iter().collect()
        };
        let stamp = |token: Token<'u>| {
            let imprint = if payload.is_some() { Imprint::Computed(&over) } else { Imprint::Missing };
            let mut draft = token.draft(TimestampType::Content, imprint, &discriminator(facts, "adoTst"));
            draft.covers = CoveredObject::signed_data(&facts.scopes).collect();
            draft.facts.scopes = facts.scopes.clone();
            draft
        };
        bounded(parsed(&self.jws.content_tokens).map(stamp))
    }

    /// Returns the time-stamps in the component at this place (§5.3.4, §5.3.6, §A.1.5). `signature` is what each of
    /// them covers at least.
    pub(super) fn unsigned_timestamps(
        &self,
        place: usize,
        member: &'u Member<'u>,
        facts: &SignatureFacts,
        signature: &[CoveredObject<'u>],
        preceding: &PrecedingComponents<'u>,
    ) -> Vec<TimestampDraft<'u>> {
        let Some(kind) = kind(&member.name) else { return vec![] };
        let payload = self.stamped_payload();
        let before = self.jws.etsi_u.components.get(..place).unwrap_or_default();
        let input = ImprintInput {
            jws: self.jws,
            payload: payload.as_deref(),
            kind,
            own: member,
            before,
            work: self.contents.work(),
        };
        let imprints = &self.imprints;
        let over = |algorithm| input.digests(algorithm, &mut imprints.borrow_mut());
        let PrecedingComponents { references, values, timestamps, signature_timestamps } = preceding;
        let stamp = |token: Token<'u>| {
            let missing = kind == TimestampType::Archive && payload.is_none();
            let imprint = if missing { Imprint::Missing } else { Imprint::Computed(&over) };
            let mut draft = token.draft(kind, imprint, &discriminator(facts, &member.name));
            draft.covers = match kind {
                TimestampType::ValidationDataRefsOnly => references.clone(),
                TimestampType::Signature => signature.to_vec(),
                TimestampType::ValidationData => [signature, references, signature_timestamps].concat(),
                _ => [signature, timestamps, references, values].concat(),
            };
            if kind == TimestampType::Archive {
                draft.facts.archive_type = Some(ArchiveTimestampType::Jades);
                draft.facts.scopes = facts.scopes.clone();
            }
            draft
        };
        bounded(parsed(&member.tokens).map(stamp))
    }
}

/// Returns the digest of the payload as a content time-stamp takes it.
fn content(payload: Option<&[Piece<'_>]>, algorithm: DigestAlgorithm, work: &DigestWork) -> Option<Vec<u8>> {
    let pieces = payload?;
    payload::digest(work, algorithm, |sink| payload::write(pieces, sink))
}

/// Returns what tells the id of a token from that of the same token in another component.
fn discriminator(facts: &SignatureFacts, name: &str) -> Vec<u8> {
    [facts.id.as_str().as_bytes(), name.as_bytes()].concat()
}

/// What the imprint of a time-stamp in a component is over.
struct ImprintInput<'i, 'w, 'u> {
    jws: &'u Jws<'u>,
    payload: Option<&'i [Piece<'i>]>,
    kind: TimestampType,
    /// The component that holds the time-stamp.
    own: &'u Member<'u>,
    /// The components before it.
    before: &'u [Component<'u>],
    work: &'w DigestWork,
}

impl<'w> ImprintInput<'_, 'w, '_> {
    /// Returns the digests that the imprint may be: one for each form of the components.
    fn digests(&self, algorithm: DigestAlgorithm, known: &mut Imprints<'w>) -> Vec<Vec<u8>> {
        // §5.3.4: the signature value in Base64url, as it stands.
        let value = || self.work.digest(algorithm, self.jws.signature_text.as_bytes());
        match self.kind {
            TimestampType::Signature => value().into_iter().collect(),
            _ => FORMS.iter().filter_map(|form| self.digest(*form, algorithm, known)).collect(),
        }
    }

    /// Returns the digest of what stands before the components and of those that count (§A.1.5.1.2, §A.1.5.2.2, §5.3.6.3.1),
    /// which goes on where that of an earlier time-stamp ended.
    fn digest(&self, form: Form, algorithm: DigestAlgorithm, known: &mut Imprints<'w>) -> Option<Vec<u8>> {
        if self.jws.etsi_u.is_mixed() {
            return None;
        }
        let key = (self.kind, Written::of(self.own), form, algorithm);
        let at = known.0.iter().position(|(other, begun)| *other == key && begun.taken <= self.before.len());
        let begun = match at {
            Some(at) => &mut known.0[at].1,
            None => {
                known.0.push((key, Begun { taken: 0, hasher: self.beginning(algorithm) }));
                &mut known.0.last_mut()?.1
            }
        };
        for component in &self.before[begun.taken..] {
            // Every reference counts for `rfsTst`: it has no place of its own (§A.1.5.2.2).
            let counts = match self.kind {
                TimestampType::ValidationData => component.name() == "sigTst" || is_reference(component.name()),
                TimestampType::ValidationDataRefsOnly => is_reference(component.name()),
                _ => true,
            };
            if counts {
                match component_text(component, key.1, form) {
                    Some(text) => begun.hasher.iter_mut().for_each(|hasher| hasher.update(text.as_bytes())),
                    None => begun.hasher = None,
                }
            }
        }
        begun.taken = self.before.len();
        begun.hasher.clone().and_then(BoundedHasher::finish)
    }

    /// Begins the digest with what stands before the components.
    fn beginning(&self, algorithm: DigestAlgorithm) -> Option<BoundedHasher<'w>> {
        let mut hasher = self.work.hasher(algorithm)?;
        if self.kind == TimestampType::Archive {
            payload::write(self.payload.unwrap_or_default(), &mut |piece| hasher.update(piece))?;
            [".", &self.jws.protected_text, "."].iter().for_each(|part| hasher.update(part.as_bytes()));
        }
        if self.kind != TimestampType::ValidationDataRefsOnly {
            hasher.update(self.jws.signature_text.as_bytes());
            hasher.update(b".");
        }
        Some(hasher)
    }
}

/// The imprints of the time-stamps of one signature, as far as they were digested: each is over what the one before it is
/// over, and more.
#[derive(Default)]
pub(super) struct Imprints<'w>(Vec<(ImprintKey, Begun<'w>)>);

/// What the digests of two time-stamps have to have in common, so that one begins as the other.
type ImprintKey = (TimestampType, Written, Form, DigestAlgorithm);

/// A digest over some of the components.
struct Begun<'w> {
    /// How many components were looked at.
    taken: usize,
    /// `None` where one of them has no form to be digested in.
    hasher: Option<BoundedHasher<'w>>,
}

/// How a time-stamp asks for clear components to be written (`canonAlg`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    AsTheyStand,
    Canonical,
    Unknown,
}

impl Written {
    fn of(own: &Member<'_>) -> Self {
        match own.value.text_of("canonAlg") {
            Some(JCS) => Self::Canonical,
            Some(_) => Self::Unknown,
            None => Self::AsTheyStand,
        }
    }
}

/// How a clear component is written into an imprint. TS 119 182-1 §5.3.6.3.1.2 has its canonical form; whether that
/// is of the whole object or of its only member, readers differ, and either covers the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Object,
    Member,
}

const FORMS: [Form; 2] = [Form::Object, Form::Member];

/// Returns a component as it goes into an imprint; `None` where the time-stamp asks for a canonical form that is not
/// known. Without `canonAlg` the text as it stands counts.
fn component_text<'c>(component: &'c Component<'_>, written: Written, form: Form) -> Option<Cow<'c, str>> {
    match written {
        _ if component.encoded => (form == Form::Object).then_some(Cow::Borrowed(&*component.text)),
        Written::Canonical => {
            let member = component.member.as_ref()?;
            let counter_signature = member.name == "cSig";
            let value = if counter_signature { member.canonical.clone() } else { canonical(&member.value) }?;
            Some(Cow::Owned(match form {
                Form::Member => value,
                Form::Object => format!("{{\"{}\":{value}}}", member.name),
            }))
        }
        Written::Unknown => None,
        Written::AsTheyStand => (form == Form::Object).then_some(Cow::Borrowed(&*component.text)),
    }
}

fn kind(name: &str) -> Option<TimestampType> {
    Some(match name {
        "sigTst" => TimestampType::Signature,
        "sigRTst" => TimestampType::ValidationData,
        "rfsTst" => TimestampType::ValidationDataRefsOnly,
        "arcTst" => TimestampType::Archive,
        _ => return None,
    })
}

fn is_reference(name: &str) -> bool {
    matches!(name, "xRefs" | "rRefs" | "axRefs" | "arRefs")
}

fn parsed<'u>(tokens: &'u [Vec<u8>]) -> impl Iterator<Item = Token<'u>> {
    tokens.iter().filter_map(|bytes| Token::parse(bytes).ok())
}

/// The components before a time-stamp.
#[derive(Default)]
pub(super) struct PrecedingComponents<'u> {
    references: Vec<CoveredObject<'u>>,
    values: Vec<CoveredObject<'u>>,
    timestamps: Vec<CoveredObject<'u>>,
    /// Those of them that are over the value alone.
    signature_timestamps: Vec<CoveredObject<'u>>,
}

impl<'u> PrecedingComponents<'u> {
    /// Adds the member of a component, which holds these time-stamps.
    pub(super) fn add(
        &mut self,
        member: &'u Member<'u>,
        timestamps: &[TimestampDraft<'u>],
        counter_signatures: impl Iterator<Item = CoveredObject<'u>>,
    ) {
        let (references, values) = material::covers(member);
        self.references.extend(references);
        self.values.extend(values);
        self.values.extend(counter_signatures);
        let covers = previous(timestamps);
        if member.name == "sigTst" {
            self.signature_timestamps.extend(covers.iter().cloned());
        }
        self.timestamps.extend(covers);
    }
}
