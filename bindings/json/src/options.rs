//! What a format has besides what a signer states in any: as JSON.

use crate::parameters::invalid;
use crate::{Base64, Refused};
use lacre::decode_pem;
use lacre::signing::pades::{self, Field, Lock, LockAction, Permission, Placement};
use lacre::signing::{Packaging, SigningErrorCode, cades};
use serde::Deserialize;

/// What one format has, and the other has not.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Options {
    /// CAdES: where the signature goes: `enveloping` (the default), `detached`, `parallel` (beside the signatures of the document,
    /// a CMS file), or `counter`.
    #[cfg_attr(feature = "schemas", schema(nullable = false, value_type = Option<String>, pattern = "^(enveloping|detached|parallel|counter)$"))]
    pub packaging: Option<Packaging>,
    /// CAdES: the signature that is counter-signed, by its id in a report on the document.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub signature: Option<String>,
    /// CAdES: the media type of the content.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub mime_type: Option<String>,
    /// CAdES: a description of the content, instead of a media type.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub description: Option<String>,
    /// CAdES: an identifier of the content, for references from other signatures.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub identifier: Option<Base64>,
    /// CAdES: the signature that this one is about: a CMS file of one signature, whose content has an identifier.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub about: Option<Base64>,
    /// PAdES: the empty signature field that is signed.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub field: Option<String>,
    /// PAdES: a new signature field; by default one that is not seen.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub new_field: Option<NewField>,
    /// PAdES: what is seen, in a field that has an area.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub appearance: Option<Appearance>,
    /// PAdES: why it is signed. Not beside a commitment or a policy.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub reason: Option<String>,
    /// PAdES: how the signer can be reached.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub contact_info: Option<String>,
    /// PAdES: the signer's name; without it viewers show the one in the certificate.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub signer_name: Option<String>,
    /// PAdES: certifies the document, as its first signature: 1 permits nothing afterwards, 2 filling in and signing, 3 comments,
    /// too.
    #[cfg_attr(feature = "schemas", schema(nullable = false, minimum = 1, maximum = 3))]
    pub certify: Option<u8>,
    /// PAdES: the fields that nobody may change afterwards.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub lock: Option<LockedFields>,
    /// PAdES: by how many minutes the signer's clock is ahead of universal time.
    #[cfg_attr(feature = "schemas", schema(minimum = -1439, maximum = 1439))]
    #[serde(default)]
    pub utc_offset: i16,
}

/// A signature field to be made.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewField {
    /// Its name; by default `Signature1` or the next that is free.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub name: Option<String>,
    /// What it is for, read out to those who do not see.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub tooltip: Option<String>,
    /// The number of its page, from 1 on; from -1 on counted from the last. Default: 1.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub page: Option<i32>,
    /// Where it is seen: how far its corner is from the left and the upper edge of the page, its width and its height, in points
    /// (72 an inch).
    #[serde(rename = "box")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, value_type = Option<Vec<f64>>, min_items = 4, max_items = 4))]
    pub place: Option<[f64; 4]>,
}

/// What is seen of a signature.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Appearance {
    /// Lines of text; {name}, {time}, {reason} and {place} stand for what the signature states.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub text: Option<String>,
    /// A picture: PNG or JPEG.
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub picture: Option<Base64>,
}

/// Fields that nobody may change after signing.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LockedFields {
    /// Which: `ALL`, or those that are named (`INCLUDE`), or all but those (`EXCLUDE`).
    #[cfg_attr(feature = "schemas", schema(value_type = String, pattern = "^(ALL|INCLUDE|EXCLUDE)$"))]
    pub action: LockAction,
    /// Their names.
    #[serde(default)]
    pub fields: Vec<String>,
}

