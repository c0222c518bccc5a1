//! The manifest of an organisation's app and its icons.

use std::sync::Arc;

use audience::{Audience, Install};
use content::{Content, ContentDeps, ContentSettings};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{Method, StatusCode};
use media::{Media, MediaSettings};
use orgs::Role;
use playlists::Lookup;
use serde_json::{Value, json};
use storage::{Storage, StorageSettings};
use testkit::{ApiResponse, Client, Feature, Setup, TestApp, TestDeps, TestOrg};

async fn test_app() -> TestApp {
    Setup::default()
        .tables(content::migrations())
        .tables(playlists::migrations())
        .tables(audience::migrations())
        .playlists(Arc::new(Lookup))
        .start(async |deps| {
            let (db, orgs, public) = (deps.db.clone(), deps.orgs.clone(), deps.public.clone());
            let (signer, content) = (deps.signer.clone(), content(deps));
            let install = Install::new(db.clone(), orgs.clone(), public.clone(), signer, content);
            let audience = Audience::new(db, deps.ambient.clone(), public, deps.identity.clone(), orgs);
            let routes = audience.with_install(install.clone()).routes().merge(install.routes());
            vec![Feature { routes: Some(routes), ..Feature::default() }]
        })
        .await
}

fn content(deps: &TestDeps) -> Content {
    Content::new(ContentDeps {
        db: deps.db.clone(),
        ambient: deps.ambient.clone(),
        public: deps.public.clone(),
        signer: deps.signer.clone(),
        jobs: deps.jobs.clone(),
        storage: Storage::open(&StorageSettings::default(), &deps.folder, deps.ambient.clone()).unwrap(),
        media: Media::open(MediaSettings::default(), &deps.folder.join("work")).unwrap(),
        orgs: deps.orgs.clone(),
        playlists: Arc::new(Lookup),
        quota: None,
        settings: ContentSettings::default(),
    })
}

/// Returns the address of the manifest of the person's only organisation, and of its icon for iOS.
async fn addresses(client: &Client) -> (String, String) {
    let list = client.get("/v1/viewer/organizations").await.expect(200);
    let text = |name: &str| list["data"][0][name].as_str().unwrap().to_owned();
    (text("manifestUrl"), text("appIconUrl"))
}

async fn manifest(app: &TestApp, url: &str) -> Value {
    let answer = app.anonymous().get(url).await;
    assert_eq!(answer.headers[CONTENT_TYPE], "application/manifest+json");
    answer.expect(200)
}

