//! The level of a signature: what its profiles ask for, and which of them it reaches.

use crate::facts::SignatureLevel;
use crate::time::Time;

/// Which profiles a signature fulfils, as far as it alone tells: one answer for each profile's requirements.
///
/// EN 319 122, 132, 142 and 182: part 1 has the baseline profiles, part 2 the extended ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// The family of words that name the level.
    pub family: Family,
    /// Baseline B.
    pub baseline_b: bool,
    /// Whether baseline B asks for the signing certificate in the field of the signature that is meant for it.
    pub needs_embedded_signer: bool,
    /// Nothing forbids baseline LT (references and values of the extended profiles).
    pub baseline_lt: bool,
    /// Baseline LTA: an archive (PDF: document, ASiC: container) time-stamp as it asks for.
    pub baseline_lta: bool,
    /// BES of the extended profiles; PDF without an ETSI subfilter: the signature can be read at all.
    pub bes: bool,
    /// EPES: a signature policy.
    pub epes: bool,
    /// T, baseline and extended: a signature (PDF: also document) time-stamp.
    pub t: bool,
    /// C: complete references.
    pub c: bool,
    /// C for a signature whose certificates are all self-signed: no references to revocation data.
    pub c_self_signed: bool,
    /// X: a time-stamp over the references.
    pub x: bool,
    /// A: an archive time-stamp.
    pub a: bool,
    /// ERS: an evidence record.
    pub ers: bool,
}

/// Which words name a signature's level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Family {
    /// CAdES-…, CMS-NOT-ETSI.
    #[default]
    Cades,
    /// XAdES-…, XML-NOT-ETSI.
    Xades,
    /// PAdES-…, PDF-NOT-ETSI.
    Pades,
    /// PKCS7-…: PDF with a CMS signature that is not PAdES.
    Pkcs7,
    /// JAdES-…, JSON-NOT-ETSI.
    Jades,
    /// DIGIDOC-XML-…, of that version, whatever else it fulfils.
    DigidocXml(SignatureLevel),
}

/// What only the certificates and revocation data of the document tell of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LevelEvidence {
    /// The signing certificate is in the field of the signature that is meant for it.
    pub signer_embedded: bool,
    /// The end of the signing certificate's validity.
    pub signer_not_after: Option<Time>,
    /// The newest signature time-stamp.
    pub newest_signature_timestamp: Option<Time>,
    /// There are certificates, and all are self-signed.
    pub all_self_signed: bool,
    /// The signature holds revocation data, and there is some for every certificate of the signature, of its
    /// time-stamps, the newest archive time-stamp aside, and of the revocation data's signers, that needs it.
    pub material_complete: bool,
    /// PDF: document time-stamps cover all of that.
    pub material_stamped: bool,
}

impl Levels {
    /// Returns the level: the highest one whose requirements, and those of the levels below it, are met.
    pub fn level(&self, evidence: &LevelEvidence) -> SignatureLevel {
        use SignatureLevel::*;
        let b = self.baseline_b && (!self.needs_embedded_signer || evidence.signer_embedded);
        // A time-stamp made after the signing certificate's expiry proves nothing: EN 319 122-1 §6.3 m).
        let late = evidence.signer_not_after.zip(evidence.newest_signature_timestamp).is_some_and(|(end, t)| t >= end);
        // EN 319 142-1 §6.3 has no such requirement.
        let late = late && !matches!(self.family, Family::Pades | Family::Pkcs7);
        let t = self.t && !late;
        let lt = t && evidence.material_complete;
        let c = t && (self.c || self.c_self_signed && evidence.all_self_signed);
        let baseline_lt = b && lt && self.baseline_lt;
        match self.family {
            Family::Cades | Family::Xades => self.cades_or_xades(b, t, lt, c),

            Family::Pades if !self.bes => PdfNotEtsi,
            // EN 319 142-2 §5.5: with a document time-stamp.
            Family::Pades if !b && lt && self.a && evidence.material_stamped => PadesLtv,
            Family::Pades if !b && self.epes => PadesEpes,
            Family::Pades if !b => PadesBes,
            Family::Pades if baseline_lt && self.baseline_lta && evidence.material_stamped => PadesBaselineLta,
            Family::Pades if baseline_lt => PadesBaselineLt,
            Family::Pades if t => PadesBaselineT,
            Family::Pades => PadesBaselineB,

            Family::Pkcs7 if !b => PdfNotEtsi,
            Family::Pkcs7 if baseline_lt && self.baseline_lta && evidence.material_stamped => Pkcs7Lta,
            Family::Pkcs7 if baseline_lt => Pkcs7Lt,
            Family::Pkcs7 if t => Pkcs7T,
            Family::Pkcs7 => Pkcs7B,

            Family::Jades if !b => JsonNotEtsi,
            Family::Jades if baseline_lt && self.baseline_lta => JadesBaselineLta,
            Family::Jades if baseline_lt => JadesBaselineLt,
            Family::Jades if t => JadesBaselineT,
            Family::Jades => JadesBaselineB,

            Family::DigidocXml(_) if !b && !self.bes => XmlNotEtsi,
            Family::DigidocXml(version) => version,
        }
    }

    /// Returns the level of CAdES or XAdES (EN 319 122-1 §6, EN 319 122-2 §5; EN 319 132-1 §6, EN 319 132-2 §5): what
    /// is not BES is nothing; the baseline goes before the extended levels where it reaches LT.
    fn cades_or_xades(&self, b: bool, t: bool, lt: bool, c: bool) -> SignatureLevel {
        use SignatureLevel::*;
        let name = |cades, xades| if self.family == Family::Cades { cades } else { xades };
        let baseline_lt = b && lt && self.baseline_lt;
        match () {
            () if !self.bes => name(CmsNotEtsi, XmlNotEtsi),
            () if b && !t => name(CadesBaselineB, XadesBaselineB),
            () if !t && self.epes => name(CadesEpes, XadesEpes),
            () if !t => name(CadesBes, XadesBes),
            () if lt && self.ers => name(CadesErs, XadesErs),
            () if baseline_lt && self.baseline_lta => name(CadesBaselineLta, XadesBaselineLta),
            () if baseline_lt => name(CadesBaselineLt, XadesBaselineLt),
            () if lt && self.a => name(CadesA, XadesA),
            () if c && self.x && lt => name(CadesXl, XadesXl),
            () if c && self.x => name(CadesX, XadesX),
            () if c => name(CadesC, XadesC),
            () if lt => name(CadesLt, XadesLt),
            () if b => name(CadesBaselineT, XadesBaselineT),
            () => name(CadesT, XadesT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pades_ltv_has_a_document_timestamp() {
        let evidence = LevelEvidence { material_complete: true, material_stamped: true, ..LevelEvidence::default() };
        let level = |a| Levels { family: Family::Pades, bes: true, t: true, a, ..Levels::default() }.level(&evidence);
        assert_eq!(level(true), SignatureLevel::PadesLtv, "EN 319 142-2 5.5");
        assert_eq!(level(false), SignatureLevel::PadesBes, "EN 319 142-2 5.3: a signature time-stamp alone");
    }
}
