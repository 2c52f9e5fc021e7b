//! CAdES: rows C1 to C7 of the matrix.

use crate::cell::{Level, Made, Sheet, told};
use crate::steps::{climb, finish};
use crate::world::{Key, World, signed};
use lacre::Document;
use lacre::signing::{SignatureParameters, cades, digest};
use serde_json::json;

/// The contents that are signed.
fn contents() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty", vec![]),
        ("a byte", b"x".to_vec()),
        ("text", "Dear Sir,\r\nplease find enclosed what was agreed.\r\nYours, Inês\r\n".into()),
        ("PDF", include_bytes!("../../../examples/documents/contract.pdf").to_vec()),
    ]
}

fn large() -> Vec<u8> {
    (0..10_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packaging {
    Enveloping,
    Detached,
    Digest,
}

impl Packaging {
    fn name(self) -> &'static str {
        match self {
            Self::Enveloping => "enveloping",
            Self::Detached => "detached",
            Self::Digest => "digest alone",
        }
    }
}

/// A CAdES signature over the content, at that level.
fn signed_at(
    world: &World,
    packaging: Packaging,
    content: &[u8],
    key: Key,
    level: Level,
    parameters: &SignatureParameters,
    options: &cades::Options,
) -> Result<Made, String> {
    let user = world.user(key)?;
    let imprint = digest(user.signer.digest(), content).ok_or("the digest function is not known")?;
    let what = match packaging {
        Packaging::Enveloping => cades::Content::Enveloped(content),
        Packaging::Detached => cades::Content::Detached(content),
        Packaging::Digest => cades::Content::Digest(&imprint),
    };
    let prepared = cades::prepare(&what, parameters, options, &user.signer).map_err(told)?;
    let document = match packaging {
        Packaging::Digest => Document::new(&[]),
        _ => Document::new(content),
    };
    let first = finish(user, &prepared, &document).map_err(told)?;
    let enveloping = packaging == Packaging::Enveloping;
    let document = match enveloping {
        true => Document::new(&first),
        false => Document::new(&first).with_content("content", content),
    };
    let bytes = climb(world, &document, None, Level::B, level)?;
    let mut made = Made::of(bytes, if enveloping { "p7m" } else { "p7s" }, "CAdES", level);
    if !enveloping {
        made.contents = vec![("content".into(), content.to_vec())];
    }
    made.passed_on = level >= Level::T;
    Ok(made)
}

pub fn rows(sheet: &mut Sheet<'_>) {
    let (parameters, options) = (SignatureParameters::new(signed()), cades::Options::default());
    let mut weak = parameters.clone();
    weak.allow_weak_algorithms = true;
    let world = sheet.world;
    for (row, packaging) in [("C1", Packaging::Enveloping), ("C2", Packaging::Detached), ("C2", Packaging::Digest)] {
        for (kind, content) in contents() {
            for key in [Key::Rsa2048, Key::P256] {
                for level in Level::ALL {
                    if packaging == Packaging::Digest && (level > Level::Lt || kind != "text") {
                        continue;
                    }
                    let name = format!("{}, {kind}, {}, {}", packaging.name(), key.name(), level.name());
                    let parameters = if key == Key::Rsa2048 { &weak } else { &parameters };
                    sheet
                        .passes(row, &name, || signed_at(world, packaging, &content, key, level, parameters, &options));
                }
            }
        }
        if packaging != Packaging::Digest {
            let content = large();
            for level in [Level::B, Level::Lta] {
                let name = format!("{}, 10 MB, P-256, {}", packaging.name(), level.name());
                sheet.passes(row, &name, || {
                    signed_at(world, packaging, &content, Key::P256, level, &parameters, &options)
                });
            }
        }
        for key in Key::ALL {
            if matches!(key, Key::Rsa2048 | Key::P256) {
                continue;
            }
            let name = format!("{}, text, {}, B", packaging.name(), key.name());
            let content = &contents()[2].1;
            sheet.passes(row, &name, || {
                let mut made = signed_at(world, packaging, content, key, Level::B, &weak, &options)?;
                made.more = json!({ "key": key.name() });
                Ok(made)
            });
        }
    }
}
