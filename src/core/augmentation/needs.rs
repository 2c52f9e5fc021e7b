//! Which certificates and revocation data a signature needs: EN 319 122-1 §6.3, EN 319 142-1 §6.3, level LT.
//!
//! For the signer, for the authority of each time-stamp, and for whoever signed the revocation data of these in turn: the
//! chain up to the trust anchor, the anchor as well, and revocation data of every certificate below it. What the
//! document holds already goes before what was handed in, and that in the order in which it was.

use super::material::Material;
use super::state::{State, is_hold, proves_signature};
use super::target::{Freshness, Level, Obstacle, Target};
use super::want::EvidenceWant;
use crate::facts::{Certificate, CertificateRevocation, CertificateStatus, Id, Revocation, RevocationType};
use crate::policy::{Context, SubContext};
use crate::report::view::{SignatureView, TimestampView};
use crate::report::{Tried, Wanted, WantedKind};
use crate::signing::{SigningError, SigningErrorCode};
use crate::time::Time;
use crate::validation::context::ValidationContext;
use crate::validation::prevailing::revoked_since;
use crate::validation::revocation_freshness::check_freshness;
use crate::validation::revocation_selection;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Responders of responders that are followed. Real ones have none.
const DEPTH: usize = 8;

/// What is to be added to a document for a signature, or is missing.
#[derive(Debug, Clone, Default)]
pub(super) struct Needs {
    /// Certificates, DER.
    pub certificates: Vec<Vec<u8>>,
    /// CRLs, DER.
    pub crls: Vec<Vec<u8>>,
    /// OCSP responses, DER.
    pub ocsps: Vec<Vec<u8>>,
    /// What is missing and may be had.
    pub wants: Vec<EvidenceWant>,
    /// What is missing and cannot be had.
    pub missing: Option<SigningError>,
    /// The same, where the caller overlooks it.
    pub overlooked: Option<SigningError>,
}

impl Needs {
    /// Returns whether the document has all that may be had.
    pub(super) fn is_empty(&self) -> bool {
        self.certificates.is_empty() && self.crls.is_empty() && self.ocsps.is_empty()
    }
}

/// For what a certificate was used, and when.
#[derive(Debug, Clone, Copy)]
struct Use {
    time: Time,
    context: Context,
    asks: Asks,
    /// Whether the level depends on it.
    required: bool,
}

/// How recent the revocation data of the first certificate of a chain has to be. That of the authorities above was current
/// then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asks {
    /// An archive time-stamp covers what there is.
    WhatThereIs,
    /// Current then.
    Current,
    /// Issued then or later.
    After,
}

/// Returns what the signature needs beside what the document holds for it.
pub(super) fn needs(state: &State<'_>, signature: &SignatureView<'_>, target: &Target, material: &Material) -> Needs {
    let mut search = Search::new(state, target, material, state.held(signature.facts()));
    search.timestamps(signature, true);
    search.signer(signature, true);
    for counter in signature.counter_signatures() {
        search.timestamps(&counter, false);
        search.signer(&counter, false);
    }
    search.needs
}

/// Returns what all signatures and time-stamps of a document need beside what it holds.
#[cfg(feature = "pdf")]
pub(super) fn needs_of_all(state: &State<'_>, target: &Target, material: &Material) -> Needs {
    let held = state.report.facts().signatures.iter().flat_map(|signature| state.held(signature));
    let held = held.chain(state.held_by_timestamps()).collect();
    let mut search = Search::new(state, target, material, held);
    search.all_timestamps();
    state.report.signatures().for_each(|signature| search.signer(&signature, false));
    search.needs
}

/// Returns what the time-stamps of a document need beside what it holds for them.
pub(super) fn needs_of_timestamps(state: &State<'_>, target: &Target, material: &Material) -> Needs {
    let mut search = Search::new(state, target, material, state.held_by_timestamps().collect());
    search.all_timestamps();
    search.needs
}

