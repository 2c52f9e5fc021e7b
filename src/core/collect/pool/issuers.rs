//! Who issued a certificate: the candidates in the pool, the best of them, and the paths upwards.

use super::super::record::path_violations;
use super::{Entry, Index, Pool};
use crate::facts::CertificateSource;
use crate::time::Time;
use crate::x509::{Certificate, Name};

impl Pool {
    /// Returns the issuer of a certificate: of those that could be by name or key identifier, the best whose key
    /// verifies it.
    pub fn issuer(&mut self, index: Index) -> Option<Index> {
        if let Some(known) = self.entries[index].issuer {
            return known;
        }
        let certificate = self.entries[index].certificate.clone();
        let (created, value) = (certificate.not_before(), certificate.signature());
        let key_identifier = certificate.extensions().authority_key_identifier.as_ref();
        let key_identifier = key_identifier.and_then(|stated| stated.key_identifier.as_ref());
        let candidates = self.candidates(key_identifier.map(|key| &key.0[..]), Some(certificate.issuer()));
        let groups = self.entries[index].groups.clone();
        let beside = |pool: &Self, other: Index| pool.entries[other].groups.iter().any(|group| groups.contains(group));
        let (own, elsewhere): (Vec<Index>, Vec<Index>) = candidates.iter().partition(|&&other| beside(self, other));
        let found = [own, elsewhere].iter().find_map(|candidates| {
            self.choose(candidates, Some(certificate.issuer()), created, |pool, candidate| {
                pool.verifies_certificate(index, candidate, &value)
            })
        });
        let found = found.or_else(|| {
            // Neither name nor key identifier leads anywhere: the name may be written otherwise.
            let alike = self.alike(index, &candidates);
            self.choose(&alike, Some(certificate.issuer()), created, |pool, candidate| {
                pool.verifies_certificate(index, candidate, &value)
            })
        });
        self.entries[index].issuer = Some(found);
        let better = found.and_then(|found| self.better_certificate(Some(index), found, &candidates));
        if better.is_some() {
            self.entries[index].issuer = Some(better);
        }
        better.or(found)
    }

    /// Returns the certificate of the same key and name as `found` with the best path, the first of several; `None` where that is
    /// `found` itself. A CA has several certificates (RFC 4158 §2.2), and one path that validates is enough (EN 319 102-1
    /// §5.2.6.4). `index` is the certificate that was issued, if one was.
    pub fn better_certificate(&mut self, index: Option<Index>, found: Index, candidates: &[Index]) -> Option<Index> {
        let alike = |pool: &Self, &other: &Index| {
            let (one, other_entry) = (&pool.entries[found], &pool.entries[other]);
            other != found
                && Some(other) != index
                && other_entry.key_of == one.key_of
                && other_entry.certificate.subject() == one.certificate.subject()
        };
        let others: Vec<Index> = candidates.iter().copied().filter(|other| alike(self, other)).collect();
        if others.is_empty() {
            return None;
        }
        let mut best = (self.chain_over(index, found), None);
        for other in others {
            let quality = self.chain_over(index, other);
            if quality > best.0 {
                best = (quality, Some(other));
            }
        }
        best.1
    }

    /// Returns how good the path of a certificate is over an issuer: whether it leads to trust, whether it is allowed, and whether
    /// there is revocation data for what is below the trust. It is not looked at when the steps for such comparisons are spent.
    fn chain_over(&mut self, index: Option<Index>, issuer: Index) -> (bool, bool, bool) {
        /// Links of a path that are compared. Real ones: below 6.
        const LINKS: usize = 16;
        let Some(left) = self.steps.checked_sub(LINKS) else { return (false, false, false) };
        self.steps = left;
        let mut chain: Vec<Index> = index.into_iter().collect();
        chain.extend(self.chain(issuer).into_iter().filter(|&link| Some(link) != index).take(LINKS));
        let trusted = chain.iter().any(|&link| self.entries[link].trust.trusted);
        let allowed = (0..chain.len()).all(|from| path_violations(self, &chain[from..]).is_empty());
        let mut below = chain
            .iter()
            .skip(index.iter().len())
            .map(|&link| &self.entries[link])
            .take_while(|entry| !entry.trust.trusted);
        let stated = trusted && below.all(|entry| entry.has_status);
        (trusted, allowed, stated)
    }

