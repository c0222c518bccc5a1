//! Content items and playlists that events refer to, read for a whole batch at once. Reads tables of orgs,
//! content and playlists and writes none of them.

use std::collections::HashMap;

use content::{ContentKind, Facts, State, Viewer, may_see};
use kernel::{Millis, Privacy, Uid};
use orgs::Standing;
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};

use crate::definitions::view::Subject;

/// (organisation, content item, playlist in which it was played); the playlist is nil if there is none.
pub type Place = (Uid, Uid, Uid);

/// Facts about the content item of an event.
#[derive(Clone, Copy, Debug)]
pub struct ContentFacts {
    /// How its views are measured.
    pub subject: Subject,
    /// Whether it is a draft: its file has not been uploaded yet.
    pub draft: bool,
    /// Whether app users may see it.
    pub open: bool,
    /// Whether staff may see it.
    pub open_to_staff: bool,
    /// Whether the playlist in the key contains it.
    pub shelved: bool,
}

const CONTENTS: &str = "SELECT want.org, want.content, want.playlist, c.kind, c.origin, c.privacy, \
     c.duration_ms, o.standing, o.privacy, p.privacy, \
     EXISTS (SELECT 1 FROM playlist_item oi JOIN playlist op ON op.uid = oi.playlist \
             WHERE oi.content = c.uid AND op.deleted_at IS NULL AND op.privacy IN ('public', 'unlisted')) \
     FROM want \
     JOIN content c ON c.uid = want.content AND c.org = want.org AND c.deleted_at IS NULL \
     JOIN organisation o ON o.uid = want.org \
     LEFT JOIN playlist_item i ON i.content = c.uid AND i.playlist = want.playlist \
     LEFT JOIN playlist p ON p.uid = i.playlist AND p.deleted_at IS NULL";

/// Returns the facts of content items; unknown items are omitted.
pub async fn contents(
    conn: &impl ConnectionTrait,
    places: &[Place],
) -> Result<HashMap<Place, ContentFacts>, DbErr> {
    let wanted: Vec<[Value; 3]> =
        places.iter().map(|(o, c, p)| [(*o).into(), (*c).into(), (*p).into()]).collect();
    let rows = db::rows::ask(conn, "org, content, playlist", &wanted, CONTENTS).await?;
    rows.iter()
        .map(|row| {
            let place = (row.try_get_by_index(0)?, row.try_get_by_index(1)?, row.try_get_by_index(2)?);
            Ok((place, content_facts(row)?))
        })
        .collect()
}

fn content_facts(row: &QueryResult) -> Result<ContentFacts, DbErr> {
    let kind: String = row.try_get_by_index(3)?;
    let origin: String = row.try_get_by_index(4)?;
    let privacy: String = row.try_get_by_index(5)?;
    let duration_ms: Option<Millis> = row.try_get_by_index(6)?;
    let standing: String = row.try_get_by_index(7)?;
    let org: String = row.try_get_by_index(8)?;
    let shelf: Option<String> = row.try_get_by_index(9)?;
    let elsewhere: bool = row.try_get_by_index(10)?;
    let state = if origin == "draft" { State::Draft } else { State::Available };
    let shelf: Option<Privacy> = shelf.map(|word| word.parse().unwrap_or(Privacy::Private));
    let facts = |viewer| Facts {
        standing: Standing::read(&standing),
        org: org.parse().unwrap_or(Privacy::Private),
        // App users may see an item that is in any public or unlisted playlist.
        shelf: if elsewhere { Some(Privacy::Public) } else { shelf },
        content: privacy.parse().unwrap_or(Privacy::Private),
        state,
        viewer,
    };
    let plays = matches!(
        ContentKind::read(&kind),
        Some(ContentKind::Video | ContentKind::Audio | ContentKind::Embed)
    );
    Ok(ContentFacts {
        subject: Subject { plays, duration_ms },
        draft: state == State::Draft,
        open: may_see(facts(Viewer::User)),
        open_to_staff: may_see(facts(Viewer::Staff)),
        shelved: shelf.is_some(),
    })
}

/// Returns whether app users may open the given playlists, by (organisation, playlist); unknown ones are
/// omitted.
pub async fn playlists(
    conn: &impl ConnectionTrait,
    wanted: &[(Uid, Uid)],
) -> Result<HashMap<(Uid, Uid), bool>, DbErr> {
    let wanted: Vec<[Value; 2]> = wanted.iter().map(|(org, uid)| [(*org).into(), (*uid).into()]).collect();
    let rows = db::rows::ask(
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
            let open = matches!(privacy.parse(), Ok(Privacy::Public | Privacy::Unlisted));
            Ok(((row.try_get_by_index(0)?, row.try_get_by_index(1)?), open))
        })
        .collect()
}
