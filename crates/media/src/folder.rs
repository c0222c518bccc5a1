//! The folders that jobs work in, and what is left of them when a server dies without a warning: the folder, and the
//! tool, which goes on without anybody who waits for it.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tempfile::TempDir;

/// A job that lives holds the lock on this file; it lies beside the folder the tool works in.
const LOCK: &str = "lock";
/// Which processes work for the job, beside the lock.
const GROUP: &str = "group";
/// How long the end of processes is waited for, in steps.
const STEP: Duration = Duration::from_millis(10);
const STEPS: usize = 200;

/// Makes the folder in which jobs get theirs, closed to other users.
pub(crate) fn make_work_dir(work_dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(work_dir)
}

/// Removes the folders that no living job holds, and ends what still works in them.
pub(crate) fn sweep(work_dir: &Path) -> io::Result<usize> {
    let mut swept = 0;
    for entry in fs::read_dir(work_dir)? {
        let dir = entry?.path();
        // A folder without a lock file is one that is being made this moment.
        let Ok(lock) = File::open(dir.join(LOCK)) else { continue };
        if lock.try_lock().is_ok() {
            end_group(&dir);
            match fs::remove_dir_all(dir) {
                Ok(()) => swept += 1,
                // Another sweep was quicker.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
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

/// Notes in a job's folder that the group of this very process works for it: the box does so itself, so that no moment
/// is left in which its server could die and nobody knew. Where it cannot be noted it is not ended.
pub(crate) fn note_group(dir: &Path) {
    let process = std::process::id();
    let Some(began) = began(process) else { return };
    let open = File::options()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .custom_flags(OFlag::O_NOFOLLOW.bits())
        .open(dir.join(GROUP));
    let _ = open.and_then(|mut file| write!(file, "{process} {began}"));
}

/// Ends the processes that were noted in a dead job's folder, and waits for it.
fn end_group(dir: &Path) {
    let noted = fs::read_to_string(dir.join(GROUP)).unwrap_or_default();
    let Some((process, at)) = noted.split_once(' ') else { return };
    let (Ok(process), Ok(at)) = (process.parse::<u32>(), at.parse::<u64>()) else { return };
    // The number may be another one's by now, who began later.
    let Some(group) = i32::try_from(process).ok().filter(|_| began(process) == Some(at)) else { return };
    let group = Pid::from_raw(group);
    for _ in 0..STEPS {
        if killpg(group, Signal::SIGKILL).is_err() {
            return;
        }
        std::thread::sleep(STEP);
    }
}

/// When a process began, by the kernel's count.
fn began(process: u32) -> Option<u64> {
    let said = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, the second of its fields, may hold blanks; the moment is the twenty-second.
    said.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
