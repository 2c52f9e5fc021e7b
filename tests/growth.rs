//! The work of judging grows with the number of tokens, not with its square.
//!
//! Counted, not timed: the memory that is asked for, and, where valgrind is there, the instructions.

use allocation_counter::measure;
use lacre::Facts;
use lacre_core::{policy::Policy, validation::validate};
use lacre_testkit::many;
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
