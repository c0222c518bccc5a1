//! Provider sign-ins in progress.

use kernel::{SignInId, Timestamp};
use sea_orm::ActiveValue::Set;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, SelectExt as _, Statement};

use crate::entity::provider_sign_in::{ActiveModel, Column, Entity, Model};
use crate::openid::{Claims, ProviderName};

/// A new sign-in, as sent to the provider.
pub struct NewSignIn<'a> {
    pub uid: SignInId,
    pub provider: ProviderName,
    pub state_hash: &'a [u8],
    pub challenge: &'a str,
    pub nonce: &'a str,
    pub verifier: &'a str,
    pub expires_at: Timestamp,
}

/// Stores a new sign-in.
pub async fn insert(tx: &impl ConnectionTrait, sign_in: NewSignIn<'_>) -> Result<(), DbErr> {
    let row = ActiveModel {
        uid: Set(sign_in.uid),
        provider: Set(sign_in.provider.into()),
        state_hash: Set(sign_in.state_hash.to_vec()),
        challenge: Set(sign_in.challenge.to_owned()),
        nonce: Set(sign_in.nonce.to_owned()),
        verifier: Set(sign_in.verifier.to_owned()),
        expires_at: Set(sign_in.expires_at),
        answered_at: Set(None),
        code_hash: Set(None),
        claims: Set(None),
        used_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Marks a sign-in as answered and clears its nonce and verifier. Returns the row as it was before to the
/// first call that is in time, and `None` to any other.
pub async fn mark_answered(
    tx: &impl ConnectionTrait,
    provider: ProviderName,
    state_hash: &[u8],
    now: Timestamp,
) -> Result<Option<Model>, DbErr> {
    let sign_in = Entity::find()
        .filter(Column::StateHash.eq(state_hash.to_vec()))
        .filter(Column::Provider.eq(provider))
        .one(tx)
        .await?;
    let Some(sign_in) = sign_in else { return Ok(None) };
    let updated = Entity::update_many()
        .col_expr(Column::AnsweredAt, Expr::value(Some(now)))
        .col_expr(Column::Nonce, Expr::value(""))
        .col_expr(Column::Verifier, Expr::value(""))
        .filter(Column::StateHash.eq(state_hash.to_vec()))
        .filter(Column::Provider.eq(provider))
        .filter(Column::AnsweredAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok((updated.rows_affected == 1).then_some(sign_in))
}

/// Returns whether there is a sign-in with this state.
pub async fn exists(conn: &impl ConnectionTrait, state_hash: &[u8]) -> Result<bool, DbErr> {
    Ok(Entity::find().filter(Column::StateHash.eq(state_hash.to_vec())).one(conn).await?.is_some())
}

/// Stores the provider's claims, to be redeemed with the code and the opener's secret.
pub async fn store_claims(
    tx: &impl ConnectionTrait,
    uid: SignInId,
    claims: &Claims,
    code_hash: &[u8],
    until: Timestamp,
) -> Result<(), DbErr> {
    let claims = serde_json::to_value(claims).map_err(|error| DbErr::Json(error.to_string()))?;
    Entity::update_many()
        .col_expr(Column::CodeHash, Expr::value(Some(code_hash.to_vec())))
        .col_expr(Column::Claims, Expr::value(Some(claims)))
        .col_expr(Column::ExpiresAt, Expr::value(until))
        .filter(Column::Uid.eq(uid))
        .exec(tx)
        .await?;
    Ok(())
}

/// Uses up a sign-in and clears its claims. Returns the row as it was before to exactly one call with the
/// right code and challenge that is in time, and `None` to any other.
pub async fn use_up(
    tx: &impl ConnectionTrait,
    code_hash: &[u8],
    challenge: &str,
    now: Timestamp,
) -> Result<Option<Model>, DbErr> {
    let Some(row) = Entity::find().filter(Column::CodeHash.eq(code_hash.to_vec())).one(tx).await? else {
        return Ok(None);
    };
    let used = Entity::update_many()
        .col_expr(Column::UsedAt, Expr::value(Some(now)))
        .col_expr(Column::Claims, Expr::value(None::<sea_orm::JsonValue>))
        .filter(Column::CodeHash.eq(code_hash.to_vec()))
        .filter(Column::Challenge.eq(challenge))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .exec(tx)
        .await?;
    Ok((used.rows_affected == 1).then_some(row))
}

/// Parses provider and claims of a row. Returns `None` if the provider has not answered.
pub fn answer(row: Model) -> Result<Option<(ProviderName, Claims)>, DbErr> {
    let Some(claims) = row.claims else { return Ok(None) };
    let provider = row.provider.known("provider_sign_in", "provider", row.uid)?;
    let claims =
        serde_json::from_value(claims).map_err(|_| db::unreadable("provider_sign_in", "claims", row.uid))?;
    Ok(Some((provider, claims)))
}

/// Deletes sign-ins that expired before `before`. Returns how many.
pub async fn prune(db: &db::Db, before: Timestamp) -> Result<u64, DbErr> {
    db::remove_in_pages::<Entity>(db, Column::Uid, Column::ExpiresAt.lt(before)).await
}

/// Returns whether [`prune`] would delete anything.
pub async fn any_expired(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(Column::ExpiresAt.lt(before)).exists(conn).await
}

/// Removes the sign-ins in progress in which a provider named this address.
pub async fn remove_all(tx: &impl ConnectionTrait, email: &kernel::Email) -> Result<(), DbErr> {
    let statement = Statement::from_sql_and_values(
        tx.get_database_backend(),
        "DELETE FROM provider_sign_in WHERE LOWER(CAST(claims AS TEXT)) LIKE $1 ESCAPE '\\'",
        [db::search::pattern(email.as_str()).into()],
    );
    tx.execute_raw(statement).await.map(drop)
}
