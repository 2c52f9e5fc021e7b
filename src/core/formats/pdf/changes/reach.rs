//! What can be reached from an object, and in which revisions all of it is what it is in the latest one.
//!
//! A comparison enters an object only where something changed that can be reached from it. That is found once for all
//! comparisons of a file.

use super::graph::{Graph, Node, Slot};
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// The objects that can be reached from an object of the latest revision, itself included, taken together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// The least number of newer sections without which one of them is another object.
    changed_from: usize,
    /// The byte where the last of them ends.
    end: usize,
}

impl Reach {
    /// That of an object which cannot be read: taken to be another one in every revision.
    const UNREADABLE: Self = Self { changed_from: 0, end: usize::MAX };

    fn with(self, other: Self) -> Self {
        Self { changed_from: self.changed_from.min(other.changed_from), end: self.end.max(other.end) }
    }
}

/// How much is known of what can be reached from an object.
#[derive(Debug, Clone, Copy)]
pub(super) enum ReachState {
    /// Nothing yet.
    Unknown,
    /// It is on the search path.
    Searching {
        /// Its rank in the order of the search.
        rank: usize,
        /// The lowest rank that can be reached from it, as far as it was searched: Tarjan's "low link".
        lowest: usize,
    },
    /// Everything.
    Known(Reach),
}

/// An object on the search path.
struct Visit {
    slot: Slot,
    node: Option<Rc<Node>>,
    /// The next of its references.
    next: usize,
    /// What was reached through the references before.
    reach: Reach,
}

impl Graph {
    /// Returns whether an object and everything that can be reached from it is the same in both compared revisions.
    pub(super) fn is_unchanged_throughout(
        &mut self,
        slot: Slot,
        signed: &Revision<'_, '_>,
        last: &Revision<'_, '_>,
    ) -> bool {
        let Some(newer_sections) = self.newer_sections() else { return false };
        let reach = match self.reach(slot) {
            ReachState::Known(reach) => *reach,
            _ => self.find_reach(slot, last),
        };
        newer_sections < reach.changed_from && reach.end < signed.end()
    }

    /// Finds what can be reached from an object, and from each object that is reached: Tarjan's algorithm for strongly
    /// connected components, without recursion. Objects that reach each other reach the same.
    fn find_reach(&mut self, from: Slot, last: &Revision<'_, '_>) -> Reach {
        // The objects whose component is not complete, by rank.
        let mut incomplete: Vec<Slot> = Vec::new();
        let mut search_path: Vec<Visit> = Vec::new();
        let mut next = Some(from);
        let mut found = Reach::UNREADABLE;
        loop {
            if let Some(slot) = next.take() {
                search_path.push(self.visit(slot, last));
                *self.reach(slot) = ReachState::Searching { rank: incomplete.len(), lowest: incomplete.len() };
                incomplete.push(slot);
            }
            let Some(visit) = search_path.last_mut() else { return found };
            let slot = visit.slot;
            if let Some(to) = visit.node.as_ref().and_then(|node| node.edges.get(visit.next)).map(|edge| edge.to) {
                visit.next += 1;
                match *self.reach(to) {
                    ReachState::Known(more) => visit.reach = visit.reach.with(more),
                    ReachState::Searching { rank, .. } => self.lower(slot, rank),
                    ReachState::Unknown => next = Some(to),
                }
                continue;
            }
            found = visit.reach;
            search_path.pop();
            if let ReachState::Searching { rank, lowest } = *self.reach(slot) {
                if rank == lowest {
                    for inner in incomplete.drain(rank..) {
                        *self.reach(inner) = ReachState::Known(found);
                    }
                } else if let Some(around) = search_path.last() {
                    self.lower(around.slot, lowest);
                }
            }
            if let Some(around) = search_path.last_mut() {
                around.reach = around.reach.with(found);
            }
        }
    }

    fn visit(&mut self, slot: Slot, last: &Revision<'_, '_>) -> Visit {
        let node = self.node(slot, last);
        let own = |node: &Rc<Node>| Reach { changed_from: self.changed_from(slot), end: node.end };
        let reach = node.as_ref().map_or(Reach::UNREADABLE, own);
        Visit { slot, node, next: 0, reach }
    }

    /// Records that an object on the search path reaches one of this rank.
    fn lower(&mut self, slot: Slot, rank: usize) {
        if let ReachState::Searching { lowest, .. } = self.reach(slot) {
            *lowest = rank.min(*lowest);
        }
    }
}
