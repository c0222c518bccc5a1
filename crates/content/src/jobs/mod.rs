//! One file per job.

mod give_up;
mod process;
mod purge;
mod purge_content;
mod purge_pictures;
mod remove;
mod remove_captions;
mod remove_rendition;

use ::jobs::{Handlers, Lane};
use kernel::{DAY, HOUR};

pub use give_up::is_waiting;
pub use process::ProcessFile;
pub use purge::run as purge;
pub use purge_content::PurgeContent;
pub use purge_pictures::run as purge_pictures;
pub use remove::RemoveFile;
pub use remove_captions::RemoveCaptions;
pub use remove_rendition::RemoveRendition;

use crate::Content;

/// Registers the job handlers of this crate.
pub fn register(room: &Content, handlers: &mut Handlers) {
    let processor = room.clone();
    handlers.on_attempt(Lane::Heavy, move |job: ProcessFile, attempt| {
        process::run(processor.clone(), job, attempt)
    });
    let remover = room.clone();
    handlers.on(Lane::Quick, move |job: RemoveFile| remove::run(remover.clone(), job));
    let sweeper = room.clone();
    handlers.on(Lane::Quick, move |job: RemoveRendition| remove_rendition::run(sweeper.clone(), job));
    let eraser = room.clone();
    handlers.on(Lane::Quick, move |job: RemoveCaptions| remove_captions::run(eraser.clone(), job));
    let cleaner = room.clone();
    handlers.on(Lane::Quick, move |job: PurgeContent| purge_content::run(cleaner.clone(), job));
    let purger = room.clone();
    handlers.every("purge_content", HOUR, Lane::Quick, move || purge(purger.clone()));
    let tidier = room.clone();
    handlers.every("purge_pictures", DAY, Lane::Quick, move || purge_pictures(tidier.clone()));
}
