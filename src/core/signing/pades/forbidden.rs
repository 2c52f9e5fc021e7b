//! What earlier signatures and the protection of the document forbid: ISO 32000-1 §12.8.2, §7.6.3.2.

use super::certification::Terms;
use super::field::Target;
use super::options::Options;
use super::seed_values::SeedValues;
use super::{Lock, LockAction, Permission, level};
use crate::formats::cms::SignedData;
use crate::formats::pdf::permissions::{field_mdp, permitted_after};
use crate::formats::pdf::signature::{Purpose, signatures};
use crate::formats::pdf::write::form::FormField;
use crate::formats::pdf::{File, Revision};
use crate::formats::tsp::Token;
use crate::signing::{SigningError, SigningErrorCode as Code};

/// What earlier signatures say of later ones.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// The name of a field that is signed, whether it can be read or not.
    signed: Option<String>,
    /// What is still permitted, and the name of the field whose signature says so.
    permission: Option<(Permission, String)>,
    /// The name of a field whose signature covers bytes that the document does not have.
    cut: Option<String>,
    /// A signature that cannot be read: the name of its field and why.
    unreadable: Option<String>,
    /// Which fields are locked, and the name of the field whose signature locks them.
    locks: Vec<(Lock, String)>,
}

/// Returns why the contents of a signature or time-stamp are none, where they are not.
fn defect(purpose: Purpose, contents: &[u8]) -> Option<String> {
    match purpose {
        Purpose::DocumentTimestamp => Token::parse(contents).err().map(|error| error.to_string()),
        _ => match SignedData::parse(contents) {
            Ok(signed) => signed.signers.is_empty().then(|| "no signer".to_owned()),
            Err(error) => Some(error.to_string()),
        },
    }
}

