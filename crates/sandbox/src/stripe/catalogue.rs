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
    /// What a period costs, in the currency's smallest unit.
    pub amount: i64,
    /// ISO code of the currency, in lower case.
    pub currency: String,
    /// Length of the period in months: 1 or 12.
    pub months: u8,
}

impl Price {
    /// Returns the id, such as `price_essentials_monthly`.
    pub(crate) fn id(&self) -> String {
        format!("price_{}", self.plan.replace('-', "_"))
    }

    /// Returns the id of the product.
    pub(crate) fn product(&self) -> String {
        format!("prod_{}", self.plan.replace('-', "_"))
    }

    fn unit(&self) -> &'static str {
        if self.months == 1 { "month" } else { "year" }
    }

    /// Returns `every month` or `every year`.
    pub(crate) fn interval(&self) -> &'static str {
        if self.months == 1 { "every month" } else { "every year" }
    }

    /// Formats the amount, such as `$49.00`.
    pub(crate) fn shown(&self) -> String {
        money(self.amount, &self.currency)
    }

    /// Returns the object as the API shows it.
    pub(crate) fn object(&self, created: i64) -> Value {
        json!({
            "id": self.id(), "object": "price", "active": true, "billing_scheme": "per_unit", "created": created,
            "currency": self.currency, "custom_unit_amount": null, "livemode": false, "lookup_key": self.plan,
            "metadata": {}, "nickname": self.title, "product": self.product(),
            "recurring": {
                "interval": self.unit(), "interval_count": 1,
                "usage_type": "licensed", "meter": null, "trial_period_days": null,
            },
            "tax_behavior": "unspecified", "tiers_mode": null, "transform_quantity": null, "type": "recurring",
            "unit_amount": self.amount, "unit_amount_decimal": self.amount.to_string(),
        })
    }

    /// Returns the price in the older form that subscription items also have.
    pub(crate) fn plan_object(&self, created: i64) -> Value {
        json!({
            "id": self.id(), "object": "plan", "active": true, "amount": self.amount,
            "amount_decimal": self.amount.to_string(), "billing_scheme": "per_unit", "created": created,
            "currency": self.currency, "interval": self.unit(), "interval_count": 1, "livemode": false,
            "metadata": {}, "meter": null, "nickname": self.title, "product": self.product(), "tiers_mode": null,
            "transform_usage": null, "trial_period_days": null, "usage_type": "licensed",
        })
    }

    /// Returns the product as the API shows it.
    pub(crate) fn product_object(&self, created: i64) -> Value {
        json!({
            "id": self.product(), "object": "product", "active": true, "created": created, "updated": created,
            "default_price": self.id(), "description": null, "images": [], "livemode": false,
            "marketing_features": [], "metadata": {}, "name": self.title, "package_dimensions": null,
            "shippable": null, "statement_descriptor": null, "tax_code": null, "tax_details": null, "type": "service",
            "unit_label": null, "url": null,
        })
    }

    /// Returns the end of the period that contains `at`. Periods are counted from the anchor, so that one of the
    /// 31st ends on the last day of a shorter month and returns to the 31st after it.
    pub(crate) fn period_end(&self, anchor: Timestamp, at: Timestamp) -> Timestamp {
        let months = i32::from(self.months.max(1));
        let ends = utc(anchor).zip(utc(at)).and_then(|(anchor, at)| {
            let between = (at.year() - anchor.year()) * 12 + i32::from(u8::from(at.month()))
                - i32::from(u8::from(anchor.month()));
            let first = (between / months - 1).max(0);
            (first..first + 4).filter_map(|period| later(anchor, period * months)).find(|end| *end > at)
        });
        ends.map_or(at + 30 * DAY, |end| Timestamp::from_seconds(end.unix_timestamp()))
    }
}

fn utc(at: Timestamp) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(at.seconds()).ok()
}

/// Returns the same day some months later, or that month's last day.
fn later(from: OffsetDateTime, months: i32) -> Option<OffsetDateTime> {
    let month = i32::from(u8::from(from.month())) - 1 + months;
    let year = from.year() + month.div_euclid(12);
    let month = Month::try_from(u8::try_from(month.rem_euclid(12) + 1).ok()?).ok()?;
    let day = from.day().min(month.length(year));
    let date = time::Date::from_calendar_date(year, month, day).ok()?;
    Some(from.replace_date(date))
}

/// Formats an amount for people: `$1,990.00`, `49.05 CHF`, `5,000 JPY`.
pub(crate) fn money(amount: i64, currency: &str) -> String {
    let sign = if amount < 0 { "-" } else { "" };
    let amount = amount.unsigned_abs();
    let decimals = payments::decimals_of(currency);
    let unit = 10_u64.pow(decimals);
    let whole = amount / unit;
    let minor = match decimals {
        0 => String::new(),
        _ => format!(".{:0width$}", amount % unit, width = decimals as usize),
    };
    let mut grouped = String::new();
    let digits = whole.to_string();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match currency {
        "usd" => format!("{sign}${grouped}{minor}"),
        "eur" => format!("{sign}€{grouped}{minor}"),
        "gbp" => format!("{sign}£{grouped}{minor}"),
        other => format!("{sign}{grouped}{minor} {}", other.to_uppercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{from_iso, iso};

    fn price(plan: &str, amount: i64, months: u8) -> Price {
        Price { plan: plan.to_owned(), title: String::new(), amount, currency: "usd".to_owned(), months }
    }

    /// Returns the days on which the periods from an anchor end.
    fn ends(months: u8, anchor: &str, periods: usize) -> Vec<String> {
        let anchor = from_iso(anchor).unwrap();
        let price = price("a", 4_900, months);
        let next = |at: &Timestamp| Some(price.period_end(anchor, *at));
        let ends = std::iter::successors(Some(anchor), next).skip(1).take(periods);
        ends.map(|end| iso(end).replace("T06:54:00.000Z", "")).collect()
    }

    #[test]
    fn a_period_ends_on_the_anchors_day_or_the_last_of_the_month() {
        let ends_of_months = ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"];
        assert_eq!(ends(1, "2027-01-31T06:54:00Z", 4), ends_of_months);
        assert_eq!(ends(1, "2026-11-20T06:54:00Z", 3), ["2026-12-20", "2027-01-20", "2027-02-20"]);
        let leap = ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"];
        assert_eq!(ends(12, "2028-02-29T06:54:00Z", 4), leap);
        assert_eq!(ends(1, "2028-01-30T06:54:00Z", 2), ["2028-02-29", "2028-03-30"]);
    }

    #[test]
    fn a_period_that_began_between_two_anchors_ends_at_the_next_one() {
        let anchor = from_iso("2027-01-31T06:54:00Z").unwrap();
        let end = price("a", 1, 1).period_end(anchor, from_iso("2029-07-04T00:00:00Z").unwrap());
        assert_eq!(iso(end), "2029-07-31T06:54:00.000Z");
        let end = price("a", 1, 12).period_end(anchor, from_iso("2029-01-31T06:54:00Z").unwrap());
        assert_eq!(iso(end), "2030-01-31T06:54:00.000Z");
    }

    #[test]
    fn amounts_have_the_units_of_their_currency() {
        assert_eq!(price("professional-annual", 199_000, 12).shown(), "$1,990.00");
        assert_eq!(money(-4_905, "eur"), "-€49.05");
        assert_eq!(money(4_905, "chf"), "49.05 CHF");
        assert_eq!(money(1_250_000, "jpy"), "1,250,000 JPY");
        assert_eq!(price("essentials-monthly", 4_905, 1).id(), "price_essentials_monthly");
    }
}