/// Returns what may be had of the chain of a time-stamp's authority, where it ends at no trust anchor.
pub(super) fn issuers_wanted(
    state: &State<'_>,
    stamp: &TimestampView<'_>,
    target: &Target,
    material: &Material,
) -> Vec<EvidenceWant> {
    let mut search = Search::new(state, target, material, HashSet::new());
    let used = Use { time: stamp.time(), context: Context::Timestamp, asks: Asks::Current, required: false };
    stamp.facts().signing_certificate.iter().for_each(|id| search.chain(id, used, 0));
    search.needs.wants.retain(|want| want.wanted.kind == WantedKind::Issuer);
    search.needs.wants
}

struct Search<'s, 'v> {
    state: &'s State<'v>,
    cx: ValidationContext<'s>,
    target: &'s Target,
    material: &'s Material,
    /// What the document holds for the signature.
    held: HashSet<Id>,
    /// The uses of certificates for which revocation data was looked for.
    seen: HashMap<Id, Vec<Use>>,
    /// What is to be written.
    written: HashSet<Id>,
    needs: Needs,
}

impl<'s, 'v> Search<'s, 'v> {
    fn new(state: &'s State<'v>, target: &'s Target, material: &'s Material, held: HashSet<Id>) -> Self {
        let (seen, written, needs) = (HashMap::new(), HashSet::new(), Needs::default());
        Self { state, cx: state.context(), target, material, held, seen, written, needs }
    }

    /// Adds what the authorities of all time-stamps need, that of the newest first: those before are proven by it.
    fn all_timestamps(&mut self) {
        let mut stamps: Vec<_> = self.state.report.timestamps().collect();
        stamps.sort_by_key(|stamp| Reverse(stamp.time()));
        for (place, stamp) in stamps.iter().enumerate() {
            let asks = match (place, self.target.freshness) {
                (0, Freshness::Strict) => Asks::After,
                (0, Freshness::AcceptOlder) => Asks::Current,
                _ => Asks::WhatThereIs,
            };
            let required = place == 0;
            let used = Use { time: stamp.time(), context: Context::Timestamp, asks, required };
            stamp.facts().signing_certificate.iter().for_each(|id| self.chain(id, used, 0));
        }
    }

    /// Adds what the authorities of the time-stamps need, those of newer ones first: what is recent enough for them is
    /// for the others.
    fn timestamps(&mut self, signature: &SignatureView<'s>, required: bool) {
        let archived = self.state.is_archived(signature);
        let mut stamps: Vec<_> = signature.timestamps().collect();
        stamps.sort_by_key(|stamp| Reverse(stamp.time()));
        let newest = stamps.iter().position(|stamp| proves_signature(stamp.kind()));
        for (place, stamp) in stamps.iter().enumerate() {
            let asks = match (archived, self.target.freshness) {
                (true, _) if Some(place) != newest => Asks::WhatThereIs,
                (_, Freshness::AcceptOlder) => Asks::Current,
                // The archive time-stamp that follows proves it before new data is issued.
                (false, _) if self.target.level == Level::Lta => Asks::Current,
                _ => Asks::After,
            };
            let required = required && self.state.is_usable(stamp);
            let used = Use { time: stamp.time(), context: Context::Timestamp, asks, required };
            stamp.facts().signing_certificate.iter().for_each(|id| self.chain(id, used, 0));
        }
    }

    fn signer(&mut self, signature: &SignatureView<'s>, required: bool) {
        let archived = self.state.is_archived(signature);
        let existence = self.state.existence(signature);
        let asks = match (existence, self.target.freshness) {
            _ if archived => Asks::WhatThereIs,
            // A counter-signature, which gets no time-stamp of its own.
            (None, _) | (_, Freshness::AcceptOlder) => Asks::Current,
            (Some(_), Freshness::Strict) => Asks::After,
        };
        let time = existence.unwrap_or(self.state.time);
        let context = if signature.facts().counter_signature { Context::CounterSignature } else { Context::Signature };
        let used = Use { time, context, asks, required };
        signature.facts().signing_certificate.iter().for_each(|id| self.chain(id, used, 0));
    }

