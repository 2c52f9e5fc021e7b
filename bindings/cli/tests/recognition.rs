//! Lists of countries outside the Union: what mutual recognition makes of their services, and what nothing makes of them
//! without it. eIDAS article 14, TS 119 615 §4.3.4.

use lacre::{
    Document, Policy, Validator,
    trust::{LotlSigningCertificates, TrustedLists, read},
};
use lacre_testkit::authorities::{Pki, now};
use lacre_testkit::trusted_list::{List, Signer};

const SERVICE: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
const WITHDRAWN: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/withdrawn";
const SEALS: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals";
const UNION: &str = "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists";
const ADVANCED: &str = "http://ec.europa.eu/tools/lotl/ades-lotl-tsl-type";
const QUALIFICATIONS: &str = "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#";

/// An equivalence, or a former state of one: whether it is in force, since when, and what it says of certificates.
fn instance(status: &str, since: &str, contents: &str) -> String {
    let kind = |inside: String| format!("<m:TrustServiceTSLType>{inside}</m:TrustServiceTSLType>");
    let theirs = kind("<ServiceTypeIdentifier>http://zz.example/CA</ServiceTypeIdentifier>".into());
    let ours = kind(format!(
        "<ServiceTypeIdentifier>{SERVICE}</ServiceTypeIdentifier><AdditionalServiceInformation><URI xml:lang=\"en\">{SEALS}</URI></AdditionalServiceInformation>"
    ));
    let states = |name: &str, ours: &str, theirs: &str| {
        format!(
            "<m:TrustServiceTSLStatus{name}Equivalence><m:TrustServiceTSLStatusListPointingParty><ServiceStatus>{ours}</ServiceStatus></m:TrustServiceTSLStatusListPointingParty>\
             <m:TrustServiceTSLStatusListPointedParty><ServiceStatus>{theirs}</ServiceStatus></m:TrustServiceTSLStatusListPointedParty></m:TrustServiceTSLStatus{name}Equivalence>"
        )
    };
    format!(
        "<m:TrustServiceTSLTypeEquivalenceList><m:TrustServiceTSLTypeListPointingParty>{ours}</m:TrustServiceTSLTypeListPointingParty>\
         <m:TrustServiceTSLTypeListPointedParty>{theirs}</m:TrustServiceTSLTypeListPointedParty></m:TrustServiceTSLTypeEquivalenceList>\
         <m:TrustServiceEquivalenceStatus>http://ec.europa.eu/tools/lotl/mra/{status}</m:TrustServiceEquivalenceStatus>\
         <m:TrustServiceEquivalenceStatusStartingTime>{since}</m:TrustServiceEquivalenceStatusStartingTime>\
         <m:TrustServiceTSLStatusEquivalenceList>{}{}</m:TrustServiceTSLStatusEquivalenceList>{contents}",
        states("Valid", GRANTED, "http://zz.example/good"),
        states("Invalid", WITHDRAWN, "http://zz.example/bad"),
    )
}

/// A service that the agreement is about.
fn service(name: &str, inside: &str) -> String {
    format!(
        "<m:TrustServiceEquivalenceInformation><m:TrustServiceLegalIdentifier>{name}</m:TrustServiceLegalIdentifier>{inside}</m:TrustServiceEquivalenceInformation>"
    )
}

fn history(inside: &str) -> String {
    format!(
        "<m:TrustServiceEquivalenceHistory><m:TrustServiceEquivalenceHistoryInstance>{inside}</m:TrustServiceEquivalenceHistoryInstance></m:TrustServiceEquivalenceHistory>"
    )
}

