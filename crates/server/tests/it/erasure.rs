//! Erasing an account: nothing names the person any more, and what has to stay does.

use http::Method;
use kernel::{OrgId, SECOND, Uid, iso};
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use super::tables::{containing, execute, naming, rows};
use super::test_app::{TestApp, test_app, uid};

const EMAIL: &str = "zebulon.quist@example.com";
const NAME: &str = "Zebulon Quist";
const PHONE: &str = "7946 0958";

async fn erase(client: &Client, email: &str) -> testkit::ApiResponse {
    client.json(Method::DELETE, "/v1/profiles", &json!({ "email": email })).await
}

/// An organisation in which the person watched, and another in which the person is staff.
struct Traces {
    org: OrgId,
    other: OrgId,
    admin: Client,
    person: Client,
}

async fn traces(app: &TestApp) -> Traces {
    let (org, other) = (app.org("Acme").await, app.org("Beta").await);
    let admin = app.member(org, Role::SuperAdmin).await;
    let item = app.video(&admin, org).await;
    let playlist = app.playlist(&admin, org).await;
    let items = json!({ "playlist": { "items": [item], "privacy": "public" } });
    admin.patch(&format!("/v1/playlists/{playlist}"), items).await.expect(200);
    let emails = format!("/v1/organizations/{org}/users/me/emails");
    admin.patch(&emails, json!({ "hotLeads": true, "weeklySummary": true })).await.expect(200);

    let person = app.person(EMAIL).await;
    let user = json!({ "displayName": NAME, "firstName": "Zebulon", "lastName": "Quist",
        "phoneNumber": format!("+44 20 {PHONE}"), "company": "Quist Ltd" });
    person.patch("/v1/profiles", json!({ "user": user })).await.expect(200);
    app.appoint(org, &person, Role::User).await;
    let own = format!("/v1/organizations/{org}/users/me/consent");
    person.patch(&own, testkit::answer(true)).await.expect(200);
    let earlier = "UPDATE consent_standing SET since = since - 3600000 WHERE person = $1";
    execute(app, earlier, vec![person.uid().into()]).await;
    let now = app.bootstrap.ambient.now();
    let fresh = || app.bootstrap.ambient.uid::<Uid>();
    let view = fresh();
    let mut events: Vec<Value> = (0..=2)
        .map(|seq: i64| {
            json!({
                "kind": "beat", "id": fresh(), "viewId": view, "seq": seq, "contentId": item,
                "playlistId": playlist, "from": (seq - 1).max(0) * 10_000, "to": seq * 10_000, "rate": 1,
                "state": "playing", "time": iso(now - (2 - seq) * 10 * SECOND),
            })
        })
        .collect();
    events.push(json!({ "kind": "contact", "id": fresh(), "playlistId": playlist, "time": iso(now) }));
    person.post("/v1/events", json!({ "orgId": org, "events": events })).await.expect(202);

    let own = format!("/v1/organizations/{org}/users/me/progress");
    let seen = json!({ "contentId": item, "playlistId": playlist, "position": 20_000, "length": 20_000, "time": iso(now) });
    person.put(&own, json!({ "items": [seen] })).await.expect(204);

    staff_traces(app, other, &person).await;
    Traces { org, other, admin, person }
}

/// What a person leaves behind as staff: content, invitations, entries of the log, and a billing account.
async fn staff_traces(app: &TestApp, org: OrgId, person: &Client) {
    let admin = app.member(org, Role::SuperAdmin).await;
    let invites = json!({ "userEmails": [EMAIL], "role": "accountAdmin" });
    admin.post(&format!("/v1/organizations/{org}/invites"), invites).await.expect(200);
    app.appoint(org, person, Role::AccountAdmin).await;
    app.video(person, org).await;
    let invites = json!({ "userEmails": ["guest@example.com"], "role": "teamUser" });
    person.post(&format!("/v1/organizations/{org}/invites"), invites).await.expect(200);
    let contact = json!({ "organisation": { "contact": { "email": EMAIL } } });
    person.patch(&format!("/v1/organizations/{org}"), contact).await.expect(200);
    let account = json!({ "friendlyName": NAME, "billingName": NAME, "billingEmail": EMAIL,
        "billingPhone": "+44 20 7946 0958", "type": "business" });
    person.post("/v1/accounts", json!({ "account": account })).await.expect(201);
}

