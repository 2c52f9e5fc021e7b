//! Joining `xml:base` values: Canonical XML 1.1 §2.4 and its appendix on RFC 3986 §5.2.

/// Returns the value that stands for `reference` inside `base`.
///
/// As RFC 3986's reference resolution, but that the base may itself be relative, a fragment is dropped, and leading
/// `..` that have nothing to remove stay.
pub(super) fn joined_base(base: &str, reference: &str) -> String {
    let reference = Reference::of(reference);
    let base = Reference::of(base);
    let mut joined = Reference { query: reference.query, ..base };
    let path;
    if reference.scheme.is_some() {
        joined = Reference { ..reference };
        path = without_dots(reference.path);
    } else if reference.authority.is_some() {
        joined.authority = reference.authority;
        path = without_dots(reference.path);
    } else if reference.path.is_empty() {
        joined.query = reference.query.or(base.query);
        path = without_dots(base.path);
    } else if reference.path.starts_with('/') {
        path = without_dots(reference.path);
    } else {
        let directory = base.path.rfind('/').map_or("", |slash| &base.path[..=slash]);
        // A base that ends in ".." names a directory.
        let directory = match base.path.rsplit('/').next() {
            Some("..") => format!("{}/", base.path),
            _ if directory.is_empty() && base.authority.is_some() => "/".into(),
            _ => directory.to_string(),
        };
        path = without_dots(&format!("{directory}{}", reference.path));
    }
    let mut text = String::new();
    for (before, part, after) in
        [("", joined.scheme, ":"), ("//", joined.authority, ""), ("", Some(&path[..]), ""), ("?", joined.query, "")]
    {
        if let Some(part) = part {
            text.extend([before, part, after]);
        }
    }
    text
}

#[derive(Clone, Copy)]
struct Reference<'t> {
    scheme: Option<&'t str>,
    authority: Option<&'t str>,
    path: &'t str,
    query: Option<&'t str>,
}

impl<'t> Reference<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.split('#').next().unwrap_or_default();
        let (text, query) = text.split_once('?').map_or((text, None), |(text, query)| (text, Some(query)));
        let is_scheme = |scheme: &str| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        };
        let (scheme, text) = match text.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, text),
        };
        let (authority, path) = match text.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, text),
        };
        Self { scheme, authority, path, query }
    }
}

/// Removes `.` and `..` with what they undo, and empty segments.
fn without_dots(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = vec![];
    let segments: Vec<&str> = path.split('/').collect();
    let last = segments.len() - 1;
    let mut directory = false;
    for (at, segment) in segments.iter().enumerate() {
        directory = at == last && matches!(*segment, "" | "." | "..");
        match *segment {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&"..") | None if !absolute => kept.push(".."),
                _ => {
                    kept.pop();
                }
            },
            name => kept.push(name),
        }
    }
    let mut text = String::from(if absolute { "/" } else { "" });
    text.push_str(&kept.join("/"));
    if directory && !kept.is_empty() {
        text.push('/');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins() {
        for (base, reference, expected) in [
            ("http://www.example.com/", "foo/bar", "http://www.example.com/foo/bar"),
            ("http://www.example.com/a/b", "../x", "http://www.example.com/x"),
            ("../x", "y", "../y"),
            ("abc/", "../", ""),
            ("../abc/..", "..", "../../"),
            ("../..", "/", "/"),
            ("http://a/b?c", "", "http://a/b?c"),
            ("a/b#c", "d", "a/d"),
            ("http://a", "b", "http://a/b"),
            ("x/y", "ftp://h/p/./q", "ftp://h/p/q"),
        ] {
            assert_eq!(joined_base(base, reference), expected, "Canonical XML 1.1 §2.4: {base} {reference}");
        }
    }
}
