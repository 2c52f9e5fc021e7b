//! PDF files that readers disagree about: where the validator reads one document, viewers show another (ISO 32000-2 §7.5).

use super::Expect::{FindingNotWhole, NotPassed};
use super::{Given, Row, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// The page's content is another, in an update written so.
fn carried(lab: &Lab, carrier: Carrier) -> Given {
    let signed = Pdf::usual().signed(lab, &Field::default());
    let changes = [(4, stream("", &line(EVIL)))].into_iter().collect();
    pdf(signed.carried(&changes, "", carrier))
}

/// Two pages in an object stream; an update says that the first is at the index of the second.
fn other_index(lab: &Lab) -> Given {
    let page = |content: u32| {
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {content} 0 R /Resources << /Font << /F 5 0 R >> >> >>"
        )
    };
    let (one, other) = (page(4), page(11));
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R >>"),
        (2, "<< /Type /Pages /Kids [3 0 R 10 0 R] /Count 2 >>"),
        (3, &one),
        (5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"),
        (10, &other),
    ]);
    all.insert(4, stream("", &line("Page one: price 100 euros.")));
    all.insert(11, stream("", &line("Page two: price 900 euros, an example.")));
    let mut signed = Pdf::of(all, Form::Packed);
    // Nothing of the page is touched: the stream of the first revision goes on holding it.
    signed.sign(lab, &Field { page: 10, ..Field::default() }, Objects::new());
    let (holder, at) = (12u32, signed.bytes.len());
    let mut bytes = signed.bytes.clone();
    let rows = [&[2u8][..], &holder.to_be_bytes(), &[4]].concat();
    let size = signed.size;
    bytes.extend(format!("{size} 0 obj\n<< /Type /XRef /Size {} /W [1 4 1] /Index [3 1] /Root 1 0 R /Prev {} /Length {} >>\nstream\n", size + 1, signed.previous.unwrap_or_default(), rows.len()).bytes());
    bytes.extend(rows);
    bytes.extend(format!("\nendstream\nendobj\nstartxref\n{at}\n%%EOF\n").bytes());
    pdf(bytes)
}

