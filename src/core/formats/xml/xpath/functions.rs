//! The functions of XPath 1.0 §4, and `here()` of XML signatures (XMLDSig §6.6.3).

use super::super::{XML, ids};
use super::XPathError;
use super::evaluate::{Context, Item, Place, Value, ordered, value};
use super::parser::Expr;

/// Calls a function.
pub(super) fn call(name: &str, arguments: &[Expr], context: &Context, place: Place) -> Result<Value, XPathError> {
    let argument = |index: usize| value(&arguments[index], context, place);
    let text = |index: usize| argument(index)?.text(context);
    // Functions of an optional argument look at the context node without it.
    let text_or_self = || if arguments.is_empty() { context.text(place.item) } else { text(0) };
    let node_or_self = || -> Result<Option<Item>, XPathError> {
        if arguments.is_empty() { Ok(Some(place.item)) } else { Ok(argument(0)?.nodes()?.first().copied()) }
    };
    Ok(match (name, arguments.len()) {
        ("last", 0) => Value::Number(place.size as f64),
        ("position", 0) => Value::Number(place.position as f64),
        ("count", 1) => Value::Number(argument(0)?.nodes()?.len() as f64),
        ("id", 1) => Value::Nodes(by_id(&argument(0)?, context)?),
        ("here", 0) => Value::Nodes(context.here().map(Item::Node).into_iter().collect()),
        ("local-name", 0 | 1) => Value::Text(context.copied(node_or_self()?.map_or("", |item| context.name(item).1))?),
        ("namespace-uri", 0 | 1) => {
            Value::Text(context.copied(node_or_self()?.map_or("", |item| context.name(item).0))?)
        }
        ("name", 0 | 1) => Value::Text(node_or_self()?.map_or(String::new(), |item| {
            let (_, local, prefix) = context.name(item);
            if prefix.is_empty() { local.to_string() } else { format!("{prefix}:{local}") }
        })),
        ("string", 0 | 1) => Value::Text(text_or_self()?),
        ("concat", 2..) => Value::Text(concatenated((0..arguments.len()).map(text), context)?),
        ("starts-with", 2) => Value::Boolean(text(0)?.starts_with(&text(1)?)),
        ("contains", 2) => Value::Boolean(find(&text(0)?, &text(1)?).is_some()),
        ("substring-before", 2) => {
            let (whole, part) = (text(0)?, text(1)?);
            Value::Text(find(&whole, &part).map_or(String::new(), |at| whole[..at].into()))
        }
        ("substring-after", 2) => {
            let (whole, part) = (text(0)?, text(1)?);
            Value::Text(find(&whole, &part).map_or(String::new(), |at| whole[at + part.len()..].into()))
        }
        ("substring", 2 | 3) => {
            let from = rounded(argument(1)?.number(context)?);
            let to = if arguments.len() == 3 { from + rounded(argument(2)?.number(context)?) } else { f64::INFINITY };
            let within = |index: usize| (index + 1) as f64 >= from && ((index + 1) as f64) < to;
            Value::Text(text(0)?.chars().enumerate().filter(|(index, _)| within(*index)).map(|(_, c)| c).collect())
        }
        ("string-length", 0 | 1) => Value::Number(text_or_self()?.chars().count() as f64),
        ("normalize-space", 0 | 1) => {
            let text = text_or_self()?;
            Value::Text(
                text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "),
            )
        }
        ("translate", 3) => {
            let (from, to): (Vec<char>, Vec<char>) = (text(1)?.chars().collect(), text(2)?.chars().collect());
            let whole = text(0)?;
            context.spend(whole.len().saturating_mul(from.len()))?;
            let translated = whole.chars().filter_map(|c| match from.iter().position(|known| *known == c) {
                None => Some(c),
                Some(at) => to.get(at).copied(),
            });
            Value::Text(translated.collect())
        }
        ("boolean", 1) => Value::Boolean(argument(0)?.boolean()),
        ("not", 1) => Value::Boolean(!argument(0)?.boolean()),
        ("true", 0) => Value::Boolean(true),
        ("false", 0) => Value::Boolean(false),
        ("lang", 1) => Value::Boolean(is_language(&text(0)?, context, place.item)?),
        ("number", 0) => Value::Number(Value::Text(context.text(place.item)?).number(context)?),
        ("number", 1) => Value::Number(argument(0)?.number(context)?),
        ("sum", 1) => {
            let mut sum = 0.0;
            for item in argument(0)?.nodes()? {
                sum += Value::Text(context.text(item)?).number(context)?;
            }
            Value::Number(sum)
        }
        ("floor", 1) => Value::Number(argument(0)?.number(context)?.floor()),
        ("ceiling", 1) => Value::Number(argument(0)?.number(context)?.ceil()),
        ("round", 1) => Value::Number(rounded(argument(0)?.number(context)?)),
        _ => return Err(XPathError::Function { name: name.into(), arguments: arguments.len() }),
    })
}

/// Returns elements by the ids in a text, or in the texts of nodes (§4.1 `id`).
fn by_id(argument: &Value, context: &Context) -> Result<Vec<Item>, XPathError> {
    let texts = match argument {
        Value::Nodes(items) => items.iter().map(|item| context.text(*item)).collect::<Result<Vec<_>, _>>()?,
        other => vec![other.text(context)?],
    };
    let mut found = vec![];
    for word in texts.iter().flat_map(|text| text.split_ascii_whitespace()) {
        context.spend(1)?;
        for element in ids::find(context.tree(), word) {
            context.spend(1)?;
            found.push(Item::Node(element.id()));
        }
    }
    Ok(ordered(found))
}

/// Makes one text of many, no longer than four times the document and a mebibyte (§4.2 `concat`).
fn concatenated(
    mut texts: impl Iterator<Item = Result<String, XPathError>>,
    context: &Context,
) -> Result<String, XPathError> {
    let limit = context.tree().source().len().saturating_mul(4).saturating_add(1 << 20);
    texts.try_fold(String::new(), |all, text| {
        let all = all + &text?;
        if all.len() > limit { Err(XPathError::TooMuchWork { limit }) } else { Ok(all) }
    })
}

/// Returns the byte where a part of a text begins: §4.2.
fn find(whole: &str, part: &str) -> Option<usize> {
    memchr::memmem::find(whole.as_bytes(), part.as_bytes())
}

/// Returns whether the language at an item is the wanted one (§4.3 `lang`).
fn is_language(wanted: &str, context: &Context, item: Item) -> Result<bool, XPathError> {
    let (Item::Node(node) | Item::Attribute(node, _) | Item::Namespace(node, _)) = item;
    let tree = context.tree();
    for element in tree.ancestors_or_self(node).filter_map(|node| tree.element(node)) {
        context.spend(element.attributes().len())?;
        if let Some(stated) = element.attributes().find(|a| a.namespace == XML && a.local == "lang") {
            let (own, rest) = stated.value.split_at_checked(wanted.len()).unwrap_or_default();
            let is_own = stated.value.len() >= wanted.len() && own.eq_ignore_ascii_case(wanted);
            return Ok(is_own && (rest.is_empty() || rest.starts_with('-')));
        }
    }
    Ok(false)
}

/// Returns the nearest whole number; halves go up (§4.4 `round`).
fn rounded(number: f64) -> f64 {
    (number + 0.5).floor()
}
