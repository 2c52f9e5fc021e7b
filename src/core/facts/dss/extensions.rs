//! `CertificateExtensions`: RFC 5280 §4.2, EN 319 412-5, TS 119 495.

use super::*;

/// The OID of an extension that DSS names by its element, for data that does not state it.
const OIDS: &[(&str, &str)] = &[
    ("KeyUsages", "2.5.29.15"),
    ("ExtendedKeyUsages", "2.5.29.37"),
    ("CertificatePolicies", "2.5.29.32"),
    ("SubjectAlternativeNames", "2.5.29.17"),
    ("BasicConstraints", "2.5.29.19"),
    ("PolicyConstraints", "2.5.29.36"),
    ("InhibitAnyPolicy", "2.5.29.54"),
    ("NameConstraints", "2.5.29.30"),
    ("CRLDistributionPoints", "2.5.29.31"),
    ("FreshestCRL", "2.5.29.46"),
    ("AuthorityKeyIdentifier", "2.5.29.35"),
    ("SubjectKeyIdentifier", "2.5.29.14"),
    ("AuthorityInformationAccess", "1.3.6.1.5.5.7.1.1"),
    ("IdPkixOcspNoCheck", "1.3.6.1.5.5.7.48.1.5"),
    ("ValAssuredShortTermCertificate", "0.4.0.194121.2.1"),
    ("NoRevAvail", "2.5.29.56"),
    ("QcStatements", "1.3.6.1.5.5.7.1.3"),
];

pub(super) fn extensions(pull: &mut XmlReader<'_>) -> Result<Extensions> {
    let mut extensions = Extensions::default();
    pull.children(|pull, child| {
        let known = OIDS.iter().find(|(name, _)| *name == child.name()).map(|(_, oid)| (*oid).to_owned());
        let mut header = ExtensionHeader {
            oid: pull.attribute(child, "OID")?.or(known).unwrap_or_default(),
            critical: pull.flag(child, "critical")?.unwrap_or(false),
            bytes: None,
        };
        extension(pull, child, &mut extensions, &mut header)?;
        extensions.present.push(header);
        Ok(())
    })?;
    Ok(extensions)
}

/// Reads one extension's children, of which `bytes` may be one in any.
fn extension<'a>(
    pull: &mut XmlReader<'a>,
    element: &Element<'a>,
    all: &mut Extensions,
    header: &mut ExtensionHeader,
) -> Result<()> {
    match element.name() {
        "KeyUsages" => all.key_usage = Some(vec![]),
        "ExtendedKeyUsages" => all.extended_key_usage = Some(vec![]),
        "CertificatePolicies" => all.certificate_policies = Some(vec![]),
        "SubjectAlternativeNames" => all.subject_alternative_names = Some(vec![]),
        "BasicConstraints" => {
            all.basic_constraints = Some(BasicConstraints {
                ca: pull.flag(element, "CA")?.unwrap_or(false),
                path_length: pull.attribute_value(element, "pathLenConstraint")?,
            });
        }
        "PolicyConstraints" => {
            all.policy_constraints = Some(PolicyConstraints {
                require_explicit_policy: pull.attribute_value(element, "requireExplicitPolicy")?,
                inhibit_policy_mapping: pull.attribute_value(element, "inhibitPolicyMapping")?,
            });
        }
        "InhibitAnyPolicy" => all.inhibit_any_policy = pull.attribute_value(element, "value")?,
        "NameConstraints" => all.name_constraints = Some(NameConstraints::default()),
        "CRLDistributionPoints" => all.crl_distribution_points = Some(vec![]),
        "FreshestCRL" => all.freshest_crl = Some(vec![]),
        "AuthorityKeyIdentifier" => all.authority_key_identifier = Some(AuthorityKeyIdentifier::default()),
        "AuthorityInformationAccess" => all.authority_information_access = Some(AuthorityInformationAccess::default()),
        "IdPkixOcspNoCheck" => all.ocsp_no_check = pull.flag(element, "present")?.unwrap_or(false),
        "ValAssuredShortTermCertificate" => all.short_term = pull.flag(element, "present")?.unwrap_or(false),
        "NoRevAvail" => all.no_rev_avail = pull.flag(element, "present")?.unwrap_or(false),
        "QcStatements" => {
            let enacted_mra = pull.flag(element, "enactedMRA")?;
            all.qc_statements = Some(QcStatements { enacted_mra, ..QcStatements::default() });
        }
        _ => {}
    }
    pull.children(|pull, child| match (element.name(), child.name()) {
        (_, "octets") => {
            header.bytes = Some(bytes(pull)?);
            Ok(())
        }
        ("QcStatements", _) => qc_statement(pull, child, all.qc_statements.get_or_insert_default()),
        ("FreshestCRL", "crlUrl") => {
            all.freshest_crl.get_or_insert_default().push(text(pull)?);
            Ok(())
        }
        _ => part(pull, child, all),
    })
}

