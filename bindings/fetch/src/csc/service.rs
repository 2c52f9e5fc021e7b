//! The methods of a service.

use super::messages::{AuthorizeAnswer, CredentialAnswer, CredentialList, ErrorAnswer, SignAnswer};
use super::{AccessToken, AuthorizationMode, Credential, CscError, Hashes, ServiceInfo};
use crate::Session;
use crate::exchange::{Question, short};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm, SignatureAlgorithm};
use lacre_core::asn1::Tlv;
use lacre_core::x509::Certificate;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of the longest answer: certificates and values.
const LONGEST: u64 = 4 << 20;
/// How long activation data is good for where the service does not say.
const USUAL_VALIDITY: u64 = 3600;

/// A remote signing service.
#[derive(Debug, Clone)]
pub struct SigningService {
    base: String,
    token: Option<AccessToken>,
}

/// Something that the user says to authorise: the value of an [`AuthorizationObject`](super::AuthorizationObject).
pub struct AuthorizationData {
    /// The name of the object.
    pub id: String,
    /// What the user said.
    pub value: Zeroizing<String>,
}

/// Signature activation data (SAD): the authorisation of digests, good once.
pub struct ActivationData {
    sad: Zeroizing<String>,
    expires_in: u64,
}

impl ActivationData {
    /// Returns how long it is good for.
    pub fn expires_in(&self) -> Duration {
        Duration::from_secs(self.expires_in)
    }
}

impl fmt::Debug for ActivationData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ActivationData(…)")
    }
}

impl fmt::Debug for AuthorizationData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuthorizationData({:?}, …)", self.id)
    }
}

impl SigningService {
    /// Makes the service at this address, which ends as in `https://service.example/csc/v2`.
    pub fn at(base: impl Into<String>) -> Self {
        let base: String = base.into();
        Self { base: base.trim_end_matches('/').to_owned(), token: None }
    }

    /// Adds the token that opens the service; for credentials of the mode `oauth2code`, the one that authorises a
    /// signature.
    pub fn with_token(mut self, token: AccessToken) -> Self {
        self.token = Some(token);
        self
    }

    /// Asks what the service is and can do: `info`. No token is sent.
    ///
    /// # Errors
    ///
    /// [`CscError`] where no answer comes, or another one.
    pub fn info(&self, session: &Session<'_>) -> Result<ServiceInfo, CscError> {
        self.ask(session, "info", json!({ "lang": "en" }), None)
    }

    /// Asks for the names of the credentials: `credentials/list`. `user` is for services that callers use for others.
    ///
    /// # Errors
    ///
    /// [`CscError`] where no answer comes, or another one.
    pub fn credentials(&self, session: &Session<'_>, user: Option<&str>) -> Result<Vec<String>, CscError> {
        let mut body = json!({ "onlyValid": true });
        if let Some(user) = user {
            body["userID"] = user.into();
        }
        let list: CredentialList = self.ask(session, "credentials/list", body, self.token.as_ref())?;
        Ok(list.ids)
    }

    /// Asks for a credential and its certificates: `credentials/info`.
    ///
    /// # Errors
    ///
    /// [`CscError::Disabled`] where key or certificate is not in use; [`CscError`] where no answer comes, or another
    /// one.
    pub fn credential(&self, session: &Session<'_>, id: &str) -> Result<Credential, CscError> {
        const METHOD: &str = "credentials/info";
        let body = json!({ "credentialID": id, "certificates": "chain", "certInfo": false, "authInfo": true });
        let answer: CredentialAnswer = self.ask(session, METHOD, body, self.token.as_ref())?;
        for (what, status, good) in
            [("key", &answer.key.status, "enabled"), ("certificate", &answer.cert.status, "valid")]
        {
            if let Some(status) = status.as_deref().filter(|status| *status != good) {
                return Err(CscError::Disabled { found: format!("one whose {what} is {}", short(status)) });
            }
        }
        let certificate = |text: &String| {
            let der = lenient(text)?;
            Certificate::from_der(&der).ok()
        };
        let mut certificates: Vec<Certificate> =
            answer.cert.certificates.iter().map(certificate).collect::<Option<_>>().unwrap_or_default();
        if certificates.is_empty() {
            let found = format!("one with {} certificates, not all readable", answer.cert.certificates.len());
            return Err(CscError::Answer {
                method: METHOD,
                found,
                expected: "the signer's certificate, and those above it",
            });
        }
        let signer = certificates.remove(0);
        let mode = match answer.auth.mode.as_deref() {
            Some("implicit") | None => AuthorizationMode::Implicit,
            Some("explicit") => AuthorizationMode::Explicit,
            Some("oauth2code" | "oauth2token") => AuthorizationMode::OAuth2Code,
            Some(other) => AuthorizationMode::Other(short(other)),
        };
        Ok(Credential {
            id: id.to_owned(),
            algorithms: answer.key.algo,
            bits: answer.key.len,
            certificate: signer,
            chain: certificates,
            mode,
            objects: answer.auth.objects,
            is_bound_to_hashes: answer.scal.as_deref() == Some("2"),
            multisign: answer.multisign.unwrap_or(1),
        })
    }

