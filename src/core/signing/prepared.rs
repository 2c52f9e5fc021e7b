//! A signature that lacks only its value, as bytes that travel between processes: EN 319 102-1 §4.2.

#[cfg(feature = "pdf")]
use super::pades;
use super::{Output, Signer, SigningError, SigningErrorCode, attributes, cades, cms, value};
use crate::algorithm::{DigestAlgorithm, SignatureAlgorithm};
use crate::crypto::{self, CryptoRng, SigningKey};
use crate::document::Document;
use crate::facts::{Bytes, SignatureLevel};
use crate::hex;
use crate::vocabulary::string_enum;
use crate::x509::Certificate;
use serde::{Deserialize, Serialize};

/// The version of the written form.
const VERSION: u32 = 1;

/// A signature that lacks only its value.
///
/// It states what is to be signed, and holds all that is needed to write the signature, but for the document. It does
/// not depend on the process that made it: [`to_json`](Self::to_json) and [`from_json`](Self::from_json).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The signing certificate and its algorithm, without certificates above.
    signer: Signer,
    state: State,
}

/// The written form, but for its own digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    version: u32,
    /// The signing certificate, DER.
    certificate: Bytes,
    /// The algorithm: `AlgorithmIdentifier`, DER.
    algorithm: Bytes,
    /// The document that is signed; nothing where only a digest of it was given.
    document: Option<Input>,
    /// The data to be signed.
    to_be_signed: Bytes,
    /// The rest, which depends on the format.
    body: Body,
}

/// The written form with its digest: SHA-256 of the JSON of the rest.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(flatten)]
    state: State,
    sha256: String,
}

/// A file by its length and digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub length: u64,
    pub digest_algorithm: DigestAlgorithm,
    pub digest: Bytes,
}

/// What a format keeps between preparing and finishing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Body {
    /// CAdES: EN 319 122-1.
    Cades(cades::Body),
    /// PAdES: EN 319 142-1.
    #[cfg(feature = "pdf")]
    Pades(pades::Body),
}

impl Body {
    /// Returns the digest of what the signature is written over; `None` where that lies beside the document.
    fn covered(&self, document: &Document<'_>, function: DigestAlgorithm) -> Option<Vec<u8>> {
        match self {
            Self::Cades(body) => body.covered(document, function),
            #[cfg(feature = "pdf")]
            Self::Pades(body) => body.covered(document, function),
        }
    }

    /// Tells whether the document is a file that gets another signature, not the content.
    fn is_added(&self) -> bool {
        match self {
            Self::Cades(body) => matches!(body.packaging(), Packaging::Parallel | Packaging::Counter),
            #[cfg(feature = "pdf")]
            Self::Pades(_) => false,
        }
    }
}

string_enum! {
    /// Where a prepared signature goes.
    pub enum Packaging {
        /// In the PDF that is signed.
        Pdf = "pdf",
        /// In a new file around the document: `.p7m`.
        Enveloping = "enveloping",
        /// In a new file beside the document: `.p7s`.
        Detached = "detached",
        /// Beside the signatures of the document, a CMS file.
        Parallel = "parallel",
        /// Within a signature of the document, a CMS file.
        Counter = "counter",
    }
}

/// What a format writes a signature of: all but what its own [`Body`] keeps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finishing<'a> {
    /// The signer, without certificates above.
    pub signer: &'a Signer,
    /// The signed attributes, a SET OF in DER.
    pub to_be_signed: &'a [u8],
    /// The value, verified, in the form of CMS.
    pub value: &'a [u8],
    /// The signature-time-stamp attribute, where there is one.
    pub timestamp: Option<&'a [u8]>,
    /// The document, the one that was prepared.
    pub document: &'a Document<'a>,
}

impl Input {
    /// Describes a file; `digest` is its digest, where it is known already.
    ///
    /// # Errors
    ///
    /// `algorithm-not-allowed` where the digest function cannot be computed.
    pub fn of(bytes: &[u8], function: DigestAlgorithm, digest: Option<Vec<u8>>) -> Result<Self, SigningError> {
        let digest = digest.map_or_else(|| checked_digest(function, bytes), Ok)?;
        Ok(Self { length: bytes.len() as u64, digest_algorithm: function, digest: digest.into() })
    }

    fn check(&self, document: &Document<'_>) -> Result<(), SigningError> {
        let bytes = document.bytes();
        let found = bytes.len() as u64;
        if found == self.length && checked_digest(self.digest_algorithm, bytes)? == self.digest.0 {
            return Ok(());
        }
        let found = match found == self.length {
            true => "another digest".into(),
            false => format!("{found} bytes"),
        };
        let message = format!("found a document of {found}, expected the one prepared, of {} bytes", self.length);
        Err(SigningError::new(SigningErrorCode::ContentDiffers, message).with_hint(
            "the file changed since it was prepared: finish with the one that was prepared, or prepare again",
        ))
    }
}

