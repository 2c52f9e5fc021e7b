//! What is changed in a PDF.

use crate::original::{Paper, another_list};
use crate::random::Random;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Object, Objects, Pdf, Value, line, object, stream, value};

/// An update in the making.
pub struct Draft<'a> {
    pub lab: &'a Lab,
    pub pdf: &'a Pdf,
    pub changes: Objects,
    pub trailer: String,
    next: u32,
}

/// A change of a document.
pub struct Edit {
    pub name: &'static str,
    /// Whether it may be made to such a document, whatever then is seen.
    pub permitted: fn(&Paper) -> bool,
    /// Makes it; `None` where the document has no place for it.
    pub make: fn(&mut Draft<'_>, &mut Random) -> Option<()>,
}

fn never(_: &Paper) -> bool {
    false
}

fn always(_: &Paper) -> bool {
    true
}

fn fill(paper: &Paper) -> bool {
    paper.p != Some(1) && !paper.locked
}

/// Certified so that annotations may be added.
fn certified(paper: &Paper) -> bool {
    paper.p == Some(3)
}

fn annotate(paper: &Paper) -> bool {
    paper.p.is_none_or(|p| p == 3)
}

macro_rules! edits {
    ($($permitted:ident $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), permitted: $permitted, make: $make },)*]
    };
}

/// All of them.
pub const EDITS: &[Edit] = edits! {
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
    never annotation_covers,
    never annotation_posing,
    never annotation_grows,
    never annotation_shown,
    never annotation_in_place,
    never annotation_redirected,
    never annotation_removed,
    never annotation_layer,
    never link_changed,
    never link_added,
    never note_changed,
    // What is permitted is counted only where it covers something.
    certified free_text_added,
    certified attachment_annotation,
    annotate note_in_margin,
    fill field_filled,
    fill box_ticked,
    // What is seen in a field that may be filled is whatever its filler wants.
    fill field_lies,
    never field_covers,
    never field_moved,
    fill tick_lies,
    never field_added,
    never field_removed,
    never form_font,
    never form_font_in_place,
    never need_appearances,
    never xfa_added,
    never signature_appearance,
    never signature_appearance_new,
    never signature_moved,
    never signature_reason,
    never embedded_in_place,
    never embedded_redirected,
    never embedded_renamed,
    never embedded_added,
    never associated_file,
    never script_added,
    never open_action,
    never additional_action,
    never outline_changed,
    never layer_switched,
    never layer_configured,
    never layer_name,
    never layer_of_content,
    never proofs_hung,
    never metadata_hung,
    never strange_proofs,
    never view_changed,
    never labels_changed,
    never collection_added,
    never structure_text,
    never reference_astray,
    never entry_astray,
    never atom_astray,
    never item_dropped,
    never items_swapped,
    never stream_astray,
    never stream_exchanged,
    never object_null,
    never object_exchanged,
    never unicode_in_place,
    never widths_changed,
    never resources_dropped,
    never kids_nested,
    never page_retyped,
    fill choice_lies,
    never parent_value_lies,
    never field_font_changed,
    never xfa_with_values,
    never structure_in_place,
    never destination_changed,
    always proofs_added,
    always proofs_again,
    always written_again,
    never metadata_changed,
    never language_changed,
    never permissions_removed,
};

/// The objects that a value refers to.
fn references(value: Option<&Value>, found: &mut Vec<u32>) {
    let Some(value) = value else { return };
    found.extend(value.reference());
    value
        .items()
        .iter()
        .chain(value.entries().iter().map(|(_, entry)| entry))
        .for_each(|one| references(Some(one), found));
}

impl<'a> Draft<'a> {
    pub fn of(lab: &'a Lab, pdf: &'a Pdf) -> Self {
        Self { lab, pdf, changes: Objects::new(), trailer: String::new(), next: pdf.free() }
    }

    fn get(&self, number: u32) -> Option<Object> {
        self.changes.get(&number).or_else(|| self.pdf.objects.get(&number)).cloned()
    }

    /// Whether nothing was done to an object so far. What a filled field shows is up to whoever fills it.
    fn is_as_signed(&self, number: u32) -> bool {
        !self.changes.contains_key(&number)
    }

    fn put(&mut self, number: u32, object: Object) {
        self.changes.insert(number, object);
    }

    fn add(&mut self, object: Object) -> String {
        self.next += 1;
        self.put(self.next - 1, object);
        format!("{} 0 R", self.next - 1)
    }

    fn edit(&mut self, number: u32, change: impl FnOnce(&mut Value)) -> Option<()> {
        let mut object = self.get(number)?;
        change(&mut object.value);
        self.put(number, object);
        Some(())
    }

    fn set(&mut self, number: u32, key: &str, text: &str) -> Option<()> {
        self.edit(number, |value| value.set(key, text))
    }

    /// The value itself, or that of the object it refers to.
    fn resolved(&self, value: &Value) -> Value {
        match value.reference().and_then(|number| self.get(number)) {
            Some(object) => object.value,
            None => value.clone(),
        }
    }

