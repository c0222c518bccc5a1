//! Behaviour common to all searchable lists.

use orgs::Role;

use super::test_app::test_app;

#[tokio::test]
async fn a_search_has_at_most_two_hundred_characters_in_every_list() {
    let app = test_app().await;
    let org = app.org("acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    for list in [
        format!("/v1/organizations/{org}/users?"),
        format!("/v1/analytics/leads?orgId={org}&"),
        format!("/v1/playlists?orgId={org}&"),
        format!("/v1/content?orgId={org}&"),
    ] {
        admin.get(&format!("{list}search={}", "_".repeat(200))).await.expect(200);
        let refused = admin.get(&format!("{list}search={}", "_".repeat(201))).await.expect(400);
        assert!(refused["fields"]["search"].is_string(), "{list}: {refused}");
    }
    app.close().await;
}
