//! The report for a terminal: the verdict first, then signer, time, scope, reason, and what would help.

use super::escape_control_chars;
use super::messages::{self, Key, Language, MessageId};
use super::model::{Finding, LocalizedText, Model, Row, Section};
use std::fmt::{self, Write as _};

/// Writes the report; no line depends on colour.
pub(super) fn write(model: &Model, language: Language) -> String {
    let mut text = String::new();
    Text { language, out: &mut text }.report(model).expect("writing into memory does not fail");
    text
}

/// Writes the report on a certificate, in the same lines.
pub(super) fn certificate(section: &Section, about: &[Row], wanted: &[LocalizedText], language: Language) -> String {
    let mut text = String::new();
    let mut out = Text { language, out: &mut text };
    let written = out.section(section).and_then(|()| out.rows(about, "    ")).and_then(|()| out.wanted(wanted));
    written.expect("writing into memory does not fail");
    text.trim_start().to_owned()
}

struct Text<'a> {
    language: Language,
    out: &'a mut String,
}

impl Text<'_> {
    fn text(&self, id: impl Into<Key>) -> &'static str {
        messages::text(self.language, id)
    }

    fn report(&mut self, model: &Model) -> fmt::Result {
        let name = model.name.as_deref().map_or_else(String::new, |name| format!("  {}", escape_control_chars(name)));
        writeln!(self.out, "{} {}{name}", model.state.sign(), model.indication)?;
        writeln!(self.out, "  {}", model.sentence.text_in(self.language))?;
        writeln!(self.out, "  {}", model.meaning.text_in(self.language))?;
        let circumstances = model
            .about
            .iter()
            .filter(|row| matches!(row.label, MessageId::JudgedFor | MessageId::Rules | MessageId::Why));
        self.rows(&circumstances.cloned().collect::<Vec<_>>(), "  ")?;
        for section in &model.sections {
            self.section(section)?;
        }
        self.wanted(&model.wanted)
    }

    fn wanted(&mut self, wanted: &[LocalizedText]) -> fmt::Result {
        if !wanted.is_empty() {
            writeln!(self.out, "\n{}:", self.text(MessageId::WantedHeading))?;
            wanted.iter().try_for_each(|want| writeln!(self.out, "    {}", want.text_in(self.language)))?;
        }
        Ok(())
    }

    fn section(&mut self, section: &Section) -> fmt::Result {
        writeln!(self.out, "\n{} {}", section.state.sign(), section.heading.text_in(self.language))?;
        writeln!(self.out, "    {} ({})", section.sentence.text_in(self.language), section.code)?;
        let mut rows = vec![];
        rows.extend(section.why.clone().map(|why| Row::one(MessageId::Why, why)));
        rows.extend(section.help.clone().map(|help| Row::one(MessageId::WhatWouldHelp, help)));
        rows.extend_from_slice(&section.rows);
        self.rows(&rows, "    ")?;
        section.findings.iter().try_for_each(|finding| self.finding(finding))?;
        if !section.qualification.is_empty() {
            writeln!(self.out, "    {}:", self.text(MessageId::QualificationFindings))?;
        }
        section.qualification.iter().try_for_each(|finding| self.finding(finding))
    }

    /// Writes labels in a column, and values beside them.
    fn rows(&mut self, rows: &[Row], indent: &str) -> fmt::Result {
        let width = rows.iter().map(|row| self.text(row.label).chars().count()).max().unwrap_or(0);
        for row in rows {
            let mut label = self.text(row.label);
            for value in &row.values {
                writeln!(self.out, "{indent}{label:<width$}  {}", value.text_in(self.language))?;
                label = "";
            }
        }
        Ok(())
    }

    fn finding(&mut self, finding: &Finding) -> fmt::Result {
        let weight = self.text(finding.severity.word());
        write!(self.out, "    {weight}: {}", finding.sentence().text_in(self.language))?;
        if let Some(compared) = &finding.compared {
            write!(self.out, " [{}]", escape_control_chars(compared))?;
        }
        writeln!(self.out, " ({})", finding.key)
    }
}
