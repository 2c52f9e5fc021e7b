//! Contents larger than memory: digested where they lie, never held.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// How large the content is.
const CONTENT: u32 = 3 << 30;
/// Private memory that judging it may take, in KiB.
const PRIVATE: u64 = 64 << 10;

fn header(signature: u32, numbers: &[u16], sizes: &[u32], name: &str, more: &[u8]) -> Vec<u8> {
    let mut octets = signature.to_le_bytes().to_vec();
    octets.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    octets.extend(sizes.iter().flat_map(|number| number.to_le_bytes()));
    octets.extend((name.len() as u16).to_le_bytes());
    octets.extend(more);
    octets.extend(name.bytes());
    octets
}

/// An ASiC-E with a stored content of zeros, which takes no room on most file systems, and a signature that refers to it.
fn write(path: &Path) {
    let signature = b"<ds:Signature xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:SignedInfo>\
        <ds:CanonicalizationMethod Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>\
        <ds:SignatureMethod Algorithm='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'/><ds:Reference URI='large'>\
        <ds:DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>AAAA</ds:DigestValue>\
        </ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>";
    let entries: [(&str, u32, &[u8]); 3] = [
        ("mimetype", 31, b"application/vnd.etsi.asic-e+zip"),
        ("META-INF/signatures.xml", signature.len() as u32, signature),
        ("large", CONTENT, b""),
    ];
    let mut file = File::create(path).unwrap();
    let mut directory = vec![];
    for (name, size, octets) in entries {
        let place = file.stream_position().unwrap() as u32;
        file.write_all(&header(0x0403_4b50, &[20, 0, 0, 0, 0], &[0, size, size], name, &[0; 2])).unwrap();
        file.write_all(octets).unwrap();
        file.seek(SeekFrom::Current(i64::from(size) - octets.len() as i64)).unwrap();
        let more = [&[0; 12][..], &place.to_le_bytes()].concat();
        directory.extend(header(0x0201_4b50, &[20, 20, 0, 0, 0, 0], &[0, size, size], name, &more));
    }
    let start = file.stream_position().unwrap() as u32;
    file.write_all(&directory).unwrap();
    file.write_all(&0x0605_4b50u32.to_le_bytes()).unwrap();
    file.write_all(&[0, 0, 0, 0, 3, 0, 3, 0]).unwrap();
    file.write_all(&[(directory.len() as u32).to_le_bytes(), start.to_le_bytes()].concat()).unwrap();
    file.write_all(&[0; 2]).unwrap();
}

/// The anonymous memory of a process, in KiB: what is mapped from the file is not its own.
fn private(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.split_whitespace().next()?.parse().ok()
}

#[test]
#[ignore = "digests six gigabytes: .ci/full runs it, optimised"]
fn a_large_content_is_not_held() {
    let path = std::env::temp_dir().join(format!("lacre-large-{}.asice", std::process::id()));
    write(&path);
    let mut child = Command::new(env!("CARGO_BIN_EXE_lacre"))
        .args(["validate", "--format", "json"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command was built");
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(private(child.id()).unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let mut report = String::new();
    child.stdout.take().unwrap().read_to_string(&mut report).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(report.contains("HASH_FAILURE"), "the content was digested, and is not what was signed: {report}");
    if most == 0 {
        eprintln!("SKIPPED: the memory of a process cannot be seen here");
    }
    eprintln!("{most} KiB of private memory");
    assert!(most <= PRIVATE, "{most} KiB of private memory, at most {PRIVATE} are wanted");
}
