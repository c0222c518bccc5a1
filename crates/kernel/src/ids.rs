//! A type for the id of each kind of record, so that an organisation cannot be passed for a person.

use std::fmt;
use std::str::FromStr;

use sea_orm::{DbErr, DeriveValueType, TryFromU64};
use serde::{Deserialize, Serialize};

use crate::Uid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, DeriveValueType,
        )]
        #[serde(transparent)]
        pub struct $name(Uid);

        impl $name {
            /// Returns the smallest id, which no record has.
            pub const fn nil() -> Self {
                Self(Uid::nil())
            }

            /// Returns the id with these bits: for tests and for ids that are derived.
            pub const fn from_u128(bits: u128) -> Self {
                Self(Uid::from_u128(bits))
            }

            /// Reads an id from its 16 bytes.
            ///
            /// # Errors
            /// Fails unless there are 16.
            pub fn from_slice(bytes: &[u8]) -> Result<Self, uuid::Error> {
                Uid::from_slice(bytes).map(Self)
            }

            /// Returns the 16 bytes.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }

            /// Returns the id in 32 digits without hyphens, as in names of files.
            pub fn as_simple(&self) -> &uuid::fmt::Simple {
                self.0.as_simple()
            }

            /// Returns whether this is the id that no record has.
            pub const fn is_nil(&self) -> bool {
                self.0.is_nil()
            }

            /// Returns the id without its kind, for JSON shapes and for places that take ids of several kinds.
            pub const fn uid(self) -> Uid {
                self.0
            }
        }

        impl From<Uid> for $name {
            fn from(uid: Uid) -> Self {
                Self(uid)
            }
        }

        impl From<$name> for Uid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", stringify!($name), self.0)
            }
        }

        // The ORM asks this of every primary key; no engine generates ids here.
        impl TryFromU64 for $name {
            fn try_from_u64(_: u64) -> Result<Self, DbErr> {
                Err(DbErr::ConvertFromU64(stringify!($name)))
            }
        }
    )*};
}

ids! {
    /// Identifies an organisation.
    OrgId;
    /// Identifies a person.
    PersonId;
    /// Identifies a session of a signed-in person.
    SessionId;
    /// Identifies a code that was mailed to a person.
    CodeId;
    /// Identifies a sign-in at an OpenID provider that was begun.
    SignInId;
    /// Identifies a key that signs access tokens.
    TokenKeyId;
    /// Identifies a membership of a person in an organisation.
    MembershipId;
    /// Identifies an invitation to the staff of an organisation.
    InviteId;
    /// Identifies an entry of an audit log.
    AuditEntryId;
    /// Identifies a billing account.
    AccountId;
    /// Identifies the provision of an organisation: its purchase and its plan.
    ProvisionId;
    /// Identifies an entry in the journal of a purchase.
    ProvisionChangeId;
    /// Identifies a content item.
    ContentId;
    /// Identifies an announced upload of a file.
    UploadId;
    /// Identifies a resumable upload that was begun over tus.
    ResumableId;
    /// Identifies one stored version of a file: a source, a poster, or captions.
    VersionId;
    /// Identifies one run of processing, and the renditions it made.
    RunId;
    /// Identifies a permission to play an item.
    GrantId;
    /// Identifies a playlist.
    PlaylistId;
    /// Identifies a record of a person's consent.
    ConsentId;
    /// Identifies a view of an item, as chosen by the client.
    ViewId;
    /// Identifies an event, as chosen by the client.
    EventId;
    /// Identifies a job of the queue.
    JobId;
    /// Identifies an email.
    EmailId;
    /// Names a viewer in events and totals: a person who consented, or a random name. The random
    /// name changes daily, so it does not lead to the person.
    ViewerId;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_and_read_as_its_uuid() {
        let uid = Uid::from_u128(7);
        let id = OrgId::from(uid);
        assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{uid}\""));
        assert_eq!(serde_json::from_str::<OrgId>(&format!("\"{uid}\"")).unwrap(), id);
        assert_eq!(id.to_string().parse::<OrgId>(), Ok(id));
        assert_eq!(format!("{id:?}"), format!("OrgId {uid}"));
        assert_eq!(sea_orm::Value::from(id), sea_orm::Value::from(uid));
    }
}
