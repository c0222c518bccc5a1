//! The list on the Users screen.

use orgs::Role;
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};

use crate::{joined, public_org, test_app};

fn emails(page: &Value) -> Vec<&str> {
    page["data"].as_array().unwrap().iter().map(|row| row["user"]["email"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn staff_and_app_users_are_one_list_with_one_row_a_person() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    leader.post(&link, testkit::answer(true)).await.expect(200);
    let ada = joined(&app, &link, "ada@example.com", true).await;
    let bob = joined(&app, &link, "bob@example.com", false).await;
    bob.delete(&format!("/v1/organizations/{}/users/me", org.uid)).await.expect(204);
    let admin = app.member(org, Role::AccountAdmin).await;
    let page = admin.get(&format!("/v1/organizations/{}/users", org.uid)).await.expect(200);
    // Founder, admin, leader, Ada and Bob.
    assert_eq!(page["total"], 5);
    assert_eq!(page["data"].as_array().unwrap().len(), 5);
    let row = |uid: kernel::PersonId| {
        let uid = uid.to_string();
        page["data"].as_array().unwrap().iter().find(|row| row["userId"] == uid).unwrap().clone()
    };
    assert_eq!(
        (&row(leader.uid())["role"], &row(leader.uid())["consent"]),
        (&json!("teamLeader"), &json!(true))
    );
    assert_eq!(row(ada.uid())["role"], "user");
    assert_eq!(row(ada.uid())["timeConsent"], "2026-11-20T08:00:00.000Z");
    let gone = row(bob.uid());
    assert_eq!(
        (&gone["role"], &gone["consent"], &gone["timeJoined"], &gone["membershipId"]),
        (&json!("user"), &json!(false), &Value::Null, &Value::Null)
    );
    let own = leader.get("/v1/profiles/roles/detailed").await.expect(200)["data"][0]["uid"].clone();
    assert_eq!(row(leader.uid())["membershipId"], own);
    assert_eq!(row(admin.uid())["consent"], Value::Null);
    app.settle().await;
}

#[tokio::test]
async fn the_list_is_searched_by_name_address_and_company_and_filtered_to_admins() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    joined(&app, &link, "percent%sign@example.com", true).await;
    let user = json!({"firstName": "Ada", "lastName": "Lovelace", "company": "Analytical Engines"});
    ada.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    let admin = app.member(org, Role::AccountAdmin).await;
    app.member(org, Role::TeamUser).await;
    app.member(org, Role::Manager).await;
    let path = format!("/v1/organizations/{}/users", org.uid);
    for search in ["LOVELACE", "ada%20love", "love%20ada", "engines", "ada@"] {
        let page = admin.get(&format!("{path}?search={search}")).await.expect(200);
        assert_eq!(emails(&page), ["ada@example.com"], "{search}");
        assert_eq!(page["total"], 6, "the total ignores the search");
    }
    for search in ["velace", "ada%20bob", "unknown"] {
        let page = admin.get(&format!("{path}?search={search}")).await.expect(200);
        assert_eq!(emails(&page).len(), 0, "{search}");
    }
    let page = admin.get(&format!("{path}?search=%25")).await.expect(200);
    assert_eq!(emails(&page), ["percent%sign@example.com"]);
    let admins = admin.get(&format!("{path}?admins=true")).await.expect(200);
    let roles: Vec<&str> =
        admins["data"].as_array().unwrap().iter().map(|row| row["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["manager", "accountAdmin", "superAdmin"]);
    app.settle().await;
}

#[tokio::test]
async fn the_list_is_readable_by_account_admins_of_this_organisation_page_by_page() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    for n in 0..4 {
        joined(&app, &link, &format!("person{n}@example.com"), true).await;
    }
    let path = format!("/v1/organizations/{}/users", org.uid);
    app.anonymous().get(&path).await.expect(401);
    for role in [Role::User, Role::TeamUser, Role::TeamLeader, Role::Manager] {
        app.member(org, role).await.get(&path).await.expect(403);
    }
    let other = app.org("Other").await;
    app.member(other, Role::SuperAdmin).await.get(&path).await.expect(404);
    let admin = app.member(org, Role::SuperAdmin).await;
    let first = admin.get(&format!("{path}?limit=3")).await.expect(200);
    let last = first["data"][2]["userId"].as_str().unwrap();
    let second = admin.get(&format!("{path}?limit=100&startAfter={last}")).await.expect(200);
    assert_eq!(first["data"].as_array().unwrap().len(), 3);
    assert_eq!(
        first["total"].as_u64().unwrap(),
        3 + u64::try_from(second["data"].as_array().unwrap().len()).unwrap()
    );
    app.settle().await;
}

#[tokio::test]
async fn people_without_membership_and_consent_show_only_a_name_and_times() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let bob = joined(&app, &link, "bob@example.com", true).await;
    let user = json!({"displayName": "Bobby", "firstName": "Robert", "lastName": "Builder", "company": "Engines",
        "phoneNumber": "+44 20 7946 0958", "address": {"country": "GB"}});
    bob.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    let admin = app.member(org, Role::AccountAdmin).await;
    let users = format!("/v1/organizations/{}/users", org.uid);
    let shown = async |query: &str| admin.get(&format!("{users}{query}")).await.expect(200);
    assert_eq!(emails(&shown("?search=builder").await), ["bob@example.com"]);
    bob.delete(&format!("{users}/me")).await.expect(204);

    for path in [users.clone(), format!("{users}/consent")] {
        let answer = admin.get(&path).await.expect(200);
        for known in ["bob@example.com", "Robert", "Builder", "Engines", "7946", "GB"] {
            assert!(!answer.to_string().contains(known), "{path} reveals {known}");
        }
        assert!(answer.to_string().contains("Bobby"), "{answer}");
    }
    for secret in ["builder", "bob@", "engines"] {
        assert_eq!(emails(&shown(&format!("?search={secret}")).await).len(), 0, "{secret}");
    }
    let row = shown("?search=BOBBY").await["data"][0].clone();
    assert_eq!(
        (&row["userId"], &row["timeConsent"]),
        (&json!(bob.uid()), &json!("2026-11-20T08:00:00.000Z"))
    );
    app.settle().await;
}

#[tokio::test]
async fn people_are_found_in_every_script_and_case() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    for (n, (first, last)) in
        [("Élodie", "Özil"), ("ÖZGÜR", "Şahin"), ("Дмитрий", "Иванов")].into_iter().enumerate()
    {
        let person = joined(&app, &link, &format!("person{n}@example.com"), true).await;
        let user = json!({"firstName": first, "lastName": last});
        person.patch("/v1/profiles", json!({"user": user})).await.expect(200);
    }
    let admin = app.member(org, Role::AccountAdmin).await;
    for (search, n) in [
        ("%C3%A9lodie", 0),                    // élodie
        ("%C3%89LODIE%20%C3%96ZIL", 0),        // ÉLODIE ÖZIL
        ("%C3%B6zg%C3%BCr", 1),                // özgür
        ("%D0%B4%D0%BC%D0%B8%D1%82%D1%80", 2), // дмитр
        ("%D0%94%D0%9C%D0%98%D0%A2%D0%A0", 2), // ДМИТР
    ] {
        let page =
            admin.get(&format!("/v1/organizations/{}/users?search={search}", org.uid)).await.expect(200);
        assert_eq!(emails(&page), [format!("person{n}@example.com")], "{search}");
    }
    app.settle().await;
}

