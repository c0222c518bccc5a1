//! The stand-ins over HTTP: the production payment client, a browser's forms, and a webhook endpoint.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod oidc;
mod oidc_client;
mod portal;
mod stripe_calls;
mod stripe_time;
mod test_app;

use kernel::{DAY, Email, EmailId, HOUR, from_iso, iso};
use mail::EmailMessage;
use payments::{CheckoutStatus, EventKind, PaymentError, SubscriptionStatus};
use test_app::test_app;

#[tokio::test]
async fn a_paid_checkout_is_sent_to_the_webhook_and_found_at_the_provider() {
    let app = test_app().await;
    let (provision, session) = app.checkout("essentials-monthly").await;
    assert_eq!(
        (session.status, session.paid, session.provision),
        (CheckoutStatus::Open, false, Some(provision))
    );
    let page = app.get(&format!("/sandbox/pay/{}", session.id)).await;
    assert!(page.1.contains("Essentials Monthly") && page.1.contains("$49.00"), "{}", page.1);
    let form = "card=4242+4242+4242+4242&expiry=12%2F40&cvc=123&name=Ada&action=pay";
    let (status, location) = app.form(&format!("/sandbox/pay/{}", session.id), form).await;
    assert_eq!((status, location.as_str()), (303, "http://127.0.0.1:1/billing/success?provision_id=1"));
    app.run_jobs().await;
    let events = app.events();
    let done = events.iter().find(|event| event.name == "checkout.session.completed").unwrap();
    assert_eq!((done.kind, done.provision), (EventKind::Checkout, Some(provision)));
    let subscription = app.provider.subscription(done.subscription.as_deref().unwrap()).await.unwrap();
    assert_eq!(
        (subscription.state.status, subscription.provision),
        (SubscriptionStatus::Active, Some(provision))
    );
    let found = app.provider.checkout(&session.id).await.unwrap();
    assert_eq!((found.status, found.paid), (CheckoutStatus::Complete, true));
    // Paying again leads to the same page and creates nothing.
    let reported = app.events().len();
    assert_eq!(app.settle(&session.id, "pay").await, "http://127.0.0.1:1/billing/success?provision_id=1");
    app.run_jobs().await;
    assert_eq!(app.events().len(), reported);
    assert!(app.get(&format!("/sandbox/pay/{}", session.id)).await.1.contains("This payment is complete."));
}

#[tokio::test]
async fn a_declined_or_cancelled_checkout_stays_open_and_sends_no_event() {
    let app = test_app().await;
    let (_, session) = app.checkout("professional-annual").await;
    let path = format!("/sandbox/pay/{}", session.id);
    let declined = "card=4000000000000002&expiry=1240&cvc=123&name=Ada&action=pay";
    assert_eq!(app.form(&path, declined).await, (303, "http://127.0.0.1:1/billing/cancelled".into()));
    assert_eq!(app.form(&path, "action=cancel").await, (303, "http://127.0.0.1:1/billing/cancelled".into()));
    let poor = "card=4000000000009995&expiry=1240&cvc=123&name=Ada&action=pay";
    let (status, page) = app.form(&path, poor).await;
    assert!(status == 422 && page.contains("insufficient funds. Try"), "{status} {page}");
    let (status, page) = app.form(&path, "card=%3Cscript%3E&action=pay").await;
    assert!(
        status == 422 && !page.contains("<script>") && page.contains("&lt;script&gt;"),
        "{status} {page}"
    );
    assert_eq!(app.provider.checkout(&session.id).await.unwrap().status, CheckoutStatus::Open);
    app.run_jobs().await;
    assert_eq!(app.events(), []);
}

#[tokio::test]
async fn the_same_call_gets_the_same_session_and_another_call_with_its_key_is_refused() {
    let app = test_app().await;
    let new = app.purchase("essentials-monthly").await;
    let first = app.provider.create_checkout(&new).await.unwrap();
    assert_eq!(app.provider.create_checkout(&new).await.unwrap(), first);
    let other = payments::NewCheckout { success_url: "http://127.0.0.1:1/x".into(), ..new };
    let refused = app.provider.create_checkout(&other).await.unwrap_err();
    assert!(matches!(refused, PaymentError::Refused { code, .. } if code == "idempotency_error"));
}

#[tokio::test]
async fn a_rejected_webhook_is_delivered_again() {
    let app = test_app().await;
    let (_, session) = app.checkout("essentials-monthly").await;
    app.reject_webhooks(true);
    app.settle(&session.id, "pay").await;
    app.run_jobs().await;
    assert_eq!(app.events(), []);
    app.reject_webhooks(false);
    app.move_clock(1.0).await;
    app.run_jobs().await;
    let mut names: Vec<String> = app.events().into_iter().map(|event| event.name).collect();
    names.sort();
    assert_eq!(names, ["checkout.session.completed", "customer.subscription.created", "invoice.paid"]);
}

