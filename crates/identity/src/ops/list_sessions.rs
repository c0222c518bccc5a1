//! `GET /auth/sessions`: where the caller is signed in (rules 5.1).

use axum::Json;
use axum::extract::State;
use httpkit::{List, Reply};
use kernel::{Problem, Uuid, iso};
use serde::Serialize;

use crate::visit::device_name;
use crate::{Caller, Identity, store};

/// One place where a person is signed in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenSessionOut {
    uid: Uuid,
    /// The browser, such as `Firefox on Linux`.
    device: String,
    /// The network address it was last seen at; IPv6 by its /64. Empty when not known.
    place: String,
    /// portal or viewer.
    app: String,
    /// Whether it is the one that asks.
    current: bool,
    time_created: String,
    /// When it last fetched a token: a browser in use does so every hour.
    time_last_seen: String,
}

/// The caller's living sessions, the one seen last first.
#[utoipa::path(get, path = "/auth/sessions", tag = "identity", responses(
    (status = 200, body = List<OpenSessionOut>), (status = 401, body = Problem),
))]
pub async fn list_sessions(
    State(identity): State<Identity>,
    caller: Caller,
) -> Reply<Json<List<OpenSessionOut>>> {
    let rows = store::session::living(identity.db.read(), caller.person(), identity.ambient.now()).await?;
    let data = rows
        .into_iter()
        .map(|row| OpenSessionOut {
            current: row.uid == caller.session(),
            uid: row.uid,
            device: device_name(&row.device),
            place: row.place,
            app: row.app,
            time_created: iso(row.created_at),
            time_last_seen: iso(row.last_seen_at),
        })
        .collect();
    Ok(Json(List { data }))
}
