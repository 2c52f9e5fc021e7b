//! Users, their certificates and their keys: what the HTTP side asks for, in one process.
//!
//! Everything that happens stands in the audit log before it is handed out.

mod cache;
pub mod certificates;
mod error;
mod per_user_lock;
pub mod tokens;

pub use error::{AccessError, Error, SigningError};

use crate::audit::{Action, Event};
use crate::audit_queue::AuditQueue;
use crate::authority::{Authority, CertificatePolicy, user_key};
use crate::hexadecimal;
use crate::rng;
use crate::storage::{Issued, KeyId, Person, Recorded, Revocation, StorageError, Store, TokenId, TokenRecord, User};
use crate::token::{Refusal, Token};
use cache::Cache;
use lacre::{
    Time,
    issuance::{Certificate, CertificateStatus, RevocationReason, Revoked},
    signing::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm, SigningKey, digest},
};
use lacre_keys::KeyStore;
use per_user_lock::PerUserLock;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Users, their certificates and their keys.
pub struct Registry {
    store: Arc<dyn Store>,
    key_store: Arc<dyn KeyStore>,
    authority: Arc<Authority>,
    policy: CertificatePolicy,
    audit_queue: AuditQueue,
    keys: Cache<KeyId, UserKey>,
    tokens: Cache<TokenId, Arc<TokenRecord>>,
    per_user_lock: PerUserLock,
    changes: AtomicU64,
}

/// A user's certificate, as it is handed out.
#[derive(Debug, Clone)]
pub struct UserCertificate {
    /// The id of its key.
    pub key: KeyId,
    /// The certificate, in DER.
    pub certificate: Vec<u8>,
    /// The public key: SubjectPublicKeyInfo, in DER.
    pub public_key: Vec<u8>,
    /// When it expires.
    pub expires: Time,
}

/// A user's key, ready to sign.
#[derive(Clone)]
pub struct UserKey {
    issued: Arc<Issued>,
    key: Arc<dyn SigningKey>,
    token: Option<TokenId>,
}

impl UserKey {
    /// Ties the key to the token with which somebody came: once that is revoked, nothing is signed.
    pub fn used_with(self, token: Option<TokenId>) -> Self {
        Self { token, ..self }
    }

    /// Returns the certificate that goes with it.
    pub fn issued(&self) -> &Issued {
        &self.issued
    }

    /// Returns the kind of key.
    pub fn kind(&self) -> KeyAlgorithm {
        self.key.public_key().algorithm()
    }

    /// Returns its size in bits, as the field counts it.
    pub fn bits(&self) -> Option<u32> {
        self.key.public_key().bits()
    }

    /// Returns the name of its curve, where it is on one.
    pub fn curve(&self) -> Option<&'static str> {
        self.key.public_key().curve()
    }

    /// Returns the algorithm to use with this digest function when nobody asks for another.
    pub fn algorithm(&self, function: DigestAlgorithm) -> SignatureAlgorithm {
        self.key.algorithm(function)
    }
}

impl Registry {
    /// Makes a registry over a store; needs a running tokio.
    pub fn new(
        store: Arc<dyn Store>,
        key_store: Arc<dyn KeyStore>,
        authority: Arc<Authority>,
        policy: CertificatePolicy,
    ) -> Self {
        let audit_queue = AuditQueue::start(Arc::clone(&store));
        let (keys, tokens, per_user_lock) = (Cache::default(), Cache::default(), PerUserLock::default());
        Self {
            store,
            key_store,
            authority,
            policy,
            audit_queue,
            keys,
            tokens,
            per_user_lock,
            changes: AtomicU64::new(0),
        }
    }

    /// Checks that the storage answers.
    pub async fn ready(&self) -> Result<(), StorageError> {
        self.store.ready().await
    }

    /// Returns how often this process issued or revoked.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// Returns the terms under which users get certificates.
    pub fn policy(&self) -> &CertificatePolicy {
        &self.policy
    }

    /// Returns who issues them.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// Returns what the registry rests on.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Returns the user's certificate: the one there is, else, or shortly before it expires, a new one.
    pub async fn get_or_issue(&self, person: &Person, now: Time) -> Result<UserCertificate, Error> {
        let until = self.policy.renewed_until(now);
        if let Some(current) = self.store.current(&person.user, until).await? {
            return handed_out(&current);
        }
        // On this node one request of a user makes the key, and the others wait for it.
        let _lock = self.per_user_lock.of(&person.user).lock().await;
        if let Some(current) = self.store.current(&person.user, until).await? {
            return handed_out(&current);
        }
        handed_out(&self.issue(person, now, until).await?)
    }

