//! Stored values that cannot be read: a word that is no variant, or JSON of another shape.

use std::fmt::Display;

use sea_orm::DbErr;

/// Logs that a column of a row holds a value that cannot be read, and returns the error that fails the read.
/// A default in place of the value would be stored by the next change of the row.
pub fn unreadable(table: &'static str, column: &'static str, row: impl Display) -> DbErr {
    log_unreadable(table, column, &row);
    DbErr::Type(format!("{table}.{column} of {row} cannot be read"))
}

/// Logs that a column of a row holds a value that cannot be read. Never logs the value, which may be personal.
pub fn log_unreadable(table: &'static str, column: &'static str, row: impl Display) {
    tracing::error!(table, column, %row, "a stored value cannot be read");
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::sync::{Arc, Mutex};

    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Level, Metadata, Subscriber};

    use super::*;

    /// Collects the events of one thread as text.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<String>>);

    struct Line<'a>(&'a mut String);

    impl Visit for Line<'_> {
        fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
            let _ = write!(self.0, " {}={value:?}", field.name());
        }
    }

    impl Subscriber for Log {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() == Level::ERROR
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut Line(&mut self.0.lock().unwrap()));
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn an_unreadable_value_is_logged_with_its_place_and_is_no_outage() {
        let log = Log::default();
        let error = tracing::subscriber::with_default(log.clone(), || unreadable("playlist", "items", 7));
        assert_eq!(
            *log.0.lock().unwrap(),
            r#" message=a stored value cannot be read table="playlist" column="items" row=7"#
        );
        assert_eq!(error.to_string(), "Type Error: playlist.items of 7 cannot be read");
        assert_eq!(crate::outage(&error), None);
    }
}
