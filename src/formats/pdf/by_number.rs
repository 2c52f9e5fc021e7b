//! What is known of each object, by its number.

use std::collections::HashMap;

/// Something for each object number: in a list where the numbers of a file are close together.
#[derive(Debug)]
pub(super) struct ByNumber<T> {
    close: Vec<Option<T>>,
    far: HashMap<u32, T>,
}

impl<T> Default for ByNumber<T> {
    fn default() -> Self {
        Self { close: Vec::new(), far: HashMap::new() }
    }
}

impl<T> ByNumber<T> {
    /// What there is for `number`.
    pub fn get(&self, number: u32) -> Option<&T> {
        match self.close.get(number as usize) {
            Some(place) => place.as_ref(),
            None => self.far.get(&number),
        }
    }

    /// Sets it. Numbers below `close` stand in the list.
    pub fn insert(&mut self, number: u32, value: T, close: usize) {
        if self.close.len() < close {
            self.close.resize_with(close, || None);
        }
        match self.close.get_mut(number as usize) {
            Some(place) => *place = Some(value),
            None => _ = self.far.insert(number, value),
        }
    }
}
