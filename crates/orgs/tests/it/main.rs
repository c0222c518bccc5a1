//! Tests of the crate over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod join_url;
mod memberships;
mod people;
mod settings;
mod stored;

use testkit::{Setup, TestApp};

/// Starts an app with identity and orgs only.
async fn test_app() -> TestApp {
    Setup::default().start(async |_| Vec::new()).await
}
