//! However the events of players are put into requests, and in whatever order these arrive, the same time was watched.

use std::collections::BTreeMap;

use analytics::SignalKind;
use kernel::{ContentId, DAY, HOUR, MINUTE, Millis, PersonId, SECOND, ViewId};
use orgs::Role;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{Rng as _, SeedableRng as _};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::Value;

use crate::{Player, TestApp, create_playlist, create_video, test_app};

const EMAILS: [&str; 3] = ["ada@example.com", "bob@example.com", "cem@example.com"];
/// Views of each person.
const VIEWS: usize = 6;

/// What one person's player reports of a view.
#[derive(Clone, Copy, Debug)]
struct Beat {
    person: usize,
    view: usize,
    /// Whether it is of the other video.
    of_other: bool,
    seq: u32,
    played: (Millis, Millis),
    ago: Millis,
}

/// Views of some people within six hours, with pauses and jumps, in order of time.
fn history(random: &mut StdRng) -> Vec<Beat> {
    let mut beats = Vec::new();
    for view in 0..EMAILS.len() * VIEWS {
        let (of_other, mut ago) = (random.random_bool(0.5), random.random_range(20..360) * MINUTE);
        let (mut at, mut from) = (0, 0);
        for seq in 0..random.random_range(2..7) {
            beats.push(Beat { person: view % EMAILS.len(), view, of_other, seq, played: (from, at), ago });
            let pause = if random.random_bool(0.2) { random.random_range(20..90) * SECOND } else { 0 };
            let jump = if random.random_bool(0.2) { random.random_range(1..40) * SECOND } else { 0 };
            from = at + jump;
            at = from + 10 * SECOND;
            ago -= 10 * SECOND + pause;
        }
    }
    beats.sort_by_key(|beat| std::cmp::Reverse(beat.ago));
    beats
}

/// Puts the events of each person into requests of random sizes, in their order.
fn in_requests(beats: &[Beat], random: &mut StdRng) -> Vec<Vec<Beat>> {
    let mut requests = Vec::new();
    for person in 0..EMAILS.len() {
        let mut rest: Vec<Beat> = beats.iter().copied().filter(|beat| beat.person == person).collect();
        while !rest.is_empty() {
            let size = random.random_range(1..=rest.len().min(20));
            requests.push(rest.drain(..size).collect());
        }
    }
    requests
}

/// What was stored after a history.
#[derive(Debug, PartialEq)]
struct StoredNumbers {
    /// Watch time and verdict of each view.
    views: BTreeMap<usize, (Millis, String)>,
    /// Watch time of the people who consented, by the number of the person and whether it is of the other video.
    people: BTreeMap<(usize, bool), Millis>,
    /// Watch time of each video.
    videos: [Millis; 2],
}

impl StoredNumbers {
    /// Returns the watch time alone: which of two views within an hour counts depends on the order of arrival.
    fn watched(self) -> impl PartialEq + std::fmt::Debug {
        let views: Vec<Millis> = self.views.into_values().map(|(credit, _)| credit).collect();
        (views, self.people, self.videos)
    }
}

/// Sends requests to a new server, and returns what it has stored then.
async fn after(requests: &[Vec<Beat>]) -> StoredNumbers {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let other = create_video(&leader, app.org, "Another video", "public").await;
    create_playlist(&leader, app.org, "More videos", &[other], "public").await;
    for (number, email) in EMAILS.into_iter().enumerate() {
        app.joined(email, number > 0).await;
    }
    // So that midnight is among the hours of the views.
    app.http.clock.advance(20 * HOUR);
    let mut people = Vec::new();
    for email in EMAILS {
        people.push(app.http.person(email).await);
    }
    let views: Vec<ViewId> =
        (0..EMAILS.len() * VIEWS).map(|_| app.http.deps.ambient.uid::<ViewId>()).collect();
    for request in requests {
        let client = &people[request[0].person];
        let events: Vec<Value> = request
            .iter()
            .map(|beat| {
                let (view, seq) = (views[beat.view], beat.seq);
                let content = if beat.of_other { other } else { app.video };
                let mut player =
                    Player { app: &app, client: client.clone(), view, content, seq, at: beat.played.0 };
                player.beat(beat.played.1 - beat.played.0, beat.ago)
            })
            .collect();
        app.send(client, events).await;
    }
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    let recounted = app.analytics.recount(app.org.uid).await.unwrap();
    assert_eq!(recounted.differences, 0, "{recounted:?}");
    let people: Vec<PersonId> = people.iter().map(testkit::Client::uid).collect();
    check_starts(&app, &views).await;
    let stored = stored(&app, &views, &people, other).await;
    app.http.settle().await;
    stored
}

