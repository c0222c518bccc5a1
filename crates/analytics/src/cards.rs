//! Titles and thumbnails for lists of numbers.

use std::collections::HashMap;

use kernel::{ContentId, PlaylistId};
use orgs::OrgScope;
use orgs::rights::ViewAnalytics;

use crate::dto::TopOut;
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Adds title and thumbnail to the numbers of content items; those that staff cannot see are left out.
pub async fn content_cards(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    top: Vec<(ContentId, Sum)>,
) -> Result<Vec<TopOut>, Error> {
    let ids: Vec<ContentId> = top.iter().map(|(uid, _)| *uid).collect();
    let sums: HashMap<ContentId, Sum> = top.into_iter().collect();
    let items = analytics.deps.content.visible_items(analytics.deps.db.read(), scope, None, &ids).await?;
    let card = |item: content::ContentOut| {
        let sum = sums.get(&item.uid.into()).copied().unwrap_or_default();
        TopOut {
            id: item.uid,
            title: item.title,
            preview_url: item.preview_url,
            views: sum.views,
            watch_time_ms: sum.watch_ms,
        }
    };
    Ok(items.into_iter().map(card).collect())
}

/// Adds title and thumbnail to the numbers of playlists; deleted ones are left out.
pub async fn playlist_cards(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    top: Vec<(PlaylistId, Sum)>,
) -> Result<Vec<TopOut>, Error> {
    let ids: Vec<PlaylistId> = top.iter().map(|(uid, _)| *uid).collect();
    let cards = analytics.deps.playlists.cards(analytics.deps.db.read(), scope.org(), &ids).await?;
    let cards: HashMap<PlaylistId, playlists::Card> =
        cards.into_iter().map(|card| (card.uid, card)).collect();
    let card = |(uid, sum): (PlaylistId, Sum)| {
        let card = cards.get(&uid)?;
        Some(TopOut {
            id: uid.into(),
            title: card.title.clone(),
            preview_url: card.preview_url.clone(),
            views: sum.views,
            watch_time_ms: sum.watch_ms,
        })
    };
    Ok(top.into_iter().filter_map(card).collect())
}
