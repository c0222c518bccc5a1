//! The six digits in the email of a magic link.

use axum::body::Body;
use http::Method;
use kernel::MINUTE;
use serde_json::{Value, json};
use testkit::{ApiResponse, Client, TestApp};

use super::{code_in, email_to, test_app};

const WRONG: &str = "This code is not right. Check the newest email we sent you.";
const DEAD: &str = "This code no longer works here. Open the link in the email, or request a new code.";

/// A browser that asked for a link: its cookie, and what the email has.
struct EmailedCode {
    cookie: String,
    digits: String,
    link_code: String,
}

/// Requests a link in a browser with this cookie, or in a new one.
async fn ask(app: &TestApp, email: &str, cookie: Option<&str>) -> EmailedCode {
    let body = json!({ "email": email, "action": "login", "app": "viewer" });
    let answer = post(&app.anonymous(), "/v1/auth/magic-links", cookie.unwrap_or_default(), &body).await;
    let header = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    assert!(header.contains("HttpOnly; SameSite=Strict; Max-Age=600"), "{header}");
    answer.expect(202);
    let message = email_to(app, email).await;
    EmailedCode {
        cookie: header.split(';').next().unwrap().to_owned(),
        digits: digits_in(message.text.as_deref().unwrap()),
        link_code: code_in(&message),
    }
}

fn digits_in(text: &str) -> String {
    let after = text.split("asked for the email: ").nth(1).unwrap();
    after.lines().next().unwrap().to_owned()
}

async fn redeem(app: &TestApp, cookie: &str, email: &str, digits: &str) -> ApiResponse {
    let body = json!({ "email": email, "code": digits, "app": "viewer" });
    post(&app.anonymous(), "/v1/auth/magic-links/redeem-code", cookie, &body).await
}

async fn post(client: &Client, path: &str, cookie: &str, body: &Value) -> ApiResponse {
    let request = client.request(Method::POST, path).header("cookie", cookie);
    let request = request.header("content-type", "application/json").body(Body::from(body.to_string()));
    client.send(request.unwrap()).await
}

/// Returns six digits that are not these.
fn other_than(digits: &str) -> String {
    let number: u32 = digits.replace(' ', "").parse().unwrap();
    format!("{:06}", (number + 1) % 1_000_000)
}

#[tokio::test]
async fn the_digits_sign_in_once_and_use_up_the_link() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let compact = asked.digits.replace(' ', "");
    assert!(compact.len() == 6 && compact.bytes().all(|b| b.is_ascii_digit()), "{compact}");
    let session = redeem(&app, &asked.cookie, " ADA@example.com", &asked.digits).await.expect(200);
    assert_eq!((&session["isNew"], &session["profile"]["email"]), (&json!(true), &json!("ada@example.com")));
    redeem(&app, &asked.cookie, "ada@example.com", &compact).await.expect_error(400, DEAD);
    let link = json!({ "email": "ada@example.com", "code": asked.link_code });
    app.anonymous()
        .post("/v1/auth/magic-links/redeem", link)
        .await
        .expect_error(400, "The sign-in link is invalid or has expired.");
    app.settle().await;
}

#[tokio::test]
async fn the_link_uses_up_the_digits() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let link = json!({ "email": "ada@example.com", "code": asked.link_code });
    app.anonymous().post("/v1/auth/magic-links/redeem", link).await.expect(200);
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect_error(400, DEAD);
    app.settle().await;
}

#[tokio::test]
async fn the_digits_work_only_in_the_browser_that_asked() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let other = ask(&app, "bob@example.com", None).await;
    for cookie in ["", "vitrine_asked=", "vitrine_asked=guessed", &other.cookie] {
        redeem(&app, cookie, "ada@example.com", &asked.digits).await.expect_error(400, DEAD);
    }
    redeem(&app, &other.cookie, "bob@example.com", &asked.digits).await.expect_error(400, WRONG);
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn five_wrong_tries_end_the_digits_but_not_the_link() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let wrong = other_than(&asked.digits);
    for expected in [WRONG, WRONG, WRONG, WRONG, DEAD] {
        redeem(&app, &asked.cookie, "ada@example.com", &wrong).await.expect_error(400, expected);
        app.clock.advance(30_000);
    }
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect_error(400, DEAD);
    let link = json!({ "email": "ada@example.com", "code": asked.link_code });
    app.anonymous().post("/v1/auth/magic-links/redeem", link).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn wrong_digits_in_another_browser_take_no_tries() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    app.clock.advance(MINUTE);
    let stranger = ask(&app, "ada@example.com", None).await;
    assert_ne!(stranger.cookie, asked.cookie);
    for _ in 0..5 {
        redeem(&app, &stranger.cookie, "ada@example.com", &other_than(&stranger.digits)).await;
        app.clock.advance(20_000);
    }
    redeem(&app, &stranger.cookie, "ada@example.com", &stranger.digits).await.expect_error(400, DEAD);
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn tries_that_follow_each_other_have_to_wait() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let wrong = other_than(&asked.digits);
    for _ in 0..3 {
        redeem(&app, &asked.cookie, "ada@example.com", &wrong).await.expect_error(400, WRONG);
    }
    let slowed = redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await;
    assert_eq!((slowed.status.as_u16(), slowed.headers["retry-after"].to_str().unwrap()), (429, "1"));
    app.clock.advance(1_000);
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn the_digits_expire_after_ten_minutes() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    app.clock.advance(10 * MINUTE - 1);
    redeem(&app, &asked.cookie, "ada@example.com", &other_than(&asked.digits)).await.expect_error(400, WRONG);
    app.clock.advance(1);
    redeem(&app, &asked.cookie, "ada@example.com", &asked.digits).await.expect_error(400, DEAD);
    app.settle().await;
}

#[tokio::test]
async fn the_digits_of_an_earlier_email_work_after_a_resend() {
    let app = test_app().await;
    let first = ask(&app, "ada@example.com", None).await;
    app.clock.advance(MINUTE);
    let second = ask(&app, "ada@example.com", Some(&first.cookie)).await;
    assert_eq!(second.cookie, first.cookie);
    redeem(&app, &first.cookie, "ada@example.com", &first.digits).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn ten_simultaneous_redemptions_of_the_digits_open_one_session() {
    let app = test_app().await;
    let asked = ask(&app, "ada@example.com", None).await;
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let client = app.anonymous();
        let (cookie, digits) = (asked.cookie.clone(), asked.digits.clone());
        tries.spawn(async move {
            let body = json!({ "email": "ada@example.com", "code": digits });
            post(&client, "/v1/auth/magic-links/redeem-code", &cookie, &body).await.status.as_u16()
        });
    }
    let statuses = tries.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    app.settle().await;
}
