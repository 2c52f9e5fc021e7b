//! Problem details (RFC 9457): what can be wrong with a request, one row each.

use axum::http::StatusCode;

/// One kind of problem.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name; `/problems/{name}` explains it.
    pub name: &'static str,
    /// The status that it is answered with.
    pub status: StatusCode,
    /// What it is, the same for every occurrence.
    pub title: &'static str,
    /// What the caller can do about it.
    pub advice: &'static str,
}

macro_rules! kinds {
    ($($constant:ident, $status:ident, $name:literal, $title:literal, $advice:literal;)*) => {
        $(
            #[doc = $title]
            pub const $constant: &Kind =
                &Kind { name: $name, status: StatusCode::$status, title: $title, advice: $advice };
        )*
        /// Every kind.
        pub const ALL: &[&Kind] = &[$($constant),*];
    };
}

kinds! {
    BAD_PARAMETER, BAD_REQUEST, "bad-parameter", "A parameter cannot be read",
        "The detail names the parameter and what is expected of it.";
    EMPTY_BODY, BAD_REQUEST, "empty-body", "The body is empty",
        "Send the file's bytes as the request's body, for instance with curl --data-binary @FILE.";
    BROKEN_BODY, BAD_REQUEST, "broken-body", "The body ended before it was complete",
        "Send the request again; a proxy in between may have cut it.";
    BAD_JSON, BAD_REQUEST, "bad-json", "The body is not the JSON that is expected",
        "The detail says where reading stopped; /openapi.json has the schema.";
    BAD_FORM, BAD_REQUEST, "bad-form", "The body is not the form that is expected",
        "The detail says what was found; /openapi.json lists the parts of the form (multipart/form-data).";
    UNKNOWN_ALGORITHM, BAD_REQUEST, "unknown-algorithm", "The algorithm is unknown or cannot be used with this key",
        "Digests are SHA-256, SHA-384 and SHA-512; signature algorithms are those of the key.";
    DIGEST_LENGTH, BAD_REQUEST, "digest-length", "The digest has not the length of its digest function",
        "Send the digest itself, not the file, and name its function in X-Digest-Algorithm.";
    NOT_FOUND, NOT_FOUND, "not-found", "There is nothing at this path",
        "/openapi.json lists the paths.";
    UNKNOWN_KEY, NOT_FOUND, "unknown-key", "No such key",
        "GET /api/signature/certificates/ lists the caller's keys; keys of others are not found either.";
    METHOD, METHOD_NOT_ALLOWED, "method", "The path does not take this method",
        "The header Allow lists the methods that it takes.";
    NOT_ACCEPTABLE, NOT_ACCEPTABLE, "not-acceptable", "None of the accepted media types is available",
        "The detail lists those that are; without Accept the first of them is sent.";
    SLOW, REQUEST_TIMEOUT, "slow", "The body did not arrive in time",
        "Send the request again over a faster line, or ask the operator for a longer time-out.";
    TOO_LARGE, PAYLOAD_TOO_LARGE, "too-large", "The body is larger than this server takes",
        "The detail states the limit, which the operator can raise.";
    UNKNOWN_FORMAT, UNSUPPORTED_MEDIA_TYPE, "unknown-format", "The file cannot be read as anything that holds signatures",
        "Files are PDF, CMS, XML, JWS, ASiC containers and RFC 3161 time-stamps; the bytes decide, not Content-Type.";
    MEDIA_TYPE, UNSUPPORTED_MEDIA_TYPE, "media-type", "This operation does not take bodies of this media type",
        "The detail lists what it takes. A form is sent to the operations with documents only, as multipart/form-data.";
    PASSWORD, UNPROCESSABLE_ENTITY, "password", "The PDF is encrypted, and the password does not open it",
        "Send the password beside the file: the part `password` of a form, or the member `password` of the JSON.";
    SIGNING, UNPROCESSABLE_ENTITY, "signing", "The document cannot be signed or extended so",
        "The member `code` names the cause, `detail` says what was found and expected, `hint` what can be done.";
    EVIDENCE_MISSING, UNPROCESSABLE_ENTITY, "evidence-missing", "Time-stamps or evidence are missing that this server does not fetch",
        "Ask for what `wanted` lists, and send the form again with it, and with all of `material`, in the parts `timestamps` and `evidence`.";
    TIMESTAMP, BAD_GATEWAY, "timestamp", "No time-stamping authority gave a time-stamp",
        "The member `code` names the cause, and `detail` says what each authority answered; send the request again later, or ask for a lower level.";
    FULL, SERVICE_UNAVAILABLE, "full", "All workers are busy and the queue is full",
        "Send the request again after the seconds that Retry-After states.";
    NOT_READY, SERVICE_UNAVAILABLE, "not-ready", "The server is not ready",
        "The detail says why; send the request again after the seconds that Retry-After states.";
}

/// Returns the kind of that name.
pub fn named(name: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_statuses_are_errors() {
        for (at, kind) in ALL.iter().enumerate() {
            assert_eq!(ALL.iter().position(|other| other.name == kind.name), Some(at), "{}", kind.name);
            assert!(kind.status.is_client_error() || kind.status.is_server_error(), "{}", kind.name);
            assert_eq!(named(kind.name), Some(*kind));
        }
        assert_eq!(named("no-such"), None);
    }
}
