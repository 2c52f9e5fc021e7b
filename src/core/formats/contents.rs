//! What signatures sign without holding it: detached contents, the entries of a container.

use super::content::Content;
use super::digest_work::DigestWork;
use super::draft::Draft;
use crate::algorithm::DigestAlgorithm;
use crate::document::Document;
use crate::facts::{Digest, Irregularity, IrregularityKind};
use crate::uri::unescaped;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The file that signatures are read from, and what lies beside it.
#[derive(Debug, Default)]
pub struct Contents<'a> {
    file: String,
    in_container: bool,
    listing: Rc<Listing<'a>>,
    /// The place of the file itself, which is none of them.
    own: Option<usize>,
    /// What the digests of the document are taken from.
    work: Rc<DigestWork>,
}

/// Contents in their order. Those of a container are listed once for all of its signatures.
#[derive(Debug, Default, Clone)]
pub struct Listing<'a> {
    list: Vec<Content<'a>>,
    names: HashMap<String, usize>,
    /// By each function the places of the contents, by their digests; made when first asked for.
    digests: RefCell<HashMap<DigestAlgorithm, HashMap<Vec<u8>, usize>>>,
}

impl<'a> Listing<'a> {
    /// Adds a content. Of several with one name the first counts.
    pub fn add(&mut self, content: Content<'a>) {
        if let Some(name) = content.name() {
            self.names.entry(name.to_string()).or_insert(self.list.len());
        }
        self.list.push(content);
        self.digests.get_mut().clear();
    }

    /// Returns the place of the first content with this digest.
    fn place(&self, algorithm: DigestAlgorithm, digest: &[u8]) -> Option<usize> {
        let digested = || {
            let last_first = self.list.iter().enumerate().rev();
            last_first.filter_map(|(at, content)| Some((content.digest(algorithm)?, at))).collect()
        };
        self.digests.borrow_mut().entry(algorithm).or_insert_with(digested).get(digest).copied()
    }
}

impl<'a> Contents<'a> {
    /// Returns the detached contents of a document.
    pub fn of(document: &Document<'a>) -> Self {
        Self::within(document, &Rc::default())
    }

    /// Returns the same, whose digests are taken from what the document may cost.
    pub fn within(document: &Document<'a>, work: &Rc<DigestWork>) -> Self {
        let mut listing = Listing::default();
        for content in document.contents() {
            let named = Content::pieces(vec![content.bytes]).named(Some(content.name.clone()));
            listing.add(named.within(work));
        }
        let file = document.name().unwrap_or_default().into();
        Self { file, listing: listing.into(), work: work.clone(), ..Self::default() }
    }

    /// Returns the contents beside the entry `file` of a container. Where the listing has the entry itself, it is left out.
    pub fn of_entry(file: impl Into<String>, listing: Rc<Listing<'a>>, work: &Rc<DigestWork>) -> Self {
        let file = file.into();
        let own = listing.names.get(&file).copied();
        Self { file, in_container: true, listing, own, work: work.clone() }
    }

    /// Returns what the digests of the document are taken from.
    pub fn work(&self) -> &Rc<DigestWork> {
        &self.work
    }

    /// Returns the name of the file that the signatures are in; empty where it has none.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns whether they are the entries of a container, which have the names that signatures refer to.
    pub fn is_container(&self) -> bool {
        self.in_container
    }

    /// Returns what tells the ids of tokens in this file from those of the same tokens in another file of the container.
    pub fn discriminator(&self) -> &[u8] {
        if self.in_container { self.file.as_bytes() } else { &[] }
    }

