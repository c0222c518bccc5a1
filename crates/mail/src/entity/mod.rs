//! ORM tables, private to the room.

pub(crate) mod mail_outbox;
