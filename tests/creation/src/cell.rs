//! Cells of the matrix: what was made, and what judges are to say of it.

use crate::world::{World, minutes, signed, years};
use lacre::augmentation;
use lacre::report::{Indication, SubIndication};
use lacre::signing::SigningError;
use lacre::{Document, Time};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The levels of the matrix. The last is the fourth, renewed a year later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    B,
    T,
    Lt,
    Lta,
    Lta2,
}

impl Level {
    pub const ALL: [Self; 5] = [Self::B, Self::T, Self::Lt, Self::Lta, Self::Lta2];

    pub fn name(self) -> &'static str {
        match self {
            Self::B => "B",
            Self::T => "T",
            Self::Lt => "LT",
            Self::Lta => "LTA",
            Self::Lta2 => "LTA²",
        }
    }

    /// When the step to it is taken.
    pub fn moment(self) -> Time {
        match self {
            Self::B => signed(),
            Self::T => minutes(signed(), 5),
            Self::Lt => minutes(signed(), 10),
            Self::Lta => minutes(signed(), 20),
            Self::Lta2 => years(signed(), 1),
        }
    }

    /// When what has it is judged.
    pub fn judged(self) -> Time {
        minutes(self.moment(), 60)
    }

    /// What an extension is asked for.
    pub fn target(self) -> augmentation::Level {
        match self {
            Self::B | Self::T => augmentation::Level::T,
            Self::Lt => augmentation::Level::Lt,
            Self::Lta | Self::Lta2 => augmentation::Level::Lta,
        }
    }

    /// What a signature of that format is then called.
    pub fn called(self, format: &str) -> String {
        let name = if self == Self::Lta2 { "LTA" } else { self.name() };
        format!("{format}-BASELINE-{name}")
    }
}

/// A file, and what is expected of it.
#[derive(Clone)]
pub struct Made {
    pub bytes: Vec<u8>,
    pub extension: &'static str,
    /// The levels of its signatures, in any order.
    pub levels: Vec<String>,
    /// Time-stamps by themselves.
    pub alone: usize,
    /// Archive time-stamps or document time-stamps.
    pub archived: usize,
    pub contents: Vec<(String, Vec<u8>)>,
    pub judged: Time,
    /// Whether judges get what the authorities answer at that time: what is below LT does not hold it.
    pub online: bool,
    pub password: Option<String>,
    /// The profiles of PDF/A and PDF/UA that it has, as veraPDF names them.
    pub conformance: Vec<&'static str>,
    /// The file whose signatures are to be as they were.
    pub before: Option<Vec<u8>>,
    /// What is stated, as DSS reads it.
    pub stated: Option<Value>,
    /// Whether DSS is to extend it, too.
    pub passed_on: bool,
    /// More for one judge or another.
    pub more: Value,
}

impl Made {
    /// One signature of that format at that level.
    pub fn of(bytes: Vec<u8>, extension: &'static str, format: &str, level: Level) -> Self {
        Self {
            bytes,
            extension,
            levels: vec![level.called(format)],
            alone: 0,
            archived: match level {
                Level::Lta => 1,
                Level::Lta2 => 2,
                _ => 0,
            },
            contents: vec![],
            judged: level.judged(),
            online: level < Level::Lt,
            password: None,
            conformance: vec![],
            before: None,
            stated: None,
            passed_on: false,
            more: Value::Null,
        }
    }
}

/// Writes cells: files in a folder, and a manifest.
pub struct Sheet<'a> {
    pub world: &'a World,
    folder: PathBuf,
    rows: Option<BTreeSet<String>>,
    manifest: Vec<Value>,
    moments: BTreeSet<Time>,
}

impl<'a> Sheet<'a> {
    pub fn new(world: &'a World, folder: &Path, rows: Option<BTreeSet<String>>) -> Self {
        Self { world, folder: folder.to_owned(), rows, manifest: vec![], moments: BTreeSet::new() }
    }

