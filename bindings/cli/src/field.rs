//! `lacre field`: empty signature fields in PDF files.

use crate::authority::digest_function;
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::input::{self, DocumentOptions};
use crate::made::{self, Made};
use crate::outputs::{Ending, OutputArguments, Outputs};
use crate::sign::pdf::{lock, permission, placement};
use lacre::signing::DigestAlgorithm;
use lacre::signing::pades::{
    AddedField, EmptyField, Lock, LockAction, NewField, Permission, Placement, SeedValues, add_field,
};
use lacre::{Budget, Document};
use std::path::{Path, PathBuf};
use std::thread;

/// Puts empty signature fields into PDF files.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The PDF files. `-` reads standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The name of the field; dots separate those of its parents. Default: Signature1, or the next that is free.
    #[arg(long)]
    name: Option<String>,
    /// What the field is for, read out to those who do not see.
    #[arg(long, value_name = "TEXT")]
    tooltip: Option<String>,
    /// Its page, counted from 1; from the last page on with -1.
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, default_value_t = 1)]
    page: i32,
    /// Where it is seen: how far its corner is from the left and the upper edge of the page, its width and its height, in
    /// points (72 an inch). Default: it is not seen.
    #[arg(long = "box", value_name = "X,Y,W,H", value_parser = placement, allow_hyphen_values = true)]
    place_on_page: Option<Placement>,
    /// Let it lie on top of other fields and of notes.
    #[arg(long)]
    overlap: bool,
    /// Print results as JSON, one object a line.
    #[arg(long)]
    json: bool,
    /// The password of encrypted PDF files.
    #[arg(long, value_name = "PW")]
    password: Option<String>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten, next_help_heading = "What holds once the field is signed")]
    locked: LockArguments,
    #[command(flatten, next_help_heading = "What the field asks of its signer")]
    asked: AskArguments,
}

/// What nobody may change afterwards.
#[derive(Debug, clap::Args)]
struct LockArguments {
    /// Lock fields against changes: all, or their names, with commas between.
    #[arg(long, value_name = "all|NAME,…", value_parser = lock)]
    lock: Option<Lock>,
    /// Lock all fields but these.
    #[arg(long, value_name = "NAME,…", value_parser = lock_except, conflicts_with = "lock")]
    lock_except: Option<Lock>,
    /// What is still permitted to all: 1 nothing, 2 filling in and signing, 3 comments, too.
    #[arg(long, value_name = "1|2|3", value_parser = permission)]
    permit: Option<Permission>,
}

/// What a signer has to do.
#[derive(Debug, clap::Args)]
struct AskArguments {
    /// A reason that can be chosen.
    #[arg(long, value_name = "TEXT")]
    ask_reason: Vec<String>,
    /// A digest function that is allowed.
    #[arg(long, value_name = "NAME", value_parser = digest_function)]
    ask_digest: Vec<DigestAlgorithm>,
    /// What the signer is to certify: 0 nothing; 1 to 3 as --certify of `lacre sign`. It is always required.
    #[arg(long, value_name = "0|1|2|3", value_parser = clap::value_parser!(i64).range(0..=3))]
    ask_certify: Option<i64>,
    /// A signature PAdES (ETSI.CAdES.detached).
    #[arg(long)]
    ask_pades: bool,
    /// A time-stamp in the signature, and the address of the authority.
    #[arg(long, value_name = "URL")]
    ask_timestamp: Option<String>,
    /// Take what is asked for as advice.
    #[arg(long)]
    advice: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitStatus, CliError> {
    let field = arguments.field()?;
    let options = DocumentOptions::open(&[], arguments.password.as_deref())?;
    let outputs = Outputs::new(&arguments.output, &arguments.files, "field")?;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    made::each(&arguments.files, arguments.json, workers, |index, path| add(&outputs, &options, &field, index, path))
}

/// Puts the field into a file.
fn add(
    outputs: &Outputs,
    options: &DocumentOptions,
    field: &EmptyField,
    index: usize,
    path: &Path,
) -> Result<Made, CliError> {
    let bytes = input::open(path)?;
    let mut file = outputs.begin(index, path, Ending::Same)?;
    let added = add_field(&options.apply(Document::new(&bytes)), field, &Budget::default());
    let AddedField { name, output, is_after_signature, .. } =
        added.map_err(|error| CliError::of_signing(path, &error))?;
    file.write(output.parts(&bytes))?;
    drop(bytes);
    let output = file.path().to_path_buf();
    file.finish()?;
    let mut notes = vec![];
    if field.field.name.is_none() {
        notes.push(format!("the field is {name}"));
    }
    if is_after_signature {
        notes.push("it is signed already, and the new field is reported as a change since then".to_owned());
    }
    Ok(Made { level: None, field: Some(name), output, signatures: vec![], status: ExitStatus::Passed, notes })
}

impl Arguments {
    fn field(&self) -> Result<EmptyField, CliError> {
        let mut new = NewField::default();
        new.name.clone_from(&self.name);
        new.tooltip.clone_from(&self.tooltip);
        new.page = self.page;
        new.placement = self.place_on_page;
        let mut field = EmptyField::from(new);
        field.lock = self.locked.lock()?;
        field.seed_values = self.asked.seed_values();
        field.allow_overlap = self.overlap;
        Ok(field)
    }
}

impl LockArguments {
    fn lock(&self) -> Result<Option<Lock>, CliError> {
        match (self.lock.as_ref().or(self.lock_except.as_ref()), self.permit) {
            (None, Some(_)) => {
                let error = "found --permit without a lock, expected --lock or --lock-except beside it";
                Err(CliError::plain(error).hint(Some("--lock all locks every field")))
            }
            (lock, permissions) => Ok(lock.map(|lock| Lock { permissions, ..lock.clone() })),
        }
    }
}

impl AskArguments {
    fn seed_values(&self) -> SeedValues {
        let mut values = SeedValues::default();
        values.reasons = (!self.ask_reason.is_empty()).then(|| self.ask_reason.clone());
        values.digests = self.ask_digest.iter().map(|function| function.as_str().to_owned()).collect();
        values.certify = self.ask_certify;
        values.timestamp_url.clone_from(&self.ask_timestamp);
        if self.ask_pades {
            values.sub_filters = vec!["ETSI.CAdES.detached".to_owned()];
        }
        if self.advice { values } else { values.required() }
    }
}

fn lock_except(text: &str) -> Result<Lock, String> {
    match lock(text)? {
        lock if lock.action == LockAction::All => Err("expected names of fields with commas between".into()),
        lock => Ok(Lock { action: LockAction::Exclude, ..lock }),
    }
}
