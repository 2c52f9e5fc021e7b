use crate::asn1::{Error, Oid, Reader, Tag, Tlv, oid};
use crate::facts::{Digest, Irregularity, IrregularityKind};
use crate::formats::cms::digest_algorithm;
use crate::time::Time;

/// `TSTInfo`: RFC 3161 §2.4.2.
///
/// ```asn1
/// TSTInfo ::= SEQUENCE {
///   version INTEGER, policy OBJECT IDENTIFIER,
///   messageImprint SEQUENCE { hashAlgorithm AlgorithmIdentifier, hashedMessage OCTET STRING },
///   serialNumber INTEGER, genTime GeneralizedTime, accuracy Accuracy OPTIONAL,
///   ordering BOOLEAN DEFAULT FALSE, nonce INTEGER OPTIONAL, tsa [0] GeneralName OPTIONAL,
///   extensions [1] IMPLICIT Extensions OPTIONAL }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TstInfo {
    /// The policy under which it was made, dotted.
    pub policy: String,
    /// The digest that is time-stamped.
    pub imprint: Digest,
    /// The token's serial number: the contents of the INTEGER.
    pub serial: Vec<u8>,
    /// When it was made.
    pub gen_time: Time,
    /// The nonce of the request: the contents of the INTEGER.
    pub nonce: Option<Vec<u8>>,
    /// The whole `GeneralName` of the authority.
    pub tsa: Option<Vec<u8>>,
    /// What breaks the requirements on a token, or says that its time is a coarse one.
    pub irregularities: Vec<Irregularity>,
}

/// Extensions that are understood: EN 319 422 §9.1.
const UNDERSTOOD: [Oid<'static>; 1] = [oid!("1.3.6.1.5.5.7.1.3")];
/// Seconds by which the true time may differ before that is said. EN 319 421 §7.7.2 asks for one.
const COARSE: u64 = 60;

impl TstInfo {
    /// Reads the contents of the token's `eContent`.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        let (outer, rest) = Tlv::split(bytes)?;
        let mut reader = outer.expecting(Tag::SEQUENCE)?.children();
        let mut irregularities = vec![];
        let mut violation = |subject: String| {
            irregularities.push(Irregularity::about(IrregularityKind::FormatViolation, subject));
        };
        if reader.expect(Tag::INTEGER)?.integer_bytes()? != [1] {
            violation("TSTInfo of another version than 1".into());
        }
        let policy = reader.expect(Tag::OID)?.oid()?.dotted();
        let mut imprint = reader.expect(Tag::SEQUENCE)?.children();
        let algorithm = digest_algorithm(&imprint.expect(Tag::SEQUENCE)?);
        let value = imprint.expect(Tag::OCTET_STRING)?.bytes()?.into_owned().into();
        imprint.finish()?;
        let serial = reader.expect(Tag::INTEGER)?.integer_bytes()?.to_vec();
        let time = reader.expect(Tag::GENERALIZED_TIME)?;
        let gen_time = time.time()?;
        if !is_in_utc(&time.bytes()?) {
            violation(format!("genTime {}", String::from_utf8_lossy(time.content)));
        }
        let accuracy = reader.optional(Tag::SEQUENCE)?;
        reader.optional(Tag::BOOLEAN)?.map(|ordering| ordering.boolean()).transpose()?;
        let nonce =
            reader.optional(Tag::INTEGER)?.map(|nonce| nonce.integer_bytes().map(<[u8]>::to_vec)).transpose()?;
        let tsa = match reader.context(0)? {
            Some(explicit) => Some(explicit.inner()?.raw.to_vec()),
            None => None,
        };
        let extensions = reader.context_structure(1)?;
        if let Some(found) = extensions.and_then(|extensions| not_understood(&extensions)) {
            violation(format!("TSTInfo with {found}"));
        }
        if !rest.is_empty() || Reader::next(&mut reader)?.is_some() {
            violation("TSTInfo holds more than its fields".into());
        }
        if let Some(seconds) = accuracy.map(|accuracy| seconds(&accuracy)).filter(|seconds| *seconds > COARSE) {
            irregularities.push(Irregularity::about(IrregularityKind::CoarseTime, format!("± {seconds} s")));
        }
        Ok(Self { policy, imprint: Digest { algorithm, value }, serial, gen_time, nonce, tsa, irregularities })
    }
}

/// Returns whether a time is with seconds, perhaps a fraction of them, and with `Z` (§2.4.2). Any other form is another
/// time to another reader.
fn is_in_utc(text: &[u8]) -> bool {
    let (seconds, rest) = text.split_at(text.len().min(14));
    let fraction = |rest: &[u8]| match rest {
        [] => true,
        [b'.', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    seconds.len() == 14 && seconds.iter().all(u8::is_ascii_digit) && rest.strip_suffix(b"Z").is_some_and(fraction)
}

/// Returns the whole seconds of `Accuracy ::= SEQUENCE { seconds INTEGER OPTIONAL, millis [0] INTEGER OPTIONAL, micros
/// [1] INTEGER OPTIONAL }`.
fn seconds(accuracy: &Tlv<'_>) -> u64 {
    let of = |part: Tlv<'_>| {
        // Beyond all measure is beyond every bound.
        let number = part.content.iter().fold(0, |number: u64, byte| number.saturating_mul(256) | u64::from(*byte));
        match part.tag.number {
            0 => number / 1_000,
            1 => number / 1_000_000,
            _ => number,
        }
    };
    accuracy.children().map(of).fold(0, u64::saturating_add)
}

/// Returns the first critical extension: who does not understand it cannot rely on what it is part of (RFC 5280 §4.2).
/// One that cannot be read may be critical.
fn not_understood(extensions: &Tlv<'_>) -> Option<String> {
    extensions.children().elements().find_map(|extension| match extension.and_then(critical) {
        Ok(critical) => critical.map(|name| format!("the critical extension {name}")),
        Err(_) => Some("an extension that cannot be read".into()),
    })
}

/// Returns the name of an extension that is critical and not understood.
fn critical(extension: Tlv<'_>) -> Result<Option<String>, Error> {
    let mut reader = extension.expecting(Tag::SEQUENCE)?.children();
    let name = reader.expect(Tag::OID)?.oid()?;
    let critical = reader.optional(Tag::BOOLEAN)?.map(|critical| critical.boolean()).transpose()?;
    Ok((critical == Some(true) && !UNDERSTOOD.contains(&name)).then(|| name.dotted()))
}
