//! Operator commands, run by the server or by a separate process.

mod audit;
mod command;
mod line;
mod orgs;
mod people;
mod plan_line;
mod plans;
mod queue;
mod verify;

use std::collections::HashSet;

use ::orgs::{AdminRecord, Orgs};
use analytics::Analytics;
use audience::Audience;
use billing::Billing;
use content::{Content, SweepError};
use db::Db;
use futures::TryStreamExt as _;
use identity::Identity;
use jobs::Jobs;
use kernel::{Ambient, HOUR, Millis, OrgId, PublicUrl};
use leads::Leads;
use mail::Mailer;
use playlists::Playlists;
use sea_orm::DbErr;
use storage::Storage;
use tokio::sync::mpsc::Sender;

use nix::unistd::{Uid, User};

use crate::bootstrap::Bootstrap;
use crate::compose::Features;
use crate::storage_identity;

pub use command::{Command, SelectedJobs};
pub use line::Line;

/// Rows read per query.
const PAGE: u64 = 500;

/// Reason a command ended early.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error("database: {0}")]
    Database(#[from] DbErr),
    #[error("content: {0}")]
    Content(#[from] content::Error),
    #[error("analytics: {0}")]
    Analytics(#[from] analytics::Error),
    #[error("archive: {0}")]
    Archive(#[from] analytics::ArchiveError),
    #[error("organisation: {0}")]
    Organisation(#[from] ::orgs::Error),
    #[error("person: {0}")]
    Person(#[from] identity::Error),
    #[error("the client disconnected")]
    Gone,
}

/// Executor of operator commands.
pub struct Admin {
    db: Db,
    ambient: Ambient,
    public: PublicUrl,
    storage: Storage,
    /// Where the storage is, for messages.
    storage_location: String,
    jobs: Jobs,
    mailer: Mailer,
    identity: Identity,
    orgs: Orgs,
    billing: Billing,
    content: Content,
    playlists: Playlists,
    audience: Audience,
    analytics: Analytics,
    leads: Leads,
    /// Kinds of jobs that this version knows.
    kinds: HashSet<&'static str>,
}

impl Admin {
    /// Creates it from the queue, the mailer and the kinds of jobs that this version knows, from the storage and from all
    /// features.
    pub(crate) fn new(
        bootstrap: &Bootstrap,
        (jobs, mailer, kinds): (Jobs, Mailer, HashSet<&'static str>),
        storage: Storage,
        features: &Features,
    ) -> Self {
        Self {
            db: bootstrap.db.clone(),
            ambient: bootstrap.ambient.clone(),
            public: bootstrap.public.clone(),
            storage,
            storage_location: storage_identity::location(&bootstrap.settings),
            jobs,
            mailer,
            identity: features.identity.clone(),
            orgs: features.orgs.clone(),
            billing: features.billing.clone(),
            content: features.content.clone(),
            playlists: features.playlists.clone(),
            audience: features.audience.clone(),
            analytics: features.analytics.clone(),
            leads: features.leads.clone(),
            kinds,
        }
    }

    /// Executes a command for `operator`, the name of a user of the operating system, and sends the lines of its output,
    /// ending with a last one. Stops early if the receiver is dropped.
    pub async fn run(&self, command: Command, operator: String, out: &Sender<Line>) {
        let record = self.orgs.admin_record(operator, command.words());
        let done = self.execute(command, &record, out).await;
        let last = done.unwrap_or_else(|error| Line::Failed { error: error.to_string() });
        // The client may have disconnected.
        let _ = out.send(last).await;
    }

    async fn execute(
        &self,
        command: Command,
        record: &AdminRecord,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        match command {
            Command::SweepStorage { dry, older_than_hours } => {
                let age = Millis::from(older_than_hours) * HOUR;
                self.sweep((!dry).then_some(record), age, out).await
            }
            Command::StorageUsage => self.usage(out).await,
            Command::AdoptStorage => self.adopt_storage(record).await,
            Command::Verify { deep, repair } => self.verify(deep, repair.then_some(record), out).await,
            Command::ListOrganisations => self.list_organisations(out).await,
            Command::DeleteOrganisation { organisation, name, cancel_plan } => {
                self.delete_organisation(organisation, name, cancel_plan, record).await
            }
            Command::RestoreOrganisation { organisation } => self.restore(&organisation, record).await,
            Command::ShowPlan { id } => self.show_plan(id, out).await,
            Command::Recount { org } => self.recount(org, record, out).await,
            Command::Reprocess { content } => self.reprocess(content, record).await,
            Command::ReprocessFailed { org } => self.reprocess_failed(org, record, out).await,
            Command::ListJobs { dead, kind } => self.list_jobs(dead, kind.as_deref(), out).await,
            Command::ShowJob { job } => self.show_job(job).await,
            Command::RetryJobs(selected) => self.retry_jobs(selected, record).await,
            Command::DropJobs(selected) => self.drop_jobs(selected, record).await,
            Command::ListEmails => self.list_emails(out).await,
            Command::ResendEmail { email } => self.resend(email, record).await,
            Command::ResendFailedEmails => self.resend_failed(record).await,
            Command::TestEmail { address } => self.test_email(&address).await,
            Command::ListPeople { search } => self.list_people(search.as_deref(), out).await,
            Command::CreatePerson { address, link } => self.create_person(&address, link, record).await,
            Command::ListSessions { address } => self.list_sessions(&address, out).await,
            Command::EndSessions { address } => self.end_sessions(&address, record).await,
            Command::ErasePerson { address } => self.erase_person(&address, record).await,
            Command::ListAudit { limit } => self.list_audit(limit, out).await,
        }
    }

    /// Removes unreferenced objects, or only lists them if there is no record to make.
    async fn sweep(
        &self,
        record: Option<&AdminRecord>,
        age: Millis,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let (mut objects, mut bytes) = (0, 0);
        let mut orphans = Box::pin(self.content.orphans(age));
        while let Some(orphan) = orphans.try_next().await? {
            if let Some(record) = record {
                self.content.remove_orphan_file(&orphan).await?;
                let tx = self.db.write_tx().await?;
                self.content.remove_orphan_record(&tx, &orphan).await?;
                self.orgs.record_admin(&tx, record, None, 1).await?;
                tx.commit().await?;
            }
            objects += 1;
            bytes += orphan.len;
            send_line(out, Line::Orphan { key: orphan.key.to_string(), bytes: orphan.len }).await?;
        }
        let mut segments = Box::pin(self.analytics.orphaned_segments(age));
        while let Some(orphan) = segments.try_next().await? {
            if let Some(record) = record {
                self.storage.delete(&orphan.key).await.map_err(analytics::ArchiveError::from)?;
                let tx = self.db.write_tx().await?;
                self.orgs.record_admin(&tx, record, None, 1).await?;
                tx.commit().await?;
            }
            objects += 1;
            bytes += orphan.len;
            send_line(out, Line::Orphan { key: orphan.key.to_string(), bytes: orphan.len }).await?;
        }
        Ok(Line::Swept { objects, bytes, dry: record.is_none() })
    }

    async fn adopt_storage(&self, record: &AdminRecord) -> Result<Line, CommandError> {
        let tx = self.db.write_tx().await?;
        let id = content::storage_identity::renew(&tx, &self.ambient).await?;
        self.orgs.record_admin(&tx, record, Some(id), 1).await?;
        tx.commit().await?;
        content::storage_identity::write(&self.db, &self.storage).await?;
        Ok(Line::Adopted { id: id.to_string() })
    }

    async fn recount(
        &self,
        org: Option<OrgId>,
        record: &AdminRecord,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let orgs = match org {
            Some(org) => vec![org],
            None => self.analytics.orgs_with_events().await?,
        };
        let target = org.map(kernel::Uid::from);
        let mut all = 0;
        for org in &orgs {
            let ahead = self.analytics.count_ahead(*org).await?;
            let tx = self.db.write_tx_on(*org).await?;
            let analytics::Recounted { requests, differences } =
                self.analytics.recount_in(&tx, *org, ahead).await?;
            // Counters are written anew also if no total differs.
            self.orgs.record_admin(&tx, record, target, u64::from(requests > 0)).await?;
            tx.commit().await?;
            all += differences;
            send_line(out, Line::Recounted { org: *org, requests, differences }).await?;
        }
        Ok(Line::RecountDone { organisations: orgs.len() as u64, differences: all })
    }
}

async fn send_line(out: &Sender<Line>, line: Line) -> Result<(), CommandError> {
    out.send(line).await.map_err(|_| CommandError::Gone)
}

/// Returns the name of a user, or its number if it has none.
pub fn user_name(user: Uid) -> String {
    let known = User::from_uid(user).ok().flatten();
    known.map_or_else(|| user.to_string(), |known| known.name)
}

/// Ends a command with a sentence that says why it failed.
#[expect(clippy::unnecessary_wraps, reason = "it is the result of a command")]
fn failed(error: String) -> Result<Line, CommandError> {
    Ok(Line::Failed { error })
}
