//! One file per job.

mod cancel_uploads;
mod give_up;
mod process;
mod purge;
mod purge_content;
mod purge_images;
mod remove;
mod remove_captions;
mod remove_rendition;

use ::jobs::{Handlers, Queue};
use kernel::{DAY, HOUR};

pub use cancel_uploads::CancelUploads;
pub use give_up::is_waiting;
pub use process::ProcessFile;
pub use purge::{DELETED_LIFETIME, RESTORABLE, run as purge};
pub use purge_content::PurgeContent;
pub use purge_images::run as purge_images;
pub use remove::RemoveFile;
pub use remove_captions::RemoveCaptions;
pub use remove_rendition::RemoveRendition;

use crate::Content;

/// Registers the job handlers of this crate.
pub fn register(content: &Content, handlers: &mut Handlers) {
    let processor = content.clone();
    handlers.on_attempt(Queue::Heavy, move |job: ProcessFile, attempt| {
        process::run(processor.clone(), job, attempt)
    });
    let remover = content.clone();
    handlers.on(Queue::Quick, move |job: RemoveFile| remove::run(remover.clone(), job));
    let sweeper = content.clone();
    handlers.on(Queue::Quick, move |job: RemoveRendition| remove_rendition::run(sweeper.clone(), job));
    let eraser = content.clone();
    handlers.on(Queue::Quick, move |job: RemoveCaptions| remove_captions::run(eraser.clone(), job));
    let canceller = content.clone();
    handlers.on(Queue::Quick, move |job: CancelUploads| cancel_uploads::run(canceller.clone(), job));
    let cleaner = content.clone();
    handlers.on(Queue::Quick, move |job: PurgeContent| purge_content::run(cleaner.clone(), job));
    let (asked, purger) = (content.clone(), content.clone());
    let has_work = move || purge::sweep_and_ask(asked.clone());
    handlers.every_if("purge_content", HOUR, Queue::Quick, has_work, move || purge(purger.clone()));
    let (asked, tidier) = (content.clone(), content.clone());
    let has_work = move || purge_images::has_work(asked.clone());
    handlers.every_if("purge_images", DAY, Queue::Quick, has_work, move || purge_images(tidier.clone()));
}
