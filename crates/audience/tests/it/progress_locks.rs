//! Whom saving the progress waits for.

use std::collections::BTreeSet;

use db::{Engine, SubjectPart};
use orgs::Role;
use serde_json::json;

use crate::progress::{path, test_app};

#[tokio::test]
async fn saving_waits_for_its_own_person_and_for_no_one_else() {
    let app = test_app().await;
    // SQLite has one writer.
    if app.deps.db.engine() == Engine::Sqlite {
        return app.settle().await;
    }
    let org = app.org("Acme").await;
    let user = app.member(org, Role::User).await;
    let events_of = async |person: kernel::PersonId| {
        let tx = app.deps.db.write_tx().await.unwrap();
        let sender = SubjectPart::new(org.uid, person);
        tx.share(&BTreeSet::from([org.uid.uid()]), &BTreeSet::from([sender])).await.unwrap();
        tx
    };
    let of_another = events_of(kernel::PersonId::from_u128(1)).await;
    user.put(&path(org), json!({ "items": [] })).await.expect(204);
    drop(of_another);
    let of_the_same = events_of(user.uid()).await;
    let (path, body) = (path(org), json!({ "items": [] }));
    let save = user.put(&path, body);
    let waited = tokio::time::timeout(std::time::Duration::from_millis(300), save).await;
    assert!(waited.is_err(), "the progress was saved while the person's events were written");
    drop(of_the_same);
    app.settle().await;
}
