//! Where files go, and that nothing is lost.

use super::*;

#[test]
fn many_files_have_a_line_each_and_totals() {
    let folder = world("many");
    let files = "letter.txt report.pdf missing.pdf";
    let (told, status) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out"));
    let expected = "CAdES-BASELINE-B    letter.txt -> out/letter.txt.p7m\n\
                    PAdES-BASELINE-B    report.pdf -> out/report.signed.pdf\n\
                    ERROR               missing.pdf\n\
                    3 files: 2 written, 1 ERROR\n";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("lacre: error: missing.pdf: "), "{told}");
    assert_eq!(status, Some(5));

    let (told, _) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out --json"));
    let objects: Vec<Value> =
        told.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).expect(line)).collect();
    let messages = objects.iter().map(|object| object["error"]["message"].as_str().unwrap_or_default());
    let there = messages.filter(|message| message.contains("there is a file of this name")).count();
    assert_eq!(there, 2, "what is there stays: {told}");
    assert_eq!(objects[3]["totals"]["error"], 3, "{told}");

    let (told, _) = folder.run(&format!("lacre sign {files} {ANA} {SIGNED} --output-dir out --json --overwrite"));
    let first: Value = serde_json::from_str(told.lines().next().expect("a line")).expect("an object");
    assert_eq!(first["path"], "letter.txt");
    assert_eq!((&first["level"], &first["output"]), (&"CAdES-BASELINE-B".into(), &"out/letter.txt.p7m".into()));
}

#[test]
fn in_place_only_where_told() {
    let folder = world("in-place");
    let original = folder.read("report.pdf");
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} --in-place"));
    let signed = folder.read("report.pdf");
    assert!(signed.starts_with(&original) && signed.len() > original.len(), "ISO 32000-1 7.5.6: it is appended to");
    folder.ok(&format!("lacre extend report.pdf {UNIT} {TRUST} {SIGNED} --in-place"));
    assert!(folder.read("report.pdf").starts_with(&signed));
    assert_eq!(levels(&judged(&folder, "report.pdf", LATER)), ["PAdES-BASELINE-LTA"]);
}

/// A limit of the size of files stands in for a disk that fills.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_changes_nothing() {
    use std::process::Command;
    let folder = world("full");
    let original: Vec<u8> = folder.read("letter.txt").repeat(2000);
    folder.write("long.txt", &original);
    folder.ok(&format!("lacre sign long.txt {ANA} {SIGNED} -o long.p7m"));
    let before = folder.files();
    for arguments in [
        format!("sign long.txt {ANA} {SIGNED}"),
        format!("sign long.p7m {ANA} --at 2027-02-01T12:05:00Z --in-place"),
        format!("extend long.p7m --level t {UNIT} {TRUST} {SIGNED} --in-place"),
    ] {
        // 16 blocks of 512 bytes, or of 1,024; the signal that comes with it is ignored, as on a full disk there is
        // none.
        let script = format!("trap '' XFSZ; ulimit -f 16; exec {} {arguments}", env!("CARGO_BIN_EXE_lacre"));
        let mut command = Command::new("sh");
        common::without_settings(&mut command);
        let done = command.args(["-c", &script]).current_dir(&folder.0).output().expect("there is a shell");
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(5), "{arguments}: {told}");
        assert!(told.contains("too large"), "{arguments}: {told}");
        assert!(folder.files() == before, "{arguments}: nothing half-written");
    }
}
