//! Sessions: refresh, reuse, sign-out.

use axum::body::Body;
use http::Method;
use kernel::{DAY, HOUR, SECOND};
use testkit::{ApiResponse, Client, TestApp};

use super::{signed_in, test_app};

async fn refresh(app: &TestApp, cookie: &str) -> ApiResponse {
    refresh_as(&app.anonymous(), cookie).await
}

async fn refresh_as(client: &Client, cookie: &str) -> ApiResponse {
    let request = client.request(Method::POST, "/v1/auth/refresh").header("cookie", cookie);
    client.send(request.body(Body::empty()).unwrap()).await
}

fn cookie_of(answer: &ApiResponse) -> String {
    answer.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_cookie_outlives_the_token() {
    let app = test_app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    let old = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    app.clock.advance(HOUR);
    old.get("/v1/profiles").await.expect_error(401, "Missing or invalid identity token");
    let renewed = refresh(&app, &cookie).await.expect(200);
    let new = app.anonymous().with_token(renewed["accessToken"].as_str().unwrap());
    new.get("/v1/profiles").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn people_stay_signed_in_and_can_sign_in_when_the_clock_is_set_back_by_a_day() {
    let app = test_app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    app.clock.advance(-DAY);
    let old = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    old.get("/v1/profiles").await.expect(200);
    let renewed = refresh(&app, &cookie).await;
    let next = cookie_of(&renewed);
    let renewed = renewed.expect(200);
    let new = app.anonymous().with_token(renewed["accessToken"].as_str().unwrap());
    new.get("/v1/profiles").await.expect(200);
    refresh(&app, &next).await.expect(200);
    // Neither does the email from before, which is in the future now, block another one.
    let (again, _) = signed_in(&app, "ada@example.com").await;
    app.anonymous().with_token(again["accessToken"].as_str().unwrap()).get("/v1/profiles").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn twenty_tabs_refreshing_at_once_share_one_successor() {
    let app = test_app().await;
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
async fn repeated_refreshes_by_twenty_tabs_keep_one_successor() {
    let app = test_app().await;
    let (_, mut cookie) = signed_in(&app, "ada@example.com").await;
    for round in 0..100 {
        let mut tabs = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let (client, cookie) = (app.anonymous(), cookie.clone());
            tabs.spawn(async move { refresh_as(&client, &cookie).await });
        }
        let answers = tabs.join_all().await;
        let successors: std::collections::HashSet<String> = answers.iter().map(cookie_of).collect();
        assert!(answers.iter().all(|answer| answer.status == 200) && successors.len() == 1, "round {round}");
        cookie = successors.into_iter().next().unwrap();
        app.clock.advance(SECOND);
    }
    app.settle().await;
}

#[tokio::test]
async fn the_session_list_shows_devices_and_each_can_be_ended() {
    let app = test_app().await;
    let (here, there) = (app.person("ada@example.com").await, app.person("ada@example.com").await);
    let stranger = app.person("eve@example.com").await;
    app.clock.advance(SECOND);
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let input = serde_json::json!({
        "email": "ada@example.com", "code": super::code_for(&app, "ada@example.com").await, "app": "viewer",
    });
    let client = app.anonymous();
    let mut request = client
        .request(Method::POST, "/v1/auth/magic-links/redeem")
        .header("content-type", "application/json")
        .header("user-agent", agent)
        .body(Body::from(input.to_string()))
        .unwrap();
    let origin = std::net::SocketAddr::from(([192, 0, 2, 7], 1));
    request.extensions_mut().insert(axum::extract::ConnectInfo(origin));
    let phone = client.send(request).await.expect(200);

    let list = here.get("/v1/auth/sessions").await.expect(200)["data"].clone();
    let rows = list.as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let newest = &rows[0];
    assert_eq!(
        (&newest["device"], &newest["place"], &newest["app"], &newest["current"]),
        (&"Firefox on Linux".into(), &"192.0.2.7".into(), &"viewer".into(), &false.into())
    );
    assert_eq!(rows.iter().filter(|row| row["current"] == true).count(), 1);

    let path = format!("/v1/auth/sessions/{}", newest["uid"].as_str().unwrap());
    stranger.delete(&path).await.expect_error(404, "Session not found");
    there.delete(&path).await.expect(204);
    there.delete(&path).await.expect(404);
    client.with_token(phone["accessToken"].as_str().unwrap()).get("/v1/profiles").await.expect(401);
    assert_eq!(here.get("/v1/auth/sessions").await.expect(200)["data"].as_array().unwrap().len(), 2);
    app.settle().await;
}

#[tokio::test]
async fn a_stolen_refresh_token_ends_the_session_for_both() {
    let app = test_app().await;
    let (session, stolen) = signed_in(&app, "ada@example.com").await;
    let own = cookie_of(&refresh(&app, &stolen).await);
    app.clock.advance(11 * SECOND);
    refresh(&app, &stolen).await.expect(401);
    refresh(&app, &own).await.expect(401);
    let client = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    client.get("/v1/profiles").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn an_old_tab_gets_the_same_successor_even_if_that_is_spent() {
    let app = test_app().await;
    let (_, first) = signed_in(&app, "ada@example.com").await;
    let second = cookie_of(&refresh(&app, &first).await);
    app.clock.advance(500);
    let third = cookie_of(&refresh(&app, &second).await);
    app.clock.advance(400);
    let late = refresh(&app, &first).await;
    let session = late.expect(200);
    assert!(
        !late.headers.contains_key("set-cookie"),
        "the successor is spent: the browser has a newer cookie"
    );
    let tab = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    tab.get("/v1/profiles").await.expect(200);
    assert_eq!(cookie_of(&refresh(&app, &second).await), third);
    app.clock.advance(9_500);
    assert_eq!(cookie_of(&refresh(&app, &second).await), third, "spent less than ten seconds ago");
    refresh(&app, &first).await.expect(401);
    refresh(&app, &third).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn a_late_response_to_an_old_tab_keeps_the_newest_cookie() {
    let app = test_app().await;
    let (_, first) = signed_in(&app, "ada@example.com").await;
    let second = cookie_of(&refresh(&app, &first).await);
    let mut jar = cookie_of(&refresh(&app, &second).await);
    app.clock.advance(SECOND);
    let late = refresh(&app, &first).await;
    late.expect(200);
    if late.headers.contains_key("set-cookie") {
        jar = cookie_of(&late);
    }
    app.clock.advance(HOUR);
    refresh(&app, &jar).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_client_can_retry_a_refresh_that_hung() {
    let app = test_app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    let lost = cookie_of(&refresh(&app, &cookie).await);
    app.clock.advance(9 * SECOND);
    let again = refresh(&app, &cookie).await;
    again.expect(200);
    assert_eq!(cookie_of(&again), lost, "the answer that never arrived");
    app.clock.advance(HOUR);
    refresh(&app, &lost).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_token_of_one_app_is_rejected_in_the_cookie_of_the_other() {
    let app = test_app().await;
    let (_, portal) = signed_in(&app, "ada@example.com").await;
    let token = portal.split_once('=').unwrap().1;
    let client = app.anonymous();
    let request = client
        .request(Method::POST, "/v1/auth/refresh?app=viewer")
        .header("cookie", format!("vitrine_viewer_refresh={token}"));
    client.send(request.body(Body::empty()).unwrap()).await.expect(401);
    refresh(&app, &portal).await.expect(200);
    app.settle().await;
}

async fn sign_out(app: &TestApp, query: &str, cookie: &str, origin: &str) -> ApiResponse {
    let client = app.anonymous();
    let request = client
        .request(Method::POST, &format!("/v1/auth/sign-out{query}"))
        .header("cookie", cookie)
        .header("origin", origin);
    client.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn signing_out_works_with_an_expired_access_token() {
    let app = test_app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    app.clock.advance(HOUR);
    let old = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    old.post("/v1/auth/sign-out", serde_json::json!({})).await.expect(401);
    sign_out(&app, "", &cookie, "https://evil.example").await.expect(401);
    sign_out(&app, "?app=viewer", &cookie, "http://vitrine.test").await.expect(401);
    let done = sign_out(&app, "", &cookie, "http://vitrine.test").await;
    done.expect(204);
    assert!(done.headers["set-cookie"].to_str().unwrap().starts_with("vitrine_refresh=; "));
    refresh(&app, &cookie).await.expect(401);
    sign_out(&app, "", &cookie, "http://vitrine.test").await.expect(204);
    app.settle().await;
}

#[tokio::test]
async fn a_valid_cookie_can_end_every_session_and_a_stolen_old_one_only_its_own() {
    let app = test_app().await;
    let (_, spent) = signed_in(&app, "ada@example.com").await;
    let current = cookie_of(&refresh(&app, &spent).await);
    let other = app.person("ada@example.com").await;
    app.clock.advance(11 * SECOND);
    sign_out(&app, "?everywhere=1", &spent, "http://vitrine.test").await.expect(204);
    refresh(&app, &current).await.expect(401);
    other.get("/v1/profiles").await.expect(200);
    app.clock.advance(kernel::MINUTE);
    let (_, fresh) = signed_in(&app, "ada@example.com").await;
    sign_out(&app, "?everywhere=1", &fresh, "http://vitrine.test").await.expect(204);
    other.get("/v1/profiles").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn another_sites_page_cannot_refresh() {
    let app = test_app().await;
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
async fn another_sites_page_cannot_refresh_without_an_origin_header() {
    let app = test_app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    for (site, status) in [("cross-site", 401), ("same-origin", 200)] {
        let client = app.anonymous();
        let request = client
            .request(Method::POST, "/v1/auth/refresh")
            .header("cookie", &cookie)
            .header("sec-fetch-site", site);
        client.send(request.body(Body::empty()).unwrap()).await.expect(status);
    }
    app.settle().await;
}

#[tokio::test]
async fn signing_out_everywhere_accepts_true_and_refuses_other_values() {
    let app = test_app().await;
    let (here, there) = (app.person("ada@example.com").await, app.person("ada@example.com").await);
    for odd in ["yes", "0", "false", "", "TRUE"] {
        let answer = here.post(&format!("/v1/auth/sign-out?everywhere={odd}"), serde_json::json!({})).await;
        answer.expect_error(400, "everywhere must be true or omitted.");
    }
    here.get("/v1/profiles").await.expect(200);
    here.post("/v1/auth/sign-out?everywhere=true", serde_json::json!({})).await.expect(204);
    there.get("/v1/profiles").await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn signing_out_invalidates_the_token_immediately() {
    let app = test_app().await;
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
async fn an_unused_session_ends_after_thirty_days() {
    let app = test_app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    app.clock.advance(30 * DAY);
    refresh(&app, &cookie).await.expect(401);
    app.settle().await;
}
