//! Whether a response answers the request: RFC 3161 §2.2, §2.4.2.

use super::{Rejection, TimestampQuery, Token};
use crate::asn1::{self, Tag, Tlv, decimal};
use crate::crypto::{Signed, verify};
use crate::document::preview;
use crate::facts::{Digest, IrregularityKind};
use crate::formats::cms::references::signing_certificate_refs;
use crate::formats::cms::{self, SignerInfo};
use crate::formats::content::Content;
use crate::formats::draft::{SignedBytes, SignerIdentifier};
use crate::hex;
use crate::time::Time;
use crate::x509::{Certificate, EXTENDED_KEY_USAGE, minimal};

/// `id-kp-timeStamping`: RFC 3161 §2.3.
const TIME_STAMPING: &str = "1.3.6.1.5.5.7.3.8";
/// Milliseconds by which an authority's clock and the caller's may differ.
const TOLERANCE: i64 = 5 * 60_000;
/// Characters that are repeated of what another party wrote.
const WORDS: usize = 200;

/// Why a response does not answer a request for a time-stamp.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// It is no response, or one that holds no time-stamp as RFC 3161 §2.4.2 has it.
    #[error("the response of the time-stamping authority is {found}, expected {expected}")]
    Unreadable {
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The authority rejected the request: §2.4.2.
    #[error("the time-stamping authority answered with status {status} ({}){}", names(.causes), words(.text))]
    Rejected {
        /// `PKIStatus`.
        status: u64,
        /// The bits of `PKIFailureInfo` that are set.
        causes: Vec<Rejection>,
        /// `statusString`, without control characters, up to a length.
        text: String,
    },
    /// The time-stamp is over something else.
    #[error("the time-stamp is over {found}, expected {expected}")]
    Imprint {
        /// The imprint of the time-stamp.
        found: String,
        /// That of the request.
        expected: String,
    },
    /// The time-stamp was made for another request, or may have been.
    #[error("the time-stamp has {found}, expected the nonce {expected}")]
    Nonce {
        /// The nonce of the time-stamp.
        found: String,
        /// That of the request.
        expected: String,
    },
    /// The time-stamp was made under another policy than the one asked for.
    #[error("the time-stamp was made under the policy {found}, expected {expected}")]
    Policy {
        /// The policy of the time-stamp.
        found: String,
        /// That of the request.
        expected: String,
    },
    /// The certificate of the authority is missing or not for time-stamping, or its key did not make the signature.
    #[error("found {found} in the time-stamp, expected {expected}")]
    Certificate {
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// The time-stamp is of another time than now.
    #[error("the time-stamp is of {found}, expected a time within five minutes of {expected}")]
    Time {
        /// The time of the time-stamp.
        found: Time,
        /// The caller's time.
        expected: Time,
    },
}

fn names(causes: &[Rejection]) -> String {
    match causes {
        [] => "no cause".into(),
        _ => causes.iter().map(|cause| cause.as_str()).collect::<Vec<_>>().join(", "),
    }
}

fn words(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text:?}") }
}

impl TimestampQuery<'_> {
    /// Checks a `TimeStampResp` to this request, received at `time`, and returns the time-stamp token that it holds.
    ///
    /// Accepted is a token with one signer, whose certificate is inside, is for time-stamping only, and made the
    /// signature; over the imprint asked for, with the nonce asked for, and of about now. Whether the authority is
    /// trusted is not looked at.
    ///
    /// # Errors
    ///
    /// [`ResponseError`] with what was found and expected.
    pub fn token<'r>(&self, response: &'r [u8], time: Time) -> Result<&'r [u8], ResponseError> {
        let bytes = granted(response)?;
        let token = Token::parse(bytes).map_err(|error| unreadable(described(&error)))?;
        whole(&token)?;
        self.check_info(&token, time)?;
        check_signer(&token)?;
        Ok(token.bytes)
    }

    fn check_info(&self, token: &Token<'_>, time: Time) -> Result<(), ResponseError> {
        let info = &token.info;
        if info.imprint.algorithm != Some(self.function()) || info.imprint.value.0 != self.imprint() {
            let asked = Digest { algorithm: Some(self.function()), value: self.imprint().into() };
            return Err(ResponseError::Imprint { found: named(&info.imprint), expected: named(&asked) });
        }
        if let Some(asked) = self.nonce() {
            // As numbers: authorities write them with and without leading zeros.
            if info.nonce.as_deref().map(minimal) != Some(minimal(asked)) {
                let found =
                    info.nonce.as_deref().map_or("no nonce".into(), |nonce| format!("the nonce {}", number(nonce)));
                return Err(ResponseError::Nonce { found, expected: number(asked) });
            }
        }
        if let Some(asked) = self.policy()
            && asked != info.policy
        {
            return Err(ResponseError::Policy { found: short(&info.policy), expected: asked.to_owned() });
        }
        let (earliest, latest) = (time.plus_millis(-TOLERANCE), time.plus_millis(TOLERANCE));
        if !(earliest..=latest).contains(&info.gen_time) {
            return Err(ResponseError::Time { found: info.gen_time, expected: time });
        }
        Ok(())
    }
}

