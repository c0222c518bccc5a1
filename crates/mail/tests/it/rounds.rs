//! Bulk email: its headers, and what withdraws it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Email, Uid};
use mail::{Brand, Letter, MailSettings, Newcomer, News, Round, StillWanted};
use sea_orm::DbErr;

use crate::peer::Peer;
use crate::rig::{Rig, smtp};

const STOP: &str = "https://v.example/v1/letters/AbC-_9";

fn news(name: &str) -> Letter {
    let brand = Brand {
        name: name.to_owned(),
        logo: String::new(),
        background: "#102030".into(),
        text: "#ffffff".into(),
        button: "#703cd2".into(),
    };
    let link = "https://v.example/app/org/1/playlists/2".to_owned();
    let (title, description, stop) = ("Summer".to_owned(), String::new(), STOP.to_owned());
    Letter::News(Box::new(News { brand, what: Newcomer::Playlist, title, description, link, stop }))
}

impl Rig {
    /// Writes a bulk email about `about` to a person.
    async fn tell(&self, about: u128, person: u128, letter: &Letter) -> Result<Uid, DbErr> {
        let tx = self.db.write_tx().await?;
        let to = Email::parse(&format!("p{person}@example.com")).unwrap();
        let (about, person) = (Uid::from_u128(about), Uid::from_u128(person));
        let round = Round { about, person, stop: STOP.to_owned() };
        let uid = self.mailer.enqueue_round(&tx, &to, letter, &round).await?;
        tx.commit().await?;
        Ok(uid)
    }

    /// Returns the bulk emails not tried yet, and all that wait.
    async fn waiting(&self) -> (u64, u64) {
        let waiting = self.mailer.rounds_waiting(self.db.read()).await.unwrap();
        (waiting.untried, waiting.all)
    }
}

/// Everyone wants email except one person, until a test sets `nobody`.
#[derive(Default)]
struct Wishes {
    not: Uid,
    nobody: AtomicBool,
}

#[async_trait::async_trait]
impl StillWanted for Wishes {
    async fn still_wanted(&self, _: Uid, person: Uid) -> Result<bool, DbErr> {
        Ok(person != self.not && !self.nobody.load(Ordering::SeqCst))
    }
}

#[tokio::test]
async fn a_letter_of_a_round_says_in_its_headers_how_it_is_stopped_and_no_other_letter_does() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    rig.tell(1, 1, &news("Evil\r\nBcc: all@example.com")).await.unwrap();
    rig.write("ada@example.com").await;
    rig.run().await;

    let taken = peer.end().letters();
    assert_eq!(taken.len(), 2);
    let (one, plain) = if taken[0].headers("To") == ["p1@example.com"] {
        (&taken[0], &taken[1])
    } else {
        (&taken[1], &taken[0])
    };
    assert_eq!(one.headers("List-Unsubscribe"), [format!("<{STOP}>")]);
    assert_eq!(one.headers("List-Unsubscribe-Post"), ["List-Unsubscribe=One-Click"]);
    assert_eq!(one.headers("Bcc"), Vec::<String>::new());
    let mut names = plain.header_names();
    names.extend(["list-unsubscribe".to_owned(), "list-unsubscribe-post".to_owned()]);
    names.sort();
    assert_eq!(one.header_names(), names);
    assert!(one.parts()[0].1.contains(STOP) && one.parts()[1].1.contains(STOP));
    rig.end().await;
}

#[tokio::test]
async fn a_letter_nobody_wants_any_more_is_withdrawn_and_forgotten() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    rig.mailer.ask(Arc::new(Wishes { not: Uid::from_u128(2), ..Wishes::default() }));
    let wanted = rig.tell(1, 1, &news("Acme")).await.unwrap();
    let unwanted = rig.tell(1, 2, &news("Acme")).await.unwrap();
    assert_eq!(rig.waiting().await, (2, 2));
    rig.run().await;
    assert!(rig.mailer.sent_letter(wanted).await.unwrap().is_some());
    assert!(rig.mailer.sent_letter(unwanted).await.unwrap().is_none());
    assert_eq!(rig.waiting().await, (0, 0));
    assert_eq!(rig.mailer.troubles(9).await.unwrap(), []);
    assert_eq!(rig.open_jobs().await, []);
    assert_eq!(rig.words_in_the_outbox().await, 0);
    assert_eq!(peer.end().answers(), ["250"], "the mail server was never asked about the other one");
    rig.end().await;
}

#[tokio::test]
async fn it_is_asked_again_before_each_try() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let wishes = Arc::new(Wishes::default());
    rig.mailer.ask(wishes.clone());
    let tx = rig.db.write_tx().await.unwrap();
    let round = Round { about: Uid::from_u128(1), person: Uid::from_u128(1), stop: STOP.to_owned() };
    let later = Email::parse("rcpt-451-9@example.com").unwrap();
    rig.mailer.enqueue_round(&tx, &later, &news("Acme"), &round).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(rig.run().await, 1);
    assert_eq!(rig.waiting().await, (0, 1), "it waits for another try");
    wishes.nobody.store(true, Ordering::SeqCst);
    assert_eq!(rig.exhaust().await, 0, "not tried before the wait is over");
    rig.pass(kernel::SECOND);
    assert_eq!(rig.exhaust().await, 1);
    assert_eq!(peer.end().answers(), ["451"]);
    rig.end().await;
}

#[tokio::test]
async fn a_person_gets_one_letter_about_a_thing() {
    let rig = Rig::with(MailSettings::default()).await;
    rig.tell(1, 1, &news("Acme")).await.unwrap();
    assert!(db::is_unique_violation(&rig.tell(1, 1, &news("Acme")).await.unwrap_err()));
    rig.tell(2, 1, &news("Acme")).await.unwrap();
    rig.tell(1, 2, &news("Acme")).await.unwrap();
    rig.write("ada@example.com").await;
    rig.write("ada@example.com").await;
    rig.run().await;
    assert_eq!(rig.mailer.sent(None, 10).await.unwrap().len(), 5);
    rig.end().await;
}
