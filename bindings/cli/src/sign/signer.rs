//! Who signs: `--key`, `--csc`, `--pkcs12`, `--pkcs11`, `--certificate`, `--chain`, `--digest`, `--pss`.

use super::csc::{CscArguments, RemoteKey};
use crate::authority::digest_function;
use crate::error::CliError;
use crate::input;
use crate::issue::{Secrets, key};
use crate::online::NetworkArguments;
use lacre::decode_pem;
use lacre::issuance::Certificate;
use lacre::signing::{
    DigestAlgorithm, KeyAlgorithm, PublicKey, SignatureAlgorithm, Signer, SigningErrorCode, SigningKey, usual_digest,
};
use lacre_keys::{Identity, KeyLocation, Pkcs12, Pkcs12Error};
use std::path::{Path, PathBuf};

/// Begins each certificate of a file in PEM.
const BEGIN: &str = "-----BEGIN CERTIFICATE-----";

/// Who signs.
#[derive(Debug, clap::Args)]
pub struct SigningKeyArguments {
    /// The private key: PKCS#8, DER or PEM, encrypted too, or sealed.
    #[arg(long, value_name = "KEY", group = "with", requires = "certificate")]
    key: Option<PathBuf>,
    /// The private key with its certificate and the chain, in a PKCS#12 file (.p12, .pfx).
    #[arg(long, value_name = "FILE", group = "with", conflicts_with = "certificate")]
    pkcs12: Option<PathBuf>,
    /// The name of the key in a PKCS#12 file that has several.
    #[arg(long, value_name = "NAME", requires = "pkcs12")]
    alias: Option<String>,
    /// The private key in a PKCS#11 token: the module's file, the token's label, the key's label.
    #[arg(long, value_name = "MODULE/TOKEN/LABEL", group = "with", requires = "certificate")]
    pkcs11: Option<KeyLocation>,
    #[command(flatten)]
    csc: CscArguments,
    /// The signing certificate (DER or PEM), which a service has to sign with, too. Certificates that follow it in a PEM file are of its chain.
    #[arg(long, value_name = "CERT")]
    certificate: Option<PathBuf>,
    /// A certificate above it, to be embedded; a PEM file may hold several.
    #[arg(long, value_name = "CERT")]
    chain: Vec<PathBuf>,
    /// The digest function. Default: that of the key's strength: SHA256, SHA384 for P-384, SHA512 for P-521 and RSA
    /// beyond 3,072 bits.
    #[arg(long, value_name = "NAME", value_parser = digest_function)]
    digest: Option<DigestAlgorithm>,
    /// RSASSA-PSS in place of PKCS#1 v1.5, with an RSA key.
    #[arg(long)]
    pss: bool,
}

impl SigningKeyArguments {
    /// Returns whether the key is kept where one signature after another is made.
    pub fn is_token(&self) -> bool {
        self.pkcs11.is_some()
    }

    /// Opens the key at a service, where one is named, and its certificate.
    pub fn remote(&self, network: &NetworkArguments) -> Result<Option<(Signer, RemoteKey)>, CliError> {
        let Some(key) = self.csc.open(network)? else { return Ok(None) };
        let credential = key.credential();
        if let Some(path) = &self.certificate {
            let expected = certificates(path)?;
            if expected.first().map(Certificate::der) != Some(credential.certificate.der()) {
                let found = name(&credential.certificate);
                let error = format!("{}: the service signs with another certificate, that of {found}", path.display());
                return Err(CliError::plain(error).coded(SigningErrorCode::CertificateKeyMismatch));
            }
        }
        let (certificate, chain) = (credential.certificate.clone(), credential.chain.clone());
        let signer = self.signer_of(Path::new(key.address()), certificate, chain)?;
        key.check(signer.algorithm())?;
        Ok(Some((signer, key)))
    }

    /// Returns the certificate, its chain and the algorithm.
    pub fn signer(&self, secrets: &Secrets) -> Result<Signer, CliError> {
        match &self.pkcs12 {
            Some(path) => {
                let identity = self.identity(path, secrets)?;
                self.signer_of(path, identity.certificate, identity.chain)
            }
            None => self.named_signer(),
        }
    }

