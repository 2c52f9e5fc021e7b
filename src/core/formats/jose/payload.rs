//! What a JWS signs: RFC 7515 §5.1, RFC 7797 §3, TS 119 182-1 §5.2.8 (`sigD`).

use super::base64url::{self, Encoder};
use super::jws::Jws;
use crate::algorithm::DigestAlgorithm;
use crate::facts::{Digest, DigestMatcher, MatcherType, Shared};
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use crate::formats::digest_work::DigestWork;
use crate::uri::unescaped;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};

/// TS 119 182-1 §5.2.8: how `sigD` points at what is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// §5.2.8.2: fields of an HTTP message.
    HttpHeaders,
    /// §5.2.8.3: the objects, one after the other.
    ObjectIdByUri,
    /// §5.2.8.4: digests of the objects, in the header itself.
    ObjectIdByUriHash,
    /// Any other.
    Unknown,
}

/// Returns the mechanism that the protected header states.
pub(super) fn mechanism(jws: &Jws<'_>) -> Option<Mechanism> {
    Some(match jws.protected.get("sigD")?.text_of("mId") {
        Some("http://uri.etsi.org/19182/HttpHeaders") => Mechanism::HttpHeaders,
        Some("http://uri.etsi.org/19182/ObjectIdByURI") => Mechanism::ObjectIdByUri,
        Some("http://uri.etsi.org/19182/ObjectIdByURIHash") => Mechanism::ObjectIdByUriHash,
        _ => Mechanism::Unknown,
    })
}

/// A stretch of what is signed or time-stamped.
#[derive(Debug, Clone)]
pub(super) enum Piece<'c> {
    /// Text as it stands.
    Text(&'c str),
    /// Text made here.
    Made(String),
    /// A content, in Base64url or as it is.
    Content { content: &'c Content<'c>, encoded: bool },
}

/// The payload as it is signed.
#[derive(Debug, Default)]
pub(super) struct Payload<'c> {
    /// `None` where it is not at hand.
    pub pieces: Option<Vec<Piece<'c>>>,
    /// Its contents, each with the name that points at it.
    pub objects: Vec<Named<'c>>,
    /// Whether white space around a content is not signed.
    pub is_trimmed: bool,
    /// Whether a field of an HTTP message has several contents.
    has_joined_fields: bool,
}

/// A content that `sigD` names.
#[derive(Debug)]
pub(super) struct Named<'c> {
    pub uri: String,
    pub content: Option<&'c Content<'c>>,
    /// §5.2.8.4: the digest of the content under `hashM`, where the header has digests.
    digest: Option<Vec<u8>>,
}

impl<'c> Payload<'c> {
    /// Finds the payload of a signature; `parent` is what a counter-signature signs.
    pub(super) fn of(jws: &'c Jws<'_>, contents: &'c Contents<'c>, parent: Option<&'c Jws<'_>>) -> Self {
        let held = |pieces| Self { pieces, ..Self::default() };
        match (jws.own_payload(), parent) {
            (Some(payload), _) => held(Some(vec![Piece::Text(payload)])),
            // TS 119 182-1 §5.3.2: the payload of a counter-signature is the signature value, whatever it says of contents.
            (None, Some(parent)) => {
                held(Some(vec![Piece::Text(&parent.signature_text)]).filter(|_| !jws.is_unencoded()))
            }
            (None, None) => Self::detached(jws, contents),
        }
    }

    /// Finds the payload among the contents.
    fn detached(jws: &Jws<'_>, contents: &'c Contents<'c>) -> Self {
        let encoded = !jws.is_unencoded();
        let objects = named(jws, contents);
        let mut fields = Fields::default();
        let pieces = match mechanism(jws) {
            Some(Mechanism::HttpHeaders) => fields.read(jws, contents).map(|()| {
                let text = std::mem::take(&mut fields.text);
                vec![Piece::Made(if encoded { base64url::encode(text.as_bytes()) } else { text })]
            }),
            Some(Mechanism::ObjectIdByUri) => concatenated(&objects, encoded),
            // The digests are in the header: nothing stands after it.
            Some(Mechanism::ObjectIdByUriHash) => Some(vec![]),
            Some(Mechanism::Unknown) => None,
            None => only(contents).map(|content| vec![Piece::Content { content, encoded }]),
        };
        Self { pieces, objects, is_trimmed: fields.is_trimmed, has_joined_fields: fields.is_joined }
    }

