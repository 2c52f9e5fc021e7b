//! Where signed and extended files go: `-o`, `--output-dir`, `--suffix`, `--in-place`, `--overwrite`.

use crate::error::CliError;
use crate::input;
use crate::new_file::{Existing, NewFile};
use crate::output_dir::{folded, unique_names};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where the files that are written go.
#[derive(Debug, clap::Args)]
pub struct OutputArguments {
    /// The file to write, of one file. Default: beside the file, under a name of its own.
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["output_dir", "suffix", "in_place"])]
    output: Option<PathBuf>,
    /// Write into this folder, which is made if it is not there.
    #[arg(long, value_name = "DIR", conflicts_with = "in_place")]
    output_dir: Option<PathBuf>,
    /// What stands in the new name before the extension: report.SUFFIX.pdf.
    #[arg(long, conflicts_with = "in_place", value_parser = suffix)]
    suffix: Option<String>,
    /// Replace the file itself, once the new one is on the disk.
    #[arg(long)]
    in_place: bool,
    /// Replace files that have the new names already. The files themselves are never replaced by it.
    #[arg(long, conflicts_with = "in_place")]
    overwrite: bool,
}

impl OutputArguments {
    /// Returns whether files that are there may be replaced.
    pub fn overwrites(&self) -> bool {
        self.overwrite
    }
}

/// Reads a part of a file's name.
fn suffix(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    match !text.is_empty() && text.len() <= 40 && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("expected letters, digits, `.`, `-` or `_`, 40 bytes at most".into()),
    }
}

/// How the name of an output ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// A file of the same kind: a suffix before its extension.
    Same,
    /// A file of another kind, beside the one that it is about: this extension is added.
    Added(&'static str),
}

/// The outputs of all files.
#[derive(Debug)]
pub struct Outputs {
    place: Place,
    /// What stands before the extension of a file of the same kind.
    suffix: String,
    /// Whether the user chose it.
    suffix_is_given: bool,
    existing: Existing,
    /// The files, by the names that the system has for them.
    inputs: HashSet<PathBuf>,
    /// The outputs that were begun, by their names in small letters.
    begun: Mutex<HashSet<String>>,
}

#[derive(Debug)]
enum Place {
    Beside,
    File(PathBuf),
    /// A folder, and the name of each file in it but for its ending.
    Folder(PathBuf, Vec<String>),
    Original,
}

impl Outputs {
    /// Returns the outputs of these files; `suffix` is the default.
    ///
    /// # Errors
    ///
    /// When several files would go into one, one would be replaced twice, or the folder cannot be made.
    pub fn new(arguments: &OutputArguments, files: &[PathBuf], suffix: &str) -> Result<Self, CliError> {
        let canonical: Vec<PathBuf> = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
        let inputs: HashSet<PathBuf> = canonical.iter().cloned().collect();
        let place = match (&arguments.output, &arguments.output_dir) {
            (Some(_), _) if files.len() > 1 => {
                let error = CliError::plain(format!("found {} files, expected one for --output", files.len()));
                return Err(error.hint(Some("--output-dir writes a file for each of them into a folder")));
            }
            (Some(path), _) => Place::File(path.clone()),
            (None, Some(folder)) => {
                std::fs::create_dir_all(folder).map_err(|error| CliError::new(folder.display(), &error))?;
                Place::Folder(folder.clone(), unique_names(files))
            }
            (None, None) if arguments.in_place => {
                if inputs.len() < canonical.len() {
                    return Err(CliError::plain("a file was given twice, and would be replaced twice"));
                }
                Place::Original
            }
            (None, None) => Place::Beside,
        };
        let existing = match (arguments.in_place, arguments.overwrite) {
            (true, _) => Existing::Succeeded,
            (false, true) => Existing::Replaced,
            (false, false) => Existing::Kept,
        };
        Ok(Self {
            place,
            suffix: arguments.suffix.clone().unwrap_or_else(|| suffix.to_owned()),
            suffix_is_given: arguments.suffix.is_some(),
            existing,
            inputs,
            begun: Mutex::default(),
        })
    }

    /// Begins to write the output of the file with that number.
    ///
    /// # Errors
    ///
    /// When it cannot be written, is there already, or is one of the files.
    pub fn begin(&self, index: usize, file: &Path, ending: Ending) -> Result<NewFile, CliError> {
        let target = self.target(index, file, ending)?;
        let is_input = target.canonicalize().is_ok_and(|path| self.inputs.contains(&path));
        if is_input && self.existing != Existing::Succeeded {
            let error = format!("{} is one of the files, and would be written over", target.display());
            return Err(CliError::plain(error).hint(Some("--in-place replaces the file itself")));
        }
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if !begun.insert(folded(&target.to_string_lossy())) {
            return Err(CliError::plain(format!("{} is written for another of the files", target.display())));
        }
        drop(begun);
        NewFile::begin(&target, self.existing, file)
    }

