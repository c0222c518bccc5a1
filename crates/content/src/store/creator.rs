//! Who created items.

use kernel::{ContentId, OrgId, PersonId, Timestamp};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::content::{Column, Entity};

/// Replaces the person who created items.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::CreatedBy, Expr::value(stand_in));
    update.filter(Column::CreatedBy.eq(person)).exec(tx).await.map(drop)
}

/// Returns the items that a person created, for the person's export.
pub async fn export(conn: &impl ConnectionTrait, person: PersonId) -> Result<serde_json::Value, DbErr> {
    let rows: Vec<(ContentId, OrgId, String, Timestamp)> = Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Org, Column::Title, Column::CreatedAt])
        .filter(Column::CreatedBy.eq(person))
        .filter(Column::DeletedAt.is_null())
        .order_by_asc(Column::Uid)
        .into_tuple()
        .all(conn)
        .await?;
    let item = |(uid, org, title, at)| serde_json::json!({ "uid": uid, "orgId": org, "title": title, "timeCreated": kernel::iso(at) });
    Ok(rows.into_iter().map(item).collect())
}
