//! The loop: judge, add, judge again.

use super::cades::CmsFile;
use super::carrier::{Carrier, Step};
use super::checked::{checked, verified};
use super::material::{Material, Tokens};
use super::needs::{Needs, issuers_wanted, needs};
use super::obstacles::{by_time, lasting};
#[cfg(feature = "pdf")]
use super::pades::PdfFile;
use super::state::State;
use super::target::{Level, Target};
use super::want::{EvidenceWant, Extended, ExtendedSignature, Extension, TimestampWant, Want};
use crate::document::{Document, Syntax, decode_pem};
use crate::output::{Output, Piece};
use crate::signing::{SigningError, SigningErrorCode};
use crate::time::Time;
use crate::validator::Validator;
use std::borrow::Cow;

/// Extends the signatures of a document to a level, or says what is missing for that.
///
/// It is a pure function: the caller adds to the material what was wanted, and calls again with the same document. The
/// same input gives the same bytes. Nothing of the document is changed but what the format leaves open for additions,
/// and what is written is judged before it is returned.
///
/// A signature that cannot be extended does not keep the others from it:
/// [`ExtendedSignature::obstacle`] says why.
///
/// # Errors
///
/// [`SigningError`] where the document cannot be read, no signature can be extended, what was handed in is not what was
/// wanted, or the file that was written is not judged as it should be.
pub fn extend(
    validator: &Validator,
    document: &Document<'_>,
    target: &Target,
    material: &Material,
    time: Time,
) -> Result<Extension, SigningError> {
    let validator = material.supplied_to(validator)?;
    let tokens = material.tokens()?;
    let time = tokens.moment(time)?;
    let file = File::of(document);
    let carrier = carrier(document, &file.bytes, &validator, target)?;
    let before = file.judged(&validator, time, target)?;
    let plan = Plan::new(&before, target)?;
    Run { validator: &validator, carrier: &*carrier, target, material, tokens: &tokens, time }.run(file, before, plan)
}

/// Chooses how the document's format is extended.
fn carrier<'d>(
    document: &Document<'d>,
    file: &[u8],
    validator: &Validator,
    target: &Target,
) -> Result<Box<dyn Carrier + 'd>, SigningError> {
    #[cfg(not(feature = "pdf"))]
    let _ = (validator, target);
    match document.syntax() {
        #[cfg(feature = "pdf")]
        Some(Syntax::Pdf) => Ok(Box::new(PdfFile::of(document, validator.limits(), target.vri))),
        Some(Syntax::Asn1 | Syntax::Base64Asn1) => Ok(Box::new(CmsFile::of(document, file)?)),
        Some(syntax) => {
            let message = format!("found {syntax}, expected a CAdES or PAdES signature");
            Err(SigningError::new(SigningErrorCode::NotExtendable, message))
        }
        None => {
            let message = format!("the file begins with {}, expected a CAdES or PAdES signature", document.preview());
            Err(SigningError::new(SigningErrorCode::DocumentUnreadable, message))
        }
    }
}

/// A file while it is extended.
pub(super) struct File<'d> {
    document: Document<'d>,
    /// Its bytes now; PEM and Base64 are decoded.
    pub bytes: Cow<'d, [u8]>,
    /// How it was made from what the document holds.
    output: Output,
    /// Whether the document holds these bytes, and not Base64 of them.
    as_sent: bool,
}

impl<'d> File<'d> {
    /// Begins with a document.
    pub(super) fn of(document: &Document<'d>) -> Self {
        let bytes = decode_pem(document.bytes());
        let output = Output::of([Piece::Kept(0..bytes.len())]);
        Self { document: document.clone(), as_sent: matches!(bytes, Cow::Borrowed(_)), bytes, output }
    }

    /// Judges the file as it is now.
    pub(super) fn judged<'v>(
        &self,
        validator: &'v Validator,
        time: Time,
        target: &Target,
    ) -> Result<State<'v>, SigningError> {
        State::of(validator, &self.document.with_bytes(&self.bytes), time, target)
    }

    /// Takes a step.
    pub(super) fn apply(&mut self, next: &Output) {
        self.output = self.output.then(next);
        self.bytes = Cow::Owned(next.to_vec(&self.bytes));
    }

    /// Returns how the file is made from the document.
    pub(super) fn finish(self) -> Output {
        if self.as_sent { self.output } else { Output::new(self.bytes.into_owned()) }
    }
}

