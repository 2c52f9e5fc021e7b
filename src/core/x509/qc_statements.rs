//! Qualified certificate statements: RFC 3739 §3.2.6, EN 319 412-5, TS 119 495 §5.1.

use crate::asn1::{Error, Oid, Reader, Tag, Tlv, oid};
use crate::facts::{LangText, Psd2, Psd2Role, QcLimitValue, QcStatements};

const QC_COMPLIANCE: Oid<'static> = oid!("0.4.0.1862.1.1");
const QC_LIMIT_VALUE: Oid<'static> = oid!("0.4.0.1862.1.2");
const QC_RETENTION_PERIOD: Oid<'static> = oid!("0.4.0.1862.1.3");
const QC_SSCD: Oid<'static> = oid!("0.4.0.1862.1.4");
const QC_PDS: Oid<'static> = oid!("0.4.0.1862.1.5");
const QC_TYPE: Oid<'static> = oid!("0.4.0.1862.1.6");
const QC_CC_LEGISLATION: Oid<'static> = oid!("0.4.0.1862.1.7");
const QC_IDENT_METHOD: Oid<'static> = oid!("0.4.0.1862.1.8");
const QC_QSCD_LEGISLATION: Oid<'static> = oid!("0.4.0.1862.1.9");
const QC_SYNTAX_V2: Oid<'static> = oid!("1.3.6.1.5.5.7.11.2");
const PSD2: Oid<'static> = oid!("0.4.0.19495.2");

/// Reads `QCStatements ::= SEQUENCE OF SEQUENCE { statementId OBJECT IDENTIFIER, statementInfo ANY OPTIONAL }`. A
/// statement whose information cannot be read says nothing.
pub(super) fn read(statements: Tlv<'_>) -> Result<QcStatements, Error> {
    let mut qc = QcStatements::default();
    let mut statements = statements.expecting(Tag::SEQUENCE)?.children();
    while let Some(statement) = Reader::next(&mut statements)? {
        let mut parts = statement.expecting(Tag::SEQUENCE)?.children();
        let id = parts.expect(Tag::OID)?.oid()?;
        let info = Reader::next(&mut parts)?;
        if !read_statement(&mut qc, id, info).unwrap_or(true) {
            qc.others.push(id.to_string());
        }
    }
    Ok(qc)
}

