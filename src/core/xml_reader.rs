//! Reads XML element by element, as stored facts, policies and catalogues are read.
//!
//! The structure of these files is known and the order of their elements is not
//! worth insisting on: a reader asks for the children of the element it stands
//! in, takes what it knows, and whatever it leaves alone is skipped. Every error
//! has a place. Documents that are signed are not read with this: they need
//! every byte (canonicalisation).

use quick_xml::events::{BytesStart, Event};
use std::borrow::Cow;
use std::str::FromStr;

/// What is wrong with a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct Error {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in characters.
    pub column: usize,
    /// What was found and what was expected.
    pub what: String,
}

/// The start of an element.
pub struct Element<'a> {
    start: BytesStart<'a>,
    at: usize,
}

impl<'a> Element<'a> {
    /// Returns its name without a prefix.
    pub fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// Returns the names of its attributes without prefixes, but for namespace declarations.
    pub fn attribute_names(&self) -> Vec<String> {
        let mut attributes = self.start.attributes();
        let named = attributes.with_checks(false).flatten().filter_map(|attribute| {
            let (name, prefix) = attribute.key.decompose();
            let name = name.into_inner();
            let declares = name == "xmlns" || prefix.is_some_and(|p| matches!(p.into_inner(), "xmlns" | "xsi" | "xml"));
            (!declares).then(|| name.to_owned())
        });
        named.collect()
    }
}

/// A reader that stands somewhere in a document.
pub struct XmlReader<'a> {
    text: &'a str,
    reader: quick_xml::Reader<&'a [u8]>,
    depth: usize,
    nesting: usize,
    at: usize,
}

impl<'a> XmlReader<'a> {
    /// Returns a reader at the beginning of `text`, which refuses more than `nesting` levels of elements.
    pub fn new(text: &'a str, nesting: usize) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = quick_xml::Reader::from_str(text);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = true;
        Self { text, reader, depth: 0, nesting, at: 0 }
    }

