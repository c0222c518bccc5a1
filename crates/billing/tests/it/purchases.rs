//! From choosing a plan to the organisation.

use kernel::MINUTE;
use serde_json::{Value, json};

use crate::test_app::{TestProvider, test_app, test_app_with};

#[tokio::test]
async fn a_payment_creates_organisation_super_admin_and_active_plan() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let started = ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let (session, provision) =
        (started["sessionId"].as_str().unwrap(), started["provisionId"].as_str().unwrap());
    assert!(started["url"].as_str().unwrap().ends_with(&format!("/sandbox/pay/{session}")), "{started}");
    let waiting = app.provision(&ada, &account, provision).await;
    assert_eq!(
        (&waiting["active"], &waiting["orgId"], &waiting["state"]),
        (&json!(false), &json!(null), &json!("open"))
    );
    let next = app.settle_checkout(session, "pay").await;
    assert_eq!(next, format!("http://vitrine.test/billing/success?provision_id={provision}"));
    assert_eq!(
        app.provision(&ada, &account, provision).await["active"],
        false,
        "the browser cannot activate a purchase"
    );
    app.http.run_jobs().await;
    let active = app.provision(&ada, &account, provision).await;
    assert_eq!((&active["active"], &active["planId"]), (&json!(true), &json!("essentials-monthly")));
    let roles = ada.get("/v1/profiles/roles/detailed").await.expect(200);
    assert_eq!(roles["data"][0]["role"], "superAdmin");
    assert_eq!(roles["data"][0]["organisation"]["uid"], active["orgId"]);
    let organisation = &ada.get("/v1/organizations").await.expect(200)["data"][0];
    assert_eq!((&organisation["name"], &organisation["privacy"]), (&json!("Acme"), &json!("private")));
    assert_eq!(organisation["contact"]["email"], "pay@acme.example.com");
    let limits = app.billing.limits_of(app.http.deps.db.read(), crate::test_app::uid(&active["orgId"])).await;
    assert_eq!(limits.unwrap().staff_seats, Some(5));
    app.http.settle().await;
}

#[tokio::test]
async fn a_new_organisation_reports_in_the_buyers_time_zone() {
    for (sent, reported) in [
        (json!("asia/kolkata"), "Asia/Kolkata"),
        (json!("Mars/Olympus"), "UTC"),
        (json!(""), "UTC"),
        (json!(null), "UTC"),
    ] {
        let app = test_app().await;
        let (ada, account) = app.buyer("ada@example.com", "business").await;
        let order = json!({ "planId": "essentials-monthly", "timeZone": sent });
        let started = ada.post(&format!("/v1/accounts/{account}/checkout"), order).await.expect(200);
        app.settle_checkout(started["sessionId"].as_str().unwrap(), "pay").await;
        app.http.run_jobs().await;
        let organisation = &ada.get("/v1/organizations").await.expect(200)["data"][0];
        assert_eq!(organisation["timeZone"], reported, "{sent}");
        app.http.settle().await;
    }
}

#[tokio::test]
async fn with_payment_off_a_new_organisation_reports_in_the_given_time_zone() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let order = json!({ "planId": "essentials-monthly", "timeZone": "Asia/Kolkata" });
    ada.post(&format!("/v1/accounts/{account}/checkout"), order).await.expect(200);
    let second = json!({ "organisation": { "name": "Second", "timeZone": "Asia/Tokyo" } });
    assert_eq!(ada.post("/v1/organizations", second).await.expect(201)["timeZone"], "Asia/Tokyo");
    let organisations = ada.get("/v1/organizations").await.expect(200);
    let zones: Vec<_> =
        organisations["data"].as_array().unwrap().iter().map(|org| &org["timeZone"]).collect();
    assert!(zones.contains(&&json!("Asia/Kolkata")), "{organisations}");
    app.http.settle().await;
}

#[tokio::test]
async fn a_checkout_needs_a_known_plan() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    for body in [json!({}), json!({ "planId": null }), json!({ "planId": "" }), json!({ "planId": "free" })] {
        ada.post(&path, body).await.expect_error(400, "Please select the plan to proceed!");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_declined_card_activates_nothing_and_the_same_session_can_be_tried_again() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    let (session, provision) = app.start_checkout(&ada, &account, "professional-annual").await;
    assert_eq!(app.settle_checkout(&session, "decline").await, "http://vitrine.test/billing/cancelled");
    assert_eq!(app.settle_checkout(&session, "cancel").await, "http://vitrine.test/billing/cancelled");
    app.http.run_jobs().await;
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "open");
    let again = app.start_checkout(&ada, &account, "professional-annual").await;
    assert_eq!(again, (session.clone(), provision.clone()));
    assert_ne!(
        app.start_checkout(&ada, &account, "essentials-monthly").await.0,
        session,
        "another plan gets another session"
    );
    app.http.clock.advance(31 * MINUTE);
    assert_ne!(
        app.start_checkout(&ada, &account, "professional-annual").await.0,
        session,
        "half an hour is over"
    );
    app.settle_checkout(&session, "pay").await;
    app.http.run_jobs().await;
    assert_eq!(
        app.provision(&ada, &account, &provision).await["active"],
        true,
        "the first session can still be paid"
    );
    app.http.settle().await;
}

