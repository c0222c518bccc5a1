//! Searches in an organisation where many people have the words.

use kernel::PersonId;
use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement, Value};
use testkit::{Client, TestApp, TestOrg};

use crate::{public_org, test_app};

/// Stores people with these words, oldest first. Returns their ids.
async fn crowd(app: &TestApp, org: TestOrg, words: &[Vec<&str>]) -> Vec<String> {
    let tx = app.deps.db.write_tx().await.unwrap();
    let text = || Value::from("");
    let (mut ids, mut people, mut known, mut index) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for words in words {
        let uid: PersonId = app.deps.ambient.uid();
        ids.push(uid.to_string());
        let (email, yes, time) = (format!("{uid}@example.com"), Value::from(true), Value::from(1));
        people.push([
            uid.into(),
            email.into(),
            yes.clone(),
            text(),
            text(),
            text(),
            text(),
            text(),
            text(),
            text(),
            text(),
            text(),
            time.clone(),
        ]);
        known.push([org.uid.into(), uid.into(), "user".into(), yes, time]);
        index.extend(words.iter().map(|word| [org.uid.into(), word.as_bytes().to_vec().into(), uid.into()]));
    }
    let columns = "person (uid, email, email_verified, display_name, first_name, last_name, phone_number, photo, \
         company, linked_in, job_title, business_area, created_at)";
    db::rows::bulk_upsert(&tx, columns, &people, "").await.unwrap();
    let columns = "org_person (org, person, role, consent, answered_at)";
    db::rows::bulk_upsert(&tx, columns, &known, "").await.unwrap();
    db::rows::bulk_upsert(&tx, "org_person_word (org, word, person)", &index, "").await.unwrap();
    tx.commit().await.unwrap();
    ids
}

#[tokio::test]
async fn people_with_two_common_words_are_found_however_few_and_old_they_are() {
    let app = test_app().await;
    let (org, _) = public_org(&app, "Acme").await;
    let (other, _) = public_org(&app, "Other").await;
    // The first three have both words, which hundreds of newer people have one of.
    let words = |n: usize| match n {
        0..3 => vec!["common", "commons", "often"],
        _ if n.is_multiple_of(2) => vec!["common"],
        _ => vec!["often"],
    };
    let ids = crowd(&app, org, &(0..1_400).map(words).collect::<Vec<_>>()).await;
    crowd(&app, other, &[vec!["common", "often"]]).await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let found = async |query: &str| -> Vec<String> {
        let page = admin.get(&format!("/v1/organizations/{}/users?{query}", org.uid)).await.expect(200);
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| row["userId"].as_str().unwrap().to_owned()).collect()
    };
    let both = [ids[2].clone(), ids[1].clone(), ids[0].clone()];
    for search in ["common%20often", "often%20common", "com%20oft", "often%20common%20commons"] {
        assert_eq!(found(&format!("search={search}")).await, both, "{search}");
    }
    assert_eq!(found("search=common%20often&limit=2").await, both[..2]);
    assert_eq!(found(&format!("search=common%20often&limit=2&startAfter={}", both[1])).await, both[2..]);
    assert_eq!(found("search=common%20often&admins=true").await, Vec::<String>::new());
    assert_eq!(found("search=common%20often%20never").await, Vec::<String>::new());
    let newest: Vec<String> = ids.iter().skip(1_360).step_by(2).rev().cloned().collect();
    assert_eq!(found("search=common").await, newest);
    app.settle().await;
}

#[tokio::test]
async fn people_with_two_words_of_thousands_are_found_however_few_and_old_they_are() {
    let app = test_app().await;
    let (org, _) = public_org(&app, "Acme").await;
    let (other, _) = public_org(&app, "Other").await;
    // The first four have both words, which thousands of newer people have one of.
    let words = |n: usize| match n {
        0..4 => vec!["common", "commons", "often"],
        _ if n.is_multiple_of(2) => vec!["common"],
        _ => vec!["often"],
    };
    let ids = crowd(&app, org, &(0..4_200).map(words).collect::<Vec<_>>()).await;
    crowd(&app, other, &[vec!["common", "often"]]).await;
    set_unknown_role(&app, org, &ids[2]).await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let both = [ids[3].clone(), ids[1].clone(), ids[0].clone()];
    for search in ["common%20often", "com%20oft", "often%20common%20commons"] {
        assert_eq!(found(&admin, org, &format!("search={search}")).await, both, "{search}");
        assert_eq!(found(&admin, org, &format!("search={search}&limit=2")).await, both[..2], "{search}");
        let rest = format!("search={search}&limit=2&startAfter={}", both[1]);
        assert_eq!(found(&admin, org, &rest).await, both[2..], "{search}");
    }
    assert_eq!(found(&admin, org, "search=common%20often%20never").await, Vec::<String>::new());
    app.settle().await;
}

#[tokio::test]
async fn people_with_one_word_are_paged_without_those_whose_role_is_unknown() {
    let app = test_app().await;
    let (org, _) = public_org(&app, "Acme").await;
    let (other, _) = public_org(&app, "Other").await;
    let words = |n: usize| match n {
        1 | 5 => vec!["odd"],
        9 => vec!["odd", "odder"],
        3 | 7 | 11 => vec!["odder"],
        _ => vec!["even"],
    };
    let ids = crowd(&app, org, &(0..12).map(words).collect::<Vec<_>>()).await;
    crowd(&app, other, &[vec!["even"], vec!["odd"], vec!["evening"]]).await;
    for n in [10, 8, 7] {
        set_unknown_role(&app, org, &ids[n]).await;
    }
    let admin = app.member(org, Role::AccountAdmin).await;
    let [even, odd, odder] = [vec![6, 4, 2, 0], vec![11, 9, 5, 3], vec![11, 9, 3]];
    for (search, expected) in [("even", &even), ("ev", &even), ("odd", &odd), ("odder", &odder)] {
        let expected: Vec<String> = expected.iter().map(|n| ids[*n].clone()).collect();
        assert_eq!(found(&admin, org, &format!("search={search}&limit=4")).await, expected, "{search}");
        assert_eq!(found(&admin, org, &format!("search={search}&limit=1")).await, expected[..1], "{search}");
        let rest = format!("search={search}&limit=2&startAfter={}", expected[1]);
        assert_eq!(found(&admin, org, &rest).await, expected[2..], "{search}");
    }
    assert_eq!(found(&admin, org, "search=odd&limit=100").await.len(), 5);
    assert_eq!(found(&admin, org, "search=evening").await, Vec::<String>::new());
    app.settle().await;
}

async fn set_unknown_role(app: &TestApp, org: TestOrg, person: &str) {
    let person: PersonId = person.parse().unwrap();
    let tx = app.deps.db.write_tx().await.unwrap();
    let sql = "UPDATE org_person SET role = 'owner' WHERE org = $1 AND person = $2";
    let statement =
        Statement::from_sql_and_values(tx.get_database_backend(), sql, [org.uid.into(), person.into()]);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
}

/// Returns the ids of the people in a page of the list.
async fn found(admin: &Client, org: TestOrg, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/v1/organizations/{}/users?{query}", org.uid)).await.expect(200);
    page["data"].as_array().unwrap().iter().map(|row| row["userId"].as_str().unwrap().to_owned()).collect()
}
