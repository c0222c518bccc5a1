//! The joining link.

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
