//! How many shown leads an organisation has of each temperature, kept in the transactions that change leads.

use std::collections::{BTreeMap, HashMap};

use db::Stored;
use kernel::OrgId;
use sea_orm::{ActiveEnum as _, ConnectionTrait, DbErr, Statement, Value};

use crate::model::Temperature;

/// Changes of the numbers of leads.
#[derive(Default)]
pub struct TallyChanges(BTreeMap<TallyKey, i64>);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TallyKey {
    org: OrgId,
    /// As it is stored.
    temperature: String,
}

impl TallyChanges {
    /// Adds to the number of leads with this temperature.
    pub fn add(&mut self, org: OrgId, temperature: Temperature, change: i64) {
        *self.0.entry(TallyKey { org, temperature: temperature.to_value() }).or_default() += change;
    }

    /// Writes the changes, always in the same order, so that two transactions never wait for each other.
    pub async fn write(self, tx: &impl ConnectionTrait) -> Result<(), DbErr> {
        let rows: Vec<[Value; 3]> = self
            .0
            .into_iter()
            .filter(|(_, change)| *change != 0)
            .map(|(TallyKey { org, temperature }, change)| [org.into(), temperature.into(), change.into()])
            .collect();
        db::rows::bulk_upsert(
            tx,
            "lead_tally (org, temperature, leads)",
            &rows,
            "ON CONFLICT (org, temperature) DO UPDATE SET leads = lead_tally.leads + excluded.leads",
        )
        .await
        .map(drop)
    }
}

/// Returns the number of leads per temperature.
pub async fn counts(conn: &impl ConnectionTrait, org: OrgId) -> Result<HashMap<Temperature, i64>, DbErr> {
    let statement = Statement::from_sql_and_values(
        conn.get_database_backend(),
        "SELECT temperature, leads FROM lead_tally WHERE org = $1",
        [org.into()],
    );
    let rows = conn.query_all_raw(statement).await?;
    rows.iter()
        .map(|row| {
            let temperature: Stored<Temperature> = row.try_get_by_index(0)?;
            Ok((temperature.known("lead_tally", "temperature", org)?, row.try_get_by_index(1)?))
        })
        .collect()
}
