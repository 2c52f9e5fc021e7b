//! The signature fields of a PDF, as C reads them.

use crate::document::lacre_document;
use crate::error::lacre_status::LACRE_ERROR_SIGNING;
use crate::error::{Failure, lacre_error, lacre_status};
use crate::ffi::{Handle, free, handle, out_param, read, read_part, run, text};
use crate::text::{Text, lacre_str};
use lacre::Budget;
use lacre::signing::pades::{self, FieldInfo, Permission, Rectangle, SeedValues};
use std::ffi::c_char;
use std::ptr;

/// The signature fields of a PDF, signed and empty ones. Immutable; freed with lacre_fields_free().
///
/// @ingroup signing
pub struct lacre_fields(Vec<lacre_field>);

impl Handle for lacre_fields {
    const NAME: &'static str = "lacre_fields";
}

/// A signature field. It belongs to its fields, and is never freed.
///
/// @ingroup signing
pub struct lacre_field {
    name: Text,
    is_signed: bool,
    page: u32,
    rectangle: Option<Rectangle>,
    lock: Text,
    locked: Vec<Text>,
    permission: i32,
    asked: Vec<(&'static str, Vec<Text>)>,
}

impl lacre_field {
    fn of(field: &FieldInfo) -> Self {
        let lock = field.lock.as_ref();
        let action = lock.map(|lock| lock.action.as_str().to_ascii_lowercase());
        let permission = lock.and_then(|lock| lock.permissions).map_or(0, |permission| match permission {
            Permission::NoChange => 1,
            Permission::MinimalChanges => 2,
            Permission::Changes => 3,
            _ => 0,
        });
        Self {
            name: Text::new(field.name.as_str()),
            is_signed: field.is_signed,
            page: field.page.unwrap_or(0),
            rectangle: field.rectangle,
            lock: Text::maybe(action),
            locked: lock.iter().flat_map(|lock| &lock.fields).map(|name| Text::new(name.as_str())).collect(),
            permission,
            asked: asked(&field.seed_values),
        }
    }
}

/// Returns what a field asks of its signer, as texts: ISO 32000-1 table 234. lacre_field_asks() says what each is.
fn asked(values: &SeedValues) -> Vec<(&'static str, Vec<Text>)> {
    let one = |text: Option<String>| text.into_iter().collect::<Vec<_>>();
    let flag = |holds: bool| one(holds.then(|| "true".to_owned()));
    let all = [
        ("filter", one(values.filter.clone())),
        ("sub-filter", values.sub_filters.clone()),
        ("digest", values.digests.clone()),
        ("reason", values.reasons.clone().unwrap_or_default()),
        ("certify", one(values.certify.map(|level| level.to_string()))),
        ("timestamp-url", one(values.timestamp_url.clone())),
        ("timestamp-required", flag(values.timestamp_required)),
        ("lock-document", one(values.lock_document.map(|lock| lock.to_string()))),
        ("revocation-information", flag(values.revocation_information)),
        ("appearance", one(values.appearance.clone())),
        ("attestations", flag(values.attestations)),
    ];
    all.into_iter().map(|(key, texts)| (key, texts.into_iter().map(Text::new).collect())).collect()
}

/// Reads the signature fields of a PDF, to choose the one that is signed (option field of lacre_signing_set()).
///
/// Thread safety: any number of threads, also with the same document.
///
/// @param      document    The PDF, with its password if it takes one.
/// @param[out] fields_out  On LACRE_OK owned by the caller, freed with lacre_fields_free(). Otherwise NULL.
/// @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
/// @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_SIGNING.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_fields_of(
    document: *const lacre_document,
    fields_out: *mut *mut lacre_fields,
    error_out: *mut *mut lacre_error,
) -> lacre_status {
    // SAFETY: each pointer is as the header asks.
    unsafe {
        run(error_out, || {
            let place = out_param(fields_out, "fields_out")?;
            let document = handle(document, "document")?.document();
            let fields = pades::fields(&document, &Budget::default());
            let fields = fields.map_err(|error| Failure::of_signing(&error, LACRE_ERROR_SIGNING))?;
            place.set(lacre_fields(fields.iter().map(lacre_field::of).collect()));
            Ok(())
        })
    }
}

/// Returns how many fields there are.
///
/// Thread safety: any thread.
///
/// @param fields  May be NULL: 0 comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_fields_count(fields: *const lacre_fields) -> usize {
    // SAFETY: `fields` is NULL or a live handle, as the header asks.
    unsafe { read(fields, 0, |fields| fields.0.len()) }
}

/// Returns a field, in the order of the form.
///
/// Thread safety: any thread.
///
/// @param fields  May be NULL: NULL comes back.
/// @param index   From 0; past the last NULL comes back.
/// @return Borrowed from the fields.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_fields_at(fields: *const lacre_fields, index: usize) -> *const lacre_field {
    // SAFETY: `fields` is NULL or a live handle, as the header asks.
    unsafe { read(fields, ptr::null(), |fields| fields.0.get(index).map_or(ptr::null(), ptr::from_ref)) }
}

