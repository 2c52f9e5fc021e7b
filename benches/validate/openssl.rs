//! A second lower bound: the same digests and signature checks by OpenSSL's library, in the same run.
//!
//! `openssl.c` does them: compiled with gcc when the bench begins, it is given the digests by function and length, and the checks
//! with their keys, messages and values, and says what they take. Where gcc or the library's headers are missing, OpenSSL lacks a
//! function, or finds another number of values good than we do, there is no figure.

use lacre_core::algorithm::{
    DigestAlgorithm, KeyAlgorithm, MaskGeneration, PssParameters, SignatureAlgorithm, ValueForm,
};
use lacre_core::asn1::{Tag, tlv};
use lacre_core::crypto::{PublicKey, Signed, meter::Check, meter::Log, verify};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/validate/openssl.c");

/// The program that does the work; `None` where it cannot be made.
pub struct OpenSsl(Option<PathBuf>);

impl Default for OpenSsl {
    /// Compiles it.
    fn default() -> Self {
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("openssl-bound");
        let mut compile = Command::new("gcc");
        compile.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", SOURCE, "-lcrypto", "-o"]).arg(&program);
        let made = compile.output().is_ok_and(|done| done.status.success());
        if !made {
            println!("no column /openssl: it needs gcc and the headers of OpenSSL 3 (packages gcc, libssl-dev)");
        }
        Self(made.then_some(program))
    }
}

impl OpenSsl {
    /// Returns the milliseconds that the logged work takes OpenSSL.
    pub fn milliseconds(&self, log: &Log) -> Option<f64> {
        let mut work = String::new();
        for (function, bytes) in log.digests() {
            writeln!(work, "digest {} {bytes}", name(function)).ok()?;
        }
        let mut good = 0;
        for check in log.verifications() {
            let key = PublicKey::from_spki(check.spki).ok()?;
            good += usize::from(verify(&key, &check.algorithm, check.signed, check.value).is_ok());
            write_check(&mut work, &check)?;
        }
        let mut program = Command::new(self.0.as_ref()?);
        let mut run = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().ok()?;
        run.stdin.take()?.write_all(work.as_bytes()).ok()?;
        let done = run.wait_with_output().ok()?;
        let said = String::from_utf8(done.stdout).ok()?;
        let (time, theirs) = said.trim().split_once(' ')?;
        (theirs == good.to_string()).then(|| time.parse().ok())?
    }
}

/// Writes a line for a check; `None` where OpenSSL has no such algorithm.
fn write_check(work: &mut String, check: &Check<'_>) -> Option<()> {
    let SignatureAlgorithm { key, digest, pss, .. } = check.algorithm;
    let function = digest.filter(|_| key != KeyAlgorithm::EdDsa);
    if function.is_none() && key != KeyAlgorithm::EdDsa {
        return None;
    }
    let pss = function.filter(|_| key == KeyAlgorithm::RsassaPss).map(|f| pss.unwrap_or_else(|| PssParameters::of(f)));
    let mask = match pss.map(|pss| pss.mask) {
        None => "-".to_owned(),
        Some(MaskGeneration::Mgf1(function)) => name(function),
        Some(MaskGeneration::Shake(_)) => return None,
    };
    let salt = pss.and_then(|pss| pss.salt_length).map_or("-".to_owned(), |length| length.to_string());
    let (message, digest) = match check.signed {
        Signed::Message(bytes) => (hex(bytes), "-".to_owned()),
        Signed::Digest(bytes) => ("-".to_owned(), hex(bytes)),
    };
    let function = function.map_or("-".to_owned(), name);
    let value = hex(&usual(check.value, key, check.algorithm.form));
    writeln!(work, "check {} {function} {mask} {salt} {message} {digest} {value}", hex(check.spki)).ok()
}

/// Returns a value in the form that OpenSSL reads: of two integers a SEQUENCE.
fn usual(value: &[u8], key: KeyAlgorithm, form: ValueForm) -> Cow<'_, [u8]> {
    let of_two = matches!(key, KeyAlgorithm::Ecdsa | KeyAlgorithm::PlainEcdsa | KeyAlgorithm::Dsa);
    if !of_two || form == ValueForm::Usual {
        return value.into();
    }
    let (r, s) = value.split_at(value.len() / 2);
    let integer = |bytes: &[u8]| {
        let digits = &bytes[bytes.iter().take_while(|byte| **byte == 0).count()..];
        tlv(Tag::INTEGER, &[&[0][..usize::from(digits.first().is_none_or(|first| first & 0x80 != 0))], digits].concat())
    };
    tlv(Tag::SEQUENCE, &[integer(r), integer(s)].concat()).into()
}

fn name(function: DigestAlgorithm) -> String {
    function.as_str().replace("SHAKE256-512", "SHAKE256")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}
