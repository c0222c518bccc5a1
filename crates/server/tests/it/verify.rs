//! `vitrine verify`: nothing is found in what the program itself wrote, each planted fault is found and nothing else, and
//! what is safe to repair is repaired.

use kernel::{Finding, HOUR, OrgId, Uid};
use orgs::{AdminEntry, Role};
use sea_orm::Value;
use serde_json::json;
use server::admin::{Command, Line};
use testkit::Client;
use tokio::sync::mpsc;

use super::purge::put;
use super::tables::{execute, rows};
use super::test_app::{TestApp, test_app, uid};
use super::withdrawal::{Watched, watched};

/// A statement that changes exactly one row, and what it binds.
type Change = (String, Vec<Value>);

struct PlantedFault {
    check: &'static str,
    plant: Vec<Change>,
    /// How it is undone, or `None` if `--repair` does it.
    undo: Option<Vec<Change>>,
}

/// Runs the command. Returns what was found and what was repaired, after comparing both with the summary.
async fn verify(app: &TestApp, deep: bool, repair: bool) -> (Vec<Finding>, Vec<Finding>) {
    let (out, mut lines) = mpsc::channel(1_000);
    app.inner.admin.run(Command::Verify { deep, repair }, "root".to_owned(), &out).await;
    drop(out);
    let (mut found, mut repaired) = (Vec::new(), Vec::new());
    while let Some(line) = lines.recv().await {
        match line {
            Line::Finding(finding) => found.push(finding),
            Line::Repaired(finding) => repaired.push(finding),
            Line::Verified { findings, repaired: number } => {
                assert_eq!((findings, number), (found.len() as u64, repaired.len() as u64));
                assert_eq!(line.is_bad(), found.len() > repaired.len());
            }
            other => panic!("{other}"),
        }
    }
    (found, repaired)
}

fn change(sql: impl Into<String>, values: impl IntoIterator<Item = Value>) -> Change {
    (sql.into(), values.into_iter().collect())
}

/// A fault in one column, which is undone by writing the value back.
fn column(check: &'static str, (table, uid): (&str, Uid), broken: &str, right: &str) -> PlantedFault {
    let set = |to: &str| vec![change(format!("UPDATE {table} SET {to} WHERE uid = $1"), [uid.into()])];
    PlantedFault { check, plant: set(broken), undo: Some(set(right)) }
}

fn repaired(check: &'static str, plant: Vec<Change>) -> PlantedFault {
    PlantedFault { check, plant, undo: None }
}

/// Ids of the rows in which faults are planted.
struct Planted {
    org: OrgId,
    watched: Watched,
    item: Uid,
    playlist: Uid,
    file: Uid,
}

impl Planted {
    async fn new(app: &TestApp) -> Self {
        let watched = watched(app).await;
        let Watched { org, admin, .. } = &watched;
        let file = json!({ "name": "a.txt", "size": 5, "type": "text/plain", "checksum": "XUFAKrxLKna5cZ2REBfFkg==" });
        let body = json!({ "content": { "title": "F" }, "orgId": org, "file": file, "notifyUsers": false });
        let sent = admin.post("/v1/content", body).await.expect(201);
        put(admin, sent["ingest"]["url"].as_str().unwrap(), "text/plain", b"hello").await;
        let invites = json!({ "userEmails": ["guest@example.com"], "role": "teamUser" });
        admin.post(&format!("/v1/organizations/{org}/invites"), invites).await.expect(200);
        let (item, playlist) = (watched.item.parse().unwrap(), watched.playlist.parse().unwrap());
        Self { org: *org, item, playlist, file: uid(&sent).parse().unwrap(), watched }
    }

