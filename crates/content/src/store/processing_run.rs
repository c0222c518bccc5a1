//! Processing runs. Every write is fenced by the id of the run, so one that was overtaken by another worker
//! or by a new file changes nothing.

use kernel::{ContentId, Millis, OrgId, RunId, Timestamp};
use sea_orm::ActiveValue::{Set, Unchanged};
use sea_orm::sea_query::{Expr, ExprTrait as _, SimpleExpr};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, FromQueryResult,
    PaginatorTrait as _, QueryFilter, QueryOrder as _, QuerySelect as _, SelectExt as _, UpdateMany,
};

use super::widths;
use crate::entity::content::{ActiveModel, Column, Entity};
use crate::item::{Captions, FileVersion, Item, Poster, Rendition};
use crate::model::{Processing, ProcessingFailure};

/// A processing run that began.
pub struct StartedRun {
    /// The item after the run began.
    pub item: Item,
    /// An earlier run that was interrupted and may have left files.
    pub before: Option<RunId>,
}

/// Begins the processing run `run` for one version of a file. Returns `None` if another version is served by
/// now, or if this one is processed already.
pub async fn begin(
    tx: &impl ConnectionTrait,
    file: FileVersion,
    run: RunId,
    now: Timestamp,
) -> Result<Option<StartedRun>, DbErr> {
    let Some(stored) = super::content::by_id(tx, file.org, file.content).await? else { return Ok(None) };
    let served = stored.source.as_ref().is_some_and(|source| source.version == file.version);
    if !served || stored.processing == Processing::Done {
        return Ok(None);
    }
    let row = ActiveModel {
        uid: Unchanged(file.content),
        processing: Set(Processing::Running.into()),
        processing_run: Set(Some(run)),
        heartbeat_at: Set(Some(now)),
        progress: Set(None),
        seconds_left: Set(None),
        failure: Set(None),
        ..Default::default()
    };
    let item = row.update(tx).await?.try_into()?;
    Ok(Some(StartedRun { item, before: stored.processing_run }))
}

/// Result of the first inspection of a file.
#[derive(Default)]
pub struct ProbeResult {
    pub duration_ms: Option<Millis>,
    /// Number of pages of a document.
    pub pages: Option<i64>,
    pub width: Option<i32>,
    pub height: Option<i32>,
    /// Names of the codecs, for display.
    pub codecs: Option<String>,
    pub poster: Option<Poster>,
}

/// Stores the result of the inspection. Returns false if this is no longer the current run.
pub async fn set_probe_result(
    tx: &impl ConnectionTrait,
    uid: ContentId,
    run: RunId,
    probed: &ProbeResult,
) -> Result<bool, DbErr> {
    let widths = probed.poster.as_ref().map_or(&[][..], |poster| &poster.widths);
    let update = Entity::update_many()
        .col_expr(Column::DurationMs, Expr::val(probed.duration_ms))
        .col_expr(Column::Pages, Expr::val(probed.pages))
        .col_expr(Column::Width, Expr::val(probed.width))
        .col_expr(Column::Height, Expr::val(probed.height))
        .col_expr(Column::Codecs, Expr::val(probed.codecs.clone()))
        .col_expr(Column::Poster, Expr::val(probed.poster.as_ref().map(|poster| poster.version)))
        .col_expr(Column::PosterWidths, Expr::val(widths::text(widths)));
    run_fenced(tx, update, uid, run).await
}

/// Records a heartbeat and the progress. Returns false if this is no longer the current run.
pub async fn heartbeat(
    tx: &impl ConnectionTrait,
    uid: ContentId,
    run: RunId,
    progress: Option<media::Progress>,
    now: Timestamp,
) -> Result<bool, DbErr> {
    let percent = progress.map(|progress| i32::from(progress.percent));
    let left = progress.and_then(|progress| i64::try_from(progress.seconds_left?).ok());
    let update = Entity::update_many()
        .col_expr(Column::HeartbeatAt, Expr::val(Some(now)))
        .col_expr(Column::Progress, Expr::val(percent))
        .col_expr(Column::SecondsLeft, Expr::val(left));
    run_fenced(tx, update, uid, run).await
}

/// How a processing run ended.
pub struct RunEnd {
    pub processing: Processing,
    pub failure: Option<ProcessingFailure>,
    pub rendition: Option<Rendition>,
    /// The length, if only decoding the whole file determined it.
    pub duration_ms: Option<Millis>,
}

/// Ends a run: from now on its output is served instead of the previous one. Returns false if this is no
/// longer the current run.
pub async fn end(tx: &impl ConnectionTrait, uid: ContentId, run: RunId, end: RunEnd) -> Result<bool, DbErr> {
    let part_names = end.rendition.as_ref().map(Rendition::part_names).unwrap_or_default();
    let mut update = Entity::update_many()
        .col_expr(Column::Processing, Expr::val(end.processing))
        .col_expr(Column::Failure, Expr::val(end.failure))
        .col_expr(Column::Rendition, Expr::val(end.rendition.map(|rendition| rendition.run)))
        .col_expr(Column::RenditionHas, Expr::val(part_names))
        .col_expr(Column::ProcessingRun, Expr::val(None::<RunId>))
        .col_expr(Column::HeartbeatAt, Expr::val(None::<Timestamp>))
        .col_expr(Column::Progress, Expr::val(None::<i32>))
        .col_expr(Column::SecondsLeft, Expr::val(None::<i64>));
    if let Some(duration) = end.duration_ms {
        update = update.col_expr(Column::DurationMs, Expr::val(Some(duration)));
    }
    run_fenced(tx, update, uid, run).await
}