    /// Reads the root element.
    pub fn root(&mut self) -> Result<Element<'a>, Error> {
        loop {
            match self.event()? {
                Event::Start(start) => return Ok(Element { start, at: self.at }),
                Event::Eof => return Err(self.wrong("the file has no XML element")),
                Event::DocType(_) => return Err(self.wrong("a document type declaration is not accepted")),
                _ => {}
            }
        }
    }

    /// Checks that nothing but white space, comments and instructions follows the root element.
    pub fn end(&mut self) -> Result<(), Error> {
        loop {
            match self.event()? {
                Event::Eof if self.depth == 0 => return Ok(()),
                Event::Eof => return Err(self.wrong("the file ends inside an element")),
                Event::Start(start) => {
                    let name = start.name().into_inner().to_owned();
                    return Err(self.wrong(format!("found a second root element <{name}>")));
                }
                Event::Text(text) if !text.trim().is_empty() => {
                    return Err(self.wrong("found text after the root element"));
                }
                _ => {}
            }
        }
    }

    fn event(&mut self) -> Result<Event<'a>, Error> {
        self.at = self.reader.buffer_position() as usize;
        let event = self.reader.read_event().map_err(|error| {
            self.at = self.reader.error_position() as usize;
            self.wrong(format!("not well-formed XML: {error}"))
        })?;
        match event {
            Event::Start(_) => {
                self.depth += 1;
                if self.depth > self.nesting {
                    return Err(self.wrong(format!("more than {} levels of elements", self.nesting)));
                }
            }
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        Ok(event)
    }

    /// Calls `each` at every child of the element in which the reader stands, then leaves the element.
    /// What `each` does not read of a child is skipped.
    pub fn children<E: From<Error>>(
        &mut self,
        mut each: impl FnMut(&mut Self, &Element<'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let depth = self.depth;
        loop {
            match self.event()? {
                Event::Start(start) => {
                    let element = Element { start, at: self.at };
                    each(self, &element)?;
                    self.leave(depth)?;
                }
                Event::End(_) => return Ok(()),
                Event::Eof => return Err(self.wrong("the file ends inside an element").into()),
                _ => {}
            }
        }
    }

    /// Skips to where the reader stands in an element of that depth again.
    fn leave(&mut self, depth: usize) -> Result<(), Error> {
        while self.depth > depth {
            if let Event::Eof = self.event()? {
                return Err(self.wrong("the file ends inside an element"));
            }
        }
        Ok(())
    }

    /// Returns the text of the element in which the reader stands, without that of its children; leaves the element.
    pub fn text(&mut self) -> Result<Cow<'a, str>, Error> {
        let depth = self.depth;
        let mut all: Cow<'a, str> = Cow::Borrowed("");
        let mut add = |piece: Cow<'a, str>| match &mut all {
            Cow::Borrowed("") => all = piece,
            _ => all.to_mut().push_str(&piece),
        };
        loop {
            let event = self.event()?;
            match event {
                Event::Start(_) => self.leave(depth)?,
                Event::End(_) => return Ok(all),
                Event::Text(text) => add(text.xml10_content()),
                Event::CData(text) => add(text.xml10_content()),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().ok().flatten();
                    match character {
                        Some(character) => add(character.to_string().into()),
                        None => match quick_xml::escape::resolve_predefined_entity(&reference) {
                            Some(text) => add(text.into()),
                            None => return Err(self.wrong(format!("`&{};` is not a known entity", &*reference))),
                        },
                    }
                }
                Event::Eof => return Err(self.wrong("the file ends inside an element")),
                _ => {}
            }
        }
    }

    /// Returns the text of the element in which the reader stands, read as a `T`.
    pub fn value<T: FromStr<Err: std::fmt::Display>>(&mut self) -> Result<T, Error> {
        let at = self.at;
        let text = self.text()?;
        text.trim().parse().map_err(|error| self.wrong_at(at, format!("{error}")))
    }

    /// Returns the text of the element in which the reader stands, read by `read`.
    pub fn value_with<T>(&mut self, read: impl FnOnce(&str) -> Result<T, String>) -> Result<T, Error> {
        let at = self.at;
        let text = self.text()?;
        read(text.trim()).map_err(|what| self.wrong_at(at, what))
    }

    /// Returns the texts of the children named `name` of the element in which the reader stands.
    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, Error> {
        let mut all = vec![];
        self.children(|pull, child| {
            if child.name() == name {
                all.push(pull.text()?.into_owned());
            }
            Ok::<(), Error>(())
        })?;
        Ok(all)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, element: &Element<'a>, name: &str) -> Result<Option<String>, Error> {
        self.attribute_with(element, name, |value| value.to_owned())
    }

    /// Returns what `read` makes of the value of an attribute.
    pub fn attribute_with<T>(
        &self,
        element: &Element<'a>,
        name: &str,
        read: impl FnOnce(&str) -> T,
    ) -> Result<Option<T>, Error> {
        for attribute in element.start.attributes().with_checks(false) {
            let attribute =
                attribute.map_err(|error| self.wrong_in(element, format!("not well-formed XML: {error}")))?;
            if attribute.key.local_name().into_inner() == name {
                let value = attribute
                    .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                    .map_err(|error| self.wrong_in(element, format!("not well-formed XML: {error}")))?;
                return Ok(Some(read(&value)));
            }
        }
        Ok(None)
    }

    /// Returns the value of an attribute that must be there.
    pub fn required(&self, element: &Element<'a>, name: &str) -> Result<String, Error> {
        self.required_with(element, name, |value| value.to_owned())
    }

    /// Returns what `read` makes of the value of an attribute that must be there.
    pub fn required_with<T>(
        &self,
        element: &Element<'a>,
        name: &str,
        read: impl FnOnce(&str) -> T,
    ) -> Result<T, Error> {
        self.attribute_with(element, name, read)?
            .ok_or_else(|| self.wrong_in(element, format!("<{}> has no attribute `{name}`", element.name())))
    }

    /// Returns the value of an attribute, read as a `T`.
    pub fn attribute_value<T: FromStr<Err: std::fmt::Display>>(
        &self,
        element: &Element<'a>,
        name: &str,
    ) -> Result<Option<T>, Error> {
        let read = |text: &str| {
            text.trim()
                .parse()
                .map_err(|error| self.wrong_in(element, format!("attribute `{name}` of <{}>: {error}", element.name())))
        };
        self.attribute_with(element, name, read)?.transpose()
    }

    /// Returns the value of an `xs:boolean` attribute.
    pub fn flag(&self, element: &Element<'a>, name: &str) -> Result<Option<bool>, Error> {
        let read = |text: &str| {
            boolean(text.trim())
                .map_err(|what| self.wrong_in(element, format!("attribute `{name}` of <{}>: {what}", element.name())))
        };
        self.attribute_with(element, name, read)?.transpose()
    }

    /// Returns the `xs:boolean` that is the text of the element in which the reader stands.
    pub fn boolean(&mut self) -> Result<bool, Error> {
        self.value_with(boolean)
    }

    /// Returns an error where the reader stands.
    pub fn wrong(&self, what: impl Into<String>) -> Error {
        self.wrong_at(self.at, what)
    }

    /// Returns an error at the start of an element.
    pub fn wrong_in(&self, element: &Element<'a>, what: impl Into<String>) -> Error {
        self.wrong_at(element.at, what)
    }

    fn wrong_at(&self, at: usize, what: impl Into<String>) -> Error {
        place(self.text, at, what)
    }
}