/// Returns the token of a response whose status is granted (0) or granted with modifications (1): RFC 3161 §2.4.2.
///
/// ```asn1
/// TimeStampResp ::= SEQUENCE { status PKIStatusInfo, timeStampToken ContentInfo OPTIONAL }
/// PKIStatusInfo ::= SEQUENCE {
///   status INTEGER, statusString SEQUENCE OF UTF8String OPTIONAL, failInfo BIT STRING OPTIONAL }
/// ```
fn granted(response: &[u8]) -> Result<&[u8], ResponseError> {
    let no_response = |_: asn1::Error| unreadable(preview(response));
    let whole = Tlv::whole(response).and_then(|whole| whole.expecting(Tag::SEQUENCE)).map_err(no_response)?;
    let mut parts = whole.children();
    let mut info = parts.expect(Tag::SEQUENCE).map_err(no_response)?.children();
    let status = info.expect(Tag::INTEGER).and_then(|status| status.to_u64()).map_err(no_response)?;
    let text = info.optional(Tag::SEQUENCE).map_err(no_response)?;
    let failures = info.optional(Tag::BIT_STRING).map_err(no_response)?;
    if status > 1 {
        let bits = failures.and_then(|bits| bits.bit_string().ok());
        let is_set = |cause: &&Rejection| bits.as_ref().is_some_and(|bits| bits.bit(cause.bit()));
        let causes = Rejection::ALL.iter().filter(is_set).copied().collect();
        return Err(ResponseError::Rejected { status, causes, text: text.map(said).unwrap_or_default() });
    }
    let token = parts.optional(Tag::SEQUENCE).map_err(no_response)?;
    parts.finish().map_err(no_response)?;
    token.map(|token| token.raw).ok_or_else(|| unreadable(format!("of status {status} without a token")))
}

/// Returns the authority's own words on one line.
fn said(texts: Tlv<'_>) -> String {
    let texts: Vec<_> = texts.children().filter_map(|text| text.string().ok()).collect();
    short(&texts.join("; "))
}

/// Returns what another party wrote, cut to a line of text.
fn short(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(WORDS).collect()
}

#[cfg(feature = "signing")]
impl Token<'_> {
    /// Checks that the signature of the token was made by the key of the certificate inside, one for time-stamping only.
    ///
    /// # Errors
    ///
    /// [`ResponseError::Unreadable`] and [`ResponseError::Certificate`].
    pub(crate) fn check_signature(&self) -> Result<(), ResponseError> {
        whole(self)?;
        check_signer(self)
    }
}

/// Checks that a token has one signer, and nothing that another reader might take for something else (RFC 3161 §2.4.2).
fn whole(token: &Token<'_>) -> Result<(), ResponseError> {
    if token.signed_data.signers.len() != 1 {
        return Err(unreadable(format!("a time-stamp of {} signers", token.signed_data.signers.len())));
    }
    let violation = |kind| matches!(kind, IrregularityKind::FormatViolation | IrregularityKind::ContentTypeMismatch);
    match token.irregularities().into_iter().find(|one| violation(one.kind)) {
        Some(one) => Err(unreadable(short(&one.subject.unwrap_or_else(|| one.kind.to_string().into())))),
        None => Ok(()),
    }
}

