//! Reads settings from one flat namespace of lower-case names. Environment variables have the same names in
//! capitals, with the prefix `VITRINE_`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::error::{Actual, Kind};
use serde_json::{Map, Value};

use super::{Settings, secret_files, service_links};

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
        values = toml::from_str(&text).map_err(|error| SettingsError::Toml(path.to_owned(), error))?;
    }
    let fields = fields()?;
    let variables = environment.filter_map(|(name, value)| {
        let name = name.strip_prefix("VITRINE_")?.to_lowercase();
        let is_foreign = !fields.contains_key(&name) && service_links::is_service_link(&name, &value);
        let is_setting = !is_foreign && !NOT_SETTINGS.contains(&name.as_str());
        is_setting.then_some((name, Value::String(value)))
    });
    let values = secret_files::resolve(values.into_iter().collect())?;
    let variables = secret_files::resolve(variables.collect())?;
    let (mut figment, mut unknown) = (Figment::new(), BTreeSet::new());
    for (name, value) in values.into_iter().chain(variables) {
        match fields.get(&name) {
            Some(field) => figment = figment.merge((&field.path, field.normalized(value))),
            None => {
                unknown.insert(name);
            }
        }
    }
    let settings = figment.extract_lossy().map_err(|error| invalid(&error, &fields))?;
    if unknown.is_empty() {
        Ok(settings)
    } else {
        let named: Vec<String> = unknown.iter().map(|name| with_suggestion(name, &fields)).collect();
        Err(SettingsError::Unknown(named.join(", ")))
    }
}

/// How alike two names must be, from 0 to 1, for one to be a misspelling of the other.
const ALIKE: f64 = 0.9;

/// Adds the setting that was probably meant.
fn with_suggestion(name: &str, fields: &BTreeMap<String, Field>) -> String {
    let likeness = |field: &&String| strsim::jaro_winkler(name, field);
    match fields.keys().max_by(|one, other| likeness(one).total_cmp(&likeness(other))) {
        Some(field) if likeness(&field) >= ALIKE => format!("{name} (did you mean {field}?)"),
        _ => name.to_owned(),
    }
}

/// A setting.
struct Field {
    /// Section and name within [`Settings`], with a dot between them.
    path: String,
    default: Value,
}

impl Field {
    /// Reads an empty text as no value or as false, and ignores spaces around a number.
    fn normalized(&self, value: Value) -> Value {
        match (&value, &self.default) {
            (Value::String(text), Value::Null) if text.is_empty() => Value::Null,
            (Value::String(text), Value::Bool(_)) if text.is_empty() => Value::Bool(false),
            (Value::String(text), Value::Null | Value::Number(_)) => Value::from(text.trim()),
            _ => value,
        }
    }
}

/// Returns all settings by name.
fn fields() -> Result<BTreeMap<String, Field>, SettingsError> {
    let defaults: BTreeMap<String, Map<String, Value>> = serde_json::to_value(Settings::default())
        .and_then(serde_json::from_value)
        .map_err(|error| SettingsError::Invalid(format!("a section that is not a table: {error}")))?;
    let named = defaults.into_iter().flat_map(|(section, fields)| {
        let prefix = if section == "media" { "media_" } else { "" };
        fields.into_iter().map(move |(name, default)| {
            (format!("{prefix}{name}"), Field { path: format!("{section}.{name}"), default })
        })
    });
    Ok(named.collect())
}

/// Names the setting that could not be read, and what it must be.
fn invalid(error: &figment::Error, fields: &BTreeMap<String, Field>) -> SettingsError {
    let path = error.path.join(".");
    let Some((name, field)) = fields.iter().find(|(_, field)| field.path == path) else {
        return SettingsError::Invalid(error.to_string());
    };
    let problem = match (&field.default, &error.kind) {
        (Value::Bool(_), Kind::InvalidType(..)) => "must be true or false.".to_owned(),
        (Value::Number(_), Kind::InvalidType(..) | Kind::InvalidValue(Actual::Signed(_), _)) => {
            "must be a whole number.".to_owned()
        }
        (_, Kind::Message(said)) if said.contains("socket address") => {
            "must be an address and a port, such as 127.0.0.1:8080.".to_owned()
        }
        (_, kind) => format!("is invalid: {kind}"),
    };
    SettingsError::Invalid(format!("VITRINE_{} {problem}", name.to_uppercase()))
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
    fn variables_of_kubernetes_services_are_ignored() {
        let settings = from(&[("VITRINE_PORT", "tcp://10.0.0.1:8080"), ("VITRINE_SERVICE_HOST", "10.0.0.1")]);
        assert!(settings.is_ok());
        let error = from(&[("VITRINE_PORT", "8080")]).unwrap_err().to_string();
        assert!(error.contains("unknown settings: port"), "{error}");
    }

    #[test]
    fn a_misspelt_or_mistyped_setting_is_named() {
        let error = from(&[("VITRINE_SANDBOKS", "true")]).unwrap_err().to_string();
        assert!(error.starts_with("unknown settings: sandboks (did you mean sandbox?)."), "{error}");
        let error = from(&[("VITRINE_COLOUR", "blue")]).unwrap_err().to_string();
        assert!(error.starts_with("unknown settings: colour. "), "{error}");
        let error = from(&[("VITRINE_LISTEN", "8080")]).unwrap_err().to_string();
        assert_eq!(error, "VITRINE_LISTEN must be an address and a port, such as 127.0.0.1:8080.");
        let error = from(&[("VITRINE_SANDBOX", "perhaps")]).unwrap_err().to_string();
        assert_eq!(error, "VITRINE_SANDBOX must be true or false.");
        let error = from(&[("VITRINE_BILLING", "gold")]).unwrap_err().to_string();
        assert!(error.contains("VITRINE_BILLING"), "{error}");
    }

    #[test]
    fn texts_are_read_as_the_type_of_the_setting() {
        let settings = from(&[
            ("VITRINE_WORKERS", " 3 "),
            ("VITRINE_LOG_JSON", "Yes"),
            ("VITRINE_SANDBOX", ""),
            ("VITRINE_PUBLIC_URL", "12"),
            ("VITRINE_LOG", "true"),
        ])
        .unwrap();
        assert_eq!((settings.server.workers, settings.server.log_json), (3, true));
        assert!(!settings.server.sandbox);
        assert_eq!((settings.server.public_url.as_str(), settings.server.log.as_str()), ("12", "true"));
        for wrong in ["", "three", "-1", "1.5", "99999999999999999999"] {
            let error = from(&[("VITRINE_MEDIA_WALL_SECONDS", wrong)]).unwrap_err().to_string();
            assert_eq!(error, "VITRINE_MEDIA_WALL_SECONDS must be a whole number.", "{wrong}");
        }
        let error = from(&[("VITRINE_MEDIA_UID", "4294967296")]).unwrap_err().to_string();
        assert!(error.starts_with("VITRINE_MEDIA_UID is invalid: ") && error.contains("u32"), "{error}");
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
