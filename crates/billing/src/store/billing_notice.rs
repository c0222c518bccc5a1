//! The emails about purchases that were enqueued.

use db::WriteTx;
use kernel::ProvisionId;
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait as _};

pub use crate::entity::billing_notice::NoticeKind;
use crate::entity::billing_notice::{ActiveModel, Column, Entity};

/// Returns whether an email was enqueued.
pub async fn exists(
    c: &impl ConnectionTrait,
    provision: ProvisionId,
    kind: NoticeKind,
    about: &str,
) -> Result<bool, DbErr> {
    let key = (provision, kind, about.to_owned());
    Ok(Entity::find_by_id(key).one(c).await?.is_some())
}

/// Records that an email is enqueued. Returns false if it was before.
pub async fn add(tx: &WriteTx, provision: ProvisionId, kind: NoticeKind, about: &str) -> Result<bool, DbErr> {
    let row = ActiveModel { provision: Set(provision), kind: Set(kind), about: Set(about.to_owned()) };
    let known = OnConflict::columns([Column::Provision, Column::Kind, Column::About]).do_nothing().to_owned();
    Ok(Entity::insert(row).on_conflict(known).exec_without_returning(tx).await? == 1)
}