/// Returns whether the statement is one of those that have a field.
fn read_statement(qc: &mut QcStatements, id: Oid<'_>, info: Option<Tlv<'_>>) -> Result<bool, Error> {
    // EN 319 412-5 §4.2.1, §4.2.2: their presence is the statement.
    match id {
        QC_COMPLIANCE => qc.compliance = true,
        QC_SSCD => qc.sscd = true,
        _ => {
            let Some(info) = info else { return Ok(!is_other(id)) };
            match id {
                QC_LIMIT_VALUE => qc.limit_value = Some(limit_value(info)?),
                QC_RETENTION_PERIOD => qc.retention_period = Some(info.to_i64()?),
                QC_PDS => qc.pds = pds_locations(info)?,
                QC_TYPE => qc.types = oids(info)?,
                QC_CC_LEGISLATION => qc.cc_legislation = Some(strings(info)?),
                QC_QSCD_LEGISLATION => qc.qscd_legislation = Some(strings(info)?),
                QC_IDENT_METHOD => qc.identification_method = oids(info)?.into_iter().next(),
                QC_SYNTAX_V2 => qc.semantics_identifier = semantics(info)?,
                PSD2 => qc.psd2 = Some(psd2(info)?),
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}

fn is_other(id: Oid<'_>) -> bool {
    !matches!(
        id,
        QC_LIMIT_VALUE
            | QC_RETENTION_PERIOD
            | QC_PDS
            | QC_TYPE
            | QC_CC_LEGISLATION
            | QC_QSCD_LEGISLATION
            | QC_IDENT_METHOD
            | QC_SYNTAX_V2
            | PSD2
    )
}

/// Reads `SEQUENCE { currency CHOICE { PrintableString, INTEGER }, amount INTEGER, exponent INTEGER }` (EN 319 412-5
/// §4.3.2).
fn limit_value(info: Tlv<'_>) -> Result<QcLimitValue, Error> {
    let mut parts = info.expecting(Tag::SEQUENCE)?.children();
    let currency = parts.read()?;
    let currency =
        if currency.is(Tag::INTEGER) { currency.to_i64()?.to_string() } else { currency.string()?.into_owned() };
    Ok(QcLimitValue {
        currency,
        amount: parts.expect(Tag::INTEGER)?.to_i64()?,
        exponent: parts.expect(Tag::INTEGER)?.to_i64()?,
    })
}

/// Reads `SEQUENCE OF SEQUENCE { url IA5String, language PrintableString }` (EN 319 412-5 §4.3.4).
fn pds_locations(info: Tlv<'_>) -> Result<Vec<LangText>, Error> {
    let mut out = Vec::new();
    let mut locations = info.expecting(Tag::SEQUENCE)?.children();
    while let Some(location) = Reader::next(&mut locations)? {
        let mut parts = location.expecting(Tag::SEQUENCE)?.children();
        let text = parts.read()?.string()?.into_owned();
        out.push(LangText { text, lang: parts.read()?.string()?.into_owned() });
    }
    Ok(out)
}

fn oids(info: Tlv<'_>) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    let mut elements = info.expecting(Tag::SEQUENCE)?.children();
    while let Some(element) = Reader::next(&mut elements)? {
        out.push(element.oid()?.to_string());
    }
    Ok(out)
}

fn strings(info: Tlv<'_>) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    let mut elements = info.expecting(Tag::SEQUENCE)?.children();
    while let Some(element) = Reader::next(&mut elements)? {
        out.push(element.string()?.into_owned());
    }
    Ok(out)
}

/// Reads `SEQUENCE { semanticsIdentifier OBJECT IDENTIFIER OPTIONAL, nameRegistrationAuthorities OPTIONAL }` (RFC 3739
/// §3.2.6.1).
fn semantics(info: Tlv<'_>) -> Result<Option<String>, Error> {
    let identifier = info.expecting(Tag::SEQUENCE)?.children().optional(Tag::OID)?;
    identifier.map(|tlv| tlv.oid().map(|oid| oid.to_string())).transpose()
}

/// Reads `SEQUENCE { SEQUENCE OF SEQUENCE { OBJECT IDENTIFIER, UTF8String }, UTF8String, UTF8String }` (TS 119 495
/// §5.1).
fn psd2(info: Tlv<'_>) -> Result<Psd2, Error> {
    let mut parts = info.expecting(Tag::SEQUENCE)?.children();
    let mut roles = Vec::new();
    let mut listed = parts.expect(Tag::SEQUENCE)?.children();
    while let Some(role) = Reader::next(&mut listed)? {
        let mut role = role.expecting(Tag::SEQUENCE)?.children();
        let oid = Some(role.expect(Tag::OID)?.oid()?.to_string());
        roles.push(Psd2Role { oid, name: role.read()?.string()?.into_owned() });
    }
    let nca_name = parts.read()?.string()?.into_owned();
    Ok(Psd2 { roles, nca_name, nca_id: parts.read()?.string()?.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asn1::Writer;

    fn written(write: impl FnOnce(&mut Writer)) -> QcStatements {
        let mut writer = Writer::new();
        writer.sequence(write);
        read(Tlv::whole(&writer.finish()).unwrap()).unwrap()
    }

    #[test]
    fn statements() {
        let qc = written(|w| {
            w.sequence(|w| {
                w.oid(QC_LIMIT_VALUE).sequence(|w| {
                    w.element(Tag::PRINTABLE_STRING, b"EUR").integer(&[5]).integer(&[3]);
                });
            });
            w.sequence(|w| {
                w.oid(PSD2).sequence(|w| {
                    w.sequence(|w| {
                        w.sequence(|w| {
                            w.oid(oid!("0.4.0.19495.1.1")).element(Tag::UTF8_STRING, b"PSP_AS");
                        });
                    });
                    w.element(Tag::UTF8_STRING, b"NCA").element(Tag::UTF8_STRING, b"XX-NCA");
                });
            });
            w.sequence(|w| {
                w.oid(QC_SYNTAX_V2).sequence(|w| {
                    w.oid(oid!("0.4.0.194121.1.1"));
                });
            });
            w.sequence(|w| {
                w.oid(QC_TYPE).null();
            });
            w.sequence(|w| {
                w.oid(oid!("2.999"));
            });
        });
        let limit = QcLimitValue { currency: "EUR".into(), amount: 5, exponent: 3 };
        assert_eq!(qc.limit_value, Some(limit), "EN 319 412-5 4.3.2");
        let psd2 = qc.psd2.unwrap();
        assert_eq!((psd2.roles[0].name.as_str(), psd2.nca_id.as_str()), ("PSP_AS", "XX-NCA"), "TS 119 495 5.1");
        assert_eq!(qc.semantics_identifier.as_deref(), Some("0.4.0.194121.1.1"), "EN 319 412-1 5.1");
        assert!(qc.types.is_empty() && !qc.compliance, "EN 319 412-5 4.2.3 unreadable");
        assert_eq!(qc.others, ["2.999"]);
    }
}
