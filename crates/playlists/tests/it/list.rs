//! Lists: paging, search and order.

use serde_json::json;

use super::{leader, playlist, test_app, titles};

#[tokio::test]
async fn twenty_five_playlists_are_listed_in_pages_without_duplicates() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    for number in 0..25 {
        playlist(&leader, org, &format!("P{number:02}"), json!({})).await;
    }
    let path = format!("/v1/playlists?orgId={}", org.uid);
    let first = leader.get(&path).await.expect(200);
    let after = first["data"][19]["uid"].as_str().unwrap();
    let second = leader.get(&format!("{path}&startAfter={after}")).await.expect(200);
    let mut all = titles(&first);
    all.extend(titles(&second));
    let expected: Vec<String> = (0..25).rev().map(|number| format!("P{number:02}")).collect();
    assert_eq!(all, expected);
    app.settle().await;
}

#[tokio::test]
async fn search_and_sort_page_too() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    for title in ["banana", "Apple", "cherry", "100% apple", "under_score"] {
        playlist(&leader, org, title, json!({})).await;
    }
    let path = format!("/v1/playlists?orgId={}", org.uid);
    let found = leader.get(&format!("{path}&search=APPLE")).await.expect(200);
    assert_eq!(titles(&found), ["100% apple", "Apple"]);
    assert_eq!(titles(&leader.get(&format!("{path}&search=%25")).await.expect(200)), ["100% apple"]);
    assert_eq!(titles(&leader.get(&format!("{path}&search=_")).await.expect(200)), ["under_score"]);

    let mut sorted = Vec::new();
    let mut after = String::new();
    loop {
        let page = leader.get(&format!("{path}&sort=title&limit=2{after}")).await.expect(200);
        let Some(last) = page["data"].as_array().unwrap().last() else { break };
        after = format!("&startAfter={}", last["uid"].as_str().unwrap());
        sorted.extend(titles(&page));
    }
    assert_eq!(sorted, ["100% apple", "Apple", "banana", "cherry", "under_score"]);
    app.settle().await;
}

#[tokio::test]
async fn a_deleted_anchor_still_marks_its_position() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    let mut made = Vec::new();
    for title in ["a", "b", "c"] {
        made.push(playlist(&leader, org, title, json!({})).await);
    }
    let anchor = made[1]["uid"].as_str().unwrap();
    leader.delete(&format!("/v1/playlists/{anchor}")).await.expect(204);
    let path = format!("/v1/playlists?orgId={}&startAfter={anchor}", org.uid);
    assert_eq!(titles(&leader.get(&path).await.expect(200)), ["a"]);
    assert_eq!(titles(&leader.get(&format!("{path}&sort=title")).await.expect(200)), ["c"]);
    app.settle().await;
}

#[tokio::test]
async fn an_invalid_query_is_explained() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    leader.get("/v1/playlists").await.expect_error(400, "No orgId");
    leader.get("/v1/playlists?orgId=").await.expect_error(400, "No orgId");
    let path = format!("/v1/playlists?orgId={}", org.uid);
    leader.get(&format!("{path}&startAfter=x")).await.expect_error(400, "startAfter is not a valid uid.");
    for limit in ["0", "101", "many"] {
        let refused = leader.get(&format!("{path}&limit={limit}")).await;
        refused.expect_error(400, "limit must be a number from 1 to 100.");
    }
    leader.get(&format!("{path}&sort=colour")).await.expect(400);
    app.settle().await;
}

#[tokio::test]
async fn titles_are_found_and_ordered_whatever_the_case_of_their_letters() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let leader = leader(&app, org).await;
    for title in ["ÉTÉ", "été", "Жук"] {
        playlist(&leader, org, title, json!({})).await;
    }
    let path = format!("/v1/playlists?orgId={}", org.uid);
    let found =
        async |search: &str| titles(&leader.get(&format!("{path}&search={search}")).await.expect(200));
    assert_eq!(found("%C3%89t%C3%A9").await, ["été", "ÉTÉ"]);
    assert_eq!(found("%D0%B6%D0%A3").await, ["Жук"]);
    let sorted = titles(&leader.get(&format!("{path}&sort=title")).await.expect(200));
    assert_eq!(sorted, ["été", "ÉTÉ", "Жук"], "equal titles, newest first");
    app.settle().await;
}
