//! How scores are composed.

use kernel::{DAY, HOUR, MINUTE, SECOND};
use serde_json::json;

use crate::test_app;

#[tokio::test]
async fn a_visit_is_a_cold_lead_and_a_contact_makes_it_warm() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    assert_eq!(app.leads("").await["counts"], json!({"total": 0, "hot": 0, "warm": 0, "cold": 0}));
    app.send(&ada, vec![app.interaction("visit")]).await;
    assert_eq!(app.only().await, (5, "cold".to_owned()));
    app.http.clock.advance(MINUTE);
    let before = app.leads("").await["data"][0]["lastModified"].clone();
    assert_eq!(before, "2026-11-20T08:00:00.000Z");
    app.send(&ada, vec![app.interaction("visit")]).await;
    assert_eq!(app.leads("").await["data"][0]["lastModified"], before, "nothing changed");
    app.send(&ada, vec![app.interaction("contact")]).await;
    // 3 for the day and 25 for the contact.
    assert_eq!(app.only().await, (37, "warm".to_owned()));
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.only().await.0, 37, "once per playlist and day");
    assert_eq!(app.leads("").await["data"][0]["lastModified"], "2026-11-20T08:01:00.000Z");
    app.http.settle().await;
}

#[tokio::test]
async fn watched_items_add_up_and_count_again_on_another_day() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    for video in &app.videos {
        app.watch(&ada, *video, 10 * SECOND).await;
        app.watch(&ada, *video, 10 * SECOND).await;
    }
    // 3 for the day and 4 for each of five videos.
    assert_eq!(app.only().await.0, 32);
    app.http.clock.advance(DAY);
    let ada = app.http.person("ada@example.com").await;
    for video in &app.videos {
        app.watch(&ada, *video, 10 * SECOND).await;
    }
    assert_eq!(app.only().await, (53, "hot".to_owned()));
    app.http.settle().await;
}

#[tokio::test]
async fn a_lead_loses_half_its_points_in_four_weeks_and_its_temperature_drops_late() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact"), app.interaction("download")]).await;
    for video in &app.videos[..3] {
        app.watch(&ada, *video, 10 * SECOND).await;
    }
    assert_eq!(app.only().await, (53, "hot".to_owned()));
    assert_eq!(app.leads.decay().await.unwrap(), 0, "it is up to date");
    app.http.clock.advance(4 * DAY);
    assert_eq!(app.leads.decay().await.unwrap(), 1);
    assert_eq!(app.only().await, (49, "hot".to_owned()), "one point below the minimum is not five");
    assert_eq!(app.leads.decay().await.unwrap(), 0);
    app.http.clock.advance(4 * DAY);
    app.leads.decay().await.unwrap();
    assert_eq!(app.only().await, (46, "hot".to_owned()));
    app.http.clock.advance(2 * DAY);
    app.leads.decay().await.unwrap();
    assert_eq!(app.only().await, (44, "warm".to_owned()));
    assert_eq!(app.leads("").await["data"][0]["lastModified"], "2026-11-30T08:00:30.000Z");
    app.http.settle().await;
}

#[tokio::test]
async fn late_events_count_with_the_present_value_of_their_points() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    let mut late = app.interaction("contact");
    app.http.clock.advance(2 * DAY);
    late["time"] = json!("2026-11-20T08:00:00Z");
    let ada_now = app.http.person("ada@example.com").await;
    assert_eq!(ada.uid(), ada_now.uid());
    app.send(&ada_now, vec![late]).await;
    // (3 + 25) / 2^(2/28) = 26.6
    assert_eq!(app.only().await.0, 36);
    app.http.settle().await;
}

#[tokio::test]
async fn withdrawing_consent_hides_the_lead_at_once_and_a_new_consent_starts_over() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.only().await.0, 37);
    let mine = format!("/v1/organizations/{}/users/me/consent", app.org.uid);
    let gone = json!({"total": 0, "hot": 0, "warm": 0, "cold": 0});
    app.http.clock.advance(MINUTE);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(app.leads("").await["data"], json!([]));
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.leads("").await["counts"], gone);
    app.http.clock.advance(MINUTE);
    ada.patch(&mine, testkit::answer(true)).await.expect(200);
    assert_eq!(app.leads("").await["counts"], gone, "a lead again only from the next visit");
    app.send(&ada, vec![app.interaction("visit")]).await;
    assert_eq!(app.only().await, (5, "cold".to_owned()));
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.only().await.0, 37, "the contact under the old consent does not prevent this one");
    app.http.settle().await;
}

#[tokio::test]
async fn people_who_leave_or_join_the_staff_are_no_leads() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("visit")]).await;
    let bob = app.joined("bob@example.com", true).await;
    app.send(&bob, vec![app.interaction("visit")]).await;
    let carl = app.joined("carl@example.com", false).await;
    app.send(&carl, vec![app.interaction("visit")]).await;
    assert_eq!(app.leads("").await["counts"]["total"], 2);
    bob.delete(&format!("/v1/organizations/{}/users/me", app.org.uid)).await.expect(204);
    assert_eq!(app.leads("").await["counts"]["total"], 1);
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, ada.uid(), orgs::Role::TeamUser).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.leads("").await["data"], json!([]));
    app.http.clock.advance(HOUR - MINUTE);
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.leads("").await["data"], json!([]));
    app.http.settle().await;
}
