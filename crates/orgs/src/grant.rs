//! The rule for changes of roles: a pure function, and the only way to a [`Grant`], which every write of a role
//! needs.

use crate::Role;
use crate::rights::{GiveRoles, TakeRoles};

/// A change of a person's role in an organisation, and what decides whether it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleChange {
    /// The caller's role.
    pub caller: Role,
    /// The person's current role, if there is one.
    pub old: Option<Role>,
    /// The role to give; `None` removes the person.
    pub new: Option<Role>,
    /// Whether the organisation knows the person: every member is known.
    pub is_known: bool,
    /// Whether the person is the caller.
    pub is_self: bool,
    /// Whether the person is the only super admin.
    pub is_last_super_admin: bool,
    /// Whether the organisation belongs to one person, and so has one super admin only.
    pub is_individual: bool,
}

/// An allowed change of a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    old: Option<Role>,
    new: Option<Role>,
}

impl Grant {
    /// Returns the role that the person gets; `None` if the person is removed.
    pub fn new_role(self) -> Option<Role> {
        self.new
    }

    /// Returns whether the person gets more rights.
    pub fn is_promotion(self) -> bool {
        self.new > self.old
    }

    /// Returns whether the person becomes staff, which takes a seat.
    pub fn takes_a_seat(self) -> bool {
        is_staff(self.new) && !is_staff(self.old)
    }

    /// Returns the grant of a role to a founder, who is the first member.
    pub fn to_founder() -> Self {
        Self { old: None, new: Some(Role::SuperAdmin) }
    }

    /// Returns the grant to a person who joins by the joining link.
    pub fn to_app_user() -> Self {
        Self { old: None, new: Some(Role::User) }
    }

    /// Returns the grant of any role, or of none, for tests.
    #[cfg(feature = "testing")]
    pub fn unchecked(old: Option<Role>, new: Option<Role>) -> Self {
        Self { old, new }
    }
}

/// Why a change of a role is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrantError {
    /// The caller may not manage roles.
    #[error("forbidden")]
    Forbidden,
    /// A second super admin in an organisation that belongs to one person.
    #[error("one super admin only")]
    Individual,
    /// The person is not known in the organisation.
    #[error("person not found")]
    UnknownPerson,
    /// The organisation would have no super admin.
    #[error("last super admin")]
    LastSuperAdmin,
    /// The caller's own role.
    #[error("own role")]
    OwnRole,
    /// The person's old or new role is above the caller's.
    #[error("role above the caller's")]
    AboveCaller,
}

/// Decides about a change. Callers who may not manage roles learn nothing else.
///
/// # Errors
/// The first reason that applies, in the order of [`GrantError`].
pub fn grant(change: RoleChange) -> Result<Grant, GrantError> {
    let RoleChange { caller, old, new, .. } = change;
    if !caller.has::<TakeRoles>() {
        return Err(GrantError::Forbidden);
    }
    if change.is_individual && new == Some(Role::SuperAdmin) && old != new {
        return Err(GrantError::Individual);
    }
    if old.is_none() && (new.is_none() || !change.is_known) {
        return Err(GrantError::UnknownPerson);
    }
    if change.is_last_super_admin && new != Some(Role::SuperAdmin) {
        return Err(GrantError::LastSuperAdmin);
    }
    if change.is_self {
        return Err(GrantError::OwnRole);
    }
    if old.max(new) > Some(caller) {
        return Err(GrantError::AboveCaller);
    }
    Ok(Grant { old, new })
}

/// Decides about a member who leaves.
///
/// # Errors
/// [`GrantError::LastSuperAdmin`] for the only super admin.
pub fn leave(role: Role, is_last_super_admin: bool) -> Result<Grant, GrantError> {
    if is_last_super_admin {
        return Err(GrantError::LastSuperAdmin);
    }
    Ok(Grant { old: Some(role), new: None })
}

/// Decides about a person who accepts an invitation to `invited`: the higher of the two roles stays.
pub fn accept(old: Option<Role>, invited: Role) -> Grant {
    Grant { old, new: old.max(Some(invited)) }
}

/// Returns whether a person in the role `inviter` may invite people to `role`; if not, such an invitation is void.
pub fn may_invite(inviter: Option<Role>, role: Role) -> bool {
    inviter.is_some_and(|inviter| inviter.has::<GiveRoles>() && role <= inviter)
}

/// Returns the staff roles that a member may invite people to, highest first.
pub fn assignable(caller: Role, is_individual: bool) -> Vec<Role> {
    let mut roles = Role::ALL;
    roles.reverse();
    roles
        .into_iter()
        .filter(|role| caller.has::<GiveRoles>() && role.is_staff() && *role <= caller)
        .filter(|role| !(is_individual && *role == Role::SuperAdmin))
        .collect()
}

