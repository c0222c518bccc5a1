//! Dashboards for Grafana. Their queries name metrics of the list only, and every metric is on one of them.

use serde_json::{Value, json};

/// A dashboard.
#[derive(Clone, Copy, Debug)]
pub struct Dashboard {
    /// Its name on the command line, and its file.
    pub name: &'static str,
    title: &'static str,
    /// Its panels, from left to right and from top to bottom.
    pub panels: &'static [Panel],
}

/// A panel: queries that are drawn together.
#[derive(Clone, Copy, Debug)]
pub struct Panel {
    /// What it shows.
    pub title: &'static str,
    form: Form,
    unit: &'static str,
    /// Each with the name of its series.
    pub queries: &'static [(&'static str, &'static str)],
}

/// How a panel is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Lines over time, half as wide as the screen.
    Lines,
    /// The value at the moment, a quarter as wide as the screen.
    Figure,
}

impl Panel {
    const fn lines(
        title: &'static str,
        unit: &'static str,
        queries: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { title, form: Form::Lines, unit, queries }
    }

    const fn figure(
        title: &'static str,
        unit: &'static str,
        queries: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { title, form: Form::Figure, unit, queries }
    }
}

/// All dashboards.
pub const DASHBOARDS: &[Dashboard] = &[
    Dashboard {
        name: "requests",
        title: "Vitrine: requests",
        panels: &[
            Panel::figure("Processes that answer", "short", &[("sum(up{job=\"vitrine\"})", "up")]),
            Panel::figure("Database", "short", &[("min(vitrine_database_up)", "up")]),
            Panel::figure(
                "Versions",
                "short",
                &[("count by (version, commit) (vitrine_build_info)", "{{version}} {{commit}}")],
            ),
            Panel::figure(
                "Youngest process",
                "s",
                &[("time() - max(vitrine_start_time_seconds)", "running for")],
            ),
            Panel::lines(
                "Requests per second",
                "reqps",
                &[("sum by (status) (rate(vitrine_http_requests_total[$__rate_interval]))", "{{status}}")],
            ),
            Panel::lines(
                "Failed requests",
                "percentunit",
                &[(
                    "(sum(rate(vitrine_http_requests_total{status=~\"5..\"}[$__rate_interval])) or vector(0)) \
                     / sum(rate(vitrine_http_requests_total[$__rate_interval]))",
                    "answered with 5xx",
                )],
            ),
            Panel::lines(
                "Time of reads",
                "s",
                &[
                    (
                        "histogram_quantile(0.5, sum by (le) (rate(vitrine_http_request_seconds_bucket{method=\"GET\"}[$__rate_interval])))",
                        "half",
                    ),
                    (
                        "histogram_quantile(0.99, sum by (le) (rate(vitrine_http_request_seconds_bucket{method=\"GET\"}[$__rate_interval])))",
                        "99 %",
                    ),
                ],
            ),
            Panel::lines(
                "Time of writes",
                "s",
                &[
                    (
                        "histogram_quantile(0.5, sum by (le) (rate(vitrine_http_request_seconds_bucket{method!=\"GET\"}[$__rate_interval])))",
                        "half",
                    ),
                    (
                        "histogram_quantile(0.99, sum by (le) (rate(vitrine_http_request_seconds_bucket{method!=\"GET\"}[$__rate_interval])))",
                        "99 %",
                    ),
                ],
            ),
            Panel::lines(
                "Slowest routes",
                "s",
                &[(
                    "topk(10, histogram_quantile(0.95, sum by (le, route) (rate(vitrine_http_request_seconds_bucket[$__rate_interval]))))",
                    "{{route}}",
                )],
            ),
            Panel::lines(
                "Busiest routes",
                "reqps",
                &[(
                    "topk(10, sum by (route) (rate(vitrine_http_requests_total[$__rate_interval])))",
                    "{{route}}",
                )],
            ),
            Panel::lines(
                "Events of players per second",
                "cps",
                &[("sum(rate(vitrine_events_total[$__rate_interval]))", "events")],
            ),
            Panel::lines(
                "Requests with events in one transaction",
                "short",
                &[(
                    "sum(rate(vitrine_events_group_sum[$__rate_interval])) / sum(rate(vitrine_events_group_count[$__rate_interval]))",
                    "requests",
                )],
            ),
        ],
    },
    Dashboard {
        name: "resources",
        title: "Vitrine: database, storage, files and processes",
        panels: &[
            Panel::figure("Open connections", "short", &[("sum(vitrine_connections)", "connections")]),
            Panel::figure(
                "Refused connections in a day",
                "short",
                &[("sum(increase(vitrine_connections_refused_total[1d]))", "connections")],
            ),
            Panel::figure(
                "Largest difference of the clocks",
                "s",
                &[("max(abs(vitrine_clock_difference_seconds))", "difference")],
            ),
            Panel::figure(
                "Failed calls to the storage in a day",
                "short",
                &[("sum(increase(vitrine_storage_errors_total[1d]))", "calls")],
            ),
            Panel::lines(
                "Wait of write transactions",
                "s",
                &[(
                    "histogram_quantile(0.99, sum by (le) (rate(vitrine_transaction_wait_seconds_bucket[$__rate_interval])))",
                    "99 %",
                )],
            ),
            Panel::lines(
                "Connections to the database in use",
                "short",
                &[("sum by (usage) (vitrine_database_connections)", "{{usage}}")],
            ),
            Panel::lines(
                "Time of calls to the storage",
                "s",
                &[(
                    "histogram_quantile(0.95, sum by (le, operation) (rate(vitrine_storage_seconds_bucket[$__rate_interval])))",
                    "{{operation}}",
                )],
            ),
            Panel::lines(
                "Reads of media files with and without a copy on the server",
                "reqps",
                &[("sum by (outcome) (rate(vitrine_storage_cache_total[$__rate_interval]))", "{{outcome}}")],
            ),
            Panel::lines(
                "Copies of media files on each server",
                "bytes",
                &[("vitrine_storage_cache_bytes", "{{instance}}")],
            ),
            Panel::lines(
                "Uploads per hour",
                "short",
                &[("3600 * sum by (outcome) (rate(vitrine_uploads_total[$__rate_interval]))", "{{outcome}}")],
            ),
            Panel::lines(
                "Bytes of uploads per second",
                "Bps",
                &[("sum(rate(vitrine_upload_bytes_total[$__rate_interval]))", "stored")],
            ),
            Panel::lines(
                "Time of media tools",
                "s",
                &[(
                    "sum by (tool) (rate(vitrine_tool_seconds_sum[$__rate_interval])) / sum by (tool) (rate(vitrine_tool_seconds_count[$__rate_interval]))",
                    "{{tool}}",
                )],
            ),
            Panel::lines(
                "Processor",
                "short",
                &[("rate(vitrine_process_cpu_seconds_total[$__rate_interval])", "{{instance}}")],
            ),
            Panel::lines("Memory", "bytes", &[("vitrine_process_resident_bytes", "{{instance}}")]),
            Panel::lines(
                "Open files and connections",
                "short",
                &[("vitrine_process_open_files", "{{instance}}")],
            ),
        ],
    },
    Dashboard {
        name: "background",
        title: "Vitrine: jobs, email, disk and billing",
        panels: &[
            Panel::figure("Jobs that were given up", "short", &[("max(vitrine_jobs_dead)", "jobs")]),
            Panel::figure(
                "Worker loops that restart",
                "short",
                &[("sum(vitrine_worker_loops_down)", "processes")],
            ),
            Panel::figure(
                "Age of the last backup",
                "s",
                &[
                    ("time() - max(vitrine_last_backup_timestamp_seconds)", "age"),
                    ("max(vitrine_backup_period_seconds)", "period of the schedule"),
                ],
            ),
            Panel::figure(
                "Last check of a backup",
                "s",
                &[
                    ("time() - max(vitrine_last_backup_check_timestamp_seconds)", "age"),
                    ("max(vitrine_backup_check_period_seconds)", "period of the schedule"),
                ],
            ),
            Panel::figure(
                "Purchases that differ",
                "short",
                &[
                    ("max(vitrine_billing_mismatches)", "differ from the provider"),
                    ("max(vitrine_billing_orphans)", "known to the provider only"),
                ],
            ),
            Panel::lines("Jobs that wait", "short", &[("max by (queue) (vitrine_jobs_ready)", "{{queue}}")]),
            Panel::lines(
                "Longest wait of a job",
                "s",
                &[("max by (queue) (vitrine_jobs_oldest_seconds)", "{{queue}}")],
            ),
            Panel::lines(
                "Jobs per minute",
                "short",
                &[(
                    "60 * sum by (kind, outcome) (rate(vitrine_jobs_total[$__rate_interval]))",
                    "{{kind}} {{outcome}}",
                )],
            ),
            Panel::lines(
                "Time of jobs",
                "s",
                &[(
                    "topk(10, histogram_quantile(0.95, sum by (le, kind) (rate(vitrine_job_seconds_bucket[$__rate_interval]))))",
                    "{{kind}}",
                )],
            ),
            Panel::lines(
                "Emails per minute",
                "short",
                &[("60 * sum by (outcome) (rate(vitrine_mails_total[$__rate_interval]))", "{{outcome}}")],
            ),
            Panel::lines(
                "Scheduled backups in a day",
                "short",
                &[("sum by (outcome) (increase(vitrine_backups_total[1d]))", "{{outcome}}")],
            ),
            Panel::lines(
                "Checks of backups in a week",
                "short",
                &[("sum by (outcome) (increase(vitrine_backup_checks_total[7d]))", "{{outcome}}")],
            ),
            Panel::lines(
                "Lines archived in a day",
                "short",
                &[("sum(increase(vitrine_archived_lines_total[1d]))", "lines")],
            ),
            Panel::lines("Emails that wait", "short", &[("max(vitrine_mails_waiting)", "emails")]),
            Panel::lines("Longest wait of an email", "s", &[("max(vitrine_mails_oldest_seconds)", "email")]),
            Panel::lines(
                "Free disk space",
                "bytes",
                &[("min by (instance) (vitrine_disk_free_bytes)", "{{instance}}")],
            ),
            Panel::lines(
                "Free share of the disk",
                "percentunit",
                &[("min by (instance) (vitrine_disk_free_bytes / vitrine_disk_size_bytes)", "{{instance}}")],
            ),
        ],
    },
];

