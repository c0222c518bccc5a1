//! Decides who may see a content item. Every list, read and file byte goes through this one decision, in Rust
//! ([`may_see`]) or in SQL ([`may_see_sql`]).

use kernel::{OrgId, PersonId, Privacy, Timestamp};
use orgs::{Role, Standing};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, DbErr};

use crate::schedule::Schedule;

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

/// Returns as what a member sees the content of an organisation now, without a session, as for an export; `None` if the person
/// is not a member, or sees nothing because of the plan.
///
/// # Errors
/// If the query fails.
pub async fn viewer_of(
    conn: &impl ConnectionTrait,
    org: OrgId,
    person: PersonId,
    now: Timestamp,
) -> Result<Option<Viewer>, DbErr> {
    let Some((role, standing)) = orgs::role_of(conn, org, person, now).await? else { return Ok(None) };
    let sees_content = if role.is_staff() { standing != Standing::Ended } else { standing.is_live() };
    Ok(sees_content.then_some(Viewer::of(Some(role))))
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

/// What decides who may open a playlist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaylistAccess {
    /// Public: listed; unlisted: by link only; private: staff only.
    pub privacy: Privacy,
    /// When app users may see it.
    pub schedule: Schedule,
}

impl PlaylistAccess {
    /// Returns whether app users may open the playlist.
    pub fn is_open_to_users(self, now: Timestamp) -> bool {
        matches!(self.privacy, Privacy::Public | Privacy::Unlisted) && self.schedule.is_open(now)
    }

    /// Returns whether app users find the playlist in lists.
    pub fn is_listed_to_users(self, now: Timestamp) -> bool {
        self.privacy == Privacy::Public && self.is_open_to_users(now)
    }
}

/// The input of the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibilityInput {
    /// Standing of the organisation's plan.
    pub standing: Standing,
    /// The playlist it is shown in; `None` without a playlist, or if the playlist is gone or no longer contains
    /// the item.
    pub playlist: Option<PlaylistAccess>,
    /// Privacy of the item.
    pub content: Privacy,
    /// Dates of the item.
    pub schedule: Schedule,
    /// Stage of the item's life cycle.
    pub state: State,
    /// Who is asking.
    pub viewer: Viewer,
    /// The current time.
    pub now: Timestamp,
}

/// Returns whether the viewer may see the item.
///
/// An organisation's privacy decides who may join through the joining page; it does not affect people who have
/// joined. Listing playlists follows the same rule, except that lists leave out unlisted playlists.
pub fn may_see(input: VisibilityInput) -> bool {
    use Privacy::Public;
    let now = input.now;
    match input {
        VisibilityInput { state: State::Deleted, .. } | VisibilityInput { standing: Standing::Ended, .. } => {
            false
        }
        VisibilityInput { viewer: Viewer::NonMember, .. } => false,
        VisibilityInput { viewer: Viewer::Staff, .. } => true,
        VisibilityInput { viewer: Viewer::User, standing: Standing::Suspended, .. } => false,
        VisibilityInput {
            viewer: Viewer::User,
            playlist: Some(playlist),
            content: Public,
            schedule,
            state: State::Available,
            ..
        } => playlist.is_open_to_users(now) && schedule.is_open(now),
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
            "({content}.deleted_at IS NULL AND {content}.origin <> 'draft' AND {content}.privacy = 'public' AND {} \
             AND {organisation}.standing IN ('active', 'pastDue') \
             AND NOT ({organisation}.standing = 'pastDue' AND COALESCE({organisation}.suspended_from <= {now}, FALSE)) \
             AND {})",
            within_dates_sql(content, now),
            open_playlist_sql(playlist, now)
        ),
    }
}

/// Returns the SQL condition that app users may open a playlist, for the alias of a row of `playlist` and an
/// expression for the current time. It is the part of [`may_see_sql`] that concerns the playlist.
pub fn open_playlist_sql(playlist: &'static str, now: &'static str) -> String {
    format!(
        "({playlist}.deleted_at IS NULL AND {playlist}.privacy IN ('public', 'unlisted') AND {})",
        within_dates_sql(playlist, now)
    )
}

/// Returns [`Schedule::is_open`] as an SQL condition, for the alias of a row of `content` or `playlist`.
fn within_dates_sql(alias: &'static str, now: &'static str) -> String {
    format!("COALESCE({alias}.publish_at <= {now}, TRUE) AND COALESCE({alias}.expire_at > {now}, TRUE)")
}

