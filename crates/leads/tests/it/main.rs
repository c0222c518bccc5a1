//! Leads over HTTP, from real beats.
#![allow(missing_docs, clippy::unwrap_used)]

mod emails;
mod explain;
mod export;
mod list;
mod scores;
mod stored;
mod summary;
mod tally;

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Arc;

use analytics::{Analytics, Countries};
use audience::Audience;
use content::{Content, ContentSettings};
use kernel::{ContentId, EventId, Millis, PlaylistId, ViewId, iso};
use leads::Leads;
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Lookup, Playlists};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Feature, Setup, TestDeps, TestOrg};

/// The app with an organisation that has videos in a public playlist.
struct TestApp {
    http: testkit::TestApp,
    org: TestOrg,
    link: String,
    videos: Vec<ContentId>,
    playlist: PlaylistId,
    leads: Leads,
}

fn content(deps: &TestDeps) -> Content {
    let storage = Storage::open(&StorageSettings::default(), &deps.folder, deps.ambient.clone()).unwrap();
    Content::new(content::ContentDeps {
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

async fn test_app() -> TestApp {
    let mut handle = None;
    let http = Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .tables(analytics::migrations())
        .tables(leads::migrations())
        .playlists(Arc::new(Lookup))
        .org_person_data(|_, ambient| vec![Arc::new(leads::PersonLeads::new(ambient.clone()))])
        .start(async |deps| {
            let content = content(deps);
            let (db, ambient, public, orgs) =
                (deps.db.clone(), deps.ambient.clone(), deps.public.clone(), deps.orgs.clone());
            let playlists =
                Playlists::new(db.clone(), ambient.clone(), public.clone(), orgs.clone(), content.clone());
            let audience =
                Audience::new(db.clone(), ambient.clone(), public, deps.identity.clone(), orgs.clone());
            let leads = Leads::new(leads::LeadsDeps {
                db: db.clone(),
                ambient: ambient.clone(),
                public: deps.public.clone(),
                signer: deps.signer.clone(),
                jobs: deps.jobs.clone(),
                mailer: deps.mailer.clone(),
                orgs: orgs.clone(),
                playlists: playlists.clone(),
            })
            .unwrap();
            let analytics = Analytics::new(analytics::AnalyticsDeps {
                db,
                ambient,
                orgs,
                audience: audience.clone(),
                content: content.clone(),
                playlists: playlists.clone(),
                signer: deps.signer.clone(),
                interest: Some(Arc::new(leads.clone())),
                identity: deps.identity.clone(),
                countries: Countries::default(),
                horizon: None,
            });
            handle = Some(leads.clone());
            let jobs = leads.clone();
            let routes = [content.routes(), playlists.routes(), audience.routes(), analytics.routes()];
            let mut features: Vec<Feature> = routes
                .into_iter()
                .map(|routes| Feature { routes: Some(routes), ..Feature::default() })
                .collect();
            features.push(Feature {
                routes: Some(leads.routes()),
                register: Some(Box::new(move |handlers| jobs.register(handlers))),
                ..Feature::default()
            });
            features
        })
        .await;
    let org = http.org("Acme").await;
    let admin = http.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({"organisation": {"privacy": "public"}})).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let mut videos = Vec::new();
    for n in 0..5 {
        videos.push(create_video(&admin, org, &format!("Video {n}")).await);
    }
    let playlist = json!({ "title": "Videos", "items": videos, "privacy": "public" });
    let playlist =
        admin.post("/v1/playlists", json!({ "playlist": playlist, "orgId": org.uid })).await.expect(201);
    let link = format!("/v1/join/{code}");
    TestApp { http, org, link, videos, playlist: uid(&playlist["uid"]), leads: handle.unwrap() }
}

async fn create_video(client: &Client, org: TestOrg, title: &str) -> ContentId {
    let content = json!({ "title": title, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&client.post("/v1/content", body).await.expect(201)["uid"])
}

/// Parses an id of the expected kind.
fn uid<Id: FromStr<Err: Debug>>(json: &Value) -> Id {
    json.as_str().unwrap().parse().unwrap()
}

impl TestApp {
    async fn joined(&self, email: &str, consent: bool) -> Client {
        let person = self.http.person(email).await;
        person.post(&self.link, testkit::answer(consent)).await.expect(201);
        person
    }

    fn interaction(&self, kind: &str) -> Value {
        json!({
            "kind": kind,
            "id": self.http.deps.ambient.uid::<EventId>(),
            "contentId": self.videos[0],
            "playlistId": self.playlist,
            "time": iso(self.http.deps.ambient.now()),
        })
    }

    async fn send(&self, client: &Client, events: Vec<Value>) {
        let body = json!({"orgId": self.org.uid, "events": events});
        let answer = client.post("/v1/events", body).await.expect(202);
        assert_eq!(answer["rejected"], json!([]));
    }

    /// Plays the start of a video in a new view; the clock advances by the time played.
    async fn watch(&self, client: &Client, video: ContentId, played: Millis) {
        let view: ViewId = self.http.deps.ambient.uid();
        let beat = |seq: u32, to: Millis| {
            json!({
                "kind": "beat", "id": self.http.deps.ambient.uid::<EventId>(), "viewId": view, "seq": seq,
                "contentId": video, "playlistId": self.playlist, "from": 0, "to": to, "rate": 1,
                "state": "playing", "time": iso(self.http.deps.ambient.now()),
            })
        };
        self.send(client, vec![beat(0, 0)]).await;
        self.http.clock.advance(played);
        self.send(client, vec![beat(1, played)]).await;
    }

    async fn leads(&self, query: &str) -> Value {
        let staff = self.http.member(self.org, Role::TeamUser).await;
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
