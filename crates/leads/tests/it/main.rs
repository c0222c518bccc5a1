//! Leads over HTTP, from real beats.
#![allow(missing_docs, clippy::unwrap_used)]

mod list;
mod scores;

use std::sync::Arc;

use analytics::Analytics;
use audience::Audience;
use content::{Content, ContentSettings};
use kernel::{Millis, Uid, iso};
use leads::Leads;
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Facts, Playlists};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Kit, Room, Setup, TestApp, TestOrg};

/// The app with an organisation that has videos in a public playlist.
struct Stage {
    app: TestApp,
    org: TestOrg,
    link: String,
    films: Vec<Uid>,
    playlist: Uid,
    leads: Leads,
}

fn content(kit: &Kit) -> Content {
    let storage = Storage::open(&StorageSettings::default(), &kit.folder, kit.ambient.clone()).unwrap();
    Content::new(content::Parts {
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

async fn stage() -> Stage {
    let mut made = None;
    let app = Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .tables(analytics::migrations())
        .tables(leads::migrations())
        .playlists(Arc::new(Facts))
        .start(async |kit| {
            let content = content(kit);
            let (db, ambient, public, orgs) =
                (kit.db.clone(), kit.ambient.clone(), kit.public.clone(), kit.orgs.clone());
            let playlists =
                Playlists::new(db.clone(), ambient.clone(), public.clone(), orgs.clone(), content.clone());
            let audience =
                Audience::new(db.clone(), ambient.clone(), public, kit.identity.clone(), orgs.clone());
            let leads = Leads::new(db.clone(), ambient.clone(), orgs.clone());
            let analytics = Analytics::new(analytics::Parts {
                db,
                ambient,
                orgs,
                audience: audience.clone(),
                content: content.clone(),
                playlists: playlists.clone(),
                signer: kit.signer.clone(),
                interest: Some(Arc::new(leads.clone())),
            });
            made = Some(leads.clone());
            let jobs = leads.clone();
            let routes = [content.routes(), playlists.routes(), audience.routes(), analytics.routes()];
            let mut rooms: Vec<Room> =
                routes.into_iter().map(|routes| Room { routes: Some(routes), ..Room::default() }).collect();
            rooms.push(Room {
                routes: Some(leads.routes()),
                register: Some(Box::new(move |handlers| jobs.register(handlers))),
                ..Room::default()
            });
            rooms
        })
        .await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({"organisation": {"privacy": "public"}})).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let mut films = Vec::new();
    for n in 0..5 {
        films.push(film(&admin, org, &format!("Film {n}")).await);
    }
    let playlist = json!({ "title": "Films", "items": films, "privacy": "public" });
    let playlist =
        admin.post("/v1/playlists", json!({ "playlist": playlist, "orgId": org.uid })).await.expect(201);
    let link = format!("/v1/join/{code}");
    Stage { app, org, link, films, playlist: uid(&playlist["uid"]), leads: made.unwrap() }
}

async fn film(client: &Client, org: TestOrg, title: &str) -> Uid {
    let content = json!({ "title": title, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&client.post("/v1/content", body).await.expect(201)["uid"])
}

fn uid(json: &Value) -> Uid {
    json.as_str().unwrap().parse().unwrap()
}

impl Stage {
    async fn joined(&self, email: &str, consent: bool) -> Client {
        let person = self.app.person(email).await;
        person.post(&self.link, json!({"consent": consent})).await.expect(201);
        person
    }

    fn touch(&self, kind: &str) -> Value {
        json!({
            "kind": kind,
            "id": self.app.kit.ambient.uid(),
            "contentId": self.films[0],
            "playlistId": self.playlist,
            "time": iso(self.app.kit.ambient.now()),
        })
    }

    async fn send(&self, client: &Client, events: Vec<Value>) {
        let body = json!({"orgId": self.org.uid, "events": events});
        let answer = client.post("/v1/events", body).await.expect(202);
        assert_eq!(answer["rejected"], json!([]));
    }

    /// Plays the start of a video in a new view; the clock advances by the time played.
    async fn watch(&self, client: &Client, film: Uid, played: Millis) {
        let view = self.app.kit.ambient.uid();
        let beat = |seq: u32, to: Millis| {
            json!({
                "kind": "beat", "id": self.app.kit.ambient.uid(), "viewId": view, "seq": seq,
                "contentId": film, "playlistId": self.playlist, "from": 0, "to": to, "rate": 1,
                "state": "playing", "time": iso(self.app.kit.ambient.now()),
            })
        };
        self.send(client, vec![beat(0, 0)]).await;
        self.app.clock.pass(played);
        self.send(client, vec![beat(1, played)]).await;
    }

    async fn leads(&self, query: &str) -> Value {
        let staff = self.app.member(self.org, Role::TeamUser).await;
        staff.get(&format!("/v1/analytics/leads?orgId={}{query}", self.org.uid)).await.expect(200)
    }

    /// Returns (score, temperature) of the only lead.
    async fn only(&self) -> (i64, String) {
        let leads = self.leads("").await;
        assert_eq!(leads["data"].as_array().unwrap().len(), 1, "{leads}");
        let lead = &leads["data"][0];
        (lead["score"].as_i64().unwrap(), lead["temperature"].as_str().unwrap().to_owned())
    }
}
