//! Decides on each request whether a playback address gives access to its item.

use kernel::Timestamp;

use crate::grant::Grant;
use crate::item::Item;
use crate::visibility::{Viewer, VisibilityInput, may_see};
use crate::{Content, Error, store};

/// Returns the item of a grant if the grant has not expired and its holder may see the item. Nothing is
/// cached between requests.
pub async fn authorised_item(content: &Content, grant: &Grant) -> Result<Item, Error> {
    let (item, renewed_until) = visible_item(content, grant).await?;
    let until = grant.expires_at.max(renewed_until.unwrap_or(grant.expires_at));
    if content.ambient.now() < until { Ok(item) } else { Err(Error::GrantExpired) }
}

/// Returns the item of a grant, if its holder is signed in and may see it, and the time until which the grant
/// was renewed.
pub async fn visible_item(content: &Content, grant: &Grant) -> Result<(Item, Option<Timestamp>), Error> {
    let now = content.ambient.now();
    let input = store::delivery::input(content.db.read(), grant, now).await?.ok_or(Error::NotFound)?;
    if !input.signed_in {
        return Err(Error::GrantExpired);
    }
    let item = input.item;
    let playlist = match grant.playlist {
        None => None,
        Some(playlist) => {
            content.playlists.privacy_of(content.db.read(), item.org, playlist, item.uid).await?
        }
    };
    let is_visible = may_see(VisibilityInput {
        standing: input.standing,
        org: input.org,
        playlist,
        content: item.privacy,
        state: item.state(),
        viewer: Viewer::of(input.role),
    });
    if is_visible { Ok((item, input.renewed_until)) } else { Err(Error::NotFound) }
}
