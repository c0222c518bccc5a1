//! Checks files against the storage limits of the plan.

use db::WriteTx;
use kernel::{OrgId, PlanLimit, Problem};

use crate::reject_reason::RejectReason;
use crate::{Content, Error, store};

/// How a file exceeds what the plan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OverPlan {
    /// The file is too large.
    #[error("a file of {size} bytes, where {allowed} are allowed")]
    File { size: u64, allowed: u64 },
    /// The storage has no room for it.
    #[error("{used} of {allowed} bytes are used, and the file needs {size}")]
    Storage { size: u64, used: u64, allowed: u64 },
}

impl OverPlan {
    /// Returns the reason to reject the upload.
    pub fn reject_reason(self) -> RejectReason {
        match self {
            Self::File { .. } => RejectReason::FileTooLarge,
            Self::Storage { .. } => RejectReason::QuotaExceeded,
        }
    }

    /// Describes it with the numbers.
    pub fn problem(self) -> Problem {
        let code = self.reject_reason().as_str();
        match self {
            Self::File { size, allowed } => {
                let message = format!(
                    "This file has {}. Your plan allows files of up to {}.",
                    round_up(size),
                    round_down(allowed)
                );
                Problem::over_limit(code, PlanLimit::FileSize, size, allowed, message)
            }
            Self::Storage { size, used, allowed } => {
                let message = format!(
                    "There is no room left in your plan for this file: it has {}, and {} of {} are used.",
                    round_up(size),
                    round_up(used),
                    round_down(allowed)
                );
                Problem::over_limit(code, PlanLimit::Storage, used, allowed, message)
            }
        }
    }
}

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
    let allowed = limits.file_bytes;
    if size > allowed {
        return Err(OverPlan::File { size, allowed }.into());
    }
    let Some(allowed) = limits.total_bytes else { return Ok(()) };
    let now = content.ambient.now();
    let mut used = store::object::charged(tx, org, now).await?;
    for other in quota.sharing(tx, org).await? {
        used = used.saturating_add(store::object::charged(tx, other, now).await?);
    }
    if used.saturating_add(more) > allowed {
        return Err(OverPlan::Storage { size, used, allowed }.into());
    }
    Ok(())
}

/// Writes a number of bytes for people, rounded up: what exceeds a limit never looks equal to it.
fn round_up(bytes: u64) -> String {
    in_unit(bytes, |tenths, unit| tenths.div_ceil(unit))
}

/// Writes a limit in bytes for people, rounded down.
fn round_down(bytes: u64) -> String {
    in_unit(bytes, |tenths, unit| tenths / unit)
}

fn in_unit(bytes: u64, round: fn(u128, u128) -> u128) -> String {
    let units = [("bytes", 0), ("KB", 10), ("MB", 20), ("GB", 30), ("TB", 40)];
    let tenths = |power: u32| round(u128::from(bytes) * 10, 1 << power);
    let (unit, power) =
        units.into_iter().find(|(_, power)| tenths(*power) < 10 * 1_024).unwrap_or(("TB", 40));
    let tenths = tenths(power);
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, part) => format!("{whole}.{part} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1 << 30;

    #[test]
    fn a_size_above_a_limit_never_reads_like_the_limit() {
        let sizes = [1_000, 1_024, 5 * GB, 5 * GB + 1, 250 * GB, 2_048 * GB];
        assert_eq!(
            sizes.map(round_up),
            ["1000 bytes", "1 KB", "5 GB", "5.1 GB", "250 GB", "2 TB"].map(str::to_owned)
        );
        assert_eq!(round_down(5 * GB + 1), "5 GB");
        assert_eq!(round_up(GB - 1), "1 GB");
        assert_eq!(round_down(u64::MAX), "16777215.9 TB");
    }

    #[test]
    fn a_refusal_carries_the_limit_and_a_sentence_with_the_numbers() {
        let large = OverPlan::File { size: 6 * GB, allowed: 5 * GB }.problem();
        assert_eq!(large.message, "This file has 6 GB. Your plan allows files of up to 5 GB.");
        let full = OverPlan::Storage { size: 2 * GB, used: 249 * GB, allowed: 250 * GB }.problem();
        let sentence =
            "There is no room left in your plan for this file: it has 2 GB, and 249 GB of 250 GB are used.";
        assert_eq!(full.message, sentence);
        let numbers = |problem: &Problem| serde_json::to_value(problem).unwrap();
        let (large, full) = (numbers(&large), numbers(&full));
        for (problem, code, limit, used, allowed) in [
            (&large, "file_too_large", "fileSize", 6 * GB, 5 * GB),
            (&full, "quota_exceeded", "storage", 249 * GB, 250 * GB),
        ] {
            let sent = ["code", "limit", "unit"].map(|name| problem[name].as_str().unwrap());
            assert_eq!((problem["status"].as_u64(), sent), (Some(402), [code, limit, "bytes"]));
            assert_eq!((problem["used"].as_u64(), problem["allowed"].as_u64()), (Some(used), Some(allowed)));
        }
    }
}
