//! Organisations.

use db::{Stored, empty_if_none, none_if_empty, set_if_some, set_text};
use kernel::{OrgId, Patch, Privacy, Timestamp};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect, Select,
};

use crate::OrgSummary;
use crate::entity::organisation::{ActiveModel, Column, Entity, Model};
use crate::model::{self, Changes, NewOrg, Organisation, PlanStanding, Standing, Theme};

impl Model {
    /// Converts the row, as it is at `now`.
    pub(super) fn read(self, now: Timestamp) -> Result<Organisation, DbErr> {
        let row = self;
        let plan = plan_standing(row.uid, row.standing, row.suspended_from)?;
        Ok(Organisation {
            uid: row.uid,
            name: row.name,
            description: row.description,
            logo: none_if_empty(row.logo),
            website: none_if_empty(row.website),
            privacy: row.privacy.known("organisation", "privacy", row.uid)?,
            join_code: row.join_code,
            default_playlist: row.default_playlist,
            pinned_playlists: serde_json::from_value(row.pinned_playlists)
                .map_err(|_| db::unreadable("organisation", "pinned_playlists", row.uid))?,
            theme: Theme {
                background: none_if_empty(row.theme_background),
                primary: row.theme_primary,
                secondary: row.theme_secondary,
                text: row.theme_text,
            },
            contact_email: none_if_empty(row.contact_email),
            contact_phone: none_if_empty(row.contact_phone),
            time_zone: row.time_zone,
            standing: plan.at(now),
            created_at: row.created_at,
            modified_at: row.modified_at,
        })
    }
}

/// Returns the stored standing of an organisation.
pub fn plan_standing(
    org: OrgId,
    standing: Stored<Standing>,
    suspended_from: Option<Timestamp>,
) -> Result<PlanStanding, DbErr> {
    Ok(PlanStanding { answered: standing.known("organisation", "standing", org)?, suspended_from })
}

/// Returns the stored standings of a page of organisations, ordered by id, starting after `after`.
pub async fn plan_standings(
    conn: &impl ConnectionTrait,
    after: OrgId,
    limit: u64,
) -> Result<Vec<(OrgId, Result<PlanStanding, DbErr>)>, DbErr> {
    let query = not_deleted_standings().filter(Column::Uid.gt(after)).order_by_asc(Column::Uid).limit(limit);
    let rows: Vec<StandingRow> = query.into_tuple().all(conn).await?;
    Ok(rows.into_iter().map(|(uid, standing, from)| (uid, plan_standing(uid, standing, from))).collect())
}

/// Returns the stored standing of an organisation, unless it was deleted.
pub async fn plan_standing_of(
    conn: &impl ConnectionTrait,
    org: OrgId,
) -> Result<Option<PlanStanding>, DbErr> {
    let row: Option<StandingRow> =
        not_deleted_standings().filter(Column::Uid.eq(org)).into_tuple().one(conn).await?;
    row.map(|(uid, standing, from)| plan_standing(uid, standing, from)).transpose()
}

/// Returns up to `limit` organisations that are past due or suspended by the last answer and were not deleted.
pub async fn unpaid(conn: &impl ConnectionTrait, limit: u64) -> Result<Vec<OrgId>, DbErr> {
    let query = Entity::find().select_only().column(Column::Uid).filter(Column::DeletedAt.is_null());
    let unpaid = Column::Standing.is_in([Standing::PastDue, Standing::Suspended]);
    query.filter(unpaid).limit(limit).into_tuple().all(conn).await
}

type StandingRow = (OrgId, Stored<Standing>, Option<Timestamp>);

fn not_deleted_standings() -> Select<Entity> {
    Entity::find()
        .select_only()
        .columns([Column::Uid, Column::Standing, Column::SuspendedFrom])
        .filter(Column::DeletedAt.is_null())
}

