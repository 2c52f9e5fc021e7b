//! Reading: XML 1.0 (fifth edition) and Namespaces in XML 1.0 (third edition).
//!
//! One pass over the characters, no recursion. Whoever made the document can
//! lengthen five things, and each has its bound: nesting, attributes of one
//! element, namespaces in scope, names, what entities expand to.

mod characters;
mod namespace;
mod scan;
mod tag;

use super::XML;
use super::characters::is_space;
use super::decode::decode;
use super::document_type::DocumentType;
use super::error::{NESTED, XmlError};
use super::options::{DocumentTypes, Options};
use super::tree::*;
use super::work::{Work, nodes};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use characters::FirstLook;
use scan::{span, text};
use tag::{Open, Raw};

/// Reads a document.
pub fn parse<'s>(source: &'s str, options: &Options) -> Result<Tree<'s>, XmlError> {
    // The highest numbers are kept free for ends and marks.
    let limit = u32::MAX as usize - 16;
    if source.len() > limit {
        return Err(XmlError::Limit { offset: limit, what: "bytes in one document", limit });
    }
    if options.nodes < source.len() && nodes(source) > options.nodes {
        return Err(XmlError::Limit { offset: 0, what: "nodes of compressed documents", limit: options.nodes });
    }
    let mut parser = Parser::new(source, options);
    parser.document()?;
    Ok(parser.tree)
}

/// Reads a document from its bytes, in any encoding that is read. The tree borrows them where they are UTF-8.
pub fn read<'o>(bytes: impl Into<Cow<'o, [u8]>>, options: &Options) -> Result<Tree<'o>, XmlError> {
    match bytes.into() {
        Cow::Borrowed(bytes) => match decode(bytes)? {
            Cow::Borrowed(source) => parse(source, options),
            Cow::Owned(source) => parse_owned(source, options),
        },
        Cow::Owned(bytes) => parse_owned(decode(&bytes)?.into_owned(), options),
    }
}

/// Reads a document and keeps its text with it.
fn parse_owned<'o>(source: String, options: &Options) -> Result<Tree<'o>, XmlError> {
    let tree = parse(&source, options)?;
    let Tree { pool, nodes, texts, elements, attributes, scopes, declarations, namespaces, ids, work, .. } = tree;
    let (has_document_type, has_relative_namespaces) = (tree.has_document_type, tree.has_relative_namespaces);
    Ok(Tree {
        shown_comments: OnceLock::new(),
        misread_spelling: OnceLock::new(),
        source: Cow::Owned(source),
        pool,
        nodes,
        texts,
        elements,
        attributes,
        scopes,
        declarations,
        namespaces,
        has_document_type,
        has_relative_namespaces,
        ids,
        work,
    })
}

struct Parser<'s, 'o> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    options: &'o Options,
    tree: Tree<'s>,
    open: Vec<Open>,
    numbers: HashMap<String, u32>,
    raw: Vec<Raw>,
    document_type: Option<DocumentType>,
    expanded: usize,
    /// No character is forbidden, and no `]]>` stands anywhere: text is looked at for its end only.
    plain: bool,
}

type Result_<T> = Result<T, XmlError>;

/// Tags for which there is room from the beginning. Signatures have some hundred, manifests some thousand.
const ROOM: usize = 1 << 14;

const NOTHING: Text = Text { start: 0, end: 0, pooled: false };

