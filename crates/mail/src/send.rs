//! The job that sends one letter, and the care for those whose job is gone.

use jobs::{Attempt, Failure, Job};
use kernel::{DAY, Millis, Uid};
use sea_orm::DbErr;
use serde::{Deserialize, Serialize};

use crate::entity::mail_outbox::Model;
use crate::store::End;
use crate::transport::{Outgoing, SendError};
use crate::{KEEP, Mailer, store};

/// What is said of a letter whose links no longer work.
const EXPIRED: &str = "its link no longer works";

/// Sends the letter with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SendMail {
    /// The letter's id in the outbox.
    pub(crate) mail: Uid,
}

impl Job for SendMail {
    const KIND: &'static str = "send_mail";
    const RETRY_FOR: Option<Millis> = Some(3 * DAY);
}

/// Sends the letter unless it has gone already. A refusal for good ends its way, and so do the last try and the end of
/// its links. A letter that failed is sent after all if the operator runs its job again.
pub(crate) async fn run(mailer: &Mailer, job: SendMail, attempt: Attempt) -> Result<(), Failure> {
    let Some(row) = store::by_id(mailer.db.read(), job.mail).await? else {
        return Err(Failure::Final("the letter was pruned before it could be sent".to_owned()));
    };
    if ![store::WAITING, store::FAILED].contains(&row.state.as_str()) {
        return Ok(());
    }
    let (uid, kind) = (row.uid, row.kind.as_str());
    if row.text_body.is_empty() || row.expires_at.is_some_and(|at| at <= mailer.ambient.now()) {
        tracing::error!(mail = %uid, kind, code = row.trouble, "a letter was given up: its link no longer works");
        settle(mailer, &row, store::FAILED, EXPIRED).await?;
        count(kind, "gave_up");
        return Ok(());
    }
    if !still_wanted(mailer, &row).await? {
        settle(mailer, &row, store::WITHDRAWN, "").await?;
        count(kind, "withdrawn");
        return Ok(());
    }
    match hand_over(mailer, &row).await {
        Ok(()) => {
            settle(mailer, &row, store::SENT, "").await?;
            count(kind, "sent");
        }
        Err(SendError::Never(code)) => {
            tracing::error!(mail = %uid, kind, %code, "a letter was refused for good");
            settle(mailer, &row, store::FAILED, &code).await?;
            count(kind, "refused");
            return Err(Failure::Final(code));
        }
        Err(SendError::Later(code)) if attempt.is_last => {
            tracing::error!(mail = %uid, kind, %code, tries = row.tries + 1, "a letter was given up");
            settle(mailer, &row, store::FAILED, &code).await?;
            count(kind, "gave_up");
            return Err(Failure::Final(code));
        }
        Err(SendError::Later(code)) => {
            tracing::warn!(mail = %uid, kind, %code, "a letter has to be sent later");
            let tx = mailer.db.write_tx().await?;
            store::later(&tx, uid, &code, mailer.ambient.now()).await?;
            tx.commit().await?;
            count(kind, "later");
            return Err(Failure::Retry(code));
        }
    }
    Ok(())
}

/// Whether the letter is to go: one of many may have been overtaken.
async fn still_wanted(mailer: &Mailer, row: &Model) -> Result<bool, Failure> {
    let (Some(about), Some(person), Some(who)) = (row.about, row.person, mailer.asked.get()) else {
        return Ok(true);
    };
    Ok(who.still_wanted(about, person).await?)
}

/// Gives the letter to the mail server, which has the mailer's patience for all of it.
async fn hand_over(mailer: &Mailer, row: &Model) -> Result<(), SendError> {
    let letter = Outgoing {
        uid: row.uid,
        to: &row.recipient,
        subject: &row.subject,
        text: &row.text_body,
        html: &row.html_body,
        stop: &row.stop,
        written: row.time_created,
    };
    tokio::time::timeout(mailer.patience, mailer.transport.send(&letter))
        .await
        .unwrap_or_else(|_| Err(SendError::Later("no answer in time".to_owned())))
}