/// Adds an organisation with default settings and an active standing.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: OrgId,
    new_org: &NewOrg,
    now: Timestamp,
) -> Result<Organisation, DbErr> {
    let theme = Theme::default();
    let row = Model {
        uid,
        name: new_org.name.clone(),
        description: String::new(),
        logo: String::new(),
        website: String::new(),
        privacy: Privacy::Private.into(),
        join_code: None,
        default_playlist: None,
        pinned_playlists: serde_json::json!([]),
        theme_background: empty_if_none(theme.background),
        theme_primary: theme.primary,
        theme_secondary: theme.secondary,
        theme_text: theme.text,
        contact_email: empty_if_none(new_org.contact_email.clone()),
        contact_phone: empty_if_none(new_org.contact_phone.clone()),
        standing: Standing::Active.into(),
        suspended_from: None,
        created_at: now,
        modified_at: now,
        deleted_at: None,
        deleted_account: None,
        removal_announced_at: None,
        purge_began_at: None,
        purged_at: None,
        time_zone: new_org.time_zone.clone().unwrap_or_else(|| model::UTC.to_owned()),
        person_count: 0,
        full_reported_at: Timestamp::default(),
    };
    Entity::insert(row.clone().into_active_model().reset_all()).exec_without_returning(tx).await?;
    row.read(now)
}

/// Takes the right to report that the plan is full. Returns false if that was reported after `before`.
pub async fn claim_full_report(
    tx: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
    before: Timestamp,
) -> Result<bool, DbErr> {
    let taken = Entity::update_many()
        .col_expr(Column::FullReportedAt, Expr::val(now))
        .filter(Column::Uid.eq(org))
        .filter(Column::FullReportedAt.lte(before))
        .exec(tx)
        .await?;
    Ok(taken.rows_affected == 1)
}

/// Returns the organisation with this id, unless it was deleted.
pub async fn by_uid(
    conn: &impl ConnectionTrait,
    org: OrgId,
    now: Timestamp,
) -> Result<Option<Organisation>, DbErr> {
    let row = Entity::find_by_id(org).filter(Column::DeletedAt.is_null()).one(conn).await?;
    row.map(|row| row.read(now)).transpose()
}

/// Returns the organisation with this join code if it is public, not deleted, and its plan has not ended.
pub async fn by_join_code(
    conn: &impl ConnectionTrait,
    code: &str,
    now: Timestamp,
) -> Result<Option<Organisation>, DbErr> {
    let row = Entity::find()
        .filter(Column::JoinCode.eq(code))
        .filter(Column::Privacy.eq(Privacy::Public))
        .filter(Column::Standing.ne(Standing::Ended))
        .filter(Column::DeletedAt.is_null())
        .one(conn)
        .await?;
    row.map(|row| row.read(now)).transpose()
}

/// Returns a page of the organisations whose data was not removed, ordered by id, after the id `after`.
pub async fn all(
    conn: &impl ConnectionTrait,
    after: OrgId,
    limit: u64,
    now: Timestamp,
) -> Result<Vec<OrgSummary>, DbErr> {
    let query = Entity::find().filter(Column::Uid.gt(after)).filter(Column::PurgedAt.is_null());
    let rows = query.order_by_asc(Column::Uid).limit(limit).all(conn).await?;
    rows.into_iter()
        .map(|row| {
            Ok(OrgSummary {
                uid: row.uid,
                standing: plan_standing(row.uid, row.standing, row.suspended_from)?.at(now),
                name: row.name,
                people: row.person_count,
                created_at: row.created_at,
                deleted_at: row.deleted_at,
            })
        })
        .collect()
}

