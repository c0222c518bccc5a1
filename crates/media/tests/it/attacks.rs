//! A compromised tool: a script in place of the tool tries what an attacker would.

use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use nix::libc;

use crate::cell::{BARE, BOX, Cell, SECRET, behind, file_walls, stopped_by};

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

#[test]
fn the_input_is_read_and_the_room_is_written_behind_every_wall() {
    for walls in behind().into_iter().chain([BARE]) {
        let cell = Cell::new();
        let said = cell.perl(
            walls,
            "open(my $f, '<', '../in') or die $!; open(my $o, '>', 'out') or die $!; print {$o} <$f>;",
        );
        assert_eq!(said, "", "{walls}");
        assert_eq!(std::fs::read_to_string(cell.path("job/room/out")).unwrap(), "bytes", "{walls}");
    }
}

#[test]
fn another_ones_file_is_not_read() {
    for path in
        ["$other/secret", "../../other/secret", "/etc/passwd", "/proc/1/cmdline", "/proc/self/environ"]
    {
        stopped_by(&file_walls(), &format!("open(my $f, '<', \"{path}\") or die $!; <$f>; print 'done'"));
    }
    stopped_by(&file_walls(), "opendir(my $d, \"$other\") or die $!; print 'done' if readdir $d");
    // Reads the content itself, to be sure that the file is readable without confinement.
    assert!(Cell::new().perl(BARE, "open(my $f, \"$other/secret\"); print <$f>").contains(SECRET));
}

#[test]
fn another_ones_file_is_not_brought_into_the_room() {
    for call in ["link", "symlink", "rename"] {
        stopped_by(
            &file_walls(),
            &format!(
                "{call}(\"$other/secret\", 'got') or die $!; open(my $f, '<', 'got') or die $!; print 'done'"
            ),
        );
    }
}

#[test]
fn nothing_is_written_outside_the_room() {
    for path in
        ["$other/new", "$other/secret", "../../other/new", "../new", "/tmp/vitrine-attack-$$", "../in"]
    {
        let mode = if path.contains("secret") || path.contains("in") { ">>" } else { ">" };
        // The parent folder belongs to root if these tests run as root, so its permissions alone protect it.
        if path == "../new" && is_root() {
            continue;
        }
        stopped_by(
            &file_walls(),
            &format!(
                "open(my $f, '{mode}', \"{path}\") or die $!; print $f 'x' or die $!; close $f or die $!; print 'done'; unlink \"/tmp/vitrine-attack-$$\""
            ),
        );
    }
    for call in
        ["unlink \"$other/secret\"", "mkdir \"$other/new\"", "rename('../../other/secret', '../../other/x')"]
    {
        stopped_by(&file_walls(), &format!("{call} or die $!; print 'done'"));
    }
}

#[test]
fn what_was_written_is_not_run() {
    stopped_by(
        &file_walls(),
        "open(my $o, '>:raw', 'evil') or die; open(my $f, '<:raw', '/usr/bin/true') or die; local $/; print {$o} <$f>;
         close $o; chmod 0755, 'evil'; system('./evil') == 0 or die 'not run'; print 'done'",
    );
}

#[test]
fn rights_of_files_are_not_changed() {
    let script = "open(my $o, '>', 'mine') or die $!; chmod(0777, 'mine') or die $!; print 'done'";
    stopped_by(&behind(), script);
    stopped_by(&behind(), "open(my $o, '>', 'mine'); utime(1, 1, 'mine') or die $!; print 'done'");
    stopped_by(&behind(), "open(my $o, '>', 'mine'); chown($<, -1, 'mine') or die $!; print 'done'");
}

