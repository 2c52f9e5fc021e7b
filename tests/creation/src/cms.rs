//! CAdES: rows C1 to C7 of the matrix.

use crate::cell::{Level, Made, Sheet, told};
use crate::steps::{climb, climb_with, finish};
use crate::world::{Key, World, minutes, signed};
use lacre::Document;
use lacre::signing::{
    Commitment, CommitmentQualifier, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy, Place, SignatureParameters,
    SignaturePolicy, cades, digest,
};
use lacre_testkit::authorities::attribute_certificate;
use lacre_testkit::der;
use serde_json::{Value, json};

/// The contents that are signed.
fn contents() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("empty", vec![]),
        ("a byte", b"x".to_vec()),
        ("text", "Dear Sir,\r\nplease find enclosed what was agreed.\r\nYours, Inês\r\n".into()),
        ("PDF", include_bytes!("../../../examples/documents/contract.pdf").to_vec()),
    ]
}

fn large() -> Vec<u8> {
    (0..10_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packaging {
    Enveloping,
    Detached,
    Digest,
}

impl Packaging {
    fn name(self) -> &'static str {
        match self {
            Self::Enveloping => "enveloping",
            Self::Detached => "detached",
            Self::Digest => "digest alone",
        }
    }
}

/// A CAdES signature over the content, at that level.
fn signed_at(
    world: &World,
    packaging: Packaging,
    content: &[u8],
    key: Key,
    level: Level,
    parameters: &SignatureParameters,
    options: &cades::Options,
) -> Result<Made, String> {
    let user = world.user(key)?;
    let imprint = digest(user.signer.digest(), content).ok_or("the digest function is not known")?;
    let what = match packaging {
        Packaging::Enveloping => cades::Content::Enveloped(content),
        Packaging::Detached => cades::Content::Detached(content),
        Packaging::Digest => cades::Content::Digest(&imprint),
    };
    let prepared = cades::prepare(&what, parameters, options, &user.signer).map_err(told)?;
    let document = match packaging {
        Packaging::Digest => Document::new(&[]),
        _ => Document::new(content),
    };
    let first = finish(user, &prepared, &document).map_err(told)?;
    let enveloping = packaging == Packaging::Enveloping;
    let document = match enveloping {
        true => Document::new(&first),
        false => Document::new(&first).with_content("content", content),
    };
    let bytes = climb(world, &document, None, Level::B, level)?;
    let mut made = Made::of(bytes, if enveloping { "p7m" } else { "p7s" }, "CAdES", level);
    if !enveloping {
        made.contents = vec![("content".into(), content.to_vec())];
    }
    made.passed_on = level >= Level::T;
    Ok(made)
}

pub fn rows(sheet: &mut Sheet<'_>) {
    packagings(sheet);
    attributes(sheet);
    several(sheet);
    extended(sheet);
}

/// C1 and C2.
fn packagings(sheet: &mut Sheet<'_>) {
    let (parameters, options) = (SignatureParameters::new(signed()), cades::Options::default());
    let mut weak = parameters.clone();
    weak.allow_weak_algorithms = true;
    let world = sheet.world;
    for (row, packaging) in [("C1", Packaging::Enveloping), ("C2", Packaging::Detached), ("C2", Packaging::Digest)] {
        for (kind, content) in contents() {
            for key in [Key::Rsa2048, Key::P256] {
                for level in Level::ALL {
                    if packaging == Packaging::Digest && (level > Level::Lt || kind != "text") {
                        continue;
                    }
                    let name = format!("{}, {kind}, {}, {}", packaging.name(), key.name(), level.name());
                    let parameters = if key == Key::Rsa2048 { &weak } else { &parameters };
                    sheet
                        .passes(row, &name, || signed_at(world, packaging, &content, key, level, parameters, &options));
                }
            }
        }
        if packaging != Packaging::Digest {
            let content = large();
            for level in [Level::B, Level::Lta] {
                let name = format!("{}, 10 MB, P-256, {}", packaging.name(), level.name());
                sheet.passes(row, &name, || {
                    signed_at(world, packaging, &content, Key::P256, level, &parameters, &options)
                });
            }
        }
        for key in Key::ALL {
            if matches!(key, Key::Rsa2048 | Key::P256) {
                continue;
            }
            let name = format!("{}, text, {}, B", packaging.name(), key.name());
            let content = &contents()[2].1;
            sheet.passes(row, &name, || {
                let mut made = signed_at(world, packaging, content, key, Level::B, &weak, &options)?;
                made.more = json!({ "key": key.name() });
                Ok(made)
            });
        }
    }
}

/// What is stated, and what DSS reads of it.
fn statements(world: &World, content: &[u8]) -> Vec<(&'static str, SignatureParameters, cades::Options, Value)> {
    let mut all = vec![];
    let mut add = |name, change: &dyn Fn(&mut SignatureParameters, &mut cades::Options), stated| {
        let (mut parameters, mut options) = (SignatureParameters::new(signed()), cades::Options::default());
        change(&mut parameters, &mut options);
        all.push((name, parameters, options, stated));
    };
    let policy = |text: &str| {
        let document = text.as_bytes().to_vec();
        ExplicitPolicy {
            oid: "1.2.3.4.5.6".into(),
            digest_algorithm: DigestAlgorithm::Sha256,
            digest: digest(DigestAlgorithm::Sha256, &document).expect("SHA-256 is known"),
            uri: None,
            user_notice: None,
            document_specification: None,
            document: None,
        }
    };
    let place = Place {
        country: Some("PT".into()),
        locality: Some("Évora".into()),
        postal_address: vec!["Rua 5 de Outubro 1".into(), "7000-854 Évora".into()],
    };
    let commitments = vec![
        Commitment::ProofOfOrigin,
        Commitment::ProofOfReceipt,
        Commitment::ProofOfDelivery,
        Commitment::ProofOfSender,
        Commitment::ProofOfApproval,
        Commitment::ProofOfCreation,
    ];
    let of: Vec<String> = (1..7).map(|number| format!("1.2.840.113549.1.9.16.6.{number}")).collect();
    let roles = vec!["Procuradora".to_owned(), "Notária".to_owned()];
    let assertion =
        "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"a\" Version=\"2.0\"/>".to_owned();
    let stamp = |function: DigestAlgorithm| {
        let imprint = digest(function, content).expect("the function is known");
        world.token(function, &imprint, minutes(signed(), -1))
    };
    let stamps = vec![stamp(DigestAlgorithm::Sha256), stamp(DigestAlgorithm::Sha512)];
    let full = ExplicitPolicy {
        uri: Some("http://policies.example/p.txt".into()),
        user_notice: Some("Read the policy – é favor ler".into()),
        document_specification: Some("1.2.3.4.5".into()),
        ..policy("The policy.")
    };
    let stored = ExplicitPolicy { document: Some(b"The policy.".to_vec()), ..full.clone() };
    let address = json!(["Rua 5 de Outubro 1", "7000-854 Évora"]);
    add(
        "place",
        &|p, _| p.place = Some(place.clone()),
        json!({ "country": "PT", "city": "Évora", "address": address }),
    );
    add(
        "country alone",
        &|p, _| p.place = Some(Place { locality: None, postal_address: vec![], ..place.clone() }),
        json!({ "country": "PT" }),
    );
    add("roles", &|p, _| p.claimed_roles = roles.clone(), json!({ "claimedRoles": roles }));
    // DSS reads an assertion as PrintableString only, and nothing of the attribute where it is another string.
    add("assertion", &|p, _| p.signed_assertions = vec![assertion.clone()], json!({}));
    add("commitments", &|p, _| p.commitments = commitments.clone(), json!({ "commitments": of }));
    add(
        "own commitment",
        &|p, _| p.commitments = vec![Commitment::Other("1.2.3.4".into())],
        json!({ "commitments": ["1.2.3.4"] }),
    );
    let qualifiers = vec![
        CommitmentQualifier { oid: "1.2.3.4".into(), value: Some(der::tlv(0x0c, &[b"until 2030"])) },
        CommitmentQualifier { oid: "1.2.3.5".into(), value: Some(der::integer(5)) },
    ];
    let qualified = Commitment::Qualified { oid: of[4].clone(), qualifiers };
    add(
        "commitment with qualifiers",
        &|p, _| p.commitments = vec![qualified.clone()],
        json!({ "commitments": [of[4]] }),
    );
    let certificate = world.user(Key::P256).expect("there is the key").signer.certificate();
    let name = der::tlv(0xa4, &[certificate.issuer().der()]);
    let holder = der::tlv(0xa0, &[&der::sequence(&[&name]), &der::tlv(0x02, &[certificate.serial()])]);
    let certified = attribute_certificate(&holder, "20270101000000Z", "20280101000000Z");
    // EU DSS 6.4 lists no certified attributes of signer-attributes-v2.
    add("attribute certificate", &|p, _| p.certified_attributes = vec![certified.clone()], json!({}));
    let question = cades::ContentReference::new("1.2.840.113549.1.7.1", b"letter-16".to_vec(), vec![7; 70]);
    add("reference to another", &|_, o| o.reference = Some(question.clone()), json!({}));
    add("policy implied", &|p, _| p.policy = Some(SignaturePolicy::Implied), json!({ "policy": "IMPLICIT_POLICY" }));
    add(
        "policy by hash",
        &|p, _| p.policy = Some(SignaturePolicy::Explicit(policy("The policy."))),
        json!({ "policy": "1.2.3.4.5.6" }),
    );
    let named = json!({
        "policy": "1.2.3.4.5.6", "policyUrl": "http://policies.example/p.txt",
        "policyNotice": "Read the policy – é favor ler", "policySpecification": "1.2.3.4.5",
    });
    add("policy with qualifiers", &|p, _| p.policy = Some(SignaturePolicy::Explicit(full.clone())), named.clone());
    let mut held = named;
    held["policyStore"] = json!(true);
    held["policyDigestValid"] = json!(true);
    add("policy with its document", &|p, _| p.policy = Some(SignaturePolicy::Explicit(stored.clone())), held);
    add("media type", &|_, o| o.mime_type = Some("text/plain".into()), json!({ "mimeType": "text/plain" }));
    add("no media type", &|_, _| {}, json!({ "mimeType": "application/octet-stream" }));
    add(
        "description",
        &|_, o| o.description = Some("carta".into()),
        json!({ "contentHints": "1.2.840.113549.1.7.1 [carta]" }),
    );
    add("identifier", &|_, o| o.identifier = Some(b"letter-17".to_vec()), json!({ "contentIdentifier": "letter-17" }));
    add("content time-stamps", &|p, _| p.content_timestamps = stamps.clone(), json!({ "contentTimestamps": 2 }));
    add("signer alone", &|p, _| p.embedded = EmbeddedCertificates::Signer, json!({}));
    add("chain with its root", &|p, _| p.embedded = EmbeddedCertificates::ChainWithRoot, json!({}));
    add("certificate by SHA-512", &|p, _| p.certificate_digest = DigestAlgorithm::Sha512, json!({}));
    let everything = json!({
        "country": "PT", "city": "Évora", "claimedRoles": roles, "commitments": of, "policy": "1.2.3.4.5.6",
        "policyStore": true, "contentIdentifier": "letter-17", "mimeType": "text/plain", "contentTimestamps": 2,
    });
    add(
        "everything",
        &|p, o| {
            p.place = Some(place.clone());
            p.claimed_roles = roles.clone();
            p.commitments = commitments.clone();
            p.policy = Some(SignaturePolicy::Explicit(stored.clone()));
            p.content_timestamps = stamps.clone();
            o.mime_type = Some("text/plain".into());
            o.identifier = Some(b"letter-17".to_vec());
        },
        everything,
    );
    all
}

fn attributes(sheet: &mut Sheet<'_>) {
    let (world, content) = (sheet.world, contents().swap_remove(2).1);
    for (name, parameters, options, stated) in statements(world, &content) {
        let levels = if name == "everything" { &Level::ALL[..] } else { &[Level::B, Level::Lta][..] };
        for key in if name == "everything" { &[Key::P256, Key::Rsa2048][..] } else { &[Key::P256][..] } {
            for level in levels {
                let cell = format!("{name}, {}, {}", key.name(), level.name());
                let mut parameters = parameters.clone();
                parameters.allow_weak_algorithms = key.is_weak();
                sheet.passes("C3", &cell, || {
                    let packaging = Packaging::Enveloping;
                    let mut made = signed_at(world, packaging, &content, *key, *level, &parameters, &options)?;
                    made.stated = Some(stated.clone());
                    Ok(made)
                });
            }
        }
    }
    let user = world.user(Key::P256).expect("there is the key");
    let refused = |sheet: &mut Sheet<'_>,
                   name: &str,
                   code: &str,
                   change: &dyn Fn(&mut SignatureParameters, &mut cades::Options)| {
        let (mut parameters, mut options) = (SignatureParameters::new(signed()), cades::Options::default());
        change(&mut parameters, &mut options);
        sheet.refused("C3", name, code, || {
            cades::prepare(&cades::Content::Enveloped(&content), &parameters, &options, &user.signer)
        });
    };
    refused(sheet, "media type and description", "parameters-conflict", &|_, options| {
        options.mime_type = Some("text/plain".into());
        options.description = Some("letter".into());
    });
    refused(sheet, "empty place", "parameter-invalid", &|parameters, _| parameters.place = Some(Place::default()));
    refused(sheet, "time-stamp over another content", "tsa-imprint", &|parameters, _| {
        parameters.content_timestamps = vec![world.token(DigestAlgorithm::Sha256, &[0; 32], signed())];
    });
}

/// A signature more in a signed file, at level B.
fn parallel(world: &World, file: &Document<'_>, key: Key) -> Result<Vec<u8>, String> {
    let user = world.user(key)?;
    let mut parameters = SignatureParameters::new(minutes(signed(), 1));
    parameters.allow_weak_algorithms = key.is_weak();
    let content = cades::Content::Parallel(file);
    let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &user.signer).map_err(told)?;
    finish(user, &prepared, file).map_err(told)
}

