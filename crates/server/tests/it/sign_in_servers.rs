//! Servers that share a database share the counts of wrong passwords, and a restart forgets none.

use db::Engine;
use serde_json::json;
use server::bootstrap::Bootstrap;
use server::compose;
use testkit::{ApiResponse, Client};

use super::tables::execute;
use super::test_app::test_app;

async fn sign_in(client: &Client, password: &str) -> ApiResponse {
    let input = json!({ "email": "ada@example.com", "password": password });
    client.post("/v1/auth/sign-in", input).await
}

#[tokio::test]
async fn wrong_passwords_count_on_all_servers_and_after_a_restart() {
    let app = test_app().await;
    let (right, wrong) = ("wren-tapestry-94", "wren-tapestry-95");
    let here = app.anonymous();
    let input = json!({ "email": "ada@example.com", "password": right });
    here.post("/v1/auth/sign-up", input).await.expect(201);
    for _ in 0..2 {
        sign_in(&here, wrong).await.expect(401);
    }
    // With SQLite, the same server without what it had in memory, as after a restart.
    let is_shared = app.bootstrap.db.engine() == Engine::Postgres;
    let opened = if is_shared {
        Some(Box::pin(Bootstrap::open(app.bootstrap.settings.clone())).await.unwrap())
    } else {
        None
    };
    let bootstrap = opened.as_ref().unwrap_or(&app.bootstrap);
    let other = Box::pin(compose::build_app(bootstrap)).await.unwrap();
    let there = Client::new(other.router.clone(), None).at_host(bootstrap.public.authority());
    sign_in(&there, wrong).await.expect(401);
    // The wait is a second, but passwords may take longer than that here.
    let later = "UPDATE sign_in_attempt SET at = at + 3600000";
    let tx = bootstrap.db.write_tx().await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&tx, later).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sign_in(&there, right).await.expect(429)["code"], "too_many_requests");
    if is_shared {
        sign_in(&here, right).await.expect(429);
        execute(&app, "DELETE FROM sign_in_attempt", vec![]).await;
        sign_in(&here, right).await.expect(200);
    }
    if let Some(opened) = opened {
        opened.db.close().await;
    }
    app.close().await;
}
