//! Containers: ASiC-S and ASiC-E (EN 319 162, TS 102 918), BDOC, OpenDocument packages.
//!
//! A container is a ZIP file of contents and, in `META-INF/`, of tokens that cover them (XML or CMS signatures, time-stamps,
//! evidence records) and of manifests, which list the files that a token covers. [`Unpacked`] reads the structure and
//! unpacks tokens and manifests; contents stay where they are, and are digested as they are inflated. [`Unpacked::draft`]
//! passes every token to the reader of its format with the files that it covers, and adds what only the container knows:
//! which files a manifest lists, and which tokens a time-stamp or evidence record thereby covers.

mod code_page;
mod covered;
mod draft;
mod error;
mod irregular;
mod kind;
mod manifest;
mod name;
mod over;
mod package;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod xml_files;
pub(crate) mod zip;

pub use error::Error;
pub use zip::ZipError;

use crate::algorithm::DigestAlgorithm;
use crate::budget::Budget;
use crate::crypto::digest;
use crate::executor::{self, Executor, Sequential};
use crate::facts::{self, ContainerType, Irregularity, IrregularityKind};
use crate::formats::digest_work::DigestWork;
use crate::formats::relay::{Relay, is_shared};
use crate::formats::tsp::Token;
use crate::formats::xml;
use crate::formats::{ers, xades};
use manifest::{DataObjectReference, Manifest};
use name::Role;
use package::Package;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use xml_files::XmlFiles;
use zip::{Archive, Data, Entry};

/// Bounds the bytes of a signature, manifest or other file that has to be held. The largest in the public corpora has 3 MB.
const HELD: u64 = 64 << 20;
/// Bounds the bytes of `mimetype`. Media types are shorter than 128 (RFC 6838 §4.2).
const MEDIA_TYPE: usize = 256;

/// A container, unpacked so that what is read from it can borrow.
#[derive(Debug)]
pub struct Unpacked<'d> {
    facts: facts::Container,
    entries: Vec<Entry<'d>>,
    /// The manifests, but for those that only list the files of a package.
    manifests: Vec<Manifest>,
    tokens: Vec<TokenFile<'d>>,
    /// The digest algorithms of its time-stamps.
    imprints: BTreeSet<DigestAlgorithm>,
    irregularities: Vec<Irregularity>,
    budget: Budget,
    /// What digests may still cost.
    work: Rc<DigestWork>,
}

/// A file with signatures, a time-stamp or an evidence record.
#[derive(Debug)]
struct TokenFile<'d> {
    name: String,
    holds: Holds<'d>,
}

#[derive(Debug)]
enum Holds<'d> {
    Xades(Box<xades::Unpacked<'d>>),
    Cades(Cow<'d, [u8]>),
    Timestamp(Cow<'d, [u8]>),
    Record(Cow<'d, [u8]>),
    XmlRecord(Box<ers::XmlRecord>),
}

impl Holds<'_> {
    /// Returns the file's bytes, where they are held as they are.
    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Cades(bytes) | Self::Timestamp(bytes) | Self::Record(bytes) => Some(bytes),
            Self::Xades(_) | Self::XmlRecord(_) => None,
        }
    }
}

