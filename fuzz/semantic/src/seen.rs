//! What is seen of a document, by readers that are not lacre.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What each reader shows, by the reader's name.
pub type Seen = BTreeMap<&'static str, Vec<u8>>;

/// The programs that look, each with the package that has it.
const PROGRAMS: [(&str, &str); 8] = [
    ("pdftotext", "poppler-utils"),
    ("pdftoppm", "poppler-utils"),
    ("pdfdetach", "poppler-utils"),
    ("pdfinfo", "poppler-utils"),
    ("mutool", "mupdf-tools"),
    ("unzip", "unzip"),
    ("openssl", "openssl"),
    ("python3", "python3"),
];

/// The packages of programs that are not there.
pub fn missing() -> Vec<&'static str> {
    // Whatever it says of `-v`: that it starts is enough.
    let there = |program: &str| {
        let mut run = Command::new(program);
        run.arg("-v").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let mut packages: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !there(program)).map(|(_, package)| *package).collect();
    packages.dedup();
    packages
}

/// Readers with a folder of their own.
pub struct Readers {
    folder: PathBuf,
}

/// Contents that are handed in, in their order.
const GIVEN: [&str; 4] = ["content 1", "content 2", "content 3", "content 4"];

/// How long a reader may take, by the clock: long, since one that was slow with the original would seem to show something new
/// of the changed file.
const LIMIT: Duration = Duration::from_secs(60);
const RESOLUTION: &str = "24";

