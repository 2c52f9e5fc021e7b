//! The time line as a drawing: places are between the left edge (0) and the right edge (1).

use super::messages::{self, CommonId, Language, MessageId};
use super::model::{LocalizedText, TimeLine};
use crate::time::Time;

/// A time line, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The alternative text, for readers who do not see the drawing.
    pub alternative: String,
    /// The dates on the axis.
    pub ticks: Vec<(f32, String)>,
    /// One line for each span and event, from top to bottom.
    pub lines: Vec<Line>,
}

/// One line of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name.
    pub label: String,
    /// Its dates in words.
    pub dates: String,
    /// Its shape.
    pub shape: Shape,
}

/// A shape on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A bar.
    Bar {
        /// Where it begins.
        from: f32,
        /// Where it ends.
        until: f32,
        /// Whether it began before the left edge.
        earlier: bool,
        /// Whether it ends after the right edge, or its end is not stated.
        later: bool,
    },
    /// A mark.
    Mark {
        /// Its place.
        at: f32,
        /// Whether the date is only claimed: the mark is hollow.
        claimed: bool,
    },
}

/// The widest margin beside the first and the last date, as a share of the drawing.
const MARGIN: f64 = 0.03;

/// The largest number of dates on the axis.
const TICKS: usize = 6;

impl Figure {
    /// Draws a time line; `None` where nothing is dated.
    pub fn of(timeline: &TimeLine, language: Language) -> Option<Self> {
        let (first, last) = timeline.range()?;
        let scale = Scale::new(first, last);
        let text = |id, values: &[(&str, &str)]| messages::fill(messages::text(language, id), values);
        let when = |time: Time| LocalizedText::Time(time).text_in(language);
        let mut lines = vec![];
        let mut story = vec![];
        for span in &timeline.spans {
            let (what, from) = (span.what.text_in(language), when(span.from));
            let until = span.until.map_or_else(|| messages::text(language, CommonId::NotStated).to_owned(), when);
            story.push(text(MessageId::TimeLineSpan, &[("what", &what), ("from", &from), ("to", &until)]));
            lines.push(Line {
                label: what,
                dates: text(MessageId::FromTo, &[("from", &from), ("to", &until)]),
                shape: scale.bar(span.from, span.until),
            });
        }
        for event in &timeline.events {
            let (what, time) = (event.what.text_in(language), when(event.time));
            story.push(text(MessageId::TimeLineEvent, &[("what", &what), ("time", &time)]));
            let shape = Shape::Mark { at: scale.place(event.time), claimed: event.claimed };
            lines.push(Line { label: what, dates: time, shape });
        }
        let values = [("from", &*when(first)), ("to", &*when(last)), ("story", &story.join(" "))];
        Some(Self { alternative: text(MessageId::TimeLineAlt, &values), ticks: scale.ticks(), lines })
    }
}

/// Maps times to places.
struct Scale {
    start: Time,
    /// In milliseconds, more than zero.
    length: f64,
}

impl Scale {
    fn new(first: Time, last: Time) -> Self {
        const DAY: f64 = 86_400_000.0;
        let length = (last.millis() as f64 - first.millis() as f64).max(DAY);
        let margin = length * MARGIN;
        Self { start: first.plus_millis(-(margin as i64)), length: length + 2.0 * margin }
    }

    fn raw(&self, time: Time) -> f64 {
        (time.millis() as f64 - self.start.millis() as f64) / self.length
    }

    fn place(&self, time: Time) -> f32 {
        self.raw(time).clamp(0.0, 1.0) as f32
    }

    fn bar(&self, from: Time, until: Option<Time>) -> Shape {
        let end = until.map_or(2.0, |time| self.raw(time));
        Shape::Bar {
            from: self.place(from),
            until: end.clamp(0.0, 1.0) as f32,
            earlier: self.raw(from) < 0.0,
            later: end > 1.0,
        }
    }

