//! The one table of roles, weights and rights (spec section 6, rules 6.2).

use std::str::FromStr;

/// A person's role in an organisation, in the order of its weight.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Joined by the link; not staff.
    User,
    /// Sees content and analytics.
    TeamUser,
    /// Makes content and playlists, invites staff.
    TeamLeader,
    /// Nothing extra.
    Manager,
    /// Changes the organisation, sees its users.
    AccountAdmin,
    /// Nothing extra.
    SuperAdmin,
}

impl Role {
    /// All roles, lightest first.
    pub const ALL: [Self; 6] =
        [Self::User, Self::TeamUser, Self::TeamLeader, Self::Manager, Self::AccountAdmin, Self::SuperAdmin];

    /// The weight roles are compared by.
    pub fn weight(self) -> u8 {
        match self {
            Self::User => 0,
            Self::TeamUser => 10,
            Self::TeamLeader => 11,
            Self::Manager => 12,
            Self::AccountAdmin => 20,
            Self::SuperAdmin => 100,
        }
    }

    /// Whether the role counts as staff.
    pub fn is_staff(self) -> bool {
        self.weight() > 0
    }

    /// As stored and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::TeamUser => "teamUser",
            Self::TeamLeader => "teamLeader",
            Self::Manager => "manager",
            Self::AccountAdmin => "accountAdmin",
            Self::SuperAdmin => "superAdmin",
        }
    }
}

impl FromStr for Role {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(())
    }
}

/// Something a member may do. A type, so that a function can demand the proof of it.
pub trait Right: Send + Sync + 'static {
    /// The lightest role that has it.
    const FROM: Role;
    /// As the documentation calls it.
    const NAME: &'static str;
    /// In which standings of the organisation it holds.
    const KIND: Kind;
}

/// What a right is about, which decides how long it outlasts a plan that is not paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Changing and adding: while the plan is active or past due.
    Changes,
    /// Looking: while it is suspended, too.
    Looks,
    /// Withdrawing and taking access away: always, also after the plan has ended.
    Withdraws,
}

macro_rules! rights {
    ($($(#[$doc:meta])* $right:ident $kind:ident from $role:ident as $name:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $right;

            impl Right for $right {
                const FROM: Role = Role::$role;
                const NAME: &'static str = $name;
                const KIND: Kind = rights!(@$kind);
            }
        )*

        /// Every right: its name and the lightest role that has it.
        pub const TABLE: &[(&str, Role)] = &[$(($name, Role::$role)),*];
    };
    (@looks) => { Kind::Looks };
    (@changes) => { Kind::Changes };
    (@withdraws) => { Kind::Withdraws };
}

rights! {
    /// Read the own organisation.
    ReadOrganisation looks from User as "read organisation";
    /// Read and list playlists and what is in them.
    ListPlaylists looks from User as "list playlists";
    /// Give the own consent and send events.
    TakePart looks from User as "update own consent";
    /// Withdraw the own consent and leave.
    Withdraw withdraws from User as "withdraw own consent";
    /// List and read content, drafts and private things included.
    ListContent looks from TeamUser as "list content";
    /// See dashboards, series, leads.
    ViewAnalytics looks from TeamUser as "view analytics";
    /// Create, change and delete playlists.
    EditPlaylists changes from TeamLeader as "update playlists";
    /// Create, change and delete content.
    EditContent changes from TeamLeader as "update content";
    /// List who has which role.
    ListStaff looks from TeamLeader as "list organisation roles";
    /// Give and take roles.
    ManageRoles changes from TeamLeader as "create organisation roles";
    /// See who consented.
    ListConsent looks from TeamLeader as "list user consent";
    /// See the organisation's users.
    ListUsers looks from AccountAdmin as "list organisation users";
    /// Change the organisation.
    UpdateOrganisation changes from AccountAdmin as "update the organisation";
    /// Make the organisation private, which ends its joining link.
    CloseOrganisation withdraws from AccountAdmin as "make the organisation private";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_roles_is_the_order_of_their_weights() {
        assert!(Role::ALL.windows(2).all(|pair| pair[0] < pair[1] && pair[0].weight() < pair[1].weight()));
        assert!(Role::ALL.iter().all(|role| role.as_str().parse() == Ok(*role)));
        assert!("root".parse::<Role>().is_err());
    }
}