/// What is to become of a signature.
pub(super) struct Entry {
    /// Its place in the record.
    pub place: usize,
    /// Why it is not extended.
    pub obstacle: Option<SigningError>,
}

/// What is to become of each signature that was chosen.
pub(super) struct Plan(pub Vec<Entry>);

impl Plan {
    /// Chooses the signatures, of which some can be extended.
    fn new(state: &State<'_>, target: &Target) -> Result<Self, SigningError> {
        let plan = Self::chosen(state, target)?;
        plan.possible().map(|()| plan)
    }

    /// Chooses the signatures, and says of each what keeps it from being extended.
    pub(super) fn chosen(state: &State<'_>, target: &Target) -> Result<Self, SigningError> {
        let signatures = &state.report.facts().signatures;
        if let Some(unknown) =
            target.only.iter().flatten().find(|id| !signatures.iter().any(|signature| signature.id == **id))
        {
            let message = format!("no signature has the id {unknown}; expected one of the document");
            let error = SigningError::new(SigningErrorCode::SignatureNotFound, message);
            return Err(error.with_hint("the ids are those of a report on the same file"));
        }
        let chosen = |(place, signature): (usize, &crate::facts::Signature)| {
            let named = target.only.as_ref().is_none_or(|only| only.contains(&signature.id));
            // Counter-signatures are extended with what they counter-sign.
            (named && !signature.counter_signature).then_some(place)
        };
        let entries: Vec<Entry> = signatures
            .iter()
            .enumerate()
            .filter_map(chosen)
            .map(|place| {
                let obstacle = state.signature(place).and_then(|signature| lasting(state, &signature, target));
                Entry { place, obstacle }
            })
            .collect();
        if entries.is_empty() {
            let message = "found no signature to extend, expected one".to_owned();
            return Err(SigningError::new(SigningErrorCode::NoSignature, message));
        }
        Ok(Self(entries))
    }

    /// Returns the places of the signatures that are extended.
    pub(super) fn places(&self) -> Vec<usize> {
        self.0.iter().filter(|entry| entry.obstacle.is_none()).map(|entry| entry.place).collect()
    }

    /// Gives a signature up.
    fn give_up(&mut self, place: usize, error: SigningError) {
        if let Some(entry) = self.0.iter_mut().find(|entry| entry.place == place) {
            entry.obstacle.get_or_insert(error);
        }
    }

    /// Checks that a signature is left to extend; else gives the reason for the first that does not have the level
    /// already.
    fn possible(&self) -> Result<(), SigningError> {
        if self.0.iter().any(|entry| entry.obstacle.is_none()) {
            return Ok(());
        }
        let obstacles = || self.0.iter().filter_map(|entry| entry.obstacle.clone());
        let graver = obstacles().find(|error| error.code() != SigningErrorCode::AlreadyAtLevel);
        graver.or_else(|| obstacles().next()).map_or(Ok(()), Err)
    }
}

struct Run<'r> {
    validator: &'r Validator,
    carrier: &'r dyn Carrier,
    target: &'r Target,
    material: &'r Material,
    tokens: &'r Tokens<'r>,
    time: Time,
}

