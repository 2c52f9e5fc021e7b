//! Judge, fetch what is wanted, judge again.

use crate::evidence::fetch;
use crate::{Failure, Session};
use lacre::{
    CertificateReport, Error, Facts, Id, Report, Validator,
    report::{Wanted, WantedKind},
};
use std::collections::BTreeSet;
use std::thread;

/// A verdict that says what could change it.
pub trait Judged {
    /// Returns what could change it.
    fn wanted(&self) -> Vec<Wanted>;
    /// Returns the record, in which what is wanted is about something.
    fn facts(&self) -> &Facts;
}

impl Judged for Report {
    fn wanted(&self) -> Vec<Wanted> {
        self.wanted()
    }
    fn facts(&self) -> &Facts {
        self.facts()
    }
}

impl Judged for CertificateReport {
    fn wanted(&self) -> Vec<Wanted> {
        self.wanted()
    }
    fn facts(&self) -> &Facts {
        self.facts()
    }
}

/// The last verdict, and how it came about.
#[derive(Debug)]
pub struct Answered<R> {
    /// The verdict with everything that was fetched.
    pub verdict: R,
    /// The validator that gave it: what was fetched is handed in to it as evidence.
    pub validator: Validator,
    /// How many certificates, CRLs and OCSP responses were fetched.
    pub fetched: usize,
    /// What could not be had.
    pub failures: Vec<Failure>,
}

/// Requests at the same time.
const AT_ONCE: usize = 8;

/// Judges, fetches what the verdict asks for, and judges again with it, until nothing more is to be had.
///
/// For each certificate the OCSP responder is asked first, which knows best; the CRL only where it gave nothing.
/// `judge` reads the clock each time where the verdict is to be for this moment: what is fetched is newer than the
/// moment before.
///
/// # Errors
///
/// What `judge` refuses.
pub fn answered<R: Judged>(
    mut validator: Validator,
    session: &Session<'_>,
    judge: impl Fn(&Validator) -> Result<R, Error>,
) -> Result<Answered<R>, Error> {
    let mut verdict = judge(&validator)?;
    let (mut fetched, mut failures) = (0, vec![]);
    let mut asked = BTreeSet::new();
    for _ in 0..session.limits.rounds {
        let next = next(verdict.wanted(), &mut asked);
        if next.is_empty() {
            break;
        }
        let mut evidence = vec![];
        for (found, failed) in all(session, &next, verdict.facts()) {
            evidence.extend(found);
            failures.extend(failed);
        }
        for bytes in &evidence {
            // What was fetched was read as what it is: it is handed in.
            validator = validator.evidence(bytes)?;
        }
        fetched += evidence.len();
        if !evidence.is_empty() {
            verdict = judge(&validator)?;
        }
    }
    Ok(Answered { verdict, validator, fetched, failures })
}

/// Returns what to ask for now, of what was not asked for before: for each certificate the first that could help.
fn next(wanted: Vec<Wanted>, asked: &mut BTreeSet<(WantedKind, Id)>) -> Vec<Wanted> {
    let fetchable = |kind| matches!(kind, WantedKind::Ocsp | WantedKind::Crl | WantedKind::Issuer);
    let unknown: BTreeSet<Id> =
        wanted.iter().filter(|want| want.kind == WantedKind::Issuer).map(|want| want.about.clone()).collect();
    let mut chosen = BTreeSet::new();
    let mut now = vec![];
    for want in wanted.into_iter().filter(|want| fetchable(want.kind) && !want.urls.is_empty()) {
        // Without the issuer there is nobody to ask about, and no key to verify the answer.
        let waits = want.kind != WantedKind::Issuer && unknown.contains(&want.about);
        let key = (want.kind, want.about.clone());
        if !waits && !asked.contains(&key) && chosen.insert(want.about.clone()) {
            asked.insert(key);
            now.push(want);
        }
    }
    now
}

type Found = (Vec<Vec<u8>>, Vec<Failure>);

/// Fetches several at a time, and returns what was found in the order asked.
fn all(session: &Session<'_>, wanted: &[Wanted], facts: &Facts) -> Vec<Found> {
    let mut found = vec![];
    for some in wanted.chunks(AT_ONCE) {
        thread::scope(|scope| {
            let started: Vec<_> = some.iter().map(|want| scope.spawn(move || fetch(session, want, facts))).collect();
            found.extend(started.into_iter().filter_map(|thread| thread.join().ok()));
        });
    }
    found
}
