//! Keys at a remote signing service, good and bad ones.

use super::folder::secret;
use super::*;
use lacre_testkit::csc::Service;
use lacre_testkit::http::{Reply, Server};
use std::sync::Arc;

/// A folder with files to be signed and the secrets of a client, and the service.
struct World {
    folder: Folder,
    server: Server,
}

impl World {
    fn new(name: &str) -> Self {
        let service = Arc::new(Service::new());
        let own = Arc::clone(&service);
        let server = Server::start(move |request| match request.path.as_str() {
            "/page/info" => Reply::ok("<!DOCTYPE html><html><title>Welcome</title></html>"),
            "/moved/info" => Reply::redirect("/csc/v2/info"),
            "/endless/info" => Reply::Endless,
            _ => own.answer(request),
        });
        let folder = Folder::new(&format!("sign-remote-{name}"));
        folder.write("root.der", service.pki.root.der());
        folder.write("ca.der", service.pki.authority.der());
        for file in ["a.txt", "b.txt", "c.txt"] {
            folder.write(file, format!("Dear {file}").as_bytes());
        }
        let pdf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/documents/not-signed.pdf");
        folder.write("report.pdf", &std::fs::read(pdf).expect("an example"));
        for (name, text) in [
            ("login", "client:s3cret\n"),
            ("other", "client:wr0ng\n"),
            ("token", "opens\n"),
            ("pin", "1234\n"),
            ("wrong", "4321\n"),
        ] {
            secret(&folder, name, text);
        }
        Self { folder, server }
    }

    /// What follows the files: the service, by another path, and a credential.
    fn service(&self, path: &str, credential: &str) -> String {
        let (url, address) = (self.server.url(path), self.server.address());
        format!("--csc {url} --csc-credential {credential} --allow-address {address}")
    }

    fn asked(&self, method: &str) -> usize {
        self.server.asked().iter().filter(|request| request.path == format!("/csc/v2/{method}")).count()
    }

    fn check(&self, file: &str) {
        // The verdict needs revocation data; that the signature is intact does not.
        let (text, _) = self.folder.run(&format!("lacre validate {file} --trust-anchor root.der --format json"));
        let report: Value =
            serde_json::from_str(text.lines().find(|line| line.starts_with('{')).expect(&text)).expect("a report");
        let signature = &report["signatures"][0];
        assert!(signature["indication"] != "TOTAL-FAILED" && signature["level"].as_str().is_some(), "{file}: {text}");
    }
}

#[test]
fn many_files_by_few_authorisations() {
    let world = World::new("many");
    let service = world.service("/csc/v2", "ec");
    let files = "a.txt b.txt missing.txt c.txt report.pdf";
    let (told, status) =
        world.folder.run(&format!("lacre sign {files} {service} --csc-login login --csc-auth PIN=pin"));
    let expected = "CAdES-BASELINE-B    a.txt -> a.txt.p7m\n\
                    CAdES-BASELINE-B    b.txt -> b.txt.p7m\n\
                    ERROR               missing.txt\n\
                    CAdES-BASELINE-B    c.txt -> c.txt.p7m\n\
                    PAdES-BASELINE-B    report.pdf -> report.signed.pdf\n\
                    5 files: 4 written, 1 ERROR\n";
    assert!(told.starts_with(expected) && status == Some(5), "{told}");
    // Two digests an authorisation, by the credential's limit: two, one (beside the missing file), one.
    assert_eq!((world.asked("credentials/authorize"), world.asked("signatures/signHash")), (3, 3));
    ["a.txt.p7m", "b.txt.p7m", "c.txt.p7m", "report.signed.pdf"].iter().for_each(|file| world.check(file));
}

#[test]
fn keys_and_secrets_of_each_kind() {
    let world = World::new("kinds");
    for (situation, credential, rest) in [
        ("ECDSA", "ec", "--csc-login login"),
        ("Base64 of addresses", "loose", "--csc-login login"),
        ("RSA", "rsa", "--csc-login login"),
        ("RSASSA-PSS", "rsa", "--csc-login login --pss"),
        ("a token that was had elsewhere", "ec", "--csc-token token"),
        ("a token that authorises", "oauth", "--csc-token sole"),
    ] {
        secret(&world.folder, "sole", "for-two-hashes\n");
        let service = world.service("/csc/v2", credential);
        let pin = if credential == "oauth" { "" } else { "--csc-auth PIN=pin" };
        world.folder.ok(&format!("lacre sign a.txt {service} {rest} {pin} --overwrite"));
        world.check("a.txt.p7m");
        assert!(!situation.is_empty());
    }
}

