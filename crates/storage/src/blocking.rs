//! State on a thread where it may block.

use std::io;

use tokio::task::{JoinHandle, spawn_blocking};

use crate::StorageError;

/// State that is changed by background steps, one at a time.
pub(crate) enum BlockingWorker<T> {
    Idle(T),
    Busy(JoinHandle<io::Result<T>>),
    /// The previous step failed or was never awaited to its end, so the state is gone.
    Lost,
}

impl<T: Send + 'static> BlockingWorker<T> {
    pub(crate) fn new(state: T) -> Self {
        Self::Idle(state)
    }

    /// Waits for the previous step and starts this one.
    pub(crate) async fn run(
        &mut self,
        step: impl FnOnce(&mut T) -> io::Result<()> + Send + 'static,
    ) -> Result<(), StorageError> {
        let mut state = self.take().await?;
        *self = Self::Busy(spawn_blocking(move || step(&mut state).map(|()| state)));
        Ok(())
    }

    /// Waits for the last step and takes the state out.
    pub(crate) async fn take(&mut self) -> Result<T, StorageError> {
        match std::mem::replace(self, Self::Lost) {
            Self::Idle(state) => Ok(state),
            Self::Busy(step) => Ok(step.await??),
            Self::Lost => Err(StorageError::Stopped),
        }
    }
}
