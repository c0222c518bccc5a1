//! Billing accounts.

use http::Method;
use serde_json::{Value, json};

use crate::test_app::{form, test_app};

#[tokio::test]
async fn a_person_without_an_account_gets_404_and_one_with_it_sees_it() {
    let app = test_app().await;
    let ada = app.http.person("ada@example.com").await;
    ada.get("/v1/accounts").await.expect_error(404, "No billing account found");
    let created = ada.post("/v1/accounts", form()).await.expect(201);
    let list = ada.get("/v1/accounts").await.expect(200);
    assert_eq!(list["data"], json!([created]));
    assert_eq!(created["managingUsers"], json!([ada.uid()]));
    let mut shape = created;
    shape["uid"] = json!("[uid]");
    shape["managingUsers"][0] = json!("[uid]");
    insta::assert_json_snapshot!(shape, @r###"
    {
      "billingAddress": null,
      "billingEmail": "pay@acme.example.com",
      "billingName": "Acme Ltd",
      "billingPhone": "+44 20 7946 0958",
      "friendlyName": "Acme",
      "managingUsers": [
        "[uid]"
      ],
      "refusal": null,
      "timeCreated": "2026-11-20T08:00:00.000Z",
      "type": "business",
      "uid": "[uid]"
    }
    "###);
    app.http.settle().await;
}

#[tokio::test]
async fn empty_fields_are_refused_with_the_sentences_of_the_spec() {
    let app = test_app().await;
    let ada = app.http.person("ada@example.com").await;
    for (field, message) in [
        ("friendlyName", "Nick name is required"),
        ("billingName", "Billing name is required"),
        ("billingEmail", "Billing email is required."),
        ("billingPhone", "Billing phone is required"),
    ] {
        for empty in [json!(""), json!("  "), Value::Null] {
            let mut form = form();
            form["account"][field] = empty;
            let answer = ada.post("/v1/accounts", form).await;
            answer.expect_error(400, message);
            assert_eq!(answer.json()["fields"][field], message);
        }
    }
    let mut odd = form();
    odd["account"]["type"] = json!("root");
    ada.post("/v1/accounts", odd).await.expect_error(400, "type must be individual, business or agency.");
    for (address, sentence) in [
        (json!("London"), "billingAddress must be an object or null."),
        (json!({ "street": "x".repeat(5000) }), "billingAddress is too long."),
    ] {
        let mut form = form();
        form["account"]["billingAddress"] = address;
        ada.post("/v1/accounts", form).await.expect_error(400, sentence);
    }
    let mut unchecked = form();
    unchecked["account"]["billingEmail"] = json!("no address");
    ada.post("/v1/accounts", unchecked).await.expect(201);
    app.http.settle().await;
}

#[tokio::test]
async fn a_repeated_request_with_the_same_key_creates_one_account() {
    let app = test_app().await;
    let (ada, bob) = (app.http.person("ada@example.com").await, app.http.person("bob@example.com").await);
    let make = async |person: &testkit::Client, key: &str| {
        let request = person
            .request(Method::POST, "/v1/accounts")
            .header("content-type", "application/json")
            .header("idempotency-key", key)
            .body(form().to_string().into())
            .unwrap();
        person.send(request).await.expect(201)["uid"].clone()
    };
    let first = make(&ada, "k1").await;
    assert_eq!(make(&ada, "k1").await, first);
    assert_ne!(make(&ada, "k2").await, first);
    assert_ne!(make(&bob, "k1").await, first, "keys are scoped to the person");
    app.http.settle().await;
}

#[tokio::test]
async fn an_account_does_not_exist_for_people_who_do_not_manage_it() {
    let app = test_app().await;
    let (_, account) = app.buyer("ada@example.com", "business").await;
    let eve = app.http.person("eve@example.com").await;
    let anonymous = app.http.anonymous();
    let base = format!("/v1/accounts/{account}");
    let plan = json!({ "planId": "essentials-monthly" });
    let kind = json!({ "account": { "type": "agency" } });
    for (client, status) in [(&eve, 404), (&anonymous, 401)] {
        client.get(&format!("{base}/provisions")).await.expect(status);
        client.get(&format!("{base}/invoices")).await.expect(status);
        client.post(&format!("{base}/checkout"), plan.clone()).await.expect(status);
        client.post(&format!("{base}/manage"), json!({})).await.expect(status);
        client.patch(&base, kind.clone()).await.expect(status);
    }
    eve.get("/v1/accounts/not-an-id/provisions").await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn a_type_is_widened_and_never_narrowed() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let path = format!("/v1/accounts/{account}");
    let to = |kind: &str| json!({ "account": { "type": kind } });
    assert_eq!(ada.patch(&path, to("agency")).await.expect(200)["type"], "agency");
    assert_eq!(ada.patch(&path, to("agency")).await.expect(200)["type"], "agency");
    ada.patch(&path, to("business")).await.expect_error(409, "An account type can be widened, not narrowed.");
    ada.patch(&path, to("king")).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn an_unverified_address_cannot_buy_and_leaves_nothing_to_its_owner() {
    let app = test_app().await;
    let eve = app.http.unverified_person("eve@example.com").await;
    let refused = eve.post("/v1/accounts", form()).await.expect(403);
    assert_eq!(refused["code"], "email_unproved");

    let (ada, account) = app.buyer("ada@example.com", "business").await;
    app.http.mark_unverified(ada.uid()).await;
    let checkout = format!("/v1/accounts/{account}/checkout");
    let plan = json!({ "planId": "essentials-monthly" });
    let refused = ada.post(&checkout, plan.clone()).await.expect(403);
    assert_eq!(refused["code"], "email_unproved");
    let owner = app.http.person("ada@example.com").await;
    owner.get("/v1/accounts").await.expect_error(404, "No billing account found");

    let (bea, account) = app.buyer("bea@example.com", "business").await;
    app.buy(&bea, &account, "essentials-monthly").await;
    app.http.mark_unverified(bea.uid()).await;
    let owner = app.http.person("bea@example.com").await;
    assert_eq!(
        owner.get("/v1/accounts").await.expect(200)["data"][0]["uid"],
        account,
        "it holds an organisation"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn the_managers_of_an_account_read_its_audit_log() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let change = json!({ "account": { "type": "agency" } });
    ada.patch(&format!("/v1/accounts/{account}"), change.clone()).await.expect(200);
    ada.patch(&format!("/v1/accounts/{account}"), change).await.expect(200);
    let path = format!("/v1/accounts/{account}/audit");
    let log = ada.get(&path).await.expect(200)["data"].clone();
    assert_eq!(log.as_array().unwrap().len(), 2, "{log}");
    assert_eq!(
        (&log[0]["action"], &log[1]["action"]),
        (&json!("account.changed"), &json!("account.created"))
    );
    app.buy(&ada, &account, "essentials-monthly").await;
    let newest = ada.get(&path).await.expect(200)["data"][0].clone();
    assert_eq!(
        (&newest["action"], &newest["after"]),
        (&json!("account.planBought"), &json!({ "plan": "Essentials Monthly" }))
    );
    assert_eq!(log[0]["before"], json!({ "type": "individual" }));
    assert_eq!(log[0]["actor"]["userId"], ada.uid().to_string());
    app.http.person("eve@example.com").await.get(&path).await.expect(404);
    app.http.settle().await;
}
