//! After the consent is withdrawn or the membership ends, nothing that the person did names the person.

use http::Method;
use kernel::{DAY, OrgId, SECOND, Uid, iso};
use orgs::Role;
use sea_orm::Value;
use serde_json::json;
use testkit::Client;

use super::tables::{containing, execute, naming, rows};
use super::test_app::{TestApp, test_app};

/// Where a person is named after withdrawing: the person, the membership, the proof of what they agreed to, and the list by
/// which a restored backup is cut.
pub const KEPT: &[&str] = &[
    "person.uid",
    "session.person",
    "membership.person",
    "consent.person",
    "consent_standing.person",
    "org_person.person",
    "org_person_word.person",
    "audit_entry.target",
    "audit_entry.actor",
    "removal.person",
];
/// Name, phone number and email address of the person.
const NAME: &str = "Zebulon Quist";
const PHONE: &str = "7946 0958";
const EMAIL: &str = "zebulon.quist@example.com";
/// Where views and requests have the name of a viewer.
const VIEWERS: [&str; 3] = ["viewing", "coverage", "event_batch"];

/// An organisation with a public embedded video and a viewer who consents.
pub struct Watched {
    pub org: OrgId,
    pub admin: Client,
    pub viewer: Client,
    pub item: String,
    pub playlist: String,
}

pub async fn watched(app: &TestApp) -> Watched {
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let item = app.video(&admin, org).await;
    let playlist = app.playlist(&admin, org).await;
    let items = json!({ "playlist": { "items": [item], "privacy": "public" } });
    admin.patch(&format!("/v1/playlists/{playlist}"), items).await.expect(200);
    let viewer = app.person(EMAIL).await;
    let user = json!({ "displayName": NAME, "firstName": "Zebulon", "lastName": "Quist",
        "phoneNumber": format!("+44 20 {PHONE}") });
    viewer.patch("/v1/profiles", json!({ "user": user })).await.expect(200);
    app.appoint(org, &viewer, Role::User).await;
    let watched = Watched { org, admin, viewer, item, playlist };
    watched.consent(&watched.viewer, true).await;
    // What was watched before the consent has no name.
    let earlier = "UPDATE consent_standing SET since = since - 3600000 WHERE person = $1";
    execute(app, earlier, vec![watched.viewer.uid().into()]).await;
    watched.watch(app, &watched.viewer).await;
    watched
}

impl Watched {
    pub async fn consent(&self, person: &Client, given: bool) {
        let own = format!("/v1/organizations/{}/users/me/consent", self.org);
        person.patch(&own, testkit::answer(given)).await.expect(200);
    }

    /// Reports 20 seconds of the video, a visit and a tap on the contact.
    async fn watch(&self, app: &TestApp, person: &Client) {
        let now = app.bootstrap.ambient.now();
        let fresh = || app.bootstrap.ambient.uid::<Uid>();
        let view = fresh();
        let beats = (0..=2).map(|seq: i64| {
            json!({
                "kind": "beat", "id": fresh(), "viewId": view, "seq": seq, "contentId": self.item,
                "playlistId": self.playlist, "from": (seq - 1).max(0) * 10_000, "to": seq * 10_000, "rate": 1,
                "state": "playing", "time": iso(now - (2 - seq) * 10 * SECOND),
            })
        });
        let mut events: Vec<_> = beats.collect();
        events.push(json!({ "kind": "visit", "id": fresh(), "time": iso(now) }));
        events
            .push(json!({ "kind": "contact", "id": fresh(), "playlistId": self.playlist, "time": iso(now) }));
        let sent =
            person.post("/v1/events", json!({ "orgId": self.org, "events": events })).await.expect(202);
        assert_eq!(sent["accepted"], 5, "{sent}");
    }

    async fn totals(&self) -> serde_json::Value {
        let path = format!("/v1/organizations/{}/dashboard", self.org);
        self.admin.get(&path).await.expect(200)["totalStats"].clone()
    }
}

/// Returns the names of viewers that these tables have, with the number of rows.
async fn viewers(app: &TestApp, org: OrgId) -> Vec<(&'static str, Uid)> {
    let mut found = Vec::new();
    for table in VIEWERS {
        let sql = format!("SELECT DISTINCT viewer FROM {table} WHERE org = $1");
        let all = rows(app, &sql, vec![Value::from(org)]).await;
        found.extend(all.iter().map(|row| (table, row.try_get_by_index(0).unwrap())));
    }
    found
}

