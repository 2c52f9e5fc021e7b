//! Extending: a signed document is raised to a level, or a document is time-stamped, in a loop of the caller.

mod answers;
mod outlook;
mod result;
mod run;
mod want;

pub use result::lacre_extended_signature;
pub use want::lacre_want;

use crate::document::lacre_document;
use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, free, handle, handle_mut, out_param, run, text};
use crate::options::{Setting, digest_function, find, one_of_words, truth};
use crate::time::stated;
use crate::timestamp;
use crate::validator::lacre_validator;
use crate::words::one_of;
use lacre::augmentation::{self, Extended, Extension, Freshness, Level, Material, Obstacle, Target, Want};
use lacre::report::{Attempt, Tried, WantedKind};
use lacre::{Document, Id, Time, Validator, decode_pem, signing::SigningError};
use lacre_core::formats::cms::SignedData;
use std::collections::{HashMap, HashSet};
use std::ffi::c_char;

/// How often is judged again before it is given up: more than two time-stamps and the chains of responders take.
const ROUNDS: usize = 64;
/// Why an answer that came was as good as none.
const OF_NO_USE: &str = "what it answers is not accepted, or not recent enough";

/// A level above B: EN 319 122-1 §6, EN 319 142-1 §6. A function takes it as int32_t.
///
/// @ingroup extending
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum lacre_level {
    /// A trusted time after signing.
    LACRE_LEVEL_T = 1,
    /// All certificates and revocation data that a validation needs.
    LACRE_LEVEL_LT = 2,
    /// A time-stamp over all of it; where there is one, another one (renewal).
    LACRE_LEVEL_LTA = 3,
}

use lacre_level::*;

/// A document that is being extended or time-stamped. Nothing of it is changed but what its format leaves open for
/// additions.
///
/// Made by lacre_extension_new(), lacre_extension_new_timestamp() or lacre_extension_new_renewal(), changed by the
/// functions that begin with lacre_extension_set, freed with lacre_extension_free(). Then lacre_extension_run() with
/// callbacks; or a loop of lacre_extension_advance() and answers to what it wants. One thread at a time may use it.
///
/// @ingroup extending
pub struct lacre_extension {
    task: Task,
    validator: Validator,
    /// The caller's, who promises that it lives and stays as it is.
    document: *const lacre_document,
    target: Target,
    timestamp_policy: Option<String>,
    timestamp_nonce: bool,
    material: Material,
    wants: Vec<lacre_want>,
    /// The requests for time-stamps that were made, by the place of their wants.
    requests: HashMap<usize, Vec<u8>>,
    /// The time-stamps that were handed in, by the place of their wants.
    stamped: HashSet<usize>,
    /// What was answered, and by which address; by none where the caller did not say.
    answered: HashMap<Key, Option<String>>,
    done: Option<Done>,
}

impl Handle for lacre_extension {
    const NAME: &'static str = "lacre_extension";
}

#[derive(Debug, Clone, Copy)]
enum Task {
    Extend,
    Timestamp,
    Renew,
}

/// What is wanted of a certificate: later on, newer data may be wanted of it.
type Key = (WantedKind, Id, Option<Time>);

struct Done {
    extended: Box<Extended>,
    signatures: Vec<lacre_extended_signature>,
}

/// Makes a failure of what keeps a document from being extended, as it goes out.
fn refused(error: SigningError) -> Failure {
    Failure::of_signing(&error, LACRE_ERROR_EXTENSION)
}

impl lacre_extension {
    fn new(task: Task, validator: &lacre_validator, document: *const lacre_document, level: Level) -> Self {
        Self {
            task,
            validator: validator.0.clone(),
            document,
            target: Target::new(level),
            timestamp_policy: None,
            timestamp_nonce: true,
            material: Material::new(),
            wants: vec![],
            requests: HashMap::new(),
            stamped: HashSet::new(),
            answered: HashMap::new(),
            done: None,
        }
    }

