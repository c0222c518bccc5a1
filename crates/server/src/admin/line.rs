//! Lines of the output of operator commands.
#![allow(missing_docs)] // Fields whose names say everything; they are printed under these names.

use std::fmt::{Display, Formatter, Result};

use kernel::{ContentId, EmailId, Finding, JobId, OrgId, PersonId};
use serde::{Deserialize, Serialize};

use super::plan_line::{PurchaseChangeLine, PurchaseLine};

/// One line of a command's output. Times are in ISO 8601.
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
    /// What an organisation stores.
    Usage(Usage),
    /// What all organisations store.
    UsageTotal {
        /// Number of organisations.
        organisations: u64,
        /// Bytes charged to plans.
        charged: u64,
        /// Bytes of everything.
        stored: u64,
    },
    /// The storage is now that of the database.
    Adopted {
        /// The new id of both.
        id: String,
    },
    /// An inconsistency.
    Finding(Finding),
    /// An inconsistency was repaired; it says what was done.
    Repaired(Finding),
    /// Summary of a check.
    Verified {
        /// Number of inconsistencies.
        findings: u64,
        /// How many of them were repaired.
        repaired: u64,
    },
    /// An unfinished job.
    Job(JobLine),
    /// An unfinished job, with what it works on.
    JobDetails {
        job: JobLine,
        /// When it was enqueued.
        created: String,
        /// When the lease of its worker ends, if it is running.
        lease_until: Option<String>,
        /// Ids, in the form of its kind.
        payload: serde_json::Value,
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
    /// Summary of a removal of jobs.
    Dropped {
        /// Number of jobs that were removed.
        jobs: u64,
    },
    /// An email that failed or waits for another try.
    Email(EmailLine),
    /// Summary of a list of emails.
    Emails {
        /// Number of emails listed.
        emails: u64,
        /// Number of all emails that wait, including those that were not tried.
        waiting: u64,
    },
    /// Summary of emails that are sent again.
    Resent {
        /// Their number.
        emails: u64,
    },
    /// The mail server took the test email.
    Tested {
        /// Whether there is no mail server, so that nothing was sent.
        without_server: bool,
    },
    Person(PersonLine),
    /// Summary of a list of people.
    People {
        /// Number of people listed.
        people: u64,
    },
    /// A person was created, or existed.
    PersonCreated {
        uid: PersonId,
        /// Whether the person is new.
        is_new: bool,
        /// A link that signs the person in, within ten minutes.
        link: Option<String>,
    },
    /// An open session.
    Session(SessionLine),
    /// Summary of a list of sessions.
    Sessions {
        /// Number of open sessions.
        sessions: u64,
    },
    /// Sessions were ended.
    SessionsEnded {
        /// Their number.
        sessions: u64,
    },
    /// A person was erased.
    Erased {
        /// The id that the person had.
        uid: PersonId,
    },
    Organisation(OrgLine),
    /// Summary of a list of organisations.
    Organisations {
        /// Number of organisations listed.
        organisations: u64,
    },
    /// An organisation was deleted.
    Deleted {
        uid: OrgId,
        name: String,
    },
    /// An organisation was restored.
    Restored {
        uid: OrgId,
        name: String,
    },
    Purchase(Box<PurchaseLine>),
    /// An entry of the journal of the purchase above.
    PurchaseChange(PurchaseChangeLine),
    /// Summary of a list of purchases.
    Purchases {
        /// Number of purchases listed.
        purchases: u64,
    },
    /// A file was queued for processing.
    Reprocessed {
        /// The id of the item.
        uid: ContentId,
        title: String,
    },
    /// Summary of files that were queued for processing.
    ReprocessDone {
        /// Their number.
        items: u64,
    },
    /// A command that changed something.
    Audit(AuditLine),
    /// Summary of a list of commands that changed something.
    AuditListed {
        /// Number of entries listed.
        entries: u64,
    },
    /// The totals of an organisation were rebuilt.
    Recounted {
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

/// What an organisation stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The id of the organisation.
    pub org: OrgId,
    pub name: String,
    /// Bytes charged to its plan.
    pub charged: u64,
    /// Bytes of everything, including what was derived from files.
    pub stored: u64,
}

/// An unfinished job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobLine {
    pub uid: JobId,
    /// Kind of job.
    pub kind: String,
    /// `ready`, `running` or `dead`.
    pub state: String,
    /// Number of attempts.
    pub attempts: i32,
    /// Due time.
    pub due: String,
    /// Error of the last attempt.
    pub error: Option<String>,
}

