//! What is changed in signed XML.

use crate::random::Random;
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::DS;

/// A change of an XML document.
pub struct Edit {
    pub name: &'static str,
    pub harmless: bool,
    pub make: fn(&mut String, &mut Random, &Lab) -> Option<()>,
}

macro_rules! edits {
    ($($harmless:literal $make:ident,)*) => {
        &[$(Edit { name: stringify!($make), harmless: $harmless, make: $make },)*]
    };
}

/// All of them.
pub const EDITS: &[Edit] = edits! {
    false amount_changed,
    false account_changed,
    false element_added,
    false attribute_added,
    false element_removed,
    false elements_swapped,
    false text_split,
    false wrapped,
    false wrapped_beside,
    false signed_moved_into_object,
    false twin_by_id,
    false signature_moved_first,
    false object_added,
    false object_in_properties,
    false element_in_signature,
    false text_in_signature,
    false element_in_key_info,
    false second_signature,
    false signature_copied,
    false value_twice,
    false entity_declared,
    false default_attribute,
    false outer_declaration,
    false instruction_in_front,
    false instruction_inside,
    false behind_the_end,
    false encoding_declared,
    false namespace_changed,
    false base_added,
    false schema_added,
    false comment_that_cuts,
    false element_in_digits,
    false kind_of_object,
    false name_declared_id,
    false id_moved,
    false entity_in_signature,
    false parameter_entity,
    false included,
    false prefix_rebound,
    false upper_case,
    false digits_changed,
    false cdata,
    false character_reference,
    true comment_added,
    true key_name,
    true line_end_behind,
    true declaration_in_front,
};

const OTHER: &str = "<contract><amount>900,000</amount><iban>XX00 9999</iban></contract>";

fn replace(text: &mut String, from: &str, to: &str) -> Option<()> {
    let at = text.find(from)?;
    text.replace_range(at..at + from.len(), to);
    Some(())
}

fn before(text: &mut String, what: &str, added: &str) -> Option<()> {
    let at = text.find(what)?;
    text.insert_str(at, added);
    Some(())
}

fn after(text: &mut String, what: &str, added: &str) -> Option<()> {
    let at = text.find(what)? + what.len();
    text.insert_str(at, added);
    Some(())
}

fn amount_changed(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, ">100<", ">900,000<").or_else(|| replace(text, "100 euros", "900,000 euros"))
}

fn account_changed(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, "PT50 1111", "XX00 9999").or_else(|| replace(text, "<seller>Alice", "<seller>Mallory"))
}

fn element_added(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let added = random.of(&["<amount>900,000</amount>", "<clause n=\"3\">All is void.</clause>", "<amount/>"]);
    match random.below(3) {
        0 => before(text, "<ds:Signature ", added),
        1 => after(text, "</ds:Signature>", added),
        _ => before(text, "</contract>", added),
    }
}

fn attribute_added(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let added = random.of(&[" currency=\"USD\"", " xml:lang=\"en\"", " xml:space=\"preserve\"", " Id=\"x\""]);
    after(text, random.of(&["<amount", "<contract", "<iban", "<clause"]), added)
}

fn element_removed(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["amount", "iban", "clause", "buyer"]);
    // What the transforms leave out was nobody's.
    (!text.contains(&format!("ancestor-or-self::{name}"))).then_some(())?;
    let (start, end) = (text.find(&format!("<{name}"))?, text.find(&format!("</{name}>"))?);
    (start < end).then_some(())?;
    text.replace_range(start..end + name.len() + 3, "");
    Some(())
}

fn elements_swapped(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    let (one, other) = ("<amount>100</amount>", "<iban>PT50 1111</iban>");
    replace(text, &format!("{one}{other}"), &format!("{other}{one}"))
}

fn text_split(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, ">100<", ">1<b/>00<")
}

fn wrapped(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let outer = random.of(&["contract", "root", "x"]);
    *text = format!("<{outer}><amount>900,000</amount>{text}</{outer}>");
    Some(())
}

fn wrapped_beside(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    *text = match random.chance(2) {
        true => format!("<root>{OTHER}{text}</root>"),
        false => format!("<root>{text}{OTHER}</root>"),
    };
    Some(())
}