async fn run_fenced(
    tx: &impl ConnectionTrait,
    update: UpdateMany<Entity>,
    uid: ContentId,
    run: RunId,
) -> Result<bool, DbErr> {
    let fenced = update
        .filter(Column::Uid.eq(uid))
        .filter(Column::ProcessingRun.eq(run))
        .filter(Column::Processing.eq(Processing::Running))
        .filter(Column::DeletedAt.is_null());
    Ok(fenced.exec(tx).await?.rows_affected == 1)
}

/// Queues a file for processing again. Returns false if it is being processed.
pub async fn queue(tx: &impl ConnectionTrait, org: OrgId, uid: ContentId) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Processing, Expr::val(Processing::Queued))
        .col_expr(Column::Failure, Expr::val(None::<ProcessingFailure>))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Org.eq(org))
        .filter(Column::Processing.ne(Processing::Running))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Marks runs as failed whose last heartbeat is before `before`: their worker died in its last attempt.
pub async fn give_up(tx: &impl ConnectionTrait, before: Timestamp) -> Result<u64, DbErr> {
    give_up_where(tx, dead(before)).await
}

async fn give_up_where(tx: &impl ConnectionTrait, dead: SimpleExpr) -> Result<u64, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Processing, Expr::val(Processing::Failed))
        .col_expr(Column::Failure, Expr::val(Some(ProcessingFailure::Interrupted)))
        .col_expr(Column::Progress, Expr::val(None::<i32>))
        .col_expr(Column::SecondsLeft, Expr::val(None::<i64>))
        .filter(dead)
        .exec(tx)
        .await?;
    Ok(done.rows_affected)
}

/// Does the same for one item.
pub async fn give_up_one(tx: &impl ConnectionTrait, uid: ContentId, before: Timestamp) -> Result<(), DbErr> {
    give_up_where(tx, dead(before).and(Column::Uid.eq(uid))).await.map(drop)
}

/// Returns whether [`give_up`] would end any run.
pub async fn any_dead(conn: &impl ConnectionTrait, before: Timestamp) -> Result<bool, DbErr> {
    Entity::find().filter(dead(before)).exists(conn).await
}

fn dead(before: Timestamp) -> SimpleExpr {
    Column::Processing.eq(Processing::Running).and(Column::HeartbeatAt.lt(before))
}

/// An item whose file waits for a worker.
#[derive(FromQueryResult)]
pub struct QueuedItem {
    pub org: OrgId,
    pub uid: ContentId,
}

/// Returns the items whose files wait for a worker.
pub async fn queued(conn: &impl ConnectionTrait) -> Result<Vec<QueuedItem>, DbErr> {
    Entity::find()
        .select_only()
        .columns([Column::Org, Column::Uid])
        .filter(Column::Processing.eq(Processing::Queued))
        .filter(Column::DeletedAt.is_null())
        .into_model()
        .all(conn)
        .await
}

/// Returns a page of the items whose processing failed, ordered by id, after the id `after`.
pub async fn failed(
    conn: &impl ConnectionTrait,
    org: Option<OrgId>,
    after: ContentId,
    limit: u64,
) -> Result<Vec<QueuedItem>, DbErr> {
    let mut query = Entity::find()
        .select_only()
        .columns([Column::Org, Column::Uid])
        .filter(Column::Processing.eq(Processing::Failed))
        .filter(Column::DeletedAt.is_null())
        .filter(Column::Uid.gt(after));
    if let Some(org) = org {
        query = query.filter(Column::Org.eq(org));
    }
    query.order_by_asc(Column::Uid).limit(limit).into_model().all(conn).await
}

/// Marks a queued file as failed. Returns false if it is no longer queued.
pub async fn give_up_queued(tx: &impl ConnectionTrait, uid: ContentId) -> Result<bool, DbErr> {
    let done = Entity::update_many()
        .col_expr(Column::Processing, Expr::val(Processing::Failed))
        .col_expr(Column::Failure, Expr::val(Some(ProcessingFailure::Interrupted)))
        .filter(Column::Uid.eq(uid))
        .filter(Column::Processing.eq(Processing::Queued))
        .exec(tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Returns whether the output of a run is served.
pub async fn is_served(conn: &impl ConnectionTrait, uid: ContentId, run: RunId) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id(uid).filter(Column::Rendition.eq(run)).count(conn).await? > 0)
}

/// Returns whether the item refers to a run, as the one that is served or as the current one.
pub async fn is_referenced(conn: &impl ConnectionTrait, uid: ContentId, run: RunId) -> Result<bool, DbErr> {
    let referenced: Option<(Option<RunId>, Option<RunId>)> = Entity::find_by_id(uid)
        .select_only()
        .column(Column::Rendition)
        .column(Column::ProcessingRun)
        .into_tuple()
        .one(conn)
        .await?;
    Ok(referenced.is_some_and(|(served, processing_run)| served == Some(run) || processing_run == Some(run)))
}

/// Replaces the list of captions. The caller must have read the item in the same transaction.
pub async fn set_captions(
    tx: &impl ConnectionTrait,
    uid: ContentId,
    captions: &[Captions],
    now: Timestamp,
) -> Result<Item, DbErr> {
    let json = serde_json::to_string(captions).map_err(|error| DbErr::Json(error.to_string()))?;
    let row =
        ActiveModel { uid: Unchanged(uid), captions: Set(json), modified_at: Set(now), ..Default::default() };
    row.update(tx).await?.try_into()
}
