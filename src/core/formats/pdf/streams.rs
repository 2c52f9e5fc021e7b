//! The bytes of streams: where they end, decrypted, decoded. ISO 32000-1 §7.3.8, §7.4.

use super::crypt::Security;
use super::error::PdfError;
use super::filter;
use super::lexer::Lexer;
use super::object::{Dictionary, Object, Stream};
use super::revision::Revision;
use super::xref::{self, Entry};
use std::borrow::Cow;
use std::rc::Rc;

/// Bounds the filters of one stream. Writers chain two at the most.
const FILTER_CHAIN: usize = 8;

const ENDSTREAM: &[u8] = b"endstream";

/// The stretch of the file that a stream's bytes are.
pub(super) struct Stretch<'a> {
    pub bytes: &'a [u8],
    /// The byte from which on the file may go on in any way: the stretch is the same one. A length that is wrong today may
    /// be right once more is appended.
    pub end: usize,
    /// Whether it ends where `/Length` says.
    pub is_as_stated: bool,
}

impl<'a> Revision<'a, '_> {
    /// Returns a stream's bytes as they are in the file: ISO 32000-1 §7.3.8.
    pub fn raw(&self, stream: &Stream<'a>) -> &'a [u8] {
        let stretch = self.stretch(stream);
        if !stretch.is_as_stated {
            self.repaired.set(true);
        }
        stretch.bytes
    }

    /// Returns the stretch of the file that a stream's bytes are.
    pub(super) fn stretch(&self, stream: &Stream<'a>) -> Stretch<'a> {
        let rest = self.data().get(stream.start..).unwrap_or_default();
        let length = self.lookup_direct(&stream.dictionary, b"Length").integer().and_then(|l| usize::try_from(l).ok());
        let stated = length.map_or(0, |length| {
            let mut after = Lexer::new(rest, length.min(rest.len()), 0);
            after.skip_space();
            after.position()
        });
        let end_of = |keyword: usize| stream.start.saturating_add(keyword).saturating_add(ENDSTREAM.len());
        if let Some(bytes) = length.and_then(|length| rest.get(..length))
            && rest.get(stated..).is_some_and(|after| after.starts_with(ENDSTREAM))
        {
            let is_as_stated = matches!(self.lookup_direct(&stream.dictionary, b"Length"), Object::Integer(_));
            return Stretch { bytes, end: end_of(stated), is_as_stated };
        }
        // NOTE: the length is wrong; viewers look for the keyword, and so do we, which is reported.
        let found = memchr::memmem::find(rest, ENDSTREAM).unwrap_or(rest.len());
        if self.limits().read(found).is_err() {
            return Stretch { bytes: &[], end: usize::MAX, is_as_stated: false };
        }
        let body = rest.get(..found).unwrap_or_default();
        let bytes =
            body.strip_suffix(b"\r\n").or(body.strip_suffix(b"\n")).or(body.strip_suffix(b"\r")).unwrap_or(body);
        Stretch { bytes, end: end_of(found.max(stated)), is_as_stated: false }
    }

    /// Returns a stream's bytes, decrypted but not decoded.
    pub fn decrypted(&self, stream: &Stream<'a>) -> Cow<'a, [u8]> {
        let raw = self.raw(stream);
        let Some(Some(security)) = self.file.security.get() else { return Cow::Borrowed(raw) };
        let kind = self.lookup_direct(&stream.dictionary, b"Type");
        // ISO 32000-1 §7.4.10: a Crypt filter without name is the identity.
        let filters = self.filters(stream);
        let named = { filters.iter() }.find(|(name, _)| name == b"Crypt").map(|(_, parameters)| {
            { parameters.as_ref() }.and_then(|parameters| parameters.get(b"Name")?.name()).unwrap_or(b"Identity")
        });
        security.stream(stream.id, kind.name(), named, raw).map_or(Cow::Borrowed(raw), Cow::Owned)
    }

    /// Returns a stream's bytes, decrypted and decoded: ISO 32000-1 §7.4.
    pub fn decoded(&self, stream: &Stream<'a>) -> Result<Vec<u8>, PdfError> {
        let mut data = self.decrypted(stream);
        let filters = self.filters(stream);
        if filters.len() > FILTER_CHAIN {
            return Err(PdfError::Filter { filter: format!("a chain of {} filters", filters.len()) });
        }
        for (name, parameters) in &filters {
            let parameters = parameters.as_ref().map_or_else(filter::Parameters::default, |parameters| {
                xref::parameters_of(|key| self.lookup_direct(parameters, key).integer())
            });
            let plain = self.limits().inflate(|left| filter::decode(name, &data, parameters, left))?;
            data = Cow::Owned(plain);
        }
        Ok(data.into_owned())
    }

    /// Returns the names of a stream's filters with their parameters: ISO 32000-1 table 5.
    fn filters(&self, stream: &Stream<'a>) -> Vec<(Vec<u8>, Option<Rc<Dictionary<'a>>>)> {
        let [names, parameters] =
            [&b"Filter"[..], b"DecodeParms"].map(|key| self.lookup_direct(&stream.dictionary, key));
        // An array has arrays beside it, a name a dictionary; viewers ignore other parameters.
        let (names, parameters) = match (names, parameters) {
            (Object::Null, _) => return Vec::new(),
            (Object::Array(names), Object::Array(parameters)) => (names, parameters),
            (Object::Array(names), _) => (names, Rc::default()),
            (name, parameters) => ([name].into(), [parameters].into()),
        };
        let mut parameters = parameters.iter().map(|item| match self.direct(item) {
            Object::Dictionary(parameters) => Some(parameters),
            _ => None,
        });
        let names = names.iter().map(|item| self.direct(item));
        names.map(|name| (name.name().unwrap_or_default().to_vec(), parameters.next().flatten())).collect()
    }

    pub(super) fn direct(&self, object: &Object<'a>) -> Object<'a> {
        match object {
            Object::Reference(reference) if matches!(self.entry(reference.number), Some(Entry::Offset(_))) => {
                self.get(*reference)
            }
            Object::Reference(_) => Object::Null,
            other => other.clone(),
        }
    }

    /// Returns the key to the file, or that it needs none: ISO 32000-1 §7.6.1.
    pub(super) fn security(&self, password: Option<&[u8]>) -> Result<Option<Security>, PdfError> {
        let Object::Dictionary(dictionary) = self.encryption() else { return Ok(None) };
        let mut dictionary = (*dictionary).clone();
        dictionary.for_each_value(|_, value| {
            *value = self.resolve(value);
        });
        let id = match self.trailer(b"ID") {
            Object::Array(items) => items.first().map(|item| self.resolve(item)),
            _ => None,
        };
        let id = id.as_ref().and_then(Object::string).map(|s| s.bytes().into_owned()).unwrap_or_default();
        Security::open(&dictionary, &|object| self.resolve(object), &id, password).map(Some)
    }
}
