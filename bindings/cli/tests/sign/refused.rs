//! What is refused, with which code, and that it leaves everything as it was.

use super::*;

#[test]
fn what_is_refused_leaves_everything_as_it_was() {
    let folder = world("refused");
    folder.ok(&format!("lacre sign report.pdf {ANA} {SIGNED} --certify 1 -o certified.pdf"));
    folder.ok(&format!("lacre sign letter.txt {ANA} {SIGNED} -o signed.p7m"));
    folder.ok(&format!("lacre sign letter.txt {ANA} {UNIT} {SIGNED} --level t -o t.p7m"));
    let mut broken = folder.read("signed.p7m");
    let end = broken.len() - 9;
    broken[end] ^= 1;
    folder.write("broken.p7m", &broken);
    folder.write("cut.pdf", &folder.read("report.pdf")[..300]);
    folder.write("there.pdf", b"something of the user's");
    folder.write("page.html", b"<!DOCTYPE html><html></html>");
    let weak = "lacre issue user --issuer root.der --issuer-key root.key --country PT --given-name Eva --surname B";
    folder.ok(&format!("{weak} --serial-number 2 --key eva.key --new-key ecdsa-p256 --days 10 {ISSUED} -o eva.der"));
    folder.ok("lacre sign letter.txt --key eva.key --certificate eva.der --at 2027-01-05T00:00:00Z -o eva.p7m");
    let serial = folder.ok("openssl x509 -inform DER -in ana.der -noout -serial");
    let serial = serial.trim().trim_start_matches("serial=");
    let by = "--issuer root.der --issuer-key root.key";
    folder.ok(&format!(
        "lacre issue crl {by} --number 3 --revoked {serial}=2027-01-02T00:00:00Z,keyCompromise {SIGNED} -o revoked.crl"
    ));
    folder.ok(&format!("lacre issue crl {by} --number 1 --at 2027-01-30T00:00:00Z -o old.crl"));

    let sign = |rest: &str| format!("lacre sign {rest} {ANA} {SIGNED}");
    let extend = |rest: &str| format!("lacre extend {rest} {UNIT} {SIGNED} --trust-anchor root.der");
    let rows: Vec<(&str, String, i32, &str)> = vec![
        ("no file", sign("missing.txt"), 5, "missing.txt: "),
        ("a name that is taken", sign("report.pdf -o there.pdf"), 5, "--overwrite"),
        ("over the original", sign("report.pdf -o report.pdf --overwrite"), 5, "--in-place"),
        ("in place of another kind", sign("letter.txt --in-place"), 5, "another kind"),
        ("several files into one", sign("report.pdf letter.txt -o x"), 5, "--output-dir"),
        ("no authority", sign("letter.txt --level t"), 5, "--tsa-key"),
        ("a damaged PDF", sign("cut.pdf"), 5, "[pdf-needs-repair]"),
        ("another format", sign("letter.txt --format pades"), 5, "found no PDF"),
        ("no signature to add to", sign("letter.txt --parallel"), 5, "found no CAdES signature"),
        ("a signature that is not there", sign("signed.p7m --counter S-1"), 4, "[signature-not-found]"),
        ("ISO 32000-1 12.8.2.2: certified, P 1", sign("certified.pdf"), 1, "[certified-no-changes]"),
        ("a second certification", sign("old.pdf --certify 2"), 1, "[certification-not-first]"),
        ("no such field", sign("report.pdf --field Nobody"), 5, "[field-not-found]"),
        ("no such page", sign("report.pdf --page 9"), 5, "[field-outside-page]"),
        ("outside of the page", sign("report.pdf --box 5000,5000,10,10"), 5, "[field-outside-page]"),
        (
            "EN 319 142-1 6.3: reason and commitment",
            sign("report.pdf --reason x --commitment approval"),
            5,
            "[parameters-conflict]",
        ),
        ("a reason in CAdES", sign("letter.txt --reason x"), 5, "[parameter-not-in-format]"),
        ("no country", sign("letter.txt --place Portugal"), 5, "[parameter-invalid]"),
        ("no picture", sign("report.pdf --box 10,10,90,40 --picture letter.txt"), 5, "[picture-unreadable]"),
        ("a policy without digest", sign("letter.txt --policy-id 1.2.3"), 5, "[parameter-invalid]"),
        ("TS 119 312: SHA-1", sign("letter.txt --digest SHA1"), 1, "[algorithm-not-allowed]"),
        (
            "RFC 5280 4.1.2.5: an ended certificate",
            "lacre sign letter.txt --key eva.key --certificate eva.der --at 2027-02-01T00:00:00Z".into(),
            1,
            "[certificate-outside-validity]",
        ),
        (
            "no revocation data",
            sign(&format!("letter.txt --level lt {UNIT} --trust-anchor root.der")),
            5,
            "[revocation-missing]",
        ),
        ("nobody trusted", sign(&format!("letter.txt --level lt {UNIT} --no-trusted-lists")), 5, "[chain-not-trusted]"),
        ("no signature", extend("letter.txt"), 5, "[document-unreadable]"),
        ("a web page", extend("page.html"), 4, "[not-extendable]"),
        ("a broken signature", extend("broken.p7m"), 1, "[signature-invalid]"),
        ("no revocation data", extend("t.p7m"), 5, "[revocation-missing]"),
        ("older than the time-stamp", extend("t.p7m --evidence old.crl"), 5, "[revocation-too-old]"),
        ("revoked before", extend("t.p7m --evidence revoked.crl"), 1, "[certificate-revoked]"),
        ("expired before any proof", extend("eva.p7m --level t"), 1, "[certificate-expired]"),
        ("another signature", extend("t.p7m --signature S-1"), 4, "[signature-not-found]"),
        ("no authority", format!("lacre extend signed.p7m {SIGNED} {TRUST}"), 5, "[tsa-unreachable]"),
        ("no authority", "lacre timestamp letter.txt".into(), 5, "--tsa-key"),
        (
            "a unit of another key",
            format!("lacre timestamp letter.txt --tsa-key ana.key --tsa-certificate tsu.der {SIGNED}"),
            5,
            "tsu.der: ",
        ),
    ];
    let before = folder.files();
    for (situation, line, status, expected) in rows {
        let (told, found) = folder.run(&line);
        assert_eq!(found, Some(status), "{situation}: {line}\n{told}");
        assert!(told.contains(expected), "{situation}: {line}\n{told}");
        assert!(folder.files() == before, "{situation}: {line}: the folder is as it was");
    }
}
