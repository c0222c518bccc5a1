//! What people withdrew or had erased does not come back with an older backup.

use std::fs;
use std::path::{Path, PathBuf};

use http::Method;
use kernel::{MINUTE, OrgId, Uid};
use orgs::Role;
use sea_orm::DatabaseConnection;
use serde_json::json;
use testkit::{Client, SignedBucket};

use super::super::tables::{naming_in, rows_in};
use super::super::test_app::{TestApp, test_app};
use super::super::withdrawal::{KEPT, Watched, watched};
use super::installation::{Installation, Output};
use super::scheduled::{run_due, scheduled};

/// An organisation with people who watch, and a place for backups.
struct TestPlace {
    app: TestApp,
    watched: Watched,
    /// Leaves later, as staff.
    leaver: Client,
    /// Erases the account later.
    erased: Client,
    /// Withdrew the consent before, and consented again.
    faithful: Client,
    folder: tempfile::TempDir,
    first: Installation,
    place: String,
    stored: PathBuf,
    _bucket: Option<SignedBucket>,
}

impl TestPlace {
    async fn new(in_bucket: bool) -> Self {
        let app = test_app().await;
        let watched = watched(&app).await;
        let leaver = app.member(watched.org, Role::Manager).await;
        let erased = app.person("cora@example.com").await;
        let faithful = app.person("dora@example.com").await;
        for person in [&erased, &faithful] {
            app.appoint(watched.org, person, Role::User).await;
            watched.consent(person, true).await;
        }
        watched.consent(&faithful, false).await;
        watched.consent(&faithful, true).await;
        let folder = tempfile::tempdir().unwrap();
        let bucket = if in_bucket { Some(SignedBucket::open().await) } else { None };
        let (mut first, here) = (Installation::of(&app), folder.path().join("safe"));
        let (place, stored) = match &bucket {
            Some(bucket) => {
                first = first.with_backups_in(&bucket.settings());
                ("s3://media/a/prefix/safe".to_owned(), bucket.folder().join("safe"))
            }
            None => (here.display().to_string(), here),
        };
        Self { app, watched, leaver, erased, faithful, folder, first, place, stored, _bucket: bucket }
    }

    /// Makes a backup, and returns its source.
    async fn back_up(&self) -> String {
        let lines = self.first.json(&["backup", "--to", &self.place, "--json"]).await;
        format!("{}/backups/{}", self.place, lines[0]["name"].as_str().unwrap())
    }

    /// Three people have something removed.
    async fn remove(&self) {
        let Self { watched, leaver, erased, .. } = self;
        watched.consent(&watched.viewer, false).await;
        leave(leaver, watched.org).await;
        let email = json!({ "email": "cora@example.com" });
        erased.json(Method::DELETE, "/v1/profiles", &email).await.expect(204);
    }

    fn list(&self) -> PathBuf {
        self.stored.join("removals.jsonl")
    }

    fn target(&self) -> Installation {
        let place = self.folder.path().join("restored");
        let url = format!("sqlite://{}", place.join("vitrine.db").display());
        Installation { variables: self.first.variables.clone(), ..Installation::new(&place, &url, None) }
    }

    /// Restores into an empty target. Returns what it says, and the database.
    async fn restore(&self, args: &[&str]) -> (String, db::Db) {
        let target = self.target();
        if target.folder.exists() {
            fs::remove_dir_all(&target.folder).unwrap();
        }
        let Output { code, stdout, stderr } = target.run(&[&["restore"], args].concat()).await;
        assert_eq!(code, 0, "{stdout} {stderr}");
        assert!(stdout.ends_with("nothing found\n"), "{stdout}");
        (stdout, db::Db::connect(&target.database).await.unwrap())
    }

