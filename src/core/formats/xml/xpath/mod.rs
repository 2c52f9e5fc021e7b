//! XPath 1.0 over the tree, with `here()` and `id()` as XML signatures need them.
//!
//! Whoever signs a document may put any expression into it, and an expression
//! can be made to visit every node for every node. So each node visited is
//! paid for, and past the bound there is an error.

mod evaluate;
mod functions;
mod lexer;
mod parser;

pub use evaluate::{Context, Item, Value, evaluate};
pub use parser::{Expression, compile};

/// Why an expression has no value.
#[allow(missing_docs, reason = "the fields are what their names and the messages say")]
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum XPathError {
    /// Not an XPath 1.0 expression.
    #[error("at character {at} of the XPath expression {expected} was expected")]
    Syntax { at: usize, expected: &'static str },
    /// A prefix that is not declared where the expression stands.
    #[error("the prefix {prefix} of the XPath expression is not declared")]
    Prefix { prefix: String },
    /// A function that XPath 1.0 and XML signatures do not have, or with other arguments.
    #[error("the XPath function {name} is not known with {arguments} arguments")]
    Function { name: String, arguments: usize },
    /// A variable, which signatures do not have.
    #[error("the XPath expression has a variable")]
    Variable,
    /// A value of another type than is needed.
    #[error("an XPath expression yields no node-set where one is needed")]
    NotNodes,
    /// Past the bound.
    #[error("the XPath expression visits more than {limit} nodes")]
    TooMuchWork { limit: usize },
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::super::parse::parse;
    use super::*;

    const DOCUMENT: &str = "<a xmlns='u:d' xmlns:p='u:p' xml:lang='en-GB'><b Id='1'>x</b><p:b id='2' n='3'>y<c/>z</p:b><!--k--><?t d?><b n='4'/></a>";

    fn text_of(source: &str) -> Result<String, XPathError> {
        let tree = parse(DOCUMENT, &Options::default()).expect("well-formed");
        let resolve = |prefix: &str| match prefix {
            "d" => Some("u:d"),
            "p" => Some("u:p"),
            _ => None,
        };
        let here = tree.elements(tree.root()).find(|e| e.local() == "c").map(|e| e.id());
        let context = Context::new(&tree, here, 10_000);
        evaluate(&compile(source, &resolve)?, &context, Item::Node(tree.root()))?.text(&context)
    }

    #[test]
    fn values() {
        for (clause, source, expected) in [
            ("§2.1", "count(/d:a/d:b)", "2"),
            ("§2.2 child and attribute", "/d:a/d:b[2]/@n", "4"),
            ("§2.2 ancestor", "name(//c/ancestor::*[1])", ""),
            ("§2.2 ancestor", "name(//d:c/ancestor::*[1])", "p:b"),
            ("§2.2 ancestor-or-self, root included", "count(//d:c/ancestor-or-self::node())", "4"),
            ("§2.2 following", "count(//p:b/following::node())", "3"),
            ("§2.2 following-sibling", "count(//p:b/following-sibling::d:b)", "1"),
            ("§2.2 preceding", "string(//p:b/preceding::text())", "x"),
            (
                "§2.2 preceding-sibling, nearest first",
                "count(/d:a/node()[last()]/preceding-sibling::node()[1][self::processing-instruction('t')])",
                "1",
            ),
            ("§2.2 namespace", "count(//d:c/namespace::*)", "3"),
            ("§2.2 namespace by name", "string(//d:c/namespace::p)", "u:p"),
            ("§2.3 tests", "count(//comment()) + count(//text())", "4"),
            ("§2.3 every name of a namespace", "count(//p:*)", "1"),
            ("§2.4 positions", "string(//p:b/text()[position()=2])", "z"),
            ("§2.5 abbreviations", "string(//d:c/../@id)", "2"),
            ("§3.3 union, in document order", "name((//p:b | /d:a)[1])", "a"),
            ("§3.4 one node of a set is enough", "//@n = 4", "true"),
            ("§3.4 and not equal as well", "//@n != 4", "true"),
            ("§3.4 order", "3 > //@n", "false"),
            ("§3.5 arithmetic", "7 mod 4 - -2 * 3 div 4", "4.5"),
            ("§3.5 a name and a minus sign", "string-length('a-b') -1", "2"),
            ("§3.7 * after an operand", "2 * count(*)", "2"),
            ("§4.1 id", "name(id('2 1'))", "b"),
            ("§4.1 position and size", "string(/d:a/d:b[last()]/@n)", "4"),
            ("§4.2 substring", "substring('12345', 1.5, 2.6)", "234"),
            ("§4.2 substring of nothing", "substring('12345', 0 div 0, 3)", ""),
            ("§4.2 substring from before", "substring('12345', -42, 1 div 0)", "12345"),
            ("§4.2 translate", "translate('bar-', 'abc-', 'AB')", "BAr"),
            ("§4.2 normalize-space", "normalize-space('  a \n b ')", "a b"),
            ("§4.2 numbers", "concat(1 div 0, ' ', 0 div 0, ' ', -0, ' ', 1.50)", "Infinity NaN 0 1.5"),
            ("§4.3 lang", "count(//d:c[lang('en')])", "1"),
            ("§4.3 boolean", "boolean('') or not(true())", "false"),
            ("§4.4 round", "round(-0.5) + round(2.5)", "3"),
            ("§4.4 sum", "sum(//@n)", "7"),
            ("XMLDSig §6.6.3 here", "name(here())", "c"),
        ] {
            assert_eq!(text_of(source).as_deref(), Ok(expected), "XPath 1.0 {clause}: {source}");
        }
    }

    #[test]
    fn refused() {
        let deep = "(".repeat(100_000);
        let long = format!("{}1", "1 or ".repeat(1_000_000));
        let many = format!("{}1{}", "//node()[".repeat(8), "]".repeat(8));
        for (clause, source) in [
            ("§3.7: not an expression", "1 +"),
            ("§3.7: two", "1 2"),
            ("§2.3: a prefix that is not declared", "//q:b"),
            ("§3.1: variables", "$x"),
            ("§4: no such function", "document('file:///etc/passwd')"),
            ("§3.3: no nodes", "count('x')"),
            ("nesting", deep.as_str()),
            ("length", long.as_str()),
            ("work", many.as_str()),
        ] {
            assert!(text_of(source).is_err(), "XPath 1.0 {clause}");
        }
    }
}
