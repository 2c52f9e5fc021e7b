//! The byte ranges of signatures and document time-stamps: ISO 32000-1 §12.8.1.

use crate::facts::{Facts, Id};
use std::collections::HashMap;

/// The byte ranges of every revision that is signed or time-stamped.
#[derive(Debug)]
pub(in crate::validation) struct ByteRanges<'a> {
    /// Whether each of them is valid.
    pub all_valid: bool,
    of: HashMap<&'a Id, Vec<Range>>,
    holes: Vec<i64>,
    starts: Vec<i64>,
    ends: Vec<i64>,
}

/// Where the hole of a byte range begins, and from there to the end of the range, in ascending order.
#[derive(Debug, Clone, Copy)]
struct Range {
    hole: i64,
    start: i64,
    end: i64,
}

impl<'a> ByteRanges<'a> {
    /// Indexes the byte ranges of these facts.
    pub fn new(facts: &'a Facts) -> Self {
        let signatures = facts.signatures.iter().map(|s| (&s.id, &s.pdf_revision));
        let timestamps = facts.timestamps.iter().map(|t| (&t.id, &t.pdf_revision));
        let mut ranges = Self { all_valid: true, of: HashMap::new(), holes: vec![], starts: vec![], ends: vec![] };
        for (id, revision) in signatures.chain(timestamps).filter_map(|(id, revision)| Some((id, revision.as_ref()?))) {
            ranges.all_valid &= revision.byte_range_valid == Some(true);
            if let Some(range) = range(&revision.byte_range) {
                ranges.of.entry(id).or_default().push(range);
                ranges.holes.push(range.hole);
                ranges.starts.push(range.start);
                ranges.ends.push(range.end);
            }
        }
        for bounds in [&mut ranges.holes, &mut ranges.starts, &mut ranges.ends] {
            crate::order::sort(bounds);
        }
        ranges
    }

    /// Returns whether another token's hole lies behind this one's and before its range's end, or the other way round.
    pub fn collides(&self, token: &Id, byte_range: &[i64]) -> bool {
        let Some(own) = range(byte_range) else { return false };
        let below = |bounds: &[i64], limit: i64| bounds.partition_point(|bound| *bound < limit);
        let up_to = |bounds: &[i64], limit: i64| bounds.partition_point(|bound| *bound <= limit);
        let holes = below(&self.holes, own.end) - below(&self.holes, own.start);
        let around = up_to(&self.starts, own.hole) - up_to(&self.ends, own.hole);
        let of_itself: usize = (self.of.get(token).into_iter().flatten())
            .map(|range| usize::from(contains(own, range.hole)) + usize::from(contains(*range, own.hole)))
            .sum();
        holes + around > of_itself
    }
}

fn contains(range: Range, hole: i64) -> bool {
    range.start <= hole && hole < range.end
}

fn range(byte_range: &[i64]) -> Option<Range> {
    let &[first, first_length, second, second_length] = byte_range else { return None };
    let hole = first.checked_add(first_length)?;
    let end = second.checked_add(second_length)?;
    Some(Range { hole, start: hole.min(end), end: hole.max(end) })
}
