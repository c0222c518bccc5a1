//! Every metric, with its meaning. Alerts and documentation may name these only.

/// Kind of metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// A number at the moment.
    Gauge,
    /// A distribution.
    Histogram,
}

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// What it counts.
    pub help: &'static str,
}

impl Metric {
    const fn counter(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Counter, help }
    }

    const fn gauge(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Gauge, help }
    }

    const fn histogram(name: &'static str, help: &'static str) -> Self {
        Self { name, kind: Kind::Histogram, help }
    }

    /// Registers the meaning with the recorder.
    pub(super) fn describe(&self) {
        match self.kind {
            Kind::Counter => metrics::describe_counter!(self.name, self.help),
            Kind::Gauge => metrics::describe_gauge!(self.name, self.help),
            Kind::Histogram => metrics::describe_histogram!(self.name, self.help),
        }
    }
}

/// All metrics.
pub const METRICS: &[Metric] = &[
    Metric::counter("vitrine_http_requests_total", "Answered requests by route, method and status."),
    Metric::histogram(
        "vitrine_http_request_seconds",
        "Time until the head of the response, by route and method.",
    ),
    Metric::counter("vitrine_jobs_total", "Attempts of background jobs by kind and outcome."),
    Metric::histogram("vitrine_job_seconds", "Time of the attempts of background jobs, by kind."),
    Metric::histogram(
        "vitrine_transaction_wait_seconds",
        "How long write transactions waited for a connection and for their subject.",
    ),
    Metric::gauge("vitrine_database_connections", "Connections to the database in use, by use."),
    Metric::histogram(
        "vitrine_storage_seconds",
        "Time of calls to the storage by operation; of a read until its first bytes.",
    ),
    Metric::counter("vitrine_storage_errors_total", "Failed calls to the storage by operation."),
    Metric::counter(
        "vitrine_storage_cache_total",
        "Reads of media files by whether this machine had a copy, by outcome: hit, miss.",
    ),
    Metric::gauge("vitrine_storage_cache_bytes", "Length of the copies of media files on this machine."),
    Metric::histogram("vitrine_tool_seconds", "Time of confined media tools, by tool."),
    Metric::counter("vitrine_uploads_total", "Uploads that were stored, or rejected, by outcome."),
    Metric::counter("vitrine_upload_bytes_total", "Bytes of stored uploads."),
    Metric::gauge("vitrine_connections", "Open connections of clients."),
    Metric::counter(
        "vitrine_connections_refused_total",
        "Connections that were closed because their address had too many.",
    ),
    Metric::counter("vitrine_process_cpu_seconds_total", "Processor time of this process."),
    Metric::gauge("vitrine_process_resident_bytes", "Memory of this process."),
    Metric::gauge("vitrine_process_open_files", "Files and connections that this process has open."),
    Metric::gauge(
        "vitrine_clock_difference_seconds",
        "By how much the database's clock is ahead of this machine's; absent with SQLite.",
    ),
    Metric::counter("vitrine_mails_total", "Attempts to send an email by kind and outcome."),
    Metric::counter("vitrine_events_total", "Events of players that were counted."),
    Metric::histogram("vitrine_events_group", "Requests with events written in one transaction."),
    Metric::counter("vitrine_archived_lines_total", "Lines that were added to the archive of events."),
    Metric::gauge(
        "vitrine_billing_orphans",
        "Subscriptions at the payment provider without a purchase here.",
    ),
    Metric::gauge("vitrine_billing_mismatches", "Purchases that differ from the payment provider."),
    Metric::gauge("vitrine_build_info", "Always 1; the labels name the version and the commit."),
    Metric::gauge("vitrine_start_time_seconds", "When this process started, in seconds since 1970."),
    Metric::gauge("vitrine_database_up", "1 if the database answered the queries of the gauges, else 0."),
    Metric::gauge("vitrine_jobs_ready", "Jobs that are due and wait for a worker, by queue."),
    Metric::gauge(
        "vitrine_jobs_oldest_seconds",
        "How long the job that is due the longest has been waiting, by queue.",
    ),
    Metric::gauge("vitrine_jobs_dead", "Jobs that were given up and wait for the operator."),
    Metric::gauge(
        "vitrine_worker_loops_down",
        "1 while a worker loop of this process is restarting, else 0.",
    ),
    Metric::gauge("vitrine_mails_waiting", "Emails that were not sent yet."),
    Metric::gauge(
        "vitrine_mails_oldest_seconds",
        "How long the oldest email that was not sent has been waiting.",
    ),
    Metric::gauge("vitrine_disk_free_bytes", "Bytes that are free on the disk of the data folder."),
    Metric::gauge("vitrine_disk_size_bytes", "Size of the disk of the data folder."),
    Metric::gauge(
        "vitrine_last_backup_timestamp_seconds",
        "When the last scheduled backup, or one with this data folder, was complete, in seconds since 1970; absent if none was.",
    ),
    Metric::gauge(
        "vitrine_backup_period_seconds",
        "Time from one scheduled backup to the next; absent if none are scheduled.",
    ),
    Metric::counter(
        "vitrine_backups_total",
        "Scheduled backups by outcome: done, failed, prune_failed, removals_failed.",
    ),
    Metric::gauge(
        "vitrine_last_backup_check_timestamp_seconds",
        "When the last scheduled check of the newest backup found that it can be restored, in seconds since 1970; absent if none did.",
    ),
    Metric::gauge(
        "vitrine_backup_check_period_seconds",
        "Time from one scheduled check of the newest backup to the next; absent if none are scheduled.",
    ),
    Metric::counter(
        "vitrine_backup_checks_total",
        "Scheduled checks of the newest backup by outcome: done, damaged, findings, failed.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_conventions() {
        for (at, metric) in METRICS.iter().enumerate() {
            let Metric { name, kind, help } = *metric;
            assert!(name.starts_with("vitrine_") && help.ends_with('.'), "{name}");
            assert_eq!(kind == Kind::Counter, name.ends_with("_total"), "{name}");
            assert!(METRICS[..at].iter().all(|other| other.name != name), "{name} is listed twice");
        }
    }
}
