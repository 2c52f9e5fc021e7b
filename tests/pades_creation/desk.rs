//! Who signs, what is signed, and what each signature has to be.

use lacre::signing::pades::{self, Appearance, Field, NewField, Options, Placement};
use lacre::signing::{
    DigestAlgorithm, KeyAlgorithm, Prepared, SignatureAlgorithm, SignatureParameters, Signer, SigningError,
    SigningErrorCode as Code,
};
use lacre::{Budget, Document, Facts};
use lacre_core::x509::Certificate;
use lacre_testkit::lab::{AT, Lab, SIGNED};
use lacre_testkit::pdf::{self, Form, Objects, Pdf, objects};
use lacre_testkit::pki::Entity;

/// Signs as somebody of the laboratory.
pub struct Desk {
    pub lab: Lab,
}

impl Desk {
    pub fn new() -> Self {
        Self { lab: Lab::new() }
    }

    pub fn signer(&self, entity: &Entity) -> Signer {
        let certificate = Certificate::from_der(&entity.certificate).expect("a certificate");
        let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha256));
        let root = Certificate::from_der(&self.lab.root.certificate).expect("a certificate");
        Signer::new(certificate, algorithm).expect("a signer").with_chain(vec![root])
    }

    pub fn parameters(&self) -> SignatureParameters {
        SignatureParameters::new(SIGNED.parse().expect("a time"))
    }

    pub fn prepared(&self, document: &Document<'_>, options: &Options, by: &Entity) -> Result<Prepared, SigningError> {
        pades::prepare(document, &self.parameters(), options, &self.signer(by), &Budget::default())
    }

    pub fn try_sign(&self, document: &Document<'_>, options: &Options, by: &Entity) -> Result<Vec<u8>, SigningError> {
        let prepared = self.prepared(document, options, by)?;
        let output = prepared.finish(document, &by.key.sign(prepared.to_be_signed()))?;
        Ok(output.to_vec(document.bytes()))
    }

    pub fn sign(&self, bytes: &[u8], options: &Options) -> Vec<u8> {
        self.try_sign(&Document::new(bytes), options, &self.lab.alice).unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn facts(&self, document: &Document<'_>) -> Facts {
        self.lab.validator().facts(document, AT.parse().expect("a time")).expect("a document that is read")
    }

    /// Checks that every signature is PAdES-BASELINE-B, intact, and that nothing but signatures came after it.
    pub fn check(&self, situation: &str, document: &Document<'_>, count: usize) {
        let facts = self.facts(document);
        assert_eq!(facts.irregularities.len(), 0, "{situation}: {:?}", facts.irregularities);
        assert_eq!(facts.signatures.len(), count, "{situation}: signatures");
        for signature in &facts.signatures {
            let level = signature.level.map(|level| level.to_string());
            assert_eq!(level.as_deref(), Some("PAdES-BASELINE-B"), "{situation}");
            assert!(signature.basic.intact && signature.basic.valid, "{situation}: value and digest");
            let revision = signature.pdf_revision.as_ref().expect("a PDF");
            assert_eq!(revision.byte_range_valid, Some(true), "{situation}: byte range");
            assert!(revision.dictionary_consistent, "{situation}: the dictionary");
            let changes = revision.modifications.clone().unwrap_or_default();
            let objects = changes.objects.expect("objects were compared");
            assert_eq!(objects.undefined, vec![], "{situation}: undefined changes");
            assert_eq!(objects.annotation, vec![], "{situation}: annotations");
            assert_eq!(changes.page_differences, Vec::<u32>::new(), "{situation}");
            assert_eq!(changes.visual_differences, Vec::<u32>::new(), "{situation}");
            let ranges = &revision.byte_range;
            if signature.id == facts.signatures[count - 1].id {
                assert_eq!(ranges[2] + ranges[3], document.bytes().len() as i64, "{situation}: the whole file");
            }
        }
    }

    /// Signs, checks, and signs a second time as Bob.
    pub fn check_signed(&self, situation: &str, bytes: &[u8], options: &Options) -> Vec<u8> {
        let signed = self.sign(bytes, options);
        assert!(signed.starts_with(bytes), "{situation}: what was there stays as it is");
        assert_eq!(signed, self.sign(bytes, options), "{situation}: the same again is the same bytes");
        self.check(situation, &Document::new(&signed), 1);
        let document = Document::new(&signed);
        let again = self.try_sign(&document, &Options::default(), &self.lab.bob);
        let again = again.unwrap_or_else(|error| panic!("{situation}: {error}"));
        self.check(&format!("{situation}, and again"), &Document::new(&again), 2);
        signed
    }

    pub fn refusal(&self, bytes: &[u8], options: &Options) -> Option<Code> {
        self.try_sign(&Document::new(bytes), options, &self.lab.alice).err().map(|error| error.code())
    }
}