impl<'r> Run<'r> {
    fn run(&self, mut file: File<'_>, before: State<'r>, mut plan: Plan) -> Result<Extension, SigningError> {
        let before_ids: Vec<_> =
            before.report.facts().signatures.iter().map(|signature| signature.id.clone()).collect();
        let named = |wants: Vec<TimestampWant>, state: &State<'_>| named(wants, state, &before_ids);
        // The state of the file as it is now; none where that of the beginning still holds.
        let mut now: Option<State<'r>> = None;
        let mut overlooked = None;

        let wants = self.incomplete(&before, &plan);
        if !wants.is_empty() {
            return Ok(Extension::Wanted(wants));
        }

        // T: EN 319 122-1 §6.3, EN 319 142-1 §6.3.
        let state = &before;
        let stamped = self.stamp(&file, state, &mut plan)?;
        if let Some(wanted) = self.taken(&mut plan, &stamped)? {
            return Ok(Extension::Wanted(named(wanted, state)));
        }
        if let Some(output) = &stamped.output {
            file.apply(output);
            let state = file.judged(self.validator, self.time, self.target)?;
            let wants = verified(Some(&before), &state, self.target, self.material)?;
            if !wants.is_empty() {
                return Ok(Extension::Wanted(wants));
            }
            now = Some(state);
        }
        if self.target.level == Level::T {
            self.weigh(now.as_ref().unwrap_or(&before), &mut plan, None)?;
        }

        // LT.
        if self.target.level >= Level::Lt {
            let state = now.as_ref().unwrap_or(&before);
            let mut found = self.needed(state, &mut plan);
            overlooked = found.iter().find_map(|(_, needs)| needs.overlooked.clone());
            let wants = once(found.iter().flat_map(|(_, needs)| needs.wants.iter().cloned()));
            if !wants.is_empty() {
                return Ok(Extension::Wanted(wants));
            }
            // What the time-stamps prove is known now.
            self.weigh(state, &mut plan, None)?;
            let places = plan.places();
            found.retain(|(place, _)| places.contains(place));
            if found.iter().any(|(_, needs)| !needs.is_empty()) {
                let filled = self.carrier.fill(&file.bytes, state, &found)?;
                self.taken(&mut plan, &filled)?;
                filled.output.iter().for_each(|output| file.apply(output));
                now = Some(file.judged(self.validator, self.time, self.target)?);
            }
        }

        // LTA.
        if self.target.level == Level::Lta {
            let state = now.as_ref().unwrap_or(&before);
            let digest = self.target.digest;
            let archived = self.carrier.archive(&file.bytes, state, &plan.places(), self.tokens, digest)?;
            if let Some(wanted) = self.taken(&mut plan, &archived)? {
                return Ok(Extension::Wanted(named(wanted, state)));
            }
            if let Some(output) = &archived.output {
                file.apply(output);
                let state = file.judged(self.validator, self.time, self.target)?;
                let wants = verified(Some(&before), &state, self.target, self.material)?;
                if !wants.is_empty() {
                    return Ok(Extension::Wanted(wants));
                }
                now = Some(state);
            }
        }

        self.tokens.all_used()?;
        let Some(after) = now else {
            let message =
                format!("the document has all that {} asks for, expected something to add", self.target.level);
            return Err(SigningError::new(SigningErrorCode::AlreadyAtLevel, message));
        };
        let checked = checked(&before, &after, &plan.places(), self.target);
        // What is missing and was overlooked is the likely reason.
        checked.map_err(|error| overlooked.unwrap_or(error))?;
        let obstacles = plan.0.into_iter().map(|entry| (entry.place, entry.obstacle)).collect();
        let signatures = results(&before, &after, obstacles);
        Ok(Extension::Done(Box::new(Extended { output: file.finish(), signatures, report: after.report })))
    }

    /// Returns what may be had of the chains of the time-stamps that are there: without them it is not known what they
    /// prove.
    fn incomplete(&self, state: &State<'_>, plan: &Plan) -> Vec<Want> {
        let mut wants: Vec<EvidenceWant> = vec![];
        for signature in plan.places().into_iter().filter_map(|place| state.signature(place)) {
            for stamp in state.proofs(&signature) {
                wants.extend(issuers_wanted(state, &stamp, self.target, self.material));
            }
        }
        once(wants)
    }

    /// Adds a time-stamp to each signature that has none which proves it to exist. Those for which one would come too late
    /// are given up.
    fn stamp(&self, file: &File<'_>, state: &State<'_>, plan: &mut Plan) -> Result<Step, SigningError> {
        let unproven = |place: &usize| {
            let signature = state.signature(*place);
            signature.is_some_and(|signature| state.existence(&signature).is_none())
        };
        loop {
            let places: Vec<usize> = plan.places().into_iter().filter(unproven).collect();
            let step = self.carrier.stamp(&file.bytes, state, &places, self.tokens, self.target.digest)?;
            if !self.weigh(state, plan, Some(&step.waiting))? {
                return Ok(step);
            }
        }
    }

