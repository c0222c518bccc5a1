//! What the program prints about itself.

use std::process::Command;

#[test]
fn the_version_names_tag_commit_and_schema() {
    let output = Command::new(env!("CARGO_BIN_EXE_vitrine")).arg("--version").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let [version, tag, commit, schema] = lines[..] else { panic!("{text}") };
    assert_eq!(version, format!("vitrine {}", env!("CARGO_PKG_VERSION")));
    assert!(tag == "tag none" || tag.starts_with("tag v"), "{tag}");
    let hash = commit.strip_prefix("commit ").unwrap();
    let is_hash = hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(hash == "unknown" || is_hash, "{commit}");
    assert_eq!(schema, format!("schema {}", server::compose::migrations().len()));
}