#[tokio::test]
async fn eight_concurrent_requests_create_one_session() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let clicks = (0..8).map(|_| app.start_checkout(&ada, &account, "essentials-monthly"));
    let started = futures::future::join_all(clicks).await;
    assert!(started.windows(2).all(|pair| pair[0] == pair[1]), "{started:?}");
    let list = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_full_account_is_refused_until_it_is_an_agency() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "individual").await;
    app.buy(&ada, &account, "essentials-monthly").await;
    let path = format!("/v1/accounts/{account}/checkout");
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect_error(
        409,
        "This individual account can have one organization. To add another, change it to an agency account.",
    );
    ada.patch(&format!("/v1/accounts/{account}"), json!({ "account": { "type": "agency" } }))
        .await
        .expect(200);
    let second = app.buy(&ada, &account, "professional-monthly").await;
    assert_eq!(second["active"], true);
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 2);
    app.http.settle().await;
}

#[tokio::test]
async fn a_second_payment_on_a_full_account_is_refunded_with_an_email() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let (first, _) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let (second, provision) = app.start_checkout(&ada, &account, "professional-monthly").await;
    app.settle_checkout(&first, "pay").await;
    app.settle_checkout(&second, "pay").await;
    app.http.run_jobs().await;
    let states: Vec<_> = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200)["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(states.iter().filter(|state| *state == "active").count(), 1, "{states:?}");
    assert_eq!(states.iter().filter(|state| *state == "failed").count(), 1, "{states:?}");
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    let mut mails = app.http.deps.mailer.sent(None, 10).await.unwrap();
    mails.retain(|mail| mail.subject == "Your payment is being refunded");
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "pay@acme.example.com"));
    assert_eq!(app.provision(&ada, &account, &provision).await["state"], "failed");
    app.http.settle().await;
}

