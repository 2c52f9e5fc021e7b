//! The files whose validation by others was timed (`../shared/oracle/timings.tsv`), each with the trust anchors and the time of
//! that record (setting "near"); without them the example documents.

use serde::Deserialize;
use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// One file.
pub struct Row {
    pub file: PathBuf,
    pub bytes: u64,
    /// Milliseconds of EU DSS, without its page images where there is such a column.
    pub dss: Option<f64>,
    pub setting: Setting,
}

impl Row {
    /// A file that no record has: nobody is trusted.
    pub fn unrecorded(file: PathBuf) -> Self {
        Self { bytes: file.metadata().map_or(0, |m| m.len()), file, dss: None, setting: Setting::default() }
    }
}

/// Who was trusted, and when it was, in the runs that were recorded.
#[derive(Clone, Deserialize)]
pub struct Setting {
    /// The SHA-256 of each trust anchor.
    #[serde(default)]
    pub anchors: Vec<String>,
    #[serde(default = "other_time")]
    pub time: String,
}

impl Default for Setting {
    fn default() -> Self {
        Self { anchors: vec![], time: other_time() }
    }
}

/// The time of files that no record has.
pub fn other_time() -> String {
    "2026-06-01T00:00:00Z".into()
}

/// The certificates that were trusted in the recorded runs, as files.
pub struct Anchors(PathBuf);

impl Anchors {
    /// Unpacks them, where they are there.
    pub fn of(root: &Path) -> Self {
        let folder = root.join("target/bench-anchors");
        let packed = std::fs::read(root.join("../shared/oracle/anchors.zip")).unwrap_or_default();
        if let Ok(archive) = rawzip::ZipArchive::from_slice(&packed) {
            std::fs::create_dir_all(&folder).expect("a folder for the trust anchors");
            for entry in archive.entries().flatten() {
                let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
                let lies = archive.get_entry(entry.wayfinder()).expect("an entry of the trust anchors");
                let mut certificate = vec![];
                match entry.compression_method() {
                    rawzip::CompressionMethod::STORE => certificate.extend_from_slice(lies.data()),
                    _ => {
                        let mut inflated = flate2::read::DeflateDecoder::new(lies.data());
                        inflated.read_to_end(&mut certificate).expect("a trust anchor is inflated");
                    }
                }
                std::fs::write(folder.join(name), certificate).expect("a trust anchor is written");
            }
        }
        Self(folder)
    }

    /// The anchors of one setting, with the files in which they are.
    pub fn of_setting(&self, setting: &Setting) -> impl Iterator<Item = (PathBuf, Vec<u8>)> {
        let paths = setting.anchors.iter().map(|sha256| self.0.join(format!("{sha256}.der")));
        paths.map(|path| (path.clone(), std::fs::read(&path).expect("a trust anchor of the recorded runs")))
    }
}

/// The settings of the recorded runs by file.
fn settings(root: &Path) -> HashMap<String, Setting> {
    #[derive(Deserialize)]
    struct Answer {
        file: String,
        #[serde(flatten)]
        setting: Setting,
    }
    let packed = std::fs::read(root.join("../shared/oracle/near.jsonl.gz")).unwrap_or_default();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap_or_default();
    let answers = text.lines().filter_map(|line| serde_json::from_str::<Answer>(line).ok());
    answers.map(|answer| (answer.file, answer.setting)).collect()
}

/// All files, in the order of the record.
pub fn rows(root: &Path) -> Vec<Row> {
    let settings = settings(root);
    if settings.is_empty() {
        println!("the settings of the recorded timings are not there: nobody is trusted, on 2026-06-01");
    }
    let (timings, corpus) = (root.join("../shared/oracle/timings.tsv"), root.join("target/corpus"));
    match std::fs::read_to_string(&timings) {
        Ok(text) if corpus.exists() => text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.starts_with("file\t"))
            .filter_map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                let milliseconds = |at: usize| fields.get(at).and_then(|f| f.parse().ok());
                Some(Row {
                    file: corpus.join(fields.first()?),
                    bytes: fields.get(1)?.parse().ok()?,
                    dss: milliseconds(5).or_else(|| milliseconds(4)),
                    setting: settings.get(*fields.first()?).cloned().unwrap_or_default(),
                })
            })
            .collect(),
        _ => {
            println!("the recorded timings are not there: measuring the example documents");
            ["contract.pdf", "revoked.pdf", "letter.txt.p7s"]
                .map(|name| Row::unrecorded(root.join("examples/documents").join(name)))
                .into_iter()
                .collect()
        }
    }
}

/// The name of a file, without its folder.
pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
