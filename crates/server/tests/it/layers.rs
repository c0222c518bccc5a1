//! Layers in front of every route.

use std::time::Instant;

use axum::body::Body;
use http::{Method, Request, header};
use testkit::ApiResponse;

use super::test_app::{TestApp, test_app, test_app_with};

/// Origin of uploaded files in some of these tests.
const MEDIA_HOST: &str = "files.vitrine.test";

async fn get(app: &TestApp, host: &str, path: &str) -> ApiResponse {
    let request = Request::builder().uri(path).header(header::HOST, host).body(Body::empty()).unwrap();
    app.anonymous().send(request).await
}

#[tokio::test]
async fn every_response_has_the_security_headers_and_an_id() {
    let app = test_app().await;
    for path in ["/", "/app/", "/v1/config", "/v1/nothing", "/healthz", "/pricing", "/v1/playlists"] {
        let response = get(&app, "vitrine.test", path).await;
        let policy = response.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), "{path}: {policy}");
        assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("object-src 'none'"), "{path}");
        assert_eq!(response.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(response.headers["x-request-id"].len(), 16, "{path}");
    }
    app.close().await;
}

#[tokio::test]
async fn a_script_has_the_policy_of_a_worker_and_no_headers_about_pages() {
    let app =
        test_app_with(|settings| settings.content.content_url = "http://files.vitrine.test".to_owned()).await;
    let script = get(&app, "vitrine.test", "/v1/auth/oidc/popup.js").await;
    let policy = script.headers["content-security-policy"].to_str().unwrap();
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' http://{MEDIA_HOST}; \
             frame-ancestors 'none'"
        )
    );
    assert_eq!(script.headers["x-content-type-options"], "nosniff");
    assert_eq!(script.headers["cross-origin-resource-policy"], "same-origin");
    for name in ["x-frame-options", "referrer-policy", "permissions-policy", "cross-origin-opener-policy"] {
        assert!(!script.headers.contains_key(name), "{name}");
    }
    app.close().await;
}

#[tokio::test]
async fn api_responses_are_not_cached_unless_the_handler_allows_it() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    for path in ["/v1/profiles", "/v1/config", "/v1/nothing", "/v1/accounts", "/v1/organizations"] {
        let response = ada.get(path).await;
        assert_eq!(response.headers["cache-control"], "no-store", "{path}");
    }
    let refused = get(&app, "evil.example", "/v1/config").await;
    assert_eq!(refused.headers["cache-control"], "no-store");
    let script = get(&app, "vitrine.test", "/v1/auth/oidc/popup.js").await;
    assert_eq!(script.headers["cache-control"], "public, max-age=3600");
    app.close().await;
}

#[tokio::test]
async fn the_sandbox_says_that_it_is_the_development_environment() {
    for (sandbox, host, environment) in
        [(true, "127.0.0.1:8080", "development"), (false, "vitrine.test", "production")]
    {
        let app = test_app_with(|settings| {
            (settings.server.sandbox, settings.server.public_url) = (sandbox, format!("http://{host}"));
        })
        .await;
        assert_eq!(get(&app, host, "/v1/config").await.expect(200)["environment"], environment);
        app.close().await;
    }
}

#[tokio::test]
async fn a_request_with_two_hosts_is_rejected() {
    let app = test_app().await;
    for path in ["/v1/config", "/", "/healthz"] {
        let request = Request::builder()
            .uri(path)
            .header(header::HOST, "vitrine.test")
            .header(header::HOST, "evil.example")
            .body(Body::empty())
            .unwrap();
        app.anonymous().send(request).await.expect_error(400, "A request must have exactly one Host header.");
    }
    app.close().await;
}

#[tokio::test]
async fn an_unknown_path_is_a_problem_and_never_a_page() {
    let app = test_app().await;
    for path in ["/v1/nothing", "/v1/", "/media/x/y/z", "/images/a/b", "/sandbox/mail"] {
        let response = get(&app, "vitrine.test", path).await;
        assert_eq!(
            (response.status.as_u16(), response.json()["status"].as_u64()),
            (404, Some(404)),
            "{path}"
        );
    }
    get(&app, "vitrine.test", "/v1/nothing").await.expect_error(404, "Unknown route");
    app.close().await;
}

#[tokio::test]
async fn requests_for_another_host_are_redirected_or_rejected() {
    let app = test_app().await;
    let page = get(&app, "localhost:8080", "/login?x=1").await;
    assert_eq!(page.status, 307);
    assert_eq!(page.headers["location"], "http://vitrine.test/login?x=1");
    get(&app, "evil.example", "/v1/config").await.expect(421);
    get(&app, "10.0.0.7", "/healthz").await.expect(200);
    app.close().await;
}

