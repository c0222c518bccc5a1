//! Operator commands, run by the server or by a separate process.

mod command;
mod line;
mod orgs;
mod people;
mod queue;
mod verify;

use std::collections::HashSet;

use ::orgs::Orgs;
use analytics::Analytics;
use audience::Audience;
use billing::Billing;
use content::{Content, SweepError};
use db::Db;
use futures::TryStreamExt as _;
use identity::Identity;
use jobs::Jobs;
use kernel::{HOUR, Millis, OrgId, PublicUrl};
use leads::Leads;
use mail::Mailer;
use playlists::Playlists;
use sea_orm::DbErr;
use tokio::sync::mpsc::Sender;

use crate::bootstrap::Bootstrap;
use crate::compose::Features;

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
    public: PublicUrl,
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
    /// Creates it from the queue, the mailer and the kinds of jobs that this version knows, and from all features.
    pub(crate) fn new(
        bootstrap: &Bootstrap,
        (jobs, mailer, kinds): (Jobs, Mailer, HashSet<&'static str>),
        features: &Features,
    ) -> Self {
        Self {
            db: bootstrap.db.clone(),
            public: bootstrap.public.clone(),
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

    /// Executes a command and sends the lines of its output, ending with a last one. Stops early if the
    /// receiver is dropped.
    pub async fn run(&self, command: Command, out: &Sender<Line>) {
        let done = self.execute(command, out).await;
        let last = done.unwrap_or_else(|error| Line::Failed { error: error.to_string() });
        // The client may have disconnected.
        let _ = out.send(last).await;
    }

    async fn execute(&self, command: Command, out: &Sender<Line>) -> Result<Line, CommandError> {
        match command {
            Command::SweepStorage { dry, older_than_hours } => {
                self.sweep(dry, Millis::from(older_than_hours) * HOUR, out).await
            }
            Command::StorageUsage => self.usage(out).await,
            Command::Verify { deep, repair } => self.verify(deep, repair, out).await,
            Command::ListOrganisations => self.list_organisations(out).await,
            Command::DeleteOrganisation { organisation, name, cancel_plan } => {
                self.delete_organisation(organisation, name, cancel_plan).await
            }
            Command::RestoreOrganisation { organisation } => self.restore(&organisation).await,
            Command::Recount { org } => self.recount(org, out).await,
            Command::Reprocess { content } => self.reprocess(content).await,
            Command::ReprocessFailed { org } => self.reprocess_failed(org, out).await,
            Command::ListJobs { dead, kind } => self.list_jobs(dead, kind.as_deref(), out).await,
            Command::ShowJob { job } => self.show_job(job).await,
            Command::RetryJobs(selected) => self.retry_jobs(selected).await,
            Command::DropJobs(selected) => self.drop_jobs(selected).await,
            Command::ListEmails => self.list_emails(out).await,
            Command::ResendEmail { email } => self.resend(email).await,
            Command::ResendFailedEmails => self.resend_failed().await,
            Command::TestEmail { address } => self.test_email(&address).await,
            Command::ListPeople { search } => self.list_people(search.as_deref(), out).await,
            Command::CreatePerson { address, link } => self.create_person(&address, link).await,
            Command::ListSessions { address } => self.list_sessions(&address, out).await,
            Command::EndSessions { address } => self.end_sessions(&address).await,
            Command::ErasePerson { address } => self.erase_person(&address).await,
        }
    }

    async fn sweep(&self, dry: bool, age: Millis, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (mut objects, mut bytes) = (0, 0);
        let mut orphans = Box::pin(self.content.orphans(age));
        while let Some(orphan) = orphans.try_next().await? {
            if !dry {
                self.content.remove_orphan(&orphan).await?;
            }
            objects += 1;
            bytes += orphan.len;
            send_line(out, Line::Orphan { key: orphan.key.to_string(), bytes: orphan.len }).await?;
        }
        Ok(Line::Swept { objects, bytes, dry })
    }

    async fn recount(&self, org: Option<OrgId>, out: &Sender<Line>) -> Result<Line, CommandError> {
        let orgs = match org {
            Some(org) => vec![org],
            None => self.analytics.orgs_with_events().await?,
        };
        let mut all = 0;
        for org in &orgs {
            let analytics::Recounted { requests, differences } = self.analytics.recount(*org).await?;
            all += differences;
            send_line(out, Line::Recounted { org: *org, requests, differences }).await?;
        }
        Ok(Line::RecountDone { organisations: orgs.len() as u64, differences: all })
    }
}

async fn send_line(out: &Sender<Line>, line: Line) -> Result<(), CommandError> {
    out.send(line).await.map_err(|_| CommandError::Gone)
}

/// Ends a command with a sentence that says why it failed.
#[expect(clippy::unnecessary_wraps, reason = "it is the result of a command")]
fn failed(error: String) -> Result<Line, CommandError> {
    Ok(Line::Failed { error })
}
