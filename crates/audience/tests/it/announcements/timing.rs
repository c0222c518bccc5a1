//! When an announcement is sent: 15 minutes after app users can see its subject, within a week.

use orgs::Standing;
use serde_json::json;

use super::{one_each, test_app, uid};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

#[tokio::test]
async fn a_video_is_announced_once_when_it_is_added_to_a_public_playlist() {
    let app = test_app().await;
    app.user(ADA).await;
    app.user(BOB).await;
    let playlist = app.create_playlist("Talks", "public", &[], false).await;
    let video = app.create_video("Summer", "public").await;
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, [], "it is not in a playlist yet");

    app.change_playlist(&playlist, json!({ "items": [video] })).await;
    app.pass_window().await;
    let expected = one_each("New from Acme: Summer", &[ADA, BOB]);
    assert_eq!(app.sent().await, expected, "only app users, not staff");
    let emails = app.emails().await;
    let page = format!("http://vitrine.test/app/org/{}/playlists/{playlist}?item={video}", app.org.uid);
    for email in &emails {
        assert_eq!(email.links()[0], page);
        let html = email.html.as_deref().unwrap();
        assert!(html.contains("background:#ca4500"), "{html}");
    }

    for items in [json!([]), json!([video])] {
        app.change_playlist(&playlist, json!({ "items": items })).await;
        app.http.run_jobs().await;
    }
    app.create_playlist("More", "public", &[&video], false).await;
    for privacy in ["private", "public"] {
        app.change_content(&video, json!({ "privacy": privacy })).await;
        app.http.run_jobs().await;
    }
    app.hour().await;
    assert_eq!(app.sent().await, expected, "no one is notified twice");
    app.http.settle().await;
}

#[tokio::test]
async fn without_notify_users_nothing_is_announced() {
    let app = test_app().await;
    app.user(ADA).await;
    let content = json!({ "title": "Quiet", "url": "https://youtu.be/dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": app.org.uid, "file": null, "notifyUsers": false });
    let video = uid(&app.leader().await.post("/v1/content", body).await.expect(201));
    app.create_playlist("Talks", "public", &[&video], false).await;
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_is_announced_once_uploaded_and_a_new_version_is_not() {
    let app = test_app().await;
    app.user(ADA).await;
    let file =
        |name: &str, md5: &str| json!({ "name": name, "size": 6, "type": "text/plain", "checksum": md5 });
    let hello = file("a.txt", "sZRqySSS0jR8YjW00mERhA==");
    let body =
        json!({ "content": { "title": "Notes" }, "orgId": app.org.uid, "file": hello, "notifyUsers": true });
    let upload = app.leader().await.post("/v1/content", body).await.expect(201);
    app.create_playlist("Talks", "public", &[&uid(&upload)], false).await;
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, [], "the file has not been uploaded yet");

    let put = async |upload: &serde_json::Value, bytes: &'static str| {
        let path = upload["ingest"]["url"].as_str().unwrap();
        let request = app.http.anonymous().request(http::Method::PUT, path);
        let request = request.header("content-type", "text/plain").header("content-length", bytes.len());
        let answer = app.http.anonymous().send(request.body(axum::body::Body::from(bytes)).unwrap()).await;
        assert_eq!(answer.expect(200)["status"], "available");
        app.pass_window().await;
    };
    put(&upload, "hello\n").await;
    let expected = one_each("New from Acme: Notes", &[ADA]);
    assert_eq!(app.sent().await, expected);

    let next = json!({ "file": { "name": "b.txt", "checksum": "rul8s60ojvCt1sa1tfrkig==" } });
    let next = app.leader().await.post(&format!("/v1/content/{}", uid(&upload)), next).await.expect(200);
    put(&next, "hallo\n").await;
    assert_eq!(app.sent().await, expected);
    app.http.settle().await;
}

#[tokio::test]
async fn private_items_are_announced_once_they_become_public() {
    let app = test_app().await;
    app.user(ADA).await;
    let video = app.create_video("Secret", "private").await;
    let playlist = app.create_playlist("Board", "private", &[&video], true).await;
    app.http.run_jobs().await;
    app.change_content(&video, json!({ "privacy": "public" })).await;
    app.http.run_jobs().await;
    app.change_playlist(&playlist, json!({ "privacy": "unlisted" })).await;
    app.hour().await;
    assert_eq!(app.sent().await, [], "an unlisted playlist is only for people who were given its link");

    app.days(6);
    app.change_playlist(&playlist, json!({ "privacy": "public" })).await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Secret and 1 more", &[ADA]));
    app.http.settle().await;
}

#[tokio::test]
async fn an_announcement_is_dropped_after_a_week_without_visibility() {
    let app = test_app().await;
    app.user(ADA).await;
    let video = app.create_video("Old", "public").await;
    let playlist = app.create_playlist("Board", "private", &[&video], true).await;
    app.http.run_jobs().await;
    app.days(7);
    app.change_playlist(&playlist, json!({ "privacy": "public" })).await;
    app.http.run_jobs().await;
    app.hour().await;
    assert_eq!(app.sent().await, []);
    assert_eq!(app.sql("UPDATE announcement SET state = 'dropped' WHERE state = 'dropped'").await, 2);
    app.http.settle().await;
}

#[tokio::test]
async fn an_empty_public_playlist_is_announced_with_a_link_to_its_page() {
    let app = test_app().await;
    app.user(ADA).await;
    let playlist = app.create_playlist("Board", "public", &[], true).await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New playlist from Acme: Board", &[ADA]));
    let page = format!("http://vitrine.test/app/org/{}/playlists/{playlist}", app.org.uid);
    assert_eq!(app.emails().await[0].links()[0], page);
    app.http.settle().await;
}

#[tokio::test]
async fn deleted_subjects_are_not_announced() {
    let app = test_app().await;
    app.user(ADA).await;
    let playlist = app.create_playlist("Gone", "public", &[], true).await;
    app.leader().await.delete(&format!("/v1/playlists/{playlist}")).await.expect(204);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.settle().await;
}

#[tokio::test]
async fn announcements_wait_until_the_plan_is_paid_again() {
    let app = test_app().await;
    app.user(ADA).await;
    let video = app.create_video("Summer", "public").await;
    app.create_playlist("Talks", "public", &[&video], false).await;
    app.set_standing(Standing::Suspended).await;
    app.http.run_jobs().await;
    app.hour().await;
    assert_eq!(app.sent().await, []);
    app.set_standing(Standing::Active).await;
    app.hour().await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &[ADA]));
    app.http.settle().await;
}
