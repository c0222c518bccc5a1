//! The price list of the sandbox: the plans, with test amounts.

use kernel::{DAY, Timestamp};
use serde_json::{Value, json};
use time::{Month, OffsetDateTime};

/// A price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The plan's id, which is the lookup key.
    pub plan: String,
    /// The plan's title.
    pub title: String,
    /// US cents per period.
    pub cents: i64,
    /// Length of the period in months: 1 or 12.
    pub months: u8,
}

/// The currency of all prices.
pub(crate) const CURRENCY: &str = "usd";

impl Price {
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

    fn price(plan: &str, cents: i64, months: u8) -> Price {
        Price { plan: plan.to_owned(), title: String::new(), cents, months }
    }

    fn end(plan: &str, start: &str) -> String {
        let months = if plan.ends_with("annual") { 12 } else { 1 };
        iso(price(plan, 4_900, months).period_end(from_iso(start).unwrap()))
    }

    #[test]
    fn periods_end_on_the_same_day_or_the_last_of_the_month() {
        assert_eq!(end("essentials-monthly", "2026-11-20T06:54:00Z"), "2026-12-20T06:54:00.000Z");
        assert_eq!(end("essentials-monthly", "2026-12-31T06:54:00Z"), "2027-01-31T06:54:00.000Z");
        assert_eq!(end("essentials-monthly", "2027-01-31T06:54:00Z"), "2027-02-28T06:54:00.000Z");
        assert_eq!(end("professional-annual", "2028-02-29T06:54:00Z"), "2029-02-28T06:54:00.000Z");
    }

    #[test]
    fn amounts_are_grouped() {
        assert_eq!(price("professional-annual", 199_000, 12).amount(), "$1,990.00");
        assert_eq!(price("essentials-monthly", 4_905, 1).amount(), "$49.05");
        assert_eq!(price("essentials-monthly", 4_905, 1).id(), "price_essentials_monthly");
    }
}
