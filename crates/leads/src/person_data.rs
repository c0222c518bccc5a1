//! Removes the lead of a person who withdraws the consent or leaves.

use db::WriteTx;
use kernel::{OrgId, PersonId};
use orgs::PersonData;
use sea_orm::DbErr;

use crate::store;

/// The leads that orgs removes with a person.
pub struct PersonLeads;

#[async_trait::async_trait]
impl PersonData for PersonLeads {
    async fn remove_person(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        store::remove_of_person(tx, org, person).await
    }
}
