//! Content items with their counters, and playlists.

use db::WriteTx;
use db::search::folded;
use kernel::ContentId;
use sea_orm::{DbErr, Value};

use crate::FilledOrg;
use crate::views::{LENGTH, View};

const CONTENT: &str = "content (uid, org, title, title_folded, description, preview, privacy, origin, kind, link, \
    source, media_type, duration_ms, processing, views, watch_ms, notify, created_by, created_at, modified_at)";
const PLAYLIST: &str = "playlist (uid, org, title, title_folded, description, preview, privacy, contact_email, \
    contact_phone, items, watch_ms, created_at, modified_at)";

/// Writes content items with their counters, and playlists.
pub async fn write(tx: &WriteTx, orgs: &[FilledOrg], counts: &[Vec<i64>]) -> Result<(), DbErr> {
    let text = |text: &str| Value::from(text);
    let (mut contents, mut playlists, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for (org, counts) in orgs.iter().zip(counts) {
        for (n, (uid, count)) in org.contents.iter().zip(counts).enumerate() {
            let title = format!("Video {n}");
            contents.push([
                (*uid).into(),
                org.uid.into(),
                text(&title),
                text(&folded(&title)),
                text(""),
                text(""),
                text("public"),
                text("native"),
                text("video"),
                text(""),
                (*uid).uid().into(),
                text("video/mp4"),
                LENGTH.into(),
                text("done"),
                (*count).into(),
                (*count * View::CREDIT).into(),
                false.into(),
                org.people[0].0.into(),
                1_i64.into(),
                1_i64.into(),
            ]);
        }
        for (n, uid) in org.playlists.iter().enumerate() {
            let of: Vec<ContentId> =
                org.contents.iter().copied().skip(n).step_by(org.playlists.len()).collect();
            let title = format!("Playlist {n}");
            playlists.push([
                (*uid).into(),
                org.uid.into(),
                text(&title),
                text(&folded(&title)),
                text(""),
                text(""),
                text("public"),
                text(""),
                text(""),
                serde_json::json!(of).into(),
                0_i64.into(),
                1_i64.into(),
                1_i64.into(),
            ]);
            items.extend(of.into_iter().map(|content| [content.into(), (*uid).into(), org.uid.into()]));
        }
    }
    db::rows::bulk_upsert(tx, CONTENT, &contents, "").await?;
    db::rows::bulk_upsert(tx, PLAYLIST, &playlists, "").await?;
    db::rows::bulk_upsert(tx, "playlist_item (content, playlist, org)", &items, "").await?;
    Ok(())
}
