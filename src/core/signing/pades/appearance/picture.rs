//! Pictures: PNG and JPEG as image XObjects. ISO 32000-1 §8.9.5.

use super::colour;
use super::content::add_compressed;
use super::options::{Appearance, Colour};
use crate::formats::pdf::Reference;
use crate::formats::pdf::write::{Entries, Update, Value};
use crate::signing::{SigningError, SigningErrorCode};
use png::{BitDepth, ColorType, Decoder, Transformations};
use std::io::Cursor;

/// A picture.
pub(super) struct Picture {
    width: u32,
    height: u32,
    is_grey: bool,
    samples: Samples,
}

/// The samples of a picture, eight bits each.
enum Samples {
    /// One after the other.
    Plain(Vec<u8>),
    /// A JPEG file.
    Jpeg(Vec<u8>),
}

/// The most that a picture has of pixels: more than any seal needs.
const PIXELS: u64 = 40_000_000;

impl Picture {
    /// Reads a picture; what is transparent in it becomes the background of the appearance, or white.
    ///
    /// # Errors
    ///
    /// `picture-unreadable`.
    pub fn read(bytes: &[u8], appearance: &Appearance) -> Result<Self, SigningError> {
        let white = Colour { red: 255, green: 255, blue: 255 };
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => from_png(bytes, appearance.background.unwrap_or(white)),
            [0xFF, 0xD8, 0xFF, ..] => from_jpeg(bytes),
            _ => Err(unreadable("neither PNG nor JPEG")),
        }
    }

    /// Returns how many times it is as wide as high.
    pub fn proportion(&self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }

    /// Writes the image XObject, and returns it.
    pub fn write(&self, update: &mut Update<'_, '_, '_>) -> Reference {
        let entries = Entries::new()
            .with("Type", Value::name("XObject"))
            .with("Subtype", Value::name("Image"))
            .with("Width", i64::from(self.width))
            .with("Height", i64::from(self.height))
            .with("BitsPerComponent", 8)
            .with("ColorSpace", if self.is_grey { colour::grey() } else { colour::rgb() });
        match &self.samples {
            Samples::Plain(samples) => add_compressed(update, entries, samples),
            Samples::Jpeg(file) => update.add_stream(entries.with("Filter", Value::name("DCTDecode")), file.clone()),
        }
    }
}

fn unreadable(found: impl std::fmt::Display) -> SigningError {
    let found =
        format!("found a picture that cannot be shown ({found}), expected PNG, or JPEG in grey or colours of light");
    SigningError::new(SigningErrorCode::PictureUnreadable, found)
}

fn check_size(width: u32, height: u32) -> Result<(), SigningError> {
    if width == 0 || height == 0 || u64::from(width) * u64::from(height) > PIXELS {
        return Err(unreadable(format!("{width} by {height} pixels")));
    }
    Ok(())
}

/// Reads a PNG, and puts it on the background where it is transparent: PDF/A-1 has no transparency (ISO 19005-1 §6.4).
fn from_png(bytes: &[u8], background: Colour) -> Result<Picture, SigningError> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let (width, height) = (reader.info().width, reader.info().height);
    check_size(width, height)?;
    let size = reader.output_buffer_size().ok_or_else(|| unreadable("too large"))?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(unreadable)?;
    samples.truncate(frame.buffer_size());
    if frame.bit_depth != BitDepth::Eight {
        return Err(unreadable("samples of another depth"));
    }
    let Colour { red, green, blue } = background;
    let on = |sample: u8, alpha: u8, background: u8| {
        let [sample, alpha, background] = [sample, alpha, background].map(u32::from);
        ((sample * alpha + background * (255 - alpha) + 127) / 255) as u8
    };
    let is_grey = red == green && green == blue;
    let (is_grey, samples) = match frame.color_type {
        ColorType::Grayscale => (true, samples),
        ColorType::Rgb => (false, samples),
        ColorType::GrayscaleAlpha if is_grey => {
            (true, samples.as_chunks().0.iter().map(|&[grey, alpha]| on(grey, alpha, red)).collect())
        }
        ColorType::GrayscaleAlpha => {
            let pixel = |&[grey, alpha]: &[u8; 2]| [red, green, blue].map(|background| on(grey, alpha, background));
            (false, samples.as_chunks().0.iter().flat_map(pixel).collect())
        }
        ColorType::Rgba => {
            let pixel = |&[r, g, b, alpha]: &[u8; 4]| [on(r, alpha, red), on(g, alpha, green), on(b, alpha, blue)];
            (false, samples.as_chunks().0.iter().flat_map(pixel).collect())
        }
        ColorType::Indexed => return Err(unreadable("a palette that is missing")),
    };
    Ok(Picture { width, height, is_grey, samples: Samples::Plain(samples) })
}

/// Reads the frame header of a JPEG (ITU-T T.81 §B.2.2), which is embedded as it is.
fn from_jpeg(bytes: &[u8]) -> Result<Picture, SigningError> {
    let mut rest = bytes.get(2..).unwrap_or_default();
    loop {
        let [0xFF, marker, after @ ..] = rest else { return Err(unreadable("a JPEG without a frame")) };
        match marker {
            // Fill bytes, and markers that stand alone.
            0xFF => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            0x01 | 0xD0..=0xD8 => {
                rest = after;
                continue;
            }
            0xD9 | 0xDA => return Err(unreadable("a JPEG without a frame")),
            _ => {}
        }
        let [high, low, ..] = after else { return Err(unreadable("a JPEG that ends early")) };
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let segment = after.get(2..length.max(2)).ok_or_else(|| unreadable("a JPEG that ends early"))?;
        // Frames coded by Huffman's way: baseline, extended, progressive. PDF has no others (§7.4.8).
        if matches!(marker, 0xC0..=0xC2) {
            let &[8, h1, h0, w1, w0, components, ..] = segment else {
                return Err(unreadable("a JPEG whose samples do not have eight bits"));
            };
            let (width, height) = (u32::from(u16::from_be_bytes([w1, w0])), u32::from(u16::from_be_bytes([h1, h0])));
            check_size(width, height)?;
            let is_grey = match components {
                1 => true,
                3 => false,
                _ => return Err(unreadable("a JPEG in colours of print")),
            };
            return Ok(Picture { width, height, is_grey, samples: Samples::Jpeg(bytes.to_vec()) });
        }
        if matches!(marker, 0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF) {
            return Err(unreadable("a JPEG that is coded in an unusual way"));
        }
        rest = after.get(length.max(2)..).unwrap_or_default();
    }
}
