//! Playlists over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod create;
mod items;
mod list;
mod pins;
mod privacy;
mod words;

use std::sync::Arc;

use content::{Content, ContentSettings, Parts};
use kernel::Uid;
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Facts, Playlists};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Kit, Room, Setup, TestApp, TestOrg};

/// Starts an app with content and playlists.
async fn app() -> TestApp {
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .playlists(Arc::new(Facts))
        .start(async |kit| {
            let content = content(kit);
            let playlists = Playlists::new(
                kit.db.clone(),
                kit.ambient.clone(),
                kit.public.clone(),
                kit.orgs.clone(),
                content.clone(),
            );
            let register = content.clone();
            vec![
                Room {
                    routes: Some(content.routes()),
                    root: Some(content.root_routes()),
                    register: Some(Box::new(move |handlers| register.register(handlers))),
                },
                Room { routes: Some(playlists.routes()), ..Room::default() },
            ]
        })
        .await
}

fn content(kit: &Kit) -> Content {
    let storage = Storage::open(&StorageSettings::default(), &kit.folder, kit.ambient.clone()).unwrap();
    Content::new(Parts {
        db: kit.db.clone(),
        ambient: kit.ambient.clone(),
        public: kit.public.clone(),
        signer: kit.signer.clone(),
        jobs: kit.jobs.clone(),
        storage,
        media: Media::open(MediaSettings::default(), &kit.folder.join("work")).unwrap(),
        orgs: kit.orgs.clone(),
        shelves: Arc::new(Facts),
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
async fn film(client: &Client, org: TestOrg, title: &str, privacy: &str) -> Uid {
    let content =
        json!({ "title": title, "privacy": privacy, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&client.post("/v1/content", body).await.expect(201))
}

fn uid(json: &Value) -> Uid {
    json["uid"].as_str().unwrap().parse().unwrap()
}

/// Returns the titles in a list response.
fn titles(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

async fn leader(app: &TestApp, org: TestOrg) -> Client {
    app.member(org, Role::TeamLeader).await
}
