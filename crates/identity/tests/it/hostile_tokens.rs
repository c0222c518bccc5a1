//! Tokens that must not hold. Each is made from a real one or a real key's shape.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::{app, signed_in};

fn part(token: &str, index: usize) -> Value {
    serde_json::from_slice(&B64.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
}

fn joined(header: &Value, claims: &Value, signature: &str) -> String {
    format!("{}.{}.{signature}", B64.encode(header.to_string()), B64.encode(claims.to_string()))
}

#[tokio::test]
async fn no_changed_token_holds() {
    let app = app().await;
    let (session, cookie) = signed_in(&app, "ada@example.com").await;
    let real = session["accessToken"].as_str().unwrap();
    let (header, claims, signature) = (part(real, 0), part(real, 1), real.rsplit('.').next().unwrap());
    let mut hostile = vec![
        String::new(),
        "a.b.c".to_owned(),
        "..".to_owned(),
        "x".repeat(100_000),
        cookie,
        joined(&json!({ "alg": "none", "typ": "JWT" }), &claims, ""),
        joined(&json!({ "alg": "None", "typ": "JWT" }), &claims, signature),
        joined(&header, &claims, ""),
        format!("{real}x"),
        format!(" {real}"),
        real.replace('.', ". "),
    ];
    for (name, value) in [
        ("sub", json!("00000000-0000-7000-8000-000000000000")),
        ("sid", json!("00000000-0000-7000-8000-000000000000")),
        ("exp", json!(9_999_999_999_u64)),
        ("exp", json!("never")),
        ("exp", Value::Null),
        ("aud", json!("other")),
        ("aud", json!(["vitrine", "other"])),
        ("iss", json!("https://evil.example")),
        ("role", json!("superAdmin")),
    ] {
        let mut changed = claims.clone();
        changed[name] = value;
        hostile.push(joined(&header, &changed, signature));
        // The same claims under a key of the attacker's choice.
        for algorithm in [Algorithm::HS256, Algorithm::HS512] {
            let key = EncodingKey::from_secret(b"vitrine");
            hostile.push(jsonwebtoken::encode(&Header::new(algorithm), &changed, &key).unwrap());
        }
    }
    // The public key as an HMAC secret.
    let keys = app.anonymous().get("/.well-known/jwks.json").await.expect(200);
    let public = B64.decode(keys["keys"][0]["x"].as_str().unwrap()).unwrap();
    let confused = EncodingKey::from_secret(&public);
    hostile.push(jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &confused).unwrap());
    for token in &hostile {
        let request = app
            .anonymous()
            .request(http::Method::GET, "/v1/profiles")
            .header("authorization", format!("Bearer {token}"));
        let answer = app.anonymous().send(request.body(axum::body::Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 401, "{token}");
    }
    app.anonymous().with_token(real).get("/v1/profiles").await.expect(200);
    app.settle().await;
}

#[tokio::test]
async fn a_token_of_another_installation_does_not_hold() {
    let (here, there) = (app().await, app().await);
    let elsewhere = there.person("ada@example.com").await;
    here.person("ada@example.com").await;
    let token = here.anonymous().with_token(elsewhere.token());
    token.get("/v1/profiles").await.expect(401);
    here.settle().await;
    there.settle().await;
}
