//! Implements the ports of the crates below.

use std::collections::HashMap;

use content::PlaylistAccess;
use db::WriteTx;
use kernel::{ContentId, OrgId, PlaylistId, Privacy, Timestamp, Uid};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{DatabaseConnection, DbErr};

use crate::store;

/// Tells `orgs` which playlists can be pinned and the titles of playlists and items, and `content` which playlists contain an
/// item.
pub struct Lookup;

#[async_trait::async_trait]
impl orgs::OrgPlaylists for Lookup {
    async fn public_among(
        &self,
        tx: &WriteTx,
        org: OrgId,
        ids: &[PlaylistId],
    ) -> Result<Vec<PlaylistId>, DbErr> {
        let playlists = store::by_ids(tx, org, ids).await?;
        Ok(playlists
            .into_iter()
            .filter(|playlist| playlist.privacy == Privacy::Public)
            .map(|playlist| playlist.uid)
            .collect())
    }

    async fn exists(&self, tx: &WriteTx, org: OrgId, id: PlaylistId) -> Result<bool, DbErr> {
        Ok(store::by_id(tx, org, id).await?.is_some())
    }

    async fn titles(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        ids: &[Uid],
    ) -> Result<HashMap<Uid, String>, DbErr> {
        let playlists: Vec<PlaylistId> = ids.iter().copied().map(Into::into).collect();
        let items: Vec<ContentId> = ids.iter().copied().map(Into::into).collect();
        let playlists = store::by_ids(read, org, &playlists).await?.into_iter();
        let items = content::titles(read, org, &items).await?.into_iter();
        Ok(playlists
            .map(|playlist| (playlist.uid.uid(), playlist.title))
            .chain(items.map(|(uid, title)| (uid.uid(), title)))
            .collect())
    }
}

#[async_trait::async_trait]
impl content::PlaylistLookup for Lookup {
    async fn access_of(
        &self,
        conn: &DatabaseConnection,
        org: OrgId,
        playlist: PlaylistId,
        content: ContentId,
    ) -> Result<Option<PlaylistAccess>, DbErr> {
        store::access_if_contains(conn, org, playlist, content).await
    }

    async fn containing(
        &self,
        tx: &WriteTx,
        org: OrgId,
        content: ContentId,
    ) -> Result<Vec<PlaylistId>, DbErr> {
        store::containing(tx, org, content).await
    }

    async fn remove_item(&self, tx: &WriteTx, org: OrgId, content: ContentId) -> Result<(), DbErr> {
        store::remove_item(tx, org, content).await
    }

    fn previews_among(&self, paths: &[String]) -> SelectStatement {
        store::previews_among(paths)
    }

    fn item_ids(&self, org: OrgId) -> SelectStatement {
        store::item_ids(org)
    }

    fn open_item_ids(&self, org: OrgId, now: Timestamp) -> SelectStatement {
        store::open_item_ids(org, now)
    }
}
