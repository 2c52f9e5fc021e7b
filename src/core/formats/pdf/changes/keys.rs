//! Keys of dictionaries, and the paths within an object that they make, each with a small number.

use std::collections::HashMap;
use std::rc::Rc;

/// A key of a dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key(u32);

/// The keys that lead from an object to a direct object in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Path(u32);

impl Path {
    /// The object itself: the path of the elements of an array that is an object.
    pub const HERE: Self = Self(0);
}

/// What is known of a key.
#[derive(Debug)]
struct KnownKey {
    name: Rc<[u8]>,
    /// The name as text.
    text: Box<str>,
    /// The path that consists of it alone.
    path: Path,
}

/// The keys and paths met in the comparisons of a file.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The keys by their numbers.
    keys: Vec<KnownKey>,
    key_numbers: HashMap<Rc<[u8]>, Key>,
    /// The paths from number one on: each with the path that it extends, and the key by which it does.
    paths: Vec<(Path, Key)>,
    path_numbers: HashMap<(Path, Key), Path>,
}

impl Keys {
    /// Returns the number of a key.
    pub fn key(&mut self, name: &[u8]) -> Key {
        if let Some(&key) = self.key_numbers.get(name) {
            return key;
        }
        let (name, key) = (Rc::<[u8]>::from(name), Key(self.keys.len() as u32));
        let path = self.add_path(Path::HERE, key);
        let text = String::from_utf8_lossy(&name).into();
        self.keys.push(KnownKey { name: name.clone(), text, path });
        self.key_numbers.insert(name, key);
        key
    }

    /// Returns the name of a key.
    pub fn name(&self, key: Key) -> &Rc<[u8]> {
        &self.keys[key.0 as usize].name
    }

    /// Returns the name of a key as text.
    pub fn text(&self, key: Key) -> &str {
        &self.keys[key.0 as usize].text
    }

    /// Returns the path that consists of one key.
    pub fn path(&self, key: Key) -> Path {
        self.keys[key.0 as usize].path
    }

    /// Returns the path that extends `path` by `key`.
    pub fn extend(&mut self, path: Path, key: Key) -> Path {
        if path == Path::HERE {
            return self.path(key);
        }
        if let Some(&longer) = self.path_numbers.get(&(path, key)) {
            return longer;
        }
        let longer = self.add_path(path, key);
        self.path_numbers.insert((path, key), longer);
        longer
    }

    fn add_path(&mut self, shorter: Path, key: Key) -> Path {
        self.paths.push((shorter, key));
        Path(self.paths.len() as u32)
    }

    /// Splits the last key off a path; `None` where it has none.
    pub fn split(&self, path: Path) -> Option<(Path, Key)> {
        self.paths.get((path.0 as usize).checked_sub(1)?).copied()
    }

    /// Returns the last key of a path.
    pub fn last(&self, path: Path) -> Option<&[u8]> {
        self.split(path).map(|(_, key)| &**self.name(key))
    }
}
