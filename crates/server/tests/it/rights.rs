//! The rights matrix: every operation of the served document against every kind of caller, as one readable
//! table. Payment is on, and the organisation was bought. A new operation without a recipe fails the test, and so does one that tells a stranger more than
//! "not found".

use std::collections::BTreeMap;
use std::fmt::Write as _;

use http::Method;
use kernel::{OrgId, PersonId, Uid};
use orgs::Role;
use sea_orm::ActiveEnum as _;
use serde_json::{Value, json};
use testkit::Client;

use super::tables::execute;
use super::test_app::{TestApp, test_app_with_payment, uid};

/// Path and body of a request.
struct Recipe {
    path: String,
    body: Value,
}

/// Objects of the organisation, created anew for each request.
struct TestObjects {
    org: OrgId,
    playlist: String,
    video: String,
    upload: String,
    user: PersonId,
    /// An app user who is a lead.
    lead: PersonId,
    /// A team user and the membership.
    staff: (PersonId, String),
    /// An open invitation to a team user.
    invite: String,
    caller: Option<PersonId>,
    account: Account,
}

/// The billing account that owns the organisation.
#[derive(Clone)]
struct Account {
    uid: String,
    /// The purchase of the organisation.
    provision: String,
}

/// Operations on objects of an organisation: outsiders get 404, whatever they send.
const TENANT: &[&str] = &[
    "change_organisation",
    "delete_organisation",
    "restore_organisation",
    "make_join_url",
    "give_role",
    "remove_role",
    "block_person",
    "unblock_person",
    "create_invites",
    "list_invites",
    "list_audit_log",
    "revoke_invite",
    "resend_invite",
    "list_staff",
    "list_people",
    "list_playlists",
    "create_playlist",
    "read_playlist",
    "change_playlist",
    "delete_playlist",
    "list_playlist_content",
    "list_deleted_playlists",
    "restore_playlist",
    "list_content",
    "create_content",
    "read_content",
    "change_content",
    "delete_content",
    "replace_file",
    "read_upload",
    "cancel_upload",
    "read_upload_report",
    "retry_processing",
    "list_deleted_content",
    "look_up_embed",
    "restore_content",
    "put_captions",
    "delete_captions",
    "create_upload",
    "list_users",
    "export_users",
    "list_consents",
    "change_own_consent",
    "leave",
    "read_progress",
    "save_progress",
    "search",
    "read_dashboard",
    "list_history",
    "read_watch_time",
    "read_views",
    "read_visits",
    "read_user_analytics",
    "read_overview",
    "read_verdicts",
    "read_content_analytics",
    "read_playlist_analytics",
    "list_activity",
    "list_leads",
    "export_leads",
    "summarize_leads",
    "explain_lead",
    "read_emails",
    "change_emails",
    "summarize_users",
    "post_events",
];

#[tokio::test]
async fn every_operation_answers_every_caller_as_in_the_table() {
    let app = test_app_with_payment().await;
    let founder = app.person("founder@example.com").await;
    let (account, provision, org) = app.buy(&founder, "professional-annual").await;
    let account = Account { uid: account, provision };
    let other = app.org("other").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let user = app.member(org, Role::User).await.uid();
    let mut callers = vec![
        ("anonymous".to_owned(), app.anonymous(), None),
        ("stranger".to_owned(), app.person("stranger@example.com").await, None),
        ("other".to_owned(), app.member(other, Role::SuperAdmin).await, None),
        ("payer".to_owned(), payer(&app, &founder, &account, org).await, None),
    ];
    for role in Role::ALL {
        callers.push((role.to_value(), app.member(org, role).await, Some(role)));
    }
    let operations = operations(&app).await;
    let mut table = String::new();
    let head: Vec<String> = callers.iter().map(|(name, ..)| format!("{name:>13}")).collect();
    writeln!(table, "{:<26}{}", "", head.concat()).unwrap();
    for (name, (method, template)) in &operations {
        let mut row = format!("{name:<26}");
        for (caller, client, role) in &callers {
            // A new session each time, because signing out or leaving must not affect the next request.
            let client = match role {
                Some(role) => app.member(org, *role).await,
                None => new_session(&app, client).await,
            };
            let mut objects = test_objects(&app, &leader, org, user, &client, &account).await;
            if name == "remove_manager" {
                let staff = json!({ "email": format!("staff-{org}@example.com") });
                founder.post(&format!("/v1/accounts/{}/managers", account.uid), staff).await.expect(201);
            }
            if template.contains("/invites/{uid}") {
                // Not for each request: their number is limited.
                objects.invite = invited(&leader, org).await;
            }
            if template.ends_with("/restore") {
                for path in
                    [format!("/v1/playlists/{}", objects.playlist), format!("/v1/content/{}", objects.video)]
                {
                    leader.delete(&path).await.expect(204);
                }
            }
            let recipe = recipe(name, template, &objects).unwrap_or_else(|| panic!("{name} has no recipe"));
            let status = client.json(method.clone(), &recipe.path, &recipe.body).await.status.as_u16();
            // The number of drafts per person is limited.
            leader.delete(&format!("/v1/content/{}", objects.upload)).await;
            if TENANT.contains(&name.as_str()) {
                let expected = match caller.as_str() {
                    "anonymous" => 401,
                    // Managers of the account delete its organisations; the recipe sends another name.
                    "payer" if name == "delete_organisation" => 409,
                    "stranger" | "other" | "payer" => 404,
                    _ => status,
                };
                assert_eq!(status, expected, "{name} by {caller}");
            }
            assert!(status < 500, "{name} by {caller}: {status}");
            write!(row, "{status:>13}").unwrap();
        }
        writeln!(table, "{row}").unwrap();
    }
    insta::assert_snapshot!("rights", table);
    app.close().await;
}

