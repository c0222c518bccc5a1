//! Who may see a content: the one decision behind every list, read and file byte (rules 4b, R-08, R-27).

use kernel::Privacy;
use orgs::{Role, Standing};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Not a member, or not signed in.
    Nobody,
    /// Joined by the link.
    User,
    /// Has a role with weight.
    Staff,
}

impl Viewer {
    /// A member's, or nobody's.
    pub fn of(role: Option<Role>) -> Self {
        match role {
            None => Self::Nobody,
            Some(role) if role.is_staff() => Self::Staff,
            Some(_) => Self::User,
        }
    }
}

/// Where a content is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Its file has not come yet.
    Draft,
    /// There is something to show.
    Available,
    /// Deleted, though its row is kept for the totals.
    Deleted,
}

/// Everything the decision looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// How the organisation stands with its plan.
    pub standing: Standing,
    /// The organisation's privacy.
    pub org: Privacy,
    /// Privacy of the playlist it is shown in; `None` without a playlist, or when the playlist is gone or no
    /// longer holds the content.
    pub shelf: Option<Privacy>,
    /// The content's own privacy.
    pub content: Privacy,
    /// Where the content is in its life.
    pub state: State,
    /// Who asks.
    pub viewer: Viewer,
}

/// Whether the content may be seen.
///
/// An organisation's privacy says who may come in, by the joining page; it takes nothing from those who are
/// in. Listing asks the same of the playlist, except that lists leave unlisted playlists out.
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

    /// Every combination of facts: 2,592 of them.
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
        assert!(may_see(Facts { org: Privacy::Private, ..shown }), "nothing is taken from those who joined");
    }
}
