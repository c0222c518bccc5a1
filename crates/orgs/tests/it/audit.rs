//! The audit log: an entry for each change, in its transaction, for account admins of the organisation only.

use kernel::DAY;
use orgs::{Role, Standing};
use serde_json::{Value, json};
use testkit::{Client, TestOrg};

use super::test_app;

async fn log(admin: &Client, org: TestOrg, query: &str) -> Vec<Value> {
    let page = admin.get(&format!("/v1/organizations/{}/audit{query}", org.uid)).await.expect(200);
    page["data"].as_array().unwrap().clone()
}

/// Returns actor, action, target, before and after of each entry, newest first.
fn summaries(entries: &[Value]) -> Vec<Value> {
    let one = |entry: &Value| {
        let actor = entry["actor"]["displayName"].clone();
        json!([actor, entry["action"], entry["target"]["name"], entry["before"], entry["after"]])
    };
    entries.iter().map(one).collect()
}

#[tokio::test]
async fn every_change_has_an_entry_with_actor_target_and_the_changed_fields() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let base = format!("/v1/organizations/{}", org.uid);
    let (admin, ada) = (app.member(org, Role::SuperAdmin).await, app.member(org, Role::User).await);
    let (admin_name, ada_name) =
        (format!("superadmin@{}.example.com", org.uid), format!("user@{}.example.com", org.uid));
    ada.patch("/v1/profiles", json!({ "user": { "displayName": ada_name } })).await.expect(200);
    let change = json!({ "organisation": { "privacy": "public", "description": "Films" } });
    admin.patch(&base, change.clone()).await.expect(200);
    admin.patch(&base, change).await.expect(200);
    admin.post(&format!("{base}/joinUrl"), json!({})).await.expect(200);
    admin.post(&format!("{base}/joinUrl"), json!({})).await.expect(200);
    let role = json!({ "userId": ada.uid(), "role": "teamUser" });
    let uid = admin.post(&format!("{base}/roles"), role.clone()).await.expect(200)["uid"].clone();
    admin.post(&format!("{base}/roles"), role).await.expect(200);
    let invite = json!({ "userEmail": "bob@example.com", "role": "manager" });
    let invite = admin.post(&format!("{base}/roles"), invite).await.expect(200)["uid"].clone();
    admin.delete(&format!("{base}/invites/{}", invite.as_str().unwrap())).await.expect(204);
    admin.delete(&format!("{base}/roles/{}", uid.as_str().unwrap())).await.expect(204);
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.record_standing(&tx, org.uid, Standing::Active, Standing::PastDue).await.unwrap();
    tx.commit().await.unwrap();

    let founder = "founder@acme.example.com";
    let expected = [
        json!([null, "organization.standingChanged", "Acme", { "state": "active" }, { "state": "pastDue" }]),
        json!([admin_name, "person.removed", ada_name, { "role": "teamUser" }, { "role": null }]),
        json!([admin_name, "invite.revoked", "bob@example.com", null, null]),
        json!([admin_name, "invite.sent", "bob@example.com", {}, { "role": "manager" }]),
        json!([admin_name, "person.roleChanged", ada_name, { "role": "user" }, { "role": "teamUser" }]),
        json!([admin_name, "organization.joinLinkCreated", "Acme", null, null]),
        json!([
            admin_name, "organization.changed", "Acme",
            { "description": "", "privacy": "private" }, { "description": "Films", "privacy": "public" },
        ]),
        json!([founder, "organization.created", "Acme", null, null]),
    ];
    assert_eq!(summaries(&log(&admin, org, "").await), expected);
    app.run_jobs().await;
    app.settle().await;
}

