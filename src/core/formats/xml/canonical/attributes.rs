//! Which attributes a canonical form has, and in which order: Canonical XML §2.2, §2.4.

use super::super::XML;
use super::super::base::joined_base;
use super::super::element::{Attribute, Element};
use super::super::escape::{VALUE, escape};
use super::{ATTRIBUTE, Algorithm, Writer};
use std::cmp::Ordering;
use std::collections::HashSet;

/// What a byte of `xml:base` costs that is joined with others.
const JOINED: usize = 8;

impl<'t, 's> Writer<'t, 's, '_> {
    /// Gathers the element's attributes that are in the set.
    pub(super) fn gather_attributes(&mut self, element: Element<'t, 's>) {
        self.attributes.clear();
        self.attributes.extend(element.attributes().filter(|attribute| self.set.contains_attribute(attribute.number)));
    }

    pub(super) fn write_attributes(&mut self, element: Element<'t, 's>, written: bool) {
        let mut base = None;
        if written && self.method.algorithm != Algorithm::Exclusive && self.is_apex(element) {
            base = self.inherit(element);
        }
        self.spend(self.attributes.len() * ATTRIBUTE);
        let mut attributes = std::mem::take(&mut self.attributes);
        crate::order::sort_by(&mut attributes, compare);
        for attribute in &attributes {
            self.out.push(b' ');
            if !attribute.prefix.is_empty() {
                self.out.extend_from_slice(attribute.prefix.as_bytes());
                self.out.push(b':');
            }
            self.out.extend_from_slice(attribute.local.as_bytes());
            self.out.extend_from_slice(b"=\"");
            let value = match &base {
                Some(base) if attribute.namespace == XML && attribute.local == "base" => base,
                _ => attribute.value,
            };
            escape(&mut self.out, value.as_bytes(), VALUE);
            self.out.push(b'"');
        }
        self.attributes = attributes;
    }

    /// Returns whether the element is in the set and the one around it is not.
    fn is_apex(&self, element: Element<'t, 's>) -> bool {
        element.parent().is_some_and(|parent| !self.set.contains(self.tree, parent.id()))
    }

    /// Adds attributes of `xml` that an apex has from ancestors outside the set (Canonical XML 1.0 §2.4, 1.1 §2.4).
    ///
    /// The result is the value of `xml:base` where it has to be another than the attribute's own.
    fn inherit(&mut self, element: Element<'t, 's>) -> Option<String> {
        let one_zero = self.method.algorithm == Algorithm::Inclusive10;
        let mut outside = vec![];
        let mut around = element.parent();
        // In 1.0 every ancestor counts, in 1.1 those up to the next one that is in the set.
        while let Some(ancestor) = around.filter(|a| one_zero || !self.set.contains(self.tree, a.id())) {
            outside.push(ancestor);
            around = ancestor.parent();
        }
        let mut known: HashSet<&str> = element.attributes().filter(|a| a.namespace == XML).map(|a| a.local).collect();
        for ancestor in &outside {
            self.spend(ancestor.attributes().len() * ATTRIBUTE);
            for attribute in ancestor.attributes().filter(|a| a.namespace == XML) {
                if (one_zero || matches!(attribute.local, "lang" | "space")) && known.insert(attribute.local) {
                    self.attributes.push(attribute);
                }
            }
        }
        if one_zero {
            return None;
        }
        // xml:base of the ancestors outside is carried into the apex's own.
        let is_base = |attribute: &Attribute<'t>| attribute.namespace == XML && attribute.local == "base";
        let outer: Vec<Attribute<'t>> = outside.iter().rev().filter_map(|a| a.attributes().find(is_base)).collect();
        self.spend(outer.iter().map(|attribute| attribute.value.len() * JOINED).sum());
        let (first, rest) = outer.split_first()?;
        let mut base = first.value.to_string();
        for attribute in rest {
            base = joined_base(&base, attribute.value);
        }
        match element.attributes().find(is_base) {
            Some(own) => base = joined_base(&base, own.value),
            None => self.attributes.push(*first),
        }
        Some(base)
    }
}

/// Compares attributes by their order (Canonical XML §2.2). Most have no namespace.
fn compare(one: &Attribute<'_>, other: &Attribute<'_>) -> Ordering {
    let bare = one.namespace.is_empty() && other.namespace.is_empty();
    let namespaces = if bare { Ordering::Equal } else { one.namespace.cmp(other.namespace) };
    namespaces.then_with(|| one.local.cmp(other.local))
}
