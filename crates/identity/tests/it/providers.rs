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
use testkit::{Answer, Setup, TestApp};

use super::issuer::{Issuer, Says};
use super::{code_in, letter_to, signed_in};

const SECRET: &str = "what only the opener knows";

struct Rig {
    app: TestApp,
    issuer: Issuer,
    /// The coordinates x and y of Apple's public key, in base64url.
    apple: (String, String),
}

async fn rig() -> Rig {
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
    let app = Setup::default().providers(issuer.settings(&pem)).start(async |_| Vec::new()).await;
    Rig { app, issuer, apple }
}

fn challenge() -> String {
    B64.encode(Sha256::digest(SECRET))
}

/// Returns an attribute of the page on which the popup ends.
fn told(page: &Answer, name: &str) -> String {
    let html = String::from_utf8(page.bytes.clone()).unwrap();
    let mark = format!("data-{name}=\"");
    html.split(&mark).nth(1).unwrap().split('"').next().unwrap().to_owned()
}

impl Rig {
    /// Opens the popup and returns the state sent to the provider.
    async fn start(&self, provider: &str) -> String {
        let path = format!("/v1/auth/oidc/{provider}/start?popup=1&challenge={}", challenge());
        let answer = self.app.anonymous().get(&path).await;
        answer.expect(302);
        self.issuer.ask(answer.headers["location"].to_str().unwrap())
    }

    async fn back(&self, provider: &str, query: &str) -> Answer {
        let answer = self.app.anonymous().get(&format!("/v1/auth/oidc/{provider}/callback?{query}")).await;
        answer.expect(200);
        answer
    }

    async fn redeem(&self, code: &str, secret: &str) -> Answer {
        self.app.anonymous().post("/v1/auth/oidc/redeem", json!({ "code": code, "secret": secret })).await
    }

    /// Runs a complete sign-in through Google, which returns these claims.
    async fn sign_in(&self, claims: Value) -> Answer {
        self.issuer.say(Says { claims, ..Says::default() });
        let state = self.start("google").await;
        let page = self.back("google", &format!("state={state}&code=the-code")).await;
        self.redeem(&told(&page, "code"), SECRET).await
    }
}

#[tokio::test]
async fn a_new_person_comes_in_by_google_with_name_and_proved_address() {
    let rig = rig().await;
    let state = rig.start("google").await;
    assert_eq!(
        (rig.issuer.asked("scope"), rig.issuer.asked("mode")),
        ("openid email profile".into(), String::new())
    );
    let page = rig.back("google", &format!("state={state}&code=the-code")).await;
    assert_eq!((told(&page, "flow"), told(&page, "error")), (challenge(), String::new()));
    assert_eq!(rig.issuer.exchanged("client_secret"), "google-secret");
    let session = rig.redeem(&told(&page, "code"), SECRET).await.expect(200);
    let profile = &session["profile"];
    assert_eq!(session["isNew"], true);
    assert_eq!(
        (&profile["firstName"], &profile["lastName"], &profile["displayName"], &profile["email"]),
        (&"Ada".into(), &"Lovelace".into(), &"Ada Lovelace".into(), &"ada@example.com".into())
    );
    let me = rig.app.anonymous().with_token(session["accessToken"].as_str().unwrap());
    let expected = json!({ "email": "ada@example.com", "emailVerified": true, "password": false, "providers": ["google"] });
    assert_eq!(me.get("/v1/auth/methods").await.expect(200), expected);
    let again = rig.sign_in(json!({ "email": "other@example.com", "name": "X" })).await.expect(200);
    assert_eq!((&again["isNew"], &again["profile"]), (&false.into(), profile), "by issuer and subject alone");
    rig.app.settle().await;
}

