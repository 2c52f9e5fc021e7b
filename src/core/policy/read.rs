//! Reads DSS constraint files (`policy.xsd` of DSS 5.x to 6.5) into a [`Policy`].
//!
//! A rule that we do not know is an error, never skipped: its author relies on it.

use super::schema::{Form, allowed, form};
use super::suite::constraint::Constraint;
use super::*;
use crate::hex;
use crate::xml_reader::{Element, Error, XmlReader, shortened};
use sha2::Digest as _;

/// A file that is not a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// The bytes are no text.
    #[error("a policy is XML in UTF-8, and byte {offset} is not UTF-8")]
    NotText {
        /// How many bytes are before it.
        offset: usize,
    },
    /// XML that is not a policy.
    #[error("policy, {0}")]
    Invalid(Error),
}

/// Levels of elements; the schema's deepest has 7.
const NESTING: usize = 32;

type Result<T> = std::result::Result<T, Error>;

impl Policy {
    /// Returns the built-in policy of that name: `eidas`, the default, or `dss`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "eidas" => Some(Self::eidas()),
            "dss" => Some(Self::dss()),
            _ => None,
        }
    }

    /// Reads a DSS constraint file, or the name of a built-in policy ([`Policy::named`]).
    ///
    /// # Errors
    ///
    /// When the bytes are neither: what was found, and where.
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<Self, PolicyError> {
        if let Some(policy) = std::str::from_utf8(bytes).ok().and_then(Self::named) {
            return Ok(policy);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| PolicyError::NotText { offset: error.valid_up_to() })?;
        let mut reader = Reader::default();
        let mut pull = XmlReader::new(text, NESTING);
        reader.policy(&mut pull).map_err(PolicyError::Invalid)?;
        Ok(reader.finish(sha256_hex(bytes)))
    }
}

/// Returns the SHA-256 of bytes, lower-case hexadecimal.
pub(super) fn sha256_hex(bytes: &[u8]) -> String {
    hex::lower(&sha2::Sha256::digest(bytes))
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    name: String,
    description: Option<String>,
    model: Option<ValidityModel>,
    rules: BTreeMap<(PolicySection, RuleName), Rule>,
    eidas: bool,
    global: Constraint,
    local: BTreeMap<(Context, Option<SubContext>), Constraint>,
}

impl Reader {
    fn finish(self, sha256: String) -> Policy {
        // What a certificate's suite leaves out is as for the token, and what that leaves out as for all.
        let stated = |section| self.local.get(&section).filter(|own| !own.is_empty());
        let suite = |(context, sub): (Context, Option<SubContext>)| {
            let token = stated((context, None)).map(|own| own.clone().over(&self.global));
            let over = token.as_ref().unwrap_or(&self.global);
            let own = sub.and(stated((context, sub))).map(|own| own.clone().over(over));
            own.or(token).map(|own| ((context, sub), own.suite()))
        };
        let local = crate::order::map(self.local.keys().filter_map(|section| suite(*section)));
        Policy {
            name: self.name,
            description: self.description,
            model: self.model.unwrap_or(ValidityModel::Shell),
            rules: self.rules.into_iter().collect(),
            eidas: self.eidas,
            suites: local,
            suite: Some(self.global.suite()),
            sha256,
        }
    }

