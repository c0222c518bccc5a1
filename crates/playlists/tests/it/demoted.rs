//! People who lose their role while their change waits.

use http::Method;
use orgs::Role;
use serde_json::json;

use super::{playlist, test_app};

#[tokio::test]
async fn the_waiting_change_of_a_demoted_person_is_refused() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let (leader, witness) = (app.member(org, Role::TeamLeader).await, app.member(org, Role::Manager).await);
    let uid = playlist(&witness, org, "Kept", json!({})).await["uid"].as_str().unwrap().to_owned();
    let path = format!("/v1/playlists/{uid}");
    let new = json!({ "playlist": { "title": "New" }, "orgId": org.uid });
    let changed = json!({ "playlist": { "title": "Changed" } });
    for (method, path, body) in [
        (Method::POST, "/v1/playlists", new),
        (Method::PATCH, path.as_str(), changed),
        (Method::DELETE, path.as_str(), json!({})),
    ] {
        app.member(org, Role::TeamLeader).await;
        let call = leader.json(method.clone(), path, &body);
        let refused = app.demoted_meanwhile(org, &leader, call).await;
        assert_eq!(refused.expect(403)["code"], "forbidden", "{method}");
    }
    let all = witness.get(&format!("/v1/playlists?orgId={}", org.uid)).await.expect(200)["data"].clone();
    assert_eq!((all.as_array().unwrap().len(), all[0]["title"].as_str()), (1, Some("Kept")));
    app.settle().await;
}
