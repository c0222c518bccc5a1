//! Databases of other versions, and migrations that must not change.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use db::{Db, Engine};
use kernel::Ambient;
use sea_orm::{ConnectionTrait as _, Statement};
use server::bootstrap::Bootstrap;
use server::compose;
use server::settings::Settings;
use testkit::Database;

use super::test_app::test_settings;

/// Creates the database of an older version, and returns the message with which this version refuses it.
async fn refusal(settings: Settings) -> String {
    let first = Bootstrap::open(settings.clone()).await.unwrap();
    let tx = first.db.write_tx().await.unwrap();
    let step = "INSERT INTO schema_migration (name, applied_at) VALUES ('content_20991231_01_shape', 0)";
    tx.execute_unprepared(step).await.unwrap();
    tx.commit().await.unwrap();
    first.db.close().await;
    Bootstrap::open(settings).await.err().unwrap().to_string()
}

#[tokio::test]
async fn a_database_of_another_version_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let mut settings = test_settings(folder.path(), &database);
    let (name, remedy) = if let Some((server, rest)) = database.url().split_once('@') {
        settings.server.database_url = format!("{server}:hunter2@{rest}?application_name=a");
        (format!("the database {server}:********@{rest} was"), "an empty database and data folder.")
    } else {
        settings.server.database_url.clear();
        let folder = folder.path().display();
        (format!("the data folder {folder} was"), "an empty folder (VITRINE_DATA_DIR).")
    };
    let message = refusal(settings).await;
    assert!(message.starts_with(&name) && message.ends_with(remedy), "{message}");
    assert!(message.contains("content_20991231_01_shape. Use that version"), "{message}");
    assert!(!message.contains("hunter2"), "{message}");
    database.remove().await;
}

#[tokio::test]
async fn a_sqlite_database_at_another_path_is_named_by_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    if database.url().starts_with("sqlite:") {
        let message = refusal(test_settings(folder.path(), &database)).await;
        assert!(message.starts_with(&format!("the database {} was", database.url())), "{message}");
    }
    database.remove().await;
}

/// People who were known before the table of people was added are in it, with the words they are found by.
#[tokio::test]
async fn the_people_of_an_older_database_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = without_steps(&database, &["orgs_20261124_01_people", "orgs_20261125_02_joined"]).await;
    let uuid = |n| literal(&db, n);
    let tx = db.write_tx().await.unwrap();
    let org = uuid(1);
    tx.execute_unprepared(&organisation(&org, "active")).await.unwrap();
    // A member, one who also consents, and one who left.
    for n in [2, 3, 4] {
        let person = uuid(n);
        tx.execute_unprepared(&format!(
            "INSERT INTO person (uid, email, email_verified, display_name, first_name, last_name, phone_number, \
             photo, company, linked_in, job_title, business_area, created_at, display_name_folded, search_folded) \
             VALUES ({person}, 'p{n}@example.com', true, 'Name {n}', '', '', '', '', '', '', '', '', 1, \
             'name {n}', 'name {n} p{n}@example.com')"
        ))
        .await
        .unwrap();
        if n < 4 {
            let sql = format!(
                "INSERT INTO membership (uid, org, person, role, created_at) VALUES ({person}, {org}, {person}, 'user', {n})"
            );
            tx.execute_unprepared(&sql).await.unwrap();
        }
        if n > 2 {
            let record = uuid(n + 10);
            let consent = n == 3;
            tx.execute_unprepared(&format!(
                "INSERT INTO consent (uid, org, person, consent, notice_version, notice_digest, method, created_at) \
                 VALUES ({record}, {org}, {person}, {consent}, '1', X'00', 'join', 9)"
            ).replace("X'00'", if db.engine() == Engine::Sqlite { "X'00'" } else { "'\\x00'" }))
            .await
            .unwrap();
            tx.execute_unprepared(&format!(
                "INSERT INTO consent_standing (org, person, record, consent, since, notice_version, method, created_at) \
                 VALUES ({org}, {person}, {record}, {consent}, 9, '1', 'join', 9)"
            ))
            .await
            .unwrap();
        }
    }
    tx.commit().await.unwrap();
    db::migrate(&db, &Ambient::system(), &compose::migrations()).await.unwrap();

    let rows = async |sql: &str| rows(&db, sql).await;
    let count: i64 = rows("SELECT person_count FROM organisation").await[0].try_get_by_index(0).unwrap();
    assert_eq!(count, 3);
    let people = rows("SELECT joined_at, consent, answered_at FROM org_person ORDER BY person").await;
    let people: Vec<(Option<i64>, Option<bool>, Option<i64>)> = people
        .iter()
        .map(|row| {
            let get = |index| row.try_get_by_index(index).unwrap();
            (get(0), row.try_get_by_index(1).unwrap(), get(2))
        })
        .collect();
    assert_eq!(people, [(Some(2), None, None), (Some(3), Some(true), Some(9)), (None, Some(false), Some(9))]);
    let words = rows("SELECT person, COUNT(*) FROM org_person_word GROUP BY person ORDER BY person").await;
    let words: Vec<i64> = words.iter().map(|row| row.try_get_by_index(1).unwrap()).collect();
    // Name, number, address, its parts and their marks; the former member has only the name.
    assert_eq!(words, [7, 7, 2]);
    db.close().await;
    database.remove().await;
}

