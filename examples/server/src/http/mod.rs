//! What is the same for every request, whatever it asks for.

pub mod accept;
pub mod access;
pub mod body;
pub mod document_form;
pub mod download;
pub mod failure;
pub mod form;
pub mod key_id;
pub mod media;
mod multipart;
pub mod observe;
pub mod parameters;
pub mod problem;
pub mod submission;
pub mod upload;
