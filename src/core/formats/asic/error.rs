use super::zip::ZipError;
use crate::formats::{cms, ers, xml};

/// Why a container cannot be read.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Not a ZIP file that can be read in one way only.
    #[error("{0}")]
    Zip(#[from] ZipError),
    /// Nothing in it says that it is a container.
    #[error("the ZIP file is no container: it has neither a media type of one nor a signature in META-INF/")]
    NotContainer,
    /// Parts that ISO/IEC 29500-2 packs together, which has signatures of its own.
    #[error("the ZIP file is an OPC package")]
    OpcPackage,
    /// A CMS signature or time-stamp that cannot be read.
    #[error("{file} cannot be read as {what}")]
    Cms { file: String, what: &'static str, source: cms::Error },
    /// An XML signature that cannot be read.
    #[error("{file} cannot be read as XML")]
    Xml { file: String, source: xml::XmlError },
    /// An XML signature that is not of the form that XMLDSig and XAdES give it.
    #[error("the XML signature in {file} is not of the form of one")]
    Form { file: String, source: xml::structure::FormError },
    /// An evidence record that cannot be read.
    #[error("{file} cannot be read as an evidence record")]
    Record { file: String, source: ers::Error },
    /// An evidence record in XML that cannot be read.
    #[error("{file} cannot be read as an evidence record")]
    XmlRecord { file: String, source: ers::XmlError },
}

impl Error {
    /// Returns the field of [`Budget`](crate::budget::Budget) that did not allow to read on, where that is why.
    pub fn bound(&self) -> Option<&'static str> {
        match self {
            Self::Zip(ZipError::TooManyEntries { .. }) => Some("zip_entries"),
            Self::Zip(ZipError::Bomb { .. } | ZipError::Bombs { .. }) => Some("zip_ratio"),
            Self::Xml { source, .. } | Self::XmlRecord { source: ers::XmlError::Xml(source), .. } => source.bound(),
            _ => None,
        }
    }
}
