//! The layout of the report for reading: the model in a language, as headings, rows, tables and figures.
//!
//! HTML and PDF are both written from a [`Layout`], so that they have the same contents in the same order.

use super::escape::shortened;
use super::figure::Figure;
use super::messages::{self, CommonId, Key, Language, MessageId};
use super::model::{self, Check, Evidence, LocalizedText, Model, Row, Section, State, day};
use super::view::Severity;
use crate::time::Time;

/// A report in parts, each of which begins with a heading.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The language of all its texts.
    pub language: Language,
    /// Its title.
    pub title: String,
    /// The parts, in the order of reading; the last is about the policy and the software.
    pub parts: Vec<Part>,
}

/// A part of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The verdict on what it is about.
    pub state: Option<State>,
    /// Its elements.
    pub elements: Vec<Element>,
}

/// An element of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Element {
    /// A heading of that level, 1 to 3.
    Heading(u8, String),
    /// A paragraph.
    Paragraph(String),
    /// The verdict.
    Verdict {
        /// The verdict as a reader sees it, which gives sign and colour.
        state: State,
        /// The verdict in a sentence.
        sentence: String,
        /// The verdict in ETSI's words.
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
    /// Its weight, which gives the colour.
    pub severity: Severity,
    /// Its weight in a word.
    pub weight: String,
    /// What the check noticed, and about what.
    pub sentence: String,
    /// The values that were compared; may be empty.
    pub compared: String,
    /// The key of the check.
    pub key: String,
}

impl Layout {
    /// Lays a model out in a language.
    pub fn of(model: &Model, language: Language) -> Self {
        let words = Words(language);
        let mut parts = vec![words.first(model)];
        let detail = Detail::of(model.sections.len());
        parts.extend(model.sections.iter().filter_map(|section| words.section(section, detail)));
        parts.extend(words.evidence(&model.evidence, detail));
        parts.extend(words.glossary(model));
        parts.push(words.judged(model));
        let title = match &model.name {
            Some(name) => LocalizedText::new(MessageId::TitleOf).with("name", &**name).text_in(language),
            None => words.text(MessageId::Title).to_owned(),
        };
        Self { language, title, parts }
    }
}

/// How much a report says of each section. The first page lists all of them with their reasons in each case, and the reports
/// for machines have all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Everything: of a few sections.
    Full,
    /// Who, when and what, why a valid one is trusted, reason and findings.
    Short,
    /// Nothing beside the line on the first page: of very many sections.
    Listed,
}

impl Detail {
    /// The most sections that are written in full, and the most that are written in short.
    const FULL: usize = 6;
    const SHORT: usize = 40;

    /// Returns how much is said where there are that many sections.
    fn of(sections: usize) -> Self {
        if sections <= Self::FULL {
            Self::Full
        } else if sections <= Self::SHORT {
            Self::Short
        } else {
            Self::Listed
        }
    }

    /// Returns whether a row of a section is said: in short neither what the table on the first page says, nor what another
    /// row or a finding implies.
    fn has(self, label: MessageId, section: &Section) -> bool {
        use MessageId::{ChangedSince, Covers, For, Legally, MadeAt, MadeBy, Proves, SignedAt, Signer, TrustedBecause};
        self == Self::Full
            || match label {
                Signer | For | Legally | SignedAt | ChangedSince | MadeBy | MadeAt | Proves => true,
                TrustedBecause => section.state == State::Valid,
                Covers => !section.rows.iter().any(|row| row.label == ChangedSince),
                _ => false,
            }
    }
}

/// How many digits of a digest name a token where there are many.
const BEGINNING: usize = 16;

/// Writes in a language.
struct Words(Language);

