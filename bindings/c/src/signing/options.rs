//! What a signature states and how it is made, as named texts: one table instead of a function for each.

use crate::error::Failure;
use crate::options::{Setting, bytes_of_hex, digest_function, find, length, number, one_of_words, truth};
use lacre::signing::pades::{
    Alignment, Appearance, Arrangement, Colour, Extensions, Field, Lock, LockAction, NewField, Permission, Placement,
    Rectangle, Rotation, Scaling,
};
use lacre::signing::{
    Commitment, DigestAlgorithm, EmbeddedCertificates, ExplicitPolicy, Packaging, Place, SignatureParameters,
    SignaturePolicy, SigningErrorCode, cades, pades,
};
use lacre::{Id, decode_pem};

/// What the caller said of a signature.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub(super) parameters: SignatureParameters,
    /// Where it goes; PDF for a PDF, enveloping for others, where nothing is said.
    pub(super) packaging: Option<Packaging>,
    /// The signature that is counter-signed.
    pub(super) counter_signed: Option<Id>,
    /// The digest of a content that is not at hand.
    pub(super) content_digest: Option<Vec<u8>>,
    pub(super) cades: cades::Options,
    pub(super) pades: pades::Options,
    /// What is asked of a time-stamping authority.
    pub(super) timestamp_policy: Option<String>,
    pub(super) timestamp_nonce: bool,
    pub(super) timestamp_digest: DigestAlgorithm,
    place: Place,
    policy: Policy,
    field: FieldWords,
    appearance: Option<Appearance>,
    /// The first option that only PDF has, and only CMS.
    for_pdf: Option<&'static str>,
    for_cms: Option<&'static str>,
}

/// The parts of a signature policy.
#[derive(Debug, Clone, Default)]
struct Policy {
    id: Option<String>,
    digest: Option<(DigestAlgorithm, Vec<u8>)>,
    uri: Option<String>,
    user_notice: Option<String>,
    document_specification: Option<String>,
    document: Option<Vec<u8>>,
}

/// The parts of what says which field is signed.
#[derive(Debug, Clone, Default)]
struct FieldWords {
    named: Option<String>,
    only_empty: bool,
    new: Option<NewField>,
}

impl Order {
    pub(super) fn new(parameters: SignatureParameters) -> Self {
        Self {
            parameters,
            packaging: None,
            counter_signed: None,
            content_digest: None,
            cades: cades::Options::default(),
            pades: pades::Options::default(),
            timestamp_policy: None,
            timestamp_nonce: true,
            timestamp_digest: DigestAlgorithm::Sha256,
            place: Place::default(),
            policy: Policy::default(),
            field: FieldWords::default(),
            appearance: None,
            for_pdf: None,
            for_cms: None,
        }
    }

