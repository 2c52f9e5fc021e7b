//! What is changed in a container.

use crate::random::Random;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Objects, Pdf};
use lacre_testkit::zip::{Entry, FILES, Zip, manifest, package, unicode_path};

/// A change of a container.
pub struct Edit {
    pub name: &'static str,
    pub harmless: bool,
    pub make: fn(&mut Zip, &mut Random, &Lab) -> Option<()>,
}

macro_rules! edits {
    ($($harmless:literal $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), harmless: $harmless, make: $make },)*]
    };
}

/// All of them.
pub const EDITS: &[Edit] = edits! {
    false content_changed,
    false content_and_length,
    false entry_removed,
    false entry_added,
    false entry_added_with_manifest,
    false twin_named,
    false twin_of_form,
    false same_name_before,
    false same_name_behind,
    false unlisted_twin,
    false listed_twin,
    false local_name,
    false listed_name,
    false names_swapped,
    false path_swapped,
    false path_listed,
    false folder_with_data,
    false comment_added,
    false comment_document,
    false prefix_added,
    false gap_filled,
    false before_directory,
    false suffix_added,
    false archive_behind,
    false archive_before,
    false count_wrong,
    false link_made,
    false executable_bits,
    false unreadable_signature,
    false second_manifest,
    false page_in_meta,
    false mimetype_changed,
    false mimetype_gone,
    false renamed,
    false header_in_extra,
    false local_method,
    false local_size,
    false descriptor_lies,
    false directory_leads_astray,
    false flag_encrypted,
    false flag_of_names,
    false long_sizes,
    false name_in_comment,
    false device_named,
    true streamed,
    true standard_file,
    true deflated_again,
    true order_of_directory,
    true order_of_entries,
    true folder_entry,
    true times,
};

/// The members outside META-INF, by place.
fn members(zip: &Zip) -> Vec<usize> {
    let inside = |entry: &Entry| !entry.name.starts_with(b"META-INF") && entry.name != b"mimetype";
    zip.entries.iter().enumerate().filter(|(_, entry)| inside(entry)).map(|(at, _)| at).collect()
}

fn member(zip: &Zip, random: &mut Random) -> Option<usize> {
    random.pick(&members(zip)).copied()
}

const OTHER: &[u8] = b"pay 900,000";

/// A document of another type that shows what nobody signed.
fn stranger(random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => format!("<html><body>{EVIL}</body></html>").into_bytes(),
        1 => Zip::of(&[("contract.txt", OTHER)]).bytes(),
        _ => Pdf::page(EVIL, Objects::new()).bytes,
    }
}

fn content_changed(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    *zip.entries[at].data.last_mut()? ^= 1;
    Some(())
}

fn content_and_length(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let length = zip.entries[at].data.len() as u32;
    zip.entries[at].data.extend(b"0,000");
    zip.entries[at].local_data_length = Some(length);
    Some(())
}

fn entry_removed(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries.remove(at);
    Some(())
}

fn insert(zip: &mut Zip, random: &mut Random, entry: Entry) {
    let at = 1 + random.below(zip.entries.len());
    zip.entries.insert(at, entry);
}

fn entry_added(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let name =
        random.of(&["evil.txt", "sub/evil.txt", "README", "contract.pdf", ".hidden", "desktop.ini", "index.html"]);
    insert(zip, random, Entry::new(name, OTHER));
    Some(())
}

fn entry_added_with_manifest(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.retain(|entry| entry.name != b"META-INF/manifest.xml");
    insert(zip, random, Entry::new("evil.txt", OTHER));
    let names: Vec<String> = members(zip).iter().map(|at| zip.entries[*at].title()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    zip.entries.push(Entry::new("META-INF/manifest.xml", &package(&names)));
    Some(())
}

/// A second file that is taken for the signed one.
fn twin_named(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let name = zip.entries[at].title();
    let upper = name.to_uppercase();
    let twin = match random.below(20) {
        0 => upper,
        1 => format!("{name} "),
        2 => format!("{name}."),
        3 => format!("./{name}"),
        4 => format!(".//{name}"),
        5 => format!("/{name}"),
        6 => format!("{name}/"),
        7 => format!("{name}:stream"),
        8 => format!("{name}::$DATA"),
        9 => format!("x/../{name}"),
        10 => format!("x\\..\\{name}"),
        11 => format!(".\\{name}"),
        12 => format!("{name}\0.exe"),
        13 => name.replacen('c', "\u{441}", 1),
        14 => name.replacen('t', "t\u{200b}", 1),
        15 => format!("\u{feff}{name}"),
        16 => name.replacen('o', "\u{ff4f}", 1),
        17 => format!("META-INF/{name}"),
        18 => format!("\u{202e}{}", name.chars().rev().collect::<String>()),
        _ => format!("C:{name}"),
    };
    (twin != name).then_some(())?;
    insert(zip, random, Entry::new(&twin, OTHER));
    Some(())
}

/// The same name in another Unicode form.
fn twin_of_form(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    use unicode_normalization::UnicodeNormalization as _;
    let at = members(zip).into_iter().find(|at| !zip.entries[*at].title().is_ascii())?;
    let twin: String = zip.entries[at].title().nfd().collect();
    insert(zip, random, Entry::new(&twin, OTHER));
    Some(())
}

fn same_name(zip: &mut Zip, random: &mut Random, before: bool) -> Option<()> {
    let at = member(zip, random)?;
    let mut twin = zip.entries[at].clone();
    twin.data = OTHER.to_vec();
    zip.entries.insert(if before { at } else { at + 1 }, twin);
    Some(())
}

fn same_name_before(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    same_name(zip, random, true)
}

fn same_name_behind(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    same_name(zip, random, false)
}

fn unlisted_twin(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let twin = Entry { data: OTHER.to_vec(), unlisted: true, ..zip.entries[at].clone() };
    let at = at + random.below(2);
    zip.entries.insert(at, twin);
    Some(())
}

/// An entry whose local name is another, listed under the signed one's.
fn listed_twin(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let name = zip.entries[at].name.clone();
    let twin = Entry { listed_name: Some(name), ..Entry::new("other.txt", OTHER) };
    insert(zip, random, twin);
    Some(())
}

fn local_name(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].listed_name = Some(zip.entries[at].name.clone());
    zip.entries[at].name = b"other.txt".to_vec();
    Some(())
}

