//! Signatures of PDF documents that lacre makes, read by lacre: every way to write a document, every kind of field, what
//! forbids to sign.

mod appearances;
mod desk;
mod dictionary;
mod documents;
mod empty_fields;
mod fields;
