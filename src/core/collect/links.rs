//! The certificates of all chains, and which revocation data is about which of them.

use super::pool::{Index, Pool};
use super::revocation::{Revocations, Statement};
use crate::time::Time;
use crate::x509::Certificate;
use std::collections::HashMap;

/// The certificates of every chain, and the statements about them.
#[derive(Debug, Default)]
pub(super) struct RevocationLinks {
    /// In the order in which they were reached.
    pub used: Vec<Index>,
    reached: Vec<bool>,
    /// For each certificate, the revocation data about it and what that says.
    pub statements: HashMap<Index, Vec<(usize, Statement)>>,
}

impl RevocationLinks {
    /// Follows chains from `roots` upwards, the revocation data about their certificates, and the chains of that.
    pub fn follow(roots: &[Index], pool: &mut Pool, revocations: &mut Revocations, time: Time) -> Self {
        let mut links = Self { reached: vec![false; pool.len()], ..Self::default() };
        roots.iter().for_each(|&root| links.reach(root, pool));
        let mut next = 0;
        let mut lookups = pool.budget().revocation_lookups;
        while let Some(&subject) = links.used.get(next) {
            next += 1;
            let trust = pool.get(subject).trust;
            let anchor = trust.trusted && trust.sunset.is_none_or(|sunset| time < sunset);
            if anchor || pool.is_self_signed(subject) {
                continue;
            }
            let Some(issuer) = pool.issuer(subject) else { continue };
            let mut about = Vec::new();
            for index in revocations.candidates(&pool.get(subject).certificate) {
                let Some(left) = lookups.checked_sub(1) else {
                    pool.cut("revocation_lookups");
                    break;
                };
                lookups = left;
                if let Some(statement) = revocations.statement(index, pool, subject, issuer) {
                    about.push((index, statement));
                    if let Some(signer) = revocations.signer(index, pool) {
                        links.reach(signer, pool);
                    }
                }
            }
            links.statements.insert(subject, about);
        }
        links
    }

    fn reach(&mut self, index: Index, pool: &mut Pool) {
        if self.is_used(index) {
            return;
        }
        for index in pool.chain(index) {
            if !std::mem::replace(&mut self.reached[index], true) {
                self.used.push(index);
            }
        }
    }

    pub fn is_used(&self, index: Index) -> bool {
        self.reached.get(index).copied().unwrap_or(false)
    }

    /// Returns what revocation data says of a certificate.
    pub fn about(&self, index: Index) -> &[(usize, Statement)] {
        self.statements.get(&index).map_or(&[], Vec::as_slice)
    }

    /// Returns whether there is revocation data of the kind that `counts` on the certificate, or it needs none.
    pub fn has(&self, index: Index, pool: &Pool, counts: impl Fn(usize) -> bool) -> bool {
        is_exempt(&pool.get(index).certificate) || self.about(index).iter().any(|(revocation, _)| counts(*revocation))
    }
}

/// Returns whether a certificate says that nobody needs to ask for its revocation: RFC 6960 §4.2.2.2.1, RFC 9608,
/// EN 319 412-1 §5.2.
fn is_exempt(certificate: &Certificate) -> bool {
    let extensions = certificate.extensions();
    extensions.ocsp_no_check || extensions.no_rev_avail || extensions.short_term
}
