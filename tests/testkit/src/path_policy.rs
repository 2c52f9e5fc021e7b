//! A validation policy that asks for RFC 5280 §6.1 and the profile of §4, and nothing else.

/// The policy; with revocation data for each certificate (§6.3) where `revocation`, but for the profile's rules where not
/// `profile`.
pub fn path_policy(revocation: bool, profile: bool) -> String {
    let status = "<RevocationDataAvailable Level='FAIL'/><AcceptableRevocationDataFound Level='FAIL'/>\
        <RevocationFreshnessNextUpdate Level='FAIL'/>";
    let status = if revocation { status } else { "" };
    let profiles = "<CertificateProfile Level='FAIL'/><AuthorityKeyIdentifierPresent Level='FAIL'/>";
    let profiles = if profile { profiles } else { "" };
    let identifier = if profile { "<SubjectKeyIdentifierPresent Level='FAIL'/>" } else { "" };
    let rules = format!(
        "<Signature Level='FAIL'/><NotExpired Level='FAIL'/><IssuerName Level='FAIL'/><NameConstraints Level='FAIL'/>\
         <PolicyTree Level='FAIL'/><NotRevoked Level='FAIL'/><NotOnHold Level='FAIL'/><SunsetDate Level='FAIL'/>{profiles}<ChainNotExpired Level='FAIL'/>\
         <TrustInForce Level='FAIL'/><SupportedCriticalExtensions Level='FAIL'><Id>2.5.29.15</Id><Id>2.5.29.17</Id>\
         <Id>2.5.29.19</Id><Id>2.5.29.30</Id><Id>2.5.29.32</Id><Id>2.5.29.33</Id><Id>2.5.29.36</Id><Id>2.5.29.37</Id>\
         <Id>2.5.29.54</Id><Id>1.3.6.1.5.5.7.1.3</Id></SupportedCriticalExtensions>"
    );
    format!(
        "<ConstraintsParameters Name='paths' xmlns='http://dss.esig.europa.eu/validation/policy'><SignatureConstraints>\
         <BasicSignatureConstraints><ProspectiveCertificateChain Level='FAIL'/><SigningCertificate>{rules}\
         {status}</SigningCertificate><CACertificate>{rules}{status}<CA Level='FAIL'/><MaxPathLength Level='FAIL'/>\
         <KeyUsage Level='FAIL'><Id>keyCertSign</Id></KeyUsage>{identifier}\
         </CACertificate></BasicSignatureConstraints></SignatureConstraints></ConstraintsParameters>"
    )
}
