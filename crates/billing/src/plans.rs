//! The plans that can be bought, and what they allow: data of one file, the shipped one or the operator's.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use kernel::{DAY, Millis, Timestamp};
use serde::{Deserialize, Serialize};

use crate::provision::Provision;

/// How long a purchase keeps its plan after the provider's price became unknown.
const GRACE: Millis = 14 * DAY;
/// A gigabyte, in which the file gives sizes.
pub const GIB: u64 = 1 << 30;
/// Longest id and title, in characters.
const TEXT_MAX: usize = 60;

/// What a plan allows. `None` means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all stored files.
    pub storage_bytes: Option<u64>,
    /// Bytes of a single file.
    pub file_bytes: Option<u64>,
    /// Staff, including pending invites.
    pub staff_seats: Option<u64>,
    /// People who joined the app.
    pub app_users: Option<u64>,
    /// Months of analytics shown.
    pub analytics_months: Option<u32>,
}

impl Limits {
    /// Everything unlimited.
    pub const NONE: Self = Self {
        storage_bytes: None,
        file_bytes: None,
        staff_seats: None,
        app_users: None,
        analytics_months: None,
    };
}

/// How often a plan is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    /// Every month.
    Month,
    /// Every year.
    Year,
}

impl Interval {
    /// Parses the provider's word; other periods have none here.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "month" => Some(Self::Month),
            "year" => Some(Self::Year),
            _ => None,
        }
    }
}

/// A plan that can be bought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Its id, which is also the lookup key of its price at the provider.
    pub id: String,
    /// Shown to people.
    pub title: String,
    /// How often it is paid.
    pub interval: Interval,
    /// What it costs in the sandbox, in the currency's smallest unit.
    pub sandbox_price: u32,
    /// ISO code of the sandbox's currency, in lower case.
    pub sandbox_currency: String,
    /// What it allows.
    pub limits: Limits,
}

/// A plan as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanEntry {
    id: String,
    title: String,
    interval: Interval,
    #[serde(default)]
    sandbox_price: u32,
    #[serde(default = "us_dollars")]
    sandbox_currency: String,
    storage_gb: Option<u32>,
    file_gb: Option<u32>,
    staff_seats: Option<u32>,
    app_users: Option<u32>,
    analytics_months: Option<u32>,
}

fn us_dollars() -> String {
    "usd".to_owned()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    plan: Vec<PlanEntry>,
}

/// All plans, smallest first. Clones share them.
#[derive(Clone, Debug)]
pub struct Plans(Arc<[Plan]>);

impl Plans {
    /// Reads the plans from this file, or the shipped ones if the path is empty. Fails with a sentence that names the
    /// file and what is wrong in it.
    pub fn load(path: &str) -> Result<Self, String> {
        if path.is_empty() {
            return Self::parse(include_str!("plans.toml"));
        }
        let text = std::fs::read_to_string(Path::new(path))
            .map_err(|error| format!("VITRINE_PLANS_FILE: {path} cannot be read: {error}."))?;
        Self::parse(&text).map_err(|error| format!("VITRINE_PLANS_FILE: {path}: {error}"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: PlanFile = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut ids = BTreeSet::new();
        for plan in &file.plan {
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if plan.id.is_empty() || plan.id.len() > TEXT_MAX || !plan.id.chars().all(is_word) {
                return Err(format!(
                    "the id {:?} must have 1 to {TEXT_MAX} lower-case letters, digits and hyphens.",
                    plan.id
                ));
            }
            if !ids.insert(plan.id.as_str()) {
                return Err(format!("there are two plans with the id {:?}.", plan.id));
            }
            if plan.title.trim().is_empty() || plan.title.chars().count() > TEXT_MAX {
                return Err(format!("the title of {:?} must have 1 to {TEXT_MAX} characters.", plan.id));
            }
            let code = plan.sandbox_currency.as_bytes();
            if code.len() != 3 || !code.iter().all(u8::is_ascii_lowercase) {
                return Err(format!("the sandbox_currency of {:?} must have 3 lower-case letters.", plan.id));
            }
        }
        if file.plan.is_empty() {
            return Err("there must be a plan.".to_owned());
        }
        Ok(Self(file.plan.into_iter().map(Plan::from).collect()))
    }

    /// Returns all plans, smallest first.
    pub fn all(&self) -> &[Plan] {
        &self.0
    }

    /// Returns the plan with this id.
    pub fn get(&self, id: &str) -> Option<&Plan> {
        self.0.iter().find(|plan| plan.id == id)
    }

    /// Returns the plan that one of these keys of a price names.
    pub fn named<'a>(&self, keys: &'a [String]) -> Option<&'a String> {
        keys.iter().find(|key| self.get(key).is_some())
    }

