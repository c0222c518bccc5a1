//! The server's side of the confinement: a fresh folder, a tool in its own process group, a timeout, bounded
//! output.
//!
//! A [`Job`] has one input and one output folder (`output`). [`Job::new`] takes the input, which the tool sees
//! as [`input_name`] and can only read. The output folder is the tool's working folder and the only place it
//! can write to, under flat names (`./name`). Several tools can be run in one job, one after the other:
//! [`Job::run`] with the limits of the settings, [`Job::run_with`] with specific [`RunLimits`] (processor time,
//! wall-clock time, bytes of a file, bytes of all files, and a callback for each line of standard output
//! while the tool runs, as for ffmpeg's `-progress pipe:1`). The results are read by name with
//! [`Job::result`], or listed with [`Job::results`], which rejects any unexpected file.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, geteuid};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::task::spawn_blocking;
use tracing::Instrument as _;

use crate::confinement::{
    ARENA_RESERVE, CONFINEMENT_FAILED, ConfinementSpec, INPUT, NICE_INCREMENT, OUTPUT_DIR,
};
use crate::folder::WorkFolder;
use crate::{CONFINEMENT_COMMAND, Inner, MediaError, MediaSettings};

/// Files a tool may leave in its folder.
const FILES_MAX: usize = 50_000;
/// Bytes of a line that are passed on; the rest of a longer one is dropped.
const LINE_MAX: usize = 4096;
/// How often the size of a running tool's folder is checked.
const SIZE_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Bytes of standard output that are kept; a tool that writes more is stopped.
const STDOUT_MAX: usize = 4 * 1024 * 1024;
/// Bytes of standard error that are kept; the rest is dropped.
const STDERR_MAX: usize = 64 * 1024;
/// Decoders that may be used, by ffmpeg's names; all others are blocked.
const CODECS: &str = "h264,hevc,av1,libdav1d,vp8,libvpx,vp9,libvpx-vp9,mpeg4,prores,mjpeg,png,\
                      aac,mp3,mp3float,opus,libopus,vorbis,flac,pcm_s16le,pcm_s24le";

/// A fresh folder that contains the input.
pub(crate) struct Job(WorkFolder);

/// What a tool printed and whether it succeeded.
#[derive(Debug)]
pub(crate) struct ToolOutput {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) success: bool,
}

/// Receives each line of a tool's standard output, without its line end, while the tool runs.
pub(crate) type OnLine<'a> = &'a mut (dyn FnMut(&str) + Send);

/// Limits of one run of a tool.
pub(crate) struct RunLimits<'a> {
    /// Bytes of address space.
    pub(crate) memory_bytes: u64,
    /// Seconds of processor time.
    pub(crate) cpu_seconds: u64,
    /// How much higher its nice value is than that of the server.
    pub(crate) nice: i32,
    /// Time after which the tool and everything it started is killed.
    pub(crate) wall_time: Duration,
    /// Size of one written file in bytes.
    pub(crate) file_bytes: u64,
    /// Bytes of all files in the output folder. Checked periodically, so a little more may be written.
    pub(crate) output_bytes: u64,
    /// Receives its standard output, which is then not kept in [`ToolOutput::stdout`].
    pub(crate) on_line: Option<OnLine<'a>>,
}

impl RunLimits<'_> {
    /// Returns the limits of the settings, for one small output.
    pub(crate) fn from_settings(settings: &MediaSettings) -> Self {
        let file_bytes = settings.file_mib << 20;
        Self {
            memory_bytes: settings.memory_mib << 20,
            cpu_seconds: settings.cpu_seconds,
            nice: NICE_INCREMENT,
            wall_time: Duration::from_secs(settings.wall_seconds),
            file_bytes,
            output_bytes: file_bytes,
            on_line: None,
        }
    }
}

/// A file that a tool wrote.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OutputFile {
    /// Name in the output folder.
    pub(crate) name: String,
    /// Valid as long as the job is kept.
    pub(crate) path: PathBuf,
    /// Size of the file.
    pub(crate) bytes: u64,
}

