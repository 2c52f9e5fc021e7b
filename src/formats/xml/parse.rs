//! Reading: XML 1.0 (fifth edition) and Namespaces in XML 1.0 (third edition).
//!
//! One pass over the characters, no recursion. Whoever made the document can
//! lengthen four things, and each has its bound: nesting, attributes of one
//! element, namespaces in scope, what entities expand to.

use super::characters::{continues_name, is_char, is_space, starts_name};
use super::document_type::DocumentType;
use super::tree::*;
use super::{XML, XMLNS};
use memchr::{memchr3, memmem};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// What reading allows.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Elements inside each other. Real files: below 40.
    pub nesting: usize,
    /// Attributes of one element. Real files: below 60; the largest in the public corpora has some 300.
    pub attributes: usize,
    /// Namespaces in scope of one element. Real files: below 40.
    pub namespaces: usize,
    /// Characters that entities may expand to, in the whole document. Real files with entities: below 1,000.
    pub expansion: usize,
    /// Whether a document type declaration is read rather than refused; external parts are never fetched.
    pub document_type: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { nesting: 128, attributes: 2_000, namespaces: 500, expansion: 100_000, document_type: false }
    }
}

/// Why a text is not XML that is read here.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XmlError {
    /// The octets are not characters.
    #[error("the octets at {offset} are not characters of the document's encoding")]
    NotText { offset: usize },
    /// An encoding that is not read.
    #[error("the encoding is {found}, not UTF-8, UTF-16, ISO-8859-1, ISO-8859-2, windows-1250 or windows-1252")]
    Encoding { found: String },
    /// Not well-formed.
    #[error("at octet {offset} {expected} was expected")]
    Syntax { offset: usize, expected: &'static str },
    /// A character that XML has not.
    #[error("at octet {offset} stands a character that XML does not allow")]
    Character { offset: usize },
    /// The end tag is not the start tag's.
    #[error("at octet {offset} an end tag closes an element of another name")]
    Unbalanced { offset: usize },
    /// A prefix without a namespace.
    #[error("at octet {offset} the prefix {prefix} is not declared")]
    Prefix { offset: usize, prefix: String },
    /// A namespace declaration that may not be.
    #[error("at octet {offset} a namespace is declared that may not be")]
    Declaration { offset: usize },
    /// Two attributes of one name.
    #[error("at octet {offset} an element has two attributes of one name")]
    DuplicateAttribute { offset: usize },
    /// A document type declaration where none is allowed.
    #[error("at octet {offset} a document type is declared, which signed documents may not have")]
    DocumentType { offset: usize },
    /// An entity that is not declared, or not a plain text.
    #[error("at octet {offset} an entity stands that is not a plain text declared before")]
    Entity { offset: usize },
    /// Past a bound.
    #[error("at octet {offset} there are more than {limit} {what}")]
    Limit { offset: usize, what: &'static str, limit: usize },
}

/// Reads a document.
pub fn parse<'s>(source: &'s str, options: &Options) -> Result<Tree<'s>, XmlError> {
    // The highest numbers are kept free for ends and marks.
    let limit = u32::MAX as usize - 16;
    if source.len() > limit {
        return Err(XmlError::Limit { offset: limit, what: "octets in one document", limit });
    }
    let mut parser = Parser::new(source, options);
    parser.document()?;
    Ok(parser.tree)
}

/// Reads a document and keeps its text with it.
pub fn parse_owned(source: String, options: &Options) -> Result<Tree<'static>, XmlError> {
    let tree = parse(&source, options)?;
    let Tree { pool, nodes, texts, elements, attributes, scopes, declarations, namespaces, ids, .. } = tree;
    let (has_document_type, has_relative_namespaces) = (tree.has_document_type, tree.has_relative_namespaces);
    Ok(Tree {
        source: Cow::Owned(source),
        pool,
        nodes,
        texts,
        elements,
        attributes,
        scopes,
        declarations,
        namespaces,
        has_document_type,
        has_relative_namespaces,
        ids,
        work: Work::default(),
    })
}

/// An element whose end tag has not been met.
struct Open {
    node: u32,
    /// The name as written.
    name: (usize, usize),
    scope: u32,
    declared: usize,
}

/// An attribute as met, before its prefix is resolved.
struct Raw {
    offset: usize,
    prefix: Text,
    local: Text,
    value: Text,
}