/// Fails if two views of a person and a video counted within an hour.
async fn check_starts(app: &TestApp, views: &[ViewId]) {
    let select = "SELECT uid, content, began_at FROM viewing WHERE verdict = 'counted'";
    let conn = app.http.deps.db.read();
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), select)).await.unwrap();
    let mut starts: BTreeMap<(usize, ContentId), Vec<i64>> = BTreeMap::new();
    for row in rows {
        let uid: ViewId = row.try_get_by_index(0).unwrap();
        let person = views.iter().position(|view| *view == uid).unwrap() % EMAILS.len();
        let key = (person, row.try_get_by_index(1).unwrap());
        starts.entry(key).or_default().push(row.try_get_by_index(2).unwrap());
    }
    for starts in starts.values_mut() {
        starts.sort_unstable();
        assert!(starts.windows(2).all(|two| two[1] - two[0] >= HOUR), "{starts:?}");
    }
}

async fn stored(app: &TestApp, views: &[ViewId], people: &[PersonId], other: ContentId) -> StoredNumbers {
    let conn = app.http.deps.db.read();
    let rows = async |sql: &str| {
        let statement = Statement::from_string(conn.get_database_backend(), sql);
        conn.query_all_raw(statement).await.unwrap()
    };
    let mut stored = StoredNumbers { views: BTreeMap::new(), people: BTreeMap::new(), videos: [0; 2] };
    for row in rows("SELECT uid, credit_ms, verdict FROM viewing").await {
        let uid: ViewId = row.try_get_by_index(0).unwrap();
        let view = views.iter().position(|view| *view == uid).unwrap();
        let value = (row.try_get_by_index(1).unwrap(), row.try_get_by_index(2).unwrap());
        stored.views.insert(view, value);
    }
    let named = "SELECT person, content, CAST(SUM(watch_ms) AS BIGINT) FROM watch_person \
                 WHERE watch_ms > 0 GROUP BY person, content";
    for row in rows(named).await {
        let person: PersonId = row.try_get_by_index(0).unwrap();
        let content: ContentId = row.try_get_by_index(1).unwrap();
        let person = people.iter().position(|known| *known == person).unwrap();
        stored.people.insert((person, content == other), row.try_get_by_index(2).unwrap());
    }
    for row in rows("SELECT subject, CAST(SUM(watch_ms) AS BIGINT) FROM watch_hour GROUP BY subject").await {
        let subject: ContentId = row.try_get_by_index(0).unwrap();
        for (place, video) in [app.video, other].into_iter().enumerate() {
            if subject == video {
                stored.videos[place] = row.try_get_by_index(1).unwrap();
            }
        }
    }
    stored
}

#[tokio::test]
async fn any_batching_is_the_same_and_any_order_the_same_time() {
    for seed in 1..=4 {
        let mut random = StdRng::seed_from_u64(seed);
        let mut beats = history(&mut random);
        let one_by_one: Vec<Vec<Beat>> = beats.iter().map(|beat| vec![*beat]).collect();
        let expected = after(&one_by_one).await;
        let counted = expected.views.values().filter(|(_, verdict)| verdict == "counted").count();
        assert!(counted > 2 && counted < expected.views.len(), "{seed}: {expected:?}");
        assert_eq!(after(&in_requests(&beats, &mut random)).await, expected, "{seed}");
        beats.shuffle(&mut random);
        let mut requests = in_requests(&beats, &mut random);
        requests.shuffle(&mut random);
        let shuffled = after(&requests).await;
        assert_eq!(shuffled.watched(), expected.watched(), "{seed}");
    }
}

#[tokio::test]
async fn an_item_is_seen_again_on_another_day_in_any_order_of_arrival() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    app.http.clock.advance(2 * DAY);
    let ada = app.http.person("ada@example.com").await;
    app.player(&ada).watch(20).await;
    let mut player = app.player(&ada);
    let late = (0..3).map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, DAY - n * 10 * SECOND));
    app.send(&ada, late.collect()).await;
    let watched = SignalKind::Watched(app.video);
    assert_eq!(app.signals().iter().filter(|signal| **signal == watched).count(), 2);
    app.http.settle().await;
}
