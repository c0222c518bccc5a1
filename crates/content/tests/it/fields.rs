//! Field rules of items, and paging through many.

use std::collections::HashSet;

use kernel::UploadId;
use serde_json::{Value, json};

use crate::{MP4, TestApp, file, mp4, test_app};

fn video(app: &TestApp, fields: &Value) -> Value {
    let mut content = json!({"title": "A", "url": "https://youtu.be/x"});
    content.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({"content": content, "orgId": app.org.uid, "file": null, "notifyUsers": false})
}

#[tokio::test]
async fn suggested_lengths_are_no_limits() {
    let app = test_app().await;
    let leader = app.leader().await;
    let fields = json!({"title": "t".repeat(101), "description": "d".repeat(1_001)});
    let made = leader.post("/v1/content", video(&app, &fields)).await.expect(201);
    let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
    let stored = leader.get(&path).await.expect(200);
    assert_eq!((&stored["title"], &stored["description"]), (&fields["title"], &fields["description"]));
    let longer = json!({"content": {"title": "t".repeat(102), "description": "d".repeat(1_002)}});
    assert_eq!(leader.patch(&path, longer).await.expect(200)["title"], "t".repeat(102));
    app.http.settle().await;
}

#[tokio::test]
async fn content_is_public_or_private_and_nothing_else() {
    let app = test_app().await;
    let leader = app.leader().await;
    let made = leader.post("/v1/content", video(&app, &json!({}))).await.expect(201);
    let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
    assert_eq!(leader.get(&path).await.expect(200)["privacy"], "public");
    let change = async |privacy: &str| leader.patch(&path, json!({"content": {"privacy": privacy}})).await;
    for privacy in ["private", "public"] {
        assert_eq!(change(privacy).await.expect(200)["privacy"], privacy);
        let made = leader.post("/v1/content", video(&app, &json!({"privacy": privacy}))).await.expect(201);
        let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
        assert_eq!(leader.get(&path).await.expect(200)["privacy"], privacy);
    }
    change("unlisted").await.expect_error(400, "Content is either public or private.");
    change("secret").await.expect(400);
    assert_eq!(leader.get(&path).await.expect(200)["privacy"], "public");
    app.http.settle().await;
}

#[tokio::test]
async fn the_address_of_a_video_is_checked_when_it_changes_too() {
    let app = test_app().await;
    let leader = app.leader().await;
    let made = leader.post("/v1/content", video(&app, &json!({}))).await.expect(201);
    let path = format!("/v1/content/{}", made["uid"].as_str().unwrap());
    for (field, bad, sentence) in [
        ("url", "https://example.com/video", "URL is invalid."),
        ("url", "", "URL is invalid."),
        ("previewUrl", "image.png", "URL is invalid."),
        ("previewUrl", "https://elsewhere.example/a.png", "Please upload the image here first."),
    ] {
        let refused = leader.patch(&path, json!({"content": {field: bad}})).await;
        refused.expect_error(400, sentence);
        assert_eq!(refused.json()["fields"][field], sentence);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn notify_users_is_a_boolean() {
    let app = test_app().await;
    let leader = app.leader().await;
    for (notify, status) in [(json!(true), 201), (json!(false), 201), (json!("yes"), 400), (json!(1), 400)] {
        let mut body = video(&app, &json!({}));
        body["notifyUsers"] = notify;
        leader.post("/v1/content", body).await.expect(status);
    }
    app.http.settle().await;
}

#[tokio::test]
async fn announcing_a_file_returns_the_address_to_send_it_to() {
    let app = test_app().await;
    let leader = app.leader().await;
    let upload = app.announce(&leader, file("a.mp4", MP4, &mp4(10))).await.expect(201);
    let uid: UploadId = upload["uid"].as_str().unwrap().parse().unwrap();
    let (url, path) = (upload["ingest"]["url"].as_str().unwrap(), upload["ingest"]["path"].as_str().unwrap());
    assert!(url.starts_with("http://vitrine.test/v1/ingest/"), "{url}");
    assert_eq!(path, format!("/v1/content/{uid}"));
    assert_eq!(leader.get(path).await.expect(200)["uid"], json!(uid), "it is also the uid of the item");
    let made = leader.post("/v1/content", video(&app, &json!({}))).await.expect(201);
    assert_eq!(made, json!({"uid": made["uid"], "status": "available"}), "nothing is sent for a video");
    app.http.settle().await;
}

#[tokio::test]
async fn twenty_five_items_are_listed_in_pages_without_duplicates() {
    let app = test_app().await;
    let leader = app.leader().await;
    let mut made = Vec::new();
    for _ in 0..25 {
        made.push(leader.post("/v1/content", video(&app, &json!({}))).await.expect(201)["uid"].clone());
    }
    made.reverse();
    let path = format!("/v1/content?orgId={}", app.org.uid);
    let page = async |path: String| {
        let rows = leader.get(&path).await.expect(200)["data"].as_array().unwrap().clone();
        rows.iter().map(|row| row["uid"].clone()).collect::<Vec<_>>()
    };
    let first = page(path.clone()).await;
    assert!(first.len() > 10 && first.len() < 25, "{}", first.len());
    let second = page(format!("{path}&startAfter={}", first.last().unwrap().as_str().unwrap())).await;
    let all: Vec<Value> = first.into_iter().chain(second).collect();
    assert_eq!(all, made, "newest first");
    assert_eq!(all.iter().map(Value::to_string).collect::<HashSet<_>>().len(), 25);
    leader.get("/v1/content?orgId=").await.expect_error(400, "No orgId");
    app.http.settle().await;
}
