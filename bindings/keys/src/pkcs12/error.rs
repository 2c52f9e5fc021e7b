use lacre::signing::PrivateKeyError;

/// Why a PKCS#12 file gives no key.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Pkcs12Error {
    /// The bytes are no PKCS#12 file.
    #[error("{part} cannot be read, expected a PKCS#12 file (RFC 7292 §4)")]
    Format {
        /// The part that is not as it has to be.
        part: &'static str,
    },
    /// The password is another one, or the file was changed.
    #[error("the password does not open the PKCS#12 file, or the file was changed")]
    Password,
    /// The file is protected in a way that is not checked.
    #[error("the PKCS#12 file is protected by {found}, expected HMAC with SHA-1 or SHA-2, at most ten million rounds")]
    Integrity {
        /// By what.
        found: String,
    },
    /// The file is encrypted in a way that is not opened.
    #[error("the PKCS#12 file is encrypted by {found}, expected PBES2, RC2 or Triple DES, at most ten million rounds")]
    Encryption {
        /// By what.
        found: String,
    },
    /// The file has no private key.
    #[error("the PKCS#12 file has no private key, only {certificates} certificates")]
    NoKey {
        /// How many certificates it has.
        certificates: usize,
    },
    /// None of the certificates is the key's.
    #[error("the PKCS#12 file has {certificates} certificates, expected one with the public half of its private key")]
    NoCertificate {
        /// How many certificates it has.
        certificates: usize,
    },
    /// The file has several keys.
    #[error("the PKCS#12 file has several private keys, expected the name of one of them: {}", .names.join(", "))]
    Several {
        /// Their names.
        names: Vec<String>,
    },
    /// The file has no key of that name.
    #[error("the PKCS#12 file has no private key named {asked:?}, expected one of: {}", .names.join(", "))]
    Alias {
        /// The name that was asked for.
        asked: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// The key is of a kind that does not sign here.
    #[error(transparent)]
    Key(#[from] PrivateKeyError),
}

impl Pkcs12Error {
    pub(super) fn part<E>(part: &'static str) -> impl Fn(E) -> Self {
        move |_| Self::Format { part }
    }
}
