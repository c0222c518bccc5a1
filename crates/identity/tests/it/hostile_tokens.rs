//! Tokens that must be rejected, each derived from a real token or from the shape of a real key.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::{signed_in, test_app};

fn part(token: &str, index: usize) -> Value {
    serde_json::from_slice(&B64.decode(token.split('.').nth(index).unwrap()).unwrap()).unwrap()
}

fn joined(header: &Value, claims: &Value, signature: &str) -> String {
    format!("{}.{}.{signature}", B64.encode(header.to_string()), B64.encode(claims.to_string()))
}

#[tokio::test]
async fn no_tampered_token_is_accepted() {
    let app = test_app().await;
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
        // The same claims, signed with an attacker's key.
        for algorithm in [Algorithm::HS256, Algorithm::HS512] {
            let key = EncodingKey::from_secret(b"vitrine");
            hostile.push(jsonwebtoken::encode(&Header::new(algorithm), &changed, &key).unwrap());
        }
    }
    // The public key as an HMAC secret, in each encoding it is available in.
    let keys = app.anonymous().get("/.well-known/jwks.json").await.expect(200);
    let key = &keys["keys"][0];
    let raw = B64.decode(key["x"].as_str().unwrap()).unwrap();
    for secret in
        [raw, key["x"].as_str().unwrap().into(), key.to_string().into(), keys.to_string().into(), vec![]]
    {
        let confused = EncodingKey::from_secret(&secret);
        for algorithm in [Algorithm::HS256, Algorithm::HS384, Algorithm::HS512] {
            hostile.push(jsonwebtoken::encode(&Header::new(algorithm), &claims, &confused).unwrap());
        }
    }
    hostile.extend(odd_headers(&header).iter().map(|odd| joined(odd, &claims, signature)));
    hostile.extend(odd_shapes(real, &claims));
    hostile.extend(other_keys(&header, &claims));
    assert!(hostile.len() >= 90, "{}", hostile.len());
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

/// Headers that ask for the token to be verified in another way.
fn odd_headers(header: &Value) -> Vec<Value> {
    let mut odd: Vec<Value> =
        ["none", "nOnE", "", "HS256", "RS256", "ES256", "PS256", "Ed448", "EDDSA", "eddsa", "\u{0}EdDSA"]
            .iter()
            .map(|algorithm| json!({ "alg": algorithm, "typ": "JWT", "kid": header["kid"] }))
            .collect();
    for (name, value) in [
        ("alg", Value::Null),
        ("alg", json!(["EdDSA"])),
        ("alg", json!({ "EdDSA": 1 })),
        ("kid", json!("../../../../dev/null")),
        ("kid", json!("' OR 1=1 --")),
        ("kid", json!(7)),
        ("jku", json!("https://evil.example/keys")),
        ("x5u", json!("https://evil.example/cert")),
        (
            "jwk",
            json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }),
        ),
        ("crit", json!(["exp"])),
        ("b64", json!(false)),
        ("zip", json!("DEF")),
        ("enc", json!("A256GCM")),
    ] {
        let mut changed = header.clone();
        changed[name] = value;
        odd.push(changed);
    }
    odd
}

/// Malformed variants of a real token.
fn odd_shapes(real: &str, claims: &Value) -> Vec<String> {
    let parts: Vec<&str> = real.split('.').collect();
    let (head, body, signature) = (parts[0], parts[1], parts[2]);
    let padded = base64::engine::general_purpose::URL_SAFE.encode(claims.to_string());
    let mut last = signature.to_owned();
    let swapped = if last.ends_with('A') { "B" } else { "A" };
    last.replace_range(last.len() - 1.., swapped);
    vec![
        format!("{head}.{body}"),
        format!("{head}..{signature}"),
        format!(".{body}.{signature}"),
        format!("{head}.{body}.{signature}."),
        format!("{head}.{body}.{signature}.{signature}"),
        format!("{body}.{head}.{signature}"),
        format!("{head}.{body}.{last}"),
        format!("{head}.{body}.{}", B64.encode([0; 64])),
        format!("{head}.{body}.{}", B64.encode([255; 64])),
        format!("{head}.{body}.{}", B64.encode([0; 63])),
        format!("{head}.{padded}.{signature}x"),
        format!("{head}.{}.{signature}", B64.encode("null")),
        format!("{head}.{}.{signature}", B64.encode("[]")),
        format!("{head}.{}.{signature}", B64.encode(b"\xff\xfe")),
        format!("{head}.{}.{signature}", B64.encode(format!("{{\"a\":{}}}", "[".repeat(5000)))),
        real.to_lowercase(),
        format!("{real}%00"),
        format!("{real},{real}"),
        format!("Bearer {real}"),
        real.repeat(50),
    ]
}

/// Right and wrong claims, signed with a valid key that is not the server's.
fn other_keys(header: &Value, claims: &Value) -> Vec<String> {
    let pair = aws_lc_rs::signature::Ed25519KeyPair::generate().unwrap();
    let document = pair.to_pkcs8v1().unwrap();
    let key = EncodingKey::from_ed_der(document.as_ref());
    let mut own = Header::new(Algorithm::EdDSA);
    own.kid = header["kid"].as_str().map(str::to_owned);
    let mut late = claims.clone();
    late["exp"] = json!(9_999_999_999_u64);
    [claims, &late].into_iter().map(|claims| jsonwebtoken::encode(&own, claims, &key).unwrap()).collect()
}

#[tokio::test]
async fn a_token_of_another_installation_is_rejected() {
    let (here, there) = (test_app().await, test_app().await);
    let elsewhere = there.person("ada@example.com").await;
    here.person("ada@example.com").await;
    let token = here.anonymous().with_token(elsewhere.token());
    token.get("/v1/profiles").await.expect(401);
    here.settle().await;
    there.settle().await;
}
