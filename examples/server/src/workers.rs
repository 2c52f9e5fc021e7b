//! Who does the calculating: so many jobs at once, so many waiting, and no more.

use crate::http::failure::Failure;
use crate::http::problem;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Bounds the jobs in flight.
#[derive(Debug, Clone)]
pub struct Workers {
    /// Jobs that run or wait.
    admitted: Arc<Semaphore>,
    /// Jobs that run.
    running: Arc<Semaphore>,
}

impl Workers {
    /// Admits so many jobs at once, and so many that wait for their turn.
    pub fn new(at_once: usize, waiting: usize) -> Self {
        Self { admitted: Arc::new(Semaphore::new(at_once + waiting)), running: Arc::new(Semaphore::new(at_once)) }
    }

    /// Checks that a job would be taken now: asked before a body is read, so that a full server does not read it.
    ///
    /// # Errors
    ///
    /// 503 when not.
    pub fn room(&self) -> Result<(), Failure> {
        if self.admitted.available_permits() > 0 { Ok(()) } else { Err(full()) }
    }

    /// Runs a job on a thread of its own.
    ///
    /// # Errors
    ///
    /// 503 when too many wait already; 500 when the job panics.
    pub async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let admitted = self.admitted.clone().try_acquire_owned().map_err(|_| full())?;
        let running = self.running.clone().acquire_owned().await.map_err(Failure::internal)?;
        // The permits go with the job: who hangs up does not make room before the job has ended.
        let done = tokio::task::spawn_blocking(move || {
            let _permits = (admitted, running);
            job()
        });
        done.await.map_err(|_| Failure::internal("a worker panicked"))
    }
}

fn full() -> Failure {
    Failure::of(problem::FULL, "every worker is busy and the queue is full")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_full_server_says_so_and_recovers() {
        let workers = Workers::new(1, 1);
        let (release, wait) = mpsc::channel::<()>();
        let first = tokio::spawn({
            let workers = workers.clone();
            async move { workers.run(move || wait.recv().is_ok()).await }
        });
        while workers.running.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let second = tokio::spawn({
            let workers = workers.clone();
            async move { workers.run(|| 2).await }
        });
        while workers.room().is_ok() {
            tokio::task::yield_now().await;
        }
        assert_eq!(workers.run(|| 3).await, Err(full()));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(true));
        assert_eq!(second.await.unwrap(), Ok(2));
        assert_eq!(workers.run(|| 4).await, Ok(4));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_and_gives_its_place_back() {
        let workers = Workers::new(1, 0);
        let failed: Result<(), _> = workers.run(|| panic!("a test")).await;
        assert_eq!(failed, Err(Failure::internal("a worker panicked")));
        assert_eq!(workers.run(|| 1).await, Ok(1));
    }
}
