use super::{Imprint, Token};
use crate::facts::TimestampType;
use crate::formats::content::Content;
use crate::formats::contents::Contents;
use crate::formats::draft::{CoveredObject, Draft};
use crate::formats::scope::SignedScope;

/// Returns a time-stamp that stands alone, over one of the contents supplied with it.
pub fn standalone<'a>(token: &Token<'a>, contents: &Contents<'_>) -> Draft<'a> {
    let stamped = |content: &&Content<'_>| {
        let stated = &token.info.imprint;
        stated.algorithm.and_then(|algorithm| content.digest(algorithm)).is_some_and(|d| d == stated.value.0)
    };
    // The content that has the imprint; where none has it, the first one is what does not match.
    let content = contents.iter().find(stamped).or(contents.first());
    content.into_iter().for_each(Content::refer);
    let compute = |algorithm| content.and_then(|content| content.digest(algorithm)).into_iter().collect();
    let imprint = if content.is_some() { Imprint::Computed(&compute) } else { Imprint::Missing };
    let mut draft = token.draft(TimestampType::Content, imprint, &[]);
    draft.facts.file = Some(contents.file()).filter(|file| !file.is_empty()).map(str::to_owned);
    let subject = content.map(SignedScope::whole).unwrap_or_default();
    draft.facts.scopes = subject.scopes;
    draft.covers = CoveredObject::signed_data(&draft.facts.scopes).collect();
    Draft { timestamps: vec![draft], signed_data: subject.signed_data, ..Draft::default() }
}
