//! A file to be validated as a form.

use super::failure::Failure;
use super::multipart::{Form, Part, once};
use super::problem;
use super::submission::{self, Name, Submission};
use super::upload::Uploads;
use axum::body::Body;
use lacre::Time;
use lacre_map::FileBytes;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// The form that the validating operations take. A part that is empty is one that is not there.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValidationForm {
    /// The signed file. Its file name stands in the report, unless there is a `name`.
    #[schema(value_type = String, format = Binary, min_length = 1)]
    pub document: Vec<u8>,
    /// The file's name, for the report and for references by name; without it, and without a file name of `document`, the
    /// process id.
    #[schema(nullable = false, min_length = 1, max_length = 256, pattern = r"^[^\x00-\x1f\x7f-\x9f]+$")]
    pub name: Option<String>,
    /// The password of an encrypted PDF, its user's or its owner's.
    #[schema(nullable = false, format = Password, max_length = 256)]
    pub password: Option<String>,
    /// What the file's signatures sign without holding it: files beside it, each with its file name.
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 64)]
    pub contents: Option<Vec<Vec<u8>>>,
    /// As of when the file is judged (RFC 3339); otherwise now.
    #[schema(nullable = false, format = DateTime)]
    pub time: Option<String>,
}

/// The parts that were read so far.
#[derive(Default)]
struct Parts {
    document: Option<(FileBytes, Option<Name>)>,
    name: Option<Name>,
    password: Option<Zeroizing<String>>,
    time: Option<Time>,
    contents: Vec<(Name, FileBytes)>,
}

/// Receives a form.
pub(super) async fn receive(uploads: &Uploads, body: Body, boundary: &str) -> Result<Submission, Failure> {
    let mut form = Form::new(uploads, body, boundary);
    let mut parts = Parts::default();
    while let Some(part) = form.next().await? {
        parts.take(part, &mut form).await?;
    }
    let Some((file, file_name)) = parts.document else {
        return Err(Failure::of(problem::BAD_FORM, "found no part `document`, expected the signed file in it"));
    };
    let mut submission = Submission::from(file);
    submission.name = parts.name.or(file_name);
    submission.password = parts.password;
    submission.time = parts.time;
    for (name, bytes) in parts.contents {
        submission.add_content(name, bytes)?;
    }
    Ok(submission)
}

/// Reads the part that is the document, with its name.
pub(super) async fn document(part: Part, form: &mut Form<'_>) -> Result<(FileBytes, Option<Name>), Failure> {
    let name = part.file_name.as_ref().map(|name| Name::read(name, "the file name of document")).transpose()?;
    let file = form.file(part).await?;
    match file.is_empty() {
        true => Err(Failure::of(problem::EMPTY_BODY, "document: found no bytes, expected a file")),
        false => Ok((file, name)),
    }
}

/// Reads a part that is a detached content, and keeps it.
pub(super) async fn content(
    part: Part,
    form: &mut Form<'_>,
    contents: &mut Vec<(Name, FileBytes)>,
) -> Result<(), Failure> {
    let file_name = part.file_name.clone();
    let file = form.file(part).await?;
    // What a browser sends where no file was chosen.
    if file.is_empty() && file_name.is_none() {
        return Ok(());
    }
    contents.push((Name::read(&file_name.unwrap_or_default(), "the file name of contents")?, file));
    match contents.len() <= submission::CONTENTS {
        true => Ok(()),
        false => {
            Err(Failure::of(problem::BAD_PARAMETER, format!("contents: expected at most {}", submission::CONTENTS)))
        }
    }
}

