//! What signing and extending take, beside what they cannot do without.
//!
//! `cargo bench --bench signing --features signing`. Medians of ratios, turn by turn, so that a machine that changes its speed
//! does so for both. A signature of level B in a PDF of 1 MB stands beside two digests of the file and the operation of the key,
//! and may take 1.5 times as long. The extension of a PDF from T to LT, with all evidence at hand, stands beside the validation of
//! what comes out, and may take twice as long. What is above its bound is a failure. A content of 1 GB that is signed beside it
//! is in `bindings/cli/tests/large.rs`, where memory is measured, too.

use lacre::augmentation::{Level, Material, Target};
use lacre::signing::{CryptoRng, DigestAlgorithm, KeyKind, SignatureParameters, Signer, SigningKey, digest, pades};
use lacre::{Budget, Document, Time};
use lacre_testkit::decades::{Decades, Person};
use lacre_testkit::pdf::{Objects, Pdf, stream};
use lacre_testkit::pki::Seeded;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const MEGABYTE: usize = 1_000_000;
const TURNS: usize = 41;
const DAY: i64 = 86_400_000;
/// What level B may take, in times of two digests and the key's operation.
const SIGNED: f64 = 1.5;
/// What an extension to LT may take, in times of a validation.
const EXTENDED: f64 = 2.0;

fn main() -> ExitCode {
    let start: Time = "2027-03-01T12:00:00Z".parse().expect("a time");
    let world = Decades::from(start);
    let (small, large) = (Pdf::usual().bytes, large_pdf());
    let person = |kind| world.person_with(kind, 1, start, 700);
    println!("{:28} {:>12} {:>12} {:>7} {:>7}", "", "takes", "beside", "ratio", "bound");
    let within = [
        signed("B, 1 MB, P-256", &person(KeyKind::P256), &large, start),
        signed("B, 1 MB, RSA 3072", &person(KeyKind::Rsa3072), &large, start),
        extended("T to LT, small", &world, &small, start),
        extended("T to LT, 1 MB", &world, &large, start),
    ];
    if within.contains(&false) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A PDF of a page and a stream of bytes without pattern.
fn large_pdf() -> Vec<u8> {
    let noise: Vec<u8> = (0..MEGABYTE as u64).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    Pdf::page("Ten pages of noise", Objects::from([(50, stream("", &noise))])).bytes
}

/// How long a piece of work takes.
fn clock<T>(work: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    black_box(work());
    begun.elapsed()
}

fn median<T: PartialOrd + Copy>(mut numbers: Vec<T>) -> T {
    numbers.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
    numbers[numbers.len() / 2]
}

/// Prints a row; whether the bound holds.
fn row(name: &str, bound: f64, mut ours: impl FnMut() -> Duration, mut beside: impl FnMut() -> Duration) -> bool {
    ours();
    beside();
    let turns: Vec<_> = (0..TURNS).map(|_| (ours(), beside())).collect();
    let ratio = median(turns.iter().map(|(ours, beside)| ours.as_secs_f64() / beside.as_secs_f64()).collect());
    let [ours, beside] =
        [median(turns.iter().map(|turn| turn.0).collect()), median(turns.iter().map(|turn| turn.1).collect())];
    println!("{name:28} {ours:>12.1?} {beside:>12.1?} {ratio:>7.2} {bound:>7.2}");
    ratio <= bound
}

fn signed(name: &str, person: &Person, bytes: &[u8], time: Time) -> bool {
    let algorithm = person.key.algorithm(DigestAlgorithm::Sha256);
    let signer = Signer::new(person.certificate.clone(), algorithm).expect("the key's algorithm");
    let document = Document::new(bytes);
    let sign = |randomness: &mut dyn CryptoRng| {
        let (parameters, options) = (SignatureParameters::new(time), pades::Options::default());
        let prepared = pades::prepare(&document, &parameters, &options, &signer, &Budget::default());
        prepared.expect("it is prepared").sign(&document, &person.key, randomness).expect("it is signed")
    };
    let minimum = |randomness: &mut dyn CryptoRng| {
        let digest = || digest(DigestAlgorithm::Sha256, bytes).expect("it is computed");
        black_box(digest());
        person.key.sign(&algorithm, &digest(), randomness).expect("the key signs")
    };
    let (mut one, mut other) = (Seeded(1), Seeded(2));
    row(name, SIGNED, || clock(|| sign(&mut one)), || clock(|| minimum(&mut other)))
}

fn extended(name: &str, world: &Decades, bytes: &[u8], start: Time) -> bool {
    let mut now = start.plus_millis(DAY);
    let person = world.person(3, start, 700);
    let file = world.pdf(&person, &Document::new(bytes), now);
    let mut extend = |file: &[u8], level, material: &mut Material| {
        now = now.plus_millis(60_000);
        let done = world.extend_with(&Document::new(file), &Target::new(level), material, &mut now);
        (done.expect("it is extended").output.to_vec(file), now)
    };
    let (stamped, _) = extend(&file, Level::T, &mut Material::new());
    // Everything that is wanted, from a first extension.
    let mut material = Material::new();
    let (long_term, now) = extend(&stamped, Level::Lt, &mut material);
    let (target, before, after) = (Target::new(Level::Lt), Document::new(&stamped), Document::new(&long_term));
    let ours = || {
        // A validator remembers what it has seen: each turn has its own.
        let validator = world.validator();
        clock(|| lacre::augmentation::extend(&validator, &before, &target, &material, now).expect("it is extended"))
    };
    let validate = || {
        let validator = world.validator();
        clock(|| validator.validate(&after, now).expect("it is read"))
    };
    row(name, EXTENDED, ours, validate)
}
