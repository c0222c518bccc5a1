//! Why a plan cannot be bought as asked, and the HTTP answers.

use kernel::Problem;

/// Why a plan cannot be bought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PurchaseError {
    /// The plan is suspended until its open invoice is paid.
    #[error("plan is suspended")]
    PlanSuspended,
    /// The chosen organisation is not one of the account's ended ones.
    #[error("not an ended organization of the account")]
    NotEnded,
    /// The ended organisation of the account returns, so that a new one cannot be chosen.
    #[error("the ended organization returns")]
    Returns,
    /// The provider answered without the price of any plan.
    #[error("no plan has a price at the payment provider")]
    NoPrices,
}

impl From<PurchaseError> for Problem {
    fn from(error: PurchaseError) -> Self {
        match error {
            PurchaseError::PlanSuspended => Self::conflict(
                "plan_suspended",
                "Your plan is suspended because an invoice is unpaid. Pay the open invoice to restore it.",
            ),
            PurchaseError::NotEnded => Self::field(
                "organisation",
                "organisation_not_ended",
                "Choose one of your organizations whose plan has ended.",
            ),
            PurchaseError::Returns => Self::field(
                "organisation",
                "organisation_returns",
                "Your ended organization returns with the plan. Only an agency account can add a new one.",
            ),
            PurchaseError::NoPrices => Self::new(
                502,
                "no_prices",
                "The plans have no prices at the payment provider. Contact the administrator of this server.",
            ),
        }
    }
}
