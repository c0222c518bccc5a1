//! Registers which function runs which kind of job, and what runs on a schedule.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use kernel::{Millis, Timestamp};
use parking_lot::Mutex;
use sea_orm::DbErr;
use serde_json::Value;

use crate::Job;

/// How a job failed.
#[derive(Debug)]
pub enum JobError {
    /// Another attempt may succeed: the peer is down, the disk is full.
    Retry(String),
    /// No attempt can succeed: the address does not exist, the file is broken.
    Final(String),
}

impl<E: std::error::Error> From<E> for JobError {
    fn from(error: E) -> Self {
        Self::Retry(error.to_string())
    }
}

/// What a job can learn about the attempt that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// True if the job is given up when this attempt fails. A crash of the worker may end a job at any
    /// attempt.
    pub is_last: bool,
}

/// Which of the worker's loops run a job, so that a short job never waits behind a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Emails, webhooks, sweeps.
    Quick,
    /// ffmpeg.
    Heavy,
}

type Run = Arc<dyn Fn(Value, Attempt) -> BoxFuture<'static, Result<(), JobError>> + Send + Sync>;

pub(crate) struct Handler {
    pub queue: Queue,
    pub run: Run,
    /// Time between two runs of a schedule.
    pub every: Option<Millis>,
    /// [`Job::RETRY_FOR`].
    pub retry_for: Option<Millis>,
    /// Whether a schedule has anything to do.
    condition: Option<Condition>,
}

type HasWork = Box<dyn Fn() -> BoxFuture<'static, Result<bool, DbErr>> + Send + Sync>;

struct Condition {
    has_work: HasWork,
    /// The last answer and until when it counts.
    answer: Mutex<(bool, Timestamp)>,
}

impl Handler {
    /// Returns false for a schedule without work. It is asked once per period.
    async fn has_work(&self, now: Timestamp) -> Result<bool, DbErr> {
        let (Some(condition), Some(every)) = (&self.condition, self.every) else { return Ok(true) };
        let (answer, until) = *condition.answer.lock();
        if now < until {
            return Ok(answer);
        }
        let answer = (condition.has_work)().await?;
        *condition.answer.lock() = (answer, now + every);
        Ok(answer)
    }
}

/// The kinds of jobs this process can run. Clones share the functions.
#[derive(Clone, Default)]
pub struct Handlers {
    by_kind: HashMap<&'static str, Arc<Handler>>,
}

impl Handlers {
    /// Registers the function that runs jobs of type `J`.
    pub fn on<J, F, R>(&mut self, queue: Queue, run: F)
    where
        J: Job,
        F: Fn(J) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        self.on_attempt(queue, move |job: J, _| run(job));
    }

    /// Registers the function that runs jobs of type `J` and needs to know whether a failed attempt will be
    /// retried.
    pub fn on_attempt<J, F, R>(&mut self, queue: Queue, run: F)
    where
        J: Job,
        F: Fn(J, Attempt) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let run: Run = Arc::new(move |payload, attempt| match serde_json::from_value::<J>(payload) {
            Ok(job) => Box::pin(run(job, attempt)),
            Err(error) => {
                let text = format!("the payload is invalid: {error}");
                Box::pin(async move { Err(JobError::Final(text)) })
            }
        });
        let handler = Handler { queue, run, every: None, retry_for: J::RETRY_FOR, condition: None };
        self.by_kind.insert(J::KIND, Arc::new(handler));
    }

    /// Registers a function that one of the workers runs every `period` milliseconds.
    pub fn every<F, R>(&mut self, name: &'static str, period: Millis, queue: Queue, run: F)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        self.schedule(name, period, queue, run, None);
    }

    /// Like [`Self::every`], but runs only while `has_work` returns true: for short periods, because each run
    /// writes. `has_work` only reads.
    pub fn every_if<C, A, F, R>(
        &mut self,
        name: &'static str,
        period: Millis,
        queue: Queue,
        has_work: C,
        run: F,
    ) where
        C: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<bool, DbErr>> + Send + 'static,
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let has_work: HasWork = Box::new(move || Box::pin(has_work()));
        self.schedule(name, period, queue, run, Some(Condition { has_work, answer: Mutex::default() }));
    }

    fn schedule<F, R>(
        &mut self,
        name: &'static str,
        period: Millis,
        queue: Queue,
        run: F,
        condition: Option<Condition>,
    ) where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let run: Run = Arc::new(move |_, _| Box::pin(run()));
        let handler = Handler { queue, run, every: Some(period), retry_for: None, condition };
        self.by_kind.insert(name, Arc::new(handler));
    }

    pub(crate) fn get(&self, kind: &str) -> Option<&Handler> {
        self.by_kind.get(kind).map(Arc::as_ref)
    }

    /// Returns the kinds of jobs that this process can run.
    pub fn known_kinds(&self) -> HashSet<&'static str> {
        self.by_kind.keys().copied().collect()
    }

    /// Returns the kinds of jobs of the queue, without schedules that have no work.
    pub(crate) async fn kinds(&self, queue: Queue, now: Timestamp) -> Result<Vec<&'static str>, DbErr> {
        let mut kinds = Vec::new();
        for (kind, handler) in &self.by_kind {
            if handler.queue == queue && handler.has_work(now).await? {
                kinds.push(*kind);
            }
        }
        Ok(kinds)
    }

    pub(crate) fn schedules(&self) -> impl Iterator<Item = &'static str> {
        self.by_kind.iter().filter(|(_, handler)| handler.every.is_some()).map(|(kind, _)| *kind)
    }
}
