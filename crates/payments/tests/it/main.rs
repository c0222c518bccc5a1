//! The client against a listener that records its requests.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::IntoResponse;
use kernel::{AccountId, Ambient, ProvisionId, Secret, Timestamp};
use payments::{
    Access, CheckoutStatus, NewCheckout, NewCustomer, PaymentError, Provider, SubscriptionState,
    SubscriptionStatus,
};

type CannedResponse = (u16, &'static str);

#[derive(Clone, Debug)]
struct RecordedRequest {
    line: String,
    headers: HeaderMap,
    body: String,
}

#[derive(Clone, Default)]
struct Listener {
    responses: Arc<Mutex<Vec<CannedResponse>>>,
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
}

impl Listener {
    /// Starts a provider that gives these responses in order.
    async fn with(responses: &[CannedResponse]) -> (Self, Provider) {
        let listener = Self::default();
        *listener.responses.lock().unwrap() = responses.iter().rev().copied().collect();
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/sandbox/stripe", socket.local_addr().unwrap());
        let app = Router::new().fallback(record).with_state(listener.clone());
        tokio::spawn(async move { axum::serve(socket, app).await.unwrap() });
        let access =
            Access { base, secret_key: Secret::new("sk_test_1"), webhook_secret: Secret::new("whsec_1") };
        (listener, Provider::new(access, Ambient::system()).unwrap())
    }

    fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

async fn record(
    State(listener): State<Listener>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> impl IntoResponse {
    let body = String::from_utf8(body.to_vec()).unwrap();
    listener.requests.lock().unwrap().push(RecordedRequest {
        line: format!("{method} {uri}"),
        headers,
        body,
    });
    let (status, text) = listener.responses.lock().unwrap().pop().unwrap_or((418, "{}"));
    (StatusCode::from_u16(status).unwrap(), text)
}

const SESSION: &str = r#"{"id":"cs_1","status":"open","payment_status":"unpaid","url":"https://pay.example/cs_1",
    "expires_at":1795157640,"client_reference_id":"00000000-0000-0000-0000-000000000002","customer":"cus_1"}"#;

fn purchase() -> NewCheckout {
    NewCheckout {
        account: AccountId::from_u128(1),
        provision: ProvisionId::from_u128(2),
        plan: "essentials-monthly".into(),
        customer: "cus_1".into(),
        success_url: "https://v.example/billing/success?provision_id=2".into(),
        cancel_url: "https://v.example/billing/cancelled".into(),
        expires_at: Timestamp::from_ms(1_795_157_640_000),
    }
}

#[tokio::test]
async fn a_checkout_names_price_provision_and_version_and_can_be_repeated() {
    let (listener, provider) =
        Listener::with(&[(200, r#"{"data":[{"id":"price_9"}]}"#), (200, SESSION)]).await;
    let session = provider.create_checkout(&purchase()).await.unwrap();
    assert_eq!((session.id.as_str(), session.status, session.paid), ("cs_1", CheckoutStatus::Open, false));
    assert_eq!(
        (session.provision, session.expires_at),
        (Some(ProvisionId::from_u128(2)), Timestamp::from_ms(1_795_157_640_000))
    );
    let requests = listener.requests();
    assert_eq!(
        requests[0].line,
        "GET /sandbox/stripe/v1/prices?lookup_keys%5B%5D=essentials-monthly&active=true&limit=1"
    );
    assert_eq!(requests[1].line, "POST /sandbox/stripe/v1/checkout/sessions");
    assert_eq!(requests[1].headers["authorization"], "Bearer sk_test_1");
    assert_eq!(requests[1].headers["stripe-version"], payments::STRIPE_VERSION);
    assert_eq!(
        requests[1].headers["idempotency-key"],
        format!("checkout-{}-cus_1", ProvisionId::from_u128(2)).as_str()
    );
    let fields: Vec<(String, String)> =
        url::form_urlencoded::parse(requests[1].body.as_bytes()).into_owned().collect();
    for (name, value) in [
        ("mode", "subscription"),
        ("line_items[0][price]", "price_9"),
        ("client_reference_id", "00000000-0000-0000-0000-000000000002"),
        ("subscription_data[metadata][provision]", "00000000-0000-0000-0000-000000000002"),
        ("expires_at", "1795157640"),
    ] {
        assert!(fields.contains(&(name.into(), value.into())), "{name} in {fields:?}");
    }
}

#[tokio::test]
async fn a_failing_call_is_tried_three_times_with_the_same_key() {
    let (listener, provider) =
        Listener::with(&[(500, "oops"), (429, "{}"), (200, r#"{"id":"cus_7"}"#)]).await;
    let new = NewCustomer {
        account: AccountId::from_u128(1),
        name: "Zoë & Söhne".into(),
        email: Some("a@example.com".into()),
        phone: "call me, but only on weekdays".into(),
    };
    assert_eq!(provider.create_customer(&new, None).await.unwrap(), "cus_7");
    let requests = listener.requests();
    assert_eq!(requests.len(), 3);
    assert!(
        requests.iter().all(|one| one.headers["idempotency-key"] == requests[0].headers["idempotency-key"])
    );
    assert!(!requests[0].body.contains("phone"), "a phone number that Stripe would reject is left out");
}

#[tokio::test]
async fn a_dead_provider_is_unreachable_and_a_rejected_call_is_not_repeated() {
    let (listener, provider) = Listener::with(&[(503, ""), (503, ""), (503, "")]).await;
    assert!(matches!(provider.checkout("cs_1").await, Err(PaymentError::Unreachable(_))));
    assert_eq!(listener.requests().len(), 3);
    let refusal = r#"{"error":{"type":"invalid_request_error","code":"parameter_missing","message":"No."}}"#;
    let (listener, provider) = Listener::with(&[(400, refusal)]).await;
    assert_eq!(
        provider.portal("cus_1", "https://v.example").await,
        Err(PaymentError::Refused { status: 400, code: "parameter_missing".into(), message: "No.".into() })
    );
    assert_eq!(listener.requests().len(), 1);
    let (_, provider) = Listener::with(&[(404, "{}"), (200, "<html>")]).await;
    assert_eq!(provider.subscription("sub_1").await, Err(PaymentError::NotFound));
    assert!(matches!(provider.subscription("sub_1").await, Err(PaymentError::Unreadable(_))));
}

#[test]
fn only_a_refusal_of_what_was_entered_is_shown() {
    let refused =
        |status, code: &str| PaymentError::Refused { status, code: code.into(), message: "No.".into() };
    assert_eq!(refused(400, "email_invalid").refused_details(), Some("No."));
    for error in [
        refused(401, "invalid_request_error"),
        refused(403, "invalid_request_error"),
        refused(400, "idempotency_error"),
        PaymentError::NotFound,
    ] {
        assert_eq!(error.refused_details(), None, "{error}");
    }
}

#[tokio::test]
async fn the_error_about_a_missing_price_names_the_plan() {
    let (_, provider) = Listener::with(&[(200, r#"{"data":[]}"#)]).await;
    let error = provider.create_checkout(&purchase()).await.unwrap_err();
    assert!(error.to_string().contains("essentials-monthly"), "{error}");
}

#[tokio::test]
async fn an_id_cannot_redirect_a_call_to_another_path() {
    let (listener, provider) = Listener::with(&[(404, "{}")]).await;
    let _ = provider.subscription("../customers/cus_1?x=").await;
    assert_eq!(listener.requests()[0].line, "GET /sandbox/stripe/v1/subscriptions/customerscus_1x");
}

#[tokio::test]
async fn an_unwanted_purchase_is_cancelled_and_refunded() {
    let subscription = r#"{"id":"sub_1","status":"active","latest_invoice":"in_1","cancel_at_period_end":false,
        "items":{"data":[{"current_period_end":1795157640}]},"metadata":{}}"#;
    let (listener, provider) = Listener::with(&[
        (200, subscription),
        (200, subscription),
        (200, r#"{"data":[{"payment":{"type":"payment_intent","payment_intent":"pi_1"}}]}"#),
        (400, r#"{"error":{"code":"charge_already_refunded","message":"done before"}}"#),
    ])
    .await;
    provider.cancel_and_refund("sub_1").await.unwrap();
    let lines: Vec<String> = listener.requests().into_iter().map(|one| one.line).collect();
    assert_eq!(
        lines,
        [
            "GET /sandbox/stripe/v1/subscriptions/sub_1",
            "DELETE /sandbox/stripe/v1/subscriptions/sub_1",
            "GET /sandbox/stripe/v1/invoice_payments?invoice=in_1&status=paid",
            "POST /sandbox/stripe/v1/refunds",
        ]
    );
}

#[tokio::test]
async fn a_subscription_is_parsed_in_the_old_and_the_new_shape() {
    let new = r#"{"id":"sub_1","status":"past_due","cancel_at_period_end":false,"cancel_at":15,"customer":{"id":"cus_1"},
        "items":{"data":[{"current_period_end":20,"quantity":2,"price":{"lookup_key":"essentials-annual"}}]},
        "metadata":{"provision":"00000000-0000-0000-0000-000000000002"},"livemode":true}"#;
    let invoices = r#"{"data":[{"created":11,"status":"draft"},{"created":9,"status":"open"},
        {"created":7,"status":"open"},{"created":5,"status":"paid"},{"created":3,"status":"open"}]}"#;
    let old = r#"{"id":"sub_1","status":"active","cancel_at_period_end":true,"current_period_end":30,
        "items":{"data":[{}]}}"#;
    let (listener, provider) = Listener::with(&[(200, new), (200, invoices), (200, old)]).await;
    let found = provider.subscription("sub_1").await.unwrap();
    let expected = SubscriptionState {
        status: SubscriptionStatus::PastDue,
        price_key: Some("essentials-annual".into()),
        quantity: 2,
        period_end: Timestamp::from_seconds(20),
        cancel_at: Some(Timestamp::from_seconds(15)),
        ended_unpaid: false,
        ended_at: None,
        unpaid_since: Some(Timestamp::from_seconds(7)),
        live_mode: true,
    };
    assert_eq!(found.state, expected);
    let asked = "GET /sandbox/stripe/v1/invoices?subscription=sub_1&limit=100";
    assert_eq!(listener.requests()[1].line, asked);
    assert_eq!(
        (found.customer.as_deref(), found.provision),
        (Some("cus_1"), Some(ProvisionId::from_u128(2)))
    );
    let state = provider.subscription("sub_1").await.unwrap().state;
    let end = Timestamp::from_seconds(30);
    assert_eq!((state.period_end, state.cancel_at, state.quantity), (end, Some(end), 1));
    assert_eq!((state.price_key, state.unpaid_since, state.live_mode), (None, None, false));
}
