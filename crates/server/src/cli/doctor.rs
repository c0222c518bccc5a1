//! `vitrine doctor`: reports problems of the installation and how to fix them.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use db::Db;
use identity::Reached;
use jobs::Jobs;
use kernel::{Ambient, Clock as _, SystemClock};
use mail::{Mailer, Trouble};
use storage::{OpenUploads, Storage};

use crate::settings::Settings;
use crate::{compose, reach};

/// Result of one check.
enum Finding {
    Good(String),
    /// Works with limitations.
    Poor(String),
    Bad(String),
}

/// Checks everything the server needs. Fails if a check fails.
pub async fn examine(settings: &Settings) -> ExitCode {
    let findings = [
        ("settings", check_settings(settings)),
        ("data folder", check_folder(settings)),
        ("database", check_database(settings).await),
        ("storage", check_storage(settings).await),
        ("media tools", check_media(settings)),
        ("mail", check_mail(settings)),
        ("mail delivery", check_letters(settings).await),
        ("clock", check_clock()),
        ("metrics", check_metrics(settings)),
    ];
    let providers = check_providers(settings).await;
    let mut bad = false;
    for (what, finding) in findings.into_iter().chain(providers) {
        let (mark, text) = match finding {
            Finding::Good(text) => ("ok  ", text),
            Finding::Poor(text) => ("warn", text),
            Finding::Bad(text) => {
                bad = true;
                ("FAIL", text)
            }
        };
        println!("{mark}  {what}: {text}");
    }
    if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn check_settings(settings: &Settings) -> Finding {
    match (settings.check(), settings.public()) {
        (Ok(()), Ok(public)) if settings.server.sandbox => {
            Finding::Good(format!("sandbox at {}; for development only", public.origin()))
        }
        (Ok(()), Ok(public)) => Finding::Good(public.origin()),
        (Err(error), _) | (_, Err(error)) => Finding::Bad(error.to_string()),
    }
}

fn check_folder(settings: &Settings) -> Finding {
    let folder = &settings.server.data_dir;
    let probe = folder.join(".doctor");
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&probe, b"x"))
        .and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => Finding::Good(folder.display().to_string()),
        Err(error) => Finding::Bad(format!(
            "cannot write into {}: {error}. Make it writable for this user or set VITRINE_DATA_DIR.",
            folder.display()
        )),
    }
}

async fn check_database(settings: &Settings) -> Finding {
    match Db::connect(&settings.database_url()).await {
        Ok(db) => {
            let engine = db.engine();
            db.close().await;
            Finding::Good(format!("{engine:?} is reachable"))
        }
        Err(db::ConnectError::Held(_)) => Finding::Good("in use by a running vitrine".to_owned()),
        Err(error) => Finding::Bad(error.to_string()),
    }
}

async fn check_storage(settings: &Settings) -> Finding {
    let storage = match Storage::open(&settings.storage, &settings.server.data_dir, Ambient::system()) {
        Ok(storage) => storage,
        Err(error) => return Finding::Bad(error.to_string()),
    };
    match reach::storage(&storage).await {
        Ok(()) if storage.is_short_of(0).unwrap_or(false) => Finding::Poor(
            "less than reserve_bytes is free on the disk: new uploads and video processing are refused"
                .to_owned(),
        ),
        Ok(()) => check_open_uploads(settings).await,
        Err(error) => Finding::Bad(error.to_string()),
    }
}

/// Checks that the bucket cleans up the incomplete uploads that a crash leaves behind.
async fn check_open_uploads(settings: &Settings) -> Finding {
    let url = &settings.storage.storage_url;
    let rule = "a lifecycle rule that aborts incomplete multipart uploads after 7 days";
    match settings.storage.open_uploads().await {
        None => Finding::Good("local disk".to_owned()),
        Some(OpenUploads::Ended) => Finding::Good(url.clone()),
        Some(OpenUploads::Kept) => Finding::Poor(format!(
            "{url} keeps incomplete uploads after a crash, and no list of objects shows them: give the \
             bucket {rule}"
        )),
        Some(OpenUploads::Unknown(why)) => {
            Finding::Poor(format!("{url}: cannot tell whether it has {rule} ({why})"))
        }
    }
}

