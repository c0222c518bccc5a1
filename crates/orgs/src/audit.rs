//! The audit log: who changed what in an organisation or a billing account. An entry is written in the
//! transaction of its change.

use std::collections::{HashMap, HashSet};

use db::WriteTx;
use kernel::{AccountId, DAY, Keyset, Millis, OrgId, PersonId, Timestamp, Uid};
use sea_orm::{DatabaseConnection, DbErr, DeriveActiveEnum, EnumIter};
use serde_json::{Map, Value};

use crate::{OrgScope, Orgs, Right, store};

/// How long entries are kept unless another time is set: 24 months.
pub(crate) const KEPT: Millis = 731 * DAY;

/// What was done. The word before the dot tells what the target is.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum AuditAction {
    /// A person got another role, or the first one.
    #[sea_orm(string_value = "person.roleChanged")]
    #[serde(rename = "person.roleChanged")]
    RoleChanged,
    /// A person was removed.
    #[sea_orm(string_value = "person.removed")]
    #[serde(rename = "person.removed")]
    PersonRemoved,
    /// A person was kept from rejoining.
    #[sea_orm(string_value = "person.blocked")]
    #[serde(rename = "person.blocked")]
    PersonBlocked,
    /// A person may join again.
    #[sea_orm(string_value = "person.unblocked")]
    #[serde(rename = "person.unblocked")]
    PersonUnblocked,
    /// A member of staff left.
    #[sea_orm(string_value = "person.left")]
    #[serde(rename = "person.left")]
    PersonLeft,
    /// An invitation was sent, or sent again.
    #[sea_orm(string_value = "invite.sent")]
    #[serde(rename = "invite.sent")]
    InviteSent,
    /// An invitation was revoked.
    #[sea_orm(string_value = "invite.revoked")]
    #[serde(rename = "invite.revoked")]
    InviteRevoked,
    /// The invited person accepted.
    #[sea_orm(string_value = "invite.accepted")]
    #[serde(rename = "invite.accepted")]
    InviteAccepted,
    /// The organisation was created.
    #[sea_orm(string_value = "organization.created")]
    #[serde(rename = "organization.created")]
    OrganisationCreated,
    /// Settings of the organisation were changed.
    #[sea_orm(string_value = "organization.changed")]
    #[serde(rename = "organization.changed")]
    OrganisationChanged,
    /// The standing with respect to the plan changed.
    #[sea_orm(string_value = "organization.standingChanged")]
    #[serde(rename = "organization.standingChanged")]
    StandingChanged,
    /// The organisation was deleted; it can be restored for 30 days.
    #[sea_orm(string_value = "organization.deleted")]
    #[serde(rename = "organization.deleted")]
    OrganisationDeleted,
    /// The deleted organisation was restored.
    #[sea_orm(string_value = "organization.restored")]
    #[serde(rename = "organization.restored")]
    OrganisationRestored,
    /// The data of the organisation was removed for good.
    #[sea_orm(string_value = "organization.purged")]
    #[serde(rename = "organization.purged")]
    OrganisationPurged,
    /// A joining link was created or replaced.
    #[sea_orm(string_value = "organization.joinLinkCreated")]
    #[serde(rename = "organization.joinLinkCreated")]
    JoinLinkCreated,
    /// The people were exported.
    #[sea_orm(string_value = "organization.peopleExported")]
    #[serde(rename = "organization.peopleExported")]
    PeopleExported,
    /// The leads were exported.
    #[sea_orm(string_value = "organization.leadsExported")]
    #[serde(rename = "organization.leadsExported")]
    LeadsExported,
    /// A playlist was created.
    #[sea_orm(string_value = "playlist.created")]
    #[serde(rename = "playlist.created")]
    PlaylistCreated,
    /// Details of a playlist were changed; its items are not recorded.
    #[sea_orm(string_value = "playlist.changed")]
    #[serde(rename = "playlist.changed")]
    PlaylistChanged,
    /// A playlist was deleted.
    #[sea_orm(string_value = "playlist.deleted")]
    #[serde(rename = "playlist.deleted")]
    PlaylistDeleted,
    /// A deleted playlist was restored.
    #[sea_orm(string_value = "playlist.restored")]
    #[serde(rename = "playlist.restored")]
    PlaylistRestored,
    /// Content was created.
    #[sea_orm(string_value = "content.created")]
    #[serde(rename = "content.created")]
    ContentCreated,
    /// Details of content were changed.
    #[sea_orm(string_value = "content.changed")]
    #[serde(rename = "content.changed")]
    ContentChanged,
    /// Content was deleted.
    #[sea_orm(string_value = "content.deleted")]
    #[serde(rename = "content.deleted")]
    ContentDeleted,
    /// Deleted content was restored.
    #[sea_orm(string_value = "content.restored")]
    #[serde(rename = "content.restored")]
    ContentRestored,
    /// Captions were added or replaced.
    #[sea_orm(string_value = "content.captionsPut")]
    #[serde(rename = "content.captionsPut")]
    CaptionsPut,
    /// Captions were deleted.
    #[sea_orm(string_value = "content.captionsDeleted")]
    #[serde(rename = "content.captionsDeleted")]
    CaptionsDeleted,
    /// The operator had the file processed again.
    #[sea_orm(string_value = "content.reprocessed")]
    #[serde(rename = "content.reprocessed")]
    ContentReprocessed,
    /// The upload of another file was begun.
    #[sea_orm(string_value = "content.fileReplaced")]
    #[serde(rename = "content.fileReplaced")]
    FileReplaced,
    /// A billing account was created.
    #[sea_orm(string_value = "account.created")]
    #[serde(rename = "account.created")]
    AccountCreated,
    /// A billing account was changed.
    #[sea_orm(string_value = "account.changed")]
    #[serde(rename = "account.changed")]
    AccountChanged,
    /// A person may manage a billing account.
    #[sea_orm(string_value = "person.billingManagerAdded")]
    #[serde(rename = "person.billingManagerAdded")]
    BillingManagerAdded,
    /// A person may no longer manage a billing account.
    #[sea_orm(string_value = "person.billingManagerRemoved")]
    #[serde(rename = "person.billingManagerRemoved")]
    BillingManagerRemoved,
    /// A plan was paid for and began.
    #[sea_orm(string_value = "account.planBought")]
    #[serde(rename = "account.planBought")]
    PlanBought,
    /// A plan changed to another one.
    #[sea_orm(string_value = "account.planChanged")]
    #[serde(rename = "account.planChanged")]
    PlanChanged,
    /// The state of a bought plan changed, as when a payment failed or the plan ended.
    #[sea_orm(string_value = "account.planStateChanged")]
    #[serde(rename = "account.planStateChanged")]
    PlanStateChanged,
}