/// The states that older versions stored become what the provider must have said.
#[tokio::test]
async fn the_purchases_of_an_older_database_keep_their_states() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let later = [
        "orgs_20261126_01_suspension",
        "billing_20261126_02_answers",
        "billing_20261128_01_sources",
        "billing_20261125_01_changes_by_time",
        "billing_20261125_02_reasons",
        "billing_20261126_03_whole_answers",
    ];
    let db = without_steps(&database, &later).await;
    let tx = db.write_tx().await.unwrap();
    let owner = literal(&db, 1);
    let person = format!(
        "INSERT INTO person (uid, email, email_verified, display_name, first_name, last_name, phone_number, photo, \
         company, linked_in, job_title, business_area, created_at, display_name_folded, search_folded) \
         VALUES ({owner}, 'a@example.com', true, '', '', '', '', '', '', '', '', '', 1, '', '')"
    );
    let account = format!(
        "INSERT INTO billing_account (uid, kind, friendly_name, billing_name, billing_email, billing_phone, \
         created_by, created_at) VALUES ({owner}, 'agency', '', '', '', '', {owner}, 1)"
    );
    let org = organisation(&owner, "pastDue");
    tx.execute_unprepared(&format!("{person}; {account}; {org}")).await.unwrap();
    let day = kernel::DAY;
    let states = ["open", "active", "pastDue", "suspended", "ended", "failed", "failed", "expired"];
    for (n, state) in (2..).zip(states) {
        let subscription = if matches!(n, 2 | 8 | 9) { "NULL".to_owned() } else { format!("'sub_{n}'") };
        tx.execute_unprepared(&format!(
            "INSERT INTO provision (uid, account, buyer, org, plan, state, state_since, session_expires, subscription, \
             synced_at, refunded_at, created_at) VALUES ({}, {owner}, {owner}, {}, 'essentials-monthly', '{state}', {}, \
             {day}, {subscription}, {}, {}, 1)",
            literal(&db, n),
            if state == "pastDue" { &owner } else { "NULL" },
            50 * day,
            51 * day,
            if n == 7 { "7" } else { "NULL" },
        ))
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
    db::migrate(&db, &Ambient::system(), &compose::migrations()).await.unwrap();

    let select = "SELECT recorded_state, status, unpaid_since, activated_at IS NOT NULL, refused_at IS NOT NULL, \
                  checkout_status, next_sync_at FROM provision ORDER BY uid";
    type Row = (String, Option<String>, Option<i64>, bool, bool, Option<String>, Option<i64>);
    let found: Vec<Row> = rows(&db, select)
        .await
        .iter()
        .map(|row| {
            let word = |index| row.try_get_by_index::<Option<String>>(index).unwrap();
            let flag = |index| row.try_get_by_index::<bool>(index).unwrap();
            let number = |index| row.try_get_by_index::<Option<i64>>(index).unwrap();
            (word(0).unwrap(), word(1), number(2), flag(3), flag(4), word(5), number(6))
        })
        .collect();
    let text = |word: &str| Some(word.to_owned());
    let expected: [Row; 8] = [
        ("open".into(), None, None, false, false, None, None),
        ("active".into(), text("active"), None, true, false, None, None),
        ("pastDue".into(), text("past_due"), Some(50 * day), true, false, None, None),
        ("suspended".into(), text("past_due"), Some(36 * day), true, false, None, None),
        ("ended".into(), text("canceled"), None, true, false, None, Some(51 * day)),
        ("failed".into(), None, None, false, true, None, None),
        ("failed".into(), text("incomplete_expired"), None, false, false, None, None),
        ("expired".into(), None, None, false, false, text("expired"), None),
    ];
    assert_eq!(found, expected);
    let suspended_from = rows(&db, "SELECT suspended_from FROM organisation").await[0].try_get_by_index(0);
    assert_eq!(suspended_from, Ok(Some(64 * day)));
    db.close().await;
    database.remove().await;
}

