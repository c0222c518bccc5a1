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
/// The most parts of a path of `expand`.
const EXPAND_MAX: usize = 5;

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
        // The objects that the part of the path leads to, in lists all of them.
        let mut found = vec![&mut answer];
        for (depth, part) in parts.iter().enumerate() {
            let mut next = Vec::new();
            for one in found {
                let inner = one.get_mut(*part).filter(|_| depth < EXPAND_MAX);
                let inner = inner.ok_or_else(|| refused(&path))?;
                if let Some(id) = inner.as_str()
                    && let Some(object) = find(sandbox, id).await?
                {
                    *inner = object;
                }
                match inner {
                    Value::Array(all) => next.extend(all),
                    Value::Null => {}
                    inner => next.push(inner),
                }
            }
            found = next;
        }
        if found.iter().any(|one| !one.is_object()) {
            return Err(refused(&path));
        }
    }
    Ok(answer)
}

/// Returns the object with this id.
async fn find(sandbox: &Sandbox, id: &str) -> Result<Option<Value>, StripeError> {
    if let Some(price) = sandbox.price(|price| price.id() == id) {
        return Ok(Some(price.object(sandbox.seconds())));
    }
    if let Some(price) = sandbox.price(|price| price.product() == id) {
        return Ok(Some(price.product_object(sandbox.seconds())));
    }
    Ok(store::by_any_id(sandbox.db().read(), id).await?.map(|object| object.body))
}

fn refused(path: &str) -> StripeError {
    StripeError::invalid("", format!("This property cannot be expanded ({path})."))
}