struct Parser<'s, 'o> {
    source: &'s str,
    octets: &'s [u8],
    at: usize,
    options: &'o Options,
    tree: Tree<'s>,
    open: Vec<Open>,
    numbers: HashMap<String, u32>,
    raw: Vec<Raw>,
    document_type: Option<DocumentType>,
    expanded: usize,
    /// No character is forbidden, and no `]]>` stands anywhere: text is looked at for its end only.
    plain: bool,
}

type Result_<T> = Result<T, XmlError>;

const NOTHING: Text = Text { start: 0, end: 0, pooled: false };

impl<'s, 'o> Parser<'s, 'o> {
    fn new(source: &'s str, options: &'o Options) -> Self {
        let root = Node { kind: Kind::Root, parent: 0, end: 0, span: span(0, source.len()), data: 0 };
        let tree = Tree {
            source: Cow::Borrowed(source),
            pool: String::with_capacity(64),
            nodes: vec![root],
            texts: vec![],
            elements: vec![],
            attributes: vec![],
            scopes: vec![Scope { around: 0, declarations: 0..0 }],
            declarations: vec![],
            namespaces: vec![String::new(), XML.into()],
            has_document_type: false,
            has_relative_namespaces: false,
            ids: OnceLock::new(),
            work: Work::default(),
        };
        let numbers = HashMap::from([(String::new(), NO_NAMESPACE), (XML.into(), XML_NAMESPACE)]);
        Self {
            source,
            octets: source.as_bytes(),
            at: 0,
            options,
            tree,
            open: vec![],
            numbers,
            raw: vec![],
            document_type: None,
            expanded: 0,
            plain: is_plain(source.as_bytes()),
        }
    }

    /// `document`: prolog, one element, and what may follow it.
    fn document(&mut self) -> Result_<()> {
        if self.octets.starts_with(b"<?xml") && self.octets.get(5).copied().is_some_and(is_space) {
            self.declaration()?;
        }
        let mut element_seen = false;
        loop {
            self.skip_space();
            match self.rest() {
                [] if element_seen => break,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', ..] if !element_seen && !self.tree.has_document_type => self.doctype()?,
                [b'<', ..] if !element_seen => {
                    element_seen = true;
                    self.start_tag()?;
                    self.content()?;
                }
                _ => return Err(self.expected("one document element, and nothing but comments around it,")),
            }
        }
        self.tree.nodes[0].end = self.tree.nodes.len() as u32;
        Ok(())
    }

    /// `XMLDecl`: only version 1.0; the encoding was settled before.
    fn declaration(&mut self) -> Result_<()> {
        let end = self.find("?>", "the end of the XML declaration")?;
        let text = &self.source[5..end];
        let version = text.trim_start().strip_prefix("version").map(|rest| rest.trim_start());
        let version = version.and_then(|rest| rest.strip_prefix('=')).map(str::trim_start).unwrap_or_default();
        if !["\"1.0\"", "'1.0'"].iter().any(|known| version.starts_with(known)) {
            return Err(self.expected("XML version 1.0"));
        }
        self.at = end + 2;
        Ok(())
    }

    fn doctype(&mut self) -> Result_<()> {
        if !self.rest().starts_with(b"<!DOCTYPE") {
            return Err(self.expected("a document type, comment or element"));
        }
        if !self.options.document_type {
            return Err(XmlError::DocumentType { offset: self.at });
        }
        let (document_type, length) = DocumentType::read(&self.source[self.at..])
            .map_err(|(offset, expected)| XmlError::Syntax { offset: self.at + offset, expected })?;
        self.at += length;
        self.tree.has_document_type = true;
        self.document_type = Some(document_type);
        Ok(())
    }

    /// Everything inside the document element.
    fn content(&mut self) -> Result_<()> {
        while !self.open.is_empty() {
            match self.rest() {
                [b'<', b'/', ..] => self.end_tag()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', ..] => self.characters()?,
                [b'<', ..] => self.start_tag()?,
                [] => return Err(self.expected("an end tag")),
                _ => self.characters()?,
            }
        }
        Ok(())
    }

