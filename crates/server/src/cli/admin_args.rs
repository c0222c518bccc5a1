//! The arguments of `vitrine admin`.

use clap::{Args, Subcommand};
use kernel::{ContentId, EmailId, JobId, OrgId, Uid};

use crate::admin::{Command, SelectedJobs};

/// Arguments of an administrative command.
#[derive(Args)]
pub struct AdminArgs {
    #[command(subcommand)]
    command: AdminCommand,
    /// Print one JSON object per line.
    #[arg(long, global = true)]
    json: bool,
}

/// Administrative commands.
#[derive(Subcommand)]
enum AdminCommand {
    /// Manage stored files.
    #[command(subcommand)]
    Storage(StorageCommand),
    /// Manage background jobs.
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Manage emails.
    #[command(subcommand)]
    Mail(MailCommand),
    /// Manage people.
    #[command(subcommand)]
    Person(PersonCommand),
    /// Manage organisations.
    #[command(subcommand)]
    Org(OrgCommand),
    /// Manage content.
    #[command(subcommand)]
    Content(ContentCommand),
    /// List the newest commands that changed something.
    Audit {
        /// How many.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        limit: u32,
    },
    /// Rebuild the totals of analytics from the stored events.
    Recount {
        /// Id of the organisation; all by default.
        #[arg(long)]
        org: Option<OrgId>,
    },
}

#[derive(Subcommand)]
enum StorageCommand {
    /// Remove stored files that no database row references, except those of uploads in progress.
    Sweep {
        /// Only list the files that would be removed.
        #[arg(long)]
        dry: bool,
        /// Keep files younger than this many hours.
        #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=87_600))]
        older_than_hours: u32,
    },
    /// List how much each organisation stores.
    Usage,
    /// Make the configured storage that of the database, after its files were moved there.
    Adopt,
}

#[derive(Subcommand)]
enum JobsCommand {
    /// List jobs that are waiting, running or were given up.
    List {
        /// Only list jobs that were given up.
        #[arg(long)]
        dead: bool,
        /// Only list jobs of this kind.
        #[arg(long)]
        kind: Option<String>,
    },
    /// Show a job with what it works on.
    Show {
        /// Id of the job.
        job: JobId,
    },
    /// Make jobs due now that were given up or are waiting to be retried.
    Retry(JobsArgs),
    /// Remove jobs that were given up or are waiting, without running them.
    Drop(JobsArgs),
}

#[derive(Args)]
struct JobsArgs {
    /// Id of the job.
    #[arg(required_unless_present = "dead", conflicts_with = "dead")]
    job: Option<JobId>,
    /// All jobs that were given up.
    #[arg(long)]
    dead: bool,
    /// Only jobs of this kind.
    #[arg(long, requires = "dead")]
    kind: Option<String>,
}

#[derive(Subcommand)]
enum MailCommand {
    /// List emails that failed or wait for another try.
    List,
    /// Send emails again that failed or are waiting, as long as their links work.
    Retry {
        /// Id of the email.
        #[arg(required_unless_present = "failed", conflicts_with = "failed")]
        email: Option<EmailId>,
        /// All emails that failed.
        #[arg(long)]
        failed: bool,
    },
    /// Send a test email, and say what the mail server answers.
    Test {
        /// Address of the recipient.
        address: String,
    },
}

#[derive(Subcommand)]
enum PersonCommand {
    /// List people.
    List {
        /// Part of a name, an address or a company.
        search: Option<String>,
    },
    /// Create a person, unless there is one with this address.
    Create {
        /// Address of the person.
        address: String,
        /// Print a link that signs the person in, for when email cannot be sent. It works for ten minutes.
        #[arg(long)]
        link: bool,
    },
    /// List the open sessions of a person.
    Sessions {
        /// Address of the person.
        address: String,
    },
    /// End all sessions of a person.
    EndSessions {
        /// Address of the person.
        address: String,
    },
    /// Erase a person and everything that names the person, at once and for good.
    Erase {
        /// Address of the person.
        address: String,
        /// The address again, as a confirmation.
        #[arg(long)]
        confirm: String,
    },
}