/// Columns of Grafana's grid.
const COLUMNS: usize = 24;

impl Dashboard {
    /// Returns the dashboard as Grafana reads it. The data source is chosen on the dashboard.
    pub fn json(&self) -> Value {
        let source = json!({ "type": "prometheus", "uid": "${source}" });
        let (mut x, mut y, mut row_height) = (0, 0, 0);
        let mut panels = Vec::with_capacity(self.panels.len());
        for (index, panel) in self.panels.iter().enumerate() {
            let (width, height) = panel.size();
            if x + width > COLUMNS {
                (x, y, row_height) = (0, y + row_height, 0);
            }
            let place = json!({ "x": x, "y": y, "w": width, "h": height });
            panels.push(panel.json(index + 1, &place, &source));
            (x, row_height) = (x + width, row_height.max(height));
        }
        json!({
            "uid": format!("vitrine-{}", self.name),
            "title": self.title,
            "tags": ["vitrine"],
            "timezone": "browser",
            "schemaVersion": 41,
            "refresh": "1m",
            "time": { "from": "now-6h", "to": "now" },
            "templating": { "list": [
                { "name": "source", "label": "Data source", "type": "datasource", "query": "prometheus" },
            ] },
            "panels": panels,
        })
    }
}

impl Panel {
    /// Returns width and height.
    const fn size(&self) -> (usize, usize) {
        match self.form {
            Form::Lines => (COLUMNS / 2, 8),
            Form::Figure => (COLUMNS / 4, 4),
        }
    }

    fn json(&self, id: usize, place: &Value, source: &Value) -> Value {
        let target = |(index, (query, legend)): (usize, &(&str, &str))| {
            let letter = char::from(b'A' + u8::try_from(index).unwrap_or_default());
            json!({ "refId": letter.to_string(), "datasource": source, "expr": query, "legendFormat": legend })
        };
        json!({
            "id": id,
            "type": if self.form == Form::Lines { "timeseries" } else { "stat" },
            "title": self.title,
            "gridPos": place,
            "datasource": source,
            "fieldConfig": { "defaults": { "unit": self.unit, "min": 0 }, "overrides": [] },
            "targets": self.queries.iter().enumerate().map(target).collect::<Vec<_>>(),
        })
    }
}
