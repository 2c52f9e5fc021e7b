//! Namespaces in XML: declarations and what prefixes stand for.

use super::super::tree::*;
use super::super::{XML, XMLNS};
use super::tag::Raw;
use super::{NOTHING, Parser, Result_, XmlError};
use std::collections::HashSet;

impl<'s> Parser<'s, '_> {
    /// Takes the namespace declarations out of the attributes met; the scope and how many are in it.
    pub(super) fn declarations(&mut self, around: u32, outer: usize) -> Result_<(u32, usize)> {
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

    /// Declares a namespace, where such a declaration may be (Namespaces in XML §3).
    pub(super) fn declare(&mut self, prefix: Text, attribute: &Raw, first: u32) -> Result_<()> {
        let offset = attribute.offset;
        let name = self.tree.slice(attribute.value);
        let written = self.tree.slice(prefix);
        let allowed = match (written, name) {
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
        self.bound_name(name.len())?;
        let namespace = self.number(attribute.value);
        let key = prefix_key(self.tree.slice(prefix));
        self.tree.declarations.push(DeclarationData { prefix, key, namespace });
        Ok(())
    }

    /// Returns the number of a namespace. Of few, to compare them is quicker than to look them up.
    fn number(&mut self, name: Text) -> u32 {
        let name = self.tree.slice(name);
        let known = self.tree.namespaces.iter().take(8).position(|known| known == name);
        if let Some(number) = known.map(|place| place as u32).or_else(|| self.numbers.get(name).copied()) {
            return number;
        }
        let number = self.tree.namespaces.len() as u32;
        let scheme = name.split_once(':').is_some_and(|(scheme, _)| !scheme.contains(['/', '?', '#']));
        let name = name.to_owned();
        self.tree.has_relative_namespaces |= !scheme;
        self.tree.namespaces.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// Resolves the remaining attributes and keeps them.
    pub(super) fn attributes(&mut self, owner: u32, scope: u32) -> Result_<std::ops::Range<u32>> {
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

    /// Returns the namespace of a prefix in a scope.
    pub(super) fn namespace(&self, prefix: Text, scope: u32, offset: usize) -> Result_<u32> {
        let written = self.tree.slice(prefix);
        if written == "xml" {
            return Ok(XML_NAMESPACE);
        }
        let (found, _) = self.tree.declaration_of(written, scope);
        match found {
            Some(known) => Ok(self.tree.declarations[known.number as usize].namespace),
            None if written.is_empty() => Ok(NO_NAMESPACE),
            None => Err(XmlError::Prefix { offset, prefix: written.chars().take(40).collect() }),
        }
    }
}
