import eu.europa.esig.dss.alert.SilentOnStatusAlert;
import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.crl.CRLUtils;
import eu.europa.esig.dss.detailedreport.DetailedReport;
import eu.europa.esig.dss.diagnostic.CertificateWrapper;
import eu.europa.esig.dss.diagnostic.DiagnosticData;
import eu.europa.esig.dss.diagnostic.PDFRevisionWrapper;
import eu.europa.esig.dss.diagnostic.SignatureWrapper;
import eu.europa.esig.dss.diagnostic.TimestampWrapper;
import eu.europa.esig.dss.diagnostic.jaxb.XmlObjectModification;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.enumerations.RevocationOrigin;
import eu.europa.esig.dss.enumerations.SignatureAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureLevel;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.enumerations.TokenExtractionStrategy;
import eu.europa.esig.dss.enumerations.ValidationLevel;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.FileDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.model.policy.ValidationPolicy;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.DSSRevocationUtils;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.policy.SignaturePolicyProvider;
import eu.europa.esig.dss.spi.client.http.IgnoreDataLoader;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.validation.RevocationDataLoadingStrategy;
import eu.europa.esig.dss.spi.x509.CommonCertificateSource;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.spi.x509.revocation.RevocationToken;
import eu.europa.esig.dss.spi.x509.revocation.crl.CRLToken;
import eu.europa.esig.dss.spi.x509.revocation.ocsp.OCSPToken;
import eu.europa.esig.dss.spi.x509.tsp.KeyEntityTSPSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import eu.europa.esig.dss.validation.policy.ValidationPolicyLoader;
import eu.europa.esig.dss.validation.reports.Reports;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.jose4j.json.JsonUtil;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Security;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;

/**
 * EU DSS as judge, maker and extender of signed files.
 *
 * Dss REQUESTS ANSWERS: each line of REQUESTS is a JSON object with `id` and `do` (judge, make, extend); each line of ANSWERS
 * the answer, in the same order. Paths are absolute. Every request has `anchors`, `certificates`, `revocation` (a folder with
 * NAME.ocsp or NAME.crl for the certificate whose SHA-256 is NAME; empty: nothing but what the file holds), `time`.
 */
public final class Dss {

    private final ValidationPolicy policy = ValidationPolicyLoader.fromDefaultValidationPolicy().create();

    private Dss() throws Exception {
    }

    public static void main(String[] args) throws Exception {
        Locale.setDefault(Locale.ENGLISH);
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Security.addProvider(new BouncyCastleProvider());
        Dss dss = new Dss();
        int done = 0;
        try (var out = Files.newBufferedWriter(Path.of(args[1]))) {
            for (String line : Files.readAllLines(Path.of(args[0]))) {
                Request request = new Request(JsonUtil.parseJson(line));
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("id", request.text("id"));
                try {
                    switch (request.text("do")) {
                        case "judge" -> dss.judge(request, answer);
                        case "make" -> dss.make(request);
                        case "extend" -> dss.extend(request);
                        default -> throw new IllegalArgumentException(request.text("do"));
                    }
                } catch (Throwable t) { // what DSS throws is an answer, too
                    answer.put("exception", t.getClass().getSimpleName() + ": " + t.getMessage());
                    StackTraceElement[] trace = t.getStackTrace();
                    answer.put("thrown", trace.length == 0 ? "" : trace[0].toString());
                }
                out.write(json(answer));
                out.newLine();
                if (++done % 100 == 0) {
                    System.err.println(done + " judged");
                }
            }
        }
        System.exit(0);
    }

    // A request

    private record Request(Map<String, Object> map) {

        String text(String key) {
            Object value = map.get(key);
            return value == null ? "" : value.toString();
        }

        @SuppressWarnings("unchecked")
        List<String> list(String key) {
            Object value = map.get(key);
            return value == null ? List.of() : (List<String>) value;
        }

        Date time(String key) {
            return Date.from(Instant.parse(text(key)));
        }

        DSSDocument document() {
            return new FileDocument(Path.of(text("file")).toFile());
        }

        /** Contents beside the signature: path=name. */
        List<DSSDocument> contents() {
            List<DSSDocument> documents = new ArrayList<>();
            for (String item : list("contents")) {
                int equals = item.lastIndexOf('=');
                FileDocument document = new FileDocument(Path.of(item.substring(0, equals)).toFile());
                document.setName(item.substring(equals + 1));
                documents.add(document);
            }
            return documents;
        }

