//! Validation process for basic signatures: EN 319 102-1 §5.3; the same steps for time-stamps: §5.4.
//!
//! Answers whether the building blocks, taken at the validation time, make a valid signature. Their order is the
//! clause's: a value that does not verify outweighs a certificate that is revoked or expired, which outweighs
//! attributes and algorithms.

use super::blocks::BuildingBlocks;
use super::check_id::CheckId;
use super::context::ValidationContext;
use super::engine::{Block, BlockBuilder, BlockKind, Concluded, Conclusion, Failure, Message, Question};
use super::outcome::{Outcome, SubIndication, outcomes};
use super::token::Token;
use crate::facts::Timestamp;
use crate::policy::Level;
use crate::time::Time;

outcomes! {
    /// The outcomes of the process, but for those of its blocks: EN 319 102-1 §5.3.4.
    enum NotValid {
        FormatFailure,
        NoSigningCertificateFound,
        Revoked,
        Expired,
        CryptoConstraintsFailure,
    }
}

/// A content time-stamp of the signature, with its own basic result.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentTimestamp<'a> {
    /// The time-stamp.
    pub timestamp: &'a Timestamp,
    /// Its basic result.
    pub basic: &'a Block,
}

/// Validates a signature.
pub(super) fn validate_signature(
    cx: &ValidationContext<'_>,
    token: Token<'_>,
    blocks: &BuildingBlocks,
    content: &[ContentTimestamp<'_>],
) -> Block {
    run(BlockKind::BasicValidation, cx, token, blocks, content)
}

/// Validates a time-stamp.
pub(super) fn validate_timestamp(cx: &ValidationContext<'_>, token: Token<'_>, blocks: &BuildingBlocks) -> Block {
    run(BlockKind::TimestampValidation, cx, token, blocks, &[])
}

fn run(
    kind: BlockKind,
    cx: &ValidationContext<'_>,
    token: Token<'_>,
    blocks: &BuildingBlocks,
    content: &[ContentTimestamp<'_>],
) -> Block {
    let mut block = BlockBuilder::new(kind, token.id());
    let process = Process { cx, token, blocks, content };
    let _ = process.run(&mut block);
    // What the process has to say is what the blocks have to say: its own checks only weigh them, except for what
    // content time-stamps prove.
    let mut block = block.finish();
    let messages = &blocks.conclusion;
    if !block.is_passed() {
        let is_own = |message: &Message| message.check == CheckId::ContentTimestampBeforeAlgorithmEnd;
        let own = block.conclusion.errors.into_iter().filter(is_own);
        block.conclusion.errors = messages.errors.iter().cloned().chain(own).collect();
    }
    block.conclusion.warnings.splice(0..0, messages.warnings.iter().cloned());
    block.conclusion.infos.splice(0..0, messages.infos.iter().cloned());
    block
}

struct Process<'a> {
    cx: &'a ValidationContext<'a>,
    token: Token<'a>,
    blocks: &'a BuildingBlocks,
    content: &'a [ContentTimestamp<'a>],
}