    /// Fails unless a copy lacks what was removed, and has what was not.
    async fn assert_cut(&self, copy: &db::Db, names: &[Uid]) {
        let (read, viewer) = (copy.read(), self.watched.viewer.uid().into());
        let left = naming_in(read, viewer).await;
        let unexpected: Vec<_> = left.iter().filter(|(name, _)| !KEPT.contains(&name.as_str())).collect();
        assert!(unexpected.is_empty(), "{unexpected:?}");
        for name in names {
            assert_eq!(naming_in(read, *name).await, [], "the name of a viewer");
        }
        let original = self.app.bootstrap.db.read();
        assert_eq!(answer(read, viewer).await, answer(original, viewer).await);
        assert!(!answer(read, viewer).await.0);
        let memberships = "SELECT 1 FROM membership WHERE person = $1";
        let left = rows_in(read, memberships, vec![Uid::from(self.leaver.uid()).into()]).await;
        assert!(left.is_empty(), "the membership ended");
        let erased = naming_in(read, self.erased.uid().into()).await;
        assert_eq!(erased, [("removal.person".to_owned(), 1)]);
        let faithful = self.faithful.uid().into();
        assert_eq!(answer(read, faithful).await, answer(original, faithful).await);
        assert!(answer(read, faithful).await.0);
    }

    /// Returns the names under which the person's views are stored.
    async fn viewer_names(&self) -> Vec<Uid> {
        let sql = "SELECT viewer FROM viewer_key WHERE person = $1";
        let person = Uid::from(self.watched.viewer.uid()).into();
        let found = rows_in(self.app.bootstrap.db.read(), sql, vec![person]).await;
        found.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
    }
}

/// Returns a person's answer, and since when it holds.
async fn answer(read: &DatabaseConnection, person: Uid) -> (bool, i64) {
    let sql = "SELECT consent, since FROM consent_standing WHERE person = $1";
    let found = rows_in(read, sql, vec![person.into()]).await;
    (found[0].try_get_by_index(0).unwrap(), found[0].try_get_by_index(1).unwrap())
}

async fn leave(person: &Client, org: OrgId) {
    let me = format!("/v1/organizations/{org}/users/me");
    person.json(Method::DELETE, &me, &json!({})).await.expect(204);
}

/// Returns the number of removals in a list.
fn listed(list: &Path) -> usize {
    fs::read_to_string(list).unwrap().lines().count() - 1
}

async fn check_removals(scene: TestPlace) {
    let names = scene.viewer_names().await;
    assert!(!names.is_empty());
    let older = scene.back_up().await;
    let tar = scene.folder.path().join("older.tar").display().to_string();
    assert_eq!(scene.first.run(&["backup", &tar]).await.code, 0);
    assert_eq!(listed(&scene.list()), 1, "the consent that was withdrawn and given again");
    scene.remove().await;
    let newer = scene.back_up().await;
    assert_eq!(listed(&scene.list()), 4);
    let text = fs::read_to_string(scene.list()).unwrap();
    assert!(!text.contains("example.com"), "{text}");

    let (said, copy) = scene.restore(&[&tar]).await;
    assert!(said.contains("there is no list of removals"), "{said}");
    assert!(answer(copy.read(), scene.watched.viewer.uid().into()).await.0, "it is in the backup");
    copy.close().await;
    let list = scene.list().display().to_string();
    for args in [&[older.as_str()][..], &[&tar, "--removals", &list], &[&older, "--removals", &list]] {
        let (said, copy) = scene.restore(args).await;
        assert!(said.contains("removed again: 3 of 3 "), "{args:?}: {said}");
        scene.assert_cut(&copy, &names).await;
        copy.close().await;
    }
    // The next backup of the copy has the whole list.
    let elsewhere = scene.folder.path().join("elsewhere");
    scene.target().json(&["backup", "--to", &elsewhere.display().to_string(), "--json"]).await;
    assert_eq!(listed(&elsewhere.join("removals.jsonl")), 4);
    let (said, copy) = scene.restore(&[&newer]).await;
    assert!(said.contains("removed again: 0 of 0 "), "{said}");
    scene.assert_cut(&copy, &names).await;
    copy.close().await;
    scene.app.close().await;
}

#[tokio::test]
async fn what_people_had_removed_does_not_come_back_from_a_folder() {
    check_removals(TestPlace::new(false).await).await;
}