#[test]
fn services_that_are_of_no_use() {
    let world = World::new("useless");
    let usual = "--csc-login login --csc-auth PIN=pin";
    let before = world.folder.files();
    for (situation, path, credential, rest, status, expected) in [
        ("another certificate", "/csc/v2", "stranger", usual, 1, "[value-does-not-verify]"),
        ("a value over something else", "/csc/v2", "elsewhere", usual, 1, "[value-does-not-verify]"),
        ("fewer values", "/csc/v2", "fewer", usual, 5, "(count-differs)"),
        ("no value", "/csc/v2", "garbled", usual, 5, "(csc-answer)"),
        ("a value that comes later", "/csc/v2", "later", usual, 5, "(csc-answer)"),
        ("a web page", "/csc/v2", "page", usual, 5, "an HTML page"),
        ("down", "/csc/v2", "broken", usual, 5, "(csc-unreachable)"),
        ("a redirect", "/csc/v2", "moved", usual, 5, "status 302"),
        ("no end", "/csc/v2", "endless", usual, 5, "(csc-unreachable)"),
        ("a key that is not in use", "/csc/v2", "disabled", usual, 5, "(csc-disabled)"),
        ("no certificate", "/csc/v2", "bare", usual, 5, "(csc-answer)"),
        ("no such credential", "/csc/v2", "unknown", usual, 5, "(csc-refused)"),
        ("a web page from the first", "/page", "ec", usual, 5, "an HTML page"),
        ("a redirect from the first", "/moved", "ec", usual, 5, "status 302"),
        ("no end from the first", "/endless", "ec", usual, 5, "(csc-unreachable)"),
        ("another secret", "/csc/v2", "ec", "--csc-login other --csc-auth PIN=pin", 5, "(csc-denied)"),
        ("another token", "/csc/v2", "ec", "--csc-token other --csc-auth PIN=pin", 5, "(csc-denied)"),
        ("a login without a secret", "/csc/v2", "ec", "--csc-login pin --csc-auth PIN=pin", 5, "NAME:SECRET"),
        ("no login", "/csc/v2", "ec", "--csc-auth PIN=pin", 5, "--csc-login"),
        ("another PIN", "/csc/v2", "ec", "--csc-login login --csc-auth PIN=wrong", 5, "[key-refused]"),
        ("no PIN and no terminal", "/csc/v2", "ec", "--csc-login login", 5, "--csc-auth PIN=FILE"),
        ("a PIN of another name", "/csc/v2", "ec", "--csc-login login --csc-auth OTP=pin", 5, "it asks for: PIN"),
        ("a browser", "/csc/v2", "oauth", "--csc-login login", 5, "--csc-token"),
        ("an algorithm of another key", "/csc/v2", "ec", &format!("{usual} --digest SHA512"), 5, "(csc-algorithm)"),
        (
            "the certificate that is expected",
            "/csc/v2",
            "ec",
            &format!("{usual} --certificate ca.der"),
            5,
            "[certificate-key-mismatch]",
        ),
        ("two keys", "/csc/v2", "ec", &format!("{usual} --key pin"), 2, "cannot be used with"),
    ] {
        let line = format!("lacre sign a.txt {} {rest}", world.service(path, credential));
        let (told, found) = world.folder.run(&line);
        assert_eq!(found, Some(status), "{situation}: {told}");
        assert!(told.contains(expected), "{situation}: {told}");
        assert!(
            !told.contains("1234") && !told.contains("4321") && !told.contains("s3cret") && !told.contains("wr0ng"),
            "{told}"
        );
        assert!(world.folder.files() == before, "{situation}: the folder is as it was");
    }
    let (told, status) = world.folder.run(&format!("lacre sign a.txt --csc {} {usual}", world.server.url("/csc/v2")));
    assert!(status == Some(5) && told.contains("expected a public one"), "an address of the own network: {told}");
    let (told, _) = world.folder.run(&format!(
        "lacre sign a.txt --csc {} --allow-address {} {usual}",
        world.server.url("/csc/v2"),
        world.server.address()
    ));
    assert!(told.contains("--csc-credential names one of them: ec, rsa"), "{told}");

    let asked = world.asked("credentials/authorize");
    let wrong = format!("{} --csc-login login --csc-auth PIN=wrong", world.service("/csc/v2", "ec"));
    let (told, _) = world.folder.run(&format!("lacre sign a.txt b.txt c.txt report.pdf {wrong}"));
    assert_eq!(world.asked("credentials/authorize"), asked + 1, "of a wrong PIN there are few tries: {told}");
    assert!(told.contains("the key was refused for a file before"), "{told}");
    assert!(world.folder.files() == before);
}
