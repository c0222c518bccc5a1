//! The people who manage a billing account.

use serde_json::json;

use crate::test_app::test_app;

#[tokio::test]
async fn managers_are_added_and_removed_and_their_rights_follow_at_once() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bea = app.http.person("bea@example.com").await;
    let path = format!("/v1/accounts/{account}/managers");
    bea.get(&path).await.expect(404);
    bea.post(&path, json!({ "email": "bea@example.com" })).await.expect(404);
    for _ in 0..2 {
        let added = ada.post(&path, json!({ "email": " Bea@Example.com" })).await.expect(201);
        assert_eq!((&added["uid"], &added["email"]), (&json!(bea.uid()), &json!("bea@example.com")));
    }
    let list = bea.get(&path).await.expect(200);
    let emails: Vec<_> = list["data"].as_array().unwrap().iter().map(|one| one["email"].clone()).collect();
    assert_eq!(emails, ["ada@example.com", "bea@example.com"]);
    let change = json!({ "account": { "friendlyName": "Ours" } });
    let edit = format!("/v1/accounts/{account}");
    bea.patch(&edit, change.clone()).await.expect(200);

    // The person who created the account can be removed too.
    let (own, other) = (format!("{path}/{}", bea.uid()), format!("{path}/{}", ada.uid()));
    bea.delete(&other).await.expect(204);
    ada.patch(&edit, change).await.expect(404);
    ada.delete(&own).await.expect(404);
    bea.delete(&other).await.expect(204);
    bea.delete(&own).await.expect_error(409, "A billing account needs at least one manager.");

    let log = bea.get(&format!("{edit}/audit")).await.expect(200);
    let log: Vec<_> = log["data"].as_array().unwrap().iter().collect();
    let actions: Vec<_> = log.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    let expected =
        ["person.billingManagerRemoved", "account.changed", "person.billingManagerAdded", "account.created"];
    assert_eq!(actions, expected);
    assert_eq!(log[2]["target"]["id"], json!(bea.uid()));
    app.http.settle().await;
}

#[tokio::test]
async fn only_people_with_a_verified_address_are_added() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let path = format!("/v1/accounts/{account}/managers");
    ada.post(&path, json!({ "email": "bea" })).await.expect_error(400, "Invalid email!");
    ada.post(&path, json!({})).await.expect_error(400, "Invalid email!");
    let unknown = "No one has signed up with this email address yet.";
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect_error(404, unknown);
    app.http.unverified_person("bea@example.com").await;
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect_error(404, unknown);
    app.http.settle().await;
}

#[tokio::test]
async fn two_managers_who_remove_each_other_leave_one() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "business").await;
    let bea = app.http.person("bea@example.com").await;
    let path = format!("/v1/accounts/{account}/managers");
    ada.post(&path, json!({ "email": "bea@example.com" })).await.expect(201);
    let (first, second) = (format!("{path}/{}", bea.uid()), format!("{path}/{}", ada.uid()));
    let (one, other) = futures::join!(ada.delete(&first), bea.delete(&second));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404]);
    app.http.settle().await;
}
