//! Documents that hold many of one thing.

mod cms;
mod containers;
mod json;
mod pdf;
mod records;
mod xml;

pub use cms::*;
pub use containers::*;
pub use json::*;
pub use pdf::*;
pub use records::*;
pub use xml::*;

use lacre_testkit::lab::Lab;

/// Makes a document that holds so many of one thing.
pub type Make = fn(&Lab, usize) -> Vec<u8>;

/// Each thing that a document can hold many of, but for those of which each is over all others.
pub const DOCUMENTS: &[(&str, Make)] = &[
    ("signers", signers),
    ("certificates of one name", certificates),
    ("certificates of one key", certificates_of_one_key),
    ("revocation lists", revocation_lists),
    ("OCSP responses", ocsp_responses),
    ("entries of a revocation list", revoked),
    ("places of lists", places),
    ("policies", policies),
    ("signature time-stamps", timestamps),
    ("archive time-stamps", archive_timestamps),
    ("counter-signatures", counter_signatures),
    ("unsigned attributes", attributes),
    ("references to certificates", certificate_references),
    ("references in the signing-certificate attribute", signing_certificate_references),
    ("parts of a name", name_parts),
    ("extensions", extensions),
    ("XML references", references),
    ("XML signatures", xml_signatures),
    ("XML counter-signatures", xml_counter_signatures),
    ("XML namespaces", xml_namespaces),
    ("XML attributes", xml_attributes),
    ("XML elements that are left out", xml_left_out),
    ("XML siblings that are not asked for", xml_siblings),
    ("XML attributes that are inherited", xml_inherited),
    ("XML namespaces in scope", xml_scope),
    ("XML ids of a text", xml_ids),
    ("XML references to one id", xml_references_to_one_id),
    ("XML references to one manifest", xml_references_to_one_manifest),
    ("XML objects before what is referred to", xml_objects),
    ("XML values within values", xml_values),
    ("XML namespaces of nodes that are asked for", xml_namespaces_asked_for),
    ("XML types that elements state", xml_types),
    ("XML signatures, and instructions around them", xml_instructions),
    ("JWS signatures", jws_signatures),
    ("JWS time-stamps over the payload", jws_content_timestamps),
    ("members of two JWS headers", jws_members),
    ("fields of one name in a JWS", jws_fields),
    ("JWS components that are none", jws_components),
    ("files of ASiC-E", asic_files),
    ("signatures of ASiC-E", asic_signatures),
    ("manifests of ASiC-E", asic_manifests),
    ("references of ASiC-E to files of other names", asic_renamed),
    ("names of ASiC-E that are one path", asic_names),
    ("PDF fields beside the form, with long byte ranges", pdf_fields),
    ("hashes of a record", hashes),
    ("evidence records of a signature", embedded_records),
    ("signers with an evidence record", signers_with_records),
];
