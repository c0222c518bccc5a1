//! Erases a person from the organisations that know the person, and exports what they store.

use std::collections::HashMap;
use std::sync::Arc;

use db::WriteTx;
use identity::ErasedPerson;
use kernel::{Ambient, OrgId, PersonId, Problem, iso};
use sea_orm::{DatabaseConnection, DbErr};
use serde_json::{Value, json};

use crate::members::locked_orgs_of;
use crate::{PersonData, Role, Standing, removals, store};

/// Memberships, invitations, the people of organisations and the audit log, and what other crates store about a person
/// in an organisation.
pub struct MemberErasure {
    ambient: Ambient,
    person_data: Vec<Arc<dyn PersonData>>,
}

impl MemberErasure {
    /// Creates it from the source of time and the crates that store what people do in organisations.
    pub fn new(ambient: Ambient, person_data: Vec<Arc<dyn PersonData>>) -> Self {
        Self { ambient, person_data }
    }
}

#[async_trait::async_trait]
impl identity::Erasure for MemberErasure {
    /// The only super admin of an organisation hands over first, unless it was deleted or its plan has ended.
    async fn obstacle(&self, tx: &WriteTx, person: PersonId) -> Result<Option<Problem>, DbErr> {
        let mut names = Vec::new();
        for org in locked_orgs_of(tx, person).await? {
            let Some(organisation) = store::organisation::by_uid(tx, org, self.ambient.now()).await? else {
                continue;
            };
            let member = store::membership::of_people(tx, org, &[person]).await?.pop();
            if organisation.standing != Standing::Ended
                && member.is_some_and(|member| member.role == Role::SuperAdmin)
                && store::membership::count_super_admins(tx, org).await? == 1
            {
                names.push(organisation.name);
            }
        }
        Ok((!names.is_empty()).then(|| last_super_admin(&names)))
    }

    async fn erase(&self, tx: &WriteTx, erased: &ErasedPerson) -> Result<(), DbErr> {
        let person = erased.person;
        let orgs = locked_orgs_of(tx, person).await?;
        for org in &orgs {
            for data in &self.person_data {
                data.remove_person(tx, *org, person).await?;
                data.role_changed(tx, *org, person, None).await?;
            }
            store::membership::remove(tx, *org, person).await?;
            store::people::forget(tx, *org, person).await?;
            store::organisation::redact_contact(tx, *org, erased).await?;
        }
        removals::note_account(tx, person, self.ambient.now()).await?;
        store::invite::erase(tx, erased).await?;
        store::admin_log::erase(tx, erased).await?;
        store::audit::erase(tx, erased).await
    }

    async fn export(
        &self,
        read: &DatabaseConnection,
        person: PersonId,
    ) -> Result<Vec<(&'static str, Value)>, DbErr> {
        let mut organisations = Vec::new();
        for org in store::people::orgs_of(read, person).await? {
            organisations.push(self.export_org(read, org, person).await?);
        }
        Ok(vec![
            ("organizations", Value::Array(organisations)),
            ("auditEntries", store::audit::export(read, person).await?),
        ])
    }
}

impl MemberErasure {
    async fn export_org(
        &self,
        read: &DatabaseConnection,
        org: OrgId,
        person: PersonId,
    ) -> Result<Value, DbErr> {
        let known = store::people::of_people(read, org, &[person]).await?.pop();
        let answer = known.as_ref().and_then(|known| known.answer);
        let mut all = json!({
            "orgId": org,
            "name": store::organisation::name(read, org).await?,
            "role": known.as_ref().filter(|known| known.membership.is_some()).map(|known| known.role),
            "timeJoined": known.as_ref().and_then(|known| known.joined_at).map(iso),
            "consent": answer.map(|answer| answer.given),
            "blocked": known.is_some_and(|known| known.is_blocked),
        });
        let mut more = HashMap::new();
        for data in &self.person_data {
            more.extend(data.export(read, org, person).await?);
        }
        if let Value::Object(all) = &mut all {
            all.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
        }
        Ok(all)
    }
}

fn last_super_admin(names: &[String]) -> Problem {
    let names = match names {
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
        [] => String::new(),
    };
    let message = format!(
        "You are the only super admin of {names}. Make someone else super admin first, or delete the organization."
    );
    Problem::conflict("last_super_admin", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_organisations_are_named() {
        let message = |names: &[&str]| {
            last_super_admin(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).message
        };
        assert!(message(&["A"]).contains("of A. "));
        assert!(message(&["A", "B", "C"]).contains("of A, B and C. "));
    }
}
