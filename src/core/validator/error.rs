//! Why nothing was judged.

use crate::formats;

/// Why a document was not judged at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The document cannot be read as anything that holds signatures.
    #[error(transparent)]
    Document(formats::Error),
    /// A bound of the budget was reached, so that nothing was judged.
    #[error("beyond the bound {bound} of the budget, which is {limit}")]
    Budget {
        /// The field of [`Budget`](crate::budget::Budget), or `relations`: what tokens hold and cover, one by one.
        bound: &'static str,
        /// What it is.
        limit: u64,
    },
    /// The document rests on an algorithm that this build was made without (features `legacy-algorithms`, `ml-dsa`).
    #[error("found {algorithm}, which this build of lacre does not compute")]
    Algorithm {
        /// Its name.
        algorithm: &'static str,
    },
    /// A trust anchor or piece of evidence is not what it should be.
    #[error("found {found}, expected {expected}")]
    Evidence {
        /// What the bytes are.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
}

impl From<formats::Error> for Error {
    fn from(error: formats::Error) -> Self {
        match error {
            formats::Error::Budget { bound, limit } => Self::Budget { bound, limit },
            other => Self::Document(other),
        }
    }
}

impl Error {
    /// Returns the field of [`Budget`](crate::budget::Budget) that did not allow to judge the document, if one is the cause.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::Budget { bound, .. } => Some(bound),
            Self::Document(error) => error.bound(),
            Self::Algorithm { .. } | Self::Evidence { .. } => None,
        }
    }

    /// Tells whether the document is encrypted and the given password, or the empty one, does not open it.
    pub fn needs_password(&self) -> bool {
        matches!(self, Self::Document(error) if error.needs_password())
    }

    /// Says what the user could do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Document(formats::Error::Unknown { .. }) => Some(
                "lacre reads PDF, CMS (also in PEM or Base64), XML, JWS, ASiC containers and RFC 3161 time-stamps; is this the signed file?",
            ),
            Self::Document(formats::Error::Unsupported { .. } | formats::Error::OpcPackage) => None,
            Self::Document(formats::Error::LeftOut { .. }) => Some(
                "formats are features of the library: `pdf`, `xml`, `asic` and `jose`; in JavaScript they are modules",
            ),
            Self::Budget { .. } => Some("the file asks for more work than files of honest makers do"),
            Self::Document(formats::Error::Pdf(error)) if error.hint().is_some() => error.hint(),
            Self::Document(error) if error.bound().is_some() || error.is_overfull_record() => {
                Some("the file asks for more work than files of honest makers do")
            }
            Self::Document(error) if error.needs_password() => Some("give the document's password"),
            Self::Document(_) => Some("the file may be truncated or damaged; get it again from its source"),
            Self::Algorithm { .. } => Some(
                "the features `legacy-algorithms` and `ml-dsa` of the library have it; in JavaScript the full module, `lacre`",
            ),
            Self::Evidence { .. } => Some("certificates, CRLs and OCSP responses are read in DER and PEM"),
        }
    }
}