    /// Returns the number of bytes that are digested for it: its own, and with digests in `sigD` those of the objects.
    pub(super) fn bytes(&self) -> u64 {
        let of_content = |content: &Content<'_>, encoded| if encoded { content.size() / 3 * 4 } else { content.size() };
        let of_piece = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => text.len() as u64,
            Piece::Made(text) => text.len() as u64,
            Piece::Content { content, encoded } => of_content(content, *encoded),
        };
        let pieces = self.pieces.iter().flatten().map(of_piece);
        let objects = self.objects.iter().filter(|object| object.digest.is_some()).filter_map(|object| object.content);
        pieces.chain(objects.map(|content| of_content(content, true))).fold(0, u64::saturating_add)
    }

    /// Notes which contents are compared with what is signed.
    pub(super) fn refer(&self, jws: &Jws<'_>) {
        let pieces = self.pieces.iter().flatten().filter_map(|piece| match piece {
            Piece::Content { content, .. } => Some(*content),
            _ => None,
        });
        // Their digests are compared with those in the header.
        let by_digest = mechanism(jws) == Some(Mechanism::ObjectIdByUriHash);
        let named = self.objects.iter().filter(|_| by_digest).filter_map(|object| object.content);
        pieces.chain(named).for_each(Content::refer);
    }

    /// Returns the only object where it is at hand under another name than the header gives it (§5.2.8.3.2).
    pub(super) fn renamed(&self, jws: &Jws<'_>) -> Option<&Named<'c>> {
        let [object] = self.objects.as_slice() else { return None };
        let other = |name: &str| name != object.uri && name != unescaped(&object.uri);
        let by_name = mechanism(jws) == Some(Mechanism::ObjectIdByUri);
        Some(object).filter(|object| by_name && object.content.and_then(Content::name).is_some_and(other))
    }

    /// Returns whether several contents are signed as one, so that nobody knows where one ends and the next begins.
    pub(super) fn is_joined(&self) -> bool {
        let contents = self.pieces.iter().flatten().filter(|piece| matches!(piece, Piece::Content { .. }));
        self.has_joined_fields || contents.count() > 1
    }
}

/// The bytes that the payloads of one document may still have. Each signature digests its own.
pub(super) struct Allowance(Cell<Option<u64>>);

impl Allowance {
    pub(super) fn new(bytes: u64) -> Self {
        Self(Cell::new(Some(bytes)))
    }

    /// Takes these bytes; `None` where there are not as many, from then on.
    pub(super) fn take(&self, bytes: u64) -> Option<()> {
        self.0.set(self.0.get().and_then(|left| left.checked_sub(bytes)));
        self.0.get().map(|_| ())
    }

    /// Returns whether there were as many bytes as were taken.
    pub(super) fn is_kept(&self) -> bool {
        self.0.get().is_some()
    }
}

/// Returns the only content beside a JWS without a payload: it is the payload (RFC 7515 appendix F).
fn only<'c>(contents: &'c Contents<'c>) -> Option<&'c Content<'c>> {
    contents.only().filter(|content| content.has_bytes())
}

/// Returns what `pars` names.
fn names(jws: &Jws<'_>) -> Vec<String> {
    jws.protected.get("sigD").map(|sig_d| sig_d.texts_of("pars")).unwrap_or_default()
}

/// Returns the digests that the header states of the objects: §5.2.8.4.
fn stated_digests(jws: &Jws<'_>) -> Vec<String> {
    let by_digest = mechanism(jws) == Some(Mechanism::ObjectIdByUriHash);
    let sig_d = jws.protected.get("sigD").filter(|_| by_digest);
    sig_d.map(|sig_d| sig_d.texts_of("hashV")).unwrap_or_default()
}

