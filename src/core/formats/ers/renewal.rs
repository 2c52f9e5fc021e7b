//! An evidence record over one file, renewed: RFC 4998 §5.

use super::asn1::{Error, parse};
use crate::algorithm::DigestAlgorithm;
use crate::asn1::{Reader, Tag, Tlv, tlv};
use crate::crypto::{digest, digest_algorithm_identifier};
use crate::formats::cms::digest_algorithm;
use crate::formats::tsp::Token;

/// An evidence record that is renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Renewal {
    /// The fields after `digestAlgorithms` and before the sequence, as they were sent.
    between: Vec<u8>,
    /// The `AlgorithmIdentifier`s of digest functions.
    algorithms: Vec<Vec<u8>>,
    /// The `ArchiveTimeStampChain`s but the last, as they were sent.
    chains: Vec<Vec<u8>>,
    /// The `ArchiveTimeStamp`s of the last chain but its last one, as they were sent.
    timestamps: Vec<Vec<u8>>,
    /// What stands before the token in the last one.
    before: Vec<u8>,
    /// The last token.
    token: Vec<u8>,
    /// The digest function of the last chain.
    function: DigestAlgorithm,
}

/// A renewal that lacks only its token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The message imprint of the token.
    pub imprint: Vec<u8>,
    /// Whether there is a new chain: another digest function (RFC 4998 §5.3).
    new_chain: bool,
    function: DigestAlgorithm,
}

impl Renewal {
    /// Makes a record of a time-stamp over a file; `None` where its imprint is of an unknown digest function.
    pub(crate) fn of_token(token: &Token<'_>) -> Option<Self> {
        let function = token.info.imprint.algorithm?;
        Some(Self {
            between: vec![],
            algorithms: vec![digest_algorithm_identifier(function)],
            chains: vec![],
            timestamps: vec![],
            before: vec![],
            token: token.bytes.to_vec(),
            function,
        })
    }

    /// Reads a record in ASN.1; `None` where the digest function of its last chain is not known.
    ///
    /// # Errors
    ///
    /// [`Error`] where it cannot be read.
    pub(crate) fn of_record(bytes: &[u8]) -> Result<Option<Self>, Error> {
        let record = parse(bytes)?;
        let last = record.chains.last().and_then(|chain| chain.timestamps.last()).ok_or(Error::Empty)?;
        let Some(function) = last.digest else { return Ok(None) };
        let part = |part| move |source| Error::Asn1 { part, source };
        let (outer, _) = Tlv::split(bytes).map_err(part("EvidenceRecord"))?;
        let fields: Vec<Tlv<'_>> = outer.children().collect();
        let [_, algorithms, between @ .., sequence] = &fields[..] else { return Err(Error::Empty) };
        let raw = |elements: Reader<'_>| elements.map(|element| element.raw.to_vec()).collect::<Vec<_>>();
        let mut chains = raw(sequence.children());
        let chain = chains.pop().ok_or(Error::Empty)?;
        let mut timestamps = raw(Tlv::whole(&chain).map_err(part("ArchiveTimeStampChain"))?.children());
        let newest = timestamps.pop().ok_or(Error::Empty)?;
        let newest = Tlv::whole(&newest).map_err(part("ArchiveTimeStamp"))?;
        let before = newest.children().take_while(|field| !field.is(Tag::SEQUENCE)).map(|field| field.raw);
        Ok(Some(Self {
            between: between.iter().map(|field| field.raw).collect::<Vec<_>>().concat(),
            algorithms: raw(algorithms.children()),
            chains,
            timestamps,
            before: before.collect::<Vec<_>>().concat(),
            token: last.token.bytes.to_vec(),
            function,
        }))
    }

    /// Returns the last token.
    pub(crate) fn token(&self) -> &[u8] {
        &self.token
    }

    /// Puts another form of the last token in its place, with more validation data.
    pub(crate) fn fill(&mut self, token: Vec<u8>) {
        self.token = token;
    }

    /// Prepares a renewal: under the digest function of the last chain over the last time-stamp (§5.2), under another over
    /// the file and everything before (§5.3). `None` where that is not computed, or the content is not at hand.
    pub(crate) fn prepare(
        &self,
        function: DigestAlgorithm,
        content: impl FnOnce(DigestAlgorithm) -> Option<Vec<u8>>,
    ) -> Option<Wanted> {
        if function == self.function {
            return Some(Wanted { imprint: digest(function, &self.token)?, new_chain: false, function });
        }
        let sequence = tlv(Tag::SEQUENCE, &[self.chains.concat(), self.last_chain(&[])].concat());
        let both = [content(function)?, digest(function, &sequence)?].concat();
        Some(Wanted { imprint: digest(function, &both)?, new_chain: true, function })
    }

    /// Returns the renewed record, DER around what was sent.
    pub(crate) fn finish(&self, wanted: &Wanted, token: &[u8]) -> Vec<u8> {
        let new = tlv(Tag::SEQUENCE, token);
        let chains = match wanted.new_chain {
            true => [self.last_chain(&[]), tlv(Tag::SEQUENCE, &new)].concat(),
            false => self.last_chain(&new),
        };
        let mut algorithms = self.algorithms.clone();
        let known = algorithms.iter().filter_map(|identifier| Tlv::whole(identifier).ok());
        if !known.filter_map(|identifier| digest_algorithm(&identifier)).any(|known| known == wanted.function) {
            algorithms.push(digest_algorithm_identifier(wanted.function));
        }
        let fields = [
            tlv(Tag::INTEGER, &[1]),
            tlv(Tag::SEQUENCE, &algorithms.concat()),
            self.between.clone(),
            tlv(Tag::SEQUENCE, &[self.chains.concat(), chains].concat()),
        ];
        tlv(Tag::SEQUENCE, &fields.concat())
    }

    /// Returns the last chain, with another time-stamp.
    fn last_chain(&self, more: &[u8]) -> Vec<u8> {
        let last = tlv(Tag::SEQUENCE, &[&self.before[..], &self.token].concat());
        tlv(Tag::SEQUENCE, &[&self.timestamps.concat()[..], &last, more].concat())
    }
}