    /// `STag` and `EmptyElemTag`.
    fn start_tag(&mut self) -> Result_<()> {
        let start = self.at;
        self.at += 1;
        let name = self.at;
        let (prefix, local) = self.qualified_name()?;
        let name = (name, self.at);
        self.raw.clear();
        let empty = loop {
            let before = self.at;
            self.skip_space();
            match self.rest() {
                [b'>', ..] => break false,
                [b'/', b'>', ..] => break true,
                _ if self.at == before => return Err(self.expected("white space, > or />")),
                _ => self.raw_attribute()?,
            }
        };
        self.at += if empty { 2 } else { 1 };
        self.default_attributes(name)?;

        let around = self.open.last().map_or(0, |open| open.scope);
        let outer = self.open.last().map_or(0, |open| open.declared);
        let (scope, declared) = self.declarations(around, outer)?;
        let node = self.tree.nodes.len() as u32;
        let attributes = self.attributes(node, scope)?;
        let namespace = self.namespace(prefix, scope, start)?;
        let element = ElementData {
            prefix,
            local,
            namespace,
            attributes,
            scope,
            opened: self.at as u32,
            closing: self.at as u32,
        };
        let data = self.tree.elements.len() as u32;
        self.tree.elements.push(element);
        self.push(Kind::Element, start, data);
        if empty {
            self.tree.nodes[node as usize].end = node + 1;
        } else {
            if self.open.len() >= self.options.nesting {
                return Err(self.limit("elements inside each other", self.options.nesting));
            }
            self.open.push(Open { node, name, scope, declared });
        }
        Ok(())
    }

    /// `ETag`.
    fn end_tag(&mut self) -> Result_<()> {
        let Some(open) = self.open.pop() else { return Err(self.expected("no end tag")) };
        let start = self.at;
        self.at += 2;
        let name = &self.octets[open.name.0..open.name.1];
        if !self.rest().starts_with(name) {
            return Err(XmlError::Unbalanced { offset: start });
        }
        self.at += name.len();
        let after = self.at;
        self.skip_space();
        match self.rest() {
            [b'>', ..] => self.at += 1,
            _ if self.at == after => return Err(XmlError::Unbalanced { offset: start }),
            _ => return Err(self.expected(">")),
        }
        let end = self.tree.nodes.len() as u32;
        let node = &mut self.tree.nodes[open.node as usize];
        node.end = end;
        node.span.end = self.at as u32;
        self.tree.elements[node.data as usize].closing = start as u32;
        Ok(())
    }

    /// `Attribute`, with its value normalised (§3.3.3).
    fn raw_attribute(&mut self) -> Result_<()> {
        if self.raw.len() >= self.options.attributes {
            return Err(self.limit("attributes of one element", self.options.attributes));
        }
        let offset = self.at;
        let (prefix, local) = self.qualified_name()?;
        let name = (offset, self.at);
        self.skip_space();
        if self.rest().first() != Some(&b'=') {
            return Err(self.expected("="));
        }
        self.at += 1;
        self.skip_space();
        let mut value = self.attribute_value()?;
        if let (Some(kinds), Some(element)) = (&self.document_type, self.element_name())
            && kinds.is_tokenized(element, &self.source[name.0..name.1])
        {
            let words = self.tree.slice(value).split(' ').filter(|word| !word.is_empty());
            let joined = words.collect::<Vec<_>>().join(" ");
            value = self.pooled(&joined);
        }
        self.raw.push(Raw { offset, prefix, local, value });
        Ok(())
    }