/// Returns what `pars` names: by digest where there are digests, by name, or the only one.
fn named<'c>(jws: &Jws<'_>, contents: &'c Contents<'c>) -> Vec<Named<'c>> {
    let names = names(jws);
    let stated = stated_digests(jws);
    let digests = if stated.is_empty() { ObjectDigests::default() } else { ObjectDigests::of(jws, contents) };
    let single = contents.only().filter(|_| names.len() == 1);
    let by_name = |name: &str| contents.named(name).or_else(|| contents.named(&unescaped(name)));
    let find = |(at, uri): (usize, String)| {
        let stated = stated.get(at).and_then(|text| base64url::decode_any(text));
        let by_digest = stated.and_then(|stated| digests.content(&stated));
        let own = by_name(&uri);
        // A content of that name is the one that is meant, even where another has the digest.
        let other = |found: &&Content<'_>| own.is_some_and(|own| own.name() != found.name());
        let content = single.or(by_digest.filter(|found| !other(found))).or(own);
        Named { content, uri, digest: content.and_then(|content| digests.digest(content)) }
    };
    names.into_iter().enumerate().map(find).collect()
}

/// The digests of all contents under `hashM`, each made once.
#[derive(Default)]
struct ObjectDigests<'c> {
    list: Vec<(&'c Content<'c>, Vec<u8>)>,
    /// The places in the list; of several contents with one digest that of the first.
    places: HashMap<Vec<u8>, usize>,
}

impl<'c> ObjectDigests<'c> {
    fn of(jws: &Jws<'_>, contents: &'c Contents<'c>) -> Self {
        let list: Vec<_> = contents
            .iter()
            .filter_map(|content| Some((content, object_digest(jws, content, contents.work())?)))
            .collect();
        let mut places = HashMap::new();
        for (place, (_, digest)) in list.iter().enumerate() {
            places.entry(digest.clone()).or_insert(place);
        }
        Self { list, places }
    }

    fn content(&self, digest: &[u8]) -> Option<&'c Content<'c>> {
        self.places.get(digest).and_then(|place| self.list.get(*place)).map(|(content, _)| *content)
    }

    fn digest(&self, content: &Content<'_>) -> Option<Vec<u8>> {
        self.list.iter().find(|(other, _)| std::ptr::eq(*other, content)).map(|(_, digest)| digest.clone())
    }
}

/// Returns all objects in their order, each in Base64url unless `b64` is false (§5.2.8.3.2).
fn concatenated<'c>(objects: &[Named<'c>], encoded: bool) -> Option<Vec<Piece<'c>>> {
    let piece = |named: &Named<'c>| {
        let content = named.content.filter(|content| content.has_bytes())?;
        Some(Piece::Content { content, encoded })
    };
    let pieces: Option<Vec<_>> = objects.iter().map(piece).collect();
    pieces.filter(|pieces| !pieces.is_empty())
}

/// The fields of an HTTP message as they are signed: §5.2.8.2.
#[derive(Default)]
struct Fields {
    text: String,
    /// Whether white space around a value was left out.
    is_trimmed: bool,
    /// Whether a field has several values.
    is_joined: bool,
}

impl Fields {
    /// Reads what `pars` names, each name once, as lines. `None` where something is missing.
    fn read(&mut self, jws: &Jws<'_>, contents: &Contents<'_>) -> Option<()> {
        let names = names(jws);
        if names.is_empty() || names_a_field_twice(jws) {
            return None;
        }
        names.iter().try_for_each(|name| self.add(&name.to_ascii_lowercase(), contents))
    }

    /// Adds a line. A content is the value of the field that it is named for, without the white space around it, and of
    /// several with one name the values follow each other (draft-cavage-http-signatures-10 §2.3).
    fn add(&mut self, name: &str, contents: &Contents<'_>) -> Option<()> {
        let same = |content: &&Content<'_>| content.name().is_some_and(|own| own.eq_ignore_ascii_case(name));
        contents.iter().filter(same).for_each(Content::refer);
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(name);
        for (place, content) in contents.iter().filter(same).enumerate() {
            let bytes = content.whole()?;
            // RFC 9110 §5.5: no value has line ends; §5.6.3: optional white space is SP and HTAB.
            let value = std::str::from_utf8(&bytes).ok().filter(|value| !value.contains(['\r', '\n', '\0']))?;
            let trimmed = value.trim_matches([' ', '\t']);
            self.is_trimmed |= trimmed.len() != value.len();
            self.is_joined |= place > 0;
            self.text.push_str(if place > 0 { ", " } else { ": " });
            self.text.push_str(trimmed);
        }
        contents.iter().any(|content| same(&content)).then_some(())
    }
}

