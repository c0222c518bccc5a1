//! Items that were deleted recently, and their restoration.

use db::{LatestFirst, Stored};
use kernel::{ContentId, Keyset, OrgId, Timestamp};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use crate::entity::content::{ActiveModel, Column, Entity};
use crate::item::Item;
use crate::model::{Origin, Processing};

/// Returns a page of the items that were deleted at `since` or later and can be restored, the latest deletion first.
pub async fn page(
    conn: &impl ConnectionTrait,
    org: OrgId,
    since: Timestamp,
    keyset: Keyset,
) -> Result<Vec<Item>, DbErr> {
    let order = LatestFirst { at: Column::DeletedAt, uid: Column::Uid };
    let all = Entity::find().filter(Column::Org.eq(org));
    let rows = order.page(conn, restorable(org, since), all, keyset).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Restores an item that was deleted at `since` or later. Returns `None` if there is none with files.
pub async fn restore(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: ContentId,
    since: Timestamp,
    now: Timestamp,
) -> Result<Option<Item>, DbErr> {
    let Some(row) = restorable(org, since).filter(Column::Uid.eq(uid)).one(tx).await? else {
        return Ok(None);
    };
    let modified_at = Ord::max(now, row.modified_at + 1);
    let pending = [Processing::Queued, Processing::Running].map(Stored::from);
    let is_unprocessed = pending.contains(&row.processing);
    let row = ActiveModel {
        uid: Unchanged(uid),
        deleted_at: Set(None),
        modified_at: Set(modified_at),
        // What was being done to the file ended with the deletion.
        processing_run: Set(None),
        processing: if is_unprocessed { Set(Processing::Queued.into()) } else { NotSet },
        ..Default::default()
    };
    row.update(tx).await?.try_into().map(Some)
}

/// Makes a deleted item one that was deleted at this earlier time, so that it is no longer restored.
pub async fn age(tx: &impl ConnectionTrait, uid: ContentId, at: Timestamp) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::DeletedAt, Expr::val(Some(at)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::DeletedAt.gt(at))
        .exec(tx)
        .await?;
    Ok(())
}

/// Drafts have no file to restore, nor have items whose files were removed.
fn restorable(org: OrgId, since: Timestamp) -> sea_orm::Select<Entity> {
    Entity::find()
        .filter(Column::Org.eq(org))
        .filter(Column::DeletedAt.gte(since))
        .filter(Column::PurgedAt.is_null())
        .filter(Column::Origin.ne(Origin::Draft))
}
