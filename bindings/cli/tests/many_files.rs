//! `lacre validate` of many files: a result for each of them, as they come, in little memory.

mod common;

use serde_json::Value;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TRUST: [&str; 4] = ["--trust-anchor", "root.der", "--at", "2027-01-01T00:00:00Z"];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents")
}

/// `lacre validate` among the examples.
fn command(files: &[&str], more: &[&str]) -> Command {
    let mut command = common::lacre();
    command.arg("validate").args(TRUST).args(more).arg("--").args(files).current_dir(examples());
    command
}

fn validate(files: &[&str], more: &[&str]) -> Output {
    command(files, more).output().expect("the command was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = text(bytes);
    text.lines().map(|line| serde_json::from_str(line).expect("each line is an object")).collect()
}

const FILES: [&str; 6] =
    ["contract.pdf", "missing.pdf", "./contract.pdf", "revoked.pdf", "contract-tampered.pdf", "not-signed.pdf"];

#[test]
fn each_file_has_an_object_with_its_path_and_its_report_or_the_error() {
    let done = validate(&FILES, &["--format", "json"]);
    assert_eq!(done.status.code(), Some(5));
    let objects = lines(&done.stdout);
    assert_eq!(objects.iter().map(|object| &object["path"]).collect::<Vec<_>>(), FILES);
    for (file, line) in FILES.iter().zip(text(&done.stdout).lines()) {
        if *file == "missing.pdf" {
            let object: Value = serde_json::from_str(line).unwrap();
            let message = object["error"]["message"].as_str().expect("a sentence");
            assert!(message.starts_with("missing.pdf: "), "{message}");
            assert_eq!(object.get("report"), None);
            continue;
        }
        let alone = text(&validate(&[file], &["--format", "json"]).stdout);
        assert_eq!(line, format!(r#"{{"path":"{file}","report":{}}}"#, alone.trim_end()), "the same report");
    }
    let told = text(&done.stderr);
    assert_eq!(told.lines().filter(|line| line.starts_with("lacre: error: ")).count(), 1, "{told}");
    assert_eq!(text(&validate(&["missing.pdf"], &["--format", "json"]).stdout), "", "one file has a report or nothing");
}

#[test]
fn texts_stand_under_the_paths_of_their_files() {
    let done = validate(&FILES, &[]);
    let told = text(&done.stdout);
    let headings: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("==> ")?.strip_suffix(" <==")).collect();
    let expected: Vec<&str> = FILES.into_iter().filter(|file| *file != "missing.pdf").collect();
    assert_eq!(headings, expected);
    for file in expected {
        let alone = text(&validate(&[file], &[]).stdout);
        assert!(told.contains(&format!("==> {file} <==\n{alone}")), "{told}");
    }
    assert!(!text(&validate(&["contract.pdf"], &[]).stdout).contains("==>"), "of one file the report only");
}

#[test]
fn that_nobody_is_trusted_is_said_once() {
    for format in ["text", "json"] {
        let files = ["contract.pdf", "revoked.pdf", "letter.txt.p7s", "contract-tampered.pdf"];
        let mut command = common::lacre();
        let done =
            command.arg("validate").args(files).args(["--format", format]).current_dir(examples()).output().unwrap();
        let told = text(&done.stderr);
        assert_eq!(told.matches("no trusted list is loaded").count(), 1, "{format}: {told}");
        assert_eq!(done.status.code(), Some(5), "{format}");
    }
}

#[test]
fn a_summary_has_a_line_a_file_and_totals() {
    let done = validate(&FILES, &["--summary"]);
    assert_eq!(done.status.code(), Some(5));
    assert_eq!(
        text(&done.stdout),
        "TOTAL-PASSED        contract.pdf\n\
         ERROR               missing.pdf\n\
         TOTAL-PASSED        ./contract.pdf\n\
         INDETERMINATE       revoked.pdf  (REVOKED_NO_POE)\n\
         TOTAL-FAILED        contract-tampered.pdf  (HASH_FAILURE)\n\
         NO_SIGNATURE_FOUND  not-signed.pdf\n\
         6 files: 2 TOTAL-PASSED, 1 TOTAL-FAILED, 1 INDETERMINATE, 1 NO_SIGNATURE_FOUND, 1 ERROR\n"
    );
    let objects = lines(&validate(&FILES, &["--summary", "--format", "json"]).stdout);
    assert_eq!(objects[0].to_string(), {
        let expected = r#"{"path":"contract.pdf","indication":"TOTAL-PASSED","sub_indications":[],"signatures":1}"#;
        serde_json::from_str::<Value>(expected).unwrap().to_string()
    });
    assert!(objects[1]["error"]["message"].is_string() && objects[1].get("indication").is_none(), "{}", objects[1]);
    assert_eq!(objects[6]["totals"]["files"], 6);
    assert_eq!(objects[6]["totals"]["TOTAL-PASSED"], 2);
    assert_eq!(objects[6]["totals"]["ERROR"], 1);
    let one = validate(&["contract.pdf"], &["--summary"]);
    assert_eq!(text(&one.stdout), "TOTAL-PASSED        contract.pdf\n1 file: 1 TOTAL-PASSED\n");
}

#[test]
fn each_input_has_an_output_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for (from, to) in [("contract.pdf", "in/a.pdf"), ("revoked.pdf", "a.pdf"), ("contract-tampered.pdf", "b.pdf")] {
        fs::copy(examples().join(from), folder.path().join(to)).unwrap();
    }
    fs::copy(examples().join("root.der"), folder.path().join("root.der")).unwrap();
    let files = ["in/a.pdf", "a.pdf", "b.pdf", "no.pdf"];
    let run = |more: &[&str], files: &[&str]| {
        let mut command = common::lacre();
        command.arg("validate").args(TRUST).args(more).args(files).current_dir(folder.path()).output().unwrap()
    };
    for (format, extension) in [("text", "txt"), ("json", "json"), ("etsi", "xml"), ("html", "html"), ("pdf", "pdf")] {
        let to = format!("out-{format}");
        let done = run(&["--format", format, "--output-dir", &to], &files);
        assert_eq!(done.status.code(), Some(5), "{format}: {}", text(&done.stderr));
        let outputs: Vec<(String, String)> = match format {
            "json" => lines(&done.stdout)
                .iter()
                .filter_map(|line| Some((line["path"].as_str()?.to_owned(), line["output"].as_str()?.to_owned())))
                .collect(),
            _ => text(&done.stdout)
                .lines()
                .filter_map(|line| line[20..].split_once(" -> "))
                .map(|(input, output)| (input.to_owned(), output.split("  (").next().unwrap_or_default().to_owned()))
                .collect(),
        };
        let inputs: Vec<&str> = outputs.iter().map(|(input, _)| input.as_str()).collect();
        assert_eq!(inputs, &files[..3], "{format}: {}", text(&done.stdout));
        assert_eq!(outputs[2].1, format!("{to}/b.pdf.{extension}"), "a name of its own is kept");
        for (input, output) in &outputs {
            let alone = format!("alone.{extension}");
            run(&["--format", format, "-o", &alone], &[input]);
            let read = |path: &str| fs::read(folder.path().join(path)).expect("it was written");
            assert!(read(&alone) == read(output), "{format}: {input} -> {output}: not its report");
        }
        assert_eq!(fs::read_dir(folder.path().join(&to)).unwrap().count(), 3, "{format}: nothing else is written");
    }
}

#[test]
fn what_is_there_is_replaced_only_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("out");
    fs::create_dir(&to).unwrap();
    let target = to.join("contract.pdf.html");
    fs::write(&target, "mine").unwrap();
    let run = |more: &[&str]| {
        validate(
            &["contract.pdf", "revoked.pdf"],
            &[&["--format", "html", "--output-dir", to.to_str().unwrap()], more].concat(),
        )
    };
    let refused = run(&[]);
    assert_eq!(refused.status.code(), Some(5));
    let told = text(&refused.stderr);
    assert!(told.contains("contract.pdf.html") && told.contains("--overwrite"), "{told}");
    assert!(text(&refused.stdout).contains("ERROR               contract.pdf\n"), "{}", text(&refused.stdout));
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    #[cfg(unix)]
    {
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, "mine").unwrap();
        fs::remove_file(&target).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &target).unwrap();
        assert_eq!(run(&[]).status.code(), Some(5), "a link is there, too");
        assert_eq!(run(&["--overwrite"]).status.code(), Some(3));
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine", "the link was replaced, and not followed");
    }
    assert_eq!(run(&["--overwrite"]).status.code(), Some(3));
    assert!(fs::read_to_string(&target).unwrap().starts_with("<!"), "a page");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("contract.pdf");
    fs::copy(examples().join("contract.pdf"), &copy).unwrap();
    let copy = copy.to_str().unwrap();
    let two = ["contract.pdf", "revoked.pdf"];
    for (situation, files, more, status) in [
        ("ETSI of several", &two[..], &["--format", "etsi"][..], 5),
        ("HTML of several", &two, &["--format", "html", "-o", "x.html"], 5),
        ("PDF of several", &two, &["--format", "pdf"], 5),
        ("a bundle of several", &two, &["--bundle", "x.zip"], 5),
        ("a summary as a page", &two[..1], &["--format", "html", "--summary"], 5),
        ("a file and a folder", &two, &["-o", "x", "--output-dir", "y"], 2),
        ("nothing to replace", &two, &["--overwrite"], 2),
        ("over what is judged", &[copy], &["-o", copy], 5),
        ("the bundle over what is judged", &[copy], &["--bundle", copy], 5),
    ] {
        let done = validate(files, more);
        assert_eq!(done.status.code(), Some(status), "{situation}: {}", text(&done.stderr));
        assert!(done.stdout.is_empty(), "{situation}");
    }
    let beside = format!("{copy}.txt");
    fs::copy(copy, &beside).unwrap();
    let folder = folder.path().to_str().unwrap();
    let done = validate(&[copy, &beside], &["--output-dir", folder, "--overwrite"]);
    assert_eq!(done.status.code(), Some(5), "an output over another input: {}", text(&done.stderr));
    assert_eq!(fs::read(&beside).unwrap(), fs::read(copy).unwrap());
    assert_eq!(fs::read(copy).unwrap(), fs::read(examples().join("contract.pdf")).unwrap());
    assert!(text(&validate(&two, &["--format", "etsi"]).stderr).contains("--output-dir"));
}

