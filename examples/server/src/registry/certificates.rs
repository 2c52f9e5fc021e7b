//! Certificates, as `lacre-server certificate` handles them: a store is enough.

use crate::audit::{Action, Event};
use crate::storage::{KeyId, Revocation, StorageError, Store};
use lacre::{Time, issuance::RevocationReason};

/// Revokes a certificate; whether there was one that was not revoked yet.
pub async fn revoke(store: &dyn Store, key: KeyId, reason: RevocationReason, now: Time) -> Result<bool, StorageError> {
    let event = Event::new(now, Action::CertificateRevoked).key(key).detail(reason.as_str());
    store.revoke(key, Revocation { since: now, reason }, event).await
}
