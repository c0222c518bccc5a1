//! Bulk email: its headers, and what withdraws it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Email, EmailId, PersonId, Uid};
use mail::{AnnouncedItem, Announcement, AnnouncementKind, BulkEmail, EmailMessage, MailSettings};
use mail::{StillWanted, Wanted};
use sea_orm::DbErr;

use crate::peer::Peer;
use crate::test_app::{TestApp, brand, smtp, test_app_with};

const UNSUBSCRIBE: &str = "https://v.example/v1/unsubscribe/AbC-_9";

fn announcement(name: &str) -> EmailMessage {
    let link = "https://v.example/app/org/1/playlists/2".to_owned();
    let kind = AnnouncementKind::Playlist;
    let item = AnnouncedItem { kind, title: "Summer".to_owned(), description: None, link };
    EmailMessage::Announcement(Box::new(Announcement {
        brand: brand(name),
        items: vec![item],
        home: "https://v.example/app/org/1".to_owned(),
        unsubscribe_url: UNSUBSCRIBE.to_owned(),
    }))
}

impl TestApp {
    /// Writes a bulk email about `topic` to a person.
    async fn send_bulk(&self, topic: u128, person: u128, message: &EmailMessage) -> Result<EmailId, DbErr> {
        let tx = self.db.write_tx().await?;
        let to = Email::parse(&format!("p{person}@example.com")).unwrap();
        let (topic, person) = (Uid::from_u128(topic), PersonId::from_u128(person));
        let bulk = BulkEmail { topic, person, unsubscribe_url: UNSUBSCRIBE.to_owned() };
        let uid = self.mailer.enqueue_bulk(&tx, &to, message, &bulk).await?;
        tx.commit().await?;
        Ok(uid)
    }

    /// Returns the bulk emails not tried yet, and all that wait.
    async fn waiting(&self) -> (u64, u64) {
        let waiting = self.mailer.bulk_backlog(self.db.read()).await.unwrap();
        (waiting.untried, waiting.all)
    }
}

/// Everyone wants email except one person, until a test sets `all_opted_out`.
#[derive(Default)]
struct Preferences {
    opted_out: Option<PersonId>,
    all_opted_out: AtomicBool,
}

#[async_trait::async_trait]
impl StillWanted for Preferences {
    async fn still_wanted(&self, _: Uid, person: PersonId) -> Result<Wanted, DbErr> {
        let is_wanted = Some(person) != self.opted_out && !self.all_opted_out.load(Ordering::SeqCst);
        Ok(is_wanted.into())
    }
}

#[tokio::test]
async fn only_bulk_email_has_the_unsubscribe_headers() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    app.send_bulk(1, 1, &announcement("Evil\r\nBcc: all@example.com")).await.unwrap();
    app.enqueue_link("ada@example.com").await;
    app.run().await;

    let emails = peer.end().emails();
    assert_eq!(emails.len(), 2);
    let (one, plain) = if emails[0].headers("To") == ["p1@example.com"] {
        (&emails[0], &emails[1])
    } else {
        (&emails[1], &emails[0])
    };
    assert_eq!(one.headers("List-Unsubscribe"), [format!("<{UNSUBSCRIBE}>")]);
    assert_eq!(one.headers("List-Unsubscribe-Post"), ["List-Unsubscribe=One-Click"]);
    assert_eq!(one.headers("Bcc"), Vec::<String>::new());
    let mut names = plain.header_names();
    names.extend(["list-unsubscribe".to_owned(), "list-unsubscribe-post".to_owned()]);
    names.sort();
    assert_eq!(one.header_names(), names);
    assert!(one.parts()[0].1.contains(UNSUBSCRIBE) && one.parts()[1].1.contains(UNSUBSCRIBE));
    app.end().await;
}

#[tokio::test]
async fn a_bulk_email_that_is_no_longer_wanted_is_withdrawn_and_erased() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    app.mailer.set_still_wanted(
        "announcement",
        Arc::new(Preferences { opted_out: Some(PersonId::from_u128(2)), ..Preferences::default() }),
    );
    let wanted = app.send_bulk(1, 1, &announcement("Acme")).await.unwrap();
    let unwanted = app.send_bulk(1, 2, &announcement("Acme")).await.unwrap();
    assert_eq!(app.waiting().await, (2, 2));
    app.run().await;
    assert!(app.mailer.sent_email(wanted).await.unwrap().is_some());
    assert!(app.mailer.sent_email(unwanted).await.unwrap().is_none());
    assert_eq!(app.waiting().await, (0, 0));
    assert_eq!(app.mailer.delivery_failures(9).await.unwrap(), []);
    assert_eq!(app.open_jobs().await, []);
    assert_eq!(app.emails_with_text().await, 0);
    assert_eq!(peer.end().answers(), ["250"], "the mail server was never asked about the other one");
    app.end().await;
}

#[tokio::test]
async fn whether_it_is_wanted_is_checked_before_each_attempt() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let preferences = Arc::new(Preferences::default());
    app.mailer.set_still_wanted("announcement", preferences.clone());
    let tx = app.db.write_tx().await.unwrap();
    let bulk = BulkEmail {
        topic: Uid::from_u128(1),
        person: PersonId::from_u128(1),
        unsubscribe_url: UNSUBSCRIBE.to_owned(),
    };
    let later = Email::parse("rcpt-451-9@example.com").unwrap();
    app.mailer.enqueue_bulk(&tx, &later, &announcement("Acme"), &bulk).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.run().await, 1);
    assert_eq!(app.waiting().await, (0, 1), "it waits for another try");
    preferences.all_opted_out.store(true, Ordering::SeqCst);
    assert_eq!(app.exhaust().await, 0, "not tried before the wait is over");
    app.pass(kernel::SECOND);
    assert_eq!(app.exhaust().await, 1);
    assert_eq!(peer.end().answers(), ["451"]);
    app.end().await;
}

#[tokio::test]
async fn a_person_gets_one_bulk_email_about_a_topic() {
    let app = test_app_with(MailSettings::default()).await;
    app.send_bulk(1, 1, &announcement("Acme")).await.unwrap();
    assert!(db::is_unique_violation(&app.send_bulk(1, 1, &announcement("Acme")).await.unwrap_err()));
    app.send_bulk(2, 1, &announcement("Acme")).await.unwrap();
    app.send_bulk(1, 2, &announcement("Acme")).await.unwrap();
    app.enqueue_link("ada@example.com").await;
    app.enqueue_link("ada@example.com").await;
    app.run().await;
    assert_eq!(app.mailer.sent(None, 10).await.unwrap().len(), 5);
    app.end().await;
}

/// Has something else to say than when the email was written.
struct Renamed;

#[async_trait::async_trait]
impl StillWanted for Renamed {
    async fn still_wanted(&self, _: Uid, _: PersonId) -> Result<Wanted, DbErr> {
        Ok(Wanted::Now(announcement("Renamed")))
    }
}

#[tokio::test]
async fn a_bulk_email_says_what_there_is_to_say_when_it_is_sent() {
    let app = test_app_with(MailSettings::default()).await;
    app.mailer.set_still_wanted("announcement", Arc::new(Renamed));
    let uid = app.send_bulk(1, 1, &announcement("Acme")).await.unwrap();
    app.run().await;
    let sent = app.mailer.sent_email(uid).await.unwrap().unwrap();
    assert_eq!(sent.subject, "New playlist from Renamed: Summer");
    for part in [sent.text.unwrap(), sent.html.unwrap()] {
        assert!(part.contains("Renamed") && !part.contains("Acme"), "{part}");
    }
    app.end().await;
}
