//! The `Cryptographic` element of a DSS constraint file, and the suite that it stands for.
//!
//! The element lists key algorithms, digest functions, smallest keys and expiry
//! dates side by side. A suite judges signature algorithms: each key algorithm
//! with each digest function. Their evaluations end with whichever of the two
//! ends first. What an element in some section leaves out, the policy's own
//! `Cryptographic` element supplies.

use super::ts_119_312::Day;
use super::{CryptographicSuite, Evaluation, SuiteLevels};
use crate::algorithm::{DigestAlgorithm, KeyAlgorithm};
use crate::policy::Level;
use crate::policy::read::{attributes, level};
use crate::time::Time;
use crate::xml_reader::{Element, Error, XmlReader, shortened};

/// The element as it is written.
#[derive(Debug, Clone, Default)]
pub(in crate::policy) struct Constraint {
    level: Option<Level>,
    key_algorithms: Option<List>,
    key_sizes: Option<List>,
    digests: Option<List>,
    expiry: Option<List>,
}

/// One of its lists.
#[derive(Debug, Clone, Default)]
struct List {
    level: Option<Level>,
    algorithms: Vec<Algorithm>,
    update: Option<Time>,
    level_after_update: Option<Level>,
}

/// An `Algo`.
#[derive(Debug, Clone)]
struct Algorithm {
    name: Name,
    size: Option<u32>,
    date: Option<Time>,
}

/// What an `Algo` names. A name that we do not know is kept out of the suite: nothing we can
/// recognise is signed with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    Key(KeyAlgorithm),
    Digest(DigestAlgorithm),
    Unknown,
}

impl Name {
    fn new(text: &str) -> Self {
        let digest = || DigestAlgorithm::from_name(text).map(Name::Digest);
        KeyAlgorithm::from_name(text).map(Name::Key).or_else(digest).unwrap_or(Name::Unknown)
    }
}

/// The lists' elements.
const LISTS: [&str; 4] =
    ["AcceptableEncryptionAlgo", "MiniPublicKeySize", "AcceptableDigestAlgo", "AlgoExpirationDate"];

impl Constraint {
    /// Reads the element in which `pull` stands.
    pub(in crate::policy) fn read<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Self, Error> {
        attributes(pull, element, &["Level"])?;
        let mut constraint = Self { level: level(pull, element, "Level")?, ..Self::default() };
        pull.children(|pull, child| {
            let list = match child.name() {
                "AcceptableEncryptionAlgo" => &mut constraint.key_algorithms,
                "MiniPublicKeySize" => &mut constraint.key_sizes,
                "AcceptableDigestAlgo" => &mut constraint.digests,
                "AlgoExpirationDate" => &mut constraint.expiry,
                name => {
                    let what = format!("<{name}> is not allowed in <Cryptographic>; allowed: {}", LISTS.join(", "));
                    return Err(pull.wrong_in(child, what));
                }
            };
            if list.is_some() {
                return Err(pull.wrong_in(child, format!("<{}> stands twice; it is allowed once", child.name())));
            }
            *list = Some(List::read(pull, child)?);
            Ok(())
        })?;
        Ok(constraint)
    }

    /// Returns what a constraint file with these tables would say.
    pub(super) fn of_tables(
        keys: &[(KeyAlgorithm, &[(u32, Option<Day>)])],
        digests: &[(DigestAlgorithm, Option<Day>)],
        update: Day,
    ) -> Self {
        let time = |(year, month, day): Day| Time::from_civil(year, month, day, 0, 0, 0);
        let algorithm = |name, size, day: Option<Day>| Algorithm { name, size, date: day.and_then(time) };
        let list = |algorithms| Some(List { algorithms, ..List::default() });
        let names = |&(key, _): &(KeyAlgorithm, _)| algorithm(Name::Key(key), None, None);
        let least = |&(key, sizes): &(KeyAlgorithm, &[(u32, Option<Day>)])| {
            algorithm(Name::Key(key), sizes.iter().map(|(size, _)| *size).min(), None)
        };
        let functions = digests.iter().map(|&(digest, end)| algorithm(Name::Digest(digest), None, end));
        let ends = keys
            .iter()
            .flat_map(|&(key, sizes)| sizes.iter().map(move |&(size, end)| algorithm(Name::Key(key), Some(size), end)));
        Self {
            level: Some(Level::Fail),
            key_algorithms: list(keys.iter().map(names).collect()),
            key_sizes: list(keys.iter().map(least).collect()),
            digests: list(functions.clone().collect()),
            expiry: Some(List {
                level: None,
                algorithms: functions.chain(ends).collect(),
                update: time(update),
                level_after_update: Some(Level::Warn),
            }),
        }
    }

