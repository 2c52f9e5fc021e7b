//! The way through revocation data, its issuers, and their revocation data: EN 319 102-1 §5.2.6.4.

use super::blocks::RevocationSelection;
use super::selection_cache::Visited;
use crate::facts::Id;
use crate::time::Time;
use std::collections::HashMap;
use std::sync::Arc;

/// A walk from a certificate to its revocation data, to the issuer of that, to the issuer's revocation data, and so on.
///
/// The revocation data of each certificate is looked at once on a walk: what was selected then counts for whatever rests
/// on that certificate, and responders that vouch for each other come to an end. A part of the walk that met no
/// certificate visited before it began has the same result on every walk.
pub(super) struct Walk {
    /// The time at which status is asked for.
    pub time: Time,
    /// How many certificates' data is being looked at, each for the one before.
    pub depth: usize,
    visited: HashMap<Id, usize>,
    order: Vec<Visited>,
    /// The certificates whose data is being looked at, each for the one before.
    open: Vec<Id>,
    /// The earliest visit that something was left out for, since the part began.
    met: usize,
}

/// Where a part of a walk began, and what was met before it.
pub(super) struct Part {
    start: usize,
    met: usize,
}

impl Walk {
    /// Begins a walk at that time.
    pub fn new(time: Time) -> Self {
        Self { time, depth: 0, visited: HashMap::new(), order: vec![], open: vec![], met: usize::MAX }
    }

    /// Visits a certificate; `false` when it was visited before.
    pub fn visit(&mut self, certificate: &Id) -> bool {
        if let Some(&before) = self.visited.get(certificate) {
            self.met = self.met.min(before);
            return false;
        }
        self.visited.insert(certificate.clone(), self.order.len());
        self.order.push((certificate.clone(), None));
        true
    }

    /// Returns the place of that certificate, where it was visited; what follows rests on that.
    fn place(&mut self, certificate: &Id) -> Option<usize> {
        let before = self.visited.get(certificate).copied();
        self.met = self.met.min(before.unwrap_or(usize::MAX));
        before
    }

    /// Returns whether that certificate was visited; if so, something is left out for it.
    pub fn has_visited(&mut self, certificate: &Id) -> bool {
        self.place(certificate).is_some()
    }

    /// Returns what was selected for a certificate that was visited.
    pub fn selected(&mut self, certificate: &Id) -> Option<Arc<RevocationSelection>> {
        self.place(certificate).and_then(|place| self.order[place].1.clone())
    }

    /// Returns whether the walk came here from one of them, so that they vouch for each other in a circle.
    pub fn came_from(&mut self, certificates: &[Id]) -> bool {
        let open = certificates.iter().find(|id| self.open.contains(id)).cloned();
        open.is_some_and(|id| self.has_visited(&id))
    }

    /// Visits all of them, if none was visited before.
    pub fn visit_all(&mut self, visited: &[Visited]) -> bool {
        let new = !visited.iter().any(|(certificate, _)| self.visited.contains_key(certificate));
        if new {
            let places =
                (self.order.len()..).zip(visited).map(|(place, (certificate, _))| (certificate.clone(), place));
            self.visited.extend(places);
            self.order.extend_from_slice(visited);
        }
        new
    }

    /// Notes that something was left out because the budget is spent.
    pub fn gave_up(&mut self) {
        self.met = 0;
    }

    /// Begins the part of the walk about a certificate's data.
    pub fn begin(&mut self, certificate: &Id) -> Part {
        self.depth += 1;
        self.open.push(certificate.clone());
        Part { start: self.order.len(), met: std::mem::replace(&mut self.met, usize::MAX) }
    }

    /// Ends a part with what was selected: the certificates visited since, if it has the same result on every walk.
    pub fn end(&mut self, part: Part, selection: &Arc<RevocationSelection>) -> Option<Arc<[Visited]>> {
        self.depth -= 1;
        let place = self.open.pop().and_then(|certificate| self.visited.get(&certificate).copied());
        place.into_iter().for_each(|place| self.order[place].1 = Some(selection.clone()));
        let complete = self.met >= part.start;
        self.met = self.met.min(part.met);
        complete.then(|| self.order[part.start..].into())
    }
}
