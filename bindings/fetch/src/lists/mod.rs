//! Updates a folder of trusted lists: TS 119 615 §4.1, TS 119 612 §5.3.13.
//!
//! An update fetches the list of trusted lists (LOTL) with the pivots that it names, and then every list to which the LOTL
//! points once it can be relied on. A fetched file is read and judged before it replaces the copy in the folder: a file
//! that is not a list, is not signed by an authorised certificate, or is older than the copy does not replace it. A bad
//! list is reported and does not affect the others.

mod known;
mod load;
mod outcome;

pub use load::{LoadError, files, load};
pub use outcome::{ListOutcome, Outcome, Progress, Updated};

use crate::{FetchError, Session, replace, side_by_side};
use known::Known;
use lacre::{
    Time,
    trust::{LotlSigningCertificates, Role, Source, TrustedLists, cache_name, read},
};
use lacre_core::trust::OtherTslPointer;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

/// The URL at which the European Commission publishes the LOTL.
pub const LIST_OF_LISTS: &str = "https://ec.europa.eu/tools/lotl/eu-lotl.xml";

/// The number of lists fetched in parallel; as a rule no two of them are on one server.
const AT_ONCE: usize = 8;
/// How often a list is requested, and the time before the second request.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(500);
/// The depth of lists of trusted lists: the European Union's points to one of third countries.
const DEPTH: usize = 3;

/// A folder of lists, and the LOTL-signing certificates.
pub struct Update<'a> {
    /// The session in which lists are fetched.
    pub session: &'a Session<'a>,
    /// The folder; created if it is absent.
    pub folder: &'a Path,
    /// The LOTL-signing certificates.
    pub announcement: &'a LotlSigningCertificates,
    /// The URL of the LOTL.
    pub list_of_lists: &'a str,
    /// Called with the progress.
    pub progress: &'a (dyn Fn(Progress<'_>) + Sync),
}

/// A list: its bytes, and its content.
#[derive(Clone)]
struct Copy {
    bytes: Vec<u8>,
    source: Source,
}

impl Copy {
    fn new(name: &str, bytes: Vec<u8>) -> Self {
        let source = read(name, &bytes, Some(now()));
        Self { bytes, source }
    }

    fn number(&self) -> Option<i64> {
        self.source.list().and_then(|list| list.sequence_number)
    }
}

/// The result of a request, compared with the copy.
enum Came {
    /// The server says that the copy is the newest.
    Unchanged,
    Other(Box<Copy>),
    Nothing(FetchError),
}

