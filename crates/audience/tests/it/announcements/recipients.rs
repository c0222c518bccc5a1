//! Who gets announcements, and who does not.

use orgs::Role;
use serde_json::json;

use super::{one_each, test_app};

#[tokio::test]
async fn people_of_other_organisations_are_not_notified() {
    let app = test_app().await;
    let other = app.http.org("Other").await;
    app.user("ada@example.com").await;
    let both = app.user_of(other, "both@example.com").await;
    app.appoint(app.org, &both, Role::User).await;
    app.user_of(other, "bob@example.com").await;
    app.visible_video("Summer").await;
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &["ada@example.com", "both@example.com"]));
    app.http.settle().await;
}

#[tokio::test]
async fn staff_are_not_notified_whatever_their_role() {
    let app = test_app().await;
    for role in Role::ALL {
        app.http.member(app.org, role).await;
    }
    app.visible_video("Summer").await;
    app.pass_window().await;
    let user = format!("user@{}.example.com", app.org.uid);
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &[&user]));
    app.http.settle().await;
}

#[tokio::test]
async fn unverified_addresses_get_no_announcements() {
    let app = test_app().await;
    let sign_up = json!({ "email": "eve@example.com", "password": "wren-tapestry-94" });
    let session = app.http.anonymous().post("/v1/auth/sign-up", sign_up).await.expect(201);
    let person = session["profile"]["uid"].as_str().unwrap().parse().unwrap();
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, person, Role::User).await.unwrap();
    tx.commit().await.unwrap();
    app.visible_video("Summer").await;
    app.pass_window().await;
    assert_eq!(app.sent().await, []);
    app.http.settle().await;
}

#[tokio::test]
async fn people_who_leave_while_emails_wait_get_none_even_after_rejoining() {
    let app = test_app().await;
    let leaves = app.user("leaves@example.com").await;
    let rises = app.user("rises@example.com").await;
    app.user("stays@example.com").await;
    app.visible_video("Summer").await;
    app.queue_emails().await;
    assert_eq!(app.sent().await, [], "written but not sent");
    app.dismiss(&leaves).await;
    app.appoint(app.org, &rises, Role::TeamUser).await;
    app.http.run_jobs().await;
    let expected = one_each("New from Acme: Summer", &["stays@example.com"]);
    assert_eq!(app.sent().await, expected);
    app.appoint(app.org, &leaves, Role::User).await;
    app.hour().await;
    assert_eq!(app.sent().await, expected);
    assert_eq!(
        app.http.deps.mailer.delivery_failures(9).await.unwrap(),
        [],
        "a withdrawn email is not a failure"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn people_who_join_later_get_no_earlier_announcements() {
    let app = test_app().await;
    app.user("ada@example.com").await;
    app.visible_video("Summer").await;
    app.pass_window().await;
    app.user("late@example.com").await;
    app.hour().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Summer", &["ada@example.com"]));
    app.http.settle().await;
}

#[tokio::test]
async fn queued_emails_are_not_sent_once_the_video_is_private() {
    let app = test_app().await;
    app.user("ada@example.com").await;
    let (video, _) = app.visible_video("Oops").await;
    app.queue_emails().await;
    app.change_content(&video, json!({ "privacy": "private" })).await;
    app.http.run_jobs().await;
    assert_eq!(app.sent().await, []);
    app.http.settle().await;
}
