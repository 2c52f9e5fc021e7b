//! Lists of trusted entities (TS 119 602): read in both bindings, shown, and trusted for nothing but what the user asks.

mod common;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::trust::{ListError, UntrustedSigner, read_lote};
use lacre_core::trust::SignatureDefect;
use lacre_testkit::authorities::{Pki, now};
use lacre_testkit::trusted_list::{self, Signer};
use std::path::Path;

const KIND: &str = "http://uri.etsi.org/19602/LoTEType/EUWRPACProvidersList";
const ISSUANCE: &str = "http://uri.etsi.org/19602/SvcType/WRPAC/Issuance";
const REVOCATION: &str = "http://uri.etsi.org/19602/SvcType/WRPAC/Revocation";

/// A list of one entity that issues certificates with `authority`, and with another one no longer.
fn json(authority: &[u8], former: &[u8]) -> String {
    let service = |kind: &str, status: &str, certificate: &[u8]| {
        let certificate = BASE64_STANDARD.encode(certificate);
        format!(
            r#"{{"ServiceInformation":{{"ServiceTypeIdentifier":"{kind}","ServiceName":[{{"lang":"en","value":"Access"}}],{status}"ServiceDigitalIdentity":{{"X509Certificates":[{{"val":"{certificate}"}}]}}}}}}"#
        )
    };
    let withdrawn =
        r#""ServiceStatus":"http://example.org/SvcStatus/withdrawn","StatusStartingTime":"2026-01-01T00:00:00Z","#;
    let services = [service(ISSUANCE, "", authority), service(REVOCATION, withdrawn, former)].join(",");
    format!(
        r#"{{"LoTE":{{"ListAndSchemeInformation":{{"LoTEVersionIdentifier":1,"LoTESequenceNumber":3,"LoTEType":"{KIND}","SchemeOperatorName":[{{"lang":"en","value":"Scheme operator"}}],"SchemeTerritory":"EU","ListIssueDateTime":"{}","NextUpdate":"{}"}},"TrustedEntitiesList":[{{"TrustedEntityInformation":{{"TEName":[{{"lang":"en","value":"Example Access"}}]}},"TrustedEntityServices":[{services}]}}]}}}}"#,
        now(),
        now().plus_millis(86_400_000)
    )
}

/// The same in XML, canonical.
fn xml(authority: &[u8], former: &[u8]) -> String {
    let service = |kind: &str, status: &str, certificate: &[u8]| {
        let certificate = BASE64_STANDARD.encode(certificate);
        format!(
            "<TrustedEntityService><ServiceInformation><ServiceTypeIdentifier>{kind}</ServiceTypeIdentifier><ServiceName><Name xml:lang=\"en\">Access</Name></ServiceName>\
             <ServiceDigitalIdentity><DigitalId><X509Certificate>{certificate}</X509Certificate></DigitalId></ServiceDigitalIdentity>{status}</ServiceInformation></TrustedEntityService>"
        )
    };
    let withdrawn = "<ServiceStatus>http://example.org/SvcStatus/withdrawn</ServiceStatus><StatusStartingTime>2026-01-01T00:00:00Z</StatusStartingTime>";
    let services = [service(ISSUANCE, "", authority), service(REVOCATION, withdrawn, former)].concat();
    format!(
        "<ListOfTrustedEntities xmlns=\"http://uri.etsi.org/019602/v1#\" LOTETag=\"http://uri.etsi.org/019602/tag#\"><ListAndSchemeInformation><LoTEVersionIdentifier>1</LoTEVersionIdentifier>\
         <LoTESequenceNumber>3</LoTESequenceNumber><LoTEType>{KIND}</LoTEType><SchemeOperatorName><Name xml:lang=\"en\">Scheme operator</Name></SchemeOperatorName>\
         <SchemeTerritory>EU</SchemeTerritory><ListIssueDateTime>{}</ListIssueDateTime><NextUpdate><dateTime>{}</dateTime></NextUpdate></ListAndSchemeInformation>\
         <TrustedEntitiesList><TrustedEntity><TrustedEntityInformation><TEName><Name xml:lang=\"en\">Example Access</Name></TEName></TrustedEntityInformation>\
         <TrustedEntityServices>{services}</TrustedEntityServices></TrustedEntity></TrustedEntitiesList></ListOfTrustedEntities>",
        now(),
        now().plus_millis(86_400_000)
    )
}

