//! What the modules of the sandbox share: database, clock, secrets, prices, addresses.

use db::Db;
use kernel::{Timestamp, Uid};
use payments::Access;

use crate::stripe::Faults;
use crate::stripe::catalogue::Price;
use crate::{Sandbox, SandboxDeps, oidc, pages};

impl Sandbox {
    pub(crate) fn db(&self) -> &Db {
        &self.0.deps.db
    }

    pub(crate) fn deps(&self) -> &SandboxDeps {
        &self.0.deps
    }

    /// Returns the price for which `is_wanted` returns true.
    pub(crate) fn price(&self, is_wanted: impl Fn(&Price) -> bool) -> Option<&Price> {
        self.0.deps.prices.iter().find(|price| is_wanted(price))
    }

    /// Returns the price with this lookup key.
    pub(crate) fn price_of_plan(&self, plan: &str) -> Option<&Price> {
        self.price(|price| price.plan == plan)
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.deps.access
    }

    pub(crate) fn pages(&self) -> &pages::Pages {
        &self.0.pages
    }

    pub(crate) fn openid(&self) -> &oidc::OpenId {
        &self.0.openid
    }

    pub(crate) fn faults(&self) -> &Faults {
        &self.0.faults
    }

    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.0.http
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.deps.ambient.now()
    }

    /// Returns whole seconds since the epoch, the provider's unit.
    pub(crate) fn seconds(&self) -> i64 {
        self.now().seconds()
    }

    /// Creates an id like the provider's: `sub_` and hex digits. Later ids sort after earlier ones.
    pub(crate) fn new_id(&self, prefix: &str) -> String {
        format!("{prefix}_{}", self.0.deps.ambient.uid::<Uid>().simple())
    }

    /// Returns the address of one of our pages.
    pub(crate) fn page(&self, path: &str) -> String {
        format!("{}/sandbox/{path}", self.0.deps.public_url.trim_end_matches('/'))
    }
}
