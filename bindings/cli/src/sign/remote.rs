//! Files signed by a service: as many by one authorisation as it allows.

use super::Arguments;
use super::csc::RemoteKey;
use super::job::{Begun, Job};
use crate::error::CliError;
use crate::exit_status::ExitStatus;
use crate::made::{Made, MadeFiles};
use crate::output::WriteError;
use lacre::signing::Signer;
use std::path::Path;

/// Files that are open at the same time.
const OPEN: usize = 32;

/// Signs the files, and writes what came of them.
pub fn sign(arguments: &Arguments, signer: Signer, key: &mut RemoteKey) -> Result<ExitStatus, CliError> {
    let job = Job::new(arguments, signer)?;
    let mut results = MadeFiles::new(&arguments.files, arguments.json);
    let files: Vec<(usize, &Path)> = arguments.files.iter().map(|path| &**path).enumerate().collect();
    let mut written = Ok(());
    for some in files.chunks(key.at_once().min(OPEN)) {
        let made = together(&job, key, some);
        written = some.iter().zip(made).try_for_each(|((index, _), made)| results.write(*index, &made));
        if written.is_err() {
            break;
        }
    }
    match written.and_then(|()| results.finish()) {
        Err(WriteError::Failed(error)) => Err(error),
        Ok(()) | Err(WriteError::ReaderGone) => Ok(results.status()),
    }
}

/// Signs files by one authorisation: the ones that can be.
fn together(job: &Job<'_>, key: &mut RemoteKey, files: &[(usize, &Path)]) -> Vec<Result<Made, CliError>> {
    let begin = |(index, path): &(usize, &Path)| {
        job.check_not_refused(path)?;
        job.begin(*index, path)
    };
    let begun: Vec<Result<Begun, CliError>> = files.iter().map(begin).collect();
    let values = values(job, key, &begun);
    let mut values = values.into_iter();
    let complete = |((_, path), begun): (&(usize, &Path), Result<Begun, CliError>)| {
        let begun = begun?;
        let value = values.next().unwrap_or_else(|| Err(CliError::plain("found no value, expected one")));
        job.complete(path, begun, &value.map_err(|error| error.about(path))?)
    };
    files.iter().zip(begun).map(complete).collect()
}

/// Returns the values of those files that are prepared, in their order.
fn values(job: &Job<'_>, key: &mut RemoteKey, begun: &[Result<Begun, CliError>]) -> Vec<Result<Vec<u8>, CliError>> {
    let prepared: Vec<_> = begun.iter().flatten().map(|begun| &begun.prepared).collect();
    let Some(first) = prepared.first() else { return vec![] };
    let digests = prepared.iter().map(|prepared| prepared.digest()).collect();
    let signed = first.algorithm().digest.ok_or_else(|| CliError::plain("found no digest function, expected one"));
    match signed.and_then(|function| key.sign(first.algorithm(), function, digests)) {
        Ok(values) => values.into_iter().map(Ok).collect(),
        Err(error) => {
            job.refuse();
            vec![Err(error); prepared.len()]
        }
    }
}