impl Parts {
    async fn take(&mut self, part: Part, form: &mut Form<'_>) -> Result<(), Failure> {
        let called = part.name.clone();
        match &*called {
            "document" => once(&mut self.document, document(part, form).await?, &called),
            "contents" => content(part, form, &mut self.contents).await,
            "name" | "password" | "time" => {
                let text = part.text().await?;
                if text.is_empty() {
                    return Ok(());
                }
                match &*called {
                    "name" => once(&mut self.name, Name::read(&text, &called)?, &called),
                    "time" => once(&mut self.time, submission::time(&text)?, &called),
                    _ => once(&mut self.password, submission::password(text)?, &called),
                }
            }
            _ => Err(part.unknown("document, name, password, contents or time")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::multipart::HEAD;
    use super::*;
    use axum::http::HeaderMap;
    use std::time::Duration;

    fn part(head: &str, bytes: &[u8]) -> Vec<u8> {
        [format!("--b\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(), bytes, b"\r\n"].concat()
    }

    fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let parts: Vec<_> = parts.iter().map(|(head, bytes)| part(head, bytes)).collect();
        [&parts.concat()[..], b"--b--\r\n"].concat()
    }

    async fn read(body: impl Into<Body>) -> Result<Submission, Failure> {
        let uploads = Uploads { limit: 1 << 23, time: Duration::from_secs(20), folder: std::env::temp_dir() };
        uploads.form(&HeaderMap::new(), body.into(), "b").await
    }

    const FILE: (&str, &[u8]) = (r#"name="document"; filename="a.pdf""#, b"%PDF-");

    #[tokio::test]
    async fn parts() {
        let large = vec![7; 3 << 20];
        let found = read(form(&[
            (r#"name="contents"; filename="../b.txt""#, b"b"),
            (r#"name="contents"; filename="large""#, &large),
            (r#"name="contents"; filename="""#, b""),
            (r#"name="password""#, "pä ss".as_bytes()),
            (r#"name="name""#, b""),
            (r#"name="time""#, b"2027-01-01T00:00:00Z"),
            FILE,
        ]))
        .await
        .unwrap();
        assert_eq!(&found.file[..], b"%PDF-");
        assert_eq!(found.name.unwrap().as_str(), "a.pdf");
        assert_eq!(found.password.unwrap().as_str(), "pä ss");
        assert_eq!(found.time.unwrap().to_string(), "2027-01-01T00:00:00Z");
        let contents: Vec<_> = found.contents.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
        assert_eq!(contents, [("../b.txt", &b"b"[..]), ("large", &large[..])]);
        let named = read(form(&[FILE, (r#"name="name""#, b"other.pdf")])).await.unwrap();
        assert_eq!(named.name.unwrap().as_str(), "other.pdf");
        assert!(read(form(&[(r#"name="document""#, b"x")])).await.unwrap().name.is_none());
    }

    /// Checks that a form is the same however it is cut into pieces.
    #[tokio::test]
    async fn pieces() {
        let bytes = form(&[FILE, (r#"name="contents"; filename="b""#, b"\r\n--\r\n--a\r\n")]);
        for length in [1, 2, 3, 7, 64] {
            let pieces: Vec<_> = bytes.chunks(length).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect();
            let found = read(Body::from_stream(futures_util::stream::iter(pieces))).await.unwrap();
            assert_eq!(
                (&found.file[..], &found.contents[0].1[..]),
                (&b"%PDF-"[..], &b"\r\n--\r\n--a\r\n"[..]),
                "{length}"
            );
        }
    }

    #[tokio::test]
    async fn refused() {
        let long = "x".repeat(HEAD);
        let many = vec![(r#"name="contents"; filename="a""#, &b"a"[..]); 65];
        let whole = form(&[FILE]);
        let endless = [&vec![b'x'; 1 << 20][..], &whole].concat();
        let endless = endless.chunks(1 << 12).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
        for (situation, body, expected) in [
            ("no file", form(&[(r#"name="name""#, b"a")]).into(), "bad-form"),
            ("an empty file", form(&[(r#"name="document""#, b"")]).into(), "empty-body"),
            ("a file twice", form(&[FILE, FILE]).into(), "bad-form"),
            ("an unknown part", form(&[FILE, (r#"name="policy""#, b"a")]).into(), "bad-form"),
            ("a part without name", form(&[FILE, (r#"filename="a""#, b"a")]).into(), "bad-form"),
            ("a content without file name", form(&[FILE, (r#"name="contents""#, b"a")]).into(), "bad-parameter"),
            ("a name with a line end", form(&[FILE, (r#"name="name""#, b"a\r\nb")]).into(), "bad-parameter"),
            ("a name that is no UTF-8", form(&[FILE, (r#"name="name""#, b"\xff")]).into(), "bad-parameter"),
            ("a long password", form(&[FILE, (r#"name="password""#, long.as_bytes())]).into(), "bad-parameter"),
            ("no time", form(&[FILE, (r#"name="time""#, b"now")]).into(), "bad-parameter"),
            ("many contents", form(&many).into(), "bad-parameter"),
            ("too long", form(&[(r#"name="document""#, &vec![0; 1 << 23])]).into(), "too-large"),
            ("no end", whole[..whole.len() - 8].to_vec().into(), "bad-form"),
            ("another boundary", Body::from("--c\r\n\r\n\r\n--c--"), "bad-form"),
            ("nothing", Body::empty(), "bad-form"),
            ("a head that does not end", Body::from_stream(futures_util::stream::iter(endless)), "bad-form"),
        ] {
            match read(body).await {
                Err(Failure::Problem { kind, .. }) => assert_eq!(kind.name, expected, "{situation}"),
                Err(failure) => panic!("{situation}: {failure:?}"),
                Ok(_) => panic!("{situation}: taken"),
            }
        }
    }
}
