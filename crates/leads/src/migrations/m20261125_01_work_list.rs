//! What the list of leads needs to cost the same for any number of leads: whether a lead is shown, its times, the day on
//! which its score drops, and a tally by temperature. Entries of the ledger get their time.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, string, uuid};

/// Adds the columns, fills them, and creates `lead_tally`.
pub struct Step;

impl MigrationName for Step {
    fn name(&self) -> &'static str {
        "leads_20261125_01_work_list"
    }
}

/// Leads of consents that were withdrawn are removed. Those of today's app users are shown.
const FILL: [&str; 2] = [
    "DELETE FROM lead WHERE NOT EXISTS (SELECT 1 FROM consent_standing s \
     WHERE s.org = lead.org AND s.person = lead.person AND s.consent AND s.since = lead.since)",
    "UPDATE lead SET shown = EXISTS (SELECT 1 FROM membership m \
     WHERE m.org = lead.org AND m.person = lead.person AND m.role = 'user')",
];
const FILL_OWN: [&str; 5] = [
    "DELETE FROM lead_ledger WHERE NOT EXISTS (SELECT 1 FROM lead l \
     WHERE l.org = lead_ledger.org AND l.person = lead_ledger.person AND l.since = lead_ledger.since)",
    "UPDATE lead_ledger SET at = day * 86400000",
    "UPDATE lead SET created_at = COALESCE((SELECT MIN(g.at) FROM lead_ledger g \
     WHERE g.org = lead.org AND g.person = lead.person AND g.since = lead.since), modified_at), \
     last_seen_at = COALESCE((SELECT MAX(g.at) FROM lead_ledger g \
     WHERE g.org = lead.org AND g.person = lead.person AND g.since = lead.since), modified_at)",
    // The next run of the job finds out when the score drops.
    "UPDATE lead SET due_day = day + 1 WHERE shown AND score > 0",
    "INSERT INTO lead_tally (org, temperature, leads) \
     SELECT org, temperature, COUNT(*) FROM lead WHERE shown GROUP BY org, temperature",
];

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let time = |name: &'static str| ColumnDef::new(name).big_integer().not_null().default(0).to_owned();
        for (table, column) in [
            ("lead", time("created_at")),
            ("lead", time("last_seen_at")),
            ("lead", ColumnDef::new("shown").boolean().not_null().default(true).to_owned()),
            ("lead", ColumnDef::new("due_day").big_integer().to_owned()),
            ("lead_ledger", time("at")),
        ] {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        manager.create_table(lead_tally()).await?;
        for name in ["lead_org_score", "lead_day"] {
            manager.drop_index(Index::drop().name(name).table("lead").to_owned()).await?;
        }
        let conn = manager.get_connection();
        // A new database has no leads yet, and the table of another crate may not exist.
        if manager.has_table("consent_standing").await? {
            for sql in FILL {
                conn.execute_unprepared(sql).await?;
            }
        }
        for sql in FILL_OWN {
            conn.execute_unprepared(sql).await?;
        }
        for (name, columns) in [
            ("lead_shown_score", &["org", "score", "person"][..]),
            ("lead_shown_temperature", &["org", "temperature", "score", "person"]),
            ("lead_shown_last_seen", &["org", "last_seen_at", "person"]),
            ("lead_shown_created", &["org", "created_at", "person"]),
        ] {
            let mut shown = db::index(name, "lead", columns);
            shown.and_where(Expr::cust("shown"));
            manager.create_index(shown).await?;
        }
        let mut due = db::index("lead_due", "lead", &["due_day", "org"]);
        due.and_where(Expr::cust("due_day IS NOT NULL"));
        manager.create_index(due).await?;
        manager.create_index(db::index("lead_ledger_day", "lead_ledger", &["day"])).await
    }
}

fn lead_tally() -> TableCreateStatement {
    Table::create()
        .table("lead_tally")
        .col(uuid("org"))
        .col(string("temperature"))
        .col(big_integer("leads"))
        .primary_key(Index::create().col("org").col("temperature"))
        .to_owned()
}
