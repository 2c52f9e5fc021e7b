//! The time-stamps of a JAdES signature, with what each is over and covers: TS 119 182-1 §5.2.6, §5.3.4, §5.3.6,
//! annex A.1.5.

use super::canonical::{JCS, canonical};
use super::etsi_u::Component;
use super::jws::Jws;
use super::material;
use super::payload::{self, Piece};
use crate::algorithm::DigestAlgorithm;
use crate::facts::{ArchiveTimestampType, Covered, CoveredKind, Id, Scope, Shared, TimestampType};
use crate::formats::draft::{Covers, TimestampDraft, previous};
use crate::formats::tsp::{Imprint, Token};
use std::borrow::Cow;

/// A signature whose time-stamps are read.
pub(super) struct Stamped<'r, 'u> {
    pub jws: &'u Jws<'u>,
    /// The payload as content and archive time-stamps take it; `None` where it is not at hand.
    pub payload: Option<Vec<Piece<'r>>>,
    pub id: &'r Id,
    pub scopes: &'r [Shared<Scope>],
    pub counter_signatures: &'r [Id],
}

impl<'u> Stamped<'_, 'u> {
    /// Content first, then as the components stand.
    pub(super) fn read(&self) -> Vec<TimestampDraft<'u>> {
        let data: Vec<Covers<'u>> =
            self.scopes.iter().map(|scope| token(CoveredKind::SignedData, &scope.signed_data)).collect();
        let over = |algorithm| self.content(algorithm).into_iter().collect();
        let imprint = || if self.payload.is_some() { Imprint::Computed(&over) } else { Imprint::Missing };
        let mut done = vec![];
        for token in parsed(&self.jws.content_tokens) {
            let mut draft = token.draft(TimestampType::Content, imprint(), &self.salt("adoTst"));
            draft.covers = data.clone();
            draft.facts.scopes = self.scopes.to_vec();
            done.push(draft);
        }

        let mut base = data;
        base.push(token(CoveredKind::Signature, self.id));
        base.extend(material::signing_certificate_refs(self.jws).into_iter().map(Covers::certificate_ref));
        base.extend(material::chain(self.jws).into_iter().map(|c| Covers::Certificate(c.octets)));
        base.extend(previous(&done));

        let mut earlier = Earlier::default();
        for (place, component) in self.jws.etsi_u.components.iter().enumerate() {
            let first = done.len();
            for token in parsed(&component.tokens) {
                done.extend(self.unsigned(place, component, &token, &base, &earlier));
            }
            earlier.add(component, self.counter_signatures, &done[first..]);
        }
        done
    }

    fn unsigned(
        &self,
        place: usize,
        component: &'u Component<'u>,
        token: &Token<'u>,
        base: &[Covers<'u>],
        earlier: &Earlier<'u>,
    ) -> Option<TimestampDraft<'u>> {
        let before = self.jws.etsi_u.components.get(..place).unwrap_or_default();
        let kind = kind(&component.name)?;
        let over = |algorithm| -> Vec<Vec<u8>> {
            match kind {
                TimestampType::Signature => self.value(algorithm).into_iter().collect(),
                _ => FORMS.iter().filter_map(|form| self.imprint(kind, *form, component, before, algorithm)).collect(),
            }
        };
        let missing = kind == TimestampType::Archive && self.payload.is_none();
        let imprint = if missing { Imprint::Missing } else { Imprint::Computed(&over) };
        let mut draft = token.draft(kind, imprint, &self.salt(&component.name));
        draft.covers = match kind {
            TimestampType::ValidationDataRefsOnly => earlier.references.clone(),
            TimestampType::Signature => base.to_vec(),
            TimestampType::ValidationData => [base, &earlier.references, &earlier.timestamps].concat(),
            _ => [base, &earlier.timestamps, &earlier.references, &earlier.values].concat(),
        };
        if kind == TimestampType::Archive {
            draft.facts.archive_type = Some(ArchiveTimestampType::Jades);
            draft.facts.scopes = self.scopes.to_vec();
        }
        Some(draft)
    }

    fn content(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        let pieces = self.payload.as_deref()?;
        payload::digest(algorithm, |sink| payload::write(pieces, sink))
    }

    /// §5.3.4: the signature value in Base64url, as it stands.
    fn value(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        crate::crypto::digest(algorithm, self.jws.signature_text.as_bytes())
    }

    /// §A.1.5.1.2, §A.1.5.2.2, §5.3.6.3.1: what stands before the components, then those that count.
    fn imprint(
        &self,
        kind: TimestampType,
        form: Form,
        own: &Component<'_>,
        before: &[Component<'_>],
        algorithm: DigestAlgorithm,
    ) -> Option<Vec<u8>> {
        if self.jws.etsi_u.is_mixed() {
            return None;
        }
        // Every reference counts for `rfsTst`: it has no place of its own (§A.1.5.2.2).
        let counts = |component: &&Component<'_>| match kind {
            TimestampType::ValidationData => component.name == "sigTst" || is_reference(&component.name),
            TimestampType::ValidationDataRefsOnly => is_reference(&component.name),
            _ => true,
        };
        let parts = before.iter().filter(counts).map(|component| component_text(component, own, form));
        let parts: Vec<Cow<'_, str>> = parts.collect::<Option<_>>()?;
        let pieces = self.payload.as_deref().unwrap_or_default();
        payload::digest(algorithm, |sink| {
            if kind == TimestampType::Archive {
                payload::write(pieces, sink)?;
                [".", &self.jws.protected_text, "."].iter().for_each(|part| sink(part.as_bytes()));
            }
            if kind != TimestampType::ValidationDataRefsOnly {
                sink(self.jws.signature_text.as_bytes());
                sink(b".");
            }
            parts.iter().for_each(|part| sink(part.as_bytes()));
            Some(())
        })
    }

    /// Keeps apart the ids of the same token in two places.
    fn salt(&self, name: &str) -> Vec<u8> {
        [self.id.as_str().as_bytes(), name.as_bytes()].concat()
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

/// A component as it goes into an imprint; `None` where the time-stamp asks for a canonical form that is not known.
/// Without `canonAlg` the text as it stands counts.
fn component_text<'c>(component: &'c Component<'_>, own: &Component<'_>, form: Form) -> Option<Cow<'c, str>> {
    if component.encoded {
        return (form == Form::Object).then_some(Cow::Borrowed(&*component.text));
    }
    match own.value.text_of("canonAlg") {
        Some(JCS) => {
            let value = canonical(&component.value)?;
            Some(Cow::Owned(match form {
                Form::Member => value,
                Form::Object => format!("{{\"{}\":{value}}}", component.name),
            }))
        }
        Some(_) => None,
        None => (form == Form::Object).then_some(Cow::Borrowed(&*component.text)),
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
    tokens.iter().filter_map(|octets| Token::parse(octets).ok())
}

fn token<'u>(kind: CoveredKind, id: &Id) -> Covers<'u> {
    Covers::Token(Covered { kind, id: id.clone() })
}

/// What stands before a time-stamp among the components.
#[derive(Default)]
struct Earlier<'u> {
    references: Vec<Covers<'u>>,
    values: Vec<Covers<'u>>,
    timestamps: Vec<Covers<'u>>,
}

impl<'u> Earlier<'u> {
    fn add(&mut self, component: &'u Component<'u>, counter_signatures: &[Id], drafts: &[TimestampDraft<'u>]) {
        let (references, values) = material::covers(component);
        self.references.extend(references);
        self.values.extend(values);
        if component.counter_signature.is_some() {
            self.values.extend(counter_signatures.iter().map(|id| token(CoveredKind::Signature, id)));
        }
        self.timestamps.extend(previous(drafts));
    }
}
