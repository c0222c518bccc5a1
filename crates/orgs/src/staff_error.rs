//! Why a change of roles or an invitation is refused.

use std::borrow::Cow;

use kernel::{PlanLimit, Problem};

use crate::grant::GrantError;

/// A refused change of roles, or a refused invitation.
#[derive(Debug, thiserror::Error)]
pub enum StaffError {
    /// The rule for roles does not allow it.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// All staff seats of the plan are taken.
    #[error("no seat: {0}")]
    NoSeat(Taken),
    /// All staff seats of the plan are taken, for the person who was invited.
    #[error("no seat for the invited person: {0}")]
    NoSeatToAccept(Taken),
    /// The plan is suspended, for the person who was invited.
    #[error("suspended for the invited person")]
    SuspendedToAccept,
    /// The plan's app users have all joined or are invited.
    #[error("no place for an app user: {0}")]
    NoAppUser(Taken),
    /// The viewer to invite is a member already.
    #[error("already joined")]
    AlreadyJoined,
    /// The viewer to invite is kept from rejoining.
    #[error("invited person is blocked")]
    InvitedBlocked,
    /// The viewer to invite has an open invitation to the staff.
    #[error("invited to the staff")]
    InvitedToStaff,
    /// The viewer was invited three times within a day.
    #[error("invited too often")]
    InvitedOften,
    /// The invitation was sent to this address, which is not the caller's.
    #[error("invitation of another address")]
    OtherAddress(String),
    /// No addresses, or too many viewers in one request.
    #[error("wrong number of invited viewers")]
    InvitedViewerCount,
    /// The person to invite is staff already.
    #[error("already staff")]
    AlreadyStaff,
    /// The address to invite is not an email address.
    #[error("invalid invited email")]
    InvalidEmail,
    /// The role is not one that staff are invited to.
    #[error("not a role for invites")]
    RoleNotAssignable,
    /// More than 50 invitations in an hour; a retry is possible after this many seconds.
    #[error("too many invitations")]
    TooManyInvites(u32),
    /// No addresses, or more than 50.
    #[error("wrong number of invited people")]
    InvitedCount,
    /// Neither a person nor an address, or both.
    #[error("a person or an address")]
    PersonOrEmail,
    /// The invitation does not exist, was revoked, has expired, or is void.
    #[error("invitation not found")]
    InviteNotFound,
}

/// Places of a plan that are all taken. More can be used than allowed, as after a change to a smaller plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// How many are used.
    pub used: u64,
    /// How many the plan allows.
    pub allowed: u64,
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} are taken", self.used, self.allowed)
    }
}

impl Taken {
    /// Describes that no seat is free, for the person who needs it.
    fn no_seat(self, message: impl Into<Cow<'static, str>>) -> Problem {
        Problem::over_limit("no_seat", PlanLimit::StaffSeats, self.used, self.allowed, message)
    }

    fn no_app_user(self) -> Problem {
        let allowed = self.allowed;
        let message =
            format!("Your plan allows {allowed} app users, and all of them have joined or are invited.");
        Problem::over_limit("no_app_user", PlanLimit::AppUsers, self.used, allowed, message)
    }
}

impl From<StaffError> for Problem {
    fn from(error: StaffError) -> Self {
        match error {
            StaffError::Grant(error) => grant_problem(error),
            StaffError::NoSeat(taken) => {
                let allowed = taken.allowed;
                taken.no_seat(format!("Your plan has {allowed} staff seats, and all of them are taken."))
            }
            StaffError::NoSeatToAccept(taken) => {
                taken.no_seat("This organization has no free staff seat. Ask the person who invited you.")
            }
            StaffError::SuspendedToAccept => Self::new(
                403,
                "suspended",
                "The plan of this organization is suspended. Ask the person who invited you, and accept later.",
            ),
            StaffError::NoAppUser(taken) => taken.no_app_user(),
            StaffError::AlreadyJoined => Self::conflict("already_joined", "This person has already joined."),
            StaffError::InvitedBlocked => {
                Self::conflict("blocked", "This person is blocked. Unblock the person first.")
            }
            StaffError::InvitedToStaff => {
                Self::conflict("invited_to_staff", "This person has an open invitation to the staff.")
            }
            StaffError::InvitedOften => Self::new(
                429,
                "invited_often",
                "This address was invited three times within a day. Try again tomorrow.",
            ),
            StaffError::OtherAddress(email) => Self::new(
                403,
                "other_address",
                format!("This invitation is for {email}. Sign in with that address to join."),
            ),
            StaffError::InvitedViewerCount => {
                Self::field("userEmails", "invited_count", "Enter 1 to 100 email addresses.")
            }
            StaffError::AlreadyStaff => {
                Self::conflict("already_staff", "This person already belongs to the organisation.")
            }
            StaffError::InvalidEmail => Self::field("userEmail", "invalid_email", "Invalid email!"),
            StaffError::RoleNotAssignable => {
                Self::field("role", "not_assignable", "Choose one of the staff roles.")
            }
            StaffError::TooManyInvites(wait) => Self::too_many(wait),
            StaffError::InvitedCount => {
                Self::field("userEmails", "invited_count", "Enter 1 to 50 email addresses.")
            }
            StaffError::PersonOrEmail => {
                Self::bad_request("person_or_email", "Send either userId or userEmail.")
            }
            StaffError::InviteNotFound => Self::not_found("Invitation"),
        }
    }
}

fn grant_problem(error: GrantError) -> Problem {
    match error {
        GrantError::Forbidden | GrantError::AboveCaller => Problem::forbidden(),
        GrantError::Individual => Problem::field(
            "role",
            "one_super_admin",
            "An individual account has one super admin. Change the account type to add another.",
        ),
        GrantError::UnknownPerson => Problem::not_found("Person"),
        GrantError::LastSuperAdmin => {
            Problem::conflict("last_super_admin", "An organisation needs at least one super admin.")
        }
        GrantError::OwnRole => Problem::conflict("own_role", "You cannot change your own role."),
    }
}
