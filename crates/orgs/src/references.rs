//! What organisations refer to in other crates: playlists and images.

use db::WriteTx;
use kernel::{OrgId, Patch, PlaylistId};
use sea_orm::{ConnectionTrait, DbErr};

use crate::{Orgs, model, store};

impl Orgs {
    /// Removes a deleted playlist from the pins and from the default playlist, as part of `tx`.
    pub async fn forget_playlist(&self, tx: &WriteTx, org: OrgId, playlist: PlaylistId) -> Result<(), DbErr> {
        let now = self.ambient.now();
        let Some(organisation) = store::organisation::by_uid(tx, org, now).await? else { return Ok(()) };
        let now = organisation.next_modified_at(now);
        let pins = organisation.pinned_playlists;
        let mut changes = model::Changes::default();
        if pins.contains(&playlist) {
            changes.pinned_playlists = Some(pins.into_iter().filter(|pin| *pin != playlist).collect());
        }
        if organisation.default_playlist == Some(playlist) {
            changes.default_playlist = Patch::Null;
        }
        if changes != model::Changes::default() {
            store::organisation::change(tx, org, changes, now).await?;
        }
        Ok(())
    }

    /// Returns which of these image paths are in use by an organisation or a person.
    pub async fn images_in_use(
        &self,
        conn: &impl ConnectionTrait,
        paths: &[String],
    ) -> Result<Vec<String>, DbErr> {
        let mut in_use = store::organisation::images_in_use(conn, paths).await?;
        in_use.extend(self.identity.photos_in_use(conn, paths).await?);
        Ok(in_use)
    }
}
