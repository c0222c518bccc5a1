//! How the media tools are confined: limits and a timeout for every job, and no tool without sufficient
//! confinement.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use media::{Media, MediaError, MediaSettings, Probe};
use nix::libc;

use crate::cell::{BARE, BOX, Cell, behind};
use crate::{H264, bench, bench_with, settings};

/// A script that replaces both tools, and the media handle that calls it.
struct Stage {
    dir: tempfile::TempDir,
    media: Media,
    input: PathBuf,
}

fn stage(script: &str, change: impl FnOnce(&mut MediaSettings)) -> Stage {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let tool = program(&dir, "tool", &format!("[ \"$1\" = -version ] && exit 0\n{script}"));
    let input = dir.path().join("input");
    std::fs::write(&input, b"bytes").unwrap();
    let mut settings =
        MediaSettings { ffprobe: tool.clone(), ffmpeg: tool, without_walls: false, ..settings() };
    change(&mut settings);
    let media = Media::open(settings, &dir.path().join("work")).unwrap();
    Stage { dir, media, input }
}

fn program(dir: &tempfile::TempDir, name: &str, script: &str) -> PathBuf {
    let path = dir.path().join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// A program that claims that these layers hold, and otherwise runs the real `media-box`.
fn box_with(dir: &tempfile::TempDir, walls: [bool; 3]) -> PathBuf {
    let [landlock, namespaces, seccomp] =
        walls.map(|holds| format!("{{\"holds\":{holds},\"note\":\"as the test has it\"}}"));
    let said =
        format!("{{\"landlock\":{landlock},\"namespaces\":{namespaces},\"seccomp\":{seccomp},\"stuck\":[]}}");
    program(dir, "box", &format!("[ \"$2\" = --check ] && echo '{said}' && exit 0\nexec {BOX} \"$@\""))
}

impl Stage {
    async fn run(&self) -> Result<Probe, MediaError> {
        self.media.probe(&self.input, "mov").await
    }

    /// Returns the error message of the script.
    async fn complaint(&self) -> String {
        match self.run().await.err().unwrap() {
            MediaError::Refused(said) => said,
            error => panic!("{error:?}"),
        }
    }

    fn jobs(&self) -> usize {
        std::fs::read_dir(self.dir.path().join("work")).unwrap().count()
    }
}

/// Returns true if every process with this argument ends soon.
pub async fn ends(word: &str) -> bool {
    let gone = async {
        while is_alive(word) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), gone).await.is_ok()
}

pub fn is_alive(word: &str) -> bool {
    !alive(word).is_empty()
}

/// Returns the processes with this argument.
fn alive(word: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter(|process| {
        let said = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        said.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())
    });
    processes.map(|process| process.file_name().into_string().unwrap()).collect()
}

/// Returns a field of `/proc/{process}/stat`, counted from 1.
fn stat(process: &str, field: usize) -> i32 {
    let said = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field, the name, may contain spaces.
    let behind = said.rsplit_once(')').map_or("", |(_, behind)| behind);
    behind.split_whitespace().nth(field - 3).and_then(|text| text.parse().ok()).unwrap_or(-1)
}

/// Returns an argument that no other process has.
pub fn word(stage_name: &str) -> String {
    format!("vitrine-{stage_name}-{}", std::process::id())
}

#[tokio::test]
async fn behind_enough_walls_posters_are_made_without_anybodys_leave() {
    behind();
    let bench = bench_with(MediaSettings { without_walls: false, ..settings() });
    assert!(bench.media.walls().enough() && bench.media.open_walls().is_none());
    assert_eq!(bench.media.missing(), None);
    let film = bench.film("a.mp4", H264);
    let probe = bench.media.probe(&film, "mov").await.unwrap();
    assert!(bench.media.poster(&film, "mov", &probe).await.unwrap().len() > 1000);
}

#[tokio::test]
async fn each_set_of_walls_that_is_enough_lets_the_real_tools_work() {
    let maker = bench();
    let film = maker.film("a.mp4", H264);
    for walls in behind() {
        let dir = tempfile::tempdir().unwrap();
        let sets = ["landlock", "namespaces", "seccomp"].map(|wall| walls.contains(wall));
        let box_path = box_with(&dir, sets);
        let bench = bench_with(MediaSettings { without_walls: false, box_path, ..settings() });
        let probe = bench.media.probe(&film, "mov").await.unwrap();
        assert_eq!(probe.width, Some(1280), "{walls}");
        assert!(bench.media.poster(&film, "mov", &probe).await.is_ok(), "{walls}");
        assert!(bench.media.walls().standing().contains("seccomp (as the test has it)"));
    }
}

