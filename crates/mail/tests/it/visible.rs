//! What an operator can see of undelivered emails, and what must stay hidden.

use std::io::Write;
use std::sync::{Arc, Mutex};

use metrics_exporter_prometheus::PrometheusBuilder;
use tracing_subscriber::fmt::MakeWriter;

use crate::peer::Peer;
use crate::test_app::{smtp, test_app_with};

/// Captures the log.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogBuffer {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn the_operator_sees_outcomes_and_codes_but_no_address_and_no_link() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let numbers = recorder.handle();
    let log = LogBuffer::default();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(log.clone()).finish();
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let refused = app.enqueue_link("rcpt-550-9@example.com").await;
    let given_up = app.enqueue_link("rcpt-452-99@example.org").await;
    app.enqueue_link("ada@example.net").await;
    {
        let _numbers = metrics::set_default_local_recorder(&recorder);
        let _log = tracing::subscriber::set_default(subscriber);
        app.exhaust().await;
    }
    let failures = format!("{:?}", app.mailer.delivery_failures(9).await.unwrap());
    app.end().await;

    let numbers = numbers.render();
    for (outcome, times) in [("sent", 1), ("later", 10), ("refused", 1), ("gave_up", 1)] {
        let line = format!("vitrine_mails_total{{kind=\"magic_link\",outcome=\"{outcome}\"}} {times}");
        assert!(numbers.contains(&line), "{line} is not in\n{numbers}");
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for (word, uid, code) in
        [("permanently rejected", refused, "550"), ("its link has expired", given_up, "452")]
    {
        let line = log.lines().find(|line| line.contains("ERROR") && line.contains(word));
        let line = line.unwrap_or_else(|| panic!("no error with {word} in\n{log}"));
        assert!(line.contains(&uid.to_string()) && line.contains(code), "{line}");
        assert!(line.contains("magic_link"), "{line}");
    }
    for text in [&log, &failures, &numbers] {
        for secret in ["rcpt-", "ada@", "@example", "code=abc", "https://", "not you"] {
            assert!(!text.contains(secret), "{secret} is in\n{text}");
        }
    }
}