impl Job {
    /// Creates a folder for work on `input`, which is hard-linked into it, or copied if it cannot be linked.
    pub(crate) async fn new(inner: &Inner, input: &Path) -> Result<Self, MediaError> {
        let (work_dir, input, uid) = (inner.work_dir.clone(), input.to_owned(), inner.settings.uid);
        spawn_blocking(move || {
            let folder = WorkFolder::new(&work_dir)?;
            let output_dir = folder.path().join(OUTPUT_DIR);
            // Next to the output folder, so that the tool cannot write to it.
            let linked = output_dir.join(INPUT);
            DirBuilder::new().mode(0o700).create(&output_dir)?;
            // Symbolic links are not followed: the tool must read exactly the file that was meant.
            if !fs::symlink_metadata(&input)?.is_file() {
                return Err(io::Error::other("the input is not a regular file"));
            }
            if fs::hard_link(&input, &linked).is_err() {
                fs::copy(&input, &linked)?;
            }
            if geteuid().is_root() {
                // The tool's user can pass through the job's folder but not list it.
                chown(folder.path(), None, Some(uid))?;
                fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o710))?;
                chown(&output_dir, Some(uid), Some(uid))?;
                // Stored files may be private to the server's user; the tool reads this one through its
                // group.
                let mode = fs::metadata(&linked)?.mode();
                if mode & 0o004 == 0 {
                    chown(&linked, None, Some(uid))?;
                    fs::set_permissions(&linked, fs::Permissions::from_mode(mode | 0o040))?;
                }
            }
            Ok(Self(folder))
        })
        .await
        .map_err(io::Error::other)?
        .map_err(MediaError::Machine)
    }

    /// Reads a file the tool was asked to write. Returns `None` unless it is a regular file of 1 to `max`
    /// bytes.
    pub(crate) async fn result(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, MediaError> {
        let path = self.output_dir().join(name);
        let read = spawn_blocking(move || {
            let Ok(meta) = fs::symlink_metadata(&path) else { return Ok(None) };
            let fits = is_own_file(&meta) && (1..=max).contains(&meta.len());
            if fits { fs::read(&path).map(Some) } else { Ok(None) }
        });
        Ok(read.await.map_err(io::Error::other)??)
    }

    /// Lists every file in the output folder, sorted by name.
    ///
    /// # Errors
    /// [`MediaError::Refused`] if a name is not `expected` or a file is not a regular file of the tool's own,
    /// and [`MediaError::OverLimit`] if the files have more than `max` bytes together.
    pub(crate) async fn results(
        &self,
        expected: impl Fn(&str) -> bool + Send + 'static,
        max: u64,
    ) -> Result<Vec<OutputFile>, MediaError> {
        let output_dir = self.output_dir();
        spawn_blocking(move || collect(&output_dir, &expected, max)).await.map_err(io::Error::other)?
    }

    fn output_dir(&self) -> PathBuf {
        self.0.path().join(OUTPUT_DIR)
    }

    /// Runs a confined tool with the limits of the settings. `args` must not contain user input.
    pub(crate) async fn run(
        &self,
        inner: &Inner,
        tool: &Path,
        args: &[String],
    ) -> Result<ToolOutput, MediaError> {
        self.run_with(inner, tool, args, RunLimits::from_settings(&inner.settings)).await
    }

    /// Does the same with the limits in `limits`.
    pub(crate) async fn run_with(
        &self,
        inner: &Inner,
        tool: &Path,
        args: &[String],
        limits: RunLimits<'_>,
    ) -> Result<ToolOutput, MediaError> {
        // The semaphore is never closed.
        let _permit = inner.tool_permits.acquire().await.map_err(io::Error::other)?;
        self.run_without_permit(inner, tool, args, limits).await
    }

    /// Does the same without waiting for a permit.
    pub(crate) async fn run_without_permit(
        &self,
        inner: &Inner,
        tool: &Path,
        args: &[String],
        limits: RunLimits<'_>,
    ) -> Result<ToolOutput, MediaError> {
        let name = tool.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let span = tracing::debug_span!("tool", name);
        let began = Instant::now();
        let output = self.run_to_end(inner, tool, args, limits).instrument(span).await;
        metrics::histogram!("vitrine_tool_seconds", "tool" => name).record(began.elapsed().as_secs_f64());
        output
    }

    async fn run_to_end(
        &self,
        inner: &Inner,
        tool: &Path,
        args: &[String],
        limits: RunLimits<'_>,
    ) -> Result<ToolOutput, MediaError> {
        let mut child = self.start(inner, tool, args, &limits)?;
        let _group = Group::of(&child);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let read_stdout = async {
            match limits.on_line {
                Some(on_line) => read_lines(stdout, on_line).await.map(|()| Vec::new()),
                None => read_bounded(stdout, STDOUT_MAX).await,
            }
        };
        let finish = async {
            let (out, err) = tokio::join!(read_stdout, read_bounded(stderr, STDERR_MAX));
            (out, err, child.wait().await)
        };
        let (out, err, status) = tokio::select! {
            done = tokio::time::timeout(limits.wall_time, finish) => done.map_err(|_| MediaError::OverLimit("time"))?,
            exceeded = self.watch_size(limits.output_bytes) => return Err(exceeded),
        };
        let (stdout, status) = (out?, status?);
        if stdout.len() > STDOUT_MAX {
            return Err(MediaError::OverLimit("output"));
        }
        let mut stderr = err?;
        stderr.truncate(STDERR_MAX);
        let stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
        if status.code() == Some(CONFINEMENT_FAILED.into()) {
            return Err(MediaError::Machine(io::Error::other(stderr)));
        }
        if reports_full_disk(&stderr) || !status.success() && is_disk_full(&inner.work_dir) {
            // What the tool reports about the file is meaningless on a full disk.
            return Err(MediaError::Machine(io::ErrorKind::StorageFull.into()));
        }
        Ok(ToolOutput { stdout, stderr, success: status.success() })
    }

    fn start(
        &self,
        inner: &Inner,
        tool: &Path,
        args: &[String],
        limits: &RunLimits<'_>,
    ) -> io::Result<Child> {
        let mut spec = ConfinementSpec {
            layers: inner.layers_for(tool),
            ..ConfinementSpec::from_settings(&inner.settings)
        };
        spec.limits.memory = limits.memory_bytes;
        spec.limits.cpu = limits.cpu_seconds;
        spec.limits.file = limits.file_bytes;
        spec.limits.nice = limits.nice;
        Command::new(&inner.confine_path)
            .arg(CONFINEMENT_COMMAND)
            .args(spec.to_args())
            .arg(tool)
            .args(args)
            .env_clear()
            .env("LC_ALL", "C")
            .env(ARENA_RESERVE, "0")
            .current_dir(self.output_dir())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
    }

    /// Checks the size of the output folder until it exceeds `max`, and returns that as an error.
    async fn watch_size(&self, max: u64) -> MediaError {
        loop {
            tokio::time::sleep(SIZE_CHECK_INTERVAL).await;
            let output_dir = self.output_dir();
            match spawn_blocking(move || dir_size(&output_dir)).await {
                Ok(bytes) if bytes <= max => {}
                Ok(_) => return MediaError::OverLimit("disk"),
                Err(error) => return MediaError::Machine(io::Error::other(error)),
            }
        }
    }
}

