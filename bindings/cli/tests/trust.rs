//! What reports say of trust, in every form: under which entry of a list a signature is qualified, and whether anybody
//! could be trusted at all.

mod common;

use lacre_testkit::authorities::{Pki, now};
use lacre_testkit::published::Published;
use lacre_testkit::trusted_list::Signer;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn lacre(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = common::lacre();
    command.args(arguments).current_dir(folder).output().expect("the command was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The forms of a report that a test can read by itself.
const FORMS: [&str; 4] = ["text", "json", "html", "etsi"];

/// What a report in that form says: tags, line breaks and spaces apart.
fn said(form: &str, bytes: &[u8]) -> String {
    let shown = match form {
        "pdf" => {
            let folder = tempfile::tempdir().expect("a folder can be made");
            let path = folder.path().join("report.pdf");
            std::fs::write(&path, bytes).expect("the folder is ours");
            let done = Command::new("pdftotext").arg(&path).arg("-").output();
            let done = done.expect("pdftotext is installed (Debian package poppler-utils)");
            text(&done.stdout)
        }
        "html" => {
            let page = text(bytes);
            page.split('<')
                .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
                .collect::<Vec<_>>()
                .join(" ")
        }
        _ => text(bytes),
    };
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A folder with a signed file, its CRL, and lists that list its issuer.
fn folder(pki: &Pki) -> tempfile::TempDir {
    let published = Published::new(&pki.authority);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is ours");
    write("signer.der", published.signer.certificate.der());
    write("contract.p7m", &pki.signed(b"a contract"));
    write("ca.crl", &pki.crl(false));
    let options = published.options();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let update =
        lacre(folder.path(), &[&["lists", "update", "lists", "--lotl-signer", "signer.der"], &*options].concat());
    assert_eq!(update.status.code(), Some(0), "{}", text(&update.stderr));
    folder
}

#[test]
fn whoever_packed_a_snapshot_is_named_and_may_be_asked_for() {
    packer_named(&FORMS);
}

#[test]
#[ignore = "needs pdftotext (Debian package poppler-utils)"]
fn whoever_packed_a_snapshot_is_named_in_a_pdf() {
    packer_named(&["pdf"]);
}

fn packer_named(forms: &[&str]) {
    let folder = folder(&Pki::new("http://nowhere.invalid"));
    let run = |line: &str| lacre(folder.path(), &line.split_whitespace().collect::<Vec<_>>());
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is ours");
    for name in ["packer", "other"] {
        let signer = Signer::packer(name);
        write(&format!("{name}.der"), signer.certificate.der());
        write(&format!("{name}.key"), &signer.key());
    }
    let pack = "lists pack lists --lotl-signer signer.der";
    for (situation, line, status) in [
        ("not signed", format!("{pack} -o plain.lacre"), 0),
        ("signed", format!("{pack} -o signed.lacre --key packer.key --certificate packer.der"), 0),
        ("by somebody else", format!("{pack} -o other.lacre --key other.key --certificate other.der"), 0),
        ("another's certificate", format!("{pack} -o x.lacre --key other.key --certificate packer.der"), 5),
        ("no key", format!("{pack} -o x.lacre --certificate packer.der"), 5),
        ("no certificate", format!("{pack} -o x.lacre --key packer.key"), 2),
        ("packed again from what was signed", "lists pack signed.lacre -o again.lacre".to_owned(), 0),
    ] {
        let done = run(&line);
        assert_eq!(done.status.code(), Some(status), "{situation}: {}", text(&done.stderr));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("it was packed");
    let (plain, signed) = (read("plain.lacre"), read("signed.lacre"));
    assert!(signed.starts_with(&plain), "a signature follows the same snapshot");
    assert_eq!(read("again.lacre"), plain, "whoever packs again signs again");
    // One byte of the snapshot, of the signature, of its length; and the signature over another snapshot.
    for (name, place) in [("a", 100), ("b", plain.len() + 200), ("c", signed.len() - 17)] {
        let mut changed = signed.clone();
        changed[place] ^= 1;
        write(&format!("{name}.lacre"), &changed);
    }
    let validate = "validate contract.p7m --evidence ca.crl";
    let refused = "the signature of whoever packed the snapshot";
    for (situation, options, status, told) in [
        ("anybody's", "--trusted-lists plain.lacre", 0, ""),
        ("whoever's", "--trusted-lists signed.lacre", 0, "packed and signed by CN=packer"),
        ("the right one's", "--trusted-lists signed.lacre --packed-by packer.der", 0, "packed and signed by CN=packer"),
        ("one of two", "--trusted-lists signed.lacre --packed-by other.der --packed-by packer.der", 0, "CN=packer"),
        ("another's", "--trusted-lists other.lacre --packed-by packer.der", 5, "the snapshot is signed by CN=other"),
        ("nobody's", "--trusted-lists plain.lacre --packed-by packer.der", 5, "the snapshot is not signed, expected"),
        ("a folder", "--trusted-lists lists --packed-by packer.der", 5, "found a folder, expected a signed snapshot"),
        ("changed", "--trusted-lists a.lacre", 5, refused),
        ("changed in its signature", "--trusted-lists b.lacre", 5, refused),
        ("changed in its length", "--trusted-lists c.lacre", 5, "the signature of the snapshot cannot be read"),
    ] {
        let done = run(&format!("{validate} {options}"));
        let said = format!("{}{}", said("text", &done.stdout), text(&done.stderr));
        assert_eq!(done.status.code(), Some(status), "{situation}: {said}");
        assert!(said.contains(told), "{situation}: {said}");
        assert!(status == 0 && situation != "anybody's" || !said.contains("a snapshot packed"), "{situation}: {said}");
    }
    for &form in forms {
        let done = run(&format!("{validate} --trusted-lists signed.lacre --format {form}"));
        let said = said(form, &done.stdout);
        match form {
            "json" => assert!(said.contains(r#""packed_by":{"subject":"CN=packer"#), "{said}"),
            "etsi" => {}
            _ => assert!(said.contains("a snapshot packed and signed by CN=packer"), "{form}: {said}"),
        }
    }
    let bundled = run(&format!("{validate} --trusted-lists signed.lacre --bundle evidence.zip --format json"));
    let replayed = run("replay evidence.zip contract.p7m --format json");
    assert_eq!(text(&replayed.stdout), text(&bundled.stdout), "the bundle names who packed, too");
    let shown = run("lists show signed.lacre");
    assert!(text(&shown.stdout).contains("packed by CN=packer"), "{}", text(&shown.stdout));
}

#[test]
fn a_qualified_signature_names_its_service_in_every_form() {
    service_named(&FORMS);
}

#[test]
#[ignore = "needs pdftotext (Debian package poppler-utils)"]
fn a_qualified_signature_names_its_service_in_a_pdf() {
    service_named(&["pdf"]);
}

fn service_named(forms: &[&str]) {
    let pki = Pki::new("http://nowhere.invalid");
    let folder = folder(&pki);
    let (since, issued) = (pki.authority.not_before().to_string(), now().to_string());
    let (since_day, issued_day) = (&since[..10], &issued[..10]);
    for &form in forms {
        let line = ["validate", "contract.p7m", "--trusted-lists", "lists", "--lotl-signer", "signer.der"];
        let done = lacre(folder.path(), &[&line[..], &["--evidence", "ca.crl", "--format", form]].concat());
        assert_eq!(done.status.code(), Some(0), "{form}: {}{}", text(&done.stdout), text(&done.stderr));
        let said = said(form, &done.stdout);
        let sentence = format!(
            "Seals of Example Trust: status “granted” since {since_day}; trusted list of EE, sequence number 62, issued on {issued_day}"
        );
        let expected = match form {
            "json" => vec![
                r#""qualification":"QESEAL""#.to_owned(),
                r#""country":"EE""#.to_owned(),
                r#""list_number":62"#.to_owned(),
                format!(r#""list_issued":"{issued_day}T"#),
                r#""service":"Seals of Example Trust""#.to_owned(),
                r#""status":"granted""#.to_owned(),
                format!(r#""since":"{since}""#),
                r#""trust":{"state":"lists""#.to_owned(),
            ],
            // TS 119 102-2 has no element for services: they stand among its additional data.
            "etsi" => vec![
                "urn:cef:dss:signatureQualification:QESeal".to_owned(),
                "urn:lacre:trust:service".to_owned(),
                sentence,
            ],
            _ => vec![
                sentence,
                "Qualified electronic seal".to_owned(),
                "the supervisory body has granted the trust service qualified status".to_owned(),
            ],
        };
        for expected in expected {
            assert!(said.contains(&expected), "{form}: {expected} in {said}");
        }
    }
}

/// A certificate handed over by itself: the lists are asked about it, and about its issuer from the other evidence.
#[test]
fn the_lists_say_what_they_list_of_a_certificate_by_itself() {
    let pki = Pki::new("http://nowhere.invalid");
    let folder = folder(&pki);
    for (name, certificate) in [("authority.der", &pki.authority), ("leaf.der", &pki.signer), ("root.der", &pki.root)] {
        std::fs::write(folder.path().join(name), certificate.der()).expect("the folder is ours");
    }
    let lists = ["--trusted-lists", "lists", "--lotl-signer", "signer.der", "--evidence", "ca.crl", "--format", "json"];
    for (situation, line, listed) in [
        ("whom a list names", &["certificate", "authority.der"][..], true),
        ("issued by whom a list names", &["certificate", "leaf.der", "--evidence", "authority.der"], true),
        ("whose issuer is not at hand", &["certificate", "leaf.der"], true),
        ("above whom a list names", &["certificate", "root.der"], false),
    ] {
        let done = lacre(folder.path(), &[line, &lists[..]].concat());
        let said = text(&done.stdout);
        assert_eq!(done.status.code(), Some(if listed { 0 } else { 3 }), "{situation}: {said}{}", text(&done.stderr));
        assert_eq!(said.contains(r#""trust_service":{"country":"EE""#), listed, "{situation}: {said}");
    }
}

#[test]
fn that_nobody_could_be_trusted_is_told_apart() {
    nobody_trusted(&FORMS);
}

#[test]
#[ignore = "needs pdftotext (Debian package poppler-utils)"]
fn that_nobody_could_be_trusted_is_told_apart_in_a_pdf() {
    nobody_trusted(&["pdf"]);
}

fn nobody_trusted(forms: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(folder.path().join("empty")).expect("the folder is ours");
    std::fs::create_dir(folder.path().join("page")).expect("the folder is ours");
    std::fs::write(folder.path().join("page/TL.xml"), "<html><body>Not found</body></html>").expect("it is ours");
    for name in ["contract.pdf", "root.der"] {
        std::fs::copy(root().join("examples/documents").join(name), folder.path().join(name)).expect("it is there");
    }
    std::fs::write(folder.path().join("other.der"), Pki::new("http://nowhere.invalid").root.der()).expect("it is ours");
    let nobody = "none: no trusted list is loaded and no trust anchor is configured";
    let unusable = "none: no loaded trusted list is usable";
    let unknown = "none: the certificate chain does not reach a trust anchor";
    for (situation, trust, state, status, sentence, talk) in [
        ("nothing is loaded", &[][..], "nobody", 5, nobody, "no trusted list is loaded"),
        ("an empty folder", &["--trusted-lists", "empty"], "no-usable-list", 5, unusable, "none of the trusted lists"),
        ("a page as a list", &["--trusted-lists", "page"], "no-usable-list", 5, unusable, "none of the trusted lists"),
        ("somebody else is trusted", &["--trust-anchor", "other.der"], "anchors", 3, unknown, ""),
        ("the issuer is trusted", &["--trust-anchor", "root.der"], "anchors", 0, "Lacre Example Root, chosen", ""),
    ] {
        for &form in forms {
            let plain = ["validate", "contract.pdf", "--at", "2027-01-01", "--format", form];
            let done = lacre(folder.path(), &[&plain[..], trust].concat());
            assert_eq!(done.status.code(), Some(status), "{situation}, {form}: {}", text(&done.stderr));
            assert!(text(&done.stderr).contains(talk), "{situation}, {form}: {}", text(&done.stderr));
            let said = said(form, &done.stdout);
            match form {
                "json" => assert!(said.contains(&format!(r#""trust":{{"state":"{state}""#)), "{situation}: {said}"),
                "etsi" => {
                    let told = said.split("urn:lacre:trust:state").nth(1).is_some_and(|rest| {
                        let value = rest.split_once("Value").map_or("", |(_, value)| value);
                        value.split_once('>').is_some_and(|(_, value)| value.starts_with(state))
                    });
                    assert_eq!(told, status == 5, "{situation}: {said}");
                }
                _ => assert!(said.contains(sentence), "{situation}, {form}: {said}"),
            }
        }
        let plain = ["certificate", "root.der", "--at", "2027-01-01", "--format", "json"];
        let done = lacre(folder.path(), &[&plain[..], trust].concat());
        assert!(text(&done.stdout).contains(&format!(r#""trust":{{"state":"{state}""#)), "{situation}");
    }
    let shown = lacre(folder.path(), &["lists", "show", "page"]);
    assert_eq!(shown.status.code(), Some(5), "a folder without a list is no healthy one");
    assert!(text(&shown.stdout).contains("unreadable"), "{}", text(&shown.stdout));
}

/// Lists that no option names: of the variable, else of the default place. What is said in full depends on neither.
#[test]
fn lists_are_found_where_they_are_kept() {
    let pki = Pki::new("http://nowhere.invalid");
    let folder = folder(&pki);
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(path("data/lacre")).expect("the folder is ours");
    std::fs::create_dir_all(path("home/.local/share/lacre")).expect("the folder is ours");
    std::fs::create_dir(path("nothing")).expect("the folder is ours");
    let place = |at: &str| {
        for file in std::fs::read_dir(path("lists")).expect("it was filled") {
            let file = file.expect("it is there");
            std::fs::create_dir_all(path(at)).expect("the folder is ours");
            std::fs::copy(file.path(), path(at).join(file.file_name())).expect("it is a file");
        }
    };
    place("data/lacre/lists");
    place("home/.local/share/lacre/lists");
    std::fs::write(path("other.der"), Pki::new("http://nowhere.invalid").root.der()).expect("it is ours");
    let (data, home, lists) = (("XDG_DATA_HOME", "data"), ("HOME", "home"), ("LACRE_TRUSTED_LISTS", "lists"));
    let nowhere = [("XDG_DATA_HOME", "nothing"), ("HOME", "nothing")];
    let note = "--no-trusted-lists leaves them out";
    for (situation, variables, options, state, status, noted) in [
        ("nowhere", &nowhere[..], &[][..], "nobody", 5, false),
        ("in the variable", &[nowhere[0], nowhere[1], lists], &[], "lists", 0, false),
        ("in XDG_DATA_HOME", &[data], &[], "lists", 0, true),
        ("at home", &[("XDG_DATA_HOME", ""), home], &[], "lists", 0, true),
        ("XDG_DATA_HOME is not absolute", &[("XDG_DATA_HOME", "=data"), home], &[], "lists", 0, true),
        ("the variable goes first", &[data, ("LACRE_TRUSTED_LISTS", "nothing")], &[], "no-usable-list", 5, false),
        ("an empty variable is none", &[data, ("LACRE_TRUSTED_LISTS", "=")], &[], "lists", 0, true),
        ("left out", &[data, lists], &["--no-trusted-lists"], "nobody", 5, false),
        ("an option goes first", &[data, lists], &["--trusted-lists", "nothing"], "no-usable-list", 5, false),
        ("an anchor says whom to trust", &[data, lists], &["--trust-anchor", "other.der"], "anchors", 3, false),
    ] {
        let mut command = common::lacre();
        command.args(["validate", "contract.p7m", "--evidence", "ca.crl", "--lotl-signer", "signer.der"]);
        command.args(["--format", "json"]).args(options).current_dir(folder.path());
        for (variable, value) in variables {
            // Absolute, as variables of the XDG specification are; after an equals sign as it is.
            match value.strip_prefix('=') {
                Some(value) => command.env(variable, value),
                None if value.is_empty() => command.env_remove(variable),
                None => command.env(variable, path(value)),
            };
        }
        let done = command.output().expect("the command was built");
        let (out, err) = (text(&done.stdout), text(&done.stderr));
        assert!(out.contains(&format!(r#""trust":{{"state":"{state}""#)), "{situation}: {out}{err}");
        assert_eq!(done.status.code(), Some(status), "{situation}: {err}");
        assert_eq!(err.contains(note), noted, "{situation}: {err}");
    }
    let both = lacre(folder.path(), &["validate", "contract.p7m", "--no-trusted-lists", "--trusted-lists", "lists"]);
    assert_eq!(both.status.code(), Some(2));
    // `lacre lists` works with the same folder.
    for (arguments, variable) in [
        (&["lists", "show", "--lotl-signer", "signer.der"][..], data),
        (&["lists", "pack", "--lotl-signer", "signer.der", "-o", "packed.lacre"], lists),
    ] {
        let mut command = common::lacre();
        let done = command.args(arguments).env(variable.0, path(variable.1)).current_dir(folder.path()).output();
        let done = done.expect("the command was built");
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", text(&done.stderr));
    }
}

#[test]
fn a_certificate_without_trust_is_not_done() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::create_dir(folder.path().join("empty")).expect("the folder is ours");
    let pki = Pki::new("http://nowhere.invalid");
    for (name, certificate) in [("leaf.der", &pki.signer), ("other.der", &pki.authority), ("root.der", &pki.root)] {
        std::fs::write(folder.path().join(name), certificate.der()).expect("it is ours");
    }
    std::fs::write(folder.path().join("text.der"), "no certificate").expect("it is ours");
    for (situation, line, status, told) in [
        ("nothing is loaded", "certificate leaf.der", 5, "no trusted list is loaded"),
        ("two, and one reminder", "certificate leaf.der other.der", 5, "no trusted list is loaded"),
        ("lists of nobody", "certificate leaf.der --trusted-lists empty", 5, "none of the trusted lists"),
        ("somebody is trusted, nothing else known", "certificate leaf.der --trust-anchor root.der", 3, ""),
        ("trusted itself", "certificate root.der --trust-anchor root.der", 0, ""),
        ("not read", "certificate text.der --trust-anchor root.der", 5, "text.der: "),
    ] {
        let done = lacre(folder.path(), &line.split_whitespace().collect::<Vec<_>>());
        let err = text(&done.stderr);
        assert_eq!(done.status.code(), Some(status), "{situation}: {}{err}", text(&done.stdout));
        assert_eq!(
            err.lines().filter(|line| line.starts_with("lacre: error: ")).count(),
            usize::from(!told.is_empty())
        );
        assert!(err.contains(told), "{situation}: {err}");
    }
}
