//! Signature fields, and what they ask of a signer: P2, P3.

use super::{How, plain, sign, signed_at};
use crate::cell::{Level, Sheet};
use crate::documents::{self, Table, page};
use crate::world::Key;
use lacre::signing::pades::{Field, NewField, Permission};
use lacre_testkit::pdf::{Objects, objects};
use serde_json::json;

/// A document with signature fields, where object 6 is the first and 10 the form's list.
fn with_fields(annotations: &str, listed: &str, more: &[(u32, &str)]) -> Vec<u8> {
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{listed}] >> >>");
    let shown = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [{annotations}] >>"
    );
    let mut all: Objects = page(&[(1, &catalog), (3, &shown)]);
    all.extend(objects(more));
    Table::default().write(&all)
}

const WIDGET: &str = "/Type /Annot /Subtype /Widget /Rect [72 500 272 550] /P 3 0 R /F 4";

/// A document with one merged field, and that in its dictionary.
pub fn merged(more: &str) -> Vec<u8> {
    with_fields(
        "6 0 R 7 0 R",
        "6 0 R 7 0 R",
        &[
            (6, &format!("<< {WIDGET} /FT /Sig /T (Seller) {more} >>")),
            (7, "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Ines) /Rect [72 600 300 620] /P 3 0 R /F 4 >>"),
        ],
    )
}

pub(super) fn fields(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let separate = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /FT /Sig /T (Seller) /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /Parent 6 0 R >>"))],
    );
    let hierarchical = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /T (Contract) /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /FT /Sig /T (Seller) /Parent 6 0 R >>"))],
    );
    let inherited = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /T (Contract) /FT /Sig /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /T (Seller) /Parent 6 0 R >>"))],
    );
    let lock = |lock: &str| merged(&format!("/Lock << /Type /SigFieldLock {lock} >>"));
    let kinds = [
        ("merged", merged(""), "Seller"),
        ("separate widget", separate, "Seller"),
        ("hierarchical", hierarchical, "Contract.Seller"),
        ("inherited type", inherited, "Contract.Seller"),
        ("lock all", lock("/Action /All"), "Seller"),
        ("lock include", lock("/Action /Include /Fields [(Name)]"), "Seller"),
        ("lock exclude", lock("/Action /Exclude /Fields [(Other)]"), "Seller"),
        ("lock all, P 1", lock("/Action /All /P 1"), "Seller"),
        ("lock include, P 2", lock("/Action /Include /Fields [(Name)] /P 2"), "Seller"),
    ];
    for (kind, bytes, name) in &kinds {
        for (key, levels) in [(Key::P256, &Level::ALL[..]), (Key::Rsa2048, &[Level::B, Level::Lta][..])] {
            for level in levels {
                let cell = format!("{kind}, {}, {}", key.name(), level.name());
                sheet.passes("P2", &cell, || {
                    let mut made = signed_at(world, &plain(kind, bytes.clone()), &How::with(key).field(name), *level)?;
                    made.stated = Some(json!({ "field": [name.rsplit('.').next()] }));
                    if kind.starts_with("lock") {
                        made.more = json!({ "locked": true });
                    }
                    if *kind == "separate widget" {
                        // poppler sees no signature of a field whose widget stands by itself, whoever made it.
                        made.more = json!({ "pdfsig": "no" });
                    }
                    Ok(made)
                });
            }
        }
    }
    let only = How::usual().options(|options| options.field = Field::OnlyEmpty);
    sheet.passes("P2", "the only empty field", || signed_at(world, &plain("", merged("")), &only, Level::B));
    seed_values(sheet);
    let refused = |sheet: &mut Sheet<'_>, name: &str, code: &str, bytes: &[u8], how: How| {
        sheet.refused("P2", name, code, || sign(world, bytes, None, &how).expect("there is the key"));
    };
    refused(sheet, "no such field", "field-not-found", &merged(""), How::usual().field("Buyer"));
    refused(sheet, "a text field", "field-not-signature", &merged(""), How::usual().field("Name"));
    refused(sheet, "no empty field", "field-not-found", &documents::plain(), only.clone());
    let page = How::usual().options(|options| {
        let mut field = NewField::default();
        field.page = 2;
        options.field = Field::New(field);
    });
    refused(sheet, "no such page", "field-outside-page", &documents::plain(), page);
    let taken = How::usual().options(|options| {
        let mut field = NewField::default();
        field.name = Some("Name".into());
        options.field = Field::New(field);
    });
    refused(sheet, "a name that is taken", "field-name-invalid", &merged(""), taken);
    let below = How::usual().options(|options| {
        let mut field = NewField::default();
        field.name = Some("Name.Signature".into());
        options.field = Field::New(field);
    });
    refused(sheet, "a name below a text field", "field-name-invalid", &merged(""), below);
    if let Ok(Ok(once)) = sign(world, &lock("/Action /All"), None, &How::usual().field("Seller")) {
        refused(sheet, "a signed field", "field-signed", &once, How::usual().field("Seller"));
        refused(sheet, "a new field after a lock of all", "locked-by-field", &once, How::usual());
    }
}

