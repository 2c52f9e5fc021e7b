//! TS 119 322 catalogues.
