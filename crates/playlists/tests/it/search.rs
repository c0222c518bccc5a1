//! The search of the viewer app, and the images of playlists without a thumbnail.

use kernel::PlaylistId;
use orgs::Role;
use sea_orm::ConnectionTrait as _;
use serde_json::{Value, json};
use testkit::{Client, TestOrg};

use super::{leader, playlist, test_app, titles, uid, video};

async fn found(client: &Client, org: TestOrg, text: &str) -> (Vec<String>, Vec<(String, PlaylistId)>) {
    let answer = client.get(&format!("/v1/viewer/search?orgId={}&search={text}", org.uid)).await.expect(200);
    let items = answer["items"].as_array().unwrap().iter().map(|row| {
        let title = row["content"]["title"].as_str().unwrap().to_owned();
        (title, row["playlistId"].as_str().unwrap().parse().unwrap())
    });
    (titles(&json!({ "data": answer["playlists"] })), items.collect())
}

#[tokio::test]
async fn app_users_find_only_what_lists_show_them_and_each_item_once() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let open = video(&leader, org, "Summer tour", "public").await;
    let private = video(&leader, org, "Summer budget", "private").await;
    video(&leader, org, "Summer loose", "public").await;
    let first = playlist(&leader, org, "Summer", json!({ "items": [open, private] })).await;
    playlist(&leader, org, "Second summer", json!({ "items": [open] })).await;
    let hidden = video(&leader, org, "Summer hidden", "public").await;
    let link_only = json!({ "items": [hidden], "privacy": "unlisted" });
    let link_only = playlist(&leader, org, "By link: summer", link_only).await;

    let user = app.member(org, Role::User).await;
    let (lists, items) = found(&user, org, "SUMMER").await;
    assert_eq!(lists, ["Second summer", "Summer"]);
    assert_eq!(items, [("Summer tour".to_owned(), uid(&first))]);
    let (lists, items) = found(&leader, org, "summer").await;
    assert_eq!(lists, ["By link: summer", "Second summer", "Summer"]);
    let of_staff = [("Summer hidden", &link_only), ("Summer budget", &first), ("Summer tour", &first)];
    assert_eq!(items, of_staff.map(|(title, playlist)| (title.to_owned(), uid(playlist))));
    assert_eq!(found(&user, org, "%20").await, (vec![], vec![]));
    app.settle().await;
}

#[tokio::test]
async fn a_search_stays_in_its_organisation() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let leader = leader(&app, org).await;
    let item = video(&leader, org, "Summer", "public").await;
    playlist(&leader, org, "Summer", json!({ "items": [item] })).await;
    let foreign = app.member(other, Role::SuperAdmin).await;
    assert_eq!(found(&foreign, other, "summer").await, (vec![], vec![]));
    let path = format!("/v1/viewer/search?orgId={}&search=summer", org.uid);
    foreign.get(&path).await.expect(404);
    app.anonymous().get(&path).await.expect(401);
    leader.get("/v1/viewer/search?search=summer").await.expect(400);
    let long = "x".repeat(201);
    leader.get(&format!("/v1/viewer/search?orgId={}&search={long}", org.uid)).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn a_playlist_without_a_thumbnail_has_the_images_of_its_first_four_items() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let mut items = Vec::new();
    for (title, privacy) in [
        ("A", "public"),
        ("Private", "private"),
        ("Bare", "public"),
        ("B", "public"),
        ("C", "public"),
        ("D", "public"),
        ("E", "public"),
    ] {
        items.push(video(&leader, org, title, privacy).await);
    }
    let made = playlist(&leader, org, "T", json!({ "items": items })).await;
    let tx = app.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE content SET preview = '/images/' || title WHERE title <> 'Bare'")
        .await
        .unwrap();
    tx.commit().await.unwrap();

    let user = app.member(org, Role::User).await;
    let images = |names: [&str; 4]| json!(names.map(|name| format!("http://vitrine.test/images/{name}")));
    let one = format!("/v1/playlists/{}", uid(&made));
    for (client, expected) in
        [(&user, images(["A", "B", "C", "D"])), (&leader, images(["A", "Private", "B", "C"]))]
    {
        let list = client.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(200);
        assert_eq!(list["data"][0]["itemPreviews"], expected);
        assert_eq!(client.get(&one).await.expect(200)["itemPreviews"], expected);
    }

    let tx = app.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE playlist SET preview = '/images/own'").await.unwrap();
    tx.commit().await.unwrap();
    let own: Value = user.get(&one).await.expect(200);
    assert_eq!(
        (&own["itemPreviews"], &own["previewUrl"]),
        (&json!([]), &json!("http://vitrine.test/images/own"))
    );
    app.settle().await;
}
