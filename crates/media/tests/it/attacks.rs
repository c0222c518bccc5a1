//! A compromised tool: a script in place of the tool tries what an attacker would.

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use nix::libc;

use crate::test_job::{
    MEDIA_CONFINE, SECRET, TestJob, UNCONFINED, assert_blocked, file_layers, sufficient_layers,
};

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

#[test]
fn the_input_is_readable_and_the_output_folder_writable_under_all_layers() {
    for layers in sufficient_layers().into_iter().chain([UNCONFINED]) {
        let job = TestJob::new();
        let output = job.perl(
            layers,
            "open(my $f, '<', '../in') or die $!; open(my $o, '>', 'out') or die $!; print {$o} <$f>;",
        );
        assert_eq!(output, "", "{layers}");
        assert_eq!(std::fs::read_to_string(job.path("job/output/out")).unwrap(), "bytes", "{layers}");
    }
}

#[test]
fn files_outside_the_job_cannot_be_read() {
    for path in
        ["$other/secret", "../../other/secret", "/etc/passwd", "/proc/1/cmdline", "/proc/self/environ"]
    {
        assert_blocked(
            &file_layers(),
            &format!("open(my $f, '<', \"{path}\") or die $!; <$f>; print 'done'"),
        );
    }
    assert_blocked(&file_layers(), "opendir(my $d, \"$other\") or die $!; print 'done' if readdir $d");
    // Reads the content itself, to be sure that the file is readable without confinement.
    assert!(TestJob::new().perl(UNCONFINED, "open(my $f, \"$other/secret\"); print <$f>").contains(SECRET));
}

#[test]
fn files_outside_the_job_cannot_be_linked_into_the_output_folder() {
    for call in ["link", "symlink", "rename"] {
        assert_blocked(
            &file_layers(),
            &format!(
                "{call}(\"$other/secret\", 'got') or die $!; open(my $f, '<', 'got') or die $!; print 'done'"
            ),
        );
    }
}

#[test]
fn nothing_is_written_outside_the_output_folder() {
    for path in
        ["$other/new", "$other/secret", "../../other/new", "../new", "/tmp/vitrine-attack-$$", "../in"]
    {
        let mode = if path.contains("secret") || path.contains("in") { ">>" } else { ">" };
        // The parent folder belongs to root if these tests run as root, so its permissions alone protect it.
        if path == "../new" && is_root() {
            continue;
        }
        assert_blocked(
            &file_layers(),
            &format!(
                "open(my $f, '{mode}', \"{path}\") or die $!; print $f 'x' or die $!; close $f or die $!; print 'done'; unlink \"/tmp/vitrine-attack-$$\""
            ),
        );
    }
    for call in
        ["unlink \"$other/secret\"", "mkdir \"$other/new\"", "rename('../../other/secret', '../../other/x')"]
    {
        assert_blocked(&file_layers(), &format!("{call} or die $!; print 'done'"));
    }
}

#[test]
fn written_files_cannot_be_executed() {
    assert_blocked(
        &file_layers(),
        "open(my $o, '>:raw', 'evil') or die; open(my $f, '<:raw', '/usr/bin/true') or die; local $/; print {$o} <$f>;
         close $o; chmod 0755, 'evil'; system('./evil') == 0 or die 'not run'; print 'done'",
    );
}

#[test]
fn file_permissions_cannot_be_changed() {
    let script = "open(my $o, '>', 'mine') or die $!; chmod(0777, 'mine') or die $!; print 'done'";
    assert_blocked(&sufficient_layers(), script);
    assert_blocked(
        &sufficient_layers(),
        "open(my $o, '>', 'mine'); utime(1, 1, 'mine') or die $!; print 'done'",
    );
    assert_blocked(
        &sufficient_layers(),
        "open(my $o, '>', 'mine'); chown($<, -1, 'mine') or die $!; print 'done'",
    );
}

