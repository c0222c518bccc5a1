//! Lists by page, and references that are expanded to the objects.

use serde_json::Value;

use super::fields::Fields;
use super::{CallResult, StripeError, objects};
use crate::Sandbox;
use crate::store::{self, Object};

/// Objects on a page, unless the call says how many.
const PAGE: usize = 10;
/// The most objects on a page.
const PAGE_MAX: usize = 100;
/// The most references in a path of `expand`.
const EXPAND_MAX: usize = 4;

/// Returns a page of the objects, which are newest first.
pub(super) fn page(path: &str, objects: Vec<Object>, query: &Fields) -> CallResult {
    let limit = match query.get("limit") {
        None => PAGE,
        Some(text) => text.parse().ok().filter(|limit| (1..=PAGE_MAX).contains(limit)).ok_or_else(|| {
            StripeError::invalid("parameter_invalid_integer", format!("limit must be from 1 to {PAGE_MAX}."))
        })?,
    };
    let mut objects = objects;
    if let Some(after) = query.get("starting_after") {
        let Some(at) = objects.iter().position(|object| object.id == after) else {
            return Err(StripeError::invalid("resource_missing", format!("No such object: '{after}'")));
        };
        objects.drain(..=at);
    }
    let has_more = objects.len() > limit;
    let data = objects.into_iter().take(limit).map(|object| object.body).collect();
    Ok(objects::list(path, data, has_more))
}

/// Replaces the ids at the paths of `expand` by the objects.
pub(super) async fn expand(sandbox: &Sandbox, mut answer: Value, fields: &Fields) -> CallResult {
    let paths: Vec<String> = fields.indexed("expand").map(str::to_owned).collect();
    for path in paths {
        let parts: Vec<&str> = path.split('.').collect();
        if parts.len() > EXPAND_MAX {
            return Err(refused(&path));
        }
        match parts.split_first() {
            Some((&"data", rest)) => {
                let data = answer["data"].as_array_mut().ok_or_else(|| refused(&path))?;
                for one in data {
                    expand_one(sandbox, one, rest, &path).await?;
                }
            }
            _ => expand_one(sandbox, &mut answer, &parts, &path).await?,
        }
    }
    Ok(answer)
}

async fn expand_one(
    sandbox: &Sandbox,
    root: &mut Value,
    parts: &[&str],
    path: &str,
) -> Result<(), StripeError> {
    let mut at = root;
    for part in parts {
        if at.is_null() {
            return Ok(());
        }
        at = at.get_mut(*part).ok_or_else(|| refused(path))?;
        let found = match at.as_str() {
            Some(id) => store::by_any_id(sandbox.db().read(), id).await?,
            None => None,
        };
        if let Some(found) = found {
            *at = found.body;
        }
    }
    if at.is_null() || at.is_object() { Ok(()) } else { Err(refused(path)) }
}

fn refused(path: &str) -> StripeError {
    StripeError::invalid("", format!("This property cannot be expanded ({path})."))
}
