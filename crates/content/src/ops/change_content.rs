//! `PATCH /content/{id}`: details, privacy and dates.

use axum::Json;
use axum::extract::State;
use db::WriteTx;
use httpkit::{ApiResult, Body, Path};
use identity::Bearer;
use kernel::{ContentId, Patch, Privacy, Problem, Timestamp, iso};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use sea_orm::DbErr;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::dto::ContentOut;
use crate::grant::ViewContext;
use crate::item::{Item, Poster};
use crate::jobs::RemoveFile;
use crate::model::{self, Origin};
use crate::schedule::ScheduleChange;
use crate::store::content::Changes;
use crate::{Content, Error, store};

/// Changes to a content item.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
pub struct ContentPatch {
    content: ContentChanges,
}

/// Fields to set; those left out stay as they are.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentChanges {
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    title: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    description: Patch<String>,
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    preview_url: Patch<String>,
    privacy: Option<Privacy>,
    /// When app users can see it from, in ISO 8601; null or empty for no beginning.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    publish_at: Patch<String>,
    /// When app users can no longer see it, in ISO 8601; null or empty for no end. After `publishAt`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    expire_at: Patch<String>,
    /// Whether app users may download the file. Not for embedded videos.
    downloadable: Option<bool>,
    /// Only for embedded videos.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    url: Patch<String>,
    /// The `timeModified` the editor saw. If sent and out of date, the request fails with 409.
    time_modified: Option<String>,
}

/// Update a content item
#[utoipa::path(patch, path = "/content/{id}", tag = "content", params(("id" = Uuid, Path)),
    request_body = ContentPatch, responses(
    (status = 200, body = ContentOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
))]
pub async fn change_content(
    State(content): State<Content>,
    bearer: Bearer,
    Path(id): Path<ContentId>,
    Body(patch): Body<ContentPatch>,
) -> ApiResult<Json<ContentOut>> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let expected_modified_at = model::expected_modified_at(patch.content.time_modified.as_deref())?;
    let changes = parse(&content, patch.content)?;
    let item = change(&content, &scope, id, expected_modified_at, changes).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}

fn parse(content: &Content, sent: ContentChanges) -> Result<Changes, Error> {
    let preview = sent.preview_url.or_null(String::new());
    Ok(Changes {
        title: sent.title.or_null(String::new()).map(model::title).transpose()?,
        description: sent.description.or_null(String::new()).map(model::description).transpose()?,
        preview: preview.map(|address| model::preview(&content.public, &address)).transpose()?,
        privacy: sent.privacy.map(model::privacy).transpose()?,
        schedule: ScheduleChange::parse(sent.publish_at, sent.expire_at)?,
        downloadable: sent.downloadable,
        link: sent.url.or_null(String::new()).map(|url| model::link(&url)).transpose()?,
    })
}

async fn change(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    expected_modified_at: Option<Timestamp>,
    changes: Changes,
) -> Result<Item, Error> {
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let stored = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    if expected_modified_at.is_some_and(|expected| expected != stored.modified_at) {
        return Err(Error::Changed);
    }
    if changes.link.is_some() && stored.origin != Origin::Integration {
        return Err(Error::NoLink);
    }
    changes.schedule.applied_to(stored.schedule)?;
    if let Some(preview) = &changes.preview {
        content.check_preview(&tx, scope.org(), preview.as_deref()).await?;
    }
    // Two changes within one millisecond must still have different times, because editors compare them.
    let now = content.ambient.now().max(stored.modified_at + 1);
    let opens = changes.privacy == Some(Privacy::Public) || changes.schedule.is_sent();
    if let Some(link) = changes.link.as_ref().filter(|link| stored.link.as_ref() != Some(link)) {
        renew_poster(content, &tx, &stored, link).await?;
    }
    let item = store::content::change(&tx, id, changes, now).await?;
    let changed = AuditRecord::by(&scope, AuditAction::ContentChanged, id).named(&item.title);
    content.orgs.record(&tx, changed.change(details(&stored), details(&item))).await?;
    if opens {
        content.visibility_changed(&tx, scope.org()).await?;
    }
    tx.commit().await?;
    Ok(item)
}

/// Removes the poster of the video that was embedded, and has that of the new one fetched.
async fn renew_poster(content: &Content, tx: &WriteTx, stored: &Item, link: &str) -> Result<(), DbErr> {
    let (org, id) = (stored.org, stored.uid);
    if let Some(Poster { version, .. }) = stored.poster {
        store::embed::clear_poster(tx, org, id).await?;
        content.jobs.enqueue(tx, &RemoveFile { org, content: id, version }).await?;
    }
    content.enqueue_poster(tx, org, id, link).await
}

/// Returns what the audit log compares.
fn details(item: &Item) -> Value {
    let Item { title, description, privacy, schedule, link, preview, downloadable, .. } = item;
    json!({
        "title": title, "description": description, "privacy": privacy, "url": link, "preview": preview,
        "downloadable": downloadable,
        "publishAt": schedule.publish_at.map(iso), "expireAt": schedule.expire_at.map(iso),
    })
}
