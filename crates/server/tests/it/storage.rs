//! Files in a bucket: what the program reports at startup, and that it runs with one.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use storage::StorageSettings;
use testkit::SignedBucket;

use super::test_app::test_app_with;

/// Returns a command that runs the program on an empty folder with this storage.
fn program(command: &str, folder: &Path, settings: &StorageSettings) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_vitrine"));
    program
        .arg(command)
        .current_dir(folder)
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_LISTEN", "127.0.0.1:0")
        .env("VITRINE_DATA_DIR", folder)
        .env("VITRINE_METRICS_LISTEN", "")
        .env("VITRINE_STORAGE_URL", &settings.storage_url)
        .env("VITRINE_S3_ENDPOINT", &settings.s3_endpoint)
        .env("VITRINE_S3_REGION", &settings.s3_region)
        .env("VITRINE_S3_ACCESS_KEY", &settings.s3_access_key)
        .env("VITRINE_S3_SECRET_KEY", &settings.s3_secret_key)
        .env_remove("VITRINE_TEST_POSTGRES");
    program
}

/// Runs `vitrine doctor`.
async fn doctor(settings: &StorageSettings) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut program = program("doctor", folder.path(), settings);
    tokio::task::spawn_blocking(move || program.output().unwrap()).await.unwrap()
}

/// Starts a command that should keep running. Returns its first line of output, or an empty string if it
/// exited, and its output.
async fn start(command: &str, settings: &StorageSettings) -> (String, Output) {
    let folder = tempfile::tempdir().unwrap();
    let mut program = program(command, folder.path(), settings);
    let started = tokio::task::spawn_blocking(move || {
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if !line.is_empty() {
            child.kill().unwrap();
        }
        (line, child.wait_with_output().unwrap())
    });
    started.await.unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test]
async fn a_wrong_key_and_a_missing_bucket_are_reported_at_startup_and_by_doctor() {
    let bucket = SignedBucket::open().await;
    let right = bucket.settings();
    for (wrong, names) in [
        (StorageSettings { s3_secret_key: "not-the-key".into(), ..right.clone() }, "s3_secret_key"),
        (StorageSettings { s3_access_key: "AKNOBODY".into(), ..right.clone() }, "s3_access_key"),
        (StorageSettings { storage_url: "s3://nowhere".into(), ..right.clone() }, "storage_url"),
    ] {
        for command in ["serve", "worker"] {
            let (line, output) = start(command, &wrong).await;
            let output_text = text(&output.stderr);
            assert_eq!(line, "", "{command} starts with a wrong {names}");
            assert!(
                output.status.code() == Some(1) && output_text.contains(names),
                "{command} {names}: {output_text}"
            );
            assert!(
                !output_text.contains("not-the-key") && !output_text.contains(&right.s3_secret_key),
                "{output_text}"
            );
        }
        let output = doctor(&wrong).await;
        let output_text = text(&output.stdout);
        let line = output_text.lines().find(|line| line.contains("storage:")).unwrap();
        assert!(!output.status.success(), "{output_text}");
        assert!(line.starts_with("FAIL") && line.contains(names), "{line}");
        assert!(!output_text.contains("not-the-key"), "{output_text}");
    }
    let output_text = text(&doctor(&right).await.stdout);
    let line = output_text.lines().find(|line| line.contains("storage: s3://media/a/prefix")).unwrap();
    // The test bucket does not support lifecycle rules, which is a warning.
    assert!(line.starts_with("warn") && line.contains("lifecycle rule"), "{line}");
}

#[tokio::test]
async fn the_program_is_ready_with_its_files_in_a_bucket() {
    let bucket = SignedBucket::open().await;
    let settings = bucket.settings();
    let app = test_app_with(|options| options.storage = settings).await;
    app.anonymous().get("/readyz").await.expect(200);
    app.close().await;
}

#[tokio::test]
async fn everything_else_works_while_the_bucket_is_unreachable() {
    // Nothing listens there: the port was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let unreachable = StorageSettings {
        storage_url: "s3://media".into(),
        s3_endpoint: format!("http://{free}"),
        s3_region: "us-east-1".into(),
        s3_access_key: "AK".into(),
        s3_secret_key: "secret".into(),
        ..StorageSettings::default()
    };
    let output_text = text(&doctor(&unreachable).await.stdout);
    let line = output_text.lines().find(|line| line.contains("storage:")).unwrap();
    assert!(line.starts_with("FAIL") && line.contains("s3_endpoint"), "{line}");
    let app = test_app_with(|options| options.storage = unreachable).await;
    app.anonymous().get("/v1/config").await.expect(200);
    // Sign-in and lists work without files: load balancers keep routing requests here, and the body names
    // what is unreachable.
    let ready = app.anonymous().get("/readyz").await;
    ready.expect(200);
    let body = text(&ready.bytes);
    assert!(body.contains("storage: unreachable"), "{body}");
    app.close().await;
}
