//! Keys, algorithms and values of the tokens in the corpus, beside what EU DSS collected of the same files.

use lacre_testkit::files::{corpus, files};
use std::collections::BTreeMap;
use std::fmt::Write;

use lacre::{Document, Facts, Id, Policy, Validator};
use lacre_core::{
    algorithm::{DigestAlgorithm, KeyAlgorithm},
    facts::BasicSignature,
};

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn tokens_are_read_and_verified_as_dss_does() {
    let corpus = corpus();
    let files = files(&corpus.join("dss-facts/near"), "");
    let validator = Validator::new(Policy::eidas());
    let (mut compared, mut differ) = (0, BTreeMap::new());
    for path in files {
        let theirs = Facts::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
        let name = path.strip_prefix(corpus.join("dss-facts/near")).unwrap().with_extension("");
        let Ok(bytes) = std::fs::read(corpus.join(&name)) else { continue };
        let Some(time) = theirs.validation_time else { continue };
        let Ok(ours) = validator.facts(&Document::new(&bytes), time) else { continue };
        let (theirs, ours) = (tokens(&theirs), tokens(&ours));
        for (id, stated) in theirs {
            let Some(found) = ours.get(&id) else { continue };
            compared += 1;
            // Whose key a value was made with depends on the certificates at hand: compared where both know.
            let values_differ = matches!((&found.value, &stated.value), (Some(found), Some(stated)) if found != stated);
            if found.key != stated.key || values_differ {
                differ.entry(id).or_insert_with(|| format!("{}: ours {found:?}, theirs {stated:?}", name.display()));
            }
        }
    }
    let mut list = String::new();
    for (id, line) in &differ {
        writeln!(list, "{id} {line}").unwrap();
    }
    println!("{compared} tokens compared, {} differ\n{list}", differ.len());
    assert!(compared > 1_000, "the corpus is incomplete");
    assert!(differ.is_empty());
}

/// What is to be the same of a token.
#[derive(Debug)]
struct Token {
    key: Option<(KeyAlgorithm, Option<u32>)>,
    value: Option<(Option<KeyAlgorithm>, Option<DigestAlgorithm>, bool)>,
}

/// The tokens that are named by their digest.
fn tokens(facts: &Facts) -> BTreeMap<Id, Token> {
    let value = |basic: &BasicSignature| Some((basic.key_algorithm, basic.digest_algorithm, basic.intact));
    let certificates = facts.certificates.iter().map(|certificate| {
        let known = certificate.signing_certificate.is_some() || certificate.self_signed;
        let key = certificate.public_key_algorithm.map(|algorithm| {
            // NOTE: of Edwards curves DSS states the bytes of the encoded key, we the size of the field.
            let length = certificate.public_key_length.filter(|_| algorithm != KeyAlgorithm::EdDsa);
            (algorithm, length)
        });
        let value = if known { value(&certificate.basic) } else { None };
        (certificate.id.clone(), Token { key, value })
    });
    let timestamps = facts.timestamps.iter().map(|timestamp| (timestamp.id.clone(), value(&timestamp.basic)));
    let revocations = facts.revocations.iter().map(|revocation| (revocation.id.clone(), value(&revocation.basic)));
    let others = timestamps.chain(revocations).map(|(id, value)| (id, Token { key: None, value }));
    certificates.chain(others).collect()
}
