//! Checks of playlists: their items, the index of the items, and the playlists that organisations refer to.

use std::collections::BTreeSet;

use db::WriteTx;
use kernel::{ContentId, Finding, OrgId, PlaylistId};
use sea_orm::{ConnectionTrait, DbErr};

use crate::model::{Changes, ITEMS_MAX};
use crate::store::verify::Checked;
use crate::{Playlists, store};

/// Rows read in one query.
const PAGE: u64 = 500;

impl Playlists {
    /// Checks the items of each playlist and their index, and the pins and the default playlist of each organisation.
    /// Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let (read, mut found, mut after) = (self.db.read(), Vec::new(), PlaylistId::nil());
        loop {
            let page = store::verify::page(read, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.uid;
            for checked in page {
                // People change playlists during the check. What is wrong stays wrong.
                if !self.check(read, &checked).await?.is_empty()
                    && let Some(now) = store::verify::one(read, checked.uid).await?
                {
                    found.extend(self.check(read, &now).await?);
                }
            }
        }
        for playlist in store::verify::stray(read).await? {
            let what = "is deleted or of another organisation, but the index has items of it";
            found.push(Finding::new("playlist_index", "playlist", playlist, what));
        }
        found.extend(self.verify_references().await?);
        Ok(found)
    }

    async fn check(&self, conn: &impl ConnectionTrait, checked: &Checked) -> Result<Vec<Finding>, DbErr> {
        let mut found = Vec::new();
        let mut report = |check: &str, what: String| {
            found.push(Finding::new(check, "playlist", checked.uid, what));
        };
        let Some(items) = &checked.items else {
            report("playlist_items", "its items cannot be read".to_owned());
            return Ok(found);
        };
        let distinct: BTreeSet<ContentId> = items.iter().copied().collect();
        if distinct.len() < items.len() {
            report("playlist_items", "has an item more than once".to_owned());
        }
        if items.len() > ITEMS_MAX {
            report("playlist_items", format!("has {} items, more than {ITEMS_MAX}", items.len()));
        }
        let known: BTreeSet<ContentId> =
            self.content.among(conn, checked.org, items).await?.into_iter().collect();
        let gone: BTreeSet<ContentId> = distinct.difference(&known).copied().collect();
        if !gone.is_empty() {
            let what = format!("has {} items that its organisation does not have", gone.len());
            report("playlist_items", what);
        }
        if !known.iter().eq(checked.indexed.difference(&gone)) {
            report("playlist_index", "its items and their index disagree".to_owned());
        }
        Ok(found)
    }

    async fn verify_references(&self) -> Result<Vec<Finding>, DbErr> {
        let (read, mut found, mut after) = (self.db.read(), Vec::new(), OrgId::nil());
        loop {
            let page = self.orgs.plan_standings(read, after, PAGE).await?;
            let Some((last, _)) = page.last() else { return Ok(found) };
            after = *last;
            for (org, _) in page {
                // A playlist may be deleted between the two reads.
                if self.wrong_references(org).await?.is_some()
                    && let Some(what) = self.wrong_references(org).await?
                {
                    found.push(Finding::new("org_playlists", "organisation", org, what));
                }
            }
        }
    }

    async fn wrong_references(&self, org: OrgId) -> Result<Option<String>, DbErr> {
        let read = self.db.read();
        let organisation = match self.orgs.organisation(read, org).await {
            Ok(Some(organisation)) => organisation,
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(error.to_string())),
        };
        let referenced: BTreeSet<PlaylistId> =
            organisation.pinned_playlists.iter().copied().chain(organisation.default_playlist).collect();
        let uids: Vec<PlaylistId> = referenced.into_iter().collect();
        let there = store::by_ids(read, org, &uids).await?.len();
        let gone = uids.len() - there;
        Ok((gone > 0).then(|| format!("refers to {gone} playlists that it does not have")))
    }

    /// Repairs what [`Self::verify`] found in a playlist: writes the index anew, and drops items that are there twice or
    /// that the organisation does not have. Returns what was done, or `None` if nothing can be done.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn repair(&self, finding: &Finding) -> Result<Option<String>, DbErr> {
        let is_ours = matches!(finding.check.as_str(), "playlist_items" | "playlist_index");
        let playlist = finding.id.parse::<PlaylistId>().ok().filter(|_| is_ours);
        let Some(playlist) = playlist else { return Ok(None) };
        let Some(org) = store::verify::org_of(self.db.read(), playlist).await? else { return Ok(None) };
        let tx = self.db.write_tx_on(org).await?;
        let Some(checked) = store::verify::one(&tx, playlist).await? else {
            store::verify::reindex(&tx, org, playlist, &[]).await?;
            tx.commit().await?;
            return Ok(Some("removed from the index".to_owned()));
        };
        let Some(items) = checked.items else { return Ok(None) };
        let kept = self.kept(&tx, org, &items).await?;
        let done = if kept == items {
            store::verify::reindex(&tx, org, playlist, &items).await?;
            "the index was written anew".to_owned()
        } else {
            let dropped = items.len() - kept.len();
            let Some(before) = store::by_id(&tx, org, playlist).await? else { return Ok(None) };
            let changes = Changes { items: Some(kept), ..Changes::default() };
            // A later time, so that an editor who still has the old list gets a conflict.
            store::change(&tx, org, playlist, changes, before.modified_at + 1).await?;
            format!("{dropped} items were dropped from it")
        };
        tx.commit().await?;
        Ok(Some(done))
    }

    /// Returns the items that the organisation has, each once.
    async fn kept(&self, tx: &WriteTx, org: OrgId, items: &[ContentId]) -> Result<Vec<ContentId>, DbErr> {
        let mut missing: BTreeSet<ContentId> =
            self.content.among(tx, org, items).await?.into_iter().collect();
        Ok(items.iter().copied().filter(|item| missing.remove(item)).collect())
    }
}
