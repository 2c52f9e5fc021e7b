//! Why something could not be issued.

use crate::crypto::{KeyError, SignError};

/// Why something could not be issued.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An attribute of the subject is missing, too long, or of characters that it may not have.
    #[error("{attribute} is {found:?}, expected {expected}")]
    Subject {
        /// The attribute, by its X.520 name.
        attribute: &'static str,
        /// The supplied value.
        found: String,
        /// What its standard allows.
        expected: &'static str,
    },
    /// The profile is for another kind of subject.
    #[error("the profile {profile} is for {expected}")]
    Profile {
        /// The requested profile.
        profile: super::Profile,
        /// The subjects that it is for.
        expected: &'static str,
    },
    /// The key does not belong to the issuer's certificate.
    #[error("the key is not the one of the issuer's certificate {subject}")]
    Key {
        /// The certificate's subject, RFC 2253.
        subject: String,
    },
    /// The validity is empty, or ends after the issuer's own.
    #[error("a validity from {from} to {to}, expected one that ends by {limit}")]
    Validity {
        /// Its beginning.
        from: crate::time::Time,
        /// Its end.
        to: crate::time::Time,
        /// The end of the issuer's own validity.
        limit: crate::time::Time,
    },
    /// The request proves no possession of its key.
    #[error("the certification request is not signed by the key that it asks a certificate for (RFC 2986 §3)")]
    Possession,
    /// A structure could not be read.
    #[error("expected {expected}")]
    Structure {
        /// The structure, with its clause.
        expected: &'static str,
    },
    /// The key signs with no algorithm that has an identifier.
    #[error("a key of this kind cannot issue")]
    Algorithm,
    /// The key store did not sign.
    #[error(transparent)]
    Signature(#[from] SignError),
    /// A public key that cannot be read.
    #[error(transparent)]
    PublicKey(#[from] KeyError),
    /// The result cannot be encoded.
    #[error("cannot be encoded: {0}")]
    Encoding(String),
}

impl From<der::Error> for Error {
    fn from(error: der::Error) -> Self {
        Self::Encoding(error.to_string())
    }
}
