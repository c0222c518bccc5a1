//! Repeated requests.

use super::{one_each, parse, test_app};

#[tokio::test]
async fn two_posts_create_two_videos_and_each_is_announced_once() {
    let app = test_app().await;
    app.user("ada@example.com").await;
    let (first, second) =
        tokio::join!(app.create_video("Twin", "public"), app.create_video("Twin", "public"));
    assert_ne!(parse(&first), parse(&second));
    let (there, back) = ([first.as_str(), second.as_str()], [second.as_str(), first.as_str()]);
    tokio::join!(
        app.create_playlist("One", "public", &there, false),
        app.create_playlist("Two", "public", &back, false)
    );
    app.pass_window().await;
    assert_eq!(app.sent().await, one_each("New from Acme: Twin and 1 more", &["ada@example.com"]));
    let links = app.emails().await[0].links();
    for video in [first, second] {
        assert_eq!(links.iter().filter(|link| link.ends_with(&video)).count(), 1, "{links:?}");
    }
    app.http.settle().await;
}
