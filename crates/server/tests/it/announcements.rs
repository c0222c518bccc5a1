//! Wiring of announcements: items created with `notifyUsers` are announced by email, and the unsubscribe link
//! works.

use kernel::MINUTE;
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;

use super::test_app::{TestApp, test_app, uid};

/// Returns recipient, subject and unsubscribe link of each announcement email, 15 minutes after what is new became visible.
async fn announcement_emails(app: &TestApp) -> Vec<(String, String, String)> {
    app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
    app.bootstrap.clock.advance(15 * MINUTE);
    app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
    let db = app.bootstrap.db.read();
    let sql = "SELECT recipient, subject, unsubscribe_url FROM mail_outbox WHERE kind = 'announcement' AND state = 'sent' ORDER BY uid";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let column = |row: &sea_orm::QueryResult, at: usize| row.try_get_by_index::<String>(at).unwrap();
    rows.iter().map(|row| (column(row, 0), column(row, 1), column(row, 2))).collect()
}

#[tokio::test]
async fn items_and_playlists_are_announced_by_email_until_one_click_unsubscribes() {
    let app = test_app().await;
    let org = app.org("acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    app.member(org, Role::User).await;
    let video = json!({ "title": "Summer", "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": video, "orgId": org, "file": null, "notifyUsers": true });
    let video = uid(&leader.post("/v1/content", body).await.expect(201));
    let body =
        json!({ "playlist": { "title": "Talks", "items": [video] }, "orgId": org, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);

    let emails = announcement_emails(&app).await;
    let to = format!("user-{org}@example.com");
    let shown: Vec<(&str, &str)> =
        emails.iter().map(|(to, subject, _)| (to.as_str(), subject.as_str())).collect();
    assert_eq!(shown, [(to.as_str(), "New from acme: Summer and 1 more")]);

    app.anonymous().post(&emails[0].2, json!({})).await.expect(200);
    let body = json!({ "playlist": { "title": "More" }, "orgId": org, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);
    assert_eq!(announcement_emails(&app).await.len(), 1);
    app.close().await;
}