    /// Sets an option by its name.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        self.change(find(TEXTS, key)?, value)
    }

    /// Sets an option that is no text by its name.
    pub(super) fn set_bytes(&mut self, key: &str, value: &[u8]) -> Result<(), Failure> {
        self.change(find(BYTES, key)?, value)
    }

    fn change<V: ?Sized>(
        &mut self,
        (key, setting): (&'static str, Setting<Self, V>),
        value: &V,
    ) -> Result<(), Failure> {
        let mut changed = self.clone();
        setting(&mut changed, value).map_err(|wrong| Failure::argument(format!("the option {key} is {wrong}")))?;
        if PDF_ALONE.contains(&key) {
            changed.for_pdf.get_or_insert(key);
        }
        if CMS_ALONE.contains(&key) {
            changed.for_cms.get_or_insert(key);
        }
        *self = changed;
        Ok(())
    }

    /// Returns what the signer states.
    pub(super) fn parameters(&self) -> Result<SignatureParameters, Failure> {
        let mut parameters = self.parameters.clone();
        parameters.place = (self.place != Place::default()).then(|| self.place.clone());
        parameters.policy = self.policy.stated()?;
        Ok(parameters)
    }

    /// Returns what a signature in a PDF has besides.
    pub(super) fn pades(&self) -> Result<pades::Options, Failure> {
        self.refuse(self.for_cms, "PAdES")?;
        let mut options = self.pades.clone();
        options.appearance.clone_from(&self.appearance);
        options.field = match (&self.field.named, self.field.only_empty, &self.field.new) {
            (None, false, new) => Field::New(new.clone().unwrap_or_default()),
            (Some(name), false, None) => Field::Named(name.clone()),
            (None, true, None) => Field::OnlyEmpty,
            _ => {
                let message = "found options for more than one field, expected a field that is there or a new one";
                return Err(refused(SigningErrorCode::ParametersConflict, message));
            }
        };
        Ok(options)
    }

    /// Returns what a CAdES signature has besides.
    pub(super) fn cades(&self) -> Result<&cades::Options, Failure> {
        self.refuse(self.for_pdf, "CAdES")?;
        Ok(&self.cades)
    }

    fn refuse(&self, key: Option<&'static str>, format: &str) -> Result<(), Failure> {
        let Some(key) = key else { return Ok(()) };
        let message = format!("found the option {key}, expected none that {format} has no place for");
        Err(refused(SigningErrorCode::ParameterNotInFormat, message))
    }

    fn new_field(&mut self) -> &mut NewField {
        self.field.new.get_or_insert_default()
    }

    fn appearance(&mut self) -> &mut Appearance {
        self.appearance.get_or_insert_default()
    }
}

impl Policy {
    fn stated(&self) -> Result<Option<SignaturePolicy>, Failure> {
        let parts = self.uri.is_some()
            || self.user_notice.is_some()
            || self.document_specification.is_some()
            || self.document.is_some();
        match (self.id.as_deref(), &self.digest) {
            (None, None) if !parts => Ok(None),
            (Some(IMPLIED), None) if !parts => Ok(Some(SignaturePolicy::Implied)),
            (Some(IMPLIED), _) => {
                let message = "found parts of a policy that is implied, expected none";
                Err(refused(SigningErrorCode::ParametersConflict, message))
            }
            (Some(oid), Some((function, digest))) => Ok(Some(SignaturePolicy::Explicit(ExplicitPolicy {
                oid: oid.to_owned(),
                digest_algorithm: *function,
                digest: digest.clone(),
                uri: self.uri.clone(),
                user_notice: self.user_notice.clone(),
                document_specification: self.document_specification.clone(),
                document: self.document.clone(),
            }))),
            _ => {
                let message = "found a part of a policy, expected its identifier and the digest of its document";
                Err(refused(SigningErrorCode::ParameterInvalid, message))
            }
        }
    }
}

/// Makes the failure of a combination of options of which nothing can be made.
pub(super) fn refused(cause: SigningErrorCode, message: impl Into<String>) -> Failure {
    Failure::new(crate::error::lacre_status::LACRE_ERROR_SIGNING, message).because(cause)
}

/// The policy that follows from the content or the circumstances.
const IMPLIED: &str = "implied";