/// Home shows what was watched before totals were packed, deleted items included.
#[tokio::test]
async fn the_views_of_an_older_database_are_in_the_totals() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let steps = ["analytics_20261128_02_total_packs", "analytics_20261130_03_packs_in_place"];
    let db = without_steps(&database, &steps).await;
    let org = literal(&db, 1);
    let tx = db.write_tx().await.unwrap();
    tx.execute_unprepared(&organisation(&org, "active")).await.unwrap();
    for (n, views, deleted_at) in [(2, 3, "NULL"), (3, 5, "9"), (4, 0, "NULL")] {
        let item = literal(&db, n);
        let sql = format!(
            "INSERT INTO content (uid, org, title, description, preview, privacy, origin, kind, link, processing, views, \
             watch_ms, notify, created_by, created_at, modified_at, deleted_at) VALUES ({item}, {org}, 'Video', '', '', \
             'public', 'embed', 'embed', '', 'done', {views}, {views} * 1000, false, {org}, 1, 1, {deleted_at})"
        );
        tx.execute_unprepared(&sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    db::migrate(&db, &Ambient::system(), &compose::migrations()).await.unwrap();
    let found = rows(&db, "SELECT views, watch_ms FROM total_unpacked ORDER BY content").await;
    let found: Vec<(i64, i64)> = found
        .iter()
        .map(|row| (row.try_get_by_index(0).unwrap(), row.try_get_by_index(1).unwrap()))
        .collect();
    assert_eq!(found, [(3, 3_000), (5, 5_000)]);
    database.remove().await;
}

/// Returns a database on which these steps alone have not run.
async fn without_steps(database: &Database, names: &[&str]) -> Db {
    let db = Db::connect(database.url()).await.unwrap();
    let steps: Vec<_> =
        compose::migrations().into_iter().filter(|step| !names.contains(&step.name())).collect();
    db::migrate(&db, &Ambient::system(), &steps).await.unwrap();
    db
}

/// Returns the id with this number as a literal.
fn literal(db: &Db, n: u8) -> String {
    let id = format!("01a00000-0000-7000-8000-0000000000{n:02}");
    match db.engine() {
        Engine::Sqlite => format!("X'{}'", id.replace('-', "")),
        Engine::Postgres => format!("'{id}'"),
    }
}

/// Returns the statement that adds an organisation.
fn organisation(uid: &str, standing: &str) -> String {
    format!(
        "INSERT INTO organisation (uid, name, description, logo, website, privacy, pinned_playlists, \
         theme_background, theme_primary, theme_secondary, theme_text, contact_email, contact_phone, standing, \
         created_at, modified_at) \
         VALUES ({uid}, 'Acme', '', '', '', 'private', '[]', '', '', '', '', '', '', '{standing}', 1, 1)"
    )
}

async fn rows(db: &Db, sql: &str) -> Vec<sea_orm::QueryResult> {
    let statement = Statement::from_string(db.read().get_database_backend(), sql);
    db.read().query_all_raw(statement).await.unwrap()
}

/// The snapshot shows what each step changes in the schema. Add a step to change the schema: databases in use
/// have run the others already.
#[tokio::test]
async fn a_released_step_never_changes() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::connect(&format!("sqlite://{}", folder.path().join("t.db").display())).await.unwrap();
    let (ambient, steps) = (Ambient::system(), compose::migrations());
    db::migrate(&db, &ambient, &[]).await.unwrap();
    let mut before = schema(&db).await;
    let mut text = String::new();
    for count in 1..=steps.len() {
        let applied = db::migrate(&db, &ambient, &steps[..count]).await.unwrap();
        writeln!(text, "{}", applied.join(", ")).unwrap();
        let after = schema(&db).await;
        for (_, sql) in after.iter().filter(|(name, sql)| before.get(*name) != Some(sql)) {
            let columns = sql.replace(", \"", ",\n    \"");
            writeln!(text, "  {}", if sql.starts_with("CREATE TABLE") { &columns } else { sql }).unwrap();
        }
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            writeln!(text, "  without {name}").unwrap();
        }
        before = after;
    }
    db.close().await;
    insta::assert_snapshot!("migrations", text);
}

/// Returns the statement of each table and index by its name.
async fn schema(db: &Db) -> BTreeMap<String, String> {
    let select = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL";
    let rows = db.read().query_all_raw(Statement::from_string(sea_orm::DbBackend::Sqlite, select)).await;
    let pair =
        |row: sea_orm::QueryResult| Some((row.try_get_by_index(0).ok()?, row.try_get_by_index(1).ok()?));
    rows.unwrap().into_iter().map(|row| pair(row).unwrap()).collect()
}
