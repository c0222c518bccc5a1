//! Announcements to app users.

mod again;
mod opens;
mod rounds;
mod stop;
mod who;

use std::sync::Arc;

use audience::{News, NewsDesk, NewsParts};
use content::{Content, ContentSettings, Parts};
use jobs::Handlers;
use kernel::{DAY, Uid};
use media::{Media, MediaSettings};
use orgs::{Role, Standing};
use playlists::{Facts, Playlists};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Client, Kit, Room, Setup, TestApp, TestOrg};

/// The app with an organisation whose app users get announcements.
struct Stage {
    app: TestApp,
    org: TestOrg,
    news: News,
}

async fn stage() -> Stage {
    stage_with(50).await
}

/// Starts the app with the given number of recipients per page.
async fn stage_with(page: u64) -> Stage {
    let mut made = None;
    let app = Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .playlists(Arc::new(Facts))
        .start(async |kit| {
            let (content, playlists) = rooms(kit);
            let news = News::new(NewsParts {
                db: kit.db.clone(),
                ambient: kit.ambient.clone(),
                public: kit.public.clone(),
                signer: kit.signer.clone(),
                jobs: kit.jobs.clone(),
                mailer: kit.mailer.clone(),
                orgs: kit.orgs.clone(),
                content: content.clone(),
                playlists: playlists.clone(),
            })
            .unwrap()
            .with_page(page);
            made = Some(news.clone());
            let (files, teller) = (content.clone(), news.clone());
            vec![Room {
                routes: Some(content.routes().merge(playlists.routes()).merge(news.routes())),
                root: Some(content.root_routes()),
                register: Some(Box::new(move |handlers| {
                    files.register(handlers);
                    teller.register(handlers);
                })),
            }]
        })
        .await;
    let org = app.org("Acme").await;
    Stage { app, org, news: made.unwrap() }
}

/// Creates content and playlists that report to the announcer.
fn rooms(kit: &Kit) -> (Content, Playlists) {
    let desk = Arc::new(NewsDesk::new(kit.jobs.clone(), kit.ambient.clone()));
    let content = Content::new(Parts {
        db: kit.db.clone(),
        ambient: kit.ambient.clone(),
        public: kit.public.clone(),
        signer: kit.signer.clone(),
        jobs: kit.jobs.clone(),
        storage: Storage::open(&StorageSettings::default(), &kit.folder, kit.ambient.clone()).unwrap(),
        media: Media::open(MediaSettings::default(), &kit.folder.join("work")).unwrap(),
        orgs: kit.orgs.clone(),
        shelves: Arc::new(Facts),
        quota: None,
        settings: ContentSettings::default(),
    })
    .with_news(desk.clone());
    let playlists = Playlists::new(
        kit.db.clone(),
        kit.ambient.clone(),
        kit.public.clone(),
        kit.orgs.clone(),
        content.clone(),
    );
    (content, playlists.with_news(desk))
}

impl Stage {
    /// Signs in again, because sessions expire during the days that a test lets pass.
    async fn leader(&self) -> Client {
        self.app.member(self.org, Role::TeamLeader).await
    }

    /// Creates an app user of the organisation with this address.
    async fn user(&self, email: &str) -> Client {
        self.user_of(self.org, email).await
    }

    async fn user_of(&self, org: TestOrg, email: &str) -> Client {
        let person = self.app.person(email).await;
        self.appoint(org, &person, Role::User).await;
        person
    }

    async fn appoint(&self, org: TestOrg, person: &Client, role: Role) {
        let tx = self.app.kit.db.write_tx().await.unwrap();
        self.app.kit.orgs.appoint(&tx, org.uid, person.uid(), role).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn dismiss(&self, person: &Client) {
        let tx = self.app.kit.db.write_tx().await.unwrap();
        assert!(self.app.kit.orgs.dismiss(&tx, self.org.uid, person.uid()).await.unwrap());
        tx.commit().await.unwrap();
    }

    async fn set_standing(&self, standing: Standing) {
        let tx = self.app.kit.db.write_tx().await.unwrap();
        self.app.kit.orgs.set_standing(&tx, self.org.uid, standing).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Creates an embedded video with `notifyUsers`.
    async fn film(&self, title: &str, privacy: &str) -> String {
        let content = json!({ "title": title, "privacy": privacy, "url": "https://youtu.be/dQw4w9WgXcQ" });
        let body = json!({ "content": content, "orgId": self.org.uid, "file": null, "notifyUsers": true });
        uid(&self.leader().await.post("/v1/content", body).await.expect(201))
    }

    async fn playlist(&self, title: &str, privacy: &str, items: &[&str], notify: bool) -> String {
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
    async fn shown(&self, title: &str) -> (String, String) {
        let film = self.film(title, "public").await;
        let playlist = self.playlist("Talks", "public", &[&film], false).await;
        (film, playlist)
    }

    /// Writes the due emails without sending any.
    async fn write(&self) {
        let mut handlers = Handlers::default();
        self.news.register(&mut handlers);
        self.app.kit.jobs.run_due(&handlers).await.unwrap();
    }

    /// Runs the hourly check an hour later, and the jobs it starts.
    async fn hour(&self) {
        self.app.clock.pass(kernel::HOUR);
        self.news.keep().await.unwrap();
        self.app.run_jobs().await;
    }

    /// Lets the given number of days and one minute pass.
    fn days(&self, days: i64) {
        self.app.clock.pass(days * DAY + kernel::MINUTE);
    }

    /// Returns (to, subject) of the announcement emails, ordered by address.
    async fn told(&self) -> Vec<(String, String)> {
        let mut told: Vec<(String, String)> =
            self.letters().await.into_iter().map(|letter| (letter.to, letter.subject)).collect();
        told.sort();
        told
    }

    async fn letters(&self) -> Vec<mail::SentLetter> {
        let sent = self.app.kit.mailer.sent(None, 10_000).await.unwrap();
        sent.into_iter().filter(|letter| letter.kind == "news").collect()
    }

    /// Runs a statement, for states that no caller can cause, such as a worker that died.
    async fn sql(&self, sql: &str) -> u64 {
        let tx = self.app.kit.db.write_tx().await.unwrap();
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
fn stop_of(letter: &mail::SentLetter) -> String {
    let links = mail::links_of(&letter.text);
    let stop = links.iter().find_map(|link| link.strip_prefix("http://vitrine.test/v1/letters/"));
    format!("/v1/letters/{}", stop.unwrap_or_else(|| panic!("{links:?}")))
}

fn parse(id: &str) -> Uid {
    id.parse().unwrap()
}
