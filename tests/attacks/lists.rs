//! Trusted lists that say more than they may, and what time-stamps and certificates are under them.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use lacre::trust::{LotlSigningCertificates, Source, TrustedLists, cache_name, read};
use lacre::{Document, Facts, Policy, Report, Time, Validator, judge};
use lacre_testkit::authorities::now;
use lacre_testkit::cms::{STAMPED, Token};
use lacre_testkit::der::*;
use lacre_testkit::lab::Lab;
use lacre_testkit::pki::{self, Crl, Entity, Key, Spec};
use lacre_testkit::trusted_list::Signer;
use serde_json::Value;

const TEXT: &[u8] = b"We agree to pay 100 euros.";
const UNION: &str = "EUlistofthelists";
const GENERIC: &str = "EUgeneric";
const CA_QC: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const QTST: &str = "http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST";
const SEALS: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals";
const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const WITHDRAWN: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn";

/// A status period: type, status, since, additional information.
type Period<'a> = (&'a str, &'a str, &'a str, Option<&'a str>);

fn period(certificate: Option<&[u8]>, (kind, status, since, information): Period<'_>) -> String {
    let identity = certificate.map_or_else(String::new, |der| {
        let bytes = BASE64_STANDARD.encode(der);
        format!("<ServiceDigitalIdentity><DigitalId><X509Certificate>{bytes}</X509Certificate></DigitalId></ServiceDigitalIdentity>")
    });
    let start = match since {
        "" => String::new(),
        since => format!("<StatusStartingTime>{since}</StatusStartingTime>"),
    };
    let more = information.map_or_else(String::new, |uri| {
        format!(
            "<ServiceInformationExtensions><Extension Critical=\"false\"><AdditionalServiceInformation>\
             <URI xml:lang=\"en\">{uri}</URI></AdditionalServiceInformation></Extension></ServiceInformationExtensions>"
        )
    });
    format!(
        "<ServiceTypeIdentifier>{kind}</ServiceTypeIdentifier><ServiceName><Name xml:lang=\"en\">Attack Lab</Name></ServiceName>\
         {identity}<ServiceStatus>{status}</ServiceStatus>{start}{more}"
    )
}

/// A service with its current state first.
fn service(certificate: &[u8], periods: &[Period<'_>]) -> String {
    let (current, former) = periods.split_first().expect("a state");
    let current = period(Some(certificate), *current);
    let former: String = former
        .iter()
        .map(|one| format!("<ServiceHistoryInstance>{}</ServiceHistoryInstance>", period(None, *one)))
        .collect();
    format!(
        "<TSPService><ServiceInformation>{current}</ServiceInformation><ServiceHistory>{former}</ServiceHistory></TSPService>"
    )
}

fn pointer(url: &str, kind: &str, territory: &str, signer: &Signer, more: &str) -> String {
    let certificate = BASE64_STANDARD.encode(signer.certificate.der());
    format!(
        "<OtherTSLPointer><ServiceDigitalIdentities><ServiceDigitalIdentity><DigitalId>\
         <X509Certificate>{certificate}</X509Certificate></DigitalId></ServiceDigitalIdentity></ServiceDigitalIdentities>\
         <TSLLocation>{url}</TSLLocation><AdditionalInformation>\
         <OtherInformation><TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/{kind}</TSLType></OtherInformation>\
         <OtherInformation><SchemeTerritory>{territory}</SchemeTerritory></OtherInformation>{more}\
         </AdditionalInformation></OtherTSLPointer>"
    )
}

fn list(kind: &str, territory: &str, pointers: &str, services: &str, next: &str) -> String {
    let issued = now();
    let providers = match services {
        "" => String::new(),
        services => format!(
            "<TrustServiceProviderList><TrustServiceProvider><TSPInformation><TSPName>\
             <Name xml:lang=\"en\">Attack Lab</Name></TSPName></TSPInformation>\
             <TSPServices>{services}</TSPServices></TrustServiceProvider></TrustServiceProviderList>"
        ),
    };
    format!(
        "<TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\"><SchemeInformation>\
         <TSLVersionIdentifier>6</TSLVersionIdentifier><TSLSequenceNumber>1</TSLSequenceNumber>\
         <TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/{kind}</TSLType>\
         <SchemeInformationURI></SchemeInformationURI><SchemeTerritory>{territory}</SchemeTerritory>\
         <PointersToOtherTSL>{pointers}</PointersToOtherTSL><ListIssueDateTime>{issued}</ListIssueDateTime>\
         <NextUpdate><dateTime>{next}</dateTime></NextUpdate></SchemeInformation>{providers}</TrustServiceStatusList>"
    )
}

fn tomorrow() -> String {
    now().plus_millis(86_400_000).to_string()
}

/// When everything here is judged.
fn at() -> Time {
    now().plus_millis(60_000)
}

fn source(url: &str, list: &str, signer: &Signer) -> Source {
    read(&cache_name(url), &signer.signed(list), Some(now()))
}

/// The lists of one country, under a list of lists that is announced.
fn lists_with(services: &str) -> TrustedLists {
    lists_until(services, &tomorrow())
}

fn lists_until(services: &str, next: &str) -> TrustedLists {
    let (union, pt) = (Signer::new("Union"), Signer::new("Portugal"));
    let url = "https://example.org/pt.xml";
    let lotl = list(UNION, "EU", &pointer(url, GENERIC, "PT", &pt, ""), "", &tomorrow());
    let sources = vec![
        source("https://example.org/lotl.xml", &lotl, &union),
        source(url, &list(GENERIC, "PT", "", services, next), &pt),
    ];
    let lists = TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&union.certificate)));
    assert_eq!(lists.trusted(), 1, "{:#?}", lists.states());
    lists
}

