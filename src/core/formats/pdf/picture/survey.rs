//! What it would cost to draw a page: counted by going through it without drawing.

use super::Limits;
use super::copy::Refused;
use hayro::hayro_interpret::font::{Glyph, GlyphRun};
use hayro::hayro_interpret::hayro_syntax::object::Stream;
use hayro::hayro_interpret::pattern::{Pattern, TilingPattern};
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask, StrokeProps,
};
use hayro::kurbo::{BezPath, Rect};
use std::panic::resume_unwind;

/// Counts the work of drawing in pixels, and ends going through the page once it is too much, by unwinding.
#[derive(Debug)]
pub struct Survey {
    page: Rect,
    left: u64,
    /// Pixels of one image.
    image: u64,
    /// How often what is gone through now is drawn.
    times: u64,
}

/// What an operation costs besides its pixels, and each piece of a path.
const OPERATION: u64 = 256;
/// What a group costs: it is put together tile by tile.
const GROUP: u64 = 4_096;
/// What a clip costs besides the pieces of its path: each form has one, and is read before.
const CLIP: u64 = 8_192;
/// How many times a pixel of plain colour one of a shading or an image may cost.
const COMPUTED: u64 = 16;

impl Survey {
    /// Makes the survey of a page that covers `page`.
    pub fn new(page: Rect, limits: &Limits) -> Self {
        Self { page, left: limits.work, image: limits.image, times: 1 }
    }

    fn spend(&mut self, pixels: u64) {
        let cost = pixels.saturating_add(OPERATION).saturating_mul(self.times);
        match self.left.checked_sub(cost) {
            Some(left) => self.left = left,
            None => resume_unwind(Box::new(Refused::from("it takes too much work to draw it"))),
        }
    }

    /// Returns how many pixels of a rectangle are on the page.
    fn pixels(&self, rectangle: Rect) -> u64 {
        // As a number without sign, what is no number at all is zero; nothing of it is drawn.
        rectangle.intersect(self.page).area() as u64
    }

    fn all(&self) -> u64 {
        self.page.area() as u64
    }

    fn path<'a>(&mut self, path: &BezPath, props: &DrawProps<'a>, mode: &DrawMode) {
        let pieces = path.elements().len() as u64;
        let stroke = match mode {
            DrawMode::Stroke(stroke) | DrawMode::FillAndStroke(_, stroke) => Some(stroke),
            DrawMode::Fill(_) | DrawMode::Invisible => None,
        };
        let wide = stroke.map_or(0.0, |stroke| f64::from(stroke.line_width.abs() * stroke.miter_limit.abs().max(1.0)));
        let bounds = path.control_box();
        let drawn = props.transform.transform_rect_bbox(bounds.inflate(wide, wide));
        let dashes = stroke.map_or(0, |stroke| dashes(stroke, bounds, pieces));
        self.spend(self.pixels(drawn).saturating_add(pieces.saturating_add(dashes).saturating_mul(OPERATION)));
        self.props(props, self.pixels(drawn));
    }

    fn props<'a>(&mut self, props: &DrawProps<'a>, pixels: u64) {
        self.mask(props.soft_mask.as_ref());
        self.paint(&props.paint, pixels);
    }

    fn paint(&mut self, paint: &Paint<'_>, pixels: u64) {
        match paint {
            Paint::Color(_) => {}
            Paint::Pattern(pattern) => match &**pattern {
                Pattern::Shading(_) => self.spend(pixels.saturating_mul(COMPUTED)),
                Pattern::Tiling(tiling) => self.tiling(tiling),
            },
        }
    }

    /// Counts what a tile costs: it is drawn by itself, as often as its neighbours reach into it.
    fn tiling(&mut self, tiling: &TilingPattern<'_>) {
        let area = tiling.matrix.inverse().transform_rect_bbox(self.page);
        let [xx, xy, yx, yy, ..] = tiling.matrix.as_coeffs();
        let axis = |own: f64, step: f32, visible: f64, scale: f64| {
            let step = f64::from(step.abs());
            // Whole pixels for each step, however narrow.
            ((own / step).ceil() + 2.0, visible.min(step.max(1.0 / scale)) * scale + 1.0)
        };
        let (across, wide) = axis(tiling.bbox.width(), tiling.x_step, area.width(), xx.hypot(xy));
        let (down, high) = axis(tiling.bbox.height(), tiling.y_step, area.height(), yx.hypot(yy));
        self.spend(((wide * high) as u64).saturating_mul(COMPUTED));
        let before = self.times;
        self.times = before.saturating_mul((across * down) as u64).max(1);
        tiling.interpret(self, tiling.matrix, false);
        self.times = before;
    }

    fn mask(&mut self, mask: Option<&SoftMask<'_>>) {
        if let Some(mask) = mask {
            self.spend(self.all().saturating_mul(2));
            mask.interpret(self);
        }
    }
}