/// The signed element goes into the signature, another takes its place (XSW).
fn signed_moved_into_object(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let start = text.find("<contract Id=\"c1\">")?;
    let end = start + text[start..].find("</contract>")? + 11;
    if text[start..end].contains("<ds:Signature") {
        return None;
    }
    let signed = text[start..end].to_owned();
    let other = match random.below(4) {
        0 => OTHER.to_owned(),
        1 => OTHER.replacen("<contract>", "<contract ID=\"c1\">", 1),
        2 => OTHER.replacen("<contract>", "<contract xml:id=\"c1\">", 1),
        _ => OTHER.replacen("<contract>", "<contract xmlns:w=\"u:w\" w:Id=\"c1\">", 1),
    };
    text.replace_range(start..end, &other);
    before(text, "</ds:Signature>", &format!("<ds:Object>{signed}</ds:Object>"))
}

fn twin_by_id(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["Id", "ID", "id", "xml:id", "AssertionID"]);
    let twin = OTHER.replacen("<contract>", &format!("<contract {name}=\"c1\">"), 1);
    match random.chance(2) {
        true => before(text, "<contract Id", &twin),
        false => after(text, "</ds:Signature>", &twin),
    }
}

fn signature_moved_first(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    let (start, end) = (text.find("<ds:Signature ")?, text.rfind("</ds:Signature>")? + 15);
    let signature = text[start..end].to_owned();
    text.replace_range(start..end, "");
    let at = text.find('>')? + 1;
    text.insert_str(at, &signature);
    Some(())
}

fn object_added(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let kind = random.of(&["", " MimeType=\"text/xml\"", " Id=\"c1\"", " Id=\"doc\""]);
    before(text, "</ds:Signature>", &format!("<ds:Object{kind}>{OTHER}</ds:Object>"))
}

fn object_in_properties(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    before(text, "<xades:QualifyingProperties", OTHER)
}

fn element_in_signature(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    match random.chance(2) {
        true => before(text, "</ds:Signature>", OTHER),
        false => before(text, "<ds:KeyInfo>", OTHER),
    }
}

fn text_in_signature(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    before(text, "</ds:Signature>", "The buyer pays 1,000,000 euros.")
}

fn element_in_key_info(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<ds:KeyInfo>", OTHER)
}

/// Something called a signature, which transforms may leave out.
fn second_signature(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let inner = match random.below(3) {
        0 => format!("<ds:Object>{OTHER}</ds:Object>"),
        1 => OTHER.to_owned(),
        _ => String::new(),
    };
    let place = random.of(&["<ds:Signature ", "<iban>", "<amount>", "<clause"]);
    before(text, place, &format!("<ds:Signature xmlns:ds=\"{DS}\">{inner}</ds:Signature>"))
}

fn signature_copied(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let (start, end) = (text.find("<ds:Signature ")?, text.rfind("</ds:Signature>")? + 15);
    let mut copy = text[start..end].to_owned();
    if random.chance(2) {
        before(&mut copy, "</ds:Signature>", &format!("<ds:Object>{OTHER}</ds:Object>"))?;
    }
    text.insert_str(if random.chance(2) { start } else { end }, &copy);
    Some(())
}

fn value_twice(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    match random.chance(2) {
        true => after(text, "</ds:SignatureValue>", "<ds:SignatureValue>AAAA</ds:SignatureValue>"),
        false => before(text, "<ds:SignedInfo", "<ds:SignedInfo><ds:Reference/></ds:SignedInfo>"),
    }
}

fn entity_declared(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    if random.chance(2) {
        replace(text, ">100<", ">&e;<")?;
    }
    *text = format!("<!DOCTYPE contract [<!ENTITY e \"900,000\">]>{text}");
    Some(())
}

fn default_attribute(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    *text = format!("<!DOCTYPE contract [<!ATTLIST amount currency CDATA \"USD\">]>{text}");
    Some(())
}

fn outer_declaration(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    *text = format!("<!DOCTYPE contract SYSTEM \"http://thief.example/x.dtd\">{text}");
    Some(())
}

fn instruction_in_front(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    *text = format!("<?xml-stylesheet type=\"text/xsl\" href=\"evil.xsl\"?>{text}");
    Some(())
}

