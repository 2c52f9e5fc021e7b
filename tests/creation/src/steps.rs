//! The steps that make a file: a signature, then each level in turn.

use crate::cell::{Level, told};
use crate::random;
use crate::world::{User, World, minutes};
use lacre::augmentation::{self, Extension, Material, Target, Want};
use lacre::report::{Attempt, Tried, WantedKind};
use lacre::signing::{Prepared, SigningError, SigningKey};
use lacre::{Document, Time, Validator};

/// The value of a prepared signature.
pub fn value(user: &User, prepared: &Prepared) -> Vec<u8> {
    let numbers = &mut random::of("values");
    let value = user.key.sign(prepared.algorithm(), &prepared.digest(), numbers);
    value.expect("the key signs what was prepared for it")
}

/// Finishes a prepared signature, from its written form.
pub fn finish(user: &User, prepared: &Prepared, document: &Document<'_>) -> Result<Vec<u8>, SigningError> {
    let restored = Prepared::from_json(&prepared.to_json())?;
    Ok(restored.finish(document, &value(user, &restored))?.to_vec(document.bytes()))
}

/// The file at a higher level, step by step, each at its moment.
pub fn climb(
    world: &World,
    document: &Document<'_>,
    password: Option<&str>,
    from: Level,
    to: Level,
) -> Result<Vec<u8>, String> {
    climb_with(world, document, password, from, to, 0, |target| target)
}

/// The same, so many minutes later, with targets changed.
pub fn climb_with(
    world: &World,
    document: &Document<'_>,
    password: Option<&str>,
    from: Level,
    to: Level,
    later: i64,
    change: impl Fn(Target) -> Target,
) -> Result<Vec<u8>, String> {
    let mut bytes = document.bytes().to_vec();
    for level in Level::ALL.into_iter().filter(|level| *level > from && *level <= to) {
        let target = change(Target::new(level.target()));
        bytes = extend(world, &with_bytes(document, password, &bytes), &target, minutes(level.moment(), later))
            .map_err(|error| format!("to {}: {}", level.name(), told(error)))?;
    }
    Ok(bytes)
}

/// A document with other bytes, and all else the same.
fn with_bytes<'a>(document: &Document<'a>, password: Option<&'a str>, bytes: &'a [u8]) -> Document<'a> {
    let mut other = Document::new(bytes);
    for content in document.contents() {
        other = other.with_content(content.name.clone(), content.bytes);
    }
    match password {
        Some(password) => other.with_password(password.as_bytes()),
        None => other,
    }
}

/// The file at that level.
pub fn extend(world: &World, document: &Document<'_>, target: &Target, moment: Time) -> Result<Vec<u8>, SigningError> {
    step(world, augmentation::extend, document, target, moment)
}

/// The file with a document time-stamp.
pub fn timestamp(world: &World, document: &Document<'_>, moment: Time) -> Result<Vec<u8>, SigningError> {
    step(world, augmentation::timestamp, document, &Target::new(augmentation::Level::Lta), moment)
}

/// A way to add to a document.
type Addition = fn(&Validator, &Document<'_>, &Target, &Material, Time) -> Result<Extension, SigningError>;

/// The file with an addition; everything that is wanted is had, a second after it was wanted.
fn step(
    world: &World,
    add: Addition,
    document: &Document<'_>,
    target: &Target,
    moment: Time,
) -> Result<Vec<u8>, SigningError> {
    let (validator, mut material, mut now) = (world.validator(), Material::new(), moment);
    let mut wanted = vec![];
    for _ in 0..30 {
        let wants = match add(&validator, document, target, &material, now)? {
            Extension::Done(extended) => return Ok(extended.output.to_vec(document.bytes())),
            Extension::Wanted(wants) => wants,
        };
        now = now.plus_millis(1000);
        wanted = wants
            .iter()
            .map(|want| match want {
                Want::Timestamp(want) => format!("time-stamp over {}", crate::cell::hex(&want.imprint)),
                Want::Evidence(want) => {
                    format!("{} of {} not before {:?}", want.wanted.kind, want.name, want.not_before)
                }
            })
            .collect();
        let mut asked = vec![];
        for want in wants {
            match want {
                Want::Timestamp(want) => {
                    material.timestamp(world.token(want.algorithm, &want.imprint, now));
                }
                // An issuer is wanted beside revocation data, not in place of it.
                Want::Evidence(want)
                    if asked.contains(&(want.wanted.kind == WantedKind::Issuer, want.wanted.about.clone())) => {}
                Want::Evidence(want) => {
                    asked.push((want.wanted.kind == WantedKind::Issuer, want.wanted.about.clone()));
                    let (kind, about) = (want.wanted.kind, want.wanted.about.clone());
                    match world.answer(&want.certificate, kind == WantedKind::Issuer, now) {
                        Some(bytes) => material.evidence(bytes),
                        None => material.attempt(Attempt {
                            kind,
                            about,
                            tried: Tried { url: "here".into(), reason: format!("nobody knows {}", want.name) },
                        }),
                    };
                }
            }
        }
    }
    panic!("what is wanted is handed in, and is wanted again: {}", wanted.join("; "))
}
