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
    // What the process has to say is what the blocks have to say: its own checks only weigh them, except for what
    // content time-stamps prove.
    let mut block = steps.finish_showing(|check| check.question.starts_with("BSV_ICTGTN"));
    let messages = &blocks.conclusion;
    if !block.is_passed() {
        let own = block.conclusion.errors.into_iter().filter(|message| message.key == ALGORITHM_ENDED);
        block.conclusion.errors = messages.errors.iter().cloned().chain(own).collect();
    }
    block.conclusion.warnings.splice(0..0, messages.warnings.iter().cloned());
    block.conclusion.infos.splice(0..0, messages.infos.iter().cloned());
    block
}

/// A content time-stamp is later than the end of an algorithm.
const ALGORITHM_ENDED: &str = "BSV_ICTGTNACCET_ANS";

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
            // What somebody handed in and nobody signed is no defect of the format.
            let failure = match fc.conclusion.sub_indication {
                Some(SubIndication::SignedDataNotFound) => Failure::relayed(&fc.conclusion),
                _ => Failure::failed(SubIndication::FormatFailure),
            };
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
        let status = sav.conclusion.clone();
        let question = self.relay(ask!("BSV_ISAVRC"), sav);
        steps.level(Some(Level::Warn), question, sav.is_passed(), Failure::relayed(&status))?;
        if status.sub_indication == Some(SubIndication::CryptoConstraintsFailureNoPoe)
            && let Some(end) = self.end_of_signature_algorithm()
        {
            let until = end.map_or_else(|| "never reliable".into(), |end| format!("reliable until {end}"));
            for content in self.valid_content(steps)? {
                let time = content.timestamp.production_time;
                let before = end.is_some_and(|end| time <= end);
                let question = Ask::new("BSV_ICTGTNACCET", ALGORITHM_ENDED)
                    .about(&content.timestamp.id)
                    .comparing(format!("{time}, {until}"));
                let failure = Failure::indeterminate(SubIndication::CryptoConstraintsFailure);
                steps.level(Some(Level::Fail), question, before, failure)?;
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

    /// The end of the signature value's algorithm, if that algorithm is what is not accepted. There is no end where
    /// the algorithm was never reliable.
    fn end_of_signature_algorithm(&self) -> Option<Option<Time>> {
        let signature = self.blocks.aov.as_ref()?.signature.as_ref()?;
        if signature.conclusion.is_passed() { None } else { Some(signature.not_after) }
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

#[cfg(test)]
mod tests {
    use crate::facts::TimestampType;
    use crate::validation::testing::*;

    #[test]
    fn basic_signatures() {
        let rows: &[Row] = &[
            ("5.3.4", "nothing is wrong", |f| f, "2022-01-01", "PASSED"),
            (
                "5.3.4 1)",
                "two signatures have the same id",
                |mut f| {
                    f.signatures[0].duplicated = true;
                    f
                },
                "2022-01-01",
                "FAILED/FORMAT_FAILURE",
            ),
            (
                "5.3.4 2)",
                "the signing certificate is not known",
                |mut f| {
                    f.signatures[0].signing_certificate = None;
                    f.signatures[0].chain.clear();
                    f
                },
                "2022-01-01",
                "INDETERMINATE/NO_SIGNING_CERTIFICATE_FOUND",
            ),
            (
                "5.3.4 4)",
                "no anchor",
                |mut f| {
                    certificate_mut(&mut f, "ROOT").trust.trusted = false;
                    f
                },
                "2022-01-01",
                "INDETERMINATE/NO_CERTIFICATE_CHAIN_FOUND",
            ),
            (
                "5.3.4 4)",
                "revoked",
                |mut f| {
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            (
                "5.3.4 4)",
                "revoked, and a content time-stamp is later",
                |f| {
                    let mut f = with_timestamp(f, "T", TimestampType::Content, "2021-05-25", &["D"]);
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "FAILED/REVOKED",
            ),
            (
                "5.3.4 4)",
                "revoked at the very time of a content time-stamp",
                |f| {
                    let mut f = with_timestamp(f, "T", TimestampType::Content, "2021-05-20", &["D"]);
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f
                },
                "2022-01-01",
                "INDETERMINATE/REVOKED_NO_POE",
            ),
            ("5.3.4 4)", "expired", |f| f, "2024-01-01", "INDETERMINATE/OUT_OF_BOUNDS_NOT_REVOKED"),
            (
                "5.3.4 4)",
                "expired, and a content time-stamp is later",
                |f| with_timestamp(f, "T", TimestampType::Content, "2023-06-01", &["D"]),
                "2024-01-01",
                "FAILED/EXPIRED",
            ),
            (
                "5.3.4 5)",
                "a broken digest outweighs a revoked certificate",
                |mut f| {
                    revoke(&mut f, "SIGNER", "2021-05-20");
                    f.signatures[0].digest_matchers[0].data_intact = false;
                    f
                },
                "2022-01-01",
                "FAILED/HASH_FAILURE",
            ),
            (
                "5.3.4 5)",
                "the value does not verify",
                |mut f| {
                    f.signatures[0].basic.intact = false;
                    f
                },
                "2022-01-01",
                "FAILED/SIG_CRYPTO_FAILURE",
            ),
            (
                "5.3.4 6)",
                "no signing time",
                |mut f| {
                    f.signatures[0].claimed_signing_time = None;
                    f
                },
                "2022-01-01",
                "INDETERMINATE/SIG_CONSTRAINTS_FAILURE",
            ),
            (
                "5.3.4 6)",
                "a weak key of the signer",
                |mut f| {
                    f.signatures[0].basic.key_length = Some(512);
                    f
                },
                "2022-01-01",
                "INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE",
            ),
        ];
        check(rows, |verdicts| word(&verdicts.signatures[0].basic.block.conclusion));
    }
}
