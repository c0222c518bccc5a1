//! ORM tables.

pub mod backup_record;
