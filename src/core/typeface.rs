//! The typeface that the library carries: Noto Sans, with Latin, Greek and Cyrillic letters (`report/pdf/fonts/subset.sh`).

/// The regular weight, TrueType.
pub(crate) const REGULAR: &[u8] = include_bytes!("report/pdf/fonts/NotoSans-Regular.ttf");
/// The bold weight, TrueType.
#[cfg(feature = "report")]
pub(crate) const BOLD: &[u8] = include_bytes!("report/pdf/fonts/NotoSans-Bold.ttf");