/// A pipe with a name, which has nothing to read before somebody writes.
#[cfg(unix)]
fn pipe(folder: &Path) -> PathBuf {
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is installed (coreutils)").success());
    pipe
}

#[cfg(unix)]
#[test]
fn a_result_is_there_before_the_next_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    for format in ["text", "json"] {
        let files = ["contract.pdf", pipe.to_str().unwrap(), "revoked.pdf"];
        let mut child = command(&files, &["--format", format]).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        assert!(first.contains("contract.pdf"), "{format}: {first}");
        fs::copy(examples().join("contract-tampered.pdf"), &pipe).unwrap();
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{format}: {rest}");
        let (second, third) = (rest.find("HASH_FAILURE").unwrap(), rest.find("revoked.pdf").unwrap());
        assert!(second < third, "{format}: in the order of the files");
    }
}

#[cfg(unix)]
#[test]
fn where_nobody_reads_on_the_work_ends() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = pipe(folder.path());
    // The pipe is the last file: whoever read it would wait for ever.
    let many = ["contract.pdf"; 200];
    let files = [&many[..], &[pipe.to_str().unwrap()]].concat();
    let mut child = command(&files, &[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    let done = child.wait_with_output().unwrap();
    assert!(done.stderr.is_empty(), "{}", text(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "of what was written all passed");
}

/// The most memory that the command had, in KiB, as far as it was seen.
#[cfg(target_os = "linux")]
fn peak(mut command: Command) -> u64 {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let path = format!("/proc/{}/status", child.id());
    let mut stdout = child.stdout.take().unwrap();
    let (mut most, mut buffer) = (0, vec![0; 1 << 14]);
    // What is written comes in pieces; the last is read while the command is still there, or a moment before.
    while stdout.read(&mut buffer).unwrap() > 0 {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let seen = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0);
        most = most.max(seen);
    }
    child.wait().unwrap();
    most
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_number_of_files() {
    const FEW: usize = 150;
    const MANY: usize = 5 * FEW;
    let folder = tempfile::tempdir().unwrap();
    let explained = validate(&["contract.pdf"], &["--explain"]).stdout.len();
    for (form, more) in [
        ("text with the way to the verdict", &["--explain"][..]),
        ("pages in a folder", &["--format", "html", "--overwrite", "--output-dir", folder.path().to_str().unwrap()]),
    ] {
        let [few, many] = [FEW, MANY].map(|count| peak(command(&vec!["contract.pdf"; count], more)));
        // Half of what it would be if the results of the others were held.
        let bound = few + ((MANY - FEW) * explained / 2048) as u64;
        eprintln!("{form}: {few} KiB for {FEW} files, {many} KiB for {MANY}, at most {bound} are wanted");
        assert!(few > 0, "{form}: the memory of a process is in /proc");
        assert!(many < bound, "{form}: {few} KiB for {FEW} files, {many} KiB for {MANY}, at most {bound} are wanted");
    }
}