/// An email that failed or waits for another try.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmailLine {
    pub uid: EmailId,
    /// Kind of email.
    pub kind: String,
    /// Domain of the recipient's address.
    pub domain: String,
    /// `waiting` or `failed`.
    pub state: String,
    /// Tries so far.
    pub attempts: i32,
    /// Time of the last try.
    pub tried: String,
    /// The mail server's code, or what went wrong if there was none.
    pub error: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonLine {
    pub uid: PersonId,
    /// Address.
    pub email: String,
    /// Display name.
    pub name: Option<String>,
    /// Whether the address is verified.
    pub verified: bool,
    /// When the person signed up.
    pub created: String,
}

/// An open session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLine {
    /// `portal` or `viewer`.
    pub app: String,
    /// The browser, as it names itself.
    pub device: String,
    /// Network address of the last use.
    pub address: String,
    /// When it was opened.
    pub created: String,
    /// When it was last used.
    pub seen: String,
}

/// A command that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditLine {
    /// When it began.
    pub time: String,
    /// The user of the operating system who ran it.
    pub operator: String,
    /// Its words and options, without addresses and names.
    pub command: String,
    /// The id of what it changed, if that is one thing.
    pub target: Option<String>,
    /// Number of things that it changed.
    pub changes: i64,
}

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrgLine {
    pub uid: OrgId,
    pub name: String,
    /// `active`, `pastDue`, `suspended` or `ended`.
    pub standing: String,
    /// The number of people it knows.
    pub people: i64,
    /// When it was created.
    pub created: String,
    /// When it was deleted.
    pub deleted: Option<String>,
}

impl Line {
    /// Returns `true` if this is the last line of the output.
    pub fn is_last(&self) -> bool {
        !matches!(
            self,
            Self::Orphan { .. }
                | Self::Usage(_)
                | Self::Finding(_)
                | Self::Repaired(_)
                | Self::Job(_)
                | Self::Email(_)
                | Self::Person(_)
                | Self::Session(_)
                | Self::Audit(_)
                | Self::Organisation(_)
                | Self::Purchase(_)
                | Self::PurchaseChange(_)
                | Self::Reprocessed { .. }
                | Self::Recounted { .. }
        )
    }

    /// Returns `true` if the command failed or found an inconsistency that is still there.
    pub fn is_bad(&self) -> bool {
        match self {
            Self::Failed { .. } => true,
            Self::Verified { findings, repaired } => findings > repaired,
            _ => false,
        }
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Orphan { key, bytes } => write!(f, "{key} ({bytes} bytes)"),
            Self::Swept { objects, bytes, dry } => {
                let done = if *dry { "would be removed" } else { "removed" };
                write!(f, "{objects} objects with {bytes} bytes {done}")
            }
            Self::Usage(Usage { org, name, charged, stored }) => {
                write!(f, "{org} {name}: {charged} bytes of the plan, {stored} bytes stored")
            }
            Self::UsageTotal { organisations, charged, stored } => {
                write!(f, "{organisations} organisations, {charged} bytes of plans, {stored} bytes stored")
            }
            Self::Adopted { id } => {
                write!(f, "the storage is {id} now; vitrine verify tells whether it has all files")
            }
            Self::Finding(Finding { check, table, id, what }) => write!(f, "{check}: {table} {id}: {what}"),
            Self::Repaired(Finding { check, table, id, what }) => {
                write!(f, "repaired {check}: {table} {id}: {what}")
            }
            Self::Verified { findings: 0, .. } => f.write_str("nothing found"),
            Self::Verified { findings, repaired: 0 } => write!(f, "{findings} findings"),
            Self::Verified { findings, repaired } => write!(f, "{findings} findings, {repaired} repaired"),
            Self::Reprocessed { uid, title } => write!(f, "{uid} {title}"),
            Self::ReprocessDone { items } => write!(f, "{items} items are processed again"),
            Self::Recounted { org, requests, differences } => {
                write!(f, "{org}: {requests} requests, {differences} differences")
            }
            Self::RecountDone { organisations, differences } => {
                write!(f, "{organisations} organisations, {differences} differences")
            }
            Self::Failed { error } => f.write_str(error),
            other => other.fmt_queue(f),
        }
    }
}