/// Seed values: ISO 32000-2 table 237, each required and not.
fn seed_values(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let values = |values: &str| merged(&format!("/SV << /Type /SV {values} >>"));
    let user = world.user(Key::P256).expect("there is the key");
    let hex = |bytes: &[u8]| format!("<{}>", crate::cell::hex(bytes));
    let (own, issuer) = (hex(user.signer.certificate().der()), hex(world.persons.certificate.der()));
    let stranger = hex(world.times.certificate.der());
    let reason = |text: &str| How::usual().options(|options| options.reason = Some(text.into())).field("Seller");
    let usual = || How::usual().field("Seller");
    let met: Vec<(&str, String, How)> = vec![
        ("Filter", "/Filter /Adobe.PPKLite /Ff 1".into(), usual()),
        ("SubFilter", "/SubFilter [/ETSI.CAdES.detached /adbe.pkcs7.detached] /Ff 2".into(), usual()),
        ("V", "/V 2.0 /Ff 4".into(), usual()),
        ("Reasons", "/Reasons [(Agreed) (Read)] /Ff 8".into(), reason("Read")),
        ("Reasons, none", "/Reasons [(.)] /Ff 8".into(), usual()),
        ("DigestMethod", "/DigestMethod [(SHA256) (SHA512)] /Ff 64".into(), usual()),
        ("MDP 0", "/MDP << /P 0 >>".into(), usual()),
        (
            "MDP 2",
            "/MDP << /P 2 >>".into(),
            usual().options(|options| options.certify = Some(Permission::MinimalChanges)),
        ),
        ("Cert Subject", format!("/Cert << /Type /SVCert /Subject [{own}] /Ff 1 >>"), usual()),
        ("Cert Issuer", format!("/Cert << /Type /SVCert /Issuer [{issuer}] /Ff 2 >>"), usual()),
        ("Cert SubjectDN", "/Cert << /Type /SVCert /SubjectDN [<< /C (PT) >>] /Ff 8 >>".into(), usual()),
        ("Cert KeyUsage", "/Cert << /Type /SVCert /KeyUsage [(X1)] /Ff 32 >>".into(), usual()),
        ("LockDocument", "/LockDocument /true /Ff 128".into(), usual()),
        ("AddRevInfo, advice", "/AddRevInfo true".into(), usual()),
        ("SubFilter, advice", "/SubFilter [/adbe.pkcs7.detached]".into(), usual()),
        ("DigestMethod, advice", "/DigestMethod [(SHA512)]".into(), usual()),
        ("Reasons, advice", "/Reasons [(Agreed)]".into(), reason("Read")),
        ("Cert Issuer, advice", format!("/Cert << /Type /SVCert /Issuer [{stranger}] >>"), usual()),
    ];
    for (name, text, how) in &met {
        sheet.passes("P2", &format!("seed value {name}, met"), || {
            signed_at(world, &plain(name, values(text)), how, Level::B)
        });
    }
    let inline = How { inline: true, ..usual() };
    sheet.passes("P2", "seed value TimeStamp, met", || {
        signed_at(world, &plain("", values("/TimeStamp << /URL (http://tsa.example) /Ff 1 >>")), &inline, Level::T)
    });
    let unmet: Vec<(&str, String, How)> = vec![
        ("Filter", "/Filter /Somebody.Else /Ff 1".into(), usual()),
        ("SubFilter", "/SubFilter [/adbe.pkcs7.detached] /Ff 2".into(), usual()),
        ("V", "/V 9.0 /Ff 4".into(), usual()),
        ("Reasons", "/Reasons [(Agreed)] /Ff 8".into(), reason("Read")),
        ("Reasons, none", "/Reasons [(.)] /Ff 8".into(), reason("Read")),
        ("DigestMethod", "/DigestMethod [(SHA512)] /Ff 64".into(), usual()),
        ("AddRevInfo", "/AddRevInfo true /Ff 32".into(), usual()),
        (
            "LegalAttestation",
            "/LegalAttestation [(None)] /Ff 16".into(),
            usual().options(|options| options.certify = Some(Permission::NoChange)),
        ),
        ("Cert Subject", format!("/Cert << /Type /SVCert /Subject [{stranger}] /Ff 1 >>"), usual()),
        ("Cert Issuer", format!("/Cert << /Type /SVCert /Issuer [{stranger}] /Ff 2 >>"), usual()),
        ("Cert SubjectDN", "/Cert << /Type /SVCert /SubjectDN [<< /C (EE) >>] /Ff 8 >>".into(), usual()),
        ("Cert KeyUsage", "/Cert << /Type /SVCert /KeyUsage [(X0)] /Ff 32 >>".into(), usual()),
        ("TimeStamp", "/TimeStamp << /URL (http://tsa.example) /Ff 1 >>".into(), usual()),
    ];
    for (name, text, how) in unmet {
        sheet.refused("P2", &format!("seed value {name}, not met"), "seed-value-unmet", || {
            sign(world, &values(&text), None, &how).expect("there is the key")
        });
    }
}
