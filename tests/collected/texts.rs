//! XML: references, levels, and Base64.

use super::{Given, Row, check, xml};
use lacre_testkit::lab::Lab;
use lacre_testkit::xml::{CONTRACT, DS, ENVELOPED, EXCLUSIVE, Signature, XADES, enclosed, reference};

/// An enveloped signature over an element with an identifier, asked for by it.
fn whole_by_identifier(lab: &Lab) -> Given {
    let document = CONTRACT.replacen("<contract>", "<contract Id=\"all\">", 1);
    let over = reference(Some("#all"), document.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
    xml(enclosed(&document, &Signature::over(lab, vec![over]).xml()))
}

fn enveloped(lab: &Lab, change: impl Fn(String) -> String) -> Given {
    xml(change(lab.enveloped(CONTRACT)))
}

/// A signature over the document whose signed properties were changed before.
fn with_properties(lab: &Lab, change: fn(String) -> String) -> Given {
    let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
    xml(enclosed(CONTRACT, &Signature { change, ..Signature::over(lab, vec![over]) }.xml()))
}

/// The properties with more behind an element's end, or the first end of those that are given.
fn behind(properties: &str, end: &str, more: &str) -> String {
    assert!(properties.contains(end), "{end} is there");
    properties.replacen(end, &format!("{end}{more}"), 1)
}

/// The properties without everything between these two.
fn dropped(properties: &str, start: &str, end: &str) -> String {
    let from = properties.find(start).expect("it starts");
    let to = properties.find(end).expect("it ends") + end.len();
    format!("{}{}", &properties[..from], &properties[to..])
}

/// The text with that element twice, one behind the other.
pub fn twice(text: &str, name: &str) -> String {
    let start = text.find(&format!("<{name}")).expect("it is there");
    let end = format!("</{name}>");
    let to = text.find(&end).expect("it ends") + end.len();
    format!("{}{}{}", &text[..to], &text[start..to], &text[to..])
}

const DATA: &str = "The parties agree.";

/// An enveloping signature over an object with that content by those transforms.
fn enveloping<'a>(lab: &'a Lab, content: &str, transforms: &[&str], bytes: &str) -> Signature<'a> {
    let over = reference(Some("#data"), bytes.as_bytes(), transforms);
    let objects = format!("<ds:Object Id=\"data\">{content}</ds:Object>");
    Signature { objects, ..Signature::over(lab, vec![over.replacen("<ds:Reference", "<ds:Reference Id=\"r\"", 1)]) }
}

const BASE64: &str = "http://www.w3.org/2000/09/xmldsig#base64";

/// A signature over an object in Base64, and over another with nothing in it.
fn with_an_empty_file<'a>(lab: &'a Lab, empty: &str) -> Signature<'a> {
    let over = ["data", "empty"].map(|id| (format!("#{id}"), if id == "data" { DATA } else { "" }));
    let over = over.map(|(uri, bytes)| reference(Some(&uri), bytes.as_bytes(), &[BASE64]));
    let objects = format!("<ds:Object Id=\"data\">VGhlIHBhcnRpZXMgYWdyZWUu</ds:Object>{empty}");
    Signature { objects, ..Signature::over(lab, over.to_vec()) }
}

/// A signature that states the media type of what its first reference means, and has that reference changed.
fn with_reference(lab: &Lab, change: fn(String) -> String) -> Given {
    let format = "<xades:SignedDataObjectProperties><xades:DataObjectFormat ObjectReference=\"#r\"><xades:MimeType>text/plain\
        </xades:MimeType></xades:DataObjectFormat></xades:SignedDataObjectProperties>";
    let signature = enveloping(lab, DATA, &[EXCLUSIVE], &object());
    let mut signature = Signature { data_properties: format.into(), ..signature };
    signature.references[0] = change(signature.references[0].clone());
    xml(signature.xml())
}

/// That object in exclusive canonical form.
fn object() -> String {
    format!("<ds:Object xmlns:ds=\"{DS}\" Id=\"data\">{DATA}</ds:Object>")
}

