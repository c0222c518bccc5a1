//! The long work: transcodes a video or audio file for browsers.

use std::sync::atomic::Ordering;

use futures::future::BoxFuture;
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use jobs::Failure;
use kernel::Millis;
use media::{Rendered, RenderedFile};
use storage::{Key, Name};

use super::look::Film;
use super::{Making, Outcome, Stop};
use crate::item::Rendition;
use crate::model::Processing;

/// Files stored concurrently.
const AT_ONCE: usize = 4;

impl Making {
    pub(super) async fn make(&self, film: Film) -> Result<Outcome, Stop> {
        let tag = Rendition::tag(self.set);
        let mut told = |progress| self.told(progress);
        let made = self.room.media.render(&film.input, film.demuxer, &film.probe, &tag, &mut told).await;
        match made {
            Ok(rendered) => self.keep(&film, rendered).await,
            Err(error) => self.fault(error),
        }
    }

    /// Stores the output under the id of this run, where it is not visible yet.
    async fn keep(&self, film: &Film, rendered: Rendered) -> Result<Outcome, Stop> {
        let files: Vec<BoxFuture<'_, Result<(), Stop>>> =
            rendered.files().iter().map(|file| self.store(file).boxed()).collect();
        futures::stream::iter(files).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        let rendition = Rendition {
            set: self.set,
            hls: true,
            storyboard: rendered.storyboard,
            waveform: rendered.waveform,
        };
        // Recordings made in a browser do not state their length.
        let unknown = film.probe.duration_ms.is_none();
        let duration_ms = unknown.then_some(rendered.duration_ms).and_then(|ms| Millis::try_from(ms).ok());
        Ok(Outcome { rendition: Some(rendition), duration_ms, ..Outcome::of(Processing::Done) })
    }

    async fn store(&self, file: &RenderedFile) -> Result<(), Stop> {
        let odd = || Stop::Failure(Failure::Final(format!("{} is not a valid name", file.name)));
        let name = Name::parse(&file.name).ok_or_else(odd)?;
        let key = Key::rendition(self.item.org, self.item.uid, self.set, &name);
        let bytes = file.read().await?;
        self.stored.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(self.room.storage.put(&key, bytes.into()).await?)
    }
}
