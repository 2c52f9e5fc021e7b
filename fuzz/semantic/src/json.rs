//! What is changed in a signature of JSON, and in what is handed in beside it.

use crate::random::Random;
use lacre_testkit::jws::url;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{EVIL, Objects, Pdf};
use lacre_testkit::zip::Zip;
use serde_json::{Value, json};

/// A signature, and what of it no value of JSON can say.
#[derive(Clone)]
pub struct Jws {
    value: Value,
    /// Members that stand there once more, at the beginning or at the end.
    doubles: Vec<(bool, String, Value)>,
    before: Vec<u8>,
    behind: Vec<u8>,
    indented: bool,
    pub contents: Vec<(String, Vec<u8>)>,
}

impl Jws {
    pub fn of(value: &Value, contents: &[(String, Vec<u8>)]) -> Self {
        let contents = contents.to_vec();
        Self { value: value.clone(), doubles: vec![], before: vec![], behind: vec![], indented: false, contents }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let text = if self.indented { format!("{:#}", self.value) } else { self.value.to_string() };
        let mut inner = text[1..text.len() - 1].to_owned();
        for (first, name, value) in &self.doubles {
            let member = format!("{}:{value}", Value::from(name.as_str()));
            inner = if *first { format!("{member},{inner}") } else { format!("{inner},{member}") };
        }
        [&self.before[..], format!("{{{inner}}}").as_bytes(), &self.behind].concat()
    }

    /// The object that has the header, the signature and what is not signed.
    fn signature(&mut self) -> Option<&mut Value> {
        match self.value.get("signatures").is_some() {
            true => self.value["signatures"].get_mut(0),
            false => Some(&mut self.value),
        }
    }

    fn once_more(&mut self, random: &mut Random, name: &str, value: Value) {
        self.doubles.push((random.chance(2), name.to_owned(), value));
    }
}

/// A change of a signature.
pub struct Edit {
    pub name: &'static str,
    pub harmless: bool,
    pub make: fn(&mut Jws, &mut Random, &Lab) -> Option<()>,
}

macro_rules! edits {
    ($($harmless:literal $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), harmless: $harmless, make: $make },)*]
    };
}

/// All of them.
pub const EDITS: &[Edit] = edits! {
    false payload_changed,
    false payload_added,
    false payload_dropped,
    false payload_twice,
    false payload_in_other_case,
    false payload_plain,
    false payload_with_strange_digits,
    false protected_twice,
    false signature_twice,
    false signatures_beside,
    false header_repeats,
    false header_plain,
    false header_names_files,
    false signer_unreadable,
    false signer_copied,
    false signers_removed,
    false properties_more,
    false text_behind,
    false document_behind,
    false text_before,
    false message_twice,
    false given_changed,
    false given_more,
    false given_first,
    false given_less,
    false given_renamed,
    false given_exchanged,
    false given_shifted,
    false unknown_member,
    false key_identifier,
    true indented,
    true line_end_behind,
};

const OTHER: &[u8] = b"{\"pay\":900000}";

fn payload_changed(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.value.get("payload")?;
    jws.value["payload"] = url(OTHER).into();
    Some(())
}

fn payload_added(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.value.get("payload").is_none().then(|| jws.value["payload"] = url(OTHER).into())
}

fn payload_dropped(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.value.as_object_mut()?.remove("payload")?;
    if random.chance(2) {
        jws.contents = vec![("payload.json".into(), OTHER.to_vec())];
    }
    Some(())
}

fn payload_twice(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.value.get("payload")?;
    let other = if random.chance(3) { json!({ "pay": 900_000 }) } else { url(OTHER).into() };
    jws.once_more(random, "payload", other);
    Some(())
}

fn payload_in_other_case(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["Payload", "PAYLOAD", "payLoad"]).to_owned();
    jws.once_more(random, &name, url(OTHER).into());
    Some(())
}

fn payload_plain(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.value.get("payload")?;
    jws.value["payload"] = if random.chance(2) { json!({ "pay": 900_000 }) } else { "{\"pay\":900000}".into() };
    Some(())
}

/// Digits that strict readers refuse and others pass over, or take for others.
fn payload_with_strange_digits(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let payload = jws.value.get("payload")?.as_str()?.to_owned();
    jws.value["payload"] = match random.below(4) {
        0 => format!("{payload}=="),
        1 => format!("{payload}\n"),
        2 => payload.replace('-', "+").replace('_', "/"),
        _ => format!("{payload}{}", url(b" and 900,000 more")),
    }
    .into();
    Some(())
}

fn protected_twice(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let other = json!({ "alg": "ES256", "b64": random.chance(2), "crit": ["b64"] });
    jws.once_more(random, "protected", url(other.to_string().as_bytes()).into());
    Some(())
}

fn signature_twice(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.once_more(random, "signature", url(&[0; 64]).into());
    Some(())
}

