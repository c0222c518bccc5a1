//! Stored values that cannot be read.

use kernel::PlaylistId;
use orgs::Role;
use orgs::rights::EditContent;
use sea_orm::{ConnectionTrait as _, Statement, Value};
use serde_json::json;
use testkit::{TestApp, TestOrg};

use super::test_app;

async fn execute(app: &TestApp, sql: &str, values: Vec<Value>) {
    let tx = app.deps.db.write_tx().await.unwrap();
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1, "{sql}");
    tx.commit().await.unwrap();
}

/// Returns whether the column of the organisation still holds the value.
async fn holds(app: &TestApp, org: TestOrg, column: &str, value: &str) -> bool {
    let sql = format!("SELECT CAST({column} AS TEXT) FROM organisation WHERE uid = $1");
    let conn = app.deps.db.read();
    let statement = Statement::from_sql_and_values(conn.get_database_backend(), sql, [Value::from(org.uid)]);
    let row = conn.query_one_raw(statement).await.unwrap().unwrap();
    row.try_get_by_index::<String>(0).unwrap() == value
}

#[tokio::test]
async fn an_unreadable_setting_is_an_internal_error_and_is_never_overwritten() {
    let app = test_app().await;
    for (column, value) in
        [("privacy", "secret"), ("standing", "paid"), ("pinned_playlists", r#"{"first":"a"}"#)]
    {
        let org = app.org(column).await;
        let admin = app.member(org, Role::SuperAdmin).await;
        let path = format!("/v1/organizations/{}", org.uid);
        let sql = format!("UPDATE organisation SET {column} = '{value}' WHERE uid = $1");
        execute(&app, &sql, vec![org.uid.into()]).await;
        for answer in [
            admin.get("/v1/organizations").await,
            admin.get("/v1/profiles/roles/detailed").await,
            admin.patch(&path, json!({ "organisation": { "description": "New" } })).await,
            admin.patch(&path, json!({ "organisation": { "pinnedPlaylists": [] } })).await,
        ] {
            assert_eq!(answer.expect(500)["code"], "internal", "{column}");
        }
        let tx = app.deps.db.write_tx().await.unwrap();
        assert!(app.deps.orgs.forget_playlist(&tx, org.uid, PlaylistId::nil()).await.is_err(), "{column}");
        drop(tx);
        assert!(holds(&app, org, column, value).await, "{column}");
    }
    app.settle().await;
}

#[tokio::test]
async fn an_unknown_standing_fails_every_check_of_a_right() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    execute(&app, "UPDATE organisation SET standing = 'paid' WHERE uid = $1", vec![org.uid.into()]).await;
    admin.get(&format!("/v1/organizations/{}/users/staff", org.uid)).await.expect(500);
    let conn = app.deps.db.read();
    assert!(app.deps.orgs.may::<EditContent>(conn, org.uid, admin.uid()).await.is_err());
    app.settle().await;
}

#[tokio::test]
async fn a_membership_with_an_unknown_role_is_left_out_and_grants_nothing() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let leader = app.member(org, Role::TeamLeader).await;
    let odd = app.member(org, Role::TeamUser).await;
    app.member(org, Role::Manager).await;
    let sql = "UPDATE membership SET role = 'root' WHERE org = $1 AND person = $2";
    execute(&app, sql, vec![org.uid.into(), odd.uid().into()]).await;

    assert_eq!(odd.get("/v1/organizations").await.expect(200)["data"], json!([]));
    assert_eq!(odd.get("/v1/profiles/roles/detailed").await.expect(200)["data"], json!([]));
    let change = json!({ "organisation": { "description": "New" } });
    odd.patch(&format!("/v1/organizations/{}", org.uid), change).await.expect(404);
    let conn = app.deps.db.read();
    assert!(!app.deps.orgs.may::<EditContent>(conn, org.uid, odd.uid()).await.unwrap());
    let people = app.deps.orgs.memberships_in(conn, org.uid, &[odd.uid(), leader.uid()]).await.unwrap();
    assert_eq!(people.iter().map(|member| member.person).collect::<Vec<_>>(), [leader.uid()]);
    let path = format!("/v1/profiles/{};{}?orgId={}", odd.uid(), leader.uid(), org.uid);
    assert_eq!(admin.get(&path).await.expect(200)["data"].as_array().unwrap().len(), 1);
    // Pages stay full, or the rest of the list would seem to be missing.
    let path = format!("/v1/organizations/{}/users/staff?limit=2", org.uid);
    let page = admin.get(&path).await.expect(200)["data"].clone();
    assert_eq!((page[0]["role"].as_str(), page[1]["role"].as_str()), (Some("manager"), Some("teamLeader")));

    let tx = app.deps.db.write_tx().await.unwrap();
    assert!(!app.deps.orgs.add_member(&tx, org.uid, odd.uid()).await.unwrap(), "the row stays as it is");
    tx.commit().await.unwrap();
    let give = json!({ "userId": odd.uid(), "role": "teamUser" });
    let roles = format!("/v1/organizations/{}/roles", org.uid);
    admin.post(&roles, give.clone()).await.expect_error(404, "Person not found");
    let sql = "UPDATE membership SET role = 'user' WHERE org = $1 AND person = $2";
    execute(&app, sql, vec![org.uid.into(), odd.uid().into()]).await;
    admin.post(&roles, give).await.expect(200);
    assert_eq!(odd.get("/v1/organizations").await.expect(200)["data"].as_array().unwrap().len(), 1);
    app.settle().await;
}

#[tokio::test]
async fn an_invitation_to_an_unknown_role_leaves_no_gap_in_its_page() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::SuperAdmin).await;
    let path = format!("/v1/organizations/{}/invites", org.uid);
    for name in ["ada", "bea", "cid", "dan"] {
        let invite = json!({ "userEmails": [format!("{name}@example.com")], "role": "teamUser" });
        admin.post(&path, invite).await.expect(200);
    }
    let unknown = "UPDATE invite SET role = 'root' WHERE org = $1 AND email = 'cid@example.com'";
    execute(&app, unknown, vec![org.uid.into()]).await;
    let page = admin.get(&format!("{path}?limit=2")).await.expect(200);
    let emails: Vec<&str> =
        page["data"].as_array().unwrap().iter().filter_map(|row| row["userEmail"].as_str()).collect();
    assert_eq!(emails, ["dan@example.com", "bea@example.com"]);
    app.settle().await;
}
