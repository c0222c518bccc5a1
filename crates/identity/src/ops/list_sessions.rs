//! `GET /auth/sessions`: where the caller is signed in.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use kernel::{Problem, Uuid, iso};
use sea_orm::{ActiveEnum as _, DbErr};
use serde::Serialize;

use crate::client_info::device_name;
use crate::{Caller, Identity, store};

/// A session of the signed-in person.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenSessionOut {
    uid: Uuid,
    /// Browser and operating system, such as `Firefox on Linux`.
    device: String,
    /// Network address at the last sign-in or refresh, an IPv6 address as its /64. Empty if unknown.
    place: String,
    /// The app: portal or viewer.
    app: String,
    /// Whether this is the session making the request.
    current: bool,
    time_created: String,
    /// Time of the last sign-in or refresh. A browser in use refreshes every hour.
    time_last_seen: String,
}

/// List your sessions
///
/// Lists up to 100 sessions that have not ended, most recently used first.
#[utoipa::path(get, path = "/auth/sessions", tag = "identity", responses(
    (status = 200, body = List<OpenSessionOut>), (status = 401, body = Problem),
))]
pub async fn list_sessions(
    State(identity): State<Identity>,
    caller: Caller,
) -> ApiResult<Json<List<OpenSessionOut>>> {
    let rows = store::session::active(identity.db.read(), caller.person(), identity.ambient.now()).await?;
    let data = rows
        .into_iter()
        .map(|row| {
            Ok(OpenSessionOut {
                current: row.uid == caller.session(),
                uid: row.uid.into(),
                device: device_name(&row.device),
                place: row.client_address,
                app: row.app.known("session", "app", row.uid)?.to_value(),
                time_created: iso(row.created_at),
                time_last_seen: iso(row.last_seen_at),
            })
        })
        .collect::<Result<_, DbErr>>()?;
    Ok(Json(List { data }))
}
