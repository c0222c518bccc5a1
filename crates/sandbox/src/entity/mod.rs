//! ORM tables, private to the room.

pub(crate) mod sandbox_call;
pub(crate) mod sandbox_clock;
pub(crate) mod sandbox_object;
