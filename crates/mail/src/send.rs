//! The job that sends an email, and the cleanup of emails whose job is gone.

use db::Stored;
use jobs::{Attempt, Job, JobError};
use kernel::{DAY, EmailId, JobId, Millis};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use crate::entity::mail_outbox::{Model, State};
use crate::store::SendOutcome;
use crate::transport::{Outgoing, SendError};
use crate::{EmailMessage, Mailer, RETENTION, Wanted, store};

/// Recorded for an email whose links no longer work.
const EXPIRED: &str = "link expired";

/// Sends the email with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SendMail {
    /// Id of the email in the outbox.
    pub(crate) mail: EmailId,
}

impl Job for SendMail {
    const KIND: &'static str = "send_mail";
    const RETRY_FOR: Option<Millis> = Some(3 * DAY);
}

/// Sends the email unless it has been sent. A permanent rejection, the last try and the expiry of its links
/// are final. A failed email is still sent if the operator runs its job again.
pub(crate) async fn run(mailer: &Mailer, job: SendMail, attempt: Attempt) -> Result<(), JobError> {
    let Some(mut row) = store::by_id(mailer.db.read(), job.mail).await? else {
        return Err(JobError::Final("the email was deleted before it could be sent".to_owned()));
    };
    match row.state.known("mail_outbox", "state", row.uid)? {
        State::Waiting | State::Failed => {}
        State::Sent | State::Withdrawn => return Ok(()),
    }
    let (uid, kind) = (row.uid, row.kind.clone());
    let kind = kind.as_str();
    if row.text_body.is_empty() || row.expires_at.is_some_and(|at| at <= mailer.ambient.now()) {
        tracing::error!(mail = %uid, kind, code = row.last_error, "email not sent: its link has expired");
        record_outcome(mailer, &row, State::Failed, Some(EXPIRED)).await?;
        count(kind, "gave_up");
        return Ok(());
    }
    if !prepare(mailer, &mut row).await? {
        record_outcome(mailer, &row, State::Withdrawn, None).await?;
        count(kind, "withdrawn");
        return Ok(());
    }
    match deliver(mailer, &outgoing(&row)).await {
        Ok(()) => {
            record_outcome(mailer, &row, State::Sent, None).await?;
            count(kind, "sent");
        }
        Err(SendError::Permanent(code)) => {
            tracing::error!(mail = %uid, kind, %code, "email permanently rejected");
            record_outcome(mailer, &row, State::Failed, Some(&code)).await?;
            count(kind, "refused");
            return Err(JobError::Final(code));
        }
        Err(SendError::Temporary(code)) if attempt.is_last => {
            tracing::error!(mail = %uid, kind, %code, attempts = row.attempts + 1, "email given up after its last try");
            record_outcome(mailer, &row, State::Failed, Some(&code)).await?;
            count(kind, "gave_up");
            return Err(JobError::Final(code));
        }
        Err(SendError::Temporary(code)) => {
            tracing::warn!(mail = %uid, kind, %code, "email not accepted yet, will be tried again");
            let tx = mailer.db.write_tx().await?;
            store::record_retry(&tx, uid, &code, mailer.ambient.now()).await?;
            tx.commit().await?;
            count(kind, "later");
            return Err(JobError::Retry(code));
        }
    }
    Ok(())
}

/// Returns whether to send the email. A bulk email may have become pointless while it waited, or outdated: then its text
/// is replaced.
async fn prepare(mailer: &Mailer, row: &mut Model) -> Result<bool, JobError> {
    let check = mailer.still_wanted.read().get(row.kind.as_str()).cloned();
    let (Some(topic), Some(person), Some(check)) = (row.topic, row.person, check) else {
        return Ok(true);
    };
    match check.still_wanted(topic, person).await? {
        Wanted::No => Ok(false),
        Wanted::AsWritten => Ok(true),
        Wanted::Now(message) => rewrite(mailer, row, &message).await,
    }
}

/// Renders the email anew, and stores it if it differs, so that the outbox has what is sent. Returns false if it was
/// withdrawn meanwhile.
async fn rewrite(mailer: &Mailer, row: &mut Model, message: &EmailMessage) -> Result<bool, JobError> {
    let rendered = mailer.templates.render(message).map_err(|error| JobError::Retry(error.to_string()))?;
    let stored = (&row.subject, &row.text_body, &row.html_body);
    if stored == (&rendered.subject, &rendered.text, &rendered.html) {
        return Ok(true);
    }
    let tx = mailer.db.write_tx().await?;
    let is_stored = store::rewrite(&tx, row.uid, &rendered).await?;
    tx.commit().await?;
    (row.subject, row.text_body, row.html_body) = (rendered.subject, rendered.text, rendered.html);
    Ok(is_stored)
}

fn outgoing(row: &Model) -> Outgoing<'_> {
    Outgoing {
        uid: row.uid,
        to: &row.recipient,
        subject: &row.subject,
        text: &row.text_body,
        html: &row.html_body,
        unsubscribe_url: Some(row.unsubscribe_url.as_str()).filter(|url| !url.is_empty()),
        created_at: row.time_created,
    }
}