#[tokio::test]
async fn a_search_has_two_hundred_characters_at_most() {
    let app = test_app().await;
    let org = app.org("Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}/users?search=", org.uid);
    admin.get(&format!("{path}{}", "_".repeat(200))).await.expect(200);
    for length in [201, 50_000] {
        let refused = admin.get(&format!("{path}{}", "_".repeat(length))).await.expect(400);
        assert!(refused["fields"]["search"].is_string(), "{refused}");
    }
    app.settle().await;
}

#[tokio::test]
async fn a_member_with_an_unknown_role_is_left_out_of_the_list() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    joined(&app, &link, "ada@example.com", true).await;
    let odd = app.member(org, Role::TeamUser).await;
    odd.post(&link, testkit::answer(true)).await.expect(200);
    let admin = app.member(org, Role::AccountAdmin).await;
    let tx = app.deps.db.write_tx().await.unwrap();
    let sql = "UPDATE org_person SET role = 'owner' WHERE org = $1 AND person = $2";
    let values = [org.uid.into(), odd.uid().into()];
    let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
    assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();

    let path = format!("/v1/organizations/{}/users", org.uid);
    // A full page, or the rest of the list would seem to be missing.
    for (query, rows) in [("", 3), ("?limit=2", 2), ("?search=example", 3)] {
        let page = admin.get(&format!("{path}{query}")).await.expect(200);
        assert_eq!(page["data"].as_array().unwrap().len(), rows, "{query}");
        assert_eq!(page["total"], 3, "{query}");
        let odd = odd.uid().to_string();
        assert!(page["data"].as_array().unwrap().iter().all(|row| row["userId"] != odd.as_str()), "{query}");
    }
    app.settle().await;
}

