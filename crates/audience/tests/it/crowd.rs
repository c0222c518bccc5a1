//! Searches in an organisation where many people have the words.

use kernel::PersonId;
use orgs::Role;
use sea_orm::Value;
use testkit::{TestApp, TestOrg};

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
