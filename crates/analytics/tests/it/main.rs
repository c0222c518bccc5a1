//! Events and the resulting numbers, over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod archive;
mod countries;
mod deliveries;
mod downloads;
mod groups;
mod intake;
mod limits;
mod packs;
mod people;
mod person_packs;
mod ranges;
mod reads;
mod recount;
mod rejections;
mod returning;
mod servers;
mod top;
mod total_packs;
mod zones;

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use analytics::{Analytics, InterestSignal, InterestSink, SignalKind};
use audience::Audience;
use content::{Content, ContentSettings};
use db::WriteTx;
use kernel::{ContentId, EventId, Millis, OrgId, PersonId, PlaylistId, SECOND, ViewId, iso};
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::{Lookup, Playlists};
use sea_orm::{ConnectionTrait as _, DbErr, Statement};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Feature, Setup, TestDeps, TestOrg};

/// Records all signals, and fails on signals of one chosen person.
#[derive(Default)]
struct SignalRecorder(Mutex<Vec<InterestSignal>>, Mutex<Option<PersonId>>);

#[async_trait::async_trait]
impl InterestSink for SignalRecorder {
    async fn record(&self, _: &WriteTx, signals: &[InterestSignal]) -> Result<(), DbErr> {
        let bad = *self.1.lock().unwrap();
        if signals.iter().any(|signal| Some(signal.person) == bad) {
            return Err(DbErr::Custom("failure injected by a test".into()));
        }
        self.0.lock().unwrap().extend(signals);
        Ok(())
    }
}

/// A plan that shows a number of months; 0 means all.
#[derive(Default)]
struct PlanMonths(AtomicU32);

#[async_trait::async_trait]
impl analytics::Horizon for PlanMonths {
    async fn months(&self, _: &sea_orm::DatabaseConnection, _: OrgId) -> Result<Option<u32>, DbErr> {
        Ok(Some(self.0.load(Ordering::Relaxed)).filter(|months| *months > 0))
    }
}

/// The app with an organisation that has a video in a public playlist.
struct TestApp {
    http: testkit::TestApp,
    org: TestOrg,
    link: String,
    video: ContentId,
    playlist: PlaylistId,
    recorder: Arc<SignalRecorder>,
    months: Arc<PlanMonths>,
    analytics: Analytics,
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

async fn http_app(
    recorder: &Arc<SignalRecorder>,
    months: &Arc<PlanMonths>,
    handle: &mut Option<Analytics>,
) -> testkit::TestApp {
    let interest: Arc<dyn InterestSink> = recorder.clone();
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .tables(analytics::migrations())
        .playlists(Arc::new(Lookup))
        .last_seen(Arc::new(analytics::Visitors))
        .org_person_data(|signer, ambient| {
            vec![Arc::new(analytics::ViewerData::new(signer, ambient.clone()))]
        })
        .start(async |deps| {
            let content = content(deps);
            let (db, ambient, public) = (deps.db.clone(), deps.ambient.clone(), deps.public.clone());
            let playlists = Playlists::new(
                db.clone(),
                ambient.clone(),
                public.clone(),
                deps.orgs.clone(),
                content.clone(),
            );
            let audience =
                Audience::new(db.clone(), ambient.clone(), public, deps.identity.clone(), deps.orgs.clone());
            let server = || {
                Analytics::new(analytics::AnalyticsDeps {
                    db: db.clone(),
                    ambient: ambient.clone(),
                    orgs: deps.orgs.clone(),
                    identity: deps.identity.clone(),
                    audience: audience.clone(),
                    content: content.clone(),
                    playlists: playlists.clone(),
                    signer: deps.signer.clone(),
                    countries: countries::countries(),
                    horizon: Some(months.clone()),
                    interest: Some(interest.clone()),
                })
            };
            let analytics = server();
            // Another task that writes events, as a second server has one.
            let second = httpkit::Api::new().nest("/second", server().routes());
            let routes =
                [content.routes(), playlists.routes(), audience.routes(), analytics.routes(), second];
            let jobs = analytics.clone();
            *handle = Some(analytics);
            let mut features: Vec<Feature> = routes
                .into_iter()
                .map(|routes| Feature { routes: Some(routes), ..Feature::default() })
                .collect();
            let register = Some(Box::new(move |handlers: &mut jobs::Handlers| jobs.register(handlers)) as _);
            features.push(Feature { register, ..Feature::default() });
            features
        })
        .await
}

async fn test_app() -> TestApp {
    let recorder = Arc::new(SignalRecorder::default());
    let (months, mut analytics) = (Arc::new(PlanMonths::default()), None);
    let http = http_app(&recorder, &months, &mut analytics).await;
    let org = http.org("Acme").await;
    let admin = http.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({"organisation": {"privacy": "public"}})).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let leader = http.member(org, Role::TeamLeader).await;
    let video = create_video(&leader, org, "A video", "public").await;
    let playlist = create_playlist(&leader, org, "Videos", &[video], "public").await;
    TestApp {
        http,
        org,
        link: format!("/v1/join/{code}"),
        video,
        playlist,
        recorder,
        months,
        analytics: analytics.unwrap(),
    }
}