    /// Changes a value inside an object, be it there or in an object of its own.
    fn within(&mut self, number: u32, key: &str, change: impl FnOnce(&mut Value)) -> Option<()> {
        let entry = self.get(number)?.value.get(key)?.clone();
        match entry.reference() {
            Some(number) => self.edit(number, change),
            None => self.edit(number, |value| {
                if let Some(entry) = value.get_mut(key) {
                    change(entry);
                }
            }),
        }
    }

    fn root(&self) -> u32 {
        self.pdf.root
    }

    fn entry(&self, number: u32, key: &str) -> Option<Value> {
        Some(self.resolved(self.get(number)?.value.get(key)?))
    }

    fn referred(&self, number: u32, key: &str) -> Option<u32> {
        self.get(number)?.value.get(key)?.reference()
    }

    /// The numbers of objects that are so.
    fn such(&self, is: impl Fn(&Object) -> bool) -> Vec<u32> {
        self.pdf.objects.iter().filter(|(_, object)| is(object)).map(|(number, _)| *number).collect()
    }

    fn pages(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Page"))
    }

    fn trees(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Pages"))
    }

    fn annotations(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Annot"))
    }

    fn widgets(&self, kind: &str) -> Vec<u32> {
        self.such(|object| object.value.is("FT", kind))
    }

    fn fonts(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Font"))
    }

    fn forms(&self) -> Vec<u32> {
        let mut shown = vec![];
        for widget in ["Tx", "Btn", "Ch"].iter().flat_map(|kind| self.widgets(kind)) {
            self.get(widget).into_iter().for_each(|field| references(field.value.get("AP"), &mut shown));
        }
        // What a field shows is its filler's.
        let all = self.such(|object| object.value.is("Subtype", "Form"));
        all.into_iter().filter(|number| !shown.contains(number)).collect()
    }

    fn page(&self, random: &mut Random) -> Option<u32> {
        random.pick(&self.pages()).copied()
    }

    /// The streams that a page shows.
    fn contents(&self, page: u32) -> Vec<u32> {
        let Some(entry) = self.get(page).and_then(|object| object.value.get("Contents").cloned()) else {
            return vec![];
        };
        let list = self.resolved(&entry);
        match entry.reference() {
            Some(number) if list.items().is_empty() => vec![number],
            _ => list.items().iter().filter_map(Value::reference).collect(),
        }
    }

    /// A font that shows other digits.
    fn other_font(&mut self) -> Object {
        object(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [48 /nine /nine /eight] >> >>",
        )
    }