    /// Returns the dates of the axis: round ones, of the smallest step that does not crowd it.
    fn ticks(&self) -> Vec<(f32, String)> {
        for step in STEPS {
            let times = self.every(*step);
            if times.len() <= TICKS {
                return times.into_iter().map(|time| (self.place(time), step.label(time))).collect();
            }
        }
        vec![]
    }

    /// Returns the round dates of a step within the drawing, at most one more than the axis takes.
    fn every(&self, step: Step) -> Vec<Time> {
        let (year, month, day, ..) = self.start.civil();
        let mut times = vec![];
        for count in 0.. {
            let next = match step {
                Step::Days(days) => {
                    Time::from_civil(year, month, day, 0, 0, 0).map(|t| t.plus_millis(count * days * 86_400_000))
                }
                Step::Months(months) => {
                    let from_zero = (year * 12 + i64::from(month) - 1).div_euclid(months) * months + count * months;
                    Time::from_civil(from_zero.div_euclid(12), from_zero.rem_euclid(12) as u8 + 1, 1, 0, 0, 0)
                }
            };
            let Some(next) = next else { break };
            let place = self.raw(next);
            if place > 1.0 || times.len() > TICKS {
                break;
            }
            if place >= 0.0 {
                times.push(next);
            }
        }
        times
    }
}

/// The distance between two dates on the axis.
#[derive(Debug, Clone, Copy)]
enum Step {
    Days(i64),
    Months(i64),
}

const STEPS: &[Step] = &[
    Step::Days(1),
    Step::Days(2),
    Step::Days(7),
    Step::Months(1),
    Step::Months(3),
    Step::Months(6),
    Step::Months(12),
    Step::Months(24),
    Step::Months(60),
    Step::Months(120),
    Step::Months(600),
    Step::Months(6000),
    Step::Months(60_000),
];

impl Step {
    /// Writes as much of the date as tells the steps apart.
    fn label(self, time: Time) -> String {
        let (year, month, day, ..) = time.civil();
        match self {
            Self::Days(_) => format!("{year:04}-{month:02}-{day:02}"),
            Self::Months(months) if months % 12 != 0 => format!("{year:04}-{month:02}"),
            Self::Months(_) => format!("{year:04}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(first: &str, last: &str) -> String {
        let scale = Scale::new(first.parse().expect("a date"), last.parse().expect("a date"));
        scale.ticks().into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn round_dates_stand_on_the_axis() {
        for (first, last, expected) in [
            ("2026-01-01", "2026-01-01", "2026-01-01 2026-01-02"),
            ("2026-01-05", "2026-02-01", "2026-01-04 2026-01-11 2026-01-18 2026-01-25 2026-02-01"),
            ("2024-02-01", "2025-06-01", "2024-04 2024-07 2024-10 2025-01 2025-04"),
            ("2020-06-01", "2026-01-01", "2021 2022 2023 2024 2025 2026"),
            ("1950-01-01", "9999-12-31", "2000 2500"),
        ] {
            let found = labels(first, last);
            let count = found.split(' ').count();
            assert!((1..=TICKS).contains(&count), "{first} {last}: {found}");
            if first != "1950-01-01" && first != "2026-01-05" {
                assert_eq!(found, expected, "{first} {last}");
            }
        }
    }

    #[test]
    fn what_lies_outside_is_cut_and_says_so() {
        let time = |text: &str| text.parse::<Time>().expect("a date");
        let scale = Scale::new(time("2020-01-01"), time("2021-01-01"));
        let Shape::Bar { from, until, earlier, later } = scale.bar(time("2010-01-01"), None) else {
            panic!("a span is a bar")
        };
        assert_eq!((from, until, earlier, later), (0.0, 1.0, true, true));
        let inside = scale.bar(time("2020-02-01"), Some(time("2020-03-01")));
        assert!(matches!(inside, Shape::Bar { earlier: false, later: false, .. }));
        // Dates at the ends of what a document can state do not overflow.
        Scale::new(Time::from_millis(i64::MIN), Time::from_millis(i64::MAX)).ticks();
    }
}
