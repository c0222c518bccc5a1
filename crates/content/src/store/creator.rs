//! Who created items.

use kernel::{ContentId, OrgId, PersonId, Timestamp};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
};

use crate::entity::content::{Column, Entity};

/// Replaces the person who created items.
pub async fn hand_over(tx: &impl ConnectionTrait, person: PersonId, stand_in: PersonId) -> Result<(), DbErr> {
    let update = Entity::update_many().col_expr(Column::CreatedBy, Expr::value(stand_in));
    update.filter(Column::CreatedBy.eq(person)).exec(tx).await.map(drop)
}

/// An item that a person created.
#[derive(FromQueryResult)]
pub struct Created {
    pub uid: ContentId,
    pub org: OrgId,
    pub created_at: Timestamp,
}

/// Returns the items that a person created, oldest first.
pub async fn created_by(conn: &impl ConnectionTrait, person: PersonId) -> Result<Vec<Created>, DbErr> {
    Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Org, Column::CreatedAt])
        .filter(Column::CreatedBy.eq(person))
        .filter(Column::DeletedAt.is_null())
        .order_by_asc(Column::Uid)
        .into_model()
        .all(conn)
        .await
}
