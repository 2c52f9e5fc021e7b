//! The audit log: entries that only get more, each chained to the one before by its hash.
//!
//! An entry's hash is SHA-256 over its members, each as a length of four bytes (big-endian) and the bytes:
//!
//! ```text
//! "lacre-audit/1" | hash of the entry before (32 bytes; zeros before the first) | number (8) |
//! time in milliseconds since 1970 (8, two's complement) | action | user | key id (8) | token id (8) | detail
//! ```
//!
//! Numbers are big-endian, texts UTF-8; what is absent has length 0. Whoever changes, removes or inserts an entry has
//! to change every later one; whoever changes all of them is found out by a head that was noted elsewhere.

use crate::storage::{KeyId, Recorded, StorageError, Store, TokenId, User};
use lacre::{
    Time,
    signing::{DigestAlgorithm, Hasher},
};
use std::fmt;
use std::str::FromStr;

macro_rules! actions {
    ($($(#[$meta:meta])* $variant:ident = $word:literal,)+) => {
        /// What happened.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $($(#[$meta])* $variant,)+ }

        impl Action {
            /// Returns the word in the log.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl FromStr for Action {
            type Err = UnknownAction;
            fn from_str(word: &str) -> Result<Self, UnknownAction> {
                match word { $($word => Ok(Self::$variant),)+ _ => Err(UnknownAction(word.to_owned())) }
            }
        }
    };
}

actions! {
    /// A user's first certificate was issued.
    CertificateIssued = "certificate-issued",
    /// A user's further certificate was issued.
    CertificateRenewed = "certificate-renewed",
    /// A certificate was revoked.
    CertificateRevoked = "certificate-revoked",
    /// A hash was signed.
    HashSigned = "hash-signed",
    /// A hash was not signed: the key's certificate or the token is revoked.
    SignatureRefused = "signature-refused",
    /// Keys were sealed again, under another master key.
    KeysResealed = "keys-resealed",
    /// A token was issued.
    TokenIssued = "token-issued",
    /// A token was revoked.
    TokenRevoked = "token-revoked",
    /// A token was not accepted.
    TokenRefused = "token-refused",
}

/// A word that tells of nothing known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the audit log knows no action {0:?}")]
pub struct UnknownAction(String);

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that the log shall tell of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub time: Time,
    /// What.
    pub action: Action,
    /// Who.
    pub user: Option<User>,
    /// With which key.
    pub key: Option<KeyId>,
    /// With which token.
    pub token: Option<TokenId>,
    /// More of it, as the action has it: a digest, a reason.
    pub detail: String,
}

impl Event {
    /// Makes an event of which nothing else is known.
    pub fn new(time: Time, action: Action) -> Self {
        Self { time, action, user: None, key: None, token: None, detail: String::new() }
    }

    /// Makes it about this user.
    pub fn user(self, user: &User) -> Self {
        Self { user: Some(user.clone()), ..self }
    }

    /// Makes it about this key.
    pub fn key(self, key: KeyId) -> Self {
        Self { key: Some(key), ..self }
    }

    /// Makes it about this token.
    pub fn token(self, token: TokenId) -> Self {
        Self { token: Some(token), ..self }
    }

    /// Adds this detail.
    pub fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// Returns what becomes of the event: a signature may be told of unless its key's certificate or its token is
    /// revoked.
    pub fn may_be_told<E>(
        &self,
        key_is_revoked: impl Fn(KeyId) -> Result<bool, E>,
        token_is_revoked: impl Fn(TokenId) -> Result<bool, E>,
    ) -> Result<Recorded, E> {
        if self.action != Action::HashSigned {
            return Ok(Recorded::Written);
        }
        if self.key.map(key_is_revoked).transpose()? == Some(true) {
            return Ok(Recorded::KeyRevoked);
        }
        Ok(if self.token.map(token_is_revoked).transpose()? == Some(true) {
            Recorded::TokenRevoked
        } else {
            Recorded::Written
        })
    }

    /// Returns the event as the log tells it: what may not happen is a refusal.
    pub fn told(self, recorded: Recorded) -> Self {
        match recorded {
            Recorded::Written => self,
            Recorded::KeyRevoked | Recorded::TokenRevoked => Self { action: Action::SignatureRefused, ..self },
        }
    }

    /// Returns the hash of an entry with this content at this place.
    fn hash(&self, number: u64, previous: &Hash) -> Hash {
        let bytes = |id: Option<u64>| id.map(u64::to_be_bytes);
        let (key, token) = (bytes(self.key.map(KeyId::number)), bytes(self.token.map(TokenId::number)));
        let mut hasher = Hasher::new(DigestAlgorithm::Sha256).expect("SHA-256 is always there");
        for member in [
            b"lacre-audit/1".as_slice(),
            &previous.0,
            &number.to_be_bytes(),
            &self.time.millis().to_be_bytes(),
            self.action.as_str().as_bytes(),
            self.user.as_ref().map_or(&[], |user| user.as_str().as_bytes()),
            key.as_ref().map_or(&[], |bytes| bytes.as_slice()),
            token.as_ref().map_or(&[], |bytes| bytes.as_slice()),
            self.detail.as_bytes(),
        ] {
            let length = u32::try_from(member.len()).expect("details are a digest or a reason, not gigabytes");
            hasher.update(&length.to_be_bytes());
            hasher.update(member);
        }
        Hash(hasher.finish().try_into().expect("SHA-256 has 32 bytes"))
    }
}

/// The hash of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash(pub [u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where the log ends: how many entries there are, and the hash of the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// How many entries there are, which is the number of the last.
    pub count: u64,
    /// Its hash.
    pub hash: Hash,
}