fn judged(lists: &TrustedLists, bytes: &[u8]) -> Report {
    let validator = Validator::new(Policy::eidas()).trusted_lists(lists).without_cache();
    validator.validate(&Document::new(bytes).named("letter.p7m"), at()).expect("it is read")
}

fn told(report: &Report) -> (String, String, Vec<String>) {
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let signature = &json["signatures"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings =
        ["findings", "qualification_findings"].iter().filter_map(|name| signature[name].as_array()).flatten();
    let severe = findings.filter(|f| matches!(f["severity"].as_str(), Some("warning" | "error")));
    (text(&signature["indication"]), text(&signature["qualification"]), severe.map(|f| text(&f["check"])).collect())
}

/// Of EN 319 412-5: qualified, with its key in a device, for seals.
fn statements() -> Vec<u8> {
    let kinds = sequence(&[&oid("0.4.0.1862.1.6"), &sequence(&[&oid("0.4.0.1862.1.6.2")])]);
    let all = [sequence(&[&oid("0.4.0.1862.1.1")]), sequence(&[&oid("0.4.0.1862.1.4")]), kinds];
    pki::extension("1.3.6.1.5.5.7.1.3", false, &sequence(&[&all.concat()]))
}

/// A letter sealed under the root, with its time-stamp.
fn sealed(lab: &Lab) -> Vec<u8> {
    let sealer = Spec::signer("Alice Honest", 1001).and(statements()).issued_by(&lab.root, Key::of("alice"));
    let signer = lab.signer(&sealer, TEXT).at(STAMPED);
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[signer]);
    data.certificates.push(lab.root.certificate.clone());
    data.bytes()
}