#[test]
fn neither_the_network_nor_local_services_can_be_reached() {
    let tcp = "socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!;
               connect($s, sockaddr_in($port, INADDR_LOOPBACK)) or die $!; print 'done'";
    assert_blocked(&sufficient_layers(), tcp);
    // Namespaces and Landlock block this on their own too.
    assert_blocked(&file_layers(), tcp);
    assert_blocked(&sufficient_layers(), "socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!; print 'done'");
    assert_blocked(&sufficient_layers(), "socket(my $s, PF_INET6, SOCK_STREAM, 0) or die $!; print 'done'");
    assert_blocked(&sufficient_layers(), "socket(my $s, 16, SOCK_DGRAM, 0) or die $!; print 'done'");
    assert_blocked(
        &sufficient_layers(),
        "socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die $!;
         connect($s, sockaddr_un(\"$other/service.sock\")) or die $!; print 'done'",
    );
}

/// System calls with invalid arguments: unconfined, each is refused for its arguments, and under seccomp
/// before the arguments are looked at.
#[test]
fn system_calls_that_no_tool_needs_are_refused() {
    let calls = [
        ("socket", libc::SYS_socket),
        ("ptrace", libc::SYS_ptrace),
        ("unshare", libc::SYS_unshare),
        ("setns", libc::SYS_setns),
        ("mount", libc::SYS_mount),
        ("keyctl", libc::SYS_keyctl),
        ("add_key", libc::SYS_add_key),
        ("memfd_create", libc::SYS_memfd_create),
        ("process_vm_readv", libc::SYS_process_vm_readv),
        ("pidfd_open", libc::SYS_pidfd_open),
        ("shmget", libc::SYS_shmget),
    ];
    // Older kernels and hardened machines refuse these to everyone.
    let strict = [
        ("bpf", libc::SYS_bpf),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("userfaultfd", libc::SYS_userfaultfd),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("open_by_handle_at", libc::SYS_open_by_handle_at),
    ];
    let all: Vec<_> = calls.into_iter().chain(strict).collect();
    let numbers: Vec<_> = all.iter().map(|(_, call)| call.to_string()).collect();
    let script = format!(
        "for my $call ({}) {{ my $r = syscall($call, -1, 0, 0, 0, 0); print $r == -1 ? 0 + $! : 0, ' ' }}",
        numbers.join(",")
    );
    let answers = |layers: &str| -> Vec<i32> {
        TestJob::new().perl(layers, &script).split_whitespace().map(|errno| errno.parse().unwrap()).collect()
    };
    for ((name, _), errno) in calls.into_iter().zip(answers(UNCONFINED)) {
        assert_ne!(errno, libc::EPERM, "{name} is refused without confinement");
    }
    for layers in sufficient_layers() {
        let answers = answers(layers);
        assert_eq!(answers.len(), all.len());
        for ((name, _), errno) in all.iter().zip(answers) {
            assert_eq!(errno, libc::EPERM, "{name} under {layers}");
        }
    }
}

#[test]
fn no_namespace_can_be_created() {
    let job = TestJob::new();
    let creates_namespace =
        |layers: &str| job.run(layers, "/usr/bin/unshare", &["--user", "true"]).status.success();
    // A machine where no user may create namespaces needs no rule here.
    if creates_namespace(UNCONFINED) {
        for layers in sufficient_layers() {
            assert!(!creates_namespace(layers), "{layers}");
        }
    }
    let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
    let script = format!(
        "my $p = syscall({}, {flags}, 0, 0, 0, 0); die $! if $p < 0; exit if $p == 0; print 'done'",
        libc::SYS_clone
    );
    if TestJob::new().perl(UNCONFINED, &script).contains("done") {
        assert_blocked(&sufficient_layers(), &script);
    }
    let clone3 = format!("syscall({}, 0, 0); print 0 + $!", libc::SYS_clone3);
    for layers in sufficient_layers() {
        assert_eq!(TestJob::new().perl(layers, &clone3), libc::ENOSYS.to_string(), "{layers}");
    }
}

/// The second set of system call numbers (x32), on machines that have it.
#[cfg(target_arch = "x86_64")]
#[test]
fn x32_system_calls_are_refused() {
    let second = libc::SYS_getpid | 0x4000_0000;
    for layers in sufficient_layers() {
        let output = TestJob::new()
            .perl(layers, &format!("my $r = syscall({second}); print $r == -1 ? 0 + $! : 'done'"));
        assert_eq!(output, libc::EPERM.to_string(), "{layers}");
    }
}

#[test]
fn other_processes_cannot_be_reached() {
    let victim = || {
        let mut command = Command::new("/bin/sleep");
        command.arg("1000");
        if is_root() {
            command.uid(65_534);
        }
        command.spawn().unwrap()
    };
    for (layers, dies) in
        sufficient_layers().into_iter().map(|layers| (layers, false)).chain([(UNCONFINED, true)])
    {
        let mut child = victim();
        let output =
            TestJob::new().perl(layers, &format!("print kill(9, {}) ? 'done' : \"no: $!\"", child.id()));
        assert_eq!(output.contains("done"), dies, "{layers}: {output}");
        if dies {
            child.wait().unwrap();
        } else {
            assert!(child.try_wait().unwrap().is_none(), "{layers}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // Their command lines are invisible as well.
        let mut child = victim();
        let script = format!(
            "open(my $f, '<', '/proc/{}/cmdline') or die $!; print 'done' if <$f> =~ /1000/",
            child.id()
        );
        assert_eq!(TestJob::new().perl(layers, &script).contains("done"), dies, "{layers}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_blocked(
        &sufficient_layers(),
        &format!("syscall({}, 0, 0, 0, 0) == 0 or die $!; print 'done'", libc::SYS_ptrace),
    );
    assert_blocked(
        &sufficient_layers(),
        "use POSIX; fork and exit; POSIX::setsid() > 0 or die $!; print 'done'",
    );
}

/// Kills what is left of a process group and waits until it is empty: its processes would count against the
/// next run.
fn end_of_group(id: i32) {
    let group = nix::unistd::Pid::from_raw(id);
    while nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL).is_ok() {
        std::thread::yield_now();
    }
}

#[test]
fn a_thousand_processes_cannot_be_started() {
    let bomb =
        "my $n = 0; for (1..1000) { my $p = fork; last unless defined $p; if (!$p) { sleep 20; exit } $n++ }
                print \"$n\"; kill 9, -getpgrp if $n == 1000; exec '/bin/true'";
    let started = |job: &TestJob, layers: &str| {
        let tool = job.path("bomb");
        std::fs::write(&tool, format!("#!/usr/bin/perl\n$| = 1; close STDERR; {bomb}\n")).unwrap();
        std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let out = job.path("other/count");
        let mut command = job.command(layers, &tool);
        let mut child =
            command.process_group(0).stdout(std::fs::File::create(&out).unwrap()).spawn().unwrap();
        child.wait().unwrap();
        end_of_group(i32::try_from(child.id()).unwrap());
        std::fs::read_to_string(out).unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(started(&TestJob::new().own_user().limit("--nproc", 16_384), UNCONFINED), 1000);
    for layers in sufficient_layers() {
        let count = started(&TestJob::new().own_user(), layers);
        assert!(count < 512, "{layers}: {count}");
    }
}

#[test]
fn memory_file_size_and_time_are_limited() {
    let memory = "my $x = 'x' x (100 << 20); print 'done' if length $x";
    assert_eq!(TestJob::new().perl(UNCONFINED, memory), "done");
    let file = "open(my $f, '>', 'big') or die; local $SIG{XFSZ} = 'IGNORE'; syswrite $f, 'x' x (2 << 20); print 'done' if -s 'big' == 2 << 20";
    assert_eq!(TestJob::new().perl(UNCONFINED, file), "done");
    let busy = "1 while (times)[0] < 2; print 'done'";
    assert_eq!(TestJob::new().perl(UNCONFINED, busy), "done");
    for layers in sufficient_layers() {
        assert!(!TestJob::new().limit("--as", 64 << 20).perl(layers, memory).contains("done"), "{layers}");
        let job = TestJob::new().limit("--fsize", 1 << 20);
        assert!(!job.perl(layers, file).contains("done"), "{layers}");
        assert_eq!(std::fs::metadata(job.path("job/output/big")).unwrap().size(), 1 << 20, "{layers}");
        let output = TestJob::new().limit("--cpu", 1).perl(layers, busy);
        assert!(!output.contains("done") && !output.contains("media-confine"), "{layers}: {output}");
    }
}

#[test]
fn no_tool_runs_if_a_layer_cannot_be_applied() {
    let job = TestJob::new();
    let media_confine = job.path("media-confine");
    std::fs::copy(MEDIA_CONFINE, &media_confine).unwrap();
    let inner = |layers: &'static str| {
        [
            "--as",
            "4294967296",
            "--cpu",
            "9",
            "--fsize",
            "9",
            "--nproc",
            "512",
            "--nice",
            "0",
            "--uid",
            "65534",
            "--layers",
            layers,
        ]
        .into_iter()
        .chain(["--", "/bin/echo", "ran"])
    };
    let run = |layers| job.command("seccomp", &media_confine).args(inner(layers)).output().unwrap();
    // Under seccomp no further namespace can be created; `media-confine` works if none is asked for.
    let refused = run("namespaces");
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(125), &b""[..]));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("namespaces"), "{refused:?}");
    assert_eq!(run("").stdout, b"ran\n");
    let invalid = Command::new(MEDIA_CONFINE).args(inner("none")).output().unwrap();
    assert_eq!(invalid.status.code(), Some(125));
    assert!(!Path::new(&job.path("job/output/ran")).exists());
}