    /// Returns whether the element says nothing.
    pub(in crate::policy) fn is_empty(&self) -> bool {
        self.level.is_none()
            && [&self.key_algorithms, &self.key_sizes, &self.digests, &self.expiry].iter().all(|list| list.is_none())
    }

    /// Returns this element where it says something, `default` where it does not.
    pub(in crate::policy) fn over(self, default: &Self) -> Self {
        Self {
            level: self.level.or(default.level),
            key_algorithms: self.key_algorithms.or_else(|| default.key_algorithms.clone()),
            key_sizes: self.key_sizes.or_else(|| default.key_sizes.clone()),
            digests: self.digests.or_else(|| default.digests.clone()),
            expiry: self.expiry.or_else(|| default.expiry.clone()),
        }
    }

    /// Returns the suite that the element stands for.
    pub(in crate::policy) fn suite(&self) -> CryptographicSuite {
        let level_of = |list: &Option<List>| list.as_ref().and_then(|list| list.level).or(self.level);
        let expiry = level_of(&self.expiry);
        let after = self.expiry.as_ref().and_then(|list| list.level_after_update);
        let mut suite = CryptographicSuite {
            update: self.expiry.as_ref().and_then(|list| list.update),
            levels: SuiteLevels {
                signature_algorithm: level_of(&self.key_algorithms),
                digest: level_of(&self.digests),
                key_size: level_of(&self.key_sizes),
                expiry,
                expiry_after_update: after.or(expiry),
            },
            ..CryptographicSuite::default()
        };
        for digest in self.accepted_digests() {
            suite.digests.insert(digest, vec![Evaluation { end: self.digest_end(digest), ..Evaluation::default() }]);
        }
        for key in self.accepted_keys() {
            for &digest in suite.digests.keys() {
                suite.signatures.insert((key, Some(digest)), self.evaluations(key, Some(digest)));
            }
            if matches!(key, KeyAlgorithm::MlDsa44 | KeyAlgorithm::MlDsa65 | KeyAlgorithm::MlDsa87) {
                suite.signatures.insert((key, None), self.evaluations(key, None));
            }
        }
        suite
    }

    /// Returns the digest functions that are accepted: none without a list, so that under a level of the whole element,
    /// everything fails.
    fn accepted_digests(&self) -> impl Iterator<Item = DigestAlgorithm> {
        Self::names(&self.digests).filter_map(|name| if let Name::Digest(digest) = name { Some(digest) } else { None })
    }

    /// Returns the key algorithms that are accepted: none without a list.
    fn accepted_keys(&self) -> impl Iterator<Item = KeyAlgorithm> {
        Self::names(&self.key_algorithms).filter_map(|name| if let Name::Key(key) = name { Some(key) } else { None })
    }

    fn names(list: &Option<List>) -> impl Iterator<Item = Name> {
        list.iter().flat_map(|list| &list.algorithms).map(|algorithm| algorithm.name)
    }

    fn entries(list: &Option<List>, name: Name) -> impl Iterator<Item = &Algorithm> {
        list.iter().flat_map(|list| &list.algorithms).filter(move |algorithm| algorithm.name == name)
    }

    fn digest_end(&self, digest: DigestAlgorithm) -> Option<Time> {
        Self::entries(&self.expiry, Name::Digest(digest)).filter_map(|algorithm| algorithm.date).max()
    }

