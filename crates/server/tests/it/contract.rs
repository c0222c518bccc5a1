//! Responses match what openapi.json declares.

use axum::body::Body;
use http::{Method, header};
use serde_json::Value;

use super::test_app::test_app;

/// Longer than any JSON body may be.
const TOO_LONG: usize = 1024 * 1024 + 1;

/// Returns every operation with a JSON body: method, path with unused ids, declared statuses.
fn json_operations(document: &Value) -> Vec<(Method, String, Vec<u16>)> {
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if !operation["requestBody"]["content"]["application/json"].is_object() {
                continue;
            }
            let declared = operation["responses"].as_object().unwrap().keys();
            let declared = declared.map(|status| status.parse().unwrap()).collect();
            let parts: Vec<&str> = path
                .split('/')
                .map(|part| if part.starts_with('{') { "01990000-0000-7000-8000-000000000000" } else { part })
                .collect();
            operations.push((method.to_uppercase().parse().unwrap(), parts.join("/"), declared));
        }
    }
    operations
}

#[tokio::test]
async fn every_response_to_a_json_request_is_documented() {
    let app = test_app().await;
    let document = app.anonymous().get("/openapi.json").await.expect(200);
    let operations = json_operations(&document);
    assert!(operations.len() > 20, "{}", operations.len());
    let callers = [app.anonymous(), app.person("ada@example.com").await];
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(TOO_LONG));
    let mut undeclared = Vec::new();
    for (method, path, declared) in operations {
        for (kind, body) in [
            ("text/plain", "{}"),
            ("application/json", "{"),
            ("application/json", "[]"),
            ("application/json", "{}"),
            ("application/json", long.as_str()),
        ] {
            for caller in &callers {
                let request = caller
                    .request(method.clone(), &path)
                    .header(header::CONTENT_TYPE, kind)
                    .body(Body::from(body.to_owned()))
                    .unwrap();
                let response = caller.send(request).await;
                let status = response.status.as_u16();
                let sent = &body[..body.len().min(10)];
                if !declared.contains(&status) {
                    undeclared.push(format!("{method} {path} with {kind} {sent}: {status}"));
                }
                if status >= 400 {
                    assert_eq!(response.json()["status"], status, "{method} {path} with {kind} {sent}");
                }
            }
        }
    }
    assert!(undeclared.is_empty(), "{}", undeclared.join("\n"));
    app.close().await;
}
