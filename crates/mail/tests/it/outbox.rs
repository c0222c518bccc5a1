//! Without a mail server, sent emails stay in the outbox.

use kernel::Email;
use mail::{Letter, MailSettings};

use crate::rig::{LINK, Rig};

#[tokio::test]
async fn a_letter_is_in_the_outbox_only_after_its_job_ran() {
    let rig = Rig::with(MailSettings::default()).await;
    let uid = rig.write("ada@example.com").await;
    assert!(rig.mailer.sent_letter(uid).await.unwrap().is_none());
    assert_eq!(rig.run().await, 1);
    rig.write("bob@example.com").await;
    rig.run().await;
    let ada = Email::parse("ada@example.com").unwrap();
    let letters = rig.mailer.sent(Some(&ada), 10).await.unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!((letters[0].uid, letters[0].subject.as_str()), (uid, "Sign in to Vitrine"));
    assert_eq!(mail::links_of(&letters[0].text), [LINK]);
    assert_eq!(rig.mailer.sent(None, 10).await.unwrap().len(), 2);
    assert_eq!(rig.open_jobs().await, []);
    rig.end().await;
}

#[tokio::test]
async fn a_letter_of_a_transaction_that_failed_was_never_written() {
    let rig = Rig::with(MailSettings::default()).await;
    let tx = rig.db.write_tx().await.unwrap();
    let letter = Letter::PurchaseRefunded { plan: "P".into(), account: "A".into() };
    rig.mailer.enqueue(&tx, &Email::parse("ada@example.com").unwrap(), &letter).await.unwrap();
    drop(tx);
    assert_eq!(rig.run().await, 0);
    rig.end().await;
}
