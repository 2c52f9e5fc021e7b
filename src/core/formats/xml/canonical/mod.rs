//! Canonical XML 1.0 and 1.1, Exclusive XML Canonicalization 1.0.
//!
//! One pass over the nodes of a set, in document order, straight into a sink. Namespaces and attributes have files of their own.

mod attributes;
mod namespaces;

use super::element::{Attribute, Element};
use super::escape::{AS_WRITTEN, TEXT, VALUE, escape};
use super::node_set::NodeSet;
use super::search::first;
use super::tree::{Kind, NodeId, Tree};
use namespaces::Rendered;
use std::collections::{BTreeSet, HashMap};

/// Which canonical form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Canonical XML 1.0.
    Inclusive10,
    /// Canonical XML 1.1.
    Inclusive11,
    /// Exclusive XML Canonicalization 1.0.
    Exclusive,
}

/// A canonicalisation method with its parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canonicalization {
    /// Which form.
    pub algorithm: Algorithm,
    /// Whether comments are written.
    pub comments: bool,
    /// Exclusive: prefixes treated as the inclusive form does; the default namespace is the empty prefix.
    pub inclusive_prefixes: BTreeSet<String>,
}

impl Canonicalization {
    /// Returns the method without comments and parameters.
    pub const fn new(algorithm: Algorithm) -> Self {
        Self { algorithm, comments: false, inclusive_prefixes: BTreeSet::new() }
    }

    /// Returns the method that a URI names.
    pub fn from_uri(uri: &str) -> Option<Self> {
        let (algorithm, comments) = match uri {
            "http://www.w3.org/TR/2001/REC-xml-c14n-20010315" => (Algorithm::Inclusive10, false),
            "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments" => (Algorithm::Inclusive10, true),
            "http://www.w3.org/2006/12/xml-c14n11" => (Algorithm::Inclusive11, false),
            "http://www.w3.org/2006/12/xml-c14n11#WithComments" => (Algorithm::Inclusive11, true),
            "http://www.w3.org/2001/10/xml-exc-c14n#" => (Algorithm::Exclusive, false),
            "http://www.w3.org/2001/10/xml-exc-c14n#WithComments" => (Algorithm::Exclusive, true),
            _ => return None,
        };
        Some(Self { comments, ..Self::new(algorithm) })
    }
}

/// Where canonical bytes go.
pub trait Sink {
    /// Takes the next bytes.
    fn write(&mut self, bytes: &[u8]);

    /// Returns what a byte costs, where one of a canonical form that is digested by a quick function costs one.
    fn weight(&self) -> u64 {
        1
    }
}