/// TS 119 612 §5.3.13, TS 119 615 §4.2, §4.3.4: a country whose services are recognised under an agreement, none of them
/// so far, publishes as its list one that calls itself the Union's list of lists, and that points at its real list.
#[test]
fn a_list_is_of_the_type_that_its_pointer_says() {
    let lab = Lab::new();
    let (union, xx) = (Signer::new("Union"), Signer::new("Country XX"));
    let (url, second) = ("https://example.org/xx.xml", "https://example.org/xx-2.xml");
    let agreement = "<OtherInformation><MutualRecognitionAgreementInformation \
         xmlns=\"http://ec.europa.eu/tools/lotl/mra/schema/v2#\" technicalType=\"1\" version=\"1\">\
         </MutualRecognitionAgreementInformation></OtherInformation>";
    let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    let honest = vec![source(url, &list(GENERIC, "XX", "", &services, &tomorrow()), &xx)];
    let disguised = list(UNION, "XX", &pointer(second, GENERIC, "XY", &xx, ""), "", &tomorrow());
    // Of a territory that the list of lists knows nothing of: else its own pointer would lead to it, too.
    let other = list(GENERIC, "XY", "", &services, &tomorrow());
    let forged = vec![source(url, &disguised, &xx), source(second, &other, &xx)];
    let stated = |kind: &str| pointer(url, kind, "XX", &xx, agreement);
    let silent = stated("").replace("http://uri.etsi.org/TrstSvc/TrustedList/TSLType/", "");
    for (situation, pointer, mut sources) in [
        ("a list as it should be", stated(GENERIC), honest),
        ("a list of lists in its place", stated(GENERIC), forged.clone()),
        ("a list of lists, where no type is stated", silent, forged.clone()),
        ("a list of lists under an agreement", stated(UNION), forged),
    ] {
        sources.push(source("https://example.org/lotl.xml", &list(UNION, "EU", &pointer, "", &tomorrow()), &union));
        let lists =
            TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&union.certificate)));
        let found = told(&judged(&lists, &sealed(&lab)));
        assert!(!found.1.contains("QESEAL"), "{situation}: {found:?}");
    }
}

/// docs/decisions/certificates.md "An anchor that is no CA certifies nobody"; RFC 5280 §6.1.4 (k): a list names a time-stamping unit. Whoever
/// has its key writes a certificate of that name and key that calls itself an authority, and issues one to Alice.
#[test]
fn a_listed_unit_certifies_nobody() {
    let mut lab = Lab::new();
    let services = service(&lab.tsa.certificate, &[(QTST, GRANTED, "2026-01-01T00:00:00Z", None)]);
    let lists = lists_with(&services);
    let forged = Entity::root("Attack Lab TSA", Key::of("tsa"));
    lab.alice = Spec::signer("Alice Honest", 1001).issued_by(&forged, Key::of("mallory"));
    lab.crl = Crl::default().of(&forged);
    // Of version 1: neither the version nor extensions.
    let fields = children(&children(&forged.certificate)[0]);
    let fields = sequence(&fields[1..7].iter().map(Vec::as_slice).collect::<Vec<_>>());
    let algorithm = &children(&forged.certificate)[1];
    let old =
        Entity { certificate: sequence(&[&fields, algorithm, &bits(&forged.key.sign(&fields))]), ..forged.clone() };
    for (situation, issuer) in
        [("its own certificate", &lab.tsa), ("one that calls itself an authority", &forged), ("one of version 1", &old)]
    {
        let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&lab.alice, TEXT).at(STAMPED)]);
        data.certificates.push(issuer.certificate.clone());
        let found = told(&judged(&lists, &data.bytes()));
        assert_ne!(found.0, "TOTAL-PASSED", "{situation}: {found:?}");
        // The snapshot keeps only the digest of the entity.
        let packed = TrustedLists::from_snapshot(&lists.to_snapshot()).expect("it is one");
        let found = told(&judged(&packed, &data.bytes()));
        assert_ne!(found.0, "TOTAL-PASSED", "{situation}, snapshot: {found:?}");
    }
}

/// TS 119 612 §5.5.5, §5.6: a service is withdrawn, and since when cannot be read. The former state does not go on for that.
#[test]
fn a_state_without_a_beginning_ends_the_one_before() {
    let lab = Lab::new();
    let before: Period<'_> = (CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS));
    for since in ["2026-06-01T00:00:00Z", "", "2026-06-31T00:00:00Z"] {
        let lists = lists_with(&service(&lab.root.certificate, &[(CA_QC, WITHDRAWN, since, Some(SEALS)), before]));
        let found = told(&judged(&lists, &sealed(&lab)));
        assert_ne!(found.1, "QESEAL", "withdrawn since {since:?}: {found:?}");
    }
}