#[test]
fn no_network_and_no_service_of_this_machine_is_reached() {
    let tcp = "socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!;
               connect($s, sockaddr_in($port, INADDR_LOOPBACK)) or die $!; print 'done'";
    stopped_by(&behind(), tcp);
    // Namespaces and Landlock block this on their own too.
    stopped_by(&file_walls(), tcp);
    stopped_by(&behind(), "socket(my $s, PF_INET, SOCK_DGRAM, 0) or die $!; print 'done'");
    stopped_by(&behind(), "socket(my $s, PF_INET6, SOCK_STREAM, 0) or die $!; print 'done'");
    stopped_by(&behind(), "socket(my $s, 16, SOCK_DGRAM, 0) or die $!; print 'done'");
    stopped_by(
        &behind(),
        "socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die $!;
         connect($s, sockaddr_un(\"$other/door\")) or die $!; print 'done'",
    );
}

/// System calls with invalid arguments: unconfined, each is refused for its arguments, and under seccomp
/// before the arguments are looked at.
#[test]
fn calls_that_no_tool_needs_are_refused() {
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
    let answers = |walls: &str| -> Vec<i32> {
        Cell::new().perl(walls, &script).split_whitespace().map(|errno| errno.parse().unwrap()).collect()
    };
    for ((name, _), errno) in calls.into_iter().zip(answers(BARE)) {
        assert_ne!(errno, libc::EPERM, "{name} is refused without confinement");
    }
    for walls in behind() {
        let answers = answers(walls);
        assert_eq!(answers.len(), all.len());
        for ((name, _), errno) in all.iter().zip(answers) {
            assert_eq!(errno, libc::EPERM, "{name} under {walls}");
        }
    }
}

#[test]
fn no_new_namespace_is_made() {
    let cell = Cell::new();
    let made = |walls: &str| cell.run(walls, "/usr/bin/unshare", &["--user", "true"]).status.success();
    // A machine where no user may create namespaces needs no rule here.
    if made(BARE) {
        for walls in behind() {
            assert!(!made(walls), "{walls}");
        }
    }
    let flags = libc::CLONE_NEWUSER | libc::SIGCHLD;
    let script = format!(
        "my $p = syscall({}, {flags}, 0, 0, 0, 0); die $! if $p < 0; exit if $p == 0; print 'done'",
        libc::SYS_clone
    );
    if Cell::new().perl(BARE, &script).contains("done") {
        stopped_by(&behind(), &script);
    }
    let clone3 = format!("syscall({}, 0, 0); print 0 + $!", libc::SYS_clone3);
    for walls in behind() {
        assert_eq!(Cell::new().perl(walls, &clone3), libc::ENOSYS.to_string(), "{walls}");
    }
}

/// The second set of system call numbers (x32), on machines that have it.
#[cfg(target_arch = "x86_64")]
#[test]
fn no_call_is_made_by_its_second_number() {
    let second = libc::SYS_getpid | 0x4000_0000;
    for walls in behind() {
        let said =
            Cell::new().perl(walls, &format!("my $r = syscall({second}); print $r == -1 ? 0 + $! : 'done'"));
        assert_eq!(said, libc::EPERM.to_string(), "{walls}");
    }
}

#[test]
fn other_processes_are_left_alone() {
    let victim = || {
        let mut command = Command::new("/bin/sleep");
        command.arg("1000");
        if is_root() {
            command.uid(65_534);
        }
        command.spawn().unwrap()
    };
    for (walls, dies) in behind().into_iter().map(|walls| (walls, false)).chain([(BARE, true)]) {
        let mut child = victim();
        let said = Cell::new().perl(walls, &format!("print kill(9, {}) ? 'done' : \"no: $!\"", child.id()));
        assert_eq!(said.contains("done"), dies, "{walls}: {said}");
        if dies {
            child.wait().unwrap();
        } else {
            assert!(child.try_wait().unwrap().is_none(), "{walls}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // Their command lines are invisible as well.
        let mut child = victim();
        let seen = format!(
            "open(my $f, '<', '/proc/{}/cmdline') or die $!; print 'done' if <$f> =~ /1000/",
            child.id()
        );
        assert_eq!(Cell::new().perl(walls, &seen).contains("done"), dies, "{walls}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
    stopped_by(&behind(), &format!("syscall({}, 0, 0, 0, 0) == 0 or die $!; print 'done'", libc::SYS_ptrace));
    stopped_by(&behind(), "use POSIX; fork and exit; POSIX::setsid() > 0 or die $!; print 'done'");
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
fn a_thousand_processes_are_not_started() {
    let bomb =
        "my $n = 0; for (1..1000) { my $p = fork; last unless defined $p; if (!$p) { sleep 20; exit } $n++ }
                print \"$n\"; kill 9, -getpgrp if $n == 1000; exec '/bin/true'";
    let started = |cell: &Cell, walls: &str| {
        let tool = cell.path("bomb");
        std::fs::write(&tool, format!("#!/usr/bin/perl\n$| = 1; close STDERR; {bomb}\n")).unwrap();
        std::fs::set_permissions(&tool, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let out = cell.path("other/count");
        let mut command = cell.command(walls, &tool);
        let mut child =
            command.process_group(0).stdout(std::fs::File::create(&out).unwrap()).spawn().unwrap();
        child.wait().unwrap();
        end_of_group(i32::try_from(child.id()).unwrap());
        std::fs::read_to_string(out).unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(started(&Cell::new().limit("--nproc", 16_384), BARE), 1000);
    for walls in behind() {
        let count = started(&Cell::new(), walls);
        assert!(count < 512, "{walls}: {count}");
    }
}

#[test]
fn memory_files_and_time_have_an_end() {
    let memory = "my $x = 'x' x (100 << 20); print 'done' if length $x";
    assert_eq!(Cell::new().perl(BARE, memory), "done");
    let file = "open(my $f, '>', 'big') or die; local $SIG{XFSZ} = 'IGNORE'; syswrite $f, 'x' x (2 << 20); print 'done' if -s 'big' == 2 << 20";
    assert_eq!(Cell::new().perl(BARE, file), "done");
    let busy = "1 while (times)[0] < 2; print 'done'";
    assert_eq!(Cell::new().perl(BARE, busy), "done");
    for walls in behind() {
        assert!(!Cell::new().limit("--as", 64 << 20).perl(walls, memory).contains("done"), "{walls}");
        let cell = Cell::new().limit("--fsize", 1 << 20);
        assert!(!cell.perl(walls, file).contains("done"), "{walls}");
        assert_eq!(std::fs::metadata(cell.path("job/room/big")).unwrap().size(), 1 << 20, "{walls}");
        let said = Cell::new().limit("--cpu", 1).perl(walls, busy);
        assert!(!said.contains("done") && !said.contains("media-box"), "{walls}: {said}");
    }
}

#[test]
fn a_box_that_cannot_put_up_a_wall_runs_nothing() {
    let cell = Cell::new();
    let own = cell.path("box");
    std::fs::copy(BOX, &own).unwrap();
    let inner = |walls: &'static str| {
        [
            "--as",
            "4294967296",
            "--cpu",
            "9",
            "--fsize",
            "9",
            "--nproc",
            "512",
            "--uid",
            "65534",
            "--walls",
            walls,
        ]
        .into_iter()
        .chain(["--", "/bin/echo", "ran"])
    };
    let run = |walls| cell.command("seccomp", &own).args(inner(walls)).output().unwrap();
    // Under seccomp no further namespace can be created; `media-box` works if none is asked for.
    let refused = run("namespaces");
    assert_eq!((refused.status.code(), refused.stdout.as_slice()), (Some(125), &b""[..]));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("namespaces"), "{refused:?}");
    assert_eq!(run("").stdout, b"ran\n");
    let odd = Command::new(BOX).args(inner("paper")).output().unwrap();
    assert_eq!(odd.status.code(), Some(125));
    assert!(!Path::new(&cell.path("job/room/ran")).exists());
}