fn check_media(settings: &Settings) -> Finding {
    let media = match compose::media(settings) {
        Ok(media) => media,
        Err(error) => return Finding::Bad(error.to_string()),
    };
    let films = media.missing().or_else(|| media.open_walls());
    let documents = media.missing_for_documents().or_else(|| media.open_walls_for_documents());
    if let Some(sentence) = films.or(documents) {
        return Finding::Poor(sentence);
    }
    let walls = media.walls();
    let open = walls.open().map(|open| format!("; without {open}")).unwrap_or_default();
    let dull =
        if media.tone_maps() { "" } else { "; HDR videos will look dull: ffmpeg lacks zscale or tonemap" };
    let at_once = settings.media.tools_at_once();
    Finding::Good(format!(
        "ffmpeg, ffprobe and pdftoppm found, {at_once} at a time; confined by {}{open}{dull}",
        walls.standing()
    ))
}

fn check_mail(settings: &Settings) -> Finding {
    match settings.mail.check(settings.server.sandbox) {
        Ok(()) if settings.mail.smtp_url.is_empty() => {
            Finding::Good("the sandbox inbox at /sandbox/mail".to_owned())
        }
        Ok(()) => Finding::Good("mail server configured".to_owned()),
        Err(sentence) => Finding::Bad(sentence),
    }
}

/// Lists emails whose delivery failed or is delayed.
async fn check_letters(settings: &Settings) -> Finding {
    let db = match Db::connect(&settings.database_url()).await {
        Ok(db) => db,
        Err(db::ConnectError::Held(_)) => {
            return Finding::Good("see vitrine_mails_total and the log of the running vitrine".to_owned());
        }
        Err(_) => return Finding::Poor("cannot be checked without the database".to_owned()),
    };
    let ambient = Ambient::system();
    let jobs = Jobs::new(db.clone(), ambient.clone());
    let troubles = match Mailer::new(db.clone(), ambient, jobs, &settings.mail) {
        Ok(mailer) => mailer.troubles(20).await.map_err(|error| error.to_string()),
        Err(sentence) => Err(sentence),
    };
    db.close().await;
    match troubles {
        Ok(list) if list.is_empty() => Finding::Good("no failed or delayed emails".to_owned()),
        Ok(list) => Finding::Poor(list.iter().map(in_words).collect::<Vec<_>>().join("\n        ")),
        Err(error) => {
            Finding::Poor(format!("cannot be read: {error}. On a new database run vitrine migrate."))
        }
    }
}

/// Describes an undelivered email without revealing more of the recipient than the domain.
fn in_words(trouble: &Trouble) -> String {
    let state = if trouble.failed { "failed" } else { "waiting" };
    let Trouble { uid, kind, domain, code, tries, time, .. } = trouble;
    format!("{uid} {kind} to {domain}: {code} ({tries} tries, {state}) at {}", kernel::iso(*time))
}

/// Checks whether Google and Apple are configured and reachable.
async fn check_providers(settings: &Settings) -> Vec<(&'static str, Finding)> {
    let Ok(public) = settings.public() else { return Vec::new() };
    let reached = settings.sign_in.reach(&public).await;
    let finding = |reached| match reached {
        Reached::Answers => Finding::Good("reachable".to_owned()),
        Reached::Absent if settings.server.sandbox => Finding::Good("built into the sandbox".to_owned()),
        Reached::Absent => Finding::Good("not set up; its sign-in button shows an error".to_owned()),
        Reached::Broken(sentence) => Finding::Bad(sentence),
    };
    reached.into_iter().map(|(what, reached)| (what, finding(reached))).collect()
}

fn check_metrics(settings: &Settings) -> Finding {
    match settings.server.metrics_exposure() {
        Some(sentence) => Finding::Poor(sentence),
        None if settings.server.metrics_listen.is_empty() => Finding::Good("disabled".to_owned()),
        None => Finding::Good(format!("at {}", settings.server.metrics_listen)),
    }
}

/// Checks that the clock is not earlier than the build: that would break tokens and links.
fn check_clock() -> Finding {
    let now = Duration::from_millis(u64::try_from(SystemClock.now()).unwrap_or(0));
    let built = std::env::current_exe()
        .and_then(|path| path.metadata())
        .and_then(|meta| meta.modified())
        .ok()
        .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
        .unwrap_or_default();
    if now + Duration::from_secs(86_400) < built {
        Finding::Bad(
            "the clock is earlier than the date of this program: set it, or sign-in links will not work"
                .to_owned(),
        )
    } else {
        Finding::Good(kernel::iso(SystemClock.now()))
    }
}
