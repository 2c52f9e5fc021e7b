//! The examples of C and C++: compiled in every way, run, watched, their outputs compared.

use crate::tools::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LANGUAGES: [(&str, &str, &[&str]); 2] = [("c", "gcc", &["c99", "c11"]), ("cpp", "g++", &["c++17", "c++20"])];
const EXAMPLES: [(&str, &str); 8] = [
    ("c", "validate"),
    ("c", "report_pdf"),
    ("c", "sign_hash_callback"),
    ("c", "sign_pdf"),
    ("cpp", "validate"),
    ("cpp", "evidence"),
    ("cpp", "sign"),
    ("cpp", "sign_pdf"),
];

fn source(language: &str, name: &str) -> PathBuf {
    root().join("examples").join(language).join(format!("{name}.{language}"))
}

fn document(name: &str) -> String {
    root().join("examples/documents").join(name).display().to_string()
}

/// How each example is run, and the exit status that it ends with.
fn runs(language: &str, name: &str) -> Vec<(Vec<String>, i32)> {
    let to = folder("reports").join(format!("{}.pdf", std::process::id())).display().to_string();
    let validate = |file: &str| vec![document(file), document("root.der"), "2027-01-01".to_owned()];
    match (language, name) {
        (_, "validate") => vec![
            (validate("contract.pdf"), 0),
            (validate("contract-tampered.pdf"), 1),
            (validate("revoked.pdf"), 1),
            (validate("letter.txt.p7s"), 1),
            (validate("make.py"), 5),
        ],
        (_, "evidence") => vec![(validate("contract.pdf"), 0)],
        (_, "report_pdf") => vec![(vec![document("contract.pdf"), to, "fr".to_owned(), "2027-01-01".to_owned()], 0)],
        (_, "sign_pdf") => vec![(vec![document("not-signed.pdf")], 0), (vec![document("encrypted.pdf")], 5)],
        _ => vec![(vec![], 0)],
    }
}

/// What an example says in all of its runs, with the places of files left out.
fn answers(language: &str, name: &str, mut one: impl FnMut(&[String]) -> Output) -> String {
    let mut answers = String::new();
    for (arguments, status) in runs(language, name) {
        let done = one(&arguments);
        assert_eq!(done.status.code(), Some(status), "{language}/{name} {arguments:?}:\n{}", said(&done));
        // Which evidence would help is held to its rules elsewhere.
        let said = said(&done);
        answers.extend(said.lines().filter(|line| !line.starts_with("would help")).map(|line| format!("{line}\n")));
    }
    let reports = folder("reports").join(std::process::id().to_string()).display().to_string();
    answers.replace(&document(""), "").replace(&reports, "report")
}

/// Holds what an example says to what is written down; `LACRE_WRITE=1` writes it down.
fn expected(language: &str, name: &str, answers: &str) {
    crate::header::compare(&format!("bindings/c/tests/c_library/expected/{language}-{name}.txt"), answers);
}

#[test]
#[ignore = "needs gcc, g++ and pkg-config"]
fn by_pkg_config_in_every_standard_shared_and_static() {
    require(&[GCC, GXX, PKG_CONFIG]);
    for (language, compiler, standards) in LANGUAGES {
        for (_, name) in EXAMPLES.iter().filter(|example| example.0 == language) {
            for standard in standards {
                // Linking the static library is slow; CMake does it with all of them.
                let kinds = if *name == "validate" { &[Kind::Shared, Kind::Static][..] } else { &[Kind::Shared] };
                for kind in kinds.iter().copied() {
                    let to = format!("{language}-{name}-{standard}-{kind:?}");
                    let path = compile(compiler, standard, kind, &[], &source(language, name), &to);
                    let run = |arguments: &[String]| program(&path).args(arguments).output().expect("it was compiled");
                    expected(language, name, &answers(language, name, run));
                    // With the library inside, a program is large.
                    let _ = std::fs::remove_file(&path);
                }
            }
        }
    }
}

/// The first programs of docs/c.md compile as they stand, and say what they should.
#[test]
#[ignore = "needs gcc, g++ and pkg-config"]
fn the_programs_of_the_documentation() {
    require(&[GCC, GXX, PKG_CONFIG]);
    let page = std::fs::read_to_string(root().join("docs/c.md")).expect("the page is there");
    for (language, compiler, standard, said_of_contract) in
        [("c", "gcc", "c11", "INDETERMINATE\n"), ("cpp", "g++", "c++17", "Inês Silva: INDETERMINATE\n")]
    {
        let (_, block) = page.split_once(&format!("```{language}\n")).expect("it has such a program");
        let (program_text, _) = block.split_once("```").expect("it ends");
        let file = folder("documentation").join(format!("first.{language}"));
        std::fs::write(&file, program_text).expect("cargo's folder can be written");
        let path = compile(compiler, standard, Kind::Shared, &[], &file, &format!("first-{language}"));
        // Without a trust anchor nobody is trusted.
        let done = run(program(&path).current_dir(root().join("examples/documents")));
        assert_eq!(said(&done), said_of_contract);
    }
}