    /// A form XObject that covers a page with other text.
    fn cover(&mut self) -> Object {
        let font = self.fonts().first().map_or(String::new(), |font| format!("/Font << /F {font} 0 R >>"));
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {font} >>");
        stream(&entries, &[b"1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), line(EVIL)].concat())
    }

    fn add_cover(&mut self) -> String {
        let cover = self.cover();
        self.add(cover)
    }

    /// A small form with that text.
    fn label(&mut self, box_: &str, text: &str) -> Object {
        let font = self.fonts().first().map_or(String::new(), |font| format!("/Font << /F {font} 0 R >>"));
        let entries = format!("/Type /XObject /Subtype /Form /BBox {box_} /Resources << {font} >>");
        stream(&entries, format!("/Tx BMC q BT /F 12 Tf 2 5 Td ({text}) Tj ET Q EMC").as_bytes())
    }

    fn annotate(&mut self, page: u32, annotation: &str) -> Option<()> {
        let reference = self.add(object(annotation));
        if self.get(page)?.value.get("Annots").is_none() {
            self.set(page, "Annots", "[]")?;
        }
        self.within(page, "Annots", |list| list.push(&reference))
    }

    /// What a page shows in that font.
    fn evil(&mut self, page: u32) -> Vec<u8> {
        let resources = self.entry(page, "Resources").or_else(|| {
            let parent = self.referred(page, "Parent")?;
            self.entry(parent, "Resources")
        });
        let fonts = resources.and_then(|resources| resources.get("Font").map(|fonts| self.resolved(fonts)));
        let name = fonts.and_then(|fonts| fonts.entries().first().map(|(name, _)| name.clone()));
        let text = String::from_utf8_lossy(&line(EVIL)).into_owned();
        text.replace("/F ", &format!("/{} ", name.unwrap_or_else(|| "F".into()))).into_bytes()
    }
}

type Done = Option<()>;

fn content_replaced(draft: &mut Draft<'_>, random: &mut Random) -> Done {
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
fn of_resources(draft: &mut Draft<'_>, random: &mut Random, kind: &str, change: impl FnOnce(&mut Value)) -> Done {
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

const SUBTYPES: &[&str] = &[
    "Stamp",
    "FreeText",
    "Square",
    "Circle",
    "Line",
    "Polygon",
    "Highlight",
    "Underline",
    "Caret",
    "Ink",
    "Link",
    "Text",
    "Widget",
    "Watermark",
    "Redact",
    "Screen",
    "FileAttachment",
    "PrinterMark",
    "TrapNet",
    "3D",
    "RichMedia",
    "Movie",
    "Sound",
    "Popup",
    "Projection",
    "X",
];

fn annotation_covers(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let cover = draft.add_cover();
    let (kind, flags) = (random.of(SUBTYPES), random.of(&["4", "0", "132", "28", "68", "196"]));
    let more = random.of(&["", "", "/AS /N", "/Contents (x)", "/BS << /W 0 >>", "/CA 1", "/M (D:20261201)"]);
    draft.annotate(page, &format!(
        "<< /Type /Annot /Subtype /{kind} /Rect [0 0 595 842] /F {flags} /P {page} 0 R /AP << /N {cover} >> {more} >>"
    ))
}

/// An annotation that has something of a signature, time-stamp or field.
fn annotation_posing(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let cover = draft.add_cover();
    let more = random.of(&[
        "/V << /Type /DocTimeStamp >>",
        "/V << /Type /Sig >>",
        "/FT /Sig /T (Later)",
        "/FT /Sig /T (Later) /V << /Type /Sig /Filter /Adobe.PPKLite >>",
        "/FT /Tx /T (amount) /V (100)",
        "/FT /Tx /T (remark)",
        "/Parent 6 0 R",
        "/Parent 19 0 R",
        "/V 7 0 R",
        "/V 7 0 R /FT /Sig /T (Signature)",
        "/FT /Btn /Ff 65536 /T (push) /MK << /CA (x) >>",
    ]);
    let kind = random.of(&["Stamp", "Widget", "Widget", "FreeText"]);
    let annotation = format!(
        "<< /Type /Annot /Subtype /{kind} /Rect [0 0 595 842] /F 4 /P {page} 0 R /AP << /N {cover} >> {more} >>"
    );
    draft.annotate(page, &annotation)?;
    if random.chance(2) {
        let reference = format!("{} 0 R", draft.next - 1);
        enlist(draft, &reference)?;
    }
    Some(())
}

/// Puts a field into the form.
fn enlist(draft: &mut Draft<'_>, reference: &str) -> Done {
    let root = draft.root();
    draft.within(root, "AcroForm", |form| form.get_mut("Fields").into_iter().for_each(|list| list.push(reference)))
}

fn annotation_grows(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.annotations())?;
    if random.chance(2) && draft.get(number)?.value.get("AP").is_none() {
        let cover = draft.add_cover();
        draft.set(number, "AP", &format!("<< /N {cover} >>"))?;
    }
    draft.set(number, "Rect", random.of(&["[0 0 595 842]", "[72 700 400 780]", "[595 842 0 0]"]))
}

fn annotation_shown(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.annotations())?;
    draft.set(number, "F", random.of(&["4", "0", "2", "32"]))
}

fn annotation_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.annotations())?;
    draft.is_as_signed(number).then_some(())?;
    let shown = draft.entry(number, "AP")?.get("N")?.reference()?;
    let cover = draft.cover();
    draft.put(shown, cover);
    Some(())
}

fn annotation_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.annotations())?;
    draft.is_as_signed(number).then_some(())?;
    let cover = draft.add_cover();
    draft.set(number, "AP", &format!("<< /N {cover} >>"))
}

fn annotation_removed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let mut list = draft.entry(page, "Annots")?.items().to_vec();
    let at = random.below(list.len());
    list.get(at)?;
    list.remove(at);
    draft.edit(page, |value| value.put("Annots", Value::Array(list)))
}

fn annotation_layer(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let layer = *draft.such(|object| object.value.is("Type", "OCG")).first()?;
    let number = *random.pick(&draft.annotations())?;
    draft.set(number, "OC", &format!("{layer} 0 R"))
}

fn link_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Subtype", "Link")).first()?;
    let action = random.of(&[
        "<< /S /URI /URI (https://thief.example/pay) >>",
        "<< /S /Launch /F (evil.exe) >>",
        "<< /S /JavaScript /JS (app.alert\\(1\\)) >>",
    ]);
    draft.set(number, "A", action)
}

fn link_added(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let text = format!(
        "<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /Border [0 0 0] /F 4 /P {page} 0 R /A << /S /URI /URI (https://thief.example) >> >>"
    );
    draft.annotate(page, &text)
}

fn note_changed(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Subtype", "FreeText")).first()?;
    let label = draft.label("[0 0 228 30]", "Signed under protest.");
    let label = draft.add(label);
    draft.set(number, "Contents", "(Signed under protest.)")?;
    draft.set(number, "AP", &format!("<< /N {label} >>"))
}

/// Text on the page, between what was signed.
fn free_text_added(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let label = draft.label("[0 0 300 20]", "Clause 3: the buyer pays double.");
    let label = draft.add(label);
    let place = random.of(&["[72 730 372 750]", "[72 755 372 775]", "[72 100 372 120]"]);
    draft.annotate(page, &format!("<< /Type /Annot /Subtype /FreeText /Rect {place} /F 4 /P {page} 0 R /Contents (x) /DA (/F 12 Tf) /AP << /N {label} >> >>"))
}

