//! What is handed in beside a document, and the validator that it makes.

use crate::failure::Failure;
use crate::options::Options;
use js_sys::Uint8Array;
use lacre::{Document, Policy, Time, Validator};
use std::sync::{Arc, LazyLock};

/// The built-in policy. To make it takes as long as to read a small document.
static POLICY: LazyLock<Arc<Policy>> = LazyLock::new(|| Policy::eidas().into());

/// Returns the validator with what it trusts and knows.
pub(crate) fn validator(options: &Options) -> Result<Validator, Failure> {
    let mut validator = Validator::new(POLICY.clone()).without_cache();
    for certificate in options.trust_anchors() {
        validator = validator.trust_anchor(&certificate.to_vec())?;
    }
    for bytes in options.evidence() {
        validator = validator.evidence(&bytes.to_vec())?;
    }
    match options.trusted_lists() {
        Some(bytes) => trusting(validator, &bytes, options),
        None => Ok(validator),
    }
}

#[cfg(feature = "trusted-lists")]
fn trusting(validator: Validator, bytes: &[u8], options: &Options) -> Result<Validator, Failure> {
    let lists = lacre::trust::TrustedLists::from_snapshot(bytes);
    let lists = lists.map_err(|error| Failure::new("INVALID_TRUSTED_LISTS", &error))?;
    let packers = options.packed_by().into_iter().map(|certificate| {
        let certificate = lacre_core::x509::Certificate::from_der(&lacre::decode_pem(&certificate.to_vec()));
        certificate.map_err(|error| Failure::new("INVALID_EVIDENCE", &error))
    });
    let packers = packers.collect::<Result<Vec<_>, _>>()?;
    if !packers.is_empty() {
        let theirs = lists.require_snapshot_signer(&packers);
        theirs.map_err(|error| Failure::new("INVALID_TRUSTED_LISTS", &error))?;
    }
    Ok(validator.trusted_lists(&lists))
}

#[cfg(not(feature = "trusted-lists"))]
fn trusting(_: Validator, _: &[u8], _: &Options) -> Result<Validator, Failure> {
    let message = "found trusted lists, expected certificates as trustAnchors: this module reads no lists";
    let hint = "trusted lists are read by the full module, `lacre`; `lacre/slim` is without them";
    Err(Failure::plain("INVALID_TRUSTED_LISTS", message).with_hint(hint))
}

/// Returns the moment to judge at.
pub(crate) fn time(options: &Options) -> Result<Time, Failure> {
    options.time()?.ok_or_else(|| Failure::plain("INVALID_ARGUMENT", "found no time, expected a Date"))
}

/// What stands beside the document, copied out of JavaScript's memory.
pub(crate) struct HandedIn {
    contents: Vec<(String, Vec<u8>)>,
    password: Option<String>,
}

impl HandedIn {
    pub(crate) fn new(options: &Options) -> Self {
        let bytes = options.contents();
        let bytes = bytes.iter().map(Uint8Array::to_vec);
        Self { contents: options.content_names().into_iter().zip(bytes).collect(), password: options.password() }
    }

    /// Returns the document with what stands beside it.
    pub(crate) fn document<'a>(&'a self, bytes: &'a [u8], options: &Options) -> Document<'a> {
        let mut document = Document::new(bytes);
        if let Some(name) = options.name() {
            document = document.named(name);
        }
        for (name, content) in &self.contents {
            document = document.with_content(name, content);
        }
        match &self.password {
            Some(password) => document.with_password(password.as_bytes()),
            None => document,
        }
    }
}