    /// Returns one evaluation for each expiry date of the key algorithm, none ending after the digest function.
    fn evaluations(&self, key: KeyAlgorithm, digest: Option<DigestAlgorithm>) -> Vec<Evaluation> {
        let least = Self::entries(&self.key_sizes, Name::Key(key)).filter_map(|a| a.size).max().unwrap_or(0);
        let digest_end = digest.and_then(|digest| self.digest_end(digest));
        let earlier = |a: Option<Time>, b: Option<Time>| [a, b].into_iter().flatten().min();
        let mut all: Vec<_> = Self::entries(&self.expiry, Name::Key(key))
            .map(|entry| Evaluation {
                minimum: entry.size.unwrap_or(0).max(least),
                end: earlier(entry.date, digest_end),
                ..Evaluation::default()
            })
            .collect();
        if all.is_empty() {
            all.push(Evaluation { minimum: least, end: digest_end, ..Evaluation::default() });
        }
        all
    }
}

impl List {
    fn read<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Self, Error> {
        let dated = element.name() == "AlgoExpirationDate";
        attributes(
            pull,
            element,
            if dated { &["Level", "Format", "UpdateDate", "LevelAfterUpdate"] } else { &["Level"] },
        )?;
        let format = pull.attribute(element, "Format")?.unwrap_or_else(|| "yyyy-MM-dd".into());
        let date = |pull: &XmlReader<'a>, at: &Element<'a>, name: &str| -> Result<Option<Time>, Error> {
            let Some(text) = pull.attribute(at, name)? else { return Ok(None) };
            date(&format, text.trim()).map(Some).ok_or_else(|| {
                let what = format!(
                    "attribute `{name}` of <{}> is `{}`, expected a date as `{}`",
                    at.name(),
                    shortened(&text),
                    shortened(&format)
                );
                pull.wrong_in(at, what)
            })
        };
        let mut list = Self {
            level: level(pull, element, "Level")?,
            algorithms: vec![],
            update: date(pull, element, "UpdateDate")?,
            level_after_update: level(pull, element, "LevelAfterUpdate")?,
        };
        pull.children(|pull, child| {
            if child.name() != "Algo" {
                let what = format!("<{}> is not allowed in <{}>; allowed: Algo", child.name(), element.name());
                return Err(pull.wrong_in(child, what));
            }
            attributes(pull, child, &["Size", "Date"])?;
            let size = pull.attribute_value(child, "Size")?;
            let date = date(pull, child, "Date")?;
            list.algorithms.push(Algorithm { name: Name::new(pull.text()?.trim()), size, date });
            Ok(())
        })?;
        Ok(list)
    }
}

/// Reads a date by a pattern of the letters `y`, `M`, `d`, `H`, `m`, `s` and literal characters, in UTC.
fn date(pattern: &str, text: &str) -> Option<Time> {
    let mut fields = [0i64, 1, 1, 0, 0, 0];
    let mut rest = text;
    let mut pattern = pattern.chars().filter(|c| *c != '\'').peekable();
    while let Some(letter) = pattern.next() {
        let Some(field) = "yMdHms".find(letter) else {
            rest = rest.strip_prefix(letter)?;
            continue;
        };
        let mut width = 1;
        while pattern.next_if_eq(&letter).is_some() {
            width += 1;
        }
        // Neighbouring fields have fixed widths; otherwise a number goes on as far as its digits do.
        let adjacent = pattern.peek().is_some_and(|next| "yMdHms".contains(*next));
        let digits = rest.bytes().take(if adjacent { width } else { 6 }).take_while(u8::is_ascii_digit).count();
        fields[field] = rest.get(..digits)?.parse().ok()?;
        rest = &rest[digits..];
    }
    let [year, month, day, hour, minute, second] = fields;
    let small = |number: i64| u8::try_from(number).ok();
    let time = Time::from_civil(year, small(month)?, small(day)?, small(hour)?, small(minute)?, small(second)?)?;
    rest.is_empty().then_some(time)
}