fn attachment_annotation(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let file = draft.add(stream("/Type /EmbeddedFile", b"unsigned annex"));
    draft.annotate(page, &format!("<< /Type /Annot /Subtype /FileAttachment /Rect [10 10 20 20] /F 4 /P {page} 0 R /FS << /Type /Filespec /F (annex.txt) /EF << /F {file} >> >> >>"))
}

fn note_in_margin(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    // One beside the other, wherever else something was added.
    let place = draft.entry(page, "Annots").map_or(0, |list| list.items().len()) % 15;
    let (low, high) = (20 + 40 * place, 40 + 40 * place);
    draft.annotate(page, &format!("<< /Type /Annot /Subtype /Text /Rect [560 {low} 580 {high}] /F 28 /P {page} 0 R /T (Bob) /Contents (Read this.) /Name /Note >>"))
}

fn amount(draft: &Draft<'_>) -> Option<u32> {
    draft.widgets("Tx").first().copied()
}

fn field_filled(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = amount(draft)?;
    draft.is_as_signed(field).then_some(())?;
    let label = draft.label("[0 0 100 20]", "7");
    draft.set(field, "V", "(7)")?;
    if random.chance(2) {
        let shown = draft.entry(field, "AP")?.get("N")?.reference()?;
        draft.put(shown, label);
        return Some(());
    }
    let label = draft.add(label);
    draft.set(field, "AP", &format!("<< /N {label} >>"))
}

/// A check box that is its own widget.
fn ticked(draft: &Draft<'_>) -> Option<u32> {
    draft
        .widgets("Btn")
        .into_iter()
        .find(|number| draft.get(*number).is_some_and(|field| field.value.get("AS").is_some()))
}

fn box_ticked(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let field = ticked(draft)?;
    draft.is_as_signed(field).then_some(())?;
    draft.set(field, "V", "/Yes")?;
    draft.set(field, "AS", "/Yes")
}

/// The value is one, the appearance another.
fn field_lies(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = amount(draft)?;
    let label = draft.label("[0 0 100 20]", "1000000");
    let label = draft.add(label);
    if random.chance(2) {
        draft.set(field, "V", "(7)")?;
    }
    draft.set(field, "AP", &format!("<< /N {label} >>"))
}

fn field_covers(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = amount(draft)?;
    draft.set(field, "V", "(7)")?;
    let cover = draft.add_cover();
    draft.set(field, "Rect", random.of(&["[0 0 595 842]", "[72 600 595 842]", "[0 300 400 800]"]))?;
    draft.set(field, "AP", &format!("<< /N {cover} >>"))
}

fn field_moved(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = [draft.widgets("Tx"), draft.widgets("Btn")].concat();
    let field = *random.pick(&all)?;
    draft.set(field, "Rect", random.of(&["[72 755 272 775]", "[100 500 200 520]", "[0 0 0 0]"]))
}

fn tick_lies(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = ticked(draft)?;
    let cover = draft.add_cover();
    match random.below(3) {
        0 => draft.set(field, "AP", &format!("<< /N << /Off {cover} /Yes {cover} >> >>")),
        1 => draft.set(field, "AS", "/Yes"),
        _ => {
            draft.set(field, "AP", &format!("<< /N << /Evil {cover} >> >>"))?;
            draft.set(field, "V", "/Evil")?;
            draft.set(field, "AS", "/Evil")
        }
    }
}

fn field_added(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let label = draft.label("[0 0 300 20]", "Discount: 90 percent.");
    let label = draft.add(label);
    let kind = random.of(&["/FT /Tx /V (x)", "/FT /Btn /Ff 65536", "/FT /Sig", "/FT /Ch /V (x)"]);
    draft.annotate(page, &format!("<< /Type /Annot /Subtype /Widget {kind} /T (new) /P {page} 0 R /Rect [72 730 372 750] /F 4 /AP << /N {label} >> >>"))?;
    let reference = format!("{} 0 R", draft.next - 1);
    enlist(draft, &reference)
}

fn field_removed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let root = draft.root();
    let count = draft.entry(root, "AcroForm")?.get("Fields")?.items().len();
    (count > 0).then_some(())?;
    let at = random.below(count);
    draft.within(root, "AcroForm", |form| {
        if let Some(Value::Array(list)) = form.get_mut("Fields") {
            list.remove(at);
        }
    })
}

fn form_font(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let font = draft.other_font();
    let font = draft.add(font);
    let root = draft.root();
    draft.within(root, "AcroForm", |form| form.set("DR", &format!("<< /Font << /F1 {font} /F {font} >> >>")))
}

/// The form's font is that of the page, and is replaced.
fn form_font_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.fonts())?;
    let font = draft.other_font();
    draft.put(number, font);
    let root = draft.root();
    draft.within(root, "AcroForm", |form| form.set("DR", &format!("<< /Font << /Z {number} 0 R >> >>")))
}

fn need_appearances(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let root = draft.root();
    let field = amount(draft)?;
    draft.set(field, "DA", "(/F1 30 Tf 1 0 0 rg)")?;
    draft.within(root, "AcroForm", |form| form.set("NeedAppearances", "true"))
}

