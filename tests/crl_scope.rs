//! Which CRL says something about which certificate: distribution points and indirect CRLs. RFC 5280 §5.2.5, §5.3.3,
//! §6.3.3 (b).

use lacre::algorithm::DigestAlgorithm::Sha256;
use lacre::asn1::{Tag, Writer};
use lacre::crypto::{KeyKind, SigningKey as _, SoftwareKey, digest};
use lacre::time::Time;
use lacre::{Policy, Validator};
use signature::rand_core::UnwrapErr;

/// Contents of object identifiers: RFC 5280 §4.2, §5.2, §5.3.
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 0x13];
const SUBJECT_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1d, 14];
const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0xf];
const CRL_DISTRIBUTION_POINTS: &[u8] = &[0x55, 0x1d, 0x1f];
const ISSUING_DISTRIBUTION_POINT: &[u8] = &[0x55, 0x1d, 0x1c];
const CERTIFICATE_ISSUER: &[u8] = &[0x55, 0x1d, 0x1d];
const CRL_NUMBER: &[u8] = &[0x55, 0x1d, 0x14];
/// `keyCertSign` and `cRLSign`; `nonRepudiation`: RFC 5280 §4.2.1.3.
const ISSUES: &[u8] = &[3, 2, 1, 6];
const SIGNS: &[u8] = &[3, 2, 6, 0x40];

fn time(text: &str) -> Time {
    text.parse().expect("it is a time")
}

fn written(write: impl FnOnce(&mut Writer)) -> Vec<u8> {
    let mut writer = Writer::new();
    write(&mut writer);
    writer.finish()
}

fn name(text: &str) -> Vec<u8> {
    written(|w| {
        w.sequence(|w| {
            w.set(|w| {
                w.sequence(|w| {
                    w.element(Tag::OID, &[0x55, 4, 3]).utf8(text);
                });
            });
        });
    })
}

/// An element of a context's tag; all of them are short.
fn tagged(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).ok().filter(|length| *length < 128).expect("it is short");
    [&[tag, length][..], content].concat()
}

/// `GeneralName`: a URI where it looks like one, else a distinguished name.
fn general(text: &str) -> Vec<u8> {
    if text.contains(':') { tagged(0x86, text.as_bytes()) } else { tagged(0xa4, &name(text)) }
}

/// `DistributionPointName`: `fullName`.
fn place(names: &[&str]) -> Vec<u8> {
    let names: Vec<u8> = names.iter().flat_map(|text| general(text)).collect();
    if names.is_empty() { vec![] } else { tagged(0xa0, &tagged(0xa0, &names)) }
}

/// Its type, whether it is critical, its value.
type Extension = (&'static [u8], bool, Vec<u8>);

fn extensions(w: &mut Writer, number: u32, list: &[Extension]) {
    w.explicit(number, |w| {
        w.sequence(|w| {
            for (oid, critical, value) in list {
                w.sequence(|w| {
                    w.element(Tag::OID, oid);
                    if *critical {
                        w.boolean(true);
                    }
                    w.octet_string(value);
                });
            }
        });
    });
}

/// `SEQUENCE { tbs, algorithm, signature }`, signed with ECDSA and SHA-256.
fn signed(key: &SoftwareKey, tbs: &[u8]) -> Vec<u8> {
    let digest = digest(Sha256, tbs).expect("SHA-256 is there");
    let value = key.sign(&key.algorithm(Sha256), &digest, &mut UnwrapErr(getrandom::SysRng)).expect("a key of P-256");
    written(|w| {
        w.sequence(|w| {
            w.raw(tbs);
            algorithm(w);
            w.bit_string(&value);
        });
    })
}

fn algorithm(w: &mut Writer) {
    w.sequence(|w| {
        w.element(Tag::OID, &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]);
    });
}

/// Somebody with a key and a certificate.
struct Party {
    key: SoftwareKey,
    certificate: Vec<u8>,
}

