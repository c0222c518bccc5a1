//! Whether a bucket ends abandoned multipart uploads.

use storage::{OpenUploads, StorageSettings};
use testkit::SignedBucket;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Settings for a bucket that answers one request, which must be signed and ask for the lifecycle rules.
async fn bucket_that_answers(status: &'static str, body: &'static str) -> StorageSettings {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let s3_endpoint = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(socket.read_u8().await.unwrap());
        }
        let request = String::from_utf8(request).unwrap().to_lowercase();
        assert!(request.starts_with("get /media?lifecycle= "), "{request}");
        assert!(request.contains("authorization: aws4-hmac-sha256 credential=ak/"), "{request}");
        let len = body.len();
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {len}\r\nconnection: close\r\n\r\n{body}");
        socket.write_all(answer.as_bytes()).await.unwrap();
    });
    StorageSettings {
        storage_url: "s3://media/a/prefix".into(),
        s3_endpoint,
        s3_region: "eu-west-1".into(),
        s3_access_key: "AK".into(),
        s3_secret_key: "secret".into(),
        ..StorageSettings::default()
    }
}

#[tokio::test]
async fn a_bucket_without_a_rule_that_ends_open_uploads_is_reported() {
    const RULE: &str = "<LifecycleConfiguration><Rule><Status>Enabled</Status><AbortIncompleteMultipartUpload>\
        <DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule></LifecycleConfiguration>";
    const OFF: &str = "<LifecycleConfiguration><Rule><Status>Disabled</Status>\
        <AbortIncompleteMultipartUpload><DaysAfterInitiation>7</DaysAfterInitiation></AbortIncompleteMultipartUpload></Rule>\
        <Rule><Status>Enabled</Status><Expiration><Days>9</Days></Expiration></Rule></LifecycleConfiguration>";
    for (status, body, expected) in [
        ("200 OK", RULE, OpenUploads::Ended),
        ("200 OK", OFF, OpenUploads::Kept),
        ("404 Not Found", "<Error><Code>NoSuchLifecycleConfiguration</Code></Error>", OpenUploads::Kept),
        ("403 Forbidden", "", OpenUploads::Unknown("it answered 403".into())),
    ] {
        let settings = bucket_that_answers(status, body).await;
        assert_eq!(settings.open_uploads().await, Some(expected), "{status}");
    }
    assert_eq!(StorageSettings::default().open_uploads().await, None, "a folder has no rules");
    let other = SignedBucket::open().await.settings();
    assert!(
        matches!(other.open_uploads().await, Some(OpenUploads::Unknown(_))),
        "this bucket does not support rules"
    );
}
