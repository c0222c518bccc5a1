//! The OpenID issuer over HTTP: the complete flow with an independent verifier, and everything it must
//! reject.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use crate::oidc_client::{Client, Fields, VERIFIER, encoded, es256, person, with};
use crate::test_app::{TestApp, test_app};

#[tokio::test]
async fn google_signs_any_person_in_by_redirect() {
    let app = test_app().await;
    let client = Client::google(&app);
    let page = app.get(&client.page(&client.request())).await;
    assert!(page.0 == 200 && page.1.contains("<h1>Sign in with Google</h1>"), "{}", page.1);
    assert!(page.1.contains("<strong>Sandbox</strong>") && page.1.contains(" checked>"), "{}", page.1);
    let answer = client.answer(&client.request(), &person("Ada King Lovelace", "Ada@Example.com")).await;
    assert_eq!((answer.len(), answer["state"].as_str()), (2, "the state"));
    let now = app.ambient.now().seconds();
    let claims = client.claims(&answer["code"]).await;
    let claim = |name: &str| claims[name].clone();
    assert_eq!(claim("email"), "ada@example.com");
    assert_eq!((claim("email_verified"), claim("nonce")), (json!(true), json!("the nonce")));
    assert_eq!((claim("name"), claim("given_name")), (json!("Ada King Lovelace"), json!("Ada King")));
    assert_eq!(claim("family_name"), "Lovelace");
    let (iat, exp) = (claim("iat").as_i64().unwrap(), claim("exp").as_i64().unwrap());
    assert!((now..now + 30).contains(&iat) && exp == iat + 3_600, "{iat} {exp}");
    // The same address is the same person later; a different one is not.
    let other = client.answer(&client.request(), &person("Ada", "ada@example.com")).await;
    let other = client.claims(&other["code"]).await;
    assert_eq!(
        (&other["sub"], &other["name"], other.get("family_name")),
        (&claim("sub"), &json!("Ada"), None)
    );
    let stranger = client.answer(&client.request(), &person("Ada", "bob@example.com")).await;
    assert_ne!(client.claims(&stranger["code"]).await["sub"], claim("sub"));
}

