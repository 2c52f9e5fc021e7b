//! Bounds on the work that an input can cause.
//!
//! Every loop, recursion or allocation that an attacker can grow spends from a
//! [`Budget`]. Beside each number stands where it comes from.

/// Pairs of a token and what it holds or covers, in one document: a time-stamp covers whatever was there before it, and the
/// certificates beside a signature are those of all signers. Real files: below 300,000.
pub(crate) const RELATIONS: usize = 1_000_000;

/// The paths of all tokens of one document, each counted by the square of its certificates: what is found of one of them may be
/// repeated with each. Real files: below 20,000; 5,000 time-stamps with paths of five: 125,000.
pub(crate) const PATHS: usize = 200_000;

/// Bounds the work and memory of one validation. A bound that is reached is an error or a finding, never a hang.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Budget {
    /// Levels of nesting in ASN.1, PDF, XML and JSON. Real files: below 40; 128 keeps recursion
    /// within a thread's smallest usual stack (1 MiB in browsers).
    pub nesting: usize,
    /// Issuers tried while building the chains of one token. Real hierarchies: below 10, with
    /// cross-certificates below 50.
    pub chain_steps: usize,
    /// Certificates read from one document and its evidence. Real files: below 500.
    pub certificates: usize,
    /// Cost of verifying signature values: those of signatures, time-stamps, certificates and revocation data. The unit
    /// is one verification with P-256, some 50 µs; RSA with 4,096 bits costs 2, with 8,192 bits 21, and 32 KiB of a
    /// message 1, or as much more as its digest function is slower. Real files: below 2,000; 16,000 take some 0.8 s.
    pub verification_cost: u64,
    /// Pairs of a certificate and revocation data that may be about it. Real files: below 200.
    pub revocation_lookups: usize,
    /// Comparisons of names with name constraints in all paths of one document, and what it costs to read constraints and
    /// policies for each. Real paths: below 1,000.
    pub name_comparisons: usize,
    /// Objects read from one PDF. ISO 32000-1 annex C.2: 8,388,607 in one file.
    pub pdf_objects: usize,
    /// The bytes that a PDF must have for each object that its cross-references name, once they name 100,000: a
    /// compressed cross-reference stream can claim a thousand times its length. Real files: above 10.
    pub pdf_bytes_per_object: usize,
    /// Upper bound on the inflated size of a PDF's cross-reference streams, object streams and validation data, as a
    /// multiple of the file's size, once it exceeds [`pdf_inflated_least`](Self::pdf_inflated_least). In all public
    /// corpora it is below the file's size; text such as theirs inflates to 20 times its size at most.
    pub pdf_inflated_ratio: u64,
    /// Inflated size of these streams that every PDF may have, in bytes: inflated within milliseconds, and within the
    /// memory of a thread in a browser.
    pub pdf_inflated_least: u64,
    /// Upper bound on the inflated size of these streams, whatever the file's size: 32 bytes for each of the 8,388,607
    /// objects that ISO 32000 allows.
    pub pdf_inflated_most: u64,
    /// Pages drawn to compare the revisions of one PDF. A page that is the same in both is not drawn.
    pub pdf_pictures: usize,
    /// Pixels of one such picture. A0 at one pixel for a point: 8.0 million.
    pub pdf_picture_pixels: u64,
    /// Pixels of an image on a page that is drawn. A4 at 600 to the inch: 35 million.
    pub pdf_image_pixels: u64,
    /// Cost of drawing one page, counted in pixels of plain colour; an A4 page filled a thousand times takes about a
    /// second.
    pub pdf_picture_work: u64,
    /// Entries in one container. Real ones: below 1,000, which is where EU DSS stops.
    pub zip_entries: usize,
    /// Size of a container's entry as a multiple of its compressed size, once it is larger than 1 MiB; and size of all
    /// entries as a multiple of the container's. Real documents: below 50; EU DSS stops at 100.
    pub zip_ratio: u64,
    /// Values read from one JSON text. Real files: below 1,000.
    pub json_values: usize,
    /// Characters of one JSON number. A 64-bit float needs 24, a time in nanoseconds 19.
    pub json_number: usize,
    /// Nodes that the XPath expressions of one XML document may visit, in it and in the files that it refers to: 200,000
    /// nodes a hundred times.
    pub xpath_visits: u64,
    /// Bytes of the canonical forms of one XML document, and of what its references transform otherwise, beyond 32 times
    /// its size: 2,000 references to 100 kB. Each node counts as 48 bytes more, and each byte as several under a slow digest
    /// function.
    pub canonical_bytes: u64,
    /// Bytes that are digested in one document that is no XML, beyond 32 times those of it and its contents, where something asks
    /// for more than one digest of each: time-stamps and records over all before them, ranges of a PDF, contents that are
    /// inflated anew. Each counts as several under a slow digest function. 512 MiB take some 0.8 s.
    pub digested_bytes: u64,
    /// Bytes of the payloads of all signatures and counter-signatures of one JWS, beyond 16 times those of the document
    /// and its contents: 80 signatures over 1.5 MB.
    pub payload_bytes: u64,
    /// Entries read from one CRL. The largest in public use hold some 1.5 million.
    pub crl_entries: usize,
    /// Signatures and time-stamps judged in one document, and CRLs and OCSP responses known. The largest known test
    /// file has 200.
    pub tokens: usize,
    /// Pairs of certificate and revocation data judged in one document, those of responders' own certificates
    /// included. Real files: below 200; time-stamps by the thousand repeat the same pairs, which are judged once.
    pub revocation_checks: usize,
}

impl Budget {
    /// Returns the bound on objects of a PDF of so many bytes.
    pub(crate) fn objects_of_pdf(&self, bytes: usize) -> usize {
        (bytes / self.pdf_bytes_per_object.max(1)).max(100_000).min(self.pdf_objects)
    }

    /// Returns the bound on the inflated size of the streams of a PDF of so many bytes.
    pub(crate) fn inflated_of_pdf(&self, bytes: usize) -> u64 {
        let ratio = (bytes as u64).saturating_mul(self.pdf_inflated_ratio);
        ratio.max(self.pdf_inflated_least).min(self.pdf_inflated_most)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            nesting: 128,
            chain_steps: 100,
            certificates: 10_000,
            verification_cost: 16_000,
            revocation_lookups: 20_000,
            name_comparisons: 250_000,
            pdf_objects: 8_388_607,
            pdf_bytes_per_object: 4,
            pdf_inflated_ratio: 32,
            pdf_inflated_least: 16 << 20,
            pdf_inflated_most: 256 << 20,
            pdf_pictures: 1_000,
            pdf_picture_pixels: 8_388_608,
            pdf_image_pixels: 37_748_736,
            pdf_picture_work: 1 << 30,
            zip_entries: 10_000,
            zip_ratio: 100,
            json_values: 500_000,
            json_number: 64,
            xpath_visits: 20_000_000,
            canonical_bytes: 512 << 20,
            digested_bytes: 512 << 20,
            payload_bytes: 128 << 20,
            crl_entries: 5_000_000,
            tokens: 5_000,
            revocation_checks: 20_000,
        }
    }
}
