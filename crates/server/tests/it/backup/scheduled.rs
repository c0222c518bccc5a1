//! Backups that a worker makes by itself.

use std::fs;
use std::path::Path;
use std::time::Duration;

use backup::{BackupRecord, ScheduledWork};
use kernel::{DAY, HOUR, MINUTE, SECOND};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::super::tables::rows;
use super::super::test_app::{TestApp, test_app_with};
use super::installation::Installation;
use super::{execute, fill};

/// Starts an application with backups every day, of which two stay, and its schedules.
pub async fn scheduled(place: &Path) -> (TestApp, Installation) {
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

pub async fn run_due(app: &TestApp) {
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
    let record = backup::read_record(app.bootstrap.db.read(), ScheduledWork::Backup).await.unwrap();
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
    let failure =
        async || backup::read_record(app.bootstrap.db.read(), ScheduledWork::Backup).await.unwrap().failure;
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
    let record = backup::read_record(app.bootstrap.db.read(), ScheduledWork::Backup).await.unwrap();
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

/// Lets time pass, and runs what is due then and what that makes due.
async fn pass(app: &TestApp, pause: i64) {
    for pause in [pause, 5 * MINUTE] {
        app.bootstrap.clock.advance(pause);
        run_due(app).await;
    }
}

async fn checks(app: &TestApp) -> BackupRecord {
    backup::read_record(app.bootstrap.db.read(), ScheduledWork::Check).await.unwrap()
}

/// Returns the number of folders that checks have left.
fn left(app: &TestApp) -> usize {
    fs::read_dir(app.bootstrap.settings.server.data_dir.join("work")).unwrap().count()
}

#[tokio::test]
async fn the_newest_backup_is_checked_after_the_first_one_and_each_week() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, installation) = scheduled(&place).await;
    fill(&app).await;
    pass(&app, 0).await;
    let first = checks(&app).await;
    assert_eq!((first.repository.as_str(), &first.failure), (place.to_str().unwrap(), &None));
    assert!(first.succeeded_at.is_some(), "the first one is checked at once");
    for _ in 0..6 {
        pass(&app, DAY).await;
    }
    assert_eq!(checks(&app).await, first, "no other one in a week");
    pass(&app, DAY).await;
    let second = checks(&app).await;
    assert!(second.succeeded_at > first.succeeded_at, "{second:?}");
    let (_, text) = doctor(&installation).await;
    assert!(text.contains("; the last check was"), "{text}");
    assert_eq!(left(&app), 0);
    app.close().await;
}

#[tokio::test]
async fn a_check_tells_a_damaged_file_a_wrong_total_and_an_unreadable_backup_and_tries_again_after_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, installation) = scheduled(&place).await;
    fill(&app).await;
    run_due(&app).await;
    let key = "SELECT path FROM stored_object WHERE kind = 'source' AND unreferenced_at IS NULL";
    let key: String = rows(&app, key, vec![]).await[0].try_get_by_index(0).unwrap();
    let file = place.join("objects").join(&key);
    let good = fs::read(&file).unwrap();
    let why = async || checks(&app).await.failure.expect("it did not pass").1;

    fs::write(&file, "hullo").unwrap();
    pass(&app, 0).await;
    let said = why().await;
    assert!(said.contains("cannot be restored") && said.contains(&key), "{said}");
    let (result, text) = doctor(&installation).await;
    assert!(result == "warn" && text.contains("; its check at ") && text.contains(&key), "{text}");
    fs::write(&file, good).unwrap();
    pass(&app, 23 * HOUR).await;
    assert_eq!(why().await, said, "it is read again after a day only");
    pass(&app, HOUR).await;
    assert_eq!(checks(&app).await.failure, None);

    execute(&app, "UPDATE organisation SET person_count = person_count + 1", vec![]).await;
    pass(&app, 7 * DAY).await;
    let said = why().await;
    assert!(said.contains("vitrine verify has 1 findings") && said.contains("person_count"), "{said}");
    let newest = names(&place).pop().unwrap();
    fs::write(place.join("backups").join(&newest).join("manifest.json"), "{}").unwrap();
    // A day later there would be another backup.
    execute(&app, "UPDATE backup_record SET failed_at = failed_at - $1 WHERE number = 2", vec![DAY.into()])
        .await;
    pass(&app, 0).await;
    let said = why().await;
    assert!(said.contains("cannot be restored") && said.contains(&newest), "{said}");
    assert_eq!(left(&app), 0);
    app.close().await;
}

#[tokio::test]
async fn checks_can_be_turned_off() {
    for (days, is_checked) in [(0, false), (1, true)] {
        let app = test_app_with(|settings| {
            settings.backup.backup_to = "/backup".to_owned();
            settings.backup.backup_check_every_days = days;
        })
        .await;
        assert_eq!(app.inner.handlers.known_kinds().contains("check_backup"), is_checked, "{days}");
        app.close().await;
    }
}
