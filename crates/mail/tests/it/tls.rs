//! TLS and passwords, with a mail server whose certificate is from a private authority.

use mail::MailSettings;

use crate::peer::{Authority, Peer, Received};
use crate::test_app::{smtp, test_app_with};

const LOGIN: &str = "post:s3cret";

fn trusting(authority: &Authority, url: String) -> MailSettings {
    MailSettings { smtp_ca_file: authority.file("ca.pem"), ..smtp(url) }
}

/// Sends one email, once. Returns what the mail server received, and the delivery problem if there was one.
async fn send(settings: MailSettings, peer: Peer) -> (Received, Option<mail::DeliveryFailure>) {
    assert_eq!(settings.check(false), Ok(()));
    let app = test_app_with(settings).await;
    app.enqueue_link("ada@example.com").await;
    assert_eq!(app.run().await, 1);
    let failure = app.mailer.delivery_failures(1).await.unwrap().pop();
    app.end().await;
    (peer.end(), failure)
}

#[tokio::test]
async fn starttls_and_tls_from_the_start_work_with_the_private_authority() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for mode in ["starttls", "implicit"] {
        let peer = authority.peer(mode, &[]);
        let url = if mode == "starttls" { peer.starttls("") } else { peer.smtps("") };
        let (received, failure) = send(trusting(&authority, url), peer).await;
        assert_eq!(failure, None, "{mode}");
        assert_eq!(received.emails()[0].0["tls"], true, "{mode}");
    }
}

#[tokio::test]
async fn an_untrusted_certificate_gets_no_email() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for mode in ["starttls", "implicit"] {
        let peer = authority.peer(mode, &[]);
        let url = if mode == "starttls" { peer.starttls("") } else { peer.smtps("") };
        let (received, failure) = send(smtp(url), peer).await;
        let failure = failure.unwrap();
        assert!(failure.code.contains("certificate") && !failure.failed, "{failure:?}");
        assert_eq!((received.answers().len(), received.emails().len()), (0, 0), "{mode}");
    }
}

#[tokio::test]
async fn a_certificate_of_another_machine_gets_no_email() {
    let authority = Authority::for_subject("DNS:mail.example.com");
    let peer = authority.peer("implicit", &[]);
    let (received, failure) = send(trusting(&authority, peer.smtps("")), peer).await;
    assert!(failure.unwrap().code.contains("certificate"));
    assert_eq!(received.emails().len(), 0);
}

#[tokio::test]
async fn a_server_without_starttls_gets_no_email_when_tls_is_required() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for own in [false, true] {
        let peer = Peer::start(&[]);
        let url = peer.starttls("");
        let settings = if own { trusting(&authority, url) } else { smtp(url) };
        let (received, failure) = send(settings, peer).await;
        let failure = failure.unwrap();
        assert!(failure.code.contains("STARTTLS") && !failure.failed, "{failure:?}");
        assert_eq!((received.answers().len(), received.emails().len()), (0, 0));
    }
}

#[tokio::test]
async fn a_user_with_the_right_password_may_send_and_a_wrong_one_is_final() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for mode in ["starttls", "implicit"] {
        let address = |peer: &Peer, user: &str| match mode {
            "starttls" => peer.starttls(user),
            _ => peer.smtps(user),
        };
        let peer = authority.peer(mode, &["--login", LOGIN]);
        let url = address(&peer, "post:s3cret@");
        let (received, failure) = send(trusting(&authority, url), peer).await;
        assert_eq!(failure, None, "{mode}");
        assert_eq!(received.emails()[0].0["user"], "post", "{mode}");

        let peer = authority.peer(mode, &["--login", LOGIN]);
        let url = address(&peer, "post:wrong@");
        let (received, failure) = send(trusting(&authority, url), peer).await;
        let failure = failure.unwrap();
        assert_eq!((failure.code.as_str(), failure.failed), ("535", true), "{mode}");
        assert_eq!(received.emails().len(), 0);
    }
}
