//! Remote signing services: the API of the Cloud Signature Consortium, version 2, as its client.
//!
//! The parts that services run: `info`, `credentials/list`, `credentials/info`, `credentials/authorize`,
//! `credentials/extendTransaction` and `signatures/signHash`. Signing takes four steps: find the credential and its
//! certificate, prepare all documents with it, authorise exactly their digests, have them signed.
//!
//! What a service returns is not believed: `Prepared::finish` verifies each value with the certificate's key. Tokens,
//! passwords and activation data are wiped when dropped, sent over TLS only (or to this machine), and never printed.

mod error;
mod hashes;
mod messages;
mod oauth;
mod service;

pub use error::CscError;
pub use hashes::Hashes;
pub use messages::{AuthorizationMode, AuthorizationObject, Credential, ServiceInfo};
pub use oauth::{AccessToken, OAuth, Pending, Scope};
pub use service::{ActivationData, AuthorizationData, SigningService};