/// Creates an embedded video, which needs no upload.
async fn create_video(client: &Client, org: TestOrg, title: &str, privacy: &str) -> ContentId {
    let content =
        json!({ "title": title, "privacy": privacy, "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": org.uid, "file": null, "notifyUsers": false });
    uid(&client.post("/v1/content", body).await.expect(201)["uid"])
}

async fn create_playlist(
    client: &Client,
    org: TestOrg,
    title: &str,
    items: &[ContentId],
    privacy: &str,
) -> PlaylistId {
    let playlist = json!({ "title": title, "items": items, "privacy": privacy });
    let body = json!({ "playlist": playlist, "orgId": org.uid });
    uid(&client.post("/v1/playlists", body).await.expect(201)["uid"])
}

/// Parses an id of the expected kind.
fn uid<Id: FromStr<Err: Debug>>(json: &Value) -> Id {
    json.as_str().unwrap().parse().unwrap()
}

/// A player with one continuous view.
struct Player<'a> {
    app: &'a TestApp,
    client: Client,
    view: ViewId,
    content: ContentId,
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
            "id": self.app.http.deps.ambient.uid::<EventId>(),
            "viewId": self.view,
            "seq": self.seq,
            "contentId": self.content,
            "playlistId": self.app.playlist,
            "from": from,
            "to": self.at,
            "rate": 1,
            "state": "playing",
            "time": iso(self.app.http.deps.ambient.now() - ago),
        });
        self.seq += 1;
        beat
    }

    /// Plays in real time, with one beat per request every ten seconds.
    async fn watch(&mut self, seconds: i64) {
        let beat = self.beat(0, 0);
        self.app.send(&self.client, vec![beat]).await;
        let mut left = seconds;
        while left > 0 {
            let step = left.min(10) * SECOND;
            self.app.http.clock.advance(step);
            let beat = self.beat(step, 0);
            self.app.send(&self.client, vec![beat]).await;
            left -= 10;
        }
    }
}

impl TestApp {
    /// Creates a person who joined with the given answer.
    async fn joined(&self, email: &str, consent: bool) -> Client {
        let person = self.http.person(email).await;
        person.post(&self.link, testkit::answer(consent)).await.expect(201);
        person
    }

    async fn staff(&self, role: Role) -> Client {
        self.http.member(self.org, role).await
    }

    fn player(&self, client: &Client) -> Player<'_> {
        let view = self.http.deps.ambient.uid();
        Player { app: self, client: client.clone(), view, content: self.video, seq: 0, at: 0 }
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

    fn interaction(&self, kind: &str) -> Value {
        json!({
            "kind": kind,
            "id": self.http.deps.ambient.uid::<EventId>(),
            "contentId": self.video,
            "playlistId": self.playlist,
            "time": iso(self.http.deps.ambient.now()),
        })
    }

    async fn dashboard(&self) -> Value {
        let staff = self.staff(Role::TeamUser).await;
        staff.get(&format!("/v1/organizations/{}/dashboard", self.org.uid)).await.expect(200)
    }

    /// Returns views, unique viewers and finish rate of the video in the days around the start.
    async fn audience(&self) -> Value {
        let range = "startTime=2026-11-15T00:00:00Z&endTime=2026-11-30T00:00:00Z";
        let path = format!("/v1/analytics/content/{}?{range}", self.video);
        let report = self.staff(Role::TeamUser).await.get(&path).await.expect(200);
        json!([report["views"], report["uniques"], report["finishRate"]])
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
    fn signals(&self) -> Vec<SignalKind> {
        self.recorder.0.lock().unwrap().iter().map(|signal| signal.kind).collect()
    }

    /// Sets the duration or kind of a content item, as its processing would.
    async fn set_content(&self, column: &'static str, value: sea_orm::Value) {
        let sql = match column {
            "kind" => "UPDATE content SET kind = $1 WHERE uid = $2",
            "pages" => "UPDATE content SET pages = $1 WHERE uid = $2",
            _ => "UPDATE content SET duration_ms = $1 WHERE uid = $2",
        };
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let statement =
            Statement::from_sql_and_values(tx.get_database_backend(), sql, [value, self.video.into()]);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Changes rows behind the server's back.
    async fn execute(&self, sql: &'static str) -> u64 {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let statement = Statement::from_string(tx.get_database_backend(), sql);
        let changed = tx.execute_raw(statement).await.unwrap().rows_affected();
        tx.commit().await.unwrap();
        changed
    }

    /// Reads a number from the tables, for values that no response contains.
    async fn count(&self, sql: &'static str) -> i64 {
        let conn = self.http.deps.db.read();
        let statement = Statement::from_string(conn.get_database_backend(), sql);
        conn.query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
    }
}
