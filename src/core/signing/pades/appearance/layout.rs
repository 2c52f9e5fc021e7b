//! Where text and picture of an appearance stand.

use super::face::Face;
use super::options::{Alignment, Appearance, Arrangement, Scaling};
use super::picture::Picture;
use crate::formats::pdf::rectangle::Rectangle;
use crate::signing::pades::options::Options;
use crate::signing::{SignatureParameters, Signer, SigningError, SigningErrorCode};
use crate::time::Time;
use unicode_normalization::UnicodeNormalization as _;

/// What an appearance consists of, in the units of the page.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Layout {
    pub picture: Option<Rectangle>,
    /// The size of the letters.
    pub size: f64,
    pub lines: Vec<Line>,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub text: String,
    pub left: f64,
    pub baseline: f64,
}

/// The distance of lines, as a multiple of the size.
const LEADING: f64 = 1.2;

/// The largest size of letters that is chosen, and the smallest that can be read; in points.
const LARGEST: f64 = 16.0;
const SMALLEST: f64 = 3.0;

/// The share of the width, or the height, that a picture beside a text has at most.
const SHARE: f64 = 0.4;

/// Arranges a picture and a text in an area that is so wide and high; a unit has so many points.
///
/// # Errors
///
/// `font-missing-glyph`; `parameter-invalid` where the text does not fit.
pub(super) fn lay_out(
    appearance: &Appearance,
    (width, height): (f64, f64),
    unit: f64,
    text: Option<&str>,
    picture: Option<&Picture>,
    face: &Face<'_>,
) -> Result<Layout, SigningError> {
    let padding = (appearance.padding + appearance.border.unwrap_or(0.0)) / unit;
    let inner = Rectangle { left: padding, bottom: padding, right: width - padding, top: height - padding };
    if inner.width() <= 0.0 || inner.height() <= 0.0 {
        return Err(does_not_fit("nothing but the border and the padding"));
    }
    let mut layout = Layout::default();
    let mut of_text = inner;
    if let Some(picture) = picture {
        let (of_picture, rest) = match (text, appearance.arrangement) {
            (None, _) | (_, Arrangement::Behind) => (inner, inner),
            (Some(_), arrangement) => divide(&inner, arrangement, picture.proportion(), padding),
        };
        of_text = rest;
        layout.picture = Some(match appearance.scaling {
            Scaling::Stretch => of_picture,
            Scaling::Fit => fitted(&of_picture, picture.proportion()),
        });
    }
    if let Some(text) = text {
        let text: String = text.nfc().collect();
        let missing = face.missing(&text.replace('\n', ""));
        if !missing.is_empty() {
            let names: Vec<String> = missing.iter().map(|c| format!("{c} (U+{:04X})", u32::from(*c))).collect();
            let found = format!("found characters that the typeface does not have: {}", names.join(", "));
            return Err(SigningError::new(SigningErrorCode::FontMissingGlyph, found)
                .with_hint("give a typeface that has them, or write the text without them"));
        }
        layout.size = match appearance.font_size {
            Some(size) => size / unit,
            None => largest_size(&text, &of_text, unit, face),
        };
        let lines = wrapped(&text, of_text.width() / layout.size, face);
        let lines = lines.filter(|lines| lines.len() as f64 * LEADING * layout.size <= of_text.height() + 1e-6);
        let lines = lines.ok_or_else(|| does_not_fit("a text that is too long"))?;
        layout.lines = placed(&lines, &of_text, layout.size, appearance.alignment, face);
    }
    Ok(layout)
}

fn does_not_fit(what: &str) -> SigningError {
    let found = format!("found {what}, expected what fits into the field");
    SigningError::new(SigningErrorCode::ParameterInvalid, found)
        .with_hint("make the field larger, the text shorter, or its letters smaller")
}

/// Divides an area into those of a picture, which is so many times as wide as high, and of a text.
fn divide(area: &Rectangle, arrangement: Arrangement, proportion: f64, gap: f64) -> (Rectangle, Rectangle) {
    let (mut of_picture, mut of_text) = (*area, *area);
    match arrangement {
        Arrangement::Above => {
            let height = (area.width() / proportion).min(area.height() * SHARE);
            of_picture.bottom = area.top - height;
            of_text.top = of_picture.bottom - gap;
        }
        Arrangement::Right => {
            let width = (area.height() * proportion).min(area.width() * SHARE);
            of_picture.left = area.right - width;
            of_text.right = of_picture.left - gap;
        }
        _ => {
            let width = (area.height() * proportion).min(area.width() * SHARE);
            of_picture.right = area.left + width;
            of_text.left = of_picture.right + gap;
        }
    }
    (of_picture, of_text)
}

