//! Playlists over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod audit;
mod create;
mod dates;
mod demoted;
mod fields;
mod images;
mod items;
mod list;
mod pins;
mod privacy;
mod restore;
mod search;
mod stored;

use std::sync::Arc;

use content::{Content, ContentDeps, ContentSettings};
use kernel::{ContentId, PlaylistId};
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Lookup, Playlists};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Feature, Setup, TestApp, TestDeps, TestOrg};

/// Starts an app with content and playlists.
async fn test_app() -> TestApp {
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .playlists(Arc::new(Lookup))
        .start(async |deps| {
            let content = content(deps);
            let playlists = Playlists::new(
                deps.db.clone(),
                deps.ambient.clone(),
                deps.public.clone(),
                deps.orgs.clone(),
                content.clone(),
            );
            let register = content.clone();
            vec![
                Feature {
                    routes: Some(content.routes()),
                    root: Some(content.root_routes()),
                    register: Some(Box::new(move |handlers| register.register(handlers))),
                },
                Feature { routes: Some(playlists.routes()), ..Feature::default() },
            ]
        })
        .await
}

fn content(deps: &TestDeps) -> Content {
    let storage = Storage::open(&StorageSettings::default(), &deps.folder, deps.ambient.clone()).unwrap();
    Content::new(ContentDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        public: deps.public.clone(),
        signer: deps.signer.clone(),
        jobs: deps.jobs.clone(),
        storage,
        media: Media::open(MediaSettings::default(), &deps.folder.join("work")).unwrap(),
        orgs: deps.orgs.clone(),
        playlists: Arc::new(Lookup),
        quota: None,
        settings: ContentSettings::default(),
    })
}

/// Creates a playlist with the given title and further fields.
async fn playlist(client: &Client, org: TestOrg, title: &str, fields: Value) -> Value {
    let mut playlist = json!({ "title": title });
    playlist.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    client.post("/v1/playlists", json!({ "playlist": playlist, "orgId": org.uid })).await.expect(201)
}

/// Creates an embedded video, which needs no upload.
async fn video(client: &Client, org: TestOrg, title: &str, privacy: &str) -> ContentId {
    let content =
        json!({ "title": title, "privacy": privacy, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    item_uid(&client.post("/v1/content", body).await.expect(201))
}

fn uid(json: &Value) -> PlaylistId {
    json["uid"].as_str().unwrap().parse().unwrap()
}

fn item_uid(json: &Value) -> ContentId {
    json["uid"].as_str().unwrap().parse().unwrap()
}

/// Returns the titles in a list response.
fn titles(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

async fn leader(app: &TestApp, org: TestOrg) -> Client {
    app.member(org, Role::TeamLeader).await
}