/// Returns [`Schedule::is_open`] as a condition of an ORM query, for the two columns of a table.
pub fn within_dates<Column: ColumnTrait>(publish_at: Column, expire_at: Column, now: Timestamp) -> Condition {
    Condition::all()
        .add(Condition::any().add(publish_at.is_null()).add(publish_at.lte(now)))
        .add(Condition::any().add(expire_at.is_null()).add(expire_at.gt(now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(2);
    const PRIVACIES: [Privacy; 3] = [Privacy::Private, Privacy::Unlisted, Privacy::Public];
    const STANDINGS: [Standing; 4] =
        [Standing::Active, Standing::PastDue, Standing::Suspended, Standing::Ended];

    const fn schedule(publish_ms: i64, expire_ms: i64) -> Schedule {
        Schedule {
            publish_at: Some(Timestamp::from_ms(publish_ms)),
            expire_at: Some(Timestamp::from_ms(expire_ms)),
        }
    }

    /// Before, between and after the dates.
    const SCHEDULES: [Schedule; 3] = [schedule(3, 4), schedule(2, 3), schedule(1, 2)];
    const OPEN: Schedule = SCHEDULES[1];

    /// An item that app users may see.
    const SHOWN: VisibilityInput = VisibilityInput {
        standing: Standing::Active,
        playlist: Some(PlaylistAccess { privacy: Privacy::Public, schedule: OPEN }),
        content: Privacy::Public,
        schedule: OPEN,
        state: State::Available,
        viewer: Viewer::User,
        now: NOW,
    };

    /// Returns the inputs that differ in one property.
    fn each<T: Copy>(
        inputs: Vec<VisibilityInput>,
        values: &[T],
        with: impl Fn(VisibilityInput, T) -> VisibilityInput,
    ) -> Vec<VisibilityInput> {
        inputs
            .into_iter()
            .flat_map(|input| values.iter().map(move |value| (input, *value)))
            .map(|(input, value)| with(input, value))
            .collect()
    }

    /// All 3,240 combinations of inputs.
    fn all() -> Vec<VisibilityInput> {
        let playlists: Vec<Option<PlaylistAccess>> = PRIVACIES
            .into_iter()
            .flat_map(|privacy| SCHEDULES.map(|schedule| Some(PlaylistAccess { privacy, schedule })))
            .chain([None])
            .collect();
        let states = [State::Draft, State::Available, State::Deleted];
        let viewers = [Viewer::NonMember, Viewer::User, Viewer::Staff];
        let inputs = each(vec![SHOWN], &STANDINGS, |input, standing| VisibilityInput { standing, ..input });
        let inputs = each(inputs, &playlists, |input, playlist| VisibilityInput { playlist, ..input });
        let inputs = each(inputs, &PRIVACIES, |input, content| VisibilityInput { content, ..input });
        let inputs = each(inputs, &SCHEDULES, |input, schedule| VisibilityInput { schedule, ..input });
        let inputs = each(inputs, &states, |input, state| VisibilityInput { state, ..input });
        each(inputs, &viewers, |input, viewer| VisibilityInput { viewer, ..input })
    }

    #[test]
    fn the_table_of_the_rules_holds_for_every_combination() {
        let inputs = all();
        for input in &inputs {
            let exists = input.state != State::Deleted && input.standing != Standing::Ended;
            let expected = match input.viewer {
                Viewer::NonMember => false,
                Viewer::Staff => exists,
                Viewer::User => {
                    exists
                        && input.standing != Standing::Suspended
                        && input.state == State::Available
                        && input.content == Privacy::Public
                        && input.schedule == OPEN
                        && input.playlist.is_some_and(|playlist| {
                            playlist.privacy != Privacy::Private && playlist.schedule == OPEN
                        })
                }
            };
            assert_eq!(may_see(*input), expected, "{input:?}");
        }
        assert_eq!(inputs.len(), 4 * 10 * 3 * 3 * 3 * 3);
    }

    #[test]
    fn a_private_item_in_a_public_playlist_stays_private() {
        let in_private = PlaylistAccess { privacy: Privacy::Private, schedule: OPEN };
        assert!(may_see(SHOWN));
        assert!(!may_see(VisibilityInput { content: Privacy::Private, ..SHOWN }));
        assert!(!may_see(VisibilityInput { playlist: Some(in_private), ..SHOWN }));
        assert!(!may_see(VisibilityInput { playlist: None, ..SHOWN }));
    }

    #[test]
    fn only_public_playlists_between_their_dates_are_listed() {
        let listed = |privacy, schedule| PlaylistAccess { privacy, schedule }.is_listed_to_users(NOW);
        assert_eq!(PRIVACIES.map(|privacy| listed(privacy, OPEN)), [false, false, true]);
        assert_eq!(SCHEDULES.map(|schedule| listed(Privacy::Public, schedule)), [false, true, false]);
    }
}
