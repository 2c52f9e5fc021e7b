//! PDFs with damaged bytes, and PDFs made to be expensive, are read or refused: no panic, no hang.

use allocation_counter::measure;
use lacre::Budget;
use lacre_core::{
    crypto::PrefixHashes,
    formats::pdf::{Unpacked, draft},
};
use lacre_testkit::files::files;
use lacre_testkit::random::Random;
use std::path::Path;

/// Bytes of memory that reading a file may ask for in all, freed ones included. What grows with the square of these files
/// asks for more.
fn most_memory(bytes: &[u8]) -> u64 {
    (256 << 20) + 1_000 * bytes.len() as u64
}

/// Reads within [`most_memory`], and returns how many signatures came of it.
fn read(situation: &str, bytes: &[u8]) -> Option<usize> {
    let mut signatures = None;
    let memory = measure(|| {
        let unpacked = Unpacked::read(bytes, None, &Budget::default());
        let beginnings = PrefixHashes::new(bytes);
        let draft =
            |unpacked| draft(&unpacked, None, &beginnings, &Default::default(), &Default::default()).signatures.len();
        signatures = unpacked.ok().map(draft);
    });
    let most = most_memory(bytes);
    assert!(memory.bytes_total < most, "{situation}: {} bytes asked for, at most {most}", memory.bytes_total);
    signatures
}

/// A copy with up to eight places changed, removed, repeated or moved.
fn damaged(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 16] = [
        b"<<",
        b">>",
        b"[",
        b"]",
        b"(",
        b")",
        b"endobj",
        b"endstream",
        b"stream\n",
        b" 0 R",
        b"1 0 obj",
        b"startxref\n0",
        b"xref\n0 99999999\n",
        b"/Length 4294967295",
        b"/Prev 9",
        b"trailer<</Root 1 0 R>>",
    ];
    let mut copy = bytes.to_vec();
    for _ in 0..=random.below(8) {
        let at = random.below(copy.len());
        match random.below(5) {
            0 => copy[at] = random.below(256) as u8,
            1 => drop(copy.drain(at..(at + random.below(40)).min(copy.len()))),
            2 => drop(copy.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            3 => {
                let piece = copy[at..(at + random.below(400)).min(copy.len())].to_vec();
                let to = random.below(copy.len());
                copy.splice(to..to, piece);
            }
            _ => copy.truncate(at.max(copy.len() / 2)),
        }
        if copy.is_empty() {
            copy.push(b'%');
        }
    }
    copy
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn damaged_files_are_read_or_refused() {
    let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus"), ".pdf");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    // LACRE_ROUNDS asks for more than a test run has time for.
    let rounds = std::env::var("LACRE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(6);
    let (mut reads, mut accepted) = (0, 0);
    for path in &all {
        let bytes = std::fs::read(path).unwrap();
        if bytes.len() > 100_000 {
            continue;
        }
        for _ in 0..rounds {
            let signatures = read(&path.display().to_string(), &damaged(&bytes, &mut random));
            reads += 1;
            accepted += usize::from(signatures.is_some());
        }
    }
    eprintln!("{reads} damaged files, {accepted} of them read");
    assert!(accepted > 0 && accepted < reads, "some are read, some refused");
}

/// A PDF around `body`, whose catalog is object 1.
fn made(body: &str) -> Vec<u8> {
    format!("%PDF-1.7\n{body}\ntrailer<</Root 1 0 R/Size 9>>\n").into_bytes()
}

#[test]
fn expensive_files_are_cheap() {
    let chain: String = (2..60_000).map(|n| format!("{n} 0 obj<</Next {} 0 R>>endobj ", n + 1)).collect();
    let deep = format!("1 0 obj<</Type/Catalog/A {}1>>endobj", "[".repeat(1_000_000));
    let kids: String =
        (2..20_000).map(|n| format!("{n} 0 obj<</FT/Sig/Kids[{n} 0 R 2 0 R 3 0 R]/T(a)>>endobj ")).collect();
    let loops = "1 0 obj<</Type/Catalog/Pages 2 0 R/AcroForm 1 0 R/Fields[1 0 R 2 0 R]>>endobj 2 0 obj 2 0 R endobj";
    let lengths: String =
        (2..30_000).map(|n| format!("{n} 0 obj<</Type/ObjStm/N 1/First 0/Length {} 0 R>>stream\n", n + 1)).collect();
    let rows = [
        ("7.3.6: nesting", deep),
        ("12.3.3: a chain of sixty thousand items", format!("1 0 obj<</Type/Catalog/Outlines 2 0 R>>endobj {chain}")),
        ("12.7.3: fields within fields", format!("1 0 obj<</Type/Catalog/AcroForm<</Fields[2 0 R]>>>>endobj {kids}")),
        ("7.3.10: references in a circle", loops.to_string()),
        ("7.3.8: streams without end", format!("1 0 obj<</Type/Catalog/AcroForm 2 0 R>>endobj {lengths}")),
        ("7.5.4: nothing but cross-references", "xref\n0 1\n0000000000 65535 f \ntrailer<<>>\n".repeat(20_000)),
        ("7.2.3: nothing but comments", "%\n".repeat(500_000)),
        ("7.3.4.2: strings without end", "(".repeat(1_000_000)),
    ];
    for (situation, body) in rows {
        read(situation, &made(&body));
    }
}

#[test]
fn a_signature_over_half_of_it_is_compared_within_bounds() {
    // Two signatures over a form whose objects all refer to each other, with a later revision that changes them.
    let objects: String =
        (10..3_000).map(|n| format!("{n} 0 obj<</A {} 0 R/B {} 0 R/C 10 0 R>>endobj ", n + 1, n / 2)).collect();
    let first = format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/AcroForm<</Fields[2 0 R]>>/X 10 0 R>>endobj \
         2 0 obj<</FT/Sig/T(s)/V 3 0 R>>endobj 3 0 obj<</Type/Sig/Contents<00>/ByteRange[0 10 20 {}]>>endobj {objects}\
         trailer<</Root 1 0 R>>\n",
        100_000
    );
    let later: String = (10..3_000).map(|n| format!("{n} 0 obj<</A {} 0 R/D {n}>>endobj ", n + 2)).collect();
    let bytes = format!("{first}{later}trailer<</Root 1 0 R>>\n").into_bytes();
    let unpacked = Unpacked::read(&bytes, None, &Budget::default()).expect("7.5: readable by search");
    assert!(unpacked.repaired, "7.5.4: without cross-references, searching is said");
    assert_eq!(unpacked.signatures.len(), 1);
    let modifications = unpacked.signatures[0].facts.modifications.as_ref().expect("compared");
    let undefined = modifications.objects.as_ref().map_or(0, |objects| objects.undefined.len());
    assert!(undefined > 0, "changed objects are found");
}