/// Reads one child of an extension; their names do not repeat but for `crlUrl`.
fn part<'a>(pull: &mut XmlReader<'a>, child: &Element<'a>, all: &mut Extensions) -> Result<()> {
    match child.name() {
        "keyUsageBit" => all.key_usage.get_or_insert_default().push(pull.value()?),
        "extendedKeyUsageOid" => all.extended_key_usage.get_or_insert_default().push(text(pull)?),
        "certificatePolicy" => {
            let cps_url = pull.attribute(child, "cpsUrl")?;
            let policy = CertificatePolicy { oid: text(pull)?, cps_url };
            all.certificate_policies.get_or_insert_default().push(policy);
        }
        "subjectAlternativeName" => {
            all.subject_alternative_names.get_or_insert_default().push(general_name(pull, child)?);
        }
        "PermittedSubtree" => all.name_constraints.get_or_insert_default().permitted.push(subtree(pull, child)?),
        "ExcludedSubtree" => all.name_constraints.get_or_insert_default().excluded.push(subtree(pull, child)?),
        "crlUrl" => all.crl_distribution_points.get_or_insert_default().push(text(pull)?),
        "caIssuersUrl" => all.authority_information_access.get_or_insert_default().ca_issuers.push(text(pull)?),
        "ocspUrl" => all.authority_information_access.get_or_insert_default().ocsp.push(text(pull)?),
        "keyIdentifier" => all.authority_key_identifier.get_or_insert_default().key_identifier = Some(bytes(pull)?),
        "authorityCertIssuerSerial" => {
            all.authority_key_identifier.get_or_insert_default().issuer_serial = Some(bytes(pull)?);
        }
        "ski" => all.subject_key_identifier = Some(bytes(pull)?),
        _ => {}
    }
    Ok(())
}

fn general_name<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<GeneralName> {
    let kind = pull.attribute_value(element, "type")?;
    Ok(GeneralName { kind, value: text(pull)? })
}

fn subtree<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<GeneralSubtree> {
    let minimum = pull.attribute_value(element, "minimum")?;
    let maximum = pull.attribute_value(element, "maximum")?;
    Ok(GeneralSubtree { base: general_name(pull, element)?, minimum, maximum })
}

fn present<'a>(pull: &XmlReader<'a>, element: &Element<'a>) -> Result<bool> {
    Ok(pull.flag(element, "present")?.unwrap_or(false))
}

