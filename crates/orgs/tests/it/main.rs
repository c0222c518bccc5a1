//! Tests of the crate over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod audit;
mod invites;
mod join_url;
mod memberships;
mod people;
mod roles;
mod settings;
mod stored;

use orgs::Standing;
use testkit::{Setup, TestApp, TestOrg};

/// Starts an app with identity and orgs only.
async fn test_app() -> TestApp {
    Setup::default().start(async |_| Vec::new()).await
}

/// Changes the standing of the organisation.
async fn set_standing(app: &TestApp, org: TestOrg, standing: Standing) {
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, standing.into()).await.unwrap();
    tx.commit().await.unwrap();
}
