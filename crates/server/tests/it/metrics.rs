//! Metrics of the real program, and the alerts that use them.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use kernel::{Clock as _, SystemClock};
use serde_json::Value;
use server::metrics::{DASHBOARDS, Kind, METRICS};

struct TestServer {
    child: Child,
    folder: tempfile::TempDir,
    url: String,
    metrics: String,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn start(command: &str) -> TestServer {
    start_with(command, &[])
}

fn start_with(command: &str, settings: &[(&str, &str)]) -> TestServer {
    let (folder, port, metrics) = (tempfile::tempdir().unwrap(), free_port(), free_port());
    let mut child = Command::new(env!("CARGO_BIN_EXE_vitrine"))
        .arg(command)
        .current_dir(folder.path())
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
        .env("VITRINE_DATA_DIR", folder.path())
        .env("VITRINE_METRICS_LISTEN", format!("127.0.0.1:{metrics}"))
        .env_remove("VITRINE_TEST_POSTGRES")
        .env_remove("VITRINE_TEST_LONG")
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.is_empty(), "the program has ended");
    let (url, metrics) = (format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{metrics}"));
    TestServer { child, folder, url, metrics }
}

async fn get(url: &str) -> String {
    reqwest::get(url).await.unwrap().text().await.unwrap()
}

/// Returns the name of a series without its labels, and without the ending of a histogram's parts.
fn family(line: &str) -> &str {
    let name = line.split(['{', ' ']).next().unwrap();
    let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
    of_histogram.filter(|name| METRICS.iter().any(|metric| metric.name == *name)).unwrap_or(name)
}

/// Returns the value of a series as it is written.
fn value<'a>(text: &'a str, series: &str) -> &'a str {
    let line = text.lines().find(|line| line.starts_with(&format!("{series} ")));
    let line = line.unwrap_or_else(|| panic!("{series} is missing in {text}"));
    line.rsplit(' ').next().unwrap()
}

#[tokio::test]
async fn a_server_serves_gauges_and_histograms_with_their_meaning() {
    let program = start("serve");
    std::fs::write(program.folder.path().join("last_backup"), "1700000000\n").unwrap();
    for path in ["/healthz", "/v1/config", "/nowhere", "/v1/organizations"] {
        get(&format!("{}{path}", program.url)).await;
    }
    assert_eq!(get(&format!("{}/healthz", program.metrics)).await, "ok\n");
    let text = get(&format!("{}/metrics", program.metrics)).await;
    let found: BTreeSet<&str> =
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(family).collect();
    for name in &found {
        let metric = METRICS.iter().find(|metric| metric.name == *name);
        let metric = metric.unwrap_or_else(|| panic!("{name} is not in the list of metrics"));
        assert!(text.contains(&format!("# HELP {name} {}\n", metric.help)), "{name} has no HELP");
    }
    let gauges = METRICS.iter().filter(|metric| metric.kind == Kind::Gauge);
    // They are there once purchases were compared, if backups are scheduled, and on PostgreSQL.
    let others = ["backup_period", "backup_check", "clock_difference", "billing", "storage_cache"];
    let is_absent = |name: &str| others.iter().any(|other| name.contains(other));
    for metric in gauges.filter(|metric| !is_absent(metric.name)) {
        assert!(found.contains(metric.name), "{} is missing", metric.name);
    }
    assert_eq!(value(&text, "vitrine_database_up"), "1");
    assert_eq!(value(&text, "vitrine_last_backup_timestamp_seconds"), "1700000000");
    assert_eq!(value(&text, "vitrine_jobs_ready{queue=\"heavy\"}"), "0");
    let number = |series| value(&text, series).parse::<f64>().unwrap();
    assert!(number("vitrine_disk_free_bytes") > 0.0);
    assert!(number("vitrine_process_resident_bytes") > 10_000_000.0);
    assert!(number("vitrine_process_open_files") > 5.0);
    assert!(number("vitrine_connections") >= 1.0, "this one");
    assert!(number("vitrine_transaction_wait_seconds_count") >= 1.0, "the schedules were written");
    assert!(number("vitrine_database_connections{usage=\"write\"}") <= 1.0, "SQLite has one writer");
    assert!(number("vitrine_start_time_seconds") > 1_700_000_000.0);
    let config = text.lines().filter(|line| {
        line.starts_with("vitrine_http_request_seconds_bucket{") && line.contains("/v1/config")
    });
    assert_eq!(config.count(), 8, "{text}");
    assert!(!text.contains("quantile="), "summaries cannot be added over servers");
}

