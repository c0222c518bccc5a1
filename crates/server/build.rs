//! Creates the output folders of the web builds, so that the server compiles before the web apps are built. A
//! debug build reads the folders at run time; a release build embeds their content and is rebuilt when it
//! changes. Also records the tag and the commit, for `vitrine --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    for app in ["portal", "viewer"] {
        let dist = Path::new("../../web").join(app).join("dist");
        if let Err(error) = std::fs::create_dir_all(&dist) {
            println!("cargo::warning=cannot create {}: {error}", dist.display());
        }
        if std::env::var("PROFILE").as_deref() == Ok("release") {
            println!("cargo::rerun-if-changed={}", dist.display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
    record_commit();
}

/// Sets the variables that `version.rs` reads, as they are in the environment, which a build outside of a checkout
/// provides; otherwise from the checkout, or empty. Their names do not begin with VITRINE_: cargo sets them for tests
/// too, where they would be settings.
fn record_commit() {
    let recorded = |name: &str, args: &[&str]| {
        println!("cargo::rerun-if-env-changed={name}");
        let given = std::env::var(name).ok().filter(|value| !value.is_empty());
        println!("cargo::rustc-env={name}={}", given.unwrap_or_else(|| git(args)));
    };
    recorded("BUILD_TAG", &["describe", "--tags", "--exact-match", "HEAD"]);
    recorded("BUILD_COMMIT", &["rev-parse", "--short=12", "HEAD"]);
    for name in ["HEAD", "logs/HEAD", "packed-refs", "refs/tags"] {
        let path = git(&["rev-parse", "--git-path", name]);
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// Returns what git prints, or an empty text if it fails.
fn git(args: &[&str]) -> String {
    let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success());
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}
