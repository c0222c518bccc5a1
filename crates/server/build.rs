//! Makes sure that the folders of the web builds exist, so that the program can be built before them: a debug
//! build reads them when asked, a release build takes in what is there and is built anew when that changes.

use std::path::Path;

fn main() {
    for app in ["portal", "viewer"] {
        let dist = Path::new("../../web").join(app).join("dist");
        if let Err(error) = std::fs::create_dir_all(&dist) {
            println!("cargo::warning=cannot make {}: {error}", dist.display());
        }
        if std::env::var("PROFILE").as_deref() == Ok("release") {
            println!("cargo::rerun-if-changed={}", dist.display());
        }
    }
    println!("cargo::rerun-if-changed=build.rs");
}
