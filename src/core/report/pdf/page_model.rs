//! Pages before they are a PDF: what is drawn where, and the structure that a screen reader follows.

use super::fonts::Weight;

/// Points (1/72 inch) from the upper left corner of an A4 page (ISO 216).
pub(super) const WIDTH: f32 = 595.276;
pub(super) const HEIGHT: f32 = 841.89;
pub(super) const LEFT: f32 = 56.0;
pub(super) const RIGHT: f32 = WIDTH - 56.0;
pub(super) const TOP: f32 = 40.0;
/// Below it stands the foot.
pub(super) const BOTTOM: f32 = HEIGHT - 86.0;

/// A colour, red, green and blue.
pub(super) type Colour = (u8, u8, u8);

/// A drawing operation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DrawOp {
    /// A line of text, its base line at `y`.
    Text { x: f32, y: f32, size: f32, weight: Weight, colour: Colour, text: String },
    /// A filled polygon.
    Area { corners: Vec<(f32, f32)>, colour: Colour },
    /// A line through points.
    Line { points: Vec<(f32, f32)>, closed: bool, width: f32, colour: Colour },
}

/// The number of a piece of content to which the structure refers (ISO 32000-1 §14.7.4.2).
pub(super) type ContentId = usize;

/// A drawing operation and the content that it belongs to (ISO 32000-1 §14.6); ornaments belong to none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MarkedContent {
    pub(super) op: DrawOp,
    pub(super) content: Option<ContentId>,
}

/// What a group of the structure is (ISO 32000-1 §14.8.4).
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Section,
    Heading(u16, String),
    Paragraph,
    List,
    Item,
    Label,
    Body,
    Table,
    Row,
    ColumnHeading,
    RowHeading,
    Cell,
    /// Its text, its page, and the upper left and lower right corner of the drawing.
    Figure {
        alternative: String,
        page: usize,
        corners: [(f32, f32); 2],
    },
}

impl Kind {
    /// Returns whether the group is a cell of a table, which stands in its row also where it is empty.
    pub(super) fn is_cell(&self) -> bool {
        matches!(self, Self::ColumnHeading | Self::RowHeading | Self::Cell)
    }
}

/// The structure.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Group(Kind, Vec<Node>),
    Content(ContentId),
}

/// A heading that the outline names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OutlineEntry {
    pub(super) level: u8,
    pub(super) text: String,
    pub(super) page: usize,
    pub(super) y: f32,
}

/// Everything that is on the pages, and the structure over it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct PageModel {
    pub(super) pages: Vec<Vec<MarkedContent>>,
    pub(super) content_count: usize,
    pub(super) tree: Vec<Node>,
    pub(super) outline: Vec<OutlineEntry>,
}
