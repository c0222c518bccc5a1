//! `vitrine doctor`: reports problems of the installation and how to fix them.

mod backups;
mod database;
mod payment;

use std::process::ExitCode;

use database::DatabaseState;
use identity::ProviderStatus;
use kernel::{Ambient, Clock as _, DAY, SystemClock, Timestamp};
use storage::{OpenUploads, Storage};

use crate::settings::Settings;
use crate::{compose, storage_check};

enum CheckResult {
    Pass(String),
    /// Works with limitations.
    Warning(String),
    Fail(String),
}

/// Checks everything the server needs, and prints a line for each check, as JSON if wanted. Fails if a check fails.
pub async fn run(settings: &Settings, json: bool) -> ExitCode {
    let stored = DatabaseState::open(settings).await;
    let findings = [
        ("settings", check_settings(settings)),
        ("data folder", check_folder(settings)),
        ("database", database::check(settings, &stored).await),
        ("storage", check_storage(settings, &stored).await),
        ("media tools", check_media(settings)),
        ("mail", check_mail(settings)),
        ("mail delivery", database::check_mail_delivery(&stored).await),
        ("jobs", database::check_jobs(&stored).await),
        ("backup", backups::check(settings, &stored).await),
        ("clock", check_clock(settings, &stored).await),
        ("metrics", check_metrics(settings)),
    ];
    let providers =
        check_providers(settings).await.into_iter().chain(payment::check(settings, &stored).await);
    let mut bad = false;
    for (what, finding) in findings.into_iter().chain(providers) {
        bad |= matches!(finding, CheckResult::Fail(_));
        println!("{}", if json { finding.json(what) } else { finding.line(what) });
    }
    stored.close().await;
    if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

impl CheckResult {
    fn line(&self, what: &str) -> String {
        let (mark, text) = match self {
            Self::Pass(text) => ("ok  ", text),
            Self::Warning(text) => ("warn", text),
            Self::Fail(text) => ("FAIL", text),
        };
        format!("{mark}  {what}: {text}")
    }

    fn json(&self, what: &str) -> String {
        let (result, text) = match self {
            Self::Pass(text) => ("ok", text),
            Self::Warning(text) => ("warn", text),
            Self::Fail(text) => ("fail", text),
        };
        serde_json::json!({ "check": what, "result": result, "text": text }).to_string()
    }
}

fn check_settings(settings: &Settings) -> CheckResult {
    match (settings.check(), settings.public()) {
        (Ok(()), Ok(public)) if settings.server.sandbox => {
            CheckResult::Pass(format!("sandbox at {}; for development only", public.origin()))
        }
        (Ok(()), Ok(public)) => CheckResult::Pass(public.origin()),
        (Err(error), _) | (_, Err(error)) => CheckResult::Fail(error.to_string()),
    }
}

fn check_folder(settings: &Settings) -> CheckResult {
    let folder = &settings.server.data_dir;
    let probe = folder.join(".doctor");
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&probe, b"x"))
        .and_then(|()| std::fs::remove_file(&probe));
    match written {
        Ok(()) => CheckResult::Pass(folder.display().to_string()),
        Err(error) => CheckResult::Fail(format!(
            "cannot write into {}: {error}. Make it writable for this user or set VITRINE_DATA_DIR.",
            folder.display()
        )),
    }
}

async fn check_storage(settings: &Settings, stored: &DatabaseState) -> CheckResult {
    let storage = match Storage::open(&settings.storage, &settings.server.data_dir, Ambient::system()) {
        Ok(storage) => storage,
        Err(error) => return CheckResult::Fail(error.to_string()),
    };
    let checked = storage_check::run(&storage).await;
    if checked.is_ok()
        && let Some(problem) = database::check_storage_identity(settings, stored, &storage).await
    {
        return CheckResult::Fail(problem);
    }
    match checked {
        Ok(()) if storage.is_short_of(0).unwrap_or(false) => CheckResult::Warning(
            "less than reserve_bytes is free on the disk: new uploads and video processing are refused"
                .to_owned(),
        ),
        Ok(()) => check_open_uploads(settings).await,
        Err(error) => CheckResult::Fail(error.to_string()),
    }
}

