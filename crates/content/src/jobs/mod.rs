//! One file per job.

mod cancel_uploads;
mod fetch_poster;
mod give_up;
mod process;
mod purge;
mod purge_content;
mod purge_images;
mod remove;
mod remove_captions;
mod remove_rendition;
mod reprocess;

use ::jobs::{Handlers, JobError, Queue};
use kernel::{DAY, HOUR};

pub use cancel_uploads::CancelUploads;
pub use fetch_poster::FetchPoster;
pub use give_up::{HEARTBEAT_TIMEOUT, is_waiting};
pub use process::ProcessFile;
pub use purge::{DELETED_LIFETIME, RESTORABLE, run as purge};
pub use purge_content::PurgeContent;
pub use purge_images::run as purge_images;
pub use remove::RemoveFile;
pub use remove_captions::RemoveCaptions;
pub use remove_rendition::RemoveRendition;
pub use reprocess::{Requeue, requeue};

use crate::Content;

impl Content {
    /// Runs the hourly and daily cleanup now, for the command line and for tests. What fails is retried next
    /// time.
    pub async fn purge(&self) -> Result<(), JobError> {
        purge(self.clone()).await?;
        purge_images(self.clone()).await
    }

    /// Registers the job handlers of this crate.
    pub fn register(&self, handlers: &mut Handlers) {
        let processor = self.clone();
        handlers.on_attempt(Queue::Heavy, move |job: ProcessFile, attempt| {
            process::run(processor.clone(), job, attempt)
        });
        let fetcher = self.clone();
        handlers.on_attempt(Queue::Quick, move |job: FetchPoster, attempt| {
            fetch_poster::run(fetcher.clone(), job, attempt)
        });
        let remover = self.clone();
        handlers.on(Queue::Quick, move |job: RemoveFile| remove::run(remover.clone(), job));
        let sweeper = self.clone();
        handlers.on(Queue::Quick, move |job: RemoveRendition| remove_rendition::run(sweeper.clone(), job));
        let eraser = self.clone();
        handlers.on(Queue::Quick, move |job: RemoveCaptions| remove_captions::run(eraser.clone(), job));
        let canceller = self.clone();
        handlers.on(Queue::Quick, move |job: CancelUploads| cancel_uploads::run(canceller.clone(), job));
        let cleaner = self.clone();
        handlers.on(Queue::Quick, move |job: PurgeContent| purge_content::run(cleaner.clone(), job));
        let (asked, purger) = (self.clone(), self.clone());
        let has_work = move || purge::sweep_and_ask(asked.clone());
        handlers.every_if("purge_content", HOUR, Queue::Quick, has_work, move || purge(purger.clone()));
        let (asked, tidier) = (self.clone(), self.clone());
        let has_work = move || purge_images::has_work(asked.clone());
        handlers.every_if("purge_images", DAY, Queue::Quick, has_work, move || purge_images(tidier.clone()));
    }
}
