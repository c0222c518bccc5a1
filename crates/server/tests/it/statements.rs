//! Every SQL statement in the sources is prepared on the engine of the run, without running it, so that a wrong
//! table or column is found on both engines even where no test reaches the statement.

use std::fs;
use std::path::Path;

use content::{Viewer, VisibilityAliases, may_see_sql, open_playlist_sql};
use db::{Db, Engine};
use kernel::Ambient;
use sea_orm::ConnectionTrait as _;
use server::compose;
use testkit::Database;

/// Beginnings of texts that are no statement by themselves, because the code adds to them. Tests of their
/// crates run the result.
const INCOMPLETE: [&str; 37] = [
    "SELECT m.org, CASE WHEN o.uid IS NULL THEN NULL ELSE m.role END AS role",
    "SELECT e.person, e.membership, e.role, e.joined_at, e.consent, e.answered_at",
    "SELECT f.person FROM org_person_word f WHERE f.org = {org} AND f.word = {word}",
    "SELECT f.person FROM org_person_word f WHERE f.org = {org} AND {in_range}",
    "WITH found AS MATERIALIZED ({found}) SELECT person FROM found",
    "DELETE FROM {table} WHERE {column} = $1",
    "DELETE FROM {table} WHERE org = $1",
    "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE {column} < $1",
    "DELETE FROM event_batch WHERE received_at < $1 AND number IN",
    "DELETE FROM event_batch WHERE number IN (SELECT number FROM event_batch WHERE org = $1 LIMIT",
    "DELETE FROM event_batch WHERE number IN (SELECT number FROM event_batch WHERE org = $1 AND number",
    "UPDATE event_segment SET state = $1 WHERE number IN",
    "SELECT number, org, day, bytes, sha256 FROM event_segment WHERE state = $1  LIMIT",
    "INSERT INTO sign_in_attempt AS a",
    "WITH want ({columns}) AS (",
    "WITH want (item) AS (VALUES",
    "INSERT INTO {into} ",
    "SELECT {selected} FROM unnest({parameters}) AS given",
    "SELECT * FROM (VALUES {}) LIMIT",
    "SELECT {columns} {rest}",
    "SELECT {columns} FROM {want}watch_day",
    "SELECT {columns} FROM {want}watch_period",
    "SELECT item, {sums} FROM",
    "SELECT want.item, s.* FROM want CROSS JOIN LATERAL",
    "SELECT {uids} FROM {table}",
    "SELECT * FROM (SELECT {} FROM ({lists}) lists) listed",
    "SELECT packed.*, unpacked.* FROM organisation o CROSS JOIN {}",
    "SELECT * FROM {} CROSS JOIN",
    "SELECT * FROM (SELECT {} {ROWS}) shown CROSS JOIN",
    "SELECT * FROM (SELECT (SELECT time_zone FROM organisation",
    "SELECT (SELECT {packs} FROM person_pack",
    "SELECT content, playlist, watch_ms, views FROM watch_person WHERE {of_person}",
    "SELECT a.kind, a.at, a.content, a.playlist, COALESCE(v.credit_ms - v.refused_ms, 0), a.person FROM",
    "SELECT p.data, u.days, CAST(NULL AS bigint) AS hour,",
    "SELECT hour, viewer, content, device, country, is_finished, {sections}, uid FROM viewing",
    "SELECT l.* FROM (SELECT c.* FROM {from} c",
    "SELECT l.* FROM {from} WHERE l.org",
];

