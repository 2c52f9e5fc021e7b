//! What differs between two revisions, object by object: EN 319 142-1 leaves it to the validator;
//! the order and extent are those of EU DSS, so that the two can be compared change by change.
//!
//! Both trees are walked together from the catalog, depth first: dictionaries key by key, arrays by
//! object number (or by place where the element is direct), streams octet by octet. An object is
//! entered once for each name by which it is reached. The walk keeps its own stack, so that no
//! document is too deep for it; what it may spend is bounded by the file's account.

use super::file::Revision;
use super::object::{Dictionary, Object, Stream};
use crate::facts::ModificationAction as Action;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Changes recorded: whoever changes more has changed enough.
const CHANGES: usize = 20_000;

/// One difference.
#[derive(Debug, Clone)]
pub struct Change<'a> {
    /// What happened.
    pub action: Action,
    /// The keys on the way from the catalog, which is the first.
    pub keys: Vec<Rc<[u8]>>,
    /// The way as text, with object numbers.
    pub path: String,
    /// What stood there in the signed revision.
    pub before: Option<Object<'a>>,
    /// What stands there in the final file.
    pub after: Option<Object<'a>>,
    /// Whether a field on the way was empty and now holds a document time-stamp.
    pub timestamped: bool,
}

/// The differences, and whether the walk came to its end.
#[derive(Debug)]
pub struct Differences<'a> {
    /// In the order of the walk.
    pub changes: Vec<Change<'a>>,
    /// Whether everything was compared.
    pub complete: bool,
}

/// What differs between the documents of two revisions of a file.
pub fn compare<'a>(signed: &Revision<'a, '_>, last: &Revision<'a, '_>) -> Differences<'a> {
    let root = Way::new(None, Step::Key(b"Catalog"[..].into()));
    let catalog = |revision: &Revision<'a, '_>| revision.catalog().map(Object::Dictionary);
    let mut walk = Walk::new(signed, last);
    walk.todo.push(Task::Pair { way: root, before: catalog(signed), after: catalog(last), timestamped: false });
    walk.run();
    Differences { changes: walk.changes, complete: walk.complete }
}

/// What differs between two values of one entry, in the same way.
pub fn compare_entry<'a>(
    signed: &Revision<'a, '_>,
    last: &Revision<'a, '_>,
    names: &[&[u8]],
    before: Option<Object<'a>>,
    after: Option<Object<'a>>,
) -> Differences<'a> {
    let way = names.iter().fold(None, |parent, name| Some(Way::new(parent, Step::Key((*name).into()))));
    let mut walk = Walk::new(signed, last);
    if let Some(way) = way {
        walk.todo.push(Task::Pair { way, before, after, timestamped: false });
    }
    walk.run();
    Differences { changes: walk.changes, complete: walk.complete }
}

/// The way from the catalog to an object, as a list from its end.
struct Way {
    parent: Option<Rc<Way>>,
    step: Step,
}

enum Step {
    Key(Rc<[u8]>),
    Reference(u32),
    Stream,
}

impl Way {
    fn new(parent: Option<Rc<Way>>, step: Step) -> Rc<Self> {
        Rc::new(Self { parent, step })
    }

    fn then(self: &Rc<Self>, step: Step) -> Rc<Self> {
        Self::new(Some(self.clone()), step)
    }

    fn key(&self) -> Rc<[u8]> {
        let mut way = Some(self);
        while let Some(at) = way {
            if let Step::Key(key) = &at.step {
                return key.clone();
            }
            way = at.parent.as_deref();
        }
        Rc::default()
    }

