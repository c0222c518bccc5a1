//! The long work: transcodes a video or audio file for browsers.

use std::sync::atomic::Ordering;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use jobs::JobError;
use kernel::Millis;
use media::{Rendered, RenderedFile};
use storage::{Key, Name};

use super::inspect::AvFile;
use super::{Abort, Outcome, ProcessingRun};
use crate::item::Rendition;
use crate::model::Processing;

/// Files stored concurrently.
const AT_ONCE: usize = 4;

impl ProcessingRun {
    pub(super) async fn transcode(&self, av_file: AvFile) -> Result<Outcome, Abort> {
        let tag = Rendition::tag(self.id);
        let mut on_progress = |progress| self.on_progress(progress);
        let result = self
            .content
            .media
            .render(&av_file.input, av_file.demuxer, &av_file.probe, &tag, &mut on_progress)
            .await;
        match result {
            Ok(rendered) => self.store_output(&av_file, rendered).await,
            Err(error) => self.classify(error),
        }
    }

    /// Stores the output under the id of this run, where it is not visible yet.
    async fn store_output(&self, av_file: &AvFile, rendered: Rendered) -> Result<Outcome, Abort> {
        let files: Vec<BoxFuture<'_, Result<(), Abort>>> =
            rendered.files().iter().map(|file| self.store_file(file).boxed()).collect();
        futures::stream::iter(files).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        let rendition = Rendition {
            run: self.id,
            hls: true,
            storyboard: rendered.storyboard,
            waveform: rendered.waveform,
        };
        // Recordings made in a browser do not state their length.
        let unknown = av_file.probe.duration_ms.is_none();
        let duration_ms = unknown.then_some(rendered.duration_ms).and_then(|ms| Millis::try_from(ms).ok());
        Ok(Outcome { rendition: Some(rendition), duration_ms, ..Outcome::of(Processing::Done) })
    }

    async fn store_file(&self, file: &RenderedFile) -> Result<(), Abort> {
        let invalid_name = || Abort::Failure(JobError::Final(format!("{} is not a valid name", file.name)));
        let name = Name::parse(&file.name).ok_or_else(invalid_name)?;
        let key = Key::rendition(self.item.org, self.item.uid, self.id, &name);
        let bytes = file.read().await?;
        self.stored.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(self.content.storage.put(&key, bytes.into()).await?)
    }
}
