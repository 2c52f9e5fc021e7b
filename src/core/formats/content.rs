//! What a signature is over, and its digests, each made once.

use crate::algorithm::DigestAlgorithm;
use crate::crypto::{Hasher, PrefixHashes};
use crate::facts::{self, Irregularity, IrregularityKind};
use crate::formats::deflated::Deflated;
use crate::formats::digest_work::DigestWork;
use crate::formats::media_type::{differ, shown};
use crate::formats::relay::{Relay, digested, digested_alone, is_shared};
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Bytes of a compressed content that are held at once, where something has to look at them (transforms, a container
/// within the container). XML that is signed after transforms is below 10 MiB.
const HELD: u64 = 64 << 20;

/// Bytes of a compressed content up to which it is held to be digested under every function that may be asked for.
pub(crate) const LARGE: u64 = 16 << 20;

/// Bytes of a content from which on another digest takes as long as many signature checks.
const DEAR: u64 = 1 << 20;

/// The functions of which one that was asked for may tell such a content from others.
const SHA2: [DigestAlgorithm; 3] = [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512];

/// The signed content: bytes in pieces (BER strings, a mapped file), a PDF's byte ranges, compressed bytes, or only
/// digests of it. A digest is made without ever holding the bytes.
///
/// Clones share their digests: each is made once.
#[derive(Debug, Clone, Default)]
pub struct Content<'a> {
    bytes: Bytes<'a>,
    name: Option<String>,
    cache: Rc<DigestCache>,
    /// What its digests are taken from; without bound where nobody set one.
    work: Option<Rc<DigestWork>>,
}

/// The digests made so far, shared by all clones of a content.
#[derive(Debug, Default)]
struct DigestCache {
    digests: RefCell<BTreeMap<DigestAlgorithm, Vec<u8>>>,
    /// The one that tells the content from others, once somebody asked.
    telling: OnceCell<(DigestAlgorithm, Vec<u8>)>,
    /// Those of other forms of the bytes.
    forms: RefCell<BTreeMap<(String, DigestAlgorithm), Option<Vec<u8>>>>,
    /// The bytes, where somebody asked for them in one piece to keep.
    held: RefCell<Option<Arc<[u8]>>>,
    referenced: Cell<bool>,
    /// Whether compressed bytes were inflated, which is done once at no cost.
    inflated: Cell<bool>,
    /// What readers of the bytes see, and another form of them has not.
    left_out: RefCell<Option<String>>,
    /// The media type that the container states of the bytes.
    stated_type: RefCell<Option<String>>,
    /// Whether compressed bytes turned out not to be what is stated of them.
    broken: Cell<bool>,
}