impl Update<'_> {
    /// Updates the folder.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, read or written.
    pub fn run(&self) -> io::Result<Updated> {
        fs::create_dir_all(self.folder)?;
        let known = Mutex::new(Known::read(self.folder));
        let mut updated = Updated::default();
        let mut above = self.above(&known, &mut updated)?;
        for _ in 0..DEPTH {
            let pointers = self.pointers(&above, &updated);
            if pointers.is_empty() {
                break;
            }
            for (outcome, copy) in self.all(&pointers, &above, &known)? {
                updated.lists.push(outcome);
                above.extend(copy.filter(|copy| copy.source.list().is_some_and(|list| list.is_list_of_lists())));
            }
        }
        let mut known = known.into_inner().expect("nobody panics with the lock");
        if let Some(list) = above.first().and_then(|copy| copy.source.list()) {
            updated.alerts = known.compare(list, self.announcement);
        }
        known.write(self.folder)?;
        Ok(updated)
    }

    /// Returns the list of lists, first, and its pivots: the newest that are trusted.
    fn above(&self, known: &Mutex<Known>, updated: &mut Updated) -> io::Result<Vec<Copy>> {
        let url = self.list_of_lists;
        let old = self.at_hand(url)?;
        let pivots = |copy: &Copy| self.pivots(copy);
        let old_above = match &old {
            Some(old) => Some([vec![old.clone()], pivots(old)?.0].concat()),
            None => None,
        };
        let mut kept = |outcome, above: Option<Vec<Copy>>| {
            updated.lists.push(ListOutcome { url: url.to_owned(), territory: Some("EU".into()), outcome });
            Ok(above.filter(|above| self.trusts(above)).unwrap_or_default())
        };
        let new = match self.fetch(url, old.as_ref(), known) {
            Came::Unchanged => {
                self.touch(url)?;
                return kept(Outcome::Unchanged, old_above);
            }
            Came::Nothing(error) => return kept(Outcome::failed(error.sentence(), old.is_some()), old_above),
            Came::Other(new) => *new,
        };
        let (pivots, troubles) = pivots(&new)?;
        let above = [vec![new.clone()], pivots].concat();
        if !self.trusts(&above) {
            let why = [troubles, self.problems(&above, 0)].concat().join("; ");
            return kept(Outcome::failed(why, old.is_some()), old_above);
        }
        let good_old = old.as_ref().filter(|_| old_above.as_ref().is_some_and(|above| self.trusts(above)));
        if let Some(older) = outcome::older(good_old.and_then(Copy::number), new.number()) {
            return kept(older, old_above);
        }
        for copy in &above {
            replace(&self.folder.join(copy.source.name()), &copy.bytes)?;
        }
        self.remember(url, &new, known);
        let outcome = Outcome::Updated { from: good_old.and_then(Copy::number), to: new.number() };
        updated.lists.push(ListOutcome { url: url.to_owned(), territory: Some("EU".into()), outcome });
        Ok(above)
    }

    /// Returns the pivots that a list of lists names since the announcement: those at hand, and the others fetched.
    fn pivots(&self, lotl: &Copy) -> io::Result<(Vec<Copy>, Vec<String>)> {
        let (mut found, mut troubles) = (vec![], vec![]);
        let Some(list) = lotl.source.list() else { return Ok((found, troubles)) };
        let announced = |uri: &&String| self.announcement.url.as_ref() != Some(*uri);
        let pivots =
            list.information.iter().take_while(announced).filter(|uri| uri.to_ascii_lowercase().ends_with(".xml"));
        for url in pivots.filter(|url| *url != self.list_of_lists) {
            match self.at_hand(url)? {
                Some(copy) => found.push(copy),
                // A pivot never changes: it is fetched once.
                None => match self.session.get(url) {
                    Ok(bytes) => found.push(Copy::new(&cache_name(url), bytes)),
                    Err(error) => troubles.push(format!("{url}: {}", error.sentence())),
                },
            }
        }
        Ok((found, troubles))
    }

    fn assembled(&self, copies: &[Copy]) -> TrustedLists {
        TrustedLists::assemble(copies.iter().map(|copy| copy.source.clone()).collect(), self.announcement)
    }

    /// Returns whether the first of them, a list of lists, is trusted.
    fn trusts(&self, above: &[Copy]) -> bool {
        self.assembled(above).states().first().is_some_and(|state| state.trusted)
    }

    fn problems(&self, copies: &[Copy], place: usize) -> Vec<String> {
        let lists = self.assembled(copies);
        let problems = lists.states().get(place).map(|state| &state.problems[..]).unwrap_or_default();
        match problems {
            [] => vec!["nothing that is trusted leads to it".to_owned()],
            problems => problems.iter().map(|problem| problem.message.clone()).collect(),
        }
    }

    /// Returns the lists that trusted lists of lists point at and that were not looked at yet.
    fn pointers(&self, above: &[Copy], updated: &Updated) -> Vec<OtherTslPointer> {
        let lists = self.assembled(above);
        let trusted = above.iter().zip(lists.states()).filter(|(_, state)| state.trusted && state.role != Role::Pivot);
        let mut seen: BTreeSet<&str> = updated.lists.iter().map(|list| &*list.url).collect();
        let all = trusted.filter_map(|(copy, _)| copy.source.list()).flat_map(|list| &list.pointers);
        all.filter(|pointer| seen.insert(&pointer.location)).cloned().collect()
    }

    /// Updates every list to which there is a pointer, several in parallel, in the order of the pointers.
    fn all(
        &self,
        pointers: &[OtherTslPointer],
        above: &[Copy],
        known: &Mutex<Known>,
    ) -> io::Result<Vec<(ListOutcome, Option<Copy>)>> {
        let done = AtomicUsize::new(0);
        let found = side_by_side(pointers, AT_ONCE, |pointer| {
            let one = self.one(pointer, above, known);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { done, all: pointers.len(), url: &pointer.location });
            one
        });
        found.into_iter().collect()
    }

    /// Updates one list, and returns the copy that counts now.
    fn one(
        &self,
        pointer: &OtherTslPointer,
        above: &[Copy],
        known: &Mutex<Known>,
    ) -> io::Result<(ListOutcome, Option<Copy>)> {
        let url = &pointer.location;
        let outcome = |outcome| ListOutcome { url: url.clone(), territory: pointer.territory.clone(), outcome };
        let old = self.at_hand(url)?;
        let good = |copy: &Copy| {
            let copies = [above, std::slice::from_ref(copy)].concat();
            self.assembled(&copies).states().last().is_some_and(|state| state.trusted)
        };
        let good_old = old.clone().filter(good);
        let new = match self.fetch(url, old.as_ref(), known) {
            Came::Unchanged if good_old.is_some() => {
                self.touch(url)?;
                return Ok((outcome(Outcome::Unchanged), good_old));
            }
            Came::Unchanged => old.clone().expect("only a copy is unchanged"),
            Came::Nothing(error) => {
                return Ok((outcome(Outcome::failed(error.sentence(), good_old.is_some())), good_old));
            }
            Came::Other(new) => *new,
        };
        if !good(&new) {
            let why = self.problems(&[above, &[new]].concat(), above.len()).join("; ");
            return Ok((outcome(Outcome::failed(why, good_old.is_some())), good_old));
        }
        if let Some(older) = outcome::older(good_old.as_ref().and_then(Copy::number), new.number()) {
            return Ok((outcome(older), good_old));
        }
        replace(&self.path(url), &new.bytes)?;
        self.remember(url, &new, known);
        let came = Outcome::Updated { from: good_old.as_ref().and_then(Copy::number), to: new.number() };
        Ok((outcome(came), Some(new)))
    }

    fn path(&self, url: &str) -> PathBuf {
        self.folder.join(cache_name(url))
    }

    fn at_hand(&self, url: &str) -> io::Result<Option<Copy>> {
        match fs::read(self.path(url)) {
            Ok(bytes) => Ok(Some(Copy::new(&cache_name(url), bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Marks the copy as fetched now: its age is that of its file.
    fn touch(&self, url: &str) -> io::Result<()> {
        File::options().append(true).open(self.path(url))?.set_modified(SystemTime::now())
    }

    /// Requests a list a few times, since a server that fails may recover within a second.
    fn fetch(&self, url: &str, old: Option<&Copy>, known: &Mutex<Known>) -> Came {
        let validators = {
            let known = known.lock().expect("nobody panics with the lock");
            old.map(|old| known.validators(url, &old.bytes)).unwrap_or_default()
        };
        let (mut attempt, mut pause) = (1, PAUSE);
        loop {
            match self.session.changed(url, &validators) {
                Ok(None) => return Came::Unchanged,
                Ok(Some((bytes, validators))) => {
                    known.lock().expect("nobody panics with the lock").came(url, &bytes, validators);
                    return Came::Other(Box::new(Copy::new(&cache_name(url), bytes)));
                }
                Err(error) if attempt == ATTEMPTS || !error.may_pass() => return Came::Nothing(error),
                Err(_) => thread::sleep(pause),
            }
            (attempt, pause) = (attempt + 1, pause * 4);
        }
    }

    fn remember(&self, url: &str, copy: &Copy, known: &Mutex<Known>) {
        known.lock().expect("nobody panics with the lock").keep(url, &copy.bytes);
    }
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Time::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
