//! The stand-ins over HTTP: the production payment client, a browser's forms, and a webhook endpoint.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod dance;
mod oidc;
mod rig;

use kernel::{DAY, Email, HOUR, Uid, iso, ms_from_iso};
use mail::Letter;
use payments::{CheckoutStatus, EventKind, PaymentError, SubscriptionStatus};
use rig::Rig;

#[tokio::test]
async fn a_paid_checkout_is_told_to_the_webhook_and_found_at_the_provider() {
    let rig = Rig::new().await;
    let (provision, session) = rig.checkout("essentials-monthly").await;
    assert_eq!(
        (session.status, session.paid, session.provision),
        (CheckoutStatus::Open, false, Some(provision))
    );
    let page = rig.get(&format!("/sandbox/pay/{}", session.id)).await;
    assert!(page.1.contains("Essentials Monthly") && page.1.contains("$49.00"), "{}", page.1);
    let form = "card=4242+4242+4242+4242&expiry=12%2F40&cvc=123&name=Ada&action=pay";
    let (status, location) = rig.form(&format!("/sandbox/pay/{}", session.id), form).await;
    assert_eq!((status, location.as_str()), (303, "http://127.0.0.1:1/billing/success?provision_id=1"));
    rig.run_jobs().await;
    let events = rig.events();
    let done = events.iter().find(|event| event.name == "checkout.session.completed").unwrap();
    assert_eq!((done.kind, done.provision), (EventKind::Checkout, Some(provision)));
    let subscription = rig.provider.subscription(done.subscription.as_deref().unwrap()).await.unwrap();
    assert_eq!((subscription.status, subscription.provision), (SubscriptionStatus::Active, Some(provision)));
    let found = rig.provider.checkout(&session.id).await.unwrap();
    assert_eq!((found.status, found.paid), (CheckoutStatus::Complete, true));
    // Paying again leads to the same page and creates nothing.
    let told = rig.events().len();
    assert_eq!(rig.settle(&session.id, "pay").await, "http://127.0.0.1:1/billing/success?provision_id=1");
    rig.run_jobs().await;
    assert_eq!(rig.events().len(), told);
    assert!(rig.get(&format!("/sandbox/pay/{}", session.id)).await.1.contains("This payment is complete."));
}

#[tokio::test]
async fn a_declined_or_given_up_checkout_stays_open_and_tells_nobody() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("professional-annual").await;
    let path = format!("/sandbox/pay/{}", session.id);
    let declined = "card=4000000000000002&expiry=1240&cvc=123&name=Ada&action=pay";
    assert_eq!(rig.form(&path, declined).await, (303, "http://127.0.0.1:1/billing/cancelled".into()));
    assert_eq!(rig.form(&path, "action=cancel").await, (303, "http://127.0.0.1:1/billing/cancelled".into()));
    let poor = "card=4000000000009995&expiry=1240&cvc=123&name=Ada&action=pay";
    let (status, page) = rig.form(&path, poor).await;
    assert!(status == 422 && page.contains("insufficient funds. Try"), "{status} {page}");
    let (status, page) = rig.form(&path, "card=%3Cscript%3E&action=pay").await;
    assert!(
        status == 422 && !page.contains("<script>") && page.contains("&lt;script&gt;"),
        "{status} {page}"
    );
    assert_eq!(rig.provider.checkout(&session.id).await.unwrap().status, CheckoutStatus::Open);
    rig.run_jobs().await;
    assert_eq!(rig.events(), []);
}

#[tokio::test]
async fn the_same_call_gets_the_same_session_and_another_call_with_its_key_is_refused() {
    let rig = Rig::new().await;
    let new = rig.purchase("essentials-monthly").await;
    let first = rig.provider.create_checkout(&new).await.unwrap();
    assert_eq!(rig.provider.create_checkout(&new).await.unwrap(), first);
    let other = payments::NewCheckout { success_url: "http://127.0.0.1:1/x".into(), ..new };
    let refused = rig.provider.create_checkout(&other).await.unwrap_err();
    assert!(matches!(refused, PaymentError::Refused { code, .. } if code == "idempotency_key_in_use"));
}