#[derive(Subcommand)]
enum OrgCommand {
    /// List organisations.
    List,
    /// Delete an organisation. It can be restored for 30 days.
    Delete {
        /// Id of the organisation.
        organisation: OrgId,
        /// Its name, as a confirmation.
        #[arg(long)]
        name: String,
        /// Cancel its plan at the end of the period that is paid for.
        #[arg(long)]
        cancel_plan: bool,
    },
    /// Say what pays or paid for an organisation, and why its plan is in its state: each change with its cause.
    Plan {
        /// Id of the organisation, of a billing account or of a purchase.
        id: Uid,
    },
    /// Restore an organisation that was deleted within 30 days.
    Restore {
        /// Id or name of the organisation.
        organisation: String,
    },
}

#[derive(Subcommand)]
enum ContentCommand {
    /// Process files again.
    Reprocess {
        /// Id of the item, whose file may have been processed before.
        #[arg(required_unless_present = "failed", conflicts_with = "failed")]
        content: Option<ContentId>,
        /// All files whose processing failed.
        #[arg(long)]
        failed: bool,
        /// Only of this organisation.
        #[arg(long, requires = "failed")]
        org: Option<OrgId>,
    },
}

impl AdminArgs {
    /// Returns the command to send, and whether to print the output as JSON.
    ///
    /// # Errors
    /// If a confirmation differs.
    pub fn request(self) -> Result<(Command, bool), String> {
        let command = match self.command {
            AdminCommand::Storage(StorageCommand::Sweep { dry, older_than_hours }) => {
                Command::SweepStorage { dry, older_than_hours }
            }
            AdminCommand::Storage(StorageCommand::Usage) => Command::StorageUsage,
            AdminCommand::Storage(StorageCommand::Adopt) => Command::AdoptStorage,
            AdminCommand::Jobs(command) => command.request(),
            AdminCommand::Mail(command) => command.request(),
            AdminCommand::Person(command) => command.request()?,
            AdminCommand::Org(OrgCommand::List) => Command::ListOrganisations,
            AdminCommand::Org(OrgCommand::Delete { organisation, name, cancel_plan }) => {
                Command::DeleteOrganisation { organisation, name, cancel_plan }
            }
            AdminCommand::Org(OrgCommand::Plan { id }) => Command::ShowPlan { id },
            AdminCommand::Org(OrgCommand::Restore { organisation }) => {
                Command::RestoreOrganisation { organisation }
            }
            AdminCommand::Content(ContentCommand::Reprocess { content, org, .. }) => match content {
                Some(content) => Command::Reprocess { content },
                None => Command::ReprocessFailed { org },
            },
            AdminCommand::Audit { limit } => Command::ListAudit { limit },
            AdminCommand::Recount { org } => Command::Recount { org },
        };
        Ok((command, self.json))
    }
}

impl JobsCommand {
    fn request(self) -> Command {
        let selected = |JobsArgs { job, kind, .. }: JobsArgs| SelectedJobs { job, kind };
        match self {
            Self::List { dead, kind } => Command::ListJobs { dead, kind },
            Self::Show { job } => Command::ShowJob { job },
            Self::Retry(args) => Command::RetryJobs(selected(args)),
            Self::Drop(args) => Command::DropJobs(selected(args)),
        }
    }
}

impl MailCommand {
    fn request(self) -> Command {
        match self {
            Self::List => Command::ListEmails,
            Self::Retry { email: Some(email), .. } => Command::ResendEmail { email },
            Self::Retry { email: None, .. } => Command::ResendFailedEmails,
            Self::Test { address } => Command::TestEmail { address },
        }
    }
}

impl PersonCommand {
    fn request(self) -> Result<Command, String> {
        Ok(match self {
            Self::List { search } => Command::ListPeople { search },
            Self::Create { address, link } => Command::CreatePerson { address, link },
            Self::Sessions { address } => Command::ListSessions { address },
            Self::EndSessions { address } => Command::EndSessions { address },
            Self::Erase { address, confirm } if confirm == address => Command::ErasePerson { address },
            Self::Erase { .. } => return Err("--confirm is not the address".to_owned()),
        })
    }
}
