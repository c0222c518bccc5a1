//! Secrets that are read from files, as containers provide them: `VITRINE_SECRET_FILE` instead of
//! `VITRINE_SECRET`.

use std::fs;

use serde_json::Value;

use super::SettingsError;

/// Settings with a form whose name ends in `_file`.
pub const SECRETS: [&str; 10] = [
    "backup_s3_access_key",
    "backup_s3_secret_key",
    "database_url",
    "oidc_google_client_secret",
    "s3_access_key",
    "s3_secret_key",
    "secret",
    "smtp_url",
    "stripe_secret_key",
    "stripe_webhook_secret",
];
/// Ending of the name of the setting with the path.
const ENDING: &str = "_file";

/// Replaces the paths in settings of one origin with what the files contain.
pub(super) fn resolve(values: Vec<(String, Value)>) -> Result<Vec<(String, Value)>, SettingsError> {
    let has_value =
        |name: &str| values.iter().any(|(other, value)| other == name && value.as_str() != Some(""));
    let mut resolved = Vec::with_capacity(values.len());
    for (name, value) in &values {
        let secret = name.strip_suffix(ENDING).filter(|secret| SECRETS.contains(secret));
        let Some(secret) = secret else {
            resolved.push((name.clone(), value.clone()));
            continue;
        };
        let path = value.as_str().ok_or_else(|| invalid(name, "must be the path of a file."))?;
        if path.is_empty() {
            continue;
        }
        if has_value(secret) {
            let sentence = format!("and {} are both set; remove one of them.", variable(secret));
            return Err(invalid(name, &sentence));
        }
        let text = fs::read_to_string(path)
            .map_err(|error| invalid(name, &format!("names {path}, which cannot be read: {error}.")))?;
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.is_empty() {
            return Err(invalid(name, &format!("names {path}, which is empty.")));
        }
        resolved.push((secret.to_owned(), Value::String(text.to_owned())));
    }
    // An empty setting must not replace what was read from a file.
    let is_replaced = |name: &str, value: &Value| {
        value.as_str() == Some("") && SECRETS.contains(&name) && has_value(&format!("{name}{ENDING}"))
    };
    resolved.retain(|(name, value)| !is_replaced(name, value));
    Ok(resolved)
}

fn variable(name: &str) -> String {
    format!("VITRINE_{}", name.to_uppercase())
}

fn invalid(name: &str, problem: &str) -> SettingsError {
    SettingsError::Invalid(format!("{} {problem}", variable(name)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::settings::{Settings, load};

    fn from(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let environment = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        load::load(None, environment).map_err(|error| error.to_string())
    }

    fn file(folder: &Path, text: &str) -> String {
        let path = folder.join("secret");
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    #[test]
    fn a_secret_is_read_from_a_file_without_its_last_line_break() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["sk_live_1", "sk_live_1\n", "sk_live_1\r\n"] {
            let path = file(folder.path(), text);
            let settings =
                from(&[("VITRINE_STRIPE_SECRET_KEY_FILE", &path), ("VITRINE_STRIPE_SECRET_KEY", "")]);
            assert_eq!(settings.unwrap().payments.stripe_secret_key.reveal(), "sk_live_1");
        }
        let path = file(folder.path(), "two\nlines\n\n");
        let settings = from(&[("VITRINE_S3_SECRET_KEY_FILE", &path)]).unwrap();
        assert_eq!(settings.storage.s3_secret_key, "two\nlines\n");
    }

    #[test]
    fn every_secret_has_this_form() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "smtp://me:hush-hush@mail\n");
        for secret in SECRETS {
            let name = variable(&format!("{secret}{ENDING}"));
            let from_file = from(&[(&name, &path)]).unwrap();
            let plain = from(&[(&variable(secret), "smtp://me:hush-hush@mail")]).unwrap();
            assert_eq!(format!("{from_file:?}"), format!("{plain:?}"), "{secret}");
            let changed = serde_json::to_value(&from_file).unwrap();
            assert_ne!(changed, serde_json::to_value(Settings::default()).unwrap(), "{secret}");
        }
    }

    #[test]
    fn the_environment_overrides_the_settings_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "from a file");
        let toml = folder.path().join("vitrine.toml");
        fs::write(&toml, "s3_secret_key = \"plain\"\n").unwrap();
        let environment = [("VITRINE_S3_SECRET_KEY_FILE".to_owned(), path.clone())];
        let settings = load::load(Some(&toml), environment.into_iter()).unwrap();
        assert_eq!(settings.storage.s3_secret_key, "from a file");
        fs::write(&toml, format!("s3_secret_key_file = {path:?}\n")).unwrap();
        let settings = load::load(Some(&toml), std::iter::empty()).unwrap();
        assert_eq!(settings.storage.s3_secret_key, "from a file");
    }

    #[test]
    fn mistakes_name_the_setting_and_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = file(folder.path(), "x");
        let error = from(&[("VITRINE_SECRET", "x"), ("VITRINE_SECRET_FILE", &path)]).unwrap_err();
        assert_eq!(error, "VITRINE_SECRET_FILE and VITRINE_SECRET are both set; remove one of them.");
        let error = from(&[("VITRINE_SECRET_FILE", "/nowhere/secret")]).unwrap_err();
        assert!(
            error.starts_with("VITRINE_SECRET_FILE names /nowhere/secret, which cannot be read"),
            "{error}"
        );
        let error = from(&[("VITRINE_SECRET_FILE", &file(folder.path(), "\n"))]).unwrap_err();
        assert!(error.ends_with("which is empty."), "{error}");
        let error = from(&[("VITRINE_LOG_FILE", &path)]).unwrap_err();
        assert!(error.contains("unknown settings: log_file"), "{error}");
    }
}