/// Checks that the certificate named by the attribute is inside and is for time-stamping only, and that its key made
/// the signature (RFC 3161 §2.2, §2.3, RFC 5816 §2.2.1).
fn check_signer(token: &Token<'_>) -> Result<(), ResponseError> {
    let [signer] = &token.signed_data.signers[..] else { return Err(unreadable("a time-stamp of no signer".into())) };
    let wrong = |found: String, expected| Err(ResponseError::Certificate { found, expected });
    let Some(certificate) = signing_certificate(token, signer) else {
        return wrong(
            "no certificate that its signer and the signing-certificate attribute name".into(),
            "the authority's certificate inside (certReq)",
        );
    };
    let subject = || certificate.subject().rfc2253();
    let critical = certificate.extension(EXTENDED_KEY_USAGE).is_some_and(|extension| extension.critical);
    let usages = certificate.extensions().extended_key_usage.clone().unwrap_or_default();
    if !critical || usages != [TIME_STAMPING] {
        let critical = if critical { "critical" } else { "not critical" };
        return wrong(
            format!("the certificate {:?} with the extended key usages {usages:?}, {critical}", subject()),
            "timeStamping alone, critical (RFC 3161 §2.3)",
        );
    }
    if !certificate.is_valid_at(token.info.gen_time) {
        let (from, to) = (certificate.not_before(), certificate.not_after());
        return wrong(format!("the certificate {:?}, valid from {from} to {to}", subject()), "one valid at its time");
    }
    if value_verifies(token, &certificate) {
        return Ok(());
    }
    wrong(format!("a signature that the certificate {:?} does not verify", subject()), "one that its key made")
}

/// Returns the certificate in the token to which both the signer's identifier and the first reference of the
/// signing-certificate attribute point (RFC 5035 §4: the first one is the signer's).
fn signing_certificate(token: &Token<'_>, signer: &SignerInfo<'_>) -> Option<Certificate> {
    let references = signing_certificate_refs(&signer.signed);
    let digest = references.first()?.digest.as_ref()?;
    let identifier = token.signer_identifier();
    let held = token.signed_data.x509_certificates().filter_map(|der| Certificate::from_der(der).ok());
    let is_named = |certificate: &Certificate| {
        let digest_fits = digest.algorithm.is_some_and(|function| certificate.has_digest(function, &digest.value.0));
        digest_fits && identifies(&identifier, certificate)
    };
    held.into_iter().find(is_named)
}

/// Returns whether the identifier is that of the certificate: by issuer and serial number, or by the key's identifier
/// (RFC 5652 §5.3).
fn identifies(identifier: &SignerIdentifier<'_>, certificate: &Certificate) -> bool {
    match (&identifier.key_identifier, &identifier.issuer, &identifier.serial) {
        (Some(own), ..) => {
            certificate.extensions().subject_key_identifier.as_ref().is_some_and(|stated| stated.0[..] == own[..])
        }
        (None, Some(issuer), Some(serial)) => {
            let same_name = crate::x509::Name::from_der(issuer).is_ok_and(|name| name == *certificate.issuer());
            same_name && certificate.has_serial(serial)
        }
        _ => false,
    }
}

fn value_verifies(token: &Token<'_>, certificate: &Certificate) -> bool {
    let check = token.check(&Content::pieces(vec![&*token.content]));
    let Some((key, algorithm)) = certificate.public_key().zip(check.algorithm) else { return false };
    check.signed.iter().any(|signed| match signed {
        SignedBytes::Message(bytes) => verify(key, &algorithm, Signed::Message(bytes), &check.value).is_ok(),
        // §2.4.2: a token's value is over signed attributes.
        SignedBytes::Shared(_) | SignedBytes::Digest(_) | SignedBytes::Pieces(_) => false,
    })
}

fn unreadable(found: String) -> ResponseError {
    ResponseError::Unreadable { found, expected: "a TimeStampResp with a token (RFC 3161 §2.4.2)" }
}

fn described(error: &cms::Error) -> String {
    format!("one whose token cannot be used ({error})")
}

fn named(digest: &Digest) -> String {
    let function = digest.algorithm.map_or("an unknown function", |function| function.as_str());
    short(&format!("{function} {}", hex::lower(&digest.value.0)))
}

fn number(integer: &[u8]) -> String {
    decimal(integer).unwrap_or_else(|| format!("of {} bytes", integer.len()))
}
