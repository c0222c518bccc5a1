//! Layers in front of every route.

use axum::body::Body;
use http::{Method, Request, header};
use testkit::Answer;

use super::world::World;

/// Origin of uploaded files in some of these tests.
const FILES: &str = "files.vitrine.test";

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
        assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("object-src 'none'"), "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["x-request-id"].len(), 16, "{path}");
    }
    world.close().await;
}

#[tokio::test]
async fn no_answer_to_a_call_is_kept_by_caches_unless_made_for_it() {
    let world = World::new().await;
    let ada = world.person("ada@example.com").await;
    for path in ["/v1/profiles", "/v1/config", "/v1/nothing", "/v1/accounts", "/v1/organizations"] {
        let answer = ada.get(path).await;
        assert_eq!(answer.headers["cache-control"], "no-store", "{path}");
    }
    let refused = get(&world, "evil.example", "/v1/config").await;
    assert_eq!(refused.headers["cache-control"], "no-store");
    let script = get(&world, "vitrine.test", "/v1/auth/oidc/popup.js").await;
    assert_eq!(script.headers["cache-control"], "public, max-age=3600");
    world.close().await;
}

#[tokio::test]
async fn the_sandbox_says_that_it_is_the_development_environment() {
    for (sandbox, host, environment) in
        [(true, "127.0.0.1:8080", "development"), (false, "vitrine.test", "production")]
    {
        let world = World::with(|settings| {
            (settings.server.sandbox, settings.server.public_url) = (sandbox, format!("http://{host}"));
        })
        .await;
        assert_eq!(get(&world, host, "/v1/config").await.expect(200)["environment"], environment);
        world.close().await;
    }
}

