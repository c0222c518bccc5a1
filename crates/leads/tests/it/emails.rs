//! Emails about leads to staff who want them.

use http::Method;
use kernel::{DAY, Email, HOUR, MINUTE, SECOND};
use mail::SentEmail;
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;
use testkit::Client;

use crate::{TestApp, test_app};

fn settings(app: &TestApp) -> String {
    format!("/v1/organizations/{}/users/me/emails", app.org.uid)
}

/// Makes a person a hot lead.
async fn heat(app: &TestApp, person: &Client) {
    app.send(person, vec![app.interaction("contact"), app.interaction("download")]).await;
    for video in &app.videos {
        app.watch(person, *video, 10 * SECOND).await;
    }
}

async fn hot_lead(app: &TestApp) -> Client {
    let ada = app.joined("ada@example.com", true).await;
    let user = json!({"displayName": "Ada Lovelace"});
    ada.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    heat(app, &ada).await;
    ada
}

/// Runs the jobs that are due and returns the emails of a kind to the member with a role.
async fn emails(app: &TestApp, role: Role, kind: &str) -> Vec<SentEmail> {
    app.http.run_jobs().await;
    let staff = app.http.member(app.org, role).await;
    let profile = staff.get("/v1/profiles").await.expect(200);
    let address = Email::parse(profile["email"].as_str().unwrap()).unwrap();
    let all = app.http.deps.mailer.sent(Some(&address), 50).await.unwrap();
    all.into_iter().filter(|email| email.kind == kind).collect()
}

/// Makes the only lead a cold one.
async fn cool(app: &TestApp) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    for sql in [
        "UPDATE lead SET points = 10, score = 15, temperature = 'cold' WHERE org = $1",
        "DELETE FROM lead_tally WHERE org = $1",
        "INSERT INTO lead_tally (org, temperature, leads) VALUES ($1, 'cold', 1)",
    ] {
        let values = [app.org.uid.into()];
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        tx.execute_raw(statement).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn post(client: &Client, url: &str, form: &'static str) -> u16 {
    let path = url.strip_prefix("http://vitrine.test").unwrap();
    let request = client.request(Method::POST, path);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    client.send(request.body(axum::body::Body::from(form)).unwrap()).await.status.as_u16()
}

#[tokio::test]
async fn the_settings_belong_to_a_member_of_staff_and_are_off_at_first() {
    let app = test_app().await;
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let path = settings(&app);
    let off = json!({"hotLeads": false, "weeklySummary": false});
    assert_eq!(staff.get(&path).await.expect(200), off);
    let on = json!({"hotLeads": true, "weeklySummary": false});
    assert_eq!(staff.patch(&path, json!({"hotLeads": true})).await.expect(200), on);
    assert_eq!(staff.get(&path).await.expect(200), on);
    let another = app.http.member(app.org, Role::SuperAdmin).await;
    assert_eq!(another.get(&path).await.expect(200), off);
    staff.patch(&path, json!({"hotLeads": "yes"})).await.expect(400);
    app.http.anonymous().get(&path).await.expect(401);
    let viewer = app.http.member(app.org, Role::User).await;
    viewer.get(&path).await.expect(403);
    viewer.patch(&path, json!({"hotLeads": true})).await.expect(403);
    let other = app.http.org("Other").await;
    app.http.member(other, Role::SuperAdmin).await.get(&path).await.expect(404);
    app.http.settle().await;
}

#[tokio::test]
async fn a_lead_that_becomes_hot_is_reported_once_a_week_to_those_who_want_it() {
    let app = test_app().await;
    let staff = app.http.member(app.org, Role::TeamUser).await;
    app.http.member(app.org, Role::SuperAdmin).await;
    staff.patch(&settings(&app), json!({"hotLeads": true})).await.expect(200);
    hot_lead(&app).await;
    let sent = emails(&app, Role::TeamUser, "hot_lead").await;
    assert_eq!(sent.len(), 1);
    let text = sent[0].text.as_deref().unwrap();
    assert!(text.contains("Ada Lovelace is now a hot lead"), "{text}");
    assert!(text.contains(&format!("http://vitrine.test/org/{}/leads", app.org.uid)), "{text}");
    assert_eq!(emails(&app, Role::SuperAdmin, "hot_lead").await.len(), 0, "off unless turned on");

    // It cools down and becomes hot again within the week, and once more after it.
    let mut kinds = Vec::new();
    for days in [3, 5] {
        cool(&app).await;
        app.http.clock.advance(days * DAY);
        heat(&app, &app.http.person("ada@example.com").await).await;
        assert_eq!(app.only().await.1, "hot");
        kinds.push(emails(&app, Role::TeamUser, "hot_lead").await.len());
    }
    assert_eq!(kinds, [1, 2]);
    app.http.settle().await;
}

#[tokio::test]
async fn a_withdrawal_erases_the_emails_about_the_lead_and_stops_those_not_sent() {
    let app = test_app().await;
    let staff = app.http.member(app.org, Role::TeamUser).await;
    staff.patch(&settings(&app), json!({"hotLeads": true})).await.expect(200);
    let ada = hot_lead(&app).await;
    assert_eq!(emails(&app, Role::TeamUser, "hot_lead").await.len(), 1);
    let own = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&own, json!({"consent": false})).await.expect(200);
    let sent = emails(&app, Role::TeamUser, "hot_lead").await;
    assert_eq!((sent.len(), sent[0].text.as_deref()), (1, None), "its text is erased");
    assert!(!sent[0].subject.contains("Ada"));

    ada.patch(&own, testkit::answer(true)).await.expect(200);
    app.http.clock.advance(30 * MINUTE);
    heat(&app, &ada).await;
    ada.patch(&own, json!({"consent": false})).await.expect(200);
    assert_eq!(emails(&app, Role::TeamUser, "hot_lead").await.len(), 1, "not sent after the withdrawal");
    app.http.settle().await;
}

