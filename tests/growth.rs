//! The work of reading and judging grows with the number of tokens, not with its square.
//!
//! Counted, not timed: the memory that is asked for, and, where valgrind is there, the instructions.

mod documents_of_many;

use allocation_counter::measure;
use documents_of_many::DOCUMENTS;
use lacre::{Document, Facts};
use lacre_core::{policy::Policy, validation::validate};
use lacre_testkit::{lab::Lab, many};
use std::process::Command;

/// One set of facts for a number of tokens.
type Make = fn(usize) -> Facts;

const KINDS: [(&str, Make); 2] = [("time-stamps", many::timestamps), ("certificates", many::certificates)];

/// Tells the second process which facts it judges: `kind<TAB>tokens`.
const TASK: &str = "LACRE_TEST_GROWTH";

#[inline(never)]
fn judge_many(facts: &Facts, policy: &Policy) {
    std::hint::black_box(validate(facts, policy, many::now()));
}

#[test]
fn four_times_the_tokens_take_no_sixteen_times_the_memory() {
    let policy = Policy::eidas();
    for (kind, make) in KINDS {
        let [few, many] = [500, 2_000].map(|tokens| {
            let facts = make(tokens);
            measure(|| judge_many(&facts, &policy)).bytes_total
        });
        assert!(many < few * 6, "500 {kind}: {few} bytes, 2,000: {many}");
    }
}

/// Reads, judges and reports a document.
fn report(lab: &Lab, bytes: &[u8]) {
    let validator = lab.validator().without_cache();
    let report = validator.validate(&Document::new(bytes).named("many".to_owned()), many::now());
    std::hint::black_box(report.map(|report| report.to_json())).ok();
}

#[test]
fn four_times_of_one_thing_take_no_sixteen_times_the_memory() {
    let lab = Lab::new();
    for (kind, make) in DOCUMENTS {
        let [few, many] = [100, 400].map(|count| {
            let bytes = make(&lab, count);
            measure(|| report(&lab, &bytes)).bytes_total
        });
        assert!(many < few * 6, "100 {kind}: {few} bytes, 400: {many}");
    }
}

/// What each of many covers or holds are all of them: that is bounded.
#[test]
fn relations_are_bounded() {
    let lab = Lab::new();
    let refused = |bytes: &[u8]| {
        let validator = lab.validator().without_cache();
        let error = validator.validate(&Document::new(bytes), many::now()).expect_err("it is more than may be");
        let causes = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
        causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    };
    for (bytes, expected) in [
        (documents_of_many::signers_with_certificates(&lab, 1_001), "bound relations of the budget, which is 1000000"),
        (documents_of_many::xml_timestamps(&lab, 1_500), "bound relations of the budget, which is 1000000"),
        (documents_of_many::chains(&lab, 65), "evidence record with more than 64 chains"),
        (documents_of_many::record(&lab, 513), "evidence record with more than 512 archive time-stamps"),
    ] {
        let found = refused(&bytes);
        assert!(found.contains(expected), "{found}");
    }
    let chains = documents_of_many::chains(&lab, 64);
    let judged = lab.validator().validate(&Document::new(&chains), many::now());
    assert_eq!(judged.expect("it is as much as may be").facts().timestamps.len(), 64);
}

#[test]
#[ignore = "needs valgrind"]
fn four_times_the_tokens_take_no_sixteen_times_the_instructions() {
    if let Ok(task) = std::env::var(TASK) {
        let (kind, tokens) = task.split_once('\t').expect("a kind and a number");
        let (_, make) = KINDS.iter().find(|(name, _)| *name == kind).expect("a kind");
        return judge_many(&make(tokens.parse().expect("a number")), &Policy::eidas());
    }
    for (kind, _) in KINDS {
        let [few, many] = [100, 400].map(|tokens| instructions(&format!("{kind}\t{tokens}")));
        assert!(many < few * 6, "100 {kind}: {few} instructions, 400: {many}");
    }
}

/// The instructions inside `judge_many`, in a process that does the task.
fn instructions(task: &str) -> u64 {
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*judge_many*"])
        .arg(std::env::current_exe().expect("a test knows its program"))
        .args(["--exact", "four_times_the_tokens_take_no_sixteen_times_the_instructions", "--ignored"])
        .env(TASK, task)
        .output()
        .expect("valgrind is installed (Debian package valgrind)");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let (_, count) = said.lines().find_map(|line| line.split_once("Collected :")).expect("callgrind prints it");
    let count = count.trim().parse().expect("a number");
    assert!(count > 100_000, "callgrind did not see judge_many: {said}");
    count
}
