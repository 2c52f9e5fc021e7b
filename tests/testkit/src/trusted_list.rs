//! Trusted lists as small as they can be, signed as TS 119 612 annex B asks.
//!
//! Everything is written in its canonical form at once, so that what is digested is what is written.

use crate::authorities::{key, legal, now, randomness};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use lacre::Time;
use lacre::issuance::{Issuer, Locations, Profile, Validity};
use lacre_core::{
    algorithm::DigestAlgorithm::Sha256,
    asn1::{Tag, Tlv},
    crypto::{KeyKind, SigningKey as _, SoftwareKey, digest},
    x509::Certificate,
};

/// Who signs lists.
pub struct Signer {
    pub certificate: Certificate,
    key: SoftwareKey,
}

impl Signer {
    pub fn new(name: &str) -> Self {
        let key = key(KeyKind::P256);
        let issuer = Issuer::root(&legal(name), &key, validity(), Locations::default(), &mut randomness()).unwrap();
        Self { certificate: issuer.certificate().clone(), key }
    }

    /// Who packs lists: with a certificate that somebody issued for signatures.
    pub fn packer(name: &str) -> Self {
        let (authority, key) = (Self::new("Authority of packers"), key(KeyKind::P256));
        let issuer = Issuer::new(authority.certificate, &authority.key, Locations::default()).unwrap();
        let (profile, public) = (Profile::LegalPerson, key.public_key());
        let certificate = issuer.issue(profile, &legal(name), public, validity(), &mut randomness()).unwrap();
        Self { certificate, key }
    }

    /// The private key: PKCS#8.
    pub fn key(&self) -> Vec<u8> {
        self.key.to_pkcs8().unwrap().to_vec()
    }

    /// A list in its canonical form with a signature over it.
    pub fn signed(&self, list: &str) -> Vec<u8> {
        let (before, end) = list.split_at(list.rfind("</").unwrap());
        format!("{before}{}{end}", signature(self, &sha256(list))).into_bytes()
    }

    /// A JAdES signature over a list of trusted entities in JSON: JWS, compact.
    pub fn jws(&self, list: &str) -> Vec<u8> {
        let certificate = BASE64_STANDARD.encode(self.certificate.der());
        let digest = BASE64_URL_SAFE_NO_PAD.encode(digest(Sha256, self.certificate.der()).unwrap());
        let time = now().seconds();
        let header = format!(r#"{{"alg":"ES256","iat":{time},"x5t#S256":"{digest}","x5c":["{certificate}"]}}"#);
        let signed = format!("{}.{}", BASE64_URL_SAFE_NO_PAD.encode(header), BASE64_URL_SAFE_NO_PAD.encode(list));
        let value = BASE64_STANDARD.decode(self.value(&signed)).unwrap();
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(value)).into_bytes()
    }

    /// An ECDSA value as XML has it: RFC 4050 §3.3, both numbers in 32 bytes.
    fn value(&self, bytes: &str) -> String {
        let algorithm = self.key.algorithm(Sha256);
        let der = self.key.sign(&algorithm, &digest(Sha256, bytes.as_bytes()).unwrap(), &mut randomness()).unwrap();
        let mut numbers = Tlv::whole(&der).unwrap().children();
        let mut value = vec![];
        for _ in 0..2 {
            let number = numbers.expect(Tag::INTEGER).unwrap().content;
            let digits: Vec<u8> = number.iter().copied().skip_while(|byte| *byte == 0).collect();
            value.resize(value.len() + 32 - digits.len(), 0);
            value.extend(digits);
        }
        BASE64_STANDARD.encode(value)
    }
}

fn validity() -> Validity {
    let day = 86_400_000;
    Validity { from: now().plus_millis(-9 * day), to: now().plus_millis(900 * day) }
}

fn sha256(text: &str) -> String {
    BASE64_STANDARD.encode(digest(Sha256, text.as_bytes()).unwrap())
}

/// What a list says.
pub struct List<'a> {
    pub of_lists: bool,
    pub territory: &'a str,
    pub number: u32,
    /// Announcements and pivots.
    pub information: &'a [String],
    /// Address, territory, whether it is a list of lists, who may sign it.
    pub pointers: &'a [(String, &'a str, bool, Vec<&'a Signer>)],
    /// Authorities that are granted the status of issuing qualified certificates for seals.
    pub services: &'a [&'a Certificate],
}

fn list_type(of_lists: bool) -> &'static str {
    match of_lists {
        true => "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists",
        false => "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric",
    }
}

impl List<'_> {
    /// The list, signed.
    pub fn signed_by(&self, signer: &Signer) -> Vec<u8> {
        signer.signed(&self.text())
    }

    /// The list before it is signed, in its canonical form; its next update is due tomorrow.
    pub fn text(&self) -> String {
        self.text_until(Some(now().plus_millis(86_400_000)))
    }

    /// The same with another next update; a closed list without one.
    pub fn text_until(&self, next: Option<Time>) -> String {
        let uris: String = self.information.iter().map(|uri| format!("<URI xml:lang=\"en\">{uri}</URI>")).collect();
        let pointers: String = self.pointers.iter().map(pointer).collect();
        let (kind, territory, number) = (list_type(self.of_lists), self.territory, self.number);
        let issued = now();
        let next = next.map_or_else(String::new, |next| format!("<dateTime>{next}</dateTime>"));
        format!(
            "<TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\"><SchemeInformation>\
             <TSLVersionIdentifier>6</TSLVersionIdentifier><TSLSequenceNumber>{number}</TSLSequenceNumber>\
             <TSLType>{kind}</TSLType><SchemeInformationURI>{uris}</SchemeInformationURI>\
             <SchemeTerritory>{territory}</SchemeTerritory><PointersToOtherTSL>{pointers}</PointersToOtherTSL>\
             <ListIssueDateTime>{issued}</ListIssueDateTime><NextUpdate>{next}</NextUpdate>\
             </SchemeInformation>{}</TrustServiceStatusList>",
            providers(self.services)
        )
    }
}