fn xfa_added(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let xfa = draft.add(stream("", b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'/>"));
    let root = draft.root();
    draft.within(root, "AcroForm", |form| form.set("XFA", &xfa))
}

fn signature_appearance(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = *random.pick(&draft.widgets("Sig"))?;
    let shown = draft.entry(field, "AP")?.get("N")?.reference()?;
    let label = draft.label("[0 0 200 40]", "Signed by the President");
    draft.put(shown, label);
    Some(())
}

fn signature_appearance_new(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = *random.pick(&draft.widgets("Sig"))?;
    let label = draft.label("[0 0 200 40]", "Signed by the President");
    let label = draft.add(label);
    draft.set(field, "AP", &format!("<< /N {label} >>"))
}

fn signature_moved(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = *random.pick(&draft.widgets("Sig"))?;
    if draft.get(field)?.value.get("AP").is_none() {
        let cover = draft.add_cover();
        draft.set(field, "AP", &format!("<< /N {cover} >>"))?;
    }
    draft.set(field, "Rect", random.of(&["[0 0 595 842]", "[72 700 272 780]"]))
}

fn signature_reason(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *random.pick(&draft.such(|object| object.value.get("ByteRange").is_some()))?;
    draft.set(number, random.of(&["Reason", "Name", "Location", "M"]), "(I am the President)")
}

const OTHER_INVOICE: &[u8] = b"<invoice><total>999.00</total><iban>PT50000201236666666666666</iban></invoice>";

fn embedded_in_place(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Type", "EmbeddedFile")).first()?;
    draft.put(number, stream("/Type /EmbeddedFile /Subtype /text#2Fxml", OTHER_INVOICE));
    Some(())
}

fn filespec(draft: &mut Draft<'_>, name: &str) -> String {
    let file = draft.add(stream("/Type /EmbeddedFile /Subtype /text#2Fxml", OTHER_INVOICE));
    draft.add(object(&format!(
        "<< /Type /Filespec /F ({name}) /UF ({name}) /AFRelationship /Alternative /EF << /F {file} /UF {file} >> >>"
    )))
}

fn embedded_redirected(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Type", "Filespec")).first()?;
    let file = draft.add(stream("/Type /EmbeddedFile /Subtype /text#2Fxml", OTHER_INVOICE));
    draft.edit(number, |value| {
        let key = random.of(&["F", "UF"]);
        value.get_mut("EF").into_iter().for_each(|files| files.set(key, &file));
    })
}

fn embedded_renamed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Type", "Filespec")).first()?;
    draft.set(number, random.of(&["F", "UF"]), "(contract.exe)")
}

fn embedded_added(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let specification = filespec(draft, "annex.xml");
    let root = draft.root();
    let old = draft.entry(root, "Names").and_then(|names| names.get("EmbeddedFiles")?.get("Names").cloned());
    let mut list = old.map(|list| list.items().to_vec()).unwrap_or_default();
    let at = if random.chance(2) { 0 } else { list.len() };
    list.splice(at..at, [value("(annex.xml)"), value(&specification)]);
    let files = format!("<< /EmbeddedFiles << /Names {} >> >>", Value::Array(list));
    draft.set(root, "Names", &files)
}

fn associated_file(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let specification = filespec(draft, "invoice.xml");
    let page = draft.page(random)?;
    let holder = if random.chance(2) { draft.root() } else { page };
    draft.set(holder, "AF", &format!("[{specification}]"))
}

fn script_added(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let root = draft.root();
    if draft.get(root)?.value.get("Names").is_none() {
        draft.set(root, "Names", "<< >>")?;
    }
    let script = "<< /Names [(x) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >>";
    draft.within(root, "Names", |names| names.set("JavaScript", script))
}

const ACTIONS: &[&str] = &[
    "<< /S /JavaScript /JS (this.getField\\('amount'\\).value = 9) >>",
    "<< /S /URI /URI (https://thief.example) >>",
    "<< /S /Launch /F (evil.exe) >>",
    "<< /S /SetOCGState /State [/Toggle 33 0 R] >>",
    "<< /S /GoToR /F (other.pdf) /D [0 /Fit] >>",
    "<< /S /Hide /T (amount) >>",
    "<< /S /ResetForm >>",
];

fn open_action(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    draft.set(draft.root(), "OpenAction", random.of(ACTIONS))
}

fn additional_action(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = [draft.pages(), draft.annotations(), vec![draft.root()]].concat();
    let number = *random.pick(&all)?;
    let event = random.of(&["O", "C", "E", "U", "WC", "F", "K", "PO"]);
    draft.set(number, "AA", &format!("<< /{event} {} >>", random.of(ACTIONS)))
}

fn outline_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.get("Title").is_some()).first()?;
    match random.below(2) {
        0 => draft.set(number, "Title", "(Contract, void)"),
        _ => draft.edit(number, |value| {
            value.remove("Dest");
            value.set("A", random.of(ACTIONS));
        }),
    }
}

