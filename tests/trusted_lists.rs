//! Trusted lists of the corpus: the chain from the Official Journal over pivots to the national lists, and what becomes
//! of it when a link breaks. TS 119 612.

use lacre::{
    Bundle, Document, Policy, Validator,
    report::Language,
    trust::{ListState, LotlSigningCertificates, ProblemKey, Role, TrustedLists, read},
};
use lacre_core::x509::Certificate;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const CACHE: &str = "dss/dss-cookbook/src/test/resources/signature-pool/cache";
const PIVOTS: &str = "dss/dss-tsl-validation/src/test/resources/lotlCache";
const LATER: &str = "pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/tl";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn corpus(path: &str) -> PathBuf {
    root().join("target/corpus").join(path)
}

/// The certificates that the Official Journal announced in 2019 (C 276/01).
fn announced_2019() -> LotlSigningCertificates {
    let bytes = std::fs::read(root().join("../shared/oracle/lotl-signers.zip")).unwrap();
    let archive = rawzip::ZipArchive::from_slice(&bytes).unwrap();
    let mut certificates = vec![];
    for entry in archive.entries() {
        let entry = entry.unwrap();
        let place = archive.get_entry(entry.wayfinder()).unwrap();
        certificates.push(Certificate::from_der(place.data()).unwrap());
    }
    assert_eq!(certificates.len(), 8, "the announcement of 2019 names eight certificates");
    LotlSigningCertificates::of(&certificates)
}

/// A file by its name in the folder of lists, and its bytes.
type Named = (String, Vec<u8>);

fn assemble(files: &[Named], announcement: &LotlSigningCertificates) -> TrustedLists {
    let loaded = "2023-10-28T00:00:00Z".parse().ok();
    TrustedLists::assemble(files.iter().map(|(name, bytes)| read(name, bytes, loaded)).collect(), announcement)
}

/// The folder of October 2023.
static OCTOBER: LazyLock<TrustedLists> = LazyLock::new(|| {
    let mut files: Vec<Named> = vec![];
    for entry in std::fs::read_dir(corpus(CACHE)).unwrap().flatten() {
        files.push((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()));
    }
    files.sort();
    assemble(&files, &announced_2019())
});

const PIVOT_282: &str = "https___ec_europa_eu_tools_lotl_eu_lotl_pivot_282_xml";
const PIVOT_300: &str = "https___ec_europa_eu_tools_lotl_eu_lotl_pivot_300_xml";

/// A list of lists, called `eu-lotl.xml`, and the four pivots before it.
fn chain(lotl: &str) -> Vec<Named> {
    let file = |folder: &str, name: &str| (name.to_owned(), std::fs::read(corpus(folder).join(name)).unwrap());
    let (_, bytes) = file(LATER, lotl);
    vec![
        ("eu-lotl.xml".into(), bytes),
        file(PIVOTS, "eu-lotl-pivot-341.xml"),
        file(PIVOTS, "eu-lotl-pivot-335.xml"),
        file(CACHE, PIVOT_300),
        file(CACHE, PIVOT_282),
    ]
}

fn state<'l>(lists: &'l TrustedLists, name: &str) -> &'l ListState {
    lists.states().iter().find(|state| state.name == name).unwrap()
}

