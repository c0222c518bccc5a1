//! The migration that adds folded texts for people who already exist.

use kernel::Ambient;
use sea_orm::{ConnectionTrait as _, Statement};
use testkit::Database;

#[tokio::test]
async fn existing_people_can_be_searched_after_the_migration() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = db::Db::connect(database.url()).await.unwrap();
    let ambient = Ambient::system();
    let mut before = identity::migrations();
    let step = before.iter().position(|step| step.name() == "identity_20261121_01_folded_people").unwrap();
    let newest = before.split_off(step);
    db::migrate(&db, &ambient, &before).await.unwrap();

    let tx = db.write_tx().await.unwrap();
    let insert = "INSERT INTO person (uid, email, email_verified, display_name, first_name, last_name, phone_number, \
         photo, company, linked_in, job_title, business_area, created_at) \
         VALUES ($1, $2, TRUE, 'Élo', 'Élodie', 'Özil', '', '', 'ÉNGINES', '', '', '', 0)";
    let many: u128 = 1_001;
    for n in 1..=many {
        let values = [kernel::Uid::from_u128(n).into(), format!("p{n}@example.com").into()];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), insert, values))
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();

    db::migrate(&db, &ambient, &newest).await.unwrap();
    let count = "SELECT COUNT(*) AS n FROM person WHERE display_name_folded = 'élo' \
         AND search_folded LIKE '%éngines%' AND search_folded LIKE '%élodie özil%'";
    let row = db.read().query_one_raw(Statement::from_string(db.read().get_database_backend(), count)).await;
    assert_eq!(row.unwrap().unwrap().try_get::<i64>("", "n").unwrap(), 1_001);
    db.close().await;
    database.remove().await;
}