/// TS 119 612 §5.6: the current state is the newest. What calls itself a former one, and begins later, is none.
#[test]
fn a_former_state_does_not_follow_the_current_one() {
    let lab = Lab::new();
    let withdrawn: Period<'_> = (CA_QC, WITHDRAWN, "2025-01-01T00:00:00Z", Some(SEALS));
    let granted: Period<'_> = (CA_QC, GRANTED, "2025-06-01T00:00:00Z", Some(SEALS));
    for (situation, periods, expected) in [
        ("granted since", [granted, withdrawn], true),
        ("withdrawn, and granted later before", [withdrawn, granted], false),
    ] {
        let found = told(&judged(&lists_with(&service(&lab.root.certificate, &periods)), &sealed(&lab)));
        assert_eq!(found.1 == "QESEAL", expected, "{situation}: {found:?}");
    }
}

/// TS 119 612 §5.3.17, §5.4.5, §5.5.9: whoever does not understand a critical extension cannot rely on what has it.
#[test]
fn critical_extensions_are_understood_or_the_service_is_not_used() {
    let lab = Lab::new();
    let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    let extension = |critical: &str, inside: &str| format!("<Extension Critical=\"{critical}\">{inside}</Extension>");
    let (unknown, taken_over) = (
        "<x xmlns=\"urn:x\"></x>",
        "<TakenOverBy xmlns=\"http://uri.etsi.org/02231/v2/additionaltypes#\"></TakenOverBy>",
    );
    let start = "<ServiceInformationExtensions>";
    for (situation, critical, inside, expected) in [
        ("taken over", "true", taken_over, true),
        ("not critical", "false", unknown, true),
        ("critical", "true", unknown, false),
        ("critical, as a number", " 1", unknown, false),
        ("critical, beside what is known", "true", &[taken_over, unknown].concat(), false),
    ] {
        let lists = lists_with(&services.replace(start, &[start, &extension(critical, inside)].concat()));
        let found = told(&judged(&lists, &sealed(&lab)));
        assert_eq!(found.1 == "QESEAL", expected, "5.5.9: {situation}: {found:?}");
    }
    let signer = Signer::new("Portugal");
    let all = list(GENERIC, "PT", "", &services, &tomorrow());
    let of_provider = extension("true", unknown);
    let end = "</TSPInformation>";
    let more = format!("<TSPInformationExtensions>{of_provider}</TSPInformationExtensions>{end}");
    let providers = |list: &str| source("pt", list, &signer).list().map(|list| list.services());
    assert_eq!(providers(&all), Some(1), "a list as it should be");
    assert_eq!(providers(&all.replace(end, &more)), Some(0), "5.4.5");
    let end = "</SchemeInformation>";
    let more = format!("<SchemeExtensions>{of_provider}</SchemeExtensions>{end}");
    let listed = all.replace(end, &more);
    assert_eq!(providers(&listed), None, "5.3.17");
    let read = format!("{:?}", source("pt", &listed, &signer));
    assert!(read.contains(r#"CriticalExtension { found: "x" }"#), "{read}");
}

/// TS 119 612 §5.5.9.2: a qualifier is of the certificates that meet its criteria. Where there are none nobody knows, and it
/// gives nobody anything; what it takes away it does.
#[test]
fn qualifiers_without_criteria() {
    const NAMESPACE: &str = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";
    let lab = Lab::new();
    let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    let start = "<ServiceInformationExtensions>";
    let list = "<CriteriaList assert=\"all\"></CriteriaList>";
    // §5.3.17: what is critical and not understood leaves nothing to rely on.
    for (critical, qualifier, criteria, expected) in [
        (false, "QCForESig", "", true),
        (true, "QCForESig", "", false),
        (false, "QCForESig", &list.repeat(2)[..], true),
        (false, "QCForESig", "<CriteriaList assert=\"all\"><KeyUsage></KeyUsage></CriteriaList>", true),
        (true, "QCForESig", "<CriteriaList assert=\"all\"><Unknown></Unknown></CriteriaList>", false),
        (false, "QCForESig", list, false),
        (false, "NotQualified", "", false),
        (true, "QCForESeal", list, true),
    ] {
        let uri = format!("http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/{qualifier}");
        let element = format!(
            "<Extension Critical=\"{critical}\"><Qualifications xmlns=\"{NAMESPACE}\"><QualificationElement><Qualifiers>\
             <Qualifier uri=\"{uri}\"></Qualifier></Qualifiers>{criteria}</QualificationElement></Qualifications></Extension>"
        );
        let lists = lists_with(&services.replace(start, &[start, &element].concat()));
        let found = told(&judged(&lists, &sealed(&lab)));
        assert_eq!(found.1 == "QESEAL", expected, "{critical} {qualifier} {criteria}: {found:?}");
    }
}

/// TS 119 612 §5.3.15: only an empty next update says that a list is closed.
#[test]
fn a_next_update_that_cannot_be_read_is_told() {
    let lab = Lab::new();
    let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    for next in ["2026-01-32T00:00:00Z", "soon", ""] {
        let found = told(&judged(&lists_until(&services, next), &sealed(&lab)));
        assert!(found.2.iter().any(|check| check.starts_with("QUAL_TL")), "next update {next:?}: {found:?}");
    }
}

fn timestamps(report: &Report) -> Vec<(String, String)> {
    let json: Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = json["timestamps"].as_array().cloned().unwrap_or_default();
    all.iter().map(|one| (text(&one["indication"]), text(&one["qualification"]))).collect()
}

/// TS 119 612 §5.5.3, TS 119 615 §4.6: the list withdrew this very unit before it stamped; that the authority above it is
/// granted does not make it qualified. A unit that was retired since stamped as a qualified one.
#[test]
fn a_withdrawn_unit_makes_no_qualified_time_stamps() {
    let lab = Lab::new();
    let above = |status| service(&lab.root.certificate, &[(QTST, status, "2026-01-01T00:00:00Z", None)]);
    let own = |since| {
        let periods = [(QTST, WITHDRAWN, since, None), (QTST, GRANTED, "2026-01-01T00:00:00Z", None)];
        service(&lab.tsa.certificate, &periods)
    };
    let granted = service(&lab.tsa.certificate, &[(QTST, GRANTED, "2026-01-01T00:00:00Z", None)]);
    let ca = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    for (situation, services, expected) in [
        ("above first", above(GRANTED) + &own("2026-06-01T00:00:00Z") + &ca, "TSA"),
        ("own first", own("2026-06-01T00:00:00Z") + &above(GRANTED) + &ca, "TSA"),
        ("retired since", own("2026-11-22T00:00:00Z") + &above(GRANTED) + &ca, "QTSA"),
        ("retired since, nobody above", own("2026-11-22T00:00:00Z") + &ca, "TSA"),
        ("of a service that is listed by its units", above(WITHDRAWN) + &granted + &ca, "QTSA"),
    ] {
        let found = timestamps(&judged(&lists_with(&services), &sealed(&lab)));
        assert!(found.iter().all(|(_, qualification)| qualification == expected), "{situation}: {found:?}");
    }
}

/// eIDAS article 42 (1) c): a time-stamp that is not intact is not a qualified one.
#[test]
fn a_broken_time_stamp_is_not_qualified() {
    let lab = Lab::new();
    let both = service(&lab.root.certificate, &[(QTST, GRANTED, "2026-01-01T00:00:00Z", None)])
        + &service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    let lists = lists_with(&both);
    let mut forged = lab.tsa.clone();
    forged.key = Key::of("mallory");
    let over = Token::over(TEXT, STAMPED);
    for (situation, token, expected) in
        [("signed by another key", over.by(&forged), "NA"), ("good", over.by(&lab.tsa), "QTSA")]
    {
        let validator = Validator::new(Policy::eidas()).trusted_lists(&lists).without_cache();
        let document = Document::new(&token).named("a.tst").with_content("letter", TEXT);
        let report = validator.validate(&document, at()).expect("it is read");
        let found = timestamps(&report);
        assert!(found.iter().all(|(_, qualification)| qualification == expected), "{situation}: {found:?}");
    }
}

/// TS 119 615 §4.3.4: two equivalences of an agreement know the service. By the one the certificate is qualified and not in a
/// device, by the other it is in a device and not qualified: in no case is it both, as it says itself.
#[test]
fn equivalences_that_disagree_do_not_leave_a_certificate_its_own_statements() {
    const MRA: &str = "http://ec.europa.eu/tools/lotl/mra/schema/v2#";
    const TSL: &str = "http://uri.etsi.org/02231/v2#";
    const QUAL: &str = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";
    let identifier = |oid: &str| format!("<Identifier xmlns=\"http://uri.etsi.org/01903/v1.3.2#\">{oid}</Identifier>");
    let kind = |uri: &str| {
        format!(
            "<TrustServiceTSLType><ServiceTypeIdentifier xmlns=\"{TSL}\">{CA_QC}</ServiceTypeIdentifier>\
             <AdditionalServiceInformation xmlns=\"{TSL}\"><URI>{uri}</URI></AdditionalServiceInformation></TrustServiceTSLType>"
        )
    };
    let status = |name: &str, uri: &str| {
        let one = format!("<ServiceStatus xmlns=\"{TSL}\">{uri}</ServiceStatus>");
        format!(
            "<{name}><TrustServiceTSLStatusListPointingParty>{one}</TrustServiceTSLStatusListPointingParty>\
             <TrustServiceTSLStatusListPointedParty>{one}</TrustServiceTSLStatusListPointedParty></{name}>"
        )
    };
    let rule = |context: &str, statement: &str, policy: &str| {
        format!(
            "<CertificateContentReferenceEquivalence><CertificateContentReferenceEquivalenceContext>\
             http://ec.europa.eu/tools/lotl/mra/{context}</CertificateContentReferenceEquivalenceContext>\
             <CertificateContentDeclarationPointingParty assert=\"all\"><otherCriteriaList xmlns=\"{QUAL}\">\
             <QcStatementSet xmlns=\"{MRA}\"><QcStatement><QcStatementId>{}</QcStatementId></QcStatement></QcStatementSet>\
             </otherCriteriaList></CertificateContentDeclarationPointingParty>\
             <CertificateContentDeclarationPointedParty assert=\"all\"><PolicySet xmlns=\"{QUAL}\"><PolicyIdentifier>{}\
             </PolicyIdentifier></PolicySet></CertificateContentDeclarationPointedParty></CertificateContentReferenceEquivalence>",
            identifier(statement),
            identifier(policy)
        )
    };
    let equivalence = |name: &str, theirs: &str, qualified_by: &str, device_by: &str| {
        format!(
            "<TrustServiceEquivalenceInformation><TrustServiceLegalIdentifier>{name}</TrustServiceLegalIdentifier>\
             <TrustServiceTSLTypeEquivalenceList><TrustServiceTSLTypeListPointingParty>{}</TrustServiceTSLTypeListPointingParty>\
             <TrustServiceTSLTypeListPointedParty>{}</TrustServiceTSLTypeListPointedParty></TrustServiceTSLTypeEquivalenceList>\
             <TrustServiceEquivalenceStatus>http://ec.europa.eu/tools/lotl/mra/enacted</TrustServiceEquivalenceStatus>\
             <TrustServiceEquivalenceStatusStartingTime>2026-01-01T00:00:00Z</TrustServiceEquivalenceStatusStartingTime>\
             <TrustServiceTSLStatusEquivalenceList>{}{}</TrustServiceTSLStatusEquivalenceList>\
             <CertificateContentReferencesEquivalenceList>{}{}</CertificateContentReferencesEquivalenceList>\
             </TrustServiceEquivalenceInformation>",
            kind(SEALS),
            kind(theirs),
            status("TrustServiceTSLStatusValidEquivalence", GRANTED),
            status("TrustServiceTSLStatusInvalidEquivalence", WITHDRAWN),
            rule("QcCompliance", "0.4.0.1862.1.1", qualified_by),
            rule("QcQSCD", "0.4.0.1862.1.4", device_by)
        )
    };
    let (one, two) = ("http://example.org/one", "http://example.org/two");
    let first = equivalence("First", one, "1.2.3.1", "1.2.3.2");
    let second = equivalence("Second", two, "1.2.3.2", "1.2.3.1");
    let lab = Lab::new();
    let policies = pki::extension("2.5.29.32", false, &sequence(&[&sequence(&[&oid("1.2.3.1")])]));
    let sealer =
        Spec::signer("Alice Honest", 1001).and(statements()).and(policies).issued_by(&lab.root, Key::of("alice"));
    let mut data = lab.signed_data(Some(TEXT), TEXT, &[lab.signer(&sealer, TEXT).at(STAMPED)]);
    data.certificates.push(lab.root.certificate.clone());
    let (letter, both) = (data.bytes(), format!("{one}</URI><URI xml:lang=\"en\">{two}"));
    for (situation, equivalences, information) in [
        ("the first alone", first.clone(), one),
        ("the second alone", second.clone(), two),
        ("both", first + &second, &*both),
    ] {
        let (union, xx) = (Signer::new("Union"), Signer::new("Country XX"));
        let url = "https://example.org/xx.xml";
        let agreement = format!(
            "<OtherInformation><MutualRecognitionAgreementInformation xmlns=\"{MRA}\" technicalType=\"1\" version=\"1\">\
             {equivalences}</MutualRecognitionAgreementInformation></OtherInformation>"
        );
        let lotl = list(UNION, "EU", &pointer(url, GENERIC, "XX", &xx, &agreement), "", &tomorrow());
        let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(information))]);
        let sources = vec![
            source("https://example.org/lotl.xml", &lotl, &union),
            source(url, &list(GENERIC, "XX", "", &services, &tomorrow()), &xx),
        ];
        let lists =
            TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&union.certificate)));
        let found = told(&judged(&lists, &letter));
        assert_ne!(found.1, "QESEAL", "{situation}: {found:?}");
    }
}