#[tokio::test]
async fn every_statement_is_valid_on_this_engine() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = Db::connect(database.url()).await.unwrap();
    db::migrate(&db, &Ambient::system(), &compose::migrations()).await.unwrap();
    let statements: Vec<String> = statements().iter().map(|text| completed(text)).collect();
    let is_complete = |text: &&String| !INCOMPLETE.iter().any(|beginning| text.starts_with(beginning));
    let complete: Vec<&String> = statements.iter().filter(is_complete).collect();
    assert_eq!(complete.len() + INCOMPLETE.len(), statements.len(), "INCOMPLETE is out of date");
    assert!(complete.len() > 20, "only {} statements were found", complete.len());

    create_keys(&db, &statements).await;
    let mut wrong = Vec::new();
    for (number, text) in complete.into_iter().enumerate() {
        let prepare = match db.engine() {
            Engine::Sqlite if only_postgres(text) => continue,
            Engine::Postgres if only_sqlite(text) => continue,
            Engine::Sqlite => format!("EXPLAIN {text}"),
            Engine::Postgres => format!("PREPARE statement_{number} AS {text}"),
        };
        if let Err(error) = db.read().execute_unprepared(&prepare).await {
            wrong.push(format!("{error}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    db.close().await;
    database.remove().await;
}

/// Returns whether a statement uses tables or types that PostgreSQL does not have.
fn only_sqlite(text: &str) -> bool {
    ["sqlite_", "AS BLOB)"].iter().any(|word| text.contains(word))
}

/// Returns whether a statement uses functions or locks that SQLite does not have.
fn only_postgres(text: &str) -> bool {
    ["pg_", "FOR UPDATE", "FOR NO KEY UPDATE", "uuid_send"].iter().any(|word| text.contains(word))
}

/// Puts the conditions of visibility in the places of their names, as analytics does.
fn completed(text: &str) -> String {
    let aliases = |playlist| VisibilityAliases { organisation: "o", content: "c", playlist, now: "1" };
    text.replace("{to_staff}", &may_see_sql(Viewer::Staff, aliases("p")))
        .replace("{to_users}", &may_see_sql(Viewer::User, aliases("op")))
        .replace("{open}", &open_playlist_sql("p", "1"))
        .replace("{of_org}", "")
}

/// Creates a table in place of the keys that `db::rows::select_by_keys` adds to a statement as `want`.
async fn create_keys(db: &Db, statements: &[String]) {
    let mut columns: Vec<&str> = statements
        .iter()
        .flat_map(|text| text.split("want.").skip(1))
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .collect();
    columns.sort_unstable();
    columns.dedup();
    let tx = db.write_tx().await.unwrap();
    let typed = |column: &&str| match *column {
        "since" | "day" | "hour" | "at" | "number" | "week" | "period" | "views" | "watch_ms" => {
            format!("{column} BIGINT")
        }
        "audience" => format!("{column} BYTEA"),
        _ => format!("{column} UUID"),
    };
    let create = format!("CREATE TABLE want ({})", columns.iter().map(typed).collect::<Vec<_>>().join(", "));
    tx.execute_unprepared(&create).await.unwrap();
    tx.commit().await.unwrap();
}

/// Returns the string literals in the crates' sources that begin like a statement.
fn statements() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            // The statements of migrations are for older schemas; they run in every test with a database.
            // Those of backups are made for the tables of a database; they run in the tests of backups.
            let is_skipped =
                ["tests", "testkit", "migrations", "backup"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !is_skipped {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let source = fs::read_to_string(path).unwrap();
                found.extend(literals(source.split("#[cfg(test)]").next().unwrap_or_default()));
            }
        }
    }
    let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];
    found.retain(|text| verbs.iter().any(|verb| text.starts_with(verb)));
    found
}

/// Returns the string literals of a Rust source, except raw ones, without the line breaks that `\` hides.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, from) = rest.split_at(at);
        rest = if from.starts_with("//") {
            from.split_once('\n').map_or("", |(_, next)| next)
        } else if let Some(next) = from.strip_prefix("'\"'") {
            next
        } else if from.starts_with('"') && before.ends_with('#') {
            from[1..].split_once("\"#").map_or("", |(_, next)| next)
        } else if let Some(quoted) = from.strip_prefix('"') {
            let (text, next) = literal(quoted);
            found.push(text);
            next
        } else {
            &from[1..]
        };
    }
    found
}

/// Returns the literal that ends in `source`, and what follows it.
fn literal(source: &str) -> (String, &str) {
    let mut text = String::new();
    let mut rest = source.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => break,
            '\\' => match rest.next() {
                Some('\n') => rest = rest.as_str().trim_start().chars(),
                escaped => text.extend(escaped),
            },
            _ => text.push(c),
        }
    }
    (text, rest.as_str())
}
