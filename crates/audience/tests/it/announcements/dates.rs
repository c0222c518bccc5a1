//! Announcements of items and playlists with a publish or expiry date, and the dates on the join page.

use kernel::{DAY, HOUR, MINUTE, iso};
use serde_json::{Value, json};

use super::glimpse::{join_path, titles};
use super::{TestApp, one_each, test_app, uid};

const ADA: &str = "ada@example.com";

/// Returns the time that the app's clock shows after this long.
fn after(app: &TestApp, ms: i64) -> Value {
    json!(iso(app.http.deps.ambient.now() + ms))
}

/// Creates an embedded video with `notifyUsers` and dates.
async fn dated_video(app: &TestApp, title: &str, publish_at: Value) -> String {
    let content = json!({ "title": title, "url": "https://youtu.be/dQw4w9WgXcQ", "publishAt": publish_at });
    let body = json!({ "content": content, "orgId": app.org.uid, "file": null, "notifyUsers": true });
    uid(&app.leader().await.post("/v1/content", body).await.expect(201))
}

#[tokio::test]
async fn a_video_is_announced_at_its_publish_date_and_not_when_it_is_saved() {
    let app = test_app().await;
    app.user(ADA).await;
    let video = dated_video(&app, "Summer", after(&app, 30 * MINUTE)).await;
    app.create_playlist("Talks", "public", &[&video], false).await;
    app.http.run_jobs().await;
    app.http.clock.advance(30 * MINUTE - 1);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.clock.advance(1);
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &[ADA]), "without the hourly check");
    app.hour().await;
    assert_eq!(app.sent().await.len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_date_after_the_week_of_waiting_still_counts() {
    let app = test_app().await;
    app.user(ADA).await;
    let playlist = app.create_playlist("Autumn", "public", &[], true).await;
    let video = dated_video(&app, "Winter", after(&app, 30 * DAY)).await;
    app.change_playlist(&playlist, json!({ "publishAt": after(&app, 30 * DAY), "items": [video] })).await;
    app.http.run_jobs().await;
    app.days(20);
    app.hour().await;
    assert_eq!(app.sent().await, []);
    app.days(10);
    app.hour().await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Autumn and 1 more", &[ADA]));
    app.http.settle().await;
}

#[tokio::test]
async fn an_item_waits_for_the_date_of_its_playlist() {
    let app = test_app().await;
    app.user(ADA).await;
    let playlist = app.create_playlist("Talks", "public", &[], false).await;
    app.change_playlist(&playlist, json!({ "publishAt": after(&app, 9 * DAY) })).await;
    let video = app.create_video("Summer", "public").await;
    app.change_playlist(&playlist, json!({ "items": [video] })).await;
    app.http.run_jobs().await;
    app.days(8);
    app.hour().await;
    assert_eq!(app.sent().await, []);
    app.days(1);
    app.hour().await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &[ADA]));
    app.http.settle().await;
}

#[tokio::test]
async fn an_earlier_date_is_followed_and_an_expired_item_is_not_announced() {
    let app = test_app().await;
    app.user(ADA).await;
    let video = dated_video(&app, "Sooner", after(&app, 30 * DAY)).await;
    let late = dated_video(&app, "Too late", after(&app, 2 * HOUR)).await;
    app.create_playlist("Talks", "public", &[&video, &late], false).await;
    app.change_content(&late, json!({ "publishAt": null, "expireAt": after(&app, -HOUR) })).await;
    app.http.run_jobs().await;
    app.change_content(&video, json!({ "publishAt": null })).await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Sooner", &[ADA]));
    app.days(8);
    app.hour().await;
    assert_eq!(app.sent().await.len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn an_email_that_waits_is_withdrawn_if_its_subject_expires() {
    let app = test_app().await;
    app.user(ADA).await;
    let (video, _) = app.visible_video("Summer").await;
    app.queue_emails().await;
    app.change_content(&video, json!({ "expireAt": after(&app, MINUTE) })).await;
    app.http.clock.advance(MINUTE);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.settle().await;
}

#[tokio::test]
async fn the_join_page_counts_and_shows_only_what_is_between_its_dates() {
    let app = test_app().await;
    let path = join_path(&app).await;
    let (plain, dated) =
        (app.create_video("Plain", "public").await, app.create_video("Dated", "public").await);
    app.create_playlist("Open", "public", &[&plain, &dated], false).await;
    let closed = app.create_playlist("Closed", "public", &[&plain], false).await;
    let dates = json!({ "publishAt": after(&app, MINUTE), "expireAt": after(&app, 2 * MINUTE) });
    app.change_content(&dated, dates.clone()).await;
    app.change_playlist(&closed, dates).await;
    let seen = async || {
        let page = app.http.anonymous().get(&path).await.expect(200);
        let titles: Vec<String> = titles(&page).into_iter().map(str::to_owned).collect();
        let open = page["glimpse"].as_array().unwrap().iter().find(|one| one["title"] == "Open").unwrap();
        (titles.join(" "), open["contentCount"].as_u64().unwrap())
    };
    assert_eq!(seen().await, ("Open".to_owned(), 1));
    app.http.clock.advance(MINUTE);
    assert_eq!(seen().await, ("Closed Open".to_owned(), 2));
    app.http.clock.advance(MINUTE);
    assert_eq!(seen().await, ("Open".to_owned(), 1));
    app.pass_window().await;
    app.http.settle().await;
}
