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
    /// Whether the color to fill with is a tiling pattern (§8.7.3).
    pub is_tiled: bool,
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
            is_tiled: false,
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
}

/// The state of interpreting one content stream.
pub(super) struct StreamState {
    pub graphics: GraphicsState,
    /// The states that `q` saved.
    pub saved: Vec<GraphicsState>,
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
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            path: Path::default(),
        }
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