/// Returns true if a tool reported a full disk, in the wording of the C library.
fn reports_full_disk(stderr: &str) -> bool {
    ["No space left on device", "Disk quota exceeded"].iter().any(|words| stderr.contains(words))
}

/// Returns true if a folder's disk has almost no space left, and false if it cannot be queried.
fn is_disk_full(folder: &Path) -> bool {
    const MIN_FREE: u64 = 1024 * 1024;
    let free = rustix::fs::statvfs(folder).map(|found| found.f_bavail.saturating_mul(found.f_frsize));
    free.is_ok_and(|free| free < MIN_FREE)
}

/// Returns true for a regular file without further hard links.
fn is_own_file(meta: &fs::Metadata) -> bool {
    meta.file_type().is_file() && meta.nlink() == 1
}

/// Returns the bytes on disk of everything in a folder. Files that disappear in the meantime count as 0.
fn dir_size(output_dir: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(output_dir) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(meta) if meta.is_dir() => dir_size(&entry.path()),
        Ok(meta) => meta.blocks() * 512,
        Err(_) => 0,
    });
    sizes.sum()
}

fn collect(
    output_dir: &Path,
    expected: &dyn Fn(&str) -> bool,
    max: u64,
) -> Result<Vec<OutputFile>, MediaError> {
    let mut outputs = Vec::new();
    let mut sum = 0;
    for entry in fs::read_dir(output_dir)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        let name = entry.file_name().into_string().ok().filter(|name| expected(name));
        let Some(name) = name.filter(|_| is_own_file(&meta)) else {
            return Err(MediaError::Refused("it made the tool write unexpected files".into()));
        };
        sum += meta.len();
        if sum > max || outputs.len() == FILES_MAX {
            return Err(MediaError::OverLimit("disk"));
        }
        outputs.push(OutputFile { name, path: entry.path(), bytes: meta.len() });
    }
    outputs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(outputs)
}