impl Words {
    fn text(&self, id: impl Into<Key>) -> &'static str {
        messages::text(self.0, id)
    }

    fn fill(&self, id: MessageId, values: &[(&str, &str)]) -> String {
        messages::fill(self.text(id), values)
    }

    fn heading(&self, level: u8, id: MessageId) -> Element {
        Element::Heading(level, self.text(id).to_owned())
    }

    /// Returns the part on the document as a whole.
    fn first(&self, model: &Model) -> Part {
        let verdict = Element::Verdict {
            state: model.state,
            sentence: model.sentence.text_in(self.0),
            code: model.indication.to_string(),
        };
        let counts = model.counts.iter().map(|(id, n)| (self.text(*id).to_owned(), n.to_string()));
        let mut elements = vec![
            self.heading(1, MessageId::Title),
            verdict,
            Element::Paragraph(model.meaning.text_in(self.0)),
            Element::Rows(self.rows(&model.about)),
            Element::Counts(counts.collect()),
        ];
        elements.extend(self.overview(model));
        if !model.wanted.is_empty() {
            elements.push(self.heading(2, MessageId::WantedHeading));
            elements.push(Element::List(model.wanted.iter().map(|want| want.text_in(self.0)).collect()));
        }
        Part { state: Some(model.state), elements }
    }

    /// Returns a table of all sections, where there are several: number and name, verdict, time.
    fn overview(&self, model: &Model) -> Option<Element> {
        let detail = Detail::of(model.sections.len());
        let row = |section: &Section| {
            let times = section.timeline.events.iter().filter(|event| event.what == MessageId::EventProven.into());
            vec![
                vec![section.heading.text_in(self.0)],
                std::iter::once(section.code.clone())
                    .chain(section.why.as_ref().filter(|_| detail == Detail::Listed).map(|why| why.text_in(self.0)))
                    .collect(),
                times.map(|event| day(event.time)).collect(),
            ]
        };
        let rows: Vec<_> = model.sections.iter().map(row).collect();
        let columns = [(MessageId::What, 0.34), (MessageId::Code, 0.5), (MessageId::NoLaterThan, 0.16)];
        (rows.len() > 1).then(|| self.table(&columns, rows))
    }

    fn rows(&self, rows: &[Row]) -> Vec<(String, Vec<String>)> {
        let row = |row: &Row| {
            (self.text(row.label).to_owned(), row.values.iter().map(|value| value.text_in(self.0)).collect::<Vec<_>>())
        };
        rows.iter().map(row).collect()
    }

    /// Returns the part on one signature, or on one proof of time; `None` where the first page has said enough.
    fn section(&self, section: &Section, detail: Detail) -> Option<Part> {
        if detail == Detail::Listed {
            return None;
        }
        let verdict = Element::Verdict {
            state: section.state,
            sentence: section.sentence.text_in(self.0),
            code: section.code.clone(),
        };
        let mut elements = vec![Element::Heading(2, section.heading.text_in(self.0)), verdict];
        // What would help stands on the first page.
        let help = if detail == Detail::Full { &section.help } else { &None };
        // In short, a finding that says the same is the explanation.
        let is_said = |why: &LocalizedText| {
            let why = why.text_in(self.0);
            section.findings.iter().any(|finding| LocalizedText::sentence(finding.key).text_in(self.0) == why)
        };
        let why = section.why.as_ref().filter(|why| detail == Detail::Full || !is_said(why)).cloned();
        let reasons = [(MessageId::Why, &why), (MessageId::WhatWouldHelp, help)];
        let reasons = reasons.into_iter().filter_map(|(label, value)| Some(Row::one(label, value.clone()?)));
        let said = section.rows.iter().filter(|row| detail.has(row.label, section)).cloned();
        let rows: Vec<Row> = reasons.chain(said).collect();
        elements.push(Element::Rows(self.rows(&rows)));
        if !section.findings.is_empty() {
            if detail == Detail::Full {
                elements.push(self.heading(3, MessageId::Findings));
            }
            elements.push(Element::Findings(section.findings.iter().map(|finding| self.finding(finding)).collect()));
        }
        if detail == Detail::Short {
            return Some(Part { state: Some(section.state), elements });
        }
        if !section.qualification.is_empty() {
            elements.push(self.heading(3, MessageId::QualificationFindings));
            let findings = section.qualification.iter().map(|finding| self.finding(finding));
            elements.push(Element::Findings(findings.collect()));
        }
        if !section.steps.is_empty() {
            elements.push(self.heading(3, MessageId::QualificationSteps));
            elements.push(Element::Rows(self.rows(&section.steps)));
        }
        if let Some(figure) = Figure::of(&section.timeline, self.0) {
            elements.push(self.heading(3, MessageId::TimeLine));
            let rows = figure.lines.iter().map(|l| vec![vec![l.label.clone()], vec![l.dates.clone()]]).collect();
            elements.push(Element::Figure(figure));
            elements.push(self.table(&[(MessageId::What, 0.5), (MessageId::When, 0.5)], rows));
        }
        if !section.checks.is_empty() {
            elements.push(self.heading(3, MessageId::Checks));
            let rows = section.checks.iter().map(|check| self.check(check)).collect();
            elements.push(
                self.table(&[(MessageId::Question, 0.44), (MessageId::Answer, 0.15), (MessageId::Code, 0.41)], rows),
            );
        }
        Some(Part { state: Some(section.state), elements })
    }

    fn finding(&self, finding: &model::Finding) -> Finding {
        Finding {
            severity: finding.severity,
            weight: self.text(finding.severity.word()).to_owned(),
            sentence: finding.sentence().text_in(self.0),
            compared: finding.compared.as_deref().map_or_else(String::new, |values| shortened(values).0),
            key: finding.key.to_owned(),
        }
    }

    fn check(&self, check: &Check) -> Vec<Vec<String>> {
        let answer = match check.state {
            State::Valid => MessageId::AnswerYes,
            State::NotValid => MessageId::AnswerNo,
            State::Undecided | State::Nothing => MessageId::Undecided,
        };
        let code = format!("{}: {}", check.block, check.code);
        vec![vec![self.text(check.block).to_owned()], vec![self.text(answer).to_owned()], vec![code]]
    }

    fn table(&self, columns: &[(MessageId, f32)], rows: Vec<Vec<Vec<String>>>) -> Element {
        let columns = columns.iter().map(|(id, share)| (self.text(*id).to_owned(), *share)).collect();
        Element::Table { columns, rows }
    }

    /// Returns the part on the validation data that the verdicts rest on; `None` where there is none.
    fn evidence(&self, evidence: &Evidence, detail: Detail) -> Option<Part> {
        // Of many, the day and the beginning of the digest are enough to find one in the attached reports.
        let when = |time| match detail {
            Detail::Full => LocalizedText::Time(time).text_in(self.0),
            Detail::Short | Detail::Listed => day(time),
        };
        let maybe = |time: Option<Time>| time.map_or_else(|| self.text(CommonId::NotStated).to_owned(), when);
        let digest = |sha256: &String| match detail {
            Detail::Full => vec![sha256.clone()],
            Detail::Short | Detail::Listed => vec![sha256.chars().take(BEGINNING).collect()],
        };
        let dates = |first: String, second: String| match detail {
            Detail::Full => vec![first, second],
            Detail::Short | Detail::Listed => vec![format!("{first} – {second}")],
        };
        let columns = |[token, dates]: [MessageId; 2]| match detail {
            Detail::Full => [(token, 0.4), (dates, 0.23), (MessageId::Sha256, 0.37)],
            Detail::Short | Detail::Listed => [(token, 0.53), (dates, 0.26), (MessageId::Sha256, 0.21)],
        };
        let mut elements = vec![self.heading(2, MessageId::Evidence)];
        if !evidence.certificates.is_empty() {
            elements.push(self.heading(3, MessageId::Certificates));
            let rows = evidence.certificates.iter().map(|c| {
                let issuer = self.fill(MessageId::IssuedByName, &[("name", &c.issuer.text_in(self.0))]);
                let trusted = c.trusted.then(|| self.text(MessageId::TrustAnchor).to_owned());
                let serial = self.fill(MessageId::SerialIs, &[("serial", &shortened(&c.serial).0)]);
                let serial = (detail == Detail::Full).then_some(serial);
                vec![
                    [c.holder.text_in(self.0), issuer].into_iter().chain(serial).chain(trusted).collect(),
                    dates(when(c.not_before), when(c.not_after)),
                    digest(&c.sha256),
                ]
            });
            elements.push(self.table(&columns([MessageId::Subject, MessageId::ValidFromTo]), rows.collect()));
        }
        if !evidence.revocations.is_empty() {
            elements.push(self.heading(3, MessageId::RevocationData));
            let rows = evidence.revocations.iter().map(|r| {
                let about = r.about.iter().map(|(name, says)| {
                    let says = says.text_in(self.0);
                    let name = name.text_in(self.0);
                    if says.is_empty() { name } else { format!("{name}: {says}") }
                });
                vec![
                    std::iter::once(r.kind.to_owned()).chain(about).collect(),
                    dates(maybe(r.this_update), maybe(r.next_update)),
                    digest(&r.sha256),
                ]
            });
            elements.push(self.table(&columns([MessageId::About, MessageId::IssuedAndNext]), rows.collect()));
        }
        // Where the first page lists the time-stamps, they stand there.
        if !evidence.timestamps.is_empty() && detail != Detail::Listed {
            elements.push(self.heading(3, MessageId::Timestamps));
            let rows = evidence.timestamps.iter().map(|t| {
                vec![
                    vec![
                        t.kind.text_in(self.0),
                        self.fill(MessageId::MadeByName, &[("name", &t.maker.text_in(self.0))]),
                    ],
                    dates(when(t.time), self.text(t.state.word()).to_owned()),
                    digest(&t.sha256),
                ]
            });
            elements.push(self.table(&columns([MessageId::What, MessageId::When]), rows.collect()));
        }
        if !evidence.lists.is_empty() {
            elements.push(self.heading(3, MessageId::TrustedLists));
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
            let columns = [
                (MessageId::Country, 0.14),
                (MessageId::Number, 0.12),
                (MessageId::IssuedAndNext, 0.24),
                (MessageId::Source, 0.5),
            ];
            elements.push(self.table(&columns, rows.collect()));
        }
        (elements.len() > 1).then_some(Part { state: None, elements })
    }

    /// Returns the part on policy and software, and on what is not judged.
    fn judged(&self, model: &Model) -> Part {
        let policy = [("name", &*shortened(&model.policy.name).0), ("digest", &model.policy.sha256)];
        let lists = match model.evidence.lists.len() {
            0 => self.text(MessageId::JudgedNoLists).to_owned(),
            n => self.fill(MessageId::JudgedLists, &[("n", &n.to_string())]),
        };
        let elements = vec![
            self.heading(2, MessageId::Judged),
            Element::Paragraph(self.fill(MessageId::JudgedBy, &policy)),
            Element::Paragraph(lists),
            Element::Paragraph(self.fill(MessageId::JudgedSoftware, &[("version", env!("CARGO_PKG_VERSION"))])),
            Element::Paragraph(self.text(MessageId::NotJudged).to_owned()),
        ];
        Part { state: None, elements }
    }

    fn glossary(&self, model: &Model) -> Option<Part> {
        let rows =
            model.glossary.iter().map(|entry| vec![vec![entry.code.to_owned()], vec![entry.meaning.text_in(self.0)]]);
        let table = self.table(&[(MessageId::Code, 0.4), (MessageId::Meaning, 0.6)], rows.collect());
        let elements = vec![self.heading(2, MessageId::Glossary), table];
        (!model.glossary.is_empty()).then_some(Part { state: None, elements })
    }
}