#[tokio::test]
async fn after_an_erasure_nothing_names_the_person_and_the_proof_of_consent_stays() {
    let app = test_app().await;
    let Traces { org, other, admin, person } = traces(&app).await;
    app.inner.jobs.run_due(&app.inner.handlers).await.unwrap();
    for what in [EMAIL, NAME, PHONE] {
        assert!(!containing(&app, what).await.is_empty(), "{what} is stored before");
    }
    let before = naming(&app, person.uid().into()).await;
    for table in [
        "lead.person",
        "lead_ledger.person",
        "watch_person.person",
        "activity.person",
        "consent.person",
        "content.created_by",
        "invite.inviter",
        "audit_entry.actor",
        "account_manager.person",
    ] {
        assert!(before.iter().any(|(name, _)| name == table), "no row in {table}: {before:?}");
    }
    let count = async |sql: &str| -> i64 { rows(&app, sql, vec![]).await[0].try_get_by_index(0).unwrap() };
    let consents = count("SELECT COUNT(*) FROM consent").await;
    let entries = count("SELECT COUNT(*) FROM audit_entry").await;
    let dashboard = format!("/v1/organizations/{org}/dashboard");
    let totals = admin.get(&dashboard).await.expect(200)["totalStats"].clone();

    erase(&person, "someone.else@example.com").await.expect(400);
    erase(&person, &EMAIL.to_uppercase()).await.expect(204);

    let left = naming(&app, person.uid().into()).await;
    assert_eq!(left, [("removal.person".to_owned(), 1)], "only the list by which a restored backup is cut");
    // Emails to others, which are removed after a week, may quote a name.
    for (what, kept) in
        [(EMAIL, &[][..]), (NAME, &["mail_outbox.text_body", "mail_outbox.html_body"]), (PHONE, &[])]
    {
        let left: Vec<String> = containing(&app, what).await;
        let unexpected: Vec<&String> = left.iter().filter(|name| !kept.contains(&name.as_str())).collect();
        assert!(unexpected.is_empty(), "{what}: {unexpected:?}");
    }
    assert_eq!(count("SELECT COUNT(*) FROM consent").await, consents, "the proof stays");
    assert_eq!(count("SELECT COUNT(*) FROM audit_entry").await, entries);
    for table in ["consent_standing", "item_progress", "last_visit"] {
        assert_eq!(count(&format!("SELECT COUNT(*) FROM {table}")).await, 0, "{table}");
    }
    assert_eq!(admin.get(&dashboard).await.expect(200)["totalStats"], totals);
    let leads = admin.get(&format!("/v1/analytics/leads?orgId={org}")).await.expect(200);
    assert_eq!((&leads["data"], &leads["counts"]["total"]), (&json!([]), &json!(0)));
    let log =
        app.member(other, Role::SuperAdmin).await.get(&format!("/v1/organizations/{other}/audit")).await;
    assert!(!log.expect(200)["data"].as_array().unwrap().is_empty());
    person.get("/v1/profiles").await.expect(401);
    // The address is free again, for a person of whom nothing is known.
    let again = app.person(EMAIL).await;
    assert_ne!(again.uid(), person.uid());
    assert_eq!(again.get("/v1/profiles/roles/detailed").await.expect(200)["data"], json!([]));
    app.close().await;
}

#[tokio::test]
async fn the_only_super_admin_hands_over_first() {
    let app = test_app().await;
    let (org, beta) = (app.org("Acme").await, app.org("Beta").await);
    let person = app.person(EMAIL).await;
    for org in [org, beta] {
        app.appoint(org, &person, Role::SuperAdmin).await;
        let others = "DELETE FROM org_person WHERE org = $1 AND person <> $2";
        execute(&app, others, vec![org.into(), person.uid().into()]).await;
        let others = "DELETE FROM membership WHERE org = $1 AND person <> $2";
        execute(&app, others, vec![org.into(), person.uid().into()]).await;
    }
    let refusal = erase(&person, EMAIL).await.expect(409);
    assert_eq!(refusal["code"], "last_super_admin");
    let message = refusal["message"].as_str().unwrap();
    assert!(message.contains("Acme") && message.contains("Beta"), "{message}");
    person.get("/v1/profiles").await.expect(200);
    app.member(org, Role::SuperAdmin).await;
    let ended = "UPDATE organisation SET standing = 'ended' WHERE uid = $1";
    execute(&app, ended, vec![beta.into()]).await;
    erase(&person, EMAIL).await.expect(204);
    app.close().await;
}