/// A rule: what certificates have to state so that a statement counts as the Union's.
fn rule(context: &str, theirs: &[(&str, &str)], ours: &str) -> String {
    let statement = |id: &str, information: &str| {
        format!(
            "<m:QcStatement><m:QcStatementId><x:Identifier xmlns:x=\"http://uri.etsi.org/01903/v1.3.2#\" Qualifier=\"OIDAsURN\">urn:oid:{id}</x:Identifier></m:QcStatementId>{information}</m:QcStatement>"
        )
    };
    let set = |inside: String| {
        format!(
            "<q:otherCriteriaList xmlns:q=\"{QUALIFICATIONS}\"><m:QcStatementSet>{inside}</m:QcStatementSet></q:otherCriteriaList>"
        )
    };
    let theirs: String = theirs.iter().map(|(id, information)| statement(id, information)).collect();
    format!(
        "<m:CertificateContentReferenceEquivalence><m:CertificateContentReferenceEquivalenceContext>http://ec.europa.eu/tools/lotl/mra/{context}</m:CertificateContentReferenceEquivalenceContext>\
         <m:CertificateContentDeclarationPointingParty assert=\"all\">{}</m:CertificateContentDeclarationPointingParty>\
         <m:CertificateContentDeclarationPointedParty assert=\"all\">{}</m:CertificateContentDeclarationPointedParty></m:CertificateContentReferenceEquivalence>",
        set(statement(ours, "")),
        set(theirs)
    )
}

fn rules(rules: &[String]) -> String {
    format!(
        "<m:CertificateContentReferencesEquivalenceList>{}</m:CertificateContentReferencesEquivalenceList>",
        rules.concat()
    )
}

fn agreement(services: &str) -> String {
    format!(
        "<OtherInformation><m:MutualRecognitionAgreementInformation xmlns:m=\"http://ec.europa.eu/tools/lotl/mra/schema/v2#\" \
         MRADepth=\"1\" pointedContractingPartyLegislation=\"urn:zz\" pointingContractingPartyLegislation=\"urn:eu\" technicalType=\"1\" version=\"1\">\
         {services}</m:MutualRecognitionAgreementInformation></OtherInformation>"
    )
}

/// Two authorities that sign lists, an authority that issues certificates, and a document sealed under it.
struct Country {
    pki: Pki,
    union: Signer,
    country: Signer,
    sealed: Vec<u8>,
}

impl Country {
    fn new() -> Self {
        let pki = Pki::new("http://nowhere.invalid");
        let sealed = pki.signed(b"a contract");
        Self { pki, union: Signer::new("LOTL"), country: Signer::new("ZZ"), sealed }
    }

    /// The list of lists, and the country's list with its service in words of its own, both not signed yet.
    fn texts(&self, agreement: &str) -> [String; 2] {
        let pointers = [("https://zz.example/tl.xml".to_owned(), "ZZ", false, vec![&self.country])];
        let lotl =
            List { of_lists: true, territory: "EU", number: 7, information: &[], pointers: &pointers, services: &[] };
        let services = [&self.pki.authority];
        let own =
            List { of_lists: false, territory: "ZZ", number: 62, information: &[], pointers: &[], services: &services };
        let own = own.text().replace(SERVICE, "http://zz.example/CA").replace(GRANTED, "http://zz.example/good");
        let extension = own.find("<ServiceInformationExtensions>").zip(own.find("</ServiceInformationExtensions>"));
        let (start, end) = extension.expect("the service says what it is for");
        let own = own.replace(&own[start..end + "</ServiceInformationExtensions>".len()], "");
        [lotl.text().replace("</AdditionalInformation>", &format!("{agreement}</AdditionalInformation>")), own]
    }

    fn lists(&self, [lotl, own]: &[String; 2]) -> TrustedLists {
        let loaded = Some(now());
        let sources =
            vec![read("lotl.xml", &self.union.signed(lotl), loaded), read("tl.xml", &self.country.signed(own), loaded)];
        TrustedLists::assemble(sources, &LotlSigningCertificates::of(std::slice::from_ref(&self.union.certificate)))
    }