#[tokio::test]
async fn apple_posts_a_form_with_the_name_and_takes_a_signed_secret() {
    let rig = rig().await;
    rig.issuer.say(Says {
        claims: json!({ "email_verified": "true", "given_name": null, "family_name": null, "name": null }),
        ..Says::default()
    });
    let state = rig.start("apple").await;
    assert_eq!(
        (rig.issuer.asked("scope"), rig.issuer.asked("mode")),
        ("openid email name".into(), "form_post".into())
    );
    let user = r#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@example.com"}"#;
    let form = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("state", &state)
        .append_pair("code", "the-code")
        .append_pair("user", user)
        .finish();
    let client = rig.app.anonymous();
    let request = client
        .request(Method::POST, "/v1/auth/oidc/apple/callback")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("origin", "https://appleid.apple.com")
        .body(Body::from(form))
        .unwrap();
    let page = client.send(request).await;
    page.expect(200);
    let session = rig.redeem(&told(&page, "code"), SECRET).await.expect(200);
    let profile = &session["profile"];
    assert_eq!(
        (&profile["displayName"], &profile["email"]),
        (&"Ada Lovelace".into(), &"ada@example.com".into())
    );
    let (x, y) = &rig.apple;
    let key = jsonwebtoken::DecodingKey::from_ec_components(x, y).unwrap();
    let mut rules = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::ES256);
    rules.set_audience(&[url_of(&rig)]);
    rules.set_issuer(&["TEAM"]);
    rules.validate_exp = false;
    let secret = jsonwebtoken::decode::<Value>(rig.issuer.exchanged("client_secret"), &key, &rules).unwrap();
    assert_eq!((secret.header.kid.as_deref(), &secret.claims["sub"]), (Some("KEY"), &"apple-client".into()));
    assert_eq!(secret.claims["exp"].as_i64().unwrap() - secret.claims["iat"].as_i64().unwrap(), 300);
    rig.app.settle().await;
}

fn url_of(rig: &Rig) -> String {
    rig.issuer.settings("").oidc_apple_issuer
}

#[tokio::test]
async fn what_the_provider_said_is_picked_up_once_by_the_opener_in_time() {
    let rig = rig().await;
    let dead = "This sign-in has expired. Please try again.";
    let state = rig.start("google").await;
    let page = rig.back("google", &format!("state={state}&code=the-code")).await;
    let code = told(&page, "code");
    rig.redeem(&code, "another window's secret").await.refuse(400, dead);
    rig.redeem("nonsense", SECRET).await.refuse(400, dead);
    rig.redeem(&code, SECRET).await.expect(200);
    rig.redeem(&code, SECRET).await.refuse(400, dead);
    let repeated = rig.back("google", &format!("state={state}&code=the-code")).await;
    assert_eq!((told(&repeated, "flow"), told(&repeated, "error")), (String::new(), "failed".into()));

    let state = rig.start("google").await;
    let page = rig.back("google", &format!("state={state}&code=the-code")).await;
    rig.app.clock.pass(2 * MINUTE);
    rig.redeem(&told(&page, "code"), SECRET).await.refuse(400, dead);
    let state = rig.start("google").await;
    rig.app.clock.pass(10 * MINUTE);
    let late = rig.back("google", &format!("state={state}&code=the-code")).await;
    assert_eq!(told(&late, "error"), "failed");
    rig.app.settle().await;
}

#[tokio::test]
async fn a_cancelled_or_odd_answer_is_told_to_the_opener() {
    let rig = rig().await;
    for (provider, query, error) in [
        ("google", "error=access_denied", "cancelled"),
        ("apple", "error=user_cancelled_authorize", "cancelled"),
        ("google", "error=server_error", "failed"),
        ("google", "code=", "failed"),
        ("google", "code=not-the-code", "failed"),
    ] {
        let state = rig.start(provider).await;
        let page = rig.back(provider, &format!("state={state}&{query}")).await;
        assert_eq!((told(&page, "flow"), told(&page, "error")), (challenge(), error.into()), "{query}");
        assert_eq!(told(&page, "code"), "");
    }
    let state = rig.start("google").await;
    let crossed = rig.back("apple", &format!("state={state}&code=the-code")).await;
    assert_eq!(told(&crossed, "flow"), "", "another provider's state");
    for query in ["", "state=", "state=%22%3E%3Cscript%3E&code=x", "code=the-code"] {
        let page = rig.back("google", query).await;
        assert!(!String::from_utf8_lossy(&page.bytes).contains("<script>"), "{query}");
        assert_eq!(told(&page, "flow"), "");
    }
    rig.app.settle().await;
}