impl Earlier {
    /// Reads the signatures of the form, and looks for others on the pages. Time-stamps forbid nothing.
    pub fn read<'a>(revision: &Revision<'a, '_>, fields: &[FormField<'a>]) -> Self {
        let signed = fields.iter().find(|field| field.is_signature() && field.is_filled());
        let mut earlier = Self { signed: signed.map(|field| field.name.clone()), ..Self::default() };
        let found = signatures(revision);
        earlier.unreadable = found.irregular.into_iter().find_map(|one| one.subject).map(|subject| subject.to_string());
        for (purpose, signature) in found.readable {
            let names: Vec<&str> = signature.fields.iter().map(|field| &field.name[..]).collect();
            let (names, dictionary) = (names.join(", "), &signature.dictionary);
            if signature.revision_end(revision.file().data()).is_none() {
                earlier.cut = Some(names.clone());
            }
            if let Some(reason) = defect(purpose, &signature.contents.bytes()) {
                earlier.unreadable.get_or_insert_with(|| format!("{names}: {reason}"));
            }
            if purpose == Purpose::DocumentTimestamp {
                continue;
            }
            let own = signature.fields.iter().filter_map(|field| field.lock.as_deref().cloned());
            let permissions = own.clone().map(|lock| lock.permissions);
            if let Some(permission) = permitted_after(revision, dictionary, permissions)
                && earlier.permission.as_ref().is_none_or(|(known, _)| level(permission) < level(*known))
            {
                earlier.permission = Some((permission, names.clone()));
            }
            let locks = field_mdp(revision, dictionary).into_iter().chain(own);
            earlier.locks.extend(locks.map(|lock| (lock, names.clone())));
        }
        earlier
    }

    /// Returns whether a field is signed.
    pub fn has_signatures(&self) -> bool {
        self.signed.is_some()
    }

    /// Checks that a field may be added or signed.
    ///
    /// # Errors
    ///
    /// `signature-invalid`, `permission-denied`, `certified-no-changes`, `locked-by-field`.
    pub fn check(
        &self,
        file: &File<'_>,
        target: &Target<'_>,
        adds_more_than_signature: bool,
    ) -> Result<(), SigningError> {
        if let Some(name) = &self.cut {
            let found =
                format!("found the signature of the field {name} over bytes that are missing, expected all of them");
            return Err(SigningError::new(Code::SignatureInvalid, found)
                .with_hint("the document was cut short after it was signed: get it again"));
        }
        // EN 319 102-1 §5.2.2: a file with a signature that cannot be read passes with none of its signatures.
        if let Some(what) = &self.unreadable {
            let found = format!("found a signature that cannot be read ({what}), expected none or one that can");
            return Err(SigningError::new(Code::SignatureInvalid, found)
                .with_hint("no signature of this file would hold: sign the document as it was before"));
        }
        check_access(file, matches!(target, Target::New { .. }))?;
        self.check_changes(adds_more_than_signature)?;
        self.check_locks(target.name())
    }

    /// Says what is permitted after the signature of a field, once it is sure that the field may be signed.
    ///
    /// # Errors
    ///
    /// `signature-invalid`, `permission-denied`, `certified-no-changes`, `locked-by-field`, `certification-not-first`, `parameters-conflict`.
    pub fn terms<'a>(
        &self,
        revision: &Revision<'a, '_>,
        target: &Target<'a>,
        wishes: &SeedValues,
        options: &Options,
    ) -> Result<Terms, SigningError> {
        self.check(revision.file(), target, target.adds_more_than_signature())?;
        if let (Some(_), Some(name)) = (options.certify, &self.signed) {
            let found = format!("found the signed field {name}, expected a certification to be the first signature");
            return Err(SigningError::new(Code::CertificationNotFirst, found)
                .with_hint("sign without certifying; a lock with a permission says what is permitted afterwards"));
        }
        let own = target.lock(revision);
        let asked = options.lock.clone().or_else(|| wishes.lock(own.is_some()));
        let (lock, lock_is_new) = match (own, asked) {
            (Some(own), Some(asked)) if own != asked => {
                let found =
                    format!("found the field {} with a lock of its own, and another one to be set", target.name());
                return Err(SigningError::new(Code::ParametersConflict, found).with_hint("leave the lock out"));
            }
            (Some(own), _) => (Some(own), false),
            (None, asked) => (asked, true),
        };
        Ok(Terms { certify: options.certify, lock, lock_is_new })
    }

    /// Checks that changes of a form are still permitted. Table 254 lets fields be signed where it lets forms be filled in;
    /// of new fields it says nothing. Readers take one that is not seen for a signature, and differ about one that is.
    ///
    /// # Errors
    ///
    /// `certified-no-changes`.
    fn check_changes(&self, adds_more_than_signatures: bool) -> Result<(), SigningError> {
        let Some((permission, name)) = &self.permission else { return Ok(()) };
        let is_permitted = match permission {
            Permission::NoChange => false,
            Permission::MinimalChanges => !adds_more_than_signatures,
            Permission::Changes => true,
        };
        if is_permitted {
            return Ok(());
        }
        let found = format!(
            "found the signature of the field {name}, which permits only changes of level {}",
            level(*permission)
        );
        Err(SigningError::new(Code::CertifiedNoChanges, found).with_hint(match permission {
            Permission::NoChange => "only validation data and time-stamps can be added; ask who signed to permit more",
            _ => "sign a field that is there, or a new one that is not seen and has no new parents",
        }))
    }

    /// Checks that a field may still be signed.
    fn check_locks(&self, name: &str) -> Result<(), SigningError> {
        let Some((_, by)) = self.locks.iter().find(|(lock, _)| locks(lock, name)) else { return Ok(()) };
        let found = format!("found the field {name} locked by the signature of the field {by}");
        Err(SigningError::new(Code::LockedByField, found)
            .with_hint("only validation data and time-stamps can be added; ask who signed to lock less"))
    }
}

/// Returns whether a lock concerns a field: ISO 32000-1 table 233. A name stands for the fields below it, too (§12.7.3.2),
/// and what is below a field cannot change without it.
fn locks(lock: &Lock, name: &str) -> bool {
    let named = || lock.fields.iter().any(|locked| is_within(name, locked));
    match lock.action {
        LockAction::All => true,
        LockAction::Include => named() || lock.fields.iter().any(|locked| is_within(locked, name)),
        LockAction::Exclude => !named(),
    }
}

fn is_within(name: &str, field: &str) -> bool {
    name.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Checks that the password of an encrypted document gives access to what is done: ISO 32000-1 table 22.
///
/// # Errors
///
/// `permission-denied`.
pub(super) fn check_access(file: &File<'_>, adds_field: bool) -> Result<(), SigningError> {
    let Some(access) = file.access() else { return Ok(()) };
    let (is_allowed, what) = match adds_field {
        true => (access.adds_fields(), "new fields"),
        false => (access.fills_fields(), "to fill in and sign fields"),
    };
    if is_allowed {
        return Ok(());
    }
    let found = format!("found a protected document that does not allow {what}, expected one that does");
    Err(SigningError::new(Code::PermissionDenied, found).with_hint("give the password of the owner"))
}
