//! Writes audit entries in batches, so that many requests share one wait for the disk.
//!
//! One task writes all events that arrived meanwhile in one transaction. A request is answered only once its
//! transaction is on the disk.

use crate::audit::Event;
use crate::storage::{Recorded, StorageError, Store};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Most events in one transaction: an entry has some 200 bytes, so that a batch stays far below a megabyte.
const BATCH: usize = 1024;

type Answer = Result<Recorded, StorageError>;

/// Accepts events for the task that writes them.
#[derive(Clone)]
pub struct AuditQueue(mpsc::Sender<(Event, oneshot::Sender<Answer>)>);

impl AuditQueue {
    /// Starts the task, which ends when the last clone is dropped.
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
                    // The request may be gone; its entry is written all the same.
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
