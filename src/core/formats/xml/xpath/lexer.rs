//! Tokens: XPath 1.0 §3.7.

use super::XPathError;

/// A token and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// `( ) [ ] . .. @ , :: / // | + - = != < <= > >= *` as an operator, `and or mod div`.
    Symbol(&'static str),
    /// A name test, function or axis name: prefix (may be empty) and local part, which may be `*`.
    Name(String, String),
    Literal(String),
    Number(f64),
    Variable,
}

/// Longest first.
const SYMBOLS: [&str; 20] =
    ["..", "::", "//", "!=", "<=", ">=", "(", ")", "[", "]", ".", "@", ",", "/", "|", "+", "-", "=", "<", ">"];

/// Tokens of one expression: what stands in a row is evaluated one inside the other. Real ones: below 100.
const TOKENS: usize = 1_000;

pub(super) fn tokens(source: &str) -> Result<Vec<(Token, usize)>, XPathError> {
    let mut tokens: Vec<(Token, usize)> = vec![];
    let mut at = 0;
    loop {
        at += source[at..].len() - source[at..].trim_start_matches([' ', '\t', '\n', '\r']).len();
        let rest = &source[at..];
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        // After an operand, * and names are operators.
        let operand_before = match tokens.last() {
            None => false,
            Some((Token::Symbol(symbol), _)) => matches!(*symbol, ")" | "]" | "." | ".."),
            Some(_) => true,
        };
        let (token, length) = if first == '"' || first == '\'' {
            let end = rest[1..].find(first).ok_or(XPathError::Syntax { at, expected: "a closing quote" })?;
            (Token::Literal(rest[1..=end].to_string()), end + 2)
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number = rest[..length].parse().map_err(|_| XPathError::Syntax { at, expected: "a number" })?;
            (Token::Number(number), length)
        } else if first == '$' {
            (Token::Variable, 1)
        } else if first == '*' {
            (if operand_before { Token::Symbol("*") } else { Token::Name(String::new(), "*".into()) }, 1)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (Token::Symbol(symbol), symbol.len())
        } else {
            name(rest, operand_before).ok_or(XPathError::Syntax { at, expected: "a name" })?
        };
        if tokens.len() == TOKENS {
            return Err(XPathError::Syntax { at, expected: "no more than 1000 tokens" });
        }
        tokens.push((token, at));
        at += length;
    }
}

/// Reads an operator name, or a name with or without a prefix.
fn name(rest: &str, operand_before: bool) -> Option<(Token, usize)> {
    let first = ncname(rest)?;
    if operand_before {
        let operator = ["and", "or", "mod", "div"].into_iter().find(|operator| *operator == first)?;
        return Some((Token::Symbol(operator), first.len()));
    }
    let after = &rest[first.len()..];
    if let Some(local) = after.strip_prefix(':').filter(|local| !local.starts_with(':')) {
        let local = if local.starts_with('*') { "*" } else { ncname(local)? };
        return Some((Token::Name(first.into(), local.into()), first.len() + 1 + local.len()));
    }
    Some((Token::Name(String::new(), first.into()), first.len()))
}

fn ncname(rest: &str) -> Option<&str> {
    use super::super::characters::{continues_name, starts_name};
    let mut characters = rest.char_indices();
    characters.next().filter(|(_, c)| starts_name(*c))?;
    let end = characters.find(|(_, c)| !continues_name(*c)).map_or(rest.len(), |(at, _)| at);
    Some(&rest[..end])
}
