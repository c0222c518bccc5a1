//! Backups that a worker makes by itself.

use std::fs;
use std::path::Path;
use std::time::Duration;

use kernel::{DAY, HOUR, MINUTE, SECOND};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::super::test_app::{TestApp, test_app_with};
use super::execute;
use super::installation::Installation;

/// Starts an application with backups every day, of which two stay, and its schedules.
async fn scheduled(place: &Path) -> (TestApp, Installation) {
    let to = place.display().to_string();
    let app = test_app_with(|settings| {
        settings.backup.backup_to.clone_from(&to);
        settings.backup.backup_keep = backup::Keep::Newest(2);
    })
    .await;
    let stop = CancellationToken::new();
    let (jobs, handlers) = (app.inner.jobs.clone(), app.inner.handlers.clone());
    // A worker without loops adds the rows of the schedules and returns.
    jobs::run_worker(jobs, handlers, 0, 0, Duration::ZERO, stop).await;
    let mut installation = Installation::of(&app);
    installation.variables.push(("VITRINE_BACKUP_TO", to));
    (app, installation)
}

async fn run_due(app: &TestApp) {
    app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
}

/// Returns the names of the backups.
fn names(place: &Path) -> Vec<String> {
    let found = fs::read_dir(place.join("backups")).into_iter().flatten().flatten();
    let mut names: Vec<_> = found.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn doctor(installation: &Installation) -> (String, String) {
    let output = installation.run(&["doctor", "--json"]).await;
    let lines = output.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let line = lines.into_iter().find(|line| line["check"] == "backup").unwrap();
    (line["result"].as_str().unwrap().to_owned(), line["text"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_worker_makes_a_backup_each_period_and_removes_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, installation) = scheduled(&place).await;
    let (result, text) = doctor(&installation).await;
    assert!(result == "warn" && text.contains("has no backup yet"), "{text}");
    run_due(&app).await;
    assert_eq!(names(&place).len(), 1, "the first one at once");
    for pause in [MINUTE, 23 * HOUR] {
        app.bootstrap.clock.advance(pause);
        run_due(&app).await;
        assert_eq!(names(&place).len(), 1, "after {pause}");
    }
    let record = backup::read_record(app.bootstrap.db.read()).await.unwrap();
    assert_eq!((record.repository.as_str(), &record.failure), (place.to_str().unwrap(), &None));
    app.bootstrap.clock.advance(HOUR);
    run_due(&app).await;
    assert_eq!(names(&place).len(), 2);
    app.bootstrap.clock.advance(DAY);
    run_due(&app).await;
    let left = names(&place);
    let numbers: Vec<_> = left.iter().map(|name| &name[..6]).collect();
    assert_eq!(numbers, ["000002", "000003"]);
    let checked = installation.run(&["backup", "--check"]).await;
    assert!(checked.code == 0 && checked.stdout.ends_with("nothing found\n"), "{checked:?}");
    let (result, text) = doctor(&installation).await;
    assert!(result == "ok" && text.contains("which is writable, was made"), "{text}");
    app.close().await;
}

#[tokio::test]
async fn a_failed_backup_is_recorded_and_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("disk/safe");
    let (app, installation) = scheduled(&place).await;
    let failure = async || backup::read_record(app.bootstrap.db.read()).await.unwrap().failure;
    run_due(&app).await;
    let (_, why) = failure().await.expect("the disk is not there");
    assert!(why.contains("cannot write") && why.contains("disk/safe"), "{why}");
    let (result, text) = doctor(&installation).await;
    assert!(result == "fail" && text.contains("Is the disk mounted?"), "{text}");
    fs::create_dir(folder.path().join("disk")).unwrap();
    app.bootstrap.clock.advance(SECOND);
    run_due(&app).await;
    assert_eq!((names(&place).len(), failure().await), (1, None));

    // The disk is gone again: no backup is begun on the one below it.
    fs::rename(&place, folder.path().join("unmounted")).unwrap();
    fs::create_dir(&place).unwrap();
    app.bootstrap.clock.advance(DAY);
    run_due(&app).await;
    let (_, why) = failure().await.unwrap();
    assert!(why.contains("Is the disk mounted?"), "{why}");
    assert!(names(&place).is_empty());
    fs::remove_dir_all(&place).unwrap();
    fs::rename(folder.path().join("unmounted"), &place).unwrap();
    let (result, text) = doctor(&installation).await;
    assert!(result == "warn" && text.contains("failed: ") && text.contains("mounted"), "{text}");
    app.bootstrap.clock.advance(SECOND);
    run_due(&app).await;
    assert_eq!((names(&place).len(), failure().await), (2, None));
    app.close().await;
}

#[tokio::test]
async fn a_worker_waits_for_a_backup_that_another_process_makes() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, _) = scheduled(&place).await;
    let lock = backup::RepositoryLock::take(&app.bootstrap.settings.database_url()).await.unwrap();
    run_due(&app).await;
    assert!(names(&place).is_empty());
    let record = backup::read_record(app.bootstrap.db.read()).await.unwrap();
    assert_eq!(record, backup::BackupRecord::default(), "that is no failure");
    drop(lock);
    app.bootstrap.clock.advance(SECOND);
    run_due(&app).await;
    assert_eq!(names(&place).len(), 1);
    app.close().await;
}

#[tokio::test]
async fn a_clock_that_was_set_back_does_not_put_backups_off() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, _) = scheduled(&place).await;
    run_due(&app).await;
    // As if the clock had been set back by a day.
    for set in ["job SET due_at = due_at + $1", "backup_record SET began_at = began_at + $1"] {
        execute(&app, &format!("UPDATE {set}"), vec![DAY.into()]).await;
    }
    app.bootstrap.clock.advance(5 * MINUTE);
    // The next start of a worker.
    let stop = CancellationToken::new();
    jobs::run_worker(app.inner.jobs.clone(), app.inner.handlers.clone(), 0, 0, Duration::ZERO, stop).await;
    run_due(&app).await;
    let made = names(&place);
    assert_eq!(made.len(), 2, "{made:?}");
    app.close().await;
}
