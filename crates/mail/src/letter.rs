//! What we write to people: one variant a letter, with the values its template needs.

use kernel::{MINUTE, Millis, PRODUCT};
use minijinja::context;
use minijinja::value::Value;

use crate::news::{self, News};
use crate::render::harmless;

/// A letter. To add one: a variant, its words in [`Letter::words`], and two templates.
#[derive(Clone, PartialEq, Eq)]
pub enum Letter {
    /// A sign-in or sign-up link (rules 5.1).
    MagicLink {
        /// The whole address, code included.
        link: String,
        /// Whether it completes a sign-up.
        signing_up: bool,
        /// How long the link works.
        minutes: i64,
        /// The organisation whose app the person signs in to, when it is not the portal.
        organisation: Option<String>,
    },
    /// A link to choose a new password (rules 5.1).
    PasswordReset {
        /// The whole address, code included.
        link: String,
        /// How long the link works.
        minutes: i64,
    },
    /// A new password was asked for, but nobody has an account with the address.
    NoAccount {
        /// Where to sign up.
        sign_up: String,
    },
    /// A link that confirms the address of a sign-up with a password (rules G-13).
    ConfirmAddress {
        /// The whole address, code included.
        link: String,
        /// How long the link works.
        minutes: i64,
    },
    /// The owner of the address came by another way than the password that had been set before anybody confirmed
    /// the address: that password and its sessions are gone (rules G-13).
    PasswordDropped {
        /// Where to ask for a new password.
        reset: String,
    },
    /// The password was changed by a reset, and every other session has ended.
    PasswordChanged,
    /// Another provider opens the account from now on.
    ProviderAdded {
        /// Google or Apple.
        provider: &'static str,
    },
    /// A payment on a full account was sent back (rules R-05).
    PurchaseRefunded {
        /// The plan's title.
        plan: String,
        /// The account's nick name.
        account: String,
    },
    /// Something new that app users may see, one of many letters.
    News(Box<News>),
}

impl std::fmt::Debug for Letter {
    /// The kind only: links are secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind())
    }
}

/// What a letter says around its templates.
pub(crate) struct Words {
    pub(crate) subject: String,
    /// The line an inbox shows beside the subject; also the first sentence of most letters.
    pub(crate) lead: String,
    /// The template's own values.
    pub(crate) own: Value,
}

impl Letter {
    /// The template's name: a stable word for logs, limits and the outbox.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MagicLink { .. } => "magic_link",
            Self::PasswordReset { .. } => "password_reset",
            Self::NoAccount { .. } => "no_account",
            Self::ConfirmAddress { .. } => "confirm_address",
            Self::PasswordDropped { .. } => "password_dropped",
            Self::PasswordChanged => "password_changed",
            Self::ProviderAdded { .. } => "provider_added",
            Self::PurchaseRefunded { .. } => "purchase_refunded",
            Self::News(_) => "news",
        }
    }

    /// Returns how long the links in it work, if they stop working.
    pub(crate) fn links_hold(&self) -> Option<Millis> {
        match self {
            Self::MagicLink { minutes, .. }
            | Self::PasswordReset { minutes, .. }
            | Self::ConfirmAddress { minutes, .. } => Some(minutes * MINUTE),
            Self::NoAccount { .. }
            | Self::PasswordDropped { .. }
            | Self::PasswordChanged
            | Self::ProviderAdded { .. }
            | Self::PurchaseRefunded { .. }
            | Self::News(_) => None,
        }
    }

    pub(crate) fn words(&self) -> Words {
        match self {
            Self::MagicLink { link, signing_up, minutes, organisation } => {
                magic_link(link, *signing_up, *minutes, organisation.as_deref())
            }
            Self::PasswordReset { link, minutes } => Words {
                subject: format!("Choose a new password for {PRODUCT}"),
                lead: format!("Somebody, hopefully you, asked for a new password for {PRODUCT}."),
                own: context! { link => link.as_str(), life => life(*minutes) },
            },
            Self::NoAccount { sign_up } => Words {
                subject: format!("There is no {PRODUCT} account with this address"),
                lead: format!("Somebody, hopefully you, asked for a new password for {PRODUCT}."),
                own: context! { link => sign_up.as_str() },
            },
            Self::ConfirmAddress { link, minutes } => Words {
                subject: "Confirm your e-mail address".to_owned(),
                lead: format!("Welcome to {PRODUCT}. Please confirm that this address is yours."),
                own: context! { link => link.as_str(), life => life(*minutes) },
            },
            Self::PasswordDropped { reset } => Words {
                subject: "Your old password no longer works".to_owned(),
                lead: format!("Your e-mail address is now confirmed at {PRODUCT}."),
                own: context! { link => reset.as_str() },
            },
            Self::PasswordChanged => Words {
                subject: "Your password has been changed".to_owned(),
                lead: format!("The password of your {PRODUCT} account has been changed."),
                own: context! {},
            },
            Self::ProviderAdded { provider } => Words {
                subject: format!("You can now sign in with {provider}"),
                lead: format!("Your {PRODUCT} account now also opens with {provider}."),
                own: context! { provider => *provider },
            },
            Self::PurchaseRefunded { plan, account } => Words {
                subject: "Your payment is being returned".to_owned(),
                lead: "The new subscription was ended at once.".to_owned(),
                own: context! { plan => harmless(plan), account => harmless(account) },
            },
            Self::News(news) => news::words(news),
        }
    }
}

/// Characters of an organisation's name in a letter: enough for a name, too few for a stranger's advertisement.
const NAME_MAX: usize = 60;

fn magic_link(link: &str, signing_up: bool, minutes: i64, organisation: Option<&str>) -> Words {
    let place: String = organisation.unwrap_or(PRODUCT).chars().take(NAME_MAX).collect();
    let place = harmless(&place);
    let (subject, lead, action) = if signing_up {
        let lead = format!("You are one step away from {}.", place);
        (format!("Welcome to {place}"), lead, "Finish signing up")
    } else {
        let lead = format!("Here is your link to sign in to {}.", place);
        (format!("Sign in to {place}"), lead, "Sign in")
    };
    Words { subject, lead, own: context! { link => link, life => life(minutes), action => action } }
}

/// How long a link works, in words.
fn life(minutes: i64) -> String {
    let (count, unit) = match minutes {
        m if m > 24 * 60 && m % (24 * 60) == 0 => (m / (24 * 60), "day"),
        m if m >= 60 && m % 60 == 0 => (m / 60, "hour"),
        m => (m, "minute"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_in_a_log_tells_its_kind_and_no_link() {
        let letter = Letter::PasswordReset { link: "https://v.example/secret".into(), minutes: 60 };
        assert_eq!(format!("{letter:?}"), "password_reset");
    }

    #[test]
    fn the_life_of_a_link_reads_like_a_person_says_it() {
        let said = [1, 10, 60, 90, 24 * 60, 48 * 60, 7 * 24 * 60].map(life);
        assert_eq!(said, ["1 minute", "10 minutes", "1 hour", "90 minutes", "24 hours", "2 days", "7 days"]);
    }
}