/// Returns into how many dashes a stroke may be cut (ISO 32000-1 §8.4.3.6).
fn dashes(stroke: &StrokeProps, bounds: Rect, pieces: u64) -> u64 {
    let one: f64 = stroke.dash_array.iter().map(|dash| f64::from(dash.abs())).sum();
    if stroke.dash_array.is_empty() {
        return 0;
    }
    let longest = bounds.width() + bounds.height();
    ((longest / one).ceil() as u64).saturating_mul(stroke.dash_array.len() as u64).saturating_mul(pieces)
}

impl<'a> Device<'a> for Survey {
    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        self.path(path, &props, mode);
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.spend((clip.path.elements().len() as u64).saturating_mul(OPERATION).saturating_add(CLIP));
    }

    fn push_transparency_group(&mut self, _: f32, mask: Option<SoftMask<'a>>, _: BlendMode) {
        self.spend(GROUP);
        self.mask(mask.as_ref());
    }

    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, _: &DrawMode) {
        for glyph in run.glyphs() {
            let transform = props.transform * glyph.transform();
            // An em of a thousand units (ISO 32000-1 §9.2.4), and what reaches beyond it.
            let reached = transform.transform_rect_bbox(Rect::new(-1_000.0, -1_000.0, 2_000.0, 2_000.0));
            self.spend(self.pixels(reached) / 8 + 32 * OPERATION);
            if let Glyph::Type3(glyph_program) = &**glyph {
                glyph_program.interpret(self, props.transform, glyph.transform(), &props.paint);
            }
        }
        self.props(&props, self.all());
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let pixels = |width: u32, height: u32| u64::from(width).saturating_mul(u64::from(height));
        let stream = match &image {
            Image::Stencil(stencil) => stencil.stream(),
            Image::Raster(raster) => raster.stream(),
        };
        // ISO 32000-1 table 89: each has pixels of its own.
        let masks = [b"SMask".as_slice(), b"Mask"].map(|key| {
            let mask = stream.dict().get::<Stream<'_>>(key);
            let side = |key: &[u8]| mask.as_ref().and_then(|mask| mask.dict().get::<u32>(key)).unwrap_or(0);
            pixels(side(b"Width"), side(b"Height"))
        });
        let own = masks.into_iter().fold(pixels(image.width(), image.height()), u64::saturating_add);
        let unit = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let drawn = self.pixels(props.transform.transform_rect_bbox(unit));
        self.spend(own.saturating_add(drawn).saturating_mul(4));
        self.mask(props.soft_mask.as_ref());
        if own > self.image {
            resume_unwind(Box::new(Refused::from("an image that is too large to be drawn")));
        }
        if let Image::Stencil(stencil) = image {
            stencil.with_stencil(|_, paint| self.paint(paint, drawn), None);
        }
    }

    fn pop_clip(&mut self) {}

    fn pop_transparency_group(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro::kurbo::Affine;

    #[test]
    fn a_survey_ends_what_costs_too_much() {
        let survey = |work| {
            std::panic::catch_unwind(|| {
                let limits = Limits { work, ..Limits::of(&crate::budget::Budget::default()) };
                let mut survey = Survey::new(Rect::new(0.0, 0.0, 100.0, 100.0), &limits);
                let beyond = Affine::scale(1e6).transform_rect_bbox(Rect::new(-1.0, -1.0, 1.0, 1.0));
                survey.spend(survey.pixels(beyond));
                survey.left
            })
        };
        assert_eq!(survey(20_000).ok(), Some(20_000 - 10_000 - OPERATION), "only what is on the page counts");
        let refused = survey(10_000).err().and_then(|panic| panic.downcast::<Refused>().ok());
        assert_eq!(refused.as_deref().map(|why| &**why), Some("it takes too much work to draw it"));
    }
}
