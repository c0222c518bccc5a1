//! Many recipients: pages, crashes between them, several workers, and other emails sent in between.

use kernel::{HOUR, SECOND};
use mail::EmailMessage;
use serde_json::json;

use super::{TestApp, WINDOW, test_app_with};

/// Creates app users `u000@example.com`, `u001@example.com` and so on.
pub async fn crowd(app: &TestApp, count: usize) -> Vec<String> {
    let mut all = Vec::with_capacity(count);
    for number in 0..count {
        let email = format!("u{number:03}@example.com");
        app.user(&email).await;
        all.push(email);
    }
    all
}

async fn addresses(app: &TestApp) -> Vec<String> {
    app.sent().await.into_iter().map(|(to, _)| to).collect()
}

#[tokio::test]
async fn a_worker_crash_after_a_page_neither_repeats_nor_skips_recipients() {
    let app = test_app_with(2).await;
    let all = crowd(&app, 7).await;
    app.visible_video("Summer").await;
    app.queue_emails().await;
    // As if the worker of every finished job had died before it could report completion.
    assert!(app.sql("UPDATE job SET state = 'ready' WHERE state = 'done'").await >= 6);
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all);
    app.sql("UPDATE job SET state = 'ready' WHERE state = 'done'").await;
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all);
    app.http.settle().await;
}

#[tokio::test]
async fn an_announcement_whose_job_was_given_up_resumes_where_it_stopped() {
    let app = test_app_with(50).await;
    let all = crowd(&app, 120).await;
    app.visible_video("Summer").await;
    app.queue_emails().await;
    assert_eq!(
        app.sql("UPDATE job SET state = 'dead' WHERE kind = 'send_announcement' AND state = 'ready'").await,
        1
    );
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all[..100]);
    app.hour().await;
    assert_eq!(addresses(&app).await.len(), 100, "its job may still be running");
    app.http.clock.advance(SECOND);
    app.hour().await;
    assert_eq!(addresses(&app).await, all);
    app.sql("DELETE FROM job WHERE state = 'dead'").await;
    app.http.settle().await;
}

#[tokio::test]
async fn a_bulk_send_does_not_delay_a_single_email() {
    let app = test_app_with(50).await;
    let all = crowd(&app, 130).await;
    app.visible_video("Summer").await;
    app.queue_emails().await;
    let waiting = app.http.deps.mailer.bulk_backlog(app.http.deps.db.read()).await.unwrap();
    assert_eq!(waiting.untried, 100, "a sign-in link waits for no more than these");
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let to = kernel::Email::parse("urgent@example.com").unwrap();
    app.http.deps.mailer.enqueue(&tx, &to, &EmailMessage::PasswordChanged).await.unwrap();
    tx.commit().await.unwrap();
    app.http.run_jobs().await;
    assert_eq!(app.http.deps.mailer.sent(Some(&to), 9).await.unwrap().len(), 1);
    assert_eq!(addresses(&app).await.len(), 100);
    app.http.clock.advance(5 * SECOND);
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all);
    app.http.settle().await;
}

#[tokio::test]
async fn concurrent_workers_send_no_duplicates() {
    let app = test_app_with(3).await;
    let all = crowd(&app, 20).await;
    let (video, playlist) = app.visible_video("Summer").await;
    tokio::join!(app.http.run_jobs(), app.http.run_jobs(), app.http.run_jobs());
    app.http.clock.advance(WINDOW);
    for _ in 0..4 {
        app.change_playlist(&playlist, json!({ "items": [video] })).await;
    }
    tokio::join!(app.http.run_jobs(), app.http.run_jobs(), app.http.run_jobs());
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all);
    app.http.settle().await;
}

#[tokio::test]
async fn a_paused_bulk_send_resumes_after_the_last_recipient() {
    let app = test_app_with(50).await;
    let all = crowd(&app, 120).await;
    let (video, _) = app.visible_video("Summer").await;
    app.queue_emails().await;
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all[..100]);
    app.change_content(&video, json!({ "privacy": "private" })).await;
    app.http.clock.advance(HOUR);
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await.len(), 100);
    app.change_content(&video, json!({ "privacy": "public" })).await;
    app.http.run_jobs().await;
    assert_eq!(addresses(&app).await, all);
    app.http.settle().await;
}
