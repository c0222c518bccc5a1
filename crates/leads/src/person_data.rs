//! What happens to a lead when the person withdraws the consent, leaves, or gets another role; and to the emails of
//! staff who are no longer.

use db::WriteTx;
use kernel::{Ambient, OrgId, PersonId, iso};
use orgs::{PersonData, Role};
use sea_orm::{ActiveEnum as _, DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::model::LeadKey;
use crate::store;

/// Entries of the ledger in an export.
const EXPORTED_MAX: i64 = 10_000;

/// The leads that orgs removes, hides and shows with a person's membership.
pub struct PersonLeads {
    ambient: Ambient,
}

impl PersonLeads {
    /// Creates it from the source of time.
    pub fn new(ambient: Ambient) -> Self {
        Self { ambient }
    }
}

#[async_trait::async_trait]
impl PersonData for PersonLeads {
    /// Deletes the lead, its ledger, and the texts of emails about it.
    async fn remove_person(&self, tx: &WriteTx, org: OrgId, person: PersonId) -> Result<(), DbErr> {
        let key = LeadKey { org, person };
        store::lead::remove(tx, key).await?;
        for topic in store::email::forget(tx, key).await? {
            mail::erase_topic(tx, topic).await?;
        }
        Ok(())
    }

    /// Hides the lead of a person who is no app user any more, and shows that of a person who is one again. Only staff
    /// gets emails about leads.
    async fn role_changed(
        &self,
        tx: &WriteTx,
        org: OrgId,
        person: PersonId,
        role: Option<Role>,
    ) -> Result<(), DbErr> {
        if !role.is_some_and(Role::is_staff) {
            store::email::forget_wanted(tx, org, person).await?;
        }
        let key = LeadKey { org, person };
        let Some(mut lead) = store::lead::locked(tx, &[key]).await?.remove(&key) else { return Ok(()) };
        let shown = role == Some(Role::User);
        if lead.shown == shown {
            return Ok(());
        }
        let now = self.ambient.now();
        lead.shown = shown;
        // Hidden leads do not decay.
        lead.update(std::iter::empty(), now.days(), now);
        store::lead::save(tx, &[lead]).await
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        let key = LeadKey { org, person };
        let wanted = store::email::wanted(read, org, person).await?;
        let mut all =
            vec![("emails", json!({ "hotLeads": wanted.hot_leads, "weeklySummary": wanted.weekly_summary }))];
        if let Some(lead) = store::lead::of_people(read, &[key]).await?.remove(&key) {
            let entries = store::ledger::of_person(read, key, lead.since, EXPORTED_MAX).await?;
            let reasons = entries.into_iter().map(|(entry, one)| {
                let cause = entry.cause.to_value();
                json!({ "cause": cause, "item": entry.item, "points": one.points, "time": iso(one.at) })
            });
            all.push(("leadReasons", reasons.collect()));
            all.push((
                "lead",
                json!({
                    "score": lead.score, "temperature": lead.temperature,
                    "timeCreated": iso(lead.created_at), "lastSeen": iso(lead.last_seen_at),
                }),
            ));
        }
        Ok(all)
    }
}
