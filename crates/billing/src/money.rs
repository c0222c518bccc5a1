//! Amounts and numbers as readers of a language write them.

use http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use payments::Price;

/// Between an amount and its currency, and between thousands in some languages.
const NBSP: &str = "\u{a0}";
const THIN: &str = "\u{202f}";

/// How numbers and amounts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberStyle {
    /// Between thousands.
    group: &'static str,
    /// Digits before the first separator of thousands.
    least: usize,
    decimal: char,
    is_currency_first: bool,
    /// Between a symbol and the amount.
    gap: &'static str,
    dollar: &'static str,
}

/// American English.
pub const DEFAULT: NumberStyle =
    NumberStyle { group: ",", least: 1, decimal: '.', is_currency_first: true, gap: "", dollar: "$" };

impl NumberStyle {
    /// Returns the style of the language that the reader likes best, of those that are known; American English if
    /// there is none.
    pub fn of(headers: &HeaderMap) -> Self {
        let header = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let mut wanted: Vec<(&str, f32)> = header.split(',').filter_map(weighed).collect();
        wanted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        wanted.into_iter().find_map(|(tag, _)| Self::of_tag(&tag.to_ascii_lowercase())).unwrap_or(DEFAULT)
    }

    fn of_tag(tag: &str) -> Option<Self> {
        let (language, region) = tag.split_once('-').unwrap_or((tag, ""));
        let abroad = Self { dollar: "US$", ..DEFAULT };
        let last = Self { group: ".", decimal: ',', is_currency_first: false, gap: NBSP, ..abroad };
        let spaced = Self { group: NBSP, ..last };
        Some(match language {
            "en" if matches!(region, "" | "us") => DEFAULT,
            "en" | "zh" | "ko" | "he" | "th" => abroad,
            "ja" => Self { dollar: "$", ..abroad },
            "de" if matches!(region, "ch" | "li") => {
                Self { group: "’", decimal: '.', is_currency_first: true, dollar: "$", ..last }
            }
            "de" if region == "at" => Self { group: NBSP, is_currency_first: true, dollar: "$", ..last },
            "de" => Self { dollar: "$", ..last },
            "fr" => Self { group: THIN, dollar: "$US", ..last },
            "nl" | "tr" => Self { is_currency_first: true, ..last },
            "pt" if region == "pt" => Self { least: 2, ..spaced },
            "pt" => Self { is_currency_first: true, ..last },
            "es" if matches!(region, "" | "es") => Self { least: 2, ..last },
            "es" => abroad,
            "pl" => Self { least: 2, ..spaced },
            "it" | "da" | "id" | "el" | "ro" | "sl" | "hr" => last,
            "nb" | "no" | "nn" | "sv" | "fi" | "cs" | "sk" | "hu" | "uk" | "ru" | "bg" | "et" | "lv"
            | "lt" => spaced,
            _ => return None,
        })
    }

    /// Returns the amount with its currency; whole amounts have no decimals: `$1,990`, `1.990,50 €`.
    pub fn amount(self, price: &Price) -> String {
        self.money(price.amount, &price.currency)
    }

    /// Returns an amount in the smallest unit of its currency, as [`Self::amount`].
    pub fn money(self, amount: i64, code: &str) -> String {
        let digits = payments::decimals_of(code);
        let unit = 10_u64.pow(digits);
        let amount = amount.unsigned_abs();
        let mut number = self.number(amount / unit);
        if !amount.is_multiple_of(unit) {
            number.push(self.decimal);
            number.push_str(&format!("{:0width$}", amount % unit, width = digits as usize));
        }
        let symbol = match code {
            "usd" => Some(self.dollar),
            "eur" => Some("€"),
            "gbp" => Some("£"),
            _ => None,
        };
        let gap = if symbol.is_some() { self.gap } else { NBSP };
        let currency = symbol.map_or_else(|| code.to_uppercase(), str::to_owned);
        if self.is_currency_first { currency + gap + &number } else { number + gap + &currency }
    }

    /// Returns the number with separators of thousands.
    pub fn number(self, number: u64) -> String {
        let digits = number.to_string();
        let mut text = String::new();
        for (index, digit) in digits.chars().enumerate() {
            let is_boundary = index > 0 && (digits.len() - index).is_multiple_of(3);
            if is_boundary && digits.len() >= 3 + self.least {
                text.push_str(self.group);
            }
            text.push(digit);
        }
        text
    }
}

/// Returns a language of the header and how much it is wanted.
fn weighed(part: &str) -> Option<(&str, f32)> {
    let (tag, weight) = part.split_once(';').unwrap_or((part, ""));
    let weight = weight.trim().strip_prefix("q=").map_or(Some(1.0), |q| q.parse().ok())?;
    (weight > 0.0).then_some((tag.trim(), weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(languages: &str) -> NumberStyle {
        NumberStyle::of(&HeaderMap::from_iter([(ACCEPT_LANGUAGE, languages.parse().unwrap())]))
    }

    fn shown(languages: &str, amount: i64, currency: &str) -> String {
        let price = Price { amount, currency: currency.to_owned(), ..Price::default() };
        style(languages).amount(&price).replace(['\u{a0}', '\u{202f}'], "_")
    }

    #[test]
    fn amounts_have_the_units_of_the_provider() {
        for (amount, currency, expected) in [
            (4_900, "usd", "$49"),
            (199_050, "eur", "€1,990.50"),
            (4_905, "chf", "CHF_49.05"),
            (1_250_000, "jpy", "JPY_1,250,000"),
            (49_500, "kwd", "KWD_49.500"),
            (49_000, "bhd", "BHD_49"),
            (590_000, "isk", "ISK_5,900"),
            (18_500_000, "ugx", "UGX_185,000"),
        ] {
            assert_eq!(shown("en-US", amount, currency), expected);
        }
    }

    #[test]
    fn amounts_are_written_as_in_the_language_of_the_reader() {
        for (languages, expected) in [
            ("en-GB,en;q=0.9", "US$1,990.50"),
            ("de-DE", "1.990,50_$"),
            ("de-CH", "$_1’990.50"),
            ("de-AT", "$_1_990,50"),
            ("fr", "1_990,50_$US"),
            ("nl", "US$_1.990,50"),
            ("es", "1990,50_US$"),
            ("es-MX", "US$1,990.50"),
            ("pt-BR", "US$_1.990,50"),
            ("sv-SE", "1_990,50_US$"),
            ("ja", "$1,990.50"),
            ("xx, it;q=0.5, en;q=0.4", "1.990,50_US$"),
            ("en;q=0.4, it;q=0.5", "1.990,50_US$"),
            ("it;q=0, tlh", "$1,990.50"),
            ("", "$1,990.50"),
            ("it;q=much", "$1,990.50"),
        ] {
            assert_eq!(shown(languages, 199_050, "usd"), expected, "{languages}");
        }
        assert_eq!(style("es").number(19_900), "19.900");
        assert_eq!(style("en").number(1_234_567), "1,234,567");
    }
}