#[tokio::test]
async fn one_click_stops_the_emails_and_another_starts_them_again() {
    let app = test_app().await;
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let path = settings(&app);
    staff.patch(&path, json!({"hotLeads": true, "weeklySummary": true})).await.expect(200);
    hot_lead(&app).await;
    let email = emails(&app, Role::TeamUser, "hot_lead").await.remove(0);
    let url = email.links().pop().unwrap();
    let page = app.http.anonymous().get(url.strip_prefix("http://vitrine.test").unwrap()).await;
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(
        page.status == 200 && html.contains("Unsubscribe from emails about hot leads of Acme?"),
        "{html}"
    );
    assert_eq!(staff.get(&path).await.expect(200)["hotLeads"], true, "opening the page changes nothing");
    let anonymous = app.http.anonymous();
    assert_eq!(post(&anonymous, &url, "List-Unsubscribe=One-Click").await, 200);
    let after = json!({"hotLeads": false, "weeklySummary": true});
    assert_eq!(staff.get(&path).await.expect(200), after);
    assert_eq!(post(&anonymous, &url, "unsubscribe=undo").await, 200);
    assert_eq!(staff.get(&path).await.expect(200)["hotLeads"], true);
    assert_eq!(post(&anonymous, &format!("{url}x"), "").await, 404);
    // The settings of people who leave the staff go, and their links do not bring them back.
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, staff.uid(), Role::User).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(post(&anonymous, &url, "unsubscribe=undo").await, 404);
    app.http.settle().await;
}

#[tokio::test]
async fn the_weekly_summary_is_sent_on_monday_morning_in_the_zone_of_the_organisation() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let zone = json!({"organisation": {"timeZone": "Europe/Berlin"}});
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), zone).await.expect(200);
    let staff = app.http.member(app.org, Role::TeamUser).await;
    staff.patch(&settings(&app), json!({"weeklySummary": true})).await.expect(200);
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact")]).await;
    // It is Friday the 20th, 08:00 UTC. In Berlin, Monday 08:00 is 07:00 UTC.
    app.http.clock.advance(2 * DAY + 22 * HOUR);
    assert_eq!(emails(&app, Role::TeamUser, "leads_of_the_week").await.len(), 0);
    app.http.clock.advance(HOUR);
    app.leads.send_summaries().await.unwrap();
    let sent = emails(&app, Role::TeamUser, "leads_of_the_week").await;
    assert_eq!(sent.len(), 1);
    let text = sent[0].text.as_deref().unwrap();
    for part in ["got 1 new lead last week", "no new leads", "0 hot, 1 warm and 0 cold"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("ada"), "it names no one: {text}");
    app.leads.send_summaries().await.unwrap();
    assert_eq!(emails(&app, Role::TeamUser, "leads_of_the_week").await.len(), 1, "once a week");
    app.http.settle().await;
}
