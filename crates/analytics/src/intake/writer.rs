//! The one task that writes events, and the queue before it.

use std::sync::Arc;

use httpkit::Refusal;
use kernel::Problem;
use sea_orm::DbErr;
use tokio::sync::{mpsc, oneshot};

use super::Request;
use super::booking::Booking;
use super::stage::Stage;
use crate::Parts;
use crate::model::Outcome;

/// Requests of one transaction at the most.
pub const GROUP: usize = 256;
/// Requests that may wait; more are asked to come back.
const QUEUE: usize = 4096;
/// Seconds after which a full queue is worth another try.
const COME_BACK: u32 = 2;

type Answer = Result<Outcome, Refusal>;

struct Waiting {
    request: Request,
    answer: oneshot::Sender<Answer>,
}

/// The queue. Cloning shares it; the task ends when the last one is dropped and the queue is empty.
#[derive(Clone)]
pub struct Intake {
    queue: mpsc::Sender<Waiting>,
}

impl Intake {
    /// Starts the task.
    pub fn open(parts: Arc<Parts>) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        tokio::spawn(run(parts, waiting));
        Self { queue }
    }

    /// Takes a request's events; returns once they are durable.
    ///
    /// # Errors
    /// The caller's own refusal (401, 404, 403), 503 when too many requests wait, 500 when they could not be
    /// written.
    pub async fn take(&self, request: Request) -> Answer {
        let (answer, answered) = oneshot::channel();
        self.queue.try_send(Waiting { request, answer }).map_err(|_| busy())?;
        answered.await.unwrap_or_else(|_| Err(Problem::internal().into()))
    }
}

fn busy() -> Refusal {
    let mut problem = Problem::new(503, "busy", "Too many events at once. Please wait a moment.");
    problem.retry_after = Some(COME_BACK);
    problem.into()
}

async fn run(parts: Arc<Parts>, mut queue: mpsc::Receiver<Waiting>) {
    let mut waiting = Vec::with_capacity(GROUP);
    while queue.recv_many(&mut waiting, GROUP).await > 0 {
        let (requests, answers): (Vec<Request>, Vec<_>) =
            waiting.drain(..).map(|one| (one.request, one.answer)).unzip();
        metrics::histogram!("vitrine_events_group").record(requests.len() as f64);
        // A task of its own, so that a panic ends one group and not the intake.
        let outcome = tokio::spawn(write(Arc::clone(&parts), requests)).await;
        let outcomes = outcome.unwrap_or_else(|error| {
            tracing::error!(%error, "writing events panicked");
            Vec::new()
        });
        for (answer, outcome) in answers.into_iter().zip(outcomes) {
            // Whoever hung up does not hear it; the events count all the same.
            let _ = answer.send(outcome);
        }
    }
}

/// Writes a group. When that fails, each request is tried alone, so that none spoils the others.
async fn write(parts: Arc<Parts>, requests: Vec<Request>) -> Vec<Answer> {
    match commit(&parts, &requests).await {
        Ok(answers) => answers,
        Err(error) if requests.len() == 1 => vec![Err(httpkit::unexpected(&error).into())],
        Err(error) => {
            tracing::warn!(%error, requests = requests.len(), "a group of events failed; trying one by one");
            let mut answers = Vec::with_capacity(requests.len());
            for request in &requests {
                let alone = commit(&parts, std::slice::from_ref(request)).await;
                answers.push(match alone {
                    Ok(mut answer) => answer.pop().unwrap_or_else(|| Err(Problem::internal().into())),
                    Err(error) => Err(httpkit::unexpected(&error).into()),
                });
            }
            answers
        }
    }
}

/// One transaction.
async fn commit(parts: &Parts, requests: &[Request]) -> Result<Vec<Answer>, DbErr> {
    let tx = parts.db.write_tx().await?;
    let mut orgs: Vec<_> = requests.iter().map(|request| request.org).collect();
    orgs.sort_unstable();
    orgs.dedup();
    for org in orgs {
        tx.lock(org).await?;
    }
    let stage = Stage::load(parts, &tx, requests).await?;
    let mut booking = Booking::new(stage);
    let answers: Vec<Answer> =
        requests.iter().enumerate().map(|(number, request)| booking.request(number, request)).collect();
    booking.save(parts, &tx, requests).await?;
    tx.commit().await?;
    let accepted: usize =
        answers.iter().filter_map(|answer| answer.as_ref().ok()).map(|one| one.accepted).sum();
    metrics::counter!("vitrine_events_total").increment(accepted as u64);
    Ok(answers)
}
