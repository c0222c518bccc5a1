//! `vitrine admin jobs` and `vitrine admin mail`.

use db::Stored;
use jobs::{JobSelector, JobSummary};
use kernel::{Email, EmailId, JobId, Uid, iso};
use mail::DeliveryFailure;
use orgs::AdminRecord;
use sea_orm::ActiveEnum as _;
use tokio::sync::mpsc::Sender;

use super::command::SelectedJobs;
use super::line::{EmailLine, JobLine, Line};
use super::{Admin, CommandError, PAGE, failed, send_line};

/// Most emails listed. Emails stay in the outbox for a week.
const EMAILS_MAX: u64 = 10_000;

impl Admin {
    pub(super) async fn list_jobs(
        &self,
        dead: bool,
        kind: Option<&str>,
        out: &Sender<Line>,
    ) -> Result<Line, CommandError> {
        let (mut after, mut jobs) = (None, 0);
        loop {
            let page = self.jobs.list(dead, after, PAGE).await?;
            let Some(last) = page.last() else { return Ok(Line::Listed { jobs }) };
            after = Some(last.uid);
            for job in page.into_iter().filter(|job| kind.is_none_or(|kind| job.kind == kind)) {
                jobs += 1;
                send_line(out, Line::Job(job_line(&job))).await?;
            }
        }
    }

    pub(super) async fn show_job(&self, job: JobId) -> Result<Line, CommandError> {
        let Some(found) = self.jobs.find(job).await? else {
            return failed(format!("no job {job} is waiting, running or was given up"));
        };
        Ok(Line::JobDetails {
            job: job_line(&found),
            created: iso(found.created_at),
            lease_until: found.lease_until.map(iso),
            payload: found.payload,
        })
    }

    pub(super) async fn retry_jobs(
        &self,
        selected: SelectedJobs,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let tx = self.db.write_tx().await?;
        let jobs = self.jobs.retry(&tx, selector(&selected)).await?;
        self.orgs.record_admin(&tx, record, selected.job.map(Uid::from), jobs).await?;
        tx.commit().await?;
        match selected.job {
            Some(uid) if jobs == 0 => failed(format!("no job {uid} was given up or is waiting for a retry")),
            _ => Ok(Line::Retried { jobs }),
        }
    }

    pub(super) async fn drop_jobs(
        &self,
        selected: SelectedJobs,
        record: &AdminRecord,
    ) -> Result<Line, CommandError> {
        let tx = self.db.write_tx().await?;
        let jobs = self.jobs.remove(&tx, selector(&selected)).await?;
        self.orgs.record_admin(&tx, record, selected.job.map(Uid::from), jobs).await?;
        tx.commit().await?;
        match selected.job {
            Some(uid) if jobs == 0 => failed(format!("no job {uid} was given up or is waiting")),
            _ => Ok(Line::Dropped { jobs }),
        }
    }

    pub(super) async fn list_emails(&self, out: &Sender<Line>) -> Result<Line, CommandError> {
        let failures = self.mailer.delivery_failures(EMAILS_MAX).await?;
        let emails = failures.len() as u64;
        for failure in failures {
            send_line(out, Line::Email(email_line(failure))).await?;
        }
        Ok(Line::Emails { emails, waiting: self.mailer.waiting().await? })
    }

    pub(super) async fn resend(&self, email: EmailId, record: &AdminRecord) -> Result<Line, CommandError> {
        if self.resend_one(email, Some(email.into()), record).await? {
            return Ok(Line::Resent { emails: 1 });
        }
        failed(format!("no email {email} waits or failed, or its link has expired"))
    }

    pub(super) async fn resend_failed(&self, record: &AdminRecord) -> Result<Line, CommandError> {
        let mut emails = 0;
        for failure in self.mailer.delivery_failures(EMAILS_MAX).await? {
            if failure.failed && self.resend_one(failure.uid, None, record).await? {
                emails += 1;
            }
        }
        Ok(Line::Resent { emails })
    }

    async fn resend_one(
        &self,
        email: EmailId,
        target: Option<Uid>,
        record: &AdminRecord,
    ) -> Result<bool, CommandError> {
        let tx = self.db.write_tx().await?;
        let is_sent_again = self.mailer.resend(&tx, email).await?;
        self.orgs.record_admin(&tx, record, target, u64::from(is_sent_again)).await?;
        tx.commit().await?;
        Ok(is_sent_again)
    }

    pub(super) async fn test_email(&self, address: &str) -> Result<Line, CommandError> {
        let Some(to) = Email::parse(address) else {
            return failed(format!("{address} is not an email address"));
        };
        match self.mailer.send_test(&to, &self.public.at("/")).await {
            Ok(()) => Ok(Line::Tested { without_server: self.mailer.keeps_emails() }),
            Err(code) => failed(format!("the mail server did not accept the email: {code}")),
        }
    }
}

fn selector(selected: &SelectedJobs) -> JobSelector {
    match (selected.job, &selected.kind) {
        (Some(job), _) => JobSelector::One(job),
        (None, Some(kind)) => JobSelector::DeadOfKind(kind.clone()),
        (None, None) => JobSelector::Dead,
    }
}

fn job_line(job: &JobSummary) -> JobLine {
    JobLine {
        uid: job.uid,
        kind: job.kind.clone(),
        state: match job.state {
            Stored::Known(state) => state.to_value(),
            Stored::Unknown => "unknown".to_owned(),
        },
        attempts: job.attempts,
        due: iso(job.due_at),
        error: job.last_error.clone(),
    }
}

fn email_line(failure: DeliveryFailure) -> EmailLine {
    EmailLine {
        uid: failure.uid,
        kind: failure.kind,
        domain: failure.domain,
        state: if failure.failed { "failed" } else { "waiting" }.to_owned(),
        attempts: failure.attempts,
        tried: iso(failure.time),
        error: failure.code,
    }
}
