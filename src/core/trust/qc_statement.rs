//! QC statements as agreements on mutual recognition name them: EN 319 412-5.

use super::elements::{Parts, RECOGNITION, identifier};
use crate::facts::QcStatements;
use crate::formats::xml::Element;
use serde::{Deserialize, Serialize};

/// A QC statement in a criterion or equivalence (EN 319 412-5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QcStatement {
    /// The statement's OID in dotted form.
    pub id: String,
    /// Of `QcType`: the type's OID in dotted form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qc_type: Option<String>,
    /// Of `QcCClegislation`: an ISO 3166 code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legislation: Option<String>,
}

impl QcStatement {
    /// Returns whether it is among a certificate's statements: EN 319 412-5 §4.2 and §4.3.
    pub(super) fn is_in(&self, stated: &QcStatements) -> bool {
        let listed =
            |values: &[String], wanted: &Option<String>| wanted.as_ref().is_none_or(|one| values.contains(one));
        match self.id.as_str() {
            "0.4.0.1862.1.1" => stated.compliance,
            "0.4.0.1862.1.2" => stated.limit_value.is_some(),
            "0.4.0.1862.1.3" => stated.retention_period.is_some(),
            "0.4.0.1862.1.4" => stated.sscd,
            "0.4.0.1862.1.5" => !stated.pds.is_empty(),
            "0.4.0.1862.1.6" => !stated.types.is_empty() && listed(&stated.types, &self.qc_type),
            "0.4.0.1862.1.7" => stated.cc_legislation.as_ref().is_some_and(|all| listed(all, &self.legislation)),
            other => stated.others.iter().any(|known| known == other),
        }
    }
}

/// Reads a `QcStatementSet`; `None` where something of it is not known, or nothing is in it.
pub(super) fn statements(element: Element<'_, '_>) -> Option<Vec<QcStatement>> {
    let all: Option<Vec<_>> = element.children().map(statement).collect();
    all.filter(|all| !all.is_empty())
}

fn statement(element: Element<'_, '_>) -> Option<QcStatement> {
    let parts = Parts(&["QcStatementId", "QcStatementInfo"]);
    if !element.is(RECOGNITION, "QcStatement") || !parts.contains(element) {
        return None;
    }
    let id = element.child(RECOGNITION, "QcStatementId").map(identifier).filter(|id| !id.is_empty())?;
    let mut statement = QcStatement { id, qc_type: None, legislation: None };
    for information in element.child(RECOGNITION, "QcStatementInfo").into_iter().flat_map(Element::children) {
        match (information.namespace(), information.local()) {
            (RECOGNITION, "QcType") => statement.qc_type = Some(identifier(information)),
            (RECOGNITION, "QcCClegislation") => statement.legislation = Some(information.text().trim().to_owned()),
            _ => return None,
        }
    }
    Some(statement)
}