/// A file as the document that it is.
fn file_of<'a>(bytes: &'a [u8], content: Option<&'a [u8]>) -> Document<'a> {
    match content {
        Some(content) => Document::new(bytes).with_content("content", content),
        None => Document::new(bytes),
    }
}

/// Whether every SignerInfo of a file stands in another, byte by byte.
fn keeps_signers(before: &[u8], after: &[u8]) -> bool {
    let Some(signers) = fields(before).pop() else { return false };
    der::children(&signers).iter().all(|signer| {
        // What is not signed may have been added to: all up to the unsigned attributes.
        let signed = der::children(signer);
        let kept: Vec<u8> = signed.iter().filter(|part| part[0] != 0xa1).flatten().copied().collect();
        after.windows(kept.len()).any(|window| window == kept)
    })
}

fn several(sheet: &mut Sheet<'_>) {
    let (world, text) = (sheet.world, contents().swap_remove(2).1);
    let (parameters, options) = (SignatureParameters::new(signed()), cades::Options::default());
    let once = |packaging, level| -> Result<Vec<u8>, String> {
        Ok(signed_at(world, packaging, &text, Key::P256, level, &parameters, &options)?.bytes)
    };
    for packaging in [Packaging::Enveloping, Packaging::Detached] {
        let beside = (packaging == Packaging::Detached).then_some(&text[..]);
        let extension = if beside.is_some() { "p7s" } else { "p7m" };
        for (signers, keys) in [("2 signers", &[Key::Rsa4096][..]), ("3 signers", &[Key::P384, Key::Rsa2048][..])] {
            for level in Level::ALL {
                let name = format!("{}, {signers}, then {}", packaging.name(), level.name());
                sheet.passes("C4", &name, || {
                    let first = once(packaging, Level::B)?;
                    let mut bytes = first.clone();
                    for key in keys {
                        bytes = parallel(world, &file_of(&bytes, beside), *key)?;
                    }
                    if !keeps_signers(&first, &bytes) {
                        return Err("a signer is not what it was".into());
                    }
                    let bytes = climb(world, &file_of(&bytes, beside), None, Level::B, level)?;
                    let mut made = Made::of(bytes, extension, "CAdES", level);
                    made.levels = vec![level.called("CAdES"); keys.len() + 1];
                    made.archived *= keys.len() + 1;
                    made.contents = beside.map(|content| ("content".into(), content.to_vec())).into_iter().collect();
                    Ok(made)
                });
            }
        }
        for level in [Level::T, Level::Lt, Level::Lta] {
            let name = format!("{}, {}, then a second signer at B, both at LTA", packaging.name(), level.name());
            sheet.passes("C4", &name, || {
                let first = once(packaging, level)?;
                let bytes = parallel(world, &file_of(&first, beside), Key::Rsa4096)?;
                if !keeps_signers(&first, &bytes) {
                    return Err("a signer is not what it was".into());
                }
                let bytes = climb(world, &file_of(&bytes, beside), None, Level::Lt, Level::Lta2)?;
                let mut made = Made::of(bytes, extension, "CAdES", Level::Lta2);
                made.levels = vec![Level::Lta.called("CAdES"); 2];
                // Two for each of the two steps, and what the first had.
                made.archived = 4 + usize::from(level == Level::Lta);
                made.contents = beside.map(|content| ("content".into(), content.to_vec())).into_iter().collect();
                Ok(made)
            });
        }
    }
    for (name, bend) in BENT {
        for level in [Level::B, Level::Lta] {
            sheet.passes("C4", &format!("{name}, then a second signer, {}", level.name()), || {
                let first = bend(&once(Packaging::Enveloping, Level::B)?);
                let bytes = parallel(world, &Document::new(&first), Key::Rsa4096)?;
                let bytes = climb(world, &Document::new(&bytes), None, Level::B, level)?;
                let mut made = Made::of(bytes, "p7m", "CAdES", level);
                made.levels = vec![level.called("CAdES"); 2];
                made.archived *= 2;
                Ok(made)
            });
        }
    }
    let file = once(Packaging::Enveloping, Level::B).unwrap_or_default();
    for level in [Level::B, Level::T, Level::Lt, Level::Lta] {
        for then in [level, Level::Lta] {
            if level == Level::Lta && then == level {
                continue;
            }
            let name = format!("counter-signed at {}, then {}", level.name(), then.name());
            sheet.passes("C5", &name, || {
                let first = once(Packaging::Enveloping, level)?;
                let bytes = counter(world, &first)?;
                let bytes = climb(world, &Document::new(&bytes), None, level, then)?;
                let mut made = Made::of(bytes, "p7m", "CAdES", then);
                made.levels.push(Level::B.called("CAdES"));
                made.online = true;
                Ok(made)
            });
        }
    }
    sheet.passes("C5", "counter-signed at LTA, renewed", || {
        let bytes = counter(world, &once(Packaging::Enveloping, Level::Lta)?)?;
        let bytes = climb(world, &Document::new(&bytes), None, Level::Lta, Level::Lta2)?;
        let mut made = Made::of(bytes, "p7m", "CAdES", Level::Lta2);
        made.levels.push(Level::B.called("CAdES"));
        made.online = true;
        Ok(made)
    });
    sheet.refused("C5", "no such signature", "signature-not-found", || {
        let user = world.user(Key::P256).expect("there is the key");
        let (document, id) = (Document::new(&file), world.root.certificate.id().clone());
        cades::prepare(&cades::Content::Signature(&document, &id), &parameters, &options, &user.signer)
    });
}

