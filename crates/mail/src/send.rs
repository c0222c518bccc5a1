//! The job that sends one letter, and the clearing of old ones.

use jobs::{Failure, Job};
use kernel::Uid;
use serde::{Deserialize, Serialize};

use crate::transport::{Outgoing, SendError};
use crate::{KEEP, Mailer, store};

/// Sends the letter with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SendMail {
    /// The letter's id in the outbox.
    pub(crate) mail: Uid,
}

impl Job for SendMail {
    const KIND: &'static str = "send_mail";
}

/// Sends the letter unless it has gone already; a refusal for good ends its way.
pub(crate) async fn run(mailer: &Mailer, job: SendMail) -> Result<(), Failure> {
    let Some(row) = store::by_id(mailer.db.read(), job.mail).await? else {
        return Err(Failure::Final("the letter was pruned before it could be sent".to_owned()));
    };
    if row.state != store::WAITING {
        return Ok(());
    }
    let letter = Outgoing {
        uid: row.uid,
        to: &row.recipient,
        subject: &row.subject,
        text: &row.text_body,
        html: &row.html_body,
    };
    match mailer.transport.send(&letter).await {
        Ok(()) => settle(mailer, job.mail, store::SENT, "").await,
        Err(SendError::Later(why)) => Err(Failure::Retry(why)),
        Err(SendError::Never(why)) => {
            tracing::warn!(mail = %job.mail, kind = row.kind, %why, "a letter was refused for good");
            settle(mailer, job.mail, store::FAILED, &why).await
        }
    }
}

async fn settle(mailer: &Mailer, uid: Uid, state: &str, trouble: &str) -> Result<(), Failure> {
    let tx = mailer.db.write_tx().await?;
    store::settle(&tx, uid, state, trouble, mailer.transport.keeps()).await?;
    Ok(tx.commit().await?)
}

/// Removes letters a week old.
pub(crate) async fn prune(mailer: &Mailer) -> Result<(), Failure> {
    let tx = mailer.db.write_tx().await?;
    store::prune(&tx, mailer.ambient.now() - KEEP).await?;
    Ok(tx.commit().await?)
}
