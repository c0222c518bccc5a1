//! Downloads that count as views.

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
