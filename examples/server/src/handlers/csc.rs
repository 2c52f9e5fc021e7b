//! A subset of the Cloud Signature Consortium's API v2 over the same keys and tokens.
//!
//! Every operation is a POST with a JSON object. A token of this server both opens the service and authorises the use
//! of its holder's keys (`implicit`), so there is no SAD and no `credentials/authorize`.

use super::{algorithms, hash};
use crate::app::App;
use crate::clock;
use crate::http::access::{Caller, Signer};
use crate::http::failure::{CscErrors, CscFailure, Failure};
use crate::registry::UserKey;
use crate::storage::KeyId;
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::{
    Time,
    issuance::Certificate,
    signing::{DigestAlgorithm, KeyAlgorithm, KeyKind, SignatureAlgorithm},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The most hashes of one request.
const HASHES: usize = 1000;

/// What the service is and can do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServiceInfo {
    specs: &'static str,
    name: &'static str,
    logo: &'static str,
    region: &'static str,
    lang: &'static str,
    description: &'static str,
    auth_type: [&'static str; 1],
    methods: [&'static str; 4],
    sign_algorithms: SignAlgorithms,
}

/// Object identifiers of the signature algorithms.
#[derive(Debug, Serialize, ToSchema)]
struct SignAlgorithms {
    algos: Vec<&'static str>,
}

/// The language of descriptions: there is one, English.
#[derive(Debug, Deserialize, ToSchema)]
struct InfoRequest {
    #[serde(rename = "lang")]
    _lang: Option<String>,
}

/// What the service is and can do; needs no token.
#[utoipa::path(
    post, path = "/csc/v2/info", tag = "csc", operation_id = "cscInfo", security(()), request_body = InfoRequest,
    responses((status = 200, description = "The service", body = ServiceInfo), CscErrors),
)]
pub async fn info(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ServiceInfo>, CscFailure> {
    let InfoRequest { .. } = app.uploads.json(&headers, body).await?;
    let kind = match app.registry()?.policy().key {
        KeyKind::P256 | KeyKind::P384 => KeyAlgorithm::Ecdsa,
        _ => KeyAlgorithm::Rsa,
    };
    Ok(Json(ServiceInfo {
        specs: "2.0.0.2",
        name: "lacre-server",
        logo: "",
        region: "EU",
        lang: "en",
        description: "Hash signatures with keys that the server keeps",
        auth_type: ["external"],
        methods: ["info", "credentials/list", "credentials/info", "signatures/signHash"],
        sign_algorithms: SignAlgorithms { algos: identifiers(kind) },
    }))
}

/// How many certificates are told of a credential.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Certificates {
    None,
    #[default]
    Single,
    Chain,
}

/// Which credentials are asked for, and how much of them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListRequest {
    /// Whether to tell of each credential what `credentials/info` tells.
    #[serde(default)]
    credential_info: bool,
    #[serde(flatten)]
    detail: Detail,
}

/// How much is told of a credential.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    #[serde(default)]
    certificates: Certificates,
    #[serde(default)]
    cert_info: bool,
    #[serde(default)]
    auth_info: bool,
}

/// The caller's credentials.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListResponse {
    #[serde(rename = "credentialIDs")]
    credential_ids: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential_infos: Option<Vec<CredentialInfo>>,
    /// Always: those of revoked and expired certificates are not listed.
    only_valid: bool,
}

/// Lists the caller's credentials; the first is made when there is none.
#[utoipa::path(
    post, path = "/csc/v2/credentials/list", tag = "csc", operation_id = "cscCredentialsList",
    security(("token" = []), ("bearer" = [])), request_body = ListRequest,
    responses((status = 200, description = "The credentials", body = ListResponse), CscErrors),
)]
pub async fn list(
    State(app): State<Arc<App>>,
    Caller(person): Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ListResponse>, CscFailure> {
    let asked: ListRequest = app.uploads.json(&headers, body).await?;
    let certificate = app.registry()?.get_or_issue(&person, clock::now()).await.map_err(Failure::internal)?;
    let id = certificate.key.to_string();
    let infos = match asked.credential_info {
        true => {
            let key = hash::key_of(&app, &person.user, certificate.key).await?;
            Some(vec![CredentialInfo { credential_id: Some(id.clone()), ..describe(&app, &key, &asked.detail)? }])
        }
        false => None,
    };
    Ok(Json(ListResponse { credential_ids: vec![id], credential_infos: infos, only_valid: true }))
}

/// Which credential is asked for, and how much of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct InfoOfRequest {
    #[serde(rename = "credentialID")]
    #[schema(pattern = "^[1-9][0-9]{0,18}$")]
    credential_id: String,
    #[serde(flatten)]
    detail: Detail,
}

