//! Keys in a token, with SoftHSM as the token.

use lacre::signing::{DigestAlgorithm, KeyAlgorithm, KeyKind, SignError, SignatureAlgorithm, SigningKey, digest};
use lacre_core::crypto::{Signed, verify};
use lacre_keys::{KeyLocation, KeyStore as _, Label, Pin, Pkcs11, TokenError, TokenKey, TokenLocation};
use rand_core::UnwrapErr;
use std::path::Path;
use std::process::Command;

const PIN: &str = "271828";
/// Holds the path of SoftHSM's module in the second process.
const MODULE: &str = "LACRE_TEST_MODULE";

/// Makes a token in a folder of its own, and runs itself with it in a second process: the module reads its settings from
/// the environment, which a running process should not change.
#[test]
#[ignore = "needs SoftHSM (Debian package softhsm2)"]
fn keys_in_a_token() {
    if let Ok(module) = std::env::var(MODULE) {
        return with_token(Path::new(&module));
    }
    let modules = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib64/pkcs11/libsofthsm2.so"];
    let module = modules.iter().map(Path::new).find(|module| module.exists());
    let module = module.expect("SoftHSM is installed (Debian package softhsm2)");
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let settings = folder.path().join("softhsm2.conf");
    let text = format!("directories.tokendir = {}\nlog.level = ERROR\n", folder.path().display());
    std::fs::write(&settings, text).expect("a file can be written");
    for label in ["lacre", "twin", "twin"] {
        let made = Command::new("softhsm2-util")
            .args(["--init-token", "--free", "--label", label, "--pin", PIN, "--so-pin", "31415926"])
            .env("SOFTHSM2_CONF", &settings)
            .output()
            .expect("softhsm2-util is there with its module");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    let inner = Command::new(std::env::current_exe().expect("this is a program"))
        .args(["--exact", "keys_in_a_token", "--ignored", "--nocapture"])
        .env("SOFTHSM2_CONF", &settings)
        .env(MODULE, module)
        .output()
        .expect("this program runs again");
    let told = format!("{}{}", String::from_utf8_lossy(&inner.stdout), String::from_utf8_lossy(&inner.stderr));
    assert!(inner.status.success() && told.contains("1 passed"), "{told}");
    assert!(!told.contains(PIN), "the PIN is never told");
}

fn with_token(module: &Path) {
    let location = |token: &str| TokenLocation { module: module.to_owned(), token: token.to_owned() };
    what_is_refused(&location);
    let token = Pkcs11::open(&location("lacre"), Pin::new(PIN)).expect("the token opens");
    signatures(&token);
    many_at_once(&token);
    kept(&token);
    found_by_label(&token);
}

fn signatures(token: &Pkcs11) {
    use DigestAlgorithm::{Sha1, Sha256, Sha384, Sha512};
    let mut randomness = UnwrapErr(getrandom::SysRng);
    for kind in [KeyKind::P256, KeyKind::P384, KeyKind::Rsa3072] {
        let key = token.make(kind, &format!("sign {kind}"), &mut randomness).expect("a key is made");
        let own = key.public_key().algorithm();
        for algorithm in [
            SignatureAlgorithm::new(own, Some(Sha256)),
            SignatureAlgorithm::new(own, Some(Sha384)),
            SignatureAlgorithm::new(own, Some(Sha512)),
            SignatureAlgorithm::new(own, Some(Sha256)).concatenated(),
            SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(Sha256)),
            SignatureAlgorithm::new(KeyAlgorithm::RsassaPss, Some(Sha512)),
            SignatureAlgorithm::new(KeyAlgorithm::EdDsa, Some(Sha256)),
        ] {
            let bytes = digest(algorithm.digest.expect("it has one"), b"message").expect("it is known");
            let possible = algorithm.key == own || own == KeyAlgorithm::Rsa && algorithm.key == KeyAlgorithm::RsassaPss;
            match key.sign(&algorithm, &bytes, &mut randomness) {
                Ok(value) => {
                    assert!(possible, "{kind} signed with {algorithm}");
                    let found = verify(key.public_key(), &algorithm, Signed::Message(b"message"), &value);
                    assert_eq!(found, Ok(()), "{kind}: {algorithm}");
                }
                Err(error) => assert!(!possible, "{kind}: {algorithm}: {error}"),
            }
        }
        let short = key.sign(&SignatureAlgorithm::new(own, Some(Sha256)), &[0; 20], &mut randomness);
        assert!(matches!(short, Err(SignError::DigestLength { .. })), "{kind}: {short:?}");
        assert!(key.sign(&SignatureAlgorithm::new(own, Some(Sha1)), &[0; 20], &mut randomness).is_err(), "TS 119 312");
    }
}

