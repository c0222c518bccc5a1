//! Magic links: usable once, for one address, before they expire.

use kernel::MINUTE;
use serde_json::json;

use super::{code_for, test_app};

const DEAD: &str = "The sign-in link is invalid or has expired.";

#[tokio::test]
async fn a_link_signs_in_once_and_creates_the_person() {
    let app = test_app().await;
    let code = code_for(&app, "ada@example.com").await;
    let input = json!({ "email": " ADA@example.com", "code": code });
    let session = app.anonymous().post("/v1/auth/magic-links/redeem", input.clone()).await.expect(200);
    assert_eq!((session["isNew"].as_bool(), session["expiresIn"].as_i64()), (Some(true), Some(3600)));
    assert_eq!(session["profile"]["email"], "ada@example.com");
    app.anonymous().post("/v1/auth/magic-links/redeem", input).await.expect_error(400, DEAD);
    let me = app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    assert_eq!(me.get("/v1/profiles").await.expect(200)["uid"], session["profile"]["uid"]);
    app.settle().await;
}

#[tokio::test]
async fn a_wrong_address_does_not_use_up_the_link_and_links_expire() {
    let app = test_app().await;
    let code = code_for(&app, "ada@example.com").await;
    let redeem = |email: &str| json!({ "email": email, "code": code });
    let anonymous = app.anonymous();
    anonymous.post("/v1/auth/magic-links/redeem", redeem("eve@example.com")).await.expect_error(400, DEAD);
    anonymous.post("/v1/auth/magic-links/redeem", redeem("nonsense")).await.expect_error(400, DEAD);
    app.clock.advance(10 * MINUTE - 1);
    anonymous.post("/v1/auth/magic-links/redeem", redeem("ada@example.com")).await.expect(200);
    let code = code_for(&app, "ada@example.com").await;
    app.clock.advance(10 * MINUTE);
    let late = json!({ "email": "ada@example.com", "code": code });
    anonymous.post("/v1/auth/magic-links/redeem", late).await.expect_error(400, DEAD);
    app.settle().await;
}

#[tokio::test]
async fn ten_simultaneous_redemptions_open_one_session() {
    let app = test_app().await;
    let code = code_for(&app, "ada@example.com").await;
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (client, code) = (app.anonymous(), code.clone());
        tries.spawn(async move {
            let input = json!({ "email": "ada@example.com", "code": code });
            client.post("/v1/auth/magic-links/redeem", input).await.status.as_u16()
        });
    }
    let statuses = tries.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    app.settle().await;
}

#[tokio::test]
async fn an_invalid_address_is_refused_and_requests_are_rate_limited() {
    let app = test_app().await;
    let input = |email: &str| json!({ "email": email, "action": "signup" });
    let anonymous = app.anonymous();
    anonymous.post("/v1/auth/magic-links", input("ada")).await.expect_error(400, "Invalid email!");
    anonymous.post("/v1/auth/magic-links", input("ada@example.com")).await.expect(202);
    let slowed = anonymous.post("/v1/auth/magic-links", input("ada@example.com")).await;
    assert_eq!((slowed.status.as_u16(), slowed.headers["retry-after"].to_str().unwrap()), (429, "60"));
    app.clock.advance(MINUTE);
    anonymous.post("/v1/auth/magic-links", input("ada@example.com")).await.expect(202);
    app.settle().await;
}

#[tokio::test]
async fn the_viewer_apps_link_leads_to_the_viewer_app() {
    let app = test_app().await;
    let input = json!({ "email": "ada@example.com", "action": "login", "app": "viewer", "joinCode": "abc" });
    app.anonymous().post("/v1/auth/magic-links", input).await.expect(202);
    app.run_jobs().await;
    let message = app.deps.mailer.sent(None, 1).await.unwrap().remove(0);
    let link = message.links().remove(0);
    assert!(link.starts_with("http://vitrine.test/app/authenticate?code="), "{link}");
    assert!(link.ends_with("&joinCode=abc"), "{link}");
    app.settle().await;
}

#[tokio::test]
async fn twelve_simultaneous_requests_send_one_email() {
    let app = test_app().await;
    let mut requests = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let client = app.anonymous();
        requests.spawn(async move {
            let input = json!({ "email": "ada@example.com", "action": "login" });
            client.post("/v1/auth/magic-links", input).await.status.as_u16()
        });
    }
    let statuses = requests.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 202).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 11, "{statuses:?}");
    app.run_jobs().await;
    assert_eq!(app.deps.mailer.sent(None, 20).await.unwrap().len(), 1);
    app.settle().await;
}

#[tokio::test]
async fn simultaneous_first_sign_ins_create_one_person() {
    let app = test_app().await;
    let mut codes = Vec::new();
    for _ in 0..4 {
        codes.push(code_for(&app, "ada@example.com").await);
        app.clock.advance(MINUTE);
    }
    let mut tries = tokio::task::JoinSet::new();
    for code in codes {
        let client = app.anonymous();
        tries.spawn(async move {
            let input = json!({ "email": "ada@example.com", "code": code });
            client.post("/v1/auth/magic-links/redeem", input).await.expect(200)
        });
    }
    let sessions = tries.join_all().await;
    assert_eq!(sessions.iter().filter(|session| session["isNew"] == true).count(), 1);
    assert!(sessions.iter().all(|session| session["profile"]["uid"] == sessions[0]["profile"]["uid"]));
    app.settle().await;
}