/// Changes the settings. An organisation that stops being public loses its join code.
pub async fn change(
    tx: &impl ConnectionTrait,
    org: OrgId,
    changes: Changes,
    now: Timestamp,
) -> Result<Organisation, DbErr> {
    let leaves_public = changes.privacy.is_some_and(|privacy| privacy != Privacy::Public);
    let row = ActiveModel {
        uid: Unchanged(org),
        name: set_if_some(changes.name),
        description: set_if_some(changes.description),
        logo: set_text(changes.logo),
        website: set_text(changes.website),
        privacy: set_if_some(changes.privacy.map(Stored::Known)),
        join_code: if leaves_public { Set(None) } else { NotSet },
        default_playlist: match changes.default_playlist {
            Patch::Absent => NotSet,
            Patch::Null => Set(None),
            Patch::Value(playlist) => Set(Some(playlist)),
        },
        pinned_playlists: set_if_some(changes.pinned_playlists.map(|pins| serde_json::json!(pins))),
        theme_background: set_text(changes.background),
        theme_primary: set_if_some(changes.primary),
        theme_secondary: set_if_some(changes.secondary),
        theme_text: set_if_some(changes.text),
        contact_email: set_text(changes.contact_email),
        contact_phone: set_text(changes.contact_phone),
        time_zone: set_if_some(changes.time_zone),
        modified_at: Set(now),
        ..Default::default()
    };
    row.update(tx).await?.read(now)
}

/// Returns the given paths that are a logo or a wallpaper. Deleted organisations count, because they can be
/// restored.
pub async fn images_in_use(conn: &impl ConnectionTrait, paths: &[String]) -> Result<Vec<String>, DbErr> {
    let mut in_use = Vec::new();
    // One query per index, with its condition.
    for (column, is_set) in
        [(Column::Logo, "logo <> ''"), (Column::ThemeBackground, "theme_background <> ''")]
    {
        let query = Entity::find().select_only().column(column);
        let used = query.filter(column.is_in(paths)).filter(Expr::cust(is_set));
        in_use.extend(used.into_tuple::<String>().all(conn).await?);
    }
    Ok(in_use)
}

/// Returns the time zone of the organisation's reports.
pub async fn time_zone(conn: &impl ConnectionTrait, org: OrgId) -> Result<Option<String>, DbErr> {
    Entity::find_by_id(org).select_only().column(Column::TimeZone).into_tuple().one(conn).await
}

/// Sets the join code of the organisation.
pub async fn set_join_code(tx: &impl ConnectionTrait, org: OrgId, code: &str) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::JoinCode, Expr::value(Some(code.to_owned())))
        .filter(Column::Uid.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Sets the standing of the organisation.
pub async fn set_standing(tx: &impl ConnectionTrait, org: OrgId, plan: PlanStanding) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Standing, Expr::value(plan.answered))
        .col_expr(Column::SuspendedFrom, Expr::value(plan.suspended_from))
        .filter(Column::Uid.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Returns whether the organisation exists and was not deleted.
pub async fn exists(conn: &impl ConnectionTrait, org: OrgId) -> Result<bool, DbErr> {
    let query = Entity::find_by_id(org).filter(Column::DeletedAt.is_null());
    let found: Option<OrgId> = query.select_only().column(Column::Uid).into_tuple().one(conn).await?;
    Ok(found.is_some())
}

/// Returns the name, deleted organisations included.
pub async fn name(conn: &impl ConnectionTrait, org: OrgId) -> Result<Option<String>, DbErr> {
    Entity::find_by_id(org).select_only().column(Column::Name).into_tuple().one(conn).await
}

/// Adds to the number of people the organisation knows.
pub async fn add_to_person_count(tx: &impl ConnectionTrait, org: OrgId, change: i64) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::PersonCount, Expr::col(Column::PersonCount).add(change))
        .filter(Column::Uid.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Removes the contact of the organisation, as far as it identifies a person who is erased.
pub async fn redact_contact(
    tx: &impl ConnectionTrait,
    org: OrgId,
    erased: &identity::ErasedPerson,
) -> Result<(), DbErr> {
    let Some(row) = Entity::find_by_id(org).one(tx).await? else { return Ok(()) };
    let redacted = |text: &str| erased.redacted(text).map_or(ActiveValue::NotSet, Set);
    let changed = ActiveModel {
        uid: Unchanged(org),
        contact_email: redacted(&row.contact_email),
        contact_phone: redacted(&row.contact_phone),
        ..Default::default()
    };
    if changed.is_changed() {
        changed.update(tx).await?;
    }
    Ok(())
}
