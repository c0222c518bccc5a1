//! Sign-in through providers: the flow, what is refused, and which account it leads to.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use axum::body::Body;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD as B64};
use http::Method;
use kernel::MINUTE;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use testkit::{ApiResponse, Setup};

use super::issuer::{IssuedToken, Issuer};
use super::stored::store;
use super::{code_in, email_to, signed_in};

const SECRET: &str = "what only the opener knows";

struct TestApp {
    http: testkit::TestApp,
    issuer: Issuer,
    /// The coordinates x and y of Apple's public key, in base64url.
    apple: (String, String),
}

async fn test_app() -> TestApp {
    let issuer = Issuer::start().await;
    let document =
        EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new()).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref()).unwrap();
    let point = pair.public_key().as_ref();
    let apple = (B64.encode(&point[1..33]), B64.encode(&point[33..65]));
    let pem = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        STANDARD.encode(document.as_ref())
    );
    let http = Setup::default().providers(issuer.settings(&pem)).start(async |_| Vec::new()).await;
    TestApp { http, issuer, apple }
}

fn challenge() -> String {
    B64.encode(Sha256::digest(SECRET))
}

/// Returns an attribute of the page on which the popup ends.
fn page_data(page: &ApiResponse, name: &str) -> String {
    let html = String::from_utf8(page.bytes.clone()).unwrap();
    let mark = format!("data-{name}=\"");
    html.split(&mark).nth(1).unwrap().split('"').next().unwrap().to_owned()
}

impl TestApp {
    /// Opens the popup and returns the state sent to the provider.
    async fn start(&self, provider: &str) -> String {
        let path = format!("/v1/auth/oidc/{provider}/start?popup=1&challenge={}", challenge());
        let answer = self.http.anonymous().get(&path).await;
        answer.expect(302);
        self.issuer.record_auth_request(answer.headers["location"].to_str().unwrap())
    }

    async fn callback(&self, provider: &str, query: &str) -> ApiResponse {
        let answer = self.http.anonymous().get(&format!("/v1/auth/oidc/{provider}/callback?{query}")).await;
        answer.expect(200);
        answer
    }

    async fn redeem(&self, code: &str, secret: &str) -> ApiResponse {
        self.http.anonymous().post("/v1/auth/oidc/redeem", json!({ "code": code, "secret": secret })).await
    }

    /// Runs a complete sign-in through Google, which returns these claims.
    async fn sign_in(&self, claims: Value) -> ApiResponse {
        self.issuer.issue(IssuedToken { claims, ..IssuedToken::default() });
        let state = self.start("google").await;
        let page = self.callback("google", &format!("state={state}&code=the-code")).await;
        self.redeem(&page_data(&page, "code"), SECRET).await
    }
}

#[tokio::test]
async fn a_new_person_signs_in_by_google_with_name_and_verified_address() {
    let app = test_app().await;
    let state = app.start("google").await;
    assert_eq!(
        (app.issuer.auth_param("scope"), app.issuer.auth_param("mode")),
        ("openid email profile".into(), String::new())
    );
    let page = app.callback("google", &format!("state={state}&code=the-code")).await;
    assert_eq!((page_data(&page, "flow"), page_data(&page, "error")), (challenge(), String::new()));
    assert_eq!(app.issuer.token_request("client_secret"), "google-secret");
    let session = app.redeem(&page_data(&page, "code"), SECRET).await.expect(200);
    let profile = &session["profile"];
    assert_eq!(session["isNew"], true);
    assert_eq!(
        (&profile["firstName"], &profile["lastName"], &profile["displayName"], &profile["email"]),
        (&"Ada".into(), &"Lovelace".into(), &"Ada Lovelace".into(), &"ada@example.com".into())
    );
    let me = app.http.anonymous().with_token(session["accessToken"].as_str().unwrap());
    let expected = json!({ "email": "ada@example.com", "emailVerified": true, "password": false, "providers": ["google"] });
    assert_eq!(me.get("/v1/auth/methods").await.expect(200), expected);
    let again = app.sign_in(json!({ "email": "other@example.com", "name": "X" })).await.expect(200);
    assert_eq!((&again["isNew"], &again["profile"]), (&false.into(), profile), "by issuer and subject alone");
    app.http.settle().await;
}

