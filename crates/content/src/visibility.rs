//! Decides who may see a content item. Every list, read and file byte goes through this one decision, in Rust
//! ([`may_see`]) or in SQL ([`may_see_sql`]).

use kernel::Privacy;
use orgs::{Role, Standing};

/// The viewer's relation to the organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Not a member, or not signed in.
    NonMember,
    /// An app user, who joined by the link.
    User,
    /// A member with a staff role.
    Staff,
}

impl Viewer {
    /// Returns the kind of viewer for a role; `None` is for non-members.
    pub fn of(role: Option<Role>) -> Self {
        match role {
            None => Self::NonMember,
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
pub struct VisibilityInput {
    /// Standing of the organisation's plan.
    pub standing: Standing,
    /// Privacy of the organisation.
    pub org: Privacy,
    /// Privacy of the playlist it is shown in; `None` without a playlist, or if the playlist is gone or no
    /// longer contains the item.
    pub playlist: Option<Privacy>,
    /// Privacy of the item.
    pub content: Privacy,
    /// Stage of the item's life cycle.
    pub state: State,
    /// Who is asking.
    pub viewer: Viewer,
}

/// Returns whether the viewer may see the item.
///
/// An organisation's privacy decides who may join through the joining page; it does not affect people who have
/// joined. Listing playlists follows the same rule, except that lists leave out unlisted playlists.
pub fn may_see(input: VisibilityInput) -> bool {
    use Privacy::{Private, Public, Unlisted};
    match input {
        VisibilityInput { state: State::Deleted, .. } | VisibilityInput { standing: Standing::Ended, .. } => {
            false
        }
        VisibilityInput { viewer: Viewer::NonMember, .. } => false,
        VisibilityInput { viewer: Viewer::Staff, .. } => true,
        VisibilityInput { viewer: Viewer::User, standing: Standing::Suspended, .. } => false,
        VisibilityInput {
            viewer: Viewer::User,
            org: Private | Unlisted | Public,
            playlist: Some(Public | Unlisted),
            content: Public,
            state: State::Available,
            ..
        } => true,
        VisibilityInput { viewer: Viewer::User, .. } => false,
    }
}

/// The aliases in a query of the rows that [`may_see_sql`] decides about.
#[derive(Clone, Copy, Debug)]
pub struct VisibilityAliases {
    /// A row of `organisation`.
    pub organisation: &'static str,
    /// A row of `content`.
    pub content: &'static str,
    /// A row of `playlist`, for a playlist that contains the item.
    pub playlist: &'static str,
    /// An expression for the current time.
    pub now: &'static str,
}

/// Returns [`may_see`] as an SQL condition, for queries about many items. It can be NULL if the playlist is
/// the missing side of an outer join; NULL means no.
pub fn may_see_sql(viewer: Viewer, aliases: VisibilityAliases) -> String {
    let VisibilityAliases { organisation, content, playlist, now } = aliases;
    match viewer {
        Viewer::NonMember => "FALSE".to_owned(),
        Viewer::Staff => format!(
            "({content}.deleted_at IS NULL AND {organisation}.standing IN ('active', 'pastDue', 'suspended'))"
        ),
        Viewer::User => format!(
            "({content}.deleted_at IS NULL AND {content}.origin <> 'draft' AND {content}.privacy = 'public' \
             AND {organisation}.standing IN ('active', 'pastDue') \
             AND NOT ({organisation}.standing = 'pastDue' AND COALESCE({organisation}.suspended_from <= {now}, FALSE)) \
             AND {})",
            open_playlist_sql(playlist)
        ),
    }
}

/// Returns the SQL condition that app users may open a playlist, for the alias of a row of `playlist`. It is
/// the part of [`may_see_sql`] that concerns the playlist.
pub fn open_playlist_sql(playlist: &'static str) -> String {
    format!("({playlist}.deleted_at IS NULL AND {playlist}.privacy IN ('public', 'unlisted'))")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRIVACIES: [Privacy; 3] = [Privacy::Private, Privacy::Unlisted, Privacy::Public];

    /// All 1,296 combinations of inputs.
    fn all() -> impl Iterator<Item = VisibilityInput> {
        let playlists = [None, Some(Privacy::Private), Some(Privacy::Unlisted), Some(Privacy::Public)];
        let standings = [Standing::Active, Standing::PastDue, Standing::Suspended, Standing::Ended];
        standings.into_iter().flat_map(move |standing| {
            PRIVACIES.into_iter().flat_map(move |org| {
                playlists.into_iter().flat_map(move |playlist| {
                    PRIVACIES.into_iter().flat_map(move |content| {
                        [State::Draft, State::Available, State::Deleted].into_iter().flat_map(move |state| {
                            [Viewer::NonMember, Viewer::User, Viewer::Staff].map(|viewer| VisibilityInput {
                                standing,
                                org,
                                playlist,
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
        for input in all() {
            let exists = input.state != State::Deleted && input.standing != Standing::Ended;
            let expected = match input.viewer {
                Viewer::NonMember => false,
                Viewer::Staff => exists,
                Viewer::User => {
                    exists
                        && input.standing != Standing::Suspended
                        && input.state == State::Available
                        && input.content == Privacy::Public
                        && matches!(input.playlist, Some(Privacy::Public | Privacy::Unlisted))
                }
            };
            assert_eq!(may_see(input), expected, "{input:?}");
        }
        assert_eq!(all().count(), 4 * 3 * 4 * 3 * 3 * 3);
    }

    #[test]
    fn a_private_item_in_a_public_playlist_stays_private() {
        let shown = VisibilityInput {
            standing: Standing::Active,
            org: Privacy::Public,
            playlist: Some(Privacy::Public),
            content: Privacy::Public,
            state: State::Available,
            viewer: Viewer::User,
        };
        assert!(may_see(shown));
        assert!(!may_see(VisibilityInput { content: Privacy::Private, ..shown }));
        assert!(!may_see(VisibilityInput { playlist: Some(Privacy::Private), ..shown }));
        assert!(!may_see(VisibilityInput { playlist: None, ..shown }));
        assert!(
            may_see(VisibilityInput { org: Privacy::Private, ..shown }),
            "privacy of the organisation takes nothing from people who joined"
        );
    }
}