    fn policy(&mut self, pull: &mut XmlReader<'_>) -> Result<()> {
        let root = pull.root()?;
        if root.name() != "ConstraintsParameters" {
            let what = format!("found the root element <{}>, expected DSS's <ConstraintsParameters>", root.name());
            return Err(pull.wrong_in(&root, what));
        }
        self.name = pull.attribute(&root, "Name")?.unwrap_or_default();
        let mut seen = vec![];
        pull.children(|pull, child| {
            once(pull, child, &mut seen)?;
            match child.name() {
                "Description" => {
                    let text = pull.text()?;
                    self.description = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
                    Ok(())
                }
                "ContainerConstraints" => self.rules_at(pull, child, PolicySection::Container),
                "PDFAConstraints" => self.rules_at(pull, child, PolicySection::PdfA),
                "SignatureConstraints" => self.token(pull, child, Context::Signature),
                "CounterSignatureConstraints" => self.token(pull, child, Context::CounterSignature),
                "KeyBindingSignatureConstraints" => self.token(pull, child, Context::KeyBindingSignature),
                "Timestamp" => self.token(pull, child, Context::Timestamp),
                "Revocation" => self.token(pull, child, Context::Revocation),
                "EvidenceRecord" => self.token(pull, child, Context::EvidenceRecord),
                "Attestation" => self.token(pull, child, Context::Attestation),
                "AttestationRevocation" => self.token(pull, child, Context::AttestationRevocation),
                "Cryptographic" => {
                    self.global = Constraint::read(pull, child)?;
                    Ok(())
                }
                "Model" => {
                    attributes(pull, child, &["Value"])?;
                    let value = pull.required(child, "Value")?;
                    let model = value.parse().map_err(|_| {
                        let what = format!(
                            "`{}` is no validity model; allowed: {}",
                            shortened(&value),
                            words_of(ValidityModel::ALL)
                        );
                        pull.wrong_in(child, what)
                    })?;
                    self.model = Some(model);
                    Ok(())
                }
                "eIDAS" => {
                    self.eidas = true;
                    self.rules_at(pull, child, PolicySection::Eidas)
                }
                _ => Err(not_allowed(pull, child, "ConstraintsParameters", SECTIONS.iter().copied())),
            }
        })?;
        pull.end()
    }

    /// Reads the constraints of one kind of token.
    fn token<'a>(&mut self, pull: &mut XmlReader<'a>, element: &Element<'a>, context: Context) -> Result<()> {
        let section = PolicySection::Token(context);
        let mut seen = vec![];
        pull.children(|pull, child| {
            once(pull, child, &mut seen)?;
            match (child.name(), context) {
                ("BasicSignatureConstraints", c) if c != Context::EvidenceRecord && c != Context::Attestation => {
                    self.basic(pull, child, context)
                }
                ("SignedAttributes", c) if has_attributes(c) || c == Context::Timestamp => {
                    self.rules_at(pull, child, PolicySection::SignedAttributes(context))
                }
                ("UnsignedAttributes", c) if has_attributes(c) => {
                    self.rules_at(pull, child, PolicySection::UnsignedAttributes(context))
                }
                ("Cryptographic", Context::EvidenceRecord | Context::Attestation) => {
                    self.local.insert((context, None), Constraint::read(pull, child)?);
                    Ok(())
                }
                _ => self.rule(pull, child, element.name(), section),
            }
        })
    }

    fn basic<'a>(&mut self, pull: &mut XmlReader<'a>, element: &Element<'a>, context: Context) -> Result<()> {
        let mut seen = vec![];
        pull.children(|pull, child| {
            once(pull, child, &mut seen)?;
            match child.name() {
                "SigningCertificate" => self.certificate(pull, child, context, SubContext::SigningCertificate),
                "CACertificate" => self.certificate(pull, child, context, SubContext::CaCertificate),
                "Cryptographic" => {
                    self.local.insert((context, None), Constraint::read(pull, child)?);
                    Ok(())
                }
                _ => self.rule(pull, child, element.name(), PolicySection::Basic(context)),
            }
        })
    }

    fn certificate<'a>(
        &mut self,
        pull: &mut XmlReader<'a>,
        element: &Element<'a>,
        context: Context,
        sub: SubContext,
    ) -> Result<()> {
        let mut seen = vec![];
        pull.children(|pull, child| {
            once(pull, child, &mut seen)?;
            match child.name() {
                "Cryptographic" => {
                    self.local.insert((context, Some(sub)), Constraint::read(pull, child)?);
                    Ok(())
                }
                _ => self.rule(pull, child, element.name(), PolicySection::Certificate(context, sub)),
            }
        })
    }

    /// Reads an element whose children are all rules.
    fn rules_at<'a>(&mut self, pull: &mut XmlReader<'a>, element: &Element<'a>, section: PolicySection) -> Result<()> {
        let mut seen = vec![];
        pull.children(|pull, child| {
            once(pull, child, &mut seen)?;
            self.rule(pull, child, element.name(), section)
        })
    }

    fn rule<'a>(
        &mut self,
        pull: &mut XmlReader<'a>,
        element: &Element<'a>,
        parent: &str,
        section: PolicySection,
    ) -> Result<()> {
        let known = allowed(section);
        let Some(name) = known.iter().copied().find(|name| name.as_str() == element.name()) else {
            return Err(not_allowed(
                pull,
                element,
                parent,
                known.iter().map(|name| name.as_str()).chain(parts(section)),
            ));
        };
        // A rule without a level asks for nothing.
        if let Some(rule) = rule(pull, element, form(name))? {
            self.rules.insert((section, name), rule);
        }
        Ok(())
    }
}

