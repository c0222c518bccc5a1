//! Erases a person from the records of consent, and exports them with how far the person is in items.

use db::WriteTx;
use identity::ErasedPerson;
use kernel::PersonId;
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::Value;

use crate::store;

/// Records of consent, which stay under the id of the stand-in, positions and visits, and unsubscriptions.
pub struct ConsentErasure;

#[async_trait::async_trait]
impl identity::Erasure for ConsentErasure {
    async fn erase(&self, tx: &WriteTx, erased: &ErasedPerson) -> Result<(), DbErr> {
        store::consent::hand_over(tx, erased.person, erased.stand_in).await?;
        store::progress::remove_all(tx, erased.person).await?;
        store::unsubscribe::remove_of_person(tx, erased.person).await?;
        store::announcements::forget_recipient(tx, erased.person).await
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        Ok(vec![
            ("consents", store::consent::export(read, person).await?),
            ("positions", store::progress::export_items(read, person).await?),
            ("lastVisits", store::progress::export_visits(read, person).await?),
            ("unsubscribedFrom", store::unsubscribe::export(read, person).await?),
        ])
    }
}
