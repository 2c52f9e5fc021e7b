//! Which CRL says something about which certificate: distribution points and indirect CRLs. RFC 5280 §5.2.5, §5.3.3,
//! §6.3.3 (b).

use lacre::{Policy, Validator};
use lacre_testkit::der::{oid, sequence, tlv, utf8};
use lacre_testkit::pki::{Crl, Entity, Key, Spec, authority, entry, extension, key_usage, subject};

const CRL_DISTRIBUTION_POINTS: &str = "2.5.29.31";
const ISSUING_DISTRIBUTION_POINT: &str = "2.5.29.28";
const CERTIFICATE_ISSUER: &str = "2.5.29.29";
const REVOKED: &str = "20260501000000Z";

/// `GeneralName`: a URI where it looks like one, else a distinguished name.
fn general(text: &str) -> Vec<u8> {
    if text.contains(':') { tlv(0x86, &[text.as_bytes()]) } else { tlv(0xa4, &[&subject(text)]) }
}

fn all_general(names: &[&str]) -> Vec<u8> {
    names.iter().flat_map(|text| general(text)).collect()
}

/// `DistributionPointName`: `fullName`.
fn point_name(names: &[&str]) -> Vec<u8> {
    if names.is_empty() { vec![] } else { tlv(0xa0, &[&tlv(0xa0, &[&all_general(names)])]) }
}

/// An issuer of certificates or CRLs, certified by `issuer`.
fn ca(name: &str, serial: u64, issuer: &Entity) -> Entity {
    let spec = Spec { locations: false, ..Spec::named(name, serial) };
    spec.with(authority()).issued_by(issuer, Key::of(name))
}

/// A CRL: who issues it, what it is for, and its entries (serial number, and the issuer where one is stated).
fn crl(issuer: &Entity, point: Option<Vec<u8>>, entries: &[(u64, Option<&str>)]) -> Vec<u8> {
    let entries = entries.iter().map(|(serial, name)| match name {
        Some(name) => entry_of(*serial, name),
        None => entry(*serial, REVOKED, &[]),
    });
    let point = point.map(|point| extension(ISSUING_DISTRIBUTION_POINT, true, &sequence(&[&point])));
    Crl { entries: entries.collect(), extensions: point.into_iter().collect(), ..dated() }.of(issuer)
}

/// An entry of an indirect CRL that states whose certificate it is about.
fn entry_of(serial: u64, issuer: &str) -> Vec<u8> {
    entry(serial, REVOKED, &[extension(CERTIFICATE_ISSUER, true, &sequence(&[&general(issuer)]))])
}

fn dated() -> Crl {
    let (this_update, next_update) = ("20260601000000Z", "20260701000000Z");
    Crl { this_update, next_update, number: 7, key_identifier: false, ..Crl::default() }
}

