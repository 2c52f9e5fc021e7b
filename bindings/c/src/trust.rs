//! Trusted lists: their files, and the certificates that may sign the first of them.

use crate::document::path_of;
use crate::error::lacre_status::*;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{self, Handle, bytes, free, handle, handle_mut, out_param, read, run, text};
use crate::report::at;
use crate::signing::certificate_of;
use crate::text::lacre_buffer;
use crate::time::moment;
use crate::validator::lacre_validator;
use crate::view::lacre_list_state;
use lacre::{
    Time,
    issuance::Certificate,
    trust::{LotlSigningCertificates, Source, TrustedLists},
};
use lacre_core::trust::{self};
use lacre_map::FileBytes;
use std::ffi::c_char;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

/// The list of lists, the trusted lists that it points at (TS 119 612), and who may sign the former.
///
/// Made by lacre_trusted_lists_new(), changed by the functions that begin with lacre_trusted_lists_add, freed with
/// lacre_trusted_lists_free(). Reading the lists of all countries takes seconds: make it once, for all validators. Not
/// changed any more, it may be used by any number of threads.
///
/// @ingroup trusted_lists
pub struct lacre_trusted_lists {
    /// `None`: they are a snapshot, and assembled from the start.
    files: Option<Files>,
    /// What came of them; made when it is first asked for.
    assembled: OnceLock<TrustedLists>,
    /// What C asks for one by one; made when it is first asked for.
    states: OnceLock<Vec<lacre_list_state>>,
}

/// What was added, and who may sign the first of them.
#[derive(Default)]
struct Files {
    sources: Vec<Source>,
    signers: Vec<Certificate>,
}

impl Handle for lacre_trusted_lists {
    const NAME: &'static str = "lacre_trusted_lists";
}

impl lacre_trusted_lists {
    fn assembled(&self) -> &TrustedLists {
        self.assembled.get_or_init(|| {
            let (sources, signers) = self.files.as_ref().map_or((&[][..], &[][..]), |f| (&f.sources, &f.signers));
            let announcement = match signers {
                [] => LotlSigningCertificates::official_journal(),
                signers => LotlSigningCertificates::of(signers),
            };
            TrustedLists::assemble(sources.to_vec(), &announcement)
        })
    }

    /// Returns the files, to add to them; what came of them before is forgotten.
    fn files(&mut self) -> Result<&mut Files, Failure> {
        let snapshot = "the lists are a snapshot, expected lists of lacre_trusted_lists_new()";
        let files = self.files.as_mut().ok_or_else(|| Failure::argument(snapshot))?;
        (self.assembled, self.states) = (OnceLock::new(), OnceLock::new());
        Ok(files)
    }

    fn states(&self) -> &[lacre_list_state] {
        self.states.get_or_init(|| lacre_list_state::all(self.assembled()))
    }
}

/// Returns the files right inside a folder, by name; hidden ones are left aside.
fn folder(path: &Path) -> Result<Vec<Source>, Failure> {
    let wrong =
        |path: &Path, error: std::io::Error| Failure::of(LACRE_ERROR_FILE, &error).about(&path.display().to_string());
    let entries = std::fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut files: Vec<_> =
        entries.map_err(|error| wrong(path, error))?.into_iter().map(|entry| entry.path()).collect();
    files.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.retain(|path| path.is_file() && !name(path).starts_with('.'));
    let source = |path: std::path::PathBuf| {
        let bytes = FileBytes::open(&path).map_err(|error| wrong(&path, error))?;
        Ok(trust::read(&name(&path), &bytes, written(&path)))
    };
    files.into_iter().map(source).collect()
}

/// Returns when a file was last written, in whole seconds.
fn written(path: &Path) -> Option<Time> {
    let time = std::fs::metadata(path).and_then(|file| file.modified()).ok()?;
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(Time::from_seconds(i64::try_from(seconds).ok()?))
}

