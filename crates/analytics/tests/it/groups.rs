//! How many statements a group of requests takes on PostgreSQL.

use std::cell::RefCell;
use std::fmt::Debug;

use db::Engine;
use kernel::{MINUTE, SECOND};
use serde_json::Value;
use testkit::Client;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use crate::{TestApp, test_app};

/// People who send at once.
const PEOPLE: usize = 24;

thread_local! {
    /// The beginnings of the statements of this thread.
    static STATEMENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes each statement for its thread, because tests run beside one another.
struct Noting;

impl<S: Subscriber> Layer<S> for Noting {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() == "sqlx::query" {
            event.record(&mut Self);
        }
    }
}

impl Visit for Noting {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "summary" {
            STATEMENTS.with_borrow_mut(|all| all.push(value.to_owned()));
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Twenty beats and what else people do, sent two minutes later.
async fn send(app: &TestApp, person: &Client) {
    let mut player = app.player(person);
    let mut events: Vec<Value> =
        (0..20).map(|n| player.beat(n.min(1) * 5 * SECOND, 2 * MINUTE - n * 5 * SECOND)).collect();
    events.extend(["visit", "download", "contact"].map(|kind| app.interaction(kind)));
    app.send(person, events).await;
}

#[tokio::test]
async fn many_requests_take_as_many_as_one() {
    let app = test_app().await;
    if app.http.deps.db.engine() == Engine::Sqlite {
        return app.http.settle().await;
    }
    let mut people = Vec::with_capacity(PEOPLE);
    for n in 0..PEOPLE {
        people.push(app.joined(&format!("person{n}@example.com"), true).await);
    }
    // The first of a day also makes its salts.
    send(&app, &people[0]).await;
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(Noting)).unwrap();
    send(&app, &people[1]).await;
    let one = STATEMENTS.take();
    assert!(one.len() <= 20 && one.last().is_some_and(|last| last == "COMMIT"), "{one:?}");
    futures::future::join_all(people[2..].iter().map(|person| send(&app, person))).await;
    assert_eq!(STATEMENTS.take(), one, "for {} requests", PEOPLE - 2);
    app.http.settle().await;
}