fn listed_name(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].listed_name = Some(b"other.txt".to_vec());
    Some(())
}

fn names_swapped(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    let [one, other, ..] = members(zip)[..] else { return None };
    let name = zip.entries[one].name.clone();
    zip.entries[one].name = std::mem::replace(&mut zip.entries[other].name, name);
    Some(())
}

/// Extra fields that say other names.
fn path_swapped(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let [one, other, ..] = members(zip)[..] else { return None };
    let names = [zip.entries[one].title(), zip.entries[other].title()];
    zip.entries[one].extra = unicode_path(&names[1], &names[0]);
    if random.chance(2) {
        zip.entries[other].extra = unicode_path(&names[0], &names[1]);
    }
    Some(())
}

fn path_listed(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let name = zip.entries[at].title();
    let path = unicode_path(random.of(&["evil.txt", "../evil.txt", "CONTRACT.TXT"]), &name);
    match random.chance(2) {
        true => zip.entries[at].listed_extra = Some(path),
        false => (zip.entries[at].extra, zip.entries[at].listed_extra) = (path, Some(vec![])),
    }
    Some(())
}

fn folder_with_data(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    insert(zip, random, Entry { attributes: 0x10, ..Entry::new("pages/", OTHER) });
    Some(())
}

fn comment_added(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.comment = random.of(&["The buyer pays 1,000,000 euros.", "mimetype=text/plain", "PK\u{5}\u{6}"]).into();
    Some(())
}

fn comment_document(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.comment = stranger(random);
    Some(())
}

fn prefix_added(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.prefix = match random.below(3) {
        0 => b"MZ this starts on other systems\n".to_vec(),
        1 => [b"PK\x05\x06".to_vec(), vec![0; 18], stranger(random)].concat(),
        _ => stranger(random),
    };
    Some(())
}

fn gap_filled(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = random.below(zip.entries.len());
    zip.entries[at].gap = stranger(random);
    Some(())
}

fn before_directory(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.before_directory = stranger(random);
    Some(())
}

fn suffix_added(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.suffix = stranger(random);
    Some(())
}

/// Another archive behind: its directory is the last.
fn archive_behind(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.suffix = Zip { prefix: vec![], ..Zip::of(&[("contract.txt", OTHER)]) }.bytes();
    Some(())
}

fn archive_before(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.prefix = Zip::of(&[("contract.txt", OTHER)]).bytes();
    Some(())
}

fn count_wrong(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    insert(zip, random, Entry::new("evil.txt", OTHER));
    zip.stated = Some(zip.entries.len() as u16 - 1);
    Some(())
}

/// A symbolic link with the signed content.
fn link_made(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].attributes = 0o120_777 << 16;
    Some(())
}

fn executable_bits(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].attributes = 0o100_755 << 16;
    Some(())
}

fn unreadable_signature(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["META-INF/signature009.p7s", "META-INF/signatures009.xml", "META-INF/timestamp.tst"]);
    insert(zip, random, Entry::new(name, b"garbage"));
    Some(())
}

fn second_manifest(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let other = [("contract.txt", OTHER), FILES[1]];
    let name = random.of(&["META-INF/ASiCManifest000.xml", "META-INF/ASiCManifest009.xml"]);
    insert(zip, random, Entry::new(name, &manifest(&other, "META-INF/signature001.p7s")));
    Some(())
}

fn page_in_meta(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["META-INF/contract.txt", "META-INF/evil.pdf", "META-INF/x/evil.txt"]);
    insert(zip, random, Entry::new(name, OTHER));
    Some(())
}

