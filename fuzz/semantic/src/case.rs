//! One changed document: which original, which changes, how they are written.

use crate::json::Jws;
use crate::message::Message;
use crate::original::{Matter, Original, Paper};
use crate::paper::Draft;
use crate::random::Random;
use crate::seen::{Readers, Seen, differences};
use crate::{container, json, message, paper, text};
use lacre_testkit::lab::{Answer, Lab, Signed};
use lacre_testkit::pdf::{Carrier, Field, Form, Objects, Pdf, SECOND};

/// A change with the numbers that it takes.
#[derive(Clone, Copy)]
pub struct Step {
    edit: usize,
    seed: u64,
}

/// A changed document before it is made.
#[derive(Clone)]
pub struct Case {
    pub original: usize,
    steps: Vec<Step>,
    carrier: Carrier,
    /// Signed again by another over the changes.
    again: bool,
    tail: usize,
}

/// A changed document.
pub struct Mutant {
    pub bytes: Vec<u8>,
    pub contents: Vec<(String, Vec<u8>)>,
}

/// Bytes behind a PDF. The first two are harmless.
const TAILS: [(&str, &[u8]); 8] = [
    ("", b""),
    ("line ends behind", b"\r\n\r\n"),
    ("text behind", b"The buyer pays 1,000,000 euros.\n"),
    ("an end behind", b"%%EOF\n"),
    ("zeros behind", &[0; 600]),
    ("HTML behind", b"<html><body>The buyer pays 1,000,000 euros.</body></html>"),
    ("a PDF behind", b"\n"),
    ("a ZIP behind", b"\n"),
];

/// Permitted changes that may be refused all the same.
const LIES: [&str; 5] = ["field_lies", "tick_lies", "choice_lies", "free_text_added", "attachment_annotation"];

/// Ways to write an update that standards have.
const HONEST: [Carrier; 4] = [Carrier::Table, Carrier::Stream, Carrier::Packed, Carrier::TwoUpdates];

/// The name and the harmlessness of the edits of a kind of document.
fn edits(original: &Original) -> Vec<(&'static str, bool)> {
    match &original.matter {
        Matter::Pdf(paper) => paper::all().map(|edit| (edit.name, (edit.permitted)(paper))).collect(),
        Matter::Zip(_) => container::EDITS.iter().map(|edit| (edit.name, edit.harmless)).collect(),
        Matter::Xml(_) => text::EDITS.iter().map(|edit| (edit.name, edit.harmless)).collect(),
        Matter::Cms(_) => message::EDITS.iter().map(|edit| (edit.name, edit.harmless)).collect(),
        Matter::Json(_) => json::EDITS.iter().map(|edit| (edit.name, edit.harmless)).collect(),
    }
}

impl Case {
    /// The case of a seed.
    pub fn of(seed: u64, originals: &[Original]) -> Self {
        let mut random = Random(seed);
        // PDF has most of the ways: half of the cases, and more.
        let wanted = random.below(12);
        let kind = |original: &Original| match original.matter {
            Matter::Pdf(_) => wanted < 6,
            Matter::Zip(_) => wanted == 6 || wanted == 7,
            Matter::Xml(_) => wanted == 8 || wanted == 9,
            Matter::Cms(_) => wanted == 10,
            Matter::Json(_) => wanted == 11,
        };
        let such: Vec<usize> = (0..originals.len()).filter(|at| kind(&originals[*at])).collect();
        let original = such[random.below(such.len())];
        let all = edits(&originals[original]);
        let count = [1, 1, 1, 2, 2, 3][random.below(6)];
        let steps = (0..count).map(|_| Step { edit: random.below(all.len()), seed: random.next() }).collect();
        let carrier = match random.chance(2) {
            true => HONEST[random.below(HONEST.len())],
            false => Carrier::ALL[random.below(Carrier::ALL.len())],
        };
        let again = random.chance(12) && HONEST[..3].contains(&carrier);
        let tail = if random.chance(10) { random.below(TAILS.len()) } else { 0 };
        Self { original, steps, carrier, again, tail }
    }

    /// What is done, in words.
    pub fn describe(&self, originals: &[Original]) -> String {
        let original = &originals[self.original];
        let all = edits(original);
        let mut parts: Vec<String> = self.steps.iter().map(|step| all[step.edit].0.to_owned()).collect();
        parts.sort();
        if let Matter::Pdf(_) = original.matter {
            if self.carrier != Carrier::Table {
                parts.push(format!("{:?}", self.carrier));
            }
            if self.again {
                parts.push("then signed by another".into());
            }
            if self.tail > 0 {
                parts.push(TAILS[self.tail].0.into());
            }
        }
        parts.join(" + ")
    }

