//! The XML form: RFC 5698 §3, with the elements of TS 119 322.

use super::*;

/// Levels of elements; the schema's deepest has 6.
const NESTING: usize = 32;

type Result<T> = std::result::Result<T, xml_reader::Error>;

pub(super) fn read(text: &str) -> Result<Catalogue> {
    let mut pull = XmlReader::new(text, NESTING);
    let root = pull.root()?;
    if root.name() != "SecuritySuitabilityPolicy" {
        let what = format!("found the root element <{}>, expected <SecuritySuitabilityPolicy>", root.name());
        return Err(pull.wrong_in(&root, what));
    }
    let mut catalogue = Catalogue::default();
    pull.children(|pull, child| {
        match child.name() {
            "PolicyName" => catalogue.name = pull.texts("Name")?.pop(),
            "PolicyIssueDate" => catalogue.issued = Some(pull.value_with(date)?),
            "Algorithm" => catalogue.algorithms.push(algorithm(pull)?),
            _ => {}
        }
        Ok::<(), xml_reader::Error>(())
    })?;
    pull.end()?;
    if catalogue.algorithms.is_empty() {
        return Err(pull.wrong_in(&root, "<SecuritySuitabilityPolicy> has no <Algorithm>"));
    }
    Ok(catalogue)
}

fn algorithm(pull: &mut XmlReader<'_>) -> Result<(Identifier, Vec<Evaluation>)> {
    let (mut identifier, mut evaluations) = (Identifier::default(), vec![]);
    pull.children(|pull, child| {
        match child.name() {
            "AlgorithmIdentifier" => pull.children(|pull, child| {
                match child.name() {
                    "Name" => identifier.name = pull.text()?.trim().to_owned(),
                    "ObjectIdentifier" => identifier.oids.push(pull.text()?.trim().to_owned()),
                    "URI" => identifier.uris.push(pull.text()?.trim().to_owned()),
                    _ => {}
                }
                Ok::<(), xml_reader::Error>(())
            })?,
            "Evaluation" => evaluations.extend(evaluation(pull)?),
            _ => {}
        }
        Ok::<(), xml_reader::Error>(())
    })?;
    Ok((identifier, evaluations))
}

/// Returns `None` for one that is about a parameter that we do not understand.
fn evaluation(pull: &mut XmlReader<'_>) -> Result<Option<Evaluation>> {
    let (mut evaluation, mut understood) = (Evaluation::default(), true);
    pull.children(|pull, child| {
        match child.name() {
            "Parameter" => {
                let name = pull.required(child, "name")?;
                let about_key = is_key_length(&name);
                understood &= is_understood(&name);
                pull.children(|pull, child| {
                    match child.name() {
                        "Min" if about_key => evaluation.minimum = pull.value()?,
                        "Max" if about_key => evaluation.maximum = Some(pull.value()?),
                        _ => {}
                    }
                    Ok::<(), xml_reader::Error>(())
                })?;
            }
            "Validity" => pull.children(|pull, child| {
                match child.name() {
                    "Start" => evaluation.start = Some(pull.value_with(date)?),
                    "End" => evaluation.end = Some(pull.value_with(date)?),
                    _ => {}
                }
                Ok::<(), xml_reader::Error>(())
            })?,
            _ => {}
        }
        Ok::<(), xml_reader::Error>(())
    })?;
    Ok(understood.then_some(evaluation))
}
