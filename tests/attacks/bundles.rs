//! Evidence bundles whose facts were edited, everything made to fit.

use lacre::{Bundle, Document, Policy, Validator, report::Language};
use lacre_testkit::lab::AT;
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::{Field, Pdf};
use lacre_testkit::pki::{Entity, Key};
use serde_json::Value;

/// The signed page, changed in its place.
fn changed(lab: &Lab) -> Vec<u8> {
    let mut bytes = Pdf::usual().signed(lab, &Field::default()).bytes;
    let at = lacre_testkit::pdf::find(&bytes, b"The parties agree.", 0).expect("the text is there");
    bytes[at..at + 18].copy_from_slice(b"The buyer pays 99.");
    bytes
}

/// Everything that was broken is intact.
fn mended(value: &mut Value) {
    match value {
        Value::Object(entries) => entries.iter_mut().for_each(|(key, entry)| {
            if matches!(key.as_str(), "data_intact" | "intact" | "valid") && *entry == Value::Bool(false) {
                *entry = Value::Bool(true);
            }
            mended(entry);
        }),
        Value::Array(items) => items.iter_mut().for_each(mended),
        _ => {}
    }
}

/// The entries of a bundle: stored, sizes behind the data.
fn entries(bundle: &[u8]) -> Vec<(String, Vec<u8>)> {
    let short = |at: usize| usize::from(u16::from_le_bytes([bundle[at], bundle[at + 1]]));
    let long = |at: usize| short(at) | short(at + 2) << 16;
    let end = bundle.len() - 22;
    let mut at = long(end + 16);
    let mut found = vec![];
    while bundle[at..].starts_with(b"PK\x01\x02") {
        let (size, name, more) = (long(at + 24), short(at + 28), short(at + 30) + short(at + 32));
        let local = long(at + 42);
        let data = local + 30 + short(local + 26) + short(local + 28);
        let title = String::from_utf8_lossy(&bundle[at + 46..at + 46 + name]).into_owned();
        found.push((title, bundle[data..data + size].to_vec()));
        at += 46 + name + more;
    }
    found
}

/// The bundle with other entries, written as it was.
fn written(template: &[u8], entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let row = lacre_testkit::pdf::find(template, b"PK\x01\x02", 0).expect("a directory");
    let (head, row) = (&template[..30], &template[row..row + 46]);
    let streamed = head[6] & 8 != 0;
    let (mut file, mut directory) = (vec![], vec![]);
    for (name, data) in entries {
        let place = file.len() as u32;
        let mut crc = flate2::Crc::new();
        crc.update(data);
        let sizes = [crc.sum(), data.len() as u32, data.len() as u32].map(u32::to_le_bytes).concat();
        let lengths = [(name.len() as u16).to_le_bytes(), [0; 2]].concat();
        file.extend([&head[..14], if streamed { &[0; 12] } else { &sizes }, &lengths, name.as_bytes(), data].concat());
        if streamed {
            file.extend([b"PK\x07\x08", &sizes[..]].concat());
        }
        directory.extend([&row[..16], &sizes, &lengths, &row[32..42], &place.to_le_bytes(), name.as_bytes()].concat());
    }
    let counts = (entries.len() as u16).to_le_bytes();
    let end = [(directory.len() as u32).to_le_bytes(), (file.len() as u32).to_le_bytes()].concat();
    [&file, &directory, &b"PK\x05\x06\0\0\0\0"[..], &counts, &counts, &end, &[0; 2]].concat()
}

