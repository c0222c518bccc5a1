//! Items and their order.

use serde_json::json;

use super::{app, film, leader, playlist, titles, uid};

#[tokio::test]
async fn the_order_survives_a_round_trip() {
    let app = app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let mut films = Vec::new();
    for title in ["A", "B", "C"] {
        films.push(film(&leader, org, title, "public").await);
    }
    let made = playlist(&leader, org, "T", json!({ "items": films })).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    films.rotate_left(1);
    let changed = leader.patch(&path, json!({ "playlist": { "items": films } })).await.expect(200);
    assert_eq!((&changed["items"], &changed["stats"]["contentCount"]), (&json!(films), &json!(3)));
    let shown = leader.get(&format!("{path}/content")).await.expect(200);
    assert_eq!(titles(&shown), ["B", "C", "A"]);
    app.settle().await;
}

#[tokio::test]
async fn content_of_another_organisation_is_refused_and_so_is_a_double() {
    let app = app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let foreign = film(&leader(&app, other).await, other, "F", "public").await;
    let leader = leader(&app, org).await;
    let own = film(&leader, org, "A", "public").await;
    let path = format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({})).await));
    let items = |items| json!({ "playlist": { "items": items } });
    leader.patch(&path, items(json!([own, foreign]))).await.refuse(400, "Some of the content was not found.");
    leader
        .patch(&path, items(json!([own, own])))
        .await
        .refuse(400, "A content can stand in a playlist only once.");
    assert_eq!(leader.get(&path).await.expect(200)["items"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn the_second_of_two_editors_is_told() {
    let app = app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let seen = playlist(&leader, org, "T", json!({})).await;
    let path = format!("/v1/playlists/{}", uid(&seen));
    let edit = |title: &str| json!({ "playlist": { "title": title, "timeModified": seen["timeModified"] } });
    leader.patch(&path, edit("Mine")).await.expect(200);
    leader.patch(&path, edit("Yours")).await.expect(409);
    assert_eq!(leader.get(&path).await.expect(200)["title"], "Mine");
    let odd = json!({ "playlist": { "title": "T", "timeModified": "yesterday" } });
    leader.patch(&path, odd).await.refuse(400, "timeModified must be an ISO 8601 time.");
    let blind = json!({ "playlist": { "title": "Last wins" } });
    leader.patch(&path, blind).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn content_cannot_be_deleted_while_a_playlist_shows_it() {
    let app = app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let film = film(&leader, org, "A", "public").await;
    let path =
        format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({ "items": [film] })).await));
    let sentence = "Failed to delete content. Make sure it has been removed from all playlists.";
    leader.delete(&format!("/v1/content/{film}")).await.refuse(409, sentence);
    leader.patch(&path, json!({ "playlist": { "items": [] } })).await.expect(200);
    leader.delete(&format!("/v1/content/{film}")).await.expect(204);
    app.settle().await;
}
