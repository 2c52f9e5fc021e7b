//! What reading a document allows, and what work on it may cost.

use crate::budget::Budget;

/// What reading a document allows.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// How deep elements may be nested. Real files: below 40.
    pub nesting: usize,
    /// Attributes of one element. Real files: below 60; the largest in the public corpora has some 300.
    pub attributes: usize,
    /// Namespaces in scope of one element. Real files: below 40.
    pub namespaces: usize,
    /// Bytes of one name, and of the name of one namespace. Real files: below 200.
    pub names: usize,
    /// Characters that entities and default values may add, in the whole document. Real files with entities: below 1,000.
    pub expansion: usize,
    /// Which document type declarations are read rather than refused; external parts are never fetched.
    pub document_types: DocumentTypes,
    /// Nodes and attributes of a document that was compressed; one that lies as it is pays for them with its bytes.
    pub nodes: usize,
    /// Nodes that expressions may visit, [`Budget::xpath_visits`].
    pub visits: u64,
    /// Bytes of canonical forms, [`Budget::canonical_bytes`].
    pub canonical: u64,
}

/// Which document type declarations are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentTypes {
    /// None.
    None,
    /// Those that declare nothing themselves.
    Empty,
    /// All.
    All,
}

impl From<&Budget> for Options {
    fn from(budget: &Budget) -> Self {
        let (visits, canonical) = (budget.xpath_visits, budget.canonical_bytes);
        Self {
            nesting: budget.nesting,
            attributes: 2_000,
            namespaces: 500,
            names: 2_000,
            expansion: 100_000,
            document_types: DocumentTypes::None,
            nodes: usize::MAX,
            visits,
            canonical,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::from(&Budget::default())
    }
}