const F11: &[Row] = &[
    ("ISO 32000-2 7.3.10", "a stream of the page is referred to with another generation", NotPassed, |lab| {
        let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents [4 0 R 12 0 R] /Resources << /Font << /F 5 0 R >> >> >>";
        let mut all = objects(&[(3, page)]);
        all.insert(12, stream("", b"BT /F 14 Tf 72 700 Td (The seller is liable for all damages.) Tj ET"));
        let mut signed = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
        let changed = signed.value(3).to_string().replace("12 0 R", "12 1 R");
        signed.update(objects(&[(3, &changed)]));
        pdf(signed.bytes)
    }),
    (
        "ISO 32000-2 7.5.4",
        "the same objects again under another generation, by which nothing refers to them",
        NotPassed,
        |lab| {
            let signed = Pdf::usual().signed(lab, &Field::default());
            let same = [(4, signed.objects[&4].clone())].into_iter().collect();
            pdf(signed.carried(&same, "", Carrier::BothGenerations))
        },
    ),
    ("ISO 32000-2 7.5.6", "objects and nothing else", FindingNotWhole, |lab| carried(lab, Carrier::Bare)),
    ("ISO 32000-2 7.5.6", "objects, then the old end", FindingNotWhole, |lab| carried(lab, Carrier::BareOldStart)),
    ("ISO 32000-2 7.5.5", "objects, the old end, 1,100 bytes", NotPassed, |lab| carried(lab, Carrier::BareFarStart)),
    ("ISO 32000-2 7.5.5", "objects, the old end, 2,100 bytes", NotPassed, |lab| {
        carried(lab, Carrier::BareVeryFarStart)
    }),
    ("ISO 32000-2 7.5.5", "objects and a trailer", FindingNotWhole, |lab| carried(lab, Carrier::BareTrailer)),
    ("ISO 32000-2 7.5.5", "an update, then startxref in a comment", NotPassed, |lab| {
        carried(lab, Carrier::StartInComment)
    }),
    ("ISO 32000-2 7.5.5", "an update, then startxref in a string", FindingNotWhole, |lab| {
        carried(lab, Carrier::StartInString)
    }),
    ("ISO 32000-2 7.5.5", "an update, then the old end again", NotPassed, |lab| carried(lab, Carrier::OldStart)),
    ("ISO 32000-2 7.5.5", "an update, then startxref within a word", NotPassed, |lab| {
        carried(lab, Carrier::StartGlued)
    }),
    ("ISO 32000-2 7.5.5", "an update, then startxref and a comment", NotPassed, |lab| {
        carried(lab, Carrier::StartWithComment)
    }),
    ("ISO 32000-2 7.5.5", "a comment before the number of startxref", NotPassed, |lab| {
        carried(lab, Carrier::CommentInStart)
    }),
    ("ISO 32000-2 7.5.8.4", "the table has the old, the hidden stream the new", FindingNotWhole, |lab| {
        carried(lab, Carrier::HybridNewHidden)
    }),
    ("ISO 32000-2 7.5.8.4", "the table has the new, the hidden stream the old", NotPassed, |lab| {
        carried(lab, Carrier::HybridOldHidden)
    }),
    ("ISO 32000-2 7.5.8.4", "the table says free, the hidden stream has the new", NotPassed, |lab| {
        carried(lab, Carrier::HybridFree)
    }),
    ("ISO 32000-2 7.5.8.4", "only the hidden stream knows of the new", NotPassed, |lab| carried(lab, Carrier::Hybrid)),
    ("ISO 32000-2 7.5.8.4", "the hidden stream is a table", NotPassed, |lab| carried(lab, Carrier::HybridTable)),
    ("ISO 32000-2 7.5.8.4", "the hidden stream has a /Prev", NotPassed, |lab| carried(lab, Carrier::HiddenPrev)),
    ("ISO 32000-2 7.5.5", "/Prev twice", NotPassed, |lab| carried(lab, Carrier::PrevTwice)),
    ("ISO 32000-2 7.5.5", "/Size is too small", NotPassed, |lab| carried(lab, Carrier::SmallSize)),
    ("ISO 32000-2 7.5.4", "an entry of generation 1 for an object of generation 0", NotPassed, |lab| {
        carried(lab, Carrier::RowGeneration)
    }),
    ("ISO 32000-2 7.5.4", "an offset three bytes behind", NotPassed, |lab| carried(lab, Carrier::OffsetBehind)),
    ("ISO 32000-2 7.5.4", "an offset one byte before", NotPassed, |lab| carried(lab, Carrier::OffsetBefore)),
    ("ISO 32000-2 7.5.4", "the offset of the old object, the new one stands behind", FindingNotWhole, |lab| {
        carried(lab, Carrier::OffsetOld)
    }),
    ("ISO 32000-2 7.5.4", "an entry twice, the new first", FindingNotWhole, |lab| carried(lab, Carrier::RowsTwice)),
    ("ISO 32000-2 7.5.4", "an entry twice, the old first", FindingNotWhole, |lab| {
        carried(lab, Carrier::RowsTwiceOldFirst)
    }),
    ("ISO 32000-2 7.5.8.2", "an entry twice in the /Index of a stream", FindingNotWhole, |lab| {
        carried(lab, Carrier::IndexTwice)
    }),
    ("ISO 32000-2 7.5.6", "the object twice, the entry names the old one before", FindingNotWhole, |lab| {
        carried(lab, Carrier::OldThenNew)
    }),
    ("ISO 32000-2 7.5.7", "the index of another object in its stream", NotPassed, other_index),
];

#[test]
fn f11_files_that_readers_disagree_about() {
    check(F11);
}
