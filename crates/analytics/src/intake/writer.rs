//! The task that writes events, and its queue.

use std::ops::Range;
use std::sync::Arc;

use db::SubjectPart;
use httpkit::ApiError;
use kernel::Problem;
use sea_orm::DbErr;
use tokio::sync::{mpsc, oneshot};

use super::Request;
use super::aggregator::EventAggregator;
use super::batch_context::BatchContext;
use crate::AnalyticsDeps;
use crate::model::Outcome;

/// Maximum number of requests per transaction.
pub const BATCH_MAX: usize = 256;
/// Maximum number of queued requests; further ones are answered with 503.
const QUEUE_MAX: usize = 4096;
/// How often a batch is processed before its requests are processed alone.
const TRIES: usize = 3;
/// Seconds after which a client should retry when the queue is full.
const RETRY_AFTER_SECONDS: u32 = 2;

type IntakeResult = Result<Outcome, ApiError>;

struct QueuedRequest {
    request: Request,
    answer: oneshot::Sender<IntakeResult>,
}

/// The queue; clones share it. The task ends once the last clone is dropped and the queue is empty.
#[derive(Clone)]
pub struct Intake {
    queue: mpsc::Sender<QueuedRequest>,
}

impl Intake {
    /// Starts the task and returns its queue.
    pub fn start(deps: Arc<AnalyticsDeps>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        tokio::spawn(run(deps, waiting));
        Self { queue }
    }

    /// Processes a request's events; returns once they are durable.
    ///
    /// # Errors
    /// 401, 403 or 404 if the caller may not send events, 503 if too many requests are waiting, 500 if the
    /// write failed.
    pub async fn submit(&self, request: Request) -> IntakeResult {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send(QueuedRequest { request, answer }).map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| Err(Problem::internal().into()))
    }
}

fn busy() -> ApiError {
    let mut problem = Problem::new(503, "busy", "Too many events right now. Please try again in a moment.");
    problem.retry_after = Some(RETRY_AFTER_SECONDS);
    problem.into()
}

async fn run(deps: Arc<AnalyticsDeps>, mut queue: mpsc::Receiver<QueuedRequest>) {
    let mut waiting = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut waiting, BATCH_MAX).await > 0 {
        let (requests, answers): (Vec<Request>, Vec<_>) =
            waiting.drain(..).map(|one| (one.request, one.answer)).unzip();
        metrics::histogram!("vitrine_events_group").record(requests.len() as f64);
        let outcomes = write(&deps, Arc::new(requests)).await;
        for (answer, outcome) in answers.into_iter().zip(outcomes) {
            // Fails if the client has disconnected; the events count anyway.
            let _ = answer.send(outcome);
        }
    }
}

/// Writes a batch. If that fails, each request is retried alone, so a bad one does not fail the others.
async fn write(deps: &Arc<AnalyticsDeps>, requests: Arc<Vec<Request>>) -> Vec<IntakeResult> {
    let count = requests.len();
    match attempt(deps, &requests, 0..count).await {
        Ok(answers) => answers,
        Err(error) if count == 1 => vec![Err(error)],
        Err(_) => {
            tracing::warn!(requests = count, "writing a batch failed; retrying its requests one by one");
            let mut answers = Vec::with_capacity(count);
            for number in 0..count {
                let alone = attempt(deps, &requests, number..number + 1).await;
                answers.push(match alone {
                    Ok(mut answer) => answer.pop().unwrap_or_else(|| Err(Problem::internal().into())),
                    Err(error) => Err(error),
                });
            }
            answers
        }
    }
}

/// Writes some of the requests in a separate task, because a panic then fails only them.
async fn attempt(
    deps: &Arc<AnalyticsDeps>,
    requests: &Arc<Vec<Request>>,
    numbers: Range<usize>,
) -> Result<Vec<IntakeResult>, ApiError> {
    let (deps, requests) = (Arc::clone(deps), Arc::clone(requests));
    match tokio::spawn(async move { commit(&deps, &requests[numbers]).await }).await {
        Ok(Ok(answers)) => Ok(answers),
        Ok(Err(error)) => Err(httpkit::unexpected(&error).into()),
        Err(error) => {
            tracing::error!(%error, "panic while writing events");
            Err(Problem::internal().into())
        }
    }
}

/// Processes the requests, once more if another person begins a view with the same id meanwhile: then it is found.
async fn commit(deps: &AnalyticsDeps, requests: &[Request]) -> Result<Vec<IntakeResult>, DbErr> {
    for _ in 0..TRIES {
        if let Some(answers) = try_commit(deps, requests).await? {
            return Ok(answers);
        }
    }
    Err(DbErr::Custom("views with the same ids are begun again and again".to_owned()))
}

/// Processes the requests in one transaction. It shares the organisations with those of other servers, and excludes them
/// from the senders. A transaction that holds an organisation's lock excludes it.
async fn try_commit(deps: &AnalyticsDeps, requests: &[Request]) -> Result<Option<Vec<IntakeResult>>, DbErr> {
    let tx = deps.db.write_tx().await?;
    let orgs = requests.iter().map(|request| request.org.uid()).collect();
    let senders = requests
        .iter()
        .map(|request| SubjectPart::new(request.org, request.bearer.claimed_person()))
        .collect();
    tx.share(&orgs, &senders).await?;
    let batch = BatchContext::load(deps, &tx, requests).await?;
    let mut aggregator = EventAggregator::new(batch);
    let answers: Vec<IntakeResult> =
        requests.iter().enumerate().map(|(number, request)| aggregator.process(number, request)).collect();
    if !aggregator.save(deps, &tx).await? {
        return Ok(None);
    }
    tx.commit().await?;
    let accepted: usize =
        answers.iter().filter_map(|answer| answer.as_ref().ok()).map(|one| one.accepted).sum();
    metrics::counter!("vitrine_events_total").increment(accepted as u64);
    Ok(Some(answers))
}