#[tokio::test]
async fn with_too_few_walls_nothing_is_run_unless_the_operator_said_so() {
    for (walls, named) in [
        ([false, false, true], "Landlock (as the test has it), namespaces (as the test has it)"),
        ([true, true, false], "seccomp (as the test has it)"),
        ([false, false, false], "Landlock (as the test has it)"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let box_path = box_with(&dir, walls);
        let shut = stage("echo ran >&2; exit 1", |settings| settings.box_path.clone_from(&box_path));
        let sentence = shut.media.missing().unwrap();
        assert!(
            sentence.contains("VITRINE_MEDIA_WITHOUT_WALLS=true") && sentence.contains(named),
            "{sentence}"
        );
        assert!(matches!(shut.run().await, Err(MediaError::Unavailable(_))));
        let open = stage("echo ran >&2; exit 1", |settings| {
            settings.box_path = box_path;
            settings.without_walls = true;
        });
        assert!(open.media.available());
        // Reported nevertheless, for the log and `doctor`.
        assert!(open.media.open_walls().is_some());
        assert_eq!(open.complaint().await, "ran");
    }
}

#[tokio::test]
async fn a_tool_that_does_not_start_behind_the_walls_is_told_of_and_not_tried_on_peoples_files() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let needy = "[ -r /etc/passwd ] || { echo 'no /etc/passwd' >&2; exit 1; }
                 [ \"$1\" = -version ] || { echo ran >&2; exit 1; }";
    let tool = program(&dir, "needy", needy);
    let shut = stage("", |settings| settings.ffprobe.clone_from(&tool));
    let sentence = shut.media.missing().unwrap();
    assert!(sentence.contains("no /etc/passwd") && sentence.contains("below /usr"), "{sentence}");
    let open = stage("", |settings| {
        settings.ffprobe = tool;
        settings.without_walls = true;
    });
    assert_eq!(open.complaint().await, "ran");
}

#[tokio::test]
async fn a_document_tool_that_does_not_start_behind_the_walls_leaves_films_alone() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    // Its version is requested with another argument than ffmpeg's.
    let needy = "[ \"$1\" = -v ] || { echo ran >&2; exit 1; }
                 [ -r /etc/passwd ] || { echo 'no /etc/passwd' >&2; exit 1; }";
    let tool = program(&dir, "needy", needy);
    let shut = stage("echo a film >&2; exit 1", |settings| settings.pdftoppm.clone_from(&tool));
    assert_eq!((shut.media.missing(), shut.media.open_walls()), (None, None));
    assert_eq!(shut.complaint().await, "a film");
    let sentence = shut.media.missing_for_documents().unwrap();
    assert!(sentence.contains("no poster") && sentence.contains("no /etc/passwd"), "{sentence}");
    let error = shut.media.first_page(&shut.input).await.err().unwrap();
    assert!(matches!(error, MediaError::Unavailable(_)), "{error}");
    let open = stage("", |settings| {
        settings.pdftoppm = tool;
        settings.without_walls = true;
    });
    assert_eq!(open.media.missing_for_documents(), None);
    assert!(open.media.open_walls_for_documents().is_some(), "reported nevertheless");
    let error = open.media.first_page(&open.input).await.err().unwrap();
    assert!(matches!(&error, MediaError::Refused(said) if said == "ran"), "{error}");
}