/// Makes the error `what` at the byte `at` of `text`.
pub fn place(text: &str, at: usize, what: impl Into<String>) -> Error {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Error { line, column, what: what.into() }
}

/// Reads an `xs:boolean`.
fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("`{}` is neither `true` nor `false`", shortened(text))),
    }
}

/// Returns the beginning of a text that is shown in a message.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_an_element() {
        for (situation, xml, expected) in [
            ("plain", "<a>one</a>", "one"),
            ("empty", "<a/>", ""),
            ("references", "<a>&lt;&amp;&#x41;&#66;</a>", "<&AB"),
            ("CDATA among text", "<a>1<![CDATA[<2>]]>3</a>", "1<2>3"),
            ("children are skipped", "<a>1<b>x<c/></b>2</a>", "12"),
            ("comments are skipped", "<a>1<!-- x -->2</a>", "12"),
            ("line ends", "<a>1\r\n2</a>", "1\n2"),
        ] {
            let mut pull = XmlReader::new(xml, 8);
            pull.root().unwrap();
            assert_eq!(pull.text().unwrap(), expected, "XML 1.0: {situation}");
        }
        for (situation, xml) in [
            ("an unknown entity", "<a>&x;</a>"),
            ("no end", "<a>1"),
            ("the wrong end", "<a>1</b>"),
            ("a lone end", "<a>1</a"),
        ] {
            let mut pull = XmlReader::new(xml, 8);
            assert!(pull.root().and_then(|_| pull.text().map(drop)).is_err(), "XML 1.0: {situation}");
        }
    }

    #[test]
    fn children_left_alone_are_skipped() {
        let mut pull = XmlReader::new("<a><b><c><d/></c></b><e x='1'/>text<f>2</f></a>", 8);
        pull.root().unwrap();
        let mut names = vec![];
        pull.children(|pull, child| {
            names.push(child.name().to_owned());
            if child.name() == "f" {
                names.push(pull.text()?.into_owned());
            }
            Ok::<(), Error>(())
        })
        .unwrap();
        pull.end().unwrap();
        assert_eq!(names, ["b", "e", "f", "2"]);
    }
}
