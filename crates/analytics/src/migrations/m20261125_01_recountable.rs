//! Makes all tables anew: events that can be counted again, totals by hour and day of the organisation's time zone,
//! and names that can be cut from a person.
//!
//! There are no foreign keys: these tables are written many thousand times a second, with ids checked in the same
//! transaction. Tables read by key are stored in key order (on SQLite with WITHOUT ROWID), so each write touches only
//! one B-tree.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, binary, boolean, double, string, string_null, text, text_null, uuid,
    uuid_null,
};

use super::create_by_key;

/// Drops the tables and creates them anew.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "analytics_20261125_01_recountable"
    }
}

/// The tables of the steps before.
const BEFORE: [&str; 10] = [
    "event_batch",
    "viewing",
    "coverage",
    "visitor",
    "interaction",
    "activity",
    "watch_org",
    "watch_content",
    "watch_playlist",
    "watch_person",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in BEFORE {
            manager.drop_table(Table::drop().table(table).to_owned()).await?;
        }
        manager.create_table(event_batch()).await?;
        let states = [
            viewer_salt(),
            viewer_key(),
            viewing(),
            counted_start(),
            viewer_hour(),
            coverage(),
            content_length(),
            visitor(),
            interaction(),
            activity(),
        ];
        let totals = [
            watch_hour(),
            watch_day(),
            watch_playlist(),
            watch_playlist_content(),
            watch_person(),
            watch_verdict(),
        ];
        for table in states.iter().chain(&totals) {
            create_by_key(manager, table).await?;
        }
        for (name, table, columns) in [
            ("event_batch_viewer", "event_batch", &["org", "viewer"][..]),
            ("event_batch_day", "event_batch", &["org", "day"]),
            ("viewing_viewer", "viewing", &["org", "viewer"]),
            ("viewing_content", "viewing", &["org", "content", "hour"]),
            ("viewing_playlist", "viewing", &["org", "playlist", "hour"]),
            ("viewing_age", "viewing", &["hour"]),
            ("coverage_age", "coverage", &["watched_day"]),
            ("interaction_age", "interaction", &["day"]),
            ("activity_newest", "activity", &["org", "at"]),
            ("activity_age", "activity", &["at"]),
        ] {
            manager.create_index(db::index(name, table, columns)).await?;
        }
        Ok(())
    }
}

/// Returns a table with these columns and the primary key made of the first of them that `key` names.
fn keyed(name: &'static str, columns: Vec<ColumnDef>, key: &[&'static str]) -> TableCreateStatement {
    let mut table = Table::create();
    table.table(name);
    for mut column in columns {
        table.col(&mut column);
    }
    let mut primary = Index::create();
    for column in key {
        primary.col(*column);
    }
    table.primary_key(&mut primary);
    table
}

/// Events of one viewer in one request, with what was decided: append-only.
fn event_batch() -> TableCreateStatement {
    Table::create()
        .table("event_batch")
        .col(ColumnDef::new("number").big_integer().not_null().auto_increment().primary_key())
        .col(uuid("org"))
        .col(big_integer("day"))
        .col(uuid("viewer"))
        .col(big_integer("since"))
        .col(big_integer("received_at"))
        .col(text("events"))
        .col(text_null("rejected"))
        .to_owned()
}

/// The random salt of the anonymous names of a day.
fn viewer_salt() -> TableCreateStatement {
    keyed("viewer_salt", vec![big_integer("day"), binary("salt")], &["day"])
}

/// The random name of a person under a consent.
fn viewer_key() -> TableCreateStatement {
    let columns = vec![uuid("org"), uuid("person"), big_integer("since"), uuid("viewer")];
    keyed("viewer_key", columns, &["org", "person"])
}

fn viewing() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        uuid("uid"),
        uuid("viewer"),
        uuid("content"),
        uuid_null("playlist"),
        big_integer("began_at"),
        big_integer("noted_at"),
        big_integer("hour"),
        text("beats"),
        text("watched"),
        big_integer("claims_ms"),
        big_integer("credit_ms"),
        big_integer("over_ms"),
        text("sections"),
        boolean("is_finished"),
        string("verdict"),
        string("device"),
        string_null("country"),
    ];
    keyed("viewing", columns, &["org", "uid"])
}

