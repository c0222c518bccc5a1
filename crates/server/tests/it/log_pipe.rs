//! The real program after the reader of its log has disconnected.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// By then the program has stopped or never will: running jobs get ten seconds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The program, whose output is no longer read once it listens.
struct TestApp {
    child: Child,
    url: String,
}

impl TestApp {
    fn start(folder: &Path) -> Self {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_vitrine"))
            .arg("serve")
            .current_dir(folder)
            .env("VITRINE_SANDBOX", "true")
            .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
            .env("VITRINE_DATA_DIR", folder)
            .env("VITRINE_METRICS_LISTEN", "")
            // At this level every worker loop logs each time it looks for a job.
            .env("VITRINE_LOG", "debug")
            .env_remove("VITRINE_TEST_POSTGRES")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Read until the program listens: a full pipe would stop it too, but that is another test.
        let (log, listens) = (child.stderr.take().unwrap(), Arc::new(AtomicBool::new(false)));
        let reader = std::thread::spawn({
            let listens = Arc::clone(&listens);
            move || {
                let mut lines = BufReader::new(log).lines();
                while !listens.load(Ordering::SeqCst) && lines.next().is_some() {}
            }
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        listens.store(true, Ordering::SeqCst);
        reader.join().unwrap();
        let url = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Self { child, url }
    }

    /// Sends SIGTERM and returns whether the program stopped.
    fn stops(&mut self) -> bool {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let signalled = Instant::now();
        while signalled.elapsed() < TIMEOUT {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_closed_log_pipe_stops_no_job_loop_and_the_program_still_shuts_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let mut app = tokio::task::spawn_blocking(move || TestApp::start(&path)).await.unwrap();
    let http = reqwest::Client::new();
    let request = json!({ "email": "ada@example.com", "action": "signup" });
    let response = http.post(format!("{}/v1/auth/magic-links", app.url)).json(&request).send().await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    // The email is sent by a job.
    let started = Instant::now();
    loop {
        let inbox = format!("{}/sandbox/api/mails?to=ada@example.com", app.url);
        let mails: Value = http.get(inbox).send().await.unwrap().json().await.unwrap();
        if !mails["data"].as_array().unwrap().is_empty() {
            break;
        }
        assert!(started.elapsed() < TIMEOUT, "the job loops have ended");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let stopped = tokio::task::spawn_blocking(move || app.stops()).await.unwrap();
    assert!(stopped, "SIGTERM is ignored");
}
