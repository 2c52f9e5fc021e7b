//! Values: XPath 1.0 §2 to §5.

use super::super::XML;
use super::super::tree::{Kind, NodeId, Tree};
use super::XPathError;
use super::functions::call;
use super::parser::{Axis, Expr, Expression, Operator, Step, Test};
use crate::formats::decimal::Decimal;
use std::cell::Cell;

/// A node of XPath's data model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// A node of the tree.
    Node(NodeId),
    /// An attribute: its element and number.
    Attribute(NodeId, u32),
    /// A namespace of an element, by its declaration; `None`: that of `xml`.
    Namespace(NodeId, Option<u32>),
}

/// Bytes of text that count as much as a node.
const TEXT: usize = 64;

impl Item {
    /// Returns the place in document order: an element, its namespaces, its attributes, its content.
    fn order(self) -> (NodeId, u8, u32) {
        match self {
            Self::Node(node) => (node, 0, 0),
            Self::Namespace(node, declaration) => (node, 1, declaration.unwrap_or(u32::MAX)),
            Self::Attribute(node, number) => (node, 2, number),
        }
    }
}

/// A value of XPath's four types.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// In document order, each once.
    Nodes(Vec<Item>),
    /// A truth value.
    Boolean(bool),
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// Where an expression is evaluated.
#[derive(Debug)]
pub struct Context<'t, 's> {
    tree: &'t Tree<'s>,
    here: Option<NodeId>,
    left: Cell<usize>,
    limit: usize,
}

impl<'t, 's> Context<'t, 's> {
    /// Makes a context in that tree; `here()` is the element that bears the expression. At most `limit` nodes are
    /// visited.
    pub fn new(tree: &'t Tree<'s>, here: Option<NodeId>, limit: usize) -> Self {
        Self { tree, here, left: Cell::new(limit), limit }
    }

    pub(super) fn tree(&self) -> &'t Tree<'s> {
        self.tree
    }

    pub(super) fn here(&self) -> Option<NodeId> {
        self.here
    }

    pub(in super::super) fn spend(&self, nodes: usize) -> Result<(), XPathError> {
        let left = self.left.get().checked_sub(nodes).filter(|_| self.tree.work.visit(nodes));
        let left = left.ok_or(XPathError::TooMuchWork { limit: self.limit })?;
        self.left.set(left);
        Ok(())
    }

    /// Counts a text that is gone through.
    pub(super) fn read(&self, text: &str) -> Result<(), XPathError> {
        self.spend(text.len() / TEXT)
    }

    /// Copies a text, and counts it.
    pub(super) fn copied(&self, text: &str) -> Result<String, XPathError> {
        self.read(text)?;
        Ok(text.to_owned())
    }

    /// Returns the string-value of a node: §5.
    pub(super) fn text(&self, item: Item) -> Result<String, XPathError> {
        match item {
            Item::Node(node) => {
                self.spend(self.tree.subtree(node).len())?;
                let text = self.tree.string_value(node);
                self.read(&text)?;
                Ok(text.into_owned())
            }
            Item::Attribute(_, number) => self.copied(self.tree.attribute(number).value),
            Item::Namespace(_, None) => self.copied(XML),
            Item::Namespace(_, Some(number)) => {
                let declaration = &self.tree.declarations[number as usize];
                self.copied(&self.tree.namespaces[declaration.namespace as usize])
            }
        }
    }

    /// Returns the expanded name and the name as written: §5.
    pub(super) fn name(&self, item: Item) -> (&'t str, &'t str, &'t str) {
        match item {
            Item::Node(node) => match self.tree.element(node) {
                Some(element) => (element.namespace(), element.local(), element.prefix()),
                None => ("", self.tree.target(node), ""),
            },
            Item::Attribute(_, number) => {
                let attribute = self.tree.attribute(number);
                (attribute.namespace, attribute.local, attribute.prefix)
            }
            Item::Namespace(_, None) => ("", "xml", ""),
            Item::Namespace(_, Some(number)) => {
                ("", self.tree.slice(self.tree.declarations[number as usize].prefix), "")
            }
        }
    }
}

