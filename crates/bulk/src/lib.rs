#![doc = include_str!("../README.md")]

mod content;
mod derived;
mod directory;
mod people;
mod random;
pub mod rows;
mod views;

use db::{Db, Engine};
use kernel::{Ambient, ContentId, DAY, OrgId, PersonId, PlaylistId, ViewerId};
use sea_orm::{ConnectionTrait as _, DbErr};

pub use directory::list_people;
pub use people::email;

/// Organisations. The first one has half of all views.
const ORGS: usize = 100;
/// Address of a super admin of every organisation.
pub const OWNER: &str = "owner@bench.example";
/// Address of another one, because an address gets one link a minute.
pub const SECOND_OWNER: &str = "second@bench.example";
/// Content items and playlists of the first organisation.
const CONTENTS: usize = 2_000;
const PLAYLISTS: usize = 20;
/// Content items and people of each of the others, which have one playlist.
const OTHER_CONTENTS: usize = 10;
const OTHER_PEOPLE: usize = 20;
/// Days of viewing.
pub const DAYS: i64 = 365;

/// How much to fill in.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Beats in all organisations.
    pub events: usize,
    /// Leads of the first organisation.
    pub leads: usize,
    /// Seed of the views.
    pub seed: u64,
}

impl Scale {
    /// Returns the scale with so many beats, and a lead for each hundred of them.
    pub fn of(events: usize, seed: u64) -> Self {
        Self { events, leads: events / 100, seed }
    }
}

/// An organisation as filled.
pub struct FilledOrg {
    /// Its id.
    pub uid: OrgId,
    /// The most watched item comes first.
    pub contents: Vec<ContentId>,
    /// The most watched playlist comes first.
    pub playlists: Vec<PlaylistId>,
    /// The busiest person of the first organisation comes first.
    pub people: Vec<(PersonId, ViewerId)>,
}

/// A filled database.
pub struct Filled {
    /// The organisation with half of all views comes first.
    pub orgs: Vec<FilledOrg>,
    /// Start of the first day.
    pub start: i64,
    /// End of the last day.
    pub end: i64,
}

/// Reason the database could not be filled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A read or write failed.
    #[error(transparent)]
    Database(#[from] DbErr),
    /// A statement that derives rows failed.
    #[error("{0}: {1}")]
    Derived(&'static str, DbErr),
}

/// Fills an empty database that was migrated. `progress` receives a sentence at each step.
///
/// # Errors
/// If the database fails.
pub async fn fill(
    db: &Db,
    ambient: &Ambient,
    scale: Scale,
    progress: impl Fn(&str),
) -> Result<Filled, Error> {
    let end = ambient.now().ms() / DAY * DAY;
    let orgs = (0..ORGS).map(|n| announced(ambient, n, scale)).collect();
    let filled = Filled { orgs, start: end - DAYS * DAY, end };
    progress("writing organisations, people and leads");
    let tx = db.write_tx().await?;
    people::write(&tx, ambient, &filled.orgs).await?;
    people::write_leads(&tx, &filled).await?;
    directory::list_people(&tx).await?;
    tx.commit().await?;
    progress("writing requests and views");
    let counts = views::write(db, &filled, (scale.events / views::BEATS as usize, scale.seed)).await?;
    let tx = db.write_tx().await?;
    content::write(&tx, &filled.orgs, &counts).await?;
    tx.commit().await?;
    progress("deriving totals");
    derived::derive(db).await?;
    if db.engine() == Engine::Postgres {
        db.read().execute_unprepared("ANALYZE").await?;
    }
    Ok(filled)
}

/// Says what a filled database has, and who can sign in.
pub fn describe(scale: Scale) -> String {
    let Scale { events, leads, .. } = scale;
    format!(
        "{events} events in {ORGS} organisations. The first one, {:?}, has half of them, {CONTENTS} items, {PLAYLISTS} playlists \
         and {leads} leads.\nSign in as {OWNER} or {SECOND_OWNER}; the links are in the inbox of the sandbox, /sandbox/mail.",
        people::title(1)
    )
}

/// Returns the ids of the organisation with this number.
fn announced(ambient: &Ambient, n: usize, scale: Scale) -> FilledOrg {
    let (people, contents, playlists) = match n {
        0 => (scale.leads, CONTENTS, PLAYLISTS),
        _ => (OTHER_PEOPLE, OTHER_CONTENTS, 1),
    };
    FilledOrg {
        uid: ambient.uid(),
        contents: (0..contents).map(|_| ambient.uid()).collect(),
        playlists: (0..playlists).map(|_| ambient.uid()).collect(),
        people: (0..people).map(|_| (ambient.uid(), ambient.uid())).collect(),
    }
}

/// Does what autovacuum of PostgreSQL does within minutes; until then, reads of an index visit the table for each row.
///
/// # Errors
/// If the database fails.
pub async fn vacuum(db: &Db) -> Result<(), DbErr> {
    if db.engine() == Engine::Postgres {
        db.read().execute_unprepared("VACUUM (ANALYZE)").await?;
    }
    Ok(())
}
