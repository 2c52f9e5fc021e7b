//! Draws the page of a copy, by way of the crate `hayro`.
//!
//! What a page costs is surveyed before it is drawn. Whatever happens in there, an answer comes out: a panic of what
//! draws is one of "cannot be drawn".

use super::Limits;
use super::copy::Refused;
use super::survey::Survey;
use hayro::hayro_interpret::hayro_syntax::Pdf;
use hayro::hayro_interpret::hayro_syntax::page::Page;
use hayro::hayro_interpret::{
    Context, InterpreterCache, InterpreterSettings, InterpreterWarning, TransformExt, interpret_page,
};
use hayro::kurbo::{Affine, Rect};
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// What a page looks like.
#[derive(Debug, PartialEq)]
pub struct Picture {
    /// Width and height of the page, in its own units.
    size: [u32; 2],
    /// Red, green and blue of each pixel.
    pixels: Vec<[u8; 3]>,
}

/// Pixels of a page's longer side, at least: A4 at 87 for an inch. Pixels are compared exactly, and the edges of what is
/// drawn are blended to a 255th of a pixel, so that far smaller things than a digit of small print show. Pages that are
/// small themselves are enlarged, as viewers enlarge them to fill a window.
const LONGER_SIDE: f64 = 1_024.0;

impl Picture {
    /// Draws the only page of `copy`.
    pub fn of(copy: Vec<u8>, limits: &Limits) -> Result<Self, Refused> {
        catch_unwind(AssertUnwindSafe(|| drawn(copy, limits)))
            .unwrap_or_else(|panic| Err(panic.downcast::<Refused>().map_or("what draws it failed".into(), |why| *why)))
    }

    /// Returns whether something that this picture has over `below` hides what is there: pixels that differ have, in
    /// `below`, more than one colour.
    pub fn hides(&self, below: &Self) -> bool {
        let differing = below.pixels.iter().zip(&self.pixels).filter(|(below, own)| below != own);
        let mut covered = differing.map(|(below, _)| below);
        let first = covered.next();
        self.pixels.len() != below.pixels.len() || covered.any(|colour| Some(colour) != first)
    }
}

fn drawn(copy: Vec<u8>, limits: &Limits) -> Result<Picture, Refused> {
    let pdf = Pdf::new(copy).map_err(|_| Refused::from("it cannot be read by what draws pages"))?;
    let [page] = &pdf.pages()[..] else { return Err("it cannot be read by what draws pages".into()) };
    let (width, height) = page.render_dimensions();
    let longer = f64::from(width.max(height));
    let scale = (LONGER_SIDE / longer).max(1.0);
    let [across, down] = [width, height].map(|side| (f64::from(side) * scale).round().max(1.0));
    if !(across * down <= limits.pixels as f64 && longer * scale <= f64::from(u16::MAX)) {
        let most = limits.pixels;
        return Err(format!("a page of {across:.0} × {down:.0} pixels; expected {most} at most").into());
    }
    let transform = Affine::scale(scale) * page.initial_transform(true).to_kurbo();
    let failures = Arc::new(Mutex::new(None));
    let settings = settings(&failures);
    let target = Rect::new(0.0, 0.0, across, down);
    survey(page, &settings, transform, target, limits);
    let mut pixmap = Pixmap::new(across as u16, down as u16);
    raster(page, settings, transform, &mut pixmap);
    if let Some(failure) = *failures.lock().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure.into());
    }
    let pixels = pixmap.data_as_u8_slice().as_chunks::<4>().0.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
    Ok(Picture { size: [width, height].map(f32::to_bits), pixels })
}

/// Goes through the page without drawing, and unwinds where that would be too much work: nothing else ends what goes
/// through it.
fn survey(page: &Page<'_>, settings: &InterpreterSettings, transform: Affine, target: Rect, limits: &Limits) {
    let cache = InterpreterCache::new();
    let mut context = Context::new(transform, target, &cache, page.xref(), settings.clone());
    interpret_page(page, &mut context, &mut Survey::new(target, limits));
}

fn raster(page: &Page<'_>, settings: InterpreterSettings, transform: Affine, pixmap: &mut Pixmap) {
    // A glyph looks the same wherever it stands, and whatever was drawn before it.
    let plain = RenderSettings { hinting: false, glyph_caching: false, ..RenderSettings::default() };
    let mut context = RenderContext::new(pixmap.width(), pixmap.height());
    render_into(page, &RenderCache::new(), &settings, &plain, &mut context, transform);
    context.flush();
    let on_white = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..RasterizerSettings::default() };
    context.render_with(pixmap, &mut Resources::default(), on_white);
}

/// The first thing that could not be drawn, in words.
type Failures = Arc<Mutex<Option<&'static str>>>;

fn settings(failures: &Failures) -> InterpreterSettings {
    let failures = failures.clone();
    let note = move |warning| {
        let said = match warning {
            InterpreterWarning::UnsupportedFont => "a font that cannot be drawn",
            InterpreterWarning::ImageDecodeFailure => "an image that cannot be drawn",
            InterpreterWarning::UnresolvedAnnotationAppearance => "an annotation that cannot be drawn",
            _ => "something that cannot be drawn",
        };
        failures.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(said);
    };
    InterpreterSettings { warning_sink: Arc::new(note), ..InterpreterSettings::default() }
}