fn mimetype_changed(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.first_mut()?.data =
        random.of(&["text/plain", "application/vnd.oasis.opendocument.text", "application/epub+zip"]).into();
    Some(())
}

fn mimetype_gone(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.remove(0);
    Some(())
}

fn renamed(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    // EN 319 162-1 §4.3.3.2: CMS beside one file says nothing of its name.
    zip.entries.iter().all(|entry| entry.name != b"META-INF/signature.p7s").then_some(())?;
    zip.entries[at].name = b"invoice.txt".to_vec();
    Some(())
}

/// The beginning of a PDF in an extra field, the rest in the comment.
fn header_in_extra(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    let header = b"%PDF-1.7\n";
    let field = [&0x9999u16.to_le_bytes()[..], &(header.len() as u16).to_le_bytes(), header].concat();
    let first = zip.entries.first_mut()?;
    (first.extra, first.listed_extra) = (field, Some(vec![]));
    zip.comment = Pdf::page(EVIL, Objects::new()).bytes;
    Some(())
}

/// The local header says another method than the directory.
fn local_method(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].local_method = Some(if zip.entries[at].deflated { 0 } else { 8 });
    Some(())
}

/// The local header says another size: what follows is another entry for readers of streams.
fn local_size(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].deflated = false;
    zip.entries[at].local_size = Some(zip.entries[at].data.len() as u32 - random.below(3).min(1) as u32 - 1);
    if random.chance(2) {
        zip.entries[at].gap = Zip { comment: vec![], ..Zip::of(&[("contract.txt", OTHER)]) }.bytes();
    }
    Some(())
}

/// Sizes in a header that leaves them to the descriptor, and others there.
fn descriptor_lies(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let entry = &mut zip.entries[at];
    (entry.streamed, entry.deflated) = (true, random.chance(2));
    entry.local_size = Some(random.of(&["1", "3", "4000000000"]).parse().unwrap_or_default());
    Some(())
}

/// The directory leads to another entry than that of the name.
fn directory_leads_astray(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].listed_place = match random.chance(2) {
        true => {
            let twin = Entry { unlisted: true, data: OTHER.to_vec(), ..zip.entries[at].clone() };
            zip.entries.push(twin);
            Some(zip.entries.len() - 1)
        }
        false => Some(member(zip, random)?),
    };
    Some(())
}

fn flag_encrypted(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].flags |= if random.chance(2) { 1 } else { 1 << 13 };
    Some(())
}

/// Whether the name is in UTF-8 or in the code page of DOS.
fn flag_of_names(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    let at = members(zip).into_iter().find(|at| !zip.entries[*at].title().is_ascii())?;
    zip.entries[at].flags ^= 0x800;
    Some(())
}

/// ZIP64 sizes that are not asked for, and are others.
fn long_sizes(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    let size = if random.chance(2) { 3u64 } else { zip.entries[at].data.len() as u64 };
    zip.entries[at].extra = [&[1, 0, 16, 0][..], &size.to_le_bytes(), &size.to_le_bytes()].concat();
    Some(())
}

/// The comment names a type.
fn name_in_comment(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    zip.comment = random.of(&["mimetype=application/vnd.etsi.asic-s+zip", "mimetype=application/zip"]).into();
    Some(())
}

/// Names that are devices or settings where they are unpacked.
fn device_named(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&[
        "NUL",
        "con.txt",
        "aux",
        "contract.txt\u{ad}",
        "contract.txt\t",
        "/contract.txt",
        "contract.txt::$DATA",
    ]);
    insert(zip, random, Entry::new(name, OTHER));
    Some(())
}

/// As it is written by whoever does not know the sizes beforehand.
fn streamed(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.iter_mut().skip(1).for_each(|entry| (entry.deflated, entry.streamed) = (true, true));
    Some(())
}

fn standard_file(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["META-INF/container.xml", "META-INF/metadata.xml"]);
    let taken = zip.entries.iter().any(|entry| entry.name == name.as_bytes());
    (!taken).then(|| zip.entries.push(Entry::new(name, b"<x/>")))
}

fn deflated_again(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.iter_mut().skip(1).for_each(|entry| entry.deflated = !entry.deflated);
    Some(())
}

fn order_of_directory(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.reversed = true;
    Some(())
}

fn order_of_entries(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.entries[1..].rotate_left(1);
    Some(())
}

fn folder_entry(zip: &mut Zip, _: &mut Random, _: &Lab) -> Option<()> {
    zip.entries.push(Entry { attributes: 0x10, ..Entry::new("META-INF/", b"") });
    Some(())
}

/// The extra field of times that Info-ZIP writes.
fn times(zip: &mut Zip, random: &mut Random, _: &Lab) -> Option<()> {
    let at = member(zip, random)?;
    zip.entries[at].extra = vec![0x55, 0x54, 5, 0, 1, 0, 0, 0, 0x65];
    Some(())
}