        char[] password() {
            return text("password").isEmpty() ? null : text("password").toCharArray();
        }
    }

    private static CommonCertificateVerifier verifier(Request request) {
        CommonCertificateVerifier verifier = new CommonCertificateVerifier(true); // true: nothing by the network
        CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
        request.list("anchors").forEach(path -> trusted.addCertificate(DSSUtils.loadCertificate(Path.of(path).toFile())));
        verifier.setTrustedCertSources(trusted);
        CommonCertificateSource others = new CommonCertificateSource();
        request.list("certificates").forEach(path -> others.addCertificate(DSSUtils.loadCertificate(Path.of(path).toFile())));
        verifier.setAdjunctCertSources(others);
        if (!request.text("revocation").isEmpty()) {
            Path folder = Path.of(request.text("revocation"));
            verifier.setOcspSource((certificate, issuer) -> null); // without a source DSS asks nobody
            verifier.setRevocationDataLoadingStrategyFactory(() -> new RevocationDataLoadingStrategy() {
                @Override
                @SuppressWarnings("rawtypes")
                public RevocationToken getRevocationToken(CertificateToken certificate, CertificateToken issuer) {
                    return revocation(folder, certificate, issuer);
                }
            });
        }
        return verifier;
    }

    private static RevocationToken<?> revocation(Path folder, CertificateToken certificate, CertificateToken issuer) {
        try {
            String name = hex(certificate.getDigest(DigestAlgorithm.SHA256));
            Path ocsp = folder.resolve(name + ".ocsp");
            Path crl = folder.resolve(name + ".crl");
            RevocationToken<?> token = null;
            if (Files.exists(ocsp)) {
                BasicOCSPResp basic = DSSRevocationUtils.fromRespToBasic(new OCSPResp(Files.readAllBytes(ocsp)));
                token = new OCSPToken(basic, DSSRevocationUtils.getLatestSingleResponse(basic, certificate, issuer), certificate, issuer);
            } else if (Files.exists(crl)) {
                token = new CRLToken(certificate, CRLUtils.buildCRLValidity(CRLUtils.buildCRLBinary(Files.readAllBytes(crl)), issuer));
            }
            if (token != null) {
                token.setExternalOrigin(RevocationOrigin.EXTERNAL);
            }
            return token;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    // Judging

    private void judge(Request request, Map<String, Object> answer) throws Exception {
        if (!request.text("tops").isEmpty()) {
            // Whoever signed before is trusted: every certificate of the file that ends a chain.
            List<String> anchors = new ArrayList<>(request.list("anchors"));
            Path folder = Files.createDirectories(Path.of(request.text("tops")));
            for (CertificateWrapper c : validator(request).validateDocument(policy).getDiagnosticData().getUsedCertificates()) {
                if ((c.isSelfSigned() || c.getSigningCertificate() == null) && c.getBinaries() != null) {
                    Path anchor = folder.resolve(hex(sha256(c.getBinaries())) + ".der");
                    Files.write(anchor, c.getBinaries());
                    anchors.add(anchor.toString());
                }
            }
            // The map takes no name twice.
            request.map().remove("anchors");
            request.map().put("anchors", anchors);
        }
        judged(request, validator(request), answer);
    }

    private static SignedDocumentValidator validator(Request request) throws Exception {
        SignedDocumentValidator validator = SignedDocumentValidator.fromDocument(request.document());
        validator.setCertificateVerifier(verifier(request));
        validator.setDetachedContents(request.contents());
        validator.setValidationTime(request.time("time"));
        validator.setValidationLevel(ValidationLevel.ARCHIVAL_DATA);
        validator.setEnableEtsiValidationReport(false);
        validator.setLocale(Locale.ENGLISH);
        validator.setIncludeSemantics(false);
        validator.setTokenExtractionStrategy(TokenExtractionStrategy.EXTRACT_CERTIFICATES_AND_TIMESTAMPS);
        SignaturePolicyProvider policies = new SignaturePolicyProvider();
        policies.setDataLoader(new IgnoreDataLoader());
        validator.setSignaturePolicyProvider(policies);
        if (validator instanceof PDFDocumentValidator pdf && request.password() != null) {
            pdf.setPasswordProtection(request.password());
        }
        return validator;
    }

    private void judged(Request request, SignedDocumentValidator validator, Map<String, Object> answer) throws Exception {
        Reports reports = validator.validateDocument(policy);
        SimpleReport simple = reports.getSimpleReport();
        DetailedReport detailed = reports.getDetailedReport();
        DiagnosticData data = reports.getDiagnosticData();
        List<Object> signatures = new ArrayList<>();
        for (String id : simple.getSignatureIdList()) {
            SignatureWrapper w = data.getSignatureById(id);
            Map<String, Object> s = new LinkedHashMap<>();
            s.put("value", hex(sha256(w.getSignatureValue())));
            s.put("level", name(simple.getSignatureFormat(id)));
            s.put("indication", name(simple.getIndication(id)));
            s.put("subIndication", name(simple.getSubIndication(id)));
            s.put("errors", messages(simple.getAdESValidationErrors(id)));
            s.put("warnings", messages(simple.getAdESValidationWarnings(id)));
            s.put("infos", messages(simple.getAdESValidationInfo(id)));
            s.put("structure", w.getStructuralValidationMessages());
            s.put("counterSignatureOf", w.isCounterSignature() && w.getParent() != null ? hex(sha256(w.getParent().getSignatureValue())) : null);
            s.put("best", String.valueOf(simple.getBestSignatureTime(id) == null ? null : simple.getBestSignatureTime(id).toInstant()));
            s.put("scopes", w.getSignatureScopes().stream().map(x -> x.getScope() + ":" + x.getName()).collect(Collectors.toList()));
            s.put("pdf", pdf(w.getPDFRevision()));
            s.put("stated", stated(w));
            s.put("timestamps", w.getTimestampList().stream().map(t -> name(t.getType())).collect(Collectors.toList()));
            signatures.add(s);
        }
        answer.put("signatures", signatures);
        List<Object> timestamps = new ArrayList<>();
        for (TimestampWrapper w : data.getTimestampList()) {
            Map<String, Object> t = new LinkedHashMap<>();
            t.put("type", name(w.getType()));
            t.put("time", w.getProductionTime().toInstant().toString());
            t.put("alone", simple.getTimestampIdList().contains(w.getId()));
            // Of one whose certificate has ended the process with archival data has the last word.
            Indication archival = detailed.getArchiveDataTimestampValidationIndication(w.getId());
            t.put("indication", name(simple.getTimestampIdList().contains(w.getId()) ? simple.getIndication(w.getId())
                    : archival == Indication.PASSED ? archival : detailed.getBasicTimestampValidationIndication(w.getId())));
            t.put("intact", w.isMessageImprintDataFound() && w.isMessageImprintDataIntact() && w.isSignatureIntact() && w.isSignatureValid());
            t.put("errors", messages(simple.getAdESValidationErrors(w.getId())));
            t.put("warnings", messages(simple.getAdESValidationWarnings(w.getId())));
            t.put("imprint", w.getMessageImprint() == null ? null : hex(w.getMessageImprint().getDigestValue()));
            t.put("function", w.getMessageImprint() == null ? null : name(w.getMessageImprint().getDigestMethod()));
            t.put("token", Base64.getEncoder().encodeToString(w.getBinaries()));
            t.put("pdf", pdf(w.getPDFRevision()));
            timestamps.add(t);
        }
        answer.put("timestamps", timestamps);
        if (!request.text("bouncycastle").isEmpty()) {
            answer.put("bouncycastle", bouncyCastle(request));
        }
    }

    /** What the signer stated, as DSS read it. */
    private static Map<String, Object> stated(SignatureWrapper w) {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("signingTime", w.getClaimedSigningTime() == null ? null : w.getClaimedSigningTime().toInstant().toString());
        o.put("country", w.getCountryName());
        o.put("city", w.getCity());
        o.put("address", w.getPostalAddress());
        o.put("claimedRoles", w.getSignerRoleDetails(w.getClaimedRoles()));
        o.put("certifiedRoles", w.getSignerRoleDetails(w.getCertifiedRoles()));
        o.put("assertions", w.getSignerRoleDetails(w.getSignedAssertions()));
        o.put("commitments", w.getCommitmentTypeIndications().stream().map(c -> c.getIdentifier()).collect(Collectors.toList()));
        o.put("policy", w.getPolicyId());
        o.put("policyUrl", w.getPolicyUrl());
        o.put("policyNotice", w.getPolicyUserNotice() == null ? null : w.getPolicyUserNotice().getExplicitText());
        o.put("policySpecification", w.getPolicyDocSpecification() == null ? null : w.getPolicyDocSpecification().getId());
        o.put("policyStore", w.isPolicyStorePresent());
        o.put("policyDigestValid", w.isPolicyDigestValid());
        o.put("contentType", w.getContentType());
        o.put("mimeType", w.getMimeType());
        o.put("contentHints", w.getContentHints());
        o.put("contentIdentifier", w.getContentIdentifier());
        o.put("contentTimestamps", w.getContentTimestamps().size());
        return o;
    }

    private static Map<String, Object> pdf(PDFRevisionWrapper r) {
        if (r == null) {
            return null;
        }
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("field", r.getSignatureFieldNames());
        o.put("subFilter", r.getSubFilter());
        o.put("reason", r.getReason());
        o.put("location", r.getLocation());
        o.put("name", r.getSignerName());
        o.put("contact", r.getContactInfo());
        o.put("byteRangeValid", r.isSignatureByteRangeValid());
        o.put("dictionaryConsistent", r.isPdfSignatureDictionaryConsistent());
        o.put("docMdp", r.getDocMDPPermissions() == null ? null : r.getDocMDPPermissions().name());
        o.put("extension", changes(r.getPdfExtensionChanges()));
        o.put("formFill", changes(r.getPdfSignatureOrFormFillChanges()));
        o.put("annotation", changes(r.getPdfAnnotationChanges()));
        o.put("undefined", changes(r.getPdfUndefinedChanges()));
        o.put("overlap", r.getPdfAnnotationsOverlapConcernedPages().size());
        o.put("visual", r.getPdfVisualDifferenceConcernedPages().size());
        o.put("pages", r.getPdfPageDifferenceConcernedPages().size());
        return o;
    }

    private static List<String> changes(List<XmlObjectModification> list) {
        return list.stream().map(m -> m.getAction() + " " + m.getValue()).collect(Collectors.toList());
    }

    /** BouncyCastle by itself: each value verifies; parsed and written again the bytes are the same. */
    private static String bouncyCastle(Request request) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(request.text("file")));
        CMSSignedData data = request.list("contents").isEmpty() ? new CMSSignedData(bytes)
                : new CMSSignedData(new CMSProcessableByteArray(DSSUtils.toByteArray(request.contents().get(0))), bytes);
        if (request.text("bouncycastle").equals("same") && !Arrays.equals(data.getEncoded(), bytes)) {
            return "parsed and written again it is another";
        }
        for (SignerInformation signer : data.getSignerInfos()) {
            Collection<X509CertificateHolder> found = data.getCertificates().getMatches(signer.getSID());
            if (found.isEmpty()) {
                return "no certificate of a signer";
            }
            if (!signer.verify(new JcaSimpleSignerInfoVerifierBuilder().setProvider("BC").build(found.iterator().next()))) {
                return "a value does not verify";
            }
        }
        return "";
    }

