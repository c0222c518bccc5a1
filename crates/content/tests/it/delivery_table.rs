//! Every kind of address in every situation, compared with a separate statement of the rules.
//!
//! Addresses are built here byte by byte, to include some that the server never issued.

use bytes::Bytes;
use kernel::{HOUR, Privacy, Uid};
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement, Value};
use storage::{Key, Name, Version};

use crate::{Change, MP4, Stage, mp4, stage_with};

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
enum Shelf {
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
fn may(_: Privacy, shelf: Shelf, content: Privacy, state: State, caller: Caller) -> bool {
    if state == State::Deleted || caller == Caller::Stranger {
        return false;
    }
    let staff = matches!(caller, Caller::TeamUser | Caller::SuperAdmin);
    let shelved = matches!(shelf, Shelf::In(Privacy::Public) | Shelf::In(Privacy::Unlisted));
    staff || (state == State::Available && content == Privacy::Public && shelved)
}

#[derive(Clone, Copy)]
struct Address {
    content: Uid,
    playlist: Option<Uid>,
    person: Uid,
    session: Uid,
    expires_at: i64,
}

impl Address {
    fn token(&self, stage: &Stage) -> String {
        let mut bytes = vec![2];
        bytes.extend(self.content.as_bytes());
        bytes.extend(self.playlist.unwrap_or_default().as_bytes());
        bytes.extend(self.person.as_bytes());
        bytes.extend(self.session.as_bytes());
        bytes.extend(self.expires_at.to_be_bytes());
        stage.app.kit.signer.sign("playback", &bytes)
    }
}

/// Returns an active session of a person.
async fn session_of(stage: &Stage, person: Uid) -> Uid {
    let db = stage.app.kit.db.read();
    let sql = "SELECT uid FROM session WHERE person = $1 AND ended_at IS NULL";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [person.into()]);
    db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "uid").unwrap()
}

async fn write(stage: &Stage, sql: &str, values: Vec<Value>) {
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}

/// Creates an item that has all of the files.
async fn furnished(stage: &Stage) -> Uid {
    let leader = stage.leader().await;
    let uid: Uid = stage.upload(&leader, "a.mp4", MP4, &mp4(64)).await.parse().unwrap();
    stage.app.run_jobs().await;
    let (org, set) = (stage.org.uid, Uid::from_u128(9));
    let put = async |key: Key| stage.storage.put(&key, Bytes::from_static(b"bytes")).await.unwrap();
    for name in &NAMES[2..10] {
        put(Key::rendition(org, uid, set, &Name::parse(name).unwrap())).await;
    }
    put(Key::content(org, uid, &Name::version(Version::Poster, uid))).await;
    put(Key::content(org, uid, &Name::parse(&format!("captions-{}", set.as_simple())).unwrap())).await;
    let captions = format!(r#"[{{"language":"en","label":"English","version":"{set}"}}]"#);
    write(
        stage,
        "UPDATE content SET rendition = $1, rendition_has = 'hls storyboard waveform', captions = $2, poster = $3",
        vec![set.into(), captions.into(), uid.into()],
    )
    .await;
    uid
}

async fn situate(stage: &Stage, org: Privacy, content: Privacy, state: State) {
    write(stage, "UPDATE organisation SET privacy = $1", vec![org.as_str().into()]).await;
    let origin = if state == State::Draft { "draft" } else { "native" };
    let deleted: Option<i64> = (state == State::Deleted).then_some(1);
    write(
        stage,
        "UPDATE content SET privacy = $1, origin = $2, deleted_at = $3",
        vec![content.as_str().into(), origin.into(), deleted.into()],
    )
    .await;
}

#[tokio::test]
async fn every_address_opens_exactly_when_its_holder_may_see_the_content() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let content = furnished(&stage).await;
    let people = [
        (Caller::Stranger, stage.app.person("stranger@example.com").await.uid()),
        (Caller::User, stage.user().await.uid()),
        (Caller::TeamUser, stage.app.member(stage.org, Role::TeamUser).await.uid()),
        (Caller::SuperAdmin, stage.app.member(stage.org, Role::SuperAdmin).await.uid()),
    ];
    let mut callers = Vec::new();
    for (caller, person) in people {
        callers.push((caller, person, session_of(&stage, person).await));
    }
    let privacies = [Privacy::Private, Privacy::Unlisted, Privacy::Public];
    let shelves = [Shelf::None, Shelf::Elsewhere].into_iter().chain(privacies.map(Shelf::In));
    let nobody = stage.app.anonymous();
    let playlist = Uid::from_u128(77);
    let expires_at = stage.app.kit.ambient.now() + HOUR;
    let (mut opened, mut asked) = (0, 0);
    for org in privacies {
        for own in [Privacy::Private, Privacy::Public] {
            for state in [State::Draft, State::Available, State::Deleted] {
                situate(&stage, org, own, state).await;
                for shelf in shelves.clone() {
                    let (privacy, items) = match shelf {
                        Shelf::In(privacy) => (privacy, vec![content]),
                        Shelf::None | Shelf::Elsewhere => (Privacy::Public, Vec::new()),
                    };
                    stage.shop.set(playlist, privacy, &items);
                    for (caller, person, session) in callers.iter().copied() {
                        let playlist = (shelf != Shelf::None).then_some(playlist);
                        let token = Address { content, playlist, person, session, expires_at }.token(&stage);
                        let expected = may(org, shelf, own, state, caller);
                        for name in NAMES {
                            let status = nobody.get(&format!("/media/{token}/{name}")).await.status.as_u16();
                            let wanted = if expected { 200 } else { 404 };
                            assert_eq!(
                                status, wanted,
                                "{org:?} {own:?} {state:?} {shelf:?} {caller:?} {name}"
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
    stage.app.settle().await;
}

#[tokio::test]
async fn no_address_outlives_its_hour_or_opens_what_was_not_made() {
    let stage = stage_with(Change { without_ffmpeg: true, ..Change::default() }).await;
    let content = furnished(&stage).await;
    let person = stage.leader().await.uid();
    let session = session_of(&stage, person).await;
    let expires_at = stage.app.kit.ambient.now() + HOUR;
    let own = Address { content, playlist: None, person, session, expires_at };
    let token = own.token(&stage);
    let nobody = stage.app.anonymous();
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
        assert_eq!(nobody.get(&format!("/media/{token}/{name}")).await.status, 404, "{name:?}");
    }
    let other = Address { content: Uid::from_u128(1), expires_at: i64::MAX, ..own }.token(&stage);
    let others = session_of(&stage, stage.user().await.uid()).await;
    for session in [others, Uid::from_u128(1), Uid::nil()] {
        let token = Address { session, ..own }.token(&stage);
        assert_eq!(nobody.get(&format!("/media/{token}/source")).await.expect(403)["code"], "grant_expired");
    }
    stage.app.clock.pass(HOUR);
    for name in NAMES {
        assert_eq!(nobody.get(&format!("/media/{token}/{name}")).await.expect(403)["code"], "grant_expired");
        assert_eq!(
            nobody.get(&format!("/media/{other}/{name}")).await.status,
            404,
            "the item does not exist"
        );
    }
    stage.app.settle().await;
}
