//! Further signatures, and document time-stamps by themselves: P6, P9, P10.

use super::{How, plain, sign, signed_at};
use crate::cell::{Level, Made, Sheet, told};
use crate::documents::{self};
use crate::steps::{climb, climb_with, extend, timestamp};
use crate::world::{Key, minutes, signed};
use lacre::Document;
use lacre::augmentation::{self, Obstacle, Target};
use lacre::signing::DigestAlgorithm;
use serde_json::json;

/// By how many minutes later a second signer signs.
const LATER: i64 = 60;

/// P6 and P9: one signature after the other, over what DSS signed (`.ci/creation` has it made before), with its DSS dictionary.
pub(super) fn again(sheet: &mut Sheet<'_>) {
    let (world, folder) = (sheet.world, sheet.folder().join("own"));
    for key in [Key::P256, Key::Rsa2048] {
        for (from, name) in [(Level::B, "B"), (Level::T, "T"), (Level::Lt, "LT"), (Level::Lta, "LTA")] {
            let path = folder.join(format!("PAdES-ENVELOPED-{}-{name}", key.name()));
            let theirs = || std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
            // DSS extends to T by a document time-stamp, as lacre does.
            let stamps = usize::from(from > Level::B) + usize::from(from == Level::Lta);
            for to in Level::ALL.into_iter().filter(|to| *to > from) {
                sheet.passes("P6", &format!("DSS's, {}, {name} to {}", key.name(), to.name()), || {
                    let bytes = theirs()?;
                    let mut made = Made::of(climb(world, &Document::new(&bytes), None, from, to)?, "pdf", "PAdES", to);
                    made.archived += 1;
                    made.before = Some(bytes);
                    Ok(made)
                });
            }
            for to in Level::ALL {
                sheet.passes(
                    "P6",
                    &format!("DSS's, {}, {name}, then a second signature, {}", key.name(), to.name()),
                    || {
                        let bytes = theirs()?;
                        let how = How::with(Key::Rsa4096).parameters(|p| p.signing_time = minutes(signed(), LATER));
                        let second = sign(world, &bytes, None, &how)?.map_err(told)?;
                        let second =
                            climb_with(world, &Document::new(&second), None, Level::B, to, LATER, |target| target)?;
                        let mut made = Made::of(second, "pdf", "PAdES", to);
                        // A document time-stamp covers the validation data of the first signature, too.
                        let first = if from == Level::Lt && to >= Level::T { Level::Lta } else { from.max(to) };
                        made.levels.push(first.called("PAdES"));
                        made.judged = minutes(made.judged, LATER);
                        made.archived = match to {
                            Level::B => stamps,
                            Level::T | Level::Lt => stamps + 1,
                            Level::Lta => stamps + 2,
                            Level::Lta2 => stamps + 3,
                        };
                        made.online = to < Level::Lt;
                        made.before = Some(bytes);
                        Ok(made)
                    },
                );
            }
        }
    }
    for level in Level::ALL {
        for form in ["table 1.7", "object stream", "qpdf, object streams", "hybrid"] {
            let source = documents::builds().into_iter().find(|source| source.name == form).expect("it is there");
            sheet.passes("P6", &format!("three signatures, {form}, {}", level.name()), || {
                let mut bytes = source.bytes.clone();
                for key in [Key::P256, Key::Rsa4096, Key::P384] {
                    bytes = sign(world, &bytes, None, &How::with(key))?.map_err(told)?;
                }
                let mut made =
                    Made::of(climb(world, &Document::new(&bytes), None, Level::B, level)?, "pdf", "PAdES", level);
                made.levels = vec![level.called("PAdES"); 3];
                made.archived += usize::from(level >= Level::T);
                made.before = Some(source.bytes.clone());
                if form == "hybrid" {
                    made.more = json!({ "pyhanko": "no" });
                }
                Ok(made)
            });
        }
    }
    for level in [Level::Lt, Level::Lta, Level::Lta2] {
        sheet.passes("P9", &format!("with VRI, {}", level.name()), || {
            let source = documents::plain();
            let first = sign(world, &source, None, &How::usual())?.map_err(told)?;
            let bytes =
                climb_with(world, &Document::new(&first), None, Level::B, level, 0, |target| target.with_vri())?;
            let mut made = Made::of(bytes, "pdf", "PAdES", level);
            made.archived += 1;
            made.before = Some(source);
            Ok(made)
        });
    }
    for function in [DigestAlgorithm::Sha384, DigestAlgorithm::Sha512] {
        sheet.passes("P9", &format!("time-stamps by {function}, LTA²"), || {
            let source = documents::plain();
            let first = sign(world, &source, None, &How::usual())?.map_err(told)?;
            let document = Document::new(&first);
            let bytes = climb_with(world, &document, None, Level::B, Level::Lta2, 0, |target| target.digest(function))?;
            let mut made = Made::of(bytes, "pdf", "PAdES", Level::Lta2);
            made.archived += 1;
            made.before = Some(source);
            Ok(made)
        });
    }
}