    /// Makes a key and a certificate, unless another node was first.
    async fn issue(&self, person: &Person, now: Time, until: Time) -> Result<Issued, Error> {
        let id = KeyId::random(&mut rng::system());
        let (key_store, kind) = (Arc::clone(&self.key_store), self.policy.key);
        let made = tokio::task::spawn_blocking(move || key_store.generate(kind, &user_key(id), &mut rng::system()));
        let made = made.await.map_err(|_| Error::Worker)??;
        let (authority, policy) = (Arc::clone(&self.authority), self.policy.clone());
        let (stored_key, whose) = (made.stored.clone(), person.clone());
        let make = move |previous: Option<&Issued>| {
            let public = made.key.public_key();
            let certificate = authority.issue(&policy, &whose, public, now, &mut rng::system())?;
            let action = if previous.is_some() { Action::CertificateRenewed } else { Action::CertificateIssued };
            let event = Event::new(now, action).user(&whose.user).key(id).detail(sha256(certificate.der()));
            let issued = Issued {
                key: id,
                user: whose.user,
                policy: policy.id,
                certificate: certificate.der().to_vec(),
                serial: certificate.serial().to_vec(),
                stored_key: made.stored,
                issued: now,
                expires: certificate.not_after(),
                revoked: None,
            };
            Ok((issued, event))
        };
        let issued = self.store.current_or_issue(&person.user, until, Box::new(make)).await?;
        self.changes.fetch_add(1, Ordering::AcqRel);
        if issued.key != id {
            let key_store = Arc::clone(&self.key_store);
            let discard = tokio::task::spawn_blocking(move || key_store.discard(&stored_key, &user_key(id)));
            discard.await.map_err(|_| Error::Worker)??;
        }
        Ok(issued)
    }

    /// Returns a user's key; `None` where there is none of this user with this id, or its certificate is no longer
    /// good.
    pub async fn key(&self, user: &User, key: KeyId, now: Time) -> Result<Option<UserKey>, Error> {
        let found = match self.keys.find(key) {
            Some(found) => found,
            None => match self.store.certificate(key).await? {
                // A stranger's key is not even opened.
                Some(issued) if issued.user == *user && issued.revoked.is_none() => self.open(issued).await?,
                _ => return Ok(None),
            },
        };
        let good = found.issued.user == *user && now <= found.issued.expires;
        Ok(good.then_some(found))
    }

    async fn open(&self, issued: Issued) -> Result<UserKey, Error> {
        let key_store = Arc::clone(&self.key_store);
        let issued = Arc::new(issued);
        let stored = Arc::clone(&issued);
        let opened = tokio::task::spawn_blocking(move || key_store.open(&stored.stored_key, &user_key(stored.key)));
        let key = UserKey { issued, key: Arc::from(opened.await.map_err(|_| Error::Worker)??), token: None };
        self.keys.keep(key.issued.key, key.clone());
        Ok(key)
    }

    /// Signs a digest. The audit log is asked last: a key whose certificate was revoked meanwhile, or a token that was,
    /// by whichever node, does not sign.
    pub async fn sign(
        &self,
        key: &UserKey,
        algorithm: SignatureAlgorithm,
        digest: &[u8],
        now: Time,
    ) -> Result<Vec<u8>, SigningError> {
        let detail = format!("{algorithm} {}", hexadecimal::lower(digest));
        let value = match key.kind() {
            // Less work than handing it to another thread.
            KeyAlgorithm::Ecdsa if self.key_store.is_quick() => key.key.sign(&algorithm, digest, &mut rng::system())?,
            _ => {
                let (key, digest) = (Arc::clone(&key.key), digest.to_vec());
                let work = move || key.sign(&algorithm, &digest, &mut rng::system());
                tokio::task::spawn_blocking(work).await.map_err(|_| SigningError::Worker)??
            }
        };
        let issued = key.issued();
        let event = Event::new(now, Action::HashSigned).user(&issued.user).key(issued.key).detail(detail);
        let event = Event { token: key.token, ..event };
        match self.audit_queue.record(event).await? {
            Recorded::Written => Ok(value),
            Recorded::KeyRevoked => {
                self.keys.forget(issued.key);
                Err(SigningError::Revoked)
            }
            Recorded::TokenRevoked => {
                key.token.into_iter().for_each(|token| self.tokens.forget(token));
                Err(SigningError::Token)
            }
        }
    }

    /// Returns whose token this is. A refusal stands in the audit log.
    pub async fn user_of(&self, token: &str, now: Time) -> Result<Person, AccessError> {
        let token = self.parsed(token, now).await?;
        self.looked_up(&token, now).await.map(|record| record.person.clone())
    }

    /// Returns whose token this is, for somebody who wants to sign: the record may have been read before. That it was
    /// revoked since is found when [`sign`](Self::sign) tells the audit log, or by [`still_good`](Self::still_good).
    pub async fn signer_of(&self, token: &str, now: Time) -> Result<Arc<TokenRecord>, AccessError> {
        let token = self.parsed(token, now).await?;
        let known = self.tokens.find(token.id()).filter(|record| token.is(&record.sha256) && !record.is_expired(now));
        match known {
            Some(record) => Ok(record),
            None => self.looked_up(&token, now).await,
        }
    }

