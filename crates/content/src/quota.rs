//! Checks files against the storage limits of the plan.

use db::WriteTx;
use kernel::OrgId;

use crate::{Content, Error, store};

/// Checks that the plan allows a file of `size` bytes, and `more` bytes in addition to what is charged
/// already.
pub async fn check_quota(
    content: &Content,
    tx: &WriteTx,
    org: OrgId,
    size: u64,
    more: u64,
) -> Result<(), Error> {
    let Some(quota) = &content.quota else { return Ok(()) };
    let limits = quota.limits(tx, org).await?;
    if size > limits.file_bytes {
        return Err(Error::FileTooLarge);
    }
    let Some(total) = limits.total_bytes else { return Ok(()) };
    let now = content.ambient.now();
    let mut charged = store::object::charged(tx, org, now).await?;
    for other in quota.sharing(tx, org).await? {
        charged = charged.saturating_add(store::object::charged(tx, other, now).await?);
    }
    if charged.saturating_add(more) > total { Err(Error::QuotaExceeded) } else { Ok(()) }
}
