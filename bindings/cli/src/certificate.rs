//! `lacre certificate`: certificates judged by themselves.

use crate::input::{self, PolicyArguments};
use crate::online::{self, OnlineArguments};
use crate::output::{Form, put};
use crate::talk::{Status, Trouble};
use crate::trust::TrustArguments;
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
    /// Where the binding is, and its octets.
    binding: Option<(String, Vec<u8>)>,
    others: Vec<Vec<u8>>,
}

impl Site {
    fn read(arguments: &Arguments) -> Result<Option<Self>, Trouble> {
        let Some(url) = arguments.website.clone() else { return Ok(None) };
        let binding = match arguments.binding.as_deref().zip(arguments.binding_url.clone()) {
            Some((path, url)) => Some((url, input::open(path)?.to_vec())),
            None => None,
        };
        let read = |path: &PathBuf| Ok(decode_pem(&input::open(path)?).into_owned());
        let named = if binding.is_some() { arguments.certificates.get(1..).unwrap_or_default() } else { &[] };
        let others = named.iter().map(read).collect::<Result<_, Trouble>>()?;
        Ok(Some(Self { url, binding, others }))
    }

    fn judge(&self, validator: &Validator, octets: &[u8], time: Time) -> Result<CertificateReport, Error> {
        let others: Vec<&[u8]> = self.others.iter().map(Vec::as_slice).collect();
        let binding = self.binding.as_ref().map(|(url, octets)| Binding { url, octets, others: &others });
        validator.website(octets, &Website { url: &self.url, binding }, time)
    }
}

pub fn run(arguments: &Arguments) -> Result<Status, Trouble> {
    let validator = arguments.trust.validator(arguments.policy.read()?, arguments.at)?;
    let online = arguments.online.open()?;
    // Without --online every certificate is judged for the same moment.
    let fixed = arguments.at.or_else(|| online.is_none().then(input::now));
    let site = Site::read(arguments)?;
    let judge = |path: &Path, site: Option<&Site>| {
        let octets = input::open(path)?;
        let judged = online::judged(online.as_ref(), &validator, |validator| {
            let time = fixed.unwrap_or_else(input::now);
            match site {
                Some(site) => site.judge(validator, &octets, time),
                None => validator.certificate(&octets, time),
            }
        });
        let trouble = |error: Error| Trouble::new(path.display(), &error).hint(error.hint());
        let judged = judged.map_err(trouble)?;
        Ok::<_, Trouble>(
            judged.verdict.with_attempts(judged.attempts).named(input::name(path)).in_language(arguments.language),
        )
    };
    let mut written = String::new();
    let mut status = Status::Passed;
    for (at, path) in arguments.certificates.iter().enumerate() {
        if arguments.format == Form::Text && !written.is_empty() {
            written.push('\n');
        }
        match judge(path, site.as_ref().filter(|_| at == 0)) {
            Ok(report) => {
                written.push_str(&match arguments.format {
                    Form::Text => report.to_text(),
                    Form::Json => report.to_json() + "\n",
                });
                status = status.worse(report.indication().into());
                let not_qualified = |connection: &QualifiedConnection| connection.profile == QwacProfile::None;
                if report.connection().is_some_and(not_qualified) {
                    status = status.worse(Status::Failed);
                }
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
