//! Queries for the items that match a search or are new.

use db::search::contains;
use kernel::OrgId;
use sea_orm::sea_query::{Expr, ExprTrait as _, SelectStatement};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait as _};

use crate::api::ItemFilter;
use crate::entity::content::{Column, Entity};
use crate::model::Origin;

/// Builds a query for the ids of all items of this organisation that have a file or a link, for staff.
pub fn playable_ids(org: OrgId) -> SelectStatement {
    Entity::find()
        .select_only()
        .column(Column::Uid)
        .filter(Column::Org.eq(org))
        .filter(Column::DeletedAt.is_null())
        .filter(Column::Origin.ne(Origin::Draft))
        .into_query()
}

/// Narrows a query for ids of items to those that match.
pub fn narrowed(mut ids: SelectStatement, filter: ItemFilter<'_>) -> SelectStatement {
    match filter {
        ItemFilter::Title(text) => ids.and_where(Expr::col(Column::TitleFolded).like(contains(text))),
        ItemFilter::Since(time) => ids.and_where(Column::CreatedAt.gt(time).or(Column::PublishAt.gt(time))),
    };
    ids
}
