//! What a call says: JSON in the first part of its frame; the parts after it are bytes, each with its role.

use crate::failure::Failure;
use lacre::report::Language;
use lacre::{Document, Time};
use serde::Deserialize;

/// What a part of a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// The document that is judged.
    Document,
    /// A detached content, with its name.
    Content,
    /// A certificate to trust.
    TrustAnchor,
    /// A certificate, CRL or OCSP response that documents may lack.
    Evidence,
    /// A snapshot of trusted lists.
    Snapshot,
    /// A certificate, one of which must have signed the snapshot.
    Packer,
    /// A file of a folder of trusted lists, with its name.
    List,
    /// A certificate that may sign the list of lists.
    ListSigner,
    /// A validation policy.
    Policy,
    /// Cryptographic suites.
    Suite,
    /// Stored facts.
    Facts,
    /// A certificate that is judged.
    Certificate,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    role: Role,
    name: Option<String>,
    /// When a list was fetched: milliseconds since 1970.
    loaded: Option<i64>,
}

/// The JSON of a request. An operation reads the fields that it has a use for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Head {
    /// Milliseconds since 1970.
    time: Option<i64>,
    name: Option<String>,
    password: Option<String>,
    form: Option<String>,
    language: Option<String>,
    parts: Vec<Described>,
}

/// A request, with the bytes of its parts.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    head: Head,
    bytes: Vec<&'a [u8]>,
}

/// A part of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) name: &'a str,
    pub(crate) loaded: Option<Time>,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Request<'a> {
    /// Reads the parts of a frame. A frame without parts says nothing, and that is a request.
    pub(crate) fn read(parts: &[&'a [u8]]) -> Result<Self, Failure> {
        let Some((head, bytes)) = parts.split_first() else {
            return Ok(Self { head: Head::default(), bytes: vec![] });
        };
        let head: Head =
            serde_json::from_slice(head).map_err(|error| Failure::argument(format!("the request: {error}")))?;
        if head.parts.len() != bytes.len() {
            let (told, found) = (head.parts.len(), bytes.len());
            return Err(Failure::argument(format!("found {found} parts, expected {told}, as the request says")));
        }
        Ok(Self { head, bytes: bytes.to_vec() })
    }

    /// Returns the parts of a role, in their order.
    pub(crate) fn parts(&self, role: Role) -> impl Iterator<Item = Part<'_>> {
        let all = self.head.parts.iter().zip(&self.bytes);
        all.filter(move |(described, _)| described.role == role).map(|(described, bytes)| Part {
            name: described.name.as_deref().unwrap_or_default(),
            loaded: described.loaded.map(Time::from_millis),
            bytes,
        })
    }

    /// Returns the one part of a role, if it is there.
    pub(crate) fn part(&self, role: Role) -> Option<&[u8]> {
        self.parts(role).next().map(|part| part.bytes)
    }

    /// Returns the one part of a role, which has to be there.
    pub(crate) fn needed(&self, role: Role) -> Result<&[u8], Failure> {
        self.part(role).ok_or_else(|| Failure::argument(format!("found no part {role:?}, expected one")))
    }

    /// Returns the moment to judge for, if one is stated.
    pub(crate) fn stated_time(&self) -> Option<Time> {
        self.head.time.map(Time::from_millis)
    }

    /// Returns the moment to judge for, which has to be stated.
    pub(crate) fn time(&self) -> Result<Time, Failure> {
        self.stated_time().ok_or_else(|| Failure::argument("found no time, expected milliseconds since 1970"))
    }

    /// Returns the name of the file that is judged.
    pub(crate) fn name(&self) -> Option<&str> {
        self.head.name.as_deref()
    }

    /// Returns the form of the report that is asked for; JSON where none is named.
    pub(crate) fn form(&self) -> &str {
        self.head.form.as_deref().unwrap_or("json")
    }

    /// Returns the language of the report; English where none is named.
    pub(crate) fn language(&self) -> Result<Language, Failure> {
        let Some(code) = &self.head.language else { return Ok(Language::default()) };
        code.parse().map_err(|_| {
            let known: Vec<_> = Language::ALL.iter().map(|language| language.as_str()).collect();
            Failure::argument(format!("found the language {code:?}, expected one of {}", known.join(", ")))
        })
    }

    /// Returns the document with what stands beside it.
    pub(crate) fn document(&self) -> Result<Document<'_>, Failure> {
        let mut document = Document::new(self.needed(Role::Document)?);
        if let Some(name) = self.name() {
            document = document.named(name);
        }
        for content in self.parts(Role::Content) {
            document = document.with_content(content.name, content.bytes);
        }
        Ok(match &self.head.password {
            Some(password) => document.with_password(password.as_bytes()),
            None => document,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_role() {
        let head = br#"{"time":0,"name":"a.pdf","parts":[{"role":"document"},{"role":"content","name":"b.txt"}]}"#;
        let parts: [&[u8]; 3] = [head, b"%PDF", b"text"];
        let request = Request::read(&parts).expect("a request");
        let document = request.document().expect("a document");
        assert_eq!((document.bytes(), document.name()), (&b"%PDF"[..], Some("a.pdf")));
        assert_eq!(document.contents().len(), 1);
        assert!(request.needed(Role::Facts).is_err());
    }

    #[test]
    fn what_a_request_does_not_know_is_refused() {
        for head in
            [&b"{\"tme\":0}"[..], b"{\"parts\":[{\"role\":\"other\"}]}", b"{\"parts\":[{\"role\":\"facts\"}]}", b""]
        {
            assert!(Request::read(&[head]).is_err(), "{}", String::from_utf8_lossy(head));
        }
    }
}