#[tokio::test]
async fn what_people_had_removed_does_not_come_back_from_a_bucket() {
    check_removals(TestPlace::new(true).await).await;
}

#[tokio::test]
async fn a_damaged_list_is_refused_before_anything_is_restored() {
    let scene = TestPlace::new(false).await;
    let older = scene.back_up().await;
    scene.remove().await;
    scene.back_up().await;
    let good = fs::read_to_string(scene.list()).unwrap();
    let shorter = good.lines().take(3).map(|line| format!("{line}\n")).collect::<String>();
    for damaged in [shorter, good.replace("\"account\"", "\"consent\""), String::new()] {
        fs::write(scene.list(), damaged).unwrap();
        let target = scene.target();
        let says = target.refused(&["restore", &older]).await;
        assert!(says.contains("removals.jsonl cannot be used"), "{says}");
        assert!(!target.folder.join("objects").exists(), "nothing was restored");
        let says = scene.first.refused(&["backup", "--check", "--to", &scene.place]).await;
        assert!(says.contains("removals.jsonl cannot be used"), "{says}");
        let damaged = fs::read(scene.list()).unwrap();
        let says = scene.first.refused(&["backup", "--to", &scene.place]).await;
        assert!(says.starts_with("saved ") && says.contains("removals.jsonl cannot be used"), "{says}");
        assert_eq!(fs::read(scene.list()).unwrap(), damaged, "it is not overwritten");
    }
    let another = scene.folder.path().join("another.jsonl");
    fs::write(&another, &good).unwrap();
    let other = Installation {
        secret: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".to_owned(),
        ..scene.first.clone()
    };
    assert!(
        other.refused(&["restore", &older, "--removals", another.to_str().unwrap()]).await.contains("secret")
    );
    // Without it, the database writes what it knows.
    fs::remove_file(scene.list()).unwrap();
    scene.back_up().await;
    assert_eq!(listed(&scene.list()), 4);
    let (said, copy) = scene.restore(&[&older]).await;
    assert!(said.contains("removed again: 3 of 3 "), "{said}");
    copy.close().await;
    scene.app.close().await;
}

#[tokio::test]
async fn the_only_super_admin_of_a_backup_stays_and_is_named() {
    let scene = TestPlace::new(false).await;
    let org = scene.app.org("Beta").await;
    let founder = scene.app.person("founder-Beta@example.com").await;
    let older = scene.back_up().await;
    scene.app.member(org, Role::SuperAdmin).await;
    leave(&founder, org).await;
    scene.back_up().await;
    let (said, copy) = scene.restore(&[&older]).await;
    let stays = format!("{} left {org} after it, but stays there as the only super admin", founder.uid());
    assert!(said.contains(&stays) && said.contains("removed again: 0 of 1 "), "{said}");
    let role = "SELECT 1 FROM membership WHERE person = $1 AND role = 'superAdmin'";
    assert_eq!(rows_in(copy.read(), role, vec![Uid::from(founder.uid()).into()]).await.len(), 1);
    copy.close().await;
    scene.app.close().await;
}

#[tokio::test]
async fn a_worker_lists_removals_between_two_backups() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("safe");
    let (app, _) = scheduled(&place).await;
    let watched = watched(&app).await;
    run_due(&app).await;
    let list = place.join("removals.jsonl");
    assert_eq!(listed(&list), 0, "beside the first backup");
    watched.consent(&watched.viewer, false).await;
    app.bootstrap.clock.advance(5 * MINUTE);
    run_due(&app).await;
    assert_eq!((listed(&list), fs::read_dir(place.join("backups")).unwrap().count()), (1, 1));
    // Nothing is written without a new one.
    fs::remove_file(&list).unwrap();
    app.bootstrap.clock.advance(5 * MINUTE);
    run_due(&app).await;
    assert!(!list.exists());
    watched.consent(&watched.viewer, true).await;
    watched.consent(&watched.viewer, false).await;
    app.bootstrap.clock.advance(5 * MINUTE);
    run_due(&app).await;
    assert_eq!(listed(&list), 1);
    app.close().await;
}
