//! Authorities in files: the operator's own, and the demo's.

use crate::authority::{Authority, CertificatePolicy, ResponderError};
use crate::rng;
use lacre::{
    Time,
    issuance::{Certificate, Issuer, Locations, Profile, Subject, Validity},
    signing::{KeyKind, SigningKey, SoftwareKey},
};
use lacre_keys::{Label, MasterKey, MasterKeyError, SealError, seal, unseal};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Why there is no authority.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error("{}: cannot be read or written", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file holds no certificate.
    #[error("{}: expected a certificate, DER or PEM", .0.display())]
    Certificate(PathBuf),
    /// A file holds no key that the master key opens.
    #[error("{}: expected a sealed key", path.display())]
    Key {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: SealError,
    },
    /// There is no master key.
    #[error(transparent)]
    MasterKey(#[from] MasterKeyError),
    /// Certificate and key do not belong together, or nothing could be issued with them.
    #[error(transparent)]
    Issuance(#[from] lacre::issuance::Error),
    /// The responder is not the authority's.
    #[error(transparent)]
    Responder(#[from] ResponderError),
    /// No key could be made.
    #[error(transparent)]
    Generate(#[from] lacre::signing::PrivateKeyError),
}

/// Reads a certificate, DER or PEM.
pub fn certificate(path: &Path) -> Result<Certificate, Error> {
    let bytes = read(path)?;
    Certificate::from_der(&lacre::decode_pem(&bytes)).map_err(|_| Error::Certificate(path.to_owned()))
}

/// Seals the key in a file again, under another master key; whether it was not yet.
pub fn reseal(path: &Path, from: &MasterKey, to: &MasterKey) -> Result<bool, Error> {
    let bytes = read(path)?;
    let wrong = |source| Error::Key { path: path.to_owned(), source };
    let Some(sealed) = lacre_keys::reseal(&bytes, from, to, &mut rng::system()).map_err(wrong)? else {
        return Ok(false);
    };
    write(path, &sealed)?;
    Ok(true)
}

/// Reads a sealed key, as `lacre issue … --new-key … --master-key …` writes it.
pub fn sealed_key(path: &Path, master: &MasterKey) -> Result<Box<dyn SigningKey>, Error> {
    let bytes = read(path)?;
    let wrong = |source| Error::Key { path: path.to_owned(), source };
    let label = lacre_keys::label(&bytes).ok_or_else(|| wrong(SealError::Format))?;
    Ok(Box::new(unseal(&bytes, master, &label).map_err(wrong)?))
}

/// Returns the operator's authority: its certificate, its key, and the certificates above it, up to the root.
pub fn authority(
    certificate_file: &Path,
    key: Box<dyn SigningKey>,
    chain: &[PathBuf],
    locations: Locations,
) -> Result<Authority, Error> {
    let chain = chain.iter().map(|path| certificate(path)).collect::<Result<_, _>>()?;
    Ok(Authority::new(certificate(certificate_file)?, key, locations, chain)?)
}

/// Returns the policy of certificates that prove nothing to anybody.
pub fn demo_policy() -> CertificatePolicy {
    CertificatePolicy {
        id: 1,
        name: "Demonstration".to_owned(),
        description: "Certificates of a demonstration: their authority is known to nobody".to_owned(),
        profile: Profile::NaturalPerson,
        key: KeyKind::P256,
        days: 365,
        renewal_days: 30,
    }
}

/// Opens the demo's files in a folder, made at its first use: `master.key`, `root.der`, `ca.der`, `ocsp.der`, and the
/// keys of the latter two, `ca.key` and `ocsp.key` (sealed).
///
/// The root's key is made, signs the authority's certificate, and is kept nowhere.
pub fn demo(folder: &Path, locations: Locations, now: Time) -> Result<(MasterKey, Authority), Error> {
    let [master_file, root_file, authority_file, key_file, responder_file, responder_key_file] =
        ["master.key", "root.der", "ca.der", "ca.key", "ocsp.der", "ocsp.key"].map(|name| folder.join(name));
    fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.to_owned(), source })?;
    if !master_file.exists() {
        write(&master_file, MasterKey::generate(&mut rng::system()).to_text().as_bytes())?;
    }
    let master = MasterKey::from_file(&master_file)?;
    // Written last: where it is there, everything is.
    if !authority_file.exists() {
        // Certificates state whole seconds: the root's last one must not come before the authority's.
        let now = Time::from_seconds(now.seconds());
        let root_key = SoftwareKey::generate(KeyKind::P384, &mut rng::system())?;
        let validity = Validity::days(now, 3650);
        let root = Issuer::root(&party("Demo Root"), &root_key, validity, Locations::default(), &mut rng::system())?;
        let key = SoftwareKey::generate(KeyKind::P256, &mut rng::system())?;
        let own =
            root.issue(Profile::IssuingAuthority, &party("Demo CA"), key.public_key(), validity, &mut rng::system())?;
        let responder_key = SoftwareKey::generate(KeyKind::P256, &mut rng::system())?;
        let responder = Issuer::new(own.clone(), &key, Locations::default())?.issue(
            Profile::OcspResponder,
            &party("Demo OCSP responder"),
            responder_key.public_key(),
            validity,
            &mut rng::system(),
        )?;
        for (path, key, id) in [(&key_file, &key, "demo"), (&responder_key_file, &responder_key, "demo-ocsp")] {
            let sealed = seal(key, &master, &Label::new("authority", id), &mut rng::system());
            write(path, &sealed.map_err(|source| Error::Key { path: path.clone(), source })?)?;
        }
        write(&responder_file, responder.der())?;
        write(&root_file, root.certificate().der())?;
        write(&authority_file, own.der())?;
    }
    let key = sealed_key(&key_file, &master)?;
    let authority = authority(&authority_file, key, &[root_file], locations)?;
    let responder_key = sealed_key(&responder_key_file, &master)?;
    Ok((master, authority.with_responder(certificate(&responder_file)?, responder_key)?))
}

fn party(name: &str) -> Subject {
    Subject::LegalPerson {
        country: "EE".to_owned(),
        organization: "Lacre demonstration".to_owned(),
        organization_identifier: "NTREE-00000000".to_owned(),
        common_name: name.to_owned(),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// Writes a file that only its owner can read, there whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // `tempfile` makes files that only their owner can read.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map(drop).map_err(|e| failed(e.error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_made_once() {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let now = Time::from_millis(1_795_255_200_042);
        let (_, first) = demo(folder.path(), Locations::default(), now).expect("the demo is made");
        let (_, again) = demo(folder.path(), Locations::default(), now).expect("the demo is read");
        assert_eq!(first.certificate().der(), again.certificate().der());
        assert_eq!(again.chain().len(), 1, "the root stands above");
        // Another master key: the sealed key does not open, and nothing is made anew.
        let other = MasterKey::generate(&mut rng::system());
        let found = sealed_key(&folder.path().join("ca.key"), &other).err();
        assert!(matches!(found, Some(Error::Key { source: SealError::MasterKey { .. }, .. })));
    }
}
