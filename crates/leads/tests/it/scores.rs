//! How scores are composed.

use kernel::{DAY, HOUR, MINUTE, SECOND};
use serde_json::json;

use crate::stage;

#[tokio::test]
async fn a_visit_is_a_cold_lead_and_a_contact_makes_it_warm() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    assert_eq!(stage.leads("").await["counts"], json!({"total": 0, "hot": 0, "warm": 0, "cold": 0}));
    stage.send(&ada, vec![stage.touch("visit")]).await;
    assert_eq!(stage.only().await, (5, "cold".to_owned()));
    stage.app.clock.pass(MINUTE);
    let before = stage.leads("").await["data"][0]["lastModified"].clone();
    assert_eq!(before, "2026-11-20T08:00:00.000Z");
    stage.send(&ada, vec![stage.touch("visit")]).await;
    assert_eq!(stage.leads("").await["data"][0]["lastModified"], before, "nothing changed");
    stage.send(&ada, vec![stage.touch("contact")]).await;
    // 3 for the day and 25 for the contact.
    assert_eq!(stage.only().await, (37, "warm".to_owned()));
    stage.send(&ada, vec![stage.touch("contact")]).await;
    assert_eq!(stage.only().await.0, 37, "once per playlist and day");
    assert_eq!(stage.leads("").await["data"][0]["lastModified"], "2026-11-20T08:01:00.000Z");
    stage.app.settle().await;
}

#[tokio::test]
async fn contents_seen_add_up_and_count_again_on_another_day() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    for film in &stage.films {
        stage.watch(&ada, *film, 10 * SECOND).await;
        stage.watch(&ada, *film, 10 * SECOND).await;
    }
    // 3 for the day and 4 for each of five videos.
    assert_eq!(stage.only().await.0, 32);
    stage.app.clock.pass(DAY);
    let ada = stage.app.person("ada@example.com").await;
    for film in &stage.films {
        stage.watch(&ada, *film, 10 * SECOND).await;
    }
    assert_eq!(stage.only().await, (53, "hot".to_owned()));
    stage.app.settle().await;
}

#[tokio::test]
async fn a_lead_cools_by_half_in_four_weeks_and_sticks_to_its_temperature() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.send(&ada, vec![stage.touch("contact"), stage.touch("download")]).await;
    for film in &stage.films[..3] {
        stage.watch(&ada, *film, 10 * SECOND).await;
    }
    assert_eq!(stage.only().await, (53, "hot".to_owned()));
    assert_eq!(stage.leads.cool().await.unwrap(), 0, "it is up to date");
    stage.app.clock.pass(4 * DAY);
    assert_eq!(stage.leads.cool().await.unwrap(), 1);
    assert_eq!(stage.only().await, (49, "hot".to_owned()), "one point below the minimum is not five");
    assert_eq!(stage.leads.cool().await.unwrap(), 0);
    stage.app.clock.pass(4 * DAY);
    stage.leads.cool().await.unwrap();
    assert_eq!(stage.only().await, (46, "hot".to_owned()));
    stage.app.clock.pass(2 * DAY);
    stage.leads.cool().await.unwrap();
    assert_eq!(stage.only().await, (44, "warm".to_owned()));
    assert_eq!(stage.leads("").await["data"][0]["lastModified"], "2026-11-30T08:00:30.000Z");
    stage.app.settle().await;
}

#[tokio::test]
async fn points_that_come_late_are_worth_what_is_left_of_them() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    let mut late = stage.touch("contact");
    stage.app.clock.pass(2 * DAY);
    late["time"] = json!("2026-11-20T08:00:00Z");
    let ada_now = stage.app.person("ada@example.com").await;
    assert_eq!(ada.uid(), ada_now.uid());
    stage.send(&ada_now, vec![late]).await;
    // (3 + 25) / 2^(2/28) = 26.6
    assert_eq!(stage.only().await.0, 36);
    stage.app.settle().await;
}

#[tokio::test]
async fn a_consent_taken_back_hides_the_lead_at_once_and_a_new_one_begins_anew() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.send(&ada, vec![stage.touch("contact")]).await;
    assert_eq!(stage.only().await.0, 37);
    let mine = format!("/v1/organizations/{}/users/me/consent", stage.org.uid);
    let gone = json!({"total": 0, "hot": 0, "warm": 0, "cold": 0});
    stage.app.clock.pass(MINUTE);
    ada.patch(&mine, json!({"consent": false})).await.expect(200);
    assert_eq!(stage.leads("").await["data"], json!([]));
    stage.send(&ada, vec![stage.touch("contact")]).await;
    assert_eq!(stage.leads("").await["counts"], gone);
    stage.app.clock.pass(MINUTE);
    ada.patch(&mine, json!({"consent": true})).await.expect(200);
    assert_eq!(stage.leads("").await["counts"], gone, "a lead again only from the next visit");
    stage.send(&ada, vec![stage.touch("visit")]).await;
    assert_eq!(stage.only().await, (5, "cold".to_owned()));
    stage.send(&ada, vec![stage.touch("contact")]).await;
    assert_eq!(stage.only().await.0, 37, "the contact under the old consent does not prevent this one");
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_leaves_or_joins_the_staff_is_no_lead() {
    let stage = stage().await;
    let ada = stage.joined("ada@example.com", true).await;
    stage.send(&ada, vec![stage.touch("visit")]).await;
    let bob = stage.joined("bob@example.com", true).await;
    stage.send(&bob, vec![stage.touch("visit")]).await;
    let carl = stage.joined("carl@example.com", false).await;
    stage.send(&carl, vec![stage.touch("visit")]).await;
    assert_eq!(stage.leads("").await["counts"]["total"], 2);
    bob.delete(&format!("/v1/organizations/{}/users/me", stage.org.uid)).await.expect(204);
    assert_eq!(stage.leads("").await["counts"]["total"], 1);
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    stage.app.kit.orgs.appoint(&tx, stage.org.uid, ada.uid(), orgs::Role::TeamUser).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(stage.leads("").await["data"], json!([]));
    stage.app.clock.pass(HOUR - MINUTE);
    stage.send(&ada, vec![stage.touch("contact")]).await;
    assert_eq!(stage.leads("").await["data"], json!([]));
    stage.app.settle().await;
}
