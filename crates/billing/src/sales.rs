//! What is sold, and by whom.

use payments::Provider;

use crate::{FreePlan, Plans};

/// What is sold, and by whom.
#[derive(Clone)]
pub struct Sales {
    /// The plans that can be bought.
    pub plans: Plans,
    /// `None` if payment is off.
    pub provider: Option<Provider>,
    /// What accounts get if payment is off.
    pub free_plan: FreePlan,
}

impl Sales {
    /// Returns what accounts get, if payment is off.
    pub(crate) fn free_plan(&self) -> Option<FreePlan> {
        self.provider.is_none().then_some(self.free_plan)
    }
}
