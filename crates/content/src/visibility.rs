//! Decides who may see a content item. Every list, read and file byte goes through this one decision.

use kernel::Privacy;
use orgs::{Role, Standing};

/// The viewer's relation to the organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Not a member, or not signed in.
    Nobody,
    /// An app user, who joined by the link.
    User,
    /// A member with a staff role.
    Staff,
}

impl Viewer {
    /// Returns the kind of viewer for a role; `None` is for non-members.
    pub fn of(role: Option<Role>) -> Self {
        match role {
            None => Self::Nobody,
            Some(role) if role.is_staff() => Self::Staff,
            Some(_) => Self::User,
        }
    }
}

/// Stage in the life cycle of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its file has not been uploaded yet.
    Draft,
    /// It can be shown.
    Available,
    /// Deleted; its row is kept for the totals.
    Deleted,
}

/// The input of the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Standing of the organisation's plan.
    pub standing: Standing,
    /// Privacy of the organisation.
    pub org: Privacy,
    /// Privacy of the playlist it is shown in; `None` without a playlist, or if the playlist is gone or no
    /// longer contains the item.
    pub shelf: Option<Privacy>,
    /// Privacy of the item.
    pub content: Privacy,
    /// Stage of the item's life cycle.
    pub state: State,
    /// Who is asking.
    pub viewer: Viewer,
}

/// Returns whether the viewer may see the item.
///
/// An organisation's privacy decides who may join through the joining page; it takes nothing away from people
/// who have joined. Listing playlists follows the same rule, except that lists leave out unlisted playlists.
pub fn may_see(facts: Facts) -> bool {
    use Privacy::{Private, Public, Unlisted};
    match facts {
        Facts { state: State::Deleted, .. } | Facts { standing: Standing::Ended, .. } => false,
        Facts { viewer: Viewer::Nobody, .. } => false,
        Facts { viewer: Viewer::Staff, .. } => true,
        Facts { viewer: Viewer::User, standing: Standing::Suspended, .. } => false,
        Facts {
            viewer: Viewer::User,
            org: Private | Unlisted | Public,
            shelf: Some(Public | Unlisted),
            content: Public,
            state: State::Available,
            ..
        } => true,
        Facts { viewer: Viewer::User, .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIVACIES: [Privacy; 3] = [Privacy::Private, Privacy::Unlisted, Privacy::Public];

    /// All 1,296 combinations of facts.
    fn all() -> impl Iterator<Item = Facts> {
        let shelves = [None, Some(Privacy::Private), Some(Privacy::Unlisted), Some(Privacy::Public)];
        let standings = [Standing::Active, Standing::PastDue, Standing::Suspended, Standing::Ended];
        standings.into_iter().flat_map(move |standing| {
            PRIVACIES.into_iter().flat_map(move |org| {
                shelves.into_iter().flat_map(move |shelf| {
                    PRIVACIES.into_iter().flat_map(move |content| {
                        [State::Draft, State::Available, State::Deleted].into_iter().flat_map(move |state| {
                            [Viewer::Nobody, Viewer::User, Viewer::Staff].map(|viewer| Facts {
                                standing,
                                org,
                                shelf,
                                content,
                                state,
                                viewer,
                            })
                        })
                    })
                })
            })
        })
    }

    #[test]
    fn the_table_of_the_rules_holds_for_every_combination() {
        for facts in all() {
            let lives = facts.state != State::Deleted && facts.standing != Standing::Ended;
            let expected = match facts.viewer {
                Viewer::Nobody => false,
                Viewer::Staff => lives,
                Viewer::User => {
                    lives
                        && facts.standing != Standing::Suspended
                        && facts.state == State::Available
                        && facts.content == Privacy::Public
                        && matches!(facts.shelf, Some(Privacy::Public | Privacy::Unlisted))
                }
            };
            assert_eq!(may_see(facts), expected, "{facts:?}");
        }
        assert_eq!(all().count(), 4 * 3 * 4 * 3 * 3 * 3);
    }

    #[test]
    fn a_private_item_in_a_public_playlist_stays_private() {
        let shown = Facts {
            standing: Standing::Active,
            org: Privacy::Public,
            shelf: Some(Privacy::Public),
            content: Privacy::Public,
            state: State::Available,
            viewer: Viewer::User,
        };
        assert!(may_see(shown));
        assert!(!may_see(Facts { content: Privacy::Private, ..shown }));
        assert!(!may_see(Facts { shelf: Some(Privacy::Private), ..shown }));
        assert!(!may_see(Facts { shelf: None, ..shown }));
        assert!(
            may_see(Facts { org: Privacy::Private, ..shown }),
            "privacy of the organisation takes nothing from people who joined"
        );
    }
}
