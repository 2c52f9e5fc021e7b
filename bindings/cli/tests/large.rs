//! Contents larger than memory: digested where they lie, never held.

mod common;

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How large the content is.
const CONTENT: u32 = 3 << 30;
/// Private memory that judging it may take, in KiB.
const PRIVATE: u64 = 64 << 10;
/// Of the speed of `openssl dgst -sha256` over the content alone.
const SHARE: f64 = 0.8;
/// Runs of which the quickest counts.
const RUNS: usize = 3;

fn header(signature: u32, numbers: &[u16], sizes: &[u32], name: &str, more: &[u8]) -> Vec<u8> {
    let mut bytes = signature.to_le_bytes().to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(sizes.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend((name.len() as u16).to_le_bytes());
    bytes.extend(more);
    bytes.extend(name.bytes());
    bytes
}

/// A signature that refers to the content, and has another digest of it.
const SIGNATURE: &[u8] = b"<ds:Signature xmlns:ds='http://www.w3.org/2000/09/xmldsig#'><ds:SignedInfo>\
    <ds:CanonicalizationMethod Algorithm='http://www.w3.org/2001/10/xml-exc-c14n#'/>\
    <ds:SignatureMethod Algorithm='http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'/><ds:Reference URI='large'>\
    <ds:DigestMethod Algorithm='http://www.w3.org/2001/04/xmlenc#sha256'/><ds:DigestValue>AAAA</ds:DigestValue>\
    </ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>";

/// An ASiC-E with a stored content of zeros, which takes no room on most file systems.
fn write_container(path: &Path) {
    let entries: [(&str, u32, &[u8]); 3] = [
        ("mimetype", 31, b"application/vnd.etsi.asic-e+zip"),
        ("META-INF/signatures.xml", SIGNATURE.len() as u32, SIGNATURE),
        ("large", CONTENT, b""),
    ];
    let mut file = File::create(path).unwrap();
    let mut directory = vec![];
    for (name, size, bytes) in entries {
        let place = file.stream_position().unwrap() as u32;
        file.write_all(&header(0x0403_4b50, &[20, 0, 0, 0, 0], &[0, size, size], name, &[0; 2])).unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Current(i64::from(size) - bytes.len() as i64)).unwrap();
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

/// The report, how long it took, and the most private memory in KiB.
fn judge(arguments: &[&Path]) -> (String, Duration, u64) {
    measured(common::lacre().args(["validate", "--format", "json"]).args(arguments))
}

/// What a command says, how long it took, and the most private memory in KiB.
fn measured(command: &mut Command) -> (String, Duration, u64) {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the command was built");
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(private(child.id()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    }
    let time = start.elapsed();
    let mut report = String::new();
    child.stdout.take().unwrap().read_to_string(&mut report).unwrap();
    (report, time, most)
}

/// How long `openssl dgst` takes for the file.
fn openssl(path: &Path) -> Duration {
    let start = Instant::now();
    let status = Command::new("openssl").args(["dgst", "-sha256"]).arg(path).stdout(Stdio::null()).status();
    assert!(status.expect("openssl is installed (Debian package openssl)").success());
    start.elapsed()
}

#[test]
#[ignore = "digests tens of gigabytes: .ci/full runs it, optimised, on a machine that does nothing else"]
fn a_large_content_is_not_held() {
    let folder = std::env::temp_dir().join(format!("lacre-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name);
    write_container(&path("large.asice"));
    File::create(path("large")).unwrap().set_len(CONTENT.into()).unwrap();
    std::fs::write(path("signature.xml"), SIGNATURE).unwrap();
    let (container, content) = (path("large.asice"), path("large"));
    let reference = (0..RUNS).map(|_| openssl(&content)).min().unwrap_or_default();
    let mut shares = vec![];
    for (situation, arguments) in [
        ("in an ASiC-E", vec![container.as_path()]),
        ("detached", vec![&path("signature.xml"), Path::new("--content"), &content]),
    ] {
        let runs: Vec<_> = (0..RUNS).map(|_| judge(&arguments)).collect();
        for (report, _, most) in &runs {
            assert!(report.contains("HASH_FAILURE"), "{situation}: digested, and not what was signed: {report}");
            assert!(*most <= PRIVATE, "{situation}: {most} KiB of private memory, at most {PRIVATE} are wanted");
        }
        let most = runs.iter().map(|(.., most)| *most).max().unwrap_or(0);
        let time = runs.iter().map(|(_, time, _)| *time).min().unwrap_or_default();
        let share = reference.as_secs_f64() / time.as_secs_f64();
        eprintln!(
            "{situation}: {most} KiB of private memory, {time:.2?}, openssl dgst {reference:.2?}, share {share:.2}"
        );
        assert!(most > 0, "{situation}: the memory of a process is not in /proc here");
        shares.push((situation, share));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    for (situation, share) in shares {
        assert!(share >= SHARE, "{situation}: {share:.2} of the speed of openssl dgst, {SHARE} is wanted");
    }
}

/// Issues the certificate of a person, with a key.
fn issue(folder: &Path) {
    let root = "issue root --country EE --organization Example --organization-identifier NTREE-12345678 --common-name Root \
        --key root.key --new-key ecdsa-p384 --at 2027-01-01T00:00:00Z -o root.der";
    let person = "issue user --issuer root.der --issuer-key root.key --country PT --given-name Ana --surname Silva \
        --serial-number PASPT-1 --key ana.key --new-key ecdsa-p256 --at 2027-01-01T00:00:00Z -o ana.der";
    for line in [root, person] {
        let status = common::lacre().current_dir(folder).args(line.split_whitespace()).stdout(Stdio::null()).status();
        assert!(status.expect("the command was built").success(), "{line}");
    }
}

#[test]
#[ignore = "digests gigabytes: .ci/full runs it, optimised, on a machine that does nothing else"]
fn a_large_content_is_signed_where_it_lies() {
    let folder = std::env::temp_dir().join(format!("lacre-large-signed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    issue(&folder);
    let content = folder.join("large");
    File::create(&content).unwrap().set_len(1 << 30).unwrap();
    let reference = (0..RUNS).map(|_| openssl(&content)).min().unwrap_or_default();
    let sign =
        "sign large --detached --key ana.key --certificate ana.der --at 2027-02-01T12:00:00Z --overwrite -o large.p7s";
    let runs: Vec<_> =
        (0..RUNS).map(|_| measured(common::lacre().current_dir(&folder).args(sign.split_whitespace()))).collect();
    let validate = "validate large.p7s --content large --trust-anchor root.der --at 2027-02-01T12:10:00Z --format json";
    let (report, ..) = measured(common::lacre().current_dir(&folder).args(validate.split_whitespace()));
    assert!(report.contains("CAdES-BASELINE-B") && !report.contains("HASH_FAILURE"), "it was signed: {report}");
    let most = runs.iter().map(|(.., most)| *most).max().unwrap_or(0);
    let time = runs.iter().map(|(_, time, _)| *time).min().unwrap_or_default();
    let share = reference.as_secs_f64() / time.as_secs_f64();
    eprintln!("signed: {most} KiB of private memory, {time:.2?}, openssl dgst {reference:.2?}, share {share:.2}");
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(most > 0 && most <= PRIVATE, "{most} KiB of private memory, at most {PRIVATE} are wanted");
    assert!(share >= SHARE, "{share:.2} of the speed of openssl dgst, {SHARE} is wanted");
}