/// One provider of these services, or none.
fn providers(services: &[&Certificate]) -> String {
    const AUTHORITY: &str = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
    const GRANTED: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted";
    const SEALS: &str = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSeals";
    let service = |certificate: &&Certificate| {
        let (bytes, since) = (BASE64_STANDARD.encode(certificate.der()), certificate.not_before());
        format!(
            "<TSPService><ServiceInformation><ServiceTypeIdentifier>{AUTHORITY}</ServiceTypeIdentifier>\
             <ServiceName><Name xml:lang=\"en\">Seals of Example Trust</Name></ServiceName><ServiceDigitalIdentity>\
             <DigitalId><X509Certificate>{bytes}</X509Certificate></DigitalId></ServiceDigitalIdentity>\
             <ServiceStatus>{GRANTED}</ServiceStatus><StatusStartingTime>{since}</StatusStartingTime>\
             <ServiceInformationExtensions><Extension Critical=\"false\"><AdditionalServiceInformation>\
             <URI xml:lang=\"en\">{SEALS}</URI></AdditionalServiceInformation></Extension>\
             </ServiceInformationExtensions></ServiceInformation></TSPService>"
        )
    };
    if services.is_empty() {
        return String::new();
    }
    let services: String = services.iter().map(service).collect();
    format!(
        "<TrustServiceProviderList><TrustServiceProvider><TSPInformation><TSPName>\
         <Name xml:lang=\"en\">Example Trust AS</Name></TSPName></TSPInformation>\
         <TSPServices>{services}</TSPServices></TrustServiceProvider></TrustServiceProviderList>"
    )
}

fn pointer((url, territory, of_lists, signers): &(String, &str, bool, Vec<&Signer>)) -> String {
    let identity = |signer: &&Signer| {
        let certificate = BASE64_STANDARD.encode(signer.certificate.der());
        format!(
            "<ServiceDigitalIdentity><DigitalId><X509Certificate>{certificate}</X509Certificate></DigitalId></ServiceDigitalIdentity>"
        )
    };
    let identities: String = signers.iter().map(identity).collect();
    format!(
        "<OtherTSLPointer><ServiceDigitalIdentities>{identities}</ServiceDigitalIdentities>\
         <TSLLocation>{url}</TSLLocation><AdditionalInformation>\
         <OtherInformation><TSLType>{}</TSLType></OtherInformation>\
         <OtherInformation><SchemeTerritory>{territory}</SchemeTerritory></OtherInformation>\
         </AdditionalInformation></OtherTSLPointer>",
        list_type(*of_lists)
    )
}

/// An enveloped XAdES signature over everything else.
fn signature(signer: &Signer, whole: &str) -> String {
    const DS: &str = "http://www.w3.org/2000/09/xmldsig#";
    const C14N: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
    const DIGEST: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
    let time = now();
    let certificate = BASE64_STANDARD.encode(digest(Sha256, signer.certificate.der()).unwrap());
    let properties = format!(
        "<xades:SignedProperties xmlns:xades=\"http://uri.etsi.org/01903/v1.3.2#\" Id=\"properties\">\
         <xades:SignedSignatureProperties><xades:SigningTime>{time}</xades:SigningTime>\
         <xades:SigningCertificateV2><xades:Cert><xades:CertDigest>\
         <ds:DigestMethod xmlns:ds=\"{DS}\" Algorithm=\"{DIGEST}\"></ds:DigestMethod>\
         <ds:DigestValue xmlns:ds=\"{DS}\">{certificate}</ds:DigestValue></xades:CertDigest></xades:Cert>\
         </xades:SigningCertificateV2></xades:SignedSignatureProperties></xades:SignedProperties>"
    );
    let transform = |algorithm: &str| format!("<ds:Transform Algorithm=\"{algorithm}\"></ds:Transform>");
    let reference = |attributes: &str, transforms: String, digest: &str| {
        format!(
            "<ds:Reference {attributes}><ds:Transforms>{transforms}</ds:Transforms>\
             <ds:DigestMethod Algorithm=\"{DIGEST}\"></ds:DigestMethod><ds:DigestValue>{digest}</ds:DigestValue></ds:Reference>"
        )
    };
    let enveloped = transform("http://www.w3.org/2000/09/xmldsig#enveloped-signature");
    let over_list = reference("URI=\"\"", enveloped + &transform(C14N), whole);
    let of_properties = "Type=\"http://uri.etsi.org/01903#SignedProperties\" URI=\"#properties\"";
    let over_properties = reference(of_properties, transform(C14N), &sha256(&properties));
    let info = format!(
        "<ds:SignedInfo xmlns:ds=\"{DS}\"><ds:CanonicalizationMethod Algorithm=\"{C14N}\"></ds:CanonicalizationMethod>\
         <ds:SignatureMethod Algorithm=\"http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256\"></ds:SignatureMethod>\
         {over_list}{over_properties}</ds:SignedInfo>"
    );
    let own = BASE64_STANDARD.encode(signer.certificate.der());
    format!(
        "<ds:Signature xmlns:ds=\"{DS}\" Id=\"signature\">{info}<ds:SignatureValue>{}</ds:SignatureValue>\
         <ds:KeyInfo><ds:X509Data><ds:X509Certificate>{own}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\
         <ds:Object><xades:QualifyingProperties xmlns:xades=\"http://uri.etsi.org/01903/v1.3.2#\" Target=\"#signature\">\
         {properties}</xades:QualifyingProperties></ds:Object></ds:Signature>",
        signer.value(&info)
    )
}