/// Whose log an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditSubject {
    /// An organisation's, read by its account admins.
    Org(OrgId),
    /// A billing account's, read by its managers.
    Account(AccountId),
}

/// A change to record.
#[derive(Clone, Debug)]
pub struct AuditRecord {
    pub(crate) subject: AuditSubject,
    pub(crate) actor: Option<PersonId>,
    pub(crate) action: AuditAction,
    pub(crate) target: Uid,
    pub(crate) name: Option<String>,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
}

impl AuditRecord {
    /// Records what the person in the scope did.
    pub fn by<R: Right>(scope: &OrgScope<R>, action: AuditAction, target: impl Into<Uid>) -> Self {
        Self::new(AuditSubject::Org(scope.org()), Some(scope.person()), action, target.into())
    }

    /// Records what a person did, or the server if there is none.
    pub fn new(subject: AuditSubject, actor: Option<PersonId>, action: AuditAction, target: Uid) -> Self {
        Self { subject, actor, action, target, name: None, before: None, after: None }
    }

    /// Adds the name the target has or had. People and invitations are named when the log is read.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Adds the values of the fields that differ.
    #[must_use]
    pub fn change(mut self, before: Value, after: Value) -> Self {
        let (before, after) = differences(before, after);
        (self.before, self.after) = (Some(before), Some(after));
        self
    }

    /// Returns the playlists that the values refer to: pinned ones and the default one.
    pub(crate) fn playlists(&self) -> Vec<Uid> {
        let values = [&self.before, &self.after].into_iter().flatten();
        let pins = values.clone().filter_map(|value| value["pinnedPlaylists"].as_array()).flatten();
        let default = values.map(|value| &value["defaultPlaylist"]);
        pins.chain(default).filter_map(|id| id.as_str()?.parse().ok()).collect()
    }

    /// Returns whether it records a change of values that changed nothing.
    pub fn is_empty(&self) -> bool {
        self.before.is_some() && self.before == self.after
    }
}

/// Keeps the fields of two objects that differ.
fn differences(before: Value, after: Value) -> (Value, Value) {
    let (Value::Object(before), Value::Object(after)) = (before, after) else {
        return (Value::Null, Value::Null);
    };
    let keep = |one: &Map<String, Value>, other: &Map<String, Value>| {
        let differing = one.iter().filter(|(name, value)| other.get(*name) != Some(value));
        Value::Object(differing.map(|(name, value)| (name.clone(), value.clone())).collect())
    };
    (keep(&before, &after), keep(&after, &before))
}