#[tokio::test]
async fn a_sole_manager_ends_the_organisations_of_the_account_first() {
    let app = test_app().await;
    let person = app.person(EMAIL).await;
    let account = json!({ "friendlyName": "A", "billingName": NAME, "billingEmail": EMAIL,
        "billingPhone": "+44 20 7946 0958", "type": "business" });
    let account = uid(&person.post("/v1/accounts", json!({ "account": account })).await.expect(201));
    let path = format!("/v1/accounts/{account}/checkout");
    person.post(&path, json!({ "planId": "essentials-monthly" })).await.expect(200);
    let all = person.get("/v1/organizations").await.expect(200)["data"].clone();
    let (org, name) = (uid(&all[0]), all[0]["name"].clone());
    let names_person = async || naming(&app, person.uid().into()).await;
    let is_in_journal = |found: &(String, i64)| found.0 == "provision_change.cause_id";
    assert!(names_person().await.iter().any(is_in_journal), "the person caused the first entry");
    assert_eq!(erase(&person, EMAIL).await.expect(409)["code"], "sole_manager");
    let path = format!("/v1/organizations/{org}");
    person.json(Method::DELETE, &path, &json!({ "name": name })).await.expect(204);
    erase(&person, EMAIL).await.expect(204);
    assert!(!names_person().await.iter().any(is_in_journal));
    for what in [EMAIL, NAME] {
        assert_eq!(containing(&app, what).await, Vec::<String>::new(), "{what}");
    }
    app.close().await;
}

#[tokio::test]
async fn the_export_has_what_is_stored_about_the_caller() {
    let app = test_app().await;
    let Traces { org, admin, person, .. } = traces(&app).await;
    app.anonymous().get("/v1/profiles/export").await.expect(401);
    let answer = person.get("/v1/profiles/export").await;
    let disposition = answer.headers["content-disposition"].to_str().unwrap().to_owned();
    assert_eq!(disposition, "attachment; filename=\"vitrine-my-data.json\"");
    let all = answer.expect(200);
    assert_eq!(all["profile"]["email"], EMAIL);
    assert_eq!(all["signIn"]["emailVerified"], true);
    assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(all["consents"][0]["consent"], true);
    assert_eq!(all["createdContent"].as_array().unwrap().len(), 1);
    assert_eq!(all["billingAccounts"][0]["billingEmail"], EMAIL);
    assert!(!all["auditEntries"].as_array().unwrap().is_empty());
    assert_eq!(all["positions"][0]["orgId"], org.to_string());
    assert!(all["positions"][0]["timeSeen"].is_string(), "{}", all["positions"]);
    assert_eq!(all["lastVisits"][0]["orgId"], org.to_string());
    let known = all["organizations"].as_array().unwrap();
    let acme = known.iter().find(|known| known["orgId"] == org.to_string()).unwrap();
    assert_eq!((acme["name"].as_str(), acme["role"].as_str()), (Some("Acme"), Some("user")));
    assert_eq!(acme["lead"]["temperature"], "warm");
    assert!(acme["leadReasons"].as_array().unwrap().len() >= 3);
    assert!(!acme["watched"].as_array().unwrap().is_empty());
    assert!(!acme["history"].as_array().unwrap().is_empty());
    let titles = all["titles"].as_array().unwrap();
    let title_of = |id: &Value| titles.iter().find(|one| one["uid"] == *id).map(|one| one["title"].clone());
    for (id, path) in [("contentId", "content"), ("playlistId", "playlists")] {
        let id = &all["positions"][0][id];
        let shown = admin.get(&format!("/v1/{path}/{}", id.as_str().unwrap())).await.expect(200);
        assert_eq!(title_of(id), Some(shown["title"].clone()));
    }
    let made = &all["createdContent"][0]["uid"];
    assert!(all["auditEntries"].as_array().unwrap().iter().any(|entry| entry["target"] == *made), "{all}");
    assert_eq!(title_of(made), Some(json!("F")));
    assert_eq!(titles.len(), 3, "only what the export refers to: {titles:?}");
    let text = all.to_string();
    assert!(!text.contains("hash") && !text.contains("super"), "no secrets, no other people");
    app.close().await;
}
