//! When an announcement is sent: once app users can see its subject, within a week.

use orgs::Standing;
use serde_json::json;

use super::{one_each, stage, uid};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

#[tokio::test]
async fn a_film_is_told_of_once_when_it_comes_into_a_public_playlist() {
    let stage = stage().await;
    stage.user(ADA).await;
    stage.user(BOB).await;
    let playlist = stage.playlist("Talks", "public", &[], false).await;
    let film = stage.film("Summer", "public").await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, [], "it is not in a playlist yet");

    stage.change_playlist(&playlist, json!({ "items": [film] })).await;
    stage.app.run_jobs().await;
    let told = one_each("New from Acme: Summer", &[ADA, BOB]);
    assert_eq!(stage.told().await, told, "only app users, not staff");
    let letters = stage.letters().await;
    let page = format!("http://vitrine.test/app/org/{}/playlists/{playlist}?item={film}", stage.org.uid);
    for letter in &letters {
        assert_eq!(mail::links_of(&letter.text)[0], page);
        assert!(letter.html.contains("background:#ca4500"), "{}", letter.html);
    }

    for items in [json!([]), json!([film])] {
        stage.change_playlist(&playlist, json!({ "items": items })).await;
        stage.app.run_jobs().await;
    }
    stage.playlist("More", "public", &[&film], false).await;
    for privacy in ["private", "public"] {
        stage.change_content(&film, json!({ "privacy": privacy })).await;
        stage.app.run_jobs().await;
    }
    stage.hour().await;
    assert_eq!(stage.told().await, told, "no one is notified twice");
    stage.app.settle().await;
}

#[tokio::test]
async fn without_the_wish_nobody_is_told() {
    let stage = stage().await;
    stage.user(ADA).await;
    let content = json!({ "title": "Quiet", "url": "https://youtu.be/dQw4w9WgXcQ" });
    let body = json!({ "content": content, "orgId": stage.org.uid, "file": null, "notifyUsers": false });
    let film = uid(&stage.leader().await.post("/v1/content", body).await.expect(201));
    stage.playlist("Talks", "public", &[&film], false).await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, []);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_file_is_told_of_when_it_has_come_and_a_new_version_is_not() {
    let stage = stage().await;
    stage.user(ADA).await;
    let file =
        |name: &str, md5: &str| json!({ "name": name, "size": 6, "type": "text/plain", "checksum": md5 });
    let hello = file("a.txt", "sZRqySSS0jR8YjW00mERhA==");
    let body = json!({ "content": { "title": "Notes" }, "orgId": stage.org.uid, "file": hello, "notifyUsers": true });
    let upload = stage.leader().await.post("/v1/content", body).await.expect(201);
    stage.playlist("Talks", "public", &[&uid(&upload)], false).await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, [], "the file has not been uploaded yet");

    let put = async |upload: &serde_json::Value, bytes: &'static str| {
        let path = upload["ingest"]["url"].as_str().unwrap();
        let request = stage.app.anonymous().request(http::Method::PUT, path);
        let request = request.header("content-type", "text/plain").header("content-length", bytes.len());
        let answer = stage.app.anonymous().send(request.body(axum::body::Body::from(bytes)).unwrap()).await;
        assert_eq!(answer.expect(200)["status"], "available");
        stage.app.run_jobs().await;
    };
    put(&upload, "hello\n").await;
    let told = one_each("New from Acme: Notes", &[ADA]);
    assert_eq!(stage.told().await, told);

    let next = json!({ "file": { "name": "b.txt", "checksum": "rul8s60ojvCt1sa1tfrkig==" } });
    let next = stage.leader().await.post(&format!("/v1/content/{}", uid(&upload)), next).await.expect(200);
    put(&next, "hallo\n").await;
    assert_eq!(stage.told().await, told);
    stage.app.settle().await;
}

#[tokio::test]
async fn what_is_private_stays_silent_until_it_opens() {
    let stage = stage().await;
    stage.user(ADA).await;
    let film = stage.film("Secret", "private").await;
    let playlist = stage.playlist("Board", "private", &[&film], true).await;
    stage.app.run_jobs().await;
    stage.change_content(&film, json!({ "privacy": "public" })).await;
    stage.app.run_jobs().await;
    stage.change_playlist(&playlist, json!({ "privacy": "unlisted" })).await;
    stage.hour().await;
    assert_eq!(stage.told().await, [], "an unlisted playlist is only for people who were given its link");

    stage.days(6);
    stage.change_playlist(&playlist, json!({ "privacy": "public" })).await;
    stage.app.run_jobs().await;
    let told = [
        (ADA.to_owned(), "New from Acme: Secret".to_owned()),
        (ADA.to_owned(), "New playlist from Acme: Board".to_owned()),
    ];
    assert_eq!(stage.told().await, told);
    stage.app.settle().await;
}

#[tokio::test]
async fn after_a_week_out_of_sight_it_is_no_news() {
    let stage = stage().await;
    stage.user(ADA).await;
    let film = stage.film("Old", "public").await;
    let playlist = stage.playlist("Board", "private", &[&film], true).await;
    stage.app.run_jobs().await;
    stage.days(7);
    stage.change_playlist(&playlist, json!({ "privacy": "public" })).await;
    stage.app.run_jobs().await;
    stage.hour().await;
    assert_eq!(stage.told().await, []);
    assert_eq!(stage.sql("UPDATE news SET state = 'dropped' WHERE state = 'dropped'").await, 2);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_public_playlist_is_told_of_at_once_and_leads_to_its_page() {
    let stage = stage().await;
    stage.user(ADA).await;
    let playlist = stage.playlist("Board", "public", &[], true).await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, one_each("New playlist from Acme: Board", &[ADA]));
    let page = format!("http://vitrine.test/app/org/{}/playlists/{playlist}", stage.org.uid);
    assert_eq!(mail::links_of(&stage.letters().await[0].text)[0], page);
    stage.app.settle().await;
}

#[tokio::test]
async fn what_was_deleted_meanwhile_is_told_of_to_nobody() {
    let stage = stage().await;
    stage.user(ADA).await;
    let playlist = stage.playlist("Gone", "public", &[], true).await;
    stage.leader().await.delete(&format!("/v1/playlists/{playlist}")).await.expect(204);
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, []);
    stage.app.settle().await;
}

#[tokio::test]
async fn where_app_users_see_nothing_news_waits_until_the_plan_is_paid_again() {
    let stage = stage().await;
    stage.user(ADA).await;
    let film = stage.film("Summer", "public").await;
    stage.playlist("Talks", "public", &[&film], false).await;
    stage.set_standing(Standing::Suspended).await;
    stage.app.run_jobs().await;
    stage.hour().await;
    assert_eq!(stage.told().await, []);
    stage.set_standing(Standing::Active).await;
    stage.hour().await;
    assert_eq!(stage.told().await, one_each("New from Acme: Summer", &[ADA]));
    stage.app.settle().await;
}
