//! People who lose their role while their change waits.

use http::Method;
use serde_json::json;

use crate::captions::{SRT, TYPE, put as put_captions};
use crate::{MP4, TestOptions, file, mp4, test_app_with};

#[tokio::test]
async fn the_waiting_change_of_a_demoted_person_is_refused() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let leader = app.leader().await;
    let uid = app.upload(&leader, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    let path = format!("/v1/content/{uid}");
    let link = json!({ "title": "T", "url": "https://youtu.be/dQw4w9WgXcQ" });
    let new = json!({ "content": link, "orgId": app.org.uid, "file": null, "notifyUsers": false });
    let replacement = json!({ "file": file("b.mp4", MP4, &mp4(2_000)) });
    for (method, path, body) in [
        (Method::POST, "/v1/content".to_owned(), new),
        (Method::PATCH, path.clone(), json!({ "content": { "title": "Changed" } })),
        (Method::POST, path.clone(), replacement),
        (Method::POST, format!("{path}/processing"), json!({})),
        (Method::DELETE, format!("{path}/captions/en"), json!({})),
        (Method::DELETE, path.clone(), json!({})),
    ] {
        app.leader().await;
        let call = leader.json(method.clone(), &path, &body);
        let refused = app.http.demoted_meanwhile(app.org, &leader, call).await;
        assert_eq!(refused.expect(403)["code"], "forbidden", "{method} {path}");
    }
    app.leader().await;
    let captions = put_captions(&leader, &uid, "en", TYPE, SRT.as_bytes());
    app.http.demoted_meanwhile(app.org, &leader, captions).await.expect(403);

    let leader = app.leader().await;
    let kept = leader.get(&path).await.expect(200);
    assert_eq!((&kept["title"], &kept["captions"]), (&json!("A video"), &json!([])));
    app.http.settle().await;
}