#[tokio::test]
async fn a_request_that_names_two_hosts_is_refused() {
    let world = World::new().await;
    for path in ["/v1/config", "/", "/healthz"] {
        let request = Request::builder()
            .uri(path)
            .header(header::HOST, "vitrine.test")
            .header(header::HOST, "evil.example")
            .body(Body::empty())
            .unwrap();
        world.anonymous().send(request).await.refuse(400, "A request must have exactly one Host header.");
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
    assert_eq!(names.len(), count, "operation ids are not unique");
    for part in text.split("#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(document["components"]["schemas"][name].is_object(), "{name} is not documented");
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

#[tokio::test]
async fn the_files_origin_serves_files_and_the_other_one_everything_else() {
    let world =
        World::with(|settings| settings.content.content_url = "http://files.vitrine.test".to_owned()).await;
    for path in ["/", "/app/", "/v1/config", "/openapi.json", "/pricing", "/.well-known/jwks.json"] {
        let refused = get(&world, FILES, path).await;
        refused.refuse(421, "Send this request to http://vitrine.test.");
    }
    // These objects do not exist; what matters is which origin serves the path.
    get(&world, FILES, "/media/x/source").await.expect(403);
    get(&world, "FILES.vitrine.test", "/images/x.webp").await.expect(404);
    get(&world, "vitrine.test", "/images/x.webp").await.expect(404);
    get(&world, FILES, "/healthz").await.expect(200);
    let moved = get(&world, "vitrine.test", "/media/x/source?a=1").await;
    assert_eq!(moved.status, 307);
    assert_eq!(moved.headers["location"], "http://files.vitrine.test/media/x/source?a=1");
    world.close().await;
}

#[tokio::test]
async fn a_method_that_a_call_does_not_have_is_a_problem_too() {
    let world = World::new().await;
    for (method, path) in [
        (Method::PUT, "/v1/playlists"),
        (Method::DELETE, "/v1/config"),
        (Method::POST, "/openapi.json"),
        (Method::from_bytes(b"BREW").unwrap(), "/v1/profiles"),
    ] {
        let answer = world.anonymous().json(method, path, &serde_json::json!({})).await;
        answer.refuse(405, "This method is not allowed here.");
        assert!(answer.headers["allow"].to_str().unwrap().contains("GET"), "{path}");
    }
    world.close().await;
}

fn slowed(answer: &Answer, at_most: u64) {
    answer.refuse(429, "Too many requests. Please wait a moment.");
    let wait: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=at_most).contains(&wait), "{wait}");
}

#[tokio::test]
async fn one_address_may_try_to_sign_in_ten_times_a_minute() {
    let world = World::with(|settings| settings.server.sign_in_tries_per_minute = 10).await;
    let anybody = world.anonymous();
    let claim = serde_json::json!({ "email": "ada@example.com", "code": "guess" });
    for _ in 0..10 {
        anybody.post("/v1/auth/magic-links/redeem", claim.clone()).await.expect(400);
    }
    slowed(&anybody.post("/v1/auth/magic-links/redeem", claim).await, 7);
    // Requests for links are counted separately, whatever the address they are sent to, so that guessing
    // passwords does not lock a household out of both.
    for n in 0..10 {
        let wish = serde_json::json!({ "email": format!("p{n}@example.com"), "action": "login" });
        anybody.post("/v1/auth/magic-links", wish).await.expect(202);
    }
    let wish = serde_json::json!({ "email": "p10@example.com", "action": "login" });
    slowed(&anybody.post("/v1/auth/magic-links", wish).await, 7);
    anybody.post("/v1/auth/refresh", serde_json::json!({})).await.expect(401);
    anybody.get("/v1/config").await.expect(200);
    world.close().await;
}

#[tokio::test]
async fn one_person_is_slowed_from_whatever_addresses_and_nobody_else() {
    let world = World::with(|settings| {
        settings.server.api_requests_per_10s = 1000;
        settings.server.api_requests_per_10s_person = 5;
    })
    .await;
    let (ada, bob) = (world.person("ada@example.com").await, world.person("bob@example.com").await);
    let again = world.person("ada@example.com").await;
    for _ in 0..5 {
        ada.get("/v1/profiles").await.expect(200);
    }
    slowed(&again.get("/v1/profiles").await, 3);
    bob.get("/v1/profiles").await.expect(200);
    let forged = world.anonymous().with_token("a.b.c");
    for _ in 0..10 {
        forged.get("/v1/profiles").await.expect(401);
    }
    world.close().await;
}

/// Returns how many requests pass before one is limited. A few more pass on a slow machine, as the limit
/// refills.
async fn until_slowed(client: &testkit::Client, path: &str) -> usize {
    for passed in 0..200 {
        let answer = client.get(path).await;
        if answer.status == 429 {
            slowed(&answer, 10);
            return passed;
        }
    }
    panic!("the limit was never reached");
}

#[tokio::test]
async fn colleagues_behind_one_address_do_not_slow_each_other_down() {
    let world = World::with(|settings| {
        settings.server.api_requests_per_10s = 5;
        settings.server.api_requests_per_10s_person = 20;
        settings.server.api_requests_per_10s_address = 1000;
    })
    .await;
    let (ada, bob) = (world.person("ada@example.com").await, world.person("bob@example.com").await);
    for person in [&ada, &bob] {
        let passed = until_slowed(person, "/v1/profiles").await;
        assert!((20..60).contains(&passed), "{passed}");
    }
    // A token with an invalid signature counts as anonymous.
    let forged = world.anonymous().with_token(&forged_token(ada.uid()));
    let passed = until_slowed(&forged, "/v1/profiles").await;
    assert!((5..20).contains(&passed), "{passed}");
    assert!(until_slowed(&world.anonymous(), "/v1/config").await < 5, "the forger's address is not limited");
    world.close().await;
}

/// Returns a token with valid claims and a signature of zeros.
fn forged_token(person: kernel::Uid) -> String {
    use base64::Engine as _;
    let part =
        |json: serde_json::Value| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(json.to_string());
    let head = part(serde_json::json!({ "alg": "EdDSA", "typ": "JWT" }));
    let claims = serde_json::json!({
        "iss": "http://vitrine.test", "aud": "vitrine", "sub": person, "sid": person, "iat": 0, "exp": 9_999_999_999_i64,
    });
    format!("{head}.{}.{}", part(claims), "A".repeat(86))
}

#[tokio::test]
async fn one_address_is_slowed_however_many_people_share_it() {
    let world = World::with(|settings| {
        settings.server.api_requests_per_10s = 1000;
        settings.server.api_requests_per_10s_person = 1000;
        settings.server.api_requests_per_10s_address = 30;
    })
    .await;
    let (ada, bob) = (world.person("ada@example.com").await, world.person("bob@example.com").await);
    let passed = until_slowed(&ada, "/v1/profiles").await;
    assert!((30..90).contains(&passed), "{passed}");
    assert!(until_slowed(&bob, "/v1/profiles").await < 30);
    assert!(until_slowed(&world.anonymous(), "/v1/config").await < 30);
    world.close().await;
}

#[tokio::test]
async fn webhooks_have_a_limit_of_their_own() {
    let world = World::with(|settings| {
        settings.server.api_requests_per_10s = 10;
        settings.server.webhook_requests_per_10s = 2;
    })
    .await;
    let anybody = world.anonymous();
    // An unknown path counts like the others below its prefix.
    let passed = until_slowed(&anybody, "/v1/webhooks/nothing").await;
    assert!((2..8).contains(&passed), "{passed}");
    slowed(&anybody.post("/v1/webhooks/stripe", serde_json::json!({})).await, 5);
    let passed = until_slowed(&anybody, "/v1/config").await;
    assert!((10..30).contains(&passed), "{passed}");
    world.close().await;
}

#[tokio::test]
async fn a_body_over_the_limit_of_events_is_a_problem() {
    let world = World::new().await;
    let ada = world.person("ada@example.com").await;
    let body = serde_json::json!({ "orgId": ada.uid(), "events": [], "note": "x".repeat(128 * 1024) });
    ada.post("/v1/events", body).await.refuse(413, "The body is too large.");
    world.close().await;
}
