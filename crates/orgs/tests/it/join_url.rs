//! The joining link.

use kernel::{Email, MINUTE};
use orgs::Role;
use serde_json::json;

use super::test_app;

#[tokio::test]
async fn a_join_link_exists_only_while_the_organisation_is_public() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let (path, join) =
        (format!("/v1/organizations/{}", org.uid), format!("/v1/organizations/{}/joinUrl", org.uid));
    let refusal = "A joining link exists only for public organisations.";
    admin.post(&join, json!({})).await.expect_error(409, refusal);
    let privacy = |privacy: &str| json!({ "organisation": { "privacy": privacy } });
    admin.patch(&path, privacy("unlisted")).await.expect(200);
    admin.post(&join, json!({})).await.expect_error(409, refusal);

    admin.patch(&path, privacy("public")).await.expect(200);
    let first = admin.post(&join, json!({})).await.expect(200)["joinUrl"].clone();
    assert!(first.as_str().unwrap().starts_with("http://vitrine.test/app/join/"), "{first}");
    assert_eq!(admin.post(&join, json!({})).await.expect(200)["joinUrl"], first);
    assert_eq!(admin.post(&join, json!({ "rotate": 5 })).await.expect(400)["code"], "invalid_body");
    let rotated = admin.post(&join, json!({ "rotate": true })).await.expect(200)["joinUrl"].clone();
    assert_ne!(rotated, first);
    assert_eq!(admin.get("/v1/organizations").await.expect(200)["data"][0]["publicJoinUrl"], rotated);

    let closed = admin.patch(&path, privacy("private")).await.expect(200);
    assert!(closed["publicJoinUrl"].is_null());
    let code = rotated.as_str().unwrap().rsplit('/').next().unwrap();
    assert!(app.deps.orgs.join_link(app.deps.db.read(), code).await.unwrap().is_none());
    app.settle().await;
}

#[tokio::test]
async fn an_app_user_does_not_see_the_link() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    admin
        .patch(&format!("/v1/organizations/{}", org.uid), json!({ "organisation": { "privacy": "public" } }))
        .await
        .expect(200);
    let join = format!("/v1/organizations/{}/joinUrl", org.uid);
    admin.post(&join, json!({})).await.expect(200);
    let user = app.member(org, Role::User).await;
    assert!(user.get("/v1/organizations").await.expect(200)["data"][0]["publicJoinUrl"].is_null());
    user.post(&join, json!({})).await.expect(403);
    app.settle().await;
}

#[tokio::test]
async fn the_email_that_signs_in_to_an_app_has_the_brand_of_its_organisation() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    let theme = json!({ "primaryColor": "#102030", "secondaryColor": "#336699" });
    admin.patch(&path, json!({ "organisation": { "privacy": "public", "theme": theme } })).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    app.run_jobs().await;
    let sent = async |email: &str, app_name: &str, code: &str| {
        let input = json!({ "email": email, "action": "login", "app": app_name, "joinCode": code });
        app.anonymous().post("/v1/auth/magic-links", input).await.expect(202);
        app.run_jobs().await;
        app.deps.mailer.sent(Some(&Email::parse(email).unwrap()), 1).await.unwrap().remove(0)
    };
    let branded = sent("ada@example.com", "viewer", &code).await;
    assert_eq!(branded.subject, "Sign in to Acme");
    let html = branded.html.unwrap();
    for part in ["Acme</font>", "#102030", "#336699"] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    for (email, app_name, code) in
        [("bob@example.com", "viewer", "none"), ("cy@example.com", "portal", &code)]
    {
        let plain = sent(email, app_name, code).await;
        assert_eq!(plain.subject, "Sign in to Vitrine");
        let html = plain.html.unwrap();
        assert!(!html.contains("Acme") && !html.contains("#336699"), "{html}");
    }
    app.settle().await;
}

#[tokio::test]
async fn only_an_invited_address_gets_the_brand_and_only_until_it_has_joined() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let invites = format!("/v1/organizations/{}/invites", org.uid);
    admin.post(&invites, json!({ "userEmails": ["ada@example.com"], "role": "user" })).await.expect(200);
    let newest = async |email: &str| {
        app.run_jobs().await;
        app.deps.mailer.sent(Some(&Email::parse(email).unwrap()), 1).await.unwrap().remove(0)
    };
    let link = newest("ada@example.com").await.links().remove(0);
    let code = link.strip_prefix("http://vitrine.test/app/join/").unwrap();
    let subject = async |email: &str| {
        let input = json!({ "email": email, "action": "login", "app": "viewer", "joinCode": code });
        let answer = app.anonymous().post("/v1/auth/magic-links", input).await.expect(202);
        assert_eq!(answer, json!({}));
        newest(email).await.subject
    };
    assert_eq!(subject("ada@example.com").await, "Sign in to Acme");
    assert_eq!(subject("eve@example.com").await, "Sign in to Vitrine");

    let ada = app.person("ada@example.com").await;
    let tx = app.deps.db.write_tx_on(org.uid).await.unwrap();
    let found = app.deps.orgs.join_link(&tx, code).await.unwrap().unwrap();
    assert_eq!(app.deps.orgs.join(&tx, &found, ada.uid()).await.unwrap(), Some(true));
    tx.commit().await.unwrap();
    app.clock.advance(MINUTE);
    assert_eq!(subject("ada@example.com").await, "Sign in to Vitrine");
    app.settle().await;
}