/// Facts of a stranger: a certificate under many lists, and many signatures by it. As many as any file has are judged,
/// more are not read.
#[test]
fn facts_of_too_many_lists_are_not_read() {
    let lab = Lab::new();
    let services = service(&lab.root.certificate, &[(CA_QC, GRANTED, "2026-01-01T00:00:00Z", Some(SEALS))]);
    let stored = judged(&lists_with(&services), &sealed(&lab)).facts().to_json();
    let many = |place: &mut Value, key: &str, count: usize| {
        let all = place.as_array_mut().expect("a list");
        let first = all[0].clone();
        all.extend((0..count).map(|number| {
            let mut one = first.clone();
            one[key] = format!("TL-{number:064}").into();
            one
        }));
    };
    let of = |count: usize| {
        let mut stored: Value = serde_json::from_str(&stored).expect("it is JSON");
        let facts = &mut stored["facts"];
        let own = facts["signatures"][0]["signing_certificate"].clone();
        facts["trusted_lists"][0]["version"] = 4.into();
        many(&mut facts["trusted_lists"], "id", count);
        many(&mut facts["signatures"], "id", count);
        for certificate in facts["certificates"].as_array_mut().expect("certificates") {
            if certificate["id"] == own {
                many(&mut certificate["trust_service_providers"], "trusted_list", count);
            }
        }
        Facts::from_bytes(stored.to_string().as_bytes())
    };
    let facts = of(300).expect("they are read");
    judge(facts, &Policy::eidas(), at());
    let refused = of(500).expect_err("they are too many");
    assert!(refused.to_string().contains("too many trusted lists and services"), "{refused}");
}
