//! Who a certificate is for.

use crate::error::CliError;
use lacre::issuance::{Profile, Subject};

/// A legal person, an authority, a unit.
#[derive(Debug, clap::Args)]
pub struct Legal {
    /// ISO 3166-1 code of the country.
    #[arg(long, value_name = "CC")]
    country: String,
    /// The full registered name.
    #[arg(long)]
    organization: String,
    /// The identifier of EN 319 412-1 §5.1.4: VATBE-0876866142.
    #[arg(long, value_name = "ID")]
    organization_identifier: String,
    /// The name that it is commonly known by.
    #[arg(long, value_name = "NAME")]
    common_name: String,
}

impl Legal {
    pub fn subject(&self) -> Subject {
        Subject::LegalPerson {
            country: self.country.clone(),
            organization: self.organization.clone(),
            organization_identifier: self.organization_identifier.clone(),
            common_name: self.common_name.clone(),
        }
    }
}

/// A natural or a legal person, as the profile says.
#[derive(Debug, clap::Args)]
pub struct Any {
    /// ISO 3166-1 code of the country.
    #[arg(long, value_name = "CC")]
    country: String,
    /// Given names of a natural person.
    #[arg(long)]
    given_name: Option<String>,
    /// Surname of a natural person.
    #[arg(long)]
    surname: Option<String>,
    /// What tells a natural person from others of the same name: PASSK-P3000180.
    #[arg(long, value_name = "ID")]
    serial_number: Option<String>,
    /// The full registered name of a legal person.
    #[arg(long)]
    organization: Option<String>,
    /// The identifier of a legal person: VATBE-0876866142.
    #[arg(long, value_name = "ID")]
    organization_identifier: Option<String>,
    /// The name that a legal person is commonly known by, or the unit's.
    #[arg(long, value_name = "NAME")]
    common_name: Option<String>,
}

impl Any {
    pub fn subject(&self, profile: Profile) -> Result<Subject, CliError> {
        let needed = |value: &Option<String>, option: &str| {
            value.clone().ok_or_else(|| CliError::plain(format!("the profile {profile} needs --{option}")))
        };
        let country = self.country.clone();
        Ok(if profile.is_natural() {
            Subject::NaturalPerson {
                country,
                given_name: needed(&self.given_name, "given-name")?,
                surname: needed(&self.surname, "surname")?,
                serial_number: needed(&self.serial_number, "serial-number")?,
            }
        } else {
            Subject::LegalPerson {
                country,
                organization: needed(&self.organization, "organization")?,
                organization_identifier: needed(&self.organization_identifier, "organization-identifier")?,
                common_name: needed(&self.common_name, "common-name")?,
            }
        })
    }
}