/// What is said of the list of lists.
fn told(lists: &TrustedLists) -> String {
    let messages = state(lists, "eu-lotl.xml").problems.iter().map(|problem| problem.message.clone());
    messages.collect::<Vec<_>>().join("; ")
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn the_lists_of_october_2023() {
    let states = OCTOBER.states();
    let lotl = states.iter().find(|state| state.role == Role::ListOfLists).unwrap();
    assert_eq!((lotl.sequence_number, lotl.trusted), (Some(332), true));
    let pivots = states.iter().filter(|state| state.role == Role::Pivot && state.trusted);
    assert_eq!(pivots.map(|pivot| pivot.sequence_number).collect::<Vec<_>>(), [Some(282), Some(300)]);
    for state in states {
        assert!(state.trusted && state.problems.is_empty(), "{}: {:?}", state.name, state.problems);
    }
    assert_eq!(OCTOBER.trusted(), 30);
    let missing: Vec<_> = OCTOBER.missing().iter().map(|missing| missing.territory.as_deref()).collect();
    assert_eq!(missing, [Some("DE")], "the folder lacks Germany's list");
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn the_way_from_the_announcement_of_2019() {
    let lists = assemble(&chain("eu-lotl-old.xml"), &announced_2019());
    let lotl = state(&lists, "eu-lotl.xml");
    assert_eq!((lotl.sequence_number, lotl.trusted, told(&lists)), (Some(369), true, String::new()));
    assert_eq!(lists.states().iter().filter(|state| state.role == Role::Pivot && state.trusted).count(), 4);

    let lists = assemble(&chain("eu-lotl.xml"), &announced_2019());
    assert!(!state(&lists, "eu-lotl.xml").trusted);
    assert_eq!(told(&lists), "the pivot https://ec.europa.eu/tools/lotl/eu-lotl-pivot-378.xml is missing");

    let lists = assemble(&chain("eu-lotl.xml"), &LotlSigningCertificates::official_journal());
    let lotl = state(&lists, "eu-lotl.xml");
    assert_eq!((lotl.sequence_number, lotl.trusted, told(&lists)), (Some(388), true, String::new()));
    assert_eq!(lists.announced(), Some("https://eur-lex.europa.eu/eli/C/2026/1944/oj"));
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn a_link_that_breaks_is_named() {
    let urls = [341, 335, 300, 282].map(|number| format!("https://ec.europa.eu/tools/lotl/eu-lotl-pivot-{number}.xml"));
    for (place, url) in (1..).zip(&urls) {
        let mut files = chain("eu-lotl-old.xml");
        files.remove(place);
        let lists = assemble(&files, &announced_2019());
        assert_eq!(told(&lists), format!("the pivot {url} is missing"));

        let mut files = chain("eu-lotl-old.xml");
        let text = String::from_utf8(files[place].1.clone()).unwrap();
        files[place].1 = text.replacen("European Commission", "European Commision", 1).into_bytes();
        assert_ne!(files[place].1, text.into_bytes(), "the copy differs");
        let lists = assemble(&files, &announced_2019());
        assert!(told(&lists).starts_with(&format!("{url}: the signature is not valid")), "{}", told(&lists));
        assert_eq!(lists.trusted(), 0);
    }
    // The list of lists itself, and one that nobody announced.
    let mut files = chain("eu-lotl-old.xml");
    let text = String::from_utf8(files[0].1.clone()).unwrap();
    files[0].1 = text.replacen("<SchemeTerritory>EU<", "<SchemeTerritory>EX<", 1).into_bytes();
    let lists = assemble(&files[..1], &announced_2019());
    assert!(state(&lists, "eu-lotl.xml").signer.is_none() && !state(&lists, "eu-lotl.xml").trusted);
    let stranger = Certificate::from_der(&std::fs::read(root().join("examples/documents/root.der")).unwrap()).unwrap();
    let lists = assemble(&chain("eu-lotl-old.xml"), &LotlSigningCertificates::of(&[stranger]));
    assert!(told(&lists).contains("who is not among the 1 signers named by the caller"), "{}", told(&lists));
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn what_is_no_list_does_not_disturb_the_others() {
    let file = |name: &str| std::fs::read(corpus(CACHE).join(name)).unwrap();
    let lotl = "https___ec_europa_eu_tools_lotl_eu_lotl_xml";
    let cyprus =
        "https___dec_dmrid_gov_cy_dmrid_dec_ws_dec_nsf_all_5064247FF4FC3DCCC2258506002EEA17__file_TSL_CY_sign_xml";
    let iceland = "https___www_fjarskiptastofa_is_library_skrar_tsl_tsl_xml";
    let service = "<TSPService><ServiceInformation/></TSPService>".repeat(10_000);
    let list = |namespace: &str, inside: &str| {
        format!(r#"<TrustServiceStatusList xmlns="{namespace}">{inside}</TrustServiceStatusList>"#).into_bytes()
    };
    let tsl = "http://uri.etsi.org/02231/v2#";
    let many = format!(
        "<TrustServiceProviderList><TrustServiceProvider><TSPServices>{service}</TSPServices></TrustServiceProvider></TrustServiceProviderList>"
    );
    let wrapped =
        |name: &str| std::fs::read(corpus("dss/dss-xades/src/test/resources/validation/xsw").join(name)).unwrap();
    let mut changed = String::from_utf8(file(iceland)).unwrap();
    changed = changed.replacen("granted", "withdrawn", 1);
    let rows: [(&str, &str, Vec<u8>, ProblemKey, &str); 11] = [
        ("5.3: 50 MB", "large.xml", vec![b' '; 50 << 20], ProblemKey::Unreadable, "52428800 bytes"),
        (
            "annex C: a page",
            "page.html",
            b"<html><body><p>Not here</body></html>".into(),
            ProblemKey::Unreadable,
            "not XML",
        ),
        ("annex C: another root", "page.xml", b"<html/>".into(), ProblemKey::Unreadable, "html"),
        (
            "annex C: a wrong namespace",
            "space.xml",
            list("http://example.org/", ""),
            ProblemKey::Unreadable,
            "example.org",
        ),
        ("annex C: cut off", "cut.xml", file(iceland)[..20_000].to_vec(), ProblemKey::Unreadable, "not XML"),
        ("5.5: 10,000 services", "many.xml", list(tsl, &many), ProblemKey::Unreadable, "more than 5000 services"),
        ("5.7: not signed", "unsigned.xml", list(tsl, ""), ProblemKey::Signature, "not signed"),
        ("5.7: changed", iceland, changed.into_bytes(), ProblemKey::Signature, "not valid"),
        ("5.7: wrapped", "wrapped.xml", wrapped("XSW-enveloped-fake-content.xml"), ProblemKey::Signature, "sign"),
        (
            "5.7: two ids",
            "ids.xml",
            wrapped("XSW-enveloped-fake-content-two-same-id.xml"),
            ProblemKey::Signature,
            "sign",
        ),
        (
            "5.3.13: another country's list",
            cyprus,
            file(iceland),
            ProblemKey::Country,
            "the list is of IS, expected CY",
        ),
    ];
    let mut files: Vec<Named> = vec![];
    for name in [lotl, PIVOT_282, PIVOT_300, "https___www_llv_li_files_ak_xml_llv_ak_tsl_xml"] {
        files.push((name.into(), file(name)));
    }
    files.extend(rows.iter().map(|(_, name, bytes, ..)| (name.to_string(), bytes.clone())));
    let lists = assemble(&files, &announced_2019());
    for (situation, name, _, key, message) in rows {
        let state = state(&lists, name);
        let told = state.problems.iter().find(|problem| problem.key == key);
        assert!(told.is_some_and(|p| p.message.contains(message)), "TS 119 612 {situation}: {:?}", state.problems);
        assert!(!state.trusted, "TS 119 612 {situation}");
    }
    assert_eq!(lists.trusted(), 1, "Liechtenstein's list is as it was");
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn a_qualified_signature_names_its_service() {
    let bytes = std::fs::read(corpus("dss/dss-pades/src/test/resources/validation/Signature-P-HU_POL-3.pdf")).unwrap();
    let time = "2023-10-28T00:00:00Z".parse().unwrap();
    let snapshot = TrustedLists::from_snapshot(&OCTOBER.to_snapshot()).unwrap();
    for lists in [&*OCTOBER, &snapshot] {
        let validator = Validator::new(Policy::eidas()).trusted_lists(lists);
        let report = validator.validate(&Document::new(&bytes), time).unwrap();
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
        let signature = &json["signatures"][0];
        assert_eq!(signature["qualification"], "QESIG");
        let service = &signature["trust_service"];
        assert_eq!((&service["country"], &service["status"]), (&"HU".into(), &"undersupervision".into()));
        assert_eq!((&service["list_number"], &service["list_issued"]), (&76.into(), &"2023-10-27T12:00:00Z".into()));
        assert_eq!(json["trust"]["state"], "lists");
        let (_, bundle) = Bundle::record(&validator, &Document::new(&bytes), time, Language::English).unwrap();
        let bundle = Bundle::from_zip(&bundle.to_zip()).unwrap();
        assert_eq!(bundle.replay_with(&Document::new(&bytes)).unwrap().differences, [], "the bundle holds the list");
        let text = report.to_text();
        assert!(text.contains("HU") && text.contains("76") && text.contains("2023-10-27"), "{text}");
    }
}

/// Time-stamps whose documents lack the authority that issued the unit's certificate: the snapshot has it.
#[test]
#[ignore = "needs ../shared and target/corpus"]
fn a_snapshot_judges_as_its_folder() {
    let time = "2023-10-28T00:00:00Z".parse().unwrap();
    let snapshot = TrustedLists::from_snapshot(&OCTOBER.to_snapshot()).unwrap();
    for path in [
        "dss/dss-pades/src/test/resources/validation/pdf-removed-pages.pdf",
        "dss/dss-pades/src/test/resources/validation/pades3_Baseline_B.pdf",
        "dss/dss-jades/src/test/resources/validation/dss2620/jades-t-level-with-etsiu-in-crit.json",
        "dss/dss-xades/src/test/resources/validation/dss-1647_OJ_L_2018_109_FULL.xml",
    ] {
        let bytes = std::fs::read(corpus(path)).unwrap();
        let judged = [&*OCTOBER, &snapshot].map(|lists| {
            let validator = Validator::new(Policy::eidas()).trusted_lists(lists);
            let report = validator.validate(&Document::new(&bytes), time).unwrap();
            serde_json::from_str::<serde_json::Value>(&report.to_json()).unwrap()
        });
        for part in ["signatures", "timestamps"] {
            assert_eq!(judged[0][part], judged[1][part], "{path}: {part}");
        }
        let reached = |timestamp: &serde_json::Value| timestamp["sub_indication"] != "NO_CERTIFICATE_CHAIN_FOUND";
        assert!(judged[1]["timestamps"].as_array().unwrap().iter().all(reached), "{path}");
    }
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn a_snapshot_is_what_was_packed() {
    let packed = OCTOBER.to_snapshot();
    assert!(packed.len() <= 1_500_000, "{} bytes", packed.len());
    let opened = TrustedLists::from_snapshot(&packed).unwrap();
    assert_eq!((opened.states(), opened.missing()), (OCTOBER.states(), OCTOBER.missing()));
    assert_eq!(opened.to_snapshot(), packed, "packed again it is the same");
    for place in (0..packed.len()).step_by(packed.len() / 20) {
        let mut changed = packed.clone();
        changed[place] ^= 1;
        assert!(TrustedLists::from_snapshot(&changed).is_err(), "byte {place}");
        assert!(TrustedLists::from_snapshot(&packed[..place]).is_err(), "cut off at {place}");
    }
}
