//! Settings of an organisation.

use orgs::rights::EditContent;
use orgs::{Role, Standing};
use serde_json::json;

use super::test_app;

#[tokio::test]
async fn an_account_admin_can_change_settings_and_omitted_fields_stay() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    let change = json!({ "organisation": { "description": "Since 1900", "website": "https://acme.example",
        "theme": { "primaryColor": "#112233" }, "contact": { "email": "hi@acme.example" } } });
    let changed = admin.patch(&path, change).await.expect(200);
    assert_eq!(
        (changed["name"].as_str(), changed["description"].as_str()),
        (Some("Acme"), Some("Since 1900"))
    );
    assert_eq!(changed["theme"]["primaryColor"], "#112233");
    assert_eq!(changed["theme"]["secondaryColor"], "#703cd2");
    assert_eq!(changed["contact"], json!({ "email": "hi@acme.example", "phoneNumber": "" }));
    app.settle().await;
}

#[tokio::test]
async fn changing_settings_requires_account_admin_and_outsiders_get_404() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let path = format!("/v1/organizations/{}", org.uid);
    let change = || json!({ "organisation": { "name": "New" } });
    for role in Role::ALL {
        let status = if role >= Role::AccountAdmin { 200 } else { 403 };
        app.member(org, role).await.patch(&path, change()).await.expect(status);
    }
    app.person("eve@example.com")
        .await
        .patch(&path, change())
        .await
        .expect_error(404, "Organisation not found");
    app.anonymous().patch(&path, change()).await.expect(401);
    let admin = app.member(org, Role::SuperAdmin).await;
    admin.patch("/v1/organizations/nonsense", change()).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn invalid_values_name_their_field_and_change_nothing() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    for (field, organisation) in [
        ("name", json!({ "name": "" })),
        ("website", json!({ "website": "javascript:alert(1)" })),
        ("theme.primaryColor", json!({ "theme": { "primaryColor": "red" } })),
        ("timeZone", json!({ "timeZone": "Mars/Olympus" })),
        ("contact.email", json!({ "contact": { "email": "nobody" } })),
        ("logoUrl", json!({ "logoUrl": "https://evil.example/logo.png" })),
        ("defaultPlaylist", json!({ "defaultPlaylist": "018f0000-0000-7000-8000-000000000001" })),
        ("pinnedPlaylists", json!({ "pinnedPlaylists": ["018f0000-0000-7000-8000-000000000001"] })),
    ] {
        let change = json!({ "organisation": organisation });
        let refused = admin.patch(&path, change).await.expect(400);
        assert!(refused["fields"][field].is_string(), "{field}: {refused}");
    }
    let five: Vec<String> = (1..=5).map(|n| format!("018f0000-0000-7000-8000-00000000000{n}")).collect();
    let change = json!({ "organisation": { "pinnedPlaylists": five } });
    admin.patch(&path, change).await.expect_error(400, "You cannot pin more than 4 playlists.");
    admin.patch(&path, json!({ "organisation": { "privacy": "secret" } })).await.expect(400);
    assert_eq!(admin.get("/v1/organizations").await.expect(200)["data"][0]["name"], "Acme");
    app.settle().await;
}

#[tokio::test]
async fn a_suspended_organisation_can_be_viewed_but_not_changed() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    let change = || json!({ "organisation": { "description": "New" } });
    for (standing, status) in [
        (Standing::PastDue, 200),
        (Standing::Suspended, 403),
        (Standing::Active, 200),
        (Standing::Ended, 404),
    ] {
        let tx = app.deps.db.write_tx().await.unwrap();
        app.deps.orgs.set_standing(&tx, org.uid, standing.into()).await.unwrap();
        let may = app.deps.orgs.may::<EditContent>(&tx, org.uid, admin.uid()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(may, status == 200, "{standing:?}");
        let answer = admin.patch(&path, change()).await.expect(status);
        let view_status = if standing == Standing::Ended { 404 } else { 200 };
        admin.get(&format!("{path}/users/staff")).await.expect(view_status);
        if standing == Standing::Suspended {
            assert_eq!(answer["code"], "suspended");
            app.member(org, Role::TeamUser)
                .await
                .patch(&path, change())
                .await
                .expect_error(403, "You do not have permission to do this.");
        }
    }
    app.settle().await;
}

#[tokio::test]
async fn an_organisation_can_be_made_private_in_every_standing() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (admin, leader) =
        (app.member(org, Role::AccountAdmin).await, app.member(org, Role::TeamLeader).await);
    let path = format!("/v1/organizations/{}", org.uid);
    let private = || json!({ "organisation": { "privacy": "private" } });
    for standing in [Standing::Suspended, Standing::Ended] {
        set_standing(&app, org, Standing::Active).await;
        let public = json!({ "organisation": { "privacy": "public" } });
        admin.patch(&path, public.clone()).await.expect(200);
        let link = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
        let code = link["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap();
        set_standing(&app, org, standing).await;
        let refused = if standing == Standing::Ended { 404 } else { 403 };
        let more = json!({ "organisation": { "privacy": "private", "name": "New" } });
        admin.patch(&path, more).await.expect(refused);
        admin.patch(&path, public).await.expect(refused);
        leader.patch(&path, private()).await.expect(403);
        assert_eq!(admin.patch(&path, private()).await.expect(200)["privacy"], "private");
        set_standing(&app, org, Standing::Active).await;
        assert!(app.deps.orgs.join_link(app.deps.db.read(), code).await.unwrap().is_none());
    }
    app.settle().await;
}

async fn set_standing(app: &testkit::TestApp, org: testkit::TestOrg, standing: Standing) {
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, standing.into()).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_name_of_a_new_organisation_is_limited() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let new = |len: usize| json!({ "organisation": { "name": "x".repeat(len) } });
    ada.post("/v1/organizations", new(301)).await.expect_error(400, "name is too long.");
    ada.post("/v1/organizations", new(300)).await.expect(201);
    app.settle().await;
}

#[tokio::test]
async fn the_later_of_two_editors_gets_a_conflict() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (ada, bea) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::SuperAdmin).await);
    let path = format!("/v1/organizations/{}", org.uid);
    let edited = ada.get("/v1/organizations").await.expect(200)["data"][0]["timeModified"].clone();
    let change = |fields: serde_json::Value| json!({ "organisation": fields });
    let saved =
        bea.patch(&path, change(json!({ "privacy": "unlisted", "timeModified": edited }))).await.expect(200);
    assert_ne!(saved["timeModified"], edited, "even within one millisecond");
    for stale in [
        json!({ "description": "Since 1900", "privacy": "public", "timeModified": edited }),
        json!({ "pinnedPlaylists": [], "timeModified": edited }),
    ] {
        let refused = ada.patch(&path, change(stale)).await.expect(409);
        assert_eq!(refused["code"], "organisation_changed");
    }
    let now = bea.get("/v1/organizations").await.expect(200)["data"][0].clone();
    assert_eq!(now, saved);
    let current = json!({ "description": "Since 1900", "timeModified": now["timeModified"] });
    let saved = ada.patch(&path, change(current)).await.expect(200);
    assert_eq!((&saved["description"], &saved["privacy"]), (&json!("Since 1900"), &json!("unlisted")));
    bea.patch(&path, change(json!({ "name": "Acme 2" }))).await.expect(200);
    let refused = ada.patch(&path, change(json!({ "timeModified": "yesterday" }))).await.expect(400);
    assert!(refused["fields"]["timeModified"].is_string(), "{refused}");
    app.settle().await;
}
