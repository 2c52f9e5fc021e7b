//! The revocation status of certificates: what it is, since when, why, and who says so.

use super::{LocalizedText, Row};
use crate::facts::{CertificateRevocation, CertificateStatus, Id};
use crate::report::messages::{CommonId, MessageId};
use crate::report::view::CertificateView;
use crate::time::Time;
use crate::validation::blocks::BuildingBlocks;

/// Returns the row on the revocation status of each certificate of a chain below its trust anchor.
pub(super) fn row<'a>(chain: impl Iterator<Item = CertificateView<'a>>, blocks: &BuildingBlocks) -> Option<Row> {
    let judged = chain.take_while(|certificate| !certificate.is_trusted());
    let states = judged.filter(|certificate| !certificate.facts().self_signed).map(|certificate| {
        let used =
            blocks.certificate_in_path(certificate.id()).and_then(|found| found.selection.as_ref()?.latest.as_ref());
        LocalizedText::new(MessageId::StatusOf)
            .with("name", certificate.name())
            .with("status", revocation_status(certificate, used))
    });
    Row::many(MessageId::Revocation, states)
}

/// Returns the revocation status of a certificate, and who states it: by the revocation data that was used; where none
/// was, that it is revoked, before anything else.
pub(in crate::report) fn revocation_status(certificate: CertificateView<'_>, used: Option<&Id>) -> LocalizedText {
    let Some((data, said)) = certificate.revocation_by(used) else {
        return MessageId::StatusNotKnown.into();
    };
    let producer: LocalizedText =
        data.signer().map_or_else(|| CommonId::SignerUnknown.into(), |signer| signer.name().into());
    let issued: LocalizedText = data.this_update().map_or_else(|| CommonId::NotStated.into(), Time::into);
    LocalizedText::new(MessageId::StatusStatedBy)
        .with("status", status(said))
        .with("kind", LocalizedText::code(data.kind().as_str()))
        .with("producer", producer)
        .with("time", issued)
}

/// Returns the status that revocation data states of a certificate.
pub(super) fn status(said: &CertificateRevocation) -> LocalizedText {
    match (said.status, said.revocation_date) {
        (CertificateStatus::Good, _) => MessageId::StatusGood.into(),
        (CertificateStatus::Revoked, Some(time)) => {
            let revoked = match said.reason {
                Some(reason) => {
                    LocalizedText::new(MessageId::StatusRevokedFor).with("reason", LocalizedText::code(reason.as_str()))
                }
                None => LocalizedText::new(MessageId::StatusRevokedAt),
            };
            let revoked = revoked.with("time", time);
            match said.invalidity_date {
                Some(since) => {
                    LocalizedText::new(MessageId::StatusInvalidSince).with("status", revoked).with("time", since)
                }
                None => revoked,
            }
        }
        (CertificateStatus::Revoked, None) => MessageId::StatusRevoked.into(),
        (CertificateStatus::Unknown, _) => MessageId::StatusUnknown.into(),
    }
}