    /// Opens the certificate, its chain, the algorithm, and the private key, which is that of the certificate.
    pub fn open(&self, secrets: &Secrets) -> Result<(Signer, Box<dyn SigningKey>), CliError> {
        if let Some(path) = &self.pkcs12 {
            let identity = self.identity(path, secrets)?;
            return Ok((self.signer_of(path, identity.certificate, identity.chain)?, Box::new(identity.key)));
        }
        let signer = self.named_signer()?;
        let key = key::open(self.key.as_deref(), self.pkcs11.as_ref(), None, secrets)?;
        let certificate = signer.certificate();
        let theirs = certificate.public_key().map(PublicKey::spki);
        if theirs != Some(key.public_key().spki()) {
            let error = "the private key is not the one of the certificate";
            let error = CliError::plain(error).coded(SigningErrorCode::CertificateKeyMismatch);
            let hint =
                format!("the certificate is that of {}; find the one that was issued for the key", name(certificate));
            return Err(error.hint(Some(hint)));
        }
        Ok((signer, key))
    }

    fn identity(&self, path: &Path, secrets: &Secrets) -> Result<Identity, CliError> {
        let password = secrets.key_password()?.unwrap_or_default();
        let opened = Pkcs12::open(&input::open(path)?, &password).and_then(|file| file.identity(self.alias.as_deref()));
        opened.map_err(|error| {
            let hint = match error {
                Pkcs12Error::Password => Some("--key-password-file names a file that holds the password"),
                Pkcs12Error::Several { .. } | Pkcs12Error::Alias { .. } => Some("--alias names one of them"),
                _ => None,
            };
            CliError::new(path.display(), &error).hint(hint)
        })
    }

    /// Returns the signer whom `--certificate` names.
    fn named_signer(&self) -> Result<Signer, CliError> {
        let Some(path) = &self.certificate else {
            return Err(CliError::plain("no certificate was given").hint(Some("--certificate names it")));
        };
        let mut all = certificates(path)?.into_iter();
        let certificate = all.next().ok_or_else(|| CliError::plain(format!("{}: it is empty", path.display())))?;
        self.signer_of(path, certificate, all.collect())
    }

    fn signer_of(
        &self,
        path: &Path,
        certificate: Certificate,
        mut chain: Vec<Certificate>,
    ) -> Result<Signer, CliError> {
        for path in &self.chain {
            chain.extend(certificates(path)?);
        }
        let Some(key) = certificate.public_key() else {
            return Err(CliError::plain(format!("{}: found a key of an unknown kind", path.display())));
        };
        let algorithm = self.algorithm(key);
        let signer = Signer::new(certificate, algorithm).map_err(|error| CliError::of_signing(path, &error))?;
        Ok(signer.with_chain(chain))
    }

    fn algorithm(&self, key: &PublicKey) -> SignatureAlgorithm {
        let kind = if self.pss { KeyAlgorithm::RsassaPss } else { key.algorithm() };
        let algorithm = SignatureAlgorithm::new(kind, None);
        // EdDSA and ML-DSA have each their own.
        let own = algorithm.needs_message().then_some(self.digest);
        SignatureAlgorithm::new(kind, own.unwrap_or_else(|| Some(self.digest.unwrap_or_else(|| usual_digest(key)))))
    }
}

/// Returns whose certificate it is, in words.
fn name(certificate: &Certificate) -> String {
    let subject = certificate.subject();
    let words = subject.subject_attributes();
    let words = words.common_name.as_ref().or(words.organization.as_ref());
    words.cloned().unwrap_or_else(|| subject.rfc2253().to_owned())
}

/// Reads the certificates of a file: one in DER, or as many as it has in PEM.
fn certificates(path: &Path) -> Result<Vec<Certificate>, CliError> {
    let bytes = input::open(path)?;
    let read =
        |bytes: &[u8]| Certificate::from_der(&decode_pem(bytes)).map_err(|error| CliError::new(path.display(), &error));
    match std::str::from_utf8(&bytes).ok().filter(|text| text.contains(BEGIN)) {
        Some(text) => text.split(BEGIN).skip(1).map(|rest| read(format!("{BEGIN}{rest}").as_bytes())).collect(),
        None => Ok(vec![read(&bytes)?]),
    }
}
