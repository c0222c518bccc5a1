//! What people withdrew or had erased. A row is written in the transaction of the removal. The rows are kept beside backups
//! as a list, by which a restored backup from before is cut again. They name a person by id only.

use std::collections::{BTreeMap, HashMap, HashSet};

use db::WriteTx;
use kernel::{DAY, Millis, OrgId, PersonId, Timestamp};
use sea_orm::{ConnectionTrait, DbErr, DeriveActiveEnum, EnumIter};
use serde::{Deserialize, Serialize};

use crate::store;

/// How long rows are kept: longer than backups should be.
pub const KEPT: Millis = 400 * DAY;

/// What was removed.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum RemovalKind {
    /// The consent was withdrawn: the person was cut from everything they did in the organisation.
    #[sea_orm(string_value = "consent")]
    Consent,
    /// The person left the organisation, which also withdraws the consent.
    #[sea_orm(string_value = "membership")]
    Membership,
    /// The account was erased.
    #[sea_orm(string_value = "account")]
    Account,
}

/// A removal, as it is listed beside backups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removal {
    /// What was removed.
    pub kind: RemovalKind,
    /// In which organisation; `None` for an account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub org: Option<OrgId>,
    /// Whose.
    pub person: PersonId,
    /// When. Of an account only the day is known, so that the time does not tell who the person was whose records of
    /// consent stayed.
    pub at: Timestamp,
}

/// What a removal found in a restored backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemovedAgain {
    /// Nothing to remove.
    Nothing,
    /// It was removed.
    Done,
    /// The person is the only super admin of the organisation and stays.
    OnlySuperAdmin,
}

/// Tells removals apart. There is one of each at most, the last one.
type Key = (RemovalKind, Option<OrgId>, PersonId);

impl Removal {
    fn key(&self) -> Key {
        (self.kind, self.org, self.person)
    }
}

/// Records a removal as part of its transaction. It becomes later than the one that it replaces, whatever the clock says.
///
/// # Errors
/// If the database fails.
pub async fn note(tx: &WriteTx, removal: Removal) -> Result<(), DbErr> {
    store::removal::note(tx, removal).await
}

/// Records the erasure of an account in place of the person's other removals.
pub(crate) async fn note_account(tx: &WriteTx, person: PersonId, now: Timestamp) -> Result<(), DbErr> {
    store::removal::forget(tx, person).await?;
    let at = Timestamp::from_ms(now.ms() - now.ms().rem_euclid(DAY));
    store::removal::note(tx, Removal { kind: RemovalKind::Account, org: None, person, at }).await
}

/// Returns all removals.
///
/// # Errors
/// If the database fails.
pub async fn all(conn: &impl ConnectionTrait) -> Result<Vec<Removal>, DbErr> {
    store::removal::all(conn).await
}

/// Returns whether there are removals that are not in the list beside the backups.
///
/// # Errors
/// If the database fails.
pub async fn has_unlisted(conn: &impl ConnectionTrait) -> Result<bool, DbErr> {
    store::removal::has_unlisted(conn).await
}

/// Returns the removals that are not in the list beside the backups.
///
/// # Errors
/// If the database fails.
pub async fn unlisted(conn: &impl ConnectionTrait) -> Result<Vec<Removal>, DbErr> {
    store::removal::unlisted(conn).await
}

/// Records that these are in the list, unless there was another one of the kind since.
///
/// # Errors
/// If the database fails.
pub async fn mark_listed(tx: &WriteTx, removals: &[Removal]) -> Result<(), DbErr> {
    store::removal::mark_listed(tx, removals).await
}

/// Adds removals of a list to those of a restored backup. Of two of a kind, the later one stays.
///
/// # Errors
/// If the database fails.
pub async fn add(tx: &WriteTx, removals: &[Removal]) -> Result<(), DbErr> {
    store::removal::add(tx, removals).await
}

