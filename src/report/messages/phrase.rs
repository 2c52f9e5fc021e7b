//! The fixed texts of the reports: titles, labels, sentences about the whole.

use crate::vocabulary::words;

words! {
    /// A fixed text of the reports; [`phrase`](super::phrase) says it in a language.
    pub enum Phrase {
        AllValid = "all-valid",
        NoSignature = "no-signature",
        OnlyProofsOfTime = "only-proofs-of-time",
        SignatureNotShownValid = "signature-not-shown-valid",
        SignatureValid = "signature-valid",
        SomeValid = "some-valid",
    }
}
