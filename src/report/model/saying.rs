//! What a report says, before a language is chosen.

use crate::report::messages::{self, Key, Language, Phrase};
use crate::report::visible;
use crate::time::Time;

/// Something that a report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saying {
    /// A fixed text, and the values in its places.
    Text(Key, Vec<(&'static str, Saying)>),
    /// What the key of a check says.
    Check(&'static str),
    /// Words from outside.
    Foreign(String),
    /// A word of a standard, a digest, a version: the same in every language.
    Code(String),
    /// A moment.
    Time(Time),
    /// A number.
    Number(usize),
}

impl Saying {
    /// A fixed text without places, or a phrase whose places [`with`](Self::with) fills.
    pub fn text(text: impl Into<Key>) -> Self {
        Self::Text(text.into(), vec![])
    }

    /// Fills a place of a fixed text.
    pub fn with(self, place: &'static str, value: impl Into<Self>) -> Self {
        match self {
            Self::Text(key, mut values) => {
                values.push((place, value.into()));
                Self::Text(key, values)
            }
            other => other,
        }
    }

    /// A word that is never translated.
    pub fn code(code: impl Into<String>) -> Self {
        Self::Code(code.into())
    }

    /// In that language. Words from outside are visible and not too long.
    pub fn say(&self, language: Language) -> String {
        match self {
            Self::Text(key, values) => {
                let said: Vec<(&str, String)> = values.iter().map(|(place, v)| (*place, v.say(language))).collect();
                let said: Vec<(&str, &str)> = said.iter().map(|(place, value)| (*place, &**value)).collect();
                messages::fill(messages::phrase(language, *key), &said)
            }
            Self::Check(key) => messages::sentence(language, key).to_owned(),
            Self::Foreign(text) => match visible::shortened(text) {
                (shown, None) => shown,
                (shown, Some(characters)) => {
                    let values = [("text", &*shown), ("n", &characters.to_string())];
                    messages::fill(messages::phrase(language, Phrase::Shortened), &values)
                }
            },
            Self::Code(code) => code.clone(),
            Self::Time(time) => moment(*time),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A moment for people: the date as ISO 8601 writes it, the time of day, and the zone.
fn moment(time: Time) -> String {
    let (year, month, day, hour, minute, second) = time.civil();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

impl From<Phrase> for Saying {
    fn from(phrase: Phrase) -> Self {
        Self::text(phrase)
    }
}

impl From<Time> for Saying {
    fn from(time: Time) -> Self {
        Self::Time(time)
    }
}

impl From<usize> for Saying {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Saying {
    fn from(text: &str) -> Self {
        Self::Foreign(text.to_owned())
    }
}
