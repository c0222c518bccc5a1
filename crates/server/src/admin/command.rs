//! Operator commands, as sent over the control socket.
#![allow(missing_docs)] // Commands and fields whose names say everything.

use kernel::{ContentId, EmailId, JobId, OrgId, Uid};
use serde::{Deserialize, Serialize};

/// An operator command. Its log line has only its name, because arguments may be addresses.
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
    /// List how much each organisation stores.
    StorageUsage,
    /// Make the configured storage that of the database.
    AdoptStorage,
    /// Check the stored data.
    Verify {
        /// Also read every file.
        deep: bool,
        /// Repair what is safe to repair.
        #[serde(default)]
        repair: bool,
    },
    ListOrganisations,
    /// Delete an organisation. It can be restored for 30 days.
    DeleteOrganisation {
        organisation: OrgId,
        /// Its name, as a confirmation.
        name: String,
        /// Whether to cancel its plan at the end of the period that is paid for.
        cancel_plan: bool,
    },
    /// Restore a deleted organisation.
    RestoreOrganisation {
        /// Its id or name.
        organisation: String,
    },
    /// List purchases with their journals.
    ShowPlan {
        /// Id of an organisation, an account or a purchase.
        id: Uid,
    },
    /// Rebuild the totals of analytics from the stored events.
    Recount {
        /// The organisation, or all.
        org: Option<OrgId>,
    },
    /// Process one file again.
    Reprocess {
        content: ContentId,
    },
    /// Process the files again whose processing failed.
    ReprocessFailed {
        /// The organisation, or all.
        org: Option<OrgId>,
    },
    /// List unfinished jobs.
    ListJobs {
        /// Only jobs that were given up.
        dead: bool,
        /// Only jobs of this kind.
        #[serde(default)]
        kind: Option<String>,
    },
    /// Show an unfinished job with what it works on.
    ShowJob {
        job: JobId,
    },
    /// Make jobs due now.
    RetryJobs(SelectedJobs),
    /// Remove jobs that were given up or are waiting.
    DropJobs(SelectedJobs),
    /// List emails that failed or wait for another try.
    ListEmails,
    /// Send an email again.
    ResendEmail {
        email: EmailId,
    },
    /// Send all emails again that failed and can still be sent.
    ResendFailedEmails,
    /// Send a test email and wait for the mail server's answer.
    TestEmail {
        /// The recipient.
        address: String,
    },
    ListPeople {
        /// Part of a name, an address or a company.
        search: Option<String>,
    },
    /// Create a person, or a link that signs one in.
    CreatePerson {
        address: String,
        /// Whether to return a link that signs the person in.
        link: bool,
    },
    ListSessions {
        address: String,
    },
    EndSessions {
        address: String,
    },
    ErasePerson {
        address: String,
    },
    /// List the newest commands that changed something.
    ListAudit {
        /// How many.
        limit: u32,
    },
}

/// The jobs of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectedJobs {
    /// The job, or all that were given up.
    pub job: Option<JobId>,
    /// Only jobs of this kind.
    #[serde(default)]
    pub kind: Option<String>,
}

impl SelectedJobs {
    fn options(&self) -> String {
        let dead = if self.job.is_none() { " --dead" } else { "" };
        let kind = self.kind.as_ref().map(|kind| format!(" --kind {kind}")).unwrap_or_default();
        format!("{dead}{kind}")
    }
}

impl Command {
    /// Returns the words and options of a command that changes something, for the operator's log: without addresses, names
    /// and ids. Commands that only read have none.
    pub fn words(&self) -> String {
        let option = |is_set: bool, option: &'static str| if is_set { option } else { "" };
        match self {
            Self::SweepStorage { older_than_hours, .. } => {
                format!("storage sweep --older-than-hours {older_than_hours}")
            }
            Self::AdoptStorage => "storage adopt".to_owned(),
            Self::DeleteOrganisation { cancel_plan, .. } => {
                format!("org delete{}", option(*cancel_plan, " --cancel-plan"))
            }
            Self::RestoreOrganisation { .. } => "org restore".to_owned(),
            Self::Recount { .. } => "recount".to_owned(),
            Self::Reprocess { .. } => "content reprocess".to_owned(),
            Self::ReprocessFailed { .. } => "content reprocess --failed".to_owned(),
            Self::RetryJobs(selected) => format!("jobs retry{}", selected.options()),
            Self::DropJobs(selected) => format!("jobs drop{}", selected.options()),
            Self::ResendEmail { .. } => "mail retry".to_owned(),
            Self::ResendFailedEmails => "mail retry --failed".to_owned(),
            Self::CreatePerson { link, .. } => format!("person create{}", option(*link, " --link")),
            Self::EndSessions { .. } => "person end-sessions".to_owned(),
            Self::ErasePerson { .. } => "person erase".to_owned(),
            Self::Verify { deep, repair: true } => format!("verify --repair{}", option(*deep, " --deep")),
            Self::StorageUsage
            | Self::Verify { repair: false, .. }
            | Self::ListOrganisations
            | Self::ShowPlan { .. }
            | Self::ListJobs { .. }
            | Self::ShowJob { .. }
            | Self::ListEmails
            | Self::TestEmail { .. }
            | Self::ListPeople { .. }
            | Self::ListSessions { .. }
            | Self::ListAudit { .. } => String::new(),
        }
    }

    /// Returns whether the command may run while the storage is not that of the database: those that report that and
    /// change it.
    pub fn accepts_any_storage(&self) -> bool {
        matches!(self, Self::AdoptStorage | Self::Verify { repair: false, .. })
    }

    /// Returns the name of the command, for the log.
    pub fn name(&self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        json["command"].as_str().unwrap_or_default().to_owned()
    }
}
