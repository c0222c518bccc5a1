//! Deleted playlists and items: listed for 30 days, restored or deleted permanently.

use http::Method;
use kernel::{DAY, HOUR};
use orgs::Role;
use serde_json::json;

use super::{leader, playlist, test_app, titles, uid, video};

#[tokio::test]
async fn a_deleted_playlist_is_restored_with_the_items_that_still_exist() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let (kept, gone) =
        (video(&leader, org, "Kept", "public").await, video(&leader, org, "Gone", "public").await);
    let created =
        playlist(&leader, org, "Talks", json!({ "items": [gone, kept], "privacy": "unlisted" })).await;
    let path = format!("/v1/playlists/{}", uid(&created));
    leader.post(&format!("{path}/restore"), json!({})).await.expect(404);
    leader.delete(&path).await.expect(204);
    leader.delete(&path).await.expect(404);
    leader.delete(&format!("/v1/content/{gone}")).await.expect(204);

    let list = format!("/v1/playlists/deleted?orgId={}", org.uid);
    let deleted = leader.get(&list).await.expect(200);
    assert_eq!(titles(&deleted), ["Talks"]);
    let row = &deleted["data"][0];
    assert_eq!(
        (&row["contentCount"], &row["timeDeleted"], &row["timeRemoved"]),
        (&json!(2), &json!("2026-11-20T08:00:00.000Z"), &json!("2026-12-20T08:00:00.000Z"))
    );
    let restored = leader.post(&format!("{path}/restore"), json!({})).await.expect(200);
    assert_eq!(
        (&restored["title"], &restored["privacy"], &restored["items"]),
        (&json!("Talks"), &json!("unlisted"), &json!([kept]))
    );
    assert_ne!(
        restored["timeModified"], created["timeModified"],
        "an editor who has the old one gets a conflict"
    );
    leader.post(&format!("{path}/restore"), json!({})).await.expect(404);
    assert_eq!(titles(&leader.get(&list).await.expect(200)), Vec::<String>::new());
    // The item is in a playlist again.
    leader.delete(&format!("/v1/content/{kept}")).await.expect(409);
    app.settle().await;
}

#[tokio::test]
async fn a_deleted_item_is_restored_until_its_files_are_removed() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let client = leader(&app, org).await;
    let item = video(&client, org, "Film", "public").await;
    let path = format!("/v1/content/{item}");
    let list = format!("/v1/content/deleted?orgId={}", org.uid);
    client.delete(&path).await.expect(204);
    let deleted = client.get(&list).await.expect(200);
    assert_eq!((titles(&deleted), &deleted["data"][0]["kind"]), (vec!["Film".to_owned()], &json!("embed")));
    assert_eq!(client.post(&format!("{path}/restore"), json!({})).await.expect(200)["title"], "Film");
    client.get(&path).await.expect(200);
    client.post(&format!("{path}/restore"), json!({})).await.expect(404);

    client.delete(&path).await.expect(204);
    client.delete(&format!("{path}?permanent=true")).await.expect(204);
    // Also before the job has removed the files.
    client.post(&format!("{path}/restore"), json!({})).await.expect(404);
    app.run_jobs().await;
    client.post(&format!("{path}/restore"), json!({})).await.expect(404);
    assert_eq!(titles(&client.get(&list).await.expect(200)), Vec::<String>::new());
    app.settle().await;
}

#[tokio::test]
async fn after_thirty_days_or_permanently_deleted_nothing_is_restored() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let first = leader(&app, org).await;
    let old = format!("/v1/playlists/{}", uid(&playlist(&first, org, "Old", json!({})).await));
    let mistake = format!("/v1/playlists/{}", uid(&playlist(&first, org, "Mistake", json!({})).await));
    let never = format!("/v1/playlists/{}", uid(&playlist(&first, org, "Never", json!({})).await));
    first.delete(&old).await.expect(204);
    first.delete(&mistake).await.expect(204);
    first.delete(&format!("{mistake}?permanent=true")).await.expect(204);
    first.delete(&format!("{never}?permanent=true")).await.expect(204);
    let list = format!("/v1/playlists/deleted?orgId={}", org.uid);
    assert_eq!(titles(&first.get(&list).await.expect(200)), ["Old"]);
    for path in [&mistake, &never] {
        first.post(&format!("{path}/restore"), json!({})).await.expect(404);
        first.delete(&format!("{path}?permanent=true")).await.expect(404);
    }
    app.clock.advance(30 * DAY + HOUR);
    let later = leader(&app, org).await;
    assert_eq!(titles(&later.get(&list).await.expect(200)), Vec::<String>::new());
    later.post(&format!("{old}/restore"), json!({})).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn deleted_playlists_are_listed_by_the_time_of_deletion_page_by_page() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let mut paths = Vec::new();
    for title in ["A", "B", "C", "D"] {
        let created = playlist(&leader, org, title, json!({})).await;
        paths.push((title, uid(&created)));
    }
    for (_, uid) in [paths[1], paths[3], paths[0]] {
        leader.delete(&format!("/v1/playlists/{uid}")).await.expect(204);
        app.clock.advance(1_000);
    }
    let list = format!("/v1/playlists/deleted?orgId={}", org.uid);
    let first = leader.get(&format!("{list}&limit=2")).await.expect(200);
    assert_eq!(titles(&first), ["A", "D"]);
    let after = first["data"][1]["uid"].as_str().unwrap().to_owned();
    assert_eq!(titles(&leader.get(&format!("{list}&limit=2&startAfter={after}")).await.expect(200)), ["B"]);
    app.settle().await;
}

#[tokio::test]
async fn the_waiting_restoration_by_a_demoted_person_is_refused() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, witness) = (app.member(org, Role::TeamLeader).await, app.member(org, Role::Manager).await);
    let item = video(&witness, org, "Film", "public").await;
    let list = uid(&playlist(&witness, org, "Talks", json!({})).await);
    for path in [format!("/v1/content/{item}"), format!("/v1/playlists/{list}")] {
        witness.delete(&path).await.expect(204);
        app.member(org, Role::TeamLeader).await;
        let path = format!("{path}/restore");
        let (body, waiting) = (json!({}), path.clone());
        let call = leader.json(Method::POST, &waiting, &body);
        let refused = app.demoted_meanwhile(org, &leader, call).await;
        assert_eq!(refused.expect(403)["code"], "forbidden", "{path}");
        witness.post(&path, json!({})).await.expect(200);
    }
    app.settle().await;
}
