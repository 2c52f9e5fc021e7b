//! What the caller chooses of an appearance.

use crate::signing::{SigningError, SigningErrorCode};

/// How a signature looks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Appearance {
    /// What it says, in lines. `{name}` stands for the signer's name, `{time}` for the claimed time, `{reason}` and
    /// `{place}` for what the signature states.
    pub text: Option<String>,
    /// The typeface of the text, TrueType; by default one that has Latin, Greek and Cyrillic letters.
    pub font: Option<Vec<u8>>,
    /// The size of the text in points; by default the largest that fits, up to 16.
    pub font_size: Option<f64>,
    /// The colour of the text and the border.
    pub colour: Colour,
    /// The colour behind; by default that of the page.
    pub background: Option<Colour>,
    /// The width of a border, in points.
    pub border: Option<f64>,
    /// A picture: PNG or JPEG. What is transparent in it becomes the background, or white.
    pub picture: Option<Vec<u8>>,
    /// Where the picture is, where there is a text too.
    pub arrangement: Arrangement,
    /// How the picture fills its place.
    pub scaling: Scaling,
    /// How lines of text stand.
    pub alignment: Alignment,
    /// The distance of everything from the edges, in points.
    pub padding: f64,
    /// How it is turned.
    pub rotation: Rotation,
}

impl Default for Appearance {
    fn default() -> Self {
        Self {
            text: None,
            font: None,
            font_size: None,
            colour: Colour { red: 0, green: 0, blue: 0 },
            background: None,
            border: None,
            picture: None,
            arrangement: Arrangement::default(),
            scaling: Scaling::default(),
            alignment: Alignment::default(),
            padding: 2.0,
            rotation: Rotation::default(),
        }
    }
}

impl Appearance {
    /// Makes an appearance that says something: see [`text`](Self::text).
    pub fn saying(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// Adds a picture, PNG or JPEG.
    pub fn with_picture(mut self, bytes: Vec<u8>) -> Self {
        self.picture = Some(bytes);
        self
    }

    pub(super) fn check(&self) -> Result<(), SigningError> {
        let lengths =
            [("font size", self.font_size, 1.0), ("border", self.border, 0.0), ("padding", Some(self.padding), 0.0)];
        for (what, length, least) in lengths {
            if let Some(length) = length
                && !(least..=1000.0).contains(&length)
            {
                let found = format!("found a {what} of {length} points, expected {least} to 1000");
                return Err(SigningError::new(SigningErrorCode::ParameterInvalid, found));
            }
        }
        Ok(())
    }
}

/// A colour of sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour {
    /// The red component.
    pub red: u8,
    /// The green component.
    pub green: u8,
    /// The blue component.
    pub blue: u8,
}

/// Where the picture is, where there is a text too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Arrangement {
    /// To the left of the text.
    #[default]
    Left,
    /// To the right of the text.
    Right,
    /// Above the text.
    Above,
    /// Behind the text.
    Behind,
}

/// How a picture fills its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Scaling {
    /// In its own proportions, in the middle.
    #[default]
    Fit,
    /// All of it, whatever its proportions.
    Stretch,
}

/// How lines of text stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Alignment {
    /// At the left.
    #[default]
    Left,
    /// In the middle.
    Centre,
    /// At the right.
    Right,
}

/// How an appearance is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Rotation {
    /// Upright where the page is displayed, which may be turned (ISO 32000-1 table 30, `/Rotate`).
    #[default]
    Upright,
    /// As the page itself, whatever it is turned by.
    AsPage,
    /// Upright as in the first, then a quarter counter-clockwise.
    Quarter,
    /// Upside down.
    Half,
    /// Three quarters counter-clockwise.
    ThreeQuarters,
}

impl Rotation {
    /// Returns by how many degrees the appearance is turned counter-clockwise on a page that is turned clockwise.
    pub(super) fn degrees(self, page: u16) -> u16 {
        match self {
            Self::Upright => page % 360,
            Self::AsPage => 0,
            Self::Quarter => (page + 90) % 360,
            Self::Half => (page + 180) % 360,
            Self::ThreeQuarters => (page + 270) % 360,
        }
    }
}