/// Returns width and height from the header of a PNG.
fn png_size(answer: &ApiResponse) -> (u32, u32) {
    assert_eq!(
        (answer.status, &answer.headers[CONTENT_TYPE]),
        (StatusCode::OK, &"image/png".parse().unwrap())
    );
    assert_eq!(answer.bytes[..8], *b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(answer.bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

async fn change(app: &TestApp, org: TestOrg, fields: Value) {
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", org.uid);
    admin.patch(&path, json!({ "organisation": fields })).await.expect(200);
}

#[tokio::test]
async fn the_manifest_has_every_member_that_installing_needs() {
    let app = test_app().await;
    let org = app.org("Northwind Traders Ltd").await;
    let theme =
        json!({ "primaryColor": "#102030", "secondaryColor": "#fb761c", "brandTextColor": "#ffffff" });
    change(&app, org, json!({ "description": "News from the north", "theme": theme })).await;
    let (url, _) = addresses(&app.member(org, Role::User).await).await;
    let mut manifest = manifest(&app, &url).await;
    let icons = manifest["icons"].take();
    let start = format!("/app/org/{}", org.uid);
    let expected = json!({
        "id": start, "name": "Northwind Traders Ltd", "short_name": "Northwind",
        "description": "News from the north", "start_url": start, "scope": "/app/", "display": "standalone",
        "background_color": "#102030", "theme_color": "#102030", "icons": null,
    });
    assert_eq!(manifest, expected);
    let folder = url.strip_suffix("manifest.webmanifest").unwrap();
    let mut found = Vec::new();
    for icon in icons.as_array().unwrap() {
        let (source, sizes) = (icon["src"].as_str().unwrap(), icon["sizes"].as_str().unwrap());
        let answer = app.anonymous().get(&format!("{folder}{source}")).await;
        let (width, height) = png_size(&answer);
        assert_eq!((format!("{width}x{height}").as_str(), &icon["type"]), (sizes, &json!("image/png")));
        assert_eq!(answer.headers[CACHE_CONTROL], "public, max-age=31536000, immutable");
        found.push((sizes.to_owned(), icon["purpose"].as_str().unwrap().to_owned()));
    }
    let expected = [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")];
    assert_eq!(found, expected.map(|(sizes, purpose)| (sizes.to_owned(), purpose.to_owned())));
    app.settle().await;
}

#[tokio::test]
async fn only_people_inside_are_given_the_address_and_it_cannot_be_guessed() {
    let app = test_app().await;
    let (org, other) = (app.org("Acme").await, app.org("Other").await);
    let (url, icon) = addresses(&app.member(org, Role::User).await).await;
    let (theirs, _) = addresses(&app.member(other, Role::User).await).await;
    assert_ne!(url, theirs);
    let stranger = app.person("x@example.com").await;
    assert_eq!(stranger.get("/v1/viewer/organizations").await.expect(200), json!({ "data": [] }));
    assert_eq!(png_size(&app.anonymous().get(&icon).await), (180, 180));

    // The id of the other organisation under the signature of this one.
    let token = |url: &str| url.split('/').rev().nth(1).unwrap().to_owned();
    let (own, foreign) = (token(&url), token(&theirs));
    let forged = format!("{}{}", &foreign[..20], &own[20..]);
    let plain = other.uid.to_string();
    for token in [forged, plain, own.replacen(&own[..1], "_", 1), "x".to_owned()] {
        for name in ["manifest.webmanifest", "icon-192.png"] {
            app.anonymous().get(&format!("/v1/install/{token}/{name}")).await.expect(404);
        }
    }
    app.anonymous().get(&format!("/v1/install/{own}/icon-64.png")).await.expect(404);
    app.settle().await;
}

#[tokio::test]
async fn manifest_and_icons_follow_the_branding_and_are_revalidated() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let member = app.member(org, Role::User).await;
    let (url, icon) = addresses(&member).await;
    let again = async |url: &str, etag: &http::HeaderValue| {
        let client = app.anonymous();
        let request = client.request(Method::GET, url).header(IF_NONE_MATCH, etag);
        client.send(request.body(axum::body::Body::empty()).unwrap()).await
    };
    let before = app.anonymous().get(&url).await;
    let icon_before = app.anonymous().get(&icon).await;
    for (url, answer) in [(&url, &before), (&icon, &icon_before)] {
        let same = again(url, &answer.headers[ETAG]).await;
        assert_eq!((same.status, same.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    }

    let theme =
        json!({ "primaryColor": "#0000ff", "secondaryColor": "#fb761c", "brandTextColor": "#ffffff" });
    change(&app, org, json!({ "name": "Zebra", "theme": theme })).await;
    let after = again(&url, &before.headers[ETAG]).await.expect(200);
    assert_eq!((&after["name"], &after["theme_color"]), (&json!("Zebra"), &json!("#0000ff")));
    assert_ne!(after["icons"][0]["src"], before.json()["icons"][0]["src"]);
    let (same_url, new_icon) = addresses(&member).await;
    assert_eq!(same_url, url, "an installed app keeps its manifest");
    assert_ne!(new_icon, icon);
    let drawn = app.anonymous().get(&new_icon).await;
    assert_ne!(drawn.bytes, icon_before.bytes);
    // The old address still works, but is not kept for ever.
    let old = again(&icon, &icon_before.headers[ETAG]).await;
    assert_eq!((old.status, &old.headers[CACHE_CONTROL]), (StatusCode::OK, &"no-cache".parse().unwrap()));
    app.settle().await;
}