    /// Authorises exactly these digests: `credentials/authorize`. For credentials of the mode
    /// [`Explicit`](AuthorizationMode::Explicit).
    ///
    /// Nothing is tried again by itself: of a wrong PIN there are few tries.
    ///
    /// # Errors
    ///
    /// [`CscError::TooMany`] where the credential signs fewer at once; [`CscError`] where the service refuses.
    pub fn authorize(
        &self,
        session: &Session<'_>,
        credential: &Credential,
        hashes: &Hashes,
        data: &[AuthorizationData],
        description: Option<&str>,
    ) -> Result<ActivationData, CscError> {
        let fits = usize::try_from(credential.multisign).is_ok_and(|limit| hashes.len() <= limit.max(1));
        if !fits {
            return Err(CscError::TooMany { found: hashes.len(), limit: credential.multisign });
        }
        let mut body = json!({
            "credentialID": credential.id,
            "numSignatures": hashes.len(),
            "hashes": hashes.base64(),
            "hashAlgorithmOID": hashes.function().oid(),
            "authData": data.iter().map(|one| json!({ "id": one.id, "value": *one.value })).collect::<Vec<_>>(),
        });
        if let Some(description) = description {
            body["description"] = description.into();
        }
        self.activation(session, "credentials/authorize", body)
    }

    /// Authorises more digests on top of an authorisation: `credentials/extendTransaction`. The old activation data is
    /// good no more.
    ///
    /// # Errors
    ///
    /// [`CscError`] where the service refuses.
    pub fn extend_transaction(
        &self,
        session: &Session<'_>,
        credential: &Credential,
        activation: ActivationData,
        hashes: &Hashes,
    ) -> Result<ActivationData, CscError> {
        let body = json!({
            "credentialID": credential.id,
            "SAD": *activation.sad,
            "hashes": hashes.base64(),
            "hashAlgorithmOID": hashes.function().oid(),
        });
        self.activation(session, "credentials/extendTransaction", body)
    }

    fn activation(&self, session: &Session<'_>, method: &'static str, body: Value) -> Result<ActivationData, CscError> {
        let answer: AuthorizeAnswer = self.ask(session, method, body, self.token.as_ref())?;
        let missing = || CscError::Answer { method, found: "one without SAD".into(), expected: "SAD" };
        let sad = answer.sad.map(Zeroizing::new).ok_or_else(missing)?;
        Ok(ActivationData { sad, expires_in: answer.expires_in.unwrap_or(USUAL_VALIDITY) })
    }

    /// Gets the digests signed: `signatures/signHash`. Returns the values in the order of the digests, none of them
    /// verified.
    ///
    /// `activation` is used up: a service takes it once.
    ///
    /// # Errors
    ///
    /// [`CscError::Algorithm`] where the credential does not sign by this algorithm; [`CscError::Count`] where other
    /// than one value a digest comes; [`CscError`] where the service refuses, or wants to answer later.
    pub fn sign(
        &self,
        session: &Session<'_>,
        credential: &Credential,
        hashes: &Hashes,
        algorithm: &SignatureAlgorithm,
        activation: Option<ActivationData>,
    ) -> Result<Vec<Vec<u8>>, CscError> {
        const METHOD: &str = "signatures/signHash";
        let (identifier, parameters) = stated(credential, hashes.function(), algorithm)?;
        let mut body = json!({
            "credentialID": credential.id,
            "hashes": hashes.base64(),
            "hashAlgorithmOID": hashes.function().oid(),
            "signAlgo": identifier,
            "operationMode": "S",
        });
        if let Some(parameters) = parameters {
            body["signAlgoParams"] = BASE64_STANDARD.encode(parameters).into();
        }
        if let Some(activation) = &activation {
            body["SAD"] = activation.sad.as_str().into();
        }
        let answer: SignAnswer = self.ask(session, METHOD, body, self.token.as_ref())?;
        if answer.signatures.is_empty() && answer.response_id.is_some() {
            let found = "that it answers later (responseID)".to_owned();
            return Err(CscError::Answer { method: METHOD, found, expected: "the signature values" });
        }
        if answer.signatures.len() != hashes.len() {
            return Err(CscError::Count { found: answer.signatures.len(), expected: hashes.len() });
        }
        let value = |text: &String| {
            let found = || CscError::Answer { method: METHOD, found: short(text), expected: "a value in Base64" };
            lenient(text).ok_or_else(found)
        };
        answer.signatures.iter().map(value).collect()
    }

