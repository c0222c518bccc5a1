//! The queries of `docs/archive.md`, run by DuckDB on archived events, give the numbers of the screens.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kernel::DAY;
use orgs::Role;
use sea_orm::{ConnectionTrait as _, QueryResult, Statement};
use serde_json::{Value, json};
use storage::Storage;
use testkit::SignedBucket;

use super::{archiving, folder, stored};
use crate::recount::live_through_a_history;
use crate::{TestApp, test_app};

/// Runs the statements of a JSON array and prints the rows of each as a JSON array.
const PROGRAM: &str = "
import duckdb, json, sys
connection, results = duckdb.connect(), []
for statement in json.load(sys.stdin):
    cursor = connection.execute(statement)
    results.append([[str(value) if value is not None else None for value in row] for row in cursor.fetchall()])
print(json.dumps(results))
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the SQL of a section of the documentation.
fn documented(section: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/archive.md")).unwrap();
    let start = text.find(&format!("\n## {section}\n")).unwrap() + 1;
    let rest = &text[start..];
    let section = rest[1..].find("\n## ").map_or(rest, |end| &rest[..=end]);
    section.split("```sql\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// Runs the documented statements on the segments in a folder, and returns the rows of each.
fn run(objects: &Path, app: &TestApp) -> Vec<Vec<Vec<Value>>> {
    let objects = objects.display().to_string();
    let statements: Vec<String> = documented("DuckDB")
        .iter()
        .map(|sql| {
            let sql = sql.replace("s3://vitrine", &objects);
            sql.replace("01234567-89ab-7def-8123-456789abcdef", &app.org.uid.to_string())
        })
        .collect();
    let mut python = Command::new("python3")
        .args(["-c", PROGRAM])
        .env("PYTHONPATH", root().join("target/duckdb"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("python3 ({error}): run tools/deps long"));
    python.stdin.take().unwrap().write_all(json!(statements).to_string().as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        !errors.contains("No module named 'duckdb'"),
        "DuckDB is missing in target/duckdb: run tools/deps long"
    );
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn rows(app: &TestApp, sql: &str) -> Vec<QueryResult> {
    let conn = app.http.deps.db.read();
    let values = [app.org.uid.into()];
    conn.query_all_raw(Statement::from_sql_and_values(conn.get_database_backend(), sql, values))
        .await
        .unwrap()
}

/// Returns the day on which a local day of Berlin starts, in winter.
fn local_day(ms: i64) -> String {
    kernel::iso(kernel::Timestamp::from_ms(ms + kernel::HOUR))[..10].to_owned()
}

/// Returns rows by all their columns but the last `N`, without those in which these are 0 or absent.
fn by_key<const N: usize>(rows: &[Vec<Value>]) -> BTreeMap<Vec<String>, [i64; N]> {
    let text = |value: &Value| value.as_str().unwrap_or("0").to_owned();
    rows.iter()
        .map(|row| {
            let (key, numbers) = row.split_at(row.len() - N);
            let numbers: Vec<i64> = numbers.iter().map(|value| text(value).parse().unwrap()).collect();
            (key.iter().map(text).collect(), numbers.try_into().unwrap())
        })
        .filter(|(_, numbers)| *numbers != [0; N])
        .collect()
}

/// Compares the results of the queries with the totals that the screens read.
async fn compare(app: &TestApp, results: &[Vec<Vec<Value>>]) {
    let number = |row: &QueryResult, index: usize| row.try_get_by_index::<i64>(index).unwrap();
    let [_, items, hours, verdicts] = results else { panic!("a view and three queries: {results:?}") };

    let select = "SELECT item, day, watch_ms, views FROM watch_day WHERE org = $1 AND list = 'content'";
    let mut expected = BTreeMap::new();
    for row in rows(app, select).await {
        let item: kernel::Uid = row.try_get_by_index(0).unwrap();
        let key = vec![item.to_string(), local_day(number(&row, 1))];
        expected.insert(key, [number(&row, 2), number(&row, 3)]);
    }
    expected.retain(|_, sums| *sums != [0, 0]);
    assert!(expected.len() > 3 && by_key(items) == expected, "{expected:?} {items:?}");

    let select = "SELECT hour, watch_ms FROM watch_hour WHERE org = $1 AND subject = $1";
    let mut expected = BTreeMap::<_, [i64; 1]>::new();
    for row in rows(app, select).await {
        let hour = (number(&row, 0) / kernel::HOUR + 1) % 24;
        expected.entry(vec![hour.to_string()]).or_default()[0] += number(&row, 1);
    }
    expected.retain(|_, sums| *sums != [0]);
    assert!(expected.len() > 3 && by_key(hours) == expected, "{expected:?} {hours:?}");

    let select = "SELECT day, verdict, views FROM watch_verdict WHERE org = $1 AND views <> 0";
    let mut expected = BTreeMap::new();
    for row in rows(app, select).await {
        let verdict: String = row.try_get_by_index(1).unwrap();
        expected.insert(vec![local_day(number(&row, 0)), verdict], [number(&row, 2)]);
    }
    assert!(!expected.is_empty() && by_key(verdicts) == expected, "{expected:?} {verdicts:?}");
}

/// Needs DuckDB, so it runs only with `VITRINE_TEST_LONG`.
#[tokio::test]
async fn the_documented_queries_give_the_numbers_of_the_screens_in_a_folder_and_a_bucket() {
    if std::env::var_os("VITRINE_TEST_LONG").is_none() {
        return;
    }
    let bucket = SignedBucket::open().await;
    for in_bucket in [false, true] {
        let app = test_app().await;
        let admin = app.staff(Role::AccountAdmin).await;
        let zone = json!({"organisation": {"timeZone": "Europe/Berlin"}});
        admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
        live_through_a_history(&app, 7).await;
        let (storage, objects) = if in_bucket {
            let deps = &app.http.deps;
            let storage = Storage::open(&bucket.settings(), &deps.folder, deps.ambient.clone()).unwrap();
            (storage, bucket.folder())
        } else {
            (folder(&app), app.http.deps.folder.join("objects"))
        };
        app.http.clock.advance(15 * DAY);
        archiving(&app, &storage).archive_events().await.unwrap();
        assert_eq!(stored(&app).await, 0);
        compare(&app, &run(&objects, &app)).await;
        app.http.settle().await;
    }
}