/// The options that are texts. The header lists them at lacre_signing_set().
const TEXTS: &[(&str, Setting<Order, str>)] = &[
    ("packaging", |order, word| {
        let known = Packaging::ALL.iter().map(|packaging| (packaging.as_str(), Some(*packaging)));
        one_of_words(word, known).map(|packaging| order.packaging = packaging)
    }),
    ("signature", |order, id| {
        order.counter_signed = Some(Id::new(id));
        Ok(())
    }),
    ("role", |order, role| {
        order.parameters.claimed_roles.push(role.to_owned());
        Ok(())
    }),
    ("signed-assertion", |order, assertion| {
        order.parameters.signed_assertions.push(assertion.to_owned());
        Ok(())
    }),
    ("commitment", |order, word| commitment(word).map(|commitment| order.parameters.commitments.push(commitment))),
    ("country", |order, country| {
        order.place.country = Some(country.to_owned());
        Ok(())
    }),
    ("locality", |order, locality| {
        order.place.locality = Some(locality.to_owned());
        Ok(())
    }),
    ("postal-address", |order, line| {
        order.place.postal_address.push(line.to_owned());
        Ok(())
    }),
    ("policy", |order, id| {
        order.policy.id = Some(id.to_owned());
        Ok(())
    }),
    ("policy-digest", |order, text| {
        let (function, digits) =
            text.split_once(':').ok_or_else(|| wrong(text, "a digest function, a colon, hexadecimal digits"))?;
        order.policy.digest = Some((digest_function(function)?, bytes_of_hex(digits)?));
        Ok(())
    }),
    ("policy-uri", |order, uri| {
        order.policy.uri = Some(uri.to_owned());
        Ok(())
    }),
    ("policy-user-notice", |order, notice| {
        order.policy.user_notice = Some(notice.to_owned());
        Ok(())
    }),
    ("policy-document-specification", |order, specification| {
        order.policy.document_specification = Some(specification.to_owned());
        Ok(())
    }),
    ("certificates", |order, word| {
        let known = [
            ("signer", EmbeddedCertificates::Signer),
            ("chain", EmbeddedCertificates::Chain),
            ("chain-with-root", EmbeddedCertificates::ChainWithRoot),
        ];
        one_of_words(word, known).map(|which| order.parameters.embedded = which)
    }),
    ("certificate-digest", |order, name| {
        digest_function(name).map(|function| order.parameters.certificate_digest = function)
    }),
    ("allow-weak-algorithms", |order, word| truth(word).map(|allow| order.parameters.allow_weak_algorithms = allow)),
    ("timestamp-digest", |order, name| digest_function(name).map(|function| order.timestamp_digest = function)),
    ("timestamp-policy", |order, oid| {
        order.timestamp_policy = Some(oid.to_owned());
        Ok(())
    }),
    ("timestamp-nonce", |order, word| truth(word).map(|nonce| order.timestamp_nonce = nonce)),
    ("mime-type", |order, kind| {
        order.cades.mime_type = Some(kind.to_owned());
        Ok(())
    }),
    ("description", |order, text| {
        order.cades.description = Some(text.to_owned());
        Ok(())
    }),
    ("field", |order, name| {
        order.field.named = Some(name.to_owned());
        Ok(())
    }),
    ("only-empty-field", |order, word| truth(word).map(|only| order.field.only_empty = only)),
    ("new-field", |order, name| {
        order.new_field().name = Some(name.to_owned());
        Ok(())
    }),
    ("tooltip", |order, text| {
        order.new_field().tooltip = Some(text.to_owned());
        Ok(())
    }),
    ("page", |order, text| number(text).map(|page| order.new_field().page = page)),
    ("box", |order, text| {
        let [left, top, width, height] = four(text)?;
        order.new_field().placement = Some(Placement::Displayed { left, top, width, height });
        Ok(())
    }),
    ("rectangle", |order, text| {
        let [left, bottom, right, top] = four(text)?;
        order.new_field().placement = Some(Placement::Page(Rectangle { left, bottom, right, top }));
        Ok(())
    }),
    ("allow-overlap", |order, word| truth(word).map(|allow| order.pades.allow_overlap = allow)),
    ("text", |order, text| {
        order.appearance().text = Some(text.to_owned());
        Ok(())
    }),
    ("font-size", |order, text| length(text).map(|size| order.appearance().font_size = Some(size))),
    ("colour", |order, text| colour(text).map(|colour| order.appearance().colour = colour)),
    ("background", |order, text| colour(text).map(|colour| order.appearance().background = Some(colour))),
    ("border", |order, text| length(text).map(|width| order.appearance().border = Some(width))),
    ("padding", |order, text| length(text).map(|padding| order.appearance().padding = padding)),
    ("arrangement", |order, word| {
        let known = [
            ("left", Arrangement::Left),
            ("right", Arrangement::Right),
            ("above", Arrangement::Above),
            ("behind", Arrangement::Behind),
        ];
        one_of_words(word, known).map(|arrangement| order.appearance().arrangement = arrangement)
    }),
    ("scaling", |order, word| {
        let known = [("fit", Scaling::Fit), ("stretch", Scaling::Stretch)];
        one_of_words(word, known).map(|scaling| order.appearance().scaling = scaling)
    }),
    ("alignment", |order, word| {
        let known = [("left", Alignment::Left), ("centre", Alignment::Centre), ("right", Alignment::Right)];
        one_of_words(word, known).map(|alignment| order.appearance().alignment = alignment)
    }),
    ("rotation", |order, word| {
        let known = [
            ("upright", Rotation::Upright),
            ("as-page", Rotation::AsPage),
            ("quarter", Rotation::Quarter),
            ("half", Rotation::Half),
            ("three-quarters", Rotation::ThreeQuarters),
        ];
        one_of_words(word, known).map(|rotation| order.appearance().rotation = rotation)
    }),
    ("reason", |order, text| {
        order.pades.reason = Some(text.to_owned());
        Ok(())
    }),
    ("contact-info", |order, text| {
        order.pades.contact_info = Some(text.to_owned());
        Ok(())
    }),
    ("signer-name", |order, text| {
        order.pades.signer_name = Some(text.to_owned());
        Ok(())
    }),
    ("application", |order, text| {
        order.pades.application = Some(text.to_owned());
        Ok(())
    }),
    ("certify", |order, word| permission(word).map(|permission| order.pades.certify = Some(permission))),
    ("lock", |order, word| {
        let known = [("all", LockAction::All), ("include", LockAction::Include), ("exclude", LockAction::Exclude)];
        let action = one_of_words(word, known)?;
        let empty = Lock { action, fields: vec![], permissions: None };
        order.pades.lock.get_or_insert(empty).action = action;
        Ok(())
    }),
    ("lock-field", |order, name| {
        let empty = Lock { action: LockAction::Include, fields: vec![], permissions: None };
        order.pades.lock.get_or_insert(empty).fields.push(name.to_owned());
        Ok(())
    }),
    ("obey-seed-values", |order, word| truth(word).map(|obey| order.pades.obey_seed_values = obey)),
    ("reserved", |order, text| number(text).map(|bytes| order.pades.reserved = Some(bytes))),
    ("timestamp-room", |order, text| number(text).map(|bytes| order.pades.timestamp = Some(bytes))),
    ("utc-offset", |order, text| number(text).map(|minutes| order.pades.utc_offset = minutes)),
    ("allow-hybrid", |order, word| truth(word).map(|allow| order.pades.allow_hybrid = allow)),
    ("extensions", |order, word| {
        let known = [
            ("automatic", Extensions::Automatic),
            ("none", Extensions::None),
            ("etsi", Extensions::Etsi),
            ("adobe", Extensions::Adobe),
        ];
        one_of_words(word, known).map(|extensions| order.pades.extensions = extensions)
    }),
];