    /// Indication and qualification of the seal, the same from a snapshot.
    fn judged(&self, lists: &TrustedLists) -> (String, String) {
        let snapshot = TrustedLists::from_snapshot(&lists.to_snapshot()).expect("it was packed");
        let [of_lists, of_snapshot] = [lists, &snapshot].map(|lists| {
            let validator = Validator::new(Policy::eidas()).trusted_lists(lists);
            let validator = validator.evidence(&self.pki.crl(false)).expect("it is a CRL");
            let report = validator.validate(&Document::new(&self.sealed), now().plus_millis(1000)).expect("it is CMS");
            let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("it is JSON");
            let said = |field: &str| json["signatures"][0][field].as_str().unwrap_or_default().to_owned();
            let (text, qualified) = (report.to_text().replace('\n', " "), said("qualification") == "QESEAL");
            if json["signatures"][0]["trust_service"]["mutual_recognition"]["enacted"] == true {
                assert!(
                    text.contains("mutual recognition agreement (“Seals”)") && text.contains("status “good”"),
                    "{text}"
                );
            }
            assert!(!qualified || !text.contains("no mutual recognition"), "{text}");
            (said("indication"), said("qualification"))
        });
        // A snapshot may lack the authority's certificate where its service is none of the Union's types.
        assert_eq!(of_lists.0, of_snapshot.0, "a snapshot judges as its lists");
        assert!(of_lists.0 != "TOTAL-PASSED" || of_lists == of_snapshot, "a snapshot judges as its lists");
        of_lists
    }
}

const LONG_AGO: &str = "2017-01-01T00:00:00Z";
const COMPLIANCE: (&str, &str) = ("0.4.0.1862.1.1", "");
const DEVICE: (&str, &str) = ("0.4.0.1862.1.4", "");
const OF_ZZ: (&str, &str) =
    ("0.4.0.1862.1.7", "<m:QcStatementInfo><m:QcCClegislation>ZZ</m:QcCClegislation></m:QcStatementInfo>");

