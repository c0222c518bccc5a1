//! Content over HTTP: records and rights, uploads and their failures, delivery, processing.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod audit;
mod captions;
mod dates;
mod delivery;
mod delivery_table;
mod demoted;
mod downloads;
mod embeds;
mod fake_playlists;
mod fields;
mod image_kinds;
mod image_limits;
mod images;
mod in_progress;
mod interruptions;
mod orphans;
mod outages;
mod processing;
mod purge;
mod records;
mod releases;
mod renditions;
mod running_responses;
mod s3;
mod storage_use;
mod stored;
mod tus;
mod tus_failures;
mod uploads;
mod verify;
mod video_hosts;
mod visibility;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use content::{Content, ContentDeps, ContentOut, ContentSettings, EmbedLookup, ImageLookup, Limits, Quota};
use db::Db;
use http::{Method, header};
use httpkit::{Api, ApiResult, Path};
use identity::Bearer;
use kernel::{ContentId, OrgId, PlaylistId};
use media::{Media, MediaSettings};
use orgs::rights::ListPlaylists;
use orgs::{Orgs, Role};
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{ApiResponse, Client, Feature, Setup, TestDeps, TestOrg};

use fake_playlists::FakePlaylists;

/// The app over HTTP, one organisation and its playlists.
struct TestApp {
    http: testkit::TestApp,
    org: TestOrg,
    fake_playlists: Arc<FakePlaylists>,
    storage: Storage,
    content: Content,
    media: Media,
}

/// What a test can change about the setup.
#[derive(Default)]
struct TestOptions {
    settings: ContentSettings,
    without_ffmpeg: bool,
    /// Other media tools.
    media: Option<MediaSettings>,
    limits: Option<Limits>,
    /// A bucket in memory instead of a folder.
    bucket: Option<Arc<dyn storage::Bucket>>,
    /// Storage settings other than the default.
    storage: StorageSettings,
    /// Asks the hosts of embedded videos.
    embeds: Option<EmbedLookup>,
}

async fn test_app() -> TestApp {
    test_app_with(TestOptions::default()).await
}

async fn test_app_with(options: TestOptions) -> TestApp {
    let fake_playlists = Arc::new(FakePlaylists::default());
    let (playlists, fakes, mut created) = (Arc::clone(&fake_playlists), Arc::clone(&fake_playlists), None);
    let media = options.media.unwrap_or_else(|| media_settings(options.without_ffmpeg));
    let http = Setup::default()
        .tables(content::migrations())
        .images(Arc::new(ImageLookup), Arc::new(ImageLookup))
        .start(async |deps| {
            let storage = match options.bucket {
                Some(bucket) => Storage::from_store(bucket, deps.ambient.clone()),
                None => Storage::open(&options.storage, &deps.folder, deps.ambient.clone())
                    .and_then(|opened| {
                        opened.with_cache(&deps.folder.join("cache"), options.storage.s3_cache_mb << 20)
                    })
                    .unwrap(),
            };
            let media = Media::open(media, &deps.folder.join("work")).unwrap();
            let quota = options.limits.map(|limits| Arc::new(Plan(limits)) as Arc<dyn Quota>);
            let content = Content::new(ContentDeps {
                quota,
                settings: options.settings,
                ..content_deps(deps, &storage, &media, playlists)
            })
            .with_embed_lookup(options.embeds);
            created = Some((storage, content.clone(), media));
            let jobs = content.clone();
            vec![Feature {
                routes: Some(content.routes().merge(items_route(deps, &content, fakes))),
                root: Some(content.root_routes()),
                register: Some(Box::new(move |handlers| jobs.register(handlers))),
            }]
        })
        .await;
    let org = http.org("Acme").await;
    let (storage, content, media) = created.unwrap();
    TestApp { http, org, fake_playlists, storage, content, media }
}

/// The dependencies of `Content`, without a plan and with default settings.
fn content_deps(
    deps: &TestDeps,
    storage: &Storage,
    media: &Media,
    playlists: Arc<FakePlaylists>,
) -> ContentDeps {
    ContentDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        public: deps.public.clone(),
        signer: deps.signer.clone(),
        jobs: deps.jobs.clone(),
        storage: storage.clone(),
        media: media.clone(),
        orgs: deps.orgs.clone(),
        playlists,
        quota: None,
        settings: ContentSettings::default(),
    }
}

fn media_settings(without_ffmpeg: bool) -> MediaSettings {
    let exe = std::env::current_exe().unwrap();
    let confine_path = exe.parent().unwrap().with_file_name("examples").join("media_confine");
    let tool = |name: &str| if without_ffmpeg { format!("no-such-{name}") } else { name.to_owned() };
    MediaSettings {
        confine_path,
        without_confinement: true,
        ffprobe: tool("ffprobe").into(),
        ffmpeg: tool("ffmpeg").into(),
        // The output is larger than necessary, but otherwise the same.
        render_preset: "ultrafast".into(),
        ..MediaSettings::default()
    }
}

