//! The price list of the sandbox: the four plans, with test amounts.

use kernel::{DAY, Timestamp};
use serde_json::{Value, json};
use time::{Month, OffsetDateTime};

/// A price.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Price {
    /// The plan's id, which is the lookup key.
    pub(crate) plan: &'static str,
    /// The plan's title.
    pub(crate) title: &'static str,
    /// US cents per period.
    pub(crate) cents: i64,
    /// Length of the period in months: 1 or 12.
    pub(crate) months: u8,
}

const PRICES: [Price; 4] = [
    Price { plan: "essentials-monthly", title: "Essentials Monthly", cents: 4_900, months: 1 },
    Price { plan: "essentials-annual", title: "Essentials Annual", cents: 49_000, months: 12 },
    Price { plan: "professional-monthly", title: "Professional Monthly", cents: 19_900, months: 1 },
    Price { plan: "professional-annual", title: "Professional Annual", cents: 199_000, months: 12 },
];

/// The currency of all prices.
pub(crate) const CURRENCY: &str = "usd";

impl Price {
    /// Returns the price with this lookup key.
    pub(crate) fn of_plan(plan: &str) -> Option<&'static Self> {
        PRICES.iter().find(|price| price.plan == plan)
    }

    /// Returns the price with this id.
    pub(crate) fn by_id(id: &str) -> Option<&'static Self> {
        PRICES.iter().find(|price| price.id() == id)
    }

    /// Returns the id, such as `price_essentials_monthly`.
    pub(crate) fn id(&self) -> String {
        format!("price_{}", self.plan.replace('-', "_"))
    }

    /// Returns `every month` or `every year`.
    pub(crate) fn interval(&self) -> &'static str {
        if self.months == 1 { "every month" } else { "every year" }
    }

    /// Formats the amount, such as `$49.00`.
    pub(crate) fn amount(&self) -> String {
        let whole = self.cents / 100;
        let grouped = if whole >= 1_000 {
            format!("{},{:03}", whole / 1_000, whole % 1_000)
        } else {
            whole.to_string()
        };
        format!("${grouped}.{:02}", self.cents % 100)
    }

    /// Returns the object as the API shows it.
    pub(crate) fn object(&self, created: i64) -> Value {
        json!({
            "id": self.id(), "object": "price", "active": true, "billing_scheme": "per_unit", "created": created,
            "currency": CURRENCY, "livemode": false, "lookup_key": self.plan, "metadata": {},
            "nickname": self.title, "product": format!("prod_{}", self.plan.replace('-', "_")),
            "recurring": {
                "interval": if self.months == 1 { "month" } else { "year" }, "interval_count": 1,
                "usage_type": "licensed", "meter": null, "trial_period_days": null,
            },
            "tax_behavior": "unspecified", "type": "recurring", "unit_amount": self.cents,
            "unit_amount_decimal": self.cents.to_string(),
        })
    }

    /// Returns the end of a period that starts at `start`: the same day of a later month, or that month's
    /// last day.
    pub(crate) fn period_end(&self, start: Timestamp) -> Timestamp {
        let Ok(at) = OffsetDateTime::from_unix_timestamp(start.seconds()) else {
            return start + 30 * DAY;
        };
        let months = u8::from(at.month()) - 1 + self.months;
        let year = at.year() + i32::from(months / 12);
        let Ok(month) = Month::try_from(months % 12 + 1) else { return start + 30 * DAY };
        let day = at.day().min(month.length(year));
        at.date()
            .replace_day(1)
            .and_then(|date| date.replace_month(month))
            .and_then(|date| date.replace_year(year))
            .and_then(|date| date.replace_day(day))
            .map_or(start + 30 * DAY, |date| Timestamp::from_seconds(at.replace_date(date).unix_timestamp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{from_iso, iso};

    fn end(plan: &str, start: &str) -> String {
        iso(Price::of_plan(plan).unwrap().period_end(from_iso(start).unwrap()))
    }

    #[test]
    fn periods_end_on_the_same_day_or_the_last_of_the_month() {
        assert_eq!(end("essentials-monthly", "2026-11-20T06:54:00Z"), "2026-12-20T06:54:00.000Z");
        assert_eq!(end("essentials-monthly", "2026-12-31T06:54:00Z"), "2027-01-31T06:54:00.000Z");
        assert_eq!(end("essentials-monthly", "2027-01-31T06:54:00Z"), "2027-02-28T06:54:00.000Z");
        assert_eq!(end("professional-annual", "2028-02-29T06:54:00Z"), "2029-02-28T06:54:00.000Z");
    }

    #[test]
    fn each_plan_has_one_price_found_both_ways() {
        for price in &PRICES {
            assert_eq!(Price::of_plan(price.plan), Price::by_id(&price.id()));
        }
        assert_eq!(Price::of_plan("professional-annual").unwrap().amount(), "$1,990.00");
        assert_eq!(Price::of_plan("free"), None);
    }
}