fn layer_switched(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let layer = *draft.such(|object| object.value.is("Type", "OCG")).first()?;
    let settings = match random.below(4) {
        0 => format!("/D << /ON [{layer} 0 R] >>"),
        1 => format!("/D << /BaseState /ON /OFF [] >> /Configs [<< /OFF [{layer} 0 R] >>]"),
        2 => format!("/D << /OFF [{layer} 0 R] /AS [<< /Event /View /OCGs [{layer} 0 R] /Category [/View] >>] >>"),
        _ => "/D << >>".to_owned(),
    };
    draft.set(draft.root(), "OCProperties", &format!("<< /OCGs [{layer} 0 R] {settings} >>"))
}

fn layer_configured(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let root = draft.root();
    draft.get(root)?.value.get("OCProperties")?;
    draft.edit(root, |value| value.remove("OCProperties"))
}

fn layer_name(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let layer = *draft.such(|object| object.value.is("Type", "OCG")).first()?;
    match random.below(2) {
        0 => draft.put(layer, object("<< /Type /OCG /Name (Final) /Usage << /View << /ViewState /ON >> >> >>")),
        _ => draft.put(layer, object("null")),
    }
    Some(())
}

fn layer_of_content(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let other = draft.add(object("<< /Type /OCG /Name (Other) >>"));
    of_resources(draft, random, "Properties", |list| list.set("O1", &other))
}

fn proofs_hung(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    let key = random.of(&["Certs", "CRLs", "OCSPs", "VRI"]);
    let dss = match key {
        "VRI" => format!("<< /Type /DSS /VRI << /X << /Cert [{number} 0 R] >> >> >>"),
        _ => format!("<< /Type /DSS /{key} [{number} 0 R] >>"),
    };
    let dss = draft.add(object(&dss));
    draft.set(draft.root(), "DSS", &dss)
}

fn metadata_hung(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let page = draft.page(random)?;
    let number = *random.pick(&draft.contents(page))?;
    let evil = draft.evil(page);
    draft.put(number, stream("", &evil));
    let entries = format!("/Type /Metadata /Subtype /XML /Contents {number} 0 R");
    let metadata = draft.add(stream(&entries, b"<x/>"));
    let holder = if random.chance(2) { draft.root() } else { page };
    draft.set(holder, "Metadata", &metadata)
}

fn strange_proofs(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let text = random.of(&[
        "<< /Type /DSS /Certs 5 /CRLs [] >>",
        "<< /Type /DSS /VRI << /X 3 0 R >> >>",
        "[3 0 R]",
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Certs [3 0 R] /Contents 4 0 R >>",
    ]);
    draft.set(draft.root(), "DSS", text)
}

fn view_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let (key, text) = *random.pick(&[
        ("ViewerPreferences", "<< /HideToolbar true /Direction /R2L /ViewArea /ArtBox >>"),
        ("PageMode", "/UseAttachments"),
        ("PageLayout", "/TwoPageRight"),
        ("NeedsRendering", "true"),
        ("Version", "/2.0"),
        ("Requirements", "[<< /S /EnableJavaScripts >>]"),
        ("URI", "<< /Base (https://thief.example/) >>"),
        ("Threads", "[]"),
    ])?;
    draft.set(draft.root(), key, text)
}

fn labels_changed(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    draft.set(draft.root(), "PageLabels", "<< /Nums [0 << /S /r /St 9 >>] >>")
}

fn collection_added(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let specification = filespec(draft, "annex.xml");
    draft.set(draft.root(), "Names", &format!("<< /EmbeddedFiles << /Names [(annex.xml) {specification}] >> >>"))?;
    draft.set(draft.root(), "Collection", "<< /Type /Collection /View /T /D (annex.xml) >>")
}

fn structure_text(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let child = draft.add(object("<< /Type /StructElem /S /P /K 0 /ActualText (The buyer pays nothing.) >>"));
    draft.set(draft.root(), "StructTreeRoot", &format!("<< /Type /StructTreeRoot /K {child} >>"))?;
    draft.set(draft.root(), "MarkInfo", "<< /Marked true >>")
}

/// Replaces the reference at that place in reading order.
fn redirect(value: &mut Value, at: &mut usize, to: &str) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| redirect(item, at, to)),
        Value::Dictionary(entries) => entries.iter_mut().for_each(|(_, entry)| redirect(entry, at, to)),
        Value::Atom(text) if text.ends_with(" R") => {
            if *at == 0 {
                *text = to.to_owned();
            }
            *at = at.wrapping_sub(1);
        }
        Value::Atom(_) => {}
    }
}

fn count_references(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_references).sum(),
        Value::Dictionary(entries) => entries.iter().map(|(_, entry)| count_references(entry)).sum(),
        Value::Atom(text) => usize::from(text.ends_with(" R")),
    }
}