/// P10: document time-stamps by themselves.
pub(super) fn timestamps(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let target = |level| Target::new(level);
    let stamped =
        |bytes: &[u8], level, moment| extend(world, &Document::new(bytes), &target(level), moment).map_err(told);
    let alone_stamped = |bytes: &[u8], moment| timestamp(world, &Document::new(bytes), moment).map_err(told);
    let alone = |bytes, stamps, judged| {
        let mut made = Made::of(bytes, "pdf", "PAdES", Level::T);
        made.levels = vec![];
        made.archived = stamps;
        made.judged = judged;
        made
    };
    for source in documents::builds() {
        if !["table 1.7", "object stream", "linearized", "no identifier", "cross-reference stream"]
            .contains(&&source.name[..])
        {
            continue;
        }
        sheet.passes("P10", &format!("unsigned, {}", source.name), || {
            let bytes = alone_stamped(&source.bytes, Level::T.moment())?;
            let mut made = alone(bytes, 1, Level::T.judged());
            made.before = Some(source.bytes.clone());
            Ok(made)
        });
    }
    sheet.passes("P10", "unsigned, renewed five times, two years apart", || {
        let source = documents::plain();
        let mut bytes = alone_stamped(&source, Level::T.moment())?;
        let mut now = Level::T.moment();
        for _ in 0..5 {
            now = crate::world::years(now, 2);
            bytes = alone_stamped(&bytes, now)?;
        }
        let mut made = alone(bytes, 6, minutes(now, 60));
        made.before = Some(source);
        Ok(made)
    });
    sheet.passes("P10", "signed, renewed five times, two years apart", || {
        let source = plain("plain", documents::plain());
        let mut made = signed_at(world, &source, &How::usual(), Level::Lta)?;
        let mut now = Level::Lta.moment();
        for _ in 0..5 {
            now = crate::world::years(now, 2);
            made.bytes = stamped(&made.bytes, augmentation::Level::Lta, now)?;
        }
        made.archived = 7;
        made.judged = minutes(now, 60);
        made.passed_on = false;
        Ok(made)
    });
    sheet.passes("P10", "a signature whose certificate has ended", || {
        let first = sign(world, &documents::plain(), None, &How::usual())?.map_err(told)?;
        let now = crate::world::years(signed(), 5);
        let target = target(augmentation::Level::T).overlooking(Obstacle::ExpiredCertificate);
        let bytes = extend(world, &Document::new(&first), &target, now).map_err(told)?;
        let mut made = alone(bytes, 1, minutes(now, 60));
        made.before = Some(first);
        made.more = json!({ "earlier": true, "pyhanko": "no" });
        Ok(made)
    });
    sheet.refused("P10", "a signature whose certificate has ended, not overlooked", "certificate-expired", || {
        let first = sign(world, &documents::plain(), None, &How::usual()).expect("there is the key")?;
        let now = crate::world::years(signed(), 5);
        extend(world, &Document::new(&first), &target(augmentation::Level::T), now)
    });
}
