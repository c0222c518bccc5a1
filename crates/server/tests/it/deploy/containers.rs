//! The container file and its health check.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use super::*;

/// Returns the first words of the `COPY` lines that copy from the repository.
fn copied() -> Vec<String> {
    let text = read("deploy/Containerfile");
    let lines = text.lines().filter_map(|line| line.strip_prefix("COPY "));
    let sources = lines.filter(|line| !line.starts_with("--from"));
    let words = sources.flat_map(|line| {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.starts_with("--")).collect();
        words[..words.len() - 1].iter().map(|word| word.trim_end_matches('/').to_owned()).collect::<Vec<_>>()
    });
    words.collect()
}

#[test]
fn the_image_is_built_from_all_members_of_the_workspace() {
    let copied = copied();
    for path in &copied {
        assert!(root().join(path).exists(), "{path}");
    }
    let manifest = read("Cargo.toml");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    for member in members.trim_end_matches(']').split(", ") {
        let folder = member.trim_matches('"').trim_end_matches("/*");
        assert!(copied.iter().any(|path| path == folder), "{folder} is not copied");
    }
}

/// Answers one request with this status line, and returns the exit code of the health check.
fn health(status: &'static str) -> Option<i32> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let lines = BufReader::new(socket.try_clone().unwrap()).lines().map(Result::unwrap);
        let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
        write!(socket, "{status}\r\nContent-Length: 0\r\n\r\n").unwrap();
        head
    });
    let check = Command::new(root().join("deploy/vitrine-health")).arg(port.to_string()).status().unwrap();
    assert_eq!(answering.join().unwrap(), ["GET /healthz HTTP/1.0", "Host: localhost"]);
    check.code()
}

#[test]
fn the_health_check_succeeds_only_with_a_good_answer() {
    assert_eq!(health("HTTP/1.0 200 OK"), Some(0));
    assert_eq!(health("HTTP/1.1 200 OK"), Some(0));
    assert_eq!(health("HTTP/1.1 503 Service Unavailable"), Some(1));
    assert_eq!(health("HTTP/1.1 404 200"), Some(1));
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let check = Command::new(root().join("deploy/vitrine-health")).arg(closed.to_string()).status().unwrap();
    assert_eq!(check.code(), Some(1));
}