    fn content(&self) -> Vec<PlantedFault> {
        let (file, item) = (("content", self.file), ("content", self.item));
        let run: Value = Uid::from_u128(9).into();
        let hash = "sha256 = (SELECT received_sha256 FROM upload WHERE upload.uid = content.uid)";
        let stuck =
            "UPDATE content SET kind = 'video', processing = 'running', heartbeat_at = 1 WHERE uid = $1";
        let lost = "UPDATE content SET kind = 'video', processing = 'queued' WHERE uid = $1";
        let share = |set: &str| change(format!("UPDATE content SET rendition = {set}"), [run.clone()]);
        let unrecord = "UPDATE stored_object SET bytes = 4 WHERE content = $1 AND kind = 'source'";
        vec![
            column("content_file", file, "sha256 = NULL", hash),
            column("content_upload", ("upload", self.file), "status = 'rejected'", "status = 'available'"),
            column(
                "draft",
                item,
                "origin = 'draft', created_at = 1",
                "origin = 'integration', created_at = modified_at",
            ),
            column("time_future", item, "created_at = 9000000000000", "created_at = modified_at"),
            repaired("processing", vec![change(stuck, [self.file.into()])]),
            column("object", file, "poster = uid, poster_widths = ''", "poster = NULL"),
            PlantedFault {
                check: "rendition_shared",
                plant: vec![share("$1")],
                undo: Some(vec![change(
                    "UPDATE content SET rendition = NULL WHERE rendition = $1",
                    [run.clone()],
                )]),
            },
            repaired("object_record", vec![change(unrecord, [self.file.into()])]),
            PlantedFault {
                check: "processing",
                plant: vec![
                    change("DELETE FROM job WHERE kind = 'content_process_file'", []),
                    change(lost, [self.file.into()]),
                ],
                undo: None,
            },
        ]
    }

    fn queue() -> Vec<PlantedFault> {
        let (job, none): (Value, Value) = (Uid::from_u128(7).into(), Uid::from_u128(8).into());
        let insert = |kind: &str, state: &str, lease: &str, at: i64| {
            let sql = format!(
                "INSERT INTO job (uid, kind, payload, state, due_at, attempt, crashes, max_crashes, lease_until, created_at) \
                 VALUES ($1, '{kind}', '{{}}', '{state}', {at}, 1, 0, 5, {lease}, {at})"
            );
            vec![change(sql, [job.clone()])]
        };
        let undo = || Some(vec![change("DELETE FROM job WHERE uid = $1", [job.clone()])]);
        let strand = "UPDATE mail_outbox SET job = $1 WHERE state = 'waiting'";
        let settle = "UPDATE mail_outbox SET job = NULL WHERE state = 'waiting'";
        vec![
            PlantedFault { check: "job_lease", plant: insert("send_mail", "running", "1", 1), undo: undo() },
            PlantedFault { check: "job_kind", plant: insert("juggle", "ready", "NULL", 1), undo: undo() },
            PlantedFault {
                check: "time_future",
                plant: insert("send_mail", "ready", "NULL", 9_000_000_000_000),
                undo: undo(),
            },
            PlantedFault {
                check: "mail_job",
                plant: vec![change(strand, [none])],
                undo: Some(vec![change(settle, [])]),
            },
        ]
    }

    fn people(&self, outsider: &Client) -> Vec<PlantedFault> {
        let (org, viewer): (Value, Value) = (self.org.into(), self.watched.viewer.uid().into());
        let of = |table: &str, set: &str, person: &Value| {
            let sql = format!("UPDATE {table} SET {set} WHERE org = $1 AND person = $2");
            change(sql, [org.clone(), person.clone()])
        };
        let turn = |from: &str, into: &str| {
            let all = ["membership", "org_person"].into_iter();
            let set =
                |table| format!("UPDATE {table} SET role = '{into}' WHERE org = $1 AND role = '{from}'");
            all.map(|table| change(set(table), [org.clone()])).collect::<Vec<_>>()
        };
        let count = "UPDATE organisation SET person_count = person_count + 1 WHERE uid = $1";
        let later = "INSERT INTO consent (uid, org, person, consent, notice_version, notice_digest, method, created_at) \
             SELECT $3, org, person, consent, notice_version, notice_digest, method, created_at + 1 FROM consent \
             WHERE org = $1 AND person = $2";
        let newer: Value = Uid::from_u128(u128::MAX - 9).into();
        let lead = "INSERT INTO lead (org, person, since, points, day, score, temperature, modified_at) \
             VALUES ($1, $2, 1, 1, 1, 1, 'cold', 1)";
        let outsider: Value = outsider.uid().into();
        let remove = |table: &str, column: &str, id: &Value| {
            Some(vec![change(format!("DELETE FROM {table} WHERE {column} = $1"), [id.clone()])])
        };
        vec![
            PlantedFault {
                check: "org_admin",
                plant: turn("superAdmin", "manager"),
                undo: Some(turn("manager", "superAdmin")),
            },
            repaired("org_person", vec![of("org_person", "role = 'manager'", &viewer)]),
            repaired("person_count", vec![change(count, [org.clone()])]),
            PlantedFault {
                check: "consent_standing",
                plant: vec![change(later, [org.clone(), viewer.clone(), newer.clone()])],
                undo: remove("consent", "uid", &newer),
            },
            repaired("consent_shown", vec![of("org_person", "consent = FALSE", &viewer)]),
            PlantedFault {
                check: "lead_consent",
                plant: vec![change(lead, [org.clone(), outsider.clone()])],
                undo: remove("lead", "person", &outsider),
            },
        ]
    }