/// Returns the names of the manifests that say which files a token covers: the first of two for one token, and none where
/// the container has one file that is signed by itself (§4.3.3.2).
fn used<'m>(manifests: &'m [Manifest], tokens: &[TokenFile<'_>], kind: Option<ContainerType>) -> HashSet<&'m str> {
    let simple = kind == Some(ContainerType::AsicS);
    let by_list = |token: &&TokenFile<'_>| !(simple && matches!(token.holds, Holds::Cades(_)));
    let mut free: HashSet<&str> = tokens.iter().filter(by_list).map(|token| token.name.as_str()).collect();
    let claims =
        manifests.iter().filter(|manifest| manifest.signature_file.as_deref().is_some_and(|file| free.remove(file)));
    claims.map(|manifest| manifest.file.as_str()).collect()
}

impl<'d> Unpacked<'d> {
    /// Reads a container.
    ///
    /// # Errors
    ///
    /// [`Error`] where it is none, could be read in several ways, or holds a token that cannot be read.
    pub fn read(bytes: &'d [u8], name: Option<&str>, budget: &Budget) -> Result<Self, Error> {
        let work = Rc::new(DigestWork::of(budget, bytes.len() as u64));
        Self::read_with(bytes, name, budget, &work, None)
    }

    /// Reads a container; its manifests, tokens and contents are digested on the threads of `relay`, and what many may ask
    /// for is taken from `work`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_with(
        bytes: &'d [u8],
        name: Option<&str>,
        budget: &Budget,
        work: &Rc<DigestWork>,
        relay: Option<&'d Relay<'d>>,
    ) -> Result<Self, Error> {
        let archive = Archive::read_with(bytes, budget, work, relay)?;
        let executor = relay.map_or(&Sequential as &dyn Executor, Relay::executor);
        let roles: Vec<Role> = archive.entries.iter().map(|entry| Role::of(&entry.name)).collect();
        let mut irregularities = irregular::of(bytes, &archive, &roles, budget);
        irregularities.extend(archive.irregularities);
        let entries = archive.entries;
        let with =
            |role: Role| entries.iter().zip(&roles).filter(move |(_, own)| **own == role).map(|(entry, _)| entry);
        let mimetype = with(Role::Mimetype).next().map(media_type).transpose()?;
        let known = mimetype.as_deref().and_then(kind::of_media_type).is_some();
        if !known && !roles.iter().any(|role| role.is_token()) {
            let is_opc = entries.iter().any(|entry| entry.name == "[Content_Types].xml");
            return Err(if is_opc { Error::OpcPackage } else { Error::NotContainer });
        }
        irregularities.extend(with(Role::Content).filter_map(|entry| irregular::encrypted(entry, budget)));
        let contents: Vec<String> = with(Role::Content).map(|entry| entry.name.clone()).collect();
        let at_root = contents.iter().filter(|name| name::is_at_root(name)).count();
        let kind = kind::kind(mimetype.as_deref(), archive.comment.as_deref(), at_root, name);

        let mut tokens = vec![];
        let mut files = XmlFiles::new(budget, bytes.len());
        // A container has signatures of one syntax (§4.3.1, §4.4.1). Where others are among XML signatures, whoever
        // opens it as ASiC with XAdES does not see them.
        let xades = with(Role::Xades).next().is_some();
        // An evidence record that is alone has the name that §4.3.3.4 gives it. NOTE: as in EU DSS, which finds no
        // record under another name.
        let alone = !roles.iter().any(|role| matches!(role, Role::Xades | Role::Cades | Role::Timestamp));
        for (entry, role) in entries.iter().zip(&roles) {
            let counts = match role {
                Role::Cades | Role::Timestamp => !xades,
                Role::Record | Role::XmlRecord => !alone || name::is_record_alone(&entry.name),
                role => role.is_token(),
            };
            let holds = if counts { unpack(entry, *role, &mut files)? } else { None };
            if role.is_token() && holds.is_none() {
                irregularities.extend(irregular::unread(entry, *role, counts, &mut files));
            }
            tokens.extend(holds.map(|holds| TokenFile { name: entry.name.clone(), holds }));
        }
        let imprints = crate::order::set(imprints(&tokens));
        let lists = [Role::Manifest, Role::ArchiveManifest, Role::RecordManifest].map(|role| {
            let counts = !xades || role == Role::RecordManifest;
            with(role).filter(move |_| counts)
        });
        let lists: Vec<&Entry> = lists.into_iter().flatten().collect();
        let reader = manifest::Reader::new(budget, bytes.len());
        let manifests = read_manifests(&reader, &lists, &imprints, executor)?;
        irregularities.extend(manifests.iter().filter_map(|manifest| manifest.irregularity.clone()));
        digest_tokens(&entries, &tokens, &reader.into_references(), executor);
        let container = package::Container { entries: &entries, contents: &contents, media_type: mimetype.as_deref() };
        let mut listed = vec![];
        for entry in with(Role::PackageManifest) {
            listed.extend(Package::read(&entry.name, &entry.bytes(HELD)?, &mut files, &container));
        }
        irregularities.extend(listed.iter().flat_map(|list| list.irregularities.iter().cloned()));
        let used = used(&manifests, &tokens, kind);
        let others = entries.iter().zip(&roles).filter(|(_, role)| role.is_list()).map(|(entry, _)| &entry.name);
        let others = others.filter(|name| !used.contains(name.as_str()));
        let packages = with(Role::PackageManifest).filter(|_| listed.is_empty()).map(|entry| &entry.name);
        let unexpected = |name: &String| Irregularity::about(IrregularityKind::UnexpectedContainerEntry, name.as_str());
        irregularities.extend(others.chain(packages).map(unexpected));
        irregularities.extend(tokens.iter().flat_map(irregular::beside_signatures));
        irregularities.extend(tokens.iter().filter_map(irregular::behind));
        let signed = tokens.iter().filter(|token| matches!(token.holds, Holds::Xades(_)));
        package::check_listed(&listed, signed.clone().count())?;
        let signed_by =
            |list: &Package, file: &str| facts::Manifest { signature_file: Some(file.into()), ..list.facts.clone() };
        let packages = signed.flat_map(|token| listed.iter().map(move |list| signed_by(list, &token.name)));
        let facts = facts::Container {
            kind,
            zip_comment: archive.comment,
            mimetype_present: mimetype.is_some(),
            mimetype,
            manifests: packages.chain(manifests.iter().map(Manifest::facts)).collect(),
            contents,
        };
        Ok(Self {
            facts,
            entries,
            manifests,
            tokens,
            imprints,
            irregularities,
            budget: budget.clone(),
            work: work.clone(),
        })
    }

    /// Returns the facts of the container.
    pub fn facts(&self) -> &facts::Container {
        &self.facts
    }

    /// Returns which it is, an ASiC-S or an ASiC-E.
    fn kind(&self) -> Option<ContainerType> {
        self.facts.kind
    }
}

