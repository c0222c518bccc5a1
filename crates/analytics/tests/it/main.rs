//! Events and the resulting numbers, over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod intake;
mod people;
mod reads;
mod refusals;

use std::sync::{Arc, Mutex};

use analytics::{Analytics, Interest, Sign, SignKind};
use audience::Audience;
use content::{Content, ContentSettings};
use db::WriteTx;
use kernel::{Millis, SECOND, Uid, iso};
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Facts, Playlists};
use sea_orm::{ConnectionTrait as _, DbErr, Statement};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Kit, Room, Setup, TestApp, TestOrg};

/// Records all signals, and fails on signals of one chosen person.
#[derive(Default)]
struct Told(Mutex<Vec<Sign>>, Mutex<Option<Uid>>);

#[async_trait::async_trait]
impl Interest for Told {
    async fn note(&self, _: &WriteTx, signs: &[Sign]) -> Result<(), DbErr> {
        let bad = *self.1.lock().unwrap();
        if signs.iter().any(|sign| Some(sign.person) == bad) {
            return Err(DbErr::Custom("failure injected by a test".into()));
        }
        self.0.lock().unwrap().extend(signs);
        Ok(())
    }
}

/// The app with an organisation that has a video in a public playlist.
struct Stage {
    app: TestApp,
    org: TestOrg,
    link: String,
    film: Uid,
    playlist: Uid,
    told: Arc<Told>,
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

async fn app(told: &Arc<Told>) -> TestApp {
    let interest: Arc<dyn Interest> = told.clone();
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .tables(analytics::migrations())
        .playlists(Arc::new(Facts))
        .start(async |kit| {
            let content = content(kit);
            let (db, ambient, public) = (kit.db.clone(), kit.ambient.clone(), kit.public.clone());
            let playlists = Playlists::new(
                db.clone(),
                ambient.clone(),
                public.clone(),
                kit.orgs.clone(),
                content.clone(),
            );
            let audience =
                Audience::new(db.clone(), ambient.clone(), public, kit.identity.clone(), kit.orgs.clone());
            let analytics = Analytics::new(analytics::Parts {
                db,
                ambient,
                orgs: kit.orgs.clone(),
                audience: audience.clone(),
                content: content.clone(),
                playlists: playlists.clone(),
                signer: kit.signer.clone(),
                interest: Some(interest),
            });
            let routes = [content.routes(), playlists.routes(), audience.routes(), analytics.routes()];
            routes.into_iter().map(|routes| Room { routes: Some(routes), ..Room::default() }).collect()
        })
        .await
}

async fn stage() -> Stage {
    let told = Arc::new(Told::default());
    let app = app(&told).await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({"organisation": {"privacy": "public"}})).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let leader = app.member(org, Role::TeamLeader).await;
    let film = film(&leader, org, "A film", "public").await;
    let playlist = shelf(&leader, org, "Films", &[film], "public").await;
    Stage { app, org, link: format!("/v1/join/{code}"), film, playlist, told }
}

/// Creates an embedded video, which needs no upload.
async fn film(client: &Client, org: TestOrg, title: &str, privacy: &str) -> Uid {
    let content =
        json!({ "title": title, "privacy": privacy, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&client.post("/v1/content", body).await.expect(201)["uid"])
}

async fn shelf(client: &Client, org: TestOrg, title: &str, items: &[Uid], privacy: &str) -> Uid {
    let playlist = json!({ "title": title, "items": items, "privacy": privacy });
    let body = json!({ "playlist": playlist, "orgId": org.uid });
    uid(&client.post("/v1/playlists", body).await.expect(201)["uid"])
}

fn uid(json: &Value) -> Uid {
    json.as_str().unwrap().parse().unwrap()
}

/// A player with one continuous view.
struct Player<'a> {
    stage: &'a Stage,
    client: Client,
    view: Uid,
    content: Uid,
    seq: u32,
    at: Millis,
}