#[test]
fn a_crl_is_about_the_certificates_that_it_is_for() {
    let indirect = tlv(0x84, &[&[0xff]]);
    let root = Entity::root("Root", Key::of("root"));
    let authority = ca("CA", 2, &root);
    // Issues CRLs for others; and a stranger of that name, whom nobody trusts.
    let lists = ca("Lists", 3, &root);
    let stranger = Entity::root("Lists", Key::of("stranger"));
    let spec = Spec { locations: false, ..Spec::named("Seal", 9) };
    let seal = spec.with(vec![key_usage(&[1])]).issued_by(&root, Key::of("seal"));
    // The authority's key under the name of another.
    let misnamed = Entity { key: authority.key.clone(), ..lists.clone() };

    // What the certificate names: places, and who issues the CRL there.
    let signer = |places: &[&str], issuers: &[&str]| {
        let issuers = if issuers.is_empty() { vec![] } else { tlv(0xa2, &[&all_general(issuers)]) };
        let point = [point_name(places), issuers].concat();
        let points =
            (!point.is_empty()).then(|| extension(CRL_DISTRIBUTION_POINTS, false, &sequence(&[&sequence(&[&point])])));
        let extensions = [Some(key_usage(&[1])), points].into_iter().flatten().collect();
        let spec = Spec { locations: false, ..Spec::named("Signer", 5) };
        spec.with(extensions).issued_by(&authority, Key::of("signer"))
    };
    let (one, other) = ("http://example.org/1.crl", "http://example.org/2.crl");
    // At that place, and of whom it names, lists are for some reasons only.
    let for_reasons = |issuers: &[&str], reasons: &[u8]| {
        let issuers = if issuers.is_empty() { vec![] } else { tlv(0xa2, &[&all_general(issuers)]) };
        let point = sequence(&[&point_name(&[one]), &tlv(0x81, &[reasons]), &issuers]);
        let points = extension(CRL_DISTRIBUTION_POINTS, false, &sequence(&[&point]));
        let spec = Spec { locations: false, ..Spec::named("Signer", 5) };
        spec.with(vec![key_usage(&[1]), points]).issued_by(&authority, Key::of("signer"))
    };
    let (some, all) = (&[6, 0x40][..], &[7, 0x7f, 0x80][..]);
    let plain = signer(&[], &[]);
    let first = signer(&[one], &[]);
    let delegated = signer(&[one], &["Lists"]);
    let nameless = signer(&[], &["Lists"]);
    let by_ca = |point: Option<Vec<u8>>, entries: &[(u64, Option<&str>)]| crl(&authority, point, entries);
    let by_lists = |point: &[u8], entries: &[(u64, Option<&str>)]| crl(&lists, Some(point.to_vec()), entries);
    let at = |names: &[&str]| Some(point_name(names));
    let (good, open, revoked) =
        ("PASSED", "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE", "INDETERMINATE REVOKED_NO_POE");
    let indirect_at = [point_name(&[one]), indirect.clone()].concat();
    let scope = |tag: u8, content: &[u8]| Some(tlv(tag, &[content]));
    let relative = |name: &str| {
        let attribute = sequence(&[&oid("2.5.4.3"), &utf8(name)]);
        Some(tlv(0xa0, &[&tlv(0xa1, &[&attribute])]))
    };
    let unreadable = |name: &[u8]| {
        let entry = entry(5, REVOKED, &[extension(CERTIFICATE_ISSUER, true, name)]);
        let own = entry_of(6, "CA");
        let point = extension(ISSUING_DISTRIBUTION_POINT, true, &sequence(&[&indirect]));
        let list = Crl { entries: vec![own, entry], extensions: vec![point], ..dated() };
        list.of(&lists)
    };
    let rows: &[(&str, &str, &Entity, Vec<u8>, &str)] = &[
        ("6.3.3 (d) (3)", "at a place for some reasons", &for_reasons(&[], some), by_ca(at(&[one]), &[]), open),
        ("6.3.3 (d) (3)", "at a place for all reasons", &for_reasons(&[], all), by_ca(at(&[one]), &[]), good),
        ("6.3.3", "the authority's own list beside that place", &for_reasons(&[], some), by_ca(None, &[]), good),
        (
            "6.3.3 (d) (3)",
            "by another for some reasons",
            &for_reasons(&["Lists"], some),
            by_lists(&indirect, &[]),
            open,
        ),
        ("6.3.3 (d) (3)", "by another for all reasons", &for_reasons(&["Lists"], all), by_lists(&indirect, &[]), good),
        ("6.3.3 (d) (3)", "revoked for some reason", &for_reasons(&[], some), by_ca(at(&[one]), &[(5, None)]), revoked),
        ("6.3.3 (d) (2)", "a list for some reasons", &plain, by_ca(scope(0x83, some), &[]), open),
        ("6.3.3 (b) (2) (iv)", "for attribute certificates", &plain, by_ca(scope(0x85, &[0xff]), &[]), open),
        ("6.3.3 (b) (2) (iii)", "for authorities", &plain, by_ca(scope(0x82, &[0xff]), &[]), open),
        ("6.3.3 (b) (2) (ii)", "for those who are none", &plain, by_ca(scope(0x81, &[0xff]), &[]), good),
        ("5.2.5", "for something that nobody knows", &plain, by_ca(scope(0x86, &[0xff]), &[]), open),
        (
            "5.2.5",
            "a place relative to the issuer, another than the certificate's",
            &first,
            by_ca(relative("1"), &[]),
            open,
        ),
        ("5.3.3", "an issuer that cannot be read", &delegated, unreadable(&utf8("x")), open),
        ("5.3.3", "an issuer without a name", &delegated, unreadable(&sequence(&[&general("urn:x")])), open),
        ("6.3.3 (b)", "for everything", &plain, by_ca(None, &[]), good),
        ("6.3.3 (b) (2) (i)", "for the place that the certificate names", &first, by_ca(at(&[one]), &[]), good),
        ("6.3.3 (b) (2) (i)", "one of several places", &first, by_ca(at(&[other, one]), &[]), good),
        ("6.3.3 (b) (2) (i)", "for another place", &first, by_ca(at(&[other]), &[]), open),
        ("6.3.3 (b) (2) (i)", "for a place, and the certificate names none", &plain, by_ca(at(&[one]), &[]), open),
        ("6.3.3", "for the issuer's own place", &plain, by_ca(at(&["CA"]), &[]), good),
        (
            "6.3.3 (b) (2) (i)",
            "revoked is revoked, whichever place",
            &first,
            by_ca(at(&[other]), &[(5, None)]),
            revoked,
        ),
        ("6.3.3 (b) (1)", "by whom the certificate names", &delegated, by_lists(&indirect, &[]), good),
        ("6.3.3 (b) (2) (i)", "and for its place", &delegated, by_lists(&indirect_at, &[]), good),
        ("6.3.3 (b) (1)", "named without a place", &nameless, by_lists(&indirect, &[]), good),
        ("6.3.3 (b) (1)", "by its issuer, at the place of another", &delegated, by_ca(at(&[one]), &[]), open),
        ("6.3.3 (b) (1)", "does not say that it is indirect", &delegated, by_lists(&point_name(&[one]), &[]), open),
        ("6.3.3 (b) (1)", "by whom the certificate does not name", &first, by_lists(&indirect, &[]), open),
        ("5.3.3", "this issuer's certificate", &delegated, by_lists(&indirect, &[(5, Some("CA"))]), revoked),
        (
            "5.3.3",
            "the issuer of the entry before",
            &delegated,
            by_lists(&indirect, &[(6, Some("CA")), (5, None)]),
            revoked,
        ),
        ("5.3.3", "another issuer's certificate", &delegated, by_lists(&indirect, &[(5, Some("Root"))]), good),
        ("5.3.3", "its own certificate", &delegated, by_lists(&indirect, &[(5, None)]), good),
        ("6.3.3 (f)", "by a stranger of the same name", &delegated, crl(&stranger, Some(indirect.clone()), &[]), open),
        (
            "6.3.3 (f)",
            "by the certificate's issuer in another's name",
            &delegated,
            crl(&misnamed, Some(indirect.clone()), &[]),
            open,
        ),
        (
            "6.3.3 (f)",
            "by who may not sign CRLs",
            &signer(&[], &["Seal"]),
            crl(&seal, Some(indirect.clone()), &[]),
            open,
        ),
    ];
    let time = "2026-06-02T00:00:00Z".parse().expect("a time");
    let mut wrong = vec![];
    let of_root = crl(&root, None, &[]);
    for (clause, situation, signer, crl, expected) in rows {
        let mut validator = Validator::new(Policy::eidas()).trust_anchor(&root.certificate).expect("a certificate");
        let others = [&authority.certificate, &lists.certificate, &stranger.certificate, &seal.certificate];
        for evidence in others.into_iter().chain([crl, &of_root]) {
            validator = validator.evidence(evidence).expect("a certificate or CRL");
        }
        let report = validator.certificate(&signer.certificate, time).expect("a certificate");
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("it is JSON");
        let sub = json["sub_indication"].as_str().map_or(String::new(), |sub| format!(" {sub}"));
        let found = format!("{}{sub}", json["indication"].as_str().unwrap_or_default());
        if found != *expected {
            wrong.push(format!("RFC 5280 {clause}, {situation}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