/// An enveloping signature with an archive time-stamp, changed before its own time-stamp is made.
fn archived(lab: &Lab, element: &'static str, namespace: &'static str, data: [String; 2]) -> Given {
    let signature = enveloping(lab, DATA, &[EXCLUSIVE], &object());
    xml(Signature { archived: Some((element, namespace, data)), ..signature }.xml())
}

/// An enveloping signature with a time-stamp over its data, made before it.
fn over_data(lab: &Lab, element: &str, include: &str, bytes: &str) -> Given {
    let element = format!("xades:{element}");
    let stamp = lab.xades_timestamp(&element, XADES, include, bytes.as_bytes(), "20261121110000Z");
    let stamp = stamp.replacen(&format!(" xmlns:xades=\"{XADES}\""), "", 1);
    let more = format!("<xades:SignedDataObjectProperties>{stamp}</xades:SignedDataObjectProperties>");
    let signature = enveloping(lab, DATA, &[EXCLUSIVE], &object());
    xml(Signature { data_properties: more, ..signature }.xml())
}

const TEXTS: &[Row] = &[
    (
        "EN 319 132-1 6.3",
        "as it must be",
        |lab| enveloped(lab, |text| text),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 4.4.3.3",
        "the document element by its Id",
        whole_by_identifier,
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 4.4.3.3",
        "the document element by its Id, changed",
        |lab| {
            let Given(name, bytes, contents) = whole_by_identifier(lab);
            let text = String::from_utf8(bytes).expect("XML is UTF-8").replace(">100<", ">900,000<");
            Given(name, text.into_bytes(), contents)
        },
        &["XAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "white space in the Base64 of a time-stamp",
        |lab| {
            enveloped(lab, |text| {
                text.replacen("<xades:EncapsulatedTimeStamp>", "<xades:EncapsulatedTimeStamp>\n  ", 1)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the Base64 of a time-stamp",
        |lab| {
            enveloped(lab, |text| text.replacen("<xades:EncapsulatedTimeStamp>", "<xades:EncapsulatedTimeStamp>!", 1))
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.3",
        "the time-stamp twice",
        |lab| {
            enveloped(lab, |text| {
                let start = text.find("<xades:SignatureTimeStamp>").expect("it is stamped");
                let end = text.find("</xades:SignatureTimeStamp>").expect("it ends") + 27;
                format!("{}{}{}", &text[..end], &text[start..end], &text[end..])
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "XMLDSig 4.5",
        "no certificate",
        |lab| {
            enveloped(lab, |text| {
                let start = text.find("<ds:X509Data>").expect("it has a certificate");
                let end = text.find("</ds:X509Data>").expect("it ends") + 14;
                format!("{}{}", &text[..start], &text[end..])
            })
        },
        &["XAdES-LT INDETERMINATE NO_SIGNING_CERTIFICATE_FOUND", "PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the value",
        |lab| enveloped(lab, |text| text.replacen("</ds:SignatureValue>", "!</ds:SignatureValue>", 1)),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in a digest",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]).replacen(
                "<ds:DigestValue>",
                "<ds:DigestValue>-",
                1,
            );
            xml(enclosed(CONTRACT, &Signature::over(lab, vec![over]).xml()))
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a stray character in the certificate",
        |lab| enveloped(lab, |text| text.replacen("<ds:X509Certificate>", "<ds:X509Certificate>!", 1)),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "RFC 2045 6.8",
        "a digit too many in the value",
        |lab| enveloped(lab, |text| text.replacen("</ds:SignatureValue>", "A</ds:SignatureValue>", 1)),
        &["XAdES-BASELINE-LT TOTAL-FAILED SIG_CRYPTO_FAILURE", "FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 132-1 4.4.2",
        "the reference to the signed properties has no type",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
            xml(enclosed(CONTRACT, &Signature { properties_type: "", ..Signature::over(lab, vec![over]) }.xml()))
        },
        &["XAdES-LT INDETERMINATE SIG_CONSTRAINTS_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 4.4.2",
        "the reference to the signed properties has another type",
        |lab| {
            let over = reference(Some(""), CONTRACT.as_bytes(), &[ENVELOPED, EXCLUSIVE]);
            let properties_type = "http://www.w3.org/2000/09/xmldsig#Object";
            xml(enclosed(CONTRACT, &Signature { properties_type, ..Signature::over(lab, vec![over]) }.xml()))
        },
        &["XAdES-LT INDETERMINATE SIGNED_DATA_NOT_FOUND", "PASSED"],
    ),
    (
        "XMLDSig 4.5.4",
        "an object by its bytes in Base64",
        |lab| {
            xml(enveloping(lab, "VGhlIHBhcnRpZXMgYWdyZWUu", &["http://www.w3.org/2000/09/xmldsig#base64"], DATA).xml())
        },
        &["XAdES-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 6.6.2",
        "an empty file in Base64",
        |lab| xml(with_an_empty_file(lab, "<ds:Object Id=\"empty\"></ds:Object>").xml()),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 8.1.1",
        "text that Base64 leaves nothing of",
        |lab| xml(with_an_empty_file(lab, "<ds:Object Id=\"empty\">€</ds:Object>").xml()),
        &["XAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND", "PASSED"],
    ),
    (
        "XMLDSig 8.1.1",
        "an element that Base64 leaves nothing of",
        |lab| xml(with_an_empty_file(lab, "<ds:Object Id=\"empty\"><br xmlns=\"\"/></ds:Object>").xml()),
        &["XAdES-BASELINE-LT INDETERMINATE SIGNED_DATA_NOT_FOUND", "PASSED"],
    ),
    (
        "XMLDSig 4.4.3.1",
        "a file that calls itself a manifest, changed",
        |lab| {
            let over = reference(Some(""), b"<contract/>", &[ENVELOPED, EXCLUSIVE]);
            let over = over.replacen(" URI", " Type=\"http://www.w3.org/2000/09/xmldsig#Manifest\" URI", 1);
            xml(enclosed(CONTRACT, &Signature::over(lab, vec![over]).xml()))
        },
        &["XAdES-BASELINE-LT TOTAL-FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "XMLDSig 4.4.3",
        "a reference as it must be",
        |lab| with_reference(lab, |text| text),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 4.4.3",
        "a reference whose digest stands before its method",
        |lab| {
            with_reference(lab, |text| {
                let (before, rest) = text.split_once("<ds:DigestMethod").expect("it is there");
                let (method, rest) = rest.split_once("<ds:DigestValue>").expect("it is there");
                let (value, behind) = rest.split_once("</ds:DigestValue>").expect("it ends");
                format!("{before}<ds:DigestValue>{value}</ds:DigestValue><ds:DigestMethod{method}{behind}")
            })
        },
        &["XML-NOT-ETSI TOTAL-PASSED", "PASSED"],
    ),
    (
        "XML Schema 2 3.2.17",
        "white space behind the function of the certificate's digest",
        |lab| with_properties(lab, |text| text.replacen("sha256\">", "sha256 \">", 1)),
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "XMLDSig 6.6.2",
        "an object that is no Base64, decoded",
        |lab| {
            let algorithm = "http://www.w3.org/2000/09/xmldsig#base64";
            xml(enveloping(lab, "It is not, by one: A", &[algorithm], DATA).xml())
        },
        &["XAdES-LT TOTAL-FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 5.5.2",
        "an archive time-stamp",
        |lab| archived(lab, "xades141:ArchiveTimeStamp", "http://uri.etsi.org/01903/v1.4.1#", [object(), object()]),
        &["XAdES-A TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.5.2",
        "an archive time-stamp twice: the second one is over the first one as well",
        |lab| {
            let namespace = "http://uri.etsi.org/01903/v1.4.1#";
            let Given(name, bytes, contents) =
                archived(lab, "xades141:ArchiveTimeStamp", namespace, [object(), object()]);
            let text = String::from_utf8(bytes).expect("XML is UTF-8");
            Given(name, twice(&text, "xades141:ArchiveTimeStamp").into_bytes(), contents)
        },
        &["XAdES-A TOTAL-PASSED", "PASSED", "PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 132-1 5.5.2",
        "an archive time-stamp that leaves the object out",
        |lab| {
            let namespace = "http://uri.etsi.org/01903/v1.4.1#";
            archived(lab, "xades141:ArchiveTimeStamp", namespace, [object(), String::new()])
        },
        &["XAdES-A TOTAL-PASSED", "PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "TS 101 903 1.3.2 7.7.1",
        "an archive time-stamp of XAdES 1.3.2",
        |lab| archived(lab, "xades:ArchiveTimeStamp", XADES, [object(), String::new()]),
        &["XAdES-A TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "TS 101 903 1.3.2 7.7.1",
        "an archive time-stamp of XAdES 1.3.2, of another text",
        |lab| archived(lab, "xades:ArchiveTimeStamp", XADES, ["another text".into(), String::new()]),
        &["XAdES-A TOTAL-PASSED", "PASSED", "FAILED HASH_FAILURE"],
    ),
    (
        "EN 319 132-1 5.2.8",
        "a time-stamp over all data objects",
        |lab| over_data(lab, "AllDataObjectsTimeStamp", "", &object()),
        &["XAdES-LT TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.8",
        "a time-stamp over all data objects, of another text",
        |lab| over_data(lab, "AllDataObjectsTimeStamp", "", "another text"),
        &["XAdES-LT TOTAL-PASSED", "FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.9",
        "a time-stamp over some data objects",
        |lab| {
            let include = "<xades:Include URI=\"#r\" referencedData=\"true\"></xades:Include>";
            over_data(lab, "IndividualDataObjectsTimeStamp", include, &object())
        },
        &["XAdES-LT TOTAL-PASSED", "PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.9",
        "a time-stamp over some data objects, of another text",
        |lab| {
            let include = "<xades:Include URI=\"#r\" referencedData=\"true\"></xades:Include>";
            over_data(lab, "IndividualDataObjectsTimeStamp", include, "another text")
        },
        &["XAdES-LT TOTAL-PASSED", "FAILED HASH_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.9",
        "a time-stamp over some data objects, which names none that is there",
        |lab| {
            let include = "<xades:Include URI=\"#other\" referencedData=\"true\"></xades:Include>";
            over_data(lab, "IndividualDataObjectsTimeStamp", include, &object())
        },
        &["XAdES-LT TOTAL-PASSED", "INDETERMINATE SIGNED_DATA_NOT_FOUND", "PASSED"],
    ),
    (
        "EN 319 132-1 6.3",
        "no claimed time",
        |lab| with_properties(lab, |text| dropped(&text, "<xades:SigningTime>", "</xades:SigningTime>")),
        &["XAdES-LT INDETERMINATE SIG_CONSTRAINTS_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 6.3",
        "no reference to the certificate",
        |lab| {
            with_properties(lab, |text| dropped(&text, "<xades:SigningCertificateV2>", "</xades:SigningCertificateV2>"))
        },
        &["XML-NOT-ETSI TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 6.3",
        "the claimed time last",
        |lab| {
            with_properties(lab, |text| {
                let start = text.find("<xades:SigningTime>").expect("a time");
                let end = text.find("</xades:SigningTime>").expect("it ends") + 20;
                let time = text[start..end].to_owned();
                behind(
                    &dropped(&text, "<xades:SigningTime>", "</xades:SigningTime>"),
                    "</xades:SigningCertificateV2>",
                    &time,
                )
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.9",
        "an implied policy",
        |lab| {
            with_properties(lab, |text| {
                let policy = "<xades:SignaturePolicyIdentifier><xades:SignaturePolicyImplied></xades:SignaturePolicyImplied></xades:SignaturePolicyIdentifier>";
                behind(&text, "</xades:SigningCertificateV2>", policy)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.9",
        "a policy by its digest",
        |lab| {
            with_properties(lab, |text| {
                let digest =
                    text.split_inclusive("<xades:CertDigest>").nth(1).expect("a digest").split("</xades:CertDigest>");
                let digest = digest.into_iter().next().expect("a digest");
                let policy = format!(
                    "<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId><xades:Identifier>urn:oid:1.2.3.4.5</xades:Identifier></xades:SigPolicyId><xades:SigPolicyHash>{digest}</xades:SigPolicyHash></xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>"
                );
                behind(&text, "</xades:SigningCertificateV2>", &policy)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.5",
        "a production place of version 1",
        |lab| {
            with_properties(lab, |text| {
                let place =
                    "<xades:SignatureProductionPlace><xades:City>Lisboa</xades:City></xades:SignatureProductionPlace>";
                behind(&text, "</xades:SigningCertificateV2>", place)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2.6",
        "a role of version 1",
        |lab| {
            with_properties(lab, |text| {
                let role = "<xades:SignerRole><xades:ClaimedRoles><xades:ClaimedRole>clerk</xades:ClaimedRole></xades:ClaimedRoles></xades:SignerRole>";
                behind(&text, "</xades:SigningCertificateV2>", role)
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 4.3",
        "a signed property that the schema does not have",
        |lab| {
            with_properties(lab, |text| {
                behind(&text, "</xades:SigningCertificateV2>", "<xades:SigningMood>good</xades:SigningMood>")
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 4.3",
        "an unsigned property that the schema does not have",
        |lab| {
            enveloped(lab, |text| {
                behind(&text, "</xades:RevocationValues>", "<xades:SigningMood>good</xades:SigningMood>")
            })
        },
        &["XAdES-BASELINE-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 A.1.1",
        "references to all certificates",
        |lab| {
            enveloped(lab, |text| {
                let references =
                    "<xades:CompleteCertificateRefs><xades:CertRefs></xades:CertRefs></xades:CompleteCertificateRefs>";
                behind(&text, "</xades:SignatureTimeStamp>", references)
            })
        },
        &["XAdES-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 4.3",
        "UnsignedSignatureProperties twice",
        |lab| enveloped(lab, |text| twice(&text, "xades:UnsignedSignatureProperties")),
        &["the XML signature is not of the form of one"],
    ),
    (
        "EN 319 132-1 4.3",
        "UnsignedProperties twice",
        |lab| enveloped(lab, |text| twice(&text, "xades:UnsignedProperties")),
        &["the XML signature is not of the form of one"],
    ),
    (
        "EN 319 132-1 4.3",
        "RevocationValues twice",
        |lab| enveloped(lab, |text| twice(&text, "xades:RevocationValues")),
        &["XAdES-LT TOTAL-PASSED", "PASSED"],
    ),
    (
        "EN 319 132-1 4.3",
        "QualifyingProperties twice",
        |lab| enveloped(lab, |text| twice(&text, "xades:QualifyingProperties")),
        &["XAdES-BASELINE-LT TOTAL-FAILED FORMAT_FAILURE", "PASSED"],
    ),
    (
        "EN 319 132-1 5.2",
        "SigningTime twice",
        |lab| with_properties(lab, |text| twice(&text, "xades:SigningTime")),
        &["the XML signature is not of the form of one"],
    ),
    (
        "EN 319 132-1 5.2",
        "SigningCertificateV2 twice",
        |lab| with_properties(lab, |text| twice(&text, "xades:SigningCertificateV2")),
        &["the XML signature is not of the form of one"],
    ),
    (
        "EN 319 132-1 5.2",
        "SignedSignatureProperties twice",
        |lab| with_properties(lab, |text| twice(&text, "xades:SignedSignatureProperties")),
        &["the XML signature is not of the form of one"],
    ),
];

#[test]
fn texts() {
    check(TEXTS, &["signatures", "timestamps"]);
}