/// Makes trusted lists, without any list yet. Without lacre_trusted_lists_add_signer() the list of lists has to be
/// signed by whom the Official Journal announces (C/2026/1944).
///
/// Thread safety: any thread.
///
/// @param[out] lists_out  On LACRE_OK owned by the caller, freed with lacre_trusted_lists_free(). Otherwise NULL.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_new(
    lists_out: *mut *mut lacre_trusted_lists,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(lists_out, "lists_out")?;
            let files = Some(Files::default());
            place.set(lacre_trusted_lists { files, assembled: OnceLock::new(), states: OnceLock::new() });
            Ok(())
        })
    }
}

/// Reads, in milliseconds, the lists of a snapshot that lacre_trusted_lists_to_snapshot() or `lacre lists pack` wrote.
/// Whoever makes the snapshot says who is trusted, so take it from nobody but yourself. Nothing can be added.
///
/// Thread safety: any thread.
///
/// @param      snapshot      Its bytes, borrowed for the call.
/// @param      snapshot_len  How many there are.
/// @param[out] lists_out     On LACRE_OK owned by the caller, freed with lacre_trusted_lists_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TRUSTED_LISTS.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_from_snapshot(
    snapshot: *const u8,
    snapshot_len: usize,
    lists_out: *mut *mut lacre_trusted_lists,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(lists_out, "lists_out")?;
            let lists = TrustedLists::from_snapshot(bytes(snapshot, snapshot_len, "snapshot")?);
            let assembled = lists.map_err(|error| Failure::of(LACRE_ERROR_TRUSTED_LISTS, &error))?.into();
            place.set(lacre_trusted_lists { files: None, assembled, states: OnceLock::new() });
            Ok(())
        })
    }
}

/// Adds every file right inside a folder, loaded when it was last written. A file that is no list, or one that nobody
/// vouches for, makes nobody trusted, and is no failure: see lacre_trusted_lists_trusted_count().
///
/// Thread safety: one thread at a time may change lists, and none may use them meanwhile.
///
/// @param      lists      The lists.
/// @param      path       NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_add_folder(
    lists: *mut lacre_trusted_lists,
    path: *const c_char,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let lists = handle_mut(lists, "lists")?;
            let files = lists.files()?;
            files.sources.extend(folder(&path_of(ffi::c_string(path, "path")?)?)?);
            Ok(())
        })
    }
}

/// Adds a list in memory, as lacre_trusted_lists_add_folder() adds a file.
///
/// Thread safety: one thread at a time may change lists, and none may use them meanwhile.
///
/// @param      lists      The lists.
/// @param      name       Its file name, by which it is found: NUL-terminated UTF-8, borrowed for the call.
/// @param      list       Its bytes, borrowed for the call.
/// @param      list_len   How many bytes it has.
/// @param      loaded     When it was fetched: milliseconds since 1970-01-01T00:00:00Z, or LACRE_NO_TIME.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_add(
    lists: *mut lacre_trusted_lists,
    name: *const c_char,
    list: *const u8,
    list_len: usize,
    loaded: i64,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let lists = handle_mut(lists, "lists")?;
            let (name, loaded) = (text(name, "name")?, moment(loaded)?);
            let list = trust::read(name, bytes(list, list_len, "list")?, loaded);
            lists.files()?.sources.push(list);
            Ok(())
        })
    }
}

/// Adds a certificate that may sign the list of lists, in place of those of the Official Journal.
///
/// Thread safety: one thread at a time may change lists, and none may use them meanwhile.
///
/// @param      lists            The lists.
/// @param      certificate      DER or PEM, borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_add_signer(
    lists: *mut lacre_trusted_lists,
    certificate: *const u8,
    certificate_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let lists = handle_mut(lists, "lists")?;
            let certificate = certificate_of(bytes(certificate, certificate_len, "certificate")?)?;
            lists.files()?.signers.push(certificate);
            Ok(())
        })
    }
}