#[tokio::test]
async fn the_billing_portal_opens_for_every_account() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let managed = ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(200);
    assert!(managed["url"].as_str().unwrap().contains("/sandbox/portal/bps_"), "{managed}");
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_off_a_checkout_grants_the_plan_immediately() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let given = ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let provision = given["provisionId"].as_str().unwrap();
    assert_eq!(given["url"], format!("http://vitrine.test/billing/success?provision_id={provision}"));
    let active = app.provision(&ada, &account, provision).await;
    assert_eq!((&active["active"], &active["planId"]), (&json!(true), &json!(null)));
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(409);
    let created =
        ada.post("/v1/organizations", json!({ "organisation": { "name": "Second" } })).await.expect(201);
    let limits =
        app.billing.limits_of(app.http.deps.db.read(), crate::test_app::uid(&created["uid"])).await.unwrap();
    let storage = 250 * (1 << 30);
    assert_eq!(limits, billing::Limits { storage_bytes: Some(storage), ..billing::Limits::NONE });
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_off_a_person_with_an_account_gets_at_most_three_organisations() {
    let app = test_app_with(TestProvider::Off).await;
    let new = || json!({ "organisation": { "name": "Acme" } });
    let stranger = app.http.person("eve@example.com").await;
    let refusal = "You have no unused plan for another organization.";
    stranger.post("/v1/organizations", new()).await.expect_error(409, refusal);

    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let mut orgs = Vec::new();
    for _ in 0..3 {
        let created = ada.post("/v1/organizations", new()).await.expect(201);
        orgs.push(crate::test_app::uid(&created["uid"]));
    }
    ada.post("/v1/organizations", new()).await.expect_error(409, refusal);
    let plan = json!({ "planId": "essentials-monthly", "organisation": "new" });
    ada.post(&format!("/v1/accounts/{account}/checkout"), plan.clone()).await.expect_error(409, refusal);
    let another = ada.post("/v1/accounts", crate::test_app::form()).await.expect(201);
    ada.post("/v1/organizations", new()).await.expect_error(409, refusal);
    let path = format!("/v1/accounts/{}/checkout", another["uid"].as_str().unwrap());
    ada.post(&path, plan).await.expect_error(409, refusal);

    let mut shared = app.billing.sharing_storage(app.http.deps.db.read(), orgs[1]).await.unwrap();
    shared.sort();
    assert_eq!(shared, [orgs[0], orgs[2]]);
    let (bea, _) = app.buyer("bea@example.com", "agency").await;
    let requests = (0..8).map(|_| {
        let (bea, new) = (bea.clone(), new());
        tokio::spawn(async move { bea.post("/v1/organizations", new).await.status.as_u16() })
    });
    let mut created = 0;
    for one in requests.collect::<Vec<_>>() {
        created += u32::from(one.await.unwrap() == 201);
    }
    assert_eq!(created, 3, "even with eight concurrent requests");
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_off_the_type_of_the_account_limits_its_organisations() {
    let app = test_app_with(TestProvider::Off).await;
    let new = || json!({ "organisation": { "name": "Acme" } });
    for (email, kind) in [("ada@example.com", "individual"), ("bea@example.com", "business")] {
        let (buyer, account) = app.buyer(email, kind).await;
        let requests = (0..4).map(|_| {
            let (buyer, new) = (buyer.clone(), new());
            tokio::spawn(async move { buyer.post("/v1/organizations", new).await.status.as_u16() })
        });
        let mut created = 0;
        for one in requests.collect::<Vec<_>>() {
            created += u32::from(one.await.unwrap() == 201);
        }
        assert_eq!(created, 1, "even with concurrent requests");
        let refusal = format!(
            "This {kind} account can have one organization. To add another, change it to an agency account."
        );
        buyer.post("/v1/organizations", new()).await.expect_error(409, &refusal);
        let wider = json!({ "account": { "type": "agency" } });
        buyer.patch(&format!("/v1/accounts/{account}"), wider).await.expect(200);
        buyer.post("/v1/organizations", new()).await.expect(201);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_off_the_chosen_account_owns_the_organisation() {
    let app = test_app_with(TestProvider::Off).await;
    let (ada, first) = app.buyer("ada@example.com", "business").await;
    let (_, foreign) = app.buyer("eve@example.com", "business").await;
    let second = ada.post("/v1/accounts", crate::test_app::form()).await.expect(201);
    let second = second["uid"].as_str().unwrap();
    let new = |account: Value| json!({ "organisation": { "name": "Acme", "accountId": account } });
    let create = async |account: Value| ada.post("/v1/organizations", new(account)).await;
    let nil = kernel::AccountId::nil().to_string();
    for other in [&foreign, &nil] {
        create(json!(other)).await.expect_error(404, "Billing account not found");
    }
    create(json!("")).await.expect(400);
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"], json!([]), "a refusal creates none");

    let org = create(json!(first)).await.expect(201)["uid"].clone();
    let owned = async |account: &str| {
        let path = format!("/v1/accounts/{account}/provisions");
        let all = ada.get(&path).await.expect(200)["data"].clone();
        all.as_array().unwrap().iter().map(|one| one["orgId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((owned(&first).await, owned(second).await), (vec![org], vec![]));
    assert_eq!(create(json!(first)).await.expect(409)["code"], "account_full");
    // Without a choice it is the newest one that can.
    let other = create(Value::Null).await.expect(201)["uid"].clone();
    assert_eq!(owned(second).await, [other]);
    app.http.settle().await;
}

#[tokio::test]
async fn the_unused_plan_of_the_chosen_account_is_taken() {
    let app = test_app().await;
    let (ada, first) = app.buyer("ada@example.com", "business").await;
    let second = ada.post("/v1/accounts", crate::test_app::form()).await.expect(201);
    let second = second["uid"].as_str().unwrap().to_owned();
    let mut plans = Vec::new();
    for account in [&first, &second] {
        let bought = app.buy(&ada, account, "essentials-monthly").await;
        let path = format!("/v1/organizations/{}", bought["orgId"].as_str().unwrap());
        ada.json(http::Method::DELETE, &path, &json!({ "name": "Acme" })).await.expect(204);
        plans.push(bought["uid"].as_str().unwrap().to_owned());
    }
    let new = json!({ "organisation": { "name": "Acme", "accountId": first } });
    let org = ada.post("/v1/organizations", new.clone()).await.expect(201)["uid"].clone();
    assert_eq!(app.provision(&ada, &first, &plans[0]).await["orgId"], org);
    assert_eq!(app.provision(&ada, &second, &plans[1]).await["orgId"], json!(null));
    assert_eq!(ada.post("/v1/organizations", new).await.expect(409)["code"], "no_free_provision");
    app.http.settle().await;
}

#[tokio::test]
async fn with_payment_on_an_organisation_needs_an_unused_plan() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let new = json!({ "organisation": { "name": "Second" } });
    ada.post("/v1/organizations", new.clone()).await.expect(409);
    app.buy(&ada, &account, "essentials-monthly").await;
    ada.post("/v1/organizations", new).await.expect(409);
    app.http.settle().await;
}

#[tokio::test]
async fn purchases_are_polled_only_if_there_is_a_payment_provider() {
    for (provider, polls) in [(TestProvider::StandIn, true), (TestProvider::Off, false)] {
        let app = test_app_with(provider).await;
        let mut handlers = jobs::Handlers::default();
        app.billing.register(&mut handlers);
        assert_eq!(handlers.known_kinds().contains("reconcile_purchases"), polls);
        app.http.settle().await;
    }
}