#[tokio::test]
async fn apple_posts_a_form_with_the_name_and_accepts_a_signed_secret() {
    let app = test_app().await;
    app.issuer.issue(IssuedToken {
        claims: json!({ "email_verified": "true", "given_name": null, "family_name": null, "name": null }),
        ..IssuedToken::default()
    });
    let state = app.start("apple").await;
    assert_eq!(
        (app.issuer.auth_param("scope"), app.issuer.auth_param("mode")),
        ("openid email name".into(), "form_post".into())
    );
    let user = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#;
    let form = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &state)
        .append_pair("code", "the-code")
        .append_pair("user", user)
        .finish();
    let client = app.http.anonymous();
    let request = client
        .request(Method::POST, "/v1/auth/oidc/apple/callback")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "https://appleid.apple.com")
        .body(Body::from(form))
        .unwrap();
    let page = client.send(request).await;
    page.expect(200);
    let session = app.redeem(&page_data(&page, "code"), SECRET).await.expect(200);
    let profile = &session["profile"];
    assert_eq!(
        (&profile["displayName"], &profile["email"]),
        (&"Ada Lovelace".into(), &"ada@example.com".into())
    );
    let (x, y) = &app.apple;
    let key = jsonwebtoken::DecodingKey::from_ec_components(x, y).unwrap();
    let mut rules = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::ES256);
    rules.set_audience(&[url_of(&app)]);
    rules.set_issuer(&["TEAM"]);
    rules.validate_exp = false;
    let secret =
        jsonwebtoken::decode::<Value>(app.issuer.token_request("client_secret"), &key, &rules).unwrap();
    assert_eq!((secret.header.kid.as_deref(), &secret.claims["sub"]), (Some("KEY"), &"apple-client".into()));
    assert_eq!(secret.claims["exp"].as_i64().unwrap() - secret.claims["iat"].as_i64().unwrap(), 300);
    app.http.settle().await;
}

fn url_of(app: &TestApp) -> String {
    app.issuer.settings("").oidc_apple_issuer
}