/// Any reference of any object, to any other object.
fn reference_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| count_references(&object.value) > 0);
    let number = *random.pick(&all)?;
    let mut object = draft.get(number)?;
    let target = match random.below(4) {
        0 => draft.add_cover(),
        1 => {
            let font = draft.other_font();
            draft.add(font)
        }
        2 => draft.add(stream("", &line(EVIL))),
        _ => format!("{} 0 R", random.pick(&draft.such(|_| true))?),
    };
    let mut at = random.below(count_references(&object.value));
    redirect(&mut object.value, &mut at, &target);
    draft.put(number, object);
    Some(())
}

/// Any entry of any dictionary: removed, emptied, or that of another.
fn entry_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| !object.value.entries().is_empty() && object.value.get("ByteRange").is_none());
    let (number, other) = (*random.pick(&all)?, *random.pick(&all)?);
    let mut object = draft.get(number)?;
    let (key, _) = random.pick(object.value.entries())?.clone();
    let (other_key, other) = random.pick(draft.get(other)?.value.entries())?.clone();
    match random.below(4) {
        0 => object.value.remove(&key),
        1 => object.value.set(&key, random.of(&["null", "0", "[]", "<< >>", "/X", "(x)", "true"])),
        2 => object.value.put(&key, other),
        _ => object.value.add(&other_key, other),
    }
    draft.put(number, object);
    Some(())
}

/// Replaces the atom at that place in reading order.
fn change_atom(value: &mut Value, at: &mut usize, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| change_atom(item, at, change)),
        Value::Dictionary(entries) => entries.iter_mut().for_each(|(_, entry)| change_atom(entry, at, change)),
        Value::Atom(text) => {
            if *at == 0 {
                change(text);
            }
            *at = at.wrapping_sub(1);
        }
    }
}

fn count_atoms(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(count_atoms).sum(),
        Value::Dictionary(entries) => entries.iter().map(|(_, entry)| count_atoms(entry)).sum(),
        Value::Atom(_) => 1,
    }
}

/// An object that may be changed in any way: signatures stay as they are.
fn any(draft: &Draft<'_>, random: &mut Random, is: impl Fn(&Object) -> bool) -> Option<u32> {
    random.pick(&draft.such(|object| object.value.get("ByteRange").is_none() && is(object))).copied()
}

/// Any number, name, string or reference of any object.
fn atom_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |object| count_atoms(&object.value) > 0)?;
    let mut object = draft.get(number)?;
    let mut at = random.below(count_atoms(&object.value));
    let mut change = |text: &mut String| {
        *text = match text.as_bytes().first() {
            Some(b'/') => random.of(&["/X", "/Off", "/Yes", "/Link", "/Widget", "/Sig", "/Form", "/Page"]).to_owned(),
            Some(b'(') => random.of(&["(900,000)", "()", "(Mallory)"]).to_owned(),
            _ => random.of(&["0", "1", "2", "300", "-1", "0.5", "null", "true"]).to_owned(),
        };
    };
    let value = object.value.get("V").cloned();
    change_atom(&mut object.value, &mut at, &mut change);
    // Another value of a field is one that was filled in.
    (object.value.get("FT").is_none() || object.value.get("V").cloned() == value).then_some(())?;
    draft.put(number, object);
    Some(())
}

/// The arrays of an object, the object itself or its entries.
fn of_array(draft: &mut Draft<'_>, random: &mut Random, change: impl FnOnce(&mut Vec<Value>, &mut Random)) -> Done {
    let long = |value: &Value| value.items().len() > 1;
    let number = any(draft, random, |object| {
        long(&object.value) || object.value.entries().iter().any(|(_, entry)| long(entry))
    })?;
    let mut object = draft.get(number)?;
    let lists: Vec<String> =
        object.value.entries().iter().filter(|(_, entry)| long(entry)).map(|(key, _)| key.clone()).collect();
    let list = match random.pick(&lists) {
        Some(key) => object.value.get_mut(key)?,
        None => &mut object.value,
    };
    let Value::Array(items) = list else { return None };
    change(items, random);
    draft.put(number, object);
    Some(())
}

fn item_dropped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    of_array(draft, random, |items, random| drop(items.remove(random.below(items.len()))))
}

fn items_swapped(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    of_array(draft, random, |items, random| {
        let by = 1 + random.below(items.len() - 1);
        items.rotate_left(by);
    })
}

/// The bytes of any stream.
fn stream_astray(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |object| object.stream.is_some())?;
    let mut object = draft.get(number)?;
    let old = object.stream.take()?;
    let new = match random.below(4) {
        0 => vec![],
        1 => [&old[..], b" ", &line(EVIL)].concat(),
        2 => line(EVIL),
        _ => old.iter().map(|byte| if byte.is_ascii_digit() { b'9' } else { *byte }).collect(),
    };
    object.value.set("Length", &new.len().to_string());
    object.stream = Some(new);
    draft.put(number, object);
    Some(())
}

/// The bytes of a stream in another.
fn stream_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let streams = |object: &Object| object.stream.is_some();
    let (one, other) = (any(draft, random, streams)?, any(draft, random, streams)?);
    let mut object = draft.get(one)?;
    object.stream = draft.get(other)?.stream;
    (one != other).then_some(())?;
    object.value.set("Length", &object.stream.as_ref().map_or(0, Vec::len).to_string());
    draft.put(one, object);
    Some(())
}