    /// The name of the element whose start tag is being read, as written.
    fn element_name(&self) -> Option<&'s str> {
        let before = &self.source[..self.at];
        let start = before.rfind('<')? + 1;
        before[start..].split(|c: char| c.is_ascii() && is_space(c as u8)).next()
    }

    /// Attributes that the document type adds (§3.3.2).
    fn default_attributes(&mut self, name: (usize, usize)) -> Result_<()> {
        let Some(document_type) = self.document_type.take() else { return Ok(()) };
        for (attribute, value) in document_type.defaults(&self.source[name.0..name.1]) {
            let (prefix, local) = attribute.split_once(':').unwrap_or(("", attribute));
            let given =
                self.raw.iter().any(|raw| (self.tree.slice(raw.prefix), self.tree.slice(raw.local)) == (prefix, local));
            if !given {
                let (prefix, local, value) = (self.pooled(prefix), self.pooled(local), self.pooled(value));
                self.raw.push(Raw { offset: name.0, prefix, local, value });
            }
        }
        self.document_type = Some(document_type);
        Ok(())
    }

    fn attribute_value(&mut self) -> Result_<Text> {
        let quote = match self.rest().first() {
            Some(quote @ (b'"' | b'\'')) => *quote,
            _ => return Err(self.expected("a quoted value")),
        };
        self.at += 1;
        let start = self.at;
        let mut copied = start;
        let mut pooled_at = None;
        loop {
            let Some(&octet) = self.octets.get(self.at) else { return Err(self.expected("the closing quote")) };
            match octet {
                _ if octet == quote => break,
                b'<' => return Err(self.expected("no < in a value")),
                b'\t' | b'\n' | b'\r' | b'&' => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    if octet == b'&' {
                        self.reference(true)?;
                    } else {
                        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
                        self.tree.pool.push(' ');
                    }
                    copied = self.at;
                }
                _ => self.skip_character(octet)?,
            }
        }
        let end = self.at;
        self.at += 1;
        Ok(match pooled_at {
            None => text(start, end),
            Some(begin) => {
                self.tree.pool.push_str(&self.source[copied..end]);
                self.pool_from(begin)
            }
        })
    }

    /// Takes the namespace declarations out of the attributes met; the scope and how many are in it.
    fn declarations(&mut self, around: u32, outer: usize) -> Result_<(u32, usize)> {
        let first = self.tree.declarations.len() as u32;
        let mut raw = std::mem::take(&mut self.raw);
        let mut error = None;
        raw.retain(|attribute| {
            let prefix = match (self.tree.slice(attribute.prefix), self.tree.slice(attribute.local)) {
                ("xmlns", _) => attribute.local,
                ("", "xmlns") => NOTHING,
                _ => return true,
            };
            if let Err(e) = self.declare(prefix, attribute, first) {
                error.get_or_insert(e);
            }
            false
        });
        self.raw = raw;
        if let Some(error) = error {
            return Err(error);
        }
        let last = self.tree.declarations.len() as u32;
        let declared = outer + (last - first) as usize;
        if declared > self.options.namespaces {
            return Err(self.limit("namespaces in scope", self.options.namespaces));
        }
        if first == last {
            return Ok((around, declared));
        }
        self.tree.scopes.push(Scope { around, declarations: first..last });
        Ok((self.tree.scopes.len() as u32 - 1, declared))
    }

    /// Namespaces in XML §3: which declarations may be.
    fn declare(&mut self, prefix: Text, attribute: &Raw, first: u32) -> Result_<()> {
        let offset = attribute.offset;
        let name = self.tree.slice(attribute.value).to_string();
        let written = self.tree.slice(prefix);
        let allowed = match (written, name.as_str()) {
            ("xml", name) => name == XML,
            ("xmlns", _) | (_, XML | XMLNS) => false,
            (prefix, name) => prefix.is_empty() || !name.is_empty(),
        };
        if !allowed {
            return Err(XmlError::Declaration { offset });
        }
        let own = &self.tree.declarations[first as usize..];
        if own.len() >= self.options.namespaces {
            return Err(self.limit("namespaces in scope", self.options.namespaces));
        }
        if own.iter().any(|known| self.tree.slice(known.prefix) == written) {
            return Err(XmlError::DuplicateAttribute { offset });
        }
        if written == "xml" {
            return Ok(());
        }
        let scheme = |name: &str| name.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '?', '#']));
        self.tree.has_relative_namespaces |= !name.is_empty() && !scheme(&name);
        let namespace = self.number(name);
        self.tree.declarations.push(DeclarationData { prefix, namespace });
        Ok(())
    }

    fn number(&mut self, name: String) -> u32 {
        if let Some(number) = self.numbers.get(&name) {
            return *number;
        }
        let number = self.tree.namespaces.len() as u32;
        self.tree.namespaces.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Resolves the remaining attributes and keeps them.
    fn attributes(&mut self, owner: u32, scope: u32) -> Result_<std::ops::Range<u32>> {
        let first = self.tree.attributes.len() as u32;
        let raw = std::mem::take(&mut self.raw);
        for attribute in &raw {
            let namespace = if attribute.prefix.start == attribute.prefix.end {
                NO_NAMESPACE
            } else {
                self.namespace(attribute.prefix, scope, attribute.offset)?
            };
            let Raw { prefix, local, value, .. } = *attribute;
            self.tree.attributes.push(AttributeData { prefix, local, namespace, value, owner });
        }
        self.raw = raw;
        let own = &self.tree.attributes[first as usize..];
        let same = |a: &AttributeData, b: &AttributeData| {
            a.namespace == b.namespace && self.tree.slice(a.local) == self.tree.slice(b.local)
        };
        // Few attributes are compared with each other, many by a set.
        let unique = if own.len() <= 12 {
            own.iter().enumerate().all(|(i, a)| own[..i].iter().all(|b| !same(a, b)))
        } else {
            let mut seen = HashSet::with_capacity(own.len());
            own.iter().all(|a| seen.insert((a.namespace, self.tree.slice(a.local))))
        };
        if !unique {
            return Err(XmlError::DuplicateAttribute { offset: self.raw.first().map_or(self.at, |raw| raw.offset) });
        }
        Ok(first..self.tree.attributes.len() as u32)
    }

    /// The namespace of a prefix in a scope.
    fn namespace(&self, prefix: Text, scope: u32, offset: usize) -> Result_<u32> {
        let written = self.tree.slice(prefix);
        if written == "xml" {
            return Ok(XML_NAMESPACE);
        }
        let found = self.tree.declarations_from(scope).find(|known| known.prefix == written);
        match found {
            Some(known) => Ok(self.tree.declarations[known.number as usize].namespace),
            None if written.is_empty() => Ok(NO_NAMESPACE),
            None => Err(XmlError::Prefix { offset, prefix: written.chars().take(40).collect() }),
        }
    }

    /// Character data with its references and CDATA sections, as one text node.
    fn characters(&mut self) -> Result_<()> {
        let start = self.at;
        let mut copied = start;
        let mut pooled_at = None;
        while let Some(&octet) = self.octets.get(self.at) {
            match octet {
                b'<' if self.rest().starts_with(b"<![CDATA[") => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    self.at += 9;
                    let end = self.find("]]>", "the end of a CDATA section")?;
                    self.checked(self.at, end)?;
                    self.push_lines(self.at, end);
                    self.at = end + 3;
                    copied = self.at;
                }
                b'<' => break,
                b'&' | b'\r' => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    if octet == b'&' {
                        self.reference(false)?;
                    } else {
                        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
                        self.tree.pool.push('\n');
                    }
                    copied = self.at;
                }
                _ if self.plain => {
                    let rest = self.rest();
                    self.at += memchr3(b'<', b'&', b'\r', rest).unwrap_or(rest.len());
                }
                b']' if self.rest().starts_with(b"]]>") => return Err(self.expected("no ]]> in text")),
                _ => self.skip_character(octet)?,
            }
        }
        if self.at == start {
            return Err(self.expected("a CDATA section"));
        }
        let content = match pooled_at {
            None => text(start, self.at),
            Some(begin) => {
                self.tree.pool.push_str(&self.source[copied..self.at]);
                self.pool_from(begin)
            }
        };
        // References to nothing and empty sections make no node.
        if content.start != content.end {
            self.push_text(Kind::Text, start, NOTHING, content);
        }
        Ok(())
    }

    /// `Reference`: its replacement goes to the pool.
    fn reference(&mut self, in_value: bool) -> Result_<()> {
        let start = self.at;
        let end = self.octets[start..].iter().take(80).position(|octet| *octet == b';');
        let Some(end) = end.map(|length| start + length) else { return Err(XmlError::Entity { offset: start }) };
        let name = &self.source[start + 1..end];
        self.at = end + 1;
        if let Some(digits) = name.strip_prefix('#') {
            let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
            let plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let found = plain.then(|| u32::from_str_radix(digits, radix).ok()).flatten().and_then(char::from_u32);
            let Some(found) = found.filter(|c| is_char(*c)) else { return Err(XmlError::Character { offset: start }) };
            self.tree.pool.push(found);
            return Ok(());
        }
        let replacement = match name {
            "lt" => "<",
            "gt" => ">",
            "amp" => "&",
            "apos" => "'",
            "quot" => "\"",
            _ => {
                let known = self.document_type.as_ref().and_then(|document_type| document_type.entity(name));
                let Some(replacement) = known else { return Err(XmlError::Entity { offset: start }) };
                self.expanded = self.expanded.saturating_add(replacement.len());
                if self.expanded > self.options.expansion {
                    return Err(self.limit("octets of entities", self.options.expansion));
                }
                if in_value { &replacement.replace(['\t', '\n', '\r'], " ") } else { replacement }
            }
        };
        self.tree.pool.push_str(replacement);
        Ok(())
    }

    /// `Comment`.
    fn comment(&mut self) -> Result_<()> {
        let start = self.at;
        self.at += 4;
        let end = self.find("--", "the end of a comment")?;
        if self.octets.get(end + 2) != Some(&b'>') {
            self.at = end;
            return Err(self.expected("no -- in a comment"));
        }
        self.checked(self.at, end)?;
        let content = self.lines(self.at, end);
        self.at = end + 3;
        self.push_text(Kind::Comment, start, NOTHING, content);
        Ok(())
    }

    /// `PI`.
    fn instruction(&mut self) -> Result_<()> {
        let start = self.at;
        self.at += 2;
        let target = self.name()?;
        if self.tree.slice(target).eq_ignore_ascii_case("xml") {
            return Err(XmlError::Syntax { offset: start, expected: "another target than xml" });
        }
        let end = self.find("?>", "the end of an instruction")?;
        let after = self.at;
        self.skip_space();
        if self.at == after && end != after {
            return Err(self.expected("white space"));
        }
        let begin = self.at.min(end);
        self.checked(begin, end)?;
        let content = self.lines(begin, end);
        self.at = end + 2;
        self.push_text(Kind::Instruction, start, target, content);
        Ok(())
    }

    /// `QName`: prefix (may be empty) and local part.
    fn qualified_name(&mut self) -> Result_<(Text, Text)> {
        let first = self.name()?;
        if self.rest().first() != Some(&b':') {
            return Ok((NOTHING, first));
        }
        self.at += 1;
        let local = self.name()?;
        if self.rest().first() == Some(&b':') {
            return Err(self.expected("one colon in a name"));
        }
        Ok((first, local))
    }

    /// `NCName`.
    fn name(&mut self) -> Result_<Text> {
        let start = self.at;
        while let Some(&octet) = self.octets.get(self.at) {
            if octet.is_ascii_alphabetic() || octet == b'_' {
                self.at += 1;
            } else if octet.is_ascii() {
                if self.at == start || !matches!(octet, b'0'..=b'9' | b'-' | b'.') {
                    break;
                }
                self.at += 1;
            } else {
                let Some(c) = self.source[self.at..].chars().next() else { break };
                if !if self.at == start { starts_name(c) } else { continues_name(c) } {
                    break;
                }
                self.at += c.len_utf8();
            }
        }
        if self.at == start { Err(self.expected("a name")) } else { Ok(text(start, self.at)) }
    }

    fn push(&mut self, kind: Kind, start: usize, data: u32) {
        let number = self.tree.nodes.len() as u32;
        let parent = self.open.last().map_or(0, |open| open.node);
        self.tree.nodes.push(Node { kind, parent, end: number + 1, span: span(start, self.at), data });
    }

    fn push_text(&mut self, kind: Kind, start: usize, target: Text, content: Text) {
        let data = self.tree.texts.len() as u32;
        self.tree.texts.push((target, content));
        self.push(kind, start, data);
    }

    fn pooled(&mut self, value: &str) -> Text {
        let begin = self.tree.pool.len();
        self.tree.pool.push_str(value);
        self.pool_from(begin)
    }

    fn pool_from(&self, begin: usize) -> Text {
        Text { start: begin as u32, end: self.tree.pool.len() as u32, pooled: true }
    }

    /// The source between two places, with line ends normalised (§2.11).
    fn lines(&mut self, start: usize, end: usize) -> Text {
        if !self.octets[start..end].contains(&b'\r') {
            return text(start, end);
        }
        let begin = self.tree.pool.len();
        self.push_lines(start, end);
        self.pool_from(begin)
    }

    fn push_lines(&mut self, start: usize, end: usize) {
        let mut lines = self.source[start..end].split('\r');
        self.tree.pool.push_str(lines.next().unwrap_or_default());
        for line in lines {
            self.tree.pool.push('\n');
            self.tree.pool.push_str(line.strip_prefix('\n').unwrap_or(line));
        }
    }

    /// That every character between two places is one of XML's.
    fn checked(&self, start: usize, end: usize) -> Result_<()> {
        if self.plain {
            return Ok(());
        }
        match self.source[start..end].char_indices().find(|(_, c)| !is_char(*c)) {
            Some((at, _)) => Err(XmlError::Character { offset: start + at }),
            None => Ok(()),
        }
    }

    /// Moves past a character that stands for itself.
    fn skip_character(&mut self, first: u8) -> Result_<()> {
        match first {
            0..=0x1f if !is_space(first) => Err(XmlError::Character { offset: self.at }),
            0xef if matches!(self.octets.get(self.at + 1..self.at + 3), Some([0xbf, 0xbe | 0xbf])) => {
                Err(XmlError::Character { offset: self.at })
            }
            _ => {
                self.at += 1;
                Ok(())
            }
        }
    }

    fn skip_space(&mut self) {
        while self.octets.get(self.at).copied().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn find(&self, end: &str, expected: &'static str) -> Result_<usize> {
        self.source[self.at..].find(end).map(|length| self.at + length).ok_or_else(|| self.expected(expected))
    }

    fn rest(&self) -> &'s [u8] {
        &self.octets[self.at.min(self.octets.len())..]
    }

    fn expected(&self, expected: &'static str) -> XmlError {
        XmlError::Syntax { offset: self.at, expected }
    }

    fn limit(&self, what: &'static str, limit: usize) -> XmlError {
        XmlError::Limit { offset: self.at, what, limit }
    }
}