impl Readers {
    pub fn new(folder: &Path) -> std::io::Result<Self> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("readers.py"), include_str!("readers.py"))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// What a program writes; nothing where it fails, finds nothing or takes too long.
    fn run(&self, program: &str, arguments: &[&str]) -> Option<Vec<u8>> {
        let path = self.folder.join("output");
        let output = fs::File::create(&path).ok()?;
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&self.folder)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let start = Instant::now();
        let status = loop {
            match child.try_wait().ok()? {
                Some(status) => break status,
                None if start.elapsed() > LIMIT => {
                    child.kill().ok()?;
                    child.wait().ok()?;
                    return None;
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        status.success().then(|| fs::read(path).ok())?
    }

    /// The files that a program puts into a folder, with their bytes, one after the other.
    fn folder(&self, name: &str, run: impl FnOnce(&Self) -> Option<()>) -> Option<Vec<u8>> {
        let folder = self.folder.join(name);
        drop(fs::remove_dir_all(&folder));
        drop(fs::create_dir_all(&folder));
        run(self)?;
        let mut files = vec![];
        gather(&folder, &folder, &mut files);
        files.sort();
        Some(files.concat())
    }

    /// What is seen of the file, with what was handed in beside it.
    pub fn look(&self, bytes: &[u8], contents: &[(String, Vec<u8>)]) -> Seen {
        let mut seen = Seen::new();
        if fs::write(self.folder.join("file"), bytes).is_err() {
            return seen;
        }
        if holds(&bytes[..bytes.len().min(1 << 20)], b"%PDF-") {
            self.pages(&mut seen);
        }
        if holds(bytes, b"PK\x05\x06") {
            self.members(&mut seen);
        }
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'<') => self.text(&mut seen),
            Some(0x30) | Some(b'-') | Some(b'M') => self.message(bytes, &mut seen),
            Some(b'{' | 0xef) => self.payload(&mut seen),
            _ => {}
        }
        if holds(bytes, b"<html") {
            seen.insert("a browser", text_of(bytes));
        }
        for (at, (name, content)) in contents.iter().enumerate() {
            let at = at.min(GIVEN.len() - 1);
            let (key, file) = (GIVEN[at], ["file 1", "file 2", "file 3", "file 4"][at]);
            seen.insert(key, content.clone());
            seen.insert(file, [name.as_bytes(), b"\n", content].concat());
        }
        seen
    }

    fn pages(&self, seen: &mut Seen) {
        let mut add = |name: &'static str, shown: Option<Vec<u8>>| {
            shown.into_iter().for_each(|shown| drop(seen.insert(name, shown)));
        };
        let text = self.run("pdftotext", &["-q", "-enc", "UTF-8", "file", "-"]);
        let opened = text.is_some();
        add("text by poppler", text);
        add("text by MuPDF", self.run("mutool", &["draw", "-q", "-F", "txt", "-o", "-", "file"]));
        let picture = ["draw", "-q", "-r", RESOLUTION, "-c", "gray", "-F", "pgm", "-o", "-", "file"];
        add("picture by MuPDF", self.run("mutool", &picture));
        add("outline by MuPDF", self.run("mutool", &["show", "file", "outline"]));
        let fields = self.run("mutool", &["show", "file", "trailer/Root/AcroForm/Fields/*/V"]);
        add("fields by MuPDF", fields.map(|shown| values(&shown)));
        let actions =
            ["trailer/Root/OpenAction", "trailer/Root/AA", "trailer/Root/AF/*/EF/F", "pages/*/AA", "pages/*/AF/*/EF/F"];
        let labels = "trailer/Root/PageLabels";
        let shown = self.run("mutool", &[&["show", "file", labels][..], &actions].concat());
        // Objects have other numbers in other files.
        add("actions by MuPDF", shown.map(|shown| without_numbers(&shown)));
        if opened {
            add("picture by poppler", self.run("pdftoppm", &["-q", "-r", RESOLUTION, "-gray", "file"]));
            add("scripts by poppler", self.run("pdfinfo", &["-js", "file"]).map(|shown| after_page_size(&shown)));
            add("links by poppler", self.run("pdfinfo", &["-url", "file"]));
            let attached =
                self.folder("attached", |own| own.run("pdfdetach", &["-saveall", "-o", "attached", "file"]).map(drop));
            add("attachments by poppler", attached);
        }
    }

    fn members(&self, seen: &mut Seen) {
        let extracted = self.folder("extracted", |own| {
            // What it warns of it has extracted all the same.
            own.run("unzip", &["-o", "-qq", "file", "-d", "extracted"]);
            Some(())
        });
        // How names beyond ASCII are written is unzip's own affair; Python's are compared in full.
        let ascii = |files: Vec<u8>| files.into_iter().filter(u8::is_ascii).collect();
        let plain =
            |files: Vec<u8>| String::from_utf8_lossy(&files).replace("#U00e9", "").replace("caf+", "caf").into_bytes();
        extracted.into_iter().for_each(|files| drop(seen.insert("files by unzip", plain(ascii(files)))));
        for (name, kind) in
            [("files by Python", "zip"), ("files in order", "stream"), ("files on other systems", "folded")]
        {
            if let Some(listed) = self.run("python3", &["-I", "-S", "readers.py", kind, "file"]) {
                seen.insert(name, listed);
            }
        }
    }

    fn text(&self, seen: &mut Seen) {
        if let Some(tree) = self.run("python3", &["-I", "-S", "readers.py", "xml", "file"]) {
            seen.insert("XML by expat", tree);
        }
    }

    fn payload(&self, seen: &mut Seen) {
        for (name, kind) in [
            ("JSON, the last of a name", "last"),
            ("JSON, the first of a name", "first"),
            ("JSON, names in any case", "alike"),
            // What is stated there of the signature is no content.
            ("file of unsigned properties", "properties"),
        ] {
            if let Some(shown) = self.run("python3", &["-I", "-S", "readers.py", kind, "file"]) {
                seen.insert(name, shown);
            }
        }
    }

    fn message(&self, bytes: &[u8], seen: &mut Seen) {
        let form = if bytes.trim_ascii_start().starts_with(b"\x30") { "DER" } else { "PEM" };
        let shown = self.run(
            "openssl",
            &[
                "cms",
                "-verify",
                "-noverify",
                "-nosigs",
                "-no_check_time",
                "-binary",
                "-inform",
                form,
                "-in",
                "file",
                "-out",
                "-",
            ],
        );
        let content = shown.or_else(|| {
            self.run(
                "openssl",
                &["smime", "-verify", "-noverify", "-nosigs", "-binary", "-inform", form, "-in", "file"],
            )
        });
        content.into_iter().for_each(|content| drop(seen.insert("content by OpenSSL", content)));
        for (name, kind) in [("content by a simple reader", "cms"), ("what is around it", "around")] {
            if let Some(shown) = self.run("python3", &["-I", "-S", "readers.py", kind, "file"]) {
                seen.insert(name, shown);
            }
        }
    }
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<Vec<u8>>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            gather(root, &path, files);
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).unwrap_or_default();
            files.push(format!("{name} -> {}\n", target.display()).into_bytes());
        } else if name != "mimetype" && !name.starts_with("META-INF/")
            || name.ends_with(".pdf")
            || name.ends_with(".txt")
        {
            files.push([name.as_bytes(), b": ", &fs::read(&path).unwrap_or_default(), b"\n"].concat());
        }
    }
}

