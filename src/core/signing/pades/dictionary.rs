//! The signature dictionary: ISO 32000-1 table 252, EN 319 142-1 §6.3.

use super::certification::{Terms, references};
use super::options::Options;
use crate::formats::pdf::Reference;
use crate::formats::pdf::write::{Entries, Value, date, text_string};
use crate::signing::{Place, SignatureParameters};

/// Returns its entries but for `/Contents` and `/ByteRange`.
pub(super) fn entries(
    parameters: &SignatureParameters,
    options: &Options,
    terms: &Terms,
    catalog: Reference,
) -> Entries {
    let mut entries = Entries::new()
        .with("Type", Value::name("Sig"))
        .with("Filter", Value::name("Adobe.PPKLite"))
        .with("SubFilter", Value::name("ETSI.CAdES.detached"))
        .with("M", date(parameters.signing_time, options.utc_offset));
    let place = parameters.place.as_ref().map(in_words);
    for (key, text) in [
        (&b"Name"[..], &options.signer_name),
        (b"Location", &place),
        (b"Reason", &options.reason),
        (b"ContactInfo", &options.contact_info),
    ] {
        text.iter().for_each(|text| entries.set(key, text_string(text)));
    }
    let references = references(terms, catalog);
    if !references.is_empty() {
        entries.set(b"Reference", references);
    }
    if let Some(application) = &options.application {
        let name = Value::Name(application.as_bytes().to_vec().into());
        entries.set(b"Prop_Build", Entries::new().with("App", Entries::new().with("Name", name)));
    }
    entries
}

/// Returns a place in one line, the smallest part first.
pub(super) fn in_words(place: &Place) -> String {
    let parts = place.postal_address.iter().chain(&place.locality).chain(&place.country);
    parts.map(String::as_str).collect::<Vec<_>>().join(", ")
}