/// The children of the root.
const SECTIONS: &[&str] = &[
    "Description",
    "ContainerConstraints",
    "PDFAConstraints",
    "SignatureConstraints",
    "CounterSignatureConstraints",
    "KeyBindingSignatureConstraints",
    "Timestamp",
    "Revocation",
    "EvidenceRecord",
    "Attestation",
    "AttestationRevocation",
    "Cryptographic",
    "Model",
    "eIDAS",
];

/// Returns whether tokens of that kind have signed and unsigned attributes.
fn has_attributes(context: Context) -> bool {
    matches!(context, Context::Signature | Context::CounterSignature | Context::KeyBindingSignature)
}

/// Returns the elements in a section that are no rules.
fn parts(section: PolicySection) -> impl Iterator<Item = &'static str> {
    let parts: &[&str] = match section {
        PolicySection::Token(Context::EvidenceRecord | Context::Attestation) | PolicySection::Certificate(..) => {
            &["Cryptographic"]
        }
        PolicySection::Token(Context::Revocation | Context::AttestationRevocation) => &["BasicSignatureConstraints"],
        PolicySection::Token(Context::Timestamp) => &["BasicSignatureConstraints", "SignedAttributes"],
        PolicySection::Token(_) => &["BasicSignatureConstraints", "SignedAttributes", "UnsignedAttributes"],
        PolicySection::Basic(_) => &["SigningCertificate", "CACertificate", "Cryptographic"],
        _ => &[],
    };
    parts.iter().copied()
}

fn not_allowed<'a>(
    pull: &XmlReader<'a>,
    element: &Element<'a>,
    parent: &str,
    allowed: impl Iterator<Item = &'static str>,
) -> Error {
    let allowed = allowed.collect::<Vec<_>>().join(", ");
    pull.wrong_in(element, format!("<{}> is not allowed in <{parent}>; allowed: {allowed}", element.name()))
}

/// Refuses an element that stands twice: which of them holds would be a guess.
fn once<'a>(pull: &XmlReader<'a>, element: &Element<'a>, seen: &mut Vec<String>) -> Result<()> {
    if seen.iter().any(|name| name == element.name()) {
        return Err(pull.wrong_in(element, format!("<{}> stands twice; it is allowed once", element.name())));
    }
    seen.push(element.name().to_owned());
    Ok(())
}

/// Refuses attributes that are not allowed.
pub(super) fn attributes<'a>(pull: &XmlReader<'a>, element: &Element<'a>, allowed: &[&str]) -> Result<()> {
    match element.attribute_names().into_iter().find(|name| !allowed.contains(&name.as_str())) {
        Some(name) => {
            let name = shortened(&name);
            let what = format!(
                "attribute `{name}` is not allowed in <{}>; allowed: {}",
                element.name(),
                if allowed.is_empty() { "none".into() } else { allowed.join(", ") }
            );
            Err(pull.wrong_in(element, what))
        }
        None => Ok(()),
    }
}