impl<'s, 'o> Parser<'s, 'o> {
    fn new(source: &'s str, options: &'o Options) -> Self {
        // Room for what there will be at most, so that little is moved: half of the tags end an element.
        let FirstLook { plain, tags } = FirstLook::at(source.as_bytes());
        let tags = tags.min(ROOM);
        let mut nodes = Vec::with_capacity(tags + 2);
        let root = Node { kind: Kind::Root, parent: 0, end: 0, span: span(0, source.len()), data: 0 };
        nodes.push(root);
        let tree = Tree {
            source: Cow::Borrowed(source),
            pool: String::with_capacity(64),
            nodes,
            texts: Vec::with_capacity(tags / 4),
            elements: Vec::with_capacity(tags / 2 + 1),
            attributes: Vec::with_capacity(tags / 2),
            scopes: vec![Scope { around: 0, declarations: 0..0 }],
            declarations: vec![],
            namespaces: vec![String::new(), XML.into()],
            has_document_type: false,
            has_relative_namespaces: false,
            ids: OnceLock::new(),
            shown_comments: OnceLock::new(),
            misread_spelling: OnceLock::new(),
            work: Work::new(options, source.len()).into(),
        };
        let numbers = HashMap::from([(String::new(), NO_NAMESPACE), (XML.into(), XML_NAMESPACE)]);
        Self {
            source,
            bytes: source.as_bytes(),
            at: 0,
            options,
            tree,
            open: vec![],
            numbers,
            raw: vec![],
            document_type: None,
            expanded: 0,
            plain,
        }
    }

    /// Reads `document`: prolog, one element, and what may follow it.
    fn document(&mut self) -> Result_<()> {
        if self.bytes.starts_with(b"<?xml") && self.bytes.get(5).copied().is_some_and(is_space) {
            self.declaration()?;
        }
        let mut element_seen = false;
        loop {
            self.skip_space();
            match self.rest() {
                [] if element_seen => break,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', ..] if !element_seen && !self.tree.has_document_type => self.doctype()?,
                [b'<', ..] if !element_seen => {
                    element_seen = true;
                    self.start_tag()?;
                    self.content()?;
                }
                _ => return Err(self.expected("one document element, and nothing but comments around it,")),
            }
        }
        self.tree.nodes[0].end = self.tree.nodes.len() as u32;
        Ok(())
    }

    /// Reads `XMLDecl`: only version 1.0; the encoding was settled before.
    fn declaration(&mut self) -> Result_<()> {
        let end = self.find("?>", "the end of the XML declaration")?;
        let text = &self.source[5..end];
        let version = text.trim_start().strip_prefix("version").map(|rest| rest.trim_start());
        let version = version.and_then(|rest| rest.strip_prefix('=')).map(str::trim_start).unwrap_or_default();
        if !["\"1.0\"", "'1.0'"].iter().any(|known| version.starts_with(known)) {
            return Err(self.expected("XML version 1.0"));
        }
        self.at = end + 2;
        Ok(())
    }

    fn doctype(&mut self) -> Result_<()> {
        if !self.rest().starts_with(b"<!DOCTYPE") {
            return Err(self.expected("a document type, comment or element"));
        }
        if self.options.document_types == DocumentTypes::None {
            return Err(XmlError::DocumentType { offset: self.at });
        }
        let internal_subset = self.options.document_types == DocumentTypes::All;
        let (document_type, length) = DocumentType::read(&self.source[self.at..], internal_subset)
            .map_err(|(offset, expected)| XmlError::Syntax { offset: self.at + offset, expected })?;
        self.at += length;
        self.tree.has_document_type = true;
        self.document_type = Some(document_type);
        Ok(())
    }