    /// The keys and the text.
    fn describe(&self) -> (Vec<Rc<[u8]>>, String) {
        let mut steps = Vec::new();
        let mut way = Some(self);
        while let Some(at) = way {
            steps.push(&at.step);
            way = at.parent.as_deref();
        }
        let mut keys = Vec::new();
        let words: Vec<String> = steps
            .into_iter()
            .rev()
            .map(|step| match step {
                Step::Key(key) => {
                    keys.push(key.clone());
                    format!("/{}", String::from_utf8_lossy(key))
                }
                Step::Reference(number) => format!("{number} 0 R"),
                Step::Stream => "stream".into(),
            })
            .collect();
        (keys, words.join(" "))
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        // A long way would be dropped step within step; take it apart instead.
        let mut next = self.parent.take();
        while let Some(way) = next.and_then(Rc::into_inner) {
            let mut way = way;
            next = way.parent.take();
        }
    }
}

enum Task<'a> {
    /// Compare what two entries stand for.
    Pair { way: Rc<Way>, before: Option<Object<'a>>, after: Option<Object<'a>>, timestamped: bool },
    /// Enter an entry by its name, unless it was entered so before.
    Entry(Entry<'a>),
    /// An entry that only the final file has.
    Added { way: Rc<Way>, key: Rc<[u8]>, value: Object<'a>, timestamped: bool },
    /// Compare the octets of streams.
    Octets { way: Rc<Way>, before: Option<Rc<Stream<'a>>>, after: Option<Rc<Stream<'a>>>, timestamped: bool },
    /// The object of this number is no longer on the way.
    Leave(u32),
}

/// An entry of a dictionary or element of an array that is to be compared.
struct Entry<'a> {
    /// The way to what holds it.
    way: Rc<Way>,
    /// Its name; an element has that of its array.
    key: Rc<[u8]>,
    /// Its object number, where it is a reference.
    number: Option<u32>,
    element: bool,
    before: Object<'a>,
    after: Object<'a>,
    timestamped: bool,
}

struct Walk<'a, 'f, 'r> {
    signed: &'r Revision<'a, 'f>,
    last: &'r Revision<'a, 'f>,
    todo: Vec<Task<'a>>,
    /// Object numbers entered, by the name by which they were reached.
    entered: HashSet<(Rc<[u8]>, u32)>,
    /// Object numbers on the way to the present object.
    on_way: HashMap<u32, usize>,
    changes: Vec<Change<'a>>,
    recorded: HashSet<(String, Action)>,
    complete: bool,
}

impl<'a, 'f, 'r> Walk<'a, 'f, 'r> {
    fn new(signed: &'r Revision<'a, 'f>, last: &'r Revision<'a, 'f>) -> Self {
        Self {
            signed,
            last,
            todo: Vec::new(),
            entered: HashSet::new(),
            on_way: HashMap::new(),
            changes: Vec::new(),
            recorded: HashSet::new(),
            complete: true,
        }
    }

    fn run(&mut self) {
        while let Some(task) = self.todo.pop() {
            if !self.last.file().step() || self.changes.len() >= CHANGES {
                self.complete = false;
                return;
            }
            match task {
                Task::Pair { way, before, after, timestamped } => self.pair(&way, before, after, timestamped),
                Task::Entry(entry) => self.entry(entry),
                Task::Added { way, key, value, timestamped } => self.added(&way, key, value, timestamped),
                Task::Octets { way, before, after, timestamped } => self.octets(&way, before, after, timestamped),
                Task::Leave(number) => {
                    if let Some(count) = self.on_way.get_mut(&number) {
                        *count -= 1;
                    }
                }
            }
        }
    }

    fn entry(&mut self, entry: Entry<'a>) {
        let Entry { way, key, number, element, before, after, timestamped } = entry;
        // The elements of an array are reached by the array's name.
        let mut way = if element { way } else { way.then(Step::Key(key.clone())) };
        if let Some(number) = number {
            if self.on_way.get(&number).is_some_and(|&count| count > 0) || !self.entered.insert((key, number)) {
                return;
            }
            way = way.then(Step::Reference(number));
            *self.on_way.entry(number).or_default() += 1;
            self.todo.push(Task::Leave(number));
        }
        let before = some(self.signed.resolve(&before));
        let after = some(self.last.resolve(&after));
        self.pair(&way, before, after, timestamped);
    }