#[tokio::test]
async fn the_document_names_every_operation_once_and_resolves() {
    let app = test_app().await;
    let document = get(&app, "vitrine.test", "/openapi.json").await.expect(200);
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
    app.close().await;
}

#[tokio::test]
async fn a_body_over_one_mebibyte_is_rejected() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let body = serde_json::json!({ "user": { "company": "x".repeat(1024 * 1024) } });
    ada.json(Method::PATCH, "/v1/profiles", &body).await.expect_error(413, "The body is too large.");
    app.close().await;
}

#[tokio::test]
async fn the_media_origin_serves_files_and_the_public_one_everything_else() {
    let app =
        test_app_with(|settings| settings.content.content_url = "http://files.vitrine.test".to_owned()).await;
    for path in ["/", "/app/", "/v1/config", "/openapi.json", "/pricing", "/.well-known/jwks.json"] {
        let refused = get(&app, MEDIA_HOST, path).await;
        refused.expect_error(421, "Send this request to http://vitrine.test.");
    }
    // These objects do not exist; what matters is which origin serves the path.
    get(&app, MEDIA_HOST, "/media/x/source").await.expect(403);
    get(&app, "FILES.vitrine.test", "/images/x.webp").await.expect(404);
    get(&app, "vitrine.test", "/images/x.webp").await.expect(404);
    get(&app, MEDIA_HOST, "/healthz").await.expect(200);
    let moved = get(&app, "vitrine.test", "/media/x/source?a=1").await;
    assert_eq!(moved.status, 307);
    assert_eq!(moved.headers["location"], "http://files.vitrine.test/media/x/source?a=1");
    app.close().await;
}

#[tokio::test]
async fn an_unsupported_method_is_a_problem() {
    let app = test_app().await;
    for (method, path) in [
        (Method::PUT, "/v1/playlists"),
        (Method::DELETE, "/v1/config"),
        (Method::POST, "/openapi.json"),
        (Method::from_bytes(b"BREW").unwrap(), "/v1/profiles"),
    ] {
        let response = app.anonymous().json(method, path, &serde_json::json!({})).await;
        response.expect_error(405, "This method is not allowed here.");
        assert!(response.headers["allow"].to_str().unwrap().contains("GET"), "{path}");
    }
    app.close().await;
}

fn expect_limited(response: &ApiResponse, at_most: u64) {
    response.expect_error(429, "Too many requests. Please wait a moment.");
    let wait: u64 = response.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=at_most).contains(&wait), "{wait}");
}

#[tokio::test]
async fn one_address_may_attempt_ten_sign_ins_a_minute() {
    let app = test_app_with(|settings| settings.server.sign_in_tries_per_minute = 10).await;
    let anonymous = app.anonymous();
    let claim = serde_json::json!({ "email": "ada@example.com", "code": "guess" });
    let began = Instant::now();
    let passed = until_limited(7, async |_| {
        let response = anonymous.post("/v1/auth/magic-links/redeem", claim.clone()).await;
        assert!(matches!(response.status.as_u16(), 400 | 429), "{response:?}");
        response
    })
    .await;
    assert!((10..=10 + refilled(began, 6)).contains(&passed), "{passed}");
    // Requests for links are counted separately, whatever the address they are sent to, so that guessing
    // passwords does not lock a household out of both.
    let began = Instant::now();
    let passed = until_limited(7, async |n| {
        let request = serde_json::json!({ "email": format!("p{n}@example.com"), "action": "login" });
        let response = anonymous.post("/v1/auth/magic-links", request).await;
        assert!(matches!(response.status.as_u16(), 202 | 429), "{response:?}");
        response
    })
    .await;
    assert!((10..=10 + refilled(began, 6)).contains(&passed), "{passed}");
    anonymous.post("/v1/auth/refresh", serde_json::json!({})).await.expect(401);
    anonymous.get("/v1/config").await.expect(200);
    app.close().await;
}

#[tokio::test]
async fn one_person_is_limited_across_sessions_and_others_are_not() {
    let app = test_app_with(|settings| {
        settings.server.api_requests_per_10s = 1000;
        settings.server.api_requests_per_10s_person = 5;
    })
    .await;
    let (ada, bob) = (app.person("ada@example.com").await, app.person("bob@example.com").await);
    let again = app.person("ada@example.com").await;
    let began = Instant::now();
    let passed = until_limited(3, async |_| ada.get("/v1/profiles").await).await;
    assert!((5..=5 + refilled(began, 2)).contains(&passed), "{passed}");
    assert!(requests_until_limited(&again, "/v1/profiles").await < 5);
    bob.get("/v1/profiles").await.expect(200);
    let forged = app.anonymous().with_token("a.b.c");
    for _ in 0..10 {
        forged.get("/v1/profiles").await.expect(401);
    }
    app.close().await;
}

