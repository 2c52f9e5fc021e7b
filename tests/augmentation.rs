//! Signatures are extended over decades, and every step is judged: EN 319 122-1 §6, EN 319 142-1 §6.

use lacre::{
    Document, Time,
    augmentation::{Extension, Freshness, Level, Material, Target, Want, extend},
    report::{Attempt, SignatureLevel, Tried, WantedKind},
    signing::SigningErrorCode,
};
use lacre_testkit::decades::Decades;

const YEAR: i64 = 365 * 86_400_000;
const TEXT: &[u8] = b"Dear Ines,\r\nall is well.\r\n";

fn start() -> Time {
    "2027-03-01T12:00:00Z".parse().expect("a time")
}

#[test]
fn a_cades_signature_lives_for_decades() {
    let world = Decades::from(start());
    let person = world.person(1, start(), 700);
    let mut now = start().plus_millis(86_400_000);
    let signed = world.enveloping(&person, TEXT, now);
    let mut file = signed.clone();
    for (level, years, expected) in [
        (Level::T, 0, SignatureLevel::CadesBaselineT),
        (Level::Lt, 0, SignatureLevel::CadesBaselineLt),
        (Level::Lta, 0, SignatureLevel::CadesBaselineLta),
        (Level::Lta, 12, SignatureLevel::CadesBaselineLta),
        (Level::Lta, 11, SignatureLevel::CadesBaselineLta),
    ] {
        now = now.plus_millis(years * YEAR + 60_000);
        let extended = world.extend(&Document::new(&file), &Target::new(level), &mut now);
        let extended = extended.unwrap_or_else(|error| panic!("{level} after {years} years: {error} {:?}", error.code()));
        file = extended.output.to_vec(&file);
        let signature = &extended.signatures[0];
        assert_eq!(signature.after, Some(expected), "EN 319 122-1 6.3 {}", extended.report.to_text());
        let judged = world.validator().validate(&Document::new(&file), now).expect("it is read");
        if level != Level::T {
            assert_eq!(judged.indication().as_str(), "TOTAL-PASSED", "{level} {years}: {}", judged.to_text());
        }
    }
}
