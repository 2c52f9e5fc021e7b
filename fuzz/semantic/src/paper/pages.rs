//! The pages and the tree that they are in.

use super::{Done, Draft, Edit, edits, never};
use crate::random::Random;
use lacre_testkit::pdf::{EVIL, Value, line, object, stream, value};

pub(super) const EDITS: &[Edit] = edits! {
    never parent_redirected,
    never kids_reordered,
    never page_removed,
    never page_added,
    never page_added_uncounted,
    never page_repeated,
    never page_exchanged,
    never pages_redirected,
    never catalog_redirected,
    never box_changed,
    never tree_box_changed,
    never rotated,
    never unit_changed,
    never resources_dropped,
    never kids_nested,
    never page_retyped,
};

fn parent_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let parent = draft.referred(page, "Parent")?;
    let mut other = draft.get(parent)?;
    match random.below(3) {
        0 => other.value.set("CropBox", "[0 0 200 200]"),
        1 => other.value.set("Rotate", "180"),
        _ => {
            let font = draft.other_font();
            let font = draft.add(font);
            other.value.set("Resources", &format!("<< /Font << /F {font} /F1 {font} /F2 {font} >> >>"));
            draft.edit(page, |value| value.remove("Resources"))?;
        }
    }
    let other = draft.add(other);
    draft.set(page, "Parent", &other)
}

fn kids_reordered(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let tree = *random.pick(&draft.trees())?;
    let mut kids = draft.entry(tree, "Kids")?.items().to_vec();
    (kids.len() > 1).then(|| kids.rotate_left(1))?;
    draft.edit(tree, |value| value.put("Kids", Value::Array(kids)))
}

fn page_removed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let tree = *random.pick(&draft.trees())?;
    let mut kids = draft.entry(tree, "Kids")?.items().to_vec();
    (kids.len() > 1).then(|| kids.pop())?;
    if random.chance(2) {
        draft.set(tree, "Count", &kids.len().to_string())?;
    }
    draft.edit(tree, |value| value.put("Kids", Value::Array(kids)))
}

fn add_page(draft: &mut Draft<'_>, random: &mut Random, counted: bool) -> Done {
    let tree = *random.pick(&draft.trees())?;
    let content = draft.add(stream("", &line(EVIL)));
    let font = *draft.fonts().first()?;
    let page = draft.add(object(&format!(
        "<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Contents {content} /Resources << /Font << /F {font} 0 R >> >> >>"
    )));
    let mut kids = draft.entry(tree, "Kids")?.items().to_vec();
    let at = random.below(kids.len() + 1);
    kids.insert(at, value(&page));
    if counted {
        for tree in draft.trees() {
            let count: usize = draft.entry(tree, "Count")?.text().parse().ok()?;
            draft.set(tree, "Count", &(count + 1).to_string())?;
        }
    }
    draft.edit(tree, |value| value.put("Kids", Value::Array(kids)))
}

fn page_added(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    add_page(draft, random, true)
}

fn page_added_uncounted(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    add_page(draft, random, false)
}

fn page_repeated(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let tree = draft.referred(draft.root(), "Pages")?;
    let mut kids = draft.entry(tree, "Kids")?.items().to_vec();
    let copy = random.pick(&kids)?.clone();
    kids.push(copy);
    let count: usize = draft.entry(tree, "Count")?.text().parse().ok()?;
    draft.set(tree, "Count", &(count + 1).to_string())?;
    draft.edit(tree, |value| value.put("Kids", Value::Array(kids)))
}

/// A page in the place of another, under its number or a new one.
fn page_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let pages = draft.pages();
    let page = *random.pick(&pages)?;
    let evil = draft.evil(page);
    let content = draft.add(stream("", &evil));
    let mut copy = draft.get(page)?;
    copy.value.set("Contents", &content);
    if random.chance(2) {
        draft.put(page, copy);
        return Some(());
    }
    let tree = draft.referred(page, "Parent")?;
    let copy = draft.add(copy);
    let kids = draft.entry(tree, "Kids")?.to_string().replace(&format!("{page} 0 R"), &copy);
    draft.set(tree, "Kids", &kids)
}

fn pages_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let root = draft.root();
    let tree = draft.referred(root, "Pages")?;
    let content = draft.add(stream("", &line(EVIL)));
    let font = *draft.fonts().first()?;
    let page = draft.add(object(&format!(
        "<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 595 842] /Contents {content} /Resources << /Font << /F {font} 0 R >> >> >>"
    )));
    let other = object(&format!("<< /Type /Pages /Kids [{page}] /Count 1 >>"));
    if random.chance(2) {
        draft.put(tree, other);
        return Some(());
    }
    let other = draft.add(other);
    draft.set(root, "Pages", &other)
}

fn catalog_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let root = draft.get(draft.root())?;
    pages_redirected(draft, &mut Random(random.next() | 1))?;
    let changed = draft.get(draft.root())?;
    if changed == root {
        return None;
    }
    draft.changes.remove(&draft.pdf.root);
    let other = draft.add(changed);
    draft.trailer = format!("/Root {other}");
    Some(())
}

fn boxed(draft: &mut Draft<'_>, random: &mut Random, number: u32) -> Done {
    let key = random.of(&["MediaBox", "CropBox", "CropBox", "TrimBox", "BleedBox", "ArtBox"]);
    draft.set(number, key, random.of(&["[0 0 200 200]", "[0 0 595 700]", "[-500 0 595 842]", "[0 740 595 842]"]))
}

fn box_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    boxed(draft, random, page)
}

fn tree_box_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let tree = *random.pick(&draft.trees())?;
    boxed(draft, random, tree)
}

fn rotated(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = [draft.pages(), draft.trees()].concat();
    let number = *random.pick(&all)?;
    draft.set(number, "Rotate", random.of(&["90", "180", "270"]))
}

fn unit_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    draft.set(page, "UserUnit", random.of(&["2.0", "0.1"]))
}

/// What the page has of its own goes, so that it has what the tree says.
fn resources_dropped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let holders = draft.such(|object| object.value.get("Resources").is_some());
    let holder = *random.pick(&holders)?;
    let font = draft.other_font();
    let font = draft.add(font);
    if let Some(parent) = draft.referred(holder, "Parent").filter(|_| random.chance(2)) {
        draft.set(parent, "Resources", &format!("<< /Font << /F {font} /F1 {font} /F2 {font} >> >>"))?;
    }
    draft.edit(holder, |value| value.remove("Resources"))
}

/// A node of the tree between, which hands down something else.
fn kids_nested(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let parent = draft.referred(page, "Parent")?;
    let more = random.of(&["/Rotate 180", "/CropBox [0 0 200 200]", "/MediaBox [0 0 200 200]", "/Count 1", "/Kids []"]);
    let node =
        draft.add(object(&format!("<< /Type /Pages /Parent {parent} 0 R /Kids [{page} 0 R] {more} /Count 1 >>")));
    let kids = draft.entry(parent, "Kids")?.to_string().replace(&format!("{page} 0 R"), &node);
    draft.set(parent, "Kids", &kids)?;
    match random.chance(2) {
        true => draft.set(page, "Parent", &node),
        false => Some(()),
    }
}

/// A page that is called something else, or a node that is called a page.
fn page_retyped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let content = draft.add(stream("", &line(EVIL)));
    let kind = random.of(&["/Pages", "/Template", "/Page#20", "null"]);
    draft.set(page, "Type", kind)?;
    if random.chance(2) {
        draft.set(page, "Contents", &content)?;
    }
    Some(())
}
