//! The emails we send: one variant each, with the values its templates need.

use kernel::{MINUTE, Millis, PRODUCT};
use minijinja::context;

use crate::Brand;
use crate::announcement::{self, Announcement};
use crate::brand::NAME_MAX;
use crate::leads_email::{self, LeadsEmail};
use crate::plan_email::{self, PlanEmail};
use crate::texts::{Texts, sanitized, short};

/// An email. To add one, add a variant, its text in [`EmailMessage::texts`], and two templates.
#[derive(Clone, PartialEq, Eq)]
pub enum EmailMessage {
    /// A link to sign in or to finish signing up.
    MagicLink {
        /// The full address, including the code.
        link: String,
        /// The six digits that do the same in the browser that asked.
        digits: String,
        /// Whether it completes a sign-up.
        signing_up: bool,
        /// How long the link works.
        minutes: i64,
        /// The organisation whose app the person signs in to; `None` for the portal.
        brand: Option<Box<Brand>>,
    },
    /// A link to choose a new password.
    PasswordReset {
        /// The full address, including the code.
        link: String,
        /// How long the link works.
        minutes: i64,
    },
    /// The answer to a password reset for an address without an account.
    NoAccount {
        /// Where to sign up.
        sign_up: String,
    },
    /// A link that confirms the address of a sign-up with a password.
    ConfirmAddress {
        /// The full address, including the code.
        link: String,
        /// How long the link works.
        minutes: i64,
    },
    /// The owner of the address proved it in another way than with the password set before the address was
    /// confirmed. That password and its sessions are gone.
    PasswordDropped {
        /// Where to request a new password.
        reset: String,
    },
    /// The password was changed by a reset, and all other sessions have ended.
    PasswordChanged,
    /// The account can now be signed in to with another provider.
    ProviderAdded {
        /// Google or Apple.
        provider: &'static str,
    },
    /// A link to become staff of an organisation.
    Invitation {
        /// The full address, including the code.
        link: String,
        /// The organisation's name.
        organisation: String,
        /// The name of the role.
        role: &'static str,
        /// The name of the person who invites.
        inviter: String,
        /// How long the link works.
        minutes: i64,
    },
    /// A link to join an organisation as a viewer.
    ViewerInvitation {
        /// The organisation that invites.
        brand: Box<Brand>,
        /// The full address, including the code.
        link: String,
        /// How long the link works.
        minutes: i64,
    },
    /// A person could not join, because the app user limit is reached.
    OrganisationFull {
        /// The organisation's name.
        organisation: String,
        /// The list of people.
        link: String,
    },
    /// A payment for an account that was already full was refunded.
    PurchaseRefunded {
        /// The plan's title.
        plan: String,
        /// The account's nickname.
        account: String,
    },
    /// What happened to a plan, for those who pay for it.
    Plan(Box<PlanEmail>),
    /// Hot leads and the leads of a week, for staff who want to know. Bulk email.
    Leads(Box<LeadsEmail>),
    /// An announcement of something new that app users may see. Bulk email.
    Announcement(Box<Announcement>),
}

impl std::fmt::Debug for EmailMessage {
    /// Prints the kind only: links are secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind())
    }
}

