//! The country of a viewer, from a proxy or from a file with the countries of addresses.

use analytics::{Countries, CountryFile, CountryFileError};
use http::Method;
use httpkit::TrustedHops;
use kernel::SECOND;
use orgs::Role;
use serde_json::{Value, json};
use testkit::Client;

use crate::{TestApp, test_app};

/// Control byte of a value of this type and length, which is at most 28.
fn control(kind: u8, length: usize) -> u8 {
    kind << 5 | u8::try_from(length).unwrap()
}

fn text(text: &str) -> Vec<u8> {
    [&[control(2, text.len())], text.as_bytes()].concat()
}

/// A number of two bytes.
fn short(value: u16) -> Vec<u8> {
    [&[control(5, 2)][..], &value.to_be_bytes()].concat()
}

/// A number of four bytes.
fn number(value: u32) -> Vec<u8> {
    [&[control(6, 4)][..], &value.to_be_bytes()].concat()
}

fn map(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![control(7, entries.len())];
    for (name, value) in entries {
        bytes.extend(text(name));
        bytes.extend(value);
    }
    bytes
}

/// Returns a file in the MMDB format in which the addresses from 128.0.0.0 on have this record, and the others none.
fn file_with(record: &[u8]) -> Vec<u8> {
    let metadata = map(&[
        ("binary_format_major_version", short(2)),
        ("binary_format_minor_version", short(0)),
        ("build_epoch", vec![control(0, 1), 2, 1]),
        ("database_type", text("Test")),
        ("description", map(&[])),
        ("ip_version", short(4)),
        ("languages", vec![control(0, 0), 4]),
        ("node_count", number(1)),
        ("record_size", short(24)),
    ]);
    // A node: nothing to the left, and to the right the record that begins 16 bytes after the tree.
    let tree = [0, 0, 1, 0, 0, 17];
    [&tree[..], &[0; 16], record, b"\xab\xcd\xefMaxMind.com", &metadata].concat()
}

fn opened(bytes: &[u8]) -> Result<CountryFile, CountryFileError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("countries.mmdb");
    std::fs::write(&path, bytes).unwrap();
    CountryFile::open(&path)
}

/// Returns what the test app has: a header, and a file in which addresses from 128.0.0.0 on are in Sweden.
pub fn countries() -> Countries {
    let file = opened(&file_with(&map(&[("country", map(&[("iso_code", text("SE"))]))]))).unwrap();
    Countries { header: Some("x-country".to_owned()), file: Some(file) }
}

/// Watches for 20 seconds, with requests that a proxy sends on.
async fn watch(app: &TestApp, person: &Client, country: &str, address: &str) {
    let mut player = app.player(person);
    for played in [0, 10 * SECOND, 10 * SECOND] {
        app.http.clock.advance(played);
        let body = json!({"orgId": app.org.uid, "events": [player.beat(played, 0)]});
        let request = person
            .request(Method::POST, "/v1/events")
            .header("x-country", country)
            .header("x-forwarded-for", address)
            .extension(TrustedHops(1))
            .header("content-type", "application/json")
            .body(axum::body::Body::from(body.to_string()))
            .unwrap();
        person.send(request).await.expect(202);
    }
}

async fn shown(app: &TestApp) -> Value {
    let staff = app.staff(Role::TeamUser).await;
    let range = "startTime=2026-11-20T00:00:00Z&endTime=2026-11-21T00:00:00Z";
    staff.get(&format!("/v1/analytics/content/{}?{range}", app.video)).await.expect(200)
}

#[tokio::test]
async fn the_proxy_tells_the_country_and_fewer_than_three_people_are_no_row() {
    let app = test_app().await;
    for (number, country) in [(0, "de"), (1, "DE"), (2, "De"), (3, "fr"), (4, "nowhere")] {
        let person = app.joined(&format!("person{number}@example.com"), true).await;
        watch(&app, &person, country, "127.0.0.1").await;
    }
    let answer = shown(&app).await;
    assert_eq!(answer["countries"], json!([{"code": "DE", "name": "Germany", "people": 3}]));
    assert_eq!(answer["uniques"], 5);
    app.http.settle().await;
}

#[tokio::test]
async fn a_file_tells_the_country_of_an_address_of_which_the_proxy_does_not() {
    let app = test_app().await;
    let people = [
        ("", "203.0.113.9"),
        ("XX", "198.51.100.7, 192.0.2.1"),
        ("", "::ffff:203.0.113.9"),
        ("DE", "203.0.113.9"),
        ("", "127.0.0.1"),
        ("", "::1"),
    ];
    for (number, (country, address)) in people.into_iter().enumerate() {
        let person = app.joined(&format!("person{number}@example.com"), true).await;
        watch(&app, &person, country, address).await;
    }
    let answer = shown(&app).await;
    assert_eq!(answer["countries"], json!([{"code": "SE", "name": "Sweden", "people": 3}]));
    assert_eq!(answer["uniques"], 6);
    app.http.settle().await;
}

#[test]
fn a_file_without_countries_is_refused() {
    assert!(opened(&file_with(&map(&[("country_code", text("FR"))]))).is_ok());
    let other = opened(&file_with(&map(&[("asn", number(64_496))]))).unwrap_err();
    assert_eq!(other.to_string(), "it is of the type Test and has no countries");
    assert!(matches!(opened(b"no database"), Err(CountryFileError::Read(_))));
}
