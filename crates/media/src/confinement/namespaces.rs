//! Namespaces: a root file system with only the job and what every tool needs, no network, no other
//! processes.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, openat};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::stat::Mode;
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::utsname::uname;
use nix::unistd::{chdir, getegid, geteuid, pivot_root};

use super::landlock::{DEVICES, READABLE};
use super::{INPUT, OUTPUT_DIR, Reason, drop_privileges, failure};

/// Threads and processes if they are counted per job.
pub(super) const THREADS: u64 = 512;

/// Where the new root is built: an existing folder from which nothing is needed.
const NEW_ROOT: &str = "/proc";
/// The job's folder in the new root.
const JOB: &str = "job";

/// Enters new namespaces and gives up root. Children of this process see no other processes. Returns true if
/// threads are counted per job.
pub(super) fn enter(uid: u32, tool: Option<&Path>) -> Result<bool, Reason> {
    let namespaces = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWPID;
    // `/proc` is unreachable once the new root is mounted.
    let proc_self = File::open("/proc/self").map_err(|error| failure("namespaces: /proc", error))?;
    let user_switch = |error| failure("the switch to another user", error);
    // Root can do this directly. Root without CAP_SYS_ADMIN, and everyone else, need a user namespace.
    if geteuid().is_root() && unshare(namespaces).is_ok() {
        build(tool)?;
        drop_privileges(uid).map_err(user_switch)?;
        // Confinement is complete already; the user namespace only gives each job its own thread count.
        return Ok(enter_user_namespace(&proc_self, CloneFlags::empty()).is_ok() && counts_per_namespace());
    }
    drop_privileges(uid).map_err(user_switch)?;
    enter_user_namespace(&proc_self, namespaces).map_err(|error| failure("namespaces", error))?;
    build(tool)?;
    Ok(counts_per_namespace())
}

/// Enters a user namespace in which this user keeps its id, so that the tool is not root there either.
/// `proc_self` is this process's folder in `/proc`.
fn enter_user_namespace(proc_self: &File, more: CloneFlags) -> io::Result<()> {
    // A process that gave up root does not own its `/proc` entries without this.
    prctl::set_dumpable(true)?;
    let (user, group) = (geteuid(), getegid());
    unshare(CloneFlags::CLONE_NEWUSER | more)?;
    let write = |name: &str, text: String| {
        let entry = openat(proc_self, name, OFlag::O_WRONLY | OFlag::O_CLOEXEC, Mode::empty())?;
        File::from(entry).write_all(text.as_bytes())
    };
    write("setgroups", "deny".to_owned())?;
    write("uid_map", format!("{user} {user} 1"))?;
    write("gid_map", format!("{group} {group} 1"))
}

/// Returns true if the kernel counts processes per user namespace, which it does since 5.14.
fn counts_per_namespace() -> bool {
    let Ok(name) = uname() else { return false };
    let release = name.release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}

/// Builds the new root and moves into it. The mounts are visible to this process and its children only.
fn build(tool: Option<&Path>) -> Result<(), Reason> {
    let root = Path::new(NEW_ROOT);
    let recursive_private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(None::<&str>, "/", None::<&str>, recursive_private, None::<&str>)
        .map_err(|error| failure("namespaces: private mounts", error))?;
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("vitrine"), root, Some("tmpfs"), plain, Some("mode=0755,size=1m"))
        .map_err(|error| failure("namespaces: a new root", error))?;
    bind_files(root, tool).map_err(|error| failure("namespaces", error))?;
    pivot_into(root).map_err(|error| failure("namespaces: the new root", error))
}

fn bind_files(root: &Path, tool: Option<&Path>) -> io::Result<()> {
    for path in READABLE.map(Path::new) {
        // Symbolic links are recreated: `/lib` is a link to `usr/lib` on most machines.
        match fs::symlink_metadata(path) {
            Ok(meta) if meta.is_symlink() => {
                let link = create_parents(root, path)?;
                symlink(fs::read_link(path)?, link)?;
            }
            Ok(_) => bind_mount(path, &create_parents(root, path)?, BindMode::ReadOnly)?,
            Err(_) => {}
        }
    }
    for device in DEVICES.map(Path::new).into_iter().filter(|device| device.exists()) {
        bind_mount(device, &create_parents(root, device)?, BindMode::Unchanged)?;
    }
    if let Some(tool) = tool.filter(|tool| !READABLE.iter().any(|path| tool.starts_with(path))) {
        bind_mount(tool, &create_parents(root, tool)?, BindMode::ReadOnly)?;
    }
    let job = root.join(JOB);
    fs::create_dir(&job)?;
    bind_mount(Path::new(INPUT), &job.join("in"), BindMode::ReadOnly)?;
    bind_mount(Path::new("."), &job.join(OUTPUT_DIR), BindMode::Writable)
}

/// Creates the parent folders of a path in the new root and returns the path.
fn create_parents(root: &Path, path: &Path) -> io::Result<PathBuf> {
    let target = root.join(path.strip_prefix("/").unwrap_or(path));
    fs::create_dir_all(target.parent().unwrap_or(root))?;
    Ok(target)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BindMode {
    ReadOnly,
    /// Writable, but not executable.
    Writable,
    Unchanged,
}

/// Bind-mounts a file or a folder of the old root at `target`.
fn bind_mount(source: &Path, target: &Path, mode: BindMode) -> io::Result<()> {
    if source.is_dir() {
        fs::create_dir(target)?;
    } else {
        File::create_new(target)?;
    }
    let bind = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(source), target, None::<&str>, bind, None::<&str>)?;
    let more = match mode {
        BindMode::Unchanged => return Ok(()),
        BindMode::ReadOnly => MsFlags::MS_RDONLY,
        BindMode::Writable => MsFlags::MS_NOEXEC,
    };
    // The kernel rejects a remount that drops restrictions of the old mount.
    let held = statvfs(target)?.flags();
    let flags = [(FsFlags::ST_RDONLY, MsFlags::MS_RDONLY), (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC)];
    let held = flags.into_iter().filter(|(is, _)| held.contains(*is)).map(|(_, flag)| flag);
    let flags = MsFlags::MS_BIND | MsFlags::MS_REMOUNT | MsFlags::MS_NOSUID | MsFlags::MS_NODEV | more;
    mount(None::<&str>, target, None::<&str>, flags | held.collect::<MsFlags>(), None::<&str>)?;
    Ok(())
}

/// Makes the new root the root, detaches the old one, and enters the folder the tool works in.
fn pivot_into(root: &Path) -> nix::Result<()> {
    chdir(root)?;
    pivot_root(".", ".")?;
    // The old root is now mounted on top of the new one.
    umount2(".", MntFlags::MNT_DETACH)?;
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(None::<&str>, "/", None::<&str>, flags | MsFlags::MS_BIND, None::<&str>)?;
    chdir(&Path::new("/").join(JOB).join(OUTPUT_DIR))
}