impl EmailMessage {
    /// Returns the name of the templates, a stable word used in logs, limits and the outbox.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MagicLink { .. } => "magic_link",
            Self::PasswordReset { .. } => "password_reset",
            Self::NoAccount { .. } => "no_account",
            Self::ConfirmAddress { .. } => "confirm_address",
            Self::PasswordDropped { .. } => "password_dropped",
            Self::PasswordChanged => "password_changed",
            Self::ProviderAdded { .. } => "provider_added",
            Self::Invitation { .. } => "invitation",
            Self::ViewerInvitation { .. } => "viewer_invitation",
            Self::OrganisationFull { .. } => "organisation_full",
            Self::PurchaseRefunded { .. } => "purchase_refunded",
            Self::Plan(email) => email.notice.kind(),
            Self::Leads(email) => email.notice.kind(),
            Self::Announcement(_) => "announcement",
        }
    }

    /// Returns how long the links in it work, or `None` if they do not expire.
    pub(crate) fn link_lifetime(&self) -> Option<Millis> {
        match self {
            Self::MagicLink { minutes, .. }
            | Self::PasswordReset { minutes, .. }
            | Self::Invitation { minutes, .. }
            | Self::ViewerInvitation { minutes, .. }
            | Self::ConfirmAddress { minutes, .. } => Some(minutes * MINUTE),
            Self::NoAccount { .. }
            | Self::PasswordDropped { .. }
            | Self::PasswordChanged
            | Self::ProviderAdded { .. }
            | Self::OrganisationFull { .. }
            | Self::PurchaseRefunded { .. }
            | Self::Plan(_)
            | Self::Leads(_)
            | Self::Announcement(_) => None,
        }
    }

    pub(crate) fn texts(&self) -> Texts {
        match self {
            Self::MagicLink { link, digits, signing_up, minutes, brand } => {
                magic_link((link, digits), *signing_up, *minutes, brand.as_deref())
            }
            Self::PasswordReset { link, minutes } => Texts {
                subject: format!("Reset your {PRODUCT} password"),
                lead: format!("We received a request to reset your {PRODUCT} password."),
                values: context! { link => link.as_str(), lifetime => format_minutes(*minutes) },
            },
            Self::NoAccount { sign_up } => Texts {
                subject: format!("No {PRODUCT} account for this address"),
                lead: format!("We received a request to reset your {PRODUCT} password."),
                values: context! { link => sign_up.as_str() },
            },
            Self::ConfirmAddress { link, minutes } => Texts {
                subject: "Confirm your email address".to_owned(),
                lead: format!("Welcome to {PRODUCT}. Please confirm your email address."),
                values: context! { link => link.as_str(), lifetime => format_minutes(*minutes) },
            },
            Self::PasswordDropped { reset } => Texts {
                subject: "Your old password no longer works".to_owned(),
                lead: format!("Your email address is now confirmed at {PRODUCT}."),
                values: context! { link => reset.as_str() },
            },
            Self::PasswordChanged => Texts {
                subject: "Your password was changed".to_owned(),
                lead: format!("The password of your {PRODUCT} account was changed."),
                values: context! {},
            },
            Self::ProviderAdded { provider } => Texts {
                subject: format!("You can now sign in with {provider}"),
                lead: format!("{provider} was added as a way to sign in to your {PRODUCT} account."),
                values: context! { provider => *provider },
            },
            Self::Invitation { link, organisation, role, inviter, minutes } => {
                invitation(link, organisation, role, inviter, *minutes)
            }
            Self::ViewerInvitation { brand, link, minutes } => viewer_invitation(brand, link, *minutes),
            Self::OrganisationFull { organisation, link } => organisation_full(organisation, link),
            Self::PurchaseRefunded { plan, account } => Texts {
                subject: "Your payment is being refunded".to_owned(),
                lead: "We canceled the new subscription immediately.".to_owned(),
                values: context! { plan => sanitized(plan), account => sanitized(account) },
            },
            Self::Plan(email) => plan_email::texts(email),
            Self::Leads(email) => leads_email::texts(email),
            Self::Announcement(announcement) => announcement::texts(announcement),
        }
    }
}

fn magic_link((link, digits): (&str, &str), signing_up: bool, minutes: i64, brand: Option<&Brand>) -> Texts {
    let app_name = brand.map_or_else(|| PRODUCT.to_owned(), Brand::shown_name);
    let layout = if brand.is_some() { "branded.html" } else { "layout.html" };
    let (subject, lead, action) = if signing_up {
        let lead = format!("Use this link to finish signing up for {app_name}.");
        (format!("Welcome to {app_name}"), lead, "Finish signing up")
    } else {
        let lead = format!("Use this link to sign in to {app_name}.");
        (format!("Sign in to {app_name}"), lead, "Sign in")
    };
    Texts {
        subject,
        lead,
        values: context! {
            link => link, digits => spaced(digits), lifetime => format_minutes(minutes), action => action,
            layout => layout, is_branded => brand.is_some(), ..brand.map(Brand::values).unwrap_or_default()
        },
    }
}

fn invitation(link: &str, organisation: &str, role: &str, inviter: &str, minutes: i64) -> Texts {
    let (organisation, inviter) = (short(organisation, NAME_MAX), short(inviter, NAME_MAX));
    Texts {
        subject: format!("You are invited to join {organisation}"),
        lead: format!("{inviter} invited you to join the staff of {organisation} on {PRODUCT}."),
        values: context! {
            link => link, organisation => organisation, role => role, lifetime => format_minutes(minutes)
        },
    }
}

fn organisation_full(organisation: &str, link: &str) -> Texts {
    let organisation = short(organisation, NAME_MAX);
    Texts {
        subject: format!("{organisation} has reached its app user limit"),
        lead: format!("Someone could not join {organisation}: its plan allows no more app users."),
        values: context! { link => link, organisation => organisation },
    }
}

fn viewer_invitation(brand: &Brand, link: &str, minutes: i64) -> Texts {
    let name = brand.shown_name();
    Texts {
        subject: format!("{name} invites you to watch"),
        lead: format!("Join to watch the videos and playlists of {name}."),
        values: context! { link => link, lifetime => format_minutes(minutes), ..brand.values() },
    }
}

/// Splits six digits into two groups, which are easier to read and to type.
fn spaced(digits: &str) -> String {
    match digits.split_at_checked(3) {
        Some((first, second)) => format!("{first} {second}"),
        None => digits.to_owned(),
    }
}

/// Formats how long a link works.
fn format_minutes(minutes: i64) -> String {
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
    fn an_email_in_a_log_shows_its_kind_and_no_link() {
        let message = EmailMessage::PasswordReset { link: "https://v.example/secret".into(), minutes: 60 };
        assert_eq!(format!("{message:?}"), "password_reset");
    }

    #[test]
    fn the_lifetime_of_a_link_is_written_for_people() {
        let texts = [1, 10, 60, 90, 24 * 60, 48 * 60, 7 * 24 * 60].map(format_minutes);
        assert_eq!(texts, ["1 minute", "10 minutes", "1 hour", "90 minutes", "24 hours", "2 days", "7 days"]);
    }
}