    /// What is done, each by itself, after the kind of the document.
    pub fn names(&self, originals: &[Original]) -> Vec<String> {
        let original = &originals[self.original];
        let matter = original.name.split(':').next().unwrap_or_default();
        let all = edits(original);
        let mut names: Vec<String> = self.steps.iter().map(|step| format!("{matter} {}", all[step.edit].0)).collect();
        if let Matter::Pdf(_) = original.matter {
            names.push(format!("{matter} as {:?}", self.carrier));
        }
        names
    }

    /// The same with its first change alone, written as standards have it or not.
    pub fn single(&self) -> Self {
        Self { steps: self.steps[..1].to_vec(), again: false, tail: 0, ..self.clone() }
    }

    /// Whether everything in it is harmless.
    pub fn harmless(&self, originals: &[Original]) -> bool {
        let all = edits(&originals[self.original]);
        let signed = match &originals[self.original].matter {
            Matter::Pdf(paper) if self.again => paper.p != Some(1) && !paper.locked,
            _ => true,
        };
        // What stands behind in a way that no tool writes is not honest.
        let honest = HONEST.contains(&self.carrier) && self.tail < 2;
        signed && honest && self.steps.iter().all(|step| all[step.edit].1 && !LIES.contains(&all[step.edit].0))
    }

    /// The same with nothing but what is harmless, honestly written.
    fn without_harm(&self, originals: &[Original]) -> Self {
        let all = edits(&originals[self.original]);
        let steps = self.steps.iter().copied().filter(|step| all[step.edit].1).collect();
        Self { steps, carrier: Carrier::Table, tail: 0, ..self.clone() }
    }

    /// The changed document; `None` where a change has no place in it.
    pub fn mutant(&self, lab: &Lab, originals: &[Original]) -> Option<Mutant> {
        let original = &originals[self.original];
        let contents = original.contents.clone();
        let bytes = match &original.matter {
            Matter::Pdf(paper) => self.page(lab, paper)?,
            Matter::Zip(zip) => {
                let mut zip = zip.clone();
                for step in &self.steps {
                    (container::EDITS[step.edit].make)(&mut zip, &mut Random(step.seed), lab)?;
                }
                zip.bytes()
            }
            Matter::Xml(text) => {
                let mut text = text.clone();
                for step in &self.steps {
                    (text::EDITS[step.edit].make)(&mut text, &mut Random(step.seed), lab)?;
                }
                text.into_bytes()
            }
            Matter::Cms(bytes) => {
                // What only another signed is another's document.
                let made = |name: &str| self.steps.iter().any(|step| message::EDITS[step.edit].name == name);
                (!(made("signers_removed") && made("signer_of_other_content"))).then_some(())?;
                let mut message = Message::of(bytes, &contents)?;
                for step in &self.steps {
                    (message::EDITS[step.edit].make)(&mut message, &mut Random(step.seed), lab)?;
                }
                return Some(Mutant { bytes: message.bytes(), contents: message.contents });
            }
            Matter::Json(value) => {
                let mut jws = Jws::of(value, &contents);
                for step in &self.steps {
                    (json::EDITS[step.edit].make)(&mut jws, &mut Random(step.seed), lab)?;
                }
                return Some(Mutant { bytes: jws.bytes(), contents: jws.contents });
            }
        };
        Some(Mutant { bytes, contents })
    }

