//! Makes every cell of the matrix of creation and extension: files, and a manifest of what judges are to say of them.
//!
//! ```text
//! lacre-creation world FOLDER              certificates and keys, for others that make files
//! lacre-creation answers FOLDER TIME…        what the authorities answer at these times, a folder each
//! lacre-creation judge FOLDER LIST           what lacre says of files that others made
//! lacre-creation make FOLDER [ROW,…]       the cells
//! lacre-creation corpus FOLDER CORPUS       the PDF documents of the corpus, signed to LTA
//! ```

mod archival;
mod cell;
mod cms;
mod corpus;
mod documents;
mod pdf;
mod random;
mod steps;
mod world;

use lacre::Document;
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let world = world::World::new();
    let done = match arguments[..] {
        ["world", folder] => publish(&world, Path::new(folder)),
        ["answers", folder, ref moments @ ..] => answers(&world, Path::new(folder), moments),
        ["judge", _, list] => judge(&world, Path::new(list)),
        ["make", folder] => make(&world, folder, None),
        ["corpus", folder, corpus] => {
            let mut sheet = cell::Sheet::new(&world, Path::new(folder), None);
            corpus::rows(&mut sheet, Path::new(corpus)).and_then(|()| sheet.finish())
        }
        ["make", folder, rows] => make(&world, folder, Some(rows)),
        _ => {
            eprintln!(
                "usage: lacre-creation world FOLDER | answers FOLDER TIME… | judge FOLDER LIST | make FOLDER [ROW,…] | corpus FOLDER CORPUS"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lacre-creation: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The world, and documents for others to sign.
fn publish(world: &world::World, folder: &Path) -> std::io::Result<usize> {
    world.publish(folder)?;
    std::fs::write(folder.join("plain.pdf"), documents::plain())?;
    std::fs::write(folder.join("locked.pdf"), pdf::merged("/Lock << /Type /SigFieldLock /Action /All >>"))?;
    Ok(0)
}

fn answers(world: &world::World, folder: &Path, moments: &[&str]) -> std::io::Result<usize> {
    for moment in moments {
        world.publish_answers(&folder.join("answers").join(moment.replace(':', "")), world::time(moment))?;
    }
    Ok(0)
}

/// A verdict a line: the file, the contents and the time of each line of the list.
fn judge(world: &world::World, list: &Path) -> std::io::Result<usize> {
    for line in std::fs::read_to_string(list)?.lines() {
        let request: Value = serde_json::from_str(line)?;
        let text = |key: &str| request[key].as_str().unwrap_or_default().to_owned();
        let bytes = std::fs::read(text("file"))?;
        let mut contents = vec![];
        for content in request["contents"].as_array().into_iter().flatten() {
            let (path, name) = content.as_str().and_then(|text| text.rsplit_once('=')).unwrap_or_default();
            contents.push((name.to_owned(), std::fs::read(path)?));
        }
        let password = text("password");
        let mut document = Document::new(&bytes);
        for (name, bytes) in &contents {
            document = document.with_content(name.clone(), bytes);
        }
        if !password.is_empty() {
            document = document.with_password(password.as_bytes());
        }
        let answer = match world.validator().validate(&document, world::time(&text("time"))) {
            Err(error) => json!({ "id": request["id"], "exception": error.to_string() }),
            Ok(report) => {
                let said = report.signatures().map(|signature| {
                    let errors: Vec<String> =
                        signature.findings().map(|finding| format!("{} {}", finding.check, finding.message)).collect();
                    json!({
                        "level": signature.level().map(|level| level.as_str()),
                        "indication": signature.indication().to_string(),
                        "subIndication": signature.sub_indication().map(|sub| sub.to_string()),
                        "errors": errors,
                    })
                });
                json!({ "id": request["id"], "signatures": said.collect::<Vec<_>>() })
            }
        };
        println!("{answer}");
    }
    Ok(0)
}

fn make(world: &world::World, folder: &str, rows: Option<&str>) -> std::io::Result<usize> {
    let rows = rows.map(|rows| rows.split(',').map(str::to_owned).collect());
    let mut sheet = cell::Sheet::new(world, Path::new(folder), rows);
    cms::rows(&mut sheet);
    pdf::rows(&mut sheet);
    sheet.finish()
}
