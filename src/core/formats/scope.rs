//! What is signed, as facts: the scopes of a signature and the data that they refer to.

use super::content::Content;
use super::ids;
use crate::facts::{Digest, Id, Scope, ScopeType, Shared, SignedData};

/// The scopes of a signature, time-stamp or evidence record, with the signed data that they name.
#[derive(Debug, Clone, Default)]
pub struct SignedScope {
    /// The scopes.
    pub scopes: Vec<Shared<Scope>>,
    /// The data.
    pub signed_data: Vec<SignedData>,
}

impl SignedScope {
    /// Covers the whole of a content: `FULL`, or `DIGEST` where only digests of it are known. Empty for a missing
    /// content.
    pub fn whole(content: &Content<'_>) -> Self {
        let Some((algorithm, value)) = content.any_digest() else { return Self::default() };
        let name = content.name().map(str::to_owned);
        let id = ids::of_parts("D-", &[&value, name.as_deref().unwrap_or_default().as_bytes()]);
        let (kind, description) = match content.is_digest_only() {
            true => (ScopeType::Digest, "Digest of the document"),
            false => (ScopeType::Full, "Full document"),
        };
        let digest = Digest { algorithm: Some(algorithm), value: value.into() };
        Self::of(kind, description.into(), name, id, digest)
    }

    /// Covers the value of the signature `parent`, which a counter-signature signs.
    pub(crate) fn signature(parent: &Id, value: &[u8]) -> Self {
        let id = ids::of_parts("D-", &[value, parent.as_str().as_bytes()]);
        let description = format!("Master signature with Id : {parent}");
        let name = Some(parent.to_string());
        Self::of(ScopeType::CounterSignature, description, name, id, ids::sha256_digest(value))
    }

    fn of(kind: ScopeType, description: String, name: Option<String>, id: Id, digest: Digest) -> Self {
        let scope = Scope { kind, name: name.clone(), description, transformations: vec![], signed_data: id.clone() };
        Self { scopes: vec![scope.into()], signed_data: vec![SignedData { id, name, digest, parent: None }] }
    }
}
