//! The room over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod join_url;
mod memberships;
mod people;
mod settings;

use testkit::{Setup, TestApp};

/// Identity and orgs alone.
async fn app() -> TestApp {
    Setup::default().start(async |_| Vec::new()).await
}
