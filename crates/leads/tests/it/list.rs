//! The list of leads.

use orgs::Role;
use sea_orm::ConnectionTrait as _;
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

/// Returns the ids of all leads in an order, read in pages of two.
async fn in_pages(app: &TestApp, query: &str) -> Vec<String> {
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = people(&app.leads(&format!("{query}&limit=2&startAfter={after}")).await);
        let Some(last) = page.last() else { return seen };
        after = last.clone();
        seen.extend(page);
    }
}

/// Has five people visit, with a pause after each, and returns their ids.
async fn five_visitors(app: &TestApp, pause: kernel::Millis) -> Vec<String> {
    let mut ids = Vec::new();
    for n in 0..5 {
        let person = app.joined(&format!("person{n}@example.com"), true).await;
        app.send(&person, vec![app.interaction("visit")]).await;
        ids.push(person.uid().to_string());
        app.http.clock.advance(pause);
    }
    ids
}

#[tokio::test]
async fn leads_are_sorted_by_score_last_visit_or_age_and_each_order_has_pages() {
    let app = test_app().await;
    let ids = five_visitors(&app, kernel::HOUR).await;
    // The first two come again, and the second one asks for contact.
    for n in [0, 1] {
        let person = app.http.person(&format!("person{n}@example.com")).await;
        let kind = if n == 1 { "contact" } else { "visit" };
        app.send(&person, vec![app.interaction(kind)]).await;
        app.http.clock.advance(kernel::HOUR);
    }
    let order = |list: [usize; 5]| list.map(|n| ids[n].clone());
    assert_eq!(in_pages(&app, "&sort=newest").await, order([4, 3, 2, 1, 0]));
    assert_eq!(in_pages(&app, "&sort=lastSeen").await, order([1, 0, 4, 3, 2]));
    assert_eq!(in_pages(&app, "&sort=score").await, order([1, 0, 4, 3, 2]));
    for (temperature, expected) in [("cold", &[0, 4, 3, 2][..]), ("warm", &[1]), ("hot", &[])] {
        let expected: Vec<String> = expected.iter().map(|n| ids[*n].clone()).collect();
        assert_eq!(in_pages(&app, &format!("&sort=lastSeen&temperature={temperature}")).await, expected);
        assert_eq!(
            in_pages(&app, &format!("&sort=lastSeen&temperature={temperature}&search=example")).await,
            expected
        );
    }
    let newest = app.leads("&sort=newest&limit=1").await["data"][0].clone();
    assert_eq!(newest["timeCreated"], "2026-11-20T12:00:00.000Z");
    assert_eq!(newest["lastSeen"], "2026-11-20T12:00:00.000Z");
    let seen = app.leads("&sort=lastSeen&limit=1").await["data"][0].clone();
    assert_eq!(seen["timeCreated"], "2026-11-20T09:00:00.000Z");
    assert_eq!(seen["lastSeen"], "2026-11-20T14:00:00.000Z");
    let staff = app.http.member(app.org, Role::TeamUser).await;
    let wrong = format!("/v1/analytics/leads?orgId={}&sort=name", app.org.uid);
    staff.get(&wrong).await.expect(400);
    app.http.settle().await;
}

#[tokio::test]
async fn equal_scores_are_sorted_by_when_people_were_last_seen() {
    let app = test_app().await;
    let ids = five_visitors(&app, 0).await;
    // Another visit on the same day gives no points.
    for n in [3, 0, 4, 1, 2] {
        app.http.clock.advance(kernel::HOUR);
        let person = app.http.person(&format!("person{n}@example.com")).await;
        app.send(&person, vec![app.interaction("visit")]).await;
    }
    let all = app.leads("").await;
    assert_eq!(all["counts"]["cold"], 5);
    assert!(all["data"].as_array().unwrap().iter().all(|lead| lead["score"] == all["data"][0]["score"]));
    let expected = [2, 1, 4, 0, 3].map(|n| ids[n].clone());
    for query in ["", "&temperature=cold", "&search=example", "&search=example&temperature=cold"] {
        assert_eq!(in_pages(&app, query).await, expected, "{query}");
    }
    app.http.settle().await;
}

/// Adds leads that were never seen watching, by statement: many of them.
async fn add_crowd(app: &TestApp, count: i64) {
    let tx = app.http.deps.db.write_tx().await.unwrap();
    let org = app.org.uid;
    let mut leads: Vec<[sea_orm::Value; 12]> = Vec::new();
    let mut words: Vec<[sea_orm::Value; 3]> = Vec::new();
    for n in 0..count {
        let person: kernel::PersonId = app.http.deps.ambient.uid();
        let temperature = if n % 500 == 0 { "hot" } else { "cold" };
        leads.push([
            org.into(),
            person.into(),
            1.into(),
            1.0.into(),
            1.into(),
            (n % 20).into(),
            temperature.into(),
            1.into(),
            (n + 1).into(),
            (count - n).into(),
            true.into(),
            None::<i64>.into(),
        ]);
        words.push([org.into(), b"crowd".to_vec().into(), person.into()]);
        if n % 1_000 == 7 {
            words.push([org.into(), b"rare".to_vec().into(), person.into()]);
        }
    }
    let columns = "lead (org, person, since, points, day, score, temperature, modified_at, created_at, \
         last_seen_at, shown, due_day)";
    db::rows::bulk_upsert(&tx, columns, &leads, "").await.unwrap();
    db::rows::bulk_upsert(&tx, "org_person_word (org, word, person)", &words, "").await.unwrap();
    let tally: Vec<[sea_orm::Value; 3]> = vec![
        [org.into(), "cold".into(), (count - count / 500).into()],
        [org.into(), "hot".into(), (count / 500).into()],
    ];
    db::rows::bulk_upsert(&tx, "lead_tally (org, temperature, leads)", &tally, "").await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn among_many_leads_each_order_filter_and_search_finds_the_same_as_a_plain_query() {
    let app = test_app().await;
    add_crowd(&app, 6_000).await;
    let plain = async |condition: &str, order: &str| -> Vec<String> {
        let sql = format!(
            "SELECT person FROM lead WHERE org = $1 {condition} ORDER BY {order} DESC, person DESC LIMIT 20"
        );
        let conn = app.http.deps.db.read();
        let statement =
            sea_orm::Statement::from_sql_and_values(conn.get_database_backend(), sql, [app.org.uid.into()]);
        let rows = conn.query_all_raw(statement).await.unwrap();
        rows.iter().map(|row| row.try_get_by_index::<kernel::PersonId>(0).unwrap().to_string()).collect()
    };
    let rare = "AND person IN (SELECT person FROM org_person_word WHERE word = CAST('rare' AS BLOB))";
    let rare = match app.http.deps.db.engine() {
        db::Engine::Postgres => rare.replace("CAST('rare' AS BLOB)", "'rare'::bytea"),
        db::Engine::Sqlite => rare.to_owned(),
    };
    for (sort, order) in
        [("score", "score DESC, last_seen_at"), ("lastSeen", "last_seen_at"), ("newest", "created_at")]
    {
        for (query, condition) in [
            ("", ""),
            ("&temperature=hot", "AND temperature = 'hot'"),
            ("&temperature=cold", "AND temperature = 'cold'"),
            ("&search=crowd", ""),
            ("&search=crowd&temperature=hot", "AND temperature = 'hot'"),
            ("&search=rare", rare.as_str()),
            ("&search=crowd%20rare", rare.as_str()),
        ] {
            let found = people(&app.leads(&format!("&sort={sort}{query}")).await);
            assert_eq!(found, plain(condition, order).await, "{sort} {query}");
        }
    }
    app.http.settle().await;
}