/// Whether no control character stands in a text, neither U+FFFE nor U+FFFF, and no `]]>`.
fn is_plain(octets: &[u8]) -> bool {
    // Branches would cost more than the whole rest of reading.
    let control = |octet: &u8| *octet < 0x20 && !matches!(octet, b'\t' | b'\n' | b'\r');
    let controls = octets.chunks(4096).any(|chunk| chunk.iter().fold(false, |found, octet| found | control(octet)));
    let noncharacters = [&b"\xef\xbf\xbe"[..], b"\xef\xbf\xbf"];
    !controls
        && noncharacters.iter().all(|wanted| memmem::find(octets, wanted).is_none())
        && memmem::find(octets, b"]]>").is_none()
}

fn text(start: usize, end: usize) -> Text {
    Text { start: start as u32, end: end as u32, pooled: false }
}

fn span(start: usize, end: usize) -> Span {
    Span { start: start as u32, end: end as u32 }
}

/// A literal with its character references replaced and the five entities of XML; `None` with any other reference.
pub(super) fn characters_of(literal: &str) -> Option<String> {
    let mut result = String::with_capacity(literal.len());
    let mut parts = literal.split('&');
    result.push_str(parts.next()?);
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        let c = match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "apos" => '\'',
            "quot" => '"',
            _ => {
                let digits = name.strip_prefix('#')?;
                let (digits, radix) = digits.strip_prefix('x').map_or((digits, 10), |hex| (hex, 16));
                u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).filter(|c| is_char(*c))?
            }
        };
        result.push(c);
        result.push_str(rest);
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Result<String, XmlError> {
        let options = Options { document_type: true, ..Options::default() };
        let tree = parse(source, &options)?;
        let mut shown = String::new();
        for node in tree.nodes() {
            match tree.kind(node) {
                Kind::Root => {}
                Kind::Element => {
                    let element = tree.element(node).expect("an element");
                    shown.push_str(&format!("<{{{}}}{}", element.namespace(), element.local()));
                    for attribute in element.attributes() {
                        shown.push_str(&format!(" {{{}}}{}={}", attribute.namespace, attribute.local, attribute.value));
                    }
                    shown.push('>');
                }
                _ => shown.push_str(&format!("[{}{}]", tree.target(node), tree.text(node))),
            }
        }
        Ok(shown)
    }

    #[test]
    fn well_formed() {
        for (clause, source, expected) in [
            ("XML §2.11: line ends", "<a>1\r\n2\r3<!--\r--></a>", "<{}a>[1\n2\n3][\n]"),
            ("XML §3.3.3: white space in values", "<a b='\t\r\n x&#9;&#xA;'/>", "<{}a {}b=   x\t\n>"),
            ("XML §2.7: CDATA is text", "<a>1<![CDATA[<&]]>2</a>", "<{}a>[1<&2]"),
            ("XML §2.7: an empty section is nothing", "<a><![CDATA[]]></a>", "<{}a>"),
            ("XML §4.6: the five entities", "<a>&lt;&gt;&amp;&apos;&quot;</a>", "<{}a>[<>&'\"]"),
            ("XML §2.6: instructions", "<?p  d ?><a/>", "[pd ]<{}a>"),
            ("Namespaces §6.2: default", "<a xmlns='u:1'><b xmlns=''/><c d='e'/></a>", "<{u:1}a><{}b><{u:1}c {}d=e>"),
            (
                "Namespaces §6.1: scope",
                "<p:a xmlns:p='u:1'><p:b xmlns:p='u:2' p:c=''/><p:d/></p:a>",
                "<{u:1}a><{u:2}b {u:2}c=><{u:1}d>",
            ),
            ("Namespaces §3: xml is declared", "<a xml:id='x'/>", "<{}a {http://www.w3.org/XML/1998/namespace}id=x>"),
            ("XML §4.4: a plain entity", "<!DOCTYPE a [<!ENTITY e 'x&#65;'>]><a b='&e;'>&e;</a>", "<{}a {}b=xA>[xA]"),
            ("XML §3.3.2: defaults", "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", "<{}a {}b=c>"),
            (
                "XML §3.3.3: other types than CDATA",
                "<!DOCTYPE a [<!ATTLIST a b NMTOKENS #IMPLIED>]><a b=' x  y '/>",
                "<{}a {}b=x y>",
            ),
        ] {
            assert_eq!(shown(source).as_deref(), Ok(expected), "{clause}");
        }
    }

    #[test]
    fn refused() {
        for (clause, source) in [
            ("XML §2.1: one document element", "<a/><b/>"),
            ("XML §2.1: text around it", "x<a/>"),
            ("XML §2.1: nothing", ""),
            ("XML §2.2: a control character", "<a>\u{1}</a>"),
            ("XML §2.2: a non-character", "<a>\u{ffff}</a>"),
            ("XML §2.4: ]]> in text", "<a>]]></a>"),
            ("XML §2.5: -- in a comment", "<a><!-- -- --></a>"),
            ("XML §2.6: a target xml", "<a><?xml version='1.0'?></a>"),
            ("XML §2.8: version 1.1", "<?xml version='1.1'?><a/>"),
            ("XML §3: another end tag", "<a><b></a></b>"),
            ("XML §3: an end tag with more", "<a></ab>"),
            ("XML §3: no end", "<a><b>"),
            ("XML §3.1: no space between attributes", "<a b='1'c='2'/>"),
            ("XML §3.1: < in a value", "<a b='<'/>"),
            ("XML §3.1: an attribute twice", "<a b='1' b='2'/>"),
            ("XML §4.1: no such character", "<a>&#0;</a>"),
            ("XML §4.1: no such entity", "<a>&b;</a>"),
            ("XML §4.1: an entity with markup", "<!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;</a>"),
            ("XML §4.4.4: an external entity", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>"),
            ("Namespaces §5: a prefix that is not declared", "<p:a/>"),
            ("Namespaces §5: an undeclared prefix", "<p:a xmlns:p='u:1'><b xmlns:p=''/></p:a>"),
            ("Namespaces §3: xmlns is not declared", "<a xmlns:xmlns='u:1'/>"),
            ("Namespaces §3: xml is bound", "<a xmlns:xml='u:1'/>"),
            ("Namespaces §6.3: one name twice", "<a xmlns:p='u:1' xmlns:q='u:1' p:b='' q:b=''/>"),
        ] {
            assert!(shown(source).is_err(), "{clause}");
        }
        let refused = parse("<!DOCTYPE a><a/>", &Options::default());
        assert!(matches!(refused, Err(XmlError::DocumentType { .. })), "signed documents have no document type");
    }

    #[test]
    fn bounds() {
        let many = |count: usize, each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<String>();
        let attributes = format!("<a{}/>", many(60_000, &|n| format!(" b{n}=''")));
        let namespaces = format!("<a{}/>", many(60_000, &|n| format!(" xmlns:b{n}='u:1'")));
        let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
        let spread = many(100, &|n| format!("<a{}>", many(100, &|m| format!(" xmlns:p{n}x{m}='u:1'"))));
        let laughs = format!("<!DOCTYPE a [<!ENTITY e '{}'>]><a>{}</a>", "x".repeat(1_000), "&e;".repeat(1_000));
        for (what, source) in [
            ("attributes", attributes),
            ("attributes", namespaces),
            ("elements", deep),
            ("namespaces", spread),
            ("octets of entities", laughs),
        ] {
            match shown(&source) {
                Err(XmlError::Limit { what: found, .. }) => assert!(found.starts_with(what), "{what}: {found}"),
                other => panic!("{what}: {other:?}"),
            }
        }
    }
}
