//! Expressions: XPath 1.0 §2 and §3.

use super::XPathError;
use super::lexer::{Token, tokens};
use crate::vocabulary::string_enum;

string_enum! {
    /// XPath 1.0 §2.2.
    pub(super) enum Axis {
        Ancestor = "ancestor",
        AncestorOrSelf = "ancestor-or-self",
        Attribute = "attribute",
        Child = "child",
        Descendant = "descendant",
        DescendantOrSelf = "descendant-or-self",
        Following = "following",
        FollowingSibling = "following-sibling",
        Namespace = "namespace",
        Parent = "parent",
        Preceding = "preceding",
        PrecedingSibling = "preceding-sibling",
        Itself = "self",
    }
}

/// Which nodes of an axis: §2.3. Namespaces are resolved where the expression stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Any,
    /// Every name, or every name of a namespace.
    Names(Option<String>),
    Name(String, String),
    Text,
    Comment,
    Instruction(Option<String>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    pub(super) axis: Axis,
    pub(super) test: Test,
    pub(super) predicates: Vec<Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Union,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Binary(Operator, Box<Expr>, Box<Expr>),
    Negate(Box<Expr>),
    /// Where it starts (`None`: at the context node), then its steps.
    Path(Option<Box<Expr>>, Vec<Step>),
    Root,
    Filter(Box<Expr>, Vec<Expr>),
    Call(String, Vec<Expr>),
    Literal(String),
    Number(f64),
}

/// A compiled expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression(pub(super) Expr);

/// Compiles an expression; `resolve` tells what prefixes stand for.
pub fn compile<'r>(source: &str, resolve: &dyn Fn(&str) -> Option<&'r str>) -> Result<Expression, XPathError> {
    let tokens = tokens(source)?;
    let mut parser = Parser { tokens: &tokens, at: 0, resolve, depth: 0, end: source.len() };
    let expression = parser.binary(0)?;
    if parser.at != tokens.len() {
        return Err(parser.expected("the end"));
    }
    Ok(Expression(expression))
}

impl Expression {
    /// Returns the name, where the expression is `not(ancestor-or-self::NAME)`: what it keeps is everything but
    /// subtrees.
    pub fn without_ancestor(&self) -> Option<(&str, &str)> {
        let Expr::Call(function, arguments) = &self.0 else { return None };
        let [Expr::Path(None, steps)] = &arguments[..] else { return None };
        match &steps[..] {
            [Step { axis: Axis::AncestorOrSelf, test: Test::Name(namespace, local), predicates }]
                if function == "not" && predicates.is_empty() =>
            {
                Some((namespace, local))
            }
            _ => None,
        }
    }
}

/// Expressions inside each other. Real ones: below 8.
const NESTING: usize = 64;

/// Operators by binding, weakest first: §3.4 to §3.6.
const LEVELS: [&[(&str, Operator)]; 7] = [
    &[("or", Operator::Or)],
    &[("and", Operator::And)],
    &[("=", Operator::Equal), ("!=", Operator::NotEqual)],
    &[("<=", Operator::LessOrEqual), ("<", Operator::Less), (">=", Operator::GreaterOrEqual), (">", Operator::Greater)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("div", Operator::Divide), ("mod", Operator::Modulo)],
    &[("|", Operator::Union)],
];
/// The level of `|`, which binds more strongly than a minus sign.
const UNION: usize = 6;

struct Parser<'t, 'f, 'r> {
    tokens: &'t [(Token, usize)],
    at: usize,
    resolve: &'f dyn Fn(&str) -> Option<&'r str>,
    depth: usize,
    end: usize,
}

