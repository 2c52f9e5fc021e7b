//! The report laid out for reading: the model in a language, as headings, rows, tables and figures.
//!
//! HTML and PDF are both set from a [`Sheet`], so that they say the same in the same order.

use super::figure::Figure;
use super::messages::{self, Key, Language, Phrase};
use super::model::{self, Check, Evidence, Model, Row, Saying, Section, Severity, State};
use super::visible::shortened;

/// A report in parts, each of which begins with a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The language of all its texts.
    pub language: Language,
    /// Its title.
    pub title: String,
    /// The parts, in the order of reading; the last says how it was judged.
    pub parts: Vec<Part>,
}

/// A part of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Whether what it tells of is valid.
    pub state: Option<State>,
    /// What stands in it.
    pub elements: Vec<Element>,
}

/// Something to be set.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// A heading of that level, 1 to 3.
    Heading(u8, String),
    /// A paragraph.
    Paragraph(String),
    /// The verdict.
    Verdict {
        /// Gives sign and colour.
        state: State,
        /// The verdict in a sentence.
        sentence: String,
        /// The same in ETSI's words.
        code: String,
    },
    /// Numbers with their labels.
    Counts(Vec<(String, String)>),
    /// Labels and values.
    Rows(Vec<(String, Vec<String>)>),
    /// What the checks noticed.
    Findings(Vec<Finding>),
    /// A list of sentences.
    List(Vec<String>),
    /// A time line.
    Figure(Figure),
    /// A table.
    Table {
        /// Each column's heading and its share of the width.
        columns: Vec<(String, f32)>,
        /// The cells of each row; the first heads the row. A cell has one or more lines.
        rows: Vec<Vec<Vec<String>>>,
    },
}

/// Something that the checks noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Gives the colour.
    pub severity: Severity,
    /// How much it weighs, in a word.
    pub weight: String,
    /// What was noticed.
    pub sentence: String,
    /// The values that were compared; may be empty.
    pub compared: String,
    /// The key of the check.
    pub key: String,
}

impl Sheet {
    /// The report on that model.
    pub fn of(model: &Model, language: Language) -> Self {
        let words = Words(language);
        let mut parts = vec![words.first(model)];
        parts.extend(model.sections.iter().map(|section| words.section(section)));
        parts.extend(words.evidence(&model.evidence));
        parts.extend(words.glossary(model));
        parts.push(words.judged(model));
        let title = match &model.name {
            Some(name) => Saying::text(Phrase::TitleOf).with("name", &**name).say(language),
            None => words.say(Phrase::Title).to_owned(),
        };
        Self { language, title, parts }
    }
}

/// Writes in a language.
struct Words(Language);

