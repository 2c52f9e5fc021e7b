//! What is to be signed, and how: as JSON.

use crate::parameters::{digest_function, invalid};
use crate::{Base64, Options, Parameters, Refused};
use lacre::signing::{
    Certificate, DigestAlgorithm, KeyAlgorithm, Packaging, Prepared, SignatureAlgorithm, Signer, SigningErrorCode,
    cades, pades, usual_digest,
};
use lacre::{Budget, Document, Id, Syntax, Time, augmentation, decode_pem};
use serde::Deserialize;

/// A format in which signatures are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub enum Format {
    /// EN 319 142-1: in the PDF that is signed.
    #[serde(rename = "PAdES")]
    Pades,
    /// EN 319 122-1: a CMS file.
    #[serde(rename = "CAdES")]
    Cades,
}

/// A level: EN 319 122-1 §6, EN 319 142-1 §6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// The signature alone.
    #[default]
    B,
    /// With a time-stamp over it.
    T,
    /// With all certificates and revocation data that a validation needs.
    Lt,
    /// With a time-stamp over all of it.
    Lta,
}

impl Level {
    /// Reads a level, in capital letters.
    pub fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            "B" => Self::B,
            "T" => Self::T,
            "LT" => Self::Lt,
            "LTA" => Self::Lta,
            _ => return None,
        })
    }

    /// Returns it as one to extend to; `None` for B.
    pub fn above_b(self) -> Option<augmentation::Level> {
        match self {
            Self::B => None,
            Self::T => Some(augmentation::Level::T),
            Self::Lt => Some(augmentation::Level::Lt),
            Self::Lta => Some(augmentation::Level::Lta),
        }
    }
}

/// A key that the door keeps: a number, or its digits as text.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum KeyId {
    /// As a number.
    Number(u64),
    /// As text, as numbers end at 2^53 in JavaScript and ids do not.
    Text(String),
}

impl KeyId {
    /// Returns its digits.
    pub fn to_text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// What is to be signed, and how.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SigningRequest {
    /// `PAdES` or `CAdES`; by default PAdES for a PDF, else CAdES.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub format: Option<Format>,
    /// The level that is to be reached, for which a PDF has to have room: `B` (the default), `T`, `LT` or `LTA`.
    #[serde(default)]
    pub level: Level,
    /// Of the server: a key of the caller, in place of a certificate.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub key_id: Option<KeyId>,
    /// The signing certificate: its DER, or PEM, in Base64.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub certificate: Option<Base64>,
    /// The certificates above it.
    #[serde(default)]
    pub chain: Vec<Base64>,
    /// `SHA-256`, `SHA-384` or `SHA-512`. Default: what TS 119 312 has for the key: SHA-384 for P-384, SHA-512 for P-521 and for RSA
    /// of more than 3072 bits, else SHA-256.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub digest_algorithm: Option<String>,
    /// `SHA256withECDSA`, `SHA256withRSA` or `SHA256withRSASSA-PSS` and the like, its object identifier, or its name in JOSE.
    /// Default: the key's own.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub signature_algorithm: Option<String>,
    /// What the signer states.
    #[serde(default)]
    pub parameters: Parameters,
    /// What the format has besides.
    #[serde(default)]
    pub options: Options,
}

impl SigningRequest {
    /// Returns the signer whose certificate is stated.
    ///
    /// # Errors
    ///
    /// `parameter-invalid` where there is none or it cannot be read, `algorithm-key-mismatch`.
    pub fn signer(&self) -> Result<Signer, Refused> {
        let Some(certificate) = &self.certificate else {
            let found = "found no certificate, expected the signer's";
            return Err(Refused::new(SigningErrorCode::ParameterInvalid, found));
        };
        let certificate = read("certificate", certificate)?;
        let chain = self.chain.iter().map(|above| read("chain", above)).collect::<Result<_, _>>()?;
        self.signer_with(certificate, chain)
    }

    /// Returns the signer with this certificate, and those above it.
    ///
    /// # Errors
    ///
    /// `algorithm-key-mismatch` where the stated algorithm is not one of the key.
    pub fn signer_with(&self, certificate: Certificate, chain: Vec<Certificate>) -> Result<Signer, Refused> {
        let algorithm = self.algorithm(&certificate)?;
        Ok(Signer::new(certificate, algorithm)?.with_chain(chain))
    }

