//! Operator commands, run by the server or by a separate process.

use std::collections::HashSet;

use analytics::Analytics;
use billing::Billing;
use content::{Content, SweepError};
use db::Stored;
use futures::TryStreamExt as _;
use jobs::{JobSelector, Jobs};
use kernel::{Finding, HOUR, JobId, Millis, OrgId};
use mail::Mailer;
use orgs::Orgs;
use sea_orm::{ActiveEnum as _, DbErr};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{self, Sender};

/// Jobs read per query.
const PAGE: u64 = 500;

/// An operator command, as sent over the control socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Remove stored objects that no row references.
    SweepStorage {
        /// Only list them.
        dry: bool,
        /// Minimum age of an object.
        older_than_hours: u32,
    },
    /// Check the stored data.
    Verify {
        /// Also read every file.
        deep: bool,
    },
    /// Restore a deleted organisation.
    RestoreOrganisation {
        /// Its id or name.
        organisation: String,
    },
    /// Rebuild the totals of analytics from the stored events.
    Recount {
        /// The organisation, or all.
        org: Option<OrgId>,
    },
    /// List unfinished jobs.
    ListJobs {
        /// Only jobs that were given up.
        dead: bool,
    },
    /// Make jobs due now.
    RetryJobs {
        /// The job to retry, or all that were given up.
        job: Option<JobId>,
    },
}

/// One line of a command's output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// An object that no row references. It has been removed unless this is a dry run.
    Orphan {
        /// Storage key.
        key: String,
        /// Size in bytes.
        bytes: u64,
    },
    /// Summary of a sweep.
    Swept {
        /// Number of unreferenced objects.
        objects: u64,
        /// Their total size in bytes.
        bytes: u64,
        /// Whether the objects were kept.
        dry: bool,
    },
    /// An inconsistency.
    Finding(Finding),
    /// Summary of a check.
    Verified {
        /// Number of inconsistencies.
        findings: u64,
    },
    /// An unfinished job.
    Job {
        /// Job id.
        uid: JobId,
        /// Kind of job.
        kind: String,
        /// `ready`, `running` or `dead`.
        state: String,
        /// Number of attempts.
        attempts: i32,
        /// Due time in ISO 8601.
        due: String,
        /// Error of the last attempt.
        error: Option<String>,
    },
    /// Summary of a list of jobs.
    Listed {
        /// Number of jobs listed.
        jobs: u64,
    },
    /// Summary of a retry.
    Retried {
        /// Number of jobs that are now due.
        jobs: u64,
    },
    /// An organisation was restored.
    Restored {
        /// Its id.
        uid: OrgId,
        /// Its name.
        name: String,
    },
    /// The totals of an organisation were rebuilt.
    Recounted {
        /// Its id.
        org: OrgId,
        /// Requests that were counted again.
        requests: u64,
        /// Totals that were different before.
        differences: u64,
    },
    /// Summary of a recount.
    RecountDone {
        /// Organisations that were counted again.
        organisations: u64,
        /// Totals that were different before.
        differences: u64,
    },
    /// The command failed.
    Failed {
        /// Reason, as a sentence.
        error: String,
    },
}

impl Line {
    /// Returns `true` if this is the last line of the output.
    pub fn is_last(&self) -> bool {
        !matches!(self, Self::Orphan { .. } | Self::Finding(_) | Self::Job { .. } | Self::Recounted { .. })
    }

    /// Returns `true` if the command failed or found an inconsistency.
    pub fn is_bad(&self) -> bool {
        matches!(self, Self::Failed { .. } | Self::Verified { findings: 1.. })
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Orphan { key, bytes } => write!(f, "{key} ({bytes} bytes)"),
            Self::Swept { objects, bytes, dry } => {
                let done = if *dry { "would be removed" } else { "removed" };
                write!(f, "{objects} objects with {bytes} bytes {done}")
            }
            Self::Finding(Finding { check, table, id, what }) => write!(f, "{check}: {table} {id}: {what}"),
            Self::Verified { findings: 0 } => f.write_str("nothing found"),
            Self::Verified { findings } => write!(f, "{findings} findings"),
            Self::Job { uid, kind, state, attempts, due, error } => {
                let error = error.as_deref().unwrap_or("-");
                write!(f, "{uid} {kind} {state}, {attempts} attempts, due {due}: {error}")
            }
            Self::Listed { jobs } => write!(f, "{jobs} jobs"),
            Self::Retried { jobs } => write!(f, "{jobs} jobs are due now"),
            Self::Restored { uid, name } => write!(f, "{name} ({uid}) is restored"),
            Self::Recounted { org, requests, differences } => {
                write!(f, "{org}: {requests} requests, {differences} differences")
            }
            Self::RecountDone { organisations, differences } => {
                write!(f, "{organisations} organisations, {differences} differences")
            }
            Self::Failed { error } => f.write_str(error),
        }
    }
}

