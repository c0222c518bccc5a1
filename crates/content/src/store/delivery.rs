//! The single query behind every request for bytes.

use db::Stored;
use kernel::{SessionId, Timestamp};
use orgs::{PlanStanding, Role, Standing};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult as _, Statement, Value};

use crate::entity::content::Model;
use crate::grant::Grant;
use crate::item::Item;

/// What the decision needs to know about an item, the standing of its organisation, the person and the grant.
pub struct DeliveryInput {
    pub item: Item,
    pub standing: Standing,
    pub role: Option<Role>,
    /// Whether the session that the address was created in is active.
    pub signed_in: bool,
    /// The time until which the grant was renewed.
    pub renewed_until: Option<Timestamp>,
}

/// Uses only primary keys and unique indexes.
const QUERY: &str = "SELECT c.*, o.standing AS fact_standing, \
     o.suspended_from AS fact_suspended_from, m.role AS fact_role, \
     g.expires_at AS fact_renewed_until, s.uid AS fact_session FROM content c \
     JOIN organisation o ON o.uid = c.org AND o.deleted_at IS NULL \
     LEFT JOIN membership m ON m.person = $2 AND m.org = c.org \
     LEFT JOIN content_grant g ON g.uid = $3 \
     LEFT JOIN session s ON s.uid = $4 AND s.person = $2 AND s.ended_at IS NULL AND s.expires_at > $5 \
     WHERE c.uid = $1";

/// Returns the facts for a grant, if the item and its organisation exist.
pub async fn input(
    conn: &impl ConnectionTrait,
    grant: &Grant,
    now: Timestamp,
) -> Result<Option<DeliveryInput>, DbErr> {
    let values: [Value; 5] =
        [grant.content.into(), grant.person.into(), grant.uid().into(), grant.session.into(), now.into()];
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), QUERY, values);
    let Some(row) = conn.query_one_raw(statement).await? else { return Ok(None) };
    let role: Option<Stored<Role>> = row.try_get("", "fact_role")?;
    let session: Option<SessionId> = row.try_get("", "fact_session")?;
    let standing: Stored<Standing> = row.try_get("", "fact_standing")?;
    let suspended_from: Option<Timestamp> = row.try_get("", "fact_suspended_from")?;
    let item: Item = Model::from_query_result(&row, "")?.try_into()?;
    let org_id = item.org;
    let answered = standing.known("organisation", "standing", org_id)?;
    Ok(Some(DeliveryInput {
        standing: PlanStanding { answered, suspended_from }.at(now),
        item,
        role: match role {
            Some(Stored::Known(role)) => Some(role),
            Some(Stored::Unknown) => {
                db::log_unreadable("membership", "role", format_args!("{} of {org_id}", grant.person));
                None
            }
            None => None,
        },
        signed_in: session.is_some(),
        renewed_until: row.try_get("", "fact_renewed_until")?,
    }))
}
