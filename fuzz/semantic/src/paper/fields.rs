//! Fields, their appearances, and those of signatures.

use super::{Done, Draft, Edit, edits, fill, never};
use crate::random::Random;
use lacre_testkit::pdf::{Value, stream};

pub(super) const EDITS: &[Edit] = edits! {
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
    fill choice_lies,
    never parent_value_lies,
    never field_font_changed,
    never xfa_with_values,
};

fn field_filled(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = draft.amount()?;
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
    let field = draft.amount()?;
    let label = draft.label("[0 0 100 20]", "1000000");
    let label = draft.add(label);
    if random.chance(2) {
        draft.set(field, "V", "(7)")?;
    }
    draft.set(field, "AP", &format!("<< /N {label} >>"))
}

fn field_covers(draft: &mut Draft<'_>, random: &mut Random) -> Done {
    let field = draft.amount()?;
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
    draft.enlist(&reference)
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
    let field = draft.amount()?;
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
    let field = draft.amount()?;
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
