//! Results of several files: `--summary`, and JSON that names the file of each result.

use crate::error::CliError;
use crate::output::{Form, line};
use lacre::{Report, report::Indication};
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// What is said of a report in one line.
#[derive(Debug, Serialize)]
pub struct Summary {
    indication: Indication,
    /// Those of the signatures, each once.
    sub_indications: Vec<&'static str>,
    signatures: usize,
}

impl From<&Report> for Summary {
    fn from(report: &Report) -> Self {
        let mut sub_indications = vec![];
        for sub_indication in report.signatures().filter_map(|signature| signature.sub_indication()) {
            if !sub_indications.contains(&sub_indication.as_str()) {
                sub_indications.push(sub_indication.as_str());
            }
        }
        Self { indication: report.indication(), sub_indications, signatures: report.signatures().count() }
    }
}

/// The counts of all files.
#[derive(Debug, Default, Serialize)]
pub struct Totals {
    files: usize,
    #[serde(rename = "TOTAL-PASSED")]
    passed: usize,
    #[serde(rename = "TOTAL-FAILED")]
    failed: usize,
    #[serde(rename = "INDETERMINATE")]
    indeterminate: usize,
    #[serde(rename = "NO_SIGNATURE_FOUND")]
    no_signature: usize,
    #[serde(rename = "ERROR")]
    error: usize,
}

impl Totals {
    /// Counts a file.
    pub fn count(&mut self, outcome: Result<&Summary, &CliError>) {
        self.files += 1;
        let count = match outcome.map(|summary| summary.indication) {
            Ok(Indication::TotalPassed) => &mut self.passed,
            Ok(Indication::TotalFailed) => &mut self.failed,
            Ok(Indication::NoSignatureFound) => &mut self.no_signature,
            Ok(_) => &mut self.indeterminate,
            Err(_) => &mut self.error,
        };
        *count += 1;
    }

    /// Returns the last line.
    ///
    /// # Errors
    ///
    /// When the totals cannot be written as JSON.
    pub fn line(&self, form: Form) -> Result<String, CliError> {
        if form == Form::Json {
            #[derive(Serialize)]
            struct Line<'a> {
                totals: &'a Totals,
            }
            return json_line(&Line { totals: self });
        }
        let counts = [
            (self.passed, "TOTAL-PASSED"),
            (self.failed, "TOTAL-FAILED"),
            (self.indeterminate, "INDETERMINATE"),
            (self.no_signature, "NO_SIGNATURE_FOUND"),
            (self.error, "ERROR"),
        ];
        let words: Vec<String> =
            counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        let files = if self.files == 1 { "file" } else { "files" };
        Ok(format!("{} {files}: {}\n", self.files, words.join(", ")))
    }
}

/// A file, what came of it, and where its report is.
#[derive(Clone, Copy)]
pub struct FileSummary<'a> {
    pub path: &'a Path,
    pub outcome: Result<&'a Summary, &'a CliError>,
    pub output: Option<&'a Path>,
}

impl FileSummary<'_> {
    /// Returns the line of the file: its verdict, its path as given, its output.
    ///
    /// # Errors
    ///
    /// When it cannot be written as JSON.
    pub fn line(&self, form: Form) -> Result<String, CliError> {
        match form {
            Form::Text => Ok(self.text_line()),
            Form::Json => self.json_line(),
        }
    }

    fn text_line(&self) -> String {
        let mut text = String::new();
        match self.outcome {
            Ok(summary) => {
                let reasons = match summary.sub_indications.join(", ") {
                    none if none.is_empty() => none,
                    reasons => format!("  ({reasons})"),
                };
                let output = self.output.map_or_else(String::new, |output| format!(" -> {}", output.display()));
                line!(text, "{:<18}  {}{output}{reasons}", summary.indication, self.path.display());
            }
            Err(_) => line!(text, "{:<18}  {}", "ERROR", self.path.display()),
        }
        text
    }

    fn json_line(&self) -> Result<String, CliError> {
        #[derive(Serialize)]
        struct Line<'a> {
            path: Cow<'a, str>,
            #[serde(flatten)]
            summary: Option<&'a Summary>,
            #[serde(skip_serializing_if = "Option::is_none")]
            output: Option<Cow<'a, str>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            error: Option<&'a CliError>,
        }
        json_line(&Line {
            path: self.path.to_string_lossy(),
            summary: self.outcome.ok(),
            output: self.output.filter(|_| self.outcome.is_ok()).map(Path::to_string_lossy),
            error: self.outcome.err(),
        })
    }
}

/// Returns the error about a file as an object of its own.
///
/// # Errors
///
/// When it cannot be written as JSON.
pub fn json_error(path: &Path, error: &CliError) -> Result<String, CliError> {
    FileSummary { path, outcome: Err(error), output: None }.line(Form::Json)
}

/// Returns the report of one of several files: an object with the path as given.
///
/// # Errors
///
/// When the path cannot be written as JSON.
pub fn json_report(path: &Path, report: &str) -> Result<String, CliError> {
    let path = json_line(&path.to_string_lossy())?;
    Ok(format!("{{\"path\":{},\"report\":{}}}\n", path.trim_end(), report.trim_end()))
}

fn json_line(value: &impl Serialize) -> Result<String, CliError> {
    let json = serde_json::to_string(value).map_err(|error| CliError::new("a result", &error))?;
    Ok(json + "\n")
}