/// Returns the words of a list, for a message.
fn words_of(all: &[impl std::fmt::Display]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Reads an attribute that holds a level.
pub(super) fn level<'a>(pull: &XmlReader<'a>, element: &Element<'a>, name: &str) -> Result<Option<Level>> {
    let Some(text) = pull.attribute(element, name)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| {
        let what = format!(
            "attribute `{name}` of <{}> is `{}`; allowed: {}",
            element.name(),
            shortened(&text),
            words_of(Level::ALL)
        );
        pull.wrong_in(element, what)
    })
}

/// Reads a rule; `None` when it has no level.
fn rule<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>, form: Form) -> Result<Option<Rule>> {
    attributes(
        pull,
        element,
        match form {
            Form::Text | Form::Integer => &["Level", "value"],
            Form::Duration => &["Level", "Unit", "Value"],
            Form::Level | Form::Values | Form::Certificate => &["Level"],
        },
    )?;
    let level = level(pull, element, "Level")?;
    let mut rule = Rule::new(level.unwrap_or(Level::Ignore));
    match form {
        Form::Level => childless(pull, element)?,
        Form::Text => {
            rule.value = pull.attribute(element, "value")?;
            childless(pull, element)?;
        }
        Form::Integer => {
            rule.value = pull.attribute_value::<i64>(element, "value")?.map(|number| number.to_string());
            childless(pull, element)?;
        }
        Form::Duration => {
            rule.duration_millis = duration(pull, element, level)?;
            childless(pull, element)?;
        }
        Form::Values => rule.values = ids(pull, element)?,
        Form::Certificate => pull.children(|pull, child| {
            match child.name() {
                "CertificateExtensions" => rule.certificate_extensions = ids(pull, child)?,
                "CertificatePolicies" => rule.certificate_policies = ids(pull, child)?,
                _ => {
                    let allowed = ["CertificateExtensions", "CertificatePolicies"];
                    return Err(not_allowed(pull, child, element.name(), allowed.into_iter()));
                }
            }
            Ok(())
        })?,
    }
    Ok(level.map(|_| rule))
}

fn childless<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<()> {
    pull.children(|pull, child| Err(not_allowed(pull, child, element.name(), ["nothing"].into_iter())))
}

fn ids<'a>(pull: &mut XmlReader<'a>, element: &Element<'a>) -> Result<Vec<String>> {
    let mut all = vec![];
    pull.children(|pull, child| {
        if child.name() != "Id" {
            return Err(not_allowed(pull, child, element.name(), ["Id"].into_iter()));
        }
        all.push(pull.text()?.trim().to_owned());
        Ok(())
    })?;
    Ok(all)
}

/// Reads a `TimeConstraint`, in milliseconds.
fn duration<'a>(pull: &XmlReader<'a>, element: &Element<'a>, level: Option<Level>) -> Result<Option<i64>> {
    const UNITS: [(&str, i64); 5] =
        [("DAYS", 86_400_000), ("HOURS", 3_600_000), ("MINUTES", 60_000), ("SECONDS", 1_000), ("MILLISECONDS", 1)];
    let value: Option<i64> = pull.attribute_value(element, "Value")?;
    let unit = pull.attribute(element, "Unit")?;
    if level.is_none() && (value.is_none() || unit.is_none()) {
        return Ok(None);
    }
    let missing = |name| pull.wrong_in(element, format!("<{}> has no attribute `{name}`", element.name()));
    let value = value.ok_or_else(|| missing("Value"))?;
    let unit = unit.ok_or_else(|| missing("Unit"))?;
    let millis = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, millis)| *millis).ok_or_else(|| {
        let allowed = UNITS.map(|(name, _)| name).join(", ");
        let what = format!("attribute `Unit` of <{}> is `{}`; allowed: {allowed}", element.name(), shortened(&unit));
        pull.wrong_in(element, what)
    })?;
    Ok(Some(value.saturating_mul(millis)))
}