fn qc_statement<'a>(pull: &mut XmlReader<'a>, child: &Element<'a>, qc: &mut QcStatements) -> Result<()> {
    match child.name() {
        "QcCompliance" => qc.compliance = present(pull, child)?,
        "QcEuLimitValue" => qc.limit_value = Some(limit_value(pull)?),
        "QcEuRetentionPeriod" => qc.retention_period = Some(pull.value()?),
        "QcSSCD" => qc.sscd = present(pull, child)?,
        "QcEuPDS" => qc.pds = trust::lang_texts(pull)?,
        "QcTypes" => qc.types = pull.texts("QcType")?,
        "QcCClegislation" => qc.cc_legislation = Some(pull.texts("CountryName")?),
        "SemanticsIdentifier" => qc.semantics_identifier = Some(text(pull)?),
        "PSD2QcInfo" => qc.psd2 = Some(psd2(pull)?),
        "QcQSCDlegislation" => qc.qscd_legislation = Some(pull.texts("QSCDCountryName")?),
        "QcIdentMethod" => qc.identification_method = Some(text(pull)?),
        "OtherOIDs" => qc.others = pull.texts("OtherOID")?,
        "MRACertificateMapping" => qc.mra = Some(mra(pull)?),
        _ => {}
    }
    Ok(())
}

fn limit_value(pull: &mut XmlReader<'_>) -> Result<QcLimitValue> {
    let mut value = QcLimitValue::default();
    pull.children(|pull, child| {
        match child.name() {
            "currency" => value.currency = text(pull)?,
            "amount" => value.amount = pull.value()?,
            "exponent" => value.exponent = pull.value()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(value)
}

fn psd2(pull: &mut XmlReader<'_>) -> Result<Psd2> {
    let mut psd2 = Psd2::default();
    pull.children(|pull, child| {
        match child.name() {
            "RolesOfPSP" => list(pull, "RoleOfPSP", &mut psd2.roles, |pull, _| {
                let mut role = Psd2Role::default();
                pull.children(|pull, child| {
                    match child.name() {
                        "oid" => role.oid = Some(text(pull)?),
                        "name" => role.name = text(pull)?,
                        _ => {}
                    }
                    Ok::<(), Error>(())
                })?;
                Ok(role)
            })?,
            "ncaName" => psd2.nca_name = text(pull)?,
            "ncaId" => psd2.nca_id = text(pull)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(psd2)
}

fn mra(pull: &mut XmlReader<'_>) -> Result<MraCertificateMapping> {
    let mut mapping = MraCertificateMapping::default();
    pull.children(|pull, child| match child.name() {
        "TrustServiceEquivalenceInformation" => equivalence(pull, &mut mapping),
        "OriginalThirdCountryMapping" => original(pull, &mut mapping),
        _ => Ok(()),
    })?;
    Ok(mapping)
}

fn equivalence(pull: &mut XmlReader<'_>, mapping: &mut MraCertificateMapping) -> Result<()> {
    pull.children(|pull, child| {
        match child.name() {
            "TrustServiceLegalIdentifier" => mapping.legal_identifier = text(pull)?,
            "CertificateContentEquivalenceList" => {
                list(pull, "CertificateContentEquivalence", &mut mapping.equivalences, |pull, child| {
                    let uri = pull.required(child, "uri")?;
                    Ok(ContentEquivalence { uri, enacted: pull.flag(child, "enacted")?.unwrap_or(false) })
                })?;
            }
            _ => {}
        }
        Ok(())
    })
}

fn original(pull: &mut XmlReader<'_>, mapping: &mut MraCertificateMapping) -> Result<()> {
    pull.children(|pull, child| {
        match child.name() {
            "QcCompliance" => mapping.original_compliance = pull.flag(child, "present")?,
            "QcSSCD" => mapping.original_sscd = pull.flag(child, "present")?,
            "QcTypes" => mapping.original_types = Some(pull.texts("QcType")?),
            "QcCClegislation" => mapping.original_cc_legislation = Some(pull.texts("CountryName")?),
            "QcQSCDlegislation" => mapping.original_qscd_legislation = Some(pull.texts("QSCDCountryName")?),
            "OtherOIDs" => mapping.original_others = Some(pull.texts("OtherOID")?),
            _ => {}
        }
        Ok(())
    })
}