/// Returns the largest area of a proportion in the middle of another.
fn fitted(area: &Rectangle, proportion: f64) -> Rectangle {
    let width = area.width().min(area.height() * proportion);
    let height = width / proportion;
    let (left, bottom) = (area.left + (area.width() - width) / 2.0, area.bottom + (area.height() - height) / 2.0);
    Rectangle { left, bottom, right: left + width, top: bottom + height }
}

/// Returns the largest size in which a text fits, in tenths of a point.
fn largest_size(text: &str, area: &Rectangle, unit: f64, face: &Face<'_>) -> f64 {
    let fits = |tenths: u32| {
        let size = f64::from(tenths) / 10.0 / unit;
        let lines = wrapped(text, area.width() / size, face);
        lines.is_some_and(|lines| lines.len() as f64 * LEADING * size <= area.height())
    };
    let (mut least, mut most) = ((SMALLEST * 10.0) as u32, (LARGEST * 10.0) as u32);
    while least < most {
        let middle = (least + most).div_ceil(2);
        if fits(middle) { least = middle } else { most = middle - 1 }
    }
    f64::from(least) / 10.0 / unit
}

/// Breaks a text into lines that are so many ems wide at most, at spaces. `None` where a word is wider.
fn wrapped(text: &str, width: f64, face: &Face<'_>) -> Option<Vec<String>> {
    let space = face.advance(' ');
    let mut lines = vec![];
    for paragraph in text.lines() {
        let (mut line, mut used) = (String::new(), 0.0);
        for word in paragraph.split_whitespace() {
            let wide = face.width(word);
            if wide > width {
                return None;
            }
            if line.is_empty() {
                (line, used) = (word.to_owned(), wide);
            } else if used + space + wide <= width {
                line.push(' ');
                line.push_str(word);
                used += space + wide;
            } else {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
                used = wide;
            }
        }
        lines.push(line);
    }
    Some(lines)
}

/// Places lines in the middle of the height of an area.
fn placed(lines: &[String], area: &Rectangle, size: f64, alignment: Alignment, face: &Face<'_>) -> Vec<Line> {
    let spare = area.height() - lines.len() as f64 * LEADING * size;
    // Letters reach from the ascent to the descent; both together are centred in the leading.
    let above = (LEADING - face.ascent + face.descent) / 2.0 + face.ascent;
    let mut top = area.top - spare / 2.0;
    let mut placed = vec![];
    for text in lines {
        let rest = area.width() - face.width(text) * size;
        let left = match alignment {
            Alignment::Left => area.left,
            Alignment::Centre => area.left + rest / 2.0,
            Alignment::Right => area.left + rest,
        };
        placed.push(Line { text: text.clone(), left, baseline: top - above * size });
        top -= LEADING * size;
    }
    placed.retain(|line| !line.text.is_empty());
    placed
}

/// Replaces what stands for something that the signature states.
pub(super) fn filled_in(text: &str, parameters: &SignatureParameters, options: &Options, signer: &Signer) -> String {
    let subject = signer.certificate().subject();
    let of_certificate = || {
        let attributes = subject.subject_attributes();
        attributes.common_name.clone().unwrap_or_else(|| subject.rfc2253().to_owned())
    };
    let name = options.signer_name.clone().unwrap_or_else(of_certificate);
    let place = parameters.place.as_ref().map(crate::signing::pades::dictionary::in_words).unwrap_or_default();
    let reason = options.reason.clone().unwrap_or_default();
    let time = local(parameters.signing_time, options.utc_offset);
    let mut filled = String::new();
    let mut rest = text;
    // One pass, so that a name with braces stays as it is.
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        filled.push_str(before);
        let words = [("{name}", &name), ("{time}", &time), ("{reason}", &reason), ("{place}", &place)];
        match words.iter().find(|(word, _)| from.starts_with(word)) {
            Some((word, value)) => {
                filled.push_str(value);
                rest = from.get(word.len()..).unwrap_or_default();
            }
            None => {
                filled.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    filled + rest
}

/// Writes a time that is so many minutes ahead of universal time.
fn local(time: Time, offset: i16) -> String {
    let (year, month, day, hour, minute, second) = time.plus_millis(i64::from(offset) * 60_000).civil();
    let zone = match offset {
        0 => "UTC".to_owned(),
        _ => {
            let sign = if offset < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", offset.unsigned_abs() / 60, offset.unsigned_abs() % 60)
        }
    };
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} {zone}")
}