#[test]
fn both_bindings_say_the_same() {
    let (signer, other) = (Signer::new("Scheme operator"), Signer::new("Somebody"));
    let (authority, former) = (other.certificate.der(), Signer::new("Former").certificate.der().to_vec());
    let [of_json, of_xml] = [signer.jws(&json(authority, &former)), signer.signed(&xml(authority, &former))]
        .map(|bytes| read_lote(&bytes).unwrap());
    for read in [&of_json, &of_xml] {
        assert_eq!(read.signer(), Ok(&signer.certificate));
        let list = read.list();
        assert_eq!((list.version, list.sequence_number, list.list_type.as_deref()), (Some(1), Some(3), Some(KIND)));
        assert_eq!((list.territory.as_deref(), list.entities.len()), (Some("EU"), 1));
        assert!(list.issue_date.is_some() && list.next_update > list.issue_date);
        assert_eq!(list.entities, of_json.list().entities);
        assert_eq!(
            list.entities[0].services.iter().map(|service| service.is_in_force()).collect::<Vec<_>>(),
            [true, false]
        );
        let signers = [other.certificate.clone(), signer.certificate.clone()];
        for (service, expected) in [(None, 1), (Some(ISSUANCE), 1), (Some(REVOCATION), 0), (Some("urn:x"), 0)] {
            assert_eq!(read.certificates_signed_by(&signers, service).unwrap().len(), expected, "{service:?}");
        }
        let theirs = read.certificates_signed_by(&signers[..1], None);
        assert!(matches!(theirs, Err(UntrustedSigner::Signer { expected: 1, .. })), "{theirs:?}");
    }
}

#[test]
fn what_is_no_list_or_not_signed_is_told() {
    let signer = Signer::new("Scheme operator");
    let (json, xml) = (json(b"a", b"b"), xml(b"a", b"b"));
    let changed =
        |bytes: Vec<u8>, from: &str, to: &str| String::from_utf8(bytes).unwrap().replacen(from, to, 1).into_bytes();
    let token = String::from_utf8(signer.jws(&json)).unwrap();
    let other = String::from_utf8(signer.jws("{\"LoTE\":{\"ListAndSchemeInformation\":{}}}")).unwrap();
    let swapped =
        [token.split('.').next(), other.split('.').nth(1), token.split('.').nth(2)].map(Option::unwrap).join(".");
    let signature = |bytes: &[u8]| read_lote(bytes).unwrap().signer().unwrap_err().clone();
    assert_eq!(signature(json.as_bytes()), SignatureDefect::Missing);
    assert_eq!(signature(xml.as_bytes()), SignatureDefect::Missing);
    assert!(matches!(signature(swapped.as_bytes()), SignatureDefect::Invalid { .. }), "another list's signature");
    let in_xml = changed(signer.signed(&xml), "Example Access", "Example access");
    assert!(matches!(signature(&in_xml), SignatureDefect::Invalid { .. }), "changed");
    let twice = changed(
        signer.signed(&xml),
        "</ds:Signature>",
        "</ds:Signature><ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"/>",
    );
    assert_eq!(signature(&twice), SignatureDefect::Several { found: 2 });
    let many = format!(
        "{{\"LoTE\":{{\"ListAndSchemeInformation\":{{}},\"TrustedEntitiesList\":[{}]}}}}",
        vec!["{}"; 20_001].join(",")
    );
    for (situation, bytes, told) in [
        ("empty", &b""[..], "no JSON Web Signature"),
        ("a page", b"<html/>", "expected a ListOfTrustedEntities"),
        (
            "a list of TS 119 612",
            b"<TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\"/>",
            "TrustServiceStatusList, expected",
        ),
        ("another object", b"{\"a\":1}", "JSON without a member LoTE"),
        ("half an object", b"{\"LoTE\":", "no JSON"),
        ("bytes", b"\xff\xfe\x00", "no JSON Web Signature"),
        ("too many", many.as_bytes(), "more than 20000 entries"),
    ] {
        let error = read_lote(bytes).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains(told), "{situation}: {error}");
    }
    assert!(matches!(read_lote(&vec![b' '; 40 << 20]), Err(ListError::TooLarge { .. })));
}