/// Returns whether a field stands in the list twice, and not once with all of its values
/// (draft-cavage-http-signatures-10 §2.3).
pub(super) fn names_a_field_twice(jws: &Jws<'_>) -> bool {
    let mut seen = HashSet::new();
    mechanism(jws) == Some(Mechanism::HttpHeaders)
        && !names(jws).iter().all(|name| seen.insert(name.to_ascii_lowercase()))
}

/// Returns an object's digest under `hashM`, of its Base64url unless `b64` is false (§5.2.8.4). Of an object that is
/// known by its digest only, that digest counts.
fn object_digest(jws: &Jws<'_>, content: &Content<'_>, work: &DigestWork) -> Option<Vec<u8>> {
    let algorithm = hash_method(jws)?;
    if jws.is_unencoded() || !content.has_bytes() {
        return content.digest(algorithm);
    }
    digest(work, algorithm, |sink| encoded(content, sink))
}

fn hash_method(jws: &Jws<'_>) -> Option<DigestAlgorithm> {
    jws.protected.get("sigD")?.text_of("hashM").and_then(DigestAlgorithm::from_jose)
}

/// Compares each object with what the header says of it (§5.2.8.4). Where names and digests are not as many, one
/// matcher says that nothing can be compared.
pub(super) fn matchers(jws: &Jws<'_>, payload: &Payload<'_>) -> Vec<Shared<DigestMatcher>> {
    if mechanism(jws) != Some(Mechanism::ObjectIdByUriHash) {
        return vec![];
    }
    let digests = stated_digests(jws);
    if payload.objects.is_empty() || payload.objects.len() != digests.len() {
        return vec![DigestMatcher::missing(MatcherType::SigDEntry).into()];
    }
    let compare = |(object, stated): (&Named<'_>, &String)| {
        let value = base64url::decode_any(stated).unwrap_or_default();
        let matcher = DigestMatcher {
            digest: Digest { algorithm: hash_method(jws), value: value.clone().into() },
            data_found: object.content.is_some(),
            data_intact: object.digest.as_ref() == Some(&value),
            uri: Some(object.uri.as_str().into()),
            document_name: object.content.and_then(|content| content.name().map(Into::into)),
            ..DigestMatcher::missing(MatcherType::SigDEntry)
        };
        matcher.into()
    };
    payload.objects.iter().zip(&digests).map(compare).collect()
}

/// Returns what content time-stamps are over, and with what archive time-stamps begin: the payload as it is signed, and
/// with digests in `sigD` the objects themselves (TS 119 182-1 §5.2.6, §5.3.6.3.1 1) and 2)).
pub(super) fn stamped<'p, 'c>(jws: &Jws<'_>, payload: &'p Payload<'c>) -> Option<Cow<'p, [Piece<'c>]>> {
    match mechanism(jws) {
        Some(Mechanism::ObjectIdByUriHash) => concatenated(&payload.objects, !jws.is_unencoded()).map(Cow::Owned),
        _ => payload.pieces.as_deref().map(Cow::Borrowed),
    }
}

/// Writes pieces one after the other; `None` where a content is not what is stated of it.
pub(super) fn write(pieces: &[Piece<'_>], sink: &mut dyn FnMut(&[u8])) -> Option<()> {
    for piece in pieces {
        match piece {
            Piece::Text(text) => sink(text.as_bytes()),
            Piece::Made(text) => sink(text.as_bytes()),
            Piece::Content { content, encoded: true } => encoded(content, sink)?,
            Piece::Content { content, encoded: false } => content.write(sink)?,
        }
    }
    Some(())
}

fn encoded(content: &Content<'_>, sink: &mut dyn FnMut(&[u8])) -> Option<()> {
    let mut encoder = Encoder::new(sink);
    content.write(&mut |piece| encoder.push(piece))?;
    encoder.finish();
    Some(())
}

/// Returns the digest of what `write` writes.
pub(super) fn digest(
    work: &DigestWork,
    algorithm: DigestAlgorithm,
    write: impl FnOnce(&mut dyn FnMut(&[u8])) -> Option<()>,
) -> Option<Vec<u8>> {
    let mut hasher = work.hasher(algorithm)?;
    write(&mut |bytes| hasher.update(bytes))?;
    hasher.finish()
}