#[tokio::test]
async fn the_result_can_be_redeemed_once_by_the_opener_in_time() {
    let app = test_app().await;
    let dead = "This sign-in has expired. Please try again.";
    let state = app.start("google").await;
    let page = app.callback("google", &format!("state={state}&code=the-code")).await;
    let code = page_data(&page, "code");
    app.redeem(&code, "another window's secret").await.expect_error(400, dead);
    app.redeem("nonsense", SECRET).await.expect_error(400, dead);
    app.redeem(&code, SECRET).await.expect(200);
    app.redeem(&code, SECRET).await.expect_error(400, dead);
    let repeated = app.callback("google", &format!("state={state}&code=the-code")).await;
    assert_eq!(
        (page_data(&repeated, "flow"), page_data(&repeated, "error")),
        (String::new(), "failed".into())
    );

    let state = app.start("google").await;
    let page = app.callback("google", &format!("state={state}&code=the-code")).await;
    app.http.clock.advance(2 * MINUTE);
    app.redeem(&page_data(&page, "code"), SECRET).await.expect_error(400, dead);
    let state = app.start("google").await;
    app.http.clock.advance(10 * MINUTE);
    let late = app.callback("google", &format!("state={state}&code=the-code")).await;
    assert_eq!(page_data(&late, "error"), "failed");
    app.http.settle().await;
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_again_is_an_internal_error_and_uses_nothing_up() {
    let app = test_app().await;
    let state = app.start("google").await;
    let page = app.callback("google", &format!("state={state}&code=the-code")).await;
    let code = page_data(&page, "code");
    for (column, value, readable) in [("provider", "github", "google"), ("claims", r#"{"issuer":1}"#, "")] {
        store(&app.http, "provider_sign_in", column, value).await;
        assert_eq!(app.redeem(&code, SECRET).await.expect(500)["code"], "internal", "{column}");
        if !readable.is_empty() {
            store(&app.http, "provider_sign_in", column, readable).await;
        }
    }
    app.http.settle().await;
}

#[tokio::test]
async fn a_cancelled_or_invalid_response_is_reported_to_the_opener() {
    let app = test_app().await;
    for (provider, query, error) in [
        ("google", "error=access_denied", "cancelled"),
        ("apple", "error=user_cancelled_authorize", "cancelled"),
        ("google", "error=server_error", "failed"),
        ("google", "code=", "failed"),
        ("google", "code=not-the-code", "failed"),
    ] {
        let state = app.start(provider).await;
        let page = app.callback(provider, &format!("state={state}&{query}")).await;
        assert_eq!(
            (page_data(&page, "flow"), page_data(&page, "error")),
            (challenge(), error.into()),
            "{query}"
        );
        assert_eq!(page_data(&page, "code"), "");
    }
    let state = app.start("google").await;
    let crossed = app.callback("apple", &format!("state={state}&code=the-code")).await;
    assert_eq!(page_data(&crossed, "flow"), "", "another provider's state");
    for query in ["", "state=", "state=%22%3E%3Cscript%3E&code=x", "code=the-code"] {
        let page = app.callback("google", query).await;
        assert!(!String::from_utf8_lossy(&page.bytes).contains("<script>"), "{query}");
        assert_eq!(page_data(&page, "flow"), "");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn an_invalid_token_is_rejected() {
    let app = test_app().await;
    let past = 1_000_000;
    let odd = [
        IssuedToken { claims: json!({ "nonce": "another" }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "nonce": null }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "aud": "another-client" }), ..IssuedToken::default() },
        IssuedToken {
            claims: json!({ "aud": ["google-client", "another-client"] }),
            ..IssuedToken::default()
        },
        IssuedToken { claims: json!({ "iss": "https://evil.example" }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "exp": past }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "exp": null }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "exp": "never" }), ..IssuedToken::default() },
        IssuedToken { claims: json!({ "sub": null }), ..IssuedToken::default() },
        IssuedToken { algorithm: "none", ..IssuedToken::default() },
        IssuedToken { algorithm: "HS256", ..IssuedToken::default() },
        IssuedToken { algorithm: "RS384", ..IssuedToken::default() },
        IssuedToken { algorithm: "PS256", ..IssuedToken::default() },
        IssuedToken { foreign_key: true, ..IssuedToken::default() },
    ];
    for token in odd {
        let shown = format!("{} {} {}", token.claims, token.algorithm, token.foreign_key);
        app.issuer.issue(token);
        let state = app.start("google").await;
        let page = app.callback("google", &format!("state={state}&code=the-code")).await;
        assert_eq!(
            (page_data(&page, "error"), page_data(&page, "code")),
            ("failed".into(), String::new()),
            "{shown}"
        );
    }
    app.issuer.issue(IssuedToken::default());
    app.sign_in(json!({})).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn rotated_keys_of_the_provider_are_loaded_immediately() {
    let app = test_app().await;
    app.sign_in(json!({})).await.expect(200);
    app.issuer.rotate();
    app.sign_in(json!({})).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn a_verified_account_is_linked_only_to_a_verified_identity() {
    let app = test_app().await;
    let (known, _) = signed_in(&app.http, "ada@example.com").await;
    let unverified = app.sign_in(json!({ "email_verified": false })).await.expect(409);
    assert_eq!(unverified["code"], "email_unverified");
    let silent = app.sign_in(json!({ "email_verified": null, "sub": "subject-2" })).await.expect(409);
    assert_eq!(silent["code"], "email_unverified");
    let nameless = app.sign_in(json!({ "email": null, "sub": "subject-3" })).await.expect(409);
    assert_eq!(nameless["code"], "email_missing");
    let linked = app.sign_in(json!({})).await.expect(200);
    assert_eq!((&linked["isNew"], &linked["profile"]["uid"]), (&false.into(), &known["profile"]["uid"]));
    app.http.settle().await;
}

#[tokio::test]
async fn a_password_set_before_verification_is_removed_when_the_owner_signs_in_by_google() {
    let app = test_app().await;
    let pair = json!({ "email": "ada@example.com", "password": "wren-tapestry-94" });
    let theirs = app.http.anonymous().post("/v1/auth/sign-up", pair.clone()).await.expect(201);
    let mine = app.sign_in(json!({})).await.expect(200);
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    app.http.anonymous().post("/v1/auth/sign-in", pair).await.expect(401);
    let token = app.http.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    app.http.run_jobs().await;
    let messages =
        app.http.deps.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 9).await.unwrap();
    let mut kinds: Vec<&str> = messages.iter().map(|message| message.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["confirm_address", "password_dropped", "provider_added"]);
    app.http.settle().await;
}

#[tokio::test]
async fn an_unverified_identity_is_unlinked_when_the_owner_signs_in() {
    let app = test_app().await;
    let theirs = app.sign_in(json!({ "email_verified": false })).await.expect(200);
    assert_eq!(theirs["isNew"], true);
    let (mine, _) = signed_in(&app.http, "ada@example.com").await;
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    let token = app.http.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    let again = app.sign_in(json!({ "email_verified": false })).await.expect(409);
    assert_eq!(again["code"], "email_unverified");
    app.http.settle().await;
}

