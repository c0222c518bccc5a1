//! Values of rows as JSON: ids and bytes as text, so that a row reads the same on both engines.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use kernel::Uuid;
use sea_orm::{DbBackend, DbErr, QueryResult, Value};
use serde_json::{Map, Value as Json};

use crate::Error;
use crate::catalog::{Column, ColumnType, Table};

impl Table {
    /// Returns the statement that reads all rows.
    pub(crate) fn select(&self, backend: DbBackend) -> String {
        let columns: Vec<String> = self.columns.iter().map(|column| column.read(backend)).collect();
        format!("SELECT {} FROM \"{}\"", columns.join(", "), self.name)
    }

    pub(crate) fn row(&self, row: &QueryResult) -> Result<Json, Error> {
        let mut object = Map::with_capacity(self.columns.len());
        for (at, column) in self.columns.iter().enumerate() {
            let value = column.kind.json(row, at).map_err(|error| Error::Value {
                table: self.name.clone(),
                column: column.name.clone(),
                problem: error.to_string(),
            })?;
            object.insert(column.name.clone(), value);
        }
        Ok(Json::Object(object))
    }

    /// Returns the values of a row in the order of the columns, or what is wrong with it.
    pub(crate) fn values(&self, row: &Json) -> Result<Vec<Value>, String> {
        let object = row.as_object().ok_or("a row is not an object")?;
        if object.len() != self.columns.len() {
            return Err(format!("a row has {} columns, not {}", object.len(), self.columns.len()));
        }
        let value = |column: &Column| {
            let json = object.get(&column.name).ok_or(format!("a row lacks {}", column.name))?;
            column.kind.value(json).ok_or(format!("a row has an unsuitable value in {}", column.name))
        };
        self.columns.iter().map(value).collect()
    }
}

impl Column {
    fn read(&self, backend: DbBackend) -> String {
        let name = &self.name;
        match (backend, self.kind) {
            (DbBackend::Postgres, ColumnType::Integer) => format!("\"{name}\"::bigint"),
            (DbBackend::Postgres, ColumnType::Json | ColumnType::Text) => format!("\"{name}\"::text"),
            _ => format!("\"{name}\""),
        }
    }

    /// Returns the placeholder of a value in an INSERT.
    pub(crate) fn placeholder(&self, backend: DbBackend, number: usize) -> String {
        match (backend, self.kind) {
            (DbBackend::Postgres, ColumnType::Json) => format!("CAST(${number} AS {})", self.declared),
            _ => format!("${number}"),
        }
    }
}

impl ColumnType {
    fn json(self, row: &QueryResult, at: usize) -> Result<Json, DbErr> {
        Ok(match self {
            Self::Uuid => row.try_get_by_index::<Option<Uuid>>(at)?.map(|uid| uid.to_string()).into(),
            Self::Integer => row.try_get_by_index::<Option<i64>>(at)?.into(),
            // Text keeps every bit.
            Self::Float => row.try_get_by_index::<Option<f64>>(at)?.map(|number| number.to_string()).into(),
            Self::Boolean => row.try_get_by_index::<Option<bool>>(at)?.into(),
            Self::Bytes => row.try_get_by_index::<Option<Vec<u8>>>(at)?.map(|b| STANDARD.encode(b)).into(),
            Self::Text | Self::Json => row.try_get_by_index::<Option<String>>(at)?.into(),
        })
    }

    fn value(self, json: &Json) -> Option<Value> {
        if json.is_null() {
            return Some(match self {
                Self::Uuid => Value::Uuid(None),
                Self::Integer => Value::BigInt(None),
                Self::Float => Value::Double(None),
                Self::Boolean => Value::Bool(None),
                Self::Bytes => Value::Bytes(None),
                Self::Text | Self::Json => Value::String(None),
            });
        }
        Some(match self {
            Self::Uuid => json.as_str()?.parse::<Uuid>().ok()?.into(),
            Self::Integer => json.as_i64()?.into(),
            Self::Float => json.as_str()?.parse::<f64>().ok()?.into(),
            Self::Boolean => json.as_bool()?.into(),
            Self::Bytes => STANDARD.decode(json.as_str()?).ok()?.into(),
            Self::Text | Self::Json => json.as_str()?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_another_type_is_refused() {
        let column = |name: &str, kind| Column { name: name.to_owned(), kind, declared: String::new() };
        let columns = vec![column("n", ColumnType::Integer), column("b", ColumnType::Bytes)];
        let table = Table { name: "t".to_owned(), columns };
        let row = |text: &str| table.values(&serde_json::from_str(text).unwrap());
        assert_eq!(
            row(r#"{ "n": 9007199254740993, "b": "AQI=" }"#).unwrap(),
            [9_007_199_254_740_993_i64.into(), vec![1_u8, 2].into()]
        );
        assert_eq!(row(r#"{ "n": null, "b": null }"#).unwrap(), [Value::BigInt(None), Value::Bytes(None)]);
        for wrong in [
            r#"{ "n": "1", "b": null }"#,
            r#"{ "n": 1.5, "b": null }"#,
            r#"{ "n": 1, "b": "?" }"#,
            r#"{ "n": 1 }"#,
            r#"{ "n": 1, "b": null, "c": 1 }"#,
            "[1, null]",
        ] {
            assert!(row(wrong).is_err(), "{wrong}");
        }
    }
}
