//! What the catalog has beside pages: files, actions, outlines, layers, views, structure, permissions.

use super::content::{content_replaced, of_resources};
use super::{Done, Draft, Edit, edits, never};
use crate::random::Random;
use lacre_testkit::pdf::{Value, object, stream, value};

pub(super) const EDITS: &[Edit] = edits! {
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
    never view_changed,
    never labels_changed,
    never collection_added,
    never structure_text,
    never structure_in_place,
    never destination_changed,
    never language_changed,
    never permissions_removed,
};

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
