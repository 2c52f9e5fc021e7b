//! Comments that no reference covers, and spellings, which readers of HTML take for something else: XMLDSig §4.4.3.3, HTML §13.2.

use super::matchers::ComparedReference;
use crate::facts::Irregularity;
use crate::facts::IrregularityKind::PartlySignedContent;
use crate::formats::xml::html::{misread_spelling, shown_comments, signs_comments};
use crate::formats::xml::signature::Target;
use crate::formats::xml::transform::beginning;
use crate::formats::xml::{Element, NodeId, Tree};

/// Reports a comment that is not signed, and that readers of HTML do not take for one. It is signed with an element around
/// it, or the document, that is meant with its comments (§4.4.3.3) by transforms that keep them.
pub(super) fn shown_comment(signature: Element<'_, '_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let tree = signature.tree();
    let keeping = matched.iter().filter(|m| m.reference.transforms.as_deref().is_ok_and(signs_comments));
    let signing: Vec<NodeId> = keeping
        .filter_map(|matched| match matched.reference.target() {
            Target::Document { comments: true } => Some(tree.root()),
            Target::Element { node, comments: true, .. } => Some(node),
            _ => None,
        })
        .collect();
    let comment = first_outside(signature, &signing, shown_comments(tree))?;
    Some(Irregularity::about(PartlySignedContent, format!("comment `{}`", beginning(tree.text(comment)))))
}

/// Returns the first of the comments, in document order, that no signed node is around: inside the signature what is around it
/// does not count.
fn first_outside(signature: Element<'_, '_>, signing: &[NodeId], mut comments: &[NodeId]) -> Option<NodeId> {
    let tree = signature.tree();
    while let [comment, ..] = comments {
        let inside = tree.is_within(*comment, signature.id());
        let counts = |node: NodeId| !inside || node > signature.id();
        let around = signing.iter().filter(|node| counts(**node) && tree.is_within(*comment, **node));
        let Some(end) = around.map(|node| tree.end(*node)).max() else { return Some(*comment) };
        // What follows in the same node is signed as well, up to the signature.
        let end = if *comment < signature.id() { end.min(signature.id()) } else { end };
        comments = comments.get(comments.partition_point(|comment| *comment < end)..).unwrap_or_default();
    }
    None
}

/// Reports a spelling by which the signed document is another one to readers of HTML.
pub(super) fn misread(tree: &Tree<'_>, matched: &[ComparedReference<'_, '_>]) -> Option<Irregularity> {
    let inside = |m: &ComparedReference<'_, '_>| !matches!(m.reference.target(), Target::Outside | Target::Nothing);
    let spelling = matched.iter().any(|m| m.is_data() && inside(m)).then(|| misread_spelling(tree))??.to_owned();
    Some(Irregularity::about(PartlySignedContent, spelling))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    #[test]
    fn what_other_readers_show() {
        const ALL: &str = "<r Id=\"r\"><a>1</a></r>";
        let by_id = |id: &str, bytes: &str| signature(&reference(id, C14N, bytes), "");
        let enveloped = ALL.replace("</r>", &(signature(&reference("", ENVELOPED, ALL), "") + "</r>"));
        let with = |comment: &str| enveloped.replace("<a>1", &format!("<a>{comment}1"));
        let part = |names: &str| (vec![(PartlySignedContent, names.to_owned())], 0, 1);
        let base64 = "<Transform Algorithm='http://www.w3.org/2000/09/xmldsig#base64'/>";
        let decoded = |attribute: &str| {
            format!("<q><a Id='a' {attribute}>TWFu</a>{}</q>", signature(&reference("#a", base64, "Man"), ""))
        };
        let inside = format!("<q><a Id=\"a\">1</a>{}</q>", by_id("#a", "<a Id=\"a\">1</a>"));
        for (clause, situation, document, expected) in [
            ("6.5.1", "a comment", with("<!-- x -->"), (vec![], 1, 0)),
            ("6.5.1", "a comment that HTML ends at once", with("<!-->900-->"), part("comment `>900`")),
            ("6.5.1", "another one", with("<!--->900-->"), part("comment `->900`")),
            (
                "6.5.1",
                "a script",
                enveloped.replace("<a>1", "<a><script xmlns='http://www.w3.org/1999/xhtml'/>1"),
                (vec![], 0, 0),
            ),
            ("6.6.2", "Base64 of an element", decoded("MimeType='text/plain'"), (vec![], 0, 1)),
            ("6.6.2", "with something beside it", decoded("note='900'"), part("#a: a/@note")),
            ("8.1", "a part", inside.clone(), (vec![], 0, 1)),
            (
                "8.1",
                "a part, and a style sheet that shows it",
                format!("<?xml-stylesheet href='x'?>{inside}"),
                part("processing instruction xml-stylesheet"),
            ),
        ] {
            assert_eq!(read(&document, &[]), expected, "XMLDSig {clause} {situation}");
        }
        let page = "<html><script><!-- show(900) --></script><p>1</p></html>";
        let signed = signature(&reference("f.html", C14N, "<html><script></script><p>1</p></html>"), "");
        let found = read(&signed, &[("f.html", page.as_bytes())]);
        assert_eq!(found, part("f.html: comment `show(900)`"), "HTML 13.2.6.2 a script that is a comment to XML");
    }
}
