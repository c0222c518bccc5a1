//! Content items and playlists that events refer to, read for a whole batch at once. Reads tables of orgs,
//! content and playlists and writes none of them.

use std::collections::HashMap;

use content::{ContentKind, State, Viewer, VisibilityInput, may_see};
use kernel::{Millis, Privacy, Uid};
use orgs::Standing;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::definitions::view::Subject;

/// (organisation, content item, playlist in which it was played); the playlist is nil if there is none.
pub type ContentKey = (Uid, Uid, Uid);

/// Properties of the content item of an event.
#[derive(Clone, Copy, Debug)]
pub struct ContentInfo {
    /// How its views are measured.
    pub subject: Subject,
    /// Whether it is a draft: its file has not been uploaded yet.
    pub draft: bool,
    /// Whether app users may see it.
    pub visible_to_users: bool,
    /// Whether staff may see it.
    pub visible_to_staff: bool,
    /// Whether the playlist in the key contains it.
    pub in_playlist: bool,
}

const SELECT_CONTENT: &str = "SELECT want.org, want.content, want.playlist, c.kind, c.origin, c.privacy, \
     c.duration_ms, o.standing, o.privacy, p.privacy, \
     EXISTS (SELECT 1 FROM playlist_item oi JOIN playlist op ON op.uid = oi.playlist \
             WHERE oi.content = c.uid AND op.deleted_at IS NULL AND op.privacy IN ('public', 'unlisted')) \
     FROM want \
     JOIN content c ON c.uid = want.content AND c.org = want.org AND c.deleted_at IS NULL \
     JOIN organisation o ON o.uid = want.org \
     LEFT JOIN playlist_item i ON i.content = c.uid AND i.playlist = want.playlist \
     LEFT JOIN playlist p ON p.uid = i.playlist AND p.deleted_at IS NULL";

/// Returns the properties of content items; unknown items are omitted.
pub async fn content(
    conn: &impl ConnectionTrait,
    keys: &[ContentKey],
) -> Result<HashMap<ContentKey, ContentInfo>, DbErr> {
    let wanted: Vec<[Value; 3]> =
        keys.iter().map(|(o, c, p)| [(*o).into(), (*c).into(), (*p).into()]).collect();
    let rows = db::rows::select_by_keys(conn, "org, content, playlist", &wanted, SELECT_CONTENT).await?;
    rows.iter()
        .map(|row| {
            let key = (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            Ok((key, content_info(row)?))
        })
        .collect()
}

fn content_info(row: &QueryResult) -> Result<ContentInfo, DbErr> {
    let kind: String = row.try_get_by_index(3)?;
    let origin: String = row.try_get_by_index(4)?;
    let privacy: String = row.try_get_by_index(5)?;
    let duration_ms: Option<Millis> = row.try_get_by_index(6)?;
    let standing: String = row.try_get_by_index(7)?;
    let org: String = row.try_get_by_index(8)?;
    let playlist_privacy: Option<String> = row.try_get_by_index(9)?;
    let in_public_playlist: bool = row.try_get_by_index(10)?;
    let state = if origin == "draft" { State::Draft } else { State::Available };
    let playlist_privacy: Option<Privacy> =
        playlist_privacy.map(|word| word.parse().unwrap_or(Privacy::Private));
    let visibility = |viewer| VisibilityInput {
        standing: Standing::read(&standing),
        org: org.parse().unwrap_or(Privacy::Private),
        // App users may see an item that is in any public or unlisted playlist.
        playlist: if in_public_playlist { Some(Privacy::Public) } else { playlist_privacy },
        content: privacy.parse().unwrap_or(Privacy::Private),
        state,
        viewer,
    };
    let plays = matches!(
        ContentKind::read(&kind),
        Some(ContentKind::Video | ContentKind::Audio | ContentKind::Embed)
    );
    Ok(ContentInfo {
        subject: Subject { plays, duration_ms },
        draft: state == State::Draft,
        visible_to_users: may_see(visibility(Viewer::User)),
        visible_to_staff: may_see(visibility(Viewer::Staff)),
        in_playlist: playlist_privacy.is_some(),
    })
}

/// Returns whether app users may open the given playlists, by (organisation, playlist); unknown ones are
/// omitted.
pub async fn playlists(
    conn: &impl ConnectionTrait,
    wanted: &[(Uid, Uid)],
) -> Result<HashMap<(Uid, Uid), bool>, DbErr> {
    let wanted: Vec<[Value; 2]> = wanted.iter().map(|(org, uid)| [(*org).into(), (*uid).into()]).collect();
    let rows = db::rows::select_by_keys(
        conn,
        "org, uid",
        &wanted,
        "SELECT want.org, want.uid, p.privacy FROM want \
         JOIN playlist p ON p.uid = want.uid AND p.org = want.org AND p.deleted_at IS NULL",
    )
    .await?;
    rows.iter()
        .map(|row| {
            let privacy: String = row.try_get_by_index(2)?;
            let visible = matches!(privacy.parse(), Ok(Privacy::Public | Privacy::Unlisted));
            Ok(((row.try_get_by_index(0)?, row.try_get_by_index(1)?), visible))
        })
        .collect()
}
