//! What the join page shows of the playlists.

use orgs::Role;
use serde_json::{Value, json};

use super::{TestApp, test_app};

/// Sets the privacy of the organisation and returns the path of its joining link.
pub async fn join_path(app: &TestApp) -> String {
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}", app.org.uid);
    admin.patch(&path, json!({ "organisation": { "privacy": "public" } })).await.expect(200);
    let answer = admin.post(&format!("{path}/joinUrl"), json!({})).await.expect(200);
    format!("/v1/join/{}", answer["joinUrl"].as_str().unwrap().rsplit('/').next().unwrap())
}

pub fn titles(page: &Value) -> Vec<&str> {
    page["glimpse"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_join_page_shows_four_public_playlists_pinned_ones_first() {
    let app = test_app().await;
    let path = join_path(&app).await;
    let video = app.create_video("Talk", "public").await;
    let secret = app.create_video("Secret", "private").await;
    let pinned = app.create_playlist("Pinned", "public", &[&video, &secret], false).await;
    for title in ["One", "Two", "Three", "Four"] {
        app.create_playlist(title, "public", &[&video], false).await;
    }
    app.create_playlist("Private", "private", &[&video], false).await;
    app.create_playlist("Unlisted", "unlisted", &[&video], false).await;
    app.create_playlist("Empty", "public", &[], false).await;
    app.create_playlist("Only secrets", "public", &[&secret], false).await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let pins = json!({ "organisation": { "pinnedPlaylists": [pinned] } });
    admin.patch(&format!("/v1/organizations/{}", app.org.uid), pins).await.expect(200);
    let page = app.http.anonymous().get(&path).await.expect(200);
    assert_eq!(titles(&page), ["Pinned", "Four", "Three", "Two"]);
    assert_eq!(page["glimpse"][0], json!({ "title": "Pinned", "previewUrl": "", "contentCount": 1 }));
    app.pass_window().await;
    app.http.settle().await;
}

#[tokio::test]
async fn an_invitation_to_a_private_organisation_shows_no_playlists() {
    let app = test_app().await;
    app.visible_video("Talk").await;
    let admin = app.http.member(app.org, Role::AccountAdmin).await;
    let org = format!("/v1/organizations/{}", app.org.uid);
    admin.patch(&org, json!({ "organisation": { "privacy": "private" } })).await.expect(200);
    let invites = json!({ "userEmails": ["ada@example.com"], "role": "user" });
    admin.post(&format!("{org}/invites"), invites).await.expect(200);
    app.http.run_jobs().await;
    let mails = app.http.deps.mailer.sent(None, 50).await.unwrap();
    let links: Vec<String> = mails.iter().flat_map(mail::SentEmail::links).collect();
    let code = links.iter().find_map(|link| link.split("/app/join/").nth(1)).unwrap();
    let page = app.http.anonymous().get(&format!("/v1/join/{code}")).await.expect(200);
    assert_eq!((&page["invitedEmail"], titles(&page)), (&json!("ada@example.com"), vec![]));
    app.pass_window().await;
    app.http.settle().await;
}