/// More threads than the pool has sessions.
fn many_at_once(token: &Pkcs11) {
    let key = token.make(KeyKind::P256, "many", &mut UnwrapErr(getrandom::SysRng)).expect("a key is made");
    let algorithm = key.algorithm(DigestAlgorithm::Sha256);
    std::thread::scope(|scope| {
        for at in 0..40_u8 {
            let key: &TokenKey = &key;
            scope.spawn(move || {
                for round in 0..5 {
                    let bytes = [at ^ round; 32];
                    let value = key.sign(&algorithm, &bytes, &mut UnwrapErr(getrandom::SysRng)).expect("it signs");
                    let found = verify(key.public_key(), &algorithm, Signed::Digest(&bytes), &value);
                    assert_eq!(found, Ok(()), "each gets its own value");
                }
            });
        }
    });
}

fn kept(token: &Pkcs11) {
    let mut randomness = UnwrapErr(getrandom::SysRng);
    let (own, other) = (Label::new("user", "1"), Label::new("user", "2"));
    let kept = token.generate(KeyKind::P256, &own, &mut randomness).expect("a key is made");
    let again = token.open(&kept.stored, &own).expect("what was stored opens");
    assert_eq!(again.public_key(), kept.key.public_key());
    assert!(token.open(&kept.stored, &other).is_err(), "another key's label");
    assert!(token.open(b"LSK\x01", &own).is_err(), "no key of a token");
    assert!(token.open(b"P11\x01", &own).is_err(), "no id");
    token.discard(&kept.stored, &other).expect("there is nothing of this label");
    token.open(&kept.stored, &own).expect("it is still there");
    token.discard(&kept.stored, &own).expect("it is removed");
    assert!(token.open(&kept.stored, &own).is_err(), "it is gone");
}

fn found_by_label(token: &Pkcs11) {
    let mut randomness = UnwrapErr(getrandom::SysRng);
    let made = token.make(KeyKind::P384, "authority", &mut randomness).expect("a key is made");
    assert_eq!(token.find("authority").expect("it is there").public_key(), made.public_key());
    assert_eq!(token.find_by_id(made.id()).expect("it is there").public_key(), made.public_key());
    for id in [&b""[..], b"another"] {
        match token.find_by_id(id) {
            Err(TokenError::Key { found: 0, .. }) => (),
            other => panic!("{id:02x?}: {:?}", other.err()),
        }
    }
    token.make(KeyKind::P384, "authority", &mut randomness).expect("PKCS#11 lets labels repeat");
    for (label, expected) in [("authority", 2), ("nobody", 0)] {
        match token.find(label) {
            Err(TokenError::Key { found, .. }) => assert_eq!(found, expected, "{label}"),
            other => panic!("{label}: {:?}", other.err()),
        }
    }
}

fn what_is_refused(location: &dyn Fn(&str) -> TokenLocation) {
    for (situation, location, pin, expected) in [
        ("no such token", location("nobody"), PIN, "has 0 tokens labelled \"nobody\""),
        ("two of one label", location("twin"), PIN, "has 2 tokens labelled \"twin\""),
        ("another PIN", location("lacre"), "161803", "Login answered PinIncorrect"),
        (
            "no module",
            TokenLocation { module: "/nowhere/lib.so".into(), token: "lacre".into() },
            PIN,
            "/nowhere/lib.so",
        ),
    ] {
        let told = match Pkcs11::open(&location, Pin::new(pin)) {
            Err(error) => error.to_string(),
            Ok(_) => "it opened".to_owned(),
        };
        assert!(told.contains(expected), "{situation}: {told}");
        assert!(!told.contains(pin), "{situation}: the PIN is not told");
    }
    assert_eq!(format!("{:?}", Pin::new(PIN)), "Pin(…)");
}

#[test]
fn where_a_key_is() {
    let location: KeyLocation = "/usr/lib/softhsm/libsofthsm2.so/lacre/ca".parse().expect("it is a location");
    assert_eq!(location.token.module, Path::new("/usr/lib/softhsm/libsofthsm2.so"));
    assert_eq!((location.token.token.as_str(), location.label.as_str()), ("lacre", "ca"));
    for text in ["", "ca", "lacre/ca", "lib.so/lacre/", "lib.so//ca"] {
        assert!(text.parse::<KeyLocation>().is_err(), "{text}");
    }
}
