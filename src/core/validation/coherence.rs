//! Coherence of a signature's time-stamps: EN 319 102-1 §5.5.4 5).
//!
//! Answers whether the times of the time-stamps agree with the order in which time-stamps of their kinds are made:
//! content first, then the signature, then validation data, then archives; and, within one kind, whether the
//! earlier ones leave the later ones uncovered.

use super::poe::order_class;
use crate::facts::{Id, Timestamp};
use std::collections::HashMap;

/// Returns whether all pairs of time-stamps are in order, where clocks may differ by so many milliseconds. Takes one look at each
/// time-stamp and covered object.
pub(super) fn is_coherent(timestamps: &[&Timestamp], clocks: i64) -> bool {
    let is_before =
        |one: &Timestamp, other: &Timestamp| one.production_time.plus_millis(clocks) < other.production_time;
    // Kinds: none made earlier stands later in the life of the signature.
    let in_order = (0..3).all(|class| {
        let later = timestamps.iter().filter(|one| order_class(one.kind) > class).min_by_key(|one| one.production_time);
        let last = timestamps.iter().filter(|one| order_class(one.kind) <= class).max_by_key(|one| one.production_time);
        later.zip(last).is_none_or(|(later, last)| !is_before(later, last))
    });
    // Within one kind: no earlier one covers a later one.
    let known: HashMap<&Id, &Timestamp> = timestamps.iter().map(|timestamp| (&timestamp.id, *timestamp)).collect();
    in_order
        && timestamps.iter().all(|one| {
            let mut covered = one.covered.iter().filter_map(|object| known.get(&object.id));
            covered.all(|other| order_class(one.kind) != order_class(other.kind) || !is_before(one, other))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{Covered, CoveredKind, TimestampType};
    use crate::time::Time;

    /// Returns a time-stamp of that hour.
    fn timestamp(id: &str, kind: TimestampType, hour: i64, covers: &[&str]) -> Timestamp {
        let covered = covers.iter().map(|id| Covered { kind: CoveredKind::Timestamp, id: Id::new(*id) }).collect();
        Timestamp { covered, ..Timestamp::new(Id::new(id), kind, Time::from_seconds(hour * 3_600)) }
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
            let timestamps: Vec<_> = timestamps.iter().collect();
            assert_eq!(is_coherent(&timestamps, 0), *coherent, "{clause} {situation}");
            assert!(is_coherent(&timestamps, 3_600_000), "RFC 3161 §2.4.2 {situation}");
        }
    }
}