/// The options that are no texts. The header lists them at lacre_signing_set_bytes().
const BYTES: &[(&str, Setting<Order, [u8]>)] = &[
    ("content-digest", |order, digest| {
        order.content_digest = Some(digest.to_vec());
        Ok(())
    }),
    ("content-timestamp", |order, token| {
        order.parameters.content_timestamps.push(token.to_vec());
        Ok(())
    }),
    ("policy-document", |order, document| {
        order.policy.document = Some(document.to_vec());
        Ok(())
    }),
    ("content-identifier", |order, identifier| {
        order.cades.identifier = Some(identifier.to_vec());
        Ok(())
    }),
    ("content-reference", |order, file| {
        let reference = cades::ContentReference::to(&decode_pem(file), None);
        order.cades.reference = Some(reference.map_err(|error| error.to_string())?);
        Ok(())
    }),
    ("certified-attributes", |order, certificate| {
        order.parameters.certified_attributes.push(decode_pem(certificate).into_owned());
        Ok(())
    }),
    ("picture", |order, picture| {
        order.appearance().picture = Some(picture.to_vec());
        Ok(())
    }),
    ("font", |order, font| {
        order.appearance().font = Some(font.to_vec());
        Ok(())
    }),
];

/// What CMS signatures outside of a PDF have no place for.
const PDF_ALONE: &[&str] = &[
    "field",
    "only-empty-field",
    "new-field",
    "tooltip",
    "page",
    "box",
    "rectangle",
    "allow-overlap",
    "text",
    "font-size",
    "colour",
    "background",
    "border",
    "padding",
    "arrangement",
    "scaling",
    "alignment",
    "rotation",
    "reason",
    "contact-info",
    "signer-name",
    "application",
    "certify",
    "lock",
    "lock-field",
    "obey-seed-values",
    "reserved",
    "timestamp-room",
    "utc-offset",
    "allow-hybrid",
    "extensions",
    "picture",
    "font",
];

