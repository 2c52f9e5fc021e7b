//! Every text of a report stands where it can be read: for many documents, in each language.

use super::fonts::Fonts;
use super::page_model::{BOTTOM, DrawOp, Kind, LEFT, Node, PageModel, RIGHT};
use super::typesetter;
use crate::document::Document;
use crate::policy::Policy;
use crate::report::Report;
use crate::report::layout::{Element, Layout};
use crate::report::messages::Language;
use crate::validator::Validator;
use lacre_testkit::cms::{STAMPED, Signer, Token, attribute};
use lacre_testkit::lab::{AT, Lab};
use lacre_testkit::pdf::{Field, Pdf, SECOND};
use lacre_testkit::pki::{Crl, Key, Spec, distinguished};

const TEXT: &[u8] = b"I, Alice, agree.";
const SIGNATURE_TIMESTAMP: &str = "1.2.840.113549.1.9.16.2.14";

/// Names of signers: usual ones, and those that are hard to set.
const NAMES: [&str; 9] = [
    "Ada",
    "Mari Maasikas",
    "Ελένη Παπαδοπούλου",
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "Кирилл Владимирович Преображенский-Рождественский",
    "a name of many words that goes on, and on, and on, until a line is not enough for it, nor are two lines",
    "中文名字",
    "\u{202e}gnp.exe",
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
];

fn judged(lab: &Lab, bytes: &[u8], name: &str) -> Report {
    let validator = Validator::new(Policy::eidas()).trust_anchor(&lab.root.certificate).expect("a certificate");
    let document = Document::new(bytes).named(name.to_owned());
    validator.validate(&document, AT.parse().expect("a time")).expect("the document is signed")
}

/// Makes a message by so many signers of that name.
fn message(lab: &Lab, name: &str, signers: u64, crl: &[u8]) -> Vec<u8> {
    let people: Vec<_> = (0..signers)
        .map(|number| {
            let spec = Spec { subject: distinguished(&[("2.5.4.3", name)]), ..Spec::signer("", 2000 + number) };
            spec.issued_by(&lab.root, Key::of("somebody"))
        })
        .collect();
    let parts: Vec<Signer<'_>> = people.iter().map(|person| lab.signer(person, TEXT).at(STAMPED)).collect();
    let mut data = lab.signed_data(Some(TEXT), TEXT, &parts);
    data.crls = if crl.is_empty() { vec![] } else { vec![crl.to_vec()] };
    data.bytes()
}

/// Judges forty-odd documents: each name with revocation data that says good, revoked, nothing and of another time, and
/// PDFs.
fn reports() -> Vec<Report> {
    let lab = Lab::new();
    let revoked = Crl { revoked: vec![(2000, "20260601000000Z", Some(1))], ..Crl::default() }.of(&lab.root);
    let old = Crl { this_update: "20260201000000Z", next_update: "20260301000000Z", ..Crl::default() }.of(&lab.root);
    let mut reports = vec![];
    for name in NAMES {
        for crl in [&lab.crl[..], &revoked, &[], &old] {
            reports.push(judged(&lab, &message(&lab, name, 1, crl), name));
        }
    }
    let once = Pdf::usual().signed(&lab, &Field::default());
    reports.push(judged(&lab, &once.bytes, "contract.pdf"));
    reports.push(judged(&lab, &once.signed(&lab, &SECOND).bytes, "contract.pdf"));
    reports.push(judged(&lab, &message(&lab, NAMES[5], 3, &revoked), "three.p7m"));
    reports.push(judged(&lab, &message(&lab, NAMES[3], 9, &lab.crl), "nine.p7m"));
    reports
}

/// Returns the words of a layout that are codes: keys of checks, indications, sub-indications.
fn codes(layout: &Layout) -> Vec<String> {
    let mut found = vec![];
    let mut of = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
        let is_code =
            |word: &&str| word.len() > 3 && word.contains(['_', '-']) && !word.contains(|c: char| c.is_lowercase());
        found.extend(
            words.filter(is_code).filter(|word| word.contains(|c: char| c.is_ascii_uppercase())).map(str::to_owned),
        );
    };
    for element in layout.parts.iter().flat_map(|part| &part.elements) {
        match element {
            Element::Verdict { code, .. } => of(code),
            Element::Findings(findings) => findings.iter().for_each(|finding| of(&finding.key)),
            Element::Table { rows, .. } => rows.iter().flatten().flatten().for_each(|text| of(text)),
            _ => {}
        }
    }
    found
}

/// Returns what is wrong with the pages of a layout.
fn wrong(layout: &Layout, pages: &PageModel, fonts: &Fonts) -> Vec<String> {
    let mut wrong = vec![];
    let mut texts = vec![];
    for (page, contents) in pages.pages.iter().enumerate() {
        for content in contents {
            let DrawOp::Text { x, y, size, weight, text, .. } = &content.op else { continue };
            let right = x + fonts.width(text.trim_end(), *weight, *size);
            if *x < LEFT - 0.5 || right > RIGHT + 0.5 || *y > BOTTOM + 0.5 {
                wrong.push(format!("page {}: {text:?} from {x} to {right} at {y}", page + 1));
            }
            if text.ends_with('…') {
                wrong.push(format!("page {}: {text:?} is cut off", page + 1));
            }
            texts.push(text.as_str());
        }
    }
    let broken = codes(layout).into_iter().filter(|code| !texts.iter().any(|text| text.contains(code.as_str())));
    wrong.extend(broken.map(|code| format!("the code {code} is broken")));
    uneven(&pages.tree, &mut wrong);
    wrong
}