impl Head {
    /// Of a log without entries.
    pub const EMPTY: Self = Self { count: 0, hash: Hash([0; 32]) };

    /// Returns the entry that comes next, and the head after it.
    pub fn append(self, event: Event) -> (Entry, Self) {
        let number = self.count + 1;
        let hash = event.hash(number, &self.hash);
        (Entry { number, event, hash }, Self { count: number, hash })
    }
}

/// `NUMBER:HASH`, as an operator notes it elsewhere.
impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.count, self.hash)
    }
}

/// A text that is no head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?}: expected NUMBER:HASH, with a hash of 64 hexadecimal digits")]
pub struct NotAHead(String);

impl FromStr for Head {
    type Err = NotAHead;
    fn from_str(text: &str) -> Result<Self, NotAHead> {
        let wrong = || NotAHead(text.to_owned());
        let (count, digits) = text.split_once(':').ok_or_else(wrong)?;
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let mut hash = [0; 32];
        for (byte, at) in hash.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Self { count: count.parse().map_err(|_| wrong())?, hash: Hash(hash) })
    }
}

/// An entry of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number: 1, 2, 3…
    pub number: u64,
    /// What it tells of.
    pub event: Event,
    /// Its hash.
    pub hash: Hash,
}

/// Why a log is not believed.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// An entry is missing.
    #[error("entry {expected} is missing: the next one is {found}")]
    Missing {
        /// The number that should be there.
        expected: u64,
        /// The number that is.
        found: u64,
    },
    /// An entry's hash is not that of its content and the entry before.
    #[error("entry {0} was changed: its hash is not the one of its content after entry {before}", before = .0 - 1)]
    Changed(u64),
    /// The log ends before its head, or goes on after it.
    #[error("the log ends with entry {found}, its head says {expected}")]
    End {
        /// The last entry.
        found: Head,
        /// The head as stored.
        expected: Head,
    },
    /// A head that was noted elsewhere is not in the log.
    #[error("entry {} is not the one that was noted: the log was written anew", .0.count)]
    Noted(Head),
    /// The log cannot be read.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

/// How many entries are read at once.
const PAGE: usize = 1000;

/// Checks the whole log, and that a head noted elsewhere is in it. Gives its end, or the first entry that is broken.
pub async fn verify(store: &dyn Store, noted: Option<Head>) -> Result<Head, Broken> {
    // The head first: the log may get longer meanwhile.
    let end = store.audit_head().await?;
    let mut head = Head::EMPTY;
    let mut seen = noted.filter(|noted| *noted != Head::EMPTY);
    loop {
        let entries = store.audit(head.count + 1, PAGE).await?;
        if entries.is_empty() {
            break;
        }
        for entry in entries {
            let expected = head.count + 1;
            if entry.number != expected {
                return Err(Broken::Missing { expected, found: entry.number });
            }
            let (again, next) = head.append(entry.event);
            if again.hash != entry.hash {
                return Err(Broken::Changed(expected));
            }
            head = next;
            if seen == Some(head) {
                seen = None;
            }
            if head.count == end.count && head != end {
                return Err(Broken::End { found: head, expected: end });
            }
        }
    }
    if head.count < end.count {
        return Err(Broken::End { found: head, expected: end });
    }
    match seen {
        Some(noted) => Err(Broken::Noted(noted)),
        None => Ok(head),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The encoding is a promise: this hash was calculated apart from it, by another program.
    #[test]
    fn the_hash_of_an_entry() {
        let user: User = "ana".parse().expect("it is a user's name");
        let event = Event::new(Time::from_millis(1_795_255_200_000), Action::HashSigned).user(&user);
        let event = event.key(KeyId::new(7).expect("it is positive")).detail("SHA256withECDSA");
        let (entry, head) = Head::EMPTY.append(event);
        assert_eq!((entry.number, head.count), (1, 1));
        assert_eq!(head.to_string().parse::<Head>(), Ok(head));
        for text in ["", "1", "1:00", "x:00", "1:zz"] {
            assert!(text.parse::<Head>().is_err(), "{text}");
        }
        assert_eq!(entry.hash.to_string(), "3d07712e75685b923fb9de01c65d591c606f44439a96295932a98e2494c9f38a");
    }
}