pub fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// What stands in a page of HTML.
fn text_of(bytes: &[u8]) -> Vec<u8> {
    let start = bytes.windows(5).position(|window| window == b"<html").unwrap_or_default();
    bytes[start..].iter().copied().take_while(u8::is_ascii).take(200).collect()
}

/// The values that are strings or names, not the signature dictionaries.
fn values(shown: &[u8]) -> Vec<u8> {
    let lines = shown.split(|byte| *byte == b'\n').filter(|line| matches!(line.first(), Some(b'(' | b'/')));
    lines.collect::<Vec<_>>().join(&b'\n')
}

/// Lines that neither are empty nor begin an object or refer to one.
fn without_numbers(shown: &[u8]) -> Vec<u8> {
    let word = |line: &&[u8]| {
        let line = line.trim_ascii();
        let number = line.ends_with(b" obj") || line.ends_with(b" R") || line.starts_with(b"/Length ");
        !line.is_empty() && line != b"null" && !number
    };
    shown.split(|byte| *byte == b'\n').filter(word).collect::<Vec<_>>().join(&b'\n')
}

/// Scripts stand behind the table of properties, or instead of it.
fn after_page_size(shown: &[u8]) -> Vec<u8> {
    let lines = shown.split(|byte| *byte == b'\n');
    let scripts = lines.filter(|line| holds(line, b"Name Dictionary") || holds(line, b"app.") || holds(line, b"this."));
    scripts.collect::<Vec<_>>().join(&b'\n')
}

/// Where two sights differ: a reader that shows something in the second that none of `allowed` has.
pub fn differences(allowed: &[&Seen], now: &Seen) -> Vec<&'static str> {
    // A content is the same wherever it stands.
    let content = |reader: &str| reader.starts_with("content ");
    let elsewhere = |seen: &Seen, bytes: &[u8]| seen.iter().any(|(reader, shown)| content(reader) && shown == bytes);
    let is_new = |reader: &str, shown: &Vec<u8>| {
        allowed.iter().all(|seen| seen.get(reader) != Some(shown) && !(content(reader) && elsewhere(seen, shown)))
    };
    let new = now.iter().filter(|(reader, shown)| is_new(reader, shown));
    // What shows nothing at all shows nothing else.
    let empty = |reader: &str, shown: &[u8]| {
        shown.iter().all(u8::is_ascii_whitespace) && allowed.iter().all(|seen| !seen.contains_key(reader))
    };
    let mut found: Vec<&str> = new.filter(|(reader, shown)| !empty(reader, shown)).map(|(reader, _)| *reader).collect();
    // Contents that are no longer given are seen, too.
    let contents = allowed.first().into_iter().flat_map(|seen| seen.iter());
    let gone = |(reader, shown): &(&&'static str, &Vec<u8>)| {
        GIVEN.contains(*reader) && !now.contains_key(**reader) && !elsewhere(now, shown)
    };
    found.extend(contents.filter(gone).map(|(reader, _)| *reader));
    found
}