    /// Returns the document that is extended.
    ///
    /// # Safety
    ///
    /// The document lives and is not changed.
    unsafe fn document(&self) -> Result<Document<'_>, Failure> {
        // SAFETY: the contract of this function.
        Ok(unsafe { handle(self.document, "document") }?.document())
    }

    /// Judges the document with what was handed in; whether it is done.
    fn advance(&mut self, document: &Document<'_>, time: Time) -> Result<bool, Failure> {
        if self.done.is_some() {
            return Ok(true);
        }
        for _ in 0..ROUNDS {
            let step = match self.task {
                Task::Extend => augmentation::extend,
                Task::Timestamp => augmentation::timestamp,
                Task::Renew => augmentation::renew,
            };
            let wants = match step(&self.validator, document, &self.target, &self.material, time).map_err(refused)? {
                Extension::Done(extended) => {
                    let signatures = extended.signatures.iter().map(lacre_extended_signature::of).collect();
                    self.done = Some(Done { extended, signatures });
                    vec![]
                }
                Extension::Wanted(wants) => wants,
            };
            let in_vain = self.in_vain(&wants);
            if !in_vain.is_empty() {
                in_vain.into_iter().for_each(|attempt| {
                    self.material.attempt(attempt);
                });
                continue;
            }
            self.requests.clear();
            self.stamped.clear();
            self.wants = wants.iter().map(lacre_want::of).collect();
            return Ok(self.done.is_some());
        }
        Err(Failure::new(LACRE_ERROR_EXTENSION, format!("found more wanted after {ROUNDS} rounds, expected an end")))
    }

    /// Returns what is wanted again although it was answered: those who answered are not asked again.
    fn in_vain(&self, wants: &[Want]) -> Vec<Attempt> {
        let mut attempts = vec![];
        for want in wants {
            let Want::Evidence(want) = want else { continue };
            let wanted = &want.wanted;
            let Some(by) = self.answered.get(&(wanted.kind, wanted.about.clone(), want.not_before)) else { continue };
            let is_tried = |url: &String| wanted.tried.iter().any(|tried| tried.url == *url);
            let answered = |url: &&String| !is_tried(url) && by.as_ref().is_none_or(|by| by == *url);
            attempts.extend(wanted.urls.iter().filter(answered).map(|url| Attempt {
                kind: wanted.kind,
                about: wanted.about.clone(),
                tried: Tried { url: url.clone(), reason: OF_NO_USE.to_owned() },
            }));
        }
        attempts
    }

    fn want(&self, index: usize) -> Result<&lacre_want, Failure> {
        self.wants.get(index).ok_or_else(|| {
            Failure::argument(format!("index is {index}, expected one of the {} that are wanted", self.wants.len()))
        })
    }

    /// Reads evidence: the pieces that it consists of, each of which is a certificate, a CRL or an OCSP response.
    fn pieces(&self, (kind, ..): &Key, bytes: &[u8]) -> Result<Vec<Vec<u8>>, Failure> {
        let der = decode_pem(bytes);
        // RFC 5280 §4.2.2.1: of issuers, one certificate, or a "certs-only" CMS message.
        let pieces: Vec<Vec<u8>> = match SignedData::parse(&der) {
            Ok(message) if *kind == WantedKind::Issuer => message.x509_certificates().map(<[u8]>::to_vec).collect(),
            _ => vec![bytes.to_vec()],
        };
        pieces.iter().try_for_each(|piece| self.validator.clone().evidence(piece).map(|_| ()))?;
        Ok(pieces)
    }

    /// Takes evidence, once it is known to be some.
    fn answer(&mut self, index: usize, bytes: &[u8], url: Option<&str>) -> Result<(), Failure> {
        let key = self.want(index)?.evidence()?.clone();
        for piece in self.pieces(&key, bytes)? {
            self.material.evidence(piece);
        }
        self.answered.insert(key, url.map(str::to_owned));
        Ok(())
    }

    /// Takes a time-stamp token, which was checked. A second one over the same would be over nothing that is wanted.
    fn stamp(&mut self, index: usize, token: Vec<u8>) -> Result<(), Failure> {
        if !self.stamped.insert(index) {
            return Err(Failure::argument("found a second time-stamp over the same imprint, expected one"));
        }
        self.material.timestamp(token);
        Ok(())
    }

    /// Does not want something at an address any more; at none, where no address is named.
    fn failed(&mut self, index: usize, url: Option<&str>, reason: &str) -> Result<(), Failure> {
        let want = self.want(index)?;
        let (kind, about, _) = want.evidence()?.clone();
        let known: Vec<String> =
            want.untried.iter().filter(|known| url.is_none_or(|url| url == *known)).cloned().collect();
        if let (Some(url), []) = (url, &known[..]) {
            return Err(Failure::argument(format!("url is {url:?}, expected one of the addresses of what is wanted")));
        }
        for url in known {
            let tried = Tried { url, reason: reason.to_owned() };
            self.material.attempt(Attempt { kind, about: about.clone(), tried });
        }
        Ok(())
    }

    /// Makes the request for a time-stamp that is wanted, and keeps it: the response is held to it.
    fn request(&mut self, index: usize, nonce: Vec<u8>, policy: Option<&str>) -> Result<Vec<u8>, Failure> {
        let (function, imprint) = self.want(index)?.imprint()?;
        let request = timestamp::request(function, imprint, nonce, policy.or(self.timestamp_policy.as_deref()))?;
        self.requests.insert(index, request.clone());
        Ok(request)
    }

    fn done(&self) -> Result<&Done, Failure> {
        let message = "the extension is not done, expected that lacre_extension_advance() said so";
        self.done.as_ref().ok_or_else(|| Failure::argument(message))
    }
}