    /// Notes for which certificates there is revocation data.
    pub fn set_status(&mut self, is_stated: impl Fn(&Certificate) -> bool) {
        for entry in &mut self.entries {
            entry.has_status = is_stated(&entry.certificate);
        }
    }

    /// Returns whether the key of `candidate` verifies a certificate. RFC 5280 §4.1.1.2: the algorithm that is signed
    /// and the one beside the signature must be the same.
    fn verifies_certificate(&mut self, index: Index, candidate: Index, value: &[u8]) -> bool {
        let entry = &self.entries[index];
        let (certificate, algorithm) = (entry.certificate.clone(), entry.algorithm);
        certificate.signature_algorithms_agree()
            && self.verifies(*certificate.sha256(), candidate, algorithm.as_ref(), certificate.tbs(), value)
    }

    /// Returns the certificates of the document and the caller whose subject has the parts of the issuer's name, in
    /// another order or as other string types, and the certificate itself where it does not say which key made it; all
    /// with a key of the right kind. Trusted lists hold too many.
    ///
    /// NOTE: RFC 5280 §6.1.3 (a) (4) wants names that match, so no path leads over such an issuer; but whose key it was
    /// is a fact. A key under quite another name is not tried.
    fn alike(&self, index: Index, tried: &[Index]) -> Vec<Index> {
        let entry = &self.entries[index];
        let kind = entry.algorithm.map(|algorithm| algorithm.key);
        let own = entry.certificate.extensions().authority_key_identifier.is_none();
        let fits = |place: Index, other: &Entry| {
            other.key.as_ref().is_some_and(|key| Some(key.algorithm()) == kind)
                && other.sources.iter().any(|source| *source != CertificateSource::TrustedList)
                && (own && place == index || other.certificate.subject().is_like(entry.certificate.issuer()))
        };
        let others = self.all().filter(|(place, other)| !tried.contains(place) && fits(*place, other));
        let mut alike: Vec<Index> = others.map(|(place, _)| place).collect();
        self.limit(&mut alike);
        alike
    }

    /// Returns the certificates that could have issued something, by authority key identifier and by name.
    pub fn candidates(&self, key_identifier: Option<&[u8]>, name: Option<&Name>) -> Vec<Index> {
        let mut found: Vec<Index> = key_identifier.map_or(&[][..], |key| self.by_key_identifier(key)).to_vec();
        for &index in name.map_or(&[][..], |name| self.by_subject(name)) {
            if !found.contains(&index) {
                found.push(index);
            }
        }
        self.limit(&mut found);
        found
    }

    /// Keeps no more candidates than the budget allows to try.
    pub fn limit(&self, candidates: &mut Vec<Index>) {
        if candidates.len() > self.budget.chain_steps {
            self.cut("chain_steps");
            candidates.truncate(self.budget.chain_steps);
        }
    }

    /// Returns the best of the candidates that verify by `verifies`: of the right name before others, valid at the time
    /// before others.
    pub fn choose(
        &mut self,
        candidates: &[Index],
        name: Option<&Name>,
        created: Time,
        mut verifies: impl FnMut(&mut Self, Index) -> bool,
    ) -> Option<Index> {
        let mut ordered = candidates.to_vec();
        crate::order::sort_by_key(&mut ordered, |&index| {
            let certificate = &self.entries[index].certificate;
            (!name.is_none_or(|name| certificate.subject() == name), !certificate.is_valid_at(created))
        });
        ordered.into_iter().find(|&index| verifies(self, index))
    }

    /// Returns whether the certificate's own key verifies it and its names are the same.
    pub fn is_self_signed(&mut self, index: Index) -> bool {
        if let Some(known) = self.entries[index].self_signed {
            return known;
        }
        let certificate = self.entries[index].certificate.clone();
        let result = certificate.is_self_issued() && self.verifies_certificate(index, index, &certificate.signature());
        self.entries[index].self_signed = Some(result);
        result
    }

    /// Returns the chain from `index` upwards, itself first; ends at a self-signed certificate, an unknown issuer or a
    /// loop.
    pub fn chain(&mut self, index: Index) -> Vec<Index> {
        let mut chain = vec![index];
        let mut at = index;
        while !self.is_self_signed(at) {
            if chain.len() >= self.budget.chain_steps {
                self.cut("chain_steps");
                break;
            }
            match self.issuer(at) {
                Some(issuer) if !chain.contains(&issuer) => {
                    chain.push(issuer);
                    at = issuer;
                }
                _ => break,
            }
        }
        chain
    }
}