/// Checks that the bucket cleans up the incomplete uploads that a crash leaves behind.
async fn check_open_uploads(settings: &Settings) -> CheckResult {
    let url = &settings.storage.storage_url;
    let rule = "a lifecycle rule that aborts incomplete multipart uploads after 7 days";
    match settings.storage.open_uploads().await {
        None => CheckResult::Pass("local disk".to_owned()),
        Some(OpenUploads::Ended) => CheckResult::Pass(url.clone()),
        Some(OpenUploads::Kept) => CheckResult::Warning(format!(
            "{url} keeps incomplete uploads after a crash, and no list of objects shows them: give the \
             bucket {rule}"
        )),
        Some(OpenUploads::Unknown(why)) => {
            CheckResult::Warning(format!("{url}: cannot tell whether it has {rule} ({why})"))
        }
    }
}

fn check_media(settings: &Settings) -> CheckResult {
    let media = match compose::media(settings) {
        Ok(media) => media,
        Err(error) => return CheckResult::Fail(error.to_string()),
    };
    let video_warning = media.missing().or_else(|| media.confinement_warning());
    let document_warning =
        media.missing_for_documents().or_else(|| media.confinement_warning_for_documents());
    if let Some(sentence) = video_warning.or(document_warning) {
        return CheckResult::Warning(sentence);
    }
    let confinement = media.confinement();
    let missing =
        confinement.missing_layers().map(|layers| format!("; without {layers}")).unwrap_or_default();
    let hdr_note =
        if media.tone_maps() { "" } else { "; HDR videos will look dull: ffmpeg lacks zscale or tonemap" };
    let at_once = settings.media.tools_at_once();
    CheckResult::Pass(format!(
        "ffmpeg, ffprobe, pdftoppm and pdfinfo found, {at_once} at a time; confined by {}{missing}{hdr_note}",
        confinement.working_layers()
    ))
}

fn check_mail(settings: &Settings) -> CheckResult {
    match settings.mail.check(settings.server.sandbox) {
        Ok(()) if settings.mail.smtp_url.is_empty() => {
            CheckResult::Pass("the sandbox inbox at /sandbox/mail".to_owned())
        }
        Ok(()) => CheckResult::Pass("mail server configured".to_owned()),
        Err(sentence) => CheckResult::Fail(sentence),
    }
}

/// Checks whether Google and Apple are configured and reachable.
async fn check_providers(settings: &Settings) -> Vec<(&'static str, CheckResult)> {
    let Ok(public) = settings.public() else { return Vec::new() };
    let statuses = settings.sign_in.check_providers(&public).await;
    let finding = |status| match status {
        ProviderStatus::Reachable => CheckResult::Pass("reachable".to_owned()),
        ProviderStatus::NotConfigured if settings.server.sandbox => {
            CheckResult::Pass("built into the sandbox".to_owned())
        }
        ProviderStatus::NotConfigured => {
            CheckResult::Pass("not set up; its sign-in button shows an error".to_owned())
        }
        ProviderStatus::Unusable(sentence) => CheckResult::Fail(sentence),
    };
    statuses.into_iter().map(|(what, status)| (what, finding(status))).collect()
}

fn check_metrics(settings: &Settings) -> CheckResult {
    match settings.server.metrics_exposure() {
        Some(sentence) => CheckResult::Warning(sentence),
        None if settings.server.metrics_listen.is_empty() => CheckResult::Pass("disabled".to_owned()),
        None => CheckResult::Pass(format!("at {}", settings.server.metrics_listen)),
    }
}

/// Checks that the clock is not earlier than the build, which would break tokens and links, and that processes start with it.
async fn check_clock(settings: &Settings, stored: &DatabaseState) -> CheckResult {
    let built = std::env::current_exe()
        .and_then(|path| path.metadata())
        .and_then(|meta| meta.modified())
        .map_or(Timestamp::EPOCH, Timestamp::from);
    if SystemClock.now() + DAY < built {
        return CheckResult::Fail(
            "the clock is earlier than the date of this program: set it, or sign-in links will not work"
                .to_owned(),
        );
    }
    let now = kernel::iso(SystemClock.now());
    match database::clock_problem(settings, stored).await {
        Ok(None) => CheckResult::Pass(now),
        Ok(Some(sentence)) => CheckResult::Fail(sentence),
        Err(error) => CheckResult::Warning(format!("{now}, not compared with the database's: {error}")),
    }
}