/// Where the bytes are.
#[derive(Debug, Clone, Default)]
enum Bytes<'a> {
    #[default]
    Missing,
    Pieces(Vec<&'a [u8]>),
    /// The beginning of a file, up to a byte, and a later stretch of it.
    Covered(&'a PrefixHashes<'a>, usize, &'a [u8]),
    /// Compressed, and what digests on other threads while it is inflated.
    Deflated(Deflated<'a>, Option<&'a Relay<'a>>),
}

impl<'a> Content<'a> {
    /// Returns a content that is not at hand.
    pub fn missing() -> Self {
        Self::default()
    }

    /// Returns the content made of these pieces, one after the other.
    pub fn pieces(pieces: Vec<&'a [u8]>) -> Self {
        Self { bytes: Bytes::Pieces(pieces), ..Self::default() }
    }

    /// Returns what a PDF signature covers: the file up to `first`, and a later stretch of it.
    pub fn covered(file: &'a PrefixHashes<'a>, first: usize, second: &'a [u8]) -> Self {
        Self { bytes: Bytes::Covered(file, first, second), ..Self::default() }
    }

    /// Returns a content that is compressed, and is digested on the threads of `relay`, where it is large.
    pub fn deflated(deflated: Deflated<'a>, relay: Option<&'a Relay<'a>>) -> Self {
        Self { bytes: Bytes::Deflated(deflated, relay), ..Self::default() }
    }

    /// Returns a content of which only these digests are known.
    pub fn digests(digests: impl IntoIterator<Item = facts::Digest>) -> Self {
        let known = digests.into_iter().filter_map(|d| Some((d.algorithm?, d.value.0))).collect();
        Self {
            cache: Rc::new(DigestCache { digests: RefCell::new(known), ..DigestCache::default() }),
            ..Self::default()
        }
    }

    /// Sets the file name.
    pub fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Bounds what its digests cost, together with those of others.
    pub fn within(self, work: &Rc<DigestWork>) -> Self {
        Self { work: Some(work.clone()), ..self }
    }

    /// Returns the file name, where the content is a file.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Records that a reference means this content: it was compared with what is signed, whatever the outcome.
    pub fn refer(&self) {
        self.cache.referenced.set(true);
    }

    /// Returns whether a reference means it.
    pub fn is_referenced(&self) -> bool {
        self.cache.referenced.get()
    }

    /// Returns whether the bytes are at hand, or at least a digest.
    pub fn is_found(&self) -> bool {
        self.has_bytes() || !self.cache.digests.borrow().is_empty()
    }

    /// Returns whether the bytes are at hand.
    pub fn has_bytes(&self) -> bool {
        !matches!(self.bytes, Bytes::Missing)
    }

    /// Returns whether the bytes are compressed, so that each time they are asked for they are inflated.
    pub fn is_compressed(&self) -> bool {
        matches!(self.bytes, Bytes::Deflated(..))
    }

    /// Returns the bytes in one piece, borrowed where they lie in one piece.
    pub fn whole(&self) -> Option<Cow<'a, [u8]>> {
        match &self.bytes {
            Bytes::Pieces(pieces) => match pieces[..] {
                [only] => Some(Cow::Borrowed(only)),
                _ => Some(Cow::Owned(pieces.concat())),
            },
            Bytes::Deflated(deflated, _) if deflated.size > HELD => None,
            Bytes::Deflated(deflated, _) => self.inflate(|| deflated.whole().ok()).map(Cow::Owned),
            _ => {
                let mut bytes = Vec::new();
                self.write(&mut |piece| bytes.extend_from_slice(piece))?;
                Some(Cow::Owned(bytes))
            }
        }
    }

    /// Returns the bytes in one piece, held once for all who ask; `None` as well where many contents are asked for, and
    /// there would be too much of them.
    pub fn shared(&self) -> Option<Arc<[u8]>> {
        let mut held = self.cache.held.borrow_mut();
        if held.is_none() && self.work.as_ref().is_none_or(|work| work.take(self.size().saturating_mul(4))) {
            *held = self.whole().map(Arc::from);
        }
        held.clone()
    }

    /// Writes the bytes piece by piece; `None` where they are not at hand or not what is stated of them.
    pub fn write(&self, sink: &mut dyn FnMut(&[u8])) -> Option<()> {
        match &self.bytes {
            Bytes::Missing => None,
            Bytes::Pieces(pieces) => {
                pieces.iter().for_each(|piece| sink(piece));
                Some(())
            }
            Bytes::Covered(file, first, second) => {
                sink(file.bytes().get(..*first)?);
                sink(second);
                Some(())
            }
            Bytes::Deflated(deflated, _) => self.inflate(|| deflated.write(sink).ok()),
        }
    }

    /// Does what inflates the bytes, where that may still be done. What is broken is not inflated again.
    fn inflate<R>(&self, inflate: impl FnOnce() -> Option<R>) -> Option<R> {
        let again = self.cache.inflated.replace(true);
        let affords = || self.work.as_ref().is_none_or(|work| !again || work.take(self.size()));
        if self.cache.broken.get() || !affords() {
            return None;
        }
        let inflated = inflate();
        self.cache.broken.set(inflated.is_none());
        inflated
    }

    /// Takes what the digests of the bytes under these functions cost; there are none of what is broken. One that is made while compressed bytes are inflated for the
    /// first time costs what a slow function takes beyond that.
    fn affords(&self, functions: &[DigestAlgorithm]) -> bool {
        if self.cache.broken.get() {
            return false;
        }
        let Some(work) = &self.work else { return true };
        let weights: u64 = functions.iter().map(|function| function.weight()).sum();
        work.take(match &self.bytes {
            Bytes::Covered(file, first, second) => {
                let fresh = |function: &DigestAlgorithm| (file.fresh(*function, *first) + second.len()) as u64;
                functions.iter().map(|function| fresh(function).saturating_mul(function.weight())).sum()
            }
            Bytes::Deflated(..) if !self.cache.inflated.get() => self.size().saturating_mul(weights.saturating_sub(1)),
            _ => self.size().saturating_mul(weights),
        })
    }

    /// Notes that reading the bytes would take too much.
    pub fn refuse(&self) {
        self.work.iter().for_each(|work| work.refuse());
    }

    /// Returns a digest of the bytes in another form, made at the first call for each form and function; what it takes to make the form is
    /// paid for as 32 digests.
    pub fn digest_in_form(
        &self,
        form: String,
        algorithm: DigestAlgorithm,
        make: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let mut forms = self.cache.forms.borrow_mut();
        let made = forms.entry((form, algorithm)).or_insert_with(|| {
            let affords = self.work.as_ref().is_none_or(|work| work.take(self.size().saturating_mul(32)));
            let bytes = affords.then(make)??;
            crate::crypto::digest(algorithm, &bytes)
        });
        made.clone()
    }

    /// Notes what readers of the bytes see, and the form that is digested has not.
    pub fn leave_out(&self, what: String) {
        *self.cache.left_out.borrow_mut() = Some(what);
    }

    /// Returns what readers of the bytes see, and a form that was digested has not.
    pub fn left_out(&self) -> Option<String> {
        self.cache.left_out.borrow().clone()
    }

    /// Notes the media type that the container states of the bytes.
    pub fn state_type(&self, stated: &str) {
        *self.cache.stated_type.borrow_mut() = Some(stated.to_owned());
    }

    /// Returns what is irregular about a media type that is signed for the bytes, where the container states another.
    pub fn other_type(&self, signed: &str) -> Option<Irregularity> {
        let stated = self.cache.stated_type.borrow();
        let stated = stated.as_deref().filter(|stated| differ(stated, signed))?;
        let subject = format!("{}: {}, {}", self.name().unwrap_or_default(), shown(signed), shown(stated));
        Some(Irregularity::about(IrregularityKind::ContentTypeMismatch, subject))
    }

    /// Returns whether the bytes begin with these.
    pub fn begins_with(&self, beginning: &[u8]) -> bool {
        match &self.bytes {
            Bytes::Missing => false,
            Bytes::Pieces(pieces) => pieces.iter().copied().flatten().take(beginning.len()).eq(beginning),
            Bytes::Covered(file, first, _) => {
                file.bytes().get(..*first).is_some_and(|bytes| bytes.starts_with(beginning))
            }
            Bytes::Deflated(deflated, _) => deflated.beginning(beginning.len()) == beginning,
        }
    }

    /// Returns the digest, computed at the first call.
    pub fn digest(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        if let Some(digest) = self.cache.digests.borrow().get(&algorithm) {
            return Some(digest.clone());
        }
        let digest = match &self.bytes {
            // Only containers have compressed contents.
            Bytes::Deflated(..) if cfg!(feature = "asic") => self.digested(&[algorithm])?.pop()?,
            _ if !self.affords(&[algorithm]) => return None,
            Bytes::Covered(file, first, second) => {
                let mut hasher = file.hasher(algorithm, *first)?;
                hasher.update(second);
                hasher.finish()
            }
            _ => {
                let mut hasher = Hasher::new(algorithm)?;
                self.write(&mut |piece| hasher.update(piece))?;
                hasher.finish()
            }
        };
        self.cache.digests.borrow_mut().insert(algorithm, digest.clone());
        Some(digest)
    }

    /// Digests the bytes in one pass, compressed ones while they are inflated.
    fn digested(&self, functions: &[DigestAlgorithm]) -> Option<Vec<Vec<u8>>> {
        // A function that is known by name only says nothing about the bytes.
        if functions.iter().any(|function| Hasher::new(*function).is_none()) || !self.affords(functions) {
            return None;
        }
        let ((), digests) = match self.bytes {
            Bytes::Deflated(deflated, Some(relay)) if is_shared(deflated.size) => {
                self.inflate(|| digested(relay, functions, |sink| deflated.write(sink).ok()))?
            }
            _ => digested_alone(functions, |sink| self.write(sink))?,
        };
        Some(digests)
    }

    /// Returns the same as [`whole`](Self::whole), where [`any_digest`](Self::any_digest) will be asked for as well:
    /// compressed bytes are inflated once for both.
    pub fn whole_and_any(&self) -> Option<Cow<'a, [u8]>> {
        let Bytes::Deflated(deflated, relay) = self.bytes else { return self.whole() };
        if !cfg!(feature = "asic") || deflated.size > LARGE {
            return self.whole();
        }
        let functions = [DigestAlgorithm::Sha256];
        if !self.affords(&functions) {
            return None;
        }
        let (bytes, digests) = self.inflate(|| match relay.filter(|_| is_shared(deflated.size)) {
            Some(relay) => digested(relay, &functions, |sink| deflated.whole_and_write(sink).ok()),
            None => digested_alone(&functions, |sink| deflated.whole_and_write(sink).ok()),
        })?;
        self.take_digests(functions.into_iter().zip(digests));
        Some(Cow::Owned(bytes))
    }

    /// Returns the same as [`digest`](Self::digest), where [`any_digest`](Self::any_digest) will be asked for as well:
    /// compressed bytes are inflated once for both.
    pub fn digest_and_any(&self, algorithm: DigestAlgorithm) -> Option<Vec<u8>> {
        let sha256 = DigestAlgorithm::Sha256;
        let none_made = self.cache.digests.borrow().is_empty();
        let is_compressed = cfg!(feature = "asic") && self.is_compressed();
        let is_telling = algorithm == sha256 || self.size() > DEAR && SHA2.contains(&algorithm);
        if none_made && !is_telling && is_compressed {
            let functions = [algorithm, sha256];
            self.take_digests(functions.into_iter().zip(self.digested(&functions)?));
        }
        self.digest(algorithm)
    }

    /// Adds digests that were made elsewhere, of the same bytes.
    pub fn take_digests(&self, digests: impl IntoIterator<Item = (DigestAlgorithm, Vec<u8>)>) {
        self.cache.digests.borrow_mut().extend(digests);
    }

    /// Returns one digest by which to tell it from other contents, the same at each call: its SHA-256, else one of those known.
    /// Of a large content it is one of SHA-2 that was made already, where there is one.
    pub fn any_digest(&self) -> Option<(DigestAlgorithm, Vec<u8>)> {
        let told = self.cache.telling.get().cloned().or_else(|| {
            let made = |algorithm| Some((algorithm, self.cache.digests.borrow().get(&algorithm)?.clone()));
            let dear = SHA2.into_iter().find_map(made).filter(|_| self.size() > DEAR);
            let sha256 = || Some((DigestAlgorithm::Sha256, self.digest(DigestAlgorithm::Sha256)?));
            let known = || Some(*self.cache.digests.borrow().keys().next_back()?);
            dear.or_else(sha256).or_else(|| known().and_then(made))
        })?;
        Some(self.cache.telling.get_or_init(|| told).clone())
    }

    /// Returns the number of bytes; 0 where they are not at hand.
    pub fn size(&self) -> u64 {
        match &self.bytes {
            Bytes::Missing => 0,
            Bytes::Pieces(pieces) => pieces.iter().map(|piece| piece.len() as u64).sum(),
            Bytes::Covered(_, first, second) => *first as u64 + second.len() as u64,
            Bytes::Deflated(deflated, _) => deflated.size,
        }
    }

    /// Returns the number of bytes that were given for it: of compressed bytes, those of them.
    pub fn stored(&self) -> u64 {
        match &self.bytes {
            Bytes::Deflated(deflated, _) => deflated.compressed.len() as u64,
            _ => self.size(),
        }
    }

    /// Returns whether only digests are known.
    pub fn is_digest_only(&self) -> bool {
        !self.has_bytes() && self.is_found()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use DigestAlgorithm::{Md2, Sha1, Sha3_256, Sha256, Sha512};
    use std::io::Write as _;

    /// Signatures over one content refer to one object, whatever each digests it by.
    #[test]
    fn one_digest_tells_a_content_from_others() {
        let (short, large) = (vec![7; 100], vec![7; 1 + DEAR as usize]);
        for (situation, bytes, asked, expected) in [
            ("short", &short, vec![Sha512], Sha256),
            ("large, digested by nobody", &large, vec![], Sha256),
            ("large", &large, vec![Sha512], Sha512),
            ("large, by both", &large, vec![Sha512, Sha256], Sha256),
            ("large, by a function of another family", &large, vec![Sha1], Sha256),
        ] {
            let content = Content::pieces(vec![bytes]);
            asked.iter().for_each(|function| _ = content.digest(*function));
            let told = content.any_digest();
            assert_eq!(told.as_ref().map(|(function, _)| *function), Some(expected), "{situation}");
            assert!(content.digest(Sha256).is_some() && content.digest(Sha3_256).is_some(), "{situation}");
            assert_eq!(content.clone().any_digest(), told, "{situation}: the same afterwards");
        }
    }

    /// What digests of a content cost, one after the other: APPNOTE §4.4.5.
    #[test]
    fn what_is_digested_again_is_paid_for() {
        let plain = vec![7; 1_000];
        let mut encoder = flate2::write::DeflateEncoder::new(vec![], flate2::Compression::best());
        encoder.write_all(&plain).expect("into memory");
        let compressed = encoder.finish().expect("into memory");
        let mut sum = flate2::Crc::new();
        sum.update(&plain);
        let right = Deflated { compressed: &compressed, size: 1_000, crc: sum.sum() };
        let broken = Deflated { crc: !sum.sum(), ..right };
        let file = PrefixHashes::new(&plain);
        let deflated = |it| Content::deflated(it, None);
        for (situation, content, asked, within, found) in [
            ("inflated once", deflated(right), vec![Sha256, Sha256], 0, true),
            ("inflated twice, and another digest", deflated(right), vec![Sha256, Sha512], 2_000, true),
            ("not as much is left", deflated(right), vec![Sha256, Sha512], 1_999, false),
            ("a slow function at first", deflated(right), vec![Sha3_256], 7_000, true),
            ("a slow function is too dear", deflated(right), vec![Sha3_256], 6_999, false),
            ("broken, however often", deflated(broken), vec![Sha256, Sha512, Sha256], 0, false),
            ("at hand", Content::pieces(vec![&plain]), vec![Sha256, Sha256, Sha512], 2_000, true),
            ("at hand, too dear", Content::pieces(vec![&plain]), vec![Md2], 63_999, false),
            ("a prefix is digested once", Content::covered(&file, 900, &plain[950..]), vec![Sha256], 950, true),
            ("the same prefix again", Content::covered(&file, 900, &plain[950..]), vec![Sha256], 50, true),
            ("not even the rest", Content::covered(&file, 900, &plain[950..]), vec![Sha256], 49, false),
        ] {
            let work = Rc::new(DigestWork::of(&Budget { digested_bytes: within, ..Budget::default() }, 0));
            let content = content.within(&work);
            let digests: Vec<_> = asked.iter().map(|function| content.digest(*function)).collect();
            assert_eq!(digests.iter().all(Option::is_some), found, "{situation}");
            assert_eq!(work.is_exceeded(), !found && !situation.starts_with("broken"), "{situation}");
            assert!(found || digests.last() == Some(&None), "{situation}");
        }
    }
}
