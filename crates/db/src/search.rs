//! Case-insensitive search and sorting of titles. SQLite lowers ASCII only and PostgreSQL depends on its
//! locale, so titles are folded here and the result is stored beside the title.

use sea_orm::sea_query::LikeExpr;

/// Returns the text in lower case, for every script.
pub fn folded(text: &str) -> String {
    // Character by character: `str::to_lowercase` would turn a capital sigma at the end of a word into `ς`.
    // No library of case folding: the result is stored, and full folding turns ß into ss, simple folding
    // leaves İ as it is.
    text.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// Returns a LIKE expression for folded columns that contain `part`. Wildcards in `part` are matched
/// literally.
pub fn contains(part: &str) -> LikeExpr {
    LikeExpr::new(pattern(part)).escape('\\')
}

/// Returns the same pattern as text, for the right side of `LIKE .. ESCAPE '\'`.
pub fn pattern(part: &str) -> String {
    let literal: String = folded(part)
        .chars()
        .flat_map(|c| "%_\\".contains(c).then_some('\\').into_iter().chain([c]))
        .collect();
    format!("%{literal}%")
}

#[cfg(test)]
mod tests {
    use super::{folded, pattern};

    #[test]
    fn wildcards_in_a_search_are_matched_literally() {
        assert_eq!(pattern("50%_É"), "%50\\%\\_é%");
    }

    #[test]
    fn capitals_of_every_script_are_folded() {
        assert_eq!(folded("ÉTÉ Über ЖУК"), "été über жук");
        assert_eq!(folded("ΟΔΟΣ"), folded("οδος"));
        assert!(folded("ΟΔΟΣΑ").contains(&folded("ΟΔΟΣ")));
    }

    #[test]
    fn the_folded_form_matches_what_is_stored_already() {
        assert_eq!(folded("Élodie Özgür Дмитрий"), "élodie özgür дмитрий");
        assert_eq!(folded("Straße STRAẞE İzmir"), "straße straße i\u{307}zmir");
    }
}
