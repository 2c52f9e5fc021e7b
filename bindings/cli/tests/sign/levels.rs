//! Each level of each form, extended step by step, renewed.

use super::*;

#[test]
fn each_level_of_each_form_is_what_lacre_validates() {
    let folder = world("levels");
    for (form, file, options, output, content) in [
        ("CAdES", "letter.txt", "", "letter.txt.p7m", ""),
        ("CAdES", "letter.txt", "--detached", "letter.txt.p7s", " --content letter.txt"),
        ("CAdES", "report.pdf", "--format cades", "report.pdf.p7m", ""),
        ("PAdES", "report.pdf", "", "report.signed.pdf", ""),
    ] {
        for level in ["b", "t", "lt", "lta"] {
            let expected = format!("{form}-BASELINE-{}", level.to_uppercase());
            let line = format!("lacre sign {file} {options} {ANA} {UNIT} {TRUST} --level {level} {SIGNED}");
            let told = folder.ok(&line);
            assert_eq!(told, format!("{expected:<18}  {file} -> {output}\n"), "EN 319 122-1 6, EN 319 142-1 6");
            // The evidence of level LT is inside.
            let evidence = if level.starts_with('l') { "" } else { " --evidence root.crl" };
            let report = judged(&folder, output, &format!("{LATER}{content}{evidence}"));
            assert_eq!(levels(&report), [&expected], "{output}");
            std::fs::remove_file(folder.path(output)).expect("it is ours");
        }
    }
}

#[test]
fn a_signature_is_extended_step_by_step_and_renewed_years_later() {
    let folder = world("extended");
    let by = "--issuer root.der --issuer-key root.key";
    for (file, form, name) in [("letter.txt", "CAdES", "letter.txt"), ("report.pdf", "PAdES", "report")] {
        folder.ok(&format!("lacre sign {file} {ANA} {SIGNED} -o {name}.b"));
        let mut before = "b";
        for (level, at) in [("t", SIGNED), ("lt", SIGNED), ("lta", LATER)] {
            let told = folder
                .ok(&format!("lacre extend {name}.{before} --level {level} {UNIT} {TRUST} {at} -o {name}.{level}"));
            assert!(told.starts_with(&format!("{form}-BASELINE-{}", level.to_uppercase())), "{told}");
            before = level;
        }
        // Ten years on; the signer's certificate has ended long ago.
        let at = "--at 2037-02-01T12:00:00Z";
        folder.ok(&format!("lacre issue crl {by} --number 2 {at} -o root.crl"));
        folder.ok(&format!("lacre extend {name}.lta {UNIT} {TRUST} {at} -o {name}.lta2"));
        let report = judged(&folder, &format!("{name}.lta2"), "--at 2037-02-02T12:00:00Z");
        assert_eq!(levels(&report), [format!("{form}-BASELINE-LTA")]);
        let (told, status) = folder.run(&format!("lacre extend {name}.lta --level lt {UNIT} {TRUST} {at}"));
        assert!(status == Some(0) && told.contains("UNCHANGED"), "nothing is to be done: {told}");
        folder.ok(&format!("lacre issue crl {by} --number 1 {SIGNED} -o root.crl"));
    }
}

#[test]
fn a_level_that_cannot_be_reached() {
    let folder = world("lower");
    let (told, status) = folder.run(&format!(
        "lacre sign letter.txt {ANA} {UNIT} {SIGNED} --trust-anchor root.der --level lta --accept-lower"
    ));
    assert_eq!(status, Some(3), "{told}");
    assert!(told.starts_with("CAdES-BASELINE-T    letter.txt -> letter.txt.p7m"), "{told}");
    assert!(told.contains("lacre: note: letter.txt: not extended: "), "{told}");
    folder.ok(&format!("lacre extend letter.txt.p7m {UNIT} {TRUST} {SIGNED} --in-place"));
    assert_eq!(levels(&judged(&folder, "letter.txt.p7m", LATER)), ["CAdES-BASELINE-LTA"]);
}

#[test]
fn what_would_be_wanted_is_said_and_nothing_written() {
    let folder = world("dry");
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED}"));
    let before = folder.files();
    let dry = format!("lacre extend letter.txt.p7m --dry-run {SIGNED} --trust-anchor root.der");
    let told = folder.ok(&format!("{dry} --evidence root.crl"));
    assert!(told.starts_with("==> letter.txt.p7m <==\nCAdES-BASELINE-B    S-"), "{told}");
    assert!(told.ends_with("\n  time-stamps for LTA: 2\n"), "{told}");
    let (told, status) = folder.run(&format!("{dry} --json"));
    let object: Value = serde_json::from_str(&told).expect("an object");
    assert_eq!(status, Some(5), "the status of doing it");
    assert_eq!(object["signatures"][0]["level"], "CAdES-BASELINE-B", "{object}");
    assert_eq!(object["signatures"][0]["error"]["code"], "revocation-missing", "{object}");
    assert!(folder.files() == before);
}

#[test]
fn time_stamps_over_files() {
    let folder = world("stamps");
    let told = folder.ok(&format!("lacre timestamp letter.txt report.pdf {UNIT} {TRUST} {SIGNED}"));
    assert!(told.contains("TIME-STAMP          letter.txt -> letter.txt.tst\n"), "{told}");
    assert!(told.contains("TIME-STAMP          report.pdf -> report.stamped.pdf\n"), "{told}");
    let report = folder.ok(&format!("lacre validate letter.txt.tst --content letter.txt {LATER} {TRUST}"));
    assert!(report.contains("TOTAL-PASSED") && report.contains("letter.txt (entire)"), "{report}");
    let report = folder.ok(&format!("lacre validate report.stamped.pdf {LATER} {TRUST}"));
    assert!(report.contains("TOTAL-PASSED"), "{report}");
    assert!(folder.read("report.stamped.pdf").starts_with(&folder.read("report.pdf")));

    folder.ok("openssl x509 -inform DER -in root.der -out root.pem");
    let verified = folder
        .ok("openssl ts -verify -data letter.txt -in letter.txt.tst -token_in -CAfile root.pem -attime 1801483200");
    assert!(verified.contains("Verification: OK"), "{verified}");

    let at = "--at 2037-02-01T12:00:00Z";
    folder.ok(&format!("lacre issue crl --issuer root.der --issuer-key root.key --number 2 {at} -o root.crl"));
    folder.ok(&format!("lacre timestamp report.stamped.pdf --renew {UNIT} {TRUST} {at}"));
    let renewed = folder.read("report.stamped.renewed.pdf");
    assert!(renewed.starts_with(&folder.read("report.stamped.pdf")));
}
