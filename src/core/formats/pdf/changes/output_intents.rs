//! Output intents that a later revision has first: ISO 32000-2 §14.11.5.

use crate::formats::pdf::colour_profile::is_srgb;
use crate::formats::pdf::object::{Dictionary, Object};
use crate::formats::pdf::revision::Revision;

/// The entries of an output intent (table 401) that viewers know, and of its profile (tables 5 and 65).
const OF_INTENT: [&[u8]; 7] =
    [b"Type", b"S", b"OutputCondition", b"OutputConditionIdentifier", b"RegistryName", b"Info", b"DestOutputProfile"];
const OF_PROFILE: [&[u8]; 4] = [b"Length", b"Filter", b"N", b"Alternate"];

/// Returns whether these are one output intent, by which colours are what viewers take them for without it: sRGB. EU DSS adds it
/// with the picture of a signature.
pub(super) fn is_of_srgb<'a>(last: &Revision<'a, '_>, intents: &Object<'a>) -> bool {
    let Object::Array(intents) = intents else { return false };
    let [intent] = &intents[..] else { return false };
    let Object::Dictionary(intent) = last.resolve(intent) else { return false };
    let Object::Stream(profile) = last.lookup(&intent, b"DestOutputProfile") else { return false };
    let alternate = last.lookup(&profile.dictionary, b"Alternate");
    has_only(&intent, &OF_INTENT)
        // Other kinds are for print, and let viewers show how colours lie one on another.
        && last.lookup(&intent, b"S").name() == Some(b"GTS_PDFA1")
        && has_only(&profile.dictionary, &OF_PROFILE)
        && last.lookup(&profile.dictionary, b"N") == Object::Integer(3)
        && (alternate == Object::Null || alternate.name() == Some(b"DeviceRGB"))
        && last.decoded(&profile).is_ok_and(|profile| is_srgb(&profile))
}

/// Returns whether a dictionary has no other entries, and none twice.
fn has_only(dictionary: &Dictionary<'_>, keys: &[&[u8]]) -> bool {
    dictionary.iter().all(|(key, _)| keys.contains(&key)) && dictionary.replaced().is_empty()
}
