//! Uploads the content and creates the playlists of an organisation.

use serde_json::{Value, json};

use crate::Error;
use crate::api::{Api, PROCESSING_PATIENCE, Session, announced, text};
use crate::catalog::{Catalog, Item, Playlist, Source};
use crate::media::{File, Media};
use crate::organisation::{Organisation, Tenant};

/// Playlists that an organisation can pin.
const MAX_PINS: usize = 4;

/// The captions of the first video.
const CAPTIONS: &str = "WEBVTT\n\n00:00:01.000 --> 00:00:06.000\nThree things moved markets this quarter.\n\n\
00:00:07.000 --> 00:00:14.000\nRates, freight, and the weather in between.\n\n\
00:00:15.000 --> 00:00:24.000\nLet us look at each of them in turn.\n";

/// Uploads the content, waits until it is processed, and creates and pins the playlists.
pub async fn fill(
    api: &Api,
    media: &Media,
    catalog: &Catalog,
    organisation: &mut Organisation,
) -> Result<(), Error> {
    let tenant = organisation.tenant;
    for item in &catalog.items {
        let id =
            if item.tenant == tenant { create(api, media, organisation, item).await? } else { String::new() };
        organisation.items.push(id);
    }
    for id in organisation.items.clone().iter().filter(|id| !id.is_empty()) {
        processed(api, organisation.founder(), id).await?;
    }
    if tenant == Tenant::Company {
        let path = format!("/v1/content/{}/captions/en?label=English", organisation.items[0]);
        api.put(Some(organisation.founder()), &path, "text/vtt", CAPTIONS.as_bytes().to_vec()).await?;
    }
    for playlist in catalog.playlists_of(tenant) {
        let id = create_playlist(api, organisation, playlist).await?;
        organisation.playlists.push(id);
    }
    let created = catalog.playlists_of(tenant).zip(&organisation.playlists);
    let public = created.filter(|(playlist, _)| playlist.privacy == "public").map(|(_, id)| id);
    let pinned: Vec<&String> = public.take(MAX_PINS).collect();
    let change = json!({ "organisation": { "pinnedPlaylists": pinned } });
    let path = format!("/v1/organizations/{}", organisation.id);
    api.patch(organisation.founder(), &path, &change).await.map(drop)
}

/// Creates a playlist and returns its id.
async fn create_playlist(
    api: &Api,
    organisation: &mut Organisation,
    playlist: &Playlist,
) -> Result<String, Error> {
    let items: Vec<&String> = playlist.items.iter().map(|&item| &organisation.items[item]).collect();
    let domain = organisation.tenant.setup().domain;
    let new = json!({ "orgId": organisation.id, "playlist": {
        "title": playlist.title, "description": playlist.description, "privacy": playlist.privacy, "items": items,
        "contact": { "email": format!("hello@{domain}") },
    } });
    text(&api.post(organisation.founder(), "/v1/playlists", &new).await?, "uid")
}

async fn create(
    api: &Api,
    media: &Media,
    organisation: &mut Organisation,
    item: &Item,
) -> Result<String, Error> {
    let org = organisation.id.clone();
    let content = json!({ "title": item.title, "description": item.description, "privacy": "public" });
    if let Some(file) = item.source.file(media) {
        return upload(api, organisation.founder(), &org, content, file).await;
    }
    let mut content = content;
    if let Source::Embed(url) = item.source {
        content["url"] = url.into();
    }
    let new = json!({ "content": content, "orgId": org, "file": null, "notifyUsers": false });
    text(&api.post(organisation.founder(), "/v1/content", &new).await?, "uid")
}

/// Uploads a video that will be announced to the app users by email once the server has processed it.
pub async fn announce(api: &Api, media: &Media, organisation: &mut Organisation) -> Result<(), Error> {
    let org = organisation.id.clone();
    let item = json!({ "title": "Board update", "description": "Fresh from this week's meeting.", "privacy": "public" });
    let new =
        json!({ "content": item, "orgId": org, "file": announced(&media.interview), "notifyUsers": true });
    send(api, organisation.founder(), new, &media.interview).await.map(drop)
}

async fn upload(
    api: &Api,
    by: &mut Session,
    org: &str,
    content: Value,
    file: &File,
) -> Result<String, Error> {
    let new = json!({ "content": content, "orgId": org, "file": announced(file), "notifyUsers": false });
    send(api, by, new, file).await
}

async fn send(api: &Api, by: &mut Session, new: Value, file: &File) -> Result<String, Error> {
    let created = api.post(by, "/v1/content", &new).await?;
    api.put(None, &text(&created["ingest"], "url")?, file.mime, file.bytes.clone()).await?;
    text(&created, "uid")
}

/// Waits until an item is processed, or cannot be.
async fn processed(api: &Api, by: &mut Session, id: &str) -> Result<(), Error> {
    api.wait_for("processed file", PROCESSING_PATIENCE, async || {
        let item = api.get(by, &format!("/v1/content/{id}")).await?;
        Ok(matches!(item["processing"].as_str(), Some("none" | "done" | "failed")).then_some(()))
    })
    .await
}