    /// Returns the title of a plan; one that is no longer in the file has its id for a title.
    pub fn title<'a>(&'a self, id: &'a str) -> &'a str {
        self.get(id).map_or(id, |plan| &plan.title)
    }

    /// Returns the limits of the smallest plan.
    pub fn smallest(&self) -> Limits {
        self.0.first().map_or(Limits::NONE, |plan| plan.limits)
    }

    /// Returns the limits of a purchase at `now`. A price that is unknown leaves the last known plan for 14 days; after
    /// that, and without a plan that is in the file, the limits are those of the smallest.
    pub fn limits_of(&self, provision: &Provision, now: Timestamp) -> Limits {
        let is_lost = provision.price_unknown_since.is_some_and(|since| since + GRACE <= now);
        let plan = provision.plan.as_deref().and_then(|id| self.get(id));
        plan.filter(|_| !is_lost).map_or_else(|| self.smallest(), |plan| plan.limits)
    }
}

impl From<PlanEntry> for Plan {
    fn from(entry: PlanEntry) -> Self {
        let bytes = |gb: Option<u32>| gb.map(|gb| u64::from(gb) * GIB);
        Self {
            limits: Limits {
                storage_bytes: bytes(entry.storage_gb),
                file_bytes: bytes(entry.file_gb),
                staff_seats: entry.staff_seats.map(u64::from),
                app_users: entry.app_users.map(u64::from),
                analytics_months: entry.analytics_months,
            },
            id: entry.id,
            title: entry.title,
            interval: entry.interval,
            sandbox_price: entry.sandbox_price,
            sandbox_currency: entry.sandbox_currency,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_plans_are_those_of_the_contract() {
        let plans = Plans::load("").unwrap();
        let shown: Vec<_> = plans.all().iter().map(|plan| (plan.id.as_str(), plan.title.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("essentials-monthly", "Essentials Monthly"),
                ("essentials-annual", "Essentials Annual"),
                ("professional-monthly", "Professional Monthly"),
                ("professional-annual", "Professional Annual"),
            ]
        );
        let essentials = Limits {
            storage_bytes: Some(250 * GIB),
            file_bytes: Some(5 * GIB),
            staff_seats: Some(5),
            app_users: Some(1_000),
            analytics_months: Some(13),
        };
        assert_eq!(plans.smallest(), essentials);
        let professional = plans.get("professional-annual").unwrap();
        assert_eq!((professional.limits.staff_seats, professional.limits.analytics_months), (Some(50), None));
        assert_eq!((professional.interval, professional.sandbox_price), (Interval::Year, 199_000));
        assert_eq!(professional.sandbox_currency, "usd");
        assert_eq!((plans.get("free"), plans.title("free")), (None, "free"));
    }

    #[test]
    fn a_wrong_file_is_refused_with_what_is_wrong() {
        let plan = |id: &str| format!("[[plan]]\nid = \"{id}\"\ntitle = \"A\"\ninterval = \"month\"\n");
        assert!(Plans::parse(&plan("a")).is_ok());
        for (text, part) in [
            (String::new(), "missing field `plan`"),
            ("plan = []".to_owned(), "there must be a plan"),
            (plan("A b"), "lower-case letters"),
            (plan("a") + &plan("a"), "two plans with the id \"a\""),
            (plan("a") + "seats = 5\n", "unknown field `seats`"),
            (plan("a") + "staff_seats = -5\n", "invalid value"),
            (plan("a") + "sandbox_currency = \"EUR\"\n", "the sandbox_currency of \"a\""),
            (plan("a").replace("\"A\"", "\" \""), "the title of \"a\""),
            (plan("a").replace("month", "week"), "unknown variant `week`"),
        ] {
            let error = Plans::parse(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        let missing = Plans::load("/nowhere/plans.toml").unwrap_err();
        assert!(missing.contains("VITRINE_PLANS_FILE: /nowhere/plans.toml cannot be read"), "{missing}");
    }
}
