//! What a customer does in the billing portal: pay, change card or plan, end the plan or keep it.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use httpkit::ApiError;

use super::card::Card;
use super::portal::{Portal, expired_page, page};
use crate::Sandbox;
use crate::api::problem;
use crate::store::{Kind, Object};
use crate::stripe::plan_change::{self, Proration};
use crate::stripe::{Fields, Step, StripeError, customer, invoice, schedule, subscription};

pub(super) async fn submit(
    State(sandbox): State<Sandbox>,
    Path(session): Path<String>,
    body: Bytes,
) -> Response {
    let portal = match Portal::find(&sandbox, &session).await {
        Ok(Some(portal)) => portal,
        Ok(None) => return expired_page(&sandbox),
        Err(refused) => return ApiError(problem(refused)).into_response(),
    };
    let fields = Fields::parse(&body);
    if fields.get("action") == Some("card") {
        let card = Card::of(&fields);
        if let Err(errors) = card.check(sandbox.now()) {
            return page(&sandbox, &portal, "", &card, Some(&errors)).await;
        }
    }
    let notice = match apply(&sandbox, &portal, &fields).await {
        Ok(notice) => notice,
        Err(StripeError::Declined | StripeError::DeclinedWithoutEffect) => "declined",
        Err(StripeError::Rejected { status: 400, code: "", .. }) => "not-payable",
        Err(refused) => return ApiError(problem(refused)).into_response(),
    };
    Redirect::to(&format!("/sandbox/portal/{session}?notice={notice}")).into_response()
}

/// Applies the action. Returns the word of the notice that follows.
async fn apply(sandbox: &Sandbox, portal: &Portal, fields: &Fields) -> Result<&'static str, StripeError> {
    let tx = sandbox.db().write_tx().await?;
    let step = Step::now(sandbox, &tx);
    let done = match fields.get("action") {
        Some("pay") => pay(step, portal, fields).await,
        Some("card") => {
            check(portal.allows("payment_method_update"))?;
            customer::replace_card(step, portal.customer(), &Card::of(fields).new_card()).await?;
            Ok("card")
        }
        Some("plan") => change_plan(step, portal, fields).await,
        Some("release") => {
            schedule::release_of(step, &mut own(step, portal, fields).await?).await?;
            Ok("released")
        }
        Some("cancel") => set_end(step, portal, fields, true).await,
        Some("keep") => set_end(step, portal, fields, false).await,
        _ => Err(StripeError::missing("action")),
    };
    // A payment that was tried and declined is on the invoice.
    if matches!(done, Ok(_) | Err(StripeError::Declined)) {
        tx.commit().await?;
    }
    done
}

async fn pay(step: Step<'_>, portal: &Portal, fields: &Fields) -> Result<&'static str, StripeError> {
    let id = fields.get("invoice").unwrap_or_default();
    let found = step.find(Kind::Invoice, id).await?;
    check(found.body["customer"] == portal.customer())?;
    invoice::pay_now(step, id, &Fields::parse(b"")).await?;
    Ok("paid")
}

/// Changes the plan: at once, or at the end of the period if that is configured for this change.
async fn change_plan(step: Step<'_>, portal: &Portal, fields: &Fields) -> Result<&'static str, StripeError> {
    let mut one = own(step, portal, fields).await?;
    let price = step.price(fields.get("price").unwrap_or_default())?;
    check(portal.offers(price))?;
    let old = step.price_of(&one.body)?;
    schedule::release_of(step, &mut one).await?;
    if portal.waits(old, price) {
        schedule::change_at_period_end(step, &mut one, price).await?;
        return Ok("scheduled");
    }
    plan_change::apply(step, &mut one, price, Proration::Invoiced, true).await?;
    Ok("plan")
}

/// Plans the end of a subscription, or takes it back.
async fn set_end(
    step: Step<'_>,
    portal: &Portal,
    fields: &Fields,
    ends: bool,
) -> Result<&'static str, StripeError> {
    check(portal.allows("subscription_cancel"))?;
    let mut one = own(step, portal, fields).await?;
    if ends {
        schedule::release_of(step, &mut one).await?;
    }
    let before = one.body.clone();
    let at = ends.then(|| subscription::period(&one.body).1);
    subscription::set_cancel_at(&mut one, step.seconds(), at, false);
    step.save_and_emit("customer.subscription.updated", &one, &before).await?;
    Ok(if ends { "ends" } else { "kept" })
}

/// Returns the subscription of the form, if it is the customer's.
async fn own(step: Step<'_>, portal: &Portal, fields: &Fields) -> Result<Object, StripeError> {
    let one = subscription::find_live(step, fields.get("subscription").unwrap_or_default()).await?;
    check(one.owner == portal.customer())?;
    Ok(one)
}

/// Answers as if there was no such thing, unless the customer may do this.
fn check(is_allowed: bool) -> Result<(), StripeError> {
    if is_allowed { Ok(()) } else { Err(StripeError::missing("record")) }
}
