//! The page with the plans, for installations without a pricing page of their own. It has no scripts.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use minijinja::{AutoEscape, Environment, Value, context};
use payments::Price;

use crate::Billing;
use crate::offers::Offer;
use crate::plans::{GIB, Interval, Limits};

/// Currencies without a smaller unit.
const WHOLE: [&str; 16] = [
    "bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof",
    "xpf",
];

/// Returns the route of the page.
pub fn routes(billing: Billing) -> Router {
    Router::new().route("/pricing", get(page)).with_state(billing)
}

async fn page(State(billing): State<Billing>) -> Response {
    let offers = billing.offers().await;
    let has = |interval| offers.iter().any(|offer| offer.plan.interval == interval);
    let switchable = has(Interval::Month) && has(Interval::Year);
    let plans: Vec<Value> = offers.iter().map(|offer| values(offer, &offers)).collect();
    match render(context! { product => kernel::PRODUCT, plans, switchable }) {
        Ok(html) => {
            let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
            (headers, html).into_response()
        }
        Err(error) => httpkit::ApiError(httpkit::unexpected(&error)).into_response(),
    }
}

fn render(values: Value) -> Result<String, minijinja::Error> {
    let mut env = Environment::new();
    env.set_auto_escape_callback(|_| AutoEscape::Html);
    env.add_template("pricing.html", include_str!("templates/pricing.html"))?;
    env.get_template("pricing.html")?.render(values)
}

fn values(offer: &Offer<'_>, all: &[Offer<'_>]) -> Value {
    let plan = offer.plan;
    context! {
        id => plan.id.as_str(), title => plan.title.as_str(), yearly => plan.interval == Interval::Year,
        price => offer.price.as_ref().map(amount), saving => saving(offer, all), allows => allows(plan.limits),
    }
}

/// Returns what a year costs less than twelve months of the same plan.
fn saving(yearly: &Offer<'_>, all: &[Offer<'_>]) -> Option<String> {
    let price = yearly.price.as_ref().filter(|_| yearly.plan.interval == Interval::Year)?;
    let monthly = all.iter().filter(|offer| offer.plan.interval == Interval::Month);
    let same = monthly.filter(|offer| offer.plan.limits == yearly.plan.limits);
    let month =
        same.filter_map(|offer| offer.price.as_ref()).find(|month| month.currency == price.currency)?;
    let saved = month.amount.checked_mul(12)?.checked_sub(price.amount)?;
    (saved > 0).then(|| amount(&Price { amount: saved, ..price.clone() }))
}

/// Returns the amount as people write it: `$1,990`, `49.50 CHF`.
fn amount(price: &Price) -> String {
    let is_whole = WHOLE.contains(&price.currency.as_str());
    let (units, cents) = if is_whole { (price.amount, 0) } else { (price.amount / 100, price.amount % 100) };
    let fraction = if cents == 0 { String::new() } else { format!(".{cents:02}") };
    let number = format!("{}{fraction}", grouped(units.unsigned_abs()));
    match price.currency.as_str() {
        "usd" => format!("${number}"),
        "eur" => format!("€{number}"),
        "gbp" => format!("£{number}"),
        other => format!("{number} {}", other.to_uppercase()),
    }
}

/// Returns what the plan allows, one line each.
fn allows(limits: Limits) -> Vec<String> {
    let size = |bytes: u64| match bytes / GIB {
        gb if gb >= 1_024 && gb.is_multiple_of(1_024) => format!("{} TB", gb / 1_024),
        gb => format!("{gb} GB"),
    };
    let number = |count: Option<u64>, one: &str, many: &str| match count {
        None => format!("Any number of {many}"),
        Some(1) => format!("1 {one}"),
        Some(count) => format!("{} {many}", grouped(count)),
    };
    vec![
        limits
            .storage_bytes
            .map_or("Any amount of storage".to_owned(), |bytes| format!("{} of storage", size(bytes))),
        limits
            .file_bytes
            .map_or("Files of any size".to_owned(), |bytes| format!("Files up to {}", size(bytes))),
        number(limits.staff_seats, "staff seat", "staff seats"),
        number(limits.app_users, "app user", "app users"),
        limits.analytics_months.map_or("Unlimited analytics history".to_owned(), |months| {
            format!("{months} months of analytics")
        }),
    ]
}

/// Returns the number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::Plan;

    #[test]
    fn amounts_have_the_units_of_their_currency() {
        let shown = |amount_: i64, currency: &str| {
            amount(&Price { amount: amount_, currency: currency.to_owned(), ..Price::default() })
        };
        assert_eq!(shown(4_900, "usd"), "$49");
        assert_eq!(shown(199_050, "eur"), "€1,990.50");
        assert_eq!(shown(4_905, "chf"), "49.05 CHF");
        assert_eq!(shown(1_250_000, "jpy"), "1,250,000 JPY");
    }

    #[test]
    fn a_year_saves_what_twelve_months_of_the_same_plan_cost_more() {
        let plan = |id: &str, interval, storage| Plan {
            id: id.to_owned(),
            title: String::new(),
            interval,
            sandbox_price: 0,
            sandbox_currency: String::new(),
            limits: Limits { storage_bytes: Some(storage), ..Limits::NONE },
        };
        let price = |amount, currency: &str| {
            Some(Price { amount, currency: currency.to_owned(), ..Price::default() })
        };
        let month = plan("month", Interval::Month, 1);
        let (year, larger) = (plan("year", Interval::Year, 1), plan("larger", Interval::Year, 2));
        let saved = |plan, yearly| {
            saving(&Offer { plan, price: yearly }, &[Offer { plan: &month, price: price(4_900, "usd") }])
        };
        assert_eq!(saved(&year, price(49_000, "usd")).as_deref(), Some("$98"));
        assert_eq!(saved(&year, price(58_800, "usd")), None, "nothing is saved");
        assert_eq!(saved(&year, price(49_000, "eur")), None, "another currency");
        assert_eq!(saved(&year, None), None);
        assert_eq!(saved(&larger, price(49_000, "usd")), None, "another plan");
        assert_eq!(saved(&month, price(4_900, "usd")), None);
    }

    #[test]
    fn limits_are_lines_of_text() {
        let limits = Limits {
            storage_bytes: Some(2_048 * GIB),
            file_bytes: Some(20 * GIB),
            staff_seats: Some(1),
            app_users: Some(100_000),
            analytics_months: None,
        };
        let lines = [
            "2 TB of storage",
            "Files up to 20 GB",
            "1 staff seat",
            "100,000 app users",
            "Unlimited analytics history",
        ];
        assert_eq!(allows(limits), lines);
        assert_eq!(allows(Limits::NONE)[..2], ["Any amount of storage", "Files of any size"]);
    }
}
