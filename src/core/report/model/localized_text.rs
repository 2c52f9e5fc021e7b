//! A text of a report before its language is chosen.

use crate::report::escape;
use crate::report::messages::{self, CommonId, Key, Language, MessageId};
use crate::time::Time;

/// A text that is written in the language of the report.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum LocalizedText {
    /// A message, and the values of its places.
    Message(Key, Vec<(&'static str, LocalizedText)>),
    /// Text from outside: escaped and shortened where it is shown.
    Foreign(String),
    /// A word of a standard, a digest, a version: the same in every language.
    Code(String),
    /// A time.
    Time(Time),
    /// A number.
    Number(usize),
}

impl LocalizedText {
    /// Makes a text of a message, whose places [`with`](Self::with) fills.
    pub fn new(message: impl Into<Key>) -> Self {
        Self::Message(message.into(), vec![])
    }

    /// Makes the sentence of a check's key.
    pub fn sentence(key: &'static str) -> Self {
        Self::Message(Key { list: "", word: key }, vec![])
    }

    /// Fills a place of the message.
    pub fn with(self, place: &'static str, value: impl Into<Self>) -> Self {
        match self {
            Self::Message(key, mut values) => {
                values.push((place, value.into()));
                Self::Message(key, values)
            }
            other => other,
        }
    }

    /// Makes a text of a word that is never translated.
    pub fn code(code: impl Into<String>) -> Self {
        Self::Code(code.into())
    }

    /// Returns the text in that language.
    pub fn text_in(&self, language: Language) -> String {
        self.written(&|key| messages::text(language, key))
    }

    /// Returns the text in that language, made of what [every report says](messages::common).
    pub fn common_in(&self, language: Language) -> String {
        self.written(&|key| messages::common(language, key))
    }

    /// Returns the text, made of those that messages have.
    fn written(&self, text_of: &dyn Fn(Key) -> &'static str) -> String {
        match self {
            Self::Message(key, values) => {
                let said: Vec<(&str, String)> = values.iter().map(|(place, v)| (*place, v.written(text_of))).collect();
                let said: Vec<(&str, &str)> = said.iter().map(|(place, value)| (*place, &**value)).collect();
                messages::fill(text_of(*key), &said)
            }
            Self::Foreign(text) => match escape::shortened(text) {
                (shown, None) => shown,
                (shown, Some(characters)) => {
                    let values = [("text", &*shown), ("n", &characters.to_string())];
                    messages::fill(text_of(CommonId::Shortened.into()), &values)
                }
            },
            Self::Code(code) => code.clone(),
            Self::Time(time) => moment(*time),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// Writes the day of a time.
pub(in crate::report) fn day(time: Time) -> String {
    time.to_string().chars().take(10).collect()
}

/// Writes a time for people: the date as ISO 8601 writes it, the time of day, and the zone.
fn moment(time: Time) -> String {
    let (year, month, day, hour, minute, second) = time.civil();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

impl From<MessageId> for LocalizedText {
    fn from(id: MessageId) -> Self {
        Self::new(id)
    }
}

impl From<CommonId> for LocalizedText {
    fn from(id: CommonId) -> Self {
        Self::new(id)
    }
}

impl From<Time> for LocalizedText {
    fn from(time: Time) -> Self {
        Self::Time(time)
    }
}

impl From<usize> for LocalizedText {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for LocalizedText {
    fn from(text: &str) -> Self {
        Self::Foreign(text.to_owned())
    }
}