/// The place of a node among those that are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) item: Item,
    pub(super) position: usize,
    pub(super) size: usize,
}

/// Returns the value of an expression at a node.
pub fn evaluate(expression: &Expression, context: &Context, item: Item) -> Result<Value, XPathError> {
    value(&expression.0, context, Place { item, position: 1, size: 1 })
}

pub(super) fn value(expr: &Expr, context: &Context, place: Place) -> Result<Value, XPathError> {
    context.spend(1)?;
    Ok(match expr {
        Expr::Literal(literal) => Value::Text(context.copied(literal)?),
        Expr::Number(number) => Value::Number(*number),
        Expr::Root => Value::Nodes(vec![Item::Node(context.tree.root())]),
        Expr::Negate(operand) => Value::Number(-value(operand, context, place)?.number(context)?),
        Expr::Call(name, arguments) => call(name, arguments, context, place)?,
        Expr::Filter(primary, predicates) => {
            let mut items = value(primary, context, place)?.nodes()?;
            for predicate in predicates {
                items = filtered(predicate, context, items)?;
            }
            Value::Nodes(items)
        }
        Expr::Path(start, steps) => {
            let mut items = match start {
                Some(start) => value(start, context, place)?.nodes()?,
                None => vec![place.item],
            };
            for step in steps {
                items = walk(step, context, &items)?;
            }
            Value::Nodes(items)
        }
        Expr::Binary(operator, left, right) => binary(*operator, left, right, context, place)?,
    })
}

fn binary(operator: Operator, left: &Expr, right: &Expr, context: &Context, place: Place) -> Result<Value, XPathError> {
    let first = value(left, context, place)?;
    Ok(match operator {
        Operator::Or => Value::Boolean(first.boolean() || value(right, context, place)?.boolean()),
        Operator::And => Value::Boolean(first.boolean() && value(right, context, place)?.boolean()),
        Operator::Union => {
            let mut items = first.nodes()?;
            items.extend(value(right, context, place)?.nodes()?);
            Value::Nodes(ordered(items))
        }
        Operator::Equal
        | Operator::NotEqual
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual => {
            Value::Boolean(compare(operator, &first, &value(right, context, place)?, context)?)
        }
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Modulo => {
            let (a, b) = (first.number(context)?, value(right, context, place)?.number(context)?);
            Value::Number(match operator {
                Operator::Add => a + b,
                Operator::Subtract => a - b,
                Operator::Multiply => a * b,
                Operator::Divide => a / b,
                _ => a % b,
            })
        }
    })
}

