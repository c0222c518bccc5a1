//! Home shows the same all-time totals whether they are packed or not.

use kernel::{ContentId, DAY};
use orgs::Role;
use sea_orm::Value as SqlValue;
use serde_json::{Value, json};
use testkit::Client;

use crate::recount::live_through_a_history;
use crate::{TestApp, create_playlist, create_video, test_app};

/// Packs the totals of an organisation with this many unpacked items, most of which count nothing.
async fn pack(app: &TestApp, items: i64) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let missing = items - app.count("SELECT COUNT(*) FROM total_unpacked").await;
    let item = || app.http.deps.ambient.uid::<ContentId>().into();
    let rows: Vec<[SqlValue; 4]> =
        (0..missing).map(|_| [app.org.uid.into(), item(), 0_i64.into(), 0_i64.into()]).collect();
    db::rows::bulk_upsert(&tx, "total_unpacked (org, content, views, watch_ms)", &rows, "").await.unwrap();
    tx.commit().await.unwrap();
    app.analytics.pack_totals().await.unwrap();
}

async fn unpacked(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM total_unpacked").await
}

/// Returns the views of an item as Home shows them.
fn views(dashboard: &Value, item: ContentId) -> Option<i64> {
    let items = dashboard["content"].as_array().unwrap();
    items.iter().find(|one| one["id"] == json!(item.uid()))?["viewCount"].as_i64()
}

#[tokio::test]
async fn totals_are_packed_when_there_are_many() {
    let app = test_app().await;
    live_through_a_history(&app, 21).await;
    let before = app.dashboard().await;
    assert!(views(&before, app.video).is_some_and(|views| views > 0), "{before}");
    pack(&app, 100).await;
    assert_eq!(unpacked(&app).await, 100, "these few are read one by one");
    pack(&app, 101).await;
    assert_eq!((unpacked(&app).await, app.count("SELECT COUNT(*) FROM total_pack").await), (0, 1));
    assert_eq!(app.dashboard().await, before);
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0);
    assert_eq!(unpacked(&app).await, 0, "a recount without differences keeps the pack");
    app.http.settle().await;
}

#[tokio::test]
async fn what_is_watched_after_packing_is_added() {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let new = create_video(&leader, app.org, "New", "public").await;
    create_playlist(&leader, app.org, "New videos", &[new], "public").await;
    let watch = async |person: &Client, item: ContentId| {
        let mut player = app.player(person);
        player.content = item;
        player.watch(30).await;
    };
    watch(&app.joined("ada@viewers.example", true).await, app.video).await;
    let first = app.dashboard().await;
    assert_eq!((views(&first, app.video), views(&first, new)), (Some(1), None));
    pack(&app, 101).await;
    for email in ["ben@viewers.example", "cleo@viewers.example"] {
        let person = app.joined(email, true).await;
        watch(&person, app.video).await;
        watch(&person, new).await;
    }
    let second = app.dashboard().await;
    assert_eq!((views(&second, app.video), views(&second, new)), (Some(3), Some(2)));
    assert_eq!(second["content"][0]["id"], json!(app.video.uid()), "the most viewed first");
    for _ in 0..2 {
        pack(&app, 101).await;
        assert_eq!(app.dashboard().await, second);
    }
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    // A deleted item is in the pack, but is not shown unless it is restored.
    leader.delete(&format!("/v1/playlists/{}", app.playlist)).await.expect(204);
    leader.delete(&format!("/v1/content/{}", app.video)).await.expect(204);
    assert_eq!(views(&app.dashboard().await, app.video), None);
    pack(&app, 101).await;
    leader.post(&format!("/v1/content/{}/restore", app.video), json!({})).await.expect(200);
    assert_eq!(views(&app.dashboard().await, app.video), Some(3));
    app.http.settle().await;
}

#[tokio::test]
async fn a_counter_of_a_deleted_item_is_checked() {
    let app = test_app().await;
    live_through_a_history(&app, 23).await;
    let leader = app.staff(Role::TeamLeader).await;
    leader.delete(&format!("/v1/playlists/{}", app.playlist)).await.expect(204);
    leader.delete(&format!("/v1/content/{}", app.video)).await.expect(204);
    let before = app.dashboard().await;
    for damage in [
        "UPDATE content SET views = views + 1 WHERE deleted_at IS NOT NULL",
        "UPDATE total_unpacked SET views = views + 1 WHERE content IN (SELECT uid FROM content WHERE deleted_at IS NOT NULL)",
    ] {
        assert_eq!(app.execute(damage).await, 1, "{damage}");
    }
    let found = app.analytics.verify().await.unwrap();
    assert_eq!(found.iter().map(|one| one.check.as_str()).collect::<Vec<_>>(), ["content_total"]);
    app.analytics.repair(&found[0]).await.unwrap().unwrap();
    assert_eq!(app.analytics.verify().await.unwrap(), []);
    assert_eq!(app.dashboard().await["totalStats"], before["totalStats"]);
    app.http.settle().await;
}

