//! Letters through the queue: to the outbox, and to a mail server that says yes, later or never.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::{Arc, Mutex};

use db::Db;
use jobs::{Handlers, Jobs};
use kernel::{Ambient, Email};
use mail::{Letter, MailSettings, Mailer};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

struct Rig {
    db: Db,
    jobs: Jobs,
    mailer: Mailer,
    handlers: Handlers,
    _dir: tempfile::TempDir,
}

impl Rig {
    async fn with(settings: MailSettings) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite://{}/test.db", dir.path().display())).await.unwrap();
        let ambient = Ambient::system();
        let mut steps = jobs::migrations();
        steps.extend(mail::migrations());
        db::migrate(&db, &ambient, &steps).await.unwrap();
        let jobs = Jobs::new(db.clone(), ambient.clone());
        let mailer = Mailer::new(db.clone(), ambient, jobs.clone(), &settings).unwrap();
        let mut handlers = Handlers::default();
        mailer.register(&mut handlers);
        Self { db, jobs, mailer, handlers, _dir: dir }
    }

    async fn write(&self, to: &str) -> kernel::Uid {
        let letter = Letter::MagicLink {
            link: "https://v.example/authenticate?action=login&code=abc".into(),
            signing_up: false,
            minutes: 10,
            organisation: None,
        };
        let tx = self.db.write_tx().await.unwrap();
        let uid = self.mailer.enqueue(&tx, &Email::parse(to).unwrap(), &letter).await.unwrap();
        tx.commit().await.unwrap();
        uid
    }
}

/// A mail server that answers the recipient with `answer` and keeps what it was sent.
async fn smtp(answer: &'static str) -> (MailSettings, Arc<Mutex<Vec<String>>>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let smtp_url = format!("smtp://{}", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&heard);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (read, mut write) = stream.into_split();
            let mut lines = BufReader::new(read).lines();
            write.write_all(b"220 test\r\n").await.unwrap();
            let mut in_data = false;
            while let Ok(Some(line)) = lines.next_line().await {
                kept.lock().unwrap().push(line.clone());
                let reply = match line.as_str() {
                    "." => "250 taken",
                    _ if in_data => continue,
                    "DATA" => "354 go on",
                    "QUIT" => "221 bye",
                    _ if line.starts_with("RCPT") => answer,
                    _ => "250 ok",
                };
                in_data = line == "DATA";
                write.write_all(format!("{reply}\r\n").as_bytes()).await.unwrap();
            }
        }
    });
    (MailSettings { smtp_url, mail_from: "Vitrine <no-reply@v.example>".into() }, heard)
}

#[tokio::test]
async fn a_letter_is_in_the_outbox_only_after_its_job_ran() {
    let rig = Rig::with(MailSettings::default()).await;
    let uid = rig.write("ada@example.com").await;
    assert!(rig.mailer.sent_letter(uid).await.unwrap().is_none());
    assert_eq!(rig.jobs.run_due(&rig.handlers).await.unwrap(), 1);
    rig.write("bob@example.com").await;
    rig.jobs.run_due(&rig.handlers).await.unwrap();
    let ada = Email::parse("ada@example.com").unwrap();
    let letters = rig.mailer.sent(Some(&ada), 10).await.unwrap();
    assert_eq!(letters.len(), 1);
    assert_eq!((letters[0].uid, letters[0].subject.as_str()), (uid, "Sign in to Vitrine"));
    assert_eq!(mail::links_of(&letters[0].text), ["https://v.example/authenticate?action=login&code=abc"]);
    assert_eq!(rig.mailer.sent(None, 10).await.unwrap().len(), 2);
    assert_eq!(rig.jobs.leftovers().await.unwrap(), []);
}

#[tokio::test]
async fn a_letter_of_a_transaction_that_failed_was_never_written() {
    let rig = Rig::with(MailSettings::default()).await;
    let tx = rig.db.write_tx().await.unwrap();
    let letter = Letter::PurchaseRefunded { plan: "P".into(), account: "A".into() };
    rig.mailer.enqueue(&tx, &Email::parse("ada@example.com").unwrap(), &letter).await.unwrap();
    drop(tx);
    assert_eq!(rig.jobs.run_due(&rig.handlers).await.unwrap(), 0);
}

#[tokio::test]
async fn a_mail_server_gets_the_letter_and_the_database_forgets_its_words() {
    let (settings, heard) = smtp("250 ok").await;
    let rig = Rig::with(settings).await;
    let uid = rig.write("ada@example.com").await;
    rig.jobs.run_due(&rig.handlers).await.unwrap();
    assert_eq!(rig.jobs.leftovers().await.unwrap(), []);
    let kept = rig.mailer.sent_letter(uid).await.unwrap().unwrap();
    assert_eq!((kept.text.as_str(), kept.html.as_str()), ("", ""));
    let heard = heard.lock().unwrap().join("\n");
    assert!(heard.contains("RCPT TO:<ada@example.com>"), "{heard}");
    assert!(heard.contains("Subject: Sign in to Vitrine") && heard.contains(&uid.to_string()), "{heard}");
}

#[tokio::test]
async fn later_is_tried_again_and_never_is_final() {
    let (settings, _) = smtp("451 try later").await;
    let rig = Rig::with(settings).await;
    rig.write("ada@example.com").await;
    rig.jobs.run_due(&rig.handlers).await.unwrap();
    let waiting = rig.jobs.leftovers().await.unwrap();
    assert_eq!((waiting.len(), waiting[0].state.as_str()), (1, "ready"));
    assert_eq!(waiting[0].last_error.as_deref(), Some("451"));

    let (settings, _) = smtp("550 no such user <ada@example.com>").await;
    let rig = Rig::with(settings).await;
    let uid = rig.write("ada@example.com").await;
    rig.jobs.run_due(&rig.handlers).await.unwrap();
    assert_eq!(rig.jobs.leftovers().await.unwrap(), []);
    assert!(rig.mailer.sent_letter(uid).await.unwrap().is_none());
}

#[tokio::test]
async fn a_dead_mail_server_loses_no_letter() {
    let dead = MailSettings { smtp_url: "smtp://127.0.0.1:9".into(), ..MailSettings::default() };
    let rig = Rig::with(dead).await;
    rig.write("ada@example.com").await;
    rig.jobs.run_due(&rig.handlers).await.unwrap();
    let waiting = rig.jobs.leftovers().await.unwrap();
    assert_eq!((waiting.len(), waiting[0].kind.as_str()), (1, "send_mail"));
}
