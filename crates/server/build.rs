//! Creates the output folders of the web builds, so that the server compiles before the web apps are built. A
//! debug build reads the folders at run time; a release build embeds their content and is rebuilt when it
//! changes.

use std::path::Path;

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
}
