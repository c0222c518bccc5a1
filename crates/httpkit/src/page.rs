//! JSON lists (`{data: […]}`), paging with `startAfter`, and query fields.

use kernel::{Keyset, PAGE_DEFAULT, PAGE_MAX, Problem, Timestamp, Uid};
use serde::{Deserialize, Serialize};

/// A page of a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct List<T: utoipa::ToSchema> {
    /// Rows of the page, in order.
    pub data: Vec<T>,
}

impl<T: utoipa::ToSchema> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        Self { data: rows.into_iter().collect() }
    }
}

/// Paging parameters of a query string. Do not flatten it into other structs, or utoipa omits its fields.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// uid of the last row of the previous page.
    pub start_after: Option<String>,
    /// Number of rows, 1 to 100. The default is 20.
    #[param(value_type = Option<u32>)]
    pub limit: Option<String>,
}

impl PageQuery {
    /// Parses both parameters.
    ///
    /// # Errors
    /// Fails with 400 if `startAfter` is not a uid or `limit` is out of range.
    pub fn keyset(&self) -> Result<Keyset, Problem> {
        let start_after = match self.start_after.as_deref() {
            None | Some("") => None,
            Some(text) => Some(parse_uid("startAfter", text)?),
        };
        let limit = match self.limit.as_deref() {
            None => PAGE_DEFAULT,
            Some(text) => {
                text.parse().ok().filter(|limit| (1..=PAGE_MAX).contains(limit)).ok_or_else(|| {
                    Problem::field("limit", "invalid_limit", "limit must be a number from 1 to 100.")
                })?
            }
        };
        Ok(Keyset { start_after, limit })
    }
}

/// Maximum length of a search, in characters: the database rejects very long patterns.
const SEARCH_MAX: usize = 200;

/// Parses a search; a blank one searches for nothing.
///
/// # Errors
/// Fails with 400 if the search has more than 200 characters.
pub fn search_text(search: Option<String>) -> Result<Option<String>, Problem> {
    let Some(text) = search.as_deref().map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if text.chars().count() > SEARCH_MAX {
        let message = format!("Use at most {SEARCH_MAX} characters to search.");
        return Err(Problem::field("search", "too_long", message));
    }
    Ok(Some(text.to_owned()))
}

/// Parses an ISO 8601 time in a query or body field.
///
/// # Errors
/// Fails with 400 naming the field.
pub fn parse_time(field: &'static str, text: &str) -> Result<Timestamp, Problem> {
    kernel::from_iso(text)
        .ok_or_else(|| Problem::field(field, "invalid_time", format!("{field} must be an ISO 8601 time.")))
}

/// Parses a uid in a query or body field.
///
/// # Errors
/// Fails with 400 naming the field.
pub fn parse_uid<T: From<Uid>>(field: &'static str, text: &str) -> Result<T, Problem> {
    Uid::parse_str(text)
        .map(T::from)
        .map_err(|_| Problem::field(field, "invalid_uid", format!("{field} is not a valid uid.")))
}

/// Parses the query parameter `orgId`, which must be given.
///
/// # Errors
/// Fails with 400 naming the field.
pub fn parse_org_id<T: From<Uid>>(text: Option<&str>) -> Result<T, Problem> {
    let given = text.filter(|text| !text.is_empty());
    parse_uid("orgId", given.ok_or_else(|| Problem::field("orgId", "no_org", "No orgId"))?)
}
