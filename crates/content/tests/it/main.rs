//! Content over HTTP: records and rights, uploads and their failures, delivery, processing.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod begun;
mod captions;
mod delivery;
mod delivery_table;
mod image_limits;
mod images;
mod interruptions;
mod orphans;
mod pauses;
mod processing;
mod purge;
mod records;
mod releases;
mod renditions;
mod running_answers;
mod s3;
mod shelves;
mod storage_use;
mod tus;
mod tus_faults;
mod uploads;
mod verify;
mod words;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use content::{Content, ContentOut, ContentSettings, Limits, Parts, PictureFacts, Quota};
use http::{Method, header};
use httpkit::{Api, Path, Reply};
use identity::Bearer;
use kernel::{Privacy, Uid};
use media::{Media, MediaSettings};
use orgs::Role;
use orgs::rights::ListPlaylists;
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{Answer, Client, Kit, Room, Setup, TestApp, TestOrg};

use shelves::Shop;

/// The app, one organisation and its playlists.
struct Stage {
    app: TestApp,
    org: TestOrg,
    shop: Arc<Shop>,
    storage: Storage,
    room: Content,
    media: Media,
}

/// What a test can change about the setup.
#[derive(Default)]
struct Change {
    settings: ContentSettings,
    without_ffmpeg: bool,
    /// Other media tools.
    media: Option<MediaSettings>,
    limits: Option<Limits>,
    /// A bucket in memory instead of a folder.
    bucket: Option<Arc<dyn storage::Bucket>>,
    /// Storage settings other than the default.
    storage: StorageSettings,
}

async fn stage() -> Stage {
    stage_with(Change::default()).await
}

async fn stage_with(change: Change) -> Stage {
    let shop = Arc::new(Shop::default());
    let (shelves, mut made) = (Arc::clone(&shop), None);
    let media = change.media.unwrap_or_else(|| media_settings(change.without_ffmpeg));
    let app = Setup::default()
        .tables(content::migrations())
        .pictures(Arc::new(PictureFacts), Arc::new(PictureFacts))
        .start(async |kit| {
            let storage = match change.bucket {
                Some(bucket) => Storage::over(bucket, kit.ambient.clone()),
                None => Storage::open(&change.storage, &kit.folder, kit.ambient.clone()).unwrap(),
            };
            let media = Media::open(media, &kit.folder.join("work")).unwrap();
            let quota = change.limits.map(|limits| Arc::new(Plan(limits)) as Arc<dyn Quota>);
            let room = Content::new(Parts {
                quota,
                settings: change.settings,
                ..parts(kit, &storage, &media, shelves)
            });
            made = Some((storage, room.clone(), media));
            let jobs = room.clone();
            vec![Room {
                routes: Some(room.routes().merge(cards(&room))),
                root: Some(room.root_routes()),
                register: Some(Box::new(move |handlers| jobs.register(handlers))),
            }]
        })
        .await;
    let org = app.org("Acme").await;
    let (storage, room, media) = made.unwrap();
    Stage { app, org, shop, storage, room, media }
}

/// The dependencies of `Content`, without a plan and with default settings.
fn parts(kit: &Kit, storage: &Storage, media: &Media, shelves: Arc<Shop>) -> Parts {
    Parts {
        db: kit.db.clone(),
        ambient: kit.ambient.clone(),
        public: kit.public.clone(),
        signer: kit.signer.clone(),
        jobs: kit.jobs.clone(),
        storage: storage.clone(),
        media: media.clone(),
        orgs: kit.orgs.clone(),
        shelves,
        quota: None,
        settings: ContentSettings::default(),
    }
}

fn media_settings(without_ffmpeg: bool) -> MediaSettings {
    let exe = std::env::current_exe().unwrap();
    let box_path = exe.parent().unwrap().with_file_name("examples").join("media_box");
    let tool = |name: &str| if without_ffmpeg { format!("no-such-{name}") } else { name.to_owned() };
    MediaSettings {
        box_path,
        without_walls: true,
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
    async fn limits(&self, _: &db::WriteTx, _: Uid) -> Result<Limits, sea_orm::DbErr> {
        Ok(self.0)
    }
}

/// Exposes the API that playlists use as a route: one item, shown in a playlist of the given privacy.
fn cards(room: &Content) -> Api {
    async fn handler(
        State(room): State<Content>,
        bearer: Bearer,
        Path((org, playlist, privacy, id)): Path<(Uid, Uid, String, Uid)>,
    ) -> Reply<axum::Json<Vec<ContentOut>>> {
        let scope = room.orgs.enter::<ListPlaylists>(&bearer, org).await?;
        let privacy: Privacy = privacy.parse().unwrap();
        Ok(axum::Json(room.cards(room.db.read(), &scope, Some((playlist, privacy)), &[id]).await?))
    }
    let path = "/test/{org}/{playlist}/{privacy}/{id}";
    Api::new().merge(
        utoipa_axum::router::OpenApiRouter::new()
            .route(path, axum::routing::get(handler))
            .with_state(room.clone()),
    )
}

impl Stage {
    async fn leader(&self) -> Client {
        self.app.member(self.org, Role::TeamLeader).await
    }

    async fn user(&self) -> Client {
        self.app.member(self.org, Role::User).await
    }

    /// Announces a file and returns the response.
    async fn announce(&self, client: &Client, file: Value) -> Answer {
        let body = json!({
            "content": {"title": "A film"}, "orgId": self.org.uid, "file": file, "notifyUsers": false,
        });
        client.post("/v1/content", body).await
    }

    /// Announces and sends a file, and returns the uid of the item.
    async fn upload(&self, client: &Client, name: &str, mime: &str, bytes: &[u8]) -> String {
        let upload = self.announce(client, file(name, mime, bytes)).await.expect(201);
        let answer = put(&self.app, ingest(&upload), mime, bytes).await.expect(200);
        assert_eq!(answer["status"], "available");
        upload["uid"].as_str().unwrap().to_owned()
    }

    /// Creates another instance on the same database.
    fn room_on(&self, storage: Storage) -> Content {
        Content::new(parts(&self.app.kit, &storage, &self.media, Arc::clone(&self.shop)))
    }

    async fn purge(&self) {
        self.room.purge().await.unwrap();
    }

    async fn content(&self, client: &Client, uid: &str) -> Value {
        client.get(&format!("/v1/content/{uid}")).await.expect(200)
    }
}

/// Counts the files in the storage, including staged ones.
fn on_disk(stage: &Stage) -> usize {
    fn files(path: &std::path::Path) -> usize {
        let Ok(entries) = std::fs::read_dir(path) else { return 0 };
        entries.flatten().map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
    }
    files(&stage.app.kit.folder.join("objects"))
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
async fn put(app: &TestApp, url: &str, mime: &str, bytes: &[u8]) -> Answer {
    put_body(app, url, mime, Some(bytes.len()), Body::from(Bytes::copy_from_slice(bytes))).await
}

async fn put_body(app: &TestApp, url: &str, mime: &str, len: Option<usize>, body: Body) -> Answer {
    let nobody = app.anonymous();
    let mut request = nobody.request(Method::PUT, url).header(header::CONTENT_TYPE, mime);
    if let Some(len) = len {
        request = request.header(header::CONTENT_LENGTH, len);
    }
    nobody.send(request.body(body).unwrap()).await
}

/// Creates bytes of this length that begin like an MP4 file.
fn mp4(len: usize) -> Vec<u8> {
    let mut bytes = b"\0\0\0\x18ftypisom\0\0\x02\0isommp41".to_vec();
    bytes.extend((bytes.len()..len).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8));
    bytes
}

const MP4: &str = "video/mp4";
