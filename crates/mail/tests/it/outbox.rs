//! Without a mail server, sent emails stay in the outbox.

use kernel::Email;
use mail::{EmailMessage, MailSettings};
use sea_orm::ConnectionTrait as _;

use crate::test_app::{LINK, test_app_with};

#[tokio::test]
async fn an_email_counts_as_sent_only_after_its_job_ran() {
    let app = test_app_with(MailSettings::default()).await;
    let uid = app.enqueue_link("ada@example.com").await;
    assert!(app.mailer.sent_email(uid).await.unwrap().is_none());
    assert_eq!(app.run().await, 1);
    app.enqueue_link("bob@example.com").await;
    app.run().await;
    let ada = Email::parse("ada@example.com").unwrap();
    let emails = app.mailer.sent(Some(&ada), 10).await.unwrap();
    assert_eq!(emails.len(), 1);
    assert_eq!((emails[0].uid, emails[0].subject.as_str()), (uid, "Sign in to Vitrine"));
    assert_eq!(emails[0].links(), [LINK]);
    assert_eq!(app.mailer.sent(None, 10).await.unwrap().len(), 2);
    assert_eq!(app.open_jobs().await, []);
    app.end().await;
}

#[tokio::test]
async fn an_email_of_a_failed_transaction_was_never_written() {
    let app = test_app_with(MailSettings::default()).await;
    let tx = app.db.write_tx().await.unwrap();
    let message = EmailMessage::PurchaseRefunded { plan: "P".into(), account: "A".into() };
    app.mailer.enqueue(&tx, &Email::parse("ada@example.com").unwrap(), &message).await.unwrap();
    drop(tx);
    assert_eq!(app.run().await, 0);
    app.end().await;
}

#[tokio::test]
async fn an_email_in_an_unreadable_state_is_not_taken_for_sent() {
    let app = test_app_with(MailSettings::default()).await;
    let uid = app.enqueue_link("ada@example.com").await;
    let tx = app.db.write_tx().await.unwrap();
    tx.execute_unprepared("UPDATE mail_outbox SET state = 'lost'").await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.run().await, 1);
    let why = format!("Type Error: mail_outbox.state of {uid} cannot be read");
    assert_eq!(app.open_jobs().await, [("send_mail".to_owned(), "ready".to_owned(), why)]);
    app.end().await;
}
