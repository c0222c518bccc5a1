//! The only table of roles, weights and rights.

use sea_orm::{DeriveActiveEnum, EnumIter};

/// A person's role in an organization, ordered by weight.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "camelCase")]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Role {
    /// An app user, who joined by the joining link or an invitation; not staff.
    #[sea_orm(string_value = "user")]
    User,
    /// Can view content and analytics.
    #[sea_orm(string_value = "teamUser")]
    TeamUser,
    /// Can edit content and playlists, and assign roles.
    #[sea_orm(string_value = "teamLeader")]
    TeamLeader,
    /// Has the rights of a team leader, with more weight.
    #[sea_orm(string_value = "manager")]
    Manager,
    /// Can change the organisation and list its users.
    #[sea_orm(string_value = "accountAdmin")]
    AccountAdmin,
    /// Has the rights of an account admin, with the most weight.
    #[sea_orm(string_value = "superAdmin")]
    SuperAdmin,
}

impl Role {
    /// All roles, lowest first.
    pub const ALL: [Self; 6] =
        [Self::User, Self::TeamUser, Self::TeamLeader, Self::Manager, Self::AccountAdmin, Self::SuperAdmin];

    /// Returns the weight by which roles are compared.
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

    /// Returns the name that people see.
    pub fn label(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::TeamUser => "Team user",
            Self::TeamLeader => "Team leader",
            Self::Manager => "Manager",
            Self::AccountAdmin => "Account admin",
            Self::SuperAdmin => "Super admin",
        }
    }

    /// Returns whether the role has a right, whatever the organisation's standing.
    pub fn has<R: Right>(self) -> bool {
        R::FROM.is_some_and(|from| from <= self)
    }

    /// Returns whether the role counts as staff.
    pub fn is_staff(self) -> bool {
        self.weight() > 0
    }
}

/// Something a member may do. Each right is a type, so that functions can require proof of it.
pub trait Right: Send + Sync + 'static {
    /// The lowest role that has the right; `None` if no role has it.
    const FROM: Option<Role>;
    /// Name used in the documentation.
    const NAME: &'static str;
    /// Decides in which standings of the organisation the right applies.
    const KIND: Kind;
}

/// The kind of action a right allows, which decides how long it remains when the plan is not paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Changing or adding something: while the plan is active or past due.
    Change,
    /// Viewing: while the plan is suspended, too.
    View,
    /// Withdrawing, or taking access away: always, even after the plan has ended.
    Withdraw,
}

macro_rules! rights {
    ($($(#[$doc:meta])* $right:ident $kind:ident from $from:ident as $name:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug)]
            pub struct $right;

            impl Right for $right {
                const FROM: Option<Role> = rights!(@from $from);
                const NAME: &'static str = $name;
                const KIND: Kind = rights!(@$kind);
            }
        )*

        /// Every right: name and lowest role that has it.
        pub const TABLE: &[(&str, Option<Role>)] = &[$(($name, rights!(@from $from))),*];
    };
    (@from none) => { None };
    (@from $role:ident) => { Some(Role::$role) };
    (@view) => { Kind::View };
    (@change) => { Kind::Change };
    (@withdraw) => { Kind::Withdraw };
}

rights! {
    /// Read an organisation you belong to.
    ReadOrganisation view from User as "read organisation";
    /// List and read playlists and their items.
    ListPlaylists view from User as "list playlists";
    /// Give your consent and send events.
    Participate view from User as "update own consent";
    /// Withdraw your consent, and leave.
    Withdraw withdraw from User as "withdraw own consent";
    /// List and read content, including drafts and private items.
    ListContent view from TeamUser as "list content";
    /// View dashboards, time series and leads.
    ViewAnalytics view from TeamUser as "view analytics";
    /// Create, change and delete playlists.
    EditPlaylists change from TeamLeader as "update playlists";
    /// Create, change and delete content.
    EditContent change from TeamLeader as "update content";
    /// List staff and their roles.
    ListStaff view from TeamLeader as "list organisation roles";
    /// Invite staff and viewers, and give a higher role.
    GiveRoles change from TeamLeader as "create organisation roles";
    /// Give a lighter role, remove people and revoke invitations.
    TakeRoles withdraw from TeamLeader as "delete organisation roles";
    /// List who has given consent.
    ListConsent view from TeamLeader as "list user consent";
    /// List the organisation's users.
    ListUsers view from AccountAdmin as "list organisation users";
    /// Read the audit log.
    ReadAuditLog view from AccountAdmin as "read the audit log";
    /// Change the organisation's settings.
    UpdateOrganisation change from AccountAdmin as "update the organisation";
    /// Make the organisation private, which invalidates its joining link.
    MakeOrganisationPrivate withdraw from AccountAdmin as "make the organisation private";
    /// Read any organisation.
    ReadAnyOrganisation view from none as "organisation read";
    /// List all organisations.
    ListAllOrganisations view from none as "organisation list";
    /// Create an organisation: billing decides who may, not a role.
    CreateOrganisation change from none as "organisation create";
    /// Delete an organisation: billing decides who may, not a role.
    DeleteOrganisation withdraw from none as "organisation delete";
    /// List roles of the platform.
    ListAdminRoles view from none as "admin-role list";
    /// Give a role of the platform.
    CreateAdminRoles change from none as "admin-role create";
    /// Take away a role of the platform.
    DeleteAdminRoles withdraw from none as "admin-role delete";
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum as _, Iterable as _};

    use super::*;

    #[test]
    fn the_order_of_roles_is_the_order_of_their_weights() {
        assert!(Role::ALL.windows(2).all(|pair| pair[0] < pair[1] && pair[0].weight() < pair[1].weight()));
        assert!(Role::iter().eq(Role::ALL));
    }

    #[test]
    fn seven_rights_are_granted_to_no_role() {
        let ungranted: Vec<_> =
            TABLE.iter().filter(|(_, from)| from.is_none()).map(|(name, _)| *name).collect();
        let organisation = ["read", "list", "create", "delete"].map(|act| format!("organisation {act}"));
        let admin_role = ["list", "create", "delete"].map(|act| format!("admin-role {act}"));
        assert_eq!(ungranted, [&organisation[..], &admin_role[..]].concat());
        assert!(!Role::SuperAdmin.has::<CreateAdminRoles>() && Role::SuperAdmin.has::<GiveRoles>());
    }

    #[test]
    fn stored_words_do_not_change_and_are_those_on_the_wire() {
        let words = ["user", "teamUser", "teamLeader", "manager", "accountAdmin", "superAdmin"];
        assert_eq!(Role::values(), words);
        for role in Role::ALL {
            assert_eq!(serde_json::json!(role), role.to_value());
            assert_eq!(Role::try_from_value(&role.to_value()).ok(), Some(role));
        }
        assert!(Role::try_from_value(&"root".to_owned()).is_err());
    }
}
