//! `GET /content/deleted?orgId=`: content that was deleted recently and can be restored.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List, PageQuery, Query, parse_org_id};
use identity::Bearer;
use kernel::{Problem, Uuid, iso};
use orgs::rights::EditContent;
use serde::{Deserialize, Serialize};

use crate::item::Item;
use crate::jobs::RESTORABLE;
use crate::model::ContentKind;
use crate::{Content, Error, store};

/// Whose deleted content to list.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct DeletedContentQuery {
    /// Organization whose deleted content to list.
    org_id: Option<String>,
    /// uid of the last item of the previous page.
    start_after: Option<String>,
    /// Page size, 1 to 100. Defaults to 20.
    #[param(value_type = Option<u32>)]
    limit: Option<String>,
}

/// A deleted content item.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedContentOut {
    uid: Uuid,
    org_id: Uuid,
    title: String,
    kind: ContentKind,
    /// URL of the chosen thumbnail, or empty.
    preview_url: String,
    /// Time of the deletion.
    time_deleted: String,
    /// Until when the item can be restored; its files are removed afterwards.
    time_removed: String,
}

impl DeletedContentOut {
    /// `None` for an item that is not deleted.
    fn of(item: Item, content: &Content) -> Option<Self> {
        let deleted_at = item.deleted_at?;
        Some(Self {
            uid: item.uid.into(),
            org_id: item.org.into(),
            title: item.title,
            kind: item.kind,
            preview_url: item.preview.map(|path| content.public.at(&path)).unwrap_or_default(),
            time_deleted: iso(deleted_at),
            time_removed: iso(deleted_at + RESTORABLE),
        })
    }
}

/// List deleted content
///
/// Content that was deleted in the last 30 days, the latest deletion first. Content that was deleted permanently is
/// left out.
#[utoipa::path(get, path = "/content/deleted", tag = "content", params(DeletedContentQuery), responses(
    (status = 200, body = List<DeletedContentOut>), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem),
))]
pub async fn list_deleted_content(
    State(content): State<Content>,
    bearer: Bearer,
    Query(query): Query<DeletedContentQuery>,
) -> ApiResult<Json<List<DeletedContentOut>>> {
    let org = parse_org_id(query.org_id.as_deref())?;
    let scope = content.orgs.enter::<EditContent>(&bearer, org).await.map_err(Error::from)?;
    let keyset = PageQuery { start_after: query.start_after, limit: query.limit }.keyset()?;
    let since = content.ambient.now() - RESTORABLE;
    let rows = store::deleted::page(content.db.read(), scope.org(), since, keyset).await?;
    Ok(Json(rows.into_iter().filter_map(|item| DeletedContentOut::of(item, &content)).collect()))
}