pub fn named(name: &str) -> Options {
    let mut options = Options::default();
    options.field = Field::Named(name.into());
    options
}

pub fn new_field(change: impl FnOnce(&mut NewField)) -> Options {
    let mut field = NewField::default();
    change(&mut field);
    let mut options = Options::default();
    options.field = Field::New(field);
    options
}

pub fn with(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// The usual page, its catalog, page and more objects written so.
pub fn document(catalog: &str, page: &str, more: &[(u32, &str)], form: Form) -> Pdf {
    let page =
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.275590551181102 842] /Contents 4 0 R {page} >>");
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>");
    let mut changes = objects(&[(1, &catalog), (3, &page)]);
    changes.extend(objects(more));
    Pdf::of(Pdf::page("The parties agree.", changes).objects, form)
}

/// A document of so many pages, in a tree of two levels.
pub fn pages(count: u32) -> Vec<u8> {
    let mut all = Objects::new();
    let mut groups = vec![];
    for group in 0..count / 100 {
        let node = 10 + group;
        let kids: Vec<u32> = (0..100).map(|page| 1000 + group * 100 + page).collect();
        for kid in &kids {
            let text = format!("<< /Type /Page /Parent {node} 0 R >>");
            all.insert(*kid, pdf::object(&text));
        }
        let kids: Vec<String> = kids.iter().map(|kid| format!("{kid} 0 R")).collect();
        let text = format!("<< /Type /Pages /Parent 2 0 R /Count 100 /Kids [{}] >>", kids.join(" "));
        all.insert(node, pdf::object(&text));
        groups.push(format!("{node} 0 R"));
    }
    all.insert(1, pdf::object("<< /Type /Catalog /Pages 2 0 R >>"));
    let kids = groups.join(" ");
    let root = format!("<< /Type /Pages /Count {count} /MediaBox [0 0 100 100] /Kids [{kids}] >>");
    all.insert(2, pdf::object(&root));
    Pdf::of(all, Form::Table).bytes
}

/// A document with a signature field as object 7, in a form as object 8.
pub fn with_field(entries: &str, more: &[(u32, &str)]) -> Vec<u8> {
    let field =
        format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Here) /Rect [10 10 90 40] /F 4 /P 3 0 R {entries} >>");
    let mut all = vec![(7, &field[..]), (8, "<< /Fields [7 0 R] /SigFlags 1 >>")];
    all.extend_from_slice(more);
    document("/AcroForm 8 0 R", "/Annots [7 0 R]", &all, Form::Table).bytes
}

/// An option set with a field of 200 by 80 points, and this appearance.
pub fn visible(appearance: Appearance) -> Options {
    let placement = Placement::Displayed { left: 50.0, top: 100.0, width: 200.0, height: 80.0 };
    let mut options = new_field(|field| field.placement = Some(placement));
    options.appearance = Some(appearance);
    options
}

pub fn picture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pictures/");
    std::fs::read(format!("{folder}{name}")).expect("a picture of the tests")
}
