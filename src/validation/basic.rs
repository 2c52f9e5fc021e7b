//! Validation process for basic signatures: EN 319 102-1 §5.3; the same steps for time-stamps: §5.4.
//!
//! Answers whether the building blocks, taken at the validation time, make a valid signature. Their order is the
//! clause's: a value that does not verify outweighs a certificate that is revoked or expired, which outweighs
//! attributes and algorithms.

use super::blocks::BuildingBlocks;
use super::case::Case;
use super::engine::{Ask, Block, BlockKind, Concluded, Conclusion, Failure, Steps, ask};
use super::outcome::{Indication, SubIndication};
use super::token::Token;
use crate::facts::Timestamp;
use crate::policy::Level;
use crate::time::Time;

/// A content time-stamp of the signature, with its own basic result.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentTimestamp<'a> {
    /// The time-stamp.
    pub timestamp: &'a Timestamp,
    /// Its basic result.
    pub basic: &'a Block,
}

/// The process for a signature.
pub(super) fn validate_signature(
    case: &Case<'_>,
    token: Token<'_>,
    blocks: &BuildingBlocks,
    content: &[ContentTimestamp<'_>],
) -> Block {
    run(BlockKind::BasicValidation, case, token, blocks, content)
}

/// The process for a time-stamp.
pub(super) fn validate_timestamp(case: &Case<'_>, token: Token<'_>, blocks: &BuildingBlocks) -> Block {
    run(BlockKind::TimestampValidation, case, token, blocks, &[])
}

fn run(
    kind: BlockKind,
    case: &Case<'_>,
    token: Token<'_>,
    blocks: &BuildingBlocks,
    content: &[ContentTimestamp<'_>],
) -> Block {
    let mut steps = Steps::new(kind, Some(token.id()));
    let process = Process { case, token, blocks, content };
    let _ = process.steps(&mut steps);
    // What the process has to say is what the blocks have to say: its own checks only weigh them.
    let mut block = steps.finish_showing(|_| false);
    let messages = &blocks.conclusion;
    if !block.is_passed() {
        block.conclusion.errors = messages.errors.clone();
    }
    block.conclusion.warnings = messages.warnings.clone();
    block.conclusion.infos = messages.infos.clone();
    block
}

struct Process<'a> {
    case: &'a Case<'a>,
    token: Token<'a>,
    blocks: &'a BuildingBlocks,
    content: &'a [ContentTimestamp<'a>],
}

