//! Stored values that cannot be read: a word that is no variant, or JSON of another shape.

use std::fmt::Display;

use sea_orm::sea_query::{ArrayType, ColumnType, Nullable, ValueType, ValueTypeErr};
use sea_orm::{
    ActiveEnum, ActiveValue, ColIdx, DbErr, IntoActiveValue, QueryResult, TryGetError, TryGetable, Value,
};

/// The word of an enumerated column. Reading it never fails, so that the row is known when
/// [`Stored::known`] reports a word that is no variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored<E> {
    /// A variant.
    Known(E),
    /// A word that is no variant of this version.
    Unknown,
}

impl<E> Stored<E> {
    /// Returns the variant. Logs the table, column and row and fails if the word is no variant.
    pub fn known(self, table: &'static str, column: &'static str, row: impl Display) -> Result<E, DbErr> {
        match self {
            Self::Known(variant) => Ok(variant),
            Self::Unknown => Err(unreadable(table, column, row)),
        }
    }
}

impl<E> From<E> for Stored<E> {
    fn from(variant: E) -> Self {
        Self::Known(variant)
    }
}

impl<E: ActiveEnum<Value = String>> From<Stored<E>> for Value {
    fn from(stored: Stored<E>) -> Self {
        match stored {
            Stored::Known(variant) => variant.to_value().into(),
            // A word that was not understood is never written back; NOT NULL columns reject this value.
            Stored::Unknown => String::null(),
        }
    }
}

impl<E: ActiveEnum<Value = String>> TryGetable for Stored<E> {
    fn try_get_by<I: ColIdx>(row: &QueryResult, index: I) -> Result<Self, TryGetError> {
        let word = String::try_get_by(row, index)?;
        Ok(E::try_from_value(&word).map_or(Self::Unknown, Self::Known))
    }
}

impl<E: ActiveEnum<Value = String>> ValueType for Stored<E> {
    fn try_from(value: Value) -> Result<Self, ValueTypeErr> {
        let word = <String as ValueType>::try_from(value)?;
        Ok(E::try_from_value(&word).map_or(Self::Unknown, Self::Known))
    }

    fn type_name() -> String {
        "Stored".to_owned()
    }

    fn array_type() -> ArrayType {
        ArrayType::String
    }

    fn column_type() -> ColumnType {
        ColumnType::Text
    }
}

impl<E: ActiveEnum<Value = String>> Nullable for Stored<E> {
    fn null() -> Value {
        String::null()
    }
}

impl<E: ActiveEnum<Value = String>> IntoActiveValue<Self> for Stored<E> {
    fn into_active_value(self) -> ActiveValue<Self> {
        ActiveValue::Set(self)
    }
}

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