#[tokio::test]
async fn people_are_found_by_what_their_profile_says_now() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let (other, other_link) = public_org(&app, "Other").await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    ada.post(&other_link, testkit::answer(true)).await.expect(201);
    for name in ["Ada", "Augusta"] {
        ada.patch("/v1/profiles", json!({"user": {"firstName": name}})).await.expect(200);
    }
    for org in [org, other] {
        let admin = app.member(org, Role::AccountAdmin).await;
        let path = format!("/v1/organizations/{}/users", org.uid);
        let found = admin.get(&format!("{path}?search=augusta")).await.expect(200);
        assert_eq!(emails(&found), ["ada@example.com"]);
        // The address still has the word.
        let found = admin.get(&format!("{path}?search=ada")).await.expect(200);
        assert_eq!(emails(&found), ["ada@example.com"]);
    }
    app.settle().await;
}

#[tokio::test]
async fn the_total_follows_joining_leaving_and_removal() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let admin = app.member(org, Role::AccountAdmin).await;
    let path = format!("/v1/organizations/{}/users", org.uid);
    let total = async || admin.get(&path).await.expect(200)["total"].as_i64().unwrap();
    let before = total().await;
    let ada = joined(&app, &link, "ada@example.com", true).await;
    assert_eq!(total().await, before + 1);
    ada.delete(&format!("{path}/me")).await.expect(204);
    assert_eq!(total().await, before + 1, "the answer is kept");
    ada.post(&link, testkit::answer(true)).await.expect(201);
    assert_eq!(total().await, before + 1);
    let staff = app.member(org, Role::TeamUser).await;
    assert_eq!(total().await, before + 2);
    let own = staff.get("/v1/profiles/roles/detailed").await.expect(200)["data"][0]["uid"].clone();
    let role = format!("/v1/organizations/{}/roles/{}", org.uid, own.as_str().unwrap());
    admin.delete(&role).await.expect(204);
    assert_eq!(total().await, before + 1, "nothing is known of a person without answer");
    app.settle().await;
}

#[tokio::test]
async fn profiles_are_those_of_members_and_of_people_who_consent() {
    let app = test_app().await;
    let (org, link) = public_org(&app, "Acme").await;
    let leader = app.member(org, Role::TeamLeader).await;
    let member = joined(&app, &link, "member@example.com", false).await;
    let mut former = Vec::new();
    for (name, consents) in [("yes", true), ("no", false)] {
        let person = joined(&app, &link, &format!("{name}@example.com"), consents).await;
        let block = format!("/v1/organizations/{}/users/{}/block", org.uid, person.uid());
        leader.json(http::Method::PUT, &block, &json!({})).await.expect(204);
        former.push(person);
    }
    let stranger = app.person("stranger@example.com").await;
    let ids = [&member, &former[0], &former[1], &stranger, &leader].map(|person| person.uid().to_string());
    let path = format!("/v1/profiles/{}?orgId={}", ids.join(";"), org.uid);
    let emails = |page: Value| -> Vec<String> {
        let profiles = page["data"].as_array().unwrap().iter();
        profiles.map(|profile| profile["email"].as_str().unwrap().to_owned()).collect()
    };
    let team = app.member(org, Role::TeamUser).await;
    assert_eq!(emails(team.get(&path).await.expect(200)), ["member@example.com", "yes@example.com"]);
    assert_eq!(emails(leader.get(&path).await.expect(200)).len(), 3, "and staff");
    app.settle().await;
}
