//! The list of leads.

use orgs::Role;
use serde_json::{Value, json};

use crate::{TestApp, test_app};

/// Six leads: two of them warm, four cold with the same score.
async fn crowd(app: &TestApp) {
    for n in 0..6 {
        let person = app.joined(&format!("person{n}@example.com"), true).await;
        let kind = if n < 2 { "contact" } else { "visit" };
        app.send(&person, vec![app.interaction(kind)]).await;
        let user = json!({"firstName": format!("Name{n}"), "lastName": "Lovelace", "company": "Engines"});
        person.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    }
}

fn people(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(|lead| lead["userId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_highest_score_comes_first_and_pages_follow_without_gap() {
    let app = test_app().await;
    crowd(&app).await;
    let all = app.leads("").await;
    assert_eq!(all["counts"], json!({"total": 6, "hot": 0, "warm": 2, "cold": 4}));
    let scores: Vec<i64> =
        all["data"].as_array().unwrap().iter().map(|lead| lead["score"].as_i64().unwrap()).collect();
    assert_eq!(scores, [37, 37, 5, 5, 5, 5]);
    assert_eq!(all["data"][0]["orgId"], app.org.uid.to_string());
    let mut seen = Vec::new();
    let mut after = String::new();
    loop {
        let page = people(&app.leads(&format!("&limit=4&startAfter={after}")).await);
        let Some(last) = page.last() else { break };
        after = last.clone();
        seen.extend(page);
    }
    assert_eq!(seen, people(&all));
    app.http.settle().await;
}

#[tokio::test]
async fn the_list_is_filtered_by_temperature_and_search_and_the_counts_are_not() {
    let app = test_app().await;
    crowd(&app).await;
    assert_eq!(people(&app.leads("&temperature=warm").await).len(), 2);
    assert_eq!(people(&app.leads("&temperature=hot").await).len(), 0);
    for (search, count) in
        [("name3", 1), ("LOVELACE", 6), ("person1@", 1), ("engines", 6), ("%25", 0), ("name3%20love", 1)]
    {
        let page = app.leads(&format!("&search={search}")).await;
        assert_eq!(people(&page).len(), count, "{search}");
        assert_eq!(page["counts"]["total"], 6);
    }
    let both = app.leads("&search=love&temperature=cold&limit=3").await;
    let last = people(&both)[2].clone();
    assert_eq!(
        people(&app.leads(&format!("&search=love&temperature=cold&startAfter={last}")).await).len(),
        1
    );
    app.http.settle().await;
}

#[tokio::test]
async fn leads_are_found_in_every_script_and_case() {
    let app = test_app().await;
    let person = app.joined("person@example.com", true).await;
    app.send(&person, vec![app.interaction("visit")]).await;
    for (first, search) in [
        ("Élodie", "%C3%A9lodie"),
        ("ÖZGÜR", "%C3%B6zg%C3%BCr"),
        ("Дмитрий", "%D0%B4%D0%BC%D0%B8%D1%82%D1%80"),
        ("дмитрий", "%D0%94%D0%9C%D0%98%D0%A2%D0%A0"),
    ] {
        let user = json!({"firstName": first, "lastName": "Lovelace"});
        person.patch("/v1/profiles", json!({"user": user})).await.expect(200);
        assert_eq!(people(&app.leads(&format!("&search={search}")).await).len(), 1, "{first}");
    }
    app.http.settle().await;
}

#[tokio::test]
async fn leads_are_readable_by_the_staff_of_the_organisation() {
    let app = test_app().await;
    let path = format!("/v1/analytics/leads?orgId={}", app.org.uid);
    app.http.anonymous().get(&path).await.expect(401);
    app.http
        .member(app.org, Role::User)
        .await
        .get(&path)
        .await
        .expect_error(403, "You do not have permission to do this.");
    for role in [Role::TeamUser, Role::TeamLeader, Role::Manager, Role::AccountAdmin, Role::SuperAdmin] {
        app.http.member(app.org, role).await.get(&path).await.expect(200);
    }
    let other = app.http.org("Other").await;
    let foreign = app.http.member(other, Role::SuperAdmin).await;
    foreign.get(&path).await.expect_error(404, "Organisation not found");
    foreign.get("/v1/analytics/leads").await.expect_error(400, "No orgId");
    foreign.get(&format!("/v1/analytics/leads?orgId={}&temperature=tepid", other.uid)).await.expect(400);
    app.http.settle().await;
}