/// What signatures in a PDF have no place for.
const CMS_ALONE: &[&str] =
    &["signature", "mime-type", "description", "content-identifier", "content-reference", "content-digest"];

fn wrong(found: &str, expected: &str) -> String {
    format!("{found:?}, expected {expected}")
}

/// Reads a commitment type from its name (EN 319 122-1 §5.2.3) or object identifier.
fn commitment(word: &str) -> Result<Commitment, String> {
    if word.contains('.') {
        return Ok(Commitment::Other(word.to_owned()));
    }
    let known = [
        ("origin", Commitment::ProofOfOrigin),
        ("receipt", Commitment::ProofOfReceipt),
        ("delivery", Commitment::ProofOfDelivery),
        ("sender", Commitment::ProofOfSender),
        ("approval", Commitment::ProofOfApproval),
        ("creation", Commitment::ProofOfCreation),
    ];
    one_of_words(word, known).map_err(|error| format!("{error}, or an object identifier"))
}

/// Reads `P` of ISO 32000-1 table 254.
fn permission(word: &str) -> Result<Permission, String> {
    one_of_words(word, [("1", Permission::NoChange), ("2", Permission::MinimalChanges), ("3", Permission::Changes)])
}

/// Reads four lengths in points.
fn four(text: &str) -> Result<[f64; 4], String> {
    let lengths: Option<Vec<f64>> = text.split(',').map(|part| length(part).ok()).collect();
    let lengths: Option<[f64; 4]> = lengths.and_then(|lengths| lengths.try_into().ok());
    lengths.ok_or_else(|| wrong(text, "four numbers with commas between"))
}