/// Merges lists. Of several of a kind the last one stays, and of a person whose account was erased nothing else. Those of
/// accounts are the last ones.
pub fn merged(lists: impl IntoIterator<Item = Removal>) -> Vec<Removal> {
    let mut all = BTreeMap::<Key, Removal>::new();
    for removal in lists {
        let entry = all.entry(removal.key()).or_insert(removal);
        entry.at = entry.at.max(removal.at);
    }
    let is_account = |removal: &&Removal| removal.kind == RemovalKind::Account;
    let erased: HashSet<PersonId> = all.values().filter(is_account).map(|one| one.person).collect();
    all.retain(|(kind, ..), one| *kind == RemovalKind::Account || !erased.contains(&one.person));
    all.into_values().collect()
}

/// Returns those of a list that a backup does not have, and so must be done again in a copy. `of_backup` are the removals in
/// it, which tell more exactly than any clock what was before it; but its database no longer had those that were
/// [`KEPT`] at `made_at`.
pub fn later_than(of_backup: &[Removal], made_at: Timestamp, list: &[Removal]) -> Vec<Removal> {
    let known: HashMap<Key, Timestamp> = of_backup.iter().map(|one| (one.key(), one.at)).collect();
    let is_later = |one: &&Removal| {
        one.at + KEPT > made_at && known.get(&one.key()).is_none_or(|in_backup| *in_backup < one.at)
    };
    list.iter().filter(is_later).copied().collect()
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    fn removal(kind: RemovalKind, org: u128, person: u128, day: i64) -> Removal {
        let org = Some(OrgId::from_u128(org)).filter(|org| !org.is_nil());
        Removal { kind, org, person: PersonId::from_u128(person), at: Timestamp::from_ms(day * DAY) }
    }

    #[test]
    fn stored_words_never_change() {
        assert_eq!(RemovalKind::values(), ["consent", "membership", "account"]);
        let one = removal(RemovalKind::Membership, 1, 2, 3);
        let text = serde_json::to_string(&one).unwrap();
        assert!(text.starts_with("{\"kind\":\"membership\",\"org\":\"0000"), "{text}");
        assert!(text.ends_with("\"at\":259200000}"), "{text}");
        assert_eq!(serde_json::from_str::<Removal>(&text).unwrap(), one);
        let account = removal(RemovalKind::Account, 0, 2, 3);
        let text = serde_json::to_string(&account).unwrap();
        assert!(!text.contains("org"), "{text}");
        assert_eq!(serde_json::from_str::<Removal>(&text).unwrap(), account);
    }

    #[test]
    fn the_last_of_a_kind_stays_and_an_erased_account_replaces_all_others() {
        use RemovalKind::{Account, Consent, Membership};
        let (old, new) = (removal(Consent, 1, 1, 1), removal(Consent, 1, 1, 2));
        let (elsewhere, left) = (removal(Consent, 2, 1, 1), removal(Membership, 1, 1, 1));
        assert_eq!(merged([new, old, left, elsewhere]), [new, elsewhere, left]);
        assert_eq!(merged([old, new]), [new]);
        let erased = removal(Account, 0, 1, 3);
        let other = removal(Membership, 1, 9, 1);
        assert_eq!(merged([erased, new, elsewhere, left, other]), [other, erased]);
    }

    #[test]
    fn what_a_backup_knows_is_not_done_again() {
        use RemovalKind::{Consent, Membership};
        let made_at = Timestamp::from_ms(1_000 * DAY);
        let (known, again) = (removal(Consent, 1, 1, 990), removal(Consent, 1, 1, 1_001));
        let (other_kind, other_org) = (removal(Membership, 1, 1, 990), removal(Consent, 2, 1, 990));
        let later = |list: &[Removal]| later_than(&[known], made_at, list);
        assert_eq!(later(&[known]), []);
        assert_eq!(later(&[again]), [again], "withdrawn, given and withdrawn again");
        assert_eq!(later(&[other_kind, other_org]), [other_kind, other_org]);
        let (forgotten, kept) = (removal(Consent, 3, 1, 600), removal(Consent, 3, 1, 601));
        assert_eq!(later(&[forgotten, kept]), [kept], "its database had removed the row by its age");
    }
}
