//! A folder of trusted lists, brought up to date from a server that the test starts.

use lacre::trust::{LotlSigningCertificates, TrustedLists, read};
use lacre_fetch::lists::{Outcome, Update, Updated};
use lacre_fetch::{Addresses, Fetcher, Limits};
use lacre_testkit::http::{Reply, Request, Server};
use lacre_testkit::trusted_list::{List, Signer};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// What is published, by path.
type Published = Arc<Mutex<BTreeMap<String, Page>>>;

#[derive(Clone)]
enum Page {
    List(Vec<u8>),
    Silence,
    Endless,
    Status(u16),
    Redirect(String),
}

struct World {
    server: Server,
    published: Published,
    folder: tempfile::TempDir,
    /// Signers of the list of lists, then of the national lists.
    signers: Vec<Signer>,
}

const COUNTRIES: [&str; 3] = ["AA", "BB", "CC"];

impl World {
    fn new() -> Self {
        let published = Published::default();
        let pages = Arc::clone(&published);
        let server = Server::start(move |request| answer(&pages, request));
        let signers = ["LOTL", "LOTL 2", "AA", "BB", "CC", "Stranger"].map(Signer::new).into();
        let world = Self { server, published, folder: tempfile::tempdir().unwrap(), signers };
        world.lotl(1, &[0], 0, &[]);
        COUNTRIES.iter().for_each(|country| world.national(country, 1, country));
        world
    }

    fn signer(&self, name: &str) -> &Signer {
        let of = |signer: &&Signer| signer.certificate.subject().rfc2253().contains(&format!("CN={name}"));
        self.signers.iter().find(of).expect("it was made")
    }

    fn publish(&self, path: &str, page: Page) {
        self.published.lock().unwrap().insert(path.to_owned(), page);
    }

    /// Publishes the list of lists: its number, who may sign the next, who signs this, announcements and pivots.
    fn lotl(&self, number: u32, next: &[usize], signer: usize, information: &[String]) -> Vec<u8> {
        let mut pointers: Vec<_> = COUNTRIES
            .iter()
            .map(|name| (self.server.url(&format!("/{name}.xml")), *name, false, vec![self.signer(name)]))
            .collect();
        pointers.push((self.server.url("/lotl.xml"), "EU", true, next.iter().map(|at| &self.signers[*at]).collect()));
        let list = List { of_lists: true, territory: "EU", number, information, pointers: &pointers, services: &[] };
        let list = list.signed_by(&self.signers[signer]);
        self.publish("/lotl.xml", Page::List(list.clone()));
        list
    }

    fn national(&self, country: &str, number: u32, signer: &str) {
        let list = List { of_lists: false, territory: country, number, information: &[], pointers: &[], services: &[] };
        self.publish(&format!("/{country}.xml"), Page::List(list.signed_by(self.signer(signer))));
    }

    fn announcement(&self) -> LotlSigningCertificates {
        LotlSigningCertificates::of(&[self.signers[0].certificate.clone()])
    }

    fn update(&self) -> Updated {
        let fetcher = Fetcher::new(Addresses::public().and(&self.server.address()).unwrap());
        let mut limits = Limits::default();
        (limits.patience, limits.answer) = (Duration::from_millis(500), 1 << 20);
        let update = Update {
            session: &fetcher.session(limits),
            folder: self.folder.path(),
            announcement: &self.announcement(),
            list_of_lists: &self.server.url("/lotl.xml"),
            progress: &|progress| assert!(progress.done <= progress.all && progress.all == COUNTRIES.len()),
        };
        update.run().unwrap()
    }

    /// What came of the list of lists, AA, BB and CC, in short.
    fn outcomes(&self) -> Vec<String> {
        let short = |outcome: &Outcome| match outcome {
            Outcome::Kept { .. } => "kept".to_owned(),
            Outcome::Missing { .. } => "missing".to_owned(),
            other => other.to_string(),
        };
        self.update().lists.iter().map(|list| short(&list.outcome)).collect()
    }

    /// How many lists of the folder are trusted.
    fn trusted(&self) -> usize {
        let files = std::fs::read_dir(self.folder.path()).unwrap().flatten().map(|entry| entry.path());
        let lists = files.filter(|path| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let sources = lists.map(|path| read(&name(&path), &std::fs::read(&path).unwrap(), None)).collect();
        TrustedLists::assemble(sources, &self.announcement()).trusted()
    }
}

fn answer(pages: &Published, request: &Request) -> Reply {
    match pages.lock().unwrap().get(&request.path).cloned() {
        Some(Page::List(bytes)) => {
            let tag = format!(
                "\"{:x}\"",
                bytes.iter().fold(0_u64, |sum, o| sum.wrapping_mul(31).wrapping_add(u64::from(*o)))
            );
            match request.header("if-none-match") == Some(&tag) {
                true => Reply::status(304),
                false => Reply::Whole(200, vec![("ETag", tag)], bytes),
            }
        }
        Some(Page::Silence) => Reply::Silence,
        Some(Page::Endless) => Reply::Endless,
        Some(Page::Status(status)) => Reply::status(status),
        Some(Page::Redirect(to)) => Reply::redirect(to),
        None => Reply::status(404),
    }
}

#[test]
fn an_empty_folder_is_filled_and_then_only_what_changed_comes() {
    let world = World::new();
    assert_eq!(world.outcomes(), ["new, number 1"; 4]);
    assert_eq!(world.trusted(), 3);
    // Long ago, as far as the file's time tells.
    let file = std::fs::read_dir(world.folder.path())
        .unwrap()
        .flatten()
        .find(|e| e.path().to_string_lossy().contains("AA_xml"));
    let file = std::fs::File::options().append(true).open(file.unwrap().path()).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(world.outcomes(), ["unchanged"; 4]);
    let age = file.metadata().unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age < Duration::from_secs(60), "what is unchanged is as good as fetched now");
    world.national("BB", 2, "BB");
    assert_eq!(world.outcomes(), ["unchanged", "unchanged", "updated from number 1 to number 2", "unchanged"]);
    assert!(world.update().is_complete());
}