/// A plan with fixed limits.
struct Plan(Limits);

#[async_trait::async_trait]
impl Quota for Plan {
    async fn limits(&self, _: &db::WriteTx, _: OrgId) -> Result<Limits, sea_orm::DbErr> {
        Ok(self.0)
    }
}

/// Exposes the API that playlists use as a route: one item, shown in a playlist.
fn items_route(deps: &TestDeps, content: &Content, playlists: Arc<FakePlaylists>) -> Api {
    async fn handler(
        State((content, orgs, db, playlists)): State<(Content, Orgs, Db, Arc<FakePlaylists>)>,
        bearer: Bearer,
        Path((org, playlist, id)): Path<(OrgId, PlaylistId, ContentId)>,
    ) -> ApiResult<axum::Json<Vec<ContentOut>>> {
        let scope = orgs.enter::<ListPlaylists>(&bearer, org).await?;
        Ok(axum::Json(
            content
                .visible_items(db.read(), &scope, Some((playlist, playlists.access(playlist))), &[id])
                .await?,
        ))
    }
    let path = "/test/{org}/{playlist}/{id}";
    Api::new().merge(
        utoipa_axum::router::OpenApiRouter::new().route(path, axum::routing::get(handler)).with_state((
            content.clone(),
            deps.orgs.clone(),
            deps.db.clone(),
            playlists,
        )),
    )
}

impl TestApp {
    async fn leader(&self) -> Client {
        self.http.member(self.org, Role::TeamLeader).await
    }

    async fn user(&self) -> Client {
        self.http.member(self.org, Role::User).await
    }

    async fn announce(&self, client: &Client, file: Value) -> ApiResponse {
        let body = json!({
            "content": {"title": "A video"}, "orgId": self.org.uid, "file": file, "notifyUsers": false,
        });
        client.post("/v1/content", body).await
    }

    /// Announces and sends a file, and returns the uid of the item.
    async fn upload(&self, client: &Client, name: &str, mime: &str, bytes: &[u8]) -> String {
        let upload = self.announce(client, file(name, mime, bytes)).await.expect(201);
        let answer = put(&self.http, ingest(&upload), mime, bytes).await.expect(200);
        assert_eq!(answer["status"], "available");
        upload["uid"].as_str().unwrap().to_owned()
    }

    /// Creates another instance on the same database.
    fn content_on(&self, storage: Storage) -> Content {
        Content::new(content_deps(&self.http.deps, &storage, &self.media, Arc::clone(&self.fake_playlists)))
    }

    async fn purge(&self) {
        self.content.purge().await.unwrap();
    }

    async fn content(&self, client: &Client, uid: &str) -> Value {
        client.get(&format!("/v1/content/{uid}")).await.expect(200)
    }
}

/// Counts the files in the storage, including staged ones.
fn on_disk(app: &TestApp) -> usize {
    fn files(path: &std::path::Path) -> usize {
        let Ok(entries) = std::fs::read_dir(path) else { return 0 };
        entries.flatten().map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
    }
    files(&app.http.deps.folder.join("objects"))
}

/// A file as a browser announces it.
fn file(name: &str, mime: &str, bytes: &[u8]) -> Value {
    let checksum = STANDARD.encode(fast_md5::digest(bytes));
    json!({"name": name, "size": bytes.len(), "type": mime, "lastModified": 1_700_000_000_000_i64, "checksum": checksum})
}

fn ingest(upload: &Value) -> &str {
    upload["ingest"]["url"].as_str().unwrap()
}

/// Sends bytes to an ingest address without signing in.
async fn put(http: &testkit::TestApp, url: &str, mime: &str, bytes: &[u8]) -> ApiResponse {
    put_body(http, url, mime, Some(bytes.len()), Body::from(Bytes::copy_from_slice(bytes))).await
}

async fn put_body(
    http: &testkit::TestApp,
    url: &str,
    mime: &str,
    len: Option<usize>,
    body: Body,
) -> ApiResponse {
    let anonymous = http.anonymous();
    let mut request = anonymous.request(Method::PUT, url).header(header::CONTENT_TYPE, mime);
    if let Some(len) = len {
        request = request.header(header::CONTENT_LENGTH, len);
    }
    anonymous.send(request.body(body).unwrap()).await
}

/// Creates bytes of this length that begin like an MP4 file.
fn mp4(len: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x18ftypisom\0\0\x02\0isommp41".to_vec();
    bytes.extend((bytes.len()..len).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8));
    bytes
}

const MP4: &str = "video/mp4";