    /// Adds what the certificate and those above it need.
    fn chain(&mut self, leaf: &'s Id, used: Use, depth: usize) {
        let Some(first) = self.state.certificate(leaf).filter(|_| depth < DEPTH) else { return };
        let chain: Vec<&'s Certificate> = std::iter::once(first).chain(self.state.chain(&first.chain)).collect();
        let mut anchored = false;
        let mut signers = vec![];
        for (place, certificate) in chain.iter().enumerate() {
            self.add_certificate(certificate);
            let sub = SubContext::at_depth(place);
            anchored |= self.cx.is_trust_anchor(certificate, self.state.time, used.context, sub);
            // Without the issuer there is nobody to ask, and no key to verify the answer.
            if anchored || certificate.self_signed || certificate.signing_certificate.is_none() {
                continue;
            }
            let asks = match used.asks {
                Asks::After if place > 0 => Asks::Current,
                asks => asks,
            };
            signers.extend(self.revocation(certificate, Use { asks, ..used }, sub, depth));
        }
        // What serves at a time serves for older uses as well: the chain itself goes first, then the newest data.
        signers.sort_by_key(|(_, used)| Reverse(used.time));
        signers.into_iter().for_each(|(signer, used)| self.chain(signer, used, depth + 1));
        if let Some(top) = chain.last().filter(|_| !anchored) {
            self.without_anchor(top, used);
        }
    }

    /// Asks for the next certificate of a chain that ends below a trust anchor, or reports the chain where there is
    /// none to ask.
    fn without_anchor(&mut self, top: &'s Certificate, used: Use) {
        if !top.self_signed {
            let access = top.extensions.authority_information_access.as_ref();
            let urls = access.map(|access| access.ca_issuers.clone()).unwrap_or_default();
            if self.want(WantedKind::Issuer, &urls, top, None, None) {
                return;
            }
        }
        if used.required && !self.target.overlooks(Obstacle::UntrustedChain) {
            let found = format!(
                "the chain ends at {}, issued by {}, which is not trusted; expected a trust anchor",
                self.state.name(&top.id),
                top.issuer.rfc2253
            );
            let error = SigningError::new(SigningErrorCode::ChainNotTrusted, found);
            self.miss(error.with_hint("trust its root, or load the trusted lists"));
        }
    }

