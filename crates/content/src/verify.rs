//! Verifies stored data: the row of each item, and that the storage has the objects that the rows refer to.

mod objects;
mod repair;
mod rows;

use std::collections::HashSet;

use futures::stream::{StreamExt as _, TryStreamExt as _};
use kernel::{ContentId, DAY, Finding};
use sea_orm::DbErr;
use tokio::sync::mpsc::UnboundedSender;

use crate::item::Item;
use crate::jobs::ProcessFile;
use crate::store::references::Checked;
use crate::{Content, SweepError, store};

/// Rows read in one query.
const PAGE: u64 = 500;
/// Items whose objects are checked concurrently.
const AT_ONCE: usize = 16;

/// Receiver of findings. They are dropped if the receiver is gone.
pub type Findings = UnboundedSender<Finding>;

impl Content {
    /// Checks uploads, files and images against each other and against the storage, and counts orphaned
    /// objects. With `deep`, also reads every file. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database or the storage does not answer.
    pub async fn verify(&self, deep: bool, found: &Findings) -> Result<(), SweepError> {
        let mut after = ContentId::nil();
        loop {
            let page = store::references::page(self.db.read(), after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.item.uid;
            self.verify_page(page, deep, found).await?;
        }
        for run in store::references::shared_renditions(self.db.read()).await? {
            let what = "more than one content item refers to this set of renditions";
            let _ = found.send(Finding::new("rendition_shared", "content", run, what));
        }
        self.verify_images(found).await?;
        self.count_orphans(found).await
    }

    async fn verify_page(&self, page: Vec<Checked>, deep: bool, found: &Findings) -> Result<(), SweepError> {
        let uids: Vec<ContentId> = page.iter().map(|checked| checked.item.uid).collect();
        let context = rows::Context {
            now: self.ambient.now(),
            records: store::object::sources_of(self.db.read(), &uids).await?,
            uploads: store::references::uploads_of(self.db.read(), &page).await?,
            // Read after the rows. If a job ended in between, the second look below notices it.
            jobs: self.waiting().await?,
        };
        let context = &context;
        futures::stream::iter(page)
            .map(|checked| async move {
                let mut findings = rows::check(&checked, context);
                findings.extend(self.check_objects(&checked.item, deep).await?);
                if !findings.is_empty() && self.is_unchanged(&checked.item).await? {
                    findings.into_iter().for_each(|finding| drop(found.send(finding)));
                }
                Ok(())
            })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await
    }

    async fn waiting(&self) -> Result<HashSet<ContentId>, DbErr> {
        let jobs = self.jobs.active::<ProcessFile>(self.db.read()).await?;
        Ok(jobs.into_iter().map(|job| job.content).collect())
    }

    /// Returns whether an item is unchanged since it was read, because people and jobs keep working during
    /// the check.
    async fn is_unchanged(&self, before: &Item) -> Result<bool, DbErr> {
        let now = store::content::by_id(self.db.read(), before.org, before.uid).await?;
        Ok(now.is_some_and(|now| {
            now.source == before.source
                && now.poster == before.poster
                && now.rendition == before.rendition
                && now.captions == before.captions
                && now.processing_run == before.processing_run
                && (now.origin, now.processing) == (before.origin, before.processing)
        }))
    }

    async fn count_orphans(&self, found: &Findings) -> Result<(), SweepError> {
        let (mut objects, mut bytes, mut first) = (0_u64, 0_u64, None);
        let mut orphans = Box::pin(self.orphans(DAY));
        while let Some(orphan) = orphans.try_next().await? {
            objects += 1;
            bytes += orphan.len;
            first.get_or_insert(orphan.key);
        }
        if let Some(first) = first {
            let what = format!(
                "{objects} objects with {bytes} bytes that no row refers to, including this one; \
                 remove them with: vitrine admin storage sweep"
            );
            let _ = found.send(Finding::new("orphans", "storage", first, what));
        }
        Ok(())
    }
}