/// Returns a digest, or the error that its function cannot be computed.
pub(super) fn checked_digest(function: DigestAlgorithm, bytes: &[u8]) -> Result<Vec<u8>, SigningError> {
    crypto::digest(function, bytes).ok_or_else(|| {
        let found = format!("found the digest function {function}, expected one that is computed here");
        SigningError::new(SigningErrorCode::AlgorithmNotAllowed, found)
    })
}

impl Prepared {
    pub(super) fn new(signer: &Signer, document: Option<Input>, to_be_signed: Vec<u8>, body: Body) -> Self {
        let state = State {
            version: VERSION,
            certificate: signer.certificate().der().into(),
            algorithm: cms::signature_algorithm_identifier(signer.algorithm()).into(),
            document,
            to_be_signed: to_be_signed.into(),
            body,
        };
        Self { signer: signer.clone().with_chain(vec![]), state }
    }

    /// Writes it as JSON: the same bytes for the same prepared signature.
    ///
    /// NOTE: it holds no secret. Its digest finds what was changed by mistake; who lets it travel through other hands
    /// authenticates it, or compares what [`to_be_signed`](Self::to_be_signed) states.
    pub fn to_json(&self) -> Vec<u8> {
        let written = Written { state: self.state.clone(), sha256: self.state.sha256() };
        serde_json::to_vec(&written).unwrap_or_default()
    }

