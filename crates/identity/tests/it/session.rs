//! Sessions: refresh, reuse, sign-out.

use axum::body::Body;
use http::Method;
use kernel::{DAY, HOUR, SECOND};
use testkit::{Answer, Client, TestApp};

use super::{app, signed_in};

async fn refresh(app: &TestApp, cookie: &str) -> Answer {
    refresh_as(&app.anonymous(), cookie).await
}

async fn refresh_as(client: &Client, cookie: &str) -> Answer {
    let request = client.request(Method::POST, "/v1/auth/refresh").header("cookie", cookie);
    client.send(request.body(Body::empty()).unwrap()).await
}

fn cookie_of(answer: &Answer) -> String {
    answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_cookie_outlives_the_token() {
    let app = app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    let old = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    app.clock.pass(HOUR);
    old.get("/v1/profiles").await.refuse(401, "Missing or invalid identity token");
    let renewed = refresh(&app, &cookie).await.expect(200);
    let new = app.anonymous().with_token(renewed["accessToken"].as_str().unwrap());
    new.get("/v1/profiles").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn twenty_tabs_refreshing_at_once_share_one_successor() {
    let app = app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    let mut tabs = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let (client, cookie) = (app.anonymous(), cookie.clone());
        tabs.spawn(async move { refresh_as(&client, &cookie).await });
    }
    let answers = tabs.join_all().await;
    let successors: std::collections::HashSet<String> = answers.iter().map(cookie_of).collect();
    assert!(answers.iter().all(|answer| answer.status == 200) && successors.len() == 1);
    app.settle().await;
}

#[tokio::test]
async fn a_stolen_refresh_token_ends_the_session_for_both() {
    let app = app().await;
    let (session, stolen) = signed_in(&app, "ada@example.com").await;
    let own = cookie_of(&refresh(&app, &stolen).await);
    app.clock.pass(11 * SECOND);
    refresh(&app, &stolen).await.expect(401);
    refresh(&app, &own).await.expect(401);
    let client = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    client.get("/v1/profiles").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn another_sites_page_cannot_refresh() {
    let app = app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    let client = app.anonymous();
    let request = client
        .request(Method::POST, "/v1/auth/refresh")
        .header("cookie", cookie)
        .header("origin", "https://evil.example");
    client.send(request.body(Body::empty()).unwrap()).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn signing_out_kills_the_token_at_once_here_and_everywhere() {
    let app = app().await;
    let (here, there) = (app.person("ada@example.com").await, app.person("ada@example.com").await);
    let third = app.person("ada@example.com").await;
    here.post("/v1/auth/sign-out", serde_json::json!({})).await.expect(204);
    here.get("/v1/profiles").await.expect(401);
    there.get("/v1/profiles").await.expect(200);
    there.post("/v1/auth/sign-out?everywhere=1", serde_json::json!({})).await.expect(204);
    third.get("/v1/profiles").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn a_session_nobody_uses_ends_after_thirty_days() {
    let app = app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    app.clock.pass(30 * DAY);
    refresh(&app, &cookie).await.expect(401);
    app.settle().await;
}