/// What there is to know of a credential.
#[derive(Debug, Serialize, ToSchema)]
pub struct CredentialInfo {
    #[serde(rename = "credentialID", skip_serializing_if = "Option::is_none")]
    credential_id: Option<String>,
    key: KeyDescription,
    cert: CertificateDescription,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<Authorisation>,
    #[serde(rename = "SCAL")]
    scal: &'static str,
    /// How many hashes one request may have.
    multisign: usize,
    lang: &'static str,
}

/// A key.
#[derive(Debug, Serialize, ToSchema)]
struct KeyDescription {
    status: &'static str,
    algo: Vec<&'static str>,
    len: u32,
    /// The object identifier of the curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    curve: Option<&'static str>,
}

/// A certificate, and what it says where that was asked for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CertificateDescription {
    status: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    certificates: Vec<String>,
    #[serde(rename = "issuerDN", skip_serializing_if = "Option::is_none")]
    issuer_dn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    serial_number: Option<String>,
    #[serde(rename = "subjectDN", skip_serializing_if = "Option::is_none")]
    subject_dn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    valid_to: Option<String>,
}

/// How the use of a key is authorised.
#[derive(Debug, Serialize, ToSchema)]
struct Authorisation {
    mode: &'static str,
}

/// Describes one of the caller's credentials.
#[utoipa::path(
    post, path = "/csc/v2/credentials/info", tag = "csc", operation_id = "cscCredentialsInfo",
    security(("token" = []), ("bearer" = [])), request_body = InfoOfRequest,
    responses((status = 200, description = "The credential", body = CredentialInfo), CscErrors),
)]
pub async fn credential(
    State(app): State<Arc<App>>,
    Caller(person): Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<CredentialInfo>, CscFailure> {
    let asked: InfoOfRequest = app.uploads.json(&headers, body).await?;
    let key = hash::key_of(&app, &person.user, named(&asked.credential_id)?).await?;
    Ok(Json(describe(&app, &key, &asked.detail)?))
}

/// Which hashes are to be signed, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SignHashRequest {
    #[serde(rename = "credentialID")]
    #[schema(pattern = "^[1-9][0-9]{0,18}$")]
    credential_id: String,
    /// The hashes in Base64.
    #[schema(min_items = 1, max_items = 1000)]
    hashes: Vec<String>,
    /// The digest function; needed where the signature algorithm leaves it open.
    #[serde(rename = "hashAlgorithmOID")]
    #[schema(pattern = r"^2\.16\.840\.1\.101\.3\.4\.2\.[123]$")]
    hash_algorithm_oid: Option<String>,
    /// The signature algorithm, or the kind of key.
    #[schema(pattern = r"^[0-2](\.[0-9]+)+$")]
    sign_algo: String,
    /// The parameters of RSASSA-PSS: Base64 of their DER.
    sign_algo_params: Option<String>,
    /// `S`: the answer waits for the signatures. There is no other mode here.
    #[schema(pattern = "^S$")]
    operation_mode: Option<String>,
}

/// The signature values.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignHashResponse {
    /// In Base64, in the order of the hashes.
    signatures: Vec<String>,
}

