//! Many rows in one statement, on the engine of the run.

use std::collections::BTreeSet;
use std::time::Duration;

use db::rows::{self, WriteSet};
use db::{Db, Engine, SubjectPart};
use kernel::Uid;
use sea_orm::{ConnectionTrait as _, JsonValue, QueryResult, Statement, Value};
use testkit::Database;

/// More than one statement on either engine.
const MANY: i64 = 5_000;

async fn database() -> (Db, Database, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    let tx = db.write_tx().await.unwrap();
    let tables = "CREATE TABLE thing (number BIGINT PRIMARY KEY, uid UUID, word VARCHAR, share DOUBLE PRECISION, \
                  flag BOOLEAN, total BIGINT NOT NULL, data JSON); CREATE TABLE other (number BIGINT PRIMARY KEY); \
                  CREATE TABLE gone (number BIGINT PRIMARY KEY); INSERT INTO gone VALUES (0), (1), (-1)";
    tx.execute_unprepared(tables).await.unwrap();
    tx.commit().await.unwrap();
    (db, database, folder)
}

type Thing = (i64, Option<Uid>, Option<String>, Option<f64>, Option<bool>, i64, Option<JsonValue>);

/// Every third row has nothing but numbers.
fn thing(number: i64) -> Thing {
    let is_full = number % 3 != 0;
    let some = |word: String| is_full.then_some(word);
    (
        number,
        is_full.then(|| Uid::from_u128(number as u128)),
        some(format!("word '{number}\" \u{e4}")),
        is_full.then_some(number as f64 / 4.0),
        is_full.then_some(number % 2 == 0),
        1,
        is_full.then(|| JsonValue::from(vec![number])),
    )
}

fn values((number, uid, word, share, flag, total, data): Thing) -> [Value; 7] {
    [number.into(), uid.into(), word.into(), share.into(), flag.into(), total.into(), data.into()]
}

fn read(row: &QueryResult) -> Thing {
    (
        row.try_get_by_index(0).unwrap(),
        row.try_get_by_index(1).unwrap(),
        row.try_get_by_index(2).unwrap(),
        row.try_get_by_index(3).unwrap(),
        row.try_get_by_index(4).unwrap(),
        row.try_get_by_index(5).unwrap(),
        row.try_get_by_index(6).unwrap(),
    )
}

const INTO: &str = "thing (number, uid, word, share, flag, total, data)";
const ADD: &str = "ON CONFLICT (number) DO UPDATE SET total = thing.total + excluded.total";

async fn count(db: &Db, sql: &'static str) -> i64 {
    let statement = Statement::from_string(db.read().get_database_backend(), sql);
    db.read().query_one_raw(statement).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

#[tokio::test]
async fn rows_are_written_and_found_as_they_are_whatever_their_number() {
    let (db, database, _folder) = database().await;
    for size in [1, 2, 31, 300, MANY] {
        let tx = db.write_tx().await.unwrap();
        let all: Vec<[Value; 7]> = (0..size).map(|number| values(thing(number))).collect();
        let returned =
            rows::bulk_upsert(&tx, INTO, &all, "ON CONFLICT DO NOTHING RETURNING number").await.unwrap();
        assert_eq!(returned.len() as i64, size);
        let keys: Vec<[Value; 2]> = (0..size).map(|number| [number.into(), "x".into()]).collect();
        let select = "SELECT t.* FROM want JOIN thing t ON t.number = want.number AND want.word = 'x'";
        let found = rows::select_by_keys(&tx, "number, word", &keys, select).await.unwrap();
        // Keys may be padded.
        let mut found: Vec<Thing> = found.iter().map(read).collect();
        found.sort_by_key(|row| row.0);
        found.dedup();
        assert_eq!(found, (0..size).map(thing).collect::<Vec<_>>());
        drop(tx);
    }
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn a_set_writes_all_or_nothing_and_counts_the_rows_of_its_last_write() {
    let (db, database, _folder) = database().await;
    for size in [3, MANY] {
        let tx = db.write_tx().await.unwrap();
        let all: Vec<[Value; 7]> = (0..size).map(|number| values(thing(number))).collect();
        let numbers: Vec<[Value; 1]> = (0..size).map(|number| [number.into()]).collect();
        let set = |limit: &'static str| {
            let mut writes = WriteSet::new(&tx);
            writes.upsert("other (number)", &numbers, "ON CONFLICT DO NOTHING").unwrap();
            let delete = "DELETE FROM gone WHERE number IN (SELECT number FROM want)";
            writes.by_keys("number", &numbers, delete).unwrap();
            writes.upsert::<1>("other (number)", &[], "").unwrap();
            writes.upsert(INTO, &all, limit).unwrap();
            writes
        };
        assert_eq!(set(ADD).run(&tx).await.unwrap(), size as u64);
        let some = "ON CONFLICT (number) DO UPDATE SET total = excluded.total WHERE excluded.flag";
        let changed = (0..size).filter(|number| thing(*number).4 == Some(true)).count();
        assert_eq!(set(some).run(&tx).await.unwrap(), changed as u64);
        assert_eq!(WriteSet::new(&tx).run(&tx).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(count(&db, "SELECT COUNT(*) FROM other").await, size);
        assert_eq!(count(&db, "SELECT COUNT(*) FROM gone").await, 1);
        let tx = db.write_tx().await.unwrap();
        tx.execute_unprepared("DELETE FROM thing").await.unwrap();
        tx.execute_unprepared("DELETE FROM other").await.unwrap();
        tx.commit().await.unwrap();
    }
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn values_of_different_types_are_refused() {
    let (db, database, _folder) = database().await;
    let tx = db.write_tx().await.unwrap();
    let mixed: [[Value; 1]; 2] = [[1_i64.into()], ["two".into()]];
    let written = rows::bulk_upsert(&tx, "other (number)", &mixed, "").await;
    assert_eq!(written.is_err(), db.engine() == Engine::Postgres, "SQLite knows no types");
    drop(tx);
    db.close().await;
    database.remove().await;
}

#[tokio::test]
async fn parts_of_a_subject_exclude_themselves_and_those_who_hold_all_of_it() {
    let (db, database, _folder) = database().await;
    if db.engine() == Engine::Sqlite {
        db.close().await;
        return;
    }
    let (org, one, other) = (Uid::from_u128(7), Uid::from_u128(8), Uid::from_u128(9));
    let begin = async |person: Uid| {
        let tx = db.write_tx().await.unwrap();
        tx.share(&BTreeSet::from([org]), &BTreeSet::from([SubjectPart::new(org, person)])).await.map(|()| tx)
    };
    let (soon, free) = (Duration::from_millis(300), Duration::from_secs(30));
    let first = begin(one).await.unwrap();
    let second = tokio::time::timeout(free, begin(other)).await.expect("another part is free").unwrap();
    assert!(tokio::time::timeout(soon, begin(one)).await.is_err(), "the same part is not");
    assert!(tokio::time::timeout(soon, db.write_tx_on(org)).await.is_err(), "nor is the whole");
    first.commit().await.unwrap();
    second.commit().await.unwrap();
    let whole = tokio::time::timeout(free, db.write_tx_on(org)).await.expect("now it is free").unwrap();
    assert!(tokio::time::timeout(soon, begin(one)).await.is_err(), "and excludes its parts");
    whole.commit().await.unwrap();
    db.close().await;
    database.remove().await;
}