#[tokio::test]
async fn the_clock_renews_fails_recovers_and_ends_subscriptions() {
    let app = test_app().await;
    let (provision, session) = app.checkout("essentials-monthly").await;
    app.settle(&session.id, "pay").await;
    let id = app.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    let first = app.provider.subscription(&id).await.unwrap();
    app.move_clock(32.0).await;
    let second = app.provider.subscription(&id).await.unwrap();
    assert!(
        second.state.status == SubscriptionStatus::Active && second.state.period_end > first.state.period_end
    );
    assert_eq!(app.set_renewal_outcome(provision, "fail").await, "active");
    app.move_clock(32.0).await;
    let unpaid = app.provider.subscription(&id).await.unwrap().state;
    assert_eq!(unpaid.status, SubscriptionStatus::PastDue);
    assert_eq!(unpaid.price_key.as_deref(), Some("essentials-monthly"));
    assert!(unpaid.unpaid_since.is_some_and(|since| since < unpaid.period_end), "{unpaid:?}");
    assert_eq!(app.set_renewal_outcome(provision, "recover").await, "active");
    app.set_renewal_outcome(provision, "cancel").await;
    assert!(app.provider.subscription(&id).await.unwrap().state.cancel_at.is_some());
    app.move_clock(32.0).await;
    assert_eq!(app.provider.subscription(&id).await.unwrap().state.status, SubscriptionStatus::Canceled);
    app.run_jobs().await;
    let reported: Vec<String> = app.events().into_iter().map(|event| event.name).collect();
    for name in ["invoice.payment_failed", "customer.subscription.updated", "customer.subscription.deleted"] {
        assert!(reported.iter().any(|one| one == name), "{name} in {reported:?}");
    }
}

#[tokio::test]
async fn an_unpaid_session_expires_and_its_page_says_so() {
    let app = test_app().await;
    let (_, session) = app.checkout("essentials-monthly").await;
    app.move_clock(1.5).await;
    assert_eq!(app.provider.checkout(&session.id).await.unwrap().status, CheckoutStatus::Expired);
    assert_eq!(app.get(&format!("/sandbox/pay/{}", session.id)).await.0, 410);
    assert_eq!(app.settle(&session.id, "pay").await, "http://127.0.0.1:1/billing/cancelled");
    app.run_jobs().await;
    assert_eq!(app.events()[0].name, "checkout.session.expired");
}

#[tokio::test]
async fn a_subscription_is_ended_and_refunded_once() {
    let app = test_app().await;
    let (_, session) = app.checkout("essentials-monthly").await;
    app.settle(&session.id, "pay").await;
    let id = app.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    app.provider.cancel_and_refund(&id).await.unwrap();
    app.provider.cancel_and_refund(&id).await.unwrap();
    assert_eq!(app.provider.subscription(&id).await.unwrap().state.status, SubscriptionStatus::Canceled);
}

#[tokio::test]
async fn the_portal_shows_what_was_bought_and_ends_it_with_the_period() {
    let app = test_app().await;
    let (_, session) = app.checkout("professional-monthly").await;
    app.settle(&session.id, "pay").await;
    let id = app.provider.checkout(&session.id).await.unwrap().subscription.unwrap();
    let portal =
        app.provider.portal(&app.customer().await, "http://127.0.0.1:1/billing", None).await.unwrap();
    let path = portal.strip_prefix("http://127.0.0.1:1").unwrap();
    let page = app.get(path).await.1;
    assert!(page.contains("Professional Monthly") && page.contains("Cancel at period end"), "{page}");
    assert_eq!(app.form(path, &format!("subscription={id}&action=cancel")).await.0, 303);
    assert!(app.get(path).await.1.contains("Keep the plan"));
    assert_eq!(app.form(path, "subscription=sub_of_another&action=cancel").await.0, 404);
    app.move_clock(0.1).await;
    assert_eq!(app.get(path).await.0, 410, "a portal address works for an hour");
}

