//! Entries of the audit log.

use orgs::Role;
use serde_json::json;

use crate::captions::{SRT, TYPE, put as put_captions};
use crate::{MP4, TestOptions, file, mp4, test_app, test_app_with};

#[tokio::test]
async fn content_that_is_created_changed_and_deleted_has_entries() {
    let app = test_app().await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let link = json!({ "title": "T", "url": "https://youtu.be/dQw4w9WgXcQ" });
    let new = json!({ "content": link, "orgId": app.org.uid, "file": null, "notifyUsers": false });
    let uid = admin.post("/v1/content", new).await.expect(201)["uid"].as_str().unwrap().to_owned();
    let path = format!("/v1/content/{uid}");
    admin.patch(&path, json!({ "content": { "title": "U" } })).await.expect(200);
    admin.delete(&path).await.expect(204);
    admin.delete(&format!("{path}?permanent=true")).await;
    let log = admin.get(&format!("/v1/organizations/{}/audit?limit=3", app.org.uid)).await.expect(200);
    let told: Vec<_> = log["data"].as_array().unwrap().iter().map(|one| one["action"].clone()).collect();
    assert_eq!(told, ["content.deleted", "content.changed", "content.created"]);
    assert_eq!(
        (&log["data"][1]["before"], &log["data"][1]["after"]),
        (&json!({ "title": "T" }), &json!({ "title": "U" }))
    );
    assert_eq!(
        log["data"][0]["target"],
        json!({ "type": "content", "id": uid, "name": "U", "exists": false })
    );
    app.http.run_jobs().await;
    app.http.settle().await;
}

#[tokio::test]
async fn captions_and_new_files_have_entries() {
    let app = test_app_with(TestOptions { without_ffmpeg: true, ..TestOptions::default() }).await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let uid = app.upload(&admin, "a.mp4", MP4, &mp4(1_000)).await;
    app.http.run_jobs().await;
    put_captions(&admin, &uid, "en", TYPE, SRT.as_bytes()).await.expect(200);
    admin.delete(&format!("/v1/content/{uid}/captions/en")).await.expect(204);
    let replacement = json!({ "file": file("b.mp4", MP4, &mp4(2_000)) });
    admin.post(&format!("/v1/content/{uid}"), replacement).await.expect(200);
    let log = admin.get(&format!("/v1/organizations/{}/audit?limit=3", app.org.uid)).await.expect(200);
    let entries = log["data"].as_array().unwrap();
    let told: Vec<_> =
        entries.iter().map(|one| json!([one["action"], one["before"], one["after"]])).collect();
    let expected = [
        json!(["content.fileReplaced", {}, { "fileName": "b.mp4" }]),
        json!(["content.captionsDeleted", { "language": "en" }, {}]),
        json!(["content.captionsPut", {}, { "language": "en" }]),
    ];
    assert_eq!(told, expected);
    app.http.run_jobs().await;
    app.http.settle().await;
}
