//! The CSV files as a spreadsheet reads them: no cell is a formula. Needs `LibreOffice`, so it runs only with
//! `VITRINE_TEST_LONG`.

use std::fs;
use std::path::Path;
use std::process::Command;

use kernel::{EventId, iso};
use orgs::Role;
use serde_json::json;

use super::test_app::test_app;

/// What people may type to be run by a spreadsheet.
const HOSTILE: [&str; 14] = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1;1)",
    "\t=1+1",
    " =1+1",
    "\"=1+1\"",
    "x;=1+1",
    "x;\"=1+1\"",
    "x\";=1+1;\"",
    "x,=1+1",
    "x\u{2028};=1+1",
    "＝1+1",
    "=HYPERLINK(\"http://evil.example\")",
];

/// Opens the file as CSV with the separator, in the way of a double click, and returns the cells' formulas.
fn formulas(folder: &Path, csv: &[u8], separator: char) -> usize {
    let file = folder.join("export.csv");
    fs::write(&file, csv).unwrap();
    // Separator, quote, UTF-8, first line; the default column types, special numbers detected.
    let filter = format!("--infilter=CSV:{},34,76,1,,0,false,true", u32::from(separator));
    let status = Command::new("soffice")
        .args(["--headless", &filter, "--convert-to", "fods", "--outdir"])
        .arg(folder)
        .arg(&file)
        .env("HOME", folder)
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let sheet = fs::read_to_string(folder.join("export.fods")).unwrap();
    assert!(sheet.contains("<table:table-cell"), "no sheet was written");
    sheet.matches("table:formula=").count()
}

#[tokio::test]
async fn no_cell_of_an_export_is_a_formula_in_a_spreadsheet() {
    if std::env::var_os("VITRINE_TEST_LONG").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The spreadsheet does run formulas: otherwise the rest would prove nothing.
    assert_eq!(formulas(folder.path(), b"a,=1+1\r\n", ','), 1);
    assert_eq!(
        formulas(folder.path(), b"\"x;=1+1\"\r\n", ';') + formulas(folder.path(), b"x;=1+1\r\n", ';'),
        1
    );

    let app = test_app().await;
    let org = app.org("acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{org}");
    admin.patch(&path, json!({ "organisation": { "privacy": "public" } })).await.expect(200);
    let link = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    let code = link["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    for (n, text) in HOSTILE.iter().enumerate() {
        let person = app.person(&format!("person{n}@example.com")).await;
        person.post(&format!("/v1/join/{code}"), testkit::answer(true)).await.expect(201);
        let user = json!({
            "displayName": text, "firstName": text, "lastName": text, "company": text, "jobTitle": text,
        });
        let saved = person.patch("/v1/profiles", json!({ "user": user })).await;
        assert_eq!(saved.status, 200, "{text:?}: {}", saved.json());
        // A visit makes a lead.
        let (id, time) = (app.bootstrap.ambient.uid::<EventId>(), iso(app.bootstrap.ambient.now()));
        let visit = json!({ "orgId": org, "events": [{ "kind": "visit", "id": id, "time": time }] });
        assert_eq!(person.post("/v1/events", visit).await.expect(202)["rejected"], json!([]));
    }
    for export in [format!("{path}/users/export"), format!("/v1/analytics/leads/export?orgId={org}")] {
        let file = admin.get(&export).await;
        assert_eq!(file.status, 200, "{export}");
        for text in HOSTILE {
            let part = text.trim_matches(['"', '\t', ' ']).split(['"', ';']).next().unwrap();
            assert!(String::from_utf8_lossy(&file.bytes).contains(part), "{export}: {text:?} is in the file");
        }
        for separator in [',', ';', '\t'] {
            assert_eq!(formulas(folder.path(), &file.bytes, separator), 0, "{export}: {separator:?}");
        }
    }
    app.close().await;
}
