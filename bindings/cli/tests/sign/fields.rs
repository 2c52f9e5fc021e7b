//! Empty fields, and what they ask of those who sign them.

use super::*;

#[test]
fn a_field_for_each_of_two_signers() {
    let folder = world("fields");
    let seller = "--name Käufer.eins --box 50,700,200,60 --lock-except Käufer.zwei --tooltip Käufer";
    let told =
        folder.ok(&format!("lacre field report.pdf {seller} --ask-reason Agreed --ask-digest SHA256 --ask-pades"));
    assert_eq!(told, "FIELD               report.pdf -> report.field.pdf\n");
    let told = folder.ok("lacre field report.field.pdf --page -1 --in-place --json --name Käufer.zwei");
    let object: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!((&object["field"], &object["output"]), (&"Käufer.zwei".into(), &"report.field.pdf".into()), "{told}");
    assert!(folder.read("report.field.pdf").starts_with(&folder.read("report.pdf")), "ISO 32000-1 7.5.6: appended");

    let sign = |file: &str, rest: &str| format!("lacre sign {file} {ANA} {SIGNED} {rest}");
    let (told, status) = folder.run(&sign("report.field.pdf", "--field Käufer.eins -o x.pdf"));
    assert!(status == Some(1) && told.contains("[seed-value-unmet]"), "table 234: {told}");
    folder.ok(&sign("report.field.pdf", "--field Käufer.eins --reason Agreed -o one.pdf"));
    let told = folder.ok("lacre field old.pdf --name Third");
    assert!(told.contains("signed already"), "viewers differ in what they say of it: {told}");
    let (told, status) = folder.run("lacre field one.pdf --name Third");
    assert!(status == Some(1) && told.contains("[locked-by-field]"), "table 233: {told}");
    folder.ok(&sign("one.pdf", "--field Käufer.zwei -o two.pdf"));
    let report = judged(&folder, "two.pdf", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report), ["PAdES-BASELINE-B", "PAdES-BASELINE-B"]);

    let told =
        folder.ok("lacre field report.pdf --ask-certify 2 --ask-timestamp https://tsa.example/ --advice -o y.pdf");
    assert!(told.contains("lacre: note: report.pdf: the field is Signature1"), "{told}");
    let (told, _) = folder.run(&sign("y.pdf", "--field Signature1 -o x.pdf"));
    assert!(told.contains("[seed-value-unmet]") && told.contains("level 2"), "table 234, MDP: {told}");
    folder.ok(&sign("y.pdf", "--field Signature1 --certify 2 -o x.pdf"));
}

#[test]
fn what_fields_are_refused() {
    let folder = world("no-fields");
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} --certify 2 -o certified.pdf"));
    folder.ok("lacre field report.pdf --name A --box 10,10,50,50");
    let encrypted = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents/encrypted.pdf");
    folder.write("encrypted.pdf", &std::fs::read(encrypted).expect("an example"));
    let before = folder.files();
    for (situation, rest, status, expected) in [
        ("no PDF", "letter.txt", 5, "[document-unreadable]"),
        ("no file", "missing.pdf", 5, "missing.pdf: "),
        ("the name is taken", "report.field.pdf --name A", 5, "[field-name-invalid]"),
        ("no name", "old.pdf --name a..b", 5, "[field-name-invalid]"),
        ("no such page", "old.pdf --page 9", 5, "[field-outside-page]"),
        ("no such page", "old.pdf --page 0", 5, "[field-outside-page]"),
        ("outside of the page", "old.pdf --box -10,10,50,50", 5, "[field-outside-page]"),
        ("a negative size", "old.pdf --box 10,10,-50,50", 5, "[field-outside-page]"),
        ("no number", "old.pdf --box 10,10,NaN,50", 2, "X,Y,W,H"),
        ("on top of another", "report.field.pdf --box 10,10,50,50", 5, "[field-overlaps]"),
        ("certified, P 2", "certified.pdf", 1, "[certified-no-changes]"),
        ("encrypted", "encrypted.pdf", 5, "[password-needed]"),
        ("over the original", "report.pdf -o report.pdf --overwrite", 5, "--in-place"),
        ("a name that is taken", "report.pdf -o old.pdf", 5, "--overwrite"),
        ("what is permitted, without a lock", "old.pdf --permit 1", 5, "--lock"),
        ("two locks", "old.pdf --lock all --lock-except a", 2, "--lock-except"),
        ("no certification", "old.pdf --ask-certify 4", 2, "4"),
        ("no address", "old.pdf --ask-timestamp tsä", 5, "[parameter-invalid]"),
    ] {
        let (told, found) = folder.run(&format!("lacre field {rest}"));
        assert_eq!(found, Some(status), "{situation}: {rest}\n{told}");
        assert!(told.contains(expected), "{situation}: {rest}\n{told}");
        assert!(folder.files() == before, "{situation}: {rest}: the folder is as it was");
    }
    folder.ok("lacre field encrypted.pdf --password päss --name A");
    folder.ok(&format!("lacre sign encrypted.field.pdf --field A {ANA} {SIGNED} --password päss"));
    judged(&folder, "encrypted.field.signed.pdf", &format!("{LATER} --password päss --evidence root.crl"));
}
