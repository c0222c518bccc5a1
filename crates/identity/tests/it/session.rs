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
async fn a_hundred_times_twenty_tabs_never_hold_two_living_branches() {
    let app = app().await;
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
        app.clock.pass(SECOND);
    }
    app.settle().await;
}

#[tokio::test]
async fn the_list_of_sessions_shows_where_one_is_signed_in_and_ends_each() {
    let app = app().await;
    let (here, there) = (app.person("ada@example.com").await, app.person("ada@example.com").await);
    let stranger = app.person("eve@example.com").await;
    app.clock.pass(SECOND);
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let claim = serde_json::json!({
        "email": "ada@example.com", "code": super::code_for(&app, "ada@example.com").await, "app": "viewer",
    });
    let client = app.anonymous();
    let mut request = client
        .request(Method::POST, "/v1/auth/magic-links/redeem")
        .header("content-type", "application/json")
        .header("user-agent", agent)
        .body(Body::from(claim.to_string()))
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
    stranger.delete(&path).await.refuse(404, "Session not found");
    there.delete(&path).await.expect(204);
    there.delete(&path).await.expect(404);
    client.with_token(phone["accessToken"].as_str().unwrap()).get("/v1/profiles").await.expect(401);
    assert_eq!(here.get("/v1/auth/sessions").await.expect(200)["data"].as_array().unwrap().len(), 2);
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
async fn an_old_tab_gets_the_same_successor_although_that_one_is_spent_too() {
    let app = app().await;
    let (_, first) = signed_in(&app, "ada@example.com").await;
    let second = cookie_of(&refresh(&app, &first).await);
    app.clock.pass(500);
    let third = cookie_of(&refresh(&app, &second).await);
    app.clock.pass(400);
    let late = refresh(&app, &first).await;
    let session = late.expect(200);
    assert!(
        !late.headers.contains_key("set-cookie"),
        "the successor is spent: the browser has a newer cookie"
    );
    let tab = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    tab.get("/v1/profiles").await.expect(200);
    assert_eq!(cookie_of(&refresh(&app, &second).await), third);
    app.clock.pass(9_500);
    assert_eq!(cookie_of(&refresh(&app, &second).await), third, "spent less than ten seconds ago");
    refresh(&app, &first).await.expect(401);
    refresh(&app, &third).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn a_late_answer_to_an_old_tab_leaves_the_newest_cookie_in_the_browser() {
    let app = app().await;
    let (_, first) = signed_in(&app, "ada@example.com").await;
    let second = cookie_of(&refresh(&app, &first).await);
    let mut jar = cookie_of(&refresh(&app, &second).await);
    app.clock.pass(SECOND);
    let late = refresh(&app, &first).await;
    late.expect(200);
    if late.headers.contains_key("set-cookie") {
        jar = cookie_of(&late);
    }
    app.clock.pass(HOUR);
    refresh(&app, &jar).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_client_that_gave_up_on_a_hanging_renewal_can_try_once_more() {
    let app = app().await;
    let (_, cookie) = signed_in(&app, "ada@example.com").await;
    let lost = cookie_of(&refresh(&app, &cookie).await);
    app.clock.pass(9 * SECOND);
    let again = refresh(&app, &cookie).await;
    again.expect(200);
    assert_eq!(cookie_of(&again), lost, "the answer that never arrived");
    app.clock.pass(HOUR);
    refresh(&app, &lost).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_token_of_one_app_does_not_renew_in_the_cookie_of_the_other() {
    let app = app().await;
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

async fn sign_out(app: &TestApp, query: &str, cookie: &str, origin: &str) -> Answer {
    let client = app.anonymous();
    let request = client
        .request(Method::POST, &format!("/v1/auth/sign-out{query}"))
        .header("cookie", cookie)
        .header("origin", origin);
    client.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn signing_out_needs_no_living_access_token() {
    let app = app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    app.clock.pass(HOUR);
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
async fn a_cookie_that_counts_ends_every_session_and_a_stolen_old_one_only_its_own() {
    let app = app().await;
    let (_, spent) = signed_in(&app, "ada@example.com").await;
    let living = cookie_of(&refresh(&app, &spent).await);
    let other = app.person("ada@example.com").await;
    app.clock.pass(11 * SECOND);
    sign_out(&app, "?everywhere=1", &spent, "http://vitrine.test").await.expect(204);
    refresh(&app, &living).await.expect(401);
    other.get("/v1/profiles").await.expect(200);
    app.clock.pass(kernel::MINUTE);
    let (_, fresh) = signed_in(&app, "ada@example.com").await;
    sign_out(&app, "?everywhere=1", &fresh, "http://vitrine.test").await.expect(204);
    other.get("/v1/profiles").await.expect(401);
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
async fn another_sites_page_cannot_refresh_without_saying_its_origin() {
    let app = app().await;
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
async fn signing_out_everywhere_takes_true_and_refuses_what_it_does_not_know() {
    let app = app().await;
    let (here, there) = (app.person("ada@example.com").await, app.person("ada@example.com").await);
    for odd in ["yes", "0", "false", "", "TRUE"] {
        let answer = here.post(&format!("/v1/auth/sign-out?everywhere={odd}"), serde_json::json!({})).await;
        answer.refuse(400, "everywhere must be true or omitted.");
    }
    here.get("/v1/profiles").await.expect(200);
    here.post("/v1/auth/sign-out?everywhere=true", serde_json::json!({})).await.expect(204);
    there.get("/v1/profiles").await.expect(401);
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
