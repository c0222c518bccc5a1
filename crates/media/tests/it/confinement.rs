//! How the media tools are confined: limits and a timeout for every job, and no tool without sufficient
//! confinement.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use media::{Media, MediaError, MediaSettings, Probe};
use nix::libc;

use crate::test_job::{MEDIA_CONFINE, TestJob, UNCONFINED, sufficient_layers};
use crate::{H264, TestApp, settings, test_app, test_app_with};

/// Opens media tools that are one script, next to the file `input`.
fn scripted_app(script: &str, change: impl FnOnce(&mut MediaSettings)) -> TestApp {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let tool = program(&dir, "tool", &format!("[ \"$1\" = -version ] && exit 0\n{script}"));
    std::fs::write(dir.path().join("input"), b"bytes").unwrap();
    let mut settings =
        MediaSettings { ffprobe: tool.clone(), ffmpeg: tool, without_confinement: false, ..settings() };
    change(&mut settings);
    let media = Media::open(settings, &dir.path().join("work")).unwrap();
    TestApp { media, dir }
}

fn program(dir: &tempfile::TempDir, name: &str, script: &str) -> PathBuf {
    let path = dir.path().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// A program that claims that these layers hold, and otherwise runs the real `media-confine`.
fn media_confine_reporting(dir: &tempfile::TempDir, layers: [bool; 3]) -> PathBuf {
    let [landlock, namespaces, seccomp] =
        layers.map(|holds| format!("{{\"holds\":{holds},\"note\":\"as the test has it\"}}"));
    let output = format!(
        "{{\"landlock\":{landlock},\"namespaces\":{namespaces},\"seccomp\":{seccomp},\"unusable\":[]}}"
    );
    program(
        dir,
        "media-confine",
        &format!("[ \"$2\" = --check ] && echo '{output}' && exit 0\nexec {MEDIA_CONFINE} \"$@\""),
    )
}

impl TestApp {
    fn input(&self) -> PathBuf {
        self.path("input")
    }

    async fn run(&self) -> Result<Probe, MediaError> {
        self.media.probe(&self.input(), "mov").await
    }

    /// Returns the error message of the script.
    async fn error_message(&self) -> String {
        match self.run().await.err().unwrap() {
            MediaError::Refused(output) => output,
            error => panic!("{error:?}"),
        }
    }

    fn jobs(&self) -> usize {
        std::fs::read_dir(self.dir.path().join("work")).unwrap().count()
    }

    /// Returns the number of folders that have a lock file.
    fn locked_jobs(&self) -> usize {
        let folders = std::fs::read_dir(self.dir.path().join("work")).unwrap();
        folders
            .filter(|folder| folder.as_ref().is_ok_and(|folder| folder.path().join("lock").exists()))
            .count()
    }
}

/// Returns true if every process with this argument ends soon.
pub async fn ends(word: &str) -> bool {
    let gone = async {
        while is_alive(word) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), gone).await.is_ok()
}

pub fn is_alive(word: &str) -> bool {
    !alive(word).is_empty()
}

/// Returns the processes with this argument.
fn alive(word: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter(|process| {
        let output = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        output.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())
    });
    processes.map(|process| process.file_name().into_string().unwrap()).collect()
}

/// Returns a field of `/proc/{process}/stat`, counted from 1.
fn stat(process: &str, field: usize) -> i32 {
    let output = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field, the name, may contain spaces.
    let rest = output.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().nth(field - 3).and_then(|text| text.parse().ok()).unwrap_or(-1)
}

/// Returns an argument that no other process has.
pub fn word(name: &str) -> String {
    format!("vitrine-{name}-{}", std::process::id())
}

#[tokio::test]
async fn with_sufficient_confinement_posters_are_made_without_a_setting() {
    sufficient_layers();
    let app = test_app_with(MediaSettings { without_confinement: false, ..settings() });
    assert!(app.media.confinement().is_sufficient() && app.media.confinement_warning().is_none());
    assert_eq!(app.media.missing(), None);
    let video = app.video("a.mp4", H264);
    let probe = app.media.probe(&video, "mov").await.unwrap();
    assert!(app.media.poster(&video, "mov", &probe).await.unwrap().len() > 1000);
}

