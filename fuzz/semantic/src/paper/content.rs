//! What pages show: their content streams, fonts, forms and images.

use super::{Done, Draft, Edit, edits, never};
use crate::random::Random;
use lacre_testkit::pdf::{Object, Value, object, stream, value};

pub(super) const EDITS: &[Edit] = edits! {
    never content_replaced,
    never content_in_place,
    never content_appended,
    never content_dropped,
    never content_reordered,
    never content_exchanged,
    never content_generation,
    never content_null,
    never content_filtered,
    never content_hung,
    never font_in_place,
    never font_redirected,
    never font_unicode,
    never resources_redirected,
    never form_in_place,
    never form_redirected,
    never form_moved,
    never image_in_place,
    never unicode_in_place,
    never widths_changed,
};

pub(super) fn content_replaced(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let evil = draft.evil(page);
    let reference = draft.add(stream("", &evil));
    draft.set(page, "Contents", &reference)
}

fn content_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    Some(())
}

fn content_appended(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let evil = [b"1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), draft.evil(page)].concat();
    let reference = draft.add(stream("", &evil));
    let list: Vec<String> = draft.contents(page).iter().map(|number| format!("{number} 0 R")).collect();
    draft.set(page, "Contents", &format!("[{} {reference}]", list.join(" ")))
}

fn content_dropped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let mut list: Vec<String> = draft.contents(page).iter().map(|number| format!("{number} 0 R")).collect();
    list.pop()?;
    draft.set(page, "Contents", &format!("[{}]", list.join(" ")))
}

fn content_reordered(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let list: Vec<String> = draft.contents(page).iter().rev().map(|number| format!("{number} 0 R")).collect();
    (list.len() > 1).then_some(())?;
    draft.set(page, "Contents", &format!("[{}]", list.join(" ")))
}

fn content_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let pages = draft.pages();
    let (one, other) = (*random.pick(&pages)?, *random.pick(&pages)?);
    let (first, second) =
        (draft.get(one)?.value.get("Contents")?.clone(), draft.get(other)?.value.get("Contents")?.clone());
    (one != other).then_some(())?;
    draft.edit(one, |value| value.put("Contents", second))?;
    draft.edit(other, |value| value.put("Contents", first))
}

fn content_generation(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let list = draft.contents(page);
    let chosen = *random.pick(&list)?;
    let list: Vec<String> = list.iter().map(|number| format!("{number} {} R", u8::from(*number == chosen))).collect();
    draft.set(page, "Contents", &format!("[{}]", list.join(" ")))
}

fn content_null(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    draft.put(number, object("null"));
    Some(())
}

/// The same bytes under another filter: shown as garbage, or as nothing.
fn content_filtered(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let filter = random.of(&["/ASCIIHexDecode", "/FlateDecode", "[/ASCII85Decode]", "/RunLengthDecode"]);
    draft.set(number, "Filter", filter)
}

/// Places below which tools add what is not part of pages.
const TOLERATED: &[&str] = &[
    "DSS",
    "Metadata",
    "Extensions",
    "PieceInfo",
    "VRI",
    "Perms",
    "SpiderInfo",
    "AF",
    "Legal",
    "StructTreeRoot",
    "MarkInfo",
];

/// A stream of a page changed, and also referred to from a place that is tolerated.
fn content_hung(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    let (key, root) = (random.of(TOLERATED), draft.root());
    let inner = random.of(&["Contents", "Certs", "CRLs", "Kids", "V", "N", "Metadata", "TU"]);
    let hung = match random.below(3) {
        0 => format!("{number} 0 R"),
        1 => format!("<< /{inner} {number} 0 R >>"),
        _ => format!("<< /{inner} [{number} 0 R] >>"),
    };
    match random.below(3) {
        0 => draft.set(root, key, &hung),
        1 => {
            let hung = value(&hung);
            draft.edit(root, |catalog| {
                if let Value::Dictionary(entries) = catalog {
                    entries.insert(0, (key.to_owned(), hung));
                }
            })
        }
        _ => {
            let field = *random.pick(&draft.widgets("Sig"))?;
            draft.set(field, random.of(&["Lock", "SV", "MK", "AA", "Contents", "PMD"]), &hung)
        }
    }
}

fn font_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.fonts())?;
    let font = draft.other_font();
    draft.put(number, font);
    Some(())
}

/// The dictionaries of resources of an object, changed.
pub(super) fn of_resources(
    draft: &mut Draft<'_>,
    random: &mut Random,
    kind: &str,
    change: impl FnOnce(&mut Value),
) -> Done {
    let holders = draft.such(|object| object.value.get("Resources").is_some());
    let holder = *random.pick(&holders)?;
    let shared = draft.referred(holder, "Resources");
    let mut resources = draft.entry(holder, "Resources")?;
    change(resources.get_mut(kind)?);
    match shared.filter(|_| random.chance(2)) {
        Some(number) => draft.put(number, Object { value: resources, stream: None }),
        None => draft.edit(holder, |value| value.put("Resources", resources))?,
    }
    Some(())
}

fn font_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let font = draft.other_font();
    let reference = draft.add(font);
    of_resources(draft, random, "Font", |fonts| {
        let name = fonts.entries().first().map(|(name, _)| name.clone());
        name.into_iter().for_each(|name| fonts.set(&name, &reference));
    })
}

fn font_unicode(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let map = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <30> <31> <0038> endbfrange endcmap end end";
    let reference = draft.add(stream("", map));
    let number = *random.pick(&draft.fonts())?;
    draft.set(number, "ToUnicode", &reference)
}

fn resources_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let font = draft.other_font();
    let font = draft.add(font);
    let cover = draft.add_cover();
    draft.set(
        page,
        "Resources",
        &format!("<< /Font << /F {font} /F1 {font} /F2 {font} >> /XObject << /Fm0 {cover} /Im0 {cover} >> >>"),
    )
}

fn form_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.forms())?;
    let cover = draft.cover();
    draft.put(number, cover);
    Some(())
}

fn form_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let cover = draft.add_cover();
    of_resources(draft, random, "XObject", |list| {
        let names: Vec<String> = list.entries().iter().map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| list.set(name, &cover));
    })
}

fn form_moved(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.forms())?;
    match random.below(3) {
        0 => draft.set(number, "BBox", "[0 0 1 1]"),
        1 => draft.set(number, "Matrix", "[1 0 0 1 0 -300]"),
        _ => draft.set(number, "OC", "<< /Type /OCMD /OCGs [33 0 R] /P /AllOn >>"),
    }
}

fn image_in_place(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Subtype", "Image")).first()?;
    let mut image = draft.get(number)?;
    image.stream.as_mut()?.iter_mut().for_each(|byte| *byte ^= 0xff);
    draft.put(number, image);
    Some(())
}

fn unicode_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let fonts = draft.such(|object| object.value.get("ToUnicode").is_some());
    let number = draft.referred(*random.pick(&fonts)?, "ToUnicode")?;
    let mut map = draft.get(number)?;
    let text = String::from_utf8_lossy(map.stream.as_deref()?).replace("<0020>", random.of(&["<0021>", "<0120>"]));
    map.value.set("Length", &text.len().to_string());
    map.stream = Some(text.into_bytes());
    draft.put(number, map);
    Some(())
}

fn widths_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.fonts())?;
    draft.set(number, "FirstChar", "32")?;
    draft.set(number, "LastChar", "57")?;
    let width = random.of(&["0 ", "3000 ", "-500 "]).repeat(26);
    draft.set(number, "Widths", &format!("[{width}]"))
}