/// Both forms of the serialisation at once.
fn signatures_beside(jws: &mut Jws, random: &mut Random, lab: &Lab) -> Option<()> {
    let other = lab.jws(OTHER, json!({}));
    let mut one = other.clone();
    one.as_object_mut()?.remove("payload");
    match jws.value.get("signatures").is_some() {
        true => {
            for name in ["protected", "signature", "header"] {
                jws.value[name] = one[name].clone();
            }
        }
        false => jws.value["signatures"] = json!([one]),
    }
    if random.chance(2) {
        jws.once_more(random, "payload", other["payload"].clone());
    }
    Some(())
}

/// What is signed says one thing, what is not another.
fn header_repeats(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let (name, value) = match random.below(5) {
        0 => ("alg", json!("none")),
        1 => ("crit", json!([])),
        2 => ("sigT", json!("2020-01-01T00:00:00Z")),
        3 => ("cty", json!("text/html")),
        _ => ("x5c", json!([])),
    };
    jws.signature()?["header"][name] = value;
    Some(())
}

fn header_plain(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.signature()?["header"]["b64"] = false.into();
    if random.chance(2) {
        payload_plain(jws, random, &Lab::new())?;
    }
    Some(())
}

fn header_names_files(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let kind = random.of(&["ObjectIdByURI", "ObjectIdByURIHash"]);
    jws.signature()?["header"]["sigD"] = json!({ "mId": format!("http://uri.etsi.org/19182/{kind}"), "pars": ["evil.json"], "hashM": "S256", "hashV": ["AA"] });
    jws.contents.push(("evil.json".into(), OTHER.to_vec()));
    Some(())
}

fn signer_unreadable(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let other = match random.below(4) {
        0 => json!({}),
        1 => json!({ "protected": "AAAA", "signature": "AAAA" }),
        2 => json!(7),
        _ => json!({ "protected": url(b"{\"alg\":\"none\"}"), "signature": "" }),
    };
    jws.value.get_mut("signatures")?.as_array_mut()?.push(other);
    Some(())
}

fn signer_copied(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    let all = jws.value.get_mut("signatures")?.as_array_mut()?;
    let one = all.first()?.clone();
    all.push(one);
    Some(())
}

fn signers_removed(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.value.get_mut("signatures")?.as_array_mut()?.clear();
    Some(())
}

fn properties_more(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let more = match random.below(3) {
        0 => json!({ "contract": "The buyer pays 1,000,000 euros." }),
        1 => json!({ "sigPSt": { "sigPolDoc": "AAAA" } }),
        _ => json!("AAAA"),
    };
    jws.signature()?["header"]["etsiU"].as_array_mut()?.push(more);
    Some(())
}

fn text_behind(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.behind = random.of(&["The buyer pays 1,000,000 euros.", "\n{\"pay\":900000}\n", "]"]).into();
    Some(())
}

fn document_behind(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let stranger = match random.below(3) {
        0 => format!("<html><body>{EVIL}</body></html>").into_bytes(),
        1 => Zip::of(&[("contract.txt", OTHER)]).bytes(),
        _ => Pdf::page(EVIL, Objects::new()).bytes,
    };
    jws.behind = [b"\n".to_vec(), stranger].concat();
    Some(())
}

fn text_before(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    jws.before = random.of(&["\u{feff}", "{}\n", "\n\n", "{\"pay\":900000}"]).into();
    Some(())
}

fn message_twice(jws: &mut Jws, random: &mut Random, lab: &Lab) -> Option<()> {
    let other = lab.jws(OTHER, json!({})).to_string().replacen("\"signature\":\"", "\"signature\":\"AAAA", 1);
    match random.chance(2) {
        true => jws.before = format!("{other}\n").into_bytes(),
        false => jws.behind = format!("\n{other}").into_bytes(),
    }
    Some(())
}

fn given_changed(jws: &mut Jws, random: &mut Random, _: &Lab) -> Option<()> {
    let at = random.below(jws.contents.len());
    jws.contents.get_mut(at)?.1 = OTHER.to_vec();
    Some(())
}

fn given_more(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.contents.push(("evil.json".into(), OTHER.to_vec()));
    Some(())
}

fn given_first(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.contents.insert(0, ("evil.json".into(), OTHER.to_vec()));
    Some(())
}

fn given_less(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.contents.pop().map(drop)
}

fn given_renamed(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.contents.first_mut()?.0 = "invoice.txt".into();
    Some(())
}

/// Each file under the name of the other.
fn given_exchanged(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    let [one, other, ..] = &mut jws.contents[..] else { return None };
    std::mem::swap(&mut one.1, &mut other.1);
    Some(())
}

/// A byte moves from one file to the other: together they are the same.
fn given_shifted(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    let [one, other, ..] = &mut jws.contents[..] else { return None };
    one.1.push(*other.1.first()?);
    other.1.remove(0);
    Some(())
}

fn unknown_member(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.value["note"] = "received".into();
    Some(())
}

fn key_identifier(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.signature()?["header"]["kid"] = "alice".into();
    Some(())
}

fn indented(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.indented = true;
    Some(())
}

fn line_end_behind(jws: &mut Jws, _: &mut Random, _: &Lab) -> Option<()> {
    jws.behind = b"\n".to_vec();
    Some(())
}
