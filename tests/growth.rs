//! The work of reading and judging grows with the number of things in a document, not with its square.
//!
//! Counted, not timed: the memory that is asked for, and, where valgrind is there, the instructions.

mod documents_of_many;

use allocation_counter::measure;
use documents_of_many::DOCUMENTS;
use lacre::{Document, Facts};
use lacre_core::{policy::Policy, validation::validate};
use lacre_testkit::{lab::Lab, many};
use std::process::Command;

/// Sets of facts for a number of tokens, which are judged.
const FACTS: [(&str, fn(usize) -> Facts); 2] =
    [("time-stamps", many::timestamps), ("certificates", many::certificates)];

/// Tells the second process what it does: `kind<TAB>count`.
const TASK: &str = "LACRE_TEST_GROWTH";

/// What is measured, once it is prepared.
type Work = Box<dyn FnOnce()>;

/// Judges facts of so many tokens, or reads, judges and reports a document of so many of one thing.
fn work(kind: &str, count: usize) -> Work {
    if let Some((_, make)) = FACTS.iter().find(|(name, _)| *name == kind) {
        let facts = make(count);
        return Box::new(move || {
            std::hint::black_box(validate(&facts, &Policy::eidas(), many::now()));
        });
    }
    let (_, make) = DOCUMENTS.iter().find(|(name, _)| *name == kind).expect("a kind");
    let lab = Lab::new();
    let bytes = make(&lab, count);
    let validator = lab.validator().without_cache();
    Box::new(move || {
        let report = validator.validate(&Document::new(&bytes).named("many".to_owned()), many::now());
        std::hint::black_box(report.map(|report| report.to_json())).ok();
    })
}

#[inline(never)]
fn measured(work: Work) {
    work();
}

#[test]
fn four_times_of_one_thing_take_no_sixteen_times_the_memory() {
    let facts = FACTS.iter().map(|(kind, _)| (*kind, [500, 2_000]));
    for (kind, counts) in facts.chain(DOCUMENTS.iter().map(|(kind, _)| (*kind, [100, 400]))) {
        let [few, many] = counts.map(|count| {
            let work = work(kind, count);
            measure(|| measured(work)).bytes_total
        });
        let [lower, upper] = counts;
        assert!(many < few * 6, "{lower} {kind}: {few} bytes, {upper}: {many}");
    }
}

/// What the chains of a record are over is digested once, however many there are.
#[test]
fn chains_of_a_record_do_not_each_read_the_message() {
    let lab = Lab::new();
    let bytes = documents_of_many::chains_over_a_large_message(&lab, 1 << 20);
    let validator = lab.validator().without_cache();
    let asked = measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_total;
    assert!(asked < 32 << 20, "64 chains over a megabyte: {asked} bytes are asked for");
}

/// What each of many covers, holds or is compared with are all of them: that is bounded.
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
        (documents_of_many::pdf_signatures(&lab, 501), "more than 500 signatures"),
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
fn four_times_of_one_thing_take_no_sixteen_times_the_instructions() {
    if let Ok(task) = std::env::var(TASK) {
        let (kind, count) = task.split_once('\t').expect("a kind and a number");
        return measured(work(kind, count.parse().expect("a number")));
    }
    for kind in FACTS.iter().map(|(kind, _)| kind).chain(DOCUMENTS.iter().map(|(kind, _)| kind)) {
        let [few, many] = [100, 400].map(|count| instructions(&format!("{kind}\t{count}")));
        assert!(many < few * 6, "100 {kind}: {few} instructions, 400: {many}");
    }
}

/// The instructions inside `measured`, in a process that does the task.
fn instructions(task: &str) -> u64 {
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=growth::measured*"])
        .arg(std::env::current_exe().expect("a test knows its program"))
        .args(["--exact", "four_times_of_one_thing_take_no_sixteen_times_the_instructions", "--ignored"])
        .env(TASK, task)
        .output()
        .expect("valgrind is installed (Debian package valgrind)");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let (_, count) = said.lines().find_map(|line| line.split_once("Collected :")).expect("callgrind prints it");
    let count = count.trim().parse().expect("a number");
    assert!(count > 100_000, "callgrind did not see what is measured: {said}");
    count
}
