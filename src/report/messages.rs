//! The sentence for each key that a finding can carry: one file a language, a key and a sentence a line.

/// What the key says in plain English; the key itself where there is no sentence for it.
///
/// Keys are stable and are EU DSS's, so that two validators can be compared check by check. The sentences
/// are ours.
pub fn sentence(key: &'static str) -> &'static str {
    lines().find(|(k, _)| *k == key).map_or(key, |(_, sentence)| sentence)
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    ENGLISH.lines().filter_map(|line| line.split_once('\t'))
}

const ENGLISH: &str = include_str!("messages/en.txt");

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_line_is_a_key_and_a_sentence() {
        let mut keys = BTreeSet::new();
        for line in ENGLISH.lines() {
            let (key, sentence) = line.split_once('\t').unwrap_or_else(|| panic!("no tab: {line}"));
            assert!(keys.insert(key), "twice: {key}");
            assert!(sentence.ends_with('.') && sentence.len() > 20, "{line}");
        }
    }
}
