//! The outer side of the walls: a fresh folder, a tool in its own process group, a timer, bounded output.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::{Pid, geteuid};
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::task::spawn_blocking;

use crate::walls::{Limits, WALLS_FAILED};
use crate::{BOX_COMMAND, Inner, MediaError};

/// Name of the input inside a job's folder.
const INPUT: &str = "in";
/// A job that lives holds the lock on this file; it lies beside the folder the tool works in.
const LOCK: &str = "lock";
/// The only folder the tool is given.
const ROOM: &str = "room";
/// Bytes of standard output that are kept; a tool that says more is stopped.
const STDOUT_MAX: usize = 4 * 1024 * 1024;
/// Bytes of standard error that are kept; the rest is thrown away.
const STDERR_MAX: usize = 64 * 1024;
/// Decoders that may be used, by ffmpeg's names; everything else in ffmpeg is out of reach.
const CODECS: &str = "h264,hevc,av1,libdav1d,vp8,libvpx,vp9,libvpx-vp9,mpeg4,prores,mjpeg,png,\
                      aac,mp3,mp3float,opus,libopus,vorbis,flac,pcm_s16le,pcm_s24le";
/// Threads of the other user that the tools run as when the server is root.
const THREADS_APART: u64 = 512;
/// Threads of one's own user, who also runs the server and whatever else is on the machine.
const THREADS_SHARED: u64 = 16_384;

/// Makes the folder in which jobs get theirs, closed to other users.
pub(crate) fn make_work_dir(work_dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(work_dir)
}

/// Removes the folders that no living job holds.
pub(crate) fn sweep(work_dir: &Path) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(work_dir)? {
        let dir = entry?.path();
        // A folder without a lock file is one that is being made this moment.
        let Ok(lock) = File::open(dir.join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            fs::remove_dir_all(dir)?;
            swept += 1;
        }
    }
    Ok(swept)
}

/// A folder that no sweep removes while its process lives. Removed when dropped.
pub struct WorkFolder {
    dir: TempDir,
    /// Held until the work ends, however it ends.
    _lock: File,
}

impl WorkFolder {
    pub(crate) fn new(work_dir: &Path) -> io::Result<Self> {
        let dir = tempfile::Builder::new().prefix("job-").tempdir_in(work_dir)?;
        // Gets its name only when it is locked, so that a sweep never meets it unlocked.
        let lock = File::create_new(dir.path().join("new"))?;
        lock.lock()?;
        fs::rename(dir.path().join("new"), dir.path().join(LOCK))?;
        Ok(Self { dir, _lock: lock })
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// A fresh folder with the input in it.
pub(crate) struct Job(WorkFolder);

/// What a tool said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    pub(crate) success: bool,
}

impl Job {
    /// A folder for work on `input`, which is linked into it, or copied where it cannot be linked.
    pub(crate) async fn new(inner: &Inner, input: &Path) -> Result<Self, MediaError> {
        let (work_dir, input, uid) = (inner.work_dir.clone(), input.to_owned(), inner.settings.uid);
        spawn_blocking(move || {
            let folder = WorkFolder::new(&work_dir)?;
            let room = folder.path().join(ROOM);
            DirBuilder::new().mode(0o700).create(&room)?;
            // Never a link to a link: what the tool reads is the file that was meant.
            let source = input.canonicalize()?;
            if !source.is_file() {
                return Err(io::Error::other("the input is not a regular file"));
            }
            if fs::hard_link(&source, room.join(INPUT)).is_err() {
                fs::copy(&source, room.join(INPUT))?;
            }
            if geteuid().is_root() {
                chown(&room, Some(uid), Some(uid))?;
                // Stored files are for the server's own user; the tool reads this one by its group.
                chown(room.join(INPUT), None, Some(uid))?;
                fs::set_permissions(room.join(INPUT), fs::Permissions::from_mode(0o640))?;
            }
            Ok(Self(folder))
        })
        .await
        .map_err(io::Error::other)?
        .map_err(MediaError::Machine)
    }

    /// A file the tool was asked to write, when it is a regular file of at most `max` bytes.
    pub(crate) async fn result(&self, name: &'static str, max: u64) -> Result<Option<Vec<u8>>, MediaError> {
        let path = self.room().join(name);
        let read = spawn_blocking(move || {
            let Ok(meta) = fs::symlink_metadata(&path) else { return Ok(None) };
            let fits = meta.file_type().is_file() && (1..=max).contains(&meta.len());
            if fits { fs::read(&path).map(Some) } else { Ok(None) }
        });
        Ok(read.await.map_err(io::Error::other)??)
    }

    fn room(&self) -> PathBuf {
        self.0.path().join(ROOM)
    }

    /// Runs a tool behind the walls with `args`, all of them words of this program.
    pub(crate) async fn run(&self, inner: &Inner, tool: &Path, args: &[String]) -> Result<Said, MediaError> {
        // The semaphore is never closed.
        let _turn = inner.turns.acquire().await.map_err(io::Error::other)?;
        let settings = &inner.settings;
        let apart = geteuid().is_root();
        let limits = Limits {
            memory: settings.memory_mib << 20,
            cpu: settings.cpu_seconds,
            file: settings.file_mib << 20,
            threads: if apart { THREADS_APART } else { THREADS_SHARED },
            uid: settings.uid,
        };
        let mut child = Command::new(&inner.box_path)
            .arg(BOX_COMMAND)
            .args(limits.to_args())
            .arg("--")
            .arg(tool)
            .args(args)
            .env_clear()
            .env("LC_ALL", "C")
            .current_dir(self.room())
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let _group = Group::of(&child);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let talk = async {
            let (out, err) = tokio::join!(read_some(stdout, STDOUT_MAX), read_some(stderr, STDERR_MAX));
            (out, err, child.wait().await)
        };
        let wall = Duration::from_secs(settings.wall_seconds);
        let Ok((out, err, status)) = tokio::time::timeout(wall, talk).await else {
            return Err(MediaError::OverLimit("time"));
        };
        let (stdout, status) = (out?, status?);
        if stdout.len() > STDOUT_MAX {
            return Err(MediaError::OverLimit("output"));
        }
        let mut stderr = err?;
        stderr.truncate(STDERR_MAX);
        let stderr = String::from_utf8_lossy(&stderr).trim().to_owned();
        if status.code() == Some(WALLS_FAILED.into()) {
            return Err(MediaError::Machine(io::Error::other(stderr)));
        }
        Ok(Said { stdout, stderr, success: status.success() })
    }
}

/// The process group of a tool; whatever is left of it is killed when this is dropped.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &tokio::process::Child) -> Self {
        Self(child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // No such group is what we want: everything in it has ended by itself.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}

/// Reads at most `max + 1` bytes and keeps draining, so that a talkative tool is not stuck on a full pipe.
async fn read_some(pipe: Option<impl AsyncRead + Unpin>, max: usize) -> io::Result<Vec<u8>> {
    let mut kept = Vec::new();
    if let Some(mut pipe) = pipe {
        (&mut pipe).take(max as u64 + 1).read_to_end(&mut kept).await?;
        tokio::io::copy(&mut pipe, &mut tokio::io::sink()).await?;
    }
    Ok(kept)
}

/// What stands before `-i` in every call: one demuxer, named by us; local files only; few decoders; bounded
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

/// The input as the tool knows it.
pub(crate) fn input_name() -> String {
    format!("./{INPUT}")
}
