//! Transformation matrices: ISO 32000-1 §8.3.3.

use crate::formats::pdf::rectangle::Rectangle;

/// The size of letters that are hardly any.
const SMALL: f64 = 0.05;

/// The share of its longer side that the other one has of a letter that is hardly any.
const THIN: f64 = 0.1;

/// A transformation matrix, by its six numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub [f64; 6]);

impl Matrix {
    /// The identity.
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// That of glyph space: ISO 32000-1 §9.2.4.
    pub const THOUSANDTHS: Self = Self([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);

    /// Makes a matrix of six numbers.
    pub fn from_numbers(numbers: &[f64]) -> Option<Self> {
        numbers.try_into().ok().map(Self)
    }

    /// Makes a translation.
    pub fn translation(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Returns the transformation that applies this one first, and then `other`.
    pub fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [p, q, r, s, t, u]) = (self.0, other.0);
        Self([a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u])
    }

    /// Returns it without its translation.
    pub fn in_place(self) -> Self {
        let [a, b, c, d, ..] = self.0;
        Self([a, b, c, d, 0.0, 0.0])
    }

    /// Transforms a point.
    pub fn point(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Returns the least rectangle around a transformed one.
    pub fn around(self, area: Rectangle) -> Rectangle {
        let corners =
            [(area.left, area.bottom), (area.left, area.top), (area.right, area.bottom), (area.right, area.top)];
        Rectangle::around(corners.map(|(x, y)| self.point(x, y)))
    }

    /// Returns whether it leaves letters hardly any width or height. PDFium draws them in another size then, and does not clip
    /// them.
    pub fn is_thin(self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let longest = (a * a + b * b).max(c * c + d * d);
        let is_thick = longest > SMALL * SMALL && (a * d - b * c).abs() > THIN * longest;
        !is_thick
    }

    /// Returns whether lines along the axes stay along the axes.
    pub fn is_upright(self) -> bool {
        let [a, b, c, d, ..] = self.0;
        b == 0.0 && c == 0.0 || a == 0.0 && d == 0.0
    }
}
