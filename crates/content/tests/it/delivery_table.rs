//! Every kind of address in every situation, compared with a separate statement of the rules.
//!
//! Addresses are built here byte by byte, to include some that the server never issued.

use bytes::Bytes;
use kernel::{ContentId, HOUR, PersonId, PlaylistId, Privacy, RunId, SessionId, Timestamp, VersionId};
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement, Value};
use storage::{Key, Name, Version};

use crate::{MP4, TestApp, TestOptions, mp4, test_app_with};

/// The files of an item.
const NAMES: [&str; 11] = [
    "source",
    "poster",
    "master.m3u8",
    "720.m3u8",
    "720-init.mp4",
    "720-0.m4s",
    "audio-0.m4s",
    "storyboard.vtt",
    "storyboard.jpg",
    "waveform.json",
    "captions-en.vtt",
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Draft,
    Available,
    Deleted,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Placement {
    /// The address names no playlist.
    None,
    /// It names one that does not contain the item.
    Elsewhere,
    In(Privacy),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Caller {
    Stranger,
    User,
    TeamUser,
    SuperAdmin,
}

/// Restates the rules: people outside the organisation see nothing, and no one sees deleted items. Staff see
/// everything else. App users see items that are public and available, in a playlist that is not private and
/// contains the item. The organisation's own privacy changes nothing for members.
fn may(_: Privacy, placement: Placement, content: Privacy, state: State, caller: Caller) -> bool {
    if state == State::Deleted || caller == Caller::Stranger {
        return false;
    }
    let staff = matches!(caller, Caller::TeamUser | Caller::SuperAdmin);
    let in_open_playlist = matches!(placement, Placement::In(Privacy::Public | Privacy::Unlisted));
    staff || (state == State::Available && content == Privacy::Public && in_open_playlist)
}

#[derive(Clone, Copy)]
struct Address {
    content: ContentId,
    playlist: Option<PlaylistId>,
    person: PersonId,
    session: SessionId,
    expires_at: Timestamp,
}

impl Address {
    fn token(&self, app: &TestApp) -> String {
        let mut bytes = vec![2];
        bytes.extend(self.content.as_bytes());
        bytes.extend(self.playlist.unwrap_or(PlaylistId::nil()).as_bytes());
        bytes.extend(self.person.as_bytes());
        bytes.extend(self.session.as_bytes());
        bytes.extend(self.expires_at.ms().to_be_bytes());
        app.http.deps.signer.sign("playback", &bytes)
    }
}

/// Returns an active session of a person.
async fn session_of(app: &TestApp, person: PersonId) -> SessionId {
    let db = app.http.deps.db.read();
    let sql = "SELECT uid FROM session WHERE person = $1 AND ended_at IS NULL";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [person.into()]);
    db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "uid").unwrap()
}

async fn write(app: &TestApp, sql: &str, values: Vec<Value>) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}

