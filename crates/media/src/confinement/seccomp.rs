//! seccomp: blocks system calls that no media tool needs and that a compromised tool would want.

use std::collections::BTreeMap;

use nix::errno::Errno;
use nix::libc;
use nix::sched::CloneFlags;
use nix::unistd::getpid;
use seccompiler::{
    BpfProgram, Error, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Cmp,
    SeccompCondition as Condition, SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};

use super::{Reason, failure};

/// System calls that always fail.
const BLOCKED: &[libc::c_long] = &[
    // Network sockets, and sockets of this machine's services.
    libc::SYS_socket,
    libc::SYS_socketpair,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    // Leaving the process group that is killed at the end.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Mounts, roots and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Parts of the kernel with a history of vulnerabilities.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_fanotify_init,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_personality,
    libc::SYS_vhangup,
    // Memory that escapes the limits, and programs without a file.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
    // File permissions and attributes, which Landlock does not control.
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_utimensat,
    libc::SYS_mknodat,
    // Reboot and kernel modules.
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
];

/// Newer than the constants of libc, with the same number on every architecture.
const FCHMODAT2: libc::c_long = 452;

/// Older variants of these calls, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const BLOCKED_LEGACY: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_mknod,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_kexec_file_load,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
];
#[cfg(not(target_arch = "x86_64"))]
const BLOCKED_LEGACY: &[libc::c_long] = &[];

/// Blocks these calls for this process and its children. `becomes_tool` is true if this process itself
/// becomes the tool: then it may send signals only to itself. In a PID namespace, signals cannot reach other processes
/// anyway.
pub(super) fn apply(becomes_tool: bool) -> Result<(), Reason> {
    let all = || -> Result<(), Error> {
        for filter in filters(becomes_tool)? {
            apply_filter(&filter)?;
        }
        Ok(())
    };
    all().map_err(|error| failure("seccomp", error))
}

fn filters(becomes_tool: bool) -> Result<Vec<BpfProgram>, Error> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter = |rules, errno: Errno| -> Result<BpfProgram, Error> {
        let action = SeccompAction::Errno(errno as u32);
        Ok(SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()?)
    };
    let mut blocked: BTreeMap<_, Vec<SeccompRule>> =
        BLOCKED.iter().chain(BLOCKED_LEGACY).map(|call| (*call, Vec::new())).collect();
    blocked.insert(libc::SYS_clone, clone_with_new_namespaces()?);
    // Changing the limits of other processes. A process names itself with 0.
    blocked.insert(libc::SYS_prlimit64, vec![rule(Condition::new(0, Len::Dword, Cmp::Ne, 0)?)?]);
    if becomes_tool {
        let pid = u64::from(getpid().as_raw().unsigned_abs());
        blocked.insert(libc::SYS_tgkill, vec![rule(Condition::new(0, Len::Dword, Cmp::Ne, pid)?)?]);
    }
    // seccomp cannot inspect the flags of clone3. With ENOSYS, libraries fall back to clone, which is
    // filtered above.
    let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let mut all = vec![filter(blocked, Errno::EPERM)?, filter(unknown, Errno::ENOSYS)?];
    all.extend(cfg!(target_arch = "x86_64").then(x32_filter));
    Ok(all)
}

fn rule(condition: Condition) -> Result<SeccompRule, Error> {
    Ok(SeccompRule::new(vec![condition])?)
}

/// Rules that match clone with any of the namespace flags.
fn clone_with_new_namespaces() -> Result<Vec<SeccompRule>, Error> {
    let namespaces = [
        CloneFlags::CLONE_NEWUSER,
        CloneFlags::CLONE_NEWNS,
        CloneFlags::CLONE_NEWNET,
        CloneFlags::CLONE_NEWPID,
        CloneFlags::CLONE_NEWIPC,
        CloneFlags::CLONE_NEWUTS,
        CloneFlags::CLONE_NEWCGROUP,
    ];
    let bits = namespaces.map(|flag| u64::from(flag.bits().unsigned_abs()));
    bits.map(|bit| rule(Condition::new(0, Len::Dword, Cmp::MaskedEq(bit), bit)?)).into_iter().collect()
}

/// Refuses the second set of system call numbers of this architecture (x32), which no rule above covers.
fn x32_filter() -> BpfProgram {
    const LOAD: u16 = 0x20;
    const IS_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const X32_BIT: u32 = 0x4000_0000;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        step(LOAD, 0, 0, 0),
        step(IS_AT_LEAST, 0, 1, X32_BIT),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs()),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}