fn hexadecimal(bytes: &[u8]) -> String {
    lacre_testkit::pki::sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bundle with other facts, and another report where one is given; all digests made again.
fn forged(bundle: &[u8], facts: &[u8], report: Option<&[u8]>) -> Vec<u8> {
    let mut all = entries(bundle);
    let manifest = all.iter().position(|(name, _)| name.starts_with("manifest/")).expect("a manifest");
    let (_, text) = all.remove(manifest);
    let mut manifest: Value = serde_json::from_slice(&text).expect("it is JSON");
    for (kind, new) in [("facts", Some(facts)), ("report", report)] {
        let Some(new) = new else { continue };
        let old = manifest[kind].as_str().expect("a digest").to_owned();
        let digest = hexadecimal(new);
        manifest[kind] = digest.clone().into();
        for entry in manifest["entries"].as_array_mut().expect("entries") {
            if entry["sha256"] == old.as_str() {
                entry["sha256"] = digest.clone().into();
                entry["size"] = new.len().into();
            }
        }
        for (name, data) in &mut all {
            if name.contains(&old) {
                (*name, *data) = (name.replace(&old, &digest), new.to_vec());
            }
        }
    }
    let digest = |entry: &Value| entry["sha256"].as_str().unwrap_or_default().to_owned();
    manifest["entries"].as_array_mut().expect("entries").sort_by_key(digest);
    // Entries stand in the order of the manifest.
    let order: Vec<String> = manifest["entries"].as_array().expect("entries").iter().map(digest).collect();
    all.sort_by_key(|(name, _)| order.iter().position(|digest| name.contains(digest.as_str())));
    // The manifest's keys in their order: only texts and numbers were replaced.
    let mut text = String::from_utf8(text).expect("it is UTF-8");
    let original: Value = serde_json::from_str(&text).expect("it is JSON");
    if original != manifest {
        text = reordered(&original, &manifest, &text);
    }
    let text = text.into_bytes();
    all.insert(0, (format!("manifest/{}.json", hexadecimal(&text)), text));
    written(bundle, &all)
}

/// The manifest's text in the order of its keys, with the entries of another.
fn reordered(_: &Value, new: &Value, text: &str) -> String {
    // The writer keeps the order of fields; a value of JSON may not, so that the text itself is edited.
    let mut lines: Vec<String> = vec![];
    let mut skipping = false;
    for line in text.lines() {
        let key = line.trim_start().split('"').nth(1).unwrap_or_default();
        let top = line.starts_with("  \"");
        if top && matches!(key, "facts" | "report") {
            lines.push(format!("  \"{key}\": {},", new[key]));
        } else if top && key == "entries" {
            skipping = true;
            let entries = new["entries"].as_array().expect("entries");
            let rows: Vec<String> = entries.iter().map(|entry| entry_text(text, entry)).collect();
            lines.push(format!("  \"entries\": [\n{}\n  ]", rows.join(",\n")));
        } else if skipping && line.starts_with("  ]") {
            skipping = false;
            if line.ends_with(',') {
                lines.last_mut().expect("the entries").push(',');
            }
        } else if !skipping {
            lines.push(line.to_owned());
        }
    }
    lines.join("\n")
}

/// An entry in the order of keys that the text has.
fn entry_text(text: &str, entry: &Value) -> String {
    let start = text.find("\"entries\"").expect("entries");
    let first: Vec<&str> =
        text[start..].lines().skip(2).take_while(|line| !line.trim_start().starts_with('}')).collect();
    let keys = first.iter().filter_map(|line| line.trim_start().split('"').nth(1));
    let rows: Vec<String> =
        keys.filter(|key| entry.get(*key).is_some()).map(|key| format!("      \"{key}\": {}", entry[key])).collect();
    format!("    {{\n{}\n    }}", rows.join(",\n"))
}

#[test]
fn f18_bundles_with_edited_facts() {
    let lab = Lab::new();
    let bytes = changed(&lab);
    let document = Document::new(&bytes).named("contract.pdf");
    let time = AT.parse().expect("a time");
    let (report, bundle) = Bundle::record(&lab.validator(), &document, time, Language::default()).expect("it is read");
    assert_eq!(report.indication().to_string(), "TOTAL-FAILED");
    let bundle = bundle.to_zip();
    assert_eq!(written(&bundle, &entries(&bundle)), bundle, "the test writes bundles as they are written");

    let (_, facts) = entries(&bundle).into_iter().find(|(name, _)| name.starts_with("facts/")).expect("facts");
    let mut facts: Value = serde_json::from_slice(&facts).expect("facts are JSON");
    mended(&mut facts);
    let facts = facts.to_string().into_bytes();

    // The facts are others, the report is as it was.
    let forged_facts = forged(&bundle, &facts, None);
    let read = Bundle::from_zip(&forged_facts).expect("every digest fits");
    let replay = read.replay().expect("the facts are read");
    assert!(!replay.differences.is_empty(), "a report that does not follow from its facts");

    // The report follows from the facts, which are not those of the document.
    let forged_both = forged(&bundle, &facts, Some(replay.report.to_json().as_bytes()));
    let read = Bundle::from_zip(&forged_both).expect("every digest fits");
    let replay = read.replay_with(&document).expect("it is the document");
    assert!(!replay.differences.is_empty(), "facts that are not those of the document");
    assert_eq!(replay.report.indication().to_string(), "TOTAL-FAILED");
}

/// What was not edited is replayed as it was said.
#[test]
fn f18_bundles_as_they_were_written() {
    let lab = Lab::new();
    let bytes = Pdf::usual().signed(&lab, &Field::default()).bytes;
    let document = Document::new(&bytes).named("contract.pdf");
    let time = AT.parse().expect("a time");
    let (report, bundle) = Bundle::record(&lab.validator(), &document, time, Language::default()).expect("it is read");
    assert_eq!(report.indication().to_string(), "TOTAL-PASSED");
    let read = Bundle::from_zip(&bundle.to_zip()).expect("every digest fits");
    for replay in [read.replay().expect("the facts are read"), read.replay_with(&document).expect("it is the document")]
    {
        assert!(replay.differences.is_empty(), "{:?}", replay.differences);
        assert_eq!(replay.report.indication().to_string(), "TOTAL-PASSED");
    }
    // Made again without a change it is the same, so that what the attacks find is what they changed.
    let (_, facts) = entries(&bundle.to_zip()).into_iter().find(|(name, _)| name.starts_with("facts/")).expect("facts");
    let same = Bundle::from_zip(&forged(&bundle.to_zip(), &facts, None)).expect("every digest fits");
    assert!(same.replay().expect("the facts are read").differences.is_empty(), "nothing was edited");
}

/// A stranger trusts himself in his bundle: by the trust of whoever replays it nothing passes, and the trust is what differs.
#[test]
fn bundles_of_strangers_who_trust_themselves() {
    let lab = Lab::new();
    let bytes = Pdf::usual().signed(&lab, &Field::default()).bytes;
    let (document, time) = (Document::new(&bytes).named("contract.pdf"), AT.parse().expect("a time"));
    let (_, bundle) = Bundle::record(&lab.validator(), &document, time, Language::default()).expect("it is read");
    let read = Bundle::from_zip(&bundle.to_zip()).expect("every digest fits");

    let as_expected = read.replay_trusting(&document, &lab.validator()).expect("it is the document");
    assert!(as_expected.differences.is_empty(), "{:?}", as_expected.differences);
    assert_eq!(as_expected.report.indication().to_string(), "TOTAL-PASSED");

    let honest = Entity::root("Honest Root", Key::of("honest"));
    let reader = Validator::new(Policy::eidas()).trust_anchor(&honest.certificate).expect("a certificate");
    let replay = read.replay_trusting(&document, &reader).expect("it is the document");
    assert_ne!(replay.report.indication().to_string(), "TOTAL-PASSED");
    assert!(replay.differences.iter().any(|one| one.place.contains(".trust")), "{:?}", replay.differences);

    // The same people under other rules: the policy is told.
    let lenient = Validator::new(Policy::dss()).trust_anchor(&lab.root.certificate).expect("a certificate");
    let replay = read.replay_trusting(&document, &lenient).expect("it is the document");
    assert!(replay.differences.iter().any(|one| one.place.contains("policy")), "{:?}", replay.differences);
}

/// The bundle of many small objects, each listed so many times.
fn many(template: &[u8], count: u32, times: usize) -> Vec<u8> {
    let mut all = entries(template);
    let (_, manifest) = all.remove(0);
    all.extend((0..count).map(|number| {
        let data = format!("{number:05}").into_bytes();
        (format!("certificates/{}.der", hexadecimal(&data)), data)
    }));
    all.sort_by_key(|(_, data)| hexadecimal(data));
    let rows = all.iter().flat_map(|(name, data)| {
        let (kind, digest, size) = (name.split('/').next().unwrap_or_default(), hexadecimal(data), data.len());
        let row = format!(
            "    {{\n      \"kind\": \"{kind}\",\n      \"sha256\": \"{digest}\",\n      \"size\": {size}\n    }}"
        );
        std::iter::repeat_n(row, times)
    });
    let rows = rows.collect::<Vec<_>>().join(",\n");
    let text = String::from_utf8(manifest).expect("it is UTF-8");
    let start = text.find("  \"entries\": [").expect("entries");
    let text = format!("{}  \"entries\": [\n{rows}\n  ]\n}}", &text[..start]).into_bytes();
    all.insert(0, (format!("manifest/{}.json", hexadecimal(&text)), text));
    written(template, &all)
}

/// A difference in the last part of a long bundle is found, and no entry is listed twice.
#[test]
fn bundles_of_many_entries_are_refused() {
    let lab = Lab::new();
    let bytes = Pdf::usual().signed(&lab, &Field::default()).bytes;
    let (document, time) = (Document::new(&bytes).named("contract.pdf"), AT.parse().expect("a time"));
    let (_, bundle) = Bundle::record(&lab.validator(), &document, time, Language::default()).expect("it is read");
    let mut bytes = many(&bundle.to_zip(), 9_900, 1);
    assert!(Bundle::from_zip(&bytes).is_ok(), "the test writes bundles as they are written");
    let row = lacre_testkit::pdf::find(&bytes, b"PK\x01\x02", 0).expect("a directory");
    bytes[row + 38] ^= 1;
    let refused = Bundle::from_zip(&bytes).expect_err("it was changed").to_string();
    assert!(refused.contains("was changed at byte"), "{refused}");

    let refused = Bundle::from_zip(&many(&bundle.to_zip(), 10, 1_000)).expect_err("an entry is there once");
    assert!(refused.to_string().contains("listed twice"), "{refused}");
}