    fn playlists(&self) -> Vec<PlantedFault> {
        let playlist: Value = self.playlist.into();
        let items = |items: serde_json::Value| {
            change("UPDATE playlist SET items = $1 WHERE uid = $2", [items.into(), playlist.clone()])
        };
        let twice = items(json!([self.item, self.item]));
        let gone = items(json!([self.item, Uid::from_u128(5)]));
        let unindex = change("DELETE FROM playlist_item WHERE playlist = $1", [playlist.clone()]);
        let default = |to: Option<Uid>| {
            let sql = "UPDATE organisation SET default_playlist = $1 WHERE uid = $2";
            vec![change(sql, [to.into(), self.org.into()])]
        };
        vec![
            repaired("playlist_items", vec![twice]),
            repaired("playlist_index", vec![unindex]),
            repaired("playlist_items", vec![gone]),
            PlantedFault {
                check: "org_playlists",
                plant: default(Some(Uid::from_u128(6))),
                undo: Some(default(None)),
            },
        ]
    }

    fn totals(&self) -> Vec<PlantedFault> {
        let org: Value = self.org.into();
        let more = |table: &str, column: &str, subject: &str, id: Value| {
            let sql = format!("UPDATE {table} SET {column} = {column} + 1 WHERE {subject} = $1");
            change(sql, [id])
        };
        let first_day = "UPDATE watch_day SET views = views + 1 WHERE org = $1 AND list = 'organisation' \
             AND day = (SELECT MIN(day) FROM watch_day WHERE org = $1)";
        let first_hour = "UPDATE watch_hour SET views = views + 1 WHERE subject = $1 \
             AND hour = (SELECT MIN(hour) FROM watch_hour WHERE subject = $1)";
        let first_slot = "UPDATE watch_slot SET watch_ms = watch_ms + 1 WHERE org = $1 \
             AND slot = (SELECT MIN(slot) FROM watch_slot WHERE org = $1)";
        let pack = "INSERT INTO view_pack (org, subject, week, data, audience) VALUES ($1, $2, 0, $3, $3)";
        let pack = change(pack, [org.clone(), self.item.into(), vec![1_u8].into()]);
        let of_person = "INSERT INTO person_pack (org, person, since, period, data) SELECT org, person, since, 0, $2 \
             FROM watch_person WHERE org = $1 LIMIT 1";
        let of_person = change(of_person, [org.clone(), vec![1_u8].into()]);
        let total_pack = change(
            "INSERT INTO total_pack (org, since, data) VALUES ($1, 0, $2)",
            [org.clone(), vec![9_u8].into()],
        );
        let person = |by: i64| {
            let sql =
                format!("UPDATE watch_person SET watch_ms = watch_ms + {by} WHERE org = $1 AND content = $2");
            vec![change(sql, [org.clone(), self.item.into()])]
        };
        vec![
            repaired("content_total", vec![more("content", "views", "uid", self.item.into())]),
            repaired("playlist_total", vec![more("playlist", "watch_ms", "uid", self.playlist.into())]),
            repaired(
                "playlist_items_total",
                vec![more("watch_playlist", "views", "playlist", self.playlist.into())],
            ),
            repaired("period_total", vec![more("watch_period", "watch_ms", "item", self.item.into())]),
            repaired(
                "period_total",
                vec![more("watch_playlist_period", "views", "playlist", self.playlist.into())],
            ),
            repaired("period_total", vec![change(first_slot, [org.clone()])]),
            repaired("view_pack", vec![pack]),
            repaired("person_pack", vec![of_person]),
            repaired("total_pack", vec![more("total_unpacked", "views", "org", org.clone())]),
            repaired("total_pack", vec![total_pack]),
            repaired("day_total", vec![change(first_day, [org.clone()]), change(first_hour, [org.clone()])]),
            repaired("hour_total", vec![more("watch_hour", "views", "subject", self.item.into())]),
            PlantedFault { check: "person_total", plant: person(HOUR), undo: Some(person(-HOUR)) },
        ]
    }
}

