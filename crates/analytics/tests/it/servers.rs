//! Several servers write the events of one organisation at the same time.

use analytics::Recounted;
use db::Engine;
use kernel::{ContentId, HOUR, MINUTE, SECOND, ViewId};
use orgs::Role;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use testkit::Client;

use crate::{TestApp, create_playlist, create_video, test_app};

/// Where the two servers take events.
const SERVERS: [&str; 2] = ["/v1/events", "/v1/second/events"];
/// Requests that are sent at once, and how often.
const AT_ONCE: usize = 24;
const ROUNDS: usize = 24;
const PEOPLE: usize = 24;
/// Watch time of the organisation.
const WATCHED: &str =
    "SELECT CAST(SUM(h.watch_ms) AS BIGINT) FROM watch_hour h JOIN organisation o ON o.uid = h.subject";

/// Returns people who joined three hours ago; two of three gave their consent.
async fn audience(app: &TestApp) -> Vec<Client> {
    for n in 0..PEOPLE {
        app.joined(&format!("person{n}@example.com"), n % 3 != 0).await;
    }
    app.http.clock.advance(3 * HOUR);
    let mut people = Vec::with_capacity(PEOPLE);
    for n in 0..PEOPLE {
        people.push(app.http.person(&format!("person{n}@example.com")).await);
    }
    people
}

/// Posts a request to one of the servers, which must accept all of it.
fn posted(client: &Client, server: &'static str, body: Value) -> tokio::task::JoinHandle<()> {
    let client = client.clone();
    tokio::spawn(async move {
        let count = body["events"].as_array().unwrap().len();
        let answer = client.post(server, body).await.expect(202);
        assert_eq!(answer, json!({"accepted": count, "rejected": []}));
    })
}

/// What some seconds of playing, and sometimes more, report.
fn events(app: &TestApp, random: &mut StdRng, person: &Client, videos: &[ContentId]) -> Value {
    let mut player = app.player(person);
    player.content = *videos.choose(random).unwrap();
    let ago = random.random_range(2..150) * MINUTE;
    let beats = random.random_range(1..6);
    let mut events: Vec<Value> = (0..=beats)
        .map(|n| player.beat(if n == 0 { 0 } else { 10 * SECOND }, ago - n * 10 * SECOND))
        .collect();
    for kind in ["visit", "download", "contact"] {
        if random.random_bool(0.2) {
            events.push(app.interaction(kind));
        }
    }
    json!({"orgId": app.org.uid, "events": events})
}

/// Returns how often PostgreSQL found transactions that wait for each other.
async fn deadlocks(app: &TestApp) -> i64 {
    if app.http.deps.db.engine() == Engine::Sqlite {
        return 0;
    }
    // Each connection reports it with its next transaction a second later.
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let mut connections = Vec::new();
    for _ in 0..8 {
        connections.push(app.http.deps.db.write_tx().await.unwrap());
    }
    for tx in connections {
        tx.commit().await.unwrap();
    }
    app.count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").await
}

/// Number of views that counted although another of the same person and item did within the hour before.
const COUNTED_TWICE: &str = "SELECT COUNT(*) FROM counted_start a JOIN counted_start b ON b.org = a.org \
     AND b.viewer = a.viewer AND b.content = a.content AND b.at > a.at AND b.at - a.at < 3600000";