    // Making

    private static PrivateKey key(String path) throws Exception {
        byte[] bytes = Files.readAllBytes(Path.of(path));
        AlgorithmIdentifier algorithm = PrivateKeyInfo.getInstance(bytes).getPrivateKeyAlgorithm();
        return KeyFactory.getInstance(algorithm.getAlgorithm().getId(), "BC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
    }

    private static CertificateToken certificate(String path) {
        return DSSUtils.loadCertificate(Path.of(path).toFile());
    }

    private static KeyEntityTSPSource authority(Request request) throws Exception {
        List<CertificateToken> chain = request.list("tsaChain").stream().map(Dss::certificate).collect(Collectors.toList());
        KeyEntityTSPSource source = new KeyEntityTSPSource(key(request.text("tsaKey")), chain.get(0), chain);
        source.setTsaPolicy("1.2.3.4");
        source.setProductionTime(request.time("time"));
        return source;
    }

    private static CommonCertificateVerifier making(Request request) {
        CommonCertificateVerifier verifier = verifier(request);
        verifier.setCheckRevocationForUntrustedChains(true);
        SilentOnStatusAlert silent = new SilentOnStatusAlert(); // certificates of years to come
        verifier.setAlertOnExpiredCertificate(silent);
        verifier.setAlertOnNotYetValidCertificate(silent);
        return verifier;
    }

    private static SignatureValue value(Request request, ToBeSigned data, SignatureAlgorithm algorithm) throws Exception {
        Signature signature = Signature.getInstance(algorithm.getJCEId(), "BC");
        signature.initSign(key(request.text("key")));
        signature.update(data.getBytes());
        return new SignatureValue(algorithm, signature.sign());
    }

    private void make(Request request) throws Exception {
        List<CertificateToken> chain = request.list("chain").stream().map(Dss::certificate).collect(Collectors.toList());
        SignatureLevel level = SignatureLevel.valueByName(request.text("level"));
        DSSDocument made;
        if (request.text("level").startsWith("PAdES")) {
            PAdESSignatureParameters p = new PAdESSignatureParameters();
            p.setSignatureLevel(level);
            p.setSigningCertificate(chain.get(0));
            p.setCertificateChain(chain);
            p.setDigestAlgorithm(DigestAlgorithm.valueOf(request.text("digest")));
            p.bLevel().setSigningDate(request.time("time"));
            p.setPasswordProtection(request.password());
            p.setContentSize(40000);
            if (!request.text("field").isEmpty()) {
                p.getImageParameters().getFieldParameters().setFieldId(request.text("field"));
            }
            PAdESService service = new PAdESService(making(request));
            service.setTspSource(authority(request));
            ToBeSigned data = service.getDataToSign(request.document(), p);
            made = service.signDocument(request.document(), p, value(request, data, p.getSignatureAlgorithm()));
        } else {
            CAdESSignatureParameters p = new CAdESSignatureParameters();
            p.setSignatureLevel(level);
            p.setSignaturePackaging(SignaturePackaging.valueOf(request.text("packaging")));
            p.setSigningCertificate(chain.get(0));
            p.setCertificateChain(chain);
            p.setDigestAlgorithm(DigestAlgorithm.valueOf(request.text("digest")));
            p.bLevel().setSigningDate(request.time("time"));
            if (!request.list("assertions").isEmpty()) {
                p.bLevel().setSignedAssertions(request.list("assertions"));
            }
            CAdESService service = new CAdESService(making(request));
            service.setTspSource(authority(request));
            ToBeSigned data = service.getDataToSign(request.document(), p);
            made = service.signDocument(request.document(), p, value(request, data, p.getSignatureAlgorithm()));
        }
        Files.write(Path.of(request.text("out")), DSSUtils.toByteArray(made));
    }

    private void extend(Request request) throws Exception {
        SignatureLevel level = SignatureLevel.valueByName(request.text("level"));
        DSSDocument made;
        if (request.text("level").startsWith("PAdES")) {
            PAdESSignatureParameters p = new PAdESSignatureParameters();
            p.setSignatureLevel(level);
            p.setPasswordProtection(request.password());
            PAdESService service = new PAdESService(making(request));
            service.setTspSource(authority(request));
            made = service.extendDocument(request.document(), p);
        } else {
            CAdESSignatureParameters p = new CAdESSignatureParameters();
            p.setSignatureLevel(level);
            p.setDetachedContents(request.contents());
            CAdESService service = new CAdESService(making(request));
            service.setTspSource(authority(request));
            made = service.extendDocument(request.document(), p);
        }
        Files.write(Path.of(request.text("out")), DSSUtils.toByteArray(made));
    }

    // Writing

    private static List<String> messages(List<Message> messages) {
        return messages.stream().map(m -> m.getKey() + ": " + m.getValue()).sorted().distinct().collect(Collectors.toList());
    }

    private static byte[] sha256(byte[] bytes) {
        return DSSUtils.digest(DigestAlgorithm.SHA256, bytes);
    }

    private static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(String.format("%02x", b));
        }
        return text.toString();
    }

    private static String name(Enum<?> e) {
        return e == null ? null : e.name();
    }

    private static String json(Map<String, Object> map) {
        return JsonUtil.toJson(map);
    }
}
