//! The XML of a container, which may be compressed a hundredfold: what all of it together may hold.

use crate::budget::Budget;
use crate::formats::xml::{self, DocumentTypes, Options, SharedWork, Tree, XmlError, nodes, nodes_held};
use std::borrow::Cow;

/// Reads files of a container as XML. They share what their nodes may take, and what their work may cost.
pub(super) struct XmlFiles {
    options: Options,
    work: SharedWork,
    /// The size of the container.
    container: usize,
}

impl XmlFiles {
    /// Reads the files of a container of so many bytes.
    pub(super) fn new(budget: &Budget, container: usize) -> Self {
        let options = Options { nodes: nodes_held(container as u64), ..Options::from(budget) };
        Self { options, work: SharedWork::default(), container }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`XmlError`] where it is no XML, or more than may be read.
    pub(super) fn read<'b>(&mut self, bytes: impl Into<Cow<'b, [u8]>>) -> Result<Tree<'b>, XmlError> {
        self.read_by(bytes, DocumentTypes::None)
    }

    /// Reads a file that nobody signs as XML, and that may have a document type.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub(super) fn read_typed<'b>(&mut self, bytes: impl Into<Cow<'b, [u8]>>) -> Result<Tree<'b>, XmlError> {
        self.read_by(bytes, DocumentTypes::All)
    }

    fn read_by<'b>(
        &mut self,
        bytes: impl Into<Cow<'b, [u8]>>,
        document_types: DocumentTypes,
    ) -> Result<Tree<'b>, XmlError> {
        self.options.document_types = document_types;
        let mut tree = xml::read(bytes, &self.options)?;
        self.options.nodes = self.options.nodes.saturating_sub(nodes(tree.source()));
        tree.share_work(&mut self.work, self.container);
        Ok(tree)
    }
}
