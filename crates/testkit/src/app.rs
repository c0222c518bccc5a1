//! The running app of a test, with its people and organisations.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use jobs::Handlers;
use kernel::{Email, OrgId, PersonId};
use orgs::Role;
use sea_orm::ActiveEnum as _;

use crate::{ApiResponse, Client, Database, ManualClock, TestDeps};

/// A running app. Every test must end with [`TestApp::settle`], which fails if a job is left.
pub struct TestApp {
    /// Dependencies that the feature crates were built from.
    pub deps: TestDeps,
    /// Test clock.
    pub clock: Arc<ManualClock>,
    /// `METHOD /path` of every operation.
    pub operations: Vec<String>,
    pub(crate) router: Router,
    pub(crate) handlers: Handlers,
    pub(crate) database: Database,
    pub(crate) settled: bool,
    pub(crate) _folder: tempfile::TempDir,
}

/// An organisation.
#[derive(Clone, Copy, Debug)]
pub struct TestOrg {
    /// Organisation id.
    pub uid: OrgId,
}

impl TestApp {
    /// Returns a client without a token.
    pub fn anonymous(&self) -> Client {
        Client::new(self.router.clone(), None)
    }

    /// Signs up a person by password whose email address is not verified.
    pub async fn unverified_person(&self, email: &str) -> Client {
        let claim = serde_json::json!({ "email": email, "password": "wren-tapestry-94" });
        let session = self.anonymous().post("/v1/auth/sign-up", claim).await.expect(201);
        let uid = session["profile"]["uid"].as_str().unwrap().parse().unwrap();
        Client::new(self.router.clone(), Some((session["accessToken"].as_str().unwrap().to_owned(), uid)))
    }

    /// Marks a person's email address as not verified.
    pub async fn mark_unverified(&self, person: PersonId) {
        use sea_orm::ConnectionTrait as _;
        let tx = self.deps.db.write_tx().await.unwrap();
        let sql = "UPDATE person SET email_verified = FALSE WHERE uid = $1";
        let statement =
            sea_orm::Statement::from_sql_and_values(tx.get_database_backend(), sql, [person.into()]);
        tx.execute_raw(statement).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Signs in a person, creating them if needed.
    pub async fn person(&self, email: &str) -> Client {
        let email = Email::parse(email).unwrap();
        let session = self.deps.identity.sign_in_directly(&email).await.unwrap();
        Client::new(self.router.clone(), Some((session.access_token, session.profile.uid.into())))
    }

    /// Creates an organisation whose only member is its founder, a person that no test acts as.
    pub async fn org(&self, name: &str) -> TestOrg {
        let founder = self.person(&format!("founder@{}.example.com", slug(name))).await;
        let new_org = orgs::NewOrg {
            name: name.to_owned(),
            owner: founder.uid(),
            contact_email: None,
            contact_phone: None,
            time_zone: None,
        };
        let tx = self.deps.db.write_tx().await.unwrap();
        let organisation = self.deps.orgs.create(&tx, &new_org).await.unwrap();
        tx.commit().await.unwrap();
        TestOrg { uid: organisation.uid }
    }

    /// Returns the organisation's member in the given role; the same person on every call.
    pub async fn member(&self, org: TestOrg, role: Role) -> Client {
        let client =
            self.person(&format!("{}@{}.example.com", role.to_value().to_lowercase(), org.uid)).await;
        let tx = self.deps.db.write_tx().await.unwrap();
        self.deps.orgs.appoint(&tx, org.uid, client.uid(), role).await.unwrap();
        tx.commit().await.unwrap();
        client
    }

    /// Takes the staff role of the caller away while the call waits for the organisation's writer, and returns
    /// its answer.
    pub async fn demoted_meanwhile(
        &self,
        org: TestOrg,
        caller: &Client,
        call: impl Future<Output = ApiResponse>,
    ) -> ApiResponse {
        let tx = self.deps.db.write_tx_on(org.uid).await.unwrap();
        let demote = async {
            // The call passes its first check meanwhile.
            tokio::time::sleep(Duration::from_millis(200)).await;
            self.deps.orgs.appoint(&tx, org.uid, caller.uid(), Role::User).await.unwrap();
            tx.commit().await.unwrap();
        };
        tokio::join!(call, demote).0
    }

    /// Runs every due job and returns how many ran.
    pub async fn run_jobs(&self) -> usize {
        self.deps.jobs.run_due(&self.handlers).await.unwrap()
    }

    /// Ends the test; fails if any job is pending or was given up.
    pub async fn settle(mut self) {
        self.run_jobs().await;
        self.settled = true;
        let left = self.deps.jobs.leftovers().await.unwrap();
        self.deps.db.clone().close().await;
        self.database.remove().await;
        assert!(left.is_empty(), "jobs were left: {left:#?}");
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        assert!(!(!self.settled && !std::thread::panicking()), "a test must end with app.settle().await");
    }
}

fn slug(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}
