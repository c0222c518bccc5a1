//! Pages of rows in the order of a time, which may be absent.

use kernel::{Keyset, Timestamp};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, ExprTrait as _, QueryFilter, QueryOrder, QuerySelect,
    Select,
};

/// The columns by which rows are ordered, the latest time first, and the greatest id first among equal times.
#[derive(Clone, Copy, Debug)]
pub struct LatestFirst<C> {
    /// The time.
    pub at: C,
    /// The id of a row.
    pub uid: C,
}

impl<C: ColumnTrait> LatestFirst<C> {
    /// Returns a page of `rows`. The last row of the previous page is looked up among `all`, because it may no longer
    /// belong to `rows`; if it has no time any more, the list starts anew.
    ///
    /// # Errors
    /// If the database does not answer.
    pub async fn page<E>(
        self,
        conn: &impl ConnectionTrait,
        rows: Select<E>,
        all: Select<E>,
        keyset: Keyset,
    ) -> Result<Vec<E::Model>, DbErr>
    where
        E: EntityTrait<Column = C>,
    {
        let Self { at, uid } = self;
        let mut query = rows;
        if let Some(after) = keyset.start_after {
            let anchor = all.filter(uid.eq(after)).select_only().column(at);
            let anchor: Option<Option<Timestamp>> = anchor.into_tuple().one(conn).await?;
            if let Some(time) = anchor.flatten() {
                let same_time = at.eq(time).and(uid.lt(after));
                query = query.filter(at.lt(time).or(same_time));
            }
        }
        query.order_by_desc(at).order_by_desc(uid).limit(keyset.limit).all(conn).await
    }
}
