//! What readers of HTML see in a document, and readers of XML do not: comments that are shown, spellings that hide.
//!
//! Canonical XML leaves comments out unless asked, and writes one spelling for all that XML reads alike. A browser that takes the
//! file for HTML reads what lies there.

use super::element::Element;
use super::transform::Transform;
use super::tree::{Kind, NodeId, Tree};

/// Elements whose content is text to HTML, without comments and tags: §13.2.6.2, §13.2.6.4.4, §13.2.6.4.7.
const TEXT: [&str; 10] =
    ["iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp"];

/// Elements whose content is not shown, or only where something else cannot be: §4.
const HIDING: [&str; 8] = ["audio", "canvas", "datalist", "object", "select", "svg", "template", "video"];

/// Returns whether the canonical form in which these transforms end has the comments of what they are given, but for
/// those of the signature.
pub fn signs_comments(transforms: &[Transform]) -> bool {
    let keeps = |transform: &Transform| match transform {
        Transform::Canonical(method) | Transform::Final(method) => method.comments,
        Transform::Enveloped => true,
        _ => false,
    };
    transforms.iter().all(keeps) && matches!(transforms.last(), Some(Transform::Canonical(_) | Transform::Final(_)))
}

/// Returns the comments that readers of HTML do not take for such: to them a comment ends with a `>` or `->` at its very beginning
/// (§13.2.5.43), and is none at all in what holds text.
pub fn shown_comments<'t>(tree: &'t Tree<'_>) -> &'t [NodeId] {
    tree.shown_comments.get_or_init(|| {
        let (mut shown, mut text_until) = (vec![], 0);
        for node in tree.nodes() {
            match tree.kind(node) {
                Kind::Element if node.0 >= text_until && tree.element(node).is_some_and(|e| is_one_of(&e, &TEXT)) => {
                    text_until = tree.node(node).end;
                }
                Kind::Comment if node.0 < text_until || tree.text(node).starts_with('>') => shown.push(node),
                Kind::Comment if tree.text(node).starts_with("->") => shown.push(node),
                _ => {}
            }
        }
        shown
    })
}

/// Describes the first place of an HTML document that HTML reads otherwise than the canonical form says: a CDATA section, which is a
/// comment (§13.2.5.42), or a tag that ends an element only in XML (§13.2.5.40), so that the rest of the document is hidden in
/// it.
pub fn misread_spelling<'t>(tree: &'t Tree<'_>) -> Option<&'t str> {
    tree.misread_spelling.get_or_init(|| found_spelling(tree)).as_deref()
}

fn found_spelling(tree: &Tree<'_>) -> Option<String> {
    tree.document_element().filter(|root| is_one_of(root, &["html"]))?;
    let place = |node: NodeId| -> Option<String> {
        let span = tree.span(node);
        let source = tree.source().get(span.start as usize..span.end as usize)?;
        match tree.element(node) {
            Some(element) => (source.ends_with("/>") && (is_one_of(&element, &TEXT) || is_one_of(&element, &HIDING)))
                .then(|| format!("empty tag {}", element.local())),
            None if tree.kind(node) == Kind::Text && !tree.is_as_written(node) => {
                let (before, _) = source.split_once("<![CDATA[")?;
                // Behind the sign of a comment, scripts and style sheets are the same to both.
                let before = before.trim_end();
                (!before.ends_with("//") && !before.ends_with("/*")).then(|| "CDATA section".to_owned())
            }
            None => None,
        }
    };
    tree.nodes().find_map(place)
}

/// Returns whether HTML knows the element by one of these names; a prefix is part of the name to it.
fn is_one_of(element: &Element<'_, '_>, names: &[&str]) -> bool {
    element.prefix().is_empty() && names.iter().any(|name| element.local().eq_ignore_ascii_case(name))
}
