//! The state of each file that was read as a trusted list, as C reads it.

use crate::ffi::read_part;
use crate::text::{Text, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use lacre::trust::{ListState, TrustedLists};

/// A file that was read as a list, and what came of it. It belongs to its lists, and is never freed.
///
/// @ingroup trusted_lists
pub struct lacre_list_state {
    name: Text,
    role: Text,
    territory: Text,
    url: Text,
    signer: Text,
    next_update: i64,
    trusted: bool,
    problems: Vec<Text>,
}

impl lacre_list_state {
    /// Returns the states of all lists.
    pub(crate) fn all(lists: &TrustedLists) -> Vec<Self> {
        lists.states().iter().map(Self::of).collect()
    }

    fn of(state: &ListState) -> Self {
        Self {
            name: Text::new(state.name.as_str()),
            role: Text::new(state.role.as_str()),
            territory: Text::maybe(state.territory.as_deref()),
            url: Text::maybe(state.url.as_deref()),
            signer: Text::maybe(state.signer.as_deref()),
            next_update: millis(state.next_update),
            trusted: state.trusted,
            problems: state.problems.iter().map(|p| Text::new(format!("{}: {}", p.key, p.message))).collect(),
        }
    }
}

/// Returns the name under which the file was handed in.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_name(state: *const lacre_list_state) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, lacre_str::EMPTY, |state| state.name.borrow()) }
}

/// Returns what it is for the others: "list-of-lists", "pivot", "trusted-list" or "unused".
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_role(state: *const lacre_list_state) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, lacre_str::EMPTY, |state| state.role.borrow()) }
}

/// Returns the country that it is of; empty where it does not say.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_territory(state: *const lacre_list_state) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, lacre_str::EMPTY, |state| state.territory.borrow()) }
}

/// Returns where it is published, as the list that points at it says; empty where none does.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_url(state: *const lacre_list_state) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, lacre_str::EMPTY, |state| state.url.borrow()) }
}

/// Returns who signed it, after RFC 2253; empty where its signature is not valid.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_signer(state: *const lacre_list_state) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, lacre_str::EMPTY, |state| state.signer.borrow()) }
}

/// Returns when the next issue is due at the latest, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME where it
/// does not say.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_next_update(state: *const lacre_list_state) -> i64 {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, LACRE_NO_TIME, |state| state.next_update) }
}

/// Returns whether it counts: it is signed by whom it should be, and is the newest of its kind.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: false comes back.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_is_trusted(state: *const lacre_list_state) -> bool {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, false, |state| state.trusted) }
}

/// Returns how many things are wrong with it.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: 0 comes back.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_problem_count(state: *const lacre_list_state) -> usize {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe { read_part(state, 0, |state| state.problems.len()) }
}

/// Returns something that is wrong with it: a stable key, a colon, and what was found and expected, in English.
///
/// Thread safety: any thread.
///
/// @param state  May be NULL: an empty text.
/// @param index  From 0; past the last an empty text.
/// @return Borrowed from the lists.
/// @ingroup trusted_lists
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_list_state_problem(state: *const lacre_list_state, index: usize) -> lacre_str {
    // SAFETY: `state` is NULL or borrowed from live lists, as the header asks.
    unsafe {
        read_part(state, lacre_str::EMPTY, |state| state.problems.get(index).map_or(lacre_str::EMPTY, Text::borrow))
    }
}