    /// Where files are written, and what others made is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn wants(&self, row: &str) -> bool {
        self.rows.as_ref().is_none_or(|rows| rows.contains(row))
    }

    /// A file that is to pass. It is made twice: the same input gives the same bytes.
    pub fn passes(&mut self, row: &str, name: &str, make: impl Fn() -> Result<Made, String>) {
        if !self.wants(row) {
            return;
        }
        let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (made, again) = (make()?, make()?);
            if made.bytes == again.bytes { Ok(made) } else { Err("made twice it is not the same".to_owned()) }
        }));
        let made = made.unwrap_or_else(|panic| {
            let said =
                panic.downcast_ref::<String>().cloned().or(panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(format!("panicked: {}", said.unwrap_or_default()))
        });
        let entry = match made.and_then(|made| self.write(row, name, &made)) {
            Ok(entry) => entry,
            Err(failed) => json!({ "row": row, "cell": name, "failed": failed }),
        };
        self.manifest.push(entry);
    }

    /// What is to be refused with that code.
    pub fn refused<T>(&mut self, row: &str, name: &str, code: &str, make: impl FnOnce() -> Result<T, SigningError>) {
        if !self.wants(row) {
            return;
        }
        let (found, message) = match make() {
            Ok(_) => ("nothing".to_owned(), String::new()),
            Err(error) => (error.code().as_str().to_owned(), error.to_string()),
        };
        self.manifest.push(json!({ "row": row, "cell": name, "refusal": code, "found": found, "message": message }));
    }

    /// A document of others that is not signed, for the reason that judges look into.
    pub fn declined(&mut self, row: &str, name: &str, error: &SigningError) {
        let (code, message) = (error.code().as_str(), error.to_string());
        self.manifest.push(json!({ "row": row, "cell": name, "declined": code, "message": message }));
    }

    fn write(&mut self, row: &str, name: &str, made: &Made) -> Result<Value, String> {
        let file = |text: &str| -> String {
            let fits = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '_' };
            text.replace('²', "2").chars().map(fits).collect()
        };
        let stem = format!("files/{row}-{}", file(name));
        let put = |path: String, bytes: &[u8]| -> Result<String, String> {
            let place = self.folder.join(&path);
            std::fs::create_dir_all(place.parent().expect("it is in a folder")).map_err(|e| e.to_string())?;
            std::fs::write(place, bytes).map_err(|e| e.to_string())?;
            Ok(path)
        };
        let path = put(format!("{stem}.{}", made.extension), &made.bytes)?;
        let mut contents = vec![];
        for (content, bytes) in &made.contents {
            contents.push(format!("{}={content}", put(format!("{stem}.contents/{}", file(content)), bytes)?));
        }
        let before = match &made.before {
            Some(bytes) => Some(put(format!("{stem}.before.{}", made.extension), bytes)?),
            None => None,
        };
        self.moments.insert(made.judged);
        let revocation = made.online.then(|| format!("answers/{}", made.judged.to_string().replace(':', "")));
        Ok(json!({
            "row": row, "cell": name, "file": path, "contents": contents, "before": before,
            "levels": made.levels, "alone": made.alone, "archived": made.archived,
            "time": made.judged.to_string(), "revocation": revocation, "password": made.password,
            "conformance": made.conformance, "stated": made.stated, "passedOn": made.passed_on, "more": made.more,
            "lacre": self.own(made),
        }))
    }

    /// What lacre itself says: nothing, or what is not as it should be.
    fn own(&self, made: &Made) -> Option<String> {
        let mut document = Document::new(&made.bytes);
        for (name, bytes) in &made.contents {
            document = document.with_content(name.clone(), bytes);
        }
        if let Some(password) = &made.password {
            document = document.with_password(password.as_bytes());
        }
        let mut validator = self.world.validator();
        if made.online {
            for evidence in self.world.evidence(made.judged) {
                validator = validator.evidence(&evidence).expect("it is evidence");
            }
        }
        let report = match validator.validate(&document, made.judged) {
            Ok(report) => report,
            Err(error) => return Some(format!("not read: {error}")),
        };
        let mut found: Vec<String> =
            report.signatures().filter_map(|signature| Some(signature.level()?.as_str().to_owned())).collect();
        let mut expected = made.levels.clone();
        // What other people signed before is judged by what it was.
        if made.before.is_none() {
            found.sort();
            expected.sort();
            if found != expected {
                return Some(format!("the levels {}", found.join(", ")));
            }
            // Nor does lacre's policy accept EdDSA, as DSS's does not.
            let is_eddsa = made.more["key"].as_str().is_some_and(|key| key.starts_with("Ed"));
            let refused = Some(SubIndication::CryptoConstraintsFailureNoPoe).filter(|_| is_eddsa);
            let expected = if is_eddsa { Indication::Indeterminate } else { Indication::TotalPassed };
            for signature in report.signatures() {
                if (signature.indication(), signature.sub_indication()) != (expected, refused) {
                    let findings: Vec<String> = signature
                        .findings()
                        .map(|finding| format!("{} {}", finding.check, finding.message))
                        .take(3)
                        .collect();
                    let sub = signature.sub_indication().map(|sub| sub.to_string()).unwrap_or_default();
                    return Some(format!("{} {sub}: {}", signature.indication(), findings.join("; ")));
                }
            }
        }
        None
    }

    /// Writes the manifest, and what the authorities answer when files are judged.
    pub fn finish(self) -> std::io::Result<usize> {
        for moment in &self.moments {
            let folder = self.folder.join("answers").join(moment.to_string().replace(':', ""));
            self.world.publish_answers(&folder, *moment)?;
        }
        let lines: String = self.manifest.iter().map(|entry| format!("{entry}\n")).collect();
        std::fs::write(self.folder.join("manifest.jsonl"), lines)?;
        Ok(self.manifest.len())
    }
}

/// An error as a cell tells it.
pub fn told(error: SigningError) -> String {
    let hint = error.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{}: {error}{hint}", error.code().as_str())
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