async fn settle(mailer: &Mailer, row: &Model, state: &str, trouble: &str) -> Result<bool, Failure> {
    let (now, tx) = (mailer.ambient.now(), mailer.db.write_tx().await?);
    let keep = match state {
        store::WITHDRAWN => false,
        store::FAILED if trouble == EXPIRED => false,
        // The operator may have it sent after all.
        store::FAILED => row.expires_at.is_none_or(|at| at > now),
        _ => mailer.transport.keeps(),
    };
    let settled = store::settle(&tx, row.uid, End { state, trouble, keep }, now).await?;
    tx.commit().await?;
    Ok(settled)
}

fn count(kind: &str, outcome: &'static str) {
    metrics::counter!("vitrine_mails_total", "kind" => kind.to_owned(), "outcome" => outcome).increment(1);
}

/// Fails the letters whose job was given up without a word from the mail server (its worker died each time, say),
/// and removes letters a week old.
pub(crate) async fn tidy(mailer: &Mailer) -> Result<(), Failure> {
    for uid in stranded(mailer).await? {
        let Some(row) = store::by_id(mailer.db.read(), uid).await? else { continue };
        if settle(mailer, &row, store::FAILED, "its job was given up").await? {
            tracing::error!(mail = %uid, kind = row.kind, "a letter was given up: its job was");
            count(&row.kind, "gave_up");
        }
    }
    let tx = mailer.db.write_tx().await?;
    store::erase_expired(&tx, mailer.ambient.now()).await?;
    store::prune(&tx, mailer.ambient.now() - KEEP).await?;
    Ok(tx.commit().await?)
}

/// Letters that wait although the job that should send them is no more.
pub(crate) async fn stranded(mailer: &Mailer) -> Result<Vec<Uid>, DbErr> {
    let waiting = store::waiting(mailer.db.read()).await?;
    let jobs: Vec<Uid> = waiting.iter().filter_map(|(_, job)| *job).collect();
    let open = mailer.jobs.open_among(mailer.db.read(), &jobs).await?;
    let mut stranded = Vec::new();
    for (uid, job) in waiting {
        if job.is_none_or(|job| open.contains(&job)) {
            continue;
        }
        // A job that ended between the two reads has settled its letter.
        let row = store::by_id(mailer.db.read(), uid).await?;
        stranded.extend(row.filter(|row| row.state == store::WAITING).map(|row| row.uid));
    }
    Ok(stranded)
}

#[cfg(test)]
mod tests {
    use db::Db;
    use jobs::{Handlers, Jobs, Lane};
    use kernel::{Ambient, Email};

    use super::*;
    use crate::{Letter, MailSettings};

    #[tokio::test]
    async fn a_letter_whose_job_was_given_up_fails_and_one_whose_job_is_open_waits() {
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
            let uid = mailer.enqueue(&tx, &to, &Letter::PasswordChanged).await.unwrap();
            tx.commit().await.unwrap();
            uid
        };
        let lost = write().await;
        let mut dying = Handlers::default();
        dying.on(Lane::Quick, async |_: SendMail| Err(Failure::Final("the worker died".to_owned())));
        jobs.run_due(&dying).await.unwrap();
        let open = write().await;
        assert_eq!(mailer.troubles(10).await.unwrap(), []);

        tidy(&mailer).await.unwrap();

        let troubles = mailer.troubles(10).await.unwrap();
        assert_eq!(troubles.len(), 1, "{troubles:?}");
        assert_eq!((troubles[0].uid, troubles[0].failed), (lost, true));
        assert_eq!(troubles[0].code, "its job was given up");
        let waits = store::by_id(db.read(), open).await.unwrap().unwrap();
        assert_eq!((waits.state.as_str(), waits.tries), (store::WAITING, 0));
    }
}