impl Line {
    /// Writes lines about jobs and emails.
    fn fmt_queue(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Job(job) => write!(f, "{job}"),
            Self::JobDetails { job, created, lease_until, payload } => {
                let lease = lease_until.as_deref().unwrap_or("-");
                write!(f, "{job}\nenqueued {created}, lease until {lease}\n{payload}")
            }
            Self::Listed { jobs } => write!(f, "{jobs} jobs"),
            Self::Retried { jobs } => write!(f, "{jobs} jobs are due now"),
            Self::Dropped { jobs } => write!(f, "{jobs} jobs dropped"),
            Self::Email(EmailLine { uid, kind, domain, state, attempts, tried, error }) => {
                write!(f, "{uid} {kind} to {domain} {state}, {attempts} attempts, last {tried}: {error}")
            }
            Self::Emails { emails, waiting } => {
                write!(f, "{emails} emails with a problem, {waiting} waiting")
            }
            Self::Resent { emails } => write!(f, "{emails} emails are sent again"),
            Self::Tested { without_server: false } => f.write_str("the mail server accepted the email"),
            Self::Tested { without_server: true } => {
                f.write_str("no mail server is set, so nothing was sent; emails stay in the outbox")
            }
            other => other.fmt_people(f),
        }
    }

    /// Writes lines about people and organisations.
    fn fmt_people(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Person(PersonLine { uid, email, name, verified, created }) => {
                let name = name.as_deref().unwrap_or("-");
                let verified = if *verified { "verified" } else { "unverified" };
                write!(f, "{uid} {email} {verified}, since {created}: {name}")
            }
            Self::People { people } => write!(f, "{people} people"),
            Self::PersonCreated { uid, is_new, link } => {
                let done = if *is_new { "created" } else { "exists" };
                write!(f, "{uid} {done}")?;
                link.as_ref().map_or(Ok(()), |link| write!(f, "\nsign in within 10 minutes: {link}"))
            }
            Self::Session(SessionLine { app, device, address, created, seen }) => {
                let address = if address.is_empty() { "-" } else { address };
                write!(f, "{app} since {created}, last used {seen} from {address}: {device}")
            }
            Self::Sessions { sessions } => write!(f, "{sessions} sessions"),
            Self::SessionsEnded { sessions } => write!(f, "{sessions} sessions ended"),
            Self::Erased { uid } => write!(f, "{uid} is erased"),
            Self::Organisation(OrgLine { uid, name, standing, people, created, deleted }) => {
                let deleted = deleted.as_ref().map(|at| format!(", deleted {at}")).unwrap_or_default();
                write!(f, "{uid} {standing}, {people} people, since {created}{deleted}: {name}")
            }
            Self::Audit(AuditLine { time, operator, command, target, changes }) => {
                let target = target.as_deref().unwrap_or("-");
                write!(f, "{time} {operator}: {command} on {target}, {changes} changes")
            }
            Self::AuditListed { entries } => write!(f, "{entries} entries"),
            Self::Purchase(purchase) => write!(f, "{purchase}"),
            Self::PurchaseChange(change) => write!(f, "{change}"),
            Self::Purchases { purchases } => write!(f, "{purchases} purchases"),
            Self::Organisations { organisations } => write!(f, "{organisations} organisations"),
            Self::Deleted { uid, name } => {
                write!(f, "{name} ({uid}) is deleted; it can be restored for 30 days")
            }
            Self::Restored { uid, name } => write!(f, "{name} ({uid}) is restored"),
            // The other ones are written above.
            _ => Ok(()),
        }
    }
}

impl Display for JobLine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Self { uid, kind, state, attempts, due, error } = self;
        let error = error.as_deref().unwrap_or("-");
        write!(f, "{uid} {kind} {state}, {attempts} attempts, due {due}: {error}")
    }
}