    /// Reads everything inside the document element.
    fn content(&mut self) -> Result_<()> {
        while !self.open.is_empty() {
            match self.rest() {
                [b'<', b'/', ..] => self.end_tag()?,
                [b'<', b'?', ..] => self.instruction()?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', b'[', ..] => self.characters()?,
                [b'<', ..] => self.start_tag()?,
                [] => return Err(self.expected("an end tag")),
                _ => self.characters()?,
            }
        }
        Ok(())
    }

    /// Reads a `Comment`.
    fn comment(&mut self) -> Result_<()> {
        let start = self.at;
        self.at += 4;
        let end = self.find("--", "the end of a comment")?;
        if self.bytes.get(end + 2) != Some(&b'>') {
            self.at = end;
            return Err(self.expected("no -- in a comment"));
        }
        self.checked(self.at, end)?;
        let content = self.lines(self.at, end);
        self.at = end + 3;
        self.push_text(Kind::Comment, start, NOTHING, content);
        Ok(())
    }

    /// Reads a `PI`.
    fn instruction(&mut self) -> Result_<()> {
        let start = self.at;
        self.at += 2;
        let target = self.name()?;
        if self.tree.slice(target).eq_ignore_ascii_case("xml") {
            return Err(XmlError::Syntax { offset: start, expected: "another target than xml" });
        }
        let end = self.find("?>", "the end of an instruction")?;
        let after = self.at;
        self.skip_space();
        if self.at == after && end != after {
            return Err(self.expected("white space"));
        }
        let begin = self.at.min(end);
        self.checked(begin, end)?;
        let content = self.lines(begin, end);
        self.at = end + 2;
        self.push_text(Kind::Instruction, start, target, content);
        Ok(())
    }

    fn push(&mut self, kind: Kind, start: usize, data: u32) {
        let number = self.tree.nodes.len() as u32;
        let parent = self.open.last().map_or(0, |open| open.node);
        self.tree.nodes.push(Node { kind, parent, end: number + 1, span: span(start, self.at), data });
    }

    fn push_text(&mut self, kind: Kind, start: usize, target: Text, content: Text) {
        let data = self.tree.texts.len() as u32;
        self.tree.texts.push((target, content));
        self.push(kind, start, data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &str) -> Result<String, XmlError> {
        let options = Options { document_types: DocumentTypes::All, ..Options::default() };
        let tree = parse(source, &options)?;
        let mut shown = String::new();
        for node in tree.nodes() {
            match tree.kind(node) {
                Kind::Root => {}
                Kind::Element => {
                    let element = tree.element(node).expect("an element");
                    shown.push_str(&format!("<{{{}}}{}", element.namespace(), element.local()));
                    for attribute in element.attributes() {
                        shown.push_str(&format!(" {{{}}}{}={}", attribute.namespace, attribute.local, attribute.value));
                    }
                    shown.push('>');
                }
                _ => shown.push_str(&format!("[{}{}]", tree.target(node), tree.text(node))),
            }
        }
        Ok(shown)
    }

    #[test]
    fn well_formed() {
        for (clause, source, expected) in [
            ("XML §2.11: line ends", "<a>1\r\n2\r3<!--\r--></a>", "<{}a>[1\n2\n3][\n]"),
            ("XML §3.3.3: white space in values", "<a b='\t\r\n x&#9;&#xA;'/>", "<{}a {}b=   x\t\n>"),
            ("XML §2.7: CDATA is text", "<a>1<![CDATA[<&]]>2</a>", "<{}a>[1<&2]"),
            ("XML §2.7: an empty section is nothing", "<a><![CDATA[]]></a>", "<{}a>"),
            ("XML §4.6: the five entities", "<a>&lt;&gt;&amp;&apos;&quot;</a>", "<{}a>[<>&'\"]"),
            ("XML §2.6: instructions", "<?p  d ?><a/>", "[pd ]<{}a>"),
            ("Namespaces §6.2: default", "<a xmlns='u:1'><b xmlns=''/><c d='e'/></a>", "<{u:1}a><{}b><{u:1}c {}d=e>"),
            (
                "Namespaces §6.1: scope",
                "<p:a xmlns:p='u:1'><p:b xmlns:p='u:2' p:c=''/><p:d/></p:a>",
                "<{u:1}a><{u:2}b {u:2}c=><{u:1}d>",
            ),
            ("Namespaces §3: xml is declared", "<a xml:id='x'/>", "<{}a {http://www.w3.org/XML/1998/namespace}id=x>"),
            ("XML §4.4: a plain entity", "<!DOCTYPE a [<!ENTITY e 'x&#65;'>]><a b='&e;'>&e;</a>", "<{}a {}b=xA>[xA]"),
            ("XML §3.3.2: defaults", "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", "<{}a {}b=c>"),
            (
                "XML §3.3.3: other types than CDATA",
                "<!DOCTYPE a [<!ATTLIST a b NMTOKENS #IMPLIED>]><a b=' x  y '/>",
                "<{}a {}b=x y>",
            ),
        ] {
            assert_eq!(shown(source).as_deref(), Ok(expected), "{clause}");
        }
    }

    #[test]
    fn refused() {
        for (clause, source) in [
            ("XML §2.1: one document element", "<a/><b/>"),
            ("XML §2.1: text around it", "x<a/>"),
            ("XML §2.1: nothing", ""),
            ("XML §2.2: a control character", "<a>\u{1}</a>"),
            ("XML §2.2: a non-character", "<a>\u{ffff}</a>"),
            ("XML §2.4: ]]> in text", "<a>]]></a>"),
            ("XML §2.5: -- in a comment", "<a><!-- -- --></a>"),
            ("XML §2.6: a target xml", "<a><?xml version='1.0'?></a>"),
            ("XML §2.8: version 1.1", "<?xml version='1.1'?><a/>"),
            ("XML §3: another end tag", "<a><b></a></b>"),
            ("XML §3: an end tag with more", "<a></ab>"),
            ("XML §3: no end", "<a><b>"),
            ("XML §3.1: no space between attributes", "<a b='1'c='2'/>"),
            ("XML §3.1: < in a value", "<a b='<'/>"),
            ("XML §3.1: an attribute twice", "<a b='1' b='2'/>"),
            ("XML §4.1: no such character", "<a>&#0;</a>"),
            ("XML §4.1: no such entity", "<a>&b;</a>"),
            ("XML §4.1: an entity with markup", "<!DOCTYPE a [<!ENTITY e '<b/>'>]><a>&e;</a>"),
            ("XML §4.4.4: an external entity", "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a>&e;</a>"),
            ("Namespaces §5: a prefix that is not declared", "<p:a/>"),
            ("Namespaces §5: an undeclared prefix", "<p:a xmlns:p='u:1'><b xmlns:p=''/></p:a>"),
            ("Namespaces §3: xmlns is not declared", "<a xmlns:xmlns='u:1'/>"),
            ("Namespaces §3: xml is bound", "<a xmlns:xml='u:1'/>"),
            ("Namespaces §6.3: one name twice", "<a xmlns:p='u:1' xmlns:q='u:1' p:b='' q:b=''/>"),
        ] {
            assert!(shown(source).is_err(), "{clause}");
        }
        let refused = parse("<!DOCTYPE a><a/>", &Options::default());
        assert!(matches!(refused, Err(XmlError::DocumentType { .. })), "signed documents have no document type");
    }

    #[test]
    fn bounds() {
        let many = |count: usize, each: &dyn Fn(usize) -> String| (0..count).map(each).collect::<String>();
        let attributes = format!("<a{}/>", many(60_000, &|n| format!(" b{n}=''")));
        let namespaces = format!("<a{}/>", many(60_000, &|n| format!(" xmlns:b{n}='u:1'")));
        let deep = format!("{}{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
        let spread = many(100, &|n| format!("<a{}>", many(100, &|m| format!(" xmlns:p{n}x{m}='u:1'"))));
        let laughs = format!("<!DOCTYPE a [<!ENTITY e '{}'>]><a>{}</a>", "x".repeat(1_000), "&e;".repeat(1_000));
        for (what, source) in [
            ("attributes", attributes),
            ("attributes", namespaces),
            ("elements", deep),
            ("namespaces", spread),
            ("bytes of entities", laughs),
        ] {
            match shown(&source) {
                Err(XmlError::Limit { what: found, .. }) => assert!(found.starts_with(what), "{what}: {found}"),
                other => panic!("{what}: {other:?}"),
            }
        }
    }
}
