//! `POST /content`: a new file or embedded video.

use axum::Json;
use axum::extract::State;
use http::StatusCode;
use httpkit::{ApiResult, Body};
use identity::Bearer;
use kernel::{ContentId, Patch, Privacy, Problem, UploadId, Uuid};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;

use crate::dto::{FileIn, UploadOut};
use crate::model::{self, DRAFTS_MAX, UploadStatus};
use crate::quota::check_quota;
use crate::schedule::{Schedule, ScheduleChange};
use crate::store::content::{NewItem, NewItemBody};
use crate::store::upload::{Target, Upload};
use crate::{Content, Error, store};

/// A new content item and its organization.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewContent {
    content: ContentIn,
    org_id: Uuid,
    /// The file that will be sent; null for an embedded video.
    file: Option<FileIn>,
    /// Whether to announce the item to app users by email, if they can see it within a week of its becoming
    /// available.
    #[serde(default)]
    notify_users: bool,
}

/// The details of a new content item.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContentIn {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    description: String,
    /// URL of an image uploaded to this server for the organization, or empty.
    #[serde(default)]
    preview_url: String,
    /// Public (default) or private.
    privacy: Option<Privacy>,
    /// When app users can see it from, in ISO 8601; null for no beginning.
    #[serde(default)]
    publish_at: Option<String>,
    /// When app users can no longer see it, in ISO 8601; null for no end. After `publishAt`.
    #[serde(default)]
    expire_at: Option<String>,
    /// URL of the embedded video, if there is no file.
    #[serde(default)]
    url: String,
}

/// Create a content item
///
/// For a file, the response contains the address to send it to; the item is a draft until the file is
/// uploaded. A person can have at most 100 drafts at a time (409 `too_many_drafts`).
#[utoipa::path(post, path = "/content", tag = "content", request_body = NewContent, responses(
    (status = 201, body = UploadOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 402, body = Problem), (status = 403, body = Problem), (status = 404, body = Problem),
    (status = 409, body = Problem), (status = 413, body = Problem), (status = 503, body = Problem),
    (status = 507, body = Problem),
))]
pub async fn create_content(
    State(content): State<Content>,
    bearer: Bearer,
    Body(new): Body<NewContent>,
) -> ApiResult<(StatusCode, Json<UploadOut>)> {
    let scope = content.orgs.enter::<EditContent>(&bearer, new.org_id.into()).await.map_err(Error::from)?;
    let details = details(&content, new.content)?;
    let body = match new.file {
        None => NewItemBody::Embed { link: model::link(&details.url)? },
        Some(file) => NewItemBody::File(file.parse_whole(content.settings.file_max_bytes)?),
    };
    let answer = create(&content, &scope, details, body, new.notify_users).await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Validated details.
struct Details {
    title: String,
    description: String,
    preview: Option<String>,
    privacy: Privacy,
    schedule: Schedule,
    url: String,
}

fn details(content: &Content, sent: ContentIn) -> Result<Details, Error> {
    let dates = [sent.publish_at, sent.expire_at].map(|sent| sent.map_or(Patch::Absent, Patch::Value));
    let [publish_at, expire_at] = dates;
    Ok(Details {
        title: model::title(sent.title.unwrap_or_default())?,
        description: model::description(sent.description)?,
        preview: model::preview(&content.public, &sent.preview_url)?,
        privacy: model::privacy(sent.privacy.unwrap_or(Privacy::Public))?,
        schedule: ScheduleChange::parse(publish_at, expire_at)?.applied_to(Schedule::default())?,
        url: sent.url,
    })
}

async fn create(
    content: &Content,
    scope: &OrgScope<EditContent>,
    details: Details,
    body: NewItemBody,
    notify: bool,
) -> Result<UploadOut, Error> {
    if let NewItemBody::File(file) = &body {
        content.storage.check_space(file.size.unwrap_or(0))?;
    }
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    // The first upload of an item has the id of the item.
    let id: ContentId = content.ambient.uid();
    let (uid, now) = (UploadId::from(id.uid()), content.ambient.now());
    let upload = match &body {
        NewItemBody::Embed { .. } => None,
        NewItemBody::File(file) => {
            if store::draft::open_drafts(&tx, scope.person()).await? >= DRAFTS_MAX {
                return Err(Error::TooManyDrafts);
            }
            // The size of a new file is always declared.
            let size = file.size.unwrap_or(0);
            check_quota(content, &tx, scope.org(), size, size).await?;
            Some(Upload::pending(
                uid,
                Some(scope.org()),
                scope.person(),
                Target::Content(id),
                file.clone(),
                now,
            ))
        }
    };
    content.check_preview(&tx, scope.org(), details.preview.as_deref()).await?;
    let created = AuditRecord::by(&scope, AuditAction::ContentCreated, id).named(&details.title);
    content.orgs.record(&tx, created).await?;
    let Details { title, description, preview, privacy, schedule, url: _ } = details;
    let (org, person) = (scope.org(), scope.person());
    if let NewItemBody::Embed { link } = &body {
        content.enqueue_poster(&tx, org, id, link).await?;
    }
    let new = NewItem { uid: id, org, person, title, description, preview, privacy, schedule, notify, body };
    store::content::insert(&tx, new, now).await?;
    match &upload {
        Some(upload) => store::upload::insert(&tx, upload, now).await?,
        None if notify => content.announce(&tx, scope.org(), id).await?,
        None => {}
    }
    tx.commit().await?;
    Ok(match upload {
        None => UploadOut::of_none(id, UploadStatus::Available),
        Some(upload) => UploadOut::of(&upload, content),
    })
}