#[tokio::test]
async fn series_do_not_grow_with_what_clients_send() {
    let program = start("serve");
    let client = reqwest::Client::new();
    for n in 0..50 {
        let method = reqwest::Method::from_bytes(format!("M{n}").as_bytes()).unwrap();
        client.request(method, format!("{}/random-{n}", program.url)).send().await.unwrap();
        get(&format!("{}/v1/content/{n}", program.url)).await;
    }
    let text = get(&format!("{}/metrics", program.metrics)).await;
    let series = text.lines().filter(|line| line.starts_with("vitrine_http_")).count();
    assert!((10..80).contains(&series), "{series} series");
    // One histogram for each operation stays within what Prometheus takes easily.
    let document: serde_json::Value =
        serde_json::from_str(&get(&format!("{}/openapi.json", program.url)).await).unwrap();
    let paths = document["paths"].as_object().unwrap().values();
    let operations: usize = paths.map(|methods| methods.as_object().unwrap().len()).sum();
    assert!(operations * 10 < 2500, "{operations} operations");
}

#[tokio::test]
async fn a_worker_serves_metrics_and_its_health() {
    let program = start("worker");
    assert_eq!(get(&format!("{}/healthz", program.metrics)).await, "ok\n");
    let began = std::time::Instant::now();
    let text = loop {
        let text = get(&format!("{}/metrics", program.metrics)).await;
        // All schedules are due at the first start.
        if value(&text, "vitrine_jobs_ready{queue=\"quick\"}") == "0" {
            break text;
        }
        assert!(began.elapsed().as_secs() < 30, "{text}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    };
    assert_eq!(value(&text, "vitrine_worker_loops_down"), "0");
    assert_eq!(value(&text, "vitrine_mails_waiting"), "0");
}

#[tokio::test]
async fn a_server_with_scheduled_backups_makes_the_first_one_and_reports_it() {
    let place = tempfile::tempdir().unwrap();
    let to = place.path().join("safe").display().to_string();
    let program = start_with("serve", &[("VITRINE_BACKUP_TO", &to), ("VITRINE_BACKUP_EVERY_HOURS", "12")]);
    let began = std::time::Instant::now();
    let text = loop {
        let text = get(&format!("{}/metrics", program.metrics)).await;
        if text.contains("\nvitrine_last_backup_timestamp_seconds ") {
            break text;
        }
        assert!(began.elapsed().as_secs() < 60, "{text}");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    };
    assert_eq!(value(&text, "vitrine_backup_period_seconds"), "43200");
    assert_eq!(value(&text, "vitrine_backup_check_period_seconds"), "604800");
    assert_eq!(value(&text, "vitrine_backup_checks_total{outcome=\"damaged\"}"), "0");
    assert!(text.contains("vitrine_job_seconds_bucket{kind=\"make_backup\",le=\"0.1\"}"), "{text}");
    assert_eq!(value(&text, "vitrine_backups_total{outcome=\"failed\"}"), "0");
    let last: i64 = value(&text, "vitrine_last_backup_timestamp_seconds").parse().unwrap();
    assert!(SystemClock.now().seconds() - last < 60, "{last}");
    assert_eq!(std::fs::read_dir(place.path().join("safe/backups")).unwrap().count(), 1);
}

/// Returns the metrics that an expression uses.
fn metrics_in(expr: &str) -> BTreeSet<&str> {
    let words = expr.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| word.starts_with("vitrine_")).map(family).collect()
}

/// Reads the alerts: their names, expressions and runbooks.
fn alerts() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("deploy/observe/alerts.yaml")).unwrap();
    let rules = text.split("- alert: ").skip(1);
    let rule = |rule: &str| {
        let name = rule.lines().next().unwrap().to_owned();
        let expr = rule.split("expr: ").nth(1).unwrap();
        let expr = expr.split("\n        labels:").next().unwrap();
        let expr = expr.split("\n        for:").next().unwrap().to_owned();
        let runbook = rule.split("runbook: ").nth(1).unwrap().lines().next().unwrap().to_owned();
        (name, expr, runbook)
    };
    rules.map(rule).collect()
}

#[test]
fn alerts_use_metrics_that_exist_and_name_a_runbook() {
    let operate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operate.md");
    let operate = std::fs::read_to_string(operate).unwrap();
    let alerts = alerts();
    assert!(alerts.len() >= 12, "{}", alerts.len());
    for (name, expr, runbook) in &alerts {
        let names = metrics_in(expr);
        for used in &names {
            assert!(METRICS.iter().any(|metric| metric.name == *used), "{name} uses {used}");
        }
        assert!(!names.is_empty() || expr.contains("up{job=\"vitrine\"}"), "{name} uses no metric");
        let balance = |open, close| expr.matches(open).count() == expr.matches(close).count();
        assert!(balance('(', ')') && balance('{', '}') && balance('[', ']'), "{name}: {expr}");
        assert_eq!(runbook, &format!("docs/operate.md#{}", name.to_lowercase()));
        assert!(operate.contains(&format!("### {name}\n")), "{name} has no runbook in docs/operate.md");
    }
}

/// Returns the queries of all dashboards with the titles of their panels.
fn dashboard_queries() -> Vec<(&'static str, &'static str)> {
    let panels = DASHBOARDS.iter().flat_map(|dashboard| dashboard.panels);
    panels.flat_map(|panel| panel.queries.iter().map(|(query, _)| (panel.title, *query))).collect()
}

