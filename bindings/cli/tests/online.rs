//! The command on the network, against servers that the tests start on the loopback address.

mod common;

use lacre_testkit::http::{Reply, Server};
use lacre_testkit::served;
use lacre_testkit::trusted_list::{List, Signer};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::{Arc, OnceLock};

/// A folder with the authorities' certificates and a signed file, and the server that has what belongs to them.
struct World {
    folder: tempfile::TempDir,
    server: Server,
}

impl World {
    /// `ocsp` and `crl`: whether the server has them.
    fn new(ocsp: bool, crl: bool) -> Self {
        let (pki, server) = served::start(move |_, request| {
            let refused = !crl && request.path == "/ca.crl" || !ocsp && request.path.starts_with("/ocsp");
            refused.then(|| Reply::status(404))
        });
        let pki = pki.get().expect("it is made");
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is ours");
        write("root.der", pki.root.der());
        write("signer.der", pki.signer.der());
        write("contract.p7m", &pki.signed(b"a contract"));
        Self { folder, server }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn lacre(&self, arguments: &[&str]) -> Output {
        let command = common::lacre()
            .args(arguments)
            .current_dir(self.folder.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            .output();
        command.expect("the command was built")
    }

    fn online(&self, arguments: &[&str]) -> Output {
        let network = ["--trust-anchor", "root.der", "--online", "--allow-address", &self.server.address()];
        self.lacre(&[arguments, &network].concat())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {}", text(&output.stderr)))
}

#[test]
fn a_signature_that_lacks_evidence_is_judged_with_what_is_fetched() {
    let world = World::new(true, true);
    let offline = world.lacre(&["validate", "contract.p7m", "--trust-anchor", "root.der", "--format", "json"]);
    assert_eq!(offline.status.code(), Some(3));
    assert_eq!(json(&offline)["wanted"][0]["kind"], "issuer", "{}", json(&offline)["wanted"]);

    let done = world.online(&["validate", "contract.p7m", "--bundle", "evidence.zip", "--format", "json"]);
    assert_eq!(done.status.code(), Some(0), "{}{}", text(&done.stdout), text(&done.stderr));
    assert_eq!(text(&done.stderr), "");
    assert_eq!(json(&done)["wanted"], Value::Array(vec![]));
    let asked = world.server.asked().len();
    let replayed = world.lacre(&["replay", "evidence.zip", "contract.p7m", "--format", "json"]);
    assert_eq!(replayed.status.code(), Some(0), "{}", text(&replayed.stderr));
    assert_eq!(json(&replayed), json(&done), "the same report from the evidence alone");
    assert_eq!(world.server.asked().len(), asked, "offline");
    assert!(std::fs::read_dir(world.path("cache/lacre")).expect("it was made").count() >= 2, "what HTTP lets be kept");
}

#[test]
fn what_cannot_be_fetched_is_said_on_stderr_and_in_the_report() {
    let world = World::new(false, false);
    let done = world.online(&["validate", "contract.p7m", "--format", "json"]);
    assert_eq!(done.status.code(), Some(3), "{}", text(&done.stdout));
    let talk = text(&done.stderr);
    let expected =
        format!("lacre: note: {}: the server answers with status 404, expected 200\n", world.server.url("/ca.crl"));
    assert!(talk.contains(&expected), "{talk}");
    let report = json(&done);
    let wanted = report["wanted"].as_array().expect("a list");
    assert_eq!(wanted.len(), 2, "{wanted:?}");
    for want in wanted {
        assert_eq!(want["tried"][0]["reason"], "the server answers with status 404, expected 200", "{want}");
    }
    // Without leave, nothing on this machine is asked.
    let before = world.server.asked().len();
    let done = world.lacre(&["validate", "contract.p7m", "--trust-anchor", "root.der", "--online"]);
    assert_eq!(done.status.code(), Some(3));
    assert!(text(&done.stderr).contains("has the address 127.0.0.1, expected a public one"), "{}", text(&done.stderr));
    assert_eq!(world.server.asked().len(), before);
    let usage = world.lacre(&["validate", "contract.p7m", "--online", "--allow-address", "localhost"]);
    assert_eq!(usage.status.code(), Some(5));
    assert!(text(&usage.stderr).contains("expected an IP address"), "{}", text(&usage.stderr));
}

#[test]
fn a_certificate_is_judged_with_what_is_fetched() {
    let world = World::new(false, true);
    std::fs::write(world.path("page.html"), "<html></html>").expect("the folder is ours");
    let done = world.online(&["certificate", "signer.der", "page.html", "root.der", "--format", "json"]);
    assert_eq!(done.status.code(), Some(5), "one is no certificate");
    let lines: Vec<Value> =
        text(&done.stdout).lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    assert_eq!(lines.len(), 3, "a line each, in the order given");
    assert_eq!((&lines[0]["indication"], &lines[0]["chain"].as_array().map(Vec::len)), (&"PASSED".into(), &Some(3)));
    assert_eq!(lines[0]["revocations"].as_array().map(Vec::len), Some(2), "{}", lines[0]);
    assert_eq!(lines[0]["qualification_at_time"], "NA");
    assert!(lines[1]["error"].as_str().is_some_and(|error| error.contains("expected a certificate")), "{}", lines[1]);
    assert_eq!(lines[2]["indication"], "PASSED", "an anchor is trusted");
    let schema =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/certificate.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("it is in the tree")).expect("it is JSON");
    assert_eq!(schema["title"], lines[1]["schema"]);

    let shown = world.online(&["certificate", "signer.der"]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stderr));
    let shown = text(&shown.stdout);
    for line in
        ["✔ Certificate of Example Seal", "The certificate is valid at the validation time. (PASSED)", "not revoked"]
    {
        assert!(shown.contains(line), "{line} in {shown}");
    }
}

#[test]
fn lists_are_updated_and_used() {
    let world = World::new(true, true);
    let (lotl, national) = (Signer::new("LOTL"), Signer::new("AA"));
    let published: Arc<OnceLock<(Vec<u8>, Vec<u8>)>> = Arc::default();
    let pages = Arc::clone(&published);
    let server = Server::start(move |request| match (request.path.as_str(), pages.get()) {
        ("/lotl.xml", Some((list, _))) => Reply::ok(list.clone()),
        ("/AA.xml", Some((_, list))) => Reply::ok(list.clone()),
        _ => Reply::ok("<html>moved</html>"),
    });
    let pointers = [
        (server.url("/AA.xml"), "AA", false, vec![&national]),
        (server.url("/BB.xml"), "BB", false, vec![&national]),
        (server.url("/lotl.xml"), "EU", true, vec![&lotl]),
    ];
    let list =
        List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
    let own = List { of_lists: false, territory: "AA", number: 3, information: &[], pointers: &[], services: &[] };
    published.get_or_init(|| (list.signed_by(&lotl), own.signed_by(&national)));
    std::fs::write(world.path("lotl.der"), lotl.certificate.der()).expect("the folder is ours");
    let (url, address) = (server.url("/lotl.xml"), server.address());
    let update =
        ["lists", "update", "lists", "--list-of-lists", &url, "--lotl-signer", "lotl.der", "--allow-address", &address];
    let done = world.lacre(&update);
    assert_eq!(done.status.code(), Some(5), "one list is missing");
    let said = text(&done.stdout);
    for line in [
        "EU   new, number 7",
        "AA   new, number 3",
        "BB   missing: the file is",
        "3 lists: 2 updated, 0 unchanged, 0 kept as they were, 1 missing",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    let shown = world.lacre(&["lists", "show", "lists", "--lotl-signer", "lotl.der"]);
    assert_eq!(shown.status.code(), Some(0), "{}", text(&shown.stdout));
    assert!(text(&shown.stdout).contains("AA   trusted list 3"), "{}", text(&shown.stdout));
    // A stranger's list of lists leads nowhere.
    let update =
        ["lists", "update", "other", "--list-of-lists", &url, "--lotl-signer", "root.der", "--allow-address", &address];
    let done = world.lacre(&update);
    assert_eq!(done.status.code(), Some(5));
    assert!(text(&done.stdout).contains("EU   missing: list of lists 7 is signed by"), "{}", text(&done.stdout));
}
