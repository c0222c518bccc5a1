//! App users over HTTP: joining, consent, and who can see whom.
#![allow(missing_docs, clippy::unwrap_used)]

mod announcements;
mod consent;
mod crowd;
mod exports;
mod full;
mod install;
mod invited;
mod join;
mod progress;
mod progress_locks;
mod unverified;
mod users;

use audience::Audience;
use orgs::Role;
use serde_json::json;
use testkit::{Client, Feature, Setup, TestApp, TestOrg};

/// Starts the app with this crate.
pub async fn test_app() -> TestApp {
    test_app_with(Setup::default()).await
}

/// Starts the app with this crate and other settings.
pub async fn test_app_with(setup: Setup) -> TestApp {
    setup
        .tables(audience::migrations())
        .person_data(std::sync::Arc::new(audience::ConsentData))
        .start(async |deps| {
            let audience = Audience::new(
                deps.db.clone(),
                deps.ambient.clone(),
                deps.public.clone(),
                deps.identity.clone(),
                deps.orgs.clone(),
            );
            vec![Feature { routes: Some(audience.routes()), ..Feature::default() }]
        })
        .await
}

/// Creates a public organisation and returns it with the path of its joining link.
pub async fn public_org(app: &TestApp, name: &str) -> (TestOrg, String) {
    let org = app.org(name).await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({"organisation": {"privacy": "public"}})).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    (org, format!("/v1/join/{code}"))
}

/// Creates a person who joined with the given answer.
pub async fn joined(app: &TestApp, link: &str, email: &str, consent: bool) -> Client {
    let person = app.person(email).await;
    person.post(link, testkit::answer(consent)).await.expect(201);
    person
}
