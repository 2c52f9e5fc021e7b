//! `--output-dir`: a file for each input, in one folder.
//!
//! Names of inputs may be chosen by strangers. An output is named after the last part of its input's path and lies directly
//! in the folder; what is there already is replaced only where that is asked for.

use crate::error::CliError;
use crate::input;
use lacre_core::algorithm::DigestAlgorithm;
use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The most bytes of a name; file systems take 255, with what `lacre_fetch::replace` adds.
const LONGEST: usize = 160;
/// Bytes of the digest that tells inputs of one name apart.
const DIGEST: usize = 8;

/// The outputs of all inputs.
#[derive(Debug)]
pub struct OutputDir {
    paths: Vec<PathBuf>,
    overwrite: bool,
}

impl OutputDir {
    /// Plans one output for each of `inputs` in `folder`, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made, or an output would replace an input.
    pub fn new(folder: &Path, inputs: &[PathBuf], extension: &str, overwrite: bool) -> Result<Self, CliError> {
        let paths: Vec<PathBuf> = names(inputs, extension).into_iter().map(|name| folder.join(name)).collect();
        input::check_not_among(inputs, &paths)?;
        fs::create_dir_all(folder).map_err(|error| CliError::new(folder.display(), &error))?;
        Ok(Self { paths, overwrite })
    }

    /// Returns the output of the input with that number.
    pub fn path(&self, index: usize) -> &Path {
        &self.paths[index]
    }

    /// Writes the output of the input with that number.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or is there already.
    pub fn write(&self, index: usize, bytes: &[u8]) -> Result<(), CliError> {
        let path = self.path(index);
        let failed = |error| CliError::new(path.display(), &error);
        if self.overwrite {
            return lacre_fetch::replace(path, bytes).map_err(failed);
        }
        // A new file: neither what a link points at nor what came in between is written over.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| {
            let hint = (error.kind() == std::io::ErrorKind::AlreadyExists).then_some("--overwrite replaces it");
            failed(error).hint(hint)
        })?;
        file.write_all(bytes).map_err(|error| {
            // Half a report is none; that it cannot be removed changes nothing about the error.
            let _ = fs::remove_file(path);
            failed(error)
        })
    }
}

/// Returns the names of outputs with that extension.
fn names(inputs: &[PathBuf], extension: &str) -> Vec<String> {
    unique_names(inputs).into_iter().map(|name| format!("{name}.{extension}")).collect()
}

/// Returns a name for each input, no two of which are one on any file system.
pub fn unique_names(inputs: &[PathBuf]) -> Vec<String> {
    let plain: Vec<(String, bool)> = inputs.iter().map(|path| plain_name(path)).collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for (name, _) in &plain {
        *times.entry(folded(name)).or_default() += 1;
    }
    // The names that were given, and how many inputs asked for each.
    let mut given: HashMap<String, usize> = HashMap::new();
    let named = inputs.iter().zip(plain).map(|(path, (name, is_whole))| {
        let is_alone = is_whole && times.get(&folded(&name)) == Some(&1);
        let name = if is_alone { name } else { format!("{name}.{}", digest(path)) };
        free(name, &mut given)
    });
    named.collect()
}

/// Returns the name; where it is taken, with the next number that makes it one of its own.
fn free(name: String, given: &mut HashMap<String, usize>) -> String {
    let mut number = given.get(&folded(&name)).copied().unwrap_or(0);
    let mut free = name.clone();
    while given.contains_key(&folded(&free)) {
        number += 1;
        free = format!("{name}.{number}");
    }
    given.insert(folded(&name), number);
    given.entry(folded(&free)).or_insert(0);
    free
}

/// Returns the last part of the path in characters that mean nothing to file systems, terminals and shells; whether it
/// is all of it.
fn plain_name(path: &Path) -> (String, bool) {
    if path == Path::new("-") {
        return ("stdin".into(), true);
    }
    let name = input::name(path);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ' | '+' | '@' | '(' | ')' | ',');
    let mut plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    if plain.starts_with(['.', '-', ' ']) {
        plain.replace_range(..1, "_");
    }
    plain.truncate(plain.floor_char_boundary(LONGEST));
    let is_whole = plain == name;
    (plain, is_whole)
}

/// Returns how file systems compare names that do not tell capitals from small letters.
pub fn folded(name: &str) -> String {
    name.to_lowercase()
}

/// Returns the beginning of the SHA-256 of the path as given.
fn digest(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let digest = lacre_core::crypto::digest(DigestAlgorithm::Sha256, bytes).unwrap_or_default();
    digest.iter().take(DIGEST).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(inputs: &[&str]) -> Vec<String> {
        names(&inputs.iter().map(PathBuf::from).collect::<Vec<_>>(), "html")
    }

    #[test]
    fn a_name_of_its_own_is_kept() {
        assert_eq!(
            of(&["a/contract.pdf", "b/Ügen (2).xml", "-"]),
            ["contract.pdf.html", "Ügen (2).xml.html", "stdin.html"]
        );
    }

    #[test]
    fn no_two_inputs_have_one_output() {
        let long = ["x".repeat(300), "x".repeat(301)];
        let inputs = [
            "a/x.pdf",
            "b/x.pdf",
            "./b/x.pdf",
            "b/X.PDF",
            "b/x.pdf",
            "a b",
            "a\u{7}b",
            "a_b",
            "a\nb",
            "..",
            "a/..",
            "/",
            &long[0],
            &long[1],
        ];
        let names = of(&inputs);
        let different: HashSet<String> = names.iter().map(|name| folded(name)).collect();
        assert_eq!(different.len(), inputs.len(), "{names:?}");
        assert_eq!(of(&inputs), names, "the same inputs have the same outputs");
        assert_eq!(of(&["b/x.pdf", "a/x.pdf"])[1], names[0], "in whatever order");
    }

    #[test]
    fn nothing_leaves_the_folder() {
        for hostile in [
            "..",
            ".",
            "/",
            "a/..",
            "../../etc/passwd",
            "/etc/passwd",
            ".bashrc",
            "-rf",
            "a\\..\\b",
            "c:\\x",
            "con:",
            "x\u{202e}fdp",
            "a\0b",
            "\u{1b}[2J",
            "$(id)",
            "a;b|c",
            "~",
            "😀",
        ] {
            for name in of(&[hostile, hostile]) {
                let path = Path::new(&name);
                assert_eq!(path.components().count(), 1, "{hostile:?}: {name:?}");
                assert!(!name.starts_with(['.', '-', '~']), "{hostile:?}: {name:?}");
                assert!(
                    !name.contains(['/', '\\', ':', '\0', '\u{1b}', '\u{202e}', '$', '|']),
                    "{hostile:?}: {name:?}"
                );
                assert!(name.len() < 200 && name.ends_with(".html"), "{hostile:?}: {name:?}");
            }
        }
    }
}