    fn page(&self, lab: &Lab, paper: &Paper) -> Option<Vec<u8>> {
        let mut draft = Draft::of(lab, &paper.pdf);
        for step in &self.steps {
            (paper::all().nth(step.edit)?.make)(&mut draft, &mut Random(step.seed))?;
        }
        let mut bytes = match self.again {
            true => {
                let mut pdf = paper.pdf.clone();
                pdf.form = match self.carrier {
                    Carrier::Stream => Form::Stream,
                    Carrier::Packed => Form::Packed,
                    _ => Form::Table,
                };
                if !draft.changes.is_empty() {
                    pdf.update(draft.changes);
                }
                let next = pdf.free();
                let page = *pdf.objects.iter().find(|(_, object)| object.value.is("Type", "Page"))?.0;
                // The catalog may have lost its pages, and its form may be none.
                let catalog = &pdf.objects.get(&pdf.root)?.value;
                catalog.get("Pages")?;
                if let Some(form) = catalog.get("AcroForm").and_then(|form| form.reference()) {
                    pdf.objects.get(&form)?.value.entries().first()?;
                }
                let field = Field { field: next, value: next + 1, name: "Later", page, ..SECOND };
                pdf.sign_with(&field, Objects::new(), |bytes| lab.pades(&lab.bob, bytes));
                pdf.bytes
            }
            false if draft.changes.is_empty() => paper.pdf.bytes.clone(),
            false => paper.pdf.carried(&draft.changes, &draft.trailer, self.carrier),
        };
        bytes.extend(TAILS[self.tail].1);
        match TAILS[self.tail].0 {
            "a PDF behind" => bytes.extend(Pdf::page(lacre_testkit::pdf::EVIL, Objects::new()).bytes),
            "a ZIP behind" => bytes.extend(lacre_testkit::zip::Zip::of(&[("contract.txt", b"pay 900,000")]).bytes()),
            _ => {}
        }
        Some(bytes)
    }

    /// Smaller cases, each with one thing less.
    fn smaller(&self) -> Vec<Self> {
        let mut found = vec![];
        if self.tail > 0 {
            found.push(Self { tail: 0, ..self.clone() });
        }
        if self.again {
            found.push(Self { again: false, ..self.clone() });
        }
        if self.carrier != Carrier::Table {
            found.push(Self { carrier: Carrier::Table, ..self.clone() });
        }
        for at in 0..self.steps.len() {
            let mut steps = self.steps.clone();
            steps.remove(at);
            found.push(Self { steps, ..self.clone() });
        }
        found
    }
}

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// Something else is seen, and nothing says so.
    Unsaid,
    /// Nothing but what is harmless was done, and it does not pass without a warning.
    Refused,
}

/// What becomes of a case.
pub struct Outcome {
    /// Somebody sees something else.
    pub differs: bool,
    pub passes: bool,
    /// It does not pass, or it is said that something is not as it was signed.
    pub says: bool,
}

/// A case that went wrong.
pub struct Failure {
    pub wrong: Wrong,
    pub case: Case,
    pub answer: Answer,
    /// The readers that show something else.
    pub readers: Vec<&'static str>,
    pub mutant: Mutant,
}

/// Who judges, with what is known of the originals.
pub struct Judge<'a> {
    pub lab: &'a Lab,
    pub originals: &'a [Original],
    pub answers: &'a [Answer],
    pub sights: &'a [Seen],
    pub readers: Readers,
}