/// The options. The header lists them at lacre_extension_set().
const OPTIONS: &[(&str, Setting<lacre_extension, str>)] = &[
    ("signature", |extension, id| {
        extension.target.only.get_or_insert_default().insert(Id::new(id));
        Ok(())
    }),
    ("freshness", |extension, word| {
        let known = Freshness::ALL.iter().map(|freshness| (freshness.as_str(), *freshness));
        one_of_words(word, known).map(|freshness| extension.target.freshness = freshness)
    }),
    ("digest", |extension, name| digest_function(name).map(|function| extension.target.digest = function)),
    ("renewal", |extension, word| truth(word).map(|renewal| extension.target.renewal = renewal)),
    ("vri", |extension, word| truth(word).map(|vri| extension.target.vri = vri)),
    ("overlook", |extension, word| {
        let known = Obstacle::ALL.iter().map(|obstacle| (obstacle.as_str(), *obstacle));
        one_of_words(word, known).map(|obstacle| {
            extension.target.overlooked.insert(obstacle);
        })
    }),
    ("timestamp-policy", |extension, oid| {
        extension.timestamp_policy = Some(oid.to_owned());
        Ok(())
    }),
    ("timestamp-nonce", |extension, word| truth(word).map(|nonce| extension.timestamp_nonce = nonce)),
];

/// Begins to extend the signatures of a document to a level. One that cannot be extended does not keep the others from
/// it.
///
/// Thread safety: any thread.
///
/// @param      validator      Judges before and after; a copy of it is kept.
/// @param      document       The document, with its detached contents and password. It has to live, and may not be
///                            changed, until the extension is freed.
/// @param      level          One of lacre_level.
/// @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_new(
    validator: *const lacre_validator,
    document: *const lacre_document,
    level: i32,
    extension_out: *mut *mut lacre_extension,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(extension_out, "extension_out")?;
            let known = [
                (LACRE_LEVEL_T as i32, Level::T),
                (LACRE_LEVEL_LT as i32, Level::Lt),
                (LACRE_LEVEL_LTA as i32, Level::Lta),
            ];
            let level = one_of(level, &known, "level")?;
            let validator = handle(validator, "validator")?;
            handle(document, "document")?;
            place.set(lacre_extension::new(Task::Extend, validator, document, level));
            Ok(())
        })
    }
}

/// Begins to time-stamp a document: in a PDF, signed or not, a document time-stamp; of any other file the token itself,
/// which stands beside the file (.tst).
///
/// Thread safety: any thread.
///
/// @param      validator      Judges before and after; a copy of it is kept.
/// @param      document       The document. It has to live, and may not be changed, until the extension is freed.
/// @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_new_timestamp(
    validator: *const lacre_validator,
    document: *const lacre_document,
    extension_out: *mut *mut lacre_extension,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(extension_out, "extension_out")?;
            let validator = handle(validator, "validator")?;
            handle(document, "document")?;
            place.set(lacre_extension::new(Task::Timestamp, validator, document, Level::Lta));
            Ok(())
        })
    }
}

