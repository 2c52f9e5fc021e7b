//! The state that operators set, and the path that they construct: ISO 32000-1 §8.4, §8.5, §9.3, §9.4.

use super::font::Font;
use super::matrix::Matrix;
use crate::formats::pdf::rectangle::Rectangle;
use std::rc::Rc;

/// The graphics state, as far as it moves or hides anything: ISO 32000-1 tables 52 and 104.
#[derive(Clone)]
pub(super) struct GraphicsState {
    pub matrix: Matrix,
    pub font: Option<Rc<Font>>,
    pub font_size: f64,
    pub leading: f64,
    pub character_spacing: f64,
    pub word_spacing: f64,
    pub horizontal_scaling: f64,
    pub rise: f64,
    pub rendering_mode: i64,
    /// Whether the color to fill with is a picture: a tiling pattern, or a shading that may be one (§8.7.3, §8.7.4.5).
    pub is_picture: bool,
    /// What clips (§8.5.4).
    pub clip: Clip,
}

impl GraphicsState {
    /// Returns whether two states move and hide alike.
    pub fn is_same(&self, other: &Self) -> bool {
        let font = |state: &Self| state.font.as_ref().map(Rc::as_ptr);
        let text = |state: &Self| {
            let spacing = [state.leading, state.character_spacing, state.word_spacing];
            (spacing, [state.font_size, state.horizontal_scaling, state.rise], state.rendering_mode)
        };
        font(self) == font(other)
            && text(self) == text(other)
            && (self.matrix, self.clip, self.is_picture) == (other.matrix, other.clip, other.is_picture)
    }
}

/// The area to which painting is clipped.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Clip {
    pub area: Rectangle,
    /// Whether it may have the form of letters.
    pub is_slanted: bool,
}

impl Clip {
    /// Everywhere.
    pub const NONE: Self = Self { area: Rectangle::EVERYWHERE, is_slanted: false };

    /// Returns what is within an area, too.
    pub fn within(self, area: Rectangle, is_slanted: bool) -> Self {
        Self { area: self.area.within(&area).unwrap_or(Rectangle::NOWHERE), is_slanted: self.is_slanted || is_slanted }
    }
}

impl Default for GraphicsState {
    fn default() -> Self {
        Self {
            matrix: Matrix::IDENTITY,
            font: None,
            font_size: 0.0,
            leading: 0.0,
            character_spacing: 0.0,
            word_spacing: 0.0,
            horizontal_scaling: 1.0,
            rise: 0.0,
            rendering_mode: 0,
            is_picture: false,
            clip: Clip::NONE,
        }
    }
}

/// The current path.
#[derive(Default)]
pub(super) struct Path {
    pub points: Vec<(f64, f64)>,
    /// The small squares in it.
    pub squares: Vec<Rectangle>,
    /// Whether it has more than lines and rectangles along the axes.
    pub is_slanted: bool,
    /// Whether it clips once it is painted.
    pub clips: bool,
}

/// The state of interpreting one content stream.
pub(super) struct StreamState {
    pub graphics: GraphicsState,
    /// The states that `q` saved.
    pub saved: Vec<GraphicsState>,
    /// The marked content that was begun, and whether it is optional (§14.6, §8.11.3.2).
    pub marks: Vec<bool>,
    pub text_matrix: Matrix,
    pub line_matrix: Matrix,
    pub path: Path,
}

impl StreamState {
    /// Begins a content stream.
    pub fn new(graphics: GraphicsState) -> Self {
        Self {
            graphics,
            saved: Vec::new(),
            marks: Vec::new(),
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            path: Path::default(),
        }
    }

    /// Takes the path, which clips now if it was to.
    pub fn take_path(&mut self) -> Path {
        let path = std::mem::take(&mut self.path);
        if path.clips && !path.points.is_empty() {
            let area = Rectangle::around(path.points.iter().copied());
            self.graphics.clip = self.graphics.clip.within(area, path.is_slanted);
        }
        path
    }

    /// Moves to a line of text, from the start of the present one.
    pub fn move_line(&mut self, x: f64, y: f64) {
        self.line_matrix = Matrix::translation(x, y).then(self.line_matrix);
        self.text_matrix = self.line_matrix;
    }

    /// Moves to the next line of text.
    pub fn next_line(&mut self) {
        self.move_line(0.0, -self.graphics.leading);
    }

    /// Adds a point to the path, with a line to it where it is one.
    pub fn add_point(&mut self, x: f64, y: f64, is_line: bool) {
        let (x, y) = self.graphics.matrix.point(x, y);
        if let (Some((last_x, last_y)), true) = (self.path.points.last(), is_line) {
            self.path.is_slanted |= (x - last_x).abs() > 0.1 && (y - last_y).abs() > 0.1;
        }
        self.path.points.push((x, y));
    }
}
