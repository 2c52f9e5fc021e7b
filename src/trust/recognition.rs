//! What the Union recognises of another country's services: the annex on mutual recognition of a list of lists.

use serde::{Deserialize, Serialize};

/// An agreement on mutual recognition.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutualRecognition {}
