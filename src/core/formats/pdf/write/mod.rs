//! The writer of incremental updates: ISO 32000-1 §7.5.6.
//!
//! An update is appended to a file whose bytes stay as they are: objects that changed, new objects, cross-references. So
//! what was signed before stays signed. [`Update`] collects the changes of one update and writes them at the end, so that
//! an object that is changed twice is written once, and one that is the same in the end is not written at all.
//!
//! What a rewritten object keeps is written token by token as it stood in the file; only white space and comments differ.
//!
//! ```text
//! Revision ─► Update::begin ─► edit, set, push, add … ─► finish ─► Appended { bytes, gap }
//!              │ refuses what                                         │ Gap::fill
//!              └ readers read differently                             └ /Contents
//! ```

mod admission;
mod encryption;
mod error;
pub mod form;
mod gap;
mod kept;
pub mod page;
mod section;
mod serialize;
#[cfg(test)]
mod tests;
mod text;
mod update;
mod value;

pub use error::WriteError;
pub use gap::{Appended, Gap};
pub use text::{date, text_string};
pub use update::{Accepted, Update};
pub use value::{Entries, Value};
