//! Why a lead has its score.

use kernel::{DAY, MINUTE, SECOND};
use orgs::Role;
use serde_json::{Value, json};

use crate::{TestApp, test_app};

async fn explain(app: &TestApp, person: kernel::PersonId) -> Value {
    let staff = app.http.member(app.org, Role::TeamUser).await;
    staff.get(&format!("/v1/analytics/leads/{person}?orgId={}", app.org.uid)).await.expect(200)
}

/// Returns cause, points and what is left of them.
fn reasons(answer: &Value) -> Vec<(String, f64, f64)> {
    let all = answer["reasons"].as_array().unwrap().iter();
    all.map(|reason| {
        let number = |field: &str| reason[field].as_f64().unwrap();
        (reason["cause"].as_str().unwrap().to_owned(), number("points"), number("current"))
    })
    .collect()
}

#[tokio::test]
async fn every_point_has_a_reason_with_its_item() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.watch(&ada, app.videos[0], 10 * SECOND).await;
    app.http.clock.advance(MINUTE);
    app.send(&ada, vec![app.interaction("contact")]).await;
    app.http.clock.advance(DAY);
    let ada = app.http.person("ada@example.com").await;
    app.watch(&ada, app.videos[0], 10 * SECOND).await;

    let answer = explain(&app, ada.uid()).await;
    let causes: Vec<String> = reasons(&answer).into_iter().map(|(cause, ..)| cause).collect();
    assert_eq!(causes, ["seenAgain", "activeDay", "contact", "coverage", "activeDay"]);
    let all = &answer["reasons"];
    assert_eq!((all[0]["contentTitle"].as_str(), all[0]["points"].as_f64()), (Some("Video 0"), Some(4.0)));
    assert_eq!(all[3]["contentId"], app.videos[0].to_string());
    assert_eq!(all[2]["playlistTitle"], "Videos");
    assert_eq!(all[2]["playlistId"], app.playlist.to_string());
    assert_eq!(all[2]["time"], "2026-11-20T08:01:10.000Z");
    assert!(all[4].get("contentId").is_none() && all[4].get("playlistId").is_none());
    let left: f64 = reasons(&answer).iter().map(|(_, _, current)| current).sum();
    let score = (100.0 * (1.0 - (-left / 60.0).exp())).round();
    assert_eq!(answer["lead"]["score"].as_f64(), Some(score));
    app.http.settle().await;
}

#[tokio::test]
async fn a_deleted_item_has_no_title_and_an_old_consent_no_reasons() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.watch(&ada, app.videos[0], 10 * SECOND).await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let others = json!({"playlist": {"items": app.videos[1..]}});
    admin.patch(&format!("/v1/playlists/{}", app.playlist), others).await.expect(200);
    admin.delete(&format!("/v1/content/{}", app.videos[0])).await.expect(204);
    let answer = explain(&app, ada.uid()).await;
    let watched =
        answer["reasons"].as_array().unwrap().iter().find(|one| one["cause"] == "coverage").unwrap();
    assert_eq!(watched["contentId"], app.videos[0].to_string());
    assert!(watched.get("contentTitle").is_none());

    let own = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    ada.patch(&own, json!({"consent": false})).await.expect(200);
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let path = format!("/v1/analytics/leads/{}?orgId={}", ada.uid(), app.org.uid);
    staff.get(&path).await.expect_error(404, "Lead not found");
    ada.patch(&own, testkit::answer(true)).await.expect(200);
    app.http.clock.advance(MINUTE);
    app.send(&ada, vec![app.interaction("visit")]).await;
    assert_eq!(reasons(&explain(&app, ada.uid()).await), [("activeDay".to_owned(), 3.0, 3.0)]);
    app.http.settle().await;
}

#[tokio::test]
async fn an_explanation_is_for_staff_of_the_organisation() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("visit")]).await;
    let path = format!("/v1/analytics/leads/{}?orgId={}", ada.uid(), app.org.uid);
    app.http.anonymous().get(&path).await.expect(401);
    ada.get(&path).await.expect(403);
    let other = app.http.org("Other").await;
    let foreign = app.http.member(other, Role::SuperAdmin).await;
    foreign.get(&path).await.expect_error(404, "Organisation not found");
    let own = format!("/v1/analytics/leads/{}?orgId={}", ada.uid(), other.uid);
    foreign.get(&own).await.expect_error(404, "Lead not found");
    foreign.get(&format!("/v1/analytics/leads/{}", ada.uid())).await.expect_error(400, "No orgId");
    app.http.settle().await;
}

#[tokio::test]
async fn entries_of_the_ledger_are_kept_for_13_months() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact")]).await;
    app.http.clock.advance(200 * DAY);
    let ada = app.http.person("ada@example.com").await;
    app.send(&ada, vec![app.interaction("visit")]).await;
    app.http.clock.advance(197 * DAY);
    app.leads.prune().await.unwrap();
    assert_eq!(reasons(&explain(&app, ada.uid()).await).len(), 3);
    app.http.clock.advance(DAY);
    app.leads.prune().await.unwrap();
    assert_eq!(reasons(&explain(&app, ada.uid()).await).len(), 1);
    app.http.settle().await;
}
