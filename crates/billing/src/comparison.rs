//! What a comparison of the provider's subscriptions with the purchases here found.

use kernel::{ProvisionId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};
use serde::{Deserialize, Serialize};

use crate::store;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// When it began.
    pub at: Timestamp,
    /// How many subscriptions of ours the provider has.
    pub subscriptions: u64,
    /// What does not fit.
    pub findings: Vec<Finding>,
}

/// Something that does not fit. Stored, so that the names never change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The provider's id of the subscription.
    pub subscription: Option<String>,
    /// The purchase here, or the one that the subscription names.
    pub provision: Option<ProvisionId>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// A subscription is paid, and its purchase is missing here and cannot be rebuilt.
    Orphan,
    /// A purchase was made in another account or mode of the provider.
    OtherSource,
    /// A purchase has another subscription than this one, which names it.
    SecondSubscription,
    /// A subscription has not ended, and its purchase has.
    NotEnded,
    /// A purchase is in force, and the provider has no subscription for it.
    Missing,
    /// A purchase cannot be read.
    Unreadable,
}

impl FindingKind {
    /// Returns the word of the report.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Orphan => "orphan",
            Self::OtherSource => "other_source",
            Self::SecondSubscription => "second_subscription",
            Self::NotEnded => "not_ended",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
        }
    }
}

impl Comparison {
    /// Returns how many subscriptions are paid for nothing that is known here.
    pub fn orphans(&self) -> usize {
        self.findings.iter().filter(|finding| finding.kind == FindingKind::Orphan).count()
    }

    /// Returns how many purchases and subscriptions contradict each other.
    pub fn mismatches(&self) -> usize {
        self.findings.len() - self.orphans()
    }
}

/// Returns what the last comparison with the provider found.
pub async fn last_comparison(conn: &impl ConnectionTrait) -> Result<Option<Comparison>, DbErr> {
    store::comparison::last(conn).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_words_never_change() {
        use FindingKind as Kind;
        let kinds = [
            Kind::Orphan,
            Kind::OtherSource,
            Kind::SecondSubscription,
            Kind::NotEnded,
            Kind::Missing,
            Kind::Unreadable,
        ];
        let words = ["orphan", "other_source", "second_subscription", "not_ended", "missing", "unreadable"];
        assert_eq!(kinds.map(FindingKind::as_str), words);
        assert_eq!(kinds.map(|kind| serde_json::to_value(kind).unwrap()), words);
    }
}