/// Frees fields.
///
/// Thread safety: any thread, as long as no other uses the fields.
///
/// @param fields  May be NULL: nothing happens.
/// @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_fields_free(fields: *mut lacre_fields) -> lacre_status {
    // SAFETY: `fields` is NULL or a live handle that the caller gives up, as the header asks.
    unsafe { free(fields) }
}

/// Returns its fully qualified name.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: an empty text.
/// @return Borrowed from the fields.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_name(field: *const lacre_field) -> lacre_str {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, lacre_str::EMPTY, |field| field.name.borrow()) }
}

/// Returns whether it has a signature.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: false comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_is_signed(field: *const lacre_field) -> bool {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, false, |field| field.is_signed) }
}

/// Returns the number of its page, from 1 on; 0 where it is on none.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: 0 comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_page(field: *const lacre_field) -> u32 {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, 0, |field| field.page) }
}

/// Gives where it is seen: left, bottom, right and top, in the coordinates of the page.
///
/// Thread safety: any thread.
///
/// @param      field          May be NULL: false comes back.
/// @param[out] rectangle_out  Four numbers; all 0 where it is not seen. May be NULL.
/// @return Whether it is seen.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_rectangle(field: *const lacre_field, rectangle_out: *mut f64) -> bool {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    let rectangle = unsafe { read_part(field, None, |field| field.rectangle) };
    if !rectangle_out.is_null() {
        let numbers = rectangle.map_or([0.0; 4], |r| [r.left, r.bottom, r.right, r.top]);
        // SAFETY: not NULL, hence a place for four numbers, as the header asks.
        unsafe { rectangle_out.cast::<[f64; 4]>().write_unaligned(numbers) };
    }
    rectangle.is_some()
}

/// Returns which fields nobody may change once it is signed: "all", "include" (those of lacre_field_locked()),
/// "exclude" (all but those); empty where it locks none.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: an empty text.
/// @return Borrowed from the fields.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_lock(field: *const lacre_field) -> lacre_str {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, lacre_str::EMPTY, |field| field.lock.borrow()) }
}

/// Returns how many fields its lock names.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: 0 comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_locked_count(field: *const lacre_field) -> usize {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, 0, |field| field.locked.len()) }
}

/// Returns the name of a field that its lock names.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: an empty text.
/// @param index  From 0; past the last an empty text comes back.
/// @return Borrowed from the fields.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_locked(field: *const lacre_field, index: usize) -> lacre_str {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe {
        read_part(field, lacre_str::EMPTY, |field| field.locked.get(index).map_or(lacre_str::EMPTY, Text::borrow))
    }
}

/// Returns what its lock still permits in the whole document: 1, nothing; 2, filling in and signing; 3, comments, too;
/// 0 where it does not say.
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: 0 comes back.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_permission(field: *const lacre_field) -> i32 {
    // SAFETY: `field` is NULL or borrowed from live fields, as the header asks.
    unsafe { read_part(field, 0, |field| field.permission) }
}

/// Returns what it asks of its signer (ISO 32000-1 table 234), one of several by its index. What it requires is checked
/// when it is signed.
///
/// - `reason`: a reason that can be chosen
/// - `digest`: a digest function that is allowed
/// - `filter`, `sub-filter`: the signature handler, and encodings that are allowed
/// - `certify`: what a certification is to permit, "1" to "3"; "0" for none
/// - `timestamp-url`: the address of a time-stamping authority; `timestamp-required`: "true"
/// - `lock-document`: "true" or "false"
/// - `revocation-information`, `attestations`: "true"
/// - `appearance`: the name of an appearance
///
/// Thread safety: any thread.
///
/// @param field  May be NULL: an empty text.
/// @param key    One of these, NUL-terminated. NULL or any other: an empty text.
/// @param index  From 0; past the last, and where it asks nothing of the kind, an empty text comes back.
/// @return Borrowed from the fields.
/// @ingroup signing
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_field_asks(field: *const lacre_field, key: *const c_char, index: usize) -> lacre_str {
    // SAFETY: `field` is NULL or borrowed from live fields, and `key` NULL or a text, as the header asks.
    unsafe {
        let Ok(key) = text(key, "key") else { return lacre_str::EMPTY };
        read_part(field, lacre_str::EMPTY, |field| {
            let texts = field.asked.iter().find(|(known, _)| *known == key).map(|(_, texts)| texts);
            texts.and_then(|texts| texts.get(index)).map_or(lacre_str::EMPTY, Text::borrow)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// lacre_field_asks() says what can be asked for.
    #[test]
    fn the_header_lists_everything() {
        let source = include_str!("fields.rs");
        let documented: String = source.lines().filter(|line| line.starts_with("///")).collect();
        for (key, _) in asked(&SeedValues::default()) {
            assert!(documented.contains(&format!("`{key}`")), "the documentation does not list {key}");
        }
    }
}
