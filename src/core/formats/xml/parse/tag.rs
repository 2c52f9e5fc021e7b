//! Tags: elements and their attributes as written (XML 1.0 §3.1, §3.3).

use super::super::characters::is_space;
use super::super::tree::*;
use super::{Parser, Result_, XmlError, text};

/// An element whose end tag has not been met.
pub(super) struct Open {
    pub(super) node: u32,
    /// The name as written.
    pub(super) name: (usize, usize),
    pub(super) scope: u32,
    pub(super) declared: usize,
}

/// An attribute as met, before its prefix is resolved.
pub(super) struct Raw {
    pub(super) offset: usize,
    pub(super) prefix: Text,
    pub(super) local: Text,
    pub(super) value: Text,
}

impl<'s> Parser<'s, '_> {
    /// Reads `STag` or `EmptyElemTag`.
    pub(super) fn start_tag(&mut self) -> Result_<()> {
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
                return Err(self.limit(super::NESTED, self.options.nesting));
            }
            self.open.push(Open { node, name, scope, declared });
        }
        Ok(())
    }

    /// Reads `ETag`.
    pub(super) fn end_tag(&mut self) -> Result_<()> {
        let Some(open) = self.open.pop() else { return Err(self.expected("no end tag")) };
        let start = self.at;
        self.at += 2;
        let name = &self.bytes[open.name.0..open.name.1];
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

    /// Reads an `Attribute`, with its value normalised (§3.3.3).
    pub(super) fn raw_attribute(&mut self) -> Result_<()> {
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
        if let Some(kinds) = &self.document_type
            && let Some(element) = self.element_name()
            && kinds.is_tokenized(element, &self.source[name.0..name.1])
        {
            let words = self.tree.slice(value).split(' ').filter(|word| !word.is_empty());
            let joined = words.collect::<Vec<_>>().join(" ");
            value = self.pooled(&joined);
        }
        self.raw.push(Raw { offset, prefix, local, value });
        Ok(())
    }

    /// Returns the name of the element whose start tag is being read, as written.
    pub(super) fn element_name(&self) -> Option<&'s str> {
        let before = &self.source[..self.at];
        let start = before.rfind('<')? + 1;
        before[start..].split(|c: char| c.is_ascii() && is_space(c as u8)).next()
    }

    /// Adds the attributes of the document type (§3.3.2).
    pub(super) fn default_attributes(&mut self, name: (usize, usize)) -> Result_<()> {
        let Some(document_type) = self.document_type.take() else { return Ok(()) };
        for (attribute, value) in document_type.defaults(&self.source[name.0..name.1]) {
            let (prefix, local) = attribute.split_once(':').unwrap_or(("", attribute));
            // What an element is not given costs what it is, and being looked for.
            self.expanded = self.expanded.saturating_add(attribute.len() + value.len() + self.raw.len());
            if self.expanded > self.options.expansion {
                return Err(self.limit("bytes of entities and default values", self.options.expansion));
            }
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

    pub(super) fn attribute_value(&mut self) -> Result_<Text> {
        let quote = match self.rest().first() {
            Some(quote @ (b'"' | b'\'')) => *quote,
            _ => return Err(self.expected("a quoted value")),
        };
        self.at += 1;
        let start = self.at;
        let mut copied = start;
        let mut pooled_at = None;
        loop {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(self.expected("the closing quote")) };
            match byte {
                _ if byte == quote => break,
                b'<' => return Err(self.expected("no < in a value")),
                b'\t' | b'\n' | b'\r' | b'&' => {
                    pooled_at.get_or_insert(self.tree.pool.len());
                    self.tree.pool.push_str(&self.source[copied..self.at]);
                    if byte == b'&' {
                        self.reference(true)?;
                    } else {
                        self.at += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
                        self.tree.pool.push(' ');
                    }
                    copied = self.at;
                }
                b'"' | b'\'' => self.at += 1,
                _ if self.plain => {
                    let rest = self.rest();
                    self.at += rest.iter().position(|byte| !PASSES[usize::from(*byte)]).unwrap_or(rest.len());
                }
                _ => self.skip_character(byte)?,
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
}

/// What of a value needs no second look: all but quotes and what is replaced or refused.
const PASSES: [bool; 256] = {
    let (mut table, mut stops) = ([true; 256], b"\"'<&\t\n\r".as_slice());
    while let [byte, rest @ ..] = stops {
        (table[*byte as usize], stops) = (false, rest);
    }
    table
};
