//! Decides on each request whether a playback address gives access to its item.

use kernel::Timestamp;

use crate::grant::Grant;
use crate::item::Item;
use crate::visibility::{Viewer, VisibilityInput, may_see};
use crate::{Content, Error, store};

/// An item that the holder of a grant may see.
pub struct VisibleItem {
    pub item: Item,
    pub viewer: Viewer,
    /// The time until which the grant was renewed.
    renewed_until: Option<Timestamp>,
    /// When its dates, or those of the playlist, end for the holder. Nothing that is handed out may last longer.
    pub closes_at: Option<Timestamp>,
}

/// Returns the item of a grant if the grant has not expired and its holder may see the item. Nothing is
/// cached between requests.
pub async fn authorised_item(content: &Content, grant: &Grant) -> Result<VisibleItem, Error> {
    let visible = visible_item(content, grant).await?;
    let until = grant.expires_at.max(visible.renewed_until.unwrap_or(grant.expires_at));
    if content.ambient.now() < until { Ok(visible) } else { Err(Error::GrantExpired) }
}

/// Returns the item of a grant, if its holder is signed in and may see it.
pub async fn visible_item(content: &Content, grant: &Grant) -> Result<VisibleItem, Error> {
    let now = content.ambient.now();
    let input = store::delivery::input(content.db.read(), grant, now).await?.ok_or(Error::NotFound)?;
    if !input.signed_in {
        return Err(Error::GrantExpired);
    }
    let item = input.item;
    let playlist = match grant.playlist {
        None => None,
        Some(playlist) => {
            content.playlists.access_of(content.db.read(), item.org, playlist, item.uid).await?
        }
    };
    let viewer = Viewer::of(input.role);
    let is_visible = may_see(VisibilityInput {
        standing: input.standing,
        playlist,
        content: item.privacy,
        schedule: item.schedule,
        state: item.state(),
        viewer,
        now,
    });
    if !is_visible {
        return Err(Error::NotFound);
    }
    let closes_at = item.closes_at(viewer, playlist.and_then(|playlist| playlist.schedule.expire_at));
    Ok(VisibleItem { item, viewer, renewed_until: input.renewed_until, closes_at })
}
