//! What stands in front of every route.

use axum::body::Body;
use http::{Method, Request, header};
use testkit::Answer;

use super::world::World;

async fn get(world: &World, host: &str, path: &str) -> Answer {
    let request = Request::builder().uri(path).header(header::HOST, host).body(Body::empty()).unwrap();
    world.anonymous().send(request).await
}

#[tokio::test]
async fn every_answer_carries_the_security_headers_and_an_id() {
    let world = World::new().await;
    for path in ["/", "/app/", "/v1/config", "/v1/nothing", "/healthz", "/pricing", "/v1/playlists"] {
        let answer = get(&world, "vitrine.test", path).await;
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("object-src 'none'"), "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["x-request-id"].len(), 16, "{path}");
    }
    world.close().await;
}

#[tokio::test]
async fn an_unknown_call_is_a_problem_and_never_a_page() {
    let world = World::new().await;
    for path in ["/v1/nothing", "/v1/", "/media/x/y/z", "/images/a/b", "/sandbox/mail"] {
        let answer = get(&world, "vitrine.test", path).await;
        assert_eq!((answer.status.as_u16(), answer.json()["status"].as_u64()), (404, Some(404)), "{path}");
    }
    get(&world, "vitrine.test", "/v1/nothing").await.refuse(404, "Unknown route");
    world.close().await;
}

#[tokio::test]
async fn another_host_is_led_home_or_refused() {
    let world = World::new().await;
    let page = get(&world, "localhost:8080", "/login?x=1").await;
    assert_eq!(page.status, 307);
    assert_eq!(page.headers["location"], "http://vitrine.test/login?x=1");
    get(&world, "evil.example", "/v1/config").await.expect(421);
    get(&world, "10.0.0.7", "/healthz").await.expect(200);
    world.close().await;
}

#[tokio::test]
async fn the_document_names_every_operation_once_and_resolves() {
    let world = World::new().await;
    let document = get(&world, "vitrine.test", "/openapi.json").await.expect(200);
    let text = document.to_string();
    let mut names = Vec::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            names.push(operation["operationId"].as_str().unwrap().to_owned());
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "operation ids are unique");
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name} is not described");
    }
    world.close().await;
}

#[tokio::test]
async fn a_body_over_one_mebibyte_is_refused() {
    let world = World::new().await;
    let ada = world.person("ada@example.com").await;
    let body = serde_json::json!({ "user": { "company": "x".repeat(1024 * 1024) } });
    ada.json(Method::PATCH, "/v1/profiles", &body).await.refuse(413, "The body is too large.");
    world.close().await;
}
