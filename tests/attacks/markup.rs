//! XML that another reader reads otherwise: comments and spellings of HTML, encodings. Canonical XML 1.0 §1.1, XMLDSig §4.4.3.3,
//! HTML §13.2, XML 1.0 §4.3.3.

use super::Expect::{Finding, NotPassed, Passed};
use super::{Given, Row, check};
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::*;

const WITH_COMMENTS: &str = "http://www.w3.org/2001/10/xml-exc-c14n#WithComments";
const SHOWN: &str = "<!--><h1>900,000</h1>-->";

fn document(text: String) -> Given {
    Given::new("contract.xml", text)
}

/// A contract signed with comments by that URI; something is added before the amount, or at the very beginning.
fn with_comments(lab: &Lab, uri: &str, start: &str, before: &str) -> Given {
    let amount = format!("{before}<amount>");
    let whole = CONTRACT.replacen("<contract>", "<contract Id=\"c1\">", 1);
    let bytes = if uri.contains("pointer") { whole.replace("<amount>", &amount) } else { whole.clone() };
    let over = vec![reference(Some(uri), bytes.as_bytes(), &[ENVELOPED, WITH_COMMENTS])];
    let signed = enclosed(&whole, &Signature::over(lab, over).xml());
    document(format!("{start}{}", signed.replace("<amount>", &amount)))
}

const COMMENTS: &[Row] = &[
    ("XMLDSig 4.4.3.3", "by an id, which leaves comments out", Finding, |lab| with_comments(lab, "#c1", "", SHOWN)),
    ("XMLDSig 4.4.3.3", "the document, which leaves comments out", Finding, |lab| with_comments(lab, "", "", SHOWN)),
    ("XMLDSig 4.4.3.3", "by a pointer, which keeps them", Passed, |lab| {
        with_comments(lab, "#xpointer(id('c1'))", "", SHOWN)
    }),
    ("XMLDSig 4.4.3.3", "by a pointer, the comment before the element", Finding, |lab| {
        with_comments(lab, "#xpointer(id('c1'))", SHOWN, "")
    }),
    ("Canonical XML 1.0 1.1", "the first of two forms is without comments", Finding, |lab| {
        let over = vec![reference(Some("page.xml"), CONTRACT.as_bytes(), &[EXCLUSIVE, WITH_COMMENTS])];
        let page = CONTRACT.replace("<amount>", &format!("{SHOWN}<amount>"));
        document(Signature::over(lab, over).xml()).with("page.xml", page.as_bytes())
    }),
    ("XMLDSig 8.1.2", "beside a signature over a file", Finding, |lab| {
        let signature = Signature::over(lab, vec![reference(Some("hello.txt"), b"hello", &[])]).xml();
        document(format!("<signatures>{SHOWN}{signature}</signatures>")).with("hello.txt", b"hello")
    }),
];

#[test]
fn comments_that_are_not_signed() {
    check(COMMENTS);
}

/// A page that is signed; then something is put in the place of something else.
fn page(lab: &Lab, page: &str, from: &str, to: &str) -> Given {
    assert!(page.contains(from), "{from}");
    document(lab.enveloped(page).replacen(from, to, 1))
}

fn comment_in(lab: &Lab, name: &str) -> Given {
    let comment = format!("Contract<!--</{name}></head><body><h1>900,000</h1>-->");
    page(lab, &format!("<html><{name}>Contract</{name}><p>100</p></html>"), "Contract", &comment)
}

const HTML: &[Row] = &[
    ("HTML 13.2.6.4.4", "a comment in a title", Finding, |lab| comment_in(lab, "title")),
    ("HTML 13.2.6.4.7", "a comment in a text area", Finding, |lab| comment_in(lab, "textarea")),
    ("HTML 13.2.6.4.7", "a comment in an example", Finding, |lab| comment_in(lab, "xmp")),
    ("HTML 13.2.6.4.7", "a comment in a frame", Finding, |lab| comment_in(lab, "iframe")),
    ("HTML 13.2.6.4.7", "a comment where there are no frames", Finding, |lab| comment_in(lab, "noframes")),
    ("HTML 13.2.6.4.7", "a comment where nothing is embedded", Finding, |lab| comment_in(lab, "noembed")),
    ("HTML 13.2.6.2", "a comment further down in a style sheet", Finding, |lab| {
        let comment = "<b><!-- } p { display: none } -->";
        page(lab, "<html><style><b>p { color: red }</b></style><p>100</p></html>", "<b>", comment)
    }),
    ("HTML 13.2.5.42", "a word in a CDATA section", Finding, |lab| {
        page(lab, "<html><p>I do not agree.</p></html>", "not", "<![CDATA[not]]>")
    }),
    ("HTML 13.2.5.40", "an empty tag of a script", Finding, |lab| {
        page(lab, "<html><script></script><p>I do not agree.</p></html>", "<script></script>", "<script/>")
    }),
    ("HTML 13.2.5.42", "a CDATA section of what is no page", Passed, |lab| {
        page(lab, "<letter><p>I do not agree.</p></letter>", "not", "<![CDATA[not]]>")
    }),
    ("HTML 13.1.2", "an empty tag of what has no end tag, a comment", Passed, |lab| {
        page(lab, "<html><p>I agree.</p><br></br></html>", "<br></br>", "<br/><!-- x -->")
    }),
];

#[test]
fn pages_that_html_reads_otherwise() {
    check(HTML);
}

fn declared(lab: &Lab, before: &str) -> Given {
    document(format!("{before}{}", lab.enveloped("<contract><amount>+AC0-100 \u{e9}</amount></contract>")))
}

const ENCODINGS: &[Row] = &[
    ("XML 1.0 4.3.3", "an encoding that is not read, behind much white space", NotPassed, |lab| {
        declared(lab, &format!("<?xml version=\"1.0\"{}encoding=\"UTF-7\"?>", " ".repeat(220)))
    }),
    ("XML 1.0 4.3.3", "a mark of UTF-8, and another encoding", NotPassed, |lab| {
        declared(lab, "\u{feff}<?xml version=\"1.0\" encoding=\"ISO-8859-2\"?>")
    }),
    ("XML 1.0 4.3.3", "a mark of UTF-8, and UTF-8", Passed, |lab| {
        declared(lab, "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>")
    }),
];

#[test]
fn encodings_as_they_are_declared() {
    check(ENCODINGS);
}