impl Judge<'_> {
    fn answer(&self, case: &Case, mutant: &Mutant) -> Answer {
        let original = &self.originals[case.original];
        self.lab.answer(&mutant.bytes, &original.file(), &mutant.contents)
    }

    /// What is said of the original's signatures, and of the document.
    fn about(&self, case: &Case, answer: &Answer) -> Answer {
        let ours = &self.answers[case.original].signatures;
        let others: Vec<&Signed> =
            answer.signatures.iter().filter(|one| ours.iter().all(|our| our.value != one.value)).collect();
        let mut answer = answer.clone();
        // What is said of those that came later is no word about the earlier ones.
        let only_others = |finding: &String| {
            let says = |one: &Signed| one.about.contains(finding);
            others.iter().any(|one| says(one))
                && !answer.signatures.iter().any(|one| says(one) && ours.iter().any(|our| our.value == one.value))
        };
        let about = answer.about.iter().filter(|finding| !only_others(finding)).cloned().collect();
        let signatures: Vec<Signed> =
            answer.signatures.iter().filter(|one| ours.iter().any(|our| our.value == one.value)).cloned().collect();
        answer
            .scopes
            .retain(|scope| scope != "FULL" || signatures.is_empty() || signatures.iter().any(|one| one.whole));
        Answer { about, signatures, ..answer }
    }

    /// Whether a finding is there that was not.
    fn finds(&self, case: &Case, answer: &Answer) -> bool {
        let before = &self.answers[case.original];
        self.about(case, answer).about.iter().any(|finding| !before.about.contains(finding))
    }

    /// Whether the answer would do, whatever is seen.
    fn says(&self, case: &Case, answer: &Answer) -> bool {
        let before = &self.answers[case.original];
        let new = self.finds(case, answer);
        let answer = self.about(case, answer);
        match &self.originals[case.original].matter {
            _ if !answer.passed() => true,
            // None of the signatures is there: nothing is said of who signed the original, and what passes is what
            // another signed as it is seen.
            Matter::Pdf(_) if answer.signatures.is_empty() => true,
            // The signed files of a container are whole, whatever lies beside them.
            Matter::Zip(_) => new,
            // A part that is signed by its name is called a part.
            Matter::Xml(text) if !before.whole() || text.contains("URI=\"#c1\"") => !answer.whole(),
            Matter::Pdf(_) | Matter::Xml(_) | Matter::Cms(_) | Matter::Json(_) => new && !answer.whole(),
        }
    }

    /// What is seen of a case that nobody could object to.
    fn allowed(&self, case: &Case) -> Vec<Seen> {
        let mut found = vec![];
        let harmless = case.without_harm(self.originals);
        if !harmless.steps.is_empty() || harmless.again {
            for smaller in harmless.smaller().into_iter().chain([harmless]) {
                if let Some(mutant) = smaller.mutant(self.lab, self.originals) {
                    found.push(self.readers.look(&mutant.bytes, &mutant.contents));
                }
            }
        }
        found
    }

    /// Whether the only member has another name, which CMS beside it does not state: EN 319 162-1 §4.3.3.2.
    fn renames(&self, case: &Case, seen: &Seen) -> bool {
        let Matter::Zip(zip) = &self.originals[case.original].matter else { return false };
        let unnamed = zip.entries.iter().any(|entry| entry.name == b"META-INF/signature.p7s");
        let content = |shown: &[u8]| shown.splitn(2, |byte| *byte == b':').nth(1).map(<[u8]>::to_vec);
        let before = &self.sights[case.original];
        let same = |(reader, shown): (&&str, &Vec<u8>)| {
            reader.starts_with("files ") && before.get(reader).is_some_and(|old| content(old) == content(shown))
        };
        unnamed && seen.iter().all(same)
    }

    /// Judges a case; `None` where nothing is wrong, or the case cannot be made.
    pub fn judge(&self, case: &Case) -> Option<Failure> {
        let mutant = case.mutant(self.lab, self.originals)?;
        let answer = self.answer(case, &mutant);
        if case.harmless(self.originals) {
            let before = &self.answers[case.original];
            let new = answer.worries.iter().any(|finding| !before.worries.contains(finding));
            let refused = !answer.passed() || new;
            return refused.then(|| Failure {
                wrong: Wrong::Refused,
                case: case.clone(),
                answer,
                readers: vec![],
                mutant,
            });
        }
        if self.says(case, &answer) {
            return None;
        }
        let seen = self.readers.look(&mutant.bytes, &mutant.contents);
        let before = &self.sights[case.original];
        if differences(&[before], &seen).is_empty() || self.renames(case, &seen) {
            return None;
        }
        let harmless = self.allowed(case);
        let allowed: Vec<&Seen> = harmless.iter().chain([&self.sights[case.original]]).collect();
        let readers = differences(&allowed, &seen);
        // Of a name a finding will do: what is whole is so under any. CMS signs none.
        let names_only = readers.iter().all(|reader| reader.starts_with("file "));
        let unnamed = matches!(self.originals[case.original].matter, Matter::Cms(_));
        // So will it of contents that are given no longer, and that the file has in itself.
        let gone_only = readers.iter().all(|reader| reader.starts_with("content ") && !seen.contains_key(reader));
        if readers.is_empty() || names_only && unnamed || (names_only || gone_only) && self.finds(case, &answer) {
            return None;
        }
        Some(Failure { wrong: Wrong::Unsaid, case: case.clone(), answer, readers, mutant })
    }

    /// The same failure with as little as possible.
    pub fn smallest(&self, mut failure: Failure) -> Failure {
        'again: loop {
            for smaller in failure.case.smaller() {
                if let Some(found) = self.judge(&smaller).filter(|found| found.wrong == failure.wrong) {
                    failure = found;
                    continue 'again;
                }
            }
            return failure;
        }
    }

    /// What becomes of a case, harmless or not.
    pub fn outcome(&self, case: &Case) -> Option<Outcome> {
        let mutant = case.mutant(self.lab, self.originals)?;
        let seen = self.readers.look(&mutant.bytes, &mutant.contents);
        let answer = self.answer(case, &mutant);
        Some(Outcome {
            differs: !differences(&[&self.sights[case.original]], &seen).is_empty(),
            passes: answer.passed(),
            says: self.says(case, &answer),
        })
    }
}