    fn target(&self, index: usize, file: &Path, ending: Ending) -> Result<PathBuf, CliError> {
        let extension = file.extension().map(|extension| extension.to_string_lossy().into_owned());
        match &self.place {
            Place::File(path) => Ok(path.clone()),
            Place::Folder(folder, names) => {
                Ok(folder.join(self.named(&names[index], extension.as_deref().unwrap_or_default(), ending)))
            }
            Place::Original if ending != Ending::Same || file == Path::new("-") => {
                let error = "the result is a file of another kind, which does not replace the one that it is about";
                Err(CliError::plain(error).about(file))
            }
            Place::Original => Ok(file.to_path_buf()),
            Place::Beside if file == Path::new("-") => {
                let error = CliError::plain("found standard input, expected a name for the result");
                Err(error.hint(Some("--output names the file to write")))
            }
            Place::Beside => {
                let name = self.named(&input::name(file), extension.as_deref().unwrap_or_default(), ending);
                Ok(file.with_file_name(name))
            }
        }
    }

    /// Returns the name of an output.
    fn named(&self, name: &str, extension: &str, ending: Ending) -> String {
        match ending {
            Ending::Same if extension.is_empty() => format!("{name}.{}", self.suffix),
            Ending::Same => {
                let stem = name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.')).unwrap_or(name);
                format!("{stem}.{}.{extension}", self.suffix)
            }
            Ending::Added(added) if self.suffix_is_given => format!("{name}.{}.{added}", self.suffix),
            Ending::Added(added) => format!("{name}.{added}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> OutputArguments {
        OutputArguments { output: None, output_dir: None, suffix: None, in_place: false, overwrite: false }
    }

    #[test]
    fn names_say_what_a_file_is() {
        let suffixed = OutputArguments { suffix: Some("v2".into()), ..arguments() };
        let in_place = OutputArguments { in_place: true, ..arguments() };
        let one = OutputArguments { output: Some("out/x".into()), ..arguments() };
        for (situation, arguments, file, ending, expected) in [
            ("a PDF", arguments(), "a/report.pdf", Ending::Same, Some("a/report.signed.pdf")),
            ("capitals are kept", arguments(), "REPORT.PDF", Ending::Same, Some("REPORT.signed.PDF")),
            ("no extension", arguments(), "report", Ending::Same, Some("report.signed")),
            ("a name of an extension only", arguments(), ".pdf", Ending::Same, Some(".pdf.signed")),
            ("another kind", arguments(), "letter.txt", Ending::Added("p7m"), Some("letter.txt.p7m")),
            ("a suffix", suffixed, "letter.txt", Ending::Added("p7s"), Some("letter.txt.v2.p7s")),
            ("one name", one, "letter.txt", Ending::Added("p7s"), Some("out/x")),
            ("standard input has no name", arguments(), "-", Ending::Same, None),
            ("another kind replaces nothing", in_place, "letter.txt", Ending::Added("p7s"), None),
        ] {
            let outputs = Outputs::new(&arguments, &[file.into()], "signed").expect("they go together");
            let found = outputs.target(0, Path::new(file), ending).ok();
            assert_eq!(found, expected.map(PathBuf::from), "{situation}");
        }
    }

    #[test]
    fn in_a_folder_every_file_has_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let into = OutputArguments { output_dir: Some(folder.path().join("out")), ..arguments() };
        let files: Vec<PathBuf> = ["a/x.pdf", "b/x.pdf", "../y.pdf", "b/x.pdf"].map(PathBuf::from).to_vec();
        let outputs = Outputs::new(&into, &files, "signed").expect("made");
        let targets: Vec<PathBuf> =
            files.iter().enumerate().map(|(n, file)| outputs.target(n, file, Ending::Same).expect("a name")).collect();
        let different: HashSet<_> = targets.iter().collect();
        assert_eq!(different.len(), files.len(), "{targets:?}");
        for target in &targets {
            assert_eq!(target.parent(), Some(&*folder.path().join("out")), "{target:?}");
            assert!(target.to_string_lossy().ends_with(".signed.pdf"), "{target:?}");
        }
        assert_eq!(targets[2].file_name().expect("a name"), "y.signed.pdf");
    }

    #[test]
    fn no_file_is_written_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a.pdf"), b"a").expect("written");
        std::fs::write(path("a.signed.pdf"), b"b").expect("written");
        let files = [path("a.pdf"), path("a.signed.pdf")];
        let over = OutputArguments { overwrite: true, ..arguments() };
        let outputs = Outputs::new(&over, &files, "signed").expect("they go together");
        let refused = outputs.begin(0, &files[0], Ending::Same).expect_err("it is one of the files");
        assert!(refused.message().contains("is one of the files"), "{}", refused.message());

        let kept = Outputs::new(&arguments(), &files[..1], "signed").expect("they go together");
        let refused = kept.begin(0, &files[0], Ending::Same).expect_err("it is there");
        assert!(refused.message().contains("there is a file of this name"), "{}", refused.message());

        let replacing = Outputs::new(&over, &files[..1], "signed").expect("they go together");
        let first = replacing.begin(0, &files[0], Ending::Same).expect("it may be replaced");
        let refused = replacing.begin(0, &files[0], Ending::Same).expect_err("once");
        assert!(refused.message().contains("for another of the files"), "{}", refused.message());
        drop(first);

        let twice = OutputArguments { in_place: true, ..arguments() };
        Outputs::new(&twice, &[path("a.pdf"), path("./a.pdf")], "signed").expect_err("a file given twice");
    }
}
