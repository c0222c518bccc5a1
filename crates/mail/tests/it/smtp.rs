//! A real mail server that accepts, defers or rejects, and one that is down.

use std::time::Duration;

use kernel::{DAY, HOUR, MINUTE, SECOND};
use mail::EmailMessage;

use crate::peer::Peer;
use crate::test_app::{LINK, TestApp, link, smtp, test_app_with};

#[tokio::test]
async fn an_email_arrives_with_its_envelope_headers_and_both_parts() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let uid = app.enqueue("ada@example.com", &link(Some("Zoë & Söhne"))).await;
    app.run().await;

    let emails = peer.end().emails();
    assert_eq!(emails.len(), 1);
    let email = &emails[0];
    assert_eq!(email.0["sender"], "no-reply@v.example");
    assert_eq!(email.0["recipients"], serde_json::json!(["ada@example.com"]));
    assert_eq!(email.headers("From"), ["Vitrine Zoë <no-reply@v.example>"]);
    assert_eq!(email.headers("To"), ["ada@example.com"]);
    assert_eq!(email.headers("Subject"), ["Sign in to Zoë & Söhne"]);
    assert_eq!(email.headers("Message-ID"), [format!("<{uid}@v.example>")]);
    assert_eq!(email.headers("Date"), ["Fri, 15 Jan 2027 08:00:00 +0000"]);
    assert_eq!(email.headers("Auto-Submitted"), ["auto-generated"]);
    assert_eq!(email.headers("MIME-Version"), ["1.0"]);
    assert!(email.headers("Content-Type")[0].starts_with("multipart/alternative"), "{email:?}");
    let parts = email.parts();
    assert_eq!(parts.iter().map(|part| part.0.as_str()).collect::<Vec<_>>(), ["text/plain", "text/html"]);
    assert_eq!(mail::links_of(&parts[0].1), [LINK]);
    assert!(parts[1].1.contains("Sign in to Zoë &amp; Söhne") && parts[1].1.contains("code=abc"));
    app.end().await;
}

#[tokio::test]
async fn the_text_is_erased_once_an_email_left_or_failed_with_an_expired_link() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let sent = app.enqueue_link("ada@example.com").await;
    app.enqueue_link("rcpt-550-9@example.com").await;
    app.run().await;
    let kept = app.mailer.sent_email(sent).await.unwrap().unwrap();
    assert_eq!((kept.text, kept.html), (None, None));
    assert_eq!(app.emails_with_text().await, 1, "the failed one can still be sent");
    app.pass(10 * MINUTE);
    app.run_schedules().await;
    assert_eq!(app.emails_with_text().await, 0);
    app.enqueue_link("bob@example.com").await;
    assert_eq!(app.emails_with_text().await, 1, "an email that waits still has its text");
    app.end().await;
}

#[tokio::test]
async fn a_temporary_failure_is_retried_with_growing_delays_and_arrives_once() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let uid = app.enqueue_link("rcpt-451-2@example.com").await;
    assert_eq!(app.run().await, 1);
    assert_eq!(app.open_jobs().await, [("send_mail".into(), "ready".into(), "451".into())]);
    let failures = app.mailer.delivery_failures(9).await.unwrap();
    assert_eq!((failures[0].uid, failures[0].failed, failures[0].attempts), (uid, false, 1));
    app.pass(SECOND - 1);
    assert_eq!(app.run().await, 0, "not tried before the wait is over");
    app.pass(1);
    assert_eq!(app.run().await, 1);
    app.pass(2 * SECOND);
    assert_eq!(app.run().await, 1);
    assert_eq!(app.open_jobs().await, []);
    assert!(app.mailer.sent_email(uid).await.unwrap().is_some());
    assert_eq!(app.mailer.delivery_failures(9).await.unwrap(), []);
    app.pass(HOUR);
    assert_eq!(app.run().await, 0);

    let received = peer.end();
    assert_eq!(received.answers(), ["451", "451", "250"]);
    assert_eq!(received.emails().len(), 1);
    app.end().await;
}

#[tokio::test]
async fn a_permanent_failure_is_final_at_the_recipient_and_after_the_data() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    for (to, code) in [("rcpt-550-9@example.com", "550"), ("data-554-9@example.org", "554")] {
        let uid = app.enqueue_link(to).await;
        assert_eq!(app.exhaust().await, 1, "{to}");
        let dead = app.open_jobs().await.pop().unwrap();
        assert_eq!((dead.1.as_str(), dead.2.as_str()), ("dead", code));
        assert!(app.mailer.sent_email(uid).await.unwrap().is_none());
        let failure = app.mailer.delivery_failures(1).await.unwrap().remove(0);
        assert_eq!((failure.uid, failure.kind.as_str(), failure.code.as_str()), (uid, "magic_link", code));
        assert_eq!((failure.domain.as_str(), failure.failed), (to.split_once('@').unwrap().1, true));
    }
    let received = peer.end();
    assert_eq!((received.answers(), received.emails().len()), (vec!["550".to_owned(), "250".to_owned()], 0));
    app.end().await;
}

