//! The page with the plans, for installations without a pricing page of their own. It has no scripts.

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::HeaderMap;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use minijinja::{AutoEscape, Environment, Value, context};
use payments::Price;

use crate::Billing;
use crate::money::NumberStyle;
use crate::offers::Offer;
use crate::plans::{GIB, Interval, Limits};

/// Returns the route of the page.
pub fn routes(billing: Billing) -> Router {
    Router::new().route("/pricing", get(page)).with_state(billing)
}

async fn page(State(billing): State<Billing>, headers: HeaderMap) -> Response {
    let style = NumberStyle::of(&headers);
    // Without prices there is nothing to buy, which the page says too, but not that payment is off.
    let (offers, is_off) = (billing.offers().await.unwrap_or_default(), billing.provider.is_none());
    let has = |interval| offers.iter().any(|offer| offer.plan.interval == interval);
    let switchable = has(Interval::Month) && has(Interval::Year);
    let plans: Vec<Value> = offers.iter().map(|offer| values(offer, &offers, style)).collect();
    match render(context! { product => kernel::PRODUCT, plans, is_off, switchable, rows => ROWS }) {
        Ok(html) => {
            let headers = [
                (CONTENT_TYPE, "text/html; charset=utf-8"),
                (CACHE_CONTROL, "no-cache"),
                (VARY, "accept-language"),
            ];
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

fn values(offer: &Offer<'_>, all: &[Offer<'_>], style: NumberStyle) -> Value {
    let plan = offer.plan;
    // The largest plan of an interval has the filled button.
    let largest = all.iter().rev().find(|other| other.plan.interval == plan.interval);
    context! {
        id => plan.id.as_str(), title => plan.title.as_str(), yearly => plan.interval == Interval::Year,
        price => offer.price.as_ref().map(|price| style.amount(price)), saving => saving(offer, all, style),
        allows => allows(plan.limits, style), cells => cells(plan.limits, style),
        filled => largest.is_some_and(|largest| largest.plan.id == plan.id),
    }
}

/// Returns what a year costs less than twelve months of the same plan.
fn saving(yearly: &Offer<'_>, all: &[Offer<'_>], style: NumberStyle) -> Option<String> {
    let price = yearly.price.as_ref().filter(|_| yearly.plan.interval == Interval::Year)?;
    let monthly = all.iter().filter(|offer| offer.plan.interval == Interval::Month);
    let same = monthly.filter(|offer| offer.plan.limits == yearly.plan.limits);
    let month =
        same.filter_map(|offer| offer.price.as_ref()).find(|month| month.currency == price.currency)?;
    let saved = month.amount.checked_mul(12)?.checked_sub(price.amount).filter(|saved| *saved > 0)?;
    Some(match (saved / month.amount, saved % month.amount) {
        (1, 0) => "1 month free".to_owned(),
        (months, 0) => format!("{months} months free"),
        _ => format!("Saves {}", style.amount(&Price { amount: saved, ..price.clone() })),
    })
}

fn size(bytes: u64) -> String {
    match bytes / GIB {
        gb if gb >= 1_024 && gb.is_multiple_of(1_024) => format!("{} TB", gb / 1_024),
        gb => format!("{gb} GB"),
    }
}

/// Returns what the plan allows, one line each.
fn allows(limits: Limits, style: NumberStyle) -> Vec<String> {
    let number = |count: Option<u64>, one: &str, many: &str| match count {
        None => format!("Any number of {many}"),
        Some(1) => format!("1 {one}"),
        Some(count) => format!("{} {many}", style.number(count)),
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

/// The rows of the comparison.
const ROWS: [&str; 5] = ["Storage", "Size of a file", "Staff seats", "App users", "Analytics history"];

/// Returns what the plan allows, for each of the [`ROWS`].
fn cells(limits: Limits, style: NumberStyle) -> [String; 5] {
    let unlimited = || "Unlimited".to_owned();
    let number = |count: Option<u64>| count.map_or_else(unlimited, |count| style.number(count));
    [
        limits.storage_bytes.map_or_else(unlimited, size),
        limits.file_bytes.map_or_else(unlimited, size),
        number(limits.staff_seats),
        number(limits.app_users),
        limits.analytics_months.map_or_else(unlimited, |months| format!("{months} months")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::Plan;

    fn english() -> NumberStyle {
        NumberStyle::of(&HeaderMap::new())
    }

    #[test]
    fn without_plans_the_page_tells_whether_payment_is_off() {
        let page = |is_off| {
            render(context! { product => "V", plans => Vec::<Value>::new(), is_off, rows => ROWS }).unwrap()
        };
        assert!(page(true).contains("Payment is turned off on this server."));
        assert!(page(false).contains("The prices are missing.") && !page(false).contains("turned off"));
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
            let all = [Offer { plan: &month, price: price(4_900, "usd") }];
            saving(&Offer { plan, price: yearly }, &all, english())
        };
        assert_eq!(saved(&year, price(49_000, "usd")).as_deref(), Some("2 months free"));
        assert_eq!(saved(&year, price(53_900, "usd")).as_deref(), Some("1 month free"));
        assert_eq!(saved(&year, price(50_000, "usd")).as_deref(), Some("Saves $88"));
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
        assert_eq!(allows(limits, english()), lines);
        let in_table = ["2 TB", "20 GB", "1", "100,000", "Unlimited"];
        assert_eq!(cells(limits, english()), in_table);
        assert_eq!(allows(Limits::NONE, english())[..2], ["Any amount of storage", "Files of any size"]);
    }
}
