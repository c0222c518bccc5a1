//! Announcements to app users.

mod bulk;
mod dates;
mod glimpse;
mod recipients;
mod repeats;
mod timing;
mod together;
mod unsubscribe;

use std::sync::Arc;

use audience::{AnnouncementRecorder, Announcements, AnnouncementsDeps, Audience};
use content::{Content, ContentDeps, ContentSettings};
use jobs::Handlers;
use kernel::{ContentId, DAY, MINUTE, Millis};
use media::{Media, MediaSettings};
use orgs::{Role, Standing};
use playlists::{Lookup, Playlists};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Feature, Setup, TestDeps, TestOrg};

/// How long what is visible waits for other things.
const WINDOW: Millis = 15 * MINUTE;

/// The app with an organisation whose app users get announcements.
struct TestApp {
    http: testkit::TestApp,
    org: TestOrg,
    announcements: Announcements,
}

async fn test_app() -> TestApp {
    test_app_with(50).await
}

/// Starts the app with the given number of recipients per page.
async fn test_app_with(page: u64) -> TestApp {
    let mut handle = None;
    let http = Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .playlists(Arc::new(Lookup))
        .start(async |deps| {
            let (content, playlists) = content_and_playlists(deps);
            let announcements = Announcements::new(AnnouncementsDeps {
                db: deps.db.clone(),
                ambient: deps.ambient.clone(),
                public: deps.public.clone(),
                signer: deps.signer.clone(),
                jobs: deps.jobs.clone(),
                mailer: deps.mailer.clone(),
                orgs: deps.orgs.clone(),
                content: content.clone(),
                playlists: playlists.clone(),
            })
            .unwrap()
            .with_page_size(page);
            handle = Some(announcements.clone());
            let (files, sender) = (content.clone(), announcements.clone());
            let audience = Audience::new(
                deps.db.clone(),
                deps.ambient.clone(),
                deps.public.clone(),
                deps.identity.clone(),
                deps.orgs.clone(),
            )
            .with_playlists(playlists.clone());
            let routes = content.routes().merge(playlists.routes()).merge(audience.routes());
            vec![Feature {
                routes: Some(routes.merge(announcements.routes())),
                root: Some(content.root_routes()),
                register: Some(Box::new(move |handlers| {
                    files.register(handlers);
                    sender.register(handlers);
                })),
            }]
        })
        .await;
    let org = http.org("Acme").await;
    TestApp { http, org, announcements: handle.unwrap() }
}

/// Creates content and playlists that report to the announcer.
fn content_and_playlists(deps: &TestDeps) -> (Content, Playlists) {
    let announcer = Arc::new(AnnouncementRecorder::new(deps.jobs.clone(), deps.ambient.clone()));
    let content = Content::new(ContentDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        public: deps.public.clone(),
        signer: deps.signer.clone(),
        jobs: deps.jobs.clone(),
        storage: Storage::open(&StorageSettings::default(), &deps.folder, deps.ambient.clone()).unwrap(),
        media: Media::open(MediaSettings::default(), &deps.folder.join("work")).unwrap(),
        orgs: deps.orgs.clone(),
        playlists: Arc::new(Lookup),
        quota: None,
        settings: ContentSettings::default(),
    })
    .with_announcer(announcer.clone());
    let playlists = Playlists::new(
        deps.db.clone(),
        deps.ambient.clone(),
        deps.public.clone(),
        deps.orgs.clone(),
        content.clone(),
    );
    (content, playlists.with_announcer(announcer))
}

impl TestApp {
    /// Signs in again, because sessions expire during the days that a test lets pass.
    async fn leader(&self) -> Client {
        self.http.member(self.org, Role::TeamLeader).await
    }

    /// Creates an app user of the organisation with this address.
    async fn user(&self, email: &str) -> Client {
        self.user_of(self.org, email).await
    }

    async fn user_of(&self, org: TestOrg, email: &str) -> Client {
        let person = self.http.person(email).await;
        self.appoint(org, &person, Role::User).await;
        person
    }

    async fn appoint(&self, org: TestOrg, person: &Client, role: impl Into<Option<Role>>) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        self.http.deps.orgs.appoint(&tx, org.uid, person.uid(), role).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn dismiss(&self, person: &Client) {
        self.appoint(self.org, person, None).await;
    }

