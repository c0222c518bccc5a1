//! Implements the ports of the crates below.

use db::WriteTx;
use kernel::{Privacy, Uid};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{DatabaseConnection, DbErr};

use crate::store;

/// Tells `orgs` which playlists can be pinned and `content` which playlists contain an item.
pub struct Facts;

#[async_trait::async_trait]
impl orgs::PlaylistFacts for Facts {
    async fn public_among(&self, tx: &WriteTx, org: Uid, ids: &[Uid]) -> Result<Vec<Uid>, DbErr> {
        let playlists = store::by_ids(tx, org, ids).await?;
        Ok(playlists
            .into_iter()
            .filter(|playlist| playlist.privacy == Privacy::Public)
            .map(|playlist| playlist.uid)
            .collect())
    }

    async fn exists(&self, tx: &WriteTx, org: Uid, id: Uid) -> Result<bool, DbErr> {
        Ok(store::by_id(tx, org, id).await?.is_some())
    }
}

#[async_trait::async_trait]
impl content::Shelves for Facts {
    async fn shelf(
        &self,
        conn: &DatabaseConnection,
        org: Uid,
        playlist: Uid,
        content: Uid,
    ) -> Result<Option<Privacy>, DbErr> {
        store::privacy_of_shelf(conn, org, playlist, content).await
    }

    async fn holding(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<Vec<Uid>, DbErr> {
        store::showing(tx, org, content).await
    }

    async fn forget(&self, tx: &WriteTx, org: Uid, content: Uid) -> Result<(), DbErr> {
        store::forget(tx, org, content).await
    }

    async fn previews_among(&self, tx: &WriteTx, paths: &[String]) -> Result<Vec<String>, DbErr> {
        store::previews_among(tx, paths).await
    }

    fn shelved(&self, org: Uid) -> SelectStatement {
        store::shelved(org)
    }
}
