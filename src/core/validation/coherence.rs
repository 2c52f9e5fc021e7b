//! Coherence of a signature's time-stamps: EN 319 102-1 §5.5.4 5).
//!
//! Answers whether the times of the time-stamps agree with the order in which time-stamps of their kinds are made:
//! content first, then the signature, then validation data, then archives; and, within one kind, whether the
//! earlier ones leave the later ones uncovered.

use super::poe::order_class;
use crate::facts::{Id, Timestamp};
use std::collections::HashMap;

/// Returns whether all pairs of time-stamps are in order. Takes n log n comparisons and one look at each covered
/// object.
pub(super) fn is_coherent(timestamps: &[&Timestamp]) -> bool {
    let mut by_time = timestamps.to_vec();
    crate::order::sort_by_key(&mut by_time, |timestamp| timestamp.production_time);

    // Kinds: none made strictly earlier stands later in the life of the signature.
    let mut highest_before = 0;
    for moment in by_time.chunk_by(|a, b| a.production_time == b.production_time) {
        let classes = || moment.iter().map(|timestamp| order_class(timestamp.kind));
        if classes().min().is_some_and(|lowest| lowest < highest_before) {
            return false;
        }
        highest_before = classes().fold(highest_before, u8::max);
    }

    // Within one kind: no strictly earlier one covers a later one.
    let known: HashMap<&Id, &Timestamp> = timestamps.iter().map(|timestamp| (&timestamp.id, *timestamp)).collect();
    timestamps.iter().all(|earlier| {
        earlier.covered.iter().filter_map(|object| known.get(&object.id)).all(|later| {
            earlier.production_time >= later.production_time || order_class(earlier.kind) != order_class(later.kind)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Covered, CoveredKind, TimestampType};
    use crate::time::Time;

    fn timestamp(id: &str, kind: TimestampType, seconds: i64, covers: &[&str]) -> Timestamp {
        let covered = covers.iter().map(|id| Covered { kind: CoveredKind::Timestamp, id: Id::new(*id) }).collect();
        Timestamp { covered, ..Timestamp::new(Id::new(id), kind, Time::from_seconds(seconds)) }
    }

    #[test]
    fn order_of_timestamps() {
        use TimestampType::*;
        let rows: &[(&str, &str, &[Timestamp], bool)] = &[
            ("5.5.4 5)", "no time-stamp", &[], true),
            (
                "5.5.4 5)",
                "content before signature before archive",
                &[
                    timestamp("a", Archive, 3, &["s"]),
                    timestamp("s", Signature, 2, &[]),
                    timestamp("c", Content, 1, &[]),
                ],
                true,
            ),
            (
                "5.5.4 5)",
                "an archive time-stamp earlier than the signature's",
                &[timestamp("a", Archive, 1, &["s"]), timestamp("s", Signature, 2, &[])],
                false,
            ),
            (
                "5.5.4 5)",
                "both at the same time",
                &[timestamp("a", Archive, 1, &["s"]), timestamp("s", Signature, 1, &[])],
                true,
            ),
            (
                "5.5.4 5)",
                "a signature time-stamp earlier than the content's",
                &[timestamp("s", Signature, 1, &["c"]), timestamp("c", Content, 2, &[])],
                false,
            ),
            (
                "5.5.4 5)",
                "the later of two archive time-stamps covers the earlier",
                &[timestamp("a", Archive, 1, &[]), timestamp("b", Archive, 2, &["a"])],
                true,
            ),
            (
                "5.5.4 5)",
                "the earlier of two archive time-stamps covers the later",
                &[timestamp("a", Archive, 1, &["b"]), timestamp("b", Archive, 2, &[])],
                false,
            ),
        ];
        for (clause, situation, timestamps, coherent) in rows {
            assert_eq!(is_coherent(&timestamps.iter().collect::<Vec<_>>()), *coherent, "{clause} {situation}");
        }
    }
}
