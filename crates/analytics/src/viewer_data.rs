//! Cuts a person from what was watched, in the transaction that withdraws the consent or ends the membership.

use db::WriteTx;
use kernel::{Ambient, OrgId, PersonId, Signer, ViewerId};
use orgs::PersonData;
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::Value;

use crate::names::{EVERY_DAY, Names, accepted_days};
use crate::store;

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
    /// Deletes the rows with the person's id. Views, and the times that keep a view from counting twice, move to the
    /// anonymous names of their days while late events can still arrive. Requests as received get a random name per
    /// day, which is stored nowhere else.
    async fn remove_person(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        store::person::remove(tx, org, person).await?;
        let named = self.names.name(org, person, EVERY_DAY);
        for day in accepted_days(self.ambient.now()) {
            let anonymous = self.names.name(org, person, day);
            store::person::make_anonymous(tx, org, named, (anonymous, day)).await?;
        }
        store::person::remove_named(tx, org, named).await?;
        for day in store::person::request_days(tx, org, named).await? {
            let random = ViewerId::from_u128(u128::from_be_bytes(self.ambient.bytes()));
            store::person::rename_requests(tx, org, named, (random, day)).await?;
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
