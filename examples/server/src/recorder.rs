//! Writes audit entries, many at once: whoever waits for the disk waits together.
//!
//! One task takes what has come meanwhile and writes it in one transaction. What it takes is handed out only once
//! that transaction is on the disk.

use crate::audit::Event;
use crate::storage::{Recorded, StorageError, Store};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Most events in one transaction: an entry has some 200 octets, so that a batch stays far below a megabyte.
const BATCH: usize = 1024;

type Answer = Result<Recorded, StorageError>;

/// The sender's side.
#[derive(Clone)]
pub struct Recorder(mpsc::Sender<(Event, oneshot::Sender<Answer>)>);

impl Recorder {
    /// Starts the task; it ends with the last recorder.
    pub fn start(store: Arc<dyn Store>) -> Self {
        let (sender, mut receiver) = mpsc::channel::<(Event, oneshot::Sender<Answer>)>(BATCH);
        tokio::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while receiver.recv_many(&mut batch, BATCH).await > 0 {
                let (events, waiting): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
                let answers: Vec<Answer> = match store.record(events).await {
                    Ok(recorded) => recorded.into_iter().map(Ok).collect(),
                    Err(error) => waiting.iter().map(|_| Err(error.clone())).collect(),
                };
                for (waiting, answer) in waiting.into_iter().zip(answers) {
                    // Whoever asked may have gone away; the entry is written all the same.
                    let _ = waiting.send(answer);
                }
            }
        });
        Self(sender)
    }

    /// Writes an entry; once this returns, it is on the disk.
    pub async fn record(&self, event: Event) -> Answer {
        let (sender, receiver) = oneshot::channel();
        self.0.send((event, sender)).await.map_err(|_| StorageError::Stopping)?;
        receiver.await.map_err(|_| StorageError::Stopping)?
    }
}
