//! Emails about leads to staff who want them.
//!
//! When a lead becomes hot, a job is enqueued in the transaction of the change. It writes the emails, at most once a
//! week about each lead. A topic links them to the lead, so that they are erased with it.

use std::sync::Arc;

use db::{Db, WriteTx};
use kernel::{DAY, Email, Millis, OrgId, PersonId, Timestamp, Uid};
use mail::{BulkEmail, EmailMessage, LeadsEmail, LeadsNotice, Mailer};
use orgs::Orgs;
use orgs::calendar::next_monday_morning;
use orgs::rights::ViewAnalytics;
use sea_orm::{ConnectionTrait, DbErr};

use crate::jobs::SendHotLead;
use crate::model::LeadKey;
use crate::store::email::Wanted;
use crate::unsubscribe::{self, EmailKind, UnsubscribeLink};
use crate::{Leads, store};

/// How long no other email about the same lead is sent.
pub const HOT_PAUSE: Millis = 7 * DAY;

/// Enqueues the emails about leads that have become hot, if anyone wants them.
pub async fn announce_hot(leads: &Leads, tx: &WriteTx, turned_hot: &[LeadKey]) -> Result<(), DbErr> {
    for lead in turned_hot {
        let after = leads.ambient.now() - HOT_PAUSE;
        if !store::email::wanting_hot(tx, lead.org).await?.is_empty()
            && !store::email::is_planned(tx, *lead, after).await?
        {
            let topic: Uid = leads.ambient.uid();
            store::email::plan(tx, topic, *lead, leads.ambient.now()).await?;
            leads.jobs.enqueue(tx, &SendHotLead { org: lead.org, topic }).await?;
        }
    }
    Ok(())
}

/// Stores what a member of staff wants, and plans the weekly summary.
pub async fn set_wanted(
    leads: &Leads,
    tx: &WriteTx,
    org: OrgId,
    person: PersonId,
    wanted: Wanted,
) -> Result<(), DbErr> {
    store::email::set_wanted(tx, org, person, wanted).await?;
    if wanted.weekly_summary {
        let zone = leads.orgs.time_zone(tx, org).await?;
        store::email::plan_summary(tx, org, next_monday_morning(leads.ambient.now(), &zone)).await?;
    }
    Ok(())
}

/// A member of staff who gets an email.
pub struct Recipient {
    pub person: PersonId,
    pub email: Email,
}

/// Returns those among the people who may see leads and have a verified address.
pub async fn recipients(
    leads: &Leads,
    conn: &impl ConnectionTrait,
    org: OrgId,
    people: &[PersonId],
) -> Result<Vec<Recipient>, DbErr> {
    let mut allowed = Vec::new();
    for person in people {
        if leads.orgs.may::<ViewAnalytics>(conn, org, *person).await? {
            allowed.push(*person);
        }
    }
    let people = leads.orgs.identity().people(conn, &allowed).await?;
    let verified = people.into_iter().filter(|person| person.is_verified);
    Ok(verified
        .filter_map(|person| Some(Recipient { person: person.uid, email: Email::parse(&person.email)? }))
        .collect())
}

/// Enqueues an email about the leads of an organisation as part of `tx`.
pub async fn enqueue(
    leads: &Leads,
    tx: &WriteTx,
    (org, organisation): (OrgId, &str),
    recipient: &Recipient,
    (topic, notice): (Uid, &LeadsNotice),
) -> Result<(), DbErr> {
    let kind = match notice {
        LeadsNotice::Hot { .. } => EmailKind::HotLeads,
        LeadsNotice::Week { .. } => EmailKind::WeeklySummary,
    };
    let link = UnsubscribeLink { org, person: recipient.person, kind };
    let unsubscribe_url = unsubscribe::url(&leads.signer, &leads.public, link);
    let message = EmailMessage::Leads(Box::new(LeadsEmail {
        notice: notice.clone(),
        organisation: organisation.to_owned(),
        link: leads.public.at(&format!("/org/{org}/leads")),
        unsubscribe_url: unsubscribe_url.clone(),
    }));
    let bulk = BulkEmail { topic, person: recipient.person, unsubscribe_url };
    leads.mailer.enqueue_bulk(tx, &recipient.email, &message, &bulk).await.map(drop)
}

/// Lets the mailer check whether an email about a hot lead is still wanted.
struct HotLeadCheck {
    db: Db,
    orgs: Orgs,
}

/// Registers the check of emails about hot leads.
pub fn register_check(mailer: &Mailer, db: &Db, orgs: &Orgs) {
    let check = HotLeadCheck { db: db.clone(), orgs: orgs.clone() };
    mailer.set_still_wanted("hot_lead", Arc::new(check));
}

#[async_trait::async_trait]
impl mail::StillWanted for HotLeadCheck {
    async fn still_wanted(&self, topic: Uid, person: PersonId) -> Result<mail::Wanted, DbErr> {
        let conn = self.db.read();
        let Some(lead) = store::email::lead_of(conn, topic).await? else { return Ok(mail::Wanted::No) };
        let is_wanted = store::email::wanted(conn, lead.org, person).await?.hot_leads
            && self.orgs.may::<ViewAnalytics>(conn, lead.org, person).await?;
        Ok(is_wanted.into())
    }
}

/// Returns the time until which emails about leads are remembered: longer than the outbox keeps them.
pub fn remembered_since(now: Timestamp) -> Timestamp {
    now - HOT_PAUSE - DAY
}
