//! Downloads that count as views.

use std::collections::BTreeSet;

use orgs::Role;
use serde_json::json;

use crate::test_app;

#[tokio::test]
async fn who_downloads_a_document_is_among_its_viewers() {
    let app = test_app().await;
    app.set_content("kind", "pdf".into()).await;
    let ada = app.joined("ada@example.com", true).await;
    let download = app.interaction("download");
    app.send(&ada, vec![download.clone()]).await;
    // The same hour, and a player that takes the id of the download for its view.
    app.send(&ada, vec![app.interaction("download")]).await;
    let mut player = app.player(&ada);
    player.view = download["id"].as_str().unwrap().parse().unwrap();
    player.watch(20).await;
    assert_eq!(app.audience().await, json!([1, 1, 0.0]));
    app.set_content("kind", "video".into()).await;
    let bob = app.joined("bob@example.com", true).await;
    app.send(&bob, vec![app.interaction("download")]).await;
    assert_eq!(app.audience().await, json!([1, 1, 0.0]), "what plays is watched");
    assert_eq!(app.analytics.recount(app.org.uid).await.unwrap().differences, 0);
    app.http.settle().await;
}

#[tokio::test]
async fn a_download_that_begins_a_visit_is_in_the_history_beside_it() {
    let app = test_app().await;
    let ada = app.joined("ada@example.com", true).await;
    app.send(&ada, vec![app.interaction("download")]).await;
    let history = format!("/v1/organizations/{}/users/{}/history", app.org.uid, ada.uid());
    let range = "timeStart=2026-11-15T00:00:00Z&timeEnd=2026-11-30T00:00:00Z";
    let staff = app.staff(Role::TeamUser).await;
    let entries = staff.get(&format!("{history}?{range}")).await.expect(200);
    let kinds: BTreeSet<&str> =
        entries["data"].as_array().unwrap().iter().filter_map(|entry| entry["type"].as_str()).collect();
    assert_eq!(kinds, BTreeSet::from(["download", "visit"]));
    app.http.settle().await;
}