/// Reads a colour as in `#1a73e8`.
fn colour(text: &str) -> Result<Colour, String> {
    let digits = text.strip_prefix('#').and_then(|digits| bytes_of_hex(digits).ok());
    match digits.as_deref() {
        Some([red, green, blue]) => Ok(Colour { red: *red, green: *green, blue: *blue }),
        _ => Err(wrong(text, "a colour as in #1a73e8")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::lacre_status::*;
    use lacre::Time;

    fn order() -> Order {
        Order::new(SignatureParameters::new(Time::from_millis(0)))
    }

    fn set(settings: &[(&str, &str)]) -> Result<Order, Failure> {
        let mut order = order();
        settings.iter().try_for_each(|(key, value)| order.set(key, value))?;
        Ok(order)
    }

    #[test]
    fn every_option_has_one_name_and_a_known_format() {
        let names: Vec<&str> = TEXTS.iter().map(|row| row.0).chain(BYTES.iter().map(|row| row.0)).collect();
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{name} stands twice");
        }
        for name in PDF_ALONE.iter().chain(CMS_ALONE) {
            assert!(names.contains(name), "{name} is no option");
        }
    }

    /// lacre_signing_set() and lacre_signing_set_bytes() say which options there are.
    #[test]
    fn the_header_lists_every_option() {
        let source = include_str!("mod.rs");
        for name in TEXTS.iter().map(|row| row.0).chain(BYTES.iter().map(|row| row.0)) {
            assert!(source.contains(&format!("/// - `{name}`")), "the documentation does not list {name}");
        }
    }

    #[test]
    fn values_are_checked() {
        let bad = [
            ("packaging", "attached"),
            ("commitment", "love"),
            ("policy-digest", "SHA256"),
            ("policy-digest", "MD6:00"),
            ("policy-digest", "SHA256:0g"),
            ("certificates", "all"),
            ("allow-weak-algorithms", "yes"),
            ("page", "first"),
            ("page", "99999999999"),
            ("box", "1,2,3"),
            ("box", "1,2,3,inf"),
            ("colour", "blue"),
            ("colour", "#12345"),
            ("colour", "#é1234"),
            ("font-size", "NaN"),
            ("certify", "4"),
            ("utc-offset", "40000"),
            ("no-such-option", "1"),
        ];
        for (key, value) in bad {
            let mut order = order();
            let refused = order.set(key, value).map_err(|failure| failure.code);
            assert_eq!(refused, Err(LACRE_ERROR_INVALID_ARGUMENT), "{key}={value}");
            assert!(order.for_pdf.is_none() && order.field.new.is_none(), "{key}={value}: the order is as it was");
        }
    }

    #[test]
    fn options_are_of_a_format() {
        let of_pdf = set(&[("reason", "approved")]).expect("it is an option");
        assert!(of_pdf.cades().is_err() && of_pdf.pades().is_ok());
        let of_cms = set(&[("mime-type", "text/plain")]).expect("it is an option");
        assert!(of_cms.pades().is_err() && of_cms.cades().is_ok());
        let both = set(&[("role", "director"), ("locality", "Porto")]).expect("they are options");
        assert!(both.pades().is_ok() && both.cades().is_ok());
    }

    #[test]
    fn a_field_is_there_or_new() {
        let field = |settings: &[(&str, &str)]| {
            let options = set(settings).and_then(|order| order.pades());
            options.map(|options| options.field).map_err(|failure| failure.code)
        };
        assert_eq!(field(&[("field", "A")]), Ok(Field::Named("A".into())));
        assert_eq!(field(&[("only-empty-field", "true")]), Ok(Field::OnlyEmpty));
        let mut new = NewField::default();
        (new.name, new.page) = (Some("B".into()), -1);
        new.placement = Some(Placement::Displayed { left: 1.0, top: 2.0, width: 30.0, height: 4.5 });
        assert_eq!(field(&[("new-field", "B"), ("page", "-1"), ("box", "1, 2,30,4.5")]), Ok(Field::New(new)));
        assert_eq!(field(&[("field", "A"), ("page", "2")]), Err(LACRE_ERROR_SIGNING));
        assert_eq!(field(&[("field", "A"), ("only-empty-field", "true")]), Err(LACRE_ERROR_SIGNING));
    }

    #[test]
    fn a_policy_is_whole() {
        let policy = |settings: &[(&str, &str)]| {
            let parameters = set(settings).and_then(|order| order.parameters());
            parameters.map(|parameters| parameters.policy).map_err(|failure| failure.code)
        };
        assert_eq!(policy(&[]), Ok(None));
        assert_eq!(policy(&[("policy", "implied")]), Ok(Some(SignaturePolicy::Implied)));
        assert!(matches!(
            policy(&[("policy", "1.2.3"), ("policy-digest", "SHA-256:00ff"), ("policy-uri", "https://p.example")]),
            Ok(Some(SignaturePolicy::Explicit(_)))
        ));
        for parts in [
            &[("policy", "1.2.3")][..],
            &[("policy-uri", "https://p.example")],
            &[("policy", "implied"), ("policy-user-notice", "read")],
        ] {
            assert_eq!(policy(parts), Err(LACRE_ERROR_SIGNING), "{parts:?}");
        }
    }
}