impl Parser<'_, '_, '_> {
    fn binary(&mut self, level: usize) -> Result<Expr, XPathError> {
        if level == UNION && self.take("-") {
            self.deeper()?;
            let operand = self.binary(UNION)?;
            self.depth -= 1;
            return Ok(Expr::Negate(Box::new(operand)));
        }
        let mut left = if level == UNION { self.path()? } else { self.binary(level + 1)? };
        while let Some((_, operator)) = LEVELS[level].iter().find(|(symbol, _)| self.take(symbol)) {
            let right = if level == UNION { self.path()? } else { self.binary(level + 1)? };
            left = Expr::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// Reads a `PathExpr`.
    fn path(&mut self) -> Result<Expr, XPathError> {
        let mut steps = vec![];
        let start = if self.take("//") {
            steps.push(descendants());
            Some(Box::new(Expr::Root))
        } else if self.take("/") {
            if !self.begins_step() {
                return Ok(Expr::Root);
            }
            Some(Box::new(Expr::Root))
        } else if self.begins_step() {
            None
        } else {
            let filtered = self.filter()?;
            if self.take("//") {
                steps.push(descendants());
            } else if !self.take("/") {
                return Ok(filtered);
            }
            Some(Box::new(filtered))
        };
        loop {
            steps.push(self.step()?);
            if self.take("//") {
                steps.push(descendants());
            } else if !self.take("/") {
                return Ok(Expr::Path(start, steps));
            }
        }
    }

    /// Reads a `FilterExpr`.
    fn filter(&mut self) -> Result<Expr, XPathError> {
        let primary = match self.tokens.get(self.at).map(|(token, _)| token.clone()) {
            Some(Token::Literal(literal)) => {
                self.at += 1;
                Expr::Literal(literal)
            }
            Some(Token::Number(number)) => {
                self.at += 1;
                Expr::Number(number)
            }
            Some(Token::Variable) => return Err(XPathError::Variable),
            Some(Token::Name(prefix, local)) => {
                self.at += 1;
                self.call(prefix, local)?
            }
            _ => {
                self.require("(")?;
                self.deeper()?;
                let inner = self.binary(0)?;
                self.depth -= 1;
                self.require(")")?;
                inner
            }
        };
        let predicates = self.predicates()?;
        Ok(if predicates.is_empty() { primary } else { Expr::Filter(Box::new(primary), predicates) })
    }

    fn call(&mut self, prefix: String, local: String) -> Result<Expr, XPathError> {
        self.require("(")?;
        self.deeper()?;
        let mut arguments = vec![];
        if !self.take(")") {
            loop {
                arguments.push(self.binary(0)?);
                if !self.take(",") {
                    break;
                }
            }
            self.require(")")?;
        }
        self.depth -= 1;
        // Only functions of XPath itself and here() are known; none has a prefix.
        if !prefix.is_empty() {
            return Err(XPathError::Function { name: format!("{prefix}:{local}"), arguments: arguments.len() });
        }
        Ok(Expr::Call(local, arguments))
    }

    /// Returns whether a location step begins here, rather than a function call or other primary expression.
    fn begins_step(&self) -> bool {
        match self.tokens.get(self.at).map(|(token, _)| token) {
            Some(Token::Symbol("." | ".." | "@")) => true,
            Some(Token::Name(prefix, local)) => {
                let called = matches!(self.tokens.get(self.at + 1), Some((Token::Symbol("("), _)));
                !called || prefix.is_empty() && is_node_type(local)
            }
            _ => false,
        }
    }

    /// Reads a `Step`.
    fn step(&mut self) -> Result<Step, XPathError> {
        if self.take(".") {
            return Ok(Step { axis: Axis::Itself, test: Test::Any, predicates: vec![] });
        }
        if self.take("..") {
            return Ok(Step { axis: Axis::Parent, test: Test::Any, predicates: vec![] });
        }
        let mut axis = Axis::Child;
        if self.take("@") {
            axis = Axis::Attribute;
        } else if let (Some((Token::Name(prefix, name), _)), Some((Token::Symbol("::"), _))) =
            (self.tokens.get(self.at), self.tokens.get(self.at + 1))
        {
            axis = name.parse().ok().filter(|_| prefix.is_empty()).ok_or_else(|| self.expected("an axis"))?;
            self.at += 2;
        }
        let test = self.test()?;
        let predicates = self.predicates()?;
        Ok(Step { axis, test, predicates })
    }

    /// Reads a `NodeTest`.
    fn test(&mut self) -> Result<Test, XPathError> {
        let Some((Token::Name(prefix, local), _)) = self.tokens.get(self.at).cloned() else {
            return Err(self.expected("a node test"));
        };
        self.at += 1;
        if prefix.is_empty() && is_node_type(&local) && self.take("(") {
            let mut literal = None;
            if let Some((Token::Literal(target), _)) = self.tokens.get(self.at) {
                literal = Some(target.clone());
                self.at += 1;
            }
            self.require(")")?;
            return match (local.as_str(), literal) {
                ("node", None) => Ok(Test::Any),
                ("text", None) => Ok(Test::Text),
                ("comment", None) => Ok(Test::Comment),
                ("processing-instruction", target) => Ok(Test::Instruction(target)),
                _ => Err(self.expected("no target")),
            };
        }
        let namespace = match prefix.as_str() {
            "" => String::new(),
            prefix => (self.resolve)(prefix).ok_or_else(|| XPathError::Prefix { prefix: prefix.into() })?.to_string(),
        };
        Ok(match local.as_str() {
            "*" if prefix.is_empty() => Test::Names(None),
            "*" => Test::Names(Some(namespace)),
            _ => Test::Name(namespace, local),
        })
    }

    fn predicates(&mut self) -> Result<Vec<Expr>, XPathError> {
        let mut predicates = vec![];
        while self.take("[") {
            self.deeper()?;
            predicates.push(self.binary(0)?);
            self.depth -= 1;
            self.require("]")?;
        }
        Ok(predicates)
    }

    fn take(&mut self, symbol: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((Token::Symbol(next), _)) if *next == symbol);
        self.at += usize::from(found);
        found
    }

    fn require(&mut self, symbol: &'static str) -> Result<(), XPathError> {
        if self.take(symbol) { Ok(()) } else { Err(self.expected(symbol)) }
    }

    fn deeper(&mut self) -> Result<(), XPathError> {
        self.depth += 1;
        if self.depth > NESTING { Err(self.expected("less nesting")) } else { Ok(()) }
    }

    fn expected(&self, expected: &'static str) -> XPathError {
        XPathError::Syntax { at: self.tokens.get(self.at).map_or(self.end, |(_, at)| *at), expected }
    }
}

fn is_node_type(name: &str) -> bool {
    matches!(name, "node" | "text" | "comment" | "processing-instruction")
}

/// Returns what `//` stands for.
fn descendants() -> Step {
    Step { axis: Axis::DescendantOrSelf, test: Test::Any, predicates: vec![] }
}