impl Player<'_> {
    /// Returns a beat for what was played since the last one, timed `ago` before the app's clock.
    fn beat(&mut self, played: Millis, ago: Millis) -> Value {
        let from = self.at;
        self.at += played;
        let beat = json!({
            "kind": "beat",
            "id": self.stage.app.kit.ambient.uid(),
            "viewId": self.view,
            "seq": self.seq,
            "contentId": self.content,
            "playlistId": self.stage.playlist,
            "from": from,
            "to": self.at,
            "rate": 1,
            "state": "playing",
            "time": iso(self.stage.app.kit.ambient.now() - ago),
        });
        self.seq += 1;
        beat
    }

    /// Plays in real time, with one beat per request every ten seconds.
    async fn watch(&mut self, seconds: i64) {
        let beat = self.beat(0, 0);
        self.stage.send(&self.client, vec![beat]).await;
        let mut left = seconds;
        while left > 0 {
            let step = left.min(10) * SECOND;
            self.stage.app.clock.pass(step);
            let beat = self.beat(step, 0);
            self.stage.send(&self.client, vec![beat]).await;
            left -= 10;
        }
    }
}

impl Stage {
    /// Creates a person who joined with the given answer.
    async fn joined(&self, email: &str, consent: bool) -> Client {
        let person = self.app.person(email).await;
        person.post(&self.link, json!({"consent": consent})).await.expect(201);
        person
    }

    async fn staff(&self, role: Role) -> Client {
        self.app.member(self.org, role).await
    }

    fn player(&self, client: &Client) -> Player<'_> {
        let view = self.app.kit.ambient.uid();
        Player { stage: self, client: client.clone(), view, content: self.film, seq: 0, at: 0 }
    }

    /// Posts events that must all be accepted.
    async fn send(&self, client: &Client, events: Vec<Value>) {
        let count = events.len();
        let answer = self.post(client, events).await;
        assert_eq!(answer, json!({"accepted": count, "rejected": []}));
    }

    /// Posts events and returns the response.
    async fn post(&self, client: &Client, events: Vec<Value>) -> Value {
        client.post("/v1/events", json!({"orgId": self.org.uid, "events": events})).await.expect(202)
    }

    fn touch(&self, kind: &str) -> Value {
        json!({
            "kind": kind,
            "id": self.app.kit.ambient.uid(),
            "contentId": self.film,
            "playlistId": self.playlist,
            "time": iso(self.app.kit.ambient.now()),
        })
    }

    async fn dashboard(&self) -> Value {
        let staff = self.staff(Role::TeamUser).await;
        staff.get(&format!("/v1/organizations/{}/dashboard", self.org.uid)).await.expect(200)
    }

    /// Returns (views, watch time) of the organisation.
    async fn totals(&self) -> (i64, i64) {
        let stats = self.dashboard().await["totalStats"].clone();
        (stats["views"].as_i64().unwrap(), stats["watchTimeMs"].as_i64().unwrap())
    }

    /// Returns a series from two days before the start date to the end of the next day.
    async fn series(&self, what: &str, person: Option<&Client>) -> Value {
        let staff = self.staff(Role::TeamUser).await;
        let user = person.map(|person| format!("&userId={}", person.uid())).unwrap_or_default();
        let path = format!(
            "/v1/analytics/{what}?orgId={}&startTime=2026-11-18T00:00:00Z&endTime=2026-11-22T00:00:00Z{user}",
            self.org.uid
        );
        staff.get(&path).await.expect(200)
    }

    /// Returns the kinds of the recorded signals.
    fn signs(&self) -> Vec<SignKind> {
        self.told.0.lock().unwrap().iter().map(|sign| sign.what).collect()
    }

    /// Sets the duration or kind of a content item, as its processing would.
    async fn set_content(&self, column: &'static str, value: sea_orm::Value) {
        let sql = match column {
            "kind" => "UPDATE content SET kind = $1 WHERE uid = $2",
            _ => "UPDATE content SET duration_ms = $1 WHERE uid = $2",
        };
        let tx = self.app.kit.db.write_tx().await.unwrap();
        let statement =
            Statement::from_sql_and_values(tx.get_database_backend(), sql, [value, self.film.into()]);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Reads a number from the tables, for values that no response contains.
    async fn count(&self, sql: &'static str) -> i64 {
        let conn = self.app.kit.db.read();
        let statement = Statement::from_string(conn.get_database_backend(), sql);
        conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
    }
}