#[tokio::test]
async fn nothing_is_packed_of_an_organisation_that_is_being_removed() {
    let app = test_app().await;
    live_through_a_history(&app, 24).await;
    app.execute("UPDATE organisation SET deleted_at = 1, purge_began_at = 1").await;
    pack(&app, 101).await;
    assert_eq!((unpacked(&app).await, app.count("SELECT COUNT(*) FROM total_pack").await), (101, 0));
    app.execute("DELETE FROM total_unpacked").await;
    assert_eq!(app.analytics.verify().await.unwrap(), [], "what is left is not compared");
    app.http.settle().await;
}

#[tokio::test]
async fn a_wrong_pack_is_found_and_written_again() {
    let app = test_app().await;
    live_through_a_history(&app, 22).await;
    let before = app.dashboard().await;
    for damage in [
        "UPDATE total_unpacked SET watch_ms = watch_ms + 1",
        "DELETE FROM total_unpacked",
        "UPDATE total_pack SET data = SUBSTR(data, 2)",
        "DELETE FROM total_pack",
    ] {
        if !damage.contains("total_unpacked") {
            pack(&app, 101).await;
        }
        assert!(app.execute(damage).await > 0, "{damage}");
        let found = app.analytics.verify().await.unwrap();
        assert_eq!(
            found.iter().map(|one| one.check.as_str()).collect::<Vec<_>>(),
            ["total_pack"],
            "{damage}"
        );
        app.analytics.repair(&found[0]).await.unwrap().unwrap();
        assert_eq!(app.analytics.verify().await.unwrap(), [], "{damage}");
        assert_eq!(app.dashboard().await, before, "{damage}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn popular_items_are_the_same_whether_they_are_packed_or_not() {
    let app = test_app().await;
    let leader = app.staff(Role::TeamLeader).await;
    let mut items = Vec::new();
    for title in ["i", "h", "g", "f", "e", "d", "c", "b", "a"] {
        items.push(create_video(&leader, app.org, title, "public").await);
    }
    create_playlist(&leader, app.org, "More videos", &items, "public").await;
    // Five items have as many views as the last one that is shown, and come by title.
    for (email, count) in
        [("ada@viewers.example", 8), ("ben@viewers.example", 7), ("cleo@viewers.example", 2)]
    {
        let person = app.joined(email, true).await;
        for item in &items[..count] {
            let mut player = app.player(&person);
            player.content = *item;
            player.watch(10).await;
        }
    }
    let popular = async || app.dashboard().await["popularContent"].clone();
    let first = popular().await;
    let titles: Vec<&str> =
        first.as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["h", "i", "c", "d", "e", "f"]);
    pack(&app, 101).await;
    assert_eq!(popular().await, first);
    let since = "SELECT since FROM total_pack";
    let packed_since = app.count(since).await;
    // What is packed of the days before is not used on the next day, and packed again for it.
    app.http.clock.advance(DAY);
    assert_eq!(popular().await, first);
    app.analytics.pack_totals().await.unwrap();
    assert_eq!(app.count(since).await, packed_since + DAY);
    assert_eq!((popular().await, app.analytics.verify().await.unwrap()), (first, vec![]));
    let person = app.joined("dot@viewers.example", true).await;
    let mut player = app.player(&person);
    player.content = items[6];
    player.watch(10).await;
    let second = popular().await;
    assert_eq!(second[0]["title"], "c", "{second}");
    app.execute("UPDATE total_pack SET since = since - 1").await;
    assert_eq!(popular().await, second, "without the pack");
    app.http.clock.advance(27 * DAY);
    let third = popular().await;
    assert_eq!(third.as_array().unwrap().len(), 1, "{third}");
    app.analytics.pack_totals().await.unwrap();
    assert_eq!((popular().await, app.analytics.verify().await.unwrap()), (third, vec![]));
    app.http.settle().await;
}
