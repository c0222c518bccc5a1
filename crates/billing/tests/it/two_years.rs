//! A customer for 24 months: renewals, a declined card, an upgrade, a downgrade, a suspension, and the end.

use kernel::{DAY, OrgId, from_iso};
use sea_orm::{ConnectionTrait as _, Statement};
use serde_json::{Value, json};
use testkit::Client;

use crate::test_app::{TestApp, test_app, uid};

const PAYS: &str = "action=card&card=4242424242424242&expiry=12%2F40&cvc=123&name=Ada";
const DECLINES: &str = "action=card&card=4000000000000002&expiry=12%2F40&cvc=123&name=Ada";

/// The customer, and what was bought.
struct TestCustomer {
    app: TestApp,
    account: String,
    provision: String,
    org: OrgId,
}

impl TestCustomer {
    /// Buys the monthly plan on the last day of January.
    async fn new() -> Self {
        let app = test_app().await;
        let (ada, account) = app.buyer("ada@example.com", "individual").await;
        app.advance_days(days_until(&app, "2027-01-31")).await;
        drop(ada);
        let ada = app.http.person("ada@example.com").await;
        let bought = app.buy(&ada, &account, "essentials-monthly").await;
        let (provision, org) = (bought["uid"].as_str().unwrap().to_owned(), uid(&bought["orgId"]));
        Self { app, account, provision, org }
    }

    /// Signs in again: tokens do not last for months.
    async fn ada(&self) -> Client {
        self.app.http.person("ada@example.com").await
    }

    /// Moves the clock to a day and runs what that brings.
    async fn on(&self, day: &str) {
        self.app.advance_days(days_until(&self.app, day)).await;
    }

    async fn purchase(&self) -> Value {
        self.app.provision(&self.ada().await, &self.account, &self.provision).await
    }

    /// Checks standing, limits and organisation, and returns the purchase.
    async fn state_is(&self, state: &str, plan: &str) -> Value {
        let purchase = self.purchase().await;
        assert_eq!((&purchase["state"], &purchase["planId"]), (&json!(state), &json!(plan)), "{purchase}");
        assert_eq!(uid::<OrgId>(&purchase["orgId"]), self.org);
        let roles = self.ada().await.get("/v1/profiles/roles/detailed").await.expect(200);
        let standing = &roles["data"][0]["organisation"];
        assert_eq!((&standing["state"], &standing["uid"]), (&json!(state), &purchase["orgId"]));
        let seats = if plan.starts_with("professional") { 50 } else { 5 };
        let limits = self.app.billing.limits_of(self.app.http.deps.db.read(), self.org).await.unwrap();
        assert_eq!(limits.staff_seats, Some(seats));
        purchase
    }

    /// Opens the portal and returns its path and its page.
    async fn portal(&self) -> (String, String) {
        let path = format!("/v1/accounts/{}/manage", self.account);
        let managed = self.ada().await.post(&path, json!({})).await.expect(200);
        let url = managed["url"].as_str().unwrap();
        let path = url[url.find("/sandbox/").unwrap()..].to_owned();
        let page = self.app.stand_in_page(&path, None).await;
        (path, page)
    }

    /// Submits a form of the portal. Returns the word of the notice that follows.
    async fn submit(&self, form: &str) -> String {
        let (path, page) = self.portal().await;
        let subscription = value(&page, "subscription").unwrap();
        let form = format!("subscription={subscription}&{form}");
        let to = self.app.stand_in_page(&path, Some(&form)).await;
        self.app.http.run_jobs().await;
        to.rsplit("notice=").next().unwrap().to_owned()
    }

    /// Pays the oldest invoice that is open.
    async fn pay(&self) -> String {
        let (path, page) = self.portal().await;
        let invoice = page.rmatch_indices("name=\"invoice\"").next().map(|(at, _)| &page[at..]).unwrap();
        let form = format!("action=pay&invoice={}", value(invoice, "invoice").unwrap());
        let to = self.app.stand_in_page(&path, Some(&form)).await;
        self.app.http.run_jobs().await;
        to.rsplit("notice=").next().unwrap().to_owned()
    }
}

/// Returns the value of the first input with this name.
fn value<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    page.split(&format!("name=\"{name}\" value=\"")).nth(1)?.split('"').next()
}

fn days_until(app: &TestApp, day: &str) -> i64 {
    let at = from_iso(&format!("{day}T08:00:00Z")).unwrap();
    (at - app.http.deps.ambient.now() + DAY - 1) / DAY
}

