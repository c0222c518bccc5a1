//! Registers which function runs which kind of job, and what runs on a schedule.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use kernel::Millis;
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
}

/// The kinds of jobs this process can run.
#[derive(Default)]
pub struct Handlers {
    by_kind: HashMap<&'static str, Handler>,
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
        self.by_kind.insert(J::KIND, Handler { queue, run, every: None, retry_for: J::RETRY_FOR });
    }

    /// Registers a function that one of the workers runs every `period` milliseconds.
    pub fn every<F, R>(&mut self, name: &'static str, period: Millis, queue: Queue, run: F)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), JobError>> + Send + 'static,
    {
        let run: Run = Arc::new(move |_, _| Box::pin(run()));
        self.by_kind.insert(name, Handler { queue, run, every: Some(period), retry_for: None });
    }

    pub(crate) fn get(&self, kind: &str) -> Option<&Handler> {
        self.by_kind.get(kind)
    }

    /// Returns the kinds of jobs that this process can run.
    pub fn known_kinds(&self) -> HashSet<&'static str> {
        self.by_kind.keys().copied().collect()
    }

    pub(crate) fn kinds(&self, queue: Queue) -> Vec<&'static str> {
        self.by_kind.iter().filter(|(_, handler)| handler.queue == queue).map(|(kind, _)| *kind).collect()
    }

    pub(crate) fn schedules(&self) -> impl Iterator<Item = &'static str> {
        self.by_kind.iter().filter(|(_, handler)| handler.every.is_some()).map(|(kind, _)| *kind)
    }
}
