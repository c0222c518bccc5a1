//! Repeated requests.

use super::{one_each, parse, stage};

#[tokio::test]
async fn two_posts_are_two_films_and_each_is_told_of_once() {
    let stage = stage().await;
    stage.user("ada@example.com").await;
    let (first, second) = tokio::join!(stage.film("Twin", "public"), stage.film("Twin", "public"));
    assert_ne!(parse(&first), parse(&second));
    let (there, back) = ([first.as_str(), second.as_str()], [second.as_str(), first.as_str()]);
    tokio::join!(
        stage.playlist("One", "public", &there, false),
        stage.playlist("Two", "public", &back, false)
    );
    stage.app.run_jobs().await;
    assert_eq!(stage.told().await, one_each("New from Acme: Twin", &["ada@example.com", "ada@example.com"]));
    stage.app.settle().await;
}
