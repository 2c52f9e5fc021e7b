//! What people get on a terminal: colour, lines that fit, completions, manual pages.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents")
}

const JUDGED: [&str; 6] = ["validate", "revoked.pdf", "--trust-anchor", "root.der", "--at", "2027-01-01T00:00:00Z"];

fn lacre(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = common::lacre();
    command.args(arguments).envs(variables.iter().copied()).current_dir(examples());
    command.output().expect("the command was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A text without the sequences that set colours; nothing else may begin with an escape.
fn without_colour(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        let (codes, rest) = part.strip_prefix('[').and_then(|part| part.split_once('m')).expect("a colour");
        assert!(codes.chars().all(|c| c.is_ascii_digit() || c == ';'), "{part:?}");
        all + rest
    })
}

#[test]
fn a_pipe_has_colour_only_where_it_is_forced() {
    let plain = text(&lacre(&JUDGED, &[]).stdout);
    assert!(!plain.contains('\u{1b}'));
    for variables in [
        &[("COLUMNS", "40")][..],
        &[("CLICOLOR", "1")],
        &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")],
        &[("TERM", "xterm-256color")],
    ] {
        assert_eq!(text(&lacre(&JUDGED, variables).stdout), plain, "{variables:?}");
    }
    let forced = lacre(&JUDGED, &[("CLICOLOR_FORCE", "1")]);
    let coloured = text(&forced.stdout);
    assert!(coloured.starts_with('\u{1b}'), "{coloured}");
    assert_eq!(without_colour(&coloured), plain);
    let refused = lacre(&["validate", "missing.pdf"], &[("CLICOLOR_FORCE", "1")]);
    let told = text(&refused.stderr);
    assert!(told.contains('\u{1b}'), "{told}");
    assert!(without_colour(&told).starts_with("lacre: error: missing.pdf: "), "{told}");
    let json = lacre(&[&JUDGED[..], &["--format", "json"]].concat(), &[("CLICOLOR_FORCE", "1")]);
    assert!(!text(&json.stdout).contains('\u{1b}'), "what programs read has no colour");
}

/// What the command shows on a terminal.
#[cfg(target_os = "linux")]
fn on_a_terminal(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let command = common::lacre();
    let mut shell = Command::new("script");
    let line: Vec<&str> = std::iter::once(env!("CARGO_BIN_EXE_lacre")).chain(arguments.iter().copied()).collect();
    shell.args(["--quiet", "--return", "--command", &line.join(" "), "/dev/null"]);
    for (variable, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(variable, value),
            None => shell.env_remove(variable),
        };
    }
    shell.env("TERM", "xterm").envs(variables.iter().copied()).current_dir(examples());
    let done =
        shell.stdin(std::process::Stdio::null()).output().expect("script is installed (Debian package bsdutils)");
    text(&done.stdout).replace("\r\n", "\n")
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs script (Debian package bsdutils)"]
fn a_terminal_has_colour_and_lines_that_fit() {
    let plain = text(&lacre(&JUDGED, &[]).stdout);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for columns in [40, 60, 100, 1000] {
        let shown = on_a_terminal(&JUDGED, &[("COLUMNS", &columns.to_string())]);
        assert!(shown.contains("\u{1b}["), "{shown}");
        let shown = without_colour(&shown);
        assert_eq!(words(&shown), words(&plain), "{columns} columns: nothing is lost");
        for line in shown.lines().filter(|line| line.chars().count() > columns) {
            let longest = line.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
            assert!(longest + columns / 2 > columns, "{columns} columns: {line:?} has a blank to be broken at");
        }
    }
    assert_eq!(on_a_terminal(&JUDGED, &[("COLUMNS", "1000"), ("NO_COLOR", "1")]), plain);
}

#[test]
fn shells_are_told_what_there_is_to_complete() {
    for (shell, mark) in [
        ("bash", "complete -F _lacre"),
        ("zsh", "#compdef lacre"),
        ("fish", "complete -c lacre"),
        ("elvish", "edit:completion:arg-completer[lacre]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let done = lacre(&["completions", shell], &[]);
        assert_eq!(done.status.code(), Some(0), "{shell}");
        let script = text(&done.stdout);
        assert!(script.contains(mark), "{shell}");
        for word in ["validate", "trust-anchor", "output-dir", "no-trusted-lists"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(lacre(&["completions", "cmd"], &[]).status.code(), Some(2));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let man = folder.path().join("share/man1");
    let done = lacre(&["man", man.to_str().expect("a name")], &[("LACRE_CACHE", "/home/packager")]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let page = |name: &str| std::fs::read_to_string(man.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let help = text(&lacre(&["--help"], &[]).stdout);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let commands: Vec<&str> = commands.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        assert!(page(&format!("lacre-{command}.1")).contains(".SH OPTIONS"), "{command}");
    }
    assert!(page("lacre.1").contains("TOTAL\\-PASSED"), "the exit statuses are there");
    let validate = page("lacre-validate.1");
    assert!(validate.contains("trusted\\-lists") && validate.contains("output\\-dir"), "{validate}");
    assert!(!validate.contains("/home/packager"), "whose machine wrote it does not matter");
}