impl Process<'_> {
    /// §5.3.4.
    fn steps(&self, steps: &mut Steps) -> Result<(), Concluded> {
        let fail = Some(Level::Fail);

        // 1) Format checking.
        if let Some(fc) = &self.blocks.fc {
            let failure = Failure::failed(SubIndication::FormatFailure);
            steps.level(fail, self.relay(ask!("BSV_IFCRC"), fc), fc.is_passed(), failure)?;
        }
        // 2) Identification of the signing certificate.
        if let Some(isc) = &self.blocks.isc {
            let failure = Failure::indeterminate(SubIndication::NoSigningCertificateFound);
            steps.level(fail, self.relay(ask!("BSV_IISCRC"), isc), isc.is_passed(), failure)?;
        }
        // 3) Validation context initialization.
        if let Some(vci) = &self.blocks.vci {
            let failure = Failure::relayed(&vci.conclusion);
            steps.level(fail, self.relay(ask!("BSV_IVCIRC"), vci), vci.is_passed(), failure)?;
        }
        // 4) X.509 certificate validation, remembered.
        let certificate = self.certificate_status(steps)?;
        // 5) Cryptographic verification; where it passes, what 4) remembered.
        if let Some(cv) = &self.blocks.cv {
            let failure = Failure::relayed(&cv.conclusion);
            steps.level(fail, self.relay(ask!("BSV_ICVRC"), cv), cv.is_passed(), failure)?;
        }
        self.result(steps, &certificate)?;
        // 6) Signature acceptance validation.
        let acceptance = self.acceptance_status(steps)?;
        self.result(steps, &acceptance)
    }

    /// 4): the status of the certificate chain, made final where a content time-stamp proves that the signature
    /// came after the certificate's revocation or end.
    fn certificate_status(&self, steps: &mut Steps) -> Result<Conclusion, Concluded> {
        let Some(xcv) = self.blocks.xcv.as_ref().map(|xcv| &xcv.block) else { return Ok(Conclusion::passed()) };
        let mut status = xcv.conclusion.clone();
        let relay = |question: Ask| self.relay(question, xcv);
        steps.level(Some(Level::Warn), relay(ask!("BSV_IXCVRC")), xcv.is_passed(), Failure::relayed(&status))?;
        if xcv.is_passed() {
            return Ok(status);
        }

        let revoked = status.sub_indication == Some(SubIndication::RevokedNoPoe);
        steps.level(Some(Level::Warn), relay(ask!("BSV_ISCRAVTC")), !revoked, Failure::relayed(&status))?;
        if revoked && let Some(date) = self.revocation_date() {
            self.compare(steps, &mut status, ask!("BSV_ICTGTNASCRT"), date, SubIndication::Revoked)?;
        }

        let out_of_bounds = matches!(
            status.sub_indication,
            Some(SubIndication::OutOfBoundsNoPoe | SubIndication::OutOfBoundsNotRevoked)
        );
        steps.level(Some(Level::Warn), relay(ask!("BSV_IVTAVRSC")), !out_of_bounds, Failure::relayed(&status))?;
        if out_of_bounds && let Some(end) = self.signing_certificate().map(|c| c.not_after) {
            self.compare(steps, &mut status, ask!("BSV_ICTGTNASCET"), end, SubIndication::Expired)?;
        }
        Ok(status)
    }

    /// A valid content time-stamp later than `end` makes the status FAILED: the signature came later still.
    fn compare(
        &self,
        steps: &mut Steps,
        status: &mut Conclusion,
        question: Ask,
        end: Time,
        sub: SubIndication,
    ) -> Result<(), Concluded> {
        for content in self.valid_content(steps)? {
            let time = content.timestamp.production_time;
            let before = time <= end;
            let question = question.clone().about(&content.timestamp.id).comparing(format!("{time} ≤ {end}"));
            steps.level(Some(Level::Warn), question, before, Failure::failed(sub))?;
            if !before {
                status.indication = Indication::Failed;
                status.sub_indication = Some(sub);
                break;
            }
        }
        Ok(())
    }

    /// The content time-stamps that are valid by themselves.
    fn valid_content(&self, steps: &mut Steps) -> Result<Vec<ContentTimestamp<'_>>, Concluded> {
        for content in self.content {
            let question = ask!("ADEST_IBSVPTC").about(&content.timestamp.id).of_block(BlockKind::TimestampValidation);
            let failure = Failure::relayed(&content.basic.conclusion);
            steps.level(Some(Level::Warn), question, content.basic.is_passed(), failure)?;
        }
        Ok(self.content.iter().filter(|content| content.basic.is_passed()).copied().collect())
    }

    /// 6): the status of the attributes and algorithms, made final where a content time-stamp proves that the
    /// signature came after an algorithm's end.
    fn acceptance_status(&self, steps: &mut Steps) -> Result<Conclusion, Concluded> {
        let Some(sav) = &self.blocks.sav else { return Ok(Conclusion::passed()) };
        let mut status = sav.conclusion.clone();
        let question = self.relay(ask!("BSV_ISAVRC"), sav);
        steps.level(Some(Level::Warn), question, sav.is_passed(), Failure::relayed(&status))?;
        if status.sub_indication == Some(SubIndication::CryptoConstraintsFailureNoPoe)
            && let Some(end) = self.end_of_signature_algorithm()
        {
            for content in self.valid_content(steps)? {
                let time = content.timestamp.production_time;
                let before = time <= end;
                let question =
                    ask!("BSV_ICTGTNACCET").about(&content.timestamp.id).comparing(format!("{time} ≤ {end}"));
                let failure = Failure::indeterminate(SubIndication::CryptoConstraintsFailure);
                steps.level(Some(Level::Warn), question, before, failure)?;
                if !before {
                    status.sub_indication = Some(SubIndication::CryptoConstraintsFailure);
                    break;
                }
            }
        }
        Ok(status)
    }

    /// The process ends with a status that is not PASSED.
    fn result(&self, steps: &mut Steps, status: &Conclusion) -> Result<(), Concluded> {
        if status.is_passed() {
            return Ok(());
        }
        let question = ask!("ADEST_ROBVPIIC").about(self.token.id());
        steps.level(Some(Level::Fail), question, false, Failure::relayed(status))
    }

    /// The end of the signature value's algorithm, where that algorithm is what is not accepted.
    fn end_of_signature_algorithm(&self) -> Option<Time> {
        let signature = self.blocks.aov.as_ref()?.signature.as_ref()?;
        if signature.conclusion.is_passed() { None } else { signature.not_after }
    }

    /// When the signing certificate was revoked, according to the data produced last.
    ///
    /// NOTE: The clause takes the data on which the certificate was found revoked; where several disagree, the
    /// one produced last is that.
    fn revocation_date(&self) -> Option<Time> {
        let certificate = self.signing_certificate()?;
        let dated = certificate.revocations.iter().filter_map(|said| {
            let produced = self.case.revocation(&said.revocation)?.production_date;
            Some((produced, said.revocation_date))
        });
        dated.reduce(|last, next| if next.0 > last.0 { next } else { last })?.1
    }

    fn signing_certificate(&self) -> Option<&crate::facts::Certificate> {
        self.case.certificate(self.token.signing_certificate()?)
    }

    fn relay(&self, question: Ask, block: &Block) -> Ask {
        question.about(self.token.id()).of_block(block.kind)
    }
}
