//! Posters of embedded videos.

use kernel::{ContentId, Millis, OrgId, VersionId};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter};

use super::widths;
use crate::entity::content::{Column, Entity};
use crate::item::Poster;

/// Sets the poster of an embedded video, and its length if the host told it. Returns false if the item is deleted, has another address by now, or has a
/// poster already.
pub async fn set_poster(
    tx: &impl ConnectionTrait,
    org: OrgId,
    uid: ContentId,
    link: &str,
    (poster, duration): (&Poster, Option<Millis>),
) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Poster, Expr::val(Some(poster.version)))
        .col_expr(Column::PosterWidths, Expr::val(widths::text(&poster.widths)))
        .col_expr(Column::DurationMs, Expr::val(duration))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Org.eq(org))
        .filter(Column::Link.eq(link))
        .filter(Column::Poster.is_null())
        .filter(Column::DeletedAt.is_null())
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Makes an item have no poster, and no length. The caller must have checked its organisation in the same transaction.
pub async fn clear_poster(tx: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Poster, Expr::val(None::<VersionId>))
        .col_expr(Column::PosterWidths, Expr::val(""))
        .col_expr(Column::DurationMs, Expr::val(None::<Millis>))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Org.eq(org))
        .exec(tx)
        .await
        .map(drop)
}
