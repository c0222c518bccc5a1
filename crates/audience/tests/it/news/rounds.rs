//! Many recipients: pages, crashes between them, several workers, and room in the queue for other emails.

use kernel::{HOUR, SECOND};
use mail::Letter;
use serde_json::json;

use super::{Stage, stage_with};

/// Creates app users `u000@example.com`, `u001@example.com` and so on.
async fn crowd(stage: &Stage, count: usize) -> Vec<String> {
    let mut all = Vec::with_capacity(count);
    for number in 0..count {
        let email = format!("u{number:03}@example.com");
        stage.user(&email).await;
        all.push(email);
    }
    all
}

async fn addresses(stage: &Stage) -> Vec<String> {
    stage.told().await.into_iter().map(|(to, _)| to).collect()
}

#[tokio::test]
async fn a_worker_that_died_after_a_page_tells_nobody_twice_and_forgets_nobody() {
    let stage = stage_with(2).await;
    let all = crowd(&stage, 7).await;
    stage.shown("Summer").await;
    stage.write().await;
    // As if the worker of every finished job had died before it could report completion.
    assert!(stage.sql("UPDATE job SET state = 'ready' WHERE state = 'done'").await >= 6);
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all);
    stage.sql("UPDATE job SET state = 'ready' WHERE state = 'done'").await;
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_telling_whose_job_was_given_up_goes_on_where_it_was() {
    let stage = stage_with(50).await;
    let all = crowd(&stage, 120).await;
    stage.shown("Summer").await;
    stage.write().await;
    assert_eq!(
        stage.sql("UPDATE job SET state = 'dead' WHERE kind = 'tell_users' AND state = 'ready'").await,
        1
    );
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all[..100]);
    stage.hour().await;
    assert_eq!(addresses(&stage).await.len(), 100, "its job may still be running");
    stage.app.clock.pass(SECOND);
    stage.hour().await;
    assert_eq!(addresses(&stage).await, all);
    stage.sql("DELETE FROM job WHERE state = 'dead'").await;
    stage.app.settle().await;
}

#[tokio::test]
async fn a_round_leaves_the_way_free_for_a_single_letter() {
    let stage = stage_with(50).await;
    let all = crowd(&stage, 130).await;
    stage.shown("Summer").await;
    stage.write().await;
    let waiting = stage.app.kit.mailer.rounds_waiting(stage.app.kit.db.read()).await.unwrap();
    assert_eq!(waiting.untried, 100, "a sign-in link waits for no more than these");
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    let to = kernel::Email::parse("urgent@example.com").unwrap();
    stage.app.kit.mailer.enqueue(&tx, &to, &Letter::PasswordChanged).await.unwrap();
    tx.commit().await.unwrap();
    stage.app.run_jobs().await;
    assert_eq!(stage.app.kit.mailer.sent(Some(&to), 9).await.unwrap().len(), 1);
    assert_eq!(addresses(&stage).await.len(), 100);
    stage.app.clock.pass(5 * SECOND);
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all);
    stage.app.settle().await;
}

#[tokio::test]
async fn several_workers_at_once_tell_nobody_twice() {
    let stage = stage_with(3).await;
    let all = crowd(&stage, 20).await;
    let (film, playlist) = stage.shown("Summer").await;
    for _ in 0..4 {
        stage.change_playlist(&playlist, json!({ "items": [film] })).await;
    }
    tokio::join!(stage.app.run_jobs(), stage.app.run_jobs(), stage.app.run_jobs());
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_round_that_was_taken_back_in_the_middle_goes_on_behind_the_last_one_told() {
    let stage = stage_with(50).await;
    let all = crowd(&stage, 120).await;
    let (film, _) = stage.shown("Summer").await;
    stage.write().await;
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all[..100]);
    stage.change_content(&film, json!({ "privacy": "private" })).await;
    stage.app.clock.pass(HOUR);
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await.len(), 100);
    stage.change_content(&film, json!({ "privacy": "public" })).await;
    stage.app.run_jobs().await;
    assert_eq!(addresses(&stage).await, all);
    stage.app.settle().await;
}