/// Hands an email to the mail server within the mailer's time limit.
pub async fn deliver(mailer: &Mailer, email: &Outgoing<'_>) -> Result<(), SendError> {
    tokio::time::timeout(mailer.send_timeout, mailer.transport.send(email))
        .await
        .unwrap_or_else(|_| Err(SendError::Temporary("timed out".to_owned())))
}

async fn record_outcome(
    mailer: &Mailer,
    row: &Model,
    state: State,
    last_error: Option<&str>,
) -> Result<bool, JobError> {
    let (now, tx) = (mailer.ambient.now(), mailer.db.write_tx().await?);
    let keep_text = match state {
        State::Withdrawn => false,
        State::Failed if last_error == Some(EXPIRED) => false,
        // The operator may still have it sent.
        State::Failed => row.expires_at.is_none_or(|at| at > now),
        State::Waiting | State::Sent => mailer.transport.keeps_text(),
    };
    let recorded =
        store::record_outcome(&tx, row.uid, SendOutcome { state, last_error, keep_text }, now).await?;
    tx.commit().await?;
    Ok(recorded)
}

fn count(kind: &str, outcome: &'static str) {
    metrics::counter!("vitrine_mails_total", "kind" => kind.to_owned(), "outcome" => outcome).increment(1);
}

/// Fails the emails whose job was given up without an answer of the mail server (its worker died each time,
/// for example), and deletes emails that are a week old.
pub(crate) async fn clean_up(mailer: &Mailer) -> Result<(), JobError> {
    for uid in stranded(mailer).await? {
        let Some(row) = store::by_id(mailer.db.read(), uid).await? else { continue };
        if record_outcome(mailer, &row, State::Failed, Some("its job was given up")).await? {
            tracing::error!(mail = %uid, kind = row.kind, "email not sent: its job was given up");
            count(&row.kind, "gave_up");
        }
    }
    let tx = mailer.db.write_tx().await?;
    store::erase_expired(&tx, mailer.ambient.now()).await?;
    tx.commit().await?;
    store::prune(&mailer.db, mailer.ambient.now() - RETENTION).await?;
    Ok(())
}

/// Returns whether [`clean_up`] would change anything.
pub(crate) async fn needs_clean_up(mailer: Mailer) -> Result<bool, DbErr> {
    let now = mailer.ambient.now();
    Ok(store::any_to_clean_up(mailer.db.read(), now, now - RETENTION).await?
        || !stranded(&mailer).await?.is_empty())
}

/// Returns emails that wait although the job that should send them is gone.
pub(crate) async fn stranded(mailer: &Mailer) -> Result<Vec<EmailId>, DbErr> {
    let waiting = store::waiting(mailer.db.read()).await?;
    let jobs: Vec<JobId> = waiting.iter().filter_map(|(_, job)| *job).collect();
    let open = mailer.jobs.active_among(mailer.db.read(), &jobs).await?;
    let mut stranded = Vec::new();
    for (uid, job) in waiting {
        if job.is_none_or(|job| open.contains(&job)) {
            continue;
        }
        // A job that ended between the two reads has recorded the outcome itself.
        let row = store::by_id(mailer.db.read(), uid).await?;
        stranded.extend(row.filter(|row| row.state == Stored::Known(State::Waiting)).map(|row| row.uid));
    }
    Ok(stranded)
}

#[cfg(test)]
mod tests {
    use db::Db;
    use jobs::{Handlers, Jobs, Queue};
    use kernel::{Ambient, Email};

    use super::*;
    use crate::MailSettings;

    #[tokio::test]
    async fn an_email_whose_job_was_given_up_fails_and_one_whose_job_is_open_waits() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite://{}/test.db", folder.path().display())).await.unwrap();
        let ambient = Ambient::system();
        let mut steps = jobs::migrations();
        steps.extend(crate::migrations());
        db::migrate(&db, &ambient, &steps).await.unwrap();
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mailer = Mailer::new(db.clone(), ambient, jobs.clone(), &MailSettings::default()).unwrap();
        let write = async || {
            let tx = db.write_tx().await.unwrap();
            let to = Email::parse("ada@example.com").unwrap();
            let uid = mailer.enqueue(&tx, &to, &EmailMessage::PasswordChanged).await.unwrap();
            tx.commit().await.unwrap();
            uid
        };
        let orphaned = write().await;
        let mut dying = Handlers::default();
        dying.on(Queue::Quick, async |_: SendMail| Err(JobError::Final("the worker died".to_owned())));
        jobs.run_due(&dying).await.unwrap();
        let open = write().await;
        assert_eq!(mailer.delivery_failures(10).await.unwrap(), []);

        clean_up(&mailer).await.unwrap();

        let failures = mailer.delivery_failures(10).await.unwrap();
        assert_eq!(failures.len(), 1, "{failures:?}");
        assert_eq!((failures[0].uid, failures[0].failed), (orphaned, true));
        assert_eq!(failures[0].code, "its job was given up");
        let waits = store::by_id(db.read(), open).await.unwrap().unwrap();
        assert_eq!((waits.state, waits.attempts), (State::Waiting.into(), 0));
    }
}
