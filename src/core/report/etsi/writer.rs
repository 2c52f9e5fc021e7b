//! Writing XML: elements, text, and the few value types that the report has.

use crate::facts::Digest;
use crate::time::Time;
use base64::Engine as _;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::borrow::Cow;

/// The URI for an algorithm that is missing or has none.
pub(super) const UNIDENTIFIED: &str = "urn:etsi:019102:algorithm:unidentified";

/// Returns the URI of a digest's function.
pub(super) fn digest_uri(digest: &Digest) -> Cow<'static, str> {
    digest.algorithm.map_or(UNIDENTIFIED.into(), |algorithm| algorithm.uri())
}

/// Writes elements into a text; what is not a character of XML 1.0 is made visible.
pub(super) struct Writer(quick_xml::Writer<Vec<u8>>);

impl Writer {
    pub(super) fn new() -> Self {
        let mut writer = Self(quick_xml::Writer::new_with_indent(Vec::new(), b' ', 2));
        writer.event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        writer
    }

    pub(super) fn finish(mut self) -> String {
        self.close("ValidationReport");
        let mut text = String::from_utf8(self.0.into_inner()).expect("only text was written");
        text.push('\n');
        text
    }

    fn event(&mut self, event: Event<'_>) {
        self.0.write_event(event).expect("writing into memory does not fail");
    }

    pub(super) fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Start(start(name, attributes)));
    }

    pub(super) fn close(&mut self, name: &str) {
        self.event(Event::End(BytesEnd::new(name)));
    }

    /// Writes an element without attributes around what `content` writes.
    pub(super) fn element(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.open(name, &[]);
        content(self);
        self.close(name);
    }

    pub(super) fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.event(Event::Empty(start(name, attributes)));
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.text_with(name, &[], text);
    }

    /// Writes a text whose element is of `xs:anyType`.
    pub(super) fn typed_text(&mut self, name: &str, text: &str) {
        self.text_with(name, &[("xsi:type", "xs:string")], text);
    }

    fn text_with(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(name, attributes);
        self.event(Event::Text(BytesText::new(&visible(text))));
        self.close(name);
    }

    pub(super) fn boolean(&mut self, name: &str, value: bool) {
        self.text(name, if value { "true" } else { "false" });
    }

    pub(super) fn time(&mut self, name: &str, time: Time) {
        self.text(name, &time.to_string());
    }

    pub(super) fn base64(&mut self, name: &str, bytes: &[u8]) {
        self.text(name, &base64::engine::general_purpose::STANDARD.encode(bytes));
    }

    /// Writes a XAdES `DigestAlgAndValueType`.
    pub(super) fn digest(&mut self, name: &str, digest: &Digest) {
        self.element(name, |xml| xml.digest_parts(digest));
    }

    /// Writes the two elements of XML signatures that make up a digest.
    pub(super) fn digest_parts(&mut self, digest: &Digest) {
        self.empty("ds:DigestMethod", &[("Algorithm", &digest_uri(digest))]);
        self.base64("ds:DigestValue", &digest.value.0);
    }
}

fn start<'a>(name: &'a str, attributes: &[(&str, &str)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        start.push_attribute((*key, visible(value).as_str()));
    }
    start
}

/// Characters that XML 1.0 cannot hold, shown by their code points.
fn visible(text: &str) -> String {
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if allowed(c) {
            shown.push(c);
        } else {
            shown.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
        }
    }
    shown
}
