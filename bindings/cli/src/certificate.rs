//! `lacre certificate`: certificates judged by themselves.

use crate::input::{self, PolicyArguments};
use crate::online::{self, OnlineArguments};
use crate::output::{Form, put};
use crate::talk::{Status, Trouble};
use crate::trust::TrustArguments;
use lacre::Error;
use lacre::report::{CertificateReport, Language};
use lacre::time::Time;
use std::path::{Path, PathBuf};

/// Judges certificates by themselves: path, revocation, and what they are under eIDAS, when issued and at that time.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The certificates (DER or PEM). `-` reads standard input.
    #[arg(required = true, value_name = "CERT")]
    certificates: Vec<PathBuf>,
    /// The time to judge for, as in 2026-11-21T10:00:00Z. Default: now.
    #[arg(long, value_name = "TIME")]
    at: Option<Time>,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    online: OnlineArguments,
    /// The language of the answer: en, de, fr, es, it, pt, et or fi. Keys and codes are the same in all.
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    language: Language,
    /// The form of the answer. JSON is lacre-certificate/1, one object a line, in the order given, also for what cannot be read.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<Status, Trouble> {
    let validator = arguments.trust.validator(arguments.policy.read()?, arguments.at)?;
    let online = arguments.online.open()?;
    // Without --online every certificate is judged for the same moment.
    let fixed = arguments.at.or_else(|| online.is_none().then(input::now));
    let judge = |path: &Path| {
        let octets = input::open(path)?;
        let judged = online::judged(online.as_ref(), &validator, |validator| {
            validator.certificate(&octets, fixed.unwrap_or_else(input::now))
        });
        let trouble = |error: Error| Trouble::new(path.display(), &error).hint(error.hint());
        let judged = judged.map_err(trouble)?;
        Ok::<_, Trouble>(
            judged.verdict.with_attempts(judged.attempts).named(input::name(path)).in_language(arguments.language),
        )
    };
    let mut written = String::new();
    let mut status = Status::Passed;
    for path in &arguments.certificates {
        if arguments.format == Form::Text && !written.is_empty() {
            written.push('\n');
        }
        match judge(path) {
            Ok(report) => {
                written.push_str(&match arguments.format {
                    Form::Text => report.to_text(),
                    Form::Json => report.to_json() + "\n",
                });
                status = status.worse(report.indication().into());
            }
            Err(trouble) => {
                trouble.tell();
                if arguments.format == Form::Json {
                    written.push_str(&CertificateReport::error_json(&input::name(path), trouble.message()));
                    written.push('\n');
                }
                status = Status::Trouble;
            }
        }
    }
    put(written.as_bytes(), arguments.output.as_deref())?;
    Ok(status)
}
