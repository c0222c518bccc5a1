//! What the outbox holds, and what is still wanted of it.

use std::sync::Arc;
use std::time::Duration;

use db::{Stored, WriteTx};
use jobs::JobSelector;
use kernel::{Email, EmailId, Finding, Millis, Timestamp};
use sea_orm::{ConnectionTrait, DbErr};

use crate::entity::mail_outbox::State;
use crate::transport::{Outgoing, SendError};
use crate::{BulkBacklog, DeliveryFailure, Mailer, SentEmail, StillWanted, send, store};

/// Returns emails of the last week that failed or wait for another try, newest first.
///
/// # Errors
/// If the query fails.
pub async fn delivery_failures(
    conn: &impl ConnectionTrait,
    limit: u64,
) -> Result<Vec<DeliveryFailure>, DbErr> {
    let rows = store::failures(conn, limit).await?;
    Ok(rows.into_iter().map(DeliveryFailure::from).collect())
}

/// Returns how many emails wait, and how long the oldest has been waiting in milliseconds.
///
/// # Errors
/// If the query fails.
pub async fn backlog(conn: &impl ConnectionTrait, now: Timestamp) -> Result<(u64, Millis), DbErr> {
    let (emails, oldest) = store::backlog(conn).await?;
    Ok((emails, oldest.map_or(0, |at| now - at)))
}

impl Mailer {
    /// Changes the time limit for sending, for tests with a mail server that hangs.
    #[must_use]
    pub fn with_send_timeout(mut self, send_timeout: Duration) -> Self {
        self.send_timeout = send_timeout;
        self
    }

    /// Sets who decides whether bulk emails of this kind ([`crate::EmailMessage::kind`]) are still wanted, for this
    /// mailer and its clones. By default all are.
    pub fn set_still_wanted(&self, kind: &'static str, check: Arc<dyn StillWanted>) {
        self.still_wanted.write().insert(kind, check);
    }

    /// Counts the bulk emails in the outbox. Their writer pauses while there are many, or other emails would
    /// wait behind them.
    pub async fn bulk_backlog(&self, conn: &impl ConnectionTrait) -> Result<BulkBacklog, DbErr> {
        store::bulk_backlog(conn).await
    }

    /// Returns sent emails, newest first, to one address or to all.
    pub async fn sent(&self, to: Option<&Email>, limit: u64) -> Result<Vec<SentEmail>, DbErr> {
        let rows = store::sent(self.db.read(), to, limit).await?;
        Ok(rows.into_iter().map(SentEmail::from).collect())
    }

    /// Returns an email if it was sent.
    pub async fn sent_email(&self, uid: EmailId) -> Result<Option<SentEmail>, DbErr> {
        let row = store::by_id(self.db.read(), uid).await?;
        Ok(row.filter(|row| row.state == Stored::Known(State::Sent)).map(SentEmail::from))
    }

    /// Returns emails of the last week that failed or wait for another try, newest first.
    pub async fn delivery_failures(&self, limit: u64) -> Result<Vec<DeliveryFailure>, DbErr> {
        delivery_failures(self.db.read(), limit).await
    }

    /// Retries an unsent email now, in the caller's transaction. Returns false if it does not exist, was already sent, or if its text was erased, because
    /// its link has expired.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn resend(&self, tx: &WriteTx, uid: EmailId) -> Result<bool, DbErr> {
        let Some(row) = store::by_id(tx, uid).await? else { return Ok(false) };
        let is_unsent = matches!(row.state, Stored::Known(State::Waiting | State::Failed));
        let is_expired = row.expires_at.is_some_and(|at| at <= self.ambient.now());
        if !is_unsent || is_expired || row.text_body.is_empty() {
            return Ok(false);
        }
        if let Some(job) = row.job {
            // A job that is running is sending it now. Another one would send it twice.
            let is_active = self.jobs.retry(tx, JobSelector::One(job)).await? > 0
                || self.jobs.active_among(tx, &[job]).await?.contains(&job);
            if is_active {
                return Ok(true);
            }
        }
        let job = self.jobs.enqueue(tx, &send::SendMail { mail: uid }).await?;
        store::set_job(tx, uid, job).await?;
        Ok(true)
    }

    /// Sends a test email without the outbox, and waits for the answer of the mail server.
    ///
    /// # Errors
    /// The mail server's code, or what went wrong if there was none.
    pub async fn send_test(&self, to: &Email, installation: &str) -> Result<(), String> {
        let text = format!("This is a test email from {installation}.\n");
        let email = Outgoing {
            uid: self.ambient.uid(),
            to: to.as_str(),
            subject: "Test email",
            text: &text,
            html: &format!("<p>This is a test email from {installation}.</p>"),
            unsubscribe_url: None,
            created_at: self.ambient.now(),
        };
        let sent = send::deliver(self, &email).await;
        sent.map_err(|error| match error {
            SendError::Permanent(code) | SendError::Temporary(code) => code,
        })
    }

    /// Returns how many emails wait.
    ///
    /// # Errors
    /// If the query fails.
    pub async fn waiting(&self) -> Result<u64, DbErr> {
        Ok(store::backlog(self.db.read()).await?.0)
    }

    /// Returns whether emails go to the outbox only, because no mail server is set.
    pub fn keeps_emails(&self) -> bool {
        self.transport.keeps_text()
    }

    /// Checks that each waiting email has a job that will send it.
    pub async fn verify(&self) -> Result<Vec<Finding>, DbErr> {
        let stranded = send::stranded(self).await?;
        let what = "waits, but no job will send it";
        Ok(stranded.into_iter().map(|uid| Finding::new("mail_job", "mail_outbox", uid, what)).collect())
    }
}