#[test]
fn every_metric_is_on_a_dashboard_and_every_dashboard_is_current() {
    let shown: BTreeSet<&str> = dashboard_queries().iter().flat_map(|(_, query)| metrics_in(query)).collect();
    let known: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    assert_eq!(shown, known);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/observe/grafana");
    for dashboard in DASHBOARDS {
        let text = std::fs::read_to_string(folder.join(format!("{}.json", dashboard.name))).unwrap();
        let written: Value = serde_json::from_str(&text).unwrap();
        assert!(written == dashboard.json(), "{} is old: make gen", dashboard.name);
        let place = |panel: &Value| ["x", "y"].map(|axis| panel["gridPos"][axis].as_u64().unwrap());
        let places: BTreeSet<_> = written["panels"].as_array().unwrap().iter().map(place).collect();
        assert_eq!(places.len(), dashboard.panels.len(), "panels of {} overlap", dashboard.name);
    }
}

/// A Prometheus that reads the metrics of a server every second, with the alerts.
struct Prometheus {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Prometheus {
    fn start(metrics: &str) -> Self {
        let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
        let alerts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/observe/alerts.yaml");
        let config = format!(
            "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\nrule_files: [{}]\nscrape_configs:\n  \
             - job_name: vitrine\n    static_configs: [{{ targets: [\"{}\"] }}]\n",
            alerts.display(),
            metrics.strip_prefix("http://").unwrap(),
        );
        let file = folder.path().join("prometheus.yaml");
        std::fs::write(&file, config).unwrap();
        let child = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
            .arg(format!("--web.listen-address=127.0.0.1:{port}"))
            .arg("--log.level=error")
            .spawn()
            .unwrap_or_else(|error| panic!("prometheus (tools/deps long): {error}"));
        Self { child, url: format!("http://127.0.0.1:{port}"), _folder: folder }
    }

    /// Runs a query, and returns its result.
    async fn query(&self, query: &str) -> Result<Vec<Value>, String> {
        let url = reqwest::Url::parse_with_params(&format!("{}/api/v1/query", self.url), [("query", query)]);
        let answer = reqwest::get(url.unwrap()).await.map_err(|error| error.to_string())?;
        let answer: Value = answer.json().await.map_err(|error| error.to_string())?;
        if answer["status"] != "success" {
            return Err(answer.to_string());
        }
        Ok(answer["data"]["result"].as_array().cloned().unwrap_or_default())
    }

    /// Waits until every alert was evaluated, and returns them.
    async fn evaluated_rules(&self) -> Vec<Value> {
        for _ in 0..300 {
            let text = get(&format!("{}/api/v1/rules", self.url)).await;
            let answer: Value = serde_json::from_str(&text).unwrap();
            let rules = answer["data"]["groups"][0]["rules"].as_array().cloned().unwrap_or_default();
            if !rules.is_empty() && rules.iter().all(|rule| rule["health"] != "unknown") {
                return rules;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("the alerts were not evaluated");
    }

    /// Waits until a query has a result.
    async fn wait_for(&self, query: &str) {
        for _ in 0..300 {
            if self.query(query).await.is_ok_and(|result| !result.is_empty()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        panic!("{query} has no result");
    }
}

/// Needs Prometheus, so it runs only with `VITRINE_TEST_LONG`.
#[tokio::test]
async fn prometheus_runs_every_query_of_the_dashboards_and_every_alert() {
    if std::env::var_os("VITRINE_TEST_LONG").is_none() {
        return;
    }
    let program = start("serve");
    std::fs::write(program.folder.path().join("last_backup"), "1700000000\n").unwrap();
    let visit = async || {
        get(&format!("{}/v1/config", program.url)).await;
        let posted = reqwest::Client::new().post(format!("{}/v1/auth/sign-in", program.url)).body("{}");
        posted.send().await.unwrap();
    };
    visit().await;
    let prometheus = Prometheus::start(&program.metrics);
    prometheus.wait_for("up{job=\"vitrine\"} == 1").await;
    visit().await;
    // A rate needs two samples.
    prometheus.wait_for("sum(rate(vitrine_http_requests_total[1m])) > 0").await;
    let served = get(&format!("{}/metrics", program.metrics)).await;
    let served: BTreeSet<&str> = served.lines().filter(|line| !line.starts_with('#')).map(family).collect();
    for (title, query) in dashboard_queries() {
        let result = prometheus.query(&query.replace("$__rate_interval", "1m")).await;
        let result = result.unwrap_or_else(|error| panic!("{title}: {error}"));
        let has_metrics = metrics_in(query).iter().all(|name| served.contains(name));
        assert!(!result.is_empty() || !has_metrics, "{title} shows nothing: {query}");
    }
    let rules = prometheus.evaluated_rules().await;
    assert_eq!(rules.len(), alerts().len());
    for rule in &rules {
        assert_eq!(rule["health"], "ok", "{rule}");
    }
    let firing = |name: &str| {
        let rule = rules.iter().find(|rule| rule["name"] == name).unwrap();
        rule["state"] != "inactive"
    };
    assert!(firing("VitrineBackupOld") && !firing("VitrineDown"), "{rules:?}");
}
