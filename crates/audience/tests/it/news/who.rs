//! Who gets announcements, and who does not.

use orgs::Role;
use serde_json::json;

use super::{one_each, stage};

#[tokio::test]
async fn people_of_other_organisations_are_not_told() {
    let stage = stage().await;
    let other = stage.app.org("Other").await;
    stage.user("ada@example.com").await;
    let both = stage.user_of(other, "both@example.com").await;
    stage.appoint(stage.org, &both, Role::User).await;
    stage.user_of(other, "bob@example.com").await;
    stage.shown("Summer").await;
    stage.app.run_jobs().await;
    assert_eq!(
        stage.told().await,
        one_each("New from Acme: Summer", &["ada@example.com", "both@example.com"])
    );
    stage.app.settle().await;
}

#[tokio::test]
async fn staff_are_not_told_whatever_their_role() {
    let stage = stage().await;
    for role in Role::ALL {
        stage.app.member(stage.org, role).await;
    }
    stage.shown("Summer").await;
    stage.app.run_jobs().await;
    let user = format!("user@{}.example.com", stage.org.uid);
    assert_eq!(stage.told().await, one_each("New from Acme: Summer", &[&user]));
    stage.app.settle().await;
}

#[tokio::test]
async fn nobody_is_written_to_at_an_address_that_was_not_proved() {
    let stage = stage().await;
    let sign_up = json!({ "email": "eve@example.com", "password": "wren-tapestry-94" });
    let session = stage.app.anonymous().post("/v1/auth/sign-up", sign_up).await.expect(201);
    let person = session["profile"]["uid"].as_str().unwrap().parse().unwrap();
    let tx = stage.app.kit.db.write_tx().await.unwrap();
    stage.app.kit.orgs.appoint(&tx, stage.org.uid, person, Role::User).await.unwrap();
    tx.commit().await.unwrap();
    stage.shown("Summer").await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, []);
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_leaves_while_the_letters_wait_gets_none_not_even_after_coming_back() {
    let stage = stage().await;
    let leaves = stage.user("leaves@example.com").await;
    let rises = stage.user("rises@example.com").await;
    stage.user("stays@example.com").await;
    stage.shown("Summer").await;
    stage.write().await;
    assert_eq!(stage.told().await, [], "written but not sent");
    stage.dismiss(&leaves).await;
    stage.appoint(stage.org, &rises, Role::TeamUser).await;
    stage.app.run_jobs().await;
    let told = one_each("New from Acme: Summer", &["stays@example.com"]);
    assert_eq!(stage.told().await, told);
    stage.appoint(stage.org, &leaves, Role::User).await;
    stage.hour().await;
    assert_eq!(stage.told().await, told);
    assert_eq!(stage.app.kit.mailer.troubles(9).await.unwrap(), [], "a withdrawn email is not a failure");
    stage.app.settle().await;
}

#[tokio::test]
async fn whoever_joins_afterwards_is_not_told_of_what_was_there() {
    let stage = stage().await;
    stage.user("ada@example.com").await;
    stage.shown("Summer").await;
    stage.app.run_jobs().await;
    stage.user("late@example.com").await;
    stage.hour().await;
    assert_eq!(stage.told().await, one_each("New from Acme: Summer", &["ada@example.com"]));
    stage.app.settle().await;
}

#[tokio::test]
async fn letters_that_wait_do_not_go_once_the_film_is_taken_back() {
    let stage = stage().await;
    stage.user("ada@example.com").await;
    let (film, _) = stage.shown("Oops").await;
    stage.write().await;
    stage.change_content(&film, json!({ "privacy": "private" })).await;
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, []);
    stage.app.settle().await;
}
