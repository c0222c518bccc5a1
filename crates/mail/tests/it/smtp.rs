//! A real mail server that accepts, defers or rejects, and one that is down.

use std::time::Duration;

use kernel::{DAY, HOUR, MINUTE, SECOND};
use mail::Letter;

use crate::peer::Peer;
use crate::rig::{LINK, Rig, link, smtp};

#[tokio::test]
async fn a_letter_arrives_with_its_envelope_headers_and_both_parts() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let uid = rig.write_letter("ada@example.com", &link(Some("Zoë & Söhne"))).await;
    rig.run().await;

    let taken = peer.end().letters();
    assert_eq!(taken.len(), 1);
    let letter = &taken[0];
    assert_eq!(letter.0["sender"], "no-reply@v.example");
    assert_eq!(letter.0["recipients"], serde_json::json!(["ada@example.com"]));
    assert_eq!(letter.headers("From"), ["Vitrine Zoë <no-reply@v.example>"]);
    assert_eq!(letter.headers("To"), ["ada@example.com"]);
    assert_eq!(letter.headers("Subject"), ["Sign in to Zoë & Söhne"]);
    assert_eq!(letter.headers("Message-ID"), [format!("<{uid}@v.example>")]);
    assert_eq!(letter.headers("Date"), ["Fri, 15 Jan 2027 08:00:00 +0000"]);
    assert_eq!(letter.headers("Auto-Submitted"), ["auto-generated"]);
    assert_eq!(letter.headers("MIME-Version"), ["1.0"]);
    assert!(letter.headers("Content-Type")[0].starts_with("multipart/alternative"), "{letter:?}");
    let parts = letter.parts();
    assert_eq!(parts.iter().map(|part| part.0.as_str()).collect::<Vec<_>>(), ["text/plain", "text/html"]);
    assert_eq!(mail::links_of(&parts[0].1), [LINK]);
    assert!(parts[1].1.contains("Sign in to Zoë &amp; Söhne") && parts[1].1.contains("code=abc"));
    rig.end().await;
}

#[tokio::test]
async fn the_database_forgets_the_words_of_a_letter_that_left_and_of_one_whose_link_no_longer_works() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let sent = rig.write("ada@example.com").await;
    rig.write("rcpt-550-9@example.com").await;
    rig.run().await;
    let kept = rig.mailer.sent_letter(sent).await.unwrap().unwrap();
    assert_eq!((kept.text.as_str(), kept.html.as_str()), ("", ""));
    assert_eq!(rig.words_in_the_outbox().await, 1, "the failed one can still be sent");
    rig.pass(10 * MINUTE);
    rig.tidy().await;
    assert_eq!(rig.words_in_the_outbox().await, 0);
    rig.write("bob@example.com").await;
    assert_eq!(rig.words_in_the_outbox().await, 1, "an email that waits still has its text");
    rig.end().await;
}

#[tokio::test]
async fn later_is_tried_again_after_a_growing_wait_and_arrives_once() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let uid = rig.write("rcpt-451-2@example.com").await;
    assert_eq!(rig.run().await, 1);
    assert_eq!(rig.open_jobs().await, [("send_mail".into(), "ready".into(), "451".into())]);
    let troubles = rig.mailer.troubles(9).await.unwrap();
    assert_eq!((troubles[0].uid, troubles[0].failed, troubles[0].tries), (uid, false, 1));
    rig.pass(SECOND - 1);
    assert_eq!(rig.run().await, 0, "not tried before the wait is over");
    rig.pass(1);
    assert_eq!(rig.run().await, 1);
    rig.pass(2 * SECOND);
    assert_eq!(rig.run().await, 1);
    assert_eq!(rig.open_jobs().await, []);
    assert!(rig.mailer.sent_letter(uid).await.unwrap().is_some());
    assert_eq!(rig.mailer.troubles(9).await.unwrap(), []);
    rig.pass(HOUR);
    assert_eq!(rig.run().await, 0);

    let heard = peer.end();
    assert_eq!(heard.answers(), ["451", "451", "250"]);
    assert_eq!(heard.letters().len(), 1);
    rig.end().await;
}

#[tokio::test]
async fn never_is_final_at_the_recipient_and_after_the_letter() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    for (to, code) in [("rcpt-550-9@example.com", "550"), ("data-554-9@example.org", "554")] {
        let uid = rig.write(to).await;
        assert_eq!(rig.exhaust().await, 1, "{to}");
        let dead = rig.open_jobs().await.pop().unwrap();
        assert_eq!((dead.1.as_str(), dead.2.as_str()), ("dead", code));
        assert!(rig.mailer.sent_letter(uid).await.unwrap().is_none());
        let trouble = rig.mailer.troubles(1).await.unwrap().remove(0);
        assert_eq!((trouble.uid, trouble.kind.as_str(), trouble.code.as_str()), (uid, "magic_link", code));
        assert_eq!((trouble.domain.as_str(), trouble.failed), (to.split_once('@').unwrap().1, true));
    }
    let heard = peer.end();
    assert_eq!((heard.answers(), heard.letters().len()), (vec!["550".to_owned(), "250".to_owned()], 0));
    rig.end().await;
}