fn party(serial: u8, subject: &str, issuer: (&str, Option<&Party>), list: &[Extension]) -> Party {
    let key = SoftwareKey::generate(KeyKind::P256, &mut UnwrapErr(getrandom::SysRng)).expect("a key is generated");
    let tbs = written(|w| {
        w.sequence(|w| {
            w.explicit(0, |w| {
                w.integer(&[2]);
            });
            w.integer(&[serial]);
            algorithm(w);
            w.raw(&name(issuer.0));
            w.sequence(|w| {
                w.time(time("2026-01-01T00:00:00Z")).time(time("2036-01-01T00:00:00Z"));
            });
            w.raw(&name(subject)).raw(key.public_key().spki());
            extensions(w, 3, list);
        });
    });
    let certificate = signed(issuer.1.map_or(&key, |issuer| &issuer.key), &tbs);
    Party { key, certificate }
}

/// A CRL: who issues it, what it is for, and its entries (serial number, and the issuer where one is stated).
fn crl(key: &SoftwareKey, issuer: &str, point: Option<Vec<u8>>, entries: &[(u8, Option<&str>)]) -> Vec<u8> {
    let tbs = written(|w| {
        w.sequence(|w| {
            w.integer(&[1]);
            algorithm(w);
            w.raw(&name(issuer)).time(time("2026-06-01T00:00:00Z")).time(time("2026-07-01T00:00:00Z"));
            if !entries.is_empty() {
                w.sequence(|w| {
                    for (serial, of) in entries {
                        w.sequence(|w| {
                            w.integer(&[*serial]).time(time("2026-05-01T00:00:00Z"));
                            if let Some(of) = of {
                                let names = written(|w| {
                                    w.element(Tag::SEQUENCE, &general(of));
                                });
                                w.sequence(|w| {
                                    w.sequence(|w| {
                                        w.element(Tag::OID, CERTIFICATE_ISSUER).boolean(true).octet_string(&names);
                                    });
                                });
                            }
                        });
                    }
                });
            }
            let number = (CRL_NUMBER, false, vec![2, 1, 7]);
            let point = point.map(|point| (ISSUING_DISTRIBUTION_POINT, true, tagged(0x30, &point)));
            extensions(w, 0, &[Some(number), point].into_iter().flatten().collect::<Vec<_>>());
        });
    });
    signed(key, &tbs)
}

