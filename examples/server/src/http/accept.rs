//! Which of the forms on offer a caller wants: RFC 9110 §12.5.1.

use super::failure::Failure;
use super::problem;
use axum::http::{HeaderMap, header};

/// Returns the form that `Accept` rates highest; of equals the first on offer, which is also what callers without
/// `Accept` get.
///
/// # Errors
///
/// 406 when the caller accepts none of them.
pub fn choose<T: Copy>(headers: &HeaderMap, offers: &[(&'static str, T)]) -> Result<T, Failure> {
    let mut ranges = vec![];
    for value in headers.get_all(header::ACCEPT) {
        let text = value.to_str().unwrap_or_default();
        ranges.extend(text.split(',').filter_map(Range::read));
    }
    let quality = |media: &str| {
        let of_this = ranges.iter().filter(|range| range.matches(media));
        of_this.max_by_key(|range| range.specificity).map_or(0, |range| range.quality)
    };
    let mut best = None;
    for (media, form) in offers {
        let quality = if ranges.is_empty() { 1000 } else { quality(media) };
        if quality > best.map_or(0, |(quality, _)| quality) {
            best = Some((quality, *form));
        }
    }
    best.map(|(_, form)| form).ok_or_else(|| {
        let media: Vec<_> = offers.iter().map(|(media, _)| *media).collect();
        Failure::of(problem::NOT_ACCEPTABLE, format!("available are {}", media.join(", ")))
    })
}

/// One media range with its weight in thousandths.
struct Range<'a> {
    kind: &'a str,
    subtype: &'a str,
    specificity: u8,
    quality: u16,
}

impl<'a> Range<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subtype) = parts.next()?.split_once('/')?;
        let weight = parts.find_map(|parameter| parameter.strip_prefix("q=").or(parameter.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |q| q.parse::<f32>().ok().filter(|q| (0.0..=1.0).contains(q)))?;
        let specificity = match (kind, subtype) {
            ("*", _) => 0,
            (_, "*") => 1,
            _ => 2,
        };
        Some(Self { kind, subtype, specificity, quality: (weight * 1000.0) as u16 })
    }

    fn matches(&self, media: &str) -> bool {
        let (kind, subtype) = media.split_once('/').unwrap_or((media, ""));
        let one = |range: &str, name: &str| range == "*" || range.eq_ignore_ascii_case(name);
        one(self.kind, kind) && one(self.subtype, subtype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let offers = [("text/plain", 't'), ("application/xml", 'x'), ("application/pdf", 'p')];
        for (clause, accept, expected) in [
            ("12.5.1: no field", None, Some('t')),
            ("12.5.1: anything", Some("*/*"), Some('t')),
            ("one", Some("application/xml"), Some('x')),
            ("case", Some("Application/PDF"), Some('p')),
            ("weights", Some("application/xml;q=0.5, application/pdf; q=0.9"), Some('p')),
            ("specific before general", Some("*/*;q=0.1, application/xml"), Some('x')),
            ("refused by weight", Some("text/plain;q=0, */*"), Some('x')),
            ("subtype range", Some("application/*"), Some('x')),
            ("none", Some("image/png"), None),
            ("a browser", Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), Some('x')),
            ("unreadable ranges count for nothing", Some("what"), Some('t')),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            assert_eq!(choose(&headers, &offers).ok(), expected, "{clause}");
        }
    }
}