#[tokio::test]
async fn an_email_is_tried_for_three_days_and_waits_until_then() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let uid = rig.write_letter("data-451-99@example.com", &Letter::PasswordChanged).await;
    let (mut wait, mut waited) = (SECOND, 0);
    while rig.run().await == 1 {
        let trouble = rig.mailer.troubles(9).await.unwrap().remove(0);
        assert_eq!((trouble.uid, trouble.failed), (uid, waited >= 3 * DAY), "after {waited} ms");
        assert_eq!((trouble.code.as_str(), rig.words_in_the_outbox().await), ("451", 1));
        rig.pass(wait);
        waited += wait;
        wait = (wait * 2).min(HOUR);
    }
    assert!(rig.mailer.troubles(9).await.unwrap()[0].failed);
    assert_eq!(rig.open_jobs().await, [("send_mail".into(), "dead".into(), "451".into())]);
    rig.end().await;
}

#[tokio::test]
async fn a_link_that_no_longer_works_is_not_sent() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let uid = rig.write("data-451-99@example.com").await;
    // Tried after 0, 1, 3, .. 511 seconds; the link works for ten minutes.
    assert_eq!(rig.exhaust().await, 11);
    let trouble = rig.mailer.troubles(9).await.unwrap().remove(0);
    assert_eq!((trouble.uid, trouble.failed), (uid, true));
    assert_eq!(trouble.code, "link expired");
    assert_eq!((rig.words_in_the_outbox().await, rig.open_jobs().await), (0, vec![]));
    assert_eq!(peer.end().answers().len(), 10);
    rig.end().await;
}

#[tokio::test]
async fn an_email_that_failed_is_sent_when_the_operator_runs_its_job_again() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    let uid = rig.write_letter("rcpt-550-1@example.com", &Letter::PasswordChanged).await;
    rig.run().await;
    assert!(rig.mailer.troubles(9).await.unwrap()[0].failed);
    assert_eq!(rig.jobs.retry(jobs::Which::Dead).await.unwrap(), 1);
    rig.run().await;
    assert!(rig.mailer.sent_letter(uid).await.unwrap().is_some());
    assert_eq!((rig.words_in_the_outbox().await, rig.open_jobs().await), (0, vec![]));
    assert_eq!(peer.end().letters().len(), 1);
    rig.end().await;
}

#[tokio::test]
async fn a_dead_mail_server_and_one_that_hangs_lose_no_letter() {
    let peer = Peer::start(&[]);
    let port = peer.port;
    peer.end();
    let rig = Rig::with(smtp(format!("smtp://127.0.0.1:{port}"))).await;
    rig.write("ada@example.com").await;
    rig.run().await;
    let open = rig.open_jobs().await;
    assert_eq!((open[0].0.as_str(), open[0].1.as_str()), ("send_mail", "ready"));
    assert!(open[0].2.contains("onnection refused"), "{open:?}");
    rig.end().await;

    let peer = Peer::start(&[]);
    let rig = Rig::patient(smtp(peer.url()), Duration::from_secs(3)).await;
    rig.write("hang@example.com").await;
    rig.run().await;
    assert_eq!(rig.open_jobs().await, [("send_mail".into(), "ready".into(), "timed out".into())]);
    assert_eq!(peer.end().answers(), ["han"], "the server was asked and hung");
    rig.end().await;
}

#[tokio::test]
async fn hostile_names_arrive_as_one_header_line_and_as_text() {
    let peer = Peer::start(&[]);
    let rig = Rig::with(smtp(peer.url())).await;
    rig.write("plain@example.com").await;
    let long = "x".repeat(5_000);
    let hostile = [
        "Evil\r\nBcc: all@example.com",
        "Evil\nContent-Type: text/html\n\n<script>alert(1)</script>",
        "Evil\r\n.\r\nMAIL FROM:<evil@example.com>",
        "Zoë =?utf-8?q?=0D=0ABcc:_all=40example=2Ecom?=",
        "Evil\u{2028}Bcc: all@example.com\u{85}To: more@example.com",
        "<img src=x onerror=alert(1)>\"'&",
        long.as_str(),
    ];
    for name in hostile {
        rig.write_letter("ada@example.com", &link(Some(name))).await;
        rig.run().await;
    }
    let refund = Letter::PurchaseRefunded { plan: "<b>P</b>\r\n.\r\n".into(), account: "A\"><i>".into() };
    rig.write_letter("ada@example.com", &refund).await;
    rig.run().await;
    assert_eq!(rig.mailer.troubles(9).await.unwrap(), []);

    let taken = peer.end().letters();
    assert_eq!(taken.len(), 2 + hostile.len());
    let names = taken[0].header_names();
    for letter in &taken {
        assert_eq!(letter.header_names(), names, "{letter:?}");
        assert_eq!(letter.headers("To").len(), 1);
        let parts = letter.parts();
        assert_eq!(parts.len(), 2, "{letter:?}");
        for tag in ["<script", "<img", "<b>", "<i>"] {
            assert!(!parts[1].1.contains(tag), "{}", parts[1].1);
        }
        for line in letter.0["raw"].as_str().unwrap().lines() {
            assert!(line.len() <= 998, "a line of {} bytes", line.len());
        }
    }
    assert_eq!(taken[1].headers("Subject"), ["Sign in to Evil Bcc: all@\u{2060}example.\u{2060}com"]);
    rig.end().await;
}
