//! `PUT /content/{id}/captions/{language}`: sets the captions in one language.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use httpkit::{ApiResult, Path, Query};
use identity::Bearer;
use kernel::{ContentId, Problem};
use orgs::rights::EditContent;
use orgs::{AuditAction, AuditRecord, OrgScope};
use serde::Deserialize;
use serde_json::json;
use storage::Key;
use tokio::task::spawn_blocking;

use crate::captions::{self, BYTES_MAX, CaptionsError, LANGUAGES_MAX};
use crate::dto::ContentOut;
use crate::error::ProcessingStateError;
use crate::grant::ViewContext;
use crate::item::{Captions, Item};
use crate::jobs::RemoveCaptions;
use crate::model::{ContentKind, Origin};
use crate::store::object::{ObjectKind, StoredObject};
use crate::{Content, Error, store};

/// Name of the captions.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CaptionsQuery {
    /// Display name, such as `Deutsch`. Defaults to the language tag.
    label: Option<String>,
}

/// Add or replace captions
///
/// Accepts WebVTT or SubRip of at most 2 MB and replaces the captions in the same language. Only plain cues
/// are kept, without styles and tags.
#[utoipa::path(put, path = "/content/{id}/captions/{language}", tag = "content",
    params(("id" = Uuid, Path), ("language" = String, Path, description = "BCP 47, such as pt-BR"), CaptionsQuery),
    request_body(content = String, content_type = "text/vtt", description = "WebVTT, or SubRip as application/x-subrip."),
    responses(
    (status = 200, body = ContentOut), (status = 400, body = Problem), (status = 401, body = Problem),
    (status = 403, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem),
    (status = 413, body = Problem), (status = 415, body = Problem),
))]
pub async fn put_captions(
    State(content): State<Content>,
    bearer: Bearer,
    Path((id, language)): Path<(ContentId, String)>,
    Query(query): Query<CaptionsQuery>,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Json<ContentOut>> {
    let owner = store::content::owner(id);
    let scope = content.orgs.enter_of::<EditContent>(&bearer, owner, "Content").await.map_err(Error::from)?;
    let language =
        captions::language(&language).ok_or(Error::ProcessingState(ProcessingStateError::NoLanguage))?;
    let label = captions::label(query.label.as_deref(), &language).map_err(Error::from)?;
    if !is_captions(&headers) {
        return Err(Error::from(CaptionsError::Type).into());
    }
    let sent =
        axum::body::to_bytes(body, BYTES_MAX).await.map_err(|_| Error::from(CaptionsError::TooLarge))?;
    let cleaned =
        spawn_blocking(move || captions::clean(&sent)).await.map_err(|error| httpkit::unexpected(&error))?;
    let cleaned = cleaned.map_err(Error::from)?;
    let new = Captions { language, label, version: content.ambient.uid() };
    let item = put(&content, &scope, id, new, cleaned.into()).await?;
    let view = ViewContext::of(&scope, None);
    Ok(Json(ContentOut::of(&item, view, &content)))
}

/// Returns whether the Content-Type can be that of captions; common other names are accepted too.
fn is_captions(headers: &HeaderMap) -> bool {
    let sent = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = sent.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    ["text/vtt", "application/x-subrip", "text/srt", "application/srt", "text/plain"]
        .contains(&essence.as_str())
}

async fn put(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    new: Captions,
    bytes: Bytes,
) -> Result<Item, Error> {
    check_captionable(
        &store::content::by_id(content.db.read(), scope.org(), id).await?.ok_or(Error::NotFound)?,
    )?;
    // Not visible until the transaction refers to it.
    let key = Captions::key(scope.org(), id, new.version)
        .ok_or(Error::ProcessingState(ProcessingStateError::NoLanguage))?;
    let (kind, len) = (ObjectKind::Captions, bytes.len() as u64);
    content.record_objects(vec![StoredObject::of_content(scope.org(), id, &key, kind, len)]).await?;
    content.storage.put(&key, bytes).await?;
    let published = publish(content, scope, id, new, &key).await;
    if published.as_ref().is_err_and(|error| !matches!(error, Error::Db(_))) {
        content.erase(&key).await?;
    }
    published
}

async fn publish(
    content: &Content,
    scope: &OrgScope<EditContent>,
    id: ContentId,
    new: Captions,
    key: &Key,
) -> Result<Item, Error> {
    let tx = content.db.write_tx_on(scope.org()).await?;
    let scope = content.orgs.confirm_in(&tx, scope).await?;
    let item = store::content::by_id(&tx, scope.org(), id).await?.ok_or(Error::NotFound)?;
    check_captionable(&item)?;
    let before = item.captions.iter().find(|one| one.language == new.language).map(|one| one.version);
    let mut captions = item.captions;
    captions.retain(|one| one.language != new.language);
    if captions.len() == LANGUAGES_MAX {
        return Err(CaptionsError::TooManyLanguages.into());
    }
    let added = json!({ "language": new.language });
    let put = AuditRecord::by(&scope, AuditAction::CaptionsPut, id).named(&item.title);
    content.orgs.record(&tx, put.change(json!({}), added)).await?;
    captions.push(new);
    captions.sort_by(|one, other| one.language.cmp(&other.language));
    let now = content.ambient.now().max(item.modified_at + 1);
    store::object::set_referenced(&tx, key.as_str()).await?;
    let item = store::processing_run::set_captions(&tx, id, &captions, now).await?;
    if let Some(version) = before {
        content.jobs.enqueue(&tx, &RemoveCaptions { org: scope.org(), content: id, version }).await?;
    }
    tx.commit().await?;
    Ok(item)
}

/// Only uploaded video and audio files can have captions.
fn check_captionable(item: &Item) -> Result<(), Error> {
    let played = matches!(item.kind, ContentKind::Video | ContentKind::Audio);
    if item.origin == Origin::Native && played {
        Ok(())
    } else {
        Err(Error::ProcessingState(ProcessingStateError::NotAudioOrVideo))
    }
}
