//! Unsubscribing.

use axum::body::Body;
use http::{Method, header};
use orgs::Role;
use serde_json::json;
use testkit::ApiResponse;

use super::{TestApp, one_each, test_app, unsubscribe_path};

const ADA: &str = "ada@example.com";
const ONE_CLICK: &str = "List-Unsubscribe=One-Click";

/// Posts a form as a mail program or the page itself does, without a session.
async fn post(app: &TestApp, path: &str, kind: &str, form: &'static str) -> ApiResponse {
    let request = app.http.anonymous().request(Method::POST, path).header(header::CONTENT_TYPE, kind);
    app.http.anonymous().send(request.body(Body::from(form)).unwrap()).await
}

async fn form(app: &TestApp, path: &str, form: &'static str) -> String {
    text(&post(app, path, "application/x-www-form-urlencoded", form).await)
}

async fn open(app: &TestApp, path: &str) -> String {
    text(&app.http.anonymous().get(path).await)
}

fn text(answer: &ApiResponse) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// Sends an announcement to Ada and returns the path of her unsubscribe page.
async fn announce_to_ada(app: &TestApp) -> String {
    app.user(ADA).await;
    app.visible_video("First").await;
    app.pass_window().await;
    unsubscribe_path(&app.emails().await[0])
}

async fn subjects(app: &TestApp) -> Vec<String> {
    app.sent().await.into_iter().map(|(_, subject)| subject).collect()
}

#[tokio::test]
async fn opening_the_link_asks_for_confirmation_and_changes_nothing() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    for _ in 0..2 {
        let page = open(&app, &path).await;
        assert!(page.contains("Unsubscribe from Acme emails?") && page.contains("method=\"post\""), "{page}");
    }
    app.http
        .anonymous()
        .send(app.http.anonymous().request(Method::HEAD, &path).body(Body::empty()).unwrap())
        .await
        .expect(200);
    app.visible_video("Second").await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await, ["New from Acme: First", "New from Acme: Second"]);
    app.http.settle().await;
}

#[tokio::test]
async fn one_click_unsubscribes_and_the_page_subscribes_again() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    for _ in 0..2 {
        let page = form(&app, &path, ONE_CLICK).await;
        assert!(page.contains("You are unsubscribed from Acme emails"), "{page}");
    }
    assert!(open(&app, &path).await.contains("You are unsubscribed from Acme emails"));
    app.visible_video("Second").await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await, ["New from Acme: First"]);

    let page = form(&app, &path, "unsubscribe=undo").await;
    assert!(page.contains("You are subscribed to Acme emails again"), "{page}");
    app.visible_video("Third").await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await, ["New from Acme: First", "New from Acme: Third"]);
    app.http.settle().await;
}

#[tokio::test]
async fn a_multipart_form_and_the_button_unsubscribe_too() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    let parts =
        "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
    for (kind, body) in [
        ("multipart/form-data; boundary=x", parts),
        ("application/x-www-form-urlencoded", "unsubscribe=confirm"),
        ("application/x-www-form-urlencoded", ""),
    ] {
        form(&app, &path, "unsubscribe=undo").await;
        let page = text(&post(&app, &path, kind, body).await);
        assert!(page.contains("You are unsubscribed"), "{page}");
        assert!(open(&app, &path).await.contains("You are unsubscribed"));
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_email_already_queued_is_not_sent_after_unsubscribing() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    app.visible_video("Second").await;
    app.queue_emails().await;
    form(&app, &path, ONE_CLICK).await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await, ["New from Acme: First"]);
    app.http.settle().await;
}

#[tokio::test]
async fn unsubscribing_affects_one_person_in_one_organisation_and_survives_leaving() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    let ada = app.http.person(ADA).await;
    let other = app.http.org("Other").await;
    app.appoint(other, &ada, Role::User).await;
    app.user("bob@example.com").await;
    form(&app, &path, ONE_CLICK).await;
    app.dismiss(&ada).await;
    app.appoint(app.org, &ada, Role::User).await;

    app.visible_video("Second").await;
    let leader = app.http.member(other, Role::TeamLeader).await;
    let body = json!({ "playlist": { "title": "Theirs" }, "orgId": other.uid, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);
    app.pass_window().await;
    let mut expected = one_each("New from Acme: First", &[ADA]);
    expected.extend(one_each("New playlist from Other: Theirs", &[ADA]));
    expected.extend(one_each("New from Acme: Second", &["bob@example.com"]));
    assert_eq!(app.sent().await, expected);
    app.http.settle().await;
}

#[tokio::test]
async fn a_forged_link_changes_nothing() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    let token = path.rsplit('/').next().unwrap();
    let (head, tail) = token.split_at(10);
    let changed = format!("{head}{}{}", if tail.starts_with('A') { "B" } else { "A" }, &tail[1..]);
    for token in [changed.as_str(), "x", &"A".repeat(6_000)] {
        let path = format!("/v1/unsubscribe/{token}");
        for answer in [
            app.http.anonymous().get(&path).await,
            post(&app, &path, "application/x-www-form-urlencoded", ONE_CLICK).await,
        ] {
            assert_eq!(answer.status, 404);
            assert!(String::from_utf8_lossy(&answer.bytes).contains("This link is not valid"));
        }
    }
    app.visible_video("Second").await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await.len(), 2);
    app.http.settle().await;
}

#[tokio::test]
async fn the_page_runs_no_script_and_escapes_names() {
    let app = test_app().await;
    let path = announce_to_ada(&app).await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let name = json!({ "organisation": { "name": "<script>alert(1)</script>\" x=\"" } });
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), name).await.expect(200);
    let answer = app.http.anonymous().get(&path).await;
    let page = text(&answer);
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    let policy = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    for part in ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(answer.headers[header::REFERRER_POLICY], "no-referrer");
    app.http.settle().await;
}

#[tokio::test]
async fn an_app_user_turns_the_emails_off_and_on_in_the_app() {
    let app = test_app().await;
    let ada = app.user(ADA).await;
    let path = format!("/v1/organizations/{}/users/me/announcements", app.org.uid);
    assert_eq!(ada.get(&path).await.expect(200), json!({ "emails": true }));
    ada.patch(&path, json!({ "emails": false })).await.expect(200);
    assert_eq!(ada.get(&path).await.expect(200), json!({ "emails": false }));
    app.visible_video("First").await;
    app.pass_window().await;
    assert_eq!(app.sent().await, []);
    ada.patch(&path, json!({ "emails": true })).await.expect(200);
    app.visible_video("Second").await;
    app.pass_window().await;
    assert_eq!(subjects(&app).await, ["New from Acme: Second"]);
    ada.patch(&path, json!({ "emails": "no" })).await.expect(400);
    app.http.anonymous().get(&path).await.expect(401);
    app.http.person("stranger@example.com").await.get(&path).await.expect(404);
    app.http.settle().await;
}