#[tokio::test]
async fn a_reset_verifies_the_address_and_removes_earlier_sign_in_methods() {
    let app = test_app().await;
    let theirs = app.sign_in(json!({ "email_verified": false })).await.expect(200);
    assert_eq!(email_to(&app.http, "ada@example.com").await.kind, "confirm_address");
    let confirmation = code_in(&email_to(&app.http, "ada@example.com").await);
    app.http
        .anonymous()
        .post("/v1/auth/password-resets", json!({ "email": "ada@example.com" }))
        .await
        .expect(202);
    let code = code_in(&email_to(&app.http, "ada@example.com").await);
    let input = json!({ "code": code, "password": "wren-tapestry-94" });
    let mine = app.http.anonymous().post("/v1/auth/password-resets/redeem", input).await.expect(200);
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    let token = app.http.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    let me = app.http.anonymous().with_token(mine["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    assert_eq!((&methods["emailVerified"], &methods["providers"]), (&true.into(), &json!([])));
    me.post("/v1/auth/verifications/redeem", json!({ "code": confirmation })).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn the_owner_is_notified_when_a_provider_is_linked() {
    let app = test_app().await;
    signed_in(&app.http, "ada@example.com").await;
    app.sign_in(json!({})).await.expect(200);
    let message = email_to(&app.http, "ada@example.com").await;
    assert_eq!(
        (message.kind.as_str(), message.subject.as_str()),
        ("provider_added", "You can now sign in with Google")
    );
    app.sign_in(json!({})).await.expect(200);
    app.http.run_jobs().await;
    let all = app.http.deps.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 9).await.unwrap();
    assert_eq!(all.iter().filter(|message| message.kind == "provider_added").count(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn cached_metadata_is_used_while_the_provider_is_unreachable() {
    let app = test_app().await;
    app.sign_in(json!({})).await.expect(200);
    app.http.clock.advance(kernel::HOUR);
    app.issuer.hide(true);
    let state = app.start("google").await;
    app.issuer.hide(false);
    let page = app.callback("google", &format!("state={state}&code=the-code")).await;
    app.redeem(&page_data(&page, "code"), SECRET).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn an_identity_is_verified_once_the_provider_verifies_its_address() {
    let app = test_app().await;
    let first = app.sign_in(json!({ "email_verified": false })).await.expect(200);
    let me = app.http.anonymous().with_token(first["accessToken"].as_str().unwrap());
    me.patch("/v1/profiles", json!({ "user": { "company": "Engines" } })).await.expect(200);
    let second = app.sign_in(json!({})).await.expect(200);
    assert_eq!(first["profile"]["uid"], second["profile"]["uid"]);
    assert_eq!(second["profile"]["company"], "Engines", "the same way in keeps what it set up");
    let me = app.http.anonymous().with_token(second["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    assert_eq!((&methods["emailVerified"], &methods["providers"]), (&true.into(), &json!(["google"])));
    app.sign_in(json!({})).await.expect(200);
    app.http.settle().await;
}

#[tokio::test]
async fn simultaneous_redemptions_open_one_session_per_code_and_create_one_person() {
    let app = test_app().await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        let state = app.start("google").await;
        let page = app.callback("google", &format!("state={state}&code=the-code")).await;
        codes.push(page_data(&page, "code"));
    }
    let mut tries = tokio::task::JoinSet::new();
    for n in 0..10 {
        let (client, code) = (app.http.anonymous(), codes[n % 2].clone());
        tries.spawn(async move {
            client.post("/v1/auth/oidc/redeem", json!({ "code": code, "secret": SECRET })).await
        });
    }
    let answers = tries.join_all().await;
    let opened: Vec<Value> = answers.iter().filter(|a| a.status == 200).map(ApiResponse::json).collect();
    assert_eq!(opened.len(), 2, "{answers:?}");
    assert_eq!(opened[0]["profile"]["uid"], opened[1]["profile"]["uid"]);
    assert_eq!(opened.iter().filter(|session| session["isNew"] == true).count(), 1);
    app.http.settle().await;
}

#[tokio::test]
async fn a_provider_that_is_not_configured_is_reported_to_the_opener() {
    let app = super::test_app().await;
    let start = |provider: &str, query: &str| {
        let (client, path) = (app.anonymous(), format!("/v1/auth/oidc/{provider}/start?{query}"));
        async move { client.get(&path).await }
    };
    let right = format!("popup=1&challenge={}", challenge());
    let page = start("google", &right).await;
    page.expect(200);
    assert_eq!((page_data(&page, "flow"), page_data(&page, "error")), (challenge(), "unavailable".into()));
    assert!(page.headers["content-security-policy"].to_str().unwrap().contains("script-src 'self'"));
    start("facebook", &right).await.expect_error(404, "Provider not found");
    for odd in [
        "popup=1&challenge=short",
        "popup=1&challenge=%22%3E%3Cscript%3E",
        "popup=1",
        &right.replace('1', "0"),
    ] {
        start("google", odd).await.expect(400);
    }
    let script = app.anonymous().get("/v1/auth/oidc/popup.js").await;
    script.expect(200);
    app.settle().await;
}
