#![doc = include_str!("../README.md")]

mod ambient;
mod finding;
mod ids;
mod page;
mod patch;
mod problem;
mod secret;
mod signer;
mod timestamp;
mod value;

pub use ambient::{Ambient, Clock, FollowingClock, OffsetClock, Random, SystemClock, SystemRandom};
pub use finding::Finding;
pub use ids::{
    AccountId, AuditEntryId, CodeId, ConsentId, ContentId, EmailId, EventId, GrantId, InviteId, JobId,
    MembershipId, OrgId, PersonId, PlaylistId, ProvisionChangeId, ProvisionId, ResumableId, RunId, SessionId,
    SignInId, TokenKeyId, UploadId, VersionId, ViewId, ViewerId,
};
pub use page::{Keyset, PAGE_DEFAULT, PAGE_MAX};
pub use patch::Patch;
pub use problem::{GENERIC_MESSAGE, LimitUnit, OverLimit, PlanLimit, Problem};
pub use secret::Secret;
pub use signer::Signer;
pub use timestamp::{Timestamp, from_iso, iso, long_date};
pub use value::{
    Colour, Email, Phone, Privacy, PublicUrl, WebUrl, calling_code, country_name, country_of_phone,
};

/// The id of a stored record: a UUIDv7, so ids sort by creation time.
pub type Uid = Uuid;

/// The same type under the name that the OpenAPI derive recognizes: JSON shapes use `Uuid`.
pub use uuid::Uuid;

/// A length of time in milliseconds.
pub type Millis = i64;

/// One second in [`Millis`].
pub const SECOND: Millis = 1_000;
/// One minute in [`Millis`].
pub const MINUTE: Millis = 60 * SECOND;
/// One hour in [`Millis`].
pub const HOUR: Millis = 60 * MINUTE;
/// One day in [`Millis`].
pub const DAY: Millis = 24 * HOUR;

/// The product's name. Server code writes it only here.
pub const PRODUCT: &str = "Vitrine";
