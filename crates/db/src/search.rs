//! Case-insensitive search and sorting. SQLite lowers ASCII only and PostgreSQL depends on its locale, so texts
//! are folded here and the result is stored beside the text: as a whole, or word by word for an index.

use std::collections::BTreeSet;

use sea_orm::sea_query::LikeExpr;

/// Characters of a word that are stored and compared.
const WORD_MAX: usize = 60;

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

/// Returns the words of a folded text, for an index of words. Each part of a word from a punctuation mark on, or
/// after one, is a word as well, so that `example` and `@example` find `ada@example.com`; in scripts that are
/// written without spaces, the part from each character on.
pub fn words(folded: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for word in folded.split_whitespace() {
        let mut before = None;
        for (at, c) in word.char_indices() {
            if before.is_none_or(|before| starts_word(before, c)) {
                words.insert(word[at..].chars().take(WORD_MAX).collect());
            }
            before = Some(c);
        }
    }
    words
}

/// Returns whether a word starts at `c`, which follows `before`.
fn starts_word(before: char, c: char) -> bool {
    !before.is_alphanumeric() || !c.is_alphanumeric() || is_written_without_spaces(c)
}

/// Returns whether a character belongs to Japanese, Chinese or Korean, where names have no spaces.
fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..)
}

/// Returns the beginnings of words that a search asks for: a text is found if it has a word for each of them.
pub fn word_prefixes(search: &str) -> BTreeSet<String> {
    folded(search).split_whitespace().map(|word| word.chars().take(WORD_MAX).collect()).collect()
}

/// The words that begin with a prefix, as the bounds of a range of bytes: from the first, up to but without the
/// second. Bytes are compared alike by both engines, text is not.
pub fn word_range(prefix: &str) -> [Vec<u8>; 2] {
    let from = prefix.as_bytes().to_vec();
    // No UTF-8 contains this byte.
    let to = [from.as_slice(), &[0xff]].concat();
    [from, to]
}

#[cfg(test)]
mod tests {
    use super::{folded, pattern, word_prefixes, word_range, words};

    fn finds(search: &str, text: &str) -> bool {
        let words = words(&folded(text));
        word_prefixes(search).iter().all(|prefix| {
            let [from, to] = word_range(prefix);
            words.iter().any(|word| from.as_slice() <= word.as_bytes() && word.as_bytes() < to.as_slice())
        })
    }

    #[test]
    fn words_are_found_by_their_beginning_in_any_order() {
        let text = "Ada Lovelace\nada.l@example.com\nAnalytical Engines";
        for search in
            ["ada", "LOVE", "engines ada", "ada.l@ex", "l@example", "@example", "example.com", ".com", ""]
        {
            assert!(finds(search, text), "{search}");
        }
        for search in ["velace", "xample", "ada bob", "lovelaces"] {
            assert!(!finds(search, text), "{search}");
        }
        assert!(finds("100%", "the 100%_ club") && finds("_", "the 100%_ club"));
    }

    #[test]
    fn every_script_is_found() {
        assert!(finds("élo", "Élodie Özil") && finds("иван", "Дмитрий Иванов"));
        assert!(finds("小明", "王小明") && finds("민수", "김민수") && finds("田中", "山田中"));
        assert!(finds("\u{10ffff}", "\u{10ffff}x"), "the last character");
    }

    #[test]
    fn long_words_are_cut_in_text_and_search_alike() {
        let long = "é".repeat(500);
        assert_eq!(words(&long).first().map(|word| word.chars().count()), Some(60));
        assert!(finds(&long, &long) && finds(&long[..100], &long));
    }

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
