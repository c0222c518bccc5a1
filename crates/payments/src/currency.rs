//! In which unit the provider counts amounts.

/// Currencies that are counted in whole units.
const WHOLE: [&str; 15] =
    ["bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf"];
/// Currencies that are counted in thousandths. All others are counted in hundredths, also those that people write
/// without decimals, as the Icelandic króna.
const THOUSANDTHS: [&str; 5] = ["bhd", "jod", "kwd", "omr", "tnd"];

/// Returns how many decimals an amount of the currency has; `currency` is its lower-case ISO 4217 code.
pub fn decimals_of(currency: &str) -> u32 {
    match currency {
        _ if WHOLE.contains(&currency) => 0,
        _ if THOUSANDTHS.contains(&currency) => 3,
        _ => 2,
    }
}
