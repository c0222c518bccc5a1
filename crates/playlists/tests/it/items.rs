//! Items and their order.

use kernel::{ContentId, DAY, HOUR};
use orgs::{Role, Standing};
use sea_orm::ConnectionTrait as _;
use serde_json::json;

use super::{content, item_uid, leader, playlist, test_app, titles, uid, video};

#[tokio::test]
async fn the_order_survives_a_round_trip() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let mut videos = Vec::new();
    for title in ["A", "B", "C"] {
        videos.push(video(&leader, org, title, "public").await);
    }
    let made = playlist(&leader, org, "T", json!({ "items": videos })).await;
    let path = format!("/v1/playlists/{}", uid(&made));
    videos.rotate_left(1);
    let changed = leader.patch(&path, json!({ "playlist": { "items": videos } })).await.expect(200);
    assert_eq!((&changed["items"], &changed["stats"]["contentCount"]), (&json!(videos), &json!(3)));
    let shown = leader.get(&format!("{path}/content")).await.expect(200);
    assert_eq!(titles(&shown), ["B", "C", "A"]);
    app.settle().await;
}

#[tokio::test]
async fn content_of_another_organisation_and_duplicates_are_refused() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let foreign = video(&leader(&app, other).await, other, "F", "public").await;
    let leader = leader(&app, org).await;
    let own = video(&leader, org, "A", "public").await;
    let path = format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({})).await));
    let items = |items| json!({ "playlist": { "items": items } });
    leader
        .patch(&path, items(json!([own, foreign])))
        .await
        .expect_error(400, "Some of the content was not found.");
    leader
        .patch(&path, items(json!([own, own])))
        .await
        .expect_error(400, "An item can be in a playlist only once.");
    assert_eq!(leader.get(&path).await.expect(200)["items"], json!([]));
    app.settle().await;
}

#[tokio::test]
async fn the_second_of_two_editors_gets_a_conflict() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let seen = playlist(&leader, org, "T", json!({})).await;
    let path = format!("/v1/playlists/{}", uid(&seen));
    let edit = |title: &str| json!({ "playlist": { "title": title, "timeModified": seen["timeModified"] } });
    leader.patch(&path, edit("Mine")).await.expect(200);
    leader.patch(&path, edit("Yours")).await.expect(409);
    assert_eq!(leader.get(&path).await.expect(200)["title"], "Mine");
    let odd = json!({ "playlist": { "title": "T", "timeModified": "yesterday" } });
    leader.patch(&path, odd).await.expect_error(400, "timeModified must be an ISO 8601 time.");
    let blind = json!({ "playlist": { "title": "Last wins" } });
    leader.patch(&path, blind).await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn content_cannot_be_deleted_while_it_is_in_a_playlist() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let video = video(&leader, org, "A", "public").await;
    let path =
        format!("/v1/playlists/{}", uid(&playlist(&leader, org, "T", json!({ "items": [video] })).await));
    let sentence = "Failed to delete content. Make sure it has been removed from all playlists.";
    leader.delete(&format!("/v1/content/{video}")).await.expect_error(409, sentence);
    leader.patch(&path, json!({ "playlist": { "items": [] } })).await.expect(200);
    leader.delete(&format!("/v1/content/{video}")).await.expect(204);
    app.settle().await;
}

