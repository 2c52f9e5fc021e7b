//! What a JWS signs: RFC 7515 §5.1, RFC 7797 §3, TS 119 182-1 §5.2.8 (`sigD`).

use super::base64url::{self, Encoder};
use super::jws::Jws;
use crate::algorithm::DigestAlgorithm;
use crate::crypto::Hasher;
use crate::facts::{Digest, DigestMatcher, MatcherType, Shared};
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use std::borrow::Cow;

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
#[derive(Debug)]
pub(super) struct Payload<'c> {
    /// `None` where it is not at hand.
    pub pieces: Option<Vec<Piece<'c>>>,
    /// Its contents, each with the name that points at it.
    pub objects: Vec<Named<'c>>,
}

/// A content that `sigD` names.
#[derive(Debug)]
pub(super) struct Named<'c> {
    pub uri: String,
    pub content: Option<&'c Content<'c>>,
}

impl<'c> Payload<'c> {
    /// Finds the payload of a signature; `parent` is what a counter-signature signs.
    pub(super) fn of(jws: &'c Jws<'_>, contents: &'c Contents<'c>, parent: Option<&'c Jws<'_>>) -> Self {
        let objects = named(jws, contents);
        let encoded = !jws.is_unencoded();
        let own = jws.payload.as_deref().filter(|payload| !payload.is_empty());
        let pieces = match (own, parent, mechanism(jws)) {
            (Some(payload), _, _) => Some(vec![Piece::Text(payload)]),
            // TS 119 182-1 §5.3.2: the payload of a counter-signature is the signature value.
            (None, Some(parent), _) => Some(vec![Piece::Text(&parent.signature_text)]).filter(|_| encoded),
            (None, None, Some(Mechanism::HttpHeaders)) => http_headers(jws, contents).map(|text| {
                let text = if encoded { base64url::encode(text.as_bytes()) } else { text };
                vec![Piece::Made(text)]
            }),
            (None, None, Some(Mechanism::ObjectIdByUri)) => concatenated(&objects, encoded),
            // The digests are in the header: nothing stands after it.
            (None, None, Some(Mechanism::ObjectIdByUriHash)) => Some(vec![]),
            (None, None, Some(Mechanism::Unknown)) => None,
            (None, None, None) => detached(contents).map(|content| vec![Piece::Content { content, encoded }]),
        };
        Self { pieces, objects }
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

    /// §5.2.8.3.2: the only object where it is at hand under another name than the header gives it.
    pub(super) fn renamed(&self, jws: &Jws<'_>) -> Option<&Named<'c>> {
        let [object] = self.objects.as_slice() else { return None };
        let other = |name: &str| name != object.uri && name != unescaped(&object.uri);
        let by_name = mechanism(jws) == Some(Mechanism::ObjectIdByUri);
        Some(object).filter(|object| by_name && object.content.and_then(Content::name).is_some_and(other))
    }

    /// Whether several contents are signed as one, so that nobody knows where one ends and the next begins.
    pub(super) fn is_joined(&self) -> bool {
        let contents = self.pieces.iter().flatten().filter(|piece| matches!(piece, Piece::Content { .. }));
        contents.count() > 1
    }
}

/// RFC 7515 appendix F: the only content beside a JWS without a payload is the payload.
fn detached<'c>(contents: &'c Contents<'c>) -> Option<&'c Content<'c>> {
    contents.only().filter(|content| content.has_bytes())
}

/// Returns what `pars` names: by digest where there are digests, by name, or the only one.
fn named<'c>(jws: &Jws<'_>, contents: &'c Contents<'c>) -> Vec<Named<'c>> {
    let Some(sig_d) = jws.protected.get("sigD") else { return vec![] };
    let names = sig_d.texts_of("pars");
    let digests = sig_d.texts_of("hashV");
    let single = contents.only().filter(|_| names.len() == 1);
    let by_name = |name: &str| contents.named(name).or_else(|| contents.named(&unescaped(name)));
    let find = |(at, uri): (usize, String)| {
        let stated = digests.get(at).and_then(|text| base64url::decode_any(text));
        let by_digest = stated.and_then(|stated| {
            contents.iter().find(|content| object_digest(jws, content).is_some_and(|(_, found)| found == stated))
        });
        let own = by_name(&uri);
        // A content of that name is the one that is meant, even where another has the digest.
        let other = |found: &&Content<'_>| own.is_some_and(|own| own.name() != found.name());
        Named { content: single.or(by_digest.filter(|found| !other(found))).or(own), uri }
    };
    names.into_iter().enumerate().map(find).collect()
}