    fn added(&mut self, way: &Rc<Way>, key: Rc<[u8]>, value: Object<'a>, timestamped: bool) {
        let mut way = way.then(Step::Key(key.clone()));
        let resolved = self.last.resolve(&value);
        if matches!(resolved, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_))
            && let Some(reference) = value.reference()
        {
            self.entered.insert((key, reference.number));
            way = way.then(Step::Reference(reference.number));
        }
        if resolved != Object::Null {
            self.record(&way, None, Some(resolved), timestamped);
        }
    }

    fn pair(&mut self, way: &Rc<Way>, before: Option<Object<'a>>, after: Option<Object<'a>>, timestamped: bool) {
        match (&before, &after) {
            (None, None) => {}
            (None, Some(_)) | (Some(_), None) => self.record(way, before, after, timestamped),
            (Some(Object::Array(first)), Some(Object::Array(second))) => {
                self.arrays(way, first, second, timestamped);
            }
            (Some(old), Some(new)) => match (parts(old), parts(new)) {
                (Some((old, old_stream)), Some((new, new_stream))) => {
                    let timestamped = self.timestamped(old, new, timestamped);
                    self.todo.push(Task::Octets {
                        way: way.clone(),
                        before: old_stream,
                        after: new_stream,
                        timestamped,
                    });
                    self.dictionaries(way, old, new, timestamped);
                }
                _ if equal(old, new) => {}
                _ => self.record(way, before, after, timestamped),
            },
        }
    }

    /// Puts the entries of both on the stack, such that those of the signed revision come first.
    fn dictionaries(&mut self, way: &Rc<Way>, old: &Dictionary<'a>, new: &Dictionary<'a>, timestamped: bool) {
        let start = self.todo.len();
        let index: Option<HashMap<&[u8], &Object<'a>>> = (new.len() > 24).then(|| new.iter().collect());
        let find = |key: &[u8]| index.as_ref().map_or_else(|| new.get(key), |index| index.get(key).copied());
        for (key, before) in old.iter() {
            let after = find(key).cloned().unwrap_or(Object::Null);
            // What is direct, simple and the same needs no task.
            if plain(before) && equal(before, &after) {
                continue;
            }
            let number = before.reference().map(|reference| reference.number);
            self.todo.push(Task::Entry(Entry {
                way: way.clone(),
                key: key.into(),
                number,
                element: false,
                before: before.clone(),
                after,
                timestamped,
            }));
        }
        let index: Option<HashSet<&[u8]>> = (old.len() > 24).then(|| old.iter().map(|(key, _)| key).collect());
        let known = |key: &[u8]| index.as_ref().map_or_else(|| old.get(key).is_some(), |index| index.contains(key));
        for (key, value) in new.iter().filter(|(key, _)| !known(key)) {
            self.todo.push(Task::Added { way: way.clone(), key: key.into(), value: value.clone(), timestamped });
        }
        self.todo[start..].reverse();
    }

    /// Elements by object number, or by place where they are direct; those of the signed revision first.
    fn arrays(&mut self, way: &Rc<Way>, first: &[Object<'a>], second: &[Object<'a>], timestamped: bool) {
        let start = self.todo.len();
        let key = way.key();
        self.elements(way, &key, first, second, false, timestamped);
        self.elements(way, &key, second, first, true, timestamped);
        self.todo[start..].reverse();
    }

    fn elements(
        &mut self,
        way: &Rc<Way>,
        key: &Rc<[u8]>,
        own: &[Object<'a>],
        others: &[Object<'a>],
        swapped: bool,
        timestamped: bool,
    ) {
        let by_number: HashMap<u32, &Object<'a>> =
            others.iter().filter_map(|object| Some((object.reference()?.number, object))).collect();
        for (place, object) in own.iter().enumerate() {
            let number = object.reference().map(|reference| reference.number);
            let other = match number {
                Some(number) => by_number.get(&number).copied(),
                None => others.get(place),
            };
            let other = other.cloned().unwrap_or(Object::Null);
            if plain(object) && equal(object, &other) {
                continue;
            }
            let (before, after) = if swapped { (other, object.clone()) } else { (object.clone(), other) };
            self.todo.push(Task::Entry(Entry {
                way: way.clone(),
                key: key.clone(),
                number,
                element: true,
                before,
                after,
                timestamped,
            }));
        }
    }

    fn octets(
        &mut self,
        way: &Rc<Way>,
        before: Option<Rc<Stream<'a>>>,
        after: Option<Rc<Stream<'a>>>,
        timestamped: bool,
    ) {
        let same = match (&before, &after) {
            (None, None) => true,
            (Some(before), Some(after)) => {
                let (old, new) = (self.signed.raw(before), self.last.raw(after));
                // The same stretch of the file needs no look.
                before.start == after.start && old.len() == new.len()
                    || if self.last.file().encrypted() {
                        self.signed.deciphered(before) == self.last.deciphered(after)
                    } else {
                        old == new
                    }
            }
            _ => false,
        };
        if !same {
            let way = way.then(Step::Stream);
            self.record(&way, before.map(Object::Stream), after.map(Object::Stream), timestamped);
        }
    }

    /// Whether a field that was empty holds a document time-stamp now: ISO 32000-1 §12.7.4.5.
    fn timestamped(&self, old: &Dictionary<'a>, new: &Dictionary<'a>, timestamped: bool) -> bool {
        if new.get(b"V").is_none() || self.signed.lookup(old, b"V") != Object::Null {
            return timestamped;
        }
        let kind = self.last.dictionary(new, b"V").map(|value| self.last.lookup(&value, b"Type"));
        timestamped || kind.as_ref().and_then(Object::name) == Some(b"DocTimeStamp")
    }

    fn record(&mut self, way: &Rc<Way>, before: Option<Object<'a>>, after: Option<Object<'a>>, timestamped: bool) {
        let compound =
            |object: &Object<'a>| matches!(object, Object::Dictionary(_) | Object::Stream(_) | Object::Array(_));
        let action = match (&before, &after) {
            (None, Some(after)) if compound(after) => Action::Creation,
            (Some(before), None) if compound(before) => Action::Deletion,
            _ => Action::Modification,
        };
        let (keys, path) = way.describe();
        if self.recorded.insert((path.clone(), action)) {
            self.changes.push(Change { action, keys, path, before, after, timestamped });
        }
    }
}

/// The dictionary of a dictionary or stream, and the stream.
fn parts<'o, 'a>(object: &'o Object<'a>) -> Option<(&'o Dictionary<'a>, Option<Rc<Stream<'a>>>)> {
    match object {
        Object::Dictionary(dictionary) => Some((dictionary, None)),
        Object::Stream(stream) => Some((&stream.dictionary, Some(stream.clone()))),
        _ => None,
    }
}

fn some(object: Object<'_>) -> Option<Object<'_>> {
    (object != Object::Null).then_some(object)
}

/// Neither a reference nor made of other objects.
fn plain(object: &Object<'_>) -> bool {
    !matches!(object, Object::Reference(_) | Object::Dictionary(_) | Object::Stream(_) | Object::Array(_))
}

/// Whether two simple objects mean the same: `612` and `612.0` do, and so do two spellings of a string.
fn equal(old: &Object<'_>, new: &Object<'_>) -> bool {
    match (old, new) {
        (Object::Integer(old), Object::Integer(new)) => old == new,
        (Object::String(old), Object::String(new)) => old.bytes == new.bytes,
        _ => match (old.number(), new.number()) {
            (Some(old), Some(new)) => old as f32 == new as f32,
            _ => plain(old) && old == new,
        },
    }
}
