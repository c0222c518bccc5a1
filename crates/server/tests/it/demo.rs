//! `vitrine demo` as the real program.

use std::path::Path;
use std::process::{Command, Output};

use kernel::Ambient;
use server::compose;
use testkit::Database;

/// Runs the program in this folder. Settings that begin with `VITRINE_` replace those of a sandbox.
fn vitrine(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Output {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    Command::new(env!("CARGO_BIN_EXE_vitrine"))
        .args(arguments)
        .current_dir(folder)
        .env("VITRINE_SANDBOX", "true")
        .env("VITRINE_LISTEN", format!("127.0.0.1:{port}"))
        .env("VITRINE_DATA_DIR", folder)
        .env_remove("VITRINE_TEST_POSTGRES")
        .env_remove("VITRINE_TEST_LONG")
        .envs(settings.iter().copied())
        .output()
        .unwrap()
}

/// Returns what a failed run says.
fn refusal(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn the_demo_refuses_everything_but_a_new_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    let secret = ("VITRINE_SECRET", "FhrSx0B1+T1yyLQxQFYkYtvAeYPVwV8Txnf0ZLwo5nE=");
    let production = [secret, ("VITRINE_SANDBOX", "false"), ("VITRINE_BILLING", "none")];
    let said = refusal(&vitrine(folder.path(), &["demo"], &production));
    assert!(said.contains("set VITRINE_SANDBOX=true"), "{said}");
    let said = refusal(&vitrine(folder.path(), &["demo"], &[("VITRINE_BILLING", "none")]));
    assert!(said.contains("remove the setting VITRINE_BILLING"), "{said}");
    let said = refusal(&vitrine(folder.path(), &["demo", "--size", "huge"], &[]));
    assert!(said.contains("set VITRINE_BILLING=none"), "{said}");
    let mail = ("VITRINE_SMTP_URL", "smtp://127.0.0.1:1");
    let said = refusal(&vitrine(folder.path(), &["demo"], &[mail]));
    assert!(said.contains("VITRINE_SMTP_URL"), "{said}");
    let no_ffmpeg = ("VITRINE_MEDIA_FFMPEG", "/nowhere/ffmpeg");
    let said = refusal(&vitrine(folder.path(), &["demo"], &[no_ffmpeg]));
    assert!(said.contains("needs ffmpeg"), "{said}");
    assert!(!folder.path().join("vitrine.db").exists());

    assert!(vitrine(folder.path(), &["migrate"], &[]).status.success());
    for (arguments, settings) in
        [(&["demo"][..], &[][..]), (&["demo", "--size", "huge"], &[("VITRINE_BILLING", "none")])]
    {
        let said = refusal(&vitrine(folder.path(), arguments, settings));
        assert!(said.contains("is already in use") && said.contains("VITRINE_DATA_DIR"), "{said}");
    }
}

/// What the huge demo and the bench derive in SQL, with few events.
#[tokio::test]
async fn what_is_written_in_bulk_is_what_the_server_counts() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::fresh(folder.path()).await;
    let db = db::Db::connect(database.url()).await.unwrap();
    let ambient = Ambient::system();
    db::migrate(&db, &ambient, &compose::migrations()).await.unwrap();
    let scale = bulk::Scale { events: 20_000, leads: 50, seed: 1 };
    let filled = bulk::fill(&db, &ambient, scale, |_| ()).await.unwrap();
    db.close().await;
    let settings = [("VITRINE_DATABASE_URL", database.url()), ("VITRINE_BILLING", "none")];
    let counted = vitrine(folder.path(), &["admin", "recount"], &settings);
    let said = String::from_utf8(counted.stdout).unwrap();
    assert!(counted.status.success(), "{said}{}", String::from_utf8_lossy(&counted.stderr));
    let [first, ..] = &filled.orgs[..] else { panic!("no organisations") };
    assert!(said.contains(&format!("{}: 500 requests, 0 differences", first.uid)), "{said}");
    assert!(said.contains(" organisations, 0 differences"), "{said}");
    let verified = vitrine(folder.path(), &["verify"], &settings);
    let said = String::from_utf8(verified.stdout).unwrap();
    // The items have no files.
    let of_files = |line: &str| line.starts_with("content_") || line.starts_with("object");
    let (found, other): (Vec<&str>, Vec<&str>) = said.lines().partition(|line| of_files(line));
    assert_eq!(other, [format!("{} findings", found.len())]);
}

/// Fills a new sandbox and returns the numbers it prints.
fn filled(folder: &Path, seed: &str, settings: &[(&str, &str)]) -> String {
    let output = vitrine(folder, &["demo", "--seed", seed], settings);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let verified = vitrine(folder, &["verify"], settings);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let (_, numbers) = text.split_once(" done\n").unwrap();
    // Temperatures depend on the day.
    let lines = numbers.lines().filter(|line| !line.starts_with("  Leads") && !line.starts_with("Start"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Takes minutes, so it runs only with `VITRINE_TEST_LONG`.
#[tokio::test]
async fn the_demo_shows_the_same_numbers_for_the_same_seed_on_both_engines() {
    if std::env::var_os("VITRINE_TEST_LONG").is_none() {
        return;
    }
    assert!(std::env::var_os("VITRINE_TEST_POSTGRES").is_some(), "it needs a PostgreSQL server");
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let first = filled(folders[0].path(), "1", &[]);
    let database = Database::fresh(folders[1].path()).await;
    let again = filled(folders[1].path(), "1", &[("VITRINE_DATABASE_URL", database.url())]);
    assert_eq!(first, again);
    assert_ne!(first, filled(folders[2].path(), "2", &[]));
}
