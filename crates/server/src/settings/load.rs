//! Reads settings from one flat namespace of lower-case names. Environment variables have the same names in
//! capitals, with the prefix `VITRINE_`.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Settings;

/// Variables that are not settings but belong to the tests or the command line.
const NOT_SETTINGS: [&str; 2] = ["test_postgres", "config"];

/// Error in the settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file could not be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, std::io::Error),
    /// The file is not TOML.
    #[error("{0} is not valid TOML: {1}")]
    Toml(PathBuf, toml::de::Error),
    /// Unknown names.
    #[error("unknown settings: {0}. `vitrine config --example` lists all of them.")]
    Unknown(String),
    /// A malformed value, or an invalid combination.
    #[error("{0}")]
    Invalid(String),
}

/// Merges the defaults, the file and the environment, in increasing precedence.
pub(super) fn load(
    file: Option<&Path>,
    environment: impl Iterator<Item = (String, String)>,
) -> Result<Settings, SettingsError> {
    let mut values = Map::new();
    if let Some(path) = file {
        let text =
            std::fs::read_to_string(path).map_err(|error| SettingsError::File(path.to_owned(), error))?;
        let table: Map<String, Value> =
            toml::from_str(&text).map_err(|error| SettingsError::Toml(path.to_owned(), error))?;
        values.extend(table);
    }
    for (name, value) in environment {
        if let Some(name) = name.strip_prefix("VITRINE_").map(str::to_lowercase)
            && !NOT_SETTINGS.contains(&name.as_str())
        {
            values.insert(name, Value::String(value));
        }
    }
    let settings = Settings {
        server: take_section(&mut values, "")?,
        storage: take_section(&mut values, "")?,
        mail: take_section(&mut values, "")?,
        sign_in: take_section(&mut values, "")?,
        payments: take_section(&mut values, "")?,
        media: take_section(&mut values, "media_")?,
        content: take_section(&mut values, "")?,
    };
    if values.is_empty() {
        Ok(settings)
    } else {
        Err(SettingsError::Unknown(values.keys().cloned().collect::<Vec<_>>().join(", ")))
    }
}

/// Removes and parses the settings of one crate.
fn take_section<S: Default + Serialize + DeserializeOwned>(
    values: &mut Map<String, Value>,
    prefix: &str,
) -> Result<S, SettingsError> {
    let defaults = match serde_json::to_value(S::default()) {
        Ok(Value::Object(defaults)) => defaults,
        other => return Err(SettingsError::Invalid(format!("settings that are not a table: {other:?}"))),
    };
    let mut own = Map::new();
    for (name, default) in &defaults {
        let full = format!("{prefix}{name}");
        if let Some(value) = values.remove(&full) {
            let typed = typed(value, default).ok_or_else(|| type_error(&full, default))?;
            own.insert(name.clone(), typed);
        }
    }
    let names: Vec<String> = own.keys().map(|name| format!("{prefix}{name}")).collect();
    serde_json::from_value(Value::Object(own)).map_err(|error| {
        let names: Vec<String> = names.iter().map(|name| name.to_uppercase()).collect();
        SettingsError::Invalid(format!("one of VITRINE_{} is invalid: {error}", names.join(", VITRINE_")))
    })
}

/// Converts the text of an environment variable to the type of the default.
fn typed(value: Value, default: &Value) -> Option<Value> {
    let Value::String(text) = &value else { return Some(value) };
    match default {
        Value::Bool(_) => match text.to_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Some(Value::Bool(true)),
            "false" | "0" | "no" | "off" | "" => Some(Value::Bool(false)),
            _ => None,
        },
        Value::Number(_) => text.trim().parse::<u64>().ok().map(Value::from),
        Value::Null if text.is_empty() => Some(Value::Null),
        // A setting without a default may be a number or a word.
        Value::Null => Some(text.trim().parse::<u64>().map_or(value, Value::from)),
        _ => Some(value),
    }
}

