//! Codes sent by email: how long they are valid, how often they are sent, and how they are stored.

use db::WriteTx;
use kernel::{Ambient, Email, HOUR, MINUTE, SECOND, Timestamp};
use sha2::{Digest as _, Sha256};

use crate::entity::mailed_code::Model;
use crate::model::Purpose;
use crate::store::mailed_code::{DigitHashes, NewCode};
use crate::{Error, Identity, store};

/// Emails of one kind to one address per hour. In addition, at most one per minute is sent.
const PER_HOUR_MAX: usize = 5;

/// Wrong digits that may be entered for one email.
pub const DIGIT_TRIES: i32 = 5;
/// The label of the key for digests of digits.
const DIGITS: &str = "mailed-digits";

/// Creates a code for an address and stores its hash. Call it in a transaction that holds the address's lock.
///
/// # Errors
/// [`Error::TooManyEmails`] if a code was sent less than a minute ago, or five within the last hour.
pub async fn issue(
    identity: &Identity,
    tx: &WriteTx,
    purpose: Purpose,
    email: &Email,
) -> Result<String, Error> {
    issue_with(identity, tx, purpose, email, None).await
}

/// Creates a magic link and the six digits that do the same in the browser with this token. Both are one code:
/// using one uses up the other.
///
/// # Errors
/// As [`issue`].
pub async fn issue_link(
    identity: &Identity,
    tx: &WriteTx,
    email: &Email,
    browser: &str,
) -> Result<(String, String), Error> {
    let digits = random_digits(&identity.ambient);
    let hashes = DigitHashes { digits: digest(identity, &digits, browser, email), browser: hash(browser) };
    let code = issue_with(identity, tx, Purpose::Link, email, Some(hashes)).await?;
    Ok((code, digits))
}

async fn issue_with(
    identity: &Identity,
    tx: &WriteTx,
    purpose: Purpose,
    email: &Email,
    digits: Option<DigitHashes>,
) -> Result<String, Error> {
    let now = identity.ambient.now();
    let mailbox = mailbox(email);
    tx.lock(store::person::lock_id(&mailbox)).await?;
    // The plain address does not share its limit with tagged ones: otherwise a stranger who signs up with
    // `ada+1@` could block emails to `ada@`.
    let is_plain = email.as_str() == mailbox;
    let plain = is_plain.then_some(email);
    let mut sent = store::mailed_code::sent_since(tx, purpose, &mailbox, plain, now - HOUR).await?;
    // Otherwise an email from before the clock was set back would block others until that time comes again.
    sent.retain(|at| *at <= now + HOUR);
    if let Some(wait) = wait(&sent, now) {
        return Err(Error::TooManyEmails(wait));
    }
    let code = identity.ambient.code();
    let new = NewCode {
        uid: identity.ambient.uid(),
        purpose,
        email,
        mailbox: &mailbox,
        hash: &hash(&code),
        digits,
        now,
        expires_at: now + purpose.lifetime(),
    };
    store::mailed_code::insert(tx, new).await?;
    Ok(code)
}

/// Returns whether these are the digits of the email with this link.
pub fn has_digits(identity: &Identity, link: &Model, digits: &str, browser: &str, email: &Email) -> bool {
    let stored = link.digits_hash.as_deref().unwrap_or_default();
    identity.signer.matches(DIGITS, &payload(digits, browser, email), stored)
}

fn digest(identity: &Identity, digits: &str, browser: &str, email: &Email) -> [u8; 32] {
    identity.signer.digest(DIGITS, &payload(digits, browser, email))
}

/// Binds the digits to browser and address, so that equal digits of two emails have different digests.
fn payload(digits: &str, browser: &str, email: &Email) -> Vec<u8> {
    format!("{digits}\n{browser}\n{}", email.as_str()).into_bytes()
}

/// Returns six random digits, each number equally likely.
fn random_digits(ambient: &Ambient) -> String {
    /// The largest multiple of a million that fits; numbers from it on would favour small digits.
    const FAIR_BELOW: u32 = u32::MAX / 1_000_000 * 1_000_000;
    let mut number = u32::MAX;
    while number >= FAIR_BELOW {
        number = u32::from_be_bytes(ambient.bytes());
    }
    format!("{:06}", number % 1_000_000)
}

/// Returns the hash under which a code is stored.
pub fn hash(code: &str) -> [u8; 32] {
    Sha256::digest(code).into()
}

/// Returns the mailbox of an address: `ada+news@` shares that of `ada@`, and the domain is normalised.
fn mailbox(email: &Email) -> String {
    let (name, domain) = email.as_str().rsplit_once('@').unwrap_or_default();
    let name = name.split_once('+').map_or(name, |(name, _)| name);
    let domain = url::Host::parse(domain).map_or_else(|_| domain.to_owned(), |host| host.to_string());
    format!("{name}@{domain}")
}

/// Returns the seconds until the next email may be sent, or `None` if it may be sent now.
fn wait(sent: &[Timestamp], now: Timestamp) -> Option<u32> {
    let newest = sent.first().map(|at| *at + MINUTE);
    let last_of_hour = sent.get(PER_HOUR_MAX - 1).map(|at| *at + HOUR);
    let free = newest.max(last_of_hour).filter(|free| *free > now)?;
    u32::try_from((free - now + SECOND - 1) / SECOND).ok()
}

#[cfg(test)]
mod tests {
    use sea_orm::ActiveEnum as _;

    use super::*;

    #[test]
    fn stored_words_do_not_change() {
        assert_eq!(Purpose::values(), ["link", "reset", "confirmation"]);
    }

    #[test]
    fn tags_share_the_mailbox_and_domains_are_normalised() {
        let of = |text: &str| mailbox(&Email::parse(text).unwrap());
        assert_eq!(of("Ada+news@example.com"), "ada@example.com");
        assert_eq!(of("ada@bücher.example"), of("ada@xn--bcher-kva.example"));
        assert_ne!(of("a.da@example.com"), of("ada@example.com"));
    }

    #[test]
    fn one_email_a_minute_and_five_an_hour() {
        let now = Timestamp::from_ms(10 * HOUR);
        assert_eq!(wait(&[], now), None);
        assert_eq!(wait(&[now - MINUTE], now), None);
        assert_eq!(wait(&[now - MINUTE + 1], now), Some(1));
        let five: Vec<Timestamp> = (1..=5).map(|n| now - n * 5 * MINUTE).collect();
        assert_eq!(wait(&five[..4], now), None);
        assert_eq!(wait(&five, now), Some(35 * 60));
    }
}
