//! What becomes visible within 15 minutes is one email a person.

use kernel::{MINUTE, SECOND};
use serde_json::json;

use super::bulk::crowd;
use super::{TestApp, WINDOW, one_each, test_app, test_app_with, unsubscribe_path};

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

/// Lets so many minutes pass, and runs the jobs.
async fn minutes(app: &TestApp, count: i64) {
    app.http.clock.advance(count * MINUTE);
    app.http.run_jobs().await;
}

#[tokio::test]
async fn what_becomes_visible_within_15_minutes_is_one_email_a_person() {
    let app = test_app().await;
    app.user(ADA).await;
    app.user(BOB).await;
    let (video, holder) = app.visible_video("Summer").await;
    app.http.run_jobs().await;
    minutes(&app, 14).await;
    let board = app.create_playlist("Board", "public", &[], true).await;
    app.http.run_jobs().await;
    let checks = "UPDATE job SET state = 'ready' WHERE kind = 'start_announcements' AND state = 'ready'";
    assert_eq!(app.sql(checks).await, 1, "a window is closed by one job");
    app.http.clock.advance(MINUTE - 1);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.clock.advance(1);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer and 1 more", &[ADA, BOB]));
    for email in app.emails().await {
        let links = email.links();
        let page = format!("http://vitrine.test/app/org/{}/playlists", app.org.uid);
        assert_eq!(links[..2], [format!("{page}/{holder}?item={video}"), format!("{page}/{board}")]);
        assert_eq!(links.len(), 3, "and one to unsubscribe: {links:?}");
        unsubscribe_path(&email);
    }
    app.hour().await;
    assert_eq!(app.sent().await.len(), 2);
    app.http.settle().await;
}

#[tokio::test]
async fn items_16_minutes_apart_are_two_emails() {
    let app = test_app().await;
    app.user(ADA).await;
    app.visible_video("First").await;
    app.http.run_jobs().await;
    minutes(&app, 16).await;
    assert_eq!(app.sent().await, one_each("New from Acme: First", &[ADA]));
    app.visible_video("Second").await;
    app.pass_window().await;
    let expected = ["New from Acme: First", "New from Acme: Second"];
    assert_eq!(app.sent().await, expected.map(|subject| (ADA.to_owned(), subject.to_owned())));
    app.http.settle().await;
}

#[tokio::test]
async fn more_than_ten_are_counted_with_a_link_to_the_app() {
    let app = test_app().await;
    app.user(ADA).await;
    for number in 0..12 {
        app.create_playlist(&format!("Board {number}"), "public", &[], true).await;
    }
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Board 0 and 11 more", &[ADA]));
    let email = &app.emails().await[0];
    assert_eq!(email.links()[10], format!("http://vitrine.test/app/org/{}", app.org.uid));
    assert!(email.text.as_deref().unwrap().contains("and 2 more:"), "{:?}", email.text);
    app.http.settle().await;
}

#[tokio::test]
async fn an_email_lists_only_what_is_visible_when_it_is_sent() {
    let app = test_app().await;
    app.user(ADA).await;
    let (first, _) = app.visible_video("First").await;
    let (second, _) = app.visible_video("Second").await;
    app.queue_emails().await;
    app.change_content(&first, json!({ "privacy": "private" })).await;
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Second", &[ADA]));
    let email = &app.emails().await[0];
    let both = [email.text.as_deref().unwrap(), email.html.as_deref().unwrap()];
    assert!(both.iter().all(|text| text.contains(&second) && !text.contains(&first)), "{both:?}");
    assert!(both.iter().all(|text| !text.contains("First")), "{both:?}");
    app.http.settle().await;
}

#[tokio::test]
async fn an_email_is_withdrawn_once_nothing_that_it_lists_is_visible() {
    let app = test_app().await;
    app.user(ADA).await;
    let (first, _) = app.visible_video("First").await;
    let (second, _) = app.visible_video("Second").await;
    app.queue_emails().await;
    for video in [first, second] {
        app.change_content(&video, json!({ "privacy": "private" })).await;
    }
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    assert_eq!(app.sql("DELETE FROM mail_outbox WHERE state = 'withdrawn'").await, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn what_is_hidden_within_the_window_is_left_out_and_announced_later() {
    let app = test_app().await;
    app.user(ADA).await;
    let (first, _) = app.visible_video("First").await;
    app.http.run_jobs().await;
    minutes(&app, 5).await;
    app.change_content(&first, json!({ "privacy": "private" })).await;
    app.visible_video("Second").await;
    app.http.run_jobs().await;
    minutes(&app, 14).await;
    assert_eq!(app.sent().await, [], "the second opened a window of 15 minutes");
    minutes(&app, 1).await;
    assert_eq!(app.sent().await, one_each("New from Acme: Second", &[ADA]));
    app.change_content(&first, json!({ "privacy": "public" })).await;
    app.pass_window().await;
    let expected = ["New from Acme: First", "New from Acme: Second"];
    assert_eq!(app.sent().await, expected.map(|subject| (ADA.to_owned(), subject.to_owned())));
    app.http.settle().await;
}

#[tokio::test]
async fn people_who_unsubscribe_before_it_is_sent_get_none() {
    let app = test_app().await;
    let own = format!("/v1/organizations/{}/users/me/announcements", app.org.uid);
    let (ada, late) = (app.user(ADA).await, app.user("late@example.com").await);
    app.user(BOB).await;
    app.visible_video("First").await;
    app.visible_video("Second").await;
    app.http.run_jobs().await;
    ada.patch(&own, json!({ "emails": false })).await.expect(200);
    app.queue_emails().await;
    late.patch(&own, json!({ "emails": false })).await.expect(200);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, one_each("New from Acme: First and 1 more", &[BOB]));
    app.http.settle().await;
}

#[tokio::test]
async fn a_crash_between_pages_emails_no_one_twice() {
    let app = test_app_with(2).await;
    let all = crowd(&app, 7).await;
    app.visible_video("First").await;
    app.visible_video("Second").await;
    app.queue_emails().await;
    for _ in 0..2 {
        // As if the worker of every finished job had died before it could report completion.
        assert!(app.sql("UPDATE job SET state = 'ready' WHERE state = 'done'").await >= 6);
        app.http.run_jobs().await;
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        assert_eq!(app.sent().await, one_each("New from Acme: First and 1 more", &all));
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_bulk_send_that_is_hidden_before_its_first_email_is_announced_anew_item_by_item() {
    let app = test_app_with(50).await;
    let all = crowd(&app, 100).await;
    app.visible_video("Before").await;
    app.queue_emails().await;
    let (first, _) = app.visible_video("First").await;
    let (second, _) = app.visible_video("Second").await;
    // They are due, and wait behind a hundred emails.
    app.queue_emails().await;
    for video in [&first, &second] {
        app.change_content(video, json!({ "privacy": "private" })).await;
    }
    app.http.run_jobs().await;
    app.http.clock.advance(5 * SECOND);
    app.http.run_jobs().await;
    app.change_content(&second, json!({ "privacy": "public" })).await;
    app.http.run_jobs().await;
    app.http.clock.advance(WINDOW - 1);
    app.http.run_jobs().await;
    assert_eq!(app.sent().await.len(), all.len());
    app.http.clock.advance(1);
    app.http.run_jobs().await;
    let sent = app.sent().await;
    assert_eq!(sent.len(), 2 * all.len());
    assert_eq!(sent[0].1, "New from Acme: Before");
    assert_eq!(sent[1].1, "New from Acme: Second");
    app.http.settle().await;
}
