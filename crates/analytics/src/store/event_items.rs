//! Content items and playlists that events refer to, read for a whole batch at once. Reads tables of orgs,
//! content and playlists and writes none of them.

use std::collections::HashMap;
use std::sync::LazyLock;

use content::{ContentKind, Origin, Viewer, VisibilityAliases, may_see_sql, open_playlist_sql};
use db::Stored;
use kernel::{ContentId, Millis, OrgId, PlaylistId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use super::{nil_if_none, none_if_nil};
use crate::definitions::view::{Form, Subject};
use crate::totals::PlaylistKey;

/// A content item, with the playlist in which it was played, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentKey {
    pub org: OrgId,
    pub content: ContentId,
    pub playlist: Option<PlaylistId>,
}

impl ContentKey {
    /// Creates a key. A nil playlist, which clients may send, counts as no playlist.
    pub fn new(org: OrgId, content: ContentId, playlist: Option<PlaylistId>) -> Self {
        Self { org, content, playlist: playlist.filter(|playlist| !playlist.is_nil()) }
    }
}

/// Properties of the content item of an event.
#[derive(Clone, Copy, Debug)]
pub struct ContentInfo {
    /// How its views are measured. A length that is not known to content may be known to players.
    pub subject: Subject,
    pub kind: ContentKind,
    /// Whether it is a draft: its file has not been uploaded yet.
    pub draft: bool,
    /// Whether app users may see it in any playlist that contains it.
    pub visible_to_users: bool,
    /// Whether staff may see it.
    pub visible_to_staff: bool,
    /// Whether the playlist in the key contains it.
    pub in_playlist: bool,
}

/// One row per key. `op` are the playlists that contain the item, `p` is the one in the key.
static SELECT_CONTENT: LazyLock<String> = LazyLock::new(|| {
    let aliases = VisibilityAliases { organisation: "o", content: "c", playlist: "op", now: "want.now" };
    let [to_users, to_staff] = [Viewer::User, Viewer::Staff].map(|viewer| may_see_sql(viewer, aliases));
    format!(
        "SELECT want.org, want.content, want.playlist, c.kind, c.origin, c.duration_ms, c.pages, p.uid IS NOT NULL, \
         {to_staff}, EXISTS (SELECT 1 FROM playlist_item oi JOIN playlist op ON op.uid = oi.playlist \
                             WHERE oi.content = c.uid AND {to_users}) \
         FROM want \
         JOIN content c ON c.uid = want.content AND c.org = want.org AND c.deleted_at IS NULL \
         JOIN organisation o ON o.uid = want.org AND o.deleted_at IS NULL \
         LEFT JOIN playlist_item i ON i.content = c.uid AND i.playlist = want.playlist \
         LEFT JOIN playlist p ON p.uid = i.playlist AND p.deleted_at IS NULL"
    )
});

static SELECT_PLAYLISTS: LazyLock<String> = LazyLock::new(|| {
    let open = open_playlist_sql("p", "want.now");
    format!(
        "SELECT want.org, want.uid, {open} FROM want \
         JOIN playlist p ON p.uid = want.uid AND p.org = want.org AND p.deleted_at IS NULL"
    )
});

/// Returns the properties of content items; unknown items are omitted.
pub async fn content(
    conn: &impl ConnectionTrait,
    keys: &[ContentKey],
    now: Timestamp,
) -> Result<HashMap<ContentKey, ContentInfo>, DbErr> {
    let wanted: Vec<[Value; 4]> = keys
        .iter()
        .map(|key| [key.org.into(), key.content.into(), nil_if_none(key.playlist).into(), now.into()])
        .collect();
    let rows =
        db::rows::select_by_keys(conn, "org, content, playlist, now", &wanted, &SELECT_CONTENT).await?;
    rows.iter()
        .map(|row| {
            let key = ContentKey {
                org: row.try_get_by_index(0)?,
                content: row.try_get_by_index(1)?,
                playlist: none_if_nil(row.try_get_by_index(2)?),
            };
            Ok((key, content_info(row, key.content)?))
        })
        .collect()
}

fn content_info(row: &QueryResult, uid: ContentId) -> Result<ContentInfo, DbErr> {
    let kind: Stored<ContentKind> = row.try_get_by_index(3)?;
    let origin: Stored<Origin> = row.try_get_by_index(4)?;
    let (duration_ms, pages): (Option<Millis>, Option<i64>) =
        (row.try_get_by_index(5)?, row.try_get_by_index(6)?);
    let kind = kind.known("content", "kind", uid)?;
    let form = form_of(kind);
    Ok(ContentInfo {
        subject: Subject::of(form, duration_ms, pages),
        kind,
        draft: origin.known("content", "origin", uid)? == Origin::Draft,
        in_playlist: row.try_get_by_index(7)?,
        visible_to_staff: row.try_get_by_index(8)?,
        visible_to_users: row.try_get_by_index(9)?,
    })
}

/// Returns how an item of this kind is watched.
pub fn form_of(kind: ContentKind) -> Form {
    match kind {
        ContentKind::Video | ContentKind::Audio | ContentKind::Embed => Form::Plays,
        ContentKind::Pdf => Form::Pages,
        ContentKind::Image | ContentKind::File => Form::Whole,
    }
}

/// Returns whether app users may open the given playlists now; unknown ones are omitted.
pub async fn playlists(
    conn: &impl ConnectionTrait,
    keys: &[PlaylistKey],
    now: Timestamp,
) -> Result<HashMap<PlaylistKey, bool>, DbErr> {
    let wanted: Vec<[Value; 3]> =
        keys.iter().map(|key| [key.org.into(), key.playlist.into(), now.into()]).collect();
    let rows = db::rows::select_by_keys(conn, "org, uid, now", &wanted, &SELECT_PLAYLISTS).await?;
    rows.iter()
        .map(|row| {
            let key = PlaylistKey { org: row.try_get_by_index(0)?, playlist: row.try_get_by_index(1)? };
            Ok((key, row.try_get_by_index(2)?))
        })
        .collect()
}
