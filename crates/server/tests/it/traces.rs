//! Traces, as a collector of OpenTelemetry receives them. `make test-long` builds the program with the feature.

#[cfg(not(feature = "otlp"))]
use std::process::Command;

/// A program that was built without traces says so instead of ignoring the setting.
#[cfg(not(feature = "otlp"))]
#[test]
fn an_endpoint_without_the_feature_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_vitrine"))
        .arg("serve")
        .current_dir(folder.path())
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_OTLP_ENDPOINT", "http://127.0.0.1:4318")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("--features otlp"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was created");
}

#[cfg(feature = "otlp")]
mod sent {
    use std::sync::{Arc, Mutex};
    use std::time::Instant;

    use axum::Router;
    use axum::body::Bytes;
    use axum::routing::post;

    use crate::shutdown::TestServer;

    /// Its last eight bytes decide whether it is recorded: so low a number always is.
    const TRACE: [u8; 16] = [0x4b, 0xf9, 0x2f, 0x35, 0x77, 0xb3, 0x4d, 0xa6, 0, 0, 0, 0, 0, 0, 0, 1];
    const PARENT: [u8; 8] = [0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7];

    /// A collector: what was sent to it, one message of protobuf per request.
    #[derive(Clone, Default)]
    struct Collector(Arc<Mutex<Vec<Bytes>>>);

    impl Collector {
        /// Listens, and returns the URL.
        async fn listen(&self) -> String {
            let received = Arc::clone(&self.0);
            let take = post(move |body: Bytes| async move { received.lock().unwrap().push(body) });
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            tokio::spawn(async { axum::serve(listener, Router::new().route("/v1/traces", take)).await });
            url
        }

        fn contains(&self, bytes: &[u8]) -> bool {
            let received = self.0.lock().unwrap();
            received.iter().any(|body| body.windows(bytes.len()).any(|window| window == bytes))
        }
    }

    /// Returns a field of a message: its tag, its length, its bytes.
    fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
        [&[tag, u8::try_from(bytes.len()).unwrap()], bytes].concat()
    }

    async fn run(collector: &Collector, percent: &str, proxies: &str) {
        let endpoint = collector.listen().await;
        let settings = [
            ("VITRINE_OTLP_ENDPOINT", endpoint.as_str()),
            ("VITRINE_OTLP_PERCENT", percent),
            ("VITRINE_TRUSTED_PROXIES", proxies),
        ];
        let mut server = TestServer::start("serve", &settings);
        let http = reqwest::Client::new();
        let trace = format!("00-{}-{}-01", hex::encode(TRACE), hex::encode(PARENT));
        let body = serde_json::json!({ "email": "ada@example.com", "action": "signup" });
        let asked =
            http.post(format!("{}/v1/auth/magic-links", server.url)).header("traceparent", trace).json(&body);
        assert!(asked.send().await.unwrap().status().is_success());
        let inbox = format!("{}/sandbox/api/mails", server.url);
        let began = Instant::now();
        while !http.get(&inbox).send().await.unwrap().text().await.unwrap().contains("ada@example.com") {
            assert!(began.elapsed().as_secs() < 30, "the email was not sent");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        let signalled = server.terminate();
        tokio::task::spawn_blocking(move || server.stopped(signalled)).await.unwrap();
    }

    #[tokio::test]
    async fn a_request_continues_its_callers_trace_and_the_job_it_enqueued_refers_to_it() {
        let collector = Collector::default();
        run(&collector, "100", "1").await;
        for name in ["POST /v1/auth/magic-links", "job", "wait for transaction", "transaction"] {
            assert!(collector.contains(&field(0x2a, name.as_bytes())), "no span {name}");
        }
        // Span: trace_id is field 1, parent_span_id field 4, links field 13. Link: trace_id is field 1.
        assert!(collector.contains(&field(0x22, &PARENT)), "the request is no child of its caller's span");
        let received = collector.0.lock().unwrap().concat();
        let link = field(0x0a, &TRACE);
        let is_link = |at: usize| received[at] == 0x6a && received[at + 2..].starts_with(&link);
        assert!((0..received.len() - 2).any(is_link), "no job refers to the request");
        assert!(!collector.contains(b"ada@example.com"), "traces have no personal data");
    }

    #[tokio::test]
    async fn a_caller_cannot_have_everything_recorded() {
        let collector = Collector::default();
        run(&collector, "0.0000001", "0").await;
        assert!(!collector.contains(b"POST /v1/auth/magic-links"));
    }
}