impl Words {
    fn say(&self, text: impl Into<Key>) -> &'static str {
        messages::phrase(self.0, text)
    }

    fn fill(&self, phrase: Phrase, values: &[(&str, &str)]) -> String {
        messages::fill(self.say(phrase), values)
    }

    fn heading(&self, level: u8, phrase: Phrase) -> Element {
        Element::Heading(level, self.say(phrase).to_owned())
    }

    /// The verdict on the whole.
    fn first(&self, model: &Model) -> Part {
        let verdict = Element::Verdict {
            state: model.state,
            sentence: model.sentence.say(self.0),
            code: model.indication.to_string(),
        };
        let counts = model.counts.iter().map(|(phrase, n)| (self.say(*phrase).to_owned(), n.to_string()));
        let mut elements = vec![
            self.heading(1, Phrase::Title),
            verdict,
            Element::Paragraph(model.meaning.say(self.0)),
            Element::Rows(self.rows(&model.about)),
            Element::Counts(counts.collect()),
        ];
        if !model.wanted.is_empty() {
            elements.push(self.heading(2, Phrase::WantedHeading));
            elements.push(Element::List(model.wanted.iter().map(|want| want.say(self.0)).collect()));
        }
        Part { state: Some(model.state), elements }
    }

    fn rows(&self, rows: &[Row]) -> Vec<(String, Vec<String>)> {
        let row = |row: &Row| {
            (self.say(row.label).to_owned(), row.values.iter().map(|value| value.say(self.0)).collect::<Vec<_>>())
        };
        rows.iter().map(row).collect()
    }

    /// One signature, or one proof of time.
    fn section(&self, section: &Section) -> Part {
        let verdict = Element::Verdict {
            state: section.state,
            sentence: section.sentence.say(self.0),
            code: section.code.clone(),
        };
        let mut elements = vec![Element::Heading(2, section.heading.say(self.0)), verdict];
        let reasons = [(Phrase::Why, &section.why), (Phrase::WhatWouldHelp, &section.help)];
        let reasons = reasons.into_iter().filter_map(|(label, value)| Some(Row::one(label, value.clone()?)));
        let rows: Vec<Row> = reasons.chain(section.rows.iter().cloned()).collect();
        elements.push(Element::Rows(self.rows(&rows)));
        if !section.findings.is_empty() {
            elements.push(self.heading(3, Phrase::Findings));
            elements.push(Element::Findings(section.findings.iter().map(|finding| self.finding(finding)).collect()));
        }
        if let Some(figure) = Figure::of(&section.timeline, self.0) {
            elements.push(self.heading(3, Phrase::TimeLine));
            let rows = figure.lines.iter().map(|l| vec![vec![l.label.clone()], vec![l.dates.clone()]]).collect();
            elements.push(Element::Figure(figure));
            elements.push(self.table(&[(Phrase::What, 0.5), (Phrase::When, 0.5)], rows));
        }
        if !section.checks.is_empty() {
            elements.push(self.heading(3, Phrase::Checks));
            let rows = section.checks.iter().map(|check| self.check(check)).collect();
            elements.push(self.table(&[(Phrase::Question, 0.56), (Phrase::Answer, 0.16), (Phrase::Code, 0.28)], rows));
        }
        Part { state: Some(section.state), elements }
    }

    fn finding(&self, finding: &model::Finding) -> Finding {
        Finding {
            severity: finding.severity,
            weight: self.say(finding.severity.word()).to_owned(),
            sentence: messages::sentence(self.0, finding.key).to_owned(),
            compared: finding.compared.as_deref().map_or_else(String::new, |values| shortened(values).0),
            key: finding.key.to_owned(),
        }
    }

    fn check(&self, check: &Check) -> Vec<Vec<String>> {
        let answer = match check.state {
            State::Valid => Phrase::AnswerYes,
            State::NotValid => Phrase::AnswerNo,
            State::Undecided | State::Nothing => Phrase::Undecided,
        };
        let code = format!("{}: {}", check.block, check.code);
        vec![vec![self.say(check.block).to_owned()], vec![self.say(answer).to_owned()], vec![code]]
    }

    fn table(&self, columns: &[(Phrase, f32)], rows: Vec<Vec<Vec<String>>>) -> Element {
        let columns = columns.iter().map(|(phrase, share)| (self.say(*phrase).to_owned(), *share)).collect();
        Element::Table { columns, rows }
    }

    /// What the verdicts rest on; nothing where there is nothing.
    fn evidence(&self, evidence: &Evidence) -> Option<Part> {
        let when = |time| Saying::Time(time).say(self.0);
        let maybe = |time: Option<crate::time::Time>| time.map_or_else(|| self.say(Phrase::NotStated).to_owned(), when);
        let digest = |sha256: &String| vec![sha256.clone()];
        let mut elements = vec![self.heading(2, Phrase::Evidence)];
        if !evidence.certificates.is_empty() {
            elements.push(self.heading(3, Phrase::Certificates));
            let rows = evidence.certificates.iter().map(|c| {
                let issuer = self.fill(Phrase::IssuedByName, &[("name", &c.issuer.say(self.0))]);
                let trusted = c.trusted.then(|| self.say(Phrase::TrustAnchor).to_owned());
                let serial = self.fill(Phrase::SerialIs, &[("serial", &shortened(&c.serial).0)]);
                vec![
                    [c.holder.say(self.0), issuer, serial].into_iter().chain(trusted).collect(),
                    vec![when(c.not_before), when(c.not_after)],
                    digest(&c.sha256),
                ]
            });
            let columns = [(Phrase::Subject, 0.4), (Phrase::ValidFromTo, 0.23), (Phrase::Sha256, 0.37)];
            elements.push(self.table(&columns, rows.collect()));
        }
        if !evidence.revocations.is_empty() {
            elements.push(self.heading(3, Phrase::RevocationData));
            let rows = evidence.revocations.iter().map(|r| {
                let about = r.about.iter().map(|(name, says)| {
                    let says = says.say(self.0);
                    let name = name.say(self.0);
                    if says.is_empty() { name } else { format!("{name}: {says}") }
                });
                vec![
                    std::iter::once(r.kind.to_owned()).chain(about).collect(),
                    vec![maybe(r.this_update), maybe(r.next_update)],
                    digest(&r.sha256),
                ]
            });
            let columns = [(Phrase::About, 0.4), (Phrase::IssuedAndNext, 0.23), (Phrase::Sha256, 0.37)];
            elements.push(self.table(&columns, rows.collect()));
        }
        if !evidence.timestamps.is_empty() {
            elements.push(self.heading(3, Phrase::Timestamps));
            let rows = evidence.timestamps.iter().map(|t| {
                vec![
                    vec![t.kind.say(self.0), self.fill(Phrase::MadeByName, &[("name", &t.maker.say(self.0))])],
                    vec![when(t.time), self.say(t.state.word()).to_owned()],
                    digest(&t.sha256),
                ]
            });
            let columns = [(Phrase::What, 0.4), (Phrase::When, 0.23), (Phrase::Sha256, 0.37)];
            elements.push(self.table(&columns, rows.collect()));
        }
        if !evidence.lists.is_empty() {
            elements.push(self.heading(3, Phrase::TrustedLists));
            let rows = evidence.lists.iter().map(|l| {
                let number = l.number.map_or_else(String::new, |n| n.to_string());
                let country = l.country.as_deref().unwrap_or("–");
                vec![
                    vec![shortened(country).0],
                    vec![number],
                    vec![maybe(l.issued), maybe(l.next_update)],
                    vec![shortened(&l.url).0],
                ]
            });
            let columns =
                [(Phrase::Country, 0.14), (Phrase::Number, 0.12), (Phrase::IssuedAndNext, 0.24), (Phrase::Source, 0.5)];
            elements.push(self.table(&columns, rows.collect()));
        }
        (elements.len() > 1).then_some(Part { state: None, elements })
    }

    /// How it was judged, and what was not.
    fn judged(&self, model: &Model) -> Part {
        let policy = [("name", &*shortened(&model.policy.name).0), ("digest", &model.policy.sha256)];
        let lists = match model.evidence.lists.len() {
            0 => self.say(Phrase::JudgedNoLists).to_owned(),
            n => self.fill(Phrase::JudgedLists, &[("n", &n.to_string())]),
        };
        let elements = vec![
            self.heading(2, Phrase::Judged),
            Element::Paragraph(self.fill(Phrase::JudgedBy, &policy)),
            Element::Paragraph(lists),
            Element::Paragraph(self.fill(Phrase::JudgedSoftware, &[("version", env!("CARGO_PKG_VERSION"))])),
            Element::Paragraph(self.say(Phrase::NotJudged).to_owned()),
        ];
        Part { state: None, elements }
    }

    fn glossary(&self, model: &Model) -> Option<Part> {
        let rows =
            model.glossary.iter().map(|entry| vec![vec![entry.code.to_owned()], vec![entry.meaning.say(self.0)]]);
        let table = self.table(&[(Phrase::Code, 0.4), (Phrase::Meaning, 0.6)], rows.collect());
        let elements = vec![self.heading(2, Phrase::Glossary), table];
        (!model.glossary.is_empty()).then_some(Part { state: None, elements })
    }
}
