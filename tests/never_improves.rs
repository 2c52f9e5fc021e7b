//! Over stored facts: a verdict never improves when a fact about the signature gets worse.

use lacre::{Facts, Id, Time, report::Indication};
use lacre_core::{facts::CertificateStatus, policy::Policy, validation::validate};
use lacre_testkit::files::{corpus, example_facts, files};
use std::path::PathBuf;

/// Makes one fact about the signature with that index worse; false where there is no such fact.
type Worsening = (&'static str, fn(&mut Facts, usize) -> bool);

const WORSENINGS: &[Worsening] = &[
    ("a revoked certificate", |facts, n| {
        with_certificate(facts, n, |certificate| {
            let any = !certificate.revocations.is_empty();
            for said in &mut certificate.revocations {
                said.status = CertificateStatus::Revoked;
                said.revocation_date = Some(certificate.not_before);
                said.reason = None;
            }
            any
        })
    }),
    ("a broken digest", |facts, n| {
        let matchers = &mut facts.signatures[n].digest_matchers;
        matchers.iter_mut().for_each(|matcher| matcher.data_intact = false);
        !matchers.is_empty()
    }),
    ("missing data", |facts, n| {
        let matchers = &mut facts.signatures[n].digest_matchers;
        matchers.iter_mut().for_each(|matcher| {
            matcher.data_found = false;
            matcher.data_intact = false;
        });
        !matchers.is_empty()
    }),
    ("a value that does not verify", |facts, n| {
        facts.signatures[n].basic.intact = false;
        facts.signatures[n].basic.valid = false;
        true
    }),
    ("a weaker key", |facts, n| {
        facts.signatures[n].basic.key_length = facts.signatures[n].basic.key_length.map(|bits| bits.min(100));
        facts.signatures[n].basic.key_length.is_some()
    }),
    ("an earlier expiry", |facts, n| {
        with_certificate(facts, n, |certificate| {
            certificate.not_after = certificate.not_before.plus_millis(1);
            true
        })
    }),
    ("a later start", |facts, n| {
        with_certificate(facts, n, |certificate| {
            certificate.not_before = certificate.not_after.plus_millis(-1);
            true
        })
    }),
    ("an unknown status", |facts, n| {
        with_certificate(facts, n, |certificate| {
            let any = !certificate.revocations.is_empty();
            certificate.revocations.iter_mut().for_each(|said| said.status = CertificateStatus::Unknown);
            any
        })
    }),
    ("no signing certificate", |facts, n| {
        facts.signatures[n].signing_certificate = None;
        facts.signatures[n].chain.clear();
        true
    }),
];

fn with_certificate(facts: &mut Facts, n: usize, change: impl Fn(&mut lacre_core::facts::Certificate) -> bool) -> bool {
    let Some(id) = facts.signatures[n].signing_certificate.clone() else { return false };
    facts.certificates.iter_mut().find(|certificate| certificate.id == id).is_some_and(change)
}

/// What EU DSS collected of every fifth file of the corpus.
fn stored() -> Vec<(String, Facts)> {
    let read = |path: PathBuf| (path.display().to_string(), Facts::from_bytes(&std::fs::read(&path).unwrap()).unwrap());
    files(&corpus().join("dss-facts/near"), ".xml").into_iter().step_by(5).map(read).collect()
}

fn passed(facts: &Facts, policy: &Policy, time: Time, id: &Id) -> Vec<(&'static str, bool)> {
    let verdicts = validate(facts, policy, time);
    let verdict = verdicts.signature(id).expect("a signature of the facts");
    vec![
        ("basic", verdict.basic.block.is_passed()),
        ("long-term", verdict.long_term.block.is_passed()),
        ("whole", verdict.indication == Indication::TotalPassed),
    ]
}

#[test]
fn no_verdict_on_an_example_improves_when_a_fact_gets_worse() {
    never_improves(&example_facts());
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn no_verdict_on_the_corpus_improves_when_a_fact_gets_worse() {
    never_improves(&stored());
}

fn never_improves(files: &[(String, Facts)]) {
    let policy = Policy::eidas();
    let mut compared = 0;
    for (name, facts) in files {
        let Some(time) = facts.validation_time else { continue };
        for n in 0..facts.signatures.len().min(3) {
            let id = facts.signatures[n].id.clone();
            let before = passed(facts, &policy, time, &id);
            for (what, worsen) in WORSENINGS {
                let mut worse = Facts::clone(facts);
                if !worsen(&mut worse, n) {
                    continue;
                }
                for ((process, before), (_, after)) in before.iter().zip(passed(&worse, &policy, time, &id)) {
                    assert!(*before || !after, "{what}: {process} of {id} in {name} improves");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 0, "nothing was compared");
}

#[test]
fn no_broken_signature_of_the_examples_passes() {
    never_passes(&example_facts());
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn no_broken_signature_of_the_corpus_passes() {
    never_passes(&stored());
}

/// What must keep a signature from passing at all, whatever it was.
fn never_passes(files: &[(String, Facts)]) {
    let policy = Policy::eidas();
    let deadly = ["a broken digest", "missing data", "a value that does not verify", "no signing certificate"];
    for (name, facts) in files {
        let Some(time) = facts.validation_time else { continue };
        for n in 0..facts.signatures.len().min(3) {
            for (what, worsen) in WORSENINGS.iter().filter(|(what, _)| deadly.contains(what)) {
                let mut worse = Facts::clone(facts);
                if worsen(&mut worse, n) {
                    let result = passed(&worse, &policy, time, &facts.signatures[n].id);
                    assert!(result.iter().all(|(_, passed)| !passed), "{what} in {name}: {result:?}");
                }
            }
        }
    }
}