/// Maps operation ids to (method, path template), as in the served document.
async fn operations(app: &TestApp) -> BTreeMap<String, (Method, String)> {
    let document = app.anonymous().get("/openapi.json").await.expect(200);
    let mut all = BTreeMap::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            all.insert(operation["operationId"].as_str().unwrap().to_owned(), (method, path.clone()));
        }
    }
    all
}

async fn new_session(app: &TestApp, client: &Client) -> Client {
    match client.try_uid() {
        None => app.anonymous(),
        Some(uid) => {
            let people = app.inner.features.identity.people(app.bootstrap.db.read(), &[uid]).await.unwrap();
            app.person(&people[0].email).await
        }
    }
}

async fn test_objects(
    app: &TestApp,
    leader: &Client,
    org: OrgId,
    user: PersonId,
    caller: &Client,
    account: &Account,
) -> TestObjects {
    let file =
        json!({ "name": "a.mp4", "size": 4, "type": "video/mp4", "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    let new = json!({ "content": { "title": "D" }, "orgId": org, "file": file, "notifyUsers": false });
    // The caller before may have been the same person, and may have left.
    app.appoint(org, leader, Role::TeamLeader).await;
    let upload = leader.post("/v1/content", new).await.expect(201);
    let staff = app.person(&format!("staff-{org}@example.com")).await;
    app.appoint(org, &staff, Role::TeamUser).await;
    let memberships = staff.get("/v1/profiles/roles/detailed").await.expect(200);
    TestObjects {
        org,
        playlist: app.playlist(leader, org).await,
        video: app.video(leader, org).await,
        upload: upload["uid"].as_str().unwrap().to_owned(),
        user,
        lead: lead(app, org).await,
        staff: (staff.uid(), uid(&memberships["data"][0])),
        invite: String::new(),
        caller: caller.try_uid(),
        account: account.clone(),
    }
}

/// Returns an app user who is a lead.
async fn lead(app: &TestApp, org: OrgId) -> PersonId {
    let lead = app.person("lead@example.com").await.uid();
    let sql = "INSERT INTO lead (org, person, since, points, day, score, temperature, modified_at) \
               VALUES ($1, $2, 1, 3, 1, 5, 'cold', 1) ON CONFLICT DO NOTHING";
    execute(app, sql, vec![org.into(), lead.into()]).await;
    lead
}

/// Returns a manager of the account who is no member of its organisation.
async fn payer(app: &TestApp, founder: &Client, account: &Account, org: OrgId) -> Client {
    // Managers are added from the staff.
    let payer = app.person("payer@example.com").await;
    app.appoint(org, &payer, Role::TeamUser).await;
    let managers = format!("/v1/accounts/{}/managers", account.uid);
    founder.post(&managers, json!({ "email": "payer@example.com" })).await.expect(201);
    let memberships = payer.get("/v1/profiles/roles/detailed").await.expect(200);
    let membership = uid(&memberships["data"][0]);
    founder.delete(&format!("/v1/organizations/{org}/roles/{membership}")).await.expect(204);
    payer
}

async fn invited(leader: &Client, org: OrgId) -> String {
    let body = json!({ "userEmail": "invited@example.com", "role": "teamUser" });
    uid(&leader.post(&format!("/v1/organizations/{org}/roles"), body).await.expect(200))
}

/// Returns the request that a regular client would send.
fn recipe(name: &str, template: &str, objects: &TestObjects) -> Option<Recipe> {
    let org = objects.org;
    let unknown = Uid::nil().to_string();
    let file =
        json!({ "name": "a.mp4", "size": 4, "type": "video/mp4", "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    let image =
        json!({ "name": "a.png", "size": 4, "type": "image/png", "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    let link = json!({ "title": "T", "url": "https://youtu.be/dQw4w9WgXcQ" });
    let account =
        json!({ "friendlyName": "A", "billingName": "B", "billingEmail": "c", "billingPhone": "1" });
    let span = format!(
        "orgId={org}&userId={}&startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z",
        objects.user
    );
    let id = |id: &str| template.replace("{id}", id).replace("{ids}", id);
    let query = |text: String| format!("{template}?{text}");
    let plain = template.to_owned();
    let (path, body) = match name {
        "read_join_page" => (plain.replace("{code}", "x"), json!({})),
        "join" => (plain.replace("{code}", "x"), testkit::answer(true)),
        "read_unsubscribe_page" | "unsubscribe" => (plain.replace("{token}", "x"), json!({})),
        "read_install_file" => {
            (plain.replace("{token}", "x").replace("{name}", "manifest.webmanifest"), json!({}))
        }
        "list_joined" => (plain, json!({})),
        "list_users"
        | "export_users"
        | "list_consents"
        | "read_dashboard"
        | "leave"
        | "list_own_consents"
        | "read_own_announcements" => (id(&org.to_string()), json!({})),
        "change_own_announcements" => (id(&org.to_string()), json!({ "emails": false })),
        "read_progress" => (id(&org.to_string()), json!({})),
        "save_progress" => (id(&org.to_string()), json!({ "items": [] })),
        "search" => (query(format!("orgId={org}&search=t")), json!({})),
        "change_own_consent" => (id(&org.to_string()), json!({ "consent": false })),
        "list_history" => (
            plain.replace("{orgId}", &org.to_string()).replace("{userId}", &objects.user.to_string())
                + "?timeStart=2026-11-01T00:00:00Z&timeEnd=2026-11-02T00:00:00Z",
            json!({}),
        ),
        "read_watch_time" | "read_views" | "read_visits" => (query(span), json!({})),
        "read_user_analytics" => (
            plain.replace("{userId}", &objects.user.to_string())
                + &format!("?orgId={org}&startDate=2026-11-01T00:00:00Z&endDate=2026-11-02T00:00:00Z"),
            json!({}),
        ),
        "read_overview" | "read_verdicts" => (query(span), json!({})),
        "read_content_analytics" => (id(&objects.video) + &format!("?{span}"), json!({})),
        "read_playlist_analytics" => (id(&objects.playlist) + &format!("?{span}"), json!({})),
        "list_activity" | "list_leads" | "export_leads" => (query(format!("orgId={org}")), json!({})),
        "summarize_leads" => (query(span), json!({})),
        "explain_lead" => {
            (plain.replace("{userId}", &objects.lead.to_string()) + &format!("?orgId={org}"), json!({}))
        }
        "summarize_users" => {
            (id(&org.to_string()) + "?startTime=2026-11-01T00:00:00Z&endTime=2026-11-02T00:00:00Z", json!({}))
        }
        "read_emails" => (id(&org.to_string()), json!({})),
        "change_emails" => (id(&org.to_string()), json!({ "hotLeads": true })),
        "read_staff_unsubscribe_page" | "unsubscribe_staff" => (plain.replace("{token}", "x"), json!({})),
        "post_events" => {
            let visit = json!({ "kind": "visit", "id": objects.playlist, "time": "2026-11-01T00:00:00Z" });
            (plain, json!({ "orgId": org, "events": [visit] }))
        }
        "read_config" | "list_plans" | "read_health" | "read_readiness" | "list_public_keys"
        | "read_profile" | "list_memberships" | "list_organisations" | "list_accounts" => (plain, json!({})),
        "request_magic_link" => {
            let mail = format!("{}@example.com", objects.caller.unwrap_or(PersonId::nil()));
            (plain, json!({ "email": mail, "action": "login" }))
        }
        "redeem_magic_link" => (plain, json!({ "email": "a@example.com", "code": "x" })),
        "redeem_emailed_digits" => (plain, json!({ "email": "a@example.com", "code": "123456" })),
        "refresh_session" | "sign_out" => (plain, json!({})),
        "sign_up" | "sign_in" => {
            let mail = format!("new-{}@example.com", objects.caller.unwrap_or(PersonId::nil()));
            (plain, json!({ "email": mail, "password": "wren-tapestry-94" }))
        }
        "request_password_reset" => {
            let mail = format!("{}@example.com", objects.caller.unwrap_or(PersonId::nil()));
            (plain, json!({ "email": mail }))
        }
        "redeem_password_reset" => (plain, json!({ "code": "x", "password": "wren-tapestry-94" })),
        "request_confirmation" | "list_sign_in_methods" | "list_sessions" => (plain, json!({})),
        "redeem_confirmation" => (plain, json!({ "code": "x" })),
        "end_session" => (plain.replace("{uid}", &unknown), json!({})),
        "start_provider_sign_in" => {
            let challenge = "x".repeat(43);
            (plain.replace("{provider}", "google") + &format!("?popup=1&challenge={challenge}"), json!({}))
        }
        "finish_provider_sign_in" | "finish_posted_provider_sign_in" => {
            (plain.replace("{provider}", "google"), json!({}))
        }
        "redeem_provider_sign_in" => (plain, json!({ "code": "x", "secret": "x" })),
        "change_profile" => (plain, json!({ "user": { "company": "C" } })),
        "erase_profile" => (plain, json!({ "email": "another@example.com" })),
        "export_profile" => (plain, json!({})),
        "list_people" => (format!("{}?orgId={org}", id(&objects.user.to_string())), json!({})),
        "create_organisation" => (plain, json!({ "organisation": { "name": "N" } })),
        "change_organisation" => (id(&org.to_string()), json!({ "organisation": { "privacy": "public" } })),
        "delete_organisation" => (id(&org.to_string()), json!({ "name": "another name" })),
        "restore_organisation" => (id(&org.to_string()), json!({})),
        "give_role" => (id(&org.to_string()), json!({ "userId": objects.staff.0, "role": "teamLeader" })),
        "block_person" | "unblock_person" => {
            (id(&org.to_string()).replace("{userId}", &objects.staff.0.to_string()), json!({}))
        }
        "remove_role" => (id(&org.to_string()).replace("{uid}", &objects.staff.1), json!({})),
        "create_invites" => {
            (id(&org.to_string()), json!({ "userEmails": ["a@example.com"], "role": "teamUser" }))
        }
        "revoke_invite" | "resend_invite" => {
            (id(&org.to_string()).replace("{uid}", &objects.invite), json!({}))
        }
        "read_invite" => (plain.replace("{code}", "x"), json!({})),
        "make_join_url" | "list_staff" | "list_invites" | "list_audit_log" => {
            (id(&org.to_string()), json!({}))
        }
        "create_account" => (plain, json!({ "account": account })),
        "change_account" => (id(&objects.account.uid), json!({ "account": { "type": "agency" } })),
        "list_provisions"
        | "manage_account"
        | "list_account_audit_log"
        | "list_managers"
        | "list_usage"
        | "list_invoices"
        | "list_ended_organizations"
        | "list_deleted_organisations" => (id(&objects.account.uid), json!({})),
        "add_manager" => (id(&objects.account.uid), json!({ "email": format!("staff-{org}@example.com") })),
        "remove_manager" => {
            (id(&objects.account.uid).replace("{uid}", &objects.staff.0.to_string()), json!({}))
        }
        "read_provision" => {
            (id(&objects.account.uid).replace("{provisionId}", &objects.account.provision), json!({}))
        }
        "start_checkout" => (id(&objects.account.uid), json!({ "planId": "essentials-monthly" })),
        "receive_stripe_webhook" => (plain, json!({})),
        "list_playlists" | "list_content" | "list_deleted_playlists" | "list_deleted_content" => {
            (query(format!("orgId={org}")), json!({}))
        }
        "create_playlist" => (plain, json!({ "playlist": { "title": "T" }, "orgId": org })),
        "read_playlist" | "delete_playlist" | "restore_playlist" | "list_playlist_content" => {
            (id(&objects.playlist), json!({}))
        }
        "change_playlist" => (id(&objects.playlist), json!({ "playlist": { "title": "U" } })),
        "create_content" => {
            (plain, json!({ "content": link, "orgId": org, "file": null, "notifyUsers": false }))
        }
        "look_up_embed" => (plain, json!({ "orgId": org, "url": link["url"] })),
        "read_content" | "delete_content" | "restore_content" => (id(&objects.video), json!({})),
        "read_upload_report" | "retry_processing" => (id(&objects.video), json!({})),
        "put_captions" | "delete_captions" => (id(&objects.video).replace("{language}", "en"), json!({})),
        "options_resumable" | "begin_resumable" => (plain, json!({})),
        "append_resumable" | "read_resumable" | "end_resumable" | "override_resumable" => {
            (id("x"), json!({}))
        }
        "change_content" => (id(&objects.video), json!({ "content": { "title": "U" } })),
        "replace_file" => (id(&objects.upload), json!({ "file": file })),
        "read_upload" | "cancel_upload" => (id(&objects.upload).replace("{uid}", &objects.upload), json!({})),
        "create_upload" => (plain, json!({ "file": image, "orgId": org })),
        "ingest_file" => (plain.replace("{token}", "x"), json!({})),
        "renew_grant" => (plain, json!({ "url": "http://vitrine.test/media/x/source" })),
        "serve_media" => (plain.replace("{grant}", "x").replace("{name}", "source"), json!({})),
        "serve_image" => (plain.replace("{name}", "x"), json!({})),
        _ => return None,
    };
    Some(Recipe { path, body })
}