/// Fails if anything but the rows that stay names the person, or has a viewer's name from before.
async fn assert_cut(app: &TestApp, watched: &Watched, before: &[(&'static str, Uid)]) {
    let left = naming(app, watched.viewer.uid().into()).await;
    let unexpected: Vec<_> = left.iter().filter(|(name, _)| !KEPT.contains(&name.as_str())).collect();
    assert!(unexpected.is_empty(), "{unexpected:?}");
    assert!(left.iter().any(|(name, _)| name == "consent.person"), "the proof of the consent stays");
    let after = viewers(app, watched.org).await;
    assert!(before.iter().all(|name| !after.contains(name)), "{before:?} {after:?}");
    for table in VIEWERS.into_iter().filter(|table| *table != "coverage") {
        let count = |all: &[(&str, Uid)]| all.iter().filter(|(name, _)| *name == table).count();
        assert_eq!(count(&after), count(before), "what was counted stays in {table}");
    }
}

/// How the person is cut from what they did.
#[derive(Clone, Copy, Debug)]
enum Way {
    Withdraw,
    Leave,
    /// Withdraw after being removed, which does not end the consent.
    WithdrawAfterRemoval,
}

async fn cut(way: Way) {
    let app = test_app().await;
    let watched = watched(&app).await;
    let Watched { org, admin, viewer, .. } = &watched;
    let (before, totals) = (viewers(&app, *org).await, watched.totals().await);
    assert!(VIEWERS.iter().all(|table| before.iter().any(|(name, _)| name == table)), "{before:?}");
    let named = naming(&app, viewer.uid().into()).await;
    for table in ["watch_person", "activity", "visitor", "lead", "lead_ledger"] {
        assert!(named.iter().any(|(name, _)| *name == format!("{table}.person")), "no row in {table}");
    }
    match way {
        Way::Withdraw => watched.consent(viewer, false).await,
        Way::Leave => {
            let me = format!("/v1/organizations/{org}/users/me");
            viewer.json(Method::DELETE, &me, &json!({})).await.expect(204);
        }
        Way::WithdrawAfterRemoval => {
            let list = admin.get(&format!("/v1/organizations/{org}/users")).await.expect(200);
            let all = list["data"].as_array().unwrap();
            let row = all.iter().find(|row| row["userId"] == viewer.uid().to_string()).unwrap();
            let role = row["membershipId"].as_str().unwrap();
            let path = format!("/v1/organizations/{org}/roles/{role}");
            admin.json(Method::DELETE, &path, &json!({})).await.expect(204);
            watched.consent(viewer, false).await;
        }
    }
    assert_cut(&app, &watched, &before).await;
    // The account stays, and a member can be found by its words.
    let is_member = matches!(way, Way::Withdraw);
    let stays = |name: &String| name.starts_with("person.") || (is_member && name == "org_person_word.word");
    for what in [EMAIL, NAME, PHONE] {
        let left = containing(&app, what).await;
        assert!(!left.is_empty() && left.iter().all(stays), "{way:?}, {what}: {left:?}");
    }
    assert_eq!(watched.totals().await, totals, "{way:?}: totals stay");
    app.close().await;
}

#[tokio::test]
async fn withdrawing_the_consent_cuts_the_person_from_everything() {
    cut(Way::Withdraw).await;
}

#[tokio::test]
async fn leaving_cuts_the_person_from_everything() {
    cut(Way::Leave).await;
}

#[tokio::test]
async fn withdrawing_after_a_removal_cuts_the_person_from_everything() {
    cut(Way::WithdrawAfterRemoval).await;
}

#[tokio::test]
async fn a_view_counts_once_an_hour_across_a_withdrawal() {
    let app = test_app().await;
    let watched = watched(&app).await;
    let views = watched.totals().await["views"].clone();
    assert_eq!(views, 1);
    watched.consent(&watched.viewer, false).await;
    watched.watch(&app, &watched.viewer).await;
    assert_eq!(watched.totals().await["views"], views);
    app.close().await;
}

#[tokio::test]
async fn the_past_stays_hidden_if_the_person_consents_again_within_the_hour() {
    let app = test_app().await;
    let watched = watched(&app).await;
    let Watched { org, admin, viewer, .. } = &watched;
    watched.consent(viewer, false).await;
    watched.consent(viewer, true).await;
    let now = app.bootstrap.ambient.now();
    let range = format!("startTime={}&endTime={}", iso(now - DAY), iso(now + DAY));
    for what in ["watch_time", "views", "visits"] {
        let path = format!("/v1/analytics/{what}?orgId={org}&userId={}&{range}", viewer.uid());
        assert_eq!(admin.get(&path).await.expect(200)["total"], 0, "{what}");
    }
    let leads = admin.get(&format!("/v1/analytics/leads?orgId={org}")).await.expect(200);
    assert_eq!(leads["data"], json!([]), "a lead again from the next visit");
    app.close().await;
}
