//! The sentence for each key that a finding can carry.

/// What the key says in plain English; the key itself where there is no sentence for it yet.
pub fn sentence(key: &'static str) -> &'static str {
    ENGLISH.binary_search_by_key(&key, |(k, _)| k).map_or(key, |at| ENGLISH[at].1)
}

/// Sorted by key.
const ENGLISH: &[(&str, &str)] = &[];