#[test]
fn a_crl_is_about_the_certificates_that_it_is_for() {
    const INDIRECT: [u8; 3] = [0x84, 1, 0xff];
    let authority = |subject: &'static str, issuer: (&str, Option<&Party>), serial| {
        let list = [
            (BASIC_CONSTRAINTS, true, vec![0x30, 3, 1, 1, 0xff]),
            (KEY_USAGE, true, ISSUES.to_vec()),
            (SUBJECT_KEY_IDENTIFIER, false, vec![4, 1, serial]),
        ];
        party(serial, subject, issuer, &list)
    };
    let root = authority("Root", ("Root", None), 1);
    let ca = authority("CA", ("Root", Some(&root)), 2);
    // Issues CRLs for others; and somebody of that name whom nobody trusts.
    let lists = authority("Lists", ("Root", Some(&root)), 3);
    let stranger = authority("Lists", ("Lists", None), 4);
    let seal = party(9, "Seal", ("Root", Some(&root)), &[(KEY_USAGE, true, SIGNS.to_vec())]);

    // What the certificate names: places, and who issues the CRL there.
    let signer = |places: &[&str], issuers: &[&str]| {
        let issuers: Vec<u8> = issuers.iter().flat_map(|text| general(text)).collect();
        let issuers = if issuers.is_empty() { vec![] } else { tagged(0xa2, &issuers) };
        let point = tagged(0x30, &[place(places), issuers].concat());
        let points = (CRL_DISTRIBUTION_POINTS, false, tagged(0x30, &point));
        let usage = (KEY_USAGE, true, SIGNS.to_vec());
        let named = !places.is_empty() || point.len() > 2;
        party(
            5,
            "Signer",
            ("CA", Some(&ca)),
            &[Some(usage), named.then_some(points)].into_iter().flatten().collect::<Vec<_>>(),
        )
    };
    let (one, other) = ("http://example.org/1.crl", "http://example.org/2.crl");
    let plain = signer(&[], &[]);
    let first = signer(&[one], &[]);
    let delegated = signer(&[one], &["Lists"]);
    let nameless = signer(&[], &["Lists"]);
    let by_ca = |point: Option<Vec<u8>>, entries: &[(u8, Option<&str>)]| crl(&ca.key, "CA", point, entries);
    let by_lists =
        |point: &[u8], entries: &[(u8, Option<&str>)]| crl(&lists.key, "Lists", Some(point.to_vec()), entries);
    let at = |names: &[&str]| Some(place(names));
    let (good, open, revoked) =
        ("PASSED", "INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE", "INDETERMINATE REVOKED_NO_POE");
    let indirect_at = [place(&[one]), INDIRECT.to_vec()].concat();
    let rows: [(&str, &str, &Party, Vec<u8>, &str); 20] = [
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
        ("6.3.3 (b) (1)", "by whom the certificate names", &delegated, by_lists(&INDIRECT, &[]), good),
        ("6.3.3 (b) (2) (i)", "and for its place", &delegated, by_lists(&indirect_at, &[]), good),
        ("6.3.3 (b) (1)", "named without a place", &nameless, by_lists(&INDIRECT, &[]), good),
        ("6.3.3 (b) (1)", "by its issuer, at the place of another", &delegated, by_ca(at(&[one]), &[]), open),
        ("6.3.3 (b) (1)", "does not say that it is indirect", &delegated, by_lists(&place(&[one]), &[]), open),
        ("6.3.3 (b) (1)", "by whom the certificate does not name", &first, by_lists(&INDIRECT, &[]), open),
        ("5.3.3", "this issuer's certificate", &delegated, by_lists(&INDIRECT, &[(5, Some("CA"))]), revoked),
        (
            "5.3.3",
            "the issuer of the entry before",
            &delegated,
            by_lists(&INDIRECT, &[(6, Some("CA")), (5, None)]),
            revoked,
        ),
        ("5.3.3", "another issuer's certificate", &delegated, by_lists(&INDIRECT, &[(5, Some("Root"))]), good),
        ("5.3.3", "its own certificate", &delegated, by_lists(&INDIRECT, &[(5, None)]), good),
        (
            "6.3.3 (f)",
            "by a stranger of the same name",
            &delegated,
            crl(&stranger.key, "Lists", Some(INDIRECT.to_vec()), &[]),
            open,
        ),
        (
            "6.3.3 (f)",
            "by the certificate's issuer in another's name",
            &delegated,
            crl(&ca.key, "Lists", Some(INDIRECT.to_vec()), &[]),
            open,
        ),
        (
            "6.3.3 (f)",
            "by who may not sign CRLs",
            &signer(&[], &["Seal"]),
            crl(&seal.key, "Seal", Some(INDIRECT.to_vec()), &[]),
            open,
        ),
    ];
    let mut wrong = vec![];
    for (clause, situation, signer, crl, expected) in rows {
        let mut validator = Validator::new(Policy::eidas()).trust_anchor(&root.certificate).expect("a certificate");
        let others = [&ca.certificate, &lists.certificate, &stranger.certificate, &seal.certificate];
        for evidence in others.into_iter().chain([&crl, &root_crl(&root)]) {
            validator = validator.evidence(evidence).expect("a certificate or CRL");
        }
        let report = validator.certificate(&signer.certificate, time("2026-06-02T00:00:00Z")).expect("a certificate");
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("it is JSON");
        let sub = json["sub_indication"].as_str().map_or(String::new(), |sub| format!(" {sub}"));
        let found = format!("{}{sub}", json["indication"].as_str().unwrap_or_default());
        if found != expected {
            wrong.push(format!("RFC 5280 {clause}, {situation}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The root's CRL: nothing is revoked.
fn root_crl(root: &Party) -> Vec<u8> {
    crl(&root.key, "Root", None, &[])
}