#[tokio::test]
async fn the_clock_stays_ahead_over_a_restart_and_never_goes_back() {
    let app = test_app().await;
    let before = app.ambient.now();
    app.move_clock(2.0).await;
    assert_eq!(app.post("/sandbox/api/clock", r#"{"advanceDays":-1}"#).await.0, 400);
    assert!(app.ambient.now() >= before + 2 * DAY);
    let fresh = kernel::OffsetClock::new(std::sync::Arc::new(kernel::SystemClock), 0);
    sandbox::restore_clock(&app.db, &fresh).await.unwrap();
    assert!((kernel::Clock::now(&fresh) - app.ambient.now()).abs() < HOUR);
    let reported = app.get("/sandbox/api/clock").await.1;
    let now: serde_json::Value = serde_json::from_str(&reported).unwrap();
    assert!(from_iso(now["now"].as_str().unwrap()).unwrap() >= before + 2 * DAY, "{}", iso(before));
}

#[tokio::test]
async fn the_inbox_lists_emails_with_clickable_links() {
    let app = test_app().await;
    let link = "http://127.0.0.1:1/authenticate?action=login&code=abc";
    let message = EmailMessage::MagicLink {
        link: link.into(),
        digits: "246802".into(),
        signing_up: false,
        minutes: 10,
        brand: Some(Box::new(mail::Brand {
            name: "<b>".into(),
            logo: None,
            background: "#102030".into(),
            text: "#ffffff".into(),
            button: "#703cd2".into(),
        })),
    };
    for to in ["ada@example.com", "bob@example.com"] {
        let tx = app.db.write_tx().await.unwrap();
        app.mailer.enqueue(&tx, &Email::parse(to).unwrap(), &message).await.unwrap();
        tx.commit().await.unwrap();
    }
    app.run_jobs().await;
    let reported = app.get("/sandbox/api/mails?to=Ada@example.com").await.1;
    let reported: serde_json::Value = serde_json::from_str(&reported).unwrap();
    assert_eq!(reported["data"].as_array().unwrap().len(), 1);
    assert_eq!(reported["data"][0]["links"], serde_json::json!([link]));
    assert_eq!(app.get("/sandbox/api/mails?to=invalid").await.0, 400);
    let list = app.get("/sandbox/mail").await.1;
    assert!(list.contains("bob@example.com") && !list.contains("Sign in to <b>"), "{list}");
    let path = format!("/sandbox/mail/{}", reported["data"][0]["uid"].as_str().unwrap());
    let page = app.get(&path).await.1;
    let shown = "http:&#x2f;&#x2f;127.0.0.1:1&#x2f;authenticate?action=login&amp;code=abc";
    assert!(page.contains(&format!(r#"<a href="{shown}">{shown}</a>"#)), "{page}");
    assert!(app.get(&format!("{path}/html")).await.1.contains(r#"<base target="_top">"#));
    assert_eq!(app.get(&format!("/sandbox/mail/{}", EmailId::nil())).await.0, 404);
}

#[tokio::test]
async fn a_caller_without_the_key_reads_nothing_from_the_provider() {
    let app = test_app().await;
    let (_, session) = app.checkout("essentials-monthly").await;
    assert_eq!(app.get(&format!("/sandbox/stripe/v1/checkout/sessions/{}", session.id)).await.0, 401);
    assert!(matches!(app.provider.checkout("cs_test_none").await, Err(PaymentError::NotFound)));
}

#[tokio::test]
async fn another_machine_sees_nothing_of_the_sandbox() {
    let app = test_app().await;
    for path in ["/sandbox/mail", "/sandbox/api/mails", "/sandbox/clock", "/sandbox"] {
        for peer in ["192.168.1.7", "2001:db8::1", "::ffff:10.0.0.1", "0.0.0.0"] {
            assert_eq!(app.status_from(Some(peer), path).await, 403, "{path} from {peer}");
        }
        assert_eq!(app.status_from(None, path).await, 403, "{path}");
        for peer in ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"] {
            assert!(app.status_from(Some(peer), path).await < 400, "{path} from {peer}");
        }
    }
    assert_eq!(app.status_from(Some("192.168.1.7"), "/sandbox/stripe/v1/customers/cus_1").await, 401);
}

#[tokio::test]
async fn a_page_of_another_site_moves_no_clock_and_pays_nothing() {
    let app = test_app().await;
    let before = app.ambient.now();
    let sent = async |name: &str, value: &str| {
        let request = app.http.post(format!("{}/sandbox/clock", app.base)).header(name, value);
        request.body("days=3").send().await.unwrap().status().as_u16()
    };
    assert_eq!(sent("origin", "https://evil.example").await, 403);
    assert_eq!(sent("origin", "null").await, 403);
    assert_eq!(sent("sec-fetch-site", "cross-site").await, 403);
    assert!(app.ambient.now() - before < DAY, "the clock was moved");
    assert_eq!(sent("origin", test_app::PUBLIC).await, 303);
    assert!(app.ambient.now() - before >= 3 * DAY);
}