/// Returns a URI with its `%` escapes undone: RFC 3986 §2.1.
fn unescaped(uri: &str) -> String {
    let mut bytes = vec![];
    let mut rest = uri.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let hex = others.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let escaped = hex.filter(|_| *first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { others.get(2..).unwrap_or_default() } else { others };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// §5.2.8.3.2: all objects in their order, each in Base64url unless `b64` is false.
fn concatenated<'c>(objects: &[Named<'c>], encoded: bool) -> Option<Vec<Piece<'c>>> {
    let piece = |named: &Named<'c>| {
        let content = named.content.filter(|content| content.has_bytes())?;
        Some(Piece::Content { content, encoded })
    };
    let pieces: Option<Vec<_>> = objects.iter().map(piece).collect();
    pieces.filter(|pieces| !pieces.is_empty())
}

/// §5.2.8.2: the fields as lines. A content is the value of the field that it is named for, and of several with one
/// name the values follow each other (draft-cavage-http-signatures-10 §2.3).
fn http_headers(jws: &Jws<'_>, contents: &Contents<'_>) -> Option<String> {
    let names = jws.protected.get("sigD").map(|sig_d| sig_d.texts_of("pars")).unwrap_or_default();
    let lines: Option<Vec<String>> = names.iter().map(|name| field(name, contents)).collect();
    lines.filter(|lines| !lines.is_empty()).map(|lines| lines.join("\n"))
}

fn field(name: &str, contents: &Contents<'_>) -> Option<String> {
    let same = |content: &&Content<'_>| content.name().is_some_and(|own| own.eq_ignore_ascii_case(name));
    let value = |content: &Content<'_>| Some(std::str::from_utf8(&content.whole()?).ok()?.trim().to_string());
    contents.iter().filter(same).for_each(Content::refer);
    let values: Option<Vec<String>> = contents.iter().filter(same).map(value).collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(format!("{}: {}", name.to_ascii_lowercase(), values.join(", ")))
}

/// §5.2.8.4: an object's digest under `hashM`, of its Base64url unless `b64` is false. Of an object that is known by
/// its digest only, that digest counts.
fn object_digest(jws: &Jws<'_>, content: &Content<'_>) -> Option<(DigestAlgorithm, Vec<u8>)> {
    let algorithm = hash_method(jws)?;
    if jws.is_unencoded() || !content.has_bytes() {
        return Some((algorithm, content.digest(algorithm)?));
    }
    Some((algorithm, digest(algorithm, |sink| encoded(content, sink))?))
}

fn hash_method(jws: &Jws<'_>) -> Option<DigestAlgorithm> {
    jws.protected.get("sigD")?.text_of("hashM").and_then(DigestAlgorithm::from_jose)
}

/// §5.2.8.4: what the header says of each object, compared with it. One that nothing can be compared with, where
/// names and digests are not as many.
pub(super) fn matchers(jws: &Jws<'_>, payload: &Payload<'_>) -> Vec<Shared<DigestMatcher>> {
    if mechanism(jws) != Some(Mechanism::ObjectIdByUriHash) {
        return vec![];
    }
    let digests = jws.protected.get("sigD").map(|sig_d| sig_d.texts_of("hashV")).unwrap_or_default();
    if payload.objects.is_empty() || payload.objects.len() != digests.len() {
        return vec![DigestMatcher::missing(MatcherType::SigDEntry).into()];
    }
    let compare = |(object, stated): (&Named<'_>, &String)| {
        let value = base64url::decode_any(stated).unwrap_or_default();
        let found = object.content.and_then(|content| object_digest(jws, content));
        let matcher = DigestMatcher {
            digest: Digest { algorithm: hash_method(jws), value: value.clone().into() },
            data_found: object.content.is_some(),
            data_intact: found.is_some_and(|(_, digest)| digest == value),
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
    algorithm: DigestAlgorithm,
    write: impl FnOnce(&mut dyn FnMut(&[u8])) -> Option<()>,
) -> Option<Vec<u8>> {
    let mut hasher = Hasher::new(algorithm)?;
    write(&mut |bytes| hasher.update(bytes))?;
    Some(hasher.finish())
}