fn is_staff(role: Option<Role>) -> bool {
    role.is_some_and(Role::is_staff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(caller: Role, old: Option<Role>, new: Option<Role>) -> RoleChange {
        RoleChange {
            caller,
            old,
            new,
            is_known: true,
            is_self: false,
            is_last_super_admin: false,
            is_individual: false,
        }
    }

    fn roles() -> impl Iterator<Item = Option<Role>> {
        Role::ALL.into_iter().map(Some).chain([None])
    }

    #[test]
    fn roles_change_by_weight_in_every_combination() {
        let mut allowed = 0;
        for caller in Role::ALL {
            for (old, new) in roles().flat_map(|old| roles().map(move |new| (old, new))) {
                let weight = |role: Option<Role>| role.map_or(0, Role::weight);
                let expected = if caller.weight() < Role::TeamLeader.weight() {
                    Err(GrantError::Forbidden)
                } else if old.is_none() && new.is_none() {
                    Err(GrantError::UnknownPerson)
                } else if weight(old) <= caller.weight() && weight(new) <= caller.weight() {
                    allowed += 1;
                    Ok(Grant { old, new })
                } else {
                    Err(GrantError::AboveCaller)
                };
                assert_eq!(grant(change(caller, old, new)), expected, "{caller:?}: {old:?} to {new:?}");
            }
        }
        // For n roles up to the caller's: n roles plus "none", before and after, minus none to none.
        assert_eq!(allowed, (4 * 4 - 1) + (5 * 5 - 1) + (6 * 6 - 1) + (7 * 7 - 1));
    }

    #[test]
    fn a_change_is_allowed_exactly_if_every_rule_allows_it() {
        let flags = |bits: u8| [1, 2, 4, 8].map(|bit| bits & bit != 0);
        for caller in Role::ALL {
            for (old, new) in roles().flat_map(|old| roles().map(move |new| (old, new))) {
                for [is_known, is_self, is_last_super_admin, is_individual] in (0..16).map(flags) {
                    let change = RoleChange {
                        caller,
                        old,
                        new,
                        is_known,
                        is_self,
                        is_last_super_admin,
                        is_individual,
                    };
                    let stays_super_admin = new == Some(Role::SuperAdmin);
                    let rules = [
                        caller >= Role::TeamLeader,
                        old.is_some() || (new.is_some() && is_known),
                        !is_self,
                        old.is_none_or(|old| old <= caller) && new.is_none_or(|new| new <= caller),
                        !is_last_super_admin || stays_super_admin,
                        !is_individual || !stays_super_admin || old == new,
                    ];
                    let allowed = grant(change);
                    assert_eq!(allowed.is_ok(), rules.iter().all(|rule| *rule), "{change:?}: {allowed:?}");
                    assert!(allowed.is_err() || allowed == Ok(Grant { old, new }), "{change:?}");
                }
            }
        }
    }

    #[test]
    fn the_first_reason_in_the_order_of_refusals_is_reported() {
        let last = RoleChange {
            is_last_super_admin: true,
            ..change(Role::TeamLeader, Some(Role::SuperAdmin), None)
        };
        assert_eq!(grant(last), Err(GrantError::LastSuperAdmin), "before the weight");
        let own_last = RoleChange { caller: Role::SuperAdmin, is_self: true, ..last };
        assert_eq!(grant(own_last), Err(GrantError::LastSuperAdmin), "before one's own role");
        let own = RoleChange { is_last_super_admin: false, ..own_last };
        assert_eq!(grant(own), Err(GrantError::OwnRole));
        let own_up = RoleChange {
            is_self: true,
            ..change(Role::TeamLeader, Some(Role::TeamLeader), Some(Role::Manager))
        };
        assert_eq!(grant(own_up), Err(GrantError::OwnRole), "before the weight");
        let stranger =
            RoleChange { is_known: false, ..change(Role::TeamLeader, None, Some(Role::SuperAdmin)) };
        assert_eq!(grant(stranger), Err(GrantError::UnknownPerson), "before the weight");
        let second = RoleChange { is_individual: true, ..stranger };
        assert_eq!(grant(second), Err(GrantError::Individual), "before the person");
        assert_eq!(
            grant(RoleChange { caller: Role::TeamUser, ..second }),
            Err(GrantError::Forbidden),
            "first"
        );
    }

    #[test]
    fn the_last_super_admin_keeps_the_role() {
        let same = change(Role::SuperAdmin, Some(Role::SuperAdmin), Some(Role::SuperAdmin));
        assert!(grant(RoleChange { is_last_super_admin: true, is_individual: true, ..same }).is_ok());
        assert_eq!(leave(Role::SuperAdmin, true), Err(GrantError::LastSuperAdmin));
        assert!(leave(Role::SuperAdmin, false).is_ok_and(|grant| grant.new_role().is_none()));
    }

    #[test]
    fn only_a_new_member_of_staff_takes_a_seat() {
        let takes = |old, new| Grant { old, new }.takes_a_seat();
        assert!(takes(None, Some(Role::TeamUser)) && takes(Some(Role::User), Some(Role::TeamUser)));
        assert!(!takes(Some(Role::TeamUser), Some(Role::Manager)) && !takes(None, Some(Role::User)));
        assert!(!takes(Some(Role::TeamUser), None));
    }

    #[test]
    fn an_accepted_invitation_never_takes_rights_away() {
        assert_eq!(accept(Some(Role::Manager), Role::TeamUser).new_role(), Some(Role::Manager));
        assert_eq!(accept(Some(Role::User), Role::TeamUser).new_role(), Some(Role::TeamUser));
        assert_eq!(accept(None, Role::TeamUser).new_role(), Some(Role::TeamUser));
    }

    #[test]
    fn people_invite_to_roles_up_to_their_own() {
        let staff = [Role::SuperAdmin, Role::AccountAdmin, Role::Manager, Role::TeamLeader, Role::TeamUser];
        assert_eq!(assignable(Role::SuperAdmin, false), staff);
        assert_eq!(assignable(Role::SuperAdmin, true), staff[1..]);
        assert_eq!(assignable(Role::TeamLeader, false), staff[3..]);
        assert!(assignable(Role::TeamUser, false).is_empty());
    }
}