/// Fails if the servers have written over each other's numbers.
async fn check_numbers(app: &TestApp) {
    assert_eq!(deadlocks(app).await, 0, "the servers waited for each other");
    let watched = app.count(WATCHED).await;
    for sum in [
        "SELECT CAST(SUM(credit_ms) AS BIGINT) FROM viewing",
        "SELECT CAST(SUM(watch_ms) AS BIGINT) FROM viewer_hour",
    ] {
        assert_eq!(app.count(sum).await, watched, "{sum}");
    }
    let counted = app.count("SELECT COUNT(*) FROM viewing WHERE verdict = 'counted'").await;
    assert!(counted > 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM counted_start").await, counted);
    assert_eq!(app.count(COUNTED_TWICE).await, 0, "a person's views of an item within an hour count once");
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    let Recounted { requests, differences } = app.analytics.recount(app.org.uid).await.unwrap();
    assert!(requests > 0);
    assert_eq!(differences, 0);
    assert_eq!(app.count(WATCHED).await, watched);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn they_lose_nothing_and_never_wait_for_each_other_in_a_circle() {
    let app = test_app().await;
    let mut random = StdRng::seed_from_u64(7);
    let leader = app.staff(Role::TeamLeader).await;
    let other = create_video(&leader, app.org, "Another video", "public").await;
    create_playlist(&leader, app.org, "More videos", &[other], "public").await;
    let people = audience(&app).await;
    for _ in 0..ROUNDS {
        let mut sent = Vec::new();
        for _ in 0..AT_ONCE {
            let number = random.random_range(0..PEOPLE);
            let body = events(&app, &mut random, &people[number], &[app.video, other]);
            // Most people stay at a server, so that the servers do not only wait for the same people.
            let server = (number + usize::from(random.random_bool(0.05))) % SERVERS.len();
            if random.random_bool(0.05) {
                // The app did not see the answer and has sent it again, to the other server.
                sent.push(posted(&people[number], SERVERS[1 - server], body.clone()));
            }
            sent.push(posted(&people[number], SERVERS[server], body));
        }
        for request in sent {
            request.await.unwrap();
        }
    }
    check_numbers(&app).await;
    app.http.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_recount_changes_nothing_while_events_come_in() {
    let app = test_app().await;
    let mut random = StdRng::seed_from_u64(9);
    let people = audience(&app).await;
    let (mut sent_before, mut amid) = (0, 0);
    for _ in 0..ROUNDS {
        let sent: Vec<_> = (0..AT_ONCE)
            .map(|n| {
                let body = events(&app, &mut random, &people[n % PEOPLE], &[app.video]);
                posted(&people[n % PEOPLE], SERVERS[n % SERVERS.len()], body)
            })
            .collect();
        let Recounted { requests, differences } = app.analytics.recount(app.org.uid).await.unwrap();
        assert_eq!(differences, 0);
        for request in sent {
            request.await.unwrap();
        }
        let in_all = app.count("SELECT COUNT(*) FROM event_batch").await;
        amid += u32::from((sent_before + 1..in_all).contains(&requests.try_into().unwrap()));
        sent_before = in_all;
    }
    assert!(amid > 0, "no recount has run between requests");
    check_numbers(&app).await;
    app.http.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_names_a_person_who_withdraws_while_events_come_in() {
    let app = test_app().await;
    let mut random = StdRng::seed_from_u64(8);
    app.joined("ada@example.com", true).await;
    app.joined("bob@example.com", false).await;
    app.http.clock.advance(3 * HOUR);
    let ada = app.http.person("ada@example.com").await;
    let bob = app.http.person("bob@example.com").await;
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    for round in 0..ROUNDS {
        let mut sent = Vec::new();
        for n in 0..AT_ONCE {
            let person = if n % 4 == 0 { &bob } else { &ada };
            let mut body = events(&app, &mut random, person, &[app.video]);
            // After the consent, so it has a name.
            let visit = app.interaction("visit");
            body["events"].as_array_mut().unwrap().push(visit);
            sent.push(posted(person, SERVERS[n % 2], body));
        }
        let answers = [round % 2 == 0, false];
        for given in answers {
            tokio::time::sleep(std::time::Duration::from_millis(random.random_range(0..40))).await;
            ada.patch(&mine, testkit::answer(given)).await.expect(200);
        }
        for request in sent {
            request.await.unwrap();
        }
        for table in [
            "SELECT COUNT(*) FROM watch_person",
            "SELECT COUNT(*) FROM activity",
            "SELECT COUNT(*) FROM visitor",
            "SELECT COUNT(*) FROM viewer_key",
            "SELECT COUNT(*) FROM coverage",
            "SELECT COUNT(*) FROM event_batch WHERE since <> 0",
        ] {
            assert_eq!(app.count(table).await, 0, "{table}");
        }
        ada.patch(&mine, testkit::answer(true)).await.expect(200);
        app.http.clock.advance(SECOND);
    }
    check_numbers(&app).await;
    app.http.settle().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_view_belongs_to_one_of_two_people_who_begin_it_at_once() {
    let app = test_app().await;
    app.joined("ada@example.com", true).await;
    app.joined("bob@example.com", true).await;
    app.http.clock.advance(HOUR);
    let ada = app.http.person("ada@example.com").await;
    let bob = app.http.person("bob@example.com").await;
    let mut rejected = 0;
    for _ in 0..20 {
        let view: ViewId = app.http.deps.ambient.uid();
        let mut sent = Vec::new();
        for (person, server) in [(&ada, SERVERS[0]), (&bob, SERVERS[1])] {
            let mut player = app.player(person);
            player.view = view;
            let beats: Vec<Value> =
                (0..2).map(|n| player.beat(n * 10 * SECOND, 20 * SECOND - n * 10 * SECOND)).collect();
            let (client, body) = (person.clone(), json!({"orgId": app.org.uid, "events": beats}));
            sent.push(tokio::spawn(async move { client.post(server, body).await.expect(202) }));
        }
        for request in sent {
            rejected += request.await.unwrap()["rejected"].as_array().unwrap().len();
        }
        app.http.clock.advance(SECOND);
    }
    assert_eq!(rejected, 40, "both beats of one of the two, each time");
    assert_eq!(app.count("SELECT COUNT(*) FROM viewing").await, 20);
    assert_eq!(
        app.count("SELECT CAST(SUM(credit_ms) AS BIGINT) FROM viewing").await,
        app.count(WATCHED).await
    );
    assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0);
    app.http.settle().await;
}
