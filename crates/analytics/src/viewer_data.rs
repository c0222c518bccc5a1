//! Cuts a person from what was watched, in the transaction that withdraws the consent or ends the membership.

use db::WriteTx;
use kernel::{Ambient, OrgId, PersonId, Signer};
use orgs::PersonData;
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::Value;

use crate::names::{Names, accepted_days, random_name};
use crate::store;
use crate::store::names::PersonKey;

/// What people watched, as orgs removes it with a person.
pub struct ViewerData {
    names: Names,
    ambient: Ambient,
}

impl ViewerData {
    /// Creates it from the server's keys and its source of time and ids.
    pub fn new(signer: &Signer, ambient: Ambient) -> Self {
        Self { names: Names::new(signer), ambient }
    }
}

#[async_trait::async_trait]
impl PersonData for ViewerData {
    /// Deletes the rows with the person's id. Views move to the anonymous names of their days while late events can
    /// still arrive, and otherwise, as the events do, to a random name per day, which is stored nowhere else.
    async fn remove_person(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        let key = PersonKey { org, person };
        let named = store::names::named(tx, &[key]).await?.get(&key).map(|named| named.viewer);
        store::person::remove(tx, org, person, named).await?;
        let Some(named) = named else { return Ok(()) };
        store::view_packs::unpack_viewer(tx, org, named).await?;
        let days = accepted_days(self.ambient.now()).map(|day| (day, Vec::new())).collect();
        let salts = store::names::known_salts(tx, &days).await?;
        for day in store::person::view_days(tx, org, named).await? {
            let name = match salts.get(&day) {
                Some(salt) => self.names.anonymous(salt, org, person),
                None => random_name(&self.ambient),
            };
            store::person::rename_views(tx, org, named, (name, day)).await?;
        }
        for day in store::person::event_days(tx, org, named).await? {
            store::person::rename_events(tx, org, named, (random_name(&self.ambient), day)).await?;
        }
        Ok(())
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        Ok(vec![
            ("history", store::person_export::history(read, org, person).await?),
            ("watched", store::person_export::watched(read, org, person).await?),
        ])
    }
}