    async fn set_standing(&self, standing: Standing) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        self.http.deps.orgs.set_standing(&tx, self.org.uid, standing.into()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Creates an embedded video with `notifyUsers`.
    async fn create_video(&self, title: &str, privacy: &str) -> String {
        let content = json!({ "title": title, "privacy": privacy, "url": "https://youtu.be/dQw4w9WgXcQ" });
        let body = json!({ "content": content, "orgId": self.org.uid, "file": null, "notifyUsers": true });
        uid(&self.leader().await.post("/v1/content", body).await.expect(201))
    }

    async fn create_playlist(&self, title: &str, privacy: &str, items: &[&str], notify: bool) -> String {
        let playlist = json!({ "title": title, "privacy": privacy, "items": items });
        let body = json!({ "playlist": playlist, "orgId": self.org.uid, "notifyUsers": notify });
        uid(&self.leader().await.post("/v1/playlists", body).await.expect(201))
    }

    async fn change_playlist(&self, id: &str, changes: Value) {
        self.leader()
            .await
            .patch(&format!("/v1/playlists/{id}"), json!({ "playlist": changes }))
            .await
            .expect(200);
    }

    async fn change_content(&self, id: &str, changes: Value) {
        self.leader()
            .await
            .patch(&format!("/v1/content/{id}"), json!({ "content": changes }))
            .await
            .expect(200);
    }

    /// Creates a video with `notifyUsers` in a public playlist.
    async fn visible_video(&self, title: &str) -> (String, String) {
        let video = self.create_video(title, "public").await;
        let playlist = self.create_playlist("Talks", "public", &[&video], false).await;
        (video, playlist)
    }

    /// Writes the emails about what is visible, after the window, without sending any.
    async fn queue_emails(&self) {
        let mut handlers = Handlers::default();
        self.announcements.register(&mut handlers);
        self.http.deps.jobs.run_due(&handlers).await.unwrap();
        self.http.clock.advance(WINDOW);
        self.http.deps.jobs.run_due(&handlers).await.unwrap();
    }

    /// Lets the jobs see what is visible, and sends the emails about it after the window.
    async fn pass_window(&self) {
        self.http.run_jobs().await;
        self.http.clock.advance(WINDOW);
        self.http.run_jobs().await;
    }

    /// Runs the hourly check an hour later, and the jobs it starts.
    async fn hour(&self) {
        self.http.clock.advance(kernel::HOUR);
        self.announcements.check().await.unwrap();
        self.http.run_jobs().await;
    }

    /// Lets the given number of days and one minute pass.
    fn days(&self, days: i64) {
        self.http.clock.advance(days * DAY + MINUTE);
    }

    /// Returns (to, subject) of the announcement emails, ordered by address.
    async fn sent(&self) -> Vec<(String, String)> {
        let mut sent: Vec<(String, String)> =
            self.emails().await.into_iter().map(|email| (email.to, email.subject)).collect();
        sent.sort();
        sent
    }

    async fn emails(&self) -> Vec<mail::SentEmail> {
        let sent = self.http.deps.mailer.sent(None, 10_000).await.unwrap();
        sent.into_iter().filter(|email| email.kind == "announcement").collect()
    }

    /// Runs a statement, for states that no caller can cause, such as a worker that died.
    async fn sql(&self, sql: &str) -> u64 {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let statement = Statement::from_string(tx.get_database_backend(), sql);
        let changed = tx.execute_raw(statement).await.unwrap().rows_affected();
        tx.commit().await.unwrap();
        changed
    }
}

fn uid(json: &Value) -> String {
    json["uid"].as_str().unwrap().to_owned()
}

/// Returns the expected emails: one with this subject to each address.
fn one_each(subject: &str, to: &[&str]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = to.iter().map(|to| ((*to).to_owned(), subject.to_owned())).collect();
    all.sort();
    all
}

/// Returns the path of the unsubscribe page, taken from an email.
fn unsubscribe_path(email: &mail::SentEmail) -> String {
    let links = email.links();
    let token = links.iter().find_map(|link| link.strip_prefix("http://vitrine.test/v1/unsubscribe/"));
    format!("/v1/unsubscribe/{}", token.unwrap_or_else(|| panic!("{links:?}")))
}

fn parse(id: &str) -> ContentId {
    id.parse().unwrap()
}
