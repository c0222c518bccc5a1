//! The samples in `deploy/`: every setting in them exists and is accepted, and what they refer to is there. No
//! container engine and no cluster runs them.

mod compose;
mod containers;
mod debian;
mod kubernetes;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use server::settings::{self, Settings};

/// Variables of the command line, of `tools/deb` and of Kubernetes, which are not settings.
const NOT_SETTINGS: [&str; 3] = ["VITRINE_CONFIG", "VITRINE_PROGRAM", "VITRINE_PORT"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the documents of a YAML file, with merge keys resolved.
fn yaml(path: &str) -> Vec<Value> {
    let documents: Vec<Value> =
        serde_saphyr::from_multiple(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    documents.into_iter().map(merged).collect()
}

fn merged(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => {
            if let Some(Value::Object(base)) = fields.remove("<<") {
                for (name, value) in base {
                    fields.entry(name).or_insert(value);
                }
            }
            Value::Object(fields.into_iter().map(|(name, value)| (name, merged(value))).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(merged).collect()),
        other => other,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn list(value: &Value) -> Vec<&Value> {
    value.as_array().map(|values| values.iter().collect()).unwrap_or_default()
}

fn fields(value: &Value) -> BTreeMap<String, String> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.clone(), text(value))).collect()
}

/// Returns the names of all variables, those with paths of secrets included.
fn variables() -> BTreeSet<String> {
    let example = settings::example();
    let named = example.lines().filter_map(|line| {
        let line = line.strip_prefix("# ")?;
        let file = line.strip_prefix("Or ").and_then(|line| line.split(':').next());
        file.or_else(|| line.split_once(" = ").map(|(name, _)| name))
    });
    let is_name =
        |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    named.filter(is_name).map(|name| format!("VITRINE_{}", name.to_uppercase())).collect()
}

/// Returns the variables of an environment file: `NAME=value` or `NAME="value"` per line.
fn env_file(path: &str) -> BTreeMap<String, String> {
    let text = read(path);
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let pair = |line: &str| {
        let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{path}: {line}"));
        (name.to_owned(), value.trim_matches('"').to_owned())
    };
    lines.map(pair).collect()
}

/// Loads the settings from these variables, as the program does with a settings file, and checks them.
fn check(variables: &BTreeMap<String, String>) -> Result<Settings, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vitrine.toml");
    let line = |(name, value): (&String, &String)| {
        format!(
            "{} = {}\n",
            name.strip_prefix("VITRINE_").unwrap().to_lowercase(),
            Value::from(value.as_str())
        )
    };
    std::fs::write(&file, variables.iter().map(line).collect::<String>()).unwrap();
    let settings = Settings::load(Some(&file)).map_err(|error| error.to_string())?;
    settings.check().map_err(|error| error.to_string())?;
    Ok(settings)
}

/// Writes new secrets as the samples describe, and returns their folder.
fn new_secrets(folder: &Path) -> PathBuf {
    let secrets = folder.join("secrets");
    let done = Command::new(root().join("deploy/new-secrets")).arg(&secrets).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    secrets
}

/// Replaces the folder in which a container finds its secrets.
fn with_secrets(variables: &BTreeMap<String, String>, from: &str, to: &Path) -> BTreeMap<String, String> {
    let to = format!("{}/", to.display());
    variables.iter().map(|(name, value)| (name.clone(), value.replace(from, &to))).collect()
}

/// Asserts that the program knows this command line.
fn assert_command(args: &[String]) {
    let done = Command::new(env!("CARGO_BIN_EXE_vitrine")).args(args).arg("--help").output().unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Returns all files below a folder, relative to the root.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap()).flat_map(|entry| {
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() { files(&path) } else { vec![path] }
    });
    // What an installation keeps beside the samples.
    paths.filter(|path| !path.starts_with("deploy/secrets/") && path != "deploy/vitrine.env").collect()
}

#[test]
fn every_variable_in_the_samples_and_their_documentation_is_a_setting() {
    let known = variables();
    assert!(known.contains("VITRINE_LISTEN") && known.contains("VITRINE_SECRET_FILE"), "{known:?}");
    let mut found = 0;
    for path in files("deploy").into_iter().chain(["README.md", "docs/operate.md"].map(str::to_owned)) {
        let text = read(&path);
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        for word in words.filter(|word| word.starts_with("VITRINE_") && !NOT_SETTINGS.contains(word)) {
            let is_prefix = word.ends_with('_') && known.iter().any(|name| name.starts_with(word));
            assert!(known.contains(word) || is_prefix, "{path}: {word}");
            found += 1;
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn the_sample_of_an_environment_file_starts_once_it_is_filled_in() {
    let mut variables = env_file("deploy/vitrine.env.example");
    assert!(check(&variables).unwrap_err().contains("VITRINE_SECRET is missing"));
    let folder = tempfile::tempdir().unwrap();
    let secret = std::fs::read_to_string(new_secrets(folder.path()).join("vitrine_secret")).unwrap();
    variables.insert("VITRINE_SECRET".to_owned(), secret.trim().to_owned());
    assert!(check(&variables).unwrap_err().contains("VITRINE_STRIPE_SECRET_KEY"));
    variables.insert("VITRINE_BILLING".to_owned(), "none".to_owned());
    check(&variables).unwrap();
}
