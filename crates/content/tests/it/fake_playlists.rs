//! A stand-in for the playlists crate.

use std::collections::HashMap;
use std::sync::Mutex;

use content::{PlaylistAccess, PlaylistLookup, Schedule};
use db::WriteTx;
use kernel::{ContentId, OrgId, PlaylistId, Privacy, Timestamp};
use sea_orm::sea_query::{Alias, Expr, ExprTrait as _, Query, SelectStatement, UnionType};
use sea_orm::{DatabaseConnection, DbErr};

/// Playlists in memory.
#[derive(Default)]
pub struct FakePlaylists(Mutex<HashMap<PlaylistId, (PlaylistAccess, Vec<ContentId>)>>, Mutex<Vec<String>>);

impl FakePlaylists {
    /// Adds a playlist, or replaces it.
    pub fn set(&self, playlist: PlaylistId, privacy: Privacy, items: &[ContentId]) {
        self.set_with_dates(playlist, PlaylistAccess { privacy, schedule: Schedule::default() }, items);
    }

    /// Adds a playlist with dates, or replaces it.
    pub fn set_with_dates(&self, playlist: PlaylistId, access: PlaylistAccess, items: &[ContentId]) {
        self.0.lock().unwrap().insert(playlist, (access, items.to_vec()));
    }

    /// Uses this image as the thumbnail of a playlist.
    pub fn show(&self, path: &str) {
        self.1.lock().unwrap().push(path.to_owned());
    }

    /// Returns what decides who may open a playlist.
    pub fn access(&self, playlist: PlaylistId) -> PlaylistAccess {
        self.0.lock().unwrap()[&playlist].0
    }

    fn items_of(&self, is_wanted: impl Fn(PlaylistAccess) -> bool) -> Vec<ContentId> {
        let all = self.0.lock().unwrap();
        let wanted = all.values().filter(|(access, _)| is_wanted(*access));
        wanted.flat_map(|(_, items)| items.clone()).collect()
    }

    fn containing(&self, content: ContentId) -> Vec<PlaylistId> {
        let all = self.0.lock().unwrap();
        all.iter().filter(|(_, (_, items))| items.contains(&content)).map(|(uid, _)| *uid).collect()
    }
}

#[async_trait::async_trait]
impl PlaylistLookup for FakePlaylists {
    async fn access_of(
        &self,
        _: &DatabaseConnection,
        _: OrgId,
        playlist: PlaylistId,
        content: ContentId,
    ) -> Result<Option<PlaylistAccess>, DbErr> {
        let all = self.0.lock().unwrap();
        Ok(all.get(&playlist).filter(|(_, items)| items.contains(&content)).map(|(access, _)| *access))
    }

    async fn containing(&self, _: &WriteTx, _: OrgId, content: ContentId) -> Result<Vec<PlaylistId>, DbErr> {
        Ok(self.containing(content))
    }

    async fn remove_item(&self, _: &WriteTx, _: OrgId, content: ContentId) -> Result<(), DbErr> {
        self.0.lock().unwrap().values_mut().for_each(|(_, items)| items.retain(|item| *item != content));
        Ok(())
    }

    fn previews_among(&self, paths: &[String]) -> SelectStatement {
        let shown = self.1.lock().unwrap();
        let mut used = Query::select().expr(Expr::val("")).and_where(Expr::cust("1 = 0")).take();
        for path in paths.iter().filter(|path| shown.contains(path)) {
            used.union(UnionType::All, Query::select().expr(Expr::val(path)).take());
        }
        used
    }

    fn item_ids(&self, _: OrgId) -> SelectStatement {
        selecting(self.items_of(|_| true))
    }

    fn open_item_ids(&self, _: OrgId, now: Timestamp) -> SelectStatement {
        selecting(self.items_of(|access| access.is_open_to_users(now)))
    }
}

fn selecting(ids: Vec<ContentId>) -> SelectStatement {
    Query::select()
        .column(Alias::new("uid"))
        .from(Alias::new("content"))
        .and_where(Expr::col(Alias::new("uid")).is_in(ids))
        .take()
}
