//! The objects of the provider's stand-in, and rows, as a test changes them.

use sea_orm::{ConnectionTrait as _, Statement, Value as SqlValue};
use serde_json::{Value, json};

use crate::test_app::TestApp;

impl TestApp {
    /// Executes a statement.
    pub(crate) async fn execute(&self, sql: &str) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Counts rows: the table and a condition.
    pub(crate) async fn count(&self, rows: &str) -> i64 {
        let conn = self.http.deps.db.read();
        let sql = format!("SELECT COUNT(*) FROM {rows}");
        let row = conn.query_one_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
        row.unwrap().unwrap().try_get_by_index(0).unwrap()
    }

    /// Returns the id of the newest object of a kind.
    pub(crate) async fn newest(&self, kind: &str) -> String {
        let conn = self.http.deps.db.read();
        let sql = format!("SELECT id FROM sandbox_object WHERE kind = '{kind}' ORDER BY id DESC LIMIT 1");
        let row = conn.query_one_raw(Statement::from_string(conn.get_database_backend(), sql)).await;
        row.unwrap().unwrap().try_get_by_index(0).unwrap()
    }

    pub(crate) async fn object(&self, kind: &str, id: &str) -> Value {
        let conn = self.http.deps.db.read();
        let sql = "SELECT body FROM sandbox_object WHERE kind = $1 AND id = $2";
        let select =
            Statement::from_sql_and_values(conn.get_database_backend(), sql, [kind.into(), id.into()]);
        conn.query_one_raw(select).await.unwrap().unwrap().try_get_by_index(0).unwrap()
    }

    /// Changes an object, without an event.
    pub(crate) async fn change_object(&self, kind: &str, id: &str, change: impl FnOnce(&mut Value)) {
        let mut body = self.object(kind, id).await;
        change(&mut body);
        let update = "UPDATE sandbox_object SET body = $1 WHERE kind = $2 AND id = $3";
        self.run(update, [body.into(), kind.into(), id.into()]).await;
    }

    async fn run(&self, sql: &str, values: impl IntoIterator<Item = SqlValue>) {
        let tx = self.http.deps.db.write_tx().await.unwrap();
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, values);
        assert_eq!(tx.execute_raw(statement).await.unwrap().rows_affected(), 1);
        tx.commit().await.unwrap();
    }

    /// Adds a subscription like the one of a purchase, with this metadata.
    pub(crate) async fn copy_subscription_of(&self, provision: &str, id: &str, metadata: Value) {
        let mut body = self.subscription_of(provision).await;
        let original = body["id"].as_str().unwrap().to_owned();
        (body["id"], body["metadata"]) = (json!(id), metadata);
        self.copy(&original, id, body).await;
    }

    /// Adds an invoice like the newest one of a purchase.
    pub(crate) async fn copy_invoice_of(&self, provision: &str) {
        let subscription = self.subscription_of(provision).await;
        let original = subscription["latest_invoice"].as_str().unwrap().to_owned();
        let mut body = self.object("invoice", &original).await;
        body["id"] = json!("in_copy");
        self.copy(&original, "in_copy", body).await;
    }

    /// Returns the subscription of a purchase.
    async fn subscription_of(&self, provision: &str) -> Value {
        let conn = self.http.deps.db.read();
        let sql = "SELECT body FROM sandbox_object WHERE kind = 'subscription' AND reference = $1";
        let select = Statement::from_sql_and_values(conn.get_database_backend(), sql, [provision.into()]);
        conn.query_one_raw(select).await.unwrap().unwrap().try_get_by_index(0).unwrap()
    }

    async fn copy(&self, original: &str, id: &str, body: Value) {
        let sql = "INSERT INTO sandbox_object (id, kind, owner, reference, body, \"inner\", due, time_created) \
             SELECT $1, kind, owner, '', $2, \"inner\", due, time_created FROM sandbox_object WHERE id = $3";
        self.run(sql, [id.into(), body.into(), original.into()]).await;
    }
}