/// Finds tables whose rows have different numbers of cells (ISO 14289-1 §7.5).
fn uneven(nodes: &[Node], wrong: &mut Vec<String>) {
    for node in nodes {
        let Node::Group(kind, nodes) = node else { continue };
        if *kind == Kind::Table {
            let cells = |row: &Node| if let Node::Group(Kind::Row, cells) = row { cells.len() } else { 0 };
            let counts: Vec<usize> = nodes.iter().map(cells).collect();
            if counts.iter().any(|count| *count != counts[0]) {
                wrong.push(format!("rows of {counts:?} cells"));
            }
        }
        uneven(nodes, wrong);
    }
}

#[test]
fn nothing_is_clipped_and_no_code_is_broken() {
    let fonts = Fonts::new().expect("the library's faces can be read");
    let reports = reports();
    assert!(reports.len() >= 40, "{}", reports.len());
    let mut found = vec![];
    for (number, report) in reports.iter().enumerate() {
        for language in Language::ALL {
            let layout = report.clone().in_language(*language).layout();
            let pages = typesetter::set(&layout, &fonts);
            found.extend(wrong(&layout, &pages, &fonts).into_iter().map(|what| format!("{number} {language}: {what}")));
        }
    }
    assert!(found.is_empty(), "{} things, such as\n{}", found.len(), found[..found.len().min(30)].join("\n"));
}

/// The checks of this file see what is wrong.
#[test]
fn what_is_clipped_or_broken_is_seen() {
    let fonts = Fonts::new().expect("the library's faces can be read");
    let report = &reports()[1];
    let layout = report.layout();
    let mut pages = typesetter::set(&layout, &fonts);
    assert_eq!(wrong(&layout, &pages, &fonts), Vec::<String>::new());
    for content in pages.pages.iter_mut().flatten() {
        if let DrawOp::Text { text, .. } = &mut content.op {
            *text = text.replace("REVOKED", "REVO…");
        }
    }
    assert!(!wrong(&layout, &pages, &fonts).is_empty());
}

#[test]
fn many_signatures_and_many_time_stamps_take_few_pages() {
    let fonts = Fonts::new().expect("the library's faces can be read");
    let lab = Lab::new();
    let pages = |report: &Report| typesetter::set(&report.layout(), &fonts).pages.len();
    let signers = judged(&lab, &message(&lab, "Mari Maasikas", 24, &lab.crl), "24.p7m");
    assert_eq!(signers.facts().signatures.len(), 24);
    assert!(pages(&signers) <= 16, "24 signatures take {} pages", pages(&signers));
    let undecided = judged(&lab, &message(&lab, "Mari Maasikas", 24, &[]), "24.p7m");
    assert!(pages(&undecided) <= 16, "24 signatures without revocation data take {} pages", pages(&undecided));
    let untrusted = Validator::new(Policy::eidas())
        .validate(&Document::new(&message(&lab, "Mari Maasikas", 24, &lab.crl)), AT.parse().expect("a time"))
        .expect("the document is signed");
    assert!(pages(&untrusted) <= 16, "24 signatures without a trust anchor take {} pages", pages(&untrusted));

    let mut signer = lab.signer(&lab.alice, TEXT).at(STAMPED);
    let stamp = |number: u8| attribute(SIGNATURE_TIMESTAMP, &Token::over(&[number], "20261122120000Z").by(&lab.tsa));
    signer.unsigned = (1..200).map(stamp).collect();
    let stamped = judged(&lab, &lab.signed_data(Some(TEXT), TEXT, &[signer]).bytes(), "200.p7m");
    assert!(pages(&stamped) <= 40, "200 time-stamps take {} pages", pages(&stamped));
}

/// A row that is higher than a page goes on on the next: of labelled values, and of a table, whose columns begin together.
#[test]
fn a_row_that_is_higher_than_a_page_goes_on_on_the_next() {
    let fonts = Fonts::new().expect("the library's faces can be read");
    let mut layout = reports()[0].layout();
    let values = |word: &str, count: usize| (0..count).map(|number| format!("{word} {number}")).collect::<Vec<_>>();
    let columns = vec![("left".to_owned(), 0.5), ("right".to_owned(), 0.5)];
    let beside = vec![vec![values("left", 180), values("right", 90)], vec![values("last", 1), vec![]]];
    layout.parts[0].elements.extend([
        Element::Rows(vec![("many".to_owned(), values("value", 150)), ("after".to_owned(), values("after", 1))]),
        Element::Table { columns, rows: beside },
    ]);
    let pages = typesetter::set(&layout, &fonts);
    assert_eq!(wrong(&layout, &pages, &fonts), Vec::<String>::new());
    let place = |wanted: &str| {
        let on = |page: &[super::page_model::MarkedContent]| {
            page.iter().find_map(|content| match &content.op {
                DrawOp::Text { y, text, .. } if text.trim_end() == wanted => Some(*y),
                _ => None,
            })
        };
        let found: Vec<(usize, f32)> =
            pages.pages.iter().enumerate().filter_map(|(number, page)| Some((number, on(page)?))).collect();
        assert_eq!(found.len(), 1, "{wanted}: {found:?}");
        found[0]
    };
    for word in values("value", 150).iter().chain(&values("left", 180)).chain(&values("right", 90)) {
        place(word);
    }
    assert_eq!(place("left 0"), place("right 0"));
    assert_eq!(place("left 89"), place("right 89"));
    assert!(place("value 149").0 >= place("value 0").0 + 2 && place("after 0") > place("value 149"));
    assert!(place("left 179").0 >= place("left 0").0 + 2 && place("last 0") > place("left 179"));
}