fn instruction_inside(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    after(text, random.of(&["<contract>", "<ds:KeyInfo>", "</ds:SignatureValue>"]), "<?show \"900,000\"?>")
}

fn behind_the_end(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    text.push_str(random.of(&["<evil/>", "<?xml-stylesheet href=\"x\"?>", "text", "<!-- %PDF -->", "\0"]));
    Some(())
}

fn encoding_declared(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let encoding = random.of(&["UTF-16", "UTF-7", "ISO-8859-1", "IBM037"]);
    (!text.starts_with("<?xml ")).then_some(())?;
    *text = format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>{text}");
    Some(())
}

fn namespace_changed(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<contract", random.of(&[" xmlns=\"u:other\"", " xmlns:q=\"u:other\""]))
}

fn base_added(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<contract", " xml:base=\"http://thief.example/\"")
}

fn schema_added(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    *text = format!(
        "<root xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"http://thief.example/x.xsd\">{text}</root>"
    );
    Some(())
}

/// Some readers take the text up to a comment for all of it.
fn comment_that_cuts(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, ">100<", ">10<!-- -->0<")
}

/// Base64 is read with what is not a digit passed over; a reader of XML shows it.
fn element_in_digits(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    replace(
        text,
        "cGF5IDEw",
        random.of(&[
            "cGF5<amount>900,000</amount>IDEw",
            "cGF5<?show 900000?>IDEw",
            "cGF5<b a=\"900,000\"/>IDEw",
            "cGF5 (900.000) IDEw",
            "cGF5<!-- 900,000 -->IDEw",
        ]),
    )
}

fn kind_of_object(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    match random.chance(2) {
        true => replace(text, " Encoding=\"http://www.w3.org/2000/09/xmldsig#base64\"", " MimeType=\"text/plain\""),
        false => replace(text, "<ds:Object>", "<ds:Object MimeType=\"text/html\">"),
    }
}

/// Another attribute becomes an Id by declaration.
fn name_declared_id(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<root>", "<contract name=\"c1\"><amount>900,000</amount></contract>")?;
    *text = format!("<!DOCTYPE root [<!ATTLIST contract name ID #IMPLIED>]>{text}");
    Some(())
}

fn id_moved(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    replace(text, "<contract Id=\"c1\">", "<contract>")?;
    let inner = random.of(&["<amount", "<iban"]);
    after(text, inner, " Id=\"c1\"")
}

fn entity_in_signature(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<ds:KeyInfo>", "<ds:KeyName>&e;</ds:KeyName>")?;
    *text = format!("<!DOCTYPE contract [<!ENTITY e \"900,000\">]>{text}");
    Some(())
}

fn parameter_entity(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    *text = format!("<!DOCTYPE contract [<!ENTITY % p \"<!ATTLIST amount currency CDATA 'USD'>\">%p;]>{text}");
    Some(())
}

fn included(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    let inclusion = "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"evil.xml\"/>";
    before(text, "</ds:Signature>", &format!("<ds:Object>{inclusion}</ds:Object>"))
}

/// A prefix that is only used in values stands for another namespace.
fn prefix_rebound(text: &mut String, random: &mut Random, _: &Lab) -> Option<()> {
    let name = random.of(&["<amount", "<iban", "<ds:Signature"]);
    after(text, name, random.of(&[" xmlns:ds2=\"u:x\"", " xmlns:xsi=\"u:x\"", " xmlns=\"\""]))
}

fn upper_case(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, "<amount>100</amount>", "<AMOUNT>100</AMOUNT>")
}

fn digits_changed(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, "cGF5IDEw", "cGF5IDkw")
}

fn cdata(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, ">100<", "><![CDATA[100]]><")
}

fn character_reference(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    replace(text, ">100<", ">&#49;00<")
}

fn comment_added(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    before(text, "</contract>", "<!-- received -->")
}

fn key_name(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    after(text, "<ds:KeyInfo>", "<ds:KeyName>Alice</ds:KeyName>")
}

fn line_end_behind(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    text.push('\n');
    Some(())
}

fn declaration_in_front(text: &mut String, _: &mut Random, _: &Lab) -> Option<()> {
    (!text.starts_with("<?xml")).then_some(())?;
    *text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{text}");
    Some(())
}