#[tokio::test]
async fn a_token_that_does_not_hold_signs_nobody_in() {
    let rig = rig().await;
    let past = 1_000_000;
    let odd = [
        Says { claims: json!({ "nonce": "another" }), ..Says::default() },
        Says { claims: json!({ "nonce": null }), ..Says::default() },
        Says { claims: json!({ "aud": "another-client" }), ..Says::default() },
        Says { claims: json!({ "aud": ["google-client", "another-client"] }), ..Says::default() },
        Says { claims: json!({ "iss": "https://evil.example" }), ..Says::default() },
        Says { claims: json!({ "exp": past }), ..Says::default() },
        Says { claims: json!({ "exp": null }), ..Says::default() },
        Says { claims: json!({ "exp": "never" }), ..Says::default() },
        Says { claims: json!({ "sub": null }), ..Says::default() },
        Says { algorithm: "none", ..Says::default() },
        Says { algorithm: "HS256", ..Says::default() },
        Says { algorithm: "RS384", ..Says::default() },
        Says { algorithm: "PS256", ..Says::default() },
        Says { foreign_key: true, ..Says::default() },
    ];
    for says in odd {
        let shown = format!("{} {} {}", says.claims, says.algorithm, says.foreign_key);
        rig.issuer.say(says);
        let state = rig.start("google").await;
        let page = rig.back("google", &format!("state={state}&code=the-code")).await;
        assert_eq!((told(&page, "error"), told(&page, "code")), ("failed".into(), String::new()), "{shown}");
    }
    rig.issuer.say(Says::default());
    rig.sign_in(json!({})).await.expect(200);
    rig.app.settle().await;
}

#[tokio::test]
async fn new_keys_of_the_provider_are_learnt_at_once() {
    let rig = rig().await;
    rig.sign_in(json!({})).await.expect(200);
    rig.issuer.rotate();
    rig.sign_in(json!({})).await.expect(200);
    rig.app.settle().await;
}

#[tokio::test]
async fn a_proved_account_is_tied_to_a_proved_identity_and_to_no_other() {
    let rig = rig().await;
    let (known, _) = signed_in(&rig.app, "ada@example.com").await;
    let unproved = rig.sign_in(json!({ "email_verified": false })).await.expect(409);
    assert_eq!(unproved["code"], "email_unverified");
    let silent = rig.sign_in(json!({ "email_verified": null, "sub": "subject-2" })).await.expect(409);
    assert_eq!(silent["code"], "email_unverified");
    let nameless = rig.sign_in(json!({ "email": null, "sub": "subject-3" })).await.expect(409);
    assert_eq!(nameless["code"], "email_missing");
    let tied = rig.sign_in(json!({})).await.expect(200);
    assert_eq!((&tied["isNew"], &tied["profile"]["uid"]), (&false.into(), &known["profile"]["uid"]));
    rig.app.settle().await;
}

#[tokio::test]
async fn a_password_set_before_the_proof_does_not_survive_the_owners_google() {
    let rig = rig().await;
    let pair = json!({ "email": "ada@example.com", "password": "wren-tapestry-94" });
    let theirs = rig.app.anonymous().post("/v1/auth/sign-up", pair.clone()).await.expect(201);
    let mine = rig.sign_in(json!({})).await.expect(200);
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    rig.app.anonymous().post("/v1/auth/sign-in", pair).await.expect(401);
    let token = rig.app.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    rig.app.run_jobs().await;
    let letters = rig.app.kit.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 9).await.unwrap();
    let mut kinds: Vec<&str> = letters.iter().map(|letter| letter.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["confirm_address", "password_dropped", "provider_added"]);
    rig.app.settle().await;
}

#[tokio::test]
async fn an_unproved_identity_that_came_first_opens_nothing_once_the_owner_came() {
    let rig = rig().await;
    let theirs = rig.sign_in(json!({ "email_verified": false })).await.expect(200);
    assert_eq!(theirs["isNew"], true);
    let (mine, _) = signed_in(&rig.app, "ada@example.com").await;
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    let token = rig.app.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    let again = rig.sign_in(json!({ "email_verified": false })).await.expect(409);
    assert_eq!(again["code"], "email_unverified");
    rig.app.settle().await;
}

