//! ORM entities, private to the crate.

pub(crate) mod sandbox_call;
pub(crate) mod sandbox_clock;
pub(crate) mod sandbox_object;