#[test]
#[ignore = "needs gcc, g++ and cmake"]
fn by_cmake_shared_and_static() {
    require(&[GCC, GXX, CMAKE]);
    let warnings = "-Wall -Wextra -Wpedantic -Werror";
    for (language, standard, kind, target) in [
        ("c", "99", Kind::Shared, "lacre::lacre"),
        ("c", "11", Kind::Static, "lacre::lacre-static"),
        ("cpp", "17", Kind::Shared, "lacre::lacre"),
        ("cpp", "20", Kind::Static, "lacre::lacre-static"),
    ] {
        let build = folder(&format!("cmake-{language}-{standard}"));
        let upper = if language == "c" { "C" } else { "CXX" };
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(root().join("examples").join(language)).arg("-B").arg(&build);
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix(kind).display()));
        configure.arg(format!("-DCMAKE_{upper}_STANDARD={standard}")).arg(format!("-DCMAKE_{upper}_EXTENSIONS=OFF"));
        configure.arg(format!("-DCMAKE_{upper}_FLAGS={warnings}")).arg(format!("-DLACRE_TARGET={target}"));
        run(&mut configure);
        run(Command::new("cmake").arg("--build").arg(&build));
        for (_, name) in EXAMPLES.iter().filter(|example| example.0 == language) {
            // CMake writes the place of the shared library into the program.
            let one = |arguments: &[String]| Command::new(build.join(name)).args(arguments).output().expect("built");
            expected(language, name, &answers(language, name, one));
        }
        let _ = std::fs::remove_dir_all(&build);
    }
}

#[test]
#[ignore = "needs gcc, g++, pkg-config and valgrind"]
fn under_valgrind_nothing_is_found() {
    require(&[GCC, GXX, PKG_CONFIG, VALGRIND]);
    for (language, name) in EXAMPLES {
        let (compiler, standard) = if language == "c" { ("gcc", "c99") } else { ("g++", "c++17") };
        let to = format!("{language}-{name}-valgrind");
        let path = compile(compiler, standard, Kind::Shared, &[], &source(language, name), &to);
        expected(language, name, &answers(language, name, |arguments| watched(&path, arguments)));
    }
}

#[test]
#[ignore = "needs gcc, g++ and pkg-config"]
fn with_sanitizers_nothing_is_found() {
    require(&[GCC, GXX, PKG_CONFIG]);
    let sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    for (language, name) in EXAMPLES {
        let (compiler, standard) = if language == "c" { ("gcc", "c11") } else { ("g++", "c++20") };
        let to = format!("{language}-{name}-sanitized");
        let path = compile(compiler, standard, Kind::Shared, &sanitizers, &source(language, name), &to);
        let run = |arguments: &[String]| program(&path).args(arguments).output().expect("it was compiled");
        expected(language, name, &answers(language, name, run));
    }
    let mistakes = test_program("bad_input", &sanitizers, "bad_input-sanitized");
    run(program(&mistakes).arg("0"));
    let signing = test_program("signing", &sanitizers, "signing-sanitized");
    run(program(&signing).arg(document("not-signed.pdf")));
}

/// A program of the tests.
pub fn test_program(name: &str, more: &[&str], to: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/c/{name}.c"));
    compile("gcc", "c11", Kind::Shared, more, &source, to)
}

