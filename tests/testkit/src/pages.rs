//! Pages of the documentation: the commands that they show, with what is printed, and the links in them.
//!
//! A block of `sh` is run by a test unless its fence says why it cannot be; a block of `text` right behind it is what it
//! prints. There `…` stands for any text, and for any number of lines where it is a line by itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Words that may stand on a fence after `sh`, for commands that are not run: they ask servers of others; they install what is
/// still to be published, or build everything anew.
const REASONS: [&str; 2] = ["network", "install"];

/// A block of commands.
pub struct Commands {
    /// Its line in the page.
    pub line: usize,
    pub script: String,
    /// Whether a test runs it.
    pub is_run: bool,
    /// The exit status with which its last command ends.
    pub status: i32,
    /// What it prints, where the page says so.
    pub printed: Option<String>,
}

/// A fenced block: its line, the words behind the fence, its text.
struct Fenced<'a> {
    line: usize,
    information: &'a str,
    text: String,
    /// The line behind it.
    end: usize,
}

fn fenced(page: &str) -> Vec<Fenced<'_>> {
    let mut blocks: Vec<Fenced<'_>> = vec![];
    let mut is_open = false;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), blocks.last_mut()) {
            (Some(_), Some(last)) if is_open => {
                last.end = number + 2;
                is_open = false;
            }
            (Some(information), _) => {
                blocks.push(Fenced { line: number + 1, information, text: String::new(), end: 0 });
                is_open = true;
            }
            (None, Some(last)) if is_open => writeln!(last.text, "{line}").expect("text takes text"),
            _ => {}
        }
    }
    assert!(!is_open, "a fenced block does not end");
    blocks
}

/// The commands of a page.
///
/// # Panics
/// Where a fence has a word that is not known.
pub fn commands(page: &str) -> Vec<Commands> {
    let blocks = fenced(page);
    let mut found = vec![];
    for (index, block) in blocks.iter().enumerate() {
        let mut words = block.information.split(',');
        if words.next() != Some("sh") {
            continue;
        }
        let mut made =
            Commands { line: block.line, script: block.text.clone(), is_run: true, status: 0, printed: None };
        for word in words {
            match word.strip_prefix("status-").map(str::parse) {
                Some(Ok(status)) => made.status = status,
                _ if REASONS.contains(&word) => made.is_run = false,
                _ => panic!("line {}: {word} is no reason for which commands are not run", block.line),
            }
        }
        let next = blocks.get(index + 1).filter(|next| next.information == "text");
        let between = |next: &&Fenced<'_>| page.lines().take(next.line - 1).skip(block.end - 1).all(str::is_empty);
        made.printed = next.filter(between).map(|next| next.text.clone());
        found.push(made);
    }
    found
}

/// Runs the commands of a page that can be run, one block after the other in one folder, and compares what they print.
/// `set_up` says where programs are found and what their environment is.
///
/// # Panics
/// Where a command ends otherwise, or prints something else, than the page says; where none is run.
pub fn run(name: &str, page: &str, folder: &Path, set_up: impl Fn(&mut Command)) {
    let blocks = commands(page);
    assert!(blocks.iter().any(|block| block.is_run), "{name}: no command is run");
    for block in blocks.iter().filter(|block| block.is_run) {
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", &format!("exec 2>&1\n{}", block.script)]).current_dir(folder);
        set_up(&mut shell);
        let done = shell.output().expect("bash is installed");
        let printed = String::from_utf8_lossy(&done.stdout);
        let place = format!("{name}:{}\n{}", block.line, block.script);
        assert_eq!(done.status.code(), Some(block.status), "{place}\n{printed}");
        if let Some(expected) = &block.printed {
            let [shown, printed] =
                [expected, &*printed].map(|text| text.lines().map(str::trim_end).collect::<Vec<_>>());
            assert!(matches(&shown, &printed), "{place}\nshows\n{expected}\nand prints\n{}", printed.join("\n"));
        }
    }
}

/// Whether lines are those that a page shows.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|left| matches(rest, &printed[left..])),
        [line, rest @ ..] => match printed {
            [first, others @ ..] => is_like(line.trim(), first.trim()) && matches(rest, others),
            [] => false,
        },
    }
}

