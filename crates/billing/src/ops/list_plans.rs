//! `GET /plans`.

use axum::Json;
use axum::extract::State;
use httpkit::{ApiResult, List};
use kernel::Problem;
use serde::Serialize;

use crate::Billing;
use crate::offers::Offer;
use crate::plans::{Interval, Limits};

/// A plan that can be bought.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanOut {
    /// Id of the plan, which starts a checkout.
    id: String,
    /// Name of the plan, as shown to buyers.
    title: String,
    /// How often it is paid.
    interval: Interval,
    /// What it costs per interval; null while the payment provider cannot be reached.
    price: Option<PriceOut>,
    /// What it allows.
    limits: LimitsOut,
}

/// An amount of money.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PriceOut {
    /// In the smallest unit of the currency, such as cents.
    amount: i64,
    /// ISO code of the currency, in lower case.
    currency: String,
}

/// What a plan allows; null means unlimited.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LimitsOut {
    /// Bytes of all files.
    storage_bytes: Option<u64>,
    /// Bytes of one file.
    file_bytes: Option<u64>,
    /// Staff, including pending invitations.
    staff_seats: Option<u64>,
    /// People who joined the app.
    app_users: Option<u64>,
    /// Months of history available in reports.
    analytics_months: Option<u32>,
}

/// List the plans
///
/// Smallest first, with prices as the payment provider has them. Empty if payment is turned off.
#[utoipa::path(get, path = "/plans", tag = "billing", responses(
    (status = 200, body = List<PlanOut>), (status = 502, body = Problem),
))]
pub async fn list_plans(State(billing): State<Billing>) -> ApiResult<Json<List<PlanOut>>> {
    Ok(Json(billing.offers().await?.into_iter().map(PlanOut::from).collect()))
}

impl From<Offer<'_>> for PlanOut {
    fn from(Offer { plan, price }: Offer<'_>) -> Self {
        Self {
            id: plan.id.clone(),
            title: plan.title.clone(),
            interval: plan.interval,
            price: price.map(|price| PriceOut { amount: price.amount, currency: price.currency }),
            limits: plan.limits.into(),
        }
    }
}

impl From<Limits> for LimitsOut {
    fn from(limits: Limits) -> Self {
        let Limits { storage_bytes, file_bytes, staff_seats, app_users, analytics_months } = limits;
        Self { storage_bytes, file_bytes, staff_seats, app_users, analytics_months }
    }
}