#[tokio::test]
async fn an_email_is_retried_for_three_days_and_waits_until_then() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let uid = app.enqueue("data-451-99@example.com", &EmailMessage::PasswordChanged).await;
    let (mut wait, mut waited) = (SECOND, 0);
    while app.run().await == 1 {
        let failure = app.mailer.delivery_failures(9).await.unwrap().remove(0);
        assert_eq!((failure.uid, failure.failed), (uid, waited >= 3 * DAY), "after {waited} ms");
        assert_eq!((failure.code.as_str(), app.emails_with_text().await), ("451", 1));
        app.pass(wait);
        waited += wait;
        wait = (wait * 2).min(HOUR);
    }
    assert!(app.mailer.delivery_failures(9).await.unwrap()[0].failed);
    assert_eq!(app.open_jobs().await, [("send_mail".into(), "dead".into(), "451".into())]);
    app.end().await;
}

#[tokio::test]
async fn a_link_that_no_longer_works_is_not_sent() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let uid = app.enqueue_link("data-451-99@example.com").await;
    // Tried after 0, 1, 3, .. 511 seconds; the link works for ten minutes.
    assert_eq!(app.exhaust().await, 11);
    let failure = app.mailer.delivery_failures(9).await.unwrap().remove(0);
    assert_eq!((failure.uid, failure.failed), (uid, true));
    assert_eq!(failure.code, "link expired");
    assert_eq!((app.emails_with_text().await, app.open_jobs().await), (0, vec![]));
    assert_eq!(peer.end().answers().len(), 10);
    app.end().await;
}

#[tokio::test]
async fn an_email_that_failed_is_sent_when_the_operator_runs_its_job_again() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    let uid = app.enqueue("rcpt-550-1@example.com", &EmailMessage::PasswordChanged).await;
    app.run().await;
    assert!(app.mailer.delivery_failures(9).await.unwrap()[0].failed);
    let tx = app.db.write_tx().await.unwrap();
    assert_eq!(app.jobs.retry(&tx, jobs::JobSelector::Dead).await.unwrap(), 1);
    tx.commit().await.unwrap();
    app.run().await;
    assert!(app.mailer.sent_email(uid).await.unwrap().is_some());
    assert_eq!((app.emails_with_text().await, app.open_jobs().await), (0, vec![]));
    assert_eq!(peer.end().emails().len(), 1);
    app.end().await;
}

#[tokio::test]
async fn a_dead_mail_server_and_one_that_hangs_lose_no_email() {
    let peer = Peer::start(&[]);
    let port = peer.port;
    peer.end();
    let app = test_app_with(smtp(format!("smtp://127.0.0.1:{port}"))).await;
    app.enqueue_link("ada@example.com").await;
    app.run().await;
    let open = app.open_jobs().await;
    assert_eq!((open[0].0.as_str(), open[0].1.as_str()), ("send_mail", "ready"));
    assert!(open[0].2.contains("onnection refused"), "{open:?}");
    app.end().await;

    let peer = Peer::start(&[]);
    let app = TestApp::with_send_timeout(smtp(peer.url()), Duration::from_secs(3)).await;
    app.enqueue_link("hang@example.com").await;
    app.run().await;
    assert_eq!(app.open_jobs().await, [("send_mail".into(), "ready".into(), "timed out".into())]);
    assert_eq!(peer.end().answers(), ["han"], "the server was asked and hung");
    app.end().await;
}

#[tokio::test]
async fn hostile_names_arrive_as_one_header_line_and_as_text() {
    let peer = Peer::start(&[]);
    let app = test_app_with(smtp(peer.url())).await;
    app.enqueue_link("plain@example.com").await;
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
        app.enqueue("ada@example.com", &link(Some(name))).await;
        app.run().await;
    }
    let refund =
        EmailMessage::PurchaseRefunded { plan: "<b>P</b>\r\n.\r\n".into(), account: "A\"><i>".into() };
    app.enqueue("ada@example.com", &refund).await;
    app.run().await;
    assert_eq!(app.mailer.delivery_failures(9).await.unwrap(), []);

    let emails = peer.end().emails();
    assert_eq!(emails.len(), 2 + hostile.len());
    let names = emails[0].header_names();
    for email in &emails {
        assert_eq!(email.header_names(), names, "{email:?}");
        assert_eq!(email.headers("To").len(), 1);
        let parts = email.parts();
        assert_eq!(parts.len(), 2, "{email:?}");
        for tag in ["<script", "<img", "<b>", "<i>"] {
            assert!(!parts[1].1.contains(tag), "{}", parts[1].1);
        }
        for line in email.0["raw"].as_str().unwrap().lines() {
            assert!(line.len() <= 998, "a line of {} bytes", line.len());
        }
    }
    assert_eq!(emails[1].headers("Subject"), ["Sign in to Evil Bcc: all@\u{2060}example.\u{2060}com"]);
    app.end().await;
}