fn object_null(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = any(draft, random, |_| true)?;
    draft.put(number, object("null"));
    Some(())
}

/// An object under the number of another.
fn object_exchanged(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let one = any(draft, random, |_| true)?;
    let kind = draft.get(one)?.value.get("Type").cloned();
    // Mostly such as stand in the same places.
    let alike = random.chance(3);
    let other = any(draft, random, |object| alike || object.value.get("Type").cloned() == kind)?;
    let object = draft.get(other)?;
    (one != other).then_some(())?;
    draft.put(one, object);
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

fn choice_lies(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = *draft.widgets("Ch").first()?;
    match random.below(3) {
        0 => draft.set(field, "Opt", "[[(EUR) (USD)] [(USD) (EUR)]]"),
        1 => {
            let label = draft.label("[0 0 100 20]", "USD");
            let label = draft.add(label);
            draft.set(field, "AP", &format!("<< /N {label} >>"))
        }
        _ => {
            let shown = draft.entry(field, "AP")?.get("N")?.reference()?;
            let cover = draft.cover();
            draft.put(shown, cover);
            draft.set(field, "V", "(USD)")
        }
    }
}

/// The value of a field that has its widgets below it.
fn parent_value_lies(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = *draft.such(|object| object.value.get("FT").is_some() && object.value.get("Kids").is_some()).first()?;
    let widget = draft.entry(field, "Kids")?.items().first()?.reference()?;
    match random.below(4) {
        0 => draft.set(field, "V", "/Yes"),
        1 => draft.set(widget, "AS", "/Yes"),
        2 => draft.edit(widget, |value| value.remove("Parent")),
        _ => {
            let cover = draft.add_cover();
            draft.set(field, "V", "/Yes")?;
            draft.set(widget, "AP", &format!("<< /N << /Yes {cover} /Off {cover} >> >>"))?;
            draft.set(widget, "AS", "/Yes")
        }
    }
}

fn field_font_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = amount(draft)?;
    let key = random.of(&["DA", "Q", "MaxLen", "Ff", "DV", "RV", "DS", "TU", "TM", "MK"]);
    let text = random.of(&["(/F1 1 Tf 1 g)", "2", "1", "8192", "(9)", "<< /CA (900,000) /BG [0] >>"]);
    draft.set(field, key, text)
}

fn xfa_with_values(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let text = b"<xdp:xdp xmlns:xdp='http://ns.adobe.com/xdp/'><xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><xfa:data><amount>900000</amount></xfa:data></xfa:datasets></xdp:xdp>";
    let xfa = draft.add(stream("", text));
    let root = draft.root();
    draft.within(root, "AcroForm", |form| form.set("XFA", &format!("[(datasets) {xfa}]")))?;
    draft.set(root, "NeedsRendering", "true")
}

fn structure_in_place(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("Type", "StructElem")).first()?;
    draft.set(number, random.of(&["ActualText", "Alt", "E", "Lang", "T"]), "(The price is 1,000,000 euros.)")
}

fn destination_changed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let number = *draft.such(|object| object.value.is("S", "URI")).first()?;
    match random.chance(2) {
        true => draft.set(number, "URI", "(https://thief.example/pay)"),
        false => draft.set(number, "Next", "<< /S /URI /URI (https://thief.example/pay) >>"),
    }
}

fn proofs_added(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let (root, tsa, crl) = (&draft.lab.root.certificate, &draft.lab.tsa.certificate, &draft.lab.crl);
    let changes = draft.pdf.proofs(&[root, tsa], &[crl]);
    if draft.changes.keys().any(|number| changes.contains_key(number)) {
        return None;
    }
    draft.next += changes.len() as u32;
    draft.changes.extend(changes);
    Some(())
}

fn proofs_again(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let crl = another_list(draft.lab);
    let changes = draft.pdf.proofs(&[&draft.lab.root.certificate], &[&crl]);
    if draft.changes.keys().any(|number| changes.contains_key(number)) {
        return None;
    }
    draft.next += changes.len() as u32;
    draft.changes.extend(changes);
    Some(())
}

fn written_again(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let all = draft.such(|object| object.value.get("ByteRange").is_none());
    for _ in 0..3 {
        let number = *random.pick(&all)?;
        let object = draft.get(number)?;
        draft.put(number, object);
    }
    Some(())
}

fn metadata_changed(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    let metadata =
        draft.add(stream("/Type /Metadata /Subtype /XML", b"<x:xmpmeta xmlns:x='adobe:ns:meta/'> </x:xmpmeta>"));
    draft.set(draft.root(), "Metadata", &metadata)
}

fn language_changed(draft: &mut Draft<'_>, _: &mut Random) -> Done {
    draft.set(draft.root(), "Lang", "(pt)")
}

fn permissions_removed(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let root = draft.root();
    draft.get(root)?.value.get("Perms")?;
    if random.chance(2) {
        content_replaced(draft, random)?;
    }
    draft.edit(root, |value| value.remove("Perms"))
}