    fn algorithm(&self, certificate: &Certificate) -> Result<SignatureAlgorithm, Refused> {
        let Some(key) = certificate.public_key() else {
            let found = "found a certificate whose key is not known, expected RSA, ECDSA, EdDSA or ML-DSA";
            return Err(Refused::new(SigningErrorCode::AlgorithmKeyMismatch, found));
        };
        let stated = self.digest_algorithm.as_deref().map(digest_function).transpose()?;
        let kind = key.algorithm();
        let Some(name) = &self.signature_algorithm else {
            let takes_digest = matches!(kind, KeyAlgorithm::Rsa | KeyAlgorithm::RsassaPss | KeyAlgorithm::Ecdsa);
            let digest = stated.or_else(|| takes_digest.then(|| usual_digest(key)));
            return Ok(SignatureAlgorithm::new(kind, digest));
        };
        let pss = (kind == KeyAlgorithm::Rsa).then_some(KeyAlgorithm::RsassaPss);
        let digests = [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512].map(Some);
        let all = std::iter::once(kind)
            .chain(pss)
            .flat_map(|kind| digests.iter().chain(&[None]).map(move |digest| SignatureAlgorithm::new(kind, *digest)));
        let mut named = all.filter(|algorithm| {
            stated.is_none_or(|digest| algorithm.digest.is_none_or(|own| own == digest))
                && (algorithm.to_string() == *name
                    || algorithm.oid() == Some(name)
                    || algorithm.jose() == Some(name.as_str()))
        });
        // The identifier of RSASSA-PSS leaves the digest function open.
        let usual = stated.unwrap_or_else(|| usual_digest(key));
        let found = named.clone().find(|algorithm| algorithm.digest == Some(usual)).or_else(|| named.next());
        found.ok_or_else(|| {
            let found: String = name.escape_debug().take(64).collect();
            let message =
                format!("found the algorithm `{found}` and a key of {kind}, expected an algorithm of the key");
            Refused::new(SigningErrorCode::AlgorithmKeyMismatch, message)
        })
    }
}

fn read(what: &str, bytes: &Base64) -> Result<Certificate, Refused> {
    Certificate::from_der(&decode_pem(&bytes.0)).map_err(|error| {
        Refused::new(SigningErrorCode::ParameterInvalid, format!("{what}: {error}; expected a certificate"))
    })
}

/// Prepares the signature that is asked for, by this signer, at this moment where no other is stated.
///
/// # Errors
///
/// What is wrong with the request, and what forbids the signature.
pub fn prepare(
    request: &SigningRequest,
    document: &Document<'_>,
    signer: &Signer,
    now: Time,
) -> Result<Prepared, Refused> {
    let parameters = request.parameters.read(now)?;
    let pdf = document.syntax() == Some(Syntax::Pdf);
    let options = &request.options;
    let cades = request.format.map_or_else(|| !pdf || options.packaging.is_some(), |format| format == Format::Cades);
    if !cades {
        let mut options = options.pades()?;
        if request.level > Level::B {
            options = options.with_timestamp();
        }
        return Ok(pades::prepare(document, &parameters, &options, signer, &Budget::default())?);
    }
    let of_cades = options.cades()?;
    let id = options.signature.as_deref().map(Id::new);
    let content = match (options.packaging.unwrap_or(Packaging::Enveloping), &id) {
        (Packaging::Counter, Some(id)) => cades::Content::Signature(document, id),
        (Packaging::Counter, None) => {
            return Err(invalid("signature", "", "the id of the signature that is counter-signed"));
        }
        (_, Some(_)) => {
            let found = "found the option signature, expected it beside the packaging counter only";
            return Err(Refused::new(SigningErrorCode::ParametersConflict, found));
        }
        (Packaging::Enveloping, None) => cades::Content::Enveloped(document.bytes()),
        (Packaging::Detached, None) => cades::Content::Detached(document.bytes()),
        (Packaging::Parallel, None) => cades::Content::Parallel(document),
        (other, None) => {
            return Err(invalid("packaging", other.as_str(), "enveloping, detached, parallel or counter"));
        }
    };
    Ok(cades::prepare(&content, &parameters, &of_cades, signer)?)
}
