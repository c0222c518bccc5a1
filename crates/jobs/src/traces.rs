//! What connects a job with what enqueued it, for those who follow requests through a tracing system.

use std::sync::Arc;

use tracing::Span;

use crate::Jobs;

/// A tracing system.
pub trait Traces: Send + Sync + 'static {
    /// Returns the current span as a `traceparent` of W3C Trace Context, if it is recorded.
    fn current(&self) -> Option<String>;

    /// Links the span of a job to the span that enqueued it.
    fn link(&self, job: &Span, enqueued_by: &str);
}

impl Jobs {
    /// Returns the same queue, which connects jobs with what enqueues them in a tracing system.
    #[must_use]
    pub fn with_traces(mut self, traces: Arc<dyn Traces>) -> Self {
        self.traces = traces;
        self
    }
}

/// Records nothing.
pub(crate) struct NoTraces;

impl Traces for NoTraces {
    fn current(&self) -> Option<String> {
        None
    }

    fn link(&self, _: &Span, _: &str) {}
}
