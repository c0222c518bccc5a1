//! Wiring of announcements: items created with `notifyUsers` are announced by email, and the unsubscribe link
//! works.

use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::json;

use super::world::{World, uid};

/// Returns recipient, subject and unsubscribe link of each announcement email.
async fn letters(world: &World) -> Vec<(String, String, String)> {
    world.house.jobs.run_due(&world.house.handlers).await.unwrap();
    let db = world.ground.db.read();
    let sql = "SELECT recipient, subject, stop FROM mail_outbox WHERE kind = 'news' AND state = 'sent' ORDER BY uid";
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let column = |row: &sea_orm::QueryResult, at: usize| row.try_get_by_index::<String>(at).unwrap();
    rows.iter().map(|row| (column(row, 0), column(row, 1), column(row, 2))).collect()
}

#[tokio::test]
async fn content_and_playlists_become_letters_and_one_click_ends_them() {
    let world = World::new().await;
    let org = world.org("acme").await;
    let leader = world.member(org, Role::TeamLeader).await;
    world.member(org, Role::User).await;
    let film = json!({ "title": "Summer", "url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ" });
    let body = json!({ "content": film, "orgId": org, "file": null, "notifyUsers": true });
    let film = uid(&leader.post("/v1/content", body).await.expect(201));
    let body =
        json!({ "playlist": { "title": "Talks", "items": [film] }, "orgId": org, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);

    let told = letters(&world).await;
    let to = format!("user-{org}@example.com");
    let mut subjects: Vec<&str> = told.iter().map(|(_, subject, _)| subject.as_str()).collect();
    subjects.sort_unstable();
    assert_eq!(subjects, ["New from acme: Summer", "New playlist from acme: Talks"]);
    assert!(told.iter().all(|(recipient, ..)| *recipient == to), "{told:?}");

    world.anonymous().post(&told[0].2, json!({})).await.expect(200);
    let body = json!({ "playlist": { "title": "More" }, "orgId": org, "notifyUsers": true });
    leader.post("/v1/playlists", body).await.expect(201);
    assert_eq!(letters(&world).await.len(), 2);
    world.close().await;
}