#[tokio::test]
async fn the_real_tools_work_under_each_sufficient_set_of_layers() {
    let source = test_app();
    let video = source.video("a.mp4", H264);
    for layers in sufficient_layers() {
        let dir = tempfile::tempdir().unwrap();
        let sets = ["landlock", "namespaces", "seccomp"].map(|layer| layers.contains(layer));
        let confine_path = media_confine_reporting(&dir, sets);
        let app = test_app_with(MediaSettings { without_confinement: false, confine_path, ..settings() });
        let probe = app.media.probe(&video, "mov").await.unwrap();
        assert_eq!(probe.width, Some(1280), "{layers}");
        assert!(app.media.poster(&video, "mov", &probe).await.is_ok(), "{layers}");
        assert!(app.media.confinement().working_layers().contains("seccomp (as the test has it)"));
    }
}

#[tokio::test]
async fn with_insufficient_confinement_nothing_runs_unless_the_operator_allows_it() {
    for (layers, named) in [
        ([false, false, true], "Landlock (as the test has it), namespaces (as the test has it)"),
        ([true, true, false], "seccomp (as the test has it)"),
        ([false, false, false], "Landlock (as the test has it)"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let confine_path = media_confine_reporting(&dir, layers);
        let denied =
            scripted_app("echo ran >&2; exit 1", |settings| settings.confine_path.clone_from(&confine_path));
        let sentence = denied.media.missing().unwrap();
        assert!(
            sentence.contains("VITRINE_MEDIA_WITHOUT_CONFINEMENT=true") && sentence.contains(named),
            "{sentence}"
        );
        assert!(matches!(denied.run().await, Err(MediaError::Unavailable(_))));
        let allowed = scripted_app("echo ran >&2; exit 1", |settings| {
            settings.confine_path = confine_path;
            settings.without_confinement = true;
        });
        assert!(allowed.media.available());
        // Reported nevertheless, for the log and `doctor`.
        assert!(allowed.media.confinement_warning().is_some());
        assert_eq!(allowed.error_message().await, "ran");
    }
}

#[tokio::test]
async fn a_tool_that_does_not_start_when_confined_is_reported_and_not_run_on_uploaded_files() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let script = "[ -r /etc/passwd ] || { echo 'no /etc/passwd' >&2; exit 1; }
                 [ \"$1\" = -version ] || { echo ran >&2; exit 1; }";
    let tool = program(&dir, "tool", script);
    let denied = scripted_app("", |settings| settings.ffprobe.clone_from(&tool));
    let sentence = denied.media.missing().unwrap();
    assert!(sentence.contains("no /etc/passwd") && sentence.contains("below /usr"), "{sentence}");
    let allowed = scripted_app("", |settings| {
        settings.ffprobe = tool;
        settings.without_confinement = true;
    });
    assert_eq!(allowed.error_message().await, "ran");
}

#[tokio::test]
async fn a_document_tool_that_does_not_start_when_confined_does_not_affect_videos() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    // Its version is requested with another argument than ffmpeg's.
    let script = "[ \"$1\" = -v ] || { echo ran >&2; exit 1; }
                 [ -r /etc/passwd ] || { echo 'no /etc/passwd' >&2; exit 1; }";
    let tool = program(&dir, "tool", script);
    let denied = scripted_app("echo a video >&2; exit 1", |settings| settings.pdftoppm.clone_from(&tool));
    assert_eq!((denied.media.missing(), denied.media.confinement_warning()), (None, None));
    assert_eq!(denied.error_message().await, "a video");
    let sentence = denied.media.missing_for_documents().unwrap();
    assert!(sentence.contains("no poster") && sentence.contains("no /etc/passwd"), "{sentence}");
    let error = denied.media.first_page(&denied.input()).await.err().unwrap();
    assert!(matches!(error, MediaError::Unavailable(_)), "{error}");
    let allowed = scripted_app("", |settings| {
        settings.pdftoppm = tool;
        settings.without_confinement = true;
    });
    assert_eq!(allowed.media.missing_for_documents(), None);
    assert!(allowed.media.confinement_warning_for_documents().is_some(), "reported nevertheless");
    let error = allowed.media.first_page(&allowed.input()).await.err().unwrap();
    assert!(matches!(&error, MediaError::Refused(output) if output == "ran"), "{error}");
}