async fn apply(app: &TestApp, changes: &[Change]) {
    for (sql, values) in changes {
        execute(app, sql, values.clone()).await;
    }
}

/// Plants a fault, and fails unless it alone is found and nothing is once it is repaired or undone.
async fn check(app: &TestApp, fault: &PlantedFault) {
    apply(app, &fault.plant).await;
    let (found, repaired) = verify(app, false, false).await;
    assert_eq!(found.len(), 1, "{}: {found:?}", fault.check);
    assert_eq!((found[0].check.as_str(), repaired.len()), (fault.check, 0), "{found:?}");
    assert!(!found[0].table.is_empty() && !found[0].id.is_empty(), "{found:?}");
    let (again, repaired) = verify(app, false, true).await;
    assert_eq!(again, found, "looking changes nothing");
    match &fault.undo {
        Some(undo) => {
            assert_eq!(repaired, [], "{} is not to be repaired", fault.check);
            apply(app, undo).await;
        }
        None => assert_eq!(repaired.len(), 1, "{} is to be repaired", fault.check),
    }
    assert_eq!(verify(app, true, false).await.0, [], "after {}", fault.check);
}

#[tokio::test]
async fn each_planted_fault_is_found_and_what_is_safe_is_repaired() {
    let app = test_app().await;
    let planted = Planted::new(&app).await;
    assert_eq!(verify(&app, true, false).await.0, [], "in what the program wrote");
    let outsider = app.member(planted.org, Role::TeamUser).await;
    let faults = [
        planted.content(),
        Planted::queue(),
        planted.people(&outsider),
        planted.playlists(),
        planted.totals(),
    ];
    let (mut number, mut repairs) = (0, 0);
    for fault in faults.iter().flatten() {
        check(&app, fault).await;
        number += 1;
        repairs += usize::from(fault.undo.is_none());
    }
    assert!(number >= 20, "{number} faults");
    // Each repair is in the operator's log, and nothing else is.
    let log = app.inner.features.orgs.admin_log(1_000).await.unwrap();
    let by_root = |entry: &AdminEntry| (entry.operator.as_str(), entry.changes) == ("root", 1);
    assert!(log.iter().all(|entry| entry.command == "verify --repair" && by_root(entry)), "{log:?}");
    assert_eq!(log.len(), repairs);
    app.close().await;
}

#[tokio::test]
async fn a_repair_of_counters_keeps_what_was_counted_before_the_totals_began() {
    let app = test_app().await;
    let planted = Planted::new(&app).await;
    let older = "UPDATE content SET created_at = 1, views = 100, watch_ms = 1 WHERE uid = $1";
    execute(&app, older, vec![planted.item.into()]).await;
    let (found, repaired) = verify(&app, false, true).await;
    assert_eq!((found.len(), repaired.len()), (1, 1), "watch time is missing: {found:?}");
    let sql = "SELECT views, watch_ms FROM content WHERE uid = $1";
    let row = &rows(&app, sql, vec![planted.item.into()]).await[0];
    let (views, watch_ms): (i64, i64) = (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap());
    assert!(views == 100 && watch_ms > 1, "{views} {watch_ms}");
    app.close().await;
}
