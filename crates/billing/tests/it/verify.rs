//! `vitrine verify`: planted faults are found, and nothing else.

use kernel::{OrgId, Uid};
use sea_orm::{ConnectionTrait as _, Statement, Value};

use crate::test_app::{TestApp, test_app, uid};

async fn execute(app: &TestApp, sql: &str, values: Vec<Value>) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert!(tx.execute_raw(statement).await.unwrap().rows_affected() > 0, "{sql}");
    tx.commit().await.unwrap();
}

/// Returns the names of the checks that found something.
async fn found(app: &TestApp) -> Vec<String> {
    let mut found: Vec<_> = app.billing.verify().await.unwrap().into_iter().map(|one| one.check).collect();
    found.sort();
    found
}

#[tokio::test]
async fn a_purchase_that_lives_through_everything_has_nothing_to_report() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let bought = app.buy(&ada, &account, "essentials-monthly").await;
    let renewal = format!("/sandbox/api/subscriptions/{}", bought["uid"].as_str().unwrap());
    assert_eq!(found(&app).await, [""; 0]);
    app.stand_in_post(&renewal, serde_json::json!({ "outcome": "fail" })).await;
    for days in [31, 14, 2, 30] {
        app.advance_days(days).await;
        app.billing.reconcile().await.unwrap();
        app.http.run_jobs().await;
        assert_eq!(found(&app).await, [""; 0], "after {days} days");
    }
    let ada = app.http.person("ada@example.com").await;
    app.buy(&ada, &account, "essentials-monthly").await;
    assert_eq!(found(&app).await, [""; 0]);
    app.http.settle().await;
}

#[tokio::test]
async fn each_planted_fault_is_found() {
    let app = test_app().await;
    let (ada, account) = app.buyer("ada@example.com", "agency").await;
    let first = app.buy(&ada, &account, "essentials-monthly").await;
    let second = app.buy(&ada, &account, "essentials-monthly").await;
    let (purchase, org): (Uid, OrgId) = (uid(&first["uid"]), uid(&first["orgId"]));
    let (other, other_org): (Uid, OrgId) = (uid(&second["uid"]), uid(&second["orgId"]));
    assert_eq!(found(&app).await, [""; 0]);

    let set_state = "UPDATE provision SET recorded_state = $1 WHERE uid = $2";
    execute(&app, set_state, vec!["pastDue".into(), purchase.into()]).await;
    assert_eq!(found(&app).await, ["journal_end"]);
    execute(&app, set_state, vec!["active".into(), purchase.into()]).await;

    let entry = "INSERT INTO provision_change (uid, provision, at, from_state, to_state, cause) \
                 VALUES ($1, $2, 1, $3, $4, 'check')";
    let later = |number| Uid::from_u128(u128::MAX - number);
    let gap = vec![later(2).into(), purchase.into(), "pastDue".into(), "active".into()];
    execute(&app, entry, gap).await;
    assert_eq!(found(&app).await, ["journal_gap"]);
    execute(&app, "DELETE FROM provision_change WHERE uid = $1", vec![later(2).into()]).await;

    let set_standing = "UPDATE organisation SET standing = $1 WHERE uid = $2";
    execute(&app, set_standing, vec!["ended".into(), org.into()]).await;
    assert_eq!(found(&app).await, ["plan_standing"]);
    execute(&app, set_standing, vec!["active".into(), org.into()]).await;

    let set_org = "UPDATE provision SET org = $1 WHERE uid = $2";
    execute(&app, set_org, vec![org.into(), other.into()]).await;
    assert_eq!(found(&app).await, ["plan_double", "plan_missing"]);
    execute(&app, set_org, vec![other_org.into(), other.into()]).await;

    let (_, unpaid) = app.start_checkout(&ada, &account, "essentials-monthly").await;
    let unpaid: Uid = unpaid.parse().unwrap();
    assert_eq!(found(&app).await, [""; 0], "it can still be paid");
    let forget =
        "UPDATE provision SET checkout_status = 'open', session_expires = 2, synced_at = 1 WHERE uid = $1";
    execute(&app, forget, vec![unpaid.into()]).await;
    assert_eq!(found(&app).await, ["checkout_open"]);
    execute(&app, "DELETE FROM provision WHERE uid = $1", vec![unpaid.into()]).await;

    execute(&app, "UPDATE provision SET status = 'paid' WHERE uid = $1", vec![purchase.into()]).await;
    assert!(app.billing.verify().await.is_ok(), "an unreadable purchase is a finding");
    assert!(found(&app).await.contains(&"purchase".to_owned()));
    execute(&app, "UPDATE provision SET status = 'active' WHERE uid = $1", vec![purchase.into()]).await;
    assert_eq!(found(&app).await, [""; 0]);
    app.http.settle().await;
}