    fn ask<T: DeserializeOwned>(
        &self,
        session: &Session<'_>,
        method: &'static str,
        body: Value,
        token: Option<&AccessToken>,
    ) -> Result<T, CscError> {
        let content = Zeroizing::new(body.to_string());
        wipe(body);
        let question = Question {
            address: &format!("{}/{method}", self.base),
            content_type: "application/json",
            accept: "application/json",
            authorization: token.map(AccessToken::header).transpose()?,
            is_secret: method != "info",
            content: content.as_bytes(),
            longest: LONGEST,
        };
        let mut answer = session.exchange(&question)?;
        let status = answer.head.status().as_u16();
        let described: Option<ErrorAnswer> = match status {
            200 => None,
            _ => serde_json::from_slice(&answer.bytes).ok().filter(|answer: &ErrorAnswer| !answer.error.is_empty()),
        };
        if let Some(ErrorAnswer { error, error_description }) = described {
            return Err(CscError::Service { status, error: short(&error), description: short(&error_description) });
        }
        if status != 200 {
            answer.success()?;
            return Err(CscError::Fetch(crate::FetchError::Status { status }));
        }
        let read = serde_json::from_slice(&answer.bytes);
        let read = read.map_err(|_| {
            let found = if answer.is_page() { answer.described() } else { "other than the interface has".into() };
            CscError::Answer { method, found, expected: "a JSON object of CSC API v2" }
        });
        answer.bytes.zeroize();
        read
    }
}

impl Credential {
    /// Checks that it signs by this algorithm, before anything is authorised.
    ///
    /// # Errors
    ///
    /// [`CscError::Algorithm`] where it does not.
    pub fn check_algorithm(&self, algorithm: &SignatureAlgorithm) -> Result<(), CscError> {
        // What has no digest function of its own gets no digest to sign.
        let function = algorithm.digest.unwrap_or(DigestAlgorithm::Sha256);
        stated(self, function, algorithm).map(drop)
    }
}

/// Returns the algorithm as the credential has it: with its digest function, or as the kind of key, where the digest
/// function beside it says the rest; with the parameters of RSASSA-PSS.
fn stated(
    credential: &Credential,
    function: DigestAlgorithm,
    algorithm: &SignatureAlgorithm,
) -> Result<(String, Option<Vec<u8>>), CscError> {
    let other = || CscError::Algorithm { algorithm: algorithm.to_string(), offered: credential.algorithms.clone() };
    // What signs the message itself cannot be had from a service that gets its digest.
    if algorithm.needs_message() || algorithm.digest != Some(function) {
        return Err(other());
    }
    let own = algorithm.oid().ok_or_else(other)?;
    let kind = algorithm.key.oid().filter(|_| algorithm.key != KeyAlgorithm::RsassaPss);
    let offered = |oid: &str| credential.algorithms.is_empty() || credential.algorithms.iter().any(|one| one == oid);
    let identifier = [Some(own), kind].into_iter().flatten().find(|oid| offered(oid)).ok_or_else(other)?;
    let parameters = match algorithm.key {
        KeyAlgorithm::RsassaPss => {
            let whole = algorithm.to_algorithm_identifier().ok_or_else(other)?;
            let parameters = Tlv::whole(&whole).ok().and_then(|whole| whole.children().nth(1).map(|p| p.raw.to_vec()));
            Some(parameters.ok_or_else(other)?)
        }
        _ => None,
    };
    Ok((identifier.to_owned(), parameters))
}

/// Reads Base64 as services write it, some with the alphabet of addresses, some in lines.
fn lenient(text: &str) -> Option<Vec<u8>> {
    let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let url = || BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
    BASE64_STANDARD.decode(&text).ok().or_else(url)
}

/// Wipes the texts of a message that was sent.
fn wipe(value: Value) {
    match value {
        Value::String(mut text) => text.zeroize(),
        Value::Array(values) => values.into_iter().for_each(wipe),
        Value::Object(members) => members.into_iter().for_each(|(_, value)| wipe(value)),
        _ => {}
    }
}
