//! Webhooks taken.

use kernel::Millis;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use crate::entity::webhook_event::{ActiveModel, Column, Entity};

/// Writes the event down; false when it was there already.
pub async fn insert(c: &impl ConnectionTrait, id: &str, name: &str, now: Millis) -> Result<bool, DbErr> {
    let row = ActiveModel { id: Set(id.to_owned()), name: Set(name.to_owned()), received_at: Set(now) };
    let written = Entity::insert(row)
        .on_conflict(OnConflict::column(Column::Id).do_nothing().to_owned())
        .exec_without_returning(c)
        .await?;
    Ok(written == 1)
}

/// Whether the event was taken.
pub async fn is_known(c: &impl ConnectionTrait, id: &str) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id(id.to_owned()).one(c).await?.is_some())
}

/// Forgets events taken before `before`: the provider tries no longer than three days.
pub async fn prune(c: &impl ConnectionTrait, before: Millis) -> Result<(), DbErr> {
    Entity::delete_many().filter(Column::ReceivedAt.lt(before)).exec(c).await.map(drop)
}