#[test]
fn services_count_as_the_union_s_under_an_agreement_in_force() {
    let country = Country::new();
    let both = rules(&[rule("QcCompliance", &[COMPLIANCE], COMPLIANCE.0), rule("QcQSCD", &[DEVICE], DEVICE.0)]);
    let enacted = instance("enacted", LONG_AGO, &both);
    let repealed = |since: &str| instance("repealed", since, &both);
    let (yesterday, tomorrow) = (now().plus_millis(-86_400_000).to_string(), now().plus_millis(86_400_000).to_string());
    let seals = |inside: &str| agreement(&service("Seals", inside));
    let with_rules = |all: &[String]| seals(&instance("enacted", LONG_AGO, &rules(all)));
    let (passed, open) = ("TOTAL-PASSED", "INDETERMINATE");
    for (situation, agreement, indication, qualification) in [
        ("in force", seals(&enacted), passed, "QESEAL"),
        ("in force, and nothing is said of certificates", seals(&instance("enacted", LONG_AGO, "")), passed, "QESEAL"),
        (
            "in force, as was something else",
            seals(&format!("{enacted}{}", history(&repealed("2010-01-01T00:00:00Z")))),
            passed,
            "QESEAL",
        ),
        ("none", String::new(), open, "INDETERMINATE-ADESEAL"),
        ("repealed", seals(&repealed(LONG_AGO)), open, "INDETERMINATE-ADESEAL"),
        (
            "repealed since yesterday",
            seals(&format!("{}{}", repealed(&yesterday), history(&enacted))),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        ("not yet in force", seals(&instance("enacted", &tomorrow, &both)), open, "INDETERMINATE-ADESEAL"),
        (
            "in force since yesterday, after the certificate was issued",
            seals(&instance("enacted", &yesterday, &both)),
            passed,
            "ADESEAL",
        ),
        (
            "a former state that cannot be read",
            seals(&format!("{enacted}{}", history("<m:Nothing></m:Nothing>"))),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        (
            "since a time that cannot be read",
            seals(&instance("enacted", "lately", &both)),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        ("a status that nobody knows", seals(&instance("intended", LONG_AGO, &both)), open, "INDETERMINATE-ADESEAL"),
        (
            "another type",
            seals(&enacted.replace("http://zz.example/CA", "http://zz.example/TSA")),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        ("for signatures only", seals(&enacted.replace("ForeSeals", "ForeSignatures")), passed, "ADESEAL"),
        ("another state", seals(&enacted.replace("zz.example/good", "zz.example/fine")), open, "INDETERMINATE-ADESEAL"),
        (
            "the state counts as withdrawn",
            seals(&enacted.replace("good", "x").replace("bad", "good")),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        ("the state is valid and invalid", seals(&enacted.replace("bad", "good")), open, "INDETERMINATE-ADESEAL"),
        (
            "two services",
            agreement(&[service("A", &enacted), service("B", &enacted)].concat()),
            open,
            "INDETERMINATE-ADESEAL",
        ),
        ("another form", seals(&enacted).replace("version=\"1\"", "version=\"9\""), open, "INDETERMINATE-ADESEAL"),
        ("another namespace", seals(&enacted).replace("schema/v2#", "schema/v9#"), open, "INDETERMINATE-ADESEAL"),
        ("two agreements", [seals(&enacted), seals(&enacted)].concat(), open, "INDETERMINATE-ADESEAL"),
        (
            "what the certificate has to state is missing",
            with_rules(&[rule("QcCompliance", &[COMPLIANCE, OF_ZZ], COMPLIANCE.0)]),
            passed,
            "ADESEAL",
        ),
        (
            "the device is not recognised",
            with_rules(&[rule("QcCompliance", &[COMPLIANCE], COMPLIANCE.0), rule("QcQSCD", &[OF_ZZ], DEVICE.0)]),
            passed,
            "ADESEAL-QC",
        ),
        (
            "a rule about something unknown",
            with_rules(&[
                rule("QcCompliance", &[COMPLIANCE], COMPLIANCE.0),
                rule("Exclusion", &[COMPLIANCE], DEVICE.0),
            ]),
            passed,
            "ADESEAL",
        ),
        (
            "statements stand for others",
            with_rules(&[rule("QcCompliance", &[DEVICE], COMPLIANCE.0), rule("QcQSCD", &[COMPLIANCE], DEVICE.0)]),
            passed,
            "QESEAL",
        ),
    ] {
        let lists = country.lists(&country.texts(&agreement));
        assert_eq!(lists.trusted(), 1, "{situation}: the list is what it should be");
        let found = country.judged(&lists);
        assert_eq!(found, (indication.into(), qualification.into()), "eIDAS article 14: {situation}");
    }
}

/// Every element of an agreement, named otherwise: nothing is qualified by what is left.
#[test]
fn an_agreement_that_is_understood_in_part_is_none() {
    let country = Country::new();
    let both = rules(&[rule("QcCompliance", &[COMPLIANCE], COMPLIANCE.0), rule("QcQSCD", &[DEVICE], DEVICE.0)]);
    let former = history(&instance("repealed", "2010-01-01T00:00:00Z", &both));
    let whole = agreement(&service("Seals", &format!("{}{former}", instance("enacted", LONG_AGO, &both))));
    let judged = |agreement: &str| country.judged(&country.lists(&country.texts(agreement))).1;
    assert_eq!(judged(&whole), "QESEAL");
    let former_at = whole.find("<m:TrustServiceEquivalenceHistory>").expect("it has one");
    let mut names: Vec<&str> = whole.split("<").filter_map(|rest| rest.split([' ', '>']).next()).collect();
    names.retain(|name| name.contains(':') && !name.starts_with('/'));
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        let open = format!("<{name}");
        let all = whole.match_indices(&open).map(|(at, _)| at);
        for at in all.filter(|at| whole[at + open.len()..].starts_with(['>', ' '])) {
            // What a former state, which is not in force, says of certificates changes nothing; an identifier may lack the
            // element around it, as in criteria of any list.
            let of_content = ["q:", "m:Qc"].iter().any(|start| name.starts_with(start));
            if of_content && at > former_at || name.starts_with("x:") {
                continue;
            }
            let close = format!("</{name}>");
            let Some(end) = whole[at..].find(&close).map(|end| at + end) else { continue };
            let tail = &whole[at + open.len()..end];
            let (before, after) = (&whole[..at], &whole[end + close.len()..]);
            let renamed = format!("{before}<{name}X{tail}</{name}X>{after}");
            assert_ne!(judged(&renamed), "QESEAL", "{name} at {at}");
        }
    }
}

#[test]
fn lists_for_advanced_signatures_qualify_nothing_without_an_agreement() {
    let country = Country::new();
    let in_force = agreement(&service("Seals", &instance("enacted", LONG_AGO, "")));
    // In the Union's own words, which a country outside it may use.
    let union_words = |[lotl, own]: [String; 2]| {
        let own = own.replace("http://zz.example/CA", SERVICE).replace("http://zz.example/good", GRANTED);
        let purpose = format!(
            "<ServiceInformationExtensions><Extension Critical=\"false\"><AdditionalServiceInformation><URI xml:lang=\"en\">{SEALS}</URI></AdditionalServiceInformation></Extension></ServiceInformationExtensions>"
        );
        [lotl, own.replace("</ServiceInformation>", &format!("{purpose}</ServiceInformation>"))]
    };
    let advanced = |[lotl, own]: [String; 2]| [lotl.replace(UNION, ADVANCED), own];
    let foreign = |agreement: &str| country.texts(agreement);
    for (situation, texts, indication, qualification) in [
        ("the Union's own list", union_words(foreign("")), "TOTAL-PASSED", "QESEAL"),
        ("a third country's, in the Union's words", advanced(union_words(foreign(""))), "TOTAL-PASSED", "ADESEAL"),
        ("in its own words", advanced(foreign("")), "INDETERMINATE", "INDETERMINATE-ADESEAL"),
        ("in its own words, under an agreement", advanced(foreign(&in_force)), "TOTAL-PASSED", "QESEAL"),
        (
            "the Union's words, of which the agreement knows nothing",
            union_words(foreign(&in_force)),
            "TOTAL-PASSED",
            "ADESEAL",
        ),
    ] {
        let found = country.judged(&country.lists(&texts));
        assert_eq!(found, (indication.into(), qualification.into()), "eIDAS article 14: {situation}");
    }
}

/// A list of lists that the Union's only vouches for says whom it lists, not whom the Union recognises.
#[test]
fn agreements_of_others_are_not_the_union_s() {
    let country = Country::new();
    let in_force = agreement(&service("Seals", &instance("enacted", LONG_AGO, "")));
    let [lotl, own] = country.texts(&in_force);
    let other = Signer::new("another list of lists");
    let pointer = |location: &str| (location.to_owned(), "XX", true, vec![&other]);
    let pointers = [pointer("https://xx.example/lotl.xml")];
    let union =
        List { of_lists: true, territory: "EU", number: 8, information: &[], pointers: &pointers, services: &[] };
    let loaded = Some(now());
    for (situation, kind) in [("of the Union's type", UNION), ("for advanced signatures", ADVANCED)] {
        let theirs = lotl.replace(UNION, kind).replace("<SchemeTerritory>EU<", "<SchemeTerritory>XX<");
        let sources = vec![
            read(
                "eu.xml",
                &country.union.signed(&union.text().replacen(UNION, kind, 2).replacen(kind, UNION, 1)),
                loaded,
            ),
            read("https___xx_example_lotl_xml", &other.signed(&theirs), loaded),
            read("tl.xml", &country.country.signed(&own), loaded),
        ];
        let lists = TrustedLists::assemble(
            sources,
            &LotlSigningCertificates::of(std::slice::from_ref(&country.union.certificate)),
        );
        assert_eq!(lists.trusted(), 1, "{situation}: {:?}", lists.states());
        assert_eq!(country.judged(&lists).0, "INDETERMINATE", "{situation}");
    }
}
