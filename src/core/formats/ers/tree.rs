//! The reduced hash tree: RFC 4998 §4.2, §4.3; RFC 6283 §3.2.

use crate::algorithm::DigestAlgorithm;
use crate::formats::digest_work::DigestWork;

/// Returns the root that the groups of a reduced hash tree lead to.
///
/// The digest of a group is that of its hashes in binary ascending order, a single hash standing for itself; it joins
/// the next group.
pub(super) fn root(algorithm: DigestAlgorithm, groups: &[Vec<Vec<u8>>], work: &DigestWork) -> Option<Vec<u8>> {
    let mut carried: Option<Vec<u8>> = None;
    for group in groups {
        let mut hashes = group.clone();
        hashes.extend(carried.take());
        carried = Some(match &mut hashes[..] {
            [] => return None,
            [only] => only.clone(),
            several => {
                crate::order::sort(several);
                work.digest(algorithm, &several.concat())?
            }
        });
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crypto::digest;

    #[test]
    fn roots() {
        let sha = |bytes: &[u8]| digest(DigestAlgorithm::Sha256, bytes).unwrap();
        let (a, b, c) = (sha(b"a"), sha(b"b"), sha(b"c"));
        let pair = |x: &[u8], y: &[u8]| {
            let mut both = [x.to_vec(), y.to_vec()];
            both.sort();
            sha(&both.concat())
        };
        let ab = pair(&a, &b);
        for (clause, situation, groups, expected) in [
            ("4.3", "one hash stands for itself", vec![vec![a.clone()]], Some(a.clone())),
            ("4.2", "a group in binary order", vec![vec![b.clone(), a.clone()]], Some(ab.clone())),
            (
                "4.3",
                "carried into the next group",
                vec![vec![a.clone(), b.clone()], vec![c.clone()]],
                Some(pair(&ab, &c)),
            ),
            ("4.3", "the same hash again", vec![vec![a.clone()], vec![a.clone()]], Some(pair(&a, &a))),
            ("4.3", "no tree", vec![], None),
            ("4.3", "an empty group", vec![vec![]], None),
        ] {
            assert_eq!(
                root(DigestAlgorithm::Sha256, &groups, &DigestWork::default()),
                expected,
                "RFC 4998 {clause} {situation}"
            );
        }
    }
}