#[test]
#[ignore = "needs gcc, pkg-config and valgrind"]
fn every_mistake_is_a_defined_error() {
    require(&[GCC, PKG_CONFIG, VALGRIND]);
    let path = test_program("bad_input", &[], "bad_input");
    let debug = if cfg!(debug_assertions) { "1" } else { "0" };
    run(program(&path).arg(debug));
    let done = watched(&path, &[debug]);
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
#[ignore = "needs gcc, pkg-config and valgrind"]
fn signatures_are_made_and_extended() {
    require(&[GCC, PKG_CONFIG, VALGRIND]);
    let path = test_program("signing", &[], "signing");
    run(program(&path).arg(document("not-signed.pdf")));
    let done = watched(&path, &[document("not-signed.pdf")]);
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
#[ignore = "needs gcc and pkg-config"]
fn a_system_without_randomness_is_a_defined_error() {
    require(&[GCC, PKG_CONFIG]);
    let path = test_program("no_random", &["-rdynamic"], "no_random");
    run(&mut program(&path));
}

#[test]
#[ignore = "needs gcc and pkg-config"]
fn threads_share_validator_document_and_report() {
    require(&[GCC, PKG_CONFIG]);
    let path = test_program("threads", &["-pthread"], "threads");
    run(program(&path).arg(document("contract.pdf")).arg(document("root.der")));
}

/// Every accessor says what the JSON report says.
#[test]
#[ignore = "needs gcc and pkg-config"]
fn accessors_say_what_json_says() {
    require(&[GCC, PKG_CONFIG]);
    let path = test_program("everything", &[], "everything");
    for (file, content) in [
        ("contract.pdf", None),
        ("contract-tampered.pdf", None),
        ("revoked.pdf", None),
        ("letter.txt.p7s", Some("letter.txt")),
    ] {
        let mut command = program(&path);
        command.args([document(file), document("root.der"), "2027-01-01".to_owned()]);
        command.args(content.map(document));
        let said = text(&run(&mut command).stdout);
        let (json, told) = said.split_once('\n').expect("the first line is JSON");
        let report: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
        let expected = told_of(&report);
        // What JSON does not have (names for people) is not compared.
        let own = ["signer=", "common_name=", "id=C-", "trusted=", "key_algorithm="];
        let told: Vec<&str> = told.lines().filter(|line| !own.iter().any(|word| line.starts_with(word))).collect();
        let told = without_chains(&told);
        for (number, (one, other)) in told.iter().zip(&expected).enumerate() {
            assert_eq!(one, other, "{file}, answer {number}");
        }
        assert_eq!(told.len(), expected.len(), "{file}: {told:?}");
    }
}

/// JSON lists the chain of a signature by digests, and has none for a time-stamp: the rest of it is left out.
fn without_chains(told: &[&str]) -> Vec<String> {
    let (mut left, mut of_timestamp, mut of_certificate) = (vec![], false, false);
    for line in told {
        if line.starts_with('[') {
            of_certificate = *line == "[certificate]";
            of_timestamp = *line == "[timestamp]" || of_timestamp && of_certificate;
        }
        if !of_certificate || !of_timestamp && line.starts_with("sha256=") {
            left.push((*line).to_owned());
        }
    }
    left
}

/// The lines that the program writes, from JSON.
fn told_of(report: &serde_json::Value) -> Vec<String> {
    use serde_json::Value;
    fn word(value: &Value) -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        }
    }
    fn lines(of: &Value, keys: &[&str], to: &mut Vec<String>) {
        to.extend(keys.iter().map(|key| format!("{key}={}", word(&of[*key]))));
    }
    fn list(of: &Value) -> impl Iterator<Item = &Value> {
        of.as_array().into_iter().flatten()
    }
    fn findings(of: &Value, to: &mut Vec<String>) {
        for finding in list(&of["findings"]).chain(list(&of["qualification_findings"])) {
            to.push("[finding]".into());
            lines(finding, &["severity", "check", "subject", "message", "compared", "token"], to);
        }
    }
    let mut to = vec!["[report]".to_owned()];
    lines(&report["conclusion"], &["indication"], &mut to);
    lines(report, &["validation_time"], &mut to);
    to.push(format!("policy={}", word(&report["policy"]["name"])));
    lines(&report["document"], &["sha256"], &mut to);
    lines(&report["conclusion"], &["signatures", "passed"], &mut to);
    for signature in list(&report["signatures"]) {
        to.push("[signature]".into());
        let verdict = ["id", "parent", "indication", "sub_indication", "level", "qualification", "qualification_text"];
        lines(signature, &verdict, &mut to);
        lines(signature, &["file", "field", "claimed_signing_time", "best_signature_time"], &mut to);
        lines(&signature["algorithm"], &["digest", "key"], &mut to);
        lines(signature, &["value_sha256"], &mut to);
        for scope in list(&signature["scope"]) {
            to.push(format!("scope_name={}", word(&scope["name"])));
            to.push(format!("scope_kind={}", word(&scope["kind"])));
        }
        to.extend(list(&signature["timestamps"]).map(|id| format!("timestamp={}", word(id))));
        to.extend(list(&signature["chain"]).map(|digest| format!("sha256={}", word(digest))));
        findings(signature, &mut to);
    }
    for timestamp in list(&report["timestamps"]) {
        to.push("[timestamp]".into());
        let verdict = ["id", "type", "time", "indication", "sub_indication", "qualification", "qualification_text"];
        lines(timestamp, &verdict, &mut to);
        // JSON has no chain of a time-stamp's certificate.
        findings(timestamp, &mut to);
    }
    for wanted in list(&report["wanted"]) {
        to.push("[wanted]".into());
        lines(wanted, &["kind", "for"], &mut to);
        to.extend(list(&wanted["urls"]).map(|url| format!("url={}", word(url))));
    }
    to
}