    /// Gives up the signatures, of those in the list, that something happened to before they are known to exist. Returns
    /// whether there were any.
    fn weigh(&self, state: &State<'_>, plan: &mut Plan, list: Option<&[usize]>) -> Result<bool, SigningError> {
        let mut given_up = false;
        for place in plan.places().into_iter().filter(|place| list.is_none_or(|list| list.contains(place))) {
            let error = state.signature(place).and_then(|signature| by_time(state, &signature, self.target));
            if let Some(error) = error {
                plan.give_up(place, error);
                given_up = true;
            }
        }
        plan.possible().map(|()| given_up)
    }

    /// Takes note of the signatures that a step failed for; returns the time-stamps that it wants.
    fn taken(&self, plan: &mut Plan, step: &Step) -> Result<Option<Vec<TimestampWant>>, SigningError> {
        step.failed.iter().for_each(|(place, error)| plan.give_up(*place, error.clone()));
        plan.possible()?;
        if step.wants.is_empty() {
            return Ok(None);
        }
        // What was handed in for an imprint that is not wanted will not be wanted by asking again.
        self.tokens.all_used()?;
        Ok(Some(step.wants.clone()))
    }

    /// Returns what each signature needs; those for which something cannot be had are given up.
    fn needed(&self, state: &State<'_>, plan: &mut Plan) -> Vec<(usize, Needs)> {
        let mut found = vec![];
        for place in plan.places() {
            let Some(signature) = state.signature(place) else { continue };
            let needs = needs(state, &signature, self.target, self.material);
            match &needs.missing {
                Some(error) => plan.give_up(place, error.clone()),
                None => found.push((place, needs)),
            }
        }
        found
    }
}

/// Returns what is wanted for all signatures, each item once.
pub(super) fn once(all: impl IntoIterator<Item = EvidenceWant>) -> Vec<Want> {
    once_evidence(all).into_iter().map(Want::Evidence).collect()
}

/// Returns each item once, as recent as the one asks for that asks for the most.
pub(super) fn once_evidence(all: impl IntoIterator<Item = EvidenceWant>) -> Vec<EvidenceWant> {
    let mut wants: Vec<EvidenceWant> = vec![];
    for want in all {
        let same = |other: &&mut EvidenceWant| {
            other.wanted.kind == want.wanted.kind && other.wanted.about == want.wanted.about
        };
        match wants.iter_mut().find(same) {
            Some(known) => {
                known.not_before = known.not_before.max(want.not_before);
                known.retry_at = known.retry_at.max(want.retry_at);
            }
            None => wants.push(want),
        }
    }
    wants
}

/// Puts the ids that the given document had into wants: ids follow from what is there.
fn named(wants: Vec<TimestampWant>, state: &State<'_>, before: &[crate::facts::Id]) -> Vec<Want> {
    let signatures = &state.report.facts().signatures;
    let of_before = |id: crate::facts::Id| {
        let place = signatures.iter().position(|signature| signature.id == id)?;
        before.get(place).cloned()
    };
    wants
        .into_iter()
        .map(|want| Want::Timestamp(TimestampWant { about: want.about.and_then(of_before), ..want }))
        .collect()
}

/// Says what became of each signature. No step adds or removes one, so that the places are the same.
pub(super) fn results(
    before: &State<'_>,
    after: &State<'_>,
    mut obstacles: Vec<(usize, Option<SigningError>)>,
) -> Vec<ExtendedSignature> {
    let signatures = before.report.facts().signatures.len();
    let joined = (0..signatures).filter_map(|place| Some((place, before.signature(place)?, after.signature(place)?)));
    let result = joined.map(|(place, before, after)| ExtendedSignature {
        id: before.id().clone(),
        new_id: after.id().clone(),
        before: before.level(),
        after: after.level(),
        indication_before: before.indication(),
        indication_after: after.indication(),
        obstacle: obstacles.iter_mut().find(|(of, _)| *of == place).and_then(|(_, obstacle)| obstacle.take()),
    });
    result.collect()
}
