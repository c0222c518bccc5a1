//! TLS and passwords, with a mail server whose certificate is from a private authority.

use mail::MailSettings;

use crate::peer::{Authority, Heard, Peer};
use crate::rig::{Rig, smtp};

const LOGIN: &str = "post:s3cret";

fn trusting(authority: &Authority, url: String) -> MailSettings {
    MailSettings { smtp_ca_file: authority.file("ca.pem"), ..smtp(url) }
}

/// Sends one email, once. Returns what the mail server received, and the delivery problem if there was one.
async fn send(settings: MailSettings, peer: Peer) -> (Heard, Option<mail::Trouble>) {
    assert_eq!(settings.check(false), Ok(()));
    let rig = Rig::with(settings).await;
    rig.write("ada@example.com").await;
    assert_eq!(rig.run().await, 1);
    let trouble = rig.mailer.troubles(1).await.unwrap().pop();
    rig.end().await;
    (peer.end(), trouble)
}

#[tokio::test]
async fn starttls_and_tls_from_the_start_work_with_the_private_authority() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for mode in ["starttls", "implicit"] {
        let peer = authority.peer(mode, &[]);
        let url = if mode == "starttls" { peer.starttls("") } else { peer.smtps("") };
        let (heard, trouble) = send(trusting(&authority, url), peer).await;
        assert_eq!(trouble, None, "{mode}");
        assert_eq!(heard.letters()[0].0["tls"], true, "{mode}");
    }
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_gets_no_letter() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for mode in ["starttls", "implicit"] {
        let peer = authority.peer(mode, &[]);
        let url = if mode == "starttls" { peer.starttls("") } else { peer.smtps("") };
        let (heard, trouble) = send(smtp(url), peer).await;
        let trouble = trouble.unwrap();
        assert!(trouble.code.contains("certificate") && !trouble.failed, "{trouble:?}");
        assert_eq!((heard.answers().len(), heard.letters().len()), (0, 0), "{mode}");
    }
}

#[tokio::test]
async fn a_certificate_of_another_machine_gets_no_letter() {
    let authority = Authority::for_subject("DNS:mail.example.com");
    let peer = authority.peer("implicit", &[]);
    let (heard, trouble) = send(trusting(&authority, peer.smtps("")), peer).await;
    assert!(trouble.unwrap().code.contains("certificate"));
    assert_eq!(heard.letters().len(), 0);
}

#[tokio::test]
async fn a_server_without_starttls_gets_no_letter_when_tls_is_required() {
    let authority = Authority::for_subject("IP:127.0.0.1");
    for own in [false, true] {
        let peer = Peer::start(&[]);
        let url = peer.starttls("");
        let settings = if own { trusting(&authority, url) } else { smtp(url) };
        let (heard, trouble) = send(settings, peer).await;
        let trouble = trouble.unwrap();
        assert!(trouble.code.contains("STARTTLS") && !trouble.failed, "{trouble:?}");
        assert_eq!((heard.answers().len(), heard.letters().len()), (0, 0));
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
        let (heard, trouble) = send(trusting(&authority, url), peer).await;
        assert_eq!(trouble, None, "{mode}");
        assert_eq!(heard.letters()[0].0["user"], "post", "{mode}");

        let peer = authority.peer(mode, &["--login", LOGIN]);
        let url = address(&peer, "post:wrong@");
        let (heard, trouble) = send(trusting(&authority, url), peer).await;
        let trouble = trouble.unwrap();
        assert_eq!((trouble.code.as_str(), trouble.failed), ("535", true), "{mode}");
        assert_eq!(heard.letters().len(), 0);
    }
}