#[test]
fn one_bad_list_keeps_nobody_from_the_others() {
    let world = World::new();
    assert_eq!(world.outcomes(), ["new, number 1"; 4]);
    let private = Server::start(|_| Reply::ok("secret"));
    for (situation, page, why) in [
        ("a page", Page::List(b"<html><body>Moved</body></html>".to_vec()), "expected a TrustServiceStatusList"),
        ("no XML", Page::List(b"Not found".to_vec()), "the file is not XML"),
        ("not there", Page::Status(404), "status 404"),
        ("down", Page::Status(503), "status 503"),
        ("silent", Page::Silence, "no answer within 0.5 s"),
        ("endless", Page::Endless, "the answer is longer than 1048576 bytes"),
        ("into the private network", Page::Redirect(private.url("/")), "expected a public one"),
    ] {
        world.publish("/AA.xml", page);
        world.national("BB", 7, "BB");
        let updated = world.update();
        let lists: Vec<_> = updated.lists.iter().map(|list| list.outcome.to_string()).collect();
        assert!(lists[1].starts_with("the copy is kept: ") && lists[1].contains(why), "{situation}: {}", lists[1]);
        assert!(!lists[2].starts_with("the copy is kept"), "{situation}: {}", lists[2]);
        assert_eq!(world.trusted(), 3, "{situation}: the old copy counts");
        assert!(updated.is_complete(), "{situation}");
    }
    assert!(private.asked().is_empty());
}

#[test]
fn what_is_not_signed_as_it_should_be_replaces_nothing() {
    let world = World::new();
    assert_eq!(world.outcomes(), ["new, number 1"; 4]);
    // By a stranger; by another country's signer; changed after signing; older than the copy.
    world.national("AA", 2, "Stranger");
    world.national("BB", 2, "CC");
    world.national("CC", 0, "CC");
    assert_eq!(world.outcomes(), ["unchanged", "kept", "kept", "kept"]);
    let told: Vec<_> = world.update().lists.iter().map(|list| list.outcome.to_string()).collect();
    assert!(told[1].contains("who is not among the 1 signers that the list of lists names for it"), "{}", told[1]);
    assert!(told[3].contains("number 0 came, which is older than number 1"), "{}", told[3]);
    world.national("AA", 2, "AA");
    let Some(Page::List(mut changed)) = world.published.lock().unwrap().get("/AA.xml").cloned() else {
        panic!("a list")
    };
    let at = changed.windows(4).position(|bytes| bytes == b">2</").unwrap();
    changed[at + 1] = b'3';
    world.publish("/AA.xml", Page::List(changed));
    assert_eq!(world.outcomes()[1], "kept");
    // A list of lists by somebody who was not announced.
    world.lotl(2, &[1], 1, &[]);
    let told = world.update();
    assert!(told.lists[0].outcome.to_string().contains("not among the 1 signers"), "{}", told.lists[0].outcome);
    assert_eq!((world.trusted(), told.lists.len()), (3, 4), "the old one goes on to lead to the others");
}

#[test]
fn an_empty_folder_stays_empty_without_a_list_of_lists() {
    let world = World::new();
    world.lotl(1, &[1], 1, &[]);
    let updated = world.update();
    assert_eq!(updated.lists.len(), 1, "nobody is asked because a stranger says so");
    assert!(!updated.is_complete());
    assert_eq!(world.server.asked().len(), 1);
    assert_eq!(world.trusted(), 0);
}

#[test]
fn who_may_sign_the_next_is_told_when_it_changes() {
    let world = World::new();
    assert_eq!(world.update().alerts, Vec::<String>::new());
    // The pivot, signed under the announcement, names the next signer; the list of lists is signed by that one.
    let announced = "https://eur-lex.europa.eu/eli/C/2026/1/oj".to_owned();
    let pivot = world.server.url("/lotl-pivot-2.xml");
    let bytes = world.lotl(2, &[1], 0, &[pivot.clone(), announced.clone()]);
    world.publish("/lotl-pivot-2.xml", Page::List(bytes));
    world.lotl(3, &[1], 1, &[pivot, announced.clone()]);
    let updated = world.update();
    assert_eq!(updated.lists[0].outcome, Outcome::Updated { from: Some(1), to: Some(3) });
    assert_eq!(updated.alerts.len(), 3, "{:?}", updated.alerts);
    assert!(updated.alerts[0].contains(&announced), "{}", updated.alerts[0]);
    assert!(updated.alerts[1].starts_with("a signer of the list of lists is new"), "{}", updated.alerts[1]);
    assert!(updated.alerts[2].starts_with("a signer of the list of lists is gone"), "{}", updated.alerts[2]);
    assert_eq!(world.trusted(), 3);
    assert_eq!(world.update().alerts, Vec::<String>::new(), "once");
}