/// Signs hashes with one of the caller's credentials.
#[utoipa::path(
    post, path = "/csc/v2/signatures/signHash", tag = "csc", operation_id = "cscSignHash",
    security(("token" = []), ("bearer" = [])), request_body = SignHashRequest,
    responses((status = 200, description = "The signature values", body = SignHashResponse), CscErrors),
)]
pub async fn sign_hash(
    State(app): State<Arc<App>>,
    signer: Signer,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<SignHashResponse>, CscFailure> {
    let signed = async { signed(&app, &signer, app.uploads.json(&headers, body).await?).await };
    signer.told(&app, signed.await).await.map(Json)
}

async fn signed(app: &App, signer: &Signer, asked: SignHashRequest) -> Result<SignHashResponse, CscFailure> {
    if asked.operation_mode.as_deref().is_some_and(|mode| mode != "S") {
        return Err(CscFailure::invalid("operationMode: expected S"));
    }
    if !(1..=HASHES).contains(&asked.hashes.len()) {
        return Err(CscFailure::invalid(format!("hashes: expected 1 to {HASHES} of them")));
    }
    let mut digests = Vec::with_capacity(asked.hashes.len());
    for hash in &asked.hashes {
        digests.push(BASE64_STANDARD.decode(hash).map_err(|_| CscFailure::invalid("hashes: expected Base64"))?);
    }
    let key = hash::key(app, signer, named(&asked.credential_id)?).await?;
    let algorithm = algorithm(&key, &asked)?;
    let signed = digests.iter().map(|digest| hash::sign(app, &key, algorithm, digest));
    let values = futures_util::future::try_join_all(signed).await?;
    Ok(SignHashResponse { signatures: values.iter().map(|value| BASE64_STANDARD.encode(value)).collect() })
}

/// Returns the algorithm that the identifiers name together.
fn algorithm(key: &UserKey, asked: &SignHashRequest) -> Result<SignatureAlgorithm, CscFailure> {
    let function = match &asked.hash_algorithm_oid {
        Some(oid) => {
            Some(DigestAlgorithm::from_oid(oid).ok_or_else(|| CscFailure::invalid("hashAlgorithmOID: unknown"))?)
        }
        None => None,
    };
    let unknown =
        || CscFailure::invalid("signAlgo: unknown, or not with this key, hashAlgorithmOID and signAlgoParams");
    let stated = SignatureAlgorithm::from_oid(&asked.sign_algo).ok_or_else(unknown)?.or_digest(function);
    if function.is_some_and(|function| stated.digest != Some(function)) {
        return Err(unknown());
    }
    let algorithm = algorithms::all_of_key(key.kind()).find(|own| *own == stated).ok_or_else(unknown)?;
    if let Some(parameters) = &asked.sign_algo_params {
        let parameters = BASE64_STANDARD.decode(parameters).map_err(|_| unknown())?;
        // The parameters end the AlgorithmIdentifier.
        let same = algorithm.to_algorithm_identifier().is_some_and(|own| own.ends_with(&parameters));
        if !same {
            return Err(unknown());
        }
    }
    Ok(algorithm)
}

fn identifiers(kind: KeyAlgorithm) -> Vec<&'static str> {
    let mut identifiers: Vec<_> = algorithms::all_of_key(kind).filter_map(|algorithm| algorithm.oid()).collect();
    identifiers.dedup();
    identifiers
}

/// Returns the key that a credential's name stands for.
fn named(credential: &str) -> Result<KeyId, CscFailure> {
    let id = credential.parse().ok().and_then(KeyId::new);
    id.ok_or_else(|| CscFailure::invalid("credentialID: expected one that credentials/list gives"))
}

fn describe(app: &App, key: &UserKey, detail: &Detail) -> Result<CredentialInfo, Failure> {
    let Detail { certificates, cert_info, auth_info } = *detail;
    let own = Certificate::from_der(&key.issued().certificate).map_err(Failure::internal)?;
    let authority = app.registry()?.authority();
    let chain = [&own, authority.certificate()].into_iter().chain(authority.chain());
    let told = match certificates {
        Certificates::None => 0,
        Certificates::Single => 1,
        Certificates::Chain => usize::MAX,
    };
    let mut curve = None;
    if key.kind() == KeyAlgorithm::Ecdsa {
        // SEC 2 §2.4.2 and §2.5.1.
        curve = key.bits().map(|bits| if bits == 256 { "1.2.840.10045.3.1.7" } else { "1.3.132.0.34" });
    }
    Ok(CredentialInfo {
        credential_id: None,
        key: KeyDescription {
            status: "enabled",
            algo: identifiers(key.kind()),
            len: key.bits().unwrap_or_default(),
            curve,
        },
        cert: CertificateDescription {
            status: "valid",
            certificates: chain.take(told).map(|certificate| BASE64_STANDARD.encode(certificate.der())).collect(),
            issuer_dn: cert_info.then(|| own.issuer().rfc2253().to_owned()),
            serial_number: cert_info.then(|| own.serial().iter().map(|byte| format!("{byte:02X}")).collect()),
            subject_dn: cert_info.then(|| own.subject().rfc2253().to_owned()),
            valid_from: cert_info.then(|| generalized(own.not_before())),
            valid_to: cert_info.then(|| generalized(own.not_after())),
        },
        auth: auth_info.then_some(Authorisation { mode: "implicit" }),
        scal: "1",
        multisign: HASHES,
        lang: "en",
    })
}

/// Writes `GeneralizedTime` in UTC, as this API writes times.
fn generalized(time: Time) -> String {
    let (year, month, day, hour, minute, second) = time.civil();
    format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z")
}