/// Compares two values; where one is a node-set, one of its nodes has to hold (§3.4).
fn compare(operator: Operator, left: &Value, right: &Value, context: &Context) -> Result<bool, XPathError> {
    use Value::*;
    let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
    match (left, right) {
        (Nodes(_), Boolean(_)) | (Boolean(_), Nodes(_)) => {
            let (a, b) = (Boolean(left.boolean()), Boolean(right.boolean()));
            compare(operator, &a, &b, context)
        }
        (Nodes(items), other) | (other, Nodes(items)) => {
            let swapped = !matches!(left, Nodes(_));
            for item in items {
                let text = Text(context.text(*item)?);
                let mine = if matches!(other, Number(_)) { Number(text.number(context)?) } else { text };
                let holds = if swapped {
                    compare(operator, other, &mine, context)
                } else {
                    compare(operator, &mine, other, context)
                };
                if holds? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        _ if equality => {
            let equal = match (left, right) {
                (Boolean(_), _) | (_, Boolean(_)) => left.boolean() == right.boolean(),
                (Number(_), _) | (_, Number(_)) => left.number(context)? == right.number(context)?,
                (Text(left), Text(right)) => left == right,
                _ => left.text(context)? == right.text(context)?,
            };
            Ok(equal == (operator == Operator::Equal))
        }
        _ => {
            let (a, b) = (left.number(context)?, right.number(context)?);
            Ok(match operator {
                Operator::Less => a < b,
                Operator::LessOrEqual => a <= b,
                Operator::Greater => a > b,
                _ => a >= b,
            })
        }
    }
}

/// Takes one step from every node (§2.1).
fn walk(step: &Step, context: &Context, from: &[Item]) -> Result<Vec<Item>, XPathError> {
    let mut reached = vec![];
    for item in from {
        let mut found = axis(step.axis, context, *item)?;
        context.spend(found.len() + 1)?;
        found.retain(|item| passes(&step.test, step.axis, context, *item));
        for predicate in &step.predicates {
            found = filtered(predicate, context, found)?;
        }
        if reached.is_empty() {
            reached = found;
        } else {
            reached.extend(found);
        }
    }
    Ok(ordered(reached))
}

/// Returns those items for which a predicate holds; a number is a position (§2.4).
fn filtered(predicate: &Expr, context: &Context, items: Vec<Item>) -> Result<Vec<Item>, XPathError> {
    let size = items.len();
    let mut kept = vec![];
    for (index, item) in items.into_iter().enumerate() {
        let position = index + 1;
        let holds = match value(predicate, context, Place { item, position, size })? {
            Value::Number(number) => number == position as f64,
            other => other.boolean(),
        };
        if holds {
            kept.push(item);
        }
    }
    Ok(kept)
}

/// Returns items in document order, each once.
pub(super) fn ordered(mut items: Vec<Item>) -> Vec<Item> {
    if !items.is_sorted_by_key(|item| item.order()) {
        crate::order::sort_by_key(&mut items, |item| item.order());
    }
    items.dedup();
    items
}

/// Returns the nodes of an axis, nearest first: §2.2.
fn axis(axis: Axis, context: &Context, item: Item) -> Result<Vec<Item>, XPathError> {
    let tree = context.tree;
    let node = match item {
        Item::Node(node) => node,
        // Attributes and namespaces have an element around them, and nothing inside or beside them.
        Item::Attribute(owner, _) | Item::Namespace(owner, _) => {
            let around = || tree.ancestors_or_self(owner).map(Item::Node);
            return Ok(match axis {
                Axis::Itself | Axis::DescendantOrSelf => vec![item],
                Axis::Parent => vec![Item::Node(owner)],
                Axis::Ancestor => around().collect(),
                Axis::AncestorOrSelf => std::iter::once(item).chain(around()).collect(),
                Axis::Following => nodes(tree, (owner.0 + 1)..tree.nodes.len() as u32),
                Axis::Preceding => preceding(tree, owner),
                _ => vec![],
            });
        }
    };
    let end = tree.node(node).end;
    let siblings = || tree.parent(node).into_iter().flat_map(|parent| tree.children(parent));
    Ok(match axis {
        Axis::Itself => vec![item],
        Axis::Child => tree.children(node).map(Item::Node).collect(),
        Axis::Parent => tree.parent(node).map(Item::Node).into_iter().collect(),
        Axis::Ancestor => tree.ancestors_or_self(node).skip(1).map(Item::Node).collect(),
        Axis::AncestorOrSelf => tree.ancestors_or_self(node).map(Item::Node).collect(),
        Axis::Descendant => {
            context.spend((end - node.0) as usize)?;
            nodes(tree, node.0 + 1..end)
        }
        Axis::DescendantOrSelf => {
            context.spend((end - node.0) as usize)?;
            nodes(tree, node.0..end)
        }
        Axis::Following => {
            context.spend(tree.nodes.len() - end as usize)?;
            nodes(tree, end..tree.nodes.len() as u32)
        }
        Axis::FollowingSibling => {
            let behind = tree.parent(node).map_or(end, |parent| tree.node(parent).end);
            let mut next = Some(end).filter(|next| *next < behind);
            std::iter::from_fn(|| {
                let sibling = NodeId(next?);
                next = Some(tree.node(sibling).end).filter(|next| *next < behind);
                Some(Item::Node(sibling))
            })
            .collect()
        }
        Axis::PrecedingSibling => {
            let mut before: Vec<Item> = siblings().take_while(|sibling| *sibling < node).map(Item::Node).collect();
            before.reverse();
            before
        }
        Axis::Preceding => {
            context.spend(node.0 as usize)?;
            preceding(tree, node)
        }
        Axis::Attribute => match tree.element(node) {
            Some(element) => element.attributes().map(|a| Item::Attribute(node, a.number)).collect(),
            None => vec![],
        },
        Axis::Namespace => match tree.element(node) {
            Some(element) => {
                let declared = element.namespaces().into_iter().filter(|d| !d.namespace.is_empty());
                let declared = declared.map(|d| Item::Namespace(node, Some(d.number)));
                declared.chain([Item::Namespace(node, None)]).collect()
            }
            None => vec![],
        },
    })
}

fn nodes(tree: &Tree, numbers: std::ops::Range<u32>) -> Vec<Item> {
    debug_assert!(numbers.end as usize <= tree.nodes.len());
    numbers.map(|number| Item::Node(NodeId(number))).collect()
}

/// Returns what is before the node, without what is around it, nearest first.
fn preceding(tree: &Tree, node: NodeId) -> Vec<Item> {
    (1..node.0).rev().map(NodeId).filter(|before| !tree.is_within(node, *before)).map(Item::Node).collect()
}

/// Returns whether the item passes the test: names are of the axis's principal node type (§2.3).
fn passes(test: &Test, axis: Axis, context: &Context, item: Item) -> bool {
    let kind = match item {
        Item::Node(node) => Some(context.tree.kind(node)),
        _ => None,
    };
    let principal = match axis {
        Axis::Attribute => matches!(item, Item::Attribute(..)),
        Axis::Namespace => matches!(item, Item::Namespace(..)),
        _ => kind == Some(Kind::Element),
    };
    match test {
        Test::Any => true,
        Test::Text => kind == Some(Kind::Text),
        Test::Comment => kind == Some(Kind::Comment),
        Test::Instruction(target) => {
            kind == Some(Kind::Instruction) && target.as_ref().is_none_or(|target| context.name(item).1 == target)
        }
        Test::Names(namespace) => {
            principal && namespace.as_ref().is_none_or(|namespace| context.name(item).0 == namespace)
        }
        Test::Name(namespace, local) => {
            let (its_namespace, its_local, _) = context.name(item);
            principal && its_local == local && its_namespace == namespace
        }
    }
}

impl Value {
    /// Returns the value as a node-set.
    pub fn nodes(self) -> Result<Vec<Item>, XPathError> {
        match self {
            Self::Nodes(items) => Ok(items),
            _ => Err(XPathError::NotNodes),
        }
    }

    /// Returns the value as a boolean (§4.3 `boolean`).
    pub fn boolean(&self) -> bool {
        match self {
            Self::Nodes(items) => !items.is_empty(),
            Self::Boolean(boolean) => *boolean,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
        }
    }

    /// Returns the value as a number (§4.4 `number`).
    pub(super) fn number(&self, context: &Context) -> Result<f64, XPathError> {
        Ok(match self {
            Self::Number(number) => *number,
            Self::Boolean(boolean) => f64::from(u8::from(*boolean)),
            Self::Text(text) => {
                context.read(text)?;
                number_of(text)
            }
            Self::Nodes(_) => number_of(&self.text(context)?),
        })
    }

    /// Returns the value as a text (§4.2 `string`).
    pub(super) fn text(&self, context: &Context) -> Result<String, XPathError> {
        Ok(match self {
            Self::Text(text) => context.copied(text)?,
            Self::Boolean(boolean) => boolean.to_string(),
            Self::Number(number) if number.is_infinite() => if *number > 0.0 { "Infinity" } else { "-Infinity" }.into(),
            Self::Number(number) => match Decimal::of(*number) {
                Some(decimal) if *number < 0.0 => format!("-{}", decimal.plain()),
                Some(decimal) => decimal.plain(),
                None => "NaN".into(),
            },
            Self::Nodes(items) => match items.first() {
                Some(first) => context.text(*first)?,
                None => String::new(),
            },
        })
    }
}

/// Reads a number as XPath writes it, without exponent or plus sign (§4.4).
fn number_of(text: &str) -> f64 {
    let text = text.trim_matches([' ', '\t', '\n', '\r']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let written = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if written { text.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}
