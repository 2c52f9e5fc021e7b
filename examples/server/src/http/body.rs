//! The bodies that say why a request was not served.

use super::problem::Kind;
use crate::clock;
use lacre::Time;
use lacre_json::{Base64, Wanted};
use serde::Serialize;
use utoipa::ToSchema;

/// Bytes as they are, for the description of request bodies.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, format = Binary, min_length = 1)]
pub struct Bytes(pub Vec<u8>);

/// The body of every 401: a contract, field by field and in this order.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnauthorizedBody {
    exception: &'static str,
    code: u16,
    message: &'static str,
    /// When, in UTC with milliseconds.
    #[schema(format = DateTime)]
    timestamp: String,
    status: &'static str,
    details: UnauthorizedDetails,
}

/// What was not authorised.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnauthorizedDetails {
    object_name: &'static str,
    error: UnauthorizedError,
}

/// Why it was not.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnauthorizedError {
    object_name: &'static str,
    codes: [&'static str; 1],
    arguments: Option<Vec<String>>,
    default_message: &'static str,
    code: &'static str,
}

impl UnauthorizedBody {
    /// Makes the body as of that time.
    pub fn new(time: Time) -> Self {
        let code = "error.no.access";
        Self {
            exception: "UnauthorizedAccessException",
            code: 401,
            message: code,
            timestamp: clock::with_millis(time),
            status: "UNAUTHORIZED",
            details: UnauthorizedDetails {
                object_name: "authorization",
                error: UnauthorizedError {
                    object_name: "authorization",
                    codes: [code],
                    arguments: None,
                    default_message: "Access denied: the access token is missing or not accepted",
                    code,
                },
            },
        }
    }
}

/// The body of every 500: a contract, field by field and in this order.
#[derive(Debug, Serialize, ToSchema)]
pub struct InternalBody {
    exception: &'static str,
    code: &'static str,
    /// When, in UTC with milliseconds.
    #[schema(format = DateTime)]
    timestamp: String,
    message: &'static str,
}

impl InternalBody {
    /// Makes the body as of that time.
    pub fn new(time: Time) -> Self {
        Self {
            exception: "ServicePortalException",
            code: "unrecognized.exception",
            timestamp: clock::with_millis(time),
            message: "ServicePortalException",
        }
    }
}

/// Problem details: RFC 9457 §3.1.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Where the kind of problem is explained.
    pub r#type: String,
    /// What kind it is, in words.
    pub title: &'static str,
    /// The status of the answer.
    pub status: u16,
    /// What it was this time.
    pub detail: String,
    /// Which request it was.
    pub instance: String,
}

impl Problem {
    /// Makes a problem of that kind, of the request of that id.
    pub fn new(kind: &Kind, detail: &str, request_id: &str) -> Self {
        Self {
            r#type: format!("/problems/{}", kind.name),
            title: kind.title,
            status: kind.status.as_u16(),
            detail: detail.to_owned(),
            instance: format!("urn:lacre:request:{request_id}"),
        }
    }
}

/// Problem details of a document that was not signed or extended.
#[derive(Debug, Serialize, ToSchema)]
pub struct SigningProblem {
    /// The members of RFC 9457.
    #[serde(flatten)]
    pub problem: Problem,
    /// The cause: a code of the library, or `evidence-missing`.
    pub code: &'static str,
    /// What can be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hint: Option<String>,
    /// What is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub wanted: Vec<Wanted>,
    /// What was made and fetched already, to be handed in again beside what is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub material: Option<FetchedMaterial>,
}

/// What was made and fetched before something was missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct FetchedMaterial {
    /// The signature value that the caller's key made: it is sent again in the part `value`, in place of `keyId`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub value: Option<Base64>,
    /// Time-stamp tokens.
    pub timestamps: Vec<Base64>,
    /// Certificates, CRLs and OCSP responses.
    pub evidence: Vec<Base64>,
}

/// How the API of the Cloud Signature Consortium says what is wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CscBody {
    /// `invalid_request`.
    pub error: &'static str,
    /// What was found and what is expected.
    pub error_description: String,
}

/// A report in JSON, for the description of answers: its schema is docs/report.schema.json.
#[derive(Debug, ToSchema)]
#[schema(value_type = Object, as = Report)]
pub struct JsonReport(pub String);