#[tokio::test]
async fn a_tool_gives_way_to_the_server_whatever_the_walls() {
    let nice = |process: &str| stat(process, 19);
    let expected = (nice("self") + 10).min(19);
    for walls in behind().into_iter().chain([BARE]) {
        let own = String::from_utf8(Cell::new().run(walls, "/usr/bin/nice", &[]).stdout).unwrap();
        assert_eq!(own.trim(), expected.to_string(), "{walls}");
    }
    let word = word("polite");
    let stage = stage(&format!("perl -e 'sleep 1000' {word}"), |settings| settings.wall_seconds = 2);
    let (_, seen) = tokio::join!(stage.run(), async {
        loop {
            if let Some(process) = alive(&word).first() {
                break nice(process);
            }
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn so_many_tools_run_at_the_same_time_and_no_more() {
    // Each of them works until its input allows it to end.
    let wait =
        "while (1) { open my $i, q(<), q(../in); last if <$i> eq q(go); select undef, undef, undef, .01 }";
    for at_once in [1, 2] {
        let stage = stage(&format!("exec perl -e '{wait}' \"$0\""), |settings| settings.at_once = at_once);
        assert!(stage.media.available());
        let tool = stage.dir.path().join("tool");
        let working = || -> usize {
            let mut groups: Vec<_> = alive(tool.to_str().unwrap()).iter().map(|it| stat(it, 5)).collect();
            groups.sort_unstable();
            groups.dedup();
            groups.len()
        };
        let watch = async {
            // A job has its folder before it gets its permit, and its process right after.
            while stage.jobs() < 3 || working() < at_once {
                tokio::task::yield_now().await;
            }
            for _ in 0..20 {
                tokio::task::yield_now().await;
                assert_eq!(working(), at_once);
            }
            std::fs::write(&stage.input, "go").unwrap();
        };
        let (first, second, third, ()) = tokio::join!(stage.run(), stage.run(), stage.run(), watch);
        assert!([first, second, third].iter().all(|run| matches!(run, Err(MediaError::Refused(_)))));
    }
}

#[tokio::test]
async fn the_tool_sees_no_environment_and_only_its_own_folder() {
    let names = "env | cut -d= -f1 | sort | tr '\\n' ' ' >&2; exit 1";
    let said = stage(names, |_| {}).complaint().await;
    for name in said.split_whitespace() {
        // The shell itself sets PWD, SHLVL, _ and OLDPWD.
        assert!(["LC_ALL", "PWD", "SHLVL", "_", "OLDPWD"].contains(&name), "{said}");
    }
    assert!(said.contains("LC_ALL"));
    let said = stage("echo \"$(ls -A) $(cat ../in) $(id -u)\" >&2; exit 1", |_| {}).complaint().await;
    let user = nix::unistd::geteuid();
    let user = if user.is_root() { 65_534 } else { user.as_raw() };
    assert_eq!(said, format!("bytes {user}"));
}

#[tokio::test]
async fn the_tool_reads_what_only_the_server_may_and_others_files_keep_their_rights() {
    for (mode, after) in [(0o600, 0o640), (0o644, 0o644), (0o604, 0o604)] {
        let stage = stage("cat ../in >&2; exit 1", |_| {});
        std::fs::set_permissions(&stage.input, PermissionsExt::from_mode(mode)).unwrap();
        assert_eq!(stage.complaint().await, "bytes", "{mode:o}");
        let now = std::fs::metadata(&stage.input).unwrap().permissions().mode() & 0o777;
        assert_eq!(now, if nix::unistd::geteuid().is_root() { after } else { mode }, "{mode:o}");
    }
}

#[test]
fn the_limits_hold_inside() {
    for walls in behind().into_iter().chain([BARE]) {
        let cell = Cell::new().limit("--cpu", 7).limit("--fsize", 3 << 20);
        let said = cell.run(walls, "/bin/sh", &["-c", "for l in t f c v n; do ulimit -H$l; done"]).stdout;
        // CPU seconds, file size in blocks of 512 bytes, core dumps, KiB of address space, open files.
        assert_eq!(String::from_utf8_lossy(&said), "7\n6144\n0\n4194304\n128\n", "{walls}");
        let script = format!(
            "my ($h, $d) = (pack('LL', 0x20080522, 0), chr(0) x 24); syscall({}, $h, $d) == 0 or die $!;
             print join(' ', syscall({}, 39, 0, 0, 0, 0), unpack('L6', $d))",
            libc::SYS_capget,
            libc::SYS_prctl,
        );
        // no_new_privs is set, and there are no capabilities.
        assert_eq!(cell.perl(walls, &script), "1 0 0 0 0 0 0", "{walls}");
    }
}

#[tokio::test]
async fn a_tool_that_never_ends_is_killed_with_everything_it_started() {
    let word = word("endless");
    let script = format!("sh -c 'sleep 1000; :' {word} & perl -e 'sleep 1000' {word}");
    let stage = stage(&script, |settings| settings.wall_seconds = 1);
    let (outcome, seen) = tokio::join!(stage.run(), async {
        while !is_alive(&word) {
            tokio::task::yield_now().await;
        }
        true
    });
    assert!(seen && matches!(outcome, Err(MediaError::OverLimit("time"))));
    assert!(ends(&word).await);
    assert_eq!(stage.jobs(), 0);
}

#[tokio::test]
async fn a_tool_that_runs_away_from_its_group_does_not_get_away() {
    let word = word("runaway");
    let away = "use POSIX; fork and exit 0; POSIX::setsid(); close STDOUT; close STDERR; sleep 1000";
    let stage = stage(&format!("perl -e '{away}' {word}; exit 1"), |_| {});
    assert!(stage.run().await.is_err());
    assert!(ends(&word).await);
}

#[tokio::test]
async fn a_tool_that_leaves_a_process_behind_or_talks_without_end_is_cut_short() {
    let talker = stage("yes 2>/dev/null", |settings| settings.wall_seconds = 2);
    assert!(matches!(talker.run().await.err().unwrap(), MediaError::OverLimit(_)));
    let word = word("left");
    let leaver = stage(&format!("perl -e 'sleep 1000' {word} > /dev/null 2>&1 & exit 1"), |_| {});
    assert!(leaver.run().await.is_err());
    assert!(ends(&word).await);
}

#[tokio::test]
async fn a_tool_that_writes_more_than_one_file_may_hold_in_many_is_stopped() {
    let many = "for i in 1 2 3 4 5 6; do dd if=/dev/zero of=$i bs=1M count=1 2>/dev/null; done; sleep 1000";
    let stage = stage(many, |settings| settings.file_mib = 2);
    let poster = stage.media.poster(&stage.input, "mov", &Probe::default()).await;
    assert!(matches!(poster.err().unwrap(), MediaError::OverLimit("disk")));
    assert_eq!(stage.jobs(), 0);
}

#[tokio::test]
async fn a_box_that_cannot_be_started_is_the_machines_fault_and_not_the_files() {
    let stage = stage("exit 0", |settings| {
        settings.box_path = "/nowhere/vitrine".into();
        settings.without_walls = true;
    });
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::Machine(_)));
    let sentence = stage.media.open_walls().unwrap();
    assert!(sentence.contains("/nowhere/vitrine"), "{sentence}");
}

#[tokio::test]
async fn without_the_tools_everything_says_what_to_do() {
    let stage = stage("exit 0", |settings| {
        settings.ffprobe = "no-such-ffprobe".into();
        settings.ffmpeg = "no-such-ffmpeg".into();
    });
    assert!(!stage.media.available());
    let sentence = stage.media.missing().unwrap();
    assert!(sentence.contains("ffprobe and ffmpeg not found") && sentence.contains("package"), "{sentence}");
    assert!(matches!(stage.run().await.err().unwrap(), MediaError::Unavailable(_)));
}

#[tokio::test]
async fn folders_of_dead_jobs_are_swept_and_those_of_living_ones_are_not() {
    let stage = stage("sleep 3", |settings| settings.wall_seconds = 1);
    assert!(stage.media.available());
    let dead = stage.dir.path().join("work/job-dead");
    std::fs::create_dir_all(dead.join("room")).unwrap();
    std::fs::write(dead.join("lock"), b"").unwrap();
    let (swept, outcome) = tokio::join!(
        async {
            while stage.jobs() < 2 {
                tokio::task::yield_now().await;
            }
            stage.media.sweep().unwrap()
        },
        stage.run(),
    );
    assert_eq!(swept, 1);
    assert!(!dead.exists());
    assert!(matches!(outcome, Err(MediaError::OverLimit("time"))), "{outcome:?}");
}

#[tokio::test]
async fn a_folder_for_work_is_swept_when_its_process_died_and_not_before() {
    let stage = stage("true", |_| {});
    let folder = stage.media.folder().await.unwrap();
    assert!(folder.path().starts_with(stage.dir.path().canonicalize().unwrap().join("work")));
    std::fs::write(folder.path().join("in"), b"fetched").unwrap();
    assert_eq!(stage.media.sweep().unwrap(), 0);
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}
