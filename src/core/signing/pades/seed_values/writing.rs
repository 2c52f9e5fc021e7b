//! Seed values of a new field: ISO 32000-1 table 234.

use super::{APPEARANCE, DIGEST, FILTER, LOCK, REASONS, REVOCATION, SUB_FILTER, SeedValues, VERSION};
use crate::algorithm::DigestAlgorithm;
use crate::formats::pdf::write::{Entries, Value, text_string};
use crate::signing::attributes::{invalid, not_empty};
use crate::signing::{SigningError, SigningErrorCode};

impl SeedValues {
    /// Makes everything that is stated a requirement: signers that do otherwise are refused. Without it, it is advice, but
    /// for what is asked of a certification.
    pub fn required(mut self) -> Self {
        let stated = [
            (FILTER, self.filter.is_some()),
            (SUB_FILTER, !self.sub_filters.is_empty()),
            (VERSION, self.version.is_some()),
            (REASONS, self.reasons.is_some()),
            (REVOCATION, self.revocation_information),
            (DIGEST, !self.digests.is_empty()),
            (LOCK, self.lock_document.is_some()),
            (APPEARANCE, self.appearance.is_some()),
        ];
        let bits = stated.iter().filter(|(_, is_stated)| *is_stated).fold(0, |bits, (bit, _)| bits | bit);
        self.timestamp_required = self.timestamp_url.is_some();
        self.required |= bits;
        self
    }

    /// Returns the dictionary that states them; `None` where nothing is.
    ///
    /// # Errors
    ///
    /// `parameter-invalid` where one of them is not of the form that the table has; `parameter-not-in-format` for what is
    /// asked of certificates and attestations, which is read only.
    pub(in crate::signing::pades) fn entries(&self) -> Result<Option<Entries>, SigningError> {
        if *self == Self::default() {
            return Ok(None);
        }
        self.check_form()?;
        let mut entries = Entries::new().with("Type", Value::name("SV"));
        if self.required != 0 {
            entries.set(b"Ff", self.required);
        }
        self.filter.iter().for_each(|filter| entries.set(b"Filter", name(filter)));
        if !self.sub_filters.is_empty() {
            entries.set(b"SubFilter", self.sub_filters.iter().map(|filter| name(filter)).collect::<Vec<_>>());
        }
        self.version.iter().for_each(|version| entries.set(b"V", Value::Real(*version)));
        if !self.digests.is_empty() {
            entries.set(b"DigestMethod", self.digests.iter().map(|digest| text_string(digest)).collect::<Vec<_>>());
        }
        if let Some(reasons) = &self.reasons {
            entries.set(b"Reasons", reasons.iter().map(|reason| text_string(reason)).collect::<Vec<_>>());
        }
        self.certify.iter().for_each(|level| entries.set(b"MDP", Entries::new().with("P", *level)));
        if let Some(url) = &self.timestamp_url {
            let timestamp = Entries::new().with("URL", text_string(url));
            entries.set(b"TimeStamp", timestamp.with("Ff", i64::from(self.timestamp_required)));
        }
        if let Some(lock) = self.lock_document {
            entries.set(b"LockDocument", Value::name(if lock { "true" } else { "false" }));
        }
        if self.revocation_information {
            entries.set(b"AddRevInfo", Value::Boolean(true));
        }
        self.appearance.iter().for_each(|appearance| entries.set(b"AppearanceFilter", text_string(appearance)));
        Ok(Some(entries))
    }

    fn check_form(&self) -> Result<(), SigningError> {
        if self.attestations || self.certificate.is_some() {
            let found = "found what is asked of certificates or attestations, expected none: it is read only";
            return Err(SigningError::new(SigningErrorCode::ParameterNotInFormat, found));
        }
        let named = self.filter.iter().chain(&self.sub_filters);
        if let Some(name) =
            named.into_iter().find(|name| name.is_empty() || !name.bytes().all(|b| b.is_ascii_graphic()))
        {
            return Err(invalid(format!("found the filter `{name}`, expected a name in ASCII")));
        }
        if let Some(version) = self.version.filter(|version| !(1.0..=super::KNOWN).contains(version)) {
            return Err(invalid(format!("found seed values of version {version}, expected 1 to {}", super::KNOWN)));
        }
        if let Some(digest) = self.digests.iter().find(|name| DigestAlgorithm::from_name(name).is_none()) {
            return Err(invalid(format!("found the digest function `{digest}`, expected one that is known")));
        }
        self.reasons.iter().flatten().try_for_each(|reason| not_empty("reason", reason))?;
        if let Some(level) = self.certify.filter(|level| !(0..=3).contains(level)) {
            return Err(invalid(format!("found a certification of level {level}, expected 0 (none) to 3")));
        }
        match &self.timestamp_url {
            Some(url) if url.is_empty() || !url.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Err(invalid(format!("found the address `{url}` of an authority, expected one in ASCII")))
            }
            None if self.timestamp_required => {
                Err(invalid("found that a time-stamp is required, expected the address of its authority, too".into()))
            }
            _ => self.appearance.iter().try_for_each(|name| not_empty("name of an appearance", name)),
        }
    }
}

fn name(text: &str) -> Value {
    Value::Name(text.as_bytes().to_vec().into())
}
