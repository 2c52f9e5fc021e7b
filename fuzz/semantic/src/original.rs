//! The documents that are changed: signed by the laboratory, and the repository's own examples.

use lacre_testkit::pdf::{Field, Form, Objects, PERMS, Pdf, SECOND, certified, object, objects, stream};
use lacre_testkit::xml;
use lacre_testkit::zip::{ASIC_S, Entry, FILES, Zip};
use lacre_testkit::{jws::url, lab::Lab, pki::Crl, pki::sha256};
use serde_json::{Value, json};

/// A signed document that is TOTAL-PASSED.
pub struct Original {
    pub name: String,
    pub matter: Matter,
    /// What is handed in beside it.
    pub contents: Vec<(String, Vec<u8>)>,
}

/// What kind of document it is.
pub enum Matter {
    Pdf(Box<Paper>),
    Zip(Zip),
    Xml(String),
    Cms(Vec<u8>),
    Json(Value),
}

/// A PDF and what may be done to it.
pub struct Paper {
    pub pdf: Pdf,
    /// P of its certification.
    pub p: Option<u8>,
    /// Its fields are locked.
    pub locked: bool,
}

impl Original {
    /// The file name that it has.
    pub fn file(&self) -> String {
        let ending = match &self.matter {
            Matter::Pdf(_) => "pdf",
            Matter::Zip(zip) if zip.entries.first().is_some_and(|entry| entry.data == ASIC_S) => "asics",
            Matter::Zip(_) => "asice",
            Matter::Xml(_) => "xml",
            Matter::Json(_) => "json",
            Matter::Cms(bytes) if self.contents.is_empty() && bytes.starts_with(b"--") => "pem",
            Matter::Cms(_) if self.contents.is_empty() => "p7m",
            Matter::Cms(_) => "p7s",
        };
        format!("document.{ending}")
    }

    /// Whether it leaves something out as it is signed, so that it need not pass.
    pub fn is_doubtful(&self) -> bool {
        self.name.contains("leaves") || self.name.contains("keeps")
    }

    pub fn bytes(&self) -> Vec<u8> {
        match &self.matter {
            Matter::Pdf(paper) => paper.pdf.bytes.clone(),
            Matter::Zip(zip) => zip.bytes(),
            Matter::Xml(text) => text.clone().into_bytes(),
            Matter::Cms(bytes) => bytes.clone(),
            Matter::Json(value) => value.to_string().into_bytes(),
        }
    }
}

/// All of them.
pub fn all(lab: &Lab) -> Vec<Original> {
    let mut found = papers(lab);
    found.extend(containers(lab));
    found.extend(texts(lab));
    found.extend(messages(lab));
    found.extend(tokens(lab));
    found
}

fn papers(lab: &Lab) -> Vec<Original> {
    let mut found = vec![];
    let mut add = |name: &str, pdf: Pdf, p: Option<u8>, locked: bool| {
        let matter = Matter::Pdf(Box::new(Paper { pdf, p, locked }));
        found.push(Original { name: format!("pdf: {name}"), matter, contents: vec![] });
    };
    add("one page", Pdf::usual().signed(lab, &Field::default()), None, false);
    for p in 1..=3 {
        add(&format!("one page, certified P={p}"), Pdf::usual().certified(lab, p), Some(p), false);
    }
    for form in [Form::Table, Form::Stream, Form::Packed] {
        let name = format!("{form:?}").to_lowercase();
        add(&format!("rich, {name}"), rich(lab, form, "", ""), None, false);
        let p = match form {
            Form::Table => 1,
            Form::Stream => 2,
            Form::Packed => 3,
        };
        add(&format!("rich, {name}, certified P={p}"), rich(lab, form, &certified(p), PERMS), Some(p), false);
    }
    let all = "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /All /V /1.2 >> >>]";
    add("rich, all fields locked", rich(lab, Form::Table, all, ""), None, true);
    let mut two = rich(lab, Form::Table, "", "");
    let place = "[300 600 500 640]";
    two.sign_with(&Field { field: 90, value: 91, rectangle: place, ..SECOND }, Objects::new(), |bytes| {
        lab.pades(&lab.bob, bytes)
    });
    add("rich, two signatures", two, None, false);
    for (name, p) in [("deep", None), ("deep, certified P=2", Some(2))] {
        add(name, deep(lab, p), p, false);
    }
    let mut kept = Pdf::usual().certified(lab, 2);
    kept.update(kept.proofs(&[&lab.root.certificate], &[&lab.crl]));
    add("one page, certified P=2, with proofs", kept, Some(2), false);
    found
}

