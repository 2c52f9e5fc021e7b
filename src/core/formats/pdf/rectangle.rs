//! Rectangles: ISO 32000-1 §7.9.5.

use super::object::{Dictionary, Object};
use super::revision::Revision;

/// A rectangle, lower left corner first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rectangle {
    /// The left edge.
    pub left: f64,
    /// The lower edge.
    pub bottom: f64,
    /// The right edge.
    pub right: f64,
    /// The upper edge.
    pub top: f64,
}

impl Rectangle {
    /// Reads a rectangle, which is given by any two opposite corners.
    pub fn read<'a>(revision: &Revision<'a, '_>, object: &Object<'a>) -> Option<Self> {
        let Object::Array(items) = revision.resolve(object) else { return None };
        let numbers: Vec<f64> = items.iter().filter_map(|item| revision.resolve(item).number()).collect();
        let &[a, b, c, d] = &numbers[..] else { return None };
        Some(Self { left: a.min(c), bottom: b.min(d), right: a.max(c), top: b.max(d) })
    }

    /// Reads the rectangle that is an entry of a dictionary.
    pub fn read_entry<'a>(revision: &Revision<'a, '_>, dictionary: &Dictionary<'a>, key: &[u8]) -> Option<Self> {
        Self::read(revision, dictionary.get(key)?)
    }

    /// Returns the least rectangle around both.
    pub fn with(&self, other: &Self) -> Self {
        Self::around([
            (self.left, self.bottom),
            (self.right, self.top),
            (other.left, other.bottom),
            (other.right, other.top),
        ])
    }

    /// Returns the intersection of both, if there is one.
    pub fn within(&self, other: &Self) -> Option<Self> {
        let both = Self {
            left: self.left.max(other.left),
            bottom: self.bottom.max(other.bottom),
            right: self.right.min(other.right),
            top: self.top.min(other.top),
        };
        self.overlaps(other).then_some(both)
    }

    /// Returns a rectangle that has so much more at each side.
    pub fn widened(&self, by: f64) -> Self {
        Self { left: self.left - by, bottom: self.bottom - by, right: self.right + by, top: self.top + by }
    }

    /// Returns its width.
    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Returns its height.
    pub fn height(&self) -> f64 {
        self.top - self.bottom
    }

    /// The unit square, in which images are drawn.
    pub const UNIT: Self = Self { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

    /// The whole plane.
    pub const EVERYWHERE: Self = Self { left: f64::MIN, bottom: f64::MIN, right: f64::MAX, top: f64::MAX };

    /// A rectangle without area.
    pub const NOWHERE: Self = Self { left: 0.0, bottom: 0.0, right: 0.0, top: 0.0 };

    /// Returns the least rectangle around points.
    pub fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let none = Self { left: f64::MAX, bottom: f64::MAX, right: f64::MIN, top: f64::MIN };
        points.into_iter().fold(none, |area, (x, y)| Self {
            left: area.left.min(x),
            bottom: area.bottom.min(y),
            right: area.right.max(x),
            top: area.top.max(y),
        })
    }

    /// Returns its share of the area of `whole`.
    pub fn share_of(&self, whole: &Self) -> f64 {
        let size = |area: &Self| (area.right - area.left) * (area.top - area.bottom);
        size(self) / size(whole)
    }

    /// Returns whether it has no area.
    pub fn is_empty(&self) -> bool {
        self.left == self.right || self.bottom == self.top
    }

    /// Returns whether both share an area.
    pub fn overlaps(&self, other: &Self) -> bool {
        !self.is_empty()
            && !other.is_empty()
            && self.left < other.right
            && other.left < self.right
            && self.bottom < other.top
            && other.bottom < self.top
    }
}
