//! Trying the laboratory.
#[path = "support/lab/mod.rs"]
mod lab;
use lab::*;
use lab::pdf::*;
use lab::zip::*;

#[test]
fn controls() {
    let lab = Lab::new();
    let show = |what: &str, octets: &[u8]| {
        std::fs::create_dir_all("/tmp/lab").unwrap();
        std::fs::write(format!("/tmp/lab/{what}"), octets).unwrap();
        eprintln!("{what}: {}", lab.answer(octets, what, &[]).line());
    };
    std::fs::create_dir_all("/tmp/lab").unwrap();
    std::fs::write("/tmp/lab/root.der", &lab.root.certificate).unwrap();
    show("a.p7m", &lab.attached(b"pay 100"));
    show("a.pdf", &Pdf::usual().signed(&lab, &Field::default()).octets);
    show("p1.pdf", &Pdf::usual().certified(&lab, 1).octets);
    let mut p = Pdf::usual().certified(&lab, 1);
    let proofs = p.proofs(&[&lab.root.certificate], &[&lab.crl]);
    for (n, c) in Carrier::ALL.iter().enumerate() { show(&format!("dss-{n}-{c:?}.pdf"), &p.carried(&proofs, "", *c)); }
    p.update(proofs);
    show("a.xml", lab.enveloped(xml::CONTRACT).as_bytes());
    show("a.asice", &lab.asic_e(&FILES, &[]).octets());
    show("c.asice", &lab.asic_e_cades(&FILES).octets());
    show("s.asics", &lab.asic_s(FILES[0], "META-INF/signature.p7s", &lab.detached(b"pay 100")).octets());
    show("a.json", lab.jws(b"{\"pay\":100}", serde_json::json!({})).to_string().as_bytes());
    for form in [Form::Stream, Form::Packed] {
        let mut q = Pdf::usual(); q.form = form;
        show(&format!("{form:?}.pdf"), &Pdf::of(q.objects, form).signed(&lab, &Field::default()).octets);
    }
}
