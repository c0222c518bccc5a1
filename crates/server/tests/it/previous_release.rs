//! The previous release serves on the schema of this version, as while several servers are upgraded one after the
//! other. `PREVIOUS_VITRINE` names its program; `make test-long` builds it from the newest tag.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::process::Command;

use kernel::{Ambient, EventId, SECOND};
use reqwest::Method;
use serde_json::{Value, json};
use testkit::Database;

use super::crash::{Launch, TestApp, md5, organisation};

/// The parameters of every operation that reads a range.
const RANGE: &str = "startTime=2026-01-01T00:00:00Z&endTime=2026-02-01T00:00:00Z&startDate=2026-01-01&endDate=2026-02-01\
                     &timeStart=2026-01-01T00:00:00Z&timeEnd=2026-02-01T00:00:00Z&unit=days";

/// Host of the proxy that would be in front of the servers.
const HOST: &str = "127.0.0.1:9";

/// What a person who founds an organisation creates, and what its audience does there.
struct Founded {
    email: String,
    token: String,
    person: String,
    org: String,
    account: String,
    playlist: String,
    item: String,
}

/// Returns the identifier in a response.
fn uid(created: &Value) -> String {
    created["uid"].as_str().unwrap().to_owned()
}

fn fresh() -> EventId {
    Ambient::system().uid()
}

/// Creates an organisation with content, and a viewer who joins, watches, taps the contact and searches.
async fn found(app: &TestApp, name: &str) -> Founded {
    let email = format!("{name}@example.com");
    let token = app.sign_in(&email).await;
    let post = async |path: &str, body: Value| app.call(Method::POST, path, &token, body).await;
    let org = organisation(app, &token).await;
    let account = uid(&app.call(Method::GET, "/v1/accounts", &token, json!({})).await["data"][0]);
    let bytes = b"a file of a few words".to_vec();
    let file = json!({ "name": "a.txt", "size": bytes.len(), "type": "text/plain", "checksum": md5(&bytes) });
    let content = json!({ "title": "Notes", "privacy": "public" });
    let announced =
        post("/v1/content", json!({ "content": content, "orgId": org, "file": file, "notifyUsers": false }))
            .await;
    let (_, path) = announced["ingest"]["url"].as_str().unwrap().split_once(HOST).unwrap();
    let put = app.http.put(format!("{}{path}", app.url)).header("content-type", "text/plain");
    assert_eq!(put.body(bytes).send().await.unwrap().status(), 200);
    let item = uid(&announced);
    let contact = json!({ "email": "desk@example.com", "phoneNumber": "+47 22 12 34 56" });
    let playlist = json!({ "title": "Reading", "privacy": "public", "items": [item], "contact": contact });
    let playlist = uid(&post("/v1/playlists", json!({ "playlist": playlist, "orgId": org })).await);
    let change = json!({ "organisation": { "privacy": "public", "pinnedPlaylists": [playlist] } });
    app.call(Method::PATCH, &format!("/v1/organizations/{org}"), &token, change).await;
    let invitation = json!({ "userEmails": [format!("{name}-staff@example.com")], "role": "teamUser" });
    post(&format!("/v1/organizations/{org}/invites"), invitation).await;
    let link = post(&format!("/v1/organizations/{org}/joinUrl"), json!({})).await;
    let code = link["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    watch(app, name, &code, &org, &playlist, &item).await;
    let profile = app.call(Method::GET, "/v1/profiles", &token, json!({})).await;
    Founded { email, token, person: uid(&profile), org, account, playlist, item }
}

async fn watch(app: &TestApp, name: &str, code: &str, org: &str, playlist: &str, item: &str) {
    let viewer = app.sign_in(&format!("{name}-viewer@example.com")).await;
    app.call(Method::POST, &format!("/v1/join/{code}"), &viewer, testkit::answer(true)).await;
    let (now, view) = (Ambient::system().now(), fresh());
    let mut events: Vec<Value> = (0..3)
        .map(|seq: i64| {
            json!({
                "kind": "beat", "id": fresh(), "viewId": view, "seq": seq, "contentId": item, "playlistId": playlist,
                "from": (seq - 1).max(0) * 10_000, "to": seq * 10_000, "rate": 1, "state": "playing",
                "time": kernel::iso(now - (2 - seq) * 10 * SECOND),
            })
        })
        .collect();
    events.push(json!({ "kind": "visit", "id": fresh(), "time": kernel::iso(now) }));
    events
        .push(json!({ "kind": "contact", "id": fresh(), "playlistId": playlist, "time": kernel::iso(now) }));
    let reports = json!({ "orgId": org, "events": events });
    let sent = app.call(Method::POST, "/v1/events", &viewer, reports).await;
    assert_eq!(sent["rejected"], json!([]), "{sent}");
    let place = json!({
        "contentId": item, "playlistId": playlist, "position": 1000, "length": 2000, "time": kernel::iso(now),
    });
    let progress = json!({ "items": [place] });
    let me = format!("/v1/organizations/{org}/users/me");
    let saved = app.send(Method::PUT, &format!("{me}/progress"), &viewer, progress).await;
    assert_eq!(saved.status(), 204, "{}", saved.text().await.unwrap());
    for consent in [false, true] {
        app.call(Method::PATCH, &format!("{me}/consent"), &viewer, testkit::answer(consent)).await;
    }
}

/// Sends a `GET` request to every operation that the program describes, with the identifiers of what was founded.
/// Returns the paths that were found.
async fn read_all(app: &TestApp, known: &Founded) -> BTreeSet<String> {
    let document = app.call(Method::GET, "/openapi.json", "", json!({})).await;
    let mut answered = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        if operations.get("get").is_none() {
            continue;
        }
        let mut filled = path.clone();
        for (parameter, value) in [
            ("/accounts/{id}", &known.account),
            ("/organizations/{id}", &known.org),
            ("/organizations/{orgId}", &known.org),
            ("/playlists/{id}", &known.playlist),
            ("/content/{id}", &known.item),
            ("/uploads/{uid}", &known.item),
            ("/{userId}", &known.person),
            ("/{ids}", &known.person),
        ] {
            let (folder, _) = parameter.rsplit_once('/').unwrap();
            filled = filled.replace(parameter, &format!("{folder}/{value}"));
        }
        if filled.contains('{') || filled.contains("/auth/oidc/") {
            continue;
        }
        let url = format!("{filled}?orgId={}&search=no&{RANGE}", known.org);
        let response = app.send(Method::GET, &url, &known.token, json!({})).await;
        let status = response.status();
        assert!(status.as_u16() < 500, "GET {url}: {status} {}", response.text().await.unwrap());
        if status == 200 {
            answered.insert(path.clone());
        }
    }
    answered
}

