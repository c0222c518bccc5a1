//! The caller's profile.

use serde_json::json;

use super::test_app;

#[tokio::test]
async fn onboarding_fills_the_profile_and_keeps_what_is_not_sent() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let user = json!({ "firstName": "Ada", "lastName": "Lovelace", "phoneNumber": "+44 20 7946 0958",
        "displayName": "Ada Lovelace", "termsAccepted": true });
    let profile = ada.patch("/v1/profiles", json!({ "user": user })).await.expect(200);
    assert_eq!(profile["phoneNumber"], "+44 20 7946 0958");
    assert_eq!(profile["country"], "GB");
    let profile = ada.patch("/v1/profiles", json!({ "user": { "company": "Analytical" } })).await.expect(200);
    assert_eq!(
        (profile["firstName"].as_str(), profile["company"].as_str()),
        (Some("Ada"), Some("Analytical"))
    );
    app.settle().await;
}

#[tokio::test]
async fn required_fields_have_the_messages_of_the_contract() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    for (field, message) in [
        ("firstName", "First name is required "),
        ("lastName", "Last name is required "),
        ("phoneNumber", "Phone number is required "),
    ] {
        let refused = ada.patch("/v1/profiles", json!({ "user": { field: "" } })).await;
        refused.expect_error(400, message);
        assert_eq!(refused.json()["fields"][field], message);
    }
    app.settle().await;
}

#[tokio::test]
async fn the_email_and_foreign_images_cannot_be_set() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let profile =
        ada.patch("/v1/profiles", json!({ "user": { "email": "eve@example.com" } })).await.expect(200);
    assert_eq!(profile["email"], "ada@example.com");
    let foreign = json!({ "user": { "photoURL": "https://evil.example/a.png" } });
    ada.patch("/v1/profiles", foreign).await.expect_error(400, "Please upload the image here first.");
    let own =
        json!({ "user": { "photoURL": "http://vitrine.test/images/0123456789abcdef0123456789abcdef" } });
    assert_eq!(
        ada.patch("/v1/profiles", own).await.expect(200)["photoURL"],
        "http://vitrine.test/images/0123456789abcdef0123456789abcdef"
    );
    app.settle().await;
}

#[tokio::test]
async fn a_body_of_the_wrong_form_is_explained() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let wrong = ada.patch("/v1/profiles", json!({ "user": { "firstName": 7 } })).await.expect(400);
    assert_eq!(wrong["message"], "The request is not in the expected form.");
    assert_eq!(wrong["fields"]["user.firstName"], "invalid type: integer `7`, expected a string");
    let odd = ada.post("/v1/auth/sign-out?app=radio", json!({})).await.expect(400);
    assert_eq!(odd["message"], "The request is not in the expected form.");
    assert!(odd["fields"]["app"].as_str().unwrap().starts_with("unknown variant `radio`"), "{odd}");
    app.anonymous().patch("/v1/profiles", json!({})).await.expect(401);
    app.settle().await;
}

#[tokio::test]
async fn no_text_with_nul_reaches_the_database() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let no = "Text must not contain the character U+0000.";
    ada.patch("/v1/profiles", json!({ "user": { "company": "a\0b" } })).await.expect_error(400, no);
    ada.patch("/v1/profiles", json!({ "user": { "address": { "s\0": "x" } } })).await.expect_error(400, no);
    ada.post("/v1/auth/sign-out?everywhere=%00", json!({})).await.expect_error(400, no);
    let escaped = json!({ "user": { "company": "\\u0000" } });
    assert_eq!(ada.patch("/v1/profiles", escaped).await.expect(200)["company"], "\\u0000");
    app.settle().await;
}

#[tokio::test]
async fn an_address_is_a_small_object() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let address = |value: serde_json::Value| json!({ "user": { "address": value } });
    for odd in [json!("London"), json!([1, 2])] {
        let refused = ada.patch("/v1/profiles", address(odd)).await;
        refused.expect_error(400, "address must be an object or null.");
        assert!(refused.json()["fields"]["address"].is_string());
    }
    let large = json!({ "street": "x".repeat(5000) });
    ada.patch("/v1/profiles", address(large)).await.expect_error(400, "address is too long.");
    let small = json!({ "street": "12 Garden Row", "city": "London" });
    assert_eq!(ada.patch("/v1/profiles", address(small.clone())).await.expect(200)["address"], small);
    assert!(ada.patch("/v1/profiles", address(json!(null))).await.expect(200)["address"].is_null());
    app.settle().await;
}

#[tokio::test]
async fn a_number_without_a_calling_code_uses_the_country_of_the_address() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let patch = async |user: serde_json::Value| {
        let profile = ada.patch("/v1/profiles", json!({ "user": user })).await.expect(200);
        (profile["phoneNumber"].as_str().unwrap().to_owned(), profile["country"].as_str().unwrap().to_owned())
    };
    let local = "020 7946 0958";
    assert_eq!(patch(json!({ "phoneNumber": local })).await, (local.into(), String::new()));
    let british = json!({ "phoneNumber": local, "address": { "city": "London", "country": "GB" } });
    assert_eq!(patch(british).await, (local.into(), "GB".into()));
    assert_eq!(patch(json!({ "phoneNumber": "0033 1 42 68 53 00" })).await.1, "FR");
    assert_eq!(patch(json!({ "phoneNumber": "ask at the desk" })).await.1, "GB", "that of the address");
    assert_eq!(patch(json!({ "address": { "country": "Britain" } })).await.1, "");
    app.settle().await;
}

#[tokio::test]
async fn a_linkedin_url_uses_https_or_is_empty() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let linked = |address: &str| json!({ "user": { "linkedIn": address } });
    for odd in
        ["javascript:alert(1)", "data:text/html,x", "http://www.linkedin.com/in/ada", "linkedin.com/in/ada"]
    {
        let refused = ada.patch("/v1/profiles", linked(odd)).await.expect(400);
        assert!(refused["fields"]["linkedIn"].is_string(), "{odd}: {refused}");
    }
    let address = "https://www.linkedin.com/in/ada";
    assert_eq!(ada.patch("/v1/profiles", linked(address)).await.expect(200)["linkedIn"], address);
    assert_eq!(ada.patch("/v1/profiles", linked("")).await.expect(200)["linkedIn"], "");
    app.settle().await;
}
