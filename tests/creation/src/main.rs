//! Makes every cell of the matrix of creation and extension: files, and a manifest of what judges are to say of them.
//!
//! ```text
//! lacre-creation world FOLDER              certificates and keys, for others that make files
//! lacre-creation answers FOLDER TIME…        what the authorities answer at these times, a folder each
//! lacre-creation make FOLDER [ROW,…]       the cells
//! ```

mod archival;
mod cell;
mod cms;
mod documents;
mod pdf;
mod random;
mod steps;
mod world;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let world = world::World::new();
    let done = match arguments[..] {
        ["world", folder] => publish(&world, Path::new(folder)),
        ["answers", folder, ref moments @ ..] => answers(&world, Path::new(folder), moments),
        ["make", folder] => make(&world, folder, None),
        ["make", folder, rows] => make(&world, folder, Some(rows)),
        _ => {
            eprintln!("usage: lacre-creation world FOLDER | answers FOLDER TIME… | make FOLDER [ROW,…]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(cells) => {
            println!("{cells} cells");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("lacre-creation: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The world, and a document for others to sign.
fn publish(world: &world::World, folder: &Path) -> std::io::Result<usize> {
    world.publish(folder)?;
    std::fs::write(folder.join("plain.pdf"), documents::plain())?;
    for (name, bytes) in archival::documents() {
        std::fs::write(folder.join(format!("archival-{name}.pdf")), bytes)?;
    }
    for source in documents::builds().into_iter().chain(documents::encrypted()) {
        let name: String =
            source.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect();
        std::fs::write(folder.join(format!("source-{name}.pdf")), source.bytes)?;
    }
    Ok(0)
}

fn answers(world: &world::World, folder: &Path, moments: &[&str]) -> std::io::Result<usize> {
    for moment in moments {
        world.publish_answers(&folder.join("answers").join(moment.replace(':', "")), world::time(moment))?;
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
