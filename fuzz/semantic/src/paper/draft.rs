//! An update in the making.

use crate::random::Random;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Object, Objects, Pdf, Value, line, object, stream};

/// An update in the making.
pub struct Draft<'a> {
    pub lab: &'a Lab,
    pub pdf: &'a Pdf,
    pub changes: Objects,
    pub trailer: String,
    pub(super) next: u32,
}

/// The objects that a value refers to.
pub(super) fn references(value: Option<&Value>, found: &mut Vec<u32>) {
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

    pub(super) fn get(&self, number: u32) -> Option<Object> {
        self.changes.get(&number).or_else(|| self.pdf.objects.get(&number)).cloned()
    }

    /// Whether nothing was done to an object so far. What a filled field shows is up to whoever fills it.
    pub(super) fn is_as_signed(&self, number: u32) -> bool {
        !self.changes.contains_key(&number)
    }

    pub(super) fn put(&mut self, number: u32, object: Object) {
        self.changes.insert(number, object);
    }

    pub(super) fn add(&mut self, object: Object) -> String {
        self.next += 1;
        self.put(self.next - 1, object);
        format!("{} 0 R", self.next - 1)
    }

    pub(super) fn edit(&mut self, number: u32, change: impl FnOnce(&mut Value)) -> Option<()> {
        let mut object = self.get(number)?;
        change(&mut object.value);
        self.put(number, object);
        Some(())
    }

    pub(super) fn set(&mut self, number: u32, key: &str, text: &str) -> Option<()> {
        self.edit(number, |value| value.set(key, text))
    }

    /// The value itself, or that of the object it refers to.
    pub(super) fn resolved(&self, value: &Value) -> Value {
        match value.reference().and_then(|number| self.get(number)) {
            Some(object) => object.value,
            None => value.clone(),
        }
    }

    /// Changes a value inside an object, be it there or in an object of its own.
    pub(super) fn within(&mut self, number: u32, key: &str, change: impl FnOnce(&mut Value)) -> Option<()> {
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

    pub(super) fn root(&self) -> u32 {
        self.pdf.root
    }

    pub(super) fn entry(&self, number: u32, key: &str) -> Option<Value> {
        Some(self.resolved(self.get(number)?.value.get(key)?))
    }

    pub(super) fn referred(&self, number: u32, key: &str) -> Option<u32> {
        self.get(number)?.value.get(key)?.reference()
    }

    /// The numbers of objects that are so.
    pub(super) fn such(&self, is: impl Fn(&Object) -> bool) -> Vec<u32> {
        self.pdf.objects.iter().filter(|(_, object)| is(object)).map(|(number, _)| *number).collect()
    }

    pub(super) fn pages(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Page"))
    }

    pub(super) fn trees(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Pages"))
    }

    pub(super) fn annotations(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Annot"))
    }

    pub(super) fn widgets(&self, kind: &str) -> Vec<u32> {
        self.such(|object| object.value.is("FT", kind))
    }

    pub(super) fn fonts(&self) -> Vec<u32> {
        self.such(|object| object.value.is("Type", "Font"))
    }

    pub(super) fn forms(&self) -> Vec<u32> {
        let mut shown = vec![];
        for widget in ["Tx", "Btn", "Ch"].iter().flat_map(|kind| self.widgets(kind)) {
            self.get(widget).into_iter().for_each(|field| references(field.value.get("AP"), &mut shown));
        }
        // What a field shows is its filler's.
        let all = self.such(|object| object.value.is("Subtype", "Form"));
        all.into_iter().filter(|number| !shown.contains(number)).collect()
    }

    pub(super) fn page(&self, random: &mut Random) -> Option<u32> {
        random.pick(&self.pages()).copied()
    }

    /// The streams that a page shows.
    pub(super) fn contents(&self, page: u32) -> Vec<u32> {
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
    pub(super) fn other_font(&mut self) -> Object {
        object(
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding /Differences [48 /nine /nine /eight] >> >>",
        )
    }

    /// A form XObject that covers a page with other text.
    pub(super) fn cover(&mut self) -> Object {
        let font = self.fonts().first().map_or(String::new(), |font| format!("/Font << /F {font} 0 R >>"));
        let entries = format!("/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << {font} >>");
        stream(&entries, &[b"1 1 1 rg 0 0 595 842 re f 0 g ".to_vec(), line(EVIL)].concat())
    }

    pub(super) fn add_cover(&mut self) -> String {
        let cover = self.cover();
        self.add(cover)
    }

    /// A small form with that text.
    pub(super) fn label(&mut self, box_: &str, text: &str) -> Object {
        let font = self.fonts().first().map_or(String::new(), |font| format!("/Font << /F {font} 0 R >>"));
        let entries = format!("/Type /XObject /Subtype /Form /BBox {box_} /Resources << {font} >>");
        stream(&entries, format!("/Tx BMC q BT /F 12 Tf 2 5 Td ({text}) Tj ET Q EMC").as_bytes())
    }

    pub(super) fn annotate(&mut self, page: u32, annotation: &str) -> Option<()> {
        let reference = self.add(object(annotation));
        if self.get(page)?.value.get("Annots").is_none() {
            self.set(page, "Annots", "[]")?;
        }
        self.within(page, "Annots", |list| list.push(&reference))
    }

    /// What a page shows in that font.
    pub(super) fn evil(&mut self, page: u32) -> Vec<u8> {
        let resources = self.entry(page, "Resources").or_else(|| {
            let parent = self.referred(page, "Parent")?;
            self.entry(parent, "Resources")
        });
        let fonts = resources.and_then(|resources| resources.get("Font").map(|fonts| self.resolved(fonts)));
        let name = fonts.and_then(|fonts| fonts.entries().first().map(|(name, _)| name.clone()));
        let text = String::from_utf8_lossy(&line(EVIL)).into_owned();
        text.replace("/F ", &format!("/{} ", name.unwrap_or_else(|| "F".into()))).into_bytes()
    }

    /// Puts a field into the form.
    pub(super) fn enlist(&mut self, reference: &str) -> Option<()> {
        let root = self.root();
        self.within(root, "AcroForm", |form| form.get_mut("Fields").into_iter().for_each(|list| list.push(reference)))
    }

    /// The field of the amount.
    pub(super) fn amount(&self) -> Option<u32> {
        self.widgets("Tx").first().copied()
    }
}
