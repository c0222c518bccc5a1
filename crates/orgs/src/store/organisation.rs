//! Organisations.

use db::set_if_some;
use kernel::{Millis, Privacy, Uid};
use sea_orm::ActiveValue::{NotSet, Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter,
    QuerySelect,
};

use crate::entity::organisation::{ActiveModel, Column, Entity, Model};
use crate::model::{Changes, NewOrg, Organisation, Standing, Theme};

impl TryFrom<Model> for Organisation {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Self, DbErr> {
        let unreadable = |column| db::unreadable("organisation", column, row.uid);
        Ok(Self {
            uid: row.uid,
            name: row.name,
            description: row.description,
            logo: row.logo,
            website: row.website,
            privacy: row.privacy.parse().map_err(|()| unreadable("privacy"))?,
            join_code: row.join_code,
            default_playlist: row.default_playlist,
            pinned_playlists: serde_json::from_value(row.pinned_playlists)
                .map_err(|_| unreadable("pinned_playlists"))?,
            theme: Theme {
                background: row.theme_background,
                primary: row.theme_primary,
                secondary: row.theme_secondary,
                text: row.theme_text,
            },
            contact_email: row.contact_email,
            contact_phone: row.contact_phone,
            standing: standing(row.uid, &row.standing)?,
            created_at: row.created_at,
            modified_at: row.modified_at,
        })
    }
}

/// Parses the stored standing of an organisation.
pub fn standing(org: Uid, text: &str) -> Result<Standing, DbErr> {
    text.parse().map_err(|()| db::unreadable("organisation", "standing", org))
}

/// Adds an organisation with default settings and an active standing.
pub async fn insert(
    tx: &impl ConnectionTrait,
    uid: Uid,
    new_org: &NewOrg,
    now: Millis,
) -> Result<Organisation, DbErr> {
    let theme = Theme::default();
    let row = Model {
        uid,
        name: new_org.name.clone(),
        description: String::new(),
        logo: String::new(),
        website: String::new(),
        privacy: Privacy::Private.as_str().to_owned(),
        join_code: None,
        default_playlist: None,
        pinned_playlists: serde_json::json!([]),
        theme_background: theme.background,
        theme_primary: theme.primary,
        theme_secondary: theme.secondary,
        theme_text: theme.text,
        contact_email: new_org.contact_email.clone(),
        contact_phone: new_org.contact_phone.clone(),
        standing: Standing::Active.as_str().to_owned(),
        created_at: now,
        modified_at: now,
        deleted_at: None,
    };
    Entity::insert(row.clone().into_active_model().reset_all()).exec_without_returning(tx).await?;
    row.try_into()
}

/// Returns the organisation with this id, unless it was deleted.
pub async fn by_uid(conn: &impl ConnectionTrait, org: Uid) -> Result<Option<Organisation>, DbErr> {
    let row = Entity::find_by_id(org).filter(Column::DeletedAt.is_null()).one(conn).await?;
    row.map(TryInto::try_into).transpose()
}

/// Returns the organisation with this join code if it is public, not deleted, and its plan has not ended.
pub async fn by_join_code(conn: &impl ConnectionTrait, code: &str) -> Result<Option<Organisation>, DbErr> {
    let row = Entity::find()
        .filter(Column::JoinCode.eq(code))
        .filter(Column::Privacy.eq(Privacy::Public.as_str()))
        .filter(Column::Standing.ne(Standing::Ended.as_str()))
        .filter(Column::DeletedAt.is_null())
        .one(conn)
        .await?;
    row.map(TryInto::try_into).transpose()
}

/// Changes the settings. An organisation that stops being public loses its join code.
pub async fn change(
    tx: &impl ConnectionTrait,
    org: Uid,
    changes: Changes,
    now: Millis,
) -> Result<Organisation, DbErr> {
    let leaves_public = changes.privacy.is_some_and(|privacy| privacy != Privacy::Public);
    let row = ActiveModel {
        uid: Unchanged(org),
        name: set_if_some(changes.name),
        description: set_if_some(changes.description),
        logo: set_if_some(changes.logo),
        website: set_if_some(changes.website),
        privacy: set_if_some(changes.privacy.map(|privacy| privacy.as_str().to_owned())),
        join_code: if leaves_public { Set(None) } else { NotSet },
        default_playlist: set_if_some(changes.default_playlist),
        pinned_playlists: set_if_some(changes.pinned_playlists.map(|pins| serde_json::json!(pins))),
        theme_background: set_if_some(changes.background),
        theme_primary: set_if_some(changes.primary),
        theme_secondary: set_if_some(changes.secondary),
        theme_text: set_if_some(changes.text),
        contact_email: set_if_some(changes.contact_email),
        contact_phone: set_if_some(changes.contact_phone),
        modified_at: Set(now),
        ..Default::default()
    };
    row.update(tx).await?.try_into()
}

/// Returns the logo and wallpaper paths of the organisations that use one of `paths`. Deleted organisations
/// count, because they can be restored.
pub async fn images_in_use(conn: &impl ConnectionTrait, paths: &[String]) -> Result<Vec<String>, DbErr> {
    let rows: Vec<(String, String)> = Entity::find()
        .select_only()
        .columns([Column::Logo, Column::ThemeBackground])
        .filter(Column::Logo.is_in(paths).or(Column::ThemeBackground.is_in(paths)))
        .into_tuple()
        .all(conn)
        .await?;
    Ok(rows.into_iter().flat_map(|(logo, background)| [logo, background]).collect())
}

/// Sets the join code of the organisation.
pub async fn set_join_code(tx: &impl ConnectionTrait, org: Uid, code: &str) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::JoinCode, Expr::value(Some(code.to_owned())))
        .filter(Column::Uid.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}

/// Sets the standing of the organisation.
pub async fn set_standing(tx: &impl ConnectionTrait, org: Uid, standing: Standing) -> Result<(), DbErr> {
    Entity::update_many()
        .col_expr(Column::Standing, Expr::value(standing.as_str()))
        .filter(Column::Uid.eq(org))
        .exec(tx)
        .await?;
    Ok(())
}
