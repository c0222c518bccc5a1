//! A search for people by the words of their profiles, for statements that list people of an organisation.

use db::search::{word_prefixes, word_range};
use kernel::OrgId;
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

/// Words of a search that count.
const WORDS_MAX: usize = 10;
/// Most people with a word for which they are read at once.
const FEW: i64 = 500;
/// Rows of the index that are counted at most, to find the rarest word among common ones.
const COUNT_MAX: i64 = FEW * 64;

/// The beginnings of words that a person must have. People who neither are members nor consent are found by their
/// display name only.
#[derive(Clone, Debug)]
pub struct WordSearch {
    org: OrgId,
    /// Rarest first, once they are ranked.
    prefixes: Vec<String>,
}

impl WordSearch {
    /// Parses a search. Returns `None` if it has no words, and so finds everyone.
    pub fn of(org: OrgId, search: &str) -> Option<Self> {
        let prefixes: Vec<String> = word_prefixes(search).into_iter().take(WORDS_MAX).collect();
        (!prefixes.is_empty()).then_some(Self { org, prefixes })
    }

    /// Finds the rarest word. Returns whether few people have it; if not, the first people of a list often fill the
    /// page.
    pub async fn rank(&mut self, conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
        Ok(self.rarest_first(conn, FEW).await? <= FEW)
    }

    /// Finds the rarest word among those that many people have.
    pub async fn rank_further(&mut self, conn: &impl ConnectionTrait) -> Result<(), DbErr> {
        let mut max = FEW;
        while self.prefixes.len() > 1 && max < COUNT_MAX {
            max *= 8;
            if self.rarest_first(conn, max).await? <= max {
                break;
            }
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
        self.prefixes = counted.into_iter().map(|(_, prefix)| prefix).collect();
        Ok(fewest)
    }

    /// Returns the conditions by which the person in the column `person` has all words, each with `AND` before it, and
    /// appends their values to those of the statement.
    pub fn conditions(&self, person: &str, values: &mut Vec<Value>) -> String {
        let org = bound(self.org.into(), values);
        has_words(&org, person, &self.prefixes, values)
    }

    /// Returns a statement that selects the people who have all words, from those who have the first one; a person may
    /// occur more than once. Appends its values to those of the statement around it.
    pub fn people(&self, values: &mut Vec<Value>) -> String {
        let org = bound(self.org.into(), values);
        let Some((rarest, others)) = self.prefixes.split_first() else { return String::new() };
        let in_range = in_range("f", rarest, values);
        let has_others = has_words(&org, "f.person", others, values);
        format!("SELECT f.person FROM org_person_word f WHERE f.org = {org} AND {in_range} {has_others}")
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