impl Process<'_> {
    /// Runs the steps of §5.3.4.
    fn run(&self, block: &mut BlockBuilder) -> Result<(), Concluded> {
        let fail = Some(Level::Fail);

        // 1) Format checking.
        if let Some(fc) = &self.blocks.fc {
            // A supplied file that is not signed is no defect of the format.
            let failure = match fc.conclusion.sub_indication {
                Some(SubIndication::SignedDataNotFound) => Failure::relayed(&fc.conclusion),
                _ => NotValid::FormatFailure.into(),
            };
            block.check_at(fail, self.relay(CheckId::FormatCheckingPassed, fc), fc.is_passed(), failure)?;
        }
        // 2) Identification of the signing certificate.
        if let Some(isc) = &self.blocks.isc {
            let failure = NotValid::NoSigningCertificateFound;
            block.check_at(fail, self.relay(CheckId::IdentificationPassed, isc), isc.is_passed(), failure)?;
        }
        // 3) Validation context initialization.
        if let Some(vci) = &self.blocks.vci {
            let failure = Failure::relayed(&vci.conclusion);
            block.check_at(fail, self.relay(CheckId::ContextInitializationPassed, vci), vci.is_passed(), failure)?;
        }
        // 4) X.509 certificate validation, remembered.
        let certificate = self.certificate_status(block)?;
        // 5) Cryptographic verification; where it passes, what 4) remembered.
        if let Some(cv) = &self.blocks.cv {
            let failure = Failure::relayed(&cv.conclusion);
            block.check_at(fail, self.relay(CheckId::CryptographicVerificationPassed, cv), cv.is_passed(), failure)?;
        }
        self.result(block, &certificate)?;
        // 6) Signature acceptance validation.
        let acceptance = self.acceptance_status(block)?;
        self.result(block, &acceptance)
    }

    /// Returns 4) the status of the certificate chain, made final where a content time-stamp proves that the signature
    /// came after the certificate's revocation or end.
    fn certificate_status(&self, block: &mut BlockBuilder) -> Result<Conclusion, Concluded> {
        let Some(xcv) = self.blocks.xcv.as_ref().map(|xcv| &xcv.block) else { return Ok(Conclusion::passed()) };
        let mut status = xcv.conclusion.clone();
        let relay = |check| self.relay(check, xcv);
        block.check_at(
            Level::Warn,
            relay(CheckId::CertificateValidationPassed),
            xcv.is_passed(),
            Failure::relayed(&status),
        )?;
        if xcv.is_passed() {
            return Ok(status);
        }

        let revoked = status.sub_indication == Some(SubIndication::RevokedNoPoe);
        block.check_at(Level::Warn, relay(CheckId::NotRevokedAtValidationTime), !revoked, Failure::relayed(&status))?;
        if revoked && let Some(date) = self.revocation_date() {
            self.compare(block, &mut status, CheckId::ContentTimestampBeforeRevocation, date, NotValid::Revoked)?;
        }

        let out_of_bounds = matches!(
            status.sub_indication,
            Some(SubIndication::OutOfBoundsNoPoe | SubIndication::OutOfBoundsNotRevoked)
        );
        block.check_at(
            Level::Warn,
            relay(CheckId::NotExpiredAtValidationTime),
            !out_of_bounds,
            Failure::relayed(&status),
        )?;
        if out_of_bounds && let Some(end) = self.signing_certificate().map(|c| c.not_after) {
            self.compare(block, &mut status, CheckId::ContentTimestampBeforeExpiry, end, NotValid::Expired)?;
        }
        Ok(status)
    }

    /// Makes the status FAILED where a valid content time-stamp is later than `end`: the signature came later still.
    fn compare(
        &self,
        block: &mut BlockBuilder,
        status: &mut Conclusion,
        check: CheckId,
        end: Time,
        outcome: NotValid,
    ) -> Result<(), Concluded> {
        for content in self.valid_content(block)? {
            let time = content.timestamp.production_time;
            let before = time <= end;
            let question = check.about(&content.timestamp.id).comparing(format!("{time} ≤ {end}"));
            block.check_at(Level::Warn, question, before, outcome)?;
            if !before {
                let sub = outcome.sub_indication();
                (status.indication, status.sub_indication) = (sub.indication(), Some(sub));
                break;
            }
        }
        Ok(())
    }

    /// Checks the content time-stamps, and returns those that are valid by themselves.
    fn valid_content(&self, block: &mut BlockBuilder) -> Result<Vec<ContentTimestamp<'_>>, Concluded> {
        for content in self.content {
            let question =
                CheckId::TimestampValid.about(&content.timestamp.id).of_block(BlockKind::TimestampValidation).silent();
            let failure = Failure::relayed(&content.basic.conclusion);
            block.check_at(Level::Warn, question, content.basic.is_passed(), failure)?;
        }
        Ok(self.content.iter().filter(|content| content.basic.is_passed()).copied().collect())
    }

    /// Returns 6) the status of the attributes and algorithms, made final where a content time-stamp proves that the
    /// signature came after an algorithm's end.
    fn acceptance_status(&self, block: &mut BlockBuilder) -> Result<Conclusion, Concluded> {
        let Some(sav) = &self.blocks.sav else { return Ok(Conclusion::passed()) };
        let status = sav.conclusion.clone();
        let question = self.relay(CheckId::SignatureAcceptancePassed, sav);
        block.check_at(Level::Warn, question, sav.is_passed(), Failure::relayed(&status))?;
        if status.sub_indication == Some(SubIndication::CryptoConstraintsFailureNoPoe)
            && let Some(end) = self.end_of_signature_algorithm()
        {
            let until = end.map_or_else(|| "never reliable".into(), |end| format!("reliable until {end}"));
            for content in self.valid_content(block)? {
                let time = content.timestamp.production_time;
                let before = end.is_some_and(|end| time <= end);
                let question = CheckId::ContentTimestampBeforeAlgorithmEnd
                    .about(&content.timestamp.id)
                    .comparing(format!("{time}, {until}"));
                let failure = NotValid::CryptoConstraintsFailure;
                block.check_at(Level::Fail, question, before, failure)?;
            }
        }
        Ok(status)
    }

    /// Ends the process with a status that is not PASSED.
    fn result(&self, block: &mut BlockBuilder, status: &Conclusion) -> Result<(), Concluded> {
        if status.is_passed() {
            return Ok(());
        }
        let question = CheckId::BasicResultPassed.about(self.token.id());
        block.check_at(Level::Fail, question, false, Failure::relayed(status))
    }

    /// Returns the end of the signature value's algorithm, if that algorithm is what is not accepted. There is no end
    /// where the algorithm was never reliable.
    fn end_of_signature_algorithm(&self) -> Option<Option<Time>> {
        let signature = self.blocks.algorithms.as_ref()?.signature.as_ref()?;
        if signature.conclusion.is_passed() { None } else { Some(signature.not_after) }
    }

    /// Returns when the signing certificate was revoked, according to the data produced last.
    ///
    /// NOTE: The clause takes the data on which the certificate was found revoked; where several disagree, the
    /// one produced last is that.
    fn revocation_date(&self) -> Option<Time> {
        let certificate = self.signing_certificate()?;
        let dated = certificate.revocations.iter().filter_map(|said| {
            let produced = self.cx.index.revocation(&said.revocation)?.production_date;
            Some((produced, said.revocation_date))
        });
        dated.reduce(|last, next| if next.0 > last.0 { next } else { last })?.1
    }

    fn signing_certificate(&self) -> Option<&crate::facts::Certificate> {
        self.cx.index.certificate(self.token.signing_certificate()?)
    }

    /// Asks for the result of a block, which speaks for itself.
    fn relay(&self, check: CheckId, block: &Block) -> Question {
        check.about(self.token.id()).of_block(block.kind).silent()
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