/// The first signature of a file, counter-signed.
fn counter(world: &World, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (user, document) = (world.user(Key::P384)?, Document::new(bytes));
    let facts = world.validator().facts(&document, signed()).map_err(|error| error.to_string())?;
    let id = facts.signatures.first().ok_or("there is no signature")?.id.clone();
    let parameters = SignatureParameters::new(minutes(signed(), 2));
    let content = cades::Content::Signature(&document, &id);
    let prepared = cades::prepare(&content, &parameters, &cades::Options::default(), &user.signer).map_err(told)?;
    finish(user, &prepared, &document).map_err(told)
}

/// Ways to write a file that BER allows and DER does not.
type Bend = fn(&[u8]) -> Vec<u8>;
const BENT: [(&str, Bend); 3] = [
    ("indefinite lengths", |bytes| {
        let fields = fields(bytes);
        let indefinite = |tag: u8, parts: &[u8]| [&[tag, 0x80], parts, &[0, 0]].concat();
        let data = indefinite(0x30, &fields.concat());
        indefinite(0x30, &[der::oid("1.2.840.113549.1.7.2"), indefinite(0xa0, &data)].concat())
    }),
    ("content in pieces", |bytes| {
        let mut fields = fields(bytes);
        let parts = der::children(&fields[2]);
        let whole = der::children(&parts[1])[0].clone();
        let (start, end) = der::read(&whole, 0);
        let octets = &whole[start..end];
        let (first, second) = octets.split_at(octets.len() / 2);
        let pieces = [&[0x24, 0x80], &der::bytes(first)[..], &der::bytes(second)[..], &[0, 0]].concat();
        let held = [&[0xa0, 0x80], &pieces[..], &[0, 0]].concat();
        fields[2] = [&[0x30, 0x80], &parts[0][..], &held[..], &[0, 0]].concat();
        with_fields(&fields)
    }),
    ("certificates unsorted", |bytes| {
        let mut fields = fields(bytes);
        let mut certificates = der::children(&fields[3]);
        certificates.reverse();
        fields[3] = der::tlv(0xa0, &[&certificates.concat()]);
        with_fields(&fields)
    }),
];