    /// Returns the content with this name.
    pub fn named(&self, name: &str) -> Option<&Content<'a>> {
        self.listing.names.get(name).filter(|at| Some(**at) != self.own).and_then(|at| self.listing.list.get(*at))
    }

    /// Returns the first content with this digest.
    pub fn digested(&self, algorithm: DigestAlgorithm, digest: &[u8]) -> Option<&Content<'a>> {
        let place = self.listing.place(algorithm, digest).filter(|at| Some(*at) != self.own)?;
        self.listing.list.get(place)
    }

    /// Returns the content that a URI means (RFC 3986 §2.1, §5). In a container a path may begin at its root.
    ///
    /// NOTE: writers have escaped spaces as in forms, with `+`.
    pub fn meant_by(&self, uri: &str) -> Option<&Content<'a>> {
        let plain = unescaped(uri);
        let rooted = plain.strip_prefix('/').or(plain.strip_prefix("./")).filter(|_| self.in_container);
        let found = self.named(&plain).or_else(|| rooted.and_then(|name| self.named(name)));
        found.or_else(|| self.named(&unescaped(&uri.replace('+', " "))))
    }

    /// Returns all contents, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Content<'a>> {
        let beside = self.listing.list.iter().enumerate().filter(|(at, _)| Some(*at) != self.own);
        beside.map(|(_, content)| content)
    }

    /// Returns the first content.
    pub fn first(&self) -> Option<&Content<'a>> {
        self.iter().next()
    }

    /// Reports the contents that were supplied and that no reference of the draft means: they are not signed
    /// (EN 319 102-1 §5.2.7.4 asks for what is referred to, and a content that comes with a signature is taken for that).
    ///
    /// A content with the bytes of one that is signed counts as signed.
    pub fn unreferenced(&self, draft: &Draft<'_>) -> Vec<Irregularity> {
        let rest: Vec<&Content<'a>> = self.iter().filter(|content| !content.is_referenced()).collect();
        if rest.is_empty() {
            return vec![];
        }
        let signed = draft.signed_digests();
        let is_signed = |content: &Content<'_>| {
            let same =
                |digest: &Digest| digest.algorithm.and_then(|a| content.digest(a)).is_some_and(|d| d == digest.value.0);
            signed.iter().any(|digest| same(digest))
                || self.iter().any(|other| other.is_referenced() && other.any_digest() == content.any_digest())
        };
        let unsigned = rest.into_iter().filter(|content| !is_signed(content));
        let about = |content: &Content<'_>| {
            Irregularity::about(IrregularityKind::UnreferencedContent, content.name().unwrap_or_default())
        };
        unsigned.map(about).collect()
    }

    /// Returns the only content, if there is exactly one.
    pub fn only(&self) -> Option<&Content<'a>> {
        let mut contents = self.iter();
        contents.next().filter(|_| contents.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_found_by_name() {
        let file = "META-INF/signatures.xml";
        let mut listing = Listing::default();
        listing.add(Content::pieces(vec![b"first"]).named(Some("a".into())));
        assert!(Contents::of_entry(file, listing.clone().into(), &Rc::default()).only().is_some());
        listing.add(Content::pieces(vec![b"own"]).named(Some(file.into())));
        let contents = Contents::of_entry(file, listing.clone().into(), &Rc::default());
        assert!(contents.only().is_some() && contents.named(file).is_none() && contents.iter().count() == 1);
        listing.add(Content::pieces(vec![b"second"]).named(Some("a".into())));
        listing.add(Content::missing());
        assert!(Contents::of_entry(file, listing.clone().into(), &Rc::default()).only().is_none());
        listing.add(Content::pieces(vec![b"third"]).named(Some("c d+é".into())));
        let contents = Contents::of_entry(file, listing.into(), &Rc::default());
        let found = contents.named("a").and_then(|content| content.whole());
        assert_eq!(found.as_deref(), Some(&b"first"[..]), "of several with one name the first");
        assert!(contents.named("b").is_none());
        for (clause, uri, expected) in [
            ("2.1", "c%20d%2B%C3%A9", true),
            ("5.2", "/a", true),
            ("5.2", "./a", true),
            ("2.1", "c+d%2B%C3%A9", true),
            ("2.1", "b", false),
        ] {
            assert_eq!(contents.meant_by(uri).is_some(), expected, "RFC 3986 {clause} {uri}");
        }
    }
}
