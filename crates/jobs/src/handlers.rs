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
    /// [`Job::RETRY_FOR`].
    pub retry_for: Option<Millis>,
    /// When a schedule runs.
    schedule: Option<Schedule>,
}

type HasWork = Box<dyn Fn() -> BoxFuture<'static, Result<bool, DbErr>> + Send + Sync>;

struct Schedule {
    /// Time between two runs.
    period: Millis,
    has_work: HasWork,
    /// The last answer and when it was given.
    answer: Mutex<Option<(bool, Timestamp)>>,
}

impl Handler {
    /// Returns the time between two runs of a schedule.
    pub fn period(&self) -> Option<Millis> {
        self.schedule.as_ref().map(|schedule| schedule.period)
    }

    /// Returns false for a schedule without work. It is asked once per period.
    async fn has_work(&self, now: Timestamp) -> Result<bool, DbErr> {
        let Some(schedule) = &self.schedule else { return Ok(true) };
        let last = *schedule.answer.lock();
        // An answer from the future was given before the clock was set back.
        if let Some((answer, _)) = last.filter(|(_, at)| (*at..*at + schedule.period).contains(&now)) {
            return Ok(answer);
        }
        let answer = (schedule.has_work)().await?;
        *schedule.answer.lock() = Some((answer, now));
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
        let handler = Handler { queue, run, retry_for: J::RETRY_FOR, schedule: None };
        self.by_kind.insert(J::KIND, Arc::new(handler));
    }

    /// Registers a function that one of the workers runs every `period` milliseconds while `has_work` returns true.
    /// Each run writes, so that an idle server would write without the question. `has_work` only reads, and is asked
    /// at most once per period.
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
        let run: Run = Arc::new(move |_, _| Box::pin(run()));
        let schedule = Schedule { period, has_work, answer: Mutex::default() };
        let handler = Handler { queue, run, retry_for: None, schedule: Some(schedule) };
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

    /// Returns the names of the schedules, with the time between two runs.
    pub(crate) fn schedules(&self) -> impl Iterator<Item = (&'static str, Millis)> {
        self.by_kind.iter().filter_map(|(kind, handler)| Some((*kind, handler.period()?)))
    }
}
