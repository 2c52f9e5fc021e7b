//! `TrustedList`, `TrustServiceProvider`, `TrustService`.

use super::*;

pub(super) fn trusted_list<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<TrustedList> {
    let mut list = TrustedList {
        id: id(pull, element, "Id")?,
        lotl: pull.flag(element, "LOTL")?.unwrap_or(false),
        parent: optional_id(pull, element, "parent")?,
        mra: pull.flag(element, "mra")?.unwrap_or(false),
        ..TrustedList::default()
    };
    pull.children(|pull, child| {
        match child.name() {
            "CountryCode" => list.country = Some(text(pull)?),
            "Url" => list.url = text(pull)?,
            "TSLType" => list.list_type = Some(text(pull)?),
            "SequenceNumber" => list.sequence_number = Some(pull.value()?),
            "Version" => list.version = Some(pull.value()?),
            "LastLoading" => list.last_loading = Some(pull.value()?),
            "IssueDate" => list.issue_date = Some(pull.value()?),
            "NextUpdate" => list.next_update = Some(pull.value()?),
            "WellSigned" => list.well_signed = pull.boolean()?,
            "StructuralValidation" => list.structural_validation = Some(structural_validation(pull, child)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(list)
}

pub(super) fn provider<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<TrustServiceProvider> {
    let mut provider = TrustServiceProvider {
        trusted_list: id(pull, element, "TL")?,
        lotl: optional_id(pull, element, "LOTL")?,
        ..TrustServiceProvider::default()
    };
    pull.children(|pull, child| {
        match child.name() {
            "TSPNames" => provider.names = lang_texts(pull)?,
            "TSPTradeNames" => provider.trade_names = lang_texts(pull)?,
            "TSPRegistrationIdentifiers" => {
                provider.registration_identifiers = pull.texts("TSPRegistrationIdentifier")?
            }
            "TrustServices" => list(pull, "TrustService", &mut provider.services, service)?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(provider)
}

fn service<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<TrustService> {
    let mut service = TrustService {
        certificate: id(pull, element, "ServiceDigitalIdentifier")?,
        enacted_mra: pull.flag(element, "enactedMRA")?,
        ..TrustService::default()
    };
    pull.children(|pull, child| {
        match child.name() {
            "ServiceNames" => service.names = lang_texts(pull)?,
            "ServiceType" => service.service_type = Some(text(pull)?),
            "Status" => service.status = Some(text(pull)?),
            "StartDate" => service.start = Some(pull.value()?),
            "EndDate" => service.end = Some(pull.value()?),
            "CapturedQualifiers" => list(pull, "Qualifier", &mut service.qualifiers, qualifier)?,
            "AdditionalServiceInfoUris" => service.additional_service_info = pull.texts("AdditionalServiceInfoUri")?,
            "ServiceSupplyPoints" => service.supply_points = pull.texts("ServiceSupplyPoint")?,
            "ExpiredCertsRevocationInfo" => service.expired_certs_revocation_info = Some(pull.value()?),
            "MRATrustServiceMapping" => service.mra = Some(mra(pull)?),
            _ => {}
        }
        Ok(())
    })?;
    Ok(service)
}

fn qualifier<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Qualifier> {
    let critical = pull.flag(element, "critical")?;
    Ok(Qualifier { uri: text(pull)?, critical })
}

fn mra(pull: &mut XmlReader<'_>) -> Result<MraServiceMapping> {
    let mut mapping = MraServiceMapping::default();
    pull.children(|pull, child| {
        match child.name() {
            "TrustServiceLegalIdentifier" => mapping.legal_identifier = text(pull)?,
            "EquivalenceStatusStartingTime" => mapping.equivalence_start = Some(pull.value()?),
            "EquivalenceStatusEndingTime" => mapping.equivalence_end = Some(pull.value()?),
            "OriginalThirdCountryMapping" => pull.children(|pull, child| {
                match child.name() {
                    "ServiceType" => mapping.original_type = Some(text(pull)?),
                    "Status" => mapping.original_status = Some(text(pull)?),
                    "CapturedQualifiers" => list(pull, "Qualifier", &mut mapping.original_qualifiers, qualifier)?,
                    "AdditionalServiceInfoUris" => {
                        mapping.original_additional_service_info = pull.texts("AdditionalServiceInfoUri")?
                    }
                    _ => {}
                }
                Ok(())
            })?,
            _ => {}
        }
        Ok(())
    })?;
    Ok(mapping)
}

/// Texts with their languages.
pub(super) fn lang_texts(pull: &mut XmlReader<'_>) -> Result<Vec<LangText>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        let lang = pull.attribute(child, "lang")?.unwrap_or_default();
        all.push(LangText { lang, text: text(pull)? });
        Ok(())
    })?;
    Ok(all)
}