#[tokio::test]
async fn an_expired_draft_is_removed_from_its_playlists() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let first = leader(&app, org).await;
    let kept = video(&first, org, "A", "public").await;
    let file =
        json!({ "name": "a.mp4", "size": 10, "type": "video/mp4", "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    let body = json!({ "content": { "title": "D" }, "orgId": org.uid, "file": file });
    let draft = item_uid(&first.post("/v1/content", body).await.expect(201));
    let seen = playlist(&first, org, "T", json!({ "items": [draft, kept] })).await;
    let path = format!("/v1/playlists/{}", uid(&seen));
    app.clock.advance(DAY + HOUR);
    content(&app.deps).purge().await.unwrap();
    let leader = leader(&app, org).await;
    let after = leader.get(&path).await.expect(200);
    assert_eq!((&after["items"], &after["stats"]["contentCount"]), (&json!([kept]), &json!(1)));
    let stale = json!({ "playlist": { "items": [kept, draft], "timeModified": seen["timeModified"] } });
    leader.patch(&path, stale).await.expect(409);
    app.settle().await;
}

#[tokio::test]
async fn a_deleted_item_does_not_lock_its_playlist() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let (gone, kept) = (video(&leader, org, "A", "public").await, video(&leader, org, "B", "public").await);
    let path = format!(
        "/v1/playlists/{}",
        uid(&playlist(&leader, org, "T", json!({ "items": [gone, kept] })).await)
    );
    let tx = app.deps.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE content SET deleted_at = 1 WHERE title = 'A'").await.unwrap();
    tx.commit().await.unwrap();
    let same = json!({ "playlist": { "items": [gone, kept] } });
    assert_eq!(leader.patch(&path, same.clone()).await.expect(200)["items"], json!([kept]));
    leader.patch(&path, same).await.expect_error(400, "Some of the content was not found.");
    app.settle().await;
}

#[tokio::test]
async fn app_users_get_only_items_they_may_see() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let open = video(&leader, org, "A", "public").await;
    let hidden = video(&leader, org, "B", "private").await;
    let file =
        json!({ "name": "a.mp4", "size": 10, "type": "video/mp4", "checksum": "1B2M2Y8AsgTpgAmY7PhCfg==" });
    let body = json!({ "content": { "title": "D" }, "orgId": org.uid, "file": file });
    let draft = item_uid(&leader.post("/v1/content", body).await.expect(201));
    let made = playlist(&leader, org, "T", json!({ "items": [hidden, open, draft] })).await;
    playlist(&leader, org, "Empty", json!({})).await;
    let (one, list) = (format!("/v1/playlists/{}", uid(&made)), format!("/v1/playlists?orgId={}", org.uid));
    let user = app.member(org, Role::User).await;
    let shown = async |client: &testkit::Client| {
        let row = client.get(&list).await.expect(200)["data"][1].clone();
        assert_eq!(row, client.get(&one).await.expect(200), "the list and the single playlist agree");
        (row["items"].clone(), row["stats"]["contentCount"].clone())
    };
    assert_eq!(shown(&user).await, (json!([open]), json!(1)));
    assert_eq!(shown(&leader).await, (json!([hidden, open, draft]), json!(3)));

    let tx = app.deps.db.write_tx().await.unwrap();
    app.deps.orgs.set_standing(&tx, org.uid, Standing::Suspended.into()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(shown(&user).await, (json!([]), json!(0)));
    assert_eq!(shown(&leader).await, (json!([hidden, open, draft]), json!(3)));
    leader.patch(&one, json!({ "playlist": { "title": "New" } })).await.expect(403);
    app.settle().await;
}

#[tokio::test]
async fn five_hundred_items_are_a_list_and_one_more_is_too_many() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let ids = |count: u128| (1..=count).map(ContentId::from_u128).collect::<Vec<_>>();
    let new = |items| json!({ "playlist": { "title": "T", "items": items }, "orgId": org.uid });
    let full = leader.post("/v1/playlists", new(ids(501))).await;
    full.expect_error(400, "A playlist can hold up to 500 items.");
    assert_eq!(full.expect(400)["code"], "playlist_full");
    leader.post("/v1/playlists", new(ids(500))).await.expect_error(400, "Some of the content was not found.");
    app.settle().await;
}

#[tokio::test]
async fn a_thumbnail_is_an_image_of_the_organisation() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let made = playlist(&leader, org, "T", json!({})).await;
    for bad in ["/images/..".to_owned(), "/images/x.svg".into(), format!("/images/{}", "0".repeat(32))] {
        let body = json!({ "playlist": { "title": "T", "previewUrl": bad }, "orgId": org.uid });
        leader
            .post("/v1/playlists", body.clone())
            .await
            .expect_error(400, "Please upload the image here first.");
        let refused = leader.patch(&format!("/v1/playlists/{}", uid(&made)), body).await;
        refused.expect_error(400, "Please upload the image here first.");
    }
    app.settle().await;
}
