//! A search for people by the words of their profiles, for statements that list people of an organisation.

use db::search::{word_prefixes, word_range};
use kernel::OrgId;
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

/// Words of a search that count.
const WORDS_MAX: usize = 10;
/// Most people with a word for which they are read at once.
const FEW: i64 = 500;
/// Most people with a word for which each of them is looked up.
const RARE: i64 = 50;
/// Most people with the rarest word for whom the other words are looked up one by one. If there are more, it is
/// faster to read the people of each word and to intersect them.
const LOOKED_UP_MAX: i64 = FEW * 4;

/// How many words of an organisation's people a search stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matches {
    /// None; the search finds no one.
    None,
    /// One.
    One,
    /// More, or the search has several beginnings of words.
    Several,
}

/// The beginnings of words that a person must have. People who neither are members nor consent are found by their
/// display name only.
#[derive(Clone, Debug)]
pub struct WordSearch {
    org: OrgId,
    /// Rarest first, once they are ranked.
    prefixes: Vec<String>,
    /// The only word that the search stands for, once it is looked up.
    word: Option<Vec<u8>>,
    /// How many people have the rarest word, as far as they are counted.
    fewest: Option<i64>,
    /// Whether many people have the rarest word, once they are ranked further.
    is_common: bool,
}

impl WordSearch {
    /// Parses a search. Returns `None` if it has no words, and so finds everyone.
    pub fn of(org: OrgId, search: &str) -> Option<Self> {
        let prefixes: Vec<String> = word_prefixes(search).into_iter().take(WORDS_MAX).collect();
        (!prefixes.is_empty()).then_some(Self { org, prefixes, word: None, fewest: None, is_common: false })
    }

    /// Looks up the words that the search stands for. If there is one, the index has its people in the order of their ids.
    pub async fn look_up(&mut self, conn: &impl ConnectionTrait) -> Result<Matches, DbErr> {
        let [prefix] = self.prefixes.as_slice() else { return Ok(Matches::Several) };
        let [low, high] = word_range(prefix);
        let statement = Statement::from_sql_and_values(
            conn.get_database_backend(),
            "SELECT (SELECT word FROM org_person_word WHERE org = $1 AND word >= $2 AND word < $3 \
             ORDER BY word LIMIT 1), \
             (SELECT word FROM org_person_word WHERE org = $1 AND word >= $2 AND word < $3 \
             ORDER BY word DESC LIMIT 1)",
            [self.org.into(), low.into(), high.into()],
        );
        let Some(row) = conn.query_one_raw(statement).await? else { return Ok(Matches::None) };
        let first: Option<Vec<u8>> = row.try_get_by_index(0)?;
        let last: Option<Vec<u8>> = row.try_get_by_index(1)?;
        if first != last {
            return Ok(Matches::Several);
        }
        self.word = first;
        Ok(if self.word.is_some() { Matches::One } else { Matches::None })
    }

    /// Finds the rarest word. Returns whether few people have it; if not, the first people of a list often fill the
    /// page.
    pub async fn rank(&mut self, conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
        Ok(self.rarest_first(conn, FEW).await? <= FEW)
    }

    /// Returns whether so few people have the rarest word that each of them is looked up faster than all are joined.
    pub fn is_rare(&self) -> bool {
        self.fewest.is_some_and(|people| people <= RARE)
    }

    /// Finds the rarest word among those that many people have, and decides how people with all words are found.
    pub async fn rank_further(&mut self, conn: &impl ConnectionTrait) -> Result<(), DbErr> {
        if self.prefixes.len() > 1 {
            self.is_common = self.rarest_first(conn, LOOKED_UP_MAX).await? > LOOKED_UP_MAX;
        }
        Ok(())
    }

    /// Sorts the beginnings of words by the number of rows of the index, of which it counts up to `max`. Returns the
    /// lowest count.
    async fn rarest_first(&mut self, conn: &impl ConnectionTrait, max: i64) -> Result<i64, DbErr> {
        let mut counted = Vec::with_capacity(self.prefixes.len());
        for prefix in std::mem::take(&mut self.prefixes) {
            let [low, high] = word_range(&prefix);
            let statement = Statement::from_sql_and_values(
                conn.get_database_backend(),
                "SELECT COUNT(*) FROM (SELECT 1 FROM org_person_word \
                 WHERE org = $1 AND word >= $2 AND word < $3 LIMIT $4) few",
                [self.org.into(), low.into(), high.into(), (max + 1).into()],
            );
            let row = conn.query_one_raw(statement).await?;
            let count: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
            counted.push((count, prefix));
        }
        counted.sort();
        let fewest = counted.first().map_or(0, |(count, _)| *count);
        self.fewest = Some(fewest);
        self.prefixes = counted.into_iter().map(|(_, prefix)| prefix).collect();
        Ok(fewest)
    }

    /// Returns the conditions by which the person in the column `person` has all words, each with `AND` before it, and
    /// appends their values to those of the statement.
    pub fn conditions(&self, person: &str, values: &mut Vec<Value>) -> String {
        let org = bound(self.org.into(), values);
        has_words(&org, person, &self.prefixes, values)
    }

    /// Returns a statement that selects the people who have all words; a person may occur more than once. Appends its
    /// values to those of the statement around it.
    ///
    /// It is materialized, because PostgreSQL would otherwise read all words of the organisation in the order of its
    /// people if the word is common elsewhere.
    pub fn people(&self, values: &mut Vec<Value>) -> String {
        let org = bound(self.org.into(), values);
        if let Some(word) = &self.word {
            let word = bound(word.clone().into(), values);
            return format!("SELECT f.person FROM org_person_word f WHERE f.org = {org} AND f.word = {word}");
        }
        let having = |prefix: &String, values: &mut Vec<Value>| {
            let in_range = in_range("f", prefix, values);
            format!("SELECT f.person FROM org_person_word f WHERE f.org = {org} AND {in_range}")
        };
        let found = match self.prefixes.split_first() {
            None => return String::new(),
            Some((rarest, others)) if !self.is_common => {
                let rarest = having(rarest, values);
                format!("{rarest} {}", has_words(&org, "f.person", others, values))
            }
            Some(_) => {
                let each: Vec<String> = self.prefixes.iter().map(|prefix| having(prefix, values)).collect();
                each.join(" INTERSECT ")
            }
        };
        format!("WITH found AS MATERIALIZED ({found}) SELECT person FROM found")
    }
}

/// Appends a value and returns its placeholder.
fn bound(value: Value, values: &mut Vec<Value>) -> String {
    values.push(value);
    format!("${}", values.len())
}

/// Returns the conditions by which a person has a word with each of these beginnings. They are asked of one
/// row after the other, until the page is full: PostgreSQL would turn EXISTS into a join with everyone who has the word.
fn has_words(org: &str, person: &str, prefixes: &[String], values: &mut Vec<Value>) -> String {
    let has_word = |prefix: &String| {
        let in_range = in_range("w", prefix, values);
        format!(
            "AND (SELECT 1 FROM org_person_word w \
             WHERE w.org = {org} AND w.person = {person} AND {in_range} LIMIT 1) IS NOT NULL"
        )
    };
    prefixes.iter().map(has_word).collect::<Vec<_>>().join(" ")
}

/// Returns the condition by which a row of the index has a word with this beginning.
fn in_range(row: &str, prefix: &str, values: &mut Vec<Value>) -> String {
    let [low, high] = word_range(prefix).map(Value::from);
    let (low, high) = (bound(low, values), bound(high, values));
    format!("{row}.word >= {low} AND {row}.word < {high}")
}