/// Returns how many requests pass before one is limited for at most `seconds`. A few more pass on a slow machine,
/// as the limit refills.
async fn until_limited(seconds: u64, send: impl AsyncFn(usize) -> ApiResponse) -> usize {
    for passed in 0..200 {
        let response = send(passed).await;
        if response.status == 429 {
            expect_limited(&response, seconds);
            return passed;
        }
    }
    panic!("the limit was never reached");
}

/// Returns how many requests a limit has allowed again since `began`, at one in so many seconds.
fn refilled(began: Instant, seconds: u64) -> usize {
    usize::try_from(began.elapsed().as_secs() / seconds).unwrap() + 1
}

async fn requests_until_limited(client: &testkit::Client, path: &str) -> usize {
    until_limited(10, async |_| client.get(path).await).await
}

#[tokio::test]
async fn colleagues_behind_one_address_do_not_share_a_limit() {
    let app = test_app_with(|settings| {
        settings.server.api_requests_per_10s = 5;
        settings.server.api_requests_per_10s_person = 20;
        settings.server.api_requests_per_10s_address = 1000;
    })
    .await;
    let (ada, bob) = (app.person("ada@example.com").await, app.person("bob@example.com").await);
    for person in [&ada, &bob] {
        let passed = requests_until_limited(person, "/v1/profiles").await;
        assert!((20..60).contains(&passed), "{passed}");
    }
    // A token with an invalid signature counts as anonymous.
    let forged = app.anonymous().with_token(&forged_token(ada.uid()));
    let passed = requests_until_limited(&forged, "/v1/profiles").await;
    assert!((5..20).contains(&passed), "{passed}");
    assert!(
        requests_until_limited(&app.anonymous(), "/v1/config").await < 5,
        "the forger's address is not limited"
    );
    app.close().await;
}

/// Returns a token with valid claims and a signature of zeros.
fn forged_token(person: kernel::PersonId) -> String {
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
async fn one_address_is_limited_however_many_people_share_it() {
    let app = test_app_with(|settings| {
        settings.server.api_requests_per_10s = 1000;
        settings.server.api_requests_per_10s_person = 1000;
        settings.server.api_requests_per_10s_address = 30;
    })
    .await;
    let (ada, bob) = (app.person("ada@example.com").await, app.person("bob@example.com").await);
    let passed = requests_until_limited(&ada, "/v1/profiles").await;
    assert!((30..90).contains(&passed), "{passed}");
    assert!(requests_until_limited(&bob, "/v1/profiles").await < 30);
    assert!(requests_until_limited(&app.anonymous(), "/v1/config").await < 30);
    app.close().await;
}

#[tokio::test]
async fn webhooks_have_a_separate_limit() {
    let app = test_app_with(|settings| {
        settings.server.api_requests_per_10s = 10;
        settings.server.webhook_requests_per_10s = 2;
    })
    .await;
    let anonymous = app.anonymous();
    // An unknown path counts like the others below its prefix.
    let passed = requests_until_limited(&anonymous, "/v1/webhooks/nothing").await;
    assert!((2..8).contains(&passed), "{passed}");
    expect_limited(&anonymous.post("/v1/webhooks/stripe", serde_json::json!({})).await, 5);
    let passed = requests_until_limited(&anonymous, "/v1/config").await;
    assert!((10..30).contains(&passed), "{passed}");
    app.close().await;
}

#[tokio::test]
async fn look_ups_of_videos_have_a_separate_limit_per_person() {
    let app = test_app_with(|settings| {
        settings.server.api_requests_per_10s = 1000;
        settings.server.api_requests_per_10s_person = 1000;
    })
    .await;
    let (ada, bob) = (app.person("ada@example.com").await, app.person("bob@example.com").await);
    // Requests count whatever their method.
    let passed = requests_until_limited(&ada, "/v1/content/embeds/lookup").await;
    assert!((10..60).contains(&passed), "{passed}");
    ada.get("/v1/profiles").await.expect(200);
    assert_eq!(bob.get("/v1/content/embeds/lookup").await.status, 405);
    app.close().await;
}

#[tokio::test]
async fn a_body_over_the_limit_of_events_is_a_problem() {
    let app = test_app().await;
    let ada = app.person("ada@example.com").await;
    let body = serde_json::json!({ "orgId": ada.uid(), "events": [], "note": "x".repeat(128 * 1024) });
    ada.post("/v1/events", body).await.expect_error(413, "The body is too large.");
    app.close().await;
}