#[tokio::test]
async fn a_reset_is_a_proof_and_opens_nothing_that_was_there_before() {
    let rig = rig().await;
    let theirs = rig.sign_in(json!({ "email_verified": false })).await.expect(200);
    assert_eq!(letter_to(&rig.app, "ada@example.com").await.kind, "confirm_address");
    let confirmation = code_in(&letter_to(&rig.app, "ada@example.com").await.text);
    rig.app
        .anonymous()
        .post("/v1/auth/password-resets", json!({ "email": "ada@example.com" }))
        .await
        .expect(202);
    let code = code_in(&letter_to(&rig.app, "ada@example.com").await.text);
    let claim = json!({ "code": code, "password": "wren-tapestry-94" });
    let mine = rig.app.anonymous().post("/v1/auth/password-resets/redeem", claim).await.expect(200);
    assert_eq!(mine["profile"]["uid"], theirs["profile"]["uid"]);
    let token = rig.app.anonymous().with_token(theirs["accessToken"].as_str().unwrap());
    token.get("/v1/profiles").await.expect(401);
    let me = rig.app.anonymous().with_token(mine["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    assert_eq!((&methods["emailVerified"], &methods["providers"]), (&true.into(), &json!([])));
    me.post("/v1/auth/verifications/redeem", json!({ "code": confirmation })).await.expect(400);
    rig.app.settle().await;
}

#[tokio::test]
async fn the_owner_is_told_when_a_provider_opens_the_account_too() {
    let rig = rig().await;
    signed_in(&rig.app, "ada@example.com").await;
    rig.sign_in(json!({})).await.expect(200);
    let letter = letter_to(&rig.app, "ada@example.com").await;
    assert_eq!(
        (letter.kind.as_str(), letter.subject.as_str()),
        ("provider_added", "You can now sign in with Google")
    );
    rig.sign_in(json!({})).await.expect(200);
    rig.app.run_jobs().await;
    let all = rig.app.kit.mailer.sent(kernel::Email::parse("ada@example.com").as_ref(), 9).await.unwrap();
    assert_eq!(all.iter().filter(|letter| letter.kind == "provider_added").count(), 1);
    rig.app.settle().await;
}

#[tokio::test]
async fn what_was_known_of_a_provider_serves_on_while_it_is_away() {
    let rig = rig().await;
    rig.sign_in(json!({})).await.expect(200);
    rig.app.clock.pass(kernel::HOUR);
    rig.issuer.hide(true);
    let state = rig.start("google").await;
    rig.issuer.hide(false);
    let page = rig.back("google", &format!("state={state}&code=the-code")).await;
    rig.redeem(&told(&page, "code"), SECRET).await.expect(200);
    rig.app.settle().await;
}

#[tokio::test]
async fn an_identity_whose_address_is_vouched_for_later_is_proved_then() {
    let rig = rig().await;
    let first = rig.sign_in(json!({ "email_verified": false })).await.expect(200);
    let me = rig.app.anonymous().with_token(first["accessToken"].as_str().unwrap());
    me.patch("/v1/profiles", json!({ "user": { "company": "Engines" } })).await.expect(200);
    let second = rig.sign_in(json!({})).await.expect(200);
    assert_eq!(first["profile"]["uid"], second["profile"]["uid"]);
    assert_eq!(second["profile"]["company"], "Engines", "the same way in keeps what it set up");
    let me = rig.app.anonymous().with_token(second["accessToken"].as_str().unwrap());
    let methods = me.get("/v1/auth/methods").await.expect(200);
    assert_eq!((&methods["emailVerified"], &methods["providers"]), (&true.into(), &json!(["google"])));
    rig.sign_in(json!({})).await.expect(200);
    rig.app.settle().await;
}

#[tokio::test]
async fn ten_pick_ups_at_once_open_one_session_and_two_windows_make_one_person() {
    let rig = rig().await;
    let mut codes = Vec::new();
    for _ in 0..2 {
        let state = rig.start("google").await;
        let page = rig.back("google", &format!("state={state}&code=the-code")).await;
        codes.push(told(&page, "code"));
    }
    let mut tries = tokio::task::JoinSet::new();
    for n in 0..10 {
        let (client, code) = (rig.app.anonymous(), codes[n % 2].clone());
        tries.spawn(async move {
            client.post("/v1/auth/oidc/redeem", json!({ "code": code, "secret": SECRET })).await
        });
    }
    let answers = tries.join_all().await;
    let opened: Vec<Value> = answers.iter().filter(|a| a.status == 200).map(Answer::json).collect();
    assert_eq!(opened.len(), 2, "{answers:?}");
    assert_eq!(opened[0]["profile"]["uid"], opened[1]["profile"]["uid"]);
    assert_eq!(opened.iter().filter(|session| session["isNew"] == true).count(), 1);
    rig.app.settle().await;
}

#[tokio::test]
async fn a_provider_that_is_not_there_says_so_to_the_opener() {
    let app = super::app().await;
    let start = |provider: &str, query: &str| {
        let (client, path) = (app.anonymous(), format!("/v1/auth/oidc/{provider}/start?{query}"));
        async move { client.get(&path).await }
    };
    let right = format!("popup=1&challenge={}", challenge());
    let page = start("google", &right).await;
    page.expect(200);
    assert_eq!((told(&page, "flow"), told(&page, "error")), (challenge(), "unavailable".into()));
    assert!(page.headers["content-security-policy"].to_str().unwrap().contains("script-src 'self'"));
    start("facebook", &right).await.refuse(404, "Provider not found");
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