/// Fails unless the lists come from a snapshot that was signed with this certificate (`lacre lists pack --key`). Reading a
/// snapshot says only that whoever signed it did so: this says who may.
///
/// Thread safety: any number of threads, also with the same lists.
///
/// @param      lists            The lists.
/// @param      certificate      DER or PEM, borrowed for the call.
/// @param      certificate_len  How many bytes it has.
/// @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE or, where somebody else
///         signed it or nobody, LACRE_ERROR_TRUSTED_LISTS.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_check_packer(
    lists: *const lacre_trusted_lists,
    certificate: *const u8,
    certificate_len: usize,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let lists = handle(lists, "lists")?;
            let certificate = certificate_of(bytes(certificate, certificate_len, "certificate")?)?;
            let checked = lists.assembled().require_snapshot_signer(&[certificate]);
            checked.map_err(|error| Failure::of(LACRE_ERROR_TRUSTED_LISTS, &error))
        })
    }
}

/// Returns how many of the lists make somebody trusted: those that a chain of signatures leads to. 0 means that the
/// list of lists is not there or not signed by whom it should be.
///
/// Thread safety: any number of threads, also with the same lists.
///
/// @param lists  May be NULL: 0 comes back.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_trusted_count(lists: *const lacre_trusted_lists) -> usize {
    // SAFETY: `lists` is NULL or a live handle, as the header asks.
    unsafe { read(lists, 0, |lists| lists.assembled().trusted()) }
}

/// Returns how many files were read as lists.
///
/// Thread safety: any number of threads, also with the same lists.
///
/// @param lists  May be NULL: 0 comes back.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_count(lists: *const lacre_trusted_lists) -> usize {
    // SAFETY: `lists` is NULL or a live handle, as the header asks.
    unsafe { read(lists, 0, |lists| lists.states().len()) }
}

/// Returns what came of a file: lists of lists first, then by country.
///
/// Thread safety: any number of threads, also with the same lists.
///
/// @param lists  May be NULL: NULL comes back.
/// @param index  From 0; past the last NULL comes back.
/// @return Borrowed from the lists, until something is added to them.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_state(
    lists: *const lacre_trusted_lists,
    index: usize,
) -> *const lacre_list_state {
    // SAFETY: `lists` is NULL or a live handle, as the header asks.
    unsafe { read(lists, ptr::null(), |lists| at(lists.states(), index)) }
}

/// Writes what is trusted of the lists into one file, for lacre_trusted_lists_from_snapshot().
///
/// Thread safety: any number of threads, also with the same lists.
///
/// @param      lists         The lists.
/// @param[out] snapshot_out  Its bytes, the same for the same lists. On LACRE_OK owned by the caller, freed with
///                           lacre_buffer_free(). Otherwise NULL.
/// @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_to_snapshot(
    lists: *const lacre_trusted_lists,
    snapshot_out: *mut *mut lacre_buffer,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(snapshot_out, "snapshot_out")?;
            place.set(lacre_buffer::bytes(handle(lists, "lists")?.assembled().to_snapshot()));
            Ok(())
        })
    }
}

/// Trusts whom the lists name, beside the trust anchors, and judges qualification by them. In place of lists set before.
///
/// Thread safety: one thread at a time may change a validator, and none may use it meanwhile; the lists may be used.
///
/// @param      validator  The validator.
/// @param      lists      The lists, borrowed for the call.
/// @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_validator_set_trusted_lists(
    validator: *mut lacre_validator,
    lists: *const lacre_trusted_lists,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let (validator, lists) = (&mut handle_mut(validator, "validator")?.0, handle(lists, "lists")?);
            *validator = validator.clone().trusted_lists(lists.assembled());
            Ok(())
        })
    }
}

/// Frees lists. Validators that were given them keep what they need.
///
/// Thread safety: any thread, as long as no other uses the lists.
///
/// @param lists  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_trusted_lists_free(lists: *mut lacre_trusted_lists) -> lacre_status {
    // SAFETY: `lists` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(lists) }
}