fn type_error(name: &str, default: &Value) -> SettingsError {
    let expected = if default.is_boolean() { "true or false" } else { "a whole number" };
    SettingsError::Invalid(format!("VITRINE_{} must be {expected}.", name.to_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        load(None, pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn the_environment_overrides_the_file_and_the_file_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("vitrine.toml");
        std::fs::write(&file, "listen = \"127.0.0.1:9\"\nworkers = 7\nmedia_wall_seconds = 5\n").unwrap();
        let environment =
            [("VITRINE_WORKERS".to_owned(), "9".to_owned()), ("HOME".to_owned(), "/".to_owned())];
        let settings = load(Some(&file), environment.into_iter()).unwrap();
        assert_eq!(settings.server.listen.port(), 9);
        assert_eq!((settings.server.workers, settings.server.heavy_workers), (9, 0));
        assert_eq!(settings.media.wall_seconds, 5);
        assert_eq!(settings.heavy_workers(), settings.media.tools_at_once());
    }

    #[test]
    fn connections_of_an_address_are_unlimited_behind_a_proxy_unless_set() {
        let limit = |pairs: &[(&str, &str)]| from(pairs).unwrap().server.connections_per_address();
        let proxy = ("VITRINE_TRUSTED_PROXIES", "1");
        assert_eq!((limit(&[]), limit(&[proxy])), (512, 0));
        assert_eq!(limit(&[proxy, ("VITRINE_CONNECTIONS_PER_ADDRESS", "700")]), 700);
        assert_eq!(limit(&[("VITRINE_CONNECTIONS_PER_ADDRESS", "0")]), 0);
        assert_eq!(limit(&[("VITRINE_CONNECTIONS_PER_ADDRESS", "")]), 512);
        let error = from(&[("VITRINE_CONNECTIONS_PER_ADDRESS", "many")]).unwrap_err().to_string();
        assert!(error.contains("VITRINE_CONNECTIONS_PER_ADDRESS"), "{error}");
    }

    #[test]
    fn a_misspelt_or_mistyped_setting_is_named() {
        let error = from(&[("VITRINE_SANDBOKS", "true")]).unwrap_err().to_string();
        assert!(error.contains("sandboks"), "{error}");
        let error = from(&[("VITRINE_SANDBOX", "perhaps")]).unwrap_err().to_string();
        assert_eq!(error, "VITRINE_SANDBOX must be true or false.");
        let error = from(&[("VITRINE_BILLING", "gold")]).unwrap_err().to_string();
        assert!(error.contains("VITRINE_BILLING"), "{error}");
    }

    #[test]
    fn production_does_not_start_without_its_secrets() {
        let error_of = |pairs: &[(&str, &str)]| from(pairs).unwrap().check().unwrap_err().to_string();
        let https = ("VITRINE_PUBLIC_URL", "https://v.example");
        assert!(error_of(&[https]).contains("VITRINE_SECRET is missing"));
        assert!(error_of(&[https, ("VITRINE_SECRET", "c2hvcnQ=")]).contains("32 bytes"));
        let zeroes = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        assert!(error_of(&[https, ("VITRINE_SECRET", zeroes)]).contains("not random"));
        assert!(error_of(&[("VITRINE_PUBLIC_URL", "http://v.example")]).contains("https://"));
        assert!(error_of(&[https, ("VITRINE_SANDBOX", "true")]).contains("loopback"));
        assert!(from(&[("VITRINE_SANDBOX", "true")]).unwrap().check().is_ok());
    }

    #[test]
    fn secrets_are_masked() {
        let settings = from(&[
            ("VITRINE_SECRET", "hush-hush"),
            ("VITRINE_DATABASE_URL", "postgres://me:hush-hush@db/v"),
            ("VITRINE_STRIPE_SECRET_KEY", "hush-hush"),
        ]);
        let text = crate::settings::example::merged(&settings.unwrap());
        assert!(!text.contains("hush-hush") && text.contains("postgres://me:********@db/v"), "{text}");
    }
}