async fn journal(app: &TestApp) -> Vec<String> {
    let conn = app.http.deps.db.read();
    let sql = "SELECT from_state || ' ' || to_state FROM provision_change ORDER BY uid";
    let rows = conn.query_all_raw(Statement::from_string(conn.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn a_customer_stays_for_24_months() {
    let ada = TestCustomer::new().await;
    let renews = async |plan: &str| {
        ada.state_is("active", plan).await["timeRenews"].as_str().unwrap()[..10].to_owned()
    };

    // Periods end on the last day of each month and return to the 31st.
    assert_eq!(renews("essentials-monthly").await, "2027-02-28");
    for (day, next) in [
        ("2027-03-01", "2027-03-31"),
        ("2027-04-01", "2027-04-30"),
        ("2027-05-01", "2027-05-31"),
        ("2027-06-01", "2027-06-30"),
    ] {
        ada.on(day).await;
        assert_eq!(renews("essentials-monthly").await, next);
    }

    // A declined card is replaced, and the next attempt takes the payment.
    assert_eq!(ada.submit(DECLINES).await, "card");
    ada.on("2027-07-01").await;
    let late = ada.state_is("pastDue", "essentials-monthly").await;
    assert_eq!(&late["timeSuspends"].as_str().unwrap()[..10], "2027-07-14");
    assert_eq!(ada.submit(PAYS).await, "card");
    ada.state_is("pastDue", "essentials-monthly").await;
    ada.on("2027-07-03").await;
    assert_eq!(renews("essentials-monthly").await, "2027-07-31");

    // An upgrade counts at once.
    ada.on("2027-09-10").await;
    assert_eq!(ada.submit("action=plan&price=price_professional_monthly").await, "plan");
    assert_eq!(renews("professional-monthly").await, "2027-09-30");

    // A downgrade counts from the next period, whose price is paid.
    ada.on("2027-12-15").await;
    assert_eq!(ada.submit("action=plan&price=price_essentials_monthly").await, "scheduled");
    assert_eq!(renews("professional-monthly").await, "2027-12-31");
    ada.on("2027-12-30").await;
    ada.state_is("active", "professional-monthly").await;
    ada.on("2028-01-01").await;
    assert_eq!(renews("essentials-monthly").await, "2028-01-31");
    assert!(ada.portal().await.1.contains("$49.00"));
    ada.on("2028-02-01").await;
    assert_eq!(renews("essentials-monthly").await, "2028-02-29", "a leap year");

    // Unpaid for 14 days it is suspended, until both invoices are paid.
    ada.app.stand_in_post("/sandbox/api/stripe", json!({ "afterRetries": "past_due" })).await;
    ada.on("2028-03-10").await;
    assert_eq!(ada.submit(DECLINES).await, "card");
    ada.on("2028-04-01").await;
    ada.state_is("pastDue", "essentials-monthly").await;
    ada.on("2028-04-13").await;
    ada.state_is("pastDue", "essentials-monthly").await;
    ada.on("2028-04-14").await;
    ada.state_is("suspended", "essentials-monthly").await;
    let path = format!("/v1/organizations/{}", ada.org);
    let change = json!({ "organisation": { "description": "New" } });
    assert_eq!(ada.ada().await.patch(&path, change.clone()).await.expect(403)["code"], "suspended");
    ada.on("2028-05-01").await;
    assert_eq!(ada.pay().await, "declined");
    assert_eq!(ada.submit(PAYS).await, "card");
    assert_eq!(ada.pay().await, "paid");
    ada.state_is("pastDue", "essentials-monthly").await; // The invoice that is left is a day old.
    assert_eq!(ada.pay().await, "paid");
    assert_eq!(renews("essentials-monthly").await, "2028-05-31");
    ada.ada().await.patch(&path, change).await.expect(200);

    // The end is chosen, taken back and chosen again.
    ada.on("2028-12-10").await;
    assert_eq!(ada.submit("action=cancel").await, "ends");
    let ending = ada.state_is("active", "essentials-monthly").await;
    assert_eq!(&ending["timeEnds"].as_str().unwrap()[..10], "2028-12-31");
    assert_eq!(ada.submit("action=keep").await, "kept");
    ada.on("2029-01-10").await;
    assert_eq!(ada.state_is("active", "essentials-monthly").await["timeEnds"], Value::Null);
    assert_eq!(ada.submit("action=cancel").await, "ends");
    ada.on("2029-01-31").await;
    let ended = ada.purchase().await;
    assert_eq!((&ended["state"], &ended["active"]), (&json!("ended"), &json!(false)));
    assert_eq!(ada.ada().await.get("/v1/organizations").await.expect(200)["data"], json!([]));
    assert_eq!(
        journal(&ada.app).await,
        [
            "open active",
            "active pastDue",
            "pastDue active",
            "active pastDue",
            "pastDue suspended",
            "suspended pastDue",
            "pastDue active",
            "active ended",
        ]
    );
    ada.app.http.settle().await;
}
