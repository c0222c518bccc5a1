//! The settings as text: the example file with every default and its meaning, and the merged ones in force.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use utoipa::PartialSchema;

use super::{ServerSettings, Settings};

/// `vitrine.example.toml`: every setting, its default and what it is for.
pub fn example() -> String {
    let defaults = Settings::default();
    let mut text = String::from(
        "# Every setting of Vitrine with its default. The same names in capitals behind VITRINE_ work as\n\
         # environment variables and win over this file. Written by `make gen`.\n",
    );
    section::<ServerSettings>(&mut text, "The server", "", &defaults.server);
    section::<storage::StorageSettings>(&mut text, "Storage", "", &defaults.storage);
    section::<mail::MailSettings>(&mut text, "Mail", "", &defaults.mail);
    section::<identity::SignInSettings>(&mut text, "Sign-in by other providers", "", &defaults.sign_in);
    section::<payments::PaymentsSettings>(&mut text, "Payment", "", &defaults.payments);
    section::<content::ContentSettings>(&mut text, "Content", "", &defaults.content);
    section::<media::MediaSettings>(&mut text, "Media tools", "media_", &defaults.media);
    text
}

/// The settings in force, secrets as stars.
pub fn merged(settings: &Settings) -> String {
    let mut text = String::new();
    lines(&mut text, "", &settings.server);
    lines(&mut text, "", &settings.storage);
    lines(&mut text, "", &settings.mail);
    lines(&mut text, "", &settings.sign_in);
    lines(&mut text, "", &settings.payments);
    lines(&mut text, "", &settings.content);
    lines(&mut text, "media_", &settings.media);
    text
}

fn lines(text: &mut String, prefix: &str, settings: &impl Serialize) {
    if let Ok(Value::Object(fields)) = serde_json::to_value(settings) {
        for (name, value) in fields {
            write_line(text, &format!("{prefix}{name}"), &value);
        }
    }
}

fn section<S: PartialSchema>(text: &mut String, title: &str, prefix: &str, defaults: &impl Serialize) {
    let schema = serde_json::to_value(S::schema()).unwrap_or_default();
    let _ = writeln!(text, "\n# --- {title} ---");
    if let Ok(Value::Object(fields)) = serde_json::to_value(defaults) {
        for (name, value) in fields {
            let meaning = schema["properties"][&name]["description"].as_str().unwrap_or_default();
            let _ = writeln!(text);
            for line in meaning.lines() {
                let _ = writeln!(text, "# {}", line.trim());
            }
            let _ = write!(text, "# ");
            write_line(text, &format!("{prefix}{name}"), &value);
        }
    }
}

fn write_line(text: &mut String, name: &str, value: &Value) {
    // JSON's numbers, booleans and strings are TOML's too; "not set" is an empty text.
    let value = if value.is_null() { Value::String(String::new()) } else { value.clone() };
    let _ = writeln!(text, "{name} = {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_says_what_it_is_for() {
        let text = example();
        let mut before = "";
        for line in text.lines() {
            if line.contains(" = ") {
                assert!(before.starts_with("# ") && before.len() > 3, "{line} has no meaning");
            }
            before = line;
        }
    }
}
