//! From choosing a plan to the organisation.

use kernel::MINUTE;
use serde_json::json;

use crate::shop::Shop;

#[tokio::test]
async fn a_paid_card_makes_organisation_super_admin_and_active_plan() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let begun = ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let (session, provision) = (begun["sessionId"].as_str().unwrap(), begun["provisionId"].as_str().unwrap());
    assert!(begun["url"].as_str().unwrap().ends_with(&format!("/sandbox/pay/{session}")), "{begun}");
    let waiting = shop.provision(&ada, &account, provision).await;
    assert_eq!(
        (&waiting["active"], &waiting["orgId"], &waiting["state"]),
        (&json!(false), &json!(null), &json!("open"))
    );
    let next = shop.card(session, "pay").await;
    assert_eq!(next, format!("http://vitrine.test/billing/success?provision_id={provision}"));
    assert_eq!(
        shop.provision(&ada, &account, provision).await["active"],
        false,
        "the browser cannot activate a purchase"
    );
    shop.app.run_jobs().await;
    let active = shop.provision(&ada, &account, provision).await;
    assert_eq!((&active["active"], &active["planId"]), (&json!(true), &json!("essentials-monthly")));
    let roles = ada.get("/v1/profiles/roles/detailed").await.expect(200);
    assert_eq!(roles["data"][0]["role"], "superAdmin");
    assert_eq!(roles["data"][0]["organisation"]["uid"], active["orgId"]);
    let organisation = &ada.get("/v1/organizations").await.expect(200)["data"][0];
    assert_eq!((&organisation["name"], &organisation["privacy"]), (&json!("Acme"), &json!("private")));
    assert_eq!(organisation["contact"]["email"], "pay@acme.example.com");
    let limits = shop.billing.limits_of(shop.app.kit.db.read(), crate::shop::uid(&active["orgId"])).await;
    assert_eq!(limits.unwrap().staff_seats, Some(5));
    shop.app.settle().await;
}

#[tokio::test]
async fn without_a_plan_we_sell_there_is_no_checkout() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/checkout");
    for body in [json!({}), json!({ "planId": null }), json!({ "planId": "" }), json!({ "planId": "free" })] {
        ada.post(&path, body).await.refuse(400, "Please select the plan to proceed!");
    }
    shop.app.settle().await;
}

#[tokio::test]
async fn a_declined_card_activates_nothing_and_the_same_session_can_be_tried_again() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "individual").await;
    let (session, provision) = shop.begin(&ada, &account, "professional-annual").await;
    assert_eq!(shop.card(&session, "decline").await, "http://vitrine.test/billing/cancelled");
    assert_eq!(shop.card(&session, "cancel").await, "http://vitrine.test/billing/cancelled");
    shop.app.run_jobs().await;
    assert_eq!(shop.provision(&ada, &account, &provision).await["state"], "open");
    let again = shop.begin(&ada, &account, "professional-annual").await;
    assert_eq!(again, (session.clone(), provision.clone()));
    assert_ne!(
        shop.begin(&ada, &account, "essentials-monthly").await.0,
        session,
        "another plan gets another session"
    );
    shop.app.clock.pass(31 * MINUTE);
    assert_ne!(shop.begin(&ada, &account, "professional-annual").await.0, session, "half an hour is over");
    shop.card(&session, "pay").await;
    shop.app.run_jobs().await;
    assert_eq!(
        shop.provision(&ada, &account, &provision).await["active"],
        true,
        "the first session can still be paid"
    );
    shop.app.settle().await;
}

#[tokio::test]
async fn eight_clicks_at_once_make_one_session() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let clicks = (0..8).map(|_| shop.begin(&ada, &account, "essentials-monthly"));
    let begun = futures::future::join_all(clicks).await;
    assert!(begun.windows(2).all(|pair| pair[0] == pair[1]), "{begun:?}");
    let list = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1);
    shop.app.settle().await;
}

#[tokio::test]
async fn a_full_account_is_refused_until_it_is_an_agency() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "individual").await;
    shop.buy(&ada, &account, "essentials-monthly").await;
    let path = format!("/v1/accounts/{account}/checkout");
    ada.post(&path, json!({ "planId": "essentials-monthly" })).await.refuse(
        409,
        "This individual account can have one organisation. To add another, change it to an agency account.",
    );
    ada.patch(&format!("/v1/accounts/{account}"), json!({ "account": { "type": "agency" } }))
        .await
        .expect(200);
    let second = shop.buy(&ada, &account, "professional-monthly").await;
    assert_eq!(second["active"], true);
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 2);
    shop.app.settle().await;
}

