//! What can be said of a path by the texts of imported facts alone, as EU DSS says it of its diagnostic data.
//!
//! NOTE: only for facts without certificates' bytes. What is collected from a document comes with the violations that
//! [`x509::path`](crate::x509::path) found.

pub(super) mod name_constraints;
pub(super) mod policy_tree;

use crate::facts::Certificate;
use crate::validation::context::ValidationContext;

/// Returns whether no certificate above allows fewer certificates below it: RFC 5280 §6.1.4 (k) to (m).
pub(super) fn is_within_path_length<'a>(cx: &ValidationContext<'a>, certificate: &'a Certificate) -> bool {
    let issuers = cx.index.issuers(certificate);
    let mut left = issuers.len() as i64 + 1;
    for issuer in issuers.iter().rev() {
        if !issuer.self_signed {
            left -= 1;
        }
        let allowed = issuer.extensions.basic_constraints.and_then(|basic| basic.path_length);
        left = allowed.filter(|allowed| *allowed >= 0).map_or(left, |allowed| left.min(allowed));
    }
    left > 0
}
