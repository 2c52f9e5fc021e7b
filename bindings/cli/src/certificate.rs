//! `lacre certificate`: certificates judged by themselves.

use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, PolicyArguments};
use crate::online::{self, OnlineArguments};
use crate::output::{Form, Output, WriteError};
use crate::terminal::print_note;
use crate::trust::{TrustArguments, with_trust};
use lacre::{
    Binding, CertificateReport, Error, Time, Validator, Website, decode_pem,
    report::{Language, QualifiedConnection, QwacProfile},
};
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
    /// The website that presents the first certificate, as in https://example.org/: whether the connection to it is one of a
    /// qualified website certificate (TS 119 411-5).
    #[arg(long, value_name = "URL")]
    website: Option<String>,
    /// The binding that the website's `Link` header points at (compact JWS), by which a 2-QWAC answers for the first
    /// certificate; the other certificates are those that it names besides.
    #[arg(long, value_name = "FILE", requires = "website", requires = "binding_url")]
    binding: Option<PathBuf>,
    /// Where that binding was fetched from.
    #[arg(long, value_name = "URL", requires = "binding")]
    binding_url: Option<String>,
    #[command(flatten)]
    trust: TrustArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    online: OnlineArguments,
    /// The language of the answer: en, de, fr, es, it, pt, et or fi. Keys and codes are the same in all.
    #[arg(long, value_name = "LANGUAGE", default_value_t = Language::English)]
    language: Language,
    /// The form of the answer. JSON is lacre-certificate/2, one object a line, in the order given, also for what cannot be read.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The website that is asked about, and what it binds its certificates with.
struct Site {
    url: String,
    /// Where the binding is, and its bytes.
    binding: Option<(String, Vec<u8>)>,
    others: Vec<Vec<u8>>,
}

impl Site {
    fn read(arguments: &Arguments) -> Result<Option<Self>, CliError> {
        let Some(url) = arguments.website.clone() else { return Ok(None) };
        let binding = match arguments.binding.as_deref().zip(arguments.binding_url.clone()) {
            Some((path, url)) => Some((url, input::open(path)?.to_vec())),
            None => None,
        };
        let read = |path: &PathBuf| Ok(decode_pem(&input::open(path)?).into_owned());
        let named = if binding.is_some() { arguments.certificates.get(1..).unwrap_or_default() } else { &[] };
        let others = named.iter().map(read).collect::<Result<_, CliError>>()?;
        Ok(Some(Self { url, binding, others }))
    }

    fn judge(&self, validator: &Validator, bytes: &[u8], time: Time) -> Result<CertificateReport, Error> {
        let others: Vec<&[u8]> = self.others.iter().map(Vec::as_slice).collect();
        let binding = self.binding.as_ref().map(|(url, bytes)| Binding { url, bytes, others: &others });
        validator.website(bytes, &Website { url: &self.url, binding }, time)
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let validator = arguments.trust.validator(arguments.policy.read()?, arguments.at)?;
    let online = arguments.online.open()?;
    // Without --online every certificate is judged for the same moment.
    let fixed = arguments.at.or_else(|| online.is_none().then(input::now));
    let site = Site::read(arguments)?;
    // Several are told apart by their paths.
    let name = |path: &Path| match arguments.certificates.len() {
        1 => input::name(path),
        _ => path.display().to_string(),
    };
    let judge = |path: &Path, site: Option<&Site>| {
        let bytes = input::open(path)?;
        let judged = online::judged(online.as_ref(), &validator, |validator| {
            let time = fixed.unwrap_or_else(input::now);
            match site {
                Some(site) => site.judge(validator, &bytes, time),
                None => validator.certificate(&bytes, time),
            }
        });
        let judged = judged.map_err(|error| CliError::of_document(path, &error))?;
        judged.notes.iter().for_each(|note| print_note(note));
        Ok::<_, CliError>(
            judged.verdict.with_attempts(judged.attempts).named(name(path)).in_language(arguments.language),
        )
    };
    let mut output = Output::new(arguments.output.as_deref());
    let (mut status, mut without_trust) = (ExitStatus::Passed, None);
    let mut certificates = arguments.certificates.iter().enumerate();
    let written = certificates.try_for_each(|(at, path)| match judge(path, site.as_ref().filter(|_| at == 0)) {
        Ok(report) => {
            let (one, error) = with_trust(report.indication().into(), report.facts());
            if let (Some(error), None) = (&error, &without_trust) {
                error.print();
                without_trust = Some(());
            }
            status = status.worse(one);
            let not_qualified = |connection: &QualifiedConnection| connection.profile == QwacProfile::None;
            if report.connection().is_some_and(not_qualified) {
                status = status.worse(ExitStatus::Failed);
            }
            match arguments.format {
                Form::Text if output.is_empty() => output.write_text(&report.to_text()),
                Form::Text => output.write_text(&format!("\n{}", report.to_text())),
                Form::Json => output.write((report.to_json() + "\n").as_bytes()),
            }
        }
        Err(error) => {
            error.print();
            status = status.worse(ExitStatus::NotDone);
            match arguments.format {
                Form::Text => Ok(()),
                Form::Json => output
                    .write(format!("{}\n", CertificateReport::error_json(&name(path), error.message())).as_bytes()),
            }
        }
    });
    match written.and_then(|()| output.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(status),
    }
}
