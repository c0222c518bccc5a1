//! Checks of organisations and of what is derived from memberships.

use kernel::{Finding, OrgId, PersonId};
use sea_orm::DbErr;

use crate::{Orgs, store};

impl Orgs {
    /// Checks that each organisation with a plan has a super admin, and that the people it knows and their number follow
    /// from the memberships. Changes nothing.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let read = self.db.read();
        let mut found = Vec::new();
        for org in store::verify::without_admin(read).await? {
            found.push(Finding::new("org_admin", "organisation", org, "has no super admin"));
        }
        for (org, person) in store::verify::people(read).await? {
            let what = "its membership and role are not those of the person";
            found.push(Finding::new("org_person", "org_person", format_args!("{org} {person}"), what));
        }
        for (org, stored, counted) in store::verify::counts(read).await? {
            let what = format!("says that it knows {stored} people, but there are {counted}");
            found.push(Finding::new("person_count", "organisation", org, what));
        }
        Ok(found)
    }

    /// Repairs what [`Self::verify`] found in derived rows. Returns what was done, or `None` if nothing can be done.
    ///
    /// # Errors
    /// Fails if the database does not answer.
    pub async fn repair(&self, finding: &Finding) -> Result<Option<String>, DbErr> {
        let mut ids = finding.id.split(' ');
        let (org, person) = (ids.next().and_then(|id| id.parse::<OrgId>().ok()), ids.next());
        let Some(org) = org else { return Ok(None) };
        match finding.check.as_str() {
            "person_count" => {
                let tx = self.db.write_tx_on(org).await?;
                store::verify::recount(&tx, org).await?;
                tx.commit().await?;
                Ok(Some("counted again".to_owned()))
            }
            "org_person" => {
                let Some(person) = person.and_then(|id| id.parse::<PersonId>().ok()) else { return Ok(None) };
                let tx = self.db.write_tx_on(org).await?;
                let membership = store::membership::of_people(&tx, org, &[person]).await?.pop();
                // A role that this version does not know is left as it is.
                if membership.is_none() && store::membership::exists(&tx, org, person).await? {
                    return Ok(None);
                }
                store::people::set_membership(&tx, org, person, membership.as_ref()).await?;
                tx.commit().await?;
                Ok(Some("derived again from the membership".to_owned()))
            }
            _ => Ok(None),
        }
    }
}
