//! What a service says of itself and of credentials.

use lacre_core::x509::Certificate;
use serde::Deserialize;

/// What a service is and can do: `info`.
#[non_exhaustive]
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ServiceInfo {
    /// The version of the interface.
    pub specs: String,
    /// The name of the service.
    pub name: String,
    /// How callers show who they are: `external`, `TLS`, `basic`, `digest`, `oauth2code`, `oauth2client`.
    pub auth_type: Vec<String>,
    /// Where its OAuth 2.0 server is, to which `/oauth2/authorize` and `/oauth2/token` are added.
    pub oauth2: Option<String>,
    /// The methods that it has. Others are not there, whatever is said elsewhere.
    pub methods: Vec<String>,
}

impl ServiceInfo {
    /// Returns whether the service has a method, such as `signatures/signHash`.
    pub fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|own| own == method)
    }
}

/// How the use of a credential is authorised.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthorizationMode {
    /// By whoever may use the service.
    Implicit,
    /// By `credentials/authorize` with what [`Credential::objects`] ask for.
    Explicit,
    /// By a token with the scope `credential`.
    OAuth2Code,
    /// In another way.
    Other(String),
}

/// Something that the user has to say to authorise: a PIN, a one-time password.
#[non_exhaustive]
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct AuthorizationObject {
    /// Its kind: `Password`, `ChallengeResponse`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name in `credentials/authorize`.
    pub id: String,
    /// What users are to be shown.
    pub label: String,
}

/// A key that the service keeps, and its certificate: `credentials/info`.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Its name.
    pub id: String,
    /// Object identifiers of the algorithms by which it signs.
    pub algorithms: Vec<String>,
    /// Bits of the key.
    pub bits: Option<u32>,
    /// The certificate.
    pub certificate: Certificate,
    /// The certificates above it.
    pub chain: Vec<Certificate>,
    /// How its use is authorised.
    pub mode: AuthorizationMode,
    /// What the user has to say.
    pub objects: Vec<AuthorizationObject>,
    /// Whether an authorisation is for exactly the digests that it names: SCAL 2 (EN 419 241-1).
    pub is_bound_to_hashes: bool,
    /// The most digests of one authorisation.
    pub multisign: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct CredentialList {
    #[serde(rename = "credentialIDs", default)]
    pub ids: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CredentialAnswer {
    pub key: KeyAnswer,
    pub cert: CertificateAnswer,
    #[serde(default)]
    pub auth: AuthAnswer,
    #[serde(rename = "SCAL", default)]
    pub scal: Option<String>,
    #[serde(default)]
    pub multisign: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct KeyAnswer {
    pub status: Option<String>,
    #[serde(default)]
    pub algo: Vec<String>,
    pub len: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CertificateAnswer {
    pub status: Option<String>,
    #[serde(default)]
    pub certificates: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AuthAnswer {
    pub mode: Option<String>,
    pub objects: Vec<AuthorizationObject>,
}

#[derive(Deserialize)]
pub(super) struct AuthorizeAnswer {
    #[serde(rename = "SAD")]
    pub sad: Option<String>,
    #[serde(rename = "expiresIn")]
    pub expires_in: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct SignAnswer {
    #[serde(default)]
    pub signatures: Vec<String>,
    #[serde(rename = "responseID")]
    pub response_id: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ErrorAnswer {
    pub error: String,
    pub error_description: String,
}