/// A PDF of three pages with whatever documents have.
fn rich(lab: &Lab, form: Form, dictionary: &str, catalog: &str) -> Pdf {
    let resources = "<< /Font << /F1 5 0 R /F2 24 0 R >> /XObject << /Fm0 16 0 R /Im0 34 0 R >> /Properties << /O1 33 0 R >> /ProcSet [/PDF /Text] >>";
    let mut all: Objects = objects(&[
        (
            1,
            "<< /Type /Catalog /Pages 2 0 R /AcroForm 8 0 R /Metadata 10 0 R /Outlines 11 0 R /Names << /EmbeddedFiles << /Names [(invoice.xml) 31 0 R] >> >> /AF [31 0 R] /OCProperties << /OCGs [33 0 R] /D << /Order [33 0 R] /OFF [33 0 R] >> >> /PageMode /UseNone /Lang (en) >>",
        ),
        (2, "<< /Type /Pages /Kids [3 0 R 50 0 R] /Count 3 /MediaBox [0 0 595 842] >>"),
        (50, "<< /Type /Pages /Parent 2 0 R /Kids [12 0 R 13 0 R] /Count 2 /Resources 15 0 R >>"),
        (
            3,
            "<< /Type /Page /Parent 2 0 R /Contents [4 0 R 14 0 R] /Resources 15 0 R /Annots [17 0 R 18 0 R 19 0 R 20 0 R 21 0 R 35 0 R] >>",
        ),
        (12, "<< /Type /Page /Parent 50 0 R /Contents 22 0 R >>"),
        (
            13,
            "<< /Type /Page /Parent 50 0 R /MediaBox [0 0 595 842] /Contents 23 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Fm0 16 0 R >> >> >>",
        ),
        (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        (
            24,
            "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Type /Encoding /Differences [97 /a] >> >>",
        ),
        (15, resources),
        (8, "<< /Fields [19 0 R 20 0 R] /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf 0 g) /SigFlags 3 >>"),
        (11, "<< /Type /Outlines /First 40 0 R /Last 40 0 R /Count 1 >>"),
        (40, "<< /Title (Contract) /Parent 11 0 R /Dest [3 0 R /Fit] >>"),
        (
            17,
            "<< /Type /Annot /Subtype /Link /Rect [72 500 272 520] /Border [0 0 0] /F 4 /P 3 0 R /A << /S /URI /URI (https://bank.example/pay) >> >>",
        ),
        (
            18,
            "<< /Type /Annot /Subtype /Text /Rect [540 780 560 800] /F 28 /P 3 0 R /T (Alice) /Contents (As agreed.) /Name /Note >>",
        ),
        (
            19,
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (5) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F1 12 Tf 0 g) /AP << /N 26 0 R >> >>",
        ),
        (
            20,
            "<< /Type /Annot /Subtype /Widget /FT /Btn /T (agree) /V /Off /AS /Off /P 3 0 R /Rect [100 260 120 280] /F 4 /AP << /N << /Yes 27 0 R /Off 28 0 R >> >> >>",
        ),
        (21, "<< /Type /Annot /Subtype /Stamp /Rect [0 0 595 842] /F 2 /P 3 0 R /AP << /N 29 0 R >> >>"),
        (
            35,
            "<< /Type /Annot /Subtype /FreeText /Rect [72 180 300 210] /F 4 /P 3 0 R /Contents (Signed in Lisbon.) /DA (/F1 12 Tf 0 g) /AP << /N 37 0 R >> >>",
        ),
        (
            31,
            "<< /Type /Filespec /F (invoice.xml) /UF (invoice.xml) /AFRelationship /Alternative /EF << /F 30 0 R /UF 30 0 R >> >>",
        ),
        (33, "<< /Type /OCG /Name (Draft) >>"),
    ]);
    let shape = |box_: &str, text: &[u8]| {
        let entries = format!("/Type /XObject /Subtype /Form /BBox {box_} /Resources << /Font << /F1 5 0 R >> >>");
        stream(&entries, text)
    };
    let page = "[0 0 595 842]";
    all.insert(4, stream("", b"/Fm0 Do BT /F1 14 Tf 72 760 Td (The seller delivers 10 bicycles.) Tj ET"));
    all.insert(
        14,
        stream("", b"BT /F2 14 Tf 72 720 Td (The price is 1000 euros a piece.) Tj ET q 60 0 0 60 450 650 cm /Im0 Do Q /OC /O1 BDC BT /F1 14 Tf 72 680 Td (The seller may withdraw.) Tj ET EMC"),
    );
    all.insert(22, stream("", b"/Fm0 Do BT /F1 14 Tf 72 760 Td (The buyer pays within 30 days.) Tj ET"));
    all.insert(23, stream("", b"/Fm0 Do BT /F1 14 Tf 72 760 Td (Disputes go to the court of Lisbon.) Tj ET"));
    all.insert(10, stream("/Type /Metadata /Subtype /XML", b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"));
    all.insert(16, shape(page, b"BT /F1 9 Tf 72 810 Td (Contract 42, general terms apply.) Tj ET 72 800 450 1 re f"));
    all.insert(26, shape("[0 0 100 20]", b"/Tx BMC q BT /F1 12 Tf 2 5 Td (5) Tj ET Q EMC"));
    all.insert(27, shape("[0 0 20 20]", b"0 0 m 20 20 l S 0 20 m 20 0 l S"));
    all.insert(28, shape("[0 0 20 20]", b"0 0 20 20 re S"));
    all.insert(29, shape(page, b"1 1 1 rg 0 0 595 842 re f 0 g BT /F1 14 Tf 72 760 Td (A draft, not agreed.) Tj ET"));
    all.insert(37, shape("[0 0 228 30]", b"BT /F1 12 Tf 2 10 Td (Signed in Lisbon.) Tj ET"));
    all.insert(38, shape("[0 0 200 40]", b"BT /F1 10 Tf 2 20 Td (Signed by Alice Honest) Tj ET"));
    let image: Vec<u8> = (0..64u8).map(|at| if at % 9 == 0 { 0 } else { 255 }).collect();
    let entries = "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8";
    all.insert(34, stream(entries, &image));
    let invoice = b"<invoice><total>100.00</total><iban>PT50000201231234567890154</iban></invoice>";
    all.insert(30, stream("/Type /EmbeddedFile /Subtype /text#2Fxml", invoice));
    let field =
        Field { rectangle: "[72 600 272 640]", more: "/AP << /N 38 0 R >>", dictionary, catalog, ..Field::default() };
    let (shown, rest): (Objects, Objects) = all.into_iter().partition(|(number, _)| *number == 38);
    let mut pdf = Pdf::of(rest, form);
    pdf.sign(lab, &field, shown);
    pdf
}

/// A PDF of one page that is drawn through whatever a page may hold: everything has an object of its own.
fn deep(lab: &Lab, p: Option<u8>) -> Pdf {
    let mut all: Objects = objects(&[
        (
            1,
            "<< /Type /Catalog /Pages 2 0 R /AcroForm 20 0 R /StructTreeRoot 40 0 R /MarkInfo << /Marked true >> /Dests 45 0 R /ViewerPreferences << /DisplayDocTitle true >> >>",
        ),
        (2, "<< /Type /Pages /Kids 30 0 R /Count 1 /MediaBox 31 0 R /Resources 15 0 R /Rotate 0 >>"),
        (30, "[3 0 R]"),
        (31, "[0 0 595 842]"),
        (3, "<< /Type /Page /Parent 2 0 R /Contents 32 0 R /Annots 33 0 R /StructParents 0 >>"),
        (32, "[4 0 R 14 0 R]"),
        (33, "[21 0 R 22 0 R 23 0 R 24 0 R 46 0 R]"),
        (
            15,
            "<< /Font 16 0 R /XObject << /Fm0 17 0 R >> /Pattern << /P0 18 0 R >> /ExtGState << /G0 19 0 R >> /ColorSpace << /C0 48 0 R >> /Shading << /S0 49 0 R >> >>",
        ),
        (16, "<< /F1 5 0 R /F3 35 0 R >>"),
        (
            5,
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 57 /Widths 36 0 R /Encoding 37 0 R /ToUnicode 38 0 R >>",
        ),
        (
            36,
            "[278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556]",
        ),
        (37, "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences 39 0 R >>"),
        (39, "[65 /A]"),
        (
            35,
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 49 /LastChar 50 /Widths [1000 1000] /Encoding << /Type /Encoding /Differences [49 /one /two] >> /CharProcs 50 0 R /Resources << >> >>",
        ),
        (50, "<< /one 51 0 R /two 52 0 R >>"),
        (19, "<< /Type /ExtGState /ca 1 /SMask << /Type /Mask /S /Luminosity /G 53 0 R >> >>"),
        (48, "[/Indexed /DeviceGray 1 <00FF>]"),
        (49, "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 60 0] /Function 54 0 R >>"),
        (54, "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>"),
        (
            20,
            "<< /Fields [34 0 R 23 0 R 24 0 R] /DR << /Font << /F1 5 0 R >> >> /DA (/F1 12 Tf 0 g) /SigFlags 3 /CO [23 0 R] >>",
        ),
        (34, "<< /FT /Btn /Ff 49152 /T (choice) /V /No /Kids [21 0 R 22 0 R] >>"),
        (
            21,
            "<< /Type /Annot /Subtype /Widget /Parent 34 0 R /AS /Off /P 3 0 R /Rect [100 260 120 280] /F 4 /AP << /N << /Yes 27 0 R /Off 28 0 R >> >> >>",
        ),
        (
            22,
            "<< /Type /Annot /Subtype /Widget /Parent 34 0 R /AS /No /P 3 0 R /Rect [130 260 150 280] /F 4 /AP << /N << /No 27 0 R /Off 28 0 R >> >> >>",
        ),
        (
            23,
            "<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /T (currency) /V (EUR) /Opt [(EUR) (USD)] /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F1 12 Tf 0 g) /MK << /BG [1] >> /AP << /N 26 0 R >> >>",
        ),
        (
            24,
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (5) /MaxLen 9 /P 3 0 R /Rect [100 340 200 360] /F 4 /DA (/F1 12 Tf 0 g) /AP << /N 25 0 R >> >>",
        ),
        (40, "<< /Type /StructTreeRoot /K 41 0 R /ParentTree << /Nums [0 [41 0 R]] >> >>"),
        (41, "<< /Type /StructElem /S /P /P 40 0 R /Pg 3 0 R /K 0 /ActualText (The price is 1000 euros.) >>"),
        (45, "<< /here [3 0 R /Fit] >>"),
        (46, "<< /Type /Annot /Subtype /Link /Rect [72 500 272 520] /Border [0 0 0] /F 4 /P 3 0 R /A 47 0 R >>"),
        (47, "<< /S /URI /URI (https://bank.example/pay) >>"),
    ]);
    let content =
        b"/P <</MCID 0>> BDC BT /F1 14 Tf 72 760 Td (1000 EUROS) Tj ET EMC BT /F3 20 Tf 72 720 Td (12) Tj ET /Fm0 Do";
    all.insert(4, stream("", content));
    all.insert(14, stream("", b"q /G0 gs /Pattern cs /P0 scn 72 600 100 60 re f Q q /C0 cs 1 sc 200 600 60 60 re f 0 sc 210 610 40 40 re f Q q 1 0 0 1 300 600 cm 0 0 60 60 re W n /S0 sh Q"));
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 595 842]";
    // Without resources of its own it has those of the page.
    all.insert(17, stream(form, b"BT /F1 9 Tf 72 810 Td (2 0 0 0) Tj ET"));
    all.insert(18, stream("/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10 10] /XStep 10 /YStep 10 /Resources << >>", b"0 0 5 5 re f"));
    all.insert(
        53,
        stream(
            &format!("{form} /Group << /S /Transparency /CS /DeviceGray >> /Resources << >>"),
            b"1 g 0 0 595 842 re f",
        ),
    );
    all.insert(51, stream("", b"1000 0 d0 400 0 200 800 re f"));
    all.insert(52, stream("", b"1000 0 d0 100 0 800 200 re f"));
    all.insert(38, stream("", b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <5A> <0020> endbfrange endcmap end end"));
    let shape = |box_: &str, text: &[u8]| {
        stream(&format!("/Type /XObject /Subtype /Form /BBox {box_} /Resources << /Font << /F1 5 0 R >> >>"), text)
    };
    all.insert(25, shape("[0 0 100 20]", b"/Tx BMC q BT /F1 12 Tf 2 5 Td (5) Tj ET Q EMC"));
    all.insert(26, shape("[0 0 100 20]", b"/Tx BMC q BT /F1 12 Tf 2 5 Td (EUR) Tj ET Q EMC"));
    all.insert(27, shape("[0 0 20 20]", b"0 0 m 20 20 l S 0 20 m 20 0 l S"));
    all.insert(28, shape("[0 0 20 20]", b"0 0 20 20 re S"));
    // Its length stands elsewhere.
    let mut last = stream("", b"BT /F1 14 Tf 72 680 Td (42) Tj ET");
    last.value.set("Length", "56 0 R");
    all.insert(56, object(&last.stream.as_ref().map_or(0, Vec::len).to_string()));
    all.insert(55, last);
    all.insert(32, object("[4 0 R 14 0 R 55 0 R]"));
    let dictionary = p.map(certified).unwrap_or_default();
    let field = Field {
        field: 60,
        value: 61,
        rectangle: "[72 600 272 640]",
        more: "/AP << /N 62 0 R >>",
        dictionary: &dictionary,
        catalog: if p.is_some() { "/Perms << /DocMDP 61 0 R >>" } else { "" },
        ..Field::default()
    };
    let mut pdf = Pdf::of(all, Form::Table);
    pdf.sign(lab, &field, [(62, shape("[0 0 200 40]", b"BT /F1 10 Tf 2 20 Td (ALICE) Tj ET"))].into_iter().collect());
    pdf
}

fn containers(lab: &Lab) -> Vec<Original> {
    let mut found = vec![];
    let mut add = |name: &str, zip: Zip| {
        found.push(Original { name: format!("zip: {name}"), matter: Matter::Zip(zip), contents: vec![] });
    };
    let long: Vec<(&str, &[u8])> = vec![FILES[0], FILES[1], ("pages/letter.txt", b"We agree on everything above.")];
    add("ASiC-E with XAdES", lab.asic_e(&FILES, &[]));
    let mut deflated = lab.asic_e(&long, &[]);
    deflated.entries.iter_mut().skip(1).for_each(|entry| entry.deflated = true);
    add("ASiC-E with XAdES, deflated", deflated);
    add("ASiC-E with a name beyond ASCII", lab.asic_e(&[("caf\u{e9}.txt", b"pay 100"), FILES[1]], &[]));
    add("ASiC-E with CAdES", lab.asic_e_cades(&long));
    let file = FILES[0];
    add("ASiC-S with CAdES", lab.asic_s(file, "META-INF/signature.p7s", &lab.detached(file.1)));
    add("ASiC-S with attached CAdES", lab.asic_s(file, "META-INF/signature.p7s", &lab.attached(file.1)));
    let xades = lacre_testkit::zip::signatures(&lab.xades_over(&[file]));
    add("ASiC-S with XAdES", lab.asic_s(file, "META-INF/signatures.xml", &xades));
    let mut streamed = lab.asic_e_cades(&long);
    streamed.entries.iter_mut().skip(1).for_each(|entry| (entry.deflated, entry.streamed) = (true, true));
    add("ASiC-E with CAdES, as it is streamed", streamed);
    // Entries in another order than they are listed.
    let mut other = lab.asic_e(&long, &[]);
    other.entries.push(Entry::new("META-INF/container.xml", b"<container/>"));
    other.entries.swap(1, 2);
    add("ASiC-E with a standard file", other);
    found
}

/// A contract with more in it.
const LONG: &str = "<contract><parties><seller>Alice</seller><buyer>Bob</buyer></parties><clause n=\"1\">The price is 100 euros.</clause><clause n=\"2\">Delivery in May.</clause></contract>";

fn texts(lab: &Lab) -> Vec<Original> {
    use xml::{CONTRACT, ENVELOPED, EXCLUSIVE, Signature, enclosed, filter, reference, xpath};
    let mut found = vec![];
    let mut add = |name: &str, text: String| {
        found.push(Original { name: format!("xml: {name}"), matter: Matter::Xml(text), contents: vec![] });
    };
    add("enveloped", lab.enveloped(CONTRACT));
    add("enveloped, longer", lab.enveloped(LONG));
    let not_signature = format!(
        "<ds:Transform Algorithm=\"{}\"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>",
        xml::XPATH
    );
    add("enveloped by XPath", lab.enveloped_by(CONTRACT, CONTRACT, &[&not_signature, EXCLUSIVE]));
    let left = "<contract><iban>PT50 1111</iban></contract>";
    let without = xpath("not(ancestor-or-self::ds:Signature) and not(ancestor-or-self::amount)");
    add("XPath that leaves the amount out", lab.enveloped_by(CONTRACT, left, &[&without, EXCLUSIVE]));
    let only = filter("intersect", "//iban");
    add(
        "filter that keeps the account",
        lab.enveloped_by(CONTRACT, "<iban>PT50 1111</iban>", &[ENVELOPED, &only, EXCLUSIVE]),
    );
    let named = CONTRACT.replacen("<contract>", "<contract Id=\"c1\">", 1);
    let by_id = Signature::over(lab, vec![reference(Some("#c1"), named.as_bytes(), &[EXCLUSIVE])]).xml();
    add("by Id, signature beside", format!("<root>{named}{by_id}</root>"));
    let root = Signature::over(lab, vec![reference(Some("#c1"), named.as_bytes(), &[ENVELOPED, EXCLUSIVE])]).xml();
    add("by Id of the document element", enclosed(&named, &root));
    let object = format!("<ds:Object xmlns:ds=\"{}\" Id=\"o\">{CONTRACT}</ds:Object>", xml::DS);
    let over = vec![reference(Some("#o"), object.as_bytes(), &[EXCLUSIVE])];
    add("enveloping", Signature { objects: object, ..Signature::over(lab, over) }.xml());
    // The digest is of what the digits stand for; elements among them are passed over.
    let digits = "<ds:Object xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" Encoding=\"http://www.w3.org/2000/09/xmldsig#base64\" Id=\"o\">cGF5IDEwMCBldXJvcw==</ds:Object>";
    let over = vec![reference(Some("#o"), b"pay 100 euros", &["http://www.w3.org/2000/09/xmldsig#base64"])];
    add("enveloping Base64", Signature { objects: digits.into(), ..Signature::over(lab, over) }.xml());
    let manifest = format!(
        "<ds:Manifest xmlns:ds=\"{}\" Id=\"m\">{}</ds:Manifest>",
        xml::DS,
        reference(Some("letter.txt"), b"pay 100", &[])
    );
    let over =
        vec![xml::typed(Some("#m"), manifest.as_bytes(), &[EXCLUSIVE], "http://www.w3.org/2000/09/xmldsig#Manifest")];
    let objects = format!("<ds:Object>{manifest}</ds:Object>");
    let manifest = Signature { objects, ..Signature::over(lab, over) }.xml();
    let detached = Signature::over(lab, vec![reference(Some("letter.txt"), b"pay 100", &[])]).xml();
    let by_pointer =
        Signature::over(lab, vec![reference(Some("#xpointer(id('c1'))"), named.as_bytes(), &[EXCLUSIVE])]).xml();
    add("by a pointer, signature beside", format!("<root>{named}{by_pointer}</root>"));
    let spaces = CONTRACT.replacen("<contract>", "<contract xmlns=\"urn:contract\">", 1);
    add("enveloped, in a namespace", lab.enveloped(&spaces));
    for (name, text) in [("a manifest", manifest), ("detached", detached)] {
        found.push(Original {
            name: format!("xml: {name}, its file beside"),
            matter: Matter::Xml(text),
            contents: vec![("letter.txt".to_owned(), b"pay 100".to_vec())],
        });
    }
    found
}

fn messages(lab: &Lab) -> Vec<Original> {
    use base64::prelude::*;
    let text = b"I, Alice, agree to pay 100 euros.";
    let given = || vec![("letter.txt".to_owned(), text.to_vec())];
    let attached = lab.attached(text);
    let digits = BASE64_STANDARD.encode(&attached);
    let lines: Vec<&str> = digits.as_bytes().chunks(64).filter_map(|line| std::str::from_utf8(line).ok()).collect();
    let pem = format!("-----BEGIN CMS-----\n{}\n-----END CMS-----\n", lines.join("\n"));
    let both =
        [lab.signer(&lab.alice, text), lab.signer(&lab.bob, text)].map(|signer| signer.at(lacre_testkit::cms::STAMPED));
    let two = lab.signed_data(Some(text), text, &both).bytes();
    let original = |name: &str, bytes: Vec<u8>, contents: Vec<(String, Vec<u8>)>| Original {
        name: format!("cms: {name}"),
        matter: Matter::Cms(bytes),
        contents,
    };
    let mut found = vec![
        original("attached", attached, vec![]),
        original("attached in PEM", pem.into_bytes(), vec![]),
        original("attached, two signers", two, vec![]),
        original("detached", lab.detached(text), given()),
    ];
    found.push(original("attached, its own content given", lab.attached(text), given()));
    found
}

fn tokens(lab: &Lab) -> Vec<Original> {
    let payload = b"{\"pay\":100}";
    let attached = lab.jws(payload, json!({}));
    let mut general = json!({ "payload": attached["payload"], "signatures": [attached] });
    if let Some(one) = general["signatures"][0].as_object_mut() {
        one.remove("payload");
    }
    let plain = lab.header(json!({ "b64": false, "crit": ["b64", "sigT"] }));
    let plain = lab.flattened(&plain, Some("pay 100"), b"pay 100");
    let files: [(&str, &[u8]); 2] = [("a.txt", b"The price is 100"), ("b.txt", b"0 is the number of this file.")];
    let digest = |file: &[u8]| url(&sha256(url(file).as_bytes()));
    let by_digest = json!({
        "mId": "http://uri.etsi.org/19182/ObjectIdByURIHash",
        "pars": files.map(|(name, _)| name),
        "hashM": "S256",
        "hashV": files.map(|(_, file)| digest(file)),
    });
    let by_digest = lab.flattened(&lab.header(json!({ "sigD": by_digest, "crit": ["sigT", "sigD"] })), None, b"");
    let by_name = json!({ "mId": "http://uri.etsi.org/19182/ObjectIdByURI", "pars": ["a.txt"] });
    let by_name = lab.header(json!({ "sigD": by_name, "b64": false, "crit": ["sigT", "sigD", "b64"] }));
    let by_name = lab.flattened(&by_name, None, files[0].1);
    let original = |name: &str, value: Value, files: &[(&str, &[u8])]| Original {
        name: format!("json: {name}"),
        matter: Matter::Json(value),
        contents: files.iter().map(|(name, file)| ((*name).to_owned(), file.to_vec())).collect(),
    };
    vec![
        original("attached", attached, &[]),
        original("attached, general", general, &[]),
        original("attached, not encoded", plain, &[]),
        original("two files by digest", by_digest, &files),
        original("a file by name", by_name, &files[..1]),
    ]
}

/// The repository's example, and the root that vouches for it.
pub fn example(folder: &std::path::Path) -> Option<(Original, Vec<u8>)> {
    let read = |name: &str| std::fs::read(folder.join(name)).ok();
    let pdf = Pdf::read(&read("contract.pdf")?)?;
    let matter = Matter::Pdf(Box::new(Paper { pdf, p: None, locked: false }));
    Some((Original { name: "pdf: examples/documents".into(), matter, contents: vec![] }, read("root.der")?))
}

/// A revocation list that says nothing new, for /DSS.
pub fn another_list(lab: &Lab) -> Vec<u8> {
    Crl { number: 2, this_update: "20261201000000Z", ..Crl::default() }.of(&lab.root)
}
