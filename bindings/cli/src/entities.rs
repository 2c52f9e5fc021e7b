//! Lists of trusted entities (TS 119 602): what they say, and their certificates as trust anchors where that is asked for.

use crate::error::CliError;
use crate::input;
use crate::lists::day;
use crate::output::line;
use crate::terminal::print_note;
use crate::trust::certificate;
use lacre::{
    Time, Validator,
    trust::{Lote, read_lote},
};
use std::path::{Path, PathBuf};

/// Lists of trusted entities.
#[derive(Debug, clap::Args)]
pub struct EntityArguments {
    /// A list of trusted entities (TS 119 602, JSON or XML), the certificates of whose services are trusted as those are
    /// that `--trust-anchor` names: nothing becomes qualified by them.
    #[arg(long, value_name = "FILE", requires = "entities_signer")]
    trusted_entities: Vec<PathBuf>,
    /// A certificate that may sign the list of trusted entities (DER or PEM).
    #[arg(long, value_name = "CERT", requires = "trusted_entities")]
    entities_signer: Vec<PathBuf>,
    /// Trust services of this type only, as in http://uri.etsi.org/19602/SvcType/WRPAC/Issuance.
    #[arg(long, value_name = "URI", requires = "trusted_entities")]
    entities_service: Option<String>,
}

impl EntityArguments {
    /// Returns whether any list is named.
    pub fn are_given(&self) -> bool {
        !self.trusted_entities.is_empty()
    }

    /// Makes the validator trust the certificates of the lists, too.
    pub fn trusted_by(&self, mut validator: Validator) -> Result<Validator, CliError> {
        let signers = self.entities_signer.iter().map(|path| certificate(path)).collect::<Result<Vec<_>, _>>()?;
        for path in &self.trusted_entities {
            let cli_error = |error: &dyn std::error::Error| CliError::new(path.display(), error);
            let read = read_lote(&input::open(path)?).map_err(|error| cli_error(&error))?;
            let wanted = self.entities_service.as_deref();
            let certificates = read.certificates_signed_by(&signers, wanted).map_err(|error| cli_error(&error))?;
            if certificates.is_empty() {
                return Err(CliError::plain(format!(
                    "{}: the list has no certificate of such a service",
                    path.display()
                )));
            }
            if read.list().next_update.is_some_and(|next| next <= input::now()) {
                print_note(&format!("{}: the next issue of the list of trusted entities is overdue", path.display()));
            }
            for der in certificates {
                validator = validator.trust_anchor(der).map_err(|error| cli_error(&error))?;
            }
        }
        Ok(validator)
    }
}

/// Returns what a file says, where it is a list of trusted entities.
pub fn shown(path: &Path, at: Time) -> Option<String> {
    let bytes = input::open(path).ok()?;
    let read = read_lote(&bytes).ok()?;
    Some(text(&path.display().to_string(), &read, at))
}

fn text(name: &str, read: &Lote, at: Time) -> String {
    let list = read.list();
    let number = list.sequence_number.map_or_else(|| "?".into(), |number| number.to_string());
    let expired = if list.next_update.is_some_and(|next| next <= at) { " (expired)" } else { "" };
    let services = || list.entities.iter().flat_map(|entity| &entity.services);
    let mut text = String::new();
    line!(
        text,
        "{:4} list of trusted entities {number}, issued {}, next update {}{expired}: {} entities, {} services",
        list.territory.as_deref().unwrap_or("?"),
        day(list.issue_date),
        day(list.next_update),
        list.entities.len(),
        services().count(),
    );
    line!(text, "     {name}");
    if let Some(kind) = &list.list_type {
        line!(text, "     {kind}");
    }
    match read.signer() {
        Ok(signer) => line!(text, "     signed by {}", signer.subject().rfc2253()),
        Err(defect) => line!(text, "     signature: {defect}"),
    };
    for entity in &list.entities {
        let name = entity.names.iter().find(|name| name.lang.starts_with("en")).or(entity.names.first());
        line!(text, "     {}", name.map_or("?", |name| &name.text));
        for service in &entity.services {
            let word = |uri: &Option<String>| uri.clone().unwrap_or_else(|| "?".into());
            let status = match (&service.status, service.is_in_force()) {
                (None, _) => String::new(),
                (Some(uri), true) => format!(", {uri}"),
                (Some(uri), false) => format!(", NOT IN FORCE: {uri}"),
            };
            let count = service.certificates.len();
            line!(text, "       {}: {count} certificates{status}", word(&service.service_type));
        }
    }
    text
}
