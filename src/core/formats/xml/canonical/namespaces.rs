//! Which namespaces a canonical form declares, and where: Canonical XML §2.3, Exclusive XML Canonicalization §3.

use super::super::element::{Declaration, Element};
use super::{ATTRIBUTE, Algorithm, Writer};

/// What a namespace costs that is rendered, beside its bytes.
const RENDERED: usize = 48;

/// Declarations that are looked at without cost, as those of real files: one look costs no more than its attribute does.
const FREE: usize = 8;

/// A namespace as rendered.
pub(super) struct Rendered<'t> {
    prefix: &'t str,
    /// `None`: the nearest written ancestor has it not in the set.
    namespace: Option<&'t str>,
    /// The place of the one of the same prefix before it.
    before: Option<usize>,
}

impl<'t, 's> Writer<'t, 's, '_> {
    /// Gathers the namespaces to be rendered at this element.
    pub(super) fn gather_namespaces(&mut self, element: Element<'t, 's>, written: bool) {
        self.namespaces.clear();
        let prefixes = &self.method.inclusive_prefixes;
        if self.method.algorithm != Algorithm::Exclusive {
            return self.inclusive(element, written, |_| true);
        }
        if !prefixes.is_empty() {
            self.inclusive(element, written, |prefix| prefixes.contains(prefix));
        }
        if !written {
            return;
        }
        self.utilized(element, element.prefix());
        for index in 0..self.attributes.len() {
            let prefix = self.attributes[index].prefix;
            if !prefix.is_empty() {
                self.utilized(element, prefix);
            }
        }
    }

    /// Gathers every namespace in scope whose prefix is asked for.
    fn inclusive(&mut self, element: Element<'t, 's>, written: bool, asked: impl Fn(&str) -> bool) {
        let whole = self.set.is_whole();
        let parent =
            self.open.last().filter(|open| whole && open.written).and_then(|open| self.tree.element(open.node));
        if let Some(parent) = parent {
            // Nothing has changed since the parent but what the element declares.
            for declaration in element.declarations_inside(parent).filter(|declaration| asked(declaration.prefix)) {
                self.render(declaration.prefix, declaration.namespace);
            }
            return;
        }
        let mut default = "";
        let namespaces: Vec<Declaration<'t>> = element.namespaces();
        self.spend(namespaces.len() * ATTRIBUTE);
        for declaration in namespaces {
            if !asked(declaration.prefix) {
                continue;
            }
            let held = whole || self.set.contains_namespace(element.id(), declaration.number);
            if declaration.prefix.is_empty() {
                default = if held { declaration.namespace } else { "" };
            } else if held {
                self.render(declaration.prefix, declaration.namespace);
            } else if self.last(declaration.prefix).is_some() {
                self.add_rendered(declaration.prefix, None);
            }
        }
        // An element that is not in the set takes no default namespace back: Canonical XML §2.3.
        if asked("") && (written || !default.is_empty()) {
            self.render("", default);
        }
    }

    /// Gathers a namespace that the element's own name or an attribute's uses (Exclusive XML Canonicalization §3).
    fn utilized(&mut self, element: Element<'t, 's>, prefix: &'t str) {
        if prefix == "xml" || self.namespaces.iter().any(|(known, _)| *known == prefix) {
            return;
        }
        let (found, looked_at) = self.tree.declaration_of(prefix, element.data.scope);
        self.spend(looked_at / FREE * ATTRIBUTE);
        let held = found.filter(|d| self.set.is_whole() || self.set.contains_namespace(element.id(), d.number));
        match held {
            Some(declaration) => self.render(prefix, declaration.namespace),
            None if prefix.is_empty() => self.render("", ""),
            // Exclusive §3: who uses a prefix without its namespace in the set hides what was rendered before.
            None if self.last(prefix).is_some() => self.add_rendered(prefix, None),
            None => {}
        }
    }

    /// Renders a namespace unless the nearest written ancestor already has it.
    fn render(&mut self, prefix: &'t str, namespace: &'t str) {
        let last = self.last(prefix);
        let known = match last {
            None => prefix.is_empty() && namespace.is_empty(),
            Some(last) => is_same(last, namespace),
        };
        if !known {
            self.namespaces.push((prefix, namespace));
        }
    }

    fn last(&self, prefix: &str) -> Option<&'t str> {
        self.latest.get(prefix).and_then(|place| self.rendered.get(*place)?.namespace)
    }

    pub(super) fn add_rendered(&mut self, prefix: &'t str, namespace: Option<&'t str>) {
        self.spend(RENDERED);
        let before = self.latest.insert(prefix, self.rendered.len());
        self.rendered.push(Rendered { prefix, namespace, before });
    }

    /// Forgets what was rendered since there were so many.
    pub(super) fn unrender(&mut self, length: usize) {
        for Rendered { prefix, before, .. } in self.rendered.drain(length..).rev() {
            match before {
                Some(place) => self.latest.insert(prefix, place),
                None => self.latest.remove(prefix),
            };
        }
    }
}

/// Returns whether two texts are the same. The bytes of empty ones are not compared: their address may be that of no
/// memory, and looking there was measured to be slow.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}