/// The fields of the `SignedData` in a file in DER.
fn fields(cms: &[u8]) -> Vec<Vec<u8>> {
    der::children(&der::children(&der::children(cms)[1])[0])
}

/// A file in DER with these fields of a `SignedData`.
fn with_fields(fields: &[Vec<u8>]) -> Vec<u8> {
    let explicit = der::tlv(0xa0, &[&der::sequence(&[&fields.concat()])]);
    der::sequence(&[&der::oid("1.2.840.113549.1.7.2"), &explicit])
}

/// C6: what DSS made (`.ci/creation` has it made before), extended. C7: archive time-stamps.
fn extended(sheet: &mut Sheet<'_>) {
    let (world, folder) = (sheet.world, sheet.folder().join("own"));
    for (packaging, extension) in [("ENVELOPING", "p7m"), ("DETACHED", "p7s")] {
        for key in [Key::P256, Key::Rsa2048] {
            for (from, name) in [(Level::B, "B"), (Level::T, "T"), (Level::Lt, "LT"), (Level::Lta, "LTA")] {
                let path = folder.join(format!("CAdES-{packaging}-{}-{name}", key.name()));
                for to in Level::ALL.into_iter().filter(|to| *to > from) {
                    let cell = format!("DSS's {}, {}, {name} to {}", packaging.to_lowercase(), key.name(), to.name());
                    sheet.passes("C6", &cell, || {
                        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                        let text = std::fs::read(folder.join("content.txt")).map_err(|error| error.to_string())?;
                        let mut document = Document::new(&bytes);
                        if extension == "p7s" {
                            document = document.with_content("content.txt", &text);
                        }
                        let mut made = Made::of(climb(world, &document, None, from, to)?, extension, "CAdES", to);
                        made.contents =
                            document.contents().iter().map(|c| (c.name.clone(), c.bytes.to_vec())).collect();
                        Ok(made)
                    });
                }
            }
        }
    }
    let text = contents().swap_remove(2).1;
    let (parameters, options) = (SignatureParameters::new(signed()), cades::Options::default());
    let at = |level| signed_at(world, Packaging::Enveloping, &text, Key::P256, level, &parameters, &options);
    for function in
        [DigestAlgorithm::Sha256, DigestAlgorithm::Sha384, DigestAlgorithm::Sha512, DigestAlgorithm::Sha3_256]
    {
        for level in [Level::Lta, Level::Lta2] {
            sheet.passes("C7", &format!("imprint by {function}, {}", level.name()), || {
                let first = at(Level::B)?;
                let document = Document::new(&first.bytes);
                let bytes = climb_with(world, &document, None, Level::B, level, 0, |target| target.digest(function))?;
                Ok(Made::of(bytes, "p7m", "CAdES", level))
            });
        }
    }
    let reordered: [(&str, usize, u8); 2] = [("certificates", 3, 0xa0), ("revocation data", 4, 0xa1)];
    for (name, field, tag) in reordered {
        let other = |bytes: &[u8]| {
            let mut fields = fields(bytes);
            let mut parts = der::children(&fields[field]);
            parts.reverse();
            fields[field] = der::tlv(tag, &[&parts.concat()]);
            with_fields(&fields)
        };
        for level in [Level::Lta, Level::Lta2] {
            sheet.passes("C7", &format!("{name} in another order after LTA, {}", level.name()), || {
                let bytes = other(&at(Level::Lta)?.bytes);
                Ok(Made::of(climb(world, &Document::new(&bytes), None, Level::Lta, level)?, "p7m", "CAdES", level))
            });
        }
    }
    for level in [Level::T, Level::Lt, Level::Lta, Level::Lta2] {
        sheet.passes("C7", &format!("an attribute of others with two values, {}", level.name()), || {
            let bytes = two_values(&at(Level::T)?.bytes)?;
            Ok(Made::of(climb(world, &Document::new(&bytes), None, Level::T, level)?, "p7m", "CAdES", level))
        });
    }
    sheet.passes("C7", "renewed ten times, two years apart", || {
        let mut bytes = at(Level::Lta)?.bytes;
        let mut now = Level::Lta.moment();
        for _ in 0..10 {
            now = crate::world::years(now, 2);
            let target = lacre::augmentation::Target::new(lacre::augmentation::Level::Lta);
            bytes = crate::steps::extend(world, &Document::new(&bytes), &target, now).map_err(told)?;
        }
        let mut made = Made::of(bytes, "p7m", "CAdES", Level::Lta2);
        made.archived = 11;
        made.judged = minutes(now, 60);
        Ok(made)
    });
}

/// The same with one more unsigned attribute, of two values.
fn two_values(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut fields = fields(bytes);
    let signers = fields.last_mut().ok_or("no signers")?;
    let mut signer = der::children(&der::children(signers)[0]);
    let unsigned = signer.last_mut().filter(|part| part[0] == 0xa1).ok_or("no unsigned attributes")?;
    let values = der::set_of(&[der::utf8("first"), der::utf8("second")]);
    let attribute = der::sequence(&[&der::oid("1.2.3.4.5.6.7"), &values]);
    let mut attributes = der::children(unsigned);
    attributes.push(attribute);
    *unsigned = der::tlv(0xa1, &[&attributes.concat()]);
    *signers = der::tlv(0x31, &[&der::sequence(&[&signer.concat()])]);
    Ok(with_fields(&fields))
}
