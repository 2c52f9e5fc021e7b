//! PDF.

use lacre_testkit::cms::{SignedData, Signer};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Objects, Pdf, SECOND, object, objects};

/// Widgets of a signature field that are not in the form, whose byte range is that of the fields in it but for its last number.
pub fn pdf_fields(_: &Lab, count: usize) -> Vec<u8> {
    let range = |last: u8| object(&format!("[{} {last}]", "1 ".repeat(20 * count)));
    let list = |numbers: std::ops::Range<usize>| numbers.map(|number| format!("{number} 0 R ")).collect::<String>();
    let (in_form, beside) = (20..120, 1000..1000 + count);
    let mut all = objects(&[
        (1, &format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{}] >> >>", list(in_form.clone()))),
        (3, &format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [{}] >>", list(beside.clone()))),
        (12, "<< /ByteRange 11 0 R /Contents <00> >>"),
    ]);
    all.extend([(10, range(2)), (11, range(3))]);
    let field =
        |number: usize, value: &str| (number as u32, object(&format!("<< /FT /Sig /T ({number}) /V {value} >>")));
    all.extend(in_form.map(|number| field(number, "<< /ByteRange 10 0 R /Contents <00> >>")));
    all.extend(beside.map(|number| field(number, "12 0 R")));
    Pdf::page("", all).bytes
}

/// An eighth of them: a PDF may have 500 signatures, each of which is over the whole of it.
pub fn pdf_signatures(lab: &Lab, count: usize) -> Vec<u8> {
    let mut pdf = Pdf::usual();
    for number in 0..count as u32 {
        let name = format!("Field {number}");
        let field = Field { field: 100 + 2 * number, value: 101 + 2 * number, name: &name, ..SECOND };
        pdf.sign_with(&field, Objects::new(), |bytes| {
            let mut data = SignedData::new(None);
            data.signers = vec![Signer::of(&lab.alice, bytes).signed(bytes)];
            data.certificates = vec![lab.alice.certificate.clone()];
            data.bytes()
        });
    }
    pdf.bytes
}