/// Creates an item that has all of the files.
pub async fn item_with_all_files(app: &TestApp) -> ContentId {
    let leader = app.leader().await;
    let sent = app.upload(&leader, "a.mp4", MP4, &mp4(64)).await;
    let (uid, version): (ContentId, VersionId) = (sent.parse().unwrap(), sent.parse().unwrap());
    app.http.run_jobs().await;
    let (org, run, captions) = (app.org.uid, RunId::from_u128(9), VersionId::from_u128(9));
    let put = async |key: Key| app.storage.put(&key, Bytes::from_static(b"bytes")).await.unwrap();
    for name in &NAMES[2..10] {
        put(Key::rendition(org, uid, run, &Name::parse(name).unwrap())).await;
    }
    put(Key::content(org, uid, &Name::version(Version::Poster, version))).await;
    put(Key::content(org, uid, &Name::parse(&format!("captions-{}", captions.as_simple())).unwrap())).await;
    let captions = format!(r#"[{{"language":"en","label":"English","version":"{captions}"}}]"#);
    write(
        app,
        "UPDATE content SET rendition = $1, rendition_has = 'hls storyboard waveform', captions = $2, poster = $3",
        vec![run.into(), captions.into(), version.into()],
    )
    .await;
    uid
}

async fn set_situation(app: &TestApp, org: Privacy, content: Privacy, state: State) {
    write(app, "UPDATE organisation SET privacy = $1", vec![org.into()]).await;
    let origin = if state == State::Draft { "draft" } else { "native" };
    let deleted: Option<i64> = (state == State::Deleted).then_some(1);
    write(
        app,
        "UPDATE content SET privacy = $1, origin = $2, deleted_at = $3",
        vec![content.into(), origin.into(), deleted.into()],
    )
    .await;
}

#[tokio::test]
async fn every_address_opens_exactly_when_its_holder_may_see_the_content() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let content = item_with_all_files(&app).await;
    let people = [
        (Caller::Stranger, app.http.person("stranger@example.com").await.uid()),
        (Caller::User, app.user().await.uid()),
        (Caller::TeamUser, app.http.member(app.org, Role::TeamUser).await.uid()),
        (Caller::SuperAdmin, app.http.member(app.org, Role::SuperAdmin).await.uid()),
    ];
    let mut callers = Vec::new();
    for (caller, person) in people {
        callers.push((caller, person, session_of(&app, person).await));
    }
    let privacies = [Privacy::Private, Privacy::Unlisted, Privacy::Public];
    let placements = [Placement::None, Placement::Elsewhere].into_iter().chain(privacies.map(Placement::In));
    let anonymous = app.http.anonymous();
    let playlist = PlaylistId::from_u128(77);
    let expires_at = app.http.deps.ambient.now() + HOUR;
    let (mut opened, mut asked) = (0, 0);
    for org in privacies {
        for own in [Privacy::Private, Privacy::Public] {
            for state in [State::Draft, State::Available, State::Deleted] {
                set_situation(&app, org, own, state).await;
                for placement in placements.clone() {
                    let (privacy, items) = match placement {
                        Placement::In(privacy) => (privacy, vec![content]),
                        Placement::None | Placement::Elsewhere => (Privacy::Public, Vec::new()),
                    };
                    app.fake_playlists.set(playlist, privacy, &items);
                    for (caller, person, session) in callers.iter().copied() {
                        let playlist = (placement != Placement::None).then_some(playlist);
                        let token = Address { content, playlist, person, session, expires_at }.token(&app);
                        let expected = may(org, placement, own, state, caller);
                        for name in NAMES {
                            let status =
                                anonymous.get(&format!("/media/{token}/{name}")).await.status.as_u16();
                            let wanted = if expected { 200 } else { 404 };
                            assert_eq!(
                                status, wanted,
                                "{org:?} {own:?} {state:?} {placement:?} {caller:?} {name}"
                            );
                            opened += usize::from(expected);
                            asked += 1;
                        }
                    }
                }
            }
        }
    }
    assert_eq!(asked, 3 * 2 * 3 * 5 * 4 * NAMES.len());
    // Staff: 2 of 3 states. App users: public and available items in two of five playlist situations.
    assert_eq!(opened, (3 * 2 * 2 * 5 * 2 + 3 * 2) * NAMES.len());
    app.http.settle().await;
}

#[tokio::test]
async fn no_address_outlives_its_hour_or_opens_a_missing_file() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let content = item_with_all_files(&app).await;
    let person = app.leader().await.uid();
    let session = session_of(&app, person).await;
    let expires_at = app.http.deps.ambient.now() + HOUR;
    let own = Address { content, playlist: None, person, session, expires_at };
    let token = own.token(&app);
    let anonymous = app.http.anonymous();
    for name in [
        "",
        ".",
        "..",
        "720.m3u8.",
        "480.m3u8",
        "720-1.m4s",
        "captions-de.vtt",
        "captions-.vtt",
        "made",
        "source2",
    ] {
        assert_eq!(anonymous.get(&format!("/media/{token}/{name}")).await.status, 404, "{name:?}");
    }
    let other = Address { content: ContentId::from_u128(1), expires_at: Timestamp::MAX, ..own }.token(&app);
    let others = session_of(&app, app.user().await.uid()).await;
    for session in [others, SessionId::from_u128(1), SessionId::nil()] {
        let token = Address { session, ..own }.token(&app);
        assert_eq!(
            anonymous.get(&format!("/media/{token}/source")).await.expect(403)["code"],
            "grant_expired"
        );
    }
    app.http.clock.advance(HOUR);
    for name in NAMES {
        assert_eq!(
            anonymous.get(&format!("/media/{token}/{name}")).await.expect(403)["code"],
            "grant_expired"
        );
        assert_eq!(
            anonymous.get(&format!("/media/{other}/{name}")).await.status,
            404,
            "the item does not exist"
        );
    }
    app.http.settle().await;
}
