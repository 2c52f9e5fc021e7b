//! Annotations that are no fields.

use super::{Done, Draft, Edit, annotate, certified, edits, never};
use crate::random::Random;
use lacre_testkit::pdf::{Value, stream};

pub(super) const EDITS: &[Edit] = edits! {
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
};

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
        draft.enlist(&reference)?;
    }
    Some(())
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