#[tokio::test]
async fn a_tool_has_lower_priority_than_the_server_under_all_layers() {
    let nice = |process: &str| stat(process, 19);
    let expected = (nice("self") + 10).min(19);
    for layers in sufficient_layers().into_iter().chain([UNCONFINED]) {
        let output = String::from_utf8(TestJob::new().run(layers, "/usr/bin/nice", &[]).stdout).unwrap();
        assert_eq!(output.trim(), expected.to_string(), "{layers}");
    }
    let word = word("polite");
    let app = scripted_app(&format!("perl -e 'sleep 1000' {word}"), |settings| settings.wall_seconds = 60);
    let observed = async {
        loop {
            if let Some(process) = alive(&word).first() {
                break nice(process);
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = app.run() => panic!("the tool has ended"),
        observed = observed => assert_eq!(observed, expected),
    }
    assert!(ends(&word).await);
}

#[tokio::test]
async fn no_more_tools_than_set_run_at_the_same_time() {
    // Each of them works until its input allows it to end.
    let wait =
        "while (1) { open my $i, q(<), q(../in); last if <$i> eq q(go); select undef, undef, undef, .01 }";
    for at_once in [1, 2] {
        let app =
            scripted_app(&format!("exec perl -e '{wait}' \"$0\""), |settings| settings.at_once = at_once);
        assert!(app.media.available());
        let tool = app.dir.path().join("tool");
        let working = || -> usize {
            let mut groups: Vec<_> = alive(tool.to_str().unwrap()).iter().map(|it| stat(it, 5)).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.len()
        };
        let watch = async {
            // A job has its folder before it gets its permit, and its process right after.
            while app.jobs() < 3 || working() < at_once {
                tokio::task::yield_now().await;
            }
            for _ in 0..20 {
                tokio::task::yield_now().await;
                assert_eq!(working(), at_once);
            }
            std::fs::write(app.input(), "go").unwrap();
        };
        let (first, second, third, ()) = tokio::join!(app.run(), app.run(), app.run(), watch);
        assert!([first, second, third].iter().all(|run| matches!(run, Err(MediaError::Refused(_)))));
    }
}

#[tokio::test]
async fn the_tool_sees_no_environment_and_only_its_own_folder() {
    let names = "env | cut -d= -f1 | sort | tr '\\n' ' ' >&2; exit 1";
    let output = scripted_app(names, |_| {}).error_message().await;
    for name in output.split_whitespace() {
        // The shell itself sets PWD, SHLVL, _ and OLDPWD.
        assert!(["LC_ALL", "PWD", "SHLVL", "_", "OLDPWD"].contains(&name), "{output}");
    }
    assert!(output.contains("LC_ALL"));
    let output =
        scripted_app("echo \"$(ls -A) $(cat ../in) $(id -u)\" >&2; exit 1", |_| {}).error_message().await;
    let user = nix::unistd::geteuid();
    let user = if user.is_root() { 65_534 } else { user.as_raw() };
    assert_eq!(output, format!("bytes {user}"));
}

#[tokio::test]
async fn the_tool_reads_private_input_and_public_files_keep_their_mode() {
    for (mode, after) in [(0o600, 0o640), (0o644, 0o644), (0o604, 0o604)] {
        let app = scripted_app("cat ../in >&2; exit 1", |_| {});
        std::fs::set_permissions(app.input(), PermissionsExt::from_mode(mode)).unwrap();
        assert_eq!(app.error_message().await, "bytes", "{mode:o}");
        let now = std::fs::metadata(app.input()).unwrap().permissions().mode() & 0o777;
        assert_eq!(now, if nix::unistd::geteuid().is_root() { after } else { mode }, "{mode:o}");
    }
}

#[test]
fn the_limits_apply_under_confinement() {
    for layers in sufficient_layers().into_iter().chain([UNCONFINED]) {
        let job = TestJob::new().limit("--cpu", 7).limit("--fsize", 3 << 20);
        let output = job.run(layers, "/bin/sh", &["-c", "for l in t f c v n; do ulimit -H$l; done"]).stdout;
        // CPU seconds, file size in blocks of 512 bytes, core dumps, KiB of address space, open files.
        assert_eq!(String::from_utf8_lossy(&output), "7\n6144\n0\n4194304\n128\n", "{layers}");
        let script = format!(
            "my ($h, $d) = (pack('LL', 0x20080522, 0), chr(0) x 24); syscall({}, $h, $d) == 0 or die $!;
             print join(' ', syscall({}, 39, 0, 0, 0, 0), unpack('L6', $d))",
            libc::SYS_capget,
            libc::SYS_prctl,
        );
        // no_new_privs is set, and there are no capabilities.
        assert_eq!(job.perl(layers, &script), "1 0 0 0 0 0 0", "{layers}");
    }
}

#[tokio::test]
async fn a_tool_that_never_ends_is_killed_with_everything_it_started() {
    let word = word("endless");
    let script = format!("sh -c 'sleep 1000; :' {word} & perl -e 'sleep 1000' {word}");
    let app = scripted_app(&script, |settings| settings.wall_seconds = 5);
    let alive = async {
        while !is_alive(&word) {
            tokio::task::yield_now().await;
        }
    };
    // A tool that could not be started is never alive.
    let (outcome, started) = tokio::join!(app.run(), tokio::time::timeout(Duration::from_secs(30), alive));
    assert!(started.is_ok() && matches!(outcome, Err(MediaError::OverLimit("time"))));
    assert!(ends(&word).await);
    assert_eq!(app.jobs(), 0);
}

#[tokio::test]
async fn a_tool_that_leaves_its_process_group_is_killed() {
    let word = word("runaway");
    let away = "use POSIX; fork and exit 0; POSIX::setsid(); close STDOUT; close STDERR; sleep 1000";
    let app = scripted_app(&format!("perl -e '{away}' {word}; exit 1"), |_| {});
    assert!(app.run().await.is_err());
    assert!(ends(&word).await);
}

#[tokio::test]
async fn a_tool_that_leaves_a_process_behind_or_prints_endlessly_is_stopped() {
    let talker = scripted_app("yes 2>/dev/null", |settings| settings.wall_seconds = 2);
    assert!(matches!(talker.run().await.err().unwrap(), MediaError::OverLimit(_)));
    let word = word("left");
    let leaver = scripted_app(&format!("perl -e 'sleep 1000' {word} > /dev/null 2>&1 & exit 1"), |_| {});
    assert!(leaver.run().await.is_err());
    assert!(ends(&word).await);
}

#[tokio::test]
async fn a_tool_that_writes_too_much_in_many_files_is_stopped() {
    let many = "for i in 1 2 3 4 5 6; do dd if=/dev/zero of=$i bs=1M count=1 2>/dev/null; done; sleep 1000";
    let app = scripted_app(many, |settings| settings.file_mib = 2);
    let poster = app.media.poster(&app.input(), "mov", &Probe::default()).await;
    assert!(matches!(poster.err().unwrap(), MediaError::OverLimit("disk")));
    assert_eq!(app.jobs(), 0);
}

#[tokio::test]
async fn a_media_confine_that_cannot_be_started_is_an_error_of_the_machine_and_not_of_the_file() {
    let app = scripted_app("exit 0", |settings| {
        settings.confine_path = "/nowhere/vitrine".into();
        settings.without_confinement = true;
    });
    assert!(matches!(app.run().await.err().unwrap(), MediaError::Machine(_)));
    let sentence = app.media.confinement_warning().unwrap();
    assert!(sentence.contains("/nowhere/vitrine"), "{sentence}");
}

#[tokio::test]
async fn without_the_tools_the_messages_say_what_to_do() {
    let app = scripted_app("exit 0", |settings| {
        settings.ffprobe = "no-such-ffprobe".into();
        settings.ffmpeg = "no-such-ffmpeg".into();
    });
    assert!(!app.media.available());
    let sentence = app.media.missing().unwrap();
    assert!(sentence.contains("ffprobe and ffmpeg not found") && sentence.contains("package"), "{sentence}");
    assert!(matches!(app.run().await.err().unwrap(), MediaError::Unavailable(_)));
}

#[tokio::test]
async fn folders_of_dead_jobs_are_swept_and_those_of_running_ones_are_not() {
    let app = scripted_app("sleep 3", |settings| settings.wall_seconds = 1);
    assert!(app.media.available());
    let dead = app.dir.path().join("work/job-dead");
    std::fs::create_dir_all(dead.join("output")).unwrap();
    std::fs::write(dead.join("lock"), b"").unwrap();
    let (swept, outcome) = tokio::join!(
        async {
            // Before it has its lock, a new folder may be swept and is created again.
            while app.locked_jobs() < 2 {
                tokio::task::yield_now().await;
            }
            app.media.sweep().unwrap()
        },
        app.run(),
    );
    assert_eq!(swept, 1);
    assert!(!dead.exists());
    assert!(matches!(outcome, Err(MediaError::OverLimit("time"))), "{outcome:?}");
}

#[tokio::test]
async fn a_folder_for_work_is_swept_when_its_process_died_and_not_before() {
    let app = scripted_app("true", |_| {});
    let folder = app.media.folder().await.unwrap();
    assert!(folder.path().starts_with(app.dir.path().canonicalize().unwrap().join("work")));
    std::fs::write(folder.path().join("in"), b"fetched").unwrap();
    assert_eq!(app.media.sweep().unwrap(), 0);
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}
