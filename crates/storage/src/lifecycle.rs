//! Checks whether a bucket ends abandoned multipart uploads. A crash leaves them behind, they cost money, no
//! listing shows them, and only the bucket's lifecycle rule ends all of them.

use std::path::Path;

use object_store::ClientOptions;
use object_store::aws::{AmazonS3Builder, AwsAuthorizer};
use object_store::client::{HttpConnector as _, HttpRequestBody, ReqwestConnector};

use crate::settings::StorageLocation;
use crate::{StorageError, StorageSettings};

/// What happens to abandoned multipart uploads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenUploads {
    /// A lifecycle rule ends them.
    Ended,
    /// They are kept forever.
    Kept,
    /// The bucket gave no usable answer, for this reason.
    Unknown(String),
}

impl StorageSettings {
    /// Asks the bucket for its lifecycle rules. Returns `None` for a folder.
    pub async fn open_uploads(&self) -> Option<OpenUploads> {
        let Ok(StorageLocation::Bucket { bucket, .. }) = self.location(Path::new(".")) else { return None };
        Some(match self.rules(&bucket).await {
            Ok((200, rules)) if rules.split("<Rule>").skip(1).any(ends_uploads) => OpenUploads::Ended,
            // A bucket without rules answers 404.
            Ok((200 | 404, _)) => OpenUploads::Kept,
            Ok((status, _)) => OpenUploads::Unknown(format!("it answered {status}")),
            Err(error) => OpenUploads::Unknown(error.to_string()),
        })
    }

    /// Returns the status and the body of the answer.
    async fn rules(&self, bucket: &str) -> Result<(u16, String), Box<dyn std::error::Error + Send + Sync>> {
        let region = if self.s3_region.is_empty() { "us-east-1" } else { &self.s3_region };
        let host = match self.s3_endpoint.as_str() {
            "" => format!("https://s3.{region}.amazonaws.com"),
            endpoint => endpoint.trim_end_matches('/').to_owned(),
        };
        let mut builder = AmazonS3Builder::new().with_bucket_name(bucket).with_region(region);
        if !self.s3_access_key.is_empty() {
            builder =
                builder.with_access_key_id(&self.s3_access_key).with_secret_access_key(&self.s3_secret_key);
        }
        let credential = builder.build().map_err(StorageError::from)?.credentials().get_credential().await?;
        let mut request =
            http::Request::get(format!("{host}/{bucket}?lifecycle=")).body(HttpRequestBody::empty())?;
        AwsAuthorizer::new(&credential, "s3", region).try_authorize(&mut request, None)?;
        let client = ReqwestConnector::default()
            .connect(&ClientOptions::new().with_allow_http(host.starts_with("http://")))?;
        let (head, body) = client.execute(request).await?.into_parts();
        Ok((head.status.as_u16(), String::from_utf8_lossy(&body.bytes().await?).into_owned()))
    }
}

fn ends_uploads(rule: &str) -> bool {
    rule.contains("<Status>Enabled</Status>") && rule.contains("<AbortIncompleteMultipartUpload>")
}