    /// Reads what [`to_json`](Self::to_json) wrote, in this process or another.
    ///
    /// # Errors
    ///
    /// `state-unreadable`, `state-of-other-version` and `state-tampered`.
    pub fn from_json(json: &[u8]) -> Result<Self, SigningError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let unreadable = |error: String| {
            let found = format!("found no prepared signature ({error}), expected the JSON of one");
            SigningError::new(SigningErrorCode::StateUnreadable, found).with_hint("prepare again")
        };
        let Versioned { version } = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
        if version != VERSION {
            let found = format!("found a prepared signature of version {version}, expected {VERSION}");
            let error = SigningError::new(SigningErrorCode::StateOfOtherVersion, found);
            return Err(error.with_hint("finish it with the version of the library that prepared it, or prepare again"));
        }
        let written: Written = serde_json::from_slice(json).map_err(|error| unreadable(error.to_string()))?;
        let found = written.state.sha256();
        if found != written.sha256 {
            let message = format!("found a prepared signature of the digest {found}, expected {}", written.sha256);
            return Err(SigningError::new(SigningErrorCode::StateTampered, message).with_hint("prepare again"));
        }
        let state = written.state;
        let certificate = Certificate::from_der(&state.certificate.0).map_err(|error| unreadable(error.to_string()))?;
        let algorithm = SignatureAlgorithm::from_algorithm_identifier(&state.algorithm.0);
        let signer = Signer::new(certificate, algorithm.map_err(|error| unreadable(error.to_string()))?)?;
        Ok(Self { signer, state })
    }

    /// Returns the data to be signed: for a key, or for a service that digests what it gets.
    pub fn to_be_signed(&self) -> &[u8] {
        &self.state.to_be_signed.0
    }

    /// Returns what a service gets that signs digests: the digest of the data to be signed, under the digest function of
    /// the [`algorithm`](Self::algorithm); for algorithms that [need the message](Self::needs_message) the data itself.
    pub fn digest(&self) -> Vec<u8> {
        let function = self.algorithm().digest.filter(|_| !self.needs_message());
        function
            .and_then(|function| crypto::digest(function, self.to_be_signed()))
            .unwrap_or(self.to_be_signed().into())
    }

    /// Tells whether the key signs the data itself, not a digest of it: EdDSA, ML-DSA.
    pub fn needs_message(&self) -> bool {
        self.algorithm().needs_message()
    }

    /// Returns the algorithm with which the value is to be made.
    pub fn algorithm(&self) -> &SignatureAlgorithm {
        self.signer.algorithm()
    }

    /// Returns where the signature goes.
    pub fn packaging(&self) -> Packaging {
        match &self.state.body {
            Body::Cades(body) => body.packaging(),
            #[cfg(feature = "pdf")]
            Body::Pades(_) => Packaging::Pdf,
        }
    }

    /// Returns the profile of the signature once it is finished, with a time-stamp or without: EN 319 142-1 §6.3, EN 319 122-1 §6.3.
    pub fn level(&self, with_timestamp: bool) -> SignatureLevel {
        match (self.packaging() == Packaging::Pdf, with_timestamp) {
            (true, false) => SignatureLevel::PadesBaselineB,
            (true, true) => SignatureLevel::PadesBaselineT,
            (false, false) => SignatureLevel::CadesBaselineB,
            (false, true) => SignatureLevel::CadesBaselineT,
        }
    }

    /// Returns the signing certificate.
    pub fn certificate(&self) -> &Certificate {
        self.signer.certificate()
    }

    /// Writes the signature with this value, once the value verifies with the signer's key.
    ///
    /// `document` is the one that was prepared; where only a digest was, its bytes are not looked at. Values of ECDSA are
    /// taken as a SEQUENCE of two INTEGERs and as the two numbers one after the other.
    ///
    /// # Errors
    ///
    /// `value-form`, `value-does-not-verify` and `content-differs`; what the format has to say. The prepared signature
    /// stays good for another value.
    pub fn finish(&self, document: &Document<'_>, value: &[u8]) -> Result<Output, SigningError> {
        self.write(document, &self.verified(value)?, None)
    }

    /// Writes the signature with the value that this key makes.
    ///
    /// # Errors
    ///
    /// `key-refused` where the key does not sign; otherwise as [`finish`](Self::finish).
    pub fn sign(
        &self,
        document: &Document<'_>,
        key: &dyn SigningKey,
        randomness: &mut dyn CryptoRng,
    ) -> Result<Output, SigningError> {
        let value = key
            .sign(self.algorithm(), &self.digest(), randomness)
            .map_err(|error| SigningError::new(SigningErrorCode::KeyRefused, format!("found no value: {error}")))?;
        self.finish(document, &value)
    }

    /// Returns the message imprint of a time-stamp over this value: EN 319 122-1 §5.3.
    ///
    /// # Errors
    ///
    /// `value-form` and `value-does-not-verify`; `algorithm-not-allowed` where the digest function cannot be computed.
    pub fn timestamp_imprint(&self, value: &[u8], function: DigestAlgorithm) -> Result<Vec<u8>, SigningError> {
        checked_digest(function, &self.verified(value)?)
    }

    /// Writes the signature with this value and a time-stamp token over it: level T at once.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish); `tsa-reply-unreadable` and `tsa-imprint` where the bytes are no token over the value;
    /// `tsa-certificate` where the key of the certificate inside, one for time-stamping only, did not sign it.
    pub fn finish_with_timestamp(
        &self,
        document: &Document<'_>,
        value: &[u8],
        token: &[u8],
    ) -> Result<Output, SigningError> {
        let value = self.verified(value)?;
        let token = attributes::token(token)?;
        attributes::check_imprint(&token, "the signature value", |function| crypto::digest(function, &value))?;
        self.write(document, &value, Some(&attributes::signature_timestamp(&token)))
    }

    /// Checks the document, and that what the signature is written over is what the data to be signed states: its
    /// message-digest (RFC 5652 §11.2). Whoever exchanges the rest of a prepared signature gets nothing written.
    fn check(&self, document: &Document<'_>) -> Result<(), SigningError> {
        let Some(input) = &self.state.document else { return Ok(()) };
        let covered = self.state.body.covered(document, self.signer.digest());
        if covered.is_some() && covered == attributes::message_digest(self.to_be_signed()) {
            // The digest is over the document, but where that is a file that gets another signature.
            return if self.state.body.is_added() { input.check(document) } else { Ok(()) };
        }
        input.check(document)?;
        if covered.is_none() {
            return Ok(());
        }
        let found = "found a prepared signature over other bytes than those that it holds, expected one over them";
        Err(SigningError::new(SigningErrorCode::StateTampered, found).with_hint("prepare again"))
    }

    fn verified(&self, value: &[u8]) -> Result<Vec<u8>, SigningError> {
        let key = self.certificate().public_key();
        // A signer has a certificate whose key is known.
        let key = key.ok_or_else(|| SigningError::new(SigningErrorCode::StateUnreadable, "found no key"))?;
        value::verified(key, self.algorithm(), self.to_be_signed(), value)
    }

    fn write(&self, document: &Document<'_>, value: &[u8], timestamp: Option<&[u8]>) -> Result<Output, SigningError> {
        self.check(document)?;
        let finishing =
            Finishing { signer: &self.signer, to_be_signed: self.to_be_signed(), value, timestamp, document };
        match &self.state.body {
            Body::Cades(body) => body.finish(&finishing),
            #[cfg(feature = "pdf")]
            Body::Pades(body) => body.finish(&finishing),
        }
    }
}

impl State {
    fn sha256(&self) -> String {
        let json = serde_json::to_vec(self).unwrap_or_default();
        hex::lower(&crypto::digest(DigestAlgorithm::Sha256, &json).unwrap_or_default())
    }
}