impl Options {
    /// Returns the options of a CAdES signature.
    ///
    /// # Errors
    ///
    /// `parameter-not-in-format` where one of PAdES is given.
    pub(crate) fn cades(&self) -> Result<cades::Options, Refused> {
        let of_pdf = [
            ("field", self.field.is_some()),
            ("newField", self.new_field.is_some()),
            ("appearance", self.appearance.is_some()),
            ("reason", self.reason.is_some()),
            ("contactInfo", self.contact_info.is_some()),
            ("signerName", self.signer_name.is_some()),
            ("certify", self.certify.is_some()),
            ("lock", self.lock.is_some()),
            ("utcOffset", self.utc_offset != 0),
        ];
        misplaced(&of_pdf, "CAdES")?;
        let mut options = cades::Options::default();
        options.mime_type.clone_from(&self.mime_type);
        options.description.clone_from(&self.description);
        options.identifier = self.identifier.as_ref().map(|bytes| bytes.0.clone());
        if let Some(other) = &self.about {
            options.reference = Some(cades::ContentReference::to(&decode_pem(&other.0), None)?);
        }
        Ok(options)
    }

    /// Returns the options of a PAdES signature.
    ///
    /// # Errors
    ///
    /// `parameter-not-in-format` where one of CAdES is given, `parameter-invalid`, `parameters-conflict`.
    pub(crate) fn pades(&self) -> Result<pades::Options, Refused> {
        let of_cms = [
            ("packaging", self.packaging.is_some_and(|packaging| packaging != Packaging::Pdf)),
            ("signature", self.signature.is_some()),
            ("mimeType", self.mime_type.is_some()),
            ("description", self.description.is_some()),
            ("identifier", self.identifier.is_some()),
            ("about", self.about.is_some()),
        ];
        misplaced(&of_cms, "PAdES")?;
        let mut options = pades::Options::default();
        options.field = match (&self.field, &self.new_field) {
            (Some(_), Some(_)) => {
                let found = "found both field and newField, expected one of them";
                return Err(Refused::new(SigningErrorCode::ParametersConflict, found));
            }
            (Some(name), None) => Field::Named(name.clone()),
            (None, new) => Field::New(new.as_ref().map(NewField::read).unwrap_or_default()),
        };
        self.look(&mut options)?;
        options.reason.clone_from(&self.reason);
        options.contact_info.clone_from(&self.contact_info);
        options.signer_name.clone_from(&self.signer_name);
        options.certify = self.certify.map(permission).transpose()?;
        options.lock =
            self.lock.as_ref().map(|lock| Lock { action: lock.action, fields: lock.fields.clone(), permissions: None });
        options.utc_offset = self.utc_offset;
        Ok(options)
    }

    #[cfg(feature = "visible")]
    fn look(&self, options: &mut pades::Options) -> Result<(), Refused> {
        let Some(stated) = &self.appearance else { return Ok(()) };
        let mut appearance = pades::Appearance::default();
        appearance.text.clone_from(&stated.text);
        appearance.picture = stated.picture.as_ref().map(|picture| picture.0.clone());
        options.appearance = Some(appearance);
        Ok(())
    }

    #[cfg(not(feature = "visible"))]
    fn look(&self, _: &mut pades::Options) -> Result<(), Refused> {
        match self.appearance {
            Some(_) => misplaced(&[("appearance", true)], "PAdES as it is signed here"),
            None => Ok(()),
        }
    }
}

impl NewField {
    fn read(&self) -> pades::NewField {
        let mut new = pades::NewField::default();
        new.name.clone_from(&self.name);
        new.tooltip.clone_from(&self.tooltip);
        new.page = self.page.unwrap_or(new.page);
        new.placement = self.place.map(|[left, top, width, height]| Placement::Displayed { left, top, width, height });
        new
    }
}

fn permission(number: u8) -> Result<Permission, Refused> {
    Ok(match number {
        1 => Permission::NoChange,
        2 => Permission::MinimalChanges,
        3 => Permission::Changes,
        _ => return Err(invalid("certify", &number.to_string(), "1, 2 or 3")),
    })
}

/// Refuses what the format has no place for.
fn misplaced(given: &[(&str, bool)], format: &str) -> Result<(), Refused> {
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            let found = format!("found the option {name}, which {format} has no place for, expected none");
            Err(Refused::new(SigningErrorCode::ParameterNotInFormat, found)
                .with_hint("leave it out, or choose another format"))
        }
    }
}
