//! What a signature is put into, and how it looks.

use super::*;

#[test]
fn a_signature_more_and_a_counter_signature() {
    let folder = world("parallel");
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED}"));
    let later = "--at 2027-02-01T12:05:00Z";
    let told = folder.ok(&format!("lacre sign letter.txt.p7m {ANA} {later} -o two.p7m --role Notary --place PT/Porto"));
    assert!(told.starts_with("CAdES-BASELINE-B"), "{told}");
    let report = judged(&folder, "two.p7m", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report).len(), 2, "RFC 5652 5.1: a file may have several signers");

    let id = report["signatures"][0]["id"].as_str().expect("an id");
    folder.ok(&format!("lacre sign two.p7m --counter {id} {ANA} {later} -o three.p7m"));
    let report = judged(&folder, "three.p7m", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report).len(), 3, "RFC 5652 11.4");

    // What is at a higher level is raised alone.
    folder.ok(&format!("lacre issue crl --issuer root.der --issuer-key root.key --number 2 {LATER} -o root.crl"));
    folder.ok(&format!("lacre sign letter.txt.p7m {ANA} {UNIT} {TRUST} {LATER} --level lta -o raised.p7m"));
    let report = judged(&folder, "raised.p7m", &format!("{LATER} --evidence root.crl"));
    let mut found = levels(&report);
    found.sort_unstable();
    assert_eq!(found, ["CAdES-BASELINE-B", "CAdES-BASELINE-LTA"], "the other signature stays what it was");

    // PEM is taken, and DER written.
    folder.ok("openssl cms -cmsout -inform DER -in letter.txt.p7m -outform PEM -out letter.pem");
    folder.ok(&format!("lacre sign letter.pem --parallel {ANA} {later} -o four.p7m"));
    assert_eq!(folder.read("four.p7m")[0], 0x30, "DER");

    // A file beside its signature.
    folder.ok(&format!("lacre sign letter.txt --detached {ANA} {SIGNED}"));
    folder.ok(&format!("lacre sign letter.txt.p7s --content letter.txt {ANA} {later} -o two.p7s"));
    let report = judged(&folder, "two.p7s", &format!("{LATER} --content letter.txt --evidence root.crl"));
    assert_eq!(levels(&report).len(), 2);
}

#[test]
fn a_signature_that_is_seen() {
    let folder = world("seen");
    let seen =
        "--box 50,50,200,60 --page 1 --field Approval --reason Agreed --location Porto --contact ana@example.com";
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} {seen}"));
    let report = judged(&folder, "report.signed.pdf", &format!("{LATER} --evidence root.crl"));
    let text = report.to_string();
    assert!(text.contains("Agreed") && text.contains("Porto"), "{text}");
    let signed = folder.read("report.signed.pdf");
    let has = |words: &[u8]| signed.windows(words.len()).any(|window| window == words);
    assert!(has(b"/AP") && has(b"(Approval)"), "ISO 32000-1 12.5.5");
    // Another one beside it, in the next free field.
    folder.ok(&format!(
        "lacre sign report.signed.pdf {ANA} --at 2027-02-01T12:05:00Z --text {{name}} --box 50,200,200,60"
    ));
    let report = judged(&folder, "report.signed.signed.pdf", &format!("{LATER} --evidence root.crl"));
    assert_eq!(levels(&report), ["PAdES-BASELINE-B", "PAdES-BASELINE-B"]);
}

#[test]
fn a_file_that_takes_a_password() {
    let folder = world("password");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents");
    folder.write("encrypted.pdf", &std::fs::read(examples.join("encrypted.pdf")).expect("an example"));
    for (password, code) in [("", "password-needed"), ("--password wrong", "password-wrong")] {
        let (told, status) = folder.run(&format!("lacre sign encrypted.pdf {ANA} {SIGNED} {password}"));
        assert!(status == Some(5) && told.contains(&format!("[{code}]")), "{told}");
    }
    let password = "--password päss";
    folder.ok(&format!("lacre sign encrypted.pdf {ANA} {UNIT} {TRUST} {SIGNED} {password} --level lta"));
    let report = judged(&folder, "encrypted.signed.pdf", &format!("{LATER} {password}"));
    assert_eq!(levels(&report), ["PAdES-BASELINE-LTA"], "ISO 32000-1 7.6");
}