/// Reason a command ended early.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error("database: {0}")]
    Database(#[from] DbErr),
    #[error("analytics: {0}")]
    Analytics(#[from] analytics::Error),
    #[error("organisation: {0}")]
    Organisation(#[from] orgs::Error),
    #[error("the client disconnected")]
    Gone,
}

/// Executor of operator commands.
pub struct Admin {
    jobs: Jobs,
    mailer: Mailer,
    content: Content,
    orgs: Orgs,
    billing: Billing,
    analytics: Analytics,
    /// Kinds of jobs that this version knows.
    kinds: HashSet<&'static str>,
}

impl Admin {
    pub(crate) fn new(
        jobs: Jobs,
        mailer: Mailer,
        content: Content,
        orgs: Orgs,
        billing: Billing,
        analytics: Analytics,
        kinds: HashSet<&'static str>,
    ) -> Self {
        Self { jobs, mailer, content, orgs, billing, analytics, kinds }
    }

    /// Executes a command and sends the lines of its output, ending with a last one. Stops early if the
    /// receiver is dropped.
    pub async fn run(&self, command: Command, out: &Sender<Line>) {
        let done = match command {
            Command::SweepStorage { dry, older_than_hours } => {
                self.sweep(dry, Millis::from(older_than_hours) * HOUR, out).await
            }
            Command::Verify { deep } => self.verify(deep, out).await,
            Command::RestoreOrganisation { organisation } => self.restore(&organisation).await,
            Command::Recount { org } => self.recount(org, out).await,
            Command::ListJobs { dead } => self.list_jobs(dead, out).await,
            Command::RetryJobs { job } => self.retry_jobs(job).await,
        };
        let last = done.unwrap_or_else(|error| Line::Failed { error: error.to_string() });
        // The client may have disconnected.
        let _ = out.send(last).await;
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

    async fn verify(&self, deep: bool, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (sender, mut findings) = mpsc::unbounded_channel();
        let check = async move {
            let queue = [self.jobs.verify(&self.kinds).await?, self.mailer.verify().await?];
            queue.into_iter().flatten().for_each(|finding| drop(sender.send(finding)));
            self.billing.verify().await?.into_iter().for_each(|finding| drop(sender.send(finding)));
            self.content.verify(deep, &sender).await?;
            Ok::<_, CommandError>(())
        };
        let forward = async {
            let mut count = 0;
            while let Some(finding) = findings.recv().await {
                count += 1;
                send_line(out, Line::Finding(finding)).await?;
            }
            Ok(count)
        };
        let ((), findings) = tokio::try_join!(check, forward)?;
        Ok(Line::Verified { findings })
    }

    async fn restore(&self, organisation: &str) -> Result<Line, CommandError> {
        let failed = |error: String| Ok(Line::Failed { error });
        let org = match organisation.parse::<OrgId>() {
            Ok(org) => org,
            Err(_) => match self.orgs.deleted_named(organisation).await?.as_slice() {
                [only] => only.uid,
                [] => {
                    return failed(format!(
                        "no organisation named {organisation} was deleted within 30 days"
                    ));
                }
                several => {
                    let ids: Vec<String> = several.iter().map(|one| one.uid.to_string()).collect();
                    return failed(format!("several have this name; use one of the ids {}", ids.join(", ")));
                }
            },
        };
        match self.orgs.restore(None, org).await {
            Ok(restored) => Ok(Line::Restored { uid: restored.uid, name: restored.name }),
            Err(orgs::Error::NotFound) => failed(format!("no organisation {org} was deleted within 30 days")),
            Err(orgs::Error::NoFreeProvision) => {
                failed("its account has no plan without an organisation; buy one first".to_owned())
            }
            Err(error) => Err(error.into()),
        }
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

    async fn list_jobs(&self, dead: bool, out: &Sender<Line>) -> Result<Line, CommandError> {
        let (mut after, mut jobs) = (None, 0);
        loop {
            let page = self.jobs.list(dead, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Line::Listed { jobs }) };
            after = Some(last.uid);
            for job in page {
                jobs += 1;
                let line = Line::Job {
                    uid: job.uid,
                    kind: job.kind,
                    state: match job.state {
                        Stored::Known(state) => state.to_value(),
                        Stored::Unknown => "unknown".to_owned(),
                    },
                    attempts: job.attempts,
                    due: kernel::iso(job.due_at),
                    error: job.last_error,
                };
                send_line(out, line).await?;
            }
        }
    }

    async fn retry_jobs(&self, job: Option<JobId>) -> Result<Line, CommandError> {
        let jobs = self.jobs.retry(job.map_or(JobSelector::Dead, JobSelector::One)).await?;
        match job {
            Some(uid) if jobs == 0 => {
                Ok(Line::Failed { error: format!("no job {uid} was given up or is waiting for a retry") })
            }
            _ => Ok(Line::Retried { jobs }),
        }
    }
}

async fn send_line(out: &Sender<Line>, line: Line) -> Result<(), CommandError> {
    out.send(line).await.map_err(|_| CommandError::Gone)
}
