//! Unsubscribing.

use axum::body::Body;
use http::{Method, header};
use orgs::Role;
use serde_json::json;
use testkit::Answer;

use super::{Stage, one_each, stage, stop_of};

const ADA: &str = "ada@example.com";
const ONE_CLICK: &str = "List-Unsubscribe=One-Click";

/// Posts a form as a mail program or the page itself does, without a session.
async fn post(stage: &Stage, path: &str, kind: &str, form: &'static str) -> Answer {
    let request = stage.app.anonymous().request(Method::POST, path).header(header::CONTENT_TYPE, kind);
    stage.app.anonymous().send(request.body(Body::from(form)).unwrap()).await
}

async fn form(stage: &Stage, path: &str, form: &'static str) -> String {
    text(&post(stage, path, "application/x-www-form-urlencoded", form).await)
}

async fn open(stage: &Stage, path: &str) -> String {
    text(&stage.app.anonymous().get(path).await)
}

fn text(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// Sends an announcement to Ada and returns the path of her unsubscribe page.
async fn told(stage: &Stage) -> String {
    stage.user(ADA).await;
    stage.shown("First").await;
    stage.app.run_jobs().await;
    stop_of(&stage.letters().await[0])
}

async fn subjects(stage: &Stage) -> Vec<String> {
    stage.told().await.into_iter().map(|(_, subject)| subject).collect()
}

#[tokio::test]
async fn opening_the_link_asks_and_changes_nothing() {
    let stage = stage().await;
    let path = told(&stage).await;
    for _ in 0..2 {
        let page = open(&stage, &path).await;
        assert!(page.contains("Unsubscribe from Acme emails?") && page.contains("method=\"post\""), "{page}");
    }
    stage
        .app
        .anonymous()
        .send(stage.app.anonymous().request(Method::HEAD, &path).body(Body::empty()).unwrap())
        .await
        .expect(200);
    stage.shown("Second").await;
    stage.app.run_jobs().await;
    assert_eq!(subjects(&stage).await, ["New from Acme: First", "New from Acme: Second"]);
    stage.app.settle().await;
}

#[tokio::test]
async fn one_click_of_a_mail_program_stops_them_and_the_page_begins_them_again() {
    let stage = stage().await;
    let path = told(&stage).await;
    for _ in 0..2 {
        let page = form(&stage, &path, ONE_CLICK).await;
        assert!(page.contains("You are unsubscribed from Acme emails"), "{page}");
    }
    assert!(open(&stage, &path).await.contains("You are unsubscribed from Acme emails"));
    stage.shown("Second").await;
    stage.app.run_jobs().await;
    assert_eq!(subjects(&stage).await, ["New from Acme: First"]);

    let page = form(&stage, &path, "letters=again").await;
    assert!(page.contains("You are subscribed to Acme emails again"), "{page}");
    stage.shown("Third").await;
    stage.app.run_jobs().await;
    assert_eq!(subjects(&stage).await, ["New from Acme: First", "New from Acme: Third"]);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_form_in_parts_and_the_button_stop_them_too() {
    let stage = stage().await;
    let path = told(&stage).await;
    let parts =
        "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
    for (kind, body) in [
        ("multipart/form-data; boundary=x", parts),
        ("application/x-www-form-urlencoded", "letters=stop"),
        ("application/x-www-form-urlencoded", ""),
    ] {
        form(&stage, &path, "letters=again").await;
        let page = text(&post(&stage, &path, kind, body).await);
        assert!(page.contains("You are unsubscribed"), "{page}");
        assert!(open(&stage, &path).await.contains("You are unsubscribed"));
    }
    stage.app.settle().await;
}

#[tokio::test]
async fn a_letter_that_is_written_already_does_not_go_any_more() {
    let stage = stage().await;
    let path = told(&stage).await;
    stage.shown("Second").await;
    stage.write().await;
    form(&stage, &path, ONE_CLICK).await;
    stage.app.run_jobs().await;
    assert_eq!(subjects(&stage).await, ["New from Acme: First"]);
    stage.app.settle().await;
}

#[tokio::test]
async fn it_stops_one_person_and_one_organisation_only_and_outlives_leaving() {
    let stage = stage().await;
    let path = told(&stage).await;
    let ada = stage.app.person(ADA).await;
    let other = stage.app.org("Other").await;
    stage.appoint(other, &ada, Role::User).await;
    stage.user("bob@example.com").await;
    form(&stage, &path, ONE_CLICK).await;
    stage.dismiss(&ada).await;
    stage.appoint(stage.org, &ada, Role::User).await;

    stage.shown("Second").await;
    let leader = stage.app.member(other, Role::TeamLeader).await;
    let body = json!({ "playlist": { "title": "Theirs" }, "orgId": other.uid, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);
    stage.app.run_jobs().await;
    let mut expected = one_each("New from Acme: First", &[ADA]);
    expected.extend(one_each("New playlist from Other: Theirs", &[ADA]));
    expected.extend(one_each("New from Acme: Second", &["bob@example.com"]));
    assert_eq!(stage.told().await, expected);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_link_that_is_none_of_ours_changes_nothing() {
    let stage = stage().await;
    let path = told(&stage).await;
    let token = path.rsplit('/').next().unwrap();
    let (head, tail) = token.split_at(10);
    let changed = format!("{head}{}{}", if tail.starts_with('A') { "B" } else { "A" }, &tail[1..]);
    for token in [changed.as_str(), "x", &"A".repeat(6_000)] {
        let path = format!("/v1/letters/{token}");
        for answer in [
            stage.app.anonymous().get(&path).await,
            post(&stage, &path, "application/x-www-form-urlencoded", ONE_CLICK).await,
        ] {
            assert_eq!(answer.status, 404);
            assert!(String::from_utf8_lossy(&answer.bytes).contains("This link is not valid"));
        }
    }
    stage.shown("Second").await;
    stage.app.run_jobs().await;
    assert_eq!(subjects(&stage).await.len(), 2);
    stage.app.settle().await;
}

#[tokio::test]
async fn the_page_runs_no_script_and_takes_names_as_text() {
    let stage = stage().await;
    let path = told(&stage).await;
    let admin = stage.app.member(stage.org, Role::AccountAdmin).await;
    let name = json!({ "organisation": { "name": "<script>alert(1)</script>\" x=\"" } });
    admin.patch(&format!("/v1/organizations/{}", stage.org.uid), name).await.expect(200);
    let answer = stage.app.anonymous().get(&path).await;
    let page = text(&answer);
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    let policy = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    for part in ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(answer.headers[header::REFERRER_POLICY], "no-referrer");
    stage.app.settle().await;
}
