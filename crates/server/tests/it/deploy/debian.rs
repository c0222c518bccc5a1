//! What the Debian package consists of. `tools/deb-test` builds and installs it.

use super::*;

#[test]
fn the_packaged_settings_lack_only_the_mail_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut variables = env_file("deploy/debian/vitrine.env");
    let secret = new_secrets(folder.path()).join("vitrine_secret");
    assert_eq!(variables["VITRINE_SECRET_FILE"], "/etc/vitrine/secret");
    variables.insert("VITRINE_SECRET_FILE".to_owned(), secret.to_str().unwrap().to_owned());
    assert!(check(&variables).unwrap_err().starts_with("VITRINE_SMTP_URL is missing"));
    variables.insert("VITRINE_SMTP_URL".to_owned(), "smtps://mail.example.com".to_owned());
    check(&variables).unwrap();
}

#[test]
fn the_manual_page_has_every_command() {
    let help = Command::new(env!("CARGO_BIN_EXE_vitrine")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"serve") && commands.len() > 10, "{commands:?}");
    let page = read("deploy/debian/vitrine.1");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(page.contains(&format!(".TP\n.B {command}\n")), "{command} is not in the manual page");
    }
}

#[test]
fn both_units_notify_and_are_watched() {
    for (unit, command) in [("vitrine", "serve"), ("vitrine-worker", "worker")] {
        let text = read(&format!("deploy/systemd/{unit}.service"));
        for line in ["Type=notify", "WatchdogSec=60", "NoNewPrivileges=yes", "ProtectSystem=strict"] {
            assert!(text.lines().any(|own| own == line), "{unit}: {line}");
        }
        assert!(text.contains(&format!("\nExecStart=/usr/local/bin/vitrine {command}\n")), "{unit}");
        // tools/deb removes the comment above, which is about installing by hand.
        assert!(text.starts_with('#') && text.contains("\n\n[Unit]\n"), "{unit}");
    }
}