/// Reads manifests, in parallel where they are large.
fn read_manifests(
    reader: &manifest::Reader,
    entries: &[&Entry<'_>],
    imprints: &BTreeSet<DigestAlgorithm>,
    executor: &dyn Executor,
) -> Result<Vec<Manifest>, Error> {
    let lie: Vec<(&str, Data<'_>)> = entries.iter().map(|entry| (entry.name.as_str(), entry.data)).collect();
    let executor = shared(executor, lie.iter().map(|(_, data)| data.size()));
    let read = executor::map(executor, &lie, |&(name, data)| read_manifest(name, data, imprints, reader));
    let mut manifests = vec![];
    for (entry, read) in entries.iter().zip(read) {
        let (manifest, digests) = read?;
        entry.content().take_digests(digests);
        manifests.extend(manifest);
    }
    Ok(manifests)
}

/// Reads a manifest, and computes the digests of it that will be needed.
fn read_manifest(
    name: &str,
    data: Data<'_>,
    imprints: &BTreeSet<DigestAlgorithm>,
    reader: &manifest::Reader,
) -> Result<(Option<Manifest>, BTreeMap<DigestAlgorithm, Vec<u8>>), Error> {
    let bytes = data.bytes(name, HELD)?;
    let read = reader.asic(name, &bytes).map_err(|source| Error::Xml { file: name.into(), source })?;
    let mut made = BTreeMap::new();
    if data.is_digested_early() {
        // Later manifests list this one, most likely under the function under which it lists others.
        let listed = read.iter().flat_map(|list| &list.entries).filter_map(|listed| listed.digest.algorithm);
        let listed = listed.take(1).chain([DigestAlgorithm::Sha256]);
        // What takes long is made when it is asked for, within the bound.
        let asked = imprints.iter().copied().chain(listed).filter(|function| function.weight() == 1);
        let asked = crate::order::set(asked);
        made = digests(&bytes, &asked);
    }
    Ok((read, made))
}

/// Computes the digests of the tokens that manifests list, while their bytes are at hand.
fn digest_tokens(
    entries: &[Entry<'_>],
    tokens: &[TokenFile<'_>],
    listed: &[Arc<DataObjectReference>],
    executor: &dyn Executor,
) {
    let stated: HashMap<&str, DigestAlgorithm> =
        listed.iter().filter_map(|listed| Some((&*listed.uri, listed.digest.algorithm?))).collect();
    if stated.is_empty() {
        return;
    }
    let held: HashMap<&str, &[u8]> =
        tokens.iter().filter_map(|token| Some((token.name.as_str(), token.holds.bytes()?))).collect();
    let (mut entered, mut asked) = (vec![], vec![]);
    for entry in entries.iter().filter(|entry| entry.data.is_digested_early()) {
        if let Some((&bytes, &algorithm)) = held.get(&*entry.name).zip(stated.get(&*entry.name)) {
            entered.push(entry);
            let quick = [algorithm, DigestAlgorithm::Sha256].into_iter().filter(|function| function.weight() == 1);
            asked.push((bytes, crate::order::set(quick)));
        }
    }
    let executor = shared(executor, asked.iter().map(|(bytes, _)| bytes.len() as u64));
    let made = executor::map(executor, &asked, |(bytes, algorithms)| digests(bytes, algorithms));
    entered.iter().zip(made).for_each(|(entry, digests)| entry.content().take_digests(digests));
}

/// Computes digests of bytes.
fn digests(bytes: &[u8], algorithms: &BTreeSet<DigestAlgorithm>) -> BTreeMap<DigestAlgorithm, Vec<u8>> {
    crate::order::map(algorithms.iter().filter_map(|&algorithm| Some((algorithm, digest(algorithm, bytes)?))))
}

/// Returns the executor where there is much to do, else the thread of the caller.
fn shared(executor: &dyn Executor, sizes: impl Iterator<Item = u64>) -> &dyn Executor {
    if is_shared(sizes.fold(0, u64::saturating_add)) { executor } else { &Sequential }
}

fn imprints(tokens: &[TokenFile<'_>]) -> impl Iterator<Item = DigestAlgorithm> {
    tokens.iter().filter_map(|file| match &file.holds {
        Holds::Timestamp(bytes) => Token::parse(bytes).ok()?.info.imprint.algorithm,
        _ => None,
    })
}

fn media_type(entry: &Entry<'_>) -> Result<String, Error> {
    let bytes = entry.bytes(MEDIA_TYPE as u64)?;
    let text = bytes.get(..MEDIA_TYPE.min(bytes.len())).unwrap_or_default();
    Ok(String::from_utf8_lossy(text).into_owned())
}

/// Reads the file of a token; `None` for XML without a signature in it.
fn unpack<'d>(entry: &Entry<'d>, role: Role, files: &mut XmlFiles) -> Result<Option<Holds<'d>>, Error> {
    let bytes = entry.bytes(HELD)?;
    let file = || entry.name.clone();
    Ok(match role {
        Role::Xades => {
            let tree = files.read(bytes).map_err(|source| Error::Xml { file: file(), source })?;
            let xades::Root::Signed(signed) = xades::Unpacked::of(tree) else { return Ok(None) };
            xml::structure::check(signed.tree()).map_err(|source| Error::Form { file: file(), source })?;
            Some(Holds::Xades(Box::new(signed)))
        }
        Role::XmlRecord => {
            let read = files.read(&bytes[..]).map_err(ers::XmlError::Xml);
            let read = read.and_then(|tree| ers::XmlRecord::of(&tree, &bytes));
            match read.map_err(|source| Error::XmlRecord { file: file(), source }) {
                Err(error) if error.bound().is_some() => return Err(error),
                // A file that is no evidence record is reported, and does not hide the rest of the container.
                Err(_) => None,
                Ok(read) => read.map(|record| Holds::XmlRecord(Box::new(record))),
            }
        }
        Role::Cades => Some(Holds::Cades(bytes)),
        Role::Timestamp => Some(Holds::Timestamp(bytes)),
        Role::Record => Some(Holds::Record(bytes)),
        _ => None,
    })
}