#[tokio::test]
async fn a_webhook_that_is_refused_comes_again() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("essentials-monthly").await;
    rig.refuse_webhooks(true);
    rig.settle(&session.id, "pay").await;
    rig.run_jobs().await;
    assert_eq!(rig.events(), []);
    rig.refuse_webhooks(false);
    rig.move_clock(1.0).await;
    rig.run_jobs().await;
    let mut names: Vec<String> = rig.events().into_iter().map(|event| event.name).collect();
    names.sort();
    assert_eq!(names, ["checkout.session.completed", "customer.subscription.created", "invoice.paid"]);
}

#[tokio::test]
async fn the_clock_renews_fails_recovers_and_ends_subscriptions() {
    let rig = Rig::new().await;
    let (provision, session) = rig.checkout("essentials-monthly").await;
    rig.settle(&session.id, "pay").await;
    let id = rig.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    let first = rig.provider.subscription(&id).await.unwrap();
    rig.move_clock(32.0).await;
    let second = rig.provider.subscription(&id).await.unwrap();
    assert!(
        second.status == SubscriptionStatus::Active && second.current_period_end > first.current_period_end
    );
    assert_ne!(second.latest_invoice, first.latest_invoice);
    assert_eq!(rig.turn(provision, "fail").await, "active");
    rig.move_clock(32.0).await;
    assert_eq!(rig.provider.subscription(&id).await.unwrap().status, SubscriptionStatus::PastDue);
    assert_eq!(rig.turn(provision, "recover").await, "active");
    rig.turn(provision, "cancel").await;
    assert!(rig.provider.subscription(&id).await.unwrap().cancel_at_period_end);
    rig.move_clock(32.0).await;
    assert_eq!(rig.provider.subscription(&id).await.unwrap().status, SubscriptionStatus::Canceled);
    rig.run_jobs().await;
    let told: Vec<String> = rig.events().into_iter().map(|event| event.name).collect();
    for name in ["invoice.payment_failed", "customer.subscription.updated", "customer.subscription.deleted"] {
        assert!(told.iter().any(|one| one == name), "{name} in {told:?}");
    }
}

#[tokio::test]
async fn an_unpaid_session_expires_and_its_page_says_so() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("essentials-monthly").await;
    rig.move_clock(1.5).await;
    assert_eq!(rig.provider.checkout(&session.id).await.unwrap().status, CheckoutStatus::Expired);
    assert_eq!(rig.get(&format!("/sandbox/pay/{}", session.id)).await.0, 410);
    assert_eq!(rig.settle(&session.id, "pay").await, "http://127.0.0.1:1/billing/cancelled");
    rig.run_jobs().await;
    assert_eq!(rig.events()[0].name, "checkout.session.expired");
}

#[tokio::test]
async fn a_subscription_is_ended_and_paid_back_once() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("essentials-monthly").await;
    rig.settle(&session.id, "pay").await;
    let id = rig.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    rig.provider.cancel_and_refund(&id).await.unwrap();
    rig.provider.cancel_and_refund(&id).await.unwrap();
    assert_eq!(rig.provider.subscription(&id).await.unwrap().status, SubscriptionStatus::Canceled);
}

#[tokio::test]
async fn the_portal_shows_what_was_bought_and_ends_it_with_the_period() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("professional-monthly").await;
    rig.settle(&session.id, "pay").await;
    let id = rig.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    let portal = rig.provider.portal(&rig.customer().await, "http://127.0.0.1:1/billing").await.unwrap();
    let path = portal.strip_prefix("http://127.0.0.1:1").unwrap();
    let page = rig.get(path).await.1;
    assert!(page.contains("Professional Monthly") && page.contains("Cancel at period end"), "{page}");
    assert_eq!(rig.form(path, &format!("subscription={id}&action=cancel")).await.0, 303);
    assert!(rig.get(path).await.1.contains("Keep the plan"));
    assert_eq!(rig.form(path, "subscription=sub_of_another&action=cancel").await.0, 404);
    rig.move_clock(0.1).await;
    assert_eq!(rig.get(path).await.0, 410, "a portal address works for an hour");
}

