//! ORM entities, private to the crate.

pub(crate) mod mail_outbox;