    /// Finds revocation data of a certificate; returns who signed it, and what else there is.
    fn revocation(
        &mut self,
        certificate: &'s Certificate,
        used: Use,
        sub: SubContext,
        depth: usize,
    ) -> Vec<(&'s Id, Use)> {
        let extensions = &certificate.extensions;
        // RFC 6960 §4.2.2.2.1, RFC 9608, EN 319 412-1 §5.2: nobody needs to ask.
        let exempt = extensions.ocsp_no_check || extensions.no_rev_avail || extensions.short_term;
        let seen = self.seen.entry(certificate.id.clone()).or_default();
        if exempt || seen.iter().any(|other| other.time >= used.time && other.asks >= used.asks) {
            return vec![];
        }
        seen.push(used);
        let acceptable = &revocation_selection::select(&self.cx, certificate, self.state.time).acceptable;
        let mut statements: Vec<(&'s CertificateRevocation, &'s Revocation)> = certificate
            .revocations
            .iter()
            .filter_map(|said| Some((said, self.cx.index.revocation(&said.revocation)?)))
            .collect();
        statements.sort_by_key(|(_, data)| !self.held.contains(&data.id));
        let serves = |(said, data): &&(&CertificateRevocation, &Revocation)| {
            acceptable.contains(&data.id) && self.serves(said, data, used, sub)
        };
        let found = statements.iter().find(serves).map(|(_, data)| *data);
        let of_signer = |data: &'s Revocation, required: bool| {
            let time = data.production_date.unwrap_or(used.time);
            let used = Use { time, context: Context::Revocation, asks: Asks::Current, required };
            data.signing_certificate.as_ref().map(|signer| (signer, used))
        };
        let held = statements.iter().map(|(_, data)| *data).filter(|data| self.held.contains(&data.id));
        let mut signers: Vec<_> = held.filter_map(|data| of_signer(data, false)).collect();
        match found {
            Some(data) => {
                self.add_revocation(data);
                signers.extend(of_signer(data, used.required));
            }
            // Newer data takes no revocation back.
            None if statements.iter().any(|(said, data)| acceptable.contains(&data.id) && is_final(said)) => {}
            None => {
                // Where it is the signer of the data about whom something is missing, that is wanted first.
                let wanted_before = self.needs.wants.len();
                let undecided = statements.iter().map(|(_, data)| *data);
                let undecided = undecided.filter(|data| data.basic.valid && !acceptable.contains(&data.id));
                let mut undecided: Vec<_> = undecided.filter_map(|data| of_signer(data, false)).collect();
                undecided.sort_by_key(|(_, used)| Reverse(used.time));
                undecided.into_iter().for_each(|(signer, used)| self.chain(signer, used, depth + 1));
                if self.needs.wants.len() == wanted_before {
                    self.want_revocation(certificate, used, &statements);
                }
            }
        }
        signers
    }

    /// Returns whether revocation data says what is needed, recently enough.
    fn serves(&self, said: &CertificateRevocation, data: &Revocation, used: Use, sub: SubContext) -> bool {
        let says = match said.status {
            CertificateStatus::Good => true,
            CertificateStatus::Revoked => {
                is_final(said) && revoked_since(&self.cx, said).is_some_and(|date| date > used.time)
            }
            CertificateStatus::Unknown => false,
        };
        let after = data.this_update.is_some_and(|issued| issued >= used.time);
        says && match used.asks {
            Asks::After => after && self.is_in_force(data),
            Asks::Current => (after || self.is_current(data, used, sub)) && self.is_in_force(data),
            Asks::WhatThereIs => true,
        }
    }

    /// Returns whether the signer of revocation data is valid still. What is signed by one who is not can only be
    /// believed if an archive time-stamp covers it since.
    fn is_in_force(&self, data: &Revocation) -> bool {
        let below = self.state.chain(&data.chain).take_while(|certificate| !certificate.trust.trusted);
        below.into_iter().all(|certificate| self.state.time <= certificate.not_after)
    }

    /// Returns whether revocation data was current when the certificate was used: EN 319 102-1 §5.2.5, RFC 5280
    /// §5.1.2.5.
    fn is_current(&self, data: &Revocation, used: Use, sub: SubContext) -> bool {
        let ran_out = data.next_update.is_some_and(|next| next < used.time);
        !ran_out && check_freshness(&self.cx, data, used.time, used.context, sub).is_passed()
    }

    /// Wants revocation data of a certificate, or misses it.
    fn want_revocation(
        &mut self,
        certificate: &'s Certificate,
        used: Use,
        statements: &[(&CertificateRevocation, &Revocation)],
    ) {
        let not_before = (used.asks == Asks::After).then_some(used.time);
        let newest = statements.iter().map(|(_, data)| *data).max_by_key(|data| data.this_update);
        let retry_at = newest.and_then(|data| data.next_update).filter(|next| not_before.is_some_and(|t| *next > t));
        let access = certificate.extensions.authority_information_access.as_ref();
        let responders = access.map(|access| access.ocsp.clone()).unwrap_or_default();
        let points = certificate.extensions.crl_distribution_points.clone().unwrap_or_default();
        let ocsp = self.want(WantedKind::Ocsp, &responders, certificate, not_before, retry_at);
        let crl = self.want(WantedKind::Crl, &points, certificate, not_before, retry_at);
        if ocsp || crl || !used.required {
            return;
        }
        let tried = [WantedKind::Ocsp, WantedKind::Crl].map(|kind| self.material.tried(kind, &certificate.id)).concat();
        let name = self.state.name(&certificate.id);
        let why = tried.iter().map(|tried| format!("; {}: {}", tried.url, tried.reason)).collect::<String>();
        let error = match (newest, not_before) {
            (Some(newest), Some(earliest)) => {
                let issued = newest.this_update.map_or_else(|| "an unknown time".to_owned(), |time| time.to_string());
                let found = format!("revocation data of {name} is of {issued}, expected from {earliest} on{why}");
                let error = SigningError::new(SigningErrorCode::RevocationTooOld, found);
                error.with_hint(match retry_at {
                    Some(next) => format!("new data is due at {next}; or accept older data"),
                    None => "ask again later, or accept older data".to_owned(),
                })
            }
            _ => {
                let found = format!("no revocation data of {name} is there that is accepted{why}");
                let error = SigningError::new(SigningErrorCode::RevocationMissing, found);
                error.with_hint("hand in a CRL or an OCSP response of its issuer")
            }
        };
        if self.target.overlooks(Obstacle::MissingRevocation) {
            self.needs.overlooked.get_or_insert(error);
        } else {
            self.miss(error);
        }
    }

    /// Wants an item, unless there is no address, or none where it was not looked for.
    fn want(
        &mut self,
        kind: WantedKind,
        urls: &[String],
        certificate: &'s Certificate,
        not_before: Option<Time>,
        retry_at: Option<Time>,
    ) -> bool {
        let tried: Vec<Tried> = self.material.tried(kind, &certificate.id);
        if urls.iter().all(|url| tried.iter().any(|tried| tried.url == *url)) {
            return false;
        }
        let about = certificate.id.clone();
        let bytes = |certificate: &Certificate| certificate.bytes.as_ref().map(|bytes| bytes.0.clone());
        let issuer = certificate.signing_certificate.as_ref().and_then(|id| self.state.certificate(id));
        self.needs.wants.push(EvidenceWant {
            wanted: Wanted { kind, urls: urls.to_vec(), about, territory: None, tried },
            name: self.state.name(&certificate.id),
            certificate: bytes(certificate).unwrap_or_default(),
            issuer: issuer.and_then(bytes),
            not_before,
            retry_at,
        });
        true
    }

    /// Keeps the first thing that is missing for the report, an untrusted chain before others.
    fn miss(&mut self, error: SigningError) {
        let is_untrusted = |error: &SigningError| error.code() == SigningErrorCode::ChainNotTrusted;
        match &self.needs.missing {
            // Of a chain that nobody trusts, nobody says where revocation data is.
            Some(missing) if is_untrusted(missing) || !is_untrusted(&error) => {}
            _ => self.needs.missing = Some(error),
        }
    }

    fn add_certificate(&mut self, certificate: &Certificate) {
        let new = !self.held.contains(&certificate.id) && self.written.insert(certificate.id.clone());
        if let Some(bytes) = certificate.bytes.as_ref().filter(|_| new) {
            self.needs.certificates.push(bytes.0.clone());
        }
    }

    fn add_revocation(&mut self, data: &Revocation) {
        let new = !self.held.contains(&data.id) && self.written.insert(data.id.clone());
        let Some(bytes) = self.state.revocation_bytes(data).filter(|_| new) else { return };
        match data.kind {
            RevocationType::Crl => self.needs.crls.push(bytes.to_vec()),
            RevocationType::Ocsp => self.needs.ocsps.push(bytes.to_vec()),
        }
    }
}

/// Returns whether a statement is of a revocation, and not of a hold.
fn is_final(said: &CertificateRevocation) -> bool {
    said.status == CertificateStatus::Revoked && !is_hold(said.reason)
}
