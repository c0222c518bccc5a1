//! `GET /profiles/export`: everything that is stored about the caller.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_DISPOSITION;
use httpkit::{ApiResult, unexpected};
use kernel::{Problem, iso};
use sea_orm::{ActiveEnum as _, DbErr};
use serde_json::{Value, json};

use crate::openid::ProviderName;
use crate::{Caller, Error, Identity, store};

/// Export what is stored about you
///
/// Returns a JSON file with your profile, your ways to sign in, your sessions, and what organizations store about you.
#[utoipa::path(get, path = "/profiles/export", tag = "identity", responses(
    (status = 200, body = Object, content_type = "application/json"), (status = 401, body = Problem),
))]
pub async fn export_profile(State(identity): State<Identity>, caller: Caller) -> ApiResult<Response> {
    let mut all = identity.export(caller.person()).await.map_err(Error::from)?;
    let person = store::person::by_uid(identity.db.read(), caller.person()).await.map_err(Error::from)?;
    let person = person.ok_or(Error::SignedOut)?;
    let profile = serde_json::to_value(identity.profile(&person)).map_err(|error| unexpected(&error))?;
    all.insert("profile".to_owned(), profile);
    all.insert("signIn".to_owned(), sign_in(&identity, &person).await.map_err(Error::from)?);
    all.insert("sessions".to_owned(), sessions(&identity, &caller).await.map_err(Error::from)?);
    all.insert("timeExported".to_owned(), iso(identity.ambient.now()).into());
    let name = [(CONTENT_DISPOSITION, "attachment; filename=\"vitrine-my-data.json\"")];
    Ok((name, Json(Value::Object(all))).into_response())
}

async fn sign_in(identity: &Identity, person: &crate::Person) -> Result<Value, DbErr> {
    let conn = identity.db.read();
    let providers = store::provider_identity::providers_of(conn, person.uid).await?;
    let providers: Vec<String> = providers.into_iter().map(ProviderName::word).collect();
    Ok(json!({
        "emailVerified": person.is_verified,
        "password": store::password::exists(conn, person.uid).await?,
        "providers": providers,
    }))
}

async fn sessions(identity: &Identity, caller: &Caller) -> Result<Value, DbErr> {
    let rows = store::session::active(identity.db.read(), caller.person(), identity.ambient.now()).await?;
    rows.into_iter()
        .map(|row| {
            Ok(json!({
                "app": row.app.known("session", "app", row.uid)?.to_value(),
                "device": row.device,
                "clientAddress": row.client_address,
                "timeCreated": iso(row.created_at),
                "timeLastSeen": iso(row.last_seen_at),
            }))
        })
        .collect()
}