/// Deletes the playlist and restores it, and ends with the organisation.
async fn end(app: &TestApp, known: &Founded) {
    let playlist = format!("/v1/playlists/{}", known.playlist);
    app.call(Method::DELETE, &playlist, &known.token, Value::Null).await;
    app.call(Method::POST, &format!("{playlist}/restore"), &known.token, json!({})).await;
    let organisation = format!("/v1/organizations/{}", known.org);
    app.call(Method::DELETE, &organisation, &known.token, json!({ "name": "Acme" })).await;
    app.call(Method::DELETE, "/v1/profiles", &known.token, json!({ "email": known.email })).await;
}

/// Runs a command of this version on the same database and folder.
fn run(command: &str, settings: &[(&'static str, OsString)]) {
    let settings = settings.iter().map(|(name, value)| (name, value));
    let output = Command::new(env!("CARGO_BIN_EXE_vitrine")).arg(command).envs(settings).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn the_previous_release_serves_on_this_schema() {
    let Some(program) = std::env::var_os("PREVIOUS_VITRINE") else { return };
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let settings = vec![
        ("VITRINE_DATABASE_URL", database.url().into()),
        ("VITRINE_DATA_DIR", folder.path().into()),
        ("VITRINE_SANDBOX", "true".into()),
        ("VITRINE_BILLING", "none".into()),
    ];
    let previous = TestApp::start_with(Launch {
        program: Some(program),
        host: Some(HOST),
        env: settings.clone(),
        ..Launch::default()
    });
    let first = found(&previous, "ada").await;
    let answered = read_all(&previous, &first).await;
    assert!(answered.len() > 30, "{answered:?}");

    run("migrate", &settings);
    assert_eq!(read_all(&previous, &first).await, answered);
    let second = found(&previous, "grace").await;
    assert_eq!(read_all(&previous, &second).await, answered);

    // Both at once, as while the servers are replaced one after the other.
    let next = TestApp::start_with(Launch { host: Some(HOST), env: settings, ..Launch::default() });
    let third = found(&next, "mary").await;
    for known in [&first, &second, &third] {
        assert_eq!(read_all(&previous, known).await, answered);
        let also = read_all(&next, known).await;
        assert!(also.is_superset(&answered), "{:?}", answered.difference(&also));
    }
    end(&previous, &first).await;
    end(&next, &second).await;
    end(&previous, &third).await;
    for app in [&previous, &next] {
        let log = app.log();
        assert!(!log.contains(" ERROR "), "{log}");
    }
    drop((previous, next));
    database.remove().await;
}