#[tokio::test]
async fn the_log_is_paged_filtered_and_read_by_account_admins_only() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let base = format!("/v1/organizations/{}", org.uid);
    let (admin, root) = (app.member(org, Role::AccountAdmin).await, app.member(org, Role::SuperAdmin).await);
    for (client, name) in [(&admin, "A"), (&root, "B"), (&admin, "C")] {
        client.patch(&base, json!({ "organisation": { "name": name } })).await.expect(200);
    }
    admin.patch(&base, json!({ "organisation": { "privacy": "public" } })).await.expect(200);
    admin.post(&format!("{base}/joinUrl"), json!({})).await.expect(200);
    let first = log(&admin, org, "?limit=2").await;
    let after = format!("?limit=2&startAfter={}", first[1]["uid"].as_str().unwrap());
    let second = log(&admin, org, &after).await;
    assert_eq!(second[0]["after"], json!({ "name": "C" }));
    assert_eq!(log(&admin, org, "?action=organization.joinLinkCreated").await.len(), 1);
    let own = log(&admin, org, &format!("?userId={}&action=organization.changed", root.uid())).await;
    assert_eq!((own.len(), &own[0]["after"]), (1, &json!({ "name": "B" })));
    admin.get(&format!("{base}/audit?action=what")).await.expect(400);
    admin.get(&format!("{base}/audit?userId=x")).await.expect(400);
    app.member(org, Role::Manager).await.get(&format!("{base}/audit")).await.expect(403);
    app.member(other, Role::SuperAdmin).await.get(&format!("{base}/audit")).await.expect(404);
    assert_eq!(log(&app.member(other, Role::SuperAdmin).await, other, "").await.len(), 1);
    app.settle().await;
}

#[tokio::test]
async fn entries_are_kept_for_24_months() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let record = app.deps.orgs.admin_record("root".to_owned(), "recount".to_owned());
    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.record_admin(&tx, &record, Some(org.uid.into()), 2).await.unwrap();
    tx.commit().await.unwrap();
    app.clock.advance(731 * DAY);
    app.deps.orgs.prune_audit_log().await.unwrap();
    let admin = app.member(org, Role::SuperAdmin).await;
    assert_eq!(log(&admin, org, "").await.len(), 1);
    assert_eq!(app.deps.orgs.admin_log(9).await.unwrap().len(), 1);
    app.clock.advance(2 * DAY);
    app.deps.orgs.clone().with_audit_kept(800 * DAY).prune_audit_log().await.unwrap();
    assert_eq!(app.deps.orgs.admin_log(9).await.unwrap().len(), 1, "a longer time is set");
    app.deps.orgs.prune_audit_log().await.unwrap();
    let admin = app.member(org, Role::SuperAdmin).await;
    assert_eq!(log(&admin, org, "").await.len(), 0);
    assert_eq!(app.deps.orgs.admin_log(9).await.unwrap(), []);
    app.settle().await;
}

#[tokio::test]
async fn a_command_has_one_entry_in_the_operators_log_that_is_written_with_its_changes() {
    let app = test_app().await;
    let (orgs, db) = (&app.deps.orgs, &app.deps.db);
    let record = orgs.admin_record("root".to_owned(), "content reprocess --failed".to_owned());
    for (changes, is_committed) in [(0, true), (2, true), (4, false), (1, true)] {
        let tx = db.write_tx().await.unwrap();
        orgs.record_admin(&tx, &record, None, changes).await.unwrap();
        if is_committed {
            tx.commit().await.unwrap();
        }
    }
    app.clock.advance(DAY);
    let next = orgs.admin_record("ada".to_owned(), "org delete".to_owned());
    let tx = db.write_tx().await.unwrap();
    orgs.record_admin(&tx, &next, Some(kernel::Uid::from_u128(7)), 1).await.unwrap();
    tx.commit().await.unwrap();

    let log = orgs.admin_log(9).await.unwrap();
    let shown: Vec<_> =
        log.iter().map(|entry| (entry.command.as_str(), entry.target, entry.changes)).collect();
    let expected =
        [("org delete", Some(kernel::Uid::from_u128(7)), 1), ("content reprocess --failed", None, 3)];
    assert_eq!((shown, log[0].operator.as_str()), (expected.to_vec(), "ada"));
    assert_eq!(orgs.admin_log(1).await.unwrap(), log[..1]);
    app.settle().await;
}
