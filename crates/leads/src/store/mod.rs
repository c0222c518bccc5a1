//! All SQL of this crate, by topic.

pub mod email;
pub mod lead;
pub mod ledger;
pub mod list;
pub mod tally;

use db::Db;
use kernel::OrgId;
use sea_orm::DbErr;

/// Removes all rows of an organisation.
pub async fn remove_of_org(db: &Db, org: OrgId) -> Result<(), DbErr> {
    for (table, key) in [
        ("lead_ledger", "org, person, since, day, cause, item"),
        ("lead", "org, person"),
        ("lead_tally", "org, temperature"),
        ("lead_email", "topic"),
        ("lead_email_setting", "org, person"),
        ("lead_summary", "org"),
    ] {
        db::rows::remove_all(db, table, key, "org", org).await?;
    }
    Ok(())
}