#[tokio::test]
async fn a_second_payment_on_a_full_account_goes_back_with_a_mail() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let (first, _) = shop.begin(&ada, &account, "essentials-monthly").await;
    let (second, provision) = shop.begin(&ada, &account, "professional-monthly").await;
    shop.card(&first, "pay").await;
    shop.card(&second, "pay").await;
    shop.app.run_jobs().await;
    let states: Vec<_> = ada.get(&format!("/v1/accounts/{account}/provisions")).await.expect(200)["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["state"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(states.iter().filter(|state| *state == "active").count(), 1, "{states:?}");
    assert_eq!(states.iter().filter(|state| *state == "failed").count(), 1, "{states:?}");
    assert_eq!(ada.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    let mails = shop.app.kit.mailer.sent(None, 10).await.unwrap();
    assert_eq!((mails.len(), mails[0].to.as_str()), (1, "pay@acme.example.com"));
    assert_eq!(shop.provision(&ada, &account, &provision).await["state"], "failed");
    shop.app.settle().await;
}

#[tokio::test]
async fn the_billing_page_of_the_provider_opens_for_every_account() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let managed = ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(200);
    assert!(managed["url"].as_str().unwrap().contains("/sandbox/portal/bps_"), "{managed}");
    shop.app.settle().await;
}

#[tokio::test]
async fn where_payment_is_off_a_checkout_gives_the_plan_at_once() {
    let shop = Shop::without_payment().await;
    let (ada, account) = shop.buyer("ada@example.com", "agency").await;
    let path = format!("/v1/accounts/{account}/checkout");
    let given = ada.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let provision = given["provisionId"].as_str().unwrap();
    assert_eq!(given["url"], format!("http://vitrine.test/billing/success?provision_id={provision}"));
    let active = shop.provision(&ada, &account, provision).await;
    assert_eq!((&active["active"], &active["planId"]), (&json!(true), &json!(null)));
    ada.post(&format!("/v1/accounts/{account}/manage"), json!({})).await.expect(409);
    let made =
        ada.post("/v1/organizations", json!({ "organisation": { "name": "Second" } })).await.expect(201);
    let limits =
        shop.billing.limits_of(shop.app.kit.db.read(), crate::shop::uid(&made["uid"])).await.unwrap();
    let storage = 250 * (1 << 30);
    assert_eq!(limits, billing::Limits { storage_bytes: Some(storage), ..billing::Limits::NONE });
    shop.app.settle().await;
}

#[tokio::test]
async fn where_payment_is_off_a_person_with_an_account_has_three_organisations_and_no_more() {
    let shop = Shop::without_payment().await;
    let new = || json!({ "organisation": { "name": "Acme" } });
    let stranger = shop.app.person("eve@example.com").await;
    let refusal = "You have no unused plan for another organisation.";
    stranger.post("/v1/organizations", new()).await.refuse(409, refusal);

    let (ada, account) = shop.buyer("ada@example.com", "agency").await;
    let mut orgs = Vec::new();
    for _ in 0..3 {
        let made = ada.post("/v1/organizations", new()).await.expect(201);
        orgs.push(crate::shop::uid(&made["uid"]));
    }
    ada.post("/v1/organizations", new()).await.refuse(409, refusal);
    let plan = json!({ "planId": "essentials-monthly" });
    ada.post(&format!("/v1/accounts/{account}/checkout"), plan.clone()).await.refuse(409, refusal);
    let another = ada.post("/v1/accounts", crate::shop::form()).await.expect(201);
    ada.post("/v1/organizations", new()).await.refuse(409, refusal);
    let path = format!("/v1/accounts/{}/checkout", another["uid"].as_str().unwrap());
    ada.post(&path, plan).await.refuse(409, refusal);

    let mut shared = shop.billing.sharing_storage(shop.app.kit.db.read(), orgs[1]).await.unwrap();
    shared.sort();
    assert_eq!(shared, [orgs[0], orgs[2]]);
    let (bea, _) = shop.buyer("bea@example.com", "business").await;
    let tries = (0..8).map(|_| {
        let (bea, new) = (bea.clone(), new());
        tokio::spawn(async move { bea.post("/v1/organizations", new).await.status.as_u16() })
    });
    let mut made = 0;
    for one in tries.collect::<Vec<_>>() {
        made += u32::from(one.await.unwrap() == 201);
    }
    assert_eq!(made, 3, "even with eight concurrent requests");
    shop.app.settle().await;
}

#[tokio::test]
async fn where_payment_is_on_an_organisation_needs_a_free_plan() {
    let shop = Shop::open().await;
    let (ada, account) = shop.buyer("ada@example.com", "business").await;
    let new = json!({ "organisation": { "name": "Second" } });
    ada.post("/v1/organizations", new.clone()).await.expect(409);
    shop.buy(&ada, &account, "essentials-monthly").await;
    ada.post("/v1/organizations", new).await.expect(409);
    shop.app.settle().await;
}