impl Sink for Vec<u8> {
    fn write(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Bytes of a canonical form that are kept for a byte of the document: a form is longer where it declares namespaces again.
pub const KEPT: usize = 16;

/// Keeps bytes, up to a bound.
struct Kept {
    bytes: Vec<u8>,
    limit: usize,
    exceeded: bool,
}

impl Sink for Kept {
    fn write(&mut self, bytes: &[u8]) {
        self.exceeded = self.exceeded || self.bytes.len() + bytes.len() > self.limit;
        if !self.exceeded {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

/// Returns the nodes of a set in canonical form; `None` where that is more than is kept or may be written.
pub fn canonical_bytes(tree: &Tree, set: &NodeSet, method: &Canonicalization) -> Option<Vec<u8>> {
    let limit = tree.source().len().saturating_mul(KEPT).saturating_add(1 << 20);
    let mut kept = Kept { bytes: vec![], limit, exceeded: false };
    let whole = canonicalize(tree, set, method, &mut kept);
    (whole && !kept.exceeded).then_some(kept.bytes)
}

/// Writes the nodes of a set in canonical form. Whether that is all of it: what is gone through and what is written are paid for
/// with the document's budget.
#[must_use]
pub fn canonicalize(tree: &Tree, set: &NodeSet, method: &Canonicalization, sink: &mut dyn Sink) -> bool {
    let source = |(start, end): &(u32, u32)| {
        let nodes = u64::from(end.saturating_sub(*start)) * NODE;
        let last = tree.nodes.get(end.saturating_sub(1).max(*start) as usize).map_or(0, |node| node.span.end);
        nodes + u64::from(last.saturating_sub(tree.node(NodeId(*start)).span.start))
    };
    let weight = sink.weight();
    let paid = weight * set.ranges(tree).iter().map(source).sum::<u64>().max(ONCE);
    if !tree.work.canonicalize(paid) {
        return false;
    }
    let mut writer = Writer {
        tree,
        set,
        method,
        sink,
        out: Vec::with_capacity(BUFFER + 4096),
        open: vec![],
        rendered: vec![],
        latest: HashMap::new(),
        cost: 0,
        weight,
        paid,
        exhausted: false,
        attributes: vec![],
        namespaces: vec![],
        before_element: true,
    };
    for (start, end) in set.ranges(tree) {
        let mut next = start;
        while next < end && !writer.exhausted {
            writer.close_until(next);
            if let Some(after) = set.skip(next) {
                next = after;
                continue;
            }
            writer.node(NodeId(next));
            next += 1;
        }
        writer.close_until(u32::MAX);
    }
    writer.flush();
    !writer.exhausted
}

/// What a canonical form costs at the least, in bytes: that of nothing has to be begun as well.
const ONCE: u64 = 512;

/// What a node costs beside its bytes.
pub(super) const NODE: u64 = 48;

/// What it costs to look at an attribute or a namespace beside its bytes.
const ATTRIBUTE: usize = 12;

/// Bytes gathered before they go to the sink: large enough to make its calls rare, small enough for a cache.
const BUFFER: usize = 16 * 1024;

/// An element whose content is being written.
struct Open {
    node: NodeId,
    end: u32,
    written: bool,
    /// How many declarations were rendered before it.
    rendered: usize,
}

struct Writer<'t, 's, 'k> {
    tree: &'t Tree<'s>,
    set: &'k NodeSet,
    method: &'k Canonicalization,
    sink: &'k mut dyn Sink,
    out: Vec<u8>,
    open: Vec<Open>,
    /// Namespaces as rendered, innermost last.
    rendered: Vec<Rendered<'t>>,
    /// The place of the innermost one of each prefix.
    latest: HashMap<&'t str, usize>,
    /// Bytes that were written, and what was gone through beside.
    cost: u64,
    /// What each of them costs.
    weight: u64,
    /// How much of that the document has paid for.
    paid: u64,
    /// Whether the document could not pay.
    exhausted: bool,
    attributes: Vec<Attribute<'t>>,
    namespaces: Vec<(&'t str, &'t str)>,
    before_element: bool,
}

impl<'t, 's> Writer<'t, 's, '_> {
    fn node(&mut self, node: NodeId) {
        let kind = self.tree.kind(node);
        let written = self.set.contains(self.tree, node);
        match kind {
            Kind::Root => {}
            Kind::Element => {
                if let Some(element) = self.tree.element(node) {
                    self.element(element, written);
                }
            }
            Kind::Text if written && self.tree.is_as_written(node) => self.text(self.tree.text(node), AS_WRITTEN),
            Kind::Text if written => self.text(self.tree.text(node), TEXT),
            Kind::Comment if written && self.method.comments => self.outside(node, |out, tree| {
                out.extend_from_slice(b"<!--");
                out.extend_from_slice(tree.text(node).as_bytes());
                out.extend_from_slice(b"-->");
            }),
            Kind::Instruction if written => self.outside(node, |out, tree| {
                out.extend_from_slice(b"<?");
                out.extend_from_slice(tree.target(node).as_bytes());
                if !tree.text(node).is_empty() {
                    out.push(b' ');
                    out.extend_from_slice(tree.text(node).as_bytes());
                }
                out.extend_from_slice(b"?>");
            }),
            Kind::Text | Kind::Comment | Kind::Instruction => {}
        }
        if self.out.len() >= BUFFER {
            self.flush();
        }
    }

    /// Hands the bytes gathered so far to the sink.
    fn flush(&mut self) {
        self.spend(self.out.len());
        self.sink.write(&self.out);
        self.out.clear();
    }

    /// Counts bytes that are written, or gone through.
    fn spend(&mut self, bytes: usize) {
        self.cost += self.weight * bytes as u64;
        if let Some(more) = self.cost.checked_sub(self.paid).filter(|more| *more > 0) {
            self.exhausted = self.exhausted || !self.tree.work.canonicalize(more);
            self.paid = self.cost;
        }
    }

    /// Writes text. Long stretches that have nothing to escape go to the sink from where they lie.
    fn text(&mut self, text: &str, escaped: &[[u8; 3]]) {
        for stretch in text.as_bytes().chunks(BUFFER) {
            let as_it_lies = stretch.len() == BUFFER && first(stretch, escaped).is_none();
            if as_it_lies || self.out.len() >= BUFFER {
                self.flush();
            }
            if as_it_lies {
                self.spend(stretch.len());
                self.sink.write(stretch);
            } else {
                escape(&mut self.out, stretch, escaped);
            }
        }
    }

    /// Writes a comment or instruction; outside the document element it has a line of its own.
    fn outside(&mut self, node: NodeId, write: impl FnOnce(&mut Vec<u8>, &'t Tree<'s>)) {
        let top = self.tree.parent(node) == Some(self.tree.root());
        if top && !self.before_element {
            self.out.push(b'\n');
        }
        write(&mut self.out, self.tree);
        if top && self.before_element {
            self.out.push(b'\n');
        }
    }

    /// Writes the end tags of elements that end before that number.
    fn close_until(&mut self, number: u32) {
        while let Some(open) = self.open.pop_if(|open| open.end <= number) {
            self.unrender(open.rendered);
            if let Some(element) = self.tree.element(open.node).filter(|_| open.written) {
                self.out.extend_from_slice(b"</");
                self.out.extend_from_slice(element.qualified().as_bytes());
                self.out.push(b'>');
            }
        }
    }

    fn element(&mut self, element: Element<'t, 's>, written: bool) {
        let node = element.id();
        if self.tree.parent(node) == Some(self.tree.root()) {
            self.before_element = false;
        }
        let rendered = self.rendered.len();
        if written {
            self.out.push(b'<');
            self.out.extend_from_slice(element.qualified().as_bytes());
        } else if self.set.is_whole() {
            self.open.push(Open { node, end: self.tree.node(node).end, written, rendered });
            return;
        }
        // Canonical XML §2.3: namespaces and attributes are written if they are in the set, whether or not their
        // element is.
        self.gather_attributes(element);
        self.gather_namespaces(element, written);
        crate::order::sort(&mut self.namespaces);
        let mut namespaces = std::mem::take(&mut self.namespaces);
        for (prefix, namespace) in namespaces.drain(..) {
            self.out.extend_from_slice(if prefix.is_empty() { b" xmlns" } else { b" xmlns:" });
            self.out.extend_from_slice(prefix.as_bytes());
            self.out.extend_from_slice(b"=\"");
            escape(&mut self.out, namespace.as_bytes(), VALUE);
            self.out.push(b'"');
            self.add_rendered(prefix, Some(namespace));
        }
        self.namespaces = namespaces;
        self.write_attributes(element, written);
        if written {
            self.out.push(b'>');
        } else {
            self.unrender(rendered);
        }
        self.open.push(Open { node, end: self.tree.node(node).end, written, rendered });
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::super::parse::parse;
    use super::*;

    fn of(source: &str, algorithm: Algorithm, apex: &str, without: Option<&str>, prefixes: &[&str]) -> String {
        let tree = parse(source, &Options::default()).expect("well-formed");
        let find = |local: &str| tree.elements(tree.root()).find(|e| e.local() == local).expect("an element").id();
        let apex = if apex.is_empty() { tree.root() } else { find(apex) };
        let mut set = NodeSet::subtree(&tree, apex, true);
        if let Some(without) = without {
            set.drop_subtree(&tree, find(without));
        }
        let inclusive_prefixes = prefixes.iter().map(|prefix| prefix.to_string()).collect();
        let method = Canonicalization { inclusive_prefixes, ..Canonicalization::new(algorithm) };
        let mut out = vec![];
        assert!(canonicalize(&tree, &set, &method, &mut out));
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn forms() {
        use Algorithm::*;
        const NESTED: &str = "<a xmlns='u:d' xmlns:p='u:p' xmlns:q='u:q' xml:lang='en' xml:base='http://h/x/'><m><b p:c='1' xml:base='y'><p:d/></b></m></a>";
        for (clause, source, algorithm, apex, without, prefixes, expected) in [
            (
                "C14N §2.3: outside the document element",
                "<?p?>\n<!-- x -->\n<a/>\n<?q?>",
                Inclusive10,
                "",
                None,
                &[][..],
                "<?p?>\n<a></a>\n<?q?>",
            ),
            (
                "C14N §2.3: escapes",
                "<a b='&quot;&#9;&#10;&#13;&lt;>'>\"&#13;&lt;&gt;</a>",
                Inclusive10,
                "",
                None,
                &[],
                "<a b=\"&quot;&#x9;&#xA;&#xD;&lt;>\">\"&#xD;&lt;&gt;</a>",
            ),
            (
                "C14N §2.2: order",
                "<a xmlns:b='u:1' xmlns:a='u:2' a:y='1' b:x='2' x='3'/>",
                Inclusive10,
                "",
                None,
                &[],
                "<a xmlns:a=\"u:2\" xmlns:b=\"u:1\" x=\"3\" b:x=\"2\" a:y=\"1\"></a>",
            ),
            (
                "C14N §2.3: superfluous declarations",
                "<a xmlns='u:1'><b xmlns='u:1'><c xmlns=''/></b></a>",
                Inclusive10,
                "",
                None,
                &[],
                "<a xmlns=\"u:1\"><b><c xmlns=\"\"></c></b></a>",
            ),
            (
                "C14N §2.4: what an apex inherits",
                NESTED,
                Inclusive10,
                "b",
                None,
                &[],
                "<b xmlns=\"u:d\" xmlns:p=\"u:p\" xmlns:q=\"u:q\" xml:base=\"y\" xml:lang=\"en\" p:c=\"1\"><p:d></p:d></b>",
            ),
            (
                "C14N 1.1 §2.4: xml:base is joined",
                NESTED,
                Inclusive11,
                "b",
                None,
                &[],
                "<b xmlns=\"u:d\" xmlns:p=\"u:p\" xmlns:q=\"u:q\" xml:base=\"http://h/x/y\" xml:lang=\"en\" p:c=\"1\"><p:d></p:d></b>",
            ),
            (
                "Exclusive §3: only what is used",
                NESTED,
                Exclusive,
                "b",
                None,
                &[],
                "<b xmlns=\"u:d\" xmlns:p=\"u:p\" xml:base=\"y\" p:c=\"1\"><p:d></p:d></b>",
            ),
            (
                "Exclusive §3: the prefix list",
                NESTED,
                Exclusive,
                "b",
                None,
                &["q"],
                "<b xmlns=\"u:d\" xmlns:p=\"u:p\" xmlns:q=\"u:q\" xml:base=\"y\" p:c=\"1\"><p:d></p:d></b>",
            ),
            (
                "Exclusive §3: rendered where used",
                "<a xmlns:p='u:1'><b><p:c/><p:d/></b></a>",
                Exclusive,
                "",
                None,
                &[],
                "<a><b><p:c xmlns:p=\"u:1\"></p:c><p:d xmlns:p=\"u:1\"></p:d></b></a>",
            ),
            (
                "XMLDSig §6.6.4: without the signature",
                "<a>1<s><t/></s>2</a>",
                Inclusive10,
                "",
                Some("s"),
                &[],
                "<a>12</a>",
            ),
        ] {
            assert_eq!(of(source, algorithm, apex, without, prefixes), expected, "{clause}");
        }
    }
}
