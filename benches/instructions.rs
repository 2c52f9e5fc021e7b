//! How many instructions a validation takes, beside how many it took: counted by callgrind, which needs no quiet machine.
//!
//! `cargo bench --bench instructions [-- NAME…]` compares with `instructions.tsv` beside this file, and fails where a file takes 2 %
//! more or less; `LACRE_WRITE=1 cargo bench --bench instructions` writes what is true now. The files are the example documents and,
//! where they are, twenty of those with recorded timings. Counted is a first validation with its JSON, on one thread, after one
//! that does not count.
//!
//! Programs choose instructions by the processor. Under valgrind they see its own, made-up one: AVX2 and BMI2, neither AVX-512 nor SHA-NI,
//! whatever the machine has beyond. What they see stands in the file, with the compiler; where it is another, nothing is compared.

#[path = "recorded/mod.rs"]
#[allow(dead_code, reason = "their recorded times are for another bench")]
mod recorded;

use lacre::{Cache, Document, Policy, Time, Validator};
use recorded::{Anchors, Row, name, rows};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// By how much a count may differ.
const TOLERANCE: f64 = 0.02;
/// Of those with recorded timings: each format, small and large.
const FILES: [&str; 20] = [
    "25sigs.pdf",
    "PadesProfileT.pdf",
    "Signature-P-HU_POL-7.pdf",
    "adbe_crl_signed.pdf",
    "sig_with_atsv2.p7s",
    "TEST_ESTEID2018_CAdES_LT_enveloping.p7m",
    "signedXmlXadesB.xml",
    "xades-attr-authorities-values.xml",
    "Signature-X-ES-100.xml",
    "Signature-X-CY-1.xml",
    "dss-1647_OJ_L_2018_109_FULL.xml",
    "ASiC-E-CAdES-BpLTA-copied-arctst.sce",
    "cades-lt-two-sigs.sce",
    "validTSwImplicitPolicy.asice",
    "asice-with-large-data-file.asice",
    "ddoc-with-large-data-file.asics",
    "InvestorToomas.bdoc",
    "jades-with-b64-not-in-crit.json",
    "evidence-record-d233a2d9-a257-40dc-bcdb-bf4516b6d1da.ers",
    "0a63c28f-b1a1-4c4b-938e-db045d57002b.xml",
];
const EXAMPLES: [&str; 3] = ["contract.pdf", "revoked.pdf", "letter.txt.p7s"];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments: Vec<String> = std::env::args().collect();
    match &arguments[..] {
        [_, what] if what == "--processor" => {
            println!("{}", processor());
            return ExitCode::SUCCESS;
        }
        [_, what, file] if what == "--validate" => {
            let row = files(root).into_iter().find(|row| name(&row.file) == *file).expect("a file of this bench");
            validate_once(root, &row);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let only: Vec<&String> = arguments.iter().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let stored = Stored::read(root);
    let (writes, circumstances) = (std::env::var_os("LACRE_WRITE").is_some(), circumstances());
    let compares = stored.circumstances == circumstances;
    if !compares && !writes {
        println!("nothing is compared: counted were {}\nhere it is {circumstances}", stored.circumstances);
    }
    let (mut counts, mut differ) = (stored.counts.clone(), false);
    println!("{:>13} {:>13} {:>7}  file", "instructions", "stored", "ratio");
    for row in files(root) {
        let file = name(&row.file);
        if !(only.is_empty() || only.iter().any(|part| file.contains(part.as_str()))) {
            continue;
        }
        if !row.file.exists() {
            println!("{:>13}  not there: {file}", "-");
            continue;
        }
        let count = counted(&file);
        let before = stored.counts.get(&file).copied();
        let ratio = before.map(|before| count as f64 / before as f64);
        let is_other = ratio.is_none_or(|ratio| (ratio - 1.0).abs() > TOLERANCE);
        differ |= is_other && compares;
        let mark = if is_other { "  *" } else { "" };
        let [before, ratio] = [before.map(|before| before.to_string()), ratio.map(|ratio| format!("{ratio:.3}"))]
            .map(Option::unwrap_or_default);
        println!("{count:>13} {before:>13} {ratio:>7}  {file}{mark}");
        counts.insert(file, count);
    }
    if writes {
        assert!(only.is_empty(), "counts of one compiler and processor are written together");
        Stored { circumstances, counts }.write(root);
        return ExitCode::SUCCESS;
    }
    if differ {
        println!(
            "* more than 2 % beside what is stored. If that is meant: LACRE_WRITE=1 cargo bench --bench instructions"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The examples, and the files of the record, of which some may not be there.
fn files(root: &Path) -> Vec<Row> {
    let examples = EXAMPLES.map(|name| Row::unrecorded(root.join("examples/documents").join(name)));
    let recorded = rows(root).into_iter().filter(|row| FILES.contains(&name(&row.file).as_str()));
    examples.into_iter().chain(recorded).collect()
}

fn validate_once(root: &Path, row: &Row) {
    let cache = Cache::default();
    let mut validator = Validator::new(Policy::eidas()).with_cache(cache.clone());
    for (_, anchor) in Anchors::of(root).of_setting(&row.setting) {
        validator = validator.trust_anchor(&anchor).expect("an anchor is a certificate");
    }
    let bytes = std::fs::read(&row.file).expect("the file is there");
    let (document, time) = (Document::new(&bytes), row.setting.time.parse().expect("a valid time"));
    std::hint::black_box(validator.validate(&document, time).map(|report| report.to_json().len()).ok());
    cache.clear();
    std::hint::black_box(counted_validation(&validator, &document, time));
}

/// What callgrind counts.
#[inline(never)]
fn counted_validation(validator: &Validator, document: &Document<'_>, time: Time) -> Option<usize> {
    validator.validate(document, time).map(|report| report.to_json().len()).ok()
}

/// The instructions inside `counted_validation`, in a process that validates the file.
fn counted(file: &str) -> u64 {
    let said = under_callgrind(&["--validate", file]);
    let line = said.1.lines().find_map(|line| line.split_once("Collected :")).expect("callgrind says it");
    let counted = line.1.trim().parse().expect("it is a number");
    assert!(counted > 10_000, "callgrind did not see the validation of {file}: {}", said.1);
    counted
}

/// What this program says under callgrind, and what callgrind says.
fn under_callgrind(arguments: &[&str]) -> (String, String) {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted_validation*"]);
    command.arg(std::env::current_exe().expect("a program knows where it is")).args(arguments);
    // Symbols are looked up before, not in the first call.
    let done = command.env("LD_BIND_NOW", "1").output().expect("valgrind is installed (package valgrind)");
    let [said, counted] = [&done.stdout, &done.stderr].map(|said| String::from_utf8_lossy(said).into_owned());
    assert!(done.status.success(), "{counted}");
    (said, counted)
}

/// What counts depend on, beside our code.
fn circumstances() -> String {
    let compiler = Command::new("rustc").arg("--version").output().expect("there is a compiler");
    let compiler = String::from_utf8_lossy(&compiler.stdout).trim().to_owned();
    format!("{compiler}; {}", under_callgrind(&["--processor"]).0.trim())
}

/// The processor as programs see it.
fn processor() -> String {
    let mut features = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    for (feature, there) in [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("bmi2", is_x86_feature_detected!("bmi2")),
        ("adx", is_x86_feature_detected!("adx")),
        ("aes", is_x86_feature_detected!("aes")),
        ("pclmulqdq", is_x86_feature_detected!("pclmulqdq")),
        ("sha", is_x86_feature_detected!("sha")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ] {
        features.extend(there.then_some(feature));
    }
    features.join(" ")
}

/// What was counted before.
struct Stored {
    circumstances: String,
    counts: BTreeMap<String, u64>,
}

impl Stored {
    fn path(root: &Path) -> PathBuf {
        root.join("benches/instructions.tsv")
    }

    fn read(root: &Path) -> Self {
        let text = std::fs::read_to_string(Self::path(root)).unwrap_or_default();
        let circumstances = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().to_owned();
        let rows = text.lines().filter_map(|line| line.split_once('\t'));
        let counts = rows.filter_map(|(count, file)| Some((file.to_owned(), count.parse().ok()?))).collect();
        Self { circumstances, counts }
    }

    fn write(&self, root: &Path) {
        let rows = self.counts.iter().map(|(file, count)| format!("{count}\t{file}\n"));
        let text = format!("# {}\n{}", self.circumstances, rows.collect::<String>());
        std::fs::write(Self::path(root), text).expect("the counts are written");
    }
}