/// The process group of a tool. Dropping this kills whatever is left of it.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &tokio::process::Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // A missing group is fine: all of its processes have ended.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}

/// Reads at most `max + 1` bytes and drains the rest, so that a talkative tool does not block on a full pipe.
async fn read_bounded(pipe: Option<impl AsyncRead + Unpin>, max: usize) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    if let Some(mut pipe) = pipe {
        (&mut pipe).take(max as u64 + 1).read_to_end(&mut kept).await?;
        tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
    }
    Ok(kept)
}

/// Passes on each line as it arrives. Text after the last line end counts as a line.
async fn read_lines(pipe: Option<impl AsyncRead + Unpin>, on_line: OnLine<'_>) -> io::Result<()> {
    let Some(pipe) = pipe else { return Ok(()) };
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        let chunk = pipe.fill_buf().await?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        let fits = part.len().min(LINE_MAX - line.len());
        line.extend_from_slice(&part[..fits]);
        let (used, at_end) = (end.map_or(chunk.len(), |end| end + 1), chunk.is_empty());
        pipe.consume(used);
        if end.is_some() || at_end && !line.is_empty() {
            on_line(String::from_utf8_lossy(&line).trim_end());
            line.clear();
        }
        if at_end {
            return Ok(());
        }
    }
}

/// Arguments before `-i` in every call: one demuxer, chosen by us; local files only; few decoders; bounded
/// memory and look-ahead.
pub(crate) fn input_args(demuxer: &'static str) -> Vec<String> {
    [
        ["-v", "error"],
        ["-protocol_whitelist", "file,pipe"],
        ["-format_whitelist", demuxer],
        ["-codec_whitelist", CODECS],
        ["-max_alloc", "268435456"],
        ["-max_streams", "16"],
        ["-probesize", "16M"],
        ["-analyzeduration", "15M"],
        ["-f", demuxer],
    ]
    .into_iter()
    .flatten()
    .map(str::to_owned)
    .collect()
}

/// Returns the path of the input as the tool sees it.
pub(crate) fn input_name() -> String {
    INPUT.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_passed_on_unchanged_and_long_ones_are_truncated() {
        let mut lines = Vec::new();
        let long = "x".repeat(3 * LINE_MAX);
        let output = format!("one\r\n\n{long}\ntwo\nthree");
        let mut on_line = |line: &str| lines.push(line.to_owned());
        read_lines(Some(output.as_bytes()), &mut on_line).await.unwrap();
        assert_eq!(lines, ["one", "", &long[..LINE_MAX], "two", "three"]);
    }

    #[test]
    fn only_expected_files_are_collected() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (name, bytes) in [("b.m4s", 10), ("a.m4s", 20)] {
            fs::write(at(name), vec![0; bytes]).unwrap();
        }
        let collected = |max| collect(dir.path(), &|name| name.ends_with(".m4s"), max);
        let names = |collected: Vec<OutputFile>| -> Vec<_> {
            collected.into_iter().map(|o| (o.name, o.bytes)).collect()
        };
        assert_eq!(names(collected(30).unwrap()), [("a.m4s".to_owned(), 20), ("b.m4s".to_owned(), 10)]);
        assert!(matches!(collected(29), Err(MediaError::OverLimit("disk"))));
        fs::write(at("other"), "x").unwrap();
        assert!(matches!(collected(100), Err(MediaError::Refused(_))), "an unexpected name");
        fs::remove_file(at("other")).unwrap();
        std::os::unix::fs::symlink("a.m4s", at("c.m4s")).unwrap();
        assert!(matches!(collected(100), Err(MediaError::Refused(_))), "a link");
        fs::remove_file(at("c.m4s")).unwrap();
        fs::create_dir(at("c.m4s")).unwrap();
        assert!(matches!(collected(100), Err(MediaError::Refused(_))), "a folder");
        fs::remove_dir(at("c.m4s")).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::hard_link(at("a.m4s"), elsewhere.path().join("a")).unwrap();
        assert!(matches!(collected(100), Err(MediaError::Refused(_))), "another hard link to the same file");
    }

    #[test]
    fn the_size_of_a_folder_is_what_it_uses_on_disk() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("deep")).unwrap();
        fs::write(dir.path().join("deep/file"), vec![1; 1 << 20]).unwrap();
        fs::write(dir.path().join("file"), vec![1; 1 << 20]).unwrap();
        assert!((2 << 20..3 << 20).contains(&dir_size(dir.path())), "{}", dir_size(dir.path()));
    }
}
