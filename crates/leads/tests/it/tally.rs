//! The numbers of leads are kept with every change of a lead.

use kernel::{DAY, HOUR};
use orgs::Role;
use serde_json::{Value, json};

use crate::{TestApp, test_app};

/// A simple generator of numbers, so that a history is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Fails unless the kept numbers are those of the list.
async fn assert_counted(app: &TestApp) -> i64 {
    let all = app.leads("&limit=100").await;
    let of = |temperature: &str| {
        all["data"].as_array().unwrap().iter().filter(|lead| lead["temperature"] == temperature).count()
    };
    let total = all["data"].as_array().unwrap().len();
    let listed = json!({ "total": total, "hot": of("hot"), "warm": of("warm"), "cold": of("cold") });
    assert_eq!(all["counts"], listed);
    all["counts"]["total"].as_i64().unwrap()
}

async fn appoint(app: &TestApp, email: &str, role: Option<Role>) {
    let person = app.http.person(email).await.uid();
    let tx = app.http.deps.db.write_tx().await.unwrap();
    app.http.deps.orgs.appoint(&tx, app.org.uid, person, role).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_numbers_are_those_of_the_list_after_any_history() {
    let app = test_app().await;
    let mut dice = Dice(13);
    let emails: Vec<String> = (0..6).map(|n| format!("person{n}@example.com")).collect();
    for email in &emails {
        app.joined(email, true).await;
    }
    let own = format!("/v1/organizations/{}/users/me", app.org.uid);
    let mut most = 0;
    for _ in 0..60 {
        let email = &emails[usize::try_from(dice.roll(6)).unwrap()];
        let person = app.http.person(email).await;
        match dice.roll(18) {
            0 => {
                person.patch(&format!("{own}/consent"), json!({"consent": false})).await;
            }
            1 => {
                person.post(&app.link, testkit::answer(true)).await;
            }
            2 => {
                person.delete(&own).await;
            }
            3 => appoint(&app, email, Some(Role::TeamUser)).await,
            4 => appoint(&app, email, Some(Role::User)).await,
            5 => appoint(&app, email, None).await,
            6 => {
                app.http.clock.advance(i64::try_from(dice.roll(9)).unwrap() * DAY);
                app.leads.decay().await.unwrap();
            }
            roll => {
                let kinds = ["visit", "contact", "download"];
                let count = usize::try_from(roll % 3).unwrap() + 1;
                let events: Vec<Value> = kinds[..count].iter().map(|kind| app.interaction(kind)).collect();
                person.post("/v1/events", json!({"orgId": app.org.uid, "events": events})).await;
            }
        }
        app.http.clock.advance(HOUR);
        most = most.max(assert_counted(&app).await);
    }
    assert!(most > 2, "the history has leads");
    app.http.settle().await;
}

#[tokio::test]
async fn a_lead_is_hidden_while_the_person_is_no_app_user_and_does_not_decay_twice() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("contact")]).await;
    assert_eq!(app.only().await, (37, "warm".to_owned()));
    appoint(&app, "ada@example.com", Some(Role::TeamUser)).await;
    assert_eq!(assert_counted(&app).await, 0);
    app.http.clock.advance(28 * DAY);
    assert_eq!(app.leads.decay().await.unwrap(), 0, "a hidden lead is left alone");
    appoint(&app, "ada@example.com", Some(Role::User)).await;
    // 28 points have halved once.
    assert_eq!(app.only().await, (21, "warm".to_owned()));
    assert_eq!(assert_counted(&app).await, 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_lead_without_a_score_is_not_updated_any_more() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("visit")]).await;
    let mut updates = 0;
    for _ in 0..200 {
        app.http.clock.advance(DAY);
        updates += app.leads.decay().await.unwrap();
    }
    assert_eq!(updates, 5, "from 5 to 0, once for each score");
    assert_eq!(app.only().await, (0, "cold".to_owned()));
    app.http.settle().await;
}
