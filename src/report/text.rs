//! The report for a terminal: the verdict first, then who, when, what, why, and what would help.

use super::messages::{self, Key, Language, Phrase};
use super::model::{Finding, Model, Row, Saying, Section};
use super::visible::visible;
use std::fmt::{self, Write as _};

/// Writes the report; no line depends on colour.
pub(super) fn write(model: &Model, language: Language) -> String {
    let mut text = String::new();
    Text { language, out: &mut text }.report(model).expect("writing into memory does not fail");
    text
}

/// Writes the report on a certificate, in the same lines.
pub(super) fn certificate(section: &Section, about: &[Row], wanted: &[Saying], language: Language) -> String {
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
    fn say(&self, text: impl Into<Key>) -> &'static str {
        messages::phrase(self.language, text)
    }

    fn report(&mut self, model: &Model) -> fmt::Result {
        let name = model.name.as_deref().map_or_else(String::new, |name| format!("  {}", visible(name)));
        writeln!(self.out, "{} {}{name}", model.state.sign(), model.indication)?;
        writeln!(self.out, "  {}", model.sentence.say(self.language))?;
        writeln!(self.out, "  {}", model.meaning.say(self.language))?;
        let circumstances = model.about.iter().filter(|row| matches!(row.label, Phrase::JudgedFor | Phrase::Rules));
        self.rows(&circumstances.cloned().collect::<Vec<_>>(), "  ")?;
        for section in &model.sections {
            self.section(section)?;
        }
        self.wanted(&model.wanted)
    }

    fn wanted(&mut self, wanted: &[Saying]) -> fmt::Result {
        if !wanted.is_empty() {
            writeln!(self.out, "\n{}:", self.say(Phrase::WantedHeading))?;
            wanted.iter().try_for_each(|want| writeln!(self.out, "    {}", want.say(self.language)))?;
        }
        Ok(())
    }

    fn section(&mut self, section: &Section) -> fmt::Result {
        writeln!(self.out, "\n{} {}", section.state.sign(), section.heading.say(self.language))?;
        writeln!(self.out, "    {} ({})", section.sentence.say(self.language), section.code)?;
        let mut rows = vec![];
        rows.extend(section.why.clone().map(|why| Row::one(Phrase::Why, why)));
        rows.extend(section.help.clone().map(|help| Row::one(Phrase::WhatWouldHelp, help)));
        rows.extend_from_slice(&section.rows);
        self.rows(&rows, "    ")?;
        section.findings.iter().try_for_each(|finding| self.finding(finding))
    }

    /// Labels in a column, values beside them.
    fn rows(&mut self, rows: &[Row], indent: &str) -> fmt::Result {
        let width = rows.iter().map(|row| self.say(row.label).chars().count()).max().unwrap_or(0);
        for row in rows {
            let mut label = self.say(row.label);
            for value in &row.values {
                writeln!(self.out, "{indent}{label:<width$}  {}", value.say(self.language))?;
                label = "";
            }
        }
        Ok(())
    }

    fn finding(&mut self, finding: &Finding) -> fmt::Result {
        let weight = self.say(finding.severity.word());
        let sentence = messages::sentence(self.language, finding.key);
        write!(self.out, "    {weight}: {sentence}")?;
        if let Some(compared) = &finding.compared {
            write!(self.out, " [{}]", visible(compared))?;
        }
        // A key without a sentence has said its name already.
        if sentence == finding.key { writeln!(self.out) } else { writeln!(self.out, " ({})", finding.key) }
    }
}
