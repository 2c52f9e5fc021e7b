//! The DSS dictionary of a PDF, with more in it: EN 319 142-1 §5.4.2, ISO 32000-2 §12.8.4.3.

use super::needs::Needs;
use crate::algorithm::DigestAlgorithm;
use crate::crypto::digest;
use crate::formats::pdf::write::{Entries, Update, Value, WriteError};
use crate::formats::pdf::{Object, Reference, Revision};
use crate::hex;
use crate::signing::SigningError;
use std::collections::HashMap;

/// The arrays of the dictionary, and those of a VRI dictionary.
const LISTS: [(&[u8], &[u8]); 3] = [(b"Certs", b"Cert"), (b"CRLs", b"CRL"), (b"OCSPs", b"OCSP")];

/// Bounds the elements that are looked at in each array.
const ELEMENTS: usize = 10_000;

/// The store of the latest revision.
pub(super) struct Store {
    /// The streams of each array, by their bytes.
    known: [HashMap<Vec<u8>, Reference>; 3],
}

impl Store {
    /// Reads the store of a revision, or begins one.
    pub(super) fn open(update: &mut Update<'_, '_, '_>, revision: &Revision<'_, '_>) -> Result<Self, SigningError> {
        let catalog = update.catalog();
        let mut known: [HashMap<_, _>; 3] = Default::default();
        if update.find(catalog, &[b"DSS"])?.is_none() {
            let store = update.add(Entries::new().with("Type", Value::name("DSS")));
            update.set(catalog, &[], b"DSS", store)?;
            return Ok(Self { known });
        }
        let store = revision.catalog().and_then(|catalog| revision.dictionary(&catalog, b"DSS"));
        for ((key, _), known) in LISTS.iter().zip(&mut known) {
            let listed = store.as_ref().and_then(|store| revision.array(store, key));
            for item in listed.iter().flat_map(|items| items.iter()).take(ELEMENTS) {
                let Some(reference) = item.reference() else { continue };
                if let Object::Stream(stream) = revision.resolve(item)
                    && let Ok(bytes) = revision.decoded(&stream)
                {
                    known.entry(bytes).or_insert(reference);
                }
            }
        }
        Ok(Self { known })
    }

    /// Adds what a signature needs, each piece once in the file; with the bytes of its `/Contents`, also in a VRI dictionary
    /// where it has none. One that is there says what the signature was validated with then, and stays as it is.
    pub(super) fn add(
        &mut self,
        update: &mut Update<'_, '_, '_>,
        contents: Option<&[u8]>,
        needs: &Needs,
    ) -> Result<(), SigningError> {
        let catalog = update.catalog();
        let mut related = vec![];
        for ((list, of_signature), pieces) in LISTS.into_iter().zip([&needs.certificates, &needs.crls, &needs.ocsps]) {
            for piece in pieces {
                let reference = self.stream(update, list, piece)?;
                related.push((of_signature, reference));
            }
        }
        let Some(contents) = contents.filter(|_| !related.is_empty()) else { return Ok(()) };
        // EN 319 142-1 §5.4.2.3: the upper-case SHA-1 of the signature.
        let key = hex::upper(&digest(DigestAlgorithm::Sha1, contents).unwrap_or_default());
        if update.find(catalog, &[b"DSS", b"VRI"])?.is_none() {
            update.set(catalog, &[b"DSS"], b"VRI", Entries::new())?;
        }
        let path: [&[u8]; 3] = [b"DSS", b"VRI", key.as_bytes()];
        if update.find(catalog, &path)?.is_some() {
            return Ok(());
        }
        update.set(catalog, &path[..2], key.as_bytes(), Entries::new().with("Type", Value::name("VRI")))?;
        for (list, reference) in related {
            update.push(catalog, &path, list, reference)?;
        }
        Ok(())
    }

    /// Returns the stream with these bytes, which is in the list from then on.
    fn stream(
        &mut self,
        update: &mut Update<'_, '_, '_>,
        list: &'static [u8],
        bytes: &[u8],
    ) -> Result<Reference, WriteError> {
        let place = LISTS.iter().position(|(name, _)| *name == list).unwrap_or_default();
        if let Some(known) = self.known[place].get(bytes) {
            return Ok(*known);
        }
        let reference = update.add_stream(Entries::new(), bytes.to_vec());
        own_array(update, list)?;
        update.push(update.catalog(), &[b"DSS"], list, reference)?;
        self.known[place].insert(bytes.to_vec(), reference);
        Ok(reference)
    }

    /// Writes the store as it is once more: what it holds was there before a signature that needs it.
    pub(super) fn again(&self, update: &mut Update<'_, '_, '_>) -> Result<(), SigningError> {
        let catalog = update.catalog();
        if let Some((_, store)) = update.find(catalog, &[b"DSS"])? {
            let store = store.clone();
            let copy = update.add(store);
            update.set(catalog, &[], b"DSS", copy)?;
        }
        Ok(())
    }
}

/// Makes an array that is an object by itself an entry of the DSS dictionary, and leaves that object as it is: pyHanko takes
/// an array that changes in its place for an undefined change.
fn own_array(update: &mut Update<'_, '_, '_>, list: &[u8]) -> Result<(), WriteError> {
    let catalog = update.catalog();
    let store = update.find(catalog, &[b"DSS"])?.map(|(holder, _)| holder);
    match update.find(catalog, &[b"DSS", list])? {
        Some((holder, array)) if Some(holder) != store => {
            let array = array.clone();
            update.set(catalog, &[b"DSS"], list, array)
        }
        _ => Ok(()),
    }
}
