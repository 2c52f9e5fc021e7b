//! A map from object numbers.

use std::collections::HashMap;

/// A map from object numbers: a list where the numbers of a file are dense, a hash table for the others.
#[derive(Debug)]
pub(super) struct ObjectMap<T> {
    dense: Vec<Option<T>>,
    sparse: HashMap<u32, T>,
}

impl<T> Default for ObjectMap<T> {
    fn default() -> Self {
        Self { dense: Vec::new(), sparse: HashMap::new() }
    }
}

impl<T> ObjectMap<T> {
    /// Returns the value of `number`.
    pub fn get(&self, number: u32) -> Option<&T> {
        match self.dense.get(number as usize) {
            Some(value) => value.as_ref(),
            None => self.sparse.get(&number),
        }
    }

    /// Sets the value of `number`. Values of numbers below `dense` go to the list.
    pub fn insert(&mut self, number: u32, value: T, dense: usize) {
        if self.dense.len() < dense {
            self.dense.resize_with(dense, || None);
        }
        match self.dense.get_mut(number as usize) {
            Some(place) => *place = Some(value),
            None => _ = self.sparse.insert(number, value),
        }
    }
}
