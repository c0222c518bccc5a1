//! Titles and images for lists of numbers.

use std::collections::HashMap;

use kernel::{ContentId, PlaylistId};
use orgs::OrgScope;
use orgs::rights::ViewAnalytics;

use crate::dto::{TopContentOut, TopPlaylistOut};
use crate::totals::Sum;
use crate::{Analytics, Error};

/// Adds title, kind and images to the numbers of content items; those that staff cannot see are left out.
pub async fn content_cards(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    top: Vec<(ContentId, Sum)>,
) -> Result<Vec<TopContentOut>, Error> {
    let ids: Vec<ContentId> = top.iter().map(|(uid, _)| *uid).collect();
    let sums: HashMap<ContentId, Sum> = top.into_iter().collect();
    let items = analytics.deps.content.visible_items(analytics.deps.db.read(), scope, None, &ids).await?;
    let card = |item: content::ContentOut| {
        let sum = sums.get(&item.uid.into()).copied().unwrap_or_default();
        TopContentOut {
            id: item.uid,
            title: item.title,
            preview_url: item.preview_url,
            kind: item.kind,
            duration_ms: item.duration_ms,
            waveform_url: item.waveform_url,
            views: sum.views,
            watch_time_ms: sum.watch_ms,
        }
    };
    Ok(items.into_iter().map(card).collect())
}

/// Adds title and images to the numbers of playlists; deleted ones are left out.
pub async fn playlist_cards(
    analytics: &Analytics,
    scope: &OrgScope<ViewAnalytics>,
    top: Vec<(PlaylistId, Sum)>,
) -> Result<Vec<TopPlaylistOut>, Error> {
    let ids: Vec<PlaylistId> = top.iter().map(|(uid, _)| *uid).collect();
    let cards = analytics.deps.playlists.cards(analytics.deps.db.read(), scope, &ids).await?;
    let mut cards: HashMap<PlaylistId, playlists::Card> =
        cards.into_iter().map(|card| (card.uid, card)).collect();
    let card = |(uid, sum): (PlaylistId, Sum)| {
        let card = cards.remove(&uid)?;
        Some(TopPlaylistOut {
            id: uid.into(),
            title: card.title,
            preview_url: card.preview_url,
            item_previews: card.item_previews,
            views: sum.views,
            watch_time_ms: sum.watch_ms,
        })
    };
    Ok(top.into_iter().filter_map(card).collect())
}
