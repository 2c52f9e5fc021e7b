//! Every command of docs/trust.md and docs/online.md, against servers that the test starts on the loopback address.
//!
//! What a reader has and the test has not, public addresses and a list of lists signed by the Commission, is made up for
//! by options that are added to the line.

mod common;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre_testkit::authorities::now;
use lacre_testkit::http::Server;
use lacre_testkit::published::Published;
use lacre_testkit::served;
use lacre_testkit::trusted_list;
use std::path::Path;
use std::process::{Command, Output};

/// A folder with what the pages name, and the servers.
struct World {
    folder: tempfile::TempDir,
    authorities: Server,
    published: Published,
}

impl World {
    fn new() -> Self {
        let (pki, authorities) = served::start(|_, _| None);
        let pki = pki.get().expect("it is made");
        let published = Published::new(&pki.authority);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("it is ours");
        write("contract.pdf", &pki.signed(b"a contract"));
        write("seal.der", pki.signer.der());
        write("root.der", pki.root.der());
        let scheme = trusted_list::Signer::new("Scheme");
        write("scheme.der", scheme.certificate.der());
        let (authority, issued) = (BASE64_STANDARD.encode(pki.authority.der()), now());
        write("entities.jwt", &scheme.jws(&format!(r#"{{"LoTE":{{"ListAndSchemeInformation":{{"LoTESequenceNumber":1,"ListIssueDateTime":"{issued}"}},"TrustedEntitiesList":[{{"TrustedEntityInformation":{{"TEName":[{{"lang":"en","value":"Example Access"}}]}},"TrustedEntityServices":[{{"ServiceInformation":{{"ServiceDigitalIdentity":{{"X509Certificates":[{{"val":"{authority}"}}]}}}}}}]}}]}}}}"#)));
        let packer = trusted_list::Signer::packer("Packer");
        write("packer.der", packer.certificate.der());
        write("packer.key", &packer.key());
        let signer = BASE64_STANDARD.encode(published.signer.certificate.der());
        let lines = signer.as_bytes().chunks(64).map(String::from_utf8_lossy).collect::<Vec<_>>().join("\n");
        write("signer.pem", format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n").as_bytes());
        Self { folder, authorities, published }
    }

    /// Runs a line of a page; what it said, on stdout and stderr.
    fn run(&self, line: &str) -> (Output, String) {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let mut add = |options: &[String]| words.extend_from_slice(options);
        if line.starts_with("lacre lists update") {
            add(&self.published.options());
        }
        if line.contains("lists") && !line.contains("--lotl-signer") {
            add(&["--lotl-signer".into(), "signer.pem".into()]);
        }
        if line.contains("--online") {
            add(&["--allow-address".into(), self.authorities.address()]);
        }
        let done = match words.split_first() {
            Some((lacre, arguments)) if lacre == "lacre" => {
                let mut command = common::lacre();
                command.args(arguments).env("XDG_CACHE_HOME", self.folder.path().join("cache"));
                command.current_dir(self.folder.path()).output()
            }
            _ => Command::new("sh").args(["-c", line]).current_dir(self.folder.path()).output(),
        };
        let done = done.expect("the command was built, and there is a shell");
        let said = format!("{line}\n{}{}", text(&done.stdout), text(&done.stderr));
        (done, said)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines of the page's `sh` blocks.
fn commands(page: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let page = std::fs::read_to_string(path).expect("the page is there");
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

#[test]
fn every_command_of_the_page_on_trust() {
    let world = World::new();
    let digest = world.published.signer.certificate.sha256().map(|byte| format!("{byte:02x}")).concat();
    let listed = "Seals of Example Trust: status “granted” since";
    let rows: [(&str, i32, &[&str]); 12] = [
        ("lacre lists update lists/", 0, &["EU   new, number 7", "EE   new, number 62", "0 missing"]),
        // The lists are there; revocation data is not, and is not fetched.
        ("lacre validate contract.pdf --trusted-lists lists/", 3, &[listed, "sequence number 62"]),
        ("lacre lists show lists/", 0, &["EU   list of lists 7", "EE   trusted list 62", "1 of 2 lists are trusted"]),
        ("lacre lists pack lists/ -o trust.lacre", 0, &[]),
        ("lacre validate contract.pdf --trusted-lists trust.lacre", 3, &[listed, "sequence number 62"]),
        ("lacre lists show trust.lacre", 0, &["EE   trusted list 62"]),
        (
            "lacre validate contract.pdf --trusted-lists trust-2023-10.lacre --at 2023-10-28T00:00:00Z",
            3,
            &["Validation time", "2023-10-28 00:00:00 UTC"],
        ),
        (
            "lacre validate contract.pdf --trusted-lists snapshots/ --at 2023-10-28T00:00:00Z",
            3,
            &["of 1 snapshots, the one with lists up to", "2023-10-28 00:00:00 UTC"],
        ),
        ("lacre lists pack lists/ -o signed.lacre --key packer.key --certificate packer.der", 0, &[]),
        (
            "lacre validate contract.pdf --trusted-lists signed.lacre --packed-by packer.der",
            3,
            &[listed, "trusted lists from a snapshot packed and signed by CN=Packer"],
        ),
        ("openssl x509 -in signer.pem -outform DER | openssl dgst -sha256", 0, &[&digest]),
        ("lacre validate contract.pdf --trusted-lists lists/ --lotl-signer signer.pem", 3, &[listed]),
    ];
    let entities: [(&str, i32, &[&str]); 2] = [
        ("lacre lists show entities.jwt", 0, &["list of trusted entities 1", "Example Access"]),
        (
            "lacre validate contract.pdf --trusted-entities entities.jwt --entities-signer scheme.der",
            3,
            &["Example CA, chosen by the party"],
        ),
    ];
    let own = ("lacre validate contract.pdf --trust-anchor root.der", 3, &["does not reach a trust anchor"][..]);
    let commands = commands("trust.md");
    let expected: Vec<&str> = rows.iter().chain([&own]).chain(&entities).map(|(line, ..)| *line).collect();
    assert_eq!(commands, expected, "the commands of the page are those of this table, in its order");
    for (line, status, says) in rows.iter().chain([&own]).chain(&entities) {
        if line.contains("trust-2023-10.lacre") {
            let path = |name: &str| world.folder.path().join(name);
            std::fs::copy(path("trust.lacre"), path("trust-2023-10.lacre")).expect("it was packed");
            std::fs::create_dir(path("snapshots")).expect("the folder is ours");
            std::fs::copy(path("trust.lacre"), path("snapshots/2023-10.lacre")).expect("it was packed");
        }
        let (done, said) = world.run(line);
        assert_eq!(done.status.code(), Some(*status), "{said}");
        for say in *says {
            assert!(said.contains(say), "{say} in {said}");
        }
    }
}

#[test]
fn every_command_of_the_page_on_going_online() {
    let world = World::new();
    let rows: [(&str, i32, &[&str]); 4] = [
        ("lacre lists update lists", 0, &["2 lists: 2 updated, 0 unchanged"]),
        ("lacre lists show lists", 0, &["EE   trusted list 62"]),
        (
            "lacre validate contract.pdf --trusted-lists lists --online --bundle evidence.zip",
            0,
            &["TOTAL-PASSED", "sequence number 62"],
        ),
        ("lacre certificate seal.der --trusted-lists lists --online", 0, &["PASSED", "not revoked"]),
    ];
    let mut commands = commands("online.md");
    // The page explains evidence first, for a reader who has lists.
    commands.sort_by_key(|line| !line.starts_with("lacre lists"));
    assert_eq!(commands, rows.map(|(line, ..)| line), "the commands of the page are those of this table");
    for (line, status, says) in rows {
        let (done, said) = world.run(line);
        assert_eq!(done.status.code(), Some(status), "{said}");
        for say in says {
            assert!(said.contains(say), "{say} in {said}");
        }
    }
    let (done, said) = world.run("lacre replay evidence.zip contract.pdf");
    assert_eq!(done.status.code(), Some(0), "{said}");
}
