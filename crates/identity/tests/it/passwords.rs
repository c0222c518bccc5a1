//! Sign-up, sign-in and reset with a password, and the effects of verifying an address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use futures::FutureExt as _;
use http::Method;
use kernel::{HOUR, MINUTE, SECOND};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use testkit::{ApiResponse, TestApp};

use super::{code_in, email_to, signed_in, test_app};

const GOOD: &str = "wren-tapestry-94";
const WRONG: &str = "The e-mail or password is wrong.";

fn pair(email: &str, password: &str) -> Value {
    json!({ "email": email, "password": password })
}

async fn sign_up(app: &TestApp, email: &str) -> ApiResponse {
    app.anonymous().post("/v1/auth/sign-up", pair(email, GOOD)).await
}

/// Attempts to sign in from the client address 192.0.2.`last`.
async fn try_from(app: &TestApp, last: u8, input: &Value) -> ApiResponse {
    let client = app.anonymous();
    let mut request = client
        .request(Method::POST, "/v1/auth/sign-in")
        .header("content-type", "application/json")
        .body(Body::from(input.to_string()))
        .unwrap();
    let origin = SocketAddr::from((IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)), 1));
    request.extensions_mut().insert(ConnectInfo(origin));
    client.send(request).await
}

#[tokio::test]
async fn a_new_account_is_signed_in_and_asked_to_confirm_its_address() {
    let app = test_app().await;
    let session = sign_up(&app, " Ada@Example.com").await.expect(201);
    assert_eq!(
        (session["isNew"].as_bool(), session["profile"]["email"].as_str()),
        (Some(true), Some("ada@example.com"))
    );
    let me = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    let expected =
        json!({ "email": "ada@example.com", "emailVerified": false, "password": true, "providers": [] });
    assert_eq!(methods, expected);

    let code = code_in(&email_to(&app, "ada@example.com").await);
    let stranger = app.person("eve@example.com").await;
    let dead = "The confirmation link is invalid or has expired.";
    let input = json!({ "code": code });
    stranger.post("/v1/auth/verifications/redeem", input.clone()).await.expect_error(400, dead);
    app.anonymous().post("/v1/auth/verifications/redeem", input.clone()).await.expect(401);
    me.post("/v1/auth/verifications/redeem", input.clone()).await.expect(204);
    me.post("/v1/auth/verifications/redeem", input).await.expect_error(400, dead);
    assert_eq!(me.get("/v1/auth/methods").await.expect(200)["emailVerified"], true);
    me.post("/v1/auth/verifications", json!({}))
        .await
        .expect_error(409, "This email address is already confirmed.");
    app.anonymous().post("/v1/auth/sign-in", pair("ADA@example.com ", GOOD)).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn the_confirmation_can_be_requested_again_but_not_too_often() {
    let app = test_app().await;
    let session = sign_up(&app, "ada@example.com").await.expect(201);
    let me = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    me.post("/v1/auth/verifications", json!({})).await.expect(429);
    app.clock.advance(MINUTE);
    me.post("/v1/auth/verifications", json!({})).await.expect(202);
    let code = code_in(&email_to(&app, "ada@example.com").await);
    app.clock.advance(24 * HOUR);
    let again = app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", GOOD)).await.expect(200);
    let me = app.anonymous().with_token(again["accessToken"].as_str().unwrap());
    me.post("/v1/auth/verifications/redeem", json!({ "code": code })).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn a_password_must_not_be_short_long_or_common() {
    let app = test_app().await;
    let too_long = "é".repeat(129);
    for (password, code) in [
        ("wren-94", "password_length"),
        (too_long.as_str(), "password_length"),
        ("password1", "weak_password"),
    ] {
        let refused =
            app.anonymous().post("/v1/auth/sign-up", pair("ada@example.com", password)).await.expect(400);
        assert_eq!(refused["code"], code, "{password}");
        assert_eq!(refused["fields"]["password"], refused["message"]);
    }
    let words = "été wren tapestry lantern otter walnut 94 quartz helmet; ";
    let longest: String =
        words.chars().chain(words.chars().rev()).chain("mulberry-sextant".chars()).take(128).collect();
    assert_eq!(longest.chars().count(), 128);
    app.anonymous().post("/v1/auth/sign-up", pair("ada@example.com", &longest)).await.expect(201);
    app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", &longest)).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn an_address_can_sign_up_once_even_with_eight_simultaneous_requests() {
    let app = test_app().await;
    signed_in(&app, "known@example.com").await;
    sign_up(&app, "known@example.com").await.expect_error(409, "This email address is already in use.");
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let client = app.anonymous();
        tries.spawn(async move {
            client.post("/v1/auth/sign-up", pair("ada@example.com", GOOD)).await.status.as_u16()
        });
    }
    let mut statuses = tries.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (201, &[409; 7][..]));
    app.settle().await;
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_the_same_response() {
    let app = test_app().await;
    sign_up(&app, "ada@example.com").await.expect(201);
    signed_in(&app, "bea@example.com").await;
    let mut bodies = Vec::new();
    for email in ["ada@example.com", "bea@example.com", "nobody@example.com", "nonsense"] {
        let answer = app.anonymous().post("/v1/auth/sign-in", pair(email, "wren-tapestry-95")).await;
        answer.expect_error(401, WRONG);
        bodies.push(answer.bytes);
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    app.settle().await;
}

#[tokio::test]
async fn repeated_guesses_wait_and_the_owner_elsewhere_does_not() {
    let app = test_app().await;
    sign_up(&app, "ada@example.com").await.expect(201);
    let (wrong, right) = (pair("ada@example.com", "wren-tapestry-95"), pair("ada@example.com", GOOD));
    for _ in 0..3 {
        try_from(&app, 1, &wrong).await.expect_error(401, WRONG);
    }
    let slowed = try_from(&app, 1, &right).await;
    slowed.expect_error(429, "Too many requests. Please wait a moment.");
    assert_eq!(slowed.headers["retry-after"], "1");
    try_from(&app, 2, &right).await.expect(200);
    app.clock.advance(SECOND);
    try_from(&app, 1, &wrong).await.expect_error(401, WRONG);
    app.clock.advance(SECOND);
    assert_eq!(try_from(&app, 1, &wrong).await.headers["retry-after"], "1", "two seconds, one of them over");
    app.clock.advance(SECOND);
    try_from(&app, 1, &right).await.expect(200);
    for _ in 0..3 {
        try_from(&app, 1, &wrong).await.expect_error(401, WRONG);
    }
    app.settle().await;
}

#[tokio::test]
async fn of_fifty_simultaneous_guesses_three_are_checked() {
    let app = test_app().await;
    sign_up(&app, "ada@example.com").await.expect(201);
    let mut tries = tokio::task::JoinSet::new();
    for n in 0..50 {
        let client = app.anonymous();
        tries.spawn(async move {
            let input = pair("ada@example.com", &format!("wren-tapestry-{n}x"));
            client.post("/v1/auth/sign-in", input).await.status.as_u16()
        });
    }
    let statuses = tries.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 3, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 47);
    app.settle().await;
}

#[tokio::test]
async fn a_guess_counts_even_if_the_client_disconnects() {
    let app = test_app().await;
    let (client, wrong) = (app.anonymous(), pair("ada@example.com", "wren-tapestry-95"));
    for _ in 0..2 {
        // Dropped while the password is being checked.
        assert!(client.post("/v1/auth/sign-in", wrong.clone()).now_or_never().is_none());
    }
    let read = app.deps.db.read();
    let stored = Statement::from_string(
        read.get_database_backend(),
        "SELECT uid FROM sign_in_attempt WHERE tries = 2",
    );
    let mut counts = 0;
    for _ in 0..200 {
        counts = read.query_all_raw(stored.clone()).await.unwrap().len();
        if counts == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(counts, 3, "by client address, by both, and by email");
    app.settle().await;
}

async fn reset_code(app: &TestApp, email: &str) -> String {
    app.anonymous().post("/v1/auth/password-resets", json!({ "email": email })).await.expect(202);
    let message = email_to(app, email).await;
    assert_eq!(message.kind, "password_reset");
    code_in(&message)
}

#[tokio::test]
async fn a_reset_sets_the_password_once_and_ends_every_other_session() {
    let app = test_app().await;
    let (session, _) = signed_in(&app, "ada@example.com").await;
    let old = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    let code = reset_code(&app, "ada@example.com").await;
    let redeem = "/v1/auth/password-resets/redeem";
    let weak = json!({ "code": code, "password": "password1" });
    app.anonymous().post(redeem, weak).await.expect(400);
    let input = json!({ "code": code, "password": GOOD });
    let new = app.anonymous().post(redeem, input.clone()).await.expect(200);
    let dead = "The reset link is invalid or has expired.";
    app.anonymous().post(redeem, input).await.expect_error(400, dead);
    old.get("/v1/profiles").await.expect(401);
    let me = app.anonymous().with_token(new["accessToken"].as_str().unwrap());
    assert_eq!(me.get("/v1/auth/methods").await.expect(200)["password"], true);
    app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", GOOD)).await.expect(200);
    assert_eq!(email_to(&app, "ada@example.com").await.kind, "password_changed");

    app.clock.advance(MINUTE);
    let first = reset_code(&app, "ada@example.com").await;
    app.clock.advance(MINUTE);
    let second = reset_code(&app, "ada@example.com").await;
    app.clock.advance(HOUR - MINUTE);
    let late = json!({ "code": first, "password": GOOD });
    app.anonymous().post(redeem, late).await.expect_error(400, dead);
    app.anonymous().post("/v1/auth/password-resets", json!({ "email": "ada@example.com" })).await.expect(202);
    let third = code_in(&email_to(&app, "ada@example.com").await);
    let input = json!({ "code": second, "password": "otter-lantern-37" });
    app.anonymous().post(redeem, input).await.expect(200);
    let older = json!({ "code": third, "password": GOOD });
    app.anonymous().post(redeem, older).await.expect_error(400, dead);
    app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", GOOD)).await.expect_error(401, WRONG);
    app.settle().await;
}

#[tokio::test]
async fn a_reset_for_an_unknown_address_gets_the_same_response() {
    let app = test_app().await;
    signed_in(&app, "ada@example.com").await;
    let ask = async |email: &str| {
        let answer = app.anonymous().post("/v1/auth/password-resets", json!({ "email": email })).await;
        (answer.status.as_u16(), answer.bytes)
    };
    assert_eq!(ask("ada@example.com").await, ask("nobody@example.com").await);
    assert_eq!(email_to(&app, "nobody@example.com").await.kind, "no_account");
    let (known, unknown) = (ask("ada@example.com").await, ask("nobody@example.com").await);
    assert_eq!((known.0, &known), (429, &unknown), "both are slowed alike");
    app.anonymous()
        .post("/v1/auth/password-resets", json!({ "email": "x" }))
        .await
        .expect_error(400, "Invalid email!");
    app.settle().await;
}

#[tokio::test]
async fn the_limits_of_links_resets_and_confirmations_are_separate() {
    let app = test_app().await;
    sign_up(&app, "ada@example.com").await.expect(201);
    reset_code(&app, "ada@example.com").await;
    let link = json!({ "email": "ada@example.com", "action": "login" });
    app.anonymous().post("/v1/auth/magic-links", link).await.expect(202);
    app.settle().await;
}

#[tokio::test]
async fn emails_are_counted_by_mailbox() {
    let app = test_app().await;
    let ask = async |email: &str| {
        let input = json!({ "email": email, "action": "login" });
        app.anonymous().post("/v1/auth/magic-links", input).await.status.as_u16()
    };
    assert_eq!(ask("ada+one@example.com").await, 202);
    assert_eq!(ask("ada+two@example.com").await, 429);
    assert_eq!(ask("ada@example.com").await, 202, "tags take nothing from the plain address");
    assert_eq!(ask("ada@example.com").await, 429);
    assert_eq!(ask("ada+three@example.com").await, 429);
    assert_eq!(ask("ida@example.com").await, 202);
    app.settle().await;
}

#[tokio::test]
async fn an_account_is_created_even_if_its_confirmation_email_exceeds_the_limit() {
    let app = test_app().await;
    sign_up(&app, "ada+1@example.com").await.expect(201);
    let session = sign_up(&app, "ada+2@example.com").await.expect(201);
    app.anonymous().post("/v1/auth/sign-in", pair("ada+2@example.com", GOOD)).await.expect(200);
    app.run_jobs().await;
    assert_eq!(app.deps.mailer.sent(None, 9).await.unwrap().len(), 1, "the mailbox is not flooded");
    app.clock.advance(MINUTE);
    let me = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    me.post("/v1/auth/verifications", json!({})).await.expect(202);
    let code = code_in(&email_to(&app, "ada+2@example.com").await);
    me.post("/v1/auth/verifications/redeem", json!({ "code": code })).await.expect(204);
    sign_up(&app, "ada@example.com").await.expect(201);
    assert_eq!(email_to(&app, "ada@example.com").await.kind, "confirm_address");
    app.settle().await;
}

#[tokio::test]
async fn a_hundred_wrong_passwords_from_anywhere_require_a_magic_link() {
    let app = test_app().await;
    signed_in(&app, "bea@example.com").await;
    app.clock.advance(MINUTE);
    let code = reset_code(&app, "bea@example.com").await;
    let input = json!({ "code": code, "password": GOOD });
    app.anonymous().post("/v1/auth/password-resets/redeem", input).await.expect(200);
    let (wrong, right) = (pair("bea@example.com", "wren-tapestry-95"), pair("bea@example.com", GOOD));
    let guess = async |from: u8, to: u8| {
        for origin in from..to {
            try_from(&app, origin, &wrong).await.expect_error(401, WRONG);
        }
    };
    guess(0, 99).await;
    try_from(&app, 200, &right).await.expect(200);
    guess(99, 100).await;
    for input in [&right, &wrong] {
        let refused = try_from(&app, 201, input).await.expect(403);
        assert_eq!(refused["code"], "link_required");
        assert!(refused["message"].as_str().unwrap().contains("link"), "{refused}");
    }
    let other = pair("nobody@example.com", GOOD);
    try_from(&app, 202, &other).await.expect_error(401, WRONG);
    signed_in(&app, "bea@example.com").await;
    try_from(&app, 203, &right).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn only_expired_rows_are_deleted() {
    let app = test_app().await;
    let rows = async |table: &str| {
        use sea_orm::ConnectionTrait as _;
        let sql = format!("SELECT COUNT(*) AS n FROM {table}");
        let statement = sea_orm::Statement::from_string(app.deps.db.read().get_database_backend(), sql);
        let row = app.deps.db.read().query_one_raw(statement).await.unwrap().unwrap();
        row.try_get::<i64>("", "n").unwrap()
    };
    let prune = async || app.deps.identity.prune().await.unwrap();
    let (_, _) = signed_in(&app, "ada@example.com").await;
    app.clock.advance(24 * HOUR + 10 * MINUTE);
    prune().await;
    assert_eq!((rows("mailed_code").await, rows("session").await), (1, 1), "not over for a whole day");
    app.clock.advance(1);
    prune().await;
    assert_eq!((rows("mailed_code").await, rows("session").await), (0, 1));
    app.clock.advance(58 * 24 * HOUR);
    prune().await;
    assert_eq!(rows("session").await, 1);
    app.clock.advance(24 * HOUR);
    prune().await;
    assert_eq!(rows("session").await, 0);
    app.settle().await;
}

#[tokio::test]
async fn a_code_of_one_kind_is_not_valid_as_another() {
    let app = test_app().await;
    sign_up(&app, "ada@example.com").await.expect(201);
    let confirmation = code_in(&email_to(&app, "ada@example.com").await);
    let reset = reset_code(&app, "ada@example.com").await;
    for code in [confirmation, reset.clone()] {
        let input = json!({ "email": "ada@example.com", "code": code });
        app.anonymous().post("/v1/auth/magic-links/redeem", input).await.expect(400);
    }
    let link = super::code_for(&app, "ada@example.com").await;
    let input = json!({ "code": link, "password": GOOD });
    app.anonymous().post("/v1/auth/password-resets/redeem", input).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn an_account_set_up_with_someone_elses_address_belongs_to_the_owner_alone() {
    let app = test_app().await;
    let theirs = sign_up(&app, "ada@example.com").await.expect(201);
    let theirs_token = app.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    let user = json!({ "firstName": "Eve", "lastName": "Forger", "displayName": "Eve", "company": "Forgers",
        "phoneNumber": "+44 20 7946 0958", "linkedIn": "https://www.linkedin.com/in/eve", "jobTitle": "CEO",
        "businessArea": "IT", "address": { "country": "GB" }, "termsAccepted": true });
    theirs_token.patch("/v1/profiles", json!({ "user": user })).await.expect(200);
    let (mine, _) = signed_in(&app, "ada@example.com").await;
    assert_eq!((mine["isNew"].as_bool(), &mine["profile"]["uid"]), (Some(false), &theirs["profile"]["uid"]));
    let profile = mine["profile"].as_object().unwrap();
    for (field, value) in profile {
        if !["uid", "email", "timeCreated"].contains(&field.as_str()) {
            assert!(value.is_null() || value == "", "{field} is left of what a stranger set up: {value}");
        }
    }
    theirs_token.get("/v1/profiles").await.expect(401);
    app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", GOOD)).await.expect_error(401, WRONG);
    assert_eq!(email_to(&app, "ada@example.com").await.kind, "password_dropped");
    let me = app.anonymous().with_token(mine["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    assert_eq!(
        (methods["emailVerified"].as_bool(), methods["password"].as_bool()),
        (Some(true), Some(false))
    );
    app.settle().await;
}

#[tokio::test]
async fn a_password_of_a_verified_address_survives_a_magic_link() {
    let app = test_app().await;
    signed_in(&app, "ada@example.com").await;
    let code = reset_code(&app, "ada@example.com").await;
    let input = json!({ "code": code, "password": GOOD });
    let session = app.anonymous().post("/v1/auth/password-resets/redeem", input).await.expect(200);
    app.clock.advance(MINUTE);
    signed_in(&app, "ada@example.com").await;
    app.anonymous().post("/v1/auth/sign-in", pair("ada@example.com", GOOD)).await.expect(200);
    app.anonymous()
        .with_token(session["accessToken"].as_str().unwrap())
        .get("/v1/profiles")
        .await
        .expect(200);
    app.settle().await;
}