/// Whether a line is the one shown, in which `…` stands for any text. How wide its columns are does not matter.
fn is_like(shown: &str, printed: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (shown, printed) = (words(shown), words(printed));
    let Some((start, rest)) = shown.split_once('…') else { return shown == printed };
    let Some(mut left) = printed.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split('…').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    left.ends_with(end)
}

/// The text of a page outside of fenced blocks and code, each line with its number.
fn prose(page: &str) -> Vec<(usize, String)> {
    let fences = fenced(page);
    let is_code = |number: usize| fences.iter().any(|block| (block.line..block.end).contains(&number));
    let lines = page.lines().enumerate().map(|(index, line)| (index + 1, line)).filter(|(number, _)| !is_code(*number));
    lines.map(|(number, line)| (number, line.split('`').step_by(2).collect::<Vec<_>>().join("``"))).collect()
}

/// The targets of a page's links and pictures, each with its line.
pub fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    for (number, line) in prose(page) {
        let mut rest = line.as_str();
        while let Some((_, after)) = rest.split_once("](") {
            let Some((target, after)) = after.split_once(')') else { break };
            found.push((number, target.to_owned()));
            rest = after;
        }
        // A picture with a width.
        found.extend(
            line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(|to| (number, to.to_owned())),
        );
        // A definition: `[name]: target`.
        if let Some((_, target)) = line.strip_prefix('[').and_then(|line| line.split_once("]: ")) {
            found.push((number, target.trim().to_owned()));
        }
    }
    found
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
pub fn anchors(page: &str) -> Vec<String> {
    let mut times = BTreeMap::<String, u32>::new();
    let fences = fenced(page);
    let is_code = |number: usize| fences.iter().any(|block| (block.line..block.end).contains(&number));
    let lines = page.lines().enumerate().filter(|(index, _)| !is_code(index + 1));
    let headings =
        lines.filter_map(|(_, line)| line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#')));
    let anchor = |heading: &str| {
        // A link in a heading counts by its text.
        let text = heading.split("](").enumerate().map(|(index, part)| match index {
            0 => part,
            _ => part.split_once(')').map_or(part, |(_, after)| after),
        });
        let kept = |c: char| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        };
        text.collect::<String>().trim().to_lowercase().chars().filter_map(kept).collect::<String>()
    };
    headings
        .map(|heading| {
            let anchor = anchor(heading);
            let before = times.entry(anchor.clone()).or_default();
            *before += 1;
            if *before == 1 { anchor } else { format!("{anchor}-{}", *before - 1) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_for_any_text() {
        for (shown, printed, expected) in [
            ("TOTAL-PASSED  a.pdf", "TOTAL-PASSED    a.pdf", true),
            ("TOTAL-PASSED  a.pdf", "TOTAL-FAILED    a.pdf", false),
            ("a … c", "a b c", true),
            ("a … c", "a b d", false),
            ("a … c … e", "a b c d e", true),
            ("a … c … e", "a d b e", false),
            ("…", "", true),
        ] {
            assert_eq!(is_like(shown, printed), expected, "{shown} | {printed}");
        }
        for (shown, printed, expected) in [
            (&["a", "…", "c"][..], &["a", "b", "b", "c"][..], true),
            (&["a", "…"], &["a"], true),
            (&["…", "b"], &["a", "c"], false),
            (&["a"], &["a", "b"], false),
        ] {
            assert_eq!(matches(shown, printed), expected, "{shown:?} | {printed:?}");
        }
    }

    #[test]
    fn blocks_with_their_outputs() {
        let page = "# T\n\n```sh\necho a\n```\n\n```text\na\n```\n\n```sh,network\ncurl x\n```\nwords\n\n```text\nno\n```\n\
                    ```sh,status-3\nfalse\n```\n";
        let found = commands(page);
        let rows: Vec<_> = found.iter().map(|one| (one.line, one.is_run, one.status, one.printed.as_deref())).collect();
        assert_eq!(rows, [(3, true, 0, Some("a\n")), (11, false, 0, None), (19, true, 3, None)]);
    }

    #[test]
    fn anchors_of_headings() {
        let page = "# One `two`\n## A, b = 1\n## [L](x.md) m\n```sh\n# no\n```\n## A, b = 1\n#no\n";
        assert_eq!(anchors(page), ["one-two", "a-b--1", "l-m", "a-b--1-1"]);
        assert_eq!(links("a [b](c.md#d) `[no](e)` ![f](g.png)\n[h]: i.md\n").len(), 3);
    }
}