#[tokio::test]
async fn apple_posts_a_form_and_sends_the_name_once() {
    let app = test_app().await;
    let client = Client::apple(&app);
    let answer = client.answer(&client.request(), &person("Ada Lovelace", "ada@example.com")).await;
    assert_eq!((answer.len(), answer["state"].as_str()), (3, "the state"));
    let user: Value = serde_json::from_str(&answer["user"]).unwrap();
    let name = json!({ "firstName": "Ada", "lastName": "Lovelace" });
    assert_eq!(user, json!({ "name": name, "email": "ada@example.com" }));
    let claims = client.claims(&answer["code"]).await;
    assert_eq!((&claims["email"], &claims["nonce"]), (&json!("ada@example.com"), &json!("the nonce")));
    assert_eq!((&claims["email_verified"], claims.get("name")), (&json!("true"), None));
    let unticked = with(&person("Ada Lovelace", "ADA@example.com"), "email_verified", "");
    let again = client.answer(&client.request(), &unticked).await;
    assert_eq!(again.get("user"), None, "the name is sent only once");
    let later = client.claims(&again["code"]).await;
    assert_eq!((&later["email_verified"], &later["sub"]), (&json!("false"), &claims["sub"]));
    let another = client.answer(&client.request(), &person("Bob", "bob@example.com")).await;
    assert!(another["user"].contains(r#""firstName":"Bob""#), "{another:?}");
}

#[tokio::test]
async fn scopes_decide_which_claims_are_sent() {
    let app = test_app().await;
    let google = Client::google(&app);
    let request = with(&with(&google.request(), "scope", "openid"), "nonce", "");
    let answer = google.answer(&request, &person("Ada", "ada@example.com")).await;
    let claims = google.claims(&answer["code"]).await;
    for name in ["email", "email_verified", "name", "given_name", "nonce"] {
        assert_eq!(claims.get(name), None, "{name}");
    }
    let apple = Client::apple(&app);
    let nothing = with(&with(&apple.request(), "scope", "openid"), "response_mode", "");
    let answer = apple.answer(&nothing, &person("Ada", "ada@example.com")).await;
    assert!(answer.contains_key("code") && !answer.contains_key("user"), "{answer:?}");
    let email = with(&apple.request(), "scope", "openid email");
    let answer = apple.answer(&email, &person("Ada", "ada@example.com")).await;
    assert_eq!(answer["user"], r#"{"email":"ada@example.com"}"#);
}

#[tokio::test]
async fn discovery_names_every_address_below_the_issuer() {
    let app = test_app().await;
    for client in [Client::google(&app), Client::apple(&app)] {
        let (status, text) = app.get(&client.path(".well-known/openid-configuration")).await;
        let metadata: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, &metadata["issuer"]), (200, &json!(client.issuer())));
        for name in ["authorization_endpoint", "token_endpoint", "jwks_uri"] {
            assert!(metadata[name].as_str().unwrap().starts_with(&client.issuer()), "{metadata}");
        }
        assert_eq!(metadata["response_modes_supported"], json!(["query", "form_post"]));
        assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
        assert_eq!(metadata["id_token_signing_alg_values_supported"], json!(["RS256"]));
    }
    let keys: Value = serde_json::from_str(&app.get("/sandbox/oidc/google/jwks.json").await.1).unwrap();
    let key = keys["keys"][0].as_object().unwrap();
    assert_eq!(keys["keys"].as_array().unwrap().len(), 1);
    let members: Vec<&str> = key.keys().map(String::as_str).collect();
    assert!(["kid", "n", "e", "use", "alg", "kty"].iter().all(|name| members.contains(name)), "{members:?}");
    assert_eq!(members.len(), 6, "no part of the private key: {members:?}");
    assert_eq!(app.get("/sandbox/oidc/facebook/.well-known/openid-configuration").await.0, 404);
}

#[tokio::test]
async fn an_unknown_client_or_address_gets_an_error_page_and_no_redirect() {
    let app = test_app().await;
    for client in [Client::google(&app), Client::apple(&app)] {
        let right = client.request();
        let callback = client.callback();
        for wrong in [
            with(&right, "client_id", "unknown"),
            with(&right, "client_id", ""),
            with(&right, "redirect_uri", "http://evil.example/"),
            with(&right, "redirect_uri", &format!("{callback}/../x")),
            with(&right, "redirect_uri", &format!("{callback}?next=//evil.example")),
            with(&right, "redirect_uri", &callback.replace("127.0.0.1", "127.0.0.1@evil.example")),
            with(&right, "redirect_uri", ""),
            [right.clone(), vec![("redirect_uri", "http://evil.example/".into())]].concat(),
            with(&right, "state", &"x".repeat(2_049)),
        ] {
            let form = encoded(&person("Ada", "ada@example.com"));
            for (status, text) in
                [app.get(&client.page(&wrong)).await, app.form(&client.page(&wrong), &form).await]
            {
                assert!(status == 400 && text.contains("cannot sign you in"), "{wrong:?} {status} {text}");
                assert!(!text.contains("evil.example"), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn other_mistakes_go_back_to_the_client_with_its_state() {
    let app = test_app().await;
    let (google, apple) = (Client::google(&app), Client::apple(&app));
    let (by_google, by_apple) = (google.request(), apple.request());
    for (client, request, error) in [
        (google, with(&by_google, "code_challenge", ""), "invalid_request"),
        (google, with(&by_google, "code_challenge_method", "plain"), "invalid_request"),
        (google, with(&by_google, "code_challenge_method", ""), "invalid_request"),
        (google, with(&by_google, "response_type", "token"), "unsupported_response_type"),
        (google, with(&by_google, "scope", "email"), "invalid_scope"),
        (apple, with(&by_apple, "response_mode", ""), "invalid_request"),
        (apple, with(&by_apple, "response_mode", "query"), "invalid_request"),
        (apple, with(&by_apple, "code_challenge", ""), "invalid_request"),
        (apple, with(&by_apple, "scope", "openid name email profile"), "invalid_scope"),
    ] {
        let answer = client.answer(&request, &person("Ada", "ada@example.com")).await;
        let reported = (answer["error"].as_str(), answer["state"].as_str());
        assert_eq!(reported, (error, "the state"), "{request:?}");
        assert!(!answer.contains_key("code") && !answer["error_description"].is_empty());
    }
    let (status, location) = opened(&app, &google.page(&with(&by_google, "code_challenge", ""))).await;
    assert_eq!(status, 302);
    assert!(location.starts_with(&format!("{}?error=invalid_request&", google.callback())), "{location}");
}

/// Status and Location of an opened page.
async fn opened(app: &TestApp, path: &str) -> (u16, String) {
    let response = app.http.get(format!("{}{path}", app.base)).send().await.unwrap();
    let location = response.headers().get("location").map(|value| value.to_str().unwrap().to_owned());
    (response.status().as_u16(), location.unwrap_or_default())
}

#[tokio::test]
async fn cancelling_sends_the_client_the_error_code_of_the_provider() {
    let app = test_app().await;
    for (client, error) in
        [(Client::google(&app), "access_denied"), (Client::apple(&app), "user_cancelled_authorize")]
    {
        let cancel: Fields = vec![("action", "cancel".into()), ("name", "Ada".into())];
        let answer = client.answer(&client.request(), &cancel).await;
        assert_eq!(
            (answer.len(), answer["error"].as_str(), answer["state"].as_str()),
            (2, error, "the state")
        );
    }
}

#[tokio::test]
async fn a_code_works_once_with_its_verifier_and_its_address() {
    let app = test_app().await;
    for client in [Client::google(&app), Client::apple(&app)] {
        for (name, value) in [
            ("code_verifier", ""),
            ("code_verifier", "short"),
            ("code_verifier", &VERIFIER.to_uppercase()),
            ("redirect_uri", ""),
            ("redirect_uri", "http://127.0.0.1:1/v1/auth/oidc/other/callback"),
        ] {
            let code = client.code().await;
            let wrong = with(&client.call(&code), name, value);
            assert_eq!(client.refusal(&wrong).await, (400, "invalid_grant".into()), "{name} {value}");
            let after = client.refusal(&client.call(&code)).await;
            assert_eq!(after, (400, "invalid_grant".into()), "a code allows one try: {name} {value}");
        }
        let code = client.code().await;
        assert_eq!(client.token(&client.call(&code)).await.0, 200);
        assert_eq!(client.refusal(&client.call(&code)).await, (400, "invalid_grant".into()));
        assert_eq!(client.refusal(&client.call("made-up")).await, (400, "invalid_grant".into()));
    }
    let code = Client::google(&app).code().await;
    let apple = Client::apple(&app);
    assert_eq!(apple.refusal(&apple.call(&code)).await, (400, "invalid_grant".into()));
    assert_eq!(Client::google(&app).token(&Client::google(&app).call(&code)).await.0, 200);
}

#[tokio::test]
async fn a_code_is_valid_for_a_minute_of_the_moved_clock() {
    let app = test_app().await;
    let client = Client::google(&app);
    let code = client.code().await;
    app.move_clock(0.001).await; // 86 seconds
    assert_eq!(client.refusal(&client.call(&code)).await, (400, "invalid_grant".into()));
    let claims = client.claims(&client.code().await).await;
    assert!((claims["iat"].as_i64().unwrap() - app.ambient.now().seconds()).abs() < 30, "{claims}");
}

#[tokio::test]
async fn an_unauthenticated_client_is_refused_and_consumes_no_code() {
    let app = test_app().await;
    for client in [Client::google(&app), Client::apple(&app)] {
        let code = client.code().await;
        let right = client.call(&code);
        for wrong in [
            with(&right, "client_secret", "wrong"),
            with(&right, "client_secret", "s&cret+of:googlf"),
            with(&right, "client_secret", ""),
            with(&right, "client_id", "unknown"),
            with(&right, "client_id", ""),
        ] {
            assert_eq!(client.refusal(&wrong).await, (401, "invalid_client".into()), "{wrong:?}");
        }
        assert_eq!(client.token(&right).await.0, 200);
    }
}

#[tokio::test]
async fn google_accepts_its_secret_by_basic_too_but_not_twice() {
    let app = test_app().await;
    let post = async |client: Client<'_>, call: &Fields, pair: &str| {
        let request = app.http.post(format!("{}{}", app.base, client.path("token")));
        let request = request.header("Authorization", format!("Basic {}", STANDARD.encode(pair)));
        let request = request.header("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
        let response = request.body(encoded(call)).send().await.unwrap();
        assert_eq!(response.headers()["cache-control"], "no-store");
        let challenged = response.headers().contains_key("www-authenticate");
        (response.status().as_u16(), challenged)
    };
    let google = Client::google(&app);
    let both = google.call(&google.code().await);
    let call = with(&with(&both, "client_secret", ""), "client_id", "");
    // Form-encoded before they are joined: RFC 6749 section 2.3.1.
    let right = "vitrine.google:s%26cret%2Bof%3Agoogle";
    assert_eq!(post(google, &both, right).await, (400, false));
    for wrong in ["vitrine.google:s&cret+of:google", "vitrine.google:", "x", ":", "vitrine.google:wrong"] {
        assert_eq!(post(google, &call, wrong).await, (401, true), "{wrong}");
    }
    assert_eq!(post(google, &call, right).await, (200, false));
    let apple = Client::apple(&app);
    let right = apple.call(&apple.code().await);
    let secret = right.iter().find(|(name, _)| *name == "client_secret").unwrap().1.clone();
    let call = with(&with(&right, "client_secret", ""), "client_id", "");
    assert_eq!(post(apple, &call, &format!("vitrine.apple:{secret}")).await, (401, true));
}

#[tokio::test]
async fn apples_client_secret_is_verified() {
    let app = test_app().await;
    let client = Client::apple(&app);
    let code = client.code().await;
    let right = client.call(&code);
    let kid = |kid: &str| Header { kid: Some(kid.into()), ..es256() };
    let now = app.ambient.now().seconds();
    let changed = |name: &str, value: Value| {
        let mut claims = client.secret_claims();
        claims[name] = value;
        client.secret(&claims, &kid("KEY1234567"))
    };
    let foreign = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let foreign = EncodingKey::from_ec_der(foreign.to_pkcs8v1().unwrap().as_ref());
    let claims = client.secret_claims();
    let shared = Header { kid: Some("KEY1234567".into()), ..Header::new(Algorithm::HS256) };
    for (why, secret) in [
        ("expired", changed("exp", json!(now))),
        ("for more than six months", changed("exp", json!(now + 15_777_100))),
        ("without an end", changed("exp", Value::Null)),
        ("from the future", changed("iat", json!(now + 3_600))),
        ("without a beginning", changed("iat", Value::Null)),
        ("for Apple itself", changed("aud", json!("https://appleid.apple.com"))),
        ("without an audience", changed("aud", Value::Null)),
        ("of another team", changed("iss", json!("TEAM000000"))),
        ("of another client", changed("sub", json!("vitrine.other"))),
        ("of another key id", client.secret(&claims, &kid("KEY0000000"))),
        ("without a key id", client.secret(&claims, &es256())),
        ("by a foreign key", jsonwebtoken::encode(&kid("KEY1234567"), &claims, &foreign).unwrap()),
        (
            "by a shared secret",
            jsonwebtoken::encode(&shared, &claims, &EncodingKey::from_secret(b"KEY1234567")).unwrap(),
        ),
    ] {
        let refused = client.refusal(&with(&right, "client_secret", &secret)).await;
        assert_eq!(refused, (401, "invalid_client".into()), "{why}");
    }
    let longest = changed("exp", json!(now + 15_776_000));
    assert_eq!(client.token(&with(&right, "client_secret", &longest)).await.0, 200);
    // A secret expires when the clock is moved past its end.
    let call = client.call(&client.code().await);
    app.move_clock(1.0).await;
    assert_eq!(client.refusal(&call).await, (401, "invalid_client".into()));
}

#[tokio::test]
async fn a_token_call_of_another_kind_is_refused() {
    let app = test_app().await;
    let client = Client::google(&app);
    let right = client.call(&client.code().await);
    for (wrong, error) in [
        (with(&right, "grant_type", "refresh_token"), "unsupported_grant_type"),
        (with(&right, "grant_type", ""), "invalid_request"),
        (with(&right, "code", ""), "invalid_request"),
        ([right.clone(), vec![("code", "other".to_owned())]].concat(), "invalid_request"),
    ] {
        assert_eq!(client.refusal(&wrong).await, (400, error.into()), "{wrong:?}");
    }
    let (status, text) = app.post(&client.path("token"), r#"{"grant_type":"authorization_code"}"#).await;
    assert!(status == 400 && text.contains("invalid_request"), "{status} {text}");
    assert_eq!(app.get(&client.path("token")).await.0, 405);
    assert_eq!(client.token(&right).await.0, 200, "none of these consumed the code");
}

#[tokio::test]
async fn input_cannot_break_out_of_its_field() {
    let app = test_app().await;
    let evil = r#""><script>alert('x')</script>"#;
    let google = Client::google(&app);
    let request = with(&google.request(), "state", evil);
    for form in [person(evil, evil), person("", "ada"), person(&"x".repeat(101), "a@b"), vec![]] {
        let (status, page) = app.form(&google.page(&request), &encoded(&form)).await;
        assert!(status == 422 && !page.contains("<script"), "{status} {page}");
        assert!(page.contains(r#"role="alert""#), "{page}");
    }
    let hint = with(&request, "login_hint", evil);
    let page = app.get(&google.page(&hint)).await.1;
    assert!(!page.contains("<script") && page.contains("value=\"&quot;&gt;&lt;script&gt;"), "{page}");
    // The state is returned unchanged, in a redirect and in a page.
    let answer = google.answer(&request, &person("Ada", "ada@example.com")).await;
    assert_eq!(answer["state"], evil);
    let apple = Client::apple(&app);
    let request = with(&apple.request(), "state", evil);
    let form = person(evil, "o'brien&co@example.com");
    let (status, page) = app.form(&apple.page(&request), &encoded(&form)).await;
    assert_eq!((status, page.matches("<script").count()), (200, 1), "{page}");
    assert!(
        page.contains(r#"<script src="&#x2f;sandbox&#x2f;oidc&#x2f;answer.js" defer></script>"#),
        "{page}"
    );
    let answer = apple.answer(&request, &person(evil, "p'brien&co@example.com")).await;
    let user: Value = serde_json::from_str(&answer["user"]).unwrap();
    assert_eq!((answer["state"].as_str(), user["email"].as_str()), (evil, Some("p'brien&co@example.com")));
    let name = format!(
        "{} {}",
        user["name"]["firstName"].as_str().unwrap(),
        user["name"]["lastName"].as_str().unwrap()
    );
    assert_eq!(name.trim(), evil);
}

#[tokio::test]
async fn oversized_bodies_are_refused() {
    let app = test_app().await;
    let client = Client::google(&app);
    let huge = "name=".to_owned() + &"x".repeat(65 * 1024);
    assert_eq!(app.form(&client.page(&client.request()), &huge).await.0, 413);
    assert_eq!(app.form(&client.path("token"), &huge).await.0, 413);
}

#[tokio::test]
async fn the_form_is_sent_by_a_script_of_our_own() {
    let app = test_app().await;
    let response = app.http.get(format!("{}/sandbox/oidc/answer.js", app.base)).send().await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(response.text().await.unwrap(), "document.getElementById('answer').submit();\n");
    let apple = Client::apple(&app);
    let form = encoded(&person("Ada", "ada@example.com"));
    let page = app.form(&apple.page(&apple.request()), &form).await.1;
    assert!(page.contains(r#"id="answer""#) && page.contains(r#"type="submit">Continue</button>"#), "{page}");
}

#[tokio::test]
async fn another_machine_is_not_signed_in() {
    let app = test_app().await;
    let mut paths = vec!["/sandbox/oidc/answer.js".to_owned()];
    for client in [Client::google(&app), Client::apple(&app)] {
        paths.extend([client.path("authorize"), client.path("token"), client.path("jwks.json")]);
        paths.push(client.path(".well-known/openid-configuration"));
    }
    for path in paths {
        assert_eq!(app.status_from(Some("192.168.1.7"), &path).await, 403, "{path}");
        assert_ne!(app.status_from(Some("127.0.0.1"), &path).await, 403, "{path}");
    }
}