#[test]
fn certificates_are_trusted_when_asked_for_and_qualify_nothing() {
    let pki = Pki::new("http://nowhere.invalid");
    let (signer, other) = (Signer::new("Scheme operator"), Signer::new("Somebody"));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("contract.p7m", &pki.signed(b"a contract"));
    write("ca.crl", &pki.crl(false));
    write("list.jwt", &signer.jws(&json(pki.authority.der(), other.certificate.der())));
    write("list.xml", &signer.signed(&xml(other.certificate.der(), pki.authority.der())));
    write("signer.der", signer.certificate.der());
    write("other.der", other.certificate.der());
    let run = |line: &str| {
        let mut command = common::lacre();
        let done = command.args(line.split_whitespace()).current_dir(Path::new(folder.path())).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        (done.status.code(), said)
    };
    let validate = "validate contract.p7m --evidence ca.crl --format json";
    for (situation, options, status, told) in [
        (
            "its signer",
            "--trusted-entities list.jwt --entities-signer signer.der".to_owned(),
            0,
            r#""trust":{"state":"anchors""#,
        ),
        (
            "nothing is qualified",
            "--trusted-entities list.jwt --entities-signer signer.der".to_owned(),
            0,
            r#""qualification":"NA""#,
        ),
        (
            "of one type",
            format!("--trusted-entities list.jwt --entities-signer signer.der --entities-service {ISSUANCE}"),
            0,
            "",
        ),
        (
            "of another",
            format!("--trusted-entities list.jwt --entities-signer signer.der --entities-service {REVOCATION}"),
            5,
            "no certificate of such a service",
        ),
        (
            "no longer in force",
            "--trusted-entities list.xml --entities-signer signer.der".to_owned(),
            3,
            "NO_CERTIFICATE_CHAIN_FOUND",
        ),
        (
            "another signer",
            "--trusted-entities list.jwt --entities-signer other.der".to_owned(),
            5,
            "the list is signed by CN=Scheme operator",
        ),
        ("no signer", "--trusted-entities list.jwt".to_owned(), 2, "--entities-signer"),
        ("no list", "--trusted-entities ca.crl --entities-signer signer.der".to_owned(), 5, "no JSON Web Signature"),
    ] {
        let (code, said) = run(&format!("{validate} {options}"));
        assert_eq!(code, Some(status), "{situation}: {said}");
        assert!(said.contains(told), "{situation}: {said}");
    }
    for file in ["list.jwt", "list.xml"] {
        let (code, said) = run(&format!("lists show {file}"));
        assert_eq!(code, Some(0), "{said}");
        for told in [
            "EU   list of trusted entities 3",
            "1 entities, 2 services",
            "signed by CN=Scheme operator",
            KIND,
            "Example Access",
            "NOT IN FORCE",
        ] {
            assert!(said.contains(told), "{told} in {said}");
        }
    }
}

#[test]
fn of_several_snapshots_the_one_of_the_day_is_used() {
    let pki = Pki::new("http://nowhere.invalid");
    let (signer, national) = (Signer::new("LOTL"), Signer::new("EE"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("snapshots")).unwrap();
    std::fs::write(folder.path().join("contract.p7m"), pki.signed(b"a contract")).unwrap();
    let issued = now();
    let ago = |days: i64| issued.plus_millis(-days * 86_400_000).to_string();
    for (number, days) in [(1, 8), (2, 5), (3, 2)] {
        let day = ago(days);
        let pointers = [("https://ee.example/tl.xml".to_owned(), "EE", false, vec![&national])];
        let lotl = trusted_list::List {
            of_lists: true,
            territory: "EU",
            number,
            information: &[],
            pointers: &pointers,
            services: &[],
        };
        let own = trusted_list::List {
            of_lists: false,
            territory: "EE",
            number,
            information: &[],
            pointers: &[],
            services: &[&pki.authority],
        };
        let on_day = |list: &trusted_list::List<'_>, signer: &Signer| {
            let text = list.text();
            let (start, end) = text.find("<ListIssueDateTime>").zip(text.find("</ListIssueDateTime>")).unwrap();
            signer.signed(&format!("{}<ListIssueDateTime>{day}{}", &text[..start], &text[end..]))
        };
        let sources = vec![
            lacre::trust::read("lotl.xml", &on_day(&lotl, &signer), Some(issued)),
            lacre::trust::read("tl.xml", &on_day(&own, &national), Some(issued)),
        ];
        let announcement = lacre::trust::LotlSigningCertificates::of(std::slice::from_ref(&signer.certificate));
        let lists = lacre::trust::TrustedLists::assemble(sources, &announcement);
        std::fs::write(folder.path().join(format!("snapshots/{number}.lacre")), lists.to_snapshot()).unwrap();
    }
    let run = |line: &str| {
        let mut command = common::lacre();
        let done = command.args(line.split_whitespace()).current_dir(folder.path()).output().unwrap();
        (String::from_utf8_lossy(&done.stdout).into_owned(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    for (situation, at, number, days) in [
        ("between two", ago(3), 2, 5),
        ("on the day itself", ago(2), 3, 2),
        ("after all", ago(0), 3, 2),
        ("before all", ago(400), 1, 8),
    ] {
        let day = &ago(days)[..10];
        for lists in [
            "--trusted-lists snapshots",
            "--trusted-lists snapshots/3.lacre --trusted-lists snapshots/1.lacre --trusted-lists snapshots/2.lacre",
        ] {
            let (report, told) = run(&format!("validate contract.p7m --format json --at {at} {lists}"));
            assert!(report.contains(&format!(r#""list_number":{number}"#)), "{situation}: {report}");
            assert!(
                told.contains(&format!("of 3 snapshots, the one with lists up to {day} is used")),
                "{situation}: {told}"
            );
        }
    }
    let (_, told) = run("validate contract.p7m --trusted-lists snapshots --trusted-lists snapshots/1.lacre");
    assert!(told.contains("not every one is a snapshot"), "{told}");
}