/// Starts of counted views, under the anonymous names of their days, which also consenting people have.
fn counted_start() -> TableCreateStatement {
    let columns = vec![big_integer("day"), uuid("org"), uuid("viewer"), uuid("content"), big_integer("at")];
    keyed("counted_start", columns, &["day", "org", "viewer", "content", "at"])
}

/// Watch time of one viewer in one hour, under the anonymous name of the day.
fn viewer_hour() -> TableCreateStatement {
    let columns =
        vec![big_integer("day"), uuid("org"), uuid("viewer"), big_integer("hour"), big_integer("watch_ms")];
    keyed("viewer_hour", columns, &["day", "org", "viewer", "hour"])
}

/// What a person with consent has seen of a content item.
fn coverage() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        uuid("viewer"),
        uuid("content"),
        text("sections"),
        double("covered"),
        big_integer("watched_day"),
    ];
    keyed("coverage", columns, &["org", "viewer", "content"])
}

/// Lengths that only players know.
fn content_length() -> TableCreateStatement {
    let columns =
        vec![uuid("org"), uuid("content"), big_integer_null("duration_ms"), big_integer_null("pages")];
    keyed("content_length", columns, &["org", "content"])
}

fn visitor() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        uuid("person"),
        big_integer("since"),
        big_integer("last_at"),
        big_integer("active_day"),
        text("visits"),
    ];
    keyed("visitor", columns, &["org", "person", "since"])
}

fn interaction() -> TableCreateStatement {
    keyed("interaction", vec![uuid("org"), uuid("uid"), big_integer("day")], &["org", "uid"])
}

fn activity() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        uuid("person"),
        big_integer("since"),
        big_integer("at"),
        uuid("uid"),
        string("kind"),
        uuid_null("content"),
        uuid_null("playlist"),
    ];
    keyed("activity", columns, &["org", "person", "since", "at", "uid"])
}

/// Returns the columns of a total.
fn sums() -> [ColumnDef; 3] {
    [big_integer("watch_ms"), big_integer("late_ms"), big_integer("views")]
}

/// Totals of an organisation, a content item or a playlist by hour.
fn watch_hour() -> TableCreateStatement {
    let key = [uuid("org"), uuid("subject"), big_integer("hour")];
    keyed("watch_hour", key.into_iter().chain(sums()).collect(), &["org", "subject", "hour"])
}

/// Totals by day, in the order that lists of the most watched need.
fn watch_day() -> TableCreateStatement {
    let key = [uuid("org"), string("list"), big_integer("day"), uuid("item")];
    keyed("watch_day", key.into_iter().chain(sums()).collect(), &["org", "list", "day", "item"])
}

/// Totals of a playlist since the beginning.
fn watch_playlist() -> TableCreateStatement {
    let key = [uuid("org"), uuid("playlist")];
    keyed("watch_playlist", key.into_iter().chain(sums()).collect(), &["org", "playlist"])
}

fn watch_playlist_content() -> TableCreateStatement {
    let key = [uuid("org"), uuid("playlist"), big_integer("day"), uuid("content")];
    let names = ["org", "playlist", "day", "content"];
    keyed("watch_playlist_content", key.into_iter().chain(sums()).collect(), &names)
}

fn watch_person() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        uuid("person"),
        big_integer("since"),
        big_integer("hour"),
        uuid("content"),
        uuid("playlist"),
        big_integer("watch_ms"),
        big_integer("views"),
        big_integer("visits"),
    ];
    keyed("watch_person", columns, &["org", "person", "since", "hour", "content", "playlist"])
}

/// Views that were not counted, and watch time over the limits, by reason.
fn watch_verdict() -> TableCreateStatement {
    let columns = vec![
        uuid("org"),
        big_integer("day"),
        string("verdict"),
        big_integer("views"),
        big_integer("watch_ms"),
    ];
    keyed("watch_verdict", columns, &["org", "day", "verdict"])
}
