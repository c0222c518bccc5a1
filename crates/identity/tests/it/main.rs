//! Tests of the crate over HTTP.
#![allow(missing_docs, clippy::unwrap_used)]

mod emailed_digits;
mod hostile_tokens;
mod issuer;
mod magic_link;
mod passwords;
mod profile;
mod providers;
mod session;
mod stored;

use serde_json::{Value, json};
use testkit::{Setup, TestApp};

/// Starts an app with identity and orgs only.
async fn test_app() -> TestApp {
    Setup::default().start(async |_| Vec::new()).await
}

/// Requests a link and returns the code from the email.
async fn code_for(app: &TestApp, email: &str) -> String {
    app.anonymous()
        .post("/v1/auth/magic-links", json!({ "email": email, "action": "login" }))
        .await
        .expect(202);
    app.run_jobs().await;
    let messages = app.deps.mailer.sent(kernel::Email::parse(email).as_ref(), 1).await.unwrap();
    let link = messages[0].links().remove(0);
    link.split("code=").nth(1).unwrap().to_owned()
}

/// Runs the jobs and returns the newest email to an address.
async fn email_to(app: &TestApp, email: &str) -> mail::SentEmail {
    app.run_jobs().await;
    app.deps.mailer.sent(kernel::Email::parse(email).as_ref(), 1).await.unwrap().remove(0)
}

/// Returns the code in the first link that has one.
fn code_in(email: &mail::SentEmail) -> String {
    email.links().iter().find_map(|link| link.split("code=").nth(1)).unwrap().to_owned()
}

/// Signs in with a new link. Returns the session and its refresh cookie.
async fn signed_in(app: &TestApp, email: &str) -> (Value, String) {
    let code = code_for(app, email).await;
    let answer =
        app.anonymous().post("/v1/auth/magic-links/redeem", json!({ "email": email, "code": code })).await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    (answer.expect(200), cookie)
}