/// Begins to renew a time-stamp that stands beside a file: a token, which becomes an evidence record (RFC 4998), or
/// such a record, which gets another time-stamp.
///
/// Thread safety: any thread.
///
/// @param      validator      Judges before and after; a copy of it is kept.
/// @param      document       The token or record, with the file that it is over among its contents. It has to live,
///                            and may not be changed, until the extension is freed.
/// @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
/// @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_new_renewal(
    validator: *const lacre_validator,
    document: *const lacre_document,
    extension_out: *mut *mut lacre_extension,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(extension_out, "extension_out")?;
            let validator = handle(validator, "validator")?;
            handle(document, "document")?;
            place.set(lacre_extension::new(Task::Renew, validator, document, Level::Lta));
            Ok(())
        })
    }
}

/// Sets an option by its name. What is marked with + may be set several times, and each time adds one; of others the
/// last counts.
///
/// - `signature` +: the id, as in a report, of a signature that is extended. Without it: all of them.
/// - `freshness`: how recent revocation data has to be: "strict", issued after the time-stamp; "accept-older", current
///   when it was made. Without it: "strict".
/// - `digest`: the function of time-stamps. Without it: SHA256.
/// - `renewal`: "false": signatures of level LTA stay as they are. Without it: "true".
/// - `vri`: "true": also the VRI dictionaries of a PDF, which no validation needs. Without it: "false".
/// - `overlook` +: what does not keep a signature from being extended: "broken-timestamp", "expired-certificate",
///   "untrusted-chain", "missing-revocation"
/// - `timestamp-policy`: the policy under which authorities are to stamp, an object identifier
/// - `timestamp-nonce`: "false": lacre_extension_run() asks without a nonce. Without it: "true".
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension  The extension, before its first step.
/// @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
/// @param      value      NUL-terminated UTF-8, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
///                        unknown name it lists those that are known.
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_set(
    extension: *mut lacre_extension,
    key: *const c_char,
    value: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let extension = handle_mut(extension, "extension")?;
            let (key, setting) = find(OPTIONS, text(key, "key")?)?;
            setting(extension, text(value, "value")?)
                .map_err(|wrong| Failure::argument(format!("the option {key} is {wrong}")))
        })
    }
}

/// Takes a step: judges the document with what was handed in so far. Either it is done, or something is wanted:
/// lacre_extension_want(). What was handed in and is wanted again was of no use, and its addresses are not asked again.
///
/// Thread safety: one thread at a time may use an extension.
///
/// @param      extension  The extension.
/// @param      time       This moment: milliseconds since 1970-01-01T00:00:00Z.
/// @param[out] done_out   Whether it is done.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_TIMESTAMP or
///         LACRE_ERROR_EXTENSION.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_advance(
    extension: *mut lacre_extension,
    time: i64,
    done_out: *mut bool,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks; the document is the caller's word at lacre_extension_new().
    unsafe {
        run(error_out, || {
            if done_out.is_null() {
                return Err(Failure::new(LACRE_ERROR_NULL_ARGUMENT, "done_out is NULL, expected something"));
            }
            done_out.write(false);
            let extension = handle_mut(extension, "extension")?;
            let document = handle(extension.document, "document")?.document();
            let done = extension.advance(&document, stated(time)?)?;
            done_out.write(done);
            Ok(())
        })
    }
}

/// Frees an extension, also one that is not done.
///
/// Thread safety: any thread, as long as no other uses the extension.
///
/// @param extension  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup extending
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_extension_free(extension: *mut lacre_extension) -> lacre_status {
    // SAFETY: `extension` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(extension) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lacre_extension_set() says which options there are.
    #[test]
    fn the_header_lists_every_option() {
        let source = include_str!("mod.rs");
        for (name, _) in OPTIONS {
            assert!(source.contains(&format!("/// - `{name}`")), "the documentation does not list {name}");
        }
    }

    /// lacre_extension_set() says which obstacles there are.
    #[test]
    fn the_header_lists_every_obstacle() {
        let source = include_str!("mod.rs");
        for obstacle in Obstacle::ALL {
            assert!(source.contains(&format!("\"{obstacle}\"")), "the documentation does not list {obstacle}");
        }
    }
}
