//! Which function does which kind of job, and what repeats by itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use futures::future::BoxFuture;
use kernel::Millis;
use serde_json::Value;

use crate::Job;

/// How a job failed.
#[derive(Debug)]
pub enum Failure {
    /// Worth another try: the peer is down, the disk is full.
    Retry(String),
    /// Will never work: the address does not exist, the file is broken.
    Final(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Retry(error.to_string())
    }
}

/// What a job may know of the attempt that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Whether the job is given up if this attempt fails. A crash of the worker may end a job at any attempt.
    pub is_last: bool,
}

/// Who works on it: short jobs never wait behind a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Mails, webhooks, sweeps.
    Quick,
    /// ffmpeg.
    Heavy,
}

type Run = Arc<dyn Fn(Value, Attempt) -> BoxFuture<'static, Result<(), Failure>> + Send + Sync>;

pub(crate) struct Handler {
    pub lane: Lane,
    pub run: Run,
    /// Milliseconds between runs, for a schedule.
    pub every: Option<Millis>,
    /// [`Job::RETRY_FOR`].
    pub retry_for: Option<Millis>,
}

/// Every kind of job this process knows how to do.
#[derive(Default)]
pub struct Handlers {
    by_kind: HashMap<&'static str, Handler>,
}

impl Handlers {
    /// Says how jobs of type `J` are done.
    pub fn on<J, F, R>(&mut self, lane: Lane, run: F)
    where
        J: Job,
        F: Fn(J) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        self.on_attempt(lane, move |job: J, _| run(job));
    }

    /// Says how jobs of type `J` are done that must know whether they will be tried again.
    pub fn on_attempt<J, F, R>(&mut self, lane: Lane, run: F)
    where
        J: Job,
        F: Fn(J, Attempt) -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        let run: Run = Arc::new(move |payload, attempt| match serde_json::from_value::<J>(payload) {
            Ok(job) => Box::pin(run(job, attempt)),
            Err(error) => {
                let text = format!("payload not understood: {error}");
                Box::pin(async move { Err(Failure::Final(text)) })
            }
        });
        self.by_kind.insert(J::KIND, Handler { lane, run, every: None, retry_for: J::RETRY_FOR });
    }

    /// Says what is done every `period` milliseconds, by whichever worker comes first.
    pub fn every<F, R>(&mut self, name: &'static str, period: Millis, lane: Lane, run: F)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        let run: Run = Arc::new(move |_, _| Box::pin(run()));
        self.by_kind.insert(name, Handler { lane, run, every: Some(period), retry_for: None });
    }

    pub(crate) fn get(&self, kind: &str) -> Option<&Handler> {
        self.by_kind.get(kind)
    }

    /// Returns the kinds of jobs that this process knows how to do.
    pub fn kinds_known(&self) -> HashSet<&'static str> {
        self.by_kind.keys().copied().collect()
    }

    pub(crate) fn kinds(&self, lane: Lane) -> Vec<&'static str> {
        self.by_kind.iter().filter(|(_, handler)| handler.lane == lane).map(|(kind, _)| *kind).collect()
    }

    pub(crate) fn schedules(&self) -> impl Iterator<Item = &'static str> {
        self.by_kind.iter().filter(|(_, handler)| handler.every.is_some()).map(|(kind, _)| *kind)
    }
}
