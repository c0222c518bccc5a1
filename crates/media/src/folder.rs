//! The folders that jobs work in, and the cleanup after a server that died: its folders, and the tools that
//! are still running without it.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tempfile::TempDir;

/// A running job holds the lock on this file, which is next to the folder the tool works in.
const LOCK: &str = "lock";
/// Names of the folders begin with this.
const PREFIX: &str = "job-";
/// The lock file before it is locked.
const NEW: &str = "new";
/// File next to the lock that names the process group of the job.
const GROUP: &str = "group";
/// How long to wait for processes to end, in steps.
const STEP: Duration = Duration::from_millis(10);
const STEPS: usize = 200;

/// Creates the folder in which jobs get theirs, closed to other users.
pub(crate) fn make_work_dir(work_dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(work_dir)
}

/// Removes the folders whose lock no job holds, and kills the processes that still work in them.
pub(crate) fn sweep(work_dir: &Path) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(work_dir)? {
        let dir = entry?.path();
        // In this order, because the lock file is renamed from the one name to the other.
        let lock = [NEW, LOCK].iter().find_map(|name| File::open(dir.join(name)).ok());
        let removed = match lock {
            Some(lock) if lock.try_lock().is_ok() => {
                kill_group(&dir);
                fs::remove_dir_all(dir)
            }
            Some(_) => continue,
            // Anything else in the folder belongs to others.
            None if !is_job(&dir) => continue,
            None => remove_without_lock(&dir),
        };
        match removed {
            Ok(()) => swept += 1,
            // Another sweep was faster, or the folder is just being created.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(swept)
}

/// Whether a path has the name of a job's folder.
fn is_job(dir: &Path) -> bool {
    dir.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}

/// Removes a folder that lost its lock file because its removal was interrupted.
fn remove_without_lock(dir: &Path) -> io::Result<()> {
    let mut names = fs::read_dir(dir)?.map_while(Result::ok).map(|entry| entry.file_name()).peekable();
    if names.peek().is_none() {
        // Fails if a job creates its lock in it at this moment; the job repeats its creation otherwise.
        return fs::remove_dir(dir);
    }
    if names.any(|name| name == NEW || name == LOCK) {
        return Err(io::ErrorKind::DirectoryNotEmpty.into());
    }
    fs::remove_dir_all(dir)
}

/// A folder that no sweep removes while its process lives. Removed when dropped.
pub struct WorkFolder {
    dir: TempDir,
    /// Held until the work ends, however it ends.
    _lock: File,
}

impl WorkFolder {
    pub(crate) fn new(work_dir: &Path) -> io::Result<Self> {
        loop {
            let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(work_dir)?;
            match Self::lock(&dir) {
                Ok(lock) => return Ok(Self { dir, _lock: lock }),
                // A sweep took the folder, still without a locked file, for one that was left.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Creates the lock file. It gets its final name only once it is locked.
    fn lock(dir: &TempDir) -> io::Result<File> {
        let (new, lock) = (dir.path().join(NEW), dir.path().join(LOCK));
        let file = File::create_new(&new)?;
        file.lock()?;
        fs::rename(new, lock)?;
        Ok(file)
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Records in a job's folder that this process's group works for the job. `media-confine` does this itself, so
/// there is no moment at which the server could die without a record. A group that cannot be recorded is not
/// killed later.
pub(crate) fn record_group(dir: &Path) {
    let process = std::process::id();
    let Some(started) = start_time(process) else { return };
    let open = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(dir.join(GROUP));
    let _ = open.and_then(|mut file| write!(file, "{process} {started}"));
}

/// Kills the process group recorded in a dead job's folder and waits for its end.
fn kill_group(dir: &Path) {
    let recorded = fs::read_to_string(dir.join(GROUP)).unwrap_or_default();
    let Some((process, at)) = recorded.split_once(' ') else { return };
    let (Ok(process), Ok(at)) = (process.parse::<u32>(), at.parse::<u64>()) else { return };
    // The id may have been reused by a process that started later.
    let Some(group) = i32::try_from(process).ok().filter(|_| start_time(process) == Some(at)) else { return };
    let group = Pid::from_raw(group);
    for _ in 0..STEPS {
        if killpg(group, Signal::SIGKILL).is_err() {
            return;
        }
        std::thread::sleep(STEP);
    }
}

/// Returns when a process started, in clock ticks since boot.
fn start_time(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, which is the second field, may contain spaces; the start time is the 22nd field.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