    /// Checks that a token that was accepted before still is.
    pub async fn still_good(&self, token: TokenId, now: Time) -> Result<(), AccessError> {
        let record = self.store.token(token).await?;
        match record.map_or(Some(Refusal::Unknown), |record| record.refusal(now)) {
            None => Ok(()),
            Some(refusal) => {
                self.tokens.forget(token);
                Err(self.refused(Event::new(now, Action::TokenRefused).token(token), refusal).await)
            }
        }
    }

    async fn parsed(&self, token: &str, now: Time) -> Result<Token, AccessError> {
        match Token::parse(token) {
            Some(token) => Ok(token),
            None => Err(self.refused(Event::new(now, Action::TokenRefused), Refusal::Malformed).await),
        }
    }

    async fn looked_up(&self, token: &Token, now: Time) -> Result<Arc<TokenRecord>, AccessError> {
        let record = self.store.token(token.id()).await?;
        // The same work whether there is a record or not.
        let own = token.is(&record.as_ref().map_or([0; 32], |record| record.sha256));
        let refusal = match record {
            None => Refusal::Unknown,
            Some(_) if !own => Refusal::Secret,
            Some(record) => match record.refusal(now) {
                Some(refusal) => refusal,
                None => {
                    let record = Arc::new(record);
                    self.tokens.keep(token.id(), Arc::clone(&record));
                    return Ok(record);
                }
            },
        };
        self.tokens.forget(token.id());
        Err(self.refused(Event::new(now, Action::TokenRefused).token(token.id()), refusal).await)
    }

    /// Tells the audit log of a token that another check refused.
    pub async fn token_refused(&self, refusal: Refusal, now: Time) -> AccessError {
        self.refused(Event::new(now, Action::TokenRefused), refusal).await
    }

    async fn refused(&self, event: Event, refusal: Refusal) -> AccessError {
        match self.audit_queue.record(event.detail(refusal.to_string())).await {
            Ok(_) => AccessError::Refused(refusal),
            Err(error) => error.into(),
        }
    }

    /// Revokes a certificate; whether there was one that was not revoked yet.
    pub async fn revoke(&self, key: KeyId, reason: RevocationReason, now: Time) -> Result<bool, StorageError> {
        self.keys.forget(key);
        let revoked = certificates::revoke(&*self.store, key, reason, now).await;
        self.changes.fetch_add(1, Ordering::AcqRel);
        revoked
    }

    /// Returns the authority's revocation list, in DER.
    pub async fn revocation_list(&self, now: Time) -> Result<Vec<u8>, Error> {
        let revoked = self.store.revoked(now).await?;
        let revoked: Vec<Revoked> = revoked.iter().filter_map(entry).collect();
        let authority = Arc::clone(&self.authority);
        let work = move || authority.revocation_list(&revoked, now, &mut rng::system());
        Ok(tokio::task::spawn_blocking(work).await.map_err(|_| Error::Worker)??)
    }

    /// Returns the response to an OCSP request, in DER.
    pub async fn ocsp(&self, request: Vec<u8>, now: Time) -> Result<Vec<u8>, Error> {
        let mut known = HashMap::new();
        for serial in self.authority.asked(&request)? {
            known.insert(serial.to_vec(), status(self.store.by_serial(serial).await?));
        }
        let authority = Arc::clone(&self.authority);
        let work = move || {
            let status = |serial: &[u8]| known.get(serial).copied().unwrap_or(CertificateStatus::Unknown);
            authority.respond(&request, &status, now, &mut rng::system())
        };
        Ok(tokio::task::spawn_blocking(work).await.map_err(|_| Error::Worker)??)
    }
}

fn handed_out(issued: &Issued) -> Result<UserCertificate, Error> {
    let certificate = Certificate::from_der(&issued.certificate).map_err(|_| Error::Certificate(issued.key))?;
    Ok(UserCertificate {
        key: issued.key,
        public_key: certificate.spki().to_vec(),
        certificate: issued.certificate.clone(),
        expires: issued.expires,
    })
}

/// Returns the certificate's entry in the revocation list.
fn entry(issued: &Issued) -> Option<Revoked> {
    let Revocation { since, reason } = issued.revoked?;
    Some(Revoked { serial: issued.serial.clone(), since, reason })
}

/// Returns the status of a certificate: what was never issued is unknown (RFC 6960 §2.2).
fn status(issued: Option<Issued>) -> CertificateStatus {
    match issued {
        None => CertificateStatus::Unknown,
        Some(Issued { revoked: None, .. }) => CertificateStatus::Good,
        Some(Issued { revoked: Some(Revocation { since, reason }), .. }) => {
            CertificateStatus::Revoked { since, reason }
        }
    }
}

fn sha256(bytes: &[u8]) -> String {
    hexadecimal::lower(&digest(DigestAlgorithm::Sha256, bytes).expect("SHA-256 is always there"))
}
