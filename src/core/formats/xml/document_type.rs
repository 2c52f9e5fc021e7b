//! Document type declarations, as far as they change what a document says: XML 1.0 §2.8, §3.3, §4.2.
//!
//! Read are default values and types of attributes and entities that are plain
//! texts. External subsets, external and parameter entities are never fetched:
//! a document that needs them cannot be read.

use super::characters::is_space;
use super::references::replaced;
use std::collections::HashMap;

/// What an internal subset declares.
#[derive(Debug, Default)]
pub(super) struct DocumentType {
    entities: HashMap<String, String>,
    attributes: HashMap<String, Attributes>,
}

/// The attributes of an element type.
#[derive(Debug, Default)]
struct Attributes {
    /// Whether the type of each is not CDATA: white space in its value is collapsed.
    tokenized: HashMap<String, bool>,
    /// Those with a default value, in their order.
    defaults: Vec<(String, String)>,
}

type Failure = (usize, &'static str);

impl DocumentType {
    /// Reads a declaration from its `<!DOCTYPE`, with declarations in it if these may be there; it and its length.
    pub(super) fn read(source: &str, internal_subset: bool) -> Result<(Self, usize), Failure> {
        let mut reader = Reader { source, at: 9 };
        let mut document_type = Self::default();
        reader.external()?;
        if internal_subset && reader.take("[") {
            document_type.subset(&mut reader)?;
            reader.space();
        }
        if !reader.take(">") {
            return Err((reader.at, "the end of the document type"));
        }
        Ok((document_type, reader.at))
    }

    /// Returns the replacement of an entity that is a plain text.
    pub(super) fn entity(&self, name: &str) -> Option<&str> {
        self.entities.get(name).map(String::as_str)
    }

    /// Returns whether white space in that attribute's value is collapsed.
    pub(super) fn is_tokenized(&self, element: &str, attribute: &str) -> bool {
        self.attributes.get(element).is_some_and(|all| all.tokenized.get(attribute) == Some(&true))
    }

    /// Returns the default values of an element's attributes.
    pub(super) fn defaults<'t>(&'t self, element: &str) -> impl Iterator<Item = (&'t str, &'t str)> {
        let all = self.attributes.get(element).into_iter().flat_map(|all| &all.defaults);
        all.map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn subset(&mut self, reader: &mut Reader) -> Result<(), Failure> {
        loop {
            reader.space();
            if reader.take("]") {
                return Ok(());
            } else if reader.take("<!--") {
                reader.past("-->")?;
            } else if reader.take("<?") {
                reader.past("?>")?;
            } else if reader.take("<!ENTITY") {
                self.entity_declaration(reader)?;
            } else if reader.take("<!ATTLIST") {
                self.attributes_declaration(reader)?;
            } else if reader.take("<!ELEMENT") || reader.take("<!NOTATION") {
                reader.declaration_end()?;
            } else {
                return Err((reader.at, "a declaration, without parameter entities,"));
            }
        }
    }

    fn entity_declaration(&mut self, reader: &mut Reader) -> Result<(), Failure> {
        reader.space();
        let name = reader.word();
        reader.space();
        if let Some(value) = reader.quoted() {
            // The first declaration binds (§4.2). Texts with markup or references in them are not plain.
            let value = replaced(&value);
            if let Some(value) = value.filter(|value| !value.contains(['<', '&'])) {
                self.entities.entry(name).or_insert(value);
            }
        }
        reader.declaration_end()
    }

    fn attributes_declaration(&mut self, reader: &mut Reader) -> Result<(), Failure> {
        reader.space();
        let element = reader.word();
        loop {
            reader.space();
            if reader.take(">") {
                return Ok(());
            }
            let name = reader.word();
            reader.space();
            let tokenized = match reader.word().as_str() {
                "CDATA" => false,
                "NOTATION" => {
                    reader.space();
                    reader.past(")")?;
                    true
                }
                "" => {
                    reader.past(")")?;
                    true
                }
                _ => true,
            };
            reader.space();
            if !reader.take("#REQUIRED") && !reader.take("#IMPLIED") {
                reader.take("#FIXED");
                reader.space();
                let default = reader.quoted().ok_or((reader.at, "a default value"))?;
                let default = replaced(&default).ok_or((reader.at, "a plain default"))?;
                let default = default.replace(['\t', '\n', '\r'], " ");
                let default = if tokenized {
                    default.split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
                } else {
                    default
                };
                self.declare(&element, name, tokenized, Some(default));
            } else {
                self.declare(&element, name, tokenized, None);
            }
        }
    }

    /// Declares an attribute: the first declaration binds (§3.3).
    fn declare(&mut self, element: &str, name: String, tokenized: bool, default: Option<String>) {
        let all = self.attributes.entry(element.to_string()).or_default();
        if !all.tokenized.contains_key(&name) {
            all.defaults.extend(default.map(|default| (name.clone(), default)));
            all.tokenized.insert(name, tokenized);
        }
    }
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn space(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| is_space(*byte)).count();
    }

    /// Reads everything up to white space or a delimiter.
    fn word(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '>' | '"' | '\'' | '|' | '['))
            .unwrap_or(rest.len());
        let word = rest[..end].to_string();
        self.at += end;
        word
    }

    /// Passes over the name of the document element, and where declarations lie that are not read (§2.8, §4.2.2).
    fn external(&mut self) -> Result<(), Failure> {
        self.space();
        self.word();
        self.space();
        let texts = if self.take("PUBLIC") { 2 } else { usize::from(self.take("SYSTEM")) };
        for _ in 0..texts {
            self.space();
            self.quoted().ok_or((self.at, "where a document type lies"))?;
        }
        self.space();
        Ok(())
    }

    fn quoted(&mut self) -> Option<String> {
        let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let rest = &self.source[self.at + 1..];
        let end = rest.find(quote)?;
        let value = rest[..end].to_string();
        self.at += end + 2;
        Some(value)
    }

    fn past(&mut self, end: &str) -> Result<(), Failure> {
        let length = self.rest().find(end).ok_or((self.at, "the end of a declaration"))?;
        self.at += length + end.len();
        Ok(())
    }

    /// Moves to one of the characters, over quoted strings.
    fn until_any(&mut self, ends: &[char]) -> Result<(), Failure> {
        loop {
            match self.rest().chars().next() {
                None => return Err((self.at, "the end of a declaration")),
                Some(c) if ends.contains(&c) => return Ok(()),
                Some('"' | '\'') => {
                    self.quoted().ok_or((self.at, "a closing quote"))?;
                }
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    fn declaration_end(&mut self) -> Result<(), Failure> {
        self.until_any(&['>'])?;
        self.at += 1;
        Ok(())
    }
}