/// Which entries to list.
#[derive(Clone, Copy, Debug)]
pub struct AuditFilter {
    /// Whose log.
    pub subject: AuditSubject,
    /// Only this action.
    pub action: Option<AuditAction>,
    /// Only what this person did.
    pub actor: Option<PersonId>,
}

/// A recorded change.
#[derive(Clone, Debug)]
pub struct AuditEntry {
    pub(crate) uid: Uid,
    pub(crate) created_at: Timestamp,
    pub(crate) record: AuditRecord,
}

impl Orgs {
    /// Writes an entry as part of the transaction of its change. A change that changed nothing is left out.
    pub async fn record(&self, tx: &WriteTx, record: AuditRecord) -> Result<(), DbErr> {
        if record.is_empty() {
            return Ok(());
        }
        store::audit::insert(tx, self.ambient.uid(), record, self.ambient.now()).await
    }

    /// Returns a page of a log, newest first, for the API. The caller must have checked the right to read it.
    pub async fn audit_log(
        &self,
        read: &DatabaseConnection,
        filter: AuditFilter,
        keyset: Keyset,
    ) -> Result<Vec<crate::dto::AuditEntryOut>, DbErr> {
        let entries = store::audit::page(read, filter, keyset).await?;
        let known = self.known_by(read, filter.subject, &entries).await?;
        Ok(entries.into_iter().map(|entry| crate::dto::AuditEntryOut::of(entry, &known)).collect())
    }

    /// Reads what the entries refer to. The number of queries does not depend on theirs.
    async fn known_by(
        &self,
        read: &DatabaseConnection,
        subject: AuditSubject,
        entries: &[AuditEntry],
    ) -> Result<AuditReferences, DbErr> {
        let targets: Vec<Uid> = entries.iter().map(|entry| entry.record.target).collect();
        let mut ids: Vec<PersonId> = entries.iter().filter_map(|entry| entry.record.actor).collect();
        ids.extend(targets.iter().copied().map(PersonId::from));
        let people = self.identity.people(read, &ids).await?;
        // Former members are shown by name only.
        let members: HashSet<PersonId> = match subject {
            AuditSubject::Org(org) => {
                let members = store::membership::of_people(read, org, &ids).await?;
                members.into_iter().map(|member| member.person).collect()
            }
            AuditSubject::Account(_) => people.iter().map(|person| person.uid).collect(),
        };
        let names = people.into_iter().map(|person| {
            let email = members.contains(&person.uid).then_some(person.email);
            (person.uid, person.display_name.or(email).unwrap_or_default())
        });
        let names = names.collect();
        let titles = match subject {
            AuditSubject::Org(org) => {
                let playlists = entries.iter().flat_map(|entry| entry.record.playlists());
                let ids: Vec<Uid> = targets.iter().copied().chain(playlists).collect();
                self.ports.playlists.titles(read, org, &ids).await?
            }
            AuditSubject::Account(_) => HashMap::new(),
        };
        let invited = store::invite::emails(read, &targets).await?;
        Ok(AuditReferences { names, members, invited, titles })
    }
}

/// What entries refer to and is known now.
pub(crate) struct AuditReferences {
    /// Names of people.
    pub(crate) names: HashMap<PersonId, String>,
    /// The people among them who are members of the organisation; of a billing account, all of them.
    pub(crate) members: HashSet<PersonId>,
    /// Addresses of invitations.
    pub(crate) invited: HashMap<Uid, String>,
    /// Titles of playlists and items that were not deleted.
    pub(crate) titles: HashMap<Uid, String>,
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};
    use serde_json::json;

    use super::*;

    #[test]
    fn only_differing_fields_are_kept() {
        let (before, after) =
            differences(json!({ "a": 1, "b": 2, "gone": 3 }), json!({ "a": 1, "b": 5, "new": null }));
        assert_eq!((before, after), (json!({ "b": 2, "gone": 3 }), json!({ "b": 5, "new": null })));
    }

    #[test]
    fn the_stored_word_is_the_one_on_the_wire_and_names_the_target() {
        let targets = ["person", "invite", "organization", "playlist", "content", "account"];
        for action in AuditAction::iter() {
            assert_eq!(json!(action), action.to_value());
            let target = action.to_value().split('.').next().map(str::to_owned).unwrap();
            assert!(targets.contains(&target.as_str()), "{target}");
        }
    }
}