#[tokio::test]
async fn the_clock_stays_ahead_over_a_restart_and_never_goes_back() {
    let rig = Rig::new().await;
    let before = rig.ambient.now();
    rig.move_clock(2.0).await;
    assert_eq!(rig.post("/sandbox/api/clock", r#"{"advanceDays":-1}"#).await.0, 400);
    assert!(rig.ambient.now() >= before + 2 * DAY);
    let fresh = kernel::OffsetClock::new(std::sync::Arc::new(kernel::SystemClock), 0);
    sandbox::restore_clock(&rig.db, &fresh).await.unwrap();
    assert!((kernel::Clock::now(&fresh) - rig.ambient.now()).abs() < HOUR);
    let told = rig.get("/sandbox/api/clock").await.1;
    let now: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(ms_from_iso(now["now"].as_str().unwrap()).unwrap() >= before + 2 * DAY, "{}", iso(before));
}

#[tokio::test]
async fn the_inbox_lists_letters_with_clickable_links() {
    let rig = Rig::new().await;
    let link = "http://127.0.0.1:1/authenticate?action=login&code=abc";
    let letter = Letter::MagicLink {
        link: link.into(),
        signing_up: false,
        minutes: 10,
        organisation: Some("<b>".into()),
    };
    for to in ["ada@example.com", "bob@example.com"] {
        let tx = rig.db.write_tx().await.unwrap();
        rig.mailer.enqueue(&tx, &Email::parse(to).unwrap(), &letter).await.unwrap();
        tx.commit().await.unwrap();
    }
    rig.run_jobs().await;
    let told = rig.get("/sandbox/api/mails?to=Ada@example.com").await.1;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["data"].as_array().unwrap().len(), 1);
    assert_eq!(told["data"][0]["links"], serde_json::json!([link]));
    assert_eq!(rig.get("/sandbox/api/mails?to=nobody").await.0, 400);
    let list = rig.get("/sandbox/mail").await.1;
    assert!(list.contains("bob@example.com") && !list.contains("Sign in to <b>"), "{list}");
    let path = format!("/sandbox/mail/{}", told["data"][0]["uid"].as_str().unwrap());
    let page = rig.get(&path).await.1;
    let shown = "http:&#x2f;&#x2f;127.0.0.1:1&#x2f;authenticate?action=login&amp;code=abc";
    assert!(page.contains(&format!(r#"<a href="{shown}">{shown}</a>"#)), "{page}");
    assert!(rig.get(&format!("{path}/html")).await.1.contains(r#"<base target="_top">"#));
    assert_eq!(rig.get(&format!("/sandbox/mail/{}", Uid::nil())).await.0, 404);
}

#[tokio::test]
async fn a_stranger_without_the_key_reads_nothing_from_the_provider() {
    let rig = Rig::new().await;
    let (_, session) = rig.checkout("essentials-monthly").await;
    assert_eq!(rig.get(&format!("/sandbox/stripe/v1/checkout/sessions/{}", session.id)).await.0, 401);
    assert!(matches!(rig.provider.checkout("cs_test_none").await, Err(PaymentError::NotFound)));
}

#[tokio::test]
async fn another_machine_sees_nothing_of_the_sandbox() {
    let rig = Rig::new().await;
    for path in ["/sandbox/mail", "/sandbox/api/mails", "/sandbox/clock", "/sandbox"] {
        for peer in ["192.168.1.7", "2001:db8::1", "::ffff:10.0.0.1", "0.0.0.0"] {
            assert_eq!(rig.seen_from(Some(peer), path).await, 403, "{path} from {peer}");
        }
        assert_eq!(rig.seen_from(None, path).await, 403, "{path}");
        for peer in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            assert!(rig.seen_from(Some(peer), path).await < 400, "{path} from {peer}");
        }
    }
    assert_eq!(rig.seen_from(Some("192.168.1.7"), "/sandbox/stripe/v1/customers/cus_1").await, 401);
}

#[tokio::test]
async fn a_page_of_another_site_moves_no_clock_and_pays_nothing() {
    let rig = Rig::new().await;
    let before = rig.ambient.now();
    let sent = async |name: &str, value: &str| {
        let request = rig.http.post(format!("{}/sandbox/clock", rig.base)).header(name, value);
        request.body("days=3").send().await.unwrap().status().as_u16()
    };
    assert_eq!(sent("origin", "https://evil.example").await, 403);
    assert_eq!(sent("origin", "null").await, 403);
    assert_eq!(sent("sec-fetch-site", "cross-site").await, 403);
    assert!(rig.ambient.now() - before < DAY, "the clock was moved");
    assert_eq!(sent("origin", rig::PUBLIC).await, 303);
    assert!(rig.ambient.now() - before >= 3 * DAY);
}
